//! Communicators from a group and a string, without a parent (MPI 5.0 §7.4.2, §7.6.2).
//!
//! The members have no context in common. They derive one from their common knowledge: the group
//! and the string. It is a hash of 63 bits, in a range from which no process draws, and serves one
//! exchange, after which the communicator has a context of its own. Creations by equal members with
//! equal strings follow one another: their messages keep their order.

use super::acquaint::CardOf;
use super::bridge::{self, Line};
use crate::INTERNAL;
use crate::abi;
use crate::comm::Comm;
use crate::comm::signature::Sequence;
use crate::context::{Class, Context};
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::handle::{self, Errhandler};
use crate::matching::Pattern;
use crate::protocol::kind;
use crate::receive::Wanted;
use crate::send::Envelope;
use crate::words::bcast_words;
use nemesis::wire::Header;

/// Hash of the members' common knowledge, of 64 bits: FNV-1a (Fowler, Noll, Vo) with the finalizer
/// of MurmurHash3, so that every bit of the input affects every bit of the result.
struct Meeting(u64);

impl Meeting {
    fn new(purpose: &str, string: &str) -> Meeting {
        let mut meeting = Meeting(0xcbf2_9ce4_8422_2325);
        meeting.add(purpose.as_bytes());
        meeting.add(&[0]);
        meeting.add(string.as_bytes());
        meeting
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn of(mut self, group: &Group) -> Meeting {
        group.processes().iter().for_each(|process| self.add(&process.to_le_bytes()));
        self
    }

    /// Adds a group whose members may belong to several jobs and number one another differently.
    fn of_members(mut self, mpi: &Mpi, group: &Group) -> Meeting {
        if !mpi.spans_jobs(group.processes()) {
            return self.of(group);
        }
        for word in bridge::names_of(mpi, group.processes()).concat() {
            self.add(&word.to_le_bytes());
        }
        self
    }

    /// Returns the context and the tag of the exchange.
    fn place(&self) -> (Context, u32) {
        let mut bits = self.0;
        bits = (bits ^ (bits >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        bits ^= bits >> 33;
        (Context::meeting(bits as u32), (bits >> 33) as u32)
    }
}

/// Runs `f` with a temporary communicator of the group.
fn met<R>(
    mpi: &mut Mpi,
    group: &Group,
    meeting: &Meeting,
    f: impl FnOnce(&mut Mpi, handle::Comm) -> Outcome<R>,
) -> Outcome<R> {
    let (context, tag) = meeting.place();
    let mut comm: Comm = mpi.derived(context, group.clone())?;
    comm.collectives = Sequence::starting_at(tag);
    let handle = mpi.add_orphan(comm, abi::MPI_ERRORS_RETURN)?;
    let done = f(mpi, handle);
    mpi.free_comm(handle)?;
    done
}

/// Creates a communicator (`MPI_Comm_create_from_group`).
pub fn create_from_group(
    mpi: &mut Mpi,
    group: Group,
    string: &str,
    errhandler: Errhandler,
) -> Outcome<handle::Comm> {
    let mut context = [mpi.draw_context()?.0];
    let meeting = Meeting::new("intra", string).of_members(mpi, &group);
    met(mpi, &group, &meeting, |mpi, comm| bcast_words(mpi, comm, &mut context, 0))?;
    let mut new: Comm = mpi.derived(Context(context[0]), group)?;
    new.made_by = "MPI_Comm_create_from_group";
    mpi.add_orphan(new, errhandler)
}

/// Creates an intercommunicator (`MPI_Intercomm_create_from_groups`). The remote group and its
/// leader matter at the local leader only.
pub fn intercomm_create_from_groups(
    mpi: &mut Mpi,
    (group, local_leader): (Group, u32),
    remote: Outcome<(Group, u32)>,
    string: &str,
    errhandler: Errhandler,
    card_of: CardOf,
) -> Outcome<handle::Comm> {
    let leads_locally = mpi.rank_in(&group)? == local_leader;
    let own = group.processes()[local_leader as usize];
    let line = leads_locally.then(|| line_between(mpi, own, remote, string));
    let meeting = Meeting::new("inter", string).of_members(mpi, &group);
    let mut new = met(mpi, &group, &meeting, |mpi, comm| {
        bridge::meet(mpi, (comm, &group, local_leader), line, INTERNAL, card_of)
    })?;
    new.made_by = "MPI_Intercomm_create_from_groups";
    mpi.add_orphan(new, errhandler)
}

/// Returns the channel between two leaders that are known to each other by their index in the job.
fn line_between(mpi: &Mpi, own: u32, remote: Outcome<(Group, u32)>, string: &str) -> Outcome<Line> {
    let (remote, leader) = remote?;
    let to = *remote.processes().get(leader as usize).ok_or_else(|| {
        Error::new(
            abi::MPI_ERR_RANK,
            format!(
                "remote_leader {leader} is not a rank of the remote group, which has {}",
                remote.size()
            ),
        )
    })?;
    let mut leaders = [own, to];
    leaders.sort_unstable_by_key(|&leader| bridge::names_of(mpi, &[leader]));
    let meeting = Meeting::new("leaders", string);
    let (context, tag) = meeting.of_members(mpi, &Group::new(leaders.to_vec())).place();
    // Leaders of two jobs have indices that the other one does not know.
    let of_one_job = |index| if mpi.spans_jobs(&leaders) { 0 } else { index };
    let context = context.class(Class::Internal);
    let header = Header {
        kind: kind::EAGER,
        context: context.0,
        tag: tag as i32,
        rank: of_one_job(own),
        ..Header::default()
    };
    let (comm, pattern) =
        (abi::MPI_COMM_SELF, Pattern { context, rank: of_one_job(to), tag: tag as i32 });
    Ok(Line {
        envelope: Envelope { comm, to, header },
        wanted: Wanted { comm, pattern, from: Some(to) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(purpose: &str, string: &str, processes: &[u32]) -> (Context, u32) {
        Meeting::new(purpose, string).of(&Group::new(processes.to_vec())).place()
    }

    #[test]
    fn what_differs_meets_elsewhere() {
        let here = place("intra", "org.example", &[0, 1]);
        assert_eq!(here, place("intra", "org.example", &[0, 1]));
        for other in [
            place("inter", "org.example", &[0, 1]),
            place("intra", "org.examplf", &[0, 1]),
            place("intra", "org.example", &[1, 0]),
        ] {
            assert_ne!(here, other);
        }
        assert!(here.1 <= i32::MAX as u32, "a tag");
    }
}
