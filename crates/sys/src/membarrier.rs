//! The `membarrier` system call: a process that is about to sleep pays for a barrier, so that
//! senders need none.
//!
//! `membarrier(GLOBAL_EXPEDITED)` executes a full memory barrier on every processor that runs a
//! registered process at that time (0.8 µs). It is the slow side of the doorbell: see
//! `nemesis_shm::doorbell`.

#![allow(unsafe_code)]

use crate::virtual_process;

const GLOBAL_EXPEDITED: libc::c_int = 1 << 1;
const REGISTER_GLOBAL_EXPEDITED: libc::c_int = 1 << 2;
const PRIVATE_EXPEDITED: libc::c_int = 1 << 3;
const REGISTER_PRIVATE_EXPEDITED: libc::c_int = 1 << 4;

fn membarrier(command: libc::c_int) -> bool {
    // The processes of a simulation are one thread, the accesses of which are in order.
    if virtual_process::current().is_some() {
        return true;
    }
    // SAFETY: the call takes no pointers.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
}

/// Registers this process, so that other processes can order its running threads. Returns false if
/// the kernel or a sandbox refuses.
pub fn register() -> bool {
    membarrier(REGISTER_GLOBAL_EXPEDITED)
}

/// Executes a full barrier on all running threads of this process, and possibly on those of other
/// registered processes.
pub fn own_threads() {
    if !(register() && global()) {
        // No processor keeps a store in its store buffer for this long.
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Executes a full barrier on all running threads of this process and of no other, for frequent
/// use. It takes half a microsecond if those threads share a processor, otherwise up to 15 µs (in a
/// virtual machine). The first call takes 5 to 30 ms, in which the kernel prepares the process for
/// it.
pub fn own_threads_only() {
    if !(membarrier(PRIVATE_EXPEDITED)
        || membarrier(REGISTER_PRIVATE_EXPEDITED) && membarrier(PRIVATE_EXPEDITED))
    {
        own_threads();
    }
}

/// Executes a full barrier on all running threads of all registered processes. Returns false if the
/// kernel refuses.
pub fn global() -> bool {
    membarrier(GLOBAL_EXPEDITED)
}
