//! Finds and kills processes that a job left behind. Every process that a rank started carries the
//! job's mark in its environment, even after it has changed its process group, session and parent.

use nemesis_wireup::environment;
use rustix::process::{Pid, Signal};
use std::fs;

/// Finds the processes of one job by its mark.
pub struct OrphanCleanup {
    /// The environment variable that the processes carry.
    variable: Vec<u8>,
}

impl OrphanCleanup {
    /// Makes a cleanup for the job with this mark.
    pub fn for_mark(mark: &str) -> OrphanCleanup {
        OrphanCleanup { variable: format!("{}={mark}", environment::JOB).into_bytes() }
    }

    /// Kills the job's processes that exist now and returns their number. The environment of other
    /// users' processes cannot be read, so those are left alone.
    pub fn kill(&self) -> usize {
        let Ok(entries) = fs::read_dir("/proc") else { return 0 };
        let numbers =
            entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        numbers
            .filter_map(Pid::from_raw)
            .filter(|pid| self.owns(*pid))
            .filter(|pid| kill(*pid))
            .count()
    }

    /// Returns whether a process carries the job's mark.
    fn owns(&self, pid: Pid) -> bool {
        // The environment of a zombie is empty, so zombies are not found.
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| variable == self.variable)
    }
}

/// Kills a process; returns whether it existed.
fn kill(pid: Pid) -> bool {
    rustix::process::kill_process(pid, Signal::KILL).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::Command;

    #[test]
    fn a_process_with_the_mark_is_found_and_others_are_not() {
        let mark = format!("test-{}", std::process::id());
        let orphan_cleanup = OrphanCleanup::for_mark(&mark);
        assert_eq!(orphan_cleanup.kill(), 0);
        let mut child = Command::new("sleep")
            .arg("100")
            .env(environment::JOB, &mark)
            .process_group(0)
            .spawn()
            .unwrap();
        let mut other = Command::new("sleep")
            .arg("100")
            .env(environment::JOB, format!("{mark}0"))
            .spawn()
            .unwrap();
        // Before exec a process may have its parent's environment, and during exec it has none.
        for pid in [child.id(), other.id()] {
            let is_marked = || {
                let environment = fs::read(format!("/proc/{pid}/environ")).unwrap();
                environment.windows(mark.len()).any(|part| part == mark.as_bytes())
            };
            while !is_marked() {
                std::thread::yield_now();
            }
        }
        assert_eq!(orphan_cleanup.kill(), 1);
        assert_eq!(child.wait().unwrap().signal(), Some(9));
        assert_eq!(orphan_cleanup.kill(), 0);
        assert!(other.try_wait().unwrap().is_none());
        other.kill().unwrap();
        other.wait().unwrap();
    }
}
