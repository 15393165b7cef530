//! Long messages from and to memory of devices.

use super::streams::PART_BYTES;
use super::{PointToPoint, Way};
use crate::device_buffers::{fill, pending};
use crate::envelope::{Envelope, Mode};
use crate::error::Outcome;
use crate::handle;
use crate::packet::EXPORTED;
use crate::request::{Activity, Request};
use nemesis::Endpoint;
use nemesis::wire::{Header, words};
use nemesis_datatype::Buffer;
use nemesis_gpu::{Failure, Original};
use nemesis_mpi_check::Signature;

/// Memory of the host for one part of a message.
pub(super) struct Part {
    bytes: Vec<u8>,
    /// Which part of which send it has: a part that found no space is not read again.
    of: Option<(handle::Request, usize, usize)>,
}

impl Part {
    pub(super) const fn new() -> Part {
        Part { bytes: Vec::new(), of: None }
    }

    /// Returns bytes `from .. from + length` of the data of the send `request`.
    ///
    /// # Errors
    /// If the driver refuses.
    pub(super) fn read(
        &mut self,
        request: handle::Request,
        original: &Original,
        from: usize,
        length: usize,
    ) -> Result<&[u8], Failure> {
        let wanted = Some((request, from, length));
        if self.of != wanted {
            original.read(from, self.place(original, length))?;
            self.of = wanted;
        }
        Ok(&self.bytes[..length])
    }

    /// Forgets the part, which has been sent.
    pub(super) fn sent(&mut self) {
        self.of = None;
    }

    /// Returns memory for `length` bytes, at most [`PART_BYTES`], that go to or from `original`.
    fn place(&mut self, original: &Original, length: usize) -> &mut [u8] {
        self.of = None;
        if self.bytes.is_empty() {
            self.bytes.resize(PART_BYTES, 0);
            original.pin(&self.bytes);
        }
        &mut self.bytes[..length]
    }

    /// Receives `bytes` bytes at `address` in the memory of process `origin`, which the kernel
    /// copies. Returns false if it refuses.
    pub(super) fn receive(
        &mut self,
        endpoint: &mut Endpoint,
        (origin, address): (u32, u64),
        original: &Original,
        bytes: usize,
    ) -> bool {
        (0..bytes).step_by(PART_BYTES).all(|from| {
            let part = self.place(original, (bytes - from).min(PART_BYTES));
            let is_read = endpoint.read_memory(origin, address + from as u64, part);
            if is_read {
                original.write(from, part);
            }
            is_read
        })
    }
}

impl PointToPoint {
    /// Starts the send of a buffer whose data are on a device.
    #[cold]
    pub(super) fn start_send_from_device(
        &mut self,
        buffer: &Buffer,
        envelope: Envelope,
        (mode, is_eager): (Mode, bool),
    ) -> Outcome<Option<handle::Request>> {
        let (to, bytes) = (envelope.to, buffer.bytes());
        let is_near = self
            .endpoint
            .as_ref()
            .is_some_and(|endpoint| endpoint.is_on_host(to) && endpoint.me() != to);
        let is_exported = is_near && pending(buffer).is_some_and(|it| it.export().is_some());
        let leaves_at_once = is_eager
            && (self.way(to, bytes) != Way::Announced || self.goes_as_eager_bulk(to, bytes));
        if leaves_at_once && !is_exported {
            fill(buffer)?;
            return self.start_send(buffer, envelope, mode);
        }
        self.announce_on_device(buffer, envelope, is_exported).map(Some)
    }

    /// Announces a message in memory of a device, which the receiver's device may read if
    /// `is_exported`.
    fn announce_on_device(
        &mut self,
        buffer: &Buffer,
        envelope: Envelope,
        is_exported: bool,
    ) -> Outcome<handle::Request> {
        self.core.losses.check(envelope.to)?;
        let tag = Some(envelope.header.tag);
        let activity = Activity::Announced { buffer: buffer.clone(), to: envelope.to, tag };
        let mut request = Request::new(envelope.comm, activity);
        request.expected = Some(envelope.to);
        let request = self.new_request(request)?;
        let unknown = Signature::default();
        let (header, control) =
            self.announcement(request, buffer, &envelope.header, envelope.to, unknown);
        let export = pending(buffer).and_then(Original::export).filter(|_| is_exported);
        match export {
            None => self.send_control(envelope.to, header, control),
            Some(export) => {
                let payload = [words(control).as_bytes(), &export.to_bytes()].concat();
                self.send_bytes(envelope.to, Header { flags: EXPORTED, ..header }, payload.into());
            }
        }
        if let Some(endpoint) = &mut self.endpoint
            && endpoint.is_throttled(envelope.to)
        {
            endpoint.force_slow_path(envelope.to);
        }
        Ok(request)
    }
}
