//! Datatypes: values that are cheap to clone and immutable, except for the mark that a type is
//! committed.
//!
//! Predefined types are rows of a static table. A derived type is one shared allocation that holds
//!
//! * its *facts* (size, bounds, alignment), which the constructor computes;
//! * its *map*, the typed structure over its component types, which it keeps alive: freeing a
//!   component's handle does not affect it;
//! * its *contents*, the arguments of the constructor;
//! * its *plan*, the flattened form for pack and unpack, which is compiled on first use: by
//!   `commit`, or by the commit of a type that contains this one.
//!
//! The maps of types form a graph without cycles, because a constructor takes types that exist
//! already. Every function that walks the graph visits a shared component once or skips it by its
//! size, so a type that contains itself twice on each of forty levels costs forty steps.

pub(crate) mod basic;
pub(crate) mod contents;
pub(crate) mod facts;

use std::sync::{Arc, OnceLock};

use self::basic::{Group, Named};
use self::contents::{Combiner, Contents};
use self::facts::Facts;
use crate::error::TypeError;
use crate::plan::{Kind, Plan, PlanList};

/// An MPI datatype, predefined or derived. Clones share one allocation.
///
/// # Examples
/// ```
/// use nemesis_datatype::Datatype;
///
/// const MPI_DOUBLE: usize = 0x214; // in the standard ABI
/// let double = Datatype::predefined(MPI_DOUBLE).unwrap();
/// // Three blocks of two doubles, four doubles from one to the next.
/// let blocks = Datatype::vector(3, 2, 4, double)?;
/// assert_eq!(blocks.size(), 48);
/// assert_eq!(blocks.extent(), 80);
/// assert_eq!(blocks.elements(), 6);
/// # Ok::<(), nemesis_datatype::TypeError>(())
/// ```
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

/// The typed structure: the type map of the standard, with repetitions kept as repetitions.
#[derive(Clone, Debug)]
pub(crate) enum Map {
    /// `count` blocks, `stride` bytes from one to the next, each of `length` copies an extent
    /// apart.
    Vector { count: i64, length: i64, stride: i64, each: Datatype },
    /// Blocks of copies of one type at displacements of their own.
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

/// A block of a struct; `end` is its end in the packed stream.
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

    /// Returns the predefined type with this handle value of the standard ABI; `None` for
    /// `MPI_DATATYPE_NULL` and values without a type.
    #[inline]
    pub fn predefined(handle: usize) -> Option<&'static Self> {
        basic::by_handle(handle)
    }

    /// Returns the handle value of a predefined type in the standard ABI.
    pub fn predefined_handle(&self) -> Option<usize> {
        self.row().map(|row| usize::from(row.handle))
    }

    /// Returns the name of the constant of a predefined type, such as `MPI_INT`.
    pub fn predefined_name(&self) -> Option<&'static str> {
        self.row().map(|row| row.name)
    }

    /// Returns the bytes of data in one element (`MPI_Type_size`).
    #[inline]
    pub fn size(&self) -> i64 {
        self.facts().size
    }

    /// Returns the lower bound in bytes, which may be negative.
    pub fn lb(&self) -> i64 {
        self.facts().lb
    }

    /// Returns the distance in bytes from one element of a buffer to the next, which may be zero or
    /// negative.
    pub fn extent(&self) -> i64 {
        self.facts().extent()
    }

    /// Returns the displacement of the lowest byte of data.
    pub fn true_lb(&self) -> i64 {
        self.facts().true_lb
    }

    /// Returns the distance from the lowest byte of data to one past the highest, in bytes.
    pub fn true_extent(&self) -> i64 {
        self.facts().true_ub - self.facts().true_lb
    }

    /// Returns the strictest alignment of the basic types in the map, in bytes.
    pub fn alignment(&self) -> i64 {
        self.facts().align
    }

    /// Returns the number of basic elements in one element.
    pub fn elements(&self) -> i64 {
        self.facts().elements
    }

    /// Returns true if the data of any number of consecutive elements form one range of bytes
    /// without gaps.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        let facts = self.facts();
        facts.size == facts.extent()
            && facts.lb == facts.true_lb
            && matches!(self.plan().kind, Kind::Run)
    }

    /// Returns the displacements of the lowest byte and of one past the highest byte that `count`
    /// elements touch; both are zero if they touch none.
    ///
    /// # Errors
    /// If a displacement exceeds 64 bits.
    pub fn span(&self, count: i64) -> Result<(i64, i64), TypeError> {
        let facts = self.facts();
        let all = facts.repeat(count.max(0), facts.extent())?;
        Ok((all.true_lb, all.true_ub))
    }

    /// Compiles the plan and marks the type as ready for communication (`MPI_Type_commit`). Has no
    /// effect on predefined and committed types.
    pub fn commit(&self) {
        if let Repr::Derived(derived) = &self.0 {
            self.plan();
            derived.committed.get_or_init(|| ());
        }
    }

    /// Returns true if the type may be used in communication.
    #[inline]
    pub fn is_committed(&self) -> bool {
        match &self.0 {
            Repr::Named(_) => true,
            Repr::Derived(derived) => derived.committed.get().is_some(),
        }
    }

    /// Returns true for types that the program cannot free: named types, Fortran types made by
    /// precision and range, and unnamed pairs.
    pub fn is_predefined(&self) -> bool {
        let combiner = self.combiner();
        matches!(combiner, Combiner::Named | Combiner::ValueIndex) || combiner.is_parameterised()
    }

    /// Returns the constructor that made the type.
    pub fn combiner(&self) -> Combiner {
        self.contents().map_or(Combiner::Named, |contents| contents.combiner)
    }

    /// Returns the arguments of the constructor; `None` for a named type.
    pub fn contents(&self) -> Option<&Contents> {
        match &self.0 {
            Repr::Named(_) => None,
            Repr::Derived(derived) => Some(&derived.contents),
        }
    }

    /// Returns the type with its contents in the form of the `_c` functions, for a type that such a
    /// function has just made.
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

    /// Returns true if both values are the same table row or the same allocation.
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

    /// Returns the plan, which the first call compiles.
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

    /// Returns the row of the basic type that this type *is*: a named type that is no pair, or a
    /// Fortran type made by precision and range.
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
    /// Compiles the plan of one element.
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

/// Types are equal if they are one allocation, or if equal arguments of one constructor made them.
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
