//! Memory that crosses the interface.
//!
//! Three kinds, all of them addresses with a promise, made by an `unsafe` constructor where the promise can be kept and used through safe
//! methods by modules:
//!
//! | type | whose | until |
//! |---|---|---|
//! | [`Cell`] | lent to the module, exclusively | delivered or given back |
//! | [`Region`] | the sender's, unchanged | its send is completed |
//! | [`RegionMut`] | the receiver's, the module writes it | its packet is delivered or its process lost |
//!
//! All three go by move and cannot be copied, so a module cannot keep what it has handed over. A host that has no place for a body yet receives it into a
//! [`Bounce`], which is read when the module has let go of it.

#![allow(unsafe_code)]

use nemesis_shm::span::Span;
use nemesis_wire::{HEADER_BYTES, Header};
use std::any::Any;
use std::fmt;
use std::ptr::{NonNull, with_exposed_provenance_mut};
use std::sync::Arc;

/// Room for one packet: the frame (header, then payload) in one piece, aligned to 8 bytes, in memory that the primary module has registered.
#[derive(Debug)]
#[must_use = "a cell that is neither delivered nor given back is lost to its host"]
pub struct Cell {
    id: u64,
    frame: NonNull<u8>,
    payload: usize,
}

// SAFETY: a cell is exclusive access to a piece of memory, wherever its holder runs.
unsafe impl Send for Cell {}

impl Cell {
    /// A cell with room for `payload` bytes behind a header, which its host knows as `id`.
    ///
    /// # Safety
    /// `HEADER_BYTES + payload` bytes at `frame` are aligned to 8 bytes, initialised, and used by nobody else until the cell has come back.
    pub unsafe fn new(id: u64, frame: NonNull<u8>, payload: usize) -> Cell {
        Cell { id, frame, payload }
    }

    pub fn id(&self) -> u64 {
        self.id
    }

    /// Bytes of payload that fit.
    pub fn room(&self) -> usize {
        self.payload
    }

    pub fn frame(&self) -> &[u8] {
        // SAFETY: the contract of `new`.
        unsafe { std::slice::from_raw_parts(self.frame.as_ptr(), HEADER_BYTES + self.payload) }
    }

    pub fn frame_mut(&mut self) -> &mut [u8] {
        // SAFETY: the contract of `new`, and `&mut self` makes this the only slice.
        unsafe { std::slice::from_raw_parts_mut(self.frame.as_ptr(), HEADER_BYTES + self.payload) }
    }

    /// The packet that was filled in; `None` when its header tells of more payload than there is room for.
    pub fn packet(&self) -> Option<(Header, &[u8])> {
        let header = Header::decode(self.frame())?;
        let payload = self.frame().get(HEADER_BYTES..HEADER_BYTES + usize::from(header.size))?;
        Some((header, payload))
    }
}

/// What keeps memory where it is.
type Owner = Arc<dyn Any + Send + Sync>;

/// Where bytes of a span lie, and what keeps them there; `None` when it has not so many.
fn part_of(span: &Span, offset: usize, bytes: usize) -> Option<(NonNull<u8>, Option<Owner>)> {
    let fits = offset.checked_add(bytes).is_some_and(|end| end <= span.bytes());
    let address = NonNull::new(with_exposed_provenance_mut(span.address().checked_add(offset)?))
        .filter(|_| fits)?;
    Some((address, span.owner().map(|shared| shared as Owner)))
}

/// Bytes that stay where they are while they are sent.
pub struct Region {
    address: NonNull<u8>,
    bytes: usize,
    /// Keeps the memory, where it is shared.
    _owner: Option<Owner>,
}

impl fmt::Debug for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Region")
            .field("address", &self.address)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

// SAFETY: a region may be read from anywhere (contract of `new`).
unsafe impl Send for Region {}

impl Region {
    /// # Safety
    /// The bytes are valid for reading and do not change until the send that they are given to has completed; or, for a region that is only
    /// named (registration), they stay mapped as long as the module.
    pub unsafe fn new(address: NonNull<u8>, bytes: usize) -> Region {
        Region { address, bytes, _owner: None }
    }

    /// `bytes` bytes of a span from `offset` on; `None` when it has not so many. Whoever else changes them meanwhile gets some of the old ones sent and some
    /// of the new.
    pub fn of_span(span: &Span, offset: usize, bytes: usize) -> Option<Region> {
        let (address, _owner) = part_of(span, offset, bytes)?;
        Some(Region { address, bytes, _owner })
    }

    pub fn len(&self) -> usize {
        self.bytes
    }

    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    pub fn address(&self) -> NonNull<u8> {
        self.address
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the contract of `new`.
        unsafe { std::slice::from_raw_parts(self.address.as_ptr(), self.bytes) }
    }
}

/// Where a body is to be received.
pub struct RegionMut {
    address: NonNull<u8>,
    bytes: usize,
    /// Keeps the memory, where it is shared or the host's own.
    _owner: Option<Owner>,
}

// SAFETY: exclusive access (contract of `new`), wherever its holder runs.
unsafe impl Send for RegionMut {}

/// Not the bytes, which somebody may be writing.
impl fmt::Debug for RegionMut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RegionMut")
            .field("address", &self.address)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl RegionMut {
    /// # Safety
    /// The bytes are valid for writing, and nobody else uses them until the packet is delivered or its sender is reported lost.
    pub unsafe fn new(address: NonNull<u8>, bytes: usize) -> RegionMut {
        RegionMut { address, bytes, _owner: None }
    }

    /// `bytes` bytes of a span from `offset` on; `None` when it has not so many. Whoever reads them meanwhile gets bytes of before or after.
    pub fn of_span(span: &Span, offset: usize, bytes: usize) -> Option<RegionMut> {
        let (address, _owner) = part_of(span, offset, bytes)?;
        Some(RegionMut { address, bytes, _owner })
    }

    pub fn len(&self) -> usize {
        self.bytes
    }

    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    pub fn address(&self) -> NonNull<u8> {
        self.address
    }

    /// The bytes from `offset` on, to be received into.
    ///
    /// # Panics
    /// When `offset` lies behind the end.
    pub fn from_mut(&mut self, offset: usize) -> &mut [u8] {
        // SAFETY: the contract of `new`, and `&mut self` makes this the only slice; whoever receives into it reads none of it before.
        unsafe { &mut std::slice::from_raw_parts_mut(self.address.as_ptr(), self.bytes)[offset..] }
    }

    /// Writes `from` at `offset`.
    ///
    /// # Panics
    /// When it does not fit.
    pub fn write(&mut self, offset: usize, from: &[u8]) {
        assert!(
            from.len() <= self.bytes && offset <= self.bytes - from.len(),
            "a body ends within its place"
        );
        // SAFETY: checked to lie within the region, which is ours to write (contract of `new`); `from` is a borrow of something else.
        unsafe {
            std::ptr::copy_nonoverlapping(
                from.as_ptr(),
                self.address.as_ptr().add(offset),
                from.len(),
            )
        };
    }
}

/// Memory of the host's own, for a body that has no place yet: the bounce buffer.
pub struct Bounce(Arc<Vec<u8>>);

/// Not the bytes, which somebody may be writing.
impl fmt::Debug for Bounce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bounce").field("bytes", &self.len()).finish()
    }
}

impl Bounce {
    /// Room for `bytes` bytes, and the same as a place for a module.
    pub fn new(bytes: usize) -> (Bounce, RegionMut) {
        let mut memory = vec![0; bytes];
        let address = NonNull::from(memory.as_mut_slice()).cast();
        let memory = Arc::new(memory);
        // The memory stays where it is as long as anybody has it, and nobody reads it before the region is gone (`bytes`).
        let region = RegionMut { address, bytes, _owner: Some(Arc::clone(&memory) as Owner) };
        (Bounce(memory), region)
    }

    /// How many bytes there is room for.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The bytes; `None` as long as a module may write them.
    pub fn bytes(&mut self) -> Option<&[u8]> {
        Arc::get_mut(&mut self.0).map(|memory| memory.as_slice())
    }

    /// The same bytes, taken out; the bounce buffer as long as a module may write them.
    pub fn into_bytes(self) -> Result<Box<[u8]>, Bounce> {
        Arc::try_unwrap(self.0).map(Vec::into_boxed_slice).map_err(Bounce)
    }
}

impl From<Box<[u8]>> for Bounce {
    fn from(bytes: Box<[u8]>) -> Bounce {
        Bounce(Arc::new(bytes.into_vec()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bounce_is_read_when_its_region_is_gone() {
        let (mut bounce, mut region) = Bounce::new(4);
        region.write(1, &[7, 8]);
        assert_eq!((bounce.len(), bounce.bytes()), (4, None));
        drop(region);
        assert_eq!(bounce.bytes(), Some(&[0, 7, 8, 0][..]));
        let (bounce, mut region) = Bounce::new(2);
        region.write(0, &[1, 2]);
        let bounce = bounce.into_bytes().unwrap_err();
        drop(region);
        assert_eq!(*bounce.into_bytes().unwrap(), [1, 2]);
        let (bounce, mut region) = Bounce::new(2);
        drop(bounce);
        region.write(0, &[1, 2]);
    }
}
