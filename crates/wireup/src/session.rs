//! [`Wireup`]: the answers, and the line to the launcher while the process lives.

use crate::card::{self, Card};
use crate::directory::{self, Directory};
use crate::key::JobKey;
use crate::launch_env::{self, Dialect, LaunchEnv, Launcher};
use crate::link::Link;
use crate::pmi1::{self, Client, Welcome};
use crate::segment::{self, Segment};
use crate::{WireupError, environment, mapping, pmi2, pmix};
use nemesis_sys::unix_socket;
use rustix::fd::OwnedFd;
use std::os::unix::net::UnixListener;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of a key given to [`Wireup::put`]: what is left for it when pieces are numbered.
const KEY_BYTES_MAX: usize = 48;

/// What makes a program that a rank starts a job of its own.
const ALONE: &str = "env -u PMI_FD -u PMI_SIZE";

/// This process's place in its job.
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
    /// Cards of the networks that wait for the exchange.
    cards: Vec<(String, Vec<u8>)>,
    /// Taken by [`Wireup::segment`].
    source: Option<Source>,
    /// How our launcher says that the node has a port for all its processes.
    acceptor: Option<String>,
    /// Where our launcher says it.
    processors: Option<Processors>,
}

/// How this process comes to the segment.
#[derive(Debug)]
enum Source {
    /// We are alone on the node.
    Own,
    /// Our launcher left it open; the descriptor's number as the environment tells it.
    Inherited(String),
    /// We are the node's first rank; the others will connect here.
    Hands(UnixListener),
    /// The node's first rank and its card.
    From(u32, Card),
}

impl Wireup {
    /// Finds the launcher and the others. Collective: under a launcher, returns when all ranks have called it (or at once, if our own launcher
    /// has said everything in the environment).
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
            LaunchEnv::Port { address, id } => Client::dial(&address, &id)?,
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
        if let (Some(told), Some(segment)) =
            (Told::by(&welcome, rank, size), variable(environment::SEGMENT_FD))
        {
            let processors =
                variable(environment::PROCESSORS).and_then(|text| Processors::read(&text));
            return Ok(Wireup {
                acceptor: variable(environment::ACCEPTOR),
                processors,
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

    /// Our own launcher has said everything in its answer to `init`.
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
        })
    }

    /// Exchanges first cards, and learns from them who is where.
    fn by_cards(
        mut link: Link,
        rank: u32,
        size: u32,
        launcher: Launcher,
    ) -> Result<Wireup, WireupError> {
        let own = Card::of_this_process(rank).map_err(no_randomness)?;
        // Everybody listens before the barrier, so that whoever turns out to be first is already there when the others look for it.
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
        })
    }

    pub fn rank(&self) -> u32 {
        self.rank
    }

    pub fn size(&self) -> u32 {
        self.size
    }

    /// Our number among the ranks of this node.
    pub fn local_rank(&self) -> u32 {
        self.local_ranks.partition_point(|&other| other < self.rank) as u32
    }

    pub fn local_size(&self) -> u32 {
        self.local_ranks.len() as u32
    }

    /// Processors that the ranks of this node may keep busy at once, at least 1. Our own launcher says it; under another one we guess it from our parent.
    pub fn processors(&self) -> usize {
        self.processors
            .as_ref()
            .map_or_else(nemesis_sys::host::cores_of_siblings, |told| told.count.max(1))
    }

    /// The processors of which our launcher gave each rank of this node a share that may be given up, and this rank's share; empty if it did not.
    pub fn shared_processors(&self) -> (&[usize], &[usize]) {
        self.processors.as_ref().map_or((&[], &[]), |told| (&told.all, &told.own))
    }

    /// The ranks of this node, ascending.
    pub fn local_ranks(&self) -> &[u32] {
        &self.local_ranks
    }

    /// The number of the node that `rank` is on; nodes are numbered in the order of their first rank.
    ///
    /// # Panics
    /// If there is no such rank.
    pub fn node_of(&self, rank: u32) -> u32 {
        self.nodes[rank as usize]
    }

    pub fn launcher(&self) -> Launcher {
        self.launcher
    }

    /// What proves to a process that it has met another of this job.
    pub fn job_key(&self) -> &JobKey {
        &self.key
    }

    /// Which program of a job of several programs this process runs (MPI 5.0 §11.10.3, MPI_APPNUM), if the launcher knows.
    pub fn appnum(&mut self) -> Result<Option<u32>, WireupError> {
        Ok(u32::try_from(self.link().appnum()?).ok())
    }

    /// How many processes can usefully be started in all (MPI 5.0 §11.10.1, MPI_UNIVERSE_SIZE), if the launcher knows.
    pub fn universe_size(&mut self) -> Result<Option<u32>, WireupError> {
        Ok(u32::try_from(self.link().universe_size()?).ok().filter(|&size| size > 0))
    }

    /// The card of this process for a network, by which the others will find it: any bytes, any length. Before [`exchange`](Self::exchange).
    ///
    /// # Panics
    /// If the network's name is longer than 255 bytes.
    pub fn publish(&mut self, network: &str, card: &[u8]) {
        assert!(network.len() <= usize::from(u8::MAX), "{network} is no name for a network");
        self.cards.push((network.to_owned(), card.to_vec()));
    }

    /// Makes what was published visible to all. Collective, once, and only where there is a network: all processes call it or none does.
    pub fn exchange(&mut self) -> Result<(), WireupError> {
        let value = directory::encode(&std::mem::take(&mut self.cards));
        let mut link = self.link();
        link.put(&directory::key_of(self.rank), &value)?;
        link.barrier()?;
        link.keep((0..self.size).map(directory::key_of))
    }

    /// The card that process `rank` has published for `network`, after the exchange; see [`Directory::card_of`].
    pub fn card_of(&self, rank: u32, network: &str) -> Result<Option<Vec<u8>>, WireupError> {
        self.directory().card_of(rank, network)
    }

    /// All processes' cards, for whoever asks for them later.
    pub fn directory(&self) -> Directory {
        Directory { link: Arc::clone(&self.link) }
    }

    fn link(&self) -> MutexGuard<'_, Link> {
        // A thread that panicked has aborted the process; there is nothing to be mistaken about.
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Publishes a card under `key`, once per key: graphic characters without `=`, `;` and backslash, at most 48. Of any length, any bytes.
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

    /// A card that was put, by any rank, before the last barrier.
    pub fn get(&mut self, key: &str) -> Result<Vec<u8>, WireupError> {
        self.link().get(key)
    }

    /// Waits until all ranks are here; cards put before are visible afterwards.
    pub fn barrier(&mut self) -> Result<(), WireupError> {
        self.link().barrier()
    }

    /// The line by which our launcher hands over who connects to the node's port, and the port; where a wrapper has closed it there is none.
    pub fn acceptor(&self) -> Option<(OwnedFd, u16)> {
        let (number, port) = self.acceptor.as_ref()?.split_once(':')?;
        Some((nemesis_sys::process::inherit(number.parse().ok()?).ok()?, port.parse().ok()?))
    }

    /// The segment of this node. The ranks of a node call it together, each once; a second call is an error.
    pub fn segment(&mut self) -> Result<Segment, WireupError> {
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
                    rung: memory.rung,
                    is_first: true,
                })
            }
            Source::Inherited(number) => segment::inherited(&number, self.local_rank() == 0),
            Source::Hands(listener) => segment::hand_over(
                &listener,
                &self.local_ranks[1..],
                &self.key,
                self.link().socket(),
            ),
            Source::From(first, card) => segment::receive(self.rank, first, &card, &self.key),
        }
    }

    /// The segment that this project's launcher has made, for a process that does not share memory
    /// with its neighbours; instead of [`segment`](Self::segment). `None` under other launchers.
    pub fn launchers_segment(&mut self) -> Option<Segment> {
        match self.source.take()? {
            Source::Inherited(number) => segment::inherited(&number, false).ok(),
            _ => None,
        }
    }

    /// Asks the launcher to end the whole job with `code`. Returns: to end this process is the caller's business.
    pub fn abort(&mut self, code: i32, message: &str) {
        self.link().abort(code, message);
    }

    /// This process needs its job no longer, but may come back ([`resume`](Self::resume)). Our own launcher is told. The PMI of others knows no return:
    /// they are told at the end of the process, by [`finalize`](Self::finalize).
    pub fn rest(&mut self) -> Result<(), WireupError> {
        if self.launcher == Launcher::Nemesis { self.link().rest() } else { Ok(()) }
    }

    /// This process needs its job again.
    pub fn resume(&mut self) -> Result<(), WireupError> {
        if self.launcher == Launcher::Nemesis { self.link().resume() } else { Ok(()) }
    }

    /// Whether the launcher has to be told at the end of the process that all is well.
    pub fn parts_at_exit(&self) -> bool {
        !matches!(self.launcher, Launcher::Singleton | Launcher::Nemesis)
    }

    /// Tells the launcher that this process leaves the job in good order. Cards are gone afterwards.
    pub fn finalize(&mut self) -> Result<(), WireupError> {
        std::mem::replace(&mut *self.link(), Link::alone()).finalize()
    }

    /// True once the launcher has died under us. Cheap (one system call) and never waits; false for a singleton and after [`finalize`](Self::finalize).
    pub fn launcher_is_gone(&self) -> bool {
        self.link().has_closed()
    }
}

fn over_descriptor(number: i32) -> Result<OwnedFd, WireupError> {
    let socket = nemesis_sys::process::inherit(number).map_err(|refused| {
        let why = format!("PMI_FD={number} is not open here ({refused}): a process of the job, not the launcher, started this one");
        WireupError::new(
            "joining the job",
            why,
            format!("`{ALONE}` before a program that is to be a job of its own; a wrapper has to leave descriptor {number} open"),
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
    Card::decode(&link.get(key)?).ok_or_else(|| not_ours(rank))
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

/// The ranks on the node of `rank`, ascending.
fn ranks_of_node(nodes: &[u32], rank: u32) -> Vec<u32> {
    (0..nodes.len() as u32).filter(|&other| nodes[other as usize] == nodes[rank as usize]).collect()
}

/// What our own launcher says in its answer to `init`.
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

/// What our launcher says of the node's processors (`environment::PROCESSORS`).
#[derive(Debug)]
pub struct Processors {
    /// As many as all ranks of the node together may keep busy at once.
    pub count: usize,
    /// Those of which each rank has a share that may be given up; empty where it has none.
    pub all: Vec<usize>,
    /// The share of this rank.
    pub own: Vec<usize>,
}

impl Processors {
    /// Reads `COUNT` or `COUNT:LIST:OWN`.
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
