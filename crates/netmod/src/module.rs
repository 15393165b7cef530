//! The five functions.

use crate::optional::{Collectives, Rma};
use crate::{Failure, Host, Region};
use nemesis_wire::Header;
use std::os::fd::RawFd;
use std::time::Duration;

/// What a module is told at the beginning.
#[derive(Debug)]
pub struct Setup {
    /// Index of this process in the job, and number of processes.
    pub me: u32,
    pub processes: u32,
    /// The secret that the job's processes share: both ends of a connection prove that they know it before anything else is read.
    pub job_key: [u8; 32],
    /// All cells of the process, for the primary module to register; `None` for secondary ones.
    pub cells: Option<Region>,
}

/// What a module says at the beginning.
pub struct Started {
    pub module: Box<dyn Module>,
    /// The business card, for the other processes.
    pub card: Vec<u8>,
}

/// A kind of network: what there is before `init`.
pub trait Driver {
    /// The name by which users choose it and under which its cards are published.
    fn name(&self) -> &str;

    /// The first of the five functions. No other process is spoken to yet.
    fn init(&self, setup: Setup, host: &mut dyn Host) -> Result<Started, Failure>;
}

/// What a module can carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest payload of a packet, at most 65535; at least 65528 if the module is to carry all packets between processes, not bodies alone.
    pub payload: usize,
    /// Longest body; 0 when the module carries none and large messages are to be cut into packets.
    pub body: u64,
}

/// Names a pending send; the caller's choice.
pub type Token = u64;

/// A packet to send.
#[derive(Debug)]
pub struct Packet<'a> {
    /// `header.size` is the payload's length.
    pub header: &'a Header,
    /// Taken over, by copy if need be, when `send` accepts the packet.
    pub payload: &'a [u8],
    /// Sent from where it lies; an empty one is none.
    pub body: Option<Region>,
}

/// What became of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a full module did not take the packet"]
pub enum Sent {
    /// It is on its way; its memory is the caller's again. The token is not used.
    Done,
    /// Accepted; the host hears of the token when the body's memory is free.
    Pending,
    /// Not accepted, too much is waiting: come again when `poll_send` has moved something.
    Full,
}

/// How far `finalize` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a module that is busy wants to be called again"]
pub enum Finalized {
    /// Accepted packets are still on their way; poll on and call again.
    Busy,
    /// Nothing is pending, the others know that we go. The module may be dropped.
    Done,
}

/// A descriptor that wakes a sleeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interest {
    pub descriptor: RawFd,
    pub readable: bool,
    pub writable: bool,
}

/// Whether the process may sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// No: there is something to do, or the module has no way to wake us.
    Poll,
    /// Until one of the descriptors is ready, at most so long (timers are the module's own business).
    Sleep(Duration),
}

/// A network module in one process. Dropped without [`finalize`](Module::finalize) it closes at once, and the others report this process lost.
pub trait Module: Send {
    fn limits(&self) -> Limits;

    /// Sends a packet: at once if nothing waits for the same process, else behind what waits. Fails when the process cannot be reached.
    fn send(
        &mut self,
        host: &mut dyn Host,
        to: u32,
        packet: Packet<'_>,
        token: Token,
    ) -> Result<Sent, Failure>;

    /// Moves what waits to be sent; returns how many packets left, or 1 when only a part of one did. Fails only when the module as a whole does.
    fn poll_send(&mut self, host: &mut dyn Host) -> Result<u32, Failure>;

    /// Takes in what has arrived, a bounded number of packets; returns how many were delivered, or 1 when only a part of one came. Fails as `poll_send`
    /// does.
    fn poll_recv(&mut self, host: &mut dyn Host) -> Result<u32, Failure>;

    /// Brings everything accepted on its way and says goodbye, in as many calls as it takes; `send` is not called any more, the polls are. Whose
    /// patience ends drops the module instead.
    fn finalize(&mut self, host: &mut dyn Host) -> Result<Finalized, Failure>;

    /// Whether a packet to a process would go now, without waiting for a connection; begins to make one otherwise. An error when there is no way.
    fn reaches(&mut self, _host: &mut dyn Host, _process: u32) -> Result<bool, Failure> {
        Ok(true)
    }

    /// Whose packet the process waits for, if it knows: worth a look before all others.
    fn expect(&mut self, _process: Option<u32>) {}

    /// Whether one thread may sleep on the module's descriptors while another polls; true until told otherwise. Then all that comes is announced there,
    /// also what a poll has an eye on.
    fn share(&mut self, _shared: bool) {}

    /// The host has given a process up, for a reason of its own: it is lost to the module, too, which does not tell. Pending sends to it complete with the
    /// failure, and places given for its bodies are let go of.
    fn forget(&mut self, _host: &mut dyn Host, _failure: Failure) {}

    /// Before a time without polls, in which the process may end: brings everything accepted to the other hosts, in as many calls as it takes, and lets
    /// the others know that an end from now on is a goodbye. The next packet takes that back.
    fn pause(&mut self, _host: &mut dyn Host) -> Result<Finalized, Failure> {
        Ok(Finalized::Done)
    }

    /// Before sleep: adds the descriptors to wait for. Networks with events to arm arm them here.
    fn rest(&mut self, _interests: &mut Vec<Interest>) -> Rest {
        Rest::Poll
    }

    fn rma(&mut self) -> Option<&mut dyn Rma> {
        None
    }

    fn collectives(&mut self) -> Option<&mut dyn Collectives> {
        None
    }
}
