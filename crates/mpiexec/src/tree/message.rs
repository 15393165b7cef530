//! The messages between the launchers of a job.
//!
//! A message is its length (u32, little endian) and its contents in postcard's encoding. A launcher
//! that receives something else ends its part of the job.

use crate::launch_spec::LaunchSpec;
use crate::rank_state::Entry;
use nemesis_profile::figures::Figures;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Bytes of a message at most. The longest message is that of the first barrier, with the cards of
/// all ranks of a subtree.
pub const MESSAGE_BYTES_MAX: usize = 1 << 30;

/// A message from an agent to its parent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Up {
    /// The first message: the agent's build and its host's own name.
    Hello { build: String, host: String },
    /// All ranks of the subtree are in the barrier; what they have put since the last one.
    Entered(Vec<(String, String)>),
    /// The subtree asks for the value of a key.
    Want(String),
    /// A PMI line that the root answers.
    Ask { request: u32, line: String },
    /// Output of a rank, in whole lines as a rule.
    Output { stream: Stream, rank: u32, bytes: Vec<u8> },
    /// A line of the launcher itself for standard error.
    Remark(String),
    /// The number of bytes of input that have reached their readers.
    InputTaken(u32),
    /// No rank of the subtree reads input any more.
    InputUnwanted,
    /// A rank has ended successfully without ever joining the job. This is a failure if other ranks
    /// wait for it.
    NeverJoined(Report),
    /// What ranks of the subtree are doing: answers to the state report with this number.
    StateReport(u32, Vec<Entry>),
    /// A rank of the subtree has ended, and the job goes on without it.
    Died(u32),
    /// A failure; the root decides what follows.
    Failed(Report),
    /// All ranks of the subtree have ended; the first non-zero exit code after `MPI_Finalize`.
    Over(Option<LateExit>),
    /// What a rank of the subtree has counted, for the profile.
    Profile(Box<Figures>),
    /// A signal that has reached the agent on `host`, which the root handles as one of its own.
    Signal { signal: i32, host: String },
    /// The answer to `Down::Ping`.
    Pong,
    /// What the parent has sent was changed on the way; the agent ends its ranks and itself.
    Changed,
    /// The last message: no process of the job is left on these hosts.
    Gone,
}

/// A message from a launcher to the agents that it started.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Down {
    /// The first message: the agent's part of the job.
    Start(Box<LaunchSpec>),
    /// The barrier is complete.
    Release,
    /// The answer to `Up::Want`; `None` if the key has no value.
    Value {
        key: String,
        value: Option<String>,
    },
    /// The answer to `Up::Ask`.
    Answer {
        request: u32,
        line: String,
    },
    /// Input for the ranks of the subtree.
    Input(Vec<u8>),
    InputEnd,
    /// The number of bytes of output that have been passed on; the agent may send as many again.
    OutputTaken {
        stream: Stream,
        bytes: u32,
    },
    /// A signal for all ranks.
    Signal(i32),
    /// A request for the state report with this number. Ranks have more time to answer one for
    /// which no user waits.
    RequestStateReport {
        number: u32,
        is_requested: bool,
    },
    /// A rank has ended, and the job goes on without it.
    Died(u32),
    /// End the ranks with SIGTERM, apart from one that ends by itself.
    Terminate {
        spared: Option<u32>,
    },
    /// Kill the ranks.
    Kill,
    /// A question whether the agent runs, after long silence.
    Ping,
}

/// One of the two output streams.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Stream {
    Out,
    Err,
}

/// A failure, as the launcher of its host reports it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The greater weight explains the other failures (see `exit_status`).
    pub weight: u32,
    pub code: i32,
    pub message: Option<String>,
    /// A rank that ends by itself.
    pub spared: Option<u32>,
}

/// A rank that ended with a non-zero exit code after `MPI_Finalize`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LateExit {
    pub code: i32,
    pub message: String,
}

/// Why bytes are not a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Malformed {
    TooLong(usize),
    Undecodable,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::TooLong(bytes) => write!(f, "a message of {bytes} bytes"),
            Malformed::Undecodable => f.write_str("a message that cannot be decoded"),
        }
    }
}

/// Appends a message and its length to `bytes`.
pub fn encode(message: &impl Serialize, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    bytes.extend_from_slice(&[0; 4]);
    let whole =
        postcard::to_extend(message, std::mem::take(bytes)).expect("memory takes every message");
    *bytes = whole;
    let length = (bytes.len() - start - 4) as u32;
    bytes[start..start + 4].copy_from_slice(&length.to_le_bytes());
}

/// Decodes the message at the start of `bytes` if it is complete. Returns it and the number of
/// bytes that it occupies.
pub fn decode<M: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Result<Option<(M, usize)>, Malformed> {
    let Some((length, rest)) = bytes.split_first_chunk::<4>() else { return Ok(None) };
    let length = u32::from_le_bytes(*length) as usize;
    if length > MESSAGE_BYTES_MAX {
        return Err(Malformed::TooLong(length));
    }
    let Some(contents) = rest.get(..length) else { return Ok(None) };
    match postcard::take_from_bytes(contents) {
        Ok((message, [])) => Ok(Some((message, length + 4))),
        _ => Err(Malformed::Undecodable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn messages_follow_each_other() {
        let (first, second) = (
            Up::Want("key".into()),
            Up::Output { stream: Stream::Err, rank: 3, bytes: b"x\n".to_vec() },
        );
        let mut bytes = Vec::new();
        encode(&first, &mut bytes);
        encode(&second, &mut bytes);
        for cut in 0..bytes.len() {
            assert!(
                decode::<Up>(&bytes[..cut]).unwrap().is_none_or(|(message, _)| message == first)
            );
        }
        let (message, taken) = decode::<Up>(&bytes).unwrap().unwrap();
        assert_eq!(message, first);
        assert_eq!(decode::<Up>(&bytes[taken..]).unwrap().unwrap().0, second);
    }

    #[test]
    fn what_follows_a_message_within_its_length_is_refused() {
        let mut bytes = Vec::new();
        encode(&Up::Gone, &mut bytes);
        bytes[0] += 1;
        bytes.push(0);
        assert_eq!(decode::<Up>(&bytes), Err(Malformed::Undecodable));
        assert_eq!(
            decode::<Up>(&u32::MAX.to_le_bytes()),
            Err(Malformed::TooLong(u32::MAX as usize))
        );
    }

    proptest! {
        #[test]
        fn random_bytes_never_panic(contents in proptest::collection::vec(any::<u8>(), 0..200)) {
            let bytes = [(contents.len() as u32).to_le_bytes().as_slice(), &contents].concat();
            let _ = (decode::<Up>(&bytes), decode::<Down>(&bytes));
        }

        /// A damaged message comes further in the decoder than random bytes do.
        #[test]
        fn a_damaged_message_is_refused_or_another_one(
            which in 0usize..6,
            at: usize,
            byte: u8,
            cut in 0usize..9,
            text in "[a-z]{0,20}",
            number: u32,
        ) {
            let (message, spared) = (Some(text.clone()), Some(number));
            let report = Report { weight: number, code: 1, message, spared };
            let up = [
                Up::Hello { build: text.clone(), host: text.clone() },
                Up::Entered(vec![(text.clone(), text.clone()); 3]),
                Up::Ask { request: number, line: text.clone() },
                Up::Output { stream: Stream::Out, rank: number, bytes: text.clone().into_bytes() },
                Up::Failed(report),
                Up::Want(text),
            ];
            let mut bytes = Vec::new();
            encode(&up[which], &mut bytes);
            let at = 4 + at % (bytes.len() - 4);
            bytes[at] = byte;
            bytes.truncate(bytes.len().saturating_sub(cut).max(5));
            let length = bytes.len() as u32 - 4;
            bytes[..4].copy_from_slice(&length.to_le_bytes());
            if let Ok(Some((message, taken))) = decode::<Up>(&bytes) {
                prop_assert_eq!(taken, bytes.len());
                let mut again = Vec::new();
                encode(&message, &mut again);
                prop_assert_eq!(decode::<Up>(&again), Ok(Some((message, again.len()))));
            }
            let _ = decode::<Down>(&bytes);
        }
    }
}
