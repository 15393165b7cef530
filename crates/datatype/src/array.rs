//! Subarrays and distributed arrays (MPI 5.0 §5.1.3, §5.1.4).
//!
//! Both pick a regular part of an n-dimensional array and have the bounds of the *whole* array, so that consecutive elements of the type
//! are consecutive arrays. Both are built one dimension at a time, the fastest-varying first:
//!
//! ```text
//! pitch     bytes from one index of this dimension to the next (the extent of everything faster)
//! slice     the part selection so far, resized to that pitch
//! selection    the indices taken in this dimension: some blocks at equal distance, then perhaps a shorter one
//! ```
//!
//! A dimension turns `slice` into copies of itself at `pitch × index` for each selection index, and hands on a pitch `size` times larger.

use crate::contents::{Combiner, Contents};
use crate::datatype::{Datatype, Map};
use crate::error::{TypeError, TypeErrorKind, times};

/// How an array lies in memory; the values are the standard ABI's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Order {
    /// `MPI_ORDER_C`: the last index varies fastest.
    C = 12,
    /// `MPI_ORDER_FORTRAN`: the first index varies fastest.
    Fortran = 15,
}

/// How a dimension is selections out to processes; the values are the standard ABI's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub enum Distribution {
    None = 16,
    Block = 17,
    Cyclic = 18,
}

/// `MPI_DISTRIBUTE_DFLT_DARG` in the standard ABI.
pub const DISTRIBUTE_DFLT_DARG: i64 = 19;

impl Order {
    /// The order with this value.
    pub fn from_value(value: i64) -> Option<Self> {
        [Self::C, Self::Fortran].into_iter().find(|&order| order as i64 == value)
    }

    /// The dimensions, fastest-varying first.
    fn dimensions(self, count: usize) -> Box<dyn Iterator<Item = usize>> {
        match self {
            Self::C => Box::new((0..count).rev()),
            Self::Fortran => Box::new(0..count),
        }
    }
}

impl Distribution {
    /// The distribution with this value.
    pub fn from_value(value: i64) -> Option<Self> {
        [Self::None, Self::Block, Self::Cyclic].into_iter().find(|&kind| kind as i64 == value)
    }
}

/// The arguments of `MPI_Type_create_darray`; the slices have one length, the number of dimensions.
#[derive(Clone, Copy, Debug)]
pub struct Darray<'a> {
    /// Processes in the grid.
    pub size: i64,
    /// Whose part.
    pub rank: i64,
    /// Elements of the whole array in each dimension.
    pub gsizes: &'a [i64],
    pub distributions: &'a [Distribution],
    /// Block lengths, or [`DISTRIBUTE_DFLT_DARG`].
    pub args: &'a [i64],
    /// Processes in each dimension.
    pub psizes: &'a [i64],
    pub order: Order,
}

/// The indices taken in one dimension: `count` blocks of `length`, `stride` apart, from `first` on; then `tail` more, one stride later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Selection {
    first: i64,
    count: i64,
    length: i64,
    stride: i64,
    tail: i64,
}

impl Datatype {
    /// `MPI_Type_create_subarray`. The slices have one length, the number of dimensions.
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
                    "dimension {dimension}: {subsize} elements from {start} on do not lie in an array of {size}"
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

    /// `MPI_Type_create_darray`.
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
    /// Where the rank sits in the process grid, which is numbered in C order whatever the array's order is.
    fn coordinates(&self) -> Result<Vec<i64>, TypeError> {
        let wrong = |why: String| TypeError::new(TypeErrorKind::Arg, why);
        let mut grid = 1_i64;
        for &psize in self.psizes {
            if psize < 1 {
                return Err(wrong(format!(
                    "a process grid with {psize} processes in one dimension"
                )));
            }
            grid = times(grid, psize, "the size of the process grid")?;
        }
        if grid != self.size {
            return Err(wrong(format!(
                "the process grid has {grid} places for {} processes",
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

    /// The indices that the process at `coordinate` gets in this dimension.
    fn distribute(&self, dimension: usize, coordinate: i64) -> Result<Selection, TypeError> {
        let (gsize, psize, arg) =
            (self.gsizes[dimension], self.psizes[dimension], self.args[dimension]);
        let wrong = |why: String| {
            Err(TypeError::new(TypeErrorKind::Arg, format!("dimension {dimension}: {why}")))
        };
        if gsize < 1 {
            return wrong(format!("an array of {gsize} elements"));
        }
        if arg != DISTRIBUTE_DFLT_DARG
            && arg < 1
            && self.distributions[dimension] != Distribution::None
        {
            return wrong(format!("blocks of {arg} elements"));
        }
        let block = match (self.distributions[dimension], arg) {
            (Distribution::None, _) if psize != 1 => {
                return wrong(format!("not distributed, but {psize} processes"));
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
    /// Every `psize`-th block of `block` elements, beginning with block `coordinate`. (A block distribution is one round of this.)
    fn cyclic(gsize: i64, psize: i64, block: i64, coordinate: i64) -> Self {
        let nothing = Self { first: 0, count: 0, length: block, stride: 0, tail: 0 };
        let Some(first) = coordinate.checked_mul(block).filter(|&first| first < gsize) else {
            return nothing;
        };
        let left = gsize - first;
        // One round may be longer than 64 bits can say: then there is only one.
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

    /// The byte offsets a type picks, in order.
    fn byte_offsets(datatype: &Datatype) -> Vec<usize> {
        let buffer = Buffer::scratch(1, datatype).expect("memory");
        buffer
            .runs(0)
            .flat_map(|run| run.address..run.address + run.len)
            .map(|place| place - buffer.address())
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
        /// A tail as long as a block is a block.
        fn normal(self) -> Self {
            if self.tail == self.length {
                Self { count: self.count + 1, tail: 0, ..self }
            } else {
                self
            }
        }
    }
}
