//! What ends this process: a message about SIGSEGV, SIGBUS, SIGILL or SIGFPE, on aarch64 also about
//! SIGTRAP, with the address and the function of a library in which it happened.
//!
//! The handler runs on a stack of its own, allocates nothing, and then leaves the signal to the
//! kernel, whose default action ends the process and writes the core file as it would without the
//! handler. All functions that it calls are safe in a signal handler but one: `dladdr` waits while
//! another thread loads a library.

#![allow(unsafe_code)]

use crate::calls::{self, FaultSite, Place};
use crate::python;
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

/// Bytes of the handler's stack besides the registers that the kernel stores there: unwinding needs
/// some thousand.
const STACK_BYTES: usize = 64 * 1024;
/// Addresses below this one belong to the null pointer: members of a structure at it.
const NULL_BYTES: usize = 4096;
/// The code of a fault whose address the processor does not tell: it is no address of a process, or
/// misaligned.
const SI_KERNEL: c_int = 0x80;
/// Distance between the stack pointer and an address that the growing stack has touched.
const STACK_DISTANCE: usize = 64 * 1024;

const SIGNALS: &[(c_int, &str)] = &[
    (libc::SIGSEGV, "SIGSEGV"),
    (libc::SIGBUS, "SIGBUS"),
    (libc::SIGILL, "SIGILL"),
    (libc::SIGFPE, "SIGFPE"),
    // A trap of the compiler is the instruction `brk` there.
    #[cfg(target_arch = "aarch64")]
    (libc::SIGTRAP, "SIGTRAP"),
];

/// Returns the buffer of the program that contains an address, as its first byte and its length, if
/// a call uses one. Must be safe in a signal handler.
pub type BufferOver = fn(usize) -> Option<(usize, usize)>;

/// Tells a launcher at which offset of which file the program was when a signal ended it. Returns
/// whether there is one that reads it. Must be safe in a signal handler.
pub type LastWords = fn(&[u8], usize) -> bool;

/// What the handler needs.
struct Report {
    who: String,
    buffer_over: BufferOver,
    last_words: LastWords,
}

static REPORT: OnceLock<Report> = OnceLock::new();

/// Prints a message when one of the signals ends this process. `who` names the process. The message
/// names the function of MPI on the stack, the buffer that `buffer_over` finds, and the place in
/// the program, unless a launcher takes it by `last_words` and prints it with the source line.
///
/// A signal that the program, a debugger or a sanitizer handles already keeps its handler. Only the
/// calling thread gets a stack for the handler.
pub fn report(who: String, buffer_over: BufferOver, last_words: LastWords) {
    if REPORT.set(Report { who, buffer_over, last_words }).is_err() {
        return;
    }
    give_stack();
    page_bytes();
    python::is_interpreter();
    for &(signal, _) in SIGNALS {
        // SAFETY: all zero is a valid sigaction, and the pointers are to local variables. The
        // handler has the signature that SA_SIGINFO asks for.
        unsafe {
            let mut before: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, std::ptr::null(), &mut before) != 0
                || before.sa_sigaction != libc::SIG_DFL
            {
                continue;
            }
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handle as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESETHAND;
            libc::sigaction(signal, &action, std::ptr::null_mut());
        }
    }
}

/// Gives the calling thread a stack for signal handlers, unless it has one.
fn give_stack() {
    // SAFETY: all zero is a valid stack_t, and the pointers are to local variables. The mapped
    // memory is never unmapped, because the thread uses it until it ends.
    unsafe {
        let mut before: libc::stack_t = std::mem::zeroed();
        if libc::sigaltstack(std::ptr::null(), &mut before) != 0
            || before.ss_flags & libc::SS_DISABLE == 0
        {
            return;
        }
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // Wide vectors and matrices make tens of kilobytes of registers.
        let bytes = STACK_BYTES + libc::getauxval(libc::AT_MINSIGSTKSZ) as usize;
        let memory = libc::mmap(std::ptr::null_mut(), bytes, protection, flags, -1, 0);
        if memory != libc::MAP_FAILED {
            let stack = libc::stack_t { ss_sp: memory, ss_flags: 0, ss_size: bytes };
            libc::sigaltstack(&stack, std::ptr::null_mut());
        }
    }
}

/// The handler.
extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // The action is the default one already (SA_RESETHAND), unless a handler that the program has
    // installed later calls this one. It would call it again and again, as the instruction repeats.
    // SAFETY: the default action needs no function.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
    // SAFETY: the kernel passes a valid siginfo.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as usize) };
    if code <= 0 {
        // Another process has sent the signal, so it does not come again by itself.
        // SAFETY: raising a signal whose action is the default one.
        unsafe { libc::raise(signal) };
        return;
    }
    let Some(Report { who, buffer_over, last_words }) = REPORT.get() else { return };
    let name = SIGNALS.iter().find(|known| known.0 == signal).map_or("a signal", |known| known.1);
    let mut text = Text::default();
    let mut digits = [0; 20];
    match code {
        SI_KERNEL => text.add(&[
            "nemesis: ",
            name,
            " at an address that the processor does not tell\n  what  ",
        ]),
        _ => {
            let address = hexadecimal(address, &mut digits);
            text.add(&["nemesis: ", name, " at address 0x", address, "\n  what  "]);
        }
    }
    let fault = Fault { signal, code, address, ..registers(context) };
    let site = match fault.instruction {
        Some(instruction) => calls::fault_site(instruction, calls::mpi_name, calls::MPI_LIBRARIES),
        None => FaultSite::default(),
    };
    let function = site.function;
    match function {
        Some(name) if site.is_called_back => {
            text.add(&["in a function that ", name, " has called"])
        }
        Some(name) => text.add(&["in ", name]),
        None => text.add(&["in the program, outside MPI"]),
    }
    if let Some(place) = site.program {
        tell_place(place, *last_words, &mut text);
    }
    text.add(&["\n  who   ", who, "\n  why   "]);
    if let Some(name) = function
        && !site.is_called_back
        && let Some(Overrun { bytes, owned_bytes }) = overrun(&fault, *buffer_over, is_readable)
    {
        let verb = match fault.writes {
            Some(true) => " writes ",
            Some(false) => " reads ",
            None => " uses ",
        };
        let mut more_digits = [0; 20];
        let (bytes, owned) = (decimal(bytes, &mut digits), decimal(owned_bytes, &mut more_digits));
        text.add(&[
            name,
            verb,
            argument(name),
            ", ",
            bytes,
            " bytes, and memory ends after ",
            owned,
        ]);
        text.add(&[": the count is larger than the buffer\n  try   ", OVERRUN_ADVICE, "\n"]);
        text.write();
        return tell_script();
    }
    let (why, advice) = reason(&fault, is_readable);
    text.add(&[why, "\n  try   ", advice, "\n"]);
    text.write();
    tell_script();
}

/// Tells where the program is: to the launcher, or as a line of the message.
fn tell_place(place: Place, last_words: LastWords, text: &mut Text) {
    let mut path = [0; PATH_BYTES];
    let file = match place.is_program {
        // SAFETY: the kernel writes at most as many bytes as `path` has.
        true => match unsafe {
            libc::readlink(c"/proc/self/exe".as_ptr(), path.as_mut_ptr().cast(), path.len())
        } {
            bytes @ 1.. => &path[..bytes as usize],
            _ => place.module.to_bytes(),
        },
        false => place.module.to_bytes(),
    };
    if last_words(file, place.offset) {
        return;
    }
    let name = file.rsplit(|&byte| byte == b'/').next().unwrap_or(file);
    let mut digits = [0; 20];
    let offset = hexadecimal(place.offset, &mut digits);
    text.add(&["\n  where ", std::str::from_utf8(name).unwrap_or("?"), "+0x", offset]);
}

/// Tells where a program in Python is, as the last line of the message: the frames of the
/// interpreter may be damaged, too, and then nothing comes after this.
fn tell_script() {
    let mut read = [0; python::TEXT_MAX];
    if let Some(python::Place { function, file, line }) = python::place(&mut read) {
        let mut digits = [0; 20];
        let line = decimal(line as usize, &mut digits);
        let mut text = Text::default();
        text.add(&["  where ", function, " (", file, ":", line, "), in Python\n"]);
        text.write();
    }
}

/// Most bytes of the path of a program that are told.
const PATH_BYTES: usize = 512;

/// A fault of this process.
#[derive(Clone, Copy, Default)]
struct Fault {
    signal: c_int,
    code: c_int,
    /// The address that was used, or that of the instruction.
    address: usize,
    stack_pointer: Option<usize>,
    /// The address of the instruction.
    instruction: Option<usize>,
    /// Whether the instruction writes to memory, if the processor tells it.
    writes: Option<bool>,
}

/// Returns what the registers tell of a fault.
fn registers(context: *mut c_void) -> Fault {
    let context = context.cast::<libc::ucontext_t>();
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    {
        // SAFETY: the kernel passes a valid ucontext with SA_SIGINFO.
        let registers = unsafe { (*context).uc_mcontext.gregs };
        const WRITES: i64 = 2;
        Fault {
            stack_pointer: Some(registers[libc::REG_RSP as usize] as usize),
            instruction: Some(registers[libc::REG_RIP as usize] as usize),
            writes: Some(registers[libc::REG_ERR as usize] & WRITES != 0),
            ..Fault::default()
        }
    }
    #[cfg(all(target_arch = "aarch64", target_os = "linux"))]
    {
        // SAFETY: as above.
        let registers = unsafe { &(*context).uc_mcontext };
        Fault {
            stack_pointer: Some(registers.sp as usize),
            instruction: Some(registers.pc as usize),
            writes: writes(registers),
            ..Fault::default()
        }
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        let _ = context;
        Fault::default()
    }
}

/// Returns whether the instruction of a fault writes to memory, from the exception syndrome among
/// the records behind the registers (Linux, `asm/sigcontext.h`); `None` if there is none, or if it
/// is not about data.
#[cfg(all(target_arch = "aarch64", target_os = "linux"))]
fn writes(registers: &libc::mcontext_t) -> Option<bool> {
    const RECORDS_AT: usize =
        (std::mem::offset_of!(libc::mcontext_t, pstate) + 8).next_multiple_of(16);
    const RECORDS_BYTES: usize = 4096;
    const SYNDROME: u32 = 0x4553_5201;
    let records = std::ptr::from_ref(registers).cast::<u8>().wrapping_add(RECORDS_AT);
    // SAFETY: a word of the records, at a multiple of eight bytes within `RECORDS_BYTES`.
    let word = |at: usize| unsafe { records.add(at).cast::<u64>().read_unaligned() };
    let mut at = 0;
    while at + 16 <= RECORDS_BYTES {
        // Each record begins with its kind and its length.
        let (kind, bytes) = (word(at) as u32, (word(at) >> 32) as usize);
        if kind == SYNDROME {
            return syndrome_writes(word(at + 8));
        }
        if kind == 0 || bytes < 16 || !bytes.is_multiple_of(16) {
            return None;
        }
        at += bytes;
    }
    None
}

/// Returns whether an exception syndrome (ESR_EL1) is of a write; `None` if of no data abort.
#[cfg(any(target_arch = "aarch64", test))]
fn syndrome_writes(syndrome: u64) -> Option<bool> {
    const DATA_ABORTS: [u64; 2] = [0x24, 0x25];
    const WRITES: u64 = 1 << 6;
    DATA_ABORTS.contains(&(syndrome >> 26 & 0x3f)).then_some(syndrome & WRITES != 0)
}

/// Returns whether a byte of this process can be read.
fn is_readable(address: usize) -> bool {
    // The kernel reads the set of signals, refuses the first argument, and changes nothing.
    const NOTHING: c_int = -1;
    const SET_BYTES: usize = 8;
    // SAFETY: the kernel checks the address, and writes nothing through a null pointer.
    let refused = unsafe {
        libc::syscall(
            libc::SYS_rt_sigprocmask,
            NOTHING,
            address & !(SET_BYTES - 1),
            std::ptr::null_mut::<c_void>(),
            SET_BYTES,
        ) != 0
            && *libc::__errno_location() == libc::EFAULT
    };
    !refused
}

/// Returns the bytes of a page of this kernel, by which memory ends. They are read in time: the
/// kernel tells them at the end of the stack, which a program may have overwritten before a fault.
fn page_bytes() -> usize {
    static BYTES: OnceLock<usize> = OnceLock::new();
    // SAFETY: reads the auxiliary vector of this process.
    *BYTES.get_or_init(|| unsafe { libc::getauxval(libc::AT_PAGESZ) as usize })
}

/// What to try if a buffer is longer than its memory.
const OVERRUN_ADVICE: &str = "print the count and the size of the buffer before the call";

/// A buffer of the program that goes beyond the end of its memory.
struct Overrun {
    bytes: usize,
    /// The bytes that this process owns.
    owned_bytes: usize,
}

/// Returns the buffer that a fault has found to be longer than its memory.
fn overrun(
    fault: &Fault,
    buffer_over: BufferOver,
    is_readable: impl Fn(usize) -> bool,
) -> Option<Overrun> {
    if fault.signal != libc::SIGSEGV || fault.code == SI_KERNEL {
        return None;
    }
    let (start, bytes) = buffer_over(fault.address)?;
    let end = fault.address & !(page_bytes() - 1);
    let owned_bytes = end.checked_sub(start).filter(|&owned| owned > 0)?;
    is_readable(end - 1).then_some(Overrun { bytes, owned_bytes })
}

/// Returns the name of the argument of a function that is its buffer.
fn argument(function: &str) -> &'static str {
    let has = |word: &str| function.contains(word);
    match function {
        "MPI_Bcast" | "MPI_Ibcast" => "buffer",
        _ if has("endrecv") => "a buffer",
        _ if has("send") || has("recv") || has("Send") || has("Recv") => "buf",
        _ => "a buffer",
    }
}

/// Returns the reason of a signal, and what to try.
fn reason(fault: &Fault, is_readable: impl Fn(usize) -> bool) -> (&'static str, &'static str) {
    match fault.signal {
        libc::SIGFPE => arithmetic(fault.code),
        libc::SIGILL => instruction(fault, is_readable),
        libc::SIGBUS => bus(fault.code),
        libc::SIGTRAP => TRAP,
        _ => segment(fault, is_readable),
    }
}

/// What to try if nothing better is known.
const BACKTRACE: &str = "gdb with the core file (ulimit -c unlimited), or -fsanitize=address";

/// The reason and the advice of a trap that the compiler has put into the program.
const TRAP: (&str, &str) = (
    "a trap of the compiler: code that must never be reached, or a failed assertion",
    "gdb with the core file (ulimit -c unlimited), or -fsanitize=undefined",
);

/// Returns the reason of a SIGFPE.
fn arithmetic(code: c_int) -> (&'static str, &'static str) {
    // The codes of the kernel from FPE_INTDIV on.
    let why = match code {
        1 => "an arithmetic error: an integer divided by zero, or the lowest one by -1",
        2 => "an arithmetic error: an integer that overflows",
        3 => "an arithmetic error: a number divided by zero, and the program traps this",
        4 | 5 => "an arithmetic error: a number too large or too small, and the program traps this",
        7 => "an arithmetic error: an operation without a result, and the program traps this",
        _ => "an arithmetic error, such as an integer divided by zero",
    };
    (why, BACKTRACE)
}

/// Returns the reason of a SIGILL.
fn instruction(fault: &Fault, is_readable: impl Fn(usize) -> bool) -> (&'static str, &'static str) {
    const UD2: [u8; 2] = [0x0f, 0x0b];
    let traps = cfg!(target_arch = "x86_64")
        && is_readable(fault.address)
        && is_readable(fault.address + 1)
        // SAFETY: both bytes can be read.
        && unsafe { std::ptr::with_exposed_provenance::<[u8; 2]>(fault.address).read() } == UD2;
    if traps {
        return TRAP;
    }
    let why = "an instruction that this processor does not have, or a damaged pointer";
    (why, "compiling without -march=native on another kind of host; gdb")
}

/// Returns the reason of a SIGBUS.
fn bus(code: c_int) -> (&'static str, &'static str) {
    // The codes of the kernel: BUS_ADRALN, and those of broken memory.
    match code {
        1 => ("a misaligned address", BACKTRACE),
        4 | 5 => ("memory of this host that is broken", "dmesg; another host"),
        _ => (
            "memory whose file is too short, or whose file system is full",
            "df -h /dev/shm and the folder of mapped files; gdb",
        ),
    }
}

/// Returns the reason of a SIGSEGV.
fn segment(fault: &Fault, is_readable: impl Fn(usize) -> bool) -> (&'static str, &'static str) {
    const DENIED: c_int = 2;
    let Fault { code, address, .. } = *fault;
    if code == SI_KERNEL {
        return ("a pointer that is overwritten, not set or misaligned", BACKTRACE);
    }
    if fault.instruction == Some(address) {
        let why = "a call of an address that holds no code: a pointer to a function that is not \
                   set, or an overwritten stack";
        return (why, BACKTRACE);
    }
    if fault.stack_pointer.is_some_and(|stack| fills_stack(stack, address, is_readable)) {
        let why = "the stack is full: endless recursion, or large arrays in functions";
        return (why, "ulimit -s unlimited; malloc for large arrays");
    }
    if address < NULL_BYTES {
        return ("the null pointer, or a member of a structure at it", BACKTRACE);
    }
    if code == DENIED {
        let why = "memory that may not be accessed in this way, such as a constant";
        return (why, BACKTRACE);
    }
    ("an address that this process does not own: freed, overwritten or out of bounds", BACKTRACE)
}

/// Returns whether an address lies beyond the lower end of the stack: below the stack pointer, or
/// above one that has left the stack already. An address above a stack pointer inside the stack
/// lies beyond the upper end.
fn fills_stack(stack_pointer: usize, address: usize, is_readable: impl Fn(usize) -> bool) -> bool {
    let is_near = stack_pointer.abs_diff(address) < STACK_DISTANCE;
    is_near && (address < stack_pointer || !is_readable(stack_pointer))
}

/// Writes a number in hexadecimal notation, without allocation.
fn hexadecimal(number: usize, digits: &mut [u8; 20]) -> &str {
    in_base(number, 16, digits)
}

/// Writes a number in decimal notation, without allocation.
fn decimal(number: usize, digits: &mut [u8; 20]) -> &str {
    in_base(number, 10, digits)
}

fn in_base(mut number: usize, base: usize, digits: &mut [u8; 20]) -> &str {
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b"0123456789abcdef"[number % base];
        number /= base;
        if number == 0 {
            break;
        }
    }
    std::str::from_utf8(&digits[start..]).unwrap_or("?")
}

/// A message without allocation. It is written by one call of the kernel, so that those of
/// processes that end at the same time do not mix.
struct Text {
    bytes: [u8; TEXT_BYTES],
    length: usize,
}

/// Most bytes of a message.
const TEXT_BYTES: usize = 2048;

impl Default for Text {
    fn default() -> Text {
        Text { bytes: [0; TEXT_BYTES], length: 0 }
    }
}

impl Text {
    /// Appends pieces, as far as there is room.
    fn add(&mut self, pieces: &[&str]) {
        for piece in pieces {
            let room = &mut self.bytes[self.length..];
            let taken = piece.len().min(room.len());
            room[..taken].copy_from_slice(&piece.as_bytes()[..taken]);
            self.length += taken;
        }
    }

    /// Writes the message to standard error.
    fn write(&self) {
        write(&self.bytes[..self.length]);
    }
}

/// Writes to standard error.
pub(crate) fn write(bytes: &[u8]) {
    // SAFETY: the bytes of a slice. What cannot be written is lost.
    unsafe { libc::write(2, bytes.as_ptr().cast(), bytes.len()) };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(signal: c_int, code: c_int, address: usize) -> Fault {
        Fault { signal, code, address, ..Fault::default() }
    }

    #[test]
    fn numbers_are_written() {
        let mut digits = [0; 20];
        assert_eq!(hexadecimal(0, &mut digits), "0");
        assert_eq!(hexadecimal(0x7ffe_b1c0, &mut digits), "7ffeb1c0");
        assert_eq!(hexadecimal(usize::MAX, &mut digits), "ffffffffffffffff");
        assert_eq!(decimal(32000, &mut digits), "32000");
        assert_eq!(decimal(usize::MAX, &mut digits), "18446744073709551615");
    }

    #[test]
    fn a_message_that_is_too_long_is_cut() {
        let mut text = Text::default();
        text.add(&["what ", "why"]);
        assert_eq!(&text.bytes[..text.length], b"what why");
        text.add(&[&"x".repeat(TEXT_BYTES)]);
        text.add(&["more"]);
        assert_eq!(text.length, TEXT_BYTES);
    }

    #[test]
    fn the_reason_follows_from_address_and_registers() {
        let why = |fault| reason(&fault, |_| false).0;
        let at = |address, stack_pointer| {
            why(Fault { stack_pointer: Some(stack_pointer), ..fault(libc::SIGSEGV, 1, address) })
        };
        assert!(at(0x10, 0x7ffe_0000).contains("null pointer"));
        assert!(at(0x5555_0000, 0x7ffe_0000).contains("does not own"));
        assert!(why(fault(libc::SIGSEGV, 2, 0x5555_0000)).contains("constant"));
        assert!(why(fault(libc::SIGSEGV, SI_KERNEL, 0)).contains("overwritten"));
        let call = Fault { instruction: Some(0), ..fault(libc::SIGSEGV, 1, 0) };
        assert!(why(call).contains("holds no code"));
        assert!(why(fault(libc::SIGFPE, 1, 0x5555_0000)).contains("divided by zero, or"));
        assert!(why(fault(libc::SIGFPE, 3, 0x5555_0000)).contains("traps this"));
        assert!(why(fault(libc::SIGBUS, 1, 0x5555_0000)).contains("misaligned"));
        assert!(why(fault(libc::SIGBUS, 2, 0x5555_0000)).contains("file"));
        assert!(why(fault(libc::SIGILL, 1, 0)).contains("does not have"));
        let trap = [0x0f_u8, 0x0b];
        let trapped = reason(&fault(libc::SIGILL, 2, trap.as_ptr().expose_provenance()), |_| true);
        assert_eq!(trapped.0.contains("trap of the compiler"), cfg!(target_arch = "x86_64"));
    }

    #[test]
    fn a_syndrome_tells_whether_a_data_abort_is_a_write() {
        let [write, read, breakpoint] = [0x9200_0046, 0x9200_0006, 0xf200_03e8_u64];
        assert_eq!(syndrome_writes(write), Some(true));
        assert_eq!(syndrome_writes(read), Some(false));
        assert_eq!(syndrome_writes(breakpoint), None);
        assert!(reason(&fault(libc::SIGTRAP, 1, 0), |_| true).0.contains("trap of the compiler"));
    }

    #[test]
    fn a_full_stack_is_below_the_stack_pointer_or_has_lost_it() {
        let full = |stack_pointer, address, readable| {
            let at =
                Fault { stack_pointer: Some(stack_pointer), ..fault(libc::SIGSEGV, 1, address) };
            reason(&at, |_| readable).0.contains("stack is full")
        };
        assert!(full(0x7ffe_0000, 0x7ffd_fff8, true), "a call");
        assert!(full(0x7ffd_0000, 0x7ffd_4000, false), "a function with large arrays");
        assert!(!full(0x7ffd_0000, 0x7ffd_4000, true), "beyond the upper end");
        assert!(!full(0x7ffe_0000, 0x7ff0_0000, true), "far away");
    }

    #[test]
    fn a_buffer_that_is_longer_than_its_memory_is_told() {
        // The address begins a page of every length that kernels have.
        let buffer: BufferOver = |address| {
            (0x7ffe_0e78..0x7ffe_0e78 + 96000).contains(&address).then_some((0x7ffe_0e78, 96000))
        };
        let at = |address| fault(libc::SIGSEGV, 1, address);
        let Overrun { bytes, owned_bytes } = overrun(&at(0x7fff_0000), buffer, |_| true).unwrap();
        assert_eq!((bytes, owned_bytes), (96000, 0x7fff_0000 - 0x7ffe_0e78));
        assert!(overrun(&at(0x7ffe_0f00), buffer, |_| true).is_none(), "no byte of it is owned");
        assert!(
            overrun(&at(0x7fff_0000), buffer, |_| false).is_none(),
            "neither is the one before"
        );
        assert!(overrun(&at(0x5555_0000), buffer, |_| true).is_none(), "elsewhere");
        let memory = 0_u64;
        assert!(is_readable((&raw const memory).expose_provenance()));
        assert!(!is_readable(8), "the null pointer");
        assert_eq!(argument("MPI_Send"), "buf");
        assert_eq!(argument("MPI_Irecv"), "buf");
        assert_eq!(argument("MPI_Sendrecv"), "a buffer");
        assert_eq!(argument("MPI_Allreduce"), "a buffer");
    }
}
