//! Plans: flattened type maps, without the types.
//!
//! The pack and unpack kernels need to know where the bytes of an element are, not what they mean.
//! Commit compiles the typed map to a plan: a small tree whose leaves are runs of bytes, always in
//! type-map order (the order of the packed stream):
//!
//! ```text
//! Run       |■■■■|                    `size` bytes
//! Strided   |■■··|■■··|■■··|          equal runs, equal stride
//! Blocks    |■·|■■■····|■■|           uneven runs: a list with the packed end of each, so that
//!                                     a binary search finds any byte
//! Repeat    [plan]··[plan]··[plan]    copies of a plan, equal stride
//! Sequence  [plan a] [plan b] …       different plans, one after the other
//! ```
//!
//! Two builders make them, [`Plan::repeat`] and [`PlanList`]. They merge on the way: adjacent runs
//! become one run, equal runs at equal stride become `Strided`, and a repetition that continues the
//! stride of its child becomes one longer repetition. A regular type never becomes a list: a vector
//! of 10⁹ blocks is one `Strided`, however deeply it is nested.
//!
//! Every node starts `at` bytes after the address at which it is used. Walks and kernels rely on
//! these invariants:
//!
//! * **P1** the `size` of a node is the sum of the sizes of its parts, and no part is empty (only a
//!   whole plan may be);
//! * **P2** a node visits exactly the bytes of the type map from which it was compiled, so a buffer
//!   that is valid for (count, type) is valid for every address that a walk computes;
//! * **P3** no sum below overflows: `Facts` has checked the size and the true bounds of the map.

use std::borrow::Cow;
use std::sync::Arc;

/// A type map without types: where the bytes of one element are, in packed order.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// Displacement of the node, in bytes.
    pub at: isize,
    /// Packed bytes.
    pub size: usize,
    pub kind: Kind,
}

/// Layout of the bytes of a node.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Run,
    Strided { count: usize, stride: isize, block: usize },
    Blocks(Cow<'static, [Block]>),
    Repeat { count: usize, stride: isize, each: Arc<Plan> },
    Sequence(Arc<[Part]>),
}

/// One run of `Blocks`, which begins in the packed stream where its predecessor ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub at: isize,
    pub end: usize,
}

/// One member of a `Sequence`, which begins in the packed stream where its predecessor ends.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub at: isize,
    pub end: usize,
    pub plan: Arc<Plan>,
}

impl Plan {
    /// The plan without bytes.
    pub const EMPTY: Self = Self::run(0, 0);

    /// Returns the plan of one run.
    pub const fn run(at: isize, size: usize) -> Self {
        Self { at, size, kind: Kind::Run }
    }

    /// Returns the plan of `count` copies of `each`, `stride` bytes apart.
    pub fn repeat(each: &Arc<Self>, count: usize, stride: isize) -> Arc<Self> {
        if count == 0 || each.size == 0 {
            return Arc::new(Self::EMPTY);
        }
        if count == 1 {
            return Arc::clone(each);
        }
        let size = each.size * count;
        let plan = match &each.kind {
            Kind::Run if stride == each.size as isize => Self::run(each.at, size),
            Kind::Run => {
                Self { at: each.at, size, kind: Kind::Strided { count, stride, block: each.size } }
            }
            &Kind::Strided { count: inner, stride: pitch, block }
                if continues(inner, pitch, stride) =>
            {
                Self {
                    at: each.at,
                    size,
                    kind: Kind::Strided { count: inner * count, stride: pitch, block },
                }
            }
            Kind::Repeat { count: inner, stride: pitch, each: core }
                if continues(*inner, *pitch, stride) =>
            {
                Self {
                    at: each.at,
                    size,
                    kind: Kind::Repeat {
                        count: inner * count,
                        stride: *pitch,
                        each: Arc::clone(core),
                    },
                }
            }
            _ => Self { at: 0, size, kind: Kind::Repeat { count, stride, each: Arc::clone(each) } },
        };
        Arc::new(plan)
    }

    /// Returns the plan displaced by `by` bytes.
    pub fn shifted(self: &Arc<Self>, by: isize) -> Arc<Self> {
        if by == 0 || self.size == 0 {
            return Arc::clone(self);
        }
        Arc::new(Self { at: self.at.wrapping_add(by), size: self.size, kind: self.kind.clone() })
    }
}

/// Returns true if a copy at distance `stride` continues an inner repetition of `count` copies at
/// distance `pitch`.
pub(crate) fn continues(count: usize, pitch: isize, stride: isize) -> bool {
    pitch.checked_mul(count as isize) == Some(stride)
}

/// Builder that collects plans one after the other and finds the shortest plan for all of them.
#[derive(Default)]
pub(crate) struct PlanList {
    members: Vec<Member>,
    size: usize,
}

/// A run, or any plan if there is a node.
struct Member {
    at: isize,
    len: usize,
    node: Option<Arc<Plan>>,
}

impl PlanList {
    /// Reserves memory for this number of members.
    pub fn with_capacity(members: usize) -> Self {
        Self { members: Vec::with_capacity(members), size: 0 }
    }

    /// Appends `plan`, displaced by `at`.
    pub fn push(&mut self, at: isize, plan: &Arc<Plan>) {
        if plan.size == 0 {
            return;
        }
        let origin = at.wrapping_add(plan.at);
        match &plan.kind {
            Kind::Run => self.push_run(origin, plan.size),
            Kind::Blocks(blocks) if blocks.len() <= UNROLL_BLOCKS => {
                let mut start = 0;
                for block in blocks.iter() {
                    self.push_run(origin.wrapping_add(block.at), block.end - start);
                    start = block.end;
                }
            }
            _ => {
                self.size += plan.size;
                self.members.push(Member { at, len: plan.size, node: Some(Arc::clone(plan)) });
            }
        }
    }

    /// Appends a run, and merges it with the previous one if they are adjacent.
    pub fn push_run(&mut self, at: isize, len: usize) {
        if len == 0 {
            return;
        }
        self.size += len;
        match self.members.last_mut() {
            Some(last) if last.node.is_none() && last.at.wrapping_add(last.len as isize) == at => {
                last.len += len
            }
            _ => self.members.push(Member { at, len, node: None }),
        }
    }

    /// Returns the plan of all members.
    pub fn finish(self) -> Arc<Plan> {
        let Some(first) = self.members.first() else { return Arc::new(Plan::EMPTY) };
        if let Some(stride) = self.stride() {
            let plan = first.node.clone().unwrap_or_else(|| Arc::new(Plan::run(0, first.len)));
            return Plan::repeat(&plan, self.members.len(), stride).shifted(first.at);
        }
        let mut end = 0;
        let kind = if self.members.iter().all(|member| member.node.is_none()) {
            let block = |member: &Member| {
                end += member.len;
                Block { at: member.at, end }
            };
            Kind::Blocks(self.members.iter().map(block).collect())
        } else {
            let part = |member: Member| {
                end += member.len;
                Part {
                    at: member.at,
                    end,
                    plan: member.node.unwrap_or_else(|| Arc::new(Plan::run(0, member.len))),
                }
            };
            Kind::Sequence(self.members.into_iter().map(part).collect())
        };
        Arc::new(Plan { at: 0, size: self.size, kind })
    }

    /// Returns the stride at which all members lie, if they are copies of each other.
    fn stride(&self) -> Option<isize> {
        let [first, second, ..] = self.members.as_slice() else { return Some(0) };
        let stride = second.at.checked_sub(first.at)?;
        let regular = |pair: &[Member]| {
            pair[1].at.checked_sub(pair[0].at) == Some(stride) && pair[0].is_copy_of(&pair[1])
        };
        self.members.windows(2).all(regular).then_some(stride)
    }
}

impl Member {
    fn is_copy_of(&self, other: &Self) -> bool {
        match (&self.node, &other.node) {
            (None, None) => self.len == other.len,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// Lists of at most this many runs are copied into the list around them; a longer list stays one
/// shared node. A struct of a few fields, the usual case, therefore becomes one flat list, while
/// ten thousand uses of a type of a thousand blocks do not become ten million entries.
const UNROLL_BLOCKS: usize = 8;
