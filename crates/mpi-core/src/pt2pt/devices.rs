//! Sends from memory of devices that the host's copy does not have yet.

use super::PointToPoint;
use crate::device_buffers::{export_of, fill};
use crate::envelope::{Envelope, Mode};
use crate::error::Outcome;
use crate::handle;
use crate::packet::EXPORTED;
use crate::request::{Activity, Request};
use nemesis::wire::{Header, words};
use nemesis_datatype::Buffer;
use nemesis_mpi_check::Signature;

impl PointToPoint {
    /// Starts the send of a buffer whose data are on a device.
    #[cold]
    pub(super) fn start_send_from_device(
        &mut self,
        buffer: &Buffer,
        envelope: Envelope,
        mode: Mode,
    ) -> Outcome<Option<handle::Request>> {
        let is_near = self.endpoint.as_ref().is_some_and(|endpoint| {
            !endpoint.is_remote(envelope.to) && endpoint.me() != envelope.to
        });
        if is_near {
            return self.announce_exported(buffer, envelope).map(Some);
        }
        fill(buffer)?;
        self.start_send(buffer, envelope, mode)
    }

    /// Announces a message in memory of a device, which the receiver's device may read.
    #[cold]
    fn announce_exported(
        &mut self,
        buffer: &Buffer,
        envelope: Envelope,
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
        let mut payload = words(control).as_bytes().to_vec();
        if let Some(export) = export_of(buffer) {
            payload.extend_from_slice(&export.to_bytes());
        }
        self.send_bytes(envelope.to, Header { flags: EXPORTED, ..header }, payload.into());
        Ok(request)
    }
}
