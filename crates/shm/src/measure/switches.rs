//! The cost of waking a thread and switching to it.

#![allow(unsafe_code)]

use super::{Turn, on_processors, ranked};
use nemesis_sync::Ordering;
use nemesis_sys::futex;
use nemesis_sys::host_model::HostModel;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Number of times that each of two threads wakes the other between two readings of the clock. A
/// thread that wakes another may lose the processor to it before it sleeps itself, so the time of
/// a single turn tells nothing.
const TURNS: u32 = 2;
/// Number of readings.
const READINGS: u32 = 48;
/// Number of readings without which there is no result.
const LEAST_READINGS: usize = 4;
/// Rank of the times that counts. Other processes of the processor run between many switches.
const RANK: f64 = 0.1;
/// Longest sleep, if the other thread has given up.
const SLEEP: Duration = Duration::from_millis(1);

/// Lets two threads on one processor wake each other.
pub fn measure(processors: &[usize], until: Instant, model: &mut HostModel) {
    let Some(&processor) = processors.first() else { return };
    let turn = Arc::new(Turn::default());
    let other = Arc::clone(&turn);
    let run = move |turn: Arc<Turn>, own: u32| {
        let mut times = Vec::new();
        let mut begun = Instant::now();
        for round in 0..TURNS * READINGS {
            if !sleep(&turn, 2 * round + own, until) {
                break;
            }
            if round > 0 && round % TURNS == 0 {
                let switches = f64::from(2 * TURNS);
                times.push(begun.elapsed().as_nanos() as f64 / switches);
                begun = Instant::now();
            }
            turn.pass_on(2 * round + own);
            // SAFETY: the word is this thread's as long as `turn`.
            unsafe { futex::wake_one(turn.0.as_ptr()) };
        }
        times
    };
    let ran = on_processors([processor; 2], move || run(turn, 0), move || run(other, 1));
    let times = ran.map_or_else(Vec::new, |(_, times)| times);
    model.context_switch_ns = ranked(times, LEAST_READINGS, RANK).unwrap_or_default();
}

/// Waits for a turn, asleep; false if it does not come before `until`.
fn sleep(turn: &Turn, wanted: u32, until: Instant) -> bool {
    loop {
        // Acquire: pairs with the Release in `Turn::pass_on`.
        let present = turn.0.load(Ordering::Acquire);
        if present == wanted {
            return true;
        }
        if Instant::now() >= until {
            return false;
        }
        // SAFETY: the word is this thread's as long as `turn`.
        unsafe { futex::wait(turn.0.as_ptr(), present, SLEEP) };
    }
}
