//! How jobs end: exit codes, messages, signals.

mod launch;

use launch::{RANK, mpiexec, signal, start, start_by, wait_until};
use rustix::process::Signal;
use std::io::{BufRead, BufReader};

#[test]
fn success_is_silent() {
    let job = mpiexec(&["-n", "4", RANK, "exit", "0"]);
    assert_eq!((job.code, job.out.as_str(), job.err.as_str()), (0, "", ""));
}

#[test]
fn an_exit_code_after_finalize_is_reported_once_and_ends_no_other_rank() {
    let job = mpiexec(&["-n", "2", RANK, "exit", "3"]);
    assert_eq!(job.code, 3);
    assert!(
        job.err.contains(" ended with exit code 3 after MPI_Finalize\n  who: rank "),
        "{}",
        job.err
    );
    assert_eq!(job.err.matches("mpiexec:").count(), 1, "{}", job.err);
    let patient = mpiexec(&[RANK, "exit", "3", ":", "sh", "-c", "sleep 0.3; echo still here"]);
    assert_eq!((patient.code, patient.out.as_str()), (3, "still here\n"));
}

#[test]
fn a_failed_rank_ends_the_others_and_is_named() {
    let job = mpiexec(&["-n", "3", "sh", "-c", "test $PMI_RANK = 1 && exit 5; sleep 100"]);
    assert_eq!(job.code, 5);
    assert!(
        job.err.contains("rank 1 ended with exit code 5")
            && job.err.contains("pid")
            && job.err.contains("try:"),
        "{}",
        job.err
    );
    assert_eq!(job.err.matches("mpiexec:").count(), 1, "{}", job.err);
}

#[test]
fn a_library_that_the_loader_does_not_find_is_told_with_a_remedy() {
    let job = mpiexec(&["-n", "2", "sh", "-c", "exit 127"]);
    assert_eq!(job.code, 127);
    for words in ["ended with exit code 127", "LD_LIBRARY_PATH=/", "/lib, ", "`nemesis doctor sh`"]
    {
        assert!(job.err.contains(words), "{words}: {}", job.err);
    }
}

#[test]
fn a_crash_is_named_by_its_signal() {
    let job = mpiexec(&["-n", "2", "sh", "-c", "test $PMI_RANK = 1 && kill -SEGV $$; sleep 100"]);
    assert_eq!(job.code, 128 + 11);
    assert!(job.err.contains("rank 1 was killed by SIGSEGV"), "{}", job.err);
    assert!(
        mpiexec(&["sh", "-c", "sh -c 'kill -SEGV $$'; exit $?"])
            .err
            .contains("a shell's code for SIGSEGV")
    );
}

#[test]
fn ranks_that_ignore_sigterm_are_killed() {
    let job = mpiexec(&[
        "-n",
        "3",
        "sh",
        "-c",
        "test $PMI_RANK = 0 && sleep 0.2 && exit 1; trap '' TERM; while :; do sleep 1; done",
    ]);
    assert_eq!(job.code, 1);
}

#[test]
fn ending_without_finalize_is_reported() {
    let job = mpiexec(&["-n", "3", RANK, "leave", "1", "0"]);
    assert_eq!(job.code, 1);
    assert!(job.err.contains("rank 1 ended without calling MPI_Finalize"), "{}", job.err);
    let job = mpiexec(&["-n", "3", RANK, "leave", "2", "9"]);
    assert_eq!(job.code, 9);
    assert!(job.err.contains("rank 2 ended with exit code 9"), "{}", job.err);
}

#[test]
fn ending_under_a_wrapper_that_goes_on_is_reported() {
    let job = mpiexec(&["-n", "2", "sh", "-c", &format!("{RANK} leave 1 4; sleep 100")]);
    assert_eq!(job.code, 1);
    assert!(job.err.contains("rank 1 lost its MPI process"), "{}", job.err);
}

#[test]
fn a_wrapper_may_end_before_its_program() {
    let job = mpiexec(&[
        "-n",
        "2",
        "sh",
        "-c",
        &format!("(sleep 0.3; {RANK} meet) & {RANK} exit 0 || exit 1"),
    ]);
    assert_eq!(job.code, 0, "{}", job.err);
}

#[test]
fn a_rank_that_never_joins_while_others_wait_is_reported() {
    let job = mpiexec(&[RANK, "leave", "7", "0", ":", "true"]);
    assert_eq!(job.code, 1);
    assert!(job.err.contains("rank 1 ended without calling MPI_Init"), "{}", job.err);
}

#[test]
fn an_abort_ends_the_job_with_its_code() {
    let job = mpiexec(&["-n", "3", RANK, "abort", "2", "7"]);
    assert_eq!(job.code, 7);
    assert!(
        job.err.contains("rank 2 aborted the job with code 7: the reactor is hot"),
        "{}",
        job.err
    );
    let zero = mpiexec(&["-n", "2", RANK, "abort", "0", "0"]);
    assert!(
        zero.code == 0 && zero.err.contains("rank 0 aborted the job with code 0"),
        "{}: {}",
        zero.code,
        zero.err
    );
    assert_eq!(mpiexec(&[RANK, "abort", "0", "256"]).code, 1);
}

#[test]
fn a_malformed_pmi_line_is_reported() {
    let job = mpiexec(&["-n", "2", RANK, "nonsense"]);
    assert_eq!(job.code, 1);
    assert!(job.err.contains("a line that is not text"), "{}", job.err);
}

/// Starts ranks and waits until each has printed that it is ready.
fn ready(
    script: &str,
    ranks: usize,
) -> (std::process::Child, BufReader<std::process::ChildStdout>) {
    let (mut child, _) = start(&["-n", &ranks.to_string(), "sh", "-c", script], "ready");
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    for _ in 0..ranks {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        assert_eq!(line, "ready\n");
    }
    (child, reader)
}

#[test]
fn a_signal_goes_to_the_ranks_which_may_clean_up() {
    let script = "trap 'echo tidied; exit 0' TERM; echo ready; while :; do sleep 0.05; done";
    let (mut child, reader) = ready(script, 2);
    signal(child.id(), Signal::TERM);
    // `timeout` signals its command, and then the command's group.
    std::thread::sleep(std::time::Duration::from_millis(5));
    signal(child.id(), Signal::TERM);
    let lines: Vec<String> = reader.lines().map(Result::unwrap).collect();
    assert_eq!(lines, ["tidied", "tidied"]);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_job_that_ends_by_a_signal_prints_no_message() {
    for (number, name) in [(2, Signal::INT), (15, Signal::TERM), (1, Signal::HUP)] {
        let (child, _reader) = ready("echo ready; exec sleep 100", 3);
        signal(child.id(), name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(128 + number));
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}

#[test]
fn ranks_that_do_not_follow_a_signal_are_killed_after_a_while() {
    let deaf = || ready("trap '' TERM HUP; echo ready; while :; do sleep 0.1; done", 2);
    let jobs = [(deaf(), Signal::TERM, 15), (deaf(), Signal::HUP, 1)];
    let since = std::time::Instant::now();
    jobs.iter().for_each(|((child, _), name, _)| signal(child.id(), *name));
    for ((mut child, _reader), _, number) in jobs {
        assert_eq!(child.wait().unwrap().code(), Some(128 + number));
    }
    assert!(since.elapsed() >= std::time::Duration::from_secs(4), "they had no time to clean up");
}

#[test]
fn a_signal_that_mpiexec_ignores_from_its_start_does_not_end_the_job() {
    let script = "echo ready; sleep 6; echo done";
    let (mut child, _) =
        start_by(&["env", "--ignore-signal=HUP"], &["sh", "-c", script], "ignoring");
    let mut reader = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(reader.next().unwrap().unwrap(), "ready");
    signal(child.id(), Signal::HUP);
    assert_eq!(reader.next().unwrap().unwrap(), "done");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_second_signal_kills() {
    let (mut child, _reader) = ready("trap '' INT TERM; echo ready; while :; do sleep 1; done", 2);
    signal(child.id(), Signal::INT);
    std::thread::sleep(std::time::Duration::from_millis(400));
    assert!(child.try_wait().unwrap().is_none());
    signal(child.id(), Signal::INT);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn all_processes_of_a_job_stop_and_continue_together() {
    let (mut child, reader) = ready("echo ready; echo $$; exec sleep 100", 1);
    let rank: i32 = reader.lines().next().unwrap().unwrap().parse().unwrap();
    let state = |pid: i32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit(") ").next().and_then(|rest| rest.chars().next())
    };
    let launcher = child.id() as i32;
    signal(child.id(), Signal::TSTP);
    wait_until("both are stopped", || state(launcher) == Some('T') && state(rank) == Some('T'));
    signal(child.id(), Signal::CONT);
    wait_until("both continue", || state(launcher) == Some('S') && state(rank) == Some('S'));
    signal(child.id(), Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

#[test]
fn a_time_limit_ends_the_job_and_tells_what_the_ranks_do() {
    let hosts = ["--agent", "{cmd}", "-hosts", "localhost,a"];
    let job = mpiexec(&[&hosts[..], &["-timeout", "0.5", "-n", "2", "sleep", "100"]].concat());
    assert_eq!(job.code, 124, "{}", job.err);
    for part in ["state report of 2 ranks", "rank 1 on", "run for 0.5 s, its time limit", "try: "] {
        assert!(job.err.contains(part), "{part}: {}", job.err);
    }
    let output = std::process::Command::new(launch::MPIEXEC)
        .args(["-n", "1", "sleep", "100"])
        .env("MPIEXEC_TIMEOUT", "0.2")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(124));
    let in_time = mpiexec(&["-timeout", "100", "-n", "2", "echo", "x"]);
    assert_eq!((in_time.code, in_time.err.as_str()), (0, ""));
}

#[test]
fn other_ranks_go_on_if_the_user_says_so() {
    let script =
        "[ $PMI_RANK != 1 ] || exit 3; [ $PMI_RANK != 2 ] || kill -9 $$; sleep 0.5; echo x";
    for hosts in [&["-n", "4"][..], &["--agent", "{cmd}", "-hosts", "localhost:2,a:2"]] {
        for option in ["-continuous", "-disable-auto-cleanup"] {
            let job = mpiexec(&[hosts, &[option, "sh", "-c", script]].concat());
            assert_eq!(job.out, "x\nx\n", "{}", job.err);
            assert!([3, 137].contains(&job.code), "{}", job.code);
            for part in
                ["rank 1 ended with exit code 3", "rank 2 was killed", "the other ranks go on"]
            {
                assert!(job.err.contains(part), "{part}: {}", job.err);
            }
        }
    }
}

#[test]
fn all_exit_codes_are_told() {
    let hosts = ["--agent", "{cmd}", "-hosts", "localhost:2,a"];
    let options = ["-print-all-exitcodes", "-continuous", "sh", "-c"];
    let job = mpiexec(&[&hosts[..], &options, &["exit $((PMI_RANK * 2))"]].concat());
    for part in ["0: 0, 1: 2", ": 2: 4"] {
        assert!(job.err.contains(part), "{part}: {}", job.err);
    }
}
