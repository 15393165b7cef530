//! Arguments of the standard ABI, and the types that the function's parameters have.

use super::lengths::Length;
use super::{Argument, Call, Context, c_type};
use crate::api::{Abi, Param};

pub fn convert(call: &mut Call, argument: &Argument, context: &Context) {
    let expression = expression(argument);
    call.arguments.push(wrapped(argument, context, expression));
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

/// How a parameter is handed over: its type (`Out<'_, c_int>`) and the expression that makes it,
/// with `@` for the address and `#` for the length.
pub struct Wrapper {
    pub rust: String,
    made: String,
}

impl Wrapper {
    fn new(rust: &str, made: &str) -> Option<Wrapper> {
        Some(Wrapper { rust: rust.into(), made: made.into() })
    }
}

/// Whether the communicator says how long an array is.
fn is_comm_array(param: &Param, context: &Context) -> bool {
    param.ctype().ends_with(']')
        && param.direction() == "in"
        && param.len().is_some()
        && matches!(context.length(param), Length::OfComm(_))
}

/// The parameter's type, if it is one of `nemesis_capi::params`; else it is passed as it is.
pub fn wrapper(argument: &Argument, context: &Context) -> Option<Wrapper> {
    let param = argument.param;
    if is_callback(param) {
        return None;
    }
    if argument.differs
        && let Some(wrapper) = differing(param, is_comm_array(param, context))
    {
        return Some(wrapper);
    }
    match (param.kind(), param.ctype()) {
        ("EXTRA_STATE", _) | (_, "char***") => None,
        (_, "char**[]") => Wrapper::new("StringListsIn<'_>", "StringListsIn::new(@, #)"),
        (_, "char*[]") if param.len() == Some("null-terminated") => {
            Wrapper::new("StringsIn<'_>", "StringsIn::terminated(@)")
        }
        ("ATTR_VAL", _) if !param.is_out() => None,
        ("ATTR_VAL", _) => Wrapper::new("Out<'_, *mut c_void>", "Out::new(@.cast())"),
        ("PTR", _) if ["baseptr", "buffer_addr"].contains(&param.name()) => {
            Wrapper::new("Out<'_, *mut c_void>", "Out::new(@.cast())")
        }
        // The operation writes it after the call.
        ("INT", "int*") if param.is_asynchronous() => {
            Wrapper::new("UserBuffer", "UserBuffer::new(@.cast())")
        }
        ("BUFFER", "void*" | "const void*") if context.function.area != "tool" => {
            Wrapper::new("UserBuffer", "UserBuffer::new(@)")
        }
        (_, "void*" | "const void*") if param.is_out() => {
            Wrapper::new("ValueOut<'_>", "ValueOut::new(@)")
        }
        (_, "void*" | "const void*") => Wrapper::new("ValueIn<'_>", "ValueIn::new(@)"),
        ("STATUS", "const MPI_Status*") => Wrapper::new("In<'_, Status>", "In::new(@)"),
        ("STATUS", _) if !param.is_out() => Wrapper::new("InOut<'_, Status>", "InOut::new(@)"),
        ("STATUS", _) if param.len().is_some() => {
            Wrapper::new("StatusesOut<'_>", "StatusesOut::from(OutSlice::new(@, #))")
        }
        ("STATUS", _) => Wrapper::new("StatusOut<'_>", "StatusOut::from(Out::new(@))"),
        (_, "const char*" | "const char[]") => Wrapper::new("StringIn<'_>", "StringIn::new(@)"),
        (_, "char*[]") => Wrapper::new("StringsIn<'_>", "StringsIn::new(@, #)"),
        (_, "char*") => Wrapper::new("StringOut<'_>", "StringOut::from(OutSlice::new(@, #))"),
        _ => pointed(param, is_comm_array(param, context)),
    }
}

/// The type of a parameter whose type differs between the two forms of the function.
fn differing(param: &Param, comm_array: bool) -> Option<Wrapper> {
    match (param.ctype(), param.is_out()) {
        ("const int[]" | "int[]", _) if comm_array => {
            Wrapper::new("IntArray<'_>", "IntArray::Int(CommArray::new(@))")
        }
        ("const MPI_Count[]" | "const MPI_Aint[]", false) if comm_array => {
            Wrapper::new("IntArray<'_>", "IntArray::Long(CommArray::new(@))")
        }
        ("const int[]" | "int[]", _) => {
            Wrapper::new("IntSlice<'_>", "IntSlice::Int(InSlice::new(@, #))")
        }
        ("const MPI_Count[]" | "const MPI_Aint[]" | "MPI_Aint[]", false) => {
            Wrapper::new("IntSlice<'_>", "IntSlice::Long(InSlice::new(@, #))")
        }
        ("int*", false) => Wrapper::new("CountInOut<'_>", "CountInOut::Int(InOut::new(@))"),
        ("MPI_Count*" | "MPI_Aint*", false) => {
            Wrapper::new("CountInOut<'_>", "CountInOut::Long(InOut::new(@))")
        }
        ("int*", true) => Wrapper::new("CountOut<'_>", "CountOut::Int(Out::new(@))"),
        ("MPI_Count*" | "MPI_Aint*", true) => {
            Wrapper::new("CountOut<'_>", "CountOut::Long(Out::new(@))")
        }
        _ => None,
    }
}

/// The type of a parameter that is a pointer to one value or an array of values.
fn pointed(param: &Param, comm_array: bool) -> Option<Wrapper> {
    let raw = c_type(param.ctype(), Abi::Standard);
    let element = raw.strip_prefix("*const ").or_else(|| raw.strip_prefix("*mut "))?;
    if !param.ctype().ends_with(['*', ']']) {
        // A handle of the tool interface is a pointer that nothing follows.
        return None;
    }
    let array = param.ctype().ends_with(']');
    let (name, made) = match (param.direction(), array) {
        ("out", false) => ("Out", "Out::new(@)"),
        (_, false) => ("InOut", "InOut::new(@)"),
        ("in", true) if comm_array => ("CommArray", "CommArray::new(@)"),
        ("in", true) => ("InSlice", "InSlice::new(@, #)"),
        ("out", true) => ("OutSlice", "OutSlice::new(@, #)"),
        (_, true) => ("InOutSlice", "InOutSlice::new(@, #)"),
    };
    Wrapper::new(&format!("{name}<'_, {element}>"), made)
}

/// The argument in the type of the parameter.
pub fn wrapped(argument: &Argument, context: &Context, expression: String) -> String {
    let Some(Wrapper { made, .. }) = wrapper(argument, context) else { return expression };
    let made = made.replace('@', &expression);
    if !made.contains('#') {
        return made;
    }
    made.replace('#', &context.length(argument.param).expression())
}

/// The type of the parameter of the function that both ABIs share.
pub fn parameter_type(argument: &Argument, context: &Context) -> String {
    let param = argument.param;
    if is_callback(param) {
        return "Callback".into();
    }
    if let Some(Wrapper { rust, .. }) = wrapper(argument, context) {
        return rust;
    }
    match param.ctype() {
        "MPI_Count" | "MPI_Aint" if argument.differs => "i64".into(),
        other => c_type(other, Abi::Standard),
    }
}
