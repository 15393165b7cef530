//! The table that `bench` prints: one column for each library, one row for each figure, sections by measure. Alone, latency and bandwidth stand
//! side by side; with rivals the last column says how many times better we are than the best of them.

use super::Results;
use super::figures::{Figures, Measure};
use super::units;

/// Sizes with a row of their own; the plots and the record have all.
const SIZES: [u64; 12] = [0, 8, 64, 512, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20];
const RATE_SIZES: [u64; 4] = [8, 64, 512, 4096];
const ONE_SIDED_SIZES: [u64; 4] = [8, 4 << 10, 64 << 10, 4 << 20];
const STRIDED_SIZES: [u64; 4] = [8 << 10, 64 << 10, 512 << 10, 4 << 20];
/// The collectives' operations and lengths.
pub const COLLECTIVES: [(&str, Measure); 4] =
    [("bcast", Measure::Bcast), ("allreduce", Measure::Sum), ("allgather", Measure::Allgather), ("alltoall", Measure::Alltoall)];
pub const COLLECTIVE_SIZES: [u64; 4] = [8, 1 << 10, 32 << 10, 512 << 10];
const GAP: usize = 3;

/// How a figure is shown, and whether more is better.
struct Form {
    text: fn(u64, f64) -> String,
    more_is_better: bool,
}

const TIME: Form = Form { text: |_, value| units::seconds(value), more_is_better: false };
const RATE: Form = Form { text: |_, value| units::rate(value), more_is_better: true };
const COUNT: Form = Form { text: |_, value| format!("{value:.0}"), more_is_better: false };

#[derive(Default)]
struct Table {
    rows: Vec<Vec<String>>,
}

pub fn print(results: &Results) {
    let mut table = Table::default();
    if results.libraries.len() == 1 {
        alone(&mut table, &results.libraries[0].1);
    } else {
        beside_rivals(&mut table, results);
    }
    table.print();
    limits(results);
}

fn alone(table: &mut Table, ours: &Figures) {
    table.row(["message", "one way", "bandwidth", ""]);
    for bytes in SIZES {
        if let Some(seconds) = ours.get(Measure::Latency, 2, bytes) {
            let bandwidth = if bytes < 512 { String::new() } else { units::bandwidth(bytes, seconds) };
            table.row([&units::bytes(bytes), &units::seconds(seconds), &bandwidth, ""]);
        }
    }
    table.row([""]);
    each_other_row(|name, measure, ranks, bytes, form| {
        if let Some(value) = ours.get(measure, ranks, bytes) {
            table.row([name, &(form.text)(bytes, value)]);
        }
    });
}

fn beside_rivals(table: &mut Table, results: &Results) {
    let mut head = vec!["one way".to_owned()];
    head.extend(results.libraries.iter().map(|(name, _)| name.clone()));
    head.push("to best rival".into());
    table.rows.push(head);
    for bytes in SIZES {
        compare(table, results, &units::bytes(bytes), (Measure::Latency, 2, bytes), &TIME);
    }
    table.row([""]);
    table.row(["bandwidth"]);
    for bytes in SIZES.into_iter().filter(|&bytes| bytes >= 4096) {
        let form = Form { text: units::bandwidth, more_is_better: false };
        compare(table, results, &units::bytes(bytes), (Measure::Latency, 2, bytes), &form);
    }
    table.row([""]);
    table.row(["both directions"]);
    for bytes in SIZES.into_iter().filter(|&bytes| bytes >= 4096) {
        let form = Form { text: |bytes, seconds| units::bandwidth(2 * bytes, seconds), more_is_better: false };
        compare(table, results, &units::bytes(bytes), (Measure::Both, 2, bytes), &form);
    }
    table.row([""]);
    each_other_row(|name, measure, ranks, bytes, form| compare(table, results, name, (measure, ranks, bytes), form));
}

/// What is not the ping-pong's.
fn each_other_row(mut show: impl FnMut(&str, Measure, u32, u64, &Form)) {
    for bytes in STRIDED_SIZES {
        show(&format!("pack every other double, {}", units::bytes(bytes)), Measure::Pack, 2, bytes, &TIME);
    }
    for bytes in STRIDED_SIZES {
        show(&format!("send every other double, {}", units::bytes(bytes)), Measure::Strided, 2, bytes, &TIME);
    }
    for (name, measure) in [("put, flush", Measure::Put), ("get, flush", Measure::Get), ("put into own memory, flush", Measure::Created)] {
        for bytes in ONE_SIDED_SIZES {
            show(&format!("{name}, {}", units::bytes(bytes)), measure, 2, bytes, &TIME);
        }
    }
    show("fetch and add, flush, 8 B", Measure::Fetch, 2, 8, &TIME);
    for bytes in RATE_SIZES {
        show(&format!("message rate, {}", units::bytes(bytes)), Measure::Rate, 2, bytes, &RATE);
    }
    for ranks in [2, 4, 16] {
        show(&format!("barrier, {ranks} ranks"), Measure::Barrier, ranks, 0, &TIME);
    }
    show("allreduce 8 B, 16 ranks", Measure::Allreduce, 16, 0, &TIME);
    for (name, measure) in COLLECTIVES {
        for ranks in [2, 4] {
            for bytes in COLLECTIVE_SIZES {
                show(&format!("{name} {}, {ranks} ranks", units::bytes(bytes)), measure, ranks, bytes, &TIME);
            }
        }
    }
    show("init + finalize, alone", Measure::Init, 1, 0, &TIME);
    show("init + finalize, 2 ranks", Measure::Init, 2, 0, &TIME);
    show("instructions of MPI_Send", Measure::Send, 2, 0, &COUNT);
    show("instructions of MPI_Recv", Measure::Receive, 2, 0, &COUNT);
}

/// One row: every library's figure, and how many times better ours is than the best rival's.
fn compare(table: &mut Table, results: &Results, name: &str, key: (Measure, u32, u64), form: &Form) {
    let values: Vec<Option<f64>> = results.libraries.iter().map(|(_, figures)| figures.get(key.0, key.1, key.2)).collect();
    if values.iter().all(Option::is_none) {
        return;
    }
    let mut row = vec![name.to_owned()];
    row.extend(values.iter().map(|value| value.map_or("-".into(), |value| (form.text)(key.2, value))));
    let rivals = values[1..].iter().flatten().copied();
    let best = if form.more_is_better { rivals.reduce(f64::max) } else { rivals.reduce(f64::min) };
    if let (Some(ours), Some(best)) = (values[0], best) {
        row.push(units::ratio(if form.more_is_better { ours / best } else { best / ours }));
    }
    table.rows.push(row);
}

/// What bounds the figures from below, in hardware and in thought; and what makes them doubtful.
fn limits(results: &Results) {
    let ours = &results.libraries[0].1;
    if let Some(raw) = results.handover {
        let ratio = ours
            .get(Measure::Latency, 2, 8)
            .map_or(String::new(), |seconds| format!(": a message of 8 B takes {} as long", units::ratio(seconds / raw)));
        println!("raw cache-line hand-over, one way: {}{ratio}", units::seconds(raw));
    }
    if let Some(queue) = results.queue {
        println!("instructions of the queue: {} to enqueue, {} to dequeue (6 and 11 on the slides of 2006)", queue.enqueue, queue.dequeue);
    }
    let (load, cores) = (results.machine.load, results.machine.usable_cores);
    if load > 0.3 * cores as f64 {
        println!(
            "beware: other programs kept the machine busy when this began (load {load:.1}, usable cores {cores}), and slowed down every row"
        );
    }
}

impl Table {
    fn row<const N: usize>(&mut self, cells: [&str; N]) {
        self.rows.push(cells.map(str::to_owned).to_vec());
    }

    /// The first column is set to the left, the others to the right.
    fn print(&self) {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| self.rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let room = widths[column];
                if column == 0 { line += &format!("{cell:<room$}") } else { line += &format!("{:GAP$}{cell:>room$}", "") }
            }
            println!("{}", line.trim_end());
        }
    }
}
