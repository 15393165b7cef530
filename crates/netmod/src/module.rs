//! The five functions of a network module.

use crate::optional::{Collectives, Rma};
use crate::{Failure, Fault, Host, Region, Token};
use nemesis_wire::Header;
use std::os::fd::RawFd;
use std::time::Duration;

/// Arguments of [`Driver::init`].
#[derive(Debug)]
pub struct Setup {
    /// Index of this process in the job.
    pub me: u32,
    /// Number of processes of the job.
    pub processes: u32,
    /// Secret that the job's processes share. Both ends of a connection prove that they know it
    /// before either reads anything else.
    pub job_key: [u8; 32],
    /// Number of the lane that the module serves. Modules communicate with those of the same lane
    /// only. Those of users are started in lane 0 alone.
    pub lane: u8,
    /// All cells of the process, for the primary module to register; `None` for secondary modules.
    pub cells: Option<Region>,
}

/// Result of [`Driver::init`].
pub struct Started {
    /// The module, which serves this process.
    pub module: Box<dyn Module>,
    /// Business card, for the other processes.
    pub card: Vec<u8>,
}

/// A process of another job, with which this process has become connected (MPI 5.0 §11.8).
#[derive(Clone)]
pub struct Foreign {
    /// Number of its job, which no other job has.
    pub job: u64,
    /// Its index in its job.
    pub index: u32,
    /// Secret that only the two processes and the members of their meeting know.
    pub key: [u8; 32],
    /// Its business card for the network.
    pub card: Vec<u8>,
    /// Whether this process precedes it in an order that both derive alike, for decisions that only
    /// one of the two may make.
    pub follows: bool,
}

/// Omits the key, which must not appear in a log.
impl std::fmt::Debug for Foreign {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "process {} of job {:016x}", self.index, self.job)
    }
}

/// A kind of network, before `init`.
pub trait Driver {
    /// Returns the name by which users choose the network, and under which its cards are published.
    fn name(&self) -> &str;

    /// Returns whether the module encrypts what it sends if the user asks for encryption. A process
    /// that has to encrypt does not start a module that does not.
    fn encrypts(&self) -> bool {
        false
    }

    /// Whether the module connects processes of several jobs ([`Module::meet`]).
    fn connects_jobs(&self) -> bool {
        false
    }

    /// Describes in a few words what the module would use on this host, as in "mlx5_0 port 1", or
    /// returns why it cannot be used here. It opens no connection and is called without a job, by
    /// tools.
    fn describe(&self) -> Result<String, Failure> {
        Ok(String::new())
    }

    /// Starts the module in this process: the first of the five functions. It does not communicate
    /// with other processes yet. Fails with [`Fault::Unavailable`] if this host lacks the network.
    fn init(&self, setup: Setup, host: &mut dyn Host) -> Result<Started, Failure>;
}

/// Sizes that a module can carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum payload of a packet in bytes, at most 65535. At least [`PACKET_MIN_BYTES`] if the
    /// module is to carry all packets between processes, not only bulk payloads. What is longer
    /// travels as a bulk payload if the module carries any.
    pub payload: usize,
    /// Maximum length of a bulk payload in bytes; 0 if the module carries none, and the host cuts
    /// large messages into packets.
    pub bulk: u64,
}

/// Least [`Limits::payload`] of a module that carries all packets between processes.
pub const PACKET_MIN_BYTES: usize = 4096;

/// What packets cost on an idle network. The host compares protocols and networks by it.
///
/// # Examples
/// ```
/// use nemesis_netmod::Costs;
///
/// let costs = Costs { latency_ns: 1000, overhead_ns: 200, bytes_per_second: 10_000_000_000 };
/// assert_eq!(costs.message_ns(1 << 20), Some(1000.0 + 200.0 + 104_857.6));
/// assert_eq!(Costs::default().message_ns(8), None, "nobody has measured this network");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Time from a send to the arrival of a short packet, in nanoseconds; 0 if it is unknown.
    pub latency_ns: u32,
    /// Time of the sender's processor for one packet, in nanoseconds.
    pub overhead_ns: u32,
    /// Bytes that the network carries in a second; 0 if it is unknown.
    pub bytes_per_second: u64,
}

impl Costs {
    /// Costs that nobody has measured.
    pub const UNKNOWN: Costs = Costs { latency_ns: 0, overhead_ns: 0, bytes_per_second: 0 };

    /// Returns the time of a message of `bytes` bytes that travels as one packet, in nanoseconds;
    /// `None` if the network's figures are unknown.
    pub fn message_ns(&self, bytes: usize) -> Option<f32> {
        if self.latency_ns == 0 || self.bytes_per_second == 0 {
            return None;
        }
        let transfer_ns = bytes as f64 * 1e9 / self.bytes_per_second as f64;
        Some((f64::from(self.latency_ns) + f64::from(self.overhead_ns) + transfer_ns) as f32)
    }
}

/// A packet to send.
#[derive(Debug)]
pub struct Packet<'a> {
    /// Header of the packet; `header.size` is the payload's length.
    pub header: &'a Header,
    /// Payload. `send` takes it over when it accepts the packet, and copies it if necessary.
    pub payload: &'a [u8],
    /// Bulk payload, sent from the caller's memory; an empty region is none.
    pub bulk: Option<Region>,
    /// Whether the packet has its place in the order of its pair. A packet without a bulk payload
    /// always has. One with a bulk payload that is not ordered may arrive before packets that were
    /// accepted earlier, and after packets that were accepted later.
    pub ordered: bool,
}

impl<'a> Packet<'a> {
    /// Makes a packet without a bulk payload.
    #[inline]
    pub fn new(header: &'a Header, payload: &'a [u8]) -> Packet<'a> {
        Packet { header, payload, bulk: None, ordered: true }
    }
}

/// Outcome of [`Module::send`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a full module did not take the packet"]
pub enum Sent {
    /// The packet is under way and its memory is the caller's again. The token is unused.
    Done,
    /// The module accepted the packet. It reports the token when the bulk payload's memory is free.
    Pending,
    /// The module did not accept the packet because too much is queued. Try again after `poll_send`
    /// has made progress.
    Full,
}

/// Progress of [`Module::finalize`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a module that is busy wants to be called again"]
pub enum Finalized {
    /// Accepted packets are still under way; poll, and call again.
    Busy,
    /// Nothing is pending and the peers know that this process leaves. The module may be dropped.
    Done,
}

/// A descriptor that wakes a sleeping process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interest {
    /// The descriptor.
    pub descriptor: RawFd,
    /// Whether to wake the process when the descriptor is readable.
    pub readable: bool,
    /// Whether to wake the process when the descriptor is writable.
    pub writable: bool,
}

/// Whether the process may sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// Do not sleep: there is work to do, or the module cannot wake the process.
    Poll,
    /// Sleep until one of the descriptors is ready, at most for this time. Timers are the module's
    /// own business.
    Sleep(Duration),
}

/// A network module in one process. If it is dropped without [`finalize`](Module::finalize), it
/// closes at once, and its peers report this process lost.
///
/// # Examples
/// The smallest module has no network at all: it returns every packet to its sender, and refuses
/// those to other processes.
/// ```
/// use nemesis_netmod::{Failure, Fault, Finalized, Host, Limits, Module, Packet, Sent, Token};
/// use nemesis_wire::Header;
/// use std::collections::VecDeque;
///
/// struct Myself {
///     me: u32,
///     queue: VecDeque<(Header, Vec<u8>)>,
/// }
///
/// impl Module for Myself {
///     fn limits(&self) -> Limits {
///         Limits { payload: 65535, bulk: 0 }
///     }
///
///     fn send(
///         &mut self,
///         _host: &mut dyn Host,
///         to: u32,
///         packet: Packet<'_>,
///         _token: Token,
///     ) -> Result<Sent, Failure> {
///         if to != self.me {
///             return Err(Failure::new(Fault::Unreachable, "it is not this process").about(to));
///         }
///         if self.queue.len() == 64 {
///             return Ok(Sent::Full);
///         }
///         self.queue.push_back((*packet.header, packet.payload.to_vec()));
///         Ok(Sent::Done)
///     }
///
///     fn poll_send(&mut self, _host: &mut dyn Host) -> Result<u32, Failure> {
///         Ok(0)
///     }
///
///     fn poll_recv(&mut self, host: &mut dyn Host) -> Result<u32, Failure> {
///         let Some((header, payload)) = self.queue.front() else { return Ok(0) };
///         if !host.offer(self.me, header, payload) {
///             return Ok(0);
///         }
///         self.queue.pop_front();
///         Ok(1)
///     }
///
///     fn finalize(&mut self, _host: &mut dyn Host) -> Result<Finalized, Failure> {
///         Ok(if self.queue.is_empty() { Finalized::Done } else { Finalized::Busy })
///     }
/// }
/// ```
pub trait Module: Send {
    /// Returns the sizes that the module can carry. They do not change.
    fn limits(&self) -> Limits;

    /// Returns what packets cost; the default is unknown. The costs do not change.
    fn costs(&self) -> Costs {
        Costs::default()
    }

    /// Returns why this module cannot connect with `process`, whose module has published `card`; an
    /// error is a few words for the user. The module compares the cards and does not communicate:
    /// the host asks this once for a process and then chooses a network for the pair. Both ends of
    /// a pair must come to one answer.
    fn connects(&mut self, _process: u32, _card: &[u8]) -> Result<(), String> {
        Ok(())
    }

    /// Sends a packet: at once if nothing is queued for `to`, else it queues the packet. Fails if
    /// `to` is unreachable.
    fn send(
        &mut self,
        host: &mut dyn Host,
        to: u32,
        packet: Packet<'_>,
        token: Token,
    ) -> Result<Sent, Failure>;

    /// Moves queued packets into the network. Returns the number of packets that left, or 1 if only
    /// a part of one did. Fails only if the module as a whole fails.
    fn poll_send(&mut self, host: &mut dyn Host) -> Result<u32, Failure>;

    /// Receives what has arrived, a bounded number of packets. Returns the number of packets
    /// delivered, or 1 if only a part of one arrived. Fails only if the module as a whole fails.
    fn poll_recv(&mut self, host: &mut dyn Host) -> Result<u32, Failure>;

    /// Sends everything accepted and announces the end to the peers; called until it returns
    /// `Done`. The caller continues to poll and does not call `send` any more. A caller that gives
    /// up drops the module instead.
    fn finalize(&mut self, host: &mut dyn Host) -> Result<Finalized, Failure>;

    /// Returns whether the module could send a packet to `process` now. If it has no connection, it
    /// begins to make one. Fails if `process` is unreachable.
    fn reaches(&mut self, _host: &mut dyn Host, _process: u32) -> Result<bool, Failure> {
        Ok(true)
    }

    /// Names the process from which the caller expects a packet, if it knows. The module polls
    /// this one first.
    fn expect(&mut self, _process: Option<u32>) {}

    /// Sets whether one thread may sleep on the module's descriptors while another polls; the
    /// default is true. If so, the descriptors announce every arrival, including those that a poll
    /// would find without them.
    fn share(&mut self, _shared: bool) {}

    /// Tells the module that the host has given a process up, for a reason of its own. The module
    /// treats it as lost, without reporting it: pending sends to it complete with the failure, and
    /// the module drops the regions for its bulk payloads.
    fn forget(&mut self, _host: &mut dyn Host, _failure: Failure) {}

    /// Makes a process of another job known as `process`: an index that is new and follows the last
    /// one, or that of a [dismissed](Module::dismiss) process, which is this one or another one
    /// that [has parted](Module::has_parted). Both processes do this before either sends. Fails if
    /// the network connects processes of one job only.
    fn meet(
        &mut self,
        _host: &mut dyn Host,
        process: u32,
        _foreign: Foreign,
    ) -> Result<(), Failure> {
        let why = "the network connects the processes of one job only";
        Err(Failure::new(Fault::Unreachable, why).about(process))
    }

    /// Ends the connection with a process of another job, which does the same. Everything accepted
    /// has arrived or will arrive.
    fn dismiss(&mut self, _host: &mut dyn Host, _process: u32) {}

    /// Returns whether nothing connects this process with one that has been dismissed, or that has
    /// ended, any more. The index of a dismissed process may then be that of another one.
    fn has_parted(&self, _process: u32) -> bool {
        true
    }

    /// Prepares for a time without polls, in which the process may end; called until it returns
    /// `Done`. The module sends everything accepted to the other hosts, and tells its peers that an
    /// end from now on is regular. The next packet revokes that.
    fn pause(&mut self, _host: &mut dyn Host) -> Result<Finalized, Failure> {
        Ok(Finalized::Done)
    }

    /// Adds the descriptors to wait for before the process sleeps. Networks whose events must be
    /// armed arm them here.
    fn rest(&mut self, _interests: &mut Vec<Interest>) -> Rest {
        Rest::Poll
    }

    /// Returns the module's remote memory access; `None` if it offers none.
    fn rma(&mut self) -> Option<&mut dyn Rma> {
        None
    }

    /// Returns the module's collective operations; `None` if it offers none.
    fn collectives(&mut self) -> Option<&mut dyn Collectives> {
        None
    }
}
