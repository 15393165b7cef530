//! The calls that read and write (MPI 5.0 §14.4).
//!
//! | pointer | independent | collective |
//! |---|---|---|
//! | explicit offset | `read_at`, `iread_at` | `read_at_all`, `iread_at_all`, split |
//! | individual | `read`, `iread` | `read_all`, `iread_all`, split |
//! | shared | `read_shared`, `iread_shared` | `read_ordered`, split |
//!
//! A pointer moves when the call begins, by what the call asks for. An error in the arguments of a
//! collective call travels with its first exchange, so that no other rank waits for ever.

use crate::agree::{WORDS, agree};
use crate::completion;
use crate::engine::Mpi;
use crate::errno;
use crate::error::{Error, Outcome};
use crate::file::{Conversion, Files, OpenFile, Split, begin_transfer, carry_out, enqueue};
use crate::operation::{Operation, Stage, finish};
use crate::request::{Activity, Copies, Request};
use crate::shared;
use crate::transfer::{Direction, Moved, Transfer};
use crate::view::{View, check_etype};
use crate::{abi, handle};
use nemesis_datatype::Buffer;
use std::sync::Arc;

/// Where a call begins to read or write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pointer {
    /// At an offset in etypes.
    At(i64),
    Individual,
    /// At the shared pointer; in a collective call, in the order of ranks.
    Shared,
}

/// What a call moves: the program's buffer, or the error of its arguments.
#[derive(Debug)]
pub struct Given {
    /// The function of MPI.
    pub call: &'static str,
    pub direction: Direction,
    pub pointer: Pointer,
    pub buffer: Outcome<Buffer>,
}

/// A call whose arguments are valid.
struct Prepared {
    view: Arc<View>,
    /// The data as the file holds them.
    data: Buffer,
    /// The program's buffer.
    buffer: Buffer,
    etypes: i64,
}

/// Returns what the function does, in messages.
fn action(direction: Direction) -> &'static str {
    match direction {
        Direction::Read => "reading",
        Direction::Write => "writing",
    }
}

/// Checks that the file's mode permits an access.
fn check_mode(mpi: &Mpi, fh: handle::File, direction: Direction, pointer: Pointer) -> Outcome {
    let file = mpi.file(fh)?;
    if direction == Direction::Write && !file.may_write() {
        return Err(Error::new(abi::MPI_ERR_READ_ONLY, "the file is open with MPI_MODE_RDONLY"));
    }
    if direction == Direction::Read && file.amode & abi::MPI_MODE_WRONLY != 0 {
        return Err(Error::new(abi::MPI_ERR_ACCESS, "the file is open with MPI_MODE_WRONLY"));
    }
    if file.etypes_differ && pointer == Pointer::Shared {
        let why = "the shared pointer counts etypes, and those of the ranks' views have different \
                   lengths";
        return Err(Error::new(abi::MPI_ERR_NOT_SAME, why)
            .advise("set views with one etype at all ranks, or use MPI_File_write_at"));
    }
    if file.is_sequential() && pointer != Pointer::Shared {
        return Err(Error::new(
            abi::MPI_ERR_UNSUPPORTED_OPERATION,
            "a file that is open with MPI_MODE_SEQUENTIAL has only the shared pointer",
        )
        .advise("use MPI_File_read_shared, MPI_File_write_ordered and their counterparts"));
    }
    Ok(())
}

/// Checks the arguments of a call, and converts what will be written.
fn prepare(mpi: &mut Mpi, fh: handle::File, given: Given) -> Outcome<Prepared> {
    let Given { direction, pointer, buffer, .. } = given;
    check_mode(mpi, fh, direction, pointer)?;
    let (buffer, view) = (buffer?, mpi.file(fh)?.view.clone());
    if nemesis_mpi_check::is_on() {
        let data = (buffer.datatype(), buffer.bytes() as u64);
        check_etype("the data have", data, &view.etype);
    }
    let data = match direction {
        Direction::Write => view.datarep.convert_written(mpi, &buffer)?,
        Direction::Read => view.datarep.in_file(mpi, &buffer)?,
    };
    let bytes = data.bytes() as u64;
    if !bytes.is_multiple_of(view.etype_bytes) {
        return Err(Error::new(
            abi::MPI_ERR_ARG,
            format!(
                "the data have {bytes} bytes in the file, which is no multiple of the etype's {}",
                view.etype_bytes
            ),
        ));
    }
    let etypes = (bytes / view.etype_bytes) as i64;
    Ok(Prepared { view, data, buffer, etypes })
}

/// Returns the offset at which a call begins, in etypes, and moves the pointer.
fn take_pointer(mpi: &mut Mpi, fh: handle::File, pointer: Pointer, etypes: i64) -> Outcome<i64> {
    match pointer {
        Pointer::At(offset) => Ok(offset),
        Pointer::Individual => {
            let file = mpi.file_mut(fh)?;
            let before = file.pointer;
            file.pointer = before.saturating_add(etypes);
            Ok(before)
        }
        Pointer::Shared => shared::fetch_add(mpi, fh, etypes),
    }
}

/// Returns the transfer of a call that begins at an offset in etypes.
fn transfer(
    mpi: &Mpi,
    fh: handle::File,
    direction: Direction,
    prepared: &Prepared,
    offset: i64,
) -> Outcome<Transfer> {
    let position = prepared.view.position(offset)?;
    prepared.view.check(position, prepared.data.bytes() as u64)?;
    let file = mpi.file(fh)?;
    Ok(Transfer {
        file: file.system.clone(),
        view: prepared.view.clone(),
        direction,
        position,
        buffer: prepared.data.clone(),
        window_bytes: file.window_bytes,
    })
}

/// Carries out a transfer in the call, alone if the file is in atomic mode.
fn perform(
    mpi: &mut Mpi,
    fh: handle::File,
    call: &'static str,
    transfer: Transfer,
) -> Outcome<Moved> {
    let act = |mpi: &mut Mpi| carry_out(mpi, fh, call, transfer);
    if mpi.file(fh)?.is_atomic { shared::locked(mpi, fh, act) } else { Ok(act(mpi)) }
}

/// Returns the bytes that a transfer in the call has moved, in the program's representation.
fn conclude(
    mpi: &mut Mpi,
    fh: handle::File,
    direction: Direction,
    prepared: &Prepared,
    moved: Moved,
) -> Outcome<u64> {
    if let Some(errno) = moved.failed {
        return Err(errno::refused(action(direction), &mpi.file(fh)?.name(), errno));
    }
    match direction {
        Direction::Write if moved.bytes == prepared.data.bytes() as u64 => {
            Ok(prepared.buffer.bytes() as u64)
        }
        Direction::Write => Ok(moved.bytes),
        Direction::Read => {
            let Prepared { view, data, buffer, .. } = prepared;
            view.datarep.convert_read(mpi, data, moved.bytes, buffer)
        }
    }
}

/// Reads or writes by this process alone. Returns the bytes moved.
pub fn independent(mpi: &mut Mpi, fh: handle::File, given: Given) -> Outcome<u64> {
    let Given { call, direction, pointer, .. } = given;
    let prepared = prepare(mpi, fh, given)?;
    let offset = take_pointer(mpi, fh, pointer, prepared.etypes)?;
    let transfer = transfer(mpi, fh, direction, &prepared, offset)?;
    let moved = perform(mpi, fh, call, transfer)?;
    conclude(mpi, fh, direction, &prepared, moved)
}

/// Starts to read or write by this process alone, and returns the request.
pub fn start_independent(
    mpi: &mut Mpi,
    fh: handle::File,
    given: Given,
) -> Outcome<handle::Request> {
    let Given { call, direction, pointer, .. } = given;
    let prepared = prepare(mpi, fh, given)?;
    let offset = take_pointer(mpi, fh, pointer, prepared.etypes)?;
    let transfer = transfer(mpi, fh, direction, &prepared, offset)?;
    let request = new_request(mpi, fh, direction)?;
    let file = mpi.file(fh)?;
    // The worker neither locks nor converts.
    if file.is_atomic || prepared.view.datarep.converts() {
        let done = perform(mpi, fh, call, transfer)
            .and_then(|moved| conclude(mpi, fh, direction, &prepared, moved));
        finish_with(mpi, fh, request, done);
    } else {
        begin_transfer(mpi, fh, request, (call, action(direction)), transfer)?;
    }
    Ok(request)
}

fn new_request(mpi: &mut Mpi, fh: handle::File, direction: Direction) -> Outcome<handle::Request> {
    let file = mpi.file(fh)?;
    let what = format!("{} {:?}", action(direction), file.name()).into();
    let request = Request::new(file.comm, Activity::File(what));
    mpi.pt2pt.new_request(request)
}

fn finish_with(mpi: &mut Mpi, fh: handle::File, request: handle::Request, done: Outcome<u64>) {
    match done {
        Ok(bytes) => finish(mpi, request, bytes, None),
        Err(error) => finish(mpi, request, 0, Some(error.on_file(fh))),
    }
}

/// How a collective call completes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Completes {
    /// In a later call that runs conversion functions of the program itself.
    Later,
    /// In any call that makes progress.
    Anywhere,
}

/// A collective operation that has begun.
struct Begun {
    request: handle::Request,
    conversion: Option<Conversion>,
}

/// Waits until the collective operations of the file that have begun are complete.
pub(crate) fn drain(mpi: &mut Mpi, fh: handle::File) -> Outcome {
    mpi.file(fh)?;
    mpi.wait_until(None, |mpi| mpi.file(fh).is_ok_and(|file| file.queue.is_empty()));
    Ok(())
}

/// Returns the offset at which this rank begins in an ordered call. All ranks return the error of
/// any of them.
fn ordered_offset(mpi: &mut Mpi, fh: handle::File, etypes: Outcome<i64>) -> Outcome<i64> {
    drain(mpi, fh)?;
    let file = mpi.file(fh)?;
    let (comm, rank) = (file.comm, file.rank as usize);
    let all = agree(mpi, comm, etypes.map(|etypes| [etypes as u64, 0, 0, 0]))?;
    let sum = |ranks: &[[u64; WORDS]]| {
        ranks.iter().fold(0_i64, |sum, [etypes, ..]| sum.saturating_add(*etypes as i64))
    };
    let base = match rank {
        0 => shared::fetch_add(mpi, fh, sum(&all)),
        _ => Ok(0),
    };
    let bases = agree(mpi, comm, base.map(|base| [base as u64, 0, 0, 0]))?;
    Ok((bases[0][0] as i64).saturating_add(sum(&all[..rank])))
}

/// Begins a collective call.
fn begin(mpi: &mut Mpi, fh: handle::File, given: Given, completes: Completes) -> Outcome<Begun> {
    let Given { call, direction, pointer, .. } = given;
    let prepared = check_split_ended(mpi.file(fh)?).and_then(|()| prepare(mpi, fh, given));
    let offset = match (&prepared, pointer) {
        (prepared, Pointer::Shared) => {
            let etypes = prepared.as_ref().map(|prepared| prepared.etypes).map_err(Clone::clone);
            Ok(ordered_offset(mpi, fh, etypes)?)
        }
        (Ok(prepared), _) => take_pointer(mpi, fh, pointer, prepared.etypes),
        (Err(_), _) => Ok(0),
    };
    let ready = prepared.and_then(|prepared| {
        let transfer = transfer(mpi, fh, direction, &prepared, offset?)?;
        Ok((prepared, transfer))
    });
    let request = new_request(mpi, fh, direction)?;
    let (operation, conversion) = operation(mpi, fh, (call, request, direction), ready, completes)?;
    enqueue(mpi, fh, operation)?;
    Ok(Begun { request, conversion })
}

/// Makes the operation of a collective call: with its transfer, or with its error.
fn operation(
    mpi: &mut Mpi,
    fh: handle::File,
    (call, request, direction): (&'static str, handle::Request, Direction),
    ready: Outcome<(Prepared, Transfer)>,
    completes: Completes,
) -> Outcome<(Operation, Option<Conversion>)> {
    let file = mpi.file(fh)?;
    let is_atomic = file.is_atomic;
    let key = if direction == Direction::Read { "romio_cb_read" } else { "romio_cb_write" };
    let mut operation = Operation {
        request,
        comm: file.comm,
        call,
        action: action(direction),
        file_name: file.name(),
        transfer: Transfer {
            file: file.system.clone(),
            view: file.view.clone(),
            direction,
            position: 0,
            buffer: Buffer::empty(),
            window_bytes: 0,
        },
        views: file.views.clone(),
        aggregators: file.aggregators.clone(),
        buffering: file.hints.buffering(key),
        sieves: direction == Direction::Read
            && file.window_bytes > 0
            && file.node_windows.is_none()
            && file.all_cached
            && file.is_on_one_node(),
        windows: file.windows(),
        round_bytes: file.hints.round_bytes(),
        unit_bytes: file.hints.number("striping_unit").unwrap_or(0),
        decode: None,
        written: None,
        moved: None,
        failed: None,
        stage: Stage::BEGIN,
    };
    let (prepared, transfer) = match ready {
        Ok(ready) => ready,
        Err(error) => {
            operation.failed = Some(error);
            return Ok((operation, None));
        }
    };
    operation.transfer = transfer.clone();
    let mut conversion = None;
    let calls_back = direction == Direction::Read && prepared.view.datarep.calls_back();
    if is_atomic || calls_back && completes == Completes::Anywhere {
        let done = perform(mpi, fh, call, transfer)
            .and_then(|moved| conclude(mpi, fh, direction, &prepared, moved));
        match done {
            Ok(bytes) => operation.moved = Some(bytes),
            Err(error) => operation.failed = Some(error),
        }
    } else if direction == Direction::Write {
        operation.written = Some(prepared.buffer.bytes() as u64);
    } else if calls_back {
        let Prepared { view, data: file, buffer, .. } = prepared;
        conversion = Some(Conversion { view, file, buffer });
    } else {
        operation.decode = Some(prepared.buffer);
    }
    Ok((operation, conversion))
}

/// Checks that no split collective operation of the file has begun and not ended.
pub(crate) fn check_split_ended(file: &OpenFile) -> Outcome {
    let Some(split) = &file.split else { return Ok(()) };
    Err(Error::new(
        abi::MPI_ERR_IO,
        format!("the split collective operation that {} has begun has not ended", split.name),
    )
    .advise("call its _end function first"))
}

/// Waits for an operation and returns the bytes moved.
fn end(mpi: &mut Mpi, fh: handle::File, begun: Begun) -> Outcome<u64> {
    let mut request = begun.request;
    let completion = completion::wait_quietly(mpi, &mut request)?;
    if let Some(error) = completion.error {
        return Err(error.on_file(fh));
    }
    match begun.conversion {
        None => Ok(completion.bytes),
        Some(Conversion { view, file, buffer }) => {
            view.datarep.convert_read(mpi, &file, completion.bytes, &buffer)
        }
    }
}

/// Reads or writes together with the other ranks. Returns the bytes moved.
pub fn collective(mpi: &mut Mpi, fh: handle::File, given: Given) -> Outcome<u64> {
    let begun = begin(mpi, fh, given, Completes::Later)?;
    end(mpi, fh, begun)
}

/// Starts to read or write together with the other ranks, and returns the request.
pub fn start_collective(mpi: &mut Mpi, fh: handle::File, given: Given) -> Outcome<handle::Request> {
    if mpi.file(fh)?.size() == 1 && given.pointer != Pointer::Shared {
        return start_independent(mpi, fh, given);
    }
    Ok(begin(mpi, fh, given, Completes::Anywhere)?.request)
}

/// Begins a split collective operation for the buffer at `address`.
pub fn begin_split(
    mpi: &mut Mpi,
    fh: handle::File,
    given: Given,
    address: usize,
    copies: Option<Arc<dyn Copies>>,
) -> Outcome {
    let name = given.call;
    let Begun { request, conversion } = begin(mpi, fh, given, Completes::Later)?;
    let file = mpi.file_mut(fh)?;
    if file.split.is_none() {
        file.split = Some(Split { name, request, address, conversion, copies });
        return Ok(());
    }
    end(mpi, fh, Begun { request, conversion }).map(drop)
}

/// Ends the split collective operation that the function `name` has begun. Returns the bytes moved.
pub fn end_split(
    mpi: &mut Mpi,
    fh: handle::File,
    (name, address): (&'static str, usize),
) -> Outcome<u64> {
    let file = mpi.file_mut(fh)?;
    match &file.split {
        None => {
            return Err(Error::new(abi::MPI_ERR_IO, "no split collective operation has begun")
                .advise(format!("call {name} first")));
        }
        Some(split) if split.name != name => {
            return Err(Error::new(
                abi::MPI_ERR_IO,
                format!(
                    "the split collective operation has begun by {}, not by {name}",
                    split.name
                ),
            ));
        }
        Some(split) if split.address != address => {
            return Err(Error::new(
                abi::MPI_ERR_BUFFER,
                format!("the buffer is not that of {name}"),
            ));
        }
        Some(_) => {}
    }
    match file.split.take() {
        Some(Split { request, conversion, copies, .. }) => {
            let bytes = end(mpi, fh, Begun { request, conversion })?;
            copies.map_or(Ok(()), |copies| copies.return_results())?;
            Ok(bytes)
        }
        None => Ok(0),
    }
}
