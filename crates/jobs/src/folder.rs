//! A folder whose files get names that no other call gets.

use std::path::PathBuf;
use std::sync::Mutex;

/// A folder, and the number of its next file.
pub struct Folder {
    pub path: PathBuf,
    next: Counter,
}

impl Folder {
    pub fn new(path: PathBuf) -> Folder {
        Folder { path, next: Counter::default() }
    }

    /// Returns a path in the folder that no other call returns.
    pub fn fresh(&self, name: &str) -> PathBuf {
        self.path.join(format!("{name}-{}", self.next.next()))
    }
}

/// Numbers, each of which is given once.
#[derive(Default)]
pub struct Counter(Mutex<usize>);

impl Counter {
    pub fn next(&self) -> usize {
        let mut number = self.0.lock().expect("nobody panics with it");
        *number += 1;
        *number - 1
    }
}
