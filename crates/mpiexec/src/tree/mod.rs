//! The tree of launchers: `mpiexec` at the root and one *node agent* on each other host. Where
//! there are many hosts, agents start agents.
//!
//! ```text
//!   mpiexec ── starter (ssh, srun, …): bootstrap record on stdin ──▶ mpiexec --node-agent
//!      ▲                                                               │  on the other host
//!      └──────── TCP, both ends prove that they know the key; encrypted ┘
//! ```
//!
//! The starter only starts the agent. Everything else travels over the connection, and a launcher
//! that loses it ends its part of the job. The kernel watches the connection (keep-alive), so that
//! a host without power or a pulled cable is noticed within seconds.
//!
//! | file | content |
//! |---|---|
//! | `message` | messages up and down the tree |
//! | `link` | a connection that never blocks |
//! | `proof` | the handshake of a connection |
//! | `starter` | the command that starts an agent, and its output |
//! | `bootstrap` | the record that an agent reads from its standard input |
//! | `child_agent` | a subtree, as its parent sees it |

pub mod bootstrap;
pub mod child_agent;
pub mod link;
pub mod message;
pub mod proof;
pub mod starter;

/// Child agents of one launcher at most. With more hosts, agents start agents.
pub const FAN_OUT: usize = 32;
