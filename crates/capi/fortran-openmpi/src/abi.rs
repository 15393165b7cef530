//! What distinguishes Open MPI's ABI from the standard's.

use crate::c::{File, Handle};
use crate::kind::FILE;
use crate::known_objects::{Ignored, object};
use std::cell::UnsafeCell;
use std::ffi::{CStr, c_int, c_void};
use std::ptr::{null_mut, without_provenance_mut};

/// The name of the library, for messages.
pub const LIBRARY: &str = "libmpi_mpifh.so.40";

/// The number of integers of a status.
pub const STATUS_INTEGERS: usize = 6;

// What the C library has for this one (`crates/capi/openmpi/src/fortran.rs`).
unsafe extern "C" {
    fn nemesis_fortran_op_create(
        function: *mut c_void,
        is_long: c_int,
        commute: c_int,
        op: *mut Handle,
    ) -> c_int;
    pub fn nemesis_fortran_comm_create_errhandler(
        function: *mut c_void,
        errhandler: *mut Handle,
    ) -> c_int;
    pub fn nemesis_fortran_file_create_errhandler(
        function: *mut c_void,
        errhandler: *mut Handle,
    ) -> c_int;
    pub fn nemesis_fortran_session_create_errhandler(
        function: *mut c_void,
        errhandler: *mut Handle,
    ) -> c_int;
    pub fn nemesis_fortran_win_create_errhandler(
        function: *mut c_void,
        errhandler: *mut Handle,
    ) -> c_int;
    fn PMPI_Comm_c2f(handle: Handle) -> c_int;
    fn PMPI_Comm_f2c(number: c_int) -> Handle;
    fn PMPI_Errhandler_f2c(number: c_int) -> Handle;
    fn PMPI_File_f2c(number: c_int) -> Handle;
    fn PMPI_Group_f2c(number: c_int) -> Handle;
    fn PMPI_Info_f2c(number: c_int) -> Handle;
    fn PMPI_Message_f2c(number: c_int) -> Handle;
    fn PMPI_Op_f2c(number: c_int) -> Handle;
    fn PMPI_Request_f2c(number: c_int) -> Handle;
    fn PMPI_Session_f2c(number: c_int) -> Handle;
    fn PMPI_Type_f2c(number: c_int) -> Handle;
    fn PMPI_Win_f2c(number: c_int) -> Handle;
}

pub use crate::beside_mpi::{create_keyval, get_attr, request_left, set_attr};
pub use nemesis_fortran_comm_create_errhandler as comm_create_errhandler;
pub use nemesis_fortran_file_create_errhandler as file_create_errhandler;
pub use nemesis_fortran_session_create_errhandler as session_create_errhandler;
pub use nemesis_fortran_win_create_errhandler as win_create_errhandler;

/// Creates an operation from a subroutine.
pub unsafe fn op_create(function: *mut c_void, commute: c_int, op: *mut Handle) -> c_int {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe { nemesis_fortran_op_create(function, 0, commute, op) }
}

/// Creates an operation from a subroutine that takes a large count.
pub unsafe fn op_create_c(function: *mut c_void, commute: c_int, op: *mut Handle) -> c_int {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe { nemesis_fortran_op_create(function, 1, commute, op) }
}

/// Exports a procedure of `mpi_f08` under Open MPI's names, which come last with the procedure that
/// takes the addresses of choice buffers.
#[macro_export]
macro_rules! exports_f08 {
    ($with_sections:path: $($other:ident)*; $function:path: $($name:ident)*) => {
        $crate::exports!($function: $($name)*);
    };
}

/// Modules of Open MPI 4 and 5 have no large-count procedures.
#[macro_export]
macro_rules! exports_large {
    ($function:path: $($name:ident)*; $($mpich:ident)*) => {};
}

/// Procedures with descriptors belong to other ABIs.
#[macro_export]
macro_rules! with_bases {
    ($($procedure:tt)*) => {};
}

/// Procedures with descriptors belong to other ABIs.
#[macro_export]
macro_rules! with_sections {
    ($($procedure:tt)*) => {};
}

/// `mpi_f08` has the constants of `mpif.h`.
pub const F08_CONSTANTS: [(&CStr, Ignored); 0] = [];

/// The conversion functions by which a program says that data needs no conversion.
pub const NULL_CONVERSIONS: [&CStr; 2] =
    [c"mpi_conversion_fn_null_", c"__mpi_f08_callbacks_MOD_mpi_conversion_fn_null"];

/// The kinds of handles, and the numbers of each that may belong to predefined ones.
const KINDS: usize = 11;
const NUMBERS: usize = 128;

/// The handles of C by kinds and numbers; null where there is none.
struct Table(UnsafeCell<[[Handle; NUMBERS]; KINDS]>);

// SAFETY: it is written once, while the library is loaded, and only read afterwards.
unsafe impl Sync for Table {}

static TABLE: Table = Table(UnsafeCell::new([[null_mut(); NUMBERS]; KINDS]));

/// Returns the handle of a kind with this number. The numbers of the program's objects are
/// negative.
#[inline]
pub fn handle<const KIND: c_int>(number: c_int) -> Handle {
    // SAFETY: nothing writes the table any more, see `Sync`.
    let table = unsafe { &*TABLE.0.get() };
    match usize::try_from(number) {
        Ok(number) => table[KIND as usize].get(number).copied().unwrap_or(null_mut()),
        Err(_) => without_provenance_mut(number as u32 as usize),
    }
}

/// Returns the number of a handle.
#[inline]
pub fn number(handle: Handle) -> c_int {
    match handle.addr() >> 30 == 0b10 {
        true => handle.addr() as u32 as c_int,
        // SAFETY: the function takes any handle, of any kind.
        false => unsafe { PMPI_Comm_c2f(handle) },
    }
}

/// Reads a handle of a file.
///
/// # Safety
/// `place` points to an INTEGER.
pub unsafe fn file(place: *const c_int) -> File {
    // SAFETY: the caller's promise.
    handle::<FILE>(unsafe { *place })
}

/// Writes a handle of a file.
///
/// # Safety
/// `place` points to an INTEGER.
pub unsafe fn give_file(place: *mut c_int, file: File) {
    // SAFETY: the caller's promise.
    unsafe { *place = number(file) };
}

/// The pointers of the C library to the ignored statuses, and their blocks.
const IGNORED_STATUSES: [(&CStr, &CStr); 4] = [
    (c"MPI_F_STATUS_IGNORE", c"mpi_fortran_status_ignore_"),
    (c"MPI_F_STATUSES_IGNORE", c"mpi_fortran_statuses_ignore_"),
    (c"MPI_F08_STATUS_IGNORE", c"mpi_fortran_status_ignore_"),
    (c"MPI_F08_STATUSES_IGNORE", c"mpi_fortran_statuses_ignore_"),
];

/// Fills the table, and tells the C library the addresses of Fortran's ignored statuses.
pub fn loaded() {
    // In the order of `kind`.
    let converters: [unsafe extern "C" fn(c_int) -> Handle; KINDS] = [
        PMPI_Comm_f2c,
        PMPI_Type_f2c,
        PMPI_Win_f2c,
        PMPI_Errhandler_f2c,
        PMPI_File_f2c,
        PMPI_Group_f2c,
        PMPI_Info_f2c,
        PMPI_Message_f2c,
        PMPI_Op_f2c,
        PMPI_Request_f2c,
        PMPI_Session_f2c,
    ];
    // SAFETY: this runs once, while the library is loaded, and after the C library was.
    let table = unsafe { &mut *TABLE.0.get() };
    for (row, convert) in table.iter_mut().zip(converters) {
        for (number, place) in row.iter_mut().enumerate() {
            // SAFETY: the function takes any number.
            *place = unsafe { convert(number as c_int) };
        }
    }
    for (pointer, block) in IGNORED_STATUSES {
        let (pointer, block) = (object(pointer).cast::<*mut c_void>(), object(block));
        if !pointer.is_null() && !block.is_null() {
            // SAFETY: the C library has a writable pointer of this name.
            unsafe { *pointer = block };
        }
    }
}
