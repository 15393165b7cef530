//! Arguments of the standard ABI: the body's own types, except where plain and large-count forms share a body.

use super::{Argument, Call, c_type};
use crate::api::{Abi, Param};

pub fn convert(call: &mut Call, argument: &Argument) {
    call.arguments.push(expression(argument));
}

/// A function of the program.
fn is_callback(param: &Param) -> bool {
    param.kind() == "FUNCTION"
        || param.kind().starts_with("EVENT_") && param.kind().ends_with("_CB_FUNCTION")
}

/// The argument as the body takes it, when only widths differ.
pub fn expression(argument: &Argument) -> String {
    let name = argument.param.name();
    if is_callback(argument.param) {
        let long = argument.param.ctype().ends_with("_c*");
        return format!("{}({name})", if long { "long_callback" } else { "callback" });
    }
    if !argument.twin {
        return name.into();
    }
    match argument.param.ctype() {
        "int" => format!("i64::from({name})"),
        "MPI_Aint" => format!("{name} as i64"),
        "MPI_Count" => name.into(),
        "const int[]" | "int[]" => format!("IntArray::Int({name})"),
        "const MPI_Count[]" => format!("IntArray::Long({name})"),
        "const MPI_Aint[]" | "MPI_Aint[]" => format!("IntArray::Long({name}.cast())"),
        "int*" => format!("CountOut::Int({name})"),
        "MPI_Count*" => format!("CountOut::Long({name})"),
        "MPI_Aint*" => format!("CountOut::Long({name}.cast())"),
        _ => name.into(),
    }
}

/// The type of the body's parameter.
pub fn body_type(argument: &Argument) -> String {
    if is_callback(argument.param) {
        return "Callback".into();
    }
    if !argument.twin {
        return c_type(argument.param.ctype(), Abi::Standard);
    }
    match argument.param.ctype() {
        "MPI_Count" | "MPI_Aint" => "i64".into(),
        "const MPI_Count[]" | "const MPI_Aint[]" => "IntArray".into(),
        "MPI_Count*" | "MPI_Aint*" => "CountOut".into(),
        other => c_type(other, Abi::Standard),
    }
}
