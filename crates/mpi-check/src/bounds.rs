//! Whether buffers and windows fit the memory in which they begin.
//!
//! ```text
//!   AddressSanitizer, if the program has it ─▶ knows of every byte
//!   start of a block of the C library       ─▶ its length is in the heap
//!   static memory, memory on the stack      ─▶ mpiexec asks the files of the program
//! ```
//!
//! What a program or library says of its variables is long, and the same for all ranks: `mpiexec`
//! reads it, once for a job. A process tells it of each call, and of each place that the call is
//! given, once for each larger number of bytes.

use crate::findings::{call_of, found, tell_memory};
use crate::kinds::{BOUNDS, LIMIT};
use crate::{Call, CallSite, STATE, locked, sites};
use nemesis_datatype::{Buffer, Combiner, Datatype};
use nemesis_sys::{allocations, calls, sanitizer};
use nemesis_wireup::finding::{Memory, MemoryAt};
use std::collections::HashMap;

/// Pairs of a call and a place that are examined at most.
const KEPT_MAX: usize = 4096;

/// What has been examined: the most bytes of each call and place. Places on the stack count from
/// the caller's stack pointer.
#[derive(Default)]
pub(crate) struct Examined {
    most: HashMap<(usize, usize), usize>,
    is_full: bool,
}

impl Examined {
    /// Returns whether these bytes need no examination, and notes that they have it. What comes
    /// when the table is full is not examined.
    fn covers(&mut self, call: usize, place: usize, bytes: usize) -> bool {
        if self.most.len() >= KEPT_MAX && !self.most.contains_key(&(call, place)) {
            self.is_full = true;
            return true;
        }
        let most = self.most.entry((call, place)).or_default();
        let is_covered = bytes <= *most;
        *most = bytes.max(*most);
        is_covered
    }
}

/// Tells if a buffer of the present call is larger than its memory.
pub(crate) fn check(buffer: &Buffer) {
    let datatype = buffer.datatype();
    if !is_within_one_variable(datatype) {
        return;
    }
    let Ok((first, end)) = datatype.span(buffer.count() as i64) else { return };
    let start = buffer.address().wrapping_add_signed(first as isize);
    if let Ok(bytes) = usize::try_from(end - first) {
        check_range(start, bytes);
    }
}

/// Tells if the memory of a window is larger than that of the program where it begins.
#[cold]
pub fn window(address: usize, bytes: usize) {
    if STATE.get().is_some() {
        check_range(address, bytes);
    }
}

/// Returns whether all elements of a buffer of a type belong to one variable, in the ways in which
/// programs make types. A struct may gather variables that only happen to be neighbours.
fn is_within_one_variable(datatype: &Datatype) -> bool {
    let contents = datatype.contents();
    contents.is_none_or(|contents| {
        let gathers = matches!(
            contents.combiner,
            Combiner::Struct | Combiner::Hindexed | Combiner::HindexedBlock
        );
        !gathers && contents.datatypes.iter().all(is_within_one_variable)
    })
}

fn check_range(address: usize, bytes: usize) {
    let (Some(state), Some(site)) = (STATE.get(), sites::here()) else { return };
    if bytes == 0 || address == 0 {
        return;
    }
    if let Some(at) = sanitizer::first_foreign(address, bytes) {
        let from = at - address;
        let text = format!("{bytes} bytes, and byte {from} is not in the memory where they begin");
        found(&BOUNDS, Some(site), 1, text);
        return;
    }
    let place = address.wrapping_sub(site.stack_pointer);
    let is_on_stack = address >= site.stack_pointer && calls::is_on_stack(address);
    let place = if is_on_stack { place } else { address };
    let module = if is_on_stack { None } else { calls::module_of(address) };
    // Blocks of the heap are too many to be kept, and cost little.
    if is_on_stack || module.is_some() {
        let (is_covered, is_full) = {
            let mut examined = locked(&state.bounds);
            let was_full = examined.is_full;
            let is_covered = examined.covers(site.address, place, bytes);
            (is_covered, examined.is_full && !was_full)
        };
        if is_full {
            let text = format!("the ends of buffers at more than {KEPT_MAX} places");
            found(&LIMIT, Some(site), 1, text);
        }
        if is_covered {
            return;
        }
    }
    if is_on_stack {
        on_stack(site, address, bytes);
    } else if let Some((module, offset)) = module {
        let module = module.to_string_lossy().into_owned();
        let start = Call { function: "memory".into(), module, offset: offset as u64 };
        tell_memory(site, start, Memory { bytes: bytes as u64, at: MemoryAt::Module });
    } else if let Some(room) = allocations::shorter_than(address, bytes) {
        let text = format!("{bytes} bytes, and the block where they begin has room for {room}");
        found(&BOUNDS, Some(site), 1, text);
    }
}

fn on_stack(site: CallSite, address: usize, bytes: usize) {
    let Some(frame) = calls::frame_with(address) else { return };
    let function = call_of(CallSite { address: frame.instruction, script: 0, ..site });
    let start = Call { function: "memory".into(), ..function };
    let at = MemoryAt::Frame {
        below_end: (frame.end - address) as u64,
        size: (frame.end - frame.stack_pointer) as u64,
    };
    tell_memory(site, start, Memory { bytes: bytes as u64, at });
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: usize = 0x209;

    #[test]
    fn a_call_is_examined_again_for_more_bytes() {
        let mut examined = Examined::default();
        assert!(!examined.covers(1, 5, 40));
        assert!(examined.covers(1, 5, 40) && examined.covers(1, 5, 8));
        assert!(!examined.covers(1, 5, 41) && !examined.covers(2, 5, 40));
        for place in 0..KEPT_MAX {
            examined.covers(3, place, 1);
        }
        assert!(examined.most.len() <= KEPT_MAX && examined.is_full);
        assert!(!examined.covers(1, 5, 42), "those that are kept are examined");
    }

    #[test]
    fn structs_may_gather_variables() {
        let int = Datatype::predefined(INT).unwrap();
        let column = Datatype::vector(5, 1, 10, int).unwrap();
        let pair = Datatype::structure(&[1, 1], &[0, 40], &[int.clone(), column.clone()]).unwrap();
        assert!(is_within_one_variable(int) && is_within_one_variable(&column));
        assert!(!is_within_one_variable(&pair));
        let pairs = Datatype::contiguous(3, &pair).unwrap();
        assert!(!is_within_one_variable(&pairs));
    }
}
