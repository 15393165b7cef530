//! Parts of a communicator: split, create, create_group (MPI 5.0 §7.4.2). Both groups of an
//! intercommunicator are divided alike.

use crate::abi;
use crate::comm::Comm;
use crate::context::{Class, Context};
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::handle;
use crate::matching::Pattern;
use crate::protocol::kind;
use crate::receive::{self, Wanted};
use crate::send::{self, Envelope, Mode};
use crate::words::{allgather_words, words_from_across};
use crate::{get_words, put_words, scratch_bytes};
use nemesis::wire::Header;

/// Contribution of a process to a split: colour, key, a context that it has drawn. The upper half
/// of the key is 0, or stands for the group that the process has passed to `MPI_Comm_create`.
pub(super) type Entry = [u64; 3];

/// Colour of processes that pass `MPI_UNDEFINED`.
pub(super) const COLOURLESS: u64 = u64::MAX;

/// Splits a communicator (`MPI_Comm_split`). A `colour` of `None` stands for `MPI_UNDEFINED`.
pub fn split(
    mpi: &mut Mpi,
    comm: handle::Comm,
    colour: Option<u32>,
    key: i32,
) -> Outcome<handle::Comm> {
    let entry = [colour.map_or(COLOURLESS, u64::from), key as u32 as u64, mpi.draw_context()?.0];
    divide(mpi, comm, entry, None)
}

/// Divides a communicator. `members`: the number of processes that this process's part must have,
/// all of which have contributed the upper half of its key.
fn divide(
    mpi: &mut Mpi,
    comm: handle::Comm,
    entry: Entry,
    members: Option<u32>,
) -> Outcome<handle::Comm> {
    let entries = allgather_words(mpi, comm, entry)?;
    let across = if mpi.comm(comm)?.is_inter() {
        words_from_across(mpi, comm, &entries)?
    } else {
        Vec::new()
    };
    // Only now, since all processes of both groups take part in the exchanges.
    if let Some(members) = members.filter(|_| entry[0] != COLOURLESS) {
        agree(&entries, entry, members)?;
    }
    let [colour, ..] = entry;
    form(mpi, comm, colour, &entries, &across)
}

/// Returns the part of this process's colour, from the contributions of both groups.
pub(super) fn form(
    mpi: &mut Mpi,
    comm: handle::Comm,
    colour: u64,
    entries: &[Entry],
    across: &[Entry],
) -> Outcome<handle::Comm> {
    if colour == COLOURLESS {
        return Ok(abi::MPI_COMM_NULL);
    }
    let parent = mpi.comm(comm)?;
    let (members, context) = part(entries, &parent.group, colour);
    let new = match parent.remote() {
        None => mpi.derived(context, members)?,
        Some(remote) => {
            let (others, their_context) = part(across, remote, colour);
            if others.size() == 0 {
                return Ok(abi::MPI_COMM_NULL);
            }
            let leads = parent.leads();
            mpi.derived_between(
                if leads { context } else { their_context },
                members,
                others,
                leads,
            )?
        }
    };
    mpi.add_comm(comm, new)
}

/// Returns the members of a colour, by key and then by old rank, and the context that the first of
/// them drew.
fn part(entries: &[Entry], group: &Group, colour: u64) -> (Group, Context) {
    let of_colour = entries.iter().zip(0_u32..).filter(|([other, ..], _)| *other == colour);
    let mut members: Vec<(i32, u32, u64)> =
        of_colour.map(|(&[_, key, drawn], rank)| (key as u32 as i32, rank, drawn)).collect();
    // Equal keys keep the order of the old ranks, which is the order of the pairs.
    members.sort_unstable();
    let drawn = members.first().map_or(0, |&(_, _, drawn)| drawn);
    (
        Group::new(members.iter().map(|&(_, rank, _)| group.processes()[rank as usize]).collect()),
        Context(drawn),
    )
}

/// Refuses groups of which not all members have passed the same one to `MPI_Comm_create`.
fn agree(entries: &[Entry], own: Entry, members: u32) -> Outcome {
    let group_of = |key: u64| key >> 32;
    let mut part = entries.iter().filter(|[colour, ..]| *colour == own[0]);
    let agrees = part.clone().count() == members as usize
        && part.all(|&[_, key, _]| group_of(key) == group_of(own[1]));
    if agrees {
        return Ok(());
    }
    Err(Error::new(abi::MPI_ERR_GROUP, "the members of this process's group pass different groups")
        .advise("pass a group that is the same, in the same order, at each of its members"))
}

/// Returns a number of 32 bits for a group, given the ranks of its members in a communicator.
fn number_of(ranks: &[i32]) -> u32 {
    ranks.iter().fold(1, |number: u32, &rank| {
        (number.rotate_left(5) ^ rank as u32).wrapping_mul(0x9e37_79b1)
    })
}

/// Creates a communicator (`MPI_Comm_create`) of the `group` of this process's part; null for
/// processes outside. In an intercommunicator, all processes of one side pass equal groups.
pub fn create(mpi: &mut Mpi, comm: handle::Comm, group: Group) -> Outcome<handle::Comm> {
    let parent = mpi.comm(comm)?;
    let all: Vec<i32> = (0..group.size() as i32).collect();
    let ranks = group.translate(&all, &parent.group)?;
    if let Some(index) = ranks.iter().position(|&rank| rank == abi::MPI_UNDEFINED) {
        let stranger = group.processes()[index];
        return Err(Error::new(
            abi::MPI_ERR_GROUP,
            format!("process {stranger} of the group is not in the communicator"),
        ));
    }
    // The groups of an intracommunicator's parts are disjoint, so the first member identifies its
    // part.
    let leader = if parent.is_inter() { Some(0) } else { ranks.first().map(|&rank| rank as u64) };
    let rank = group.rank_of(mpi.pt2pt.own_process());
    let colour = rank.and(leader).unwrap_or(COLOURLESS);
    let key = u64::from(number_of(&ranks)) << 32 | u64::from(rank.unwrap_or(0));
    let entry = [colour, key, mpi.draw_context()?.0];
    divide(mpi, comm, entry, Some(group.size()))
}

/// Creates a communicator (`MPI_Comm_create_group`). Only the members call, and the first one sends
/// the context to the others.
pub fn create_group(
    mpi: &mut Mpi,
    comm: handle::Comm,
    group: Group,
    tag: i32,
) -> Outcome<handle::Comm> {
    let parent = mpi.intracomm(comm)?;
    let (context, own_rank, parent_group) =
        (parent.context.class(Class::Internal), parent.rank, parent.group.clone());
    let own = parent_group.processes()[own_rank as usize];
    if group.rank_of(own).is_none() {
        return Ok(abi::MPI_COMM_NULL);
    }
    if tag < 0 {
        return Err(send::bad_tag(tag));
    }
    let leader = group.processes()[0];
    let mut drawn = [mpi.draw_context()?.0];
    let buffer = scratch_bytes(8)?;
    if leader == own {
        put_words(&buffer, &drawn);
        for &member in &group.processes()[1..] {
            let header = Header {
                kind: kind::EAGER,
                context: context.0,
                tag,
                rank: own_rank,
                ..Header::default()
            };
            send::send(mpi, &buffer, Envelope { comm, to: member, header }, Mode::Standard)?;
        }
    } else {
        let rank = parent_group.rank_of(leader).ok_or_else(|| {
            Error::new(abi::MPI_ERR_GROUP, "the group is not part of the communicator")
        })?;
        let wanted = Wanted { comm, pattern: Pattern { context, rank, tag }, from: Some(leader) };
        receive::receive(mpi, &buffer, wanted)?;
        drawn = get_words(&buffer, 0);
    }
    let new: Comm = mpi.derived(Context(drawn[0]), group)?;
    mpi.add_comm(comm, new)
}
