//! The objects of librdmacm with their owners: the connection manager of iWARP devices.
//!
//! A queue pair of iWARP is connected by addresses and ports of IP: one side listens, and the other
//! one resolves its address, then a route, and asks. Answers are events of one channel.
//!
//! The library opens the device a second time for itself. The queue pairs belong to this module's
//! context, and the kernel finds them by their number.

#![allow(unsafe_code)]

use crate::manager_layout::{self as layout, ConnParam};
use crate::manager_library::ManagerLibrary;
use crate::objects::{never_block, words};
use std::ffi::{CStr, c_int};
use std::mem::MaybeUninit;
use std::net::SocketAddr;
use std::os::fd::RawFd;
use std::path::Path;
use std::ptr::{NonNull, null_mut};
use std::sync::Arc;

/// Requests that a listener keeps until they are read.
const BACKLOG: c_int = 128;
/// Most milliseconds for the answer to a question about an address or a route.
const RESOLVE_MILLISECONDS: c_int = 2000;

/// A channel of events, to which all connections belong.
pub struct Manager {
    library: Arc<ManagerLibrary>,
    raw: NonNull<layout::EventChannel>,
}

// SAFETY: librdmacm allows every call from any thread.
unsafe impl Send for Manager {}
// SAFETY: as above; the library locks what it changes.
unsafe impl Sync for Manager {}

/// What has happened.
pub struct Event {
    /// One of `manager_layout::event`.
    pub kind: u32,
    /// Number of the connection (see [`Connector::key`]).
    pub key: usize,
    pub status: i32,
    /// What the other side has given.
    pub data: Vec<u8>,
    /// The connection that somebody asks for.
    pub request: Option<Connector>,
}

impl Manager {
    /// Opens the library, and its channel. `verbs` is the path of another libibverbs.
    pub fn open(verbs: Option<&Path>) -> Result<Arc<Manager>, String> {
        let library = ManagerLibrary::open(verbs)?;
        // SAFETY: the function takes nothing.
        let raw = NonNull::new(unsafe { (library.create_event_channel)() }).ok_or_else(|| {
            format!(
                "the connection manager cannot be used: {} (is the kernel's module rdma_ucm \
                 loaded? see ls -l /dev/infiniband/rdma_cm)",
                words(0)
            )
        })?;
        let manager = Manager { library, raw };
        never_block(manager.descriptor())?;
        Ok(Arc::new(manager))
    }

    /// Returns the descriptor that is readable when there is an event.
    pub fn descriptor(&self) -> RawFd {
        // SAFETY: the channel exists as long as `self`.
        unsafe { (*self.raw.as_ptr()).fd }
    }

    /// Takes the next event, if there is one.
    pub fn next(self: &Arc<Manager>) -> Option<Event> {
        let mut event = null_mut();
        // SAFETY: the channel exists and does not block, and `event` is writable.
        let code = unsafe { (self.library.get_cm_event)(self.raw.as_ptr(), &raw mut event) };
        let event = NonNull::new(event).filter(|_| code == 0)?;
        // SAFETY: the library has filled the event, which lives until it is acknowledged.
        let found = unsafe { event.as_ref() };
        let conn = &found.conn;
        let data = if conn.private_data.is_null() {
            Vec::new()
        } else {
            let bytes = usize::from(conn.private_data_len);
            // SAFETY: the library states the number of bytes.
            unsafe { std::slice::from_raw_parts(conn.private_data.cast::<u8>(), bytes) }.to_vec()
        };
        let is_request = found.event == layout::event::CONNECT_REQUEST;
        let request = NonNull::new(found.id)
            .filter(|_| is_request)
            .map(|raw| Connector { manager: Arc::clone(self), raw });
        let (kind, status) = (found.event, found.status);
        let key = found.id.expose_provenance();
        // SAFETY: the event is acknowledged once, and not used afterwards. A connection waits for
        // that when it is destroyed.
        unsafe { (self.library.ack_cm_event)(event.as_ptr()) };
        Some(Event { kind, key, status, data, request })
    }
}

impl Drop for Manager {
    fn drop(&mut self) {
        // SAFETY: every connection of the channel holds an `Arc` of it.
        unsafe { (self.library.destroy_event_channel)(self.raw.as_ptr()) };
    }
}

/// A listener, or one end of a connection.
pub struct Connector {
    manager: Arc<Manager>,
    raw: NonNull<layout::Id>,
}

// SAFETY: librdmacm allows every call from any thread.
unsafe impl Send for Connector {}
// SAFETY: as above; the library locks what it changes.
unsafe impl Sync for Connector {}

impl Connector {
    fn new(manager: &Arc<Manager>) -> Result<Connector, String> {
        let mut raw = null_mut();
        // SAFETY: the channel exists, and `raw` is writable.
        let code = unsafe {
            (manager.library.create_id)(
                manager.raw.as_ptr(),
                &raw mut raw,
                null_mut(),
                layout::PORT_SPACE_TCP,
            )
        };
        let raw = NonNull::new(raw).filter(|_| code == 0).ok_or_else(|| words(0))?;
        Ok(Connector { manager: Arc::clone(manager), raw })
    }

    /// Listens at an address of the device; port 0 is one that the kernel chooses. Returns the
    /// listener and its address; `None` if the address does not belong to the device.
    pub fn listen(
        manager: &Arc<Manager>,
        at: SocketAddr,
        device: &str,
    ) -> Result<Option<(Connector, SocketAddr)>, String> {
        let listener = Connector::new(manager)?;
        let mut address = Address::from(at);
        // SAFETY: the address is complete.
        let code =
            unsafe { (manager.library.bind_addr)(listener.raw.as_ptr(), address.as_mut_ptr()) };
        if code != 0 {
            let error = std::io::Error::last_os_error();
            let is_foreign = matches!(
                error.raw_os_error(),
                Some(libc::ENODEV | libc::EADDRNOTAVAIL | libc::ENOENT)
            );
            return if is_foreign { Ok(None) } else { Err(format!("binding to {at}: {error}")) };
        }
        if listener.device().as_deref() != Some(device) {
            return Ok(None);
        }
        // SAFETY: the listener is bound.
        if unsafe { (manager.library.listen)(listener.raw.as_ptr(), BACKLOG) } != 0 {
            return Err(format!("listening at {at}: {}", words(0)));
        }
        // SAFETY: the listener exists.
        let port = u16::from_be(unsafe { (manager.library.get_src_port)(listener.raw.as_ptr()) });
        let at = SocketAddr::new(at.ip(), port);
        Ok(Some((listener, at)))
    }

    /// Returns the name of the device to which its address belongs.
    fn device(&self) -> Option<String> {
        // SAFETY: the context is null or that of a device, which has a name that ends with a zero.
        unsafe {
            let context = (*self.raw.as_ptr()).verbs;
            let device = context.as_ref()?.device;
            let name = CStr::from_bytes_until_nul(&(*device).name).ok()?;
            Some(name.to_string_lossy().into_owned())
        }
    }

    /// Begins a connection from an own address to another one. The answer is an event.
    pub fn resolve(
        manager: &Arc<Manager>,
        own: SocketAddr,
        theirs: SocketAddr,
    ) -> Result<Connector, String> {
        let connector = Connector::new(manager)?;
        // The kernel chooses the port.
        let mut from = Address::from(SocketAddr::new(own.ip(), 0));
        let mut to = Address::from(theirs);
        // SAFETY: both addresses are complete.
        let code = unsafe {
            (manager.library.resolve_addr)(
                connector.raw.as_ptr(),
                from.as_mut_ptr(),
                to.as_mut_ptr(),
                RESOLVE_MILLISECONDS,
            )
        };
        if code == 0 { Ok(connector) } else { Err(words(0)) }
    }

    /// Returns the number by which events name the connection.
    pub fn key(&self) -> usize {
        self.raw.as_ptr().expose_provenance()
    }

    fn check(code: c_int) -> Result<(), String> {
        if code == 0 { Ok(()) } else { Err(words(0)) }
    }

    /// Asks for a route to the address, which is resolved.
    pub fn resolve_route(&self) -> Result<(), String> {
        // SAFETY: the connection exists.
        Connector::check(unsafe {
            (self.manager.library.resolve_route)(self.raw.as_ptr(), RESOLVE_MILLISECONDS)
        })
    }

    /// Asks the other side for a connection of a queue pair.
    pub fn connect(&self, queue_pair: u32, reads: u8, data: &[u8]) -> Result<(), String> {
        let mut param = parameters(queue_pair, reads, data);
        // SAFETY: the parameters are complete, and used during the call only.
        Connector::check(unsafe {
            (self.manager.library.connect)(self.raw.as_ptr(), &raw mut param)
        })
    }

    /// Accepts the connection that somebody has asked for.
    pub fn accept(&self, queue_pair: u32, reads: u8, data: &[u8]) -> Result<(), String> {
        let mut param = parameters(queue_pair, reads, data);
        // SAFETY: the parameters are complete, and used during the call only.
        Connector::check(unsafe {
            (self.manager.library.accept)(self.raw.as_ptr(), &raw mut param)
        })
    }

    /// Refuses the connection that somebody has asked for.
    pub fn reject(self) {
        // SAFETY: the connection exists. If that fails, the other side learns of its end.
        unsafe { (self.manager.library.reject)(self.raw.as_ptr(), null_mut(), 0) };
    }
}

impl Drop for Connector {
    fn drop(&mut self) {
        // SAFETY: the connection exists, and no event of it is left without an acknowledgement,
        // because `Manager::next` acknowledges each.
        unsafe { (self.manager.library.destroy_id)(self.raw.as_ptr()) };
    }
}

/// Returns the parameters of a connection. They hold the address of `data`.
fn parameters(queue_pair: u32, reads: u8, data: &[u8]) -> ConnParam {
    ConnParam {
        private_data: data.as_ptr().cast(),
        private_data_len: data.len().min(u8::MAX.into()) as u8,
        responder_resources: reads,
        initiator_depth: reads,
        flow_control: 0,
        retry_count: 7,
        rnr_retry_count: 7,
        srq: 1,
        unused0: 0,
        qp_num: queue_pair,
        unused1: 0,
    }
}

/// An address as the library takes it.
struct Address(MaybeUninit<libc::sockaddr_storage>);

impl Address {
    fn as_mut_ptr(&mut self) -> *mut libc::sockaddr {
        self.0.as_mut_ptr().cast()
    }
}

impl From<SocketAddr> for Address {
    fn from(address: SocketAddr) -> Address {
        let mut storage = MaybeUninit::<libc::sockaddr_storage>::zeroed();
        // SAFETY: the storage has room for, and the alignment of, both kinds of addresses, which
        // consist of numbers.
        unsafe {
            match address {
                SocketAddr::V4(four) => {
                    let place = &mut *storage.as_mut_ptr().cast::<libc::sockaddr_in>();
                    place.sin_family = libc::AF_INET as libc::sa_family_t;
                    place.sin_port = four.port().to_be();
                    place.sin_addr.s_addr = u32::from_ne_bytes(four.ip().octets());
                }
                SocketAddr::V6(six) => {
                    let place = &mut *storage.as_mut_ptr().cast::<libc::sockaddr_in6>();
                    place.sin6_family = libc::AF_INET6 as libc::sa_family_t;
                    place.sin6_port = six.port().to_be();
                    place.sin6_addr.s6_addr = six.ip().octets();
                    place.sin6_scope_id = six.scope_id();
                }
            }
        }
        Address(storage)
    }
}
