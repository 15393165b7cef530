//! An installation of Nemesis. All its files are found from this program's own path, so an
//! installed tree may be moved.

use crate::diagnostic::Diagnostic;
use std::path::{Path, PathBuf};

/// An installed tree.
#[derive(Debug)]
pub struct Installation {
    pub prefix: PathBuf,
}

impl Installation {
    /// Returns the tree that contains this program as `bin/nemesis`.
    pub fn of_this_program() -> Result<Installation, Diagnostic> {
        let missing = |why: String| {
            Diagnostic::new(
                "finding the installation",
                why,
                "`scripts/install DIR`, then `DIR/bin/nemesis`",
            )
        };
        let program = std::env::current_exe().map_err(|error| missing(error.to_string()))?;
        let prefix = program
            .parent()
            .and_then(Path::parent)
            .ok_or_else(|| missing(format!("{} is not in a folder bin/", program.display())))?;
        Installation::of(prefix).map_err(|why| {
            missing(format!("{why}: this program runs from a build, not from an installed tree"))
        })
    }

    /// Returns the tree in a folder that the user names.
    pub fn at(prefix: &Path) -> Result<Installation, Diagnostic> {
        let found = std::path::absolute(prefix)
            .map_err(|error| error.to_string())
            .and_then(|prefix| Installation::of(&prefix));
        found.map_err(|why| {
            Diagnostic::new(
                format!("looking for an installation in {}", prefix.display()),
                why,
                "`scripts/install DIR`",
            )
        })
    }

    fn of(prefix: &Path) -> Result<Installation, String> {
        let installation = Installation { prefix: prefix.to_owned() };
        let compiler = installation.program("mpicc");
        if compiler.exists() {
            Ok(installation)
        } else {
            Err(format!("there is no {}", compiler.display()))
        }
    }

    pub fn program(&self, name: &str) -> PathBuf {
        self.prefix.join("bin").join(name)
    }

    pub fn library(&self, name: &str) -> PathBuf {
        self.prefix.join("lib").join(name)
    }

    /// Returns the folder with the C sources of the measurements.
    pub fn measurements(&self) -> PathBuf {
        self.prefix.join("share/nemesis/bench")
    }
}
