//! The C interfaces beside MPI: nemesis.h (suite "subsystem") and rwapi.h (suite "rwapi"). The
//! exported functions are those of the header; errors, accesses to memory of other processes, and
//! the examples are right on any number of processes.

use crate::places;
use crate::scene::{Library, Scene};
use crate::suite::{Suite, Sum};
use std::collections::BTreeSet;
use std::process::Command;

/// Ways in which the bytes of a node may go.
const WAYS: [(&str, &str); 3] =
    [("NEMESIS_FASTBOX", "on"), ("NEMESIS_FASTBOX", "off"), ("NEMESIS_SHM", "off")];

pub fn run_subsystem(wanted: &[String]) -> Sum {
    let scene = scene(
        "subsystem",
        Library::Subsystem,
        &["tests/subsystem/refusals.c", "tests/subsystem/memory.c", "examples/subsystem.c"],
    );
    let mut suite = Suite::default();
    suite.beside("functions", |scene| are_those_of_the_header(scene, "nemesis"));
    suite.beside("header-in-cpp", |_| compiles_as_cpp("nemesis"));
    suite.beside("refusals", |scene| {
        scene.job("./refusals").run().code(0);
    });
    for processes in [1, 2, 3, 8] {
        for fastbox in ["on", "off"] {
            suite.beside(format!("example-{processes}-fastbox-{fastbox}"), move |scene| {
                let job = scene.job(&format!("./mpiexec -n {processes} ./subsystem"));
                job.env("NEMESIS_FASTBOX", fastbox).limit(120).run().code(0);
            });
        }
    }
    for processes in [1, 2, 5] {
        for (name, value) in [("NEMESIS_CMA", "on"), ("NEMESIS_CMA", "off"), ("NEMESIS_SHM", "off")]
        {
            suite.beside(format!("memory-{processes}-{name}-{value}"), move |scene| {
                let job = scene.job(&format!("./mpiexec -n {processes} ./memory"));
                job.env(name, value).limit(120).run().code(0);
            });
        }
    }
    suite.run(&scene, wanted)
}

pub fn run_rwapi(wanted: &[String]) -> Sum {
    let sources = ["tests/rwapi/writes.c", "examples/halo.c"];
    let scene = scene("rwapi", Library::RemoteWrite, &sources);
    let mut suite = Suite::default();
    suite.beside("functions", |scene| are_those_of_the_header(scene, "rwapi"));
    suite.beside("header-in-cpp", |_| compiles_as_cpp("rwapi"));
    for nodes in [1, 2, 3, 6] {
        for (name, value) in WAYS {
            suite.beside(format!("writes-{nodes}-{name}-{value}"), move |scene| {
                let job = scene.job(&format!("./mpiexec -n {nodes} ./writes"));
                job.env(name, value).run().code(0);
            });
        }
        suite.beside(format!("example-{nodes}"), move |scene| {
            scene.job(&format!("./mpiexec -n {nodes} ./halo")).run().code(0);
        });
    }
    suite.run(&scene, wanted)
}

/// Makes a scene with programs for a library.
fn scene(name: &str, library: Library, sources: &[&str]) -> Scene {
    let scene = Scene::new(name);
    scene.install_library(library);
    for source in sources {
        let source = places::root().join(source);
        let program = scene.folder.join(source.file_stem().expect("a name"));
        scene.compile(library, &source, &program);
    }
    scene
}

/// Fails unless the library exports the functions that its header declares, and no others.
fn are_those_of_the_header(scene: &Scene, name: &str) {
    let header = places::root().join(format!("include/{name}.h"));
    let text = std::fs::read_to_string(header).expect("the header");
    let prefix = format!("{name}_");
    let is_of_name = |letter: char| letter.is_ascii_lowercase() || letter == '_';
    let declared = text.lines().filter_map(|line| {
        if !line.starts_with(|letter: char| letter.is_ascii_lowercase())
            || !line.ends_with([',', ';'])
        {
            return None;
        }
        let before = &line[..line.find('(')?];
        let function = before.rsplit(|letter| !is_of_name(letter)).next()?;
        // A function that a module of a network implements is not one of the library.
        let is_exported = function.starts_with(&prefix) && !function.contains("_take");
        is_exported.then(|| function.to_string())
    });
    let declared: BTreeSet<String> = declared.collect();
    let library = scene.path(if name == "nemesis" { "libnemesis.so.0" } else { "librwapi.so.0" });
    let symbols = places::output_of(Command::new("nm").args(["-D", "--defined-only"]).arg(library));
    let exported = symbols.lines().filter_map(|line| Some(line.split_once(" T ")?.1.to_string()));
    let exported: BTreeSet<String> = exported.collect();
    assert!(!declared.is_empty(), "the header declares nothing");
    assert_eq!(declared, exported, "the header and the library differ");
}

/// Fails unless C++ accepts a header.
fn compiles_as_cpp(name: &str) {
    let include = places::root().join("include");
    let line =
        format!("echo '#include <{name}.h>' | c++ -x c++ -Wall -Wextra -Werror -fsyntax-only");
    let line = format!("{line} -I{} -", include.display());
    let said = Command::new("sh").args(["-c", &line]).output().expect("a shell");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
}
