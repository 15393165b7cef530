//! All tests, in stages: `cargo xtask check [-q | STAGE...]`.
//!
//! Each stage prints one line, with its time and its processors' time, and writes a log in
//! build/logs. When all stages have run, the ends of the logs of failed ones are printed, and last
//! the sum: who has only the end of the output learns what has failed. A stage that takes longer
//! than its limit has failed: its log ends with what its processes were doing.
//!
//! With -q only the stages run that need no release build, and the C programs of tests/mpi on two
//! processes: what to run before each commit.

mod stages;

use nemesis_jobs::{hosts::STAGE, stacks};
use stages::{Pace, STAGES, Stage};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The exit code of a stage that lacks a program or a right.
const SKIPPED: i32 = 77;
/// Lines of a failed stage's log that are printed.
const SHOWN: usize = 40;
/// Ticks of a second in which the kernel counts processors' time.
const TICKS: u64 = 100;

/// What has come of a stage.
struct Outcome {
    name: &'static str,
    /// None if a signal has ended it.
    code: Option<i32>,
    took: Duration,
    cpu_s: u64,
}

/// The stages by outcome.
#[derive(Default)]
struct Sum {
    passed: usize,
    failed: Vec<&'static str>,
    skipped: usize,
}

/// Runs stages: those that are named, those of -q, or all but those that run by name only.
pub fn run(root: &Path, words: &[&str]) -> ExitCode {
    if let ["-run", name] = words {
        return run_here(root, name);
    }
    let wanted: Vec<&str> = match words {
        ["-q"] => stages::QUICK.to_vec(),
        words => words.to_vec(),
    };
    if let Some(unknown) = wanted.iter().find(|name| stages::named(name).is_none()) {
        let names: Vec<&str> =
            STAGES.iter().map(|stage| stage.name).filter(|name| !name.is_empty()).collect();
        eprintln!("check: there is no stage {unknown}; there are {}", names.join(", "));
        return ExitCode::from(2);
    }
    let logs = logs(root);
    fs::create_dir_all(&logs).expect("build/logs");
    let mut sum = Sum::default();
    let mut besides: Vec<JoinHandle<Outcome>> = Vec::new();
    for stage in STAGES {
        if matches!(stage.pace, Pace::Together) {
            for beside in besides.drain(..) {
                sum.report(&logs, &beside.join().expect("a stage ends"));
            }
        } else if wanted.contains(&stage.name) || wanted.is_empty() && stage.is_usual() {
            let root = root.to_path_buf();
            match stage.pace {
                Pace::Beside => besides.push(thread::spawn(move || timed(&root, stage))),
                _ => sum.report(&logs, &timed(&root, stage)),
            }
        }
    }
    sum.show_failed(&logs);
    println!("{} passed, {} failed, {} skipped", sum.passed, sum.failed.len(), sum.skipped);
    if sum.failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn logs(root: &Path) -> PathBuf {
    root.join("build/logs")
}

/// Runs a stage in this process, which is a child that the stage's marks and limits concern.
fn run_here(root: &Path, name: &str) -> ExitCode {
    let Some(stage) = stages::named(name) else { return ExitCode::from(2) };
    let code = (stage.run)(root);
    // A processors' time that cannot be told fails no stage.
    let _ = fs::write(logs(root).join(format!("{name}.cpu")), cpu_s("self").to_string());
    ExitCode::from(code)
}

/// Runs a stage as a process of its own for at most its limit; its output goes to its log.
fn timed(root: &Path, stage: &'static Stage) -> Outcome {
    let name = stage.name;
    let log = logs(root).join(format!("{name}.log"));
    let file = File::create(&log).expect("a log");
    let began = Instant::now();
    // All processes of the stage inherit the mark, wherever they go.
    let mark = format!("{name}-{}", std::process::id());
    let mut child = Command::new(own_program())
        .args(["check", "-run", name])
        .current_dir(root)
        .env(STAGE, &mark)
        .env("CARGO_MANIFEST_DIR", root.join("xtask"))
        .stdin(Stdio::null())
        .stdout(file.try_clone().expect("a second descriptor"))
        .stderr(file)
        .spawn()
        .expect("this program runs");
    let cpu = logs(root).join(format!("{name}.cpu"));
    let _ = fs::remove_file(&cpu);
    let limit = Duration::from_secs(stage.limit_s);
    let mut cpu_of_killed = 0;
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        if began.elapsed() >= limit {
            cpu_of_killed = cpu_s(&child.id().to_string());
            let stacks = stacks::of(&format!("{STAGE}={mark}"));
            append(&log, &format!("still running after {} s:\n{stacks}", stage.limit_s));
            let _ = child.kill();
            break child.wait().expect("a child");
        }
        thread::sleep(Duration::from_millis(50));
    };
    let told = fs::read_to_string(&cpu).ok().and_then(|text| text.parse().ok());
    let _ = fs::remove_file(&cpu);
    let cpu_s = told.unwrap_or(cpu_of_killed);
    Outcome { name, code: status.code(), took: began.elapsed(), cpu_s }
}

/// This program, which may have been built anew since it was started.
fn own_program() -> PathBuf {
    let path = std::env::current_exe().expect("this program has a path");
    path.to_string_lossy().trim_end_matches(" (deleted)").into()
}

fn append(log: &Path, text: &str) {
    let before = fs::read(log).unwrap_or_default();
    let _ = fs::write(log, [&before, text.as_bytes()].concat());
}

/// Returns the seconds of processors that a process and its ended children have used.
fn cpu_s(process: &str) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let after_name = stat.rsplit_once(") ").map_or("", |parts| parts.1);
    // The 14th to 17th fields: times of the process and of its children, in the kernel and not.
    let times = after_name.split(' ').skip(11).take(4);
    let ticks: u64 = times.filter_map(|time| time.parse::<u64>().ok()).sum();
    (ticks + TICKS / 2) / TICKS
}

impl Sum {
    /// Counts a stage that has ended, and prints its line.
    fn report(&mut self, logs: &Path, outcome: &Outcome) {
        let name = outcome.name;
        let word = match outcome.code {
            Some(0) => {
                self.passed += 1;
                "ok"
            }
            Some(SKIPPED) => {
                self.skipped += 1;
                "skipped"
            }
            _ => {
                self.failed.push(name);
                "FAILED"
            }
        };
        let (took_s, cpu_s) = (outcome.took.as_secs(), outcome.cpu_s);
        println!("{name:<10} {word:<7} {took_s:4} s, {cpu_s:4} s of CPU");
        if word == "skipped" {
            println!("    {}", read(logs, name).lines().last().unwrap_or_default());
        }
    }

    /// Prints the ends of the logs of failed stages.
    fn show_failed(&self, logs: &Path) {
        for name in &self.failed {
            println!("{name} has failed. The end of build/logs/{name}.log:");
            let log = read(logs, name);
            let lines: Vec<&str> = log.lines().collect();
            for line in &lines[lines.len().saturating_sub(SHOWN)..] {
                println!("    {line}");
            }
        }
    }
}

/// Returns the log of a stage.
fn read(logs: &Path, name: &str) -> String {
    let log = fs::read(logs.join(format!("{name}.log"))).unwrap_or_default();
    String::from_utf8_lossy(&log).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_stages_are_unique_and_those_of_quick_exist() {
        let names: Vec<&str> =
            STAGES.iter().map(|stage| stage.name).filter(|name| !name.is_empty()).collect();
        for name in &names {
            assert_eq!(names.iter().filter(|other| other == &name).count(), 1, "{name}");
        }
        assert!(stages::QUICK.iter().all(|name| names.contains(name)));
    }

    #[test]
    fn the_own_processors_time_is_read() {
        let began = Instant::now();
        // Other programs may have the processors for most of the time.
        while cpu_s("self") < 1 && began.elapsed() < Duration::from_secs(60) {
            std::hint::black_box(fs::read("/proc/self/stat").is_ok());
        }
        assert!((1..100).contains(&cpu_s("self")));
    }
}
