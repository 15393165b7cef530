//! What tells findings of the development checks to the launcher.

use crate::finding::Finding;
use crate::link::Link;
use std::sync::{Arc, Mutex, PoisonError};

/// Tells findings to `mpiexec` of Nemesis. May outlive the [`Wireup`](crate::Wireup) that made it.
#[derive(Clone, Debug)]
pub struct Reporter {
    pub(crate) link: Arc<Mutex<Link>>,
}

impl Reporter {
    /// Tells a finding. Returns false if the launcher does not take findings.
    pub fn tell(&self, finding: &Finding) -> bool {
        // A thread that panics aborts the process, so that a poisoned lock protects consistent
        // data.
        self.link.lock().unwrap_or_else(PoisonError::into_inner).tell(finding)
    }
}
