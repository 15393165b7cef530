//! Wire-up over simulated hosts under every launcher that is there, and each kind of process of our
//! own is killed. Some programs of tests/mpi under the other launchers come last.

use super::layouts;
use crate::hosts::{self, Hosts};
use crate::job::{Job, Running};
use crate::launcher::{Launcher, prterun_line};
use crate::places;
use crate::processes;
use crate::scene::Scene;
use crate::slurm::Slurm;
use crate::suite::{Suite, Sum};
use rustix::process::Signal;

/// A job of our launcher: name, command, exit code, what it says.
const OURS: &[(&str, &str, i32, &[&str])] = &[
    (
        "4-processes-on-2-hosts",
        "./mpiexec -hosts node1:2,node2:2 ./rank meet",
        0,
        &["rank 0 of 4", "rank 3 of 4"],
    ),
    (
        "8-processes-on-4-hosts",
        "./mpiexec -hosts node1:2,node2:2,node3:2,node4:2 ./rank meet",
        0,
        &["rank 0 of 8", "rank 7 of 8"],
    ),
    (
        "an-abort-on-another-host",
        "./mpiexec -hosts node1,node2 ./rank abort 1 7",
        7,
        &["rank 1 aborted the job with code 7", "on node2"],
    ),
    (
        "a-rank-that-leaves",
        "./mpiexec -hosts node1,node2 ./rank leave 1 5",
        5,
        &["rank 1 ended with exit code 5"],
    ),
    (
        "an-unknown-host",
        "./mpiexec -hosts node1,node9 ./rank meet",
        1,
        &["nothing can be started on node9"],
    ),
    (
        "a-missing-directory",
        "./mpiexec -hosts node1,node2 -wdir /no/such ./rank meet",
        127,
        &["the directory does not exist"],
    ),
];

/// A job in a Slurm cluster.
const SLURM: &[(&str, &str, i32, &[&str])] = &[
    ("srun-pmi2", "srun --mpi=pmi2 -N2 -n4 ./rank meet", 0, &["rank 3 of 4", "launcher Slurm"]),
    (
        "srun-pmi2-by-pmi-1",
        "env NEMESIS_PMI=1 srun --mpi=pmi2 -N2 -n4 ./rank meet",
        0,
        &["rank 3 of 4", "launcher Slurm"],
    ),
    ("srun-without-mpi", "srun -N2 -n2 ./rank meet", 1, &["srun --mpi=pmi2"]),
    (
        "mpiexec-inside-an-allocation",
        "salloc -Q -N2 -n4 ./mpiexec ./rank meet",
        0,
        &["rank 3 of 4", "mpiexec of Nemesis"],
    ),
    (
        "a-host-outside-the-allocation",
        "salloc -Q -N1 -w node1 ./mpiexec -hosts node1,node2 -n 2 ./rank meet",
        1,
        &["node2: it is not of this Slurm allocation, which has node1"],
    ),
    ("srun-pmix", "srun --mpi=pmix -N2 -n4 ./rank meet", 0, &["rank 3 of 4", "launcher Slurm"]),
];

pub fn run(wanted: &[String]) -> Sum {
    let scene = Scene::new("launchers");
    scene.install("nemesis-test-rank", "rank");
    scene.write_program(
        "sleeper",
        "#!/bin/sh\ntrap '' TERM\n[ -n \"$2\" ] || \"$0\" \"$1\" child &\n\
         while :; do sleep 1; done\n",
    );
    let mut suite = Suite::default();
    for &(name, command, code, says) in OURS {
        suite.beside(name, move |scene| {
            let hosts = four(scene);
            ends(&scene.job(command).on(hosts.login()), code, says);
        });
    }
    add_hydra(&mut suite);
    add_prte(&mut suite);
    for &(name, command, code, says) in SLURM {
        suite.beside(name, move |scene| {
            let plan = hosts::nodes(2).own_processes().sharing(scene.folder.clone());
            let slurm = Slurm::start(2, &plan).unwrap_or_else(|why| crate::skip(why));
            if name == "srun-pmix" {
                let tried = slurm.on_login("srun --mpi=pmix -N1 -n1 true && echo works");
                if !tried.ends_with("works\n") {
                    crate::skip(tried.lines().last().unwrap_or_default());
                }
            }
            let job = scene.job(command).on(slurm.hosts.login());
            ends(&job.env("SLURM_CONF", slurm.conf()), code, says);
        });
    }
    add_killed(&mut suite);
    let programs = ["pt2pt_sizes", "coll_data", "comm_inter", "dynamic_spawn", "dynamic_ports"];
    for launcher in crate::launcher::ALL {
        if launcher != Launcher::Ours {
            layouts::add(&mut suite, launcher, (2, 2), &[], &programs);
        }
    }
    suite.run(&scene, wanted)
}

fn four(scene: &Scene) -> Hosts {
    scene.hosts(hosts::nodes(4).own_processes())
}

/// The job must end with the code, say the words, and leave nothing.
#[track_caller]
fn ends(job: &Job<'_>, code: i32, says: &[&str]) {
    let ended = job.run();
    ended.code(code);
    for words in says.iter().filter(|words| !words.is_empty()) {
        ended.says(words);
    }
    ended.leaves_nothing();
}

fn add_hydra(suite: &mut Suite) {
    for (name, options, code, says) in [
        ("hydra", "-ppn 2 -n 4 ./rank meet", 0, "rank 3 of 4"),
        ("hydra-by-pmi-port", "-pmi-port -ppn 2 -n 4 ./rank meet", 0, "rank 3 of 4"),
        ("hydra-an-abort", "-ppn 1 -n 2 ./rank abort 1 7", 7, ""),
    ] {
        suite.beside(name, move |scene| {
            let Some(hydra) = places::hydra() else { crate::skip("there is no mpiexec.hydra") };
            let hosts = four(scene);
            let job = format!("{} -hosts node1,node2 {options}", hydra.display());
            let told = if name == "hydra" { "a PMI-1 launcher" } else { "" };
            ends(&scene.job(&job).on(hosts.login()), code, &[says, told]);
        });
    }
}

fn add_prte(suite: &mut Suite) {
    for (name, options, code, says) in [
        ("prte", "--host node1:2,node2:2 -n 4 ./rank meet", 0, ["rank 3 of 4", "a PMIx launcher"]),
        ("prte-an-abort", "--host node1:1,node2:1 -n 2 ./rank abort 1 7", 7, ["", ""]),
    ] {
        suite.beside(name, move |scene| {
            Launcher::Prte.is_there().unwrap_or_else(|why| crate::skip(why));
            let hosts = four(scene);
            let job = format!("{} {options}", prterun_line());
            ends(&scene.job(&job).on(hosts.login()), code, &says);
        });
    }
}

/// Something is taken away from four ranks on two hosts, each with a child. All ignore SIGTERM.
fn add_killed(suite: &mut Suite) {
    let case = |suite: &mut Suite,
                name: &str,
                says: &'static [&str],
                kill: fn(&Hosts, &Running, &Scene)| {
        suite.waits(name, move |scene: &Scene| {
            let hosts = four(scene);
            let job = scene.job("./mpiexec -hosts node1:2,node2:2 ./sleeper 1000");
            let mut job = job.on(hosts.login()).start();
            let sleeper = format!("/bin/sh {}", scene.name("sleeper"));
            job.wait_until("all are up", 40, |job| job.running(&sleeper).len() == 8);
            kill(&hosts, &job, scene);
            job.leaves_nothing(15.0);
            let ended = job.end();
            says.iter().for_each(|words| {
                ended.says(words);
            });
        });
    };
    case(suite, "kill-9-of-mpiexec", &[], |_, job, _| job.signal(Signal::KILL));
    case(suite, "kill-9-of-an-agent", &["node1 is lost", "who: ranks 0-1"], |hosts, job, scene| {
        let agent = format!("{} --node-agent", scene.name("mpiexec"));
        kill_on(hosts, "node1", job, &agent);
    });
    case(suite, "kill-9-of-a-rank", &["was killed by SIGKILL"], |hosts, job, scene| {
        kill_on(hosts, "node2", job, &format!("/bin/sh {} 1000", scene.name("sleeper")));
    });
    case(suite, "a-cut-cable", &["node2 is lost"], |hosts, _, _| hosts.cut("node2"));
}

/// Kills the first process of the job on a host whose command begins so.
fn kill_on(hosts: &Hosts, host: &str, job: &Running, command: &str) {
    let network = processes::network(hosts.host(host).holder);
    let found = job.running(command);
    let victim = found.into_iter().find(|&pid| processes::network(pid) == network);
    processes::signal(victim.unwrap_or_else(|| panic!("no {command} on {host}")), Signal::KILL);
}
