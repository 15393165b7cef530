//! `mpif.h`, valid in fixed and in free form: no line has more than 72 columns, and none is
//! continued.

use super::constants::{ADDRESSES, COMMONS, KINDS, literal, parameters, type_of};
use super::{in_mpif, predefined_callbacks, procedures, profiling};
use crate::api::Api;
use crate::output::{File, MARK};
use std::fmt::Write;

pub fn generate(api: &Api) -> File {
    let mut out = format!("! {MARK}\n");
    out.push_str("! MPI 5.0 for Fortran, by INCLUDE; new programs use mpi_f08.\n");
    let mut line = |text: String| {
        assert!(text.len() + 6 <= 72, "a line of mpif.h is too long: {text}");
        writeln!(out, "      {text}").expect("writing to a string succeeds");
    };
    let mut constant = |ctype: &str, name: &str, value: &str| {
        line(format!("{ctype} {name}"));
        line(format!("PARAMETER ({name}={value})"));
    };
    for (name, value) in KINDS {
        constant("INTEGER", name, &value.to_string());
    }
    for (of, value) in parameters(api) {
        constant(type_of(of), &of.name, &literal(of, value));
    }
    for name in ["MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"] {
        constant("LOGICAL", name, ".FALSE.");
    }
    for (name, ctype, dimensions) in ADDRESSES {
        line(format!("{ctype} {name}{dimensions}"));
    }
    for (block, names) in COMMONS {
        line(format!("COMMON /{block}/ {names}"));
        line(format!("SAVE /{block}/"));
    }
    for function in procedures(api).filter(|function| function.direct && in_mpif(function)) {
        let ctype = match function.ret.as_str() {
            "double" => "DOUBLE PRECISION",
            _ => "INTEGER(KIND=MPI_ADDRESS_KIND)",
        };
        for name in [function.name.to_uppercase(), profiling(&function.name, false).to_uppercase()]
        {
            line(format!("{ctype} {name}"));
            line(format!("EXTERNAL {name}"));
        }
    }
    for (name, _) in predefined_callbacks(api) {
        if name != "MPI_CONVERSION_FN_NULL_C" {
            line(format!("EXTERNAL {name}"));
        }
    }
    File { path: "mpif.h".into(), text: out }
}
