//! The constructors of MPI 5.0 §5.1.2 to §5.1.10: contiguous to struct, resized, dup.
//!
//! Each checks its arguments, computes the facts with checked arithmetic, keeps the structure as a `Map` and notes its arguments. All
//! take 64-bit counts; element displacements become byte displacements here, so a `Map` knows only bytes. Blocks of length zero
//! stay in the contents, and nowhere else.

use crate::contents::{Combiner, Contents};
use crate::datatype::{Datatype, Field, Map, Placed};
use crate::error::{TypeError, TypeErrorKind, non_negative, plus, times};
use crate::facts::Facts;

impl Datatype {
    /// `MPI_Type_contiguous`.
    pub fn contiguous(count: i64, old: &Self) -> Result<Self, TypeError> {
        non_negative(TypeErrorKind::Count, "count", count)?;
        let contents = Contents::new(Combiner::Contiguous, &[&[count]], &[], &[old]);
        Self::regular(count, 1, old.facts().extent(), old, contents)
    }

    /// `MPI_Type_vector`: the stride counts elements.
    pub fn vector(count: i64, length: i64, stride: i64, old: &Self) -> Result<Self, TypeError> {
        non_negative(TypeErrorKind::Count, "count", count)?;
        non_negative(TypeErrorKind::Arg, "blocklength", length)?;
        let contents = Contents::new(Combiner::Vector, &[&[count, length, stride]], &[], &[old]);
        Self::regular(
            count,
            length,
            times(stride, old.facts().extent(), "the stride")?,
            old,
            contents,
        )
    }

    /// `MPI_Type_create_hvector`: the stride counts bytes.
    pub fn hvector(count: i64, length: i64, stride: i64, old: &Self) -> Result<Self, TypeError> {
        non_negative(TypeErrorKind::Count, "count", count)?;
        non_negative(TypeErrorKind::Arg, "blocklength", length)?;
        let contents = Contents::new(Combiner::Hvector, &[&[count, length]], &[stride], &[old]);
        Self::regular(count, length, stride, old, contents)
    }

    /// `MPI_Type_indexed`: displacements count elements.
    pub fn indexed(lengths: &[i64], displacements: &[i64], old: &Self) -> Result<Self, TypeError> {
        let count = [lengths.len() as i64];
        let contents =
            Contents::new(Combiner::Indexed, &[&count, lengths, displacements], &[], &[old]);
        let extent = old.facts().extent();
        let scaled = displacements.iter().map(|&at| times(at, extent, "a displacement"));
        Self::irregular(lengths.iter().copied(), scaled, old, contents)
    }

    /// `MPI_Type_create_hindexed`: displacements count bytes.
    pub fn hindexed(lengths: &[i64], displacements: &[i64], old: &Self) -> Result<Self, TypeError> {
        let count = [lengths.len() as i64];
        let contents = Contents::new(Combiner::Hindexed, &[&count, lengths], displacements, &[old]);
        Self::irregular(
            lengths.iter().copied(),
            displacements.iter().map(|&at| Ok(at)),
            old,
            contents,
        )
    }

    /// `MPI_Type_create_indexed_block`: one length, displacements in elements.
    pub fn indexed_block(
        length: i64,
        displacements: &[i64],
        old: &Self,
    ) -> Result<Self, TypeError> {
        let head = [displacements.len() as i64, length];
        let contents = Contents::new(Combiner::IndexedBlock, &[&head, displacements], &[], &[old]);
        let extent = old.facts().extent();
        let scaled = displacements.iter().map(|&at| times(at, extent, "a displacement"));
        Self::irregular(std::iter::repeat(length), scaled, old, contents)
    }

    /// `MPI_Type_create_hindexed_block`: one length, displacements in bytes.
    pub fn hindexed_block(
        length: i64,
        displacements: &[i64],
        old: &Self,
    ) -> Result<Self, TypeError> {
        let head = [displacements.len() as i64, length];
        let contents = Contents::new(Combiner::HindexedBlock, &[&head], displacements, &[old]);
        Self::irregular(
            std::iter::repeat(length),
            displacements.iter().map(|&at| Ok(at)),
            old,
            contents,
        )
    }

    /// `MPI_Type_create_struct`. The three slices have one length.
    pub fn structure(
        lengths: &[i64],
        displacements: &[i64],
        olds: &[Self],
    ) -> Result<Self, TypeError> {
        let count = [lengths.len() as i64];
        let olds_by_ref: Vec<&Self> = olds.iter().collect();
        let contents =
            Contents::new(Combiner::Struct, &[&count, lengths], displacements, &olds_by_ref);
        let fields = lengths
            .iter()
            .zip(displacements)
            .zip(olds)
            .map(|((&length, &at), old)| (length, at, old));
        Self::assembled(fields, contents)
    }

    /// `MPI_Type_create_resized`.
    pub fn resized(old: &Self, lb: i64, extent: i64) -> Result<Self, TypeError> {
        let contents = Contents::new(Combiner::Resized, &[], &[lb, extent], &[old]);
        let facts = old.uniform_facts().resize(lb, extent)?;
        Ok(Self::derived(
            facts,
            Map::Vector { count: 1, length: 1, stride: 0, each: old.clone() },
            contents,
        ))
    }

    /// `MPI_Type_dup`: committed if the original is.
    pub fn dup(old: &Self) -> Result<Self, TypeError> {
        let contents = Contents::new(Combiner::Dup, &[], &[], &[old]);
        let copy = Self::wrapper(old, contents);
        if old.is_committed() {
            copy.commit();
        }
        Ok(copy)
    }

    /// The same map and bounds under another name.
    pub(crate) fn wrapper(old: &Self, contents: Contents) -> Self {
        let map = Map::Vector { count: 1, length: 1, stride: 0, each: old.clone() };
        Self::derived(old.uniform_facts(), map, contents)
    }

    /// `count` blocks of `length` copies, `stride` bytes from block to block.
    fn regular(
        count: i64,
        length: i64,
        stride: i64,
        old: &Self,
        contents: Contents,
    ) -> Result<Self, TypeError> {
        let facts =
            old.uniform_facts().repeat(length, old.facts().extent())?.repeat(count, stride)?;
        Ok(Self::derived(facts, Map::Vector { count, length, stride, each: old.clone() }, contents))
    }

    /// Blocks of one type at displacements in bytes.
    fn irregular(
        lengths: impl Iterator<Item = i64>,
        displacements: impl Iterator<Item = Result<i64, TypeError>>,
        old: &Self,
        contents: Contents,
    ) -> Result<Self, TypeError> {
        let one = old.uniform_facts();
        let extent = one.extent();
        let mut facts = Facts::VACANT;
        let mut list = Vec::with_capacity(displacements.size_hint().0);
        for (length, at) in lengths.zip(displacements) {
            non_negative(TypeErrorKind::Arg, "a blocklength", length)?;
            let at = at?;
            if length > 0 {
                facts = facts.join(&one.repeat(length, extent)?.shift(at)?)?;
                list.push(Placed { at, length });
            }
        }
        Ok(Self::derived(facts, Map::Blocks { list: list.into(), each: old.clone() }, contents))
    }

    /// Blocks of any types, padded as a struct.
    pub(crate) fn assembled<'a>(
        fields: impl Iterator<Item = (i64, i64, &'a Self)>,
        contents: Contents,
    ) -> Result<Self, TypeError> {
        let mut facts = Facts::VACANT;
        let mut list = Vec::with_capacity(fields.size_hint().0);
        let mut end = 0;
        for (length, at, old) in fields {
            non_negative(TypeErrorKind::Arg, "a blocklength", length)?;
            if length > 0 {
                let block = old.uniform_facts().repeat(length, old.facts().extent())?.shift(at)?;
                facts = facts.join(&block)?;
                end = plus(end, block.size, "the type's size")?;
                list.push(Field { at, length, each: old.clone(), end });
            }
        }
        Ok(Self::derived(facts.pad()?, Map::Struct(list.into()), contents))
    }

    /// The facts, knowing for a named type that it is made of itself.
    fn uniform_facts(&self) -> Facts {
        match self.row() {
            Some(row) if row.pair.is_none() => Facts { uniform: Some(row), ..row.facts },
            _ => *self.facts(),
        }
    }
}
