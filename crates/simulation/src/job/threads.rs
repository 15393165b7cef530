//! Further threads of a process.

use super::{Job, NOTES, Notes, State, Time, coroutine, lock, pause_until};
use std::cell::Cell;
use std::rc::Rc;

/// A thread that begins when the one that has started it pauses.
pub(super) struct NewThread {
    rank: u32,
    run: Box<dyn FnOnce()>,
}

/// A thread that runs.
pub struct JoinHandle {
    has_ended: Rc<Cell<bool>>,
}

/// Starts a thread of the process that runs.
pub fn start(run: impl FnOnce() + 'static) -> JoinHandle {
    let notes = NOTES.get();
    assert!(!notes.is_null(), "only a process of a simulation has such threads");
    // SAFETY: `run` of the job keeps the notes as long as the pointer is set.
    let notes = unsafe { &*notes };
    let has_ended = Rc::new(Cell::new(false));
    let ended = has_ended.clone();
    let run = Box::new(move || {
        run();
        ended.set(true);
    });
    notes.new_threads.borrow_mut().push(NewThread { rank: notes.rank.get(), run });
    JoinHandle { has_ended }
}

impl JoinHandle {
    /// Waits until the thread has ended.
    pub fn join(self) {
        while !self.has_ended.get() {
            pause_until(&|| self.has_ended.get(), Time::MAX, false);
        }
    }
}

impl Job {
    /// Returns the threads of a process.
    pub(super) fn threads_of(&self, rank: u32) -> impl Iterator<Item = u32> {
        let further = self.rank_of.iter().enumerate().skip(self.setup.nodes.len());
        let further = further.filter(move |(_, of)| **of == rank);
        std::iter::once(rank).chain(further.map(|(thread, _)| thread as u32))
    }

    /// Makes coroutines of the threads that have been started.
    pub(super) fn begin_threads(&mut self, notes: &Notes) {
        for NewThread { rank, run } in notes.new_threads.take() {
            self.ready.push(self.threads.len() as u32);
            self.threads.push(Some(coroutine(run)));
            self.rank_of.push(rank);
            self.states.push(State::Ready);
            self.turns_of.push(0);
            lock(&notes.states).push("has not begun".into());
        }
    }

    /// Returns what each rank is in, by what its threads are in.
    pub(super) fn states_of_ranks(&self, states: &[String]) -> Vec<String> {
        let of_rank = |rank: u32| {
            let all: Vec<&str> =
                self.threads_of(rank).map(|thread| states[thread as usize].as_str()).collect();
            all.join("; ")
        };
        (0..self.setup.nodes.len() as u32).map(of_rank).collect()
    }
}
