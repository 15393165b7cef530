//! external32: the portable data representation (MPI 5.0 §14.5.2).
//!
//! The representation is big-endian, without padding, with the sizes of the standard's table.
//! Integers are two's complement. Where the table has fewer bytes than the machine (`long`,
//! `wchar_t`), a value that does not fit is an error of the class MPI_ERR_CONVERSION, and widening
//! extends the sign. Floating-point numbers are IEEE; `long double` is binary128 whatever the
//! machine uses. Logical values are 0 and 1.
//!
//! The conversion walks the typed map, not the plan, because it depends on the types. It copies one
//! element at a time through a buffer of the size of the longest basic type. It serves files and
//! gateways, not messages between equal machines.
#![allow(unsafe_code)]

use std::ptr::{self, with_exposed_provenance, with_exposed_provenance_mut};

use crate::buffer::Buffer;
use crate::datatype::basic::{Named, Number};
use crate::datatype::{Datatype, Map};
use crate::elements::members;
use crate::error::{TypeError, TypeErrorKind, non_negative, times};
use crate::quad;

/// Returns the exact size in bytes of `count` elements in external32.
///
/// # Errors
/// If `count` is negative or the size exceeds 64 bits.
pub fn external32_size(count: i64, datatype: &Datatype) -> Result<i64, TypeError> {
    non_negative(TypeErrorKind::Count, "count", count)?;
    times(datatype.facts().external, count, "the packed size")
}

/// Packs a buffer as external32 and returns the number of bytes written.
///
/// # Errors
/// If `out` is too short, or a value does not fit into the representation.
///
/// # Examples
/// ```
/// use nemesis_datatype::{Buffer, Datatype, pack_external32};
///
/// let int = Datatype::predefined(0x209).unwrap();
/// let buffer = Buffer::scratch(1, int)?;
/// buffer.unpack_at(0, &1_i32.to_ne_bytes());
/// let mut out = [0; 4];
/// assert_eq!(pack_external32(&buffer, &mut out)?, 4);
/// assert_eq!(out, [0, 0, 0, 1]);
/// # Ok::<(), nemesis_datatype::TypeError>(())
/// ```
pub fn pack_external32(source: &Buffer, out: &mut [u8]) -> Result<usize, TypeError> {
    let size = checked_size(source, out.len())?;
    let mut rest = &mut out[..size];
    each_basic_of(source, &mut |row, address| {
        let (element, next) = std::mem::take(&mut rest).split_at_mut(row.facts.external as usize);
        rest = next;
        let mut native = [0; LONGEST_BYTES];
        let native = &mut native[..row.facts.size as usize];
        // SAFETY: B1 of the buffer: the element lies in its type map; `native` is as long as the
        // element.
        unsafe {
            ptr::copy_nonoverlapping(
                with_exposed_provenance(address),
                native.as_mut_ptr(),
                native.len(),
            )
        };
        to_external(row, native, element)
    })?;
    Ok(size)
}

/// Unpacks external32 into all elements of a buffer and returns the number of bytes read.
///
/// # Errors
/// If `bytes` is too short.
pub fn unpack_external32(bytes: &[u8], target: &Buffer) -> Result<usize, TypeError> {
    let size = checked_size(target, bytes.len())?;
    let mut rest = &bytes[..size];
    each_basic_of(target, &mut |row, address| {
        let (element, next) = rest.split_at(row.facts.external as usize);
        rest = next;
        let mut native = [0; LONGEST_BYTES];
        let native = &mut native[..row.facts.size as usize];
        to_native(row, element, native)?;
        // SAFETY: B1 of the buffer: the element lies in its type map; `native` is as long as the
        // element.
        unsafe {
            ptr::copy_nonoverlapping(
                native.as_ptr(),
                with_exposed_provenance_mut(address),
                native.len(),
            )
        };
        Ok(())
    })?;
    Ok(size)
}

/// Size of the longest basic type: a complex number of two 16-byte parts.
const LONGEST_BYTES: usize = 32;

/// Returns the bytes of a buffer in external32, or an error if `available` is less.
fn checked_size(buffer: &Buffer, available: usize) -> Result<usize, TypeError> {
    let size = external32_size(buffer.count() as i64, buffer.datatype())? as usize;
    if size > available {
        let why = format!("external32 needs {size} bytes, there are {available}");
        return Err(TypeError::new(TypeErrorKind::Truncate, why));
    }
    Ok(size)
}

type Visit<'a> = dyn FnMut(&'static Named, usize) -> Result<(), TypeError> + 'a;

/// Visits every basic element of a buffer, in type-map order, with its address.
fn each_basic_of(buffer: &Buffer, visit: &mut Visit<'_>) -> Result<(), TypeError> {
    let extent = buffer.datatype().facts().extent();
    copies(buffer.datatype(), buffer.count() as i64, extent, buffer.address(), visit)
}

fn copies(
    each: &Datatype,
    count: i64,
    stride: i64,
    base: usize,
    visit: &mut Visit<'_>,
) -> Result<(), TypeError> {
    if each.facts().size == 0 {
        return Ok(());
    }
    (0..count)
        .try_for_each(|copy| each_basic(each, displaced(base, stride.wrapping_mul(copy)), visit))
}

fn each_basic(datatype: &Datatype, base: usize, visit: &mut Visit<'_>) -> Result<(), TypeError> {
    if let Some(row) = datatype.row() {
        if row.pair.is_none() {
            return visit(row, base);
        }
        let (value, index) = members(row);
        visit(value, base)?;
        return visit(index, base + row.facts.true_ub as usize - index.facts.size as usize);
    }
    match datatype.map() {
        None => Ok(()),
        Some(Map::Vector { count, length, stride, each }) => {
            let extent = each.facts().extent();
            (0..*count).try_for_each(|block| {
                copies(each, *length, extent, displaced(base, stride.wrapping_mul(block)), visit)
            })
        }
        Some(Map::Blocks { list, each }) => {
            let extent = each.facts().extent();
            list.iter().try_for_each(|placed| {
                copies(each, placed.length, extent, displaced(base, placed.at), visit)
            })
        }
        Some(Map::Struct(fields)) => fields.iter().try_for_each(|field| {
            copies(
                &field.each,
                field.length,
                field.each.facts().extent(),
                displaced(base, field.at),
                visit,
            )
        }),
    }
}

fn displaced(base: usize, by: i64) -> usize {
    base.wrapping_add_signed(by as isize)
}

/// Converts one element from the native representation.
fn to_external(row: &Named, native: &[u8], out: &mut [u8]) -> Result<(), TypeError> {
    each_part(row, native.len(), out.len(), |from, to| {
        let value = &native[from];
        let bytes = match row.number {
            Number::Long | Number::CLong => long_to_external(load(value)),
            Number::Bool | Number::Logical(_) => u128::from(load(value) != 0),
            _ => load(value),
        };
        let out = &mut out[to];
        let kept = out.len();
        out.copy_from_slice(&bytes.to_be_bytes()[size_of::<u128>() - kept..]);
        let back = widen(row.number, bytes, kept);
        if kept < value.len() && back & mask(value.len()) != bytes {
            let why = format!(
                "a value of {} does not fit in the {kept} bytes that external32 has for it",
                row.name
            );
            return Err(TypeError::new(TypeErrorKind::Conversion, why));
        }
        Ok(())
    })
}

/// Converts one element to the native representation.
fn to_native(row: &Named, external: &[u8], native: &mut [u8]) -> Result<(), TypeError> {
    each_part(row, external.len(), native.len(), |from, to| {
        let len = from.len();
        let value =
            external[from].iter().fold(0, |value: u128, &byte| value << 8 | u128::from(byte));
        let value = match row.number {
            Number::Long | Number::CLong => long_to_native(value),
            _ => widen(row.number, value, len),
        };
        let native = &mut native[to];
        let kept = native.len();
        native.copy_from_slice(&value.to_le_bytes()[..kept]);
        Ok(())
    })
}

type Bytes = std::ops::Range<usize>;

/// Converts a complex number part by part, any other number at once.
fn each_part(
    row: &Named,
    from: usize,
    to: usize,
    mut convert: impl FnMut(Bytes, Bytes) -> Result<(), TypeError>,
) -> Result<(), TypeError> {
    if !matches!(row.number, Number::C16 | Number::C32 | Number::C64 | Number::CLong | Number::C128)
    {
        return convert(0..from, 0..to);
    }
    convert(0..from / 2, 0..to / 2)?;
    convert(from / 2..from, to / 2..to)
}

/// Returns a native value, which is little-endian on all supported machines.
fn load(native: &[u8]) -> u128 {
    let mut bytes = [0; size_of::<u128>()];
    bytes[..native.len()].copy_from_slice(native);
    u128::from_le_bytes(bytes)
}

fn mask(bytes: usize) -> u128 {
    u128::MAX >> (128 - 8 * bytes)
}

/// Widens a value of `bytes` bytes; signed integers extend their sign.
fn widen(number: Number, value: u128, bytes: usize) -> u128 {
    let unused = 128 - 8 * bytes as u32;
    match number {
        Number::I8 | Number::I16 | Number::I32 | Number::I64 => {
            ((value << unused) as i128 >> unused) as u128
        }
        _ => value << unused >> unused,
    }
}

#[cfg(target_arch = "x86_64")]
fn long_to_external(native: u128) -> u128 {
    quad::from_extended(native).0
}

#[cfg(target_arch = "x86_64")]
fn long_to_native(external: u128) -> u128 {
    quad::to_extended(quad::Quad(external))
}

#[cfg(not(target_arch = "x86_64"))]
fn long_to_external(native: u128) -> u128 {
    quad::Quad(native).0
}

#[cfg(not(target_arch = "x86_64"))]
fn long_to_native(external: u128) -> u128 {
    external
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(handle: usize) -> &'static Datatype {
        Datatype::predefined(handle).expect("in the table")
    }

    fn filled(count: i64, datatype: &Datatype, bytes: &[u8]) -> Buffer {
        let buffer = Buffer::scratch(count, datatype).expect("memory");
        assert_eq!(buffer.unpack_at(0, bytes), bytes.len());
        buffer
    }

    fn packed(source: &Buffer) -> Result<Vec<u8>, TypeError> {
        let mut out = vec![0; external32_size(source.count() as i64, source.datatype())? as usize];
        pack_external32(source, &mut out)?;
        Ok(out)
    }

    #[test]
    fn integers_are_big_endian() {
        assert_eq!(
            packed(&filled(2, named(0x209), &[4, 3, 2, 1, 8, 7, 6, 5])),
            Ok(vec![1, 2, 3, 4, 5, 6, 7, 8])
        );
    }

    #[test]
    fn longs_shrink_and_grow_with_their_sign() {
        let source = filled(1, named(0x20a), &(-2_i64).to_le_bytes());
        assert_eq!(packed(&source), Ok(vec![255, 255, 255, 254]));
        let target = filled(1, named(0x20a), &[0; 8]);
        assert_eq!(unpack_external32(&[255, 255, 255, 254], &target), Ok(4));
        assert_eq!(target.as_bytes(), Some(&(-2_i64).to_le_bytes()[..]));
        let large = filled(1, named(0x20a), &(1_i64 << 40).to_le_bytes());
        assert_eq!(packed(&large).map_err(|error| error.kind), Err(TypeErrorKind::Conversion));
    }

    #[test]
    fn structures_have_no_padding() {
        let mixed = Datatype::structure(
            &[1, 2, 1],
            &[0, 8, 24],
            &[named(0x248).clone(), named(0x214).clone(), named(0x22c).clone()],
        )
        .expect("valid");
        let stream: Vec<u8> = (0..mixed.size() as u8).collect();
        let source = filled(1, &mixed, &stream);
        let out = packed(&source).expect("fits");
        assert_eq!(out[..2], [1, 0]);
        assert_eq!(out[2..10], [9, 8, 7, 6, 5, 4, 3, 2]);
        assert_eq!(out[18..], [19, 18, 23, 22, 21, 20]);
        let target = Buffer::scratch(1, &mixed).expect("memory");
        assert_eq!(unpack_external32(&out, &target), Ok(out.len()));
        let mut back = vec![0; stream.len()];
        target.pack_at(0, &mut back);
        assert_eq!(back, stream);
        assert_eq!(
            unpack_external32(&out[1..], &target).map_err(|error| error.kind),
            Err(TypeErrorKind::Truncate)
        );
    }

    #[test]
    fn every_basic_type_survives_the_conversion() {
        for datatype in crate::all_predefined() {
            // Small positive values fit everywhere, also in the narrower fields, and are valid
            // numbers of every type.
            let mut native = vec![0; datatype.size() as usize];
            if let Some(first) = native.first_mut() {
                *first = 1;
            }
            let source = filled(1, datatype, &native);
            let out = packed(&source).expect("fits");
            let target = Buffer::scratch(1, datatype).expect("memory");
            assert_eq!(unpack_external32(&out, &target), Ok(out.len()));
            let mut back = vec![0; native.len()];
            target.pack_at(0, &mut back);
            assert_eq!(back, native, "{datatype:?}");
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn long_double_one_is_a_binary128_one() {
        let mut one = [0; 16];
        (one[7], one[8], one[9]) = (0x80, 0xff, 0x3f);
        let out = packed(&filled(1, named(0x220), &one)).expect("fits");
        assert_eq!((out[0], out[1]), (0x3f, 0xff));
        assert!(out[2..].iter().all(|&byte| byte == 0));
    }
}
