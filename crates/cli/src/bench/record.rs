//! The record of a run, as JSON: time, machine, libraries and every median. Records of one machine
//! only can be compared. The libraries of a record took turns.

use super::Results;
use super::budgets::{self, Row};
use super::distance::Strays;
use super::figures::Measure;
use super::instructions::QueueCounts;
use super::others::Others;
use super::switching::Switches;
use crate::diagnostic::Diagnostic;
use serde::Serialize;
use std::path::Path;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// The machine, as far as it explains the figures.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    pub processor: String,
    pub usable_cores: usize,
    pub memory_gib: u64,
    pub kernel: String,
    /// Load at the beginning of the run, which includes programs that have just ended.
    pub load: f64,
}

#[derive(Serialize)]
struct Record<'a> {
    date: String,
    machine: &'a Machine,
    quick: bool,
    others: &'a Others,
    strays: Strays,
    budgets: Vec<Row>,
    handover_seconds: Option<f64>,
    copy_bytes_per_second: f64,
    queue_instructions: Option<QueueCounts>,
    switches: &'a [Switches],
    libraries: Vec<OfLibrary<'a>>,
}

#[derive(Serialize)]
struct OfLibrary<'a> {
    name: &'a str,
    figures: Vec<Figure>,
}

#[derive(Serialize)]
struct Figure {
    measure: Measure,
    ranks: u32,
    bytes: u64,
    value: f64,
    unit: &'static str,
}

impl Machine {
    pub fn this_one() -> Machine {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let field = |text: &str, name: &str| {
            let line = text.lines().find(|line| line.starts_with(name))?;
            Some(line.split_once(':')?.1.trim().to_owned())
        };
        let memory_kib = field(&read("/proc/meminfo"), "MemTotal")
            .and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
        Machine {
            processor: field(&read("/proc/cpuinfo"), "model name")
                .unwrap_or_else(|| std::env::consts::ARCH.into()),
            usable_cores: nemesis_sys::host::usable_cores(),
            memory_gib: memory_kib.unwrap_or(0).div_ceil(1 << 20),
            kernel: rustix::system::uname().release().to_string_lossy().into_owned(),
            load: read("/proc/loadavg")
                .split(' ')
                .next()
                .and_then(|load| load.parse().ok())
                .unwrap_or(0.0),
        }
    }
}

/// Returns the present time, as people and programs read it.
pub fn now() -> String {
    OffsetDateTime::now_utc()
        .replace_nanosecond(0)
        .ok()
        .and_then(|now| now.format(&Rfc3339).ok())
        .unwrap_or_default()
}

pub fn write(results: &Results, to: &Path) -> Result<(), Diagnostic> {
    let libraries = results.libraries.iter().map(|(name, figures)| OfLibrary {
        name,
        figures: figures
            .medians()
            .map(|(key, value)| Figure {
                measure: key.measure,
                ranks: key.ranks,
                bytes: key.bytes,
                value,
                unit: unit(key.measure),
            })
            .collect(),
    });
    let record = Record {
        date: now(),
        machine: &results.machine,
        quick: results.quick,
        others: &results.others,
        strays: results.strays,
        budgets: budgets::rows(results),
        handover_seconds: results.handover,
        copy_bytes_per_second: results.copy,
        queue_instructions: results.queue,
        switches: &results.switches,
        libraries: libraries.collect(),
    };
    let failed = |why: String| {
        Diagnostic::new(
            format!("writing {}", to.display()),
            why,
            "--json in a folder that can be written to",
        )
    };
    let text = serde_json::to_string_pretty(&record).map_err(|error| failed(error.to_string()))?;
    std::fs::write(to, text + "\n").map_err(|error| failed(error.to_string()))
}

fn unit(measure: Measure) -> &'static str {
    match measure {
        Measure::Rate
        | Measure::Stream
        | Measure::SingleRate
        | Measure::MultipleRate
        | Measure::ThreadsRate => "1/s",
        Measure::Resident | Measure::Proportional | Measure::PageTables | Measure::Library => "B",
        Measure::Descriptors => "descriptors",
        Measure::Send | Measure::Receive => "instructions",
        Measure::Latency
        | Measure::Both
        | Measure::Window
        | Measure::Windows
        | Measure::UsualBcast
        | Measure::UsualReduce
        | Measure::UsualSum
        | Measure::UsualGather
        | Measure::UsualScatter
        | Measure::UsualAllgather
        | Measure::UsualAlltoall
        | Measure::Pack
        | Measure::Strided
        | Measure::Put
        | Measure::Get
        | Measure::Created
        | Measure::Fetch
        | Measure::Barrier
        | Measure::Allreduce
        | Measure::Bcast
        | Measure::Sum
        | Measure::Allgather
        | Measure::Alltoall
        | Measure::Reduce
        | Measure::Gather
        | Measure::Scatter
        | Measure::ReduceScatter
        | Measure::Scan
        | Measure::Named
        | Measure::Wildcard
        | Measure::SingleLatency
        | Measure::MultipleLatency
        | Measure::ThreadsLatency
        | Measure::Init
        | Measure::Start => "s",
    }
}
