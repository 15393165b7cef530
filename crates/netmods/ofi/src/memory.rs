//! Message buffers, and the contexts of operations.
//!
//! The provider uses both from the call that starts an operation until its completion, so neither
//! moves while the endpoint lives.

#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;

/// Buffers of a chunk, which is registered as a whole.
pub const CHUNK_BUFFERS: usize = 16;
const PAGE_BYTES: usize = 4096;

/// Memory of `CHUNK_BUFFERS` buffers, on pages of its own.
pub struct Chunk {
    base: NonNull<u8>,
    layout: Layout,
    buffer_bytes: usize,
}

// SAFETY: the memory belongs to the chunk; its buffers are distinct.
unsafe impl Send for Chunk {}
// SAFETY: as above; a shared chunk gives access to nothing.
unsafe impl Sync for Chunk {}

impl Drop for Chunk {
    fn drop(&mut self) {
        // SAFETY: `new` allocated the memory with this layout.
        unsafe { dealloc(self.base.as_ptr(), self.layout) };
    }
}

impl Chunk {
    /// Allocates a chunk for buffers of `buffer_bytes` bytes, a multiple of 64.
    pub fn new(buffer_bytes: usize) -> Arc<Chunk> {
        let bytes = (buffer_bytes * CHUNK_BUFFERS).next_multiple_of(PAGE_BYTES);
        let layout = Layout::from_size_align(bytes, PAGE_BYTES).expect("a chunk has a size");
        // SAFETY: the layout is not empty.
        let base = unsafe { alloc_zeroed(layout) };
        let base = NonNull::new(base).unwrap_or_else(|| handle_alloc_error(layout));
        Arc::new(Chunk { base, layout, buffer_bytes })
    }

    /// Returns the address and the length of the memory, to register it.
    pub fn memory(&self) -> (NonNull<u8>, usize) {
        (self.base, self.layout.size())
    }

    /// Returns the buffers, once. `descriptor` is the chunk's registration.
    pub fn buffers(self: &Arc<Chunk>, descriptor: *mut c_void) -> impl Iterator<Item = Buffer> {
        (0..CHUNK_BUFFERS).map(move |number| Buffer {
            // SAFETY: the chunk has this many buffers.
            address: unsafe { self.base.add(number * self.buffer_bytes) },
            bytes: self.buffer_bytes,
            descriptor,
            _chunk: Arc::clone(self),
        })
    }
}

/// Memory for one message. Only its owner uses it; an operation owns it while it is under way.
pub struct Buffer {
    address: NonNull<u8>,
    bytes: usize,
    descriptor: *mut c_void,
    _chunk: Arc<Chunk>,
}

// SAFETY: a buffer grants exclusive access to its memory, on every thread; the descriptor is only
// a value that the library has given out.
unsafe impl Send for Buffer {}

impl Buffer {
    /// Returns the address.
    pub fn address(&self) -> *mut c_void {
        self.address.as_ptr().cast()
    }

    /// Returns the descriptor of the registration; null if the provider needs none.
    pub fn descriptor(&self) -> *mut c_void {
        self.descriptor
    }

    /// Returns the length in bytes.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the chunk has these bytes, which were zeroed at first, and this buffer is their
        // only user.
        unsafe { std::slice::from_raw_parts(self.address.as_ptr(), self.bytes) }
    }

    /// Returns the bytes, to write them.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and `&mut self` makes this the only slice.
        unsafe { std::slice::from_raw_parts_mut(self.address.as_ptr(), self.bytes) }
    }
}

/// Bytes of an operation's context, in which a provider may write (`FI_CONTEXT2`).
const CONTEXT_BYTES: usize = 64;
const SLOTS_PER_CHUNK: usize = 64;

/// The context that an operation gives to the provider, and the operation's number.
#[repr(C, align(64))]
struct Slot {
    context: [u8; CONTEXT_BYTES],
    number: usize,
}

/// The operations under way: for each its context, and what it holds until it completes.
pub struct Operations<T> {
    chunks: Vec<NonNull<Slot>>,
    held: Vec<Option<T>>,
    free: Vec<usize>,
}

// SAFETY: the contexts belong to this object.
unsafe impl<T: Send> Send for Operations<T> {}

impl<T> Default for Operations<T> {
    fn default() -> Operations<T> {
        Operations { chunks: Vec::new(), held: Vec::new(), free: Vec::new() }
    }
}

impl<T> Drop for Operations<T> {
    fn drop(&mut self) {
        for &chunk in &self.chunks {
            // SAFETY: `add` has allocated the chunk with this layout.
            unsafe { dealloc(chunk.as_ptr().cast(), Self::layout()) };
        }
    }
}

impl<T> Operations<T> {
    fn layout() -> Layout {
        Layout::array::<Slot>(SLOTS_PER_CHUNK).expect("a chunk of contexts has a size")
    }

    /// Holds what an operation needs until it completes. Returns the operation's number.
    pub fn add(&mut self, what: T) -> usize {
        if self.free.is_empty() {
            let layout = Self::layout();
            // SAFETY: the layout is not empty.
            let chunk = NonNull::new(unsafe { alloc_zeroed(layout) }.cast::<Slot>())
                .unwrap_or_else(|| handle_alloc_error(layout));
            let first = self.held.len();
            for number in 0..SLOTS_PER_CHUNK {
                // SAFETY: the chunk has this many slots; nothing else uses them.
                unsafe { (&raw mut (*chunk.add(number).as_ptr()).number).write(first + number) };
            }
            self.chunks.push(chunk);
            self.held.extend((0..SLOTS_PER_CHUNK).map(|_| None));
            self.free.extend((first..first + SLOTS_PER_CHUNK).rev());
        }
        let number = self.free.pop().expect("a slot is free");
        self.held[number] = Some(what);
        number
    }

    /// Returns the context of an operation, for the provider.
    pub fn context(&self, number: usize) -> *mut c_void {
        let chunk = self.chunks[number / SLOTS_PER_CHUNK];
        // SAFETY: the chunk has this many slots.
        unsafe { chunk.add(number % SLOTS_PER_CHUNK) }.as_ptr().cast()
    }

    /// Ends an operation and returns what it held; `None` if there is no such operation.
    pub fn remove(&mut self, number: usize) -> Option<T> {
        let held = self.held.get_mut(number)?.take()?;
        self.free.push(number);
        Some(held)
    }

    /// Ends the operation with this context, which a completion has named.
    pub fn remove_by_context(&mut self, context: *mut c_void) -> Option<T> {
        if context.is_null() {
            return None;
        }
        // SAFETY: a provider returns the contexts that operations gave to it, and contexts live as
        // long as this object. The provider writes at most the first 64 bytes.
        let number = unsafe { (&raw const (*context.cast::<Slot>()).number).read() };
        self.remove(number)
    }

    /// Returns the numbers of the operations whose contents satisfy a condition.
    pub fn find(&self, condition: impl Fn(&T) -> bool) -> Vec<usize> {
        let held = self.held.iter().enumerate();
        held.filter(|(_, held)| held.as_ref().is_some_and(&condition))
            .map(|(number, _)| number)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_distinct_and_outlive_their_chunk() {
        let chunk = Chunk::new(128);
        let mut buffers: Vec<Buffer> = chunk.buffers(std::ptr::null_mut()).collect();
        drop(chunk);
        for (number, buffer) in buffers.iter_mut().enumerate() {
            buffer.bytes_mut().fill(number as u8);
        }
        for (number, buffer) in buffers.iter().enumerate() {
            assert!(buffer.len() == 128 && buffer.bytes().iter().all(|&b| b == number as u8));
        }
    }

    #[test]
    fn contexts_stay_where_they_are() {
        let mut operations = Operations::default();
        let numbers: Vec<usize> = (0..200).map(|what| operations.add(what)).collect();
        let contexts: Vec<*mut c_void> =
            numbers.iter().map(|&number| operations.context(number)).collect();
        for (what, &context) in contexts.iter().enumerate() {
            // SAFETY: a provider may write 64 bytes.
            unsafe { context.cast::<u8>().write_bytes(0xee, 64) };
            assert_eq!(operations.remove_by_context(context), Some(what));
            assert_eq!(operations.remove_by_context(context), None, "it has ended");
        }
        assert_eq!(operations.remove_by_context(std::ptr::null_mut()), None);
        let again = operations.add(7);
        assert!(contexts.contains(&operations.context(again)));
        assert_eq!(operations.find(|&what| what == 7), [again]);
    }
}
