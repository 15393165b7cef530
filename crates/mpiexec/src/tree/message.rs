//! What launchers of one job say to each other.
//!
//! A message is a length (u32, little endian) and its contents in postcard's form. Whoever cannot read what it is sent ends its part of the job.

use crate::job::state_report::Entry;
use crate::launch_spec::LaunchSpec;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Bytes of a message at most. The longest is the first barrier's, with the cards of all ranks of a subtree.
pub const MESSAGE_BYTES_MAX: usize = 1 << 30;

/// From an agent to whoever started it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Up {
    /// The first message: the version of the agent, and what its host calls itself.
    Hello { version: String, host: String },
    /// All ranks of the subtree are in the barrier; what they have put since the last one.
    Entered(Vec<(String, String)>),
    /// A value is wanted.
    Want(String),
    /// A line that the root answers.
    Ask { request: u32, line: String },
    /// Output of a rank: whole lines, as a rule.
    Output { stream: Stream, rank: u32, bytes: Vec<u8> },
    /// A remark of the launcher itself, for standard error.
    Remark(String),
    /// So many bytes of input have reached their readers.
    InputTaken(u32),
    /// Nobody below reads input any more.
    InputUnwanted,
    /// A rank has ended well without ever joining the job: if others wait for it, this is the failure.
    Silent(Report),
    /// What ranks of the subtree are doing, asked by question number so and so.
    Roll(u32, Vec<Entry>),
    /// Something has gone wrong; the root decides what follows.
    Failed(Report),
    /// All ranks of the subtree have ended; a bad exit code after `MPI_Finalize` among them.
    Over(Option<LateExit>),
    /// Nothing of the job is left on these hosts. The last message.
    Gone,
}

/// From a launcher to the agents that it started.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Down {
    /// The first message: what to start.
    Start(Box<LaunchSpec>),
    /// The barrier is complete.
    Release,
    Value {
        key: String,
        value: Option<String>,
    },
    Answer {
        request: u32,
        line: String,
    },
    Input(Vec<u8>),
    InputEnd,
    /// So many bytes of output have been passed on: the agent may send as many again.
    OutputTaken {
        stream: Stream,
        bytes: u32,
    },
    Signal(i32),
    /// What is everybody doing? The question's number.
    RequestStateReport(u32),
    /// End the ranks, gently at first; all but one, which is on its way out.
    Terminate {
        spared: Option<u32>,
    },
    Kill,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Stream {
    Out,
    Err,
}

/// A failure, as the launcher on whose host it happened tells it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// How much of a cause it is (see `exit_status`).
    pub weight: u32,
    pub code: i32,
    pub message: Option<String>,
    /// A rank that ends by itself.
    pub spared: Option<u32>,
}

/// A rank ended with a bad exit code after `MPI_Finalize`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LateExit {
    pub code: i32,
    pub message: String,
}

/// Why bytes are no message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Malformed {
    TooLong(usize),
    Nonsense,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::TooLong(bytes) => write!(f, "a message of {bytes} bytes"),
            Malformed::Nonsense => f.write_str("a message that makes no sense"),
        }
    }
}

/// Appends a message, with its length before it.
pub fn encode(message: &impl Serialize, bytes: &mut Vec<u8>) {
    let start = bytes.len();
    bytes.extend_from_slice(&[0; 4]);
    let whole =
        postcard::to_extend(message, std::mem::take(bytes)).expect("memory takes every message");
    *bytes = whole;
    let length = (bytes.len() - start - 4) as u32;
    bytes[start..start + 4].copy_from_slice(&length.to_le_bytes());
}

/// Takes the message at the head of `bytes` if it is whole; gives how many bytes it takes up.
pub fn decode<M: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Result<Option<(M, usize)>, Malformed> {
    let Some((length, rest)) = bytes.split_first_chunk::<4>() else { return Ok(None) };
    let length = u32::from_le_bytes(*length) as usize;
    if length > MESSAGE_BYTES_MAX {
        return Err(Malformed::TooLong(length));
    }
    let Some(contents) = rest.get(..length) else { return Ok(None) };
    match postcard::take_from_bytes(contents) {
        Ok((message, [])) => Ok(Some((message, length + 4))),
        _ => Err(Malformed::Nonsense),
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
        assert_eq!(decode::<Up>(&bytes), Err(Malformed::Nonsense));
        assert_eq!(
            decode::<Up>(&u32::MAX.to_le_bytes()),
            Err(Malformed::TooLong(u32::MAX as usize))
        );
    }

    proptest! {
        #[test]
        fn nonsense_never_panics(contents in proptest::collection::vec(any::<u8>(), 0..200)) {
            let bytes = [(contents.len() as u32).to_le_bytes().as_slice(), &contents].concat();
            let _ = (decode::<Up>(&bytes), decode::<Down>(&bytes));
        }

        /// Damage in a message that was right comes further than random bytes do.
        #[test]
        fn a_damaged_message_is_refused_or_another_one(
            which in 0usize..6, at: usize, byte: u8, cut in 0usize..9, text in "[a-z]{0,20}", number: u32,
        ) {
            let report = Report { weight: number, code: 1, message: Some(text.clone()), spared: Some(number) };
            let up = [
                Up::Hello { version: text.clone(), host: text.clone() },
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
