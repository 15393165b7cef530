//! The binary interface: layouts and constants of the headers (C and C++), one program compiled for
//! each ABI that must print equal outputs, the functions that Fortran libraries need, a profiling
//! tool that must see every call, one program on two libraries, and programs of Open MPI's ABI. The
//! exported symbols are checked by `cargo xtask abi`.

use crate::launcher::{Launcher, prterun_line};
use crate::places;
use crate::scene::Scene;
use crate::suite::{Suite, Sum};
use std::process::Command;

/// The ABIs: the folder of the header, the linker's name of the library.
const ABIS: [(&str, &str); 2] = [("standard", "mpi_abi"), ("mpich", "mpi")];

pub fn run(wanted: &[String]) -> Sum {
    let scene = Scene::new("abi");
    scene.install("libmpi_abi.so", "libmpi_abi.so");
    scene.install("libmpi.so", "libmpi.so");
    scene.install("libmpi.so", "libmpi.so.12");
    let mut suite = Suite::default();
    for (abi, library) in ABIS {
        suite.beside(format!("layout-{abi}"), move |scene| {
            let source = format!("tests/abi/{abi}.c");
            compile(scene, abi, library, "-std=c11", &source, &format!("layout-{abi}"));
            scene.job(&format!("./layout-{abi}")).run().code(0);
        });
        for standard in ["c++11", "c++20"] {
            suite.beside(format!("header-{abi}-{standard}"), move |_| accepts(abi, standard));
        }
        suite.beside(format!("profile-{abi}"), move |scene| profile(scene, abi, library));
    }
    suite.beside("objects", |scene| {
        let outputs = ABIS.map(|(abi, library)| {
            let program = format!("objects-{abi}");
            compile(scene, abi, library, "-std=c11", "tests/abi/objects.c", &program);
            let ended = scene.job(&format!("./{program}")).run();
            ended.code(0);
            ended.output
        });
        assert!(!outputs[0].is_empty(), "there is no output");
        assert_eq!(outputs[0], outputs[1], "the ABIs differ");
    });
    // Functions of MPI-1 that MPI 3.0 removed, and functions for Fortran libraries built for MPICH.
    suite.beside("removed", |scene| {
        compile(scene, "mpich", "mpi", "-std=gnu11 -O2", "tests/abi/removed.c", "removed");
        scene.job("./removed").run().code(0);
    });
    suite.beside("fortran", |scene| {
        let options = "-std=gnu11 -O2 -Wno-cast-function-type";
        compile(scene, "mpich", "mpi", options, "tests/abi/fortran.c", "fortran");
        scene.job("./fortran").run().code(0);
    });
    for shared in ["on", "off"] {
        suite.beside(format!("progress-thread-shm-{shared}"), move |scene| {
            let program = format!("progress-thread-{shared}");
            compile(
                scene,
                "mpich",
                "mpi",
                "-std=gnu11 -O2",
                "tests/abi/progress_thread.c",
                &program,
            );
            let file = scene.fresh(&program);
            let job = format!("./prefix/bin/mpiexec -n 2 ./{program} {}", file.display());
            scene.job(&job).env("NEMESIS_SHM", shared).run().code(0);
        });
    }
    for shared in ["on", "off"] {
        suite.beside(format!("extensions-shm-{shared}"), move |scene| {
            let (options, program) = ("-std=gnu11 -O2", format!("extensions-{shared}"));
            compile(scene, "mpich", "mpi", options, "tests/abi/extensions.c", &program);
            let job = format!("./prefix/bin/mpiexec -n 2 ./{program}");
            scene.job(&job).env("NEMESIS_SHM", shared).run().code(0);
        });
    }
    suite.beside("streams", |scene| {
        let program = "mpich-streams";
        compile(scene, "mpich", "mpi", "-std=gnu11 -O2 -pthread", "tests/abi/streams.c", program);
        scene.job(&format!("./prefix/bin/mpiexec -n 2 ./{program}")).run().code(0);
    });
    add_conversions(&mut suite);
    for call in ["init", "handle"] {
        suite.beside(format!("two-libraries-{call}"), move |scene| two_libraries(scene, call));
    }
    suite.beside("mpichs-library", mpichs_library);
    // Programs find the library with Open MPI's ABI by mpiexec, without a variable of the user.
    scene.install("mpiexec", "prefix/bin/mpiexec");
    scene.install("libmpi_openmpi.so", "prefix/lib/nemesis/openmpi/libmpi.so.40");
    for (name, options) in OPEN_MPIS {
        suite.beside(format!("open-mpi-{name}"), move |scene| open_mpi(scene, name, options));
    }
    suite.beside("open-mpi-helper", |scene| {
        let (folder, root) = (scene.folder.display(), places::root());
        scene.cc(&format!(
            "-std=gnu11 -O2 -Wall -Wextra -Werror -I{0}/tests/abi/openmpi \
             {0}/tests/abi/openmpi_helper.c -o ./open-mpi-helper \
             {folder}/prefix/lib/nemesis/openmpi/libmpi.so.40",
            root.display()
        ));
        let job = scene.job("./prefix/bin/mpiexec -n 2 ./open-mpi-helper");
        let ended = job.without("LD_LIBRARY_PATH").run();
        ended.code(0);
        assert_eq!(ended.output, "", "it says what is wrong");
    });
    suite.beside("open-mpi-mpirun", |scene| {
        let Some(mpirun) = places::find("mpirun.openmpi").or_else(|| places::find("mpirun")) else {
            crate::skip("there is no mpirun")
        };
        let version = places::output_of(Command::new(&mpirun).arg("--version"));
        if !["(OpenRTE)", "(Open MPI)"].iter().any(|name| version.contains(name)) {
            crate::skip("mpirun is none of Open MPI");
        }
        let options = "--allow-run-as-root --oversubscribe --bind-to none -n 2";
        launched(scene, "mpirun", &format!("{} {options}", mpirun.display()));
    });
    suite.beside("open-mpi-prterun", |scene| {
        Launcher::Prte.is_there().unwrap_or_else(|why| crate::skip(why));
        launched(scene, "prterun", &format!("{} -n 2", prterun_line()));
    });
    for name in OPEN_MPI_FORTRAN {
        scene.install("libmpi_mpifh.so", &format!("prefix/lib/nemesis/openmpi/{name}"));
    }
    suite.beside("open-mpi-fortran", open_mpi_fortran);
    let cxx = "prefix/lib/nemesis/openmpi/libmpi_cxx.so.40";
    scene.install("libmpi_openmpi_cxx.so", cxx);
    suite.beside("open-mpi-cxx-bindings", move |scene| {
        cxx_bindings(scene, cxx);
    });
    suite.run(&scene, wanted)
}

/// How a program of Open MPI's ABI is linked. Executables copy the library's objects unless they
/// are compiled as the code of a library is. The last one names a folder that is searched before
/// those of the environment, with another library of this name.
const OPEN_MPIS: [(&str, &str); 4] = [
    ("pie", "-fpie -pie"),
    ("no-pie", "-fno-pie -no-pie"),
    ("pic", "-fPIC -pie"),
    ("rpath", "-fpie -pie -Wl,--disable-new-dtags,-rpath,./decoy"),
];

/// A program with Open MPI's objects, types and constants, on two processes.
fn open_mpi(scene: &Scene, name: &str, options: &str) {
    compile_open_mpi(scene, name, options);
    let file = scene.fresh("written");
    let job = format!("./prefix/bin/mpiexec -n 2 ./open-mpi-{name} {}", file.display());
    scene.job(&job).without("LD_LIBRARY_PATH").run().code(0);
}

/// The program of [`open_mpi`] under a launcher of Open MPI, which searches its own folders first.
fn launched(scene: &Scene, name: &str, launcher: &str) {
    compile_open_mpi(scene, name, "-fpie -pie");
    let file = scene.fresh("written");
    let folder = scene.name("prefix/lib/nemesis/openmpi");
    let job =
        format!("{launcher} env LD_LIBRARY_PATH={folder} ./open-mpi-{name} {}", file.display());
    scene.job(&job).run().code(0);
}

fn compile_open_mpi(scene: &Scene, name: &str, options: &str) {
    let (folder, root) = (scene.folder.display(), places::root());
    if name == "rpath" {
        std::fs::create_dir_all(scene.path("decoy")).expect("a folder");
        scene.cc("-shared -fPIC -x c /dev/null -Wl,-soname,libmpi.so.40 -o ./decoy/libmpi.so.40");
    }
    let options = options.replace("./", &format!("{folder}/"));
    scene.cc(&format!(
        "-std=gnu11 -O2 -Wall -Wextra -Werror {0}/tests/abi/openmpi.c -o ./open-mpi-{name} \
         {options} {folder}/prefix/lib/nemesis/openmpi/libmpi.so.40",
        root.display()
    ));
}

/// The names of the Fortran library, which programs load as three.
const OPEN_MPI_FORTRAN: [&str; 3] =
    ["libmpi_mpifh.so.40", "libmpi_usempif08.so.40", "libmpi_usempi_ignore_tkr.so.40"];

/// A Fortran program with Open MPI's constants, COMMON blocks and module, on two processes. It also
/// starts a process, and a function of C looks at its handles.
fn open_mpi_fortran(scene: &Scene) {
    let Some(compiler) = places::find("gfortran") else { crate::skip("there is no gfortran") };
    let sources = places::root().join("tests/abi");
    let (sources, folder) = (sources.display(), scene.folder.display());
    let libraries =
        OPEN_MPI_FORTRAN.map(|name| format!("{folder}/prefix/lib/nemesis/openmpi/{name}"));
    for words in [
        // The module's own procedures are the library's.
        format!("-fsyntax-only {sources}/openmpi_types.f90"),
        format!(
            "-O2 -w -fallow-argument-mismatch {sources}/openmpi_fortran.f90 \
             {sources}/openmpi_fortran.c -o open-mpi-fortran -Wl,--no-as-needed {} \
             {folder}/prefix/lib/nemesis/openmpi/libmpi.so.40",
            libraries.join(" ")
        ),
    ] {
        let mut command = Command::new(&compiler);
        let said = command.args(words.split_whitespace()).current_dir(&scene.folder).output();
        let said = said.expect("a compiler");
        assert!(said.status.success(), "{words}: {}", String::from_utf8_lossy(&said.stderr));
    }
    let file = scene.fresh("written-by-fortran");
    let job = format!("./prefix/bin/mpiexec -n 2 ./open-mpi-fortran {}", file.display());
    let ended = scene.job(&job).without("LD_LIBRARY_PATH").run();
    ended.code(0);
    assert_eq!(ended.output, "", "it says what is wrong");
}

/// A program with the C++ bindings, which the library does not have, is told so.
fn cxx_bindings(scene: &Scene, library: &str) {
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    let source = "namespace MPI { struct Intracomm { int Get_rank() const; }; \
                  extern Intracomm COMM_WORLD; } \
                  int main() { return MPI::COMM_WORLD.Get_rank(); }";
    let line = format!(
        "echo '{source}' | {compiler} -x c++ - -o ./open-mpi-cxx -Wl,--no-as-needed -x none {} \
         -Wl,--unresolved-symbols=ignore-all",
        scene.name(library)
    );
    let said = Command::new("sh").args(["-c", &line]).current_dir(&scene.folder).output();
    let said = said.expect("a shell");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let ended = scene.job("./prefix/bin/mpiexec -n 2 ./open-mpi-cxx").run();
    ended.code(127).says("uses MPI's C++ bindings, which MPI 3.0 removed");
}

/// Compiles a source for an ABI.
#[track_caller]
fn compile(scene: &Scene, abi: &str, library: &str, options: &str, source: &str, program: &str) {
    let root = places::root();
    let folder = scene.folder.display();
    scene.cc(&format!(
        "{options} -Wall -Wextra -Werror -I{0}/include/{abi} {0}/{source} -o ./{program} \
         -L{folder} -l{library} -ldl -Wl,-rpath,{folder}",
        root.display()
    ));
}

/// Fails unless C++ accepts the header of an ABI.
fn accepts(abi: &str, standard: &str) {
    let include = places::root().join("include").join(abi);
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    let line = format!(
        "printf '#include <mpi.h>\\nint main() {{ return MPI_COMM_WORLD == MPI_COMM_NULL; }}\\n' | \
         {compiler} -x c++ -std={standard} -Wall -Wextra -Wpedantic -Werror -I{} -fsyntax-only -",
        include.display()
    );
    let said = Command::new("sh").args(["-c", &line]).output().expect("a shell");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
}

/// Conversions between C and Fortran: those of mpi.h, and those that the libraries export.
fn add_conversions(suite: &mut Suite) {
    const IN_LIBRARY: &str = "-DNEMESIS_CONVERSIONS_IN_LIBRARY";
    for (name, abi, library, option) in [
        ("of-the-header", "standard", "mpi_abi", ""),
        ("of-the-library", "standard", "mpi_abi", IN_LIBRARY),
        ("of-mpich", "mpich", "mpi", ""),
    ] {
        suite.beside(format!("conversions-{name}"), move |scene| {
            let options = format!("-std=gnu11 -O2 -Wpedantic {option}");
            let program = format!("conversions-{name}");
            compile(scene, abi, library, &options, "tests/abi/conversions.c", &program);
            scene.job(&format!("./mpiexec -n 2 ./{program}")).run().code(0);
        });
    }
    // Without those of mpi.h, a program would need what other libraries with this ABI do not
    // export.
    suite.beside("conversions-undefined", |scene| {
        let root = places::root();
        scene.cc(&format!(
            "-I{0}/include/standard -c {0}/tests/abi/conversions.c -o ./conversions.o",
            root.display()
        ));
        let symbols =
            places::output_of(Command::new("nm").arg("-u").arg(scene.path("conversions.o")));
        assert!(symbols.contains("MPI_"), "nm shows nothing: {symbols}");
        let is_conversion = |line: &&str| {
            line.contains("MPI_") && (line.ends_with("_c2f") || line.ends_with("_f2c"))
        };
        let found: Vec<&str> = symbols.lines().filter(is_conversion).collect();
        assert!(found.is_empty(), "mpi.h refers to conversions of the library: {found:?}");
    });
}

/// Two libraries in one process: errors name both.
fn two_libraries(scene: &Scene, call: &str) {
    let program = format!("two-{call}");
    let options = "-std=gnu11 -O2";
    compile(scene, "standard", "mpi_abi", options, "tests/abi/two_libraries.c", &program);
    let other = scene.name("libmpi.so.12");
    let own = scene.name("libmpi_abi.so.1");
    let ended = scene.job(&format!("./mpiexec -n 1 ./{program} {other} {call}")).run();
    ended.fails().says(&format!("the call reached {other}"));
    ended.says(&format!("another MPI library, {own}, is in the process"));
    ended.says("try *mpicc.mpich");
}

/// The program's output must not change with the tool. Each output line with a colon is a gather.
fn profile(scene: &Scene, abi: &str, library: &str) {
    let program = format!("twins-{abi}");
    compile(scene, abi, library, "-std=gnu11 -O2", "tests/abi/twins.c", &program);
    let root = places::root();
    scene.cc(&format!(
        "-std=gnu11 -O2 -Wall -Wextra -Werror -I{0}/include/{abi} -shared -fPIC \
         {0}/tests/abi/profile.c -o ./profile-{abi}.so",
        root.display()
    ));
    let plain = scene.job(&format!("./mpiexec -n 2 ./{program}")).run();
    plain.code(0);
    let counts = scene.fresh_folder("counts");
    let tool = scene.name(&format!("profile-{abi}.so"));
    let script = format!("LD_PRELOAD={tool} exec \"$0\" 2>\"$1/$PMI_RANK\"");
    let job = format!("./mpiexec -n 2 sh -c '{script}' ./{program} {}", counts.display());
    let profiled = scene.job(&job).run();
    profiled.code(0);
    assert_eq!(plain.output, profiled.output, "the output changes with the tool");
    let gathers = plain.output.lines().filter(|line| line.contains(": ")).count();
    let expected = format!(
        "profile: 3 sends, 1 receives, 1 sendrecvs, 3 allreduces, {gathers} gathers, 1 waitalls, \
         0 barriers"
    );
    for rank in ["0", "1"] {
        let seen = std::fs::read_to_string(counts.join(rank)).expect("what the tool prints");
        assert!(seen.lines().any(|line| line == expected), "{expected}\n{seen}");
    }
}

/// The program runs without recompilation on MPICH's library of the standard ABI, and must print
/// equal output.
fn mpichs_library(scene: &Scene) {
    let mpich = places::rivals().join("mpich");
    let library = mpich.join("lib/libmpi_abi.so.1");
    if !library.exists() {
        crate::skip("MPICH is not installed (`nemesis bench --rivals`)");
    }
    let program = "twins-on-two";
    compile(scene, "standard", "mpi_abi", "-std=gnu11 -O2", "tests/abi/twins.c", program);
    let ours = scene.job(&format!("./mpiexec -n 2 ./{program}")).run();
    let folder = mpich.join("lib").display().to_string();
    let loaded = scene.job(&format!("ldd ./{program}")).env("LD_LIBRARY_PATH", &folder).run();
    loaded.says(&library.display().to_string());
    let launcher = mpich.join("bin/mpiexec");
    let theirs = scene.job(&format!("{} -n 2 ./{program}", launcher.display()));
    let theirs = theirs.env("LD_LIBRARY_PATH", &folder).run();
    ours.code(0);
    theirs.code(0);
    assert_eq!(ours.output, theirs.output, "the libraries differ");
}
