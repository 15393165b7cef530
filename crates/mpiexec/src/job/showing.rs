//! What `mpiexec` shows of a job before and after it, and where the output of its ranks goes.

use super::context::Job;
use crate::binding;
use crate::labels::{Label, RankTable};
use crate::launch_error::LaunchError;
use crate::launch_spec::Common;
use crate::options::Plan;
use crate::output::Sink;
use crate::output_files::OutputFiles;
use crate::placement::Share;
use crate::rank::Rank;
use nemesis_sys::process::Ending;
use nemesis_wireup::hosts::Host;
use nemesis_wireup::ranks::named;
use std::io::Write;
use std::rc::Rc;

/// Makes the sinks of standard output and standard error, and the files of the ranks' output.
///
/// # Errors
///
/// Returns a message about a file that cannot be made.
pub(super) fn sinks(
    plan: &Plan,
    shares: &[Share],
    common: &Common,
) -> Result<[Sink; 2], LaunchError> {
    let output = &plan.output;
    let table = RankTable::new(
        common.size,
        shares.iter().map(|share| (share.host.as_str(), share.ranks().collect())),
        |rank| common.program_of(rank),
    );
    let label = Label::new(Rc::new(table), output.prefix.clone(), output.times);
    let sink = |stream: usize| -> Result<Sink, LaunchError> {
        let name = ["standard output", "standard error"][stream];
        let pattern = output.files[stream].as_ref().filter(|_| stream == 0 || !plan.merges);
        let make = |pattern| OutputFiles::make(pattern, &label, name, output.makes_folders);
        let files = pattern.map(make).transpose()?;
        let shown = label.is_shown().then(|| label.clone());
        Ok(Sink::of_stream(shown, files, output.copies))
    };
    let (out, mut err) = (sink(0)?, sink(1)?);
    err.leave_out_repeats();
    Ok([out, err])
}

/// Returns what `-display` asks for: lines without the newline of the last one.
pub(super) fn shown(plan: &Plan, hosts: &[Host], shares: &[Share]) -> Option<String> {
    let mut lines = Vec::new();
    if plan.display.allocation {
        lines.extend(hosts.iter().map(|host| {
            let slots = match host.slots {
                u32::MAX => nemesis_sys::host::usable_cores() as u32,
                slots => slots,
            };
            format!(
                "mpiexec: host {}: {slots} {}",
                host.name,
                if slots == 1 { "slot" } else { "slots" }
            )
        }));
    }
    if plan.display.map {
        lines.extend(shares.iter().map(|share| {
            let ranks: Vec<u32> = share.ranks().collect();
            format!("mpiexec: host {}: {}", share.host, named(&ranks))
        }));
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Writes the process id of `mpiexec` to standard output (`-`), standard error (`+`) or a file.
///
/// # Errors
///
/// Returns a message about a file that cannot be written.
pub(super) fn tell_pid(place: &str) -> Result<(), LaunchError> {
    let text = format!("{}\n", std::process::id());
    let written = match place {
        "-" => std::io::stdout().write_all(text.as_bytes()),
        "+" => std::io::stderr().write_all(text.as_bytes()),
        path => std::fs::write(path, text),
    };
    written.map_err(|why| {
        let what = format!("-report-pid {place}: {why}");
        LaunchError::new(what, "-, + or a file in a folder that you may write")
    })
}

/// Returns the line that tells the processors of a rank.
pub(super) fn bound_line(rank: u32, host: &str, processors: Option<&[usize]>) -> String {
    match processors {
        Some(processors) => {
            format!("mpiexec: rank {rank} on {host}: processors {}", binding::shown(processors))
        }
        None => format!("mpiexec: rank {rank} on {host}: not bound"),
    }
}

impl Job {
    /// Tells how each rank of this host has ended, when called first.
    pub(super) fn tell_codes(&mut self) {
        if !std::mem::take(&mut self.facts.common.tells_codes) || self.ranks.is_empty() {
            return;
        }
        let code = |rank: &Rank| match rank.ending {
            Some(Ending::Exited(code)) => format!("{}: {code}", rank.number),
            Some(Ending::Killed(signal)) => format!("{}: killed by signal {signal}", rank.number),
            None => format!("{}: unknown", rank.number),
        };
        let codes: Vec<String> = self.ranks.iter().map(code).collect();
        let text =
            format!("mpiexec: exit codes of the ranks on {}: {}", self.host, codes.join(", "));
        self.say(&text);
    }
}
