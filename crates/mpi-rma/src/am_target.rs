//! Short accesses to this process's own memory that processes of its node ask for: the target's
//! side of the AM accesses (`am_origin`).
//!
//! The process carries such an access out in the poll that brings its packet. Before it claims the
//! access it compares the packet with what it offers: the window, the origin's rank in the window,
//! and the place to the last byte. An access that does not fit is left to its origin, whose own
//! check or system call then tells what is wrong.

use super::am_scatter::Arrived;
use crate::packet_kind::{self as kind, AM_FRONT_BYTES};
use nemesis::PagedTable;
use nemesis::am_slot::{ACCESS_MAX_BYTES, AmSlot};
use nemesis::wire::{Header, word};
use nemesis_datatype::MemoryRegion;

/// Memory of the program that one window offers to AM accesses.
#[derive(Debug)]
pub struct AmTarget {
    pub context: u64,
    /// Processes by their rank in the window.
    pub processes: Vec<u32>,
    pub areas: Vec<MemoryRegion>,
}

/// The memory that all windows offer.
#[derive(Debug)]
pub struct AmTargets {
    me: u32,
    /// By process: its AM slot, if it runs on this node. The slots stay when the last window is
    /// freed, since packets may still arrive.
    slots: PagedTable<Option<&'static AmSlot>>,
    open: Vec<AmTarget>,
}

impl AmTargets {
    pub const fn new() -> AmTargets {
        AmTargets { me: 0, slots: PagedTable::empty(None, || None), open: Vec::new() }
    }

    /// Offers the memory of a window to the processes with these slots, among `processes` of the
    /// job.
    pub fn open(
        &mut self,
        (me, processes): (u32, u32),
        slots: impl Iterator<Item = (u32, &'static AmSlot)>,
        am_target: AmTarget,
    ) {
        self.me = me;
        self.slots = PagedTable::new(processes as usize);
        for (process, slot) in slots {
            self.slots[process as usize] = Some(slot);
        }
        self.open.push(am_target);
    }

    /// Withdraws what the window of `context` offers.
    pub fn close(&mut self, context: u64) {
        self.open.retain(|am_target| am_target.context != context);
    }

    /// Replaces what a dynamic window offers.
    pub fn attached(&mut self, context: u64, areas: &[MemoryRegion]) {
        for am_target in self.open.iter_mut().filter(|am_target| am_target.context == context) {
            am_target.areas = areas.to_vec();
        }
    }

    /// Returns the region of the window of a packet that holds `bytes` bytes at `address`, and
    /// their offset in it.
    fn find(
        &self,
        origin: u32,
        header: &Header,
        address: u64,
        bytes: usize,
    ) -> Option<(&MemoryRegion, usize)> {
        let am_target = self.open.iter().find(|am_target| am_target.context == header.context)?;
        if am_target.processes.get(header.rank as usize) != Some(&origin) {
            return None;
        }
        am_target.areas.iter().find_map(|area| {
            let offset = usize::try_from(address).ok()?.checked_sub(area.address())?;
            (bytes <= area.bytes() && offset <= area.bytes() - bytes).then_some((area, offset))
        })
    }

    /// Carries out the access of a packet, or leaves it to its origin. `None` if the packet is
    /// malformed.
    pub fn take(&self, origin: u32, header: &Header, payload: &[u8]) -> Option<()> {
        if header.kind == kind::AM_SCATTER {
            return self.take_scatter(origin, header, payload);
        }
        let (number, address, data) =
            (word(payload, 0)?, word(payload, 1)?, payload.get(AM_FRONT_BYTES..)?);
        let slot = (*self.slots.get(origin as usize)?)?;
        let done = match header.kind {
            kind::AM_PUT => self.put(origin, header, slot, (number, address), data),
            _ => self.get(
                origin,
                header,
                slot,
                (number, address),
                usize::try_from(word(data, 0)?).ok()?,
            ),
        };
        if done.is_none() {
            slot.leave(self.me);
        }
        Some(())
    }

    /// Carries out a put of many short runs, or leaves it to its origin.
    fn take_scatter(&self, origin: u32, header: &Header, payload: &[u8]) -> Option<()> {
        let arrived = Arrived::read(payload)?;
        let slot = (*self.slots.get(origin as usize)?)?;
        let find = |address, bytes| self.find(origin, header, address, bytes);
        let lies_in = arrived.lies_in(|address, bytes| find(address, bytes).is_some());
        if !lies_in || !slot.claim(arrived.number) {
            slot.leave(self.me);
            return Some(());
        }
        arrived.runs(|address, run| {
            if let Some((area, offset)) = find(address, run.len()) {
                area.put_bytes(offset, run);
            }
        });
        slot.done(arrived.number);
        Some(())
    }

    fn put(
        &self,
        origin: u32,
        header: &Header,
        slot: &AmSlot,
        (number, address): (u64, u64),
        data: &[u8],
    ) -> Option<()> {
        let (area, offset) = self.find(origin, header, address, data.len())?;
        slot.claim(number).then(|| {
            area.put_bytes(offset, data);
            slot.done(number);
        })
    }

    fn get(
        &self,
        origin: u32,
        header: &Header,
        slot: &AmSlot,
        (number, address): (u64, u64),
        bytes: usize,
    ) -> Option<()> {
        let (area, offset) =
            self.find(origin, header, address, bytes).filter(|_| bytes <= ACCESS_MAX_BYTES)?;
        slot.claim(number).then(|| {
            slot.answer(bytes, |into| _ = area.get_bytes(offset, into));
            slot.done(number);
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis::wire::words;

    const BYTES: usize = 64;
    const ORIGIN: u32 = 1;

    /// A window of `BYTES` bytes at process 0, in which process 1 has rank 1, and process 1's slot.
    fn am_targets() -> (AmTargets, &'static AmSlot) {
        let slot: &'static AmSlot = Box::leak(Box::default());
        let mut am_targets = AmTargets::new();
        let am_target = AmTarget {
            context: 42,
            processes: vec![0, ORIGIN],
            areas: vec![MemoryRegion::owned(BYTES, 64).unwrap()],
        };
        am_targets.open((0, 3), [(1, slot), (2, slot)].into_iter(), am_target);
        (am_targets, slot)
    }

    fn header(kind: u8) -> Header {
        Header { kind, context: 42, rank: 1, ..Header::default() }
    }

    fn put(am_targets: &AmTargets, header: &Header, number: u64, place: u64, data: &[u8]) {
        let payload =
            [words([number, address(am_targets).wrapping_add(place)]).as_bytes(), data].concat();
        am_targets.take(ORIGIN, header, &payload).unwrap();
    }

    fn get(am_targets: &AmTargets, number: u64, place: u64, bytes: u64) {
        let payload = words([number, address(am_targets).wrapping_add(place), bytes]);
        am_targets.take(ORIGIN, &header(kind::AM_GET), payload.as_bytes()).unwrap();
    }

    fn address(am_targets: &AmTargets) -> u64 {
        am_targets.open[0].areas[0].address() as u64
    }

    fn look(am_targets: &AmTargets) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        assert!(am_targets.open[0].areas[0].get_bytes(0, &mut bytes));
        bytes
    }

    #[test]
    fn a_valid_access_is_carried_out_once() {
        let (am_targets, slot) = am_targets();
        put(&am_targets, &header(kind::AM_PUT), 1, 56, &[7; 8]);
        assert!(slot.is_done(1) && look(&am_targets)[56..] == [7; 8]);
        // A repeated packet, and one whose access the origin has claimed.
        put(&am_targets, &header(kind::AM_PUT), 1, 0, &[8; 8]);
        assert!(slot.has_left_odd(0) && slot.claim(2));
        put(&am_targets, &header(kind::AM_PUT), 2, 0, &[8; 8]);
        assert!(!slot.has_left_odd(0) && look(&am_targets)[..8] == [0; 8]);
        get(&am_targets, 3, 51, 13);
        let mut answer = [0; 13];
        slot.copy_answer(&mut answer);
        assert!(slot.is_done(3) && answer == [0, 0, 0, 0, 0, 7, 7, 7, 7, 7, 7, 7, 7]);
    }

    #[test]
    fn an_invalid_access_is_left_to_its_origin() {
        let (mut am_targets, slot) = am_targets();
        let good = header(kind::AM_PUT);
        let wrong = [
            (Header { context: 43, ..good }, 0, 8),
            (Header { rank: 0, ..good }, 0, 8),
            (Header { rank: 2, ..good }, 0, 8),
            (good, 57, 8),
            (good, BYTES as u64, 1),
            (good, 0, BYTES + 1),
            (good, u64::MAX, 8),
            (good, u64::MAX / 2, 8),
        ];
        for (index, (header, place, bytes)) in wrong.into_iter().enumerate() {
            put(&am_targets, &header, 1, place, &vec![9; bytes]);
            assert_eq!(slot.has_left_odd(0), index % 2 == 0, "{header:?} at {place}");
        }
        for (place, bytes) in [(57, 8), (0, ACCESS_MAX_BYTES as u64 + 1), (0, u64::MAX)] {
            get(&am_targets, 1, place, bytes);
        }
        // From a process that is not in the window, and after the window is freed.
        am_targets.take(2, &good, words([1, address(&am_targets), 0]).as_bytes()).unwrap();
        let payload = words([1, address(&am_targets), 0]);
        assert_eq!(look(&am_targets), [0; BYTES]);
        am_targets.close(42);
        am_targets.take(ORIGIN, &good, payload.as_bytes()).unwrap();
        assert!(
            slot.has_left_odd(0) && !slot.is_done(1) && slot.claim(1),
            "the access can still be claimed"
        );
    }

    #[test]
    fn malformed_packets_are_reported() {
        let (am_targets, _) = am_targets();
        let address = address(&am_targets);
        assert!(am_targets.take(ORIGIN, &header(kind::AM_PUT), &[1, 2, 3]).is_none());
        assert!(
            am_targets
                .take(ORIGIN, &header(kind::AM_GET), words([1, address]).as_bytes())
                .is_none()
        );
        // From processes without a slot: this one, and one that does not exist.
        for origin in [0, 7] {
            assert!(
                am_targets
                    .take(origin, &header(kind::AM_PUT), words([1, address, 5]).as_bytes())
                    .is_none()
            );
        }
    }
}
