//! Arguments of the ABIs of MPICH and Open MPI: handles, named values and statuses are converted
//! for the implementation and back.

use super::{Argument, Call, Context, standard};
use crate::api::{Abi, HANDLES, Param};

pub fn convert(call: &mut Call, argument: &Argument, context: &Context) {
    let first = call.arguments.len();
    converted_argument(call, argument, context);
    for index in first..call.arguments.len() {
        let expression = std::mem::take(&mut call.arguments[index]);
        call.arguments[index] = standard::wrapped(argument, context, expression);
    }
}

fn converted_argument(call: &mut Call, argument: &Argument, context: &Context) {
    let (param, name, function) = (argument.param, argument.param.name(), context.function);
    let ctype = param.ctype();
    let base = ctype.trim_start_matches("const ").trim_end_matches("[]").trim_end_matches('*');
    if HANDLES.contains(&base) {
        return converted(
            call,
            param,
            context,
            &base[4..].to_lowercase(),
            &format!("{}::NULL", &base[4..]),
        );
    }
    if base == "MPI_Status" {
        return status(call, param, context);
    }
    if name == "array_of_errcodes" {
        call.arguments.push(name.into());
        call.after.push(format!(
            "from::codes_at(InOutSlice::new({name}, impls::codes_of_last_spawn()));"
        ));
        return;
    }
    if context.is_first
        && let Some(word) = same_word(param)
    {
        call.same.push(format!("same::{word}({name})"));
        call.arguments.push(standard::expression(argument));
        return;
    }
    if let Some(word) = named_value(param) {
        return converted(call, param, context, word, "0");
    }
    match (param.kind(), ctype) {
        // The function returns the address, so the argument stays unchanged, MPI_IN_PLACE included.
        ("BUFFER", _) if function.name.ends_with("ddress") => call.arguments.push(name.into()),
        // MPI_BUFFER_AUTOMATIC is a buffer of these functions alone.
        ("BUFFER", _) if is_attaching(&function.name) => {
            call.arguments.push(format!("to::attached({name})"));
        }
        ("BUFFER", "const void*") => call.arguments.push(format!("to::buffer({name})")),
        ("BUFFER", "void*") => call.arguments.push(format!("to::buffer_mut({name})")),
        ("PTR", "void*")
            if function.name.contains("etach_buffer")
                || function.name.contains("Buffer_detach") =>
        {
            call.arguments.push(name.into());
            call.after_success.push(format!("from::buffer_at(InOut::new({name}.cast()));"));
        }
        ("ATTR_VAL", "void*") if param.is_out() => {
            let keyval = function
                .params
                .iter()
                .find(|p| p.kind() == "KEYVAL")
                .expect("an attribute has a key")
                .name();
            call.arguments.push(name.into());
            let value = format!("InOut::new({name}.cast())");
            call.after_success
                .push(format!("from::attribute_at({keyval}, {value}, In::new(flag));"));
        }
        ("GENERIC_DTYPE_INT", "int[]") => {
            call.arguments.push(name.into());
            call.after_success.push(format!(
                "from::contents_at(impls::named_integers(to::datatype(datatype)), \
                 InOutSlice::new({name}, impls::named_integers_end(to::datatype(datatype))));"
            ));
        }
        // A program must not take this for the standard ABI: both numbers are -1 (MPI 5.0 §20.2).
        (_, "int*") if function.name == "MPI_Abi_get_version" => {
            call.arguments.push(name.into());
            call.after_success.push(format!("{name}.write(-1);"));
        }
        // A pointer to a handle of the kind that the variable is bound to.
        ("PTR", "void*") if function.name == "MPI_T_pvar_handle_alloc" && name == "obj_handle" => {
            call.before.push(format!(
                "let mut object = \
                 to::bound_object(ValueIn::new({name}), impls::pvar_is_bound(pvar_index));"
            ));
            call.arguments.push("address_of(&mut object)".into());
        }
        // Addresses in the standard ABI and in Open MPI's; MPICH's are objects with the standard's
        // values.
        ("WEIGHT", _) if context.abi == Abi::Openmpi => {
            let cast = if ctype.starts_with("const") { "" } else { ".cast_mut()" };
            call.arguments.push(format!("to::weights({name}){cast}"));
        }
        (_, "MPI_T_pvar_handle") if context.abi == Abi::Openmpi => {
            call.arguments.push(format!("to::pvar_handle({name})"));
        }
        ("OFFSET", "MPI_Offset") if function.name == "MPI_File_set_view" => {
            call.arguments.push(format!("to::displacement({name})"));
        }
        _ => call.arguments.push(standard::expression(argument)),
    }
}

/// Whether a function gets a buffer for messages that are sent with MPI_Bsend.
fn is_attaching(function: &str) -> bool {
    ["_attach_buffer", "Buffer_attach"].iter().any(|part| function.contains(part))
}

/// Converts a value, a pointer or an array, whose elements go through `to::word` and `from::word`.
fn converted(call: &mut Call, param: &Param, context: &Context, word: &str, initial: &str) {
    let name = param.name();
    if param.ctype().ends_with("[]") {
        let length = context.length(param).expression();
        let mutable = !param.ctype().starts_with("const ");
        let source = match (param.is_out(), mutable) {
            (true, _) => format!("out(OutSlice::new({name}, {length}), {initial})"),
            (false, true) => format!("changed(InOutSlice::new({name}, {length}), to::{word})"),
            (false, false) => format!("read(InSlice::new({name}, {length}), to::{word})"),
        };
        call.before.push(format!(
            "let {}{name} = Array::<_, _>::{source};",
            if mutable { "mut " } else { "" }
        ));
        call.arguments.push(format!("{name}.{}()", if mutable { "pass_mut" } else { "pass" }));
        if mutable {
            let steps = if param.is_out() { &mut call.after_success } else { &mut call.after };
            steps.push(format!("{name}.leave(from::{word});"));
        }
    } else if param.ctype().ends_with('*') {
        let source = match param.is_out() {
            true => format!("out(Out::new({name}), {initial})"),
            false => format!("read(InOut::new({name}), {initial}, to::{word})"),
        };
        // A failed open leaves the null handle, which programs test.
        let steps = match param.is_out() && context.function.name != "MPI_File_open" {
            true => &mut call.after_success,
            false => &mut call.after,
        };
        steps.push(format!("{name}.leave(from::{word});"));
        call.before.push(format!("let mut {name} = Place::{source};"));
        call.arguments.push(format!("{name}.pass()"));
    } else {
        call.arguments.push(format!("to::{word}({name})"));
    }
}

fn status(call: &mut Call, param: &Param, context: &Context) {
    let name = param.name();
    let is_read = param.ctype().starts_with("const ");
    let source = match (param.len(), is_read, param.is_out()) {
        (None, true, _) => format!("OneStatus::read(In::new({name}))"),
        (None, _, true) => format!("OneStatus::out(Out::new({name}))"),
        (None, ..) => format!("OneStatus::changed(InOut::new({name}))"),
        (Some(_), _, is_out) => {
            let (source, slice) =
                if is_out { ("out", "OutSlice") } else { ("changed", "InOutSlice") };
            let length = context.length(param).expression();
            format!("Statuses::{source}({slice}::new({name}, {length}))")
        }
    };
    if is_read {
        call.before.push(format!("let {name} = {source};"));
        call.arguments.push(format!("{name}.pass()"));
        return;
    }
    call.before.push(format!("let mut {name} = {source};"));
    call.arguments.push(format!("{name}.pass_mut()"));
    call.after.push(format!("{name}.leave();"));
}

/// Returns the word of `same` for an argument whose most frequent values are equal in the ABIs.
fn same_word(param: &Param) -> Option<&'static str> {
    match (param.kind(), param.ctype()) {
        ("RANK", "int") => Some("rank"),
        ("TAG", "int") => Some("tag"),
        ("BUFFER", _) => Some("buffer"),
        _ => None,
    }
}

/// Returns the word of `to` and `from` for an integer whose named values differ between the ABIs.
fn named_value(param: &Param) -> Option<&'static str> {
    if param.ctype().contains("[3]") {
        return None;
    }
    Some(match param.kind() {
        "RANK" => "rank",
        "TAG" => "tag",
        "ERROR_CODE" => "code",
        "ERROR_CLASS" => "class",
        "KEYVAL" => "keyval",
        "THREAD_LEVEL" => "thread_level",
        "COMM_COMPARISON" | "GROUP_COMPARISON" => "comparison",
        "SPLIT_TYPE" => "split_type",
        "COMBINER" => "combiner",
        "ACCESS_MODE" => "mode",
        "ASSERT" => "assertion",
        "TOPOLOGY_TYPE" => "topology",
        "ORDER" => "order",
        "DISTRIB_ENUM" => "distribution",
        "DTYPE_DISTRIBUTION" => "distribution_argument",
        "TYPECLASS" => "typeclass",
        "LOCK_TYPE" => "lock_type",
        "UPDATE_MODE" => "whence",
        "BIND_TYPE" => "binding",
        "VARIABLE_SCOPE" => "scope",
        "TOOL_VAR_VERBOSITY" => "verbosity",
        "PVAR_CLASS" => "pvar_class",
        "CALLBACK_SAFETY" => "callback_safety",
        "SOURCE_ORDERING" => "source_ordering",
        _ => return None,
    })
}
