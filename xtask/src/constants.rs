//! Tables of constants: `crates/mpi-objects/src/abi.rs` has the standard's constants, typed, with
//! the names of predefined handles, and `crates/capi/mpich/src/tables.rs` the values of the MPICH
//! ABI beside those of the standard.

use crate::api::{Api, Constant, HANDLES};
use crate::output::File;
use std::collections::BTreeSet;
use std::fmt::Write;

pub fn generate(api: &Api) -> Vec<File> {
    vec![
        File::rust("crates/mpi-objects/src/abi.rs", &canonical(api)),
        File::rust("crates/capi/mpich/src/tables.rs", &tables(api)),
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
    for constant in named_once(api, |constant| constant.kind == "error class") {
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
    constant.kind == "error class" && !is_value
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

/// Integer constants whose values differ between the ABIs, by the kinds that share a table.
const TABLES: [(&str, &str, &[&str]); 19] = [
    ("ERROR_CLASSES", "error classes and the codes of MPI_T", &["error class"]),
    ("KEYVALS", "attribute keys", &["attribute key"]),
    ("THREAD_LEVELS", "thread levels", &["thread level"]),
    ("COMPARISONS", "results of comparisons", &["compare result"]),
    ("SPLIT_TYPES", "split types", &["split type"]),
    ("COMBINERS", "combiners", &["combiner"]),
    ("MODES", "bits of access modes and assertions", &["mode bit"]),
    ("TOPOLOGIES", "kinds of topologies", &["topology"]),
    ("LAYOUTS", "array orders and distributions", &["array order/distribution"]),
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

fn tables(api: &Api) -> String {
    let mut out = String::from(
        "//! Values of the standard ABI beside those of MPICH's ABI.\n\n#![allow(dead_code)]\n",
    );
    for handle in HANDLES {
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
            "\n/// Values of {what}: (standard, MPICH).\npub const {name}: &[(i32, i32)] = &["
        );
        for constant in
            api.constants.iter().filter(|constant| kinds.contains(&constant.kind.as_str()))
        {
            let (Some(standard), Some(mpich)) = (constant.standard_value(), constant.mpich_value())
            else {
                continue;
            };
            let _ = writeln!(out, "({standard}, {mpich}), // {}", constant.name);
        }
        out.push_str("];\n");
    }
    out
}
