//! The barrier that a sleeper buys so that senders need none.
//!
//! `membarrier(GLOBAL_EXPEDITED)` runs a full memory barrier on every processor that executes a registered process right now (0.8 µs). The
//! doorbell uses it on its slow side: see `nemesis_shm::doorbell`.

#![allow(unsafe_code)]

const GLOBAL_EXPEDITED: libc::c_int = 1 << 1;
const REGISTER_GLOBAL_EXPEDITED: libc::c_int = 1 << 2;
const PRIVATE_EXPEDITED: libc::c_int = 1 << 3;
const REGISTER_PRIVATE_EXPEDITED: libc::c_int = 1 << 4;

fn membarrier(command: libc::c_int) -> bool {
    // SAFETY: the call takes no pointers.
    unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
}

/// Makes this process one whose running threads others can order; false where the kernel or a sandbox refuses.
pub fn register() -> bool {
    membarrier(REGISTER_GLOBAL_EXPEDITED)
}

/// A full barrier on all running threads of this process; those of other registered processes are interrupted, too.
pub fn own_threads() {
    if !(register() && global()) {
        // No processor keeps a store to itself for so long.
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// The same, and other processes are left alone, for who needs it often: half a microsecond where those threads share a processor, up to 15 µs where not
/// (in a virtual machine). The first time the kernel takes 5 to 30 ms to be ready for it, once for the process.
pub fn own_threads_only() {
    if !(membarrier(PRIVATE_EXPEDITED)
        || membarrier(REGISTER_PRIVATE_EXPEDITED) && membarrier(PRIVATE_EXPEDITED))
    {
        own_threads();
    }
}

/// A full barrier on all running threads of all registered processes; false where refused.
pub fn global() -> bool {
    membarrier(GLOBAL_EXPEDITED)
}
