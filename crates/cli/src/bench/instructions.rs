//! Instruction counts, by the processor's counter if the kernel permits it, otherwise by callgrind.
//!
//! `calls` reads the counter itself. Under callgrind it only makes the calls, and callgrind counts
//! the instructions in MPI_Send and MPI_Recv. The difference of two runs, divided by the difference
//! of their repetitions, is one call without start-up and first-time work. A message that comes
//! late adds polls to MPI_Recv, so each run is made several times, and the smallest count is used.
//! In some libraries MPI_Send and PMPI_Send are one function under two names, of which callgrind
//! knows one, so it gets both names.

use super::figures::{Figures, Line, Measure};
use super::library::{Library, last_words};
use super::queue;
use crate::diagnostic::Diagnostic;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

const FEW: u32 = 20;
const MANY: u32 = 120;
/// Number of runs, of which the smallest count is used.
const TRIES: usize = 3;

/// Instructions of the queue's enqueue and dequeue.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct QueueCounts {
    pub enqueue: u32,
    pub dequeue: u32,
}

/// Returns whether callgrind can be started.
pub fn callgrind_is_there() -> bool {
    let command = Command::new("valgrind")
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    command.is_ok_and(|status| status.success())
}

/// Counts the instructions of MPI_Send and MPI_Recv of `library` into `figures`.
pub fn count_calls(
    library: &Library,
    figures: &mut Figures,
    folder: &Path,
) -> Result<(), Diagnostic> {
    let (counted, _) = library.run(2, "calls", &[MANY.to_string()])?;
    if !counted.is_empty() {
        counted.into_iter().for_each(|line| figures.add(2, line));
        return Ok(());
    }
    if !callgrind_is_there() {
        return Err(Diagnostic::new(
            "counting instructions",
            "the kernel refuses a counter (perf_event_open), and valgrind is not installed",
            "`apt-get install valgrind`",
        ));
    }
    let few = totals_of_calls(library, FEW, folder)?;
    let many = totals_of_calls(library, MANY, folder)?;
    for (measure, rank) in [(Measure::Send, 0), (Measure::Receive, 1)] {
        let value = (many[rank] as f64 - few[rank] as f64) / f64::from(MANY - FEW);
        figures.add(2, Line { measure, bytes: 0, value });
    }
    Ok(())
}

/// Returns the instructions that ranks 0 and 1 execute in MPI_Send and MPI_Recv when each is called
/// `repetitions` times.
fn totals_of_calls(
    library: &Library,
    repetitions: u32,
    folder: &Path,
) -> Result<[u64; 2], Diagnostic> {
    let mut least = [u64::MAX; 2];
    let pattern = folder.join(format!("callgrind.%q{{{}}}", library.rank_variable));
    let functions = ["MPI_Send", "PMPI_Send", "MPI_Recv", "PMPI_Recv"];
    for _ in 0..TRIES {
        library.run_under(
            &callgrind(&functions, &pattern),
            2,
            "calls",
            &[repetitions.to_string()],
        )?;
        for (rank, least) in least.iter_mut().enumerate() {
            *least = total(&folder.join(format!("callgrind.{rank}")))?.min(*least);
        }
    }
    Ok(least)
}

/// Counts the instructions of this library's queue.
pub fn count_queue(folder: &Path) -> Result<QueueCounts, Diagnostic> {
    let [enqueue, dequeue, nothing] =
        [queue::ENQUEUE, queue::DEQUEUE, queue::NOTHING].map(|function| {
            let few = total_of_queue(function, FEW, folder)?;
            let many = total_of_queue(function, MANY, folder)?;
            Ok::<u32, Diagnostic>(((many - few) / u64::from(MANY - FEW)) as u32)
        });
    let nothing = nothing?;
    Ok(QueueCounts {
        enqueue: enqueue?.saturating_sub(nothing),
        dequeue: dequeue?.saturating_sub(nothing),
    })
}

fn total_of_queue(function: &str, passes: u32, folder: &Path) -> Result<u64, Diagnostic> {
    let out = folder.join("callgrind.queue");
    let words = callgrind(&[function], &out);
    let program = std::env::current_exe().map_err(uncounted)?;
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).arg(program).args(["probe", "queue"]).arg(passes.to_string());
    let output = command.stdin(Stdio::null()).output().map_err(uncounted)?;
    if !output.status.success() {
        return Err(uncounted(last_words(&output.stderr)));
    }
    total(&out)
}

fn callgrind(functions: &[&str], out: &Path) -> Vec<OsString> {
    let mut words: Vec<OsString> =
        vec!["valgrind".into(), "--quiet".into(), "--tool=callgrind".into()];
    words.extend(functions.iter().map(|function| format!("--toggle-collect={function}").into()));
    let mut file = OsString::from("--callgrind-out-file=");
    file.push(out);
    words.push(file);
    words
}

/// Returns the total that callgrind writes at the end of its file.
fn total(file: &Path) -> Result<u64, Diagnostic> {
    let text = std::fs::read_to_string(file).map_err(uncounted)?;
    let sum = text.lines().find_map(|line| line.strip_prefix("totals:")?.trim().parse().ok());
    sum.filter(|&sum| sum > 0).ok_or_else(|| {
        uncounted("callgrind has found none of the functions: is the library stripped?")
    })
}

fn uncounted(why: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::new(
        "counting instructions under callgrind",
        why,
        "`valgrind --tool=callgrind true`",
    )
}
