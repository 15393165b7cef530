//! The exported functions of libraries on the stack of the calling thread.

#![allow(unsafe_code)]

#[cfg(all(target_env = "gnu", target_arch = "x86_64"))]
mod chains;

#[cfg(target_env = "gnu")]
use std::cell::RefCell;
#[cfg(target_env = "gnu")]
use std::collections::HashMap;
#[cfg(target_env = "gnu")]
use std::ffi::{CStr, c_int, c_void};

/// Most stack frames that are examined.
#[cfg(target_env = "gnu")]
const FRAMES: usize = 64;

/// Beginnings of the file names of MPI's libraries, those for Fortran and the profiler included,
/// which may lie between the program and the engine.
pub const MPI_LIBRARIES: &[&str] = &["libmpi", "libnemesis_profiler."];

/// Returns the name of a function of MPI, extensions included, without the `P` of its profiling
/// name (MPI 5.0 §15.2), or `None` if the name is that of another function.
pub fn mpi_name(name: &'static str) -> Option<&'static str> {
    let usual = name.strip_prefix('P').unwrap_or(name);
    (usual.starts_with("MPI_") || usual.starts_with("MPIX_")).then_some(usual)
}

/// Returns whether a file of this path belongs to libraries whose names begin in these ways.
#[cfg(target_env = "gnu")]
fn is_of(libraries: &[&str], path: &CStr) -> bool {
    let file = path.to_bytes().rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    libraries.iter().any(|beginning| file.starts_with(beginning.as_bytes()))
}

/// Returns what `known` makes of the name of the innermost exported function on the stack of this
/// thread that it knows.
///
/// Costs tens of microseconds. Allocates nothing, so signal handlers may call it.
#[cfg(target_env = "gnu")]
pub fn innermost(known: impl Fn(&'static str) -> Option<&'static str>) -> Option<&'static str> {
    let mut stack = Stack::new();
    // SAFETY: the callback gets the address of `stack`, which outlives the call.
    unsafe { _Unwind_Backtrace(note, (&raw mut stack).cast()) };
    let frames = &stack.frames[..stack.depth];
    frames.iter().filter_map(|&frame| exported(frame)).find_map(known)
}

/// Returns `None`: only the GNU C library tells the functions.
#[cfg(not(target_env = "gnu"))]
pub fn innermost(_known: impl Fn(&'static str) -> Option<&'static str>) -> Option<&'static str> {
    None
}

/// A call of a library from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallSite {
    /// The name of the exported function that was called.
    pub function: &'static str,
    /// An address in the instruction that called it.
    pub address: usize,
    /// The caller's stack pointer. The frames of the functions that it has called lie below.
    pub stack_pointer: usize,
    /// The line of a script whose interpreter called it, by a number that the inquirer gives; 0 if
    /// it is not known.
    pub script: u32,
}

/// Returns the place from which this thread has called the innermost function on its stack that
/// `known` knows, and what `known` makes of its name. Functions that lie between it and the program
/// and that `known` knows, too, or whose module's file name begins as one of `wrappers`, count as
/// parts of the call: those of a profiling tool, and those of another programming language.
///
/// Costs microseconds: what it has learnt of its own module it keeps.
#[cfg(target_env = "gnu")]
pub fn call_site(
    known: impl Fn(&'static str) -> Option<&'static str>,
    wrappers: &[&str],
) -> Option<CallSite> {
    site_in(&Stack::of_this_thread(), known, wrappers).map(|(site, _)| site)
}

/// Returns what [`call_site`] does of the functions and libraries of MPI. What it has found it
/// knows again in some ten nanoseconds (`chains`).
#[cfg(all(target_env = "gnu", target_arch = "x86_64"))]
pub fn mpi_call_site() -> Option<CallSite> {
    chains::call_site(mpi_name, MPI_LIBRARIES)
}

/// Returns what [`call_site`] does of the functions and libraries of MPI.
#[cfg(not(all(target_env = "gnu", target_arch = "x86_64")))]
pub fn mpi_call_site() -> Option<CallSite> {
    call_site(mpi_name, MPI_LIBRARIES)
}

/// Returns what [`call_site`] does of a stack, and the number of the program's frame.
#[cfg(target_env = "gnu")]
fn site_in(
    stack: &Stack,
    known: impl Fn(&'static str) -> Option<&'static str>,
    wrappers: &[&str],
) -> Option<(CallSite, usize)> {
    let mut function = None;
    let frames = stack.frames.iter().zip(stack.stack_pointers).take(stack.depth);
    for (number, (&frame, stack_pointer)) in frames.enumerate() {
        let found = symbol_of(frame);
        let name = found.as_ref().and_then(|found| found.name).and_then(&known);
        match (function, name) {
            (_, Some(name)) => function = Some(name),
            (None, None) => {}
            (Some(function), None) => {
                if !found.is_some_and(|found| is_of(wrappers, found.module)) {
                    let address = frame as usize - 1;
                    let site = CallSite { function, address, stack_pointer, script: 0 };
                    return Some((site, number));
                }
            }
        }
    }
    None
}

/// The part of a stack that belongs to one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// An address in the instruction that the function has come to.
    pub instruction: usize,
    /// The stack pointer there.
    pub stack_pointer: usize,
    /// The stack pointer at the call of the function: the frame's end (the canonical frame address
    /// of debug information).
    pub end: usize,
}

#[cfg(target_env = "gnu")]
thread_local! {
    /// The stack pointer of the outermost frame of this thread that the unwinder has seen.
    static OUTERMOST: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Returns whether an address lies in a frame of this thread's stack.
#[cfg(target_env = "gnu")]
pub fn is_on_stack(address: usize) -> bool {
    if OUTERMOST.get() == 0 {
        let stack = Stack::of_this_thread();
        OUTERMOST.set(stack.stack_pointers[..stack.depth].last().copied().unwrap_or(0));
    }
    (std::ptr::from_ref(&address).addr()..OUTERMOST.get()).contains(&address)
}

/// Returns the frame of this thread's stack in which an address lies. Costs microseconds.
#[cfg(target_env = "gnu")]
pub fn frame_with(address: usize) -> Option<Frame> {
    let stack = Stack::of_this_thread();
    let pointers = &stack.stack_pointers[..stack.depth];
    let number = pointers.windows(2).position(|pair| (pair[0]..pair[1]).contains(&address))?;
    Some(Frame {
        instruction: stack.frames[number].addr() - 1,
        stack_pointer: pointers[number],
        end: pointers[number + 1],
    })
}

/// Returns false: only the GNU C library has the unwinder.
#[cfg(not(target_env = "gnu"))]
pub fn is_on_stack(_address: usize) -> bool {
    false
}

/// Returns `None`: only the GNU C library has the unwinder.
#[cfg(not(target_env = "gnu"))]
pub fn frame_with(_address: usize) -> Option<Frame> {
    None
}

/// Returns `None`: only the GNU C library tells the functions.
#[cfg(not(target_env = "gnu"))]
pub fn call_site(
    _known: impl Fn(&'static str) -> Option<&'static str>,
    _wrappers: &[&str],
) -> Option<CallSite> {
    None
}

/// Returns whether the instruction before a return address belongs to a library of MPI, or to the
/// dynamic linker, which starts such libraries.
#[cfg(target_env = "gnu")]
pub fn is_of_mpi(address: usize) -> bool {
    let found = symbol_at(std::ptr::without_provenance_mut(address));
    let is_inner = |module| is_of(MPI_LIBRARIES, module) || is_of(&["ld-linux"], module);
    found.is_some_and(|found| is_inner(found.module))
}

/// Returns false: only the GNU C library tells the modules.
#[cfg(not(target_env = "gnu"))]
pub fn is_of_mpi(_address: usize) -> bool {
    false
}

/// Returns the innermost return address on this thread's stack that `skips` does not skip. The
/// frames behind it are not looked at.
#[cfg(target_env = "gnu")]
pub fn first_frame(mut skips: impl FnMut(usize) -> bool) -> Option<usize> {
    let mut search = Search { skips: &mut skips, found: None, frames: FRAMES };
    // SAFETY: the callback gets the address of `search`, which outlives the call.
    unsafe { _Unwind_Backtrace(look, (&raw mut search).cast()) };
    search.found
}

/// Returns `None`: only the GNU C library has the unwinder.
#[cfg(not(target_env = "gnu"))]
pub fn first_frame(_skips: impl FnMut(usize) -> bool) -> Option<usize> {
    None
}

/// The search of [`first_frame`].
#[cfg(target_env = "gnu")]
struct Search<'a> {
    skips: &'a mut dyn FnMut(usize) -> bool,
    found: Option<usize>,
    /// Frames that may still be looked at.
    frames: usize,
}

/// Looks at a frame for the `Search` at `search`. Returns another number than 0 to end the walk.
#[cfg(target_env = "gnu")]
unsafe extern "C" fn look(context: *mut c_void, search: *mut c_void) -> c_int {
    const GO_ON: c_int = 0;
    const END_OF_STACK: c_int = 5;
    // SAFETY: `first_frame` passes the address of its search, to which no other reference exists.
    let search = unsafe { &mut *search.cast::<Search<'_>>() };
    // SAFETY: the unwinder passes its own context.
    let address = unsafe { _Unwind_GetIP(context) };
    search.frames = search.frames.saturating_sub(1);
    if (search.skips)(address) && search.frames > 0 {
        return GO_ON;
    }
    search.found = (search.frames > 0).then_some(address);
    END_OF_STACK
}

/// Where a fault of this thread has happened.
#[derive(Clone, Copy, Default, Debug)]
pub struct FaultSite {
    /// The function of MPI that the program has called, if the fault is inside it.
    pub function: Option<&'static str>,
    /// The innermost place of the program on the stack.
    pub program: Option<Place>,
    /// Whether that place is in a function that MPI has called: a reduction, a callback.
    pub is_called_back: bool,
}

/// A place in a program or library.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The file by the name that the C library knows it by; the program's own name may be relative.
    pub module: &'static std::ffi::CStr,
    /// Distance from the start of the file's memory.
    pub offset: usize,
    /// Whether the file is the program itself.
    pub is_program: bool,
}

/// Returns where a fault has happened, from the stack of the handler that runs for it and the
/// address of the instruction. Libraries of MPI, whose file names begin as one of `mpi`, and those
/// of C are no places of a program.
///
/// Allocates nothing, so signal handlers may call it.
#[cfg(target_env = "gnu")]
pub fn fault_site(
    instruction: usize,
    known: impl Fn(&'static str) -> Option<&'static str>,
    mpi: &[&str],
) -> FaultSite {
    const SYSTEM: &[&str] =
        &["libc.", "libm.", "libpthread.", "libgcc_s.", "ld-linux", "linux-vdso"];
    let mut stack = Stack::new();
    // SAFETY: the callback gets the address of `stack`, which outlives the call.
    unsafe { _Unwind_Backtrace(note, (&raw mut stack).cast()) };
    let frames = &stack.frames[..stack.depth];
    let first = frames.iter().position(|frame| frame.addr() == instruction);
    // Without frames of the stack, which may be damaged, there is the instruction.
    let outer = first.map_or(&[][..], |first| &frames[first + 1..]);
    let mut site = FaultSite::default();
    let within = std::iter::once(instruction.wrapping_add(1));
    for after in within.chain(outer.iter().map(|frame| frame.addr())) {
        let Some(found) = symbol_at(std::ptr::without_provenance_mut(after)) else { continue };
        if let Some(name) = found.name.and_then(&known) {
            site.function = Some(name);
        } else if is_of(mpi, found.module) || is_of(SYSTEM, found.module) {
            continue;
        } else if site.program.is_none() {
            let place = Place {
                module: found.module,
                offset: (after - 1).wrapping_sub(found.base),
                is_program: is_base_of_program(found.base),
            };
            site.program = Some(place);
            site.is_called_back = site.function.is_none();
        }
        if site.function.is_some() && site.program.is_some() {
            break;
        }
    }
    site.is_called_back &= site.function.is_some();
    site
}

/// Returns nothing: only the GNU C library tells the functions.
#[cfg(not(target_env = "gnu"))]
pub fn fault_site(
    _instruction: usize,
    _known: impl Fn(&'static str) -> Option<&'static str>,
    _mpi: &[&str],
) -> FaultSite {
    FaultSite::default()
}

/// Returns whether the memory of the program itself begins at an address.
#[cfg(target_env = "gnu")]
fn is_base_of_program(base: usize) -> bool {
    const PAGE_MASK: usize = 4095;
    // SAFETY: reads the auxiliary vector of this process.
    let headers = unsafe { libc::getauxval(libc::AT_PHDR) } as usize;
    headers & !PAGE_MASK == base
}

/// Returns the file of the program or library that contains an address, and the distance of the
/// address from the start of that file in memory.
#[cfg(target_env = "gnu")]
pub fn module_of(address: usize) -> Option<(std::path::PathBuf, usize)> {
    let found = symbol_at(std::ptr::without_provenance_mut(address.wrapping_add(1)))?;
    let is_program = is_base_of_program(found.base);
    let named = || {
        use std::os::unix::ffi::OsStrExt;
        std::ffi::OsStr::from_bytes(found.module.to_bytes()).into()
    };
    // The C library knows the program by the word of the command line.
    let file = std::env::current_exe().ok().filter(|_| is_program).unwrap_or_else(named);
    Some((file, address.wrapping_sub(found.base)))
}

/// Returns `None`: only the GNU C library tells the modules.
#[cfg(not(target_env = "gnu"))]
pub fn module_of(_address: usize) -> Option<(std::path::PathBuf, usize)> {
    None
}

/// The return addresses on a stack, the innermost first.
#[cfg(target_env = "gnu")]
struct Stack {
    frames: [*mut c_void; FRAMES],
    /// The stack pointer of each frame.
    stack_pointers: [usize; FRAMES],
    depth: usize,
}

#[cfg(target_env = "gnu")]
impl Stack {
    fn new() -> Stack {
        Stack { frames: [std::ptr::null_mut(); FRAMES], stack_pointers: [0; FRAMES], depth: 0 }
    }

    /// Unwinds the stack of this thread.
    fn of_this_thread() -> Stack {
        let mut stack = Stack::new();
        // SAFETY: the callback gets the address of `stack`, which outlives the call.
        unsafe { _Unwind_Backtrace(note, (&raw mut stack).cast()) };
        stack
    }
}

// The unwinder of the Itanium C++ ABI, against which the standard library is linked. `backtrace` of
// the C library opens it by name at the first call, which takes 30 microseconds and allocates.
#[cfg(target_env = "gnu")]
unsafe extern "C" {
    fn _Unwind_Backtrace(
        note: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        stack: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(context: *mut c_void) -> usize;
    fn _Unwind_GetCFA(context: *mut c_void) -> usize;
}

/// Appends a frame to the `Stack` at `stack`. Returns another number than 0 when that is full.
#[cfg(target_env = "gnu")]
unsafe extern "C" fn note(context: *mut c_void, stack: *mut c_void) -> c_int {
    const NO_REASON: c_int = 0;
    const END_OF_STACK: c_int = 5;
    // SAFETY: `innermost` passes the address of its stack, to which no other reference exists.
    let stack = unsafe { &mut *stack.cast::<Stack>() };
    let Some(frame) = stack.frames.get_mut(stack.depth) else { return END_OF_STACK };
    // SAFETY: the unwinder passes its own context.
    *frame = unsafe { _Unwind_GetIP(context) } as *mut c_void;
    // SAFETY: as above.
    stack.stack_pointers[stack.depth] = unsafe { _Unwind_GetCFA(context) };
    stack.depth += 1;
    NO_REASON
}

/// What the C library knows of an address.
#[cfg(target_env = "gnu")]
#[derive(Clone, Copy)]
struct Symbol {
    /// The exported function that contains it.
    name: Option<&'static str>,
    module: &'static CStr,
    /// The start of the module in memory.
    base: usize,
}

/// Returns the exported function that contains a return address.
#[cfg(target_env = "gnu")]
fn exported(frame: *mut c_void) -> Option<&'static str> {
    symbol_at(frame)?.name
}

/// The answers about return addresses in the module of this function, which stays loaded while a
/// thread executes it.
#[cfg(target_env = "gnu")]
struct OwnModule {
    base: Option<usize>,
    symbols: HashMap<usize, Symbol>,
}

#[cfg(target_env = "gnu")]
thread_local! {
    static OWN: RefCell<OwnModule> = RefCell::new(OwnModule {
        base: symbol_at(symbol_of as *mut c_void).map(|own| own.base),
        symbols: HashMap::new(),
    });
}

/// Returns what [`symbol_at`] does. For each new address the C library examines the names of the
/// module one by one, which takes ten microseconds in a library of thousands.
#[cfg(target_env = "gnu")]
fn symbol_of(frame: *mut c_void) -> Option<Symbol> {
    let kept = OWN.try_with(|own| {
        let mut own = own.borrow_mut();
        if let Some(symbol) = own.symbols.get(&frame.addr()) {
            return Some(*symbol);
        }
        let symbol = symbol_at(frame)?;
        if Some(symbol.base) == own.base {
            own.symbols.insert(frame.addr(), symbol);
        }
        Some(symbol)
    });
    // A thread that ends has no such table.
    kept.unwrap_or_else(|_| symbol_at(frame))
}

/// Returns what the C library knows of the call before a return address.
#[cfg(target_env = "gnu")]
fn symbol_at(frame: *mut c_void) -> Option<Symbol> {
    let mut found = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    // The call lies before its return address, which may be the start of another function.
    let call = frame.wrapping_byte_sub(1);
    // SAFETY: the C library looks the address up in its own tables and reads nothing through it. It
    // writes the answer to `found`.
    if unsafe { libc::dladdr(call, &mut found) } == 0 || found.dli_fname.is_null() {
        return None;
    }
    let name = (!found.dli_sname.is_null()).then(|| {
        // SAFETY: a name in the symbol table of a loaded library, which stays loaded while this
        // thread executes it.
        unsafe { CStr::from_ptr(found.dli_sname) }.to_str().ok()
    });
    // SAFETY: the name of a loaded module, which stays loaded as above.
    let module = unsafe { CStr::from_ptr(found.dli_fname) };
    Some(Symbol { name: name.flatten(), module, base: found.dli_fbase as usize })
}

#[cfg(all(test, target_env = "gnu"))]
mod tests {
    use super::*;
    use std::cell::RefCell;

    thread_local! {
        static FOUND: RefCell<Option<&'static str>> = const { RefCell::new(None) };
    }

    extern "C" fn compare(_: *const c_void, _: *const c_void) -> i32 {
        FOUND.set(innermost(|name| name.starts_with("qsort").then_some(name)));
        0
    }

    #[test]
    fn a_function_that_calls_back_is_found() {
        let mut numbers = [2, 1];
        // SAFETY: two elements of four bytes, and a comparison that reads neither.
        unsafe {
            libc::qsort(numbers.as_mut_ptr().cast(), numbers.len(), size_of::<i32>(), Some(compare))
        };
        let found = FOUND.take();
        assert!(found.as_ref().is_some_and(|name| name.starts_with("qsort")), "{found:?}");
        assert_eq!(innermost(|_| None), None);
    }

    #[test]
    fn a_local_variable_lies_in_the_frame_of_its_function() {
        #[inline(never)]
        fn inner(outer: &[u8; 64]) -> [Frame; 2] {
            let own = std::hint::black_box([1_u8; 64]);
            [&own, outer].map(|local| frame_with(local.as_ptr().addr()).expect("it is local"))
        }
        let local = std::hint::black_box([1_u8; 64]);
        let [inner, outer] = inner(&local);
        assert!(inner.end <= outer.stack_pointer && outer.stack_pointer < outer.end);
        assert!((outer.stack_pointer..outer.end - 63).contains(&local.as_ptr().addr()));
        assert!(is_on_stack(local.as_ptr().addr()));
        let in_heap = Box::new(1);
        assert!(!is_on_stack(std::ptr::from_ref(&*in_heap).addr()));
        assert_eq!(frame_with(std::ptr::from_ref(&*in_heap).addr()), None);
    }

    #[test]
    fn the_first_frame_that_is_not_skipped_is_found() {
        let mut seen = Vec::new();
        let second = first_frame(|address| {
            seen.push(address);
            seen.len() < 2
        });
        assert_eq!(second, Some(seen[1]), "{seen:x?}");
        assert_eq!(seen.len(), 2);
        assert_eq!(first_frame(|_| true), None);
        assert!(!is_of_mpi(seen[1]), "this program is no library of MPI");
    }

    #[test]
    fn what_is_kept_is_what_the_c_library_says() {
        let own = symbol_of as *mut c_void;
        let library = libc::qsort as *mut c_void;
        for frame in [own, library, own, library] {
            let frame = frame.wrapping_byte_add(1);
            let (kept, asked) = (symbol_of(frame).unwrap(), symbol_at(frame).unwrap());
            assert_eq!((kept.name, kept.module, kept.base), (asked.name, asked.module, asked.base));
        }
        let kept = OWN.with(|own| own.borrow().symbols.len());
        assert_eq!(kept, 1, "only addresses of this module are kept");
    }

    #[test]
    fn profiling_names_lose_one_letter() {
        let names = ["MPI_Send", "PMPI_Send", "PPMPI_Send", "PMIx_Init", "PMPIX_Comm_agree"];
        let usual = [Some("MPI_Send"), Some("MPI_Send"), None, None, Some("MPIX_Comm_agree")];
        assert_eq!(names.map(mpi_name), usual);
    }

    thread_local! {
        static SITE: RefCell<Option<CallSite>> = const { RefCell::new(None) };
    }

    extern "C" fn compare_at(_: *const c_void, _: *const c_void) -> i32 {
        SITE.set(call_site(|name| name.starts_with("qsort").then_some(name), &["libnone"]));
        0
    }

    #[test]
    fn the_caller_of_a_library_is_found() {
        let mut numbers = [2, 1];
        // SAFETY: two elements of four bytes, and a comparison that reads neither.
        unsafe {
            libc::qsort(
                numbers.as_mut_ptr().cast(),
                numbers.len(),
                size_of::<i32>(),
                Some(compare_at),
            )
        };
        let site = SITE.take().expect("qsort is on the stack");
        let below = &raw const numbers as usize;
        assert!(site.stack_pointer <= below, "{site:?}: this frame has the array at {below:#x}");
        assert!(site.function.starts_with("qsort"), "{site:?}");
        let (file, offset) = module_of(site.address).expect("this program has called it");
        assert_eq!(file, std::env::current_exe().unwrap());
        assert!(offset > 0 && offset < site.address);
        assert_eq!(call_site(|_| None, &[]), None);
    }

    extern "C" fn compare_for_fault(_: *const c_void, _: *const c_void) -> i32 {
        // No frame has this address.
        FAULT.set(Some(fault_site(
            compare_for_fault as *const () as usize,
            |name| name.starts_with("qsort").then_some(name),
            &["libnone"],
        )));
        0
    }

    thread_local! {
        static FAULT: RefCell<Option<FaultSite>> = const { RefCell::new(None) };
    }

    #[test]
    fn a_fault_without_a_stack_is_at_its_instruction() {
        let mut numbers = [2, 1];
        // SAFETY: as above.
        unsafe { libc::qsort(numbers.as_mut_ptr().cast(), 2, 4, Some(compare_for_fault)) };
        let site = FAULT.take().expect("it was called");
        let place = site.program.expect("this program is at fault");
        let offset = module_of(compare_for_fault as *const () as usize).unwrap().1;
        assert!(place.is_program && site.function.is_none() && !site.is_called_back);
        assert_eq!(place.offset, offset);
    }

    thread_local! {
        static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
    }

    extern "C" fn compare_in_place(_: *const c_void, _: *const c_void) -> i32 {
        let site = call_site(|name| name.starts_with("qsort").then_some(name), &["libnone"]);
        PLACE.set(site.and_then(|site| crate::source_place::of(&site)));
        0
    }

    #[test]
    fn the_line_of_a_call_is_told() {
        let mut numbers = [2, 1];
        let line = line!() + 2;
        // SAFETY: two elements of four bytes, and a comparison that reads neither.
        unsafe { libc::qsort(numbers.as_mut_ptr().cast(), 2, 4, Some(compare_in_place)) };
        let place = PLACE.take().expect("this program has called it");
        if cfg!(debug_assertions) {
            assert!(place.ends_with(&format!("calls.rs:{line})")), "{place}");
            assert!(place.contains("the_line_of_a_call_is_told"), "{place}");
        } else {
            // There is no debug information, and the function may be a part of another one.
            assert!(place.contains("+0x"), "{place}");
        }
    }
}
