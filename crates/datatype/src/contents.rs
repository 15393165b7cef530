//! Envelope and contents: how a type was made, told back (MPI 5.0 §5.1.13).
//!
//! A constructor notes its arguments exactly as they came, in the order the standard lists them for its combiner. The note is written
//! in the form of the `int` calls; [`Contents::large`] rearranges it into the form of the `_c` calls, where every count, length,
//! stride and displacement is a large count and the rest stays an integer.

use crate::datatype::Datatype;

/// Which constructor made a type; the values are the standard ABI's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Combiner {
    Named = 101,
    Dup = 102,
    Contiguous = 103,
    Vector = 104,
    Hvector = 105,
    Indexed = 106,
    Hindexed = 107,
    IndexedBlock = 108,
    HindexedBlock = 109,
    Struct = 110,
    Subarray = 111,
    Darray = 112,
    F90Real = 113,
    F90Complex = 114,
    F90Integer = 115,
    Resized = 116,
    ValueIndex = 117,
}

impl Combiner {
    /// True for the Fortran types asked for by precision and range.
    pub const fn is_parameterised(self) -> bool {
        matches!(self, Self::F90Real | Self::F90Complex | Self::F90Integer)
    }
}

/// The arguments of the constructor. `MPI_Type_get_envelope` gives the lengths, `MPI_Type_get_contents` the rest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    pub combiner: Combiner,
    pub integers: Box<[i64]>,
    pub addresses: Box<[i64]>,
    /// Empty unless a `_c` call made the type.
    pub large_counts: Box<[i64]>,
    pub datatypes: Box<[Datatype]>,
}

impl Contents {
    pub(crate) fn new(
        combiner: Combiner,
        integers: &[&[i64]],
        addresses: &[i64],
        datatypes: &[&Datatype],
    ) -> Self {
        Self {
            combiner,
            integers: integers.concat().into(),
            addresses: addresses.into(),
            large_counts: Box::default(),
            datatypes: datatypes.iter().copied().cloned().collect(),
        }
    }

    /// The same arguments as a `_c` call gives them.
    pub(crate) fn large(&self) -> Self {
        let whole = |range: &[i64]| -> Box<[i64]> { range.into() };
        let (integers, large_counts) = match self.combiner {
            Combiner::Named | Combiner::Dup | Combiner::ValueIndex => return self.clone(),
            Combiner::F90Real | Combiner::F90Complex | Combiner::F90Integer => return self.clone(),
            // ndims, sizes, subsizes, starts, order
            Combiner::Subarray => {
                let order = self.integers.len() - 1;
                (whole(&[self.integers[0], self.integers[order]]), whole(&self.integers[1..order]))
            }
            // size, rank, ndims, gsizes, distribs, dargs, psizes, order
            Combiner::Darray => {
                let (head, tail) = self.integers.split_at(3);
                let (gsizes, rest) = tail.split_at((tail.len() - 1) / 4);
                ([head, rest].concat().into(), whole(gsizes))
            }
            _ => (Box::default(), [&*self.integers, &*self.addresses].concat().into()),
        };
        Self { integers, addresses: Box::default(), large_counts, ..self.clone() }
    }
}
