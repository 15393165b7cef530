//! The agreements of this process, their messages, and agreement segments (`recovery` carries them
//! out).

use crate::agreement::{Agreement, Message, Set, Value};
use crate::group::Group;
use crate::handle;
use crate::packet::kind;
use nemesis::Block;
use nemesis::agreement_segment::MappedAgreementSegment;
use nemesis::wire::{Header, word};
use nemesis_datatype::Buffer;
use nemesis_sync::{AtomicBool, Ordering};
use std::collections::{BTreeMap, VecDeque};
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

/// A communicator as its agreements name it: the context, and the number made of its members.
pub type Key = (u64, u64);

/// A communicator that this process has freed, and on which its members have agreed by messages.
/// The decision is kept until all living members are known to have it (`recovery`).
pub struct Freed {
    pub key: Key,
    /// The agreement after which the others have been asked.
    pub number: i32,
    /// The processes that may lack the decision.
    pub awaited: Vec<u32>,
}

/// The membership in the agreement segment of a communicator, which ends with the last reference.
#[derive(Debug)]
pub struct Membership {
    pub segment: MappedAgreementSegment,
    /// Whether all living members are known to have joined, so that the next agreement and all
    /// later ones use the segment.
    all_joined: AtomicBool,
}

impl Membership {
    pub fn new(segment: MappedAgreementSegment) -> Membership {
        Membership { segment, all_joined: AtomicBool::new(false) }
    }

    #[inline]
    pub fn all_have_joined(&self) -> bool {
        // Relaxed: the engine's lock orders it.
        self.all_joined.load(Ordering::Relaxed)
    }

    pub fn note_all_joined(&self) {
        // Relaxed: as above.
        self.all_joined.store(true, Ordering::Relaxed);
    }
}

impl Drop for Membership {
    fn drop(&mut self) {
        self.segment.leave();
    }
}

/// The memory of an agreement segment at the member that allocated it.
pub struct OwnSegment {
    pub segment: MappedAgreementSegment,
    pub block: Block,
    pub members: Arc<[u32]>,
}

/// The bit of a flag that tells that a member has joined the agreement segment. Flags of programs
/// have 32 bits.
pub const JOINED: u64 = 1 << 32;

/// Words of a contribution in an agreement segment, among `members` members: flag, drawn number and
/// two sets.
pub fn contribution_words(members: usize) -> usize {
    2 + 2 * members.div_ceil(64)
}

/// Returns a contribution as words of an agreement segment.
pub fn contribution(value: &Value) -> impl Iterator<Item = u64> {
    let sets = value.failed.words().iter().chain(value.acked.words());
    [value.flag, value.drawn].into_iter().chain(sets.copied())
}

/// Returns the flag on which the members agree, all of whom have spoken, if none of them has
/// failed.
pub fn quiet_flag(segment: &MappedAgreementSegment, number: u64) -> Option<u64> {
    let sets = contribution_words(segment.members() as usize) / 2 - 1;
    let mut flags = !0;
    for member in 0..segment.members() {
        let mut words = segment.words(member, number)?;
        flags &= words.next()?;
        if words.skip(1).take(sets).any(|word| word != 0) {
            return None;
        }
    }
    Some(flags)
}

/// Returns what the members decide, all of whom have spoken. The first one has drawn the number.
pub fn decision_on(segment: &MappedAgreementSegment, number: u64) -> Value {
    let size = segment.members() as usize;
    let (mut decided, mut missing) = (None::<Value>, Set::none(size));
    for member in 0..size {
        let words = segment.words(member as u32, number);
        let Some(words) = words.map(Iterator::collect::<Vec<u64>>) else {
            missing.add(member);
            continue;
        };
        let (sets, [flag, drawn]) = (&words[2..], [words[0], words[1]]);
        let [failed, acked] =
            [&sets[..sets.len() / 2], &sets[sets.len() / 2..]].map(Set::from_words);
        let value = Value { flag, failed, acked, drawn };
        match &mut decided {
            Some(decided) => decided.combine(&value),
            None => decided = Some(value),
        }
    }
    let nobody = || Value { flag: !0, failed: Set::none(size), acked: Set::none(size), drawn: 0 };
    let mut value = decided.unwrap_or_else(nobody);
    (0..size).filter(|&member| missing.has(member)).for_each(|member| value.failed.add(member));
    value
}

/// Returns the number of an agreement as agreement segments have it.
pub fn segment_number(number: i32) -> u64 {
    u64::from(number.cast_unsigned())
}

impl Name {
    /// Returns what the agreements of one communicator have in common.
    pub fn key(self) -> Key {
        (self.context, self.members)
    }

    /// Returns whether both are agreements of one communicator.
    pub fn is_of_same(self, other: Name) -> bool {
        self.key() == other.key()
    }
}

/// How an agreement is carried out.
pub enum Course {
    /// Not yet: an earlier agreement of the communicator has no decision.
    Waits,
    Messages(Box<Agreement>),
    /// In the agreement segment. This many members, the first ones, have spoken.
    Segment {
        heard: u32,
    },
}

/// An agreement that has begun or waits for the one before.
pub struct Running {
    pub name: Name,
    pub members: Arc<[u32]>,
    pub me: usize,
    pub course: Course,
    pub membership: Option<Arc<Membership>>,
    pub own: Value,
    pub purpose: Purpose,
    pub comm: handle::Comm,
    pub request: handle::Request,
}

/// Counts in `heard` how many of `members`, the first ones, have spoken in an agreement, and
/// returns whether all have. `is_dead` tells which processes have died.
#[inline]
pub fn hear(
    (segment, number): (&MappedAgreementSegment, u64),
    members: &[u32],
    heard: &mut u32,
    is_dead: impl Fn(u32) -> bool,
) -> bool {
    while let Some(&process) = members.get(*heard as usize)
        && segment.has_spoken(*heard, number, || is_dead(process))
    {
        *heard += 1;
    }
    *heard as usize == members.len()
}

impl Running {
    /// Returns the decision, if there is one.
    pub fn decision(&self) -> Option<Value> {
        match (&self.course, &self.membership) {
            (Course::Messages(agreement), _) => agreement.decision().cloned(),
            (Course::Segment { heard }, Some(membership))
                if *heard == membership.segment.members() =>
            {
                Some(decision_on(&membership.segment, segment_number(self.name.number)))
            }
            _ => None,
        }
    }

    /// Looks for members that have spoken since in the agreement segment. `is_dead` tells which
    /// processes have died.
    pub fn hear(&mut self, is_dead: impl Fn(u32) -> bool) {
        let (Course::Segment { heard }, Some(membership)) = (&mut self.course, &self.membership)
        else {
            return;
        };
        hear(
            (&membership.segment, segment_number(self.name.number)),
            &self.members,
            heard,
            is_dead,
        );
    }

    /// Returns whether the next member has spoken since.
    pub fn has_news(&self) -> bool {
        let (Course::Segment { heard }, Some(membership)) = (&self.course, &self.membership) else {
            return false;
        };
        let number = segment_number(self.name.number);
        *heard >= membership.segment.members()
            || membership.segment.has_spoken(*heard, number, || false)
    }
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
    /// The number and the decision of the last agreement by messages on each communicator.
    pub decided: BTreeMap<Key, (i32, Value)>,
    /// The freed communicators whose decisions are kept, the first one first.
    pub kept: VecDeque<Freed>,
    /// How many have been freed since the others were asked.
    pub unasked: usize,
    /// Contexts of communicators that were revoked before this process had them.
    pub revoked: Vec<u64>,
    /// Contexts of communicators that this process has freed of late.
    pub freed: VecDeque<u64>,
    /// The agreement segments that this process has allocated, until all members have left them.
    pub segments: Vec<OwnSegment>,
}

impl Agreements {
    pub const fn new() -> Agreements {
        Agreements {
            inbox: Vec::new(),
            early: Vec::new(),
            running: Vec::new(),
            decided: BTreeMap::new(),
            kept: VecDeque::new(),
            unasked: 0,
            revoked: Vec::new(),
            freed: VecDeque::new(),
            segments: Vec::new(),
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
/// Names of agreements: which of them have their decision at the receiver, and those that have.
pub const QUESTION: u8 = 5;
pub const ENDED: u8 = 6;

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

/// Writes names of agreements: a question about them, or the answer.
pub fn encode_names(flags: u8, names: &[Name]) -> (Header, Box<[u8]>) {
    let words = |name: &Name| [name.context, name.members, segment_number(name.number)];
    let words = names.iter().flat_map(words);
    let header = Header { kind: kind::AGREE, flags, ..Header::default() };
    (header, words.flat_map(u64::to_le_bytes).collect())
}

/// Reads names of agreements.
pub fn decode_names(payload: &[u8]) -> impl Iterator<Item = Name> {
    let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    payload.as_chunks::<8>().0.as_chunks::<3>().0.iter().map(move |[context, members, number]| {
        Name { context: word(context), members: word(members), number: word(number) as i32 }
    })
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
    fn names_come_back_from_their_packets() {
        let name = |number| Name { context: 5 << 40, members: u64::MAX, number };
        let names = [name(1), name(i32::MAX), name(-3)];
        let (_, payload) = encode_names(QUESTION, &names);
        assert!(decode_names(&payload).eq(names));
        assert!(decode_names(&payload[..payload.len() - 1]).eq(names[..2].iter().copied()));
        assert_eq!(decode_names(&[]).count(), 0);
    }

    #[test]
    fn lists_of_processes_have_different_numbers() {
        let lists: [&[u32]; 5] = [&[0, 1], &[1, 0], &[0], &[0, 1, 2], &[]];
        for (place, first) in lists.iter().enumerate() {
            assert!(lists[..place].iter().all(|other| number_of(other) != number_of(first)));
        }
    }
}
