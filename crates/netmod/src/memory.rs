//! Memory that crosses the interface.
//!
//! Three types, each an address with a guarantee. An `unsafe` constructor states the guarantee;
//! modules use the memory through safe methods.
//!
//! | type | guarantee | until |
//! |---|---|---|
//! | [`Cell`] | only the module uses it | it is delivered or given back |
//! | [`Region`] | the sender does not change it | its send is completed |
//! | [`RegionMut`] | only the module uses it | its packet is delivered or its sender lost |
//!
//! All three are moved and cannot be copied, so that a module cannot keep what it has handed over.
//! A host that does not know yet where a bulk payload belongs receives it into a [`Bounce`], which
//! can be read once the module has dropped its region.

#![allow(unsafe_code)]

use nemesis_shm::span::Span;
use nemesis_wire::{HEADER_BYTES, Header};
use std::any::Any;
use std::fmt;
use std::ptr::{NonNull, with_exposed_provenance_mut};
use std::sync::Arc;

/// Memory for one packet: the frame (header, then payload) in one piece, aligned to 8 bytes, in
/// memory that the primary module has registered.
#[derive(Debug)]
#[must_use = "a cell that is neither delivered nor given back is lost to its host"]
pub struct Cell {
    id: u64,
    frame: NonNull<u8>,
    payload: usize,
}

// SAFETY: a cell grants exclusive access to its memory, on every thread.
unsafe impl Send for Cell {}

impl Cell {
    /// Makes a cell for `payload` bytes of payload; `id` is the host's name for it.
    ///
    /// # Safety
    /// `HEADER_BYTES + payload` bytes at `frame` are aligned to 8 bytes and initialised, and
    /// nothing else uses them until the cell has come back to its host.
    pub unsafe fn new(id: u64, frame: NonNull<u8>, payload: usize) -> Cell {
        Cell { id, frame, payload }
    }

    /// Returns the host's name for the cell.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Returns the bytes of payload that fit into the cell.
    pub fn payload_capacity(&self) -> usize {
        self.payload
    }

    /// Returns the memory of the frame: header and payload.
    pub fn frame(&self) -> &[u8] {
        // SAFETY: the contract of `new` makes these bytes readable and this cell their only user.
        unsafe { std::slice::from_raw_parts(self.frame.as_ptr(), HEADER_BYTES + self.payload) }
    }

    /// Returns the memory of the frame, to write it.
    pub fn frame_mut(&mut self) -> &mut [u8] {
        // SAFETY: the contract of `new` makes this cell the bytes' only user, and `&mut self` makes
        // this the only slice.
        unsafe { std::slice::from_raw_parts_mut(self.frame.as_ptr(), HEADER_BYTES + self.payload) }
    }

    /// Returns the packet in the cell; `None` if its header claims more payload than fits.
    pub fn packet(&self) -> Option<(Header, &[u8])> {
        let header = Header::decode(self.frame())?;
        let payload = self.frame().get(HEADER_BYTES..HEADER_BYTES + usize::from(header.size))?;
        Some((header, payload))
    }
}

/// Keeps memory mapped at its address.
type Owner = Arc<dyn Any + Send + Sync>;

/// Returns the address of `bytes` bytes of a span from `offset` on, and their owner; `None` if they
/// exceed the span.
fn part_of(span: &Span, offset: usize, bytes: usize) -> Option<(NonNull<u8>, Option<Owner>)> {
    let fits = offset.checked_add(bytes).is_some_and(|end| end <= span.bytes());
    let address = NonNull::new(with_exposed_provenance_mut(span.address().checked_add(offset)?))
        .filter(|_| fits)?;
    Some((address, span.owner().map(|shared| shared as Owner)))
}

/// Bytes that stay at their address while a module sends them.
pub struct Region {
    address: NonNull<u8>,
    bytes: usize,
    /// Registration that covers the bytes.
    registration: Option<u64>,
    /// Keeps shared memory mapped.
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

// SAFETY: any thread may read a region (contract of `new`).
unsafe impl Send for Region {}

impl Region {
    /// Makes a region of the `bytes` bytes at `address`.
    ///
    /// # Safety
    /// The bytes are readable and do not change until the send that they are given to has
    /// completed. A region that is only named, for a registration, stays mapped until the module is
    /// dropped.
    pub unsafe fn new(address: NonNull<u8>, bytes: usize) -> Region {
        Region { address, bytes, registration: None, _owner: None }
    }

    /// Returns the region of `bytes` bytes of a span from `offset` on; `None` if they exceed the
    /// span. If another process changes them meanwhile, the module sends a mixture of old and new
    /// bytes.
    pub fn of_span(span: &Span, offset: usize, bytes: usize) -> Option<Region> {
        let (address, _owner) = part_of(span, offset, bytes)?;
        Some(Region { address, bytes, registration: None, _owner })
    }

    /// Returns another region of these bytes, for a module that gives its send to a second module.
    /// The guarantee ends for both regions when the send has completed.
    pub fn share(&self) -> Region {
        let &Region { address, bytes, .. } = self;
        Region { address, bytes, registration: None, _owner: self._owner.clone() }
    }

    /// Returns the length in bytes.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Whether the region has no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Returns the region with the id of a registration that covers it: that of the module to which
    /// the region goes ([`Registration::id`](crate::optional::Registration::id)).
    pub fn registered(self, id: Option<u64>) -> Region {
        Region { registration: id, ..self }
    }

    /// Returns the id of the module's registration that covers the region; `None` if none does.
    pub fn registration(&self) -> Option<u64> {
        self.registration
    }

    /// Returns the address at which the region begins.
    pub fn address(&self) -> NonNull<u8> {
        self.address
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the contract of `new` makes the bytes readable and unchanging.
        unsafe { std::slice::from_raw_parts(self.address.as_ptr(), self.bytes) }
    }
}

/// Memory into which a module receives a bulk payload.
pub struct RegionMut {
    address: NonNull<u8>,
    bytes: usize,
    /// Registration that covers the bytes.
    registration: Option<u64>,
    /// Keeps memory mapped that is shared or that the host allocated.
    _owner: Option<Owner>,
}

// SAFETY: a region grants exclusive access to its memory (contract of `new`), on every thread.
unsafe impl Send for RegionMut {}

/// Omits the bytes, because a module may be writing them.
impl fmt::Debug for RegionMut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RegionMut")
            .field("address", &self.address)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl RegionMut {
    /// Makes a region of the `bytes` bytes at `address`.
    ///
    /// # Safety
    /// The bytes are writable, and nothing else uses them until the packet is delivered or its
    /// sender is reported lost.
    pub unsafe fn new(address: NonNull<u8>, bytes: usize) -> RegionMut {
        RegionMut { address, bytes, registration: None, _owner: None }
    }

    /// Returns the region of `bytes` bytes of a span from `offset` on; `None` if they exceed the
    /// span. A process that reads them meanwhile sees a mixture of old and new bytes.
    pub fn of_span(span: &Span, offset: usize, bytes: usize) -> Option<RegionMut> {
        let (address, _owner) = part_of(span, offset, bytes)?;
        Some(RegionMut { address, bytes, registration: None, _owner })
    }

    /// Returns the length in bytes.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Whether the region has no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Returns the region with the id of a registration that covers it: that of the module to which
    /// the region goes ([`Registration::id`](crate::optional::Registration::id)).
    pub fn registered(self, id: Option<u64>) -> RegionMut {
        RegionMut { registration: id, ..self }
    }

    /// Returns the id of the module's registration that covers the region; `None` if none does.
    pub fn registration(&self) -> Option<u64> {
        self.registration
    }

    /// Returns the address at which the region begins.
    pub fn address(&self) -> NonNull<u8> {
        self.address
    }

    /// Returns the bytes from `offset` on, to receive into.
    ///
    /// # Panics
    /// If `offset` lies beyond the end.
    pub fn from_mut(&mut self, offset: usize) -> &mut [u8] {
        // SAFETY: the contract of `new` makes this region the bytes' only user, and `&mut self`
        // makes this the only slice. The receiver writes the bytes before it reads them.
        unsafe { &mut std::slice::from_raw_parts_mut(self.address.as_ptr(), self.bytes)[offset..] }
    }

    /// Writes `from` at `offset`.
    ///
    /// # Panics
    /// If `from` exceeds the region.
    pub fn write(&mut self, offset: usize, from: &[u8]) {
        assert!(
            from.len() <= self.bytes && offset <= self.bytes - from.len(),
            "a bulk payload ends within its destination"
        );
        // SAFETY: the assertion keeps the copy within the region, which is writable and exclusive
        // (contract of `new`), so that the borrow `from` lies elsewhere.
        unsafe {
            std::ptr::copy_nonoverlapping(
                from.as_ptr(),
                self.address.as_ptr().add(offset),
                from.len(),
            )
        };
    }
}

/// A bounce buffer: memory of the host for a bulk payload that has no destination yet.
///
/// # Examples
/// ```
/// use nemesis_netmod::Bounce;
///
/// let (mut bounce, mut region) = Bounce::new(4);
/// region.write(1, &[7, 8]);
/// assert_eq!(bounce.bytes(), None, "the module may still write");
/// drop(region);
/// assert_eq!(bounce.bytes(), Some(&[0, 7, 8, 0][..]));
/// ```
pub struct Bounce(Arc<Vec<u8>>);

/// Omits the bytes, because a module may be writing them.
impl fmt::Debug for Bounce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bounce").field("bytes", &self.len()).finish()
    }
}

impl Bounce {
    /// Allocates a bounce buffer of `bytes` bytes, and returns it and the region by which a module
    /// writes it.
    pub fn new(bytes: usize) -> (Bounce, RegionMut) {
        let mut memory = vec![0; bytes];
        let address = NonNull::from(memory.as_mut_slice()).cast();
        let memory = Arc::new(memory);
        // The memory keeps its address as long as an `Arc` holds it. Nothing reads it before the
        // region has been dropped (see `bytes`).
        let region = RegionMut {
            address,
            bytes,
            registration: None,
            _owner: Some(Arc::clone(&memory) as Owner),
        };
        (Bounce(memory), region)
    }

    /// Returns the capacity in bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the buffer has no bytes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the bytes; `None` as long as a module may write them.
    pub fn bytes(&mut self) -> Option<&[u8]> {
        Arc::get_mut(&mut self.0).map(|memory| memory.as_slice())
    }

    /// Returns the bytes by value; returns the bounce buffer as the error as long as a module may
    /// write them.
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
