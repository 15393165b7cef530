//! No process and no file is left behind, whichever process is killed.

mod launch;

use launch::{MPIEXEC, marked, signal, start, wait_until};
use rustix::process::Signal;
use std::collections::BTreeSet;
use std::process::Child;

/// A rank with a child, a grandchild in a session of its own, and a child that ignores SIGTERM.
const FAMILY: &str = "sleep 1000 & setsid sleep 1001 & \
                      sh -c 'trap \"\" TERM; while :; do sleep 1; done' & exec sleep 1002";

fn start_family(name: &str) -> (Child, String) {
    let (child, mark) = start(&["-n", "2", "sh", "-c", FAMILY], name);
    for command in ["sleep 1000", "sleep 1001", "sleep 1002", "sleep 1"] {
        wait_until("both ranks have their children", || running(&mark, command).len() == 2);
    }
    (child, mark)
}

/// Returns the processes of a test that run `command`.
fn running(mark: &str, command: &str) -> Vec<i32> {
    let words = command.replace(' ', "\0") + "\0";
    let runs = |pid: &i32| {
        std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default() == words
    };
    marked(mark).into_iter().filter(runs).collect()
}

fn all_gone(mark: &str) {
    wait_until(&format!("all processes are gone, but there are {:?}", marked(mark)), || {
        marked(mark).is_empty()
    });
}

#[test]
fn after_kill_9_of_mpiexec() {
    let (mut child, mark) = start_family("kill-9-mpiexec");
    signal(child.id(), Signal::KILL);
    child.wait().unwrap();
    all_gone(&mark);
}

#[test]
fn after_kill_9_of_a_rank() {
    let (mut child, mark) = start_family("kill-9-rank");
    signal(running(&mark, "sleep 1002")[0] as u32, Signal::KILL);
    assert_eq!(child.wait().unwrap().code(), Some(137));
    all_gone(&mark);
}

#[test]
fn after_kill_9_of_mpiexec_and_its_watchdog_no_rank_is_left() {
    let (mut child, mark) = start(&["-n", "4", "sleep", "1000"], "kill-9-both");
    wait_until("the ranks are up", || running(&mark, "sleep 1000").len() == 4);
    let watchdog = running(&mark, "nemesis-watchdog")[0];
    signal(watchdog as u32, Signal::KILL);
    signal(child.id(), Signal::KILL);
    child.wait().unwrap();
    all_gone(&mark);
}

#[test]
fn after_sigterm() {
    let (mut child, mark) = start_family("term");
    signal(child.id(), Signal::TERM);
    child.wait().unwrap();
    all_gone(&mark);
}

#[test]
fn after_a_successful_job_with_children_in_the_background() {
    let (mut child, mark) = start(&["-n", "2", "sh", "-c", "sleep 1000 & exit 0"], "background");
    assert_eq!(child.wait().unwrap().code(), Some(0));
    all_gone(&mark);
}

#[test]
fn after_a_successful_job_with_a_process_that_goes_on_writing() {
    // In a session of its own the writer is no longer part of the job. Its pipe is closed, which
    // ends it.
    let (child, mark) =
        start(&["sh", "-c", "setsid sh -c 'while echo noise; do :; done' & exit 0"], "writer");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
    all_gone(&mark);
}

#[test]
fn after_a_reader_that_closes_the_pipe() {
    let mark = format!("head-{}", std::process::id());
    let script = format!("{MPIEXEC} -n 2 sh -c 'sleep 1000 & yes' | head -n 1");
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .env("NEMESIS_TEST_MARK", &mark)
        .output()
        .unwrap();
    assert_eq!(output.stdout, b"y\n");
    all_gone(&mark);
}

#[test]
fn an_inner_job_dies_with_the_outer_one() {
    let (mut child, mark) =
        start(&["-n", "2", MPIEXEC, "-n", "2", "sh", "-c", "sleep 1000 & sleep 1001"], "nested");
    wait_until("all processes are up", || {
        running(&mark, "sleep 1000").len() == 4 && running(&mark, "sleep 1001").len() == 4
    });
    signal(child.id(), Signal::KILL);
    child.wait().unwrap();
    all_gone(&mark);
}

#[test]
fn no_file_is_left() {
    let files = |place: &str| -> BTreeSet<String> {
        let entries = std::fs::read_dir(place).map(|entries| {
            entries
                .flatten()
                .map(|entry| entry.file_name().to_string_lossy().into_owned())
                .collect()
        });
        entries.unwrap_or_default()
    };
    let of_ours = |place: &str| {
        files(place)
            .into_iter()
            .filter(|name| name.contains("nemesis") && !name.contains("output"))
            // Other jobs of the user may have published names meanwhile; the test has none.
            .filter(|name| !name.starts_with("nemesis-names"))
            .collect::<BTreeSet<_>>()
    };
    // A program that was killed may have left files before.
    let places = ["/dev/shm", "/tmp"];
    let before = places.map(of_ours);
    let (mut child, mark) =
        start(&[launch::RANK, "leave", "7", "0", ":", "sleep", "1000"], "files");
    wait_until("the ranks are up", || marked(&mark).len() == 4);
    signal(child.id(), Signal::KILL);
    child.wait().unwrap();
    all_gone(&mark);
    for (place, before) in places.into_iter().zip(before) {
        let is_new = |name: &String| !before.contains(name);
        let left: Vec<String> = of_ours(place).into_iter().filter(is_new).collect();
        assert_eq!(left, Vec::<String>::new(), "in {place}");
    }
}
