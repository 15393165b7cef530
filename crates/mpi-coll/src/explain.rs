//! Which algorithms are chosen for which lengths, and what they cost by the host model, for
//! `nemesis info --collectives`.

use crate::costs::time_ns;
use crate::grid::Grid;
use crate::operations;
use crate::rows::{Case, Limits, Members, Row, Scope, forced};
use crate::setup::site_of;
use crate::shm::Hierarchy;
use nemesis_sys::host_model::HostModel;

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
    /// True if the environment or a file forces the algorithm.
    pub forced: bool,
}

impl Placement {
    /// Returns what the choice for a blocking call depends on: of many elements, with a predefined
    /// operator.
    pub fn case(&self) -> Case {
        let ranks = self.hosts * self.members;
        let site = site_of(self.members, self.oversubscribed, self.direct, self.prefers_packets);
        let members = match (site, self.hosts, self.members) {
            (_, 1, 1) => Members::None,
            (_, _, 1) => Members::Grid(Grid::apart(ranks)),
            (Some(site), 1, _) => Members::Node(site),
            _ => Members::Levels(Hierarchy {
                nodes: self.hosts,
                oversubscribed: self.oversubscribed,
                in_blocks: true,
                even: true,
            }),
        };
        Case { members, ranks, predefined: true, commutative: true, even: true, divisible: true }
    }
}

/// Returns the ranges of lengths of an operation, and the algorithm of each.
pub fn spans(index: usize, placement: &Placement) -> Vec<Span> {
    let (rows, case) = ((operations::ALL[index].rows)(), placement.case());
    let limits = Limits::resolve(rows.iter().copied(), &case);
    let rules = crate::forced::of(index);
    // Ranges begin behind the ends of the chosen ones, and at the ends of forced ranges and of what
    // forced algorithms can carry.
    let mut begins: Vec<usize> = vec![1];
    begins.extend(limits.ranges().iter().filter_map(|(end, _)| end.checked_add(1)));
    for rule in rules {
        begins.push(rule.min_bytes);
        begins.extend(rule.max_bytes.checked_add(1));
        let carries = (rows[rule.row].carries)(&case);
        begins.push(carries.min);
        begins.extend(carries.max.checked_add(1));
    }
    begins.retain(|&bytes| bytes > 0);
    begins.sort_unstable();
    begins.dedup();
    let mut spans: Vec<Span> = Vec::new();
    for min_bytes in begins {
        let rule = forced(rules, rows.iter().copied(), &case, min_bytes);
        let row = rows[rule.unwrap_or_else(|| limits.row(min_bytes))];
        let forced = rule.is_some();
        match spans.last_mut() {
            Some(last) if last.row.name == row.name && last.forced == forced => {}
            last => {
                if let Some(last) = last {
                    last.max_bytes = Some(min_bytes - 1);
                }
                spans.push(Span { min_bytes, max_bytes: None, row, forced });
            }
        }
    }
    spans
}

/// Returns the modelled times of all algorithms of an operation that can perform a call of `bytes`
/// bytes, in nanoseconds; those of which the model has no figures are left out.
pub fn costs(
    index: usize,
    placement: &Placement,
    model: &HostModel,
    bytes: usize,
) -> Vec<(&'static str, f32)> {
    let case = placement.case();
    let Some(site) = case.site() else { return Vec::new() };
    let rows = (operations::ALL[index].rows)();
    rows.iter()
        .filter(|row| row.scope == Scope::Segment && row.can(&case, bytes))
        .filter_map(|row| Some((row.name, (row.work?)(site.members as f32, bytes as f32))))
        .map(|(name, work)| (name, time_ns(site, model, work)))
        .filter(|(_, ns)| ns.is_finite() && *ns > 0.0)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forced::OPERATIONS;
    use crate::rows::ROWS_MAX;
    use crate::shm::SHORT_MAX_BYTES;

    /// Calls a function with many placements.
    fn placements(mut each: impl FnMut(&Placement)) {
        for (hosts, members) in [1, 2, 3, 4, 6, 8, 9, 11, 12, 16, 17, 32, 300]
            .into_iter()
            .flat_map(|m| [(1, m), (3, m)])
        {
            for bits in 0..8 {
                each(&Placement {
                    hosts,
                    members,
                    oversubscribed: bits & 1 != 0,
                    direct: bits & 2 != 0,
                    prefers_packets: bits & 4 != 0,
                });
            }
        }
    }

    #[test]
    fn spans_cover_all_lengths_without_gaps() {
        placements(|placement| {
            for (index, operation) in operations::ALL.iter().enumerate() {
                assert!((operation.rows)().len() <= ROWS_MAX);
                let spans = spans(index, placement);
                assert!(spans[0].min_bytes == 1 && spans.last().unwrap().max_bytes.is_none());
                let joined = spans.windows(2).all(|two| {
                    two[0].max_bytes.map(|max| max + 1) == Some(two[1].min_bytes)
                        && two[0].row.name != two[1].row.name
                });
                assert!(joined, "{placement:?} {spans:?}");
            }
        });
    }

    #[test]
    fn every_chosen_algorithm_can_perform_the_call() {
        placements(|placement| {
            for index in 0..OPERATIONS {
                for span in spans(index, placement) {
                    let case = placement.case();
                    let max = span.max_bytes.unwrap_or(usize::MAX);
                    let can = span.row.can(&case, span.min_bytes) && span.row.can(&case, max);
                    assert!(can, "{placement:?} {span:?}");
                }
            }
        });
    }

    #[test]
    fn fast_calls_take_the_staged_algorithm() {
        // The fast path chooses nothing (`shm::fast`). A longer call of another member must find
        // its data where the algorithm that the tables choose looks for it.
        let short = SHORT_MAX_BYTES as usize;
        for (members, bits) in (2..=16).flat_map(|members| (0..8).map(move |bits| (members, bits)))
        {
            let placement = Placement {
                hosts: 1,
                members,
                oversubscribed: bits & 1 != 0,
                direct: bits & 2 != 0,
                prefers_packets: bits & 4 != 0,
            };
            for (index, operation) in operations::ALL.iter().enumerate() {
                // Blocks of an alltoall are short if all of them together are.
                let each = if operation.name == "alltoall" { members as usize } else { 1 };
                let first = spans(index, &placement)[0];
                assert!(["staged", "segment"].contains(&first.row.name), "{first:?}");
                assert!(first.max_bytes.is_none_or(|max| max >= short / each), "{first:?}");
            }
        }
    }

    #[test]
    fn reductions_of_a_node_combine_in_one_order() {
        // All algorithms of a segment combine from rank 0 upwards; messages do not, but two
        // operands may be swapped. So the choice may depend on the host only within the segment.
        placements(|placement| {
            if placement.hosts > 1 || !(3..=16).contains(&placement.members) {
                return;
            }
            for (index, operation) in operations::ALL.iter().enumerate() {
                if !["reduce", "allreduce", "reduce_scatter", "scan"].contains(&operation.name) {
                    continue;
                }
                for span in spans(index, placement) {
                    assert_eq!(span.row.scope, Scope::Segment, "{placement:?} {span:?}");
                }
            }
        });
    }
}
