//! The functions of librdmacm, opened at run time and only for an iWARP device.

#![allow(unsafe_code)]

use crate::library::{functions, open};
use crate::manager_layout::{ConnParam, Event, EventChannel, Id};
use std::ffi::{OsStr, c_int, c_void};
use std::path::Path;
use std::sync::Arc;

/// Name of the system's library.
const LIBRARY: &str = "librdmacm.so.1";

type CreateId = unsafe extern "C" fn(
    channel: *mut EventChannel,
    id: *mut *mut Id,
    user: *mut c_void,
    space: c_int,
) -> c_int;
type ResolveAddr = unsafe extern "C" fn(
    id: *mut Id,
    own: *mut libc::sockaddr,
    theirs: *mut libc::sockaddr,
    milliseconds: c_int,
) -> c_int;
type Reject = unsafe extern "C" fn(id: *mut Id, data: *const c_void, bytes: u8) -> c_int;

functions! {
    /// An opened librdmacm.
    ManagerLibrary
    required {
        create_event_channel: unsafe extern "C" fn() -> *mut EventChannel
            = "rdma_create_event_channel";
        destroy_event_channel: unsafe extern "C" fn(*mut EventChannel)
            = "rdma_destroy_event_channel";
        create_id: CreateId = "rdma_create_id";
        destroy_id: unsafe extern "C" fn(*mut Id) -> c_int = "rdma_destroy_id";
        bind_addr: unsafe extern "C" fn(*mut Id, *mut libc::sockaddr) -> c_int = "rdma_bind_addr";
        listen: unsafe extern "C" fn(*mut Id, c_int) -> c_int = "rdma_listen";
        get_src_port: unsafe extern "C" fn(*mut Id) -> u16 = "rdma_get_src_port";
        resolve_addr: ResolveAddr = "rdma_resolve_addr";
        resolve_route: unsafe extern "C" fn(*mut Id, c_int) -> c_int = "rdma_resolve_route";
        connect: unsafe extern "C" fn(*mut Id, *mut ConnParam) -> c_int = "rdma_connect";
        accept: unsafe extern "C" fn(*mut Id, *mut ConnParam) -> c_int = "rdma_accept";
        reject: Reject = "rdma_reject";
        get_cm_event: unsafe extern "C" fn(*mut EventChannel, *mut *mut Event) -> c_int
            = "rdma_get_cm_event";
        ack_cm_event: unsafe extern "C" fn(*mut Event) -> c_int = "rdma_ack_cm_event";
    }
    optional {}
}

impl ManagerLibrary {
    /// Opens the system's library. If `verbs` names another libibverbs, the functions may be in
    /// that, as in the mock, or in a librdmacm beside it.
    pub fn open(verbs: Option<&Path>) -> Result<Arc<ManagerLibrary>, String> {
        if let Some(path) = verbs {
            if let Ok(library) = ManagerLibrary::load(open(path.as_os_str())?) {
                return Ok(Arc::new(library));
            }
            let beside = path.with_file_name(LIBRARY);
            if beside.exists() {
                return ManagerLibrary::named(beside.as_os_str());
            }
        }
        ManagerLibrary::named(OsStr::new(LIBRARY))
    }

    fn named(name: &OsStr) -> Result<Arc<ManagerLibrary>, String> {
        let code = open(name).map_err(|why| format!("{why} (Debian: librdmacm1)"))?;
        let library = ManagerLibrary::load(code);
        library.map(Arc::new).map_err(|why| format!("{}: {why}", name.to_string_lossy()))
    }
}
