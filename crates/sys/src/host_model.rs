//! The host model: what this host's processors, caches and kernel cost, in figures.
//!
//! The figures are measured once per host and boot (`nemesis_shm::measure`), stored
//! (`nemesis_wireup::machine`), and agreed on by the processes of a node
//! (`nemesis_shm::segment::Segment::agree_on_model`). A figure of 0 was not measured: the process
//! may use one processor only, other work needed the processors, or the kernel refused.

mod choices;

pub use choices::{Choices, agree, choices, model};
use std::ops::RangeInclusive;

/// Defines [`HostModel`] and its conversions from one list of figures, each with the range outside
/// which it is no measurement of a real host.
macro_rules! figures {
    ($($(#[$doc:meta])* $name:ident: $plausible:expr,)*) => {
        /// Costs of this host, as measured; 0 for what was not measured.
        #[derive(Clone, Copy, PartialEq, Debug, Default)]
        pub struct HostModel {
            $($(#[$doc])* pub $name: f32,)*
        }

        /// The names of the figures, in the order of [`HostModel::to_array`].
        pub const FIGURE_NAMES: [&str; FIGURES] = [$(stringify!($name)),*];
        /// The number of figures of a host model.
        pub const FIGURES: usize = [$(stringify!($name)),*].len();
        const PLAUSIBLE: [RangeInclusive<f32>; FIGURES] = [$($plausible),*];

        impl HostModel {
            /// Returns the figures as an array.
            pub fn to_array(&self) -> [f32; FIGURES] {
                [$(self.$name),*]
            }

            /// Returns the model with these figures; `None` if one of them is implausible.
            pub fn from_array(figures: [f32; FIGURES]) -> Option<HostModel> {
                let is_plausible = |(figure, plausible): (&f32, &RangeInclusive<f32>)| {
                    *figure == 0.0 || plausible.contains(figure)
                };
                if !figures.iter().zip(&PLAUSIBLE).all(is_plausible) {
                    return None;
                }
                let [$($name),*] = figures;
                Some(HostModel { $($name),* })
            }
        }
    };
}

figures! {
    /// Reading a line that another processor has written, in nanoseconds.
    line_read_ns: 0.1..=10e3,
    /// Claiming such a line: reading it, and storing one byte back unchanged.
    line_claim_ns: 0.1..=10e3,
    /// Writing a line again that another processor has read, in nanoseconds.
    line_rewrite_read_ns: 0.1..=10e3,
    /// Writing a line again that another processor has claimed, in nanoseconds.
    line_rewrite_claimed_ns: 0.1..=10e3,
    /// Bandwidth of a copy inside the processor's own caches, in gigabytes per second.
    cached_copy_gb_per_s: 0.01..=10e3,
    /// Bandwidth of a copy of memory that no cache holds, in gigabytes per second.
    memory_copy_gb_per_s: 0.01..=10e3,
    /// A copy of some bytes by the kernel (`process_vm_readv`), in nanoseconds.
    kernel_call_ns: 10.0..=10e6,
    /// Bandwidth of a long copy by the kernel inside the caches, in gigabytes per second.
    kernel_copy_gb_per_s: 0.01..=10e3,
    /// Waking a thread that sleeps, and switching to it on one processor, in nanoseconds.
    context_switch_ns: 50.0..=100e6,
    /// Bytes of the largest cache that a core has to itself.
    private_cache_bytes: 4096.0..=16e9,
    /// Bytes of the largest cache that cores share; 0 if there is none.
    shared_cache_bytes: 4096.0..=64e9,
    /// Number of processors that share it.
    shared_cache_processors: 1.0..=1e6,
}

/// Bit that marks a word that holds two figures, as opposed to one that nobody has written.
const WRITTEN: u64 = 1 << 63;

/// Number of words of a host model in shared memory.
pub const WORDS: usize = FIGURES.div_ceil(2);

impl HostModel {
    /// Returns the model as words that are never 0, for shared memory.
    pub fn to_words(&self) -> [u64; WORDS] {
        let figures = self.to_array();
        let bits = |index| u64::from(figures.get(index).copied().unwrap_or(0_f32).to_bits());
        std::array::from_fn(|word| WRITTEN | bits(2 * word + 1) << 32 | bits(2 * word))
    }

    /// Returns the model of such words; `None` if a figure is implausible.
    pub fn from_words(words: [u64; WORDS]) -> Option<HostModel> {
        let figure = |index: usize| {
            let word = words[index / 2] & !WRITTEN;
            f32::from_bits((word >> (32 * (index % 2))) as u32)
        };
        HostModel::from_array(std::array::from_fn(figure))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> HostModel {
        HostModel::from_array(std::array::from_fn(|index| 4096.0 + index as f32)).unwrap()
    }

    #[test]
    fn words_hold_the_model() {
        for model in [model(), HostModel::default()] {
            let words = model.to_words();
            assert!(!words.contains(&0));
            assert_eq!(HostModel::from_words(words), Some(model));
        }
    }

    #[test]
    fn figures_of_no_real_host_are_refused() {
        for figure in [f32::NAN, f32::INFINITY, -1.0, 1e-9, 1e30] {
            for index in 0..FIGURES {
                let mut figures = model().to_array();
                figures[index] = figure;
                assert_eq!(
                    HostModel::from_array(figures),
                    None,
                    "{figure} {}",
                    FIGURE_NAMES[index]
                );
            }
        }
        assert_eq!(HostModel::from_words([u64::MAX; WORDS]), None);
    }
}
