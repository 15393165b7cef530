//! An accepted connection that is not authenticated yet.
//!
//! Such a connection has a fixed buffer of a few dozen bytes and a time limit. If there are too
//! many, a new one replaces the oldest.

use crate::handshake::{
    ANSWER_BYTES, CIPHER_CONTEXT, HELLO_BYTES, HandshakeReply, Hello, KEY_BYTES, Nonce, Role,
    challenge, nonce,
};
use crate::socket::{self, Moved};
use crate::stream::Stream;
use nemesis_cipher::{Cipher, EXCHANGE_BYTES, KeyExchange};
use rustix::fd::OwnedFd;
use std::io::IoSlice;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Maximum number of pending connections, in addition to one for each process of the job.
pub const PENDING_MAX: usize = 64;
/// Maximum bytes of one message of the handshake: an answer with a key.
const ROOM_BYTES: usize = ANSWER_BYTES + EXCHANGE_BYTES;
/// Time limit of the handshake. It is long because a peer may compute between two polls.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Why a connection is dropped that does not begin with a hello of this version.
const OTHER_PROTOCOL: &str = "it speaks another protocol";
/// Why a connection is dropped whose hello names no known sender, or another receiver.
const OTHER_PROCESS: &str = "it looks for another process";

pub struct PendingConnection {
    pub socket: OwnedFd,
    pub from: Option<SocketAddr>,
    since: Instant,
    bytes: [u8; ROOM_BYTES],
    have: usize,
    stage: Stage,
}

/// The process that a hello names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Sender {
    /// Its index in this process's tables.
    pub peer: u32,
    /// The secret that it has to know.
    pub key: [u8; KEY_BYTES],
}

enum Stage {
    Hello,
    Answer(Hello, Sender, Nonce),
    /// The peer is authenticated; the cipher and the message to return, if the connection is
    /// encrypted.
    Judged(Option<(Box<Cipher>, [u8; EXCHANGE_BYTES])>),
}

/// Result of [`listen`](PendingConnection::listen).
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    /// The handshake is not complete.
    Waiting,
    /// The peer is the process that its hello names, and waits for the reply. `encrypt`: whether
    /// it wants encryption.
    Proved { peer: u32, encrypt: bool },
    /// The connection is to be dropped, and why.
    Stranger(&'static str),
}

impl PendingConnection {
    /// Makes a pending connection; `hello` is its first message, if the launcher has read it.
    pub fn new(
        socket: OwnedFd,
        from: Option<SocketAddr>,
        hello: Option<[u8; HELLO_BYTES]>,
    ) -> PendingConnection {
        let mut bytes = [0; ROOM_BYTES];
        bytes[..HELLO_BYTES].copy_from_slice(&hello.unwrap_or([0; HELLO_BYTES]));
        PendingConnection {
            socket,
            from,
            since: Instant::now(),
            bytes,
            have: hello.map_or(0, |hello| hello.len()),
            stage: Stage::Hello,
        }
    }

    pub fn is_late(&self, now: Instant) -> bool {
        now.duration_since(self.since) > TIMEOUT
    }

    /// Continues the handshake. Reads at most to its end, never into what follows it.
    pub fn listen(&mut self, identify: impl Fn(&Hello) -> Option<Sender>) -> Heard {
        loop {
            let wanted = match self.stage {
                Stage::Hello => HELLO_BYTES,
                Stage::Answer(Hello { encrypt: true, .. }, ..) => ROOM_BYTES,
                _ => ANSWER_BYTES,
            };
            if self.have < wanted {
                match socket::read_plain(&self.socket, &mut self.bytes[self.have..wanted]) {
                    Moved::Bytes(read) => {
                        self.have += read;
                        if matches!(self.stage, Stage::Hello)
                            && !Hello::may_begin_with(&self.bytes[..self.have])
                        {
                            return Heard::Stranger(OTHER_PROTOCOL);
                        }
                    }
                    Moved::Nothing => return Heard::Waiting,
                    Moved::End | Moved::Failed(_) => {
                        return Heard::Stranger("it went away before it had proved itself");
                    }
                }
                continue;
            }
            self.have = 0;
            match self.stage {
                Stage::Hello => {
                    if let Err(why) = self.challenge(&identify) {
                        return Heard::Stranger(why);
                    }
                }
                Stage::Answer(hello, sender, nonce) => {
                    // Another process may have got the sender's index since its hello.
                    if identify(&hello) != Some(sender) {
                        return Heard::Stranger(OTHER_PROCESS);
                    }
                    return self.hear_answer(&hello, &sender, &nonce);
                }
                Stage::Judged(_) => return Heard::Stranger("it says more than it is asked"),
            }
        }
    }

    fn hear_answer(&mut self, hello: &Hello, sender: &Sender, nonce: &Nonce) -> Heard {
        let key = &sender.key;
        let (proof, exchange) = self.bytes.split_at(ANSWER_BYTES);
        if !hello.is_proved(key, Role::Connector, nonce, proof.try_into().expect("its length")) {
            return Heard::Stranger("it does not know the job key");
        }
        let mut secret = None;
        if hello.encrypt {
            secret = KeyExchange::answer(
                CIPHER_CONTEXT,
                key,
                &hello.prologue(nonce),
                exchange.try_into().expect("its length"),
            );
            if secret.is_none() {
                return Heard::Stranger("its key was changed on the way");
            }
        }
        self.stage = Stage::Judged(secret);
        Heard::Proved { peer: sender.peer, encrypt: hello.encrypt }
    }

    fn challenge(
        &mut self,
        identify: impl Fn(&Hello) -> Option<Sender>,
    ) -> Result<(), &'static str> {
        let hello = self.bytes.first_chunk().and_then(Hello::decode).ok_or(OTHER_PROTOCOL)?;
        let sender = identify(&hello).ok_or(OTHER_PROCESS)?;
        let nonce = nonce().map_err(|_| "the kernel has no random numbers for us")?;
        let answer = challenge(&nonce, &hello.proof(&sender.key, Role::Acceptor, &nonce));
        // A new connection always has space for a message of this size; otherwise something is
        // wrong with it.
        if socket::write_plain(&self.socket, &[IoSlice::new(&answer)]) != Moved::Bytes(answer.len())
        {
            return Err("it takes no answer");
        }
        self.stage = Stage::Answer(hello, sender, nonce);
        Ok(())
    }

    /// Sends the reply. Returns the authenticated stream if the reply is a welcome.
    pub fn judge(self, reply: HandshakeReply) -> Option<Stream> {
        let (cipher, answer) = match self.stage {
            Stage::Judged(Some((cipher, answer))) if reply == HandshakeReply::Welcome => {
                (Some(cipher), answer.to_vec())
            }
            _ => (None, Vec::new()),
        };
        let said = socket::write_plain(
            &self.socket,
            &[IoSlice::new(&[reply as u8]), IoSlice::new(&answer)],
        );
        (said == Moved::Bytes(1 + answer.len()) && reply == HandshakeReply::Welcome)
            .then(|| Stream::new(self.socket, cipher))
    }
}
