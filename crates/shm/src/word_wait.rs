//! A wait, deep inside of a call, for a word that another process writes within microseconds.
//!
//! Such a wait makes no progress of messages and cannot end by itself. If the word never comes,
//! because the segment is damaged or the other process has stopped, the process yields its
//! processor and answers a launcher that asks for a state report, as a process that waits in a call
//! does. So the launcher finds that the job stands still, and ends it.

use crate::deaths::Deaths;
use crate::status::{Answer, Status};
use nemesis_sys::{calls, per_process, share, threads, virtual_process};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

per_process! {
    /// The status line of this process, and whether all processes of the job are on this node.
    static OWN: OnceLock<(&'static Status, bool)> = OnceLock::new();
    /// The record of deaths, if the job goes on when a process dies.
    static DEATHS: OnceLock<Deaths> = OnceLock::new();
}
/// Time after which a wait answers the launcher: a thousand times what it usually takes.
const ANSWER_AFTER: Duration = Duration::from_millis(100);
/// Time after which a wait for a word of an unknown process ends if a process has died.
const HOPELESS_AFTER: Duration = Duration::from_secs(2);
/// Yields between two looks at the clock.
const YIELDS_PER_LOOK: u32 = 64;

/// Sets the status line by which waits of this process answer. `on_one_node` says that no process
/// of another node takes part in the job: of packets to and from them such an answer says nothing.
/// Only the first call has an effect.
pub fn answer_by(status: &'static Status, on_one_node: bool) {
    // A second endpoint of one process is one of a test.
    let _ = OWN.set((status, on_one_node));
}

/// Sets the record of deaths that ends waits for processes that have died. Only the first call has
/// an effect.
pub fn look_at(deaths: Deaths) {
    let _ = DEATHS.set(deaths);
}

/// Returns whether a process is known to have died.
#[cold]
pub fn has_died(process: u32) -> bool {
    let is_it = |deaths: &Deaths| (0..deaths.count()).any(|index| deaths.rank(index) == process);
    DEATHS.get().is_some_and(is_it)
}

/// The state of a wait.
#[derive(Debug)]
pub struct WordWait {
    what: &'static str,
    since: Option<Instant>,
    yields: u32,
}

impl WordWait {
    /// Begins a wait for `what`, in words for the state report.
    #[inline]
    pub fn new(what: &'static str) -> WordWait {
        WordWait { what, since: None, yields: 0 }
    }

    /// Yields the processor, and answers the launcher now and then.
    #[cold]
    pub fn pause(&mut self) {
        share::yield_now();
        self.yields = self.yields.wrapping_add(1);
        if self.yields.is_multiple_of(YIELDS_PER_LOOK) {
            let since = *self.since.get_or_insert_with(virtual_process::now);
            let waited = virtual_process::since(since);
            if waited > ANSWER_AFTER {
                self.answer(waited);
                // Whoever waits for so long needs no processor of its own.
                virtual_process::nap(Duration::from_millis(1));
            }
        }
    }

    /// Pauses as [`pause`](Self::pause) does, and returns whether `process`, for which the caller
    /// waits, has died.
    #[cold]
    pub fn pause_for(&mut self, process: u32) -> bool {
        self.pause();
        self.yields.is_multiple_of(YIELDS_PER_LOOK) && has_died(process)
    }

    /// Returns whether a process has died and the wait, which usually takes microseconds, has
    /// lasted for so long that the process it waits for must be the one.
    #[cold]
    pub fn is_hopeless(&self) -> bool {
        let is_long =
            self.since.is_some_and(|since| virtual_process::since(since) > HOPELESS_AFTER);
        is_long && DEATHS.get().is_some_and(|deaths| deaths.count() > 0)
    }

    fn answer(&self, waited: Duration) {
        let Some((status, on_one_node)) = OWN.get() else { return };
        if status.is_asked() {
            let site = calls::call_site(calls::mpi_name, calls::MPI_LIBRARIES);
            let call = site.map_or("a call", |site| site.function);
            status.answer(&Answer {
                site: site.map_or(0, |site| site.address as u64),
                waiting_ms: waited.as_millis() as u64,
                idle: *on_one_node && threads::others_wait_for_this_process(0),
                text: format!("{call}: {}", self.what),
                ..Answer::default()
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::Slot;
    use nemesis_sys::memfd;

    #[test]
    fn a_wait_without_end_answers_the_launcher() {
        let memory = memfd::sparse(1 << 36, 1 << 36).unwrap();
        let slot = Slot::head(&memory.descriptor, 1 << 36, 1, 0).unwrap();
        answer_by(slot.status(), true);
        let asked = slot.offset() + crate::layout::at::STATUS as u64;
        rustix::io::pwrite(&memory.descriptor, &7u32.to_le_bytes(), asked).unwrap();
        let mut wait = WordWait::new("a word that never comes");
        assert!(slot.status().is_asked());
        while slot.status().is_asked() {
            wait.pause();
        }
        let mut line = [0; crate::status::STATUS_BYTES];
        rustix::io::pread(&memory.descriptor, &mut line, asked).unwrap();
        let answer = Status::answer_in(&line);
        assert_eq!(answer.text, "a call: a word that never comes");
        assert!(answer.waiting_ms >= 100 && !answer.tests && !answer.finalizes);
    }
}
