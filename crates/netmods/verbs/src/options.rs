//! Settings of the module.

use nemesis_netmod_tcp as tcp;
use std::path::PathBuf;

/// Settings that a user or a test may change.
#[derive(Clone, Debug)]
pub struct Options {
    /// The library, instead of the system's.
    pub library: Option<PathBuf>,
    /// Name of the device; `None` is the first with a port that is active.
    pub device: Option<String>,
    /// The TCP network beneath: it proves the job key, notices lost processes, and carries packets
    /// to processes without a queue pair.
    pub tcp: tcp::Options,
    /// Bytes of a message: a packet's payload is shorter by the overhead.
    pub message_bytes: usize,
    /// Packets that a process may send to this one without a credit.
    pub window: u32,
    /// Most receives for all processes together.
    pub receives_max: u32,
    /// Most requests of one queue pair.
    pub requests: u32,
    /// Most buffers of messages that are being sent.
    pub send_buffers: u32,
    /// Length from which a bulk payload is read from the sender's memory, which is registered for
    /// it. A shorter one is copied.
    pub read_min_bytes: usize,
    /// Whether processes that send often get a ring ("RDMA fast path").
    pub fast_path: bool,
    /// Whether a message on a ring omits a header that repeats the last one.
    pub header_caching: bool,
    /// Whether the device accesses remote memory for windows.
    pub remote_memory: bool,
    /// Whether `send` looks for completions and credits when few are left ("eager poking").
    pub eager_poking: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            library: None,
            device: None,
            tcp: tcp::Options::default(),
            message_bytes: 8192,
            window: 64,
            receives_max: 8192,
            requests: 128,
            send_buffers: 1024,
            read_min_bytes: 16 << 10,
            fast_path: true,
            header_caching: true,
            remote_memory: true,
            eager_poking: true,
        }
    }
}
