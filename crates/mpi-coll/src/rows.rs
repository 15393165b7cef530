//! Rows of the tables of algorithms (`table`), and the choice among them.
//!
//! A call takes the first algorithm that can do the job and that the thresholds of `selection`
//! prefer at its length. The environment can force algorithms for ranges of lengths (`forced`); one
//! that cannot do the job is passed over.
//!
//! All processes of a call must choose alike, so a choice depends only on a [`Case`], whose values
//! all of them know alike.

use crate::forced::Forced;
use crate::selection::{DataPath, RootedDataPath, Site};
use nemesis::coll_segment::{LARGE_STAGING_BUFFERS, SHORT_STAGING_BYTES, STAGING_BYTES};

/// What the choice of an algorithm depends on.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub members: Members,
    pub ranks: u32,
    /// Bytes of what a process contributes: a vector, or a block of one rank.
    pub bytes: usize,
    /// Bytes of all blocks together.
    pub total_bytes: usize,
    /// Elements of a vector.
    pub elements: usize,
    /// True if the operator is predefined and the elements are contiguous, or if there is no
    /// operator.
    pub predefined: bool,
    /// True if all blocks have one length.
    pub even: bool,
}

/// The members that share a collective segment in a call.
#[derive(Clone, Copy, Debug)]
pub enum Members {
    /// None: all processes send messages.
    None,
    /// All processes of a blocking call.
    Node(Site),
    /// The processes of each node in a blocking call. `takes`: the segments take data of this
    /// length. `reduces`: they take reductions.
    Nodes { takes: bool, reduces: bool },
    /// All processes of a non-blocking or persistent call.
    Recorded(Site),
}

impl Case {
    /// Returns whether processes that share a segment use this data path, as `path` chooses.
    pub fn uses(&self, wanted: DataPath, path: fn(Site, usize) -> DataPath) -> bool {
        self.site().is_some_and(|site| path(site, self.bytes) == wanted)
    }

    /// Returns whether processes that share a segment use this data path in an operation with a
    /// root, as `path` chooses.
    pub fn uses_rooted(
        &self,
        wanted: RootedDataPath,
        path: fn(Site, usize) -> RootedDataPath,
    ) -> bool {
        self.site().is_some_and(|site| path(site, self.bytes) == wanted)
    }

    /// Returns the site of a blocking call whose processes share a segment.
    pub fn site(&self) -> Option<Site> {
        match self.members {
            Members::Node(site) => Some(site),
            _ => None,
        }
    }

    /// Returns the site of a non-blocking or persistent call whose processes share a segment.
    pub fn recorded(&self) -> Option<Site> {
        match self.members {
            Members::Recorded(site) => Some(site),
            _ => None,
        }
    }
}

/// What an algorithm needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// A blocking call, and a collective segment of all processes.
    Segment,
    /// A blocking call, and a collective segment of as many processes as reductions permit.
    ReduceSegment,
    /// A blocking call, and a collective segment of as many processes as an allreduce of this
    /// length permits.
    AllreduceSegment,
    /// Two processes with a processor each.
    Pair,
    /// A collective segment with rings.
    Rings,
    /// Copies by the kernel between the processes' memories.
    SingleCopy,
    /// A blocking call, and collective segments in each of several nodes.
    Nodes,
    /// A blocking call, and in each of several nodes a collective segment of as many processes as
    /// reductions permit.
    ReduceNodes,
    /// A non-blocking or persistent call, and a collective segment of all processes.
    RecordedSegment,
    /// A predefined operator and contiguous elements.
    Predefined,
    /// Data that fit a staging buffer.
    Staging,
    /// All blocks of a process fit a staging buffer together.
    StagingOfAll,
    /// Data that fit the short staging buffer.
    ShortStaging,
    /// Data that a broadcast sends through staging buffers.
    BcastStaging,
    /// Blocks that fit the staging buffers or the ring which a process and the root use.
    GatherStaging,
    /// Blocks that fit the staging buffers which a root and another process use.
    ScatterStaging,
    /// An element for each process.
    Elements,
    /// Blocks of one length, and a power of two of processes.
    EvenPowerOfTwo,
}

impl Need {
    /// Returns whether a call meets the need.
    pub fn is_met(self, case: &Case) -> bool {
        let site = case.site();
        let of_site = |meets: fn(Site) -> bool| site.is_none_or(meets);
        let fits_rooted = |site: Site| {
            case.bytes <= SHORT_STAGING_BYTES
                || !site.is_pair() && case.bytes <= LARGE_STAGING_BUFFERS * STAGING_BYTES
        };
        match self {
            Need::Segment => site.is_some(),
            Need::ReduceSegment => site.is_some_and(Site::reduces),
            Need::AllreduceSegment => site.is_some_and(|site| site.allreduces(case.bytes)),
            Need::Pair => of_site(Site::is_pair),
            Need::Rings => of_site(|site| site.rings),
            Need::SingleCopy => site.or(case.recorded()).is_none_or(|site| site.direct),
            Need::Nodes => matches!(case.members, Members::Nodes { takes: true, .. }),
            Need::ReduceNodes => {
                matches!(case.members, Members::Nodes { takes: true, reduces: true })
            }
            Need::RecordedSegment => case.recorded().is_some(),
            Need::Predefined => case.predefined,
            Need::Staging => case.bytes <= STAGING_BYTES,
            Need::StagingOfAll => case.bytes.saturating_mul(case.ranks as usize) <= STAGING_BYTES,
            Need::ShortStaging => case.bytes <= SHORT_STAGING_BYTES,
            Need::BcastStaging => site.is_some_and(|site| {
                !site.is_pair()
                    || case.bytes <= SHORT_STAGING_BYTES
                    || site.bcast_passes(case.bytes)
            }),
            Need::GatherStaging => site.is_some_and(|site| {
                fits_rooted(site) || site.gather_parts_in_rings(case.bytes).is_some()
            }),
            Need::ScatterStaging => site.is_some_and(fits_rooted),
            Need::Elements => case.elements >= case.ranks as usize,
            Need::EvenPowerOfTwo => case.even && case.ranks.is_power_of_two(),
        }
    }
}

/// One algorithm of an operation, without the function that performs it.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub name: &'static str,
    /// What the algorithm does.
    pub what: &'static str,
    /// What it needs to do the job.
    pub needs: &'static [Need],
    /// Whether the thresholds prefer it to the rows that follow.
    pub is_preferred: fn(&Case) -> bool,
}

impl Row {
    /// Returns whether the algorithm can perform a call.
    pub fn can(&self, case: &Case) -> bool {
        self.needs.iter().all(|need| need.is_met(case))
    }
}

/// Returns the index of the algorithm of a call: the first of the `forced` ones that can perform
/// it, or else the first one that can and that the thresholds prefer.
pub fn choose<'r>(
    forced: &[Forced],
    mut rows: impl ExactSizeIterator<Item = &'r Row> + Clone,
    case: &Case,
) -> usize {
    let last = rows.len() - 1;
    let forced = forced.iter().find(|forced| {
        forced.takes(case.bytes) && rows.clone().nth(forced.row).is_some_and(|row| row.can(case))
    });
    match forced {
        Some(forced) => forced.row,
        None => rows.position(|row| row.can(case) && (row.is_preferred)(case)).unwrap_or(last),
    }
}
