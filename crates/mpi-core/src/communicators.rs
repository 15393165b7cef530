//! The communicators of this process, by their handles.

use crate::abi;
use crate::comm::Comm;
use crate::comm_cache::CommCache;
use crate::context::{self, Class, Context};
use crate::envelope::{Envelope, Wanted, bad_tag};
use crate::error::{Error, Outcome};
use crate::handle::{self, Handle, Table};
use crate::matching::{ANY_RANK, ANY_TAG, Pattern};
use crate::packet::kind;
use crate::peer_failure::{self, Losses, is_tolerant};
use crate::scratch::get_words;
use nemesis::wire::Header;
use nemesis_datatype::Buffer;
use std::collections::BTreeSet;

/// All communicators.
pub struct Communicators {
    /// `MPI_COMM_WORLD` and `MPI_COMM_SELF`.
    pub predefined: [Option<Box<Comm>>; 2],
    /// The other communicators.
    table: Table<handle::Comm, Comm>,
    /// The communicator that sends used last.
    pub cache: CommCache,
    /// The intercommunicator to the processes that spawned this job; null otherwise.
    pub parent: handle::Comm,
    /// The counter from which this process draws context ids.
    contexts: context::Counter,
    /// The contexts of freed communicators, while the development checks are on.
    freed: BTreeSet<u64>,
    /// The communicators of `MPI_Comm_idup` whose requests the program has not completed.
    pending: Vec<Pending>,
}

/// A communicator that its handle does not name before a request is complete (MPI 5.0 §7.4.2).
struct Pending {
    handle: handle::Comm,
    comm: Comm,
    request: handle::Request,
}

/// Tells a finding: a communicator is asked before its request is complete, which other libraries
/// let pass.
#[cold]
fn used_early() {
    let text = "the communicator is still in the making: its MPI_Comm_idup is not complete";
    nemesis_mpi_check::suspect(&nemesis_mpi_check::kinds::TOLERATED, || text.into());
}

#[cold]
fn no_comm(handle: handle::Comm, dead: handle::Dead, pending: &[Pending]) -> Box<Error> {
    if pending.iter().any(|pending| pending.handle == handle) {
        return Error::new(
            abi::MPI_ERR_COMM,
            "the communicator is still in the making: its MPI_Comm_idup is not complete",
        )
        .advise("complete the request of MPI_Comm_idup before the first use of the communicator");
    }
    if handle == abi::MPI_COMM_WORLD || handle == abi::MPI_COMM_SELF {
        return Error::new(
            abi::MPI_ERR_COMM,
            "the communicators of the world model exist between MPI_Init and MPI_Finalize",
        )
        .advise(
            "make one from a session: MPI_Group_from_session_pset, MPI_Comm_create_from_group",
        );
    }
    Error::dead(abi::MPI_ERR_COMM, dead)
}

impl Communicators {
    pub(crate) const fn new() -> Communicators {
        Communicators {
            predefined: [None, None],
            table: Table::new(),
            cache: CommCache::NONE,
            parent: handle::Comm::NULL,
            contexts: context::Counter::new(),
            freed: BTreeSet::new(),
            pending: Vec::new(),
        }
    }

    /// Returns the number of communicators, with the predefined ones.
    pub fn count(&self) -> usize {
        self.table.len() + self.predefined.iter().flatten().count()
    }

    /// Returns all communicators with their handles.
    pub fn handles(&self) -> Vec<handle::Comm> {
        let predefined = [abi::MPI_COMM_WORLD, abi::MPI_COMM_SELF];
        let predefined = predefined.into_iter().filter(|&handle| self.find(handle).is_some());
        predefined.chain(self.named().map(|(handle, _)| handle)).collect()
    }

    /// Returns the communicators that are not predefined, with their handles.
    pub fn named(&self) -> impl Iterator<Item = (handle::Comm, &Comm)> {
        self.table.named()
    }

    /// Returns all communicators.
    pub fn all(&self) -> impl Iterator<Item = &Comm> {
        let predefined = self.predefined.iter().flatten().map(|comm| &**comm);
        predefined.chain(self.named().map(|(_, comm)| comm))
    }

    /// Returns the communicator that `handle` names.
    #[inline(always)]
    pub fn get(&self, handle: handle::Comm) -> Outcome<&Comm> {
        let predefined = handle.0.wrapping_sub(abi::MPI_COMM_WORLD.0);
        match self.predefined.get(predefined) {
            Some(Some(comm)) => Ok(comm),
            _ => self.table.get(handle).map_err(|dead| no_comm(handle, dead, &self.pending)),
        }
    }

    /// Returns whether `handle` is that of an `MPI_Comm_idup` which the program has not completed.
    pub fn is_pending(&self, handle: handle::Comm) -> bool {
        self.pending.iter().any(|pending| pending.handle == handle)
    }

    /// Returns the communicator that `handle` names, also one whose `MPI_Comm_idup` the program has
    /// not completed: its group and name are known.
    pub fn known(&self, handle: handle::Comm) -> Outcome<&Comm> {
        self.get(handle).or_else(|error| {
            let pending = self.pending.iter().find(|pending| pending.handle == handle);
            let pending = pending.ok_or(error)?;
            used_early();
            Ok(&pending.comm)
        })
    }

    /// Returns the communicator that `handle` names, as [`known`](Self::known) does, to change it.
    pub fn known_mut(&mut self, handle: handle::Comm) -> Outcome<&mut Comm> {
        if self.is_pending(handle) {
            used_early();
            return self.pending_mut(handle).ok_or_else(|| {
                Error::new(abi::MPI_ERR_INTERN, "a pending communicator has vanished")
            });
        }
        self.get_mut(handle)
    }

    /// Returns the communicator that `handle` names, or `None`. For paths whose instructions are
    /// counted.
    #[inline(always)]
    pub fn find(&self, handle: handle::Comm) -> Option<&Comm> {
        match self.predefined.get(handle.0.wrapping_sub(abi::MPI_COMM_WORLD.0)) {
            Some(comm) => comm.as_deref(),
            None => self.table.find(handle),
        }
    }

    /// Returns the communicator that `handle` names.
    #[inline]
    pub fn get_mut(&mut self, handle: handle::Comm) -> Outcome<&mut Comm> {
        let predefined = handle.0.wrapping_sub(abi::MPI_COMM_WORLD.0);
        match self.predefined.get_mut(predefined) {
            Some(Some(comm)) => Ok(comm),
            _ => self.table.get_mut(handle).map_err(|dead| no_comm(handle, dead, &self.pending)),
        }
    }

    /// Returns the communicator that `handle` names, as [`find`](Self::find) does.
    #[inline(always)]
    pub fn find_mut(&mut self, handle: handle::Comm) -> Option<&mut Comm> {
        match self.predefined.get_mut(handle.0.wrapping_sub(abi::MPI_COMM_WORLD.0)) {
            Some(comm) => comm.as_deref_mut(),
            None => self.table.get_mut(handle).ok(),
        }
    }

    /// Returns the communicator that `handle` names, which must be an intracommunicator.
    pub fn intra(&self, comm: handle::Comm) -> Outcome<&Comm> {
        let object = self.get(comm)?;
        if object.is_inter() {
            return Err(Error::new(
                abi::MPI_ERR_COMM,
                "the call needs an intracommunicator, this is an intercommunicator",
            ));
        }
        Ok(object)
    }

    /// Returns the communicator that `handle` names, which must be an intercommunicator.
    pub fn inter(&self, comm: handle::Comm) -> Outcome<&Comm> {
        let object = self.get(comm)?;
        if !object.is_inter() {
            return Err(Error::new(
                abi::MPI_ERR_COMM,
                "the call needs an intercommunicator, this is an intracommunicator",
            ));
        }
        Ok(object)
    }

    /// Adds a communicator, and returns its handle.
    pub(crate) fn insert(&mut self, comm: Comm) -> Outcome<handle::Comm> {
        let handle = self.table.insert(comm).ok_or_else(too_many)?;
        if nemesis_mpi_check::is_on() {
            nemesis_mpi_check::sites::note(handle.bits());
        }
        Ok(handle)
    }

    /// Returns the handle of a communicator that it names when
    /// [`complete_pending`](Self::complete_pending) is called with the request that
    /// [`set_pending_request`](Self::set_pending_request) gives.
    pub(crate) fn insert_pending(&mut self, comm: Comm) -> Outcome<handle::Comm> {
        let handle = self.table.reserve().ok_or_else(too_many)?;
        self.pending.push(Pending { handle, comm, request: handle::Request::NULL });
        if nemesis_mpi_check::is_on() {
            nemesis_mpi_check::sites::note(handle.bits());
        }
        Ok(handle)
    }

    /// Returns a pending communicator.
    pub fn pending_mut(&mut self, handle: handle::Comm) -> Option<&mut Comm> {
        let mut all = self.pending.iter_mut();
        all.find(|pending| pending.handle == handle).map(|pending| &mut pending.comm)
    }

    pub(crate) fn set_pending_request(&mut self, handle: handle::Comm, request: handle::Request) {
        let mut all = self.pending.iter_mut();
        if let Some(pending) = all.find(|pending| pending.handle == handle) {
            pending.request = request;
        }
    }

    /// Makes the communicator usable that waits for a request, and returns its handle.
    pub(crate) fn complete_pending(&mut self, request: handle::Request) -> Option<handle::Comm> {
        let is_its = |pending: &Pending| pending.request == request && !pending.request.is_null();
        let place = self.pending.iter().position(is_its)?;
        let Pending { handle, comm, .. } = self.pending.swap_remove(place);
        self.table.fill(handle, comm);
        Some(handle)
    }

    /// Removes a pending communicator.
    pub(crate) fn remove_pending(&mut self, handle: handle::Comm) -> Option<Comm> {
        let place = self.pending.iter().position(|pending| pending.handle == handle)?;
        self.table.give_up(handle);
        Some(self.pending.swap_remove(place).comm)
    }

    /// Iterates over the communicators that the program has to free, with their handles. That to
    /// the parent process is not among them.
    pub fn made(&self) -> impl Iterator<Item = (handle::Comm, &Comm)> {
        self.table.named().filter(|(handle, _)| *handle != self.parent)
    }

    /// Removes a communicator that is not predefined.
    pub(crate) fn remove(&mut self, comm: handle::Comm) -> Outcome<Comm> {
        let object =
            self.table.remove(comm).map_err(|dead| Error::dead(abi::MPI_ERR_COMM, dead))?;
        self.cache.forget(comm);
        self.note_freed(&object);
        Ok(object)
    }

    /// Notes that a communicator is freed, for [`knows`](Self::knows).
    pub fn note_freed(&mut self, comm: &Comm) {
        if nemesis_mpi_check::is_on() {
            self.freed.insert(comm.context.class(Class::PointToPoint).0);
        }
    }

    /// Returns whether a communicator that this process has, or has freed under the development
    /// checks, has the context for point-to-point messages. Any other is of a communicator that it
    /// has yet to make.
    pub(crate) fn knows(&self, context: Context) -> bool {
        self.freed.contains(&context.0)
            || self.all().any(|comm| comm.context.class(Class::PointToPoint) == context)
    }

    /// Returns whether a communicator of the program contains the process.
    pub fn contain(&self, process: u32) -> bool {
        self.table.iter().any(|comm| comm.everyone().contains(&process))
    }

    /// Draws a context that no communicator has had, for the process `own`.
    pub(crate) fn draw_context(&mut self, own: u32) -> Outcome<Context> {
        self.contexts.draw(own).ok_or_else(|| {
            Error::new(
                abi::MPI_ERR_NO_MEM,
                "this process has led the creation of 2^33 communicators",
            )
        })
    }

    /// Sets the context of a communicator under construction to the word in `context`. Does nothing
    /// if the communicator has been freed.
    pub fn set_context(&mut self, comm: handle::Comm, context: &Buffer) {
        let [drawn] = get_words(context, 0);
        if let Some(pending) = self.pending_mut(comm) {
            pending.context = Context(drawn);
        } else if let Ok(comm) = self.table.get_mut(comm) {
            comm.context = Context(drawn);
        }
    }

    /// Counts a message of `comm` that missed the cache.
    #[inline]
    pub(crate) fn count_use(&mut self, comm: handle::Comm) {
        if self.cache.count_use(comm) {
            self.cache_comm(comm);
        }
    }

    /// Caches `comm`, if the handle names a communicator that has its context.
    #[cold]
    pub fn cache_comm(&mut self, comm: handle::Comm) {
        let object = match self.predefined.get(comm.0.wrapping_sub(abi::MPI_COMM_WORLD.0)) {
            Some(object) => object.as_deref(),
            None => self.table.find(comm),
        };
        if let Some(object) = object.filter(|object| !object.is_unnamed()) {
            self.cache.fill(comm, object);
        }
    }

    /// Checks a destination and a tag. Returns `None` for `MPI_PROC_NULL`.
    #[inline(always)]
    pub fn envelope(&self, comm: handle::Comm, dest: i32, tag: i32) -> Outcome<Option<Envelope>> {
        let object = self.get(comm)?;
        let Some(&to) = object.destinations().get(dest as usize) else {
            return self.no_destination(comm, dest, tag);
        };
        if tag < 0 {
            return Err(bad_tag(tag));
        }
        let context = object.context.class(Class::PointToPoint).0;
        Ok(Some(Envelope {
            comm,
            to,
            header: Header {
                kind: kind::EAGER,
                context,
                tag,
                rank: object.rank,
                ..Header::default()
            },
        }))
    }

    /// Fails if a communicator is revoked.
    #[cold]
    pub fn check_revoked(&self, comm: handle::Comm) -> Outcome {
        if self.get(comm)?.is_revoked() { Err(peer_failure::revoked().on(comm)) } else { Ok(()) }
    }

    /// Stores a communicator that another lane has, and whose messages travel in this one.
    pub(crate) fn adopt(&mut self, handle: handle::Comm, comm: Comm) {
        self.table.adopt(handle, comm);
    }

    /// Removes a communicator that another lane has.
    pub(crate) fn disown(&mut self, handle: handle::Comm) {
        self.cache.forget(handle);
        if nemesis_mpi_check::is_on()
            && let Ok(comm) = self.table.get(handle)
        {
            self.freed.insert(comm.context.class(Class::PointToPoint).0);
        }
        self.table.disown(handle);
    }

    #[cold]
    fn no_destination(&self, comm: handle::Comm, dest: i32, tag: i32) -> Outcome<Option<Envelope>> {
        self.check_revoked(comm)?;
        if self.get(comm)?.is_elsewhere() {
            let context = self.get(comm)?.context;
            return Err(if tag < 0 { bad_tag(tag) } else { no_lane(comm, context) });
        }
        if dest != abi::MPI_PROC_NULL {
            return Err(self.bad_rank(comm, "destination", dest));
        }
        if tag < 0 { Err(bad_tag(tag)) } else { Ok(None) }
    }

    /// Returns the error of a rank that the communicator does not have; `role` names the argument.
    #[cold]
    pub fn bad_rank(&self, comm: handle::Comm, role: &str, rank: i32) -> Box<Error> {
        let size = self.get(comm).map_or(0, |comm| comm.destinations().len());
        Error::new(
            abi::MPI_ERR_RANK,
            format!(
                "{role} {rank} is not a rank of the communicator, which has {size} (0 to {})",
                size.wrapping_sub(1) as i64
            ),
        )
    }

    /// Checks a source and a tag. Returns `None` for `MPI_PROC_NULL`.
    #[inline(always)]
    pub fn wanted(&self, comm: handle::Comm, source: i32, tag: i32) -> Outcome<Option<Wanted>> {
        let object = self.get(comm)?;
        let context = object.context.class(Class::PointToPoint);
        let tag = if tag >= 0 { tag } else { any_tag(tag)? };
        match object.destinations().get(source as usize) {
            Some(&from) => Ok(Some(Wanted {
                comm,
                pattern: Pattern { context, rank: source as u32, tag },
                from: Some(from),
            })),
            None if object.is_revoked() => Err(peer_failure::revoked().on(comm)),
            None if object.is_elsewhere() && tag == ANY_TAG && context.last_lane_by_tag() > 0 => {
                Err(any_tag_although_asserted(comm))
            }
            None if object.is_elsewhere() => Err(no_lane(comm, context)),
            None if source == abi::MPI_ANY_SOURCE => Ok(Some(Wanted {
                comm,
                pattern: Pattern { context, rank: ANY_RANK, tag },
                from: None,
            })),
            None if source == abi::MPI_PROC_NULL => Ok(None),
            None => Err(self.bad_rank(comm, "source", source)),
        }
    }

    /// Fails if the message to receive could come, or could have come, from a lost process.
    #[inline]
    pub(crate) fn check_loss(&self, losses: &Losses, wanted: &Wanted) -> Outcome {
        if losses.is_empty() { Ok(()) } else { self.check_source(losses, wanted) }
    }

    #[cold]
    fn check_source(&self, losses: &Losses, wanted: &Wanted) -> Outcome {
        match wanted.from {
            _ if losses.has_revoked() && self.get(wanted.comm).is_ok_and(Comm::is_revoked) => {
                Err(peer_failure::revoked().on(wanted.comm))
            }
            Some(from) => {
                losses.check(from)?;
                // If the jobs of all go on, a process leaves out a collective operation if it knows
                // of a death in the communicator.
                let context = wanted.pattern.context;
                let is_collective = context == context.class(Class::Collective)
                    || context == context.class(Class::Persistent);
                if !is_collective || !is_tolerant() || context.is_of_nobody() {
                    return Ok(());
                }
                let everyone = self.get(wanted.comm)?.everyone();
                match losses.check_all(&everyone) {
                    Err(lost) if peer_failure::all_go_on(&everyone) => Err(lost),
                    _ => Ok(()),
                }
            }
            None => {
                let comm = self.get(wanted.comm)?;
                losses.check_unacked(comm.destinations(), &comm.acked)
            }
        }
    }
}

/// A call without a tag is in no lane of a communicator each of whose tags has one.
#[cold]
fn any_tag_although_asserted(comm: handle::Comm) -> Box<Error> {
    let why = "the communicator was made with mpi_assert_no_any_tag, and messages of different \
               tags travel in different lanes";
    Error::new(abi::MPI_ERR_TAG, why)
        .advise("name a tag, or make the communicator without that assertion, or NEMESIS_LANES=1")
        .on(comm)
}

/// Calls about messages enter the lane of the communicator, unless it does not exist.
#[cold]
fn no_lane(comm: handle::Comm, context: Context) -> Box<Error> {
    let why = format!(
        "the messages of this communicator travel in lane {}, which this process could not open \
         when the communicator was made",
        context.lane()
    );
    Error::new(abi::MPI_ERR_OTHER, why)
        .advise(
            "NEMESIS_LANES=1, if the program asks for no lane, or what the process has said when \
             it could not open the lane",
        )
        .on(comm)
}

#[cold]
fn too_many() -> Box<Error> {
    Error::new(abi::MPI_ERR_NO_MEM, "more than a million communicators exist")
}

#[cold]
fn any_tag(tag: i32) -> Outcome<i32> {
    if tag == abi::MPI_ANY_TAG { Ok(ANY_TAG) } else { Err(bad_tag(tag)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorClass;
    use crate::group::Group;

    /// Returns a communicator of processes 5 and 7, of which this one is 7.
    fn comm(context: u64) -> Comm {
        Comm::new(Context(context), 1, Group::new(vec![5, 7]), "")
    }

    fn class<T>(outcome: Outcome<T>) -> Option<ErrorClass> {
        outcome.err().map(|error| error.class)
    }

    #[test]
    fn a_handle_names_its_communicator_until_it_is_removed() {
        let mut comms = Communicators::new();
        comms.predefined[0] = Some(Box::new(comm(1 << 40)));
        let handle = comms.insert(comm(2 << 40)).unwrap();
        assert_eq!(comms.get(abi::MPI_COMM_WORLD).unwrap().context, Context(1 << 40));
        assert_eq!(comms.get_mut(handle).unwrap().context, Context(2 << 40));
        assert_eq!(comms.count(), 2);
        comms.remove(handle).unwrap();
        assert!(comms.find(handle).is_none() && comms.find_mut(handle).is_none());
        assert!(comms.find(abi::MPI_COMM_SELF).is_none());
        assert_eq!(class(comms.get(handle)), Some(abi::MPI_ERR_COMM));
    }

    #[test]
    fn a_pending_communicator_is_named_when_its_request_is_complete() {
        let mut comms = Communicators::new();
        let request = handle::Request(0x1234);
        let pending = comms.insert_pending(comm(2 << 40)).unwrap();
        comms.set_pending_request(pending, request);
        let refused = comms.get(pending).map(drop).unwrap_err();
        assert!(refused.why.contains("in the making"), "{}", refused.why);
        assert!(comms.find(pending).is_none() && comms.find_mut(pending).is_none());
        assert_eq!(comms.complete_pending(handle::Request(1)), None);
        comms.pending_mut(pending).unwrap().context = Context(3 << 40);
        assert_eq!(comms.complete_pending(request), Some(pending));
        assert_eq!(comms.get(pending).unwrap().context, Context(3 << 40));
        assert!(
            comms.complete_pending(request).is_none() && comms.remove_pending(pending).is_none()
        );
        let other = comms.insert_pending(comm(4 << 40)).unwrap();
        assert!(comms.remove_pending(other).is_some());
        assert!(comms.get(other).map(drop).unwrap_err().why.contains("freed"));
    }

    #[test]
    fn the_cache_holds_a_communicator_until_it_is_removed() {
        let mut comms = Communicators::new();
        let handle = comms.insert(comm(2 << 40)).unwrap();
        let other = comms.insert(comm(3 << 40)).unwrap();
        comms.cache_comm(handle);
        assert_eq!(comms.cache.process(handle, 0), Some(5));
        assert_eq!(comms.cache.process(handle, 2), None);
        comms.count_use(other);
        assert_eq!(comms.cache.process(handle, 1), Some(7), "one message does not change it");
        (0..100).for_each(|_| comms.count_use(other));
        assert_eq!(comms.cache.process(other, 1), Some(7));
        comms.remove(other).unwrap();
        assert_eq!(comms.cache.process(other, 1), None);
    }

    #[test]
    fn envelopes_and_patterns_need_a_rank_and_a_tag() {
        let mut comms = Communicators::new();
        let handle = comms.insert(comm(2 << 40)).unwrap();
        assert_eq!(comms.envelope(handle, 0, 3).unwrap().unwrap().to, 5);
        assert!(comms.envelope(handle, abi::MPI_PROC_NULL, 3).unwrap().is_none());
        assert_eq!(class(comms.envelope(handle, 2, 3)), Some(abi::MPI_ERR_RANK));
        assert_eq!(class(comms.envelope(handle, 0, -5)), Some(abi::MPI_ERR_TAG));
        let any = comms.wanted(handle, abi::MPI_ANY_SOURCE, abi::MPI_ANY_TAG).unwrap().unwrap();
        assert_eq!((any.pattern.rank, any.pattern.tag, any.from), (ANY_RANK, ANY_TAG, None));
        let mut losses = Losses::new();
        assert!(comms.check_loss(&losses, &any).is_ok());
        losses.add(7, "the test has lost it".into());
        assert!(comms.check_loss(&losses, &any).is_err(), "it could be the source");
        let from_another = comms.wanted(handle, 0, 3).unwrap().unwrap();
        assert!(comms.check_loss(&losses, &from_another).is_ok());
    }
}
