//! Tries Debian packages in new systems of Debian, each in a folder (debootstrap, chroot).
//!
//! The packages install, programs in C and Fortran run as a user, alternatives switch to MPICH's
//! and back, Open MPI and MPICH lie beside them and their programs run, and removing them leaves
//! nothing.
//!
//! Needs root, for chroot, and a mirror of Debian. Commands run in a mount namespace of their own,
//! so that nothing stays mounted.

use crate::commands::{self, Failure, at, output, run};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Releases of Debian.
const SUITES: [&str; 2] = ["bookworm", "trixie"];

/// The user of the programs.
const USER: &str = "tester";

/// Programs that are compiled there, from the repository's root.
const PROGRAMS: [&str; 3] =
    ["examples/ring.c", "examples/heat.c", "packaging/debian/tests/sum.f90"];

/// Folders whose contents change by other causes than the packages, in the words of find.
const CHANGING: &str = "-path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /home -o \
                        -path /packages -o -path /var/cache -o -path /var/log -o -path \
                        /var/lib/apt -o -path '/var/lib/dpkg/*-old'";

/// Tries the packages in all releases.
pub fn all(root: &Path, packages: &[PathBuf]) -> Result<String, Failure> {
    for suite in SUITES {
        let system = System::new(suite, root, packages)?;
        alone(&system)?;
        beside(&system)?;
        println!("deb: {suite}: installed, run, switched, removed");
    }
    Ok(format!("deb: {} packages work on {}", packages.len(), SUITES.join(" and ")))
}

/// The packages as the only MPI library.
fn alone(system: &System) -> Result<(), Failure> {
    system.root("apt-get install -y --no-install-recommends gcc libc6-dev gfortran pkg-config")?;
    let before = system.files()?;
    system.root("apt-get install -y --no-install-recommends /packages/*.deb")?;
    system.tell("mpicc, mpifort and mpiexec are Nemesis's");
    system.user("mpicc -showme:version | grep Nemesis; mpiexec -V | grep Nemesis")?;
    system.user("mpicc -O2 -o ring ring.c; mpiexec -n 4 ./ring")?;
    system.user("mpicc -O2 -o heat heat.c -lm; mpirun -n 4 ./heat")?;
    system.user("mpifort -O2 -o sum sum.f90; mpiexec -n 4 ./sum | grep 'the sum is 10'")?;
    system.tell("mpi.h, -lmpi and mpi.pc are Nemesis's, and the loader finds the library");
    system.user(
        "here=/usr/include/$(gcc -print-multiarch)/mpi; gcc -I$here -o plain ring.c -lmpi; \
         mpiexec -n 4 ./plain; gcc -o by_name ring.c $(pkg-config --cflags --libs mpi); \
         mpiexec -n 4 ./by_name",
    )?;
    system.user("nemesis info >/dev/null; zcat /usr/share/man/man1/mpicc.1.gz | grep -q MPI")?;
    system.tell("removing leaves nothing");
    system.root("apt-get purge -y --autoremove 'nemesis-mpi*' 'libnemesis-mpi*'")?;
    let after = system.files()?;
    let left: Vec<&str> = after.difference(&before).map(String::as_str).collect();
    let lost: Vec<&str> = before.difference(&after).map(String::as_str).collect();
    if left.is_empty() && lost.is_empty() {
        return Ok(());
    }
    Err(format!("{}: left: {}; lost: {}", system.suite, left.join(" "), lost.join(" ")))
}

/// The packages beside those of MPICH and Open MPI.
fn beside(system: &System) -> Result<(), Failure> {
    system.root(
        "apt-get install -y --no-install-recommends mpich libmpich-dev openmpi-bin libopenmpi-dev",
    )?;
    system.root("apt-get install -y --no-install-recommends /packages/*.deb")?;
    system.tell("Debian's default stays");
    system.user("mpicc -show | grep openmpi; mpicc.nemesis -show | grep nemesis")?;
    system.tell("Open MPI's programs run on Nemesis's library");
    system.user(
        "mpicc.openmpi -O2 -o ring.openmpi ring.c; mpifort.openmpi -O2 -o sum.openmpi sum.f90; \
         for program in ring sum; do mpiexec.nemesis -n 1 ldd ./$program.openmpi | \
         grep '/nemesis/openmpi/libmpi.so.40'; done; mpiexec.nemesis -n 4 ./ring.openmpi; \
         mpiexec.nemesis -n 4 ./sum.openmpi | grep 'the sum is 10'",
    )?;
    // Debian's MPICH waits without leaving the processor to others: with more ranks than processors
    // the ring takes minutes.
    for (library, include, ranks) in [("nemesis", "nemesis/include", 4), ("mpich", "mpich", 2)] {
        system.tell(&format!("alternatives choose {library}"));
        system.root(&format!(
            "update-alternatives --set mpi /usr/bin/mpicc.{library}; \
             update-alternatives --set mpirun /usr/bin/mpirun.{library}; \
             name=mpi-$(gcc -print-multiarch); update-alternatives --set $name \
             $(update-alternatives --list $name | grep '/{include}$')"
        ))?;
        system.user(&format!(
            "mpicc -show | grep {library}; mpicc -O2 -o ring.{library} ring.c; \
             mpiexec -n {ranks} ./ring.{library}; mpifort -O2 -o sum.{library} sum.f90; \
             mpiexec -n 4 ./sum.{library} | grep 'the sum is 10'; \
             ldd ./sum.{library} | grep {library}"
        ))?;
    }
    system.tell("MPICH's programs run on Nemesis's library");
    system.user(
        "export LD_LIBRARY_PATH=/usr/lib/$(gcc -print-multiarch)/nemesis/lib; \
         ldd ring.mpich | grep nemesis; mpiexec.nemesis -n 4 ./ring.mpich",
    )?;
    system.tell("so do those in Fortran, with either library of Fortran");
    system.user(
        "own=/usr/lib/$(gcc -print-multiarch)/nemesis/lib; export LD_LIBRARY_PATH=$own; \
         mpiexec.nemesis -n 4 ./sum.mpich | grep 'the sum is 10'; \
         LD_LIBRARY_PATH=$own/nemesis/mpich-fortran:$own; \
         ldd sum.mpich | grep '/nemesis/mpich-fortran/libmpichfort'; \
         mpiexec.nemesis -n 4 ./sum.mpich | grep 'the sum is 10'",
    )?;
    system.root("for name in mpi mpirun; do update-alternatives --auto $name; done")?;
    system.root("apt-get purge -y 'nemesis-mpi*' 'libnemesis-mpi*'")?;
    system.tell("the others stay when Nemesis goes");
    system.user("mpicc -show | grep openmpi; mpicc.mpich -o last ring.c; mpiexec.mpich -n 2 ./last")
}

/// A system of Debian in a folder, which goes when this value does.
struct System {
    suite: &'static str,
    folder: PathBuf,
}

impl System {
    /// Makes a minimal system that has the packages and the programs' sources.
    fn new(suite: &'static str, root: &Path, packages: &[PathBuf]) -> Result<System, Failure> {
        let name = format!("nemesis-deb-{suite}-{}", std::process::id());
        let system = System { suite, folder: std::env::temp_dir().join(name) };
        let folder = &system.folder;
        system.tell("a new system");
        output(Command::new("debootstrap").args(["--variant=minbase", suite]).arg(folder))?;
        for file in ["resolv.conf", "hosts"] {
            let from = Path::new("/etc").join(file);
            let to = folder.join("etc").join(file);
            fs::copy(&from, &to).map_err(at(&from))?;
        }
        system.root(&format!("apt-get update; useradd --create-home --shell /bin/sh {USER}"))?;
        let copies = folder.join("packages");
        fs::create_dir(&copies).map_err(at(&copies))?;
        for package in packages {
            run(Command::new("cp").arg(package).arg(&copies))?;
        }
        for program in PROGRAMS {
            let home = folder.join("home").join(USER);
            run(Command::new("cp").arg(root.join(program)).arg(home))?;
        }
        Ok(system)
    }

    /// Says what comes next.
    fn tell(&self, what: &str) {
        println!("deb: {}: {what}", self.suite);
    }

    /// Runs a script as root.
    fn root(&self, script: &str) -> Result<(), Failure> {
        self.run(&format!("export DEBIAN_FRONTEND=noninteractive; {script}")).map(drop)
    }

    /// Runs a script as a user, in the user's folder.
    fn user(&self, script: &str) -> Result<(), Failure> {
        let quoted = script.replace('\'', r"'\''");
        self.run(&format!("cd /home/{USER}; runuser -u {USER} -- sh -ec '{quoted}'")).map(drop)
    }

    /// Returns the paths of all files that packages may have brought.
    fn files(&self) -> Result<BTreeSet<String>, Failure> {
        let text = self.run(&format!("find / -xdev \\( {CHANGING} \\) -prune -o -print"))?;
        Ok(text.lines().map(str::to_owned).collect())
    }

    /// Runs a script in the system and returns its output. It ends at the first command that fails.
    fn run(&self, script: &str) -> Result<String, Failure> {
        let mounted = format!(
            "mount -t proc proc /proc; mkdir -p /dev/shm; mount -t tmpfs tmpfs /dev/shm; {script}"
        );
        let mut command = Command::new("unshare");
        command.args(["--mount", "--pid", "--fork", "--kill-child", "chroot"]).arg(&self.folder);
        command.args(["/bin/sh", "-ec", &mounted]);
        command.env_clear().env("LC_ALL", "C").env("HOME", format!("/home/{USER}"));
        command.env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        output(&mut command).map_err(|failure| format!("{}: {failure}", self.suite))
    }
}

impl Drop for System {
    fn drop(&mut self) {
        if let Err(failure) = commands::remove(&self.folder) {
            eprintln!("deb: {failure}");
        }
    }
}
