//! What distinguishes MPICH's ABI from the standard's.

use crate::c::{self, File, Handle};
use crate::kind::{DATATYPE, WIN};
use crate::known;
use crate::known_objects::object;
use crate::known_objects::{Ignored, Known};
use std::ffi::{CStr, c_int, c_void};
use std::mem::transmute;

/// The name of the library, for messages.
pub const LIBRARY: &str = "libmpifort.so.12";

/// The number of integers of a status.
pub const STATUS_INTEGERS: usize = 5;

/// Exports a large-count procedure of `mpi_f08` under the names of the MPI standard, which the
/// modules of `mpifort.mpich` use, and those of MPICH.
#[macro_export]
macro_rules! exports_large {
    ($function:path: $($standard:ident)*; $($name:ident)*) => {
        $crate::exports!($function: $($standard)* $($name)*);
    };
}

/// Exports a procedure of `mpi_f08` under the names that come first. The others are Open MPI's.
#[macro_export]
macro_rules! exports_f08 {
    ($function:path: $($name:ident)*; $plain:path: $($openmpi:ident)*) => {
        $crate::exports!($function: $($name)*);
    };
}

known! {
    __mpi_f08_link_constants_MOD_mpi_argv_null: u8 = b' ';
    __mpi_f08_link_constants_MOD_mpi_argvs_null: u8 = b' ';
    __mpi_f08_link_constants_MOD_mpi_errcodes_ignore: c_int = 0;
    __mpi_f08_link_constants_MOD_mpi_unweighted: c_int = 0;
    __mpi_f08_link_constants_MOD_mpi_weights_empty: c_int = 0;
    /// MPICH's module has no such constant.
    nemesis_f08_buffer_automatic: c_int = 0;
}

/// The constants of `mpi_f08` that are known by their addresses. The C library has the first four.
pub const F08_CONSTANTS: [(&CStr, Ignored); 10] = [
    (c"MPIR_F08_MPI_BOTTOM", Ignored::Bottom),
    (c"MPIR_F08_MPI_IN_PLACE", Ignored::InPlace),
    (c"MPIR_F08_MPI_STATUS_IGNORE_OBJ", Ignored::Statuses),
    (c"MPIR_F08_MPI_STATUSES_IGNORE_OBJ", Ignored::Statuses),
    (c"__mpi_f08_link_constants_MOD_mpi_errcodes_ignore", Ignored::Errcodes),
    (c"__mpi_f08_link_constants_MOD_mpi_argv_null", Ignored::Argv),
    (c"__mpi_f08_link_constants_MOD_mpi_argvs_null", Ignored::Argv),
    (c"__mpi_f08_link_constants_MOD_mpi_unweighted", Ignored::Unweighted),
    (c"__mpi_f08_link_constants_MOD_mpi_weights_empty", Ignored::WeightsEmpty),
    (c"nemesis_f08_buffer_automatic", Ignored::Automatic),
];

/// The conversion functions by which a program says that data needs no conversion.
pub const NULL_CONVERSIONS: [&CStr; 4] = [
    c"mpi_conversion_fn_null_",
    c"mpi_conversion_fn_null_c_",
    c"__mpi_f08_callbacks_MOD_mpi_conversion_fn_null",
    c"__mpi_f08_callbacks_MOD_mpi_conversion_fn_null_c",
];

/// Returns the handle with this number.
#[inline]
pub fn handle<const KIND: c_int>(number: c_int) -> Handle {
    number
}

/// Returns the number of a handle.
#[inline]
pub fn number(handle: Handle) -> c_int {
    handle
}

pub use crate::c::{
    PMPI_Comm_create_errhandler as comm_create_errhandler, PMPI_Op_create as op_create,
    PMPI_Op_create_c as op_create_c, PMPI_Session_create_errhandler as session_create_errhandler,
    PMPI_Win_create_errhandler as win_create_errhandler,
};
pub use crate::file_errhandlers::file_create_errhandler;

unsafe extern "C" {
    /// Lets an operation use copies of the program's buffers. The function gets the copies and what
    /// to do: 0 to fill them, 1 to return the results, 2 to release them.
    pub fn nemesis_fortran_keep_copies(
        request: *mut Handle,
        function: unsafe extern "C" fn(*mut c_void, c_int),
        copies: *mut c_void,
    ) -> c_int;
    /// Tells the development checks the variable of the program that gets a request.
    pub fn nemesis_fortran_request_left(request: *mut c_int, handle: Handle) -> c_int;
}

pub use nemesis_fortran_keep_copies as keep_copies;
pub use nemesis_fortran_request_left as request_left;

unsafe extern "C" {
    fn PMPI_File_f2c(file: c_int) -> File;
    fn PMPI_File_c2f(file: File) -> c_int;
}

/// Reads a handle of a file.
///
/// # Safety
/// `place` points to an INTEGER.
pub unsafe fn file(place: *const c_int) -> File {
    // SAFETY: the caller's promise.
    unsafe { PMPI_File_f2c(*place) }
}

/// Writes a handle of a file.
///
/// # Safety
/// `place` points to an INTEGER.
pub unsafe fn give_file(place: *mut c_int, file: File) {
    // SAFETY: the caller's promise.
    unsafe { *place = PMPI_File_c2f(file) };
}

// Attributes in the form of the caller's language (`crates/capi/mpich/src/fortran`).
unsafe extern "C" {
    fn MPII_Comm_get_attr(
        object: c_int,
        keyval: c_int,
        value: *mut c_void,
        flag: *mut c_int,
        form: c_int,
    ) -> c_int;
    fn MPII_Type_get_attr(
        object: c_int,
        keyval: c_int,
        value: *mut c_void,
        flag: *mut c_int,
        form: c_int,
    ) -> c_int;
    fn MPII_Win_get_attr(
        object: c_int,
        keyval: c_int,
        value: *mut c_void,
        flag: *mut c_int,
        form: c_int,
    ) -> c_int;
    fn MPII_Comm_set_attr(object: c_int, keyval: c_int, value: isize, form: c_int) -> c_int;
    fn MPII_Type_set_attr(object: c_int, keyval: c_int, value: isize, form: c_int) -> c_int;
    fn MPII_Win_set_attr(object: c_int, keyval: c_int, value: isize, form: c_int) -> c_int;
    fn MPII_Keyval_set_proxy(keyval: c_int, copy: CopyProxy, delete: DeleteProxy);
}

/// An integer of the size of an address, and a default INTEGER.
const ADDRESS: c_int = 1;
const INTEGER: c_int = 3;

pub unsafe fn get_attr(
    kind: c_int,
    object: Handle,
    keyval: c_int,
    value: *mut isize,
    flag: *mut c_int,
) -> c_int {
    let get = match kind {
        DATATYPE => MPII_Type_get_attr,
        WIN => MPII_Win_get_attr,
        _ => MPII_Comm_get_attr,
    };
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe { get(object, keyval, value.cast(), flag, ADDRESS) }
}

pub unsafe fn set_attr(
    kind: c_int,
    is_short: c_int,
    object: Handle,
    keyval: c_int,
    value: isize,
) -> c_int {
    let set = match kind {
        DATATYPE => MPII_Type_set_attr,
        WIN => MPII_Win_set_attr,
        _ => MPII_Comm_set_attr,
    };
    let form = if is_short != 0 { INTEGER } else { ADDRESS };
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe { set(object, keyval, value, form) }
}

type CopyProxy = unsafe extern "C" fn(
    *mut c_void,
    c_int,
    c_int,
    *mut isize,
    c_int,
    isize,
    *mut isize,
    *mut c_int,
) -> c_int;
type DeleteProxy =
    unsafe extern "C" fn(*mut c_void, c_int, c_int, c_int, isize, *mut isize) -> c_int;
type Copy = unsafe extern "C" fn(
    *mut c_int,
    *mut c_int,
    *mut isize,
    *mut isize,
    *mut isize,
    *mut c_int,
    *mut c_int,
);
type Delete = unsafe extern "C" fn(*mut c_int, *mut c_int, *mut isize, *mut isize, *mut c_int);

/// Calls a copy subroutine of the program.
unsafe extern "C" fn copy_by_reference(
    function: *mut c_void,
    mut object: c_int,
    mut keyval: c_int,
    extra: *mut isize,
    form: c_int,
    mut value: isize,
    copied: *mut isize,
    flag: *mut c_int,
) -> c_int {
    let (mut code, mut word) = (0, 0);
    // SAFETY: the C library passes on what `create_keyval` gave it.
    unsafe {
        let copy = transmute::<*mut c_void, Copy>(function);
        copy(&mut object, &mut keyval, extra, &mut value, &mut word, flag, &mut code);
        *copied = if form == INTEGER { word as c_int as isize } else { word };
    }
    code
}

/// Calls a delete subroutine of the program.
unsafe extern "C" fn delete_by_reference(
    function: *mut c_void,
    mut object: c_int,
    mut keyval: c_int,
    _form: c_int,
    mut value: isize,
    extra: *mut isize,
) -> c_int {
    let mut code = 0;
    // SAFETY: as in `copy_by_reference`.
    unsafe {
        let delete = transmute::<*mut c_void, Delete>(function);
        delete(&mut object, &mut keyval, &mut value, extra, &mut code);
    }
    code
}

pub unsafe fn create_keyval(
    kind: c_int,
    _is_short: c_int,
    copy: *mut c_void,
    delete: *mut c_void,
    keyval: *mut c_int,
    extra: *mut c_void,
) -> c_int {
    let create = match kind {
        DATATYPE => c::PMPI_Type_create_keyval,
        WIN => c::PMPI_Win_create_keyval,
        _ => c::PMPI_Comm_create_keyval,
    };
    // SAFETY: the caller's promises to the MPI procedure; the proxies are set before any use.
    unsafe {
        let code = create(copy, delete, keyval, extra);
        if code == 0 {
            MPII_Keyval_set_proxy(*keyval, copy_by_reference, delete_by_reference);
        }
        code
    }
}

/// Tells the C library the addresses of Fortran's ignored statuses.
pub fn loaded() {
    for (pointer, block, offset) in
        [(c"MPI_F_STATUS_IGNORE", c"mpipriv1_", 8), (c"MPI_F_STATUSES_IGNORE", c"mpipriv2_", 0)]
    {
        let (pointer, block) = (object(pointer).cast::<*mut c_void>(), object(block));
        if !pointer.is_null() && !block.is_null() {
            // SAFETY: the C library has a writable pointer of this name.
            unsafe { *pointer = block.byte_add(offset) };
        }
    }
}
