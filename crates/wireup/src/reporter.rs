//! What tells findings of the development checks, and notices for the user, to the launcher.

use crate::finding::Finding;
use crate::link::Link;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Tells findings and notices to `mpiexec` of Nemesis. May outlive the [`Wireup`](crate::Wireup)
/// that made it.
#[derive(Clone, Debug)]
pub struct Reporter {
    pub(crate) link: Arc<Mutex<Link>>,
}

impl Reporter {
    /// Tells a finding. Returns false if the launcher does not take findings.
    pub fn tell(&self, finding: &Finding) -> bool {
        self.link().tell(finding)
    }

    /// Lets the launcher say something to the user, once for each subject in a job. Returns false
    /// if it does not.
    pub fn notice(&self, subject: &str, text: &str) -> bool {
        self.link().notice(subject, text)
    }

    fn link(&self) -> MutexGuard<'_, Link> {
        // A thread that panics aborts the process, so that a poisoned lock protects consistent
        // data.
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
