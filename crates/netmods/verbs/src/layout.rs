//! Structures and constants of libibverbs, as its binary interface fixes them.
//!
//! Offsets and sizes are equal in all versions of rdma-core from 17 to 65 on 64-bit systems. The
//! assertions below state them, and `tests/layout.rs` compares them with the header where it is
//! installed. The library allocates contexts, queues and registrations; their fields are only read.
//! Structures that the caller fills may grow at their end in later versions, so they are followed
//! by zeros where the library may write or read more.

use std::ffi::{c_int, c_void};
use std::mem::{offset_of, size_of};

/// A device, as `ibv_get_device_list` names it. Only libibverbs reads it.
#[repr(C)]
pub struct Device {
    /// Operations of the provider.
    pub ops: [*mut c_void; 2],
    /// Kind of the node: 1 is a channel adapter.
    pub node_type: i32,
    /// 0 is InfiniBand and RoCE, 1 is iWARP.
    pub transport_type: i32,
    /// Name, zero-terminated.
    pub name: [u8; 64],
    /// Name of the device file.
    pub dev_name: [u8; 64],
    /// Path of the device file in sysfs.
    pub dev_path: [u8; 256],
    /// Path of the device in sysfs.
    pub ibdev_path: [u8; 256],
}

/// Polls at most `count` completions; returns their number, or less than 0.
pub type PollCq = unsafe extern "C" fn(cq: *mut Cq, count: c_int, wc: *mut Wc) -> c_int;
/// Arms a queue for one event.
pub type ReqNotifyCq = unsafe extern "C" fn(cq: *mut Cq, solicited_only: c_int) -> c_int;
/// Posts receives to a shared receive queue.
pub type PostSrqRecv =
    unsafe extern "C" fn(srq: *mut Srq, wr: *mut RecvWr, bad: *mut *mut RecvWr) -> c_int;
/// Posts requests to a queue pair.
pub type PostSend =
    unsafe extern "C" fn(qp: *mut Qp, wr: *mut SendWr, bad: *mut *mut SendWr) -> c_int;

/// Operations that the header defines inline: a client calls them through the context.
#[repr(C)]
pub struct ContextOps {
    /// Operations that are not used.
    pub unused0: [*mut c_void; 11],
    /// Polls a completion queue.
    pub poll_cq: Option<PollCq>,
    /// Arms a completion queue.
    pub req_notify_cq: Option<ReqNotifyCq>,
    /// Operations that are not used.
    pub unused1: [*mut c_void; 7],
    /// Posts to a shared receive queue.
    pub post_srq_recv: Option<PostSrqRecv>,
    /// Operations that are not used.
    pub unused2: [*mut c_void; 4],
    /// Posts to a send queue.
    pub post_send: Option<PostSend>,
    /// Operations that are not used.
    pub unused3: [*mut c_void; 6],
}

/// An open device.
#[repr(C)]
pub struct Context {
    /// Its device.
    pub device: *mut Device,
    /// Operations of its provider.
    pub ops: ContextOps,
    /// Descriptor of commands.
    pub cmd_fd: c_int,
    /// Descriptor of asynchronous events.
    pub async_fd: c_int,
    /// Number of completion vectors.
    pub num_comp_vectors: c_int,
    /// A lock of the library.
    pub mutex: [u64; 5],
    /// All ones if an extended context precedes this one.
    pub abi_compat: usize,
}

/// A protection domain.
#[repr(C)]
pub struct Pd {
    /// Its context.
    pub context: *mut Context,
    /// Its number.
    pub handle: u64,
}

/// A completion channel.
#[repr(C)]
pub struct CompChannel {
    /// Its context.
    pub context: *mut Context,
    /// Descriptor that is readable when an event waits.
    pub fd: c_int,
    /// Number of queues that use it.
    pub refcnt: c_int,
}

/// An event of a device.
#[repr(C)]
pub struct AsyncEvent {
    /// The object or port that it is about.
    pub element: u64,
    /// Kind of the event.
    pub event_type: u32,
    /// Bytes that are not used.
    pub unused: u32,
}

/// A completion queue.
#[repr(C)]
pub struct Cq {
    /// Its context.
    pub context: *mut Context,
    /// Its channel, or null.
    pub channel: *mut CompChannel,
    /// A word of the user.
    pub cq_context: *mut c_void,
    /// Its number.
    pub handle: u32,
    /// Number of entries.
    pub cqe: c_int,
    /// Fields that are not used.
    pub unused: [u64; 12],
}

/// A shared receive queue.
#[repr(C)]
pub struct Srq {
    /// Its context.
    pub context: *mut Context,
    /// A word of the user.
    pub srq_context: *mut c_void,
    /// Its protection domain.
    pub pd: *mut Pd,
    /// Its number.
    pub handle: u32,
    /// Fields that are not used.
    pub unused0: u32,
    /// Fields that are not used.
    pub unused: [u64; 12],
}

/// A queue pair.
#[repr(C)]
pub struct Qp {
    /// Its context.
    pub context: *mut Context,
    /// A word of the user.
    pub qp_context: *mut c_void,
    /// Its protection domain.
    pub pd: *mut Pd,
    /// Completion queue of its requests.
    pub send_cq: *mut Cq,
    /// Completion queue of its receives.
    pub recv_cq: *mut Cq,
    /// Its shared receive queue, or null.
    pub srq: *mut Srq,
    /// Its number within the process.
    pub handle: u32,
    /// Its number on the network, of 24 bits.
    pub qp_num: u32,
    /// Its state.
    pub state: u32,
    /// Its type.
    pub qp_type: u32,
    /// Fields that are not used.
    pub unused: [u64; 12],
}

/// A registration of memory.
#[repr(C)]
pub struct Mr {
    /// Its context.
    pub context: *mut Context,
    /// Its protection domain.
    pub pd: *mut Pd,
    /// First address.
    pub addr: *mut c_void,
    /// Length in bytes.
    pub length: usize,
    /// Its number.
    pub handle: u32,
    /// Key for this process's own requests.
    pub lkey: u32,
    /// Key for requests of other processes.
    pub rkey: u32,
}

/// Properties of a device.
#[repr(C)]
#[derive(Clone)]
pub struct DeviceAttr {
    /// Fields that are not used.
    pub unused0: [u8; 108],
    /// Most queue pairs.
    pub max_qp: i32,
    /// Most requests in a queue.
    pub max_qp_wr: i32,
    /// Capabilities.
    pub device_cap_flags: u32,
    /// Most parts of a request.
    pub max_sge: i32,
    /// Fields that are not used.
    pub unused1: [u8; 8],
    /// Most entries of a completion queue.
    pub max_cqe: i32,
    /// Most registrations.
    pub max_mr: i32,
    /// Fields that are not used.
    pub unused2: [u8; 4],
    /// Most reads and atomics under way at a queue pair as the target.
    pub max_qp_rd_atom: i32,
    /// Fields that are not used.
    pub unused3: [u8; 8],
    /// Most reads and atomics under way from a queue pair.
    pub max_qp_init_rd_atom: i32,
    /// Fields that are not used.
    pub unused4: [u8; 4],
    /// Whom the device's atomics exclude: 0 if it has none, 1 themselves, [`ATOMIC_GLOB`] also the
    /// instructions of processors.
    pub atomic_cap: i32,
    /// Fields that are not used.
    pub unused5: [u8; 44],
    /// Most shared receive queues.
    pub max_srq: i32,
    /// Most receives in one of them.
    pub max_srq_wr: i32,
    /// Fields that are not used.
    pub unused6: [u8; 4],
    /// Entries of the table of partition keys.
    pub max_pkeys: u16,
    /// Time that the device needs for an acknowledgement.
    pub local_ca_ack_delay: u8,
    /// Number of ports.
    pub phys_port_cnt: u8,
    /// Fields that are not used, and room for fields of later versions.
    pub unused7: [u8; 4 + 152],
}

/// Properties of a port.
#[repr(C)]
#[derive(Clone)]
pub struct PortAttr {
    /// State: 4 is active.
    pub state: u32,
    /// Largest MTU, as a code.
    pub max_mtu: u32,
    /// MTU in use, as a code: 1 is 256 bytes, 5 is 4096.
    pub active_mtu: u32,
    /// Entries of the table of addresses (GIDs).
    pub gid_tbl_len: i32,
    /// Capabilities.
    pub port_cap_flags: u32,
    /// Longest message.
    pub max_msg_sz: u32,
    /// Counters that are not used.
    pub unused0: [u32; 2],
    /// Entries of the table of partition keys.
    pub pkey_tbl_len: u16,
    /// Local identifier.
    pub lid: u16,
    /// Fields that are not used.
    pub unused1: [u8; 10],
    /// Kind of the link: 1 is InfiniBand, 2 is Ethernet.
    pub link_layer: u8,
    /// Bit 0: every address needs a global route header.
    pub flags: u8,
    /// Fields that are not used, and room for fields of later versions.
    pub unused2: [u8; 16],
}

/// Sizes of a queue pair.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct QpCap {
    /// Most requests in the send queue.
    pub max_send_wr: u32,
    /// Most receives in its own receive queue.
    pub max_recv_wr: u32,
    /// Most parts of a request.
    pub max_send_sge: u32,
    /// Most parts of a receive.
    pub max_recv_sge: u32,
    /// Most bytes that a request can carry itself.
    pub max_inline_data: u32,
}

/// Arguments of `ibv_create_qp`.
#[repr(C)]
pub struct QpInitAttr {
    /// A word of the user.
    pub qp_context: *mut c_void,
    /// Completion queue of requests.
    pub send_cq: *mut Cq,
    /// Completion queue of receives.
    pub recv_cq: *mut Cq,
    /// Shared receive queue.
    pub srq: *mut Srq,
    /// Sizes asked for; the library writes the sizes granted.
    pub cap: QpCap,
    /// Type: 2 is a reliable connection.
    pub qp_type: u32,
    /// Whether every request reports its completion.
    pub sq_sig_all: c_int,
    /// Padding.
    pub unused: u32,
}

/// Route to a port.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct AhAttr {
    /// Address of the other port.
    pub dgid: [u8; 16],
    /// Label of the flow.
    pub flow_label: u32,
    /// Index of this port's own address.
    pub sgid_index: u8,
    /// Most routers on the way.
    pub hop_limit: u8,
    /// Class of the traffic.
    pub traffic_class: u8,
    /// Padding.
    pub unused0: u8,
    /// Local identifier of the other port.
    pub dlid: u16,
    /// Service level.
    pub sl: u8,
    /// Bits of the source's path.
    pub src_path_bits: u8,
    /// Limit of the rate.
    pub static_rate: u8,
    /// Whether a global route header is sent.
    pub is_global: u8,
    /// Number of this device's port.
    pub port_num: u8,
    /// Padding.
    pub unused1: u8,
}

/// Arguments of `ibv_modify_qp`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct QpAttr {
    /// The new state.
    pub qp_state: u32,
    /// The state now.
    pub cur_qp_state: u32,
    /// MTU of the path, as a code.
    pub path_mtu: u32,
    /// State of path migration.
    pub path_mig_state: u32,
    /// Key of datagrams.
    pub qkey: u32,
    /// Number of the first packet to receive.
    pub rq_psn: u32,
    /// Number of the first packet to send.
    pub sq_psn: u32,
    /// Number of the other queue pair.
    pub dest_qp_num: u32,
    /// What other processes may do.
    pub qp_access_flags: u32,
    /// Sizes.
    pub cap: QpCap,
    /// Route to the other port.
    pub ah_attr: AhAttr,
    /// A second route.
    pub alt_ah_attr: AhAttr,
    /// Index of the partition key.
    pub pkey_index: u16,
    /// Index of the second route's partition key.
    pub alt_pkey_index: u16,
    /// Whether to report a drained queue.
    pub en_sqd_async_notify: u8,
    /// Whether the queue is being drained.
    pub sq_draining: u8,
    /// Most reads and atomics under way as the initiator.
    pub max_rd_atomic: u8,
    /// Most reads and atomics under way as the target.
    pub max_dest_rd_atomic: u8,
    /// Code of the time that a sender waits for a receiver that is not ready.
    pub min_rnr_timer: u8,
    /// Number of this device's port.
    pub port_num: u8,
    /// Code t of the time-out: 4.096 us times 2 to the power t.
    pub timeout: u8,
    /// Number of repetitions after a time-out.
    pub retry_cnt: u8,
    /// Number of repetitions to a receiver that is not ready; 7 is without end.
    pub rnr_retry: u8,
    /// Port of the second route.
    pub alt_port_num: u8,
    /// Time-out of the second route.
    pub alt_timeout: u8,
    /// Padding.
    pub unused0: u8,
    /// Limit of the rate.
    pub rate_limit: u32,
    /// Padding, and room for fields of later versions.
    pub unused1: [u32; 5],
}

/// Part of a request's memory.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Sge {
    /// First address.
    pub addr: u64,
    /// Length in bytes.
    pub length: u32,
    /// Key of the registration.
    pub lkey: u32,
}

/// A request to send, write, read or change remote memory.
#[repr(C)]
pub struct SendWr {
    /// A word that the completion returns.
    pub wr_id: u64,
    /// The next request of the list.
    pub next: *mut SendWr,
    /// Parts of the local memory.
    pub sg_list: *mut Sge,
    /// Number of parts.
    pub num_sge: c_int,
    /// The operation.
    pub opcode: u32,
    /// Flags.
    pub send_flags: u32,
    /// Immediate data, in the order of the network.
    pub imm_data: u32,
    /// Remote address.
    pub remote_addr: u64,
    /// Writes and reads: the remote key, in the low half. Atomics: the number to compare or add.
    pub compare_add: u64,
    /// Atomics: the number to write.
    pub swap: u64,
    /// Atomics: the remote key.
    pub rkey: u32,
    /// Padding.
    pub unused0: u32,
    /// Fields that are not used.
    pub unused1: [u64; 7],
}

/// A receive.
#[repr(C)]
pub struct RecvWr {
    /// A word that the completion returns.
    pub wr_id: u64,
    /// The next receive of the list.
    pub next: *mut RecvWr,
    /// Parts of the memory.
    pub sg_list: *mut Sge,
    /// Number of parts.
    pub num_sge: c_int,
}

/// A completion.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Wc {
    /// The request's word.
    pub wr_id: u64,
    /// 0, or a failure.
    pub status: u32,
    /// The operation; bit 7 marks a receive.
    pub opcode: u32,
    /// The vendor's code of a failure.
    pub vendor_err: u32,
    /// Bytes received.
    pub byte_len: u32,
    /// Immediate data, in the order of the network.
    pub imm_data: u32,
    /// Number of this process's queue pair.
    pub qp_num: u32,
    /// Number of the sender's queue pair, for datagrams.
    pub src_qp: u32,
    /// Flags.
    pub wc_flags: u32,
    /// Fields that are not used.
    pub unused: u64,
}

/// Arguments of `ibv_create_srq`.
#[repr(C)]
pub struct SrqInitAttr {
    /// A word of the user.
    pub srq_context: *mut c_void,
    /// Most receives.
    pub max_wr: u32,
    /// Most parts of a receive.
    pub max_sge: u32,
    /// Number of receives below which an event is raised.
    pub srq_limit: u32,
    /// Padding.
    pub unused: u32,
}

/// Entry of a port's table of addresses, of rdma-core 32 and later.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct GidEntry {
    /// The address.
    pub gid: [u8; 16],
    /// Its index.
    pub gid_index: u32,
    /// Number of the port.
    pub port_num: u32,
    /// Type: 0 InfiniBand, 1 RoCE v1, 2 RoCE v2.
    pub gid_type: u32,
    /// Index of the network interface.
    pub ndev_ifindex: u32,
}

/// Operations of requests.
pub mod opcode {
    /// Writes remote memory.
    pub const WRITE: u32 = 0;
    /// Writes remote memory and consumes a receive.
    pub const WRITE_IMM: u32 = 1;
    /// Sends a message.
    pub const SEND: u32 = 2;
    /// Sends a message with immediate data.
    pub const SEND_IMM: u32 = 3;
    /// Reads remote memory.
    pub const READ: u32 = 4;
    /// Compares a remote word and writes it.
    pub const COMPARE_SWAP: u32 = 5;
    /// Adds to a remote word.
    pub const FETCH_ADD: u32 = 6;
    /// In a completion: a message was received.
    pub const RECV: u32 = 128;
    /// In a completion: remote memory was written with immediate data.
    pub const RECV_WITH_IMM: u32 = 129;
}

/// Flags of requests.
pub mod flag {
    /// The completion is reported.
    pub const SIGNALED: u32 = 2;
    /// The request carries its bytes itself.
    pub const INLINE: u32 = 8;
}

/// What may be done with registered memory.
pub mod access {
    /// The device writes it for this process.
    pub const LOCAL_WRITE: u32 = 1;
    /// Other processes write it.
    pub const REMOTE_WRITE: u32 = 2;
    /// Other processes read it.
    pub const REMOTE_READ: u32 = 4;
    /// Other processes change words of it.
    pub const REMOTE_ATOMIC: u32 = 8;
}

/// Type of a queue pair: a reliable connection.
pub const QPT_RC: u32 = 2;

/// States of a queue pair.
pub mod state {
    /// It is new.
    pub const RESET: u32 = 0;
    /// It has a port.
    pub const INIT: u32 = 1;
    /// It receives.
    pub const RTR: u32 = 2;
    /// It sends.
    pub const RTS: u32 = 3;
    /// It has failed.
    pub const ERR: u32 = 6;
}

/// Statuses of completions.
pub mod status {
    /// A receive is shorter than its message.
    pub const LOC_LEN: u32 = 1;
    /// A request is malformed, or, on soft-RoCE, the link is down.
    pub const LOC_QP_OP: u32 = 2;
    /// The local memory is not registered.
    pub const LOC_PROT: u32 = 4;
    /// The queue pair failed before.
    pub const WR_FLUSH: u32 = 5;
    /// The other side rejected the request.
    pub const REM_INV_REQ: u32 = 9;
    /// The remote memory is not registered.
    pub const REM_ACCESS: u32 = 10;
    /// The other side does not answer.
    pub const RETRY_EXC: u32 = 12;
    /// The other side has no receive.
    pub const RNR_RETRY_EXC: u32 = 13;
}

/// Bits of the attributes that `ibv_modify_qp` reads.
pub mod mask {
    /// The state.
    pub const STATE: u32 = 1;
    /// What other processes may do.
    pub const ACCESS_FLAGS: u32 = 1 << 3;
    /// The index of the partition key.
    pub const PKEY_INDEX: u32 = 1 << 4;
    /// The port.
    pub const PORT: u32 = 1 << 5;
    /// The route.
    pub const AV: u32 = 1 << 7;
    /// The MTU.
    pub const PATH_MTU: u32 = 1 << 8;
    /// The time-out.
    pub const TIMEOUT: u32 = 1 << 9;
    /// The repetitions.
    pub const RETRY_CNT: u32 = 1 << 10;
    /// The repetitions to a receiver that is not ready.
    pub const RNR_RETRY: u32 = 1 << 11;
    /// The first packet to receive.
    pub const RQ_PSN: u32 = 1 << 12;
    /// Reads and atomics as the initiator.
    pub const MAX_QP_RD_ATOMIC: u32 = 1 << 13;
    /// Time of a sender that waits.
    pub const MIN_RNR_TIMER: u32 = 1 << 15;
    /// The first packet to send.
    pub const SQ_PSN: u32 = 1 << 16;
    /// Reads and atomics as the target.
    pub const MAX_DEST_RD_ATOMIC: u32 = 1 << 17;
    /// The other queue pair.
    pub const DEST_QPN: u32 = 1 << 20;

    /// What leads from RESET to INIT.
    pub const TO_INIT: u32 = STATE | PKEY_INDEX | PORT | ACCESS_FLAGS;
    /// What leads from INIT to RTR.
    pub const TO_RTR: u32 =
        STATE | AV | PATH_MTU | DEST_QPN | RQ_PSN | MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER;
    /// What leads from RTR to RTS.
    pub const TO_RTS: u32 = STATE | TIMEOUT | RETRY_CNT | RNR_RETRY | SQ_PSN | MAX_QP_RD_ATOMIC;
}

/// Event: the link of a port is down.
pub const EVENT_PORT_ERR: u32 = 10;
/// State of a port whose link is down.
pub const PORT_DOWN: u32 = 1;
/// State of a port that is up.
pub const PORT_ACTIVE: u32 = 4;
/// Kind of a link: InfiniBand.
pub const LINK_INFINIBAND: u8 = 1;
/// `atomic_cap`: atomics exclude each other and the atomic instructions of processors.
pub const ATOMIC_GLOB: i32 = 2;
/// Kind of a link: Ethernet.
pub const LINK_ETHERNET: u8 = 2;
/// Bit of a partition key: its owner is a full member.
pub const FULL_MEMBER: u16 = 0x8000;
/// Type of an address: RoCE v2.
pub const GID_ROCE_V2: u32 = 2;
/// `transport_type` of iWARP.
pub const TRANSPORT_IWARP: i32 = 1;

/// Defines a table of fields with their names in the header, and asserts offsets and sizes.
macro_rules! layouts {
    ($($name:ident = $c:literal, $bytes:literal $(+ $room:literal)? {
        $($field:ident $(as $cfield:literal)? @ $offset:literal),* $(,)?
    })*) => {
        $(
            const _: () = assert!(size_of::<$name>() == $bytes $(+ $room)?);
            $(const _: () = assert!(offset_of!($name, $field) == $offset);)*
        )*

        /// All structures: name in the header, size there, and fields with their offsets.
        pub const LAYOUTS: &[(&str, usize, &[(&str, usize)])] = &[
            $(($c, $bytes, &[$((layouts!(@name $field $($cfield)?), $offset)),*])),*
        ];
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $cfield:literal) => { $cfield };
}

pub(crate) use layouts;

layouts! {
    Device = "ibv_device", 664 {
        node_type @ 16, transport_type @ 20, name @ 24, dev_name @ 88, dev_path @ 152,
        ibdev_path @ 408,
    }
    ContextOps = "ibv_context_ops", 256 {
        poll_cq @ 88, req_notify_cq @ 96, post_srq_recv @ 160, post_send @ 200,
    }
    Context = "ibv_context", 328 {
        device @ 0, ops @ 8, cmd_fd @ 264, async_fd @ 268, num_comp_vectors @ 272,
        abi_compat @ 320,
    }
    Pd = "ibv_pd", 16 { context @ 0 }
    CompChannel = "ibv_comp_channel", 16 { context @ 0, fd @ 8 }
    AsyncEvent = "ibv_async_event", 16 { element @ 0, event_type @ 8 }
    Cq = "ibv_cq", 128 { context @ 0, channel @ 8, cq_context @ 16, handle @ 24, cqe @ 28 }
    Srq = "ibv_srq", 128 { context @ 0, pd @ 16, handle @ 24 }
    Qp = "ibv_qp", 160 {
        context @ 0, pd @ 16, send_cq @ 24, recv_cq @ 32, srq @ 40, handle @ 48, qp_num @ 52,
        state @ 56, qp_type @ 60,
    }
    Mr = "ibv_mr", 48 { addr @ 16, length @ 24, handle @ 32, lkey @ 36, rkey @ 40 }
    DeviceAttr = "ibv_device_attr", 232 + 152 {
        max_qp @ 108, max_qp_wr @ 112, device_cap_flags @ 116, max_sge @ 120, max_cqe @ 132,
        max_mr @ 136, max_qp_rd_atom @ 144, max_qp_init_rd_atom @ 156, atomic_cap @ 164,
        max_srq @ 212, max_srq_wr @ 216, max_pkeys @ 224, local_ca_ack_delay @ 226,
        phys_port_cnt @ 227,
    }
    PortAttr = "ibv_port_attr", 52 + 12 {
        state @ 0, max_mtu @ 4, active_mtu @ 8, gid_tbl_len @ 12, port_cap_flags @ 16,
        max_msg_sz @ 20, pkey_tbl_len @ 32, lid @ 34, link_layer @ 46, flags @ 47,
    }
    QpInitAttr = "ibv_qp_init_attr", 64 {
        qp_context @ 0, send_cq @ 8, recv_cq @ 16, srq @ 24, cap @ 32, qp_type @ 52,
        sq_sig_all @ 56,
    }
    AhAttr = "ibv_ah_attr", 32 {
        dgid as "grh.dgid" @ 0, flow_label as "grh.flow_label" @ 16,
        sgid_index as "grh.sgid_index" @ 20, hop_limit as "grh.hop_limit" @ 21,
        traffic_class as "grh.traffic_class" @ 22, dlid @ 24, sl @ 26, src_path_bits @ 27,
        static_rate @ 28, is_global @ 29, port_num @ 30,
    }
    QpAttr = "ibv_qp_attr", 144 + 16 {
        qp_state @ 0, path_mtu @ 8, rq_psn @ 20, sq_psn @ 24, dest_qp_num @ 28,
        qp_access_flags @ 32, cap @ 36, ah_attr @ 56, alt_ah_attr @ 88, pkey_index @ 120,
        max_rd_atomic @ 126, max_dest_rd_atomic @ 127, min_rnr_timer @ 128, port_num @ 129,
        timeout @ 130, retry_cnt @ 131, rnr_retry @ 132, rate_limit @ 136,
    }
    Sge = "ibv_sge", 16 { addr @ 0, length @ 8, lkey @ 12 }
    SendWr = "ibv_send_wr", 128 {
        wr_id @ 0, next @ 8, sg_list @ 16, num_sge @ 24, opcode @ 28, send_flags @ 32,
        imm_data @ 36, remote_addr as "wr.atomic.remote_addr" @ 40,
        compare_add as "wr.atomic.compare_add" @ 48, swap as "wr.atomic.swap" @ 56,
        rkey as "wr.atomic.rkey" @ 64,
    }
    RecvWr = "ibv_recv_wr", 32 { wr_id @ 0, next @ 8, sg_list @ 16, num_sge @ 24 }
    Wc = "ibv_wc", 48 {
        wr_id @ 0, status @ 8, opcode @ 12, vendor_err @ 16, byte_len @ 20, imm_data @ 24,
        qp_num @ 28, src_qp @ 32, wc_flags @ 36,
    }
    SrqInitAttr = "ibv_srq_init_attr", 24 {
        srq_context @ 0, max_wr as "attr.max_wr" @ 8, max_sge as "attr.max_sge" @ 12,
        srq_limit as "attr.srq_limit" @ 16,
    }
    GidEntry = "ibv_gid_entry", 32 {
        gid @ 0, gid_index @ 16, port_num @ 20, gid_type @ 24, ndev_ifindex @ 28,
    }
}
