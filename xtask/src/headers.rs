//! The two `mpi.h`: that of the MPI 5.0 standard ABI and that of the MPICH ABI. Beside each lies
//! `mpi-ext.h`, with the extensions.
//!
//! Both declare the same functions in the same order. They differ in the types of handles, in the
//! layout of `MPI_Status`, and in the values of constants. No function is a macro, so that tools
//! can interpose every one. The conversions between C and Fortran are not part of the standard ABI:
//! its header defines them on the standard's functions ([`conversions`]).

mod conversions;

use crate::api::{Abi, Api, Callback, Constant, Function, HANDLES, TOOL_HANDLES};
use crate::output::File;
use std::fmt::Write;

pub fn generate(api: &Api) -> Vec<File> {
    vec![
        File::c("include/standard/mpi.h", &header(api, Abi::Standard)),
        File::c("include/mpich/mpi.h", &header(api, Abi::Mpich)),
        File::c("include/standard/mpi-ext.h", &extensions(api, Abi::Standard)),
        File::c("include/mpich/mpi-ext.h", &extensions(api, Abi::Mpich)),
    ]
}

/// Returns whether the function is an extension that programs of all ABIs may call. MPICH's `mpi.h`
/// declares its extensions itself.
fn is_common_extension(function: &Function) -> bool {
    function.chapter == 0 && function.abi == "both" && !function.undeclared
}

/// Returns `mpi-ext.h`, by which programs learn of extensions: `MPIX_` functions and constants.
fn extensions(api: &Api, abi: Abi) -> String {
    let mut out = String::from(
        "/* Extensions of MPI 5.0: going on after processes have failed (User-Level Failure \
         Mitigation). */\n#ifndef MPI_EXT_H_INCLUDED\n#define MPI_EXT_H_INCLUDED\n\n\
         #include <mpi.h>\n\n#define MPIX_HAVE_ULFM 1\n#define OMPI_HAVE_MPI_EXT_FTMPI 1\n\n\
         /* Buffers may lie in memory of CUDA devices. */\n\
         #define MPIX_CUDA_AWARE_SUPPORT 1\n\n",
    );
    if abi == Abi::Standard {
        let is_class = |constant: &&Constant| constant.kind == "error class (extension)";
        for constant in api.constants.iter().filter(is_class) {
            if let Some(value) = constant.value(abi) {
                let _ = writeln!(out, "#define {} {value}", constant.name);
            }
        }
        out.push_str("\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
        for prefix in ["", "P"] {
            for function in api.exported(abi).filter(|function| is_common_extension(function)) {
                let _ = writeln!(out, "{};", prototype(function, prefix));
            }
            out.push('\n');
        }
        out.push_str("#ifdef __cplusplus\n}\n#endif\n\n");
    } else {
        out.push_str("/* mpi.h of this ABI has the functions and constants. */\n\n");
    }
    out.push_str("#endif\n");
    out
}

fn header(api: &Api, abi: Abi) -> String {
    let mut out = String::new();
    out.push_str(match abi {
        Abi::Standard => "/* MPI 5.0 with the standard ABI: link with libmpi_abi.so.1. */\n",
        Abi::Mpich => "/* MPI 5.0 with the ABI of MPICH: link with libmpi.so.12. */\n",
        Abi::Openmpi => unreachable!("programs of this ABI use Open MPI's headers and modules"),
    });
    out.push_str("#ifndef MPI_H_INCLUDED\n#define MPI_H_INCLUDED\n\n");
    out.push_str(
        "#include <stddef.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n\
        #endif\n\n",
    );
    types(&mut out, api, abi);
    callbacks(&mut out, api, abi);
    constants(&mut out, api, abi);
    if abi == Abi::Mpich {
        data(&mut out, api);
    }
    let is_inline = |function: &Function| abi == Abi::Standard && conversions::is_one(function);
    for prefix in ["", "P"] {
        let what = if prefix.is_empty() {
            "Functions"
        } else {
            "Functions under their profiling names (MPI 5.0, chapter 15)"
        };
        let _ = writeln!(out, "/* {what}. */\n");
        let elsewhere = |function: &Function| abi == Abi::Standard && is_common_extension(function);
        let declared =
            api.exported(abi).filter(|function| !function.undeclared && !elsewhere(function));
        for function in declared.filter(|function| !is_inline(function)) {
            let _ = writeln!(out, "{};", prototype(function, prefix));
        }
        out.push('\n');
    }
    if abi == Abi::Standard {
        out.push_str(&conversions::declarations(api));
    }
    out.push_str("#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
    out
}

fn types(out: &mut String, api: &Api, abi: Abi) {
    match abi {
        Abi::Standard => {
            out.push_str(
                "/* Integer types. */\n\ntypedef intptr_t MPI_Aint;\n\
                typedef int64_t MPI_Count;\ntypedef int64_t MPI_Offset;\n\n\
                /* Fortran's INTEGER; not part of the standard ABI. */\n\n\
                typedef int MPI_Fint;\n\n",
            );
            out.push_str("/* Handles: predefined ones are small numbers, never addresses. */\n\n");
            for handle in HANDLES {
                let _ = writeln!(out, "typedef struct MPI_ABI_{} *{handle};", &handle[4..]);
            }
        }
        Abi::Mpich => {
            out.push_str(
                "/* Integer types. */\n\ntypedef long MPI_Aint;\ntypedef long long MPI_Count;\n",
            );
            out.push_str(
                "typedef long long MPI_Offset;\ntypedef int MPI_Fint;\n\n/* Handles. */\n\n",
            );
            for handle in HANDLES {
                let representation =
                    if handle == "MPI_File" { "struct ADIOI_FileD *" } else { "int " };
                let _ = writeln!(out, "typedef {representation}{handle};");
            }
        }
        Abi::Openmpi => unreachable!("programs of this ABI use Open MPI's headers and modules"),
    }
    out.push('\n');
    for handle in TOOL_HANDLES {
        let tag = match abi {
            Abi::Standard => format!("MPI_ABI_{}", &handle[4..]),
            Abi::Mpich => format!("MPIR_{}_s", &handle[4..]),
            Abi::Openmpi => unreachable!("programs of this ABI use Open MPI's headers and modules"),
        };
        let _ = writeln!(out, "typedef struct {tag} *{handle};");
    }
    out.push_str("\n/* Status of a completed operation. */\n\ntypedef struct MPI_Status {\n");
    out.push_str(match abi {
        Abi::Standard => {
            "    int MPI_SOURCE;\n    int MPI_TAG;\n    int MPI_ERROR;\n\
            \x20   int MPI_internal[5];\n"
        }
        Abi::Mpich => {
            "    int count_lo;\n    int count_hi_and_cancelled;\n    int MPI_SOURCE;\n\
            \x20   int MPI_TAG;\n    int MPI_ERROR;\n"
        }
        Abi::Openmpi => unreachable!("programs of this ABI use Open MPI's headers and modules"),
    });
    out.push_str("} MPI_Status;\n\n");
    out.push_str(match abi {
        Abi::Standard => {
            "typedef struct MPI_F08_status {\n    MPI_Fint MPI_SOURCE;\n    MPI_Fint MPI_TAG;\n\
            \x20   MPI_Fint MPI_ERROR;\n    MPI_Fint MPI_internal[5];\n} MPI_F08_status;\n\n"
        }
        Abi::Mpich => {
            "typedef struct MPI_F08_status {\n    MPI_Fint count_lo;\n\
            \x20   MPI_Fint count_hi_and_cancelled;\n    MPI_Fint MPI_SOURCE;\n\
            \x20   MPI_Fint MPI_TAG;\n    MPI_Fint MPI_ERROR;\n} MPI_F08_status;\n\n\
            /* Extensions: a segment of a datatype, and classes of generalized requests. */\n\n\
            typedef struct MPIX_Iov {\n    void *iov_base;\n    MPI_Aint iov_len;\n} MPIX_Iov;\n\n\
            typedef int MPIX_Grequest_class;\n\n"
        }
        Abi::Openmpi => unreachable!("programs of this ABI use Open MPI's headers and modules"),
    });
    for name in ["MPI_T_cb_safety", "MPI_T_source_order"] {
        let members: Vec<String> = api
            .constants
            .iter()
            .filter(|constant| constant.ctype.as_deref() == Some(name))
            .map(|constant| {
                format!(
                    "    {} = {}",
                    constant.name,
                    integer(constant, abi).expect("an enumerator has a value")
                )
            })
            .collect();
        let _ = writeln!(out, "typedef enum {name} {{\n{}\n}} {name};\n", members.join(",\n"));
    }
}

fn callbacks(out: &mut String, api: &Api, abi: Abi) {
    out.push_str("/* User functions. */\n\n");
    let known = |callback: &&Callback| {
        abi == Abi::Mpich || !["removed", "extension"].contains(&callback.status.as_str())
    };
    for callback in api.callbacks.iter().filter(known) {
        let params: Vec<String> = callback.params.iter().map(|param| param.declaration()).collect();
        let _ = writeln!(
            out,
            "{};",
            wrapped(&format!("typedef {} {}(", callback.ret, callback.name), &params)
        );
    }
    for (alias, name) in &api.callback_aliases {
        let _ = writeln!(out, "typedef {name} {alias};");
    }
    out.push('\n');
}

fn constants(out: &mut String, api: &Api, abi: Abi) {
    let mut kind = "";
    for constant in &api.constants {
        let Some(value) = constant_value(constant, abi) else { continue };
        if constant.kind != kind {
            let break_before = if kind.is_empty() { "" } else { "\n" };
            let _ = writeln!(out, "{break_before}/* Constants: {}. */\n", constant.kind);
            kind = &constant.kind;
        }
        let _ = writeln!(out, "#define {:<34} {value}", constant.name);
    }
    out.push('\n');
}

/// Returns the value of a `#define`; `None` for enumerators, exported objects, and constants that C
/// does not have.
fn constant_value(constant: &Constant, abi: Abi) -> Option<String> {
    let ctype = match (constant.ctype.as_deref(), constant.kind.as_str()) {
        (Some("MPI_T_cb_safety" | "MPI_T_source_order"), _) => return None,
        (Some(ctype), _) => ctype,
        (None, "MPI_T" | "combiner (removed)") => "int",
        (None, _) => return None,
    };
    if constant.kind == "exported data symbol" {
        return None;
    }
    let Some(value) = integer(constant, abi) else {
        let symbol = constant.mpich.as_ref().filter(|_| abi == Abi::Mpich)?.as_str()?;
        return (symbol != constant.name).then(|| format!("(({}) {symbol})", pointer(ctype)));
    };
    Some(match ctype {
        "int" if value < 0 => format!("({value})"),
        "int" => value.to_string(),
        _ if constant.is_handle() => format!("(({ctype}) 0x{:08x})", value as u32),
        _ => format!("(({}) {value})", pointer(ctype)),
    })
}

fn integer(constant: &Constant, abi: Abi) -> Option<i64> {
    match abi {
        Abi::Standard if constant.is_extension() => None,
        _ => constant.value(abi),
    }
}

/// Writes a pointer type as C does: `char **` for `char**`.
fn pointer(ctype: &str) -> String {
    let base = ctype.trim_end_matches('*');
    let stars = &ctype[base.len()..];
    if stars.is_empty() { base.into() } else { format!("{} {stars}", base.trim_end()) }
}

/// Declares the objects that a program of the MPICH ABI may refer to by address.
fn data(out: &mut String, api: &Api) {
    out.push_str("/* Objects in the library. */\n\n");
    for constant in &api.constants {
        let Some(symbol) = constant.mpich.as_ref().and_then(|value| value.as_str()) else {
            continue;
        };
        if symbol != constant.name {
            continue;
        }
        let ctype = pointer(constant.ctype.as_deref().expect("an object has a type"));
        let constness = if constant.standard.is_some() { " const " } else { "" };
        let space = if constness.is_empty() && !ctype.ends_with('*') { " " } else { "" };
        let _ = writeln!(out, "extern {ctype}{constness}{space}{symbol};");
    }
    out.push_str("\nint MPIR_Dup_fn(MPI_Comm oldcomm, int keyval, void *extra_state, ");
    out.push_str("void *attribute_val_in,\n");
    out.push_str("    void *attribute_val_out, int *flag);\n\n");
}

fn prototype(function: &Function, prefix: &str) -> String {
    let name = format!("{prefix}{}", function.name);
    let params: Vec<String> = function.params.iter().map(|param| param.declaration()).collect();
    let params = if params.is_empty() { vec!["void".into()] } else { params };
    wrapped(&format!("{} {name}(", function.ret), &params)
}

/// Returns `start` and the parameters, in lines of at most 110 columns.
fn wrapped(start: &str, params: &[String]) -> String {
    const COLUMNS: usize = 110;
    let mut lines = vec![start.to_string()];
    for (index, param) in params.iter().enumerate() {
        let end = if index + 1 == params.len() { ")" } else { "," };
        let line = lines.last_mut().expect("there is a first line");
        let space = if index == 0 || line.trim().is_empty() { "" } else { " " };
        if line.len() + space.len() + param.len() + end.len() <= COLUMNS {
            let _ = write!(line, "{space}{param}{end}");
        } else {
            lines.push(format!("    {param}{end}"));
        }
    }
    lines.join("\n")
}
