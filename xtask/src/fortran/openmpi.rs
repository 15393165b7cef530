//! What programs that were compiled with Open MPI's `mpif.h`, `mpi` and `mpi_f08` need of the
//! library: Open MPI's names of the procedures, and the symbols of its modules as gfortran spells
//! them. `api/openmpi_fortran.txt` lists those of Open MPI 4.1 and 5.0, and the library must have
//! them all.

use super::{in_f08, library, predefined_callbacks, procedures, removed, spellings};
use crate::api::{Api, Function, HANDLES};
use crate::output::File;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Returns the symbols of a procedure for `mpi_f08`, which takes the addresses of choice buffers.
pub fn f08_names(function: &Function) -> [String; 2] {
    ["", "p"].map(|start| format!("{start}{}_f08_", function.name.to_lowercase()))
}

/// Returns the symbols of Open MPI 4.1 and 5.0 that programs can refer to.
fn known(api: &Api) -> Vec<String> {
    let path = api.root.join("api/openmpi_fortran.txt");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().filter(|line| !line.starts_with('#')).map(String::from).collect()
}

/// Returns the names of the kinds of handles that a module of Open MPI 4 and 5 knows.
fn kinds() -> impl Iterator<Item = String> {
    HANDLES.into_iter().map(|handle| handle[4..].to_lowercase())
}

/// The modules that have the types of handles and their comparisons: that of Open MPI 4.1, and that
/// of 5.0.
const OF_4: &str = "mpi_f08_types";
const OF_5: &str = "mpi_types";

/// Types that `MPI_Sizeof` knows, with their bytes.
const SIZES: [(&str, u32); 12] = [
    ("character", 1),
    ("complex128", 32),
    ("complex32", 8),
    ("complex64", 16),
    ("int16", 2),
    ("int32", 4),
    ("int64", 8),
    ("int8", 1),
    ("logical", 4),
    ("real128", 16),
    ("real32", 4),
    ("real64", 8),
];

/// Returns the names of `MPI_Sizeof` for a type: a scalar, and arrays of up to 15 dimensions.
fn sizeof_names(of: &str) -> Vec<String> {
    let ranks = (1..=15).map(|rank| format!("r{rank}")).chain(["scalar".into()]);
    ranks
        .flat_map(|rank| ["mpi", "pmpi"].map(|start| format!("{start}_sizeof_{of}_{rank}_")))
        .collect()
}

/// Returns the procedures in modules, each with its symbols.
fn in_modules(api: &Api) -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    for (path, word) in [("others::equal", "eq"), ("others::different", "ne")] {
        let in_module = |module: &'static str| {
            kinds().map(move |kind| format!("__{module}_MOD_ompi_{kind}_op_{word}"))
        };
        all.push((path.into(), [OF_4, OF_5].into_iter().flat_map(in_module).collect()));
    }
    for (name, _) in predefined_callbacks(api) {
        let path = match name {
            "MPI_NULL_COPY_FN" | "MPI_DUP_FN" | "MPI_NULL_DELETE_FN" => continue,
            _ if name.contains("CONVERSION") => "others::conversion_fn_null",
            _ if name.ends_with("NULL_COPY_FN") => "attributes::null_copy",
            _ if name.ends_with("DUP_FN") => "attributes::dup",
            _ => "attributes::delete",
        };
        let symbol = format!("__mpi_f08_callbacks_MOD_{}", name.to_lowercase());
        all.push((path.into(), vec![symbol]));
    }
    for (of, bytes) in SIZES {
        all.push((format!("sizeof::of::<{bytes}>"), sizeof_names(of)));
    }
    all
}

/// Handles of Open MPI's module that are no constants of the standard, and their numbers.
const OTHER_HANDLES: [(&str, i32); 5] = [
    ("mpi_2complex", 26),
    ("mpi_2double_complex", 27),
    ("mpi_cxx_complex", 55),
    ("mpi_integer16", 12),
    ("mpi_real2", 28),
];

/// Returns the symbols of the module's handles with their numbers.
fn handles(api: &Api) -> Vec<(String, i32)> {
    let named = api.constants.iter().filter_map(|constant| {
        let number = constant.openmpi_fortran?;
        Some((constant.name.to_lowercase(), number))
    });
    let mut all: Vec<(String, i32)> =
        named.chain(OTHER_HANDLES.map(|(name, number)| (name.into(), number))).collect();
    all.iter_mut().for_each(|(name, _)| *name = format!("__mpi_f08_types_MOD_{name}"));
    all
}

/// The types of the modules of Open MPI 4.1 and of 5.0, and the hashes by which gfortran tells them
/// apart where a variable may have any type (`CLASS(*)`).
const CLASSES: [(&str, &str, u32); 23] = [
    (OF_4, "comm", 73_600_949),
    (OF_4, "datatype", 86_896_269),
    (OF_4, "errhandler", 15_118_478),
    (OF_4, "file", 70_760_613),
    (OF_4, "group", 20_619_574),
    (OF_4, "info", 53_436_151),
    (OF_4, "message", 90_857_150),
    (OF_4, "op", 68_037_098),
    (OF_4, "request", 92_555_974),
    (OF_4, "status", 3_872_507),
    (OF_4, "win", 58_701_395),
    (OF_5, "comm", 65_123_268),
    (OF_5, "datatype", 29_694_876),
    (OF_5, "errhandler", 15_295_773),
    (OF_5, "file", 62_282_932),
    (OF_5, "group", 84_906_471),
    (OF_5, "info", 44_958_470),
    (OF_5, "message", 93_716_975),
    (OF_5, "op", 62_794_105),
    (OF_5, "request", 95_415_799),
    (OF_5, "session", 44_324_094),
    (OF_5, "status", 13_675_146),
    (OF_5, "win", 12_067_460),
];

/// Returns the bytes of a type: a handle is one integer, a status six.
fn bytes_of(class: &str) -> u32 {
    if class == "status" { 24 } else { 4 }
}

/// Returns the symbols of a type's description, its first value and its copy.
fn class_names(module: &str, of: &str) -> [String; 3] {
    ["vtab", "def_init", "copy"].map(|what| format!("__{module}_MOD___{what}_{module}_Mpi_{of}"))
}

/// Returns the file of the symbols that Open MPI's modules need.
pub fn generate(api: &Api) -> File {
    let mut out = String::from(
        "//! The symbols of Open MPI's modules, as gfortran spells them.\n\n\
         use crate::modules::Class;\n\
         use crate::{attributes, classes, exports, modules, others, sizeof};\n\
         use std::ffi::c_int;\n\n",
    );
    for (path, names) in in_modules(api) {
        let _ = writeln!(out, "exports!({path}:\n    {});", names.join("\n    "));
    }
    for (name, number) in handles(api) {
        let _ = writeln!(out, "#[unsafe(no_mangle)]\npub static {name}: c_int = {number};");
    }
    out.push_str("\nclasses! {\n");
    for (module, of, hash) in CLASSES {
        let [table, first, copy] = class_names(module, of);
        let bytes = bytes_of(of);
        let _ = writeln!(out, "    {table}\n        {first}\n        {copy}: {bytes} {hash};");
    }
    out.push_str("}\n");
    File::rust(&format!("{}/module_symbols.rs", library::OPENMPI_FOLDER), &out)
}

/// Returns all symbols that the library for Open MPI's ABI must export.
pub fn symbols(api: &Api) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = BLOCKS.map(|name| format!("mpi_fortran_{name}_")).into();
    for name in ["double_bytes", "false", "integer_bytes", "real_bytes", "true"] {
        names.insert(format!("nemesis_fortran_{name}"));
    }
    for function in procedures(api) {
        names.extend(library::f90_names(function));
        if in_f08(api, function) && function.large_of.is_none() {
            names.extend(f08_names(function));
        }
    }
    for name in ["MPI_F_sync_reg", "PMPI_F_sync_reg"] {
        names.extend(spellings(name));
    }
    names.extend(["mpi_f_sync_reg_f08_", "pmpi_f_sync_reg_f08_"].map(String::from));
    for (name, _) in predefined_callbacks(api) {
        names.extend(spellings(name));
    }
    names.extend(removed());
    names.extend(in_modules(api).into_iter().flat_map(|(_, names)| names));
    names.extend(handles(api).into_iter().map(|(name, _)| name));
    names.extend(CLASSES.into_iter().flat_map(|(module, of, _)| class_names(module, of)));
    names.extend(known(api));
    names
}

/// The COMMON blocks of the constants that are known by their addresses.
const BLOCKS: [&str; 9] = [
    "argv_null",
    "argvs_null",
    "bottom",
    "errcodes_ignore",
    "in_place",
    "status_ignore",
    "statuses_ignore",
    "unweighted",
    "weights_empty",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_handle_of_the_module_has_one_number() {
        let api = Api::load(&crate::root());
        let all = handles(&api);
        let names: BTreeSet<&String> = all.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), all.len());
    }
}
