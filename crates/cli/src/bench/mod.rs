//! `nemesis bench`: how fast the library is on this host.
//!
//! ```text
//!   bench/*.c ──mpicc of each library──> programs ──mpiexec of each library──> lines of JSON ──> medians ──> table, plots, record
//!   two processes of our own ──> the raw hand-over of a cache line, the limit of all of them; one ──> the raw copy of a long message
//! ```
//!
//! One set of C sources serves every library. With `--rivals` or `--beside` libraries take turns batch by batch, so that whatever else the machine does meets
//! all of them alike. What the figures mean stands in `bench/README.md`.

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
    /// Measure MPICH, Open MPI and Intel MPI from PyPI beside us (installed once, into the user's cache)
    #[arg(long)]
    rivals: bool,
    /// Measure another installation of Nemesis beside this one
    #[arg(long, value_name = "PREFIX")]
    beside: Vec<PathBuf>,
    /// Measure by these programs only, and count no instructions
    #[arg(long, value_name = "PROGRAM", value_delimiter = ',', value_parser = PossibleValuesParser::new(plan::programs()))]
    only: Vec<String>,
    /// Seconds instead of minutes (with --rivals: two minutes instead of fifteen), and figures that are rougher for it
    #[arg(long)]
    quick: bool,
    /// Folder for the page and its pictures
    #[arg(long, value_name = "DIR", default_value = "bench-results")]
    out: PathBuf,
    /// Write all figures, the machine and the date to FILE
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Everything that a run found out. The first library is ours.
pub struct Results {
    machine: Machine,
    others: Others,
    quick: bool,
    libraries: Vec<(String, Figures)>,
    strays: Strays,
    /// Seconds, as usual.
    handover: Option<f64>,
    /// Bytes a second of one processor that copies 4 MiB.
    copy: f64,
    queue: Option<QueueCounts>,
    /// Of crowds that share processors.
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
    let mut complaints = Vec::new();

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
        complaints.extend(missing);
    }
    progress.say(&format!(
        "compiling the measuring programs for {} {}",
        libraries.len(),
        if libraries.len() == 1 { "library" } else { "libraries" }
    ));
    let libraries = compiled(libraries, &installation, &mut complaints)?;
    let handover =
        handover::measure(effort.meetings).map_err(|diagnostic| complaints.push(diagnostic)).ok();
    let steps = effort.steps(|program| {
        options.only.is_empty() || options.only.iter().any(|only| only == program)
    });
    let switches = switches(&steps, machine.usable_cores, &mut complaints);
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
    measure(&steps, &libraries, &stage, &mut results, &mut progress, &mut complaints)?;
    if effort.counts_instructions && options.only.is_empty() {
        progress.say("counting instructions");
        count(&libraries, &mut results, folder.path(), &mut complaints);
    }
    progress.end();

    table::print(&results);
    for diagnostic in &complaints {
        eprintln!("nemesis: {diagnostic}");
    }
    let pictures = plot::draw(&results, &options.out)?;
    println!("page: {}", page::write(&results, &pictures, &options.out)?.display());
    println!(
        "plots: {}",
        pictures.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
    );
    if let Some(file) = &options.json {
        record::write(&results, file)?;
        println!("record: {}", file.display());
    }
    Ok(())
}

/// What the kernel takes for the crowds of ranks that are measured, if they share these processors.
fn switches(steps: &[Step], processors: usize, complaints: &mut Vec<Diagnostic>) -> Vec<Switches> {
    let is_measured =
        |ranks: &u32| steps.iter().any(|step| step.program == "barrier" && step.ranks == *ranks);
    let crowds = plan::CROWDS.into_iter().filter(is_measured);
    crowds
        .map(|ranks| switching::measure(ranks, processors))
        .filter_map(|switches| {
            switches.map_err(|diagnostic| complaints.push(diagnostic)).ok().flatten()
        })
        .collect()
}

/// The libraries whose programs could be compiled. Ours has to be among them.
fn compiled(
    libraries: Vec<Library>,
    installation: &Installation,
    complaints: &mut Vec<Diagnostic>,
) -> Result<Vec<Library>, Diagnostic> {
    let sources = installation.measurements();
    let mut ready = Vec::new();
    for library in libraries {
        match library.compile(&sources) {
            Ok(()) => ready.push(library),
            Err(diagnostic) if ready.is_empty() => return Err(diagnostic),
            Err(diagnostic) => complaints.push(diagnostic),
        }
    }
    Ok(ready)
}

/// Runs every step, round by round. A rival that fails a step is left out of it; our own failure ends the run.
fn measure(
    steps: &[Step],
    libraries: &[Library],
    stage: &Stage,
    results: &mut Results,
    progress: &mut Progress,
    complaints: &mut Vec<Diagnostic>,
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
            // Another one begins each time: who comes behind a long program of many processes does not always find the machine at rest.
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
                            complaints.push(diagnostic);
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

/// One run of some libraries.
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

/// One run of one library that has all time for itself.
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
    complaints: &mut Vec<Diagnostic>,
) {
    for (library, (_, figures)) in libraries.iter().zip(&mut results.libraries) {
        if let Err(diagnostic) = instructions::count_calls(library, figures, folder) {
            complaints.push(diagnostic);
        }
    }
    if instructions::callgrind_is_there() {
        results.queue = instructions::count_queue(folder)
            .map_err(|diagnostic| complaints.push(diagnostic))
            .ok();
    }
}
