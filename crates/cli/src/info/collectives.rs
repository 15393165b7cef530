//! `nemesis info --collectives`: the algorithms of collective operations, the lengths for which
//! each is chosen, and what they cost by the host model.

use super::siblings;
use crate::diagnostic::Diagnostic;
use nemesis_mpi_coll::explain::{Placement, Span, costs, spans};
use nemesis_mpi_coll::operations::{ALL, fix};
use nemesis_mpi_coll::tuning;
use nemesis_sys::host;
use nemesis_sys::host_model::HostModel;

/// Prints the choices among `ranks` processes on `hosts` hosts like this one, with those that the
/// environment forces.
pub fn print(ranks: Option<u32>, hosts: u32, model: &HostModel) -> Result<(), Diagnostic> {
    let senseless = |why: String| {
        let advice = "mend the value or the file; nemesis(7) describes both";
        Diagnostic::new("reading the choices of algorithms", why, advice)
    };
    tuning::check().map_err(|error| senseless(error.why.to_string()))?;
    fix(tuning::from_environment).map_err(senseless)?;
    let cores = host::usable_cores() as u32;
    let hosts = hosts.max(1);
    let ranks = ranks.unwrap_or(cores.max(2) * hosts).max(hosts);
    let members = ranks.div_ceil(hosts);
    let direct = siblings::probe().is_ok();
    let oversubscribed = members > cores;
    let prefers_packets = model.prefers_packets();
    let placement = Placement { hosts, members, oversubscribed, direct, prefers_packets };
    println!(
        "Blocking collectives of {ranks} processes on {hosts} host{}, {} on each, which {}.",
        if hosts == 1 { "" } else { "s" },
        members,
        if oversubscribed { "share processors" } else { "have a processor each" }
    );
    println!(
        "The kernel {} between their memories{}. Lengths are of a vector of double, or of the \
         block of a process.",
        if direct { "copies" } else { "does not copy" },
        match (direct, prefers_packets) {
            (true, true) => ", but packets in shared memory are faster",
            _ => "",
        }
    );
    println!(
        "On one host, the first three operations of a communicator other than reductions send \
         messages.\nTimes are modelled: copies, line transfers, system calls and context switches, \
         at the end of a range."
    );
    for (index, operation) in ALL.iter().enumerate() {
        println!("\n{} ({})", operation.name, operation.variable);
        let spans = spans(index, &placement);
        for span in &spans {
            let range = match span.max_bytes {
                Some(max) => format!("{} to {max}", span.min_bytes),
                None => format!("{} and more", span.min_bytes),
            };
            let forced = if span.forced { " (forced)" } else { "" };
            println!("  {range:<24} {:<20} {}{forced}", span.row.name, span.row.what);
            times(span, &costs(index, &placement, model, span.max_bytes.unwrap_or(1 << 20)));
        }
        let others: Vec<&str> = (operation.rows)()
            .iter()
            .map(|row| row.name)
            .filter(|name| spans.iter().all(|span| span.row.name != *name))
            .collect();
        if !others.is_empty() {
            println!("  {:<24} {}", "not chosen", others.join(", "));
        }
    }
    Ok(())
}

/// Prints the modelled times of the algorithms that can perform the longest call of a range.
fn times(span: &Span, costs: &[(&str, f32)]) {
    let times: Vec<String> =
        costs.iter().map(|(name, ns)| format!("{name} {:.1} µs", ns / 1000.0)).collect();
    if costs.len() > 1 {
        let at = span.max_bytes.map_or_else(|| "1 MiB".to_owned(), |max| max.to_string());
        println!("  {:<24} at {at}: {}", "", times.join(", "));
    }
}
