//! An agent's line to the launcher above: what it is told, and what it reports.
//!
//! An agent decides nothing about the job as a whole: it reports what has failed and waits to be told. Only when the line is gone it ends its ranks by
//! itself, at once.

use super::Job;
use super::state_report::Cause;
use crate::exit_status::{Failure, SIGNAL_BASE};
use crate::tree::link::Came;
use crate::tree::message::{Down, Stream, Up};
use rustix::process::Signal;
use std::io;

impl Job {
    pub(super) fn hear_above(&mut self) -> io::Result<()> {
        let Some(link) = &mut self.parent_link else { return Ok(()) };
        let mut messages = Vec::new();
        let came = link.receive(&mut messages);
        for message in messages {
            self.obey(message)?;
        }
        match came {
            Came::NothingNow => {}
            Came::End(_) | Came::Nonsense(_) => self.lose_above(),
        }
        Ok(())
    }

    fn obey(&mut self, message: Down) -> io::Result<()> {
        let mut effects = Vec::new();
        match message {
            Down::Start(_) => self.lose_above(),
            Down::Release => self.server.release(&mut effects),
            Down::Value { key, value } => self.server.value(key, value, &mut effects),
            Down::Answer { request, line } => self.server.answer(request, line, &mut effects),
            Down::Input(bytes) => self.pump_in(&bytes)?,
            Down::InputEnd => self.pump_in(&[])?,
            Down::OutputTaken { stream: Stream::Out, bytes } => self.out.sink.taken(bytes as usize),
            Down::OutputTaken { stream: Stream::Err, bytes } => self.err.sink.taken(bytes as usize),
            Down::Signal(signal) => self.signal_all(signal),
            Down::RequestStateReport(number) => self.ask(number, Cause::Asked),
            Down::Terminate { spared } => self.terminate_but(spared),
            Down::Kill => self.kill(),
        }
        self.act(effects);
        Ok(())
    }

    fn pump_in(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(pump) = &mut self.pump {
            pump.feed(bytes);
        }
        self.feed()
    }

    /// Tells above how much input has been taken.
    pub(super) fn report_input(&mut self) {
        let (Some(pump), Some(link)) = (&mut self.pump, &mut self.parent_link) else { return };
        let taken = pump.taken_for_above();
        if pump.is_idle() {
            link.send(&Up::InputUnwanted);
            self.pump = None;
        } else if taken > 0 {
            link.send(&Up::InputTaken(taken as u32));
        }
    }

    /// Nobody is above any more: whatever the reason, the job is at its end.
    fn lose_above(&mut self) {
        if self.parent_link.take().is_some() {
            self.code = SIGNAL_BASE + Signal::HUP.as_raw();
            self.out.sink.discard();
            self.err.sink.discard();
            self.kill();
        }
    }

    /// Whether we were an agent, and are alone.
    pub(super) fn look_above(&mut self) {
        if self.parent_link.as_ref().is_some_and(|link| link.is_silent()) {
            self.lose_above();
        }
    }

    /// Reports a failure; false if there is nobody to report to, because we decide ourselves.
    pub(super) fn report(&mut self, failure: &Failure) -> bool {
        let report = failure.report(&self.ranks, &self.host, self.facts.common.size);
        match &mut self.parent_link {
            Some(link) => link.send(&Up::Failed(report)),
            None => return false,
        }
        true
    }

    /// The end of an agent: nothing is left here.
    pub(super) fn say_good_bye(&mut self) {
        let Some(link) = &mut self.parent_link else { return };
        link.send(&Up::Gone);
        // If the line breaks, nobody is left who could be told.
        let _ = link.finish();
    }
}
