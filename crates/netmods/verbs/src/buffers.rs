//! Registered memory of the module: buffers that this process and its device use in turn, and
//! slots that another process writes.

#![allow(unsafe_code)]

use crate::layout::{Sge, access};
use crate::objects::{Domain, Registration};
use nemesis_sync::{AtomicU64, Ordering};
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
use std::ptr::{NonNull, null_mut};
use std::sync::Arc;

/// Buffers start at multiples of this.
const ALIGN_BYTES: usize = 64;
/// Slabs are multiples of a page, so that no foreign data shares their pages.
const PAGE_BYTES: usize = 4096;

/// Who uses a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum User {
    Nobody,
    Process,
    Device,
}

/// Registered pages.
struct Slab {
    /// Dropped before the pages.
    registration: Option<Registration>,
    base: NonNull<u8>,
    bytes: usize,
}

// SAFETY: the slab owns its pages.
unsafe impl Send for Slab {}

impl Slab {
    fn new(domain: &Arc<Domain>, bytes: usize, rights: u32) -> Result<Slab, String> {
        // SAFETY: a new anonymous mapping overlaps nothing.
        let base = unsafe {
            mmap_anonymous(null_mut(), bytes, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE)
        };
        let base = base.map_err(|errno| errno.to_string())?;
        let base = NonNull::new(base.cast()).ok_or("no memory")?;
        let mut slab = Slab { registration: None, base, bytes };
        // SAFETY: the pages stay mapped until `drop`, which drops the registration first. `Buffers`
        // makes a reference to a buffer only while the device does not use it.
        let registration = unsafe { Registration::new(domain, base, bytes, rights)? };
        slab.registration = Some(registration);
        Ok(slab)
    }
}

impl Drop for Slab {
    fn drop(&mut self) {
        self.registration = None;
        // SAFETY: the slab mapped the pages, and nothing uses them any more.
        let _ = unsafe { munmap(self.base.as_ptr().cast(), self.bytes) };
    }
}

/// Registered buffers of one size.
pub struct Buffers {
    domain: Arc<Domain>,
    buffer_bytes: usize,
    stride: usize,
    /// Buffers of each slab.
    per_slab: usize,
    /// What the device may do with them.
    rights: u32,
    most: usize,
    slabs: Vec<Slab>,
    users: Vec<User>,
    free: Vec<u32>,
}

impl Buffers {
    /// Makes an empty pool of at most `most` buffers, which grows by `per_slab` buffers.
    pub fn new(
        domain: &Arc<Domain>,
        buffer_bytes: usize,
        per_slab: usize,
        most: usize,
        rights: u32,
    ) -> Buffers {
        let stride = buffer_bytes.next_multiple_of(ALIGN_BYTES);
        Buffers {
            domain: Arc::clone(domain),
            buffer_bytes,
            stride,
            per_slab,
            rights,
            most,
            slabs: Vec::new(),
            users: Vec::new(),
            free: Vec::new(),
        }
    }

    pub fn buffer_bytes(&self) -> usize {
        self.buffer_bytes
    }

    /// Adds a slab of buffers. Fails if there are enough, or if they cannot be registered; then the
    /// pool keeps its size, if it has any.
    fn grow(&mut self) -> Result<(), String> {
        if self.users.len() + self.per_slab > self.most {
            return Err(format!("all {} buffers are in use", self.users.len()));
        }
        let bytes = (self.stride * self.per_slab).next_multiple_of(PAGE_BYTES);
        match Slab::new(&self.domain, bytes, self.rights) {
            Ok(slab) => self.slabs.push(slab),
            Err(why) => {
                if !self.slabs.is_empty() {
                    self.most = self.users.len();
                }
                return Err(why);
            }
        }
        let first = self.users.len() as u32;
        self.users.resize(self.users.len() + self.per_slab, User::Nobody);
        self.free.extend((first..first + self.per_slab as u32).rev());
        Ok(())
    }

    /// Takes a free buffer.
    pub fn take(&mut self) -> Result<u32, String> {
        if self.free.is_empty() {
            self.grow()?;
        }
        let number = self.free.pop().ok_or("no buffer is free")?;
        self.users[number as usize] = User::Process;
        Ok(number)
    }

    /// Returns a buffer to the pool. The device does not use it any more.
    pub fn give_back(&mut self, number: u32) {
        self.users[number as usize] = User::Nobody;
        self.free.push(number);
    }

    fn locate(&self, number: u32) -> (&Slab, usize) {
        let number = number as usize;
        (&self.slabs[number / self.per_slab], number % self.per_slab * self.stride)
    }

    /// Gives a buffer to the device, and returns its first `bytes` bytes as part of a request.
    pub fn lend(&mut self, number: u32, bytes: usize) -> Sge {
        assert!(bytes <= self.buffer_bytes, "a request fits its buffer");
        self.users[number as usize] = User::Device;
        let (slab, offset) = self.locate(number);
        let lkey = slab.registration.as_ref().map_or(0, Registration::local_key);
        let addr = (slab.base.as_ptr().expose_provenance() + offset) as u64;
        Sge { addr, length: bytes as u32, lkey }
    }

    /// Takes a buffer back from the device, which has completed its request.
    pub fn take_back(&mut self, number: u32) {
        self.users[number as usize] = User::Process;
    }

    /// Returns the bytes of a buffer.
    ///
    /// # Panics
    /// If this process does not use the buffer.
    pub fn bytes(&self, number: u32) -> &[u8] {
        assert_eq!(self.users[number as usize], User::Process, "the device uses the buffer");
        let (slab, offset) = self.locate(number);
        // SAFETY: the buffer lies within its slab, which is mapped and initialised. The device does
        // not use it (assertion), and `&self` excludes a mutable slice of it.
        unsafe { std::slice::from_raw_parts(slab.base.as_ptr().add(offset), self.buffer_bytes) }
    }

    /// Returns the bytes of a buffer, to write them.
    ///
    /// # Panics
    /// If this process does not use the buffer.
    pub fn bytes_mut(&mut self, number: u32) -> &mut [u8] {
        assert_eq!(self.users[number as usize], User::Process, "the device uses the buffer");
        let (slab, offset) = self.locate(number);
        // SAFETY: as in `bytes`; `&mut self` makes this the only slice.
        unsafe { std::slice::from_raw_parts_mut(slab.base.as_ptr().add(offset), self.buffer_bytes) }
    }
}

/// Registered memory that another process writes, in slots. A slot ends with a word that its
/// message brings last.
pub struct Slots {
    slab: Slab,
    slot_bytes: usize,
}

impl Slots {
    /// Makes slots of a length that is a multiple of eight, filled with zeros.
    pub fn new(domain: &Arc<Domain>, slots: usize, slot_bytes: usize) -> Result<Slots, String> {
        assert!(slot_bytes.is_multiple_of(8), "a slot ends with an aligned word");
        let bytes = (slots * slot_bytes).next_multiple_of(PAGE_BYTES);
        let slab = Slab::new(domain, bytes, access::LOCAL_WRITE | access::REMOTE_WRITE)?;
        Ok(Slots { slab, slot_bytes })
    }

    /// Makes a word that other processes may read, and nobody writes.
    pub fn readable_word(domain: &Arc<Domain>) -> Result<Slots, String> {
        let slab = Slab::new(domain, PAGE_BYTES, access::REMOTE_READ)?;
        Ok(Slots { slab, slot_bytes: 8 })
    }

    /// Returns address and key for the other process.
    pub fn place(&self) -> (u64, u32) {
        let key = self.slab.registration.as_ref().map_or(0, Registration::remote_key);
        (self.slab.base.as_ptr().expose_provenance() as u64, key)
    }

    fn atomic_word(&self, slot: usize) -> &AtomicU64 {
        let end = (slot + 1) * self.slot_bytes;
        assert!(end <= self.slab.bytes, "the slot exists");
        // SAFETY: the word lies within the pages and is aligned. Only the device of the other
        // process and this process access it, and this process does so atomically.
        unsafe { AtomicU64::from_ptr(self.slab.base.as_ptr().add(end - 8).cast()) }
    }

    /// Returns the last word of a slot.
    pub fn word(&self, slot: usize) -> u64 {
        // Acquire: the device places the bytes of a write in ascending order, so loads after one
        // that returns the word return the message in front of it.
        self.atomic_word(slot).load(Ordering::Acquire)
    }

    /// Sets the last word of a slot to 0. The writer does not write the slot before it is told that
    /// the slot is free.
    pub fn clear_word(&self, slot: usize) {
        // Relaxed: the message that tells the writer is posted later.
        self.atomic_word(slot).store(0, Ordering::Relaxed);
    }

    /// Copies the message of a slot, which ends before the last word. Its writer does not write the
    /// slot again before it is told to.
    pub fn copy(&self, slot: usize, into: &mut [u8]) {
        let end = (slot + 1) * self.slot_bytes - 8;
        assert!(end + 8 <= self.slab.bytes && into.len() <= self.slot_bytes - 8, "it fits");
        // SAFETY: the bytes lie within the pages. No reference to them exists, and bytes that a
        // writer changes against the protocol are copied as they are.
        unsafe {
            std::ptr::copy_nonoverlapping(
                self.slab.base.as_ptr().add(end - into.len()),
                into.as_mut_ptr(),
                into.len(),
            );
        }
    }
}
