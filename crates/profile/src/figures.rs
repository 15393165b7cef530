//! What a slot holds, read from its words.

use crate::CALLS;
use crate::call::Call;
use crate::layout::{
    CALL_WORDS, CLASSES, EVENT_WORDS, FILE_WORDS, Layout, PEER_WORDS, SITE_WORDS, SITES,
    STATE_FINAL, STATE_RUNNING, TRANSPORTS_MAX, call_of, head, place_of,
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
    /// Nanoseconds of processors that it has used since, up to the last look.
    pub cpu_ns: u64,
    /// Nanoseconds for which its first thread has waited for a processor since.
    pub queue_ns: u64,
    /// Nanoseconds in sends and receives that name one process, by this process; the number of
    /// ranks stands for processes of other jobs.
    pub named: Vec<(u32, u64)>,
    /// The places in the program that have called MPI.
    pub sites: Vec<SiteFigures>,
    /// Calls from places for which there was no space.
    pub unplaced: u64,
}

/// Calls of one function from one place of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SiteFigures {
    /// The place in `CALLS`.
    pub call: u32,
    /// The path of the program or library.
    pub file: String,
    /// Distance of the call from the start of the file's memory.
    pub offset: u64,
    /// Whether the file is the program itself.
    pub is_program: bool,
    /// The number of calls.
    pub calls: u64,
    /// Nanoseconds in these calls.
    pub ns: u64,
    /// Bytes that these calls sent or contributed.
    pub bytes: u64,
    /// Whether the process is in the call of this place, or was when it died.
    pub is_present: bool,
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
        let mut figures = Figures {
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
            cpu_ns: word(head::CPU).saturating_sub(word(head::CPU_BEGAN)),
            queue_ns: word(head::QUEUE).saturating_sub(word(head::QUEUE_BEGAN)),
            named: named(layout, words),
            sites: sites(layout, words),
            unplaced: word(head::UNPLACED),
        };
        let end = word(head::ENDED);
        if !finalized && end > 0 {
            figures.end_at(end);
        }
        figures.sites.retain(|site| site.calls > 0);
        Some(figures)
    }

    /// Counts the call in which the process was when it ended, at `end` of its host's monotonic
    /// clock: the wait of a job that never goes on is its last call.
    fn end_at(&mut self, end: u64) {
        let Some(present) = self.present.filter(|present| end > present.began) else { return };
        let ns = end - present.began;
        let no_data = |sum: &&mut CallFigures| (sum.call, sum.class) == (present.call, 0);
        match self.calls.iter_mut().find(no_data) {
            Some(sum) => (sum.calls, sum.ns) = (sum.calls + 1, sum.ns + ns),
            None => {
                let call = present.call;
                self.calls.push(CallFigures { call, class: 0, calls: 1, ns, bytes: 0 });
            }
        }
        if let Some(site) = self.sites.iter_mut().find(|site| site.is_present) {
            (site.calls, site.ns) = (site.calls + 1, site.ns + ns);
        }
        self.ns = self.ns.max(end.saturating_sub(self.began));
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

fn named(layout: &Layout, words: &[u64]) -> Vec<(u32, u64)> {
    let of = |peer| words.get(layout.named(peer)).map(|&ns| (peer as u32, ns));
    (0..=layout.ranks).filter_map(of).filter(|(_, ns)| *ns > 0).collect()
}

fn sites(layout: &Layout, words: &[u64]) -> Vec<SiteFigures> {
    let path = |file: usize| {
        let begin = layout.file(file);
        let bytes =
            words.get(begin..begin + FILE_WORDS)?.iter().flat_map(|word| word.to_le_bytes());
        let bytes: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    let is_inside = words.get(head::CALL).is_some_and(|&call| call > 0);
    let present = words.get(head::SITE).copied().filter(|_| is_inside);
    let of = |site| {
        let begin = layout.site(site);
        let Some(&[key @ (1..), place, calls, ns, bytes]) = words.get(begin..begin + SITE_WORDS)
        else {
            return None;
        };
        let call = call_of(key)? as u32;
        let (file, offset, is_program) = place_of(place)?;
        let (file, is_present) = (path(file)?, present == Some(begin as u64));
        Some(SiteFigures { call, file, offset, is_program, calls, ns, bytes, is_present })
    };
    (0..SITES).filter_map(of).collect()
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
    use crate::layout::{site_key, site_place};
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

    #[test]
    fn call_sites_are_read() {
        let layout = Layout { ranks: 2, slots: 1, events: 0 };
        let mut words = vec![0; layout.slot_words()];
        (words[head::RANK], words[head::CPU_BEGAN], words[head::CPU]) = (1, 5, 12);
        let path = u64::from_le_bytes(*b"/a/prog\0");
        words[layout.file(1)] = path;
        words[layout.named(1)] = 30;
        let site = [site_key(3, 0x40_1234), site_place(1, 0x1234, true), 7, 20, 56];
        words[layout.site(9)..][..SITE_WORDS].copy_from_slice(&site);
        // A place that no file has.
        let lost = [site_key(3, 0x40_1238), 0, 1, 1, 0];
        words[layout.site(10)..][..SITE_WORDS].copy_from_slice(&lost);
        let figures = Figures::read(&layout, &words, "h").unwrap();
        let site = SiteFigures {
            call: 3,
            file: "/a/prog".into(),
            offset: 0x1234,
            is_program: true,
            calls: 7,
            ns: 20,
            bytes: 56,
            is_present: false,
        };
        assert_eq!(figures.sites, std::slice::from_ref(&site));
        assert_eq!((figures.named, figures.cpu_ns), (vec![(1, 30)], 7));
        // The process ends inside a call from this place.
        (words[head::CALL], words[head::SITE]) = (4, layout.site(9) as u64);
        (words[head::STATE], words[head::CALL_BEGAN], words[head::ENDED]) = (STATE_RUNNING, 5, 9);
        let figures = Figures::read(&layout, &words, "h").unwrap();
        assert_eq!(figures.sites, [SiteFigures { calls: 8, ns: 24, is_present: true, ..site }]);
    }

    #[test]
    fn the_call_in_which_a_process_ends_counts() {
        let present = Some(Present { call: 3, began: 100, peer: None });
        let mut figures = Figures { began: 40, ns: 50, present, ..Figures::default() };
        figures.end_at(160);
        let call = CallFigures { call: 3, class: 0, calls: 1, ns: 60, bytes: 0 };
        assert_eq!((figures.ns, &figures.calls[..]), (120, &[call][..]));
        figures.end_at(90);
        assert_eq!(figures.ns, 120, "before the call");
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
