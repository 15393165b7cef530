//! The page of a profile: one file of HTML with pictures in SVG, without scripts and without
//! anything from elsewhere.

use crate::CALLS;
use crate::figures::Figures;
use crate::job::{CallSum, Profile};
use crate::layout::{CLASS_NAMES, CLASSES};
use crate::svg::{Anchor, Svg, escaped, heat, heat_rules};
use crate::units::{bytes, counted, percent, time, transport};
use std::fmt::Write;

/// Width of the pictures.
const WIDTH: f64 = 920.0;
/// Width of the names at the left of a picture.
const LABEL: f64 = 190.0;
/// Width of the scale at the left of the pictures of ranks.
const SCALE: f64 = 70.0;
/// Height of a bar, and of the space below it.
const BAR: f64 = 18.0;
const GAP: f64 = 6.0;
/// Functions of the picture of times.
const CALLS_MAX: usize = 15;
/// Rows and columns of the matrix at most. Of more ranks each cell shows several.
const CELLS_MAX: usize = 128;
/// Side of the matrix.
const MATRIX: f64 = 560.0;

/// Classes of the style sheet for the classes of sizes, and for the parts of a rank's time.
const CLASS_COLOURS: [&str; CLASSES] = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"];
const COMPUTES: &str = "computes";
const WORKS: &str = "works";
const WAITS: &str = "waits";

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);\
background:var(--paper);margin:2rem auto;max-width:960px;padding:0 1rem}\
h1{font-size:1.5rem;margin-bottom:0}h2{font-size:1.15rem;margin:2.2rem 0 .4rem}\
code{background:var(--panel);padding:.1em .3em;overflow-wrap:anywhere}\
table{border-collapse:collapse;margin:.6rem 0}th,td{padding:.2rem .8rem;text-align:right;\
white-space:nowrap;border-bottom:1px solid var(--rule)}\
th:first-child,td:first-child{text-align:left;padding-left:0}\
.wide{overflow-x:auto}svg{max-width:100%;height:auto;font-size:12px}\
svg text{fill:var(--ink)}svg line{stroke:var(--axis)}\
p.note{color:var(--soft);font-size:.9rem;margin:.2rem 0 .6rem}\
.tiles{display:flex;flex-wrap:wrap;gap:.8rem;margin:1rem 0}.tiles div{background:var(--panel);\
border-radius:6px;padding:.5rem .9rem}.tiles b{display:block;font-size:1.25rem}\
.empty{fill:var(--panel)}.computes{fill:var(--idle)}.works{fill:var(--works)}\
.waits{fill:var(--waits)}";

/// Colours of a light screen.
const LIGHT: &str = ":root{color-scheme:light dark;--ink:#2b2f36;--soft:#5b626c;--paper:#fff;\
--panel:#f1f3f5;--rule:#e3e6ea;--axis:#c8ccd2;--idle:#dfe3e8;--works:#3f8fc9;--waits:#e0883a}\
.c0{fill:#b9bec6}.c1{fill:#d9ecf7}.c2{fill:#a9d4ee}.c3{fill:#70b4df}.c4{fill:#3f8fc9}\
.c5{fill:#2368a8}.c6{fill:#154882}.c7{fill:#0a2a56}";

/// Colours of a dark screen: the more, the brighter.
const DARK: &str = ":root{--ink:#dde1e6;--soft:#9ba4af;--paper:#16191d;--panel:#23282f;\
--rule:#343b44;--axis:#59626d;--idle:#3a414b;--works:#4a97d4;--waits:#e0923f}\
.c0{fill:#6b737e}.c1{fill:#1c3f66}.c2{fill:#23568c}.c3{fill:#2f72b3}.c4{fill:#4a92d2}\
.c5{fill:#7ab3e6}.c6{fill:#aed3f4}.c7{fill:#e3f0fc}";

/// Colours of the matrix from the least to the most bytes, on a light and on a dark screen.
const LIGHT_HEAT: [[f64; 3]; 4] =
    [[222.0, 235.0, 248.0], [130.0, 180.0, 228.0], [38.0, 105.0, 176.0], [8.0, 38.0, 84.0]];
const DARK_HEAT: [[f64; 3]; 4] =
    [[28.0, 56.0, 90.0], [42.0, 106.0, 170.0], [108.0, 170.0, 226.0], [226.0, 240.0, 252.0]];

/// Returns the style sheet.
fn style() -> String {
    let (light, dark) = (heat_rules(LIGHT_HEAT), heat_rules(DARK_HEAT));
    format!("{STYLE}{LIGHT}{light}@media(prefers-color-scheme:dark){{{DARK}{dark}}}")
}

/// Returns the page.
pub fn page(profile: &Profile) -> String {
    let mut text = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta \
         name=\"viewport\" content=\"width=device-width\">\n<title>Profile of {0}</title>\n\
         <style>{2}</style>\n</head>\n<body>\n<h1>Profile of an MPI job</h1>\n\
         <p><code>{0}</code> on {1} of {3}<br>{4}, Nemesis {5}</p>\n",
        escaped(&profile.command),
        counted(profile.size.into(), "rank", "ranks"),
        style(),
        escaped(&profile.hosts().into_iter().collect::<Vec<&str>>().join(", ")),
        escaped(&profile.date),
        env!("CARGO_PKG_VERSION")
    );
    text += &tiles(profile);
    text += &notes(profile);
    section(
        &mut text,
        "Time by call and size of data",
        "Sums over all ranks. The size of a call is that of the data that it sends or contributes, \
         or of the buffer into which it receives.",
        &calls_picture(profile),
    );
    text += &calls_table(profile);
    section(
        &mut text,
        "Places in the program",
        "Sums over all ranks by the place of the call. In a call that waits, the rank with the \
         least time comes last, and the others wait for it.",
        &sites_table(profile),
    );
    section(
        &mut text,
        "Where each rank spends its time",
        "Waiting is the time in calls that return when other ranks have done their part: receives, \
         waits, probes, collectives, synchronization of windows.",
        &ranks_picture(profile),
    );
    section(
        &mut text,
        "Who sends to whom",
        "Bytes of messages and one-sided accesses from the rank of the row to the rank of the \
         column, on a logarithmic scale. Collectives are not in this picture.",
        &matrix_picture(profile),
    );
    section(&mut text, "What carries them", "", &transports_table(profile));
    section(
        &mut text,
        "Memory of unexpected messages",
        "The most memory that messages took which arrived before their receive was posted, as seen \
         a hundred times a second at most.",
        &unexpected_picture(profile),
    );
    text + "</body>\n</html>\n"
}

fn section(text: &mut String, title: &str, note: &str, body: &str) {
    // Writing to a String does not fail.
    let _ = writeln!(text, "<h2>{title}</h2>");
    if !note.is_empty() {
        let _ = writeln!(text, "<p class=\"note\">{note}</p>");
    }
    text.push_str(body);
}

fn tiles(profile: &Profile) -> String {
    let (all, mpi, waiting) = profile.times();
    let (messages, sent) =
        profile.transports().values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let each = all.checked_div(profile.ranks.len() as u64).unwrap_or(0);
    let (used, queued) = profile.processors();
    let tiles = [
        (time(each), "time of a rank, on average"),
        (format!("{:.1} %", percent(used, all)), "of it on a processor"),
        (format!("{:.1} %", percent(queued, all)), "of it waiting for one"),
        (format!("{:.1} %", percent(mpi, all)), "of it in MPI"),
        (format!("{:.1} %", percent(waiting, all)), "of it waiting"),
        (messages.to_string(), "messages and accesses"),
        (bytes(sent), "sent by them"),
    ];
    let tiles: String =
        tiles.iter().map(|(value, what)| format!("<div><b>{value}</b>{what}</div>")).collect();
    format!("<div class=\"tiles\">{tiles}</div>\n")
}

/// Says which figures are missing or incomplete.
fn notes(profile: &Profile) -> String {
    let mut text = String::new();
    let mut say = |ranks: Vec<u32>, what: &str| {
        if !ranks.is_empty() {
            let ranks: Vec<String> = ranks.iter().map(u32::to_string).collect();
            let _ = writeln!(text, "<p><b>{what}: {}</b></p>", ranks.join(", "));
        }
    };
    say(
        profile.missing(),
        "Ranks without figures, because they have not called MPI or their host is lost",
    );
    let early = profile.ranks.iter().filter(|rank| !rank.finalized).map(|rank| rank.rank);
    say(
        early.collect(),
        "Ranks that have not reached the end of MPI_Finalize, up to their last call",
    );
    text
}

fn legend(svg: &mut Svg, left: f64, entries: &[(&str, &str)]) {
    let (mut x, y) = (left, 2.0);
    for (colour, name) in entries {
        svg.rect([x, y, 12.0, 12.0], colour, "");
        svg.text(x + 16.0, y + 11.0, Anchor::Start, name);
        x += 34.0 + 7.0 * name.len() as f64;
    }
}

fn calls_picture(profile: &Profile) -> String {
    let calls: Vec<CallSum> = profile.calls().into_iter().take(CALLS_MAX).collect();
    let longest = calls.iter().map(|sum| sum.ns).max().unwrap_or(0).max(1);
    let mut svg = Svg::new(WIDTH, 30.0 + (BAR + GAP) * calls.len() as f64);
    let entries: Vec<(&str, &str)> = CLASS_COLOURS.into_iter().zip(CLASS_NAMES).collect();
    legend(&mut svg, LABEL, &entries);
    for (place, sum) in calls.iter().enumerate() {
        let y = 26.0 + (BAR + GAP) * place as f64;
        svg.text(LABEL - 8.0, y + 13.0, Anchor::End, CALLS[sum.call].name);
        let mut x = LABEL;
        for (class, &ns) in sum.ns_by_class.iter().enumerate().filter(|(_, ns)| **ns > 0) {
            let width = (WIDTH - LABEL - 80.0) * ns as f64 / longest as f64;
            let title = format!("{}, {}: {}", CALLS[sum.call].name, CLASS_NAMES[class], time(ns));
            svg.rect([x, y, width, BAR], CLASS_COLOURS[class], &title);
            x += width;
        }
        svg.text(x + 6.0, y + 13.0, Anchor::Start, time(sum.ns));
    }
    svg.finish("Time by call and class of sizes")
}

fn calls_table(profile: &Profile) -> String {
    let (_, mpi, _) = profile.times();
    let mut text = String::from(
        "<div class=\"wide\"><table><tr>\
         <th>call</th><th>calls</th><th>time</th><th>of MPI</th><th>of one call</th>\
         <th>bytes</th></tr>\n",
    );
    for sum in profile.calls() {
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{:.1} %</td><td>{}</td><td>{}</td></tr>",
            CALLS[sum.call].name,
            sum.calls,
            time(sum.ns),
            percent(sum.ns, mpi),
            time(sum.ns / sum.calls.max(1)),
            if sum.bytes == 0 { String::new() } else { bytes(sum.bytes) }
        );
    }
    text + "</table></div>\n"
}

fn sites_table(profile: &Profile) -> String {
    let (_, mpi, _) = profile.times();
    let mut text = String::from(
        "<div class=\"wide\"><table><tr>\
         <th>place</th><th>call</th><th>calls</th><th>time</th><th>of MPI</th><th>bytes</th>\
         <th>least</th><th>most</th></tr>\n",
    );
    let of_rank = |(rank, ns)| format!("{} (rank {rank})", time(ns));
    for sum in profile.sites() {
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.1} %</td><td>{}</td>\
             <td>{}</td><td>{}</td></tr>",
            escaped(&sum.place),
            CALLS[sum.call].name,
            sum.calls,
            time(sum.ns),
            percent(sum.ns, mpi),
            if sum.bytes == 0 { String::new() } else { bytes(sum.bytes) },
            of_rank(sum.least),
            of_rank(sum.most)
        );
    }
    text + "</table></div>\n"
}

/// A part of a column: its share of the height, its colour, and a text for the pointer.
type Part = (f64, &'static str, String);

/// Returns a picture with a column for each rank, which consists of parts of its own height.
fn columns(
    profile: &Profile,
    scale: &str,
    label: &str,
    parts: &dyn Fn(&Figures) -> Vec<Part>,
) -> Svg {
    const HEIGHT: f64 = 200.0;
    let mut svg = Svg::new(WIDTH, HEIGHT + 70.0);
    let size = f64::from(profile.size.max(1));
    let step = ((WIDTH - SCALE - 10.0) / size).min(48.0);
    svg.text(SCALE - 6.0, 38.0, Anchor::End, scale);
    svg.text(SCALE - 6.0, 30.0 + HEIGHT, Anchor::End, "0");
    svg.line([SCALE, 30.0 + HEIGHT, SCALE + step * size, 30.0 + HEIGHT]);
    for rank in &profile.ranks {
        let x = SCALE + step * f64::from(rank.rank);
        let mut y = 30.0 + HEIGHT;
        for (share, colour, title) in parts(rank) {
            let height = HEIGHT * share.clamp(0.0, 1.0);
            y -= height;
            svg.rect([x, y, step * 0.85, height], colour, &title);
        }
    }
    let every = (profile.size as usize).div_ceil(24).max(1);
    for rank in (0..profile.size).step_by(every) {
        let x = SCALE + step * (f64::from(rank) + 0.42);
        svg.text(x, 46.0 + HEIGHT, Anchor::Middle, rank);
    }
    svg.text(SCALE, 64.0 + HEIGHT, Anchor::Start, label);
    svg
}

fn ranks_picture(profile: &Profile) -> String {
    let mut svg = columns(profile, "100 %", "rank", &|rank| {
        let (mpi, waiting) = (rank.mpi_ns(), rank.waiting_ns());
        let part = |ns: u64, colour: &'static str, what: &str| {
            let share = percent(ns, rank.ns.max(mpi));
            let title =
                format!("rank {} on {}: {what} {} ({share:.1} %)", rank.rank, rank.host, time(ns));
            (share / 100.0, colour, title)
        };
        vec![
            part(waiting, WAITS, "waiting"),
            part(mpi - waiting, WORKS, "in other calls of MPI"),
            part(rank.ns.saturating_sub(mpi), COMPUTES, "outside MPI"),
        ]
    });
    let entries = [(WAITS, "waiting"), (WORKS, "in other calls of MPI"), (COMPUTES, "outside MPI")];
    legend(&mut svg, SCALE, &entries);
    svg.finish("Time of each rank")
}

fn unexpected_picture(profile: &Profile) -> String {
    let most = profile.ranks.iter().map(|rank| rank.unexpected_max).max().unwrap_or(0);
    if most == 0 {
        return "<p>No unexpected message was seen.</p>\n".into();
    }
    let svg = columns(profile, &bytes(most), "rank", &|rank| {
        let title = format!("rank {}: {}", rank.rank, bytes(rank.unexpected_max));
        vec![(rank.unexpected_max as f64 / most as f64, WORKS, title)]
    });
    svg.finish("Memory of unexpected messages by rank")
}

fn transports_table(profile: &Profile) -> String {
    let transports = profile.transports();
    if transports.is_empty() {
        return "<p>No messages and no one-sided accesses.</p>\n".into();
    }
    let whole: u64 = transports.values().map(|sum| sum.1).sum();
    let mut text = String::from(
        "<div class=\"wide\"><table><tr>\
         <th>transport</th><th>messages</th><th>bytes</th><th>share</th></tr>\n",
    );
    for (name, (messages, sum)) in transports {
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{messages}</td><td>{}</td><td>{:.1} %</td></tr>",
            escaped(&transport(name)),
            bytes(sum),
            percent(sum, whole)
        );
    }
    text + "</table></div>\n"
}

/// Returns the messages and bytes between ranks, `ranks` of them in a row of the matrix.
fn matrix(profile: &Profile, ranks: usize) -> Vec<Vec<(u64, u64)>> {
    let cells = (profile.size as usize).div_ceil(ranks);
    let mut sums = vec![vec![(0, 0); cells]; cells];
    for rank in profile.ranks.iter().filter(|rank| rank.rank < profile.size) {
        for peer in rank.peers.iter().filter(|peer| peer.peer < profile.size) {
            let sum = &mut sums[rank.rank as usize / ranks][peer.peer as usize / ranks];
            *sum = (sum.0 + peer.messages, sum.1 + peer.bytes);
        }
    }
    sums
}

fn matrix_picture(profile: &Profile) -> String {
    let ranks = (profile.size as usize).div_ceil(CELLS_MAX).max(1);
    let sums = matrix(profile, ranks);
    let most = sums.iter().flatten().map(|sum| sum.1).max().unwrap_or(0);
    if sums.iter().flatten().all(|sum| sum.0 == 0) {
        return "<p>No messages and no one-sided accesses between ranks.</p>\n".into();
    }
    let cells = sums.len();
    let side = (MATRIX / cells as f64).min(56.0);
    let (left, top) = (70.0, 40.0);
    let edge = side * cells as f64;
    let mut svg = Svg::new(left + edge + 170.0, top + edge + 20.0);
    svg.text(left + edge / 2.0, 14.0, Anchor::Middle, "to rank");
    svg.text(4.0, top + 12.0, Anchor::Start, "from");
    svg.rect([left, top, edge, edge], "empty", "");
    let named = |cell: usize| match ranks {
        1 => cell.to_string(),
        _ => format!("{}-{}", cell * ranks, ((cell + 1) * ranks).min(profile.size as usize) - 1),
    };
    let scale = |bytes: u64| ((bytes + 1) as f64).log2() / ((most + 1) as f64).log2().max(1.0);
    for (row, columns) in sums.iter().enumerate() {
        for (column, &(messages, sum)) in columns.iter().enumerate().filter(|(_, sum)| sum.0 > 0) {
            let title = format!(
                "{} to {}: {}, {}",
                named(row),
                named(column),
                counted(messages, "message", "messages"),
                bytes(sum)
            );
            let place =
                [left + side * column as f64, top + side * row as f64, side * 0.96, side * 0.96];
            svg.rect(place, &heat(scale(sum)), &title);
        }
    }
    let every = cells.div_ceil(16).max(1);
    for cell in (0..cells).step_by(every) {
        let middle = side * (cell as f64 + 0.5);
        svg.text(left + middle, top - 8.0, Anchor::Middle, cell * ranks);
        svg.text(left - 8.0, top + middle + 4.0, Anchor::End, cell * ranks);
    }
    for step in 0..=4u32 {
        let y = top + 22.0 * f64::from(step);
        let share = 1.0 - f64::from(step) / 4.0;
        let value = ((most + 1) as f64).powf(share) - 1.0;
        svg.rect([left + edge + 24.0, y, 18.0, 18.0], &heat(share), "");
        svg.text(left + edge + 50.0, y + 13.0, Anchor::Start, bytes(value.round() as u64));
    }
    svg.finish("Bytes between ranks")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::tests::example;

    #[test]
    fn the_page_stands_alone_and_names_everything() {
        let page = page(&example());
        for part in [
            "<title>Profile of ./a.out x</title>",
            "MPI_Recv, 1-64 B: 600.0 µs",
            "rank 0 on a&lt;b: waiting 100.0 µs (10.0 %)",
            "0 to 1: 10 messages, 80 B",
            "on 3 ranks of a&lt;b, c<br>2026-11-30T08:10:02.000Z, Nemesis ",
            "<td>exchange (halo.c:112)</td><td>MPI_Recv</td><td>10</td><td>600.0 µs</td>",
            "<b>15.0 %</b>of it waiting for one",
            "<td>network tcp</td><td>1</td><td>1.0 MiB</td>",
            "rank 0: 2.0 KiB",
            "lost: 2</b>",
        ] {
            assert!(page.contains(part), "{part}");
        }
        assert!(!page.contains("<script") && !page.contains("href=") && !page.contains("src="));
        assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    }

    #[test]
    fn cells_of_a_large_matrix_show_several_ranks() {
        let mut profile = example();
        profile.size = 1000;
        let sums = matrix(&profile, 8);
        assert_eq!((sums.len(), sums[0][0]), (125, (11, 80 + (1 << 20))));
        assert!(page(&profile).contains("0-7 to 0-7: 11 messages"));
    }
}
