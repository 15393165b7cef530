//! Splits by what processes share (MPI 5.0 §7.4.2): memory, parts of the machine, process sets.
//!
//! A process belongs to a part of a kind when it is confined to one part of that kind. Parts are named as hwloc names them.

use super::divide::{COLOURLESS, Entry, form};
use crate::coll;
use crate::engine::{Engine, Mpi};
use crate::error::Outcome;
use crate::handle;
use crate::session::PROCESS_SETS;
use nemesis_sys::hardware::{self, PARTS, Part};

/// The name of what all processes of a node share.
pub const SHARED_MEMORY: &str = "mpi_shared_memory";

/// What a resource is called in infos.
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

/// `MPI_Get_hw_resource_info`: the names of the kinds of resources that there are, and whether this process is confined to one of the kind.
pub fn hardware_facts() -> impl Iterator<Item = (&'static str, bool)> {
    PARTS
        .into_iter()
        .filter(|&part| hardware::is_known(part))
        .map(|part| (name_of(part), hardware::confined_to(part).is_some()))
}

impl Engine {
    fn own_node(&self) -> u32 {
        self.wireup.as_ref().map_or(0, |wireup| wireup.node_of(wireup.rank()))
    }

    /// The colour of those who share memory: the node's, or, where memory is not to be shared (`NEMESIS_SHM`), our own.
    fn memory_colour(&self) -> u64 {
        const ALONE: u64 = 1 << 62;
        let reaches =
            |process: &u32| self.memory.as_ref().is_none_or(|memory| memory.is_near(*process));
        match &self.wireup {
            Some(wireup) if !wireup.local_ranks().iter().all(reaches) => {
                ALONE | u64::from(wireup.rank())
            }
            _ => self.own_node().into(),
        }
    }

    /// The colour of the part of a kind to which this process is confined.
    fn colour_of(&self, part: Part) -> u64 {
        hardware::confined_to(part)
            .map_or(COLOURLESS, |number| u64::from(self.own_node()) << 32 | u64::from(number))
    }
}

/// `MPI_COMM_TYPE_SHARED`
pub fn split_by_memory(mpi: &mut Mpi, comm: handle::Comm, key: i32) -> Outcome<handle::Comm> {
    let colour = mpi.memory_colour();
    split(mpi, comm, colour, key)
}

/// `MPI_COMM_TYPE_HW_GUIDED`: those confined to the same resource of the kind `name`; none for whoever is not, and when there is no such kind.
pub fn split_by_resource(
    mpi: &mut Mpi,
    comm: handle::Comm,
    name: Option<&str>,
    key: i32,
) -> Outcome<handle::Comm> {
    let part = PARTS.into_iter().find(|&part| Some(name_of(part)) == name);
    let colour = match (part, name) {
        (Some(part), _) => mpi.colour_of(part),
        (None, Some(SHARED_MEMORY)) => mpi.memory_colour(),
        _ => COLOURLESS,
    };
    split(mpi, comm, colour, key)
}

/// `MPI_COMM_TYPE_RESOURCE_GUIDED` with a process set: those that are in the same one.
pub fn split_by_process_set(
    mpi: &mut Mpi,
    comm: handle::Comm,
    name: &str,
    key: i32,
) -> Outcome<handle::Comm> {
    let colour = match PROCESS_SETS.iter().position(|known| known.eq_ignore_ascii_case(name)) {
        Some(0) => 0,
        Some(_) => mpi.own_process().into(),
        None => COLOURLESS,
    };
    split(mpi, comm, colour, key)
}

/// `MPI_COMM_TYPE_HW_UNGUIDED`: by the largest kind of resource that every process is confined to one of, and that tells them apart. With its name; none
/// if there is no such kind.
pub fn split_unguided(
    mpi: &mut Mpi,
    comm: handle::Comm,
    key: i32,
) -> Outcome<(handle::Comm, Option<&'static str>)> {
    let (made, found) = exchange(mpi, comm, UNGUIDED, key)?;
    Ok((made, found.map(|kind| if kind == 0 { SHARED_MEMORY } else { name_of(PARTS[kind - 1]) })))
}

/// `MPI_UNDEFINED` as the type: takes part, and gets nothing.
pub fn split_for_nobody(mpi: &mut Mpi, comm: handle::Comm) -> Outcome<handle::Comm> {
    split(mpi, comm, COLOURLESS, 0)
}

fn split(mpi: &mut Mpi, comm: handle::Comm, colour: u64, key: i32) -> Outcome<handle::Comm> {
    Ok(exchange(mpi, comm, colour, key)?.0)
}

/// The colour of those who leave it to all of them together.
const UNGUIDED: u64 = COLOURLESS - 1;

/// How many kinds of resource can tell processes apart: nodes, and the parts of each.
const KINDS: usize = 1 + PARTS.len();

/// What a process says: what it says in any split, and its colour by each kind of resource. Whoever passes `MPI_UNDEFINED` does not know what the others
/// pass, so all splits by type exchange the same.
type Words = [u64; 3 + KINDS];

fn exchange(
    mpi: &mut Mpi,
    comm: handle::Comm,
    colour: u64,
    key: i32,
) -> Outcome<(handle::Comm, Option<usize>)> {
    let node = u64::from(mpi.own_node());
    let kinds: [u64; KINDS] =
        std::array::from_fn(|kind| if kind == 0 { node } else { mpi.colour_of(PARTS[kind - 1]) });
    let mut words: Words = [0; 3 + KINDS];
    words[..3].copy_from_slice(&[colour, key as u32 as u64, mpi.draw_context()?.0]);
    words[3..].copy_from_slice(&kinds);
    let ours = coll::allgather_words(mpi, comm, words)?;
    let across = if mpi.comm(comm)?.is_inter() {
        coll::words_from_across(mpi, comm, &ours)?
    } else {
        Vec::new()
    };
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

/// The largest kind of resource of which everybody who leaves the choice open is confined to one, not all to the same one.
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
