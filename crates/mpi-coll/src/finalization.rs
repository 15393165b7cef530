//! The barrier inside `MPI_Finalize` (MPI 5.0 §11.2.2), which all processes of the job enter.
//!
//! It has a context of its own and uses no shared-memory collective, so it pairs with nothing but
//! itself, whatever collectives the program has called or left out. Its messages carry the sequence
//! of collective operations on `MPI_COMM_WORLD` ([`Evidence`]), so that operations that a process
//! has left out, and those of which no process has read anything, are an error here. Only one
//! process of each node sends messages to other nodes:
//!
//! ```text
//!   1. each node: a binomial tree towards its first process
//!   2. the first processes of all nodes: a dissemination barrier
//!   3. each node: the tree in the other direction
//! ```

use super::messages::{bcast_tree, perform_among};
use super::mismatch;
use super::schedule::Schedule;
use super::shm::Places;
use super::steps::Steps;
use super::{get_words, put_words, scratch_bytes};
use crate::abi;
use crate::comm::Comm;
use crate::comm::signature::{REPORT_WORDS, Sequence};
use crate::context::{Class, Context};
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::group::Group;
use nemesis_datatype::Buffer;

/// Returns when all processes of the job are inside `MPI_Finalize`.
pub fn meet_all(mpi: &mut Mpi) -> Outcome {
    let Some((process, size)) = mpi.wireup.as_ref().map(|wireup| (wireup.rank(), wireup.size()))
    else {
        return Ok(());
    };
    mpi.progress();
    let comm = Comm::new(Context::finalization(), process, Group::new((0..size).collect()), "");
    // No communicator of the program, which may be revoked.
    let whole = Schedule::new(abi::MPI_COMM_NULL, &comm, Class::Collective, 0);
    let everyone = comm.everyone();
    let places = Places::new(mpi, &everyone);
    let (node, place) = (places.node_of(process), places.place_of(process));
    let members = places.members(node, &everyone);
    let mut evidence = Evidence::own(mpi, process);
    let mut outcome = perform_among(mpi, &whole, (&members, place), &Ok(()), |steps| {
        tell_first(steps, &mut evidence)
    });
    if place == 0 {
        let firsts = places.firsts(&everyone);
        outcome = perform_among(mpi, &whole, (&firsts, node), &outcome, |steps| {
            disseminate(steps, &mut evidence)
        });
    }
    let released = perform_among(mpi, &whole, (&members, place), &outcome, |steps| {
        let words = evidence.to_buffer()?;
        bcast_tree::bcast(steps, &words, 0);
        evidence = Evidence::from_buffer(&words);
        Ok(())
    });
    let matched = outcome.and(released).and_then(|()| evidence.judge());
    matched.map_err(|error| error.on(abi::MPI_COMM_WORLD))
}

/// The collective operations on `MPI_COMM_WORLD` of one process, and of a second one if they
/// differ.
#[derive(Clone, Copy)]
struct Evidence {
    first: (u32, Sequence),
    other: Option<(u32, Sequence)>,
}

/// The words of one process's operations, with its number and one more.
const SIDE_WORDS: usize = REPORT_WORDS + 2;

impl Evidence {
    /// Returns the operations of this process.
    fn own(mpi: &Mpi, process: u32) -> Evidence {
        let world = mpi.comm(abi::MPI_COMM_WORLD);
        let sequence = world.map_or_else(|_| Sequence::default(), |world| world.collectives);
        Evidence { first: (process, sequence), other: None }
    }

    /// Adds what another process knows.
    fn add(&mut self, theirs: Evidence) {
        if self.other.is_some() {
            return;
        }
        if theirs.other.is_some() {
            *self = theirs;
        } else if self.first.1 != theirs.first.1 {
            self.other = Some(theirs.first);
        }
    }

    fn to_buffer(self) -> Outcome<Buffer> {
        let side = |side: Option<(u32, Sequence)>| {
            let (process, sequence) = side.unwrap_or_default();
            let mut words = [0; SIDE_WORDS];
            words[0] = side.is_some().into();
            words[1] = process.into();
            words[2..].copy_from_slice(&sequence.to_words());
            words
        };
        let buffer = scratch_bytes(2 * SIDE_WORDS * 8)?;
        put_words(&buffer.part(0, SIDE_WORDS * 8), &side(Some(self.first)));
        put_words(&buffer.part(SIDE_WORDS * 8, SIDE_WORDS * 8), &side(self.other));
        Ok(buffer)
    }

    fn from_buffer(buffer: &Buffer) -> Evidence {
        let side = |offset: usize| {
            let words: [u64; SIDE_WORDS] = get_words(buffer, offset);
            let sequence = std::array::from_fn(|index| words[index + 2]);
            (words[0] != 0, (words[1] as u32, Sequence::from_words(sequence)))
        };
        let [(_, first), (differs, other)] = [0, SIDE_WORDS * 8].map(side);
        Evidence { first, other: differs.then_some(other) }
    }

    /// Returns an error if two processes differ.
    fn judge(&self) -> Outcome {
        match self.other {
            None => Ok(()),
            Some(other) => Err(mismatch::at_end(self.first, other)),
        }
    }
}

/// Sends one message from every process to its parent in the binomial tree of `bcast_tree` with
/// root 0, after those from its children have come.
fn tell_first(steps: &mut Steps<'_>, evidence: &mut Evidence) -> Outcome {
    let place = steps.rank;
    let words = evidence.to_buffer()?;
    let mut distance = 1;
    while distance < steps.size && place & distance == 0 {
        if place + distance < steps.size {
            steps.receive(place + distance, &words);
            steps.wait();
            evidence.add(Evidence::from_buffer(&words));
        }
        distance *= 2;
    }
    if place != 0 {
        steps.send(place - distance, &evidence.to_buffer()?);
    }
    Ok(())
}

/// Performs a dissemination barrier, the messages of which carry what their senders know.
fn disseminate(steps: &mut Steps<'_>, evidence: &mut Evidence) -> Outcome {
    let theirs = evidence.to_buffer()?;
    let mut distance = 1;
    while distance < steps.size {
        steps.send(steps.after(distance), &evidence.to_buffer()?);
        steps.receive(steps.before(distance), &theirs);
        steps.wait();
        evidence.add(Evidence::from_buffer(&theirs));
        distance *= 2;
    }
    Ok(())
}
