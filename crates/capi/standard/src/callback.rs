//! The program's functions, called with the standard ABI's types.
//!
//! Every address here came in through a parameter of the function's type (see `nemesis_mpi::callback`): that is the proof of each call.

use nemesis_capi::types::Status;
use nemesis_mpi::abi;
use nemesis_mpi::attr::Attribute;
use nemesis_mpi::callback::{Front, Object, Queried, ToolNews};
use nemesis_mpi::handle::{Comm, Datatype, File, Handle, Session, Win};
use std::ffi::{c_int, c_void};
use std::mem::transmute;
use std::ptr::null_mut;

pub struct Standard;

type Copy<H> =
    unsafe extern "C" fn(H, c_int, *mut c_void, *mut c_void, *mut c_void, *mut c_int) -> c_int;
type Delete<H> = unsafe extern "C" fn(H, c_int, *mut c_void, *mut c_void) -> c_int;
type HandleError<H> = unsafe extern "C" fn(*mut H, *mut c_int, ...);
type Reduce = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut Datatype);
type ReduceLong = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut i64, *mut Datatype);
type Query = unsafe extern "C" fn(*mut c_void, *mut Status) -> c_int;
type Free = unsafe extern "C" fn(*mut c_void) -> c_int;
type Cancel = unsafe extern "C" fn(*mut c_void, c_int) -> c_int;
type Event = unsafe extern "C" fn(*mut c_void, *mut c_void, c_int, *mut c_void);
type Dropped = unsafe extern "C" fn(i64, *mut c_void, c_int, c_int, *mut c_void);
type Freed = unsafe extern "C" fn(*mut c_void, c_int, *mut c_void);

fn outcome(code: c_int) -> Result<(), i32> {
    if code == abi::MPI_SUCCESS { Ok(()) } else { Err(code) }
}

fn copy<H: Handle>(
    function: usize,
    old: H,
    keyval: i32,
    extra: usize,
    value: &Attribute,
) -> Result<Option<Attribute>, i32> {
    let mut copied: *mut c_void = null_mut();
    let mut flag: c_int = 0;
    // SAFETY: the address is a copy function for this kind of object.
    let function = unsafe { transmute::<usize, Copy<H>>(function) };
    // SAFETY: as above; the places are local variables.
    let code = unsafe {
        function(
            old,
            keyval,
            extra as *mut c_void,
            value.as_pointer() as *mut c_void,
            (&raw mut copied).cast(),
            &mut flag,
        )
    };
    outcome(code).map(|()| (flag != 0).then(|| value.copied_by_c(copied as usize)))
}

fn delete<H: Handle>(
    function: usize,
    object: H,
    keyval: i32,
    value: &Attribute,
    extra: usize,
) -> Result<(), i32> {
    // SAFETY: the address is a delete function for this kind of object.
    let function = unsafe { transmute::<usize, Delete<H>>(function) };
    // SAFETY: as above.
    outcome(unsafe {
        function(object, keyval, value.as_pointer() as *mut c_void, extra as *mut c_void)
    })
}

fn handle_error<H: Handle>(function: usize, mut object: H, mut code: c_int) {
    // SAFETY: the address is an error handler for this kind of object.
    let function = unsafe { transmute::<usize, HandleError<H>>(function) };
    // SAFETY: as above; the places are local variables.
    unsafe { function(&mut object, &mut code) };
}

impl Front for Standard {
    fn copy_attribute(
        &self,
        function: usize,
        old: Object,
        keyval: i32,
        extra: usize,
        value: &Attribute,
    ) -> Result<Option<Attribute>, i32> {
        match old {
            Object::Comm(comm) => copy::<Comm>(function, comm, keyval, extra, value),
            Object::Datatype(datatype) => {
                copy::<Datatype>(function, datatype, keyval, extra, value)
            }
            Object::Win(win) => copy::<Win>(function, win, keyval, extra, value),
            Object::File(_) | Object::Session(_) => Ok(None),
        }
    }

    fn delete_attribute(
        &self,
        function: usize,
        object: Object,
        keyval: i32,
        value: &Attribute,
        extra: usize,
    ) -> Result<(), i32> {
        match object {
            Object::Comm(comm) => delete::<Comm>(function, comm, keyval, value, extra),
            Object::Datatype(datatype) => {
                delete::<Datatype>(function, datatype, keyval, value, extra)
            }
            Object::Win(win) => delete::<Win>(function, win, keyval, value, extra),
            Object::File(_) | Object::Session(_) => Ok(()),
        }
    }

    fn handle_error(&self, function: usize, object: Object, code: i32) {
        match object {
            Object::Comm(comm) => handle_error::<Comm>(function, comm, code),
            Object::Win(win) => handle_error::<Win>(function, win, code),
            Object::File(file) => handle_error::<File>(function, file, code),
            Object::Session(session) => handle_error::<Session>(function, session, code),
            Object::Datatype(_) => {}
        }
    }

    fn reduce(
        &self,
        function: usize,
        long: bool,
        input: *const u8,
        inout: *mut u8,
        count: i64,
        mut datatype: Datatype,
    ) {
        let (input, inout) = (input.cast_mut().cast::<c_void>(), inout.cast::<c_void>());
        if long {
            let mut count = count;
            // SAFETY: the address is an MPI_User_function_c.
            let function = unsafe { transmute::<usize, ReduceLong>(function) };
            // SAFETY: as above; the engine's buffers hold `count` elements of the datatype.
            unsafe { function(input, inout, &mut count, &mut datatype) };
        } else {
            let mut count = count as c_int;
            // SAFETY: the address is an MPI_User_function.
            let function = unsafe { transmute::<usize, Reduce>(function) };
            // SAFETY: as above; the engine splits what is longer than an int can say.
            unsafe { function(input, inout, &mut count, &mut datatype) };
        }
    }

    fn query_request(&self, function: usize, extra: usize) -> Result<Queried, i32> {
        let mut status = Status::EMPTY;
        // SAFETY: the address is an MPI_Grequest_query_function.
        let function = unsafe { transmute::<usize, Query>(function) };
        // SAFETY: as above; the status is a local variable.
        outcome(unsafe { function(extra as *mut c_void, &mut status) })?;
        Ok(Queried {
            source: status.source,
            tag: status.tag,
            bytes: status.bytes(),
            cancelled: status.is_cancelled(),
        })
    }

    fn free_request(&self, function: usize, extra: usize) -> Result<(), i32> {
        // SAFETY: the address is an MPI_Grequest_free_function.
        let function = unsafe { transmute::<usize, Free>(function) };
        // SAFETY: as above.
        outcome(unsafe { function(extra as *mut c_void) })
    }

    fn cancel_request(&self, function: usize, extra: usize, complete: bool) -> Result<(), i32> {
        // SAFETY: the address is an MPI_Grequest_cancel_function.
        let function = unsafe { transmute::<usize, Cancel>(function) };
        // SAFETY: as above.
        outcome(unsafe { function(extra as *mut c_void, c_int::from(complete)) })
    }

    fn tell_tool(&self, function: usize, news: ToolNews, safety: i32, user_data: usize) {
        let user_data = user_data as *mut c_void;
        match news {
            ToolNews::Event { instance, registration } => {
                // SAFETY: the address is an MPI_T_event_cb_function.
                let function = unsafe { transmute::<usize, Event>(function) };
                // SAFETY: as above; the handles are numbers.
                unsafe {
                    function(
                        instance as *mut c_void,
                        registration as *mut c_void,
                        safety,
                        user_data,
                    )
                };
            }
            ToolNews::Dropped { count, registration, source } => {
                // SAFETY: the address is an MPI_T_event_dropped_cb_function.
                let function = unsafe { transmute::<usize, Dropped>(function) };
                // SAFETY: as above.
                unsafe { function(count, registration as *mut c_void, source, safety, user_data) };
            }
            ToolNews::Freed { registration } => {
                // SAFETY: the address is an MPI_T_event_free_cb_function.
                let function = unsafe { transmute::<usize, Freed>(function) };
                // SAFETY: as above.
                unsafe { function(registration as *mut c_void, safety, user_data) };
            }
        }
    }
}
