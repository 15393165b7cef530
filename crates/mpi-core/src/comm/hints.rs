//! Info keys of communicators (MPI 5.0 §7.4.4).
//!
//! The assertions are stored and returned. The engine relies on one of them: messages of a
//! communicator that all its processes have made with `mpi_assert_no_any_tag` may travel in lanes
//! by their tags (`engine::lanes`). None of them changes results of a program that keeps its word.
//! The algorithms of collective operations are the collectives' business: see
//! `nemesis-mpi-coll::forced`.

use super::Comm;
use crate::abi;
use crate::error::{Error, Outcome};
use crate::handle::LANES_MAX;
use crate::info::{self, Info};

const NO_ANY_TAG: &str = "mpi_assert_no_any_tag";

/// Keys whose value is true or false, with the default false.
const ASSERTIONS: [&str; 5] = [
    NO_ANY_TAG,
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

/// The lane in which a communicator's messages are to travel: a wish when it is made.
const LANE_KEY: &str = "nemesis_lane";
/// The value of this key if each tag has a lane.
const BY_TAG: &str = "tag";
/// MPICH's key of such a wish. What it means by other values is its own business.
const MPICH_LANE_KEY: &str = "vci";

/// A lane that an info wishes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    Lane(usize),
    /// For each tag one, if the program asserts that it names the tags of its receives.
    ByTag,
}

/// Returns the lane that an info wishes, by the library's own key or else by MPICH's.
pub fn wished_lane(given: &Info) -> Option<Wish> {
    if given.get(LANE_KEY) == Some(BY_TAG) {
        return Some(Wish::ByTag);
    }
    let number = |key: &&str| given.get(key)?.parse().ok().map(Wish::Lane);
    [LANE_KEY, MPICH_LANE_KEY].iter().find_map(number)
}

/// Returns whether an info asserts that this process names the tags of its receives and probes.
pub fn asserts_tags(given: &Info) -> bool {
    given.get(NO_ANY_TAG) == Some("true")
}

/// Fails if an info wishes for a lane that no process ever has. A lane that this process does not
/// have is the first one.
pub fn check_lane(given: &Info) -> Outcome {
    let Some(text) = given.get(LANE_KEY) else { return Ok(()) };
    if text == BY_TAG || text.parse().is_ok_and(|lane: usize| lane < LANES_MAX) {
        return Ok(());
    }
    let most = LANES_MAX - 1;
    let why =
        format!("the info has {LANE_KEY}={text}: a lane is a number from 0 to {most}, or {BY_TAG}");
    Err(Error::new(abi::MPI_ERR_INFO_VALUE, why))
}

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
            // The lanes of a communicator do not change, and those by tag rely on the assertion.
            let is_relied_on = key == NO_ANY_TAG && self.context.last_lane_by_tag() > 0;
            if let Some(value) = given.get(key).filter(|value| is_valid(key, value))
                && !is_relied_on
            {
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
        if self.context.last_lane_by_tag() > 0 {
            info.set(NO_ANY_TAG, "true");
        }
        if let Some(kinds) = self.hints.get(MEMORY_KINDS_ASSERTION) {
            info.set(MEMORY_KINDS_ASSERTION, kinds);
        }
        for key in ALGORITHM_KEYS {
            if let Some(algorithms) = self.hints.get(key) {
                info.set(key, algorithms);
            }
        }
        match self.context.last_lane_by_tag() {
            0 => info.set(LANE_KEY, &self.context.lane().to_string()),
            _ => info.set(LANE_KEY, BY_TAG),
        }
        info.set(info::MEMORY_KINDS_KEY, info::memory_kinds());
        info
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_numbers_and_other_values_of_the_own_key_are_told() {
        let info = |key: &str, value: &str| {
            let mut info = Info::default();
            info.set(key, value);
            info
        };
        for (key, value, wish, is_right) in [
            ("nemesis_lane", "0", Some(Wish::Lane(0)), true),
            ("nemesis_lane", "7", Some(Wish::Lane(7)), true),
            ("nemesis_lane", "tag", Some(Wish::ByTag), true),
            ("nemesis_lane", "8", Some(Wish::Lane(8)), false),
            ("nemesis_lane", "-1", None, false),
            ("nemesis_lane", "two", None, false),
            ("nemesis_lane", "", None, false),
            ("vci", "3", Some(Wish::Lane(3)), true),
            ("vci", "tag", None, true),
        ] {
            let given = info(key, value);
            assert_eq!(wished_lane(&given), wish, "{key}={value}");
            assert_eq!(check_lane(&given).is_ok(), is_right, "{key}={value}");
        }
        let told = check_lane(&info("nemesis_lane", "two")).unwrap_err().why;
        assert_eq!(told, "the info has nemesis_lane=two: a lane is a number from 0 to 7, or tag");
    }

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
