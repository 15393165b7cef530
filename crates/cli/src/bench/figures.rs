//! The quantities that are measured, and the figures of one library.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A quantity. Measuring programs print these names, and records contain them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// Seconds of one message, one way.
    Latency,
    /// Seconds of one message in each direction at the same time.
    Both,
    /// Seconds of packing data with gaps.
    Pack,
    /// Seconds of one message of data with gaps, one way.
    Strided,
    /// Seconds of one MPI_Put and a flush, into memory of MPI_Win_allocate.
    Put,
    /// Seconds of one MPI_Get and a flush, from memory of MPI_Win_allocate.
    Get,
    /// Seconds of one MPI_Put and a flush, into memory of the program.
    Created,
    /// Seconds of one MPI_Fetch_and_op and a flush.
    Fetch,
    /// Messages per second of one pair, with many under way at a time.
    Rate,
    /// Messages per second of one pair, by blocking calls.
    Stream,
    /// Seconds of one of many messages under way in one direction, and of two in both directions.
    Window,
    Windows,
    /// Seconds of one collective as the mean of its processes, with one root.
    UsualBcast,
    UsualReduce,
    UsualSum,
    UsualGather,
    UsualScatter,
    UsualAllgather,
    UsualAlltoall,
    /// Seconds of one barrier.
    Barrier,
    /// Seconds of the sum of one 8-byte number over all ranks.
    Allreduce,
    /// Seconds of one broadcast.
    Bcast,
    /// Seconds of one sum of doubles over all ranks.
    Sum,
    Reduce,
    Gather,
    Scatter,
    Allgather,
    Alltoall,
    ReduceScatter,
    Scan,
    /// Seconds of one message, one way, whose receiver names the sender.
    Named,
    /// Seconds of one message, one way, received from MPI_ANY_SOURCE.
    Wildcard,
    /// With one thread, below MPI_THREAD_MULTIPLE: seconds of one message, messages per second.
    SingleLatency,
    SingleRate,
    /// With one thread, under MPI_THREAD_MULTIPLE: seconds of one message, messages per second.
    MultipleLatency,
    MultipleRate,
    /// With four threads in each process: seconds of one message, messages per second of all
    /// together.
    ThreadsLatency,
    ThreadsRate,
    /// Seconds of MPI_Init and MPI_Finalize together.
    Init,
    /// Seconds of the whole command that starts a program of MPI_Init and MPI_Finalize.
    Start,
    /// Bytes of resident memory of one process, and its proportional share of shared pages.
    Resident,
    Proportional,
    /// Bytes of page tables, and open descriptors, of one process.
    PageTables,
    Descriptors,
    /// Bytes of the library's file.
    Library,
    /// Instructions of one MPI_Send of 8 bytes.
    Send,
    /// Instructions of one MPI_Recv of 8 bytes whose message has arrived.
    Receive,
}

/// The key of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Key {
    pub measure: Measure,
    pub ranks: u32,
    pub bytes: u64,
}

/// A line that a measuring program prints.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Line {
    pub measure: Measure,
    #[serde(default)]
    pub bytes: u64,
    pub value: f64,
}

/// All samples of one library. A figure is the median of its samples.
#[derive(Debug, Default)]
pub struct Figures(BTreeMap<Key, Vec<f64>>);

impl Figures {
    pub fn add(&mut self, ranks: u32, line: Line) {
        self.0
            .entry(Key { measure: line.measure, ranks, bytes: line.bytes })
            .or_default()
            .push(line.value);
    }

    pub fn get(&self, measure: Measure, ranks: u32, bytes: u64) -> Option<f64> {
        self.0.get(&Key { measure, ranks, bytes }).map(|samples| median(samples))
    }

    /// Returns the medians, by measure, ranks and bytes.
    pub fn medians(&self) -> impl Iterator<Item = (Key, f64)> {
        self.0.iter().map(|(key, samples)| (*key, median(samples)))
    }

    /// Returns the bytes and values of a measure between two processes, in ascending order.
    pub fn by_bytes(&self, measure: Measure) -> Vec<(u64, f64)> {
        self.medians()
            .filter(|(key, _)| key.measure == measure && key.ranks == 2)
            .map(|(key, value)| (key.bytes, value))
            .collect()
    }
}

pub fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 { sorted[middle] } else { (sorted[middle - 1] + sorted[middle]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_of_one_figure_become_their_median() {
        let mut figures = Figures::default();
        for value in ["4e-7", "1e-7", "2e-7"] {
            let line = format!("{{\"measure\": \"latency\", \"bytes\": 8, \"value\": {value}}}");
            figures.add(2, serde_json::from_str(&line).unwrap());
        }
        figures
            .add(16, serde_json::from_str("{\"measure\": \"barrier\", \"value\": 1e-3}").unwrap());
        assert_eq!(figures.get(Measure::Latency, 2, 8), Some(2e-7));
        assert_eq!(figures.by_bytes(Measure::Latency), [(8, 2e-7)]);
        assert_eq!(figures.get(Measure::Barrier, 16, 0), Some(1e-3));
        assert_eq!(figures.get(Measure::Barrier, 2, 0), None);
        assert_eq!(median(&[1.0, 3.0]), 2.0);
    }
}
