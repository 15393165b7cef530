//! Arguments of the standard ABI: the body's own types, unless plain and large-count forms share a
//! body.

use super::{Argument, Call, c_type};
use crate::api::{Abi, Param};

pub fn convert(call: &mut Call, argument: &Argument) {
    call.arguments.push(expression(argument));
}

/// Returns true for a function of the program.
fn is_callback(param: &Param) -> bool {
    param.kind() == "FUNCTION"
        || param.kind().starts_with("EVENT_") && param.kind().ends_with("_CB_FUNCTION")
}

/// Returns the argument for a body that differs in widths only.
pub fn expression(argument: &Argument) -> String {
    let name = argument.param.name();
    if is_callback(argument.param) {
        let long = argument.param.ctype().ends_with("_c*");
        return format!("{}({name})", if long { "long_callback" } else { "callback" });
    }
    if !argument.differs {
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

/// Returns the type of the body's parameter.
pub fn body_type(argument: &Argument) -> String {
    if is_callback(argument.param) {
        return "Callback".into();
    }
    if !argument.differs {
        return c_type(argument.param.ctype(), Abi::Standard);
    }
    match argument.param.ctype() {
        "MPI_Count" | "MPI_Aint" => "i64".into(),
        "const MPI_Count[]" | "const MPI_Aint[]" => "IntArray".into(),
        "MPI_Count*" | "MPI_Aint*" => "CountOut".into(),
        other => c_type(other, Abi::Standard),
    }
}
