//! Properties of the processor that decide between algorithms, and its clock.

#![allow(unsafe_code)]

use std::sync::OnceLock;

/// Cost of moving a cache line between two processors' private caches, as measured on this machine,
/// in nanoseconds per line.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LineTransfer {
    /// Cost of writing a line that another processor has read.
    pub read: f64,
    /// Cost of writing a line that another processor has claimed: read, and stored one byte back
    /// unchanged.
    pub claimed: f64,
}

/// Ratio of the two costs from which on readers should claim lines. Zen 4 has 4 to 5, with a shared
/// cache and without.
const SLOW_RATIO: f64 = 2.5;

impl LineTransfer {
    /// Returns whether line transfers are slow, so that readers should claim lines.
    pub fn is_slow(&self) -> bool {
        self.read >= SLOW_RATIO * self.claimed
    }
}

/// Returns whether line transfers are slow, by a measurement or by the processor's maker. The host
/// of a virtual machine may put two of its processors on one core for some seconds, where line
/// transfers are fast. A measurement that says so does not outweigh the maker.
pub fn is_slow(measured: Option<LineTransfer>) -> bool {
    measured.is_some_and(|line_transfer| line_transfer.is_slow()) || is_expected_to_be_slow()
}

static ARE_SLOW: OnceLock<bool> = OnceLock::new();

/// Returns whether transfers between private caches are slow, several times as slow as from a
/// shared cache: as the processes of the node have [agreed](agree_on_line_transfers), otherwise as
/// expected of the processor's maker.
pub fn line_transfers_are_slow() -> bool {
    *ARE_SLOW.get_or_init(is_expected_to_be_slow)
}

/// Sets what the processes of this node have agreed on, before any code asks.
pub fn agree_on_line_transfers(are_slow: bool) {
    // Code that has asked before keeps the earlier answer. This happens in tests, which join
    // several jobs in one process.
    let _ = ARE_SLOW.set(are_slow);
}

/// Returns whether line transfers are slow on processors of this maker: AMD's are (Zen 4). No slow
/// processor of another maker is known.
fn is_expected_to_be_slow() -> bool {
    ["AuthenticAMD", "HygonGenuine"].contains(&maker().as_str())
}

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

/// Returns the processor's maker and number, which tell whether a measurement is of another
/// processor.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measurement_or_the_maker_says_that_transfers_are_slow() {
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
