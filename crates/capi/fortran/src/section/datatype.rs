//! Datatypes that describe array sections.
//!
//! The count and the datatype of a call describe a layout in the contiguous array that the section
//! stands for. Elements of a predefined datatype are described by nested vectors of it. Another
//! datatype is laid out over numbered bytes, which tells the place of each of its bytes.

use super::{Count, Descriptor, Dimension};
use crate::c;
use crate::error;
use crate::types::Handle;
use std::ffi::c_int;

/// A datatype that was made, and is freed unless it is committed.
pub struct Made(Handle);

impl Made {
    /// Commits the datatype, which the caller frees.
    pub fn commit(mut self) -> Result<Handle, c_int> {
        // SAFETY: the place is a local variable.
        check(unsafe { c::PMPI_Type_commit(&mut self.0) })?;
        let made = self.0;
        std::mem::forget(self);
        Ok(made)
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        // SAFETY: the place is a local variable.
        unsafe { c::PMPI_Type_free(&mut self.0) };
    }
}

fn check(code: c_int) -> Result<(), c_int> {
    if code == 0 { Ok(()) } else { Err(code) }
}

/// Returns a datatype made by a call of the C library.
fn make(call: impl FnOnce(&mut Handle) -> c_int) -> Result<Made, c_int> {
    let mut made = c::MPI_DATATYPE_NULL;
    check(call(&mut made))?;
    Ok(Made(made))
}

fn contiguous(count: i64, of: Handle) -> Result<Made, c_int> {
    // SAFETY: the place is a local variable.
    make(|made| unsafe { c::PMPI_Type_contiguous_c(count, of, made) })
}

/// Bounds of a datatype in bytes.
struct Shape {
    size: i64,
    extent: i64,
    true_end: i64,
    true_begin: i64,
    is_named: bool,
}

fn shape(datatype: Handle) -> Result<Shape, c_int> {
    let (mut size, mut lower, mut extent) = (0, 0, 0);
    let (mut true_begin, mut true_extent, mut combiner) = (0, 0, 0);
    let (mut integers, mut addresses, mut datatypes) = (0, 0, 0);
    // SAFETY: the places are local variables.
    unsafe {
        check(c::PMPI_Type_size_c(datatype, &mut size))?;
        check(c::PMPI_Type_get_extent_c(datatype, &mut lower, &mut extent))?;
        check(c::PMPI_Type_get_true_extent_c(datatype, &mut true_begin, &mut true_extent))?;
        check(c::PMPI_Type_get_envelope(
            datatype,
            &mut integers,
            &mut addresses,
            &mut datatypes,
            &mut combiner,
        ))?;
    }
    let is_named = combiner == c::MPI_COMBINER_NAMED && size == extent && lower == 0;
    Ok(Shape { size, extent, true_end: true_begin + true_extent, true_begin, is_named })
}

/// Returns the datatype of `count` elements of `datatype` in a section with gaps.
pub fn of_section(descriptor: &Descriptor, count: i64, datatype: Handle) -> Result<Made, c_int> {
    let shape = shape(datatype)?;
    let used_bytes = (count - 1).saturating_mul(shape.extent).saturating_add(shape.true_end);
    if shape.extent < 0 || shape.true_begin < 0 || used_bytes > descriptor.bytes() as i64 {
        return Err(error::code(&format!(
            "the count and the datatype of the call take {used_bytes} bytes, and the array section \
             has {}; both must fit, and a datatype for a section must not begin before it",
            descriptor.bytes()
        )));
    }
    let element = descriptor.element_bytes() as i64;
    let all_bytes = count * shape.size;
    if !shape.is_named || all_bytes % element != 0 {
        return by_bytes(descriptor, count, datatype, all_bytes);
    }
    let one = match element % shape.size {
        0 => contiguous(element / shape.size, datatype)?,
        // Parts of elements. Packed data agree with every type that the other side names.
        _ => contiguous(element, c::MPI_PACKED)?,
    };
    let dimensions: Vec<Dimension> = descriptor.dimensions().collect();
    nested(&dimensions, all_bytes / element, &one)
}

/// Returns the datatype of the first elements of an array, in array element order.
fn nested(dimensions: &[Dimension], elements: i64, one: &Made) -> Result<Made, c_int> {
    let Some((outer, inner)) = dimensions.split_last() else { return contiguous(1, one.0) };
    let of_inner: i64 = inner.iter().map(|dimension| dimension.extent as i64).product();
    let (full, rest) = (elements / of_inner, elements % of_inner);
    let stride = outer.stride as i64;
    let whole = nested(inner, of_inner, one)?;
    // SAFETY: the place is a local variable.
    let whole =
        make(|made| unsafe { c::PMPI_Type_create_hvector_c(full, 1, stride, whole.0, made) })?;
    if rest == 0 {
        return Ok(whole);
    }
    let part = nested(inner, rest, one)?;
    let (mut lengths, mut places) = ([i64::ONE; 2], [0, full * stride]);
    let mut types = [whole.0, part.0];
    // SAFETY: the arrays have two elements.
    make(|made| unsafe {
        c::PMPI_Type_create_struct_c(
            2,
            lengths.as_mut_ptr(),
            places.as_mut_ptr(),
            types.as_mut_ptr(),
            made,
        )
    })
}

/// Returns the datatype of the bytes that a layout takes of a section: bytes that hold the digits
/// of their own place are packed, which tells the place of every packed byte.
fn by_bytes(
    descriptor: &Descriptor,
    count: i64,
    datatype: Handle,
    packed_bytes: i64,
) -> Result<Made, c_int> {
    let bytes = descriptor.bytes();
    let mut places = vec![0usize; packed_bytes as usize];
    let mut packed = vec![0u8; packed_bytes as usize];
    for digit in (0..usize::BITS).step_by(8).take_while(|digit| *digit == 0 || bytes >> digit > 0) {
        let numbered: Vec<u8> = (0..bytes).map(|place| (place >> digit) as u8).collect();
        let mut position = 0;
        // SAFETY: the layout lies in the array, as the caller has checked, and the packed bytes
        // have the size of the datatype.
        check(unsafe {
            c::PMPI_Pack_c(
                numbered.as_ptr().cast_mut().cast(),
                count,
                datatype,
                packed.as_mut_ptr().cast(),
                packed_bytes,
                &mut position,
                c::MPI_COMM_SELF,
            )
        })?;
        for (place, byte) in places.iter_mut().zip(&packed) {
            *place |= usize::from(*byte) << digit;
        }
    }
    let mut elements = Vec::with_capacity(bytes / descriptor.element_bytes());
    descriptor.for_each_run(|displacement, run| {
        let count = run / descriptor.element_bytes();
        elements
            .extend((0..count).map(|at| displacement + (at * descriptor.element_bytes()) as isize));
    });
    let (mut lengths, mut displacements): (Vec<i64>, Vec<i64>) = Default::default();
    for place in places {
        let within = place % descriptor.element_bytes();
        let at = (elements[place / descriptor.element_bytes()] + within as isize) as i64;
        match (lengths.last_mut(), displacements.last()) {
            (Some(length), Some(begin)) if begin + *length == at => *length += 1,
            _ => {
                lengths.push(1);
                displacements.push(at);
            }
        }
    }
    let blocks = lengths.len() as i64;
    let (lengths, displacements) = (lengths.as_mut_ptr(), displacements.as_mut_ptr());
    // SAFETY: both arrays have as many elements as there are blocks.
    make(|made| unsafe {
        c::PMPI_Type_create_hindexed_c(blocks, lengths, displacements, c::MPI_PACKED, made)
    })
}
