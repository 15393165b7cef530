//! The conversions between C and Fortran in the header of the standard ABI.
//!
//! The standard ABI has neither `MPI_Fint` nor the functions of MPI 5.0 §19.3, because the size of
//! Fortran's INTEGER is an option of the compiler. The header defines them as functions of each
//! program that call the standard's only (`MPI_Comm_toint`), so such a program runs on any library
//! with this ABI. The library exports them as well, for configure scripts that look for symbols and
//! for programs that bring declarations of their own.

use super::prototype;
use crate::api::{Api, Function};
use std::fmt::Write;

/// Returns whether the header of the standard ABI defines the function.
pub fn is_one(function: &Function) -> bool {
    function.area == "conv"
}

/// Returns the section of the header.
pub fn declarations(api: &Api) -> String {
    let mut out = String::from(HEAD);
    let functions = || api.functions.iter().filter(|function| is_one(function));
    out.push_str("#ifdef NEMESIS_CONVERSIONS_IN_LIBRARY\n\n");
    for prefix in ["", "P"] {
        for function in functions() {
            let _ = writeln!(out, "{};", prototype(function, prefix));
        }
    }
    out.push_str("\n#else\n\n");
    out.push_str(COPY);
    for prefix in ["", "P"] {
        for function in functions() {
            let _ = writeln!(
                out,
                "NEMESIS_CONVERSION {}\n{{\n    {}\n}}",
                prototype(function, prefix),
                body(function, prefix)
            );
        }
    }
    out.push_str("\n#undef NEMESIS_CONVERSION\n#endif\n\n");
    out
}

/// Returns the statement of a conversion.
fn body(function: &Function, prefix: &str) -> String {
    let names: Vec<&str> = function.params.iter().map(|param| param.name()).collect();
    let stem = &function.name[..function.name.rfind('_').expect("a name has parts")];
    match function.name.rsplit('_').next().expect("a name has a last part") {
        _ if stem == "MPI_Status" => format!("return nemesis_status_copy({});", names.join(", ")),
        "c2f" => format!("return {prefix}{stem}_toint({});", names[0]),
        "f2c" => format!("return {prefix}{stem}_fromint({});", names[0]),
        other => panic!("{other} is no conversion"),
    }
}

const HEAD: &str = "\
/* Conversions between C and Fortran (MPI 5.0, section 19.3), which are not part of the standard
   ABI. They are functions of the program that call functions of the standard, so the program runs
   on any library with the standard ABI. A tool that defines them itself defines
   NEMESIS_CONVERSIONS_IN_LIBRARY and gets the declarations of those that Nemesis exports. */

/* Null until libmpifort_abi.so.1 is loaded, and in other libraries that do not have them. */
#if defined(__GNUC__)
#define NEMESIS_WEAK __attribute__((weak))
extern NEMESIS_WEAK MPI_Fint *MPI_F_STATUS_IGNORE;
extern NEMESIS_WEAK MPI_Fint *MPI_F_STATUSES_IGNORE;
extern NEMESIS_WEAK MPI_F08_status *MPI_F08_STATUS_IGNORE;
extern NEMESIS_WEAK MPI_F08_status *MPI_F08_STATUSES_IGNORE;
#undef NEMESIS_WEAK
#define MPI_F_STATUS_IGNORE (&MPI_F_STATUS_IGNORE ? MPI_F_STATUS_IGNORE : (MPI_Fint *) 0)
#define MPI_F_STATUSES_IGNORE (&MPI_F_STATUSES_IGNORE ? MPI_F_STATUSES_IGNORE : (MPI_Fint *) 0)
#define MPI_F08_STATUS_IGNORE \\
    (&MPI_F08_STATUS_IGNORE ? MPI_F08_STATUS_IGNORE : (MPI_F08_status *) 0)
#define MPI_F08_STATUSES_IGNORE \\
    (&MPI_F08_STATUSES_IGNORE ? MPI_F08_STATUSES_IGNORE : (MPI_F08_status *) 0)
#else
extern MPI_Fint *MPI_F_STATUS_IGNORE;
extern MPI_Fint *MPI_F_STATUSES_IGNORE;
extern MPI_F08_status *MPI_F08_STATUS_IGNORE;
extern MPI_F08_status *MPI_F08_STATUSES_IGNORE;
#endif

";

const COPY: &str = "\
#if defined(__GNUC__)
#define NEMESIS_CONVERSION static __inline__ __attribute__((unused))
#elif defined(__cplusplus)
#define NEMESIS_CONVERSION static inline
#else
#define NEMESIS_CONVERSION static
#endif

NEMESIS_CONVERSION int nemesis_status_ignored(const void *status)
{
    return !status || status == MPI_F_STATUS_IGNORE || status == MPI_F_STATUSES_IGNORE ||
        status == MPI_F08_STATUS_IGNORE || status == MPI_F08_STATUSES_IGNORE;
}

/* The statuses of C and of Fortran are the same eight integers. */
NEMESIS_CONVERSION int nemesis_status_copy(const void *from, void *to)
{
    if (nemesis_status_ignored(from) || nemesis_status_ignored(to)) {
        PMPI_Comm_call_errhandler(MPI_COMM_SELF, MPI_ERR_ARG);
        return MPI_ERR_ARG;
    }
    *(MPI_Status *) to = *(const MPI_Status *) from;
    return MPI_SUCCESS;
}

";
