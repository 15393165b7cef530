//! Makes the number of the build (`src/build.rs`): a hash of the sources that define what processes
//! of a job, their launchers and processes of connected jobs tell each other, and in which order.

use std::path::{Path, PathBuf};
use std::{env, fs};

/// What is hashed, relative to the folder of all crates: the formats, the protocols, and the
/// algorithms, which all processes of a collective operation must choose alike. What the other
/// crates do concerns one process only.
const SOURCES: [&str; 24] = [
    "cipher/src",
    "datatype/src",
    "mpi/src",
    "mpi-check/src",
    "mpi-coll/src",
    "mpi-core/src",
    "mpi-io/src",
    "mpi-objects/src",
    "mpi-rma/src",
    "mpiexec/src/binding/objects.rs",
    "mpiexec/src/launch_spec.rs",
    "mpiexec/src/options/plan.rs",
    "mpiexec/src/tree",
    "nemesis/src",
    "netmod/src",
    "netmods/ofi/src",
    "netmods/tcp/src",
    "netmods/verbs/src",
    "profile/src/layout.rs",
    "rwapi/src",
    "shm/src",
    "sys/src/mapping.rs",
    "wire/src",
    "wireup/src",
];

fn main() {
    let crates = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("..");
    println!("cargo:rerun-if-changed=build.rs");
    let mut files = Vec::new();
    for source in SOURCES {
        println!("cargo:rerun-if-changed={}", crates.join(source).display());
        collect(&crates.join(source), &mut files);
    }
    // The order of a folder's entries differs from host to host.
    files.sort();
    let mut hash = Fnv::new();
    for file in &files {
        let name = file.strip_prefix(&crates).unwrap_or(file);
        hash.add(name.as_os_str().as_encoded_bytes());
        hash.add(&read(fs::read(file), file));
    }
    // The layout of shared memory and the formats of numbers depend on the processor.
    hash.add(env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default().as_bytes());
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    println!("cargo:rustc-env=WIREUP_BUILD={version}-{:016x}", hash.0);
}

/// Adds a file, or all files of a folder and of those in it.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if !path.is_dir() {
        return files.push(path.to_owned());
    }
    for entry in read(fs::read_dir(path), path).flatten() {
        collect(&entry.path(), files);
    }
}

/// Returns what was read.
///
/// # Panics
///
/// If it was not, which ends the build with this message.
fn read<T>(outcome: std::io::Result<T>, path: &Path) -> T {
    outcome.unwrap_or_else(|why| panic!("{}: {why}; try: a complete checkout", path.display()))
}

/// The hash FNV-1a of 64 bits. It tells builds apart and protects nothing.
struct Fnv(u64);

impl Fnv {
    fn new() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes and their number, so that the border between two texts counts.
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes.iter().chain(&(bytes.len() as u64).to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
