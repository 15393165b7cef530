//! Output arrives in whole lines and in order, whatever its size and its reader.

mod launch;

use launch::{MPIEXEC, mpiexec, mpiexec_reading, start, wait_until};
use std::process::{Command, Stdio};

#[test]
fn lines_of_many_ranks_are_whole_and_in_order() {
    const LINES: usize = 3000;
    // Each printf is one write, so a line arrives in three pieces.
    let script = format!(
        "i=0; while [ $i -lt {LINES} ]; do \
         printf 'rank %s' $PMI_RANK; printf ' line'; printf ' %s end\\n' $i; i=$((i+1)); done"
    );
    let job = mpiexec(&["-n", "6", "sh", "-c", &script]);
    assert_eq!(job.code, 0);
    let mut next = [0; 6];
    for line in job.out.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let ["rank", rank, "line", number, "end"] = words[..] else {
            panic!("a torn line: {line:?}")
        };
        let rank: usize = rank.parse().unwrap();
        assert_eq!(number.parse(), Ok(next[rank]), "{line:?}");
        next[rank] += 1;
    }
    assert_eq!(next, [LINES; 6]);
}

#[test]
fn each_line_is_tagged_on_both_streams() {
    for option in ["-l", "--tag-output", "-prepend-rank"] {
        let job = mpiexec(&["-n", "2", option, "sh", "-c", "echo a; echo b; echo c >&2"]);
        let mut lines: Vec<&str> = job.out.lines().collect();
        lines.sort_unstable();
        assert_eq!(lines, ["[0] a", "[0] b", "[1] a", "[1] b"]);
        assert_eq!(job.err.lines().count(), 2);
        assert!(job.err.contains("[0] c") && job.err.contains("[1] c"));
    }
}

#[test]
fn a_last_line_without_newline_is_not_lost() {
    assert_eq!(mpiexec(&["printf", "one\ntwo"]).out, "one\ntwo");
    let job = mpiexec(&["-n", "3", "printf", "open"]);
    assert_eq!(job.out, "open\nopen\nopen");
}

#[test]
fn a_single_rank_passes_bytes_through_as_they_are() {
    let bytes: Vec<u8> =
        (0..3_000_000u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let mut child = Command::new(MPIEXEC)
        .arg("cat")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let sent = bytes.clone();
    let writer = std::thread::spawn(move || std::io::Write::write_all(&mut input, &sent));
    let output = child.wait_with_output().unwrap().stdout;
    writer.join().unwrap().unwrap();
    assert!(output == bytes);
}

#[test]
fn a_flood_from_many_ranks_arrives() {
    let job =
        mpiexec(&["-n", "8", "sh", "-c", "yes 0123456789012345678901234567890 | head -n 100000"]);
    assert_eq!(job.out.len(), 8 * 100_000 * 32);
    assert!(job.out.lines().all(|line| line == "0123456789012345678901234567890"));
}

#[test]
fn a_job_ends_after_its_output_is_in_a_file() {
    let path = std::env::temp_dir().join(format!("nemesis-output-{}", std::process::id()));
    let file = std::fs::File::create(&path).unwrap();
    assert!(
        Command::new(MPIEXEC)
            .args(["-n", "4", "seq", "100000"])
            .stdout(file)
            .status()
            .unwrap()
            .success()
    );
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(text.lines().count(), 400_000);
}

#[test]
fn a_reader_that_closes_the_pipe_ends_the_job_without_a_message() {
    let script = format!("{MPIEXEC} -n 2 yes | head -n 1");
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    assert_eq!(
        (output.stdout.as_slice(), output.stderr.as_slice()),
        (b"y\n".as_slice(), b"".as_slice())
    );
}

#[test]
fn a_slow_reader_slows_the_ranks_and_gets_everything() {
    let (mut child, _) = start(&["-n", "2", "seq", "300000"], "slow");
    // In this time every buffer on the way fills.
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stdout.iter().filter(|&&byte| byte == b'\n').count(), 600_000);
}

#[test]
fn output_through_a_slow_pipe_of_a_rank_arrives_before_the_end() {
    let job = mpiexec_reading(b"", &["-n", "2", "bash", "-c", "echo done > >(sleep 0.2; cat)"]);
    assert_eq!((job.out.as_str(), job.code), ("done\ndone\n", 0));
}

#[test]
fn output_arrives_while_the_job_runs() {
    let (mut child, _) = start(&["sh", "-c", "echo early; sleep 100"], "early");
    let mut early = [0; 6];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut early).unwrap();
    assert_eq!(&early, b"early\n");
    launch::signal(child.id(), rustix::process::Signal::TERM);
    wait_until("the job ends after SIGTERM", || child.try_wait().unwrap().is_some());
}

#[test]
fn a_full_disk_under_standard_output_ends_the_job_with_the_reason() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
    let job: launch::Ended = std::process::Command::new(launch::MPIEXEC)
        .args(["-n", "2", "echo", "lost"])
        .stdin(std::process::Stdio::null())
        .stdout(full)
        .stderr(std::process::Stdio::piped())
        .output()
        .expect("mpiexec runs")
        .into();
    assert_eq!(job.code, 1, "{}", job.err);
    let parts = ["No space left on device", "output is lost", "try: "];
    assert!(parts.iter().all(|part| job.err.contains(part)), "{}", job.err);
}

#[test]
fn answers_that_a_full_disk_refuses_are_an_error() {
    for option in ["-help", "-version"] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
        let mut command = std::process::Command::new(launch::MPIEXEC);
        let asked = command.arg(option).stdout(full).output().expect("mpiexec runs");
        let said = String::from_utf8_lossy(&asked.stderr);
        assert!(!asked.status.success() && said.contains("No space left on device"), "{said}");
    }
}

/// Returns a folder for a test.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("nemesis-output-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// What the ranks of these tests print.
const BOTH: [&str; 3] = ["sh", "-c", "echo out $PMI_RANK; echo err $PMI_RANK >&2"];

#[test]
fn each_rank_writes_to_its_own_file() {
    let folder = folder("files");
    let place = folder.display();
    // Two ranks are on this host, two at agents.
    let hosts = ["--agent", "{cmd}", "-hosts", "localhost:2,a,b"];
    let pattern = [format!("{place}/%r-%p.out"), format!("{place}/%r.err")];
    let options = ["-outfile-pattern", &pattern[0], "-errfile-pattern", &pattern[1]];
    let job = mpiexec(&[&hosts[..], &options, &BOTH].concat());
    assert_eq!((job.code, job.out.as_str(), job.err.as_str()), (0, "", ""));
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap_or_default();
    for (rank, host) in [0, 0, 1, 2].into_iter().enumerate() {
        assert_eq!(text(&format!("{rank}-{host}.out")), format!("out {rank}\n"));
        assert_eq!(text(&format!("{rank}.err")), format!("err {rank}\n"));
    }
    let dir = format!("dir={place}/sub:nocopy");
    let job = mpiexec(&[&["-n", "2", "--output", &dir, "-l"], &BOTH[..]].concat());
    assert_eq!((job.code, job.out.as_str(), job.err.as_str()), (0, "", ""));
    assert_eq!(text("sub/rank.1/stdout"), "[1] out 1\n");
    assert_eq!(text("sub/rank.0/stderr"), "[0] err 0\n");
    let file = format!("file={place}/f");
    let job = mpiexec(&[&["-n", "1", "--output", &file], &BOTH[..]].concat());
    assert_eq!((text("f.0.out"), text("f.0.err")), ("out 0\n".into(), "err 0\n".into()));
    assert_eq!((job.out.as_str(), job.err.as_str()), ("out 0\n", "err 0\n"), "a copy");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_file_that_cannot_be_written_is_told_before_or_ends_the_job() {
    let job = mpiexec(&["-n", "2", "-outfile-pattern", "/no/such/%r", "sleep", "100"]);
    assert_eq!((job.code, job.out.as_str()), (1, ""));
    let parts = ["/no/such/0, for standard output of rank 0", "No such file", "; try: a folder"];
    assert!(parts.iter().all(|part| job.err.contains(part)), "{}", job.err);
    let script = "echo lost; exec sleep 100";
    let job = mpiexec(&["-n", "2", "-outfile-pattern", "/dev/full", "sh", "-c", script]);
    assert_eq!(job.code, 1, "{}", job.err);
    let parts =
        ["writing the output of rank", "to /dev/full: No space left", "who: rank", "try: space"];
    assert!(parts.iter().all(|part| job.err.contains(part)), "{}", job.err);
    assert_eq!(job.err.matches("No space left").count(), 1, "{}", job.err);
    let job = mpiexec(&["-n", "1", "-errfile-pattern", "/dev/full", "sh", "-c", "echo lost >&2"]);
    assert!(job.code == 1 && job.err.contains("to /dev/full: No space left"), "{}", job.err);
}

#[test]
fn lines_begin_as_the_options_say() {
    let job = mpiexec(&["-n", "2", "-prepend-pattern", "%r/%n:", "echo", "x"]);
    let mut lines: Vec<&str> = job.out.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["0/2:x", "1/2:x"]);
    for option in [&["--timestamp-output", "-l"][..], &["--output", "timestamp,tag"]] {
        let job = mpiexec(&[option, &["echo", "x"]].concat());
        let (time, rest) = job.out.split_once(' ').unwrap();
        assert!(time.len() == 24 && time.ends_with('Z') && rest == "[0] x\n", "{}", job.out);
    }
}

#[test]
fn merged_streams_keep_their_order() {
    let script = "for i in 1 2 3 4 5 6 7 8 9; do echo o$i; echo e$i >&2; done";
    for hosts in [&[][..], &["--agent", "{cmd}", "-hosts", "a"]] {
        let job =
            mpiexec(&[hosts, &["-n", "1", "-merge-stderr-to-stdout", "sh", "-c", script]].concat());
        let expected: String = (1..10).map(|i| format!("o{i}\ne{i}\n")).collect();
        assert_eq!((job.out, job.err.as_str()), (expected, ""));
    }
}

/// A program that is driven over pipes asks without a newline and waits for the answer.
#[test]
fn a_question_arrives_before_its_answer() {
    let one = "printf 'n? '; read n; echo got $n";
    let err = "printf 'n? ' >&2; read n; echo got $n >&2";
    for (options, script, from_err) in [
        (&["-n", "1"][..], one, false),
        (&["-n", "2", "-l"], &format!("[ $PMI_RANK = 1 ] || {{ {one}; }}"), false),
        (&["-n", "2"], &format!("[ $PMI_RANK = 1 ] || {{ {err}; }}"), true),
        (
            &["-agent", "{cmd}", "-hosts", "a,b", "-stdin", "1"],
            &format!("[ $PMI_RANK = 0 ] || {{ {one}; }}"),
            false,
        ),
    ] {
        let arguments = [options, &["sh", "-c", script]].concat();
        let (mut child, _) = start(&arguments, "question");
        let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let mut seen = Vec::new();
        let stream: &mut dyn std::io::Read = if from_err { &mut err } else { &mut out };
        while !seen.ends_with(b"n? ") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("the question");
            seen.push(byte[0]);
        }
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"7\n").unwrap();
        let mut rest = String::new();
        stream.read_to_string(&mut rest).unwrap();
        assert_eq!(rest, "got 7\n", "{arguments:?}");
        assert!(child.wait().unwrap().success());
    }
}
