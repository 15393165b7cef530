//! System calls of small messages between two simulated hosts.
//!
//! A message that has arrived when it is received costs one call to send and one to receive, and no
//! other. strace shows this for 8 and 4000 bytes. The same number of calls covers a write of the
//! Remote-Write API together with the small message that follows it.

use crate::hosts;
use crate::places;
use crate::scene::{Library, Scene};
use crate::suite::{Suite, Sum};
use std::process::Command;

const ROUNDS: usize = 300;
/// Calls at the beginning and the end of what is counted.
const MARK: &str = "PR_GET_DUMPABLE";

pub fn run(wanted: &[String]) -> Sum {
    let scene = Scene::new("calls").with_programs(&["hosts/calls"]);
    scene.install_library(Library::RemoteWrite);
    let source = places::root().join("tests/hosts/writes.c");
    scene.compile(Library::RemoteWrite, &source, &scene.path("writes"));
    let mut suite = Suite::default();
    for (program, bytes) in [("calls", 8), ("calls", 4000), ("writes", 32), ("writes", 4000)] {
        suite.alone(format!("{program}-{bytes}"), move |scene| count(scene, program, bytes));
    }
    suite.run(&scene, wanted)
}

fn count(scene: &Scene, program: &str, bytes: u32) {
    places::needs("strace");
    if !places::succeeds(Command::new("strace").args(["-o", "/dev/null", "true"])) {
        crate::skip("processes may not be traced here");
    }
    let hosts = scene.hosts(hosts::nodes(2));
    let traces = scene.fresh_folder("traces");
    let script = "exec strace -f -o \"$1/$PMI_RANK\" \"$2\" \"$3\" \"$4\"";
    let job = format!(
        "./mpiexec -hosts node1,node2 -ppn 1 -n 2 sh -c '{script}' - {} ./{program} \
         {ROUNDS} {bytes}",
        traces.display()
    );
    scene.job(&job).on(hosts.login()).limit(120).run().code(0);
    for rank in 0..2 {
        let trace = std::fs::read_to_string(traces.join(rank.to_string())).expect("a trace");
        let counts = Counts::of(&trace);
        crate::say!("    {program}, {bytes} bytes, rank {rank}: {counts:?}");
        let head: Vec<&str> = between_marks(&trace).take(12).collect();
        let told = format!("rank {rank}: {counts:?}\n{}", head.join("\n"));
        assert_eq!((counts.sent, counts.received), (ROUNDS, ROUNDS), "{told}");
        // On a busy machine the pause is too short for some answers, and rank 0 polls for them as
        // rank 1 always does. The other calls read clocks.
        if rank == 0 {
            assert!(counts.others <= ROUNDS / 10, "other calls: {told}");
            assert!(counts.direct >= ROUNDS * 3 / 4, "calls between: {told}");
        }
    }
}

fn between_marks(trace: &str) -> impl Iterator<Item = &str> {
    let begin = trace.lines().skip_while(|line| !line.contains(MARK)).skip(1);
    begin.take_while(|line| !line.contains(MARK))
}

/// Calls between the marks, but for the program's own pauses.
#[derive(Debug, Default)]
struct Counts {
    sent: usize,
    received: usize,
    /// Messages received by exactly one call right after exactly one call to send.
    direct: usize,
    /// Polls without a result.
    polls: usize,
    others: usize,
}

impl Counts {
    fn of(trace: &str) -> Counts {
        let mut counts = Counts::default();
        let mut calls = 0;
        for line in between_marks(trace) {
            let call =
                line.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == ' ');
            let begins = |names: &[&str]| names.iter().any(|name| call.starts_with(name));
            if begins(&["clock_nanosleep"]) {
                continue;
            }
            calls += 1;
            let has_failed = call.contains(" = -1");
            if begins(&["sendto(", "sendmsg("]) && !has_failed {
                counts.sent += 1;
                calls = 1;
            } else if begins(&["read(", "readv("]) && !has_failed {
                counts.received += 1;
                counts.direct += usize::from(calls == 2);
            } else if begins(&["read(", "readv("]) && call.contains(" = -1 EAGAIN")
                || begins(&["epoll_wait(", "epoll_pwait("]) && call.ends_with(" = 0")
                || begins(&["sched_yield", "poll(", "ppoll("])
            {
                counts.polls += 1;
            } else {
                counts.others += 1;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_poll_between_a_send_and_a_receive_is_seen() {
        let trace = "1 prctl(PR_GET_DUMPABLE) = 1\n1 sendto(3) = 8\n1 read(3) = 8\n\
                     1 sendto(3) = 8\n1 read(3) = -1 EAGAIN\n1 read(3) = 8\n1 futex(1) = 0\n\
                     1 prctl(PR_GET_DUMPABLE) = 1\n1 futex(1) = 0\n";
        let counts = Counts::of(trace);
        let seen = (counts.sent, counts.received, counts.direct, counts.polls, counts.others);
        assert_eq!(seen, (2, 2, 1, 1, 1));
    }
}
