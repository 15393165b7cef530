//! The naive model: a type map as the standard defines it, a plain list of entries.
//!
//! Bounds are entries, too. `Lb` and `Ub` are the markers of `MPI_Type_create_resized`; `SoftLb`
//! and `SoftUb` are the bounds that every type has by itself, which count only if there is no
//! marker. A constructor simply copies the list, displaced, as often as its arguments say.

pub mod tree;

use nemesis_datatype::Datatype;

/// An entry of a type map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A basic type: handle, bytes, alignment.
    Data(usize, i64, i64),
    Lb,
    Ub,
    SoftLb,
    SoftUb,
}

/// Entries with their displacements, in order.
#[derive(Clone, Debug, Default)]
pub struct Model(pub Vec<(Entry, i64)>);

impl Model {
    pub fn basic(handle: usize) -> Self {
        let size = Datatype::predefined(handle).expect("a basic type").size();
        Self(vec![(Entry::Data(handle, size, size), 0), (Entry::SoftLb, 0), (Entry::SoftUb, size)])
    }

    /// Returns a predefined pair: members at their displacements, then the extent.
    pub fn pair(members: [(usize, i64); 2], extent: i64) -> Self {
        let mut entries = Vec::new();
        for (handle, at) in members {
            let size = Datatype::predefined(handle).expect("a basic type").size();
            entries.push((Entry::Data(handle, size, size), at));
        }
        entries.extend([(Entry::SoftLb, 0), (Entry::SoftUb, extent)]);
        Self(entries)
    }

    /// Returns copies at these displacements, in this order.
    pub fn placed(&self, displacements: impl IntoIterator<Item = i64>) -> Self {
        let copy = |at: i64| self.0.iter().map(move |&(entry, own)| (entry, own + at));
        Self(displacements.into_iter().flat_map(copy).collect())
    }

    /// Returns `length` copies an extent apart, from `at` on.
    pub fn block(&self, at: i64, length: i64) -> Self {
        self.placed((0..length).map(|copy| at + copy * self.extent()))
    }

    pub fn joined(parts: impl IntoIterator<Item = Self>) -> Self {
        Self(parts.into_iter().flat_map(|part| part.0).collect())
    }

    /// Adds a soft upper bound that makes the extent a multiple of the alignment.
    pub fn padded(mut self) -> Self {
        if !self.0.is_empty() {
            let align = self.data().map(|(_, _, align, _)| align).max().unwrap_or(1);
            let (lb, ub) = (self.lb(), self.ub());
            let extent = (0..)
                .map(|more| ub - lb + more)
                .find(|extent| extent % align == 0)
                .expect("there is a multiple");
            self.0.push((Entry::SoftUb, lb + extent));
        }
        self
    }

    /// Returns the data without bounds, between these markers.
    pub fn marked(&self, lb: i64, ub: i64) -> Self {
        let data = self.0.iter().filter(|(entry, _)| matches!(entry, Entry::Data(..))).copied();
        Self(data.chain([(Entry::Lb, lb), (Entry::Ub, ub)]).collect())
    }

    /// Iterates over (handle, bytes, alignment, displacement) of all data, in order.
    pub fn data(&self) -> impl Iterator<Item = (usize, i64, i64, i64)> + '_ {
        self.0.iter().filter_map(|&(entry, at)| match entry {
            Entry::Data(handle, size, align) => Some((handle, size, align, at)),
            _ => None,
        })
    }

    fn displacements_of(&self, wanted: Entry) -> impl Iterator<Item = i64> + '_ {
        self.0.iter().filter(move |(entry, _)| *entry == wanted).map(|&(_, at)| at)
    }

    pub fn lb(&self) -> i64 {
        self.displacements_of(Entry::Lb)
            .min()
            .or_else(|| self.displacements_of(Entry::SoftLb).min())
            .unwrap_or(0)
    }

    pub fn ub(&self) -> i64 {
        self.displacements_of(Entry::Ub)
            .max()
            .or_else(|| self.displacements_of(Entry::SoftUb).max())
            .unwrap_or(0)
    }

    pub fn extent(&self) -> i64 {
        self.ub() - self.lb()
    }

    pub fn size(&self) -> i64 {
        self.data().map(|(_, size, _, _)| size).sum()
    }

    pub fn true_bounds(&self) -> (i64, i64) {
        let low = self.data().map(|(_, _, _, at)| at).min().unwrap_or(0);
        let high = self.data().map(|(_, size, _, at)| at + size).max().unwrap_or(0);
        (low, high)
    }

    /// Returns the displacement of every byte of the packed stream of `count` elements.
    pub fn stream(&self, count: i64) -> Vec<i64> {
        let extent = self.extent();
        let element = |copy: i64| {
            self.data().flat_map(move |(_, size, _, at)| {
                (0..size).map(move |byte| copy * extent + at + byte)
            })
        };
        (0..count).flat_map(element).collect()
    }

    /// Returns the number of basic elements in `bytes` bytes of the packed stream of many elements.
    pub fn get_elements(&self, mut bytes: i64) -> Option<i64> {
        let mut counted = 0;
        for (_, size, _, _) in self.data().collect::<Vec<_>>().into_iter().cycle() {
            if bytes <= 0 {
                break;
            }
            bytes -= size;
            counted += 1;
        }
        (bytes == 0).then_some(counted)
    }
}
