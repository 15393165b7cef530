//! Accumulate operations by atomic instructions of the processor (MPI 5.0 §12.3.4).
//!
//! An accumulate is atomic for each element, with respect to all other accumulates. An element of
//! one, two, four or eight bytes at an address that is a multiple of its size is combined by one
//! atomic instruction, or by a loop with compare-and-swap; any other element needs a lock. The type
//! and the address of the element alone decide between the two, so all processes decide alike in
//! every call and never mix both at one address. Short elements that fill an aligned word of eight
//! bytes are combined by one instruction; the processor orders it with those on single elements.
//!
//! All operations are AcqRel: a thread that reads the new value of an element by an accumulate
//! function also sees everything that the accumulating process wrote before. MPI requires less, but
//! programs rely on it, and it costs nothing on x86.
#![allow(unsafe_code)]

use std::ptr::with_exposed_provenance_mut;

use nemesis_sync::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use crate::contiguous::Contiguous;
use crate::datatype::Datatype;
use crate::datatype::basic::{Group, by_handle, group_bit, predefined_contiguous_size};
use crate::error::TypeError;
use crate::op::{Op, Operand};
use crate::reduce::{not_defined, reduce};
use crate::region::{LocalTarget, MemoryRegion};

/// Evaluates an expression with the type of words of this size: 1, 2, 4 or 8 bytes.
macro_rules! with_word {
    ($size:expr, $word:ident => $value:expr) => {
        match $size {
            8 => {
                type $word = u64;
                $value
            }
            4 => {
                type $word = u32;
                $value
            }
            2 => {
                type $word = u16;
                $value
            }
            _ => {
                type $word = u8;
                $value
            }
        }
    };
}

/// Instruction that combines an element.
#[derive(Clone, Copy)]
enum Method {
    Load,
    Swap,
    Add,
    And,
    Or,
    Xor,
    /// Computes the result and stores it by compare-and-swap.
    CompareExchange,
}

impl Method {
    fn of(op: Op, element: &Datatype) -> Method {
        Operand::of(element)
            .map_or(Method::CompareExchange, |operand| Method::of_group(op, operand.group.bit()))
    }

    #[inline(always)]
    const fn of_group(op: Op, group: u16) -> Method {
        let whole = group & Group::WHOLE_NUMBERS != 0;
        match op {
            Op::NoOp => Method::Load,
            Op::Replace => Method::Swap,
            Op::Sum if whole => Method::Add,
            Op::Band => Method::And,
            Op::Bor => Method::Or,
            Op::Bxor => Method::Xor,
            _ => Method::CompareExchange,
        }
    }
}

/// A predefined operation on one word of a predefined type, for the fast path.
#[derive(Clone, Copy)]
pub struct AtomicOp {
    op: Op,
    method: Method,
    element: usize,
    size: usize,
}

impl AtomicOp {
    /// Finds the operation by the handles of operation and type. Returns `None` unless the type is
    /// a predefined one whose elements are words and the operation is defined on it.
    #[inline(always)]
    pub fn find(op: usize, element: usize) -> Option<AtomicOp> {
        let (op, group, size) = (
            Op::from_handle(op)?,
            group_bit(element),
            predefined_contiguous_size(element)? as usize,
        );
        let defined = matches!(size, 1 | 2 | 4 | 8) && op.groups() & group != 0;
        defined.then_some(AtomicOp { op, method: Method::of_group(op, group), element, size })
    }
}

/// Returns true if aligned elements of this predefined type are combined without a lock.
pub fn is_word(element: &Datatype) -> bool {
    matches!(element.size(), 1 | 2 | 4 | 8) && element.size() == element.extent()
}

impl LocalTarget<'_> {
    /// Returns true if every target element of the predefined type `element` is a word at a
    /// multiple of its size, so that no lock is needed.
    pub fn is_lock_free(&self, element: &Datatype) -> bool {
        let size = element.size() as usize;
        if let Some(run) = self.buffer.contiguous() {
            return is_word(element) && run.address.is_multiple_of(size);
        }
        is_word(element)
            && self
                .buffer
                .runs(0)
                .all(|run| run.address.is_multiple_of(size) && run.len.is_multiple_of(size))
    }

    /// Combines packed elements of `element`, a word, with the target elements, each atomically,
    /// from byte `from` of the packed stream on, and writes the old values to `before`.
    ///
    /// The caller holds the lock for elements that are not aligned (see
    /// [`is_lock_free`](Self::is_lock_free)).
    ///
    /// # Errors
    /// If the operation is not defined on `element`.
    pub fn combine_atomically(
        &self,
        from: usize,
        op: Op,
        element: &Datatype,
        operands: &[u8],
        before: Option<&mut [u8]>,
    ) -> Result<(), TypeError> {
        if !op.allows(element) {
            return Err(not_defined(op, element));
        }
        debug_assert!(is_word(element), "an element of {} bytes is not a word", element.size());
        let size = element.size();
        with_word!(size, W => self.combine_words::<W>(from, op, element, operands, before));
        Ok(())
    }

    fn combine_words<W: Word>(
        &self,
        from: usize,
        op: Op,
        element: &Datatype,
        operands: &[u8],
        mut before: Option<&mut [u8]>,
    ) {
        let method = Method::of(op, element);
        let operation = (op, method, element);
        // An accumulate with `MPI_NO_OP` has no operands.
        let all = operands.len().max(before.as_ref().map_or(0, |before| before.len()));
        let mut at = 0;
        for run in self.buffer.runs(from) {
            let end = all.min(at + run.len);
            let words = run.address.is_multiple_of(size_of::<W>())
                && (end - at).is_multiple_of(size_of::<W>());
            if words {
                let before = before.as_deref_mut().map(|before| &mut before[at..end]);
                let operands = operands.get(at..end).unwrap_or_default();
                // SAFETY: aligned words inside the region (A1), and `op` is defined on their type.
                unsafe { combine_row::<W>((run.address, end - at), operation, operands, before) };
                at = end;
            }
            for address in (run.address..).step_by(size_of::<W>()) {
                if at >= end {
                    break;
                }
                let operand = operands.get(at..at + size_of::<W>()).map_or(W::ZERO, W::read);
                // SAFETY: the element lies inside the region (A1), and `op` is defined on its type.
                let old = unsafe {
                    combine_word(with_exposed_provenance_mut(address), operand, method, op, || {
                        Some(element)
                    })
                };
                if let Some(before) = before.as_deref_mut() {
                    old.write(&mut before[at..at + size_of::<W>()]);
                }
                at += size_of::<W>();
            }
            if at >= all {
                break;
            }
        }
    }

    /// Replaces the single target element by `new` if it equals `expected`, atomically, and writes
    /// the old value to `before`. For an element that is no aligned word the caller holds the lock.
    pub fn compare_and_swap(&self, expected: &[u8], new: &[u8], before: &mut [u8]) {
        match expected.len() {
            1 => self.compare_and_swap_word::<u8>(expected, new, before),
            2 => self.compare_and_swap_word::<u16>(expected, new, before),
            4 => self.compare_and_swap_word::<u32>(expected, new, before),
            8 => self.compare_and_swap_word::<u64>(expected, new, before),
            _ => {
                self.buffer.pack_at(0, before);
                if before == expected {
                    self.buffer.unpack_at(0, new);
                }
            }
        }
    }

    fn compare_and_swap_word<W: Word>(&self, expected: &[u8], new: &[u8], before: &mut [u8]) {
        let word = with_exposed_provenance_mut::<W>(self.buffer.address());
        let expected = W::read(expected);
        let old = if word.is_aligned() {
            // SAFETY: aligned, and inside the region (A1).
            unsafe { W::compare_exchange(word, expected, W::read(new)) }
                .unwrap_or_else(|found| found)
        } else {
            // SAFETY: inside the region (A1), under the caller's lock.
            let found = unsafe { word.read_unaligned() };
            if found == expected {
                // SAFETY: as above.
                unsafe { word.write_unaligned(W::read(new)) };
            }
            found
        };
        old.write(before);
    }
}

impl MemoryRegion {
    /// Combines one word at byte `offset` atomically with `operand` (none for `MPI_NO_OP`), and
    /// writes the old value to `result`. Returns false, and does nothing, if the word is not
    /// aligned or not inside the region.
    #[inline(always)]
    pub fn combine_contiguous(
        &self,
        offset: usize,
        operation: &AtomicOp,
        operand: Option<&Contiguous>,
        result: Option<&Contiguous>,
    ) -> bool {
        let size = operation.size;
        let Some(word) = self.run(offset, size).filter(|word| word & (size - 1) == 0) else {
            return false;
        };
        let fits = operand.is_none_or(|span| span.len() == size)
            && result.is_none_or(|span| span.len() == size);
        if !fits || operand.is_none() != (operation.op == Op::NoOp) {
            return false;
        }
        with_word!(size, W => combine_one::<W>(word, operation, operand, result));
        true
    }

    /// Combines consecutive words from byte `offset` on, each atomically, with those of `operand`.
    /// Returns false, and does nothing, if they are not aligned or not inside the region.
    pub fn combine_contiguous_row(
        &self,
        offset: usize,
        operation: &AtomicOp,
        operand: &Contiguous,
    ) -> bool {
        let Some((first, element)) = self.row(offset, operation, operand) else { return false };
        let AtomicOp { op, method, size, .. } = *operation;
        let (row, operands) = ((first, operand.len()), operand.as_bytes());
        let operation = (op, method, element);
        // SAFETY: inside the region (A1), aligned, and `op` is defined on their type.
        unsafe { with_word!(size, W => combine_row::<W>(row, operation, operands, None)) };
        true
    }

    /// Combines consecutive words as [`combine_contiguous_row`](Self::combine_contiguous_row) does,
    /// for a caller that has excluded everybody who combines here.
    pub fn combine_contiguous_locked(
        &self,
        offset: usize,
        operation: &AtomicOp,
        operand: &Contiguous,
    ) -> bool {
        let Some((first, element)) = self.row(offset, operation, operand) else { return false };
        let count = operand.len() / operation.size;
        let (operands, target) = (operand.as_bytes().as_ptr(), with_exposed_provenance_mut(first));
        // SAFETY: R1: `count` elements of the operands, and as many inside the region (A1).
        unsafe { reduce(operation.op, element, operands, target, count) }.is_ok()
    }

    /// Returns the address of the words that `operand` is to be combined with, and their type, if
    /// they are aligned and inside the region.
    fn row(
        &self,
        offset: usize,
        operation: &AtomicOp,
        operand: &Contiguous,
    ) -> Option<(usize, &'static Datatype)> {
        let AtomicOp { op, element, size, .. } = *operation;
        let first = self.run(offset, operand.len())?;
        let fits = first.is_multiple_of(size) && operand.len().is_multiple_of(size);
        let element = by_handle(element)?;
        (fits && op != Op::NoOp).then_some((first, element))
    }

    /// Replaces the word at byte `offset` by `new` if it equals `expected`, atomically, and writes
    /// the old value to `result`. Returns false, and does nothing, if it is no aligned word inside
    /// the region.
    #[inline]
    pub fn swap_contiguous(
        &self,
        offset: usize,
        [new, expected, result]: [&Contiguous; 3],
    ) -> bool {
        let size = new.len();
        let Some(word) = self
            .run(offset, size)
            .filter(|word| matches!(size, 1 | 2 | 4 | 8) && word.is_multiple_of(size))
        else {
            return false;
        };
        with_word!(size, W => compare_exchange_one::<W>(word, new, expected, result));
        true
    }
}

/// Combines one word at an address that was checked.
#[inline(always)]
fn combine_one<W: Word>(
    word: usize,
    operation: &AtomicOp,
    operand: Option<&Contiguous>,
    result: Option<&Contiguous>,
) {
    let AtomicOp { op, method, element, .. } = *operation;
    let operand = operand.map_or(W::ZERO, |operand| W::read(operand.as_bytes()));
    // SAFETY: inside the region (A1), aligned, and `op` is defined on its type.
    let old = unsafe {
        combine_word(with_exposed_provenance_mut::<W>(word), operand, method, op, || {
            by_handle(element)
        })
    };
    store_result(old, result);
}

/// Compares and swaps one word at an address that was checked.
#[inline(always)]
fn compare_exchange_one<W: Word>(
    word: usize,
    new: &Contiguous,
    expected: &Contiguous,
    result: &Contiguous,
) {
    let (new, expected) = (W::read(new.as_bytes()), W::read(expected.as_bytes()));
    // SAFETY: inside the region (A1) and aligned.
    let old = unsafe { W::compare_exchange(with_exposed_provenance_mut::<W>(word), expected, new) };
    store_result(old.unwrap_or_else(|found| found), Some(result));
}

#[inline(always)]
fn store_result<W: Word>(old: W, result: Option<&Contiguous>) {
    if let Some(result) = result {
        old.put(result);
    }
}

/// Combines one element and returns its old value. Calls `element` for its type if the processor
/// has no instruction.
///
/// # Safety
/// The element at `word` is readable and writable, and `op` is defined on its type.
#[inline(always)]
unsafe fn combine_word<'a, W: Word>(
    word: *mut W,
    operand: W,
    method: Method,
    op: Op,
    element: impl FnOnce() -> Option<&'a Datatype>,
) -> W {
    if !word.is_aligned() || matches!(method, Method::CompareExchange) {
        // SAFETY: the caller's promise.
        return element().map_or(W::ZERO, |element| unsafe {
            combine_by_compare_exchange(word, operand, op, element)
        });
    }
    // SAFETY: the caller's promise, and it is aligned.
    unsafe {
        match method {
            Method::Load | Method::CompareExchange => W::load(word),
            Method::Swap => W::swap(word, operand),
            Method::Add => W::add(word, operand),
            Method::And => W::and(word, operand),
            Method::Or => W::or(word, operand),
            Method::Xor => W::xor(word, operand),
        }
    }
}

/// Combines consecutive elements, each atomically, with packed operands (none for `MPI_NO_OP`), and
/// writes the old values to `before`. Elements that fill an aligned word of eight bytes are
/// combined together: an instruction takes some five nanoseconds, whatever its size.
///
/// # Safety
/// The elements of `bytes` bytes from address `first` on are readable and writable, aligned, and
/// `op` is defined on their type, whose size is that of `W`.
unsafe fn combine_row<W: Word>(
    (first, bytes): (usize, usize),
    (op, method, element): (Op, Method, &Datatype),
    operands: &[u8],
    mut before: Option<&mut [u8]>,
) {
    const WIDE: usize = size_of::<u64>();
    let head = (first.next_multiple_of(WIDE) - first).min(bytes);
    let tail = (bytes - head) % WIDE;
    for (range, is_wide) in
        [(0..head, false), (head..bytes - tail, true), (bytes - tail..bytes, false)]
    {
        let place = (first + range.start, range.len());
        let operation = (op, method, element);
        let operands = operands.get(range.clone()).unwrap_or_default();
        let before = before.as_deref_mut().map(|before| &mut before[range.clone()]);
        // SAFETY: the caller's promise.
        unsafe {
            if is_wide {
                combine_words_of::<u64>(place, operation, operands, before);
            } else {
                combine_words_of::<W>(place, operation, operands, before);
            }
        }
    }
}

/// Combines consecutive words of one or more elements as [`combine_row`] does.
///
/// # Safety
/// As for [`combine_row`]; the elements fill words.
#[inline(always)]
unsafe fn combine_words_of<W: Word>(
    (first, bytes): (usize, usize),
    (op, method, element): (Op, Method, &Datatype),
    operands: &[u8],
    mut before: Option<&mut [u8]>,
) {
    let word = with_exposed_provenance_mut::<W>(first);
    let several = element.size() as usize != size_of::<W>();
    if matches!(method, Method::CompareExchange) || several && matches!(method, Method::Add) {
        // SAFETY: the caller's promise.
        return unsafe { combine_run(word, operands, op, element, before) };
    }
    for index in 0..bytes / size_of::<W>() {
        let at = index * size_of::<W>();
        let operand = operands.get(at..at + size_of::<W>()).map_or(W::ZERO, W::read);
        // SAFETY: the caller's promise. No result is computed.
        let old = unsafe { combine_word(word.wrapping_add(index), operand, method, op, || None) };
        if let Some(before) = before.as_deref_mut() {
            old.write(&mut before[at..]);
        }
    }
}

/// Number of consecutive words that are computed at once.
const RUN_WORDS: usize = 8;

/// Combines consecutive words, each atomically, with packed operands, and writes the old values to
/// `before`. It computes several words at once and then exchanges each; it computes a word again if
/// another thread has changed it in between. Elements are as long as words, or shorter.
///
/// # Safety
/// The words from `first_word` on, one for each operand, are aligned, readable and writable, and
/// `op` is defined on their type.
unsafe fn combine_run<W: Word>(
    first_word: *mut W,
    operands: &[u8],
    op: Op,
    element: &Datatype,
    mut before: Option<&mut [u8]>,
) {
    for (block, operands) in operands.chunks(RUN_WORDS * size_of::<W>()).enumerate() {
        let (first, words) = (block * RUN_WORDS, operands.len() / size_of::<W>());
        let mut old = [W::ZERO; RUN_WORDS];
        for (index, word) in old[..words].iter_mut().enumerate() {
            // SAFETY: the caller's promise.
            *word = unsafe { W::load(first_word.wrapping_add(first + index)) };
        }
        let mut new = old;
        let elements = operands.len() / element.size() as usize;
        // SAFETY: R1: the elements of the operands, and as many in a local variable.
        let done =
            unsafe { reduce(op, element, operands.as_ptr(), new.as_mut_ptr().cast(), elements) };
        debug_assert!(done.is_ok(), "the operation was checked");
        for (index, operand) in operands.chunks_exact(size_of::<W>()).enumerate() {
            let word = first_word.wrapping_add(first + index);
            // SAFETY: the caller's promise.
            if unsafe { W::compare_exchange(word, old[index], new[index]) }.is_err() {
                // SAFETY: the caller's promise.
                old[index] =
                    unsafe { combine_by_compare_exchange(word, W::read(operand), op, element) };
            }
            if let Some(before) = before.as_deref_mut() {
                old[index].write(&mut before[(first + index) * size_of::<W>()..]);
            }
        }
    }
}

/// Replaces a word by the result of the operation: by compare-and-swap until no other thread
/// interferes, or, if the word is not aligned, under the caller's lock.
///
/// # Safety
/// As for [`combine_word`].
#[inline(never)]
unsafe fn combine_by_compare_exchange<W: Word>(
    word: *mut W,
    operand: W,
    op: Op,
    element: &Datatype,
) -> W {
    let elements = size_of::<W>() / element.size() as usize;
    let combined = |old: W| {
        let mut new = old;
        let operands = (&raw const operand).cast();
        // SAFETY: R1: the elements of a word on either side, in local variables.
        let done = unsafe { reduce(op, element, operands, (&raw mut new).cast(), elements) };
        debug_assert!(done.is_ok(), "the operation was checked");
        new
    };
    if !word.is_aligned() {
        // SAFETY: the caller's promise; nothing else combines here without the lock.
        let old = unsafe { word.read_unaligned() };
        // SAFETY: as above.
        unsafe { word.write_unaligned(combined(old)) };
        return old;
    }
    // SAFETY: the caller's promise, and it is aligned.
    let mut old = unsafe { W::load(word) };
    // SAFETY: as above.
    while let Err(found) = unsafe { W::compare_exchange(word, old, combined(old)) } {
        old = found;
    }
    old
}

/// A number that the processor combines by one instruction.
///
/// # Safety
/// (of all its functions) The word at `word` is aligned, readable and writable.
trait Word: Copy + PartialEq {
    const ZERO: Self;
    /// Reads the first bytes of a slice that is long enough.
    fn read(bytes: &[u8]) -> Self;
    fn write(self, bytes: &mut [u8]);
    fn put(self, to: &Contiguous);
    unsafe fn load(word: *mut Self) -> Self;
    unsafe fn swap(word: *mut Self, value: Self) -> Self;
    unsafe fn add(word: *mut Self, value: Self) -> Self;
    unsafe fn and(word: *mut Self, value: Self) -> Self;
    unsafe fn or(word: *mut Self, value: Self) -> Self;
    unsafe fn xor(word: *mut Self, value: Self) -> Self;
    unsafe fn compare_exchange(word: *mut Self, old: Self, new: Self) -> Result<Self, Self>;
}

macro_rules! words {
    ($($word:ty, $atomic:ty;)*) => {$(
        impl Word for $word {
            const ZERO: Self = 0;
            #[inline(always)]
            fn read(bytes: &[u8]) -> Self {
                <$word>::from_ne_bytes(*bytes.first_chunk().expect("enough bytes for a word"))
            }
            #[inline(always)]
            fn write(self, bytes: &mut [u8]) {
                *bytes.first_chunk_mut().expect("enough bytes for a word") = self.to_ne_bytes();
            }
            #[inline(always)]
            fn put(self, to: &Contiguous) {
                to.put_array(self.to_ne_bytes());
            }
            #[inline(always)]
            unsafe fn load(word: *mut Self) -> Self {
                // SAFETY: the trait's promise. Acquire: see the head of this file.
                unsafe { <$atomic>::from_ptr(word) }.load(Ordering::Acquire)
            }
            #[inline(always)]
            unsafe fn swap(word: *mut Self, value: Self) -> Self {
                // SAFETY: the trait's promise. AcqRel: see the head of this file.
                unsafe { <$atomic>::from_ptr(word) }.swap(value, Ordering::AcqRel)
            }
            #[inline(always)]
            unsafe fn add(word: *mut Self, value: Self) -> Self {
                // SAFETY: the trait's promise. AcqRel: see the head of this file.
                unsafe { <$atomic>::from_ptr(word) }.fetch_add(value, Ordering::AcqRel)
            }
            #[inline(always)]
            unsafe fn and(word: *mut Self, value: Self) -> Self {
                // SAFETY: the trait's promise. AcqRel: see the head of this file.
                unsafe { <$atomic>::from_ptr(word) }.fetch_and(value, Ordering::AcqRel)
            }
            #[inline(always)]
            unsafe fn or(word: *mut Self, value: Self) -> Self {
                // SAFETY: the trait's promise. AcqRel: see the head of this file.
                unsafe { <$atomic>::from_ptr(word) }.fetch_or(value, Ordering::AcqRel)
            }
            #[inline(always)]
            unsafe fn xor(word: *mut Self, value: Self) -> Self {
                // SAFETY: the trait's promise. AcqRel: see the head of this file.
                unsafe { <$atomic>::from_ptr(word) }.fetch_xor(value, Ordering::AcqRel)
            }
            #[inline(always)]
            unsafe fn compare_exchange(
                word: *mut Self,
                old: Self,
                new: Self,
            ) -> Result<Self, Self> {
                // SAFETY: the trait's promise. AcqRel: see the head of this file.
                let word = unsafe { <$atomic>::from_ptr(word) };
                word.compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire)
            }
        }
    )*};
}

words! {
    u8, AtomicU8;
    u16, AtomicU16;
    u32, AtomicU32;
    u64, AtomicU64;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datatype::basic::all_predefined;
    use crate::region::combine_packed;

    /// Aligned to eight bytes, so that no element is aligned one byte further.
    #[repr(align(8))]
    struct Memory([u8; 64]);

    #[test]
    fn words_are_combined_as_packed_elements_are() {
        for element in all_predefined().iter().filter(|element| is_word(element)) {
            for op in Op::ALL.into_iter().filter(|op| op.allows(element)) {
                for offset in [0, 8, 1] {
                    let mut memory = Memory(std::array::from_fn(|index| index as u8 % 3));
                    let size = element.size() as usize;
                    let operands: Vec<u8> = (0..4 * size).map(|index| (index % 2) as u8).collect();
                    let old = memory.0[offset..offset + 4 * size].to_vec();
                    let mut expected = old.clone();
                    combine_packed(op, element, &operands, &mut expected).unwrap();
                    // SAFETY: the memory outlives the region.
                    let region = unsafe { MemoryRegion::of_program((&raw mut memory).cast(), 64) };
                    let word = region.resolve(offset as i64, 4, element).unwrap();
                    assert_eq!(word.is_lock_free(element), offset % size == 0);
                    let mut before = vec![0; 4 * size];
                    word.combine_atomically(0, op, element, &operands, Some(&mut before)).unwrap();
                    assert_eq!(
                        (&memory.0[offset..offset + 4 * size], before),
                        (&*expected, old),
                        "{element:?} {op:?} at {offset}"
                    );
                }
            }
        }
    }

    #[test]
    fn one_contiguous_word_is_combined_as_a_target_is() {
        let span = |memory: &mut [u8]| Contiguous::of_bytes(memory);
        for element in all_predefined().iter().filter(|element| is_word(element)) {
            let size = element.size() as usize;
            for op in Op::ALL {
                let mut memory = Memory([3; 64]);
                let (mut operand, mut result) = ([2; 8], [0; 8]);
                let mut expected = [3; 8];
                // SAFETY: the memory outlives the region.
                let region = unsafe { MemoryRegion::of_program((&raw mut memory).cast(), 64) };
                let given = span(&mut operand[..size]);
                let given = (op != Op::NoOp).then_some(&given);
                let before = span(&mut result[..size]);
                let handle = element.predefined_handle().unwrap();
                let Some(operation) = AtomicOp::find(op.handle(), handle) else {
                    assert!(!op.allows(element), "{element:?} {op:?}");
                    continue;
                };
                assert!(op.allows(element), "{element:?} {op:?}");
                assert!(
                    region.combine_contiguous(8, &operation, given, Some(&before)),
                    "{element:?} {op:?}"
                );
                {
                    combine_packed(op, element, &[2; 8][..size], &mut expected[..size]).unwrap();
                    assert_eq!(
                        (&memory.0[8..8 + size], &result[..size]),
                        (&expected[..size], &[3; 8][..size]),
                        "{element:?} {op:?}"
                    );
                }
                assert!(
                    !region.combine_contiguous(64, &operation, given, None),
                    "outside the region"
                );
                assert!(
                    size == 1 || !region.combine_contiguous(9, &operation, given, None),
                    "not aligned"
                );
            }
        }
    }

    #[test]
    fn rows_of_short_elements_are_combined_as_packed_elements_are() {
        for element in all_predefined().iter().filter(|element| is_word(element)) {
            let (size, handle) = (element.size() as usize, element.predefined_handle().unwrap());
            for op in Op::ALL.into_iter().filter(|op| op.allows(element)) {
                for (offset, count) in [(0, 40 / size), (8 - size, 24 / size), (16 + size, 1)] {
                    let mut memory = Memory(std::array::from_fn(|index| index as u8 % 2));
                    let len = count * size;
                    let mut operands: Vec<u8> = (0..len).map(|i| (i / 3 % 2) as u8).collect();
                    let mut expected = memory.0;
                    let (old, place) = (memory.0, offset..offset + len);
                    let row = &mut expected[place.clone()];
                    combine_packed(op, element, &operands, row).unwrap();
                    let case = format!("{element:?} {op:?}: {count} at {offset}");
                    // SAFETY: the memory outlives the region.
                    let region = unsafe { MemoryRegion::of_program((&raw mut memory).cast(), 64) };
                    let target = region.resolve(offset as i64, count as i64, element).unwrap();
                    let (mut before, none) = (vec![0; len], op == Op::NoOp);
                    let given = if none { &[][..] } else { &operands[..] };
                    target.combine_atomically(0, op, element, given, Some(&mut before)).unwrap();
                    assert_eq!((memory.0, &before[..]), (expected, &old[place]), "{case}");
                    // The fast path does the same once more.
                    combine_packed(op, element, &operands, &mut expected[offset..offset + len])
                        .unwrap();
                    let operation = AtomicOp::find(op.handle(), handle).unwrap();
                    let span = Contiguous::of_bytes(&mut operands);
                    let done = region.combine_contiguous_row(offset, &operation, &span);
                    assert_eq!(done, !none, "{case}");
                    assert!(none || memory.0 == expected, "{case}, at once");
                    let row = &mut expected[offset..offset + len];
                    combine_packed(op, element, &operands, row).unwrap();
                    let span = Contiguous::of_bytes(&mut operands);
                    let done = region.combine_contiguous_locked(offset, &operation, &span);
                    assert!(done != none && (none || memory.0 == expected), "{case}, locked");
                    let outside = 64 - len + size;
                    assert!(!region.combine_contiguous_row(outside, &operation, &span), "{case}");
                    let odd = offset + 1;
                    assert!(
                        size == 1 || !region.combine_contiguous_row(odd, &operation, &span),
                        "{case}, not aligned"
                    );
                }
            }
        }
    }

    /// Several threads add to words that are computed several at once. No addition is lost, and
    /// each value is returned as an old value once.
    #[test]
    fn a_run_of_words_is_combined_word_by_word() {
        const WORDS: usize = 3 * RUN_WORDS + 5;
        let (threads, rounds) = if cfg!(miri) { (2, 2) } else { (4, 500) };
        let element = Datatype::predefined(0x210).unwrap();
        let mut memory = [0f32; WORDS];
        let address = (&raw mut memory).expose_provenance();
        let ones: Vec<u8> = [1f32; WORDS].into_iter().flat_map(f32::to_ne_bytes).collect();
        let seen: f32 = std::thread::scope(|scope| {
            let adding = || {
                // SAFETY: the memory outlives the region.
                let region = unsafe {
                    MemoryRegion::of_program(with_exposed_provenance_mut(address), 4 * WORDS)
                };
                let word = region.resolve(0, WORDS as i64, element).unwrap();
                let (mut before, mut last) = (vec![0; 4 * WORDS], 0.0);
                for _ in 0..rounds {
                    word.combine_atomically(0, Op::Sum, element, &ones, Some(&mut before)).unwrap();
                    last += f32::from_ne_bytes(*before.last_chunk().unwrap());
                }
                last
            };
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(adding)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        let all = (threads * rounds) as f32;
        assert_eq!(memory, [all; WORDS]);
        assert_eq!(seen, all * (all - 1.0) / 2.0);
    }

    #[test]
    fn a_swap_requires_the_expected_value() {
        let mut memory = Memory([7; 64]);
        // SAFETY: the memory outlives the region.
        let region = unsafe { MemoryRegion::of_program((&raw mut memory).cast(), 64) };
        for handle in [0x247, 0x248, 0x250, 0x258, 0x2e1] {
            let element = Datatype::predefined(handle).unwrap();
            let size = element.size() as usize;
            for offset in [0, 16, 33] {
                let word = region.resolve(offset, 1, element).unwrap();
                let mut before = vec![0; size];
                word.compare_and_swap(&vec![8; size], &vec![9; size], &mut before);
                assert_eq!(before, vec![7; size]);
                word.compare_and_swap(&vec![7; size], &vec![9; size], &mut before);
                word.compare_and_swap(&vec![9; size], &vec![7; size], &mut before);
                assert_eq!(before, vec![9; size]);
            }
        }
    }
}
