//! The library: opened at run time, its six symbols, and what it offers.

#![allow(unsafe_code)]

use crate::layout::{self, Info, Object};
use libloading::os::unix::{Library as Handle, RTLD_LOCAL, RTLD_NOW};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::ManuallyDrop;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ptr::null_mut;
use std::sync::Arc;

/// File name of the library if the user names none.
pub const DEFAULT_FILE: &str = "libfabric.so.1";

type GetInfo = unsafe extern "C" fn(
    u32,
    *const c_char,
    *const c_char,
    u64,
    *const Info,
    *mut *mut Info,
) -> c_int;

/// An open libfabric. It is never closed: providers leave exit handlers and threads behind.
pub struct Library {
    version: u32,
    getinfo: GetInfo,
    freeinfo: unsafe extern "C" fn(*mut Info),
    dupinfo: unsafe extern "C" fn(*const Info) -> *mut Info,
    fabric: unsafe extern "C" fn(*mut layout::FabricAttr, *mut Object, *mut c_void) -> c_int,
    strerror: unsafe extern "C" fn(c_int) -> *const c_char,
}

/// Keeps the file that has a function loaded until the process ends. libfabric closes the files of
/// its providers when the process exits, and their threads (`psm3` has one) may still run.
pub fn keep_loaded(function: *const c_void) {
    // SAFETY: all zeros is a value of the type.
    let mut file: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: the function only compares the address with those of the loaded files.
    if unsafe { libc::dladdr(function, &mut file) } != 0 && !file.dli_fname.is_null() {
        let flags = libc::RTLD_LAZY | libc::RTLD_NOLOAD | libc::RTLD_NODELETE;
        // SAFETY: the file is loaded, so no constructor runs. The handle is never closed.
        unsafe { libc::dlopen(file.dli_fname, flags) };
    }
}

/// Returns a version number in words.
pub fn words(version: u32) -> String {
    format!("{}.{}", version >> 16, version & 0xffff)
}

impl Library {
    /// Opens a file, by its path or in the search path of the dynamic linker. The error says what
    /// to install.
    pub fn open(file: &str) -> Result<Arc<Library>, String> {
        // SAFETY: the constructors of libfabric and of the libraries that it needs run; the user
        // has asked for this library by name.
        let handle = unsafe { Handle::open(Some(file), RTLD_NOW | RTLD_LOCAL) };
        let handle = ManuallyDrop::new(handle.map_err(|error| {
            format!(
                "libfabric cannot be opened ({error}): install it (Debian's package is \
                 libfabric1), or name its file by NEMESIS_OFI_LIBRARY"
            )
        })?);
        macro_rules! symbol {
            ($name:literal) => {{
                // SAFETY: rdma/fabric.h declares the function with the type of the field.
                let found = unsafe { handle.get($name) };
                *found.map_err(|_| {
                    let name = String::from_utf8_lossy($name);
                    format!("{file} has no {name}, and is not libfabric")
                })?
            }};
        }
        let fi_version: unsafe extern "C" fn() -> u32 = symbol!(b"fi_version");
        // SAFETY: the function takes nothing.
        let version = unsafe { fi_version() };
        if version < layout::LIBRARY_VERSION_MIN {
            return Err(format!(
                "{file} is libfabric {}, and versions from {} on are supported",
                words(version),
                words(layout::LIBRARY_VERSION_MIN)
            ));
        }
        Ok(Arc::new(Library {
            version,
            getinfo: symbol!(b"fi_getinfo"),
            freeinfo: symbol!(b"fi_freeinfo"),
            dupinfo: symbol!(b"fi_dupinfo"),
            fabric: symbol!(b"fi_fabric"),
            strerror: symbol!(b"fi_strerror"),
        }))
    }

    /// Returns the version of the library.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Returns the text of an error number, which may be negative.
    pub fn error(&self, error: i64) -> String {
        // SAFETY: the function takes any number, and returns text that lives as long as the
        // library.
        let text = unsafe { (self.strerror)(error.unsigned_abs() as c_int) };
        text_of(text)
    }

    /// Returns the answer of a function in words if it is an error: what was tried, and the error.
    pub fn check(&self, what: &str, answer: c_int) -> Result<(), String> {
        match answer {
            0 => Ok(()),
            error => Err(format!("{what}: {}", self.error(error.into()))),
        }
    }

    /// Returns what the library offers for a request, all reliable unconnected endpoints.
    pub fn offers(self: &Arc<Library>, request: &Request<'_>) -> Result<Offers, i64> {
        // SAFETY: a null pointer asks for an empty info with all its parts.
        let hints = unsafe { (self.dupinfo)(std::ptr::null()) };
        if hints.is_null() {
            return Err(-i64::from(libc::ENOMEM));
        }
        let hints = Offers { library: Arc::clone(self), first: hints };
        request.write_to(hints.first);
        let mut first = null_mut();
        // SAFETY: the hints are an info of this library; it writes its answer to `first`.
        let answer = unsafe {
            (self.getinfo)(
                layout::API_VERSION,
                std::ptr::null(),
                std::ptr::null(),
                0,
                hints.first,
                &mut first,
            )
        };
        match answer {
            0 => Ok(Offers { library: Arc::clone(self), first }),
            error => Err(error.into()),
        }
    }

    /// Opens the fabric of an offer.
    pub fn fabric(&self, offer: &Offer<'_>) -> Result<Object, String> {
        let mut fabric = null_mut();
        // SAFETY: the offer's attributes are the library's own.
        let answer = unsafe { (self.fabric)((*offer.info).fabric_attr, &mut fabric, null_mut()) };
        self.check("opening the fabric", answer).map(|()| fabric)
    }
}

/// Copies a text of the library.
pub fn text_of(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: a text of the library ends with a zero.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}

/// What a process asks the library for.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The provider; `None` for all.
    pub provider: Option<&'a str>,
    /// Whether messages of a pair must arrive in order.
    pub ordered: bool,
    /// Whether the endpoint must reach the memory of peers, and report when a write has arrived
    /// there.
    pub memory: bool,
}

/// What an endpoint that reaches the memory of peers can do.
pub const MEMORY_CAPS: u64 =
    layout::RMA | layout::READ | layout::WRITE | layout::REMOTE_READ | layout::REMOTE_WRITE;

impl Request<'_> {
    /// Writes the request into hints.
    fn write_to(&self, hints: *mut Info) {
        let mut caps = layout::MSG | layout::TAGGED | layout::SEND | layout::RECV;
        let mut operation_flags = 0;
        if self.memory {
            caps |= MEMORY_CAPS;
            // A provider that does not know the flag does not answer.
            operation_flags = layout::DELIVERY_COMPLETE;
        }
        let order = if self.ordered { layout::ORDER_SAS } else { 0 };
        let name = self.provider.and_then(|name| CString::new(name).ok());
        // SAFETY: `fi_dupinfo` has made the info and all its parts, and nobody else uses them. It
        // frees the name with `free`, so that `strdup` makes it.
        unsafe {
            (*hints).caps = caps;
            (*hints).mode = layout::CONTEXT | layout::CONTEXT2 | layout::RX_CQ_DATA;
            (*(*hints).ep_attr).kind = layout::EP_RDM;
            (*(*hints).tx_attr).op_flags = operation_flags;
            (*(*hints).tx_attr).msg_order = order;
            (*(*hints).rx_attr).msg_order = order;
            let domain = (*hints).domain_attr;
            (*domain).threading = layout::THREAD_DOMAIN;
            (*domain).control_progress = layout::PROGRESS_MANUAL;
            (*domain).data_progress = layout::PROGRESS_MANUAL;
            (*domain).av_type = layout::AV_TABLE;
            (*domain).mr_mode = layout::MR_LOCAL
                | layout::MR_VIRT_ADDR
                | layout::MR_ALLOCATED
                | layout::MR_PROV_KEY
                | layout::MR_ENDPOINT;
            if let Some(name) = name {
                (*(*hints).fabric_attr).prov_name = libc::strdup(name.as_ptr());
            }
        }
    }
}

/// A list of infos, which the library has allocated.
pub struct Offers {
    library: Arc<Library>,
    first: *mut Info,
}

// SAFETY: the list is plain memory, which only its owner uses.
unsafe impl Send for Offers {}

impl Drop for Offers {
    fn drop(&mut self) {
        // SAFETY: the library has made the list, which is freed once.
        unsafe { (self.library.freeinfo)(self.first) };
    }
}

impl Offers {
    /// Returns the offers in the library's order.
    pub fn iter(&self) -> impl Iterator<Item = Offer<'_>> {
        let mut next = self.first;
        std::iter::from_fn(move || {
            if next.is_null() {
                return None;
            }
            let offer = Offer { info: next, _list: self };
            // SAFETY: an element of the list.
            next = unsafe { (*next).next };
            Some(offer)
        })
    }
}

/// One provider's offer of one address: an `fi_info`.
#[derive(Clone, Copy)]
pub struct Offer<'a> {
    info: *mut Info,
    _list: &'a Offers,
}

impl Offer<'_> {
    /// Returns the info, for calls of the library.
    pub fn info(&self) -> *mut Info {
        self.info
    }

    fn read<T>(&self, get: impl FnOnce(&Info) -> T) -> T {
        // SAFETY: an info of the list, whose parts the library has allocated; nobody changes it.
        get(unsafe { &*self.info })
    }

    /// Makes operations without flags of their own complete as the provider likes, also if the
    /// request asked for more.
    pub fn clear_operation_flags(&self) {
        // SAFETY: an info of the list, whose parts the library has allocated; nobody else uses it.
        unsafe { (*(*self.info).tx_attr).op_flags = 0 };
    }

    /// Copies the properties.
    pub fn properties(&self) -> Properties {
        self.read(|info| {
            // SAFETY: the parts of an info that `fi_getinfo` returns are never null.
            let (tx, rx, endpoint, domain, fabric) = unsafe {
                (
                    &*info.tx_attr,
                    &*info.rx_attr,
                    &*info.ep_attr,
                    &*info.domain_attr,
                    &*info.fabric_attr,
                )
            };
            Properties {
                provider: text_of(fabric.prov_name),
                domain: text_of(domain.name),
                caps: info.caps,
                mode: info.mode,
                address_format: info.addr_format,
                source: source(info),
                ordered: tx.msg_order & rx.msg_order & layout::ORDER_SAS != 0,
                inject_max_bytes: tx.inject_size,
                sends_max: tx.size,
                receives_max: rx.size,
                message_max_bytes: endpoint.max_msg_size,
                prefix_bytes: endpoint.msg_prefix_size,
                tag_format: endpoint.mem_tag_format,
                memory_mode: domain.mr_mode,
                key_bytes: domain.mr_key_size,
                progresses_by_itself: domain.data_progress == layout::PROGRESS_AUTO,
            }
        })
    }
}

/// Returns the address of an info if it is one of a socket.
fn source(info: &Info) -> Option<IpAddr> {
    if info.src_addr.is_null() {
        return None;
    }
    match info.addr_format {
        layout::SOCKADDR_IN if info.src_addrlen >= size_of::<libc::sockaddr_in>() => {
            // SAFETY: the format and the length say what the address is.
            let address = unsafe { info.src_addr.cast::<libc::sockaddr_in>().read_unaligned() };
            Some(Ipv4Addr::from_bits(u32::from_be(address.sin_addr.s_addr)).into())
        }
        layout::SOCKADDR_IN6 if info.src_addrlen >= size_of::<libc::sockaddr_in6>() => {
            // SAFETY: as above.
            let address = unsafe { info.src_addr.cast::<libc::sockaddr_in6>().read_unaligned() };
            Some(Ipv6Addr::from(address.sin6_addr.s6_addr).into())
        }
        _ => None,
    }
}

/// What a provider offers, copied from its info.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties {
    /// Name of the provider, as in `tcp;ofi_rxm`.
    pub provider: String,
    /// Name of the domain: an interface or a device.
    pub domain: String,
    /// What it can do.
    pub caps: u64,
    /// What it demands.
    pub mode: u64,
    /// Kind of its addresses.
    pub address_format: u32,
    /// The address of this host, if it is one of a socket.
    pub source: Option<IpAddr>,
    /// Whether the messages of a pair arrive in order.
    pub ordered: bool,
    /// Longest message whose memory is free when the call returns.
    pub inject_max_bytes: usize,
    /// Most sends under way.
    pub sends_max: usize,
    /// Most posted receives.
    pub receives_max: usize,
    /// Longest message.
    pub message_max_bytes: usize,
    /// Bytes that the provider wants before each message.
    pub prefix_bytes: usize,
    /// The bits of a tag that it compares.
    pub tag_format: u64,
    /// Its demands for the registration of memory.
    pub memory_mode: u32,
    /// Length of a key of remote memory in bytes.
    pub key_bytes: usize,
    /// Whether its operations complete without calls of the target.
    pub progresses_by_itself: bool,
}

impl Properties {
    /// Returns whether endpoints reach the memory of peers by keys of at most 8 bytes.
    pub fn reaches_memory(&self) -> bool {
        self.caps & MEMORY_CAPS == MEMORY_CAPS && self.key_bytes <= size_of::<u64>()
    }
}
