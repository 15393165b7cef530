//! The budgets: what the library is to reach, each with our figure, the rivals' and whether we are there.

use super::figures::{Figures, Measure};
use super::{Results, units};

/// One budget as this run found it.
pub struct Row {
    pub what: &'static str,
    pub limit: String,
    /// Of each library, ours first.
    pub values: Vec<String>,
    /// How many times better than the limit we are; below 1 we fall short. `None` when something was not measured.
    pub ratio: Option<f64>,
}

/// How a library's figure is found.
type Value<'a> = &'a dyn Fn(&Figures) -> Option<f64>;

/// All budgets. Times are to be below, rates above their limits.
pub fn rows(results: &Results) -> Vec<Row> {
    let time = |value: f64| units::seconds(value);
    let at_most = |what, limit: f64, text: fn(f64) -> String, value: Value<'_>| row(results, what, (limit, false), text, value);
    let at_least = |what, limit: f64, text: fn(f64) -> String, value: Value<'_>| row(results, what, (limit, true), text, value);
    let mut rows = Vec::new();
    if let Some(raw) = results.handover {
        rows.push(at_most("8 bytes one way, at most 1.6 hand-overs of a line", 1.6 * raw, time, &|f| f.get(Measure::Latency, 2, 8)));
    }
    rows.push(at_most("instructions of MPI_Send and MPI_Recv together", 150.0, |value| format!("{value:.0}"), &|f| {
        Some(f.get(Measure::Send, 2, 0)? + f.get(Measure::Receive, 2, 0)?)
    }));
    rows.push(at_most("longest step from one power of two to the next, to 8 KiB", 1.5, units::ratio, &longest_step));
    rows.push(at_least("8-byte messages a second, one pair", 25e6, units::rate, &|f| f.get(Measure::Rate, 2, 8)));
    rows.push(at_least("4 MiB one way", 25e9, |value| units::bandwidth(1, 1.0 / value), &|f| {
        Some((4 << 20) as f64 / f.get(Measure::Latency, 2, 4 << 20)?)
    }));
    rows.push(at_most("MPI_Init and MPI_Finalize, alone", 5e-3, time, &|f| f.get(Measure::Init, 1, 0)));
    rows.extend(against_rivals(results));
    rows
}

fn row(results: &Results, what: &'static str, (limit, more_is_better): (f64, bool), text: fn(f64) -> String, value: Value<'_>) -> Row {
    let values: Vec<Option<f64>> = results.libraries.iter().map(|(_, figures)| value(figures)).collect();
    let ratio = values[0].map(|ours| if more_is_better { ours / limit } else { limit / ours });
    let values = values.into_iter().map(|value| value.map_or("-".into(), text)).collect();
    Row { what, limit: text(limit), values, ratio }
}

/// By how much the time of a message grows at most when its length doubles, up to 8 KiB.
fn longest_step(figures: &Figures) -> Option<f64> {
    let short: Vec<f64> =
        figures.by_bytes(Measure::Latency).into_iter().filter(|&(bytes, _)| bytes <= 8 << 10).map(|(_, seconds)| seconds).collect();
    short.windows(2).map(|pair| pair[1] / pair[0]).reduce(f64::max)
}

/// Budgets whose limit is the best rival of the same run.
fn against_rivals(results: &Results) -> Vec<Row> {
    let barrier = beside_best(results, Measure::Barrier, &[(16, 0)]).map(|ratio| (ratio / 5.0, ratio));
    let lengths: Vec<(u32, u64)> = (12..=26).map(|exponent| (2, 1 << exponent)).collect();
    let worst = |measure| beside_best(results, measure, &lengths).map(|ratio| (ratio, ratio));
    let told = [
        ("barrier of 16 ranks, 5 times as fast as the best rival", "5.00×", barrier),
        ("one way from 4 KiB to 64 MiB, worst length beside its best rival", "1.00×", worst(Measure::Latency)),
        ("both ways from 4 KiB to 64 MiB, worst length beside its best rival", "1.00×", worst(Measure::Both)),
    ];
    let row = |(what, limit, ratio): (&'static str, &str, Option<(f64, f64)>)| {
        let (ratio, shown) = ratio?;
        let mut values = vec![units::ratio(shown)];
        values.resize(results.libraries.len(), "-".into());
        Some(Row { what, limit: limit.into(), values, ratio: Some(ratio) })
    };
    told.into_iter().filter_map(row).collect()
}

/// How many times as fast as the best rival we are, where we are slowest; `None` without rivals.
fn beside_best(results: &Results, measure: Measure, keys: &[(u32, u64)]) -> Option<f64> {
    let [(_, ours), rivals @ ..] = &results.libraries[..] else { return None };
    let ratio = |&(ranks, bytes): &(u32, u64)| {
        let best = rivals.iter().filter_map(|(_, figures)| figures.get(measure, ranks, bytes)).reduce(f64::min)?;
        Some(best / ours.get(measure, ranks, bytes)?)
    };
    keys.iter().filter_map(ratio).reduce(f64::min)
}
