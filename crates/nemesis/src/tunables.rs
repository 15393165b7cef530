//! Tunables: what the environment may change, and why a user would.
//!
//! The library measures and chooses by itself, and runs well without any of these. A tunable
//! switches off a mechanism that is suspected of a fault, or lets tests cross every boundary
//! between protocols with small messages. MPI reads the tunables once, when it starts. An invalid
//! value ends the start with a message that names it. All processes of a job should have the same
//! values.

use crate::forced::Forced;
use crate::limits::EAGER_BULK_MAX_BYTES;
use crate::network_names::NetworkName;
use crate::protocols;
use nemesis_netmod_tcp::{Choice, Ports};
use nemesis_netmod_verbs::Tuning;
use std::fmt;

/// A tunable that is a switch or a number: what the documentation and the tool interface tell of
/// it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name of the environment variable.
    pub name: &'static str,
    /// The values that the tunable takes.
    pub kind: Kind,
    /// What the tunable does, and why a user would set it.
    pub why: &'static str,
}

/// The values that a tunable takes, and its default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `on` or `off`.
    Switch {
        /// The value if the variable is not set.
        default: bool,
    },
    /// A number of bytes.
    Bytes {
        /// The value if the variable is not set.
        default: usize,
        /// Least value.
        min: usize,
        /// Greatest value.
        max: usize,
    },
    /// A count of at least 1.
    Count {
        /// The value if the variable is not set.
        default: usize,
        /// Greatest value.
        max: usize,
    },
}

/// A tunable that is text. It is empty if the variable is not set.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    /// Name of the environment variable.
    pub name: &'static str,
    /// The form of the text, for messages.
    pub form: &'static str,
    /// What the tunable does, and why a user would set it.
    pub why: &'static str,
}

/// `NEMESIS_FASTBOX`: whether pairs of processes have fastboxes.
pub const FASTBOX: Row = Row {
    name: "NEMESIS_FASTBOX",
    kind: Kind::Switch { default: true },
    why: "off: every packet takes the receiver's queue instead of the fastbox of a pair of \
          processes; shows whether the fastboxes cause a fault",
};

/// `NEMESIS_CMA`: whether the kernel copies large messages.
pub const CMA: Row = Row {
    name: "NEMESIS_CMA",
    kind: Kind::Switch { default: true },
    why: "off: processes of a node copy large messages through shared memory instead of having \
          the kernel copy them (process_vm_readv), as they do on hosts where the kernel refuses \
          such copies",
};

/// `NEMESIS_EAGER_MAX_BYTES`: the longest eager message.
pub const EAGER_MAX_BYTES: Row = Row {
    name: "NEMESIS_EAGER_MAX_BYTES",
    kind: Kind::Bytes { default: EAGER_BULK_MAX_BYTES, min: 0, max: EAGER_BULK_MAX_BYTES },
    why: "the longest message that is sent before its receive is posted (eager); longer ones are \
          announced and wait for the receive (rendezvous); 0 shows whether a program relies on \
          sends that return at once",
};

/// `NEMESIS_UNEXPECTED_MAX_BYTES`: the unexpected messages that a process keeps of another one.
pub const UNEXPECTED_MAX_BYTES: Row = Row {
    name: "NEMESIS_UNEXPECTED_MAX_BYTES",
    kind: Kind::Bytes { default: 4 << 20, min: 0, max: 1 << 40 },
    why: "bytes of eager messages without a receive that a process keeps from each other process; \
          a process that has sent more announces every message until they are received",
};

/// `NEMESIS_PACKET_MAX_BYTES`: the bytes of a message in one packet.
pub const PACKET_MAX_BYTES: Row = Row {
    name: "NEMESIS_PACKET_MAX_BYTES",
    kind: Kind::Bytes {
        default: crate::LONG_PACKET_MAX_BYTES,
        min: 1,
        max: crate::LONG_PACKET_MAX_BYTES,
    },
    why: "the greatest number of bytes of a message in one packet; a small value splits short \
          messages into several packets, also within elements, for tests",
};

/// `NEMESIS_CELLS`: the cells of a process.
pub const CELLS: Row = Row {
    name: "NEMESIS_CELLS",
    kind: Kind::Count { default: nemesis_shm::layout::CELLS, max: nemesis_shm::layout::CELLS },
    why: "the number of cells, the buffers in which a process passes packets to the queues of \
          others; with few, it soon waits for receivers to return them, for tests",
};

/// `NEMESIS_LANES`: the lanes of a process.
pub const LANES: Row = Row {
    name: "NEMESIS_LANES",
    kind: Kind::Count { default: crate::limits::LANES_MAX, max: crate::limits::LANES_MAX },
    why: "the number of lanes, the engines among which a process distributes its communicators if \
          it has MPI_THREAD_MULTIPLE, so that threads with communicators of their own do not \
          disturb each other; those of several nodes are distributed among up to four; with 1, \
          only communicators have a lane that ask for it (nemesis_lane)",
};

/// `NEMESIS_SHM`: whether processes of a node use shared memory.
pub const SHM: Row = Row {
    name: "NEMESIS_SHM",
    kind: Kind::Switch { default: true },
    why: "off: processes of one node communicate over the network, as if each were on its own node",
};

/// `NEMESIS_NET`: the networks of the host that the job uses.
pub const NET: Words = Words {
    name: "NEMESIS_NET",
    form: "interfaces and networks like eth0,10.1.0.0/16,^docker0",
    why: "the interfaces and networks that the job uses, in order of preference, without those \
          behind ^; set it if the library's own choice does not work",
};

/// `NEMESIS_NETWORKS`: the kinds of networks between nodes.
pub const NETWORKS: Words = Words {
    name: "NEMESIS_NETWORKS",
    form: "names of networks, separated by commas, like verbs,tcp",
    why: "the networks between nodes; two processes use the first one that both hosts have and \
          that connects them; tcp:BYTES limits its packets, for tests; verbs is InfiniBand, \
          RoCE and iWARP, verbs:NAME+NAME with the devices of these names; ofi and ofi:PROVIDER \
          use libfabric; a path with a slash is a network module in C (nemesis_netmod.h)",
};

/// `NEMESIS_OFI_LIBRARY`: the file of libfabric.
pub const OFI_LIBRARY: Words = Words {
    name: "NEMESIS_OFI_LIBRARY",
    form: "the path of a file",
    why: "the libfabric that the network ofi opens (default: libfabric.so.1 of the system)",
};

/// `NEMESIS_PORTS`: the ports on which a process listens.
pub const PORTS: Words = Words {
    name: "NEMESIS_PORTS",
    form: "FIRST:LAST",
    why: "the TCP ports on which processes listen; set it if a firewall admits only some ports; \
          with mpiexec -port-range one port for each host suffices for TCP; each process with an \
          iWARP device takes one more",
};

/// `NEMESIS_VERBS`: settings of the InfiniBand network.
pub const VERBS: Words = Words {
    name: "NEMESIS_VERBS",
    form: Tuning::FORM,
    why: "settings of the network verbs, separated by commas: library=PATH names another \
          libibverbs, window=COUNT the packets that a process may send without a credit; \
          eager-poking, fast-path, header-caching and remote-memory are mechanisms that =off \
          switches off, to see whether they cause a fault; gid-index=N chooses the address of a \
          RoCE port, pkey=0xNNNN the partition, and service-level=N and traffic-class=N those of \
          packets",
};

/// `NEMESIS_ENCRYPT`: whether packets of networks are encrypted.
pub const ENCRYPT: Row = Row {
    name: "NEMESIS_ENCRYPT",
    kind: Kind::Switch { default: false },
    why: "on: packets between nodes are encrypted and authenticated, for networks that others can \
          reach; all processes of a job need the same value",
};

/// `NEMESIS_PROTOCOL`: protocols that carry a range of lengths by force.
pub const PROTOCOL: Words = Words {
    name: "NEMESIS_PROTOCOL",
    form: "name[:min-[max]], separated by commas",
    why: "protocols of point-to-point messages for a range of lengths in bytes; the first that can \
          serve the other process is used, and otherwise the library chooses; `nemesis info \
          --protocols` lists them; for tests and tuning; all processes need the same value",
};

/// `NEMESIS_OVERSUBSCRIBED`: whether the node has more processes than processors.
pub const OVERSUBSCRIBED: Words = Words {
    name: "NEMESIS_OVERSUBSCRIBED",
    form: "yes or no",
    why: "whether a node has more processes than processors that they may use; with yes, waiting \
          processes yield their processor at once; set it if the library judges wrongly",
};

/// `NEMESIS_THREAD_LEVEL`: the least thread level that MPI provides.
pub const THREAD_LEVEL: Words = Words {
    name: "NEMESIS_THREAD_LEVEL",
    form: "single, funneled, serialized or multiple",
    why: "the least thread level that MPI provides; set it for a program that has threads but \
          calls MPI_Init instead of MPI_Init_thread",
};

/// `NEMESIS_GPU`: whether buffers may lie in memory of graphics processors.
pub const GPU: Words = Words {
    name: nemesis_gpu::VARIABLE,
    form: "on or off",
    why: "whether buffers may lie in memory of graphics processors; unless it is set, they may if \
          the host has such a device, or if its driver is loaded when MPI starts; off saves short \
          messages the question on hosts with a device",
};

/// `NEMESIS_GPU_DIRECT_MIN_BYTES`: the shortest messages that go from device to device.
pub const GPU_DIRECT_MIN_BYTES: Row = Row {
    name: "NEMESIS_GPU_DIRECT_MIN_BYTES",
    kind: Kind::Bytes { default: 64 << 10, min: 1, max: 1 << 62 },
    why: "the shortest message between devices of a host that the receiver's device reads from the \
          sender's; shorter ones, and with a large value all, are copied through the host's memory",
};

/// `NEMESIS_TUNING`: a file of choices.
pub const TUNING: Words = Words {
    name: "NEMESIS_TUNING",
    form: "the path of a file",
    why: "a file of choices: a line has the name of an operation, such as allreduce, and a value \
          as NEMESIS_ALLTOALL describes it, or the word protocol and a value of NEMESIS_PROTOCOL; \
          # begins a comment; all processes need the same choices",
};

/// `NEMESIS_VERBOSE`: whether a process reports its networks.
pub const VERBOSE: Row = Row {
    name: "NEMESIS_VERBOSE",
    kind: Kind::Switch { default: false },
    why: "on: each process prints on standard error which networks it uses and which connections \
          it refuses",
};

/// `NEMESIS_CHECK`: whether the process checks how the program uses MPI.
pub const CHECK: Row = Row {
    name: "NEMESIS_CHECK",
    kind: Kind::Switch { default: false },
    why: "on: development checks, as mpiexec -check asks for them: types of messages, use of \
          buffers, sends that rely on buffering, requests, messages and objects left at the end",
};

/// All tunables that are switches or numbers.
pub const TABLE: [Row; 12] = [
    FASTBOX,
    CMA,
    EAGER_MAX_BYTES,
    UNEXPECTED_MAX_BYTES,
    GPU_DIRECT_MIN_BYTES,
    PACKET_MAX_BYTES,
    CELLS,
    LANES,
    SHM,
    ENCRYPT,
    VERBOSE,
    CHECK,
];

/// All tunables that are text.
pub const WORDS: [Words; 10] =
    [NET, NETWORKS, VERBS, OFI_LIBRARY, PORTS, PROTOCOL, OVERSUBSCRIBED, THREAD_LEVEL, GPU, TUNING];

/// Renamed variables: the former name, and the present name. This version reads the former names,
/// too.
const RENAMED: [(&str, &str); 1] = [("NEMESIS_CROWDED", OVERSUBSCRIBED.name)];

/// Returns the value of the variable `name` or, if it is not set, of its former name.
fn given(name: &str, variable: impl Fn(&str) -> Option<String>) -> Option<String> {
    let former = || {
        RENAMED.iter().find(|(_, today)| *today == name).and_then(|(former, _)| variable(former))
    };
    variable(name).or_else(former)
}

/// Returns the former names of variables, which this version reads, too.
pub fn former_names() -> impl Iterator<Item = &'static str> {
    RENAMED.into_iter().map(|(former, _)| former)
}

/// Prints a warning for each variable that the environment sets by its former name.
pub(crate) fn warn_of_former_names() {
    for (former, today) in RENAMED.iter().filter(|(former, _)| std::env::var_os(former).is_some()) {
        nemesis_sys::message::tell(format_args!(
            "nemesis: the environment variable {former} is called {today} now; the next version \
             ignores the former name"
        ));
    }
}

/// Thread levels of MPI (MPI 5.0 §11.6.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThreadLevel {
    /// `MPI_THREAD_SINGLE`: the process has one thread.
    #[default]
    Single,
    /// `MPI_THREAD_FUNNELED`: only the main thread calls MPI.
    Funneled,
    /// `MPI_THREAD_SERIALIZED`: one thread at a time calls MPI.
    Serialized,
    /// `MPI_THREAD_MULTIPLE`: any threads call MPI at any time.
    Multiple,
}

impl ThreadLevel {
    fn parse(text: &str) -> Result<ThreadLevel, String> {
        match text {
            "" | "single" => Ok(ThreadLevel::Single),
            "funneled" => Ok(ThreadLevel::Funneled),
            "serialized" => Ok(ThreadLevel::Serialized),
            "multiple" => Ok(ThreadLevel::Multiple),
            _ => Err(format!("no thread level is called {text:?}")),
        }
    }
}

/// The values of the tunables in this process. The constants of this module document them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tunables {
    /// [`FASTBOX`]
    pub fastbox: bool,
    /// [`CMA`]
    pub cma: bool,
    /// [`EAGER_MAX_BYTES`]
    pub eager_max_bytes: usize,
    /// [`UNEXPECTED_MAX_BYTES`]
    pub unexpected_max_bytes: usize,
    /// [`PACKET_MAX_BYTES`]
    pub packet_max_bytes: usize,
    /// [`CELLS`]
    pub cells: usize,
    /// [`LANES`]
    pub lanes: usize,
    /// [`SHM`]
    pub shm: bool,
    /// [`NET`]
    pub net: Choice,
    /// [`NETWORKS`]
    pub networks: Vec<NetworkName>,
    /// [`VERBS`]
    pub verbs: Tuning,
    /// [`OFI_LIBRARY`]; empty for the system's.
    pub ofi_library: String,
    /// [`PORTS`]
    pub ports: Ports,
    /// [`ENCRYPT`]
    pub encrypt: bool,
    /// [`PROTOCOL`]
    pub protocol: Vec<Forced>,
    /// [`OVERSUBSCRIBED`]; `None` if the process decides.
    pub oversubscribed: Option<bool>,
    /// [`THREAD_LEVEL`]
    pub thread_level: ThreadLevel,
    /// [`GPU`]
    pub gpu: nemesis_gpu::Mode,
    /// [`GPU_DIRECT_MIN_BYTES`]
    pub gpu_direct_min_bytes: usize,
    /// [`TUNING`]; empty if there is none. The layers that choose read the file.
    pub tuning: String,
    /// [`VERBOSE`]
    pub verbose: bool,
    /// [`CHECK`]
    pub check: bool,
}

/// Error: the value of an environment variable is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidValue {
    /// Name of the environment variable.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// What the value must be.
    pub expected: String,
}

impl fmt::Display for InvalidValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the environment variable {} is \"{}\", it must be {}",
            self.name, self.value, self.expected
        )
    }
}

impl std::error::Error for InvalidValue {}

impl Tunables {
    /// Reads the tunables from the environment.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] names the first variable whose value is invalid.
    pub fn from_environment() -> Result<Tunables, InvalidValue> {
        Tunables::read(|name| std::env::var(name).ok())
    }

    /// Reads the tunables. `variable` returns the value of an environment variable.
    ///
    /// # Errors
    ///
    /// [`InvalidValue`] names the first variable whose value is invalid.
    ///
    /// # Examples
    ///
    /// ```
    /// use nemesis::Tunables;
    ///
    /// let without_fastboxes = |name: &str| (name == "NEMESIS_FASTBOX").then(|| "off".to_owned());
    /// assert!(!Tunables::read(without_fastboxes).unwrap().fastbox);
    /// assert!(Tunables::default().fastbox);
    ///
    /// let invalid = |name: &str| (name == "NEMESIS_CELLS").then(|| "many".to_owned());
    /// assert_eq!(Tunables::read(invalid).unwrap_err().name, "NEMESIS_CELLS");
    /// ```
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Tunables, InvalidValue> {
        Ok(Tunables {
            fastbox: value(FASTBOX, &variable)? != 0,
            cma: value(CMA, &variable)? != 0,
            eager_max_bytes: value(EAGER_MAX_BYTES, &variable)?,
            unexpected_max_bytes: value(UNEXPECTED_MAX_BYTES, &variable)?,
            packet_max_bytes: value(PACKET_MAX_BYTES, &variable)?,
            cells: value(CELLS, &variable)?,
            lanes: value(LANES, &variable)?,
            shm: value(SHM, &variable)? != 0,
            net: text(NET, &variable, Choice::parse)?,
            networks: text(NETWORKS, &variable, NetworkName::parse_list)?,
            verbs: text(VERBS, &variable, Tuning::parse)?,
            ofi_library: text(OFI_LIBRARY, &variable, |path| Ok(path.to_owned()))?,
            ports: text(PORTS, &variable, Ports::parse)?,
            encrypt: value(ENCRYPT, &variable)? != 0,
            protocol: text(PROTOCOL, &variable, protocols::parse_forced)?,
            oversubscribed: text(OVERSUBSCRIBED, &variable, parse_oversubscribed)?,
            thread_level: text(THREAD_LEVEL, &variable, ThreadLevel::parse)?,
            gpu: text(GPU, &variable, nemesis_gpu::Mode::parse)?,
            gpu_direct_min_bytes: value(GPU_DIRECT_MIN_BYTES, &variable)?,
            tuning: text(TUNING, &variable, |path| Ok(path.to_owned()))?,
            verbose: value(VERBOSE, &variable)? != 0,
            check: value(CHECK, &variable)? != 0,
        })
    }
}

impl Default for Tunables {
    fn default() -> Tunables {
        Tunables::read(|_| None).expect("the defaults are valid")
    }
}

/// Returns the value of a row as a number; a switch is 0 or 1. An empty variable counts as not set.
///
/// # Errors
///
/// [`InvalidValue`] if the value is invalid.
pub fn value(row: Row, variable: impl Fn(&str) -> Option<String>) -> Result<usize, InvalidValue> {
    let given = given(row.name, variable).filter(|text| !text.is_empty());
    let Some(text) = given else {
        return Ok(match row.kind {
            Kind::Switch { default } => usize::from(default),
            Kind::Bytes { default, .. } => default,
            Kind::Count { default, .. } => default,
        });
    };
    let (parsed, expected) = match row.kind {
        Kind::Switch { .. } => match text.as_str() {
            "on" | "1" => (Some(1), String::new()),
            "off" | "0" => (Some(0), String::new()),
            _ => (None, "on (or 1) or off (or 0)".to_owned()),
        },
        Kind::Bytes { min, max, .. } => (
            text.parse().ok().filter(|bytes| (min..=max).contains(bytes)),
            format!("a number of bytes from {min} to {max}"),
        ),
        Kind::Count { max, .. } => (
            text.parse().ok().filter(|count| (1..=max).contains(count)),
            format!("a number from 1 to {max}"),
        ),
    };
    parsed.ok_or(InvalidValue { name: row.name, value: text, expected })
}

fn parse_oversubscribed(text: &str) -> Result<Option<bool>, String> {
    match text {
        "" => Ok(None),
        "yes" => Ok(Some(true)),
        "no" => Ok(Some(false)),
        _ => Err(format!("{text:?} is neither")),
    }
}

/// Parses the value of a tunable that is text.
fn text<T>(
    row: Words,
    variable: impl Fn(&str) -> Option<String>,
    parse: fn(&str) -> Result<T, String>,
) -> Result<T, InvalidValue> {
    let given = given(row.name, variable).unwrap_or_default();
    parse(&given).map_err(|why| InvalidValue {
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
        assert_eq!(tunables.eager_max_bytes, EAGER_BULK_MAX_BYTES);
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
                name if name == GPU.name => "off",
                name if name == PROTOCOL.name => "cell:100-",
                name if name == NETWORKS.name => "tcp:4096",
                name if name == VERBS.name => "window=32",
                _ => "7",
            };
            let changed =
                Tunables::read(|name| (name == words.name).then(|| word.to_owned())).unwrap();
            assert_ne!(changed, Tunables::default(), "{}", words.name);
        }
    }

    #[test]
    fn a_former_name_is_read_unless_the_present_name_is_set() {
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
    fn invalid_values_are_named() {
        let invalid = [
            (FASTBOX.name, "2"),
            (EAGER_MAX_BYTES.name, "1048577"),
            (EAGER_MAX_BYTES.name, "-1"),
            (CMA.name, "OFF"),
            (NET.name, "10.0.0.0/99"),
            (PORTS.name, "9:1"),
            (NETWORKS.name, "myrinet"),
            (VERBS.name, "window=0"),
            (PACKET_MAX_BYTES.name, "0"),
            (CELLS.name, "65"),
            (THREAD_LEVEL.name, "several"),
            (OVERSUBSCRIBED.name, "on"),
            (GPU.name, "auto"),
            (PROTOCOL.name, "pigeon"),
            (PROTOCOL.name, "cell:9"),
        ];
        for (name, text) in invalid {
            let refused =
                Tunables::read(|asked| (asked == name).then(|| text.to_owned())).unwrap_err();
            assert_eq!((refused.name, refused.value.as_str()), (name, text));
            assert!(refused.to_string().contains(name));
        }
    }
}
