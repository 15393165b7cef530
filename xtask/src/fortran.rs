//! Fortran (MPI 5.0, chapter 19): the library's procedures, `mpif.h` and the sources of the
//! modules.
//!
//! The tables of C functions name the kinds of parameters, from which the types in Fortran follow.

mod calls;
mod constants;
mod library;
mod manual;
mod modules;
mod mpich;
mod mpif;
mod openmpi;

pub use manual::synopsis;
pub use mpich::symbols as mpich_symbols;
pub use openmpi::symbols as openmpi_symbols;

use crate::api::{Abi, Api, Callback, Function, HANDLES, Param};
use crate::output::File;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

/// Returns the committed files: the procedures of the library.
pub fn generate(api: &Api) -> Vec<File> {
    let mut files = library::generate(api);
    files.push(mpich::generate(api));
    files.push(openmpi::generate(api));
    files
}

/// Writes `mpif.h` and the sources of the modules for an ABI into a folder; `scripts/install` does
/// this.
pub fn write(api: &Api, abi: Abi, folder: &Path) -> ExitCode {
    let mut files = modules::generate(api, abi);
    files.push(mpif::generate(api, abi));
    write_files(files, folder)
}

/// Writes the programs that call every procedure; `scripts/test-fortran` does this.
pub fn write_calls(api: &Api, folder: &Path) -> ExitCode {
    write_files(calls::generate(api), folder)
}

fn write_files(files: Vec<File>, folder: &Path) -> ExitCode {
    std::fs::create_dir_all(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for file in files {
        let path = folder.join(&file.path);
        std::fs::write(&path, file.text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    ExitCode::SUCCESS
}

/// Functions of MPICH's ABI that are Fortran procedures.
const STATUS_COPIES: [&str; 2] = ["MPI_Status_f082f", "MPI_Status_f2f08"];

/// Returns the procedures of Fortran, but for `MPI_Sizeof` and `MPI_F_sync_reg`.
fn procedures(api: &Api) -> impl Iterator<Item = &Function> {
    api.functions.iter().filter(|function| {
        let name = function.name.as_str();
        let is_c = function.abi == "both" || STATUS_COPIES.contains(&name);
        is_c && !function.is_tool() && (in_f08(api, function) || in_f90(function))
    })
}

/// Returns true for a procedure of `mpi_f08`. A large-count form whose Fortran types are those of
/// the plain form has no specific procedure (MPI 5.0 §19.2).
fn in_f08(api: &Api, function: &Function) -> bool {
    if STATUS_COPIES.contains(&function.name.as_str()) {
        return true;
    }
    let differs = |plain: &String| {
        let plain = api.function(plain);
        has_own_name(function) || shape(function) != shape(plain)
    };
    function.f08 && function.large_of.as_ref().is_none_or(differs)
}

/// Returns what distinguishes overloads: arrays, and integers of 8 bytes from those of 4.
fn shape(function: &Function) -> Vec<(bool, bool)> {
    let types =
        parameters(function).map(|param| (is_array(param), integer_type(param) != "INTEGER"));
    types.collect()
}

/// Returns true for a procedure of `mpi`, and of `mpif.h` unless it takes a `TYPE(MPI_Status)`.
fn in_f90(function: &Function) -> bool {
    STATUS_COPIES.contains(&function.name.as_str()) || function.f90 && function.large_of.is_none()
}

fn in_mpif(function: &Function) -> bool {
    in_f90(function) && !STATUS_COPIES.contains(&function.name.as_str())
}

/// Returns true for large-count forms that are no overloads, because their functions would be
/// ambiguous.
fn has_own_name(function: &Function) -> bool {
    matches!(function.name.as_str(), "MPI_Op_create_c" | "MPI_Register_datarep_c")
}

/// Returns the parameters that the Fortran binding has, without the error code.
fn parameters(function: &Function) -> impl Iterator<Item = &Param> {
    function.params.iter().filter(|param| !param.is_c_only())
}

fn has_ierror(function: &Function) -> bool {
    !function.direct && function.name != "MPI_Pcontrol"
}

fn is_choice(param: &Param) -> bool {
    param.kind() == "BUFFER"
}

/// Returns true if the procedure of `mpi_f08` takes descriptors: it has choice buffers. Those with
/// CHARACTER arguments take addresses, because such an argument would be a descriptor, too; they
/// are blocking, so that the compiler may copy sections.
fn takes_descriptors(function: &Function) -> bool {
    function.params.iter().any(is_choice)
        && !function.params.iter().any(|param| param.ctype().contains("char"))
}

/// Returns the name of the specific procedure of `mpi_f08`: `MPI_Send_f08ts`.
fn specific(function: &Function) -> String {
    let suffix = if takes_descriptors(function) { "f08ts" } else { "f08" };
    format!("{}_{suffix}", function.name)
}

/// Returns the name of the profiling form: `PMPI_Send`, and `PMPIR_Send_f08ts` for a specific
/// procedure of `mpi_f08`. Of an extension it is `PMPIX_Comm_revoke` and `PMPIXR_Comm_revoke_f08`.
fn profiling(name: &str, is_specific: bool) -> String {
    let (start, rest) = name.split_once('_').unwrap_or((name, ""));
    format!("P{start}{}_{rest}", if is_specific { "R" } else { "" })
}

fn handle_of(param: &Param) -> Option<&'static str> {
    let base = param.ctype().trim_start_matches("const ").trim_end_matches(['*', '[', ']']);
    HANDLES.into_iter().find(|handle| *handle == base)
}

fn is_array(param: &Param) -> bool {
    param.standard_kind() != "STRING"
        && (param.ctype().contains("[]")
            || param.ctype().contains("MPI_Status") && param.len().is_some())
}

/// Returns the type of an integer or a real parameter.
fn integer_type(param: &Param) -> String {
    let base = param.ctype().trim_start_matches("const ").trim_end_matches(['*', '[', ']', '3']);
    let kind = match base {
        "MPI_Aint" => "MPI_ADDRESS_KIND",
        "MPI_Count" => "MPI_COUNT_KIND",
        "MPI_Offset" => "MPI_OFFSET_KIND",
        _ => return "INTEGER".into(),
    };
    format!("INTEGER(KIND={kind})")
}

/// Returns the type of a parameter in `mpi` and `mpif.h`, or in `mpi_f08`, without its dimensions.
fn fortran_type(param: &Param, f08: bool) -> String {
    let handle = |name: &str| if f08 { format!("TYPE({name})") } else { "INTEGER".to_owned() };
    if let Some(name) = handle_of(param) {
        return handle(name);
    }
    match param.standard_kind() {
        "STATUS" => handle("MPI_Status"),
        "F08_STATUS" => "TYPE(MPI_Status)".into(),
        "F90_STATUS" => "INTEGER".into(),
        "LOGICAL" | "LOGICAL_VOID" => "LOGICAL".into(),
        "STRING" | "STRING_ARRAY" | "STRING_2DARRAY" => "CHARACTER(LEN=*)".into(),
        "ATTRIBUTE_VAL" | "EXTRA_STATE" => "INTEGER(KIND=MPI_ADDRESS_KIND)".into(),
        "ATTRIBUTE_VAL_10" | "EXTRA_STATE2" => "INTEGER".into(),
        "C_BUFFER" | "C_BUFFER2" if f08 => "TYPE(C_PTR)".into(),
        "C_BUFFER" => "INTEGER(KIND=MPI_ADDRESS_KIND)".into(),
        _ => integer_type(param),
    }
}

/// Returns the dimensions of a parameter in `mpi` or in `mpi_f08`, with parentheses.
fn dimensions(param: &Param, f08: bool) -> &'static str {
    match (param.standard_kind(), is_array(param)) {
        ("STATUS", false) if !f08 => "(MPI_STATUS_SIZE)",
        ("STATUS", true) if !f08 => "(MPI_STATUS_SIZE,*)",
        ("F90_STATUS", _) => "(MPI_STATUS_SIZE)",
        ("STRING_2DARRAY", _) => "(count,*)",
        _ if param.ctype().ends_with("[][3]") => "(3,*)",
        (_, true) => "(*)",
        _ => "",
    }
}

/// Returns `start` and the words, in lines of free form Fortran with at most 80 columns.
fn continued(indent: &str, start: &str, words: &[String], end: &str) -> String {
    let mut text = format!("{indent}{start}");
    let mut column = text.len();
    for (index, word) in words.iter().enumerate() {
        let separator = if index + 1 == words.len() { "" } else { ", " };
        if column + word.len() + separator.len() + 2 > 80 {
            text.push_str(&format!("&\n{indent}    "));
            column = indent.len() + 4;
        }
        text.push_str(word);
        text.push_str(separator);
        column += word.len() + separator.len();
    }
    if column + end.len() > 80 {
        text.push_str(&format!("&\n{indent}    "));
    }
    text.push_str(end);
    text
}

/// Returns true for a type of functions that procedures of Fortran take.
fn is_callback(callback: &Callback) -> bool {
    !callback.name.starts_with("MPI_T_")
        && callback.name != "MPI_Handler_function"
        && callback.status != "extension"
}

/// Returns the predefined callbacks and their types, without the star.
fn predefined_callbacks(api: &Api) -> Vec<(&str, &str)> {
    let callbacks = api.constants.iter().filter(|constant| {
        constant.kind.starts_with("predefined callback") && constant.standard.is_some()
    });
    callbacks
        .map(|constant| {
            let ctype = constant.ctype.as_deref().expect("a callback has a type");
            (constant.name.as_str(), ctype.trim_end_matches('*'))
        })
        .collect()
}

/// Returns the names under which the library exports a procedure of `mpif.h`: as compilers spell
/// `MPI_SEND`.
fn spellings(name: &str) -> [String; 4] {
    let lower = name.to_lowercase();
    [format!("{lower}_"), format!("{lower}__"), lower, name.to_uppercase()]
}

/// Procedures that MPI 3.0 removed, which old programs call. No interface declares them.
const REMOVED: [&str; 10] = [
    "address",
    "errhandler_create",
    "errhandler_get",
    "errhandler_set",
    "type_extent",
    "type_hindexed",
    "type_hvector",
    "type_lb",
    "type_struct",
    "type_ub",
];

/// Returns the symbols of the removed procedures.
fn removed() -> impl Iterator<Item = String> {
    let names = REMOVED.iter().flat_map(|name| [format!("MPI_{name}"), format!("PMPI_{name}")]);
    names.flat_map(|name| spellings(&name))
}

/// Returns all symbols that the library for the standard ABI must export.
pub fn symbols(api: &Api) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = library::OBJECTS.map(String::from).into();
    for function in procedures(api) {
        names.extend(library::f90_names(function));
        names.extend(library::f08_names(api, function));
    }
    for name in ["MPI_F_sync_reg", "PMPI_F_sync_reg"] {
        names.extend(spellings(name));
    }
    for (name, _) in predefined_callbacks(api) {
        names.extend(spellings(name));
    }
    names.extend(removed());
    names.extend(
        ["mpi_sizeof_", "pmpi_sizeof_", "mpi_f_sync_reg_f08ts_", "pmpir_f_sync_reg_f08ts_"]
            .map(String::from),
    );
    for handle in HANDLES {
        let kind = handle[4..].to_lowercase();
        names.extend([format!("nemesis_{kind}_eq_"), format!("nemesis_{kind}_ne_")]);
    }
    names
}
