//! Which parts of the machine the process may run on: packages, memory nodes, cores and hardware threads, as the kernel's files tell.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// A kind of part, by its name in hwloc's vocabulary, and whether the process is restricted to a single one of them.
#[derive(Debug, PartialEq, Eq)]
pub struct Resource {
    pub kind: &'static str,
    pub single: bool,
}

/// The parts that the kernel tells about; none where its files are not there.
pub fn of_this_process() -> Vec<Resource> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).map(numbers).unwrap_or_default();
    of_processors(&allowed, Path::new("/sys/devices/system/cpu"))
}

/// Which of the parts of a kind a processor belongs to, if the kernel tells.
type Instance<'a> = dyn Fn(u32) -> Option<String> + 'a;

fn of_processors(allowed: &BTreeSet<u32>, folder: &Path) -> Vec<Resource> {
    let single = |instance: &Instance<'_>| {
        let instances: Option<BTreeSet<String>> = allowed.iter().map(|&cpu| instance(cpu)).collect();
        instances.filter(|instances| !instances.is_empty()).map(|instances| instances.len() == 1)
    };
    let topology = |cpu: u32, file: &str| {
        let text = fs::read_to_string(folder.join(format!("cpu{cpu}/topology/{file}"))).ok()?;
        Some(text.trim().to_owned())
    };
    let parts: [(&'static str, &Instance<'_>); 5] = [
        ("Machine", &|_| Some(String::new())),
        ("Package", &|cpu| topology(cpu, "physical_package_id")),
        ("NUMANode", &|cpu| node_of(&folder.join(format!("cpu{cpu}")))),
        ("Core", &|cpu| Some(format!("{} {}", topology(cpu, "physical_package_id")?, topology(cpu, "core_id")?))),
        ("PU", &|cpu| Some(cpu.to_string())),
    ];
    parts.into_iter().filter_map(|(kind, instance)| Some(Resource { kind, single: single(instance)? })).collect()
}

/// A processor's folder has a link to its memory node's.
fn node_of(processor: &Path) -> Option<String> {
    let names = fs::read_dir(processor).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    names.into_iter().find(|name| name.strip_prefix("node").is_some_and(|number| number.parse::<u32>().is_ok()))
}

/// `0-3,8` → 0 1 2 3 8; what is no number is left out.
fn numbers(list: &str) -> BTreeSet<u32> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.parse().ok()?..=last.parse().ok()?)
    };
    list.trim().split(',').filter_map(range).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_processors() {
        assert_eq!(numbers("\t0-2,5\n"), [0, 1, 2, 5].into());
        assert_eq!(numbers(""), BTreeSet::new());
    }

    #[test]
    fn one_machine_and_a_thread_is_in_it() {
        let here = of_this_process();
        assert!(here.contains(&Resource { kind: "Machine", single: true }), "{here:?}");
    }

    #[test]
    fn two_threads_of_one_core() {
        let folder = std::env::temp_dir().join(format!("nemesis-resources-{}", std::process::id()));
        for cpu in 0..4 {
            let topology = folder.join(format!("cpu{cpu}/topology"));
            fs::create_dir_all(&topology).unwrap();
            fs::write(topology.join("physical_package_id"), "0\n").unwrap();
            fs::write(topology.join("core_id"), format!("{}\n", cpu / 2)).unwrap();
        }
        let single = |allowed: &[u32], kind| {
            let found = of_processors(&allowed.iter().copied().collect(), &folder);
            found.into_iter().find(|resource| resource.kind == kind).map(|resource| resource.single)
        };
        assert_eq!((single(&[2, 3], "Core"), single(&[2, 3], "PU")), (Some(true), Some(false)));
        assert_eq!((single(&[1, 2], "Core"), single(&[1, 2], "Package")), (Some(false), Some(true)));
        assert_eq!(single(&[1], "NUMANode"), None, "the kernel says nothing");
        fs::remove_dir_all(&folder).unwrap();
    }
}
