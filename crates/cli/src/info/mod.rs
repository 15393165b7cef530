//! `nemesis info`: what is installed, and what this host permits.
//!
//! Every line reports a test, not a guess: the program makes shared memory, executes the barrier,
//! and lets one child read the memory of another. If a launcher starts it, it joins the job as any
//! program does, and names the launcher.

mod collectives;
mod host_model;
mod protocols;
pub mod siblings;

use crate::diagnostic::Diagnostic;
use crate::installation::Installation;
use nemesis::{NetworkName, Tunables};
use nemesis_shm::measure;
use nemesis_sys::{host, membarrier};
use nemesis_wireup::segment::{self, Segment};
use nemesis_wireup::{Launcher, Wireup, machine};
use std::fmt::Display;

const LIBRARIES: [(&str, &str); 4] = [
    ("libmpi_abi.so.1", "standard ABI of MPI 5.0"),
    ("libmpi.so.12", "ABI of MPICH"),
    ("nemesis/openmpi/libmpi.so.40", "ABI of Open MPI 4 and 5"),
    ("libnemesis.so.0", "the subsystem without MPI"),
];

/// What to print.
#[derive(clap::Args)]
pub struct Options {
    /// Print the algorithms of collective operations, and for which lengths each is chosen
    #[arg(long)]
    collectives: bool,
    /// With --collectives: the number of processes [default: one for each processor]
    #[arg(short = 'n', value_name = "RANKS", requires = "collectives",
        value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    ranks: Option<u32>,
    /// With --collectives: the number of hosts, each like this one
    #[arg(long, value_name = "HOSTS", default_value_t = 1, requires = "collectives",
        value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    hosts: u32,
    /// Print which protocol carries which length of messages, and why
    #[arg(long, conflicts_with = "collectives")]
    protocols: bool,
}

pub fn run(options: &Options) -> Result<(), Diagnostic> {
    if options.collectives {
        let model = machine::known(measure::host_model);
        return collectives::print(options.ranks, options.hosts, &model);
    }
    if options.protocols {
        let given = nemesis_mpi_coll::tuning::protocols_from_environment();
        return protocols::print(&machine::known(measure::host_model), &given).map_err(|why| {
            Diagnostic::new("reading NEMESIS_PROTOCOL", why, "one of the names listed")
        });
    }
    let mut wireup = Wireup::connect()?;
    let memory = wireup.segment();
    if wireup.rank() == 0 {
        installed();
        hardware();
        match &memory {
            Ok(Segment { backing, bytes, .. }) => {
                let bound = segment::bound_of(*bytes)
                    .map(|limit| format!(", bounded by `{limit}`"))
                    .unwrap_or_default();
                line(
                    "shared memory",
                    format!("{backing}, {} MiB of addresses{bound}", bytes >> 20),
                );
            }
            Err(error) => line("shared memory", format!("none: {}", error.why)),
        }
        kernel();
        devices();
        networks()?;
        launcher(&wireup);
    }
    Ok(wireup.finalize()?)
}

fn installed() {
    line("version", nemesis_wireup::build::own());
    match Installation::of_this_program() {
        Ok(installation) => {
            line("prefix", installation.prefix.display());
            for (file, what) in LIBRARIES {
                let found = if installation.library(file).exists() {
                    what.to_owned()
                } else {
                    format!("{what}: not installed")
                };
                line(file, found);
            }
        }
        Err(diagnostic) => line("prefix", diagnostic),
    }
}

fn hardware() {
    let usable = host::usable_cores();
    let allowed =
        rustix::thread::sched_getaffinity(None).map_or(usable, |set| set.count() as usize);
    let cut = if usable < allowed {
        format!("; a control group's quota leaves {usable} of the {allowed} allowed")
    } else {
        String::new()
    };
    line(
        "host",
        format!(
            "{}, Linux {}, {}",
            host::hostname(),
            rustix::system::uname().release().to_string_lossy(),
            std::env::consts::ARCH
        ),
    );
    line("processors", format!("{usable} usable{cut}"));
    host_model::print(&machine::known(measure::host_model));
}

/// Graphics processors, and whether buffers may lie in their memory.
fn devices() {
    let files: Vec<&str> = nemesis_gpu::devices_of_host().map(|(_, file)| file).collect();
    let permitted = match (nemesis_gpu::is_supported(), files.first()) {
        (false, _) => "off: NEMESIS_GPU says that no buffer lies there".into(),
        (true, Some(file)) => format!("yes: this host has {file}"),
        (true, None) => "where its driver is loaded when MPI starts, or NEMESIS_GPU=on".into(),
    };
    line("device memory", permitted);
    for described in nemesis_gpu::describe_host() {
        line("", described);
    }
}

fn kernel() {
    let barrier = membarrier::register() && membarrier::global();
    line(
        "membarrier",
        if barrier {
            "yes: a sleeping receiver costs senders nothing"
        } else {
            "refused: a sleeping receiver wakes up every millisecond"
        },
    );
    let scope = std::fs::read_to_string("/proc/sys/kernel/yama/ptrace_scope");
    let scope =
        scope.map_or("without Yama".into(), |scope| format!("ptrace_scope {}", scope.trim()));
    match siblings::probe() {
        Ok(()) => {
            line("reading siblings", format!("yes: large messages are copied once ({scope})"))
        }
        Err(why) => line(
            "reading siblings",
            format!("no, {why}: large messages are copied twice ({scope})"),
        ),
    }
}

/// Prints the networks between hosts: those that the user names, in order, and the others.
fn networks() -> Result<(), Diagnostic> {
    let tunables = Tunables::from_environment().map_err(|invalid| {
        let advice = "a value as described by nemesis(7)";
        Diagnostic::new("reading the tunables", invalid.to_string(), advice)
    })?;
    let named = &tunables.networks;
    let is_named = |kind: &str| named.iter().any(|name| name.kind == kind);
    let others = NetworkName::kinds()
        .filter(|kind| !is_named(kind))
        .map(|kind| (NetworkName { kind, argument: None }, " (not in NEMESIS_NETWORKS)"));
    for (name, mark) in named.iter().map(|name| (name.clone(), "")).chain(others) {
        let what = match nemesis::describe_network(&name, &tunables) {
            Ok(place) => place,
            Err(why) => format!("cannot be used: {why}"),
        };
        line("network", format!("{name}{mark}: {what}"));
    }
    Ok(())
}

fn launcher(wireup: &Wireup) {
    match wireup.launcher() {
        Launcher::Singleton => {
            line("launcher", "none: a program started in this way is a job of one process")
        }
        launcher => line(
            "launcher",
            format!(
                "{launcher}, {} processes, {} on this node",
                wireup.size(),
                wireup.local_size()
            ),
        ),
    }
}

fn line(name: &str, value: impl Display) {
    println!("{name:<17} {value}");
}
