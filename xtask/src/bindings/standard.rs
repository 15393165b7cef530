//! Arguments of the standard ABI, and the types that the function's parameters have.

use super::{Argument, Call, c_type};
use crate::api::{Abi, Function, Param};

pub fn convert(call: &mut Call, argument: &Argument, function: &Function) {
    let expression = expression(argument);
    call.arguments.push(wrapped(argument, function, expression));
}

/// Whether the parameter is a function of the program.
fn is_callback(param: &Param) -> bool {
    param.kind() == "FUNCTION"
        || param.kind().starts_with("EVENT_") && param.kind().ends_with("_CB_FUNCTION")
}

/// The argument without its parameter type: only widths differ from C's.
pub fn expression(argument: &Argument) -> String {
    let name = argument.param.name();
    if is_callback(argument.param) {
        let long = argument.param.ctype().ends_with("_c*");
        return format!("{}({name})", if long { "long_callback" } else { "callback" });
    }
    match argument.param.ctype() {
        "int" if argument.differs => format!("i64::from({name})"),
        "MPI_Aint" if argument.differs => format!("{name} as i64"),
        "const MPI_Aint[]" | "MPI_Aint[]" | "MPI_Aint*" if argument.differs => {
            format!("{name}.cast::<i64>()")
        }
        _ => name.into(),
    }
}

/// How a parameter is handed over: its type (`Out<'_, c_int>`) and the constructor (`Out::new`).
pub struct Wrapper {
    pub rust: String,
    pub constructor: &'static str,
}

/// The parameter's type, if it is one of `nemesis_capi::params`; else it is passed as it is.
pub fn wrapper(argument: &Argument, function: &Function) -> Option<Wrapper> {
    let param = argument.param;
    let wrapper = |rust: &str, constructor| Some(Wrapper { rust: rust.into(), constructor });
    if argument.differs {
        match param.ctype() {
            "const int[]" | "int[]" => return wrapper("IntArray<'_>", "IntArray::int"),
            "const MPI_Count[]" | "const MPI_Aint[]" | "MPI_Aint[]" if !param.is_out() => {
                return wrapper("IntArray<'_>", "IntArray::long");
            }
            "int*" if !param.is_out() => return wrapper("CountInOut<'_>", "CountInOut::int"),
            "MPI_Count*" | "MPI_Aint*" if !param.is_out() => {
                return wrapper("CountInOut<'_>", "CountInOut::long");
            }
            "int*" => return wrapper("CountOut<'_>", "CountOut::int"),
            "MPI_Count*" | "MPI_Aint*" => return wrapper("CountOut<'_>", "CountOut::long"),
            _ => {}
        }
    }
    match (param.kind(), param.ctype()) {
        _ if is_callback(param) => return None,
        ("EXTRA_STATE", _) | (_, "char***") => return None,
        ("ATTR_VAL", _) if !param.is_out() => return None,
        ("ATTR_VAL", _) => return wrapper("Out<'_, *mut c_void>", "Out::of_pointer"),
        ("PTR", _) if ["baseptr", "buffer_addr"].contains(&param.name()) => {
            return wrapper("Out<'_, *mut c_void>", "Out::of_pointer");
        }
        ("BUFFER", "void*" | "const void*") if function.area != "tool" => {
            return wrapper("UserBuffer", "UserBuffer::new");
        }
        (_, "void*" | "const void*") if param.is_out() => {
            return wrapper("ValueOut<'_>", "ValueOut::new");
        }
        (_, "void*" | "const void*") => return wrapper("ValueIn<'_>", "ValueIn::new"),
        ("STATUS", "const MPI_Status*") => return wrapper("In<'_, Status>", "In::new"),
        ("STATUS", _) if !param.is_out() => return wrapper("InOut<'_, Status>", "InOut::new"),
        ("STATUS", _) if param.len().is_some() => {
            return wrapper("StatusesOut<'_>", "StatusesOut::new");
        }
        ("STATUS", _) => return wrapper("StatusOut<'_>", "StatusOut::new"),
        (_, "const char*" | "const char[]") => return wrapper("StringIn<'_>", "StringIn::new"),
        (_, "char*[]") => return wrapper("StringsIn<'_>", "StringsIn::new"),
        (_, "char*") => return wrapper("StringOut<'_>", "StringOut::new"),
        _ => {}
    }
    pointed(param)
}

/// The type of a parameter that is a pointer to one value or an array of values.
fn pointed(param: &Param) -> Option<Wrapper> {
    let raw = c_type(param.ctype(), Abi::Standard);
    let element = raw.strip_prefix("*const ").or_else(|| raw.strip_prefix("*mut "))?;
    if !param.ctype().ends_with(['*', ']']) {
        // A handle of the tool interface is a pointer that nothing follows.
        return None;
    }
    let array = param.ctype().ends_with(']');
    let (name, constructor) = match (param.direction(), array) {
        ("out", false) => ("Out", "Out::new"),
        (_, false) => ("InOut", "InOut::new"),
        ("in", true) => ("InSlice", "InSlice::new"),
        ("out", true) => ("OutSlice", "OutSlice::new"),
        (_, true) => ("InOutSlice", "InOutSlice::new"),
    };
    Some(Wrapper { rust: format!("{name}<'_, {element}>"), constructor })
}

/// The argument in the type of the parameter.
pub fn wrapped(argument: &Argument, function: &Function, expression: String) -> String {
    match wrapper(argument, function) {
        Some(Wrapper { constructor, .. }) => format!("{constructor}({expression})"),
        None => expression,
    }
}

/// The type of the parameter of the function that both ABIs share.
pub fn parameter_type(argument: &Argument, function: &Function) -> String {
    let param = argument.param;
    if is_callback(param) {
        return "Callback".into();
    }
    if let Some(Wrapper { rust, .. }) = wrapper(argument, function) {
        return rust;
    }
    match param.ctype() {
        "MPI_Count" | "MPI_Aint" if argument.differs => "i64".into(),
        other => c_type(other, Abi::Standard),
    }
}
