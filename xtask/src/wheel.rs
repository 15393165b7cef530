//! `wheel [ARCH]`: packs a release build as a Python wheel, which `pip` installs.
//!
//! The libraries are linked by [cargo-zigbuild] against the symbols of an old glibc, so that one
//! wheel serves every distribution since then. The wheel holds an installation as `scripts/install`
//! makes it, under the environment's own prefix. Wheels know no symbolic links: a link for the
//! linker becomes a linker script, a second name of a program a short script, that of a manual page
//! a page that includes the other one, and that of a library an empty library that needs the other
//! one. Module files of Fortran compilers are left out; `mpifort` compiles them into the user's
//! cache when it is first called. `check` tries the wheel.
//!
//! [cargo-zigbuild]: https://github.com/rust-cross/cargo-zigbuild

mod check;
mod scene;

pub use check::check as check_installed;

use crate::commands::{self, Failure, at, remove, run};
use crate::dist::licences;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Oldest glibc that the wheel runs with; manylinux's tag of this version.
const GLIBC: (u32, u32) = (2, 28);

/// Packages of PyPI that build, pack and check the wheel.
const TOOLS: [&str; 4] = ["cargo-zigbuild==0.24.1", "ziglang==0.17.1", "wheel", "auditwheel"];

/// What an index of packages shows of the wheel.
const DESCRIPTION: &str = "\
MPI 5.0 library with its launcher, compilers' wrappers and tools, for Linux. mpi4py finds it in its
environment without a variable:

    python3 -m venv env
    env/bin/pip install nemesis-mpi mpi4py
    env/bin/mpiexec -n 4 env/bin/python -m mpi4py.bench helloworld

`mpicc`, `mpicxx` and `mpifort` of the environment compile for the standard ABI of MPI 5.0, with
`.mpich` at the end of their names for MPICH's ABI. `mpifort` keeps the module files of each
compiler in `~/.cache/nemesis`. `nemesis doctor` says what would keep a program from running, such
as another wheel with an MPI library in the same environment.
";

/// Builds the wheel of `architecture` (of this machine by default) in `build/wheel`.
pub fn make(root: &Path, architecture: Option<&str>) -> ExitCode {
    let made = build_and_pack(root, architecture.unwrap_or(std::env::consts::ARCH));
    commands::end(
        "wheel",
        made.map(|wheel| {
            let bytes = fs::metadata(&wheel).map_or(0, |file| file.len());
            format!("{} ({:.1} MB)", wheel.display(), bytes as f64 / 1e6)
        }),
    )
}

fn build_and_pack(root: &Path, architecture: &str) -> Result<PathBuf, Failure> {
    let folder = root.join("build/wheel");
    let own = commands::copy_of_this_program(&folder)?;
    let tools = tools(&folder.join("tools"))?;
    let triple = format!("{architecture}-unknown-linux-gnu");
    let target = folder.join("target");
    eprintln!("wheel: compiling for {triple}, glibc {}.{}", GLIBC.0, GLIBC.1);
    let path = std::env::var("PATH").unwrap_or_default();
    run(Command::new("cargo")
        .args(["zigbuild", "--release", "--target", &format!("{triple}.{}.{}", GLIBC.0, GLIBC.1)])
        .env("PATH", format!("{}:{path}", tools.display()))
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
        .current_dir(root))?;

    let version = env!("CARGO_PKG_VERSION");
    let tree = folder.join(format!("nemesis_mpi-{version}"));
    remove(&tree)?;
    let data = tree.join(format!("nemesis_mpi-{version}.data/data"));
    run(Command::new(root.join("scripts/install"))
        .arg(&data)
        .env("CARGO_TARGET_DIR", target.join(&triple))
        .env("NEMESIS_XTASK", own))?;
    let linker = Linker { python: tools.join("python"), architecture };
    adapt(&data, &linker)?;
    let metadata = tree.join(format!("nemesis_mpi-{version}.dist-info"));
    let tag = format!("manylinux_{}_{}_{architecture}", GLIBC.0, GLIBC.1);
    describe(root, &metadata, version, &tag)?;
    run(Command::new(tools.join("python"))
        .args(["-m", "wheel", "pack", "--dest-dir"])
        .arg(&folder)
        .arg(&tree))?;
    remove(&tree)?;
    let wheel = folder.join(format!("nemesis_mpi-{version}-py3-none-{tag}.whl"));
    check(&tools, &wheel, &tag)?;
    Ok(wheel)
}

/// Returns the folder of programs of a Python environment that has [`TOOLS`].
fn tools(folder: &Path) -> Result<PathBuf, Failure> {
    let programs = folder.join("bin");
    let done = folder.join("complete");
    if fs::read_to_string(&done).is_ok_and(|list| list == TOOLS.join(" ")) {
        return Ok(programs);
    }
    eprintln!("wheel: installing {}", TOOLS.join(", "));
    remove(folder)?;
    run(Command::new("python3").args(["-m", "venv"]).arg(folder))?;
    run(Command::new(programs.join("pip")).args(["install", "--quiet"]).args(TOOLS))?;
    fs::write(&done, TOOLS.join(" ")).map_err(at(&done))?;
    Ok(programs)
}

/// Turns an installation into what a wheel can hold.
fn adapt(data: &Path, linker: &Linker) -> Result<(), Failure> {
    for name in [
        "lib/nemesis/fortran",
        "lib/nemesis/fortran-mpich",
        "lib/pkgconfig/nemesis-fortran.pc",
        "lib/pkgconfig/mpi-fort.pc",
        // pip keeps a list of its own.
        "share/nemesis/files",
    ] {
        let path = data.join(name);
        match fs::symlink_metadata(&path) {
            Ok(entry) if entry.is_dir() => commands::remove(&path)?,
            Ok(_) => fs::remove_file(&path).map_err(at(&path))?,
            Err(_) => {}
        }
    }
    replace_links(data, linker)
}

/// Replaces the symbolic links below `folder`.
fn replace_links(folder: &Path, linker: &Linker) -> Result<(), Failure> {
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let entry = entry.map_err(at(folder))?;
        let path = entry.path();
        let kind = entry.file_type().map_err(at(&path))?;
        if kind.is_dir() {
            replace_links(&path, linker)?;
        } else if kind.is_symlink() {
            let target = fs::read_link(&path).map_err(at(&path))?;
            fs::remove_file(&path).map_err(at(&path))?;
            match stands_for_link(&path, &target) {
                Some((text, mode)) => {
                    commands::write(&path, &text)?;
                    let mode = fs::Permissions::from_mode(mode);
                    fs::set_permissions(&path, mode).map_err(at(&path))?;
                }
                None => linker.second_name(&path, &target)?,
            }
        }
    }
    Ok(())
}

/// Returns text and mode of the file that replaces the link `path` to `target`, or `None` if it is
/// a second name under which programs load a library.
fn stands_for_link(path: &Path, target: &Path) -> Option<(String, u32)> {
    let target = target.display();
    if path.extension().is_some_and(|extension| extension == "so") {
        return Some((format!("INPUT({target})\n"), 0o644));
    }
    let folder = path.parent()?.file_name()?.to_str()?;
    if folder.starts_with("man") {
        return Some((format!(".so {folder}/{target}\n"), 0o644));
    }
    if folder == "bin" {
        let text = format!(
            "#!/bin/sh\n# A second name of {target}.\n\
             self=$(readlink -f -- \"$0\") || exit 1\nexec \"${{self%/*}}/{target}\" \"$@\"\n"
        );
        return Some((text, 0o755));
    }
    None
}

/// The linker for the wheel's processor, which comes with [`TOOLS`].
struct Linker<'a> {
    python: PathBuf,
    architecture: &'a str,
}

impl Linker<'_> {
    /// Makes `path` a library without code that needs the library `target` beside it.
    fn second_name(&self, path: &Path, target: &Path) -> Result<(), Failure> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        run(Command::new(&self.python)
            .args(["-m", "ziglang", "cc", "-target"])
            .arg(format!("{}-linux-gnu.{}.{}", self.architecture, GLIBC.0, GLIBC.1))
            .args(["-shared", "-nostdlib", "-s", "-x", "c", "/dev/null", "-x", "none"])
            .args([&format!("-Wl,-soname,{name}"), "-Wl,-rpath,$ORIGIN", "-Wl,--no-as-needed"])
            .arg(path.with_file_name(target))
            .arg("-o")
            .arg(path))
    }
}

/// Writes the files that describe the wheel to installers, and the licences.
fn describe(root: &Path, folder: &Path, version: &str, tag: &str) -> Result<(), Failure> {
    let of_crates = licences::FILE;
    let licenses = licences::expression(root)?;
    for (file, text) in [
        ("licenses/LICENSE", commands::read(&root.join("LICENSE"))?),
        (&format!("licenses/{of_crates}"), licences::of_programs(root)?),
        (
            "METADATA",
            format!(
                "Metadata-Version: 2.4\nName: nemesis-mpi\nVersion: {version}\n\
                 Summary: MPI 5.0 library with its launcher, compilers' wrappers and tools\n\
                 License-Expression: {licenses}\nLicense-File: LICENSE\n\
                 License-File: {of_crates}\nRequires-Python: >=3.8\n\
                 Classifier: Operating System :: POSIX :: Linux\n\
                 Description-Content-Type: text/markdown\n\n{DESCRIPTION}"
            ),
        ),
        (
            "WHEEL",
            format!(
                "Wheel-Version: 1.0\nGenerator: cargo xtask wheel\nRoot-Is-Purelib: false\n\
                 Tag: py3-none-{tag}\n"
            ),
        ),
    ] {
        commands::write(&folder.join(file), &text)?;
    }
    Ok(())
}

/// Compares the wheel with the policy of its tag: symbols that are too new, and libraries that not
/// every system has.
fn check(tools: &Path, wheel: &Path, tag: &str) -> Result<(), Failure> {
    let shown = Command::new(tools.join("auditwheel"))
        .arg("show")
        .arg(wheel)
        .output()
        .map_err(|error| format!("auditwheel: {error}"))?;
    let text = String::from_utf8_lossy(&shown.stdout).replace('\n', " ");
    if shown.status.success() && text.contains(&format!("\"{tag}\"")) {
        return Ok(());
    }
    Err(format!(
        "auditwheel does not find {} consistent with {tag}:\n{text}{}",
        wheel.display(),
        String::from_utf8_lossy(&shown.stderr)
    ))
}
