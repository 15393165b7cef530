//! What neighbours may have this process do to its own memory (`delegate`): the target's side.
//!
//! Such an access is carried out in the poll that brings its packet. What the packet says is compared with what this process offers before anything is taken:
//! the window, the origin's rank in it, the place to the last byte. What does not fit is left to its origin, which finds out by itself what is wrong.

use super::am_origin::FRONT_BYTES;
use crate::protocol::kind;
use nemesis::am_slot::{ANSWER_MAX_BYTES, AmSlot};
use nemesis::wire::{Header, word};
use nemesis_datatype::Area;

/// Memory of the program's own that a window offers.
#[derive(Debug)]
pub struct AmTarget {
    pub context: u64,
    /// Processes by their rank in the window.
    pub processes: Vec<u32>,
    pub areas: Vec<Area>,
}

/// All of it.
#[derive(Debug, Default)]
pub struct AmTargets {
    me: u32,
    /// By process: its line, if it runs on this node. They stay when the last window is gone, since packets may still come.
    lines: Vec<Option<&'static AmSlot>>,
    open: Vec<AmTarget>,
}

impl AmTargets {
    pub const fn new() -> AmTargets {
        AmTargets { me: 0, lines: Vec::new(), open: Vec::new() }
    }

    /// Offers memory from now on to the processes with these lines.
    pub fn open(
        &mut self,
        me: u32,
        lines: impl Iterator<Item = Option<&'static AmSlot>>,
        am_target: AmTarget,
    ) {
        self.me = me;
        self.lines = lines.collect();
        self.open.push(am_target);
    }

    /// Offers it no longer.
    pub fn close(&mut self, context: u64) {
        self.open.retain(|am_target| am_target.context != context);
    }

    /// What is attached to a dynamic window has changed.
    pub fn attached(&mut self, context: u64, areas: &[Area]) {
        for am_target in self.open.iter_mut().filter(|am_target| am_target.context == context) {
            am_target.areas = areas.to_vec();
        }
    }

    /// The area, and the place in it, of `bytes` bytes at `address` in the window that a packet names.
    fn find(
        &self,
        origin: u32,
        header: &Header,
        address: u64,
        bytes: usize,
    ) -> Option<(&Area, usize)> {
        let am_target = self.open.iter().find(|am_target| am_target.context == header.context)?;
        if am_target.processes.get(header.rank as usize) != Some(&origin) {
            return None;
        }
        am_target.areas.iter().find_map(|area| {
            let offset = usize::try_from(address).ok()?.checked_sub(area.address())?;
            (bytes <= area.bytes() && offset <= area.bytes() - bytes).then_some((area, offset))
        })
    }

    /// An access of which a neighbour has told; `None` if the packet makes no sense.
    pub fn take(&self, origin: u32, header: &Header, payload: &[u8]) -> Option<()> {
        let (number, address, data) =
            (word(payload, 0)?, word(payload, 1)?, payload.get(FRONT_BYTES..)?);
        let line = (*self.lines.get(origin as usize)?)?;
        let done = match header.kind {
            kind::AM_PUT => self.put(origin, header, line, (number, address), data),
            _ => self.get(
                origin,
                header,
                line,
                (number, address),
                usize::try_from(word(data, 0)?).ok()?,
            ),
        };
        if done.is_none() {
            line.leave(self.me);
        }
        Some(())
    }

    fn put(
        &self,
        origin: u32,
        header: &Header,
        line: &AmSlot,
        (number, address): (u64, u64),
        data: &[u8],
    ) -> Option<()> {
        let (area, offset) = self.find(origin, header, address, data.len())?;
        line.take(number).then(|| {
            area.put_bytes(offset, data);
            line.done(number);
        })
    }

    fn get(
        &self,
        origin: u32,
        header: &Header,
        line: &AmSlot,
        (number, address): (u64, u64),
        bytes: usize,
    ) -> Option<()> {
        let (area, offset) =
            self.find(origin, header, address, bytes).filter(|_| bytes <= ANSWER_MAX_BYTES)?;
        line.take(number).then(|| {
            line.answer(bytes, |begin, into| _ = area.get_bytes(offset + begin, into));
            line.done(number);
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis::wire::words;

    const BYTES: usize = 64;
    const ORIGIN: u32 = 1;

    /// A window of `BYTES` bytes at process 0, in which process 1 has rank 1, and process 1's line.
    fn am_targets() -> (AmTargets, &'static AmSlot) {
        let line: &'static AmSlot = Box::leak(Box::default());
        let mut am_targets = AmTargets::new();
        let am_target = AmTarget {
            context: 42,
            processes: vec![0, ORIGIN],
            areas: vec![Area::owned(BYTES, 64).unwrap()],
        };
        am_targets.open(0, [None, Some(line), Some(line)].into_iter(), am_target);
        (am_targets, line)
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
    fn what_fits_is_carried_out_once() {
        let (am_targets, line) = am_targets();
        put(&am_targets, &header(kind::AM_PUT), 1, 56, &[7; 8]);
        assert!(line.is_done(1) && look(&am_targets)[56..] == [7; 8]);
        // The same packet again, and one that its origin has taken back.
        put(&am_targets, &header(kind::AM_PUT), 1, 0, &[8; 8]);
        assert!(line.has_left_odd(0) && line.take(2));
        put(&am_targets, &header(kind::AM_PUT), 2, 0, &[8; 8]);
        assert!(!line.has_left_odd(0) && look(&am_targets)[..8] == [0; 8]);
        get(&am_targets, 3, 51, 13);
        let mut answer = [0; 13];
        line.copy_answer(&mut answer);
        assert!(line.is_done(3) && answer == [0, 0, 0, 0, 0, 7, 7, 7, 7, 7, 7, 7, 7]);
    }

    #[test]
    fn what_does_not_fit_touches_nothing_and_is_left() {
        let (mut am_targets, line) = am_targets();
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
            assert_eq!(line.has_left_odd(0), index % 2 == 0, "{header:?} at {place}");
        }
        for (place, bytes) in [(57, 8), (0, ANSWER_MAX_BYTES as u64 + 1), (0, u64::MAX)] {
            get(&am_targets, 1, place, bytes);
        }
        // From a process that is not in the window, and after its end.
        am_targets.take(2, &good, words([1, address(&am_targets), 0]).as_bytes()).unwrap();
        let payload = words([1, address(&am_targets), 0]);
        assert_eq!(look(&am_targets), [0; BYTES]);
        am_targets.close(42);
        am_targets.take(ORIGIN, &good, payload.as_bytes()).unwrap();
        assert!(
            line.has_left_odd(0) && !line.is_done(1) && line.take(1),
            "the access is still to be had"
        );
    }

    #[test]
    fn packets_without_sense_are_told() {
        let (am_targets, _) = am_targets();
        let address = address(&am_targets);
        assert!(am_targets.take(ORIGIN, &header(kind::AM_PUT), &[1, 2, 3]).is_none());
        assert!(
            am_targets
                .take(ORIGIN, &header(kind::AM_GET), words([1, address]).as_bytes())
                .is_none()
        );
        // From processes that have no line: our own, and one that does not exist.
        for origin in [0, 7] {
            assert!(
                am_targets
                    .take(origin, &header(kind::AM_PUT), words([1, address, 5]).as_bytes())
                    .is_none()
            );
        }
    }
}
