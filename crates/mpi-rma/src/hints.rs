//! Info keys of windows (MPI 5.0 §12.2, §12.3.4).
//!
//! Hints are stored and returned. None changes what is computed, because accesses are always
//! ordered and atomic.

use super::state::Windows;
use super::window::Window;
use crate::abi;
use crate::engine::Engine;
use crate::error::Outcome;
use crate::handle;
use crate::info::{self, Info};

const BOOLEAN: &[&str] = &["true", "false"];

/// An info key: its name, its default, its permitted values (none: any number), and whether it
/// applies only to windows whose memory the library allocates.
struct Key {
    name: &'static str,
    default: &'static str,
    values: &'static [&'static str],
    allocated_only: bool,
}

const fn key(
    name: &'static str,
    default: &'static str,
    values: &'static [&'static str],
    allocated_only: bool,
) -> Key {
    Key { name, default, values, allocated_only }
}

const KEYS: [Key; 8] = [
    key("no_locks", "false", BOOLEAN, false),
    key("accumulate_ordering", "rar,raw,war,waw", &[], false),
    key("accumulate_ops", "same_op_no_op", &["same_op", "same_op_no_op"], false),
    key("mpi_accumulate_granularity", "0", &[], false),
    key("same_size", "false", BOOLEAN, false),
    key("same_disp_unit", "false", BOOLEAN, false),
    key("alloc_shared_noncontig", "false", BOOLEAN, true),
    key("mpi_minimum_memory_alignment", "0", &[], true),
];

/// The values that `accumulate_ordering` may list; the alternative is "none".
const ORDERINGS: [&str; 4] = ["rar", "raw", "war", "waw"];

fn is_valid(key: &Key, value: &str) -> bool {
    match key.name {
        "accumulate_ordering" => {
            value == "none" || value.split(',').all(|word| ORDERINGS.contains(&word.trim()))
        }
        _ if key.values.is_empty() => value.parse::<u64>().is_ok(),
        _ => key.values.contains(&value),
    }
}

/// Stores the known keys whose values are valid.
pub(super) fn accept(stored: &mut Info, given: &Info) {
    for key in &KEYS {
        if let Some(value) = given.get(key.name).filter(|value| is_valid(key, value)) {
            stored.set(key.name, value);
        }
    }
}

/// Implements `MPI_Win_set_info`.
pub fn set_hints(engine: &mut Engine, win: handle::Win, given: &Info) -> Outcome {
    let window = engine.window_mut(win)?;
    accept(&mut window.hints, given);
    Ok(())
}

/// Implements `MPI_Win_get_info`: returns all hints that apply to the window, defaults included.
pub fn effective_hints(window: &Window) -> Info {
    let allocated = matches!(
        window.attributes.flavor,
        abi::MPI_WIN_FLAVOR_ALLOCATE | abi::MPI_WIN_FLAVOR_SHARED
    );
    let mut hints = Info::default();
    for key in KEYS.iter().filter(|key| allocated || !key.allocated_only) {
        hints.set(key.name, window.hints.get(key.name).unwrap_or(key.default));
    }
    hints.set(info::MEMORY_KINDS_KEY, info::memory_kinds());
    hints
}

/// The keys by which a program promises that a value is the same at all ranks: the name of the
/// value, by the place of the value.
const PROMISES: [(&str, &str); 2] = [("same_size", "size"), ("same_disp_unit", "disp_unit")];

/// Returns a bit for each of the keys of [`PROMISES`] that is true.
pub(super) fn promises(given: &Info) -> u64 {
    let bits = (0..).zip(PROMISES);
    bits.map(|(place, (key, _))| u64::from(given.get_bool(key) == Some(true)) << place).sum()
}

/// Describes values that differ although a rank has promised that they do not. `all`: size,
/// displacement unit and promises of each rank. Nothing here relies on the promises.
pub(super) fn broken_promise(all: impl Iterator<Item = [u64; 3]>) -> Option<String> {
    let all: Vec<[u64; 3]> = all.collect();
    for (place, (key, name)) in PROMISES.into_iter().enumerate() {
        let Some(promises) = all.iter().position(|words| words[2] >> place & 1 != 0) else {
            continue;
        };
        if let Some(other) = all.iter().position(|words| words[place] != all[0][place]) {
            let [zero, theirs] = [0, other].map(|rank| all[rank][place]);
            return Some(format!(
                "{key} is true at rank {promises}, and {name} is {zero} at rank 0 and {theirs} at \
                 rank {other}"
            ));
        }
    }
    None
}

/// Describes different values of `alloc_shared_noncontig`. `all`: size and value of each rank.
pub(super) fn layouts_differ(all: &[[u64; 2]]) -> Option<String> {
    let other = all.iter().position(|[_, apart]| *apart != all[0][1])?;
    let [zero, theirs] = [0, other].map(|rank| all[rank][1] != 0);
    Some(format!("alloc_shared_noncontig is {zero} at rank 0, and {theirs} at rank {other}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_promise_is_compared_with_the_values() {
        let mut given = Info::default();
        assert_eq!(promises(&given), 0);
        given.set("same_disp_unit", "true");
        given.set("same_size", "false");
        assert_eq!(promises(&given), 2);
        let check = |all: [[u64; 3]; 2]| broken_promise(all.into_iter());
        assert_eq!(check([[8, 1, 0], [16, 4, 0]]), None);
        assert_eq!(check([[8, 1, 3], [8, 1, 0]]), None);
        assert_eq!(check([[8, 1, 2], [16, 1, 2]]), None);
        assert_eq!(
            check([[8, 1, 0], [16, 1, 1]]).unwrap(),
            "same_size is true at rank 1, and size is 8 at rank 0 and 16 at rank 1"
        );
    }

    #[test]
    fn shared_memory_is_laid_out_alike() {
        assert_eq!(layouts_differ(&[[8, 1], [16, 1]]), None);
        assert_eq!(
            layouts_differ(&[[8, 1], [8, 0]]).unwrap(),
            "alloc_shared_noncontig is true at rank 0, and false at rank 1"
        );
    }

    #[test]
    fn known_keys_with_valid_values_are_stored() {
        let (mut stored, mut given) = (Info::default(), Info::default());
        for (name, value) in [
            ("no_locks", "true"),
            ("accumulate_ordering", "rar, waw"),
            ("accumulate_ops", "any"),
            ("mpi_accumulate_granularity", "-1"),
            ("colour", "red"),
        ] {
            given.set(name, value);
        }
        accept(&mut stored, &given);
        assert_eq!(
            (stored.len(), stored.get("no_locks"), stored.get("accumulate_ordering")),
            (2, Some("true"), Some("rar, waw"))
        );
    }

    #[test]
    fn orderings_are_none_or_a_list() {
        let key = KEYS.iter().find(|key| key.name == "accumulate_ordering").unwrap();
        for (value, valid) in [
            ("none", true),
            ("rar,raw,war,waw", true),
            ("waw, rar", true),
            ("rar,none", false),
            ("", false),
        ] {
            assert_eq!(is_valid(key, value), valid, "{value}");
        }
    }

    #[test]
    fn a_later_value_replaces_an_earlier_one_unless_it_is_invalid() {
        let (mut stored, mut given) = (Info::default(), Info::default());
        for (value, expected) in [("true", "true"), ("maybe", "true"), ("false", "false")] {
            given.set("same_size", value);
            accept(&mut stored, &given);
            assert_eq!(stored.get("same_size"), Some(expected));
        }
    }

    #[test]
    fn defaults_are_valid_values() {
        assert!(KEYS.iter().all(|key| is_valid(key, key.default)));
    }
}
