//! The constructors of MPI 5.0 §5.1.2 to §5.1.10: contiguous to struct, resized, dup.
//!
//! Each constructor checks its arguments, computes the facts with checked arithmetic, keeps the
//! structure as a `Map` and records its arguments. All counts have 64 bits. Element displacements
//! become byte displacements here, so that a `Map` contains bytes only. The contents keep blocks of
//! length zero; the map drops them.

use crate::datatype::contents::{Combiner, Contents};
use crate::datatype::facts::Facts;
use crate::datatype::{Datatype, Field, Map, Placed};
use crate::error::{TypeError, TypeErrorKind, non_negative, plus, times};

impl Datatype {
    /// `MPI_Type_contiguous`: `count` consecutive elements.
    ///
    /// # Errors
    /// If `count` is negative, or a size or bound exceeds 64 bits.
    pub fn contiguous(count: i64, old: &Self) -> Result<Self, TypeError> {
        non_negative(TypeErrorKind::Count, "count", count)?;
        let contents = Contents::new(Combiner::Contiguous, &[&[count]], &[], &[old]);
        Self::regular(count, 1, old.facts().extent(), old, contents)
    }

    /// `MPI_Type_vector`: `count` blocks of `length` elements, `stride` elements from one to the
    /// next.
    ///
    /// # Errors
    /// If `count` or `length` is negative, or a size or bound exceeds 64 bits.
    ///
    /// # Examples
    /// A column of a 4 × 5 matrix of `int`:
    ///
    /// ```
    /// # use nemesis_datatype::Datatype;
    /// const MPI_INT: usize = 0x209; // in the standard ABI
    /// let int = Datatype::predefined(MPI_INT).unwrap();
    /// let column = Datatype::vector(4, 1, 5, int)?;
    /// column.commit();
    /// assert_eq!((column.size(), column.extent()), (16, 64));
    /// assert!(!column.is_contiguous());
    /// # Ok::<(), nemesis_datatype::TypeError>(())
    /// ```
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

    /// `MPI_Type_create_hvector`: as [`vector`](Self::vector), with the stride in bytes.
    ///
    /// # Errors
    /// If `count` or `length` is negative, or a size or bound exceeds 64 bits.
    pub fn hvector(count: i64, length: i64, stride: i64, old: &Self) -> Result<Self, TypeError> {
        non_negative(TypeErrorKind::Count, "count", count)?;
        non_negative(TypeErrorKind::Arg, "blocklength", length)?;
        let contents = Contents::new(Combiner::Hvector, &[&[count, length]], &[stride], &[old]);
        Self::regular(count, length, stride, old, contents)
    }

    /// `MPI_Type_indexed`: blocks with displacements in elements. Both slices have one length.
    ///
    /// # Errors
    /// If a block length is negative, or a size or bound exceeds 64 bits.
    pub fn indexed(lengths: &[i64], displacements: &[i64], old: &Self) -> Result<Self, TypeError> {
        let count = [lengths.len() as i64];
        let contents =
            Contents::new(Combiner::Indexed, &[&count, lengths, displacements], &[], &[old]);
        let extent = old.facts().extent();
        let scaled = displacements.iter().map(|&at| times(at, extent, "a displacement"));
        Self::irregular(lengths.iter().copied(), scaled, old, contents)
    }

    /// `MPI_Type_create_hindexed`: blocks with displacements in bytes. Both slices have one length.
    ///
    /// # Errors
    /// If a block length is negative, or a size or bound exceeds 64 bits.
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

    /// `MPI_Type_create_indexed_block`: blocks of one length, with displacements in elements.
    ///
    /// # Errors
    /// If `length` is negative, or a size or bound exceeds 64 bits.
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

    /// `MPI_Type_create_hindexed_block`: blocks of one length, with displacements in bytes.
    ///
    /// # Errors
    /// If `length` is negative, or a size or bound exceeds 64 bits.
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

    /// `MPI_Type_create_struct`: blocks of different types at displacements in bytes. The three
    /// slices have one length.
    ///
    /// # Errors
    /// If a block length is negative, or a size or bound exceeds 64 bits.
    ///
    /// # Examples
    /// The C struct `{ double d; char c; }`, which the compiler pads to the alignment of `double`:
    ///
    /// ```
    /// # use nemesis_datatype::Datatype;
    /// let [double, char] = [0x214, 0x243].map(|handle| Datatype::predefined(handle).unwrap());
    /// let record = Datatype::structure(&[1, 1], &[0, 8], &[double.clone(), char.clone()])?;
    /// assert_eq!((record.size(), record.true_extent(), record.extent()), (9, 9, 16));
    /// # Ok::<(), nemesis_datatype::TypeError>(())
    /// ```
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

    /// `MPI_Type_create_resized`: the data of `old` with another lower bound and extent, in bytes.
    ///
    /// # Errors
    /// If the upper bound exceeds 64 bits.
    pub fn resized(old: &Self, lb: i64, extent: i64) -> Result<Self, TypeError> {
        let contents = Contents::new(Combiner::Resized, &[], &[lb, extent], &[old]);
        let facts = old.uniform_facts().resize(lb, extent)?;
        Ok(Self::derived(
            facts,
            Map::Vector { count: 1, length: 1, stride: 0, each: old.clone() },
            contents,
        ))
    }

    /// `MPI_Type_dup`: a copy, which is committed if the original is.
    ///
    /// # Errors
    /// Never; the signature is that of the other constructors.
    pub fn dup(old: &Self) -> Result<Self, TypeError> {
        let contents = Contents::new(Combiner::Dup, &[], &[], &[old]);
        let copy = Self::wrapper(old, contents);
        if old.is_committed() {
            copy.commit();
        }
        Ok(copy)
    }

    /// Makes a type with the map and the bounds of `old` and other contents.
    pub(crate) fn wrapper(old: &Self, contents: Contents) -> Self {
        let map = Map::Vector { count: 1, length: 1, stride: 0, each: old.clone() };
        Self::derived(old.uniform_facts(), map, contents)
    }

    /// Makes `count` blocks of `length` copies, `stride` bytes from block to block.
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

    /// Makes blocks of one type at displacements in bytes.
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

    /// Makes blocks of any types, padded as a C struct.
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

    /// Returns the facts of a type, with a basic type named as its own uniform type.
    fn uniform_facts(&self) -> Facts {
        match self.row() {
            Some(row) if row.pair.is_none() => Facts { uniform: Some(row), ..row.facts },
            _ => *self.facts(),
        }
    }
}
