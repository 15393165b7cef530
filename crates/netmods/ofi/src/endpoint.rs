//! An endpoint of libfabric with everything that belongs to it, as a safe interface.
//!
//! The endpoint owns the memory of an operation from its start to its completion: an operation
//! takes a buffer or a region, and its [`Completion`] returns it. When the endpoint is dropped it
//! is closed first, which ends all operations, and their memory is released afterwards.

#![allow(unsafe_code)]

use crate::choice::{self, Chosen};
use crate::layout::{self, Object, has};
use crate::library::{Library, Properties, keep_loaded, text_of};
use crate::memory::{Buffer, Chunk, Operations};
use crate::secret;
use nemesis_netmod::{Region, RegionMut};
use std::ffi::{c_int, c_void};
use std::mem::{ManuallyDrop, offset_of};
use std::os::fd::RawFd;
use std::ptr::null_mut;
use std::sync::Arc;

mod remote;
mod sleeping;

pub use remote::{Exposed, Remote};

/// Completions that one call reads.
const COMPLETIONS: usize = 16;
/// Why an operation on a closed endpoint fails.
const CLOSED: &str = "the endpoint was closed";
/// Room for an address.
const ADDRESS_MAX_BYTES: usize = 256;

/// The address of a peer in the address vector.
pub type Address = u64;

/// A registration of memory.
pub struct Memory {
    object: Object,
    descriptor: *mut c_void,
    /// What peers name it by.
    key: u64,
}

// SAFETY: the object belongs to the registration; the library takes it on every thread, one at a
// time.
unsafe impl Send for Memory {}

/// What an operation holds until it completes.
pub enum Held {
    /// A buffer that waits for a message.
    Receive(Buffer),
    /// A message under way. The label is the caller's.
    Send(Buffer, u64),
    /// A bulk payload that is sent, or memory that is written to that of a peer.
    From(Region, u64, Option<Memory>),
    /// A bulk payload that is received, or memory that is read from that of a peer.
    To(RegionMut, u64, Option<Memory>),
}

impl Held {
    /// Returns the label of an operation on memory of the host.
    pub fn host_label(&self) -> Option<u64> {
        match self {
            Held::From(_, label, _) | Held::To(_, label, _) => Some(*label),
            Held::Receive(_) | Held::Send(..) => None,
        }
    }
}

/// An operation that has ended.
pub struct Completion {
    /// What it held.
    pub held: Held,
    /// The number of bytes received, or why it failed.
    pub outcome: Result<usize, String>,
}

/// Why an operation did not start.
pub enum NotStarted<T> {
    /// The provider has no resources or no connection yet; its memory is the caller's again.
    Again(T),
    /// The provider refuses it.
    Failed(T, String),
}

/// The functions of the objects, from their tables.
struct Calls {
    receive: TransferCall,
    send: TransferCall,
    inject: unsafe extern "C" fn(Object, *const c_void, usize, u64) -> isize,
    receive_tagged: TaggedReceive,
    send_tagged: TaggedSend,
    cancel: unsafe extern "C" fn(Object, *mut c_void) -> isize,
    completions: unsafe extern "C" fn(Object, *mut c_void, usize) -> isize,
    wait_for_completions: Option<CqWait>,
    error: unsafe extern "C" fn(Object, *mut layout::CqErrorEntry, u64) -> isize,
    words: Option<CqWords>,
    register: Register,
    read: Option<RemoteCall>,
    write: Option<RemoteMessageCall>,
    insert: AvInsert,
    remove: AvRemove,
    try_wait: Option<unsafe extern "C" fn(Object, *mut Object, c_int) -> c_int>,
}

type TransferCall =
    unsafe extern "C" fn(Object, *mut c_void, usize, *mut c_void, u64, *mut c_void) -> isize;
type TaggedReceive = unsafe extern "C" fn(
    Object,
    *mut c_void,
    usize,
    *mut c_void,
    u64,
    u64,
    u64,
    *mut c_void,
) -> isize;
type TaggedSend =
    unsafe extern "C" fn(Object, *const c_void, usize, *mut c_void, u64, u64, *mut c_void) -> isize;
type RemoteCall = unsafe extern "C" fn(
    Object,
    *mut c_void,
    usize,
    *mut c_void,
    u64,
    u64,
    u64,
    *mut c_void,
) -> isize;
type RemoteMessageCall = unsafe extern "C" fn(Object, *const layout::MsgRma, u64) -> isize;
type CqWait = unsafe extern "C" fn(Object, *mut c_void, usize, *const c_void, c_int) -> isize;
type CqWords = unsafe extern "C" fn(
    Object,
    c_int,
    *const c_void,
    *mut std::ffi::c_char,
    usize,
) -> *const std::ffi::c_char;
type Register = unsafe extern "C" fn(
    Object,
    *const c_void,
    usize,
    u64,
    u64,
    u64,
    u64,
    *mut Object,
    *mut c_void,
) -> c_int;
type AvInsert =
    unsafe extern "C" fn(Object, *const c_void, usize, *mut u64, u64, *mut c_void) -> c_int;
type AvRemove = unsafe extern "C" fn(Object, *mut u64, usize, u64) -> c_int;

/// Reads a function from a table of an object; an error if the table or the function is missing.
macro_rules! function {
    ($object:expr, $fid:ident, $table:ident, $ops:ident, $function:ident) => {{
        // SAFETY: the object has this type, and a table begins with its size.
        let found = unsafe {
            let table = (*$object.cast::<layout::$fid>()).$table;
            if table.is_null() || !has((*table).size, offset_of!(layout::$ops, $function)) {
                None
            } else {
                (*table).$function
            }
        };
        found.ok_or(concat!(
            "the provider has no function ",
            stringify!($ops),
            ".",
            stringify!($function)
        ))
    }};
}

/// An open object, closed when it is dropped.
struct Opened(Object);

impl Opened {
    fn close(&mut self) -> c_int {
        let object = std::mem::replace(&mut self.0, null_mut());
        if object.is_null() {
            return 0;
        }
        close(object)
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        self.close();
    }
}

fn close(object: Object) -> c_int {
    match function!(object, Fid, ops, ObjectOps, close) {
        // SAFETY: the object is open and is not used any more.
        Ok(close) => unsafe { close(object) },
        Err(_) => -libc::ENOSYS,
    }
}

/// An endpoint, its completion queue, its address vector and its domain.
pub struct Endpoint {
    library: Arc<Library>,
    calls: Calls,
    // Closed in this order (`drop`).
    endpoint: Opened,
    queue: Opened,
    vector: Opened,
    domain: Opened,
    fabric: Opened,
    /// Dropped after the endpoint has been closed.
    operations: ManuallyDrop<Operations<Held>>,
    chunks: Vec<Option<Memory>>,
    free: Vec<Buffer>,
    buffer_bytes: usize,
    properties: Properties,
    /// Descriptor of the completion queue; `None` if the provider has none.
    descriptor: Option<RawFd>,
    /// Whether the caller may have slept on the descriptor, and nothing has completed since.
    slept: bool,
    /// Whether the endpoint takes no more operations.
    closed: bool,
    /// Whether the provider refused to close it, and may use the memory of operations for ever.
    stuck: bool,
}

// SAFETY: one thread at a time uses the objects (`&mut self`), as `FI_THREAD_DOMAIN` demands.
unsafe impl Send for Endpoint {}

/// Sizes of an endpoint.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Bytes of a buffer, a multiple of 64.
    pub buffer_bytes: usize,
    /// Entries of the completion queue.
    pub completions: usize,
    /// Peers to expect.
    pub peers: usize,
    /// Whether the process wants to sleep on a descriptor.
    pub sleeps: bool,
}

impl Endpoint {
    /// Opens an endpoint for a chosen offer.
    pub fn open(library: &Arc<Library>, chosen: &Chosen, sizes: Sizes) -> Result<Endpoint, String> {
        let offer = chosen.offer();
        let fabric = Opened(library.fabric(&offer)?);
        let mut object = null_mut();
        let open = function!(fabric.0, FidFabric, ops, FabricOps, domain)?;
        // SAFETY: fabric and info belong together.
        let answer = unsafe { open(fabric.0, offer.info(), &mut object, null_mut()) };
        library.check("opening the domain", answer)?;
        let domain = Opened(object);
        let open = function!(domain.0, FidDomain, ops, DomainOps, av_open)?;
        let mut attributes = layout::AvAttr {
            kind: layout::AV_TABLE,
            rx_ctx_bits: 0,
            count: sizes.peers,
            spare: [0; 16],
        };
        // SAFETY: the attributes have room for those of later versions.
        let answer = unsafe { open(domain.0, &mut attributes, &mut object, null_mut()) };
        library.check("opening the address vector", answer)?;
        let vector = Opened(object);
        let (queue, descriptor) = open_queue(library, &domain, sizes)?;
        let open = function!(domain.0, FidDomain, ops, DomainOps, endpoint)?;
        // SAFETY: domain and info belong together.
        let answer = unsafe { open(domain.0, offer.info(), &mut object, null_mut()) };
        library.check("opening the endpoint", answer)?;
        let endpoint = Opened(object);
        let bind = function!(endpoint.0, Fid, ops, ObjectOps, bind)?;
        let control = function!(endpoint.0, Fid, ops, ObjectOps, control)?;
        // SAFETY: the objects belong to one domain; the endpoint is not enabled yet.
        let bound = unsafe {
            [
                bind(endpoint.0, vector.0, 0),
                bind(endpoint.0, queue.0, layout::SEND | layout::RECV),
                control(endpoint.0, layout::ENABLE, null_mut()),
            ]
        };
        let enabled =
            bound.iter().try_for_each(|&answer| library.check("enabling the endpoint", answer));
        enabled.map_err(|why| match chosen.properties.provider.starts_with("verbs") {
            // Its completion queue has places for the messages of that many processes.
            true => format!(
                "{why}; if a queue is longer than the device allows, FI_UNIVERSE_SIZE=PROCESSES, \
                 the number of processes instead of libfabric's 256, shortens it"
            ),
            false => why,
        })?;
        let calls = calls(&endpoint, &queue, &domain, &vector, &fabric)?;
        keep_loaded(calls.send as *const c_void);
        Ok(Endpoint {
            library: Arc::clone(library),
            calls,
            endpoint,
            queue,
            vector,
            domain,
            fabric,
            operations: ManuallyDrop::new(Operations::default()),
            chunks: Vec::new(),
            free: Vec::new(),
            buffer_bytes: sizes.buffer_bytes,
            properties: chosen.properties.clone(),
            descriptor,
            slept: false,
            closed: false,
            stuck: false,
        })
    }

    /// Returns what the provider offers.
    pub fn properties(&self) -> &Properties {
        &self.properties
    }

    /// Returns this endpoint's address, for peers.
    pub fn name(&self) -> Result<Vec<u8>, String> {
        let get = function!(self.endpoint.0, FidEp, cm, CmOps, getname)?;
        let (mut name, mut bytes) = (vec![0_u8; ADDRESS_MAX_BYTES], ADDRESS_MAX_BYTES);
        // SAFETY: the function writes at most this many bytes.
        let answer = unsafe { get(self.endpoint.0, name.as_mut_ptr().cast(), &mut bytes) };
        if answer != 0 || bytes > ADDRESS_MAX_BYTES {
            return Err(format!("the endpoint's address: {}", self.library.error(answer.into())));
        }
        name.truncate(bytes);
        Ok(name)
    }

    /// Makes a peer's address known.
    pub fn insert(&mut self, name: &[u8]) -> Result<Address, String> {
        // A provider reads an address of its own format, whose length it knows.
        let mut padded = [0_u8; ADDRESS_MAX_BYTES];
        let length = name.len().min(ADDRESS_MAX_BYTES);
        padded[..length].copy_from_slice(&name[..length]);
        let mut address = layout::ADDR_UNSPEC;
        // SAFETY: one address, which the provider reads within the padded bytes.
        let inserted = unsafe {
            (self.calls.insert)(
                self.vector.0,
                padded.as_ptr().cast(),
                1,
                &mut address,
                0,
                null_mut(),
            )
        };
        match inserted {
            1 if address != layout::ADDR_UNSPEC => Ok(address),
            answer => Err(format!(
                "libfabric refuses the address: {}",
                self.library.error(answer.min(0).into())
            )),
        }
    }

    /// Forgets a peer's address.
    pub fn remove(&mut self, mut address: Address) {
        if choice::keeps_addresses(&self.properties) {
            return;
        }
        // SAFETY: one address. A failure leaves an entry that nobody uses.
        unsafe { (self.calls.remove)(self.vector.0, &mut address, 1, 0) };
    }

    /// Returns an unused buffer.
    pub fn buffer(&mut self) -> Result<Buffer, String> {
        if self.free.is_empty() {
            let chunk = Chunk::new(self.buffer_bytes);
            let (address, bytes) = chunk.memory();
            let memory = match self.needs_local() {
                true => Some(self.register(
                    address.as_ptr().cast(),
                    bytes,
                    layout::SEND | layout::RECV,
                )?),
                false => None,
            };
            let descriptor = memory.as_ref().map_or(null_mut(), |memory| memory.descriptor);
            self.free.extend(chunk.buffers(descriptor));
            self.chunks.push(memory);
        }
        Ok(self.free.pop().expect("the chunk has buffers"))
    }

    /// Takes a buffer back.
    pub fn give_back(&mut self, buffer: Buffer) {
        self.free.push(buffer);
    }

    fn needs_local(&self) -> bool {
        self.properties.memory_mode & layout::MR_LOCAL != 0
    }

    /// Posts a buffer for the next message.
    pub fn post(&mut self, buffer: Buffer) -> Result<(), NotStarted<Buffer>> {
        let buffer = self.unless_closed(buffer)?;
        let (address, bytes, descriptor) = (buffer.address(), buffer.len(), buffer.descriptor());
        let number = self.operations.add(Held::Receive(buffer));
        let context = self.operations.context(number);
        // SAFETY: buffer and context stay with the operation until it completes.
        let answer = unsafe {
            (self.calls.receive)(
                self.endpoint.0,
                address,
                bytes,
                descriptor,
                layout::ADDR_UNSPEC,
                context,
            )
        };
        self.started(number, answer).map_err(|not| again(not, message))
    }

    /// Sends the first `bytes` bytes of a buffer.
    pub fn send(
        &mut self,
        to: Address,
        buffer: Buffer,
        bytes: usize,
        label: u64,
    ) -> Result<(), NotStarted<Buffer>> {
        let buffer = self.unless_closed(buffer)?;
        let (address, descriptor) = (buffer.address(), buffer.descriptor());
        assert!(bytes <= buffer.len(), "a message fits its buffer");
        let number = self.operations.add(Held::Send(buffer, label));
        let context = self.operations.context(number);
        // SAFETY: buffer and context stay with the operation until it completes.
        let answer =
            unsafe { (self.calls.send)(self.endpoint.0, address, bytes, descriptor, to, context) };
        self.started(number, answer).map_err(|not| again(not, message))
    }

    /// Sends a short message, whose memory is free when the call returns.
    pub fn inject(&mut self, to: Address, bytes: &[u8]) -> Result<(), NotStarted<()>> {
        self.unless_closed(())?;
        // SAFETY: the provider has copied the bytes when it returns.
        let answer =
            unsafe { (self.calls.inject)(self.endpoint.0, bytes.as_ptr().cast(), bytes.len(), to) };
        match answer {
            0 => Ok(()),
            layout::EAGAIN => Err(NotStarted::Again(())),
            error => Err(NotStarted::Failed((), self.library.error(error as i64))),
        }
    }

    /// Sends a bulk payload with a tag.
    pub fn send_tagged(
        &mut self,
        to: Address,
        region: Region,
        tag: u64,
        label: u64,
    ) -> Result<(), NotStarted<Region>> {
        let region = self.unless_closed(region)?;
        let (address, bytes) = (region.address().as_ptr().cast::<c_void>(), region.len());
        let memory = match self.local(address, bytes, layout::SEND) {
            Ok(memory) => memory,
            Err(why) => return Err(NotStarted::Failed(region, why)),
        };
        let descriptor = memory.as_ref().map_or(null_mut(), |memory| memory.descriptor);
        let number = self.operations.add(Held::From(region, label, memory));
        let context = self.operations.context(number);
        // SAFETY: region and context stay with the operation until it completes.
        let answer = unsafe {
            (self.calls.send_tagged)(self.endpoint.0, address, bytes, descriptor, to, tag, context)
        };
        self.started(number, answer).map_err(reading_again)
    }

    /// Posts memory for the bulk payload with a tag.
    pub fn receive_tagged(
        &mut self,
        region: RegionMut,
        tag: u64,
        label: u64,
    ) -> Result<(), NotStarted<RegionMut>> {
        let region = self.unless_closed(region)?;
        let (address, bytes) = (region.address().as_ptr().cast::<c_void>(), region.len());
        let memory = match self.local(address, bytes, layout::RECV) {
            Ok(memory) => memory,
            Err(why) => return Err(NotStarted::Failed(region, why)),
        };
        let descriptor = memory.as_ref().map_or(null_mut(), |memory| memory.descriptor);
        let number = self.operations.add(Held::To(region, label, memory));
        let context = self.operations.context(number);
        // SAFETY: region and context stay with the operation until it completes.
        let answer = unsafe {
            (self.calls.receive_tagged)(
                self.endpoint.0,
                address,
                bytes,
                descriptor,
                layout::ADDR_UNSPEC,
                tag,
                0,
                context,
            )
        };
        self.started(number, answer).map_err(writing_again)
    }

    /// Registers memory of an operation if the provider wants that.
    fn local(
        &mut self,
        address: *mut c_void,
        bytes: usize,
        access: u64,
    ) -> Result<Option<Memory>, String> {
        if !self.needs_local() || bytes == 0 {
            return Ok(None);
        }
        self.register(address, bytes, access).map(Some)
    }

    fn register(
        &mut self,
        address: *mut c_void,
        bytes: usize,
        access: u64,
    ) -> Result<Memory, String> {
        // A provider that does not choose the key takes one that nobody guesses.
        let wanted = match self.properties.memory_mode & layout::MR_PROV_KEY {
            0 => random_key(self.properties.key_bytes)?,
            _ => 0,
        };
        let mut object = null_mut();
        // SAFETY: the memory exists until the registration is closed: a chunk's as long as the
        // endpoint, a region's as long as its operation or registration.
        let answer = unsafe {
            (self.calls.register)(
                self.domain.0,
                address,
                bytes,
                access,
                0,
                wanted,
                0,
                &mut object,
                null_mut(),
            )
        };
        if answer != 0 {
            return Err(format!(
                "libfabric registers no {bytes} bytes: {} (see `ulimit -l`)",
                self.library.error(answer.into())
            ));
        }
        if self.properties.memory_mode & layout::MR_ENDPOINT != 0 {
            self.bind_memory(object).inspect_err(|_| {
                close(object);
            })?;
        }
        // SAFETY: the object is a registration.
        let (descriptor, key) = unsafe {
            let memory = object.cast::<layout::FidMr>();
            ((*memory).mem_desc, (*memory).key)
        };
        Ok(Memory { object, descriptor, key })
    }

    /// Binds a registration to the endpoint, as `FI_MR_ENDPOINT` demands.
    fn bind_memory(&self, object: Object) -> Result<(), String> {
        let bind = function!(object, Fid, ops, ObjectOps, bind)?;
        let control = function!(object, Fid, ops, ObjectOps, control)?;
        // SAFETY: registration and endpoint belong to one domain.
        let answers = unsafe {
            [bind(object, self.endpoint.0, 0), control(object, layout::ENABLE, null_mut())]
        };
        let check = |&answer| self.library.check("enabling registered memory", answer);
        answers.iter().try_for_each(check)
    }

    /// Returns the memory for an operation, or the failure of an operation on a closed endpoint,
    /// whose object does not exist any more.
    fn unless_closed<T>(&self, memory: T) -> Result<T, NotStarted<T>> {
        match self.closed {
            false => Ok(memory),
            true => Err(NotStarted::Failed(memory, CLOSED.to_owned())),
        }
    }

    /// Returns what an operation held if it has not started.
    fn started(&mut self, number: usize, answer: isize) -> Result<(), NotStarted<Held>> {
        if answer == 0 {
            return Ok(());
        }
        let held = self.operations.remove(number).expect("the operation was added");
        Err(match answer {
            layout::EAGAIN => NotStarted::Again(held),
            error => NotStarted::Failed(held, self.library.error(error as i64)),
        })
    }

    /// Makes progress and appends the operations that have ended. Fails if the queue itself does.
    pub fn poll(&mut self, ended: &mut Vec<Completion>) -> Result<(), String> {
        if self.closed {
            return Ok(());
        }
        self.take_completions(ended, |calls, queue, entries| {
            // SAFETY: the queue writes at most this many entries of its format.
            unsafe { (calls.completions)(queue, entries, COMPLETIONS) }
        })
    }

    /// Appends the operations that have ended, as a function of the queue reads them.
    fn take_completions(
        &mut self,
        ended: &mut Vec<Completion>,
        call: impl Fn(&Calls, Object, *mut c_void) -> isize,
    ) -> Result<(), String> {
        let entry =
            layout::CqEntry { op_context: null_mut(), flags: 0, len: 0, buf: null_mut(), data: 0 };
        let mut entries = [entry; COMPLETIONS];
        let count = call(&self.calls, self.queue.0, entries.as_mut_ptr().cast());
        match count {
            0 | layout::EAGAIN => {}
            1.. => {
                self.slept = false;
                for entry in &entries[..(count as usize).min(COMPLETIONS)] {
                    if let Some(held) = self.operations.remove_by_context(entry.op_context) {
                        let held = released(held);
                        ended.push(Completion { held, outcome: Ok(entry.len) });
                    }
                }
            }
            layout::EAVAIL => self.read_error(ended),
            error => {
                return Err(format!(
                    "the completion queue of libfabric failed: {}",
                    self.library.error(error as i64)
                ));
            }
        }
        Ok(())
    }

    /// Reads the failed operation that blocks the completion queue.
    #[cold]
    fn read_error(&mut self, ended: &mut Vec<Completion>) {
        // SAFETY: a structure of integers and pointers may be zero.
        let mut entry: layout::CqErrorEntry = unsafe { std::mem::zeroed() };
        // SAFETY: the entry has room for the fields of later versions.
        if unsafe { (self.calls.error)(self.queue.0, &mut entry, 0) } < 0 {
            return;
        }
        let mut why = self.library.error(entry.err.into());
        if let Some(words) = self.calls.words.filter(|_| entry.prov_errno != 0) {
            // SAFETY: the queue has filled the entry, and returns a text that lives until the next
            // call.
            let more =
                unsafe { words(self.queue.0, entry.prov_errno, entry.err_data, null_mut(), 0) };
            let more = text_of(more);
            if !more.is_empty() && more != why {
                why = format!("{why} ({more})");
            }
        }
        if let Some(held) = self.operations.remove_by_context(entry.op_context) {
            ended.push(Completion { held: released(held), outcome: Err(why) });
        }
    }

    /// Asks the provider to end the operations on memory of the host whose label satisfies a
    /// condition. They complete with a failure. Returns their number.
    pub fn cancel(&mut self, condition: impl Fn(u64) -> bool) -> usize {
        if self.closed {
            return 0;
        }
        let found = self.operations.find(|held| held.host_label().is_some_and(&condition));
        for &number in &found {
            let context = self.operations.context(number);
            // SAFETY: the context of an operation under way.
            unsafe { (self.calls.cancel)(self.endpoint.0, context) };
        }
        found.len()
    }

    /// Returns the number of operations on memory of the host whose label satisfies a condition.
    pub fn count(&self, condition: impl Fn(u64) -> bool) -> usize {
        self.operations.find(|held| held.host_label().is_some_and(&condition)).len()
    }

    /// Closes the endpoint. All operations end; appends them. Later operations fail. If the
    /// provider refuses, the operations keep their memory, because nothing says when it stops using
    /// it.
    pub fn close(&mut self, ended: &mut Vec<Completion>) {
        self.closed = true;
        self.stuck |= self.endpoint.close() != 0;
        if self.stuck {
            return;
        }
        for number in self.operations.find(|_| true) {
            if let Some(held) = self.operations.remove(number) {
                let outcome = Err(CLOSED.to_owned());
                ended.push(Completion { held: released(held), outcome });
            }
        }
    }

    /// Returns whether the endpoint has been closed.
    pub fn is_closed(&self) -> bool {
        self.closed
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        let binds_memory = self.properties.memory_mode & layout::MR_ENDPOINT != 0;
        if binds_memory {
            self.close_chunks();
        }
        let closed = !self.stuck && self.endpoint.close() == 0;
        for number in self.operations.find(|_| true) {
            match self.operations.remove(number) {
                Some(held) if closed => drop(released(held)),
                // The provider may use the memory for ever.
                held => std::mem::forget(held),
            }
        }
        self.close_chunks();
        self.queue.close();
        self.vector.close();
        self.domain.close();
        self.fabric.close();
        if closed {
            // SAFETY: dropped once; no operation is under way, so that nobody uses a context.
            unsafe { ManuallyDrop::drop(&mut self.operations) };
        }
    }
}

impl Endpoint {
    fn close_chunks(&mut self) {
        for memory in self.chunks.drain(..).flatten() {
            close(memory.object);
        }
    }
}

/// Ends the registration that an operation has made for its memory.
fn released(held: Held) -> Held {
    let release = |memory: Option<Memory>| {
        if let Some(memory) = memory {
            close(memory.object);
        }
    };
    match held {
        Held::From(region, label, memory) => {
            release(memory);
            Held::From(region, label, None)
        }
        Held::To(region, label, memory) => {
            release(memory);
            Held::To(region, label, None)
        }
        Held::Receive(_) | Held::Send(..) => held,
    }
}

/// Returns the region of an operation that has not started.
fn reading_again(not: NotStarted<Held>) -> NotStarted<Region> {
    again(not, |held| match held {
        Held::From(region, _, _) => region,
        _ => unreachable!("the operation held a region to read"),
    })
}

/// Returns the region of an operation that has not started.
fn writing_again(not: NotStarted<Held>) -> NotStarted<RegionMut> {
    again(not, |held| match held {
        Held::To(region, _, _) => region,
        _ => unreachable!("the operation held a region to write"),
    })
}

fn again<T>(not: NotStarted<Held>, part: impl Fn(Held) -> T) -> NotStarted<T> {
    match not {
        NotStarted::Again(held) => NotStarted::Again(part(released(held))),
        NotStarted::Failed(held, why) => NotStarted::Failed(part(released(held)), why),
    }
}

fn message(held: Held) -> Buffer {
    match held {
        Held::Receive(buffer) | Held::Send(buffer, _) => buffer,
        Held::From(..) | Held::To(..) => {
            unreachable!("a message holds a buffer")
        }
    }
}

/// Returns a random key of at most `bytes` bytes.
fn random_key(bytes: usize) -> Result<u64, String> {
    let unused_bits = 64 - 8 * bytes.min(8) as u32;
    Ok(secret::token()?.checked_shr(unused_bits).unwrap_or(0))
}

/// Opens the completion queue, with a descriptor to sleep on if the provider has one.
fn open_queue(
    library: &Library,
    domain: &Opened,
    sizes: Sizes,
) -> Result<(Opened, Option<RawFd>), String> {
    let open = function!(domain.0, FidDomain, ops, DomainOps, cq_open)?;
    let mut error = -libc::ENOSYS;
    let objects: &[u32] =
        if sizes.sleeps { &[layout::WAIT_FD, layout::WAIT_NONE] } else { &[layout::WAIT_NONE] };
    for &wait_obj in objects {
        let mut attributes = layout::CqAttr {
            size: sizes.completions,
            flags: 0,
            format: layout::CQ_FORMAT_DATA,
            wait_obj,
            spare: [0; 16],
        };
        let mut object = null_mut();
        // SAFETY: the attributes have room for those of later versions.
        error = unsafe { open(domain.0, &mut attributes, &mut object, null_mut()) };
        if error != 0 {
            continue;
        }
        let queue = Opened(object);
        if wait_obj == layout::WAIT_NONE {
            return Ok((queue, None));
        }
        let mut descriptor: c_int = -1;
        if let Ok(control) = function!(queue.0, Fid, ops, ObjectOps, control)
            // SAFETY: the command writes a descriptor.
            && unsafe { control(queue.0, layout::GETWAIT, (&raw mut descriptor).cast()) } == 0
            && descriptor >= 0
        {
            return Ok((queue, Some(descriptor)));
        }
    }
    Err(format!("opening the completion queue: {}", library.error(error.into())))
}

fn calls(
    endpoint: &Opened,
    queue: &Opened,
    domain: &Opened,
    vector: &Opened,
    fabric: &Opened,
) -> Result<Calls, String> {
    Ok(Calls {
        receive: function!(endpoint.0, FidEp, msg, MsgOps, recv)?,
        send: function!(endpoint.0, FidEp, msg, MsgOps, send)?,
        inject: function!(endpoint.0, FidEp, msg, MsgOps, inject)?,
        receive_tagged: function!(endpoint.0, FidEp, tagged, TaggedOps, recv)?,
        send_tagged: function!(endpoint.0, FidEp, tagged, TaggedOps, send)?,
        cancel: function!(endpoint.0, FidEp, ops, EpOps, cancel)?,
        completions: function!(queue.0, FidCq, ops, CqOps, read)?,
        wait_for_completions: function!(queue.0, FidCq, ops, CqOps, sread).ok(),
        error: function!(queue.0, FidCq, ops, CqOps, readerr)?,
        words: function!(queue.0, FidCq, ops, CqOps, strerror).ok(),
        register: function!(domain.0, FidDomain, mr, MrOps, reg)?,
        read: function!(endpoint.0, FidEp, rma, RmaOps, read).ok(),
        write: function!(endpoint.0, FidEp, rma, RmaOps, writemsg).ok(),
        insert: function!(vector.0, FidAv, ops, AvOps, insert)?,
        remove: function!(vector.0, FidAv, ops, AvOps, remove)?,
        try_wait: function!(fabric.0, FidFabric, ops, FabricOps, trywait).ok(),
    })
}
