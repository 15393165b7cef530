//! What kind of processor this is, where that decides between ways, and its clock.

#![allow(unsafe_code)]

use std::sync::OnceLock;

/// How caches that processors have for themselves pass lines to each other, as measured on this machine, in nanoseconds for a line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LineTransfer {
    /// To write it when another processor has read it.
    pub read: f64,
    /// To write it when that has read it and stored a byte back as it was.
    pub claimed: f64,
}

/// From here on lines had better be claimed. Zen 4 has 4 to 5, with a cache in common and without.
const SLOW_RATIO: f64 = 2.5;

impl LineTransfer {
    /// Whether lines pass slowly, so that they had better be claimed.
    pub fn is_slow(&self) -> bool {
        self.read >= SLOW_RATIO * self.claimed
    }
}

/// Whether they do, as far as is known: by a measurement, or by the maker's name. The host of a virtual machine may put two of its processors onto one core
/// for some seconds, where lines pass fast meanwhile, so a measurement that says so does not outweigh the name.
pub fn is_slow(measured: Option<LineTransfer>) -> bool {
    measured.is_some_and(|line_transfer| line_transfer.is_slow()) || is_expected_to_be_slow()
}

static ANSWER: OnceLock<bool> = OnceLock::new();

/// Whether caches that processors have for themselves answer each other slowly, several times as slowly as the cache that they share: as has been
/// [found out](agree_on_line_transfers), else as the processor's maker lets us expect.
pub fn line_transfers_are_slow() -> bool {
    *ANSWER.get_or_init(is_expected_to_be_slow)
}

/// What processes of this node have agreed on, before anybody asks.
pub fn agree_on_line_transfers(slowly: bool) {
    // Who has asked before goes on with that answer: tests, which join many jobs in one process.
    let _ = ANSWER.set(slowly);
}

/// AMD's do (Zen 4: design memo 0003). Of others nothing is known, or the contrary.
fn is_expected_to_be_slow() -> bool {
    ["AuthenticAMD", "HygonGenuine"].contains(&maker().as_str())
}

/// The maker's name for itself; empty where the processor does not tell. A virtual machine's host answers, which takes it microseconds.
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

/// The processor's maker and number, by which a measurement of another one is told apart.
pub fn model() -> String {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        format!("{} {:x}", maker(), std::arch::x86_64::__cpuid(1).eax)
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    std::env::consts::ARCH.to_owned()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measurement_says_slow_and_the_maker_s_name_does() {
        let says = |read, claimed| LineTransfer { read, claimed }.is_slow();
        assert_eq!(
            [says(3.8, 0.9), says(13.3, 2.7), says(4.0, 3.9), says(3.0, 4.0), says(f64::NAN, 1.0)],
            [true, true, false, false, false]
        );
        assert!(is_slow(Some(LineTransfer { read: 4.0, claimed: 1.0 })));
        assert_eq!(
            [is_slow(None), is_slow(Some(LineTransfer { read: 1.0, claimed: 1.0 }))],
            [is_expected_to_be_slow(); 2]
        );
    }
}
