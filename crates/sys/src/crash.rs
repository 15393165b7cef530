//! What ends this process: a message about SIGSEGV, SIGBUS, SIGILL or SIGFPE, with the address and
//! the function of a library in which it happened.
//!
//! The handler runs on a stack of its own, allocates nothing, and then leaves the signal to the
//! kernel, whose default action ends the process and writes the core file as it would without the
//! handler. All functions that it calls are safe in a signal handler but one: `dladdr` waits while
//! another thread loads a library. The address is printed before.

#![allow(unsafe_code)]

use crate::calls;
use std::ffi::{c_int, c_void};
use std::sync::OnceLock;

/// Bytes of the handler's stack: unwinding needs some thousand.
const STACK_BYTES: usize = 64 * 1024;
/// Addresses below this one belong to the null pointer: members of a structure at it.
const NULL_BYTES: usize = 4096;
/// The code of a fault whose address the processor does not tell: it is no address of a process, or
/// misaligned.
const SI_KERNEL: c_int = 0x80;
/// Distance between the stack pointer and an address that the growing stack has touched.
const STACK_DISTANCE: usize = 64 * 1024;

const SIGNALS: [(c_int, &str); 4] = [
    (libc::SIGSEGV, "SIGSEGV"),
    (libc::SIGBUS, "SIGBUS"),
    (libc::SIGILL, "SIGILL"),
    (libc::SIGFPE, "SIGFPE"),
];

/// This process, in the words of the message.
static WHO: OnceLock<String> = OnceLock::new();

/// Prints a message when one of the signals ends this process. `who` names the process. The message
/// names the innermost function of MPI on the stack.
///
/// A signal that the program, a debugger or a sanitizer handles already keeps its handler. Only the
/// calling thread gets a stack for the handler.
pub fn report(who: String) {
    if WHO.set(who).is_err() {
        return;
    }
    give_stack();
    for (signal, _) in SIGNALS {
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
        let memory = libc::mmap(std::ptr::null_mut(), STACK_BYTES, protection, flags, -1, 0);
        if memory != libc::MAP_FAILED {
            let stack = libc::stack_t { ss_sp: memory, ss_flags: 0, ss_size: STACK_BYTES };
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
    let Some(who) = WHO.get() else { return };
    let name = SIGNALS.iter().find(|known| known.0 == signal).map_or("a signal", |known| known.1);
    let mut digits = [0; 16];
    match code {
        SI_KERNEL => {
            write(&["nemesis: ", name, " at an address that the processor does not tell\n  what  "])
        }
        _ => {
            let address = hexadecimal(address, &mut digits);
            write(&["nemesis: ", name, " at address 0x", address, "\n  what  "]);
        }
    }
    match calls::innermost(calls::mpi_name) {
        Some(name) => write(&["in ", name]),
        None => write(&["in the program, outside MPI"]),
    }
    let (why, advice) = reason(signal, code, address, stack_pointer(context));
    write(&["\n  who   ", who, "\n  why   ", why, "\n  try   ", advice, "\n"]);
}

/// Returns the stack pointer at the fault.
fn stack_pointer(context: *mut c_void) -> Option<usize> {
    let context = context.cast::<libc::ucontext_t>();
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    // SAFETY: the kernel passes a valid ucontext with SA_SIGINFO.
    return Some(unsafe { (*context).uc_mcontext.gregs[libc::REG_RSP as usize] } as usize);
    #[cfg(all(target_arch = "aarch64", target_os = "linux"))]
    // SAFETY: as above.
    return Some(unsafe { (*context).uc_mcontext.sp } as usize);
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        let _ = context;
        None
    }
}

/// Returns the reason of a signal, and what to try.
fn reason(
    signal: c_int,
    code: c_int,
    address: usize,
    stack: Option<usize>,
) -> (&'static str, &'static str) {
    let backtrace = "gdb with the core file (ulimit -c unlimited), or -fsanitize=address";
    if signal == libc::SIGFPE {
        return ("an arithmetic error, such as an integer divided by zero", backtrace);
    }
    if signal == libc::SIGILL {
        let why = "an instruction that this processor does not have, or a damaged pointer";
        return (why, "compiling without -march=native on another kind of host; gdb");
    }
    if code == SI_KERNEL {
        return ("a pointer that is overwritten, not set or misaligned", backtrace);
    }
    if signal == libc::SIGBUS {
        let why = "memory whose file is too short or whose file system is full, or a misaligned \
                   address";
        return (why, "df -h /dev/shm and the folder of mapped files; gdb");
    }
    if stack.is_some_and(|stack| stack.abs_diff(address) < STACK_DISTANCE) {
        let why = "the stack is full: endless recursion, or large arrays in functions";
        return (why, "ulimit -s unlimited; malloc for large arrays");
    }
    if address < NULL_BYTES {
        return ("the null pointer, or a member of a structure at it", backtrace);
    }
    match code {
        2 => ("memory that may not be accessed in this way, such as a constant", backtrace),
        _ => (
            "an address that this process does not own: freed, overwritten or out of bounds",
            backtrace,
        ),
    }
}

/// Writes a number in hexadecimal notation, without allocation.
fn hexadecimal(mut number: usize, digits: &mut [u8; 16]) -> &str {
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b"0123456789abcdef"[number & 0xf];
        number >>= 4;
        if number == 0 {
            break;
        }
    }
    std::str::from_utf8(&digits[start..]).unwrap_or("?")
}

/// Writes to standard error.
fn write(pieces: &[&str]) {
    for piece in pieces {
        // SAFETY: the bytes of a string. What cannot be written is lost.
        unsafe { libc::write(2, piece.as_ptr().cast(), piece.len()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_hexadecimal() {
        let mut digits = [0; 16];
        assert_eq!(hexadecimal(0, &mut digits), "0");
        assert_eq!(hexadecimal(0x7ffe_b1c0, &mut digits), "7ffeb1c0");
        assert_eq!(hexadecimal(usize::MAX, &mut digits), "ffffffffffffffff");
    }

    #[test]
    fn a_full_stack_and_the_null_pointer_are_recognised() {
        let why = |address, stack| reason(libc::SIGSEGV, 1, address, stack).0;
        assert!(why(0x10, Some(0x7ffe_0000)).contains("null pointer"));
        assert!(why(0x7ffd_fff8, Some(0x7ffe_0000)).contains("stack is full"));
        assert!(why(0x5555_0000, Some(0x7ffe_0000)).contains("does not own"));
        assert!(reason(libc::SIGSEGV, 2, 0x5555_0000, None).0.contains("constant"));
        assert!(reason(libc::SIGSEGV, SI_KERNEL, 0, None).0.contains("overwritten"));
        assert!(reason(libc::SIGFPE, 1, 0x5555_0000, None).0.contains("divided"));
    }
}
