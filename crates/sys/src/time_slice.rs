//! The length of a thread's time slices.
//!
//! Since Linux 6.12 a thread may ask for shorter slices than usual (`sched_setattr`). It gets the
//! same part of the processor, in more pieces, and waits less for each: two threads that need two
//! processors at one time get them soon, even if other work keeps these busy. Earlier kernels
//! ignore the request.

#![allow(unsafe_code)]

/// The shortest slice that the kernel grants.
const SHORT_NS: u64 = 100_000;

/// `struct sched_attr` of the kernel, version 0.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Attributes {
    size: u32,
    policy: u32,
    flags: u64,
    nice: i32,
    priority: u32,
    runtime_ns: u64,
    deadline_ns: u64,
    period_ns: u64,
}

const BYTES: u32 = size_of::<Attributes>() as u32;
/// `SCHED_OTHER`, the policy of ordinary threads.
const ORDINARY: u32 = 0;

/// Runs a function while this thread, and threads that it starts meanwhile, have short slices. A
/// thread of another policy than the ordinary one keeps its own.
pub fn shortened<T>(run: impl FnOnce() -> T) -> T {
    let before = attributes().filter(|attributes| attributes.policy == ORDINARY);
    if let Some(before) = before {
        set(Attributes { runtime_ns: SHORT_NS, ..before });
    }
    let result = run();
    if let Some(before) = before {
        set(before);
    }
    result
}

fn attributes() -> Option<Attributes> {
    let mut found = Attributes::default();
    // SAFETY: the kernel writes at most `BYTES` bytes to a place of that length.
    let refused = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut found, BYTES, 0) };
    (refused == 0).then_some(Attributes { size: BYTES, ..found })
}

/// Sets the attributes of this thread, unless the kernel refuses.
fn set(attributes: Attributes) {
    // SAFETY: the kernel reads `size` bytes.
    unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attributes, 0) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_short_meanwhile_only() {
        let slice = || attributes().map(|attributes| attributes.runtime_ns);
        let before = slice();
        let meanwhile = shortened(slice);
        assert_eq!(slice(), before);
        // 0 before Linux 6.12.
        assert!([None, Some(0), Some(SHORT_NS)].contains(&meanwhile), "{meanwhile:?}");
    }
}
