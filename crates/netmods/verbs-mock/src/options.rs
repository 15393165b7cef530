//! The devices of the mock, and the trouble that each makes.

use nemesis_netmod_verbs::layout;

/// Trouble that the connection manager of an iWARP device makes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ManagerTrouble {
    None,
    /// No address belongs to the device.
    NoAddress,
    /// Nobody answers a request for a connection.
    Silence,
    /// The device is removed with the n-th request of a queue pair.
    Removal(u32),
}

/// Properties of a device.
#[derive(Clone, Copy)]
pub struct Options {
    pub name: &'static str,
    /// Kind of the link: 1 InfiniBand, 2 Ethernet (RoCE).
    pub link_layer: u8,
    /// State of the port before the first request.
    pub port_state: u32,
    /// Whether the port has addresses (GIDs).
    pub has_addresses: bool,
    /// Whether the device is one of iWARP, on the link of the loopback interface.
    pub is_iwarp: bool,
    pub manager: ManagerTrouble,
    /// A request is carried out after up to this number of polls.
    pub delay: u32,
    /// Every n-th message first meets a receiver that is not ready; 0 is none.
    pub not_ready: u32,
    /// Most queue pairs of a context.
    pub queue_pairs: u32,
    /// Most bytes registered by a context.
    pub locked_bytes: usize,
    /// Whom atomics exclude: `ibv_atomic_cap`. Without atomics their right is refused.
    pub atomics: i32,
    /// Most bytes of a request.
    pub message_bytes: u32,
    /// Most bytes that a request carries itself.
    pub inline_bytes: u32,
    /// The n-th request of a context fails because the link is down; 0 is never.
    pub breaks: u32,
    /// The link of the port goes down with the n-th request of a queue pair, and requests wait
    /// from then on; 0 is never. It goes up when the process has closed the device.
    pub unplugged: u32,
}

const PLAIN: Options = Options {
    name: "mock0",
    link_layer: 1,
    port_state: layout::PORT_ACTIVE,
    has_addresses: true,
    is_iwarp: false,
    manager: ManagerTrouble::None,
    delay: 0,
    not_ready: 0,
    queue_pairs: 1024,
    locked_bytes: usize::MAX,
    atomics: 1,
    message_bytes: 1 << 30,
    inline_bytes: 128,
    breaks: 0,
    unplugged: 0,
};

/// A device of iWARP without trouble.
pub const IWARP: Options =
    Options { name: "mock_iwarp", link_layer: 2, is_iwarp: true, atomics: 0, ..PLAIN };

/// The devices, each with another kind of trouble. The first is the default of a module.
pub const DEVICES: &[Options] = &[
    PLAIN,
    Options { name: "mock_roce", link_layer: 2, inline_bytes: 0, atomics: 0, ..PLAIN },
    Options { name: "mock_atomic", atomics: layout::ATOMIC_GLOB, ..PLAIN },
    Options { name: "mock_late", atomics: layout::ATOMIC_GLOB, delay: 5, ..PLAIN },
    IWARP,
    Options { name: "mock_nowhere", manager: ManagerTrouble::NoAddress, ..IWARP },
    Options { name: "mock_silent", manager: ManagerTrouble::Silence, ..IWARP },
    Options { name: "mock_removed", manager: ManagerTrouble::Removal(50), ..IWARP },
    Options { name: "mock_slow", delay: 5, message_bytes: 8192, ..PLAIN },
    Options { name: "mock_busy", not_ready: 3, delay: 2, ..PLAIN },
    Options { name: "mock_few", queue_pairs: 1, ..PLAIN },
    Options { name: "mock_none", queue_pairs: 0, ..PLAIN },
    Options { name: "mock_tight", locked_bytes: 6 << 20, ..PLAIN },
    Options { name: "mock_broken", breaks: 200, ..PLAIN },
    Options { name: "mock_unplugged", unplugged: 50, ..PLAIN },
    Options { name: "mock_down", port_state: layout::PORT_DOWN, ..PLAIN },
    Options { name: "mock_roce_down", link_layer: 2, port_state: layout::PORT_DOWN, ..PLAIN },
    Options { name: "mock_unmanaged", port_state: 2, ..PLAIN },
    Options { name: "mock_unaddressed", link_layer: 2, has_addresses: false, ..PLAIN },
];
