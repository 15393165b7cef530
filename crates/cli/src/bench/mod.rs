//! `nemesis bench`: the performance of the library on this host.
//!
//! ```text
//!   bench/*.c ──mpicc of each library──> programs ──mpiexec of each library──> lines of JSON
//!       ──> medians ──> table, plots, record
//!   two processes of this program ──> the raw hand-over of a cache line, the limit of all
//! libraries
//!   one process ──> the raw copy of a long message
//! ```
//!
//! All libraries are measured by the same C sources. With `--rivals` or `--beside` the libraries
//! take turns batch by batch, so that other activity of the machine affects all of them alike.
//! `bench/README.md` explains the figures.

mod budgets;
mod copy;
mod distance;
mod figures;
pub mod handover;
mod instructions;
mod library;
mod others;
mod page;
mod plan;
mod plot;
mod progress;
pub mod queue;
mod record;
mod rivals;
pub mod switching;
mod table;
mod turns;
mod units;

use crate::diagnostic::Diagnostic;
use crate::installation::Installation;
use clap::builder::PossibleValuesParser;
use distance::Strays;
use figures::{Figures, Line, Measure};
use instructions::QueueCounts;
use library::Library;
use others::{Others, Watch};
use plan::Step;
use progress::Progress;
use record::Machine;
use std::path::PathBuf;
use switching::Switches;
use turns::{Program, Stage};

#[derive(clap::Args)]
pub struct Options {
    /// Also measure MPICH, Open MPI and Intel MPI from PyPI (installed once, into the user's cache)
    #[arg(long)]
    rivals: bool,
    /// Also measure another installation of Nemesis
    #[arg(long, value_name = "PREFIX")]
    beside: Vec<PathBuf>,
    /// Run only these programs, and count no instructions
    #[arg(
        long,
        value_name = "PROGRAM",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(plan::programs())
    )]
    only: Vec<String>,
    /// Take seconds instead of minutes (with --rivals: two minutes instead of fifteen), for rougher
    /// figures
    #[arg(long)]
    quick: bool,
    /// Folder for the page and its pictures
    #[arg(long, value_name = "DIR", default_value = "bench-results")]
    out: PathBuf,
    /// Write all figures, the machine and the date to FILE
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The results of a run. The first library is the one of this installation.
pub struct Results {
    machine: Machine,
    others: Others,
    quick: bool,
    libraries: Vec<(String, Figures)>,
    strays: Strays,
    /// Seconds of the raw hand-over at the usual distance.
    handover: Option<f64>,
    /// Bytes per second of one processor that copies 4 MiB.
    copy: f64,
    queue: Option<QueueCounts>,
    /// Cost of switches between ranks that share processors.
    switches: Vec<Switches>,
}

pub fn run(options: &Options) -> Result<(), Diagnostic> {
    let machine = Machine::this_one();
    let installation = Installation::of_this_program()?;
    let effort = if options.quick { plan::QUICK } else { plan::THOROUGH };
    let folder = tempfile::tempdir().map_err(|error| {
        Diagnostic::new("making a folder for programs", error, "TMPDIR=/var/tmp")
    })?;
    let mut progress = Progress::new();
    let mut diagnostics = Vec::new();

    let mut libraries = vec![Library::ours(&installation, folder.path().join("nemesis"))];
    for (number, prefix) in options.beside.iter().enumerate() {
        libraries.push(Library::beside(
            &Installation::at(prefix)?,
            folder.path().join(format!("beside-{number}")),
        ));
    }
    if options.rivals {
        let (rivals, missing) = rivals::furnish(folder.path(), |news| progress.say(news))?;
        libraries.extend(rivals);
        diagnostics.extend(missing);
    }
    progress.say(&format!(
        "compiling the programs for {} {}",
        libraries.len(),
        if libraries.len() == 1 { "library" } else { "libraries" }
    ));
    let libraries = compiled(libraries, &installation, &mut diagnostics)?;
    let handover =
        handover::measure(effort.repeats).map_err(|diagnostic| diagnostics.push(diagnostic)).ok();
    let steps = effort.steps(|program| {
        options.only.is_empty() || options.only.iter().any(|only| only == program)
    });
    let switches = switches(&steps, machine.usable_cores, &mut diagnostics);
    let usual = handover
        .map(|seconds| distance::words(folder.path()).map(|words| (seconds, words)))
        .transpose()?;
    let stage = Stage { folder: folder.path().to_owned(), usual };
    let mut results = Results {
        machine,
        others: Others::default(),
        quick: options.quick,
        libraries: libraries
            .iter()
            .map(|library| (library.name.clone(), Figures::default()))
            .collect(),
        strays: Strays::default(),
        handover,
        copy: copy::measure(effort.copies),
        queue: None,
        switches,
    };
    measure(&steps, &libraries, &stage, &mut results, &mut progress, &mut diagnostics)?;
    if effort.counts_instructions && options.only.is_empty() {
        progress.say("counting instructions");
        count(&libraries, &mut results, folder.path(), &mut diagnostics);
    }
    progress.end();

    table::print(&results);
    for diagnostic in &diagnostics {
        eprintln!("nemesis: {diagnostic}");
    }
    let pictures = plot::draw(&results, &options.out)?;
    println!("page: {}", page::write(&results, &pictures, &options.out)?.display());
    if !pictures.is_empty() {
        let names = pictures.iter().filter_map(|path| path.file_name()?.to_str());
        let names = names.collect::<Vec<_>>().join(", ");
        println!("plots in {}: {names}", options.out.display());
    }
    if let Some(file) = &options.json {
        record::write(&results, file)?;
        println!("record: {}", file.display());
    }
    Ok(())
}

/// Measures the cost of switches for the oversubscribed numbers of ranks that are measured.
fn switches(steps: &[Step], processors: usize, diagnostics: &mut Vec<Diagnostic>) -> Vec<Switches> {
    let is_measured =
        |ranks: &u32| steps.iter().any(|step| step.program == "barrier" && step.ranks == *ranks);
    let oversubscribed = plan::OVERSUBSCRIBED_RANKS.into_iter().filter(is_measured);
    oversubscribed
        .map(|ranks| switching::measure(ranks, processors))
        .filter_map(|switches| {
            switches.map_err(|diagnostic| diagnostics.push(diagnostic)).ok().flatten()
        })
        .collect()
}

/// Returns the libraries whose programs could be compiled. An error if this installation's could
/// not.
fn compiled(
    libraries: Vec<Library>,
    installation: &Installation,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<Library>, Diagnostic> {
    let sources = installation.measurements();
    let mut ready = Vec::new();
    for library in libraries {
        match library.compile(&sources) {
            Ok(()) => ready.push(library),
            Err(diagnostic) if ready.is_empty() => return Err(diagnostic),
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    Ok(ready)
}

/// Runs every step, round by round. A rival that fails a step is left out of that step; a failure
/// of this installation ends the run.
fn measure(
    steps: &[Step],
    libraries: &[Library],
    stage: &Stage,
    results: &mut Results,
    progress: &mut Progress,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<(), Diagnostic> {
    progress.begin(
        steps
            .iter()
            .map(|step| f64::from(step.rounds) * step.weight * libraries.len() as f64)
            .sum(),
    );
    let mut watch = Watch::begin();
    for (number, step) in steps.iter().enumerate() {
        progress.enter(&format!("{} of {}: {}", number + 1, steps.len(), step.name()));
        let mut failed = vec![false; libraries.len()];
        for round in 0..step.rounds as usize {
            // Each round begins with another library, because a program that follows a long one of
            // many processes does not always find the machine idle.
            let order = (round..round + libraries.len()).map(|index| index % libraries.len());
            let left: Vec<usize> = order.filter(|&index| !failed[index]).collect();
            for group in left.chunks(if step.turns().is_some() { libraries.len() } else { 1 }) {
                let names: Vec<&str> =
                    group.iter().map(|&index| libraries[index].name.as_str()).collect();
                progress.with(&names.join(", "));
                for (index, outcome) in sample(libraries, group, step, stage, results) {
                    match outcome {
                        Ok(()) => {}
                        Err(diagnostic) if index == 0 => return Err(diagnostic),
                        Err(diagnostic) => {
                            diagnostics.push(diagnostic);
                            failed[index] = true;
                        }
                    }
                }
            }
            progress.advance(step.weight * libraries.len() as f64);
        }
        watch.step(&step.name());
    }
    results.others = watch.end();
    Ok(())
}

/// Runs some libraries once.
fn sample(
    libraries: &[Library],
    group: &[usize],
    step: &Step,
    stage: &Stage,
    results: &mut Results,
) -> Vec<(usize, Result<(), Diagnostic>)> {
    let Some(batches) = step.turns() else {
        let alone = |&index: &usize| {
            (index, sample_alone(&libraries[index], step, &mut results.libraries[index].1))
        };
        return group.iter().map(alone).collect();
    };
    let jobs = group
        .iter()
        .flat_map(|&index| step.arguments.iter().map(move |arguments| (index, arguments)));
    let (indices, jobs): (Vec<usize>, Vec<_>) = jobs
        .map(|(index, arguments)| {
            (
                index,
                (
                    &libraries[index],
                    Program { name: step.program, ranks: step.ranks, batches, arguments },
                ),
            )
        })
        .unzip();
    let (outcomes, strays) = stage.perform(&jobs);
    results.strays.add(strays);
    let keep = |(index, lines): (usize, Result<Vec<Line>, Diagnostic>)| {
        let figures = &mut results.libraries[index].1;
        (index, lines.map(|lines| lines.into_iter().for_each(|line| figures.add(step.ranks, line))))
    };
    indices.into_iter().zip(outcomes).map(keep).collect()
}

/// Runs one library alone.
fn sample_alone(library: &Library, step: &Step, figures: &mut Figures) -> Result<(), Diagnostic> {
    for arguments in &step.arguments {
        let (lines, time) = library.run(step.ranks, step.program, arguments)?;
        lines.into_iter().for_each(|line| figures.add(step.ranks, line));
        if step.program == library::STARTER && step.ranks > 1 {
            figures.add(
                step.ranks,
                Line { measure: Measure::Start, bytes: 0, value: time.as_secs_f64() },
            );
        }
    }
    Ok(())
}

fn count(
    libraries: &[Library],
    results: &mut Results,
    folder: &std::path::Path,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (library, (_, figures)) in libraries.iter().zip(&mut results.libraries) {
        if let Err(diagnostic) = instructions::count_calls(library, figures, folder) {
            diagnostics.push(diagnostic);
        }
    }
    if instructions::callgrind_is_there() {
        results.queue = instructions::count_queue(folder)
            .map_err(|diagnostic| diagnostics.push(diagnostic))
            .ok();
    }
}
