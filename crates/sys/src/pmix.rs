//! The PMIx library, opened at run time: a launcher that starts jobs by PMIx has it, and no other
//! launcher needs it.
//!
//! No header of PMIx is used. The layouts and numbers below are equal in all releases from 4.2 to
//! 6.1:
//!
//! ```text
//!   pmix_proc_t    260 bytes: namespace char[256], rank u32              wildcard: 0xfffffffe
//!   pmix_value_t    32 bytes: type u16, at 8 a union                     byte object: char *,
//! size_t
//!   pmix_info_t    552 bytes: key char[512], flags u32, at 520 a value
//! ```
//!
//! The library starts its own thread. A process has one [`Client`], and one thread at a time calls
//! it.

#![allow(unsafe_code)]

use libloading::os::unix::{Library, RTLD_GLOBAL, RTLD_NOW};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fmt;

const NAMESPACE_BYTES: usize = 256;
const KEY_BYTES: usize = 512;
/// The wildcard rank: all ranks of the namespace.
const WILDCARD_RANK: u32 = u32::MAX - 1;
/// Scope of a value that ranks of this host and of other hosts may get.
const SCOPE_GLOBAL: u8 = 3;

const TYPE_BOOL: u16 = 1;
const TYPE_SIZE: u16 = 4;
const TYPE_INT: u16 = 6;
const TYPE_U16: u16 = 13;
const TYPE_U32: u16 = 14;
const TYPE_U64: u16 = 15;
const TYPE_BYTES: u16 = 27;
const TYPE_RANK: u16 = 40;

#[repr(C)]
#[derive(Clone, Copy)]
struct Proc {
    namespace: [c_char; NAMESPACE_BYTES],
    rank: u32,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct ByteObject {
    bytes: *mut c_char,
    size: usize,
}

#[repr(C)]
union Data {
    flag: bool,
    size: usize,
    integer: c_int,
    u16: u16,
    u32: u32,
    u64: u64,
    bytes: ByteObject,
    /// Gives the union its full length of 24 bytes.
    words: [u64; 3],
}

#[repr(C)]
struct Value {
    kind: u16,
    data: Data,
}

#[repr(C)]
struct Info {
    key: [c_char; KEY_BYTES],
    flags: u32,
    value: Value,
}

const _: () =
    assert!(size_of::<Proc>() == 260 && size_of::<Value>() == 32 && size_of::<Info>() == 552);
const _: () =
    assert!(std::mem::offset_of!(Value, data) == 8 && std::mem::offset_of!(Info, value) == 520);

type Init = unsafe extern "C" fn(*mut Proc, *mut Info, usize) -> c_int;
type Finalize = unsafe extern "C" fn(*const Info, usize) -> c_int;
type Put = unsafe extern "C" fn(u8, *const c_char, *mut Value) -> c_int;
type Commit = unsafe extern "C" fn() -> c_int;
type Fence = unsafe extern "C" fn(*const Proc, usize, *const Info, usize) -> c_int;
type Get =
    unsafe extern "C" fn(*const Proc, *const c_char, *const Info, usize, *mut *mut Value) -> c_int;
type Abort = unsafe extern "C" fn(c_int, *const c_char, *mut Proc, usize) -> c_int;
type ErrorString = unsafe extern "C" fn(c_int) -> *const c_char;

/// Error: the library returned a status other than success.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// The library's status.
    pub status: i32,
    /// The library's text for that status.
    pub text: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.text, self.status)
    }
}

/// This process as a client of the PMIx server.
pub struct Client {
    me: Proc,
    finalize: Finalize,
    put: Put,
    commit: Commit,
    fence: Fence,
    get: Get,
    abort: Abort,
    error_string: ErrorString,
    /// Keeps the library open: it contains the functions, and the code of its thread.
    _library: Library,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pmix::Client(rank {})", self.me.rank)
    }
}

/// Opens the first of `names` that can be opened, and joins the job of the server that the
/// environment names.
pub fn join(names: &[String]) -> Result<Client, String> {
    let mut whys = Vec::new();
    for name in names {
        // SAFETY: opening runs the library's initialisers, as in every process that is linked with
        // it. Its own plug-ins need its symbols: RTLD_GLOBAL.
        match unsafe { Library::open(Some(name), RTLD_NOW | RTLD_GLOBAL) } {
            Ok(library) => return Client::start(library).map_err(|why| format!("{name}: {why}")),
            Err(why) => whys.push(why.to_string()),
        }
    }
    Err(whys.join("; "))
}

fn symbol<T: Copy>(library: &Library, name: &CStr) -> Result<T, String> {
    // SAFETY: each caller names a function and gives the type that this function has in every
    // release (see above).
    unsafe { library.get::<T>(name.to_bytes_with_nul()) }
        .map(|symbol| *symbol)
        .map_err(|why| why.to_string())
}

impl Client {
    fn start(library: Library) -> Result<Client, String> {
        let init: Init = symbol(&library, c"PMIx_Init")?;
        let mut client = Client {
            me: Proc { namespace: [0; NAMESPACE_BYTES], rank: 0 },
            finalize: symbol(&library, c"PMIx_Finalize")?,
            put: symbol(&library, c"PMIx_Put")?,
            commit: symbol(&library, c"PMIx_Commit")?,
            fence: symbol(&library, c"PMIx_Fence")?,
            get: symbol(&library, c"PMIx_Get")?,
            abort: symbol(&library, c"PMIx_Abort")?,
            error_string: symbol(&library, c"PMIx_Error_string")?,
            _library: library,
        };
        // SAFETY: the function fills in the structure, whose layout is PMIx's; no directives are
        // given.
        let status = unsafe { init(&raw mut client.me, std::ptr::null_mut(), 0) };
        client.check(status).map_err(|refused| format!("PMIx_Init: {refused}"))?;
        Ok(client)
    }

    /// Returns the rank of this process in its job.
    pub fn rank(&self) -> u32 {
        self.me.rank
    }

    /// Returns a number that the server tells about the whole job.
    pub fn job_number(&self, key: &CStr) -> Result<u64, Refused> {
        self.get_with(WILDCARD_RANK, key, number)
    }

    /// Returns a number that the server tells about this process.
    pub fn own_number(&self, key: &CStr) -> Result<u64, Refused> {
        self.get_with(self.me.rank, key, number)
    }

    /// Publishes bytes. Other processes see them after the next [`fence`](Self::fence).
    pub fn put(&self, key: &CStr, bytes: &[u8]) -> Result<(), Refused> {
        let bytes = ByteObject { bytes: bytes.as_ptr().cast_mut().cast(), size: bytes.len() };
        let mut value = Value { kind: TYPE_BYTES, data: Data { bytes } };
        // SAFETY: the key ends with NUL. The library copies the value, which lives until the call
        // returns, and does not write to it.
        let status = unsafe { (self.put)(SCOPE_GLOBAL, key.as_ptr(), &raw mut value) };
        self.check(status)?;
        // SAFETY: the function takes no arguments.
        let status = unsafe { (self.commit)() };
        self.check(status)
    }

    /// Waits until all processes of the job call it, and collects what they have published.
    pub fn fence(&self) -> Result<(), Refused> {
        let mut collect = Info {
            key: [0; KEY_BYTES],
            flags: 0,
            value: Value { kind: TYPE_BOOL, data: Data { words: [0; 3] } },
        };
        collect.value.data.flag = true;
        for (place, byte) in collect.key.iter_mut().zip(c"pmix.collect".to_bytes()) {
            *place = *byte as c_char;
        }
        let all = Proc { rank: WILDCARD_RANK, ..self.me };
        // SAFETY: one process (all of the namespace) and one directive, which live until the call
        // returns.
        let status = unsafe { (self.fence)(&raw const all, 1, &raw const collect, 1) };
        self.check(status)
    }

    /// Returns the bytes that process `rank` published before the last fence.
    pub fn get(&self, rank: u32, key: &CStr) -> Result<Vec<u8>, Refused> {
        self.get_with(rank, key, |value| {
            if value.kind != TYPE_BYTES {
                return None;
            }
            // SAFETY: the type says that this member of the union is set.
            let object = unsafe { value.data.bytes };
            if object.size == 0 || object.bytes.is_null() {
                return Some(Vec::new());
            }
            // SAFETY: a byte object's pointer refers to `size` bytes.
            Some(
                unsafe { std::slice::from_raw_parts(object.bytes.cast::<u8>(), object.size) }
                    .to_vec(),
            )
        })
    }

    /// Asks the server to end the job.
    pub fn abort(&self, code: i32, message: &str) {
        let text = CString::new(message.replace('\0', " ")).unwrap_or_default();
        // SAFETY: the text ends with NUL and lives until the call returns; no processes means all.
        // Its status changes nothing.
        unsafe { (self.abort)(code, text.as_ptr(), std::ptr::null_mut(), 0) };
    }

    /// Leaves the job in order.
    pub fn finalize(&self) -> Result<(), Refused> {
        // SAFETY: no directives are given; the users of this type make no call afterwards.
        let status = unsafe { (self.finalize)(std::ptr::null(), 0) };
        self.check(status)
    }

    /// Gets a value, reads it by `read` and frees it.
    fn get_with<T>(
        &self,
        rank: u32,
        key: &CStr,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<T, Refused> {
        let owner = Proc { rank, ..self.me };
        let mut value: *mut Value = std::ptr::null_mut();
        // SAFETY: process and key live until the call returns; it writes one pointer.
        let status = unsafe {
            (self.get)(&raw const owner, key.as_ptr(), std::ptr::null(), 0, &raw mut value)
        };
        self.check(status)?;
        // SAFETY: on success the pointer is null, or points to a value that the caller owns.
        let got = unsafe { value.as_ref() };
        let read = got.and_then(read);
        if let Some(held) = got {
            if held.kind == TYPE_BYTES {
                // SAFETY: the type says that this member is set. The library allocated its memory
                // by malloc, and the caller frees it.
                unsafe { libc::free(held.data.bytes.bytes.cast::<c_void>()) };
            }
            // SAFETY: as above; no reference to it is left.
            unsafe { libc::free(value.cast::<c_void>()) };
        }
        read.ok_or_else(|| Refused {
            status,
            text: format!("{} has another type than expected", key.to_string_lossy()),
        })
    }

    fn check(&self, status: c_int) -> Result<(), Refused> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: the function takes a number and returns a constant text, or null.
        let text = unsafe { (self.error_string)(status) };
        let text = if text.is_null() {
            "unknown".into()
        } else {
            // SAFETY: a constant text ends with NUL.
            unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
        };
        Err(Refused { status, text })
    }
}

fn number(value: &Value) -> Option<u64> {
    // SAFETY: in each case the type says which member of the union is set.
    unsafe {
        match value.kind {
            TYPE_U16 => Some(value.data.u16.into()),
            TYPE_U32 | TYPE_RANK => Some(value.data.u32.into()),
            TYPE_U64 => Some(value.data.u64),
            TYPE_SIZE => Some(value.data.size as u64),
            TYPE_INT => u64::try_from(value.data.integer).ok(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_names_a_library_that_is_missing_or_is_not_pmix() {
        let why = join(&["libno-such-pmix.so.2".into()]).unwrap_err();
        assert!(why.contains("libno-such-pmix.so.2"), "{why}");
        let why = join(&["libc.so.6".into()]).unwrap_err();
        assert!(why.contains("libc.so.6") && why.contains("PMIx_Init"), "{why}");
    }

    #[test]
    fn numbers_of_every_type_are_read() {
        let value = |kind, data| number(&Value { kind, data });
        assert_eq!(value(TYPE_U16, Data { u16: 7 }), Some(7));
        assert_eq!(value(TYPE_RANK, Data { u32: 7 }), Some(7));
        assert_eq!(value(TYPE_INT, Data { integer: -1 }), None);
        assert_eq!(value(TYPE_BYTES, Data { u64: 7 }), None);
    }
}
