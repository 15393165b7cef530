//! Objects of the machine (hardware threads, cores, memory nodes, sockets), and the order in which
//! ranks get them.

use crate::launch_error::LaunchError;
use nemesis_sys::hardware;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// What is bound to or mapped by: `count` objects of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Object {
    pub kind: Kind,
    pub count: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
/// A kind of object of the machine, from small to large.
pub enum Kind {
    /// No binding, or no order.
    None,
    /// A share of the cores.
    Share,
    Thread,
    Core,
    Numa,
    Socket,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
/// What ranks are bound to, and in which order objects are given out.
pub struct Binding {
    pub to: Object,
    pub map: Object,
}

impl Object {
    /// Returns one object of this kind.
    pub const fn one(kind: Kind) -> Object {
        Object { kind, count: 1 }
    }
}

/// Returns the binding that the options `-bind-to` and `-map-by` ask for.
///
/// # Errors
///
/// Returns a message if the options contradict each other.
pub fn chosen(to: Option<Object>, map: Option<Object>) -> Result<Binding, LaunchError> {
    let none = Object::one(Kind::None);
    let is_mapped = map.is_some_and(|map| map.kind != Kind::None);
    let to = match to {
        Some(to) if to.kind == Kind::Share && is_mapped => {
            return Err(LaunchError::new(
                "-bind-to share: shares are in the order of the cores, so no -map-by applies",
                "-bind-to core",
            ));
        }
        Some(to) => to,
        // With -map-by alone ranks are not bound, as with other launchers.
        None if is_mapped => none,
        None => Object::one(Kind::Share),
    };
    Ok(Binding { to, map: map.unwrap_or(none) })
}

/// Reads an object such as `core`, `core:2` or `socket:overload-allowed`.
pub fn object(text: &str) -> Result<Object, LaunchError> {
    let mut words = text.split(':');
    let kind = match words.next().unwrap_or_default() {
        "none" => Kind::None,
        "share" => Kind::Share,
        "hwthread" | "pu" => Kind::Thread,
        "core" => Kind::Core,
        "numa" => Kind::Numa,
        "socket" | "package" => Kind::Socket,
        other => {
            return Err(LaunchError::new(
                format!("-bind-to {other}: there is no such object"),
                "core, core:N, socket, numa, hwthread, share or none",
            ));
        }
    };
    let mut count = 1;
    for word in words {
        match word.parse::<u32>() {
            Ok(number) if number > 0 => count = number,
            _ if matches!(
                word.to_ascii_lowercase().as_str(),
                "overload-allowed" | "if-supported" | "oversubscribe" | "nooversubscribe"
            ) => {}
            _ => {
                return Err(LaunchError::new(
                    format!("-bind-to {text}: {word:?} is not a number of objects"),
                    format!("{0} or {0}:2", text.split(':').next().unwrap_or_default()),
                ));
            }
        }
    }
    Ok(Object { kind, count })
}

/// A logical processor and its place in the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Processor {
    pub number: usize,
    pub core: u32,
    pub socket: u32,
    pub numa: u32,
}

/// Reads the machine from `/sys`, reduced to the processors in `allowed`.
pub fn machine(sys: &Path, allowed: &[usize]) -> Vec<Processor> {
    let numa = numa_nodes(sys);
    let topology = |number: usize, name: &str| -> Option<u32> {
        let path = sys.join(format!("devices/system/cpu/cpu{number}/topology/{name}"));
        fs::read_to_string(path).ok()?.trim().parse().ok()
    };
    let first_thread = |number: usize| -> Option<u32> {
        let path =
            sys.join(format!("devices/system/cpu/cpu{number}/topology/thread_siblings_list"));
        hardware::parse(fs::read_to_string(path).ok()?.trim())?.first().copied()
    };
    let processor = |&number: &usize| Processor {
        number,
        // A core is named by its first thread, because core numbers may repeat within a socket.
        // Without any information each processor is a core of one socket.
        core: first_thread(number).or_else(|| topology(number, "core_id")).unwrap_or(number as u32),
        socket: topology(number, "physical_package_id").unwrap_or(0),
        numa: numa.get(&number).copied().unwrap_or(0),
    };
    allowed.iter().map(processor).collect()
}

/// Returns the memory node of each processor.
fn numa_nodes(sys: &Path) -> BTreeMap<usize, u32> {
    let mut nodes = BTreeMap::new();
    for entry in fs::read_dir(sys.join("devices/system/node")).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(node) = name.to_str().and_then(|name| name.strip_prefix("node")?.parse().ok())
        else {
            continue;
        };
        let list = fs::read_to_string(entry.path().join("cpulist")).unwrap_or_default();
        nodes.extend(
            hardware::parse(list.trim())
                .unwrap_or_default()
                .into_iter()
                .map(|number| (number as usize, node)),
        );
    }
    nodes
}

/// Returns the processors of the rank with number `local` on this host, or `None` if it is not
/// bound.
pub fn processors_of(machine: &[Processor], binding: &Binding, local: usize) -> Option<Vec<usize>> {
    if binding.to.kind <= Kind::Share || machine.is_empty() {
        return None;
    }
    let units = in_order(machine, binding);
    let count = binding.to.count as usize;
    let chosen = (local * count..local * count + count.min(units.len()))
        .flat_map(|unit| units[unit % units.len()].iter());
    let mut numbers: Vec<usize> = chosen.map(|processor| processor.number).collect();
    numbers.sort_unstable();
    Some(numbers)
}

/// Returns the objects to bind to, in the order in which they are given out.
fn in_order(machine: &[Processor], binding: &Binding) -> Vec<Vec<Processor>> {
    let mut units: BTreeMap<(u32, u32, u32), Vec<Processor>> = BTreeMap::new();
    for processor in machine {
        units.entry(identity(processor, binding.to.kind)).or_default().push(*processor);
    }
    let units: Vec<Vec<Processor>> = units.into_values().collect();
    if binding.map.kind <= binding.to.kind {
        return units;
    }
    // One object from each larger object in its turn.
    let mut larger: BTreeMap<(u32, u32, u32), Vec<Vec<Processor>>> = BTreeMap::new();
    for unit in units {
        larger.entry(identity(&unit[0], binding.map.kind)).or_default().push(unit);
    }
    let most = larger.values().map(Vec::len).max().unwrap_or(0);
    (0..most)
        .flat_map(|turn| larger.values().filter_map(move |units| units.get(turn).cloned()))
        .collect()
}

/// Returns a key that identifies the object to which a processor belongs; keys are in the order of
/// the machine.
pub fn identity(processor: &Processor, kind: Kind) -> (u32, u32, u32) {
    match kind {
        Kind::None | Kind::Share | Kind::Thread => {
            (processor.socket, processor.core, processor.number as u32)
        }
        Kind::Core => (processor.socket, processor.core, 0),
        Kind::Numa => (processor.numa, 0, 0),
        Kind::Socket => (processor.socket, 0, 0),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Returns a machine of two sockets with `cores` cores each and two threads per core. As on
    /// real machines, second threads have the greater numbers.
    pub fn two_sockets(cores: u32) -> Vec<Processor> {
        let socket = |number: u32| number % (2 * cores) / cores;
        let processor = |number| Processor {
            number: number as usize,
            core: number % cores,
            socket: socket(number),
            numa: socket(number),
        };
        (0..4 * cores).map(processor).collect()
    }

    fn bound(to: &str, map: &str, ranks: usize) -> Vec<Vec<usize>> {
        let binding = Binding { to: object(to).unwrap(), map: object(map).unwrap() };
        (0..ranks).map(|local| processors_of(&two_sockets(2), &binding, local).unwrap()).collect()
    }

    #[test]
    fn ranks_get_their_objects_in_order() {
        assert_eq!(bound("core", "none", 5), [[0, 4], [1, 5], [2, 6], [3, 7], [0, 4]]);
        assert_eq!(bound("core", "socket", 4), [[0, 4], [2, 6], [1, 5], [3, 7]]);
        assert_eq!(bound("core:2", "none", 3), [[0, 1, 4, 5], [2, 3, 6, 7], [0, 1, 4, 5]]);
        assert_eq!(bound("socket", "core", 3), [[0, 1, 4, 5], [2, 3, 6, 7], [0, 1, 4, 5]]);
        assert_eq!(bound("hwthread:overload-allowed", "numa", 3), [[0], [2], [4]]);
        assert_eq!(bound("numa:9", "none", 1), [[0, 1, 2, 3, 4, 5, 6, 7]]);
    }

    #[test]
    fn only_allowed_processors_are_given_out() {
        let machine: Vec<Processor> = two_sockets(2)
            .into_iter()
            .filter(|processor| [3, 6].contains(&processor.number))
            .collect();
        let binding = Binding { to: object("core").unwrap(), map: object("none").unwrap() };
        let bound = |local| processors_of(&machine, &binding, local).unwrap();
        assert_eq!([bound(0), bound(1), bound(2)], [[6], [3], [6]]);
        assert_eq!(
            processors_of(&machine, &Binding { to: object("none").unwrap(), ..binding }, 0),
            None
        );
    }

    #[test]
    fn the_machine_is_read_from_sys() {
        let sys = std::env::temp_dir().join(format!("nemesis-test-sys-{}", std::process::id()));
        for number in 0..2 {
            let topology = sys.join(format!("devices/system/cpu/cpu{number}/topology"));
            fs::create_dir_all(&topology).unwrap();
            fs::write(topology.join("core_id"), format!("{}\n", number + 7)).unwrap();
            fs::write(topology.join("physical_package_id"), "3\n").unwrap();
        }
        fs::create_dir_all(sys.join("devices/system/node/node1")).unwrap();
        fs::write(sys.join("devices/system/node/node1/cpulist"), "1-1,9\n").unwrap();
        let machine = machine(&sys, &[0, 1, 2]);
        fs::remove_dir_all(&sys).unwrap();
        assert_eq!(machine[1], Processor { number: 1, core: 8, socket: 3, numa: 1 });
        assert_eq!(machine[2], Processor { number: 2, core: 2, socket: 0, numa: 0 });
    }

    #[test]
    fn an_unknown_object_is_named() {
        assert!(object("moon").unwrap_err().what.contains("moon"));
        assert!(object("core:many").unwrap_err().what.contains("many"));
    }
}
