//! The record of deaths, as the launcher of the node writes it ([`crate::deaths`] has the layout
//! and the ordering edges).

use crate::deaths::{COUNT, DEATHS, DEATHS_MAX, RANKS};
use crate::doorbell;
use crate::layout::Layout;
use crate::segment::Slot;
use nemesis_sync::{Ordering, fence};
use nemesis_sys::bell;
use rustix::fd::AsFd;
use rustix::io;

/// The record, as the launcher of the node writes it.
#[derive(Debug)]
pub struct DeathsOfNode {
    count: u64,
    /// The heads of the node's processes; empty before the first death.
    heads: Vec<Slot>,
}

impl DeathsOfNode {
    /// Makes the job of a new segment one that goes on when a process dies.
    ///
    /// # Errors
    /// The errors of `pwrite(2)`.
    pub fn begin(file: impl AsFd) -> io::Result<DeathsOfNode> {
        // A file takes so few bytes at once, or none.
        rustix::io::pwrite(file, &1_u64.to_ne_bytes(), DEATHS as u64)?;
        Ok(DeathsOfNode { count: 0, heads: Vec::new() })
    }

    /// Records a death, and wakes the `local` processes of the node, whose segment has `bytes`
    /// bytes. Returns false if the record is full.
    ///
    /// # Errors
    /// The errors of `pwrite(2)`.
    pub fn tell(
        &mut self,
        file: impl AsFd,
        bytes: usize,
        local: usize,
        rank: u32,
    ) -> io::Result<bool> {
        if self.count as usize >= DEATHS_MAX {
            return Ok(false);
        }
        let place = DEATHS + RANKS + 4 * self.count as usize;
        rustix::io::pwrite(&file, &rank.to_ne_bytes(), place as u64)?;
        self.count += 1;
        rustix::io::pwrite(&file, &self.count.to_ne_bytes(), (DEATHS + COUNT) as u64)?;
        if self.heads.len() < local {
            self.heads = heads(&file, bytes, local).unwrap_or_default();
        }
        // SeqCst (E2): pairs with the barrier of a process that goes to sleep.
        fence(Ordering::SeqCst);
        for slot in &self.heads {
            let doorbell = slot.doorbell();
            if doorbell::must_wake(&doorbell.flag) {
                doorbell::wake(&doorbell.flag);
                // Relaxed: stored when the process joined; a bell that is not there yet is not
                // slept on.
                let number = doorbell.bell.load(Ordering::Relaxed);
                if number != 0 {
                    bell::ring(number);
                }
            }
        }
        Ok(true)
    }
}

/// Maps the heads of `processes` processes.
fn heads(file: impl AsFd, bytes: usize, processes: usize) -> Option<Vec<Slot>> {
    let layout = Layout::new(bytes, processes)?;
    let first = Slot::head(&file, bytes, processes, 0)?;
    Some((0..processes.min(layout.slots)).map(|slot| first.sibling(&layout, slot)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deaths::Deaths;
    use nemesis_sys::memfd;

    #[test]
    fn deaths_are_read_in_the_order_in_which_they_were_told() {
        let bytes = 1 << 36;
        let memory = memfd::sparse(bytes as u64, bytes as u64).unwrap();
        let read = Deaths::of_file(&memory.descriptor).unwrap();
        assert!(!read.is_tolerant() && read.count() == 0);
        let mut told = DeathsOfNode::begin(&memory.descriptor).unwrap();
        assert!(read.is_tolerant());
        for (index, rank) in [7, 0, 3].into_iter().enumerate() {
            assert!(told.tell(&memory.descriptor, bytes, 2, rank).unwrap());
            assert_eq!((read.count(), read.rank(index as u64)), (index as u64 + 1, rank));
        }
        assert_eq!((read.rank(0), read.rank(1)), (7, 0));
    }

    #[test]
    fn a_death_wakes_a_process_that_sleeps() {
        let bytes = 1 << 36;
        let memory = memfd::sparse(bytes as u64, bytes as u64).unwrap();
        let mut told = DeathsOfNode::begin(&memory.descriptor).unwrap();
        let layout = Layout::new(bytes, 2).unwrap();
        let slot = Slot::head(&memory.descriptor, bytes, 2, 0).unwrap().sibling(&layout, 1);
        let flag = &slot.doorbell().flag;
        flag.store(1, Ordering::Relaxed);
        assert!(doorbell::is_asleep(flag));
        told.tell(&memory.descriptor, bytes, 2, 0).unwrap();
        assert!(!doorbell::is_asleep(flag));
    }

    #[test]
    fn a_full_record_says_so() {
        let bytes = 1 << 36;
        let memory = memfd::sparse(bytes as u64, bytes as u64).unwrap();
        let mut told = DeathsOfNode::begin(&memory.descriptor).unwrap();
        told.count = DEATHS_MAX as u64 - 1;
        assert!(told.tell(&memory.descriptor, bytes, 1, 5).unwrap());
        assert!(!told.tell(&memory.descriptor, bytes, 1, 6).unwrap());
        let read = Deaths::of_file(&memory.descriptor).unwrap();
        assert_eq!(read.rank(read.count() - 1), 5);
    }
}
