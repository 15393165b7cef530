//! Elements of accumulates: their types and operations, and the methods that combine them with
//! mapped memory.
//!
//! Each element is updated atomically with respect to all other accumulates. In memory that all
//! processes of the node reach by load and store, atomic instructions combine words
//! (`nemesis_datatype::atomic`). Everything else is read, combined and written under the accumulate
//! lock of the target's rank (`control`), which the target's process takes as well.

use super::control::{AtomicPermit, Control};
use crate::abi;
use crate::error::{Error, Outcome};
use crate::handle;
use crate::types::refused;
use nemesis::memory::NodeOrder;
use nemesis_datatype::{AtomicOp, Datatype, LocalTarget, Op, is_word};

/// Bytes from which an accumulate excludes all others and combines without atomic instructions.
/// These take five nanoseconds for eight bytes, and to exclude the others takes twenty, but about
/// two microseconds for the first of several bulk accumulates.
pub const BULK_MIN_BYTES: usize = 64;
/// Operations that decide which types can be compared and swapped: those on which one of these is
/// defined (MPI 5.0 §12.3.4).
const SWAPPED: [Op; 2] = [Op::Band, Op::Lor];

/// Who changes a rank's memory, which decides how its elements are combined atomically.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// Some processes of the node reach the memory only through the kernel: all elements are
    /// combined under the accumulate lock.
    Kernel,
    /// All processes of the node reach the memory by load and store: atomic instructions combine
    /// words, unless the accumulate is a bulk accumulate.
    Mapped,
    /// As `Mapped`. The network changes integers of 8 bytes, too, and knows no lock: atomic
    /// instructions combine them in bulk accumulates as well.
    Network,
}

/// The operation and element type of an accumulate, and the method that makes it atomic.
#[derive(Debug, Clone)]
pub struct Elements {
    pub op: Op,
    element: Datatype,
    /// The elements are words in memory that all processes of the node reach by load and store.
    words: bool,
    /// All elements are aligned, so that the processor combines them without a lock.
    lock_free: bool,
    /// The access has at least [`BULK_MIN_BYTES`], and the network does not change its elements.
    is_bulk: bool,
}

impl Elements {
    /// Chooses the method for elements at `place`.
    pub fn new(op: Op, element: Datatype, place: &LocalTarget<'_>, sharing: Sharing) -> Elements {
        let words = sharing != Sharing::Kernel && is_word(&element);
        let lock_free = words && place.is_lock_free(&element);
        let by_network = sharing == Sharing::Network && is_network_word(&element);
        let is_bulk = place.bytes() >= BULK_MIN_BYTES && !by_network;
        Elements { op, element, words, lock_free, is_bulk }
    }

    /// Fails unless `data` consists of whole elements.
    pub fn check_whole(&self, data: &[u8]) -> Outcome {
        if data.len().is_multiple_of(self.element.size().max(1) as usize) {
            return Ok(());
        }
        Err(Error::new(
            abi::MPI_ERR_TYPE,
            format!("{} bytes are not a number of whole elements", data.len()),
        ))
    }

    /// Returns the permission to combine words one by one. Misaligned elements need the accumulate
    /// lock, whichever process accesses them.
    fn begin_atomic<'a>(&self, control: &'a Control, own: u32, rank: u32) -> AtomicPermit<'a> {
        match self.lock_free {
            true => control.begin_atomic(own, rank),
            false => AtomicPermit::Locked { _lock: control.lock_accumulates(rank) },
        }
    }
}

/// Returns the one predefined type of which the target's data consists.
pub fn element_of(datatype: &Datatype, op: Op) -> Outcome<Datatype> {
    let element = datatype.element().ok_or_else(|| {
        Error::new(
            abi::MPI_ERR_TYPE,
            "the target's datatype consists of several predefined types, accumulate functions \
             need one",
        )
    })?;
    if !op.allows(&element) {
        let name = element.predefined_name().unwrap_or("this datatype");
        return Err(Error::new(abi::MPI_ERR_OP, format!("{} is not defined on {name}", op.name())));
    }
    Ok(element)
}

/// Returns whether the network can change elements of a type: integers of 8 bytes.
pub fn is_network_word(element: &Datatype) -> bool {
    is_word(element) && element.size() == size_of::<u64>() as i64 && Op::Band.allows(element)
}

/// Returns whether elements of a type can be compared and swapped.
pub fn may_swap(element: &Datatype) -> bool {
    SWAPPED.iter().any(|op| op.allows(element))
}

/// Returns whether the processor can compare and swap an element of a type, named by its handle.
#[inline(always)]
pub fn swaps_atomically(element: handle::Datatype) -> bool {
    SWAPPED.iter().any(|op| AtomicOp::find(op.handle(), element.0).is_some())
}

/// Combines packed operands with the elements at a place, from byte `from` of its packed stream on.
/// `own` is the rank that combines, `rank` the rank whose memory it is, `ranks` the window's number
/// of ranks. Writes the previous values to `before`.
#[allow(clippy::too_many_arguments)]
pub fn combine(
    order: &NodeOrder,
    control: &Control,
    (own, rank, ranks): (u32, u32, u32),
    place: &LocalTarget<'_>,
    elements: &Elements,
    from: usize,
    operands: &[u8],
    before: Option<&mut [u8]>,
) -> Outcome {
    let Elements { op, ref element, words, is_bulk, .. } = *elements;
    if !words {
        let _lock = control.lock_accumulates(rank);
        return place.combine_locked(from, op, element, operands, before).map_err(refused);
    }
    if is_bulk && let Some(_bulk) = control.begin_bulk(rank, ranks, || order.order_all()) {
        return place.combine_locked(from, op, element, operands, before).map_err(refused);
    }
    let _permit = elements.begin_atomic(control, own, rank);
    place.combine_atomically(from, op, element, operands, before).map_err(refused)
}

/// Compares the one element at a place, and replaces it by `new` if it equals `expected`. Writes
/// the previous value to `before`.
pub fn swap(
    control: &Control,
    (own, rank): (u32, u32),
    place: &LocalTarget<'_>,
    elements: &Elements,
    [new, expected]: [&[u8]; 2],
    before: &mut [u8],
) {
    let _permit = elements.begin_atomic(control, own, rank);
    place.compare_and_swap(expected, new, before);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn predefined(handle: handle::Datatype) -> Datatype {
        Datatype::predefined(handle.0).expect("a predefined type").clone()
    }

    #[test]
    fn the_element_of_an_accumulate_is_one_predefined_type() {
        let int = predefined(abi::MPI_INT);
        let every_second = Datatype::vector(3, 1, 2, &int).unwrap();
        assert_eq!(element_of(&every_second, Op::Sum).unwrap().size(), 4);
        let parts = [int, predefined(abi::MPI_DOUBLE)];
        let mixed = Datatype::structure(&[1, 1], &[0, 8], &parts).unwrap();
        assert_eq!(element_of(&mixed, Op::Sum).unwrap_err().class, abi::MPI_ERR_TYPE);
    }

    #[test]
    fn operations_are_defined_on_some_types() {
        let class = |handle, op| element_of(&predefined(handle), op).map_err(|error| error.class);
        assert!(class(abi::MPI_DOUBLE, Op::Max).is_ok());
        assert_eq!(class(abi::MPI_DOUBLE, Op::Band).unwrap_err(), abi::MPI_ERR_OP);
        assert_eq!(class(abi::MPI_2INT, Op::Sum).unwrap_err(), abi::MPI_ERR_OP);
        assert!(class(abi::MPI_DOUBLE, Op::Replace).is_ok());
        assert!(class(abi::MPI_2INT, Op::Minloc).is_ok());
    }

    #[test]
    fn integers_logicals_and_bytes_are_compared_and_swapped() {
        for handle in
            [abi::MPI_INT, abi::MPI_UINT64_T, abi::MPI_BYTE, abi::MPI_C_BOOL, abi::MPI_AINT]
        {
            assert!(may_swap(&predefined(handle)), "{handle:?}");
        }
        for handle in [abi::MPI_DOUBLE, abi::MPI_FLOAT, abi::MPI_2INT] {
            assert!(!may_swap(&predefined(handle)), "{handle:?}");
        }
        assert!(swaps_atomically(abi::MPI_INT64_T) && !swaps_atomically(abi::MPI_DOUBLE));
    }

    #[test]
    fn networks_change_integers_of_eight_bytes() {
        let found = [abi::MPI_INT64_T, abi::MPI_UINT64_T, abi::MPI_INT, abi::MPI_DOUBLE]
            .map(|handle| is_network_word(&predefined(handle)));
        assert_eq!(found, [true, true, false, false]);
    }

    #[test]
    fn parts_of_elements_are_refused() {
        let area = nemesis_datatype::MemoryRegion::owned(64, 8).unwrap();
        let long = predefined(abi::MPI_INT64_T);
        let place = area.resolve(0, 4, &long).unwrap();
        let elements = Elements::new(Op::Sum, long, &place, Sharing::Mapped);
        assert!(elements.check_whole(&[0; 16]).is_ok() && elements.check_whole(&[]).is_ok());
        assert_eq!(elements.check_whole(&[0; 12]).unwrap_err().class, abi::MPI_ERR_TYPE);
    }

    #[test]
    fn the_method_depends_on_who_shares_the_memory_and_on_the_length() {
        let area = nemesis_datatype::MemoryRegion::owned(4096, 64).unwrap();
        let long = predefined(abi::MPI_INT64_T);
        let made = |offset, count, sharing| {
            let place = area.resolve(offset, count, &long).unwrap();
            let made = Elements::new(Op::Sum, long.clone(), &place, sharing);
            (made.words, made.lock_free, made.is_bulk)
        };
        assert_eq!(made(0, 1, Sharing::Mapped), (true, true, false));
        assert_eq!(made(4, 1, Sharing::Mapped), (true, false, false), "misaligned");
        assert_eq!(made(0, 1, Sharing::Kernel), (false, false, false));
        assert_eq!(made(0, BULK_MIN_BYTES as i64 / 8, Sharing::Mapped), (true, true, true));
        assert_eq!(made(0, 100, Sharing::Network), (true, true, false), "the network changes them");
    }
}
