//! Arguments that several families of functions have: choice buffers, arrays of requests, and
//! results as statuses.

pub(super) use crate::params::negative_count;
use crate::params::{InOut, InOutSlice, InSlice, OutRef, StatusOut, StatusesOut, UserBuffer};
use crate::staging;
use crate::types::Status;
use nemesis_datatype::{Buffer, Contiguous};
use nemesis_mpi::abi;
use nemesis_mpi::attempts::{Data, Use};
use nemesis_mpi::coll::fast::UserData;
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::error_codes;
use nemesis_mpi::handle::{Datatype, Request};
use nemesis_mpi::lanes;
use nemesis_mpi::receive::Caught;
use nemesis_mpi::request::Completion;
use nemesis_mpi::send::SHORT_MAX_BYTES;
use std::ffi::c_int;

/// Writes the request of a call.
#[inline]
pub fn put_request(request: OutRef<'_, Request>, handle: Request) {
    if nemesis_mpi_check::is_on() {
        nemesis_mpi_check::variables::stored(request.as_ptr().addr(), handle.0);
    }
    request.write(handle);
}

/// Writes the request of an operation that has started on buffers of the program, of which some may
/// be memory of devices.
#[inline]
pub fn hand_out(mpi: &mut Mpi, place: OutRef<'_, Request>, handle: Request) -> Outcome {
    let handle = if nemesis_gpu::is_on() { staging::hand_out(mpi, handle)? } else { handle };
    put_request(place, lanes::name(mpi.lane, handle)?);
    Ok(())
}

/// Tells the development checks the variable, at `address`, in which a program of Fortran finds the
/// request of a call that has returned.
pub fn request_converted(address: usize, handle: Request) {
    if nemesis_mpi_check::is_on() {
        nemesis_mpi_check::variables::converted(address, handle.0);
    }
}

/// Tells the development checks the variable, at `address`, in which the program finds the request
/// of a call whose binding converts handles.
#[inline]
pub fn request_left(address: usize, handle: Request) {
    if nemesis_mpi_check::is_on() {
        nemesis_mpi_check::variables::stored(address, handle.0);
    }
}

/// A choice buffer with its count and datatype, none of which is checked.
#[derive(Clone, Copy)]
pub struct Choice {
    address: UserBuffer,
    count: i64,
    datatype: Datatype,
}

impl Choice {
    #[inline(always)]
    pub fn new(address: UserBuffer, count: i64, datatype: Datatype) -> Choice {
        Choice { address, count, datatype }
    }
}

impl UserData for Choice {
    #[inline(always)]
    fn is_in_place(self) -> bool {
        self.address.is_in_place()
    }

    #[inline(always)]
    fn begins_with(self, other: Choice) -> bool {
        self.address == other.address
    }

    #[inline(always)]
    fn count(self) -> i64 {
        self.count
    }

    #[inline(always)]
    fn with_count(self, count: i64) -> Choice {
        Choice { count, ..self }
    }

    #[inline(always)]
    fn contiguous_within(self, limit: u32) -> Option<Contiguous> {
        self.address.contiguous_within(limit, self.count, self.datatype)
    }
}

impl Data for Choice {
    #[inline(always)]
    fn short(self) -> Option<Contiguous> {
        self.address.contiguous_within(SHORT_MAX_BYTES, self.count, self.datatype)
    }

    #[inline(always)]
    fn contiguous(self) -> Option<Contiguous> {
        self.address.contiguous(self.count, self.datatype)
    }

    #[inline(always)]
    fn at_first(self, limit: u32) -> Option<Contiguous> {
        self.address.contiguous_at_first(limit, self.count, self.datatype)
    }

    #[inline(always)]
    fn buffer(self, mpi: &Mpi, used: Use) -> Outcome<Buffer> {
        self.address.message_for(mpi, self.count, self.datatype, used)
    }

    #[inline(always)]
    fn datatype(self) -> Datatype {
        self.datatype
    }
}

/// Checks the length of an array of requests.
#[inline(always)]
fn check_length(count: c_int) -> Outcome {
    if count < 0 { Err(negative_count(i64::from(count))) } else { Ok(()) }
}

#[cold]
fn null_array() -> Box<Error> {
    Error::new(abi::MPI_ERR_REQUEST, "the array of requests is a null pointer")
}

/// The `count` requests of an array that the function changes.
#[inline]
pub fn requests(count: c_int, array: InOutSlice<'_, Request>) -> Outcome<&mut [Request]> {
    check_length(count)?;
    array.get().ok_or_else(null_array)
}

/// The `count` requests of an array that the function reads.
pub fn requests_to_read(count: c_int, array: InSlice<'_, Request>) -> Outcome<&[Request]> {
    check_length(count)?;
    array.get().ok_or_else(null_array)
}

/// The request variable of the program.
#[inline]
pub fn request(place: InOut<'_, Request>) -> Outcome<&mut Request> {
    let place = place
        .get()
        .ok_or_else(|| Error::new(abi::MPI_ERR_REQUEST, "the request is a null pointer"))?;
    Ok(place.into_mut())
}

/// The status of a completion.
pub fn status_of(completion: &Completion) -> Status {
    let mut status = Status::new(completion.source, completion.tag, completion.bytes as i64);
    status.set_cancelled(completion.cancelled);
    status
}

/// The status of a receive that a fast path carried out.
#[inline(always)]
pub fn status_of_caught(Caught { source, tag, bytes }: Caught) -> Status {
    Status::new(source, tag, bytes as i64)
}

/// Writes the status of a single completion.
#[inline(always)]
pub fn report(status: StatusOut<'_>, completion: &Completion) {
    if !status.is_ignored() {
        status.report(status_of(completion));
    }
}

/// Writes the status of a blocking receive. If a copy stands for its buffer, the length tells what
/// of the copy is the message.
#[inline(always)]
pub fn report_received(status: StatusOut<'_>, completion: &Completion) {
    if nemesis_gpu::is_on() {
        staging::received(completion.bytes as usize);
    }
    report(status, completion);
}

/// The statuses of a call that completes several requests, and the errors of those that failed.
///
/// Statuses of operations that succeeded say `MPI_SUCCESS`: such calls may write the error field
/// (MPI 5.0 §3.2.5), and programs expect it.
pub struct Statuses<'a> {
    array: StatusesOut<'a>,
    failed: Vec<(usize, c_int)>,
}

impl<'a> Statuses<'a> {
    pub fn new(array: StatusesOut<'a>) -> Statuses<'a> {
        Statuses { array, failed: Vec::new() }
    }

    #[inline]
    pub fn put(&mut self, index: usize, completion: &Completion) {
        if let Some(error) = &completion.error {
            self.remember(index, error);
        }
        if !self.array.is_ignored() {
            self.array.at(index).put(status_of(completion));
        }
    }

    #[cold]
    fn remember(&mut self, index: usize, error: &Error) {
        let code =
            error.code.unwrap_or_else(|| error_codes::remember(error.class, error.description("")));
        self.failed.push((index, code));
    }

    /// Fills the error fields of all `count` statuses if the outcome is `MPI_ERR_IN_STATUS`
    /// (MPI 5.0 §3.7.5).
    pub fn finish(self, count: usize, outcome: &Outcome) {
        let in_status = matches!(outcome, Err(error) if error.class == abi::MPI_ERR_IN_STATUS);
        if !in_status {
            return;
        }
        for index in 0..count {
            let code = self
                .failed
                .iter()
                .find(|(failed, _)| *failed == index)
                .map_or(abi::MPI_SUCCESS, |(_, code)| *code);
            self.array.put_error(index, code);
        }
    }
}
