//! [`Wireup`]: the answers, and the line to the launcher while the process lives.

use crate::card::{self, Card};
use crate::invitation::{self, Invitation, Launcher};
use crate::key::JobKey;
use crate::pmi1::{self, Client};
use crate::segment::{self, Segment};
use crate::{WireupError, environment, hex};
use nemesis_sys::unix_socket;
use std::collections::HashMap;
use std::os::fd::AsFd;
use std::os::unix::net::UnixListener;

/// Bytes of a card per piece. In hexadecimal, with its count, a piece is a value of at most 900 characters, and with the key and the longest name of
/// a key-value space it still fits one PMI-1 command.
const PIECE_BYTES: usize = 320;
const _: () = assert!(
    PIECE_BYTES * 2 + 8 + pmi1::KVSNAME_BYTES_MAX + pmi1::KEY_BYTES_MAX + "cmd=put kvsname= key= value=\n".len() <= pmi1::COMMAND_BYTES_MAX
);
/// Bytes of a key given to [`Wireup::put`]: what is left for it when pieces are numbered.
const KEY_BYTES_MAX: usize = 48;

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
    link: Link,
    /// Taken by [`Wireup::segment`].
    source: Option<Source>,
}

/// Where cards go.
#[derive(Debug)]
enum Link {
    Launcher(Client),
    /// No launcher, or one that has been told good-bye.
    Alone(HashMap<String, Vec<u8>>),
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
        let (mut client, rank, size) = match invitation::read(variable)? {
            Invitation::Singleton => return Wireup::singleton(),
            Invitation::Descriptor { number, rank, size } => (over_descriptor(number)?, rank, size),
            Invitation::Port { address, id } => Client::dial(&address, &id)?,
        };
        invitation::check_rank(rank, size)?;
        let ours = client.init()?;
        let all_here = variable("MPI_LOCALNRANKS").is_some_and(|local| local == size.to_string());
        if let (true, true, Some(number), Some(key)) = (ours, all_here, variable(environment::SEGMENT_FD), variable(environment::JOB_KEY)) {
            let key = JobKey::from_hex(&key).ok_or_else(|| {
                WireupError::new(
                    "joining the job",
                    format!("{} is no key", environment::JOB_KEY),
                    "starting the program directly by mpiexec",
                )
            })?;
            return Ok(Wireup {
                rank,
                size,
                nodes: vec![0; size as usize],
                local_ranks: (0..size).collect(),
                launcher: Launcher::Nemesis,
                key,
                link: Link::Launcher(client),
                source: Some(Source::Inherited(number)),
            });
        }
        let launcher = if ours {
            Launcher::Nemesis
        } else if variable("SLURM_STEP_ID").is_some() {
            Launcher::Slurm
        } else {
            Launcher::Pmi1
        };
        Wireup::by_cards(client, rank, size, launcher)
    }

    fn singleton() -> Result<Wireup, WireupError> {
        Ok(Wireup {
            rank: 0,
            size: 1,
            nodes: vec![0],
            local_ranks: vec![0],
            launcher: Launcher::Singleton,
            key: JobKey::random().map_err(no_randomness)?,
            link: Link::Alone(HashMap::new()),
            source: Some(Source::Own),
        })
    }

    /// Exchanges first cards, and learns from them who is where.
    fn by_cards(client: Client, rank: u32, size: u32, launcher: Launcher) -> Result<Wireup, WireupError> {
        let own = Card::of_this_process(rank).map_err(no_randomness)?;
        // Everybody listens before the barrier, so that whoever turns out to be first is already there when the others look for it.
        let listener = unix_socket::listen_abstract(&own.socket)
            .map_err(|refused| WireupError::new("listening for the ranks of this node", refused, "raising `ulimit -n`"))?;
        let mut link = Link::Launcher(client);
        let key_of = |rank: u32| format!("nemesis-card-{rank}");
        link.put(&key_of(rank), &own.encode())?;
        link.barrier()?;
        let cards: Vec<Card> = (0..size).map(|other| card_of(&mut link, other, &key_of(other))).collect::<Result<_, _>>()?;
        let key = cards[0].key.clone().ok_or_else(|| not_ours(0))?;
        let nodes = card::nodes(&cards);
        let local_ranks: Vec<u32> = (0..size).filter(|&other| nodes[other as usize] == nodes[rank as usize]).collect();
        let source = match local_ranks[0] {
            _ if local_ranks.len() == 1 => Source::Own,
            first if first == rank => Source::Hands(listener),
            first => Source::From(first, cards[first as usize].clone()),
        };
        Ok(Wireup { rank, size, nodes, local_ranks, launcher, key, link, source: Some(source) })
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
        match &mut self.link {
            Link::Launcher(client) => Ok(u32::try_from(client.appnum()?).ok()),
            Link::Alone(_) => Ok(None),
        }
    }

    /// How many processes can usefully be started in all (MPI 5.0 §11.10.1, MPI_UNIVERSE_SIZE), if the launcher knows.
    pub fn universe_size(&mut self) -> Result<Option<u32>, WireupError> {
        match &mut self.link {
            Link::Launcher(client) => Ok(u32::try_from(client.universe_size()?).ok().filter(|&size| size > 0)),
            Link::Alone(_) => Ok(None),
        }
    }

    /// Publishes a card under `key`, once per key: graphic characters without `=`, `;` and backslash, at most 48. Of any length, any bytes.
    pub fn put(&mut self, key: &str, card: &[u8]) -> Result<(), WireupError> {
        if key.len() > KEY_BYTES_MAX || !pmi1::is_token(key) {
            return Err(WireupError::new(format!("publishing {key:?}"), "that is no key", "a shorter key of plain characters"));
        }
        self.link.put(key, card)
    }

    /// A card that was put, by any rank, before the last barrier.
    pub fn get(&mut self, key: &str) -> Result<Vec<u8>, WireupError> {
        self.link.get(key)
    }

    /// Waits until all ranks are here; cards put before are visible afterwards.
    pub fn barrier(&mut self) -> Result<(), WireupError> {
        self.link.barrier()
    }

    /// The segment of this node. The ranks of a node call it together, each once; a second call is an error.
    pub fn segment(&mut self) -> Result<Segment, WireupError> {
        let twice = || WireupError::new("taking the segment", "it has been taken already", "taking it once per process");
        match self.source.take().ok_or_else(twice)? {
            Source::Own => {
                let memory = segment::make(1)?;
                Ok(Segment { descriptor: memory.descriptor, bytes: memory.bytes, rung: memory.rung, is_first: true })
            }
            Source::Inherited(number) => segment::inherited(&number, self.local_rank() == 0),
            Source::Hands(listener) => match &self.link {
                Link::Launcher(client) => segment::hand_over(&listener, &self.local_ranks[1..], &self.key, client.socket().as_fd()),
                Link::Alone(_) => Err(gone("handing over the segment")),
            },
            Source::From(first, card) => segment::receive(self.rank, first, &card, &self.key),
        }
    }

    /// Asks the launcher to end the whole job with `code`. Returns: to end this process is the caller's business.
    pub fn abort(&mut self, code: i32, message: &str) {
        if let Link::Launcher(client) = &mut self.link {
            // A launcher that cannot be told is gone, and with it the job.
            let _ = client.abort(code, message);
        }
    }

    /// Tells the launcher that this process leaves the job in good order. Cards are gone afterwards.
    pub fn finalize(&mut self) -> Result<(), WireupError> {
        match std::mem::replace(&mut self.link, Link::Alone(HashMap::new())) {
            Link::Launcher(mut client) => client.finalize(),
            Link::Alone(_) => Ok(()),
        }
    }

    /// True once the launcher has died under us. Cheap (one system call) and never waits; false for a singleton and after [`finalize`](Self::finalize).
    pub fn launcher_is_gone(&self) -> bool {
        match &self.link {
            Link::Launcher(client) => client.has_closed(),
            Link::Alone(_) => false,
        }
    }
}

impl Link {
    fn put(&mut self, key: &str, card: &[u8]) -> Result<(), WireupError> {
        match self {
            Link::Launcher(client) => {
                let pieces = pieces(card);
                pieces.iter().enumerate().try_for_each(|(number, piece)| client.put(&piece_key(key, number), piece))
            }
            Link::Alone(cards) => {
                cards.insert(key.to_owned(), card.to_vec());
                Ok(())
            }
        }
    }

    fn get(&mut self, key: &str) -> Result<Vec<u8>, WireupError> {
        match self {
            Link::Launcher(client) => assemble(|number| client.get(&piece_key(key, number)))?
                .ok_or_else(|| WireupError::new(format!("reading {key}"), "it is torn", "asking who else writes keys of that name")),
            Link::Alone(cards) => cards
                .get(key)
                .cloned()
                .ok_or_else(|| WireupError::new(format!("reading {key}"), "nobody has published it", "publishing it before the barrier")),
        }
    }

    fn barrier(&mut self) -> Result<(), WireupError> {
        match self {
            Link::Launcher(client) => client.barrier(),
            Link::Alone(_) => Ok(()),
        }
    }
}

/// The key-value pieces of a card: the first says how many there are.
fn pieces(card: &[u8]) -> Vec<String> {
    let count = card.len().div_ceil(PIECE_BYTES).max(1);
    let mut pieces: Vec<String> = card.chunks(PIECE_BYTES).map(hex::encode).collect();
    pieces.resize(count, String::new());
    pieces[0] = format!("{count}.{}", pieces[0]);
    pieces
}

/// Puts a card together from its pieces; `None` if they are not what [`pieces`] made.
fn assemble<E>(mut piece: impl FnMut(usize) -> Result<String, E>) -> Result<Option<Vec<u8>>, E> {
    let first = piece(0)?;
    let Some((Ok(count), text)) = first.split_once('.').map(|(count, text)| (count.parse::<usize>(), text)) else { return Ok(None) };
    let mut card = hex::decode(text);
    for number in 1..count {
        let more = hex::decode(&piece(number)?);
        card = card.zip(more).map(|(card, more)| [card, more].concat());
    }
    Ok(card)
}

fn piece_key(key: &str, number: usize) -> String {
    if number == 0 { key.to_owned() } else { format!("{key}.{number}") }
}

fn over_descriptor(number: i32) -> Result<Client, WireupError> {
    let socket = nemesis_sys::process::inherit(number).map_err(|refused| {
        let why = format!("PMI_FD={number} is not open here ({refused}): a process of the job, not the launcher, started this one");
        WireupError::new(
            "joining the job",
            why,
            format!("`env -u PMI_FD` before a program that is to be a job of its own; a wrapper has to leave descriptor {number} open"),
        )
    })?;
    match rustix::net::sockopt::socket_type(&socket) {
        Ok(_) => Ok(Client::over(socket)),
        Err(_) => Err(WireupError::new(
            "joining the job",
            format!("PMI_FD={number} is no socket here"),
            "`env -u PMI_FD` before a program that is to be a job of its own",
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

fn gone(what: &str) -> WireupError {
    WireupError::new(what, "the launcher has been told good-bye", "calling it before finalize")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_of_any_length_come_back() {
        for length in [0, 1, PIECE_BYTES, PIECE_BYTES + 1, 10 * PIECE_BYTES - 1] {
            let card: Vec<u8> = (0..length).map(|byte| byte as u8).collect();
            let pieces = pieces(&card);
            assert!(pieces.iter().all(|piece| piece.len() <= 900));
            assert_eq!(assemble(|number| pieces.get(number).cloned().ok_or(())), Ok(Some(card)));
        }
        assert_eq!(assemble(|_| Ok::<_, ()>("nonsense".into())), Ok(None));
    }

    #[test]
    fn alone_everything_works_and_nothing_is_asked() {
        let mut wireup = Wireup::singleton().unwrap();
        assert_eq!((wireup.rank(), wireup.size(), wireup.local_rank(), wireup.node_of(0)), (0, 1, 0, 0));
        wireup.put("card", b"mine").unwrap();
        wireup.barrier().unwrap();
        assert_eq!(wireup.get("card").unwrap(), b"mine");
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
