//! Processes that the kernel has killed because memory is used up: that of a control group, or that
//! of the host. It sends SIGKILL, as anybody may, but counts what it kills.

use crate::limits::{folders_of_groups, own_groups};
use std::path::{Path, PathBuf};

/// The roots of the hierarchies that may have memory limits: version 2 of control groups, its
/// place beside version 1, and version 1.
const ROOTS: [&str; 3] = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/memory"];

/// The counts at a moment.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MemoryKills {
    /// The control groups of this process, the innermost first.
    groups: Vec<Group>,
    host: u64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Group {
    folder: PathBuf,
    /// Its name in its hierarchy.
    name: PathBuf,
    kills: u64,
}

/// Whose memory was used up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UsedUp {
    /// That of a control group, with its limit in bytes.
    Group {
        /// Its name in its hierarchy.
        name: PathBuf,
        /// Its limit; `None` if it has none that can be read.
        limit: Option<u64>,
    },
    /// That of the host.
    Host,
}

impl MemoryKills {
    /// Reads the counts of this process's control groups and of the host.
    pub fn now() -> MemoryKills {
        MemoryKills::within(&ROOTS.map(Path::new), &own_groups(), Path::new("/proc/vmstat"))
    }

    fn within(roots: &[&Path], own: &str, host: &Path) -> MemoryKills {
        let counted = |(folder, name): (PathBuf, PathBuf)| {
            let kills = kills_in(&folder)?;
            Some(Group { folder, name, kills })
        };
        let folders = folders_of_groups(roots, own, "memory").into_iter();
        MemoryKills { groups: folders.filter_map(counted).collect(), host: counted_in(host) }
    }

    /// Returns whose memory was used up when the kernel killed a process since these counts were
    /// read. `None` if it has killed none for that.
    pub fn since(&self) -> Option<UsedUp> {
        let grown = |group: &&Group| kills_in(&group.folder).is_some_and(|now| now > group.kills);
        if let Some(first) = self.groups.iter().position(|group| grown(&group)) {
            // The group in which the process was may have its limit from one that holds it.
            let limited = self.groups[first..]
                .iter()
                .filter_map(|group| Some((group.name.clone(), limit_of(&group.folder)?)));
            let (name, limit) = match limited.min_by_key(|(_, limit)| *limit) {
                Some((name, limit)) => (name, Some(limit)),
                None => (self.groups[first].name.clone(), None),
            };
            return Some(UsedUp::Group { name, limit });
        }
        (counted_in(Path::new("/proc/vmstat")) > self.host).then_some(UsedUp::Host)
    }
}

/// Returns the number after `oom_kill` in a file of names and numbers.
fn counted_in(file: &Path) -> u64 {
    read_count(file).unwrap_or(0)
}

fn read_count(file: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(file).ok()?;
    text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok())
}

/// Returns how many processes of a control group the kernel has killed.
fn kills_in(folder: &Path) -> Option<u64> {
    ["memory.events", "memory.oom_control"].iter().find_map(|file| read_count(&folder.join(file)))
}

/// Returns the limit of a control group in bytes, if it has one.
fn limit_of(folder: &Path) -> Option<u64> {
    // Version 1 has a number near 2^63 for no limit.
    const NONE: u64 = 1 << 60;
    let read = |file: &&str| std::fs::read_to_string(folder.join(file)).ok()?.trim().parse().ok();
    let limit = ["memory.max", "memory.limit_in_bytes"].iter().find_map(read)?;
    (limit < NONE).then_some(limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_group_with_the_limit_is_named() {
        let root = std::env::temp_dir().join(format!("nemesis-groups-{}", std::process::id()));
        let (outer, inner) = (root.join("job"), root.join("job/step"));
        fs::create_dir_all(&inner).unwrap();
        for folder in [&outer, &inner] {
            fs::write(folder.join("memory.events"), "low 0\noom 2\noom_kill 2\n").unwrap();
        }
        fs::write(outer.join("memory.max"), "314572800\n").unwrap();
        fs::write(inner.join("memory.max"), "max\n").unwrap();
        let vmstat = root.join("vmstat");
        fs::write(&vmstat, "oom_kill 7\n").unwrap();
        let own = "1:name=systemd:/elsewhere\n0::/job/step\n";
        let kills = MemoryKills::within(&[root.as_path()], own, &vmstat);
        assert_eq!((kills.groups.len(), kills.host), (2, 7));
        let kills = MemoryKills { host: u64::MAX, ..kills };
        assert_eq!(kills.since(), None);
        for folder in [&outer, &inner] {
            fs::write(folder.join("memory.events"), "oom_kill 3\n").unwrap();
        }
        let (name, limit) = ("/job".into(), Some(314_572_800));
        assert_eq!(kills.since(), Some(UsedUp::Group { name, limit }));
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn the_counts_of_this_process_are_read() {
        let now = MemoryKills::now();
        assert!(now.groups.iter().all(|group| group.folder.is_dir()), "{now:?}");
    }
}
