//! The functions of libibverbs, opened at run time.

#![allow(unsafe_code)]

use crate::layout::{
    AsyncEvent, CompChannel, Context, Cq, Device, DeviceAttr, GidEntry, Mr, Pd, PortAttr, Qp,
    QpAttr, QpInitAttr, Srq, SrqInitAttr,
};
pub use libloading::os::unix::Library as Code;
use std::ffi::{CStr, CString, OsStr, c_char, c_int, c_void};
use std::path::Path;
use std::sync::Arc;

/// Name of the system's library. Its providers fit no other one.
const LIBRARY: &str = "libibverbs.so.1";
/// Folder of the kernel in which each device has an entry. Without an entry the library is not
/// opened.
const DEVICES: &str = "/sys/class/infiniband_verbs";
/// Version of the symbols whose structures `layout` describes.
#[cfg(target_env = "gnu")]
const VERSION: &CStr = c"IBVERBS_1.1";

/// Defines a library: a field for each function, required or optional.
macro_rules! functions {
    (
        $(#[$about:meta])*
        $library:ident
        required { $($name:ident: $type:ty = $symbol:literal;)* }
        optional { $($other:ident: $other_type:ty = $other_symbol:literal;)* }
    ) => {
        $(#[$about])*
        pub struct $library {
            $(pub $name: $type,)*
            $(pub $other: Option<$other_type>,)*
            /// Keeps the code mapped.
            _code: $crate::library::Code,
        }

        impl $library {
            pub(crate) fn load(code: $crate::library::Code) -> Result<$library, String> {
                let handle = code.into_raw();
                // SAFETY: the handle was opened above and is closed once, by the new owner.
                let code = unsafe { $crate::library::Code::from_raw(handle) };
                Ok($library {
                    // SAFETY: the types are those of the functions in the version of the interface.
                    $($name: unsafe { $crate::library::symbol::<$type>(handle, $symbol) }
                        .ok_or_else(|| format!("it has no function {}", $symbol))?,)*
                    // SAFETY: as above.
                    $($other: unsafe {
                        $crate::library::symbol::<$other_type>(handle, $other_symbol)
                    },)*
                    _code: code,
                })
            }
        }
    };
}

pub(crate) use functions;

type Modify = unsafe extern "C" fn(qp: *mut Qp, attr: *mut QpAttr, mask: c_int) -> c_int;
type RegMr =
    unsafe extern "C" fn(pd: *mut Pd, addr: *mut c_void, bytes: usize, access: c_int) -> *mut Mr;
type CreateCq = unsafe extern "C" fn(
    context: *mut Context,
    entries: c_int,
    user: *mut c_void,
    channel: *mut CompChannel,
    vector: c_int,
) -> *mut Cq;
type QueryPort =
    unsafe extern "C" fn(context: *mut Context, port: u8, attr: *mut PortAttr) -> c_int;
type QueryGid =
    unsafe extern "C" fn(context: *mut Context, port: u8, index: c_int, gid: *mut u8) -> c_int;
type QueryGidTable = unsafe extern "C" fn(
    context: *mut Context,
    entries: *mut GidEntry,
    most: usize,
    flags: u32,
    entry_size: usize,
) -> isize;
type QueryPkey =
    unsafe extern "C" fn(context: *mut Context, port: u8, index: c_int, pkey: *mut u16) -> c_int;
type GetCqEvent = unsafe extern "C" fn(
    channel: *mut CompChannel,
    cq: *mut *mut Cq,
    user: *mut *mut c_void,
) -> c_int;

functions! {
    /// An opened libibverbs.
    Library
    required {
        get_device_list: unsafe extern "C" fn(*mut c_int) -> *mut *mut Device
            = "ibv_get_device_list";
        free_device_list: unsafe extern "C" fn(*mut *mut Device) = "ibv_free_device_list";
        open_device: unsafe extern "C" fn(*mut Device) -> *mut Context = "ibv_open_device";
        close_device: unsafe extern "C" fn(*mut Context) -> c_int = "ibv_close_device";
        query_device: unsafe extern "C" fn(*mut Context, *mut DeviceAttr) -> c_int
            = "ibv_query_device";
        query_port: QueryPort = "ibv_query_port";
        query_gid: QueryGid = "ibv_query_gid";
        query_pkey: QueryPkey = "ibv_query_pkey";
        alloc_pd: unsafe extern "C" fn(*mut Context) -> *mut Pd = "ibv_alloc_pd";
        dealloc_pd: unsafe extern "C" fn(*mut Pd) -> c_int = "ibv_dealloc_pd";
        create_channel: unsafe extern "C" fn(*mut Context) -> *mut CompChannel
            = "ibv_create_comp_channel";
        destroy_channel: unsafe extern "C" fn(*mut CompChannel) -> c_int
            = "ibv_destroy_comp_channel";
        get_cq_event: GetCqEvent = "ibv_get_cq_event";
        ack_cq_events: unsafe extern "C" fn(*mut Cq, u32) = "ibv_ack_cq_events";
        get_async_event: unsafe extern "C" fn(*mut Context, *mut AsyncEvent) -> c_int
            = "ibv_get_async_event";
        ack_async_event: unsafe extern "C" fn(*mut AsyncEvent) = "ibv_ack_async_event";
        create_cq: CreateCq = "ibv_create_cq";
        destroy_cq: unsafe extern "C" fn(*mut Cq) -> c_int = "ibv_destroy_cq";
        create_srq: unsafe extern "C" fn(*mut Pd, *mut SrqInitAttr) -> *mut Srq
            = "ibv_create_srq";
        destroy_srq: unsafe extern "C" fn(*mut Srq) -> c_int = "ibv_destroy_srq";
        create_qp: unsafe extern "C" fn(*mut Pd, *mut QpInitAttr) -> *mut Qp = "ibv_create_qp";
        modify_qp: Modify = "ibv_modify_qp";
        destroy_qp: unsafe extern "C" fn(*mut Qp) -> c_int = "ibv_destroy_qp";
        reg_mr: RegMr = "ibv_reg_mr";
        dereg_mr: unsafe extern "C" fn(*mut Mr) -> c_int = "ibv_dereg_mr";
        status_words: unsafe extern "C" fn(u32) -> *const c_char = "ibv_wc_status_str";
        fork_init: unsafe extern "C" fn() -> c_int = "ibv_fork_init";
    }
    optional {
        fork_state: unsafe extern "C" fn() -> c_int = "ibv_is_fork_initialized";
        query_gid_table: QueryGidTable = "_ibv_query_gid_table";
        query_data_in_order: unsafe extern "C" fn(*mut Qp, u32, u32) -> c_int
            = "ibv_query_qp_data_in_order";
    }
}

/// Returns the function `name`, in version 1.1 of the interface if the library distinguishes
/// versions.
///
/// # Safety
/// The handle is open. `T` is the type of a function pointer, and that of the function.
pub unsafe fn symbol<T: Copy>(handle: *mut c_void, name: &str) -> Option<T> {
    const { assert!(size_of::<T>() == size_of::<*mut c_void>()) };
    let name = CString::new(name).ok()?;
    // SAFETY: the handle is open, and both strings end with a zero.
    let mut found = unsafe { dlvsym(handle, &name) };
    if found.is_null() {
        // SAFETY: as above.
        found = unsafe { libc::dlsym(handle, name.as_ptr()) };
    }
    // SAFETY: the caller states that `T` is the type of the function at this address; a function
    // pointer is as long as an address.
    (!found.is_null()).then(|| unsafe { std::mem::transmute_copy::<*mut c_void, T>(&found) })
}

/// Returns the symbol of version 1.1, or null. Only the GNU C library distinguishes versions.
///
/// # Safety
/// The handle is open.
unsafe fn dlvsym(handle: *mut c_void, name: &CStr) -> *mut c_void {
    #[cfg(target_env = "gnu")]
    // SAFETY: the caller states that the handle is open; the strings end with a zero.
    return unsafe { libc::dlvsym(handle, name.as_ptr(), VERSION.as_ptr()) };
    #[cfg(not(target_env = "gnu"))]
    {
        let _ = (handle, name);
        std::ptr::null_mut()
    }
}

impl Library {
    /// Opens the library at `path`, or the system's if the host has a device.
    pub fn open(path: Option<&Path>) -> Result<Arc<Library>, String> {
        let name = match path {
            Some(path) => path.as_os_str(),
            None if has_devices() => OsStr::new(LIBRARY),
            None => {
                return Err(format!(
                    "this host has no InfiniBand, RoCE or iWARP device: {DEVICES} is missing or \
                     empty"
                ));
            }
        };
        let shown = name.to_string_lossy();
        let code = open(name).map_err(|why| {
            format!(
                "{why}: install libibverbs (Debian's package is libibverbs1), or name its file by \
                 NEMESIS_VERBS=library=FILE"
            )
        })?;
        let library = Library::load(code).map_err(|why| format!("{shown}: {why}"))?;
        Ok(Arc::new(library))
    }

    /// Returns what a completion's status means.
    pub fn words(&self, status: u32) -> String {
        // SAFETY: the function takes any number and returns a constant string or null.
        let words = unsafe { (self.status_words)(status) };
        if words.is_null() {
            return format!("status {status}");
        }
        // SAFETY: the string ends with a zero and is a constant of the library.
        unsafe { CStr::from_ptr(words) }.to_string_lossy().into_owned()
    }

    /// Makes a fork safe for registered memory. Newer kernels need no help for it.
    pub fn prepare_for_fork(&self) -> Result<(), String> {
        /// `IBV_FORK_UNNEEDED`
        const UNNEEDED: c_int = 2;
        // SAFETY: the functions take nothing and change only the library's own state.
        unsafe {
            if self.fork_state.is_some_and(|state| state() == UNNEEDED) || (self.fork_init)() == 0 {
                return Ok(());
            }
        }
        Err("libibverbs cannot protect registered memory from a fork: a program that calls fork or \
             system may receive wrong data; use NEMESIS_NETWORKS=tcp for it"
            .to_owned())
    }
}

/// Opens a library. It stays loaded: the libraries and their providers keep state of the process.
pub fn open(name: &OsStr) -> Result<Code, String> {
    let flags = libc::RTLD_NOW | libc::RTLD_LOCAL | libc::RTLD_NODELETE;
    // SAFETY: the library is the system's, or one that the user names; its initialisation is that
    // of libibverbs or librdmacm.
    let code = unsafe { Code::open(Some(name), flags) };
    code.map_err(|error| format!("{} cannot be opened: {error}", name.to_string_lossy()))
}

/// Returns whether the kernel has a device of this kind.
fn has_devices() -> bool {
    std::fs::read_dir(DEVICES).is_ok_and(|entries| {
        entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("uverbs"))
    })
}
