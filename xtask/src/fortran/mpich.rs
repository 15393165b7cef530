//! What programs that were compiled with MPICH's `mpi_f08` and `mpi` need of the library: MPICH's
//! names of the procedures, and the symbols that lie in its modules as gfortran spells them.

use super::{in_f08, library, predefined_callbacks, procedures, removed, spellings};
use crate::api::{Api, Function, HANDLES};
use crate::output::File;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Returns MPICH's name of a specific procedure of `mpi_f08`: `mpi_send_c_f08ts_` is
/// `mpi_send_f08ts_large_`.
pub fn large_name(name: &str) -> String {
    for suffix in ["f08ts", "f08"] {
        if let Some(stem) = name.strip_suffix(&format!("_c_{suffix}_")) {
            return format!("{stem}_{suffix}_large_");
        }
    }
    panic!("{name} is no large-count procedure")
}

/// Returns MPICH's names of a procedure for `mpi_f08`.
fn f08_names(api: &Api, function: &Function) -> Vec<String> {
    let names = library::f08_names(api, function);
    match function.large_of {
        Some(_) => names.iter().flat_map(|name| [name.clone(), large_name(name)]).collect(),
        None => names,
    }
}

/// Returns the procedures in modules, each with its symbols.
fn in_modules(api: &Api) -> Vec<(String, Vec<String>)> {
    let types = |name: String| format!("__mpi_f08_types_MOD_mpi_{name}");
    let mut all = Vec::new();
    let kinds = HANDLES.map(|handle| handle[4..].to_lowercase());
    for (path, word) in [("others::equal", "eq"), ("others::different", "neq")] {
        let mut names = Vec::new();
        for kind in &kinds {
            for (first, second) in [("", ""), ("_f08", "_f"), ("_f", "_f08")] {
                names.push(types(format!("{kind}{first}_{word}{second}")));
            }
            // The module of mpif.h's constants is older than sessions.
            if kind != "session" {
                names.push(format!("__mpi_constants_MOD_{kind}{word}"));
            }
        }
        all.push((path.into(), names));
    }
    let converted = kinds.iter().filter(|kind| *kind != "file");
    let numbers = converted.flat_map(|kind| ["c2f", "f2c"].map(|to| format!("{kind}_{to}")));
    all.push(("modules::same_number".into(), numbers.map(types).collect()));
    let copies = ["status_f082f", "status_f2f08"].map(String::from).map(types);
    all.push(("others::status_copy".into(), copies.into()));
    let assignments = ["status_c_assign_f08", "status_f08_assign_c"].map(String::from).map(types);
    all.push(("modules::status_assign".into(), assignments.into()));
    for (name, _) in predefined_callbacks(api) {
        let path = match name {
            _ if name.contains("CONVERSION") => "others::conversion_fn_null",
            _ if name.ends_with("NULL_COPY_FN") => "attributes::null_copy",
            _ if name.ends_with("DUP_FN") => "attributes::dup",
            _ => "attributes::delete",
        };
        if ["MPI_NULL_COPY_FN", "MPI_DUP_FN", "MPI_NULL_DELETE_FN"].contains(&name) {
            continue;
        }
        let symbol = format!("__mpi_f08_callbacks_MOD_{}", name.to_lowercase());
        all.push((path.into(), vec![symbol]));
    }
    for (bytes, f08, f90) in SIZES {
        let of_f08 = f08.iter().map(|name| types(format!("sizeof_{name}")));
        let of_f90 = f90.iter().map(|name| format!("__mpi_sizeofs_MOD_mpi_sizeof_{name}"));
        all.push((format!("sizeof::of::<{bytes}>"), of_f08.chain(of_f90).collect()));
    }
    all
}

/// The specific procedures of `MPI_Sizeof`: the bytes of a type, and their names in `mpi_f08` and
/// in `mpi`. A `v` stands for an array.
const SIZES: [(u32, &[&str], &[&str]); 6] = [
    (1, &["character", "xint8"], &["ch", "chv", "i1", "i1v"]),
    (2, &["xint16"], &["i2", "i2v"]),
    (4, &["logical", "xint32", "xreal32"], &["i", "iv", "l", "lv", "r", "rv"]),
    (8, &["xint64", "xreal64", "xcomplex32"], &["d", "dv", "i8", "i8v", "cx", "cxv"]),
    (16, &["xreal128", "xcomplex64"], &[]),
    (32, &["xcomplex128"], &[]),
];

/// The procedures with CHARACTER arguments and choice buffers take descriptors in MPICH's module.
const EXTERNAL: [&str; 4] = ["pack", "pack_large", "unpack", "unpack_large"];

fn external_names(of: &str) -> Vec<String> {
    let (stem, large) = match of.strip_suffix("_large") {
        Some(stem) => (stem, "_large"),
        None => (of, ""),
    };
    ["mpi", "pmpir"].map(|start| format!("{start}_{stem}_external_f08ts{large}_")).into()
}

/// Returns the file of the symbols that MPICH's modules need.
pub fn generate(api: &Api) -> File {
    let mut out = String::from(
        "//! The symbols of MPICH's modules, as gfortran spells them.\n\n\
         use crate::{attributes, exports, modules, others, sizeof};\n\n",
    );
    for (path, names) in in_modules(api) {
        let _ = writeln!(out, "exports!({path}:\n    {});", names.join("\n    "));
    }
    for of in EXTERNAL {
        let _ =
            writeln!(out, "exports!(modules::{of}_external: {});", external_names(of).join(" "));
    }
    File::rust(&format!("{}/module_symbols.rs", library::MPICH_FOLDER), &out)
}

/// Returns all symbols that the library for MPICH's ABI must export.
pub fn symbols(api: &Api) -> BTreeSet<String> {
    let objects = library::OBJECTS.iter().filter(|name| !name.starts_with("nemesis_f08"));
    let mut names: BTreeSet<String> = objects.map(|name| (*name).into()).collect();
    names.insert("nemesis_f08_buffer_automatic".into());
    names.extend(["mpi_sizeof_", "pmpi_sizeof_"].map(String::from));
    for handle in HANDLES {
        let kind = handle[4..].to_lowercase();
        names.extend([format!("nemesis_{kind}_eq_"), format!("nemesis_{kind}_ne_")]);
    }
    for name in ["argv_null", "argvs_null", "errcodes_ignore", "unweighted", "weights_empty"] {
        names.insert(format!("__mpi_f08_link_constants_MOD_mpi_{name}"));
    }
    for function in procedures(api) {
        names.extend(library::f90_names(function));
        if in_f08(api, function) {
            names.extend(f08_names(api, function));
        }
    }
    for name in ["MPI_F_sync_reg", "PMPI_F_sync_reg"] {
        names.extend(spellings(name));
    }
    names.extend(["mpi_f_sync_reg_f08ts_", "pmpir_f_sync_reg_f08ts_"].map(String::from));
    for (name, _) in predefined_callbacks(api) {
        names.extend(spellings(name));
    }
    names.extend(removed());
    names.extend(in_modules(api).into_iter().flat_map(|(_, names)| names));
    names.extend(EXTERNAL.into_iter().flat_map(external_names));
    names
}
