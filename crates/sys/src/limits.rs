//! Which limit the kernel may have applied when it refused a process, a thread, memory or a
//! descriptor.
//!
//! The kernel's errors name no limit: EAGAIN of fork is that of the user, of a control group or of
//! the system, and ENOMEM of mmap is that of addresses or of overcommit. The functions look up
//! those that exist, and name the one that is nearest to being reached, with its value.

use crate::descriptors;
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};
use std::io;
use std::path::{Path, PathBuf};

/// Where control groups of version 2, and those of version 1 that count processes, are mounted.
const GROUPS: [&str; 3] = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/pids"];

/// A limit that may have been reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reached {
    /// The limit, its value and what is used of it: a sentence without a full stop.
    pub what: String,
    /// What to try.
    pub advice: &'static str,
}

impl Reached {
    /// Adds the limit to what was refused.
    pub fn added_to(&self, what: impl std::fmt::Display) -> String {
        format!("{what}; {}", self.what)
    }
}

/// Returns the limit that may be why the kernel has refused a process, a thread, memory or a
/// descriptor; `None` if the error is another one.
pub fn behind(why: &io::Error) -> Option<Reached> {
    match Errno::from_io_error(why)? {
        Errno::AGAIN => Some(of_processes().unwrap_or_else(|| Reached {
            what: "no limit of this user's processes can be read".into(),
            advice: "raising `ulimit -u`, which bounds the processes of a user, or fewer ranks on \
                     this host",
        })),
        Errno::NOMEM => Some(of_memory().unwrap_or_else(|| Reached {
            what: "addresses are not limited, so the host is short of memory".into(),
            advice: "fewer ranks on this host, or raising `ulimit -v` where one is set",
        })),
        errno if descriptors::are_exhausted(errno) => Some(Reached {
            what: descriptors::limit_in_words(errno),
            advice: match errno {
                Errno::NFILE => "a greater fs.file-max (sysctl), or fewer ranks on this host",
                _ => "raising `ulimit -n`",
            },
        }),
        _ => None,
    }
}

/// What exists of something that is limited.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Use {
    limit: u64,
    used: u64,
    reached: Reached,
}

/// Returns the limit of processes and threads that is nearest to being reached.
pub fn of_processes() -> Option<Reached> {
    let user = getrlimit(Resource::Nproc).current.map(|limit| {
        let used = threads_of_user();
        let what = format!(
            "`ulimit -u` is {limit}, and this user has {used} processes and threads in all"
        );
        let advice = "raising `ulimit -u` (nproc in /etc/security/limits.conf, TasksMax= of \
                      systemd), or fewer ranks on this host";
        Use { limit, used, reached: Reached { what, advice } }
    });
    let groups = groups_with(&GROUPS.map(Path::new), &own_groups(), "pids");
    nearest(user.into_iter().chain(groups)).map(|nearest| nearest.reached)
}

/// Returns the limit with the fewest places left.
fn nearest(all: impl Iterator<Item = Use>) -> Option<Use> {
    all.min_by_key(|one| one.limit.saturating_sub(one.used))
}

/// Returns the limits of processes (`pids.max`) of this process's control group and of those that
/// hold it. `own` is the text of `/proc/self/cgroup`.
fn groups_with(roots: &[&Path], own: &str, controller: &str) -> Vec<Use> {
    let folders = folders_of_groups(roots, own, controller).into_iter();
    folders.filter_map(|(folder, name)| processes_of(&folder, &name)).collect()
}

/// Returns the text of `/proc/self/cgroup`, which names the control groups of this process.
pub(crate) fn own_groups() -> String {
    std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default()
}

/// Returns where the control groups of this process and those that hold them may have their files,
/// and their names. `own` is the text of `/proc/self/cgroup`.
pub(crate) fn folders_of_groups(
    roots: &[&Path],
    own: &str,
    controller: &str,
) -> Vec<(PathBuf, PathBuf)> {
    let mut found = Vec::new();
    for line in own.lines() {
        let mut fields = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) =
            (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        if !controllers.is_empty() && !controllers.split(',').any(|name| name == controller) {
            continue;
        }
        for root in roots {
            let mut group = Some(Path::new(path));
            while let Some(here) = group {
                let folder = root.join(here.strip_prefix("/").unwrap_or(here));
                found.push((folder, here.to_owned()));
                group = here.parent();
            }
        }
    }
    found
}

/// Reads the limit of processes of a control group in `folder`, which is `name` in its hierarchy.
fn processes_of(folder: &Path, name: &Path) -> Option<Use> {
    let number =
        |file: &str| std::fs::read_to_string(folder.join(file)).ok()?.trim().parse::<u64>().ok();
    let (limit, used) = (number("pids.max")?, number("pids.current")?);
    let what = format!(
        "the control group {} has {used} of at most {limit} processes and threads (pids.max)",
        name.display()
    );
    let advice = "raising the group's pids.max (TasksMax= of systemd, --pids-limit of containers), \
                  or fewer ranks on this host";
    Some(Use { limit, used, reached: Reached { what, advice } })
}

/// Returns the number of processes and threads of this user that can be seen.
fn threads_of_user() -> u64 {
    let own = rustix::process::getuid().as_raw();
    let folders = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let is_process = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.as_encoded_bytes().iter().all(u8::is_ascii_digit))
    };
    folders
        .map(|entry| entry.path())
        .filter(is_process)
        .filter_map(|path| std::fs::read_to_string(path.join("status")).ok())
        .filter_map(|status| {
            let field = |name: &str| {
                let line = status.lines().find_map(|line| line.strip_prefix(name))?;
                line.split_whitespace().next()?.parse::<u64>().ok()
            };
            (field("Uid:")? == u64::from(own)).then(|| field("Threads:"))?
        })
        .sum()
}

/// Returns the limit of memory that may have been reached: that of addresses, or that of the
/// kernel's promises where it makes no more than it can keep.
pub fn of_memory() -> Option<Reached> {
    let number = |file: &str, name: &str| {
        let text = std::fs::read_to_string(file).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    if let Some(limit) = getrlimit(Resource::As).current {
        let used = number("/proc/self/status", "VmSize:").unwrap_or(0);
        let what = format!(
            "`ulimit -v` is {} KiB, and this process has {used} KiB of addresses",
            limit / 1024
        );
        return Some(Reached { what, advice: "raising `ulimit -v`, or `ulimit -v unlimited`" });
    }
    let policy = std::fs::read_to_string("/proc/sys/vm/overcommit_memory").unwrap_or_default();
    if policy.trim() != "2" {
        return None;
    }
    let limit = number("/proc/meminfo", "CommitLimit:")?;
    let used = number("/proc/meminfo", "Committed_AS:")?;
    let what = format!(
        "the kernel promises {limit} KiB to all programs and has promised {used} KiB \
         (vm.overcommit_memory is 2)"
    );
    let advice = "fewer ranks on this host, more swap, or a greater vm.overcommit_ratio";
    Some(Reached { what, advice })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a hierarchy of control groups with these limits and uses.
    fn hierarchy(name: &str, groups: &[(&str, &str, &str)]) -> PathBuf {
        let root = std::env::temp_dir().join(format!("nemesis-{name}-{}", std::process::id()));
        for (group, limit, used) in groups {
            let folder = root.join(group);
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("pids.max"), limit).unwrap();
            std::fs::write(folder.join("pids.current"), used).unwrap();
        }
        root
    }

    #[test]
    fn the_control_group_that_is_full_is_named_also_if_it_is_an_outer_one() {
        let groups = [("", "max\n", "90\n"), ("job", "20\n", "20\n"), ("job/step", "100\n", "9\n")];
        let root = hierarchy("groups", &groups);
        let found = groups_with(&[&root], "0::/job/step\n", "pids");
        assert_eq!(found.len(), 2, "{found:?}");
        let reached = nearest(found.into_iter()).unwrap().reached;
        assert!(reached.what.starts_with("the control group /job has 20 of at most 20"));
        assert!(reached.advice.contains("pids.max"));
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn groups_of_other_controllers_do_not_count() {
        let root = hierarchy("controllers", &[("a", "1\n", "1\n"), ("b", "5\n", "2\n")]);
        let found = groups_with(&[&root], "3:memory:/a\n2:cpu,pids:/b\nnonsense\n", "pids");
        assert_eq!(found.iter().map(|one| one.limit).collect::<Vec<_>>(), [5]);
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn this_user_has_processes() {
        assert!(threads_of_user() > 0);
        assert_eq!(behind(&Errno::NOENT.into()), None);
    }

    #[test]
    fn every_shortage_has_a_limit_and_advice() {
        let of = |errno: Errno| behind(&errno.into()).expect("a shortage");
        assert!(of(Errno::MFILE).what.contains("`ulimit -n`"));
        assert_eq!(of(Errno::MFILE).advice, "raising `ulimit -n`");
        assert!(of(Errno::NFILE).what.contains("fs.file-max"));
        assert!(of(Errno::NFILE).advice.contains("fs.file-max"));
        for errno in [Errno::AGAIN, Errno::NOMEM] {
            assert!(!of(errno).what.is_empty() && !of(errno).advice.is_empty());
        }
    }
}
