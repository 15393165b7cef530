//! The Fortran synopsis of a manual page: the procedure of `mpi_f08`, with its large-count form.

use super::modules::declarations;
use super::{continued, has_ierror, in_f08, in_f90, parameters, procedures};
use crate::api::{Api, Function};

/// Returns the synopsis in mdoc, or nothing for a function that Fortran lacks.
pub fn synopsis(api: &Api, function: &Function) -> String {
    if !procedures(api).any(|procedure| procedure.name == function.name) {
        return String::new();
    }
    let large = function.large.as_ref().map(|name| api.function(name));
    let forms = std::iter::once(function).chain(large.filter(|large| in_f08(api, large)));
    let module = if in_f08(api, function) { "mpi_f08" } else { "mpi" };
    let text: Vec<String> = forms.map(form).collect();
    let also = match in_f90(function) && module == "mpi_f08" {
        true => {
            ".Pp\n\
             In the module mpi and in mpif.h, handles and statuses are INTEGERs.\n"
        }
        false => "",
    };
    format!(
        ".Pp\nFortran\n.Pq Ql use {module} :\n.Bd -literal -offset indent\n{}.Ed\n{also}",
        text.join("\n")
    )
}

fn form(function: &Function) -> String {
    let name = function.large_of.as_ref().unwrap_or(&function.name);
    let mut arguments: Vec<String> =
        parameters(function).map(|param| param.name().to_owned()).collect();
    if has_ierror(function) {
        arguments.push("ierror".into());
    }
    let head = match function.direct {
        true => format!("{name}("),
        false => format!("call {name}("),
    };
    continued("", &head, &arguments, ")") + "\n" + &declarations(function)
}
