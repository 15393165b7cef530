//! Splits by shared resources (MPI 5.0 §7.4.2): memory, parts of the machine, process sets.
//!
//! A process belongs to a part of a kind if it is bound to one part of that kind. Parts are named
//! as hwloc names them.

use super::divide::{COLOURLESS, Entry, form};
use crate::engine::{Engine, Mpi};
use crate::error::Outcome;
use crate::handle;
use crate::session::PROCESS_SETS;
use crate::words::{allgather_words, words_from_across};
use nemesis_sys::hardware::{self, PARTS, Part};

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
    const ALONE: u64 = 1 << 62;
    let reaches =
        |process: &u32| engine.memory.as_ref().is_none_or(|memory| memory.is_local(*process));
    match &engine.wireup {
        Some(wireup) if !wireup.local_ranks().iter().all(reaches) => {
            ALONE | u64::from(wireup.rank())
        }
        _ => own_node(engine),
    }
}

/// Returns the colour of the part of a kind to which this process is bound.
fn colour_of(engine: &Engine, part: Part) -> u64 {
    hardware::confined_to(part).map_or(COLOURLESS, |number| {
        own_node(engine) << 32 ^ own_node(engine) >> 32 ^ u64::from(number)
    })
}

/// Splits by `MPI_COMM_TYPE_SHARED`.
pub fn split_by_memory(mpi: &mut Mpi, comm: handle::Comm, key: i32) -> Outcome<handle::Comm> {
    let colour = memory_colour(mpi);
    split(mpi, comm, colour, key)
}

/// Splits by `MPI_COMM_TYPE_HW_GUIDED`: processes bound to one resource of the kind `name` form a
/// part. Processes that are bound to none, or to a kind that does not exist, get no communicator.
pub fn split_by_resource(
    mpi: &mut Mpi,
    comm: handle::Comm,
    name: Option<&str>,
    key: i32,
) -> Outcome<handle::Comm> {
    let part = PARTS.into_iter().find(|&part| Some(name_of(part)) == name);
    let colour = match (part, name) {
        (Some(part), _) => colour_of(mpi, part),
        (None, Some(SHARED_MEMORY)) => memory_colour(mpi),
        _ => COLOURLESS,
    };
    split(mpi, comm, colour, key)
}

/// Splits by `MPI_COMM_TYPE_RESOURCE_GUIDED` with a process set: members of one set form a part.
pub fn split_by_process_set(
    mpi: &mut Mpi,
    comm: handle::Comm,
    name: &str,
    key: i32,
) -> Outcome<handle::Comm> {
    let colour = match PROCESS_SETS.iter().position(|known| known.eq_ignore_ascii_case(name)) {
        Some(0) => 0,
        Some(_) => mpi.pt2pt.own_process().into(),
        None => COLOURLESS,
    };
    split(mpi, comm, colour, key)
}

/// Splits by `MPI_COMM_TYPE_HW_UNGUIDED`: by the largest kind of resource of which every process is
/// bound to one and which distinguishes the processes. Returns its name, too, or `None` if there is
/// no such kind.
pub fn split_unguided(
    mpi: &mut Mpi,
    comm: handle::Comm,
    key: i32,
) -> Outcome<(handle::Comm, Option<&'static str>)> {
    let (made, found) = exchange(mpi, comm, UNGUIDED, key)?;
    Ok((made, found.map(|kind| if kind == 0 { SHARED_MEMORY } else { name_of(PARTS[kind - 1]) })))
}

/// Takes part in a split by type with `MPI_UNDEFINED`, and gets no communicator.
pub fn split_for_nobody(mpi: &mut Mpi, comm: handle::Comm) -> Outcome<handle::Comm> {
    split(mpi, comm, COLOURLESS, 0)
}

fn split(mpi: &mut Mpi, comm: handle::Comm, colour: u64, key: i32) -> Outcome<handle::Comm> {
    Ok(exchange(mpi, comm, colour, key)?.0)
}

/// Colour of processes that leave the kind to the common choice.
const UNGUIDED: u64 = COLOURLESS - 1;

/// Number of kinds of resources that can distinguish processes: nodes and the kinds of their parts.
const KINDS: usize = 1 + PARTS.len();

/// Contribution of a process: that of any split, and its colour for each kind of resource. A
/// process that passes `MPI_UNDEFINED` does not know what the others pass, so all splits by type
/// exchange equal data.
type Words = [u64; 3 + KINDS];

fn exchange(
    mpi: &mut Mpi,
    comm: handle::Comm,
    colour: u64,
    key: i32,
) -> Outcome<(handle::Comm, Option<usize>)> {
    let node = own_node(mpi);
    let kinds: [u64; KINDS] =
        std::array::from_fn(|kind| if kind == 0 { node } else { colour_of(mpi, PARTS[kind - 1]) });
    let mut words: Words = [0; 3 + KINDS];
    words[..3].copy_from_slice(&[colour, key as u32 as u64, mpi.draw_context()?.0]);
    words[3..].copy_from_slice(&kinds);
    let ours = allgather_words(mpi, comm, words)?;
    let across =
        if mpi.comm(comm)?.is_inter() { words_from_across(mpi, comm, &ours)? } else { Vec::new() };
    let found = kind_for(ours.iter().chain(&across));
    let entry = |words: &Words| {
        let by_kind = found.map_or(COLOURLESS, |kind| words[3 + kind]);
        [if words[0] == UNGUIDED { by_kind } else { words[0] }, words[1], words[2]]
    };
    let (entries, others): (Vec<Entry>, Vec<Entry>) =
        (ours.iter().map(entry).collect(), across.iter().map(entry).collect());
    let [colour, ..] = entry(&words);
    Ok((form(mpi, comm, colour, &entries, &others)?, found))
}

/// Returns the largest kind of resource of which every process that leaves the choice open is bound
/// to one, and not all to the same one.
fn kind_for<'a>(all: impl Iterator<Item = &'a Words> + Clone) -> Option<usize> {
    let asking = all.filter(|words| words[0] == UNGUIDED);
    let first = asking.clone().next()?;
    let tells_apart = |kind: &usize| {
        let mut colours = asking.clone().map(|words| words[3 + kind]);
        colours.clone().all(|colour| colour != COLOURLESS)
            && colours.any(|colour| colour != first[3 + kind])
    };
    (0..KINDS).find(tells_apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asking(kinds: [u64; KINDS]) -> Words {
        let mut words = [0; 3 + KINDS];
        words[0] = UNGUIDED;
        words[3..].copy_from_slice(&kinds);
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
