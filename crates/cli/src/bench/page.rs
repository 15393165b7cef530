//! The page: everything a run found out in one HTML file that needs nothing beside it. Machine, budgets, pictures, collectives as a map of colours.

use super::figures::Measure;
use super::table::{COLLECTIVE_SIZES, COLLECTIVES};
use super::{Results, budgets, record, units};
use crate::complaint::Complaint;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const STYLE: &str = "body{font:16px/1.5 sans-serif;max-width:64em;margin:2em auto;padding:0 1em;color:#222}\
    table{border-collapse:collapse;margin:1em 0}td,th{padding:.25em .8em;text-align:right;border-bottom:1px solid #ddd}\
    td:first-child,th:first-child{text-align:left}.short{color:#b03000;font-weight:bold}svg{max-width:100%;height:auto}";

/// Writes `index.html` into `folder`, with those of `pictures` that are SVG inside.
pub fn write(results: &Results, pictures: &[PathBuf], folder: &Path) -> Result<PathBuf, Complaint> {
    let path = folder.join("index.html");
    let failed =
        |why: std::io::Error| Complaint::new(format!("writing {}", path.display()), why, "--out with a folder that can be written to");
    let mut page = format!("<!doctype html><html lang=en><meta charset=utf-8><title>Nemesis, measured</title><style>{STYLE}</style>");
    page += &head(results);
    page += &budgets(results);
    for picture in pictures.iter().filter(|picture| picture.extension().is_some_and(|extension| extension == "svg")) {
        let drawing = std::fs::read_to_string(picture).map_err(failed)?;
        page += drawing.find("<svg").map_or("", |start| &drawing[start..]);
    }
    page += &collectives(results);
    page += &instructions(results);
    std::fs::write(&path, page + "</html>\n").map_err(failed)?;
    Ok(path)
}

fn head(results: &Results) -> String {
    let machine = &results.machine;
    let raw = results.handover.map_or(String::new(), |raw| format!(" Raw hand-over of a cache line, one way: {}.", units::seconds(raw)));
    let turns = if results.libraries.len() > 1 { "All libraries took turns in one run; figures" } else { "Figures" };
    format!(
        "<h1>Nemesis, measured</h1><p>{}, {} usable cores of {}, {} GiB, kernel {}; load {:.1} when the run began.{raw} {turns} are \
         medians, and only those of one run are to be compared.</p>",
        record::now(),
        machine.usable_cores,
        escaped(&machine.processor),
        machine.memory_gib,
        escaped(&machine.kernel),
        machine.load
    )
}

fn budgets(results: &Results) -> String {
    let names: Vec<&str> = results.libraries.iter().map(|(name, _)| name.as_str()).collect();
    let rows = budgets::rows(results).into_iter().map(|row| {
        let verdict = match row.ratio {
            None => "not measured".into(),
            Some(ratio) if ratio >= 1.0 => format!("met, {}", units::ratio(ratio)),
            Some(ratio) => format!("<span class=short>falls short, {}</span>", units::ratio(ratio)),
        };
        let values = row.values.iter().map(escaped);
        [escaped(row.what)].into_iter().chain(values).chain([escaped(&row.limit), verdict]).collect()
    });
    let head = ["budget"].into_iter().chain(names).chain(["limit", ""]).map(escaped).collect();
    format!("<h2>Budgets</h2>{}", table(head, rows.collect()))
}

/// How many times as fast as the best rival each collective is: green above 1, red below.
fn collectives(results: &Results) -> String {
    let [(_, ours), rivals @ ..] = &results.libraries[..] else { return String::new() };
    let cell = |measure: Measure, ranks: u32, bytes: u64| {
        let (Some(mine), Some(best)) =
            (ours.get(measure, ranks, bytes), rivals.iter().filter_map(|(_, figures)| figures.get(measure, ranks, bytes)).reduce(f64::min))
        else {
            return ours.get(measure, ranks, bytes).map_or("-".into(), units::seconds);
        };
        let ratio = best / mine;
        let hue = 60.0 + 60.0 * ratio.log2().clamp(-1.0, 1.0);
        format!(
            "<span style='background:hsl({hue:.0},70%,80%);padding:.2em .6em'>{} ({})</span>",
            units::ratio(ratio),
            units::seconds(mine)
        )
    };
    let mut rows = Vec::new();
    for (name, measure) in COLLECTIVES {
        for ranks in [2, 4] {
            let cells = COLLECTIVE_SIZES.iter().map(|&bytes| cell(measure, ranks, bytes));
            rows.push([format!("{name}, {ranks} ranks")].into_iter().chain(cells).collect());
        }
    }
    let head = ["".to_owned()].into_iter().chain(COLLECTIVE_SIZES.map(units::bytes)).collect();
    format!("<h2>Collectives, times as fast as the best rival (our time)</h2>{}", table(head, rows))
}

fn instructions(results: &Results) -> String {
    let count = |value: Option<f64>| value.map_or("-".into(), |value| format!("{value:.0}"));
    let rows = results
        .libraries
        .iter()
        .map(|(name, figures)| vec![escaped(name), count(figures.get(Measure::Send, 2, 0)), count(figures.get(Measure::Receive, 2, 0))]);
    let head = ["", "MPI_Send", "MPI_Recv"].map(str::to_owned).to_vec();
    format!("<h2>Instructions of one call, 8 bytes, the message there</h2>{}", table(head, rows.collect()))
}

fn table(head: Vec<String>, rows: Vec<Vec<String>>) -> String {
    let mut text = format!("<table><tr><th>{}</tr>", head.join("<th>"));
    for row in rows {
        let _ = write!(text, "<tr><td>{}</tr>", row.join("<td>"));
    }
    text + "</table>"
}

fn escaped(text: impl AsRef<str>) -> String {
    text.as_ref().replace('&', "&amp;").replace('<', "&lt;")
}
