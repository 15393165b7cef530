//! Where things lie: everything is found from the place of this program, so an installed tree may be moved.

use crate::complaint::Complaint;
use std::path::{Path, PathBuf};

/// The tree that this program was installed in.
#[derive(Debug)]
pub struct Installation {
    pub prefix: PathBuf,
}

impl Installation {
    /// The tree around `bin/nemesis`.
    pub fn of_this_program() -> Result<Installation, Complaint> {
        let missing = |why: String| Complaint::new("finding the installation", why, "`scripts/install DIR`, then `DIR/bin/nemesis`");
        let program = std::env::current_exe().map_err(|error| missing(error.to_string()))?;
        let prefix = program.parent().and_then(Path::parent).ok_or_else(|| missing(format!("{} lies in no bin/", program.display())))?;
        let installation = Installation { prefix: prefix.to_owned() };
        let compiler = installation.program("mpicc");
        if !compiler.exists() {
            return Err(missing(format!("there is no {}: this program runs from a build, not from an installed tree", compiler.display())));
        }
        Ok(installation)
    }

    pub fn program(&self, name: &str) -> PathBuf {
        self.prefix.join("bin").join(name)
    }

    pub fn library(&self, name: &str) -> PathBuf {
        self.prefix.join("lib").join(name)
    }

    /// The folder with the C sources of the measurements.
    pub fn measurements(&self) -> PathBuf {
        self.prefix.join("share/nemesis/bench")
    }
}
