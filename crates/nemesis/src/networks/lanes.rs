//! The networks of lanes: each of a process's first lanes has modules of its own.
//!
//! A process opens a lane with the first communicator that travels there, so it cannot publish the
//! lane's cards when the job starts. Before the first packet to a process, a lane asks for the
//! cards that its modules have there. The first lane, which all processes have, carries the
//! question and the answer: two packets for each pair of processes and each lane in which they
//! communicate.
//!
//! ```text
//!   lane 2 ──> Exchange ──> first lane ── LANE_CARDS, asking ──> first lane ──> its Exchange
//!   lane 2 <── Exchange <── first lane <────── LANE_CARDS ────── first lane <── its lane 2
//! ```
//!
//! * The question brings the asker's own cards, so each process knows those of the other before
//!   either connects.
//! * A process that has not opened the lane yet answers when it does. It will: it is a member of
//!   the communicator. One that cannot answers without cards, and is unreachable there.
//! * A process that one lane loses is lost to all lanes. The first one tells the program, whatever
//!   it waits for.
//! * Each lane has a bell of its own, also one beyond those with modules, so that a thread sleeps
//!   on the descriptors of some lanes while another thread sleeps on those of others.

use super::choice::{Begun, none_starts};
use super::drivers::Settings;
use super::{Deferred, Networks};
use crate::limits::LANES_BETWEEN_NODES;
use crate::peer::{Peers, wake};
use nemesis_netmod::{Failure, Fault};
use nemesis_netmod_tcp::handshake::{CHANNEL_MAX, CHANNELS_OF_LANE};
use nemesis_shm::doorbell::{self, Doorbell};
use nemesis_sync::{AtomicBool, Ordering};
use nemesis_wire::{kind, word};
use nemesis_wireup::{decode_cards, encode_cards};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

const _: () = assert!(LANES_BETWEEN_NODES * CHANNELS_OF_LANE as usize == CHANNEL_MAX as usize + 1);

/// Bytes of cards in one packet, less than every network carries.
const PIECE_BYTES: usize = 2048;
/// Most bytes of the cards of one lane. Longer ones are no cards of this library.
const CARDS_MAX_BYTES: usize = 1 << 16;
/// Bit of a packet's first word beside the lane: its sender asks for the receiver's cards.
const ASKS: u64 = 1 << 8;

/// A lane's part of the networks of its process.
pub(super) struct Lanes {
    lane: usize,
    exchange: Arc<Exchange>,
}

/// What the lanes of a process tell each other.
pub(super) struct Exchange {
    settings: Settings,
    job_key: [u8; 32],
    state: Mutex<State>,
    /// By lane: whether there is something new for it.
    news: [AtomicBool; LANES_BETWEEN_NODES],
    /// By lane: what wakes a thread that sleeps there.
    doorbells: [OnceLock<&'static Doorbell>; LANES_BETWEEN_NODES],
}

/// A lane and another process.
type Place = (usize, u32);

#[derive(Default)]
struct State {
    /// This process's cards, by lane, once it is open. None if it cannot be opened.
    own: [Option<Vec<u8>>; LANES_BETWEEN_NODES],
    /// Cards of other processes.
    theirs: HashMap<Place, Vec<u8>>,
    /// The first pieces of cards that are arriving.
    pieces: HashMap<Place, Vec<u8>>,
    /// Whose cards this process has asked for, or will.
    asked: HashSet<Place>,
    /// Questions for the first lane to send.
    to_ask: Vec<Place>,
    /// Processes that wait for this one's cards.
    to_answer: Vec<Place>,
    /// For each lane: processes that another one has lost.
    lost: [Vec<(u32, Failure)>; LANES_BETWEEN_NODES],
}

impl Exchange {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells a lane that there is something new for it.
    fn tell(&self, lane: usize) {
        // Release: whoever sees it reads the state, which a lock protects; a sleeper sees it
        // because it raises its flag before it looks.
        self.news[lane].store(true, Ordering::Release);
        if let Some(doorbell) = self.doorbells[lane].get()
            && doorbell::must_wake(&doorbell.flag)
        {
            wake(doorbell);
        }
    }

    /// Gives a lane's cards, encoded, to all who have asked for them.
    fn publish(&self, lane: usize, cards: Vec<u8>) {
        let mut state = self.state();
        state.own[lane] = Some(cards);
        let is_awaited = state.to_answer.iter().any(|(of, _)| *of == lane);
        drop(state);
        if is_awaited {
            self.tell(0);
        }
    }

    /// Takes a packet with cards of process `from`. Returns false if it is invalid.
    pub(super) fn receive(&self, from: u32, payload: &[u8]) -> bool {
        let head = [0, 1, 2].map(|index| word(payload, index));
        let [Some(first), Some(total), Some(offset)] = head else { return false };
        let (lane, asks) = ((first & !ASKS) as usize, first & ASKS != 0);
        let (total, offset) = (total as usize, offset as usize);
        let mut state = self.state();
        let place = (lane, from);
        let mut cards = state.pieces.remove(&place).unwrap_or_default();
        let is_next = (1..LANES_BETWEEN_NODES).contains(&lane)
            && total <= CARDS_MAX_BYTES
            && offset == cards.len()
            && offset <= total;
        if !is_next {
            return false;
        }
        let piece = &payload[3 * size_of::<u64>()..];
        cards.extend_from_slice(&piece[..piece.len().min(total - offset)]);
        if cards.len() < total {
            // A piece without bytes would never end.
            if cards.len() > offset {
                state.pieces.insert(place, cards);
            }
            return !piece.is_empty();
        }
        if decode_cards(&cards).is_none() {
            return false;
        }
        state.theirs.insert(place, cards);
        if asks {
            state.to_answer.push(place);
        }
        drop(state);
        if asks {
            self.tell(0);
        }
        self.tell(lane);
        true
    }

    /// Tells all other lanes that this one has lost a process.
    fn lose(&self, by: usize, process: u32, failure: &Failure) {
        // Processes of other jobs are in no other lane.
        if process >= self.settings.processes {
            return;
        }
        let others = (0..LANES_BETWEEN_NODES).filter(|&lane| lane != by);
        for lane in others.filter(|&lane| self.doorbells[lane].get().is_some()) {
            self.state().lost[lane].push((process, failure.clone()));
            self.tell(lane);
        }
    }

    fn card(&self, place: Place, network: &str) -> Option<Vec<u8>> {
        let state = self.state();
        let cards = decode_cards(state.theirs.get(&place)?)?;
        cards.into_iter().find(|(name, _)| *name == network).map(|(_, card)| card.to_vec())
    }
}

impl Lanes {
    /// Returns the first lane's part, for networks with these settings.
    pub fn of_first(settings: Settings, job_key: [u8; 32]) -> Lanes {
        let exchange = Exchange {
            settings,
            job_key,
            state: Mutex::default(),
            news: Default::default(),
            doorbells: Default::default(),
        };
        Lanes { lane: 0, exchange: Arc::new(exchange) }
    }

    pub fn settings(&self) -> &Settings {
        &self.exchange.settings
    }

    /// Returns what the first lane's modules need to hand on cards; `None` in other lanes.
    pub fn exchange_of_first(&self) -> Option<&Exchange> {
        (self.lane == 0).then_some(&*self.exchange)
    }

    fn has_news(&self) -> bool {
        // Acquire: pairs with `Exchange::tell`.
        self.exchange.news.get(self.lane).is_some_and(|news| news.load(Ordering::Acquire))
    }

    /// Returns whether the cards of a process are known. Asks for them if they are not.
    ///
    /// # Errors
    /// The process has none, because it could not open the lane.
    fn knows(&self, process: u32) -> Result<bool, Failure> {
        let place = (self.lane, process);
        if self.lane == 0 {
            return Ok(true);
        }
        let mut state = self.exchange.state();
        match state.theirs.get(&place) {
            Some(cards) if cards.is_empty() => {
                let lane = self.lane;
                let why = format!(
                    "it could not open lane {lane}, for messages of some communicators, as it has \
                     said; try: NEMESIS_LANES=1, if the program asks for no lane"
                );
                return Err(Failure::new(Fault::Unreachable, why).about(process));
            }
            Some(_) => return Ok(true),
            None => {}
        }
        if state.asked.insert(place) {
            state.to_ask.push(place);
            drop(state);
            self.exchange.tell(0);
        }
        Ok(false)
    }
}

impl Networks {
    /// Returns the number of the lane that these networks serve.
    pub(super) fn lane(&self) -> u8 {
        self.lanes.as_ref().map_or(0, |lanes| lanes.lane as u8)
    }

    /// Returns the number of lanes for which this process may start its networks, if the program
    /// has `asked` for a lane, or has not.
    pub fn lanes(&self, asked: bool) -> usize {
        match &self.lanes {
            Some(lanes) if lanes.settings().serve_lanes(asked) => LANES_BETWEEN_NODES,
            _ => 1,
        }
    }

    /// Starts the networks of another lane, whose threads `doorbell` wakes. These are the first
    /// lane's. Returns `None` if the job runs on one node, and networks without a module for a lane
    /// that communicates within nodes only.
    ///
    /// # Errors
    /// No network starts in the lane.
    pub fn open_lane(
        &self,
        lane: usize,
        first_doorbell: &'static Doorbell,
        doorbell: &'static Doorbell,
    ) -> Result<Option<Networks>, String> {
        let Some(Lanes { exchange, .. }) = &self.lanes else { return Ok(None) };
        let known = Arc::clone(exchange);
        let card = move |process, network: &str| Ok(known.card((lane, process), network));
        let processes = exchange.settings.processes;
        let mut networks =
            Networks::new(self.state.me, processes, Box::new(card), self.state.verbose);
        networks.state.reporter = self.state.reporter.clone();
        networks.lanes = Some(Lanes { lane, exchange: Arc::clone(exchange) });
        if lane >= LANES_BETWEEN_NODES {
            return Ok(Some(networks));
        }
        let Settings { tunables, .. } = &exchange.settings;
        let begun = networks.begin(exchange.settings.of_user(), tunables.encrypt, exchange.job_key);
        let Begun { cards, missing } = begun;
        if networks.candidates.is_empty() {
            return Err(none_starts(&missing, tunables).to_string());
        }
        // A doorbell that is stored already is this one: the lane failed to open before.
        let _ = exchange.doorbells[0].set(first_doorbell);
        let _ = exchange.doorbells[lane].set(doorbell);
        exchange.publish(lane, encode_cards(&cards));
        Ok(Some(networks))
    }

    /// Tells all who ask that this process cannot be reached in a lane, which it cannot open.
    pub fn decline_lane(&self, lane: usize) {
        if let Some(Lanes { exchange, .. }) = &self.lanes
            && lane < LANES_BETWEEN_NODES
        {
            exchange.publish(lane, Vec::new());
        }
    }

    /// Tells the other lanes that this one has lost a process. A lane that has lost it, too, does
    /// not lose it again.
    pub(super) fn tell_lanes_of_loss(&self, process: u32, failure: &Failure) {
        if let Some(Lanes { lane, exchange }) = &self.lanes {
            exchange.lose(*lane, process, failure);
        }
    }

    /// Returns whether another lane has something new for this one.
    #[inline]
    pub fn have_news_of_lanes(&self) -> bool {
        self.lanes.as_ref().is_some_and(Lanes::has_news)
    }

    /// Returns whether packets may be sent to a process as far as its cards are needed.
    pub(super) fn know_cards_of(&mut self, process: u32) -> bool {
        match self.lanes.as_ref().map_or(Ok(true), |lanes| lanes.knows(process)) {
            Ok(are_known) => are_known,
            Err(failure) => {
                if !self.state.has_failed(process) {
                    self.state.deferred.push_back(Deferred::Lost(process, failure));
                }
                false
            }
        }
    }

    /// Handles what is new: the first lane sends questions and answers, another one hears of lost
    /// processes.
    #[cold]
    pub(super) fn handle_news_of_lanes(&mut self, peers: &mut Peers) {
        let Some(Lanes { lane, exchange }) = &self.lanes else { return };
        let (lane, exchange) = (*lane, Arc::clone(exchange));
        // Acquire: pairs with `Exchange::tell`. What comes after this is told again.
        exchange.news[lane].swap(false, Ordering::AcqRel);
        let mut state = exchange.state();
        let lost = std::mem::take(&mut state.lost[lane]);
        let lost = lost.into_iter().map(|(process, failure)| Deferred::Lost(process, failure));
        self.state.deferred.extend(lost);
        if lane != 0 {
            return;
        }
        let mut packets = Vec::new();
        for (lane, process) in std::mem::take(&mut state.to_ask) {
            let own = state.own[lane].clone().unwrap_or_default();
            packets.push((process, lane as u64 | ASKS, own));
        }
        let awaited = std::mem::take(&mut state.to_answer);
        for (lane, process) in awaited {
            match state.own[lane].clone() {
                Some(own) => packets.push((process, lane as u64, own)),
                None => state.to_answer.push((lane, process)),
            }
        }
        drop(state);
        for (process, first, cards) in packets {
            self.send_cards(peers, process, first, &cards);
        }
    }

    fn send_cards(&mut self, peers: &mut Peers, to: u32, first: u64, cards: &[u8]) {
        let mut offset = 0;
        loop {
            let piece = &cards[offset..cards.len().min(offset + PIECE_BYTES)];
            let mut words = vec![first, cards.len() as u64, offset as u64];
            words.extend(piece.chunks(size_of::<u64>()).map(|bytes| {
                let mut word = [0; size_of::<u64>()];
                word[..bytes.len()].copy_from_slice(bytes);
                u64::from_le_bytes(word)
            }));
            self.send_control(peers, to, kind::LANE_CARDS, words);
            offset += piece.len();
            if offset == cards.len() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tunables::Tunables;

    fn exchange() -> Exchange {
        let mut settings = Settings::without_job(&Tunables::default());
        settings.processes = 4;
        let Lanes { exchange, .. } = Lanes::of_first(settings, [0; 32]);
        Arc::into_inner(exchange).expect("nobody else has it")
    }

    fn packet(first: u64, total: usize, offset: usize, piece: &[u8]) -> Vec<u8> {
        let head = [first, total as u64, offset as u64].map(u64::to_le_bytes).concat();
        let padding = vec![0; piece.len().next_multiple_of(8) - piece.len()];
        [&head[..], piece, &padding].concat()
    }

    #[test]
    fn cards_arrive_in_pieces_and_are_found_by_their_networks() {
        let exchange = exchange();
        let cards = encode_cards(&[("tcp".into(), vec![1; 3000]), ("verbs".into(), vec![2; 3])]);
        let (one, two) = cards.split_at(PIECE_BYTES);
        assert!(exchange.receive(2, &packet(1, cards.len(), 0, one)));
        assert_eq!(exchange.card((1, 2), "tcp"), None, "a piece is missing");
        assert!(exchange.receive(2, &packet(1, cards.len(), PIECE_BYTES, two)));
        assert_eq!(exchange.card((1, 2), "tcp"), Some(vec![1; 3000]));
        assert_eq!(exchange.card((1, 2), "verbs"), Some(vec![2; 3]));
        assert_eq!(exchange.card((1, 2), "ofi"), None);
        assert_eq!(exchange.card((2, 2), "tcp"), None, "these are cards of another lane");
        assert!(
            exchange.news[1].load(Ordering::Relaxed) && !exchange.news[0].load(Ordering::Relaxed)
        );
    }

    #[test]
    fn a_question_is_kept_until_the_lane_is_open() {
        let exchange = exchange();
        let cards = encode_cards(&[("tcp".into(), vec![7])]);
        assert!(exchange.receive(3, &packet(2 | ASKS, cards.len(), 0, &cards)));
        assert_eq!(exchange.card((2, 3), "tcp"), Some(vec![7]), "the question brings cards");
        assert!(exchange.news[0].swap(false, Ordering::Relaxed));
        exchange.publish(1, cards.clone());
        assert!(!exchange.news[0].load(Ordering::Relaxed), "it is another lane");
        exchange.publish(2, cards);
        assert!(exchange.news[0].load(Ordering::Relaxed));
        assert_eq!(exchange.state().to_answer, [(2, 3)]);
    }

    #[test]
    fn a_process_without_cards_is_known_to_have_none() {
        let exchange = exchange();
        assert!(exchange.receive(1, &packet(3, 0, 0, &[])));
        assert!(exchange.state().theirs.contains_key(&(3, 1)));
        assert_eq!(exchange.card((3, 1), "tcp"), None);
    }

    #[test]
    fn invalid_packets_are_refused() {
        let exchange = exchange();
        let cards = encode_cards(&[("tcp".into(), vec![7; 100])]);
        let total = cards.len();
        for (what, packet) in [
            ("too short", vec![0; 16]),
            ("the first lane", packet(0, total, 0, &cards)),
            ("no lane", packet(LANES_BETWEEN_NODES as u64, total, 0, &cards)),
            ("too long", packet(1, CARDS_MAX_BYTES + 1, 0, &cards)),
            ("begins late", packet(1, total, 8, &cards[8..])),
            ("begins behind its end", packet(1, 8, 16, &[])),
            ("no bytes", packet(1, total, 0, &[])),
            ("no cards", packet(1, 2, 0, &[9, 9])),
        ] {
            assert!(!exchange.receive(1, &packet), "{what}");
        }
        assert!(exchange.state().theirs.is_empty() && exchange.state().pieces.is_empty());
    }

    #[test]
    fn a_process_that_one_lane_loses_is_lost_to_the_others() {
        static DOORBELL: Doorbell = Doorbell::never_asleep();
        let exchange = exchange();
        for lane in [0, 2] {
            exchange.doorbells[lane].set(&DOORBELL).expect("it is new");
        }
        let failure = Failure::new(Fault::Lost, "it is gone");
        exchange.lose(2, 1, &failure);
        assert_eq!(exchange.state().lost.each_ref().map(Vec::len), [1, 0, 0, 0]);
        exchange.state().lost[0].clear();
        exchange.lose(0, 1, &failure);
        exchange.lose(0, 4, &failure);
        let lost = exchange.state().lost.clone();
        assert_eq!(
            lost.each_ref().map(Vec::len),
            [0, 0, 1, 0],
            "it is open, and 4 is of another job"
        );
        assert!(
            exchange.news[2].load(Ordering::Relaxed) && !exchange.news[1].load(Ordering::Relaxed)
        );
    }
}
