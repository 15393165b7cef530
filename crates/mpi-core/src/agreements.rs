//! The agreements of this process, and their messages (`recovery` carries them out).

use crate::agreement::{Agreement, Message, Set, Value};
use crate::group::Group;
use crate::handle;
use crate::packet::kind;
use nemesis::wire::{Header, word};
use nemesis_datatype::Buffer;
use std::sync::Arc;

/// What an agreement is for.
pub enum Purpose {
    /// `MPIX_Comm_agree`: the place of the flag.
    Agree(Buffer),
    /// What one member says: the place of its flag, 0 if it has failed.
    Hear { place: Buffer, by: u32 },
    /// `MPIX_Comm_shrink`: the pending communicator, and the groups of the one that is shrunk.
    Shrink { new: handle::Comm, group: Group, remote: Option<Group>, leads: bool },
    /// All living members are here: at the end of MPI, or of a window.
    Meet,
}

/// The name of an agreement: the communicator's context, a number made of its members, and the
/// number of the agreement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Name {
    pub context: u64,
    pub members: u64,
    pub number: i32,
}

/// An agreement that has begun or waits for the one before.
pub struct Running {
    pub name: Name,
    pub members: Arc<[u32]>,
    pub me: usize,
    /// `None` while an earlier agreement of the communicator has no decision.
    pub agreement: Option<Agreement>,
    pub own: Value,
    pub purpose: Purpose,
    pub comm: handle::Comm,
    pub request: handle::Request,
}

/// A packet that has arrived.
pub struct Arrived {
    pub from: u32,
    pub header: Header,
    pub payload: Box<[u8]>,
}

/// The agreements of this process, and packets of revocations and agreements.
pub struct Agreements {
    pub inbox: Vec<Arrived>,
    /// Packets of agreements that this process has not begun.
    pub early: Vec<Arrived>,
    pub running: Vec<Running>,
    /// The last decision for each communicator, with its members.
    pub decided: Vec<(Name, Value)>,
    /// Contexts of communicators that were revoked before this process had them.
    pub revoked: Vec<u64>,
}

impl Agreements {
    pub const fn new() -> Agreements {
        Agreements {
            inbox: Vec::new(),
            early: Vec::new(),
            running: Vec::new(),
            decided: Vec::new(),
            revoked: Vec::new(),
        }
    }

    /// Keeps a packet until the engine handles it.
    #[cold]
    pub fn keep(&mut self, from: u32, header: Header, payload: &[u8]) {
        self.inbox.push(Arrived { from, header, payload: payload.into() });
    }
}

/// Returns a number of a list of processes.
pub fn number_of(members: &[u32]) -> u64 {
    members.iter().fold(members.len() as u64, |number, &member| {
        (number.rotate_left(23) ^ u64::from(member)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    })
}

/// Kinds of an agreement's messages, in the header's flags.
pub const CONTRIBUTE: u8 = 0;
pub const UP: u8 = 1;
pub const ASK: u8 = 2;
pub const DECIDE: u8 = 3;
pub const DOWN: u8 = 4;

/// Words of a message before its sets.
pub const WORDS: usize = 3;

/// Writes a message: its header, and the words of its payload.
pub fn encode(name: Name, message: &Message) -> (Header, Box<[u8]>) {
    let nothing = Set::default();
    let (flags, ballot, of, value) = match message {
        Message::Contribute { ballot, up, of, value } => {
            (if *up { UP } else { CONTRIBUTE }, *ballot, of, Some(value))
        }
        Message::Ask { ballot } => (ASK, *ballot, &nothing, None),
        Message::Decide { ballot, down, value } => {
            (if *down { DOWN } else { DECIDE }, *ballot, &nothing, Some(value))
        }
    };
    let mut words = vec![name.members];
    if let Some(value) = value {
        words.extend([value.flag, value.drawn]);
        words.extend_from_slice(value.failed.words());
        words.extend_from_slice(value.acked.words());
        words.extend_from_slice(of.words());
    }
    let header = Header {
        kind: kind::AGREE,
        flags,
        context: name.context,
        tag: name.number,
        rank: ballot as u32,
        ..Header::default()
    };
    (header, words.iter().flat_map(|word| word.to_le_bytes()).collect())
}

/// Reads a message among `members` members; `None` if it is malformed.
pub fn decode(header: &Header, payload: &[u8], members: usize) -> Option<Message> {
    let (words, rest) = payload.as_chunks::<8>();
    let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let length = members.div_ceil(64);
    let ballot = header.rank as usize;
    if !rest.is_empty() || ballot >= members {
        return None;
    }
    let set = |index: usize| {
        let begin = WORDS + index * length;
        words.get(begin..begin + length).map(Set::from_words)
    };
    let value = || {
        let (flag, drawn) = (*words.get(1)?, *words.get(2)?);
        Some(Value { flag, failed: set(0)?, acked: set(1)?, drawn })
    };
    match header.flags {
        CONTRIBUTE | UP => Some(Message::Contribute {
            ballot,
            up: header.flags == UP,
            of: set(2)?,
            value: value()?,
        }),
        ASK => Some(Message::Ask { ballot }),
        DECIDE | DOWN => {
            Some(Message::Decide { ballot, down: header.flags == DOWN, value: value()? })
        }
        _ => None,
    }
}

/// Returns the name of the agreement to which a packet belongs.
pub fn name_in(arrived: &Arrived) -> Option<Name> {
    let Header { context, tag, .. } = arrived.header;
    Some(Name { context, members: word(&arrived.payload, 0)?, number: tag })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_back_from_their_packets() {
        let name = Name { context: 5 << 40, members: 77, number: 3 };
        for members in [1, 64, 65, 200] {
            let mut failed = Set::none(members);
            failed.add(members - 1);
            let value = Value { flag: !9, failed, acked: Set::all(members), drawn: 1 << 50 };
            let of = Set::all(members);
            let all = [
                Message::Contribute { ballot: 0, up: true, of: of.clone(), value: value.clone() },
                Message::Contribute { ballot: 0, up: false, of, value: value.clone() },
                Message::Ask { ballot: members - 1 },
                Message::Decide { ballot: 0, down: true, value: value.clone() },
                Message::Decide { ballot: 0, down: false, value },
            ];
            for message in all {
                let (header, payload) = encode(name, &message);
                let read = decode(&header, &payload, members);
                assert_eq!(read, Some(message.clone()));
                let arrived = Arrived { from: 0, header, payload: payload.clone() };
                assert_eq!(name_in(&arrived), Some(name));
                if !matches!(message, Message::Ask { .. }) {
                    assert_eq!(decode(&header, &payload[..payload.len() - 8], 1 << 20), None);
                }
                let wrong = Header { rank: members as u32, ..header };
                assert_eq!(decode(&wrong, &payload, members), None);
            }
        }
    }

    #[test]
    fn lists_of_processes_have_different_numbers() {
        let lists: [&[u32]; 5] = [&[0, 1], &[1, 0], &[0], &[0, 1, 2], &[]];
        for (place, first) in lists.iter().enumerate() {
            assert!(lists[..place].iter().all(|other| number_of(other) != number_of(first)));
        }
    }
}
