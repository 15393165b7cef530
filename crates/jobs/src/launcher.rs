//! The launchers that start jobs on simulated hosts.

use crate::places;
use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

/// A launcher.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Launcher {
    Ours,
    Hydra,
    Prte,
    SrunPmi2,
    SrunPmix,
}

pub const ALL: [Launcher; 5] =
    [Launcher::Ours, Launcher::Hydra, Launcher::Prte, Launcher::SrunPmi2, Launcher::SrunPmix];

/// Beginnings of the variables that prterun passes to its processes, which are those that are
/// named.
const PASSED: [&str; 7] =
    ["NEMESIS_", "LD_LIBRARY_PATH=", "LD_PRELOAD=", "REPORT=", "OPENBLAS_", "TMPDIR=", "JOBS_"];

impl Launcher {
    pub fn name(self) -> &'static str {
        match self {
            Launcher::Ours => "ours",
            Launcher::Hydra => "hydra",
            Launcher::Prte => "prte",
            Launcher::SrunPmi2 => "srun-pmi2",
            Launcher::SrunPmix => "srun-pmix",
        }
    }

    pub fn named(name: &str) -> Option<Launcher> {
        ALL.into_iter().find(|launcher| launcher.name() == name)
    }

    /// Whether it needs a cluster.
    pub fn is_slurm(self) -> bool {
        matches!(self, Launcher::SrunPmi2 | Launcher::SrunPmix)
    }

    /// Whether it is installed; the error says what is missing.
    pub fn is_there(self) -> Result<(), String> {
        match self {
            Launcher::Ours => Ok(()),
            Launcher::Hydra => match places::hydra() {
                Some(_) => Ok(()),
                None => Err("there is no mpiexec.hydra (`nemesis bench --rivals`)".into()),
            },
            Launcher::Prte if prterun().exists() => Ok(()),
            Launcher::Prte => Err("there is no prterun (`nemesis bench --rivals`)".into()),
            Launcher::SrunPmi2 | Launcher::SrunPmix => {
                let missing = ["slurmctld", "slurmd", "srun", "munged"]
                    .into_iter()
                    .find(|tool| places::find(tool).is_none());
                if let Some(tool) = missing {
                    return Err(format!("{tool} is not installed (packages slurm-wlm and munge)"));
                }
                let libraries = places::output_of(Command::new("/sbin/ldconfig").arg("-p"));
                if self == Launcher::SrunPmix && !libraries.contains("libpmix.so.2") {
                    return Err("libpmix.so.2 is not installed (package libpmix2)".into());
                }
                Ok(())
            }
        }
    }

    /// Returns the words that start `each` processes on each of node1 to nodeN; the number of all
    /// processes and the command follow.
    pub fn words(self, nodes: u32, each: u32) -> Vec<String> {
        let names: Vec<String> = (1..=nodes).map(|node| format!("node{node}")).collect();
        let line = match self {
            Launcher::Ours => {
                let mpiexec = places::built().join("mpiexec");
                format!("{} -hosts {} -ppn {each}", mpiexec.display(), names.join(","))
            }
            Launcher::Hydra => {
                let hydra = places::hydra().unwrap_or_default();
                format!("{} -hosts {} -ppn {each}", hydra.display(), names.join(","))
            }
            Launcher::Prte => {
                let slots: Vec<String> =
                    names.iter().map(|name| format!("{name}:{each}")).collect();
                format!("{} --host {}", prterun_line(), slots.join(","))
            }
            Launcher::SrunPmi2 | Launcher::SrunPmix => format!(
                "srun --mpi={} --kill-on-bad-exit=1 --quiet -N {nodes} --ntasks-per-node={each}",
                self.name().trim_start_matches("srun-")
            ),
        };
        let mut words: Vec<String> = line.split(' ').map(String::from).collect();
        if self == Launcher::Prte {
            words.extend(passed_variables());
        }
        words
    }
}

fn openmpi() -> PathBuf {
    places::rivals().join("openmpi")
}

fn prterun() -> PathBuf {
    openmpi().join("bin/prterun")
}

/// Returns prterun, which finds its own files by these variables.
pub fn prterun_line() -> String {
    let folder = openmpi();
    format!(
        "env PRTE_PREFIX={0} PMIX_PREFIX={0} {0}/bin/prterun --allow-run-as-root --map-by \
         :OVERSUBSCRIBE --bind-to none -x PMIX_PREFIX",
        folder.display()
    )
}

fn passed_variables() -> Vec<String> {
    let is_passed = |name: &String| {
        PASSED.iter().any(|begin| match begin.strip_suffix('=') {
            Some(whole) => name == whole,
            None => name.starts_with(begin),
        })
    };
    let names = std::env::vars().map(|(name, _)| name).filter(is_passed);
    names.flat_map(|name| ["-x".to_string(), name]).collect()
}

/// Starts a command on simulated hosts: `launch NAME NODES EACH -n N COMMAND...`; with `--there`
/// after the name, says whether the launcher is available.
pub fn launch(words: &[String]) -> ExitCode {
    let [name, rest @ ..] = words else { return ExitCode::from(2) };
    let Some(launcher) = Launcher::named(name) else {
        eprintln!("unknown launcher {name}");
        return ExitCode::from(2);
    };
    let [nodes, each, command @ ..] = rest else {
        return match launcher.is_there() {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => {
                crate::say!("{why}");
                ExitCode::FAILURE
            }
        };
    };
    let numbers = nodes.parse().ok().zip(each.parse().ok());
    let Some((nodes, each)) = numbers else { return ExitCode::from(2) };
    let words = launcher.words(nodes, each);
    let mut start = Command::new(&words[0]);
    start.args(&words[1..]).args(command);
    if launcher != Launcher::Prte {
        eprintln!("{}: {}", words[0], start.exec());
        return ExitCode::FAILURE;
    }
    without_warning(&mut start)
}

/// Whether a line is prterun's harmless warning about a race with its own child, which is no output
/// of the job.
pub fn is_warning(line: &str) -> bool {
    line.contains("plm:ssh: Warning: setpgid")
}

/// Runs prterun without its [warning](is_warning).
fn without_warning(prterun: &mut Command) -> ExitCode {
    let Ok(mut child) = prterun.stderr(Stdio::piped()).spawn() else { return ExitCode::FAILURE };
    let errors = child.stderr.take().expect("a pipe");
    for line in BufReader::new(errors).lines().map_while(Result::ok) {
        if !is_warning(&line) {
            eprintln!("{line}");
        }
    }
    let code = child.wait().ok().and_then(|status| status.code());
    ExitCode::from(code.unwrap_or(1) as u8)
}
