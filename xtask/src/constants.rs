//! Tables of constants: `crates/mpi-objects/src/abi.rs` has the standard's constants, typed, with
//! the names of predefined handles, and `tables.rs` of `crates/capi/mpich` and of
//! `crates/capi/openmpi` the values of another ABI beside those of the standard. In Open MPI's ABI
//! predefined handles are addresses of objects, which `objects.rs` defines.

use crate::api::{Abi, Api, Constant, HANDLES};
use crate::output::File;
use std::collections::BTreeSet;
use std::fmt::Write;

pub fn generate(api: &Api) -> Vec<File> {
    vec![
        File::rust("crates/mpi-objects/src/abi.rs", &canonical(api)),
        File::rust("crates/capi/mpich/src/tables.rs", &tables(api, Abi::Mpich)),
        File::rust("crates/capi/openmpi/src/tables.rs", &tables(api, Abi::Openmpi)),
        File::rust("crates/capi/openmpi/src/objects.rs", &objects(api)),
    ]
}

fn canonical(api: &Api) -> String {
    let mut out = String::from(
        "//! The constants of MPI 5.0 with the values of the standard ABI.\n//!\n\
         //! Special addresses (`MPI_IN_PLACE`, the predefined callbacks) are `usize`. The tables\n\
         //! at the end name the predefined objects.\n\n",
    );
    let names: Vec<&str> = HANDLES.iter().map(|handle| &handle[4..]).collect();
    out.push_str("use crate::error_class::ErrorClass;\n");
    let _ = writeln!(out, "use crate::handle::{{{}}};", names.join(", "));
    let mut kind = "";
    for constant in &api.constants {
        let (Some(value), Some(ctype)) = (constant.standard_value(), constant.ctype.as_deref())
        else {
            continue;
        };
        if constant.kind != kind {
            let _ = writeln!(out, "\n// {}", constant.kind);
            kind = &constant.kind;
        }
        let (rust, value) = match ctype {
            _ if is_error_class(constant) => ("ErrorClass".into(), format!("ErrorClass({value})")),
            "int" | "MPI_T_cb_safety" | "MPI_T_source_order" => ("i32".into(), value.to_string()),
            "MPI_Offset" => ("i64".into(), value.to_string()),
            _ if constant.is_handle() => {
                (ctype[4..].to_string(), format!("{}({value})", &ctype[4..]))
            }
            _ => ("usize".into(), value.to_string()),
        };
        let _ = writeln!(out, "pub const {}: {rust} = {value};", constant.name);
    }
    for handle in HANDLES {
        let name = &handle[4..];
        let _ = writeln!(out, "\n/// The predefined handles of type `{handle}` and their names.");
        let _ = writeln!(out, "pub const {}_NAMES: &[({name}, &str)] = &[", name.to_uppercase());
        for constant in named_once(api, |constant| constant.ctype.as_deref() == Some(handle)) {
            let _ = writeln!(out, "({0}, \"{0}\"),", constant.name);
        }
        out.push_str("];\n");
    }
    out.push_str("\n/// The predefined error classes and their names.\n");
    out.push_str("pub const ERROR_CLASS_NAMES: &[(ErrorClass, &str)] = &[");
    for constant in named_once(api, |constant| ERROR_CLASS_KINDS.contains(&constant.kind.as_str()))
    {
        let value = constant.standard_value().expect("chosen for it");
        let _ = writeln!(out, "(ErrorClass({value}), \"{}\"),", constant.name);
    }
    out.push_str("];\n\n/// Size and extent in bytes of the predefined datatypes (x86-64).\n");
    out.push_str("pub const DATATYPE_SIZES: &[(Datatype, usize, usize)] = &[");
    for constant in named_once(api, |constant| constant.size.is_some()) {
        let size = constant.size.expect("asked for");
        let _ = writeln!(out, "({}, {size}, {}),", constant.name, constant.extent.unwrap_or(size));
    }
    out.push_str("];\n");
    out
}

/// Returns true for the constants that are classes of errors. MPI_SUCCESS and MPI_ERR_LASTCODE are
/// among them in the standard's list, but programs and implementations use them as return values.
fn is_error_class(constant: &Constant) -> bool {
    let is_value = matches!(constant.name.as_str(), "MPI_SUCCESS" | "MPI_ERR_LASTCODE");
    ERROR_CLASS_KINDS.contains(&constant.kind.as_str()) && !is_value
}

/// Returns the constants that `wanted` selects, without the second name of a value.
fn named_once(api: &Api, wanted: impl Fn(&Constant) -> bool) -> Vec<&Constant> {
    let mut seen = BTreeSet::new();
    api.constants
        .iter()
        .filter(|constant| {
            wanted(constant) && constant.standard_value().is_some_and(|value| seen.insert(value))
        })
        .collect()
}

/// The kinds of constants that are error classes.
const ERROR_CLASS_KINDS: [&str; 2] = ["error class", "error class (extension)"];

/// Integer constants whose values differ between the ABIs, by the kinds that share a table.
const TABLES: [(&str, &str, &[&str]); 21] = [
    ("ERROR_CLASSES", "error classes and the codes of MPI_T", &ERROR_CLASS_KINDS),
    ("KEYVALS", "attribute keys", &["attribute key"]),
    ("THREAD_LEVELS", "thread levels", &["thread level"]),
    ("COMPARISONS", "results of comparisons", &["compare result"]),
    ("SPLIT_TYPES", "split types", &["split type"]),
    ("COMBINERS", "combiners", &["combiner"]),
    ("MODES", "bits of access modes", &["access mode bit"]),
    ("ASSERTIONS", "bits of assertions", &["assertion bit"]),
    ("TOPOLOGIES", "kinds of topologies", &["topology"]),
    ("ORDERS", "array orders", &["array order"]),
    ("DISTRIBUTIONS", "distributions", &["distribution"]),
    ("TYPECLASSES", "classes of types", &["typeclass"]),
    ("LOCK_TYPES", "lock types", &["lock type"]),
    ("WHENCES", "seek modes", &["seek"]),
    ("WINDOW_KINDS", "window flavors and memory models", &["window flavor", "window model"]),
    ("BINDINGS", "objects that a tool variable is bound to", &["MPI_T bind"]),
    ("SCOPES", "scopes of control variables", &["MPI_T scope"]),
    ("VERBOSITIES", "verbosity levels", &["MPI_T verbosity"]),
    ("PVAR_CLASSES", "classes of performance variables", &["MPI_T pvar class"]),
    ("CALLBACK_SAFETIES", "levels of callback safety", &["MPI_T callback safety"]),
    ("SOURCE_ORDERINGS", "orderings of event sources", &["MPI_T source ordering"]),
];

fn tables(api: &Api, abi: Abi) -> String {
    let (whose, short) = match abi {
        Abi::Openmpi => ("Open MPI's ABI", "Open MPI"),
        _ => ("MPICH's ABI", "MPICH"),
    };
    let mut out = format!(
        "//! Values of the standard ABI beside those of {whose}.\n\n#![allow(dead_code)]\n"
    );
    for handle in HANDLES {
        if abi == Abi::Openmpi {
            // Addresses: `objects.rs`.
            continue;
        }
        let _ = writeln!(out, "\n/// Predefined handles of type `{handle}`: (standard, MPICH).");
        let _ = writeln!(out, "pub const {}: &[(usize, u32)] = &[", handle[4..].to_uppercase());
        for constant in named_once(api, |constant| constant.ctype.as_deref() == Some(handle)) {
            let mpich = constant.mpich_value().expect("a predefined handle has a value in both");
            let _ = writeln!(
                out,
                "({}, 0x{:08x}), // {}",
                constant.standard_value().expect("chosen for it"),
                mpich as u32,
                constant.name
            );
        }
        out.push_str("];\n");
    }
    for (name, what, kinds) in TABLES {
        let _ = writeln!(
            out,
            "\n/// Values of {what}: (standard, {short}).\npub const {name}: &[(i32, i32)] = &["
        );
        for constant in
            api.constants.iter().filter(|constant| kinds.contains(&constant.kind.as_str()))
        {
            let (Some(standard), Some(other)) = (constant.standard_value(), constant.value(abi))
            else {
                continue;
            };
            let _ = writeln!(out, "({standard}, {other}), // {}", constant.name);
        }
        out.push_str("];\n");
    }
    out
}

/// Bytes of a predefined object of Open MPI, which programs have copied (R_X86_64_COPY): the
/// dynamic linker warns about another size.
fn object_bytes(handle: &str) -> usize {
    match handle {
        "MPI_Comm" | "MPI_Datatype" | "MPI_Win" | "MPI_Session" => 512,
        "MPI_Op" => 2048,
        "MPI_Errhandler" => 1024,
        "MPI_File" => 1536,
        _ => 256,
    }
}

/// Objects without a constant of the standard, and their numbers in Fortran: they are exported,
/// because the dynamic linker refuses a program that names a missing one, and are no handles.
pub const OTHER_OBJECTS: [(&str, i32); 4] = [
    ("ompi_mpi_c_complex", 69),
    ("ompi_mpi_ldblcplex", 71),
    ("ompi_mpi_2cplex", 26),
    ("ompi_mpi_2dblcplex", 27),
];

fn objects(api: &Api) -> String {
    let mut out = String::from(
        "//! The predefined objects of Open MPI's ABI, which programs know by address.\n\n\
         use crate::object::{Addresses, Numbered, Object};\nuse nemesis_capi::c_objects;\n",
    );
    let names: Vec<&str> = HANDLES.iter().map(|handle| &handle[4..]).collect();
    let _ = writeln!(out, "use nemesis_mpi::handle::{{{}}};\n\nc_objects! {{", names.join(", "));
    let predefined: Vec<(&str, &Constant)> = HANDLES
        .iter()
        .flat_map(|handle| {
            named_once(api, |constant| constant.ctype.as_deref() == Some(handle))
                .into_iter()
                .filter(|constant| constant.openmpi_symbol().is_some())
                .map(move |constant| (*handle, constant))
        })
        .collect();
    for (handle, constant) in &predefined {
        let _ = writeln!(
            out,
            "    /// `{}`\n    {}: Object<{}> = Object::new({});",
            constant.name,
            constant.openmpi_symbol().expect("chosen for it"),
            object_bytes(handle) / 4 - 1,
            constant.openmpi_fortran.expect("a predefined handle has a number in Fortran"),
        );
    }
    for (symbol, fortran) in OTHER_OBJECTS {
        let words = object_bytes("MPI_Datatype") / 4 - 1;
        let _ = writeln!(out, "    {symbol}: Object<{words}> = Object::new({fortran});");
    }
    out.push_str("}\n\n/// The addresses of the objects by the number of their handle.\n");
    out.push_str("pub static ADDRESSES: Addresses = Addresses::new(&[\n");
    for (_, constant) in &predefined {
        let _ = writeln!(
            out,
            "    ({}, &raw const {} as *const Object<0>),",
            constant.standard_value().expect("chosen for it"),
            constant.openmpi_symbol().expect("chosen for it"),
        );
    }
    out.push_str("]);\n");
    for handle in HANDLES {
        let of_kind = || predefined.iter().filter(|(kind, _)| *kind == handle);
        let fortran = |constant: &Constant| constant.openmpi_fortran.expect("asked for");
        let last = of_kind().map(|(_, constant)| fortran(constant)).max().unwrap_or(-1);
        let numbers: Vec<String> = (0..=last)
            .map(|number| {
                let found = of_kind().find(|(_, constant)| fortran(constant) == number);
                found.and_then(|(_, constant)| constant.standard_value()).unwrap_or(0).to_string()
            })
            .collect();
        let _ = writeln!(
            out,
            "\nimpl Numbered for {} {{\n    const NUMBERS: &'static [u16] = &[{}];\n}}",
            &handle[4..],
            numbers.join(", ")
        );
    }
    out
}
