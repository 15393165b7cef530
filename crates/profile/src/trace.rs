//! The calls in the order of time: trace events that `chrome://tracing` and Perfetto read, with a
//! process for each host and a track for each rank.
//!
//! Perfetto takes process 0 and thread 0 for the kernel's idle process, and the events of a track
//! must not overlap. Numbers therefore begin at 1, and calls of several threads of a rank that
//! overlap get further tracks.

use crate::CALLS;
use crate::figures::{Event, Figures};
use crate::job::Profile;
use serde_json::{Value, json};
use std::fmt::Write;

/// Returns the trace. Times are in microseconds since the first call of MPI of any rank of the
/// host; the clocks of different hosts are not compared, so the tracks of each host begin at its
/// first call.
pub fn trace(profile: &Profile) -> String {
    let mut text = String::from("{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n");
    let mut first = true;
    let mut add = |event: Value| {
        let separator = if std::mem::take(&mut first) { "" } else { ",\n" };
        // Writing to a String does not fail.
        let _ = write!(text, "{separator}{event}");
    };
    let mut hosts: Vec<&str> = Vec::new();
    for rank in &profile.ranks {
        if !hosts.contains(&rank.host.as_str()) {
            hosts.push(&rank.host);
            add(name("process", hosts.len(), 1, &rank.host));
        }
    }
    for rank in &profile.ranks {
        let pid = hosts.iter().position(|host| *host == rank.host).unwrap_or(0) + 1;
        let same_host = profile.ranks.iter().filter(|other| other.host == rank.host);
        let start = same_host.map(|other| other.began).min().unwrap_or(rank.began);
        for (number, track) in tracks(&rank.events).iter().enumerate() {
            let tid = (number as u64) * u64::from(profile.size) + u64::from(rank.rank) + 1;
            add(name("thread", pid, tid, &track_name(rank, number)));
            add(json!({"ph": "M", "name": "thread_sort_index", "pid": pid, "tid": tid,
                "args": {"sort_index": rank.rank}}));
            for event in track {
                let call = &CALLS[event.call as usize];
                let begin = event.begin + (rank.began - start);
                add(json!({"ph": "X", "name": call.name, "cat": call.family.name(), "pid": pid,
                    "tid": tid, "ts": microseconds(begin), "dur": event.ns as f64 / 1e3,
                    "args": {"peer": event.peer, "bytes": event.bytes}}));
            }
        }
    }
    let _ = write!(text, "\n], \"otherData\": {}}}\n", json!({"dropped": profile.dropped()}));
    text
}

/// Returns an event that names a process or a thread.
fn name(kind: &str, pid: usize, tid: u64, name: &str) -> Value {
    json!({"ph": "M", "name": format!("{kind}_name"), "pid": pid, "tid": tid,
        "args": {"name": name}})
}

/// Returns the name of a track of a rank.
fn track_name(rank: &Figures, number: usize) -> String {
    let thread = if number > 0 { format!(", calls beside {number}") } else { String::new() };
    let dropped = match rank.dropped {
        0 => String::new(),
        dropped => format!(", {dropped} later calls dropped"),
    };
    format!("rank {}{thread}{dropped}", rank.rank)
}

/// Returns nanoseconds as microseconds, with a tenth of a nanosecond more: a reader that multiplies
/// by a thousand and cuts the fraction must not get one less, because events would then overlap.
fn microseconds(ns: u64) -> f64 {
    (ns as f64 + 0.1) / 1e3
}

/// Returns the calls of a rank by tracks, on each of which no two overlap, in the order of their
/// beginnings.
fn tracks(events: &[Event]) -> Vec<Vec<&Event>> {
    let mut tracks: Vec<Vec<&Event>> = vec![Vec::new()];
    let mut sorted: Vec<&Event> = events.iter().collect();
    sorted.sort_by_key(|event| event.begin);
    for event in sorted {
        let is_free = |track: &&mut Vec<&Event>| {
            track.last().is_none_or(|last| last.begin + last.ns <= event.begin)
        };
        match tracks.iter_mut().find(is_free) {
            Some(track) => track.push(event),
            None => tracks.push(vec![event]),
        }
    }
    tracks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::tests::example;

    #[test]
    fn a_track_has_the_calls_of_a_rank() {
        let value: Value = serde_json::from_str(&trace(&example())).unwrap();
        let events = value["traceEvents"].as_array().unwrap();
        let names = |kind: &str| -> Vec<(u64, u64, &str)> {
            let named = events.iter().filter(|event| event["name"] == kind);
            let number = |value: &Value| value.as_u64().unwrap();
            named
                .map(|it| {
                    (number(&it["pid"]), number(&it["tid"]), it["args"]["name"].as_str().unwrap())
                })
                .collect()
        };
        assert_eq!(names("process_name"), [(1, 1, "a<b"), (2, 1, "c")]);
        assert_eq!(
            names("thread_name"),
            [(1, 1, "rank 0, 3 later calls dropped"), (2, 2, "rank 1")]
        );
        let calls: Vec<&Value> = events.iter().filter(|event| event["ph"] == "X").collect();
        assert_eq!(calls.len(), 1);
        assert_eq!((&calls[0]["name"], &calls[0]["dur"]), (&"MPI_Send".into(), &0.5.into()));
        assert_eq!(value["otherData"]["dropped"], 3);
    }

    #[test]
    fn times_are_exact_for_a_reader_that_cuts() {
        for ns in (0..5_000_000).step_by(977).chain([3_600_000_000_001, 86_400_000_000_999]) {
            assert_eq!((microseconds(ns) * 1000.0) as u64, ns);
        }
    }

    #[test]
    fn calls_that_overlap_are_on_different_tracks() {
        let event = |begin, ns| Event { begin, ns, call: 0, peer: None, bytes: 0 };
        let events = [event(20, 5), event(0, 10), event(5, 30), event(10, 5), event(25, 1)];
        let begins: Vec<Vec<u64>> = tracks(&events)
            .iter()
            .map(|track| track.iter().map(|event| event.begin).collect())
            .collect();
        assert_eq!(begins, [vec![0, 10, 20, 25], vec![5]]);
    }
}
