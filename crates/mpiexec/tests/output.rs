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
