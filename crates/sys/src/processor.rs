//! The processor's identity and its clock.

#![allow(unsafe_code)]

/// Returns the maker's name; empty if the processor does not tell. In a virtual machine the host
/// answers, which takes microseconds.
#[cfg(all(target_arch = "x86_64", not(miri)))]
fn maker() -> String {
    let id = std::arch::x86_64::__cpuid(0);
    let bytes = [id.ebx, id.edx, id.ecx].map(u32::to_le_bytes).concat();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the register that identifies the processor (MIDR_EL1); 0 if the kernel does not show it.
/// The kernel emulates the instruction, which takes about a microsecond.
#[cfg(all(target_arch = "aarch64", not(miri)))]
fn identification() -> u64 {
    // SAFETY: reads the auxiliary vector of this process.
    if unsafe { libc::getauxval(libc::AT_HWCAP) } & libc::HWCAP_CPUID == 0 {
        return 0;
    }
    let register;
    // SAFETY: reads a register that the kernel has said to show.
    unsafe {
        std::arch::asm!(
            "mrs {}, midr_el1",
            out(reg) register,
            options(nomem, nostack, preserves_flags)
        );
    }
    register
}

/// Returns the processor's maker and number, which tell whether a stored measurement is of another
/// processor. Nothing else may depend on them.
pub fn model() -> String {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        format!("{} {:x}", maker(), std::arch::x86_64::__cpuid(1).eax)
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    {
        format!("aarch64 {:x}", identification())
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    std::env::consts::ARCH.to_owned()
}

/// Returns the processor's clock: ticks of a constant rate, two to four per nanosecond; 0 if it has
/// none that is fast to read. On aarch64 the counter behind it is slower, some 25 MHz to 1 GHz, and
/// the clock advances by more than one.
#[inline(always)]
pub fn ticks() -> u64 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: reads a register.
    unsafe {
        std::arch::x86_64::_rdtsc()
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    {
        /// What the counter's rate is multiplied up to, at least roughly.
        const TICKS_PER_SECOND: u64 = 3_000_000_000;
        let (count, frequency): (u64, u64);
        // The barrier keeps the processor from reading the counter before what comes earlier, such
        // as another reading.
        // SAFETY: reads registers.
        unsafe {
            std::arch::asm!(
                "isb",
                "mrs {}, cntvct_el0",
                "mrs {}, cntfrq_el0",
                out(reg) count,
                out(reg) frequency,
                options(nostack, preserves_flags)
            );
        }
        count.wrapping_mul((TICKS_PER_SECOND / frequency.max(1)).max(1))
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    0
}

/// Returns the number of the processor on which the calling thread runs at present.
pub fn current_processor() -> Option<usize> {
    // SAFETY: the call takes nothing and changes nothing.
    usize::try_from(unsafe { libc::sched_getcpu() }).ok()
}
