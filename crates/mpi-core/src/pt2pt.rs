//! Point-to-point communication: the endpoint, the sending half of the protocol, and the requests.
//!
//! | file | subject |
//! |---|---|
//! | this one | the state, and the polls |
//! | `send`, `receive` | starting sends and receives |
//! | `devices` | long messages from and to memory of devices |
//! | `eager_bulk`, `streams` | sending bulk payloads; the bytes of announced messages |
//! | `rendezvous` | getting the bytes of announced messages |
//! | `partitions` | posting the receives of a partitioned message |
//! | `requests` | requests by their handles |
//!
//! The receiving half is [`Core`], which sees packets while the endpoint polls and cannot send.

mod devices;
mod eager_bulk;
mod partitions;
mod receive;
mod rendezvous;
mod requests;
mod send;
mod streams;

pub use rendezvous::non_temporal_min_bytes;
pub(crate) use requests::{check_names, too_many_in_lane};
pub use send::Outgoing;
pub(crate) use send::Way;

use crate::handle::{self, Handle, Table};
use crate::protocol::{Core, Matched};
use crate::request::Choices;
use nemesis::Endpoint;
use std::collections::{BTreeMap, VecDeque};

/// The state of point-to-point communication.
pub struct PointToPoint {
    /// Sends packets and polls for them; `None` before the engine has started.
    pub endpoint: Option<Endpoint>,
    /// Everything that arriving packets touch.
    pub core: Core,
    /// Messages of matched probes.
    pub messages: Table<handle::Message, Matched>,
    /// Packets that wait for space in the endpoint, by destination. No queue is empty.
    outgoing: BTreeMap<u32, VecDeque<Outgoing>>,
    /// Number of packets in `outgoing`.
    pub outgoing_packets: usize,
    /// Longest eager message; longer messages are announced (`NEMESIS_EAGER_MAX_BYTES`).
    pub(crate) eager_max_bytes: usize,
    /// Longest eager message to another node that travels as bulk payload.
    eager_bulk_max_bytes: usize,
    /// Shortest message to another node that travels as bulk payload, by any network.
    bulk_min_bytes: usize,
    /// Longest payload of a packet; longer payloads are split (`NEMESIS_PACKET_MAX_BYTES`).
    pub packet_max_bytes: usize,
    /// Buffer into which non-contiguous messages are packed before they are sent.
    pub packing: Vec<u8>,
    /// The part of a message that goes from or to a device.
    device_part: devices::Part,
    /// The request shared by all sends that complete at once; null while there is no endpoint.
    pub done_request: handle::Request,
    /// State of the calls that complete one of several requests.
    pub(crate) choices: Choices,
}

impl PointToPoint {
    pub(crate) const fn new() -> PointToPoint {
        PointToPoint {
            endpoint: None,
            core: Core::new(),
            messages: Table::new(),
            outgoing: BTreeMap::new(),
            outgoing_packets: 0,
            eager_max_bytes: 0,
            eager_bulk_max_bytes: 0,
            bulk_min_bytes: 0,
            packet_max_bytes: 0,
            packing: Vec::new(),
            device_part: devices::Part::new(),
            done_request: handle::Request::NULL,
            choices: Choices::new(),
        }
    }

    /// Begins in another lane, where `endpoint` is, with the limits of `first`.
    pub(crate) fn be_like(&mut self, first: &PointToPoint, endpoint: Endpoint, lane: usize) {
        self.endpoint = Some(endpoint);
        self.eager_max_bytes = first.eager_max_bytes;
        self.eager_bulk_max_bytes = first.eager_bulk_max_bytes;
        self.bulk_min_bytes = first.bulk_min_bytes;
        self.packet_max_bytes = first.packet_max_bytes;
        self.core.non_temporal_min_bytes = first.core.non_temporal_min_bytes;
        self.core.unexpected_max_bytes = first.core.unexpected_max_bytes;
        self.packing = vec![0; nemesis::PACKET_MAX_BYTES];
        self.core.attached_buffers = first.core.attached_buffers.share();
        self.core.goes_on = first.core.goes_on;
        self.core.lane = lane;
    }

    /// Returns this process's index in the job.
    pub fn own_process(&self) -> u32 {
        self.endpoint.as_ref().map_or(0, |endpoint| endpoint.me())
    }

    /// Polls the endpoint once and returns the number of packets taken.
    #[inline]
    pub fn poll(&mut self, expected: Option<u32>) -> u32 {
        match &mut self.endpoint {
            Some(endpoint) => endpoint.poll(expected, &mut self.core),
            None => 0,
        }
    }

    /// Returns whether work is pending that this process must carry out itself.
    #[inline(always)]
    pub fn has_duties(&self) -> bool {
        let core = &self.core;
        !core.tasks.is_empty()
            || !core.streams.is_empty()
            || !core.readings.is_empty()
            || core.upper.collectives > 0
            || self.outgoing_packets > 0
            || core.upper.busy.any()
    }
}
