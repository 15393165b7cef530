//! Variables of the environment that look like those of this library, but have no effect: a user
//! who has misspelt a name learns it.
//!
//! Names that begin with `NEMESIS_` may also belong to others, such as a module file that tells
//! where this library is installed. So a name is told only if it is near to one that exists.

use crate::coll::operations;
use crate::coll::thresholds::THRESHOLDS;
use crate::errhandler;
use nemesis::tunables::{self, TABLE, WORDS};
use nemesis_sys::{message, spelling};

const PREFIX: &str = "NEMESIS_";

/// Variables that users set and other programs of this project read, or other crates: `mpiexec`,
/// `mpicc` and its kin, the profiler, the spawn of processes, the wire-up.
const ELSEWHERE: [&str; 8] = [
    "NEMESIS_CC",
    "NEMESIS_CXX",
    "NEMESIS_FC",
    "NEMESIS_MPIEXEC",
    "NEMESIS_NOTICE_SECONDS",
    "NEMESIS_ON_DEADLOCK",
    "NEMESIS_PMI",
    "NEMESIS_PROFILE",
];

/// Variables that `mpiexec` sets.
const INTERNAL: [&str; 6] = [
    "NEMESIS_ACCEPTOR",
    "NEMESIS_JOB",
    "NEMESIS_PROCESSORS",
    "NEMESIS_PROFILE_MEMORY",
    "NEMESIS_REPORT",
    "NEMESIS_SEGMENT_FD",
];

/// Beginnings of the variables of tests and of `nemesis bench`.
const FAMILIES: [&str; 2] = ["NEMESIS_BENCH_", "NEMESIS_TEST_"];

/// Letters from which on a name is told if a known one begins with it.
const BEGINNING_MIN: usize = 4;

/// Prints a line for each variable of the environment that has no effect. With `all` also for those
/// that are near to no name of this library.
pub fn warn(all: bool) {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.starts_with(PREFIX)).collect();
    names.sort_unstable();
    for name in names {
        if let Some(why) = lacks_effect(&name, all) {
            message::tell(format_args!("nemesis: the environment variable {name} {why}"));
        }
    }
}

/// The variables that users set.
fn settable() -> impl Iterator<Item = &'static str> {
    let tunables = TABLE.iter().map(|row| row.name).chain(WORDS.iter().map(|words| words.name));
    let operations = operations::ALL.iter().map(|operation| operation.variable);
    tunables.chain(operations).chain(ELSEWHERE).chain([errhandler::INITIAL_VARIABLE])
}

/// Returns why a variable has no effect; `None` if it has, or is likely to belong to others.
fn lacks_effect(name: &str, all: bool) -> Option<String> {
    let word = name.strip_prefix(PREFIX)?;
    let is_known = settable().chain(INTERNAL).chain(tunables::former_names()).any(|it| it == name)
        || FAMILIES.iter().any(|family| name.starts_with(family));
    if is_known {
        return None;
    }
    if THRESHOLDS.iter().any(|(constant, ..)| *constant == name) {
        return Some("has no effect: it names a constant, which tools can read".into());
    }
    match meant(word) {
        Some(meant) => Some(format!("is unknown and has no effect; did you mean {PREFIX}{meant}?")),
        None => {
            all.then(|| "is unknown and has no effect; nemesis(7) lists those that have".into())
        }
    }
}

/// Returns the variable, without its prefix, for which `word` is likely to stand.
fn meant(word: &str) -> Option<&'static str> {
    let known = || settable().filter_map(|name| name.strip_prefix(PREFIX));
    let continues = |long: &str, short: &str| {
        short.len() >= BEGINNING_MIN
            && long.strip_prefix(short).is_some_and(|rest| rest.starts_with('_'))
    };
    let near = spelling::nearest(word, known());
    let is_near = |(distance, _): &(usize, &str)| *distance <= (word.len() / 3).max(1);
    near.filter(is_near)
        .map(|(_, name)| name)
        .or_else(|| known().find(|name| continues(name, word)))
        .or_else(|| known().filter(|name| continues(word, name)).max_by_key(|name| name.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_lead_to_known_ones() {
        let pairs = [
            ("LANE", "LANES"),
            ("CHECKS", "CHECK"),
            ("OVERSUBSCRIBE", "OVERSUBSCRIBED"),
            ("EAGER_MAX", "EAGER_MAX_BYTES"),
            ("EAGER_MAX_BYTE", "EAGER_MAX_BYTES"),
            ("NETWORK", "NETWORKS"),
            ("NOTICE", "NOTICE_SECONDS"),
            ("THREADLEVEL", "THREAD_LEVEL"),
            ("ALLREDUCE_ALGORITHM", "ALLREDUCE"),
            ("REDUCE_SCATTER_ALGORITHM", "REDUCE_SCATTER"),
            ("ALLTOALLV", "ALLTOALL"),
            ("PROFIL", "PROFILE"),
        ];
        for (word, name) in pairs {
            assert_eq!(meant(word), Some(name), "{word}");
        }
    }

    #[test]
    fn names_of_others_are_left_alone() {
        let others = ["HOME", "ROOT", "DIR", "PATH", "LIB", "BIN", "INC", "INCLUDE", "VERSION"];
        for word in others.iter().chain(&["CONFIG", "DEBUG", "LOG", "PREFIX", "A", "NO_SUCH"]) {
            assert_eq!(meant(word), None, "{word}");
            let name = format!("{PREFIX}{word}");
            assert_eq!(lacks_effect(&name, false), None);
            assert!(lacks_effect(&name, true).is_some_and(|why| why.contains("nemesis(7)")));
        }
        assert_eq!(lacks_effect("LANE", true), None);
    }

    #[test]
    fn known_names_and_constants_are_told_apart() {
        let known = ["NEMESIS_LANES", "NEMESIS_CROWDED", "NEMESIS_JOB", "NEMESIS_BENCH_TURNS"];
        for name in known {
            assert_eq!(lacks_effect(name, true), None, "{name}");
        }
        let constant = lacks_effect("NEMESIS_BCAST_TREE_MAX_BYTES", false);
        assert!(constant.is_some_and(|why| why.contains("constant")));
    }

    #[test]
    fn each_variable_of_the_manual_is_known() {
        let manual = concat!(env!("CARGO_MANIFEST_DIR"), "/../../packaging/man/nemesis.7");
        let manual = std::fs::read_to_string(manual).expect("the manual is there");
        let words = manual.split(|c: char| !c.is_ascii_uppercase() && c != '_');
        let names: Vec<&str> =
            words.filter(|word| word.len() > PREFIX.len() && word.starts_with(PREFIX)).collect();
        assert!(names.len() > 10, "{names:?}");
        for name in names {
            assert_eq!(lacks_effect(name, true), None, "{name}");
        }
    }
}
