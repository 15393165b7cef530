//! The memory that an access names, on the target's side.

use crate::abi;
use crate::elements::Sharing;
use crate::error::Error;
use nemesis::Refusal;
use nemesis_datatype::{Datatype, LocalTarget, RemoteTarget};

/// The target side of an access: rank, displacement, count and datatype.
#[derive(Debug)]
pub struct Target {
    pub rank: i32,
    /// Displacement in the target's displacement units; for a dynamic window, an address there.
    pub disp: i64,
    pub count: i64,
    pub datatype: Datatype,
}

/// The memory that an access names, found and checked.
pub(super) enum Spot<'a> {
    /// Memory that is mapped here.
    Near {
        place: LocalTarget<'a>,
        sharing: Sharing,
    },
    Far {
        process: u32,
        distant: RemoteTarget,
    },
}

impl Target {
    /// Returns the bytes of data of `count` elements.
    pub(super) fn bytes(&self) -> usize {
        usize::try_from(self.count.saturating_mul(self.datatype.size())).unwrap_or(usize::MAX)
    }
}

#[cold]
pub(super) fn no_memory(refusal: &Refusal) -> Box<Error> {
    Error::new(abi::MPI_ERR_NO_MEM, refusal.to_string())
        .advise("run `nemesis info`, which tells what this host allows")
}

#[cold]
pub(super) fn no_segment() -> Box<Error> {
    Error::new(abi::MPI_ERR_INTERN, "this process has no segment")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bytes_of_a_target_do_not_overflow() {
        let long = Datatype::predefined(abi::MPI_INT64_T.0).expect("MPI_INT64_T");
        let bytes = |count| Target { rank: 0, disp: 0, count, datatype: long.clone() }.bytes();
        assert_eq!([bytes(0), bytes(3)], [0, 24]);
        assert_eq!([bytes(i64::MAX), bytes(-1)], [i64::MAX as usize, usize::MAX]);
    }
}
