//! Roles for processes that this program starts from its own file, when a question needs a second process to answer it.

use crate::bench::{handover, queue, switching};
use crate::diagnostic::Diagnostic;
use crate::info;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum Role {
    /// The other end of the raw hand-over
    Handover { descriptor: i32, bytes: usize, processor: usize },
    /// Passes of the queue, to be counted from outside
    Queue { passes: u32 },
    /// Gives its turns at a processor away until it is killed
    Giver,
    /// Memory for a sibling to read: says where, and waits until standard input ends
    Readable,
    /// Reads a sibling's memory
    Reader { pid: i32, address: u64 },
}

pub fn run(role: &Role) -> Result<(), Diagnostic> {
    match *role {
        Role::Handover { descriptor, bytes, processor } => {
            handover::answer(descriptor, bytes, processor)
        }
        Role::Queue { passes } => queue::pass(passes),
        Role::Giver => switching::give(),
        Role::Readable => info::siblings::be_readable(),
        Role::Reader { pid, address } => info::siblings::read(pid, address),
    }
}
