//! Splits by shared resources (MPI 5.0 §7.4.2): memory, parts of the machine, process sets.
//!
//! A process belongs to a part of a kind if it is bound to one part of that kind. Parts are named
//! as hwloc names them.
//!
//! All processes must pass the same type, except those that pass `MPI_UNDEFINED`. Names of
//! resources and process sets are hints: if processes name different ones, the names are ignored,
//! and no process gets a communicator.

use super::alike::{number_of, refused, tell};
use super::divide::{COLOURLESS, Entry, form};
use crate::abi;
use crate::comm::signature::{Creator, Signature};
use crate::engine::lanes::Choice;
use crate::engine::{Engine, Mpi};
use crate::error::Outcome;
use crate::handle;
use crate::session::PROCESS_SETS;
use crate::words::{allgather_words_for, words_from_across};
use nemesis_sys::hardware::{self, PARTS, Part};

/// What a process asks for: the arguments of `MPI_Comm_split_type`.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    pub split_type: i32,
    pub key: i32,
    /// The resource or process set that the info names.
    pub name: Option<&'a str>,
}

/// Name of the resource that all processes of a node share.
pub const SHARED_MEMORY: &str = "mpi_shared_memory";

/// Returns the name of a resource in info objects.
fn name_of(part: Part) -> &'static str {
    match part {
        Part::Machine => "hwloc://Machine",
        Part::Package => "hwloc://Package",
        Part::MemoryNode => "hwloc://NUMANode",
        Part::Cache3 => "hwloc://L3Cache",
        Part::Cache2 => "hwloc://L2Cache",
        Part::Core => "hwloc://Core",
        Part::HardwareThread => "hwloc://PU",
    }
}

/// Returns the names of the kinds of resources, and for each whether this process is bound to one
/// resource of the kind (`MPI_Get_hw_resource_info`).
pub fn hardware_facts() -> impl Iterator<Item = (&'static str, bool)> {
    PARTS
        .into_iter()
        .filter(|&part| hardware::is_known(part))
        .map(|part| (name_of(part), hardware::confined_to(part).is_some()))
}

/// Returns the number of this process's node, which processes of other jobs do not have, even on
/// the node: jobs share no segment.
fn own_node(engine: &Engine) -> u64 {
    const BITS: u64 = (1 << 62) - 1;
    let node = engine.wireup.as_ref().map_or(0, |wireup| wireup.node_of(wireup.rank()));
    let job = engine.pt2pt.endpoint.as_ref().filter(|endpoint| endpoint.knows_other_jobs());
    job.map_or(0, |endpoint| endpoint.name_of(endpoint.me()).job & BITS) ^ u64::from(node)
}

/// Returns the colour of the processes that share memory: the node's, or a colour of this process
/// alone if memory is not shared (`NEMESIS_SHM`).
fn memory_colour(engine: &Engine) -> u64 {
    let reaches =
        |process: &u32| engine.memory.as_ref().is_none_or(|memory| memory.is_local(*process));
    match &engine.wireup {
        Some(wireup) if !wireup.local_ranks().iter().all(reaches) => colour_alone(engine),
        _ => own_node(engine),
    }
}

/// Returns a colour that no other process of the job has, and no node or part.
fn colour_alone(engine: &Engine) -> u64 {
    const ALONE: u64 = 1 << 62;
    ALONE | engine.wireup.as_ref().map_or(0, |wireup| u64::from(wireup.rank()))
}

/// Returns the colour of the part of a kind to which this process is bound.
fn colour_of(engine: &Engine, part: Part) -> u64 {
    hardware::confined_to(part).map_or(COLOURLESS, |number| {
        own_node(engine) << 32 ^ own_node(engine) >> 32 ^ u64::from(number)
    })
}

/// Splits by `MPI_COMM_TYPE_SHARED`.
pub fn split_by_memory(
    mpi: &mut Mpi,
    comm: handle::Comm,
    asked: Asked<'_>,
) -> Outcome<handle::Comm> {
    let colour = memory_colour(mpi);
    split(mpi, comm, colour, Asked { name: None, ..asked })
}

/// Splits by `MPI_COMM_TYPE_HW_GUIDED`: processes bound to one resource of the named kind form a
/// part. Processes that are bound to none, or to a kind that does not exist, get no communicator.
pub fn split_by_resource(
    mpi: &mut Mpi,
    comm: handle::Comm,
    asked: Asked<'_>,
) -> Outcome<handle::Comm> {
    let colour = named_colour(mpi, asked.name);
    split(mpi, comm, colour, asked)
}

/// Splits by a level of the hardware, as Open MPI does: like [`split_by_resource`], but a process
/// that is bound to no part of that level forms one alone.
pub fn split_by_level(
    mpi: &mut Mpi,
    comm: handle::Comm,
    asked: Asked<'_>,
) -> Outcome<handle::Comm> {
    let colour = match named_colour(mpi, asked.name) {
        COLOURLESS => colour_alone(mpi),
        colour => colour,
    };
    split(mpi, comm, colour, asked)
}

/// Returns the colour of the resource of the named kind to which this process is bound.
fn named_colour(engine: &Engine, name: Option<&str>) -> u64 {
    let part = PARTS.into_iter().find(|&part| Some(name_of(part)) == name);
    match (part, name) {
        (Some(part), _) => colour_of(engine, part),
        (None, Some(SHARED_MEMORY)) => memory_colour(engine),
        _ => COLOURLESS,
    }
}

/// Splits by `MPI_COMM_TYPE_RESOURCE_GUIDED` with a process set: members of one set form a part.
pub fn split_by_process_set(
    mpi: &mut Mpi,
    comm: handle::Comm,
    asked: Asked<'_>,
) -> Outcome<handle::Comm> {
    let is_it = |known: &&str| asked.name.is_some_and(|name| known.eq_ignore_ascii_case(name));
    let colour = match PROCESS_SETS.iter().position(is_it) {
        Some(0) => 0,
        Some(_) => mpi.pt2pt.own_process().into(),
        None => COLOURLESS,
    };
    split(mpi, comm, colour, asked)
}

/// Splits by `MPI_COMM_TYPE_HW_UNGUIDED`: by the largest kind of resource of which every process is
/// bound to one and which distinguishes the processes. Returns its name, too, or `None` if there is
/// no such kind.
pub fn split_unguided(
    mpi: &mut Mpi,
    comm: handle::Comm,
    asked: Asked<'_>,
) -> Outcome<(handle::Comm, Option<&'static str>)> {
    let (made, found) = exchange(mpi, comm, UNGUIDED, Asked { name: None, ..asked })?;
    Ok((made, found.map(|kind| if kind == 0 { SHARED_MEMORY } else { name_of(PARTS[kind - 1]) })))
}

/// Takes part in a split by type with `MPI_UNDEFINED`, and gets no communicator.
pub fn split_for_nobody(
    mpi: &mut Mpi,
    comm: handle::Comm,
    asked: Asked<'_>,
) -> Outcome<handle::Comm> {
    split(mpi, comm, COLOURLESS, Asked { name: None, ..asked })
}

fn split(
    mpi: &mut Mpi,
    comm: handle::Comm,
    colour: u64,
    asked: Asked<'_>,
) -> Outcome<handle::Comm> {
    Ok(exchange(mpi, comm, colour, asked)?.0)
}

/// Colour of processes that leave the kind to the common choice.
const UNGUIDED: u64 = COLOURLESS - 1;

/// Number of kinds of resources that can distinguish processes: nodes and the kinds of their parts.
const KINDS: usize = 1 + PARTS.len();

/// Contribution of a process: that of any split, its type and a number of the name that it gives,
/// and its colour for each kind of resource. A process that passes `MPI_UNDEFINED` does not know
/// what the others pass, so all splits by type exchange equal data.
type Words = [u64; OWN_WORDS + KINDS];

/// Words before the colours by kind.
const OWN_WORDS: usize = 5;
/// Place of the type, and of the number of the name, which is 0 without a name.
const TYPE: usize = 3;
const NAME: usize = 4;

fn exchange(
    mpi: &mut Mpi,
    comm: handle::Comm,
    colour: u64,
    asked: Asked<'_>,
) -> Outcome<(handle::Comm, Option<usize>)> {
    let node = own_node(mpi);
    let kinds: [u64; KINDS] =
        std::array::from_fn(|kind| if kind == 0 { node } else { colour_of(mpi, PARTS[kind - 1]) });
    let mut words: Words = [0; OWN_WORDS + KINDS];
    let (split_type, name) = (asked.split_type as u32 as u64, asked.name.map_or(0, number_of_name));
    let own = [
        colour,
        asked.key as u32 as u64,
        mpi.draw_context_from(comm, Choice::Any)?.0,
        split_type,
        name,
    ];
    words[..OWN_WORDS].copy_from_slice(&own);
    words[OWN_WORDS..].copy_from_slice(&kinds);
    let signature = Signature::creating(Creator::CommSplitType);
    let ours = allgather_words_for(mpi, comm, signature, words)?;
    let across =
        if mpi.comm(comm)?.is_inter() { words_from_across(mpi, comm, &ours)? } else { Vec::new() };
    let is_named_alike = agree(mpi, comm, (&ours, &across), asked)?;
    let found = kind_for(ours.iter().chain(&across));
    let entry = |words: &Words| {
        let colour = match words[0] {
            _ if !is_named_alike => COLOURLESS,
            UNGUIDED => found.map_or(COLOURLESS, |kind| words[OWN_WORDS + kind]),
            colour => colour,
        };
        [colour, words[1], words[2]]
    };
    let (entries, others): (Vec<Entry>, Vec<Entry>) =
        (ours.iter().map(entry).collect(), across.iter().map(entry).collect());
    let [colour, ..] = entry(&words);
    Ok((form(mpi, comm, colour, &entries, &others)?, found))
}

/// Returns a number of a name, whatever the case of its letters; never 0.
fn number_of_name(name: &str) -> u64 {
    let words: Vec<u64> = name.bytes().map(|byte| byte.to_ascii_lowercase().into()).collect();
    1 << 32 | u64::from(number_of(&words))
}

/// Returns the name of a type.
fn type_name(split_type: u64) -> String {
    match split_type as u32 as i32 {
        abi::MPI_COMM_TYPE_SHARED => "MPI_COMM_TYPE_SHARED".into(),
        abi::MPI_COMM_TYPE_HW_GUIDED => "MPI_COMM_TYPE_HW_GUIDED".into(),
        abi::MPI_COMM_TYPE_HW_UNGUIDED => "MPI_COMM_TYPE_HW_UNGUIDED".into(),
        abi::MPI_COMM_TYPE_RESOURCE_GUIDED => "MPI_COMM_TYPE_RESOURCE_GUIDED".into(),
        other => other.to_string(),
    }
}

/// Returns the first two processes that give different words at `place`, other than `none`.
fn differ(all: &[Words], place: usize, none: u64) -> Option<(usize, usize)> {
    let mut given = (0..all.len()).filter(|&rank| all[rank][place] != none);
    let first = given.next()?;
    Some((first, given.find(|&rank| all[rank][place] != all[first][place])?))
}

/// Returns an error if two processes that do not pass `MPI_UNDEFINED` pass different types, and
/// false if they name different resources, which is a finding. Collective: it sends the names if
/// they differ within the group.
fn agree(
    mpi: &mut Mpi,
    comm: handle::Comm,
    (ours, across): (&[Words], &[Words]),
    asked: Asked<'_>,
) -> Outcome<bool> {
    let undefined = abi::MPI_UNDEFINED as u32 as u64;
    if let Some((first, other)) = differ(ours, TYPE, undefined) {
        let [ours, theirs] = [first, other].map(|rank| type_name(ours[rank][TYPE]));
        let why = format!("rank {first} passes split_type {ours}, and rank {other} {theirs}");
        return Err(refused(why));
    }
    let both: Vec<Words> = ours.iter().chain(across).copied().collect();
    if differ(&both, TYPE, undefined).is_some() {
        return Err(refused("the two groups name different types".into()));
    }
    let text = if let Some((first, other)) = differ(ours, NAME, 0) {
        let bytes = asked.name.unwrap_or_default().bytes().map(u64::from).collect::<Vec<u64>>();
        let mut name = |rank: usize| -> Outcome<String> {
            let bytes = tell(mpi, comm, bytes.clone(), rank as u32)?;
            let bytes: Vec<u8> = bytes.iter().map(|&byte| byte as u8).collect();
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        let (ours, theirs) = (name(first)?, name(other)?);
        format!("rank {first} names the resource {ours:?}, and rank {other} {theirs:?}")
    } else if differ(&both, NAME, 0).is_some() {
        "the two groups name different resources".into()
    } else {
        return Ok(true);
    };
    nemesis_mpi_check::suspect(&nemesis_mpi_check::kinds::DIFFERENT, || text);
    Ok(false)
}

/// Returns the largest kind of resource of which every process that leaves the choice open is bound
/// to one, and not all to the same one.
fn kind_for<'a>(all: impl Iterator<Item = &'a Words> + Clone) -> Option<usize> {
    let asking = all.filter(|words| words[0] == UNGUIDED);
    let first = asking.clone().next()?;
    let tells_apart = |kind: &usize| {
        let mut colours = asking.clone().map(|words| words[OWN_WORDS + kind]);
        colours.clone().all(|colour| colour != COLOURLESS)
            && colours.any(|colour| colour != first[OWN_WORDS + kind])
    };
    (0..KINDS).find(tells_apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asking(kinds: [u64; KINDS]) -> Words {
        let mut words = [0; OWN_WORDS + KINDS];
        words[0] = UNGUIDED;
        words[OWN_WORDS..].copy_from_slice(&kinds);
        words
    }

    #[test]
    fn the_largest_kind_that_tells_apart_is_taken() {
        const NONE: u64 = COLOURLESS;
        // Node, machine, package, memory node, two caches, core, hardware thread.
        let (a, b) = (asking([0, 0, 4, 4, 4, 4, 4, 4]), asking([0, 0, 4, 4, 4, 6, 6, 6]));
        assert_eq!(kind_for([a, b].iter()), Some(5));
        assert_eq!(kind_for([a, a].iter()), None, "all are in the same of each kind");
        assert_eq!(
            kind_for([a, asking([0, 0, 4, 4, 4, NONE, NONE, NONE])].iter()),
            None,
            "one is confined to no core"
        );
        assert_eq!(
            kind_for([a, asking([1, 1 << 32, NONE, NONE, NONE, NONE, NONE, NONE])].iter()),
            Some(0)
        );
        let mut undefined = asking([0, 0, 0, 0, 0, 0, 0, 0]);
        undefined[0] = COLOURLESS;
        assert_eq!(kind_for([a, undefined, b].iter()), Some(5), "who wants none has no say");
        assert_eq!(kind_for([undefined].iter()), None);
    }
}
