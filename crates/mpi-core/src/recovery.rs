//! Going on after processes have died (User-Level Failure Mitigation): revoking communicators,
//! acknowledging failures, agreeing, and shrinking.
//!
//! The launcher tells of deaths (`nemesis::Endpoint::handle_deaths`). What waits for a dead process
//! ends in `protocol::loss`; what ends because of a communicator that contains it, here
//! ([`Engine::process_died`]). Collective operations look for lost members themselves.
//!
//! | module | subject |
//! |---|---|
//! | this one | revoking, acknowledging, what a death ends; carrying out agreements |
//! | `kept_decisions` | how long decisions of agreements by messages are kept; its proof |
//! | `agreements` | the agreements of this process, their messages, and segments |
//! | `agreement` | the algorithm of an agreement by messages, without input and output; its proof |
//! | `nemesis::agreement_segment` | agreements of processes on one node; their proof |
//!
//! *Revoking.* A revoked communicator has no destinations, so that the paths of messages, the fast
//! ones, too, look no further than for a rank that does not exist. Whoever learns of the revocation
//! first tells its neighbours in a graph in which every member has two for each power of two, so
//! that it reaches all living members although some die meanwhile; if a member is known to be dead,
//! it tells all.
//!
//! *Agreements* of a communicator are numbered, and the next one begins when the one before has its
//! decision here. Who contributes to one has thus the decision of the one before, which nobody
//! needs any more. The decision of the last one is kept while the communicator lives, and after
//! that until all living members have it (`kept_decisions`).
//!
//! *Agreement segments.* The processes of a communicator that have a collective segment make an
//! agreement segment, too (`nemesis-mpi-coll`). Whether each of them has joined it is a part of
//! what they agree on by messages; if so, the next agreement and all later ones use it.

use crate::abi;
use crate::agreement::{Agreement, Message, Out, Set, Value};
pub use crate::agreements::Purpose;
use crate::agreements::{
    ASK, Agreements, Arrived, CONTRIBUTE, Course, ENDED, JOINED, Membership, Name, OwnSegment,
    QUESTION, Running, UP, WORDS, contribution, contribution_words, decision_on, decode, encode,
    hear, name_in, number_of, quiet_flag, segment_number,
};
use crate::comm::Comm;
use crate::completion;
use crate::context::{Class, Context};
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::handle;
use crate::packet::kind;
use crate::peer_failure;
use crate::protocol::{Core, Layers, Task};
use crate::request::{Activity, Holder, Request};
use crate::scratch::scratch_packed;
use nemesis::agreement_segment::{MappedAgreementSegment, bytes_for};
use nemesis::wire::Header;
use nemesis::{Block, Endpoint};
use nemesis_datatype::Buffer;
use nemesis_sys::mutation::{self, Mutation};
use std::cell::Cell;
use std::sync::Arc;

impl Engine {
    /// Ends what waits for a process that has died in communicators that contain it, in a job that
    /// goes on: receives from any source, and collective operations. Agreements go on without it.
    #[cold]
    pub(crate) fn process_died(&mut self, process: u32) {
        let comms = if peer_failure::is_tolerant() { self.comms.handles() } else { Vec::new() };
        for comm in comms {
            if self.comms.get(comm).is_ok_and(|comm| comm.everyone().contains(&process)) {
                self.interrupt(comm, process);
                (self.hooks.collectives.close)(self, comm);
                (self.hooks.close)(self, comm);
            }
        }
        let mut running = std::mem::take(&mut self.pt2pt.core.agreements.running);
        for one in &mut running {
            let Some(member) = one.members.iter().position(|&member| member == process) else {
                continue;
            };
            self.step(one, |course, out, draw| {
                if let Course::Messages(agreement) = course {
                    agreement.lose(member, out, draw);
                }
            });
        }
        self.put_back(running);
        let kept = &mut self.pt2pt.core.agreements.kept;
        kept.iter_mut().for_each(|freed| freed.awaited.retain(|&awaited| awaited != process));
        self.forget_decisions();
    }

    /// Interrupts the receives from any source on a communicator, because a process has died that
    /// could be the source.
    fn interrupt(&mut self, comm: handle::Comm, process: u32) {
        let core = &mut self.pt2pt.core;
        let waits = |request: &Request| {
            request.comm == comm
                && request.expected.is_none()
                && matches!(request.activity, Activity::Posted { .. })
        };
        let started: Vec<handle::Request> = core
            .requests
            .named()
            .filter_map(|(_, request)| request.persistent.as_ref()?.operation)
            .collect();
        let waiting: Vec<handle::Request> = core
            .requests
            .named()
            .filter(|(_, request)| waits(request))
            .map(|(handle, _)| handle)
            .collect();
        for handle in waiting {
            let Ok(request) = core.requests.get_mut(handle) else { continue };
            // A part of another operation, and the operation of a persistent request, end.
            if matches!(request.holder, Holder::Handle) && !started.contains(&handle) {
                request.interrupted = true;
                core.finished += 1;
            } else {
                core.fail(handle, peer_failure::error(process, "it has died"));
            }
        }
    }

    /// Returns the failed processes of a communicator, in the order in which this process has
    /// learnt of them.
    pub fn failed_in(&self, comm: handle::Comm) -> Outcome<Vec<u32>> {
        let everyone = self.comm(comm)?.everyone();
        let lost = self.pt2pt.core.losses.processes();
        Ok(lost.filter(|process| everyone.contains(process)).collect())
    }

    /// Acknowledges the first `count` failures of a communicator, and returns how many are
    /// acknowledged: receives from any source, and agreements, go on.
    pub fn acknowledge(&mut self, comm: handle::Comm, count: usize) -> Outcome<usize> {
        let failed = self.failed_in(comm)?;
        let object = self.comm_mut(comm)?;
        let count = count.min(failed.len()).max(object.acked.len().min(failed.len()));
        object.acked = failed[..count].to_vec();
        if count == failed.len() {
            let core = &mut self.pt2pt.core;
            let interrupted: Vec<handle::Request> = core
                .requests
                .named()
                .filter(|(_, request)| request.comm == comm && request.interrupted)
                .map(|(handle, _)| handle)
                .collect();
            for handle in interrupted {
                if let Ok(request) = core.requests.get_mut(handle) {
                    request.interrupted = false;
                }
            }
        }
        Ok(count)
    }

    /// Revokes a communicator, and tells its other processes.
    #[cold]
    pub fn revoke(&mut self, comm: handle::Comm) -> Outcome {
        if self.comm(comm)?.is_revoked() {
            return Ok(());
        }
        let object = self.comm_mut(comm)?;
        object.revoke();
        let (context, members) = (object.context.class(Class::PointToPoint).0, object.in_order());
        self.comms.cache.forget(comm);
        self.pt2pt.core.losses.note_revoked();
        self.end_requests_of(comm);
        (self.hooks.collectives.close)(self, comm);
        self.tell_revoked(context, &members);
        Ok(())
    }

    fn tell_revoked(&mut self, context: u64, members: &[u32]) {
        let own = self.pt2pt.own_process();
        let Some(me) = members.iter().position(|&member| member == own) else { return };
        let size = members.len();
        let losses = &self.pt2pt.core.losses;
        let all_live = !members.iter().any(|&member| losses.contains(member));
        let is_neighbour = |&other: &usize| {
            let distance = (other + size - me) % size;
            !all_live || distance.is_power_of_two() || (size - distance).is_power_of_two()
        };
        let told: Vec<u32> = (0..size)
            .filter(|&other| other != me && !losses.contains(members[other]))
            .filter(is_neighbour)
            .map(|other| members[other])
            .collect();
        for to in told {
            let header = Header { kind: kind::REVOKE, context, ..Header::default() };
            self.pt2pt.send_control(to, header, [0; 3]);
        }
    }

    /// Fails the operations that are under way on a communicator, which is revoked. Collective ones
    /// notice by themselves. An operation whose memory another process may use ends with that: an
    /// announced message when its receiver has forgotten or taken it.
    fn end_requests_of(&mut self, comm: handle::Comm) {
        self.pt2pt.core.continue_all_as_requests();
        let ends = |request: &Request| {
            matches!(
                &request.activity,
                Activity::Deferred
                    | Activity::Announced { .. }
                    | Activity::Streaming { .. }
                    | Activity::Posted { .. }
                    | Activity::Filling { .. }
            )
        };
        let requests: Vec<handle::Request> = self
            .pt2pt
            .core
            .requests
            .named()
            .filter(|(_, request)| request.comm == comm && ends(request))
            .map(|(handle, _)| handle)
            .collect();
        for handle in requests {
            self.pt2pt.withdraw_outgoing(handle);
            let Ok(request) = self.pt2pt.core.requests.get_mut(handle) else { continue };
            if !request.activity.lets_others_use_memory() {
                self.pt2pt.core.fail(handle, peer_failure::revoked());
                continue;
            }
            request.completion.error = Some(peer_failure::revoked());
            if let Activity::Announced { to, .. } = request.activity {
                self.pt2pt.withdraw_announced(handle, to);
            }
        }
        self.pt2pt.forget_matched(comm);
        self.pt2pt.core.recount_partial_copies();
    }

    /// Marks a new communicator revoked whose revocation has arrived before it existed here.
    pub(crate) fn note_new_comm(&mut self, comm: handle::Comm) {
        if self.pt2pt.core.agreements.revoked.is_empty() {
            return;
        }
        let Ok(object) = self.comm(comm) else { return };
        let context = object.context.class(Class::PointToPoint).0;
        let revoked = &mut self.pt2pt.core.agreements.revoked;
        if let Some(place) = revoked.iter().position(|&revoked| revoked == context) {
            revoked.swap_remove(place);
            // The handle is valid, and the others know.
            let _ = self.revoke(comm);
        }
    }

    /// Handles the packets of revocations and agreements that have arrived.
    #[cold]
    pub(crate) fn recover(&mut self) {
        while !self.pt2pt.core.agreements.inbox.is_empty() {
            for arrived in std::mem::take(&mut self.pt2pt.core.agreements.inbox) {
                match arrived.header.kind {
                    kind::REVOKE => self.hear_of_revocation(arrived.header.context),
                    _ => self.hear_of_agreement(arrived),
                }
            }
        }
    }

    fn hear_of_revocation(&mut self, context: u64) {
        let is_it = |handle: &handle::Comm| {
            self.comms
                .get(*handle)
                .is_ok_and(|comm| comm.context.class(Class::PointToPoint).0 == context)
        };
        match self.comms.handles().into_iter().find(is_it) {
            // The handle is valid.
            Some(comm) => _ = self.revoke(comm),
            None => {
                let Agreements { revoked, freed, .. } = &mut self.pt2pt.core.agreements;
                if !revoked.contains(&context) && !freed.contains(&context) {
                    revoked.push(context);
                }
            }
        }
    }

    /// Begins an agreement on a communicator. Returns its request.
    pub fn begin_agreement(
        &mut self,
        comm: handle::Comm,
        flag: u64,
        purpose: Purpose,
    ) -> Outcome<handle::Request> {
        let last = self.last_in_meetings(comm)?;
        let object = self.comm_mut(comm)?;
        object.agreements = object.agreements.max(last) + 1;
        let number = object.agreements;
        let (context, members) = (object.context.class(Class::PointToPoint).0, object.in_order());
        let (acked, membership) = (object.acked.clone(), object.membership.clone());
        self.begin_among(comm, (context, number), (members, membership), (flag, &acked), purpose)
    }

    /// Returns the number of the last agreement in the context of a communicator that meetings have
    /// again and again (`Context::meeting`); 0 for another one.
    fn last_in_meetings(&self, comm: handle::Comm) -> Outcome<i32> {
        let object = self.comm(comm)?;
        if !object.context.is_of_nobody() {
            return Ok(0);
        }
        let context = object.context.class(Class::PointToPoint).0;
        let members = self.members_number(&object.in_order());
        let last = self.pt2pt.core.agreements.decided.get(&(context, members));
        Ok(last.map_or(0, |(number, _)| *number))
    }

    /// Returns the number of the members of a communicator that names its agreements. Each job has
    /// numbers of its own for the processes of others. A context of several jobs is drawn at random
    /// and belongs to one communicator.
    pub(crate) fn members_number(&self, members: &[u32]) -> u64 {
        match self.spans_jobs(members) {
            true => members.len() as u64,
            false => number_of(members),
        }
    }

    /// Begins an agreement of all processes of the job at the end of MPI.
    pub fn begin_last_agreement(&mut self, size: u32) -> Outcome<handle::Request> {
        let context = Context::finalization().class(Class::PointToPoint).0;
        let members: Arc<[u32]> = (0..size).collect();
        let lost: Vec<u32> = self.pt2pt.core.losses.processes().collect();
        let begun = (context, 1);
        self.begin_among(abi::MPI_COMM_WORLD, begun, (members, None), (!0, &lost), Purpose::Meet)
    }

    fn begin_among(
        &mut self,
        comm: handle::Comm,
        (context, number): (u64, i32),
        (members, membership): (Arc<[u32]>, Option<Arc<Membership>>),
        (flag, acked): (u64, &[u32]),
        purpose: Purpose,
    ) -> Outcome<handle::Request> {
        let own = self.pt2pt.own_process();
        let me = members.iter().position(|&member| member == own).ok_or_else(|| {
            Error::new(abi::MPI_ERR_COMM, "the calling process is not in the communicator")
        })?;
        let size = members.len();
        let bytes = 8 * (WORDS + 3 * size.div_ceil(64));
        if bytes > nemesis::PACKET_MAX_BYTES {
            let why = format!("{size} processes are too many for an agreement");
            return Err(Error::new(abi::MPI_ERR_UNSUPPORTED_OPERATION, why)
                .advise("agree on communicators of fewer processes"));
        }
        let acked = Set::of(&members, |process| acked.contains(&process));
        let value = Value { flag, failed: Set::none(size), acked, drawn: 0 };
        let of_members = self.members_number(&members);
        let name = Name { context, members: of_members, number };
        let request = self.pt2pt.new_request(Request::new(comm, Activity::Collective))?;
        let course = Course::Waits;
        let one =
            Running { name, members, me, course, membership, own: value, purpose, comm, request };
        let agreements = &mut self.pt2pt.core.agreements;
        let waits = agreements.running.iter().any(|other| other.name.is_of_same(name));
        agreements.running.push(one);
        if !waits {
            self.begin_next(name);
        }
        Ok(request)
    }

    /// Begins the first agreement of a communicator that has not begun.
    fn begin_next(&mut self, of: Name) {
        let is_next =
            |one: &Running| one.name.is_of_same(of) && matches!(one.course, Course::Waits);
        let mut running = std::mem::take(&mut self.pt2pt.core.agreements.running);
        if let Some(one) = running.iter_mut().find(|one| is_next(one)) {
            let (size, losses) = (one.members.len(), &self.pt2pt.core.losses);
            let dead = Set::of(&one.members, |process| losses.contains(process));
            if one.membership.is_none() {
                one.membership = self.comm(one.comm).ok().and_then(|comm| comm.membership.clone());
            }
            let (me, mut own, name) = (one.me, one.own.clone(), one.name);
            let membership = one.membership.clone();
            own.flag = own.flag & !JOINED | if membership.is_some() { JOINED } else { 0 };
            self.step(one, |course, out, draw| {
                *course = match membership.filter(|membership| membership.all_have_joined()) {
                    None => {
                        Course::Messages(Agreement::begin(me, size, dead, own, out, draw).into())
                    }
                    Some(membership) => {
                        own.failed = dead;
                        own.drawn = draw();
                        let number = segment_number(name.number);
                        membership.segment.contribute(number, contribution(&own));
                        Course::Segment { heard: 0 }
                    }
                };
            });
            if let (Course::Segment { .. }, Some(endpoint)) = (&one.course, &self.pt2pt.endpoint) {
                ring(endpoint, &one.members, one.me);
                self.pt2pt.core.upper.busy.set(Layers::AGREEMENTS, true);
            }
            let agreements = &mut self.pt2pt.core.agreements;
            let is_its = |arrived: &mut Arrived| name_in(arrived) == Some(name);
            let its: Vec<Arrived> = agreements.early.extract_if(.., is_its).collect();
            if !its.is_empty() {
                agreements.inbox.extend(its);
                self.pt2pt.core.tasks.push_back(Task::Recover);
            }
        }
        self.put_back(running);
    }

    /// Lets an agreement act, and sends what follows.
    fn step(
        &mut self,
        one: &mut Running,
        act: impl FnOnce(&mut Course, &mut Out, &mut dyn FnMut() -> u64),
    ) {
        let (mut out, is_shrink) = (Vec::new(), matches!(one.purpose, Purpose::Shrink { .. }));
        let mut draw = || match is_shrink {
            // No communicator has context 0; the members fail then.
            true => self.draw_context().map_or(0, |context| context.0),
            false => 0,
        };
        act(&mut one.course, &mut out, &mut draw);
        for (member, message) in out {
            let (header, payload) = encode(one.name, &message);
            self.pt2pt.send_bytes(one.members[member], header, payload);
        }
    }

    /// Puts agreements back after they have acted, and concludes those that have a decision.
    fn put_back(&mut self, mut running: Vec<Running>) {
        running.append(&mut self.pt2pt.core.agreements.running);
        let (mut done, mut rest) = (Vec::new(), Vec::new());
        for one in running {
            match one.decision() {
                Some(value) => done.push((one, value)),
                None => rest.push(one),
            }
        }
        let in_segment = |one: &Running| matches!(one.course, Course::Segment { .. });
        self.pt2pt.core.upper.busy.set(Layers::AGREEMENTS, rest.iter().any(in_segment));
        self.pt2pt.core.agreements.running = rest;
        for (one, value) in done {
            self.conclude(one, value);
        }
    }

    /// Continues the agreements in agreement segments.
    #[cold]
    pub(crate) fn advance_segments(&mut self) {
        let mut running = std::mem::take(&mut self.pt2pt.core.agreements.running);
        let losses = &self.pt2pt.core.losses;
        running.iter_mut().for_each(|one| one.hear(|process| losses.contains(process)));
        self.put_back(running);
    }

    /// Returns whether an agreement in an agreement segment can go on.
    pub(crate) fn have_segment_news(&self) -> bool {
        self.pt2pt.core.agreements.running.iter().any(Running::has_news)
    }

    /// Returns memory for the agreement segment of a communicator of this many members.
    pub fn allocate_segment(&mut self, members: usize) -> Option<Block> {
        let memory = self.memory.as_mut().filter(|memory| memory.is_spare())?;
        memory.allocate(bytes_for(members as u32, contribution_words(members)), 1).ok()
    }

    /// Joins the agreement segment of a communicator as member `me`, which the first of `members`
    /// has allocated at `offset` of its heap. `block` is the memory at that one.
    pub fn join_segment(
        &mut self,
        comm: handle::Comm,
        (members, me): (&Arc<[u32]>, u32),
        offset: u64,
        block: Option<Block>,
    ) -> Outcome {
        let (size, words) = (members.len() as u32, contribution_words(members.len()));
        let shared = match &block {
            Some(block) => Some(block.shared.clone()),
            None => self
                .memory
                .as_ref()
                .and_then(|memory| memory.map(members[0], offset, bytes_for(size, words)).ok()),
        };
        let segment = shared.map(|shared| MappedAgreementSegment::new(shared, size, me, words));
        if let (Some(block), Some(segment)) = (block, &segment) {
            let (segment, members) = (segment.clone(), members.clone());
            self.pt2pt.core.agreements.segments.push(OwnSegment { segment, block, members });
        }
        self.comm_mut(comm)?.membership = segment.map(|segment| Arc::new(Membership::new(segment)));
        Ok(())
    }

    /// Frees the agreement segments that all living members have left.
    pub fn free_segments(&mut self) {
        let Engine { memory: Some(memory), pt2pt, .. } = self else { return };
        let losses = &pt2pt.core.losses;
        let is_left = |own: &mut OwnSegment| {
            own.segment.have_all_left(|member| losses.contains(own.members[member as usize]))
        };
        for own in pt2pt.core.agreements.segments.extract_if(.., is_left) {
            memory.free(own.block);
        }
    }

    /// Handles a message of an agreement.
    fn hear_of_agreement(&mut self, arrived: Arrived) {
        match arrived.header.flags {
            QUESTION => return self.answer_who_has_decisions(&arrived),
            ENDED => return self.note_who_has_decisions(&arrived),
            _ => {}
        }
        let Some(name) = name_in(&arrived) else { return };
        let Agreements { decided, early, running, freed, .. } = &mut self.pt2pt.core.agreements;
        match decided.get(&name.key()) {
            Some((known, value)) if *known == name.number => {
                if matches!(arrived.header.flags, CONTRIBUTE | UP | ASK) {
                    let ballot = arrived.header.rank as usize;
                    let answer = Message::Decide { ballot, down: false, value: value.clone() };
                    let (header, payload) = encode(name, &answer);
                    self.pt2pt.send_bytes(arrived.from, header, payload);
                }
                return;
            }
            // All members have its decision.
            Some((known, _)) if known.wrapping_sub(name.number) > 0 => return,
            _ => {}
        }
        let has_begun =
            |one: &mut Running| one.name == name && matches!(one.course, Course::Messages(_));
        let Some(mut one) = running.extract_if(.., has_begun).next() else {
            // One of a communicator that is freed has come late.
            if !freed.contains(&name.context) || running.iter().any(|one| one.name == name) {
                early.push(arrived);
            }
            return;
        };
        let from = one.members.iter().position(|&member| member == arrived.from);
        let message = decode(&arrived.header, &arrived.payload, one.members.len());
        if let (Some(from), Some(message)) = (from, message) {
            self.step(&mut one, |course, out, draw| {
                if let Course::Messages(agreement) = course {
                    agreement.take(from, message, out, draw);
                }
            });
        }
        self.put_back(vec![one]);
    }

    /// Ends an agreement that has a decision.
    fn conclude(&mut self, one: Running, value: Value) {
        let Running { name, members, course, membership, own, purpose, comm, request, .. } = one;
        let agreements = &mut self.pt2pt.core.agreements;
        if let Course::Messages(_) = course {
            agreements.decided.insert(name.key(), (name.number, value.clone()));
        }
        if let Some(membership) = membership.filter(|_| value.flag & JOINED != 0) {
            membership.note_all_joined();
            for next in agreements.running.iter_mut().filter(|next| next.name.is_of_same(name)) {
                next.membership.get_or_insert_with(|| membership.clone());
            }
        }
        let concluded = match purpose {
            Purpose::Meet => Ok(()),
            Purpose::Agree(place) => {
                let unheard = match course {
                    Course::Messages(_) => Mutation::MessagesUnheard,
                    _ => Mutation::SegmentUnheard,
                };
                let flag = if mutation::strikes(unheard) { own.flag } else { value.flag };
                place.unpack_at(0, &(flag as u32).to_ne_bytes());
                unacknowledged(&value, &members)
            }
            Purpose::Hear { place, by } => {
                let flag = if value.failed.has(by as usize) { 0 } else { value.flag as u32 };
                place.unpack_at(0, &flag.to_ne_bytes());
                Ok(())
            }
            Purpose::Shrink { new, group, remote, leads } => {
                self.shrink(new, (group, remote, leads), &value, &members)
            }
        };
        match concluded {
            Ok(()) => self.pt2pt.core.finish(request),
            Err(error) => self.pt2pt.core.fail(request, error.on(comm)),
        }
        self.begin_next(name);
    }

    /// Makes the communicator of the members that have not failed.
    fn shrink(
        &mut self,
        new: handle::Comm,
        (group, remote, leads): (Group, Option<Group>, bool),
        value: &Value,
        members: &[u32],
    ) -> Outcome {
        if value.drawn == 0 {
            let why = "the process that leads the creation has no context left, or is in another \
                       function, such as MPIX_Comm_agree";
            return Err(Error::new(abi::MPI_ERR_OTHER, why)
                .advise("call the same agreements in the same order at all living processes"));
        }
        let lives = |process: &u32| {
            let member = members.iter().position(|member| member == process);
            member.is_some_and(|member| !value.failed.has(member))
        };
        let living = |group: &Group| {
            let processes = group.processes().iter().copied().filter(lives).collect();
            Group::new(processes).owned_by(group.owner())
        };
        let (context, own) = (Context(value.drawn), living(&group));
        let rank = self.rank_in(&own)?;
        let mut made = match remote {
            None => Comm::new(context, rank, own, ""),
            Some(remote) => Comm::between(context, rank, own, living(&remote), leads),
        };
        made.made_by = SHRINK;
        if let Some(pending) = self.comms.pending_mut(new) {
            *pending = made;
        }
        Ok(())
    }

    /// Begins to make a communicator of the living processes of another one. Returns its handle,
    /// which may be used when the request is complete.
    pub fn begin_shrink(&mut self, comm: handle::Comm) -> Outcome<(handle::Comm, handle::Request)> {
        let object = self.comm(comm)?;
        let (group, remote, leads) =
            (object.group.clone(), object.remote().cloned(), object.leads());
        let mut draft = object.twin(Comm::UNNAMED);
        draft.made_by = SHRINK;
        let new = self.add_pending_comm(comm, draft)?;
        match self.begin_agreement(comm, !0, Purpose::Shrink { new, group, remote, leads }) {
            Ok(request) => {
                self.set_pending_request(new, request);
                Ok((new, request))
            }
            Err(error) => {
                self.free_comm(new)?;
                Err(error)
            }
        }
    }
}

/// The function that makes communicators of living processes.
const SHRINK: &str = "MPIX_Comm_shrink";

/// Fails if a member has failed whose failure not all others have acknowledged.
fn unacknowledged(value: &Value, members: &[u32]) -> Outcome {
    if value.failed.is_within(&value.acked) {
        return Ok(());
    }
    let is_it =
        |(member, _): &(usize, &u32)| value.failed.has(*member) && !value.acked.has(*member);
    let process = members.iter().enumerate().find(is_it).map_or(0, |(_, process)| *process);
    let why = format!(
        "process {process} of the job has failed, and not all others have acknowledged that; the \
         flag is the one on which all have agreed"
    );
    Err(Error::new(abi::MPIX_ERR_PROC_FAILED, why).advise(
        "acknowledge failures by MPIX_Comm_ack_failed, or leave out the failed ones by \
         MPIX_Comm_shrink",
    ))
}

/// Polls of an agreement segment before other messages are polled, as in a collective segment.
const SPINS: u32 = 400;
/// Yields of a process that shares its processor before it polls anything else.
const YIELDS: u32 = 4;

/// Wakes the other members, which may wait for this one's contribution in an agreement segment.
fn ring(endpoint: &Endpoint, members: &[u32], me: usize) {
    for (member, &process) in members.iter().enumerate() {
        if member != me {
            endpoint.ring(process);
        }
    }
}

/// Agrees on a flag in the agreement segment of a communicator, without a request. Returns `None`
/// if the agreement is to take the general way, which other members need not take: not all members
/// use the segment, or another agreement has not ended.
fn agree_in_segment(mpi: &mut Mpi, comm: handle::Comm, flag: u64) -> Outcome<Option<Value>> {
    let core = &mpi.pt2pt.core;
    let object = mpi.comm(comm)?;
    let Some(membership) =
        object.membership.as_ref().filter(|membership| membership.all_have_joined())
    else {
        return Ok(None);
    };
    if !core.agreements.running.is_empty() {
        return Ok(None);
    }
    let (mut failed, mut acked) = (Set::default(), Set::default());
    if !core.losses.is_empty() {
        let all = object.group.processes();
        failed = Set::of(all, |process| core.losses.contains(process));
        acked = Set::of(all, |process| object.acked.contains(&process));
    }
    let (membership, members, me) = (membership.clone(), object.group.list(), object.rank as usize);
    let object = mpi.comm_mut(comm)?;
    object.agreements += 1;
    let number = segment_number(object.agreements);
    let sets = failed.words().iter().chain(acked.words()).copied().chain(std::iter::repeat(0));
    let words = [flag, 0].into_iter().chain(sets).take(contribution_words(members.len()));
    membership.segment.contribute(number, words);
    let mut shares_processors = false;
    if let Some(endpoint) = &mpi.pt2pt.endpoint {
        shares_processors = endpoint.shares_processors();
        ring(endpoint, &members, me);
    }
    let heard = Cell::new(0);
    let hears = |core: Option<&Core>| {
        let mut so_far = heard.get();
        let is_dead = |process| core.is_some_and(|core| core.losses.contains(process));
        let all = hear((&membership.segment, number), &members, &mut so_far, is_dead);
        heard.set(so_far);
        all
    };
    let turns = if shares_processors { YIELDS } else { SPINS };
    let have_spoken = (0..turns).any(|_| {
        let all = hears(None);
        if !all && shares_processors {
            mpi.aside(nemesis::yield_now);
        }
        all
    });
    if !have_spoken {
        let before = Cell::new(0);
        let found = || {
            hears(None);
            before.replace(heard.get()) != heard.get()
        };
        mpi.wait_until_found(None, found, |mpi| {
            let all = hears(Some(&mpi.pt2pt.core));
            before.set(heard.get());
            all
        });
    }
    let quiet =
        quiet_flag(&membership.segment, number).map(|flag| Value { flag, ..Value::default() });
    Ok(Some(quiet.unwrap_or_else(|| decision_on(&membership.segment, number))))
}

/// Agrees on a flag (`MPIX_Comm_agree`), and waits for it. Returns the flag, and whether all
/// failures are acknowledged.
pub fn agree(mpi: &mut Mpi, comm: handle::Comm, flag: u32) -> Outcome<(u32, Outcome)> {
    if let Some(value) = agree_in_segment(mpi, comm, flag.into())? {
        let members = mpi.comm(comm)?.group.list();
        let acknowledged = unacknowledged(&value, &members).map_err(|error| error.on(comm));
        let unheard = mutation::strikes(Mutation::SegmentUnheard);
        return Ok((if unheard { flag } else { value.flag as u32 }, acknowledged));
    }
    let place = scratch_packed(size_of::<u32>())?;
    let mut request = mpi.begin_agreement(comm, flag.into(), Purpose::Agree(place.clone()))?;
    mpi.perform_pending();
    let ended = completion::wait(mpi, &mut request).map(drop);
    match &ended {
        Err(error) if error.class != abi::MPIX_ERR_PROC_FAILED => ended.map(|()| (0, Ok(()))),
        _ => Ok((word_in(&place), ended)),
    }
}

/// Returns the flag in a buffer of an agreement.
fn word_in(place: &Buffer) -> u32 {
    let mut bytes = [0; size_of::<u32>()];
    place.pack_at(0, &mut bytes);
    u32::from_ne_bytes(bytes)
}

/// Makes a communicator of the living processes of another one (`MPIX_Comm_shrink`).
pub fn shrink(mpi: &mut Mpi, comm: handle::Comm) -> Outcome<handle::Comm> {
    let (new, mut request) = mpi.begin_shrink(comm)?;
    mpi.perform_pending();
    completion::wait(mpi, &mut request)?;
    Ok(new)
}

/// Returns whether all members of a communicator live and say that something has worked: the same
/// at all of them.
#[cold]
pub fn has_worked(mpi: &mut Mpi, comm: handle::Comm, own: bool) -> Outcome<bool> {
    let (flag, all_live) = flag_of_living(mpi, comm, own)?;
    Ok(flag && all_live)
}

/// Returns whether all living members of a communicator say that something holds: the same at all
/// of them.
#[cold]
pub fn living_say(mpi: &mut Mpi, comm: handle::Comm, own: bool) -> Outcome<bool> {
    flag_of_living(mpi, comm, own).map(|(flag, _)| flag)
}

/// Returns whether all living members say so, and whether no failure is unacknowledged.
fn flag_of_living(mpi: &mut Mpi, comm: handle::Comm, own: bool) -> Outcome<(bool, bool)> {
    let (flag, acknowledged) = agree(mpi, comm, u32::from(own))?;
    Ok((flag != 0, acknowledged.is_ok()))
}

/// Returns whether all processes of a communicator agree in the end on what they do together,
/// because a process may die and the others go on ([`peer_failure::all_go_on`]).
pub fn agrees(engine: &Engine, comm: handle::Comm) -> bool {
    peer_failure::is_tolerant()
        && engine.comm(comm).is_ok_and(|comm| peer_failure::all_go_on(&comm.everyone()))
}

/// Makes something on a communicator of the program. In a job that goes on when a process dies, all
/// living members get it or none does, because its end takes all of them. `what` names it, and
/// `undo` gives it back.
pub fn at_all<T>(
    mpi: &mut Mpi,
    comm: handle::Comm,
    what: &str,
    make: impl FnOnce(&mut Mpi) -> Outcome<T>,
    undo: impl FnOnce(&mut Mpi, T) -> Outcome,
) -> Outcome<T> {
    let made = make(mpi);
    if !agrees(mpi, comm) {
        return made;
    }
    match (has_worked(mpi, comm, made.is_ok()), made) {
        (Ok(true), made) | (Ok(false), made @ Err(_)) => made,
        (agreed, Ok(made)) => {
            undo(mpi, made)?;
            agreed.and(Err(not_at_all(what)))
        }
        (Err(_), made) => made,
    }
}

/// Returns the error of a process that has made what another one could not make.
#[cold]
pub fn not_at_all(what: &str) -> Box<Error> {
    let why = format!("another process could not make the {what}, because a process has failed");
    Error::new(peer_failure::class(), why)
        .advise("make it on a communicator of the living, by MPIX_Comm_shrink")
}

/// Returns at all living members of a communicator what its member `by` says; false if that one
/// has failed.
#[cold]
fn said_by(mpi: &mut Mpi, comm: handle::Comm, by: u32, own: bool) -> Outcome<bool> {
    let says = own || mpi.comm(comm)?.rank != by;
    if let Some(value) = agree_in_segment(mpi, comm, says.into())? {
        return Ok(value.flag as u32 != 0 && !value.failed.has(by as usize));
    }
    let place = scratch_packed(size_of::<u32>())?;
    let purpose = Purpose::Hear { place: place.clone(), by };
    let mut request = mpi.begin_agreement(comm, says.into(), purpose)?;
    mpi.perform_pending();
    completion::wait(mpi, &mut request)?;
    Ok(word_in(&place) != 0)
}

/// Returns whether both of two groups have what they make together, the same at all living members.
/// `comm` is a communicator of this group, and `made` tells whether this process has it. The leader
/// gives `ask`, which tells the other group's leader whether this group has it, and hears the same.
///
/// If a leader dies in the end, its own group does not have it, and the other one may.
#[cold]
pub fn both_have(
    mpi: &mut Mpi,
    (comm, leader): (handle::Comm, u32),
    made: bool,
    ask: Option<impl FnOnce(&mut Mpi, bool) -> Outcome<bool>>,
) -> Outcome<bool> {
    // The other leader waits for an answer in any case.
    let ours = has_worked(mpi, comm, made).unwrap_or(false);
    let theirs = ask.is_none_or(|ask| ask(mpi, ours).unwrap_or(false));
    said_by(mpi, comm, leader, ours && theirs)
}

/// Returns when all living members of a communicator have called this function.
#[cold]
pub fn meet(mpi: &mut Mpi, comm: handle::Comm) -> Outcome {
    if agree_in_segment(mpi, comm, !0)?.is_some() {
        return Ok(());
    }
    let mut request = mpi.begin_agreement(comm, !0, Purpose::Meet)?;
    mpi.perform_pending();
    completion::wait(mpi, &mut request).map(drop)
}

/// Returns when all living processes of the job are inside `MPI_Finalize`.
pub fn meet_all(mpi: &mut Mpi) -> Outcome {
    let Some(size) = mpi.wireup.as_ref().map(|wireup| wireup.size()) else { return Ok(()) };
    let mut request = mpi.begin_last_agreement(size)?;
    mpi.perform_pending();
    completion::wait(mpi, &mut request).map(drop)
}
