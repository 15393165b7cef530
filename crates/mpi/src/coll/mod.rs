//! Collective operations (MPI 5.0 chapter 6).
//!
//! Each file builds the schedules of one operation; this one runs them.

pub mod schedule;

pub use schedule::{Operator, Progress, Schedule, Step};

use crate::abi;
use crate::completion;
use crate::context::Class;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::handle;
use crate::request::{Activity, Completion};
use nemesis_datatype::{Buffer, Datatype};

impl Engine {
    /// An empty schedule for the next collective operation on `comm`.
    pub fn new_schedule(&mut self, comm: handle::Comm) -> Outcome<Schedule> {
        let object = self.comm_mut(comm)?;
        let tag = object.collectives as i32;
        object.collectives = (object.collectives + 1) & i32::MAX as u32;
        Ok(Schedule::new(comm, object.context.class(Class::Collective), tag))
    }

    /// An empty schedule for a persistent collective operation, which may be started in any order with others.
    pub fn new_persistent_schedule(&mut self, comm: handle::Comm) -> Outcome<Schedule> {
        let object = self.comm_mut(comm)?;
        let tag = object.persistent_collectives as i32;
        object.persistent_collectives = (object.persistent_collectives + 1) & i32::MAX as u32;
        Ok(Schedule::new(comm, object.context.class(Class::Persistent), tag))
    }
}

/// Starts a schedule; the handle of the operation.
pub fn start(mpi: &mut Mpi, comm: handle::Comm, schedule: Box<Schedule>) -> Outcome<handle::Request> {
    mpi.comm(comm)?;
    let request = mpi.new_request(schedule::request(schedule))?;
    mpi.core.schedules.push(request);
    advance(mpi);
    while run_callbacks(mpi) {}
    Ok(request)
}

/// Starts a schedule and waits for its end: the blocking form.
pub fn run(mpi: &mut Mpi, schedule: Schedule) -> Outcome {
    let comm = schedule.comm;
    let mut request = start(mpi, comm, Box::new(schedule))?;
    completion::wait(mpi, &mut request).map(drop)
}

/// Lets every operation in progress go on as far as it can.
pub fn advance(engine: &mut Engine) {
    let mut index = 0;
    while let Some(&handle) = engine.core.schedules.get(index) {
        let Ok(request) = engine.core.requests.get_mut(handle) else {
            engine.core.schedules.remove(index);
            continue;
        };
        let Activity::Collective(mut schedule) = std::mem::replace(&mut request.activity, Activity::Done) else {
            engine.core.schedules.remove(index);
            continue;
        };
        if schedule.advance(engine) == Progress::Done {
            engine.core.schedules.remove(index);
            if let Ok(request) = engine.core.requests.get_mut(handle) {
                request.completion = Completion { error: schedule.take_error(), ..Completion::EMPTY };
            }
            engine.core.finish(handle);
        } else {
            if let Ok(request) = engine.core.requests.get_mut(handle) {
                request.activity = Activity::Collective(schedule);
            }
            index += 1;
        }
    }
}

/// Runs a user function that a schedule stands before, if one does, and lets the schedule go on.
pub fn run_callbacks(mpi: &mut Mpi) -> bool {
    let standing = mpi.core.schedules.iter().find_map(|&handle| match &mpi.core.requests.get(handle).ok()?.activity {
        Activity::Collective(schedule) => Some((handle, schedule.callback()?)),
        _ => None,
    });
    let Some((handle, (function, datatype, input, inout))) = standing else { return false };
    // Taken out of sight first: the function may call MPI, and another waiting call must not run it again.
    let Ok(request) = mpi.core.requests.get_mut(handle) else { return false };
    let Activity::Collective(mut schedule) = std::mem::replace(&mut request.activity, Activity::Collective(Box::new(Schedule::parked()))) else { return false };
    mpi.unlocked(|| call_in_pieces(function, datatype, &input, &inout));
    schedule.callback_done();
    if let Ok(request) = mpi.core.requests.get_mut(handle) {
        request.activity = Activity::Collective(schedule);
    }
    advance(mpi);
    true
}

/// A plain `MPI_User_function` takes at most INT_MAX elements a call.
fn call_in_pieces(function: crate::callback::Callback, datatype: handle::Datatype, input: &Buffer, inout: &Buffer) {
    let (total, longest) = (input.count(), usize::try_from(function.longest()).unwrap_or(usize::MAX));
    let mut done = 0;
    while done < total {
        let length = (total - done).min(longest);
        let (from, to) = (input.part(done, length).address(), inout.part(done, length).address());
        function.reduce(std::ptr::with_exposed_provenance(from), std::ptr::with_exposed_provenance_mut(to), length as i64, datatype);
        done += length;
    }
}

/// Temporary memory of `bytes` bytes for a schedule.
pub fn scratch_bytes(bytes: usize) -> Outcome<Buffer> {
    let byte = Datatype::predefined(abi::MPI_BYTE.0).expect("MPI_BYTE is predefined");
    Buffer::scratch(bytes as i64, byte).map_err(|error| Error::new(abi::MPI_ERR_NO_MEM, error.why.to_string()))
}

/// The dissemination barrier (Hensgen, Finkel, Manber 1988): in round k, tell the rank 2^k ahead and hear from the one 2^k behind.
pub fn barrier(engine: &mut Engine, comm: handle::Comm) -> Outcome<Schedule> {
    let mut schedule = engine.new_schedule(comm)?;
    let object = engine.comm(comm)?;
    let (rank, size) = (object.rank, object.size());
    let nothing = Buffer::empty();
    let mut distance = 1;
    while distance < size {
        schedule.send((rank + distance) % size, &nothing);
        schedule.receive((rank + size - distance) % size, &nothing);
        schedule.wait();
        distance *= 2;
    }
    Ok(schedule)
}

/// Every rank's `own` words, by rank: what the creation of communicators exchanges. A ring, size - 1 steps.
pub fn allgather_words<const N: usize>(mpi: &mut Mpi, comm: handle::Comm, own: [u64; N]) -> Outcome<Vec<[u64; N]>> {
    let mut schedule = mpi.new_schedule(comm)?;
    let object = mpi.comm(comm)?;
    let (rank, size) = (object.rank as usize, object.size() as usize);
    let each = N * 8;
    let all = scratch_bytes(size * each)?;
    let block = |index: usize| all.part(index * each, each);
    put_words(&block(rank), &own);
    for step in 0..size - 1 {
        schedule.send(((rank + 1) % size) as u32, &block((rank + size - step) % size));
        schedule.receive(((rank + size - 1) % size) as u32, &block((rank + size - step - 1) % size));
        schedule.wait();
    }
    run(mpi, schedule)?;
    Ok((0..size).map(|index| get_words(&all, index * each)).collect())
}

/// Writes words into a buffer of bytes.
pub fn put_words<const N: usize>(buffer: &Buffer, words: &[u64; N]) {
    let bytes = words.map(u64::to_le_bytes);
    buffer.unpack_at(0, bytes.as_flattened());
}

/// Reads words from byte `offset` on.
pub fn get_words<const N: usize>(buffer: &Buffer, offset: usize) -> [u64; N] {
    let mut bytes = [[0; 8]; N];
    buffer.pack_at(offset, bytes.as_flattened_mut());
    bytes.map(u64::from_le_bytes)
}
