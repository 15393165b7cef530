//! Load by other programs during the measurements: the busy time of the processors that this
//! process may use, as the kernel counts it, minus the time that this process and its descendants
//! have used. Earlier load, as of a build that has just ended, does not count.

use serde::Serialize;
use std::fs;
use std::time::Instant;

/// Processors that other programs kept busy, on average over the run and in the busiest step.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Others {
    pub average: f64,
    pub most: f64,
    /// The step with the most load.
    pub during: String,
}

/// Load below which it is the kernel's own work, or the rounding of its clock.
const NOTICEABLE: f64 = 0.1;
/// Shortest step whose load is meaningful. The kernel counts in hundredths of a second.
const SHORTEST_STEP_SECONDS: f64 = 1.0;

impl Others {
    pub fn are_noticeable(&self) -> bool {
        self.average > NOTICEABLE
    }
}

/// One reading of the clocks.
#[derive(Clone, Copy, Debug)]
struct Reading {
    time: Instant,
    /// Ticks in which the processors that this process may use were busy.
    busy: u64,
    /// Ticks that this process and its ended descendants have used.
    ours: u64,
}

/// The load from the beginning to the end of a run.
pub struct Watch {
    processors: Vec<usize>,
    ticks_per_second: f64,
    first: Option<Reading>,
    last: Option<Reading>,
    most: (f64, String),
}

impl Watch {
    pub fn begin() -> Watch {
        let processors = nemesis_sys::process::allowed_processors().unwrap_or_default();
        let first = read(&processors);
        Watch {
            processors,
            ticks_per_second: rustix::param::clock_ticks_per_second() as f64,
            first,
            last: first,
            most: (0.0, String::new()),
        }
    }

    /// Notes the end of a step. All processes that it started have ended.
    pub fn step(&mut self, name: &str) {
        let now = read(&self.processors);
        if let (Some(before), Some(now)) = (self.last, now)
            && (now.time - before.time).as_secs_f64() >= SHORTEST_STEP_SECONDS
        {
            let busy = self.between(before, now);
            if busy > self.most.0 {
                self.most = (busy, name.to_owned());
            }
            self.last = Some(now);
        }
    }

    pub fn end(self) -> Others {
        let average =
            self.first.zip(self.last).map_or(0.0, |(first, last)| self.between(first, last));
        Others { average, most: self.most.0, during: self.most.1 }
    }

    fn between(&self, from: Reading, to: Reading) -> f64 {
        let others =
            to.busy.saturating_sub(from.busy).saturating_sub(to.ours.saturating_sub(from.ours));
        let seconds = (to.time - from.time).as_secs_f64();
        if seconds > 0.0 { others as f64 / self.ticks_per_second / seconds } else { 0.0 }
    }
}

fn read(processors: &[usize]) -> Option<Reading> {
    let busy = busy(&fs::read_to_string("/proc/stat").ok()?, processors);
    Some(Reading {
        time: Instant::now(),
        busy,
        ours: used(&fs::read_to_string("/proc/self/stat").ok()?)?,
    })
}

/// Returns the busy ticks of these processors: all but those of idling and of waiting for disks.
/// The time of a guest is contained in that of its host.
fn busy(stat: &str, processors: &[usize]) -> u64 {
    let of_line = |line: &str| -> Option<u64> {
        let mut words = line.strip_prefix("cpu")?.split_ascii_whitespace();
        let number: usize = words.next()?.parse().ok()?;
        processors.contains(&number).then_some(())?;
        let ticks: Vec<u64> = words.map_while(|word| word.parse().ok()).collect();
        let [user, nice, system, _, _, interrupts @ ..] = &ticks[..] else { return None };
        Some(user + nice + system + interrupts.iter().take(3).sum::<u64>())
    };
    stat.lines().filter_map(of_line).sum()
}

/// Returns the ticks of a process and of all that it has waited for. Its name, in brackets, may
/// contain any character.
fn used(stat: &str) -> Option<u64> {
    let words: Vec<&str> = stat.rsplit_once(')')?.1.split_ascii_whitespace().collect();
    let ticks = words.get(11..15)?.iter().map(|word| word.parse::<u64>().ok());
    ticks.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn the_kernels_clocks_are_parsed() {
        let stat = "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 1 2 3 100 50 4 5 6 7 8\ncpu1 10 0 0 100 0 0 0 0 \
                    0 0\ncpu10 1 1 1 1 1 1 1 1 0 0\nintr 5\n";
        assert_eq!(busy(stat, &[0]), 21);
        assert_eq!(busy(stat, &[0, 1]), 31);
        assert_eq!(busy("", &[0]), 0);
        assert_eq!(used("7 (a) b) S 1 1 1 0 -1 4194304 100 0 0 0 11 12 13 14 20 0 1"), Some(50));
        assert_eq!(used("7 (a"), None);
    }

    #[test]
    fn own_work_is_not_load_by_others() {
        let start = Instant::now();
        let reading = |seconds, busy, ours| Reading {
            time: start + Duration::from_secs(seconds),
            busy,
            ours,
        };
        let watch = |last| Watch {
            processors: vec![],
            ticks_per_second: 100.0,
            first: Some(reading(0, 1000, 50)),
            last: Some(last),
            most: Default::default(),
        };
        assert_eq!(watch(reading(10, 2500, 1550)).end().average, 0.0);
        let others = watch(reading(10, 2500, 550)).end();
        assert!((others.average - 1.0).abs() < 1e-9 && others.are_noticeable());
        // A descendant that its parent does not wait for makes the own time too small, and the
        // others' time never negative.
        assert_eq!(watch(reading(10, 1500, 1550)).end().average, 0.0);
    }
}
