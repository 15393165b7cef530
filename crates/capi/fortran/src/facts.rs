//! What the library knows of the program's compiler: the values of LOGICAL and the sizes of types.
//!
//! `mpifort` links a file of constants into each program (`nemesis_compiler.f90`), in which the
//! program's compiler says them. A program that was linked without it has gfortran's and flang's.

use crate::abi::LIBRARY;
use crate::blocks::INTEGERS;
use crate::c;
use crate::known_objects::object;
use std::cell::UnsafeCell;
use std::ffi::{CStr, c_char, c_int, c_void};

macro_rules! defaults {
    ($($name:ident = $value:expr;)*) => {
        $(#[unsafe(no_mangle)] pub static $name: c_int = $value;)*
    };
}

// What a program defines that `mpifort` has linked.
defaults! {
    nemesis_fortran_true = 1;
    nemesis_fortran_false = 0;
    nemesis_fortran_integer_bytes = 4;
    nemesis_fortran_real_bytes = 4;
    nemesis_fortran_double_bytes = 8;
}

unsafe extern "C" {
    fn dladdr1(
        address: *const c_void,
        info: *mut SymbolInfo,
        entry: *mut *const Symbol,
        flags: c_int,
    ) -> c_int;
}

/// `Dl_info`.
#[repr(C)]
struct SymbolInfo {
    _file: *const c_char,
    _file_base: *mut c_void,
    _name: *const c_char,
    _address: *mut c_void,
}

/// `Elf64_Sym`.
#[repr(C)]
struct Symbol {
    _name: u32,
    _info: u8,
    _other: u8,
    _section: u16,
    _value: u64,
    bytes: u64,
}

/// The flag of `dladdr1` that asks for the entry of the symbol table.
const RTLD_DL_SYMENT: c_int = 1;

/// Returns the size of the object of this name, according to the file that defines it. Returns 0 if
/// there is none.
fn object_bytes(name: &CStr) -> usize {
    let mut info = std::mem::MaybeUninit::uninit();
    let mut entry = std::ptr::null();
    // SAFETY: the places are local variables; an entry lives as long as its file is loaded.
    unsafe {
        let found = dladdr1(object(name), info.as_mut_ptr(), &mut entry, RTLD_DL_SYMENT);
        if found == 0 || entry.is_null() { 0 } else { (*entry).bytes as usize }
    }
}

struct Facts {
    truth: c_int,
    falsehood: c_int,
    integer: c_int,
    real: c_int,
    double: c_int,
}

struct Guarded(UnsafeCell<Facts>);

// SAFETY: it is written once, while the library is loaded, and only read afterwards.
unsafe impl Sync for Guarded {}

static FACTS: Guarded =
    Guarded(UnsafeCell::new(Facts { truth: 1, falsehood: 0, integer: 4, real: 4, double: 8 }));

fn facts() -> &'static Facts {
    // SAFETY: nothing writes it any more, see `Sync`.
    unsafe { &*FACTS.0.get() }
}

/// Returns .TRUE. or .FALSE. of the program's compiler.
pub fn logical(value: bool) -> c_int {
    if value { facts().truth } else { facts().falsehood }
}

/// Learns the facts, and registers them with the C library (MPI 5.0 §20.4) unless the process has
/// done so: the first registration counts, and a later one is an error. A program may load this
/// library after its start.
pub fn learn() {
    // SAFETY: this runs once, while the library is loaded.
    let facts = unsafe { &mut *FACTS.0.get() };
    for (name, fact) in [
        (c"nemesis_fortran_true", &mut facts.truth),
        (c"nemesis_fortran_false", &mut facts.falsehood),
        (c"nemesis_fortran_integer_bytes", &mut facts.integer),
        (c"nemesis_fortran_real_bytes", &mut facts.real),
        (c"nemesis_fortran_double_bytes", &mut facts.double),
    ] {
        let place = object(name).cast::<c_int>();
        if !place.is_null() {
            // SAFETY: an object of this name is an integer, by the agreement with `mpifort`.
            *fact = unsafe { *place };
        }
    }
    // A program that includes mpif.h has a COMMON block of default INTEGERs, which shows their size
    // whatever command has linked it.
    if INTEGERS.is_some_and(|(block, integers)| object_bytes(block) == integers * 8) {
        facts.integer = 8;
    }
    check(facts);
    let (mut truth, mut falsehood) = (facts.truth, facts.falsehood);
    let (mut known_truth, mut known_falsehood, mut are_set) = (truth, falsehood, 0);
    let mut known = c::MPI_INFO_NULL;
    // SAFETY: the places are integers of four bytes, and a handle.
    unsafe {
        let (known_truth, known_falsehood) = (&raw mut known_truth, &raw mut known_falsehood);
        c::PMPI_Abi_get_fortran_booleans(
            4,
            known_truth.cast(),
            known_falsehood.cast(),
            &mut are_set,
        );
        if are_set == 0 {
            let (truth, falsehood) = (&raw mut truth, &raw mut falsehood);
            c::PMPI_Abi_set_fortran_booleans(4, truth.cast(), falsehood.cast());
        }
        c::PMPI_Abi_get_fortran_info(&mut known);
        if known == c::MPI_INFO_NULL {
            register(facts);
        } else {
            c::PMPI_Info_free(&mut known);
        }
    }
}

/// Ends a program that was compiled with other conventions than the library's.
fn check(facts: &Facts) {
    if facts.integer == 4 {
        return;
    }
    eprintln!(
        "{LIBRARY}: this program was compiled with an INTEGER of {} bytes, and the library takes 4 \
         bytes; compile it without the option that changes the default (such as \
         -fdefault-integer-8), and give the variables that need it a kind",
        facts.integer
    );
    std::process::exit(1);
}

fn register(facts: &Facts) {
    let mut info = c::MPI_INFO_NULL;
    // SAFETY: the places are local variables, and the strings end with a zero.
    unsafe {
        if c::PMPI_Info_create(&mut info) != 0 {
            return;
        }
        let set = |key: &str, value: &str| {
            let (key, value) = (format!("{key}\0"), format!("{value}\0"));
            c::PMPI_Info_set(
                info,
                key.as_ptr().cast_mut().cast(),
                value.as_ptr().cast_mut().cast(),
            );
        };
        for (key, bytes) in [
            ("mpi_logical_size", facts.integer),
            ("mpi_integer_size", facts.integer),
            ("mpi_real_size", facts.real),
            ("mpi_double_precision_size", facts.double),
        ] {
            set(key, &bytes.to_string());
        }
        for (family, sizes) in [
            ("logical", &[1, 2, 4, 8, 16][..]),
            ("integer", &[1, 2, 4, 8, 16]),
            ("real", &[4, 8, 16]),
            ("complex", &[8, 16, 32]),
        ] {
            for size in sizes {
                set(&format!("mpi_{family}{size}_supported"), "true");
            }
        }
        set("mpi_double_complex_supported", "true");
        c::PMPI_Abi_set_fortran_info(info);
        c::PMPI_Info_free(&mut info);
    }
}
