//! What this host allows, and what each limit costs jobs of this library.

use super::finding::Finding;
use nemesis_sys::memfd::Backing;
use nemesis_sys::{host, mapping, membarrier};
use nemesis_wireup::segment;
use rustix::process::{Resource, getrlimit};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A limit or a permission, and what it means here.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limit {
    pub name: String,
    pub value: String,
    /// What it costs, or why it costs nothing.
    pub cost: String,
}

fn limit(name: &str, value: impl Into<String>, cost: impl Into<String>) -> Limit {
    Limit { name: name.into(), value: value.into(), cost: cost.into() }
}

/// Descriptors that `mpiexec` uses for each rank of a host, and for itself.
const DESCRIPTORS_PER_RANK: u64 = 5;
const DESCRIPTORS: u64 = 64;
/// Locked memory below which registered buffers of RDMA networks do not fit.
const LOCKED_BYTES_MIN: u64 = 64 << 20;
/// Addresses below which windows and long messages do not fit into the segment.
const ADDRESS_BYTES_MIN: u64 = 4 << 30;

/// Returns the limits of this host, and what is to be said about them. `reading` is the outcome of
/// reading a sibling's memory.
pub fn examine(reading: Result<(), String>) -> (Vec<Limit>, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut limits = vec![cores(&mut findings), memory_of_jobs(&mut findings)];
    limits.push(dev_shm(&limits[1].value, statvfs_of("/dev/shm")));
    limits.push(siblings_memory(reading, &mut findings));
    let devices = Path::new("/sys/class/infiniband").read_dir().map_or(0, Iterator::count);
    let may_lock = || mapping::may_lock(LOCKED_BYTES_MIN as usize);
    limits.push(locked(getrlimit(Resource::Memlock).current, devices, may_lock, &mut findings));
    limits.push(descriptors(getrlimit(Resource::Nofile).maximum, &mut findings));
    limits.extend(addresses(getrlimit(Resource::As).current, &mut findings));
    limits.extend(control_group_memory());
    let uring = std::fs::read_to_string("/proc/sys/kernel/io_uring_disabled");
    limits.push(io_uring(uring.ok().as_deref().map(str::trim)));
    let sleeps = membarrier::register() && membarrier::global();
    if !sleeps {
        findings.push(Finding::cost(
            "the kernel refuses membarrier",
            "a receiver that sleeps wakes up every millisecond instead of when a message comes",
            "a container profile (seccomp) that permits membarrier",
        ));
    }
    limits.push(limit(
        "membarrier",
        if sleeps { "permitted" } else { "refused" },
        if sleeps { "nothing" } else { "latency of up to 1 ms when a receiver sleeps" },
    ));
    (limits, findings)
}

/// Returns bytes in words.
fn bytes(bytes: Option<u64>) -> String {
    match bytes {
        None => "unlimited".into(),
        Some(bytes) if bytes >= 1 << 30 => format!("{} GiB", bytes >> 30),
        Some(bytes) if bytes >= 1 << 20 => format!("{} MiB", bytes >> 20),
        Some(bytes) => format!("{} KiB", bytes >> 10),
    }
}

fn cores(findings: &mut Vec<Finding>) -> Limit {
    let present = std::fs::read_to_string("/sys/devices/system/cpu/online").unwrap_or_default();
    let allowed = rustix::thread::sched_getaffinity(None)
        .map_or(host::usable_cores(), |set| set.count() as usize);
    let usable = host::usable_cores();
    if usable < allowed {
        findings.push(Finding::cost(
            format!("a quota leaves {usable} of {allowed} processors"),
            "with more ranks than that the kernel stops all of them for parts of each 0.1 s",
            format!("at most {usable} ranks on this host, or a larger quota (docker run --cpus)"),
        ));
    }
    let value = format!("{usable} usable, {allowed} in the cpuset, {} present", count(&present));
    limit("processors", value, format!("more than {usable} ranks take turns on a processor"))
}

/// Counts the processors of a list such as `0-3,8`.
fn count(list: &str) -> usize {
    let number = |text: &str| text.trim().parse::<usize>().ok();
    list.split(',')
        .filter_map(|range| match range.split_once('-') {
            Some((first, last)) => Some(number(last)?.checked_sub(number(first)?)? + 1),
            None => number(range).map(|_| 1),
        })
        .sum()
}

fn memory_of_jobs(findings: &mut Vec<Finding>) -> Limit {
    match segment::make(2) {
        Ok(memory) => {
            let bound = segment::bound_of(memory.bytes)
                .map(|limit| format!(", bounded by `{limit}`"))
                .unwrap_or_default();
            let cost = match memory.backing {
                Backing::Memfd => "nothing: memory is used as ranks need it",
                Backing::DevShm => {
                    findings.push(Finding::cost(
                        "the kernel refuses memfd_create",
                        "the memory of a job lies in /dev/shm and is allocated at once",
                        "a container profile (seccomp) that permits memfd_create",
                    ));
                    "8 MiB of /dev/shm for each rank from the start"
                }
            };
            limit("shared memory", format!("{}{bound}", memory.backing), cost)
        }
        Err(error) => {
            findings.push(Finding::problem(error.what, error.why.clone(), error.advice));
            limit("shared memory", format!("none: {}", error.why), "no job of two ranks starts")
        }
    }
}

/// Returns the bytes of a file system, if it exists.
fn statvfs_of(path: &str) -> Option<u64> {
    let about = rustix::fs::statvfs(path).ok()?;
    Some(about.f_blocks * about.f_frsize)
}

fn dev_shm(shared_memory: &str, size: Option<u64>) -> Limit {
    let value = size.map_or("not there".to_owned(), |size| bytes(Some(size)));
    let cost = match shared_memory.starts_with("memfd") {
        true => "nothing: not used; other MPI libraries need about 64 MiB",
        false => "bounds the number of ranks: 8 MiB for each",
    };
    limit("/dev/shm", value, cost)
}

fn siblings_memory(reading: Result<(), String>, findings: &mut Vec<Finding>) -> Limit {
    let scope = std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope");
    let scope = scope.map_or("no Yama".into(), |scope| format!("ptrace_scope {}", scope.trim()));
    match reading {
        Ok(()) => limit("reading siblings", format!("permitted ({scope})"), "nothing"),
        Err(why) => {
            findings.push(Finding::cost(
                "ranks may not read each other's memory",
                format!("process_vm_readv: {why} ({scope}); long messages are copied twice"),
                "kernel.yama.ptrace_scope=0 or 1, or a container with CAP_SYS_PTRACE",
            ));
            limit("reading siblings", format!("refused ({scope})"), "long messages copied twice")
        }
    }
}

/// `may_lock` tells whether the process may lock `LOCKED_BYTES_MIN`: a privileged one has no limit.
fn locked(
    bytes_max: Option<u64>,
    devices: usize,
    may_lock: impl FnOnce() -> bool,
    findings: &mut Vec<Finding>,
) -> Limit {
    let value = bytes(bytes_max);
    if devices == 0 {
        return limit("locked memory", value, "nothing: no RDMA device needs it");
    }
    if bytes_max.is_none_or(|bytes| bytes >= LOCKED_BYTES_MIN) {
        return limit("locked memory", value, "nothing");
    }
    if may_lock() {
        return limit("locked memory", value, "nothing: this process may exceed it");
    }
    findings.push(Finding::problem(
        format!("only {value} may be locked, and this host has an RDMA device"),
        "the device's buffers must be locked in memory",
        "`ulimit -l unlimited`, LimitMEMLOCK=infinity of slurmd or sshd",
    ));
    limit("locked memory", value, "RDMA networks cannot register memory")
}

fn descriptors(hard: Option<u64>, findings: &mut Vec<Finding>) -> Limit {
    let Some(hard) = hard else { return limit("open files", "unlimited", "nothing") };
    let ranks = hard.saturating_sub(DESCRIPTORS) / DESCRIPTORS_PER_RANK;
    if ranks < host::usable_cores() as u64 {
        findings.push(Finding::problem(
            format!("only {hard} files may be open"),
            format!("mpiexec needs {DESCRIPTORS_PER_RANK} for each rank: {ranks} ranks fit here"),
            "raising the hard limit (`ulimit -Hn`)",
        ));
    }
    limit("open files", hard.to_string(), format!("at most {ranks} ranks on this host"))
}

fn addresses(bytes_max: Option<u64>, findings: &mut Vec<Finding>) -> Option<Limit> {
    let most = bytes_max?;
    let value = bytes(Some(most));
    if most < ADDRESS_BYTES_MIN {
        findings.push(Finding::cost(
            format!("a process has {value} of addresses (`ulimit -v`)"),
            "windows and staged messages share them with the program",
            "`ulimit -v unlimited`",
        ));
    }
    Some(limit("addresses", value, "bounds windows and shared memory (`ulimit -v`)"))
}

/// Returns the memory limit of this process's control group, if it has one.
fn control_group_memory() -> Option<Limit> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let path = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    let read = |folder: &str| {
        let text = std::fs::read_to_string(format!("/sys/fs/cgroup{folder}/memory.max")).ok()?;
        text.trim().parse::<u64>().ok()
    };
    let most = read(path).or_else(|| read(""))?;
    Some(limit(
        "memory of the group",
        bytes(Some(most)),
        "the kernel kills a rank when all ranks here use more together",
    ))
}

fn io_uring(disabled: Option<&str>) -> Limit {
    let value = match disabled {
        Some("0") => "permitted",
        Some("1") => "for some users",
        Some(_) => "forbidden",
        None => "not known",
    };
    limit("io_uring", value, "nothing: not used")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_says_what_it_costs() {
        let (limits, findings) = examine(Err("not permitted".into()));
        assert!(findings.iter().any(|it| it.why.contains("copied twice")), "{findings:?}");
        assert!(limits.len() >= 8, "{limits:?}");
        assert!(limits.iter().all(|it| !it.value.is_empty() && !it.cost.is_empty()), "{limits:?}");
    }

    #[test]
    fn limits_that_matter_become_findings() {
        let mut findings = Vec::new();
        assert!(locked(Some(8 << 20), 0, || false, &mut findings).cost.contains("no RDMA device"));
        assert_eq!(findings, []);
        let exceeded = locked(Some(8 << 20), 1, || true, &mut findings);
        assert!(exceeded.cost.contains("may exceed it") && findings.is_empty());
        let refused = locked(Some(8 << 20), 1, || false, &mut findings);
        assert_eq!((refused.value.as_str(), findings.len()), ("8 MiB", 1));
        assert_eq!(
            descriptors(Some(1 << 20), &mut findings).cost,
            "at most 209702 ranks on this host"
        );
        assert_eq!(descriptors(Some(66), &mut findings).cost, "at most 0 ranks on this host");
        assert_eq!(findings.len(), 2);
        assert!(addresses(Some(2 << 30), &mut findings).is_some() && findings.len() == 3);
        assert_eq!(addresses(None, &mut findings), None);
        assert!(dev_shm("memfd", Some(64 << 10)).cost.contains("not used"));
        assert!(dev_shm("file in /dev/shm", Some(64 << 10)).cost.contains("8 MiB for each"));
        assert_eq!(count("0-3,8\n"), 5);
        assert_eq!(io_uring(Some("2")).value, "forbidden");
    }
}
