//! Jobs over several hosts. All hosts are this machine under several names. Agents start without
//! ssh; everything else is as between machines.

mod launch;

use launch::{MPIEXEC, RANK, marked, mpiexec, mpiexec_reading, signal, start, wait_until};
use rustix::process::Signal;
use std::io::Read;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

fn on<'a>(hosts: &'a str, rest: &[&'a str]) -> Vec<&'a str> {
    [&["--agent", "{cmd}", "-hosts", hosts], rest].concat()
}

fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// Returns the processes of a test that run `command`.
fn running(mark: &str, command: &str) -> Vec<i32> {
    let words = command.replace(' ', "\0") + "\0";
    let runs = |pid: &i32| {
        std::fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default() == words
    };
    marked(mark).into_iter().filter(runs).collect()
}

fn agents(mark: &str) -> Vec<i32> {
    running(mark, &format!("{MPIEXEC} --node-agent"))
}

fn all_gone(mark: &str) {
    wait_until(&format!("all processes are gone, but there are {:?}", marked(mark)), || {
        marked(mark).is_empty()
    });
}

fn start_sleepers(hosts: &str, name: &str) -> (Child, String) {
    let (child, mark) = start(&on(hosts, &["sh", "-c", "sleep 1000 & exec sleep 1001"]), name);
    let ranks = hosts.split(',').count();
    wait_until("all ranks are up", || {
        running(&mark, "sleep 1000").len() == ranks && running(&mark, "sleep 1001").len() == ranks
    });
    (child, mark)
}

#[test]
fn ranks_know_their_place_and_share_segments() {
    let place = ["sh", "-c", "echo $PMI_RANK/$PMI_SIZE $MPI_LOCALRANKID/$MPI_LOCALNRANKS"];
    let job = mpiexec(&on("a:2,b,a:1", &place));
    assert_eq!(sorted(&job.out), ["0/4 0/3", "1/4 1/3", "2/4 0/1", "3/4 2/3"]);
    assert_eq!((job.code, job.err.as_str()), (0, ""));
    let job = mpiexec(&on("a:2,b:2,localhost", &["-n", "7", RANK, "meet"]));
    assert_eq!((job.code, job.err.as_str()), (0, ""));
    assert_eq!(job.out.lines().count(), 7);
}

#[test]
fn programs_have_hosts_of_their_own() {
    let job = mpiexec(&[
        "--agent", "{cmd}", "-host", "a", "-n", "2", RANK, "meet", ":", "-host", "b", "-n", "1",
        RANK, "meet",
    ]);
    assert_eq!((job.code, job.err.as_str()), (0, ""));
    assert!(job.out.contains("rank 2 of 3, program Some(1)"), "{}", job.out);
}

#[test]
fn environment_and_directory_reach_other_hosts() {
    let script = "echo $ONE ${SSH_TTY-none} $(pwd)";
    let mut command = Command::new("env");
    // Another host does not have this environment.
    command.args([
        "ONE=1",
        MPIEXEC,
        "--agent",
        "env -i PATH=/usr/bin {cmd}",
        "-hosts",
        "a,b",
        "sh",
        "-c",
        script,
    ]);
    let output = command.current_dir("/usr").env("SSH_TTY", "here").output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "1 none /usr\n".repeat(2));
    let job = mpiexec(&on("a", &["-wdir", "/no/such", "pwd"]));
    assert_eq!(job.code, 127);
    assert!(job.err.contains("/no/such"), "{}", job.err);
}

#[test]
fn output_is_in_whole_lines_and_tagged() {
    let job = mpiexec(&on(
        "a:2,b:2",
        &["-l", "sh", "-c", "for i in $(seq 500); do printf x; echo $i; done; echo bad >&2"],
    ));
    assert_eq!(job.out.lines().count(), 2000);
    assert!(job.out.lines().all(|line| line.starts_with('[') && line.contains("] x")));
    assert_eq!(sorted(&job.err), ["[0] bad", "[1] bad", "[2] bad", "[3] bad"]);
}

#[test]
fn much_output_to_a_slow_reader_arrives_whole() {
    // With the shorter output the ranks end long before it is read.
    for (lines, seconds) in [(400_000, 1), (170_000, 4)] {
        let script = format!(
            "{MPIEXEC} --agent '{{cmd}}' -hosts a,b sh -c 'seq {lines}' | (sleep {seconds}; wc -l)"
        );
        let output = Command::new("sh").args(["-c", &script]).output().unwrap();
        assert_eq!(
            String::from_utf8(output.stdout).unwrap().trim(),
            (2 * lines).to_string(),
            "{seconds} s"
        );
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    }
}

#[test]
fn input_reaches_ranks_on_other_hosts() {
    let count = ["sh", "-c", "echo $PMI_RANK $(wc -c)"];
    let input = vec![b'x'; 300_000];
    let job = |options: &[&str]| mpiexec_reading(&input, &on("a,b", &[options, &count].concat()));
    assert_eq!(sorted(&job(&[]).out), ["0 300000", "1 0"]);
    assert_eq!(sorted(&job(&["-stdin", "1"]).out), ["0 0", "1 300000"]);
    assert_eq!(sorted(&job(&["-stdin", "all"]).out), ["0 300000", "1 300000"]);
    let unread = mpiexec_reading(&input, &on("a,b", &["true"]));
    assert_eq!((unread.code, unread.err.as_str()), (0, ""));
}

#[test]
fn exit_codes_and_messages_are_those_of_one_host() {
    let abort = mpiexec(&on("a:2,b:2", &[RANK, "abort", "3", "7"]));
    assert_eq!(abort.code, 7);
    assert!(
        abort.err.contains("rank 3 aborted the job with code 7: the reactor is hot")
            && abort.err.contains("rank 3 of 4"),
        "{}",
        abort.err
    );
    let leave = mpiexec(&on("a,b", &[RANK, "leave", "1", "5"]));
    assert_eq!(leave.code, 5);
    assert!(leave.err.contains("rank 1 ended with exit code 5"), "{}", leave.err);
    let crash = mpiexec(&on(
        "a:2,b:2",
        &["sh", "-c", "[ $PMI_RANK = 3 ] || exec sleep 1000; kill -SEGV $$"],
    ));
    assert_eq!(crash.code, 139);
    assert!(crash.err.contains("rank 3 was killed by SIGSEGV"), "{}", crash.err);
    let all_at_once = mpiexec(&on("a:2,b:2", &["sh", "-c", "exit 9"]));
    assert_eq!(all_at_once.code, 9);
    assert!(all_at_once.err.contains("ended with exit code 9"), "{}", all_at_once.err);
    let late = mpiexec(&on("a,b", &[RANK, "exit", "3"]));
    assert_eq!((late.code, late.err.matches("mpiexec:").count()), (3, 1), "{}", late.err);
    assert!(late.err.contains(" ended with exit code 3 after MPI_Finalize"), "{}", late.err);
    let never_joined = mpiexec(&[
        "--agent", "{cmd}", "-hosts", "a,b", "-n", "1", RANK, "meet", ":", "-n", "1", "true",
    ]);
    assert_eq!(never_joined.code, 1);
    assert!(
        never_joined.err.contains("rank 1 ended without calling MPI_Init"),
        "{}",
        never_joined.err
    );
}

#[test]
fn a_missing_program_is_named() {
    let job = mpiexec(&on("a,b", &["no-such-program"]));
    assert_eq!(job.code, 127);
    assert!(job.err.contains("no-such-program"), "{}", job.err);
}

#[test]
fn a_host_that_cannot_be_reached_is_explained() {
    let unknown = mpiexec(&[
        "--agent",
        "sh -c 'echo ssh: Could not resolve hostname {host} >&2; exit 255'",
        "-hosts",
        "nowhere",
        "true",
    ]);
    assert_eq!(unknown.code, 1);
    assert!(
        unknown.err.contains("nowhere")
            && unknown.err.contains("Could not resolve")
            && unknown.err.contains("getent hosts"),
        "{}",
        unknown.err
    );
    let no_agent = mpiexec(&["--agent", "sh -c 'exit 127'", "-hosts", "a,b", "true"]);
    assert!(no_agent.err.contains("installing the library on"), "{}", no_agent.err);
    let no_starter = mpiexec(&["--agent", "no-such-ssh {host} {cmd}", "-hosts", "a", "true"]);
    assert!(
        no_starter.err.contains("no-such-ssh, which starts processes there, is not"),
        "{}",
        no_starter.err
    );
    let other = mpiexec(&[
        "--agent",
        "sh -c 'sed 1s/agent.*/agent.9/ | tr . \" \" | {cmd}'",
        "-hosts",
        "a",
        "true",
    ]);
    assert!(
        other.err.contains("different builds") && other.err.contains("same installation"),
        "{}",
        other.err
    );
}

#[test]
fn a_range_with_too_few_ports_is_named_with_what_a_job_takes() {
    // The root and its agent, which are hosts of their own, are both on this one.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let range = format!("{port}:{port}");
    let job = mpiexec(&["-port-range", &range, "--agent", "{cmd}", "-hosts", "a", "true"]);
    assert_eq!(job.code, 1, "{}", job.err);
    let told = [&format!("all ports of {range} are taken on"), "takes one port of each host"];
    assert!(told.iter().all(|part| job.err.contains(part)), "{}", job.err);
}

#[test]
fn an_agent_without_the_key_is_refused() {
    let with_wrong_key = "sh -c 'sed 2s/./0/g | {cmd}'";
    let job = mpiexec(&["--agent", with_wrong_key, "-hosts", "a", "true"]);
    assert_eq!(job.code, 1);
    assert!(job.err.contains("cannot reach"), "{}", job.err);
}

#[test]
fn the_key_is_in_no_command_line_and_no_environment() {
    let (mut child, mark) =
        start(&on("a", &["--agent", "sh -c 'tee /dev/fd/9 9>&2 | {cmd}'", "sleep", "1000"]), "key");
    wait_until("the rank is up", || running(&mark, "sleep 1000").len() == 1);
    let everything = marked(&mark).into_iter().flat_map(|pid| {
        ["cmdline", "environ"]
            .map(|file| std::fs::read(format!("/proc/{pid}/{file}")).unwrap_or_default())
    });
    let everything: Vec<Vec<u8>> = everything.collect();
    signal(child.id(), Signal::KILL);
    let output = {
        child.wait().unwrap();
        all_gone(&mark);
        everything
    };
    // 64 consecutive hexadecimal digits are a key or the job's mark. The mark follows its name.
    for text in output {
        let text = String::from_utf8_lossy(&text).replace('\0', "\n");
        for line in text.lines().filter(|line| !line.starts_with("NEMESIS_JOB=")) {
            let longest =
                line.split(|c: char| !c.is_ascii_hexdigit()).map(str::len).max().unwrap_or(0);
            assert!(longest < 64, "{line}");
        }
    }
}

#[test]
fn nothing_is_left_after_kill_9_of_mpiexec() {
    let (mut child, mark) = start_sleepers("a,b,localhost", "hosts-mpiexec");
    signal(child.id(), Signal::KILL);
    child.wait().unwrap();
    all_gone(&mark);
}

#[test]
fn nothing_is_left_after_kill_9_of_an_agent() {
    let (child, mark) = start_sleepers("a,b,localhost", "hosts-agent");
    signal(agents(&mark)[0] as u32, Signal::KILL);
    let ended: launch::Ended = child.wait_with_output().unwrap().into();
    assert_eq!(ended.code, 1);
    assert!(ended.err.contains("is lost") && ended.err.contains("who: rank "), "{}", ended.err);
    all_gone(&mark);
}

#[test]
fn nothing_is_left_after_kill_9_of_a_rank() {
    let (mut child, mark) = start_sleepers("a,b", "hosts-rank");
    signal(running(&mark, "sleep 1001")[1] as u32, Signal::KILL);
    assert_eq!(child.wait().unwrap().code(), Some(137));
    all_gone(&mark);
}

#[test]
fn signals_reach_all_hosts() {
    let (mut child, mark) = start_sleepers("a,b", "hosts-term");
    signal(child.id(), Signal::INT);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    all_gone(&mark);
}

#[test]
fn ranks_of_all_hosts_that_do_not_follow_a_signal_are_killed() {
    let script = "trap '' TERM INT; while :; do sleep 1002; done";
    let (mut child, mark) = start(&on("a,b", &["sh", "-c", script]), "hosts-deaf");
    wait_until("the ranks are up", || running(&mark, "sleep 1002").len() == 2);
    signal(child.id(), Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(143));
    all_gone(&mark);
}

/// Reads lines of a job's output until `count` of them are `word`.
fn await_lines(child: &mut Child, word: &str, count: usize) {
    let out = child.stdout.as_mut().expect("a pipe");
    let (mut text, mut byte) = (String::new(), [0]);
    while text.lines().filter(|line| *line == word).count() < count || !text.ends_with('\n') {
        assert_eq!(out.read(&mut byte).unwrap(), 1, "the output ends: {text}");
        text.push(char::from(byte[0]));
    }
}

/// Starts a rank on each of two hosts that says what signals it gets.
fn start_listeners(name: &str) -> (Child, String) {
    let script = "trap 'echo saved; exit 3' TERM INT; trap 'echo noted' USR1 USR2; echo up; \
                  while :; do sleep 0.05; done";
    let (mut child, mark) = start(&on("a,b", &["sh", "-c", script]), name);
    await_lines(&mut child, "up", 2);
    (child, mark)
}

#[test]
fn a_signal_that_ends_agents_reaches_all_ranks_and_is_told_once() {
    for (number, name) in [(Signal::TERM, "SIGTERM"), (Signal::INT, "SIGINT")] {
        let (mut child, mark) = start_listeners(&format!("hosts-agents-{name}"));
        // As a batch system does: all hosts, and then mpiexec itself.
        agents(&mark).into_iter().for_each(|agent| signal(agent as u32, number));
        std::thread::sleep(Duration::from_millis(400));
        // It may have ended.
        let _ = Command::new("kill").args(["-s", &name[3..], &child.id().to_string()]).status();
        drop(child.stdin.take());
        let ended: launch::Ended = child.wait_with_output().unwrap().into();
        assert_eq!(ended.code, 128 + number.as_raw(), "{}", ended.err);
        assert_eq!(ended.out, "saved\n".repeat(2), "{}", ended.err);
        assert_eq!(ended.err.matches("has reached the node agent on").count(), 1, "{}", ended.err);
        assert!(ended.err.contains(name) && ended.err.contains("try: "), "{}", ended.err);
        all_gone(&mark);
    }
}

#[test]
fn a_signal_to_one_agent_reaches_the_ranks_of_the_other_hosts() {
    let (child, mark) = start_listeners("hosts-one-agent");
    signal(agents(&mark)[0] as u32, Signal::TERM);
    let ended: launch::Ended = child.wait_with_output().unwrap().into();
    assert_eq!((ended.code, ended.out.as_str()), (143, "saved\nsaved\n"), "{}", ended.err);
    all_gone(&mark);
}

#[test]
fn user_signals_to_agents_reach_each_rank_once_and_end_nothing() {
    for number in [Signal::USR1, Signal::USR2] {
        let (mut child, mark) = start_listeners(&format!("hosts-user-{}", number.as_raw()));
        agents(&mark).into_iter().for_each(|agent| signal(agent as u32, number));
        await_lines(&mut child, "noted", 2);
        std::thread::sleep(Duration::from_millis(300));
        signal(child.id(), Signal::TERM);
        let ended: launch::Ended = child.wait_with_output().unwrap().into();
        assert_eq!((ended.code, ended.out.as_str()), (143, "saved\nsaved\n"), "{}", ended.err);
        all_gone(&mark);
    }
}

#[test]
fn an_agent_that_gets_a_signal_to_stop_stops_the_ranks_of_its_host() {
    let (mut child, mark) = start(&on("a,b", &["sleep", "1003"]), "hosts-stop-one");
    wait_until("the ranks are up", || running(&mark, "sleep 1003").len() == 2);
    let state = |pid: i32| std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let stopped =
        || running(&mark, "sleep 1003").iter().filter(|&&pid| state(pid).contains(") T")).count();
    let agent = agents(&mark)[0];
    signal(agent as u32, Signal::TSTP);
    wait_until("the rank of one host is stopped", || stopped() == 1);
    assert!(!state(agent).contains(") T"), "the agent has stopped itself");
    signal(agent as u32, Signal::CONT);
    wait_until("the rank goes on", || stopped() == 0);
    signal(child.id(), Signal::TERM);
    assert_eq!(child.wait().unwrap().code(), Some(143));
    all_gone(&mark);
}

#[test]
fn a_host_whose_processes_are_stopped_is_named_once() {
    let words = ["sh", "-c", "echo up; exec sleep 1004"];
    let by = ["env", "--default-signal", "NEMESIS_NOTICE_SECONDS=2"];
    let (mut child, mark) = launch::start_by(&by, &on("a,b", &words), "hosts-frozen");
    await_lines(&mut child, "up", 2);
    let agent = agents(&mark)[1] as u32;
    signal(agent, Signal::STOP);
    std::thread::sleep(Duration::from_secs(6));
    signal(agent, Signal::CONT);
    signal(child.id(), Signal::TERM);
    let ended: launch::Ended = child.wait_with_output().unwrap().into();
    assert_eq!(ended.code, 143, "{}", ended.err);
    assert_eq!(ended.err.matches("has said nothing for 2 s").count(), 1, "{}", ended.err);
    assert!(ended.err.contains("who: rank ") && ended.err.contains("try: "), "{}", ended.err);
    all_gone(&mark);
}

#[test]
fn a_stopped_job_continues() {
    let (mut child, mark) = start(&on("a,b", &["sleep", "2"]), "hosts-stop");
    wait_until("the ranks are up", || running(&mark, "sleep 2").len() == 2);
    let state = |pid: i32| std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let all_are =
        |letter: &str| running(&mark, "sleep 2").iter().all(|&pid| state(pid).contains(letter));
    signal(child.id(), Signal::TSTP);
    wait_until("the ranks are stopped", || all_are(") T"));
    signal(child.id(), Signal::CONT);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn many_hosts_make_a_tree() {
    let hosts: Vec<String> = (0..40).map(|host| format!("h{host}")).collect();
    let begun = Instant::now();
    let job = mpiexec(&on(&hosts.join(","), &[RANK, "meet"]));
    assert_eq!((job.code, job.err.as_str()), (0, ""));
    assert_eq!(job.out.lines().count(), 40);
    assert!(begun.elapsed() < Duration::from_secs(60));
}
