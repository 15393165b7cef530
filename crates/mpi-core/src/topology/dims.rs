//! Implements `MPI_Dims_create` (MPI 5.0 §8.5.2): dimensions as close to each other as the divisors
//! of the number of processes allow.
//!
//! Among all factorisations, the search prefers, in this order: the smallest difference between the
//! largest and the smallest factor; the largest smallest factor (5040 in three dimensions is 21 x
//! 16 x 15, not 20 x 18 x 14); the lexically first list of factors in decreasing order (36 in three
//! dimensions is 4 x 3 x 3). The search goes through the divisors and skips those that the bounds
//! exclude. A number below 2^31 has at most 1536 divisors, and few of them are close to the root.

use crate::abi;
use crate::error::{Error, Outcome};

/// Fills the entries of `dims` that are zero, in decreasing order.
pub fn fill(nodes: i32, dims: &mut [i32]) -> Outcome {
    if nodes < 1 {
        return Err(Error::new(
            abi::MPI_ERR_ARG,
            format!("nnodes is {nodes}, it must be positive"),
        ));
    }
    if let Some((index, length)) = dims.iter().enumerate().find(|(_, length)| **length < 0) {
        return Err(Error::new(
            abi::MPI_ERR_DIMS,
            format!("dims[{index}] is {length}, it must be positive, or 0 to be chosen"),
        ));
    }
    let given = dims
        .iter()
        .filter(|length| **length > 0)
        .fold(1_u64, |product, &length| product.saturating_mul(length as u64));
    let open = dims.iter().filter(|length| **length == 0).count();
    let nodes = nodes as u64;
    if open == 0 && given != nodes || !nodes.is_multiple_of(given) {
        let fault = if open == 0 {
            "is not nnodes, and no dimension is left to be chosen"
        } else {
            "does not divide nnodes"
        };
        let why = format!("the product of the given dimensions, {given}, {fault}: {nodes}");
        return Err(Error::new(abi::MPI_ERR_DIMS, why)
            .advise("set the dimensions that are to be chosen to 0"));
    }
    let chosen = balanced((nodes / given) as u32, open);
    for (place, factor) in dims.iter_mut().filter(|length| **length == 0).zip(chosen) {
        *place = factor as i32;
    }
    Ok(())
}

/// Writes `product` as `factors` factors in decreasing order, as close to each other as possible.
fn balanced(product: u32, factors: usize) -> Vec<u32> {
    if factors == 0 {
        return Vec::new();
    }
    let divisors = divisors(product);
    let mut best: Option<Vec<u32>> = None;
    let spread = |list: &[u32]| list[0] - list[factors - 1];
    for &largest in &divisors {
        // A smaller smallest factor would give a larger spread than the best one. This bound only
        // grows as `largest` grows. Among equal spreads, a later one has larger factors at both
        // ends.
        let mut least =
            best.as_deref().map_or(1, |best| largest.saturating_sub(spread(best)).max(1));
        if u64::from(least).saturating_pow(factors as u32) > u64::from(product) {
            break;
        }
        let mut list = vec![largest];
        while find(product / largest, factors - 1, least, &divisors, &mut list) {
            least = list[factors - 1] + 1;
            best = Some(std::mem::replace(&mut list, vec![largest]));
        }
    }
    best.expect("the number itself and ones are factors")
}

/// Appends `factors` factors of `product` to `list`: none larger than its last entry, none smaller
/// than `least`. Finds the lexically first such list; returns whether one exists.
fn find(product: u32, factors: usize, least: u32, divisors: &[u32], list: &mut Vec<u32>) -> bool {
    let most = list[list.len() - 1];
    if factors == 0 {
        return product == 1 && most >= least;
    }
    let powers = |factor: u32| u64::from(factor).saturating_pow(factors as u32);
    if powers(least) > u64::from(product) || powers(most) < u64::from(product) {
        return false;
    }
    let from = divisors.partition_point(|&divisor| powers(divisor) < u64::from(product));
    for &factor in divisors[from..].iter().take_while(|&&divisor| divisor <= most) {
        if product.is_multiple_of(factor) {
            list.push(factor);
            if find(product / factor, factors - 1, least, divisors, list) {
                return true;
            }
            list.pop();
        }
    }
    false
}

/// Returns all divisors of `number`, in increasing order.
fn divisors(number: u32) -> Vec<u32> {
    let root = number.isqrt();
    let small: Vec<u32> = (1..=root).filter(|&divisor| number.is_multiple_of(divisor)).collect();
    let large =
        small.iter().rev().map(|&divisor| number / divisor).filter(|&divisor| divisor > root);
    small.iter().copied().chain(large).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorClass;

    fn dims<const N: usize>(nodes: i32, mut dims: [i32; N]) -> Result<[i32; N], ErrorClass> {
        fill(nodes, &mut dims).map(|()| dims).map_err(|error| error.class)
    }

    #[test]
    fn factors_are_close_and_do_not_increase() {
        assert_eq!(dims(6, [0, 0]), Ok([3, 2]));
        assert_eq!(dims(7, [0, 0]), Ok([7, 1]));
        assert_eq!(dims(36, [0, 0, 0]), Ok([4, 3, 3]));
        assert_eq!(dims(72, [0, 0, 0]), Ok([6, 4, 3]));
        assert_eq!(dims(1 << 20, [0, 0, 0]), Ok([128, 128, 64]));
        assert_eq!(dims(1000, [0, 0, 0]), Ok([10, 10, 10]));
        assert_eq!(dims(5040, [0, 0, 0]), Ok([21, 16, 15]));
        assert_eq!(dims(1, [0, 0, 0]), Ok([1, 1, 1]));
        assert_eq!(dims(60, [0, 0, 0, 0]), Ok([5, 3, 2, 2]));
    }

    #[test]
    fn given_entries_are_not_changed() {
        assert_eq!(dims(6, [0, 3, 0]), Ok([2, 3, 1]));
        assert_eq!(dims(6, [2, 3]), Ok([2, 3]));
        assert_eq!(dims(7, [0, 3, 0]), Err(abi::MPI_ERR_DIMS));
        assert_eq!(dims(6, [2, 2]), Err(abi::MPI_ERR_DIMS));
        assert_eq!(dims(6, [-1, 0]), Err(abi::MPI_ERR_DIMS));
        assert_eq!(dims(0, [0]), Err(abi::MPI_ERR_ARG));
        assert_eq!(dims(1, []), Ok([]));
        assert_eq!(dims(2, []), Err(abi::MPI_ERR_DIMS));
    }

    /// Returns the smallest spread, by exhaustive search.
    fn least_spread(product: u32, factors: usize, most: u32, largest: Option<u32>) -> Option<u32> {
        if factors == 0 {
            return (product == 1).then(|| largest.map_or(0, |largest| largest - most));
        }
        let candidates = (1..=most).filter(|factor| product.is_multiple_of(*factor));
        candidates
            .filter_map(|factor| {
                least_spread(product / factor, factors - 1, factor, largest.or(Some(factor)))
            })
            .min()
    }

    #[test]
    fn no_factorisation_has_a_smaller_spread() {
        for product in 1..=400 {
            for factors in 1..=5 {
                let chosen = balanced(product, factors);
                assert_eq!(chosen.iter().product::<u32>(), product);
                assert!(
                    chosen.is_sorted_by(|first, second| first >= second),
                    "{product} is {chosen:?}"
                );
                assert_eq!(
                    Some(chosen[0] - chosen[factors - 1]),
                    least_spread(product, factors, product, None),
                    "{product} is {chosen:?}"
                );
            }
        }
    }

    #[test]
    fn numbers_with_many_divisors_are_factorised() {
        for factors in 1..40 {
            for product in
                [735_134_400, 2_095_133_040, 1 << 30, 223_092_870, i32::MAX as u32, 1_551_950_400]
            {
                assert_eq!(balanced(product, factors).iter().product::<u32>(), product);
            }
        }
    }
}
