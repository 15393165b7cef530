//! [`Wireup`]: the result of wire-up, and the connection to the launcher as long as the process
//! lives.

use crate::build::{self, OtherBuild};
use crate::card::{self, Card};
use crate::directory::{self, Directory};
use crate::key::JobKey;
use crate::launch_env::{self, Dialect, LaunchEnv, Launcher};
use crate::link::{Link, Store};
use crate::pmi1::{self, Client, Welcome};
use crate::reporter::Reporter;
use crate::segment::{self, Segment};
use crate::{WireupError, environment, mapping, pmi2, pmix};
use nemesis_sys::unix_socket;
use rustix::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixListener;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum length of a key of [`Wireup::put`] in bytes. It leaves space for the numbers of pieces.
const KEY_BYTES_MAX: usize = 48;

/// Prefix of a command that makes a program started by a rank a job of its own.
const ALONE: &str = "env -u PMI_FD -u PMI_SIZE";

/// This process's rank, its job, and its connection to the launcher.
#[derive(Debug)]
pub struct Wireup {
    rank: u32,
    size: u32,
    /// The node of every rank; nodes are numbered in the order of their first rank.
    nodes: Vec<u32>,
    /// The ranks of this node, ascending.
    local_ranks: Vec<u32>,
    launcher: Launcher,
    key: JobKey,
    link: Arc<Mutex<Link>>,
    /// Cards of the networks until the exchange.
    cards: Vec<(String, Vec<u8>)>,
    /// Source of the segment; taken by [`Wireup::segment`].
    source: Option<Source>,
    /// Value of `environment::ACCEPTOR`, if `mpiexec` of Nemesis set it.
    acceptor: Option<String>,
    /// Value of `environment::PROCESSORS`, if `mpiexec` of Nemesis set it.
    processors: Option<Processors>,
    /// Whether another job has spawned this one.
    spawned: bool,
}

/// How this process obtains the segment.
#[derive(Debug)]
enum Source {
    /// This process is alone on its node and makes the segment.
    Own,
    /// `mpiexec` of Nemesis left the segment open; the descriptor's number as the environment gives
    /// it.
    Inherited(String),
    /// This process is the first rank of its node; the others connect to this socket.
    Hands(UnixListener),
    /// The node's first rank hands the segment over: its number and its card.
    From(u32, Card),
    /// A simulation has made the segment.
    Given(Segment),
}

impl Wireup {
    /// Finds the launcher and the other processes. Collective: returns when all ranks have called
    /// it, or at once under `mpiexec` of Nemesis, whose environment says everything.
    pub fn connect() -> Result<Wireup, WireupError> {
        let variable = |name: &str| std::env::var(name).ok();
        let is_slurm = variable("SLURM_STEP_ID").is_some();
        let (mut client, rank, size) = match launch_env::read(variable)? {
            LaunchEnv::Singleton => return Wireup::singleton(),
            LaunchEnv::Descriptor { number, rank, size, dialect: Dialect::Pmi1 } => {
                (Client::over(over_descriptor(number)?), rank, size)
            }
            LaunchEnv::Descriptor { number, rank, dialect: Dialect::Pmi2 { job }, .. } => {
                let client = pmi2::Client::init(over_descriptor(number)?, rank, &job)?;
                let (rank, size) = (client.rank, client.size);
                launch_env::check_rank(rank, size)?;
                let launcher = if is_slurm { Launcher::Slurm } else { Launcher::Pmi2 };
                return Wireup::by_cards(Link::Pmi2(client), rank, size, launcher);
            }
            LaunchEnv::Port { address, id } => Client::connect(&address, &id)?,
            LaunchEnv::Pmix => {
                let client = pmix::Client::join(variable)?;
                let (rank, size) = (client.rank, client.size);
                launch_env::check_rank(rank, size)?;
                let launcher = if is_slurm { Launcher::Slurm } else { Launcher::Pmix };
                return Wireup::by_cards(Link::Pmix(Box::new(client)), rank, size, launcher);
            }
        };
        launch_env::check_rank(rank, size)?;
        let welcome = client.init()?;
        if lacks_segment(&welcome) {
            if welcome.earlier > 0 {
                client.set_prefix(format!("{}-", welcome.earlier));
            }
            return Wireup::by_cards(Link::Pmi1(client), rank, size, Launcher::Pmi1);
        }
        if let (Some(told), Some(segment)) =
            (Told::by(&welcome, rank, size), variable(environment::SEGMENT_FD))
        {
            let processors =
                variable(environment::PROCESSORS).and_then(|text| Processors::read(&text));
            return Ok(Wireup {
                acceptor: variable(environment::ACCEPTOR),
                processors,
                spawned: welcome.spawned,
                ..Wireup::told(client, rank, size, told, segment)
            });
        }
        let launcher = if welcome.ours {
            Launcher::Nemesis
        } else if is_slurm {
            Launcher::Slurm
        } else {
            Launcher::Pmi1
        };
        Wireup::by_cards(Link::Pmi1(client), rank, size, launcher)
    }

    /// Makes the result from the answer to `init` by `mpiexec` of Nemesis.
    fn told(client: Client, rank: u32, size: u32, told: Told, segment: String) -> Wireup {
        Wireup {
            rank,
            size,
            local_ranks: ranks_of_node(&told.nodes, rank),
            nodes: told.nodes,
            launcher: Launcher::Nemesis,
            key: told.key,
            link: Arc::new(Mutex::new(Link::Pmi1(client))),
            cards: Vec::new(),
            source: Some(Source::Inherited(segment)),
            acceptor: None,
            processors: None,
            spawned: false,
        }
    }

    fn singleton() -> Result<Wireup, WireupError> {
        Ok(Wireup {
            rank: 0,
            size: 1,
            nodes: vec![0],
            local_ranks: vec![0],
            launcher: Launcher::Singleton,
            key: JobKey::random().map_err(no_randomness)?,
            link: Arc::new(Mutex::new(Link::alone())),
            cards: Vec::new(),
            source: Some(Source::Own),
            acceptor: None,
            processors: None,
            spawned: false,
        })
    }

    /// Returns the wire-up of a process of a simulation: the node of every rank, the segment of its
    /// own node, the processors that the ranks of a node may keep busy, and the launcher.
    ///
    /// # Panics
    /// If `nodes` has no entry for `rank`.
    pub fn simulated(
        rank: u32,
        nodes: Vec<u32>,
        key: JobKey,
        segment: Segment,
        processors: usize,
        store: Box<dyn Store>,
    ) -> Wireup {
        Wireup {
            rank,
            size: nodes.len() as u32,
            local_ranks: ranks_of_node(&nodes, rank),
            nodes,
            launcher: Launcher::Singleton,
            key,
            link: Arc::new(Mutex::new(Link::Inside(store))),
            cards: Vec::new(),
            source: Some(Source::Given(segment)),
            acceptor: None,
            processors: Some(Processors { count: processors, all: Vec::new(), own: Vec::new() }),
            spawned: false,
        }
    }

    /// Exchanges the first cards, which tell the node of every rank.
    fn by_cards(
        mut link: Link,
        rank: u32,
        size: u32,
        launcher: Launcher,
    ) -> Result<Wireup, WireupError> {
        let own = Card::of_this_process(rank).map_err(no_randomness)?;
        // Every rank listens before the barrier, so that the first rank of a node is ready when the
        // others connect.
        let listener = unix_socket::listen_abstract(&own.socket).map_err(|refused| {
            WireupError::new("listening for the ranks of this node", refused, "raising `ulimit -n`")
        })?;
        let key_of = |rank: u32| format!("nemesis-card-{rank}");
        link.put(&key_of(rank), &own.encode())?;
        link.barrier()?;
        let cards: Vec<Card> = (0..size)
            .map(|other| card_of(&mut link, other, &key_of(other)))
            .collect::<Result<_, _>>()?;
        let key = cards[0].key.clone().ok_or_else(|| not_ours(0))?;
        let nodes = card::nodes(&cards);
        let local_ranks = ranks_of_node(&nodes, rank);
        let source = match local_ranks[0] {
            _ if local_ranks.len() == 1 => Source::Own,
            first if first == rank => Source::Hands(listener),
            first => Source::From(first, cards[first as usize].clone()),
        };
        let link = Arc::new(Mutex::new(link));
        Ok(Wireup {
            rank,
            size,
            nodes,
            local_ranks,
            launcher,
            key,
            link,
            cards: Vec::new(),
            source: Some(source),
            acceptor: None,
            processors: None,
            spawned: false,
        })
    }

    /// Returns the rank of this process in the job.
    pub fn rank(&self) -> u32 {
        self.rank
    }

    /// Returns the number of processes of the job.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Returns this process's index among the ranks of its node.
    pub fn local_rank(&self) -> u32 {
        self.local_ranks.partition_point(|&other| other < self.rank) as u32
    }

    /// Returns the number of ranks of this node.
    pub fn local_size(&self) -> u32 {
        self.local_ranks.len() as u32
    }

    /// Returns the number of processors that the ranks of this node may keep busy, at least 1.
    /// `mpiexec` of Nemesis tells it; under another launcher it is estimated from the processes
    /// with the same parent.
    pub fn processors(&self) -> usize {
        self.processors
            .as_ref()
            .map_or_else(nemesis_sys::host::cores_of_siblings, |told| told.count.max(1))
    }

    /// Returns the processors of which `mpiexec` gave each rank of this node a share that it may
    /// give up, and this rank's share. Both are empty if it gave none.
    pub fn shared_processors(&self) -> (&[usize], &[usize]) {
        self.processors.as_ref().map_or((&[], &[]), |told| (&told.all, &told.own))
    }

    /// Returns the ranks of this node, ascending.
    pub fn local_ranks(&self) -> &[u32] {
        &self.local_ranks
    }

    /// Returns the number of the node of `rank`; nodes are numbered in the order of their first
    /// rank.
    ///
    /// # Panics
    /// If the job has no such rank.
    pub fn node_of(&self, rank: u32) -> u32 {
        self.nodes[rank as usize]
    }

    /// Returns the number of processes of each node, by the numbers of [`node_of`](Self::node_of).
    pub fn processes_of_nodes(&self) -> Vec<usize> {
        let mut processes = Vec::new();
        for &node in &self.nodes {
            processes.resize(processes.len().max(node as usize + 1), 0);
            processes[node as usize] += 1;
        }
        processes
    }

    /// Returns the launcher that has started the job.
    pub fn launcher(&self) -> Launcher {
        self.launcher
    }

    /// Returns the key that proves to a process that another belongs to this job.
    pub fn job_key(&self) -> &JobKey {
        &self.key
    }

    /// Returns the number of this process's program in a job of several programs (MPI 5.0 §11.10.3,
    /// MPI_APPNUM), if the launcher knows it.
    pub fn appnum(&mut self) -> Result<Option<u32>, WireupError> {
        Ok(u32::try_from(self.link().appnum()?).ok())
    }

    /// Returns the number of processes that can usefully be started in all (MPI 5.0 §11.10.1,
    /// MPI_UNIVERSE_SIZE), if the launcher knows it.
    pub fn universe_size(&mut self) -> Result<Option<u32>, WireupError> {
        Ok(u32::try_from(self.link().universe_size()?).ok().filter(|&size| size > 0))
    }

    /// Adds this process's card for a network, by which other processes reach it: any bytes of any
    /// length. Call it before [`exchange`](Self::exchange).
    ///
    /// # Panics
    /// If the network's name is longer than 255 bytes.
    pub fn publish(&mut self, network: &str, card: &[u8]) {
        assert!(network.len() <= usize::from(u8::MAX), "{network} is no name for a network");
        self.cards.push((network.to_owned(), card.to_vec()));
    }

    /// Makes the published cards visible to all processes. Collective, called once: either all
    /// processes call it or none does, if there is no network.
    pub fn exchange(&mut self) -> Result<(), WireupError> {
        let value = directory::encode_cards(&std::mem::take(&mut self.cards));
        let mut link = self.link();
        link.put(&directory::key_of(self.rank), &value)?;
        link.barrier()?;
        link.keep((0..self.size).map(directory::key_of))
    }

    /// Returns the card that process `rank` published for `network`, after the exchange; see
    /// [`Directory::card_of`].
    pub fn card_of(&self, rank: u32, network: &str) -> Result<Option<Vec<u8>>, WireupError> {
        self.directory().card_of(rank, network)
    }

    /// Returns the directory of all processes' cards, which may outlive this value.
    pub fn directory(&self) -> Directory {
        Directory { link: Arc::clone(&self.link) }
    }

    /// Returns what tells findings to the launcher; `None` unless it is `mpiexec` of Nemesis.
    pub fn reporter(&self) -> Option<Reporter> {
        let takes = self.launcher == Launcher::Nemesis;
        takes.then(|| Reporter { link: Arc::clone(&self.link) })
    }

    fn link(&self) -> MutexGuard<'_, Link> {
        // A thread that panics aborts the process, so that a poisoned lock protects consistent
        // data.
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a card, any bytes of any length, under `key`, once per key. A key has at most 48
    /// graphic characters without `=`, `;` and backslash.
    pub fn put(&mut self, key: &str, card: &[u8]) -> Result<(), WireupError> {
        if key.len() > KEY_BYTES_MAX || !pmi1::is_token(key) {
            return Err(WireupError::new(
                format!("publishing {key:?}"),
                "that is no key",
                "a shorter key of plain characters",
            ));
        }
        self.link().put(key, card)
    }

    /// Returns a card that any rank put before the last barrier.
    pub fn get(&mut self, key: &str) -> Result<Vec<u8>, WireupError> {
        self.link().get(key)
    }

    /// Waits until all ranks have called it. Cards that were put before are visible afterwards.
    pub fn barrier(&mut self) -> Result<(), WireupError> {
        self.link().barrier()
    }

    /// Returns the Unix socket by which `mpiexec` passes connections to the node's port, and the
    /// port; `None` if a wrapper has closed the socket.
    pub fn acceptor(&self) -> Option<(OwnedFd, u16)> {
        let (number, port) = self.acceptor.as_ref()?.split_once(':')?;
        Some((nemesis_sys::process::inherit(number.parse().ok()?).ok()?, port.parse().ok()?))
    }

    /// Returns whether this rank is to report what the ranks talk through (`mpiexec -v`).
    pub fn is_to_report(&self) -> bool {
        std::env::var_os(environment::REPORT).is_some()
    }

    /// Returns the segment of this node. Collective over the node's ranks; a second call is an
    /// error.
    pub fn segment(&mut self) -> Result<Segment, WireupError> {
        self.segment_prepared(|_| ())
    }

    /// Returns the segment of this node, as [`segment`](Self::segment) does. If this process makes
    /// it for others, calls `prepare` with its file before any other process gets it. A launcher
    /// that makes the segment prepares it itself.
    pub fn segment_prepared(
        &mut self,
        prepare: impl FnOnce(BorrowedFd<'_>),
    ) -> Result<Segment, WireupError> {
        let twice = || {
            WireupError::new(
                "taking the segment",
                "it has been taken already",
                "taking it once per process",
            )
        };
        match self.source.take().ok_or_else(twice)? {
            Source::Own => {
                let memory = segment::make(1)?;
                Ok(Segment {
                    descriptor: memory.descriptor,
                    bytes: memory.bytes,
                    backing: memory.backing,
                    is_first: true,
                })
            }
            Source::Inherited(number) => segment::inherited(&number, self.local_rank() == 0),
            Source::Hands(listener) => segment::hand_over(
                &listener,
                &self.local_ranks[1..],
                &self.key,
                self.link().socket(),
                prepare,
            ),
            Source::Given(segment) => Ok(segment),
            Source::From(first, card) => segment::receive(self.rank, first, &card, &self.key),
        }
    }

    /// Returns the segment that `mpiexec` of Nemesis has made, for a process that does not share
    /// memory with others of its node. Replaces a call of [`segment`](Self::segment). `None` under
    /// other launchers.
    pub fn launchers_segment(&mut self) -> Option<Segment> {
        match self.source.take()? {
            Source::Inherited(number) => segment::inherited(&number, false).ok(),
            _ => None,
        }
    }

    /// Returns whether another job has spawned this one.
    pub fn is_spawned(&self) -> bool {
        self.spawned
    }

    /// Returns the name of the port at which the processes of a spawned job meet those that spawned
    /// them.
    pub fn parent_port(&mut self) -> Result<Option<String>, WireupError> {
        if self.spawned { self.link().parent_port() } else { Ok(None) }
    }

    /// Asks the launcher to start the launcher of a spawned job, which connects to `port`. Returns
    /// false if this launcher cannot: it is not `mpiexec` of Nemesis.
    pub fn start_job(&mut self, port: &str) -> Result<bool, WireupError> {
        if self.launcher != Launcher::Nemesis {
            return Ok(false);
        }
        self.link().start_job(port)?;
        Ok(true)
    }

    /// Returns whether the launcher keeps names of ports for the processes that it has started.
    /// Intel's hydra does not count: it replaces a name that is published twice, and still tells
    /// the port of a name that was withdrawn.
    pub fn has_names(&self) -> bool {
        let is_intels = || std::env::var_os("I_MPI_HYDRA_UUID").is_some();
        self.link().has_names() && !(self.launcher == Launcher::Pmi1 && is_intels())
    }

    /// Publishes a name, a token of PMI-1, for a port. Returns false if it is published already.
    pub fn publish_name(&mut self, name: &str, port: &str) -> Result<bool, WireupError> {
        Ok(self.link().name("publish_name", name, Some(port))?.is_some())
    }

    /// Returns the port that was published under a name.
    pub fn look_up_name(&mut self, name: &str) -> Result<Option<String>, WireupError> {
        Ok(self.link().name("lookup_name", name, None)?.filter(|port| !port.is_empty()))
    }

    /// Withdraws a name. Returns false if it is not published.
    pub fn unpublish_name(&mut self, name: &str) -> Result<bool, WireupError> {
        Ok(self.link().name("unpublish_name", name, None)?.is_some())
    }

    /// Asks the launcher to end the whole job with `code`. Returns; the caller has to end this
    /// process.
    pub fn abort(&mut self, code: i32, message: &str) {
        self.link().abort(code, message);
    }

    /// Announces that this process does not need its job any more, but may come back
    /// ([`resume`](Self::resume)). Only `mpiexec` of Nemesis is told. The PMI of other launchers
    /// has no way back: [`finalize`](Self::finalize) tells them at the end of the process.
    pub fn rest(&mut self) -> Result<(), WireupError> {
        if self.launcher == Launcher::Nemesis { self.link().rest() } else { Ok(()) }
    }

    /// Announces that this process needs its job again.
    pub fn resume(&mut self) -> Result<(), WireupError> {
        if self.launcher == Launcher::Nemesis { self.link().resume() } else { Ok(()) }
    }

    /// Returns whether the launcher must be told of a regular end when the process ends.
    pub fn parts_at_exit(&self) -> bool {
        !matches!(self.launcher, Launcher::Singleton | Launcher::Nemesis)
    }

    /// Tells the launcher that this process leaves the job regularly. The cards are not available
    /// afterwards.
    pub fn finalize(&mut self) -> Result<(), WireupError> {
        std::mem::replace(&mut *self.link(), Link::alone()).finalize()
    }

    /// Returns true once the launcher has died; false for a singleton and after
    /// [`finalize`](Self::finalize). One system call that does not wait.
    pub fn launcher_is_gone(&self) -> bool {
        self.link().has_closed()
    }
}

fn over_descriptor(number: i32) -> Result<OwnedFd, WireupError> {
    let socket = nemesis_sys::process::inherit(number).map_err(|refused| {
        let why = format!(
            "PMI_FD={number} is not open here ({refused}): \
             a process of the job, not the launcher, started this one"
        );
        WireupError::new(
            "joining the job",
            why,
            format!(
                "`{ALONE}` before a program that is to be a job of its own; \
                 a wrapper has to leave descriptor {number} open"
            ),
        )
    })?;
    match rustix::net::sockopt::socket_type(&socket) {
        Ok(_) => Ok(socket),
        Err(_) => Err(WireupError::new(
            "joining the job",
            format!("PMI_FD={number} is no socket here"),
            format!("`{ALONE}` before a program that is to be a job of its own"),
        )),
    }
}

fn card_of(link: &mut Link, rank: u32, key: &str) -> Result<Card, WireupError> {
    let bytes = link.get(key).map_err(|error| {
        let why = format!("{} ({})", error.why, error.what);
        let (why, advice) = match link.has_closed() {
            true => (why, error.advice),
            false => {
                let may_be = "perhaps it uses another build of the library, or another MPI";
                (format!("{why}: {may_be}"), build::ADVICE.into())
            }
        };
        WireupError::new(format!("reading the card of rank {rank}"), why, advice)
    })?;
    let who = format!("the library of rank {rank}");
    if let Some(build) = Card::build_of(&bytes)
        && let Some(other) = OtherBuild::unless_own(&who, Some(build))
    {
        return Err(different(&other));
    }
    Card::decode(&bytes).ok_or_else(|| not_ours(rank))
}

/// Returns whether this library cannot use what `mpiexec` of Nemesis has prepared, and finds the
/// other processes by PMI-1 as under a foreign launcher: `mpiexec` is of another build, as with a
/// container that brings the library, or another library of this process uses the segment.
fn lacks_segment(welcome: &Welcome) -> bool {
    welcome.ours && (welcome.build.as_deref() != Some(build::own()) || welcome.earlier > 0)
}

fn different(other: &OtherBuild) -> WireupError {
    WireupError::new("joining the job", other, build::ADVICE)
}

fn not_ours(rank: u32) -> WireupError {
    WireupError::new(
        format!("reading the card of rank {rank}"),
        "it is not of this version of the library",
        "making all ranks use the same library",
    )
}

fn no_randomness(refused: std::io::Error) -> WireupError {
    WireupError::new("drawing random bits", refused, "a kernel that has getrandom(2)")
}

/// Returns the ranks of the node of `rank`, ascending.
fn ranks_of_node(nodes: &[u32], rank: u32) -> Vec<u32> {
    (0..nodes.len() as u32).filter(|&other| nodes[other as usize] == nodes[rank as usize]).collect()
}

/// The answer to `init` by `mpiexec` of Nemesis.
struct Told {
    key: JobKey,
    nodes: Vec<u32>,
}

impl Told {
    fn by(welcome: &Welcome, rank: u32, size: u32) -> Option<Told> {
        let nodes = mapping::parse(welcome.mapping.as_deref()?, size)?;
        let key = JobKey::from_hex(welcome.key.as_deref()?)?;
        (welcome.ours && nodes.len() > rank as usize).then_some(Told { key, nodes })
    }
}

/// The processors of the node as `mpiexec` describes them (`environment::PROCESSORS`).
#[derive(Debug)]
pub struct Processors {
    /// Number of processors that all ranks of the node together may keep busy.
    pub count: usize,
    /// Processors of which each rank has a share that it may give up; empty if there are no shares.
    pub all: Vec<usize>,
    /// The share of this rank.
    pub own: Vec<usize>,
}

impl Processors {
    /// Parses `COUNT` or `COUNT:LIST:OWN`.
    pub fn read(text: &str) -> Option<Processors> {
        let mut words = text.split(':');
        let count = words.next()?.parse().ok()?;
        let mut list = || -> Option<Vec<usize>> {
            let numbers = nemesis_sys::hardware::parse(words.next().unwrap_or_default())?;
            Some(numbers.into_iter().map(|number| number as usize).collect())
        };
        Some(Processors { count, all: list()?, own: list()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alone_everything_works_and_nothing_is_asked() {
        let mut wireup = Wireup::singleton().unwrap();
        assert_eq!(
            (wireup.rank(), wireup.size(), wireup.local_rank(), wireup.node_of(0)),
            (0, 1, 0, 0)
        );
        wireup.put("card", b"mine").unwrap();
        wireup.barrier().unwrap();
        assert_eq!(wireup.get("card").unwrap(), b"mine");
        wireup.publish("tcp", b"\0\xff");
        wireup.publish("verbs", b"");
        wireup.exchange().unwrap();
        assert_eq!(wireup.card_of(0, "tcp"), Ok(Some(b"\0\xff".to_vec())));
        assert_eq!(
            (wireup.card_of(0, "verbs"), wireup.card_of(0, "ofi")),
            (Ok(Some(Vec::new())), Ok(None))
        );
        assert!(wireup.directory().card_of(1, "tcp").is_err());
        assert!(wireup.get("other").is_err());
        let segment = wireup.segment().unwrap();
        assert!(segment.is_first && segment.bytes >= 1 << 22);
        assert!(wireup.segment().is_err());
        assert_eq!((wireup.appnum(), wireup.universe_size()), (Ok(None), Ok(None)));
        assert!(!wireup.launcher_is_gone());
        wireup.finalize().unwrap();
    }

    #[test]
    fn a_key_that_tears_lines_is_refused() {
        let mut wireup = Wireup::singleton().unwrap();
        assert!(wireup.put("two words", b"").is_err());
        assert!(wireup.put(&"x".repeat(49), b"").is_err());
    }
}
