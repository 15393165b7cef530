//! A connection that somebody made to us and that has not proved itself yet.
//!
//! Of a guest nothing is believed: it has a few dozen bytes of room, of fixed length, and its time; guests in excess push out the oldest.

use crate::handshake::{ANSWER_BYTES, HELLO_BYTES, Hello, KEY_BYTES, Nonce, Role, Verdict, challenge, nonce};
use crate::socket::{self, Moved};
use rustix::fd::OwnedFd;
use std::io::IoSlice;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Guests at a time, besides one for each process of the job.
pub const GUESTS: usize = 64;
/// A guest's time. Long, because an honest one may be computing between two of its polls.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Guest {
    pub socket: OwnedFd,
    pub from: Option<SocketAddr>,
    since: Instant,
    bytes: [u8; HELLO_BYTES],
    have: usize,
    stage: Stage,
}

enum Stage {
    Hello,
    Answer(Hello, Nonce),
}

/// What a guest has come to.
#[derive(Debug, PartialEq, Eq)]
pub enum Heard {
    /// It has more to say.
    Waiting,
    /// It is the process that its hello names, and waits for our verdict.
    Proved(u32),
    /// It is to be sent away.
    Stranger(&'static str),
}

impl Guest {
    pub fn new(socket: OwnedFd, from: Option<SocketAddr>) -> Guest {
        Guest { socket, from, since: Instant::now(), bytes: [0; HELLO_BYTES], have: 0, stage: Stage::Hello }
    }

    pub fn is_late(&self, now: Instant) -> bool {
        now.duration_since(self.since) > PATIENCE
    }

    /// Listens on: at most to the end of the handshake, never into what follows it.
    pub fn listen(&mut self, me: u32, processes: u32, key: &[u8; KEY_BYTES]) -> Heard {
        loop {
            let wanted = if matches!(self.stage, Stage::Hello) { HELLO_BYTES } else { ANSWER_BYTES };
            match socket::read(&self.socket, &mut self.bytes[self.have..wanted]) {
                Moved::Bytes(read) => self.have += read,
                Moved::Nothing => return Heard::Waiting,
                Moved::End | Moved::Failed(_) => return Heard::Stranger("it went away before it had proved itself"),
            }
            if self.have < wanted {
                continue;
            }
            self.have = 0;
            match self.stage {
                Stage::Hello => {
                    if let Err(why) = self.challenge(me, processes, key) {
                        return Heard::Stranger(why);
                    }
                }
                Stage::Answer(hello, nonce) => {
                    let proof = self.bytes[..ANSWER_BYTES].try_into().expect("its length");
                    let proved = hello.is_proved(key, Role::Dialler, &nonce, &proof);
                    return if proved { Heard::Proved(hello.from) } else { Heard::Stranger("it does not know the job key") };
                }
            }
        }
    }

    fn challenge(&mut self, me: u32, processes: u32, key: &[u8; KEY_BYTES]) -> Result<(), &'static str> {
        let hello = Hello::decode(&self.bytes).ok_or("it speaks another protocol")?;
        if hello.to != me || hello.from == me || hello.from >= processes {
            return Err("it looks for another process");
        }
        let nonce = nonce().map_err(|_| "the kernel has no random numbers for us")?;
        let answer = challenge(&nonce, &hello.proof(key, Role::Listener, &nonce));
        // A new connection has room for so little, or something is wrong with it.
        if socket::write(&self.socket, &[IoSlice::new(&answer)]) != Moved::Bytes(answer.len()) {
            return Err("it takes no answer");
        }
        self.stage = Stage::Answer(hello, nonce);
        Ok(())
    }

    /// Says the last word; the connection itself when that is a welcome.
    pub fn judge(self, verdict: Verdict) -> Option<OwnedFd> {
        let said = socket::write(&self.socket, &[IoSlice::new(&[verdict as u8])]) == Moved::Bytes(1);
        (said && verdict == Verdict::Welcome).then_some(self.socket)
    }
}
