//! Faults under our own launcher.

use super::story::Story;
use crate::hosts;
use crate::scene::Scene;
use crate::suite::Suite;
use rustix::process::Signal;

/// Six ranks on three hosts, which run collectives.
const SIX: &str = "./mpiexec -hosts node1,node2,node3 -ppn 2 -n 6 ./collective @";
/// Messages take the second network, and the launcher's connections the first.
const BY_SECOND: &str = "./mpiexec -genv NEMESIS_NET eth1";

/// Adds a case that has three hosts in two networks.
fn case(suite: &mut Suite, name: &str, tell: impl Fn(&mut Story) + Send + Sync + 'static) {
    suite.beside(name, move |scene: &Scene| {
        let hosts = scene.hosts(hosts::nodes(3).networks(2).own_processes().own_login_files());
        tell(&mut Story::new(scene, &hosts));
    });
}

pub fn add(suite: &mut Suite) {
    case(suite, "kill-9-of-a-rank", |story| {
        story.starts(6, SIX);
        story.kill_rank(3, "node2");
        story.ends_saying(&["rank 3", "was killed by SIGKILL"]);
    });
    case(suite, "kill-9-of-an-agent", |story| {
        story.starts(6, SIX);
        story.kill_agent("node2");
        story.ends_saying(&["node2 is lost"]);
    });
    case(suite, "kill-9-of-mpiexec", |story| {
        story.starts(6, SIX);
        story.job().signal(Signal::KILL);
        story.ends_saying(&[]);
    });
    case(suite, "a-cable-is-cut", |story| {
        story.starts(6, SIX);
        story.hosts.cut("node2");
        story.ends_saying(&["node2 is lost"]);
    });
    case(suite, "the-cable-that-messages-take-is-cut", |story| {
        story.starts(6, &SIX.replace("./mpiexec", BY_SECOND));
        story.hosts.cut_from("node2", 2);
        story.ends_saying(&["class MPI_ERR_PROC_ABORTED"]);
    });
    case(suite, "a-cable-is-cut-under-accesses-to-a-window", |story| {
        story.starts(2, &format!("{BY_SECOND} -hosts node1,node2 -ppn 1 -n 2 ./partner access @"));
        story.hosts.cut_from("node2", 2);
        story.ends_saying(&["class MPI_ERR_PROC_ABORTED"]);
    });
    case(suite, "a-cable-is-cut-under-epochs-of-a-window", |story| {
        story.starts(2, &format!("{BY_SECOND} -hosts node1,node2 -ppn 1 -n 2 ./partner epochs @"));
        story.hosts.cut_from("node2", 2);
        story.ends_saying(&["class MPI_ERR_PROC_ABORTED", "each epoch has ended"]);
    });
    case(suite, "a-cable-is-cut-in-the-middle-of-messages", |story| {
        story.starts(6, &format!("{BY_SECOND} -hosts node1:1,node2:5 -n 6 ./partner bulk @"));
        story.hosts.cut_from("node2", 2);
        story.ends_saying(&["class MPI_ERR_PROC_ABORTED", "all five have failed"]);
    });
    case(suite, "a-cable-is-cut-under-registered-memory", |story| {
        story.starts(2, &format!("{BY_SECOND} -hosts node1,node2 -ppn 1 -n 2 ./reach @"));
        story.hosts.cut_from("node2", 2);
        story.ends_saying(&["under way has failed", "later has failed"]);
    });
    case(suite, "a-receiver-that-is-busy-is-not-taken-for-lost", |story| {
        story.starts(0, "./mpiexec -hosts node1,node2 -ppn 1 -n 2 ./partner busy @");
        story.ends_saying(&["4096 messages are there"]);
    });
    case(suite, "a-rank-leaves-a-collective-out", |story| {
        story.starts(0, "./mpiexec -hosts node1,node2,node3 -ppn 2 -n 6 ./leftout allreduce 6");
        story.ends_saying(&["rank 1 has called MPI_Finalize, and ranks 0, 2-5 wait"]);
    });
    case(suite, "ranks-ignore-the-sigterm-of-mpiexec", |story| {
        let deaf = "sh -c 'trap \"\" TERM; echo $$ >\"$1/$PMI_RANK\"; while :; do sleep 1; done'";
        story.starts(2, &format!("./mpiexec -hosts node1,node2 -ppn 1 -n 2 {deaf} sh @"));
        story.job().signal(Signal::TERM);
        story.ends_saying(&[]);
    });
}
