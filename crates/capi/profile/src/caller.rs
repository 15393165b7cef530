//! The instruction behind a call of MPI, by which the place of the call is known.
//!
//! Rust gives a function no way to learn where it returns to. So an exported function consists of a
//! few instructions that store its return address in a word of the thread, and jump to the function
//! that counts with the arguments as they are. They change no register that holds an argument.
//! Unwinding the stack instead would take a microsecond.

use nemesis_sys::calls;
use std::cell::RefCell;
use std::collections::HashMap;

// The word of the thread. The dynamic linker gives this library its thread-local memory at the
// start of the program (LD_PRELOAD), so the distance to the thread's pointer is one load.
std::arch::global_asm!(
    ".pushsection .tbss,\"awT\",%nobits",
    ".hidden nemesis_profiler_caller",
    ".globl nemesis_profiler_caller",
    ".type nemesis_profiler_caller,%object",
    ".size nemesis_profiler_caller,8",
    ".balign 8",
    "nemesis_profiler_caller:",
    ".zero 8",
    ".popsection",
);

/// The body of an exported function: notes its caller, and continues in the function `counted`.
#[cfg(target_arch = "x86_64")]
macro_rules! note_caller {
    ($counted:path) => {
        std::arch::naked_asm!(
            "mov r11, [rsp]",
            "mov rax, qword ptr [rip + nemesis_profiler_caller@GOTTPOFF]",
            "mov qword ptr fs:[rax], r11",
            "jmp {counted}",
            counted = sym $counted,
        )
    };
}

/// The body of an exported function, as above.
#[cfg(target_arch = "aarch64")]
macro_rules! note_caller {
    ($counted:path) => {
        std::arch::naked_asm!(
            "mrs x16, tpidr_el0",
            "adrp x17, :gottprel:nemesis_profiler_caller",
            "ldr x17, [x17, :gottprel_lo12:nemesis_profiler_caller]",
            "str x30, [x16, x17]",
            "b {counted}",
            counted = sym $counted,
        )
    };
}
pub(crate) use note_caller;

/// Returns the address behind the instruction that has called an exported function. Must be asked
/// before the function calls anything of the program.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn address() -> usize {
    let address;
    // SAFETY: reads the word of this thread.
    unsafe {
        std::arch::asm!(
            "mov {place}, qword ptr [rip + nemesis_profiler_caller@GOTTPOFF]",
            "mov {address}, qword ptr fs:[{place}]",
            place = out(reg) _,
            address = out(reg) address,
            options(nostack, readonly, preserves_flags),
        );
    }
    address
}

/// Returns the address behind the instruction that has called an exported function. Must be asked
/// before the function calls anything of the program.
#[cfg(target_arch = "aarch64")]
#[inline(always)]
pub fn address() -> usize {
    let address;
    // SAFETY: reads the word of this thread.
    unsafe {
        std::arch::asm!(
            "mrs {thread}, tpidr_el0",
            "adrp {place}, :gottprel:nemesis_profiler_caller",
            "ldr {place}, [{place}, :gottprel_lo12:nemesis_profiler_caller]",
            "ldr {address}, [{thread}, {place}]",
            thread = out(reg) _,
            place = out(reg) _,
            address = out(reg) address,
            options(nostack, readonly, preserves_flags),
        );
    }
    address
}

thread_local! {
    /// Whether the instruction before a return address belongs to a library of MPI.
    static OF_MPI: RefCell<HashMap<usize, bool>> = RefCell::default();
}

/// Returns the address in the program that has led to a call from `caller`: `caller` itself, unless
/// it lies in a library of MPI, as the procedures of Fortran do. Then the stack is unwound.
#[inline]
pub fn of_program(caller: usize) -> usize {
    OF_MPI.with_borrow_mut(|known| {
        let mut is_of_mpi =
            |address: usize| *known.entry(address).or_insert_with(|| calls::is_of_mpi(address));
        if is_of_mpi(caller) { calls::first_frame(is_of_mpi).unwrap_or(caller) } else { caller }
    })
}
