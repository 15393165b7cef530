//! The functions of librdmacm. A connection of the iWARP device is a connection of TCP over the
//! loopback interface, which carries one request and one answer, and whose end ends the queue pair.
//!
//! ```text
//!   code  bytes of data  LID  queue pair  data        code: 1 request, 2 accepted, 3 rejected
//!    u8        u8        u16     u32     56 bytes
//! ```
//!
//! The channel's descriptor is a poll set with all sockets, and an event descriptor for the events
//! that no socket brings. Sockets are read when the channel is asked for an event.

use crate::options::{IWARP, ManagerTrouble, Options};
use crate::process::{fail, free, leak, with};
use nemesis_netmod_verbs::layout::{Context, Device, TRANSPORT_IWARP};
use nemesis_netmod_verbs::manager_layout::{ConnParam, Event, EventChannel, Id, event};
use std::cell::Cell;
use std::collections::VecDeque;
use std::ffi::{c_int, c_void};
use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::{AsRawFd, RawFd};
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

/// Bytes of a request and of an answer.
const FRAME_BYTES: usize = 64;
const DATA_BYTES: usize = FRAME_BYTES - 8;
const REQUEST: u8 = 1;
const ACCEPTED: u8 = 2;
const REJECTED: u8 = 3;

/// What a connection is doing.
enum Stage {
    Idle,
    Bound(SocketAddr),
    Listening(TcpListener),
    /// The addresses are resolved.
    Resolved(SocketAddr),
    /// The request has been sent.
    Asking(TcpStream, Vec<u8>),
    /// A request has been read.
    Asked(TcpStream, [u8; FRAME_BYTES]),
    Connected(TcpStream),
}

/// What the mock keeps behind an id.
#[repr(C)]
struct OwnId {
    id: Id,
    stage: Stage,
    queue_pair: u32,
    /// The removal of its device was told.
    knows_removal: bool,
}

/// What the mock keeps behind an event.
#[repr(C)]
struct OwnEvent {
    event: Event,
    data: [u8; DATA_BYTES],
}

/// What the mock keeps behind a channel.
#[repr(C)]
struct OwnChannel {
    channel: EventChannel,
    wake: RawFd,
    events: VecDeque<*mut OwnEvent>,
    ids: Vec<*mut OwnId>,
    /// Connections that have not sent their request, and their listeners.
    strangers: Vec<(TcpStream, Vec<u8>, *mut OwnId)>,
}

/// Channels of the process. The lock protects everything behind them.
static CHANNELS: Mutex<Vec<usize>> = Mutex::new(Vec::new());

thread_local! {
    /// The iWARP device that this thread has opened last. The addresses of the loopback interface
    /// belong to it.
    pub static OPENED: Cell<Options> = const { Cell::new(IWARP) };
}

/// Calls `f` with exclusive access to a channel.
unsafe fn on<T>(channel: *mut EventChannel, f: impl FnOnce(&mut OwnChannel) -> T) -> T {
    let _lock = CHANNELS.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: the caller names a channel of the mock, and the lock excludes other references.
    f(unsafe { &mut *channel.cast::<OwnChannel>() })
}

fn answer(result: Result<(), c_int>) -> c_int {
    match result {
        Ok(()) => 0,
        Err(code) => {
            fail(code);
            -1
        }
    }
}

/// Adds a descriptor to the poll set of a channel.
fn watch(channel: &OwnChannel, descriptor: RawFd) {
    let mut interest = libc::epoll_event { events: libc::EPOLLIN as u32, u64: 0 };
    // SAFETY: both descriptors are open, and the structure is complete.
    unsafe {
        libc::epoll_ctl(channel.channel.fd, libc::EPOLL_CTL_ADD, descriptor, &raw mut interest)
    };
}

impl OwnChannel {
    /// Adds an event of an id.
    fn tell(&mut self, id: *mut OwnId, kind: u32, status: c_int, data: &[u8]) {
        let mut own = Box::new(OwnEvent {
            event: Event {
                id: id.cast(),
                listen_id: null_mut(),
                event: kind,
                status,
                conn: ConnParam {
                    private_data: std::ptr::null(),
                    private_data_len: data.len() as u8,
                    responder_resources: 0,
                    initiator_depth: 0,
                    flow_control: 0,
                    retry_count: 0,
                    rnr_retry_count: 0,
                    srq: 0,
                    unused0: 0,
                    qp_num: 0,
                    unused1: 0,
                },
                unused: [0; 4],
            },
            data: [0; DATA_BYTES],
        });
        own.data[..data.len()].copy_from_slice(data);
        if !data.is_empty() {
            own.event.conn.private_data = own.data.as_ptr().cast();
        }
        self.events.push_back(Box::into_raw(own));
        crate::net::raise(self.wake);
    }

    fn add(&mut self, stage: Stage, user: *mut c_void) -> *mut OwnId {
        let id = Id {
            verbs: null_mut(),
            channel: (&raw mut self.channel).cast(),
            context: user,
            unused: [0; 49],
        };
        let id = leak(OwnId { id, stage, queue_pair: 0, knows_removal: false });
        self.ids.push(id);
        id
    }

    /// Reads all sockets.
    fn run(&mut self) {
        crate::net::take(self.wake);
        for id in self.ids.clone() {
            // SAFETY: the id belongs to the channel, whose lock is held.
            let own = unsafe { &mut *id };
            let is_removed = with(|hardware| hardware.is_removed(own.queue_pair)) == Some(true);
            if is_removed && !std::mem::replace(&mut own.knows_removal, true) {
                self.tell(id, event::DEVICE_REMOVAL, 0, &[]);
            }
            match std::mem::replace(&mut own.stage, Stage::Idle) {
                Stage::Listening(listener) => {
                    while let Ok((stream, _)) = listener.accept() {
                        let _ = stream.set_nonblocking(true);
                        watch(self, stream.as_raw_fd());
                        self.strangers.push((stream, Vec::new(), id));
                    }
                    own.stage = Stage::Listening(listener);
                }
                Stage::Asking(mut stream, mut bytes) => match read_frame(&mut stream, &mut bytes) {
                    Some(true) => self.take_answer(id, stream, &bytes),
                    Some(false) => own.stage = Stage::Asking(stream, bytes),
                    None => self.tell(id, event::REJECTED, -libc::ECONNRESET, &[]),
                },
                Stage::Connected(mut stream) => match stream.read(&mut [0]) {
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {
                        own.stage = Stage::Connected(stream);
                    }
                    _ => {
                        with(|hardware| hardware.unlink(own.queue_pair));
                        self.tell(id, event::DISCONNECTED, 0, &[]);
                    }
                },
                stage => own.stage = stage,
            }
        }
        for (mut stream, mut bytes, listener) in std::mem::take(&mut self.strangers) {
            match read_frame(&mut stream, &mut bytes) {
                Some(true) if bytes[0] == REQUEST && usize::from(bytes[1]) <= DATA_BYTES => {
                    let mut frame = [0; FRAME_BYTES];
                    frame.copy_from_slice(&bytes);
                    let data = bytes[8..][..usize::from(bytes[1])].to_vec();
                    // It is read again when it is connected.
                    unwatch(self, stream.as_raw_fd());
                    let id = self.add(Stage::Asked(stream, frame), null_mut());
                    // SAFETY: both ids belong to the channel, whose lock is held.
                    unsafe { (*id).id.verbs = (*listener).id.verbs };
                    self.tell(id, event::CONNECT_REQUEST, 0, &data);
                }
                Some(false) => self.strangers.push((stream, bytes, listener)),
                _ => {}
            }
        }
    }

    /// Takes the answer to a request.
    fn take_answer(&mut self, id: *mut OwnId, stream: TcpStream, bytes: &[u8]) {
        // SAFETY: the id belongs to the channel, whose lock is held.
        let own = unsafe { &mut *id };
        let data = &bytes[8..][..usize::from(bytes[1]).min(DATA_BYTES)];
        let (lid, number) = ends(bytes);
        let is_linked = bytes[0] == ACCEPTED
            && with(|hardware| hardware.link(own.queue_pair, lid, number, false)) == Some(true);
        if is_linked {
            own.stage = Stage::Connected(stream);
            self.tell(id, event::ESTABLISHED, 0, data);
        } else {
            self.tell(id, event::REJECTED, -libc::ECONNREFUSED, &[]);
        }
    }
}

fn unwatch(channel: &OwnChannel, descriptor: RawFd) {
    // SAFETY: both descriptors are open.
    unsafe {
        libc::epoll_ctl(channel.channel.fd, libc::EPOLL_CTL_DEL, descriptor, null_mut());
    }
}

/// Reads on. Returns whether the frame is complete; `None` if the stream has ended.
fn read_frame(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> Option<bool> {
    let mut rest = vec![0; FRAME_BYTES - bytes.len()];
    match stream.read(&mut rest) {
        Ok(0) => None,
        Ok(count) => {
            bytes.extend(&rest[..count]);
            Some(bytes.len() == FRAME_BYTES)
        }
        Err(error) if error.kind() == ErrorKind::WouldBlock => Some(false),
        Err(_) => None,
    }
}

/// Returns the local identifier and the queue pair of a frame's sender.
fn ends(frame: &[u8]) -> (u16, u32) {
    let lid = u16::from_le_bytes([frame[2], frame[3]]);
    (lid, u32::from_le_bytes([frame[4], frame[5], frame[6], frame[7]]))
}

/// Returns a frame of this process.
unsafe fn frame(code: u8, param: Option<&ConnParam>) -> [u8; FRAME_BYTES] {
    let mut bytes = [0; FRAME_BYTES];
    bytes[0] = code;
    let lid = with(|hardware| hardware.lid).unwrap_or(0);
    bytes[2..4].copy_from_slice(&lid.to_le_bytes());
    if let Some(param) = param {
        let count = usize::from(param.private_data_len).min(DATA_BYTES);
        bytes[1] = count as u8;
        bytes[4..8].copy_from_slice(&param.qp_num.to_le_bytes());
        // SAFETY: the caller's parameters name readable bytes.
        let data = unsafe { std::slice::from_raw_parts(param.private_data.cast::<u8>(), count) };
        bytes[8..8 + count].copy_from_slice(data);
    }
    bytes
}

/// Ends the connection of a queue pair that is destroyed.
pub fn end(queue_pair: u32) {
    let channels = CHANNELS.lock().unwrap_or_else(PoisonError::into_inner);
    for &channel in channels.iter() {
        let channel: *mut OwnChannel = std::ptr::with_exposed_provenance_mut(channel);
        // SAFETY: channels and ids in the lists exist, and the lock is held.
        for id in unsafe { (*channel).ids.clone() } {
            // SAFETY: as above.
            let own = unsafe { &mut *id };
            if own.queue_pair == queue_pair && matches!(own.stage, Stage::Connected(_)) {
                own.stage = Stage::Idle;
            }
        }
    }
}

/// Reads an address.
unsafe fn read_address(address: *const libc::sockaddr) -> Option<SocketAddr> {
    // SAFETY: the caller's address has the length that its family says.
    unsafe {
        match c_int::from(address.as_ref()?.sa_family) {
            libc::AF_INET => {
                let four = &*address.cast::<libc::sockaddr_in>();
                let ip = Ipv4Addr::from(four.sin_addr.s_addr.to_ne_bytes());
                Some(SocketAddr::new(ip.into(), u16::from_be(four.sin_port)))
            }
            libc::AF_INET6 => {
                let six = &*address.cast::<libc::sockaddr_in6>();
                let ip = Ipv6Addr::from(six.sin6_addr.s6_addr);
                Some(SocketAddr::new(IpAddr::V6(ip), u16::from_be(six.sin6_port)))
            }
            _ => None,
        }
    }
}

/// Returns a context of the library's own, which only tells the device.
fn own_context(options: &Options) -> *mut Context {
    // SAFETY: zeros are valid for both structures.
    let (mut device, mut context): (Device, Context) =
        unsafe { (std::mem::zeroed(), std::mem::zeroed()) };
    device.transport_type = TRANSPORT_IWARP;
    device.name[..options.name.len()].copy_from_slice(options.name.as_bytes());
    context.device = leak(device);
    leak(context)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rdma_create_event_channel() -> *mut EventChannel {
    // SAFETY: the call takes numbers only.
    let fd = unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) };
    let Some(wake) = crate::net::open_events().filter(|_| fd >= 0) else { return null_mut() };
    // SAFETY: the descriptor was just made.
    unsafe { libc::fcntl(wake, libc::F_SETFL, libc::O_NONBLOCK) };
    let channel = OwnChannel {
        channel: EventChannel { fd },
        wake,
        events: VecDeque::new(),
        ids: Vec::new(),
        strangers: Vec::new(),
    };
    watch(&channel, wake);
    let channel = leak(channel);
    let mut channels = CHANNELS.lock().unwrap_or_else(PoisonError::into_inner);
    channels.push(channel.expose_provenance());
    channel.cast()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rdma_destroy_event_channel(channel: *mut EventChannel) {
    let mut channels = CHANNELS.lock().unwrap_or_else(PoisonError::into_inner);
    channels.retain(|&other| other != channel.addr());
    // SAFETY: the mock made the channel, and its descriptors belong to it.
    unsafe {
        let own = channel.cast::<OwnChannel>();
        assert!((*own).ids.is_empty(), "connections are destroyed before their channel");
        (*own).events.drain(..).for_each(|event| {
            free(event);
        });
        libc::close((*own).wake);
        libc::close((*own).channel.fd);
        free(own);
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rdma_create_id(
    channel: *mut EventChannel,
    id: *mut *mut Id,
    user: *mut c_void,
    space: c_int,
) -> c_int {
    assert_eq!(space, nemesis_netmod_verbs::manager_layout::PORT_SPACE_TCP);
    // SAFETY: the mock made the channel, and the caller's word is writable.
    unsafe { *id = on(channel, |channel| channel.add(Stage::Idle, user)).cast() };
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rdma_destroy_id(id: *mut Id) -> c_int {
    let own = id.cast::<OwnId>();
    // SAFETY: the mock made the id, and the caller does not use it again.
    unsafe {
        on((*id).channel, |channel| {
            channel.ids.retain(|&other| other != own);
            channel.strangers.retain(|&(_, _, listener)| listener != own);
            let (kept, dropped): (VecDeque<_>, VecDeque<_>) =
                channel.events.drain(..).partition(|&event| (*event).event.id != id);
            channel.events = kept;
            dropped.into_iter().for_each(|event| {
                free(event);
            });
        });
        free(own)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rdma_bind_addr(id: *mut Id, address: *mut libc::sockaddr) -> c_int {
    // SAFETY: the mock made the id, and the address is the caller's.
    let (own, address) = unsafe { (&mut *id.cast::<OwnId>(), read_address(address)) };
    let options = OPENED.get();
    let is_of_device = |address: &SocketAddr| {
        address.ip().is_loopback() && options.manager != ManagerTrouble::NoAddress
    };
    let Some(address) = address.filter(is_of_device) else {
        return answer(Err(libc::ENODEV));
    };
    own.id.verbs = own_context(&options);
    own.stage = Stage::Bound(address);
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rdma_listen(id: *mut Id, _: c_int) -> c_int {
    // SAFETY: the mock made the id.
    let own = unsafe { &mut *id.cast::<OwnId>() };
    let Stage::Bound(address) = own.stage else { return answer(Err(libc::EINVAL)) };
    let listener = TcpListener::bind(address).and_then(|listener| {
        listener.set_nonblocking(true)?;
        Ok(listener)
    });
    answer(match listener {
        Ok(listener) => {
            // SAFETY: the mock made the channel.
            unsafe { on(own.id.channel, |channel| watch(channel, listener.as_raw_fd())) };
            own.stage = Stage::Listening(listener);
            Ok(())
        }
        Err(error) => Err(error.raw_os_error().unwrap_or(libc::EIO)),
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rdma_get_src_port(id: *mut Id) -> u16 {
    // SAFETY: the mock made the id.
    match unsafe { &(*id.cast::<OwnId>()).stage } {
        Stage::Listening(listener) => {
            listener.local_addr().map_or(0, |address| address.port()).to_be()
        }
        _ => 0,
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rdma_resolve_addr(
    id: *mut Id,
    _: *mut libc::sockaddr,
    theirs: *mut libc::sockaddr,
    _: c_int,
) -> c_int {
    // SAFETY: the mock made the id, and the address is the caller's.
    let (own, theirs) = unsafe { (&mut *id.cast::<OwnId>(), read_address(theirs)) };
    let Some(theirs) = theirs else { return answer(Err(libc::EINVAL)) };
    let kind = if theirs.ip().is_loopback() { event::ADDR_RESOLVED } else { event::ADDR_ERROR };
    let status = if theirs.ip().is_loopback() { 0 } else { -libc::ENETUNREACH };
    own.stage = Stage::Resolved(theirs);
    // SAFETY: the mock made the channel.
    unsafe { on((*id).channel, |channel| channel.tell(id.cast(), kind, status, &[])) };
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rdma_resolve_route(id: *mut Id, _: c_int) -> c_int {
    // SAFETY: the mock made the id and its channel.
    unsafe {
        if !matches!((*id.cast::<OwnId>()).stage, Stage::Resolved(_)) {
            return answer(Err(libc::EINVAL));
        }
        on((*id).channel, |channel| channel.tell(id.cast(), event::ROUTE_RESOLVED, 0, &[]));
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rdma_connect(id: *mut Id, param: *mut ConnParam) -> c_int {
    // SAFETY: the mock made the id, and the parameters are the caller's.
    let (own, param) = unsafe { (&mut *id.cast::<OwnId>(), &*param) };
    let Stage::Resolved(theirs) = own.stage else { return answer(Err(libc::EINVAL)) };
    own.queue_pair = param.qp_num;
    if with(|hardware| hardware.manager_trouble(param.qp_num)) == Some(ManagerTrouble::Silence) {
        // SAFETY: the mock made the channel.
        unsafe {
            on(own.id.channel, |channel| {
                channel.tell(id.cast(), event::UNREACHABLE, -libc::ETIMEDOUT, &[]);
            });
        }
        return 0;
    }
    // SAFETY: the parameters are complete.
    let request = unsafe { frame(REQUEST, Some(param)) };
    let stream = TcpStream::connect(theirs).and_then(|mut stream| {
        stream.write_all(&request)?;
        stream.set_nonblocking(true)?;
        Ok(stream)
    });
    // SAFETY: the mock made the channel.
    unsafe {
        on(own.id.channel, |channel| match stream {
            Ok(stream) => {
                watch(channel, stream.as_raw_fd());
                own.stage = Stage::Asking(stream, Vec::new());
            }
            Err(_) => channel.tell(id.cast(), event::REJECTED, -libc::ECONNREFUSED, &[]),
        });
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rdma_accept(id: *mut Id, param: *mut ConnParam) -> c_int {
    // SAFETY: the mock made the id, and the parameters are the caller's.
    let (own, param) = unsafe { (&mut *id.cast::<OwnId>(), &*param) };
    let Stage::Asked(mut stream, request) = std::mem::replace(&mut own.stage, Stage::Idle) else {
        return answer(Err(libc::EINVAL));
    };
    own.queue_pair = param.qp_num;
    let (lid, number) = ends(&request);
    // SAFETY: the parameters are complete.
    let reply = unsafe { frame(ACCEPTED, Some(param)) };
    let is_linked = with(|hardware| hardware.link(param.qp_num, lid, number, true)) == Some(true);
    if !is_linked || stream.write_all(&reply).is_err() {
        return answer(Err(libc::ECONNRESET));
    }
    // SAFETY: the mock made the channel.
    unsafe {
        on(own.id.channel, |channel| {
            watch(channel, stream.as_raw_fd());
            own.stage = Stage::Connected(stream);
            channel.tell(id.cast(), event::ESTABLISHED, 0, &[]);
        });
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rdma_reject(id: *mut Id, _: *const c_void, _: u8) -> c_int {
    // SAFETY: the mock made the id.
    let own = unsafe { &mut *id.cast::<OwnId>() };
    let Stage::Asked(mut stream, _) = std::mem::replace(&mut own.stage, Stage::Idle) else {
        return answer(Err(libc::EINVAL));
    };
    // SAFETY: there are no parameters.
    let _ = stream.write_all(&unsafe { frame(REJECTED, None) });
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rdma_get_cm_event(
    channel: *mut EventChannel,
    event: *mut *mut Event,
) -> c_int {
    // SAFETY: the mock made the channel, and the caller's word is writable.
    unsafe {
        let found = on(channel, |channel| {
            if channel.events.is_empty() {
                channel.run();
            }
            channel.events.pop_front()
        });
        match found {
            Some(found) => {
                *event = found.cast();
                0
            }
            None => answer(Err(libc::EAGAIN)),
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn rdma_ack_cm_event(event: *mut Event) -> c_int {
    // SAFETY: the mock made the event, and the caller does not use it again.
    unsafe { free(event.cast::<OwnEvent>()) }
}
