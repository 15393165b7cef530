//! All operations that choose among algorithms, and the variables of the environment that force
//! algorithms.

use crate::abi;
use crate::comm::Comm;
use crate::comm::hints::{ALGORITHM_KEYS, check_lane};
use crate::error::{Error, Outcome};
use crate::forced::{self, ForcedTable, OPERATIONS};
use crate::handle;
use crate::info::{self, Info};
use crate::rows::Row;
use crate::table::Operation;
use crate::{
    allgather, allreduce, alltoall, barrier, bcast, gather, reduce, reduce_scatter, scan, scatter,
};

/// An operation that chooses among algorithms.
#[derive(Clone, Copy)]
pub struct Choice {
    /// The operation's name.
    pub name: &'static str,
    /// The variable of the environment that forces algorithms.
    pub variable: &'static str,
    /// What the variable does.
    pub why: &'static str,
    /// Returns the algorithms.
    pub rows: fn() -> Vec<&'static Row>,
}

const fn choice<O: Operation>(variable: &'static str, why: &'static str) -> Choice {
    Choice {
        name: O::NAME,
        variable,
        why,
        rows: || O::ALGORITHMS.iter().map(|algorithm| &algorithm.row).collect(),
    }
}

/// The operations, by [`Operation::INDEX`].
pub const ALL: [Choice; OPERATIONS] = [
    choice::<barrier::Barrier>(
        "NEMESIS_BARRIER",
        "algorithms of MPI_Barrier by ranges of lengths, as \
         NEMESIS_ALLTOALL describes it",
    ),
    choice::<bcast::Bcast>(
        "NEMESIS_BCAST",
        "algorithms of MPI_Bcast by ranges of lengths, as \
         NEMESIS_ALLTOALL describes it",
    ),
    choice::<reduce::Reduce>(
        "NEMESIS_REDUCE",
        "algorithms of MPI_Reduce by ranges of lengths, as \
         NEMESIS_ALLTOALL describes it",
    ),
    choice::<allreduce::Allreduce>(
        "NEMESIS_ALLREDUCE",
        "algorithms of MPI_Allreduce by ranges of lengths, as \
         NEMESIS_ALLTOALL describes it",
    ),
    choice::<reduce_scatter::ReduceScatter>(
        "NEMESIS_REDUCE_SCATTER",
        "algorithms of MPI_Reduce_scatter and MPI_Reduce_scatter_block by ranges of lengths, as \
         NEMESIS_ALLTOALL describes it",
    ),
    choice::<scan::Scan>(
        "NEMESIS_SCAN",
        "algorithms of MPI_Scan and MPI_Exscan by ranges of lengths, as \
         NEMESIS_ALLTOALL describes it",
    ),
    choice::<gather::Gather>(
        "NEMESIS_GATHER",
        "algorithms of MPI_Gather by ranges of lengths, as \
         NEMESIS_ALLTOALL describes it",
    ),
    choice::<scatter::Scatter>(
        "NEMESIS_SCATTER",
        "algorithms of MPI_Scatter by ranges of lengths, as \
         NEMESIS_ALLTOALL describes it",
    ),
    choice::<allgather::Allgather>(
        "NEMESIS_ALLGATHER",
        "algorithms of MPI_Allgather and MPI_Allgatherv by ranges of lengths, as \
         NEMESIS_ALLTOALL describes it",
    ),
    choice::<alltoall::Alltoall>(
        "NEMESIS_ALLTOALL",
        "algorithms of MPI_Alltoall, as name[:min-[max]] with lengths in bytes, separated by \
         commas; the first that can do the job is used, and otherwise the library chooses; for \
         tests and tuning; all processes need the same value",
    ),
];

/// The form of the variables' values, for messages.
pub const FORM: &str = "name[:min-[max]], separated by commas";

/// Parses rules for an operation. The error says what is wrong, and lists the algorithms.
pub fn parse(index: usize, text: &str) -> Result<Vec<forced::Forced>, String> {
    let operation = &ALL[index];
    let names: Vec<&str> = (operation.rows)().iter().map(|row| row.name).collect();
    forced::parse(text, &format!("{} has no algorithm", operation.name), &names)
}

/// Parses the value of an operation's variable. The error names it.
pub fn check(index: usize, text: &str) -> Result<Vec<forced::Forced>, String> {
    parse(index, text).map_err(|why| format!("{}={text}: {why}", ALL[index].variable))
}

/// Returns the hints of `info` for a communicator.
///
/// # Errors
///
/// A key of an operation has rules that make no sense, or that of lanes no lane. MPI ignores
/// unknown keys and leaves open what invalid values of known keys do (MPI 5.0 §10). An unknown
/// algorithm is most likely a mistake.
pub fn hints(info: handle::Info) -> Outcome<Info> {
    let given = info::hints(info)?;
    check_lane(&given)?;
    for (index, key) in ALGORITHM_KEYS.into_iter().enumerate() {
        if let Some(text) = given.get(key) {
            parse(index, text).map_err(|why| {
                Error::new(abi::MPI_ERR_INFO_VALUE, format!("the info has {key}={text}: {why}"))
            })?;
        }
    }
    Ok(given)
}

/// Returns the algorithms that a communicator's info forces, if any. [`hints`] has checked them.
pub fn forced_by(comm: &Comm) -> Option<Box<ForcedTable>> {
    let given = ALGORITHM_KEYS.map(|key| comm.algorithms(key));
    if given.iter().all(Option::is_none) {
        return None;
    }
    let mut all = [const { Vec::new() }; OPERATIONS];
    for ((index, forced), text) in all.iter_mut().enumerate().zip(given) {
        *forced = text.and_then(|text| parse(index, text).ok()).unwrap_or_default();
    }
    Some(Box::new(all))
}

/// Fixes the forced algorithms of all operations, whose variables have the values `given`.
pub fn fix(given: impl Fn(usize) -> String) -> Result<(), String> {
    let mut all = [const { Vec::new() }; OPERATIONS];
    for (index, forced) in all.iter_mut().enumerate() {
        *forced = check(index, &given(index))?;
    }
    forced::fix(all);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::{Placement, spans};

    #[test]
    fn operations_stand_at_their_index() {
        let indices = [
            barrier::Barrier::INDEX,
            bcast::Bcast::INDEX,
            reduce::Reduce::INDEX,
            allreduce::Allreduce::INDEX,
            reduce_scatter::ReduceScatter::INDEX,
            scan::Scan::INDEX,
            gather::Gather::INDEX,
            scatter::Scatter::INDEX,
            allgather::Allgather::INDEX,
            alltoall::Alltoall::INDEX,
        ];
        assert!(indices.into_iter().eq(0..OPERATIONS));
        let test = include_str!("../../../tests/mpi/coll_algorithms.c");
        // Without spaces, and with parts of strings put together.
        let test = test.split_whitespace().collect::<String>().replace("\"\"", "");
        for operation in ALL {
            assert!(ALGORITHM_KEYS.contains(&&*format!("nemesis_{}", operation.name)));
            assert_eq!(operation.variable, format!("NEMESIS_{}", operation.name.to_uppercase()));
            let names: Vec<&str> = (operation.rows)().iter().map(|row| row.name).collect();
            let listed = format!("{{\"{}\",\"{}\"}}", operation.name, names.join(","));
            assert!(test.contains(&listed), "coll_algorithms.c has no line with {listed}");
            assert!(names.iter().all(|name| names.iter().filter(|n| n == &name).count() == 1));
        }
    }

    /// The numbers of processes with which the test program runs.
    const MEMBERS: [u32; 4] = [2, 3, 4, 7];

    #[test]
    fn the_test_program_has_lengths_on_both_sides_of_every_limit() {
        let test = include_str!("../../../tests/mpi/coll_algorithms.c");
        let lengths = test.split_once("lengths[] = {").unwrap().1.split_once('}').unwrap().0;
        let lengths: Vec<usize> =
            lengths.split(',').map(|length| length.trim().parse().unwrap()).collect();
        let has =
            |elements: usize| lengths.contains(&elements) && lengths.contains(&(elements + 1));
        for (members, bits) in MEMBERS.iter().flat_map(|&m| (0..8).map(move |bits| (m, bits))) {
            let placement = Placement {
                hosts: 1,
                members,
                oversubscribed: bits & 1 != 0,
                direct: bits & 2 != 0,
                prefers_packets: bits & 4 != 0,
            };
            for (index, operation) in ALL.iter().enumerate() {
                let limits = spans(index, &placement).into_iter().filter_map(|span| span.max_bytes);
                for bytes in limits.filter(|bytes| bytes / 8 <= lengths[lengths.len() - 1]) {
                    let of_all = (bytes + 1) * members as usize / 8;
                    let is_of_all = ["allgather", "alltoall"].contains(&operation.name)
                        && has(of_all.next_power_of_two());
                    assert!(
                        has(bytes / 8) || is_of_all,
                        "{} {bytes} {placement:?}",
                        operation.name
                    );
                }
            }
        }
    }
}
