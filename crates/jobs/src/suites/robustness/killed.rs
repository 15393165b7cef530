//! A rank or mpiexec is killed while the ranks communicate.

use crate::hosts::{self, Host, Hosts};
use crate::job::Job;
use crate::scene::Scene;
use crate::suite::Suite;
use crate::{processes, traces};
use rustix::process::Signal;
use std::path::Path;

/// Seconds in which a job of which a process is killed must have ended: one that mpiexec leaves its
/// ranks after SIGTERM, and more for a loaded machine.
const LIMIT_S: f64 = 4.0;
/// Seconds in which the ranks must communicate.
const UP_S: u64 = 60;

pub fn add(suite: &mut Suite) {
    suite.alone("kill-rank-in-ping-pong", |scene| kill_rank(scene, 8, 1, &[]));
    suite.alone("kill-first-rank", |scene| kill_rank(scene, 8, 0, &[]));
    suite.alone("kill-rank-in-large-transfer", |scene| kill_rank(scene, 8_000_000, 2, &[]));
    suite.alone("kill-rank-in-pipelined-transfer", |scene| {
        kill_rank(scene, 8_000_000, 2, &[("NEMESIS_CMA", "off")]);
    });
    suite.alone("kill-mpiexec-in-ping-pong", |scene| kill_mpiexec(scene, 8));
    suite.alone("kill-mpiexec-in-large-transfer", |scene| kill_mpiexec(scene, 8_000_000));
}

/// A host with files and sockets of its own where that is permitted. Elsewhere those of other jobs
/// count as left behind, too.
fn apart(scene: &Scene) -> (Option<Hosts>, Option<Host>) {
    let hosts = Hosts::start(&hosts::nodes(1).sharing(scene.folder.clone())).ok();
    let node = hosts.as_ref().map(|hosts| hosts.host("node1"));
    (hosts, node)
}

/// Describes four ranks that exchange messages of this length and write their numbers into a
/// folder.
fn traffic<'a>(scene: &'a Scene, bytes: u32, folder: &Path, host: Option<&Host>) -> Job<'a> {
    let command = format!("./mpiexec -n 4 ./traffic {bytes} {}", folder.display());
    let job = scene.job(&command);
    host.map_or(job.clone(), |host| job.on(host.clone()))
}

fn rank(folder: &Path, rank: u32) -> i32 {
    let text = std::fs::read_to_string(folder.join(rank.to_string())).unwrap_or_default();
    text.trim().parse().unwrap_or_default()
}

fn all_write(folder: &Path) -> bool {
    (0..4).all(|number| rank(folder, number) != 0)
}

fn kill_rank(scene: &Scene, bytes: u32, victim: u32, variables: &[(&str, &str)]) {
    let (_hosts, host) = apart(scene);
    let before = traces::of_nemesis(host.as_ref());
    let folder = scene.fresh_folder("ranks");
    let mut job = traffic(scene, bytes, &folder, host.as_ref());
    for (name, value) in variables {
        job = job.env(name, value);
    }
    let mut job = job.start();
    job.wait_until("all ranks communicate", UP_S, |_| all_write(&folder));
    crate::pause(0.1);

    processes::signal(rank(&folder, victim), Signal::KILL);

    job.leaves_nothing(LIMIT_S);
    job.end().fails().says(&format!("rank {victim} "));
    assert_eq!(traces::of_nemesis(host.as_ref()), before, "files and sockets are left");
}

fn kill_mpiexec(scene: &Scene, bytes: u32) {
    let (_hosts, host) = apart(scene);
    let before = traces::of_nemesis(host.as_ref());
    let folder = scene.fresh_folder("ranks");
    let mut job = traffic(scene, bytes, &folder, host.as_ref()).start();
    job.wait_until("all ranks communicate", UP_S, |_| all_write(&folder));
    crate::pause(0.1);

    job.signal(Signal::KILL);

    job.leaves_nothing(LIMIT_S);
    job.end().code(137);
    assert_eq!(traces::of_nemesis(host.as_ref()), before, "files and sockets are left");
}
