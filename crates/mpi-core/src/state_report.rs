//! The state report: what a waiting process tells its launcher when the launcher asks.
//!
//! No state is maintained for it. A thread that wakes from a sleep, or that tests, finds the
//! launcher's request and derives the answer: the MPI call from the functions on its stack, what it
//! waits for from the incomplete requests, what else is open from the unexpected queue and the
//! communicators. A process that computes does not answer.

use crate::comm::{Comm, signature};
use crate::communicators::Communicators;
use crate::context::{Class, Context};
use crate::envelope::{self, Room};
use crate::going_on;
use crate::handle;
use crate::matching::{ANY_RANK, ANY_TAG, Pattern};
use crate::protocol::{Core, Layers, Message};
use crate::pt2pt::PointToPoint;
use crate::request::{Activity, Request, Role};
use crate::waiting::Waiting;
use nemesis::status::AWAITS_ALL;
use nemesis::{Answer, Endpoint, Traffic};
use nemesis_mpi_check::sites;
use nemesis_sys::{calls, python, threads, virtual_process};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Further requests, unexpected messages and communicators that an answer names at most.
const NAMED_MAX: usize = 3;

/// Time without any movement after which a lane counts as idle in which the answering thread is
/// not: longer than that between the launcher's two looks. It is known to the interval of the
/// questions.
const QUIET: Duration = Duration::from_millis(1500);

/// Time without any movement after which what is under way within a node counts as stuck.
const STALLED: Duration = Duration::from_secs(5);

/// Answers the launcher: what this process waits for, and since when no packet has arrived.
/// `others` is what the lanes say in which the answering thread is not.
#[cold]
pub(crate) fn answer(
    comms: &Communicators,
    pt2pt: &mut PointToPoint,
    situation: Situation,
    since: Instant,
    others: &OtherLanes,
) {
    let site = calls::call_site(calls::mpi_name, calls::MPI_LIBRARIES);
    let call = site.map_or("a call", |site| site.function);
    pt2pt.core.continue_all_as_requests();
    let awaited = Awaited { comms, core: &pt2pt.core };
    let (what, peer, only_peer) = awaited.in_call(call, others);
    // Other threads that wait may be woken by other processes, and act.
    let only_peer = only_peer && situation.asleep == 0 && !others.are_partial;
    let mut text = format!("{call}{what}");
    if python::is_interpreter()
        && let Some(place) = python::place(&mut [0; python::TEXT_MAX])
    {
        text.push('\n');
        text.push_str(&format!("in Python: {place}"));
    }
    for line in kept(comms, &pt2pt.core).iter().chain(others.lines()) {
        text.push('\n');
        text.push_str(line);
    }
    // Of several waits the one that began last.
    let since = others.lanes.iter().filter_map(|lane| lane.waits_since).fold(since, Instant::max);
    let waited = virtual_process::since(since);
    let idle = !situation.tests
        && situation.is_idle(pt2pt, waited)
        && others.are_idle(situation.asleep > 0);
    let Some(endpoint) = &mut pt2pt.endpoint else { return };
    // A process of another job may send something at any time.
    let idle = idle && (situation.within_job || !endpoint.may_meet_other_jobs());
    let Traffic { network_packets_sent, network_packets_received, .. } = endpoint.traffic();
    endpoint.answer(&Answer {
        waiting_ms: waited.as_millis() as u64,
        peer,
        sent: network_packets_sent.wrapping_add(others.network_packets[0]),
        received: network_packets_received.wrapping_add(others.network_packets[1]),
        finalizes: situation.finalizes || others.lanes.iter().any(|lane| lane.finalizes),
        idle,
        only_peer,
        tests: situation.tests,
        site: site.map_or(0, |site| site.address as u64),
        text,
        ..Answer::default()
    });
    going_on::obey(pt2pt, site.or_else(sites::here), waits_for_requests(call));
}

/// Returns lines about what has arrived, or has been done, whatever call waits.
fn kept(comms: &Communicators, core: &Core) -> Vec<String> {
    let awaited = Awaited { comms, core };
    awaited.unexpected().into_iter().chain(awaited.collectives()).collect()
}

/// Stores the final counts of packets for a launcher that reads them after this process has ended.
/// `others`: the packets that further lanes have sent to other nodes, and received from them.
pub fn take_leave(pt2pt: &mut PointToPoint, others: [u64; 2]) {
    let Some(endpoint) = &mut pt2pt.endpoint else { return };
    let traffic = endpoint.traffic();
    let sent = traffic.network_packets_sent.wrapping_add(others[0]);
    let received = traffic.network_packets_received.wrapping_add(others[1]);
    endpoint.answer(&Answer { sent, received, ..Answer::default() });
}

/// What the open lanes say in which the answering thread is not.
#[derive(Default)]
pub(crate) struct OtherLanes {
    pub lanes: Vec<OtherLane>,
    /// Another thread has polled one of them just now, so that it could not be entered.
    pub are_partial: bool,
    /// The packets that all of them have sent to other nodes, and received from them.
    pub network_packets: [u64; 2],
}

/// What a lane says in which the answering thread is not.
pub(crate) struct OtherLane {
    /// The message that a receive or probe of another thread waits for.
    awaits: Option<String>,
    /// What has arrived, or has been done.
    kept: Vec<String>,
    /// The requests that are not complete, and the process that each waits for.
    parts: Vec<(String, Option<u32>)>,
    /// Since when a thread waits there, if one does.
    waits_since: Option<Instant>,
    /// Nothing has moved there for [`QUIET`], and no operation is under way.
    is_idle: bool,
    /// A process of another job may send something.
    may_meet: bool,
    /// `MPI_Finalize` is under way there.
    pub finalizes: bool,
}

impl OtherLane {
    /// Returns what a lane says. `quiet` is the time since when nothing has come, gone or finished.
    pub fn of(
        comms: &Communicators,
        pt2pt: &mut PointToPoint,
        waiting: &Waiting,
        quiet: Duration,
    ) -> OtherLane {
        pt2pt.core.continue_all_as_requests();
        let awaited = Awaited { comms, core: &pt2pt.core };
        let has_threads = waiting.others_sleep();
        let is_under_way = waiting.outside > 0 || is_under_way(pt2pt, quiet);
        OtherLane {
            awaits: awaited
                .awaited()
                .filter(|_| has_threads)
                .map(|(text, _)| format!("another thread waits for {text}")),
            kept: kept(comms, &pt2pt.core),
            parts: awaited.incomplete(),
            waits_since: waiting.asleep_since.filter(|_| has_threads),
            is_idle: quiet >= QUIET && !is_under_way,
            may_meet: pt2pt.endpoint.as_ref().is_some_and(Endpoint::may_meet_other_jobs),
            finalizes: false,
        }
    }
}

impl OtherLanes {
    /// Returns whether no operation of these lanes is under way. If other threads sleep, they may
    /// wait for other jobs.
    fn are_idle(&self, others_sleep: bool) -> bool {
        let is_idle = |lane: &OtherLane| lane.is_idle && !(others_sleep && lane.may_meet);
        !self.are_partial && self.lanes.iter().all(is_idle)
    }

    /// Returns what follows the call and what it waits for.
    fn lines(&self) -> impl Iterator<Item = &String> {
        self.lanes.iter().flat_map(|lane| lane.awaits.iter().chain(&lane.kept))
    }
}

/// Withdraws the words of [`take_leave`], when a process that had finalized starts MPI again.
pub fn come_back(pt2pt: &PointToPoint) {
    if let Some(endpoint) = &pt2pt.endpoint {
        endpoint.withdraw_answer();
    }
}

/// Returns whether an operation of a lane is under way, so that it may go on without anything that
/// this process is told. `waited` is the time since something has arrived, gone or finished.
///
/// What is under way within a node moves with each poll of both processes. What has not moved for
/// [`STALLED`] in a job that polls everywhere never will: a count or a flag of the segment is
/// damaged.
fn is_under_way(pt2pt: &PointToPoint, waited: Duration) -> bool {
    let core = &pt2pt.core;
    let moves = |request: &Request| {
        matches!(
            request.activity,
            Activity::Filling { .. } | Activity::Arriving { .. } | Activity::Streaming { .. }
        )
    };
    // The program completes generalized requests.
    let is_program = |request: &Request| matches!(request.activity, Activity::Generalized(_));
    let is_local = pt2pt.endpoint.as_ref().is_some_and(Endpoint::is_on_one_node);
    let within_node = pt2pt.outgoing_packets > 0
        || !core.tasks.is_empty()
        || !core.streams.is_empty()
        || !core.readings.is_empty()
        || core.requests.iter().any(moves);
    // A worker thread reads or writes a file.
    core.upper.await_word.contains(Layers::IO)
        || core.requests.iter().any(is_program)
        || within_node && !(is_local && waited >= STALLED)
}

/// What the report says of the whole process.
pub(crate) struct Situation {
    /// `MPI_Finalize` is under way.
    pub finalizes: bool,
    /// No other thread may be in MPI.
    pub alone: bool,
    /// Number of other threads that sleep in calls.
    pub asleep: u32,
    /// A thread waits for something other than the processes of this job.
    pub outside: bool,
    /// Nothing that a process of another job sends ends the call, the only one that waits.
    pub within_job: bool,
    /// The call tests, and returns in any case.
    pub tests: bool,
}

impl Situation {
    /// Returns whether no operation of this process is under way, and none of its threads can start
    /// one before the present call returns. `waited` is the time since something has arrived, gone
    /// or finished.
    fn is_idle(&self, pt2pt: &PointToPoint, waited: Duration) -> bool {
        let is_under_way = self.outside || is_under_way(pt2pt, waited);
        !is_under_way && (self.alone || threads::others_wait_for_this_process(self.asleep))
    }
}

/// What this process waits for.
pub(crate) struct Awaited<'a> {
    pub comms: &'a Communicators,
    pub core: &'a Core,
}

impl Awaited<'_> {
    /// Returns what a call waits for, in words that follow the call's name, the process that it
    /// waits for, if there is one, and whether nothing but a packet of it can end the call.
    fn in_call(&self, call: &str, others: &OtherLanes) -> (String, Option<u32>, bool) {
        let looks_itself = matches!(call, "MPI_Recv" | "MPI_Recv_c" | "MPI_Probe" | "MPI_Mprobe");
        if looks_itself && let Some((text, from)) = self.awaited() {
            return (format!(": {text}"), from, from.is_some());
        }
        if let Some(text) = self.in_blocking_collective(call) {
            return (text, None, false);
        }
        if matches!(call, "MPI_Iprobe" | "MPI_Improbe")
            && let Some((text, from)) = self.awaited()
        {
            let mut text = format!(": {text}");
            let (parts, _, _) = self.in_requests(call, others);
            if !parts.is_empty() {
                // Writing to a String does not fail.
                let _ = write!(text, "\nhas open requests{parts}");
            }
            return (text, from, from.is_some());
        }
        self.in_requests(call, others)
    }

    /// Returns the message that a receive or probe waits for which looks itself, and the process
    /// that sends it, if only one can.
    fn awaited(&self) -> Option<(String, Option<u32>)> {
        let envelope::Awaited { wanted, room } = self.core.awaited.as_ref()?;
        let origin = self.origin(wanted.comm, &wanted.pattern);
        Some((format!("a message {origin}{}", with_room(*room)), wanted.from))
    }

    /// Returns the requests that are not complete, and the process that each waits for.
    fn incomplete(&self) -> Vec<(String, Option<u32>)> {
        let is_open = |request: &&Request| !request.is_done() && request.is_active();
        let waiting = self.core.requests.iter().filter(is_open);
        // A persistent request and the operation that it started are both in the list, and so are a
        // compound request and its parts.
        waiting.filter_map(|request| Some((self.part(request)?, self.peer(request)))).collect()
    }

    /// Returns the requests that are not complete, in whatever lane, as [`in_call`](Self::in_call)
    /// does.
    fn in_requests(&self, call: &str, others: &OtherLanes) -> (String, Option<u32>, bool) {
        let mut parts = self.incomplete();
        parts.extend(others.lanes.iter().flat_map(|lane| lane.parts.iter().cloned()));
        let Some((first, peer)) = parts.first() else { return (String::new(), None, false) };
        // Of several open requests the call may wait for any. It does not matter for which if all
        // have one peer.
        let only_peer = waits_for_requests(call)
            && peer.is_some()
            && parts.iter().all(|(_, other)| other == peer);
        let text = match parts.len() {
            1 => format!(": {first}"),
            several => {
                let shown: Vec<&str> =
                    parts.iter().take(NAMED_MAX).map(|(part, _)| part.as_str()).collect();
                format!(": {several} requests not complete: {}", shown.join("; "))
            }
        };
        (text, *peer, only_peer)
    }

    /// Returns what a blocking collective operation is, if one is in progress and the call is it:
    /// its root and operator, its number and the communicator.
    fn in_blocking_collective(&self, call: &str) -> Option<String> {
        let name = call.trim_end_matches("_c");
        let arguments = |comm: &Comm| {
            let signature = comm.collectives.latest()?.to_string();
            let rest = signature.strip_prefix(name)?;
            (rest.is_empty() || rest.starts_with('(')).then(|| rest.to_owned())
        };
        // The operation that makes the segment of a communicator runs others first. It is known if
        // no other communicator has begun such a call last.
        let comm = match self.comms.get(self.core.upper.blocking_on) {
            Ok(comm) => comm,
            Err(_) => {
                let mut candidates = self.comms.all().filter(|comm| arguments(comm).is_some());
                candidates.next().filter(|_| candidates.next().is_none())?
            }
        };
        let number = comm.collectives.count();
        let arguments = arguments(comm)?;
        let mut text = format!("{arguments}: collective number {number} on {}", Comm::shown(comm));
        if self.core.upper.awaits_all {
            text += ", ";
            text += AWAITS_ALL;
        }
        Some(text)
    }

    /// Returns lines about messages that no receive has asked for.
    fn unexpected(&self) -> Option<String> {
        let context = |comm: &&Comm| comm.context.class(Class::PointToPoint);
        let of_program = |pattern: &Pattern| {
            self.comms.all().find(|comm| context(comm) == pattern.context).map(Comm::shown)
        };
        let messages: Vec<String> = self
            .core
            .unexpected
            .all()
            .filter_map(|(pattern, message)| {
                let comm = of_program(&pattern)?;
                let (rank, tag, bytes) = (pattern.rank, pattern.tag, message.bytes());
                Some(format!("from rank {rank} of {comm}, tag {tag}, {bytes} bytes"))
            })
            .collect();
        let shown = messages.iter().take(NAMED_MAX).cloned().collect::<Vec<_>>().join("; ");
        let more = if messages.len() > NAMED_MAX { "; ..." } else { "" };
        match messages.len() {
            0 => None,
            1 => Some(format!("has 1 message that no receive has asked for: {shown}")),
            count => {
                Some(format!("has {count} messages that no receive has asked for: {shown}{more}"))
            }
        }
    }

    /// Returns a line with the number of collective operations on each communicator.
    fn collectives(&self) -> Option<String> {
        let counts: Vec<String> = self
            .comms
            .all()
            .filter(|comm| comm.size() > 1 && comm.collectives.count() > 0)
            .take(NAMED_MAX)
            .map(|comm| format!("{} on {}", comm.collectives.count(), Comm::shown(comm)))
            .collect();
        (!counts.is_empty()).then(|| format!("collective operations so far: {}", counts.join(", ")))
    }

    /// Returns a message of the program in words.
    pub fn message(&self, pattern: &Pattern, message: &Message) -> String {
        let (comm, bytes) = (self.name_of_context(pattern.context), message.bytes());
        format!("from rank {} of {comm}, tag {}, {bytes} bytes", pattern.rank, pattern.tag)
    }

    /// Returns the name of the communicator with this context for point-to-point messages.
    fn name_of_context(&self, context: Context) -> String {
        let own = |comm: &&Comm| comm.context.class(Class::PointToPoint);
        let comm = self.comms.all().find(|comm| own(comm) == context);
        comm.map_or_else(|| "a communicator that has been freed".into(), Comm::shown)
    }

    /// Returns a message of a collective operation in words, if `pattern` is of one. A question or
    /// a report of another process is of none. Messages in the contexts that no process has drawn
    /// ([`Context::meeting`]) are left out: such a context is used again, so the message may belong
    /// to the next operation in it.
    pub fn message_of_collective(&self, pattern: &Pattern, message: &Message) -> Option<String> {
        let of_messages = pattern.context.class(Class::PointToPoint);
        let is_blocking = of_messages.class(Class::Collective) == pattern.context;
        if is_blocking && signature::is_control(pattern.tag) {
            return None;
        }
        let is_collective = [Class::Collective, Class::Persistent]
            .into_iter()
            .any(|class| of_messages.class(class) == pattern.context);
        let is_over = self.comms.knows(of_messages) && !of_messages.is_of_nobody();
        (is_collective && is_over).then(|| {
            let (rank, comm) = (pattern.rank, self.name_of_context(of_messages));
            let bytes = message.bytes();
            format!(
                "from rank {rank} of {comm}, {bytes} bytes of a collective operation that this \
                 process has not called, or with other arguments; for a neighborhood collective, \
                 compare the graphs of both processes"
            )
        })
    }

    /// Returns a partitioned send of which no receive has been initialized, in words, if `pattern`
    /// is that of its setup.
    pub fn partitioned_send(&self, pattern: &Pattern) -> Option<String> {
        let context = |comm: &&Comm| comm.context.class(Class::Partitioned);
        let comm = Comm::shown(self.comms.all().find(|comm| context(comm) == pattern.context)?);
        let Pattern { rank, tag, .. } = pattern;
        Some(format!(
            "a partitioned send from rank {rank} of {comm}, tag {tag}, without MPI_Precv_init"
        ))
    }

    /// Returns what a compound operation waits for, apart from its parts.
    fn compound(&self, request: &Request, role: &Role) -> Option<String> {
        match role {
            Role::Partitions { ready } => {
                let to = request.expected.map_or_else(
                    || "MPI_PROC_NULL".into(),
                    |to| self.destination(request.comm, to),
                );
                let first = ready.iter().position(|ready| !ready)?;
                let missing = ready.iter().filter(|ready| !**ready).count();
                let all = ready.len();
                let are = if missing == 1 { "is" } else { "are" };
                Some(format!(
                    "a partitioned send to {to}, of which {missing} of {all} partitions {are} not \
                     marked ready, the first is {first}"
                ))
            }
            Role::Arrivals(arrivals) => {
                let pattern = &arrivals.template.wanted.pattern;
                let partitions = &arrivals.template.partitions;
                let origin = self.origin(request.comm, pattern);
                let origin = format!("{origin}{}", with_room(Some(Room::of(&partitions.buffer))));
                Some(match arrivals.counts() {
                    None => format!(
                        "a partitioned receive {origin}, which no MPI_Psend_init has matched"
                    ),
                    Some((here, all)) => format!(
                        "a partitioned receive {origin}, of which {here} of {all} partitions are \
                         here"
                    ),
                })
            }
            Role::Exchange | Role::Copied { .. } => None,
        }
    }

    /// Returns what a request waits for, if it waits for other processes.
    pub fn part(&self, request: &Request) -> Option<String> {
        Some(match &request.activity {
            Activity::Posted { slot, buffer } => match self.core.posted.pattern(*slot) {
                // A part of a collective operation, which is in the list itself.
                Some(pattern) if !pattern.context.knows_wildcards() => return None,
                Some(pattern) => {
                    let origin = self.origin(request.comm, &pattern);
                    format!("a message {origin}{}", with_room(Some(Room::of(buffer))))
                }
                None => format!("a message{}", with_room(Some(Room::of(buffer)))),
            },
            Activity::Filling { received, wanted, .. } => {
                format!("a message of which {received} of {wanted} bytes are here")
            }
            Activity::Arriving { buffer } => format!(
                "a message for a buffer of {} bytes, of which some are here",
                buffer.bytes()
            ),
            Activity::Deferred => "a send that waits for queue space".into(),
            Activity::Announced { to, buffer, tag } => format!(
                "a send of {} bytes to {}{}, which has not received it",
                buffer.bytes(),
                self.destination(request.comm, *to),
                tag.map_or(String::new(), |tag| format!(", tag {tag}"))
            ),
            Activity::Streaming { to, sent, wanted, .. } => format!(
                "a send to {}, {sent} of {wanted} bytes gone",
                self.destination(request.comm, *to)
            ),
            Activity::Collective => {
                let on = format!("a collective operation on {}", self.name_of(request.comm));
                let comm = self.comms.get(request.comm).ok();
                match comm.and_then(|comm| comm.collectives.latest()) {
                    Some(latest) => format!("{on}, which has begun {latest} last"),
                    None => on,
                }
            }
            Activity::File(what) => what.to_string(),
            Activity::Flushing => "buffered messages that have not left".into(),
            Activity::Access => "an access to another host's memory".into(),
            Activity::Generalized(_) => "an operation that the program performs itself".into(),
            Activity::Compound(compound) => return self.compound(request, &compound.role),
            Activity::Done => return None,
        })
    }

    /// Returns the process that a request waits for, if it is a single one.
    fn peer(&self, request: &Request) -> Option<u32> {
        match &request.activity {
            Activity::Announced { to, .. } | Activity::Streaming { to, .. } => Some(*to),
            // Only this process can mark the missing partitions ready.
            Activity::Compound(compound) if matches!(compound.role, Role::Partitions { .. }) => {
                let comm = self.comms.get(request.comm).ok()?;
                comm.group.processes().get(comm.rank as usize).copied()
            }
            _ => request.expected,
        }
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

    /// Names process `to` by its rank in `comm`.
    fn destination(&self, comm: handle::Comm, to: u32) -> String {
        let rank = self
            .comms
            .get(comm)
            .ok()
            .and_then(|comm| comm.all_destinations().iter().position(|&process| process == to));
        match rank {
            Some(rank) => format!("rank {rank} of {}", self.name_of(comm)),
            None => format!("process {to} of the job"),
        }
    }

    fn name_of(&self, comm: handle::Comm) -> String {
        self.comms.get(comm).ok().map_or_else(|| format!("communicator {:#x}", comm.0), Comm::shown)
    }
}

/// Returns what a receive has room for, as the end of a sentence.
fn with_room(room: Option<Room>) -> String {
    room.map_or_else(String::new, |room| format!(", room for {room}"))
}

/// Returns whether a call waits or tests for nothing but requests for messages.
fn waits_for_requests(call: &str) -> bool {
    let call = call.trim_end_matches("_c");
    matches!(
        call,
        "MPI_Recv"
            | "MPI_Send"
            | "MPI_Ssend"
            | "MPI_Rsend"
            | "MPI_Sendrecv"
            | "MPI_Sendrecv_replace"
            | "MPI_Wait"
            | "MPI_Waitall"
            | "MPI_Waitany"
            | "MPI_Waitsome"
            | "MPI_Test"
            | "MPI_Testall"
            | "MPI_Testany"
            | "MPI_Testsome"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lane(awaits: Option<&str>) -> OtherLane {
        OtherLane {
            awaits: awaits.map(str::to_owned),
            kept: vec!["kept".into()],
            parts: vec![("a message".into(), Some(3))],
            waits_since: None,
            is_idle: true,
            may_meet: false,
            finalizes: false,
        }
    }

    #[test]
    fn a_process_is_idle_only_if_all_its_lanes_are() {
        let others = |change: fn(&mut OtherLane), are_partial| {
            let mut lanes = vec![lane(None), lane(Some("another thread waits"))];
            change(&mut lanes[1]);
            OtherLanes { lanes, are_partial, ..OtherLanes::default() }
        };
        let all = others(|_| {}, false);
        assert!(all.are_idle(true) && OtherLanes::default().are_idle(true));
        assert_eq!(all.lines().collect::<Vec<_>>(), ["kept", "another thread waits", "kept"]);
        assert!(!others(|_| {}, true).are_idle(false), "another thread was in a lane");
        assert!(!others(|lane| lane.is_idle = false, false).are_idle(false));
        let meets = others(|lane| lane.may_meet = true, false);
        assert!(meets.are_idle(false), "the only thread waits elsewhere");
        assert!(!meets.are_idle(true), "a thread may wait for another job");
    }

    #[test]
    fn requests_of_all_lanes_decide_for_whom_a_call_waits() {
        let (comms, core) = (Communicators::new(), Core::new());
        let awaited = Awaited { comms: &comms, core: &core };
        let mut others = OtherLanes { lanes: vec![lane(None), lane(None)], ..Default::default() };
        let told = awaited.in_call("MPI_Waitany", &others);
        let text = ": 2 requests not complete: a message; a message";
        assert_eq!(told, (text.to_owned(), Some(3), true));
        others.lanes[1].parts[0].1 = Some(4);
        assert!(!awaited.in_call("MPI_Waitany", &others).2, "two processes can end the call");
        others.lanes[1].parts[0].1 = None;
        assert!(!awaited.in_call("MPI_Waitany", &others).2, "any process can end the call");
    }
}
