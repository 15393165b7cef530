//! Sets of ranks in words, and cycles of ranks that wait for each other.

/// Formats ascending ranks as `rank 3` or `ranks 0, 2-7`.
pub fn named(ranks: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &rank in ranks {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == rank => *last = rank,
            _ => runs.push((rank, rank)),
        }
    }
    let shown = |&(first, last): &(u32, u32)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}-{last}"),
    };
    let list = runs.iter().map(shown).collect::<Vec<String>>().join(", ");
    format!("{} {list}", if ranks.len() == 1 { "rank" } else { "ranks" })
}

/// Returns those of `ranks` that wait for each other: each for the next one, and the last one for
/// the first. `peer` tells for which rank a rank waits. A rank that waits for itself is a cycle.
pub fn cycle(
    ranks: impl Iterator<Item = u32> + Clone,
    peer: impl Fn(u32) -> Option<u32>,
) -> Option<Vec<u32>> {
    let count = ranks.clone().count();
    ranks.into_iter().find_map(|first| {
        let walk: Vec<u32> =
            std::iter::successors(Some(first), |&rank| peer(rank)).take(count + 1).collect();
        let back = walk.iter().skip(1).position(|&rank| rank == first)?;
        Some(walk[..=back].to_vec())
    })
}

/// Formats a cycle as `0, 2, 1, 0`: it ends with the rank with which it begins.
pub fn around(cycle: &[u32]) -> String {
    let names: Vec<String> = cycle.iter().chain(cycle.first()).map(u32::to_string).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_named_in_runs() {
        assert_eq!(named(&[3]), "rank 3");
        assert_eq!(named(&[0, 1, 3, 5, 6, 7]), "ranks 0, 1, 3, 5-7");
    }

    #[test]
    fn a_cycle_is_found_and_a_chain_is_not_a_cycle() {
        let found = |peers: &[Option<u32>]| {
            cycle(0..peers.len() as u32, |rank| peers.get(rank as usize).copied().flatten())
        };
        assert_eq!(found(&[Some(2), Some(3), Some(1), Some(2)]), Some(vec![1, 3, 2]));
        assert_eq!(found(&[Some(1), Some(2), None]), None);
        assert_eq!(found(&[Some(7)]), None, "a rank that is not there");
        assert_eq!(found(&[Some(1), Some(1)]), Some(vec![1]));
        assert_eq!(around(&[1, 3, 2]), "1, 3, 2, 1");
    }
}
