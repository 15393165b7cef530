//! Jobs that connect: with clients that are killed, and of other users.

use super::prints;
use crate::job::{Ended, Job, Running};
use crate::places::{self, needs_root};
use crate::scene::Scene;
use crate::suite::Suite;
use std::path::Path;

const NOBODY: &str = "setpriv --reuid 65534 --regid 65534 --clear-groups";

pub fn add(suite: &mut Suite) {
    suite.beside("a-client-killed", a_client_killed);
    suite.beside("a-client-of-another-user", a_client_of_another_user);
    // Processes that must not be traced.
    suite.beside("without-tracing", |scene| {
        needs_root();
        places::needs("setpriv");
        let job = scene.job(&format!("{NOBODY} ./mpiexec -n 2 ./dynamic_spawn")).in_folder("/");
        job.env("CHECK_UNTRACEABLE", "yes").limit(120).run().code(0).leaves_nothing();
    });
    // A /proc that shows a user no processes of others, and not mpiexec's parents.
    suite.beside("with-a-proc-that-hides-processes", |scene| {
        needs_root();
        places::needs("setpriv");
        let job = scene.job(&format!(
            "unshare -m sh -c 'mount -t proc -o hidepid=2 proc /proc && cd / && exec \"$@\"' - \
             {NOBODY} ./mpiexec -n 2 ./dynamic_spawn"
        ));
        job.limit(120).run().code(0).leaves_nothing();
    });
    suite.beside("clients-killed-while-they-connect", clients_killed);
    suite.beside("servers-killed-while-they-accept", servers_killed);
    suite.beside("jobs-killed-while-they-are-spawned-and-spawn", children_killed);
}

/// Starts a job that writes its port into a file, and waits for the file.
pub fn serve(job: &Job<'_>, port: &Path) -> Running {
    let mut server = job.start();
    server.wait_until("there is a port", 40, |_| port.exists());
    server
}

/// A server, and two clients of other jobs, of which one is killed. Then the port of a job that has
/// ended.
fn a_client_killed(scene: &Scene) {
    let port = scene.fresh("port");
    let job = |words: &str| {
        scene.job(&format!("./mpiexec {}", words.replace('@', &port.display().to_string())))
    };
    let server = job("-n 1 ./spawner serve @").start();
    let dies = job("-n 1 ./spawner client @ die").start();
    let client = job("-n 1 ./spawner client @").run();

    client.code(0).leaves_nothing();
    dies.end().code(137).leaves_nothing();
    let server = server.end();
    prints(server.code(0), "noticed done");

    let late = job("-n 2 ./spawner late @").run();
    prints(&late, "noticed noticed");
    late.says_times(2, "cannot be reached: *; try: ");
}

/// A client of another user: the processes share no memory.
fn a_client_of_another_user(scene: &Scene) {
    needs_root();
    places::needs("setpriv");
    let port = scene.fresh("port").display().to_string();
    let server = scene.job(&format!("./mpiexec -n 1 ./spawner serve {port}")).start();
    let client = format!("./mpiexec -n 1 ./spawner client {port}");
    let other = scene.job(&format!("{NOBODY} {client}")).in_folder("/").start();
    scene.job(&client).run().code(0).leaves_nothing();
    other.end().code(0).leaves_nothing();
    prints(server.end().code(0), "done");
}

/// How many times each kind of meeting is tried.
fn meetings() -> u32 {
    std::env::var("MEETINGS").ok().and_then(|number| number.parse().ok()).unwrap_or(6)
}

/// A random delay in microseconds, up to twice the time of a meeting.
fn delay(usual_us: u32) -> u32 {
    let asked = std::env::var("DELAY").ok().and_then(|number| number.parse().ok());
    fastrand::u32(0..asked.unwrap_or(usual_us))
}

/// The outcomes of a meeting that this job may report: it has met the other job, or gets an error
/// of the right class.
const OUTCOMES: [&str; 5] = [
    "accept MPI_ERR_PORT",
    "connect MPI_ERR_PORT",
    "spawn MPI_ERR_SPAWN",
    "receive met",
    "receive MPI_ERR_PROC_ABORTED",
];

/// Fails unless both ranks report an outcome.
#[track_caller]
fn both_report(ended: &Ended) {
    let right = ended.output.lines().filter(|line| OUTCOMES.contains(line)).count();
    if right != 2 {
        ended.fail(&format!("{right} of two ranks report what has come of the meeting"));
    }
}

#[track_caller]
fn killed_or_well(ended: &Ended) {
    if ended.code != 137 && ended.code != 0 {
        ended.fail("a job of which a rank is killed ends in another way");
    }
    ended.leaves_nothing();
}

fn clients_killed(scene: &Scene) {
    let port = scene.fresh("port");
    let at = port.display().to_string();
    let server = scene.job(&format!("./mpiexec -n 2 ./encounter serve {at}")).limit(600);
    let server = serve(&server, &port);
    for meeting in 0..meetings() {
        let client =
            format!("./mpiexec -n 2 ./encounter client {at} {} {}", meeting % 2, delay(10_000));
        killed_or_well(&scene.job(&client).run());
    }
    scene.job(&format!("./mpiexec -n 2 ./encounter client {at} stop")).run().code(0);
    let server = server.end();
    server.code(0).leaves_nothing();
    for line in server.output.lines() {
        let is_outcome = ["accept ", "connect ", "receive "].iter().any(|at| line.starts_with(at));
        if is_outcome && !OUTCOMES.contains(&line) {
            server.fail(&format!("the server reports: {line}"));
        }
    }
}

fn servers_killed(scene: &Scene) {
    for meeting in 0..meetings() {
        let at = scene.fresh("port").display().to_string();
        let server =
            format!("./mpiexec -n 2 ./encounter serve {at} {} {}", meeting % 2, delay(10_000));
        let server = scene.job(&server).start();
        let client = scene.job(&format!("./mpiexec -n 2 ./encounter survivor {at}")).run();
        server.end().code(137).leaves_nothing();
        both_report(client.code(0).leaves_nothing());
    }
}

fn children_killed(scene: &Scene) {
    for meeting in 0..meetings() {
        let parent = format!("./mpiexec -n 2 ./encounter spawn {} {}", meeting % 2, delay(20_000));
        let parent = scene.job(&parent).run();
        both_report(parent.code(0).leaves_nothing());
        let other = parent
            .output
            .lines()
            .find(|line| line.contains("spawn: ") && !line.contains("was killed by SIGKILL"));
        if let Some(line) = other {
            parent.fail(&format!("another reason: {line}"));
        }
        let spawner =
            format!("./mpiexec -n 2 ./encounter spawner {} {}", meeting % 2, delay(60_000));
        killed_or_well(&scene.job(&spawner).run());
    }
}
