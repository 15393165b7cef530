//! Probes (MPI 5.0 §3.8): finding the earliest message that a receive would match, and removing it
//! from the matching.

use crate::abi;
use crate::engine::{Engine, Mpi};
use crate::envelope::{Awaited, Wanted};
use crate::error::{Error, Outcome};
use crate::handle;
use crate::protocol::Matched;
use crate::pt2pt::check_names;
use crate::request::Completion;

fn look(engine: &Engine, wanted: &Wanted) -> Option<Completion> {
    let found = engine.pt2pt.core.unexpected.find(&wanted.pattern);
    if nemesis_mpi_check::is_on() {
        nemesis_mpi_check::callbacks::communicates();
        if found.is_some() {
            nemesis_mpi_check::accesses::learn();
        }
    }
    let (pattern, message) = found?;
    Some(Completion::message(&pattern, message.bytes()))
}

/// `MPI_Iprobe`. Fails if there is no message, and a process is lost that could have sent it.
pub fn iprobe(mpi: &mut Mpi, wanted: &Wanted) -> Outcome<Option<Completion>> {
    if let Some(found) = look(mpi, wanted) {
        return Ok(Some(found));
    }
    // For a state report.
    mpi.pt2pt.core.awaited = Some(Awaited { wanted: *wanted, room: None });
    mpi.progress_of_probe();
    match look(mpi, wanted) {
        None => {
            mpi.make_way();
            check_loss(mpi, wanted).map(|()| None)
        }
        found => Ok(found),
    }
}

fn check_loss(engine: &Engine, wanted: &Wanted) -> Outcome {
    engine.comms.check_loss(&engine.pt2pt.core.losses, wanted)
}

/// `MPI_Probe`. Fails as [`iprobe`] does.
pub fn probe(mpi: &mut Mpi, wanted: &Wanted) -> Outcome<Completion> {
    let mut found = None;
    mpi.pt2pt.core.awaited = Some(Awaited { wanted: *wanted, room: None });
    mpi.wait_until(wanted.from, |mpi| {
        found = look(mpi, wanted);
        found.is_some() || check_loss(mpi, wanted).is_err()
    });
    match found {
        Some(found) => Ok(found),
        None => check_loss(mpi, wanted).map(|()| Completion::EMPTY),
    }
}

/// `MPI_Improbe`: like [`iprobe`], and removes the message from the matching.
pub fn improbe(mpi: &mut Mpi, wanted: &Wanted) -> Outcome<Option<(handle::Message, Completion)>> {
    match iprobe(mpi, wanted)? {
        None => Ok(None),
        Some(_) => take(mpi, wanted),
    }
}

/// `MPI_Mprobe`
pub fn mprobe(mpi: &mut Mpi, wanted: &Wanted) -> Outcome<(handle::Message, Completion)> {
    loop {
        probe(mpi, wanted)?;
        if let Some(taken) = take(mpi, wanted)? {
            return Ok(taken);
        }
    }
}

fn take(mpi: &mut Mpi, wanted: &Wanted) -> Outcome<Option<(handle::Message, Completion)>> {
    if mpi.lane != 0 {
        check_names::<handle::Message>(mpi.pt2pt.messages.len())?;
    }
    let Some((pattern, message)) = mpi.pt2pt.core.take_unexpected(&wanted.pattern) else {
        return Ok(None);
    };
    let completion = Completion::message(&pattern, message.bytes());
    let matched = Matched { comm: wanted.comm, pattern, message };
    let handle = mpi
        .pt2pt
        .messages
        .insert(matched)
        .ok_or_else(|| Error::new(abi::MPI_ERR_NO_MEM, "too many matched messages are held"))?;
    Ok(Some((handle, completion)))
}
