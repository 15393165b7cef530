//! Info keys of communicators (MPI 5.0 §7.4.4).
//!
//! The assertions are stored and returned. The engine never relies on them, so none of them changes
//! results. The algorithms of collective operations are the collectives' business: see
//! `nemesis-mpi-coll::forced`.

use super::Comm;
use crate::info::{self, Info};

/// Keys whose value is true or false, with the default false.
const ASSERTIONS: [&str; 5] = [
    "mpi_assert_no_any_tag",
    "mpi_assert_no_any_source",
    "mpi_assert_exact_length",
    "mpi_assert_allow_overtaking",
    "mpi_assert_strict_persistent_collective_ordering",
];

/// The kinds of memory to which the program promises to restrict itself. Not set by default.
const MEMORY_KINDS_ASSERTION: &str = "mpi_assert_memory_alloc_kinds";

/// Keys of the algorithms of collective operations, which the collectives check.
pub const ALGORITHM_KEYS: [&str; 10] = [
    "nemesis_barrier",
    "nemesis_bcast",
    "nemesis_reduce",
    "nemesis_allreduce",
    "nemesis_reduce_scatter",
    "nemesis_scan",
    "nemesis_gather",
    "nemesis_scatter",
    "nemesis_allgather",
    "nemesis_alltoall",
];

/// The lane in which a communicator's messages are to travel: a wish when it is made. The second
/// key is MPICH's.
pub const LANE_KEYS: [&str; 2] = ["nemesis_lane", "vci"];

fn is_valid(key: &str, value: &str) -> bool {
    if key == MEMORY_KINDS_ASSERTION {
        return value.split(',').all(|kind| info::is_memory_kind(kind.trim()));
    }
    ["true", "false"].contains(&value)
}

impl Comm {
    /// Stores valid values of known keys; other hints do not change.
    pub fn take_hints(&mut self, given: &Info) {
        for key in ASSERTIONS.into_iter().chain([MEMORY_KINDS_ASSERTION]) {
            if let Some(value) = given.get(key).filter(|value| is_valid(key, value)) {
                self.hints.set(key, value);
            }
        }
        for key in ALGORITHM_KEYS {
            if let Some(algorithms) = given.get(key) {
                self.hints.set(key, algorithms);
            }
        }
    }

    /// Returns the algorithms that were given for a collective operation, by its key.
    pub fn algorithms(&self, key: &str) -> Option<&str> {
        self.hints.get(key)
    }

    /// Returns the hints in use (`MPI_Comm_get_info`), with defaults for those that were not set.
    pub fn effective_hints(&self) -> Info {
        let mut info = Info::default();
        for key in ASSERTIONS {
            info.set(key, self.hints.get(key).unwrap_or("false"));
        }
        if let Some(kinds) = self.hints.get(MEMORY_KINDS_ASSERTION) {
            info.set(MEMORY_KINDS_ASSERTION, kinds);
        }
        for key in ALGORITHM_KEYS {
            if let Some(algorithms) = self.hints.get(key) {
                info.set(key, algorithms);
            }
        }
        info.set(LANE_KEYS[0], &self.context.lane().to_string());
        info.set(info::MEMORY_KINDS_KEY, info::memory_kinds());
        info
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_must_make_sense() {
        assert!(
            is_valid("mpi_assert_no_any_tag", "true")
                && !is_valid("mpi_assert_no_any_tag", "maybe")
        );
        assert!(
            is_valid(MEMORY_KINDS_ASSERTION, "mpi, system")
                && !is_valid(MEMORY_KINDS_ASSERTION, "system,cuda")
        );
    }
}
