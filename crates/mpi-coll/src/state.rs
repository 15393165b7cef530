//! The state of collective operations in this process.
//!
//! The state is a static that the engine's lock guards. A function that holds the engine borrows it
//! by `engine.pt2pt.core.token`, and may use the engine's other fields meanwhile.
//!
//! A communicator stores the number of its [`Blocking`] state. The first blocking operation creates
//! the state; freeing the communicator releases it ([`part`]).

use super::forced::ForcedTable;
use super::grid::Grid;
use super::mismatch;
use super::rows::LimitsCache;
use super::schedule::Schedule;
use super::shm::{NodeComm, ShmState};
use crate::comm::Comm;
use crate::engine::Engine;
use crate::engine::upper::{State, UpperState};
use crate::error::Outcome;
use crate::handle;
use crate::pt2pt::PointToPoint;
use std::cell::OnceCell;

/// The state of collective operations.
pub(crate) struct Collectives {
    /// The non-blocking and persistent operations in progress, in the order of their start.
    pub running: Vec<Running>,
    /// True while `progress::advance` runs. A nested call of it must return at once.
    pub advancing: bool,
    /// The states of communicators.
    pub states: States,
    /// Collective segments that this process allocated and left before the other members.
    pub deserted: Vec<NodeComm>,
}

/// An operation in progress.
pub(crate) struct Running {
    pub request: handle::Request,
    pub schedule: Box<Schedule>,
    /// Whether the program's buffers are compared before the first step, because it is checked.
    pub is_fresh: bool,
}

pub(crate) static COLLECTIVES: UpperState<Collectives> = UpperState::new();

impl State for Collectives {
    const INITIAL: Collectives = Collectives {
        running: Vec::new(),
        advancing: false,
        states: States { states: Vec::new(), unused: Vec::new() },
        deserted: Vec::new(),
    };
}

/// Returns the state, to change it.
#[inline(always)]
pub(crate) fn collectives(engine: &mut Engine) -> &mut Collectives {
    COLLECTIVES.get_mut(&mut engine.pt2pt.core.token)
}

/// State that successive blocking operations on a communicator reuse.
pub(crate) struct Blocking {
    /// A schedule that stays empty, because blocking operations perform their steps at once.
    pub schedule: Schedule,
    pub shm_state: ShmState,
    /// The algorithms that the communicator's info forces.
    pub forced: Option<Box<ForcedTable>>,
    /// Which algorithm is chosen for which lengths.
    pub limits: LimitsCache,
    /// How the processes stand on nodes, for operations whose steps are recorded.
    pub grid: OnceCell<Option<Grid>>,
}

impl Blocking {
    /// Creates the state of a communicator without a collective segment.
    pub fn new(schedule: Schedule, forced: Option<Box<ForcedTable>>) -> Box<Blocking> {
        Box::new(Blocking {
            schedule,
            shm_state: ShmState::default(),
            forced,
            limits: LimitsCache::default(),
            grid: OnceCell::new(),
        })
    }

    /// Returns the communicator's node comm, if its short calls take the fast path.
    #[inline(always)]
    pub fn fast_node_comm(&mut self) -> Option<&mut NodeComm> {
        match &mut self.shm_state {
            ShmState::Here(node_comm) => Some(node_comm),
            _ => None,
        }
    }
}

/// The states of communicators, by number. A state is absent while an operation uses it.
pub(crate) struct States {
    states: Vec<Option<Box<Blocking>>>,
    /// Numbers that no communicator has.
    unused: Vec<u32>,
}

impl States {
    /// Returns a communicator's state, if it has one that no operation uses.
    #[inline(always)]
    pub fn get_mut(&mut self, comm: &Comm) -> Option<&mut Blocking> {
        self.states.get_mut(comm.collective_state as usize)?.as_deref_mut()
    }

    /// Takes a communicator's state.
    #[inline]
    pub fn take(&mut self, comm: &Comm) -> Option<Box<Blocking>> {
        self.states.get_mut(comm.collective_state as usize)?.take()
    }

    /// Puts a communicator's state back, or its first state.
    #[inline]
    fn put(&mut self, comm: &mut Comm, blocking: Box<Blocking>) {
        if comm.collective_state == Comm::NO_STATE {
            comm.collective_state = self.number();
        }
        self.states[comm.collective_state as usize] = Some(blocking);
    }

    /// Takes the state of a communicator that is being freed, and its number.
    fn release(&mut self, comm: &mut Comm) -> Option<Box<Blocking>> {
        let number = std::mem::replace(&mut comm.collective_state, Comm::NO_STATE);
        let state = self.states.get_mut(number as usize)?;
        self.unused.push(number);
        state.take()
    }

    /// Returns a number that no communicator has.
    #[cold]
    fn number(&mut self) -> u32 {
        self.unused.pop().unwrap_or_else(|| {
            self.states.push(None);
            self.states.len() as u32 - 1
        })
    }
}

/// Returns a communicator and the states of all.
#[inline]
pub(crate) fn comm_and_states(
    engine: &mut Engine,
    comm: handle::Comm,
) -> Outcome<(&mut Comm, &mut States)> {
    let (object, token) = engine.comm_and_token(comm)?;
    Ok((object, &mut COLLECTIVES.get_mut(token).states))
}

/// Returns a communicator's state, if it has one that no operation uses.
pub(crate) fn blocking(engine: &Engine, comm: handle::Comm) -> Outcome<Option<&Blocking>> {
    let number = engine.comm(comm)?.collective_state;
    let states = &COLLECTIVES.get(&engine.pt2pt.core.token).states.states;
    Ok(states.get(number as usize).and_then(Option::as_deref))
}

/// Makes the blocking operations of a communicator take the general path, which refuses them after
/// a mismatch.
#[cold]
pub(crate) fn close_fast_path(engine: &mut Engine, comm: handle::Comm) {
    if let Ok((object, states)) = comm_and_states(engine, comm)
        && let Some(blocking) = states.get_mut(object)
    {
        blocking.shm_state.close_fast_path();
    }
}

/// Takes a communicator's state. The caller puts it back.
#[inline]
pub(crate) fn take(engine: &mut Engine, comm: handle::Comm) -> Outcome<Option<Box<Blocking>>> {
    let (object, states) = comm_and_states(engine, comm)?;
    Ok(states.take(object))
}

/// Puts a communicator's state back. If the communicator has been freed meanwhile, leaves its
/// collective segment.
#[inline]
pub(crate) fn put(engine: &mut Engine, comm: handle::Comm, blocking: Box<Blocking>) {
    match comm_and_states(engine, comm) {
        Ok((object, states)) => states.put(object, blocking),
        Err(_) => leave(engine, blocking.shm_state),
    }
}

/// Releases the state of a communicator that is being freed, and leaves its collective segment.
pub fn part(engine: &mut Engine, comm: &mut Comm) {
    mismatch::forget(engine, comm);
    if let Some(blocking) = collectives(engine).states.release(comm) {
        leave(engine, blocking.shm_state);
    }
}

/// Frees the segments that all members have left.
pub(crate) fn sweep(engine: &mut Engine) {
    engine.free_segments();
    let Engine { pt2pt: PointToPoint { core, .. }, memory: Some(memory), .. } = engine else {
        return;
    };
    let deserted = &mut COLLECTIVES.get_mut(&mut core.token).deserted;
    for node_comm in deserted.extract_if(.., |node_comm| node_comm.have_all_left()) {
        if let Some(block) = node_comm.into_block() {
            memory.free(block);
        }
    }
}

/// Leaves the collective segments of a communicator.
pub(crate) fn leave(engine: &mut Engine, state: ShmState) {
    match state {
        ShmState::Here(node_comm) | ShmState::HereSlowly(node_comm) => desert(engine, node_comm),
        ShmState::Levels(nodes) => {
            nodes.into_levels().into_node_comms().for_each(|node_comm| desert(engine, node_comm));
        }
        ShmState::Later(_) | ShmState::Never | ShmState::Apart => {}
    }
    sweep(engine);
}

/// Leaves a collective segment. Its memory is freed when all members have left.
pub(crate) fn desert(engine: &mut Engine, mut node_comm: NodeComm) {
    node_comm.leave();
    if node_comm.has_block() {
        collectives(engine).deserted.push(node_comm);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi;
    use crate::context::{Class, Context};
    use crate::group::Group;

    fn comm() -> Comm {
        Comm::new(Context::own(0), 0, Group::new(vec![0]), "")
    }

    fn state_of(comm: &Comm) -> Box<Blocking> {
        let schedule = Schedule::new(abi::MPI_COMM_NULL, comm, Class::Collective, 0);
        Blocking::new(schedule, None)
    }

    #[test]
    fn a_freed_communicator_leaves_its_number_to_the_next_one() {
        let mut states = States { states: Vec::new(), unused: Vec::new() };
        let [mut first, mut second, mut third] = [comm(), comm(), comm()];
        assert!(states.take(&first).is_none(), "no operation has made a state");
        for comm in [&mut first, &mut second] {
            let state = state_of(comm);
            states.put(comm, state);
        }
        assert_eq!([first.collective_state, second.collective_state], [0, 1]);
        assert!(states.take(&second).is_some() && states.get_mut(&second).is_none());
        // An operation on the second communicator is in progress while it is freed.
        assert!(states.release(&mut first).is_some() && states.release(&mut second).is_none());
        assert!(states.release(&mut first).is_none(), "it has left its number already");
        let state = state_of(&third);
        states.put(&mut third, state);
        assert_eq!((third.collective_state, states.unused.len()), (1, 1));
    }
}
