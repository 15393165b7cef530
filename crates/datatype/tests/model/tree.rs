//! Random types: a tree of constructor calls, from which the tests make a type and a model.

use nemesis_datatype::{
    Combiner, Contents, DISTRIBUTE_DFLT_DARG, Darray, Datatype, Distribution, Order, TypeError,
};
use proptest::prelude::*;

use super::Model;

#[derive(Clone, Debug)]
pub enum Tree {
    Basic(usize),
    Pair(usize, [(usize, i64); 2], i64),
    Contiguous(i64, Box<Tree>),
    Vector(i64, i64, i64, Box<Tree>),
    Hvector(i64, i64, i64, Box<Tree>),
    Indexed(Vec<(i64, i64)>, Box<Tree>),
    Hindexed(Vec<(i64, i64)>, Box<Tree>),
    IndexedBlock(i64, Vec<i64>, Box<Tree>),
    HindexedBlock(i64, Vec<i64>, Box<Tree>),
    Struct(Vec<(i64, i64, Tree)>),
    Resized(i64, i64, Box<Tree>),
    Dup(Box<Tree>),
    /// (size, subsize, start) by dimension.
    Subarray(Vec<(i64, i64, i64)>, Order, Box<Tree>),
    /// (gsize, distribution, arg, psize) by dimension, and the rank.
    Darray(Vec<(i64, Distribution, i64, i64)>, i64, Order, Box<Tree>),
}

impl Tree {
    /// Makes the type by the constructors.
    pub fn build(&self) -> Result<Datatype, TypeError> {
        match self {
            Self::Basic(handle) | Self::Pair(handle, ..) => {
                Ok(Datatype::predefined(*handle).expect("in the table").clone())
            }
            Self::Contiguous(count, old) => Datatype::contiguous(*count, &old.build()?),
            Self::Vector(count, length, stride, old) => {
                Datatype::vector(*count, *length, *stride, &old.build()?)
            }
            Self::Hvector(count, length, stride, old) => {
                Datatype::hvector(*count, *length, *stride, &old.build()?)
            }
            Self::Indexed(blocks, old) => {
                let (lengths, displacements): (Vec<_>, Vec<_>) = blocks.iter().copied().unzip();
                Datatype::indexed(&lengths, &displacements, &old.build()?)
            }
            Self::Hindexed(blocks, old) => {
                let (lengths, displacements): (Vec<_>, Vec<_>) = blocks.iter().copied().unzip();
                Datatype::hindexed(&lengths, &displacements, &old.build()?)
            }
            Self::IndexedBlock(length, displacements, old) => {
                Datatype::indexed_block(*length, displacements, &old.build()?)
            }
            Self::HindexedBlock(length, displacements, old) => {
                Datatype::hindexed_block(*length, displacements, &old.build()?)
            }
            Self::Struct(fields) => {
                let lengths: Vec<_> = fields.iter().map(|field| field.0).collect();
                let displacements: Vec<_> = fields.iter().map(|field| field.1).collect();
                let olds: Vec<_> =
                    fields.iter().map(|field| field.2.build()).collect::<Result<_, _>>()?;
                Datatype::structure(&lengths, &displacements, &olds)
            }
            Self::Resized(lb, extent, old) => Datatype::resized(&old.build()?, *lb, *extent),
            Self::Dup(old) => Datatype::dup(&old.build()?),
            Self::Subarray(dimensions, order, old) => {
                let column = |pick: fn(&(i64, i64, i64)) -> i64| {
                    dimensions.iter().map(pick).collect::<Vec<_>>()
                };
                Datatype::subarray(
                    &column(|d| d.0),
                    &column(|d| d.1),
                    &column(|d| d.2),
                    *order,
                    &old.build()?,
                )
            }
            Self::Darray(dimensions, rank, order, old) => {
                let psizes: Vec<_> = dimensions.iter().map(|d| d.3).collect();
                let array = Darray {
                    size: psizes.iter().product(),
                    rank: *rank,
                    gsizes: &dimensions.iter().map(|d| d.0).collect::<Vec<_>>(),
                    distributions: &dimensions.iter().map(|d| d.1).collect::<Vec<_>>(),
                    args: &dimensions.iter().map(|d| d.2).collect::<Vec<_>>(),
                    psizes: &psizes,
                    order: *order,
                };
                Datatype::darray(&array, &old.build()?)
            }
        }
    }

    /// Makes the model by copying entries.
    pub fn model(&self) -> Model {
        match self {
            Self::Basic(handle) => Model::basic(*handle),
            Self::Pair(_, members, extent) => Model::pair(*members, *extent),
            Self::Contiguous(count, old) => old.model().block(0, *count),
            Self::Vector(count, length, stride, old) => {
                let old = old.model();
                let stride = stride * old.extent();
                old.block(0, *length).placed((0..*count).map(|copy| copy * stride))
            }
            Self::Hvector(count, length, stride, old) => {
                old.model().block(0, *length).placed((0..*count).map(|copy| copy * stride))
            }
            Self::Indexed(blocks, old) => {
                let old = old.model();
                Model::joined(
                    blocks.iter().map(|&(length, at)| old.block(at * old.extent(), length)),
                )
            }
            Self::Hindexed(blocks, old) => {
                let old = old.model();
                Model::joined(blocks.iter().map(|&(length, at)| old.block(at, length)))
            }
            Self::IndexedBlock(length, displacements, old) => {
                let old = old.model();
                Model::joined(displacements.iter().map(|&at| old.block(at * old.extent(), *length)))
            }
            Self::HindexedBlock(length, displacements, old) => {
                let old = old.model();
                Model::joined(displacements.iter().map(|&at| old.block(at, *length)))
            }
            Self::Struct(fields) => Model::joined(
                fields.iter().map(|(length, at, old)| old.model().block(*at, *length)),
            )
            .padded(),
            Self::Resized(lb, extent, old) => old.model().marked(*lb, lb + extent),
            Self::Dup(old) => old.model(),
            Self::Subarray(dimensions, order, old) => {
                let sizes: Vec<_> = dimensions.iter().map(|d| d.0).collect();
                let taken = |dimension: usize, index: i64| {
                    let (_, subsize, start) = dimensions[dimension];
                    index >= start && index < start + subsize
                };
                array(&old.model(), &sizes, *order, taken)
            }
            Self::Darray(dimensions, rank, order, old) => {
                let sizes: Vec<_> = dimensions.iter().map(|d| d.0).collect();
                let mut rest = *rank;
                let mut coordinates = vec![0; sizes.len()];
                for (coordinate, dimension) in coordinates.iter_mut().zip(dimensions).rev() {
                    *coordinate = rest % dimension.3;
                    rest /= dimension.3;
                }
                let taken = |dimension: usize, index: i64| {
                    let (gsize, distribution, arg, psize) = dimensions[dimension];
                    let block = match (distribution, arg) {
                        (Distribution::None, _) => gsize,
                        (Distribution::Block, DISTRIBUTE_DFLT_DARG) => (gsize + psize - 1) / psize,
                        (Distribution::Cyclic, DISTRIBUTE_DFLT_DARG) => 1,
                        (_, arg) => arg,
                    };
                    index / block % psize == coordinates[dimension]
                };
                array(&old.model(), &sizes, *order, taken)
            }
        }
    }
}

/// Returns the selected elements of an array, in memory order, with the bounds of the whole array.
fn array(old: &Model, sizes: &[i64], order: Order, taken: impl Fn(usize, i64) -> bool) -> Model {
    let all: i64 = sizes.iter().product();
    let is_taken = |&index: &i64| {
        let mut rest = index;
        let mut in_dimension = |dimension: usize| {
            let index = rest % sizes[dimension];
            rest /= sizes[dimension];
            taken(dimension, index)
        };
        match order {
            Order::C => (0..sizes.len()).rev().all(&mut in_dimension),
            Order::Fortran => (0..sizes.len()).all(&mut in_dimension),
        }
    };
    let extent = old.extent();
    old.placed((0..all).filter(is_taken).map(|index| index * extent)).marked(0, all * extent)
}

/// Makes the type again from its contents.
pub fn rebuilt(datatype: &Datatype) -> Result<Datatype, TypeError> {
    let Some(Contents { combiner, integers, addresses, datatypes, .. }) = datatype.contents()
    else {
        return Ok(datatype.clone());
    };
    let olds: Vec<_> = datatypes.iter().map(rebuilt).collect::<Result<_, _>>()?;
    let blocks = |count: usize| (&integers[1..=count], &integers[count + 1..]);
    match combiner {
        Combiner::Dup => Datatype::dup(&olds[0]),
        Combiner::Contiguous => Datatype::contiguous(integers[0], &olds[0]),
        Combiner::Vector => Datatype::vector(integers[0], integers[1], integers[2], &olds[0]),
        Combiner::Hvector => Datatype::hvector(integers[0], integers[1], addresses[0], &olds[0]),
        Combiner::Indexed => {
            let (lengths, displacements) = blocks(integers[0] as usize);
            Datatype::indexed(lengths, displacements, &olds[0])
        }
        Combiner::Hindexed => Datatype::hindexed(&integers[1..], addresses, &olds[0]),
        Combiner::IndexedBlock => Datatype::indexed_block(integers[1], &integers[2..], &olds[0]),
        Combiner::HindexedBlock => Datatype::hindexed_block(integers[1], addresses, &olds[0]),
        Combiner::Struct => Datatype::structure(&integers[1..], addresses, &olds),
        Combiner::Resized => Datatype::resized(&olds[0], addresses[0], addresses[1]),
        Combiner::Subarray => {
            let ndims = integers[0] as usize;
            let column = |index: usize| &integers[1 + index * ndims..1 + (index + 1) * ndims];
            let order = Order::from_value(integers[3 * ndims + 1]).expect("an order");
            Datatype::subarray(column(0), column(1), column(2), order, &olds[0])
        }
        Combiner::Darray => {
            let ndims = integers[2] as usize;
            let column = |index: usize| &integers[3 + index * ndims..3 + (index + 1) * ndims];
            let distributions: Vec<_> = column(1)
                .iter()
                .map(|&value| Distribution::from_value(value).expect("a distribution"))
                .collect();
            let array = Darray {
                size: integers[0],
                rank: integers[1],
                gsizes: column(0),
                distributions: &distributions,
                args: column(2),
                psizes: column(3),
                order: Order::from_value(integers[4 * ndims + 3]).expect("an order"),
            };
            Datatype::darray(&array, &olds[0])
        }
        other => unreachable!("{other:?} is not among the trees"),
    }
}

/// Random trees. Numbers are small, so that the lists of the model stay short, and are negative or
/// zero as often as MPI allows.
pub fn trees() -> impl Strategy<Value = Tree> {
    let leaf = prop_oneof![
        4 => prop::sample::select(vec![0x247, 0x248, 0x209, 0x214, 0x240, 0x216, 0x220])
            .prop_map(basic),
        1 => Just(Tree::Pair(0x22c, [(0x208, 0), (0x209, 4)], 8)),
        1 => Just(Tree::Pair(0x229, [(0x214, 0), (0x209, 8)], 16)),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        let old = inner.clone().prop_map(Box::new);
        let blocks = prop::collection::vec((0..3_i64, -9..9_i64), 0..5);
        let displacements = prop::collection::vec(-9..9_i64, 0..5);
        prop_oneof![
            (0..4_i64, old.clone()).prop_map(|(count, old)| Tree::Contiguous(count, old)),
            (0..4_i64, 0..3_i64, -4..5_i64, old.clone())
                .prop_map(|(n, length, stride, old)| Tree::Vector(n, length, stride, old)),
            (0..4_i64, 0..3_i64, -40..40_i64, old.clone())
                .prop_map(|(n, length, stride, old)| Tree::Hvector(n, length, stride, old)),
            (blocks.clone(), old.clone()).prop_map(|(blocks, old)| Tree::Indexed(blocks, old)),
            (blocks, old.clone()).prop_map(|(blocks, old)| Tree::Hindexed(blocks, old)),
            (0..3_i64, displacements.clone(), old.clone()).prop_map(
                |(length, displacements, old)| Tree::IndexedBlock(length, displacements, old)
            ),
            (0..3_i64, displacements, old.clone()).prop_map(|(length, displacements, old)| {
                Tree::HindexedBlock(length, displacements, old)
            }),
            prop::collection::vec((0..3_i64, -40..40_i64, inner), 0..4).prop_map(Tree::Struct),
            (-10..10_i64, -20..40_i64, old.clone())
                .prop_map(|(lb, extent, old)| Tree::Resized(lb, extent, old)),
            old.clone().prop_map(Tree::Dup),
            (prop::collection::vec(window(), 1..4), order(), old.clone())
                .prop_map(|(d, order, old)| Tree::Subarray(d, order, old)),
            (prop::collection::vec(share(), 1..4), 0..64_i64, order(), old).prop_map(
                |(dimensions, rank, order, old)| {
                    let size: i64 = dimensions.iter().map(|d| d.3).product();
                    Tree::Darray(dimensions, rank % size, order, old)
                }
            ),
        ]
    })
}

fn basic(handle: usize) -> Tree {
    // A complex number is aligned as its parts are; the model is limited to types that are aligned
    // to their size.
    Tree::Basic(if handle == 0x216 { 0x214 } else { handle })
}

fn order() -> impl Strategy<Value = Order> {
    prop_oneof![Just(Order::C), Just(Order::Fortran)]
}

/// (size, subsize, start) of one dimension.
fn window() -> impl Strategy<Value = (i64, i64, i64)> {
    (1..5_i64)
        .prop_flat_map(|size| (Just(size), 1..=size))
        .prop_flat_map(|(size, subsize)| (Just(size), Just(subsize), 0..=size - subsize))
}

/// (gsize, distribution, arg, psize) of one dimension.
fn share() -> impl Strategy<Value = (i64, Distribution, i64, i64)> {
    (1..7_i64, 1..4_i64, 1..4_i64, any::<bool>()).prop_flat_map(|(gsize, psize, arg, default)| {
        let chosen = if default { DISTRIBUTE_DFLT_DARG } else { arg };
        let covering = if default { DISTRIBUTE_DFLT_DARG } else { (gsize - 1) / psize + arg };
        prop_oneof![
            Just((gsize, Distribution::None, DISTRIBUTE_DFLT_DARG, 1)),
            Just((gsize, Distribution::Block, covering, psize)),
            Just((gsize, Distribution::Cyclic, chosen, psize)),
        ]
    })
}
