//! The memory that a collective operation reads and writes, for the development checks.

use nemesis_datatype::Buffer;
use nemesis_mpi::coll::Blocks;
use nemesis_mpi_check::buffers::{Access, Use};

/// Memory of an operation: a buffer, blocks, or either at some of the processes.
pub trait Memory {
    /// Calls `each` for each buffer.
    fn for_each(&self, each: &mut dyn FnMut(&Buffer));
}

/// What an operation sends, and into what it receives.
pub type Sides<'a> = (&'a [&'a dyn Memory], &'a [&'a dyn Memory]);

/// The sides of an operation without data.
pub const NOTHING: Sides<'_> = (&[], &[]);

impl Memory for Buffer {
    fn for_each(&self, each: &mut dyn FnMut(&Buffer)) {
        each(self);
    }
}

impl Memory for Blocks {
    fn for_each(&self, each: &mut dyn FnMut(&Buffer)) {
        match self {
            Blocks::Even { all, .. } => each(all),
            Blocks::List(list) => list.iter().for_each(each),
        }
    }
}

impl<M: Memory> Memory for &M {
    fn for_each(&self, each: &mut dyn FnMut(&Buffer)) {
        (**self).for_each(each);
    }
}

impl<M: Memory> Memory for Option<M> {
    fn for_each(&self, each: &mut dyn FnMut(&Buffer)) {
        if let Some(memory) = self {
            memory.for_each(each);
        }
    }
}

/// Returns `data` as what is sent, or as what is received.
pub fn by_side(is_sent: bool, data: &Buffer) -> (Option<&Buffer>, Option<&Buffer>) {
    (is_sent.then_some(data), (!is_sent).then_some(data))
}

/// Returns the contribution of a process unless it is where the result comes (`MPI_IN_PLACE`).
pub fn apart<'a>(own: &'a Buffer, result: &Buffer) -> Option<&'a Buffer> {
    (own.address() != result.address()).then_some(own)
}

/// Returns the buffers of both sides that have bytes.
#[cold]
pub fn uses(sent: &[&dyn Memory], received: &[&dyn Memory]) -> Vec<Use> {
    let mut all = Vec::new();
    for (side, access) in [(sent, Access::Read), (received, Access::Write)] {
        let mut add = |buffer: &Buffer| {
            if buffer.bytes() > 0 {
                all.push((buffer.clone(), access));
            }
        };
        side.iter().for_each(|memory| memory.for_each(&mut add));
    }
    all
}
