//! Settings of the module.

use crate::acceptor::Acceptor;
use nemesis_sys::choice::{Choice, Ports};
use std::sync::Arc;

/// Settings that a user or a test may change.
#[derive(Clone, Debug)]
pub struct Options {
    /// The networks of the host that the module uses.
    pub choice: Choice,
    /// The ports at which processes accept connections.
    pub ports: Ports,
    /// The acceptor of the node's port, if its processes share one.
    pub acceptor: Option<Arc<Acceptor>>,
    /// Whether connections are encrypted; all processes must agree.
    pub encrypt: bool,
    /// 0: all networks of the host. N: only its N-th further network, which carries bulk payloads
    /// beside the first.
    pub rail: usize,
    /// The number by which modules of a process that share a port are told apart, from 4 to 15, if
    /// another module uses this one for its own connections.
    pub channel: Option<u8>,
    /// Maximum payload of a packet, at most that of the header's size field; less for tests.
    pub payload: usize,
    /// Maximum bytes of a read and of a write, for tests.
    pub piece: usize,
    /// Size of the sockets' send buffers if the kernel shall not choose it, for tests.
    pub send_buffer: Option<usize>,
}

impl Default for Options {
    fn default() -> Options {
        let (choice, ports) = (Choice::default(), Ports::default());
        Options {
            choice,
            ports,
            acceptor: None,
            encrypt: false,
            rail: 0,
            channel: None,
            payload: u16::MAX.into(),
            piece: usize::MAX,
            send_buffer: None,
        }
    }
}
