//! The node of every rank, in the text form that launchers use.
//!
//! ```text
//!   mapping = '(vector' *(',' item) ')'
//!   item    = block / '[' block *(',' block) ']x' COUNT
//!   block   = '(' FIRST ',' NODES ',' RANKS ')'  /  NODE
//! ```
//!
//! A block places RANKS ranks on each of NODES nodes from FIRST on; a single NODE places one rank.
//! The list repeats until all ranks are placed, as some launchers expect. The mapping of `mpiexec`
//! of Nemesis is reliable. That of other launchers is not used: gforker has none, and a host that
//! is named twice has two numbers.

use std::fmt::Write;

/// Consecutive ranks on one node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The node's number.
    pub node: u32,
    /// Number of ranks on it.
    pub ranks: u32,
}

/// Returns the node of each of `size` ranks; `None` if `text` is not a mapping, or places no rank.
pub fn parse(text: &str, size: u32) -> Option<Vec<u32>> {
    let items = text.strip_prefix("(vector")?.strip_suffix(')')?;
    let mut rest = items;
    let mut placed = Placed { nodes: Vec::new(), size: size as usize };
    while !rest.is_empty() {
        rest = placed.item(rest.strip_prefix(',')?)?;
    }
    let once = placed.nodes.len();
    if once == 0 && size > 0 {
        return None;
    }
    for rank in once..size as usize {
        placed.nodes.push(placed.nodes[rank - once]);
    }
    Some(placed.nodes)
}

/// Writes runs of ranks as a mapping; equal runs on consecutive nodes share a block.
pub fn compose(runs: &[Run]) -> String {
    let mut text = String::from("(vector");
    let mut rest = runs;
    while let Some(first) = rest.first() {
        let continues = |(step, run): &(usize, &Run)| {
            run.ranks == first.ranks && u64::from(run.node) == u64::from(first.node) + *step as u64
        };
        let nodes = rest.iter().enumerate().take_while(continues).count();
        // Writing to a String does not fail.
        let _ = write!(text, ",({},{nodes},{})", first.node, first.ranks);
        rest = &rest[nodes..];
    }
    text + ")"
}

/// The ranks that are placed so far.
struct Placed {
    /// The node of each of them.
    nodes: Vec<u32>,
    /// Number of ranks of the job.
    size: usize,
}

impl Placed {
    /// Places the ranks of the item at the start of `text`, and returns the rest of the text.
    fn item<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let Some(list) = text.strip_prefix('[') else { return self.block(text) };
        let before = self.nodes.len();
        let mut rest = self.block(list)?;
        while let Some(more) = rest.strip_prefix(',') {
            rest = self.block(more)?;
        }
        let (count, rest) = number(rest.strip_prefix("]x")?)?;
        let once = self.nodes.len() - before;
        for _ in 0..count.saturating_sub(1) {
            if once == 0 || self.nodes.len() >= self.size {
                break;
            }
            (before..before + once).for_each(|rank| self.place(self.nodes[rank]));
        }
        Some(rest)
    }

    /// Places the ranks of the block at the start of `text`, and returns the rest of the text.
    fn block<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let Some(inner) = text.strip_prefix('(') else {
            let (node, rest) = number(text)?;
            self.place(node);
            return Some(rest);
        };
        let (first, rest) = number(inner)?;
        let (nodes, rest) = number(rest.strip_prefix(',')?)?;
        let (ranks, rest) = number(rest.strip_prefix(',')?)?;
        let last = first.checked_add(nodes)?;
        let missing = self.size - self.nodes.len();
        for node in (first..last).take(if ranks == 0 { 0 } else { missing }) {
            (0..ranks).take(missing).for_each(|_| self.place(node));
        }
        rest.strip_prefix(')')
    }

    /// Places the next rank; ignores ranks beyond the last of the job.
    fn place(&mut self, node: u32) {
        if self.nodes.len() < self.size {
            self.nodes.push(node);
        }
    }
}

/// Returns the number at the start of `text`, and the rest of the text.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn mappings_of_launchers_are_read() {
        let read = |text: &str, size: u32| parse(text, size).unwrap();
        assert_eq!(read("(vector,(0,1,4))", 4), [0, 0, 0, 0]);
        assert_eq!(read("(vector,(0,2,2),2)", 5), [0, 0, 1, 1, 2]);
        assert_eq!(read("(vector,[(0,4,1)]x2)", 8), [0, 1, 2, 3, 0, 1, 2, 3]);
        assert_eq!(read("(vector,(0,1,3),1,(2,1,2))", 6), [0, 0, 0, 1, 2, 2]);
        assert_eq!(read("(vector,(0,1,1))", 4), [0, 0, 0, 0]);
        assert_eq!(read("(vector,(0,2,1),(0,2,1),(0,1,1),(0,1,1))", 6), [0, 1, 0, 1, 0, 0]);
        assert_eq!(read("(vector,(0,3,2))", 4), [0, 0, 1, 1]);
        assert_eq!(read("(vector)", 0), []);
    }

    #[test]
    fn texts_that_are_no_mapping_are_refused() {
        for text in [
            "",
            "(vector",
            "(vector)",
            "vector,(0,1,1)",
            "(vector,(0,1))",
            "(vector,)",
            "(vector,[(0,1,1)])",
            "(vector,(0,0,4))",
            "(vector,x)",
        ] {
            assert_eq!(parse(text, 2), None, "{text}");
        }
    }

    #[test]
    fn equal_runs_on_consecutive_nodes_share_a_block() {
        let run = |node, ranks| Run { node, ranks };
        assert_eq!(
            compose(&[run(0, 2), run(1, 2), run(2, 2), run(3, 1)]),
            "(vector,(0,3,2),(3,1,1))"
        );
    }

    proptest! {
        #[test]
        fn a_composed_mapping_parses_to_its_runs(
            runs in proptest::collection::vec((0u32..9, 1u32..5), 1..12),
        ) {
            let runs: Vec<Run> =
                runs.into_iter().map(|(node, ranks)| Run { node, ranks }).collect();
            let nodes_of = |run: &Run| std::iter::repeat_n(run.node, run.ranks as usize);
            let nodes: Vec<u32> = runs.iter().flat_map(nodes_of).collect();
            prop_assert_eq!(parse(&compose(&runs), nodes.len() as u32), Some(nodes));
        }

        #[test]
        fn invalid_text_never_panics_and_never_takes_long(
            text in r"\(vector[\[\](),x0-9]{0,40}\)",
            size in 0u32..100,
        ) {
            if let Some(nodes) = parse(&text, size) {
                prop_assert_eq!(nodes.len(), size as usize);
            }
        }
    }
}
