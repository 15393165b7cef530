//! An agent's connection to its parent launcher: the commands that arrive and the reports that go
//! up.
//!
//! An agent decides nothing about the job as a whole. It reports failures and waits for commands.
//! Only when the connection is lost does it end its ranks by itself, at once.

use super::context::Job;
use super::report_progress::Cause;
use crate::exit_status::{Failure, SIGNAL_BASE};
use crate::tree::link::LinkState;
use crate::tree::message::{Down, Stream, Up};
use rustix::process::Signal;
use std::io;

impl Job {
    /// Receives and carries out the parent's messages.
    pub(super) fn receive_from_parent(&mut self) -> io::Result<()> {
        let Some(link) = &mut self.parent_link else { return Ok(()) };
        let mut messages = Vec::new();
        let state = link.receive(&mut messages);
        for message in messages {
            self.handle_down(message)?;
        }
        match state {
            LinkState::NothingNow => {}
            LinkState::End(_) | LinkState::Silent | LinkState::Malformed(_) => {
                self.parent_is_lost();
            }
            LinkState::Changed => self.parent_link_is_changed(),
        }
        Ok(())
    }

    /// Carries out one message of the parent.
    fn handle_down(&mut self, message: Down) -> io::Result<()> {
        let mut effects = Vec::new();
        match message {
            Down::Start(_) => self.parent_is_lost(),
            Down::Release => self.server.release(&mut effects),
            Down::Value { key, value } => self.server.value(key, value, &mut effects),
            Down::Answer { request, line } => self.server.answer(request, line, &mut effects),
            Down::Input(bytes) => self.feed_input(&bytes)?,
            Down::InputEnd => self.feed_input(&[])?,
            Down::OutputTaken { stream: Stream::Out, bytes } => self.out.sink.taken(bytes as usize),
            Down::OutputTaken { stream: Stream::Err, bytes } => self.err.sink.taken(bytes as usize),
            Down::Signal(signal) => self.pass_down(signal),
            Down::RequestStateReport { number, is_requested } => {
                self.ask(number, Cause::of_parent(is_requested));
            }
            Down::Died(rank) => self.record_death(rank),
            Down::Terminate { spared } => {
                self.interruption.passed_up = None;
                self.terminate_but(spared);
            }
            Down::Kill => self.kill(),
            Down::Ping => self.parent_link.iter_mut().for_each(|link| link.send(&Up::Pong)),
        }
        self.act(effects);
        Ok(())
    }

    /// Passes on input from the parent; an empty slice is the end of input.
    fn feed_input(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(pump) = &mut self.pump {
            pump.feed(bytes);
        }
        self.feed()
    }

    /// Tells the parent how many bytes of input the ranks have taken, or that no rank reads input.
    pub(super) fn report_input(&mut self) {
        let (Some(pump), Some(link)) = (&mut self.pump, &mut self.parent_link) else { return };
        let taken = pump.taken_for_parent();
        if pump.is_idle() {
            link.send(&Up::InputUnwanted);
            self.pump = None;
        } else if taken > 0 {
            link.send(&Up::InputTaken(taken as u32));
        }
    }

    /// Ends the ranks of this subtree because the connection to the parent is lost.
    fn parent_is_lost(&mut self) {
        if self.parent_link.take().is_some() {
            self.end_without_parent();
        }
    }

    fn end_without_parent(&mut self) {
        self.code = SIGNAL_BASE + Signal::HUP.as_raw();
        self.out.sink.discard();
        self.err.sink.discard();
        self.kill();
    }

    /// Ends the ranks of this subtree because bytes of the parent were changed on the way, and
    /// tells the parent so: what this agent sends may still arrive.
    fn parent_link_is_changed(&mut self) {
        let Some(mut link) = self.parent_link.take() else { return };
        link.send(&Up::Changed);
        self.end_without_parent();
        // If the connection breaks, there is no parent to tell.
        let _ = link.finish();
    }

    /// Checks whether the parent's host still answers.
    pub(super) fn check_parent(&mut self) {
        if self.parent_link.as_ref().is_some_and(|link| link.is_unresponsive()) {
            self.parent_is_lost();
        }
    }

    /// Reports a failure to the parent. Returns false if this is the root, which decides by itself.
    pub(super) fn report(&mut self, failure: &Failure) -> bool {
        let report = failure.report(&self.ranks, &self.host, self.facts.common.size);
        match &mut self.parent_link {
            Some(link) => link.send(&Up::Failed(report)),
            None => return false,
        }
        true
    }

    /// Sends an agent's last message: no process of the job is left on its hosts.
    pub(super) fn report_end(&mut self) {
        self.send_figures();
        let Some(link) = &mut self.parent_link else { return };
        link.send(&Up::Gone);
        // If the connection breaks, there is no parent to tell.
        let _ = link.finish();
    }
}
