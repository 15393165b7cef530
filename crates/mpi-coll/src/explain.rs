//! Which algorithms are chosen for which lengths, for `nemesis info --collectives`.

use crate::operations;
use crate::rows::{Case, Members, Row, choose};
use crate::selection::Site;
use crate::setup::site_of;

/// The processes of a communicator, and what their hosts permit.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    pub hosts: u32,
    /// Processes of each host.
    pub members: u32,
    pub oversubscribed: bool,
    /// True if the kernel copies between the processes' memories.
    pub direct: bool,
    /// True if long packets are faster than copies by the kernel.
    pub prefers_packets: bool,
}

/// A range of lengths for which one algorithm is chosen.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    pub min_bytes: usize,
    /// The last length of the range; `None` if it has no end.
    pub max_bytes: Option<usize>,
    pub row: &'static Row,
}

/// The longest length that is looked at.
const LONGEST_BYTES: usize = 64 << 20;

impl Placement {
    /// Returns what the choice for a blocking call of `bytes` bytes depends on: of `double`, with a
    /// predefined operator.
    fn case(&self, bytes: usize) -> Case {
        let ranks = self.hosts * self.members;
        let site = site_of(self.members, self.oversubscribed, self.direct, self.prefers_packets);
        let members = match (site, self.hosts) {
            (Some(site), 1) => Members::Node(site),
            (Some(site), _) => Members::Nodes {
                takes: Site::nodes_take(self.direct, bytes),
                reduces: site.reduces(),
            },
            (None, _) => Members::None,
        };
        Case {
            members,
            ranks,
            bytes,
            total_bytes: bytes.saturating_mul(ranks as usize),
            elements: bytes / size_of::<f64>(),
            predefined: true,
            even: true,
        }
    }
}

/// Returns the ranges of lengths of an operation, and the algorithm of each.
pub fn spans(index: usize, placement: &Placement) -> Vec<Span> {
    let rows = (operations::ALL[index].rows)();
    let at = |bytes| choose(crate::forced::of(index), rows.iter().copied(), &placement.case(bytes));
    let (mut spans, mut min_bytes) = (Vec::new(), 1);
    while min_bytes < LONGEST_BYTES {
        let chosen = at(min_bytes);
        // The end of the range lies between the last length known to be in it and the next power of
        // two that is not.
        let mut inside = min_bytes;
        let mut outside = min_bytes.next_power_of_two().max(min_bytes + 1);
        while outside <= LONGEST_BYTES && at(outside) == chosen {
            (inside, outside) = (outside, outside * 2);
        }
        let row = rows[chosen];
        if outside > LONGEST_BYTES {
            spans.push(Span { min_bytes, max_bytes: None, row });
            return spans;
        }
        while outside - inside > 1 {
            let middle = inside + (outside - inside) / 2;
            if at(middle) == chosen { inside = middle } else { outside = middle }
        }
        spans.push(Span { min_bytes, max_bytes: Some(inside), row });
        min_bytes = outside;
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forced::OPERATIONS;

    #[test]
    fn spans_cover_all_lengths_without_gaps() {
        for (hosts, members) in [(1, 1), (1, 2), (1, 4), (1, 16), (1, 32), (3, 4)] {
            for oversubscribed in [false, true] {
                let placement = Placement {
                    hosts,
                    members,
                    oversubscribed,
                    direct: true,
                    prefers_packets: false,
                };
                for index in 0..OPERATIONS {
                    let spans = spans(index, &placement);
                    assert!(spans[0].min_bytes == 1 && spans.last().unwrap().max_bytes.is_none());
                    let joined = spans.windows(2).all(|two| {
                        two[0].max_bytes.map(|max| max + 1) == Some(two[1].min_bytes)
                            && two[0].row.name != two[1].row.name
                    });
                    assert!(joined, "{placement:?} {spans:?}");
                }
            }
        }
    }
}
