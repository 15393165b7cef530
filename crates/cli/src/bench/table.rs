//! The table that `bench` prints: a column for each library, a row for each figure, sections by
//! measure. Without rivals, latency and bandwidth are side by side. With rivals, the last column
//! says how many times better this installation is than the best of them.

use super::Results;
use super::figures::{Figures, Measure};
use super::plan::{COLLECTIVE_RANKS, MEMORY_RANKS, OVERSUBSCRIBED_RANKS, START_RANKS};
use super::{budgets, copy, units};

/// Lengths with their own rows; the plots and the record have all.
const SIZES: [u64; 12] =
    [0, 8, 64, 512, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20, 64 << 20];
const RATE_SIZES: [u64; 4] = [8, 64, 512, 4096];
const STREAM_SIZES: [u64; 4] = [8, 512, 2048, 16384];
const ONE_SIDED_SIZES: [u64; 4] = [8, 4 << 10, 64 << 10, 4 << 20];
const STRIDED_SIZES: [u64; 4] = [8 << 10, 64 << 10, 512 << 10, 4 << 20];
/// The collective operations and their lengths.
pub const COLLECTIVES: [(&str, Measure); 9] = [
    ("bcast", Measure::Bcast),
    ("reduce", Measure::Reduce),
    ("allreduce", Measure::Sum),
    ("gather", Measure::Gather),
    ("scatter", Measure::Scatter),
    ("allgather", Measure::Allgather),
    ("alltoall", Measure::Alltoall),
    ("reduce_scatter", Measure::ReduceScatter),
    ("scan", Measure::Scan),
];
/// What common micro-benchmarks measure between two processes, and its lengths.
pub const USUAL: [(&str, Measure); 9] = [
    ("window", Measure::Window),
    ("windows both ways", Measure::Windows),
    ("bcast", Measure::UsualBcast),
    ("reduce", Measure::UsualReduce),
    ("allreduce", Measure::UsualSum),
    ("gather", Measure::UsualGather),
    ("scatter", Measure::UsualScatter),
    ("allgather", Measure::UsualAllgather),
    ("alltoall", Measure::UsualAlltoall),
];
pub const USUAL_SIZES: [u64; 9] =
    [8, 64, 512, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20];
/// Lengths that the printed table shows.
const SHOWN_USUAL_SIZES: [u64; 4] = [4 << 10, 16 << 10, 64 << 10, 256 << 10];
pub const COLLECTIVE_SIZES: [u64; 8] =
    [8, 64, 512, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20];
/// Lengths that the printed table shows; the page and the record have all.
const SHOWN_COLLECTIVE_SIZES: [u64; 4] = [8, 4 << 10, 64 << 10, 1 << 20];
const GAP: usize = 3;
/// Longest printed line. Of a longer row the first column takes several lines.
const COLUMNS_MAX: usize = 100;
/// Least width of the first column.
const FIRST_MIN: usize = 30;

/// How a figure is printed, and whether more is better.
struct Form {
    text: fn(u64, f64) -> String,
    more_is_better: bool,
}

const TIME: Form = Form { text: |_, value| units::seconds(value), more_is_better: false };
const RATE: Form = Form { text: |_, value| units::rate(value), more_is_better: true };
const SIZE: Form = Form { text: |_, value| units::size(value), more_is_better: false };
const COUNT: Form = Form { text: |_, value| format!("{value:.0}"), more_is_better: false };

#[derive(Default)]
struct Table {
    rows: Vec<Vec<String>>,
}

pub fn print(results: &Results) {
    Table { rows: rows(results) }.print();
    limits(results);
    print_budgets(results);
}

/// Returns the rows of the table, with its head.
pub fn rows(results: &Results) -> Vec<Vec<String>> {
    let mut table = Table::default();
    if results.libraries.len() == 1 {
        alone(&mut table, &results.libraries[0].1);
    } else {
        beside_rivals(&mut table, results);
    }
    table.rows
}

fn alone(table: &mut Table, ours: &Figures) {
    table.row(["message", "one way", "bandwidth", ""]);
    for bytes in SIZES {
        if let Some(seconds) = ours.get(Measure::Latency, 2, bytes) {
            let bandwidth =
                if bytes < 512 { String::new() } else { units::bandwidth(bytes, seconds) };
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
        let form = Form {
            text: |bytes, seconds| units::bandwidth(2 * bytes, seconds),
            more_is_better: false,
        };
        compare(table, results, &units::bytes(bytes), (Measure::Both, 2, bytes), &form);
    }
    table.row([""]);
    each_other_row(|name, measure, ranks, bytes, form| {
        compare(table, results, name, (measure, ranks, bytes), form)
    });
}

/// Adds the figures of all programs but the ping-pong.
fn each_other_row(mut show: impl FnMut(&str, Measure, u32, u64, &Form)) {
    for bytes in STRIDED_SIZES {
        show(
            &format!("pack every other double, {}", units::bytes(bytes)),
            Measure::Pack,
            2,
            bytes,
            &TIME,
        );
    }
    for bytes in STRIDED_SIZES {
        show(
            &format!("send every other double, {}", units::bytes(bytes)),
            Measure::Strided,
            2,
            bytes,
            &TIME,
        );
    }
    for (name, measure) in [
        ("put, flush", Measure::Put),
        ("get, flush", Measure::Get),
        ("put into memory of the program, flush", Measure::Created),
    ] {
        for bytes in ONE_SIDED_SIZES {
            show(&format!("{name}, {}", units::bytes(bytes)), measure, 2, bytes, &TIME);
        }
    }
    show("fetch and add, flush, 8 B", Measure::Fetch, 2, 8, &TIME);
    for bytes in RATE_SIZES {
        show(&format!("message rate, {}", units::bytes(bytes)), Measure::Rate, 2, bytes, &RATE);
    }
    for bytes in STREAM_SIZES {
        show(
            &format!("MPI_Send after MPI_Send, {}", units::bytes(bytes)),
            Measure::Stream,
            2,
            bytes,
            &RATE,
        );
    }
    for (name, measure) in USUAL {
        for bytes in SHOWN_USUAL_SIZES {
            show(&format!("usual {name} {}", units::bytes(bytes)), measure, 2, bytes, &TIME);
        }
    }
    show("8 B ping-pong, sender named", Measure::Named, 2, 8, &TIME);
    show("8 B ping-pong, MPI_ANY_SOURCE", Measure::Wildcard, 2, 8, &TIME);
    for (name, latency, rate) in [
        ("below MULTIPLE", Measure::SingleLatency, Measure::SingleRate),
        ("under MULTIPLE", Measure::MultipleLatency, Measure::MultipleRate),
        ("four threads", Measure::ThreadsLatency, Measure::ThreadsRate),
    ] {
        show(&format!("{name}: 8 B one way"), latency, 2, 8, &TIME);
        show(&format!("{name}: message rate, 8 B"), rate, 2, 8, &RATE);
    }
    for ranks in COLLECTIVE_RANKS.into_iter().chain(OVERSUBSCRIBED_RANKS) {
        show(&format!("barrier, {ranks} ranks"), Measure::Barrier, ranks, 0, &TIME);
    }
    for ranks in OVERSUBSCRIBED_RANKS {
        show(&format!("allreduce 8 B, {ranks} ranks"), Measure::Allreduce, ranks, 0, &TIME);
    }
    for (name, measure) in COLLECTIVES {
        for ranks in COLLECTIVE_RANKS {
            for bytes in SHOWN_COLLECTIVE_SIZES {
                show(
                    &format!("{name} {}, {ranks} ranks", units::bytes(bytes)),
                    measure,
                    ranks,
                    bytes,
                    &TIME,
                );
            }
        }
    }
    show("init + finalize, alone", Measure::Init, 1, 0, &TIME);
    for ranks in START_RANKS {
        show(&format!("init + finalize, {ranks} ranks"), Measure::Init, ranks, 0, &TIME);
        show(&format!("mpiexec -n {ranks}, the whole command"), Measure::Start, ranks, 0, &TIME);
    }
    show(
        &format!("resident memory of a rank, {MEMORY_RANKS} ranks"),
        Measure::Resident,
        MEMORY_RANKS,
        0,
        &SIZE,
    );
    show(
        &format!("its proportional share, {MEMORY_RANKS} ranks"),
        Measure::Proportional,
        MEMORY_RANKS,
        0,
        &SIZE,
    );
    show(
        &format!("page tables of a rank, {MEMORY_RANKS} ranks"),
        Measure::PageTables,
        MEMORY_RANKS,
        0,
        &SIZE,
    );
    show(
        &format!("open descriptors of a rank, {MEMORY_RANKS} ranks"),
        Measure::Descriptors,
        MEMORY_RANKS,
        0,
        &COUNT,
    );
    show("the library's file", Measure::Library, MEMORY_RANKS, 0, &SIZE);
    show("instructions of MPI_Send", Measure::Send, 2, 0, &COUNT);
    show("instructions of MPI_Recv", Measure::Receive, 2, 0, &COUNT);
}

/// Adds a row: every library's figure, and how many times better this installation is than the best
/// rival.
fn compare(
    table: &mut Table,
    results: &Results,
    name: &str,
    key: (Measure, u32, u64),
    form: &Form,
) {
    let values: Vec<Option<f64>> =
        results.libraries.iter().map(|(_, figures)| figures.get(key.0, key.1, key.2)).collect();
    if values.iter().all(Option::is_none) {
        return;
    }
    let mut row = vec![name.to_owned()];
    row.extend(
        values.iter().map(|value| value.map_or("-".into(), |value| (form.text)(key.2, value))),
    );
    let rivals = values[1..].iter().flatten().copied();
    let best = if form.more_is_better { rivals.reduce(f64::max) } else { rivals.reduce(f64::min) };
    if let (Some(ours), Some(best)) = (values[0], best) {
        row.push(units::ratio(if form.more_is_better { ours / best } else { best / ours }));
    }
    table.rows.push(row);
}

/// Prints the lower limits of the figures, and what makes the figures doubtful.
fn limits(results: &Results) {
    let ours = &results.libraries[0].1;
    if let Some(raw) = results.handover {
        let ratio = ours.get(Measure::Latency, 2, 8).map_or(String::new(), |seconds| {
            format!(": a message of 8 B takes {} as long", units::ratio(seconds / raw))
        });
        let raw = units::seconds(raw);
        remark(&format!("raw hand-over of a cache line, one way, median: {raw}{ratio}"));
    }
    remark(&format!(
        "raw copy of {} by one processor: {}",
        units::bytes(copy::BYTES as u64),
        units::bandwidth(1, 1.0 / results.copy)
    ));
    for switches in &results.switches {
        let (each, round) = (units::seconds(switches.seconds), units::seconds(switches.round()));
        remark(&format!(
            "switch between {} processes of a processor: {each}, so a barrier of {} ranks takes at \
             least {round}",
            switches.each, switches.ranks
        ));
    }
    if let Some(queue) = results.queue {
        remark(&format!(
            "instructions of the queue: {} to enqueue, {} to dequeue (6 and 11 on the slides of \
             2006)",
            queue.enqueue, queue.dequeue
        ));
    }
    let (others, cores) = (&results.others, results.machine.usable_cores);
    if others.are_noticeable() {
        remark(&format!(
            "warning: other programs kept {:.1} of {cores} processors busy during the run, {:.1} \
             during {}, and slowed down every row",
            others.average, others.most, others.during
        ));
    }
    if let Some(warning) = results.strays.warning() {
        remark(&format!("warning: {warning}"));
    }
}

/// Prints the budgets that were measured, and whether they are met.
fn print_budgets(results: &Results) {
    let mut table = Table::default();
    let mut group = "";
    table.row(["", "", "", ""]);
    for row in budgets::measured(results) {
        if group != row.group {
            group = row.group;
            table.row([group, "ours", "limit", ""]);
        }
        let outcome = match (row.is_met(), row.ratio) {
            (Some(true), Some(ratio)) => format!("met, {}", units::ratio(ratio)),
            (Some(false), Some(ratio)) => format!("FALLS SHORT, {}", units::ratio(ratio)),
            (_, ratio) => format!("no verdict, {}", ratio.map_or("–".into(), units::ratio)),
        };
        table.row([&format!("  {}", row.what), &row.values[0], &row.limit, &outcome]);
    }
    table.print();
}

impl Table {
    fn row<const N: usize>(&mut self, cells: [&str; N]) {
        self.rows.push(cells.map(str::to_owned).to_vec());
    }

    /// Aligns the first column to the left, the others to the right.
    fn print(&self) {
        self.lines().iter().for_each(|line| println!("{line}"));
    }

    fn lines(&self) -> Vec<String> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            self.rows
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..columns).map(width).collect();
        let others: usize = widths.iter().skip(1).map(|width| GAP + width).sum();
        if let Some(first) = widths.first_mut() {
            *first = (*first).min(COLUMNS_MAX.saturating_sub(others).max(FIRST_MIN));
        }
        let mut lines = Vec::new();
        for row in &self.rows {
            let Some((first, others)) = row.split_first() else { continue };
            let mut named = wrapped(first, widths[0]).into_iter();
            let mut line = format!("{:<1$}", named.next().unwrap_or_default(), widths[0]);
            for (cell, width) in others.iter().zip(&widths[1..]) {
                line += &format!("{:GAP$}{cell:>width$}", "");
            }
            lines.push(line.trim_end().to_owned());
            lines.extend(named);
        }
        lines
    }
}

/// Returns a text in lines of at most `width` characters, if its words permit. All but the first
/// are indented by two more.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let indent = text.len() - text.trim_start().len();
    let mut lines: Vec<String> = Vec::new();
    let mut line = " ".repeat(indent);
    let mut is_empty = true;
    for word in text.split_whitespace() {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(&mut line, " ".repeat(indent + 2)));
            is_empty = true;
        }
        line += &format!("{}{word}", if is_empty { "" } else { " " });
        is_empty = false;
    }
    lines.push(line);
    lines
}

/// Prints a remark in lines of at most [`COLUMNS_MAX`] characters.
fn remark(text: &str) {
    wrapped(text, COLUMNS_MAX).iter().for_each(|line| println!("{line}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_of_rows_are_wrapped() {
        let mut table = Table::default();
        let long = "  both ways, 4 KiB to 64 MiB: compared with the best of the others, at the \
                    worst length";
        table.row([long, "0.84× at 512 KiB", "≥ 1.00×", "FALLS SHORT, 0.84×"]);
        table.row(["  short", "1", "2", "met"]);
        let lines = table.lines();
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert!(lines.iter().all(|line| line.chars().count() <= COLUMNS_MAX), "{lines:?}");
        assert!(lines[0].ends_with("FALLS SHORT, 0.84×") && lines[1].starts_with("    "));
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let name = format!("{} {}", lines[0].split("   ").next().unwrap(), lines[1]);
        assert_eq!(words(&name), words(long));
        assert_eq!(wrapped("", 10), [""]);
    }
}
