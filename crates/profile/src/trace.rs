//! The calls in the order of time: trace events that `chrome://tracing` and Perfetto read, with a
//! track for each rank.

use crate::CALLS;
use crate::job::Profile;
use serde_json::json;
use std::fmt::Write;

/// Returns the trace. Times are in microseconds since the first call of MPI of any rank of the
/// host; the clocks of different hosts are not compared, so the tracks of each host begin at its
/// first call.
pub fn trace(profile: &Profile) -> String {
    let mut text = String::from("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n");
    let mut first = true;
    let mut add = |event: serde_json::Value| {
        let separator = if std::mem::take(&mut first) { "" } else { ",\n" };
        // Writing to a String does not fail.
        let _ = write!(text, "{separator}{event}");
    };
    for rank in &profile.ranks {
        let dropped = match rank.dropped {
            0 => String::new(),
            dropped => format!(", {dropped} later calls dropped"),
        };
        let name = format!("rank {} on {}{dropped}", rank.rank, rank.host);
        add(json!({"ph": "M", "name": "thread_name", "pid": 0, "tid": rank.rank,
            "args": {"name": name}}));
        add(json!({"ph": "M", "name": "thread_sort_index", "pid": 0, "tid": rank.rank,
            "args": {"sort_index": rank.rank}}));
        let same_host = profile.ranks.iter().filter(|other| other.host == rank.host);
        let start = same_host.map(|other| other.began).min().unwrap_or(rank.began);
        for event in &rank.events {
            let begin = event.begin + (rank.began - start);
            let call = &CALLS[event.call as usize];
            add(json!({"ph": "X", "name": call.name, "cat": call.family.name(), "pid": 0,
                "tid": rank.rank, "ts": begin as f64 / 1e3, "dur": event.ns as f64 / 1e3,
                "args": {"peer": event.peer, "bytes": event.bytes}}));
        }
    }
    let _ = write!(text, "\n], \"otherData\": {}}}\n", json!({"dropped": profile.dropped()}));
    text
}

#[cfg(test)]
mod tests {
    use crate::job::tests::example;
    use serde_json::Value;

    #[test]
    fn a_track_has_the_calls_of_a_rank() {
        let value: Value = serde_json::from_str(&super::trace(&example())).unwrap();
        let events = value["traceEvents"].as_array().unwrap();
        assert_eq!(events[0]["args"]["name"], "rank 0 on a<b, 3 later calls dropped");
        let calls: Vec<&Value> = events.iter().filter(|event| event["ph"] == "X").collect();
        assert_eq!(calls.len(), 1);
        assert_eq!((&calls[0]["name"], &calls[0]["ts"]), (&"MPI_Send".into(), &1.0.into()));
        assert_eq!(value["otherData"]["dropped"], 3);
    }
}
