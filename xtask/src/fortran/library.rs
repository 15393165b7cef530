//! The procedures of the library: `crates/capi/fortran/src/binding`, and the declarations of the C
//! functions that they call.

use super::mpich::large_name;
use super::openmpi::f08_names as openmpi_f08;
use super::{
    handle_of, has_ierror, in_f08, in_f90, in_mpif, is_choice, parameters, procedures, profiling,
    specific, spellings, takes_descriptors,
};
use crate::api::{Abi, Api, Function, Param};
use crate::output::File;
use std::collections::BTreeMap;
use std::fmt::Write;

const FOLDER: &str = "crates/capi/fortran/src";
pub const MPICH_FOLDER: &str = "crates/capi/fortran-mpich/src";
pub const OPENMPI_FOLDER: &str = "crates/capi/fortran-openmpi/src";

/// The objects that constants of Fortran are known by.
pub const OBJECTS: [&str; 21] = [
    "mpifcmb5_",
    "mpifcmb9_",
    "mpifcmba_",
    "mpipriv1_",
    "mpipriv2_",
    "mpiprivc_",
    "nemesis_f08_argv_null",
    "nemesis_f08_argvs_null",
    "nemesis_f08_bottom",
    "nemesis_f08_buffer_automatic",
    "nemesis_f08_errcodes_ignore",
    "nemesis_f08_in_place",
    "nemesis_f08_status_ignore",
    "nemesis_f08_statuses_ignore",
    "nemesis_f08_unweighted",
    "nemesis_f08_weights_empty",
    "nemesis_fortran_double_bytes",
    "nemesis_fortran_false",
    "nemesis_fortran_integer_bytes",
    "nemesis_fortran_real_bytes",
    "nemesis_fortran_true",
];

/// C functions that code written by hand calls, beside those of the same procedures.
const CALLED_BY_HAND: [&str; 9] = [
    "MPI_Abi_set_fortran_booleans",
    "MPI_Pack_c",
    "MPI_Type_contiguous_c",
    "MPI_Type_create_hindexed_c",
    "MPI_Type_create_hvector_c",
    "MPI_Type_create_struct_c",
    "MPI_Type_get_extent_c",
    "MPI_Type_get_true_extent_c",
    "MPI_Type_size_c",
];

/// Constants of C that the library uses.
const CONSTANTS: [&str; 18] = [
    "MPI_BOTTOM",
    "MPI_IN_PLACE",
    "MPI_BUFFER_AUTOMATIC",
    "MPI_UNWEIGHTED",
    "MPI_WEIGHTS_EMPTY",
    "MPI_UNDEFINED",
    "MPI_COMM_NULL",
    "MPI_COMM_SELF",
    "MPI_DATATYPE_NULL",
    "MPI_INFO_NULL",
    "MPI_PACKED",
    "MPI_ERR_BUFFER",
    "MPI_CART",
    "MPI_GRAPH",
    "MPI_DIST_GRAPH",
    "MPI_COMBINER_NAMED",
    "MPI_REQUEST_NULL",
    "MPI_STATUS_IGNORE",
];

/// Functions that take a subroutine of the program, which in some ABIs is called in another way
/// than a function of C. Each library has its own.
const REGISTERING: [&str; 6] = [
    "MPI_Comm_create_errhandler",
    "MPI_File_create_errhandler",
    "MPI_Op_create",
    "MPI_Op_create_c",
    "MPI_Session_create_errhandler",
    "MPI_Win_create_errhandler",
];

/// Constants that only array sections need.
const OF_SECTIONS: [&str; 6] = [
    "MPI_COMM_SELF",
    "MPI_DATATYPE_NULL",
    "MPI_PACKED",
    "MPI_ERR_BUFFER",
    "MPI_COMBINER_NAMED",
    "MPI_REQUEST_NULL",
];

/// Returns the path of the hand-written implementation of a procedure.
fn by_hand(name: &str) -> Option<String> {
    let module = match name {
        "MPI_Comm_create_keyval"
        | "MPI_Type_create_keyval"
        | "MPI_Win_create_keyval"
        | "MPI_Comm_get_attr"
        | "MPI_Type_get_attr"
        | "MPI_Win_get_attr"
        | "MPI_Comm_set_attr"
        | "MPI_Type_set_attr"
        | "MPI_Win_set_attr"
        | "MPI_Keyval_create"
        | "MPI_Attr_get"
        | "MPI_Attr_put" => "attributes",
        "MPI_Grequest_start" | "MPI_Register_datarep" | "MPI_Register_datarep_c" => "functions",
        "MPI_Comm_spawn" | "MPI_Comm_spawn_multiple" => "spawn",
        "MPI_Status_f082f" | "MPI_Status_f2f08" => return Some("others::status_copy".into()),
        _ => return None,
    };
    Some(format!("{module}::{}", own_name(name)))
}

fn own_name(name: &str) -> String {
    name.trim_start_matches("MPIX_").trim_start_matches("MPI_").to_lowercase()
}

/// Returns the procedures of `mpi` whose C_PTR forms have names of their own.
pub fn has_pointer_form(function: &Function) -> bool {
    in_f90(function) && function.params.iter().any(|param| param.standard_kind() == "C_BUFFER")
}

/// Returns the symbols of a procedure for `mpif.h` and `mpi`.
pub fn f90_names(function: &Function) -> Vec<String> {
    if !in_f90(function) {
        return Vec::new();
    }
    let mut names = Vec::new();
    for name in [function.name.clone(), profiling(&function.name, false)] {
        if in_mpif(function) {
            names.extend(spellings(&name));
        } else {
            names.push(format!("{}_", name.to_lowercase()));
        }
        if has_pointer_form(function) {
            names.push(format!("{}_cptr_", name.to_lowercase()));
        }
    }
    names
}

/// Returns the symbols of a procedure for `mpi_f08`.
pub fn f08_names(api: &Api, function: &Function) -> Vec<String> {
    if !in_f08(api, function) {
        return Vec::new();
    }
    let name = specific(function);
    [name.clone(), profiling(&name, true)].map(|name| format!("{}_", name.to_lowercase())).into()
}

pub fn generate(api: &Api) -> Vec<File> {
    let mut areas: BTreeMap<&str, String> = BTreeMap::new();
    for function in procedures(api) {
        let area = match function.area.as_str() {
            "extern" => "external",
            "coll" if function.name.contains("eighbor") => "coll_neighbor",
            "coll" if function.op.contains("blocking") && function.op != "blocking" => {
                "coll_nonblocking"
            }
            "coll" if function.op != "blocking" => "coll_persistent",
            "pt2pt" if function.params.iter().any(is_choice) => "pt2pt_buffers",
            "io" if function.name.contains("read") => "io_read",
            "io" if function.name.contains("write") => "io_write",
            area => area,
        };
        areas.entry(area).or_default().push_str(&procedure(api, function));
    }
    let modules: Vec<String> = areas.keys().map(|area| format!("mod {area};")).collect();
    let text = format!(
        "//! The procedures, by area.\n\n#![allow(clippy::undocumented_unsafe_blocks)]\n\
         #![allow(clippy::macro_metavars_in_unsafe)]\n\n{}\n",
        modules.join("\n")
    );
    let mut files = vec![File::rust(&format!("{FOLDER}/binding/mod.rs"), &text)];
    for (area, text) in areas {
        let text = format!(
            "//! The procedures: {area}.\n//!\n//! Every call is unsafe in the way of the C \
             functions: the caller promises what the\n//! standard asks of each argument.\n\n\
             use crate::prelude::*;\n{text}"
        );
        files.push(File::rust(&format!("{FOLDER}/binding/{area}.rs"), &text));
    }
    files.push(declarations(api));
    files.push(constants(api, Abi::Standard, FOLDER));
    files.push(constants(api, Abi::Mpich, MPICH_FOLDER));
    files.push(constants(api, Abi::Openmpi, OPENMPI_FOLDER));
    files
}

/// Returns the types of handles and the constants of an ABI.
fn constants(api: &Api, abi: Abi, folder: &str) -> File {
    let mut out = String::from(
        "//! The handles and the constants of the C library.\n\n\
         use std::ffi::c_int;\n\n",
    );
    out.push_str(match abi {
        Abi::Standard => {
            "/// A handle. Its low 32 bits are the handle in Fortran (`MPI_Comm_toint`).\n\
             pub type Handle = usize;\n/// A handle of a file.\npub type File = usize;\n\n"
        }
        Abi::Mpich => {
            "/// A handle, which is the handle in Fortran.\npub type Handle = c_int;\n\
             /// A handle of a file, which has a number in Fortran (`MPI_File_c2f`).\n\
             pub type File = *mut std::ffi::c_void;\n\n"
        }
        Abi::Openmpi => {
            "/// A handle, which has a number of its kind in Fortran.\n\
             pub type Handle = *mut std::ffi::c_void;\n\
             /// A handle of a file.\npub type File = Handle;\n\n"
        }
    });
    let mut objects = Vec::new();
    // Descriptors belong to the other ABIs.
    let used = |name: &&str| abi != Abi::Openmpi || !OF_SECTIONS.contains(name);
    for name in CONSTANTS.into_iter().filter(used) {
        let constant = api.constants.iter().find(|constant| constant.name == name);
        let constant = constant.unwrap_or_else(|| panic!("there is no {name}"));
        if let (Abi::Openmpi, Some(symbol)) = (abi, constant.openmpi_symbol()) {
            objects.push(symbol);
            let _ = writeln!(out, "pub const {name}: Handle = (&raw const {symbol}).cast_mut();");
            continue;
        }
        let standard = constant.standard_value().expect("a constant of every ABI");
        // The constants that are objects in MPICH's ABI have the standard's values.
        let value = match abi {
            Abi::Standard => standard,
            _ => constant.value(abi).unwrap_or(standard),
        };
        let ctype = match constant.ctype.as_deref() {
            Some("int") => "c_int",
            _ if constant.is_handle() => "Handle",
            _ => "usize",
        };
        // Addresses below zero are the highest ones.
        let value = match ctype {
            "usize" => format!("{}", value as u64),
            _ => value.to_string(),
        };
        let _ = writeln!(out, "pub const {name}: {ctype} = {value};");
    }
    if !objects.is_empty() {
        out.push_str("\n// The predefined objects of the C library.\nunsafe extern \"C\" {\n");
        for symbol in objects {
            let _ = writeln!(out, "    static {symbol}: std::ffi::c_void;");
        }
        out.push_str("}\n");
    }
    File::rust(&format!("{folder}/constants.rs"), &out)
}

/// Returns the declarations of the C functions, which the libraries of both ABIs share.
fn declarations(api: &Api) -> File {
    let mut out = String::from(
        "//! The functions of the C library with the types of their arguments, and the constants\n\
         //! of its ABI.\n\npub use crate::constants::*;\nuse std::ffi::{c_char, c_int, c_void};\n\
         \ncrate::c_functions! {\n",
    );
    let mut called: Vec<&Function> =
        procedures(api).filter(|function| function.area != "conv").collect();
    called.extend(CALLED_BY_HAND.map(|name| api.function(name)));
    called.sort_by_key(|function| &function.name);
    called.dedup_by_key(|function| &function.name);
    for function in called {
        let params = function.params.iter().filter(|param| !param.is_varargs());
        let types: Vec<String> = params.map(c_type).collect();
        let ret = match function.ret.as_str() {
            "double" => "f64",
            "MPI_Aint" => "isize",
            _ => "c_int",
        };
        let declared = format!("P{}({}) -> {ret};", function.name, types.join(", "));
        let _ = writeln!(out, "{}", wrapped(&declared, "    "));
    }
    out.push_str("}\n");
    File::rust(&format!("{FOLDER}/c.rs"), &out)
}

/// Returns an indented line, broken behind commas where it would have more than 100 columns.
/// rustfmt leaves the arguments of macros as they are.
fn wrapped(line: &str, indent: &str) -> String {
    let mut text = String::from(indent);
    let mut columns = text.len();
    for part in line.split_inclusive(", ") {
        if columns + part.trim_end().len() > 100 {
            text.truncate(text.trim_end().len());
            text.push_str("\n        ");
            columns = 8;
        }
        text.push_str(part);
        columns += part.len();
    }
    text
}

fn c_type(param: &Param) -> String {
    let ctype = param.ctype().trim_start_matches("const ");
    let base = ctype.trim_end_matches(['*', '[', ']', '3']);
    let stars = ctype.matches('*').count() + usize::from(ctype.contains("[]"));
    if base.ends_with("_function") || base.ends_with("_function_c") {
        return "*mut c_void".into();
    }
    let rust = match base {
        "int" => "c_int",
        "char" => "c_char",
        "void" | "MPI_Status" => "c_void",
        "MPI_Aint" => "isize",
        "MPI_Count" | "MPI_Offset" => "i64",
        "MPI_File" => "File",
        _ if handle_of(param).is_some() => "Handle",
        other => panic!("{}: no type for {other}", param.name()),
    };
    format!("{}{rust}", "*mut ".repeat(stars))
}

/// Returns the parameter's type in the signature of the procedure.
fn rust_type(param: &Param) -> &'static str {
    if handle_of(param).is_some() {
        return "*mut Fint";
    }
    let ctype = param.ctype().trim_start_matches("const ");
    match ctype.trim_end_matches(['*', '[', ']', '3']) {
        "MPI_Status" => "*mut Fint",
        "char" => "*mut c_char",
        "MPI_Aint" => "*mut isize",
        "MPI_Count" | "MPI_Offset" => "*mut i64",
        "int" => "*mut c_int",
        _ => "*mut c_void",
    }
}

fn is_string(param: &Param) -> bool {
    param.standard_kind() == "STRING"
}

fn signature(function: &Function, descriptors: bool) -> Vec<String> {
    let mut params: Vec<String> = parameters(function)
        .map(|param| match is_choice(param) && descriptors {
            true => format!("{}: *const Descriptor", param.name()),
            false => format!("{}: {}", param.name(), rust_type(param)),
        })
        .collect();
    if has_ierror(function) {
        params.push("ierror: *mut Fint".into());
    }
    let strings = parameters(function).filter(|param| is_string(param));
    params.extend(strings.map(|param| format!("{}_length: usize", param.name())));
    params
}

fn procedure(api: &Api, function: &Function) -> String {
    let mut out = String::from("\n");
    let own = own_name(&function.name);
    let f90 = f90_names(function);
    let f08 = f08_names(api, function);
    let descriptors = takes_descriptors(function);
    // The buffer that the call returns is an argument in mpi_f08 only.
    let returns_buffer = function.params.iter().any(|param| param.standard_kind() == "C_BUFFER2");
    let path = match by_hand(&function.name) {
        Some(path) => path,
        None => {
            if !f90.is_empty() || descriptors || !returns_buffer {
                out.push_str(&plain(function, &own, false));
            }
            own.clone()
        }
    };
    if returns_buffer {
        out.push_str(&plain(function, &format!("{own}_f08"), true));
    } else if descriptors && !f08.is_empty() {
        out.push_str(&with_descriptors(function, &own));
    }
    let separate = match (returns_buffer, descriptors) {
        (true, _) => Some(format!("{own}_f08")),
        (_, true) => Some(format!("{own}_f08ts")),
        _ => None,
    };
    let export = |by: &str, path: &str, names: &[String]| match names {
        [] => String::new(),
        _ => format!("{by}!({path}: {});\n", names.join(" ")),
    };
    out.push_str(&export("exports", &path, &f90));
    let plain = if returns_buffer { separate.as_deref() } else { None }.unwrap_or(&path);
    let path = separate.as_ref().unwrap_or(&path);
    if function.large_of.is_some() && !f08.is_empty() {
        let mpich: Vec<String> = f08.iter().map(|name| large_name(name)).collect();
        let names = format!("{}; {}", f08.join(" "), mpich.join(" "));
        out.push_str(&export("exports_large", path, &[names]));
    } else if !f08.is_empty() {
        let names = format!("{}; {plain}: {}", f08.join(" "), openmpi_f08(function).join(" "));
        out.push_str(&export("exports_f08", path, &[names]));
    }
    out
}

/// The statements of a call.
#[derive(Default)]
struct Call {
    before: Vec<String>,
    arguments: Vec<String>,
    after: Vec<String>,
}

/// Returns the procedure that takes addresses.
fn plain(function: &Function, own: &str, keeps_buffer: bool) -> String {
    let params = signature(function, false).join(", ");
    let mut call = Call::default();
    let result = match function.ret.as_str() {
        "double" => " -> f64",
        "MPI_Aint" => " -> isize",
        _ => "",
    };
    for param in function.params.iter().filter(|param| !param.is_varargs()) {
        convert(&mut call, function, param, keeps_buffer);
    }
    let by = match REGISTERING.contains(&function.name.as_str()) {
        true => format!("abi::{}", own_name(&function.name)),
        false => format!("c::P{}", function.name),
    };
    let invoke = format!("{by}({})", call.arguments.join(", "));
    let head = format!("{own}({params}){result};");
    if function.direct {
        return invocation("procedure", &head, [&invoke]);
    }
    let end = if has_ierror(function) { "finish(ierror, code);" } else { "let _ = code;" };
    let (invoke, end) = (format!("let code = {invoke};"), end.to_string());
    let statements = call.before.iter().chain([&invoke]).chain(&call.after).chain([&end]);
    invocation("procedure", &head, statements)
}

/// Returns the invocation of a macro that defines a procedure, with a line for each statement.
fn invocation<'a>(
    by: &str,
    head: &str,
    statements: impl IntoIterator<Item = &'a String>,
) -> String {
    let lines: String = statements.into_iter().map(|line| wrapped(line, "    ") + "\n").collect();
    format!("{by}! {{\n{}\n{lines}}}\n", wrapped(head, "    "))
}

/// Returns the number of handles in an array, as an expression.
fn length(function: &Function, param: &Param) -> String {
    match param.len().unwrap_or_default() {
        "indegree" => "sources(comm)".into(),
        "outdegree" => "destinations(comm)".into(),
        len if len.starts_with("comm_size") => "members(comm)".into(),
        len if parameters(function).any(|other| other.name() == len) => format!("(*{len}).wide()"),
        len => panic!("{}: no length {len}", function.name),
    }
}

/// Returns the name of the constant for a parameter's kind of handles.
fn kind(param: &Param) -> String {
    handle_of(param).expect("it is asked for handles")[4..].to_uppercase()
}

/// Returns the function that reads a handle of Fortran.
fn reading(param: &Param) -> String {
    match handle_of(param) {
        Some("MPI_File") => "types::file".into(),
        _ => format!("handle::<{}>", kind(param)),
    }
}

/// Returns the function that writes a handle of Fortran.
fn writing(param: &Param) -> &'static str {
    match handle_of(param) {
        Some("MPI_File") => "types::give_file",
        // Of calls that make requests, but not of those that complete them.
        Some("MPI_Request") if param.direction() == "out" => "give_request",
        _ => "give",
    }
}

fn convert(call: &mut Call, function: &Function, param: &Param, keeps_buffer: bool) {
    let name = param.name();
    let local = format!("{name}_c");
    let ctype = param.ctype();
    let is_scalar = !ctype.contains(['*', '[']);
    let mut argument = |text: String| call.arguments.push(text);
    if param.is_c_only() {
        argument(if is_scalar { "0".into() } else { "std::ptr::null_mut()".into() });
        return;
    }
    if handle_of(param).is_some() {
        if is_scalar {
            argument(format!("{}({name})", reading(param)));
        } else if ctype.contains("[]") {
            let length = length(function, param);
            let kind = kind(param);
            call.before
                .push(format!("let mut {local} = Handles::new::<{kind}>({name}, {length});"));
            call.arguments.push(format!("{local}.place()"));
            if !ctype.starts_with("const") {
                call.after.push(format!("{local}.give();"));
            }
        } else {
            let (read, give) = (reading(param), writing(param));
            call.before.push(format!("let mut {local} = {read}({name});"));
            call.arguments.push(format!("&mut {local}"));
            call.after.push(format!("{give}({name}, {local});"));
        }
        return;
    }
    match param.standard_kind() {
        "BUFFER" => argument(format!("places::buffer({name})")),
        "STATUS" if ctype.starts_with("const") => argument(format!("{name}.cast()")),
        "STATUS" => argument(format!("types::status({name})")),
        "WEIGHT" => argument(format!("places::weights({name})")),
        "LOGICAL_VOID" => argument(format!("{name}.cast()")),
        "LOGICAL" if !is_scalar && param.is_out() => logical_out(call, param),
        "STRING" => string(call, function, param),
        "C_BUFFER2" if !keeps_buffer => {
            call.before.push(format!("let _ = {name};"));
            call.before.push(format!("let mut {local}: *mut c_void = std::ptr::null_mut();"));
            call.arguments.push(format!("(&raw mut {local}).cast()"));
        }
        "INFO_VALUE_LENGTH" | "STRING_LENGTH" if param.direction() == "inout" => {
            // The string follows or precedes this length.
            let text = parameters(function).find(|other| is_string(other) && other.is_out());
            let text = text.expect("a length belongs to a string").name();
            if !call.before.iter().any(|line| line.contains(&format!("let mut {text}_c"))) {
                text_out(call, text);
            }
            call.before.push(format!("let mut {local} = length_for_c({name}, &{text}_c);"));
            call.arguments.push(format!("&mut {local}"));
            call.after.push(format!("if code == 0 {{ give_length({name}, {local}); }}"));
        }
        "INFO_VALUE_LENGTH" if is_scalar => {
            text_out(call, "value");
            call.arguments.push(format!("value_c.fitting(*{name})"));
        }
        _ if is_scalar => argument(format!("*{name}")),
        "INDEX" => {
            argument(name.into());
            index(call, function, name);
        }
        _ => argument(name.into()),
    }
}

fn logical_out(call: &mut Call, param: &Param) {
    let name = param.name();
    if param.ctype().contains("[]") {
        call.arguments.push(name.into());
        let length = param.len().expect("an array has a length");
        call.after.push(format!("logicals({name}, *{length});"));
    } else {
        call.before.push(format!("let mut {name}_c = 0;"));
        call.arguments.push(format!("&mut {name}_c"));
        call.after.push(format!("logical({name}, {name}_c);"));
    }
}

fn text_out(call: &mut Call, name: &str) {
    call.before.push(format!("let mut {name}_c = TextOut::new({name}, {name}_length);"));
}

fn string(call: &mut Call, function: &Function, param: &Param) {
    let name = param.name();
    if !param.is_out() {
        let read = if function.area == "info" && name != "datarep" { "inner_text" } else { "text" };
        call.before.push(format!("let {name}_c = {read}({name}, {name}_length);"));
        call.arguments.push(format!("{name}_c.place()"));
        return;
    }
    if !call.before.iter().any(|line| line.contains(&format!("let mut {name}_c"))) {
        text_out(call, name);
    }
    call.arguments.push(format!("{name}_c.place()"));
    // Without a value, or with a length of zero, the variable keeps its contents.
    let mut condition = String::from("code == 0");
    for other in parameters(function) {
        if other.name() == "flag" {
            condition.push_str(" && flag_c != 0");
        } else if other.direction() == "inout" && other.ctype() == "int*" {
            condition.push_str(&format!(" && *{} > 0", other.name()));
        }
    }
    // The lengths are written last, so this reads what the program offered.
    call.after.insert(0, format!("if {condition} {{ {name}_c.give(); }}"));
}

/// Adds what turns indices of C into those of Fortran (MPI 5.0 §19.3.5).
fn index(call: &mut Call, function: &Function, name: &str) {
    match function.name.as_str() {
        "MPI_Waitany" | "MPI_Testany" | "MPI_Request_get_status_any" => {
            call.before.push(format!("*{name} = c::MPI_UNDEFINED;"));
            call.after.push(format!("from_one({name});"));
        }
        "MPI_Waitsome" | "MPI_Testsome" | "MPI_Request_get_status_some" => {
            call.before.push("*outcount = 0;".into());
            call.after.push(format!("all_from_one(outcount, {name});"));
        }
        _ => {}
    }
}

/// How the procedure with descriptors passes a choice buffer on.
enum Way<'a> {
    /// The address alone: a section with gaps makes no sense here.
    Address,
    /// A copy of the section.
    Copy,
    /// A datatype of the section, for the count and the datatype with these names.
    Datatype(&'a Param, &'a Param),
    /// A copy that lives until the request is complete.
    Deferred,
    /// Only contiguous buffers, for the reason with this name.
    Contiguous(&'static str),
}

/// Returns true for a procedure that gives memory to MPI.
fn keeps_memory(function: &Function) -> bool {
    function.name.contains("_attach")
        || ["MPI_Win_create", "MPI_Win_create_c"].contains(&function.name.as_str())
}

fn way<'a>(function: &'a Function, index: usize) -> Way<'a> {
    match function.op.as_str() {
        _ if keeps_memory(function) => return Way::Contiguous("Memory"),
        "blocking" => return Way::Copy,
        "none"
            if matches!(
                own_name(&function.name).trim_end_matches("_c"),
                "pack" | "unpack" | "reduce_local"
            ) =>
        {
            return Way::Copy;
        }
        "none" | "split-end" => return Way::Address,
        _ if function.area == "rma" && !function.params.iter().any(|p| p.kind() == "COUNT") => {
            return Way::Address;
        }
        _ => {}
    }
    let is_reduction =
        function.area != "rma" && function.params.iter().any(|param| param.kind() == "OP");
    let next = (function.params.get(index + 1), function.params.get(index + 2));
    match next {
        (Some(count), Some(datatype))
            if count.kind() == "COUNT"
                && !count.ctype().contains('[')
                && datatype.ctype() == "MPI_Datatype"
                && !is_reduction
                && function.op != "partitioned-init" =>
        {
            Way::Datatype(count, datatype)
        }
        _ if matches!(function.op.as_str(), "nonblocking" | "persistent-init") => Way::Deferred,
        _ => Way::Contiguous("Parts"),
    }
}

/// Returns the procedure that takes descriptors and calls the one that takes addresses.
fn with_descriptors(function: &Function, own: &str) -> String {
    let params = signature(function, true).join(", ");
    let mut before: Vec<String> = Vec::new();
    let mut deferred: Vec<String> = Vec::new();
    let mut values: BTreeMap<&str, String> = BTreeMap::new();
    let owner = parameters(function).find_map(|param| match param.ctype() {
        "MPI_Comm" | "MPI_Win" | "MPI_File" => {
            Some(format!("Owner::{}({})", &param.ctype()[4..], param.name()))
        }
        _ => None,
    });
    let owner = owner.unwrap_or_else(|| "Owner::Process".into());
    for (index, param) in function.params.iter().enumerate().filter(|(_, p)| is_choice(p)) {
        let name = param.name();
        let mut bind = |made: String| {
            before.push(format!("let mut {name}_c = or_refuse!({made}, {owner}, ierror);"));
        };
        match way(function, index) {
            Way::Address => {
                values.insert(name, format!("(*{name}).base()"));
            }
            Way::Copy => {
                bind(format!("Copied::new({name}, {})", param.direction() != "in"));
                values.insert(name, format!("{name}_c.address()"));
            }
            Way::Datatype(count, datatype) => {
                bind(format!("Typed::new({name}, {}, {})", count.name(), datatype.name()));
                values.insert(name, format!("{name}_c.address()"));
                values.insert(count.name(), format!("{name}_c.count()"));
                values.insert(datatype.name(), format!("{name}_c.datatype()"));
            }
            Way::Deferred => {
                bind(format!("Deferred::new({name}, {})", param.direction() != "in"));
                values.insert(name, format!("{name}_c.address()"));
                deferred.push(format!("{name}_c"));
            }
            Way::Contiguous(reason) => {
                bind(format!("Contiguous::{reason}.address({name}, {:?})", function.name));
                let made = before.last_mut().expect("it was just made");
                *made = made.replacen("let mut ", "let ", 1);
                values.insert(name, format!("{name}_c"));
            }
        }
    }
    let mut arguments: Vec<String> = parameters(function)
        .map(|param| values.remove(param.name()).unwrap_or_else(|| param.name().into()))
        .collect();
    arguments.push("ierror".into());
    let after = (!deferred.is_empty())
        .then(|| format!("deferred::keep(request, [{}], ierror);", deferred.join(", ")));
    let buffers: Vec<&str> =
        parameters(function).filter(|param| is_choice(param)).map(Param::name).collect();
    let call = format!("{own}({});", arguments.join(", "));
    if before.is_empty() {
        return invocation("with_bases", &format!("{own}_f08ts({params});"), [&call]);
    }
    let head = format!("{own}_f08ts({params}) by {own}({});", buffers.join(", "));
    invocation("with_sections", &head, before.iter().chain([&call]).chain(&after))
}
