//! Memory that peers reach, and access to the memory of peers.

#![allow(unsafe_code)]

use super::{Address, Endpoint, Held, Memory, NotStarted, close, reading_again, writing_again};
use crate::layout;
use nemesis_netmod::{Region, RegionMut};
use std::ffi::c_void;
use std::ptr::null_mut;

/// Why an endpoint without remote memory access refuses one.
const NO_REMOTE: &str = "the provider reaches no remote memory";

/// A place in the memory of a peer, as the provider names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remote {
    /// The virtual address, or the offset from the first registered byte.
    pub address: u64,
    /// The key of the registration.
    pub key: u64,
}

/// Memory that peers reach until it is given to [`Endpoint::conceal`].
pub struct Exposed {
    memory: Memory,
    /// Whether peers name places by virtual addresses, and not by offsets from the first byte.
    pub is_virtual: bool,
    /// The memory, which its owner keeps as long as it is registered.
    _region: Region,
}

impl Exposed {
    /// Returns the key by which peers name the memory.
    pub fn key(&self) -> u64 {
        self.memory.key
    }
}

impl Endpoint {
    /// Returns whether the endpoint reaches the memory of peers, and peers its own.
    pub fn reaches_memory(&self) -> bool {
        self.properties.reaches_memory() && self.calls.read.is_some() && self.calls.write.is_some()
    }

    /// Makes memory accessible to peers.
    pub fn expose(&mut self, region: Region) -> Result<Exposed, String> {
        if self.closed {
            return Err(super::CLOSED.to_owned());
        }
        let address = region.address().as_ptr();
        let access = layout::REMOTE_READ | layout::REMOTE_WRITE;
        let memory = self.register(address.cast(), region.len(), access)?;
        let is_virtual = self.properties.memory_mode & layout::MR_VIRT_ADDR != 0;
        Ok(Exposed { memory, is_virtual, _region: region })
    }

    /// Ends the access of peers. If the provider refuses, the memory remains accessible and is
    /// returned.
    pub fn conceal(&mut self, exposed: Exposed) -> Result<(), (Exposed, String)> {
        match close(exposed.memory.object) {
            0 => Ok(()),
            error => Err((exposed, self.library.error(error.into()))),
        }
    }

    /// Starts to write a region to the memory of a peer. Completes when the bytes are there.
    pub fn write(
        &mut self,
        to: Address,
        region: Region,
        there: Remote,
        label: u64,
    ) -> Result<(), NotStarted<Region>> {
        let region = self.unless_closed(region)?;
        let Some(write) = self.calls.write else {
            return Err(NotStarted::Failed(region, NO_REMOTE.to_owned()));
        };
        let (address, bytes) = (region.address().as_ptr().cast::<c_void>(), region.len());
        let memory = match self.local(address, bytes, layout::WRITE) {
            Ok(memory) => memory,
            Err(why) => return Err(NotStarted::Failed(region, why)),
        };
        let mut descriptor = memory.as_ref().map_or(null_mut(), |memory| memory.descriptor);
        let number = self.operations.add(Held::From(region, label, memory));
        let here = libc::iovec { iov_base: address, iov_len: bytes };
        let target = layout::RmaIov { addr: there.address, len: bytes, key: there.key };
        let message = layout::MsgRma {
            msg_iov: &here,
            desc: &mut descriptor,
            iov_count: 1,
            addr: to,
            rma_iov: &target,
            rma_iov_count: 1,
            context: self.operations.context(number),
            data: 0,
        };
        // SAFETY: region and context stay with the operation until it completes; the provider
        // copies the message and its lists before it returns.
        let answer = unsafe { write(self.endpoint.0, &message, layout::DELIVERY_COMPLETE) };
        self.started(number, answer).map_err(reading_again)
    }

    /// Starts to read the memory of a peer into a region.
    pub fn read(
        &mut self,
        from: Address,
        region: RegionMut,
        there: Remote,
        label: u64,
    ) -> Result<(), NotStarted<RegionMut>> {
        let region = self.unless_closed(region)?;
        let Some(read) = self.calls.read else {
            return Err(NotStarted::Failed(region, NO_REMOTE.to_owned()));
        };
        let (address, bytes) = (region.address().as_ptr().cast::<c_void>(), region.len());
        let memory = match self.local(address, bytes, layout::READ) {
            Ok(memory) => memory,
            Err(why) => return Err(NotStarted::Failed(region, why)),
        };
        let descriptor = memory.as_ref().map_or(null_mut(), |memory| memory.descriptor);
        let number = self.operations.add(Held::To(region, label, memory));
        let context = self.operations.context(number);
        // SAFETY: region and context stay with the operation until it completes.
        let answer = unsafe {
            read(
                self.endpoint.0,
                address,
                bytes,
                descriptor,
                from,
                there.address,
                there.key,
                context,
            )
        };
        self.started(number, answer).map_err(writing_again)
    }
}
