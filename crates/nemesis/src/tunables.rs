//! What the environment may change, and why anyone would.
//!
//! The library measures and chooses by itself; nobody should need any of these to run well. They exist to switch a mechanism off when it is under
//! suspicion, and so that tests cross every boundary between protocols with small messages. They are read once, when MPI starts, and a
//! value that makes no sense stops the start with a sentence that names it. All processes of a job should have the same.

use nemesis_netmod_tcp::{Choice, Ports};
use std::fmt;

/// One row of the table: what the documentation and the tool interface tell of a tunable.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The environment variable.
    pub name: &'static str,
    pub kind: Kind,
    pub why: &'static str,
}

/// The values that a tunable takes, and the one it has when nobody says anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `on` or `off`.
    Switch { default: bool },
    /// A number of bytes, at least `min` and at most `max`.
    Bytes { default: usize, min: usize, max: usize },
    /// A number of things, at least 1 and at most `max`, which is the default.
    Count { max: usize },
}

/// One row of the other table: tunables that are words. Empty when nobody says anything.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// The environment variable.
    pub name: &'static str,
    pub form: &'static str,
    pub why: &'static str,
}

pub const FASTBOX: Row = Row {
    name: "NEMESIS_FASTBOX",
    kind: Kind::Switch { default: true },
    why: "off: every packet takes the queue, so that the lock-free ring of a pair is out of the picture",
};

pub const CMA: Row = Row {
    name: "NEMESIS_CMA",
    kind: Kind::Switch { default: true },
    why: "off: large messages pass through cells instead of process_vm_readv, as where the kernel refuses it",
};

pub const EAGER_MAX_BYTES: Row = Row {
    name: "NEMESIS_EAGER_MAX_BYTES",
    kind: Kind::Bytes {
        default: crate::EAGER_BULK_MAX_BYTES,
        min: 0,
        max: crate::EAGER_BULK_MAX_BYTES,
    },
    why: "longer messages are announced and wait for their receive; 0 shows which program relies on sends that return at once",
};

pub const UNEXPECTED_MAX_BYTES: Row = Row {
    name: "NEMESIS_UNEXPECTED_MAX_BYTES",
    kind: Kind::Bytes { default: 4 << 20, min: 0, max: 1 << 40 },
    why: "unexpected messages that a process keeps of each other one before that one must announce everything",
};

pub const PACKET_MAX_BYTES: Row = Row {
    name: "NEMESIS_PACKET_MAX_BYTES",
    kind: Kind::Bytes {
        default: crate::LONG_PACKET_MAX_BYTES,
        min: 1,
        max: crate::LONG_PACKET_MAX_BYTES,
    },
    why: "bytes of a message that one packet carries: with few, short messages go in pieces, and pieces end in the middle of elements",
};

pub const CELLS: Row = Row {
    name: "NEMESIS_CELLS",
    kind: Kind::Count { max: nemesis_shm::layout::CELLS },
    why: "cells that a process has for its packets: with few, it soon waits until they come back",
};

pub const SHM: Row = Row {
    name: "NEMESIS_SHM",
    kind: Kind::Switch { default: true },
    why: "off: processes of one node speak over the network, too, as if each were on a node of its own",
};

pub const NET: Words = Words {
    name: "NEMESIS_NET",
    form: "interfaces and networks like eth0,10.1.0.0/16,^docker0",
    why: "where the choice of networks goes wrong: only those named are used, in this order, never those behind ^",
};

pub const PORTS: Words = Words {
    name: "NEMESIS_PORTS",
    form: "FIRST:LAST",
    why: "where a firewall lets only some ports through: those to listen on; with mpiexec -port-range one for each host will do",
};

pub const ENCRYPT: Row = Row {
    name: "NEMESIS_ENCRYPT",
    kind: Kind::Switch { default: false },
    why: "on: what goes over the network is encrypted and checked, where it passes through the hands of others; the same for all processes",
};

pub const OVERSUBSCRIBED: Words = Words {
    name: "NEMESIS_OVERSUBSCRIBED",
    form: "yes or no",
    why: "where it goes unseen whether the processes of a node are more than the processors that they may keep busy: those that wait yield at once then",
};

pub const THREAD_LEVEL: Words = Words {
    name: "NEMESIS_THREAD_LEVEL",
    form: "single, funneled, serialized or multiple",
    why: "the least thread level that MPI provides: for a program that has threads and calls MPI_Init",
};

pub const VERBOSE: Row = Row {
    name: "NEMESIS_VERBOSE",
    kind: Kind::Switch { default: false },
    why: "on: says on standard error which networks are used, and which connections are turned away",
};

/// All tunables that are switches or numbers.
pub const TABLE: [Row; 9] = [
    FASTBOX,
    CMA,
    EAGER_MAX_BYTES,
    UNEXPECTED_MAX_BYTES,
    PACKET_MAX_BYTES,
    CELLS,
    SHM,
    ENCRYPT,
    VERBOSE,
];

/// All that are words.
pub const WORDS: [Words; 4] = [NET, PORTS, OVERSUBSCRIBED, THREAD_LEVEL];

/// Variables that have another name now: the former name, and the name of today. The former names
/// are read in this version.
const RENAMED: [(&str, &str); 1] = [("NEMESIS_CROWDED", OVERSUBSCRIBED.name)];

/// What `variable` says under a variable's name of today or, failing that, under its former name.
fn given(name: &str, variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let former = || {
        RENAMED.iter().find(|(_, today)| *today == name).and_then(|(former, _)| variable(former))
    };
    variable(name).or_else(former)
}

/// Names on standard error each variable that the environment gives by its former name.
pub(crate) fn warn_of_former_names() {
    for (former, today) in RENAMED.iter().filter(|(former, _)| std::env::var_os(former).is_some()) {
        eprintln!(
            "nemesis: the environment variable {former} is called {today} now; the next version ignores the former name"
        );
    }
}

/// How many threads may call, as MPI distinguishes it (MPI 5.0 §11.6.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThreadLevel {
    #[default]
    Single,
    Funneled,
    Serialized,
    Multiple,
}

impl ThreadLevel {
    fn parse(text: &str) -> Result<ThreadLevel, String> {
        match text {
            "" | "single" => Ok(ThreadLevel::Single),
            "funneled" => Ok(ThreadLevel::Funneled),
            "serialized" => Ok(ThreadLevel::Serialized),
            "multiple" => Ok(ThreadLevel::Multiple),
            _ => Err(format!("no level is called {text:?}")),
        }
    }
}

/// The values of this process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tunables {
    pub fastbox: bool,
    pub cma: bool,
    pub eager_max_bytes: usize,
    pub unexpected_max_bytes: usize,
    pub packet_max_bytes: usize,
    pub cells: usize,
    pub shm: bool,
    pub net: Choice,
    pub ports: Ports,
    pub encrypt: bool,
    /// Instead of what was found, if it is said.
    pub oversubscribed: Option<bool>,
    pub thread_level: ThreadLevel,
    pub verbose: bool,
}

/// A value that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Senseless {
    pub name: &'static str,
    pub value: String,
    pub expected: String,
}

impl fmt::Display for Senseless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the environment variable {} is \"{}\", it must be {}",
            self.name, self.value, self.expected
        )
    }
}

impl Tunables {
    pub fn from_environment() -> Result<Tunables, Senseless> {
        Tunables::read(|name| std::env::var(name).ok())
    }

    /// The values where `variable` tells what the environment says.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Tunables, Senseless> {
        Ok(Tunables {
            fastbox: value(FASTBOX, &variable)? != 0,
            cma: value(CMA, &variable)? != 0,
            eager_max_bytes: value(EAGER_MAX_BYTES, &variable)?,
            unexpected_max_bytes: value(UNEXPECTED_MAX_BYTES, &variable)?,
            packet_max_bytes: value(PACKET_MAX_BYTES, &variable)?,
            cells: value(CELLS, &variable)?,
            shm: value(SHM, &variable)? != 0,
            net: text(NET, &variable, Choice::parse)?,
            ports: text(PORTS, &variable, Ports::parse)?,
            encrypt: value(ENCRYPT, &variable)? != 0,
            oversubscribed: text(OVERSUBSCRIBED, &variable, parse_oversubscribed)?,
            thread_level: text(THREAD_LEVEL, &variable, ThreadLevel::parse)?,
            verbose: value(VERBOSE, &variable)? != 0,
        })
    }
}

impl Default for Tunables {
    fn default() -> Tunables {
        Tunables::read(|_| None).expect("the defaults make sense")
    }
}

/// A row's value as a number; a switch is 0 or 1. An empty variable is as good as none.
pub fn value(row: Row, variable: impl Fn(&str) -> Option<String>) -> Result<usize, Senseless> {
    let given = given(row.name, variable).filter(|text| !text.is_empty());
    let Some(text) = given else {
        return Ok(match row.kind {
            Kind::Switch { default } => usize::from(default),
            Kind::Bytes { default, .. } => default,
            Kind::Count { max } => max,
        });
    };
    let (parsed, expected) = match row.kind {
        Kind::Switch { .. } => match text.as_str() {
            "on" => (Some(1), String::new()),
            "off" => (Some(0), String::new()),
            _ => (None, "on or off".to_owned()),
        },
        Kind::Bytes { min, max, .. } => (
            text.parse().ok().filter(|bytes| (min..=max).contains(bytes)),
            format!("a number of bytes from {min} to {max}"),
        ),
        Kind::Count { max } => (
            text.parse().ok().filter(|count| (1..=max).contains(count)),
            format!("a number from 1 to {max}"),
        ),
    };
    parsed.ok_or(Senseless { name: row.name, value: text, expected })
}

fn parse_oversubscribed(text: &str) -> Result<Option<bool>, String> {
    match text {
        "" => Ok(None),
        "yes" => Ok(Some(true)),
        "no" => Ok(Some(false)),
        _ => Err(format!("{text:?} is neither")),
    }
}

/// The value of words in a form of their own.
fn text<T>(
    row: Words,
    variable: impl Fn(&str) -> Option<String>,
    parse: fn(&str) -> Result<T, String>,
) -> Result<T, Senseless> {
    let given = given(row.name, variable).unwrap_or_default();
    parse(&given).map_err(|why| Senseless {
        name: row.name,
        value: given,
        expected: format!("{} ({why})", row.form),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_environment_gives_the_defaults() {
        let tunables = Tunables::read(|_| Some(String::new())).unwrap();
        assert_eq!(tunables, Tunables::default());
        assert!(tunables.fastbox && tunables.cma);
        assert_eq!(tunables.eager_max_bytes, crate::EAGER_BULK_MAX_BYTES);
        assert_eq!(tunables.packet_max_bytes, crate::LONG_PACKET_MAX_BYTES);
    }

    #[test]
    fn every_row_is_read_by_its_name() {
        for row in TABLE {
            let text = match row.kind {
                Kind::Switch { default: true } => "off",
                Kind::Switch { default: false } => "on",
                _ => "7",
            };
            let changed =
                Tunables::read(|name| (name == row.name).then(|| text.to_owned())).unwrap();
            assert_ne!(changed, Tunables::default(), "{}", row.name);
        }
        for words in WORDS {
            let word = match words.name {
                name if name == THREAD_LEVEL.name => "multiple",
                name if name == OVERSUBSCRIBED.name => "yes",
                _ => "7",
            };
            let changed =
                Tunables::read(|name| (name == words.name).then(|| word.to_owned())).unwrap();
            assert_ne!(changed, Tunables::default(), "{}", words.name);
        }
    }

    #[test]
    fn a_former_name_is_read_unless_there_is_the_name_of_today() {
        for (former, today) in RENAMED {
            let old = Tunables::read(|name| (name == former).then(|| "yes".to_owned())).unwrap();
            let new = Tunables::read(|name| (name == today).then(|| "yes".to_owned())).unwrap();
            assert!(old == new && old != Tunables::default(), "{former}");
            let both = Tunables::read(|name| {
                [(former, "no"), (today, "yes")]
                    .into_iter()
                    .find(|(n, _)| *n == name)
                    .map(|(_, v)| v.to_owned())
            });
            assert_eq!(both.unwrap(), new, "{today}");
        }
    }

    #[test]
    fn nonsense_is_named() {
        let nonsense = [
            (FASTBOX.name, "0"),
            (EAGER_MAX_BYTES.name, "1048577"),
            (EAGER_MAX_BYTES.name, "-1"),
            (CMA.name, "OFF"),
            (NET.name, "10.0.0.0/99"),
            (PORTS.name, "9:1"),
            (PACKET_MAX_BYTES.name, "0"),
            (CELLS.name, "65"),
            (THREAD_LEVEL.name, "several"),
            (OVERSUBSCRIBED.name, "on"),
        ];
        for (name, text) in nonsense {
            let refused =
                Tunables::read(|asked| (asked == name).then(|| text.to_owned())).unwrap_err();
            assert_eq!((refused.name, refused.value.as_str()), (name, text));
            assert!(refused.to_string().contains(name));
        }
    }
}
