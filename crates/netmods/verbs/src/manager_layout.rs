//! Structures of librdmacm, the connection manager of iWARP devices, in layouts that its versions
//! share.

use crate::layout::{Context, layouts};
use std::ffi::{c_int, c_void};
use std::mem::offset_of;

/// A channel of events (`rdma_event_channel`).
#[repr(C)]
pub struct EventChannel {
    /// Readable when there is an event.
    pub fd: c_int,
}

/// A connection, a listener, or an attempt at either (`rdma_cm_id`).
#[repr(C)]
pub struct Id {
    /// The library's own context of the device, once an address has chosen the device.
    pub verbs: *mut Context,
    /// Channel of its events.
    pub channel: *mut EventChannel,
    /// A word of the user.
    pub context: *mut c_void,
    /// Fields that are not used.
    pub unused: [u64; 49],
}

/// Parameters of a connection (`rdma_conn_param`).
#[repr(C)]
pub struct ConnParam {
    /// Bytes for the other side.
    pub private_data: *const c_void,
    /// Their number.
    pub private_data_len: u8,
    /// Most reads under way as the target.
    pub responder_resources: u8,
    /// Most reads under way as the initiator.
    pub initiator_depth: u8,
    /// Whether there is flow control.
    pub flow_control: u8,
    /// Number of repetitions after a time-out.
    pub retry_count: u8,
    /// Number of repetitions to a receiver that is not ready.
    pub rnr_retry_count: u8,
    /// Whether the queue pair has a shared receive queue.
    pub srq: u8,
    /// Padding.
    pub unused0: u8,
    /// Number of the queue pair.
    pub qp_num: u32,
    /// Padding.
    pub unused1: u32,
}

/// An event (`rdma_cm_event`).
#[repr(C)]
pub struct Event {
    /// What it concerns; for a request, the new connection.
    pub id: *mut Id,
    /// The listener that a request has reached.
    pub listen_id: *mut Id,
    /// Kind of the event.
    pub event: u32,
    /// 0, or why something failed: an error number, or a number of the device.
    pub status: c_int,
    /// Parameters of the other side.
    pub conn: ConnParam,
    /// Parameters of datagrams.
    pub unused: [u64; 4],
}

/// Kinds of events.
pub mod event {
    /// The address leads to a device.
    pub const ADDR_RESOLVED: u32 = 0;
    /// No device leads to the address.
    pub const ADDR_ERROR: u32 = 1;
    /// There is a route.
    pub const ROUTE_RESOLVED: u32 = 2;
    /// There is no route.
    pub const ROUTE_ERROR: u32 = 3;
    /// Somebody asks a listener for a connection.
    pub const CONNECT_REQUEST: u32 = 4;
    /// Connecting has failed.
    pub const CONNECT_ERROR: u32 = 6;
    /// The other side does not answer.
    pub const UNREACHABLE: u32 = 7;
    /// The other side has refused.
    pub const REJECTED: u32 = 8;
    /// The connection is made.
    pub const ESTABLISHED: u32 = 9;
    /// The connection has ended.
    pub const DISCONNECTED: u32 = 10;
    /// The device is being removed.
    pub const DEVICE_REMOVAL: u32 = 11;
}

/// Port space of reliable connections.
pub const PORT_SPACE_TCP: c_int = 0x0106;

layouts! {
    EventChannel = "rdma_event_channel", 4 { fd @ 0 }
    Id = "rdma_cm_id", 416 { verbs @ 0, channel @ 8, context @ 16 }
    ConnParam = "rdma_conn_param", 24 {
        private_data @ 0, private_data_len @ 8, responder_resources @ 9, initiator_depth @ 10,
        flow_control @ 11, retry_count @ 12, rnr_retry_count @ 13, srq @ 14, qp_num @ 16,
    }
    Event = "rdma_cm_event", 80 {
        id @ 0, listen_id @ 8, event @ 16, status @ 20, conn as "param.conn" @ 24,
    }
}
