//! Views: which bytes of a file a process sees, and in which order (MPI 5.0 §14.3).
//!
//! The filetype repeats without end from the displacement on. Its data, without the holes, are the
//! *stream* of the view. A position in the stream is a number of bytes in the representation of the
//! file:
//!
//! ```text
//!   file    │ displacement │■■··■·│■■··■·│■■··■·│ …
//!   stream                  01  2  34  5  67  8
//! ```
//!
//! Both directions are arithmetic and a search inside one filetype, however many blocks there are.

use crate::datarep::Datarep;
use crate::error::{Error, Outcome};
use crate::layout::byte;
use crate::{abi, types};
use nemesis_datatype::{Datatype, MemoryRegion, RemoteTarget};
use std::ops::Range;

/// Number of filetypes of a view, which has no end.
const COPIES: i64 = i64::MAX;

/// A part of a file without holes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    pub offset: u64,
    pub bytes: u64,
}

/// A view of a file.
#[derive(Debug)]
pub struct View {
    pub disp: i64,
    pub etype: Datatype,
    pub filetype: Datatype,
    pub datarep: Datarep,
    /// The filetype as it lies in the file.
    layout: Datatype,
    /// Bytes of an etype in the file.
    pub etype_bytes: u64,
    /// Bytes of data in a filetype, and the distance to the next one.
    tile_bytes: u64,
    tile_extent: i64,
    /// Whether the filetype has no data: then no byte may be accessed, and the layout is the etype.
    is_empty: bool,
    /// Number of bytes from the start of the stream on whose order is that of the file. If
    /// filetypes overlap, these are the bytes of the first one.
    ascending_bytes: u64,
}

#[cold]
fn type_error(why: String) -> Box<Error> {
    Error::new(abi::MPI_ERR_TYPE, why).advise(
        "make the filetype of whole etypes in ascending order, with its first byte at 0 or behind",
    )
}

/// Tells a finding if `bytes` bytes of data of a type differ from the etype.
#[cold]
pub(crate) fn check_etype(what: &str, (datatype, bytes): (&Datatype, u64), etype: &Datatype) {
    if let Some([given, wanted]) = nemesis_mpi_check::unlike_etype(datatype, bytes, etype) {
        let text = format!("{what} {given} where the etype has {wanted}");
        let (kind, site) = (&nemesis_mpi_check::kinds::ETYPE, nemesis_mpi_check::sites::here());
        nemesis_mpi_check::found(kind, site, 1, text);
    }
}

impl View {
    /// Makes a view of types that are committed. `layouts` are etype and filetype as they lie in
    /// the file. Data of a filetype that go back or overlap are valid only for reading. Filetypes
    /// may overlap one another, because programs use a single one whose extent says nothing.
    pub fn new(
        disp: i64,
        (etype, filetype): (&Datatype, &Datatype),
        (etype_layout, layout): (Datatype, Datatype),
        datarep: Datarep,
        may_write: bool,
    ) -> Outcome<View> {
        if disp < 0 {
            return Err(Error::new(
                abi::MPI_ERR_ARG,
                format!("the displacement is {disp}, it must not be negative"),
            ));
        }
        let etype_bytes = etype_layout.size();
        if etype_bytes == 0 {
            return Err(type_error("the etype must have data".into()));
        }
        // Programs give such a filetype to a process that has no part in an operation.
        let is_empty = layout.size() == 0;
        let layout = if is_empty { etype_layout } else { layout };
        let tile_bytes = layout.size();
        if tile_bytes % etype_bytes != 0 {
            return Err(type_error(format!(
                "the filetype has {tile_bytes} bytes of data, which is no multiple of the etype's \
                 {etype_bytes}"
            )));
        }
        if layout.true_lb() < 0 {
            let lb = layout.true_lb();
            return Err(type_error(format!("the filetype has data {} bytes before it", -lb)));
        }
        let tile_extent = layout.extent();
        if tile_extent < 0 {
            return Err(type_error("the extent of the filetype is negative".into()));
        }
        let ascends = layout.is_ascending();
        if may_write && !ascends {
            return Err(type_error(
                "the data of the filetype overlap or go back, and the file is open for writing"
                    .into(),
            ));
        }
        Ok(View {
            disp,
            etype: etype.clone(),
            filetype: filetype.clone(),
            datarep,
            etype_bytes: etype_bytes as u64,
            tile_bytes: tile_bytes as u64,
            tile_extent,
            is_empty,
            ascending_bytes: match ascends {
                true if tile_extent >= layout.true_extent() => u64::MAX,
                true => tile_bytes as u64,
                false => 0,
            },
            layout,
        })
    }

    /// Returns the view of a file that has just been opened: all bytes.
    pub fn bytes() -> View {
        let types = (byte(), byte());
        View::new(0, types, (byte().clone(), byte().clone()), Datarep::Native, true)
            .expect("bytes have no holes")
    }

    /// Returns what another process needs to follow the stream of this view.
    pub fn describe(&self) -> Vec<u8> {
        [&self.disp.to_le_bytes()[..], &self.layout.serialize()].concat()
    }

    /// Makes a view from the description by another process. Only its stream is of use.
    pub fn from_description(description: &[u8]) -> Outcome<View> {
        let malformed =
            || Error::new(abi::MPI_ERR_INTERN, "the description of a view is malformed");
        let (disp, layout) = description.split_first_chunk().ok_or_else(malformed)?;
        let layout = Datatype::deserialize(layout).map_err(types::refused)?;
        let layouts = (byte().clone(), layout.clone());
        View::new(i64::from_le_bytes(*disp), (byte(), &layout), layouts, Datarep::Native, false)
    }

    /// Returns the position in the stream of an offset in etypes.
    pub fn position(&self, etypes: i64) -> Outcome<u64> {
        let position = u64::try_from(etypes).ok().and_then(|at| at.checked_mul(self.etype_bytes));
        position.filter(|&at| at <= i64::MAX as u64).ok_or_else(|| {
            Error::new(
                abi::MPI_ERR_ARG,
                format!("offset {etypes} is not in the file: it is negative, or beyond 64 bits"),
            )
        })
    }

    /// Checks that `bytes` bytes of the stream lie at offsets of 63 bits.
    pub fn check(&self, position: u64, bytes: u64) -> Outcome {
        if bytes == 0 {
            return Ok(());
        }
        if self.is_empty {
            return Err(type_error("the filetype of the view has no data".into()));
        }
        let last = (u128::from(position) + u128::from(bytes) - 1) / u128::from(self.tile_bytes);
        let end = (self.disp as u128)
            .saturating_add(last.saturating_mul(self.tile_extent as u128))
            .saturating_add((self.layout.true_lb() + self.layout.true_extent()) as u128);
        if end > i64::MAX as u128 {
            return Err(Error::new(abi::MPI_ERR_ARG, "the data end beyond offset 2^63 - 1"));
        }
        Ok(())
    }

    /// Returns whether a part of the stream has the order of the file.
    pub fn ascends(&self, position: u64, bytes: u64) -> bool {
        self.ascending_bytes > 0 && position.saturating_add(bytes) <= self.ascending_bytes
    }

    fn target(&self) -> RemoteTarget {
        RemoteTarget::new(self.disp as u64, COPIES, &self.layout)
    }

    /// Calls `visit` with the parts of the file that hold `bytes` bytes of the stream from
    /// `position` on, until it returns false. The range has been checked.
    pub fn visit(&self, position: u64, bytes: u64, mut visit: impl FnMut(Run) -> bool) {
        let mut goes_on = true;
        self.target().visit(position as usize, (position + bytes) as usize, |address, len| {
            goes_on = goes_on && visit(Run { offset: address as u64, bytes: len as u64 });
        });
    }

    /// Copies the bytes at these positions of the stream from an image of a part of the file,
    /// whose first byte has offset `origin`. Returns false if some lie outside the image.
    pub fn pack_image(
        &self,
        image: &MemoryRegion,
        origin: u64,
        positions: Range<u64>,
        out: &mut [u8],
    ) -> bool {
        let range = positions.start as usize..positions.end as usize;
        image.pack_image(origin, &self.target(), range, out)
    }

    /// Copies the bytes at these positions of the stream to an image of a part of the file, whose
    /// first byte has offset `origin`. Returns false if some lie outside the image.
    pub fn unpack_image(
        &self,
        image: &MemoryRegion,
        origin: u64,
        positions: Range<u64>,
        bytes: &[u8],
    ) -> bool {
        let range = positions.start as usize..positions.end as usize;
        image.unpack_image(origin, &self.target(), range, bytes)
    }

    /// Returns whether the view leaves out bytes beyond its displacement.
    pub fn has_holes(&self) -> bool {
        self.target().contiguous().is_none()
    }

    /// Returns the offset in the file of a position in the stream, and the number of bytes that
    /// follow without a hole.
    pub fn locate(&self, position: u64) -> Run {
        let run = self.target().runs(position as usize).next();
        run.map_or(Run { offset: 0, bytes: 0 }, |run| Run {
            offset: run.address as u64,
            bytes: run.len as u64,
        })
    }

    /// Returns the offset in the file of a position in the stream. The position may be behind the
    /// last byte that was accessed.
    pub fn offset_of(&self, position: u64) -> Outcome<i64> {
        if !self.is_empty {
            self.check(position, 1)?;
        }
        Ok(self.locate(position).offset as i64)
    }

    /// Returns the number of bytes of the stream that lie before an offset in the file, for a view
    /// in ascending order. If filetypes overlap, only the first one counts.
    pub fn bytes_before(&self, offset: u64) -> u64 {
        let first = (self.disp as u64).saturating_add(self.layout.true_lb() as u64);
        let Some(beyond) = offset.checked_sub(first) else { return 0 };
        let tile = match self.ascending_bytes {
            u64::MAX => beyond / (self.tile_extent as u64).max(1),
            _ => 0,
        };
        let start = tile.saturating_mul(self.tile_bytes);
        if start > i64::MAX as u64 {
            return i64::MAX as u64;
        }
        // Bytes `low` and before lie before the offset, bytes from `high` on do not.
        let (mut low, mut high) = (0, self.tile_bytes);
        while low < high {
            let middle = low + (high - low) / 2;
            let run = self.locate(start + middle);
            if run.offset >= offset {
                high = middle;
            } else {
                low = high.min(middle + run.bytes.min(offset - run.offset));
            }
        }
        start + low
    }

    /// Returns the number of etypes up to the end of a file of `size` bytes, a part of one
    /// included: the offset of `MPI_SEEK_END`.
    pub fn etypes_in(&self, size: u64) -> i64 {
        self.bytes_before(size).div_ceil(self.etype_bytes) as i64
    }
}

#[cfg(test)]
mod model;

#[cfg(test)]
mod tests {
    use super::*;

    fn int() -> &'static Datatype {
        Datatype::predefined(0x209).expect("MPI_INT")
    }

    fn view(disp: i64, filetype: &Datatype) -> Outcome<View> {
        filetype.commit();
        let layouts = (int().clone(), filetype.clone());
        View::new(disp, (int(), filetype), layouts, Datarep::Native, true)
    }

    /// Returns the offset of each byte of the stream.
    fn offsets(view: &View, position: u64, bytes: u64) -> Vec<u64> {
        let mut all = Vec::new();
        view.visit(position, bytes, |run| {
            all.extend(run.offset..run.offset + run.bytes);
            true
        });
        all
    }

    #[test]
    fn both_directions_agree() {
        let blocks = Datatype::indexed(&[1, 2], &[1, 4], int()).unwrap();
        let nested = Datatype::resized(&Datatype::vector(2, 1, 2, &blocks).unwrap(), 0, 100);
        for filetype in [
            int().clone(),
            Datatype::vector(3, 1, 2, int()).unwrap(),
            Datatype::resized(int(), 0, 12).unwrap(),
            blocks,
            nested.unwrap(),
        ] {
            let view = view(7, &filetype).expect("valid");
            let offsets = offsets(&view, 0, 200);
            assert!(offsets.is_sorted());
            for size in 0..=offsets[150] {
                let before = offsets.iter().filter(|&&offset| offset < size).count();
                assert_eq!(view.bytes_before(size), before as u64, "{filetype:?} {size}");
            }
            for (position, &offset) in offsets.iter().enumerate() {
                assert_eq!(view.locate(position as u64).offset, offset);
            }
        }
    }

    #[test]
    fn a_billion_blocks_are_one_search() {
        let many = Datatype::vector(1_000_000_000, 1, 16, int()).unwrap();
        let view = view(0, &many).expect("valid");
        assert_eq!(view.etypes_in(64 * 600_000_000), 600_000_000);
        assert_eq!(view.bytes_before(64 * 1000 + 2), 4002);
        assert!(view.describe().len() < 200);
    }

    #[test]
    fn a_description_keeps_the_stream() {
        let filetype = Datatype::indexed(&[1, 2], &[1, 4], int()).unwrap();
        let view = view(9, &filetype).expect("valid");
        let copy = View::from_description(&view.describe()).expect("valid");
        assert_eq!(offsets(&copy, 5, 100), offsets(&view, 5, 100));
        assert!(View::from_description(&[1, 2, 3]).is_err());
    }

    #[test]
    fn filetypes_that_overlap_ascend_up_to_the_end_of_the_first() {
        // An explicit extent of a part is the extent of the whole (MPI 5.0 §5.1.7).
        let part = Datatype::resized(int(), 0, 8).unwrap();
        let tile = Datatype::structure(&[2, 3], &[0, 40], &[int().clone(), part]).unwrap();
        assert!(tile.extent() < tile.true_extent());
        let view = view(4, &tile).expect("valid");
        assert!(view.ascends(0, 20) && view.ascends(12, 8) && !view.ascends(12, 9));
        let offsets = offsets(&view, 0, 20);
        for size in 0..=80 {
            let before = offsets.iter().filter(|&&offset| offset < size).count();
            assert_eq!(view.bytes_before(size), before as u64, "{size}");
        }
    }

    #[test]
    fn invalid_views_are_refused() {
        let class = |view: Outcome<View>| view.map(drop).unwrap_err().class;
        assert_eq!(class(view(-1, int())), abi::MPI_ERR_ARG);
        let short = Datatype::predefined(0x208).unwrap();
        assert_eq!(class(view(0, short)), abi::MPI_ERR_TYPE);
        let back = Datatype::indexed(&[1, 1], &[4, 0], int()).unwrap();
        assert_eq!(class(view(0, &back)), abi::MPI_ERR_TYPE);
        // A process without data may have a filetype without data, and accesses nothing by it.
        let empty = Datatype::contiguous(0, int()).unwrap();
        let empty = view(0, &empty).unwrap();
        assert!(empty.check(0, 0).is_ok() && empty.check(0, 1).is_err());
        let view = view(0, int()).unwrap();
        assert!(view.position(-1).is_err() && view.position(i64::MAX).is_err());
        assert!(
            view.check(i64::MAX as u64 - 7, 4).is_ok() && view.check(i64::MAX as u64, 4).is_err()
        );
    }
}
