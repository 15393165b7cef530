//! `mpif.h`, valid in fixed and in free form: no line has more than 72 columns, and none is
//! continued. Integers have an explicit kind, so that they are what the library takes under options
//! that change the default (`-fdefault-integer-8`).

use super::constants::{ADDRESSES, COMMONS, KINDS, literal, parameters, type_of};
use super::{in_mpif, predefined_callbacks, procedures, profiling};
use crate::api::{Abi, Api};
use crate::output::{File, MARK};
use std::fmt::Write;

pub fn generate(api: &Api, abi: Abi) -> File {
    let mut out = format!("! {MARK}\n");
    out.push_str("! MPI 5.0 for Fortran, by INCLUDE; new programs use mpi_f08.\n");
    let mut line = |text: String| {
        assert!(text.len() + 6 <= 72, "a line of mpif.h is too long: {text}");
        writeln!(out, "      {text}").expect("writing to a string succeeds");
    };
    let mut constant = |ctype: &str, name: &str, value: &str| {
        line(format!("{} {name}", with_kind(ctype)));
        line(format!("PARAMETER ({name}={value})"));
    };
    for (name, value) in KINDS {
        constant("INTEGER", name, &value.to_string());
    }
    for (of, value) in parameters(api, abi) {
        constant(type_of(of), &of.name, &literal(of, value));
    }
    for name in ["MPI_SUBARRAYS_SUPPORTED", "MPI_ASYNC_PROTECTS_NONBLOCKING"] {
        constant("LOGICAL", name, ".FALSE.");
    }
    for (name, ctype, dimensions) in ADDRESSES {
        line(format!("{} {name}{dimensions}", with_kind(ctype)));
    }
    for (block, names) in COMMONS {
        line(format!("COMMON /{block}/ {names}"));
        line(format!("SAVE /{block}/"));
    }
    for function in procedures(api).filter(|function| function.direct && in_mpif(function)) {
        let ctype = match function.ret.as_str() {
            // The kind survives options such as -fdefault-double-8.
            "double" => "REAL(KIND=8)",
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

/// Returns a type with its kind.
fn with_kind(ctype: &str) -> String {
    match ctype {
        "INTEGER" | "LOGICAL" => format!("{ctype}(KIND=4)"),
        other => other.into(),
    }
}
