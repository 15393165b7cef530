//! The state report: what a waiting process tells its launcher when the launcher asks.
//!
//! No state is maintained for it. A thread that wakes from a sleep finds the launcher's request and
//! derives the answer: the MPI call from the functions on its stack, what it waits for from the
//! incomplete requests. A process that does not sleep does not answer: it computes, or tests.

use crate::abi;
use crate::comm::Comm;
use crate::engine::{Engine, Mpi};
use crate::handle;
use crate::matching::{ANY_RANK, ANY_TAG, Pattern};
use crate::request::{Activity, Request};
use nemesis::Answer;
use nemesis_sys::{calls, threads};
use std::time::Instant;

/// Answers the launcher: what this process waits for, and since when no packet has arrived.
#[cold]
pub(crate) fn answer(mpi: &mut Mpi, since: Instant) {
    let name = calls::innermost(|name| name.starts_with("MPI_") || name.starts_with("PMPI_"));
    let call = name.as_deref().map_or("a call", |name| name.trim_start_matches('P'));
    mpi.core.continue_all_as_requests();
    let (what, peer) = mpi.awaited_in(call);
    let (finalizes, idle) = (mpi.finalizes, mpi.is_idle());
    let Some(endpoint) = &mut mpi.endpoint else { return };
    let traffic = endpoint.traffic();
    endpoint.answer(&Answer {
        waiting_ms: since.elapsed().as_millis() as u64,
        peer,
        sent: traffic.network_packets_sent,
        received: traffic.network_packets_received,
        finalizes,
        idle,
        text: format!("{call}{what}"),
    });
}

/// Stores the final counts of packets for a launcher that reads them after this process has ended.
pub fn take_leave(engine: &mut Engine) {
    let Some(endpoint) = &mut engine.endpoint else { return };
    let traffic = endpoint.traffic();
    let (sent, received) = (traffic.network_packets_sent, traffic.network_packets_received);
    endpoint.answer(&Answer { sent, received, ..Answer::default() });
}

impl Engine {
    /// Returns whether no operation of this process is under way, and none of its threads can start
    /// one before the present call returns.
    fn is_idle(&self) -> bool {
        let core = &self.core;
        let moves = |request: &Request| {
            matches!(
                request.activity,
                Activity::Filling { .. } | Activity::Arriving { .. } | Activity::Streaming { .. }
            )
        };
        let under_way = self.outgoing_packets > 0
            || !core.tasks.is_empty()
            || !core.streams.is_empty()
            || !core.readings.is_empty()
            || core.requests.iter().any(moves);
        let alone = self.thread_level != abi::MPI_THREAD_MULTIPLE;
        !under_way && (alone || threads::others_wait_for_this_process(self.resting))
    }

    /// Returns what a call waits for, in words that follow the call's name, and the process that it
    /// waits for, if it is a single one.
    fn awaited_in(&self, call: &str) -> (String, Option<u32>) {
        let looks_itself = matches!(call, "MPI_Recv" | "MPI_Recv_c" | "MPI_Probe" | "MPI_Mprobe");
        if looks_itself && let Some(wanted) = &self.core.awaited {
            return (
                format!(": a message {}", self.origin(wanted.comm, &wanted.pattern)),
                wanted.from,
            );
        }
        let waiting: Vec<&Request> = self
            .core
            .requests
            .iter()
            .filter(|request| !request.is_done() && request.is_active())
            .collect();
        // A persistent request and the operation that it started are both in the list, and so are a
        // compound request and its parts.
        let parts =
            waiting.iter().find_map(|request| Some((self.part(request)?, request_peer(request))));
        match (parts, waiting.len()) {
            (None, _) => (String::new(), None),
            (Some((part, peer)), 1) => (format!(": {part}"), peer),
            (Some((part, peer)), several) => {
                (format!(": {several} requests not complete, the first {part}"), peer)
            }
        }
    }

    /// Returns what a request waits for, if it waits for other processes.
    fn part(&self, request: &Request) -> Option<String> {
        Some(match &request.activity {
            Activity::Posted { slot, .. } => match self.core.posted.pattern(*slot) {
                Some(pattern) => format!("a message {}", self.origin(request.comm, &pattern)),
                None => "a message".into(),
            },
            Activity::Filling { received, wanted, .. } => {
                format!("a message of which {received} of {wanted} bytes are here")
            }
            Activity::Arriving { buffer } => format!(
                "a message for a buffer of {} bytes, of which some are here",
                buffer.bytes()
            ),
            Activity::Deferred => "a send that waits for queue space".into(),
            Activity::Announced { to, .. } => {
                format!("a send to process {to}, which has not received it")
            }
            Activity::Streaming { to, sent, wanted, .. } => {
                format!("a send to process {to}, {sent} of {wanted} bytes gone")
            }
            Activity::Collective => {
                format!("a collective operation on {}", self.name_of(request.comm))
            }
            Activity::Flushing => "buffered messages that have not left".into(),
            Activity::Access => "an access to another host's memory".into(),
            Activity::Generalized(_) => "an operation that the program performs itself".into(),
            Activity::Done | Activity::Compound(_) => return None,
        })
    }

    fn origin(&self, comm: handle::Comm, pattern: &Pattern) -> String {
        let rank = if pattern.rank == ANY_RANK {
            "any rank".into()
        } else {
            format!("rank {}", pattern.rank)
        };
        let tag =
            if pattern.tag == ANY_TAG { "any tag".into() } else { format!("tag {}", pattern.tag) };
        format!("from {rank} of {}, {tag}", self.name_of(comm))
    }

    fn name_of(&self, comm: handle::Comm) -> String {
        let named = |comm: &Comm| (!comm.name.is_empty()).then(|| comm.name.clone());
        self.comm(comm)
            .ok()
            .and_then(named)
            .unwrap_or_else(|| format!("communicator {:#x}", comm.0))
    }
}

/// Returns the process that a request waits for, if it is a single one.
fn request_peer(request: &Request) -> Option<u32> {
    match &request.activity {
        Activity::Announced { to, .. } | Activity::Streaming { to, .. } => Some(*to),
        _ => request.expected,
    }
}
