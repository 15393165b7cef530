//! Arguments of collectives: buffers with a block for every rank, `MPI_IN_PLACE`, operations.

pub use super::super::arguments::Choice;
use super::super::arguments::negative_count;
use super::Call;
pub(super) use crate::params::not_in_place;
use crate::params::{CommArray, IntArray, Ints, UserBuffer};
use nemesis_datatype::Buffer;
use nemesis_mpi::coll::signature::{Kind, Signature};
use nemesis_mpi::coll::{Blocks, Operator, Reduction};
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Datatype, Op};
use nemesis_mpi::{abi, op};

/// What to try instead of one buffer for both sides of a reduction or an alltoall.
pub const SEND_IN_PLACE: &str = "pass MPI_IN_PLACE as the send buffer";
/// What to try where a block of this process's own is sent from, or received into, all blocks.
pub const OWN_IN_PLACE: &str = "keep this process's block at its place among all blocks and \
     pass MPI_IN_PLACE, or use two buffers";
/// What to try in calls without `MPI_IN_PLACE`.
pub const TWO_BUFFERS: &str = "use two buffers: this call has no MPI_IN_PLACE";

/// Refuses two buffers that share memory: one would be overwritten while the other is being sent
/// (MPI 5.0 §6.2.2). Of buffers with holes only those that begin at one place with one type are
/// found.
pub fn distinct(sent: &Buffer, received: &Buffer, advice: &'static str) -> Outcome {
    if shares(sent, received) { Err(same_memory(advice)) } else { Ok(()) }
}

/// Whether two buffers with data have a byte in common, as far as that is known without a walk
/// through their types.
pub fn shares(sent: &Buffer, received: &Buffer) -> bool {
    share_memory(sent, received) && sent.bytes() > 0 && received.bytes() > 0
}

/// Whether both have a byte in common, as far as that is known without a walk through their types.
fn share_memory(sent: &Buffer, received: &Buffer) -> bool {
    if let Some((left, right)) = sent.contiguous().zip(received.contiguous()) {
        return left.address < right.address.saturating_add(right.len)
            && right.address < left.address.saturating_add(left.len);
    }
    let (left, right) = (sent.datatype(), received.datatype());
    sent.address() == received.address()
        && (left == right || left.is_predefined() && right.is_predefined())
}

/// Tells the checks if this process's own block has other basic types where it is sent from than
/// where it is received.
pub fn compare_types(sent: &Buffer, received: &Buffer) {
    if nemesis_mpi_check::is_on() && sent.bytes() == received.bytes() {
        let bytes = sent.bytes() as u64;
        let types = [sent.datatype(), received.datatype()];
        nemesis_mpi_check::compare_sides(types, bytes, |sent, received| {
            format!("{bytes} bytes to itself, sent as {sent}, received as {received}")
        });
    }
}

/// Refuses a block of this process's own that begins where all `blocks` begin, or at one of a list.
pub fn distinct_from_all(own: &Buffer, blocks: &Blocks, advice: &'static str) -> Outcome {
    match blocks {
        Blocks::Even { all, .. } => distinct(own, all, advice),
        Blocks::List(list) => list.iter().try_for_each(|block| distinct(own, block, advice)),
    }
}

/// Refuses blocks of which one is sent from where another is received. Lists count displacements
/// from `bases` and are compared only if both bases are one address.
pub fn distinct_blocks(
    bases: [UserBuffer; 2],
    sent: &Blocks,
    received: &Blocks,
    advice: &'static str,
) -> Outcome {
    match (sent, received) {
        (Blocks::Even { all: sent, .. }, Blocks::Even { all: received, .. }) => {
            distinct(sent, received, advice)
        }
        (Blocks::List(sent), Blocks::List(received)) if bases[0] == bases[1] => {
            sent.iter()
                .zip(received)
                .try_for_each(|(sent, received)| distinct(sent, received, advice))?;
            if overlap(sent, received) { Err(same_memory(advice)) } else { Ok(()) }
        }
        _ => Ok(()),
    }
}

/// Whether a block of one list has a byte in common with a block of the other. Blocks with holes
/// are left out.
fn overlap(sent: &[Buffer], received: &[Buffer]) -> bool {
    let runs = |list: &[Buffer], side: usize| {
        let runs = list.iter().filter_map(Buffer::contiguous).filter(|run| run.len > 0);
        runs.map(|run| (run.address, run.address.saturating_add(run.len), side)).collect::<Vec<_>>()
    };
    let mut all = [runs(sent, 0), runs(received, 1)].concat();
    all.sort_unstable();
    // Where the runs of each side that began so far end.
    let mut ends = [0, 0];
    all.into_iter().any(|(start, end, side)| {
        ends[side] = ends[side].max(end);
        start < ends[1 - side]
    })
}

#[cold]
fn same_memory(advice: &'static str) -> Box<Error> {
    Error::new(abi::MPI_ERR_BUFFER, "send and receive buffer share memory").advise(advice)
}

/// Counts, displacements and types of a buffer with a block for each rank.
pub struct Layout<'a> {
    /// The arguments' names.
    pub names: [&'static str; 2],
    pub counts: IntArray<'a>,
    pub displacements: IntArray<'a>,
    pub types: Types<'a>,
}

/// The types of the blocks.
#[derive(Clone, Copy)]
pub enum Types<'a> {
    /// One, in whose extents displacements are counted.
    One(Datatype),
    /// One for each rank; displacements are bytes.
    Each(&'a [Datatype]),
}

impl Call<'_> {
    /// The buffer (address, count, datatype), not `MPI_IN_PLACE`.
    pub fn data(&self, address: UserBuffer, count: i64, datatype: Datatype) -> Outcome<Buffer> {
        let data = address.message(&self.mpi, count, datatype)?;
        if address.is_in_place() {
            return Err(not_in_place());
        }
        Ok(data)
    }

    /// Blocks of `each` elements, one for each part.
    pub fn blocks(&self, address: UserBuffer, each: i64, datatype: Datatype) -> Outcome<Blocks> {
        if each < 0 {
            return Err(negative_count(each));
        }
        let all = each.checked_mul(i64::from(self.parts)).ok_or_else(|| {
            Error::new(
                abi::MPI_ERR_COUNT,
                format!(
                    "{each} elements for each of {} blocks are more than 64 bits can count",
                    self.parts
                ),
            )
        })?;
        Ok(Blocks::Even { all: self.data(address, all, datatype)?, each: each as usize })
    }

    /// Blocks with a count, a displacement and perhaps a type of their own, one for each part.
    pub fn list(&self, address: UserBuffer, layout: &Layout<'_>) -> Outcome<Blocks> {
        let parts = self.parts as usize;
        let counts = counts(layout.names[0], layout.counts, parts)?;
        let displacements = layout.displacements.require(parts, layout.names[1])?;
        let mut list = Vec::with_capacity(parts);
        for (rank, count) in counts.iter().enumerate() {
            // An entry without elements may have any type, even none.
            if count == 0 {
                list.push(Buffer::empty());
                continue;
            }
            let displacement = displacements.get(rank);
            let (datatype, unit) = match layout.types {
                Types::One(datatype) => (datatype, self.mpi.types.committed(datatype)?.extent()),
                Types::Each(types) => (types[rank], 1),
            };
            let offset = displacement.checked_mul(unit).ok_or_else(|| {
                Error::new(
                    abi::MPI_ERR_ARG,
                    format!(
                        "{}[{rank}] is {displacement}, which is no place in memory",
                        layout.names[1]
                    ),
                )
            })?;
            if address.is_null() && offset == 0 || address.is_in_place() {
                list.push(self.data(address, count, datatype)?);
            } else {
                let block = address.offset(offset as isize);
                list.push(block.message(&self.mpi, count, datatype)?);
            }
        }
        // The names of the arguments tell the side.
        if nemesis_mpi_check::is_on() && layout.names[0] == "recvcounts" {
            nemesis_mpi_check::buffers::receives_into(list.iter());
        }
        Ok(Blocks::List(list))
    }

    /// The types of the blocks, from an array with an element for each part.
    pub fn types<'b>(
        &self,
        name: &'static str,
        types: CommArray<'b, Datatype>,
    ) -> Outcome<Types<'b>> {
        types.require(self.parts as usize, name).map(Types::Each)
    }
}

/// The `parts` counts of an array, none of which may be negative.
pub fn counts<'a>(name: &'static str, array: IntArray<'a>, parts: usize) -> Outcome<Ints<'a>> {
    let counts = array.require(parts, name)?;
    match counts.iter().enumerate().find(|(_, count)| *count < 0) {
        Some((part, count)) => Err(Error::new(
            abi::MPI_ERR_COUNT,
            format!("{name}[{part}] is {count}, it must not be negative"),
        )),
        None => Ok(counts),
    }
}

/// The operation, if it is defined on the type of `data`, which has the handle `datatype`.
pub fn reduction(op: Op, datatype: Datatype, data: &Buffer) -> Outcome<Reduction> {
    match op::get(op)? {
        op::Op::User(user) => Ok(Reduction {
            operator: Operator::User(user.function, datatype),
            commutative: user.commutative,
        }),
        op::Op::Predefined(predefined) => {
            if !predefined.is_commutative() {
                return Err(Error::new(
                    abi::MPI_ERR_OP,
                    format!("{} is for the accumulate functions only", predefined.name()),
                ));
            }
            if !predefined.allows(data.datatype()) {
                return Err(undefined_on(predefined, data));
            }
            Ok(Reduction { operator: Operator::Predefined(predefined), commutative: true })
        }
    }
}

/// Returns the signature of a reduction of `data`.
pub fn reducing(kind: Kind, reduction: Reduction, data: &Buffer) -> Signature {
    match reduction.operator {
        Operator::Predefined(op) => Signature::new(kind).reducing(op, data.datatype().class()),
        Operator::User(..) => Signature::new(kind).reducing_by_user(),
    }
}

#[cold]
fn undefined_on(op: nemesis_datatype::Op, data: &Buffer) -> Box<Error> {
    let datatype = data.datatype().predefined_name().unwrap_or("a derived datatype");
    Error::new(abi::MPI_ERR_OP, format!("{} is not defined on {datatype}", op.name())).advise(
        "MPI 5.0 §6.9.2 lists the types of each operation; for others make one with MPI_Op_create",
    )
}
