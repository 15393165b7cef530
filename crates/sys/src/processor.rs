//! The processor's identity and its clock.

#![allow(unsafe_code)]

/// Returns the maker's name; empty if the processor does not tell. In a virtual machine the host
/// answers, which takes microseconds.
fn maker() -> String {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let id = std::arch::x86_64::__cpuid(0);
        let bytes = [id.ebx, id.edx, id.ecx].map(u32::to_le_bytes).concat();
        String::from_utf8_lossy(&bytes).into_owned()
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    String::new()
}

/// Returns the processor's maker and number, which tell whether a stored measurement is of another
/// processor. Nothing else may depend on them.
pub fn model() -> String {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        format!("{} {:x}", maker(), std::arch::x86_64::__cpuid(1).eax)
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    std::env::consts::ARCH.to_owned()
}

/// Returns the processor's clock: ticks of a constant rate, two to four per nanosecond; 0 if it has
/// none that is fast to read.
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

/// Returns the number of the processor on which the calling thread runs at present.
pub fn current_processor() -> Option<usize> {
    // SAFETY: the call takes nothing and changes nothing.
    usize::try_from(unsafe { libc::sched_getcpu() }).ok()
}
