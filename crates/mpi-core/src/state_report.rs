//! The state report: what a waiting process tells its launcher when the launcher asks.
//!
//! No state is maintained for it. A thread that wakes from a sleep finds the launcher's request and
//! derives the answer: the MPI call from the functions on its stack, what it waits for from the
//! incomplete requests. A process that does not sleep does not answer: it computes, or tests.

use crate::comm::Comm;
use crate::communicators::Communicators;
use crate::handle;
use crate::matching::{ANY_RANK, ANY_TAG, Pattern};
use crate::protocol::Core;
use crate::pt2pt::PointToPoint;
use crate::request::{Activity, Request};
use nemesis::Answer;
use nemesis_sys::{calls, threads};
use std::time::Instant;

/// Answers the launcher: what this process waits for, and since when no packet has arrived.
#[cold]
pub(crate) fn answer(
    comms: &Communicators,
    pt2pt: &mut PointToPoint,
    situation: Situation,
    since: Instant,
) {
    let name = calls::innermost(|name| name.starts_with("MPI_") || name.starts_with("PMPI_"));
    let call = name.as_deref().map_or("a call", |name| name.trim_start_matches('P'));
    pt2pt.core.continue_all_as_requests();
    let (what, peer) = Awaited { comms, core: &pt2pt.core }.in_call(call);
    let idle = situation.is_idle(pt2pt);
    let Some(endpoint) = &mut pt2pt.endpoint else { return };
    // A process of another job may send something at any time.
    let idle = idle && !endpoint.may_meet_other_jobs();
    let traffic = endpoint.traffic();
    endpoint.answer(&Answer {
        waiting_ms: since.elapsed().as_millis() as u64,
        peer,
        sent: traffic.network_packets_sent,
        received: traffic.network_packets_received,
        finalizes: situation.finalizes,
        idle,
        text: format!("{call}{what}"),
    });
}

/// Stores the final counts of packets for a launcher that reads them after this process has ended.
pub fn take_leave(pt2pt: &mut PointToPoint) {
    let Some(endpoint) = &mut pt2pt.endpoint else { return };
    let traffic = endpoint.traffic();
    let (sent, received) = (traffic.network_packets_sent, traffic.network_packets_received);
    endpoint.answer(&Answer { sent, received, ..Answer::default() });
}

/// What the report says of the whole process.
pub(crate) struct Situation {
    /// `MPI_Finalize` is under way.
    pub finalizes: bool,
    /// No other thread may be in MPI.
    pub alone: bool,
    /// Number of threads that sleep while another one sleeps at the doorbell.
    pub resting: u32,
}

impl Situation {
    /// Returns whether no operation of this process is under way, and none of its threads can start
    /// one before the present call returns.
    fn is_idle(&self, pt2pt: &PointToPoint) -> bool {
        let core = &pt2pt.core;
        let moves = |request: &Request| {
            matches!(
                request.activity,
                Activity::Filling { .. } | Activity::Arriving { .. } | Activity::Streaming { .. }
            )
        };
        let under_way = pt2pt.outgoing_packets > 0
            || !core.tasks.is_empty()
            || !core.streams.is_empty()
            || !core.readings.is_empty()
            || core.requests.iter().any(moves);
        !under_way && (self.alone || threads::others_wait_for_this_process(self.resting))
    }
}

/// What this process waits for.
struct Awaited<'a> {
    comms: &'a Communicators,
    core: &'a Core,
}

impl Awaited<'_> {
    /// Returns what a call waits for, in words that follow the call's name, and the process that it
    /// waits for, if it is a single one.
    fn in_call(&self, call: &str) -> (String, Option<u32>) {
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
            Activity::File(what) => what.to_string(),
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
        self.comms
            .get(comm)
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
