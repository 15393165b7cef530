//! Cartesian topologies (MPI 5.0 §8.5): a grid with ranks in row-major order.

use super::neighbourhood::{Edge, Neighbourhood};
use crate::abi;
use crate::error::{Error, Outcome};

/// One dimension of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// Number of processes along the dimension, at least one.
    pub length: u32,
    /// Whether the dimension is periodic: its ends are neighbours.
    pub periodic: bool,
}

/// A grid. A grid without dimensions has one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cart {
    pub dimensions: Box<[Dimension]>,
}

impl Cart {
    /// Makes a grid from the arguments of a call, for at most `members` processes.
    pub fn new(lengths: &[i32], periods: &[i32], members: u32) -> Outcome<Cart> {
        let mut dimensions = Vec::with_capacity(lengths.len());
        let mut size = 1_u64;
        for (index, (&length, &period)) in lengths.iter().zip(periods).enumerate() {
            if length < 1 {
                return Err(Error::new(
                    abi::MPI_ERR_DIMS,
                    format!("dims[{index}] is {length}, it must be positive"),
                ));
            }
            size = size.saturating_mul(length as u64);
            dimensions.push(Dimension { length: length as u32, periodic: period != 0 });
        }
        if size > u64::from(members) {
            return Err(Error::new(
                abi::MPI_ERR_DIMS,
                format!("the grid has {size} positions, the communicator has {members} processes"),
            )
            .advise("let MPI_Dims_create choose dimensions for the number of processes"));
        }
        Ok(Cart { dimensions: dimensions.into() })
    }

    /// Returns the number of processes.
    pub fn size(&self) -> u32 {
        self.dimensions.iter().map(|dimension| dimension.length).product()
    }

    /// Returns the coordinates of a rank.
    pub fn coordinates(&self, rank: u32) -> Vec<i32> {
        let mut rest = rank;
        let mut coordinates = vec![0; self.dimensions.len()];
        for (coordinate, dimension) in coordinates.iter_mut().zip(&self.dimensions).rev() {
            *coordinate = (rest % dimension.length) as i32;
            rest /= dimension.length;
        }
        coordinates
    }

    /// Returns the rank at coordinates, which wrap around in periodic dimensions.
    pub fn rank(&self, coordinates: &[i32]) -> Outcome<u32> {
        let mut rank = 0;
        for (index, (&coordinate, dimension)) in
            coordinates.iter().zip(&self.dimensions).enumerate()
        {
            let length = dimension.length as i32;
            if !dimension.periodic && !(0..length).contains(&coordinate) {
                let why = format!(
                    "coords[{index}] is {coordinate}, and the dimension is not periodic: \
                     it goes from 0 to {}",
                    length - 1
                );
                return Err(Error::new(abi::MPI_ERR_ARG, why));
            }
            rank = rank * dimension.length + coordinate.rem_euclid(length) as u32;
        }
        Ok(rank)
    }

    /// Returns the rank `steps` positions after `rank` along a dimension; `None` beyond an edge.
    pub fn along(&self, rank: u32, direction: usize, steps: i32) -> Option<u32> {
        self.shifted(rank, direction, i64::from(steps))
    }

    /// Returns the rank `steps` positions before `rank` along a dimension; `None` beyond an edge.
    pub fn before(&self, rank: u32, direction: usize, steps: i32) -> Option<u32> {
        self.shifted(rank, direction, -i64::from(steps))
    }

    fn shifted(&self, rank: u32, direction: usize, steps: i64) -> Option<u32> {
        let dimension = self.dimensions[direction];
        let stride: u32 =
            self.dimensions[direction + 1..].iter().map(|dimension| dimension.length).product();
        let (length, here) =
            (i64::from(dimension.length), i64::from(rank / stride % dimension.length));
        let place = here + steps;
        let there = if dimension.periodic { place.rem_euclid(length) } else { place };
        (0..length)
            .contains(&there)
            .then(|| (i64::from(rank) + (there - here) * i64::from(stride)) as u32)
    }

    /// Returns the grid of the remaining dimensions, and this process's colour and key: its
    /// position among the removed dimensions, and its rank in the new grid.
    pub fn sub(&self, rank: u32, remains: &[bool]) -> (Cart, u32, u32) {
        let (mut colour, mut key, mut dimensions) = (0, 0, Vec::new());
        for ((coordinate, &dimension), &remains) in
            self.coordinates(rank).into_iter().zip(&self.dimensions).zip(remains)
        {
            let place = if remains { &mut key } else { &mut colour };
            *place = *place * dimension.length + coordinate as u32;
            if remains {
                dimensions.push(dimension);
            }
        }
        (Cart { dimensions: dimensions.into() }, colour, key)
    }

    /// Returns the neighbours: two slots for each dimension, the preceding neighbour and the
    /// following one (MPI 5.0 §8.6).
    ///
    /// A message to the preceding neighbour arrives there from its following neighbour. So the
    /// messages of a dimension are received in the opposite order of sending, which matters if both
    /// neighbours are one process.
    pub fn neighbourhood(&self, rank: u32) -> Neighbourhood {
        let slots = 2 * self.dimensions.len();
        let edge = |slot: usize| {
            let steps = if slot.is_multiple_of(2) { -1 } else { 1 };
            self.along(rank, slot / 2, steps).map(|rank| Edge { slot: slot as u32, rank })
        };
        let outgoing = (0..slots).filter_map(edge).collect();
        let incoming = (0..slots).filter_map(|slot| edge(slot ^ 1)).collect();
        Neighbourhood::new(rank, outgoing, incoming, [slots, slots])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(dimensions: &[(u32, bool)]) -> Cart {
        Cart {
            dimensions: dimensions
                .iter()
                .map(|&(length, periodic)| Dimension { length, periodic })
                .collect(),
        }
    }

    #[test]
    fn ranks_and_coordinates_are_inverse() {
        let cart = grid(&[(3, true), (1, false), (4, false), (2, true)]);
        for rank in 0..cart.size() {
            assert_eq!(cart.rank(&cart.coordinates(rank)), Ok(rank));
        }
        assert_eq!(cart.coordinates(13), [1, 0, 2, 1]);
    }

    #[test]
    fn coordinates_wrap_only_in_periodic_dimensions() {
        let cart = grid(&[(3, true), (4, false)]);
        assert_eq!(cart.rank(&[-1, 2]), Ok(10));
        assert_eq!(cart.rank(&[i32::MIN, 0]), Ok(i32::MIN.rem_euclid(3) as u32 * 4));
        assert_eq!(cart.rank(&[0, 4]).map_err(|error| error.class), Err(abi::MPI_ERR_ARG));
    }

    #[test]
    fn steps_of_any_length_stay_in_the_grid_or_leave_it() {
        let cart = grid(&[(3, true), (4, false)]);
        assert_eq!(
            cart.along(5, 0, i32::MAX),
            Some((1 + i64::from(i32::MAX)).rem_euclid(3) as u32 * 4 + 1)
        );
        assert_eq!(
            (cart.along(5, 1, 2), cart.along(5, 1, 3), cart.along(5, 1, -2)),
            (Some(7), None, None)
        );
        assert_eq!(
            (cart.along(5, 1, 0), cart.before(5, 1, i32::MIN), cart.before(5, 1, 1)),
            (Some(5), None, Some(4))
        );
    }

    #[test]
    fn two_neighbours_that_are_one_process_are_told_apart() {
        let cart = grid(&[(2, true)]);
        let neighbours = cart.neighbourhood(0);
        assert_eq!(neighbours.outgoing.iter().map(|edge| edge.slot).collect::<Vec<_>>(), [0, 1]);
        assert_eq!(neighbours.incoming.iter().map(|edge| edge.slot).collect::<Vec<_>>(), [1, 0]);
        assert_eq!(grid(&[(1, true)]).neighbourhood(0).own, [(0, 1), (1, 0)]);
    }

    #[test]
    fn a_grid_larger_than_the_group_is_refused_even_if_its_size_overflows() {
        let most = i32::MAX;
        assert_eq!(
            Cart::new(&[most, most, most, most], &[0; 4], 7).map_err(|error| error.class),
            Err(abi::MPI_ERR_DIMS)
        );
        assert_eq!(
            Cart::new(&[2, 0], &[0; 2], 7).map_err(|error| error.class),
            Err(abi::MPI_ERR_DIMS)
        );
        assert_eq!(Cart::new(&[], &[], 7).map(|cart| cart.size()), Ok(1));
    }
}
