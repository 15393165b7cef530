//! The child agents of a launcher: starting them, authenticating their connections, handling their
//! messages, and noticing that they are lost.

use super::connections::{
    ACCEPT_PAUSE, ChildAgents, HANDSHAKE_TIMEOUT, Handshake, PENDING_MAX, Pending, is_temporary,
    reason,
};
use super::context::{Job, Phase, token};
use crate::exit_status::{Failure, HostFailure, frozen_message};
use crate::launch_error::LaunchError;
use crate::launch_spec::LaunchSpec;
use crate::rank::NotStarted;
use crate::stdin::Delivery;
use crate::tree::bootstrap;
use crate::tree::child_agent::{ChildAgent, Due, STARTING_TIMEOUT, State};
use crate::tree::link::{Link, LinkState};
use crate::tree::message::{Down, Stream, Up};
use crate::tree::proof::Admitted;
use crate::tree::starter::Starter;
use nemesis_sys::choice::Choice;
use nemesis_sys::descriptors;
use nemesis_sys::process::Ending;
use nemesis_sys::unix_socket::send_with_descriptor;
use nemesis_wireup::build;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno;
use rustix::process::Pid;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::time::Instant;

impl Job {
    /// Listens for agents and, behind the node's port, for processes of other hosts, then starts
    /// the child agents. An error is a failure of the job.
    pub(super) fn start_child_agents(&mut self) {
        // With `-port-range` the processes of a node share the launcher's port.
        let for_ranks = self.facts.common.ports.0 != 0
            && (self.parent_link.is_some() || !self.child_agents.is_empty());
        if self.child_agents.is_empty() && !for_ranks {
            return;
        }
        let addresses = match self.listen_for_connections() {
            Ok(addresses) => addresses,
            Err(why) => {
                let error = match why.kind() {
                    io::ErrorKind::AddrInUse => {
                        let (low, high) = self.facts.common.ports;
                        LaunchError::new(
                            format!(
                                "cannot listen for the other hosts: all ports of {low}:{high} are \
                                 taken on {}",
                                nemesis_sys::host::hostname()
                            ),
                            "a wider -port-range: each job takes one port of each host, and one \
                             more for each port that its processes open (MPI_Open_port, \
                             MPI_Comm_spawn)",
                        )
                    }
                    _ => LaunchError::of_system("cannot listen for the other hosts", &why),
                };
                return self.fail(Failure::NotStarted(NotStarted { error, code: 1 }));
            }
        };
        if for_ranks {
            self.facts.acceptor_port = addresses.first().map(SocketAddr::port);
        }
        for number in 0..self.child_agents.len() {
            if let Err(why) = self.start_child_agent(number, &addresses) {
                self.child_agent_is_lost(number, HostFailure::NotStarted(why));
            }
        }
    }

    /// Starts the agent of child `number`.
    fn start_child_agent(
        &mut self,
        number: usize,
        addresses: &[SocketAddr],
    ) -> Result<(), LaunchError> {
        let key = self.child_agents.key.as_ref().ok_or_else(|| {
            LaunchError::new("the job key is invalid", "the same installation on all hosts")
        })?;
        let bootstrap = bootstrap::compose(key, number as u32, addresses);
        let common = &self.facts.common;
        let starter = Starter::start(
            &common.agent,
            self.child_agents.list[number].host(),
            &common.agent_path,
            &bootstrap,
        )?;
        if let Some(pipe) = &starter.pipe {
            let token = EventData::new_u64(token::STARTER | number as u64);
            epoll::add(&self.epoll, pipe, token, EventFlags::IN).map_err(|why| {
                LaunchError::of_system("watching the agent's output", &why.into())
            })?;
        }
        if common.verbose {
            let text =
                format!("mpiexec: {}: {}", self.child_agents.list[number].host(), starter.command);
            self.say(&text);
        }
        self.watchdog.group_began(starter.pid);
        self.child_agents.list[number].starter = Some(starter);
        Ok(())
    }

    /// Listens for connections and returns the addresses of this host for the bootstrap record.
    fn listen_for_connections(&mut self) -> io::Result<Vec<SocketAddr>> {
        let (low, high) = self.facts.common.ports;
        let bind = |port: u16| {
            // One socket serves both address families where the kernel has both.
            TcpListener::bind((Ipv6Addr::UNSPECIFIED, port))
                .or_else(|_| TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)))
        };
        let listener = (low..=high).map(bind).find(Result::is_ok).unwrap_or_else(|| bind(high))?;
        listener.set_nonblocking(true)?;
        epoll::add(&self.epoll, &listener, EventData::new_u64(token::LISTENER), EventFlags::IN)?;
        let choice = Choice::parse(&self.facts.common.net).map_err(io::Error::other)?;
        let addresses = bootstrap::addresses(listener.local_addr()?.port(), &choice);
        self.child_agents.listener = Some(listener);
        addresses
    }

    /// Accepts the next connection, unless there is none. If none can be accepted, the listener is
    /// let alone for a while.
    fn next_connection(&mut self) -> io::Result<Option<(TcpStream, SocketAddr)>> {
        let ChildAgents { listener: Some(listener), paused_until: None, .. } = &self.child_agents
        else {
            return Ok(None);
        };
        let why = loop {
            match listener.accept() {
                Ok(connection) => return Ok(Some(connection)),
                Err(why) => match why.kind() {
                    io::ErrorKind::WouldBlock => return Ok(None),
                    io::ErrorKind::Interrupted | io::ErrorKind::ConnectionAborted => {}
                    _ => break why,
                },
            }
        };
        let token = EventData::new_u64(token::LISTENER);
        epoll::modify(&self.epoll, listener, token, EventFlags::empty())?;
        self.child_agents.paused_until = Some(Instant::now() + ACCEPT_PAUSE);
        let is_short = Errno::from_io_error(&why).is_some_and(|errno| {
            descriptors::are_exhausted(errno) || matches!(errno, Errno::NOBUFS | Errno::NOMEM)
        });
        // Other errors are those of a connection that has ended already.
        if is_short && !std::mem::replace(&mut self.child_agents.has_told_shortage, true) {
            let what = format!(
                "connections of other hosts wait, because {} accepts none",
                nemesis_sys::host::hostname()
            );
            self.say(&format!("mpiexec: {}", LaunchError::of_system(what, &why)));
        }
        Ok(None)
    }

    /// Watches the listener again after a pause.
    fn end_pause(&mut self, now: Instant) -> io::Result<()> {
        if self.child_agents.paused_until.take_if(|until| now >= *until).is_some()
            && let Some(listener) = &self.child_agents.listener
        {
            let token = EventData::new_u64(token::LISTENER);
            epoll::modify(&self.epoll, listener, token, EventFlags::IN)?;
        }
        Ok(())
    }

    /// Accepts new connections.
    pub(super) fn accept_connections(&mut self) -> io::Result<()> {
        while let Some((stream, from)) = self.next_connection()? {
            stream.set_nonblocking(true)?;
            let place = self.free_pending_index();
            epoll::add(
                &self.epoll,
                &stream,
                EventData::new_u64(token::PENDING | place as u64),
                EventFlags::IN,
            )?;
            self.child_agents.pending[place] = Some(Pending {
                stream,
                from,
                since: Instant::now(),
                received: Vec::new(),
                parent: None,
            });
        }
        Ok(())
    }

    /// Returns a free index in the list of connections, if need be that of the oldest one.
    fn free_pending_index(&mut self) -> usize {
        let pending = &mut self.child_agents.pending;
        if let Some(free) = pending.iter().position(Option::is_none) {
            return free;
        }
        if pending.len() < PENDING_MAX {
            pending.push(None);
            return pending.len() - 1;
        }
        let oldest = (0..pending.len())
            .min_by_key(|&place| pending[place].as_ref().map(|connection| connection.since))
            .unwrap_or(0);
        self.drop_pending(oldest, "too many connections wait for their handshake");
        oldest
    }

    /// Closes a connection that does not belong to the job.
    fn drop_pending(&mut self, place: usize, why: &str) {
        // Dropping the socket closes it and removes it from epoll.
        let Some(connection) = self.child_agents.pending[place].take() else { return };
        self.child_agents.dropped += 1;
        if self.facts.common.verbose {
            let from = SocketAddr::new(connection.from.ip().to_canonical(), connection.from.port());
            self.say(&format!(
                "mpiexec: a connection from {from} is dropped: {why} ({} so far)",
                self.child_agents.dropped
            ));
        }
    }

    /// Stops listening when all child agents have connected, unless the ranks use the port.
    fn stop_listening(&mut self) {
        if self.child_agents.are_starting() || self.facts.acceptor_port.is_some() {
            return;
        }
        self.child_agents.listener = None;
        for place in 0..self.child_agents.pending.len() {
            self.drop_pending(place, "all agents have connected");
        }
    }

    /// Continues the handshake of a connection.
    pub(super) fn read_pending(&mut self, place: usize) -> io::Result<()> {
        let ChildAgents { pending, key, .. } = &mut self.child_agents;
        let (Some(connection), Some(key)) = (&mut pending[place], key.as_ref()) else {
            return Ok(());
        };
        match connection.advance(key) {
            Ok(Handshake::Waiting) => {}
            Ok(Handshake::ForRank(rank)) => self.hand_to_rank(place, rank)?,
            Ok(Handshake::Agent(admitted)) => {
                if let Some(connection) = pending[place].take() {
                    epoll::delete(&self.epoll, &connection.stream)?;
                    self.send_launch_spec(connection.stream, *admitted)?;
                }
            }
            Err(error) => self.drop_pending(place, reason(&error)),
        }
        Ok(())
    }

    /// Hands a connection for a rank, with the hello that arrived on it, to that rank, which
    /// authenticates it.
    fn hand_to_rank(&mut self, place: usize, rank: u32) -> io::Result<()> {
        let acceptor = self
            .ranks
            .iter()
            .find(|candidate| candidate.number == rank)
            .and_then(|rank| rank.acceptor.as_ref());
        let (Some(acceptor), Some(connection)) = (acceptor, &self.child_agents.pending[place])
        else {
            self.drop_pending(place, "it is for a process that is not on this host");
            return Ok(());
        };
        match send_with_descriptor(acceptor, &connection.received, &connection.stream) {
            // The process computes, and the socket is full of connections. `check_pending` tries
            // again.
            Err(error) if is_temporary(&error) => {}
            Err(_) => self.drop_pending(place, "it is for a process that has ended"),
            Ok(()) => {
                epoll::delete(&self.epoll, &connection.stream)?;
                self.child_agents.pending[place] = None;
            }
        }
        Ok(())
    }

    /// Hands over connections for which a rank had no room before, and drops those whose handshake
    /// takes too long.
    pub(super) fn check_pending(&mut self, now: Instant) -> io::Result<()> {
        self.end_pause(now)?;
        for place in 0..self.child_agents.pending.len() {
            match &self.child_agents.pending[place] {
                Some(connection) if connection.is_for_rank() => self.read_pending(place)?,
                Some(connection) if now > connection.since + HANDSHAKE_TIMEOUT => {
                    self.drop_pending(place, "its handshake took too long")
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Sends an authenticated agent its part of the job.
    fn send_launch_spec(&mut self, stream: TcpStream, admitted: Admitted) -> io::Result<()> {
        let number = admitted.number as usize;
        let Some(child_agent) = self
            .child_agents
            .list
            .get_mut(number)
            .filter(|child_agent| matches!(child_agent.state, State::Starting(_)))
        else {
            return Ok(());
        };
        let token = token::CHILD_AGENT | number as u64;
        let mut link = Link::new(stream, admitted.cipher, &self.epoll, token)?;
        let (here, below) = child_agent
            .shares
            .split_first()
            .map(|(here, below)| (here.clone(), below.to_vec()))
            .unwrap_or_else(|| unreachable!("a child agent has a host"));
        link.send(&Down::Start(Box::new(LaunchSpec {
            common: self.facts.common.clone(),
            here,
            below,
        })));
        child_agent.state = State::Joined(link);
        match self.phase {
            Phase::Running | Phase::Lingering(_) => {}
            _ => self.child_agents.send(number, &Down::Kill),
        }
        self.stop_listening();
        self.receive_from_child_agent(number)
    }

    /// Receives and handles the messages of a child agent.
    pub(super) fn receive_from_child_agent(&mut self, number: usize) -> io::Result<()> {
        let mut messages = Vec::new();
        let Some(link) = self.child_agents.list[number].link() else { return Ok(()) };
        let state = link.receive(&mut messages);
        if !messages.is_empty() {
            self.child_agents.list[number].silence.end();
        }
        for message in messages {
            self.handle_up(number, message)?;
        }
        let is_gone = self.child_agents.list[number].is_gone();
        match state {
            _ if is_gone => {}
            LinkState::NothingNow => {}
            LinkState::End(why) => self.child_agent_is_lost(number, HostFailure::Lost(why)),
            LinkState::Silent => {
                let why = silent(self.child_agents.list[number].link().map(|link| &*link));
                self.child_agent_is_lost(number, why);
            }
            LinkState::Changed => self.child_agent_is_lost(number, HostFailure::Changed),
            LinkState::Malformed(malformed) => {
                self.child_agent_is_lost(number, HostFailure::Lost(format!("it sent {malformed}")))
            }
        }
        Ok(())
    }

    /// Handles one message of a child agent.
    fn handle_up(&mut self, number: usize, message: Up) -> io::Result<()> {
        let mut effects = Vec::new();
        match message {
            Up::Hello { build: theirs, host } => {
                let own = build::own();
                if theirs != own {
                    self.child_agent_is_lost(
                        number,
                        HostFailure::NotStarted(LaunchError::new(
                            format!("different builds: {theirs} on {host}, {own} here"),
                            "the same installation on all hosts, or -prefix DIR",
                        )),
                    );
                }
            }
            Up::Entered(puts) => {
                self.server.child_entered(number, puts, &mut effects);
                self.check_never_joined();
            }
            Up::Want(key) => self.server.child_wants(number, &key, &mut effects),
            Up::Ask { request, line } => {
                self.server.child_asks(number, request, &line, &mut effects)
            }
            Up::Output { stream, rank, bytes } => {
                let place = usize::from(stream == Stream::Err);
                self.child_agents.list[number].owed[place] += bytes.len();
                let output_sink = if stream == Stream::Out { &mut self.out } else { &mut self.err };
                output_sink.sink.append_of_agent(rank, &bytes);
                self.child_agents.sent_output = Some(Instant::now());
            }
            Up::Remark(text) => self.say(&text),
            Up::InputTaken(bytes) => {
                self.pump.iter_mut().for_each(|pump| pump.taken(number, bytes as usize));
                self.feed()?;
            }
            Up::InputUnwanted => {
                self.pump.iter_mut().for_each(|pump| pump.drop_child_agent(number));
                self.feed()?;
            }
            Up::StateReport(number, entries) => self.record_entries(number, entries),
            Up::NeverJoined(report) => self.report_never_joined(report),
            Up::Died(rank) => self.hear_of_death(rank),
            Up::Failed(report) => self.fail(Failure::Reported(report)),
            Up::Over(late) => self.child_agents.list[number].over = Some(late),
            Up::Profile(figures) => self.keep_figures(*figures),
            Up::Signal { signal, host } => self.hear_of_signal(signal, host),
            Up::Pong => {}
            Up::Changed => self.child_agent_is_lost(number, HostFailure::Changed),
            Up::Gone => self.child_agent_is_gone(number),
        }
        self.act(effects);
        Ok(())
    }

    /// Forgets an agent that has ended.
    fn child_agent_is_gone(&mut self, number: usize) {
        // Dropping the link closes it and removes it from epoll.
        self.child_agents.list[number].state = State::Gone;
        self.pump.iter_mut().for_each(|pump| pump.drop_child_agent(number));
    }

    /// Fails the job because a child agent is lost.
    fn child_agent_is_lost(&mut self, number: usize, why: HostFailure) {
        self.child_agent_is_gone(number);
        let child_agent = &self.child_agents.list[number];
        let (host, ranks) = (child_agent.host().to_owned(), child_agent.ranks());
        let others = child_agent.shares.len() - 1;
        let was_lost =
            matches!(why, HostFailure::Lost(_) | HostFailure::Changed | HostFailure::Silent(_));
        let failure = Failure::Host { host, ranks, others, why };
        if was_lost && self.goes_on_without_host(number, &failure) {
            return;
        }
        self.fail(failure);
    }

    /// Reads the output of a starter.
    pub(super) fn read_starter(&mut self, number: usize) {
        self.child_agents.list[number].starter.iter_mut().for_each(Starter::read_output);
    }

    /// Handles the end of a child process that is not a rank.
    pub(super) fn starter_ended(&mut self, pid: Pid, ending: Ending) {
        let is_it = |child_agent: &ChildAgent| {
            child_agent
                .starter
                .as_ref()
                .is_some_and(|starter| starter.pid == pid && !starter.has_ended)
        };
        let Some(number) = self.child_agents.list.iter().position(is_it) else { return };
        self.watchdog.group_is_empty(pid);
        let child_agent = &mut self.child_agents.list[number];
        let Some(starter) = &mut child_agent.starter else { return };
        starter.has_ended = true;
        starter.read_output();
        // A starter may put its agent into the background, and end successfully before the agent
        // connects.
        if matches!(child_agent.state, State::Starting(_)) && ending != Ending::Exited(0) {
            let (command, output) = (starter.command.clone(), starter.shown_output());
            self.child_agent_is_lost(number, HostFailure::StarterEnded { command, output, ending });
        }
    }

    /// Checks for agents that do not connect in time or do not answer.
    pub(super) fn check_child_agents(&mut self, now: Instant) {
        for number in 0..self.child_agents.len() {
            let child_agent = &mut self.child_agents.list[number];
            let why = match &child_agent.state {
                State::Starting(since) if now > *since + STARTING_TIMEOUT => {
                    let output =
                        child_agent.starter.as_ref().map(Starter::shown_output).unwrap_or_default();
                    Some(HostFailure::Late { seconds: STARTING_TIMEOUT.as_secs(), output })
                }
                State::Joined(link) if link.is_unresponsive() => Some(silent(Some(link))),
                _ => None,
            };
            if let Some(why) = why {
                self.child_agent_is_lost(number, why);
            }
        }
        self.check_silence(now);
    }

    /// Asks agents from which nothing has come for long whether they run, and tells the user once
    /// of one that does not answer although its host does.
    fn check_silence(&mut self, now: Instant) {
        let since = now.saturating_duration_since(self.child_agents.checked);
        self.child_agents.checked = now;
        let limit = self.state_reports.notice_after;
        for number in 0..self.child_agents.len() {
            let child_agent = &mut self.child_agents.list[number];
            if !matches!(child_agent.state, State::Joined(_)) {
                continue;
            }
            match child_agent.silence.check(since, limit) {
                Due::Nothing => {}
                Due::Ping => self.child_agents.send(number, &Down::Ping),
                Due::Notice => {
                    let (host, ranks) = (child_agent.host(), child_agent.ranks());
                    let others = child_agent.shares.len() - 1;
                    let text = frozen_message(host, &ranks, others, limit.as_secs());
                    self.say(&text);
                }
            }
        }
    }

    /// Acknowledges output of child agents, unless the sink for it is full.
    pub(super) fn grant_output(&mut self) {
        let full = [self.out.sink.is_full(), self.err.sink.is_full()];
        for child_agent in &mut self.child_agents.list {
            for (place, stream) in [Stream::Out, Stream::Err].into_iter().enumerate() {
                if full[place] || child_agent.owed[place] == 0 {
                    continue;
                }
                let bytes = std::mem::take(&mut child_agent.owed[place]) as u32;
                child_agent
                    .link()
                    .into_iter()
                    .for_each(|link| link.send(&Down::OutputTaken { stream, bytes }));
            }
        }
    }

    /// Sends input to the child agents that get it.
    pub(super) fn deliver_input(&mut self) {
        let Some(pump) = &mut self.pump else { return };
        let list = &self.child_agents.list;
        for (number, delivery) in
            pump.deliveries(|number| matches!(list[number].state, State::Joined(_)))
        {
            let message = match delivery {
                Delivery::Bytes(bytes) => Down::Input(bytes),
                Delivery::End => Down::InputEnd,
            };
            self.child_agents.send(number, &message);
        }
    }
}

/// Returns the failure of a host that does not answer, reached over `link`.
fn silent(link: Option<&Link>) -> HostFailure {
    HostFailure::Silent(link.and_then(Link::interface))
}
