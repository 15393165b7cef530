//! The C entry points: for every function its two public names, the conversion of its arguments,
//! and how an error message shows them.
//!
//! An entry point is a use of the macro `binding!`, or of `direct!` for the few functions that
//! return a value; `crates/capi/src/binding.rs` defines both. All libraries have the same list;
//! those of MPICH's and Open MPI's ABI convert the arguments that differ.

use crate::api::{Abi, Api, Function, HANDLES, Missing, Param};
use crate::output::File;
use lengths::Length;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

mod foreign;
mod lengths;
mod standard;

pub fn generate(api: &Api) -> Vec<File> {
    let mut files = Vec::new();
    for (abi, folder, what) in [
        (Abi::Standard, "crates/capi/standard/src", "The bindings of the standard ABI"),
        (Abi::Mpich, "crates/capi/mpich/src", "The bindings of MPICH's ABI"),
        (Abi::Openmpi, "crates/capi/openmpi/src", "The bindings of Open MPI's ABI"),
    ] {
        let mut areas: BTreeMap<String, String> = BTreeMap::new();
        for function in api.exported(abi) {
            areas.entry(module(function)).or_default().push_str(&binding(api, function, abi));
        }
        let modules: Vec<String> = areas.keys().map(|area| format!("mod {area};")).collect();
        files.push(File::rust(
            &format!("{folder}/binding.rs"),
            &format!("//! {what}, by area.\n\n{}\n", modules.join("\n")),
        ));
        for (area, text) in areas {
            let text = format!("//! {what}: {area}.\n\nuse crate::prelude::*;\n{text}");
            files.push(File::rust(&format!("{folder}/binding/{area}.rs"), &text));
        }
    }
    files
}

/// Returns the file of a function's entry point: its area, and for areas with many functions also
/// its form or direction.
fn module(function: &Function) -> String {
    let area = function.area.as_str();
    match area {
        // `extern` is a keyword of Rust.
        "extern" => "external".into(),
        "coll" | "pt2pt" => {
            form(&function.name).map_or(area.into(), |form| format!("{area}_{form}"))
        }
        "io" if function.name.contains("read") => "io_read".into(),
        "io" if function.name.contains("write") => "io_write".into(),
        _ => area.into(),
    }
}

/// Returns the form of an operation, by its name; `None` is the blocking one.
fn form(name: &str) -> Option<&'static str> {
    let name = name.trim_end_matches("_c");
    match name {
        _ if name.contains("eighbor_") => Some("neighbor"),
        _ if name.ends_with("_init") => Some("persistent"),
        _ if name.contains("uffer") => Some("buffer"),
        _ if name.starts_with("MPI_I") => Some("nonblocking"),
        _ => None,
    }
}

/// A parameter and how it is passed to the implementation.
pub struct Argument<'a> {
    param: &'a Param,
    /// Whether the types of the plain and the large-count form differ, so that the implementation
    /// takes `i64`, `IntArray` or `CountOut`.
    differs: bool,
}

/// The function of a call, in the tables and in an ABI.
pub struct Context<'a> {
    api: &'a Api,
    function: &'a Function,
    abi: Abi,
    /// Whether the call is the first attempt of one with a fast path.
    is_first: bool,
}

impl Context<'_> {
    /// Returns the length of an array or a string of the function.
    fn length(&self, param: &Param) -> Length {
        lengths::length(self.api, param, self.function, self.abi)
    }
}

/// The steps of a converted call.
#[derive(Default)]
pub struct Call {
    /// Statements before the implementation.
    before: Vec<String>,
    /// Arguments of the implementation.
    arguments: Vec<String>,
    /// Of a first half: what is true if the values are equal in the two ABIs.
    same: Vec<String>,
    /// Statements after the implementation, whether it fails or not (statuses, requests).
    after: Vec<String>,
    /// Statements after an implementation that succeeds.
    after_success: Vec<String>,
}

fn binding(api: &Api, function: &Function, abi: Abi) -> String {
    let mut out = String::from("\n");
    if function.direct {
        direct(&mut out, function, abi);
        return out;
    }
    let arguments = arguments(api, function);
    let _ = writeln!(out, "binding! {{");
    let params: Vec<String> = arguments
        .iter()
        .filter(|argument| !argument.param.is_varargs())
        .map(|argument| {
            let param = argument.param;
            format!("{}: {} as {}", param.name(), c_type(param.ctype(), abi), shown_as(param))
        })
        .collect();
    out.push_str(&lines(&format!("    {0} P{0}(", function.name), &params, ")\n"));
    let _ = writeln!(out, "    on {} =>", raise(function, abi));
    let call = match api.missing(function) {
        _ if is_status_copy(function) => {
            format!(
                "    {{ crate::fortran::copy_status(In::new({}.cast()), Out::new({}.cast())) }}\n",
                function.params[0].name(),
                function.params[1].name()
            )
        }
        Some(Missing { reason, advice }) => {
            let arguments = format!("            {reason:?},\n            {advice:?},\n");
            format!("    {{\n        missing(\n{arguments}        )\n    }}\n")
        }
        None => block(api, function, &arguments, abi),
    };
    out.push_str(&call);
    out.push_str("}\n");
    out
}

/// Returns true for the conversions between the statuses of C and Fortran.
fn is_status_copy(function: &Function) -> bool {
    function.area == "conv" && function.name.starts_with("MPI_Status_")
}

/// Implementations with a fast path, one for lanes and a slow path: see
/// `crates/capi/src/impls/pt2pt.rs`.
const FAST_IMPLS: [&str; 5] = ["send", "isend", "recv", "irecv", "wait"];

/// Returns the call of the implementation: its fast paths and its slow path, if it has any.
fn block(api: &Api, function: &Function, arguments: &[Argument], abi: Abi) -> String {
    let implementation = impl_name(api.impl_of(function));
    let context = |is_first| Context { api, function, abi, is_first };
    let call = converted(arguments, &context(false));
    if FAST_IMPLS.contains(&implementation.as_str()) {
        let first = converted(arguments, &context(true));
        return format!(
            "    first\n{}    in_lane\n{}    rest\n{}",
            first_block(&first, &format!("{implementation}_first")),
            first_block(&first, &format!("{implementation}_in_lane")),
            whole_block(&call, &format!("{implementation}_rest"))
        );
    }
    whole_block(&call, &implementation)
}

/// Converts the arguments of a call.
fn converted(arguments: &[Argument], context: &Context) -> Call {
    let mut call = Call::default();
    let (api, function) = (context.api, context.function);
    let absent = absent_arguments(api, function);
    for argument in arguments.iter().filter(|argument| !argument.param.is_varargs()) {
        match context.abi {
            Abi::Standard => standard::convert(&mut call, argument, context),
            Abi::Mpich | Abi::Openmpi => foreign::convert(&mut call, argument, context),
        }
    }
    for (index, value) in absent {
        call.arguments.insert(index, value.into());
    }
    if needs_form(api, function) {
        call.arguments
            .push(if function.large_of.is_some() { "Form::Large" } else { "Form::Plain" }.into());
    }
    call
}

/// Writes the beginning of a block and returns the call of the implementation.
fn begin(text: &mut String, call: &Call, implementation: &str) -> String {
    text.push_str("    {\n");
    for line in &call.before {
        let _ = writeln!(text, "        {line}");
    }
    let indent = if call.same.is_empty() { "        " } else { "            " };
    lines(&format!("{indent}impls::{implementation}("), &call.arguments, ")")
}

/// Returns the block of a fast path. It declines values that must be converted, so that those of
/// the program need no second register. Results are left where it has completed the call, in the
/// way of fast paths, which has no development checks.
fn first_block(call: &Call, implementation: &str) -> String {
    let mut text = String::new();
    let mut invoke = begin(&mut text, call, implementation);
    if !call.same.is_empty() {
        let same = call.same.join(" && ");
        let declined = "        } else {\n            Fast::Declined\n        }";
        invoke = format!("        if {same} {{\n{invoke}\n{declined}");
    }
    if call.after.is_empty() && call.after_success.is_empty() {
        let _ = writeln!(text, "{invoke}\n    }}");
        return text;
    }
    let _ = writeln!(text, "        let outcome = {};", invoke.trim_start());
    text.push_str("        if let Fast::Done(()) = outcome {\n");
    for line in call.after.iter().chain(&call.after_success) {
        let _ = writeln!(text, "            {}", line.replace(".leave(from", ".leave_fast(from"));
    }
    text.push_str("        }\n        outcome\n    }\n");
    text
}

fn whole_block(call: &Call, implementation: &str) -> String {
    let mut text = String::new();
    let invoke = begin(&mut text, call, implementation);
    match (call.after.is_empty(), call.after_success.is_empty()) {
        (true, true) => text.push_str(&format!("{invoke}\n")),
        (true, false) => text.push_str(&format!("{invoke}?;\n")),
        (false, _) => text.push_str(&format!("        let outcome = {};\n", invoke.trim_start())),
    }
    for line in &call.after {
        let _ = writeln!(text, "        {line}");
    }
    match (call.after.is_empty(), call.after_success.is_empty()) {
        (true, true) => {}
        (false, true) => text.push_str("        outcome\n"),
        (some_after, false) => {
            if !some_after {
                text.push_str("        outcome?;\n");
            }
            for line in &call.after_success {
                let _ = writeln!(text, "        {line}");
            }
            text.push_str("        Ok(())\n");
        }
    }
    text.push_str("    }\n");
    text
}

fn arguments<'a>(api: &'a Api, function: &'a Function) -> Vec<Argument<'a>> {
    let differing = differing(api, function);
    let renamed = function.params.len() == api.impl_of(function).params.len();
    let implementation = &api.impl_of(function).params;
    function
        .params
        .iter()
        .enumerate()
        .map(|(index, param)| {
            let name = if renamed { implementation[index].name() } else { param.name() };
            Argument { param, differs: differing.contains(name) }
        })
        .collect()
}

/// Returns the parameters whose types differ between the two forms of the function, by the names of
/// the plain form.
fn differing<'a>(api: &'a Api, function: &'a Function) -> BTreeSet<&'a str> {
    let plain = api.impl_of(function);
    let Some(large) = plain.large.as_ref().map(|name| api.function(name)) else {
        return BTreeSet::new();
    };
    let differs = |param: &&Param| {
        plain
            .params
            .iter()
            .find(|p| p.name() == param.name())
            .is_none_or(|p| p.ctype() != param.ctype())
    };
    large.params.iter().filter(differs).map(|param| param.name()).collect()
}

/// Returns what the plain form passes for parameters that only the large-count form has, as (index
/// in the implementation's list, value).
fn absent_arguments(api: &Api, function: &Function) -> Vec<(usize, &'static str)> {
    if function.large_of.is_some() {
        return Vec::new();
    }
    let Some(large) = function.large.as_ref().map(|name| api.function(name)) else {
        return Vec::new();
    };
    let here = |param: &Param| function.params.iter().any(|p| p.name() == param.name());
    let absent = large.params.iter().enumerate().filter(|(_, param)| !here(param));
    absent
        .map(|(index, param)| match param.ctype() {
            "MPI_Count" => (index, "-1"),
            "MPI_Count*" => (index, "CountOut::Absent"),
            "MPI_Count[]" => (index, "OutSlice::null()"),
            other => panic!("{}: no value for an absent {other}", function.name),
        })
        .collect()
}

/// Returns true if the implementation needs the form of the call: the envelope of a new datatype
/// has the form of the call that made it (MPI 5.0 §5.1.13).
fn needs_form(api: &Api, function: &Function) -> bool {
    let makes_a_type = |param: &Param| param.ctype() == "MPI_Datatype*" && param.is_out();
    api.impl_of(function).large.is_some() && function.params.iter().any(makes_a_type)
}

/// Returns the name of the implementation: `comm_split` for `MPI_Comm_split`. Three implementations
/// have longer names, because theirs would be ambiguous.
pub fn impl_name(function: &Function) -> String {
    match function.name.as_str() {
        "MPI_Put" => "win_put".into(),
        "MPI_Get" => "win_get".into(),
        "MPIX_Grequest_start" => "grequest_start_polled".into(),
        name => name.trim_start_matches("MPIX_").trim_start_matches("MPI_").to_lowercase(),
    }
}

/// Returns the Rust signature that the implementation of a function must have.
pub fn body_signature(api: &Api, function: &Function) -> String {
    let plain = api.impl_of(function);
    let shape = plain.large.as_ref().map_or(plain, |name| api.function(name));
    let context = Context { api, function: shape, abi: Abi::Standard, is_first: false };
    let mut params: Vec<String> = arguments(api, shape)
        .iter()
        .filter(|argument| !argument.param.is_varargs())
        .map(|argument| {
            format!("{}: {}", argument.param.name(), standard::parameter_type(argument, &context))
        })
        .collect();
    if needs_form(api, function) {
        params.push("form: Form".into());
    }
    let ret = if plain.direct { rust_type(&plain.ret, Abi::Standard) } else { "Outcome".into() };
    format!("pub fn {}({}) -> {ret}", impl_name(plain), params.join(", "))
}

/// Returns the object whose error handler is called.
fn raise(function: &Function, abi: Abi) -> String {
    match (function.area.as_str(), function.name.as_str()) {
        ("tool", _) => return "Raise::Tool".into(),
        (_, "MPI_File_open" | "MPI_File_delete") => return "Raise::File(File::NULL)".into(),
        (
            _,
            "MPI_Session_init" | "MPI_Comm_create_from_group" | "MPI_Intercomm_create_from_groups",
        ) => {
            return format!(
                "Raise::Errhandler({})",
                standard_handle("errhandler", "errhandler", abi)
            );
        }
        _ => {}
    }
    for param in &function.params {
        let (handle, pointed) = (param.ctype().trim_end_matches('*'), param.ctype().ends_with('*'));
        if !["MPI_Comm", "MPI_Win", "MPI_File", "MPI_Session"].contains(&handle)
            || pointed && param.is_out()
        {
            continue;
        }
        let name = &handle[4..];
        let value =
            if pointed { format!("at(In::new({}))", param.name()) } else { param.name().into() };
        return format!("Raise::{name}({})", standard_handle(&value, &name.to_lowercase(), abi));
    }
    "Raise::Default".into()
}

fn standard_handle(value: &str, kind: &str, abi: Abi) -> String {
    match abi {
        Abi::Standard => value.into(),
        Abi::Mpich | Abi::Openmpi => format!("to::{kind}({value})"),
    }
}

/// Returns the macro's word for how a message shows the parameter.
fn shown_as(param: &Param) -> String {
    let ctype = param.ctype();
    if HANDLES.contains(&ctype) {
        return ctype[4..].to_lowercase();
    }
    if let Some(handle) = ctype.strip_suffix('*')
        && HANDLES.contains(&handle)
        && param.is_out()
    {
        return format!("out_{}", handle[4..].to_lowercase());
    }
    match (ctype, param.kind()) {
        ("const char*" | "const char[]", _) => "string",
        ("int", "RANK") => "rank",
        ("int", "TAG") => "tag",
        ("int", "KEYVAL") => "keyval",
        (
            "int" | "const int" | "MPI_T_cb_safety" | "MPI_Aint" | "MPI_Count" | "MPI_Offset"
            | "MPI_Fint",
            _,
        ) => "int",
        ("const void*" | "void*", "BUFFER") => "buffer",
        _ => "address",
    }
    .into()
}

/// Returns the parameter's type in the signature of the `extern "C"` function.
fn c_type(ctype: &str, abi: Abi) -> String {
    if let Some(element) = ctype.strip_suffix("[][3]") {
        return format!("*const [{}; 3]", rust_type(element, abi));
    }
    let (ctype, array) = ctype.strip_suffix("[]").map_or((ctype, false), |element| (element, true));
    let (ctype, constant) =
        ctype.strip_prefix("const ").map_or((ctype, false), |rest| (rest, true));
    let base = ctype.trim_end_matches('*');
    let mut stars = ctype.len() - base.len() + usize::from(array);
    if base.ends_with("_function") || base.ends_with("_function_c") {
        return "Function".into();
    }
    let mut rust = rust_type(base, abi);
    if constant && stars > 0 {
        rust = format!("*const {rust}");
        stars -= 1;
    }
    format!("{}{rust}", "*mut ".repeat(stars))
}

fn rust_type(base: &str, abi: Abi) -> String {
    match base.trim() {
        "int" | "MPI_Fint" | "MPI_T_cb_safety" | "MPI_T_source_order" => "c_int".into(),
        "double" => "f64".into(),
        "char" => "c_char".into(),
        "void" => "c_void".into(),
        "MPI_Aint" => "isize".into(),
        "MPI_Count" | "MPI_Offset" => "i64".into(),
        "MPI_Status" => "Status".into(),
        "MPI_F08_status" => "Status".into(),
        "MPIX_Iov" => "Iov".into(),
        "MPI_File" if abi == Abi::Mpich => "FilePointer".into(),
        handle if HANDLES.contains(&handle) => match abi {
            Abi::Standard => handle[4..].into(),
            Abi::Mpich => "c_int".into(),
            Abi::Openmpi => "RawHandle".into(),
        },
        tool if tool.starts_with("MPI_T_") => "*mut c_void".into(),
        other => panic!("no Rust type for {other}"),
    }
}

/// Writes the entry point of a function that returns a value. Conversions between handles and
/// integers only convert numbers; the other functions have an implementation.
fn direct(out: &mut String, function: &Function, abi: Abi) {
    let name = &function.name;
    let params: Vec<String> = function
        .params
        .iter()
        .map(|param| format!("{}: {}", param.name(), c_type(param.ctype(), abi)))
        .collect();
    let arguments: Vec<&str> = function.params.iter().map(|param| param.name()).collect();
    let arguments = arguments.join(", ");
    // Open MPI's Fortran counts the objects of each kind.
    let kind = || {
        let handle = [function.ret.as_str(), function.params[0].ctype()];
        let handle = handle.into_iter().find(|ctype| HANDLES.contains(ctype)).expect("a handle");
        if abi == Abi::Openmpi { format!("::<{}>", &handle[4..]) } else { String::new() }
    };
    let value = match name.rsplit('_').next().expect("a name has a last part") {
        "toint" | "c2f" => format!("toint({arguments})"),
        "fromint" | "f2c" => format!("fromint{}({arguments})", kind()),
        _ => format!("impls::{}({arguments})", impl_name(function)),
    };
    let _ = writeln!(out, "direct! {{");
    let _ = writeln!(
        out,
        "    {name} P{name}({}) -> {} {{ {value} }}",
        params.join(", "),
        rust_type(&function.ret, abi)
    );
    let _ = writeln!(out, "}}");
}

/// Returns `start`, the items separated by commas, and `end`, in lines of at most 120 columns.
fn lines(start: &str, items: &[String], end: &str) -> String {
    const COLUMNS: usize = 120;
    let one = format!("{start}{}{end}", items.join(", "));
    if one.trim_end().len() <= COLUMNS {
        return one;
    }
    let indent = " ".repeat(start.len() - start.trim_start().len());
    let mut out = String::from(start);
    let mut line = String::new();
    for item in items {
        if line.is_empty() || line.len() + item.len() + 2 > COLUMNS {
            if !line.is_empty() {
                out.push_str(line.trim_end());
            }
            line = format!("\n{indent}    ");
        }
        let _ = write!(line, "{item}, ");
    }
    let _ = write!(out, "{}\n{indent}{end}", line.trim_end());
    out
}
