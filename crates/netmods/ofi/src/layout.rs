//! The binary interface of libfabric, as far as this module uses it: structures, operation tables
//! and constants.
//!
//! libfabric exports about sixteen functions; every other function is a pointer in a table of an
//! object. A later version appends fields to a structure and functions to a table, and moves none,
//! so the offsets here hold for versions 1.9 to 2.x. This module never allocates a structure whose
//! size libfabric knows ([`Info`] and its parts come from `fi_dupinfo`), and a structure that it
//! passes has spare zeroed bytes for the fields of later versions. Each table begins with its size
//! in bytes: a function beyond the size does not exist ([`has`]).
//!
//! `tests/layout.rs` compares all offsets and constants with the header of an installed libfabric.

use std::ffi::{c_char, c_int, c_void};
use std::mem::offset_of;

/// Any object of libfabric.
pub type Object = *mut c_void;

/// The interface version that this module asks for. The library behaves like that version.
pub const API_VERSION: u32 = version(1, 9);
/// The oldest library with which this module works.
pub const LIBRARY_VERSION_MIN: u32 = version(1, 17);

/// Returns a version number as `FI_VERSION` makes it.
pub const fn version(major: u32, minor: u32) -> u32 {
    major << 16 | minor
}

pub const MSG: u64 = 1 << 1;
pub const RMA: u64 = 1 << 2;
pub const TAGGED: u64 = 1 << 3;
pub const READ: u64 = 1 << 8;
pub const WRITE: u64 = 1 << 9;
pub const RECV: u64 = 1 << 10;
pub const SEND: u64 = 1 << 11;
pub const REMOTE_READ: u64 = 1 << 12;
pub const REMOTE_WRITE: u64 = 1 << 13;
/// Flag of `fi_getinfo`: the address is this host's.
pub const SOURCE: u64 = 1 << 57;
/// Mode: each operation has a context of 32 bytes, in which the provider may write.
pub const CONTEXT: u64 = 1 << 59;
/// Mode: each operation has a context of 64 bytes.
pub const CONTEXT2: u64 = 1 << 52;
/// Mode: a receive that completes with remote data has a posted buffer.
pub const RX_CQ_DATA: u64 = 1 << 56;
/// Message order: sends to one endpoint arrive in order.
pub const ORDER_SAS: u64 = 1 << 8;
/// Operation flag: a write completes when its bytes are in the memory of the target.
pub const DELIVERY_COMPLETE: u64 = 1 << 28;

pub const EP_RDM: u32 = 3;
pub const PROGRESS_AUTO: u32 = 1;
pub const PROGRESS_MANUAL: u32 = 2;
pub const THREAD_DOMAIN: u32 = 3;
pub const AV_TABLE: u32 = 2;
pub const WAIT_NONE: u32 = 0;
pub const WAIT_FD: u32 = 3;
pub const CQ_FORMAT_DATA: u32 = 3;

pub const MR_LOCAL: u32 = 1 << 2;
pub const MR_VIRT_ADDR: u32 = 1 << 4;
pub const MR_ALLOCATED: u32 = 1 << 5;
pub const MR_PROV_KEY: u32 = 1 << 6;
pub const MR_ENDPOINT: u32 = 1 << 9;

/// Commands of [`ObjectOps::control`].
pub const GETWAIT: c_int = 5;
pub const ENABLE: c_int = 6;

/// Errors, as functions return them.
pub const EAGAIN: isize = -11;
pub const EAVAIL: isize = -259;
pub const ENODATA: c_int = -61;

/// The address that stands for any sender.
pub const ADDR_UNSPEC: u64 = u64::MAX;

/// Address formats: IPv4 and IPv6 sockets.
pub const SOCKADDR_IN: u32 = 2;
pub const SOCKADDR_IN6: u32 = 3;

/// `struct fi_info`.
#[repr(C)]
pub struct Info {
    pub next: *mut Info,
    pub caps: u64,
    pub mode: u64,
    pub addr_format: u32,
    pub src_addrlen: usize,
    pub dest_addrlen: usize,
    pub src_addr: *mut c_void,
    pub dest_addr: *mut c_void,
    pub handle: Object,
    pub tx_attr: *mut TxAttr,
    pub rx_attr: *mut RxAttr,
    pub ep_attr: *mut EpAttr,
    pub domain_attr: *mut DomainAttr,
    pub fabric_attr: *mut FabricAttr,
}

/// `struct fi_tx_attr`.
#[repr(C)]
pub struct TxAttr {
    pub caps: u64,
    pub mode: u64,
    pub op_flags: u64,
    pub msg_order: u64,
    pub comp_order: u64,
    pub inject_size: usize,
    pub size: usize,
}

/// `struct fi_rx_attr`.
#[repr(C)]
pub struct RxAttr {
    pub caps: u64,
    pub mode: u64,
    pub op_flags: u64,
    pub msg_order: u64,
    pub comp_order: u64,
    pub total_buffered_recv: usize,
    pub size: usize,
}

/// `struct fi_ep_attr`.
#[repr(C)]
pub struct EpAttr {
    pub kind: u32,
    pub protocol: u32,
    pub protocol_version: u32,
    pub max_msg_size: usize,
    pub msg_prefix_size: usize,
    pub max_order_raw_size: usize,
    pub max_order_war_size: usize,
    pub max_order_waw_size: usize,
    pub mem_tag_format: u64,
}

/// `struct fi_domain_attr`.
#[repr(C)]
pub struct DomainAttr {
    pub domain: Object,
    pub name: *mut c_char,
    pub threading: u32,
    pub control_progress: u32,
    pub data_progress: u32,
    pub resource_mgmt: u32,
    pub av_type: u32,
    pub mr_mode: u32,
    pub mr_key_size: usize,
    pub cq_data_size: usize,
}

/// `struct fi_fabric_attr`.
#[repr(C)]
pub struct FabricAttr {
    pub fabric: Object,
    pub name: *mut c_char,
    pub prov_name: *mut c_char,
    pub prov_version: u32,
    pub api_version: u32,
}

/// `struct fi_cq_attr`, with spare bytes.
#[repr(C)]
pub struct CqAttr {
    pub size: usize,
    pub flags: u64,
    pub format: u32,
    pub wait_obj: u32,
    pub spare: [u64; 16],
}

/// `struct fi_av_attr`, with spare bytes.
#[repr(C)]
pub struct AvAttr {
    pub kind: u32,
    pub rx_ctx_bits: c_int,
    pub count: usize,
    pub spare: [u64; 16],
}

/// `struct fi_cq_data_entry`, which is what a completion queue of `CQ_FORMAT_DATA` returns.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CqEntry {
    pub op_context: *mut c_void,
    pub flags: u64,
    pub len: usize,
    pub buf: *mut c_void,
    pub data: u64,
}

/// `struct fi_cq_err_entry`, with spare bytes.
#[repr(C)]
pub struct CqErrorEntry {
    pub op_context: *mut c_void,
    pub flags: u64,
    pub len: usize,
    pub buf: *mut c_void,
    pub data: u64,
    pub tag: u64,
    pub olen: usize,
    pub err: c_int,
    pub prov_errno: c_int,
    pub err_data: *mut c_void,
    pub err_data_size: usize,
    pub src_addr: u64,
    pub spare: [u64; 9],
}

/// `struct fid`, with which every object begins.
#[repr(C)]
pub struct Fid {
    pub class: usize,
    pub context: *mut c_void,
    pub ops: *const ObjectOps,
}

/// `struct fi_ops`.
#[repr(C)]
pub struct ObjectOps {
    pub size: usize,
    pub close: Option<unsafe extern "C" fn(Object) -> c_int>,
    pub bind: Option<unsafe extern "C" fn(Object, Object, u64) -> c_int>,
    pub control: Option<unsafe extern "C" fn(Object, c_int, *mut c_void) -> c_int>,
}

/// `struct fid_fabric`.
#[repr(C)]
pub struct FidFabric {
    pub fid: Fid,
    pub ops: *const FabricOps,
}

/// `struct fi_ops_fabric`.
#[repr(C)]
pub struct FabricOps {
    pub size: usize,
    pub domain: Option<unsafe extern "C" fn(Object, *mut Info, *mut Object, *mut c_void) -> c_int>,
    pub passive_ep: *const c_void,
    pub eq_open: *const c_void,
    pub wait_open: *const c_void,
    pub trywait: Option<unsafe extern "C" fn(Object, *mut Object, c_int) -> c_int>,
}

/// `struct fid_domain`.
#[repr(C)]
pub struct FidDomain {
    pub fid: Fid,
    pub ops: *const DomainOps,
    pub mr: *const MrOps,
}

/// A function that opens an address vector, a completion queue or an endpoint of a domain.
type Open<T> = Option<unsafe extern "C" fn(Object, *mut T, *mut Object, *mut c_void) -> c_int>;

/// `struct fi_ops_domain`.
#[repr(C)]
pub struct DomainOps {
    pub size: usize,
    pub av_open: Open<AvAttr>,
    pub cq_open: Open<CqAttr>,
    pub endpoint: Open<Info>,
}

/// `struct fi_ops_mr`.
#[repr(C)]
pub struct MrOps {
    pub size: usize,
    /// Object, address, bytes, access, offset, requested key, flags, result, context.
    pub reg: Option<
        unsafe extern "C" fn(
            Object,
            *const c_void,
            usize,
            u64,
            u64,
            u64,
            u64,
            *mut Object,
            *mut c_void,
        ) -> c_int,
    >,
}

/// `struct fid_mr`.
#[repr(C)]
pub struct FidMr {
    pub fid: Fid,
    pub mem_desc: *mut c_void,
    pub key: u64,
}

/// `struct fid_av`.
#[repr(C)]
pub struct FidAv {
    pub fid: Fid,
    pub ops: *const AvOps,
}

/// `struct fi_ops_av`.
#[repr(C)]
pub struct AvOps {
    pub size: usize,
    pub insert: Option<
        unsafe extern "C" fn(Object, *const c_void, usize, *mut u64, u64, *mut c_void) -> c_int,
    >,
    pub insertsvc: *const c_void,
    pub insertsym: *const c_void,
    pub remove: Option<unsafe extern "C" fn(Object, *mut u64, usize, u64) -> c_int>,
}

/// `struct fid_cq`.
#[repr(C)]
pub struct FidCq {
    pub fid: Fid,
    pub ops: *const CqOps,
}

/// `struct fi_ops_cq`.
#[repr(C)]
pub struct CqOps {
    pub size: usize,
    pub read: Option<unsafe extern "C" fn(Object, *mut c_void, usize) -> isize>,
    pub readfrom: *const c_void,
    pub readerr: Option<unsafe extern "C" fn(Object, *mut CqErrorEntry, u64) -> isize>,
    pub sread:
        Option<unsafe extern "C" fn(Object, *mut c_void, usize, *const c_void, c_int) -> isize>,
    pub sreadfrom: *const c_void,
    pub signal: *const c_void,
    pub strerror: Option<
        unsafe extern "C" fn(Object, c_int, *const c_void, *mut c_char, usize) -> *const c_char,
    >,
}

/// `struct fid_ep`.
#[repr(C)]
pub struct FidEp {
    pub fid: Fid,
    pub ops: *const EpOps,
    pub cm: *const CmOps,
    pub msg: *const MsgOps,
    pub rma: *const RmaOps,
    pub tagged: *const TaggedOps,
    pub atomic: *const c_void,
}

/// `struct fi_ops_ep`.
#[repr(C)]
pub struct EpOps {
    pub size: usize,
    pub cancel: Option<unsafe extern "C" fn(Object, *mut c_void) -> isize>,
}

/// `struct fi_ops_cm`.
#[repr(C)]
pub struct CmOps {
    pub size: usize,
    pub setname: *const c_void,
    pub getname: Option<unsafe extern "C" fn(Object, *mut c_void, *mut usize) -> c_int>,
}

/// A receive or a send: endpoint, memory, bytes, descriptor, peer, context.
type Transfer =
    unsafe extern "C" fn(Object, *mut c_void, usize, *mut c_void, u64, *mut c_void) -> isize;

/// `struct fi_ops_msg`.
#[repr(C)]
pub struct MsgOps {
    pub size: usize,
    pub recv: Option<Transfer>,
    pub recvv: *const c_void,
    pub recvmsg: *const c_void,
    pub send: Option<Transfer>,
    pub sendv: *const c_void,
    pub sendmsg: *const c_void,
    pub inject: Option<unsafe extern "C" fn(Object, *const c_void, usize, u64) -> isize>,
}

/// `struct fi_ops_tagged`.
#[repr(C)]
pub struct TaggedOps {
    pub size: usize,
    /// Endpoint, memory, bytes, descriptor, peer, tag, bits of the tag to ignore, context.
    pub recv: Option<
        unsafe extern "C" fn(
            Object,
            *mut c_void,
            usize,
            *mut c_void,
            u64,
            u64,
            u64,
            *mut c_void,
        ) -> isize,
    >,
    pub recvv: *const c_void,
    pub recvmsg: *const c_void,
    /// Endpoint, memory, bytes, descriptor, peer, tag, context.
    pub send: Option<
        unsafe extern "C" fn(
            Object,
            *const c_void,
            usize,
            *mut c_void,
            u64,
            u64,
            *mut c_void,
        ) -> isize,
    >,
}

/// A read or a write of remote memory: endpoint, memory, bytes, descriptor, peer, remote address,
/// key, context.
type Remote = unsafe extern "C" fn(
    Object,
    *mut c_void,
    usize,
    *mut c_void,
    u64,
    u64,
    u64,
    *mut c_void,
) -> isize;

/// `struct fi_rma_iov`: a range of remote memory.
#[repr(C)]
pub struct RmaIov {
    pub addr: u64,
    pub len: usize,
    pub key: u64,
}

/// `struct fi_msg_rma`: a read or a write of remote memory, for functions with flags.
#[repr(C)]
pub struct MsgRma {
    pub msg_iov: *const libc::iovec,
    pub desc: *mut *mut c_void,
    pub iov_count: usize,
    pub addr: u64,
    pub rma_iov: *const RmaIov,
    pub rma_iov_count: usize,
    pub context: *mut c_void,
    pub data: u64,
}

/// `struct fi_ops_rma`.
#[repr(C)]
pub struct RmaOps {
    pub size: usize,
    pub read: Option<Remote>,
    pub readv: *const c_void,
    pub readmsg: *const c_void,
    pub write: Option<Remote>,
    pub writev: *const c_void,
    pub writemsg: Option<unsafe extern "C" fn(Object, *const MsgRma, u64) -> isize>,
}

/// Returns whether a table that says that it has `size` bytes has the function at `offset`.
pub fn has(size: usize, offset: usize) -> bool {
    size >= offset + size_of::<usize>()
}

/// Names and values of everything that the layout test compares with the header: C expressions and
/// what this file has for them.
pub fn facts() -> Vec<(&'static str, u64)> {
    macro_rules! offsets {
        ($($structure:ident $c:literal { $($field:ident $name:literal),* $(,)? })*) => {
            vec![$($((
                concat!("offsetof(", $c, ", ", $name, ")"),
                offset_of!($structure, $field) as u64,
            )),*),*]
        };
    }
    let mut facts = offsets! {
        Info "struct fi_info" {
            next "next", caps "caps", mode "mode", addr_format "addr_format",
            src_addrlen "src_addrlen", dest_addrlen "dest_addrlen", src_addr "src_addr",
            dest_addr "dest_addr", handle "handle", tx_attr "tx_attr", rx_attr "rx_attr",
            ep_attr "ep_attr", domain_attr "domain_attr", fabric_attr "fabric_attr",
        }
        TxAttr "struct fi_tx_attr" {
            caps "caps", mode "mode", op_flags "op_flags", msg_order "msg_order",
            inject_size "inject_size", size "size",
        }
        RxAttr "struct fi_rx_attr" {
            caps "caps", mode "mode", op_flags "op_flags", msg_order "msg_order", size "size",
        }
        EpAttr "struct fi_ep_attr" {
            kind "type", max_msg_size "max_msg_size", msg_prefix_size "msg_prefix_size",
            mem_tag_format "mem_tag_format",
        }
        DomainAttr "struct fi_domain_attr" {
            domain "domain", name "name", threading "threading",
            control_progress "control_progress", data_progress "data_progress",
            resource_mgmt "resource_mgmt", av_type "av_type", mr_mode "mr_mode",
            mr_key_size "mr_key_size", cq_data_size "cq_data_size",
        }
        FabricAttr "struct fi_fabric_attr" {
            fabric "fabric", name "name", prov_name "prov_name", prov_version "prov_version",
            api_version "api_version",
        }
        CqAttr "struct fi_cq_attr" {
            size "size", flags "flags", format "format", wait_obj "wait_obj",
        }
        AvAttr "struct fi_av_attr" { kind "type", rx_ctx_bits "rx_ctx_bits", count "count" }
        CqEntry "struct fi_cq_data_entry" {
            op_context "op_context", flags "flags", len "len", buf "buf", data "data",
        }
        CqErrorEntry "struct fi_cq_err_entry" {
            op_context "op_context", flags "flags", len "len", tag "tag", olen "olen",
            err "err", prov_errno "prov_errno", err_data "err_data",
            err_data_size "err_data_size",
        }
        Fid "struct fid" { class "fclass", context "context", ops "ops" }
        ObjectOps "struct fi_ops" {
            size "size", close "close", bind "bind", control "control",
        }
        FidFabric "struct fid_fabric" { ops "ops" }
        FabricOps "struct fi_ops_fabric" { size "size", domain "domain", trywait "trywait" }
        FidDomain "struct fid_domain" { ops "ops", mr "mr" }
        DomainOps "struct fi_ops_domain" {
            size "size", av_open "av_open", cq_open "cq_open", endpoint "endpoint",
        }
        MrOps "struct fi_ops_mr" { size "size", reg "reg" }
        FidMr "struct fid_mr" { mem_desc "mem_desc", key "key" }
        FidAv "struct fid_av" { ops "ops" }
        AvOps "struct fi_ops_av" { size "size", insert "insert", remove "remove" }
        FidCq "struct fid_cq" { ops "ops" }
        CqOps "struct fi_ops_cq" {
            size "size", read "read", readerr "readerr", sread "sread", strerror "strerror",
        }
        FidEp "struct fid_ep" {
            ops "ops", cm "cm", msg "msg", rma "rma", tagged "tagged",
        }
        EpOps "struct fi_ops_ep" { size "size", cancel "cancel" }
        CmOps "struct fi_ops_cm" { size "size", getname "getname" }
        MsgOps "struct fi_ops_msg" { size "size", recv "recv", send "send", inject "inject" }
        TaggedOps "struct fi_ops_tagged" { size "size", recv "recv", send "send" }
        RmaOps "struct fi_ops_rma" {
            size "size", read "read", write "write", writemsg "writemsg",
        }
        RmaIov "struct fi_rma_iov" { addr "addr", len "len", key "key" }
        MsgRma "struct fi_msg_rma" {
            msg_iov "msg_iov", desc "desc", iov_count "iov_count", addr "addr",
            rma_iov "rma_iov", rma_iov_count "rma_iov_count", context "context", data "data",
        }
    };
    facts.extend([
        ("sizeof(struct fi_cq_data_entry)", size_of::<CqEntry>() as u64),
        ("sizeof(struct fi_rma_iov)", size_of::<RmaIov>() as u64),
        ("sizeof(struct fi_msg_rma)", size_of::<MsgRma>() as u64),
        ("FI_MSG", MSG),
        ("FI_RMA", RMA),
        ("FI_TAGGED", TAGGED),
        ("FI_READ", READ),
        ("FI_WRITE", WRITE),
        ("FI_RECV", RECV),
        ("FI_SEND", SEND),
        ("FI_REMOTE_READ", REMOTE_READ),
        ("FI_REMOTE_WRITE", REMOTE_WRITE),
        ("FI_SOURCE", SOURCE),
        ("FI_CONTEXT", CONTEXT),
        ("FI_CONTEXT2", CONTEXT2),
        ("FI_RX_CQ_DATA", RX_CQ_DATA),
        ("FI_ORDER_SAS", ORDER_SAS),
        ("FI_DELIVERY_COMPLETE", DELIVERY_COMPLETE),
        ("FI_EP_RDM", EP_RDM.into()),
        ("FI_PROGRESS_AUTO", PROGRESS_AUTO.into()),
        ("FI_PROGRESS_MANUAL", PROGRESS_MANUAL.into()),
        ("FI_THREAD_DOMAIN", THREAD_DOMAIN.into()),
        ("FI_AV_TABLE", AV_TABLE.into()),
        ("FI_WAIT_NONE", WAIT_NONE.into()),
        ("FI_WAIT_FD", WAIT_FD.into()),
        ("FI_CQ_FORMAT_DATA", CQ_FORMAT_DATA.into()),
        ("FI_MR_LOCAL", MR_LOCAL.into()),
        ("FI_MR_VIRT_ADDR", MR_VIRT_ADDR.into()),
        ("FI_MR_ALLOCATED", MR_ALLOCATED.into()),
        ("FI_MR_PROV_KEY", MR_PROV_KEY.into()),
        ("FI_MR_ENDPOINT", MR_ENDPOINT.into()),
        ("FI_GETWAIT", GETWAIT as u64),
        ("FI_ENABLE", ENABLE as u64),
        ("FI_EAGAIN", -EAGAIN as u64),
        ("FI_EAVAIL", -EAVAIL as u64),
        ("FI_ENODATA", -ENODATA as u64),
        ("FI_ADDR_UNSPEC", ADDR_UNSPEC),
        ("FI_SOCKADDR_IN", SOCKADDR_IN.into()),
        ("FI_SOCKADDR_IN6", SOCKADDR_IN6.into()),
    ]);
    facts
}
