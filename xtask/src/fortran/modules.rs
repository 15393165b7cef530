//! The sources of the modules `mpi` and `mpi_f08`. They consist of interfaces and constants: no
//! procedure and no variable of theirs has a symbol that a compiler names.

use super::constants::{ADDRESSES, COMMONS, KINDS, literal, parameters as constants, type_of};
use super::library::has_pointer_form;
use super::{
    continued, dimensions, fortran_type, has_ierror, has_own_name, in_f08, in_f90, is_callback,
    is_choice, parameters, predefined_callbacks, procedures, profiling, specific,
    takes_descriptors,
};
use crate::api::{Abi, Api, Callback, Constant, Function, HANDLES, Param};
use crate::output::{File, MARK};

pub fn generate(api: &Api, abi: Abi) -> Vec<File> {
    vec![
        File { path: "mpi.f90".into(), text: base(api, abi) + &mpi(api, abi) },
        File { path: "mpi_f08.f90".into(), text: mpi_f08(api, abi) },
    ]
}

/// The module that the two others share: kinds, constants that are integers in both, types.
fn base(api: &Api, abi: Abi) -> String {
    let mut out = format!("! {MARK}\n\nMODULE nemesis_mpi_base\n  IMPLICIT NONE\n  PUBLIC\n\n");
    for (name, value) in KINDS {
        out.push_str(&format!("  INTEGER, PARAMETER :: {name} = {value}\n"));
    }
    for (constant, value) in
        constants(api, abi).iter().filter(|(constant, _)| !constant.is_handle())
    {
        out.push_str(&parameter(constant, *value));
    }
    for handle in HANDLES {
        out.push_str(&format!(
            "\n  TYPE, BIND(C) :: {handle}\n    INTEGER :: MPI_VAL\n  END TYPE {handle}\n"
        ));
    }
    let (before, after) = match abi {
        Abi::Standard => ("", "    INTEGER, PRIVATE :: internal(5)\n"),
        Abi::Mpich => ("    INTEGER, PRIVATE :: internal(2)\n", ""),
        Abi::Openmpi => unreachable!("programs of this ABI use Open MPI's headers and modules"),
    };
    out.push_str(&format!(
        "\n  TYPE, BIND(C) :: MPI_Status\n{before}    INTEGER :: MPI_SOURCE\n    INTEGER :: \
         MPI_TAG\n    INTEGER :: MPI_ERROR\n{after}  END TYPE MPI_Status\n"
    ));
    for (operator, name) in [("==", "eq"), ("/=", "ne")] {
        out.push_str(&format!("\n  INTERFACE OPERATOR({operator})\n"));
        for handle in HANDLES {
            let function = format!("nemesis_{}_{name}", handle[4..].to_lowercase());
            out.push_str(&format!(
                "    FUNCTION {function}(a, b) RESULT(holds)\n      IMPORT\n      TYPE({handle}), \
                 INTENT(IN) :: a, b\n      LOGICAL :: holds\n    END FUNCTION {function}\n"
            ));
        }
        out.push_str("  END INTERFACE\n");
    }
    out.push_str(&sizeof());
    out.push_str("END MODULE nemesis_mpi_base\n\n");
    out
}

fn parameter(constant: &Constant, value: i64) -> String {
    let ctype = type_of(constant);
    format!("  {ctype}, PARAMETER :: {} = {}\n", constant.name, literal(constant, value))
}

/// MPI_SIZEOF, whose descriptor tells the size.
fn sizeof() -> String {
    let form = |name: &str, specific: &str, symbol: &str| {
        format!(
            "\n  INTERFACE {name}\n    SUBROUTINE {specific}(x, size, ierror) &\n        BIND(C, \
             NAME=\"{symbol}\")\n      IMPORT\n      TYPE(*), DIMENSION(..) :: x\n      INTEGER, \
             INTENT(OUT) :: size\n      INTEGER, OPTIONAL, INTENT(OUT) :: ierror\n    END \
             SUBROUTINE {specific}\n  END INTERFACE\n"
        )
    };
    form("MPI_Sizeof", "nemesis_sizeof", "mpi_sizeof_")
        + &form("PMPI_Sizeof", "nemesis_psizeof", "pmpi_sizeof_")
}

fn mpi(api: &Api, abi: Abi) -> String {
    let mut out = String::from("MODULE mpi\n  USE nemesis_mpi_base\n  IMPLICIT NONE\n  PUBLIC\n\n");
    for (constant, value) in constants(api, abi).iter().filter(|(constant, _)| constant.is_handle())
    {
        out.push_str(&parameter(constant, *value));
    }
    out.push_str("  LOGICAL, PARAMETER :: MPI_SUBARRAYS_SUPPORTED = .FALSE.\n");
    out.push_str("  LOGICAL, PARAMETER :: MPI_ASYNC_PROTECTS_NONBLOCKING = .FALSE.\n\n");
    for (name, ctype, dimensions) in ADDRESSES {
        out.push_str(&format!("  {ctype} :: {name}{dimensions}\n"));
    }
    for (block, names) in COMMONS {
        out.push_str(&format!("  COMMON /{block}/ {names}\n  SAVE /{block}/\n"));
    }
    for (name, _) in predefined_callbacks(api) {
        out.push_str(&format!("  EXTERNAL :: {name}\n"));
    }
    for function in procedures(api).filter(|function| in_f90(function)) {
        for is_profiling in [false, true] {
            let name = named(&function.name, is_profiling, false);
            if has_pointer_form(function) {
                let pointers = format!("{name}_CPTR");
                out.push_str(&format!("\n  INTERFACE {name}\n"));
                out.push_str(&f90_body(function, &name, false));
                out.push_str(&f90_body(function, &pointers, true));
            } else {
                out.push_str("\n  INTERFACE\n");
                out.push_str(&f90_body(function, &name, false));
            }
            out.push_str("  END INTERFACE\n");
        }
    }
    for name in ["MPI_F_sync_reg", "PMPI_F_sync_reg"] {
        out.push_str(&format!(
            "\n  INTERFACE\n    SUBROUTINE {name}(buf)\n{}    END SUBROUTINE {name}\n  END \
             INTERFACE\n",
            unchecked("buf", "")
        ));
    }
    out.push_str("END MODULE mpi\n");
    out + &extensions("mpi_ext", "mpi")
}

/// A module by which programs that were written for Open MPI name the extensions. They are in the
/// module itself.
fn extensions(name: &str, of: &str) -> String {
    format!("\nMODULE {name}\n  USE {of}\n  IMPLICIT NONE\n  PUBLIC\nEND MODULE {name}\n")
}

/// The name of a procedure or its profiling form.
fn named(name: &str, is_profiling: bool, is_specific: bool) -> String {
    if is_profiling { profiling(name, is_specific) } else { name.into() }
}

/// The declaration of a choice buffer that is passed by its address.
fn unchecked(name: &str, attributes: &str) -> String {
    format!(
        "      !GCC$ ATTRIBUTES NO_ARG_CHECK :: {name}\n      !DIR$ IGNORE_TKR {name}\n      \
         TYPE(*), DIMENSION(*){attributes} :: {name}\n"
    )
}

/// The interface of a procedure of `mpi`. `pointers`: the form with C_PTR.
fn f90_body(function: &Function, name: &str, pointers: bool) -> String {
    let mut declared = String::new();
    for param in parameters(function) {
        let variable = param.name();
        match param.standard_kind() {
            "BUFFER" | "C_BUFFER2" => declared.push_str(&unchecked(variable, "")),
            "FUNCTION" | "POLYFUNCTION" => {
                declared.push_str(&format!("      EXTERNAL :: {variable}\n"));
            }
            _ => {
                let is_pointer = pointers && param.standard_kind() == "C_BUFFER";
                let ctype = fortran_type(param, is_pointer);
                let dimensions = dimensions(param, false);
                declared.push_str(&format!("      {ctype} :: {variable}{dimensions}\n"));
            }
        }
    }
    if has_ierror(function) {
        declared.push_str("      INTEGER :: ierror\n");
    }
    let import = match pointers {
        true => "      USE, INTRINSIC :: ISO_C_BINDING, ONLY: C_PTR\n      IMPORT\n",
        false => "      IMPORT\n",
    };
    body(function, name, "", &(import.to_owned() + &declared))
}

/// The interface of a procedure: its head, its declarations and its end.
fn body(function: &Function, name: &str, suffix: &str, declared: &str) -> String {
    let mut arguments: Vec<String> =
        parameters(function).map(|param| param.name().to_owned()).collect();
    if has_ierror(function) {
        arguments.push("ierror".into());
    }
    if function.direct {
        let ctype = match function.ret.as_str() {
            "double" => "DOUBLE PRECISION",
            _ => "INTEGER(KIND=MPI_ADDRESS_KIND)",
        };
        let start = format!("FUNCTION {name}(");
        let head = continued("    ", &start, &arguments, ") RESULT(returned)");
        return format!("{head}\n{declared}      {ctype} :: returned\n    END FUNCTION {name}\n");
    }
    let start = format!("SUBROUTINE {name}(");
    let head = continued("    ", &start, &arguments, ")");
    format!("{head}{suffix}\n{declared}    END SUBROUTINE {name}\n")
}

/// The constants of `mpi_f08` that are known by their addresses: name, type, and name in C.
const VARIABLES: [(&str, &str, &str); 10] = [
    ("MPI_BOTTOM", "INTEGER(C_INT)", "bottom"),
    ("MPI_IN_PLACE", "INTEGER(C_INT)", "in_place"),
    ("MPI_BUFFER_AUTOMATIC", "INTEGER(C_INT)", "buffer_automatic"),
    ("MPI_STATUS_IGNORE", "TYPE(MPI_Status)", "status_ignore"),
    ("MPI_STATUSES_IGNORE(1)", "TYPE(MPI_Status)", "statuses_ignore"),
    ("MPI_ERRCODES_IGNORE(1)", "INTEGER(C_INT)", "errcodes_ignore"),
    ("MPI_ARGV_NULL(1)", "CHARACTER(KIND=C_CHAR)", "argv_null"),
    ("MPI_ARGVS_NULL(1,1)", "CHARACTER(KIND=C_CHAR)", "argvs_null"),
    ("MPI_UNWEIGHTED(1)", "INTEGER(C_INT)", "unweighted"),
    ("MPI_WEIGHTS_EMPTY(1)", "INTEGER(C_INT)", "weights_empty"),
];

/// Returns the symbol of a variable: in MPICH's ABI that of MPICH's library, so that the libraries
/// know programs of either.
fn variable_symbol(name: &str, abi: Abi) -> String {
    match name {
        _ if abi == Abi::Standard => format!("nemesis_f08_{name}"),
        "bottom" | "in_place" => format!("MPIR_F08_MPI_{}", name.to_uppercase()),
        "status_ignore" | "statuses_ignore" => {
            format!("MPIR_F08_MPI_{}_OBJ", name.to_uppercase())
        }
        "buffer_automatic" => "nemesis_f08_buffer_automatic".into(),
        _ => format!("__mpi_f08_link_constants_MOD_mpi_{name}"),
    }
}

fn mpi_f08(api: &Api, abi: Abi) -> String {
    let mut out = format!(
        "! {MARK}\n\nMODULE mpi_f08\n  USE, INTRINSIC :: ISO_C_BINDING, ONLY: C_PTR, C_INT, \
         C_CHAR\n  USE nemesis_mpi_base\n  IMPLICIT NONE\n  PUBLIC\n  PRIVATE :: C_PTR, C_INT, \
         C_CHAR\n\n"
    );
    for (constant, value) in constants(api, abi).iter().filter(|(constant, _)| constant.is_handle())
    {
        let (handle, name) =
            (constant.ctype.as_deref().expect("a handle has a type"), &constant.name);
        out.push_str(&format!("  TYPE({handle}), PARAMETER :: {name} = {handle}({value})\n"));
    }
    out.push_str("  LOGICAL, PARAMETER :: MPI_SUBARRAYS_SUPPORTED = .TRUE.\n");
    out.push_str("  LOGICAL, PARAMETER :: MPI_ASYNC_PROTECTS_NONBLOCKING = .TRUE.\n\n");
    for (name, ctype, symbol) in VARIABLES {
        let symbol = variable_symbol(symbol, abi);
        out.push_str(&format!("  {ctype}, BIND(C, NAME=\"{symbol}\"), TARGET :: {name}\n"));
    }
    out.push_str("\n  ABSTRACT INTERFACE\n");
    for callback in api.callbacks.iter().filter(|callback| is_callback(callback)) {
        out.push_str(&callback_body(callback));
    }
    out.push_str("  END INTERFACE\n\n");
    for (name, ctype) in predefined_callbacks(api) {
        out.push_str(&format!("  PROCEDURE({ctype}) :: {name}\n"));
    }
    for function in procedures(api) {
        out.push_str(&f08_interfaces(api, abi, function));
    }
    for (name, specific) in
        [("MPI_F_sync_reg", "MPI_F_sync_reg_f08ts"), ("PMPI_F_sync_reg", "PMPIR_F_sync_reg_f08ts")]
    {
        out.push_str(&format!(
            "\n  INTERFACE {name}\n    SUBROUTINE {specific}(buf) &\n        BIND(C, \
             NAME=\"{}_\")\n      TYPE(*), DIMENSION(..), ASYNCHRONOUS :: buf\n    END SUBROUTINE \
             {specific}\n  END INTERFACE\n",
            specific.to_lowercase()
        ));
    }
    out.push_str("END MODULE mpi_f08\n");
    out + &extensions("mpi_ext_f08", "mpi_f08")
}

fn callback_body(callback: &Callback) -> String {
    let params = || callback.params.iter().filter(|param| !param.is_varargs());
    let mut arguments: Vec<String> = params().map(|param| param.name().to_owned()).collect();
    let mut declared = String::from("      IMPORT\n");
    for param in params() {
        let ctype = match param.standard_kind() {
            "C_BUFFER3" | "C_BUFFER4" => "TYPE(C_PTR), VALUE".to_owned(),
            _ => {
                let old =
                    matches!(callback.name.as_str(), "MPI_Copy_function" | "MPI_Delete_function");
                fortran_type(param, !old)
            }
        };
        declared.push_str(&format!("      {ctype} :: {}\n", param.name()));
    }
    if callback.ret == "int" {
        arguments.push("ierror".into());
        declared.push_str("      INTEGER :: ierror\n");
    }
    let name = &callback.name;
    let head = continued("    ", &format!("SUBROUTINE {name}("), &arguments, ")");
    format!("{head}\n{declared}    END SUBROUTINE {name}\n")
}

/// The interfaces of a procedure in `mpi_f08`, with its large-count form.
fn f08_interfaces(api: &Api, abi: Abi, function: &Function) -> String {
    if !function.f08 && in_f90(function) && function.abi == "both" {
        // The procedures that were deprecated before Fortran 2008 came: handles are INTEGERs.
        return [false, true]
            .map(|is_profiling| {
                let name = named(&function.name, is_profiling, false);
                format!("\n  INTERFACE\n{}  END INTERFACE\n", f90_body(function, &name, false))
            })
            .concat();
    }
    let is_overload = function.large_of.is_some() && !has_own_name(function);
    if !in_f08(api, function) || is_overload {
        return String::new();
    }
    let large = function.large.as_ref().map(|name| api.function(name));
    let large = large.filter(|large| in_f08(api, large) && !has_own_name(large));
    [false, true]
        .map(|is_profiling| {
            let mut out = format!("\n  INTERFACE {}\n", named(&function.name, is_profiling, false));
            out.push_str(&f08_body(abi, function, is_profiling));
            if let Some(large) = large {
                out.push_str(&f08_body(abi, large, is_profiling));
            }
            out + "  END INTERFACE\n"
        })
        .concat()
}

/// The declarations of a procedure's arguments as a manual page shows them.
pub fn declarations(function: &Function) -> String {
    let declared = arguments(function);
    let shown = declared.lines().filter(|line| !line.trim_start().starts_with('!'));
    shown.map(|line| format!("    {}\n", line.trim_start())).collect()
}

/// The declarations of a procedure's arguments in `mpi_f08`.
fn arguments(function: &Function) -> String {
    let mut declared = String::new();
    for param in parameters(function) {
        declared.push_str(&f08_declaration(function, param));
    }
    if has_ierror(function) {
        declared.push_str("      INTEGER, OPTIONAL, INTENT(OUT) :: ierror\n");
    }
    declared
}

fn f08_body(abi: Abi, function: &Function, is_profiling: bool) -> String {
    let name = named(&specific(function), is_profiling, true);
    let declared = String::from("      IMPORT\n") + &arguments(function);
    // Procedures of MPICH's module get the descriptors of the compiler's own procedures.
    let suffix = match takes_descriptors(function) && abi == Abi::Standard {
        true => format!(" &\n        BIND(C, NAME=\"{}_\")", name.to_lowercase()),
        false => String::new(),
    };
    body(function, &name, &suffix, &declared)
}

fn f08_declaration(function: &Function, param: &Param) -> String {
    let name = param.name();
    let mut attributes = match param.f08_intent() {
        "none" => String::new(),
        intent => format!(", INTENT({})", intent.to_uppercase()),
    };
    if param.is_asynchronous() {
        attributes.push_str(", ASYNCHRONOUS");
    }
    if is_choice(param) {
        return match takes_descriptors(function) {
            true => format!("      TYPE(*), DIMENSION(..){attributes} :: {name}\n"),
            false => unchecked(name, &attributes),
        };
    }
    if matches!(param.standard_kind(), "FUNCTION" | "POLYFUNCTION") {
        let ctype = param.ctype().trim_end_matches('*');
        return format!("      PROCEDURE({ctype}) :: {name}\n");
    }
    let ctype = fortran_type(param, true);
    format!("      {ctype}{attributes} :: {name}{}\n", dimensions(param, true))
}
