//! Communicators (MPI 5.0 chapter 7).
//!
//! A communicator consists of a context, a group (two groups, between which messages pass, for an
//! intercommunicator) and its attachments. Processes are named by their index in the job, which all
//! processes use alike.
//!
//! | file | subject |
//! |---|---|
//! | this one | the object, and the engine's table of communicators |
//! | `attributes` | predefined attributes |
//! | `hints` | info keys |
//! | `topology` | the communicator's topology |
//!
//! The processes of a new communicator agree on its context by collective operations, so creation
//! belongs to the layer of these (`nemesis-mpi-coll`).

pub mod attributes;
pub mod hints;
pub mod signature;
mod topology;

pub use crate::agreements::Membership;
use crate::context::Context;
use crate::group::{Group, Owner};
use crate::info::Info;
use crate::topology::Topology;
use signature::{Sequence, Signature};
use std::sync::Arc;

/// A communicator: its context, its group or groups, and its attachments.
pub struct Comm {
    pub context: Context,
    /// Rank of this process in the (local) group.
    pub rank: u32,
    pub group: Group,
    remote: Option<Box<Remote>>,
    /// Process of each rank to which messages can be sent: the list of that group.
    destinations: Arc<[u32]>,
    pub name: String,
    /// The function that has made it; empty if that is not known.
    pub made_by: &'static str,
    /// The known info hints that the program set.
    hints: Info,
    pub topology: Option<Arc<Topology>>,
    /// The collective operations that this process has started.
    pub collectives: Sequence,
    pub persistent_collectives: u32,
    /// Number of the state that the collectives keep for the communicator, or
    /// [`NO_STATE`](Comm::NO_STATE).
    pub collective_state: u32,
    /// Number of the agreements that this process has begun.
    pub agreements: i32,
    /// The membership in its agreement segment, if the members are on one node.
    pub membership: Option<Arc<Membership>>,
    /// Failed processes that the program has acknowledged.
    pub acked: Vec<u32>,
    /// The destinations of a communicator that has none for messages here, because it is revoked,
    /// or because its messages travel in another lane.
    withheld: Option<Arc<[u32]>>,
    is_revoked: bool,
}

/// The remote side of an intercommunicator.
#[derive(Clone)]
struct Remote {
    group: Group,
    /// The processes of the remote group, followed by those of the local group.
    everyone: Arc<[u32]>,
    /// Whether the local group draws contexts, and comes first where an order is needed.
    leads: bool,
}

impl Comm {
    /// Context of a communicator until its own has arrived. It is never drawn.
    pub const UNNAMED: Context = Context(u64::MAX);
    /// Number of no state: no collective operation has needed any.
    pub const NO_STATE: u32 = u32::MAX;

    /// Creates an intracommunicator, in which this process has rank `rank`.
    pub fn new(context: Context, rank: u32, group: Group, name: &str) -> Comm {
        let destinations = group.list();
        Comm {
            context,
            rank,
            group,
            remote: None,
            destinations,
            name: name.to_owned(),
            made_by: "",
            hints: Info::default(),
            topology: None,
            collectives: Sequence::default(),
            persistent_collectives: 0,
            collective_state: Comm::NO_STATE,
            agreements: 0,
            membership: None,
            acked: Vec::new(),
            withheld: None,
            is_revoked: false,
        }
    }

    /// Creates an intercommunicator. Exactly one of its groups `leads`.
    pub fn between(context: Context, rank: u32, group: Group, remote: Group, leads: bool) -> Comm {
        let everyone = remote.processes().iter().chain(group.processes()).copied().collect();
        let destinations = remote.list();
        let remote = Some(Box::new(Remote { group: remote, everyone, leads }));
        Comm { remote, destinations, ..Comm::new(context, rank, group, "") }
    }

    /// Returns a communicator with this one's groups and topology.
    pub fn twin(&self, context: Context) -> Comm {
        let (group, destinations) = (self.group.clone(), self.all_destinations().clone());
        let (remote, topology) = (self.remote.clone(), self.topology.clone());
        Comm { remote, destinations, topology, ..Comm::new(context, self.rank, group, "") }
    }

    /// Returns the name of the communicator, or which one it is, for messages to the user.
    pub fn shown(&self) -> String {
        if !self.name.is_empty() {
            return self.name.clone();
        }
        let processes = match &self.remote {
            Some(remote) => format!("{} and {} processes", self.size(), remote.group.size()),
            None => format!("{} processes", self.size()),
        };
        let kind = if self.is_inter() { "intercommunicator" } else { "communicator" };
        match self.made_by {
            "" => format!("a communicator of {processes}"),
            made_by => format!("the {kind} of {made_by} ({processes})"),
        }
    }

    /// Notes the function that makes this communicator from `parent`, unless it is known: the one
    /// that has begun the last exchange among the processes of `parent`.
    pub(crate) fn note_creator(&mut self, parent: &Comm) {
        let latest = parent.collectives.latest().and_then(signature::Signature::creator);
        if let Some(creator) = latest.filter(|_| self.made_by.is_empty()) {
            self.made_by = creator;
        }
    }

    pub(crate) fn belong_to(&mut self, owner: Owner) {
        self.group = self.group.clone().owned_by(owner);
        if let Some(remote) = &mut self.remote {
            remote.group = remote.group.clone().owned_by(owner);
        }
    }

    /// Returns whether the communicator still waits for its context (`MPI_Comm_idup`).
    pub fn is_unnamed(&self) -> bool {
        self.context == Comm::UNNAMED
    }

    /// Returns the process of each rank to which messages can be sent in this lane: those of the
    /// remote group in an intercommunicator.
    #[inline(always)]
    pub fn destinations(&self) -> &[u32] {
        &self.destinations
    }

    /// Returns the processes that collective operations name by index: by rank in an
    /// intracommunicator; in an intercommunicator the remote group, followed by the local group.
    /// The caller may keep the list beyond the communicator's life.
    pub fn everyone(&self) -> Arc<[u32]> {
        self.remote.as_ref().map_or(self.all_destinations(), |remote| &remote.everyone).clone()
    }

    /// Records the start of a persistent operation's creation, and returns the tag of its messages.
    pub fn begin_persistent(&mut self, signature: Signature) -> i32 {
        let history = self.collectives.begin(signature);
        self.persistent_collectives = self.persistent_collectives.wrapping_add(1);
        signature::tag(self.persistent_collectives, history)
    }

    /// Records the start of a collective operation, and returns the tag of its messages.
    #[inline]
    pub fn begin_collective(&mut self, signature: Signature) -> i32 {
        self.collectives.begin(signature);
        self.collectives.tag()
    }

    /// Revokes the communicator: no message names a destination or source any more.
    pub(crate) fn revoke(&mut self) {
        self.is_revoked = true;
        self.withhold();
    }

    /// Leaves the communicator's messages to another lane: here none names a destination or source.
    pub(crate) fn withhold(&mut self) {
        if self.withheld.is_none() {
            self.withheld = Some(std::mem::replace(&mut self.destinations, Arc::new([])));
        }
    }

    /// Returns whether the communicator's messages travel in another lane.
    pub fn is_elsewhere(&self) -> bool {
        self.withheld.is_some() && !self.is_revoked
    }

    /// Returns the process of each rank to which messages can be sent, in whatever lane.
    pub fn all_destinations(&self) -> &Arc<[u32]> {
        self.withheld.as_ref().unwrap_or(&self.destinations)
    }

    /// Returns the number of processes to which messages can be sent, also if the communicator is
    /// revoked.
    pub fn peers(&self) -> usize {
        self.all_destinations().len()
    }

    /// Returns whether the communicator is revoked.
    pub fn is_revoked(&self) -> bool {
        self.is_revoked
    }

    /// Returns all processes in an order that is equal at all of them: those of the group that
    /// leads come first.
    pub(crate) fn in_order(&self) -> Arc<[u32]> {
        let (own, remote) =
            (self.group.processes(), self.remote().map_or(&[][..], Group::processes));
        let (first, second) = if self.leads() { (own, remote) } else { (remote, own) };
        first.iter().chain(second).copied().collect()
    }

    /// Returns the number of processes of the local group.
    pub fn size(&self) -> u32 {
        self.group.size()
    }

    /// Returns whether this is an intercommunicator.
    pub fn is_inter(&self) -> bool {
        self.remote.is_some()
    }

    /// Returns the remote group of an intercommunicator.
    pub fn remote(&self) -> Option<&Group> {
        self.remote.as_ref().map(|remote| &remote.group)
    }

    /// Returns the size of the remote group, or 0 for an intracommunicator.
    pub fn remote_size(&self) -> u32 {
        self.remote().map_or(0, Group::size)
    }

    /// Returns whether the local group draws the contexts of derived communicators. One of the two
    /// groups of an intercommunicator does.
    pub fn leads(&self) -> bool {
        self.remote.as_ref().is_none_or(|remote| remote.leads)
    }
}
