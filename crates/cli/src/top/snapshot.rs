//! The state of all ranks at one time, and rates between two times.

use super::job::{Launcher, RankProcess};
use crate::diagnostic::Diagnostic;
use nemesis_profile::CALLS;
use nemesis_profile::figures::Figures;
use nemesis_profile::units::{bytes, percent};
use nemesis_shm::kernel_call::KernelCall;
use nemesis_shm::layout::Layout as Segment;
use nemesis_shm::status::{Answer, STATUS_BYTES, Status};
use nemesis_source_lines::{Site, SourceLines};
use nemesis_sys::clock;
use nemesis_sys::process_state::{Look, State};
use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

/// What a rank does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Doing {
    /// Inside a call: the call and what it waits for, with further lines, and how long. `certain`
    /// says that only `peer` can continue the rank.
    Inside { text: String, peer: Option<u32>, milliseconds: u64, certain: bool },
    /// Inside a call some time ago, when the launcher asked last.
    Earlier { text: String, ago: Duration },
    /// In a call of the kernel for a call of MPI on a file, since some time.
    InKernel { text: String, time: Duration },
    /// Outside MPI, as its counters or its missing answer say.
    Outside,
    /// The launcher has not asked yet.
    Unknown,
    /// It has called `MPI_Finalize`.
    Finalized,
    /// The process has ended.
    Ended,
}

/// What is kept from one snapshot to the next.
#[derive(Default)]
pub struct Known {
    lines: SourceLines,
    /// The last look at each process.
    looks: HashMap<u32, Look>,
}

/// A rank of this host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankState {
    pub rank: u32,
    pub pid: u32,
    pub doing: Doing,
    /// Where its program has called MPI, if that is known of the present call.
    pub place: Option<String>,
    /// What the kernel says of its process, and since the snapshot before what it has done.
    pub look: Option<Look>,
    pub state: Option<State>,
    /// Percentage of a processor that it has used since the snapshot before.
    pub processor: Option<u32>,
    /// Its counters, if the job has any.
    pub figures: Option<Figures>,
}

/// The state of the ranks of this host at one time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    pub launcher: u32,
    pub command: String,
    /// The ranks of the job.
    pub size: u32,
    /// Whether the job has counters.
    pub counts: bool,
    pub ranks: Vec<RankState>,
    /// Nanoseconds of the monotonic clock.
    pub at: u64,
}

impl Snapshot {
    /// Reads the state of a job. `known` keeps from one snapshot to the next what the second one
    /// needs.
    pub fn take(launcher: &Launcher, known: &mut Known) -> Result<Snapshot, Diagnostic> {
        let gone = || Diagnostic::new("reading the job", "its mpiexec has ended", RUNNING);
        let segment = launcher.segment().ok_or_else(gone)?;
        let processes = launcher.ranks();
        let counters = launcher.counters();
        let at = clock::monotonic_ns();
        let local_size = processes.first().map_or(0, |rank| rank.local_size);
        let layout = Segment::new(segment.bytes, local_size);
        let counted = |local: usize| {
            let (memory, layout) = counters.as_ref()?;
            (local < layout.slots).then_some(())?;
            let words = memory.words(layout.slot(local), layout.counted_words());
            Figures::read(layout, &words, "")
        };
        let mut looks = HashMap::new();
        let state = |process: &RankProcess| {
            let figures = counted(process.local);
            let line = layout
                .as_ref()
                .map(|layout| segment.read::<STATUS_BYTES>(Status::offset(layout, process.local)));
            let called = layout.as_ref().and_then(|layout| {
                KernelCall::read(&segment.read(KernelCall::offset(layout, process.local)))
            });
            let doing = doing(line.as_ref(), figures.as_ref(), at);
            let site = site(&doing, line.as_ref(), process.pid);
            let place = site.map(|site| known.lines.in_words(&site));
            let look = Look::at(process.pid);
            looks.extend(look.map(|look| (process.pid, look)));
            let since = look.zip(known.looks.get(&process.pid));
            let state = since.map(|(now, earlier)| now.since(earlier));
            let processor = since.map(|(now, earlier)| now.percent_since(earlier));
            let doing = match called {
                Some((text, time)) if is_silent(&doing, time) => Doing::InKernel { text, time },
                _ => doing,
            };
            let (rank, pid) = (process.rank, process.pid);
            RankState { rank, pid, doing, place, look, state, processor, figures }
        };
        let mut ranks: Vec<RankState> = processes.iter().map(state).collect();
        // The counters of ranks that have ended are still there.
        for local in 0..counters.as_ref().map_or(0, |(_, layout)| layout.slots) {
            let known = processes.iter().any(|process| process.local == local);
            if let Some(figures) = counted(local).filter(|_| !known) {
                let (rank, pid) = (figures.rank, figures.pid);
                ranks.push(RankState {
                    figures: Some(figures),
                    ..RankState::new(rank, pid, Doing::Ended)
                });
            }
        }
        known.looks = looks;
        ranks.sort_by_key(|rank| rank.rank);
        let size = processes.first().map_or(ranks.len() as u32, |rank| rank.size);
        Ok(Snapshot {
            launcher: launcher.pid,
            command: launcher.command.clone(),
            size,
            counts: counters.is_some(),
            ranks,
            at,
        })
    }

    /// Returns messages and bytes by transport.
    pub fn transports(&self) -> BTreeMap<String, (u64, u64)> {
        let mut sums: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        let figures = self.ranks.iter().filter_map(|rank| rank.figures.as_ref());
        for peer in figures.flat_map(|figures| &figures.peers) {
            let sum = sums.entry(peer.transport.clone()).or_default();
            *sum = (sum.0 + peer.messages, sum.1 + peer.bytes);
        }
        sums
    }

    /// Returns messages and bytes per second by transport since an earlier snapshot.
    pub fn rates(&self, before: &Snapshot) -> BTreeMap<String, (f64, f64)> {
        let seconds = (self.at.saturating_sub(before.at)) as f64 / 1e9;
        let earlier = before.transports();
        let rate = |now: u64, then: u64| {
            if seconds > 0.0 { now.saturating_sub(then) as f64 / seconds } else { 0.0 }
        };
        self.transports()
            .into_iter()
            .map(|(name, now)| {
                let then = earlier.get(&name).copied().unwrap_or_default();
                (name, (rate(now.0, then.0), rate(now.1, then.1)))
            })
            .collect()
    }
}

/// Age up to which the answer of a rank counts as present: the launcher asks every two seconds, and
/// a rank that waits answers within 0.2 s.
const FRESH: Duration = Duration::from_millis(2800);

/// Time between two snapshots from which the second one tells what ranks have done meanwhile.
pub const INTERVAL_MIN: Duration = Duration::from_millis(150);

/// What to try if a job has ended.
const RUNNING: &str = "the number of a job that runs";

/// Returns whether a rank that has been in the kernel for `time` has said nothing of itself since.
fn is_silent(doing: &Doing, time: Duration) -> bool {
    match doing {
        Doing::Outside | Doing::Earlier { .. } | Doing::Unknown => true,
        // The counters know the call, but not the file.
        Doing::Inside { text, milliseconds, .. } => {
            text.starts_with("MPI_File_") && u128::from(*milliseconds) >= time.as_millis()
        }
        _ => false,
    }
}

/// Returns what a rank does, by its counters if it has any, and by its status line.
fn doing(line: Option<&[u8; STATUS_BYTES]>, figures: Option<&Figures>, at: u64) -> Doing {
    let asked = line.map_or(0, |line| u32::from_le_bytes([line[0], line[1], line[2], line[3]]));
    let answered = line.map_or(0, Status::answered_in);
    let answer = line.filter(|_| answered != 0).map(Status::answer_in);
    let fresh = answer.as_ref().filter(|answer| answer.age() <= FRESH);
    let Some(figures) = figures else {
        return match (asked, fresh, answer.as_ref()) {
            // The last words of a process that ends, whose later questions it does not answer.
            (_, _, Some(answer)) if answer.text.is_empty() => Doing::Finalized,
            (_, Some(answer), _) => Doing::Inside {
                text: answer.text.clone(),
                peer: answer.peer.filter(|_| !answer.finalizes),
                milliseconds: answer.waiting_ms,
                certain: is_certain(answer),
            },
            // The launcher of another host than the job's first one is asked seldom.
            (_, None, Some(answer)) if answered == asked => {
                Doing::Earlier { text: answer.text.clone(), ago: answer.age() }
            }
            (0, None, _) => Doing::Unknown,
            (_, None, _) => Doing::Outside,
        };
    };
    match figures.present {
        _ if figures.finalized => Doing::Finalized,
        None => Doing::Outside,
        Some(present) => {
            let name = CALLS[present.call as usize].name;
            let milliseconds = at.saturating_sub(present.began) / 1_000_000;
            // The answer may be about an earlier call.
            let alike = fresh.filter(|answer| answer.text.starts_with(name));
            let present_one = alike.filter(|it| it.age().as_millis() as u64 <= milliseconds);
            let certain = present_one.filter(|answer| is_certain(answer));
            Doing::Inside {
                text: alike.map_or_else(|| name.to_owned(), |answer| answer.text.clone()),
                // The counters know one peer of a call that has several.
                peer: certain.map_or(present.peer, |answer| answer.peer),
                milliseconds,
                certain: certain.is_some(),
            }
        }
    }
}

/// Returns where a rank has called MPI, if its last answer is about the call that it is in.
fn site(doing: &Doing, line: Option<&[u8; STATUS_BYTES]>, process: u32) -> Option<Site> {
    let answer = Status::answer_in(line?);
    let is_alike = matches!(doing, Doing::Inside { text, .. } if *text == answer.text);
    (is_alike && answer.site != 0).then(|| Site::in_process(process, answer.site))?
}

/// Returns whether nothing but its peer can continue a rank, as a standstill's ranks must be.
fn is_certain(answer: &Answer) -> bool {
    answer.only_peer && answer.idle && !answer.tests && !answer.finalizes
}

impl RankState {
    /// Returns a rank of which nothing else is known.
    pub fn new(rank: u32, pid: u32, doing: Doing) -> RankState {
        let (place, look, state, processor, figures) = (None, None, None, None, None);
        RankState { rank, pid, doing, place, look, state, processor, figures }
    }

    /// Returns the lines that follow the first one: where the program has called MPI, and what
    /// else is open.
    pub fn further_lines(&self) -> Vec<String> {
        let place = self.place.iter().map(|place| format!("where {place}"));
        let more = match &self.doing {
            Doing::Inside { text, .. } => text.lines().skip(1).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        place.chain(more).collect()
    }

    /// Returns the percentages of time in MPI and in calls that wait, the present call included.
    pub fn shares(&self, at: u64) -> Option<(f64, f64)> {
        let figures = self.figures.as_ref()?;
        let present = figures.present.map_or((0, false), |present| {
            (at.saturating_sub(present.began), CALLS[present.call as usize].waits)
        });
        let end = if figures.finalized { figures.began + figures.ns } else { at };
        let whole = end.saturating_sub(figures.began);
        let waiting = figures.waiting_ns() + if present.1 { present.0 } else { 0 };
        Some((percent(figures.mpi_ns() + present.0, whole), percent(waiting, whole)))
    }

    /// Returns what the rank does in one line.
    pub fn line(&self) -> String {
        match &self.doing {
            Doing::Inside { text, milliseconds, .. } => {
                let first = text.lines().next().unwrap_or_default();
                match milliseconds {
                    0..100 => first.to_owned(),
                    _ => format!("{first} ({:.1} s)", *milliseconds as f64 / 1e3),
                }
            }
            Doing::Earlier { text, ago } => {
                let first = text.lines().next().unwrap_or_default();
                format!("{} s ago: {first}", ago.as_secs())
            }
            Doing::InKernel { text, time } => {
                format!("{text}, in the kernel ({:.1} s)", time.as_secs_f64())
            }
            Doing::Outside => match self.state {
                Some(state) if state.is_held() || state == State::Ready => state.to_string(),
                Some(state) => format!("outside MPI: {state}"),
                None => "outside MPI".into(),
            },
            Doing::Unknown => "not asked yet; the launcher asks every two seconds".into(),
            Doing::Finalized => "has finalized MPI".into(),
            Doing::Ended => "has ended".into(),
        }
    }

    /// Returns the share of a processor in percent, or `-`.
    pub fn processor_text(&self) -> String {
        self.processor.map_or_else(|| "-".into(), |percent| percent.to_string())
    }

    /// Returns the memory that the process uses, or `-`.
    pub fn memory_text(&self) -> String {
        self.look.map_or_else(|| "-".into(), |look| bytes(look.memory()))
    }

    /// Returns the rank with which the present call communicates.
    pub fn peer(&self) -> Option<u32> {
        match self.doing {
            Doing::Inside { peer, .. } => peer,
            _ => None,
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use nemesis_profile::figures::{CallFigures, PeerFigures, Present};
    use nemesis_shm::status;

    /// Returns the place of a call.
    fn place(name: &str) -> u32 {
        CALLS.iter().position(|call| call.name == name).unwrap() as u32
    }

    /// Returns a snapshot of two ranks of three.
    pub fn example() -> Snapshot {
        let call =
            CallFigures { call: place("MPI_Recv"), class: 2, calls: 10, ns: 200_000_000, bytes: 0 };
        let peer = PeerFigures { peer: 0, messages: 10, bytes: 2048, transport: "shm".into() };
        let present = Present { call: place("MPI_Recv"), began: 900_000_000, peer: Some(0) };
        let figures = Figures {
            rank: 1,
            calls: vec![call],
            peers: vec![peer],
            present: Some(present),
            unexpected: 512,
            ..Figures::default()
        };
        let text = "MPI_Recv: a message from rank 0 of MPI_COMM_WORLD, tag 3\nhas 1 message that \
                    no receive has asked for";
        let (peer, milliseconds) = (Some(0), 100);
        let inside = Doing::Inside { text: text.into(), peer, milliseconds, certain: true };
        Snapshot {
            launcher: 77,
            command: "mpiexec -n 3 ./a.out".into(),
            size: 3,
            counts: true,
            ranks: vec![
                RankState {
                    figures: Some(Figures::default()),
                    ..RankState::new(0, 100, Doing::Outside)
                },
                RankState {
                    place: Some("exchange (halo.c:112)".into()),
                    processor: Some(99),
                    figures: Some(figures),
                    ..RankState::new(1, 101, inside)
                },
            ],
            at: 1_000_000_000,
        }
    }

    #[test]
    fn shares_include_the_present_call() {
        let snapshot = example();
        assert_eq!(snapshot.ranks[1].shares(snapshot.at), Some((30.0, 30.0)));
        assert_eq!(snapshot.ranks[0].shares(snapshot.at), Some((0.0, 0.0)));
    }

    #[test]
    fn rates_are_those_between_two_snapshots() {
        let (before, mut now) = (example(), example());
        now.at += 500_000_000;
        now.ranks[1].figures.as_mut().unwrap().peers[0].messages += 5;
        let rates: Vec<_> = now.rates(&before).into_iter().collect();
        assert_eq!(rates, [("shm".to_owned(), (10.0, 0.0))]);
    }

    /// Sets a word of a status line.
    fn set(line: &mut [u8; STATUS_BYTES], at: usize, word: u32) {
        line[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }

    /// Returns the line of a rank that has just answered from a call, with these flags.
    fn answered_from(call: &str, peer: u32, flags: u32) -> [u8; STATUS_BYTES] {
        let mut line = [0; STATUS_BYTES];
        let words = [(0, 2), (4, 2), (16, peer), (20, call.len() as u32), (40, flags)];
        words.into_iter().for_each(|(at, word)| set(&mut line, at, word));
        set(&mut line, 44, status::now_ms());
        line[TEXT_AT..TEXT_AT + call.len()].copy_from_slice(call.as_bytes());
        line
    }

    /// Where a line has its text.
    const TEXT_AT: usize = 56;
    /// The bits of a line's flags.
    const FINALIZES: u32 = 1;
    const IDLE: u32 = 2;
    const ONLY_PEER: u32 = 4;
    const TESTS: u32 = 8;

    #[test]
    fn a_rank_that_only_its_peer_can_continue_is_certain() {
        let known = |call: &str, flags: u32, figures: Option<&Figures>, at: u64| match doing(
            Some(&answered_from(call, 1, flags)),
            figures,
            at,
        ) {
            Doing::Inside { peer, certain, .. } => (peer, certain),
            other => panic!("{other:?}"),
        };
        let alone = |call: &str, flags: u32| known(call, flags, None, 0);
        assert_eq!(alone("MPI_Recv", ONLY_PEER | IDLE), (Some(1), true));
        assert_eq!(alone("MPI_Waitany", IDLE), (Some(1), false), "another peer may send");
        assert_eq!(alone("MPI_Recv", ONLY_PEER), (Some(1), false), "a transfer is under way");
        assert_eq!(alone("MPI_Test", ONLY_PEER | IDLE | TESTS), (Some(1), false));
        assert_eq!(alone("MPI_Finalize", ONLY_PEER | IDLE | FINALIZES), (None, false));
        let at = clock::monotonic_ns();
        let since = |ns: u64| {
            let present = Present { call: place("MPI_Recv"), began: at - ns, peer: Some(0) };
            Figures { present: Some(present), ..Figures::default() }
        };
        let certain = ONLY_PEER | IDLE;
        let second = 1_000_000_000;
        assert_eq!(known("MPI_Recv: a", certain, Some(&since(second)), at), (Some(1), true));
        assert_eq!(known("MPI_Recv: a", IDLE, Some(&since(second)), at), (Some(0), false));
        assert_eq!(known("MPI_Barrier", certain, Some(&since(second)), at), (Some(0), false));
        let mut earlier = answered_from("MPI_Recv: a", 1, certain);
        set(&mut earlier, 44, status::now_ms().wrapping_sub(2000));
        assert!(
            matches!(
                doing(Some(&earlier), Some(&since(second)), at),
                Doing::Inside { peer: Some(0), certain: false, .. }
            ),
            "the answer is older than the call"
        );
    }

    #[test]
    fn a_rank_without_counters_has_finalized_until_it_says_something_else() {
        let mut line = answered_from("", u32::MAX, 0);
        assert_eq!(doing(Some(&line), None, 0), Doing::Finalized);
        // The launcher has asked since, and gets no answer.
        set(&mut line, 0, 9);
        set(&mut line, 44, status::now_ms().wrapping_sub(9000));
        assert_eq!(doing(Some(&line), None, 0), Doing::Finalized);
    }

    #[test]
    fn a_status_line_tells_what_a_rank_without_counters_does() {
        let mut line = [0; STATUS_BYTES];
        assert_eq!(doing(Some(&line), None, 0), Doing::Unknown);
        set(&mut line, 0, 2);
        assert_eq!(doing(Some(&line), None, 0), Doing::Outside);
        let (name, now) = (b"MPI_Recv", status::now_ms());
        set(&mut line, 4, 2);
        set(&mut line, 20, name.len() as u32);
        line[48..48 + name.len()].copy_from_slice(name);
        set(&mut line, 44, now);
        assert!(matches!(doing(Some(&line), None, 0), Doing::Inside { .. }));
        // The launcher has just asked again.
        set(&mut line, 0, 3);
        set(&mut line, 44, now.wrapping_sub(2100));
        assert!(matches!(doing(Some(&line), None, 0), Doing::Inside { .. }));
        set(&mut line, 44, now.wrapping_sub(9000));
        assert_eq!(doing(Some(&line), None, 0), Doing::Outside);
        set(&mut line, 0, 2);
        assert!(
            matches!(doing(Some(&line), None, 0), Doing::Earlier { ago, .. } if ago.as_secs() == 9)
        );
    }
}
