//! Answers of ranks for the tests of state reports.

use crate::rank_state::{Doing, Entry};

/// Returns the answer of a rank on host `h`.
pub fn entry(rank: u32, doing: Doing) -> Entry {
    let is_over = matches!(doing, Doing::Exited(_));
    let (sent, received, site, place) = (0, 0, None, None);
    Entry { rank, host: "h".into(), pid: 1, is_over, sent, received, doing, site, place }
}

/// Returns the answer of a rank that waits for a message, of `peer` only if there is one.
pub fn waits(rank: u32, peer: Option<u32>, milliseconds: u64) -> (u32, Entry) {
    let doing = Doing::Waits {
        text: "MPI_Recv".into(),
        peer,
        only_peer: peer.is_some(),
        milliseconds,
        finalizes: false,
        idle: true,
    };
    (rank, entry(rank, doing))
}
