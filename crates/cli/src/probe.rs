//! Helper processes that this program starts from its own file, for tests and measurements that
//! need a second process.

use crate::bench::{handover, queue, switching};
use crate::diagnostic::Diagnostic;
use crate::{doctor, info};
use clap::Subcommand;
use nemesis_sys::foreign;
use std::path::PathBuf;

#[derive(Subcommand)]
pub enum Role {
    /// The other end of the raw hand-over of a cache line
    Handover { descriptor: i32, bytes: usize, processor: usize },
    /// Enqueues and dequeues, whose instructions are counted from outside
    Queue { passes: u32 },
    /// Yields its processor until it is killed
    Yielder,
    /// Prints the address of memory for a sibling to read, and waits until standard input ends
    Readable,
    /// Reads a sibling's memory
    Reader { pid: i32, address: u64 },
    /// Examines this host for `doctor`, and connects to others
    Host { program: Option<String> },
    /// Prints what an MPI library says about itself
    LibraryVersion { path: PathBuf },
}

pub fn run(role: &Role) -> Result<(), Diagnostic> {
    match role {
        &Role::Handover { descriptor, bytes, processor } => {
            handover::answer(descriptor, bytes, processor)
        }
        &Role::Queue { passes } => queue::pass(passes),
        Role::Yielder => switching::give(),
        Role::Readable => info::siblings::be_readable(),
        &Role::Reader { pid, address } => info::siblings::read(pid, address),
        Role::Host { program } => doctor::host_report::answer(program.as_deref()),
        Role::LibraryVersion { path } => {
            let version = foreign::mpi_version(path).map_err(|why| {
                Diagnostic::new(format!("loading {}", path.display()), why, "another library")
            })?;
            println!("{version}");
            Ok(())
        }
    }
}
