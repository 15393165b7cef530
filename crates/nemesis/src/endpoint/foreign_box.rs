//! Foreign fastboxes: shared memory between this process and those of other jobs on its host.
//!
//! A foreign fastbox stands beside the network's connection of the pair. Both carry packets of one
//! sequence: a packet that fits goes by the fastbox, any other by the network, and a packet that
//! arrives by the network is preceded by those of the fastbox with lower numbers, as a cell of the
//! queue is within a job. So the network stays what tells the end of a process, and what carries
//! everything where the fastbox is missing.
//!
//! ```text
//!   sender                                                receiver
//!   PACKETS_BEFORE_BOX packets, then FOREIGN_BOX ─net──>  opens memory and slot, polls the fastbox
//!   sends by the fastbox     <──net── FOREIGN_BOX_ANSWER  (or refuses: everything goes by the net)
//!   at the disconnect: CELL                      ─box──>  has taken everything, unmaps the memory
//! ```
//!
//! Each direction is opened by its sender. A process that has seen one of these packets knows the
//! other's process id, so it reads long messages from the other's memory (`large`).

use super::Endpoint;
use crate::networks::ForeignEvent;
use crate::peer::{ALWAYS_AWAKE, Reach};
use crate::protocols::BOX_MAX_BYTES;
use crate::tunables::Tunables;
use nemesis_shm::doorbell;
use nemesis_shm::fastbox::{Consumer, Producer};
use nemesis_shm::foreign_box::{ForeignBox, ForeignSlot, Key};
use nemesis_shm::layout::BOXES;
use nemesis_sys::host;
use nemesis_sys::process::open_of;
use nemesis_sys::processor::current_processor;
use nemesis_wire::{Header, kind, next_seq};
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::io::{self, Errno};
use std::collections::HashMap;

/// Number of packets that go to a process of another job by the network before the sender makes a
/// fastbox.
const PACKETS_BEFORE_BOX: u32 = 3;

/// The foreign fastboxes of a process.
#[derive(Default)]
pub(crate) struct ForeignBoxes {
    /// Number of this process's place; 0 if it uses no foreign fastboxes.
    place: u64,
    /// Whether the kernel may copy (`NEMESIS_CMA`).
    cma: bool,
    /// The processes of other jobs on this host.
    neighbours: HashMap<u32, Neighbour>,
}

/// A process of another job on this host.
#[derive(Default)]
struct Neighbour {
    /// Its process id; 0 if it is not known yet.
    pid: i32,
    /// Packets to it that remain before this process makes a fastbox; `None` afterwards.
    packets_left: Option<u32>,
    /// Whether this process has disconnected from it.
    is_dismissed: bool,
    /// Its slot, once it is known.
    slot: Option<ForeignSlot>,
    /// The fastbox to it, and the descriptor that it opens.
    sends: Option<(ForeignBox, Option<OwnedFd>)>,
    /// The fastbox from it.
    receives: Option<ForeignBox>,
}

impl ForeignBoxes {
    /// Begins anew with a process that this one has met.
    pub(super) fn meet(&mut self, process: u32, place: u64) {
        if self.place != 0 && place == self.place {
            let packets_left = Some(PACKETS_BEFORE_BOX);
            self.neighbours.insert(process, Neighbour { packets_left, ..Neighbour::default() });
        }
    }

    /// Returns the process id of a process whose memory may be reachable.
    pub(crate) fn pid_of(&self, process: u32) -> Option<i32> {
        self.neighbours.get(&process).map(|neighbour| neighbour.pid).filter(|&pid| pid > 0)
    }
}

impl Endpoint {
    /// Allows foreign fastboxes, unless the tunables forbid them, and returns the number of this
    /// process's place for its card.
    pub(super) fn enable_foreign_boxes(&mut self, tunables: &Tunables) -> u64 {
        let boxes = &mut self.foreigners.boxes;
        // The barrier of sleeping receivers has to include the processes of both jobs.
        if tunables.shm && tunables.fastbox && self.segment.is_orderable() {
            boxes.place = nemesis_wireup::place_number();
        }
        boxes.cma = tunables.cma;
        boxes.place
    }

    /// Returns whether a process, of this job or another one, runs on this host. Returns false if
    /// the tunables forbid shared memory.
    pub fn is_on_host(&self, process: u32) -> bool {
        !self.is_remote(process) || self.foreigners.boxes.neighbours.contains_key(&process)
    }

    /// Returns whether the kernel may copy from the memory of a process of this host.
    #[inline]
    pub fn copies_by_kernel(&self, process: u32) -> bool {
        self.peers[process as usize].reach != Reach::Refused
    }

    /// Returns the length of the longest message that goes to a process of another node or job
    /// without asking it. Messages that no fastbox carries are copied by the kernel, where it
    /// permits that.
    #[inline]
    pub(super) fn remote_eager_max(&self, to: u32) -> usize {
        if self.copies_by_kernel(to) { BOX_MAX_BYTES } else { self.remote_packet_max(to) }
    }

    /// Returns whether a packet of `bytes` bytes goes by a foreign fastbox.
    #[inline]
    pub(super) fn has_foreign_box(&self, to: u32, bytes: usize) -> bool {
        bytes <= BOX_MAX_BYTES && !self.peers[to as usize].outbox.is_disconnected()
    }

    /// Sends a packet by a foreign fastbox. Returns false if the fastbox is full.
    pub(super) fn send_by_foreign_box(&mut self, to: u32, header: &Header, payload: &[u8]) -> bool {
        let peer = &mut self.peers[to as usize];
        if !peer.outbox.try_send(header, payload) {
            self.found_full(to);
            return false;
        }
        peer.next_seq = next_seq(header.seq);
        if doorbell::must_wake(&peer.doorbell.flag) {
            peer.wake();
        }
        true
    }

    /// Counts a packet that has gone to a process by the network, and makes a foreign fastbox after
    /// the last counted one.
    pub(super) fn approach_foreign_box(&mut self, to: u32) {
        if !self.is_foreign(to) {
            return;
        }
        let neighbours = &mut self.foreigners.boxes.neighbours;
        let Some(neighbour) = neighbours.get_mut(&to) else { return };
        let Some(left) = &mut neighbour.packets_left else { return };
        *left -= 1;
        if *left > 0 {
            return;
        }
        neighbour.packets_left = None;
        if neighbours.values().filter(|other| other.sends.is_some()).count() >= BOXES {
            return;
        }
        // Without memory or a descriptor for it the packets go on by the network.
        let Ok((made, descriptor, key)) = ForeignBox::make() else { return };
        let memory = [descriptor.as_raw_fd() as u64, key[0], key[1]];
        let processor = current_processor().map_or(u64::MAX, |processor| processor as u64);
        if let Some(neighbour) = neighbours.get_mut(&to) {
            neighbour.sends = Some((made, Some(descriptor)));
        }
        let words = [&self.own_place()[..], &memory, &[processor]].concat();
        if let Some(networks) = &mut self.networks {
            networks.send_control(&mut self.peers, to, kind::FOREIGN_BOX, words);
        }
    }

    /// Returns what others need to find this process's slot: its process id, and the descriptor and
    /// the offset of the slot.
    fn own_place(&self) -> [u64; 3] {
        let descriptor = self.segment_descriptor as u64;
        [std::process::id().into(), descriptor, self.slot.offset()]
    }

    /// Handles what has happened to the connections with processes of other jobs.
    #[cold]
    pub(super) fn handle_foreign_events(&mut self) {
        let Some(networks) = &mut self.networks else { return };
        for event in networks.take_foreign_events() {
            match event {
                ForeignEvent::Lost(process) => self.release_foreign(process),
                ForeignEvent::Packet(from, kind::FOREIGN_BOX, words) => {
                    self.answer_foreign_box(from, &words);
                }
                ForeignEvent::Packet(from, kind::FOREIGN_BOX_ANSWER, words) => {
                    self.use_foreign_box(from, &words);
                }
                ForeignEvent::Packet(..) => {}
                ForeignEvent::Closed(from) => self.close_inbox(from),
            }
        }
    }

    /// Opens the fastbox that a process has made, and answers it.
    fn answer_foreign_box(&mut self, from: u32, words: &[u64]) {
        let neighbour = self.foreigners.boxes.neighbours.get(&from);
        if neighbour.is_none_or(|neighbour| neighbour.is_dismissed) {
            return;
        }
        let opened = u64::from(self.open_foreign_box(from, words).is_ok());
        let words = [&[opened], &self.own_place()[..]].concat();
        if let Some(networks) = &mut self.networks {
            networks.send_control(&mut self.peers, from, kind::FOREIGN_BOX_ANSWER, words);
        }
    }

    fn open_foreign_box(&mut self, from: u32, words: &[u64]) -> io::Result<()> {
        let &[pid, slot, offset, descriptor, first, second, processor] = words else {
            return Err(Errno::INVAL);
        };
        let key: Key = [first, second];
        let neighbours = &self.foreigners.boxes.neighbours;
        if neighbours.values().filter(|other| other.receives.is_some()).count() >= BOXES {
            return Err(Errno::NOSPC);
        }
        let id = i32::try_from(pid).map_err(|_| Errno::INVAL)?;
        // This comes first: its key shows that the process id is still that of the process.
        let mut opened = ForeignBox::open(open_of(id, descriptor as i32)?, key)?;
        self.show_slot(from, [pid, slot, offset])?;
        let neighbour = self.foreigners.boxes.neighbours.get_mut(&from).ok_or(Errno::SRCH)?;
        if neighbour.receives.is_some() {
            return Err(Errno::EXIST);
        }
        let lines = opened.lines().ok_or(Errno::INVAL)?;
        neighbour.receives = Some(opened);
        self.peers[from as usize].inbox = Consumer::new(lines);
        self.active.push(from);
        // The kernel tends to put processes that wake each other on one processor, where every
        // message costs a switch of processes. One of the two leaves it.
        let moves = self.name_of(self.me()) > self.name_of(from);
        if moves && !self.shared_processors {
            host::leave_processor(processor as usize);
        }
        Ok(())
    }

    /// Shows the slot of a process on this host: its process id, and the descriptor and offset of
    /// the slot. From now on this process wakes it, and may read its memory.
    fn show_slot(&mut self, of: u32, [pid, descriptor, offset]: [u64; 3]) -> io::Result<()> {
        let boxes = &mut self.foreigners.boxes;
        let neighbour = boxes.neighbours.get_mut(&of).ok_or(Errno::SRCH)?;
        if neighbour.slot.is_some() {
            return Ok(());
        }
        let pid = i32::try_from(pid).map_err(|_| Errno::INVAL)?;
        let slot = ForeignSlot::show(open_of(pid, descriptor as i32)?, offset, pid)?;
        let peer = &mut self.peers[of as usize];
        peer.doorbell = slot.doorbell();
        if boxes.cma {
            peer.reach = Reach::Untried;
        }
        (neighbour.pid, neighbour.slot) = (pid, Some(slot));
        Ok(())
    }

    /// Uses the fastbox that this process has made, if the other one has opened it.
    fn use_foreign_box(&mut self, to: u32, words: &[u64]) {
        let shown = match *words {
            [1, pid, slot, offset] => self.show_slot(to, [pid, slot, offset]).is_ok(),
            _ => false,
        };
        let Some(neighbour) = self.foreigners.boxes.neighbours.get_mut(&to) else { return };
        let Some((made, descriptor)) = &mut neighbour.sends else { return };
        if descriptor.take().is_none() {
            return;
        }
        // Lines that are taken keep the memory mapped.
        match if shown { made.lines() } else { None } {
            Some(lines) => self.peers[to as usize].outbox = Producer::new(lines),
            None => neighbour.sends = None,
        }
    }

    /// Ends the use of the fastbox to a process from which this one disconnects. The other
    /// direction ends when that process does so, too.
    pub(super) fn stop_foreign_box(&mut self, process: u32) {
        let Some(neighbour) = self.foreigners.boxes.neighbours.get_mut(&process) else { return };
        neighbour.is_dismissed = true;
        let peer = &mut self.peers[process as usize];
        // The other end may have opened a fastbox that this process does not use yet.
        if let Some(lines) = neighbour.sends.as_mut().and_then(|(made, _)| made.lines()) {
            peer.outbox = Producer::new(lines);
        }
        if !peer.outbox.is_disconnected() {
            // If the fastbox is full, the other end keeps the memory until it ends or the two meet
            // again.
            let header = Header { seq: peer.next_seq, kind: kind::CELL, ..Header::default() };
            self.send_by_foreign_box(process, &header, &[]);
        }
        self.close_outbox(process);
    }

    /// Notes the last packet of a foreign fastbox. The next poll handles it, and reports a process
    /// lost that has sent any other packet of the subsystem there.
    #[cold]
    pub(super) fn found_foreign_control(&mut self, from: u32, header: &Header) {
        let Some(networks) = &mut self.networks else { return };
        match header.kind {
            kind::CELL => networks.note_closed(from),
            _ => networks.refuse(from, header),
        }
    }

    fn close_outbox(&mut self, process: u32) {
        let Some(neighbour) = self.foreigners.boxes.neighbours.get_mut(&process) else { return };
        let peer = &mut self.peers[process as usize];
        let ring = std::mem::replace(&mut peer.outbox, Producer::disconnected());
        if let Some((memory, _)) = neighbour.sends.take() {
            memory.close(ring.into_lines());
        }
        self.full.retain(|&full| full != process);
        self.forget_slot(process);
    }

    fn close_inbox(&mut self, process: u32) {
        let Some(neighbour) = self.foreigners.boxes.neighbours.get_mut(&process) else { return };
        let peer = &mut self.peers[process as usize];
        let ring = std::mem::replace(&mut peer.inbox, Consumer::disconnected());
        if let Some(memory) = neighbour.receives.take() {
            memory.close(ring.into_lines());
        }
        self.active.retain(|&active| active != process);
        self.forget_slot(process);
    }

    /// Ends the use of a process's slot if no fastbox connects the two any more.
    fn forget_slot(&mut self, process: u32) {
        let Some(neighbour) = self.foreigners.boxes.neighbours.get(&process) else { return };
        if neighbour.is_dismissed && neighbour.sends.is_none() && neighbour.receives.is_none() {
            let peer = &mut self.peers[process as usize];
            (peer.doorbell, peer.reach) = (&ALWAYS_AWAKE, Reach::Refused);
            self.foreigners.boxes.neighbours.remove(&process);
        }
    }

    /// Ends all use of shared memory with a process of another job, which is lost or is met again.
    pub(super) fn release_foreign(&mut self, process: u32) {
        let Some(neighbour) = self.foreigners.boxes.neighbours.get_mut(&process) else { return };
        neighbour.is_dismissed = true;
        self.close_outbox(process);
        self.close_inbox(process);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endpoint::foreign::Foreigners;
    use crate::networks::Networks;
    use crate::packet::{Packet, Sink, Token};
    use crate::peer::Slots;
    use nemesis_netmod::{Failure, Fault};
    use nemesis_netmod_loopback::{Loopback, Network, Trouble};
    use nemesis_wire::FIRST_CLIENT_KIND;
    use std::sync::{Arc, Mutex};

    type Cards = Arc<Mutex<Vec<Vec<u8>>>>;

    /// What has arrived: tags, and why a process was lost.
    #[derive(Default)]
    struct Arrived(Vec<i32>, Vec<Failure>);

    impl Sink for Arrived {
        fn packet(&mut self, packet: Packet<'_>) {
            assert_eq!(packet.header.kind, FIRST_CLIENT_KIND);
            self.0.push(packet.header.tag);
        }
        fn completed(&mut self, _: Token, _: Result<(), Failure>) {}
        fn lost(&mut self, _: u32, failure: &Failure) {
            self.1.push(failure.clone());
        }
    }

    /// Starts one of two processes that regard each other as of another job on this host.
    fn process(me: u32, network: &Network, cards: &Cards) -> Endpoint {
        let segment = nemesis_wireup::segment::make(1).unwrap();
        let slots = Slots { processes: 2, local: vec![(me, 0)] };
        let bytes = segment.bytes as usize;
        let mut endpoint =
            Endpoint::in_segment(segment.descriptor, bytes, segment.backing, &slots, me).unwrap();
        let known = Arc::clone(cards);
        let card_of =
            move |process: u32, _: &str| Ok(known.lock().unwrap().get(process as usize).cloned());
        let mut networks = Networks::new(me, 2, Box::new(card_of), false);
        cards.lock().unwrap().push(networks.start(&Loopback(network.clone()), [0; 32]).unwrap());
        endpoint.open_networks(networks);
        endpoint.foreigners = Foreigners::of_size(1);
        endpoint.foreigners.boxes.place = 1;
        endpoint.foreigners.boxes.meet(1 - me, 1);
        endpoint
    }

    #[test]
    fn packets_take_the_fastbox_and_one_of_the_subsystem_there_loses_its_sender() {
        let (network, cards) = (Network::new(Trouble::none()), Cards::default());
        let [mut sender, mut receiver] = [0, 1].map(|me| process(me, &network, &cards));
        let mut arrived = Arrived::default();
        for tag in 0..20 {
            let header = Header { kind: FIRST_CLIENT_KIND, tag, ..Header::default() };
            assert!(sender.try_send(1, header, &[]));
            receiver.poll(None, &mut arrived);
            sender.poll(None, &mut Arrived::default());
        }
        assert_eq!(arrived.0, Vec::from_iter(0..20));
        let peer = &mut sender.peers[1];
        assert!(!peer.outbox.is_disconnected() && !receiver.peers[0].inbox.is_disconnected());
        let header = Header { seq: peer.next_seq, kind: kind::THROTTLE, ..Header::default() };
        assert!(peer.outbox.try_send(&header, &[]));
        for _ in 0..2 {
            receiver.poll(None, &mut arrived);
        }
        assert_eq!(arrived.1.iter().map(|lost| lost.fault).collect::<Vec<_>>(), [Fault::Malformed]);
        assert!(receiver.peers[0].inbox.is_disconnected());
    }
}
