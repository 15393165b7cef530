//! What a slot holds, read from its words.

use crate::CALLS;
use crate::call::Call;
use crate::layout::{
    CALL_WORDS, CLASSES, EVENT_WORDS, Layout, PEER_WORDS, STATE_FINAL, STATE_RUNNING,
    TRANSPORTS_MAX, head,
};
use serde::{Deserialize, Serialize};

/// The figures of one rank.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Figures {
    /// The rank in the job.
    pub rank: u32,
    /// The host.
    pub host: String,
    /// The process's number in the system.
    pub pid: u32,
    /// Whether the process has finalized MPI.
    pub finalized: bool,
    /// Nanoseconds since the first call of MPI, until the end of MPI or the last call that
    /// returned.
    pub ns: u64,
    /// The call in which the process is, or was when it died.
    pub present: Option<Present>,
    /// Calls with their classes of sizes; only those that occurred.
    pub calls: Vec<CallFigures>,
    /// Messages to others; only to those to which there were any.
    pub peers: Vec<PeerFigures>,
    /// Bytes that unexpected messages took at the last look.
    pub unexpected: u64,
    /// The most bytes that unexpected messages took at any look.
    pub unexpected_max: u64,
    /// Recorded events, if a trace was asked for.
    pub events: Vec<Event>,
    /// Events that found no space.
    pub dropped: u64,
    /// When the process called MPI first, in nanoseconds of its host's monotonic clock.
    pub began: u64,
}

/// The call in which a process is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Present {
    /// The place in `CALLS`.
    pub call: u32,
    /// When it began, in nanoseconds of the host's monotonic clock.
    pub began: u64,
    /// The rank with which it communicates, if it is one.
    pub peer: Option<u32>,
}

/// Calls of one function with data of one class of sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CallFigures {
    /// The place in `CALLS`.
    pub call: u32,
    /// The class of sizes.
    pub class: u32,
    /// The number of calls.
    pub calls: u64,
    /// Nanoseconds in these calls.
    pub ns: u64,
    /// Bytes that these calls sent or contributed.
    pub bytes: u64,
}

/// Messages and one-sided accesses to one rank.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PeerFigures {
    /// The rank; the number of ranks stands for processes of other jobs.
    pub peer: u32,
    /// Messages and accesses.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// The name of what carries them.
    pub transport: String,
}

/// A call with its times.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Event {
    /// Nanoseconds from the first call of MPI to the begin.
    pub begin: u64,
    /// Nanoseconds in the call.
    pub ns: u64,
    /// The place in `CALLS`.
    pub call: u32,
    /// The rank with which it communicated, if it was one.
    pub peer: Option<u32>,
    /// Bytes that it sent or contributed.
    pub bytes: u64,
}

impl CallFigures {
    /// Returns what is known of the function.
    pub fn of(&self) -> &'static Call {
        &CALLS[self.call as usize]
    }
}

impl Figures {
    /// Reads a slot. Returns `None` if no process has taken it. Another process wrote the words, so
    /// any value is accepted, and numbers of calls and transports that do not exist are left out.
    pub fn read(layout: &Layout, words: &[u64], host: &str) -> Option<Figures> {
        let word = |place: usize| words.get(place).copied().unwrap_or(0);
        let rank = word(head::RANK).checked_sub(1)?;
        let began = word(head::BEGAN);
        let finalized = word(head::STATE) == STATE_FINAL;
        let end = if finalized { word(head::ENDED) } else { word(head::SEEN) };
        let call_number =
            |number: u64| number.checked_sub(1).filter(|&call| call < CALLS.len() as u64);
        let present = call_number(word(head::CALL))
            .filter(|_| word(head::STATE) == STATE_RUNNING)
            .map(|call| Present {
                call: call as u32,
                began: word(head::CALL_BEGAN),
                peer: word(head::PEER).checked_sub(1).map(|peer| peer as u32),
            });
        Some(Figures {
            rank: rank as u32,
            host: host.to_owned(),
            pid: word(head::PID) as u32,
            finalized,
            ns: end.saturating_sub(began),
            present,
            calls: calls(words),
            peers: peers(layout, words),
            unexpected: word(head::UNEXPECTED),
            unexpected_max: word(head::UNEXPECTED_MAX),
            events: events(layout, words, began),
            dropped: word(head::DROPPED),
            began,
        })
    }

    /// Returns the nanoseconds in MPI.
    pub fn mpi_ns(&self) -> u64 {
        self.calls.iter().map(|figures| figures.ns).sum()
    }

    /// Returns the nanoseconds in calls that wait for other processes.
    pub fn waiting_ns(&self) -> u64 {
        self.calls.iter().filter(|figures| figures.of().waits).map(|figures| figures.ns).sum()
    }

    /// Returns the number of messages and accesses to others, and their bytes.
    pub fn sent(&self) -> (u64, u64) {
        self.peers.iter().fold((0, 0), |sum, peer| (sum.0 + peer.messages, sum.1 + peer.bytes))
    }
}

fn calls(words: &[u64]) -> Vec<CallFigures> {
    let mut found = Vec::new();
    for call in 0..CALLS.len() {
        for class in 0..CLASSES {
            let place = Layout::call(call, class);
            let sums = words.get(place..place + CALL_WORDS);
            if let Some(&[calls @ (1..), ns, bytes]) = sums {
                found.push(CallFigures {
                    call: call as u32,
                    class: class as u32,
                    calls,
                    ns,
                    bytes,
                });
            }
        }
    }
    found
}

fn peers(layout: &Layout, words: &[u64]) -> Vec<PeerFigures> {
    let name = |number: u64| {
        let place = number.checked_sub(1).filter(|&place| place < TRANSPORTS_MAX as u64)?;
        let bytes = words.get(head::TRANSPORTS + place as usize)?.to_le_bytes();
        let printable = |byte: &u8| byte.is_ascii_graphic().then_some(char::from(*byte));
        Some(bytes.iter().map_while(printable).collect::<String>())
    };
    let mut found = Vec::new();
    for peer in 0..=layout.ranks {
        let place = layout.peer(peer);
        if let Some(&[messages @ (1..), bytes, transport]) = words.get(place..place + PEER_WORDS) {
            let transport = name(transport).unwrap_or_else(|| "unknown".into());
            found.push(PeerFigures { peer: peer as u32, messages, bytes, transport });
        }
    }
    found
}

fn events(layout: &Layout, words: &[u64], start: u64) -> Vec<Event> {
    let recorded = words.get(head::EVENTS).copied().unwrap_or(0).min(layout.events as u64);
    let mut found = Vec::new();
    for event in 0..recorded as usize {
        let place = layout.event(event);
        let Some(&[begin, end, what, bytes]) = words.get(place..place + EVENT_WORDS) else { break };
        let call = what as u32;
        if (call as usize) < CALLS.len() && end >= begin {
            let peer = ((what >> 32) as u32).checked_sub(1);
            found.push(Event {
                begin: begin.saturating_sub(start),
                ns: end - begin,
                call,
                peer,
                bytes,
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_slot_is_read() {
        let layout = Layout { ranks: 2, slots: 1, events: 1 };
        let mut words = vec![0; layout.slot_words()];
        assert_eq!(Figures::read(&layout, &words, "h"), None);
        (words[head::RANK], words[head::STATE], words[head::BEGAN]) = (2, STATE_RUNNING, 100);
        (words[head::SEEN], words[head::CALL], words[head::PEER]) = (150, 1, 1);
        words[head::TRANSPORTS] = u64::from_le_bytes(*b"shm\0\0\0\0\0");
        words[Layout::call(3, 2)..][..3].copy_from_slice(&[7, 20, 56]);
        words[layout.peer(0)..][..3].copy_from_slice(&[7, 56, 1]);
        words[head::EVENTS] = 9;
        words[layout.event(0)..][..4].copy_from_slice(&[110, 130, 3 | 1 << 32, 8]);
        let figures = Figures::read(&layout, &words, "h").unwrap();
        assert_eq!(
            (figures.rank, figures.ns, figures.mpi_ns(), figures.sent()),
            (1, 50, 20, (7, 56))
        );
        assert_eq!(figures.present, Some(Present { call: 0, began: 0, peer: Some(0) }));
        assert_eq!(figures.peers[0].transport, "shm");
        let event = Event { begin: 10, ns: 20, call: 3, peer: Some(0), bytes: 8 };
        assert_eq!(figures.events, [event]);
    }

    proptest! {
        #[test]
        fn any_words_are_read(words in prop::collection::vec(any::<u64>(), 0..200)) {
            let layout = Layout { ranks: 3, slots: 1, events: 4 };
            if let Some(figures) = Figures::read(&layout, &words, "h") {
                let known = |figures: &CallFigures| (figures.call as usize) < CALLS.len();
                prop_assert!(figures.calls.iter().all(known));
            }
        }
    }
}
