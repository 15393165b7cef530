//! The objects of libibverbs with their owners: each is destroyed when it is dropped, after
//! everything that uses it.
//!
//! Requests name memory by address and key. The device checks both against the registrations of its
//! protection domain, so a request accesses registered memory only. Therefore posting is safe, and
//! [`Registration::new`] states what the owner of the memory promises.

#![allow(unsafe_code)]

use crate::layout::{self, Wc, mask, opcode, state};
use crate::library::Library;
use rustix::io::Errno;
use std::ffi::c_int;
use std::os::fd::RawFd;
use std::ptr::{NonNull, null_mut};
use std::sync::Arc;

/// Declares that the objects may move between threads and be used by any.
macro_rules! threads {
    ($($object:ident),*) => {$(
        // SAFETY: libibverbs allows every call from any thread.
        unsafe impl Send for $object {}
        // SAFETY: as above; the library locks what it changes.
        unsafe impl Sync for $object {}
    )*};
}

threads!(Context, Domain, Channel, CompletionQueue, SharedQueue, QueuePair, Registration);

/// Returns the words of an error number that the library has returned, or of the last one if it is
/// 0 or negative.
pub fn words(code: c_int) -> String {
    let error = match code {
        code if code > 0 => std::io::Error::from_raw_os_error(code),
        _ => std::io::Error::last_os_error(),
    };
    match Errno::from_io_error(&error) {
        Some(Errno::NOMEM) => format!("{error}: {}", crate::limits::reached()),
        _ => error.to_string(),
    }
}

/// Makes reads of a descriptor return at once.
pub fn never_block(descriptor: RawFd) -> Result<(), String> {
    // SAFETY: the call accesses no memory.
    let flags = unsafe { libc::fcntl(descriptor, libc::F_GETFL) };
    // SAFETY: as above.
    let set = unsafe { libc::fcntl(descriptor, libc::F_SETFL, flags | libc::O_NONBLOCK) };
    if flags < 0 || set < 0 { Err(words(0)) } else { Ok(()) }
}

/// The devices of a host.
pub struct Devices {
    /// The chosen devices that could be opened.
    pub opened: Vec<Arc<Context>>,
    /// Why the other chosen devices could not be opened.
    pub closed: Vec<String>,
    /// Names of all devices.
    pub names: Vec<String>,
}

/// An open device.
pub struct Context {
    pub library: Arc<Library>,
    pub name: String,
    pub is_iwarp: bool,
    raw: NonNull<layout::Context>,
}

impl Context {
    /// Opens the devices that `wanted` chooses by name.
    pub fn open_all(
        library: &Arc<Library>,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Devices, String> {
        let mut count = 0;
        // SAFETY: `count` is writable.
        let list = unsafe { (library.get_device_list)(&raw mut count) };
        if list.is_null() {
            return Err(format!("the devices cannot be listed: {}", words(0)));
        }
        let (mut opened, mut closed, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for index in 0..usize::try_from(count).unwrap_or(0) {
            // SAFETY: the list has `count` devices, which live until it is freed.
            let (device, name, is_iwarp) = unsafe {
                let device = *list.add(index);
                let name = &(*device).name;
                let end = name.iter().position(|&byte| byte == 0).unwrap_or(name.len());
                let name = String::from_utf8_lossy(&name[..end]).into_owned();
                (device, name, (*device).transport_type == layout::TRANSPORT_IWARP)
            };
            names.push(name.clone());
            if !wanted(&name) {
                continue;
            }
            // SAFETY: the device belongs to the list.
            match NonNull::new(unsafe { (library.open_device)(device) }) {
                Some(raw) => {
                    let library = Arc::clone(library);
                    opened.push(Arc::new(Context { library, name, is_iwarp, raw }));
                }
                None => {
                    closed.push(format!(
                        "the device {name} cannot be opened: {} (see ls -l /dev/infiniband)",
                        words(0)
                    ));
                }
            }
        }
        // SAFETY: the library made the list, and opened devices do not need it.
        unsafe { (library.free_device_list)(list) };
        Ok(Devices { opened, closed, names })
    }

    /// Returns the operations that the header defines inline.
    fn ops(&self) -> &layout::ContextOps {
        // SAFETY: the context is open as long as `self`, and its operations do not change.
        unsafe { &(*self.raw.as_ptr()).ops }
    }

    pub fn attr(&self) -> Result<layout::DeviceAttr, String> {
        // SAFETY: the structure consists of numbers, and zeros are valid.
        let mut attr: layout::DeviceAttr = unsafe { std::mem::zeroed() };
        // SAFETY: the structure is at least as long as that of the library.
        match unsafe { (self.library.query_device)(self.raw.as_ptr(), &raw mut attr) } {
            0 => Ok(attr),
            code => Err(format!("{}: {}", self.name, words(code))),
        }
    }

    pub fn port(&self, port: u8) -> Result<layout::PortAttr, String> {
        // SAFETY: the structure consists of numbers, and zeros are valid.
        let mut attr: layout::PortAttr = unsafe { std::mem::zeroed() };
        // SAFETY: the structure is at least as long as that of the library.
        match unsafe { (self.library.query_port)(self.raw.as_ptr(), port, &raw mut attr) } {
            0 => Ok(attr),
            code => Err(format!("{} port {port}: {}", self.name, words(code))),
        }
    }

    /// Returns the used entries of a port's table of addresses, of at most `entries` entries.
    pub fn gids(&self, port: u8, entries: usize) -> Vec<layout::GidEntry> {
        let one_by_one = || (0..entries).filter_map(|index| self.gid(port, index)).collect();
        let Some(query) = self.library.query_gid_table else { return one_by_one() };
        // The result holds the used entries of all ports of the device.
        let bytes = size_of::<layout::GidEntry>();
        let most = (4 * entries).clamp(1, GID_ANSWER_MAX_BYTES / bytes);
        let mut table = vec![layout::GidEntry::default(); most];
        // SAFETY: the table has room for the entries named, each of the length named.
        let count = unsafe { query(self.raw.as_ptr(), table.as_mut_ptr(), table.len(), 0, bytes) };
        let Ok(count) = usize::try_from(count) else { return one_by_one() };
        table.truncate(count);
        table.retain(|entry| entry.port_num == u32::from(port));
        table
    }

    /// Reads one address and its type, for libraries before rdma-core 32 and longer tables.
    fn gid(&self, port: u8, index: usize) -> Option<layout::GidEntry> {
        let mut entry = layout::GidEntry {
            gid_index: index as u32,
            port_num: port.into(),
            ..layout::GidEntry::default()
        };
        // SAFETY: the address has 16 writable bytes.
        let code = unsafe {
            (self.library.query_gid)(
                self.raw.as_ptr(),
                port,
                index as c_int,
                entry.gid.as_mut_ptr(),
            )
        };
        let path =
            format!("/sys/class/infiniband/{}/ports/{port}/gid_attrs/types/{index}", self.name);
        let kind = std::fs::read_to_string(path).unwrap_or_default();
        entry.gid_type = if kind.contains("v2") { layout::GID_ROCE_V2 } else { 0 };
        (code == 0 && entry.gid != [0; 16]).then_some(entry)
    }

    pub fn pkey(&self, port: u8, index: usize) -> Option<u16> {
        let mut pkey = 0;
        // SAFETY: `pkey` is writable.
        let code = unsafe {
            (self.library.query_pkey)(self.raw.as_ptr(), port, index as c_int, &raw mut pkey)
        };
        (code == 0).then(|| u16::from_be(pkey))
    }

    /// Prepares [`read_event`](Context::read_event), which then never blocks.
    pub fn watch(&self) -> Result<(), String> {
        never_block(self.events_descriptor())
    }

    /// Returns the descriptor that is readable when the device has an event.
    pub fn events_descriptor(&self) -> RawFd {
        // SAFETY: the context is open as long as `self`.
        unsafe { (*self.raw.as_ptr()).async_fd }
    }

    /// Reads one event of the device, if there is one, and acknowledges it. Returns whether there
    /// was one.
    pub fn read_event(&self) -> bool {
        let mut event = layout::AsyncEvent { element: 0, event_type: 0, unused: 0 };
        // SAFETY: the event is writable, and the descriptor does not block.
        let code = unsafe { (self.library.get_async_event)(self.raw.as_ptr(), &raw mut event) };
        if code == 0 {
            // SAFETY: the library has filled the event, which is acknowledged once.
            unsafe { (self.library.ack_async_event)(&raw mut event) };
        }
        code == 0
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: everything that uses the context holds an `Arc` of it.
        unsafe { (self.library.close_device)(self.raw.as_ptr()) };
    }
}

/// A protection domain: requests of its queue pairs access its registrations only.
pub struct Domain {
    pub context: Arc<Context>,
    raw: NonNull<layout::Pd>,
}

impl Domain {
    pub fn new(context: &Arc<Context>) -> Result<Arc<Domain>, String> {
        // SAFETY: the context is open.
        let raw = unsafe { (context.library.alloc_pd)(context.raw.as_ptr()) };
        let raw = NonNull::new(raw).ok_or_else(|| words(0))?;
        Ok(Arc::new(Domain { context: Arc::clone(context), raw }))
    }

    /// Returns the rights of memory into which this process reads remote memory. With iWARP the
    /// answer to a read is a write of the other side.
    pub fn sink_rights(&self) -> u32 {
        use layout::access::{LOCAL_WRITE, REMOTE_WRITE};
        if self.context.is_iwarp { LOCAL_WRITE | REMOTE_WRITE } else { LOCAL_WRITE }
    }
}

impl Drop for Domain {
    fn drop(&mut self) {
        // SAFETY: everything that uses the domain holds an `Arc` of it.
        unsafe { (self.context.library.dealloc_pd)(self.raw.as_ptr()) };
    }
}

/// A channel that makes a descriptor readable when an armed queue receives a completion.
pub struct Channel {
    context: Arc<Context>,
    raw: NonNull<layout::CompChannel>,
}

impl Channel {
    pub fn new(context: &Arc<Context>) -> Result<Arc<Channel>, String> {
        // SAFETY: the context is open.
        let raw = unsafe { (context.library.create_channel)(context.raw.as_ptr()) };
        let raw = NonNull::new(raw).ok_or_else(|| words(0))?;
        let channel = Channel { context: Arc::clone(context), raw };
        never_block(channel.descriptor())?;
        Ok(Arc::new(channel))
    }

    pub fn descriptor(&self) -> RawFd {
        // SAFETY: the channel exists as long as `self`.
        unsafe { (*self.raw.as_ptr()).fd }
    }

    /// Reads one event, if there is one, and acknowledges it. Returns whether there was one.
    pub fn read(&self) -> bool {
        let (mut cq, mut user) = (null_mut(), null_mut());
        // SAFETY: both are writable; the descriptor does not block.
        let code = unsafe {
            (self.context.library.get_cq_event)(self.raw.as_ptr(), &raw mut cq, &raw mut user)
        };
        if code == 0 {
            // SAFETY: the queue exists: it is destroyed when no event of it is left.
            unsafe { (self.context.library.ack_cq_events)(cq, 1) };
        }
        code == 0
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        // SAFETY: every queue of the channel holds an `Arc` of it.
        unsafe { (self.context.library.destroy_channel)(self.raw.as_ptr()) };
    }
}

/// A completion queue.
pub struct CompletionQueue {
    context: Arc<Context>,
    _channel: Arc<Channel>,
    raw: NonNull<layout::Cq>,
}

impl CompletionQueue {
    pub fn new(
        context: &Arc<Context>,
        channel: &Arc<Channel>,
        entries: u32,
    ) -> Result<Arc<CompletionQueue>, String> {
        // SAFETY: context and channel exist, and the queue keeps both.
        let raw = unsafe {
            (context.library.create_cq)(
                context.raw.as_ptr(),
                entries as c_int,
                null_mut(),
                channel.raw.as_ptr(),
                0,
            )
        };
        let raw = NonNull::new(raw).ok_or_else(|| words(0))?;
        let (context, _channel) = (Arc::clone(context), Arc::clone(channel));
        Ok(Arc::new(CompletionQueue { context, _channel, raw }))
    }

    /// Takes completions and returns their number.
    pub fn poll(&self, into: &mut [Wc]) -> Result<usize, String> {
        let poll = self.context.ops().poll_cq.ok_or("the device polls no queue")?;
        // SAFETY: the queue exists, and `into` has room for the number named.
        let count = unsafe { poll(self.raw.as_ptr(), into.len() as c_int, into.as_mut_ptr()) };
        usize::try_from(count).map_err(|_| "a completion queue has failed".to_owned())
    }

    /// Asks for an event at the next completion.
    pub fn arm(&self) -> Result<(), String> {
        let arm = self.context.ops().req_notify_cq.ok_or("the device arms no queue")?;
        // SAFETY: the queue exists.
        match unsafe { arm(self.raw.as_ptr(), 0) } {
            0 => Ok(()),
            code => Err(words(code)),
        }
    }
}

impl Drop for CompletionQueue {
    fn drop(&mut self) {
        // SAFETY: every queue pair of the queue holds an `Arc` of it, and no event of it is left
        // without an acknowledgement, because `Channel::read` acknowledges each.
        unsafe { (self.context.library.destroy_cq)(self.raw.as_ptr()) };
    }
}

/// A receive queue that all queue pairs share.
pub struct SharedQueue {
    domain: Arc<Domain>,
    raw: NonNull<layout::Srq>,
}

impl SharedQueue {
    pub fn new(domain: &Arc<Domain>, receives: u32) -> Result<Arc<SharedQueue>, String> {
        let mut attr = layout::SrqInitAttr {
            srq_context: null_mut(),
            max_wr: receives,
            max_sge: 1,
            srq_limit: 0,
            unused: 0,
        };
        // SAFETY: the domain exists, and the attributes are complete.
        let raw =
            unsafe { (domain.context.library.create_srq)(domain.raw.as_ptr(), &raw mut attr) };
        let raw = NonNull::new(raw).ok_or_else(|| words(0))?;
        Ok(Arc::new(SharedQueue { domain: Arc::clone(domain), raw }))
    }

    /// Posts a receive.
    pub fn post(&self, wr_id: u64, mut part: layout::Sge) -> Result<(), String> {
        let post = self.domain.context.ops().post_srq_recv.ok_or("the device has no such queue")?;
        let mut wr = layout::RecvWr { wr_id, next: null_mut(), sg_list: &raw mut part, num_sge: 1 };
        let mut bad = null_mut();
        // SAFETY: the queue exists, and the request is complete and used during the call only.
        match unsafe { post(self.raw.as_ptr(), &raw mut wr, &raw mut bad) } {
            0 => Ok(()),
            code => Err(words(code)),
        }
    }
}

impl Drop for SharedQueue {
    fn drop(&mut self) {
        // SAFETY: every queue pair of the queue holds an `Arc` of it.
        unsafe { (self.domain.context.library.destroy_srq)(self.raw.as_ptr()) };
    }
}

/// Registered memory.
pub struct Registration {
    domain: Arc<Domain>,
    raw: NonNull<layout::Mr>,
    address: usize,
    bytes: usize,
}

impl Registration {
    /// Registers memory.
    ///
    /// # Safety
    /// The memory is mapped until the registration is dropped. While a request or another process
    /// may access it, no Rust reference to it exists that the access contradicts.
    pub unsafe fn new(
        domain: &Arc<Domain>,
        address: NonNull<u8>,
        bytes: usize,
        access: u32,
    ) -> Result<Registration, String> {
        let start = address.as_ptr().cast();
        // SAFETY: the caller states that the memory is mapped, and the domain exists.
        let raw = unsafe {
            (domain.context.library.reg_mr)(domain.raw.as_ptr(), start, bytes, access as c_int)
        };
        let raw = NonNull::new(raw).ok_or_else(|| words(0))?;
        let address = address.as_ptr().expose_provenance();
        Ok(Registration { domain: Arc::clone(domain), raw, address, bytes })
    }

    /// Returns the key for requests of this process.
    pub fn local_key(&self) -> u32 {
        // SAFETY: the registration exists as long as `self`.
        unsafe { (*self.raw.as_ptr()).lkey }
    }

    /// Returns the key for requests of other processes.
    pub fn remote_key(&self) -> u32 {
        // SAFETY: the registration exists as long as `self`.
        unsafe { (*self.raw.as_ptr()).rkey }
    }

    /// Returns whether the memory of a request lies within the registration.
    pub fn contains(&self, address: usize, bytes: usize) -> bool {
        address >= self.address
            && address - self.address <= self.bytes
            && bytes <= self.bytes - (address - self.address)
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        // SAFETY: the registration exists, and nothing uses it after this.
        unsafe { (self.domain.context.library.dereg_mr)(self.raw.as_ptr()) };
    }
}

/// A request of a queue pair.
#[derive(Clone, Copy, Debug)]
pub enum Request {
    Send,
    Write { address: u64, key: u32 },
    Read { address: u64, key: u32 },
    FetchAdd { address: u64, key: u32, add: u64 },
    CompareSwap { address: u64, key: u32, expected: u64, new: u64 },
}

/// Route to another queue pair, and the numbers of both directions.
#[derive(Clone, Copy)]
pub struct Route {
    pub path: layout::AhAttr,
    pub mtu: u32,
    pub queue_pair: u32,
    pub their_psn: u32,
    pub reads: u8,
}

/// A reliable connection.
pub struct QueuePair {
    domain: Arc<Domain>,
    _queues: (Arc<CompletionQueue>, Arc<CompletionQueue>, Arc<SharedQueue>),
    raw: NonNull<layout::Qp>,
    /// Bytes that a request can carry itself.
    pub inline_bytes: usize,
}

impl QueuePair {
    pub fn new(
        domain: &Arc<Domain>,
        send: &Arc<CompletionQueue>,
        receive: &Arc<CompletionQueue>,
        shared: &Arc<SharedQueue>,
        requests: u32,
        inline: u32,
    ) -> Result<QueuePair, String> {
        let mut attr = layout::QpInitAttr {
            qp_context: null_mut(),
            send_cq: send.raw.as_ptr(),
            recv_cq: receive.raw.as_ptr(),
            srq: shared.raw.as_ptr(),
            cap: layout::QpCap {
                max_send_wr: requests,
                max_send_sge: 1,
                max_inline_data: inline,
                ..layout::QpCap::default()
            },
            qp_type: layout::QPT_RC,
            sq_sig_all: 1,
            unused: 0,
        };
        // SAFETY: domain and queues exist, and the queue pair keeps them.
        let raw = unsafe { (domain.context.library.create_qp)(domain.raw.as_ptr(), &raw mut attr) };
        let raw = NonNull::new(raw).ok_or_else(|| {
            format!(
                "{} makes no further queue pair: {}; each connection takes two, and \
                 `ibv_devinfo -v` prints how many the device has (max_qp)",
                domain.context.name,
                words(0)
            )
        })?;
        Ok(QueuePair {
            domain: Arc::clone(domain),
            _queues: (Arc::clone(send), Arc::clone(receive), Arc::clone(shared)),
            raw,
            inline_bytes: attr.cap.max_inline_data as usize,
        })
    }

    /// Returns the number by which the other queue pair names this one.
    pub fn number(&self) -> u32 {
        // SAFETY: the queue pair exists as long as `self`.
        unsafe { (*self.raw.as_ptr()).qp_num }
    }

    /// Returns whether the device places the bytes of a write in ascending order, so that the last
    /// ones tell that all have arrived. Libraries before rdma-core 36 cannot tell.
    pub fn places_in_order(&self) -> bool {
        let query = self.domain.context.library.query_data_in_order;
        // SAFETY: the queue pair exists.
        query.is_some_and(|query| unsafe { query(self.raw.as_ptr(), opcode::WRITE, 0) } == 1)
    }

    fn modify(&self, mut attr: layout::QpAttr, mask: u32, step: &str) -> Result<(), String> {
        // SAFETY: the queue pair exists, and the attributes are complete.
        let code = unsafe {
            (self.domain.context.library.modify_qp)(self.raw.as_ptr(), &raw mut attr, mask as c_int)
        };
        if code == 0 { Ok(()) } else { Err(format!("{step}: {}", words(code))) }
    }

    /// Binds a new queue pair to a port and grants rights to the process at its other end. That of
    /// an iWARP device belongs to its port already, and gets its rights only.
    pub fn initialize(&self, port: u8, pkey_index: u16, rights: u32) -> Result<(), String> {
        if self.domain.context.is_iwarp {
            let attr = layout::QpAttr {
                qp_state: state::INIT,
                qp_access_flags: rights,
                ..layout::QpAttr::default()
            };
            return self.modify(attr, mask::STATE | mask::ACCESS_FLAGS, "preparing a queue pair");
        }
        let attr = layout::QpAttr {
            qp_state: state::INIT,
            port_num: port,
            pkey_index,
            qp_access_flags: rights,
            ..layout::QpAttr::default()
        };
        self.modify(attr, mask::TO_INIT, "binding a queue pair to its port")
    }

    /// Connects an initialized queue pair. Afterwards it sends and receives.
    pub fn connect(&self, route: &Route, own_psn: u32) -> Result<(), String> {
        let attr = layout::QpAttr {
            qp_state: state::RTR,
            path_mtu: route.mtu,
            dest_qp_num: route.queue_pair,
            rq_psn: route.their_psn,
            max_dest_rd_atomic: route.reads,
            min_rnr_timer: MIN_RNR_TIMER,
            ah_attr: route.path,
            ..layout::QpAttr::default()
        };
        self.modify(attr, mask::TO_RTR, "connecting a queue pair")?;
        let attr = layout::QpAttr {
            qp_state: state::RTS,
            sq_psn: own_psn,
            timeout: TIMEOUT,
            retry_cnt: 7,
            rnr_retry: 7,
            max_rd_atomic: route.reads,
            ..layout::QpAttr::default()
        };
        self.modify(attr, mask::TO_RTS, "starting a queue pair")
    }

    /// Posts a request on registered memory.
    pub fn post(&self, wr_id: u64, request: Request, part: layout::Sge) -> Result<(), String> {
        // SAFETY: without the flag the device checks the memory against the registrations.
        unsafe { self.post_part(wr_id, request, part, 0) }
    }

    /// Posts a request that carries its bytes itself; there are at most `inline_bytes`.
    pub fn post_inline(&self, wr_id: u64, request: Request, bytes: &[u8]) -> Result<(), String> {
        let addr = bytes.as_ptr().expose_provenance() as u64;
        let part = layout::Sge { addr, length: bytes.len() as u32, lkey: 0 };
        // SAFETY: the library reads the bytes during the call.
        unsafe { self.post_part(wr_id, request, part, layout::flag::INLINE) }
    }

    /// Posts a request.
    ///
    /// # Safety
    /// With the flag `INLINE`, the bytes of `part` are readable.
    unsafe fn post_part(
        &self,
        wr_id: u64,
        request: Request,
        mut part: layout::Sge,
        flags: u32,
    ) -> Result<(), String> {
        let post = self.domain.context.ops().post_send.ok_or("the device sends nothing")?;
        let (opcode, remote_addr, compare_add, swap, rkey) = match request {
            Request::Send => (opcode::SEND, 0, 0, 0, 0),
            Request::Write { address, key } => (opcode::WRITE, address, first_half(key), 0, 0),
            Request::Read { address, key } => (opcode::READ, address, first_half(key), 0, 0),
            Request::FetchAdd { address, key, add } => (opcode::FETCH_ADD, address, add, 0, key),
            Request::CompareSwap { address, key, expected, new } => {
                (opcode::COMPARE_SWAP, address, expected, new, key)
            }
        };
        let mut wr = layout::SendWr {
            wr_id,
            next: null_mut(),
            sg_list: &raw mut part,
            num_sge: 1,
            opcode,
            send_flags: flags | layout::flag::SIGNALED,
            imm_data: 0,
            remote_addr,
            compare_add,
            swap,
            rkey,
            unused0: 0,
            unused1: [0; 7],
        };
        let mut bad = null_mut();
        // SAFETY: the queue pair exists, and the request is complete and used during the call only.
        // The caller answers for inline bytes.
        match unsafe { post(self.raw.as_ptr(), &raw mut wr, &raw mut bad) } {
            0 => Ok(()),
            code => Err(words(code)),
        }
    }
}

/// Returns the word in which writes and reads carry their key: in its first four bytes.
fn first_half(key: u32) -> u64 {
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&key.to_ne_bytes());
    u64::from_ne_bytes(bytes)
}

impl Drop for QueuePair {
    fn drop(&mut self) {
        // SAFETY: the queue pair exists. When the call returns, the device has ended its requests.
        unsafe { (self.domain.context.library.destroy_qp)(self.raw.as_ptr()) };
    }
}

/// Longest answer of the kernel to a question: its length has 16 bits.
const GID_ANSWER_MAX_BYTES: usize = u16::MAX as usize;
/// Code of the time after which a sender tries again whose receiver has no receive: 0.64 ms.
const MIN_RNR_TIMER: u8 = 12;
/// Code of the time-out: 4.096 us times 2 to the power 17 are 0.54 s. With seven repetitions a
/// connection is lost after 4.3 s, less than with TCP.
const TIMEOUT: u8 = 17;
