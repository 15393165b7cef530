//! `tests/abi/*.c`: C programs that compare the headers with the table. They check layouts and
//! integer constants when they are compiled, handles and addresses when they run.

use crate::api::{Abi, Api, Constant};
use crate::output::File;
use std::fmt::Write;

pub fn generate(api: &Api) -> Vec<File> {
    vec![
        File::c("tests/abi/standard.c", &program(api, Abi::Standard)),
        File::c("tests/abi/mpich.c", &program(api, Abi::Mpich)),
    ]
}

/// Size and offsets of the fields of `MPI_Status`, in bytes.
const STANDARD_STATUS: (u32, [(&str, u32); 4]) =
    (32, [("MPI_SOURCE", 0), ("MPI_TAG", 4), ("MPI_ERROR", 8), ("MPI_internal", 12)]);
const MPICH_STATUS: (u32, [(&str, u32); 5]) = (
    20,
    [
        ("count_lo", 0),
        ("count_hi_and_cancelled", 4),
        ("MPI_SOURCE", 8),
        ("MPI_TAG", 12),
        ("MPI_ERROR", 16),
    ],
);

fn program(api: &Api, abi: Abi) -> String {
    let (size, fields): (u32, &[(&str, u32)]) = match abi {
        Abi::Standard => (STANDARD_STATUS.0, &STANDARD_STATUS.1),
        Abi::Mpich => (MPICH_STATUS.0, &MPICH_STATUS.1),
        Abi::Openmpi => unreachable!("programs of this ABI use Open MPI's headers and modules"),
    };
    let mut out = String::from(
        "#include <mpi.h>\n\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n\n",
    );
    let _ = writeln!(out, "_Static_assert(sizeof(MPI_Status) == {size}, \"size of MPI_Status\");");
    out.push_str("_Static_assert(_Alignof(MPI_Status) == 4, \"alignment of MPI_Status\");\n");
    for (field, offset) in fields {
        let _ = writeln!(
            out,
            "_Static_assert(offsetof(MPI_Status, {field}) == {offset}, \"{field}\");"
        );
    }
    for ctype in ["MPI_Aint", "MPI_Count", "MPI_Offset"] {
        let _ = writeln!(out, "_Static_assert(sizeof({ctype}) == 8, \"size of {ctype}\");");
    }
    let handle = if abi == Abi::Standard { "sizeof(void *)" } else { "sizeof(int)" };
    let _ = writeln!(out, "_Static_assert(sizeof(MPI_Comm) == {handle}, \"size of a handle\");\n");
    for (constant, value) in values(api, abi).filter(|(constant, _)| is_integer(constant)) {
        let _ = writeln!(out, "_Static_assert({0} == {value}, \"{0}\");", constant.name);
    }
    out.push_str(
        "\n#define CHECK(name, value) wrong += (intptr_t)(name) != (intptr_t)(value) \
        ? puts(#name), 1 : 0\n\n",
    );
    out.push_str("int main(void)\n{\n    int wrong = 0;\n");
    for (constant, value) in values(api, abi).filter(|(constant, _)| !is_integer(constant)) {
        let _ = writeln!(out, "    CHECK({}, {value});", constant.name);
    }
    out.push_str("    return wrong != 0;\n}\n");
    out
}

fn values(api: &Api, abi: Abi) -> impl Iterator<Item = (&Constant, i64)> {
    let seen = move |constant: &&Constant| {
        constant.ctype.is_some() && (abi == Abi::Mpich || !constant.is_extension())
    };
    api.constants.iter().filter(seen).filter_map(move |constant| {
        let value =
            if abi == Abi::Standard { constant.standard_value() } else { constant.mpich_value() };
        Some((constant, value?))
    })
}

fn is_integer(constant: &Constant) -> bool {
    matches!(
        constant.ctype.as_deref(),
        Some("int" | "MPI_Offset" | "MPI_T_cb_safety" | "MPI_T_source_order")
    )
}
