//! The snapshot as plain text.

use super::snapshot::Snapshot;
use nemesis_profile::units::{bytes, counted, transport};
use std::fmt::Write;

/// What a job without counters lacks.
pub const WITHOUT_COUNTERS: &str = "no counters: the job runs without -profile, so shares, \
                                    messages and bytes are unknown; shown is what waiting ranks \
                                    report";

/// Returns the title of a snapshot.
pub fn title(snapshot: &Snapshot) -> String {
    let here = match (snapshot.ranks.len() as u32, snapshot.size) {
        (0, _) => "no rank runs on this host, so look on the hosts of its ranks".into(),
        (here, size) if here == size => counted(size.into(), "rank", "ranks"),
        (here, size) => format!("{here} of {size} ranks on this host"),
    };
    format!("job {}: {here}: {}", snapshot.launcher, snapshot.command)
}

/// Returns the snapshot as plain text.
pub fn text(snapshot: &Snapshot) -> String {
    let mut text = format!("{}\n", title(snapshot));
    if !snapshot.counts {
        text.push_str(WITHOUT_COUNTERS);
        text.push('\n');
    }
    // Writing to a String does not fail.
    let _ = writeln!(
        text,
        "{:>6} {:>8} {:>6} {:>10} {:>6} {:>6} {:>10} {:>10} {:>10} {:>5}  doing",
        "rank",
        "pid",
        "cpu %",
        "memory",
        "MPI %",
        "wait %",
        "messages",
        "bytes",
        "unexpected",
        "peer"
    );
    for rank in &snapshot.ranks {
        let peer = rank.peer().map_or_else(|| "-".into(), |peer| peer.to_string());
        let figures = match (&rank.figures, rank.shares(snapshot.at)) {
            (Some(figures), Some((mpi, waiting))) => {
                let (messages, sent) = figures.sent();
                let unexpected = bytes(figures.unexpected);
                format!(
                    "{mpi:>6.1} {waiting:>6.1} {messages:>10} {:>10} {unexpected:>10}",
                    bytes(sent)
                )
            }
            _ => format!("{:>6} {:>6} {:>10} {:>10} {:>10}", "-", "-", "-", "-", "-"),
        };
        let _ = writeln!(
            text,
            "{:>6} {:>8} {:>6} {:>10} {figures} {peer:>5}  {}",
            rank.rank,
            rank.pid,
            rank.processor_text(),
            rank.memory_text(),
            rank.line()
        );
        rank.further_lines().iter().for_each(|line| {
            let _ = writeln!(text, "        {line}");
        });
    }
    for (name, (messages, sum)) in snapshot.transports() {
        let messages = counted(messages, "message", "messages");
        let _ = writeln!(text, "by {}: {messages}, {sum} bytes", transport(&name));
    }
    for rank in &snapshot.ranks {
        for peer in rank.figures.iter().flat_map(|figures| &figures.peers) {
            let messages = counted(peer.messages, "message", "messages");
            let _ = writeln!(
                text,
                "from rank {} to {}: {messages}, {} bytes, by {}",
                rank.rank,
                if peer.peer < snapshot.size {
                    format!("rank {}", peer.peer)
                } else {
                    "other jobs".into()
                },
                peer.bytes,
                transport(&peer.transport)
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::tests::example;
    use super::*;

    #[test]
    fn a_snapshot_is_printed() {
        let text = text(&example());
        for line in [
            "job 77: 2 of 3 ranks on this host: mpiexec -n 3 ./a.out",
            "     0      100      -          -    0.0    0.0          0        0 B        0 B     \
             -  outside MPI",
            "        where exchange (halo.c:112)",
            "by shared memory: 10 messages, 2048 bytes",
            "from rank 1 to rank 0: 10 messages, 2048 bytes, by shared memory",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        assert!(
            text.contains("  MPI_Recv: a message from rank 0 of MPI_COMM_WORLD, tag 3 (0.1 s)")
        );
    }

    #[test]
    fn a_job_without_ranks_here_says_so() {
        let mut snapshot = example();
        snapshot.ranks.clear();
        assert!(text(&snapshot).starts_with("job 77: no rank runs on this host, so look on"));
    }

    #[test]
    fn a_job_without_counters_says_what_is_missing() {
        let mut snapshot = example();
        snapshot.counts = false;
        snapshot.ranks.iter_mut().for_each(|rank| rank.figures = None);
        let text = text(&snapshot);
        assert!(
            text.contains(WITHOUT_COUNTERS) && text.contains("MPI_Recv: a message from rank 0")
        );
    }
}
