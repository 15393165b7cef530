//! Calls on files that fail at one rank, in many ways.
//!
//! Run number N draws from N what fails (an error of a read or write, a full file system, a refused
//! open, short and interrupted transfers, a kill -9), where and when. All ranks of a collective
//! call must see one class of error, and the right one; short transfers must lose nothing; no job
//! may hang; no process and no file but the program's may be left. `RUNS` (14) and `FIRST` (0) in
//! the environment choose others.

use crate::places;
use crate::scene::Scene;
use crate::suite::{Suite, Sum};
use std::fs;
use std::process::Command;
use std::sync::{Arc, Mutex};

/// What is injected, and which class of error it is; none where the transfer must succeed.
const KINDS: [(&str, &str); 10] = [
    ("eio", "IO"),
    ("enospc", "NO_SPACE"),
    ("edquot", "QUOTA"),
    ("lasting", "NO_SPACE"),
    ("read", "IO"),
    ("refuse", "ACCESS"),
    ("full", "NO_SPACE"),
    ("short", ""),
    ("interrupted", ""),
    ("kill", "IO"),
];

pub fn run(wanted: &[String]) -> Sum {
    if std::env::consts::ARCH != "x86_64" {
        crate::say!("errors are injected on x86-64 only");
        return Sum { skipped: 1, ..Sum::default() };
    }
    let scene =
        Scene::new("files").with_programs(&["files/inject", "files/errors", "mpi/io_random"]);
    let number = |name: &str, usual| {
        std::env::var(name).ok().and_then(|number| number.parse().ok()).unwrap_or(usual)
    };
    let (runs, first) = (number("RUNS", 14), number("FIRST", 0));
    let seen = Arc::new(Mutex::new(0));
    let mut suite = Suite::default();
    for run in first..first + runs {
        let seen = Arc::clone(&seen);
        let name = format!("{}-{run}", KINDS[run % KINDS.len()].0);
        suite.beside(name, move |scene| *seen.lock().expect("a count") += one(scene, run));
    }
    let mut sum = suite.run(&scene, wanted);
    let errors = *seen.lock().expect("a count");
    crate::say!("{errors} errors seen alike by all ranks");
    if wanted.is_empty() && runs >= 10 && errors == 0 {
        crate::say!("no run has seen an error: nothing is injected");
        sum.failed += 1;
    }
    sum
}

/// A small file system, which is unmounted in the end.
struct Full(std::path::PathBuf);

impl Drop for Full {
    fn drop(&mut self) {
        places::succeeds(Command::new("umount").arg(&self.0));
    }
}

/// Executes a run. Returns the number of errors that all ranks have seen.
fn one(scene: &Scene, run: usize) -> u32 {
    let (kind, class) = KINDS[run % KINDS.len()];
    let size = 2 + run / 10 % 3;
    let rank = run / 3 % size;
    // A call that is interrupted each time never ends.
    let nth = 1 + run * 7 / 10 % 9 + usize::from(kind == "interrupted");
    let network = if (run / 20).is_multiple_of(2) { "" } else { "-genv NEMESIS_SHM off" };
    let folder = scene.fresh_folder("nemesis-files");
    let data = folder.join("data");
    let _full = (kind == "full").then(|| {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=300k", "none"]).arg(&folder);
        if !places::succeeds(&mut mount) {
            crate::skip("a full file system needs root");
        }
        Full(folder.clone())
    });

    let file = data.display();
    let program = match kind {
        "full" => format!("./errors {file} {run} {class}"),
        "short" | "interrupted" => format!("./inject {rank} {kind} {nth} ./io_random {run} 6"),
        _ => format!("./inject {rank} {kind} {nth} ./errors {file} {run} {class}"),
    };
    let job = scene.job(&format!("./mpiexec {network} -n {size} {program}"));
    let ended = job.env("TMPDIR", folder.display()).run();

    if kind != "kill" {
        ended.code(0);
    }
    ended.leaves_nothing();
    let told = ended.output.lines().find_map(|line| line.strip_suffix(" failed")?.parse().ok());
    let errors: u32 = told.unwrap_or(0);
    if kind == "refuse" && errors == 0 {
        ended.fail("the refused open is not seen");
    }
    let _ = fs::remove_file(&data);
    let left = fs::read_dir(&folder).expect("a folder").flatten().map(|entry| entry.file_name());
    let left: Vec<_> = left.collect();
    assert!(left.is_empty(), "files are left: {left:?}");
    errors
}
