//! `simulate`: runs random programs as simulated jobs, and reduces one that fails.
//!
//! Programs run in child processes, some at a time: a panic inside the library ends the process.

use clap::Parser;
use nemesis_simulation::job::{Failure, Loss, Report, Setup, Space};
use nemesis_simulation::network::{Defect, Latency, UNDER_WAY_MAX};
use nemesis_simulation::program::Program;
use nemesis_sys::mutation::{self, Mutation};
use std::io::{BufRead, BufReader, IsTerminal};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// Seeds that one child process runs.
const BATCH: u64 = 20;
/// Steps of a program by default.
const STEPS: usize = 12;

/// Runs random MPI programs as jobs in one process. One seed gives one run.
#[derive(Parser, Clone, Debug)]
struct Options {
    /// Number of seeds to run.
    #[arg(long, default_value_t = 20)]
    seeds: u64,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Ranks of the jobs; by default the seed chooses from 1 to 12.
    #[arg(long)]
    ranks: Option<u32>,
    /// Hosts of the jobs; by default the seed chooses from 1 to 4.
    #[arg(long)]
    hosts: Option<u32>,
    /// Threads of each process that call MPI, each by a communicator of its own.
    #[arg(long, default_value_t = 1)]
    threads: u32,
    /// Steps of a program.
    #[arg(long, default_value_t = STEPS)]
    steps: usize,
    /// Whether something is lost while a job runs, a cable between two hosts or a process; by
    /// default the seed chooses, once in four times.
    #[arg(long)]
    loss: Option<bool>,
    /// Processes that die, at most, while the others go on: programs that survive, instead of those
    /// that end.
    #[arg(long, default_value_t = 0)]
    deaths: u32,
    /// Whether the network lets processes access the memory of others without them; by default the
    /// seed chooses.
    #[arg(long)]
    reach: Option<bool>,
    /// Puts a defect in: overtaking, loss, doubled, damage, credit, doorbell or arrival.
    #[arg(long, value_parser = |name: &str| of_name(name, &Defect::ALL))]
    defect: Option<Defect>,
    /// Turns a mutation of the engine on: a deliberate defect, such as lost-wake-up.
    #[arg(long, value_parser = mutation_of)]
    mutation: Option<Mutation>,
    /// Runs only these steps of the program, by number; `none` for no step.
    #[arg(long, value_parser = steps_of)]
    keep: Option<Kept>,
    /// Whether a program that fails is reduced to the steps that it needs.
    #[arg(long, default_value_t = true, action = clap::ArgAction::Set)]
    reduce: bool,
    /// Runs the seeds in this process.
    #[arg(long, hide = true)]
    here: bool,
}

/// Returns what has a name in a list.
fn of_name<T: Copy>(name: &str, all: &[(&str, T)]) -> Result<T, String> {
    let found = all.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        format!("there are {}", names.join(", "))
    })
}

fn mutation_of(name: &str) -> Result<Mutation, String> {
    if !mutation::EXIST {
        return Err("a build without debug assertions has no mutations".into());
    }
    of_name(name, &Mutation::ALL)
}

/// Returns the option that names a value of a list.
fn naming<T: PartialEq>(option: &str, value: Option<T>, all: &[(&str, T)]) -> Option<String> {
    let name = all.iter().find(|(_, known)| value.as_ref() == Some(known))?.0;
    Some(format!("--{option}={name}"))
}

/// Steps of a program, by number.
#[derive(Clone, Debug)]
struct Kept(Vec<usize>);

fn steps_of(text: &str) -> Result<Kept, std::num::ParseIntError> {
    let numbers = text.split(',').filter(|word| *word != "none").map(str::parse);
    numbers.collect::<Result<_, _>>().map(Kept)
}

/// Returns steps as `--keep` takes them.
fn list(kept: &[usize]) -> String {
    let numbers: Vec<String> = kept.iter().map(usize::to_string).collect();
    if numbers.is_empty() { "none".into() } else { numbers.join(",") }
}

fn main() -> ExitCode {
    let options = Options::parse();
    if options.here { run_here(&options) } else { run_all(&options) }
}

/// Returns the setup of a seed.
fn setup(options: &Options, seed: u64) -> Setup {
    let mut random = fastrand::Rng::with_seed(seed ^ 0x7e57);
    let ranks = options.ranks.unwrap_or(random.u32(1..13));
    let hosts = options.hosts.unwrap_or(random.u32(1..5));
    let most = [2000, 20_000, 300_000][random.usize(..3)];
    // A defect may keep processes busy for ever.
    let is_whole = options.defect.is_none() && options.mutation.is_none();
    let setup = Setup {
        threads: options.threads.max(1),
        dedicated: random.bool(),
        latency: Latency { least: 300, most },
        defect: options.defect,
        mutation: options.mutation,
        most_turns: match options.threads {
            _ if is_whole => 20_000_000,
            // Threads that wait for others of their process yield more often.
            2.. => 400_000,
            _ => 200_000,
        },
        ..Setup::new(seed, ranks, hosts)
    };
    let goes_on = options.deaths > 0;
    let may_lose = !goes_on && options.loss.unwrap_or(is_whole && random.u8(..4) == 0);
    let loss = may_lose.then(|| draw_loss(&setup.nodes, &mut random));
    let reaches_memory = options.reach.unwrap_or(random.bool());
    let space = draw_space(&mut random);
    let deaths = draw_deaths(options.deaths, ranks, &mut random);
    let setup = match setup.threads {
        1 => setup,
        _ => Setup { lanes: [1, 2, 3, 8][random.usize(..4)], ..setup },
    };
    Setup { loss: loss.flatten(), deaths, reaches_memory, space, ..setup }
}

/// Draws the space that packets have: little in every other job.
fn draw_space(random: &mut fastrand::Rng) -> Space {
    if random.bool() {
        return Space::AMPLE;
    }
    Space {
        under_way_max: [0, 2 << 10, 24 << 10, UNDER_WAY_MAX][random.usize(..4)],
        cells: Some(random.usize(1..6)),
        fastboxes: random.bool(),
    }
}

/// Draws what is lost, and after how many resumptions: of every order of magnitude alike. A job of
/// one process loses nothing.
fn draw_loss(nodes: &[u32], random: &mut fastrand::Rng) -> Option<(Loss, u64)> {
    let hosts = nodes.last().map_or(0, |last| last + 1);
    let most = 2 << random.u32(4..16);
    let turn = random.u64(1..most);
    let loss = if hosts > 1 && random.bool() {
        let one = random.u32(..hosts);
        Loss::Cable(one, (one + random.u32(1..hosts)) % hosts)
    } else {
        Loss::Process(random.u32(..nodes.len() as u32))
    };
    (nodes.len() > 1).then_some((loss, turn))
}

/// Draws which processes die, at most so many and not all, and when. One may be told of that does
/// not come to it.
fn draw_deaths(most: u32, ranks: u32, random: &mut fastrand::Rng) -> Vec<(u32, u64)> {
    let mut all: Vec<u32> = (0..ranks).collect();
    random.shuffle(&mut all);
    let dying = random.u32(..=most).min(ranks.saturating_sub(1)) as usize;
    // A job goes on when a process dies only if one may.
    let dying = all[..dying.max(usize::from(most > 0 && ranks > 1))].iter();
    let mut turn = || {
        let most = 2 << random.u32(4..14);
        random.u64(1..most)
    };
    dying.map(|&rank| (rank, turn())).collect()
}

/// Runs seeds in this process, and stops at one that fails.
fn run_here(options: &Options) -> ExitCode {
    for seed in options.seed..options.seed + options.seeds {
        println!("seed {seed}");
        let whole = Program::random(seed, options.steps);
        let program = options.keep.as_ref().map_or(whole.clone(), |kept| whole.part(&kept.0));
        let setup = setup(options, seed);
        let report = match options.deaths {
            0 => program.run(setup.clone()),
            _ => program.run_with_deaths(setup.clone()),
        };
        let told = |failure: &Failure| setup.loss.is_some_and(|(loss, _)| failure.tells_of(loss));
        if let Some(failure) = report.failure.as_ref().filter(|failure| !told(failure)) {
            println!("failed: {failure}");
            tell(&setup, &program, &report);
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Prints what a run has shown.
fn tell(setup: &Setup, program: &Program, report: &Report) {
    println!("nodes of the ranks: {:?}; dedicated: {}", setup.nodes, setup.dedicated);
    if setup.threads > 1 {
        println!("{} threads in {} lanes", setup.threads, setup.lanes);
    }
    if setup.reaches_memory {
        println!("the network reaches memory");
    }
    if setup.space != Space::AMPLE {
        println!("{:?}", setup.space);
    }
    if let Some((loss, turn)) = setup.loss {
        println!("lost after {turn} turns: {loss:?}");
    }
    for (rank, turn) in &setup.deaths {
        println!("rank {rank} dies {turn} turns after the start");
    }
    println!("program: {program}");
    for (rank, state) in report.states.iter().enumerate() {
        println!("rank {rank} is in {state}");
    }
    println!("last events, by time in nanoseconds:");
    for (time, rank, event) in &report.events {
        println!("{time:>12} rank {rank}: {event}");
    }
}

/// Returns the options that say what the seed does not choose.
fn given(options: &Options) -> Vec<String> {
    let ranks = options.ranks.map(|ranks| format!("--ranks={ranks}"));
    let hosts = options.hosts.map(|hosts| format!("--hosts={hosts}"));
    let loss = options.loss.map(|loss| format!("--loss={loss}"));
    let reach = options.reach.map(|reach| format!("--reach={reach}"));
    let defect = naming("defect", options.defect, &Defect::ALL);
    let mutation = naming("mutation", options.mutation, &Mutation::ALL);
    let threads = (options.threads > 1).then(|| format!("--threads={}", options.threads));
    let steps = (options.steps != STEPS).then(|| format!("--steps={}", options.steps));
    let deaths = (options.deaths > 0).then(|| format!("--deaths={}", options.deaths));
    [ranks, hosts, threads, loss, deaths, reach, defect, mutation, steps]
        .into_iter()
        .flatten()
        .collect()
}

/// What a child process has said.
struct Said {
    seed: u64,
    lines: Vec<String>,
    failed: bool,
}

/// Runs seeds in a child process.
fn run_child(options: &Options, seed: u64, seeds: u64, keep: Option<&[usize]>) -> Said {
    let program = std::env::current_exe().expect("this program has a file");
    let mut command = Command::new(program);
    command.args(["--here", "--seed", &seed.to_string(), "--seeds", &seeds.to_string()]);
    command.args(given(options));
    let keep = keep.or(options.keep.as_ref().map(|kept| &kept.0[..]));
    command.args(keep.map(|kept| format!("--keep={}", list(kept))));
    let quiet = if options.seeds == 1 { Stdio::inherit() } else { Stdio::null() };
    command.stdout(Stdio::piped()).stderr(quiet).env("RUST_BACKTRACE", "0");
    let mut child = command.spawn().expect("a child process");
    let (mut at, mut lines) = (seed, Vec::new());
    let output = BufReader::new(child.stdout.take().expect("its output is piped"));
    for line in output.lines().map_while(Result::ok) {
        match line.strip_prefix("seed ").and_then(|number| number.parse().ok()) {
            Some(next) => at = next,
            None => lines.push(line),
        }
    }
    let failed = !child.wait().is_ok_and(|status| status.success());
    if failed && lines.is_empty() {
        lines.push("failed: the library ended the process; its words stand above".into());
    }
    Said { seed: at, lines, failed }
}

/// Runs all seeds, in child processes beside each other. Reduces the first program that fails.
fn run_all(options: &Options) -> ExitCode {
    let begun = Instant::now();
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let batches = options.seeds.div_ceil(BATCH);
    let next = std::sync::Mutex::new(0);
    let first: std::sync::Mutex<Option<Said>> = std::sync::Mutex::new(None);
    let work = || loop {
        let batch = {
            let mut next = next.lock().expect("no worker panics");
            *next += 1;
            *next - 1
        };
        if batch >= batches || first.lock().expect("no worker panics").is_some() {
            return;
        }
        let seed = options.seed + batch * BATCH;
        let said = run_child(options, seed, BATCH.min(options.seed + options.seeds - seed), None);
        if said.failed {
            first.lock().expect("no worker panics").get_or_insert(said);
        }
        if std::io::stderr().is_terminal() {
            eprint!("\r{} of {} seeds", (batch + 1) * BATCH, options.seeds);
        }
    };
    std::thread::scope(|scope| (0..workers.min(batches)).for_each(|_| drop(scope.spawn(work))));
    let seconds = begun.elapsed().as_secs_f32();
    match first.into_inner().expect("no worker panics") {
        None => {
            println!("{} programs ran as they should, {seconds:.1} s", options.seeds);
            ExitCode::SUCCESS
        }
        Some(said) => {
            reduce(options, &said);
            ExitCode::FAILURE
        }
    }
}

/// If that is wished, leaves out steps while the program still fails, and prints the last run.
fn reduce(options: &Options, said: &Said) {
    if !options.reduce {
        said.lines.iter().for_each(|line| println!("{line}"));
        println!("seed {} fails", said.seed);
        return;
    }
    let all = || (0..options.steps).collect();
    let mut kept: Vec<usize> = options.keep.as_ref().map_or_else(all, |kept| kept.0.clone());
    let mut piece = kept.len().div_ceil(2);
    while piece > 0 {
        let mut at = 0;
        while at < kept.len() {
            let mut fewer = kept.clone();
            fewer.drain(at..(at + piece).min(fewer.len()));
            if run_child(options, said.seed, 1, Some(&fewer)).failed {
                kept = fewer;
            } else {
                at += piece;
            }
        }
        piece /= 2;
    }
    let once = Options { seeds: 1, ..options.clone() };
    let last = run_child(&once, said.seed, 1, Some(&kept));
    for line in if last.failed { &last.lines } else { &said.lines } {
        println!("{line}");
    }
    // What the seed does not choose.
    let (words, mut given) = (given(options), format!("--keep={}", list(&kept)));
    words.iter().for_each(|word| given = format!("{given} {word}"));
    println!("seed {0} fails; again: cargo xtask simulate --seed {0} --seeds 1 {given}", said.seed);
}
