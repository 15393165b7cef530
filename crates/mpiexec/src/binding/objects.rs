//! Objects of the machine (hardware threads, cores, memory nodes, sockets), and the order in which
//! ranks get them.

use crate::launch_error::LaunchError;
use nemesis_sys::{hardware, process};
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
    /// Processors that the user lists.
    Listed,
    Thread,
    Core,
    Cache1,
    Cache2,
    Cache3,
    Numa,
    Socket,
}

/// What ranks are bound to, and in which order objects are given out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Binding {
    pub to: Object,
    pub map: Object,
    /// Consecutive ranks that each object of `map` gets; 0 for one in turn.
    pub per_object: u32,
    /// The processors of each rank of a host, again and again, if the user lists them.
    pub sets: Vec<Vec<usize>>,
    /// The processors that may be used; empty for all.
    pub only: Vec<usize>,
    /// The cores of each rank of the job, if a file tells them.
    pub of_ranks: Vec<SlotSet>,
}

/// Cores of a host as a file of ranks names them, in the order of the machine.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SlotSet(Vec<Slots>);

/// Cores by their numbers in a socket, or in the host.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Slots {
    socket: Option<u32>,
    /// The first and the last core; `None` for all.
    cores: Option<(u32, u32)>,
}

impl SlotSet {
    /// Reads cores such as `0-1,3`, or `1:0-3` and `0:*` of a socket.
    pub fn read(text: &str) -> Option<SlotSet> {
        let slots = |word: &str| {
            let (socket, cores) = match word.split_once(':') {
                Some((socket, cores)) => (Some(socket.parse().ok()?), cores),
                None => (None, word),
            };
            let (first, last) = cores.split_once('-').unwrap_or((cores, cores));
            let cores = match cores {
                "*" => None,
                _ => Some((first.parse().ok()?, last.parse().ok()?)),
            };
            Some(Slots { socket, cores })
        };
        text.split(',').map(slots).collect::<Option<_>>().map(SlotSet)
    }

    /// Returns the processors of these cores.
    fn processors(&self, machine: &[Processor]) -> Vec<usize> {
        let units = in_order(machine, Kind::Core);
        let mut numbers = Vec::new();
        for Slots { socket, cores } in &self.0 {
            let of_socket =
                units.iter().filter(|unit| socket.is_none_or(|own| unit[0].socket == own));
            let chosen = of_socket.enumerate().filter(|(number, _)| {
                cores.is_none_or(|(first, last)| (first as usize..=last as usize).contains(number))
            });
            numbers.extend(chosen.flat_map(|(_, unit)| unit).map(|processor| processor.number));
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
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
    let (sets, only, of_ranks) = (Vec::new(), Vec::new(), Vec::new());
    Ok(Binding { to, map: map.unwrap_or(none), per_object: 0, sets, only, of_ranks })
}

/// Reads an object such as `core`, `core:2` or `socket:overload-allowed`.
pub fn object(text: &str) -> Result<Object, LaunchError> {
    let mut words = text.split(':');
    let kind = match words.next().unwrap_or_default() {
        // The whole host.
        "none" | "node" | "machine" | "board" => Kind::None,
        "share" => Kind::Share,
        "hwthread" | "pu" => Kind::Thread,
        "rr" => Kind::Listed,
        "core" => Kind::Core,
        "l1cache" | "l1dcache" => Kind::Cache1,
        "l2cache" => Kind::Cache2,
        "l3cache" => Kind::Cache3,
        "numa" | "numanode" => Kind::Numa,
        "socket" | "package" => Kind::Socket,
        other => {
            return Err(LaunchError::new(
                format!("-bind-to {other}: there is no such object"),
                "core, core:N, l3cache, numa, socket, hwthread, rr, user:LIST, share or none",
            ));
        }
    };
    let mut count = 1;
    for word in words {
        match word.parse::<u32>() {
            Ok(number) if number > 0 => count = number,
            _ if matches!(
                word.to_ascii_lowercase().as_str(),
                "overload-allowed"
                    | "no-overload"
                    | "if-supported"
                    | "limit"
                    | "oversubscribe"
                    | "nooversubscribe"
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
    /// The caches of levels 1 to 3, by the first processor of each.
    pub caches: [u32; 3],
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
    let processor = |&number: &usize| {
        // A core is named by its first thread, because core numbers may repeat within a socket.
        // Without any information each processor is a core of one socket.
        let core =
            first_thread(number).or_else(|| topology(number, "core_id")).unwrap_or(number as u32);
        let socket = topology(number, "physical_package_id").unwrap_or(0);
        let numa = numa.get(&number).copied().unwrap_or(0);
        Processor { number, core, socket, numa, caches: caches(sys, number, [core, core, socket]) }
    };
    allowed.iter().map(processor).collect()
}

/// Returns the caches of a processor; `unknown` are those that the kernel does not tell.
fn caches(sys: &Path, number: usize, unknown: [u32; 3]) -> [u32; 3] {
    let mut caches = unknown;
    let folder = sys.join(format!("devices/system/cpu/cpu{number}/cache"));
    for cache in fs::read_dir(folder).into_iter().flatten().flatten() {
        let text = |name: &str| fs::read_to_string(cache.path().join(name)).unwrap_or_default();
        let level =
            text("level").trim().parse::<usize>().ok().filter(|level| (1..=3).contains(level));
        let first =
            hardware::parse(text("shared_cpu_list").trim()).unwrap_or_default().first().copied();
        if let (Some(level), Some(first)) = (level, first)
            && text("type").trim() != "Instruction"
        {
            caches[level - 1] = first;
        }
    }
    caches
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

/// Returns the number of objects of a kind on this host that this process may use; at least 1.
pub fn objects_here(kind: Kind) -> u32 {
    let allowed = process::allowed_processors().unwrap_or_default();
    let machine = machine(Path::new("/sys"), &allowed);
    in_order(&machine, kind).len().max(1) as u32
}

/// Returns the processors of the rank with number `local` on this host, which is `rank` of the job,
/// or `None` if it is not bound.
pub fn processors_of(
    machine: &[Processor],
    binding: &Binding,
    local: usize,
    rank: u32,
) -> Option<Vec<usize>> {
    if binding.to.kind <= Kind::Share || machine.is_empty() {
        return None;
    }
    if binding.to.kind == Kind::Listed {
        let listed = listed(machine, binding, local, rank);
        return (!listed.is_empty()).then_some(listed);
    }
    let (units, first) = units_for(machine, binding, local);
    let count = binding.to.count as usize;
    let chosen =
        (first..first + count.min(units.len())).flat_map(|unit| units[unit % units.len()].iter());
    let mut numbers: Vec<usize> = chosen.map(|processor| processor.number).collect();
    numbers.sort_unstable();
    Some(numbers)
}

/// Returns the listed processors of a rank that may be used.
fn listed(machine: &[Processor], binding: &Binding, local: usize, rank: u32) -> Vec<usize> {
    let may = |number: &usize| machine.iter().any(|processor| processor.number == *number);
    match binding.of_ranks.get(rank as usize) {
        Some(set) => set.processors(machine),
        None if binding.sets.is_empty() => {
            // One after the other, in the order of the system's numbers.
            let mut numbers: Vec<usize> =
                machine.iter().map(|processor| processor.number).collect();
            numbers.sort_unstable();
            vec![numbers[local % numbers.len()]]
        }
        None => binding.sets[local % binding.sets.len()].iter().copied().filter(may).collect(),
    }
}

/// Returns the objects from which a rank gets its own, and the place of the first one.
fn units_for(
    machine: &[Processor],
    binding: &Binding,
    local: usize,
) -> (Vec<Vec<Processor>>, usize) {
    let (to, map, count) = (binding.to.kind, binding.map.kind, binding.to.count as usize);
    if binding.per_object > 0 && map >= Kind::Thread {
        // Consecutive ranks for each object.
        let per = binding.per_object as usize;
        let objects = in_order(machine, map);
        let object = &objects[local / per % objects.len()];
        let inside = match to <= map {
            true => in_order(object, to),
            false => vec![object_around(machine, object, to)],
        };
        return (inside, local % per * count);
    }
    let units = in_order(machine, to);
    if map <= to {
        return (units, local * count);
    }
    // One object from each larger object in its turn.
    let mut larger: BTreeMap<(u32, u32, u32), Vec<Vec<Processor>>> = BTreeMap::new();
    for unit in units {
        larger.entry(identity(&unit[0], map)).or_default().push(unit);
    }
    let most = larger.values().map(Vec::len).max().unwrap_or(0);
    let (turns, width) = (most.div_ceil(count), count);
    let piece = |units: &Vec<Vec<Processor>>, turn: usize| -> Vec<Vec<Processor>> {
        units.iter().skip(turn * width).take(width).cloned().collect()
    };
    let order = (0..turns).flat_map(|turn| larger.values().map(move |units| (units, turn)));
    let pieces = order.map(|(units, turn)| piece(units, turn)).filter(|piece| !piece.is_empty());
    // Each piece becomes one object, so that the objects of a rank lie in one larger object.
    let merged: Vec<Vec<Processor>> = pieces.map(|piece| piece.concat()).collect();
    let place = local % merged.len();
    (vec![merged[place].clone()], 0)
}

/// Returns the object of a kind that contains a smaller object.
fn object_around(machine: &[Processor], object: &[Processor], kind: Kind) -> Vec<Processor> {
    let of = identity(&object[0], kind);
    machine.iter().filter(|processor| identity(processor, kind) == of).copied().collect()
}

/// Returns the objects of a kind in the order of the machine.
fn in_order(machine: &[Processor], kind: Kind) -> Vec<Vec<Processor>> {
    let mut units: BTreeMap<(u32, u32, u32), Vec<Processor>> = BTreeMap::new();
    for processor in machine {
        units.entry(identity(processor, kind)).or_default().push(*processor);
    }
    units.into_values().collect()
}

/// Returns a key that identifies the object to which a processor belongs; keys are in the order of
/// the machine.
pub fn identity(processor: &Processor, kind: Kind) -> (u32, u32, u32) {
    match kind {
        Kind::None | Kind::Share | Kind::Listed | Kind::Thread => {
            (processor.socket, processor.core, processor.number as u32)
        }
        Kind::Core => (processor.socket, processor.core, 0),
        Kind::Cache1 => (processor.socket, processor.caches[0], 0),
        Kind::Cache2 => (processor.socket, processor.caches[1], 0),
        Kind::Cache3 => (processor.socket, processor.caches[2], 0),
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
            // Two cores share a cache of level 3.
            caches: [number % cores, number % cores, number % (2 * cores) / 2 * 2],
        };
        (0..4 * cores).map(processor).collect()
    }

    /// Returns a binding as the options `-bind-to` and `-map-by` give it.
    pub fn bind(to: &str, map: &str) -> Binding {
        chosen(Some(object(to).unwrap()), Some(object(map).unwrap())).unwrap()
    }

    fn bound(to: &str, map: &str, ranks: usize) -> Vec<Vec<usize>> {
        let binding = bind(to, map);
        let of = |local| processors_of(&two_sockets(2), &binding, local, local as u32).unwrap();
        (0..ranks).map(of).collect()
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
        let bound = |local| processors_of(&machine, &bind("core", "none"), local, 0).unwrap();
        assert_eq!([bound(0), bound(1), bound(2)], [[6], [3], [6]]);
        assert_eq!(processors_of(&machine, &bind("none", "none"), 0, 0), None);
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
        let cache = sys.join("devices/system/cpu/cpu1/cache/index3");
        fs::create_dir_all(&cache).unwrap();
        for (name, text) in [("level", "3\n"), ("type", "Unified\n"), ("shared_cpu_list", "0-1\n")]
        {
            fs::write(cache.join(name), text).unwrap();
        }
        fs::create_dir_all(sys.join("devices/system/node/node1")).unwrap();
        fs::write(sys.join("devices/system/node/node1/cpulist"), "1-1,9\n").unwrap();
        let machine = machine(&sys, &[0, 1, 2]);
        fs::remove_dir_all(&sys).unwrap();
        let caches = [8, 8, 0];
        assert_eq!(machine[1], Processor { number: 1, core: 8, socket: 3, numa: 1, caches });
        let caches = [2, 2, 0];
        assert_eq!(machine[2], Processor { number: 2, core: 2, socket: 0, numa: 0, caches });
    }

    #[test]
    fn caches_are_objects() {
        // Four cores in each socket, two of which share a cache.
        let machine = two_sockets(4);
        let of = |to: &str, map: &str, local| processors_of(&machine, &bind(to, map), local, 0);
        assert_eq!(of("l3cache", "none", 1).unwrap(), [2, 3, 10, 11]);
        assert_eq!(of("core", "l3cache", 1).unwrap(), [2, 10]);
        assert_eq!(of("core:2", "socket", 1).unwrap(), [4, 5, 12, 13]);
        assert_eq!(of("core:2", "socket", 2).unwrap(), [2, 3, 10, 11]);
    }

    #[test]
    fn objects_get_consecutive_ranks() {
        let machine = two_sockets(4);
        let of = |to: &str, local| {
            let binding = Binding { per_object: 2, ..bind(to, "socket") };
            processors_of(&machine, &binding, local, 0).unwrap()
        };
        assert_eq!(of("socket", 1), of("socket", 0));
        assert_eq!(of("socket", 2), [4, 5, 6, 7, 12, 13, 14, 15]);
        assert_eq!([of("core", 0), of("core", 1), of("core", 2)], [[0, 8], [1, 9], [4, 12]]);
        assert_eq!(of("core:2", 1), [2, 3, 10, 11]);
        assert_eq!(of("core", 4), of("core", 0));
    }

    #[test]
    fn listed_processors_are_given_out() {
        let machine = two_sockets(2);
        let listed = |sets: &[&[usize]], local| {
            let sets = sets.iter().map(|set| set.to_vec()).collect();
            processors_of(&machine, &Binding { sets, ..bind("rr", "none") }, local, 0)
        };
        assert_eq!(listed(&[&[0, 2], &[1]], 2), Some(vec![0, 2]));
        assert_eq!(listed(&[&[99]], 0), None);
        assert_eq!([listed(&[], 5), listed(&[], 9)], [Some(vec![5]), Some(vec![1])]);
        let slots = |text: &str| SlotSet::read(text).map(|set| set.processors(&machine));
        assert_eq!(slots("0,2-3"), Some(vec![0, 2, 3, 4, 6, 7]));
        assert_eq!(slots("1:0"), Some(vec![2, 6]));
        assert_eq!(slots("0:*,3"), Some(vec![0, 1, 3, 4, 5, 7]));
        assert_eq!([slots("x"), slots("1:"), slots("")], [None, None, None]);
        let of_ranks = ["0", "1:1"].map(|text| SlotSet::read(text).unwrap()).to_vec();
        let binding = Binding { of_ranks, ..bind("rr", "none") };
        assert_eq!(processors_of(&machine, &binding, 0, 1), Some(vec![3, 7]));
    }

    #[test]
    fn an_unknown_object_is_named() {
        assert!(object("moon").unwrap_err().what.contains("moon"));
        assert!(object("core:many").unwrap_err().what.contains("many"));
    }
}
