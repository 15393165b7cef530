//! Faults under other launchers, and over other networks.

use super::story::Story;
use crate::hosts::{self, Hosts};
use crate::launcher::{Launcher, prterun_line};
use crate::places;
use crate::scene::Scene;
use crate::slurm::Slurm;
use crate::suite::Suite;
use rustix::process::Signal;

/// Seconds in which a rank of hydra must end after its daemon.
const AFTER_DAEMON_S: f64 = 10.0;
/// Seconds in which a rank must end after its daemon under launchers that are slower.
const AFTER_OTHER_DAEMON_S: f64 = 20.0;

pub fn add(suite: &mut Suite) {
    add_hydra(suite);
    add_prte(suite);
    add_srun(suite);
}

/// Two hosts with processes of their own.
fn two(scene: &Scene) -> Hosts {
    scene.hosts(hosts::nodes(2).own_processes().own_login_files())
}

fn add_hydra(suite: &mut Suite) {
    let case = |suite: &mut Suite, name: &str, tell: fn(&mut Story, &str)| {
        suite.beside(format!("hydra-{name}"), move |scene: &Scene| {
            Launcher::Hydra.is_there().unwrap_or_else(|why| crate::skip(why));
            let hydra = places::hydra().expect("it is there").display().to_string();
            let hosts = two(scene);
            tell(&mut Story::new(scene, &hosts), &hydra);
        });
    };
    case(suite, "kill-9-of-a-rank", |story, hydra| {
        story.starts(2, &format!("{hydra} -disable-auto-cleanup {TWO_RANKS}"));
        story.kill_rank(1, "node2");
        story.goes_on_saying(&["class MPI_ERR_PROC_ABORTED"]);
    });
    case(suite, "a-cable-is-cut", |story, hydra| {
        story.starts(2, &format!("{hydra} -disable-auto-cleanup {TWO_RANKS}"));
        story.hosts.cut("node2");
        story.goes_on_saying(&["class MPI_ERR_PROC_ABORTED"]);
    });
    case(suite, "kill-9-of-a-rank-in-long-messages", |story, _| survive(story, &[]));
    case(suite, "kill-9-of-a-rank-ends-the-job", |story, hydra| {
        story.starts(2, &format!("{hydra} {TWO_RANKS}"));
        story.kill_rank(1, "node2");
        story.ends_saying(&[]);
    });
    // On one processor the messages always come within the yields of a wait, which never sleeps.
    case(suite, "kill-9-of-a-daemon", |story, hydra| {
        let one = last_processor();
        story.starts(2, &format!("taskset -c {one} {hydra} {TWO_RANKS}"));
        story.kill_daemon_of(1, "node2", AFTER_DAEMON_S);
        story.ends_saying(&[]);
    });
    case(suite, "kill-9-of-the-launcher", |story, hydra| {
        story.starts(2, &format!("{hydra} {TWO_RANKS}"));
        story.job().signal(Signal::KILL);
        story.ends_saying(&[]);
    });
}

const TWO_RANKS: &str = "-hosts node1,node2 -ppn 1 -n 2 ./collective @";

fn last_processor() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    list.and_then(|list| list.trim().rsplit([',', '-']).next()).unwrap_or("0").into()
}

fn add_prte(suite: &mut Suite) {
    let case = |suite: &mut Suite, name: &str, tell: fn(&mut Story)| {
        suite.beside(format!("prte-{name}"), move |scene: &Scene| {
            Launcher::Prte.is_there().unwrap_or_else(|why| crate::skip(why));
            let hosts = two(scene);
            let mut story = Story::new(scene, &hosts);
            let line = prterun_line();
            story.starts(2, &format!("{line} --host node1:1,node2:1 -n 2 ./collective @"));
            tell(&mut story);
        });
    };
    case(suite, "kill-9-of-a-rank", |story| {
        story.kill_rank(1, "node2");
        story.ends_saying(&[]);
    });
    case(suite, "kill-9-of-a-daemon", |story| {
        story.kill_daemon_of(1, "node2", AFTER_OTHER_DAEMON_S);
        story.ends_saying(&[]);
    });
    // PRRTE waits for the host that it cannot reach.
    case(suite, "a-cable-is-cut", |story| {
        story.hosts.cut("node2");
        story.goes_on_saying(&["rank 0: class MPI_ERR_PROC_ABORTED"]);
    });
}

fn add_srun(suite: &mut Suite) {
    let case = |suite: &mut Suite, name: &str, tell: fn(&mut Story)| {
        suite.beside(format!("srun-{name}"), move |scene: &Scene| {
            Launcher::SrunPmi2.is_there().unwrap_or_else(|why| crate::skip(why));
            let plan = hosts::nodes(2).own_processes().own_login_files();
            let slurm = Slurm::start(2, &plan.sharing(scene.folder.clone()));
            let slurm = slurm.unwrap_or_else(|why| crate::skip(why));
            let mut story = Story::new(scene, &slurm.hosts);
            story.starts_job(2, |story| {
                let job = story.with_folder("srun --mpi=pmi2 -N2 -n2 ./collective @");
                story.scene.job(&job).env("SLURM_CONF", slurm.conf())
            });
            tell(&mut story);
        });
    };
    case(suite, "kill-9-of-a-rank", |story| {
        story.kill_rank(1, "node2");
        story.ends_saying(&["class MPI_ERR_PROC_ABORTED"]);
    });
    // Slurm's controller checks its nodes only now and then.
    case(suite, "kill-9-of-a-daemon", |story| {
        story.kill_daemon_of(1, "node2", AFTER_OTHER_DAEMON_S);
        story.goes_on_saying(&["rank 0: class MPI_ERR_PROC_ABORTED"]);
    });
    case(suite, "a-cable-is-cut", |story| {
        story.hosts.cut("node2");
        story.goes_on_saying(&["rank 0: class MPI_ERR_PROC_ABORTED"]);
    });
}

/// Kills a rank of a job of four whose processes then go on, which mpiexec does not allow.
///
/// Hydra's proxy sends SIGUSR1 to the process groups of its children when one has ended, and
/// SIGKILL to those of children that have ended since, so shells that ignore SIGUSR1 live on with
/// the ranks. They hide how a rank ended, because hydra would end the job. The job must say
/// `words`, too.
fn survive(story: &mut Story, words: &[&str]) {
    let Some(hydra) = places::hydra() else { crate::skip("there is no mpiexec.hydra") };
    let times = std::env::var("SURVIVORS").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    for _ in 0..times {
        let said = story.scene.fresh("survivors");
        let file = said.display();
        let shell = "sh -c 'trap \"\" USR1; \"$@\" >>\"$0\" 2>&1; true'";
        let options = "-disable-auto-cleanup -hosts node1,node2 -ppn 2 -n 4";
        let job = format!("{} {options} {shell} {file} ./survivors @", hydra.display());
        story.says_in = Some(said.clone());
        story.starts_job(0, |story| {
            story.scene.job(&story.with_folder(&job)).env("NEMESIS_SHM", "off")
        });
        let go_on: &[&str] = &["rank 0 goes on", "rank 2 goes on", "rank 3 goes on"];
        story.goes_on_saying(&[words, go_on].concat());
    }
}

/// Adds the cases over libfabric.
pub fn add_ofi(suite: &mut Suite) {
    let provider = std::env::var("OFI_PROVIDER").unwrap_or_else(|_| "tcp".into());
    let variables = vec![("NEMESIS_NETWORKS".to_string(), format!("ofi:{provider}"))];
    add_network(suite, variables, true, &[]);
}

/// Adds the cases over the mock of libibverbs, which is in the scene.
///
/// The mock accesses the memory of other processes, so hosts share their processes, and its sockets
/// are files, because hosts do not share abstract addresses.
pub fn add_verbs(suite: &mut Suite, scene: &Scene) {
    scene.install("libnemesis_verbs_mock.so", "mock/libibverbs.so.1");
    let variables = vec![
        ("NEMESIS_NETWORKS".to_string(), "verbs:mock0".to_string()),
        ("VERBS_MOCK_FOLDER".to_string(), scene.name("mock")),
        ("NEMESIS_VERBS".to_string(), format!("library={}", scene.name("mock/libibverbs.so.1"))),
        ("NEMESIS_VERBOSE".to_string(), "on".to_string()),
    ];
    add_network(suite, variables, false, &["uses mock0 port"]);
}

/// What happens in a case over a network: the job's variables, and words that it must say.
type Tell = fn(&mut Story, &[(String, String)], &[&str]);

/// Adds cases over a network that variables choose. The job must say `words`, too.
fn add_network(
    suite: &mut Suite,
    variables: Vec<(String, String)>,
    own_processes: bool,
    words: &'static [&'static str],
) {
    let mut case = |name: &str, tell: Tell| {
        let variables = variables.clone();
        suite.beside(name, move |scene: &Scene| {
            let mut plan = hosts::nodes(2).networks(2).own_login_files();
            if own_processes {
                plan = plan.own_processes();
            }
            let hosts = scene.hosts(plan);
            let mut story = Story::new(scene, &hosts);
            story.own_processes = own_processes;
            tell(&mut story, &variables, words);
            let said = story.job().output();
            assert!(!said.contains("is reached by TCP"), "TCP is used:\n{said}");
        });
    };
    case("kill-9-of-a-rank", |story, variables, words| {
        starts(story, "./mpiexec -hosts node1,node2 -ppn 1 -n 2 ./collective @", variables);
        story.kill_rank(1, "node2");
        story.ends_saying(&[words, &["rank 1", "was killed by SIGKILL"]].concat());
    });
    // The mock of the device copies within this host: there it is the cable of the connections.
    case("the-cable-is-cut", |story, variables, words| {
        let job = "./mpiexec -genv NEMESIS_NET eth1 -hosts node1,node2 -ppn 1 -n 2 ./collective @";
        starts(story, job, variables);
        story.hosts.cut_from("node2", 2);
        story.ends_saying(&[words, &["class MPI_ERR_PROC_ABORTED"]].concat());
    });
    case("kill-9-of-a-rank-in-long-messages", |story, variables, words| {
        story.variables = variables.to_vec();
        survive(story, words);
    });
}

fn starts(story: &mut Story, command: &str, variables: &[(String, String)]) {
    story.variables = variables.to_vec();
    story.starts(2, command);
}
