//! The page: all results of a run in one HTML file that needs no other file. It has the machine,
//! the budgets, the pictures, a coloured map of the collectives, and every figure.

use super::figures::Measure;
use super::plan::COLLECTIVE_RANKS;
use super::table::{self, COLLECTIVE_SIZES, COLLECTIVES};
use super::{Results, budgets, record, units};
use crate::diagnostic::Diagnostic;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const STYLE: &str = include_str!("page.css");

/// Writes `index.html` into `folder`, with those of `pictures` that are SVG.
pub fn write(
    results: &Results,
    pictures: &[PathBuf],
    folder: &Path,
) -> Result<PathBuf, Diagnostic> {
    let path = folder.join("index.html");
    let failed = |why: std::io::Error| {
        Diagnostic::new(
            format!("writing {}", path.display()),
            why,
            "--out with a folder that can be written to",
        )
    };
    let drawings = pictures
        .iter()
        .filter(|picture| picture.extension().is_some_and(|extension| extension == "svg"));
    let drawings: Vec<String> =
        drawings.map(std::fs::read_to_string).collect::<Result<_, _>>().map_err(failed)?;
    std::fs::write(&path, page(results, &drawings)).map_err(failed)?;
    Ok(path)
}

fn page(results: &Results, drawings: &[String]) -> String {
    let parts = [
        head(results),
        budgets(results),
        charts(drawings),
        collectives(results),
        everything(results),
    ];
    format!(
        "<!doctype html>\n<html lang=en><meta charset=utf-8>\
         <meta name=viewport content='width=device-width'>\
         <title>Nemesis, measured</title>\n<style>\n{STYLE}</style>\n<main>{}</main></html>\n",
        parts.concat()
    )
}

fn head(results: &Results) -> String {
    let (machine, others) = (&results.machine, &results.others);
    let turns = if results.libraries.len() > 1 {
        "All libraries took turns in one run. Figures"
    } else {
        "Figures"
    };
    let rough = if results.quick { " A quick run: rough figures." } else { "" };
    let mut warning = if others.are_noticeable() {
        format!(
            "<p class=warning>Other programs kept {:.1} of {} processors busy during the run \
             ({:.1} during {}), and slowed down every row.</p>",
            others.average,
            machine.usable_cores,
            others.most,
            escaped(&others.during)
        )
    } else {
        String::new()
    };
    if let Some(text) = results.strays.warning() {
        // Writing to a String does not fail.
        let _ = write!(warning, "<p class=warning>{text}.</p>");
    }
    format!(
        "<header><h1>Nemesis, measured</h1><p class=soft>{} · {} of {}, {} GiB, kernel {}</p>\
         <p class=soft>{turns} are medians, and only those of one run can be compared.{rough}</p>\
         {warning}{}</header>",
        record::now(),
        if machine.usable_cores == 1 {
            "one processor".into()
        } else {
            format!("{} processors", machine.usable_cores)
        },
        escaped(&machine.processor),
        machine.memory_gib,
        escaped(&machine.kernel),
        tiles(results)
    )
}

/// Returns the most important figures.
fn tiles(results: &Results) -> String {
    let ours = &results.libraries[0].1;
    let judged: Vec<bool> =
        budgets::rows(results).iter().filter_map(budgets::Row::is_met).collect();
    let met = judged.iter().filter(|&&met| met).count();
    let mut tiles = vec![(format!("{met} of {}", judged.len()), "budgets met".to_owned())];
    if let Some(seconds) = ours.get(Measure::Latency, 2, 8) {
        let raw = results.handover.map_or(String::new(), |raw| {
            format!(", {} the raw hand-over of a line", units::ratio(seconds / raw))
        });
        tiles.push((units::seconds(seconds), format!("8 bytes one way{raw}")));
    }
    if let Some(rate) = ours.get(Measure::Rate, 2, 8) {
        tiles.push((units::rate(rate), "8-byte messages, one pair".into()));
    }
    if let Some(seconds) = ours.get(Measure::Latency, 2, 4 << 20) {
        let raw = units::bandwidth(1, 1.0 / results.copy);
        tiles.push((
            units::bandwidth(4 << 20, seconds),
            format!("4 MiB one way; one processor alone copies at {raw}"),
        ));
    }
    if let (Some(send), Some(receive)) =
        (ours.get(Measure::Send, 2, 0), ours.get(Measure::Receive, 2, 0))
    {
        tiles.push((
            format!("{send:.0} + {receive:.0}"),
            "instructions of MPI_Send and MPI_Recv, 8 bytes".into(),
        ));
    }
    if let Some(queue) = results.queue {
        tiles.push((
            format!("{} + {}", queue.enqueue, queue.dequeue),
            "instructions to enqueue and dequeue; 6 + 11 on the slides of 2006".into(),
        ));
    }
    let tiles = tiles
        .into_iter()
        .map(|(figure, text)| format!("<div class=tile><b>{figure}</b><span>{text}</span></div>"));
    format!("<div class=tiles>{}</div>", tiles.collect::<String>())
}

fn budgets(results: &Results) -> String {
    let mut body = String::new();
    let mut group = "";
    let columns = results.libraries.len() + 3;
    for row in budgets::measured(results) {
        if row.group != group {
            group = row.group;
            // Writing to a String does not fail.
            let _ = write!(body, "<tr class=group><td colspan={columns}>{}</tr>", escaped(group));
        }
        let values: String =
            row.values.iter().map(|value| format!("<td>{}", escaped(value))).collect();
        let values = values.replacen("<td>", "<td class=ours>", 1);
        let _ = write!(
            body,
            "<tr><td>{}{values}<td>{}<td>{}</tr>",
            escaped(&row.what),
            escaped(&row.limit),
            outcome(&row)
        );
    }
    format!(
        "<h2>Budgets</h2><p class=soft>Each budget has its limit, and tells how \
         many times better than the limit this installation is. If a row compares with the others, \
         so does each rival's value: with the best of all other libraries.</p>\
         <div class=card><table><tr>{}<th>limit<th></tr>{body}</table></div>",
        heads("", results)
    )
}

/// Returns the verdict about a budget, which figures of a loaded host do not have.
fn outcome(row: &budgets::Row) -> String {
    let ratio = row.ratio.map_or("–".into(), units::ratio);
    let (class, word) = match row.is_met() {
        None => ("unknown", "no verdict"),
        Some(true) => ("met", "met"),
        Some(false) => ("short", "short"),
    };
    format!("<span class='outcome {class}'>{word}, {ratio}</span>")
}

fn charts(drawings: &[String]) -> String {
    let cards = drawings.iter().filter_map(|drawing| {
        Some(format!("<div class=card>{}</div>", &drawing[drawing.find("<svg")?..]))
    });
    format!("<h2>Pictures</h2><div class=charts>{}</div>", cards.collect::<String>())
}

/// Returns how many times as fast as the best rival each collective is, or the times if there is no
/// rival.
fn collectives(results: &Results) -> String {
    let lengths: String =
        COLLECTIVE_SIZES.iter().map(|&bytes| format!("<th>{}", units::bytes(bytes))).collect();
    let map = |ranks: u32| {
        let mut rows = String::new();
        for (name, measure) in COLLECTIVES {
            let cells: String = COLLECTIVE_SIZES
                .iter()
                .map(|&bytes| cell(results, measure, ranks, bytes))
                .collect();
            let _ = write!(rows, "<tr><td>{name}{cells}</tr>");
        }
        let _ = write!(
            rows,
            "<tr><td>barrier{}<td colspan={}></tr>",
            cell(results, Measure::Barrier, ranks, 0),
            COLLECTIVE_SIZES.len() - 1
        );
        format!(
            "<div class=card><table class=map><tr><th>{ranks} \
             ranks{lengths}</tr>{rows}</table></div>"
        )
    };
    let scale: Vec<String> = (-4..=4).map(|step| colour(f64::from(step).exp2().sqrt())).collect();
    let legend = if results.libraries.len() > 1 {
        format!(
            "Times as fast as the best rival, and our time. Four times as slow <span class=scale \
             style='background:linear-gradient(90deg,{})'></span> four times as fast.",
            scale.join(",")
        )
    } else {
        "Time of one call, of the process that takes longest.".into()
    };
    let maps: String = COLLECTIVE_RANKS.into_iter().map(map).collect();
    format!("<h2>Collectives</h2><p class=soft>{legend}</p>{maps}")
}

fn cell(results: &Results, measure: Measure, ranks: u32, bytes: u64) -> String {
    let [(_, ours), rivals @ ..] = &results.libraries[..] else { return String::new() };
    let Some(mine) = ours.get(measure, ranks, bytes) else { return "<td>–".into() };
    let named = rivals
        .iter()
        .filter_map(|(name, figures)| Some((figures.get(measure, ranks, bytes)?, name)));
    let Some((best, name)) = named.min_by(|a, b| a.0.total_cmp(&b.0)) else {
        return format!("<td>{}", units::seconds(mine));
    };
    let ratio = best / mine;
    let title = format!("{}: {}", escaped(name), units::seconds(best));
    format!(
        "<td><div style='background:{}' title='{title}'>{}<small>{}</small></div>",
        colour(ratio),
        units::ratio(ratio),
        units::seconds(mine)
    )
}

/// Returns a colour from orange (four times as slow) through white to blue (four times as fast),
/// which colour-blind readers can distinguish.
fn colour(ratio: f64) -> String {
    let (strength, hue) = (ratio.log2().abs().min(2.0) / 2.0, if ratio < 1.0 { 24 } else { 205 });
    format!("hsl({hue},{:.0}%,{:.0}%)", 30.0 + 50.0 * strength, 96.0 - 26.0 * strength)
}

/// Returns every row of the printed table, folded.
fn everything(results: &Results) -> String {
    let mut body = String::new();
    for row in
        table::rows(results).into_iter().filter(|row| row.iter().any(|cell| !cell.is_empty()))
    {
        let cells: String = row.iter().map(|cell| format!("<td>{}", escaped(cell))).collect();
        let _ = write!(body, "<tr>{cells}</tr>");
    }
    format!(
        "<h2>Every figure</h2><div class=card><details><summary>The table that was \
         printed</summary><table>{body}</table></details></div>"
    )
}

/// Returns the head of a table with a column for each library.
fn heads(first: &str, results: &Results) -> String {
    let names: String =
        results.libraries.iter().map(|(name, _)| format!("<th>{}", escaped(name))).collect();
    format!("<th>{first}{}", names.replacen("<th>", "<th class=ours>", 1))
}

fn escaped(text: impl AsRef<str>) -> String {
    text.as_ref().replace('&', "&amp;").replace('<', "&lt;").replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_from_slow_to_fast() {
        assert_eq!(
            [colour(0.1), colour(1.0), colour(4.0)],
            ["hsl(24,80%,70%)", "hsl(205,30%,96%)", "hsl(205,80%,70%)"]
        );
    }

    #[test]
    fn a_budget_of_a_loaded_host_has_no_verdict() {
        let told = |ratio: f64, is_doubtful: bool| {
            let (what, limit) = (String::new(), String::new());
            let (ratio, values) = (Some(ratio), Vec::new());
            outcome(&budgets::Row { group: "", what, limit, values, ratio, is_doubtful })
        };
        assert!(told(0.99, false).contains("short, "));
        assert!(told(1.0, false).contains("met, "));
        assert!(told(0.5, true).contains("no verdict, "));
        assert_eq!(escaped("a<b & 'c'"), "a&lt;b &amp; &#39;c&#39;");
    }
}
