//! What kind of processor this is, where that decides between ways, and its clock.

#![allow(unsafe_code)]

use std::sync::OnceLock;

/// Whether caches that processors have for themselves answer each other slowly, several times as slowly as the cache that they share: so do those
/// of AMD's processors (Zen 4: design memo 0003). Of others nothing is known, or the contrary.
pub fn passes_lines_slowly() -> bool {
    // A virtual machine's host answers the question, which takes it microseconds.
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(is_of_amd)
}

fn is_of_amd() -> bool {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let id = std::arch::x86_64::__cpuid(0);
        let maker = [id.ebx, id.edx, id.ecx].map(u32::to_le_bytes).concat();
        [b"AuthenticAMD".as_slice(), b"HygonGenuine"].contains(&maker.as_slice())
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    false
}

/// What the processor's clock says: ticks of a steady rate, two to four to the nanosecond; 0 where it has none that costs nothing to read.
#[inline(always)]
pub fn ticks() -> u64 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: reads a register.
    unsafe {
        std::arch::x86_64::_rdtsc()
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    0
}
