//! Programs that call every procedure, one for each interface, under its name and its profiling
//! name. Most calls are real ones on a communicator of one process, between the statements of a
//! recipe (`calls/recipes.txt`) that make what they need and free what they made. Calls that make
//! no sense there must fail with a certain class of errors. The programs print nothing unless a
//! call returns another class than it must.

mod frame;
mod recipes;

use super::{
    fortran_type, handle_of, has_ierror, has_own_name, in_f08, in_f90, in_mpif, is_array,
    is_choice, parameters, procedures, profiling,
};
use crate::api::{Api, Function, Param};
use crate::output::File;
use recipes::{Recipe, Recipes};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Interface {
    F08,
    Mpi,
    Include,
}

impl Interface {
    fn has(self, api: &Api, function: &Function) -> bool {
        match self {
            Interface::F08 => in_f08(api, function),
            Interface::Mpi => in_f90(function),
            Interface::Include => in_mpif(function),
        }
    }
}

pub fn generate(api: &Api) -> Vec<File> {
    let recipes = Recipes::read();
    [
        (Interface::F08, "calls_f08.f90"),
        (Interface::Mpi, "calls_mpi.f90"),
        (Interface::Include, "calls_mpif.f"),
    ]
    .map(|(interface, name)| {
        let (text, report) = program(api, &recipes, interface);
        println!("# {name}: {report}");
        File { path: name.into(), text }
    })
    .into()
}

/// Returns the program, and how many procedures it calls.
fn program(api: &Api, recipes: &Recipes, interface: Interface) -> (String, String) {
    let mut statements = Vec::new();
    let (mut called, mut left_out) = (0, Vec::new());
    for function in procedures(api).filter(|function| interface.has(api, function)) {
        let recipe = recipes.of(&function.name);
        if recipe.is_not_called {
            left_out.push(function.name.as_str());
            continue;
        }
        called += 1;
        if recipe.is_in_frame {
            continue;
        }
        let name = match &function.large_of {
            Some(plain) if !has_own_name(function) => plain,
            _ => &function.name,
        };
        for name in [name.clone(), profiling(name, false)] {
            statements.extend(call(function, &name, recipe, interface));
        }
    }
    let lines = frame::around(api, interface, statements);
    let text: String = lines.iter().map(|line| wrapped(line, interface)).collect();
    let all = called + left_out.len();
    (
        format!("! sizes: 1 2\n{text}"),
        format!("{called} of {all} procedures are called; not: {}", left_out.join(", ")),
    )
}

/// Returns the call with the statements before and after it.
fn call(function: &Function, name: &str, recipe: &Recipe, interface: Interface) -> Vec<String> {
    let mut arguments = Arguments { function, recipe, interface, results: 0, before: Vec::new() };
    let mut values: Vec<String> =
        parameters(function).map(|param| arguments.value(param)).collect();
    let mut lines = recipe.before.clone();
    lines.extend(arguments.before);
    lines.extend(epoch(function, "lock(MPI_LOCK_SHARED, 0, 0, win, ierror)"));
    lines.extend(split(function, "_end", "_begin"));
    if function.direct {
        let place = if function.ret == "double" { "a_time" } else { "an_address" };
        lines.push(format!("{place} = {name}({})", values.join(", ")));
        lines.push("ierror = MPI_SUCCESS".into());
    } else {
        if has_ierror(function) {
            values.push("ierror".into());
        }
        lines.push(format!("CALL {name}({})", values.join(", ")));
    }
    lines.push(format!("CALL CHECKED('{name}', ierror, {})", recipe.class));
    if !recipe.keeps_results {
        lines.extend(freeing(function));
    }
    lines.extend(split(function, "_begin", "_end"));
    lines.extend(epoch(function, "unlock(0, win, ierror)"));
    lines.extend(recipe.after.clone());
    lines
}

/// The epoch of a one-sided access.
fn epoch(function: &Function, call: &str) -> Option<String> {
    function.op.starts_with("rma-nonblocking").then(|| format!("CALL MPI_Win_{call}"))
}

/// The other half of a split collective access to a file.
fn split(function: &Function, this: &str, other: &str) -> Option<String> {
    let plain = function.name.trim_end_matches("_c");
    let stem = plain.strip_suffix(this).filter(|_| function.op.starts_with("split"))?;
    let at = if stem.contains("_at_") { "zero_offset, " } else { "" };
    Some(match other {
        "_begin" => format!("CALL {stem}_begin(file, {at}a_buffer, 1, MPI_INTEGER, ierror)"),
        _ => format!("CALL {stem}_end(file, a_buffer, MPI_STATUS_IGNORE, ierror)"),
    })
}

/// Returns the statements that complete and free what the call has made.
fn freeing(function: &Function) -> Vec<String> {
    let mut lines = Vec::new();
    let made = |handle: &str| {
        parameters(function).any(|param| handle_of(param) == Some(handle) && param.is_out())
    };
    if made("MPI_Request") {
        if function.op.ends_with("-init") {
            lines.push("CALL MPI_Start(request, ierror)".into());
        }
        lines.push("CALL MPI_Wait(request, MPI_STATUS_IGNORE, ierror)".into());
        if function.op.ends_with("-init") {
            lines.push("CALL MPI_Request_free(request, ierror)".into());
        }
    }
    if made("MPI_Message") {
        lines.push("CALL MPI_Mrecv(b_buffer, 1, MPI_INTEGER, message, status, ierror)".into());
    }
    for (handle, free) in [
        ("MPI_Comm", "Comm_free"),
        ("MPI_Datatype", "Type_free"),
        ("MPI_Errhandler", "Errhandler_free"),
        ("MPI_File", "File_close"),
        ("MPI_Group", "Group_free"),
        ("MPI_Info", "Info_free"),
        ("MPI_Op", "Op_free"),
        ("MPI_Session", "Session_finalize"),
        ("MPI_Win", "Win_free"),
    ] {
        if made(handle) {
            let kind = &handle[4..].to_lowercase();
            lines.push(format!("CALL MPI_{free}(new_{kind}, ierror)"));
        }
    }
    lines
}

/// The arguments of a call.
struct Arguments<'a> {
    function: &'a Function,
    recipe: &'a Recipe,
    interface: Interface,
    /// The number of results so far, each of which has a variable of its own.
    results: usize,
    before: Vec<String>,
}

impl Arguments<'_> {
    fn value(&mut self, param: &Param) -> String {
        let is_input = param.direction() == "in";
        if let Some(value) = self.recipe.arguments.get(param.name()) {
            let is_number = value.trim_start_matches('-').bytes().all(|c| c.is_ascii_digit());
            if !is_number {
                return value.clone();
            }
            if is_input {
                return self.number(param, value);
            }
        }
        let f08 = self.interface == Interface::F08;
        let name = param.name();
        if is_choice(param) {
            return buffer(name).into();
        }
        match param.standard_kind() {
            "C_BUFFER" | "C_BUFFER2" if f08 => return "a_pointer".into(),
            "C_BUFFER" => return "pointer_place".into(),
            "C_BUFFER2" => return "detached".into(),
            "FUNCTION" | "POLYFUNCTION" => {
                let callback = param.ctype().trim_end_matches('*');
                return frame::callback_name(callback);
            }
            "STATUS" | "F08_STATUS" | "F90_STATUS" => return status(param).into(),
            "STRING" if is_input => return "'a name'".into(),
            "STRING" => return "a_text".into(),
            "WEIGHT" if is_input => return "MPI_UNWEIGHTED".into(),
            "LOGICAL" if is_input && is_array(param) => return "trues".into(),
            "LOGICAL" if is_input => return ".FALSE.".into(),
            _ => {}
        }
        if handle_of(param).is_some() {
            return self.handle(param);
        }
        let ctype = fortran_type(param, f08);
        let word = match ctype.as_str() {
            "INTEGER(KIND=MPI_ADDRESS_KIND)" => "addresses",
            "INTEGER(KIND=MPI_COUNT_KIND)" => "counts",
            "INTEGER(KIND=MPI_OFFSET_KIND)" => "offsets",
            "LOGICAL" => "flags",
            _ => "integers",
        };
        if is_input {
            return match is_array(param) {
                true => format!("{}_{word}", if is_place(param) { "zero" } else { "one" }),
                false => self.number(param, if is_place(param) { "0" } else { "1" }),
            };
        }
        if param.direction() == "inout" && !is_array(param) {
            self.before.push(format!("{word}(1) = 0"));
            return format!("{word}(1)");
        }
        self.results += 1;
        match is_array(param) {
            true => format!("{word}_{}", self.results),
            false => format!("{word}({})", self.results + 1),
        }
    }

    /// Returns an integer of the parameter's kind.
    fn number(&self, param: &Param, value: &str) -> String {
        let is_peer = matches!(param.name(), "dest" | "source")
            && matches!(self.function.area.as_str(), "pt2pt" | "part");
        if is_peer {
            return "MPI_PROC_NULL".into();
        }
        let ctype = fortran_type(param, self.interface == Interface::F08);
        match ctype.strip_prefix("INTEGER(KIND=") {
            Some(kind) => format!("{value}_{}", kind.trim_end_matches(')')),
            None => value.into(),
        }
    }

    fn handle(&self, param: &Param) -> String {
        let handle = handle_of(param).expect("a handle");
        let kind = handle[4..].to_lowercase();
        let is_result = param.is_out();
        match handle {
            "MPI_Datatype" if is_array(param) && is_result => "some_types",
            "MPI_Datatype" if is_array(param) => "types",
            "MPI_Datatype" if !is_result => match param.name() {
                "datatype" if takes_own_type(self.function) => "a_type",
                _ => "MPI_INTEGER",
            },
            "MPI_Op" if !is_result => "MPI_SUM",
            "MPI_Errhandler" if !is_result => "MPI_ERRORS_RETURN",
            "MPI_Info" if !is_result && self.function.area != "info" => "MPI_INFO_NULL",
            "MPI_Comm" if !is_result => communicator(self.function),
            "MPI_Request" => "request",
            "MPI_Message" => "message",
            _ if is_result => return format!("new_{kind}"),
            _ => return kind,
        }
        .into()
    }
}

/// Names and attributes belong to a datatype of the program.
fn takes_own_type(function: &Function) -> bool {
    matches!(function.area.as_str(), "attr") || function.name.ends_with("_name")
}

/// Returns true for places and ranks, which are zero; other numbers are one.
fn is_place(param: &Param) -> bool {
    let kind = param.standard_kind();
    ["RANK", "ASSERT", "COLOR", "KEY", "OFFSET", "DISP", "LOCATION", "EXTRA_STATE", "START"]
        .iter()
        .any(|word| kind.contains(word))
        || ["displs", "starts", "partition", "edges"].iter().any(|word| param.name().contains(word))
}

/// Returns a buffer, which differs from the others of the call.
fn buffer(name: &str) -> &'static str {
    match name {
        _ if ["recv", "result", "outbuf", "inout"].iter().any(|word| name.contains(word)) => {
            "b_buffer"
        }
        _ if name.contains("compare") => "c_buffer",
        _ => "a_buffer",
    }
}

fn status(param: &Param) -> &'static str {
    match (param.standard_kind(), is_array(param)) {
        (_, true) => "statuses",
        ("F90_STATUS", _) => "old_status",
        ("F08_STATUS", _) => "new_status",
        _ => "status",
    }
}

fn communicator(function: &Function) -> &'static str {
    match function.name.as_str() {
        name if name.contains("Dist_graph_neighbors") => "dist",
        name if name.to_lowercase().contains("neighbor_") => "cart",
        name if name.starts_with("MPI_Graph") && !name.ends_with("create") => "graph",
        name if name.starts_with("MPI_Cart") && !name.ends_with("create") => "cart",
        _ => "comm",
    }
}

/// Returns a line of the program in its form.
fn wrapped(line: &str, interface: Interface) -> String {
    let (indent, columns) = match interface {
        Interface::Include => ("      ", 66),
        _ => ("  ", 98),
    };
    let mut rest = line.to_owned();
    let mut text = String::new();
    let mut lead = indent.to_owned();
    while rest.len() > columns {
        let at = rest[..columns].rfind([',', '(']).map_or(columns, |at| at + 1);
        let (head, tail) = rest.split_at(at);
        text.push_str(&lead);
        text.push_str(head);
        text.push_str(if interface == Interface::Include { "\n" } else { " &\n" });
        lead = if interface == Interface::Include { "     &".into() } else { "    ".into() };
        rest = tail.trim_start().to_owned();
    }
    text + &lead + &rest + "\n"
}
