//! `nemesis doctor`: what keeps a job from running on these hosts, or slows it down.
//!
//! ```text
//!   hosts ──remote──▶ a probe on each host (host_report), started by mpiexec as ranks are
//!                       commands, python, program, wheels ──▶ which MPI libraries there are
//!                       limits                    ──▶ what the host allows, and what that costs
//!                       network                   ──▶ a port for the other hosts
//!   reports ──▶ connections between the hosts ──▶ verdict ──▶ print
//! ```
//!
//! | file | what |
//! |---|---|
//! | `commands` | MPI commands on PATH, libraries in LD_LIBRARY_PATH |
//! | `program` | the user's program: processor, libraries |
//! | `python` | the library of each mpi4py |
//! | `wheels` | Python packages that overwrite files of ours |
//! | `mpi_library`, `loading`, `children` | which library is whose, what a program loads, helpers |
//! | `limits` | limits of the host |
//! | `network` | connections between hosts |
//! | `job` | the conclusion about a running job |
//! | `host_report`, `remote` | the probe, and the dialogue with it |
//! | `finding`, `verdict`, `print` | findings, what follows from all hosts together, the text |

mod children;
mod commands;
mod finding;
pub mod host_report;
mod job;
mod limits;
mod loading;
mod mpi_library;
mod network;
mod print;
mod program;
mod python;
mod remote;
mod verdict;
mod wheels;

use crate::diagnostic::Diagnostic;
use finding::{Finding, Weight};
use host_report::HostReport;
use nemesis_wireup::hosts::{self, Host};
use network::{Attempt, Target};
use remote::{Remote, Starting};
use serde::Serialize;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use verdict::Silent;

/// Time of one host to connect to one other.
const REACHING: Duration = Duration::from_secs(60);
/// Hosts up to which each connects to all others. Of more hosts, each connects to the hosts that
/// are 1, 2, 4, 8, … places behind it, as algorithms of collective operations do.
const ALL_PAIRS_MAX: usize = 8;

/// What to examine. The options that `mpiexec` has, too, may be written with one dash.
#[derive(clap::Args)]
pub struct Options {
    /// The hosts, as for mpiexec: h1,h2 [default: those of the batch job, or this host]
    #[arg(long = "hosts", aliases = ["host"], short = 'H', value_name = "LIST")]
    hosts: Option<String>,
    /// A file of hosts, as for mpiexec
    #[arg(long = "hostfile", aliases = ["machinefile"], short = 'f', value_name = "FILE",
        conflicts_with = "hosts")]
    hostfile: Option<PathBuf>,
    /// The command that starts an agent on another host, as for mpiexec
    #[arg(long, value_name = "COMMAND")]
    agent: Option<OsString>,
    /// The installation on other hosts, as for mpiexec
    #[arg(long, value_name = "DIR")]
    prefix: Option<PathBuf>,
    /// The interfaces that a job may use, as for mpiexec
    #[arg(long, value_name = "LIST")]
    net: Option<OsString>,
    /// The TCP ports that a job may use, as for mpiexec
    #[arg(long, value_name = "FIRST:LAST")]
    port_range: Option<OsString>,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
    /// Say what the ranks of a running job wait for: its mpiexec's process number [default: the
    /// only job on this host]
    #[arg(long, value_name = "NUMBER", num_args = 0..=1, conflicts_with_all = ["hosts", "hostfile",
        "agent", "prefix", "net", "port_range", "json", "program"])]
    job: Option<Option<u32>>,
    /// The MPI program that is to run
    program: Option<String>,
}

/// The options that may be written with one dash, as those of `mpiexec`.
const ONE_DASH: [&str; 8] =
    ["hosts", "host", "hostfile", "machinefile", "agent", "prefix", "net", "port-range"];

/// Returns a word of the command line with two dashes, if it is an option that may have one.
pub fn with_two_dashes(word: OsString) -> OsString {
    let is_known = |text: &str| {
        let name = text.split('=').next().unwrap_or(text);
        text.strip_prefix('-').is_some() && ONE_DASH.contains(&&name[1..])
    };
    match word.to_str() {
        Some(text) if is_known(text) => format!("-{text}").into(),
        _ => word,
    }
}

/// The whole report, as `--json` prints it.
#[derive(Serialize)]
struct Report<'a> {
    hosts: &'a [HostReport],
    connections: &'a [Attempt],
    findings: &'a [Finding],
}

/// Examines the hosts and prints the report. The exit code is 1 if there is a problem.
pub fn run(options: &Options) -> Result<ExitCode, Diagnostic> {
    if let Some(wanted) = options.job {
        return job::run(wanted);
    }
    let hosts = chosen_hosts(options)?;
    // The probes are started by the `mpiexec` of this tree.
    let damage = host_report::own_prefix().as_deref().map(wheels::without_launcher);
    if let Some(findings) = damage.filter(|findings| !findings.is_empty()) {
        return tell(options, &[], &[], &findings, 1);
    }
    let names: Vec<String> = hosts.iter().map(|host| host.name.clone()).collect();
    let Examined { mut remotes, reports, silent } = examine(&starting(options), &names)?;
    let attempts = connect(&mut remotes, &reports);
    drop(remotes);
    let findings = verdict::findings(&reports, &silent, &attempts, &hosts);
    tell(options, &reports, &attempts, &findings, hosts.len().max(1))
}

/// Prints the report and returns the exit code.
fn tell(
    options: &Options,
    reports: &[HostReport],
    attempts: &[Attempt],
    findings: &[Finding],
    hosts: usize,
) -> Result<ExitCode, Diagnostic> {
    if options.json {
        let report = Report { hosts: reports, connections: attempts, findings };
        let text = serde_json::to_string_pretty(&report)
            .map_err(|why| Diagnostic::new("writing the report", why, "without --json"))?;
        println!("{text}");
    } else {
        reports.iter().for_each(|report| print!("{}", print::host(report)));
        if !attempts.is_empty() {
            print!("{}", print::connections(attempts));
        }
        print!("{}", print::conclusion(findings, hosts, attempts));
    }
    let is_problem = findings.iter().any(|finding| finding.weight == Weight::Problem);
    Ok(if is_problem { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Returns the hosts, each once with all its slots; none for this host alone.
fn chosen_hosts(options: &Options) -> Result<Vec<Host>, Diagnostic> {
    let chosen: Result<Option<Vec<Host>>, String> = match (&options.hosts, &options.hostfile) {
        (Some(list), _) => hosts::list(list).map(Some),
        (None, Some(file)) => hosts::file(file).map(Some),
        (None, None) => hosts::of_allocation(|name| std::env::var(name).ok()),
    };
    let chosen = chosen.map_err(|why| {
        Diagnostic::new("reading the list of hosts", why, "-hosts h1,h2 or -hostfile FILE")
    })?;
    let mut hosts: Vec<Host> = Vec::new();
    for host in chosen.into_iter().flatten() {
        match hosts.iter_mut().find(|other| other.name == host.name) {
            Some(known) => known.slots = known.slots.saturating_add(host.slots),
            None => hosts.push(host),
        }
    }
    Ok(hosts)
}

/// Returns how the probes are started.
fn starting(options: &Options) -> Starting {
    let prefix = options.prefix.as_ref().map(|prefix| prefix.clone().into_os_string());
    let pairs = [
        ("-agent", options.agent.clone()),
        ("-prefix", prefix),
        ("-net", options.net.clone()),
        ("-port-range", options.port_range.clone()),
    ];
    let words = pairs.into_iter().filter_map(|(name, value)| Some([name.into(), value?]));
    Starting {
        options: words.flatten().collect(),
        prefix: options.prefix.clone(),
        program: options.program.clone(),
    }
}

/// What the probes have answered.
#[derive(Default)]
struct Examined {
    /// The probes that have answered.
    remotes: Vec<Remote>,
    /// Their reports.
    reports: Vec<HostReport>,
    /// The other hosts.
    silent: Vec<Silent>,
}

/// Starts a probe on each host and collects their reports.
fn examine(starting: &Starting, hosts: &[String]) -> Result<Examined, Diagnostic> {
    let names: Vec<Option<&str>> = match hosts {
        [] => vec![None],
        hosts => hosts.iter().map(|host| Some(host.as_str())).collect(),
    };
    let started: Result<Vec<Remote>, Diagnostic> =
        names.iter().map(|&host| Remote::start(starting, host)).collect();
    let mut examined = Examined::default();
    for (mut remote, host) in started?.into_iter().zip(names) {
        match remote.answer(verdict::EXAMINING) {
            Ok(report) => {
                examined.reports.push(report);
                examined.remotes.push(remote);
            }
            Err(why) => {
                let host = host.unwrap_or("this host").to_owned();
                examined.silent.push(Silent { host, why });
            }
        }
    }
    Ok(examined)
}

/// Lets the hosts connect to each other, one host after the other, so that no measurement disturbs
/// another one.
fn connect(remotes: &mut [Remote], reports: &[HostReport]) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    for (place, remote) in remotes.iter_mut().enumerate() {
        let targets: Vec<&Target> = partners(place, reports.len())
            .into_iter()
            .filter_map(|other| reports[other].target.as_ref())
            .collect();
        let timeout = REACHING * (targets.len() as u32).max(1);
        if !targets.is_empty()
            && remote.ask(&targets).is_ok()
            && let Ok(found) = remote.answer::<Vec<Attempt>>(timeout)
        {
            attempts.extend(found);
        }
    }
    attempts
}

/// Returns the places of the hosts to which the one at `place` of `hosts` connects.
fn partners(place: usize, hosts: usize) -> Vec<usize> {
    if hosts <= ALL_PAIRS_MAX {
        return (0..hosts).filter(|&other| other != place).collect();
    }
    std::iter::successors(Some(1), |distance| Some(2 * distance))
        .take_while(|&distance| distance < hosts)
        .map(|distance| (place + distance) % hosts)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_host_connects_to_some_others() {
        assert_eq!(partners(1, 3), [0, 2]);
        assert_eq!(partners(0, 1), [0; 0]);
        assert_eq!(partners(8, 10), [9, 0, 2, 6]);
    }

    #[test]
    fn options_of_mpiexec_may_have_one_dash() {
        let word = |text: &str| with_two_dashes(text.into()).into_string().unwrap();
        assert_eq!(word("-hosts"), "--hosts");
        assert_eq!(word("-port-range=1:2"), "--port-range=1:2");
        assert_eq!(
            ["--host", "-f", "-", "host", "-x"].map(word),
            ["--host", "-f", "-", "host", "-x"]
        );
    }
}
