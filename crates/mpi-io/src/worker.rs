//! The worker: a thread that carries out the transfers of non-blocking calls while the program
//! computes.
//!
//! The thread starts with the first such call and lasts until the process ends. It touches neither
//! the engine nor functions of the program. If it cannot be started, the call carries out the
//! transfer itself.

use crate::handle;
use crate::transfer::{Moved, Transfer};
use std::sync::mpsc::{Receiver, Sender, channel};

/// A transfer, by the request that it completes.
struct Job {
    request: handle::Request,
    transfer: Transfer,
}

/// The thread as the engine sees it.
pub struct Worker {
    thread: Option<Thread>,
    /// Number of transfers whose results have not been taken.
    pub pending: usize,
}

struct Thread {
    jobs: Sender<Job>,
    results: Receiver<(handle::Request, Moved)>,
}

impl Worker {
    pub const fn new() -> Worker {
        Worker { thread: None, pending: 0 }
    }

    /// Gives a transfer to the thread; gives it back if there is no thread.
    pub fn begin(&mut self, request: handle::Request, transfer: Transfer) -> Result<(), Transfer> {
        if self.thread.is_none() {
            self.thread = start();
        }
        let Some(thread) = &self.thread else { return Err(transfer) };
        match thread.jobs.send(Job { request, transfer }) {
            Ok(()) => {
                self.pending += 1;
                Ok(())
            }
            Err(unsent) => Err(unsent.0.transfer),
        }
    }

    /// Takes the result of a finished transfer, and the request that it completes.
    pub fn take(&mut self) -> Option<(handle::Request, Moved)> {
        let result = self.thread.as_ref()?.results.try_recv().ok()?;
        self.pending -= 1;
        Some(result)
    }
}

fn start() -> Option<Thread> {
    let (jobs, queue) = channel::<Job>();
    let (finished, results) = channel();
    let work = move || {
        for Job { request, transfer } in queue {
            if finished.send((request, transfer.perform())).is_err() {
                return;
            }
        }
    };
    nemesis_sys::process::spawn_without_signals("nemesis-io", work).ok()?;
    Some(Thread { jobs, results })
}
