//! The table that `mpiexec -profile` prints.

use crate::CALLS;
use crate::figures::Figures;
use crate::job::{Late, Profile};
use crate::units::{bytes, counted, percent, time, transport};
use std::fmt::Write;

/// Functions that the table shows at most.
const CALLS_MAX: usize = 12;
/// Call sites that the table shows at most, and characters of a place.
const SITES_MAX: usize = 12;
const PLACE_MAX: usize = 34;
/// Share of the time for which ranks wait for processors, in percent, from which on a host counts
/// as overloaded.
const OVERLOADED: f64 = 10.0;
/// Hosts that a line names at most.
const HOSTS_MAX: usize = 4;
/// Ranks that a line names at most.
const NAMED_MAX: usize = 8;

/// Returns the table, without an end of line after its last line.
pub fn table(profile: &Profile) -> String {
    let (all, mpi, waiting) = profile.times();
    let ranks = profile.ranks.len() as u64;
    let mut text = format!(
        "profile of {}: {} each, {:.1} % of it in MPI, {:.1} % waiting for other ranks",
        counted(profile.size.into(), "rank", "ranks"),
        time(all.checked_div(ranks).unwrap_or(0)),
        percent(mpi, all),
        percent(waiting, all)
    );
    circumstances(&mut text, profile);
    // Writing to a String does not fail.
    let _ = write!(
        text,
        "\n  {:<28} {:>12} {:>10} {:>6} {:>11} {:>7}",
        "call", "calls", "time", "% MPI", "bytes", "waits"
    );
    let calls = profile.calls();
    for sum in calls.iter().take(CALLS_MAX) {
        let call = &CALLS[sum.call];
        let _ = write!(
            text,
            "\n  {:<28} {:>12} {:>10} {:>6.1} {:>11} {:>7}",
            call.name,
            sum.calls,
            time(sum.ns),
            percent(sum.ns, mpi),
            if sum.bytes == 0 { "-".into() } else { bytes(sum.bytes) },
            if call.waits { "yes" } else { "-" }
        );
    }
    if calls.len() > CALLS_MAX {
        let rest: u64 = calls[CALLS_MAX..].iter().map(|sum| sum.ns).sum();
        let _ = write!(text, "\n  {} more, {}", calls.len() - CALLS_MAX, time(rest));
    }
    sites(&mut text, profile);
    extremes(&mut text, profile);
    waited_for(&mut text, profile);
    for (name, (messages, sum)) in profile.transports() {
        let messages = counted(messages, "message", "messages");
        let _ = write!(text, "\n  by {}: {messages}, {}", transport(name), bytes(sum));
    }
    if let Some(most) = profile.ranks.iter().max_by_key(|rank| rank.unexpected_max)
        && most.unexpected_max > 0
    {
        let _ = write!(
            text,
            "\n  unexpected messages took up to {} (rank {})",
            bytes(most.unexpected_max),
            most.rank
        );
    }
    partial(&mut text, profile);
    text
}

/// Says when and where the job ran, and whether its ranks had processors: without one, a rank does
/// not come on, and others wait for it.
fn circumstances(text: &mut String, profile: &Profile) {
    let hosts = profile.hosts();
    let mut named: Vec<&str> = hosts.iter().copied().take(HOSTS_MAX).collect();
    if hosts.len() > HOSTS_MAX {
        named.push("...");
    }
    // The table shows seconds.
    let date = profile.date.split('.').next().unwrap_or_default();
    let (hosts, version) = (named.join(", "), env!("CARGO_PKG_VERSION"));
    let _ = write!(text, "\n  {date}Z on {hosts}, Nemesis {version}");
    let (all, _, _) = profile.times();
    let (used, queued) = profile.processors();
    let (used, queued) = (percent(used, all), percent(queued, all));
    let overloaded = if queued >= OVERLOADED { ": too many processes" } else { "" };
    let _ = write!(
        text,
        "\n  a rank used {used:.1} % of a processor, and waited for one {queued:.1} % of the \
         time{overloaded}"
    );
}

/// Appends the table by call site, each with the rank that has spent the least time, if another one
/// has spent more than twice as much.
fn sites(text: &mut String, profile: &Profile) {
    let (_, mpi, _) = profile.times();
    let sites = profile.sites();
    if sites.is_empty() {
        return;
    }
    let _ = write!(
        text,
        "\n  {:<PLACE_MAX$} {:<22} {:>8} {:>10} {:>6}   rank",
        "place", "call", "calls", "time", "% MPI"
    );
    for sum in sites.iter().take(SITES_MAX) {
        let name = CALLS[sum.call].name;
        let mut place = sum.place.clone();
        if place.chars().count() > PLACE_MAX {
            place = place.chars().take(PLACE_MAX - 3).collect::<String>() + "...";
        }
        let ranks = match (sum.ranks, sum.least.0, sum.most.0) {
            (1, rank, _) => format!("only {rank}"),
            (_, least, _) if sum.most.1 > 2 * sum.least.1 => format!("least: {least}"),
            _ => "alike".to_owned(),
        };
        let _ = write!(
            text,
            "\n  {place:<PLACE_MAX$} {name:<22.22} {:>8} {:>10} {:>6.1}   {ranks}",
            sum.calls,
            time(sum.ns),
            percent(sum.ns, mpi)
        );
    }
    if sites.len() > SITES_MAX {
        let rest: u64 = sites[SITES_MAX..].iter().map(|sum| sum.ns).sum();
        let _ = write!(text, "\n  {} more, {}", sites.len() - SITES_MAX, time(rest));
    }
    if profile.unplaced() > 0 {
        let calls = counted(profile.unplaced(), "call", "calls");
        let _ = write!(text, "\n  {calls} from further places");
    }
}

/// Names the ranks for which others wait.
fn waited_for(text: &mut String, profile: &Profile) {
    if let Some(Late { rank, ns, others_ns }) = profile.late() {
        let _ = write!(
            text,
            "\n  in collectives the others wait for rank {rank}: it spends {} in them, they {} \
             each",
            time(ns),
            time(others_ns)
        );
    }
    if let Some((rank, peer, ns)) = profile.longest_pair() {
        let _ = write!(
            text,
            "\n  of sends, receives and waits for requests, those of rank {rank} with rank {peer} \
             take the longest: {}",
            time(ns)
        );
    }
}

/// Names the ranks with the most and the least time in MPI, and in calls that wait.
fn extremes(text: &mut String, profile: &Profile) {
    if profile.ranks.len() < 2 {
        return;
    }
    let mut line = |what: &str, share: &dyn Fn(&Figures) -> f64| {
        let by_share = |a: &&Figures, b: &&Figures| share(a).total_cmp(&share(b));
        if let (Some(most), Some(least)) =
            (profile.ranks.iter().max_by(by_share), profile.ranks.iter().min_by(by_share))
        {
            let _ = write!(
                text,
                "\n  {what}: most rank {} ({:.1} %), least rank {} ({:.1} %)",
                most.rank,
                share(most),
                least.rank,
                share(least)
            );
        }
    };
    line("time in MPI", &|rank| percent(rank.mpi_ns(), rank.ns));
    line("waiting", &|rank| percent(rank.waiting_ns(), rank.ns));
}

/// Says whose figures are missing or end early.
fn partial(text: &mut String, profile: &Profile) {
    let list = |ranks: &[u32]| {
        let shown: Vec<String> = ranks.iter().take(NAMED_MAX).map(u32::to_string).collect();
        let more = if ranks.len() > NAMED_MAX { ", ..." } else { "" };
        let word = if ranks.len() == 1 { "rank" } else { "ranks" };
        format!("{word} {}{more}", shown.join(", "))
    };
    let missing = profile.missing();
    if !missing.is_empty() {
        let _ = write!(
            text,
            "\n  no figures of {}: it has not called MPI, or its host is lost",
            list(&missing)
        );
    }
    let early: Vec<u32> =
        profile.ranks.iter().filter(|rank| !rank.finalized).map(|rank| rank.rank).collect();
    if !early.is_empty() {
        let _ = write!(text, "\n  without MPI_Finalize, up to the last call: {}", list(&early));
    }
}

#[cfg(test)]
mod tests {
    use crate::job::tests::example;

    #[test]
    fn the_table_names_calls_ranks_and_transports() {
        let table = super::table(&example());
        for line in [
            "profile of 3 ranks: 1.0 ms each, 40.0 % of it in MPI, 35.0 % waiting for other ranks",
            "  MPI_Recv                               10   600.0 µs   75.0           -     yes",
            "  MPI_Send                               10   100.0 µs   12.5        80 B       -",
            concat!("  2026-11-30T08:10:02Z on a<b, c, Nemesis ", env!("CARGO_PKG_VERSION")),
            "  a rank used 50.0 % of a processor, and waited for one 15.0 % of the time: too many \
             processes",
            "  exchange (halo.c:112)              MPI_Recv                     10   600.0 µs   \
             75.0   only 1",
            "  main (a.out+0x10)                  MPI_Send                     11   150.0 µs   \
             18.8   alike",
            "  of sends, receives and waits for requests, those of rank 1 with rank 0 take the \
             longest: 600.0 µs",
            "  time in MPI: most rank 1 (60.0 %), least rank 0 (20.0 %)",
            "  by shared memory: 10 messages, 80 B",
            "  by network tcp: 1 message, 1.0 MiB",
            "  unexpected messages took up to 2.0 KiB (rank 0)",
            "  no figures of rank 2: it has not called MPI, or its host is lost",
            "  without MPI_Finalize, up to the last call: rank 1",
        ] {
            assert!(table.lines().any(|found| found == line), "{line}\n{table}");
        }
        assert!(table.lines().all(|line| line.chars().count() <= 100));
    }
}
