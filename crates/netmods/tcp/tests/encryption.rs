//! An attacker between two processes cannot read an encrypted connection, nor change it without
//! being noticed.

mod common;

use common::{Process, until};
use nemesis_netmod::{Failure, Fault, Packet, Sent};
use nemesis_netmod_tcp::{Card, Choice, Options};
use nemesis_wire::{FIRST_CLIENT_KIND, Header};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const KEY: [u8; 32] = [42; 32];
/// Bytes of the connector's handshake: hello, proof, key.
const GREETING_BYTES: usize = 57 + 32 + 48;
const NEEDLE: &[u8] = b"nobody but the receiver is to read this";

/// Starts two processes, each encrypting or not.
fn job(encrypt: [bool; 2]) -> Vec<Process> {
    common::join(|me| {
        (
            Options {
                choice: Choice::parse("lo").unwrap(),
                encrypt: encrypt[me],
                ..Options::default()
            },
            KEY,
        )
    })
}

fn send(process: &mut Process, to: u32, payload: &[u8]) {
    let header =
        Header { kind: FIRST_CLIENT_KIND, size: payload.len() as u16, ..Header::default() };
    // Sending to a lost process fails; the test checks the loss elsewhere.
    let sent = process.module.send(&mut process.host, to, Packet::new(&header, payload), 0);
    assert!(!matches!(sent, Ok(Sent::Pending)), "{sent:?}");
}

/// Changes the connector's bytes on their way to the acceptor; the first argument is the offset of
/// the first byte.
type Malice = fn(u64, &mut Vec<u8>);

/// Puts a relay on the way to process 1, and returns the bytes that it records.
fn intrude(job: &[Process], malice: Malice) -> Arc<Mutex<Vec<u8>>> {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let acceptor = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let cards = &job[0].host.cards;
    let mut card = Card::decode(&cards.borrow()[1]).unwrap();
    let goal = card.port;
    card.port = acceptor.local_addr().unwrap().port();
    cards.borrow_mut()[1] = card.encode();
    let record = Arc::clone(&heard);
    std::thread::spawn(move || {
        let (from, _) = acceptor.accept().unwrap();
        let to = TcpStream::connect((Ipv4Addr::LOCALHOST, goal)).unwrap();
        let back = (to.try_clone().unwrap(), from.try_clone().unwrap());
        std::thread::spawn(move || pass(back.0, back.1, |_| {}));
        let mut number = 0;
        pass(from, to, |bytes| {
            record.lock().unwrap().extend_from_slice(bytes);
            let before = bytes.len() as u64;
            malice(number, bytes);
            number += before;
        });
    });
    heard
}

fn pass(mut from: TcpStream, mut to: TcpStream, mut each: impl FnMut(&mut Vec<u8>)) {
    let mut room = [0; 4096];
    while let Ok(read @ 1..) = from.read(&mut room) {
        let mut bytes = room[..read].to_vec();
        each(&mut bytes);
        if to.write_all(&bytes).is_err() {
            break;
        }
    }
    let _ = to.shutdown(std::net::Shutdown::Both);
}

/// Flips a bit of byte `number`, given that `bytes` begin with byte `first`.
fn flip(number: u64, first: u64, bytes: &mut [u8]) {
    if let Some(byte) = number.checked_sub(first).and_then(|place| bytes.get_mut(place as usize)) {
        *byte ^= 1;
    }
}

#[test]
fn what_is_sent_cannot_be_read_on_the_way() {
    for encrypt in [false, true] {
        let mut job = job([encrypt; 2]);
        let heard = intrude(&job, |_, _| {});
        send(&mut job[0], 1, NEEDLE);
        until(&mut job, "it comes", |job| job[1].host.packets.len() == 1);
        assert_eq!(job[1].host.packets[0], NEEDLE);
        let heard = heard.lock().unwrap();
        assert_eq!(heard.windows(NEEDLE.len()).any(|window| window == NEEDLE), !encrypt);
    }
}

/// Changes one byte after the handshake: earlier packets arrive unchanged, no others arrive, and
/// the error names the cause.
#[test]
fn a_changed_byte_ends_the_connection() {
    let first = GREETING_BYTES as u64;
    assert_eq!(first, 137);
    // The length of the first record, its text, its tag, the next record, a much later one.
    let changes: [Malice; 7] = [
        |first, bytes| flip(137, first, bytes),
        |first, bytes| flip(138, first, bytes),
        |first, bytes| flip(139, first, bytes),
        |first, bytes| flip(168, first, bytes),
        |first, bytes| flip(193, first, bytes),
        |first, bytes| flip(238, first, bytes),
        |first, bytes| flip(5000, first, bytes),
    ];
    for malice in changes {
        let mut job = job([true; 2]);
        intrude(&job, malice);
        let mut sent: u32 = 0;
        until(&mut job, "the change is noticed", |job| {
            if sent < 200 {
                send(&mut job[0], 1, &sent.to_le_bytes());
                sent += 1;
            }
            !job[1].host.lost.is_empty()
        });
        let failure = &job[1].host.lost[0];
        assert_eq!((failure.fault, failure.process), (Fault::Lost, Some(0)));
        assert!(failure.why.contains("what came is not what was sent"), "{}", failure.why);
        for (number, packet) in job[1].host.packets.iter().enumerate() {
            assert_eq!(*packet, (number as u32).to_le_bytes());
        }
        assert!(job[1].host.packets.len() < 200);
    }
}

/// Repeated and omitted bytes end the connection, too.
#[test]
fn what_is_repeated_or_left_out_is_noticed() {
    let repeat: Malice = |first, bytes| {
        if first >= GREETING_BYTES as u64 {
            let again = bytes.clone();
            bytes.extend(again);
        }
    };
    let leave_out: Malice = |first, bytes| {
        if (GREETING_BYTES as u64..1000).contains(&first) {
            bytes.clear();
        }
    };
    for malice in [repeat, leave_out] {
        let mut job = job([true; 2]);
        intrude(&job, malice);
        let mut next = Instant::now();
        until(&mut job, "it is noticed", |job| {
            if Instant::now() >= next {
                send(&mut job[0], 1, b"one more");
                next += Duration::from_millis(5);
            }
            job.iter().any(|process| {
                process
                    .host
                    .lost
                    .iter()
                    .any(|failure| failure.why.contains("what came is not what was sent"))
            })
        });
    }
}

/// A key that was changed on the way makes no connection.
#[test]
fn a_changed_key_makes_no_connection() {
    let mut job = job([true; 2]);
    intrude(&job, |first, bytes| flip(100, first, bytes));
    send(&mut job[0], 1, NEEDLE);
    until(&mut job, "the attempt ends", |job| !job[0].host.lost.is_empty());
    assert!(job[1].host.packets.is_empty());
}

#[test]
fn who_encrypts_and_who_does_not_cannot_talk_and_both_say_why() {
    for encrypt in [[true, false], [false, true]] {
        let mut job = job(encrypt);
        send(&mut job[0], 1, NEEDLE);
        until(&mut job, "both know", |job| job.iter().all(|process| !process.host.lost.is_empty()));
        for Process { host, .. } in &job {
            assert!(
                host.lost[0]
                    .why
                    .contains("NEMESIS_ENCRYPT (mpiexec -encrypt) must be the same for all"),
                "{}",
                host.lost[0].why
            );
            assert!(host.packets.is_empty());
        }
    }
}

#[test]
fn a_process_that_is_lost_is_not_lost_again_because_it_encrypts() {
    let mut job = job([false, true]);
    send(&mut job[1], 0, NEEDLE);
    // One poll of each: hello, challenge, answer.
    for me in [1, 0, 0, 1] {
        let Process { module, host } = &mut job[me];
        module.poll_recv(host).unwrap();
    }
    let Process { module, host } = &mut job[0];
    module.forget(host, Failure::new(Fault::Lost, "the test says so").about(1));
    until(&mut job, "the other knows", |job| !job[1].host.lost.is_empty());
    assert!(job[0].host.lost.is_empty(), "{:?}", job[0].host.lost);
}
