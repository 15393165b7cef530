//! The time since the process began to ask for it, read from the processor's time-stamp counter
//! where the kernel itself relies on that counter.
//!
//! A system clock costs 20 to 30 ns; reading the counter costs 10 to 15. The kernel publishes its
//! own judgement of the counter: `tsc` (x86-64) or `arch_sys_counter` (aarch64) as the current
//! clock source means that the counter runs at one rate on all processors. Its rate is measured
//! against the system clock, in two steps:
//!
//! ```text
//!   0 to 10 ms     the system clock
//!   10 ms to 1 s   the counter, by the rate of the first 10 ms (some parts per million)
//!   from 1 s on    the counter, by the rate of the first second (below a part per million)
//! ```
//!
//! Each step continues from the last time that its predecessor told, so that the time never runs
//! backwards.

#![allow(unsafe_code)]

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::processor::ticks;

/// Where the kernel names the clock source that it relies on.
const CLOCK_SOURCE: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";

/// The kernel's name of the counter that [`ticks`] reads.
const COUNTER: &str = if cfg!(target_arch = "aarch64") { "arch_sys_counter" } else { "tsc" };

/// How long the rate of the counter is measured for each step.
const COARSE: Duration = Duration::from_millis(10);
const FINE: Duration = Duration::from_secs(1);

/// Returns the seconds since the first call in this process, or up to a second more.
#[inline]
pub fn seconds() -> f64 {
    static CLOCK: OnceLock<Clock> = OnceLock::new();
    CLOCK.get_or_init(Clock::new).seconds()
}

/// Returns the nanoseconds of the monotonic clock, which all processes of a host share. It calls
/// the C library, whose way to the kernel's clock also works under valgrind.
pub fn monotonic_ns() -> u64 {
    let time = monotonic();
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[inline]
fn monotonic() -> libc::timespec {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is valid for the call, which writes nothing else.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time
}

/// Returns the low 32 bits of the milliseconds of the monotonic clock as of the kernel's last tick,
/// 1 to 10 ms ago. It takes a third of the time of the exact clock.
pub fn coarse_ms() -> u32 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is valid for the call, which writes nothing else.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC_COARSE, &mut time) };
    (time.tv_sec as u64 * 1000 + time.tv_nsec as u64 / 1_000_000) as u32
}

struct Clock {
    start: Sample,
    /// Whole seconds of the monotonic clock at the start.
    start_seconds: libc::time_t,
    counter_is_reliable: bool,
    coarse: OnceLock<Rate>,
    fine: OnceLock<Rate>,
}

/// Samples taken of which the best one counts where a rate depends on it.
const TRIES: usize = 5;

/// Both clocks at one moment.
#[derive(Clone, Copy)]
struct Sample {
    ticks: u64,
    time: Instant,
}

impl Sample {
    /// The counter is read first, so that a time computed from this sample is not below `time`.
    fn now() -> Sample {
        let ticks = ticks();
        Sample { ticks, time: Instant::now() }
    }

    /// Returns the sample of a few whose clocks were read closest to each other. A process that
    /// loses its processor between the two readings would get a wrong rate.
    fn best() -> Sample {
        let timed = |_| {
            let sample = Sample::now();
            (ticks().wrapping_sub(sample.ticks), sample)
        };
        let (_, sample) =
            (0..TRIES).map(timed).min_by_key(|(gap, _)| *gap).expect("there are tries");
        sample
    }
}

/// A straight line from the counter to seconds.
struct Rate {
    ticks: u64,
    seconds: f64,
    seconds_per_tick: f64,
}

impl Rate {
    #[inline]
    fn seconds(&self, ticks: u64) -> f64 {
        self.seconds + ticks.wrapping_sub(self.ticks) as i64 as f64 * self.seconds_per_tick
    }
}

impl Clock {
    fn new() -> Clock {
        let counter_is_reliable =
            std::fs::read(CLOCK_SOURCE).is_ok_and(|name| name.trim_ascii() == COUNTER.as_bytes());
        Clock {
            start: Sample::best(),
            start_seconds: monotonic().tv_sec,
            counter_is_reliable,
            coarse: OnceLock::new(),
            fine: OnceLock::new(),
        }
    }

    #[inline]
    fn seconds(&self) -> f64 {
        match self.fine.get() {
            Some(rate) => rate.seconds(ticks()),
            None => self.seconds_while_measuring(),
        }
    }

    #[inline(never)]
    fn seconds_while_measuring(&self) -> f64 {
        if !self.counter_is_reliable {
            // Neither the counter nor a division, which take half as long as the clock itself.
            let now = monotonic();
            return (now.tv_sec - self.start_seconds) as f64 + now.tv_nsec as f64 * 1e-9;
        }
        if let Some(coarse) = self.coarse.get() {
            let seconds = coarse.seconds(ticks());
            let is_coarse = seconds < FINE.as_secs_f64();
            return if is_coarse { seconds } else { self.fine_rate().seconds(ticks()) };
        }
        let elapsed = self.start.time.elapsed();
        match elapsed >= COARSE {
            true => self.coarse.get_or_init(|| self.rate()).seconds(ticks()),
            false => elapsed.as_secs_f64(),
        }
    }

    #[cold]
    fn fine_rate(&self) -> &Rate {
        self.fine.get_or_init(|| self.rate())
    }

    /// Measures the rate from the start until now. The line continues from the time that the clock
    /// tells at this moment.
    fn rate(&self) -> Rate {
        let now = Sample::best();
        let elapsed = now.time.duration_since(self.start.time).as_secs_f64();
        let counted = now.ticks.wrapping_sub(self.start.ticks).max(1);
        let seconds = self.coarse.get().map_or(elapsed, |coarse| coarse.seconds(now.ticks));
        Rate { ticks: now.ticks, seconds, seconds_per_tick: elapsed / counted as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clock whose counter is taken as reliable, whatever the kernel says of it.
    #[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
    #[test]
    fn the_counter_agrees_with_the_system_clock_and_never_runs_backwards() {
        let clock = Clock { counter_is_reliable: true, ..Clock::new() };
        let begin = clock.start.time;
        let mut last = 0.0;
        while begin.elapsed() < FINE + Duration::from_millis(200) {
            let now = clock.seconds();
            assert!(now >= last, "{now} after {last}");
            last = now;
        }
        assert!(clock.fine.get().is_some(), "after a second the rate is known");
        let system = || begin.elapsed().as_secs_f64();
        let (before, counter, after) = (system(), clock.seconds(), system());
        assert!(
            before - 0.001 < counter && counter < after + 0.001,
            "the system clock says {before} to {after}, the counter {counter}"
        );
    }

    #[test]
    fn without_a_reliable_counter_the_system_clock_tells() {
        let clock = Clock { counter_is_reliable: false, ..Clock::new() };
        std::thread::sleep(COARSE);
        let first = clock.seconds();
        assert!(first >= COARSE.as_secs_f64() && clock.coarse.get().is_none(), "{first}");
        assert!(clock.seconds() >= first);
    }
}
