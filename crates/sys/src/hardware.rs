//! The parts of the machine to which a process may be confined: packages, memory nodes, caches and
//! cores, as `/sys` describes them.
//!
//! A thread is confined to a part if all processors on which it may run belong to that part. The
//! part's number is its lowest processor, which no other part of its kind has.

use std::fs;
use std::path::{Path, PathBuf};

/// A kind of part of the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The whole machine.
    Machine,
    Package,
    MemoryNode,
    Cache3,
    Cache2,
    Core,
    /// What the kernel counts as a processor.
    HardwareThread,
}

/// All kinds, the largest first.
pub const PARTS: [Part; 7] = [
    Part::Machine,
    Part::Package,
    Part::MemoryNode,
    Part::Cache3,
    Part::Cache2,
    Part::Core,
    Part::HardwareThread,
];

const PROCESSORS: &str = "/sys/devices/system/cpu";

/// Returns the part of a kind to which the calling thread is confined; `None` if it may leave the
/// part, or if the kernel does not tell.
pub fn confined_to(part: Part) -> Option<u32> {
    within(Path::new(PROCESSORS), part, &own_processors())
}

/// Returns whether the kernel describes the parts of this kind for the calling thread's processor.
pub fn is_known(part: Part) -> bool {
    own_processors()
        .first()
        .is_some_and(|&first| members(Path::new(PROCESSORS), part, first).is_some())
}

/// Returns the first two of `processors` that belong to different cores, as far as the kernel
/// tells.
pub fn two_cores(processors: &[usize]) -> Option<[usize; 2]> {
    two_cores_of(Path::new(PROCESSORS), processors)
}

fn two_cores_of(folder: &Path, processors: &[usize]) -> Option<[usize; 2]> {
    let &one = processors.first()?;
    let core = members(folder, Part::Core, one as u32).unwrap_or_default();
    let other = processors
        .iter()
        .copied()
        .find(|&other| other != one && !core.contains(&(other as u32)))?;
    Some([one, other])
}

/// The caches of one processor, as the kernel describes them; 0 for what it does not tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Caches {
    /// Bytes of the largest cache that no other core shares.
    pub private_bytes: usize,
    /// Bytes of the largest cache that other cores share.
    pub shared_bytes: usize,
    /// Number of processors that share that cache, this one included.
    pub sharers: usize,
}

/// Returns the caches of `processor`.
pub fn caches(processor: usize) -> Caches {
    caches_of(Path::new(PROCESSORS), processor as u32)
}

fn caches_of(folder: &Path, processor: u32) -> Caches {
    let core = members(folder, Part::Core, processor).unwrap_or_else(|| vec![processor]);
    let mut found = Caches::default();
    let entries = fs::read_dir(folder.join(format!("cpu{processor}/cache"))).into_iter().flatten();
    for cache in entries.flatten().map(|entry| entry.path()) {
        let text = |name: &str| fs::read_to_string(cache.join(name)).ok();
        if text("type").is_none_or(|kind| kind.trim() == "Instruction") {
            continue;
        }
        let bytes = text("size").and_then(|size| bytes(size.trim())).unwrap_or_default();
        let sharers = list(&cache.join("shared_cpu_list")).unwrap_or_default();
        if sharers.iter().all(|sharer| core.contains(sharer)) {
            found.private_bytes = found.private_bytes.max(bytes);
        } else if bytes > found.shared_bytes {
            (found.shared_bytes, found.sharers) = (bytes, sharers.len());
        }
    }
    found
}

/// Parses a number of bytes as the kernel writes it: "512K", "32M".
fn bytes(text: &str) -> Option<usize> {
    let units = [("K", 10), ("M", 20), ("G", 30), ("", 0)];
    let (number, shift) =
        units.into_iter().find_map(|(unit, shift)| Some((text.strip_suffix(unit)?, shift)))?;
    number.parse::<usize>().ok()?.checked_mul(1 << shift)
}

/// A processor of this host, and where it is: the lowest processors of its package and its core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub processor: u32,
    pub package: u32,
    pub core: u32,
}

/// Returns the positions of all processors of this host that are in use, by package and core.
pub fn positions() -> Vec<Position> {
    let folder = Path::new(PROCESSORS);
    let first = |part, processor| {
        members(folder, part, processor).and_then(|all| all.into_iter().min()).unwrap_or(processor)
    };
    let position = |processor| Position {
        processor,
        package: first(Part::Package, processor),
        core: first(Part::Core, processor),
    };
    let mut all: Vec<Position> =
        list(&folder.join("online")).unwrap_or_default().into_iter().map(position).collect();
    all.sort_by_key(|position| (position.package, position.core, position.processor));
    all
}

/// Returns the processors on which the first thread of this process may run, as the launcher has
/// bound it unless the program has changed that, and those of the calling thread.
pub fn bound() -> [Vec<u32>; 2] {
    [Some(rustix::process::getpid()), None].map(processors_of)
}

/// Returns whether this host has one processor only, whatever the process may use.
pub fn has_one_processor() -> bool {
    list(&Path::new(PROCESSORS).join("online")).is_some_and(|online| online.len() == 1)
}

/// Returns the processors on which the calling thread may run.
fn own_processors() -> Vec<u32> {
    processors_of(None)
}

/// Returns the processors on which a thread may run, by default the calling one.
fn processors_of(thread: Option<rustix::process::Pid>) -> Vec<u32> {
    let Ok(set) = rustix::thread::sched_getaffinity(thread) else { return Vec::new() };
    (0..rustix::thread::CpuSet::MAX_CPU)
        .filter(|&processor| set.is_set(processor))
        .map(|processor| processor as u32)
        .collect()
}

fn within(processors: &Path, part: Part, own: &[u32]) -> Option<u32> {
    if part == Part::Machine {
        return own.first().map(|_| 0);
    }
    let members = members(processors, part, *own.first()?)?;
    own.iter().all(|processor| members.contains(processor)).then(|| members.into_iter().min())?
}

/// Returns the processors of the part to which `processor` belongs. Of the machine, it returns
/// `processor` alone.
fn members(processors: &Path, part: Part, processor: u32) -> Option<Vec<u32>> {
    let folder = processors.join(format!("cpu{processor}"));
    match part {
        Part::Machine | Part::HardwareThread => Some(vec![processor]),
        Part::Package => list(&folder.join("topology/package_cpus_list"))
            .or_else(|| list(&folder.join("topology/core_siblings_list"))),
        Part::Core => list(&folder.join("topology/core_cpus_list"))
            .or_else(|| list(&folder.join("topology/thread_siblings_list"))),
        Part::Cache3 => list(&cache(&folder, "3")?.join("shared_cpu_list")),
        Part::Cache2 => list(&cache(&folder, "2")?.join("shared_cpu_list")),
        Part::MemoryNode => list(&entry(&folder, "node")?.join("cpulist")),
    }
}

/// Returns the folder of the cache of a level that holds data.
fn cache(folder: &Path, level: &str) -> Option<PathBuf> {
    let has = |cache: &Path, name: &str, value: &str| {
        fs::read_to_string(cache.join(name)).is_ok_and(|text| text.trim() == value)
    };
    let mut caches = fs::read_dir(folder.join("cache")).ok()?.flatten().map(|entry| entry.path());
    caches.find(|cache| has(cache, "level", level) && !has(cache, "type", "Instruction"))
}

/// Returns the entry of a folder whose name is `prefix` and a number.
fn entry(folder: &Path, prefix: &str) -> Option<PathBuf> {
    let is_it = |path: &Path| {
        let number = path.file_name()?.to_str()?.strip_prefix(prefix)?;
        number.parse::<u32>().ok()
    };
    fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| is_it(path).is_some())
}

fn list(file: &Path) -> Option<Vec<u32>> {
    parse(fs::read_to_string(file).ok()?.trim())
}

/// Parses numbers and ranges as the kernel writes them: "0-3,8,10-11".
pub fn parse(text: &str) -> Option<Vec<u32>> {
    let mut numbers = Vec::new();
    for item in text.split(',').filter(|item| !item.is_empty()) {
        let (first, last) = item.split_once('-').unwrap_or((item, item));
        numbers.extend(first.parse::<u32>().ok()?..=last.parse().ok()?);
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_lists_are_read() {
        assert_eq!(parse("0-3,8,10-11"), Some(vec![0, 1, 2, 3, 8, 10, 11]));
        assert_eq!(parse(""), Some(vec![]));
        assert_eq!(parse("0-x"), None);
        assert_eq!(
            ["32K", "3M", "1G", "77"].map(bytes),
            [32 << 10, 3 << 20, 1 << 30, 77].map(Some)
        );
        assert_eq!(["", "K", "-1K", "99999999999999999G", "4 KiB"].map(bytes), [None; 5]);
    }

    /// Makes a machine of two packages with two cores of two threads each. Each package has a
    /// third-level cache, each core a second-level cache.
    fn machine(root: &Path) {
        for processor in 0..8_u32 {
            let folder = root.join(format!("cpu{processor}"));
            let (package, core) = (processor / 4 * 4, processor / 2 * 2);
            let write = |name: &str, text: String| {
                let file = folder.join(name);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, text).unwrap();
            };
            write("topology/package_cpus_list", format!("{package}-{}\n", package + 3));
            write("topology/thread_siblings_list", format!("{core},{}\n", core + 1));
            for (index, level, kind, members, size) in [
                (0, 1, "Data", format!("{core}-{}", core + 1), "32K"),
                (1, 2, "Unified", format!("{core}-{}", core + 1), "1024K"),
                (2, 3, "Unified", format!("{package}-{}", package + 3), "32M"),
                (3, 1, "Instruction", format!("{core}-{}", core + 1), "8G"),
            ] {
                write(&format!("cache/index{index}/size"), format!("{size}\n"));
                write(&format!("cache/index{index}/level"), format!("{level}\n"));
                write(&format!("cache/index{index}/type"), format!("{kind}\n"));
                write(&format!("cache/index{index}/shared_cpu_list"), members + "\n");
            }
            write(&format!("node{}/cpulist", package / 4), format!("{package}-{}\n", package + 3));
        }
    }

    #[test]
    fn a_thread_is_confined_to_parts_that_contain_all_its_processors() {
        let root = std::env::temp_dir().join(format!("nemesis-hardware-{}", std::process::id()));
        machine(&root);
        let confined = |own: &[u32]| PARTS.map(|part| within(&root, part, own));
        assert_eq!(confined(&[5]), [Some(0), Some(4), Some(4), Some(4), Some(4), Some(4), Some(5)]);
        assert_eq!(confined(&[6, 7]), [Some(0), Some(4), Some(4), Some(4), Some(6), Some(6), None]);
        assert_eq!(confined(&[4, 7]), [Some(0), Some(4), Some(4), Some(4), None, None, None]);
        assert_eq!(confined(&[0, 7]), [Some(0), None, None, None, None, None, None]);
        assert_eq!(confined(&[]), [None; 7]);
        let two = |processors: &[usize]| two_cores_of(&root, processors);
        assert_eq!([two(&[0, 1, 2, 3]), two(&[5, 4, 7])], [Some([0, 2]), Some([5, 7])]);
        assert_eq!([two(&[4, 5]), two(&[3]), two(&[])], [None; 3], "one core, or none");
        let caches = Caches { private_bytes: 1 << 20, shared_bytes: 32 << 20, sharers: 4 };
        assert_eq!([caches_of(&root, 5), caches_of(&root, 100)], [caches, Caches::default()]);
        assert_eq!(two(&[100, 101]), Some([100, 101]), "cores that the kernel does not tell");
        fs::remove_dir_all(root).unwrap();
    }

    #[test]
    fn this_thread_is_on_this_machine() {
        assert_eq!(confined_to(Part::Machine), Some(0));
    }
}
