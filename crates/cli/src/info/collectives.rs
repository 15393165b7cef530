//! `nemesis info --collectives`: the algorithms of collective operations, and the lengths for which
//! each is chosen.

use super::siblings;
use nemesis_mpi_coll::explain::{Placement, spans};
use nemesis_mpi_coll::operations::ALL;
use nemesis_sys::host;

/// Prints the choices among `ranks` processes on `hosts` hosts like this one.
pub fn print(ranks: Option<u32>, hosts: u32, prefers_packets: bool) {
    let cores = host::usable_cores() as u32;
    let hosts = hosts.max(1);
    let ranks = ranks.unwrap_or(cores.max(2) * hosts).max(hosts);
    let members = ranks.div_ceil(hosts);
    let direct = siblings::probe().is_ok();
    let oversubscribed = members > cores;
    let placement = Placement { hosts, members, oversubscribed, direct, prefers_packets };
    println!(
        "Blocking collectives of {ranks} processes on {hosts} host{}, {} on each, which {}.",
        if hosts == 1 { "" } else { "s" },
        members,
        if oversubscribed { "share processors" } else { "have a processor each" }
    );
    println!(
        "The kernel {} between their memories. Lengths are of a vector of double, or of the block \
         of a process.",
        if direct { "copies" } else { "does not copy" }
    );
    println!(
        "On one host, the first three operations of a communicator other than reductions send \
         messages."
    );
    for (index, operation) in ALL.iter().enumerate() {
        println!("\n{} ({})", operation.name, operation.variable);
        let spans = spans(index, &placement);
        for span in &spans {
            let range = match span.max_bytes {
                Some(max) => format!("{} to {max}", span.min_bytes),
                None => format!("{} and more", span.min_bytes),
            };
            println!("  {range:<24} {:<20} {}", span.row.name, span.row.what);
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
}
