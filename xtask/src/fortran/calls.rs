//! Programs that name every procedure, one for each interface: that they compile and link shows
//! that every interface accepts its arguments and that the library has every symbol. The calls
//! stand behind a condition that never holds.

use super::{
    fortran_type, handle_of, has_ierror, has_own_name, in_f08, in_f90, in_mpif, is_array,
    is_choice, parameters, procedures, profiling,
};
use crate::api::{Api, Function, HANDLES, Param};
use crate::output::File;
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Interface {
    F08,
    Mpi,
    Include,
}

pub fn generate(api: &Api) -> Vec<File> {
    [
        (Interface::F08, "calls_f08.f90"),
        (Interface::Mpi, "calls_mpi.f90"),
        (Interface::Include, "calls_mpif.f"),
    ]
    .map(|(interface, name)| File { path: name.into(), text: program(api, interface) })
    .into()
}

fn program(api: &Api, interface: Interface) -> String {
    let mut used = BTreeMap::new();
    let mut statements = Vec::new();
    for function in procedures(api) {
        let is_in = match interface {
            Interface::F08 => in_f08(api, function),
            Interface::Mpi => in_f90(function),
            Interface::Include => in_mpif(function),
        };
        if !is_in {
            continue;
        }
        let name = match &function.large_of {
            Some(plain) if !has_own_name(function) => plain,
            _ => &function.name,
        };
        for name in [name.clone(), profiling(name, false)] {
            statements.push(statement(function, &name, interface, &mut used));
        }
    }
    let used: Vec<String> = used.into_iter().map(|(name, of)| format!("{of} {name}")).collect();
    let (begin, end) = frame(interface);
    let mut lines: Vec<String> = begin.iter().map(|&line| line.to_owned()).collect();
    lines.extend(used);
    lines.extend(end.iter().map(|&line| line.to_owned()));
    lines.extend(statements);
    lines.push("END IF".into());
    lines.push("END PROGRAM CALLS".into());
    if interface != Interface::F08 {
        lines.extend(["SUBROUTINE A_STUB()", "END SUBROUTINE"].map(String::from));
    }
    lines.iter().map(|line| wrapped(line, interface)).collect()
}

/// The lines before the declarations of variables, and between them and the calls.
fn frame(interface: Interface) -> (&'static [&'static str], &'static [&'static str]) {
    match interface {
        Interface::F08 => (
            &[
                "PROGRAM CALLS",
                "USE mpi_f08",
                "USE, INTRINSIC :: ISO_C_BINDING, ONLY: C_PTR",
                "IMPLICIT NONE",
                "LOGICAL :: never = .FALSE.",
                "INTEGER :: ierror, a_buffer(10)",
            ],
            &["CALL GET_ENVIRONMENT_VARIABLE('NEMESIS_NEVER', STATUS=ierror)", "IF (never) THEN"],
        ),
        Interface::Mpi => (
            &[
                "PROGRAM CALLS",
                "USE mpi",
                "IMPLICIT NONE",
                "LOGICAL :: never = .FALSE.",
                "INTEGER :: ierror, a_buffer(10)",
                "EXTERNAL :: A_STUB",
            ],
            &["CALL GET_ENVIRONMENT_VARIABLE('NEMESIS_NEVER', STATUS=ierror)", "IF (never) THEN"],
        ),
        Interface::Include => (
            &[
                "PROGRAM CALLS",
                "IMPLICIT NONE",
                "INCLUDE 'mpif.h'",
                "LOGICAL NEVER",
                "INTEGER ierror, a_buffer(10)",
                "EXTERNAL A_STUB",
            ],
            &["NEVER = .FALSE.", "IF (never) THEN"],
        ),
    }
}

fn statement(
    function: &Function,
    name: &str,
    interface: Interface,
    used: &mut BTreeMap<String, String>,
) -> String {
    let mut arguments: Vec<String> =
        parameters(function).map(|param| argument(param, interface, used)).collect();
    if function.direct {
        let kind = if function.ret == "double" {
            "DOUBLE PRECISION"
        } else {
            "INTEGER(KIND=MPI_ADDRESS_KIND)"
        };
        let place = if function.ret == "double" { "a_time" } else { "an_address" };
        used.insert(place.into(), kind.to_owned() + colons(interface));
        return format!("{place} = {name}({})", arguments.join(", "));
    }
    if has_ierror(function) {
        arguments.push("ierror".into());
    }
    format!("CALL {name}({})", arguments.join(", "))
}

fn colons(interface: Interface) -> &'static str {
    if interface == Interface::Include { "" } else { " ::" }
}

/// Returns a variable of the parameter's type, which is added to those that are declared.
fn argument(param: &Param, interface: Interface, used: &mut BTreeMap<String, String>) -> String {
    let f08 = interface == Interface::F08;
    if is_choice(param) || param.standard_kind() == "C_BUFFER2" && !f08 {
        return "a_buffer".into();
    }
    if matches!(param.standard_kind(), "FUNCTION" | "POLYFUNCTION") {
        if !f08 {
            return "A_STUB".into();
        }
        let ctype = param.ctype().trim_end_matches('*');
        let name = format!("a_{}", ctype.trim_start_matches("MPI_").to_lowercase());
        used.insert(name.clone(), format!("PROCEDURE({ctype}), POINTER ::"));
        return name;
    }
    let ctype = fortran_type(param, f08).replace("LEN=*", "LEN=20");
    let of = match handle_of(param).filter(|_| f08) {
        Some(handle) => HANDLES.iter().position(|of| *of == handle).map_or("", |at| HANDLES[at]),
        None => ctype.as_str(),
    };
    let word: String = of
        .to_lowercase()
        .replace("mpi_", "")
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric())
        .collect();
    let dimensions = match param.standard_kind() {
        "STATUS" if !f08 && is_array(param) => "(MPI_STATUS_SIZE,4)",
        "STATUS" if !f08 => "(MPI_STATUS_SIZE)",
        "F90_STATUS" => "(MPI_STATUS_SIZE)",
        "STRING_2DARRAY" => "(4,4)",
        _ if param.ctype().ends_with("[][3]") => "(3,4)",
        _ if is_array(param) => "(4)",
        _ => "",
    };
    let shape: String =
        dimensions.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
    let name = format!("a_{word}_{shape}");
    let declared = format!("{ctype}{}", colons(interface));
    used.insert(format!("{name}{dimensions}"), declared);
    name
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
