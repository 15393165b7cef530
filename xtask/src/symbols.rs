//! `cargo xtask abi`: compares the symbols that the built libraries export with the table. A
//! missing and an additional symbol are errors.

use crate::api::{Abi, Api, Constant};
use crate::constants::OTHER_OBJECTS;
use crate::fortran;
use object::{Object, ObjectSymbol};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

pub fn check(api: &Api) -> ExitCode {
    let mut failed = false;
    let libraries = [
        ("libmpi_abi.so", expected(api, Abi::Standard)),
        ("libmpi.so", expected(api, Abi::Mpich)),
        ("libmpi_openmpi.so", expected(api, Abi::Openmpi)),
        ("libmpifort_abi.so", fortran::symbols(api)),
        ("libmpifort.so", fortran::mpich_symbols(api)),
        ("libmpi_mpifh.so", fortran::openmpi_symbols(api)),
    ];
    for (file, expected) in libraries {
        let Some(path) = built(&api.root, file) else {
            eprintln!(
                "{file} is not built: cargo build --release -p nemesis-abi-standard \
                 -p nemesis-abi-mpich -p nemesis-abi-openmpi -p nemesis-abi-fortran \
                 -p nemesis-abi-fortran-mpich -p nemesis-abi-fortran-openmpi"
            );
            failed = true;
            continue;
        };
        let exported = exported(&path);
        for name in expected.difference(&exported) {
            eprintln!("{}: {name} is missing", path.display());
            failed = true;
        }
        for name in exported.difference(&expected) {
            eprintln!("{}: {name} is exported, but not in the table", path.display());
            failed = true;
        }
        println!("{}: {} symbols", path.display(), exported.len());
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// Returns the newest build of the library.
fn built(root: &Path, file: &str) -> Option<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    ["release", "debug"]
        .iter()
        .map(|profile| target.join(profile).join(file))
        .filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path)))
        .max()
        .map(|(_, path)| path)
}

/// Symbols that `libmpifort_abi.so.1` and conversions of statuses need
/// (`crates/capi/standard/src/fortran.rs`).
const OWN_FORTRAN_SYMBOLS: [&str; 9] = [
    "MPI_F08_STATUSES_IGNORE",
    "MPI_F08_STATUS_IGNORE",
    "MPI_F_STATUSES_IGNORE",
    "MPI_F_STATUS_IGNORE",
    "nemesis_fortran_create_keyval",
    "nemesis_fortran_get_attr",
    "nemesis_fortran_keep_copies",
    "nemesis_fortran_request_left",
    "nemesis_fortran_set_attr",
];

/// Symbols that Fortran libraries made for the MPICH ABI need (`crates/capi/mpich/src/fortran.rs`).
const MPICH_FORTRAN_SYMBOLS: [&str; 16] = [
    "MPII_Comm_get_attr",
    "MPII_Comm_set_attr",
    "MPII_Grequest_set_lang_f77",
    "MPII_Keyval_set_proxy",
    "MPII_Type_get_attr",
    "MPII_Type_set_attr",
    "MPII_Win_get_attr",
    "MPII_Win_set_attr",
    "MPIR_C_MPI_UNWEIGHTED",
    "MPIR_C_MPI_WEIGHTS_EMPTY",
    "MPIR_F08_MPI_BOTTOM",
    "MPIR_F08_MPI_IN_PLACE",
    "MPIR_F08_MPI_STATUSES_IGNORE_OBJ",
    "MPIR_F08_MPI_STATUS_IGNORE_OBJ",
    "nemesis_fortran_keep_copies",
    "nemesis_fortran_request_left",
];

/// Symbols that `libmpi_mpifh.so.40` and C programs with statuses of Fortran need
/// (`crates/capi/openmpi/src/fortran.rs`).
const OPENMPI_FORTRAN_SYMBOLS: [&str; 13] = [
    "MPI_F08_STATUSES_IGNORE",
    "MPI_F08_STATUS_IGNORE",
    "MPI_F_STATUSES_IGNORE",
    "MPI_F_STATUS_IGNORE",
    "nemesis_fortran_comm_create_errhandler",
    "nemesis_fortran_create_keyval",
    "nemesis_fortran_file_create_errhandler",
    "nemesis_fortran_get_attr",
    "nemesis_fortran_op_create",
    "nemesis_fortran_request_left",
    "nemesis_fortran_session_create_errhandler",
    "nemesis_fortran_set_attr",
    "nemesis_fortran_win_create_errhandler",
];

/// Functions that Open MPI has beside those of the table (`extensions.rs` and `extras.rs` in
/// `crates/capi/openmpi/src`).
const OPENMPI_EXTENSIONS: [&str; 4] = [
    "MPI_Session_set_info",
    "OMPI_Affinity_str",
    "PMPI_Session_set_info",
    "ompi_op_set_cxx_callback",
];

/// The symbol that `libnemesis_profiler.so` needs of both libraries (`crates/capi/src/profile.rs`).
const PROFILE_SYMBOL: &str = "nemesis_profile_query";

fn expected(api: &Api, abi: Abi) -> BTreeSet<String> {
    let mut names = BTreeSet::from([PROFILE_SYMBOL.to_owned()]);
    for function in api.exported(abi) {
        names.insert(function.name.clone());
        names.insert(format!("P{}", function.name));
    }
    if abi == Abi::Standard {
        names.extend(OWN_FORTRAN_SYMBOLS.map(String::from));
    }
    if abi == Abi::Mpich {
        names.insert("MPIR_Dup_fn".into());
        names.extend(MPICH_FORTRAN_SYMBOLS.map(String::from));
        let objects = api.constants.iter().filter_map(|constant| constant.mpich.as_ref()?.as_str());
        names.extend(objects.map(String::from));
    }
    if abi == Abi::Openmpi {
        names.extend(OPENMPI_EXTENSIONS.map(String::from));
        names.extend(OPENMPI_FORTRAN_SYMBOLS.map(String::from));
        names.extend(OTHER_OBJECTS.map(|(symbol, ..)| symbol.into()));
        let symbols = api.constants.iter().filter_map(Constant::openmpi_symbol);
        names.extend(symbols.map(String::from));
    }
    names
}

fn exported(path: &Path) -> BTreeSet<String> {
    let data = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let file = object::File::parse(&*data).expect("the library is an object file");
    file.dynamic_symbols()
        .filter(|symbol| symbol.is_definition() && symbol.is_global())
        .map(|symbol| symbol.name().expect("a symbol has a name").to_string())
        .collect()
}
