//! The one crate that names atomics; also spin hints, barriers and thread numbers.
//!
//! No other crate names `std::sync::atomic` (`cargo xtask tidy` checks it). With `--cfg loom` every
//! name below becomes the model checker's, so each lock-free algorithm runs unchanged under the
//! model checker.
//!
//! | name | std | loom |
//! |---|---|---|
//! | atomics, `Ordering`, `fence` | `std::sync::atomic` | `loom::sync::atomic`, behind `weaken` |
//! | `spin_hint` | the processor's pause instruction | a yield, so that the model makes progress |
//! | `full_barrier` | a full barrier, by the cheapest instruction | a SeqCst fence |
//! | `this_thread` | the thread pointer | the address of a thread-local variable |
//! | `light_barrier` | a compiler barrier; the other side uses `membarrier` | a SeqCst fence |

#![cfg_attr(not(loom), warn(missing_docs))]

pub mod biased_lock;
mod cache_padded;
pub mod guarded;
#[cfg(loom)]
pub mod weaken;

pub use cache_padded::CachePadded;

#[cfg(not(loom))]
mod platform {
    pub use std::hint::spin_loop as spin_hint;
    pub use std::sync::atomic::{
        AtomicBool, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering,
        fence,
    };

    /// The cheap side of an asymmetric barrier: keeps the compiler from reordering memory accesses
    /// across it. The processor may still reorder them. A thread that relies on the order executes
    /// the expensive side (`membarrier`), which runs a full barrier on this processor.
    #[inline(always)]
    pub fn light_barrier() {
        std::sync::atomic::compiler_fence(Ordering::SeqCst);
    }

    /// Returns a number that identifies the calling thread among all living threads; never 0.
    ///
    /// # Examples
    /// ```
    /// use nemesis_sync::this_thread;
    ///
    /// let own = this_thread();
    /// assert!(own != 0 && own == this_thread());
    /// assert_ne!(own, std::thread::spawn(this_thread).join().unwrap());
    /// ```
    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn this_thread() -> usize {
        #[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
        {
            let number;
            // SAFETY: reads the word that FS points to, which holds its own address (System V ABI,
            // "ELF Handling for Thread-Local Storage" §3.4.6).
            unsafe {
                std::arch::asm!(
                    "mov {}, qword ptr fs:[0]",
                    out(reg) number,
                    options(pure, readonly, nostack, preserves_flags)
                )
            };
            number
        }
        #[cfg(all(target_arch = "aarch64", target_os = "linux", not(miri)))]
        {
            let number;
            // SAFETY: reads the register with the thread pointer, the address of the thread's
            // control block ("ELF for the Arm 64-bit Architecture", thread-local storage).
            unsafe {
                std::arch::asm!(
                    "mrs {}, tpidr_el0",
                    out(reg) number,
                    options(pure, nomem, nostack, preserves_flags)
                )
            };
            number
        }
        #[cfg(not(all(
            any(target_arch = "x86_64", target_arch = "aarch64"),
            target_os = "linux",
            not(miri)
        )))]
        {
            std::thread_local! { static HERE: u8 = const { 0 } }
            HERE.with(|here| std::ptr::from_ref(here) as usize)
        }
    }

    /// Returns whether `number` is that of the calling thread. Takes one register less than a
    /// comparison with [`this_thread`].
    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn is_this_thread(number: usize) -> bool {
        #[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
        {
            let mut difference = number;
            // SAFETY: reads the word that FS points to, as in `this_thread`.
            unsafe {
                std::arch::asm!(
                    "xor {}, qword ptr fs:[0]",
                    inout(reg) difference,
                    options(pure, readonly, nostack)
                )
            };
            difference == 0
        }
        #[cfg(not(all(target_arch = "x86_64", target_os = "linux", not(miri))))]
        {
            number == this_thread()
        }
    }

    /// A full barrier: memory accesses before it, those of the caller's program included, complete
    /// before those after it.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn full_barrier() {
        // A locked instruction orders like MFENCE and takes half the time (8.5 ns instead of 19 ns
        // on the machine of bench/README.md). The compiler moves no access across the block,
        // because the block may touch memory.
        #[cfg(target_arch = "x86_64")]
        // SAFETY: writes the word on top of the stack, which is this function's, with its own
        // value.
        unsafe {
            std::arch::asm!("lock or qword ptr [rsp], 0");
        }
        // SeqCst fence: the full barrier that this function promises.
        #[cfg(not(target_arch = "x86_64"))]
        fence(Ordering::SeqCst);
    }
}

#[cfg(loom)]
mod platform {
    pub use crate::weaken::{
        AtomicBool, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
        light_barrier,
    };

    pub fn full_barrier() {
        fence(Ordering::SeqCst);
    }

    pub fn this_thread() -> usize {
        loom::thread_local! { static HERE: u8 = 0 }
        HERE.with(|here| std::ptr::from_ref(here) as usize)
    }

    pub fn is_this_thread(number: usize) -> bool {
        number == this_thread()
    }
    pub use loom::thread::yield_now as spin_hint;
}

pub use platform::*;

#[cfg(all(test, not(loom)))]
mod tests {
    use super::{is_this_thread, this_thread};

    #[test]
    fn threads_have_different_numbers() {
        let own = this_thread();
        let other = std::thread::spawn(this_thread).join().unwrap();
        assert!(own == this_thread() && own != 0 && other != own);
        assert!(is_this_thread(own) && !is_this_thread(other));
    }
}
