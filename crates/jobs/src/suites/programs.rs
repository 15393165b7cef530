//! The C programs of tests/mpi, each at several sizes and in several modes.
//!
//! A program is self-checking: it prints nothing and exits with 0. Its opening comment may say, in
//! lines of their own,
//!
//! ```text
//! sizes: 2 4         the numbers of processes (default 1 2 4 7)
//! modes: default     the modes (default all)
//! seconds: 60        the time limit of one run (default 30)
//! debug: no          too slow for a build without optimisation
//! dies: WORDS        the job must end with a code other than 0, and print each of the words
//!                    separated by "|" (several such lines count as one)
//! ```
//!
//! A mode is a set of tunables that makes small messages cross every boundary between protocols. No
//! mode exists to reach one protocol or algorithm: `pt2pt_protocols` and `coll_algorithms` force
//! all. Modes other than "default" run at size 4 (or 2, or the last one, for programs without it),
//! and those for which a pair of processes is special at 2 and 4. Programs called coll_* have the
//! modes default, network, threads, "dedicated", in which processes behave as if each had a
//! processor, and
//! "oversubscribed", as if none had one, whatever the number of processors: their messages take the
//! protocols of other programs. Programs that name them have further modes: "short", in which
//! packets between processes are as short as a network may have them, and "fast_lines" and
//! "slow_lines", in which the library believes that cache lines pass between processors fast, or
//! slowly, and that each process has a processor.

use crate::hosts::Host;
use crate::places;
use crate::scene::Scene;
use crate::suite::{Suite, Sum};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

const USAGE: &str = "mpi [-m MODE]... [-n SIZE]... [-l LAUNCHER] [-e] [-t TIMES] [-k FOLDER] [-d] \
                     [PROGRAM...]
    -l LAUNCHER  replaces mpiexec and its options before -n
    -e           jobs that must die need not print the words
    -t TIMES     each run may take that many times as long
    -k FOLDER    keeps the compiled programs for the next call
    -d           runs the library and mpiexec of target/debug, without programs that are too slow";

/// The modes that programs have unless they name theirs.
const USUAL: &str = "default copy network bulk narrow tiny threads";
const USUAL_OF_COLLECTIVES: &str = "default network threads dedicated oversubscribed";
/// Modes in which two processes take other paths than four.
const FOR_PAIRS: [&str; 8] = [
    "default",
    "copy",
    "network",
    "reads",
    "dedicated",
    "oversubscribed",
    "fast_lines",
    "slow_lines",
];

/// Returns the variables of a mode; none if it does not exist.
fn variables(mode: &str, scene: &Scene) -> Option<Vec<(&'static str, String)>> {
    let set = |settings: &[(&'static str, &str)]| {
        Some(settings.iter().map(|(name, value)| (*name, value.to_string())).collect())
    };
    let cache = scene.name(mode);
    let provider = std::env::var("OFI_PROVIDER").unwrap_or_else(|_| "tcp".into());
    match mode {
        "default" => set(&[]),
        "copy" => set(&[("NEMESIS_CMA", "off")]),
        "network" => set(&[("NEMESIS_SHM", "off")]),
        "ofi" => set(&[("NEMESIS_SHM", "off"), ("NEMESIS_NETWORKS", &format!("ofi:{provider}"))]),
        "bulk" => set(&[("NEMESIS_SHM", "off"), ("NEMESIS_PACKET_MAX_BYTES", "64")]),
        "short" => set(&[("NEMESIS_SHM", "off"), ("NEMESIS_NETWORKS", "tcp:4096")]),
        "tiny" => set(&[
            ("NEMESIS_FASTBOX", "off"),
            ("NEMESIS_CMA", "off"),
            ("NEMESIS_PACKET_MAX_BYTES", "251"),
            ("NEMESIS_CELLS", "16"),
        ]),
        "reads" => set(&[("NEMESIS_PROTOCOL", "eager_read")]),
        "threads" => set(&[("NEMESIS_THREAD_LEVEL", "multiple")]),
        "dedicated" => set(&[("NEMESIS_OVERSUBSCRIBED", "no")]),
        "oversubscribed" => set(&[("NEMESIS_OVERSUBSCRIBED", "yes")]),
        "narrow" => set(&[
            ("NEMESIS_FASTBOX", "off"),
            ("NEMESIS_CMA", "off"),
            ("NEMESIS_EAGER_MAX_BYTES", "64"),
            ("NEMESIS_UNEXPECTED_MAX_BYTES", "400"),
        ]),
        "fast_lines" | "slow_lines" => {
            set(&[("NEMESIS_OVERSUBSCRIBED", "no"), ("XDG_CACHE_HOME", &cache)])
        }
        _ => None,
    }
}

/// The figures of a host whose cache lines pass fast (an Intel Xeon).
const FAST_LINES: &[(&str, &str)] = &[
    ("line_read_ns", "3.5"),
    ("line_claim_ns", "3.4"),
    ("line_rewrite_read_ns", "4.3"),
    ("line_rewrite_claimed_ns", "6.4"),
    ("cached_copy_gb_per_s", "36"),
    ("memory_copy_gb_per_s", "6"),
    ("kernel_call_ns", "482"),
    ("kernel_copy_gb_per_s", "21"),
];

/// The figures of a host whose cache lines pass slowly (an AMD EPYC).
const SLOW_LINES: &[(&str, &str)] = &[
    ("line_read_ns", "1.0"),
    ("line_claim_ns", "1.0"),
    ("line_rewrite_read_ns", "14"),
    ("line_rewrite_claimed_ns", "2.8"),
    ("cached_copy_gb_per_s", "56"),
    ("memory_copy_gb_per_s", "17"),
    ("kernel_call_ns", "700"),
    ("kernel_copy_gb_per_s", "15"),
];

/// A program, and what its opening comment says.
#[derive(Clone)]
pub struct Program {
    pub name: String,
    pub source: PathBuf,
    sizes: Vec<u32>,
    modes: Vec<String>,
    seconds: u64,
    is_for_debug: bool,
    dies: Vec<String>,
}

impl Program {
    /// Reads the comment of a program of tests/mpi, which is named with or without its ending.
    pub fn named(name: &str) -> Program {
        let name = name.rsplit('/').next().unwrap_or(name).trim_end_matches(".c");
        let source = places::root().join(format!("tests/mpi/{name}.c"));
        let text = fs::read_to_string(&source).unwrap_or_else(|why| {
            eprintln!("{}: {why}", source.display());
            std::process::exit(2);
        });
        let comment = text.split("*/").next().unwrap_or_default();
        let says = |word: &str| {
            let lines = comment.lines().filter_map(|line| {
                let line = line.trim_start_matches(['/', '*', ' ']);
                Some(line.strip_prefix(word)?.strip_prefix(':')?.trim().to_string())
            });
            lines.collect::<Vec<_>>()
        };
        let one = |word: &str, usual: &str| {
            says(word).into_iter().next().unwrap_or_else(|| usual.to_string())
        };
        let words = |text: String| text.split_whitespace().map(String::from).collect::<Vec<_>>();
        let usual = if name.starts_with("coll_") { USUAL_OF_COLLECTIVES } else { USUAL };
        let sizes = words(one("sizes", "1 2 4 7"));
        Program {
            name: name.into(),
            sizes: sizes.iter().filter_map(|size| size.parse().ok()).collect(),
            modes: words(one("modes", usual)),
            seconds: one("seconds", "30").parse().expect("seconds"),
            is_for_debug: one("debug", "yes") == "yes",
            dies: says("dies").iter().flat_map(|line| line.split('|')).map(String::from).collect(),
            source,
        }
    }

    /// All programs of tests/mpi.
    pub fn all() -> Vec<Program> {
        let entries = fs::read_dir(places::root().join("tests/mpi")).expect("tests/mpi").flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<String> = names.filter(|name| name.ends_with(".c")).collect();
        names.sort();
        names.iter().map(|name| Program::named(name)).collect()
    }

    /// Whether the program may run on this number of processes.
    pub fn fits(&self, size: u32) -> bool {
        self.sizes == [1, 2, 4, 7] || self.sizes.iter().any(|&largest| largest >= size)
    }

    /// Whether the program says something of processes that have no memory in common.
    pub fn suits_networks(&self) -> bool {
        self.modes.iter().any(|mode| mode == "network")
    }

    /// Whether the program tests what it is for on this number of processes.
    fn is_meant_for(&self, size: u32) -> bool {
        self.fits(size) && self.sizes.iter().any(|&smallest| smallest <= size)
    }

    /// The numbers of processes in a mode.
    fn sizes_in(&self, mode: &str) -> Vec<u32> {
        if mode == "default" {
            return self.sizes.clone();
        }
        let sizes = self.sizes.iter().copied().filter(|size| [2, 4].contains(size));
        let mut sizes: Vec<u32> = sizes.collect();
        if sizes.is_empty() {
            sizes.extend(self.sizes.last());
        }
        let from = if FOR_PAIRS.contains(&mode) { 0 } else { sizes.len().saturating_sub(1) };
        sizes[from..].to_vec()
    }
}

/// How programs are started.
#[derive(Clone)]
pub struct Way {
    /// The launcher and its options before -n.
    pub launcher: Vec<String>,
    pub mode: String,
    /// Whether jobs that must die need not print the words.
    pub only_code: bool,
    /// How many times as long as usual each run may take.
    pub times: u64,
    pub host: Option<Host>,
    /// More variables of the environment.
    pub variables: Vec<(String, String)>,
}

/// Runs a program; fails unless it does what its comment says.
#[track_caller]
pub fn check(scene: &Scene, program: &Program, size: u32, way: &Way) {
    let mut job = scene.job("").words(&way.launcher);
    job = job.words(["-n", &size.to_string(), &scene.name(&program.name)]);
    job = job.limit(program.seconds * way.times);
    for (name, value) in variables(&way.mode, scene).expect("a mode") {
        job = job.env(name, value);
    }
    // Loops of many rounds look for races, for which the default mode suffices.
    if way.mode != "default" {
        job = job.env("TEST_DIVISOR", std::env::var("TEST_DIVISOR").unwrap_or_else(|_| "4".into()));
    }
    for (name, value) in &way.variables {
        job = job.env(name, value);
    }
    if let Some(host) = &way.host {
        job = job.on(host.clone());
    }
    let ended = job.run();
    if program.dies.is_empty() {
        ended.is_quiet();
        return;
    }
    ended.fails();
    if !way.only_code {
        program.dies.iter().for_each(|words| {
            ended.says(words);
        });
    }
}

/// What the command line asks for.
struct Options {
    modes: Vec<String>,
    sizes: Vec<u32>,
    launcher: Vec<String>,
    only_code: bool,
    times: u64,
    kept: Option<PathBuf>,
    is_debug: bool,
    programs: Vec<Program>,
}

fn parse(words: &[String]) -> Option<Options> {
    let mut options = Options {
        modes: Vec::new(),
        sizes: Vec::new(),
        launcher: Vec::new(),
        only_code: false,
        times: 1,
        kept: None,
        is_debug: false,
        programs: Vec::new(),
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-m" => options.modes.push(words.next()?.clone()),
            "-n" => options.sizes.push(words.next()?.parse().ok()?),
            "-l" => options.launcher = shlex::split(words.next()?)?,
            "-t" => options.times = words.next()?.parse().ok()?,
            "-k" => options.kept = Some(words.next()?.into()),
            "-e" => options.only_code = true,
            "-d" => options.is_debug = true,
            word if word.starts_with('-') => return None,
            word => options.programs.push(Program::named(word)),
        }
    }
    Some(options)
}

pub fn run(words: &[String]) -> Sum {
    let Some(mut options) = parse(words) else {
        eprintln!("usage: {USAGE}");
        std::process::exit(2);
    };
    if options.is_debug {
        places::use_debug();
    }
    let own = PathBuf::from(format!("/tmp/jobs-mpi-{}", std::process::id()));
    let is_kept = options.kept.is_some();
    let scene = Scene::at(options.kept.take().unwrap_or(own), is_kept);
    scene.install_library(crate::scene::Library::Mpi);
    if options.launcher.is_empty() {
        options.launcher = vec![mpiexec().display().to_string()];
    }
    // Programs that are named run on any number that is asked for.
    let are_named = !options.programs.is_empty();
    if !are_named {
        options.programs = Program::all();
    }
    options.programs.retain(|program| !options.is_debug || program.is_for_debug);
    let sources = options.programs.iter().map(|program| program.source.clone());
    scene.compile_all(&sources.collect::<Vec<_>>());
    let mut suite = Suite::default();
    for program in &options.programs {
        let modes = if options.modes.is_empty() { &program.modes } else { &options.modes };
        for mode in modes {
            let sizes = match options.sizes.as_slice() {
                [] => program.sizes_in(mode),
                sizes => {
                    let runs = |size: &u32| are_named || program.is_meant_for(*size);
                    sizes.iter().copied().filter(runs).collect()
                }
            };
            if sizes.is_empty() {
                continue;
            }
            let way = Way {
                launcher: options.launcher.clone(),
                mode: mode.clone(),
                only_code: options.only_code,
                times: options.times,
                host: None,
                variables: Vec::new(),
            };
            add(&mut suite, program.clone(), sizes, way);
        }
    }
    suite.run(&scene, &[])
}

/// The launcher of the build.
fn mpiexec() -> PathBuf {
    let mpiexec = places::built().join("mpiexec");
    if !mpiexec.exists() {
        eprintln!("{} is not there: build it first (cargo build)", mpiexec.display());
        std::process::exit(2);
    }
    mpiexec
}

/// Adds a program in a mode.
pub fn add(suite: &mut Suite, program: Program, sizes: Vec<u32>, way: Way) {
    let shown: Vec<String> = sizes.iter().map(u32::to_string).collect();
    let name = format!("{:<24} {:<10} {}", program.name, way.mode, shown.join(" "));
    suite.alone(name, move |scene| {
        if variables(&way.mode, scene).is_none() {
            panic!("no mode is called {}", way.mode);
        }
        prepare(scene, &way.mode);
        for &size in &sizes {
            check(scene, &program, size, &way);
        }
    });
}

/// Modes are prepared once.
static PREPARES: Mutex<()> = Mutex::new(());

/// Makes what a mode needs: a model of this host with other figures.
fn prepare(scene: &Scene, mode: &str) {
    let figures = match mode {
        "fast_lines" => FAST_LINES,
        "slow_lines" => SLOW_LINES,
        _ => return,
    };
    let _one = PREPARES.lock();
    let folder = scene.path(mode);
    if folder.exists() {
        return;
    }
    fs::create_dir(&folder).expect("a folder");
    let mut job = Command::new(mpiexec());
    places::succeeds(job.args(["-n", "2", "true"]).env("XDG_CACHE_HOME", &folder));
    let model = model_in(&folder.join("nemesis")).expect("mpiexec stores a model of this host");
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").expect("a boot");
    let text = fs::read_to_string(&model).expect("a model");
    let lines = text.lines().map(|line| {
        let name = line.split(' ').next().unwrap_or_default();
        let other = figures.iter().find(|(figure, _)| *figure == name);
        match other {
            _ if name == "boot" => format!("boot {}\n", boot.trim()),
            Some((figure, value)) => format!("{figure} {value}\n"),
            None => format!("{line}\n"),
        }
    });
    fs::write(&model, lines.collect::<String>()).expect("a model");
}

fn model_in(folder: &Path) -> Option<PathBuf> {
    let mut entries = fs::read_dir(folder).ok()?.flatten();
    let model = entries.find(|entry| entry.file_name().to_string_lossy().starts_with("machine-"));
    Some(model?.path())
}
