//! Connections of foreign processes, whatever they send or fail to send, do not keep the processes
//! of a job from connecting.

mod common;

use common::{Process, poll, until};
use nemesis_netmod::{Packet, Sent};
use nemesis_netmod_tcp::handshake::{
    self, ANSWER_BYTES, CHALLENGE_BYTES, HELLO_BYTES, Hello, Role, job_number,
};
use nemesis_netmod_tcp::{Card, Choice, Options};
use nemesis_wire::{FIRST_CLIENT_KIND, Header};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::{Duration, Instant};

const KEY: [u8; 32] = [42; 32];
const TIMEOUT: Duration = Duration::from_secs(30);

fn job(keys: [[u8; 32]; 2]) -> Vec<Process> {
    common::join(|me| {
        (Options { choice: Choice::parse("lo").unwrap(), ..Options::default() }, keys[me])
    })
}

/// Sends packets in both directions and waits for them.
fn talks(job: &mut [Process]) {
    let before: Vec<usize> = job.iter().map(|process| process.host.packets.len()).collect();
    for (me, Process { module, host }) in job.iter_mut().enumerate().take(2) {
        let header = Header { kind: FIRST_CLIENT_KIND, size: 5, ..Header::default() };
        let sent = module.send(host, 1 - me as u32, Packet::new(&header, b"hello"), 0);
        assert_eq!(sent, Ok(Sent::Done));
    }
    until(job, "the processes talk", |job| {
        job.iter().zip(&before).all(|(process, before)| process.host.packets.len() == before + 1)
    });
    assert!(job.iter().all(|process| process.host.lost.is_empty()));
}

fn port(job: &[Process], process: usize) -> u16 {
    Card::decode(&job[0].host.cards.borrow()[process]).unwrap().port
}

fn knock(job: &[Process]) -> TcpStream {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port(job, 0))).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(1))).unwrap();
    stream
}

/// Returns whether the peer has closed.
fn is_closed(stream: &mut TcpStream) -> bool {
    match stream.read(&mut [0; 256]) {
        Ok(read) => read == 0,
        Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
    }
}

fn is_turned_away(job: &mut [Process], stream: &mut TcpStream, why: &str) {
    let start = Instant::now();
    while !is_closed(stream) {
        poll(job);
        assert!(start.elapsed() < TIMEOUT, "a stranger is turned away: {why}");
    }
    assert!(
        job[0].host.notes.iter().any(|note| note.contains(why)),
        "{why:?} is noted: {:?}",
        job[0].host.notes
    );
}

/// Sends a hello as process 1, and returns the stream and what process 0 answers.
fn greet(job: &mut [Process], hello: &Hello) -> (TcpStream, handshake::Nonce, handshake::Proof) {
    let mut stream = knock(job);
    stream.write_all(&hello.encode()).unwrap();
    let (mut answer, mut have) = ([0; CHALLENGE_BYTES], 0);
    let start = Instant::now();
    while have < CHALLENGE_BYTES {
        poll(job);
        have += stream.read(&mut answer[have..]).unwrap_or(0);
        assert!(start.elapsed() < TIMEOUT, "an answer comes");
    }
    let (nonce, proof) = handshake::read_challenge(&answer);
    (stream, nonce, proof)
}

#[test]
fn garbage_is_turned_away() {
    let mut job = job([KEY; 2]);
    for garbage in [
        &b"GET / HTTP/1.1\r\nHost: here\r\nAccept: everything that there is\r\n\r\n"[..],
        &[0; HELLO_BYTES],
        &[255; 4096],
        // A hello of version 2, which is 8 bytes shorter. Its sender waits for an answer.
        &[&b"NEMtcp\0\x02"[..], &[1; HELLO_BYTES - 16]].concat(),
    ] {
        let mut stream = knock(&job);
        stream.write_all(garbage).unwrap();
        is_turned_away(&mut job, &mut stream, "another protocol");
    }
    talks(&mut job);
}

#[test]
fn a_hello_for_somebody_else_is_turned_away() {
    let mut job = job([KEY; 2]);
    for (from, to) in [(1, 1), (0, 0), (2, 0), (u32::MAX, 0), (1, 7)] {
        let mut stream = knock(&job);
        stream
            .write_all(
                &Hello {
                    from,
                    to,
                    job: job_number(&KEY),
                    nonce: [1; 32],
                    channel: 0,
                    encrypt: false,
                }
                .encode(),
            )
            .unwrap();
        is_turned_away(&mut job, &mut stream, "another process");
    }
    talks(&mut job);
}

#[test]
fn who_does_not_know_the_key_is_turned_away() {
    let mut job = job([KEY; 2]);
    let hello =
        Hello { from: 1, to: 0, job: job_number(&KEY), nonce: [1; 32], channel: 0, encrypt: false };
    let (mut stream, nonce, proof) = greet(&mut job, &hello);
    assert!(
        hello.is_proved(&KEY, Role::Acceptor, &nonce, &proof),
        "the listener proves itself first"
    );
    // Sends process 0's own proof back, then a proof with another key.
    stream.write_all(&proof).unwrap();
    is_turned_away(&mut job, &mut stream, "does not know the job key");
    let (mut stream, nonce, _) = greet(&mut job, &hello);
    stream.write_all(&hello.proof(&[43; 32], Role::Connector, &nonce)).unwrap();
    is_turned_away(&mut job, &mut stream, "does not know the job key");
    talks(&mut job);
}

/// A recorded proof is not accepted again.
#[test]
fn a_replay_is_turned_away() {
    let mut job = job([KEY; 2]);
    let hello =
        Hello { from: 1, to: 0, job: job_number(&KEY), nonce: [1; 32], channel: 0, encrypt: false };
    let (_, nonce, _) = greet(&mut job, &hello);
    let recorded: [u8; ANSWER_BYTES] = hello.proof(&KEY, Role::Connector, &nonce);
    let (mut stream, ..) = greet(&mut job, &hello);
    stream.write_all(&recorded).unwrap();
    is_turned_away(&mut job, &mut stream, "does not know the job key");
    talks(&mut job);
}

#[test]
fn the_silent_and_the_slow_keep_nobody_out() {
    let mut job = job([KEY; 2]);
    let mut crowd: Vec<TcpStream> = (0..200).map(|_| knock(&job)).collect();
    for stream in crowd.iter_mut().step_by(2) {
        stream.write_all(b"NEMtcp").unwrap();
    }
    talks(&mut job);
    let closed = crowd.iter_mut().filter_map(|stream| is_closed(stream).then_some(())).count();
    assert!(closed > 100, "those in excess are turned away: {closed}");
    assert!(job[0].host.notes.iter().any(|note| note.contains("too many")));
}

/// A process with another key, as of another job at this address, is not accepted as the one that
/// is addressed.
#[test]
fn another_job_is_not_mistaken_for_ours() {
    let mut job = job([KEY, [43; 32]]);
    let Process { module, host } = &mut job[0];
    let header = Header { kind: FIRST_CLIENT_KIND, ..Header::default() };
    assert_eq!(module.send(host, 1, Packet::new(&header, b""), 0), Ok(Sent::Done));
    until(&mut job, "the attempt fails", |job| {
        job[0].host.lost.len() == 1 && job[0].host.lost[0].process == Some(1)
    });
    assert!(job[1].host.packets.is_empty());
}
