//! A datatype: a value, cheap to clone, immutable but for the mark that it is committed.
//!
//! Predefined types are rows of a static table and cost nothing; a derived type is one shared allocation that holds
//!
//! * its *facts* (size, bounds, alignment), computed when it is made;
//! * its *map*, the typed structure over its component types, which it keeps alive: freeing a component's handle never hurts it;
//! * its *contents*, the constructor's arguments as they came;
//! * its *plan*, compiled when it is first needed: by `commit`, or by the commit of a type built on it.
//!
//! The maps of types form a graph without cycles (a type is made from types that exist already), and everything that walks it
//! looks at each shared component once or jumps over it by its size: a type that contains itself twice, forty levels deep, is no
//! burden.

use std::sync::{Arc, OnceLock};

use crate::basic::{self, Group, Named};
use crate::contents::{Combiner, Contents};
use crate::error::TypeError;
use crate::facts::Facts;
use crate::plan::{Kind, Plan, PlanList};

/// An MPI datatype.
#[derive(Clone)]
pub struct Datatype(Repr);

#[derive(Clone)]
enum Repr {
    Named(&'static Named),
    Derived(Arc<Derived>),
}

struct Derived {
    facts: Facts,
    map: Map,
    contents: Contents,
    plan: OnceLock<Arc<Plan>>,
    committed: OnceLock<()>,
}

/// The typed structure: the type map as the standard writes it, repetitions kept as repetitions.
#[derive(Clone, Debug)]
pub(crate) enum Map {
    /// `count` blocks, `stride` bytes from one to the next, each of `length` copies an extent apart.
    Vector { count: i64, length: i64, stride: i64, each: Datatype },
    /// Blocks of copies at their own displacements.
    Blocks { list: Box<[Placed]>, each: Datatype },
    /// Blocks of different types.
    Struct(Box<[Field]>),
}

/// `length` copies, an extent apart, `at` bytes from the origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub at: i64,
    pub length: i64,
}

/// A block of a struct; `end` is where it ends in the packed stream.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub at: i64,
    pub length: i64,
    pub each: Datatype,
    pub end: i64,
}

impl Datatype {
    pub(crate) const fn named(row: &'static Named) -> Self {
        Self(Repr::Named(row))
    }

    pub(crate) fn derived(facts: Facts, map: Map, contents: Contents) -> Self {
        Self(Repr::Derived(Arc::new(Derived {
            facts,
            map,
            contents,
            plan: OnceLock::new(),
            committed: OnceLock::new(),
        })))
    }

    /// The predefined type with this handle value of the standard ABI. `MPI_DATATYPE_NULL` and unused values give `None`.
    #[inline]
    pub fn predefined(handle: usize) -> Option<&'static Self> {
        basic::by_handle(handle)
    }

    /// The handle value of a predefined type.
    pub fn predefined_handle(&self) -> Option<usize> {
        self.row().map(|row| usize::from(row.handle))
    }

    /// The constant's name of a predefined type.
    pub fn predefined_name(&self) -> Option<&'static str> {
        self.row().map(|row| row.name)
    }

    /// Bytes of data in one element.
    #[inline]
    pub fn size(&self) -> i64 {
        self.facts().size
    }

    /// Where an element begins; may be negative.
    pub fn lb(&self) -> i64 {
        self.facts().lb
    }

    /// The distance from one element of a buffer to the next; may be zero or negative.
    pub fn extent(&self) -> i64 {
        self.facts().extent()
    }

    /// The lowest byte of data.
    pub fn true_lb(&self) -> i64 {
        self.facts().true_lb
    }

    /// From the lowest to the highest byte of data.
    pub fn true_extent(&self) -> i64 {
        self.facts().true_ub - self.facts().true_lb
    }

    /// The strictest alignment of its basic types, in bytes.
    pub fn alignment(&self) -> i64 {
        self.facts().align
    }

    /// How many basic elements one element has.
    pub fn elements(&self) -> i64 {
        self.facts().elements
    }

    /// Contiguous: one element is one run of bytes, and the next begins where it ends.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        let facts = self.facts();
        facts.size == facts.extent()
            && facts.lb == facts.true_lb
            && matches!(self.plan().kind, Kind::Run)
    }

    /// The lowest and one past the highest byte that `count` elements touch, relative to their address; both zero if they touch none.
    pub fn span(&self, count: i64) -> Result<(i64, i64), TypeError> {
        let facts = self.facts();
        let all = facts.repeat(count.max(0), facts.extent())?;
        Ok((all.true_lb, all.true_ub))
    }

    /// Makes the type ready to move data. Committing again, or committing a predefined type, changes nothing.
    pub fn commit(&self) {
        if let Repr::Derived(derived) = &self.0 {
            self.plan();
            derived.committed.get_or_init(|| ());
        }
    }

    /// True if the type may be used in communication.
    #[inline]
    pub fn is_committed(&self) -> bool {
        match &self.0 {
            Repr::Named(_) => true,
            Repr::Derived(derived) => derived.committed.get().is_some(),
        }
    }

    /// True for the types the user cannot free: named ones, the F90 parameterised and the unnamed pairs.
    pub fn is_predefined(&self) -> bool {
        let combiner = self.combiner();
        matches!(combiner, Combiner::Named | Combiner::ValueIndex) || combiner.is_parameterised()
    }

    /// Which constructor made it.
    pub fn combiner(&self) -> Combiner {
        self.contents().map_or(Combiner::Named, |contents| contents.combiner)
    }

    /// The constructor's arguments; a named type has none.
    pub fn contents(&self) -> Option<&Contents> {
        match &self.0 {
            Repr::Named(_) => None,
            Repr::Derived(derived) => Some(&derived.contents),
        }
    }

    /// The same type, with its contents told in the form of the `_c` calls (for a type that a `_c` call has just made).
    #[must_use]
    pub fn into_large_count_form(self) -> Self {
        match &self.0 {
            Repr::Named(_) => self,
            Repr::Derived(derived) => {
                let copy =
                    Self::derived(derived.facts, derived.map.clone(), derived.contents.large());
                if self.is_committed() {
                    copy.commit();
                }
                copy
            }
        }
    }

    /// True if both are one and the same: the same table row, the same allocation.
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Repr::Named(a), Repr::Named(b)) => a.handle == b.handle,
            (Repr::Derived(a), Repr::Derived(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    #[inline(always)]
    pub(crate) fn row(&self) -> Option<&'static Named> {
        match self.0 {
            Repr::Named(row) => Some(row),
            Repr::Derived(_) => None,
        }
    }

    pub(crate) fn map(&self) -> Option<&Map> {
        match &self.0 {
            Repr::Named(_) => None,
            Repr::Derived(derived) => Some(&derived.map),
        }
    }

    #[inline]
    pub(crate) fn facts(&self) -> &Facts {
        match &self.0 {
            Repr::Named(row) => &row.facts,
            Repr::Derived(derived) => &derived.facts,
        }
    }

    /// The plan, compiled when it is first asked for.
    #[inline]
    pub(crate) fn plan(&self) -> &Plan {
        match &self.0 {
            Repr::Named(row) => &row.plan,
            Repr::Derived(derived) => derived.plan.get_or_init(|| derived.map.compile()),
        }
    }

    fn shared_plan(&self) -> Arc<Plan> {
        match &self.0 {
            Repr::Named(row) => Arc::new(row.plan.clone()),
            Repr::Derived(derived) => {
                Arc::clone(derived.plan.get_or_init(|| derived.map.compile()))
            }
        }
    }

    /// The basic type this *is*: a named type that is no pair, or an F90 parameterised one.
    pub(crate) fn as_basic(&self) -> Option<&'static Named> {
        match &self.0 {
            Repr::Named(row) => (row.group != Group::Pair).then_some(*row),
            Repr::Derived(derived) if derived.contents.combiner.is_parameterised() => {
                derived.facts.uniform
            }
            Repr::Derived(_) => None,
        }
    }
}

impl Map {
    /// The plan of one element.
    fn compile(&self) -> Arc<Plan> {
        match self {
            Self::Vector { count, length, stride, each } => {
                let block = Plan::repeat(
                    &each.shared_plan(),
                    *length as usize,
                    each.facts().extent() as isize,
                );
                Plan::repeat(&block, *count as usize, *stride as isize)
            }
            Self::Blocks { list, each } => {
                let element = each.shared_plan();
                let extent = each.facts().extent() as isize;
                let mut plans = PlanList::with_capacity(list.len());
                let mut last: Option<(i64, Arc<Plan>)> = None;
                for placed in list {
                    let block = match last.take() {
                        Some((length, block)) if length == placed.length => block,
                        _ => Plan::repeat(&element, placed.length as usize, extent),
                    };
                    plans.push(placed.at as isize, &block);
                    last = Some((placed.length, block));
                }
                plans.finish()
            }
            Self::Struct(fields) => {
                let mut plans = PlanList::with_capacity(fields.len());
                for field in fields {
                    let extent = field.each.facts().extent() as isize;
                    plans.push(
                        field.at as isize,
                        &Plan::repeat(&field.each.shared_plan(), field.length as usize, extent),
                    );
                }
                plans.finish()
            }
        }
    }
}

impl std::fmt::Debug for Datatype {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Repr::Named(row) => f.write_str(row.name),
            Repr::Derived(derived) => f.debug_tuple("Datatype").field(&derived.contents).finish(),
        }
    }
}

/// Equal if one and the same, or made in the same way from equal types.
impl PartialEq for Datatype {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other)
            || match (self.contents(), other.contents()) {
                (Some(a), Some(b)) => a == b,
                _ => false,
            }
    }
}

impl Eq for Datatype {}
