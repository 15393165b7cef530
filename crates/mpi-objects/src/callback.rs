//! Functions of the program that the library calls.
//!
//! A program expects the handles and codes of the `mpi.h` against which it was compiled, while the
//! engine uses those of the standard ABI. A [`Callback`] therefore holds, beside the address of the
//! function, the [`Binding`] through which the program passed it: the C binding that converts the
//! arguments and makes the call. The engine needs no `unsafe` for this. The `unsafe` of the
//! bindings relies on the promise of the caller of `MPI_Op_create` and its counterparts: the
//! address is a function of the parameter's type.
//!
//! The engine is unlocked while a callback runs, so that the callback may call MPI.

use crate::abi;
use crate::attr_value::Attribute;
use crate::handle::{Comm, Datatype, File, Session, Win};
use std::fmt;

/// Address that stands for the predefined copy function that copies the value (`MPI_COMM_DUP_FN`
/// and its counterparts) in the standard ABI.
const DUP_FN: usize = 1;

/// A function of the program, and the binding that calls it.
#[derive(Clone, Copy)]
pub struct Callback {
    address: usize,
    /// Whether the function takes `MPI_Count` in place of `int` (`MPI_User_function_c`).
    long: bool,
    binding: &'static dyn Binding,
}

/// An object with attributes or an error handler, as a callback receives it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Object {
    Comm(Comm),
    Datatype(Datatype),
    Win(Win),
    File(File),
    Session(Session),
}

/// Status that the query function of a generalized request returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queried {
    pub source: i32,
    pub tag: i32,
    pub bytes: i64,
    pub cancelled: bool,
}

impl Queried {
    /// The empty status, of a request without a query function.
    pub const EMPTY: Queried =
        Queried { source: abi::MPI_ANY_SOURCE, tag: abi::MPI_ANY_TAG, bytes: 0, cancelled: false };
}

/// Arguments of a tool's callback (MPI 5.0 §15.3.8). Handles are the numbers that the tool knows;
/// `safety` has the standard's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToolNews {
    /// `MPI_T_event_cb_function`
    Event { instance: usize, registration: usize },
    /// `MPI_T_event_dropped_cb_function`
    Dropped { count: i64, registration: usize, source: i32 },
    /// `MPI_T_event_free_cb_function`
    Freed { registration: usize },
}

/// Arguments of a conversion function of a data representation (MPI 5.0 §14.5.3).
#[derive(Clone, Copy, Debug)]
pub struct Conversion {
    /// Address of the program's buffer.
    pub userbuf: usize,
    pub datatype: Datatype,
    /// Number of elements to convert.
    pub count: i64,
    /// Address of the data in the representation of the file.
    pub filebuf: usize,
    /// The first element of the program's buffer to convert.
    pub position: i64,
    pub extra: usize,
}

/// A C binding: calls functions of the program with its own handles, statuses and codes. Codes
/// cross this interface with the standard's values; `Err` holds the code that a callback returned.
pub trait Binding: Sync {
    /// Calls an `MPI_Comm_copy_attr_function` or its counterpart. Returns the value for the copy,
    /// or `None` if the function's flag is false.
    fn copy_attribute(
        &self,
        function: usize,
        old: Object,
        keyval: i32,
        extra: usize,
        value: &Attribute,
    ) -> Result<Option<Attribute>, i32>;
    /// Calls an `MPI_Comm_delete_attr_function` or its counterpart.
    fn delete_attribute(
        &self,
        function: usize,
        object: Object,
        keyval: i32,
        value: &Attribute,
        extra: usize,
    ) -> Result<(), i32>;
    /// Calls an `MPI_Comm_errhandler_function` or its counterpart.
    fn handle_error(&self, function: usize, object: Object, code: i32);
    /// Calls an `MPI_User_function`, or an `MPI_User_function_c` if `long`: `inout[i] = in[i] op
    /// inout[i]`.
    fn reduce(
        &self,
        function: usize,
        long: bool,
        input: *const u8,
        inout: *mut u8,
        count: i64,
        datatype: Datatype,
    );
    /// Calls an `MPI_Grequest_query_function`.
    fn query_request(&self, function: usize, extra: usize) -> Result<Queried, i32>;
    /// Calls an `MPI_Grequest_free_function`.
    fn free_request(&self, function: usize, extra: usize) -> Result<(), i32>;
    /// Calls an `MPI_Grequest_cancel_function`.
    fn cancel_request(&self, function: usize, extra: usize, complete: bool) -> Result<(), i32>;
    /// Calls an `MPIX_Grequest_poll_function`. A binding without polled requests refuses.
    fn poll_request(&self, _function: usize, _extra: usize) -> Result<(), i32> {
        Err(abi::MPI_ERR_UNSUPPORTED_OPERATION.value())
    }
    /// Calls an `MPIX_Grequest_wait_function`. A binding without polled requests refuses.
    fn wait_for_requests(&self, _function: usize, _extras: &[usize]) -> Result<(), i32> {
        Err(abi::MPI_ERR_UNSUPPORTED_OPERATION.value())
    }
    /// Calls a callback of a tool. A binding without tools ignores it.
    fn tell_tool(&self, _function: usize, _news: ToolNews, _safety: i32, _user_data: usize) {}
    /// Calls an `MPI_Datarep_conversion_function`, or an `MPI_Datarep_conversion_function_c` if
    /// `long`. A binding without files refuses.
    fn convert(&self, _function: usize, _long: bool, _conversion: &Conversion) -> Result<(), i32> {
        Err(abi::MPI_ERR_UNSUPPORTED_OPERATION.value())
    }
    /// Calls an `MPI_Datarep_extent_function`. A binding without files refuses.
    fn file_extent(
        &self,
        _function: usize,
        _datatype: Datatype,
        _extra: usize,
    ) -> Result<i64, i32> {
        Err(abi::MPI_ERR_UNSUPPORTED_OPERATION.value())
    }
}

impl Callback {
    /// Creates a callback. The predefined functions have the addresses of the standard ABI, 0 and
    /// 1.
    pub fn new(address: usize, long: bool, binding: &'static dyn Binding) -> Callback {
        Callback { address, long, binding }
    }

    /// Returns this function, to be called through another binding.
    pub fn through(self, binding: &'static dyn Binding) -> Callback {
        Callback { binding, ..self }
    }

    /// Returns whether this is `MPI_COMM_NULL_COPY_FN`, `MPI_COMM_NULL_DELETE_FN`, or no function.
    pub fn is_null(self) -> bool {
        self.address == 0
    }

    /// Returns the largest number of elements of one call of a reduction or conversion function.
    pub fn longest(self) -> i64 {
        if self.long { i64::MAX } else { i64::from(i32::MAX) }
    }

    pub fn copy_attribute(
        self,
        old: Object,
        keyval: i32,
        extra: usize,
        value: &Attribute,
    ) -> Result<Option<Attribute>, i32> {
        match self.address {
            0 => Ok(None),
            DUP_FN => Ok(Some(value.duplicate())),
            function => self.binding.copy_attribute(function, old, keyval, extra, value),
        }
    }

    pub fn delete_attribute(
        self,
        object: Object,
        keyval: i32,
        value: &Attribute,
        extra: usize,
    ) -> Result<(), i32> {
        if self.is_null() {
            Ok(())
        } else {
            self.binding.delete_attribute(self.address, object, keyval, value, extra)
        }
    }

    pub fn handle_error(self, object: Object, code: i32) {
        self.binding.handle_error(self.address, object, code);
    }

    /// Reduces at most [`Callback::longest`] elements.
    pub fn reduce(self, input: *const u8, inout: *mut u8, count: i64, datatype: Datatype) {
        debug_assert!(count <= self.longest());
        self.binding.reduce(self.address, self.long, input, inout, count, datatype);
    }

    pub fn tell_tool(self, news: ToolNews, safety: i32, user_data: usize) {
        if !self.is_null() {
            self.binding.tell_tool(self.address, news, safety, user_data);
        }
    }

    /// Converts at most [`Callback::longest`] elements.
    pub fn convert(self, conversion: &Conversion) -> Result<(), i32> {
        debug_assert!(conversion.count <= self.longest());
        self.binding.convert(self.address, self.long, conversion)
    }

    pub fn file_extent(self, datatype: Datatype, extra: usize) -> Result<i64, i32> {
        self.binding.file_extent(self.address, datatype, extra)
    }

    pub fn query_request(self, extra: usize) -> Result<Queried, i32> {
        if self.is_null() {
            Ok(Queried::EMPTY)
        } else {
            self.binding.query_request(self.address, extra)
        }
    }

    pub fn free_request(self, extra: usize) -> Result<(), i32> {
        if self.is_null() { Ok(()) } else { self.binding.free_request(self.address, extra) }
    }

    pub fn cancel_request(self, extra: usize, complete: bool) -> Result<(), i32> {
        if self.is_null() {
            Ok(())
        } else {
            self.binding.cancel_request(self.address, extra, complete)
        }
    }

    pub fn poll_request(self, extra: usize) -> Result<(), i32> {
        if self.is_null() { Ok(()) } else { self.binding.poll_request(self.address, extra) }
    }

    pub fn wait_for_requests(self, extras: &[usize]) -> Result<(), i32> {
        if self.is_null() { Ok(()) } else { self.binding.wait_for_requests(self.address, extras) }
    }
}

impl fmt::Debug for Callback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Callback({:#x})", self.address)
    }
}

impl PartialEq for Callback {
    fn eq(&self, other: &Callback) -> bool {
        self.address == other.address && self.long == other.long
    }
}
