//! Calls of the program's functions with the types of one ABI: its handles, statuses and codes.
//!
//! Every address came in through a parameter of the function's type, as the caller of the C
//! function promised (`nemesis_mpi::callback`). That is the argument for each call of this file.

#![allow(unsafe_code)]

use crate::types::Status;
use nemesis_mpi::abi;
use nemesis_mpi::attr::Attribute;
use nemesis_mpi::callback::{Conversion, Object, Queried, ToolNews};
use nemesis_mpi::handle::{Comm, Datatype, File, Session, Win};
use nemesis_params::function_at;
use std::ffi::{c_int, c_void};
use std::ptr::{null_mut, with_exposed_provenance_mut};

/// `void *`
type Pointer = *mut c_void;

/// The types and values of an ABI, as callbacks receive and return them.
pub trait Abi {
    type Comm;
    type Datatype;
    type Win;
    type File;
    type Session;
    type Status;

    fn comm(handle: Comm) -> Self::Comm;
    fn datatype(handle: Datatype) -> Self::Datatype;
    fn win(handle: Win) -> Self::Win;
    fn file(handle: File) -> Self::File;
    fn session(handle: Session) -> Self::Session;
    fn keyval(keyval: c_int) -> c_int;
    fn safety(safety: c_int) -> c_int;
    /// A code of the engine as one of the ABI.
    fn code(code: c_int) -> c_int;
    /// A code that a callback returned as one of the engine.
    fn returned(code: c_int) -> c_int;
    fn status(status: Status) -> Self::Status;
    fn status_to_standard(status: Self::Status) -> Status;
}

/// What a callback's code means; the code of an error is the engine's.
pub fn outcome<A: Abi>(code: c_int) -> Result<(), i32> {
    if code == abi::MPI_SUCCESS { Ok(()) } else { Err(A::returned(code)) }
}

/// Calls a copy function of attributes.
pub fn copy_attribute<A: Abi>(
    function: usize,
    old: Object,
    keyval: i32,
    extra: usize,
    value: &Attribute,
) -> Result<Option<Attribute>, i32> {
    match old {
        Object::Comm(comm) => copy::<A, _>(function, A::comm(comm), keyval, extra, value),
        Object::Datatype(datatype) => {
            copy::<A, _>(function, A::datatype(datatype), keyval, extra, value)
        }
        Object::Win(win) => copy::<A, _>(function, A::win(win), keyval, extra, value),
        Object::File(_) | Object::Session(_) => Ok(None),
    }
}

fn copy<A: Abi, H>(
    function: usize,
    old: H,
    keyval: i32,
    extra: usize,
    value: &Attribute,
) -> Result<Option<Attribute>, i32> {
    let mut copied: *mut c_void = null_mut();
    let mut flag: c_int = 0;
    let (extra, pointer) = (extra as *mut c_void, value.as_pointer() as *mut c_void);
    let place = (&raw mut copied).cast();
    let keyval = A::keyval(keyval);
    // SAFETY: the address is a copy function for this kind of object; the places are local
    // variables.
    let code = unsafe {
        function_at!(function, (H, c_int, Pointer, Pointer, Pointer, *mut c_int) -> c_int)(
            old, keyval, extra, pointer, place, &mut flag,
        )
    };
    outcome::<A>(code).map(|()| (flag != 0).then(|| value.copied_by_c(copied as usize)))
}

/// Calls a delete function of attributes.
pub fn delete_attribute<A: Abi>(
    function: usize,
    object: Object,
    keyval: i32,
    value: &Attribute,
    extra: usize,
) -> Result<(), i32> {
    match object {
        Object::Comm(comm) => delete::<A, _>(function, A::comm(comm), keyval, value, extra),
        Object::Datatype(datatype) => {
            delete::<A, _>(function, A::datatype(datatype), keyval, value, extra)
        }
        Object::Win(win) => delete::<A, _>(function, A::win(win), keyval, value, extra),
        Object::File(_) | Object::Session(_) => Ok(()),
    }
}

fn delete<A: Abi, H>(
    function: usize,
    object: H,
    keyval: i32,
    value: &Attribute,
    extra: usize,
) -> Result<(), i32> {
    let (extra, pointer) = (extra as *mut c_void, value.as_pointer() as *mut c_void);
    // SAFETY: the address is a delete function for this kind of object.
    outcome::<A>(unsafe {
        function_at!(function, (H, c_int, Pointer, Pointer) -> c_int)(
            object,
            A::keyval(keyval),
            pointer,
            extra,
        )
    })
}

/// Calls an error handler.
pub fn handle_error<A: Abi>(function: usize, object: Object, code: i32) {
    match object {
        Object::Comm(comm) => call_handler::<A, _>(function, A::comm(comm), code),
        Object::Win(win) => call_handler::<A, _>(function, A::win(win), code),
        Object::File(file) => call_handler::<A, _>(function, A::file(file), code),
        Object::Session(session) => call_handler::<A, _>(function, A::session(session), code),
        Object::Datatype(_) => {}
    }
}

fn call_handler<A: Abi, H>(function: usize, mut object: H, code: c_int) {
    let mut code = A::code(code);
    // SAFETY: the address is an error handler for this kind of object; the places are local
    // variables.
    unsafe { function_at!(function, variadic(*mut H, *mut c_int))(&mut object, &mut code) };
}

/// Calls a reduction function: that of the large-count form if `long`.
pub fn reduce<A: Abi>(
    function: usize,
    long: bool,
    input: *const u8,
    inout: *mut u8,
    count: i64,
    datatype: Datatype,
) {
    // The engine splits what is longer than an int can say.
    if long {
        combine::<i64, _>(function, input, inout, count, A::datatype(datatype));
    } else {
        combine::<c_int, _>(function, input, inout, count as c_int, A::datatype(datatype));
    }
}

fn combine<C, D>(function: usize, input: *const u8, inout: *mut u8, mut count: C, mut datatype: D) {
    let (input, inout) = (input.cast_mut().cast(), inout.cast());
    // SAFETY: the address is an MPI_User_function with this type of counts; the engine's buffers
    // hold `count` elements of the datatype.
    unsafe {
        function_at!(function, (Pointer, Pointer, *mut C, *mut D))(
            input,
            inout,
            &mut count,
            &mut datatype,
        );
    }
}

/// Calls a conversion function of a data representation: that of the large-count form if `long`.
pub fn convert<A: Abi>(function: usize, long: bool, conversion: &Conversion) -> Result<(), i32> {
    let Conversion { userbuf, datatype, count, filebuf, position, extra } = *conversion;
    let (datatype, extra) = (A::datatype(datatype), extra as Pointer);
    let (user, file): (Pointer, Pointer) =
        (with_exposed_provenance_mut(userbuf), with_exposed_provenance_mut(filebuf));
    // SAFETY: the address is an MPI_Datarep_conversion_function with this type of counts; the
    // buffers hold the elements, in the program's memory and in the representation of the file.
    outcome::<A>(unsafe {
        if long {
            function_at!(
                function,
                (Pointer, A::Datatype, i64, Pointer, i64, Pointer) -> c_int
            )(user, datatype, count, file, position, extra)
        } else {
            // The engine splits what is longer than an int can say.
            let count = count as c_int;
            function_at!(
                function,
                (Pointer, A::Datatype, c_int, Pointer, i64, Pointer) -> c_int
            )(user, datatype, count, file, position, extra)
        }
    })
}

/// Calls the function that tells a type's extent in a data representation.
pub fn file_extent<A: Abi>(function: usize, datatype: Datatype, extra: usize) -> Result<i64, i32> {
    let mut extent = 0;
    // SAFETY: the address is an MPI_Datarep_extent_function; the place is a local variable.
    outcome::<A>(unsafe {
        function_at!(function, (A::Datatype, *mut isize, Pointer) -> c_int)(
            A::datatype(datatype),
            &mut extent,
            extra as Pointer,
        )
    })?;
    Ok(extent as i64)
}

/// What a query function, which returns a code, writes into a status.
pub fn queried<A: Abi>(ask: impl FnOnce(*mut A::Status) -> c_int) -> Result<Queried, i32> {
    let mut status = A::status(Status::EMPTY);
    outcome::<A>(ask(&mut status))?;
    let status = A::status_to_standard(status);
    Ok(Queried {
        source: status.source,
        tag: status.tag,
        bytes: status.bytes(),
        cancelled: status.is_cancelled(),
    })
}

/// Calls the query function of a generalized request.
pub fn query_request<A: Abi>(function: usize, extra: usize) -> Result<Queried, i32> {
    queried::<A>(|status| {
        // SAFETY: the address is an MPI_Grequest_query_function; the status is a local variable.
        unsafe {
            function_at!(function, (Pointer, *mut A::Status) -> c_int)(extra as Pointer, status)
        }
    })
}

/// Calls the free function of a generalized request.
pub fn free_request<A: Abi>(function: usize, extra: usize) -> Result<(), i32> {
    // SAFETY: the address is an MPI_Grequest_free_function.
    outcome::<A>(unsafe { function_at!(function, (Pointer) -> c_int)(extra as Pointer) })
}

/// Calls the cancel function of a generalized request.
pub fn cancel_request<A: Abi>(function: usize, extra: usize, complete: bool) -> Result<(), i32> {
    let complete = c_int::from(complete);
    // SAFETY: the address is an MPI_Grequest_cancel_function.
    outcome::<A>(unsafe {
        function_at!(function, (Pointer, c_int) -> c_int)(extra as Pointer, complete)
    })
}

/// Calls the poll function of a polled request. What it may write into the status is not kept: the
/// query function gives the request's.
pub fn poll_request<A: Abi>(function: usize, extra: usize) -> Result<(), i32> {
    let mut status = A::status(Status::EMPTY);
    // SAFETY: the address is an MPIX_Grequest_poll_function; the status is a local variable.
    outcome::<A>(unsafe {
        function_at!(function, (Pointer, *mut A::Status) -> c_int)(extra as Pointer, &mut status)
    })
}

/// Calls the wait function of polled requests of one class, as MPICH does: without a time limit and
/// without a status.
pub fn wait_for_requests<A: Abi>(function: usize, extras: &[usize]) -> Result<(), i32> {
    let mut states: Vec<Pointer> = extras.iter().map(|&extra| extra as Pointer).collect();
    let number = states.len() as c_int;
    // SAFETY: the address is an MPIX_Grequest_wait_function; the array has `number` states.
    outcome::<A>(unsafe {
        function_at!(function, (c_int, *mut Pointer, f64, *mut A::Status) -> c_int)(
            number,
            states.as_mut_ptr(),
            0.0,
            null_mut(),
        )
    })
}

/// Calls a function of a tool (MPI 5.0 §15.3.8). Handles of the tool interface are numbers.
pub fn tell_tool<A: Abi>(function: usize, news: ToolNews, safety: i32, user_data: usize) {
    let (safety, user_data) = (A::safety(safety), user_data as *mut c_void);
    // SAFETY: the address is a callback for this kind of news.
    unsafe {
        match news {
            ToolNews::Event { instance, registration } => {
                function_at!(function, (Pointer, Pointer, c_int, Pointer))(
                    instance as Pointer,
                    registration as Pointer,
                    safety,
                    user_data,
                )
            }
            ToolNews::Dropped { count, registration, source } => {
                function_at!(function, (i64, Pointer, c_int, c_int, Pointer))(
                    count,
                    registration as Pointer,
                    source,
                    safety,
                    user_data,
                )
            }
            ToolNews::Freed { registration } => function_at!(function, (Pointer, c_int, Pointer))(
                registration as Pointer,
                safety,
                user_data,
            ),
        }
    }
}

/// Implements methods of `nemesis_mpi::callback::Binding` by the functions of this module, for the
/// ABI `$abi`: those of attributes, of generalized requests, of polled ones, or the others.
#[macro_export]
macro_rules! callbacks {
    ($abi:ty: $($family:ident)*) => { $($crate::callbacks!(@$family $abi);)* };
    (@attributes $abi:ty) => {
        fn copy_attribute(
            &self,
            function: usize,
            old: ::nemesis_mpi::callback::Object,
            keyval: i32,
            extra: usize,
            value: &::nemesis_mpi::attr::Attribute,
        ) -> Result<Option<::nemesis_mpi::attr::Attribute>, i32> {
            $crate::callback::copy_attribute::<$abi>(function, old, keyval, extra, value)
        }

        fn delete_attribute(
            &self,
            function: usize,
            object: ::nemesis_mpi::callback::Object,
            keyval: i32,
            value: &::nemesis_mpi::attr::Attribute,
            extra: usize,
        ) -> Result<(), i32> {
            $crate::callback::delete_attribute::<$abi>(function, object, keyval, value, extra)
        }
    };
    (@requests $abi:ty) => {
        fn query_request(
            &self,
            function: usize,
            extra: usize,
        ) -> Result<::nemesis_mpi::callback::Queried, i32> {
            $crate::callback::query_request::<$abi>(function, extra)
        }

        fn free_request(&self, function: usize, extra: usize) -> Result<(), i32> {
            $crate::callback::free_request::<$abi>(function, extra)
        }

        fn cancel_request(
            &self,
            function: usize,
            extra: usize,
            complete: bool,
        ) -> Result<(), i32> {
            $crate::callback::cancel_request::<$abi>(function, extra, complete)
        }
    };
    (@polled $abi:ty) => {
        fn poll_request(&self, function: usize, extra: usize) -> Result<(), i32> {
            $crate::callback::poll_request::<$abi>(function, extra)
        }

        fn wait_for_requests(&self, function: usize, extras: &[usize]) -> Result<(), i32> {
            $crate::callback::wait_for_requests::<$abi>(function, extras)
        }
    };
    (@others $abi:ty) => {
        fn handle_error(
            &self,
            function: usize,
            object: ::nemesis_mpi::callback::Object,
            code: i32,
        ) {
            $crate::callback::handle_error::<$abi>(function, object, code)
        }

        fn reduce(
            &self,
            function: usize,
            long: bool,
            input: *const u8,
            inout: *mut u8,
            count: i64,
            datatype: ::nemesis_mpi::handle::Datatype,
        ) {
            $crate::callback::reduce::<$abi>(function, long, input, inout, count, datatype)
        }

        fn convert(
            &self,
            function: usize,
            long: bool,
            conversion: &::nemesis_mpi::callback::Conversion,
        ) -> Result<(), i32> {
            $crate::callback::convert::<$abi>(function, long, conversion)
        }

        fn file_extent(
            &self,
            function: usize,
            datatype: ::nemesis_mpi::handle::Datatype,
            extra: usize,
        ) -> Result<i64, i32> {
            $crate::callback::file_extent::<$abi>(function, datatype, extra)
        }

        fn tell_tool(
            &self,
            function: usize,
            news: ::nemesis_mpi::callback::ToolNews,
            safety: i32,
            user_data: usize,
        ) {
            $crate::callback::tell_tool::<$abi>(function, news, safety, user_data)
        }
    };
}
