//! Parts of a communicator: split, create, create_group (MPI 5.0 §7.4.2). Both groups of an
//! intercommunicator are divided alike.

use super::alike::{self, Arguments, number_of};
use crate::abi;
use crate::comm::Comm;
use crate::comm::signature::{Creator, Signature};
use crate::context::{Class, Context};
use crate::engine::Mpi;
use crate::engine::lanes::Choice;
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::handle;
use crate::matching::Pattern;
use crate::protocol::kind;
use crate::receive::{self, Wanted};
use crate::send::{self, Envelope, Mode};
use crate::words::{allgather_words_for, words_from_across};
use crate::{get_words, put_words, scratch_bytes};
use nemesis::wire::Header;

/// Contribution of a process to a split: colour, key, a context that it has drawn. The upper half
/// of the key is a number of what the processes must agree on, or 0.
pub(super) type Entry = [u64; 3];

/// Returns the number in the upper half of a key.
pub(super) fn agreed(&[_, key, _]: &Entry) -> u32 {
    (key >> 32) as u32
}

/// Returns a key with its upper half.
pub(super) fn keyed(key: i32, agreed: u32) -> u64 {
    u64::from(agreed) << 32 | u64::from(key as u32)
}

/// Colour of processes that pass `MPI_UNDEFINED`.
pub(super) const COLOURLESS: u64 = u64::MAX;

/// Splits a communicator (`MPI_Comm_split`). A `colour` of `None` stands for `MPI_UNDEFINED`.
pub fn split(
    mpi: &mut Mpi,
    comm: handle::Comm,
    colour: Option<u32>,
    key: i32,
) -> Outcome<handle::Comm> {
    let entry = [
        colour.map_or(COLOURLESS, u64::from),
        keyed(key, 0),
        mpi.draw_context_from(comm, Choice::Any)?.0,
    ];
    divide(mpi, comm, Creator::CommSplit, entry, |_, _| Ok(()))
}

/// Splits a communicator for a call whose arguments must be the same at all processes.
pub(super) fn split_alike(
    mpi: &mut Mpi,
    comm: handle::Comm,
    creator: Creator,
    (colour, key): (Option<u32>, i32),
    arguments: &Arguments,
) -> Outcome<handle::Comm> {
    let (colour, key) = (colour.map_or(COLOURLESS, u64::from), keyed(key, arguments.number()));
    let entry = [colour, key, mpi.draw_context_from(comm, Choice::Any)?.0];
    divide(mpi, comm, creator, entry, |mpi, entries| {
        alike::compare(mpi, comm, entries.iter().map(agreed), arguments)
    })
}

/// Divides a communicator. `check` compares what the processes of the local group contribute.
pub(super) fn divide(
    mpi: &mut Mpi,
    comm: handle::Comm,
    creator: Creator,
    entry: Entry,
    check: impl FnOnce(&mut Mpi, &[Entry]) -> Outcome,
) -> Outcome<handle::Comm> {
    let entries = allgather_words_for(mpi, comm, Signature::creating(creator), entry)?;
    let across = if mpi.comm(comm)?.is_inter() {
        words_from_across(mpi, comm, &entries)?
    } else {
        Vec::new()
    };
    // Only now, since all processes of both groups take part in the exchanges.
    check(mpi, &entries)?;
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
    mpi.look_for_devices();
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

/// Refuses groups of which not all members have passed the same one to `MPI_Comm_create`. `ranks`:
/// the members of the group of the process `own`.
fn agree(entries: &[Entry], own: u32, ranks: &[i32]) -> Outcome {
    let mine = &entries[own as usize];
    let mut members = vec![false; entries.len()];
    ranks.iter().for_each(|&rank| members[rank as usize] = true);
    let passes_another = |rank: &usize| {
        let (entry, is_member) = (&entries[*rank], members[*rank]);
        let is_of_part = entry[0] == mine[0];
        is_member != is_of_part || is_of_part && agreed(entry) != agreed(mine)
    };
    let Some(other) = (0..entries.len()).find(passes_another) else { return Ok(()) };
    let size = ranks.len();
    let what = match entries[other][0] {
        COLOURLESS => "a group to which it does not belong itself".to_owned(),
        first if first == mine[0] => "one with other members, or in another order".to_owned(),
        first => format!("one that begins with rank {first}"),
    };
    Err(different(format!(
        "rank {own} passes a group of {size} processes, and rank {other} {what}"
    )))
}

#[cold]
fn different(who: String) -> Box<Error> {
    let why = format!("members of a group pass different groups: {who}");
    Error::new(abi::MPI_ERR_GROUP, why)
        .advise("pass a group that is the same, in the same order, at each of its members")
}

/// Returns a number for a group, given the ranks of its members in a communicator.
fn number_of_group(ranks: &[i32]) -> u32 {
    number_of(&ranks.iter().map(|&rank| rank as u64).collect::<Vec<u64>>())
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
    let own = parent.rank;
    let rank = group.rank_of(mpi.pt2pt.own_process());
    let colour = rank.and(leader).unwrap_or(COLOURLESS);
    let key = keyed(rank.unwrap_or(0) as i32, number_of_group(&ranks));
    let entry = [colour, key, mpi.draw_context_from(comm, Choice::Any)?.0];
    divide(mpi, comm, Creator::CommCreate, entry, |_, entries| match colour {
        COLOURLESS => Ok(()),
        _ => agree(entries, own, &ranks),
    })
}

/// Creates a communicator (`MPI_Comm_create_group`). Only the members call, and the first one sends
/// the context and a number of its group to the others.
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
    let all: Vec<i32> = (0..group.size() as i32).collect();
    let number = number_of_group(&group.translate(&all, &parent_group)?);
    let described = u64::from(number) << 32 | u64::from(group.size());
    let mut told = [mpi.draw_context_from(comm, Choice::Any)?.0, described];
    let buffer = scratch_bytes(16)?;
    if leader == own {
        put_words(&buffer, &told);
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
        told = get_words(&buffer, 0);
    }
    if told[1] != described {
        let (theirs, size) = (told[1] as u32, group.size());
        let leader = parent_group.rank_of(leader).unwrap_or(0);
        let how = if theirs == size { ", with other members or in another order" } else { "" };
        return Err(different(format!(
            "rank {leader} passes a group of {theirs} processes, and rank {own_rank} one of \
             {size}{how}"
        )));
    }
    let mut new: Comm = mpi.derived(Context(told[0]), group)?;
    new.made_by = "MPI_Comm_create_group";
    mpi.look_for_devices();
    mpi.add_comm(comm, new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entries(colours: &[(u64, i32)]) -> Vec<Entry> {
        let entry = |(&(colour, key), drawn): (&(u64, i32), u64)| [colour, keyed(key, 0), drawn];
        colours.iter().zip(100..).map(entry).collect()
    }

    proptest! {
        #[test]
        fn a_part_has_its_colour_in_the_order_of_keys_and_ranks(
            colours in prop::collection::vec((0..3_u64, -2..=2_i32), 1..20),
        ) {
            let group = Group::new((0..colours.len() as u32).map(|rank| 50 + rank).collect());
            for colour in 0..3 {
                let (part, context) = part(&entries(&colours), &group, colour);
                // Slowly: key by key, rank by rank.
                let mut expected = Vec::new();
                for key in -2..=2 {
                    for (rank, entry) in (0..).zip(&colours) {
                        if *entry == (colour, key) {
                            expected.push(50 + rank);
                        }
                    }
                }
                prop_assert_eq!(part.processes(), &expected[..]);
                let drawn = expected.first().map_or(0, |first| u64::from(first - 50) + 100);
                prop_assert_eq!(context, Context(drawn));
            }
        }

        #[test]
        fn a_key_and_what_is_agreed_share_a_word(key: i32, number: u32) {
            let entry = [0, keyed(key, number), 0];
            prop_assert_eq!((entry[1] as u32 as i32, agreed(&entry)), (key, number));
        }
    }

    /// Entries of processes that pass these groups to MPI_Comm_create, by rank.
    fn passed(groups: &[&[i32]]) -> Vec<Entry> {
        let entry = |(rank, group): (i32, &&[i32])| {
            let colour = match group.contains(&rank) {
                true => group[0] as u64,
                false => COLOURLESS,
            };
            [colour, keyed(0, number_of_group(group)), 0]
        };
        (0..).zip(groups).map(entry).collect()
    }

    #[test]
    fn members_of_a_group_pass_the_same_one() {
        let agrees =
            |own: u32, groups: &[&[i32]]| agree(&passed(groups), own, groups[own as usize]);
        let same: [&[i32]; 4] = [&[2, 0], &[3], &[2, 0], &[3]];
        assert!([0, 2].into_iter().all(|own| agrees(own, &same).is_ok()));
        let order: [&[i32]; 2] = [&[1, 0], &[0, 1]];
        assert_eq!(agrees(0, &order).unwrap_err().class, abi::MPI_ERR_GROUP);
        let why = agrees(0, &[&[0, 1], &[0, 1, 2], &[0, 1, 2]]).unwrap_err().why;
        assert!(why.contains("rank 1 one with other members, or in another order"), "{why}");
        let why = agrees(0, &[&[0, 1], &[0]]).unwrap_err().why;
        assert!(why.contains("a group to which it does not belong itself"), "{why}");
        let why = agrees(0, &[&[0, 1], &[1]]).unwrap_err().why;
        assert!(why.contains("one that begins with rank 1"), "{why}");
    }
}
