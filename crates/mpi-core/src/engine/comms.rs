//! Communicators: lookups by handle, and what involves several parts of the engine.

use super::Engine;
use crate::abi;
use crate::attached_buffers::Level;
use crate::callback::Object;
use crate::comm::Comm;
use crate::context::Context;
use crate::errhandler;
use crate::error::{Error, Outcome};
use crate::event::Event;
use crate::group::Group;
use crate::handle::{self, Errhandler, Handle};
use nemesis::Endpoint;
use nemesis_datatype::Buffer;
use nemesis_sync::guarded::Token;
use nemesis_wireup::JobKey;

impl Engine {
    /// Returns the communicator that `handle` names.
    #[inline(always)]
    pub fn comm(&self, handle: handle::Comm) -> Outcome<&Comm> {
        self.comms.get(handle)
    }

    /// Returns the communicator that `handle` names.
    pub fn comm_mut(&mut self, handle: handle::Comm) -> Outcome<&mut Comm> {
        self.comms.get_mut(handle)
    }

    /// Returns the communicator that `handle` names, which must be an intracommunicator.
    pub fn intracomm(&self, handle: handle::Comm) -> Outcome<&Comm> {
        self.comms.intra(handle)
    }

    /// Returns the communicator that `handle` names, which must be an intercommunicator.
    pub fn intercomm(&self, handle: handle::Comm) -> Outcome<&Comm> {
        self.comms.inter(handle)
    }

    /// Returns the communicator that `handle` names, and the token of the upper layers' state.
    #[inline]
    pub fn comm_and_token(&mut self, handle: handle::Comm) -> Outcome<(&mut Comm, &mut Token)> {
        Ok((self.comms.get_mut(handle)?, &mut self.pt2pt.core.token))
    }

    /// Returns a communicator, the endpoint and the token of the upper layers' state. For paths
    /// whose instructions are counted.
    #[inline(always)]
    pub fn comm_and_endpoint(
        &mut self,
        handle: handle::Comm,
    ) -> Option<(&mut Comm, &Endpoint, &mut Token)> {
        let comm = self.comms.find_mut(handle)?;
        Some((comm, self.pt2pt.endpoint.as_ref()?, &mut self.pt2pt.core.token))
    }

    /// Draws a context that no communicator has had.
    pub fn draw_context(&mut self) -> Outcome<Context> {
        if self.pt2pt.endpoint.as_ref().is_some_and(Endpoint::knows_other_jobs) {
            return draw_between_jobs();
        }
        self.comms.draw_context(self.pt2pt.own_process())
    }

    /// Returns whether a group has processes of other jobs.
    pub fn spans_jobs(&self, processes: &[u32]) -> bool {
        self.pt2pt.endpoint.as_ref().is_some_and(|endpoint| {
            endpoint.knows_other_jobs()
                && processes.iter().any(|&process| endpoint.is_foreign(process))
        })
    }

    /// Adds a new communicator with the error handler of its parent (MPI 5.0 §9.3).
    pub fn add_comm(&mut self, parent: handle::Comm, mut comm: Comm) -> Outcome<handle::Comm> {
        comm.belong_to(self.comm(parent)?.group.owner());
        comm.note_creator(self.comm(parent)?);
        let new = self.comms.insert(comm)?;
        errhandler::inherit(Object::Comm(parent), Object::Comm(new))?;
        self.tell_of_comm(new);
        self.note_new_comm(new);
        self.settle_comm(new);
        Ok(new)
    }

    /// Adds a communicator that its handle names when a request is complete
    /// ([`set_pending_request`](Self::set_pending_request)), with the error handler of its parent.
    pub fn add_pending_comm(
        &mut self,
        parent: handle::Comm,
        mut comm: Comm,
    ) -> Outcome<handle::Comm> {
        comm.belong_to(self.comm(parent)?.group.owner());
        comm.note_creator(self.comm(parent)?);
        let new = self.comms.insert_pending(comm)?;
        errhandler::inherit(Object::Comm(parent), Object::Comm(new))?;
        self.pt2pt.core.special_completions += 1;
        Ok(new)
    }

    /// Gives a communicator under construction the context in `context`.
    pub fn name_comm(&mut self, comm: handle::Comm, context: &Buffer) {
        self.comms.set_context(comm, context);
        self.note_new_comm(comm);
        self.settle_comm(comm);
    }

    /// Names the request whose completion makes a pending communicator usable.
    pub fn set_pending_request(&mut self, comm: handle::Comm, request: handle::Request) {
        self.comms.set_pending_request(comm, request);
    }

    /// Makes the communicator usable that waits for a request, if there is one. The program knows
    /// that the request is complete.
    pub(crate) fn complete_pending_comm(&mut self, request: handle::Request) {
        if let Some(complete) = self.comms.complete_pending(request) {
            self.pt2pt.core.special_completions -= 1;
            self.tell_of_comm(complete);
            self.note_new_comm(complete);
            self.settle_comm(complete);
        }
    }

    /// Adds a communicator without a parent.
    pub fn add_orphan(&mut self, mut comm: Comm, errhandler: Errhandler) -> Outcome<handle::Comm> {
        comm.belong_to(comm.group.owner());
        let new = self.comms.insert(comm)?;
        errhandler::attach(Object::Comm(new), errhandler)?;
        Ok(new)
    }

    /// Returns the name of a communicator, or which one it is, for messages to the user.
    pub fn shown_comm(&self, comm: handle::Comm) -> Option<String> {
        self.comms.find(comm).map(Comm::shown)
    }

    fn tell_of_comm(&mut self, new: handle::Comm) {
        if self.pt2pt.core.events.wanted(Event::Communicator)
            && let Ok(comm) = self.comm(new)
        {
            let words = [
                comm.context.0,
                u64::from(comm.rank),
                u64::from(comm.size()),
                u64::from(comm.is_inter()),
            ];
            self.pt2pt.core.events.record(Event::Communicator, words);
        }
    }

    /// Returns this process's rank in a group that must contain it.
    pub fn rank_in(&self, group: &Group) -> Outcome<u32> {
        group.rank_of(self.pt2pt.own_process()).ok_or_else(|| {
            Error::new(abi::MPI_ERR_GROUP, "the calling process is not in the group")
        })
    }

    /// Returns a communicator of `group`, which must contain this process.
    pub fn derived(&self, context: Context, group: Group) -> Outcome<Comm> {
        Ok(Comm::new(context, self.rank_in(&group)?, group, ""))
    }

    /// Returns an intercommunicator of two groups, the first of which must contain this process.
    pub fn derived_between(
        &self,
        context: Context,
        group: Group,
        remote: Group,
        leads: bool,
    ) -> Outcome<Comm> {
        Ok(Comm::between(context, self.rank_in(&group)?, group, remote, leads))
    }

    /// Removes a communicator (`MPI_Comm_free`). Pending messages notice that it is gone, and
    /// complete on their own.
    pub fn free_comm(&mut self, comm: handle::Comm) -> Outcome<Comm> {
        if Handle::is_predefined(comm) {
            return Err(Error::new(abi::MPI_ERR_COMM, "predefined communicators cannot be freed"));
        }
        let mut object = match self.comms.remove_pending(comm) {
            Some(pending) => {
                self.pt2pt.core.special_completions -= 1;
                pending
            }
            None => self.comms.remove(comm)?,
        };
        self.unsettle_comm(comm);
        self.pt2pt.core.attached_buffers.abandon(Level::Comm(comm));
        if self.comms.parent == comm {
            self.comms.parent = handle::Comm::NULL;
        }
        (self.hooks.collectives.part)(self, &mut object);
        self.forget_comm(&object);
        errhandler::detach(Object::Comm(comm));
        Ok(object)
    }
}

/// Draws a key that two groups of processes share.
pub fn draw_key() -> Outcome<[u64; 4]> {
    let bits = random_key()?;
    let words = bits.bytes().chunks_exact(8).map(|word| word.try_into().map(u64::from_le_bytes));
    let mut key = [0; 4];
    key.iter_mut().zip(words).for_each(|(place, word)| *place = word.unwrap_or(0));
    Ok(key)
}

fn random_key() -> Outcome<JobKey> {
    JobKey::random().map_err(|refused| {
        Error::new(abi::MPI_ERR_OTHER, format!("the kernel has no random bits: {refused}"))
    })
}

/// Draws a context for a communicator whose processes may belong to several jobs.
pub fn draw_between_jobs() -> Outcome<Context> {
    let bits = random_key()?;
    let word = bits.bytes().first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
    Ok(Context::between_jobs(word))
}
