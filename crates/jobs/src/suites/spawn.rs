//! Jobs that have spawned others, or that connect, end in several ways.
//!
//! While jobs are connected, a child that is killed, exits, or aborts its own world is an error of
//! the parent's receive or probe, which still gets the short messages that matched probes found
//! before, and of the long ones an error; MPI_Abort over a communicator of both, and an error under
//! MPI_ERRORS_ARE_FATAL, end all connected jobs (MPI 5.0 §9.3, §11.4.2). After both have
//! disconnected, or one has finalized, the end of one harms nobody. The end of the parent or of
//! mpiexec ends connected children. `SPAWNS=1000` and `MEETINGS=200` in the environment try more.

mod builds;
mod meetings;

use crate::hosts;
use crate::job::Ended;
use crate::places;
use crate::scene::Scene;
use crate::suite::{Suite, Sum};
use rustix::process::Signal;
use std::collections::BTreeSet;

/// A run of `spawner`: its word, the exit code of mpiexec, the program's lines, what is told.
const ENDS: &[(&str, i32, &str, &str)] = &[
    ("lost", 0, "spawned noticed done", "was killed by SIGKILL"),
    ("lost-probe", 0, "spawned noticed done", "was killed by SIGKILL"),
    ("lost-iprobe", 0, "spawned noticed done", "was killed by SIGKILL"),
    ("lost-found", 0, "spawned noticed done", "was killed by SIGKILL"),
    ("exit", 0, "spawned noticed done", "ended with exit code 3"),
    ("own-abort", 0, "spawned noticed done", "aborted the job with code 7"),
    ("members", 0, "spawned noticed done", "ends the processes of its object"),
    ("abort", 7, "spawned", "of a connected job called MPI_Abort with code 7"),
    ("fatal", 6, "spawned", "an MPI error is fatal in rank 0 of a connected job"),
    ("grandchild", 6, "spawned", "an MPI error is fatal in rank 0 of a connected job"),
    ("parent", 137, "spawned", "the process that spawned this job has ended"),
    ("leave", 0, "spawned done", ""),
    ("first", 0, "spawned done", ""),
    ("crash", 0, "spawned done", "was killed by SIGSEGV"),
    ("late-exit", 0, "spawned done", "ended with exit code 3"),
    ("late-abort", 0, "spawned done", "aborted the job with code 7"),
    ("late-fatal", 0, "spawned done", "an MPI error is fatal"),
];

/// Runs of `spawner` with one slot: more processes than slots, and a program that a spawned process
/// does not find.
const ENDS_OF_ONE_SLOT: &[(&str, i32, &str, &str)] = &[
    ("excess", 0, "spawned done", ""),
    ("nested", 0, "spawned noticed done", "/nonexistent/program: the program does not exist; try:"),
];

/// An error of a spawn that both processes of the parent return: the words of `spawner`, and what
/// is told.
const ERRORS: &[(&str, &str)] = &[
    ("wrong - host nosuchhost.invalid", "nosuchhost.invalid"),
    ("wrong - wdir /nonexistent", "/nonexistent: the directory does not exist; try: a directory"),
    ("wrong /nonexistent/program path /bin", "/nonexistent/program: the program does not exist"),
    ("wrong nosuchprogram path /nonexistent", "nosuchprogram in a folder of the info key path"),
    ("wrong - hostfile /nonexistent", "/nonexistent"),
    ("wrong - map_by nonsense", "nonsense"),
    ("wrong - mpi_initial_errhandler nonsense", "nonsense"),
    ("wrong - soft 5,9", "soft is \"5,9\""),
    ("wrong - arch pdp11", "arch is pdp11"),
    ("wrong - file /nonexistent", "the file /nonexistent of hints cannot be read"),
    ("wrong /etc/passwd wdir /", "/etc/passwd is not executable"),
    ("gone", "the working directory is gone"),
];

pub fn run(wanted: &[String]) -> Sum {
    let scene = Scene::new("spawn").with_programs(&[
        "hosts/spawner",
        "hosts/slots",
        "hosts/encounter",
        "mpi/dynamic_spawn",
    ]);
    let mut suite = Suite::default();
    for &(word, code, lines, told) in ENDS {
        suite.beside(word, move |scene| {
            let ended = scene.job(&format!("./mpiexec -n 1 ./spawner {word}")).run();
            ended.code(code).says(told);
            prints(&ended, lines);
        });
    }
    for &(word, code, lines, told) in ENDS_OF_ONE_SLOT {
        suite.beside(word, move |scene| {
            let job = format!("./mpiexec -hosts localhost:1 -n 1 ./spawner {word}");
            let ended = scene.job(&job).run();
            ended.code(code).says(told);
            prints(&ended, lines);
        });
    }
    for &(words, told) in ERRORS {
        suite.beside(words.replace(' ', "-"), move |scene| {
            let ended = scene.job(&format!("./mpiexec -n 2 ./spawner {words}")).run();
            let call = |end: &str| format!("MPI_Comm_spawn*{told}{end}");
            ended.code(0);
            let lines = ended.output.lines().filter(|line| {
                (line.contains("MPI_Comm_spawn(") || line.contains("MPI_Comm_spawn:"))
                    && line.contains("; try: ")
                    && line.contains(told)
            });
            if lines.count() != 2 {
                ended.fail(&format!("two ranks do not say: {}", call("")));
            }
            prints(&ended, "noticed noticed");
        });
    }
    suite.beside("launcher-killed", |scene| {
        let mut job = scene.job("./mpiexec -n 1 ./spawner wait").start();
        job.wait_until("the child is up", 30, |job| job.has_said("spawned"));
        job.signal(Signal::KILL);
        prints(&job.end(), "spawned");
    });
    suite.beside("variables", |scene| {
        let options = "-genv PASSED on -genvlist PATH,HOME,PASSED";
        let job = scene.job(&format!("./mpiexec {options} -n 1 ./spawner variables"));
        let ended = job.env("LEFT", "here").run();
        ended.code(0).says("on none");
        prints(&ended, "spawned done");
    });
    suite.beside("many", many);
    suite.beside("silent", silent);
    suite.beside("refused", |scene| refused(scene, ""));
    suite.beside("refused-under-hydra", |scene| match places::hydra() {
        Some(hydra) => refused(scene, &format!("{} -n 1 ", hydra.display())),
        None => crate::skip("there is no mpiexec.hydra"),
    });
    suite.beside("slots", |scene| {
        let hosts = scene.hosts(hosts::nodes(2));
        let job = "./mpiexec -hosts node1:2,node2:2 -n 2 ./slots";
        let ended = scene.job(job).on(hosts.login()).run();
        let expected = "free: node2 node2\nnone is free: node1 node1\nfree again: node2 node2\n\
                        named: node1 node1\n";
        if ended.output != expected {
            ended.fail("children do not take the free slots first");
        }
    });
    meetings::add(&mut suite);
    builds::add(&mut suite);
    suite.run(&scene, wanted)
}

/// Fails unless these are the lines of the job's programs, and nothing is left.
#[track_caller]
fn prints(ended: &Ended, lines: &str) {
    let words = ["spawned", "noticed", "not noticed", "done"];
    let seen = ended.output.lines().filter(|line| words.contains(line));
    let seen = seen.collect::<Vec<_>>().join(" ");
    if seen != lines {
        ended.fail(&format!("it prints \"{seen}\", \"{lines}\" is expected"));
    }
    ended.leaves_nothing();
}

/// Many spawns, one after the other, leave neither descriptors nor memory, files or processes. The
/// allocator keeps nothing of what is freed in caches of its threads.
fn many(scene: &Scene) {
    let folder = scene.fresh_folder("tmp");
    let spawns = std::env::var("SPAWNS").unwrap_or_else(|_| "30".into());
    let own = "glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1";
    let shared = || {
        let entries = std::fs::read_dir("/dev/shm").into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.filter(|name| name.contains("nemesis")).collect::<BTreeSet<_>>()
    };
    let before = shared();
    let job = scene.job(&format!("./mpiexec -n 1 ./spawner many {spawns}"));
    let job = job.env("TMPDIR", folder.display()).env("XDG_RUNTIME_DIR", folder.display());
    let ended = job.env("GLIBC_TUNABLES", own).limit(300).run();
    prints(ended.code(0), "done");
    let left = std::fs::read_dir(&folder).expect("a folder").flatten().collect::<Vec<_>>();
    assert!(left.is_empty(), "files are left: {left:?}");
    let new: Vec<String> = shared().difference(&before).cloned().collect();
    assert!(new.is_empty(), "shared memory is left: {new:?}");
}

/// Programs that never call MPI_Init: a notice, and an error when they have ended.
fn silent(scene: &Scene) {
    let job = scene.job("./mpiexec -n 2 ./spawner silent").env("NEMESIS_NOTICE_SECONDS", 1);
    let ended = job.run();
    prints(&ended, "noticed noticed");
    ended.says("ranks 0-2 of the spawned program /bin/sh have not called MPI_Init for * s");
    ended.says("rank 0 of 2 on * waits in MPI_Comm_spawn");
    ended.says("the processes of /bin/sh have ended without MPI_Init; try:");
}

/// No launcher of this library is found.
fn refused(scene: &Scene, launcher: &str) {
    let alone = scene.fresh_folder("alone");
    std::fs::copy(scene.path("libmpi_abi.so.1"), alone.join("libmpi_abi.so.1")).expect("a copy");
    let job = scene.job(&format!("{launcher}./spawner refused"));
    let ended = job.env("LD_LIBRARY_PATH", alone.display()).run();
    prints(&ended, "noticed");
    ended.says("NEMESIS_MPIEXEC");
}
