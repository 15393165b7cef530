//! Where cards are stored: the launcher's key-value store by any of its protocols, or, without a
//! launcher, this process's memory.
//!
//! Cards are bytes of any length, and key-value stores take short texts: a card is encoded in
//! hexadecimal and cut into numbered pieces.

use crate::finding::Finding;
use crate::pmi1::{self, Client};
use crate::{WireupError, hex, pmi2, pmix};
use rustix::fd::{AsFd, BorrowedFd};
use std::collections::HashMap;

/// Bytes of a card per piece. In hexadecimal, with its count, a piece is a value of at most 900
/// characters. With the key and the longest name of a key-value space it still fits into one PMI-1
/// command.
const PIECE_BYTES: usize = 320;
const _: () = assert!(
    PIECE_BYTES * 2
        + 8
        + pmi1::KVSNAME_BYTES_MAX
        + pmi1::KEY_BYTES_MAX
        + "cmd=put kvsname= key= value=\n".len()
        <= pmi1::COMMAND_BYTES_MAX
);

/// What a process asks of a launcher that is in the process itself: of a simulation, or of nobody,
/// where the process keeps its own cards.
pub trait Store: std::fmt::Debug + Send {
    /// Keeps a card.
    fn put(&mut self, key: &str, card: &[u8]);
    /// Returns a card that any process has put.
    fn get(&mut self, key: &str) -> Option<Vec<u8>>;
    /// Waits until all processes have called it.
    fn barrier(&mut self);
    /// Ends the job.
    fn abort(&mut self, code: i32, message: &str);
}

impl Store for HashMap<String, Vec<u8>> {
    fn put(&mut self, key: &str, card: &[u8]) {
        self.insert(key.to_owned(), card.to_vec());
    }

    fn get(&mut self, key: &str) -> Option<Vec<u8>> {
        HashMap::get(self, key).cloned()
    }

    fn barrier(&mut self) {}

    fn abort(&mut self, _: i32, _: &str) {}
}

#[derive(Debug)]
pub(crate) enum Link {
    Pmi1(Client),
    Pmi2(pmi2::Client),
    Pmix(Box<pmix::Client>),
    /// The launcher of a simulation; or no launcher, or one to which this process has said goodbye.
    Inside(Box<dyn Store>),
}

impl Link {
    pub fn alone() -> Link {
        Link::Inside(Box::new(HashMap::new()))
    }

    pub fn put(&mut self, key: &str, card: &[u8]) -> Result<(), WireupError> {
        match self {
            Link::Pmi1(client) => {
                let pieces = pieces(card);
                pieces
                    .iter()
                    .enumerate()
                    .try_for_each(|(number, piece)| client.put(&piece_key(key, number), piece))
            }
            Link::Pmi2(client) => {
                let pieces = pieces(card);
                pieces
                    .iter()
                    .enumerate()
                    .try_for_each(|(number, piece)| client.put(&piece_key(key, number), piece))
            }
            Link::Pmix(client) => client.put(key, card),
            Link::Inside(store) => {
                store.put(key, card);
                Ok(())
            }
        }
    }

    pub fn get(&mut self, key: &str) -> Result<Vec<u8>, WireupError> {
        match self {
            Link::Pmi1(client) => {
                assemble(|number| client.get(&piece_key(key, number)))?.ok_or_else(|| torn(key))
            }
            Link::Pmi2(client) => {
                assemble(|number| client.get(&piece_key(key, number)))?.ok_or_else(|| torn(key))
            }
            Link::Pmix(client) => client.get(key),
            Link::Inside(store) => store.get(key).ok_or_else(|| {
                WireupError::new(
                    format!("reading {key}"),
                    "nobody has published it",
                    "publishing it before the barrier",
                )
            }),
        }
    }

    /// Fetches the cards under `keys` after a barrier and keeps them in this process, for launchers
    /// where asking later could do harm. Collective.
    pub fn keep(&mut self, keys: impl Iterator<Item = String>) -> Result<(), WireupError> {
        match self {
            Link::Pmix(client) => client.keep(keys),
            Link::Pmi1(_) | Link::Pmi2(_) | Link::Inside(_) => Ok(()),
        }
    }

    pub fn barrier(&mut self) -> Result<(), WireupError> {
        match self {
            Link::Pmi1(client) => client.barrier(),
            Link::Pmi2(client) => client.fence(),
            Link::Pmix(client) => client.fence(),
            Link::Inside(store) => {
                store.barrier();
                Ok(())
            }
        }
    }

    pub fn appnum(&mut self) -> Result<i64, WireupError> {
        match self {
            Link::Pmi1(client) => client.appnum(),
            Link::Pmi2(client) => Ok(client.appnum()),
            Link::Pmix(client) => Ok(client.appnum()),
            Link::Inside(_) => Ok(-1),
        }
    }

    pub fn universe_size(&mut self) -> Result<i64, WireupError> {
        match self {
            Link::Pmi1(client) => client.universe_size(),
            Link::Pmi2(client) => client.universe_size(),
            Link::Pmix(client) => Ok(client.universe_size()),
            Link::Inside(_) => Ok(-1),
        }
    }

    /// Asks `mpiexec` of Nemesis to start the launcher of a spawned job, which connects to `port`.
    pub fn start_job(&mut self, port: &str) -> Result<(), WireupError> {
        match self {
            Link::Pmi1(client) => client.start_job(port),
            Link::Pmi2(_) | Link::Pmix(_) | Link::Inside(_) => Ok(()),
        }
    }

    /// Tells a finding to `mpiexec` of Nemesis. Returns false if the launcher is another one.
    pub fn tell(&mut self, finding: &Finding) -> bool {
        match self {
            Link::Pmi1(client) => client.tell(finding).is_ok(),
            Link::Pmi2(_) | Link::Pmix(_) | Link::Inside(_) => false,
        }
    }

    /// Asks `mpiexec` of Nemesis to say something to the user, once for each subject. Returns false
    /// if the launcher is another one.
    pub fn notice(&mut self, subject: &str, text: &str) -> bool {
        match self {
            Link::Pmi1(client) => client.notice(subject, text).is_ok(),
            Link::Pmi2(_) | Link::Pmix(_) | Link::Inside(_) => false,
        }
    }

    /// Returns the name of the port at which the processes of a spawned job meet those that spawned
    /// them.
    pub fn parent_port(&mut self) -> Result<Option<String>, WireupError> {
        match self {
            Link::Pmi1(client) => client.get(pmi1::PARENT_KEY).map(Some),
            Link::Pmi2(_) | Link::Pmix(_) | Link::Inside(_) => Ok(None),
        }
    }

    /// Returns whether the launcher keeps published names.
    pub fn has_names(&self) -> bool {
        matches!(self, Link::Pmi1(_))
    }

    /// Sends a command about a published name. Returns `None` if the launcher refuses it.
    pub fn name(
        &mut self,
        command: &str,
        service: &str,
        port: Option<&str>,
    ) -> Result<Option<String>, WireupError> {
        match self {
            Link::Pmi1(client) => client.name(command, service, port),
            Link::Pmi2(_) | Link::Pmix(_) | Link::Inside(_) => Ok(None),
        }
    }

    /// Asks the launcher to end the job.
    pub fn abort(&mut self, code: i32, message: &str) {
        // If the launcher cannot be reached, it has ended, and the job with it.
        let _ = match self {
            Link::Pmi1(client) => client.abort(code, message),
            Link::Pmi2(client) => client.abort(code, message),
            Link::Pmix(client) => {
                client.abort(code, message);
                Ok(())
            }
            Link::Inside(store) => {
                store.abort(code, message);
                Ok(())
            }
        };
    }

    /// Says goodbye to `mpiexec` of Nemesis; this process may come back through the same socket.
    pub fn rest(&mut self) -> Result<(), WireupError> {
        match self {
            Link::Pmi1(client) => client.finalize(),
            Link::Pmi2(_) | Link::Pmix(_) | Link::Inside(_) => Ok(()),
        }
    }

    /// Comes back after [`rest`](Link::rest).
    pub fn resume(&mut self) -> Result<(), WireupError> {
        match self {
            Link::Pmi1(client) => client.init().map(drop),
            Link::Pmi2(_) | Link::Pmix(_) | Link::Inside(_) => Ok(()),
        }
    }

    pub fn finalize(self) -> Result<(), WireupError> {
        match self {
            Link::Pmi1(mut client) => client.finalize(),
            Link::Pmi2(mut client) => client.finalize(),
            Link::Pmix(client) => client.finalize(),
            Link::Inside(_) => Ok(()),
        }
    }

    /// Returns the launcher's socket, so that the caller can wait for its end together with other
    /// events.
    pub fn socket(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Link::Pmi1(client) => Some(client.socket().as_fd()),
            Link::Pmi2(client) => Some(client.socket().as_fd()),
            // libpmix ends the process if its server ends.
            Link::Pmix(_) | Link::Inside(_) => None,
        }
    }

    pub fn has_closed(&self) -> bool {
        match self {
            Link::Pmi1(client) => client.has_closed(),
            Link::Pmi2(client) => client.has_closed(),
            Link::Pmix(_) | Link::Inside(_) => false,
        }
    }
}

fn torn(key: &str) -> WireupError {
    WireupError::new(
        format!("reading {key}"),
        "it is torn",
        "asking who else writes keys of that name",
    )
}

/// Cuts a card into values of the key-value store; the first begins with their number.
fn pieces(card: &[u8]) -> Vec<String> {
    let count = card.len().div_ceil(PIECE_BYTES).max(1);
    let mut pieces: Vec<String> = card.chunks(PIECE_BYTES).map(hex::encode).collect();
    pieces.resize(count, String::new());
    pieces[0] = format!("{count}.{}", pieces[0]);
    pieces
}

/// Assembles a card from its pieces; `None` if [`pieces`] did not make them.
fn assemble<E>(mut piece: impl FnMut(usize) -> Result<String, E>) -> Result<Option<Vec<u8>>, E> {
    let first = piece(0)?;
    let Some((Ok(count), text)) =
        first.split_once('.').map(|(count, text)| (count.parse::<usize>(), text))
    else {
        return Ok(None);
    };
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
}
