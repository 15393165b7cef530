//! The server's end of PMI-1: what a rank's line means and what is answered.
//!
//! No input or output here: [`Server::hear`] takes a line and says what to do, so that every dialogue can be tested with strings.
//!
//! ```text
//!   stage of a rank:   Silent ──init──▶ Joined ──finalize──▶ Finalized
//! ```
//!
//! A rank that leaves while it is Joined has broken off; one that stays Silent is an ordinary program.

use nemesis_wireup::mapping::{self, Run};
use nemesis_wireup::pmi1::{
    Compose, KEY_BYTES_MAX, KEY_FIELD, KVSNAME_BYTES_MAX, LAUNCHER_FIELD, MAPPING_FIELD, Malformed, Message, VALUE_BYTES_MAX, VERSION,
};
use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    Silent,
    Joined,
    Finalized,
}

/// What a line asks of the launcher.
#[derive(PartialEq, Eq, Debug)]
pub enum Heard {
    /// Nothing yet: the rank waits in a barrier, or its command has more lines.
    Nothing,
    /// An answer to the rank that spoke.
    Answer(String),
    /// The barrier is complete: this answer goes to every rank.
    Release(String),
    /// End the job.
    Abort { code: i32, message: String },
}

struct Seat {
    stage: Stage,
    program: usize,
    in_barrier: bool,
    /// A command of several lines has begun.
    in_spawn: bool,
}

pub struct Server {
    space: String,
    /// The job key, in hexadecimal.
    key: String,
    mapping: String,
    universe: Option<u32>,
    seats: Vec<Seat>,
    values: HashMap<String, String>,
    names: HashMap<String, String>,
}

impl Server {
    /// A server for ranks that run the programs whose numbers `programs` lists. `space` is the name of their key-value space.
    pub fn new(space: String, key: String, programs: &[usize], universe: Option<u32>) -> Server {
        let seat = |&program: &usize| Seat { stage: Stage::Silent, program, in_barrier: false, in_spawn: false };
        // All ranks are on one node: one block of one node with all of them.
        let mapping = mapping::compose(&[Run { node: 0, ranks: programs.len() as u32 }]);
        Server {
            space,
            key,
            universe,
            seats: programs.iter().map(seat).collect(),
            values: HashMap::from([("PMI_process_mapping".to_owned(), mapping.clone())]),
            mapping,
            names: HashMap::new(),
        }
    }

    pub fn stage(&self, rank: usize) -> Stage {
        self.seats[rank].stage
    }

    /// Ranks wait in a barrier that `rank` has not entered.
    pub fn is_awaited(&self, rank: usize) -> bool {
        !self.seats[rank].in_barrier && self.seats.iter().any(|seat| seat.in_barrier)
    }

    pub fn hear(&mut self, rank: usize, line: &[u8]) -> Result<Heard, Malformed> {
        if self.seats[rank].in_spawn {
            return Ok(self.spawn_line(rank, line));
        }
        let message = Message::parse(line)?;
        let command = message.command();
        Ok(match command {
            "init" => self.init(rank),
            "get_maxes" => {
                let maxes = Compose::command("maxes").field("rc", 0).field("kvsname_max", KVSNAME_BYTES_MAX);
                Heard::Answer(maxes.field("keylen_max", KEY_BYTES_MAX).field("vallen_max", VALUE_BYTES_MAX).line())
            }
            "get_my_kvsname" => Heard::Answer(yes("my_kvsname").field("kvsname", &self.space).line()),
            "get_appnum" => Heard::Answer(yes("appnum").field("appnum", self.seats[rank].program).line()),
            "get_universe_size" => Heard::Answer(yes("universe_size").field("size", self.universe.map_or(-1, i64::from)).line()),
            "put" => self.put(message),
            "get" => self.get(message),
            "barrier_in" => self.barrier(rank),
            "publish_name" => self.publish(message),
            "lookup_name" => match message.get("service").and_then(|service| self.names.get(service)) {
                Some(port) => Heard::Answer(yes("lookup_result").raw_field("port", port).line()),
                None => no("lookup_result", "not_published"),
            },
            "unpublish_name" => match message.get("service").and_then(|service| self.names.remove(service)) {
                Some(_) => Heard::Answer(yes("unpublish_result").line()),
                None => no("unpublish_result", "not_published"),
            },
            "spawn" => {
                self.seats[rank].in_spawn = true;
                Heard::Nothing
            }
            "abort" => Heard::Abort {
                code: message.number("exitcode").and_then(|code| i32::try_from(code).ok()).unwrap_or(1),
                message: message.tail("message").unwrap_or_default().to_owned(),
            },
            "finalize" => {
                self.seats[rank].stage = Stage::Finalized;
                Heard::Answer(yes("finalize_ack").line())
            }
            _ => no(&format!("{command}_result"), "unknown_command"),
        })
    }

    fn init(&mut self, rank: usize) -> Heard {
        self.seats[rank].stage = Stage::Joined;
        let (version, subversion) = VERSION;
        let answer = yes("response_to_init").field("pmi_version", version).field("pmi_subversion", subversion);
        let answer = answer.field(LAUNCHER_FIELD.0, LAUNCHER_FIELD.1).field(KEY_FIELD, &self.key);
        Heard::Answer(answer.field(MAPPING_FIELD, &self.mapping).line())
    }

    fn put(&mut self, message: Message<'_>) -> Heard {
        match (message.get("key"), message.get("value")) {
            (Some(key), Some(_)) if self.values.contains_key(key) => no("put_result", "duplicate_key"),
            (Some(key), Some(value)) => {
                self.values.insert(key.to_owned(), value.to_owned());
                Heard::Answer(yes("put_result").line())
            }
            _ => no("put_result", "key_or_value_missing"),
        }
    }

    fn get(&self, message: Message<'_>) -> Heard {
        match message.get("key").and_then(|key| self.values.get(key)) {
            Some(value) => Heard::Answer(yes("get_result").raw_field("value", value).line()),
            None => no("get_result", "key_not_found"),
        }
    }

    fn publish(&mut self, message: Message<'_>) -> Heard {
        match (message.get("service"), message.get("port")) {
            (Some(service), Some(_)) if self.names.contains_key(service) => no("publish_result", "already_published"),
            (Some(service), Some(port)) => {
                self.names.insert(service.to_owned(), port.to_owned());
                Heard::Answer(yes("publish_result").line())
            }
            _ => no("publish_result", "service_or_port_missing"),
        }
    }

    fn barrier(&mut self, rank: usize) -> Heard {
        self.seats[rank].in_barrier = true;
        if self.seats.iter().any(|seat| !seat.in_barrier) {
            return Heard::Nothing;
        }
        self.seats.iter_mut().for_each(|seat| seat.in_barrier = false);
        Heard::Release(yes("barrier_out").line())
    }

    fn spawn_line(&mut self, rank: usize, line: &[u8]) -> Heard {
        if line != b"endcmd" {
            return Heard::Nothing;
        }
        self.seats[rank].in_spawn = false;
        no("spawn_result", "starting_processes_from_a_running_job_is_not_possible_yet")
    }
}

fn yes(name: &str) -> Compose {
    Compose::command(name).field("rc", 0)
}

fn no(name: &str, why: &str) -> Heard {
    Heard::Answer(Compose::command(name).field("rc", 1).field("msg", why).line())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(ranks: usize) -> Server {
        Server::new("space".into(), "00".into(), &vec![0; ranks], Some(8))
    }

    fn answer(server: &mut Server, rank: usize, line: &str) -> String {
        match server.hear(rank, line.as_bytes()).unwrap() {
            Heard::Answer(answer) => answer.trim_end().to_owned(),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_rank_joins_and_leaves() {
        let mut server = server(1);
        assert_eq!(server.stage(0), Stage::Silent);
        let welcome = answer(&mut server, 0, "cmd=init pmi_version=1 pmi_subversion=1");
        assert_eq!(
            welcome,
            "cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=1 launcher=nemesis job_key=00 mapping=(vector,(0,1,1))"
        );
        assert_eq!(server.stage(0), Stage::Joined);
        assert_eq!(answer(&mut server, 0, "cmd=get_appnum"), "cmd=appnum rc=0 appnum=0");
        assert_eq!(answer(&mut server, 0, "cmd=get_universe_size"), "cmd=universe_size rc=0 size=8");
        assert_eq!(answer(&mut server, 0, "cmd=get_maxes"), "cmd=maxes rc=0 kvsname_max=256 keylen_max=64 vallen_max=1024");
        assert_eq!(answer(&mut server, 0, "cmd=finalize"), "cmd=finalize_ack rc=0");
        assert_eq!(server.stage(0), Stage::Finalized);
    }

    #[test]
    fn values_are_kept_as_they_were_written() {
        let mut server = server(1);
        assert_eq!(answer(&mut server, 0, r"cmd=put kvsname=space key=k value=a\ b=c"), "cmd=put_result rc=0");
        assert_eq!(answer(&mut server, 0, "cmd=get kvsname=space key=k"), r"cmd=get_result rc=0 value=a\ b=c");
        assert!(answer(&mut server, 0, "cmd=put kvsname=space key=k value=again").contains("rc=1 msg=duplicate_key"));
        assert!(answer(&mut server, 0, "cmd=get kvsname=space key=other").contains("rc=1"));
        assert!(answer(&mut server, 0, "cmd=get kvsname=space key=PMI_process_mapping").contains("value=(vector,(0,1,1))"));
    }

    #[test]
    fn a_barrier_releases_everybody_at_once() {
        let mut server = server(2);
        for _ in 0..2 {
            assert_eq!(server.hear(0, b"cmd=barrier_in"), Ok(Heard::Nothing));
            assert!(server.is_awaited(1) && !server.is_awaited(0));
            assert_eq!(server.hear(1, b"cmd=barrier_in"), Ok(Heard::Release("cmd=barrier_out rc=0\n".into())));
            assert!(!server.is_awaited(0));
        }
    }

    #[test]
    fn names_are_published_once() {
        let mut server = server(1);
        assert!(answer(&mut server, 0, "cmd=lookup_name service=s").contains("rc=1"));
        assert!(answer(&mut server, 0, "cmd=publish_name service=s port=p").contains("rc=0"));
        assert!(answer(&mut server, 0, "cmd=publish_name service=s port=q").contains("rc=1"));
        assert!(answer(&mut server, 0, "cmd=lookup_name service=s").contains("rc=0 port=p"));
        assert!(answer(&mut server, 0, "cmd=unpublish_name service=s").contains("rc=0"));
        assert!(answer(&mut server, 0, "cmd=unpublish_name service=s").contains("rc=1"));
    }

    #[test]
    fn a_spawn_is_read_to_its_end_and_refused() {
        let mut server = server(1);
        for line in ["mcmd=spawn", "nprocs=2", "execname=/bin/true", "cmd=abort exitcode=1"] {
            assert_eq!(server.hear(0, line.as_bytes()), Ok(Heard::Nothing));
        }
        assert!(answer(&mut server, 0, "endcmd").starts_with("cmd=spawn_result rc=1"));
        assert!(answer(&mut server, 0, "cmd=get_appnum").contains("appnum=0"));
    }

    #[test]
    fn an_abort_carries_code_and_text() {
        let mut server = server(1);
        let heard = server.hear(0, b"cmd=abort exitcode=7 message=it went wrong").unwrap();
        assert_eq!(heard, Heard::Abort { code: 7, message: "it went wrong".into() });
    }

    #[test]
    fn nonsense_is_malformed_and_the_unknown_is_answered() {
        let mut server = server(1);
        assert_eq!(server.hear(0, b"\xff"), Err(Malformed::NotText));
        assert_eq!(server.hear(0, b""), Err(Malformed::NoCommand));
        assert!(answer(&mut server, 0, "cmd=create_kvs").contains("rc=1 msg=unknown_command"));
    }
}
