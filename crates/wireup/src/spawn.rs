//! Spawned jobs (MPI 5.0 §11.7): what the process that spawns and the launcher of the new job tell
//! each other at a [port](crate::port).

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The option that makes `mpiexec` the launcher of a spawned job.
pub const LAUNCHER_OPTION: &str = "--spawned-job";

/// What to start: the first record to the launcher.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// Which process spawns, in words.
    pub who: String,
    /// The directory in which the programs start.
    pub directory: PathBuf,
    /// A command line of `mpiexec`, without its name.
    pub words: Vec<OsString>,
}

impl Description {
    /// Encodes the description.
    pub fn encode(&self) -> Vec<u8> {
        let mut record = Vec::new();
        let words = self.words.iter().map(OsString::as_os_str);
        let head = [OsStr::new(&self.who), self.directory.as_os_str()];
        for text in head.into_iter().chain(words) {
            record.extend(text.as_bytes());
            // No host's name, path and argument contains a NUL.
            record.push(0);
        }
        record
    }

    /// Decodes a description; `None` if the record is none.
    pub fn decode(record: &[u8]) -> Option<Description> {
        let mut texts = record.strip_suffix(&[0])?.split(|&byte| byte == 0);
        let who = String::from_utf8_lossy(texts.next()?).into_owned();
        let directory = Path::new(OsStr::from_bytes(texts.next()?)).to_owned();
        let words = texts.map(|text| OsString::from_vec(text.to_vec())).collect();
        Some(Description { who, directory, words })
    }
}

/// What the launcher of a spawned job reports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Notice {
    /// The job cannot be started, and why.
    Failed(String),
}

impl Notice {
    /// Byte to the launcher: the processes have become connected with those that spawned them.
    pub const MET: u8 = 1;
    /// Byte to the launcher: the jobs have disconnected, and the new one goes on by itself.
    pub const FREE: u8 = 2;

    /// Encodes the notice.
    pub fn encode(&self) -> Vec<u8> {
        let Notice::Failed(why) = self;
        why.as_bytes().to_vec()
    }

    /// Decodes a notice.
    pub fn decode(record: &[u8]) -> Notice {
        Notice::Failed(String::from_utf8_lossy(record).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_comes_back() {
        let words = ["-n", "2", "", "a b"].map(OsString::from).to_vec();
        let who = "rank 0 of 2".to_owned();
        let description = Description { who, directory: "/tmp".into(), words };
        assert_eq!(Description::decode(&description.encode()), Some(description));
        assert_eq!(Description::decode(b"x"), None);
    }
}
