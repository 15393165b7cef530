//! The tree of launchers: `mpiexec` above, one *node agent* per host below, and, where there are many hosts, agents that have agents.
//!
//! ```text
//!   mpiexec ── starter (ssh, srun, …): stdin carries the job key ──▶ mpiexec --node-agent        on the other host
//!      ▲                                                                  │
//!      └───────────── TCP, both ends prove that they know the key ────────┘
//! ```
//!
//! The starter only starts: everything else goes over the connection, and whoever loses it ends its part of the job. The connection is watched by the
//! kernel (keep-alive), so that a host without power or a pulled cable is noticed in seconds.
//!
//! | file | what |
//! |---|---|
//! | `message` | what is said, up and down |
//! | `link` | a connection that never blocks: messages in, messages out |
//! | `proof` | the first bytes of a connection |
//! | `starter` | the command that starts an agent, and what it says when it cannot |
//! | `invitation` | what an agent is told on its standard input |
//! | `child_agent` | a subtree, seen from above |

pub mod child_agent;
pub mod invitation;
pub mod link;
pub mod message;
pub mod proof;
pub mod starter;

/// Of two launchers of one job, both must have the same.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "/1");

/// Branches of one launcher at most; beyond, agents have agents.
pub const FAN_OUT: usize = 32;
