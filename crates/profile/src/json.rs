//! The figures for programs.

use crate::CALLS;
use crate::figures::Figures;
use crate::job::Profile;
use crate::layout::CLASS_NAMES;
use serde_json::{Value, json};

/// Returns the figures in JSON.
pub fn json(profile: &Profile) -> String {
    let ranks: Vec<Value> = profile.ranks.iter().map(rank).collect();
    let calls: Vec<Value> = profile
        .calls()
        .iter()
        .map(|sum| {
            let name = CALLS[sum.call].name;
            json!({"call": name, "calls": sum.calls, "ns": sum.ns, "bytes": sum.bytes})
        })
        .collect();
    let transports: Vec<Value> = profile
        .transports()
        .into_iter()
        .map(|(name, (messages, bytes))| {
            json!({"transport": name, "messages": messages, "bytes": bytes})
        })
        .collect();
    let sites: Vec<Value> = profile
        .sites()
        .iter()
        .map(|sum| {
            json!({
                "call": CALLS[sum.call].name,
                "place": sum.place,
                "calls": sum.calls,
                "ns": sum.ns,
                "bytes": sum.bytes,
                "ranks": sum.ranks,
                "least": {"rank": sum.least.0, "ns": sum.least.1},
                "most": {"rank": sum.most.0, "ns": sum.most.1},
            })
        })
        .collect();
    let whole = json!({
        "command": profile.command,
        "size": profile.size,
        "date": profile.date,
        "hosts": profile.hosts(),
        "version": env!("CARGO_PKG_VERSION"),
        "sites": sites,
        "without_figures": profile.missing(),
        "calls": calls,
        "transports": transports,
        "ranks": ranks,
    });
    let mut text = serde_json::to_string_pretty(&whole)
        .unwrap_or_else(|error| unreachable!("the keys are strings: {error}"));
    text.push('\n');
    text
}

fn rank(figures: &Figures) -> Value {
    let calls: Vec<Value> = figures
        .calls
        .iter()
        .map(|call| {
            json!({
                "call": call.of().name,
                "size": CLASS_NAMES[call.class as usize],
                "calls": call.calls,
                "ns": call.ns,
                "bytes": call.bytes,
            })
        })
        .collect();
    let peers: Vec<Value> = figures
        .peers
        .iter()
        .map(|peer| {
            json!({
                "rank": peer.peer,
                "messages": peer.messages,
                "bytes": peer.bytes,
                "transport": peer.transport,
            })
        })
        .collect();
    json!({
        "rank": figures.rank,
        "host": figures.host,
        "pid": figures.pid,
        "finalized": figures.finalized,
        "ns": figures.ns,
        "mpi_ns": figures.mpi_ns(),
        "waiting_ns": figures.waiting_ns(),
        "processor_ns": figures.cpu_ns,
        "waiting_for_processor_ns": figures.queue_ns,
        "unexpected_bytes_max": figures.unexpected_max,
        "calls": calls,
        "messages_to": peers,
    })
}

#[cfg(test)]
mod tests {
    use crate::job::tests::example;
    use serde_json::Value;

    #[test]
    fn programs_read_the_figures() {
        let value: Value = serde_json::from_str(&super::json(&example())).unwrap();
        assert_eq!(value["without_figures"], serde_json::json!([2]));
        assert_eq!(value["ranks"][0]["messages_to"][0]["bytes"], 80);
        assert_eq!(value["calls"][0]["call"], "MPI_Recv");
        assert_eq!(value["transports"][1]["bytes"], 1 << 20);
        assert_eq!(value["sites"][0]["place"], "exchange (halo.c:112)");
        assert_eq!(value["sites"][0]["most"], serde_json::json!({"rank": 1, "ns": 600_000}));
        assert_eq!(value["hosts"], serde_json::json!(["a<b", "c"]));
        assert_eq!(value["ranks"][0]["processor_ns"], 600_000);
    }
}
