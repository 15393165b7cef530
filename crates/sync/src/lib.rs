//! Atomics, cells and spin hints behind one seam.
//!
//! No other room names `std::sync::atomic` (`cargo xtask tidy` keeps it so): compiled with `--cfg loom` the same names are the model checker's, and every
//! lock-free algorithm of the house runs under it unchanged.
//!
//! | name | std | loom |
//! |---|---|---|
//! | atomics, `Ordering`, `fence` | `std::sync::atomic` | `loom::sync::atomic`, behind `weaken` |
//! | `spin_hint` | the processor's pause | a yield, so that the model moves on |
//! | `full_barrier` | a full barrier, by the cheapest instruction | a SeqCst fence |
//! | `this_thread` | what the thread's register says | the address of a local of the thread |
//! | `light_barrier` | orders the compiler; the processor is ordered from the other side, by `membarrier` | a SeqCst fence |

pub mod biased_lock;
mod cache_padded;
#[cfg(loom)]
pub mod weaken;

pub use cache_padded::CachePadded;

#[cfg(not(loom))]
mod seam {
    pub use std::hint::spin_loop as spin_hint;
    pub use std::sync::atomic::{
        AtomicBool, AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence,
    };

    /// The cheap side of an asymmetric barrier: the compiler keeps what comes before it before it. The processor may still reorder; whoever
    /// relies on the order runs the expensive side, which stops this processor for a full barrier.
    #[inline(always)]
    pub fn light_barrier() {
        std::sync::atomic::compiler_fence(Ordering::SeqCst);
    }

    /// A number that no other living thread has, never 0.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn this_thread() -> usize {
        #[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
        {
            let number;
            // SAFETY: reads the first word of what FS points to, which is that address itself (System V ABI, "ELF Handling for Thread-Local Storage" §3.4.6).
            unsafe {
                std::arch::asm!("mov {}, qword ptr fs:[0]", out(reg) number, options(pure, readonly, nostack, preserves_flags))
            };
            number
        }
        #[cfg(not(all(target_arch = "x86_64", target_os = "linux", not(miri))))]
        {
            std::thread_local! { static HERE: u8 = const { 0 } }
            HERE.with(|here| std::ptr::from_ref(here) as usize)
        }
    }

    /// A full barrier: loads and stores before it, of the program's as of ours, come before those behind it.
    #[inline(always)]
    #[allow(unsafe_code)]
    pub fn full_barrier() {
        // A locked instruction orders as MFENCE does and takes half as long (8.5 ns instead of 19 ns on the machine of bench/README.md): the compiler keeps
        // accesses on their sides because the block may touch memory.
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the word on top of the stack is ours and gets the value that it has.
        unsafe {
            std::arch::asm!("lock or qword ptr [rsp], 0");
        }
        // SeqCst fence: what is promised above.
        #[cfg(not(target_arch = "x86_64"))]
        fence(Ordering::SeqCst);
    }
}

#[cfg(loom)]
mod seam {
    pub use crate::weaken::{
        AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence, light_barrier,
    };

    pub fn full_barrier() {
        fence(Ordering::SeqCst);
    }

    pub fn this_thread() -> usize {
        loom::thread_local! { static HERE: u8 = 0 }
        HERE.with(|here| std::ptr::from_ref(here) as usize)
    }
    pub use loom::thread::yield_now as spin_hint;
}

pub use seam::*;

#[cfg(all(test, not(loom)))]
mod tests {
    use super::this_thread;

    #[test]
    fn threads_have_different_numbers() {
        let own = this_thread();
        let other = std::thread::spawn(this_thread).join().unwrap();
        assert!(own == this_thread() && own != 0 && other != own);
    }
}
