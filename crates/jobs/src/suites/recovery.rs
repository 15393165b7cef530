//! Jobs that go on when ranks are killed (`mpiexec -ft`). The survivors must learn of it, make a
//! communicator without the dead, and go on; nothing may hang, and nothing is left behind.
//!
//! `stress` draws from a seed which ranks are killed and when, in the midst of messages and
//! collective operations. `SURVIVORS=1000` in the environment starts as many jobs of each kind.

use crate::hosts;
use crate::job::Job;
use crate::scene::Scene;
use crate::suite::{Suite, Sum};

/// Seconds in which a job of the stress test must have ended. Its ranks communicate for a sixth of
/// a second; a loaded machine needs more.
const LIMIT_S: u64 = 60;
/// Exit code of a job whose first failure is a SIGKILL.
const KILLED: i32 = 137;
/// Kinds of communication of the stress test: a number chooses one, -1 mixes them.
const KINDS: [(&str, i32); 9] = [
    ("mixed", -1),
    ("exchange", 0),
    ("short-allreduce", 1),
    ("bcast", 2),
    ("barrier", 3),
    ("any-source", 4),
    ("allreduce", 5),
    ("alltoall", 6),
    ("nonblocking", 7),
];

/// Programs in which one of four ranks dies: the name of the case, the words that start it, and
/// what a survivor says in the end. A word `FOLDER` becomes a folder.
const PROGRAMS: [(&str, &str, &str); 7] = [
    ("windows", "./windows", "the others go on"),
    ("files", "./files FOLDER", "the others go on"),
    ("epochs", "./epochs", "the others go on"),
    ("tested-epochs", "./epochs test", "the others go on"),
    ("disconnect", "./disconnect", "the others go on"),
    ("replacement", "./replace 1", "4 processes have finished"),
    ("replacement-of-a-replacement", "./replace 2", "4 processes have finished"),
];

pub fn run(wanted: &[String]) -> Sum {
    let scene = Scene::new("recovery").with_programs(&[
        "recovery/calls",
        "recovery/stress",
        "recovery/windows",
        "recovery/files",
        "recovery/epochs",
        "recovery/replace",
        "recovery/disconnect",
        "recovery/between",
        "recovery/encounter",
        "recovery/agree",
        "recovery/groups",
        "recovery/freed",
        "recovery/init",
    ]);
    let mut suite = Suite::default();
    suite.beside("calls", |scene| goes_on(&calls(scene)));
    suite.beside("calls-without-shared-memory", |scene| {
        goes_on(&calls(scene).env("NEMESIS_SHM", "off"));
    });
    suite.beside("calls-without-fastboxes", |scene| {
        goes_on(&calls(scene).env("NEMESIS_FASTBOX", "off").env("NEMESIS_CMA", "off"));
    });
    suite.beside("without-the-option", |scene| {
        let ended = scene.job("./mpiexec -n 4 ./calls").limit(LIMIT_S).run();
        ended.code(KILLED).says("the other ranks are ended").leaves_nothing();
    });
    suite.beside("other-names", |scene| {
        for option in ["-disable-auto-cleanup", "--with-ft ulfm"] {
            goes_on(&scene.job(&format!("./mpiexec {option} -n 4 ./calls")));
        }
    });
    for (name, words, says) in PROGRAMS {
        suite.beside(name, move |scene| finishes(scene, "", words, says, |job| job));
        suite.beside(format!("{name}-without-shared-memory"), move |scene| {
            finishes(scene, "", words, says, |job| job.env("NEMESIS_SHM", "off"));
        });
        suite.beside(format!("{name}-on-two-hosts"), move |scene| {
            let hosts = scene.hosts(hosts::nodes(2).own_processes());
            let options = "-hosts node1:2,node2:3";
            finishes(scene, options, words, says, |job| job.on(hosts.login()));
        });
    }
    for (name, kind) in KINDS {
        suite.beside(format!("kill-in-{name}"), move |scene| kill_many(scene, kind, &[]));
    }
    suite.beside("kill-in-mixed-without-kernel-copies", |scene| {
        kill_many(scene, -1, &[("NEMESIS_CMA", "off")]);
    });
    suite.beside("kill-in-mixed-by-cells", |scene| {
        kill_many(scene, -1, &[("NEMESIS_FASTBOX", "off"), ("NEMESIS_CELLS", "2")]);
    });
    for (name, kind) in KINDS {
        suite.beside(format!("kill-in-{name}-on-three-hosts"), move |scene| {
            let hosts = scene.hosts(hosts::nodes(3).own_processes());
            kill_many_on(scene, kind, |job| job.on(hosts.login()));
        });
    }
    suite.beside("groups-by-one-string", |scene| {
        let ended = scene.job("./mpiexec -ft -n 4 ./groups").limit(LIMIT_S).run();
        ended.code(0).says("all are made").leaves_nothing();
    });
    for (name, variables) in [
        ("kill-in-agreements", &[][..]),
        ("kill-in-agreements-by-messages", &[("NEMESIS_SHM", "off")]),
    ] {
        suite.beside(name, move |scene| {
            for seed in 1..=jobs() {
                survives(&with(kill_in_agreements(scene, "", seed), variables));
            }
        });
    }
    suite.beside("kill-in-agreements-on-three-hosts", |scene| {
        let hosts = scene.hosts(hosts::nodes(3).own_processes());
        let options = "-hosts node1:2,node2:2,node3:3";
        for seed in 1..=jobs() {
            survives(&kill_in_agreements(scene, options, seed).on(hosts.login()));
        }
    });
    for (name, role) in [("intercommunicators", ""), ("intercommunicators-of-two-jobs", "spawn")] {
        suite
            .beside(name, move |scene| make_many(role, |seed| made_between(scene, "", seed, role)));
        suite.beside(format!("{name}-on-three-hosts"), move |scene| {
            let hosts = scene.hosts(hosts::nodes(3).own_processes());
            let options = "-hosts node1:2,node2:2,node3:3";
            make_many(role, |seed| made_between(scene, options, seed, role).on(hosts.login()));
        });
    }
    for (name, at, options) in [
        ("two-jobs", ["localhost", "localhost"], ""),
        ("two-jobs-without-shared-memory", ["localhost", "localhost"], "-env NEMESIS_SHM off"),
        ("two-jobs-on-two-hosts", ["node1", "node2"], ""),
    ] {
        suite.beside(name, move |scene| meet(scene, at, options));
    }
    for (name, options) in [
        ("two-jobs-one-of-which-goes-on", ""),
        ("two-jobs-one-of-which-goes-on-without-shared-memory", "-env NEMESIS_SHM off"),
    ] {
        suite.beside(name, move |scene| {
            differ(scene, options, ["-ft", ""]);
            differ(scene, options, ["", "-ft"]);
        });
        suite.beside(format!("kill-in-{name}"), move |scene| {
            for seed in 1..=jobs() {
                die_in_one(scene, options, seed);
            }
        });
    }
    suite.beside("freed-communicators-on-two-hosts", |scene| {
        let hosts = scene.hosts(hosts::nodes(2).own_processes());
        let command = "./mpiexec -ft -hosts node1:1,node2:1 -n 2 ./freed";
        let ended = scene.job(command).limit(LIMIT_S).on(hosts.login()).run();
        ended.code(0).says("all are freed").does_not_say("wrong").leaves_nothing();
    });
    for option in ["-ft", ""] {
        let name = if option.is_empty() { "" } else { "-of-a-job-that-goes-on" };
        suite.beside(format!("kill-in-the-start{name}"), move |scene| {
            (1..=jobs()).for_each(|seed| start_is_over(&dies_early(scene, option, seed)));
        });
        // With -ft such a job may wait for ever if all ranks of a host die.
        if !option.is_empty() {
            continue;
        }
        suite.beside("kill-in-the-start-on-two-hosts", |scene| {
            let hosts = scene.hosts(hosts::nodes(2).own_processes());
            for seed in 1..=jobs() {
                let job = dies_early(scene, "-hosts node1:2,node2:2", seed);
                start_is_over(&job.on(hosts.login()));
            }
        });
    }
    suite.beside("calls-on-two-hosts", |scene| {
        let hosts = scene.hosts(hosts::nodes(2).own_processes());
        let command = "./mpiexec -ft -hosts node1:2,node2:2 -n 4 ./calls";
        goes_on(&scene.job(command).limit(LIMIT_S).on(hosts.login()));
    });
    suite.run(&scene, wanted)
}

fn calls(scene: &Scene) -> Job<'_> {
    scene.job("./mpiexec -ft -n 4 ./calls").limit(LIMIT_S)
}

/// The job ends well but for the rank that has killed itself, of which mpiexec tells once.
fn goes_on(job: &Job<'_>) {
    let ended = job.run();
    ended.code(KILLED).says("the others go on").says_times(1, "rank 2 was killed by SIGKILL");
    ended.says("the other ranks go on").leaves_nothing();
}

/// A job of four ranks ends well but for those that have killed themselves.
fn finishes<'a>(
    scene: &'a Scene,
    options: &str,
    words: &str,
    says: &str,
    place: impl Fn(Job<'a>) -> Job<'a>,
) {
    let folder = scene.fresh_folder("files");
    let words = words.replace("FOLDER", &folder.display().to_string());
    let command = format!("./mpiexec -ft {options} -n 4 {words}");
    let ended = place(scene.job(&command).limit(LIMIT_S)).run();
    ended.code(KILLED).says(says).does_not_say("wrong").leaves_nothing();
}

/// Starts jobs of 2 to 7 ranks in which one to three are killed.
fn kill_many(scene: &Scene, kind: i32, variables: &[(&str, &str)]) {
    for seed in 1..=jobs() {
        survives(&with(kill_some(scene, "", kind, seed), variables));
    }
}

/// Returns a job with variables in its environment.
fn with<'a>(job: Job<'a>, variables: &[(&str, &str)]) -> Job<'a> {
    variables.iter().fold(job, |job, (name, value)| job.env(name, value))
}

/// Returns a job whose ranks agree again and again while some are killed.
fn kill_in_agreements<'a>(scene: &'a Scene, options: &str, seed: u32) -> Job<'a> {
    let (ranks, deaths) = (2 + seed % 6, seed % 3);
    let command = format!("./mpiexec -ft {options} -n {ranks} ./agree {seed} {deaths}");
    scene.job(&command).limit(LIMIT_S)
}

/// Starts jobs of 2 to 7 ranks on three hosts, one of which has up to three of them.
fn kill_many_on<'a>(scene: &'a Scene, kind: i32, on: impl Fn(Job<'a>) -> Job<'a>) {
    for seed in 1..=jobs() {
        survives(&on(kill_some(scene, "-hosts node1:2,node2:2,node3:3", kind, seed)));
    }
}

/// Returns a job in which ranks are killed that the seed draws.
fn kill_some<'a>(scene: &'a Scene, options: &str, kind: i32, seed: u32) -> Job<'a> {
    let (ranks, deaths) = (2 + seed % 6, 1 + seed % 3);
    let command = format!("./mpiexec -ft {options} -n {ranks} ./stress {seed} {deaths} {kind}");
    scene.job(&command).limit(LIMIT_S)
}

/// Returns a job in which a rank is killed while the halves of it, or the job and one that it
/// spawns, make intercommunicators.
fn made_between<'a>(scene: &'a Scene, options: &str, seed: u32, role: &str) -> Job<'a> {
    let ranks = ranks_of(role, seed);
    let command = format!("./mpiexec -ft {options} -n {ranks} ./between {seed} {role}");
    scene.job(&command).limit(LIMIT_S)
}

/// Returns the ranks of a job that makes intercommunicators.
fn ranks_of(role: &str, seed: u32) -> u32 {
    if role.is_empty() { 4 + seed % 4 } else { 2 + seed % 2 }
}

/// The living ranks of each job have an intercommunicator, or none of them has it. A rank of a
/// spawned job may be killed, which is no failure of the first one.
fn make_many<'a>(role: &str, job: impl Fn(u32) -> Job<'a>) {
    for seed in 1..=jobs() {
        let (ended, ranks) = (job(seed).run(), ranks_of(role, seed));
        let is_other = !role.is_empty() && seed % (2 * ranks) >= ranks;
        ended
            .code(if is_other { 0 } else { KILLED })
            .says("the others go on")
            .does_not_say("wrong")
            .leaves_nothing();
    }
}

/// A process of a job dies that has met another job: both go on.
fn meet(scene: &Scene, at: [&str; 2], options: &str) {
    let hosts = scene.hosts(hosts::nodes(2));
    let port = scene.fresh_folder("port").join("name").display().to_string();
    let start = |at: &str, role: &str| {
        let command = format!("./mpiexec -ft -hosts {at} -n 3 {options} ./encounter {role} {port}");
        scene.job(&command).on(hosts.login()).limit(LIMIT_S).start()
    };
    let server = start(at[0], "serve");
    let client = start(at[1], "connect").end();
    let server = server.end();
    server.code(0).says("the others go on").does_not_say("wrong");
    client.code(KILLED).says("the others go on").does_not_say("wrong").leaves_nothing();
}

/// Two jobs, one of which goes on when a process dies, communicate and make windows, files and
/// communicators as if both did not.
fn differ(scene: &Scene, options: &str, tolerance: [&str; 2]) {
    let port = scene.fresh_folder("port").join("name").display().to_string();
    let start = |option: &str, role: &str| {
        let command = format!("./mpiexec {option} {options} -n 3 ./encounter {role} {port} differ");
        scene.job(&command).limit(LIMIT_S).start()
    };
    let server = start(tolerance[0], "serve");
    let client = start(tolerance[1], "connect").end();
    for ended in [server.end(), client] {
        ended.code(0).says("the jobs have met").does_not_say("wrong").leaves_nothing();
    }
}

/// A process dies of the one of two jobs that goes on then, while both are in collective
/// operations: these fail at all others, and both jobs end.
fn die_in_one(scene: &Scene, options: &str, seed: u32) {
    let port = scene.fresh_folder("port").join("name").display().to_string();
    let start = |role: &str, is_tolerant: bool| {
        let option = if is_tolerant { "-ft -env TOLERANT 1" } else { "" };
        let program = format!("./encounter {role} {port} mixed {seed}");
        let command = format!("./mpiexec {option} {options} -n 3 {program}");
        scene.job(&command).limit(LIMIT_S).start()
    };
    let server_goes_on = seed.is_multiple_of(2);
    let server = start("serve", server_goes_on);
    let client = start("connect", !server_goes_on).end();
    for (ended, goes_on) in [(server.end(), server_goes_on), (client, !server_goes_on)] {
        let ended = ended.code(if goes_on { KILLED } else { 0 });
        ended.says("the jobs have met").does_not_say("wrong").leaves_nothing();
    }
}

/// Returns a job of four ranks, of which one or two are drawn that die between exec and the end of
/// MPI_Init.
fn dies_early<'a>(scene: &'a Scene, options: &str, seed: u32) -> Job<'a> {
    let deaths = 1 + seed % 2;
    scene.job(&format!("./mpiexec {options} -n 4 ./init {seed} {deaths}")).limit(LIMIT_S)
}

/// A job ends of which ranks have died early, and mpiexec names one; or `MPI_Init` has ended before
/// they did.
fn start_is_over(job: &Job<'_>) {
    let ended = job.run();
    if ended.code != 0 {
        ended.says("was killed by SIGALRM");
    }
    ended.does_not_say("wrong").leaves_nothing();
}

/// Returns how many jobs of a kind are started.
fn jobs() -> u32 {
    std::env::var("SURVIVORS").ok().and_then(|jobs| jobs.parse().ok()).unwrap_or(12)
}

/// The survivors of a job of the stress test find nothing wrong. All ranks may be among those that
/// are drawn, or none be killed before the end.
fn survives(job: &Job<'_>) {
    job.run().does_not_say("wrong").does_not_say("are ended").leaves_nothing();
}
