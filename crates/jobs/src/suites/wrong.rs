//! The collection of wrong and right programs, tests/wrong, with and without `mpiexec -check`.
//!
//! With -check each wrong case must end, and say the words of its table; a right one must end with
//! 0 and print nothing. Without -check a wrong case must end by itself within the time limit, and
//! not by SIGSEGV, SIGBUS, SIGFPE or SIGILL. The cases json-* compare the lines of -check=json with
//! the book, and mpich-* run some cases by MPICH's ABI. With -d as the first word the library and
//! mpiexec are those of target/debug. The cases buffered-* go on by -check=buffered.

use crate::places;
use crate::scene::{Scene, compiler};
use crate::suite::{Suite, Sum};
use std::path::Path;
use std::process::Command;

/// Seconds of one run. A job that can never go on is ended after ten.
const LIMIT_S: u64 = 90;
/// Exit codes of SIGILL, SIGBUS, SIGFPE and SIGSEGV.
const CRASHES: [i32; 4] = [132, 135, 136, 139];
/// Beginnings of the cases that run by MPICH's ABI, too, which converts handles.
const BY_MPICH: [&str; 2] = ["right_partitions", "right_requests"];

/// Cases whose findings as JSON are compared: program, case, ranks, kinds.
const JSON: [(&str, &str, &str, &str); 4] = [
    ("cases", "isend_overwritten", "2", "overwritten"),
    ("cases", "message_lost_on_copy", "2", "message communicator"),
    ("cases", "win_fence_put_put", "2", "conflict"),
    // Without symbols.
    ("stripped", "isend_overwritten", "2", "overwritten"),
];

/// Cases that rely on buffering and go on by `-check=buffered`: the case, its ranks, what it says.
const BUFFERED: [(&str, u32, &str); 10] = [
    ("unsafe_pair", 2, "ranks 0, 1: MPI_Send in around (|4 bytes with tag 1"),
    ("unsafe_ring", 3, "ranks 0-2: MPI_Send in around (|40 bytes with tag 1"),
    ("unsafe_to_self", 1, "MPI_Send in to_self ("),
    ("unsafe_wrong_order", 2, "rank 0: MPI_Send in wrong_order ("),
    ("unsafe_before_barrier", 2, "rank 0: MPI_Send in before_barrier ("),
    ("unsafe_wait", 2, "ranks 0, 1: MPI_Isend in waits_first ("),
    ("unsafe_nobody_receives", 2, "rank 0: MPI_Send in nobody|messages never received"),
    ("lanes_unsafe", 2, "MPI_Send in send_first (|16 bytes with tag 8"),
    ("leaves_bcast", 2, "rank 0: MPI_Bcast in call (|before all processes have called it"),
    ("leaves_scan", 2, "MPI_Scan in call (|before all processes have called it"),
];

/// A program in Python that calls the library by ctypes. The handles are those of the standard ABI.
const PYTHON: &str = "\
import ctypes, sys
if not hasattr(ctypes.pythonapi, '_Py_DumpTraceback'):
    sys.exit(77)
mpi = ctypes.CDLL(sys.argv[1])
byte, world = ctypes.c_void_p(0x247), ctypes.c_void_p(0x101)
mpi.MPI_Init(None, None)
def leave(made):
    mpi.MPI_Comm_dup(world, ctypes.byref(made))
    mpi.MPI_Irecv(ctypes.create_string_buffer(8), 1, byte, 0, 7, world, ctypes.byref(made))
leave(ctypes.c_void_p())
mpi.MPI_Finalize()
";

pub fn run(words: &[String]) -> Sum {
    let words = match words {
        [first, rest @ ..] if first == "-d" => {
            places::use_debug();
            rest
        }
        words => words,
    };
    let scene = Scene::new("wrong");
    compile(&scene, "include/standard", "libmpi_abi.so.1", "cases");
    let is_stripped = Command::new("strip")
        .args(["-s", "-o"])
        .args([scene.path("stripped"), scene.path("cases")])
        .status();
    assert!(is_stripped.is_ok_and(|status| status.success()), "strip works");
    scene.install("libmpi.so", "mpich/libmpi.so.12");
    compile(&scene, "include/mpich", "mpich/libmpi.so.12", "mpich/cases");

    let mut suite = Suite::default();
    for (name, ranks, told) in list(&scene.path("cases")) {
        suite.waits(name.clone(), move |scene| {
            case(scene, "./cases", &name, ranks, &told);
        });
    }
    for (name, ranks, told) in list(&scene.path("mpich/cases")) {
        let is_chosen = BY_MPICH.iter().any(|begin| name.starts_with(begin));
        if is_chosen || name.contains("overwritten") {
            suite.waits(format!("mpich-{name}"), move |scene| {
                case(scene, "./mpich/cases", &name, ranks, &told);
            });
        }
    }
    for (program, name, ranks, kinds) in JSON {
        suite.waits(format!("json-{program}-{name}"), move |scene| {
            json(scene, program, name, ranks, kinds);
        });
    }
    for (name, ranks, told) in BUFFERED {
        suite.waits(format!("buffered-{name}"), move |scene| goes_on(scene, name, ranks, told));
    }
    suite.waits("python-lines", python_lines);
    suite.waits("buffered-unsafe_synchronous", |scene| {
        let job = "./mpiexec -check=buffered -n 2 ./cases unsafe_synchronous";
        let ended = scene.job(job).limit(LIMIT_S).run();
        ended.code(1).says("the job cannot go on");
    });
    suite.run(&scene, words)
}

/// Compiles the collection for a library.
fn compile(scene: &Scene, headers: &str, library: &str, program: &str) {
    let root = places::root();
    let library = scene.path(library);
    let entries = std::fs::read_dir(root.join("tests/wrong")).expect("tests/wrong").flatten();
    let sources = entries.map(|entry| entry.path());
    let sources = sources.filter(|path| path.extension().is_some_and(|end| end == "c"));
    let mut cc = compiler();
    cc.args(["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra"]);
    cc.arg(format!("-I{}", root.join(headers).display())).args(sources);
    cc.arg("-o").arg(scene.path(program)).arg(&library);
    cc.arg(format!("-Wl,-rpath,{}", library.parent().expect("a folder").display()));
    if !cc.status().is_ok_and(|status| status.success()) {
        eprintln!("tests/wrong does not compile");
        std::process::exit(1);
    }
}

/// Returns the cases of the collection: names, ranks, and words separated by "|".
fn list(program: &Path) -> Vec<(String, u32, String)> {
    let text = places::output_of(Command::new(program).arg("-list"));
    let cases = text.lines().filter_map(|line| {
        let mut words = line.splitn(3, ' ');
        let (name, ranks) = (words.next()?.to_string(), words.next()?.parse().ok()?);
        Some((name, ranks, words.next().unwrap_or_default().trim().to_string()))
    });
    let cases: Vec<_> = cases.collect();
    assert!(!cases.is_empty(), "{} lists no cases: {text}", program.display());
    cases
}

fn case(scene: &Scene, program: &str, name: &str, ranks: u32, told: &str) {
    let run = |options: &str| {
        let job = scene.job(&format!("./mpiexec {options} -n {ranks} {program} {name}"));
        job.limit(LIMIT_S).run()
    };
    let checked = run("-check");
    if told.is_empty() {
        checked.is_quiet();
        return;
    }
    told.split('|').for_each(|words| {
        checked.says(words);
    });
    let plain = run("");
    if CRASHES.contains(&plain.code) {
        plain.fail("it ends by a signal without -check");
    }
}

/// Findings of programs in Python name their lines.
fn python_lines(scene: &Scene) {
    places::needs("python3");
    scene.write("leaves.py", PYTHON);
    let (program, library) = (scene.name("leaves.py"), scene.name("libmpi_abi.so.1"));
    let job = format!("./mpiexec -check -n 1 python3 {program} {library}");
    let ended = scene.job(&job).limit(LIMIT_S).run();
    if ended.code == 77 {
        crate::skip("this Python does not export its frames");
    }
    ended.says("MPI_Comm_dup in leave (*leaves.py:8)").says("MPI_Irecv in leave (*leaves.py:9)");
}

/// Whether a job whose ranks rely on buffering comes to its end, and says so.
fn goes_on(scene: &Scene, name: &str, ranks: u32, told: &str) {
    let job = format!("./mpiexec -check=buffered -n {ranks} ./cases {name}");
    let done = scene.job(&job).limit(LIMIT_S).run();
    done.code(0).says("calls that rely on buffers of the library");
    told.split('|').for_each(|words| {
        done.says(words);
    });
}

/// Whether the lines of -check=json are what the book says.
fn json(scene: &Scene, program: &str, name: &str, ranks: &str, kinds: &str) {
    places::needs("python3");
    let file = scene.fresh("json");
    let file = file.display();
    let job = format!("./mpiexec -check=json:{file},exit -n {ranks} ./{program} {name}");
    scene.job(&job).limit(LIMIT_S).run().code(1).says_nothing();
    let root = places::root();
    let compare = root.join("tests/wrong/compare_json.py");
    let book = root.join("docs/book/src/checking.md");
    let job = format!("python3 {} {} {file} {kinds}", compare.display(), book.display());
    scene.job(&job).run().code(0);
}
