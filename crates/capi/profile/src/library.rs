//! The functions of the MPI library, found by name when they are first called.

use nemesis_sync::{AtomicUsize, Ordering};
use std::ffi::{CStr, c_int, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;

/// The libraries that this one serves, and the values of their ABIs.
const LIBRARIES: [(&CStr, Abi); 2] = [
    (
        c"libmpi_abi.so.1",
        Abi { world: 0x101, byte: 0x247, in_place: 1, thread_multiple: 4096, handle_bytes: 8 },
    ),
    (
        c"libmpi.so.12",
        Abi {
            world: 0x4400_0000,
            byte: 0x4c00_010d,
            in_place: usize::MAX,
            thread_multiple: 3,
            handle_bytes: 4,
        },
    ),
];

/// What differs between the ABIs.
#[derive(Clone, Copy, Debug)]
pub struct Abi {
    /// `MPI_COMM_WORLD`.
    pub world: usize,
    /// `MPI_BYTE`.
    pub byte: usize,
    /// `MPI_IN_PLACE`.
    pub in_place: usize,
    /// `MPI_THREAD_MULTIPLE`.
    pub thread_multiple: usize,
    /// Bytes of a handle.
    pub handle_bytes: usize,
}

impl Abi {
    /// Returns the number of a handle that was passed as a word.
    #[inline]
    pub fn handle(&self, word: usize) -> usize {
        if self.handle_bytes == 4 { word as u32 as usize } else { word }
    }

    /// Reads a handle.
    ///
    /// # Safety
    ///
    /// `place` points to a handle of this ABI.
    pub unsafe fn read_handle(&self, place: usize) -> usize {
        // SAFETY: the caller's promise; the sizes are those of the ABIs.
        unsafe {
            if self.handle_bytes == 4 {
                std::ptr::with_exposed_provenance::<u32>(place).read_unaligned() as usize
            } else {
                std::ptr::with_exposed_provenance::<usize>(place).read_unaligned()
            }
        }
    }
}

/// Questions of `nemesis_capi::profile`; those about members are in `peers`.
pub const TRANSPORT: c_int = 2;
pub const UNEXPECTED_BYTES: c_int = 3;
const TYPE_BYTES: c_int = 4;
const JOB: c_int = 5;

/// The function that answers a question of `nemesis_capi::profile`: question, handle, rank or
/// process.
type Query = unsafe extern "C" fn(c_int, usize, usize) -> u64;
/// The MPI library of this process.
pub struct Library {
    handle: usize,
    pub abi: Abi,
    query: Query,
}

/// Returns the MPI library, or `None` if the process has none of this project.
pub fn library() -> Option<&'static Library> {
    static LIBRARY: OnceLock<Option<Library>> = OnceLock::new();
    LIBRARY
        .get_or_init(|| LIBRARIES.iter().find_map(|(name, abi)| Library::open(name, *abi)))
        .as_ref()
}

impl Library {
    /// Finds a library that is loaded already.
    fn open(name: &CStr, abi: Abi) -> Option<Library> {
        // SAFETY: the name is a C string; RTLD_NOLOAD loads nothing.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD) };
        let symbol = |name: &CStr| {
            // SAFETY: the handle is that of an open library, the name a C string.
            let found = unsafe { libc::dlsym(handle, name.as_ptr()) };
            (!handle.is_null() && !found.is_null()).then_some(found)
        };
        let query = symbol(c"nemesis_profile_query")?;
        Some(Library {
            handle: handle.expose_provenance(),
            abi,
            // SAFETY: the library of this project exports the function with this signature.
            query: unsafe { std::mem::transmute::<*mut c_void, Query>(query) },
        })
    }

    /// Asks the library (see `nemesis_capi::profile`).
    pub fn query(&self, question: c_int, handle: usize, index: usize) -> Option<u64> {
        // SAFETY: the function takes any values.
        let answer = unsafe { (self.query)(question, handle, index) };
        (answer != u64::MAX).then_some(answer)
    }

    /// Returns the bytes of an element of a datatype; 0 if a call that ignores the argument has
    /// been given no datatype.
    pub fn type_bytes(&self, datatype: usize) -> u64 {
        self.query(TYPE_BYTES, datatype, 0).unwrap_or(0)
    }

    /// Returns a number that the processes of this job share, and no other job has.
    pub fn job(&self) -> u64 {
        self.query(JOB, 0, 0).unwrap_or(0)
    }

    /// Returns the address of a function of this library.
    pub fn function(&self, name: &CStr) -> Option<*mut c_void> {
        let handle = std::ptr::with_exposed_provenance_mut(self.handle);
        // SAFETY: the handle is that of a library that stays open, the name a C string.
        let found = unsafe { libc::dlsym(handle, name.as_ptr()) };
        (!found.is_null()).then_some(found)
    }
}

/// Returns a name that ends with a null as a C string.
pub const fn name(name: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(name.as_bytes()) {
        Ok(name) => name,
        Err(_) => panic!("a name ends with its only null"),
    }
}

/// A function that a wrapper calls: the next one of its name after this library.
pub struct Next {
    name: &'static CStr,
    address: AtomicUsize,
}

impl Next {
    pub const fn new(name: &'static CStr) -> Next {
        Next { name, address: AtomicUsize::new(0) }
    }

    /// Returns the function's address. A process in which a program calls a function that no
    /// library defines ends with a message.
    #[inline]
    pub fn get(&self) -> *mut c_void {
        // Relaxed: every thread that finds no address looks for it itself, and finds the same one.
        let address = self.address.load(Ordering::Relaxed);
        if address != 0 { std::ptr::with_exposed_provenance_mut(address) } else { self.find() }
    }

    #[cold]
    fn find(&self) -> *mut c_void {
        // SAFETY: the name is a C string.
        let mut found = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) };
        if found.is_null() {
            // The MPI library was loaded for one library alone, as modules of Python are.
            found = library().and_then(|library| library.function(self.name)).unwrap_or(null_mut());
        }
        if found.is_null() {
            eprintln!(
                "nemesis: {} is in no MPI library of this process; try: without -profile",
                self.name.to_string_lossy()
            );
            std::process::abort();
        }
        // Relaxed: the word is the whole result.
        self.address.store(found.expose_provenance(), Ordering::Relaxed);
        found
    }
}
