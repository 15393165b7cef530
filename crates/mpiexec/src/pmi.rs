//! The PMI-1 server: one node in a tree of servers.
//!
//! ```text
//!   ranks of this host ──lines──▶ Server ──Up──▶ the parent server (none: this is the root)
//!   child servers ───────Up─────▶        ◀─Down─
//! ```
//!
//! The server does no input or output. Each call returns [`Effect`]s, which say what to send where.
//! Tests can therefore use strings, and build trees of thousands of ranks in one process.
//!
//! **Values.** What ranks put stays with their server and goes up with the barrier, in one message
//! per server; the root has everything. A server asks its parent once for a value that it does not
//! have, and keeps the answer: most processes communicate with few others.
//!
//! **Barriers.** A server enters a barrier when its ranks and its child servers have entered it.
//! The root releases all.
//!
//! **Names** (`publish_name` and its like) belong to the root: the rank's line travels up, the
//! answer down.
//!
//! ```text
//!   stage of a rank:   NotJoined ──init──▶ Joined ──finalize──▶ Finalized
//! ```
//!
//! A rank that ends while it is Joined has broken off. A rank that stays NotJoined is not an MPI
//! program.

use crate::tree::message::{Down, Up};
use nemesis_wireup::build::{self, OtherBuild};
use nemesis_wireup::pmi1::{
    BUILD_FIELD, Compose, EARLIER_FIELD, FINDING, KEY_BYTES_MAX, KEY_FIELD, KVSNAME_BYTES_MAX,
    LAUNCHER_FIELD, LIBRARY_FIELD, MAPPING_FIELD, Malformed, Message, NOTICE, PARENT_KEY,
    REASON_FIELD, SPAWNED_FIELD, START_JOB, VALUE_BYTES_MAX, VERSION,
};
use std::collections::{HashMap, HashSet};

/// How far a rank has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    NotJoined,
    Joined,
    Finalized,
}

/// What the launcher has to do after a line or a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Send a line to a rank of this host.
    ToRank(usize, String),
    /// Send a line to all ranks of this host.
    ToAllRanks(String),
    /// Send a message to the parent server.
    Up(Up),
    /// Send a message to a child server.
    Down(usize, Down),
    /// Send a message to all child servers.
    DownAll(Down),
    /// Start the launcher of a spawned job, which connects to this port, and report to the
    /// requester ([`Server::job_started`]).
    StartJob { port: String, requester: Requester },
    /// Keep a finding of the development checks for the end of the job.
    Finding(String),
    /// Say this to the user.
    Notice(String),
    /// End the job with this code.
    Abort { rank: usize, code: i32, message: String },
}

/// What a server knows about the job from the beginning.
#[derive(Clone, Debug)]
pub struct JobInfo {
    /// Name of the PMI key-value space.
    pub space: String,
    /// The job key, in hexadecimal.
    pub key: String,
    /// Which rank is on which node (`nemesis_wireup::mapping`).
    pub mapping: String,
    pub universe: Option<u32>,
    /// The port at which the processes of a spawned job meet those that spawned them. Only the root
    /// has its name; for other servers of a spawned job it is empty.
    pub parent: Option<String>,
}

/// What the server knows about one rank of this host.
struct RankState {
    stage: Stage,
    program: u32,
    /// The build of the library with which the rank has joined; `None` if the library has not told
    /// one, as MPICH's.
    build: Option<String>,
    /// The libraries of the rank's process that have joined the job: what each is called, and
    /// whether it has not finalized.
    libraries: Vec<(String, bool)>,
    in_barrier: bool,
    /// Whether the rank has ended, so that no barrier waits for it.
    has_left: bool,
    /// Whether a `spawn` command, which has several lines, has begun.
    in_spawn: bool,
}

/// A rank or child server that waits for an answer from the parent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requester {
    Rank(usize),
    Server { below: usize, request: u32 },
}

/// The PMI server of one host.
pub struct Server {
    job_info: JobInfo,
    is_root: bool,
    ranks: Vec<RankState>,
    /// For each child server, whether it has entered the barrier.
    below: Vec<bool>,
    /// For each child server, whether it is lost, so that no barrier waits for it.
    lost_below: Vec<bool>,
    values: HashMap<String, String>,
    /// What has been put in this subtree since the last barrier.
    unsent_puts: Vec<(String, String)>,
    /// The requesters of each value that the parent has been asked for.
    child_wants: HashMap<String, Vec<Requester>>,
    /// The requesters of answers to forwarded lines, by request number.
    child_asks: HashMap<u32, Requester>,
    requests: u32,
    names: HashMap<String, String>,
    /// The subjects of notices that the user has been told; at the root only.
    noticed: HashSet<String>,
}

/// The key whose value is the mapping of ranks to nodes.
const MAPPING_KEY: &str = "PMI_process_mapping";

impl Server {
    /// Makes a server with `below` child servers, for ranks of this host that run the programs with
    /// these numbers.
    pub fn new(job_info: JobInfo, programs: &[u32], below: usize, is_root: bool) -> Server {
        let state = |&program: &u32| RankState {
            stage: Stage::NotJoined,
            program,
            build: None,
            libraries: Vec::new(),
            in_barrier: false,
            has_left: false,
            in_spawn: false,
        };
        Server {
            values: [(MAPPING_KEY.to_owned(), job_info.mapping.clone())]
                .into_iter()
                .chain(job_info.parent.iter().map(|port| (PARENT_KEY.to_owned(), port.clone())))
                .filter(|(_, value)| !value.is_empty())
                .collect(),
            job_info,
            is_root,
            ranks: programs.iter().map(state).collect(),
            below: vec![false; below],
            lost_below: vec![false; below],
            unsent_puts: Vec::new(),
            child_wants: HashMap::new(),
            child_asks: HashMap::new(),
            requests: 0,
            names: HashMap::new(),
            noticed: HashSet::new(),
        }
    }

    /// Returns how far a rank has come.
    pub fn stage(&self, rank: usize) -> Stage {
        self.ranks[rank].stage
    }

    /// Returns whether ranks of this host or child servers wait in a barrier that `rank` has not
    /// entered.
    pub fn is_awaited(&self, rank: usize) -> bool {
        !self.ranks[rank].in_barrier && self.barrier_has_begun()
    }

    /// Returns whether a rank of this host or a child server has entered the barrier.
    pub fn barrier_has_begun(&self) -> bool {
        self.ranks.iter().any(|state| state.in_barrier) || self.below.contains(&true)
    }

    /// Handles a line from a rank of this host.
    ///
    /// # Errors
    ///
    /// Returns what is wrong with a line that is not PMI.
    pub fn handle_line(
        &mut self,
        rank: usize,
        line: &[u8],
        effects: &mut Vec<Effect>,
    ) -> Result<(), Malformed> {
        if self.ranks[rank].in_spawn {
            self.spawn_line(rank, line, effects);
            return Ok(());
        }
        let message = Message::parse(line)?;
        let command = message.command();
        let reply = |line: String| Effect::ToRank(rank, line);
        match command {
            "init" => {
                effects.push(reply(self.init(rank, &message)));
                effects.extend(self.note_build(message.get(BUILD_FIELD)));
            }
            "get_maxes" => {
                let maxes = Compose::command("maxes")
                    .field("rc", 0)
                    .field("kvsname_max", KVSNAME_BYTES_MAX);
                effects.push(reply(
                    maxes
                        .field("keylen_max", KEY_BYTES_MAX)
                        .field("vallen_max", VALUE_BYTES_MAX)
                        .line(),
                ));
            }
            "get_my_kvsname" => effects
                .push(reply(success("my_kvsname").field("kvsname", &self.job_info.space).line())),
            "get_appnum" => effects
                .push(reply(success("appnum").field("appnum", self.ranks[rank].program).line())),
            "get_universe_size" => {
                effects.push(reply(
                    success("universe_size")
                        .field("size", self.job_info.universe.map_or(-1, i64::from))
                        .line(),
                ));
            }
            "put" => effects.push(reply(self.put(message))),
            "get" => match message.get("key") {
                Some(key) => self.look_up(key, Requester::Rank(rank), effects),
                None => effects.push(reply(failure("get_result", "key_missing"))),
            },
            "barrier_in" => {
                self.ranks[rank].in_barrier = true;
                self.advance_barrier(effects);
            }
            "publish_name" | "lookup_name" | "unpublish_name" | START_JOB | FINDING | NOTICE => {
                match std::str::from_utf8(line) {
                    Ok(text) => self.ask(text, Requester::Rank(rank), effects),
                    Err(_) => return Err(Malformed::NotText),
                }
            }
            "spawn" => self.ranks[rank].in_spawn = true,
            "abort" => effects.push(Effect::Abort {
                rank,
                code: message
                    .number("exitcode")
                    .and_then(|code| i32::try_from(code).ok())
                    .unwrap_or(1),
                message: message.tail("message").unwrap_or_default().to_owned(),
            }),
            "finalize" => {
                self.finalize(rank, &message);
                effects.push(reply(success("finalize_ack").line()));
            }
            _ => effects.push(reply(failure(&format!("{command}_result"), "unknown_command"))),
        }
        Ok(())
    }

    /// A child server has entered the barrier with what its ranks have put.
    pub fn child_entered(
        &mut self,
        below: usize,
        puts: Vec<(String, String)>,
        effects: &mut Vec<Effect>,
    ) {
        self.below[below] = true;
        self.unsent_puts.extend(puts);
        self.advance_barrier(effects);
    }

    /// A child server asks for a value.
    pub fn child_wants(&mut self, below: usize, key: &str, effects: &mut Vec<Effect>) {
        self.look_up(key, Requester::Server { below, request: 0 }, effects);
    }

    /// A child server forwards a line that the root answers.
    pub fn child_asks(
        &mut self,
        below: usize,
        request: u32,
        line: &str,
        effects: &mut Vec<Effect>,
    ) {
        self.ask(line, Requester::Server { below, request }, effects);
    }

    /// The parent sends the value of `key`, or `None` if it has no value.
    pub fn value(&mut self, key: String, value: Option<String>, effects: &mut Vec<Effect>) {
        for requester in self.child_wants.remove(&key).unwrap_or_default() {
            effects.push(value_for(requester, &key, value.clone()));
        }
        if let Some(value) = value {
            self.values.insert(key, value);
        }
    }

    /// The parent sends the answer to a forwarded line.
    pub fn answer(&mut self, request: u32, line: String, effects: &mut Vec<Effect>) {
        if let Some(requester) = self.child_asks.remove(&request) {
            effects.push(answer_for(requester, line));
        }
    }

    /// A rank of this host has ended, and the others go on. No barrier waits for it.
    pub fn leave(&mut self, rank: usize, effects: &mut Vec<Effect>) {
        self.ranks[rank].has_left = true;
        if self.barrier_has_begun() {
            self.advance_barrier(effects);
        }
    }

    /// A child server is lost, and the others go on. No barrier waits for it.
    pub fn lose_child(&mut self, below: usize, effects: &mut Vec<Effect>) {
        self.lost_below[below] = true;
        if self.barrier_has_begun() {
            self.advance_barrier(effects);
        }
    }

    /// The root has released the barrier.
    pub fn release(&mut self, effects: &mut Vec<Effect>) {
        self.ranks.iter_mut().for_each(|state| state.in_barrier = false);
        self.below.fill(false);
        effects.push(Effect::ToAllRanks(success("barrier_out").line()));
        if !self.below.is_empty() {
            effects.push(Effect::DownAll(Down::Release));
        }
    }

    /// Tells the user, once, that the library of the ranks is of another build than this launcher,
    /// which then does without what needs equal builds. Other libraries than this one do not tell
    /// their build, and their users expect nothing.
    fn note_build(&mut self, library: Option<&str>) -> Option<Effect> {
        let library = library.filter(|library| *library != build::own() && self.is_root)?;
        let (own, advice) = (build::own(), build::ADVICE);
        self.noticed.insert(BUILD_FIELD.to_owned()).then(|| {
            Effect::Notice(format!(
                "mpiexec: the library of the ranks is of build {library}, and this mpiexec of \
                 build {own}: the job runs without state reports and `nemesis top`, and is not \
                 ended if it can never go on\n  try: {advice}"
            ))
        })
    }

    /// Answers `init`: the rank has joined the job with a library of this build. Libraries of
    /// different builds cannot communicate, and would wait for each other.
    fn init(&mut self, rank: usize, message: &Message<'_>) -> String {
        let library = message.get(BUILD_FIELD);
        let differs =
            |state: &&RankState| state.stage == Stage::Joined && state.build.as_deref() != library;
        let own = &self.ranks[rank];
        let is_first = own.libraries.is_empty();
        if is_first && let Some(other) = self.ranks.iter().find(differs) {
            let [here, there] = [library, other.build.as_deref()].map(name_of_build);
            let why = format!(
                "this process uses {here}, and another rank of this host {there}; they cannot \
                 communicate"
            );
            return Compose::command("response_to_init")
                .field("rc", 1)
                .raw_field(REASON_FIELD, &why)
                .line();
        }
        let state = &mut self.ranks[rank];
        if is_first {
            state.build = library.map(str::to_owned);
        }
        state.stage = Stage::Joined;
        let name = message.get(LIBRARY_FIELD).unwrap_or_default();
        let earlier = match state.libraries.iter().position(|(known, _)| known == name) {
            Some(earlier) => earlier,
            None => {
                state.libraries.push((name.to_owned(), true));
                state.libraries.len() - 1
            }
        };
        state.libraries[earlier].1 = true;
        let (version, subversion) = VERSION;
        let answer = success("response_to_init")
            .field("pmi_version", version)
            .field("pmi_subversion", subversion);
        let answer =
            answer.field(LAUNCHER_FIELD.0, LAUNCHER_FIELD.1).field(BUILD_FIELD, build::own());
        let answer = answer.field(KEY_FIELD, &self.job_info.key);
        let answer =
            if self.job_info.parent.is_some() { answer.field(SPAWNED_FIELD, 1) } else { answer };
        let answer = if earlier > 0 { answer.field(EARLIER_FIELD, earlier) } else { answer };
        answer.field(MAPPING_FIELD, &self.job_info.mapping).line()
    }

    /// Notes that a library of the rank has finalized. The rank has, if all its libraries have.
    fn finalize(&mut self, rank: usize, message: &Message<'_>) {
        let state = &mut self.ranks[rank];
        let name = message.get(LIBRARY_FIELD).unwrap_or_default();
        if let Some((_, is_used)) = state.libraries.iter_mut().find(|(known, _)| known == name) {
            *is_used = false;
        }
        if !state.libraries.iter().any(|&(_, is_used)| is_used) {
            state.stage = Stage::Finalized;
        }
    }

    /// Carries out `put`; a key is put once.
    fn put(&mut self, message: Message<'_>) -> String {
        match (message.get("key"), message.get("value")) {
            (Some(key), Some(_)) if self.values.contains_key(key) => {
                failure("put_result", "duplicate_key")
            }
            (Some(key), Some(value)) => {
                self.values.insert(key.to_owned(), value.to_owned());
                if !self.is_root {
                    self.unsent_puts.push((key.to_owned(), value.to_owned()));
                }
                success("put_result").line()
            }
            _ => failure("put_result", "key_or_value_missing"),
        }
    }

    /// Answers a request for a value, or asks the parent.
    fn look_up(&mut self, key: &str, requester: Requester, effects: &mut Vec<Effect>) {
        match self.values.get(key) {
            Some(value) => effects.push(value_for(requester, key, Some(value.clone()))),
            None if self.is_root => effects.push(value_for(requester, key, None)),
            None => {
                let requesters = self.child_wants.entry(key.to_owned()).or_default();
                if requesters.is_empty() {
                    effects.push(Effect::Up(Up::Want(key.to_owned())));
                }
                requesters.push(requester);
            }
        }
    }

    /// Answers a line about names, or forwards it to the parent.
    fn ask(&mut self, line: &str, requester: Requester, effects: &mut Vec<Effect>) {
        if self.is_root {
            let effect = match Message::parse(line.as_bytes()) {
                Err(_) => answer_for(requester, failure("unknown_result", "malformed")),
                Ok(message) if message.command() == START_JOB => {
                    let port = message.get("port").unwrap_or_default().to_owned();
                    let library = message.get(BUILD_FIELD);
                    match OtherBuild::unless_own("the library of the process that spawns", library)
                    {
                        None => Effect::StartJob { port, requester },
                        // A library that compares the builds by itself asks for nothing.
                        Some(other) => {
                            answer_for(requester, failure("start_job_result", &other.to_string()))
                        }
                    }
                }
                Ok(message) if message.command() == FINDING => {
                    let finding = message.tail("finding").unwrap_or_default();
                    effects.push(Effect::Finding(finding.to_owned()));
                    answer_for(requester, success("finding_result").line())
                }
                Ok(message) if message.command() == NOTICE => {
                    let subject = message.get("subject").unwrap_or_default();
                    if self.noticed.insert(subject.to_owned()) {
                        let text = message.tail("text").unwrap_or_default();
                        effects.push(Effect::Notice(text.trim_end().to_owned()));
                    }
                    answer_for(requester, success("notice_result").line())
                }
                Ok(message) => answer_for(requester, self.name(message)),
            };
            return effects.push(effect);
        }
        self.requests = self.requests.wrapping_add(1);
        self.child_asks.insert(self.requests, requester);
        effects.push(Effect::Up(Up::Ask { request: self.requests, line: line.to_owned() }));
    }

    /// Answers a request to start the launcher of a spawned job. `why_not` tells why it could not
    /// be started, in one word.
    pub fn job_started(
        &mut self,
        requester: Requester,
        why_not: Option<&str>,
        effects: &mut Vec<Effect>,
    ) {
        let name = "start_job_result";
        let answer = why_not.map_or_else(|| success(name).line(), |why| failure(name, why));
        effects.push(answer_for(requester, answer));
    }

    /// Carries out a command about names; at the root only.
    fn name(&mut self, message: Message<'_>) -> String {
        let service = message.get("service").unwrap_or_default();
        match (message.command(), message.get("port")) {
            ("publish_name", Some(_)) if self.names.contains_key(service) => {
                failure("publish_result", "already_published")
            }
            ("publish_name", Some(port)) if !service.is_empty() => {
                self.names.insert(service.to_owned(), port.to_owned());
                success("publish_result").line()
            }
            ("publish_name", _) => failure("publish_result", "service_or_port_missing"),
            ("lookup_name", _) => match self.names.get(service) {
                Some(port) => success("lookup_result").raw_field("port", port).line(),
                None => failure("lookup_result", "not_published"),
            },
            _ => match self.names.remove(service) {
                Some(_) => success("unpublish_result").line(),
                None => failure("unpublish_result", "not_published"),
            },
        }
    }

    /// If all ranks and child servers are in the barrier, enters it at the parent or, at the root,
    /// releases it.
    fn advance_barrier(&mut self, effects: &mut Vec<Effect>) {
        let misses = |(entered, lost): (&bool, &bool)| !entered && !lost;
        if self.ranks.iter().any(|state| !state.in_barrier && !state.has_left)
            || self.below.iter().zip(&self.lost_below).any(misses)
        {
            return;
        }
        let puts = std::mem::take(&mut self.unsent_puts);
        if self.is_root {
            for (key, value) in puts {
                self.values.entry(key).or_insert(value);
            }
            self.release(effects);
        } else {
            effects.push(Effect::Up(Up::Entered(puts)));
        }
    }

    /// Skips a line of a `spawn` command, and refuses the command at its end.
    fn spawn_line(&mut self, rank: usize, line: &[u8], effects: &mut Vec<Effect>) {
        if line == b"endcmd" {
            self.ranks[rank].in_spawn = false;
            let why = "starting_processes_from_a_running_job_is_not_possible_yet";
            effects.push(Effect::ToRank(rank, failure("spawn_result", why)));
        }
    }
}

/// Names the build of a library in words.
fn name_of_build(build: Option<&str>) -> String {
    match build {
        Some(build) => format!("build {build} of the library"),
        None => "a library that does not tell its build, such as MPICH's".to_owned(),
    }
}

/// Sends a value, or that there is none, to its requester.
fn value_for(requester: Requester, key: &str, value: Option<String>) -> Effect {
    match (requester, value) {
        (Requester::Rank(rank), Some(value)) => {
            Effect::ToRank(rank, success("get_result").raw_field("value", &value).line())
        }
        (Requester::Rank(rank), None) => {
            Effect::ToRank(rank, failure("get_result", "key_not_found"))
        }
        (Requester::Server { below, .. }, value) => {
            Effect::Down(below, Down::Value { key: key.to_owned(), value })
        }
    }
}

/// Sends an answer to its requester.
fn answer_for(requester: Requester, line: String) -> Effect {
    match requester {
        Requester::Rank(rank) => Effect::ToRank(rank, line),
        Requester::Server { below, request } => Effect::Down(below, Down::Answer { request, line }),
    }
}

/// Begins an answer that reports success.
fn success(name: &str) -> Compose {
    Compose::command(name).field("rc", 0)
}

/// Returns an answer that reports an error.
fn failure(name: &str, why: &str) -> String {
    Compose::command(name).field("rc", 1).field("msg", why).line()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn job_info(mapping: &str) -> JobInfo {
        JobInfo {
            space: "space".into(),
            key: "00".into(),
            mapping: mapping.into(),
            universe: Some(8),
            parent: None,
        }
    }

    fn server(ranks: usize) -> Server {
        Server::new(job_info(&format!("(vector,(0,1,{ranks}))")), &vec![0; ranks], 0, true)
    }

    fn handle_line(server: &mut Server, rank: usize, line: &str) -> Vec<Effect> {
        let mut effects = Vec::new();
        server.handle_line(rank, line.as_bytes(), &mut effects).unwrap();
        effects
    }

    fn answer(server: &mut Server, rank: usize, line: &str) -> String {
        match handle_line(server, rank, line).as_slice() {
            [Effect::ToRank(child_asks, answer), ..] if *child_asks == rank => {
                answer.trim_end().to_owned()
            }
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn a_rank_joins_and_leaves() {
        let mut server = server(1);
        assert_eq!(server.stage(0), Stage::NotJoined);
        let reply = answer(&mut server, 0, "cmd=init pmi_version=1 pmi_subversion=1");
        assert_eq!(
            reply,
            format!(
                "cmd=response_to_init rc=0 pmi_version=1 pmi_subversion=1 launcher=nemesis \
                 build={} job_key=00 mapping=(vector,(0,1,1))",
                build::own()
            )
        );
        assert_eq!(server.stage(0), Stage::Joined);
        assert_eq!(answer(&mut server, 0, "cmd=get_appnum"), "cmd=appnum rc=0 appnum=0");
        assert_eq!(
            answer(&mut server, 0, "cmd=get_universe_size"),
            "cmd=universe_size rc=0 size=8"
        );
        assert_eq!(
            answer(&mut server, 0, "cmd=get_maxes"),
            "cmd=maxes rc=0 kvsname_max=256 keylen_max=64 vallen_max=1024"
        );
        assert_eq!(answer(&mut server, 0, "cmd=finalize"), "cmd=finalize_ack rc=0");
        assert_eq!(server.stage(0), Stage::Finalized);
    }

    #[test]
    fn a_library_of_another_build_starts_no_job() {
        let mut server = server(1);
        for (field, build) in [("", "unknown build"), ("build=0.0.1-0", "0.0.1-0")] {
            let reply = answer(&mut server, 0, &format!("cmd=start_job port=p {field}"));
            let parts = ["rc=1", "different_builds", &build.replace(' ', "_"), build::own()];
            assert!(parts.iter().all(|part| reply.contains(part)), "{reply}");
        }
        let mut effects = Vec::new();
        let line = format!("cmd=start_job port=p build={}", build::own());
        server.handle_line(0, line.as_bytes(), &mut effects).unwrap();
        assert!(matches!(&effects[..], [Effect::StartJob { port, .. }] if port == "p"));
    }

    #[test]
    fn a_library_of_another_build_is_told_once() {
        let mut server = server(3);
        let told = |server: &mut Server, rank, line| {
            let effects = handle_line(server, rank, line);
            effects.into_iter().find_map(|effect| match effect {
                Effect::Notice(text) => Some(text),
                _ => None,
            })
        };
        let text = told(&mut server, 0, "cmd=init build=1-a").expect("the builds differ");
        assert!(text.contains("of build 1-a") && text.contains(build::own()), "{text}");
        assert!(told(&mut server, 1, "cmd=init build=1-a").is_none());
        let mut server = self::server(2);
        assert!(told(&mut server, 0, "cmd=init").is_none(), "MPICH's library");
        let own = format!("cmd=init build={}", build::own());
        assert!(told(&mut server, 1, &own).is_none());
    }

    #[test]
    fn libraries_that_cannot_communicate_do_not_join_one_job() {
        let mut server = server(3);
        assert!(answer(&mut server, 0, "cmd=init build=1-a").contains("rc=0"));
        for line in ["cmd=init build=1-b", "cmd=init"] {
            let reply = answer(&mut server, 1, line);
            assert!(
                reply.contains("rc=1") && reply.contains("build 1-a of the library"),
                "{reply}"
            );
            assert_eq!(server.stage(1), Stage::NotJoined);
        }
        assert!(answer(&mut server, 1, "cmd=init build=1-a").contains("rc=0"));
    }

    #[test]
    fn a_second_library_of_a_process_learns_that_it_is_not_the_first() {
        let mut server = server(1);
        assert!(!answer(&mut server, 0, "cmd=init library=a").contains("earlier"));
        assert!(answer(&mut server, 0, "cmd=init library=b").contains(" earlier=1 "));
        answer(&mut server, 0, "cmd=finalize library=a");
        assert_eq!(server.stage(0), Stage::Joined);
        answer(&mut server, 0, "cmd=finalize library=b");
        assert_eq!(server.stage(0), Stage::Finalized);
        assert!(answer(&mut server, 0, "cmd=init library=c").contains(" earlier=2 "));
        assert!(!answer(&mut server, 0, "cmd=init library=a").contains("earlier"));
    }

    #[test]
    fn values_come_back_as_they_were_put() {
        let mut server = server(1);
        assert_eq!(
            answer(&mut server, 0, r"cmd=put kvsname=space key=k value=a\ b=c"),
            "cmd=put_result rc=0"
        );
        assert_eq!(
            answer(&mut server, 0, "cmd=get kvsname=space key=k"),
            r"cmd=get_result rc=0 value=a\ b=c"
        );
        assert!(
            answer(&mut server, 0, "cmd=put kvsname=space key=k value=again")
                .contains("rc=1 msg=duplicate_key")
        );
        assert!(answer(&mut server, 0, "cmd=get kvsname=space key=other").contains("rc=1"));
        assert!(
            answer(&mut server, 0, "cmd=get kvsname=space key=PMI_process_mapping")
                .contains("value=(vector,(0,1,1))")
        );
    }

    #[test]
    fn a_barrier_releases_all_ranks_at_once() {
        let mut server = server(2);
        for _ in 0..2 {
            assert_eq!(handle_line(&mut server, 0, "cmd=barrier_in"), []);
            assert!(server.is_awaited(1) && !server.is_awaited(0));
            assert_eq!(
                handle_line(&mut server, 1, "cmd=barrier_in"),
                [Effect::ToAllRanks("cmd=barrier_out rc=0\n".into())]
            );
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
    fn a_notice_is_said_once_for_each_subject() {
        let (mut root, mut leaf) = tree();
        let line = "cmd=notice subject=descriptors text=no descriptor is free";
        let notice = Effect::Notice("no descriptor is free".to_owned());
        assert!(handle_line(&mut root, 0, line).contains(&notice));
        assert!(answer(&mut root, 0, line).contains("rc=0"), "the second one is only answered");
        let up = handle_line(&mut leaf, 1, line);
        let [Effect::Up(Up::Ask { request, line })] = up.as_slice() else { panic!("{up:?}") };
        let mut effects = Vec::new();
        root.child_asks(0, *request, line, &mut effects);
        assert!(!effects.contains(&notice), "{effects:?}");
        assert!(handle_line(&mut root, 0, "cmd=notice subject=other text=x").len() == 2);
    }

    #[test]
    fn a_spawn_is_read_to_its_end_and_refused() {
        let mut server = server(1);
        for line in ["mcmd=spawn", "nprocs=2", "execname=/bin/true", "cmd=abort exitcode=1"] {
            assert_eq!(handle_line(&mut server, 0, line), []);
        }
        assert!(answer(&mut server, 0, "endcmd").starts_with("cmd=spawn_result rc=1"));
        assert!(answer(&mut server, 0, "cmd=get_appnum").contains("appnum=0"));
    }

    #[test]
    fn an_abort_carries_code_and_text() {
        let mut server = server(1);
        let effects = handle_line(&mut server, 0, "cmd=abort exitcode=7 message=it went wrong");
        assert_eq!(effects, [Effect::Abort { rank: 0, code: 7, message: "it went wrong".into() }]);
    }

    #[test]
    fn malformed_lines_are_errors_and_unknown_commands_are_answered() {
        let mut server = server(1);
        assert_eq!(server.handle_line(0, b"\xff", &mut Vec::new()), Err(Malformed::NotText));
        assert_eq!(server.handle_line(0, b"", &mut Vec::new()), Err(Malformed::NoCommand));
        assert!(answer(&mut server, 0, "cmd=create_kvs").contains("rc=1 msg=unknown_command"));
    }

    /// Returns a root with one rank of its own, and its child server with two ranks.
    fn tree() -> (Server, Server) {
        let mapping = "(vector,(0,1,1),(1,1,2))";
        (
            Server::new(job_info(mapping), &[0], 1, true),
            Server::new(job_info(mapping), &[0, 1], 0, false),
        )
    }

    #[test]
    fn values_go_up_with_the_barrier_and_come_down_on_request() {
        let (mut root, mut leaf) = tree();
        answer(&mut leaf, 0, "cmd=put kvsname=space key=a value=1");
        answer(&mut leaf, 1, "cmd=put kvsname=space key=b value=2");
        answer(&mut root, 0, "cmd=put kvsname=space key=c value=3");
        assert_eq!(handle_line(&mut leaf, 0, "cmd=barrier_in"), []);
        let up = handle_line(&mut leaf, 1, "cmd=barrier_in");
        let puts = vec![("a".to_owned(), "1".to_owned()), ("b".to_owned(), "2".to_owned())];
        assert_eq!(up, [Effect::Up(Up::Entered(puts.clone()))]);
        assert_eq!(handle_line(&mut root, 0, "cmd=barrier_in"), []);
        let mut effects = Vec::new();
        root.child_entered(0, puts, &mut effects);
        assert_eq!(
            effects,
            [Effect::ToAllRanks("cmd=barrier_out rc=0\n".into()), Effect::DownAll(Down::Release)]
        );
        effects.clear();
        leaf.release(&mut effects);
        assert_eq!(effects, [Effect::ToAllRanks("cmd=barrier_out rc=0\n".into())]);
        assert!(answer(&mut root, 0, "cmd=get kvsname=space key=b").ends_with("value=2"));
        assert!(answer(&mut leaf, 0, "cmd=get kvsname=space key=b").ends_with("value=2"));
        // Two ranks ask for a value of the root: the parent is asked once, and the value is kept.
        assert_eq!(
            handle_line(&mut leaf, 0, "cmd=get kvsname=space key=c"),
            [Effect::Up(Up::Want("c".into()))]
        );
        assert_eq!(handle_line(&mut leaf, 1, "cmd=get kvsname=space key=c"), []);
        effects.clear();
        root.child_wants(0, "c", &mut effects);
        assert_eq!(
            effects,
            [Effect::Down(0, Down::Value { key: "c".into(), value: Some("3".into()) })]
        );
        effects.clear();
        leaf.value("c".into(), Some("3".into()), &mut effects);
        assert_eq!(effects.len(), 2);
        assert!(answer(&mut leaf, 1, "cmd=get kvsname=space key=c").ends_with("value=3"));
    }

    #[test]
    fn names_are_kept_by_the_root() {
        let (mut root, mut leaf) = tree();
        let up = handle_line(&mut leaf, 1, "cmd=publish_name service=s port=p");
        let [Effect::Up(Up::Ask { request, line })] = up.as_slice() else { panic!("{up:?}") };
        let mut effects = Vec::new();
        root.child_asks(0, *request, line, &mut effects);
        let [Effect::Down(0, Down::Answer { request, line })] = effects.as_slice() else {
            panic!("{effects:?}")
        };
        let mut answers = Vec::new();
        leaf.answer(*request, line.clone(), &mut answers);
        assert_eq!(answers, [Effect::ToRank(1, "cmd=publish_result rc=0\n".into())]);
        assert!(answer(&mut root, 0, "cmd=lookup_name service=s").contains("port=p"));
    }

    /// Generates lines: known and unknown commands, with fields that are present or not.
    fn line() -> impl Strategy<Value = String> {
        let command = "init|put|get|barrier_in|barrier_out|finalize|publish_name|lookup_name|\
                       unpublish_name|abort|get_appnum|spawn|[a-z]{0,3}";
        let field = (
            "key|value|service|port|exitcode|pmi_version|kvsname|[a-z]{1,2}",
            r"[-!-~&&[^=\\]]{0,9}",
        );
        let fields = proptest::collection::vec(field, 0..4);
        (prop_oneof![Just("cmd"), Just("mcmd"), Just("x")], command, fields).prop_map(
            |(first, command, fields)| {
                let fields: Vec<String> =
                    fields.into_iter().map(|(name, value)| format!(" {name}={value}")).collect();
                format!("{first}={command}{}", fields.concat())
            },
        )
    }

    proptest! {
        #[test]
        fn any_sequence_of_lines_is_answered_or_refused(
            lines in proptest::collection::vec((0usize..2, line()), 0..40),
        ) {
            let mut server = server(2);
            let mut effects = Vec::new();
            for (rank, line) in lines {
                let _ = server.handle_line(rank, line.as_bytes(), &mut effects);
            }
        }

        #[test]
        fn random_bytes_never_panic(line in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = server(1).handle_line(0, &line, &mut Vec::new());
        }
    }
}
