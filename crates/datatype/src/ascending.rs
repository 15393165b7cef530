//! Whether the data of a type lie in ascending order, as the data of a filetype do.

use std::collections::HashMap;

use crate::datatype::Datatype;
use crate::plan::{Kind, Plan};

/// Lowest byte of a plan and one past its highest; `None` if its bytes do not ascend.
type Bounds = Option<(isize, isize)>;

/// Results for shared nodes, by address: a type may name a component many times.
type Known = HashMap<*const Plan, Bounds>;

impl Datatype {
    /// Returns true if each byte of one element lies behind all bytes before it in the packed
    /// stream: the data neither go back nor overlap. Takes no longer than compiling the type did.
    ///
    /// # Examples
    /// ```
    /// use nemesis_datatype::Datatype;
    ///
    /// let int = Datatype::predefined(0x209).unwrap();
    /// assert!(Datatype::vector(1_000_000_000, 1, 2, int)?.is_ascending());
    /// assert!(!Datatype::hvector(3, 1, 2, int)?.is_ascending(), "the blocks overlap");
    /// assert!(!Datatype::indexed(&[1, 1], &[4, 0], int)?.is_ascending());
    /// # Ok::<(), nemesis_datatype::TypeError>(())
    /// ```
    pub fn is_ascending(&self) -> bool {
        bounds(self.plan(), &mut Known::new()).is_some()
    }
}

fn bounds(plan: &Plan, known: &mut Known) -> Bounds {
    let node = std::ptr::from_ref(plan);
    if let Some(&bounds) = known.get(&node) {
        return bounds;
    }
    let found = match &plan.kind {
        Kind::Run => Some((0, plan.size as isize)),
        Kind::Strided { count, stride, block } => repeated((0, *block as isize), *count, *stride),
        Kind::Repeat { count, stride, each } => {
            bounds(each, known).and_then(|each| repeated(each, *count, *stride))
        }
        Kind::Blocks(blocks) => {
            let mut start = 0;
            joined(blocks.iter().map(|block| {
                let len = (block.end - start) as isize;
                start = block.end;
                Some((block.at, block.at.checked_add(len)?))
            }))
        }
        Kind::Sequence(parts) => joined(parts.iter().map(|part| {
            let (low, high) = bounds(&part.plan, known)?;
            Some((part.at.checked_add(low)?, part.at.checked_add(high)?))
        })),
    };
    let placed =
        found.and_then(|(low, high)| Some((plan.at.checked_add(low)?, plan.at.checked_add(high)?)));
    known.insert(node, placed);
    placed
}

/// Returns the bounds of copies at equal distances.
fn repeated((low, high): (isize, isize), count: usize, stride: isize) -> Bounds {
    if count > 1 && stride < high - low {
        return None;
    }
    let reach = stride.checked_mul(count.saturating_sub(1) as isize)?;
    Some((low, high.checked_add(reach)?))
}

/// Returns the bounds of parts, each of which begins at or behind the end of its predecessor.
fn joined(parts: impl Iterator<Item = Bounds>) -> Bounds {
    let mut all: Option<(isize, isize)> = None;
    for part in parts {
        let (low, high) = part?;
        all = match all {
            Some((_, end)) if low < end => return None,
            Some((start, _)) => Some((start, high)),
            None => Some((low, high)),
        };
    }
    Some(all.unwrap_or((0, 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int() -> &'static Datatype {
        Datatype::predefined(0x209).expect("MPI_INT")
    }

    #[test]
    fn the_order_of_nested_parts_counts() {
        let pair = Datatype::hvector(2, 1, 100, int()).expect("valid");
        let apart = Datatype::hindexed(&[1, 1], &[0, 104], &pair).expect("valid");
        let between = Datatype::hindexed(&[1, 1], &[0, 50], &pair).expect("valid");
        assert!(apart.is_ascending() && !between.is_ascending());
        let mixed = Datatype::structure(&[1, 1], &[200, 0], &[int().clone(), pair]).expect("valid");
        assert!(!mixed.is_ascending());
        assert!(Datatype::contiguous(0, int()).expect("valid").is_ascending());
    }

    #[test]
    fn shared_components_are_visited_once() {
        let twice = |part: &Datatype| {
            let next = part.true_extent() + 8;
            Datatype::structure(&[1, 1], &[0, next], &[part.clone(), part.clone()]).expect("fits")
        };
        let start = Datatype::indexed(&[1, 2], &[0, 3], int()).expect("valid");
        assert!((0..40).fold(start, |part, _| twice(&part)).is_ascending());
    }
}
