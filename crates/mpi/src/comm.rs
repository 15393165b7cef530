//! Communicators (MPI 5.0 chapter 7).
//!
//! A communicator is a context and a group (two groups between which messages pass, for an intercommunicator), and what hangs on it. Processes are
//! named by their index in the job, the same everywhere.
//!
//! | file | what |
//! |---|---|
//! | this one | the object, and the engine's table of them |
//! | `duplicate` | dup, idup |
//! | `divide` | split, create, create_group |
//! | `resources` | split by what processes share |
//! | `bridge` | intercommunicators: create, merge |
//! | `bootstrap` | communicators from nothing but a group and a string |
//! | `hints` | info keys |
//!
//! Creation draws the new context at one member, the first of the new group, and tells it to the others in an exchange over the parent: see
//! `context`. A split needs one allgather of (colour, key, drawn context), a dup one broadcast.

pub mod attributes;
mod bootstrap;
mod bridge;
mod divide;
mod duplicate;
mod hints;
pub mod resources;

pub use bootstrap::{create_from_group, intercomm_create_from_groups};
pub use bridge::{intercomm_create, merge};
pub use divide::{create, create_group, split};
pub use duplicate::{duplicate, iduplicate};

use crate::abi;
use crate::buffered::RoomNumber;
use crate::callback::Object;
use crate::coll;
use crate::context::Context;
use crate::engine::{Engine, Mpi};
use crate::errhandler;
use crate::error::{Error, Outcome};
use crate::group::{Group, Owner};
use crate::handle::{self, Errhandler};
use crate::info::Info;
use crate::tool::event::Event;
use crate::topology::Topology;
use nemesis_datatype::Buffer;
use std::sync::Arc;

pub struct Comm {
    pub context: Context,
    /// Rank of this process in the (local) group.
    pub rank: u32,
    pub group: Group,
    remote: Option<Box<Remote>>,
    /// Process of every rank that messages can go to.
    destinations: Arc<[u32]>,
    pub name: String,
    /// The info hints that were given and are known.
    hints: Info,
    pub topology: Option<Arc<Topology>>,
    /// Collective operations begun, for their tags.
    pub collectives: u32,
    /// Those of them that were the library's own.
    own_collectives: u32,
    pub persistent_collectives: u32,
    /// Its own buffer of buffered mode.
    pub buffer: Option<RoomNumber>,
    /// What its blocking collective operations use one after the other: made by the first, away while one is under way.
    pub(crate) blocking: Option<Box<coll::Blocking>>,
}

/// The number of the next operation.
#[inline(always)]
pub(crate) fn next_number(operations: &mut u32) -> u32 {
    let number = *operations;
    *operations = (number + 1) & i32::MAX as u32;
    number
}

/// The other side of an intercommunicator.
#[derive(Clone)]
struct Remote {
    group: Group,
    /// The processes of the other group, then those of ours.
    everyone: Arc<[u32]>,
    /// Whether our group is the one that draws contexts and comes first where an order is needed.
    leads: bool,
}

impl Comm {
    pub fn new(context: Context, rank: u32, group: Group, name: &str) -> Comm {
        let destinations = group.processes().into();
        Comm {
            context,
            rank,
            group,
            remote: None,
            destinations,
            name: name.to_owned(),
            hints: Info::default(),
            topology: None,
            collectives: 0,
            own_collectives: 0,
            persistent_collectives: 0,
            buffer: None,
            blocking: None,
        }
    }

    /// An intercommunicator; exactly one of its groups `leads`.
    pub fn between(context: Context, rank: u32, group: Group, remote: Group, leads: bool) -> Comm {
        let everyone = remote.processes().iter().chain(group.processes()).copied().collect();
        let destinations = remote.processes().into();
        let remote = Some(Box::new(Remote { group: remote, everyone, leads }));
        Comm { remote, destinations, ..Comm::new(context, rank, group, "") }
    }

    /// Another with the same groups and topology.
    fn twin(&self, context: Context) -> Comm {
        let (group, destinations) = (self.group.clone(), self.destinations.clone());
        let (remote, topology) = (self.remote.clone(), self.topology.clone());
        Comm { remote, destinations, topology, ..Comm::new(context, self.rank, group, "") }
    }

    fn belong_to(&mut self, owner: Owner) {
        self.group = self.group.clone().owned_by(owner);
        if let Some(remote) = &mut self.remote {
            remote.group = remote.group.clone().owned_by(owner);
        }
    }

    /// Whether the communicator waits for its context (`MPI_Comm_idup`).
    pub fn is_unnamed(&self) -> bool {
        self.context == duplicate::UNNAMED
    }

    /// The process of every rank that messages can go to: of the remote group in an intercommunicator.
    #[inline(always)]
    pub fn destinations(&self) -> &[u32] {
        &self.destinations
    }

    /// The processes that collective operations name by their place here: by rank, in an intracommunicator; in an intercommunicator first those of the
    /// remote group, then those of the local one. To be kept beyond the communicator's life.
    pub fn everyone(&self) -> Arc<[u32]> {
        self.remote.as_ref().map_or(&self.destinations, |remote| &remote.everyone).clone()
    }

    /// The number of the next collective operation.
    #[inline]
    pub(crate) fn next_collective(&mut self) -> u32 {
        next_number(&mut self.collectives)
    }

    /// The numbers of as many collective operations of the library's own, in the course of one of the program's.
    pub(crate) fn own_collectives<const N: usize>(&mut self) -> [u32; N] {
        self.own_collectives += N as u32;
        [(); N].map(|()| self.next_collective())
    }

    /// Collective operations that the program has begun.
    pub fn program_collectives(&self) -> u32 {
        self.collectives.wrapping_sub(self.own_collectives) & i32::MAX as u32
    }

    pub fn size(&self) -> u32 {
        self.group.size()
    }

    pub fn is_inter(&self) -> bool {
        self.remote.is_some()
    }

    /// The other group of an intercommunicator.
    pub fn remote(&self) -> Option<&Group> {
        self.remote.as_ref().map(|remote| &remote.group)
    }

    /// How many processes the other group has: none in an intracommunicator.
    pub fn remote_size(&self) -> u32 {
        self.remote().map_or(0, Group::size)
    }

    /// Whether this group draws the contexts of what is derived; one of an intercommunicator's two groups does.
    fn leads(&self) -> bool {
        self.remote.as_ref().is_none_or(|remote| remote.leads)
    }
}

impl Engine {
    /// This process's index in the job.
    pub fn own_process(&self) -> u32 {
        self.endpoint.as_ref().map_or(0, |endpoint| endpoint.me())
    }

    /// A context that no communicator has had.
    pub(crate) fn draw_context(&mut self) -> Outcome<Context> {
        let own = self.own_process();
        self.contexts.draw(own).ok_or_else(|| {
            Error::new(
                abi::MPI_ERR_NO_MEM,
                "this process has led the creation of 2^37 communicators",
            )
        })
    }

    /// Takes a new communicator in; it has its parent's error handler (MPI 5.0 §9.3).
    fn add_comm(&mut self, parent: handle::Comm, mut comm: Comm) -> Outcome<handle::Comm> {
        comm.belong_to(self.comm(parent)?.group.owner());
        let new = self.insert_comm(comm)?;
        errhandler::inherit(Object::Comm(parent), Object::Comm(new))?;
        self.tell_of_comm(new);
        Ok(new)
    }

    /// Takes in a communicator without a parent.
    fn add_orphan(&mut self, mut comm: Comm, errhandler: Errhandler) -> Outcome<handle::Comm> {
        comm.belong_to(comm.group.owner());
        let new = self.insert_comm(comm)?;
        errhandler::attach(Object::Comm(new), errhandler)?;
        Ok(new)
    }

    fn insert_comm(&mut self, comm: Comm) -> Outcome<handle::Comm> {
        self.comms.insert(comm).ok_or_else(|| {
            Error::new(abi::MPI_ERR_NO_MEM, "more than a million communicators exist")
        })
    }

    /// A communicator in the making gets its context, the word in `context`. If it has been given up, nothing happens.
    pub(crate) fn name_comm(&mut self, comm: handle::Comm, context: &Buffer) {
        if let Ok(comm) = self.comms.get_mut(comm) {
            let [drawn] = coll::get_words(context, 0);
            comm.context = Context(drawn);
        }
    }

    fn tell_of_comm(&mut self, new: handle::Comm) {
        if self.core.events.wanted(Event::Communicator)
            && let Ok(comm) = self.comm(new)
        {
            let words = [
                comm.context.0,
                u64::from(comm.rank),
                u64::from(comm.size()),
                u64::from(comm.is_inter()),
            ];
            self.core.events.record(Event::Communicator, words);
        }
    }

    pub fn intracomm(&self, comm: handle::Comm) -> Outcome<&Comm> {
        let object = self.comm(comm)?;
        if object.is_inter() {
            return Err(Error::new(
                abi::MPI_ERR_COMM,
                "the call needs an intracommunicator, this is an intercommunicator",
            ));
        }
        Ok(object)
    }

    pub fn intercomm(&self, comm: handle::Comm) -> Outcome<&Comm> {
        let object = self.comm(comm)?;
        if !object.is_inter() {
            return Err(Error::new(
                abi::MPI_ERR_COMM,
                "the call needs an intercommunicator, this is an intracommunicator",
            ));
        }
        Ok(object)
    }

    /// This process's rank in a group that it must be in.
    fn rank_in(&self, group: &Group) -> Outcome<u32> {
        group.rank_of(self.own_process()).ok_or_else(|| {
            Error::new(abi::MPI_ERR_GROUP, "the calling process is not in the group")
        })
    }

    fn derived(&self, context: Context, group: Group) -> Outcome<Comm> {
        Ok(Comm::new(context, self.rank_in(&group)?, group, ""))
    }

    fn derived_between(
        &self,
        context: Context,
        group: Group,
        remote: Group,
        leads: bool,
    ) -> Outcome<Comm> {
        Ok(Comm::between(context, self.rank_in(&group)?, group, remote, leads))
    }
}

/// `MPI_Comm_free`: takes the handle out; pending messages find their communicator gone and go on by themselves.
pub fn free(mpi: &mut Mpi, comm: handle::Comm) -> Outcome<Comm> {
    if handle::Handle::is_predefined(comm) {
        return Err(Error::new(abi::MPI_ERR_COMM, "predefined communicators cannot be freed"));
    }
    let mut object = mpi.comms.remove(comm).map_err(|dead| Error::dead(abi::MPI_ERR_COMM, dead))?;
    mpi.comm_cache.forget(comm);
    if let Some(buffer) = object.buffer {
        mpi.core.rooms.abandon(buffer);
    }
    coll::part(mpi, &mut object);
    errhandler::detach(Object::Comm(comm));
    Ok(object)
}
