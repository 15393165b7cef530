//! `nemesis top`: what the ranks of a running job do.
//!
//! It reads what the job's processes write into their memory anyway: the state reports of waiting
//! ranks in the segment, and the counters of `mpiexec -profile`. It asks nothing of the job, so it
//! cannot disturb it. Jobs are found by their launchers, `mpiexec`, among the processes of this
//! user on this host; ranks on other hosts are not shown.
//!
//! | module | subject |
//! |---|---|
//! | `job` | finding jobs, and the processes of one |
//! | `snapshot` | the state of all ranks at one time, and rates between two |
//! | `text` | the snapshot as plain text (`--once`) |
//! | `screen` | the picture on a terminal |
//! | `keys` | the loop of a terminal: keys, and a new snapshot every second |

pub mod job;
mod keys;
mod screen;
pub mod snapshot;
pub mod text;

use crate::diagnostic::Diagnostic;
use snapshot::{INTERVAL_MIN, Known, Snapshot};
use std::io::IsTerminal;

#[derive(clap::Args)]
pub struct Options {
    /// The job: the process number of its mpiexec (default: the job of this user on this host; on a
    /// terminal the next one if there is none)
    job: Option<u32>,
    /// Print one snapshot as plain text
    #[arg(long)]
    once: bool,
}

/// Shows a job until the user leaves, or prints one snapshot. On a terminal it waits for a job if
/// there is none.
pub fn run(options: &Options) -> Result<(), Diagnostic> {
    let on_terminal = std::io::stdout().is_terminal();
    let waits = on_terminal && !options.once && options.job.is_none();
    let launcher = match job::find(options.job) {
        Err(_) if waits && !job::exists() => None,
        found => Some(found?),
    };
    if let (Some(launcher), true) = (&launcher, options.once) {
        let mut known = Known::default();
        Snapshot::take(launcher, &mut known)?;
        std::thread::sleep(INTERVAL_MIN);
        print!("{}", text::text(&Snapshot::take(launcher, &mut known)?));
        return Ok(());
    }
    if !on_terminal {
        return Err(Diagnostic::new(
            "showing a job",
            "standard output is no terminal",
            "nemesis top --once",
        ));
    }
    keys::show(launcher)
}
