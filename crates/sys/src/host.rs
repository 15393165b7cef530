//! Which host this is, and how much of it is ours.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::num::NonZero;

/// The node name, as `hostname` prints it. It need not be resolvable; nothing here asks a resolver.
pub fn hostname() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// The kernel's identity since boot, when `/proc` tells it: equal on one kernel, different on two, whatever they are called.
pub fn boot_id() -> Option<String> {
    let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(text.trim().to_owned())
}

/// The number of a namespace of this process (`net`, `pid`, …), when `/proc` tells it.
pub fn namespace(kind: &str) -> Option<u64> {
    let link = std::fs::read_link(format!("/proc/self/ns/{kind}")).ok()?;
    link.to_str()?.strip_prefix(kind)?.strip_prefix(":[")?.strip_suffix(']')?.parse().ok()
}

/// Cores that this process may keep busy at once: its affinity mask, cut by the quotas of its control groups (v1 and v2). At least 1.
pub fn usable_cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Moves the calling thread to the `index`-th of the cores that it may use, counted round. From then on the kernel may move it among those as before: this
/// is where it begins, for threads that begin together and would be spread only in time. The cores that it may use now are kept as its own choice: a
/// control group that is given more of them later does not change it. False where the kernel refuses.
pub fn start_on_core(index: usize) -> bool {
    let Ok(allowed) = sched_getaffinity(None) else { return false };
    let cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    let mut one = CpuSet::new();
    if let Some(&core) = cores.get(index % cores.len().max(1)) {
        one.set(core);
    }
    sched_setaffinity(None, &one).is_ok() && sched_setaffinity(None, &allowed).is_ok()
}

/// Binds the calling thread to a processor. False where the kernel refuses.
pub fn bind_to(processor: usize) -> bool {
    let mut one = CpuSet::new();
    one.set(processor);
    sched_setaffinity(None, &one).is_ok()
}

/// Cores that the processes of this node may keep busy at once, if the others are like this one. A launcher that binds each process to cores of its own
/// is not bound itself, so the cores that our parent may use count when it may use more than we. At least 1.
pub fn cores_of_siblings() -> usize {
    let usable = usable_cores();
    let mask = |pid| rustix::thread::sched_getaffinity(pid).ok();
    let (Some(own), Some(parent)) =
        (mask(None), rustix::process::getppid().and_then(|parent| mask(Some(parent))))
    else {
        return usable;
    };
    let bound = own.count() < parent.count();
    // Fewer than the mask allows: a quota, which the others live under as well.
    let limited = usable < own.count() as usize;
    if bound && !limited { parent.count() as usize } else { usable }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_have_at_least_our_cores() {
        assert!(cores_of_siblings() >= usable_cores());
    }

    #[test]
    fn the_host_has_a_name_and_cores() {
        assert!(!hostname().is_empty());
        assert!(usable_cores() >= 1);
        assert_eq!(namespace("no-such-kind"), None);
        assert_eq!(namespace("net"), namespace("net"));
    }
}
