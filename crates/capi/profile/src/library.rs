//! The functions of the MPI library, found by name when they are first called.
//!
//! A program that asks its process for functions of MPI before it has loaded a library, as mpi4py
//! does, finds those of this library. Then the library that the program would find is opened, and
//! answers. As long as MPI has not been initialized, the program may load another one, which counts
//! from then on.

use nemesis_sync::{AtomicUsize, Ordering};
use std::ffi::{CStr, CString, OsStr, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The libraries that this one serves, and the values of their ABIs.
const LIBRARIES: [(&CStr, Abi); 3] = [
    (
        c"libmpi_abi.so.1",
        Abi {
            world: Predefined::Number(0x101),
            byte: Predefined::Number(0x247),
            in_place: 1,
            thread_multiple: 4096,
            handle_bytes: 8,
        },
    ),
    (
        c"libmpi.so.12",
        Abi {
            world: Predefined::Number(0x4400_0000),
            byte: Predefined::Number(0x4c00_010d),
            in_place: usize::MAX,
            thread_multiple: 3,
            handle_bytes: 4,
        },
    ),
    (
        c"libmpi.so.40",
        Abi {
            world: Predefined::Object(c"ompi_mpi_comm_world"),
            byte: Predefined::Object(c"ompi_mpi_byte"),
            in_place: 1,
            thread_multiple: 3,
            handle_bytes: 8,
        },
    ),
];

/// A predefined handle.
#[derive(Clone, Copy, Debug)]
pub enum Predefined {
    Number(usize),
    /// The address of an object of this name.
    Object(&'static CStr),
}

/// What differs between the ABIs.
#[derive(Clone, Copy, Debug)]
pub struct Abi {
    /// `MPI_COMM_WORLD`.
    world: Predefined,
    /// `MPI_BYTE`.
    byte: Predefined,
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
const AWAITED: c_int = 6;

/// The function that answers a question of `nemesis_capi::profile`: question, handle, rank or
/// process.
type Query = unsafe extern "C" fn(c_int, usize, usize) -> u64;
/// The MPI library of this process.
#[derive(Clone, Copy)]
pub struct Library {
    handle: usize,
    pub abi: Abi,
    query: Query,
}

/// The library that the process uses from now on.
static SETTLED: OnceLock<Library> = OnceLock::new();

/// The library that this one has opened, because the program had loaded none; `None` if no file is
/// one.
static OPENED: OnceLock<Option<Library>> = OnceLock::new();

/// Returns the MPI library, or `None` if the process has none of this project.
pub fn library() -> Option<&'static Library> {
    if let Some(library) = SETTLED.get() {
        return Some(library);
    }
    let opened = OPENED.get().and_then(Option::as_ref);
    let is_the_programs =
        |library: &Library| opened.is_none_or(|opened| opened.handle != library.handle);
    let mut loaded = LIBRARIES.iter().filter_map(|(name, abi)| Library::open(name, *abi));
    match loaded.find(is_the_programs) {
        Some(library) => Some(SETTLED.get_or_init(|| library)),
        None => opened,
    }
}

/// Keeps to the present library: the program initializes MPI.
pub fn settle() {
    if let Some(library) = library() {
        SETTLED.get_or_init(|| *library);
    }
}

/// Returns the library that a program would find which loads one by itself, opened now.
fn open_for_program() -> Option<&'static Library> {
    OPENED.get_or_init(|| candidates().iter().find_map(|path| Library::load(path))).as_ref()
}

/// Returns the files that may be the library, in the order of preference: those that mpi4py is
/// told, the one on the search path, and the one that is installed with this library.
fn candidates() -> Vec<PathBuf> {
    const NAMES: [&str; 2] = ["libmpi.so.12", "libmpi.so"];
    let told = std::env::var_os("MPI4PY_LIBMPI").unwrap_or_default();
    let of_mpi4py = std::env::split_paths(&told).flat_map(|path| match path.is_dir() {
        true => NAMES.map(|name| path.join(name)).to_vec(),
        false => vec![path],
    });
    let own = own_file();
    let folder = own.as_deref().and_then(Path::parent);
    let folders = folder.into_iter().flat_map(|folder| [folder.join(".."), folder.to_owned()]);
    let installed = folders.flat_map(|folder| NAMES.map(|name| folder.join(name)));
    of_mpi4py.chain([NAMES[0].into()]).chain(installed).collect()
}

/// Returns the file of this library.
fn own_file() -> Option<PathBuf> {
    // SAFETY: all zero is a valid Dl_info, and the address is that of a function of this library.
    // The name, if one is found, is a C string of the dynamic linker.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        let found = libc::dladdr(own_file as *const c_void, &mut info) != 0;
        (found && !info.dli_fname.is_null())
            .then(|| OsStr::from_bytes(CStr::from_ptr(info.dli_fname).to_bytes()).into())
    }
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

    /// Loads a library, if the file is one of this project.
    fn load(path: &Path) -> Option<Library> {
        let name =
            CString::new(path.as_os_str().as_bytes()).ok().filter(|name| !name.is_empty())?;
        // SAFETY: the name is a C string. The library stays open if it is one of this project, and
        // loading another one has the effects that it would have by the program.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_LOCAL) };
        let mut known = LIBRARIES.iter().filter_map(|(name, abi)| Library::open(name, *abi));
        let library = known.find(|library| library.handle == handle.expose_provenance());
        if library.is_none() && !handle.is_null() {
            // SAFETY: the handle is that of an open library, of which nothing is used.
            unsafe { libc::dlclose(handle) };
        }
        library
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

    /// Returns the process that a request waits for; `None` if it is complete, or waits for any.
    pub fn awaited(&self, request: usize) -> Option<u32> {
        self.query(AWAITED, request, 0).map(|process| process as u32)
    }

    /// Returns a number that the processes of this job share, and no other job has.
    pub fn job(&self) -> u64 {
        self.query(JOB, 0, 0).unwrap_or(0)
    }

    /// Returns the address of a function or an object of this library.
    pub fn function(&self, name: &CStr) -> Option<*mut c_void> {
        let handle = std::ptr::with_exposed_provenance_mut(self.handle);
        // SAFETY: the handle is that of a library that stays open, the name a C string.
        let found = unsafe { libc::dlsym(handle, name.as_ptr()) };
        (!found.is_null()).then_some(found)
    }

    /// Returns `MPI_COMM_WORLD` of this library.
    pub fn world(&self) -> usize {
        self.predefined(self.abi.world)
    }

    /// Returns `MPI_BYTE` of this library.
    pub fn byte(&self) -> usize {
        self.predefined(self.abi.byte)
    }

    fn predefined(&self, handle: Predefined) -> usize {
        let name = match handle {
            Predefined::Number(number) => return number,
            Predefined::Object(name) => name,
        };
        // A program may have the library's objects in its own memory.
        // SAFETY: the name is a C string.
        let everywhere = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
        let found = if everywhere.is_null() { self.function(name) } else { Some(everywhere) };
        found.map_or(0, |object| object.expose_provenance())
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
        let next = unsafe { libc::dlsym(libc::RTLD_NEXT, self.name.as_ptr()) };
        // The MPI library may be loaded for one library alone, as modules of Python are.
        let of = |library: &Library| library.function(self.name);
        let found = if next.is_null() { library().and_then(of) } else { Some(next) };
        let Some(found) = found.or_else(|| open_for_program().and_then(of)) else {
            nemesis_sys::message::tell(format_args!(
                "nemesis: {} is in no MPI library of this process; try: without -profile",
                self.name.to_string_lossy()
            ));
            std::process::abort();
        };
        let is_final = !next.is_null() || SETTLED.get().is_some();
        if is_final {
            // Relaxed: the word is the whole result.
            self.address.store(found.expose_provenance(), Ordering::Relaxed);
        }
        found
    }
}
