//! The constants of Fortran.

use crate::api::{Abi, Api, Constant};

/// Kinds of constants that Fortran lacks, or that are no PARAMETERs.
const WITHOUT: [&str; 5] = [
    "buffer address",
    "ignore/empty argument",
    "predefined callback",
    "Fortran status index (from C)",
    "Fortran kind",
];

/// Returns the named constants that are PARAMETERs in Fortran, with their values.
pub fn parameters(api: &Api, abi: Abi) -> Vec<(&Constant, i64)> {
    let with = api.constants.iter().filter(|constant| {
        let kind = constant.kind.as_str();
        !WITHOUT.iter().any(|without| kind.starts_with(without))
            && !kind.starts_with("MPI_T ")
            && (!constant.is_extension() || is_bound(constant) || is_of_failures(constant))
    });
    with.filter_map(|constant| {
        let value = match abi {
            Abi::Mpich if constant.kind == STATUS_INDEX => mpich_index(api, constant),
            _ => constant.value(abi)?,
        };
        // A CHARACTER has no zero at its end.
        let value = if constant.kind == "string size" { value - 1 } else { value };
        Some((constant, value))
    })
    .collect()
}

const STATUS_INDEX: &str = "Fortran status index";

/// Returns true for the datatypes by which MPI-1 marked bounds. MPI 3.0 removed them, and old
/// programs with the removed MPI_TYPE_STRUCT use them.
fn is_bound(constant: &Constant) -> bool {
    matches!(constant.name.as_str(), "MPI_LB" | "MPI_UB")
}

/// Returns true for the error classes of failed processes and revoked communicators.
fn is_of_failures(constant: &Constant) -> bool {
    constant.kind == "error class (extension)"
}

/// Returns the place of a field of a status in MPICH's ABI. C's places begin at zero.
fn mpich_index(api: &Api, constant: &Constant) -> i64 {
    let name = constant.name.replace("MPI_", "MPI_F_");
    let of_c = api.constants.iter().find(|other| other.name == name);
    let value = of_c.and_then(Constant::mpich_value).expect("C has a constant for the field");
    if constant.name == "MPI_STATUS_SIZE" { value } else { value + 1 }
}

/// The kinds of integers, and their values on the machines that the library is for.
pub const KINDS: [(&str, u32); 4] = [
    ("MPI_ADDRESS_KIND", 8),
    ("MPI_OFFSET_KIND", 8),
    ("MPI_COUNT_KIND", 8),
    ("MPI_INTEGER_KIND", 4),
];

/// Returns the type of a constant in `mpi` and `mpif.h`.
pub fn type_of(constant: &Constant) -> &'static str {
    match constant.ctype.as_deref() {
        Some("MPI_Offset") => "INTEGER(KIND=MPI_OFFSET_KIND)",
        _ => "INTEGER",
    }
}

/// Returns a value as a PARAMETER of its type is written.
pub fn literal(constant: &Constant, value: i64) -> String {
    match constant.ctype.as_deref() {
        Some("MPI_Offset") => format!("{value}_MPI_OFFSET_KIND"),
        _ => value.to_string(),
    }
}

/// The constants that are known by their addresses, as `mpif.h` and `mpi` declare them: name, type
/// and dimensions.
///
/// The filler gives a COMMON block the size of the library's object; linkers warn about another.
pub const ADDRESSES: [(&str, &str, &str); 11] = [
    ("MPI_BOTTOM", "INTEGER", ""),
    ("MPI_IN_PLACE", "INTEGER", ""),
    ("MPI_STATUS_IGNORE", "INTEGER", "(MPI_STATUS_SIZE)"),
    ("MPI_STATUSES_IGNORE", "INTEGER", "(MPI_STATUS_SIZE,1)"),
    ("MPI_ERRCODES_IGNORE", "INTEGER", "(1)"),
    ("MPI_ARGVS_NULL", "CHARACTER(LEN=1)", "(1,1)"),
    ("MPI_ARGV_NULL", "CHARACTER(LEN=1)", "(1)"),
    ("NEMESIS_FILLER", "CHARACTER(LEN=30)", ""),
    ("MPI_UNWEIGHTED", "INTEGER", "(1)"),
    ("MPI_WEIGHTS_EMPTY", "INTEGER", "(1)"),
    ("MPI_BUFFER_AUTOMATIC", "INTEGER", ""),
];

/// The COMMON blocks of these constants.
pub const COMMONS: [(&str, &str); 6] = [
    ("MPIPRIV1", "MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE"),
    ("MPIPRIV2", "MPI_STATUSES_IGNORE, MPI_ERRCODES_IGNORE"),
    ("MPIPRIVC", "MPI_ARGVS_NULL, MPI_ARGV_NULL, NEMESIS_FILLER"),
    ("MPIFCMB5", "MPI_UNWEIGHTED"),
    ("MPIFCMB9", "MPI_WEIGHTS_EMPTY"),
    ("MPIFCMBA", "MPI_BUFFER_AUTOMATIC"),
];
