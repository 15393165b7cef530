//! `cargo xtask model`: what collective operations cost in jobs of any size, in a model of their
//! network, beside the algorithms of MPICH and Open MPI in the same model.
//!
//! | module | contents |
//! |---|---|
//! | `machine` | nodes, network cards, what messages and copies cost |
//! | `simulator` | all ranks' moves in the order of time |
//! | `plans` | the ways in which the library can perform an operation |
//! | `rivals` | the algorithms of other libraries |
//! | `picture` | the table as a drawing |
//!
//! What the library does is not written here again: its own builders record it
//! (`nemesis_mpi_coll::recording`). A model leaves much out: the shape of the network, other jobs
//! on it, noise, the cost of matching. It ranks algorithms and shows which of them do not scale; it
//! does not foretell times.

// Handles have the values of an ABI, which a program must choose.
use mpi_abi_linked as _;

mod machine;
mod picture;
mod plans;
mod rivals;
mod simulator;

use clap::Parser;
use machine::{Machine, NETWORKS};
use nemesis_mpi_coll::operations;
use plans::{Call, Plan};
use std::path::PathBuf;
use std::process::ExitCode;

/// Models collective operations of large jobs.
#[derive(Parser)]
#[command(name = "model", about, long_about = None)]
struct Options {
    /// Number of nodes.
    #[arg(long, default_value_t = 64)]
    nodes: u32,
    /// Processes of a node.
    #[arg(long, default_value_t = 16)]
    per_node: u32,
    /// The network: infiniband or ethernet.
    #[arg(long, default_value = "infiniband")]
    network: String,
    /// Operations, by their names in tables of algorithms; all if none is named.
    #[arg(long, value_delimiter = ',')]
    operations: Vec<String>,
    /// Lengths in bytes: of the vector, or of a block.
    #[arg(long, value_delimiter = ',', default_values_t = [8, 1024, 16384, 262_144, 4_194_304])]
    bytes: Vec<usize>,
    /// Leaves out ways in which all ranks together make more steps than this.
    #[arg(long, default_value_t = 20_000_000)]
    steps_max: usize,
    /// Prints each way, not only the chosen and the best one.
    #[arg(long)]
    all: bool,
    /// Draws the table into a file.
    #[arg(long)]
    draw: Option<PathBuf>,
}

/// A line of the table.
struct Line {
    operation: &'static str,
    bytes: usize,
    ours: Vec<Plan>,
    theirs: Vec<Plan>,
}

impl Line {
    fn chosen(&self) -> Option<&Plan> {
        self.ours.iter().find(|plan| plan.chosen)
    }
}

fn best(plans: &[Plan]) -> Option<&Plan> {
    plans.iter().min_by_key(|plan| plan.cost.time)
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("model: {why}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), String> {
    if options.nodes < 2 || options.per_node == 0 {
        return Err("a model needs two nodes with a process each, or more".into());
    }
    let machine = Machine::new(options.nodes, options.per_node, &options.network);
    let machine = machine.ok_or_else(|| {
        let names: Vec<&str> = NETWORKS.iter().map(|(name, _)| *name).collect();
        format!("no network is called {:?}; known are {}", options.network, names.join(", "))
    })?;
    let names = operations::ALL.map(|operation| operation.name);
    if let Some(wrong) = options.operations.iter().find(|name| !names.contains(&name.as_str())) {
        return Err(format!("no operation is called {wrong:?}; known are {}", names.join(", ")));
    }
    let mut lines = Vec::new();
    println!("{}", heading(&machine, &options.network));
    println!("{}", columns(["operation", "bytes", "chosen", "time", "messages", "best of ours"]));
    for (operation, name) in names.into_iter().enumerate() {
        if !options.operations.is_empty() && !options.operations.iter().any(|one| one == name) {
            continue;
        }
        let lengths = if name == "barrier" { &[0][..] } else { &options.bytes };
        for &bytes in lengths {
            let call = Call { operation, bytes, moves_max: options.steps_max };
            let (ours, theirs) = (call.plans(&machine), call.rival_plans(&machine));
            let line = Line { operation: name, bytes, ours, theirs };
            print(&line, options.all);
            lines.push(line);
        }
    }
    if let Some(file) = &options.draw {
        let text = picture::draw(&lines, &heading(&machine, &options.network));
        std::fs::write(file, text).map_err(|why| format!("{}: {why}", file.display()))?;
    }
    Ok(())
}

fn heading(machine: &Machine, network: &str) -> String {
    let link = machine.network;
    format!(
        "{} nodes of {} processes, {network}: latency {} µs, overhead {} µs, {} GB/s a card; \
         times in µs, messages of the busiest card",
        machine.nodes,
        machine.per_node,
        link.latency as f64 / 1e6,
        link.overhead as f64 / 1e6,
        1000.0 / link.byte as f64
    )
}

fn columns(words: [&str; 6]) -> String {
    let [operation, bytes, chosen, time, messages, best] = words;
    format!("{operation:<14} {bytes:>8}  {chosen:<24} {time:>9} {messages:>8}  {best}")
}

/// Prints a line. Figures behind a name are its time as a part of the chosen one's.
fn print(line: &Line, all: bool) {
    let bytes = line.bytes.to_string();
    let Some(chosen) = line.chosen() else {
        println!("{}", columns([line.operation, &bytes, "(too many steps)", "", "", ""]));
        return;
    };
    let of_chosen = |plan: &Plan| plan.cost.time as f64 / chosen.cost.time as f64;
    let named = |plan: Option<&Plan>| {
        plan.map_or("-".into(), |plan| format!("{} {:.2}", plan.name, of_chosen(plan)))
    };
    let words = format!("{}; theirs: {}", named(best(&line.ours)), named(best(&line.theirs)));
    let time = format!("{:.1}", chosen.cost.time as f64 / 1e6);
    let messages = chosen.cost.card_messages.to_string();
    println!("{}", columns([line.operation, &bytes, &chosen.name, &time, &messages, &words]));
    if all {
        for plan in line.ours.iter().chain(&line.theirs) {
            let time = format!("{:.1}", plan.cost.time as f64 / 1e6);
            let messages = plan.cost.card_messages.to_string();
            println!("{}", columns(["", "", &plan.name, &time, &messages, ""]));
        }
    }
}
