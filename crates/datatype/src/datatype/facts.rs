//! The numbers of a type: size, bounds, alignment (MPI 5.0 §5.1.7 to §5.1.9).
//!
//! A type map is a list of (basic type, displacement). `Facts` does not keep the list; it keeps the
//! numbers that the standard derives from it, and computes how three operations on lists change
//! them:
//!
//! ```text
//! repeat   n copies, `stride` bytes apart    lb + min(0, (n-1)·stride)   ub + max(0, (n-1)·stride)
//! shift    one copy, displaced               lb + d                      ub + d
//! join     two lists, one after the other    minimum of the lbs          maximum of the ubs
//! ```
//!
//! **Markers.** `MPI_Type_create_resized` puts a lower-bound and an upper-bound marker into the
//! map; programs of the MPICH ABI put them there one at a time, with `MPI_LB` and `MPI_UB`. In a
//! map with a marker only markers decide the bound: joining a marked list with an unmarked one
//! takes the bound of the marked list, joining two marked lists takes the smaller (larger) bound.
//! The *true* bounds ignore markers and depend on data only.
//!
//! **Vacant maps.** A list without entries and without markers (zero count, zero block length) is
//! `vacant`: a list that is joined with it keeps its own bounds. All numbers of a vacant map are
//! zero.

use crate::datatype::basic::Named;
use crate::error::{TypeError, plus, times};

/// The numbers that the standard derives from a type map.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    /// Bytes of data, overlapping entries counted twice.
    pub size: i64,
    /// Lower bound.
    pub lb: i64,
    /// Upper bound; the extent is `ub - lb`.
    pub ub: i64,
    /// Lowest byte of data.
    pub true_lb: i64,
    /// One past the highest byte of data.
    pub true_ub: i64,
    /// The strictest alignment of any basic entry, in bytes.
    pub align: i64,
    /// Basic entries in the map.
    pub elements: i64,
    /// The lower bound is a marker's.
    pub marked_lb: bool,
    /// The upper bound is a marker's.
    pub marked_ub: bool,
    /// The map has neither entries nor markers.
    pub vacant: bool,
    /// Bytes of data in the external32 representation.
    pub external: i64,
    /// The basic type of all entries, if there is exactly one.
    pub uniform: Option<&'static Named>,
}

impl Facts {
    /// The facts of the map without entries.
    pub const VACANT: Self = Self {
        size: 0,
        lb: 0,
        ub: 0,
        true_lb: 0,
        true_ub: 0,
        align: 1,
        elements: 0,
        marked_lb: false,
        marked_ub: false,
        vacant: true,
        external: 0,
        uniform: None,
    };

    /// Returns the facts of a predefined type with `elements` entries in `size` bytes.
    pub const fn named(
        size: i64,
        extent: i64,
        true_ub: i64,
        align: i64,
        elements: i64,
        external: i64,
    ) -> Self {
        Self { size, ub: extent, true_ub, align, elements, external, vacant: false, ..Self::VACANT }
    }

    pub const fn extent(&self) -> i64 {
        // Cannot overflow: every function that makes facts checks the extent.
        self.ub - self.lb
    }

    /// Returns the facts of `count` copies, `stride` bytes apart.
    pub fn repeat(&self, count: i64, stride: i64) -> Result<Self, TypeError> {
        if count == 0 || self.vacant {
            return Ok(Self::VACANT);
        }
        let reach = times(count - 1, stride, "the distance from the first to the last copy")?;
        let (down, up) = (reach.min(0), reach.max(0));
        let mut facts = Self {
            size: times(self.size, count, "the type's size")?,
            elements: times(self.elements, count, "the number of basic elements")?,
            external: times(self.external, count, "the size in external32")?,
            lb: plus(self.lb, down, "the lower bound")?,
            ub: plus(self.ub, up, "the upper bound")?,
            ..*self
        };
        if self.size > 0 {
            facts.true_lb = plus(self.true_lb, down, "the true lower bound")?;
            facts.true_ub = plus(self.true_ub, up, "the true upper bound")?;
        }
        facts.checked()
    }

    /// Returns the facts of one copy, displaced by `by` bytes.
    pub fn shift(&self, by: i64) -> Result<Self, TypeError> {
        if self.vacant {
            return Ok(*self);
        }
        let mut facts = *self;
        facts.lb = plus(self.lb, by, "the lower bound")?;
        facts.ub = plus(self.ub, by, "the upper bound")?;
        if self.size > 0 {
            facts.true_lb = plus(self.true_lb, by, "the true lower bound")?;
            facts.true_ub = plus(self.true_ub, by, "the true upper bound")?;
        }
        facts.checked()
    }

    /// Returns the facts of this map's entries followed by those of `other`.
    pub fn join(&self, other: &Self) -> Result<Self, TypeError> {
        if self.vacant {
            return Ok(*other);
        }
        if other.vacant {
            return Ok(*self);
        }
        let mut facts = *self;
        facts.size = plus(self.size, other.size, "the type's size")?;
        facts.elements = plus(self.elements, other.elements, "the number of basic elements")?;
        facts.external = plus(self.external, other.external, "the size in external32")?;
        facts.align = self.align.max(other.align);
        (facts.lb, facts.marked_lb) = match (self.marked_lb, other.marked_lb) {
            (true, false) => (self.lb, true),
            (false, true) => (other.lb, true),
            (marked, _) => (self.lb.min(other.lb), marked),
        };
        (facts.ub, facts.marked_ub) = match (self.marked_ub, other.marked_ub) {
            (true, false) => (self.ub, true),
            (false, true) => (other.ub, true),
            (marked, _) => (self.ub.max(other.ub), marked),
        };
        if self.size == 0 {
            (facts.true_lb, facts.true_ub, facts.uniform) =
                (other.true_lb, other.true_ub, other.uniform);
        } else if other.size > 0 {
            facts.true_lb = self.true_lb.min(other.true_lb);
            facts.true_ub = self.true_ub.max(other.true_ub);
            facts.uniform = match (self.uniform, other.uniform) {
                (Some(a), Some(b)) if a.handle == b.handle => Some(a),
                _ => None,
            };
        }
        facts.checked()
    }

    /// Returns the facts of these entries between two markers.
    pub fn resize(&self, lb: i64, extent: i64) -> Result<Self, TypeError> {
        let ub = plus(lb, extent, "the upper bound")?;
        Ok(Self { lb, ub, marked_lb: true, marked_ub: true, vacant: false, ..*self })
    }

    /// Moves the upper bound up until the extent is a multiple of the alignment: the epsilon of MPI
    /// 5.0 §5.1, as a C compiler pads a struct. A marked upper bound stays.
    pub fn pad(&self) -> Result<Self, TypeError> {
        let short = self.extent().rem_euclid(self.align);
        if self.vacant || self.marked_ub || short == 0 {
            return Ok(*self);
        }
        Self { ub: plus(self.ub, self.align - short, "the padded upper bound")?, ..*self }.checked()
    }

    /// Checks that both extents fit in 64 bits.
    fn checked(self) -> Result<Self, TypeError> {
        self.ub.checked_sub(self.lb).ok_or_else(|| TypeError::overflow("the extent"))?;
        self.true_ub
            .checked_sub(self.true_lb)
            .ok_or_else(|| TypeError::overflow("the true extent"))?;
        Ok(self)
    }
}
