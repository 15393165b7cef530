//! The identity of this host, and the processors of it that this process may use.

use crate::processor::current_processor;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::num::NonZero;

/// Returns the node name, as `hostname` prints it. It need not be resolvable; no resolver is asked.
pub fn hostname() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

/// Returns the kernel's identity since boot, if `/proc` tells it. It is equal on one kernel and
/// different on two, whatever their names.
pub fn boot_id() -> Option<String> {
    let text = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
    Some(text.trim().to_owned())
}

/// Returns the number of a namespace of this process (`net`, `pid`, …), if `/proc` tells it.
pub fn namespace(kind: &str) -> Option<u64> {
    let link = std::fs::read_link(format!("/proc/self/ns/{kind}")).ok()?;
    link.to_str()?.strip_prefix(kind)?.strip_prefix(":[")?.strip_suffix(']')?.parse().ok()
}

/// Returns the number of cores that this process may keep busy: its affinity mask, limited by the
/// quotas of its control groups (v1 and v2). At least 1.
pub fn usable_cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Moves the calling thread to the core of number `index`, modulo their number, among those that it
/// may use. The kernel may move it among those afterwards. This sets where the thread starts, for
/// threads that start together and that the kernel would spread only in time. The affinity mask
/// stays as it is now: a control group that gets more cores later does not change it. Returns false
/// if the kernel refuses.
pub fn start_on_core(index: usize) -> bool {
    let Ok(allowed) = sched_getaffinity(None) else { return false };
    let cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    let mut one = CpuSet::new();
    if let Some(&core) = cores.get(index % cores.len().max(1)) {
        one.set(core);
    }
    sched_setaffinity(None, &one).is_ok() && sched_setaffinity(None, &allowed).is_ok()
}

/// Moves the calling thread away from a processor, if it runs there and may use another one. The
/// kernel may move it back afterwards.
pub fn leave_processor(processor: usize) {
    if processor >= CpuSet::MAX_CPU || current_processor() != Some(processor) {
        return;
    }
    let Ok(allowed) = sched_getaffinity(None) else { return };
    let mut others = allowed;
    others.unset(processor);
    if others.count() > 0 && sched_setaffinity(None, &others).is_ok() {
        // The kernel has just accepted these processors.
        let _ = sched_setaffinity(None, &allowed);
    }
}

/// Binds the calling thread to a processor. Returns false if the kernel refuses.
pub fn bind_to(processor: usize) -> bool {
    let mut one = CpuSet::new();
    one.set(processor);
    sched_setaffinity(None, &one).is_ok()
}

/// Returns the number of cores that the processes of this node may keep busy, if the other
/// processes are like this one. A launcher that binds each process to its own cores is not bound
/// itself. If the parent may use more cores than this process, the parent's cores count. At least
/// 1.
pub fn cores_of_siblings() -> usize {
    let usable = usable_cores();
    let mask = |pid| rustix::thread::sched_getaffinity(pid).ok();
    let (Some(own), Some(parent)) =
        (mask(None), rustix::process::getppid().and_then(|parent| mask(Some(parent))))
    else {
        return usable;
    };
    let bound = own.count() < parent.count();
    // Fewer cores than the mask allows: a quota, which applies to the siblings as well.
    let limited = usable < own.count() as usize;
    if bound && !limited { parent.count() as usize } else { usable }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_have_at_least_the_cores_of_this_process() {
        assert!(cores_of_siblings() >= usable_cores());
    }

    #[test]
    fn a_thread_leaves_its_processor_and_keeps_its_mask() {
        let mask = || sched_getaffinity(None).unwrap();
        let (before, processor) = (mask(), current_processor().unwrap());
        leave_processor(processor);
        leave_processor(usize::MAX);
        assert_eq!(mask(), before);
    }

    #[test]
    fn the_host_has_a_name_and_cores() {
        assert!(!hostname().is_empty());
        assert!(usable_cores() >= 1);
        assert_eq!(namespace("no-such-kind"), None);
        assert_eq!(namespace("net"), namespace("net"));
    }
}
