//! Info keys of communicators (MPI 5.0 §7.4.4).
//!
//! The assertions are kept and told; the engine holds what they promise to be false at all times, so none of them changes what is computed.

use super::Comm;
use crate::info::{self, Info};

/// Each is true or false, and false by default.
const ASSERTIONS: [&str; 5] = [
    "mpi_assert_no_any_tag",
    "mpi_assert_no_any_source",
    "mpi_assert_exact_length",
    "mpi_assert_allow_overtaking",
    "mpi_assert_strict_persistent_collective_ordering",
];

/// The kinds of memory that the program promises to use only; not set by default.
const MEMORY_KINDS_ASSERTION: &str = "mpi_assert_memory_alloc_kinds";

fn is_valid(key: &str, value: &str) -> bool {
    if key == MEMORY_KINDS_ASSERTION {
        return value
            .split(',')
            .all(|kind| info::MEMORY_KINDS.split(',').any(|known| known == kind.trim()));
    }
    ["true", "false"].contains(&value)
}

impl Comm {
    /// Keeps what is given under known keys with values that make sense; other hints stay as they are.
    pub fn take_hints(&mut self, given: &Info) {
        for key in ASSERTIONS.into_iter().chain([MEMORY_KINDS_ASSERTION]) {
            if let Some(value) = given.get(key).filter(|value| is_valid(key, value)) {
                self.hints.set(key, value);
            }
        }
    }

    /// `MPI_Comm_get_info`: the hints in use, with the defaults of those that were not given.
    pub fn effective_hints(&self) -> Info {
        let mut info = Info::default();
        for key in ASSERTIONS {
            info.set(key, self.hints.get(key).unwrap_or("false"));
        }
        if let Some(kinds) = self.hints.get(MEMORY_KINDS_ASSERTION) {
            info.set(MEMORY_KINDS_ASSERTION, kinds);
        }
        info.set(info::MEMORY_KINDS_KEY, info::MEMORY_KINDS);
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
