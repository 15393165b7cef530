//! An intruder between `mpiexec` and its agents can neither read what passes nor change it without
//! being noticed. The intruder is a relay of this test, to which the agent is sent: the commands
//! that start agents change the address in the bootstrap record.

mod launch;

use launch::{Ended, MPIEXEC, marked, start, wait_until};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Which way bytes go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Way {
    /// From the agent to `mpiexec`.
    Up,
    /// From `mpiexec` to the agent.
    Down,
}

/// Changes bytes on their way; the number is that of the first of them.
type Malice = Arc<dyn Fn(Way, usize, &mut Vec<u8>) + Send + Sync>;

/// Bytes of the handshake in each direction.
const HANDSHAKE_UP: usize = 44 + 80;
const HANDSHAKE_DOWN: usize = 64 + 48;

fn pass(way: Way, mut from: TcpStream, mut to: TcpStream, malice: &Malice, seen: &Mutex<Vec<u8>>) {
    let (mut room, mut number) = ([0; 4096], 0);
    while let Ok(read @ 1..) = from.read(&mut room) {
        let mut bytes = room[..read].to_vec();
        seen.lock().unwrap().extend_from_slice(&bytes);
        malice(way, number, &mut bytes);
        number += read;
        if to.write_all(&bytes).is_err() || bytes.is_empty() {
            break;
        }
    }
    let _ = (to.shutdown(Shutdown::Write), from.shutdown(Shutdown::Read));
}

/// Runs a job on host `a` past an intruder; returns its end and what the intruder has seen.
fn run_past(name: &str, malice: Malice, input: &[u8], words: &[&str]) -> (Ended, Vec<u8>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let record: PathBuf =
        std::env::temp_dir().join(format!("nemesis-intruder-{name}-{}", std::process::id()));
    let agent =
        format!("sh -c 'tee {} | sed \"4s/.*/127.0.0.1:{port}/\" | {{cmd}}'", record.display());
    let arguments = [&["--agent", &agent, "-hosts", "a"], words].concat();
    let (mut child, mark) = start(&arguments, name);
    // The input of a job that has failed is not read.
    let _ = child.stdin.take().unwrap().write_all(input);
    let (from, _) = listener.accept().unwrap();
    let text = std::fs::read_to_string(&record).unwrap();
    std::fs::remove_file(&record).unwrap();
    let goal = text.lines().nth(3).and_then(|line| line.rsplit_once(':')).unwrap().1;
    let to = TcpStream::connect((Ipv4Addr::LOCALHOST, goal.parse().unwrap())).unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (back_from, back_to) = (to.try_clone().unwrap(), from.try_clone().unwrap());
    let (back_malice, back_seen) = (Arc::clone(&malice), Arc::clone(&seen));
    let back = std::thread::spawn(move || {
        pass(Way::Down, back_from, back_to, &back_malice, &back_seen);
    });
    pass(Way::Up, from, to, &malice, &seen);
    back.join().unwrap();
    let ended = child.wait_with_output().unwrap().into();
    wait_until("all processes are gone", || marked(&mark).is_empty());
    let seen = seen.lock().unwrap().clone();
    (ended, seen)
}

fn flips(way: Way, place: usize) -> Malice {
    Arc::new(move |here, number, bytes| {
        if here == way
            && let Some(byte) = place.checked_sub(number).and_then(|at| bytes.get_mut(at))
        {
            *byte ^= 1;
        }
    })
}

#[test]
fn nothing_of_a_job_can_be_read_between_hosts() {
    let script = "cat; echo SECRET_output; echo SECRET_error >&2; exec printenv SECRET_name";
    let words = ["-genv", "SECRET_name", "SECRET_value", "sh", "-c", script, "SECRET_argument"];
    let (ended, seen) = run_past("read", Arc::new(|_, _, _| {}), b"SECRET_input\n", &words);
    assert_eq!((ended.code, ended.err.as_str()), (0, "SECRET_error\n"));
    assert_eq!(ended.out, "SECRET_input\nSECRET_output\nSECRET_value\n");
    assert!(seen.len() > 1000, "the intruder sees the connection");
    let shown = String::from_utf8_lossy(&seen);
    for word in ["SECRET", "printenv", "PATH=", MPIEXEC] {
        assert!(!shown.contains(word), "{word} can be read");
    }
}

#[test]
fn a_changed_byte_ends_the_job_with_an_error_that_says_so() {
    // The first record in each direction: its length, its contents, its tag; and later records.
    let (up, down) = (HANDSHAKE_UP, HANDSHAKE_DOWN);
    let changes =
        [(Way::Down, down + 2), (Way::Down, down + 300), (Way::Up, up + 3), (Way::Up, up + 120)];
    for (way, place) in changes {
        let name = format!("change-{way:?}-{place}");
        let script = "echo out; echo err >&2; exec sleep 1000";
        let (ended, _) = run_past(&name, flips(way, place), b"", &["sh", "-c", script]);
        let text = &ended.err;
        assert_eq!(ended.code, 1, "{name}: {text}");
        assert_eq!(text.matches("what came is not what was sent").count(), 1, "{name}: {text}");
        assert_eq!(text.matches("try: ").count(), 1, "{name}: {text}");
        assert!(text.contains("rank 0 on"), "{name}: {text}");
    }
}

#[test]
fn a_changed_handshake_starts_nothing() {
    for (way, place) in [(Way::Up, 20), (Way::Up, 100), (Way::Down, 40), (Way::Down, 100)] {
        let name = format!("handshake-{way:?}-{place}");
        let (ended, _) = run_past(&name, flips(way, place), b"", &["echo", "started"]);
        assert_eq!((ended.code, ended.out.as_str()), (1, ""), "{name}: {}", ended.err);
        // The last message of the handshake is the parent's, which then counts the agent as joined.
        let told = ["cannot reach", "the handshake was changed on the way"];
        assert!(told.iter().any(|part| ended.err.contains(part)), "{name}: {}", ended.err);
    }
}

#[test]
fn a_connection_that_repeats_itself_ends_the_job() {
    // What follows the agent's first message is sent twice.
    let twice: Malice = Arc::new(|way, number, bytes| {
        if way == Way::Up && number > HANDSHAKE_UP {
            bytes.extend_from_within(..);
        }
    });
    let (ended, _) = run_past("twice", twice, b"", &["sh", "-c", "echo out; exec sleep 1000"]);
    assert_eq!(ended.code, 1, "{}", ended.err);
    assert!(ended.err.contains("what came is not what was sent"), "{}", ended.err);
}

#[test]
fn a_connection_that_is_cut_starts_nothing() {
    let cut: Malice = Arc::new(move |way, number, bytes| {
        if way == Way::Down {
            bytes.truncate((HANDSHAKE_DOWN + 400).saturating_sub(number));
        }
    });
    let (ended, _) = run_past("cut", cut, b"", &["sh", "-c", "echo out; exec sleep 1000"]);
    assert_eq!((ended.code, ended.out.as_str()), (1, ""), "{}", ended.err);
    assert!(ended.err.contains("a is lost"), "{}", ended.err);
}
