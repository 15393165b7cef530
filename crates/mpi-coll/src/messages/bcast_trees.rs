//! The broadcast of long data down two trees at once (Sanders, Speck and Träff 2009, "Two-tree
//! algorithms for full bandwidth broadcast, reduction and scan").
//!
//! Each half of the data goes down a binary tree of its own, in chunks that follow one another. A
//! place that has children in one tree has none in the other. So each place receives every byte
//! once and sends at most as many, and the time is that of one vector on a link, plus a chunk for
//! each level of the trees. A *place* is a rank counted from the root, which has place 0:
//!
//! ```text
//!   first half            second half (places 1 to 6 in reverse order)
//!        0                     0
//!        4                     3
//!      2   6                 5   1
//!     1 3 5                 6 4 2
//! ```
//!
//! In the first tree the children of a place lie as far from it as its lowest bit says. If the
//! number of places behind the root is odd, the second tree is the first one moved on by a place.

use super::bcast_tree;
use crate::error::Outcome;
use crate::{Steps, scratch_bytes};
use nemesis_datatype::Buffer;

/// Bytes of the longest chunk, except of very long data: a longer one would wait for its receive on
/// some networks.
const CHUNK_MAX_BYTES: usize = 16 << 10;
/// Chunks of a half of very long data. More of them would cost more than their length.
const CHUNKS_MAX: usize = 128;
/// Parts begin on cache lines.
const ALIGN: usize = 64;

/// The places next to one in a tree.
struct Links {
    /// `None` at the root.
    parent: Option<u32>,
    children: [Option<u32>; 2],
}

impl Links {
    /// Returns those of a place in the first tree of `size` places.
    fn first(place: u32, size: u32) -> Links {
        if place == 0 {
            return Links { parent: None, children: [Some(1 << (size - 1).ilog2()), None] };
        }
        let bit = 1 << place.trailing_zeros();
        let above = (place ^ bit) | bit << 1;
        let parent = if above < size { above } else { place ^ bit };
        let mut half = bit >> 1;
        let lower = (half > 0).then(|| place - half);
        // Places that the tree would have if it were full are left out.
        while place + half >= size && half > 0 {
            half >>= 1;
        }
        Links { parent: Some(parent), children: [lower, (half > 0).then(|| place + half)] }
    }

    /// Returns those of a place in the second tree.
    fn second(place: u32, size: u32) -> Links {
        if place == 0 {
            let Links { parent, children } = Links::first(0, size);
            return Links { parent, children: children.map(|child| Some(back(child?, size))) };
        }
        let Links { parent, children } = Links::first(onto(place, size), size);
        let named = |place| if place == 0 { 0 } else { back(place, size) };
        Links {
            parent: parent.map(named),
            children: children.map(|child| Some(back(child?, size))),
        }
    }

    fn has_children(&self) -> bool {
        self.children.iter().any(Option::is_some)
    }
}

/// Returns the place in the first tree at which a place stands in the second one.
fn onto(place: u32, size: u32) -> u32 {
    let behind = size - 1;
    if behind.is_multiple_of(2) { size - place } else { place % behind + 1 }
}

/// Returns the place that stands there.
fn back(place: u32, size: u32) -> u32 {
    let behind = size - 1;
    if behind.is_multiple_of(2) { size - place } else { (place + behind - 2) % behind + 1 }
}

/// Returns the number of chunks of a half. It is the same for lengths up to each power of four, so
/// that processes which have been given different lengths mostly agree on it, and find out.
fn chunks(bytes: usize) -> usize {
    let power = bytes.next_power_of_two().max(4 * CHUNK_MAX_BYTES).trailing_zeros();
    let most = 1 << power.next_multiple_of(2);
    match most / 2 / CHUNK_MAX_BYTES {
        2 => 4,
        chunks => chunks.min(CHUNKS_MAX),
    }
}

/// Half of the message, in chunks.
struct Half {
    bytes: Buffer,
    chunks: usize,
    links: Links,
}

impl Half {
    /// Returns a chunk, which is empty if there are too few bytes.
    fn at(&self, index: usize) -> Buffer {
        let bytes = self.bytes.count();
        let begin = |index: usize| match index == self.chunks {
            true => bytes,
            false => bytes / ALIGN * index / self.chunks * ALIGN,
        };
        self.bytes.part(begin(index), begin(index + 1) - begin(index))
    }
}

/// Performs the broadcast.
pub fn bcast(steps: &mut Steps<'_>, buffer: &Buffer, root: u32) -> Outcome {
    let size = steps.size;
    if size < 3 {
        bcast_tree::bcast(steps, buffer, root);
        return Ok(());
    }
    let place = steps.before(root);
    let contiguous = buffer.flattened();
    let bytes = contiguous.clone().map_or_else(|| scratch_bytes(buffer.bytes()), Ok)?;
    if contiguous.is_none() && place == 0 {
        steps.copy(buffer, &bytes);
    }
    let all = bytes.count();
    let half = all.div_ceil(2).next_multiple_of(ALIGN).min(all);
    let chunks = chunks(all);
    let (front, back) = (bytes.part(0, half), bytes.part(half, all - half));
    let first = Half { bytes: front, chunks, links: Links::first(place, size) };
    let second = Half { bytes: back, chunks, links: Links::second(place, size) };
    let rank_at = |place: u32| (place + root) % size;
    match second.links.has_children() && place != 0 {
        true => pass_on(steps, &second, &first, rank_at),
        false => pass_on(steps, &first, &second, rank_at),
    }
    if contiguous.is_none() && place != 0 {
        steps.wait();
        steps.copy(&bytes, buffer);
    }
    Ok(())
}

/// Chunks that a place expects before it has passed on the one before them, so that long messages
/// need not wait for their receives, and short ones find a place.
const AHEAD: usize = 8;

/// Receives both halves, and sends each chunk of `passed` to the children as soon as it is there.
/// The other half has no children, except at the root.
fn pass_on(steps: &mut Steps<'_>, passed: &Half, kept: &Half, rank_at: impl Fn(u32) -> u32) {
    for index in 0..passed.chunks + AHEAD {
        if index < passed.chunks {
            for half in [passed, kept] {
                if let Some(parent) = half.links.parent {
                    steps.receive_some(rank_at(parent), &half.at(index));
                }
            }
        }
        let Some(index) = index.checked_sub(AHEAD) else { continue };
        if let Some(parent) = passed.links.parent {
            steps.wait_for(rank_at(parent), &passed.at(index));
        }
        for half in [passed, kept] {
            for child in half.links.children.into_iter().flatten() {
                steps.send_some(rank_at(child), &half.at(index));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_chunks_up_to_each_power_of_four() {
        let kib = [17, 64, 65, 256, 257, 1 << 10, 1025, 4 << 10, 4097, 1 << 20];
        let expected = [4, 4, 8, 8, 32, 32, 128, 128, 128, 128];
        assert_eq!(kib.map(|kib| chunks(kib << 10)), expected);
    }

    #[test]
    fn each_place_has_children_in_one_tree_only_and_is_a_child_in_both() {
        for size in 3..200 {
            let mut inner = vec![0; size as usize];
            for links in [Links::first, Links::second] {
                let mut parents = vec![None; size as usize];
                let mut deepest = 0;
                for place in 0..size {
                    let here = links(place, size);
                    inner[place as usize] += usize::from(here.has_children());
                    for child in here.children.into_iter().flatten() {
                        assert_eq!(links(child, size).parent, Some(place), "{child} of {size}");
                        assert!(parents[child as usize].replace(place).is_none());
                    }
                    let (mut above, mut depth) = (place, 0);
                    while let Some(parent) = links(above, size).parent {
                        (above, depth) = (parent, depth + 1);
                    }
                    deepest = deepest.max(depth);
                }
                assert!(parents[1..].iter().all(Option::is_some) && parents[0].is_none());
                assert!(deepest <= size.ilog2() + 1, "{deepest} levels of {size}");
            }
            assert!(inner[1..].iter().all(|&trees| trees <= 1), "{size}: {inner:?}");
        }
    }
}
