//! Communicators (MPI 5.0 chapter 7).
//!
//! A communicator is a context and a group (two groups between which messages pass, for an intercommunicator), and what hangs on it. Processes are
//! named by their index in the job, the same everywhere.
//!
//! Creation draws the new context at one member, the first of the new group, and tells it to the others in an exchange over the parent: see
//! `context`. A split needs one allgather of (colour, key, drawn context), a dup one broadcast.

use crate::abi;
use crate::buffered::RoomNumber;
use crate::callback::Object;
use crate::coll;
use crate::context::{Class, Context};
use crate::engine::{Engine, Mpi};
use crate::errhandler;
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::handle;
use crate::info::Info;
use crate::matching::Pattern;
use crate::protocol::kind;
use crate::receive::{self, Wanted};
use crate::send::{self, Envelope, Mode};
use crate::topology::Topology;
use nemesis::wire::Header;
use std::sync::Arc;

pub struct Comm {
    pub context: Context,
    /// Rank of this process in the (local) group.
    pub rank: u32,
    pub group: Group,
    /// The other group of an intercommunicator.
    pub remote: Option<Group>,
    /// Process of every rank that messages can go to.
    destinations: Arc<[u32]>,
    pub name: String,
    /// The info hints of `MPI_Comm_set_info`.
    pub hints: Info,
    pub topology: Option<Arc<Topology>>,
    /// Collective operations begun, for their tags.
    pub collectives: u32,
    pub persistent_collectives: u32,
    /// Its own buffer of buffered mode.
    pub buffer: Option<RoomNumber>,
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
            persistent_collectives: 0,
            buffer: None,
        }
    }

    /// The process of every rank that messages can go to: of the remote group in an intercommunicator.
    #[inline(always)]
    pub fn destinations(&self) -> &[u32] {
        &self.destinations
    }

    /// The same, to be kept beyond the communicator's life.
    pub fn shared_destinations(&self) -> Arc<[u32]> {
        self.destinations.clone()
    }

    pub fn size(&self) -> u32 {
        self.group.processes().len() as u32
    }

    pub fn is_inter(&self) -> bool {
        self.remote.is_some()
    }
}

impl Engine {
    /// A context that no communicator has had.
    fn draw_context(&mut self) -> Context {
        let own = self.endpoint.as_ref().map_or(0, |endpoint| endpoint.me());
        let context = Context::new(own, self.contexts_drawn);
        self.contexts_drawn = self.contexts_drawn.wrapping_add(1);
        context
    }

    /// Takes a new communicator in; it has its parent's error handler (MPI 5.0 §9.3).
    fn add_comm(&mut self, parent: handle::Comm, comm: Comm) -> Outcome<handle::Comm> {
        let new = self.comms.insert(comm).ok_or_else(|| Error::new(abi::MPI_ERR_NO_MEM, "more than a million communicators exist"))?;
        errhandler::inherit(Object::Comm(parent), Object::Comm(new))?;
        Ok(new)
    }

    pub fn intracomm(&self, comm: handle::Comm) -> Outcome<&Comm> {
        let object = self.comm(comm)?;
        if object.is_inter() {
            return Err(Error::new(abi::MPI_ERR_COMM, "the call needs an intracommunicator, this is an intercommunicator"));
        }
        Ok(object)
    }

    fn derived(&self, context: Context, group: Group) -> Outcome<Comm> {
        let own = self.endpoint.as_ref().map_or(0, |endpoint| endpoint.me());
        let rank = group.rank_of(own).ok_or_else(|| Error::new(abi::MPI_ERR_GROUP, "the calling process is not in the group"))?;
        Ok(Comm::new(context, rank, group, ""))
    }
}

/// `MPI_Comm_dup` without attributes, which the caller copies.
pub fn duplicate(mpi: &mut Mpi, comm: handle::Comm) -> Outcome<handle::Comm> {
    let group = mpi.intracomm(comm)?.group.clone();
    let drawn = mpi.draw_context();
    let contexts = coll::allgather_words(mpi, comm, [drawn.0])?;
    let mut new = mpi.derived(Context(contexts[0][0]), group)?;
    new.topology = mpi.comm(comm)?.topology.clone();
    mpi.add_comm(comm, new)
}

/// `MPI_Comm_create`: `group` of this process's part; null for those outside.
pub fn create(mpi: &mut Mpi, comm: handle::Comm, group: Group) -> Outcome<handle::Comm> {
    let parent = mpi.intracomm(comm)?.group.clone();
    let leader = match group.processes().first() {
        None => None,
        Some(&first) => {
            if let Some(stranger) = group.processes().iter().find(|&&process| parent.rank_of(process).is_none()) {
                return Err(Error::new(abi::MPI_ERR_GROUP, format!("process {stranger} of the group is not in the communicator")));
            }
            parent.rank_of(first)
        }
    };
    let drawn = mpi.draw_context();
    let contexts = coll::allgather_words(mpi, comm, [drawn.0])?;
    let own = mpi.comm(comm)?.rank;
    match leader {
        Some(leader) if group.rank_of(parent.processes()[own as usize]).is_some() => {
            let new = mpi.derived(Context(contexts[leader as usize][0]), group)?;
            mpi.add_comm(comm, new)
        }
        _ => Ok(abi::MPI_COMM_NULL),
    }
}

/// `MPI_Comm_create_group`: only the members call; the first one tells the others.
pub fn create_group(mpi: &mut Mpi, comm: handle::Comm, group: Group, tag: i32) -> Outcome<handle::Comm> {
    let parent = mpi.intracomm(comm)?;
    let (context, own_rank, parent_group) = (parent.context.class(Class::Internal), parent.rank, parent.group.clone());
    let own = parent_group.processes()[own_rank as usize];
    if group.rank_of(own).is_none() {
        return Ok(abi::MPI_COMM_NULL);
    }
    if tag < 0 {
        return Err(send::bad_tag(tag));
    }
    let leader = group.processes()[0];
    let mut drawn = [mpi.draw_context().0];
    let buffer = coll::scratch_bytes(8)?;
    if leader == own {
        coll::put_words(&buffer, &drawn);
        for &member in &group.processes()[1..] {
            let header = Header { kind: kind::EAGER, context: context.0, tag, rank: own_rank, ..Header::default() };
            send::send(mpi, &buffer, Envelope { comm, to: member, header }, Mode::Standard)?;
        }
    } else {
        let rank =
            parent_group.rank_of(leader).ok_or_else(|| Error::new(abi::MPI_ERR_GROUP, "the group is not part of the communicator"))?;
        let wanted = Wanted { comm, pattern: Pattern { context, rank, tag }, from: Some(leader) };
        receive::receive(mpi, &buffer, wanted)?;
        drawn = coll::get_words(&buffer, 0);
    }
    let new = mpi.derived(Context(drawn[0]), group)?;
    mpi.add_comm(comm, new)
}

/// `MPI_Comm_split`; `colour` `None` stands for `MPI_UNDEFINED`.
pub fn split(mpi: &mut Mpi, comm: handle::Comm, colour: Option<u32>, key: i32) -> Outcome<handle::Comm> {
    let parent = mpi.intracomm(comm)?.group.clone();
    let drawn = mpi.draw_context();
    let colour_word = colour.map_or(u64::MAX, u64::from);
    let entries = coll::allgather_words(mpi, comm, [colour_word, key as u32 as u64, drawn.0])?;
    if colour.is_none() {
        return Ok(abi::MPI_COMM_NULL);
    }
    let mut members: Vec<(i32, u32)> = entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry[0] == colour_word)
        .map(|(rank, entry)| (entry[1] as u32 as i32, rank as u32))
        .collect();
    // Ties in the key keep the order of the old ranks, which is the order of the pairs.
    members.sort_unstable();
    let leader = members[0].1 as usize;
    let group = Group::new(members.iter().map(|&(_, rank)| parent.processes()[rank as usize]).collect());
    let new = mpi.derived(Context(entries[leader][2]), group)?;
    mpi.add_comm(comm, new)
}

/// `MPI_Comm_free`: takes the handle out; pending messages find their communicator gone and go on by themselves.
pub fn free(mpi: &mut Mpi, comm: handle::Comm) -> Outcome<Comm> {
    if handle::Handle::is_predefined(comm) {
        return Err(Error::new(abi::MPI_ERR_COMM, "predefined communicators cannot be freed"));
    }
    let object = mpi.comms.remove(comm).map_err(|dead| Error::dead(abi::MPI_ERR_COMM, dead))?;
    if let Some(buffer) = object.buffer {
        mpi.core.rooms.abandon(buffer);
    }
    errhandler::detach(Object::Comm(comm));
    Ok(object)
}
