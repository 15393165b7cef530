//! Programs of tests/mpi over several simulated hosts, under any launcher.

use super::programs::{Program, Way, check};
use crate::hosts::{self, Hosts};
use crate::launcher::{self, Launcher};
use crate::places;
use crate::scene::Scene;
use crate::slurm::Slurm;
use crate::suite::{Suite, Sum};
use std::process::Command;

const USAGE: &str = "hosts [-l LAUNCHER]... [-L LAYOUTS] [-t TESTS] [PROGRAM...]
    -l LAUNCHER  ours (default), hydra, prte, srun-pmi2, srun-pmix, or all
    -L LAYOUTS   hosts times processes on each (default \"2x1 2x2 4x1 4x2\")
    -t TESTS     c: programs of tests/mpi (default); mpi4py: its own tests; hpl: the HPC Challenge
                 benchmarks, HPL among them; all
    PROGRAM      some of the programs of tests/mpi or, with -t mpi4py, of its modules
    quick [CASE...]  alone: some programs on some layouts, as in all checks";

/// Programs that the checks run on two layouts.
const QUICK: [&str; 11] = [
    "dynamic_spawn",
    "dynamic_ports",
    "pt2pt_sizes",
    "pt2pt_random",
    "pt2pt_cooperative",
    "coll_data",
    "coll_node_order",
    "coll_nonblocking",
    "comm_inter",
    "topology_cart",
    "session_world",
];
/// Programs that the checks run over encrypted connections.
const QUICK_ENCRYPTED: [&str; 6] = [
    "pt2pt_sizes",
    "pt2pt_random",
    "pt2pt_cooperative",
    "coll_data",
    "rma_access",
    "session_world",
];

pub fn run(words: &[String]) -> Sum {
    let scene = Scene::new("hosts");
    let mut suite = Suite::default();
    let mut wanted: &[String] = &[];
    if let [quick, cases @ ..] = words
        && quick == "quick"
    {
        wanted = cases;
        for layout in [(2, 1), (2, 2)] {
            add(&mut suite, Launcher::Ours, layout, &[], &QUICK);
        }
        let encrypted = [("NEMESIS_ENCRYPT", "on")];
        add(&mut suite, Launcher::Ours, (2, 2), &encrypted, &QUICK_ENCRYPTED);
        let of_four = ["io_random", "thread_lanes", "thread_tags"];
        add(&mut suite, Launcher::Ours, (2, 2), &[], &of_four);
    } else if add_asked(&mut suite, words).is_none() {
        eprintln!("usage: {USAGE}");
        std::process::exit(2);
    }
    suite.run(&scene, wanted)
}

/// Adds what the command line asks for.
fn add_asked(suite: &mut Suite, words: &[String]) -> Option<()> {
    let mut launchers = Vec::new();
    let mut layouts = "2x1 2x2 4x1 4x2".to_string();
    let mut tests = "c".to_string();
    let mut programs = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-l" if words.as_slice().first()? == "all" => {
                words.next();
                launchers.extend(launcher::ALL);
            }
            "-l" => launchers.push(Launcher::named(words.next()?)?),
            "-L" => layouts = words.next()?.clone(),
            "-t" => tests = words.next()?.replace("all", "c mpi4py hpl"),
            word if word.starts_with('-') => return None,
            word => programs.push(word),
        }
    }
    if launchers.is_empty() {
        launchers.push(Launcher::Ours);
    }
    for test in tests.split_whitespace() {
        prefetch(test)?;
        for &launcher in &launchers {
            for layout in layouts.split_whitespace() {
                let (nodes, each) = layout.split_once('x')?;
                let layout = (nodes.parse().ok()?, each.parse().ok()?);
                if test == "c" {
                    add(suite, launcher, layout, &[], &programs);
                } else {
                    add_script(suite, launcher, layout, test, &programs);
                }
            }
        }
    }
    Some(())
}

fn script(name: &str) -> String {
    places::root().join("scripts").join(name).display().to_string()
}

fn abi() -> String {
    std::env::var("ABI").unwrap_or_else(|_| "standard".into())
}

/// Fetches what simulated hosts cannot fetch. None if the test is unknown.
fn prefetch(test: &str) -> Option<()> {
    match test {
        "c" => {}
        "mpi4py" => {
            let mut tests = Command::new(script("test-mpi4py"));
            places::output_of(tests.args(["-a", &abi(), "-n", "1", "pickle"]));
        }
        "hpl" => {
            places::output_of(Command::new(script("test-outside")).args(["-n", "", "hpcc"]));
        }
        _ => return None,
    }
    Some(())
}

/// Hosts, and the cluster that launchers of Slurm need.
struct Site {
    slurm: Option<Slurm>,
    hosts: Option<Hosts>,
}

impl Site {
    fn new(scene: &Scene, launcher: Launcher, nodes: u32) -> Site {
        launcher.is_there().unwrap_or_else(|why| crate::skip(why));
        if !launcher.is_slurm() {
            return Site { slurm: None, hosts: Some(scene.hosts(hosts::nodes(nodes))) };
        }
        let plan = hosts::nodes(nodes).own_processes().sharing(scene.folder.clone());
        let slurm = Slurm::start(nodes, &plan).unwrap_or_else(|why| crate::skip(why));
        // Debian's PMIx plugin loads libpmix.so, which is in libpmix-dev.
        let kind = launcher.name().trim_start_matches("srun-");
        let tried = slurm.on_login(&format!("srun --mpi={kind} -N 1 -n 1 true && echo works"));
        if !tried.ends_with("works\n") {
            let why = tried.lines().next().unwrap_or_default();
            crate::skip(format!("srun --mpi={kind} starts nothing (libpmix-dev?): {why}"));
        }
        Site { slurm: Some(slurm), hosts: None }
    }

    fn hosts(&self) -> &Hosts {
        let of_slurm = self.slurm.as_ref().map(|slurm| &slurm.hosts);
        of_slurm.or(self.hosts.as_ref()).expect("there are hosts")
    }

    /// The variables of jobs: a folder that all hosts share, and the cluster.
    fn variables(&self, scene: &Scene, more: &[(&str, &str)]) -> Vec<(String, String)> {
        let folder = scene.fresh_folder("tmp").display().to_string();
        let mut variables = vec![("TMPDIR".to_string(), folder)];
        if let Some(slurm) = &self.slurm {
            variables.push(("SLURM_CONF".into(), slurm.conf()));
        }
        variables.extend(more.iter().map(|(name, value)| (name.to_string(), value.to_string())));
        variables
    }
}

/// How much longer a run may take: each host uses all processors of this machine, and a process
/// that is not bound waits for processors on which processes of other hosts spin.
fn times((nodes, each): (u32, u32)) -> u64 {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    1 + u64::from(nodes * each) / processors as u64
}

/// Adds programs under a launcher, on hosts times processes on each; without names, all that fit
/// and are not about processes of one node alone.
pub fn add(
    suite: &mut Suite,
    launcher: Launcher,
    layout: (u32, u32),
    variables: &[(&'static str, &'static str)],
    names: &[&str],
) {
    let (nodes, each) = layout;
    let size = nodes * each;
    let programs = match names {
        [] => {
            let mut all = Program::all();
            all.retain(|program| program.fits(size) && (nodes == 1 || program.suits_networks()));
            all
        }
        names => names.iter().map(|name| Program::named(name)).collect::<Vec<_>>(),
    };
    let variables = variables.to_vec();
    for program in programs {
        let suffix = if variables.is_empty() { "" } else { "-encrypted" };
        let name = format!("{}-{nodes}x{each}-{}{suffix}", launcher.name(), program.name);
        let variables = variables.clone();
        suite.beside(name, move |scene| {
            let site = Site::new(scene, launcher, nodes);
            scene.compile_all(std::slice::from_ref(&program.source));
            let way = Way {
                launcher: launcher.words(nodes, each),
                mode: "default".into(),
                only_code: launcher != Launcher::Ours,
                times: times(layout),
                host: Some(site.hosts().login()),
                variables: site.variables(scene, &variables),
            };
            check(scene, &program, size, &way);
        });
    }
}

/// Adds mpi4py's own tests or HPCC, which scripts run.
fn add_script(
    suite: &mut Suite,
    launcher: Launcher,
    layout: (u32, u32),
    test: &str,
    modules: &[&str],
) {
    let (nodes, each) = layout;
    let size = nodes * each;
    let own = std::env::current_exe().expect("this program has a path");
    let launch = format!("{} launch {} {nodes} {each}", own.display(), launcher.name());
    let line = match test {
        "mpi4py" => format!(
            "{} -a {} -n {size} -t {} -l '{launch}' {}",
            script("test-mpi4py"),
            abi(),
            times(layout),
            modules.join(" ")
        ),
        _ => format!("{} -n {size} -l '{launch}' hpcc", script("test-outside")),
    };
    suite.alone(format!("{}-{nodes}x{each}-{test}", launcher.name()), move |scene| {
        let site = Site::new(scene, launcher, nodes);
        let mut job = scene.job(&line).on(site.hosts().login()).limit(3600);
        for (name, value) in site.variables(scene, &[]) {
            job = job.env(&name, value);
        }
        let ended = job.run();
        ended.code(0);
        crate::say!("    {}", ended.output.lines().last().unwrap_or_default());
    });
}
