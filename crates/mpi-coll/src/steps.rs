//! Steps: the interface by which builders describe an operation.
//!
//! A builder calls methods of [`Steps`] and does not know whether a step is recorded in a schedule,
//! which the progress engine runs once or many times, or performed at once. Blocking calls perform
//! steps at once: they record nothing, and the first message leaves before the second step is
//! built.
//!
//! On an intercommunicator, ranks are those of this process's group, so that builders of
//! intracommunicators work within each of the two groups. [`Steps::send_across`] and
//! [`Steps::receive_across`] name ranks of the other group.
//!
//! A receive that is performed at once is held back until the next step is known. If that step is a
//! wait, the receive needs no request: it is posted inline, like that of `MPI_Recv`.

use super::forced::{self, Forced, ForcedTable};
use super::grid::Grid;
use super::mismatch;
use super::nonblocking_segments;
use super::operator::{Operator, Reduction, SliceKernel, UserCall, call_user, kernel};
use super::rows::{self, Case, LimitsCache, Members, Row};
use super::schedule::{Pending, Schedule, Step};
use super::shm::{Delivery, NodeComm, Nodes, SharedNonblocking, ShmMembers, ShmOperation};
use super::site::Site;
use super::types::Types;
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::handle;
use crate::protocol::kind;
use crate::receive::{self, Wanted};
use nemesis::PacketHandler;
use nemesis::wire::Header;
use nemesis_datatype::Buffer;
use std::sync::Arc;

/// The steps of one operation, as they are written. Ranks are of the communicator's (local) group.
pub struct Steps<'a> {
    /// This process's rank and the size of its group.
    pub rank: u32,
    pub size: u32,
    /// The size of an intercommunicator's other group; 0 in an intracommunicator.
    pub remote_size: u32,
    schedule: &'a mut Schedule,
    /// Performs the steps; `None` if they are recorded.
    now: Option<&'a mut Mpi>,
    /// A receive that may be the last step before a wait.
    held: Option<(u32, Buffer)>,
    /// The members of the communicator's collective segments, if the steps are performed.
    shm_members: ShmMembers<'a>,
    /// The collective segment for steps that are recorded.
    later: Later<'a>,
    /// The algorithms that the communicator's info forces.
    forced: Option<&'a ForcedTable>,
    /// The limits that have been resolved for the communicator, if the steps are performed.
    limits: Option<&'a mut LimitsCache>,
    /// How the processes stand on nodes, if the steps are recorded and all processes know it.
    grid: Option<Grid>,
}

/// The collective segment of an operation whose steps are recorded.
pub enum Later<'a> {
    /// None: all processes send messages.
    Never,
    At(Site, &'a SharedNonblocking),
    /// A segment that is made for this operation.
    Made(Site, &'a mut Mpi),
}

impl<'a> Steps<'a> {
    /// Records steps in the schedule.
    pub fn noted(schedule: &'a mut Schedule, later: Later<'a>) -> Steps<'a> {
        Steps {
            rank: schedule.rank,
            size: schedule.size,
            remote_size: schedule.remote_size,
            schedule,
            now: None,
            held: None,
            shm_members: ShmMembers::None,
            later,
            forced: None,
            limits: None,
            grid: None,
        }
    }

    /// Performs steps at once. The schedule stays empty; it describes the operation's messages.
    pub fn performed(
        schedule: &'a mut Schedule,
        mpi: &'a mut Mpi,
        shm_members: ShmMembers<'a>,
    ) -> Steps<'a> {
        Steps {
            rank: schedule.rank,
            size: schedule.size,
            remote_size: schedule.remote_size,
            schedule,
            now: Some(mpi),
            held: None,
            shm_members,
            later: Later::Never,
            forced: None,
            limits: None,
            grid: None,
        }
    }

    /// Returns the steps of a communicator that forces algorithms.
    pub fn forcing(self, forced: Option<&'a ForcedTable>) -> Steps<'a> {
        Steps { forced, ..self }
    }

    /// Returns the steps of a communicator that keeps resolved limits.
    pub fn keeping(self, limits: &'a mut LimitsCache) -> Steps<'a> {
        Steps { limits: Some(limits), ..self }
    }

    /// Tells how the processes stand on nodes, if the steps are recorded.
    pub(crate) fn are_on(&mut self, grid: Option<Grid>) {
        self.grid = grid;
    }

    /// Returns how the processes stand on nodes: as nodes of one member each, unless all processes
    /// know more.
    pub fn grid(&self) -> Grid {
        self.case().grid().unwrap_or(Grid::apart(self.size))
    }

    /// Returns the index of the row that is chosen for a call of `bytes` bytes of the operation
    /// with the index `operation`.
    pub fn choose<'r>(
        &mut self,
        operation: usize,
        rows: impl ExactSizeIterator<Item = &'r Row>,
        case: &Case,
        bytes: usize,
    ) -> usize {
        match &mut self.limits {
            Some(limits) => limits.of(operation, rows, case).row(bytes),
            None => rows::choose(rows, case, bytes),
        }
    }

    /// Returns the forced algorithms of an operation.
    pub fn forced(&self, index: usize) -> &'a [Forced] {
        match self.forced {
            Some(forced) if !forced[index].is_empty() => &forced[index],
            _ => forced::of(index),
        }
    }

    /// Returns the node comm if all participants share a node and use a collective segment. Must be
    /// called before the first send or receive.
    #[inline]
    pub fn node_comm(&mut self) -> Option<(&mut NodeComm, &mut Mpi)> {
        match &mut self.shm_members {
            ShmMembers::NodeComm(node_comm) => Some((node_comm, self.now.as_mut()?)),
            _ => None,
        }
    }

    /// Returns the processes of an operation on an intracommunicator, by rank.
    pub fn processes(&self) -> &[u32] {
        self.schedule.processes()
    }

    /// Returns whether the steps are performed now, and not recorded.
    pub fn are_performed(&self) -> bool {
        self.now.is_some()
    }

    /// Notes that each participant is the only one of its node.
    pub fn are_apart(&mut self) {
        self.shm_members = ShmMembers::Apart;
    }

    /// Returns what the choice of an algorithm depends on.
    pub fn case(&self) -> Case {
        let members = match &self.shm_members {
            ShmMembers::NodeComm(node_comm) => Members::Node(node_comm.site()),
            ShmMembers::Nodes(nodes) => Members::Levels(nodes.hierarchy()),
            ShmMembers::Apart => Members::Grid(Grid::apart(self.size)),
            ShmMembers::None => match (self.later_site(), self.grid) {
                (Some(site), _) => Members::Recorded(site),
                (None, Some(grid)) => Members::Grid(grid),
                (None, None) => Members::None,
            },
        };
        Case {
            members,
            ranks: self.size,
            predefined: true,
            commutative: true,
            even: true,
            divisible: true,
        }
    }

    /// Returns what the choice of an algorithm for a reduction of `own` depends on.
    pub fn case_of(&self, reduction: Reduction, own: &Buffer) -> Case {
        let predefined = kernel(reduction.operator, own).is_some();
        let (commutative, divisible) = (reduction.commutative, own.count() >= self.size as usize);
        Case { predefined, commutative, divisible, ..self.case() }
    }

    /// Waits until all members of the node have announced that their data, of `bytes` bytes, come
    /// as messages. Members of which another one has another length get an error.
    pub fn agree(&mut self, bytes: usize) -> Outcome<Delivery> {
        if let Some((node_comm, mpi)) = self.node_comm()
            && node_comm.site().has_rings()
        {
            node_comm.agree(mpi, bytes)?;
        }
        Ok(Delivery::AsMessage)
    }

    /// Returns the node comm and the kernel of a predefined operator, if all participants share a
    /// node and use a collective segment. Must be called before the first send or receive.
    #[inline]
    pub fn reducing_node_comm<'b>(
        &mut self,
        reduction: Reduction,
        own: &'b Buffer,
    ) -> Option<(&mut NodeComm, &mut Mpi, SliceKernel<'b>)> {
        let kernel = kernel(reduction.operator, own)?;
        let (node_comm, mpi) = self.node_comm()?;
        Some((node_comm, mpi, kernel))
    }

    /// Returns the nodes if the participants pass data through levels. Must be called before the
    /// first send or receive.
    #[inline]
    pub fn nodes(&mut self) -> Option<(&mut Nodes, &mut Mpi, &Schedule)> {
        match &mut self.shm_members {
            ShmMembers::Nodes(nodes) => Some((nodes, self.now.as_mut()?, self.schedule)),
            _ => None,
        }
    }

    /// Returns the site of the collective segment if the steps are recorded.
    pub fn later_site(&self) -> Option<Site> {
        match &self.later {
            Later::Never => None,
            Later::At(site, _) | Later::Made(site, _) => Some(*site),
        }
    }

    /// Records a call in a collective segment as the first step and returns true, or returns false
    /// if there is no segment. All participants call this, and all get the same answer.
    pub fn shm_operation(&mut self, operation: ShmOperation) -> bool {
        let nonblocking = match std::mem::replace(&mut self.later, Later::Never) {
            Later::Never => None,
            Later::At(_, nonblocking) => Some(nonblocking.clone()),
            Later::Made(_, mpi) => nonblocking_segments::own(mpi, self.schedule.comm),
        };
        let Some(nonblocking) = nonblocking else { return false };
        self.schedule.nonblocking_at(nonblocking);
        self.schedule.push(Step::Shm(operation));
        true
    }

    #[inline]
    pub fn send(&mut self, to: u32, buffer: &Buffer) {
        self.send_to(self.remote_size + to, buffer);
    }

    #[inline]
    pub fn receive(&mut self, from: u32, buffer: &Buffer) {
        self.receive_from(self.remote_size + from, buffer);
    }

    /// Sends to a rank of the other group.
    pub fn send_across(&mut self, to: u32, buffer: &Buffer) {
        self.send_to(to, buffer);
    }

    /// Receives from a rank of the other group.
    pub fn receive_across(&mut self, from: u32, buffer: &Buffer) {
        self.receive_from(from, buffer);
    }

    /// Sends to index `to` of [`Comm::everyone`](crate::comm::Comm::everyone).
    #[inline]
    fn send_to(&mut self, to: u32, buffer: &Buffer) {
        self.let_go();
        match &mut self.now {
            Some(mpi) => {
                if !self.schedule.send_fast(to, buffer, mpi) {
                    self.schedule.send(to, buffer, mpi);
                }
            }
            None => self.schedule.push(Step::Send { to, buffer: buffer.clone() }),
        }
    }

    #[inline]
    fn receive_from(&mut self, from: u32, buffer: &Buffer) {
        self.let_go();
        match &mut self.now {
            Some(_) => self.held = Some((from, buffer.clone())),
            None => self.schedule.push(Step::Receive { from, buffer: buffer.clone() }),
        }
    }

    /// Sends unless the buffer is empty. The receiver uses [`receive_some`](Self::receive_some).
    pub fn send_some(&mut self, to: u32, buffer: &Buffer) {
        if buffer.bytes() > 0 {
            self.send(to, buffer);
        }
    }

    /// Receives unless the buffer is empty.
    pub fn receive_some(&mut self, from: u32, buffer: &Buffer) {
        if buffer.bytes() > 0 {
            self.receive(from, buffer);
        }
    }

    /// Orders the following steps after all sends and receives so far.
    #[inline]
    pub fn wait(&mut self) {
        match &mut self.now {
            Some(mpi) => {
                if let Some((from, buffer)) = self.held.take() {
                    receive_now(mpi, self.schedule, from, &buffer);
                }
                wait_for_pending(mpi, self.schedule);
            }
            None => self.schedule.push(Step::Wait),
        }
    }

    /// Orders the following steps after the receive from a rank into `buffer`, which no other
    /// receive uses.
    pub fn wait_for(&mut self, from: u32, buffer: &Buffer) {
        self.let_go();
        let from = self.remote_size + from;
        match &mut self.now {
            Some(mpi) => {
                wait_for_some(mpi, self.schedule, |pending| pending.is_into(from, buffer));
            }
            None => self.schedule.push(Step::WaitFor { from, buffer: buffer.clone() }),
        }
    }

    /// Copies locally; the layouts may differ.
    pub fn copy(&mut self, from: &Buffer, to: &Buffer) {
        self.let_go();
        match &mut self.now {
            Some(_) => self.schedule.copy(from, to),
            None => self.schedule.push(Step::Copy { from: from.clone(), to: to.clone() }),
        }
    }

    /// Computes `inout[i] = input[i] op inout[i]`.
    pub fn reduce(&mut self, operator: Operator, input: &Buffer, inout: &Buffer) {
        self.let_go();
        match (&mut self.now, operator) {
            (Some(_), Operator::Predefined(op)) => self.schedule.reduce(op, input, inout),
            (Some(mpi), Operator::User(function, datatype)) => {
                call_user(
                    mpi,
                    &UserCall { function, datatype, input: input.clone(), inout: inout.clone() },
                );
            }
            (None, operator) => self.schedule.push(Step::Reduce {
                operator,
                input: input.clone(),
                inout: inout.clone(),
            }),
        }
    }

    /// Gives the communicator that is being created the context in `context`.
    pub fn name(&mut self, comm: handle::Comm, context: &Buffer) {
        self.let_go();
        match &mut self.now {
            Some(mpi) => mpi.name_comm(comm, context),
            None => self.schedule.push(Step::Name { comm, context: context.clone() }),
        }
    }

    /// Tells other processes the types of this one's blocks (development checks). It is the first
    /// step of an operation.
    #[cold]
    pub fn tell_types(&mut self, types: &Arc<Types>) {
        match &mut self.now {
            Some(mpi) => self.schedule.tell_types(types, mpi),
            None => self.schedule.push(Step::TellTypes(types.clone())),
        }
    }

    /// Compares the types of blocks that have come with those that other processes have told. It is
    /// the last step of an operation.
    #[cold]
    pub fn compare_types(&mut self, types: &Arc<Types>) {
        self.wait();
        match &mut self.now {
            Some(mpi) => {
                let (bits, comm) = (self.schedule.match_bits(), self.schedule.comm);
                let mut differs = false;
                mpi.wait_until(None, |mpi| {
                    let is_done = self.schedule.compare_types(types, mpi);
                    differs = !is_done
                        && (mismatch::look(mpi, bits) || mismatch::broken(mpi, comm).is_some());
                    is_done || differs
                });
                if differs {
                    self.schedule.make_void(mpi);
                }
            }
            None => self.schedule.push(Step::CompareTypes(types.clone())),
        }
    }

    /// Starts the receive that was held back, because the next step is no wait.
    #[inline]
    fn let_go(&mut self) {
        if let (Some((from, buffer)), Some(mpi)) = (self.held.take(), &mut self.now) {
            self.schedule.receive(from, &buffer, mpi);
        }
    }

    /// Returns the rank `steps` places further around the ring.
    pub fn after(&self, steps: u32) -> u32 {
        (self.rank + steps) % self.size
    }

    /// Returns the rank `steps` places back around the ring.
    pub fn before(&self, steps: u32) -> u32 {
        (self.rank + self.size - steps % self.size) % self.size
    }
}

/// Takes the next packet of a rank if it is the one that the operation waits for.
struct Next<'a> {
    context: u64,
    tag: i32,
    place: &'a Buffer,
}

impl PacketHandler for Next<'_> {
    #[inline(always)]
    fn take(self, header: &Header, payload: &[u8]) -> bool {
        let fits = header.kind == kind::EAGER
            && header.context == self.context
            && header.tag == self.tag
            && payload.len() == self.place.bytes();
        if fits {
            self.place.unpack_at(0, payload);
        }
        fits
    }
}

/// Receives a message and waits for it. If no receive is posted and no message is unexpected,
/// checks the next packet from the rank in place first.
#[inline]
fn receive_now(mpi: &mut Mpi, schedule: &mut Schedule, from: u32, buffer: &Buffer) {
    let wanted = schedule.wanted(from);
    let core = &mpi.pt2pt.core;
    if let (true, true, Some(process)) =
        (core.posted.is_empty(), core.unexpected.is_empty(), wanted.from)
        && let Some(endpoint) = &mut mpi.pt2pt.endpoint
        && endpoint
            .receive_fast(
                process,
                Next { context: wanted.pattern.context.0, tag: wanted.pattern.tag, place: buffer },
            )
            .is_some()
    {
        return;
    }
    receive_wanted(mpi, schedule, buffer, (from, wanted));
}

/// Receives a message into any layout and waits for it.
#[inline(never)]
fn receive_wanted(
    mpi: &mut Mpi,
    schedule: &mut Schedule,
    buffer: &Buffer,
    (from, wanted): (u32, Wanted),
) {
    if schedule.is_void() {
        return;
    }
    let completion = receive::receive(mpi, buffer, wanted);
    if completion.is_err() && mismatch::is_known(mpi, schedule.comm) {
        return schedule.make_void(mpi);
    }
    match completion {
        Ok(completion) => schedule.examine(completion, from, buffer.bytes()),
        Err(error) => schedule.fail(schedule.mismatch(from, error)),
    }
}

/// Waits for all sends and receives in progress.
#[inline]
fn wait_for_pending(mpi: &mut Mpi, schedule: &mut Schedule) {
    wait_for_some(mpi, schedule, |_| true);
}

/// Waits for some of the sends and receives in progress.
#[inline]
fn wait_for_some(mpi: &mut Mpi, schedule: &mut Schedule, which: impl Fn(&Pending) -> bool) {
    while let Some(pending) = schedule.take_pending(&which) {
        let request = pending.request;
        let expected =
            mpi.pt2pt.core.requests.get(request).ok().and_then(|request| request.expected);
        let (bits, comm) = (schedule.match_bits(), schedule.comm);
        let mut differs = false;
        mpi.wait_until(expected, |mpi| {
            let complete = mpi.pt2pt.is_complete(request).unwrap_or(true);
            differs = !complete
                && (!mpi.pt2pt.core.unexpected.is_empty() && mismatch::look(mpi, bits)
                    || mismatch::broken(mpi, comm).is_some());
            complete || differs
        });
        if differs {
            schedule.put_back(pending);
            return schedule.make_void(mpi);
        }
        schedule.collect(mpi, pending);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_around_the_ring_come_back() {
        for size in 1..20 {
            for rank in 0..size {
                let mut schedule = Schedule::unconnected(rank, size, 0);
                let steps = Steps::noted(&mut schedule, Later::Never);
                assert_eq!(
                    (steps.after(0), steps.before(0), steps.after(size)),
                    (rank, rank, rank)
                );
                for places in 0..2 * size {
                    assert_eq!((steps.after(places) + size - rank) % size, places % size);
                    assert_eq!((steps.before(places) + places) % size, rank);
                }
            }
        }
    }

    #[test]
    fn a_recorded_schedule_moves_no_data() {
        let (own, other) = (crate::rehearsal::words(&[1]), crate::rehearsal::words(&[2]));
        let mut schedule = Schedule::unconnected(0, 2, 0);
        let mut steps = Steps::noted(&mut schedule, Later::Never);
        steps.copy(&own, &other);
        steps.send_some(1, &Buffer::empty());
        steps.receive_some(1, &Buffer::empty());
        steps.send(1, &own);
        steps.wait();
        assert_eq!(crate::rehearsal::words_in(&other), [2]);
        let recorded = schedule.into_steps();
        assert!(matches!(recorded[..], [Step::Copy { .. }, Step::Send { to: 1, .. }, Step::Wait]));
    }

    #[test]
    fn ranks_of_the_own_group_come_behind_the_other_group() {
        let mut schedule = Schedule::unconnected(1, 2, 3);
        let mut steps = Steps::noted(&mut schedule, Later::Never);
        steps.send(0, &Buffer::empty());
        steps.send_across(2, &Buffer::empty());
        let recorded = schedule.into_steps();
        assert!(matches!(recorded[..], [Step::Send { to: 3, .. }, Step::Send { to: 2, .. }]));
    }

    #[test]
    fn the_case_of_a_reduction_knows_the_type_and_the_count() {
        let reduction = crate::rehearsal::UNION;
        let mut schedule = Schedule::unconnected(0, 4, 0);
        let steps = Steps::noted(&mut schedule, Later::Never);
        let case = |own: &Buffer| steps.case_of(reduction, own);
        let few = case(&crate::rehearsal::words(&[0; 3]));
        let enough = case(&crate::rehearsal::words(&[0; 4]));
        assert_eq!((few.divisible, enough.divisible), (false, true));
        assert!(few.predefined && !case(&crate::rehearsal::sparse_words(&[0; 4])).predefined);
        assert_eq!((few.members, few.ranks), (Members::None, 4));
    }
}
