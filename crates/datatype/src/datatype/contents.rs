//! Envelope and contents: the constructor call that made a type (MPI 5.0 §5.1.13).
//!
//! A constructor records its arguments unchanged, in the order in which the standard lists them for
//! its combiner and in the form of the `int` functions. [`Contents::large`] rearranges them into
//! the form of the `_c` functions, where every count, length, stride and displacement is a large
//! count and everything else stays an integer.

use crate::datatype::Datatype;

/// The constructor that made a type. The values are those of the standard ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Combiner {
    /// None: the type is a named predefined one.
    Named = 101,
    /// `MPI_Type_dup`.
    Dup = 102,
    /// `MPI_Type_contiguous`.
    Contiguous = 103,
    /// `MPI_Type_vector`.
    Vector = 104,
    /// `MPI_Type_create_hvector`.
    Hvector = 105,
    /// `MPI_Type_indexed`.
    Indexed = 106,
    /// `MPI_Type_create_hindexed`.
    Hindexed = 107,
    /// `MPI_Type_create_indexed_block`.
    IndexedBlock = 108,
    /// `MPI_Type_create_hindexed_block`.
    HindexedBlock = 109,
    /// `MPI_Type_create_struct`.
    Struct = 110,
    /// `MPI_Type_create_subarray`.
    Subarray = 111,
    /// `MPI_Type_create_darray`.
    Darray = 112,
    /// `MPI_Type_create_f90_real`.
    F90Real = 113,
    /// `MPI_Type_create_f90_complex`.
    F90Complex = 114,
    /// `MPI_Type_create_f90_integer`.
    F90Integer = 115,
    /// `MPI_Type_create_resized`.
    Resized = 116,
    /// `MPI_Type_get_value_index`.
    ValueIndex = 117,
}

impl Combiner {
    /// Returns true for the Fortran types that a program requests by precision and range.
    pub(crate) const fn is_parameterised(self) -> bool {
        matches!(self, Self::F90Real | Self::F90Complex | Self::F90Integer)
    }
}

/// The arguments of a constructor. `MPI_Type_get_envelope` returns their numbers,
/// `MPI_Type_get_contents` the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// The constructor.
    pub combiner: Combiner,
    /// The integer arguments.
    pub integers: Box<[i64]>,
    /// The arguments that are addresses (`MPI_Aint`).
    pub addresses: Box<[i64]>,
    /// Counts and displacements of a type that a `_c` function made; empty for any other type.
    pub large_counts: Box<[i64]>,
    /// The component types.
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

    /// Returns the arguments in the form of a `_c` function.
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
