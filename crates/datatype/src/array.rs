//! Constructors of subarray and distributed-array types (MPI 5.0 §5.1.3, §5.1.4).
//!
//! Both types select a regular part of an n-dimensional array and have the bounds of the *whole*
//! array, so that consecutive elements of the type are consecutive arrays. The constructors build
//! them one dimension at a time, beginning with the fastest-varying one:
//!
//! ```text
//! pitch      bytes from one index of this dimension to the next (the extent of all faster ones)
//! slice      the part that the faster dimensions select, resized to that pitch
//! selection  the indices of this dimension: blocks at equal distance, then perhaps a shorter one
//! ```
//!
//! Each dimension copies `slice` to `pitch × index` for each selected index. The next dimension has
//! a pitch that is `size` times larger.

use crate::datatype::contents::{Combiner, Contents};
use crate::datatype::{Datatype, Map};
use crate::error::{TypeError, TypeErrorKind, times};

/// Storage order of an array (MPI 5.0 §5.1.3). The values are those of the standard ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Order {
    /// `MPI_ORDER_C`: the last index varies fastest.
    C = 12,
    /// `MPI_ORDER_FORTRAN`: the first index varies fastest.
    Fortran = 15,
}

/// How a dimension of a distributed array is divided among processes (MPI 5.0 §5.1.4). The values
/// are those of the standard ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Distribution {
    /// `MPI_DISTRIBUTE_NONE`: one process has the whole dimension.
    None = 16,
    /// `MPI_DISTRIBUTE_BLOCK`: each process has one block.
    Block = 17,
    /// `MPI_DISTRIBUTE_CYCLIC`: blocks go to the processes in turn.
    Cyclic = 18,
}

/// `MPI_DISTRIBUTE_DFLT_DARG` of the standard ABI: the default block length of a distribution.
pub const DISTRIBUTE_DFLT_DARG: i64 = 19;

impl Order {
    /// Returns the order with this value of the standard ABI.
    pub fn from_value(value: i64) -> Option<Self> {
        [Self::C, Self::Fortran].into_iter().find(|&order| order as i64 == value)
    }

    /// Returns the dimensions, the fastest-varying first.
    fn dimensions(self, count: usize) -> Box<dyn Iterator<Item = usize>> {
        match self {
            Self::C => Box::new((0..count).rev()),
            Self::Fortran => Box::new(0..count),
        }
    }
}

impl Distribution {
    /// Returns the distribution with this value of the standard ABI.
    pub fn from_value(value: i64) -> Option<Self> {
        [Self::None, Self::Block, Self::Cyclic].into_iter().find(|&kind| kind as i64 == value)
    }
}

/// The arguments of `MPI_Type_create_darray`. All slices have one length, the number of dimensions.
#[derive(Clone, Copy, Debug)]
pub struct Darray<'a> {
    /// Number of processes in the grid.
    pub size: i64,
    /// Rank of the process whose part the type describes.
    pub rank: i64,
    /// Number of elements of the whole array in each dimension.
    pub gsizes: &'a [i64],
    /// Distribution of each dimension.
    pub distributions: &'a [Distribution],
    /// Block length in each dimension, or [`DISTRIBUTE_DFLT_DARG`].
    pub args: &'a [i64],
    /// Number of processes in each dimension.
    pub psizes: &'a [i64],
    /// Storage order of the array.
    pub order: Order,
}

/// The selected indices of one dimension: `count` blocks of `length` indices, `stride` apart, from
/// `first` on; then `tail` further indices, one stride after the last block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Selection {
    first: i64,
    count: i64,
    length: i64,
    stride: i64,
    tail: i64,
}

impl Datatype {
    /// `MPI_Type_create_subarray`: a rectangular part of an array. All slices have one length, the
    /// number of dimensions.
    ///
    /// # Errors
    /// If there is no dimension, a part does not lie inside the array, or a displacement exceeds 64
    /// bits.
    pub fn subarray(
        sizes: &[i64],
        subsizes: &[i64],
        starts: &[i64],
        order: Order,
        old: &Self,
    ) -> Result<Self, TypeError> {
        at_least_one_dimension(sizes.len())?;
        for (dimension, ((&size, &subsize), &start)) in
            sizes.iter().zip(subsizes).zip(starts).enumerate()
        {
            if size < 1 || subsize < 1 || subsize > size || start < 0 || start > size - subsize {
                let why = format!(
                    "dimension {dimension}: {subsize} elements from {start} on do not lie in an \
                     array of {size}"
                );
                return Err(TypeError::new(TypeErrorKind::Arg, why));
            }
        }
        let selection = |dimension: usize| Selection {
            first: starts[dimension],
            count: 1,
            length: subsizes[dimension],
            stride: 0,
            tail: 0,
        };
        let (ndims, order_value) = ([sizes.len() as i64], [order as i64]);
        let contents = Contents::new(
            Combiner::Subarray,
            &[&ndims, sizes, subsizes, starts, &order_value],
            &[],
            &[old],
        );
        Self::select_from_array(sizes, selection, order, old, contents)
    }

    /// `MPI_Type_create_darray`: the part of a distributed array that belongs to one process.
    ///
    /// # Errors
    /// If the process grid does not have `size` processes, the blocks do not cover a dimension, an
    /// argument is out of its range, or a displacement exceeds 64 bits.
    pub fn darray(array: &Darray<'_>, old: &Self) -> Result<Self, TypeError> {
        at_least_one_dimension(array.gsizes.len())?;
        let coordinates = array.coordinates()?;
        let selections: Vec<Selection> = coordinates
            .iter()
            .enumerate()
            .map(|(dimension, &at)| array.distribute(dimension, at))
            .collect::<Result<_, _>>()?;
        let kinds: Vec<i64> = array.distributions.iter().map(|&kind| kind as i64).collect();
        let head = [array.size, array.rank, array.gsizes.len() as i64];
        let integers =
            [&head[..], array.gsizes, &kinds, array.args, array.psizes, &[array.order as i64]];
        let contents = Contents::new(Combiner::Darray, &integers, &[], &[old]);
        Self::select_from_array(
            array.gsizes,
            |dimension| selections[dimension],
            array.order,
            old,
            contents,
        )
    }

    fn select_from_array(
        sizes: &[i64],
        selection: impl Fn(usize) -> Selection,
        order: Order,
        old: &Self,
        contents: Contents,
    ) -> Result<Self, TypeError> {
        let mut slice = old.clone();
        let mut pitch = old.facts().extent();
        for dimension in order.dimensions(sizes.len()) {
            let Selection { first, count, length, stride, tail } = selection(dimension);
            let at = |index: i64| times(index, pitch, "a displacement in the array");
            let body = Self::hvector(count, length, at(stride)?, &slice)?;
            let displacements = [at(first)?, at(first + count * stride)?];
            let both = Self::structure(&[1, tail], &displacements, &[body, slice])?;
            pitch = at(sizes[dimension])?;
            slice = Self::resized(&both, 0, pitch)?;
        }
        let facts = *slice.facts();
        Ok(Self::derived(
            facts,
            Map::Vector { count: 1, length: 1, stride: 0, each: slice },
            contents,
        ))
    }
}

impl Darray<'_> {
    /// Returns the coordinates of the rank in the process grid. The grid is numbered in C order
    /// whatever the order of the array is.
    fn coordinates(&self) -> Result<Vec<i64>, TypeError> {
        let wrong = |why: String| TypeError::new(TypeErrorKind::Arg, why);
        let mut grid = 1_i64;
        for &psize in self.psizes {
            if psize < 1 {
                return Err(wrong(format!(
                    "the process grid has {psize} processes in one dimension, it needs at least one"
                )));
            }
            grid = times(grid, psize, "the size of the process grid")?;
        }
        if grid != self.size {
            return Err(wrong(format!(
                "the process grid has {grid} processes, but the size is {}",
                self.size
            )));
        }
        if self.rank < 0 || self.rank >= self.size {
            return Err(wrong(format!("rank {} is not one of {} processes", self.rank, self.size)));
        }
        let mut rest = self.rank;
        let mut coordinates: Vec<i64> = self
            .psizes
            .iter()
            .rev()
            .map(|&psize| {
                let coordinate = rest % psize;
                rest /= psize;
                coordinate
            })
            .collect();
        coordinates.reverse();
        Ok(coordinates)
    }

    /// Returns the indices of a dimension that the process at `coordinate` gets.
    fn distribute(&self, dimension: usize, coordinate: i64) -> Result<Selection, TypeError> {
        let (gsize, psize, arg) =
            (self.gsizes[dimension], self.psizes[dimension], self.args[dimension]);
        let wrong = |why: String| {
            Err(TypeError::new(TypeErrorKind::Arg, format!("dimension {dimension}: {why}")))
        };
        if gsize < 1 {
            return wrong(format!("the array has {gsize} elements, it must have at least one"));
        }
        if arg != DISTRIBUTE_DFLT_DARG
            && arg < 1
            && self.distributions[dimension] != Distribution::None
        {
            return wrong(format!("the block length is {arg}, it must be positive"));
        }
        let block = match (self.distributions[dimension], arg) {
            (Distribution::None, _) if psize != 1 => {
                return wrong(format!("it is not distributed, but has {psize} processes"));
            }
            (Distribution::None, _) => gsize,
            (Distribution::Block, DISTRIBUTE_DFLT_DARG) => (gsize - 1) / psize + 1,
            (Distribution::Block, arg) if (gsize - 1) / psize >= arg => {
                return wrong(format!("{psize} blocks of {arg} do not cover {gsize} elements"));
            }
            (Distribution::Cyclic, DISTRIBUTE_DFLT_DARG) => 1,
            (_, arg) => arg,
        };
        Ok(Selection::cyclic(gsize, psize, block, coordinate))
    }
}

impl Selection {
    /// Selects every `psize`-th block of `block` elements, beginning with block `coordinate`. A
    /// block distribution is one round of this selection.
    fn cyclic(gsize: i64, psize: i64, block: i64, coordinate: i64) -> Self {
        let nothing = Self { first: 0, count: 0, length: block, stride: 0, tail: 0 };
        let Some(first) = coordinate.checked_mul(block).filter(|&first| first < gsize) else {
            return nothing;
        };
        let left = gsize - first;
        // A round that does not fit in 64 bits is the only one.
        let Some(round) = psize.checked_mul(block).filter(|&round| round < left) else {
            return if left >= block {
                Self { first, count: 1, ..nothing }
            } else {
                Self { first, tail: left, ..nothing }
            };
        };
        let count = left / round;
        let rest = left % round;
        if rest >= block {
            Self { first, count: count + 1, length: block, stride: round, tail: 0 }
        } else {
            Self { first, count, length: block, stride: round, tail: rest }
        }
    }
}

fn at_least_one_dimension(ndims: usize) -> Result<(), TypeError> {
    if ndims == 0 {
        return Err(TypeError::new(TypeErrorKind::Arg, "an array has at least one dimension"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Buffer;

    const BYTE: usize = 0x247;

    /// Returns the byte offsets that a type selects, in packed order.
    fn byte_offsets(datatype: &Datatype) -> Vec<usize> {
        let buffer = Buffer::scratch(1, datatype).expect("memory");
        buffer
            .runs(0)
            .flat_map(|run| run.address..run.address + run.len)
            .map(|address| address - buffer.address())
            .collect()
    }

    fn bytes() -> &'static Datatype {
        Datatype::predefined(BYTE).expect("bytes")
    }

    #[test]
    fn a_subarray_in_both_orders() {
        let c = Datatype::subarray(&[3, 4], &[2, 2], &[1, 1], Order::C, bytes()).expect("valid");
        assert_eq!(byte_offsets(&c), [5, 6, 9, 10]);
        assert_eq!((c.lb(), c.extent(), c.size()), (0, 12, 4));
        let fortran =
            Datatype::subarray(&[3, 4], &[2, 2], &[1, 1], Order::Fortran, bytes()).expect("valid");
        assert_eq!(byte_offsets(&fortran), [4, 5, 7, 8]);
        assert!(Datatype::subarray(&[3], &[2], &[2], Order::C, bytes()).is_err());
    }

    #[test]
    fn all_ranks_together_get_every_element_once() {
        for distributions in [
            [Distribution::Block, Distribution::Cyclic],
            [Distribution::Cyclic, Distribution::Block],
        ] {
            for args in [[DISTRIBUTE_DFLT_DARG; 2], [4, 5]] {
                let mut seen = Vec::new();
                for rank in 0..6 {
                    let array = Darray {
                        size: 6,
                        rank,
                        gsizes: &[7, 9],
                        distributions: &distributions,
                        args: &args,
                        psizes: &[2, 3],
                        order: Order::C,
                    };
                    let part = Datatype::darray(&array, bytes()).expect("valid");
                    assert_eq!((part.lb(), part.extent()), (0, 63));
                    seen.extend(byte_offsets(&part));
                }
                seen.sort_unstable();
                assert_eq!(seen, (0..63).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn cyclic_blocks_with_a_short_last_one() {
        assert_eq!(
            Selection::cyclic(10, 2, 3, 0),
            Selection { first: 0, count: 1, length: 3, stride: 6, tail: 3 }.normal()
        );
        assert_eq!(
            Selection::cyclic(10, 2, 3, 1),
            Selection { first: 3, count: 1, length: 3, stride: 6, tail: 1 }
        );
        assert_eq!(Selection::cyclic(3, 4, 1, 3).count, 0, "a process that gets nothing");
    }

    impl Selection {
        /// Writes a tail of full length as one more block.
        fn normal(self) -> Self {
            if self.tail == self.length {
                Self { count: self.count + 1, tail: 0, ..self }
            } else {
                self
            }
        }
    }
}
