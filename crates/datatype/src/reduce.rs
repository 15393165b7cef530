//! The predefined reductions: `inoutvec[i] = invec[i] op inoutvec[i]` (MPI 5.0 §6.9).
//!
//! One loop, [`reduce_elements`], serves all of them, with the element type and the operation as
//! parameters. It reads and writes without alignment, because packets may lie anywhere. Unaligned
//! accesses cost nothing on current machines, and the loop is simple enough that the compiler
//! vectorizes it for integers and floating-point numbers.
//!
//! Semantics, some of which the standard leaves open:
//! * integers wrap on overflow;
//! * logical results are 0 and 1, also in Fortran (gfortran's `.TRUE.` is 1); every nonzero operand
//!   is true, and so is Intel's -1;
//! * MINLOC and MAXLOC prefer the pair with the smaller index among equal values;
//! * a NaN is greater than every number, and -0 is less than 0 for MAX and MIN, so that no result
//!   depends on the order in which an algorithm combines contributions;
//! * on x86-64 the x87 unit computes `long double`, with its 64-bit significand, so sums are those
//!   of a loop in C; where `long double` is binary128, and for `REAL*16`, `quad` computes;
//! * floating-point numbers of 16 bits are added and multiplied as binary32 and rounded once, also
//!   between the steps of a complex product (`half`).
//!
//! Invariant **R1**, which callers of the `unsafe` function promise and the safe functions prove:
//! `count` elements, an extent apart, are readable at `invec` and readable and writable at
//! `inoutvec`.
#![allow(unsafe_code)]

use std::ffi::c_char;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

use crate::buffer::{self, Buffer};
use crate::datatype::Datatype;
use crate::datatype::basic::{Number, by_handle, group_bit, predefined_contiguous_size};
use crate::error::{TypeError, TypeErrorKind};
use crate::half::{BFloat16, Half};
use crate::op::{Op, Operand};
use crate::quad::Quad;

/// The two vectors of a reduction, for which R1 holds.
#[derive(Clone, Copy)]
struct Vectors {
    invec: *const u8,
    inoutvec: *mut u8,
    count: usize,
}

/// Reduces `count` elements of `invec` into `inoutvec`.
///
/// # Errors
/// If the operation is not defined on the type.
///
/// # Safety
/// R1: `count` elements, an extent apart, are readable at `invec` and readable and writable at
/// `inoutvec`.
pub unsafe fn reduce(
    op: Op,
    datatype: &Datatype,
    invec: *const u8,
    inoutvec: *mut u8,
    count: usize,
) -> Result<(), TypeError> {
    let operand = Operand::of(datatype)
        .filter(|_| op.allows(datatype))
        .ok_or_else(|| not_defined(op, datatype))?;
    let vectors = Vectors { invec, inoutvec, count };
    match op {
        Op::NoOp => {}
        Op::Replace => {
            let elements = |address: *const u8| {
                // SAFETY: R1 covers the data of `count` elements on both sides.
                unsafe { Buffer::new(address.cast(), count as i64, datatype) }
            };
            buffer::copy(&elements(invec), &elements(inoutvec));
        }
        Op::Minloc | Op::Maxloc => reduce_pairs(op, operand, vectors),
        _ => reduce_numbers(op, operand.number, vectors),
    }
    Ok(())
}

impl Buffer {
    /// Reduces the elements of `source` into this buffer, as many as both hold. Both buffers have
    /// one predefined type.
    ///
    /// # Errors
    /// If the types differ, or the operation is not defined on the type.
    pub fn reduce_from(&self, op: Op, source: &Self) -> Result<(), TypeError> {
        if self.datatype() != source.datatype() {
            return Err(TypeError::new(
                TypeErrorKind::Type,
                "a reduction needs the same datatype on both sides",
            ));
        }
        let count = self.count().min(source.count());
        let (invec, inoutvec) = (
            with_exposed_provenance(source.address()),
            with_exposed_provenance_mut(self.address()),
        );
        // SAFETY: R1 by B1 of both buffers: elements of a predefined type begin at the buffer's
        // address.
        unsafe { reduce(op, self.datatype(), invec, inoutvec, count) }
    }
}

/// Reduces elements that lie an extent apart in `invec` into those in `inoutvec`, as many as both
/// hold.
///
/// # Errors
/// If the operation is not defined on the type.
///
/// # Examples
/// ```
/// use nemesis_datatype::{Datatype, Op, reduce_slices};
///
/// let byte = Datatype::predefined(0x241).unwrap(); // MPI_UINT8_T
/// let mut sum = [1, 2, 3];
/// reduce_slices(Op::Sum, byte, &[10, 20, 30], &mut sum)?;
/// assert_eq!(sum, [11, 22, 33]);
/// # Ok::<(), nemesis_datatype::TypeError>(())
/// ```
pub fn reduce_slices(
    op: Op,
    datatype: &Datatype,
    invec: &[u8],
    inoutvec: &mut [u8],
) -> Result<(), TypeError> {
    let extent = datatype.extent().max(1) as usize;
    let count = invec.len().min(inoutvec.len()) / extent;
    // SAFETY: R1: `count` whole extents lie in both slices, and a predefined element lies within
    // its extent.
    unsafe { reduce(op, datatype, invec.as_ptr(), inoutvec.as_mut_ptr(), count) }
}

/// A predefined operation on contiguous numbers, found by the handles of operation and type, for
/// the fast paths of collective operations.
#[derive(Clone, Copy, Debug)]
pub struct ReduceKernel {
    op: Op,
    number: Number,
    pub(crate) class: u8,
    /// Binary logarithm of an element's size, which is a power of two.
    size_log2: u32,
}

impl ReduceKernel {
    /// Finds the kernel by two handles. Returns `None` unless they are a predefined operation on
    /// single numbers and a predefined type on which it is defined.
    #[inline(always)]
    pub fn find(op: usize, element: usize) -> Option<ReduceKernel> {
        let (op, group, size) =
            (Op::from_handle(op)?, group_bit(element), predefined_contiguous_size(element)?);
        let row = by_handle(element)?.row()?;
        let (number, class) = (row.number, row.class);
        // The operations from MINLOC on are for pairs, or combine nothing.
        let on_numbers = (op as usize) < Op::Minloc as usize;
        (on_numbers && op.groups() & group != 0).then_some(ReduceKernel {
            op,
            number,
            class,
            size_log2: size.trailing_zeros(),
        })
    }

    /// Returns the operation.
    #[inline(always)]
    pub fn op(&self) -> Op {
        self.op
    }

    /// Computes `value[i] = next[i] op value[i]` for as many elements as both slices hold.
    #[inline(always)]
    pub fn reduce(&self, value: &mut [u8], next: &[u8]) {
        let count = value.len().min(next.len()) >> self.size_log2;
        // R1: `count` elements, a size apart, lie in both slices.
        reduce_numbers(
            self.op,
            self.number,
            Vectors { invec: next.as_ptr(), inoutvec: value.as_mut_ptr(), count },
        );
    }
}

/// Returns the error for an operation that is not defined on a datatype.
pub(crate) fn not_defined(op: Op, datatype: &Datatype) -> TypeError {
    let name = datatype.predefined_name().unwrap_or("a derived datatype");
    TypeError::new(TypeErrorKind::Type, format!("{} is not defined on {name}", op.name()))
}

/// The loop over elements of type `T`, which are contiguous on both sides.
#[inline(always)]
fn reduce_elements<T: Copy>(vectors: Vectors, combine: impl Fn(T, T) -> T) {
    let (invec, inoutvec) = (vectors.invec.cast::<T>(), vectors.inoutvec.cast::<T>());
    for index in 0..vectors.count {
        let target = inoutvec.wrapping_add(index);
        // SAFETY: R1, element `index` of the one side.
        let left = unsafe { invec.wrapping_add(index).read_unaligned() };
        // SAFETY: R1, element `index` of the other.
        let right = unsafe { target.read_unaligned() };
        // SAFETY: R1, element `index` of the other.
        unsafe { target.write_unaligned(combine(left, right)) };
    }
}

/// Reduces elements that are no pairs. `op.allows` has refused undefined combinations.
fn reduce_numbers(op: Op, number: Number, vectors: Vectors) {
    match number {
        Number::I8 => integer::<i8>(op, vectors),
        Number::U8 | Number::Octet => integer::<u8>(op, vectors),
        Number::Char => integer::<c_char>(op, vectors),
        Number::I16 => integer::<i16>(op, vectors),
        Number::U16 => integer::<u16>(op, vectors),
        Number::I32 => integer::<i32>(op, vectors),
        Number::U32 => integer::<u32>(op, vectors),
        Number::I64 => integer::<i64>(op, vectors),
        Number::U64 => integer::<u64>(op, vectors),
        Number::I128 => integer::<i128>(op, vectors),
        Number::F16 => real::<Half>(op, vectors),
        Number::BFloat16 => real::<BFloat16>(op, vectors),
        Number::F32 => real::<f32>(op, vectors),
        Number::F64 => real::<f64>(op, vectors),
        Number::Long => real::<Long>(op, vectors),
        Number::F128 => real::<Quad>(op, vectors),
        Number::C16 => complex::<Half>(op, vectors),
        Number::C32 => complex::<f32>(op, vectors),
        Number::C64 => complex::<f64>(op, vectors),
        Number::CLong => complex::<Long>(op, vectors),
        Number::C128 => complex::<Quad>(op, vectors),
        Number::Bool | Number::Logical(1) => logical::<u8>(op, vectors),
        Number::Logical(2) => logical::<u16>(op, vectors),
        Number::Logical(4) => logical::<u32>(op, vectors),
        Number::Logical(8) => logical::<u64>(op, vectors),
        Number::Logical(_) => logical::<u128>(op, vectors),
        Number::Wide => unreachable!("in no group of operands"),
    }
}

/// Operations on integers that the loops need.
trait Integer:
    Copy
    + Ord
    + std::ops::BitAnd<Output = Self>
    + std::ops::BitOr<Output = Self>
    + std::ops::BitXor<Output = Self>
{
    fn plus(self, other: Self) -> Self;
    fn product(self, other: Self) -> Self;
    fn truth(self) -> bool;
    fn of_truth(truth: bool) -> Self;
}

macro_rules! integers {
    ($($t:ty)*) => {$(
        impl Integer for $t {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn product(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn truth(self) -> bool {
                self != 0
            }
            #[inline(always)]
            fn of_truth(truth: bool) -> Self {
                Self::from(truth)
            }
        }
    )*};
}

integers!(i8 u8 i16 u16 i32 u32 i64 u64 i128 u128);

fn integer<T: Integer>(op: Op, vectors: Vectors) {
    match op {
        Op::Sum => reduce_elements::<T>(vectors, T::plus),
        Op::Prod => reduce_elements::<T>(vectors, T::product),
        Op::Max => reduce_elements::<T>(vectors, T::max),
        Op::Min => reduce_elements::<T>(vectors, T::min),
        Op::Band => reduce_elements::<T>(vectors, |a, b| a & b),
        Op::Bor => reduce_elements::<T>(vectors, |a, b| a | b),
        Op::Bxor => reduce_elements::<T>(vectors, |a, b| a ^ b),
        _ => logical::<T>(op, vectors),
    }
}

/// Reduces truth values, not bits.
fn logical<T: Integer>(op: Op, vectors: Vectors) {
    match op {
        Op::Land => reduce_elements::<T>(vectors, |a, b| T::of_truth(a.truth() & b.truth())),
        Op::Lor => reduce_elements::<T>(vectors, |a, b| T::of_truth(a.truth() | b.truth())),
        Op::Lxor => reduce_elements::<T>(vectors, |a, b| T::of_truth(a.truth() ^ b.truth())),
        _ => unreachable!("{} has no meaning on logical values", op.name()),
    }
}

/// Operations on real numbers that the loops need.
trait Real: Ordered {
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn product(self, other: Self) -> Self;
    fn is_negative(self) -> bool;

    /// Returns whether the number is greater, where -0 is less than 0: a total order but for the
    /// payloads of NaNs, so that maxima and minima do not depend on the order of their operands.
    #[inline(always)]
    fn exceeds(self, other: Self) -> bool {
        let differ_in_sign = !self.is_negative() & other.is_negative();
        self.above(other) | (differ_in_sign & !other.above(self))
    }
}

macro_rules! floats {
    ($($t:ty)*) => {$(
        impl Real for $t {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn product(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            fn is_negative(self) -> bool {
                self.is_sign_negative()
            }
        }
        impl Ordered for $t {
            #[inline(always)]
            fn above(self, other: Self) -> bool {
                (self > other) | (self.is_nan() & !other.is_nan())
            }
        }
    )*};
}

floats!(f32 f64);

macro_rules! halves {
    ($($t:ty)*) => {$(
        impl Real for $t {
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                Self::from_f32(self.to_f32() + other.to_f32())
            }
            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                Self::from_f32(self.to_f32() - other.to_f32())
            }
            #[inline(always)]
            fn product(self, other: Self) -> Self {
                Self::from_f32(self.to_f32() * other.to_f32())
            }
            #[inline(always)]
            fn is_negative(self) -> bool {
                self.to_f32().is_sign_negative()
            }
        }
        impl Ordered for $t {
            #[inline(always)]
            fn above(self, other: Self) -> bool {
                self.to_f32().above(other.to_f32())
            }
        }
    )*};
}

halves!(Half BFloat16);

impl Real for Quad {
    fn plus(self, other: Self) -> Self {
        Self::plus(self, other)
    }
    fn minus(self, other: Self) -> Self {
        Self::minus(self, other)
    }
    fn product(self, other: Self) -> Self {
        Self::product(self, other)
    }
    fn is_negative(self) -> bool {
        Self::is_negative(self)
    }
}

fn real<T: Real>(op: Op, vectors: Vectors) {
    match op {
        Op::Sum => reduce_elements::<T>(vectors, T::plus),
        Op::Prod => reduce_elements::<T>(vectors, T::product),
        Op::Max => reduce_elements::<T>(vectors, |a, b| if a.exceeds(b) { a } else { b }),
        Op::Min => reduce_elements::<T>(vectors, |a, b| if b.exceeds(a) { a } else { b }),
        _ => unreachable!("{} has no meaning on real numbers", op.name()),
    }
}

#[derive(Clone, Copy)]
#[repr(C)]
struct Complex<T> {
    re: T,
    im: T,
}

fn complex<T: Real>(op: Op, vectors: Vectors) {
    match op {
        Op::Sum => reduce_elements::<Complex<T>>(vectors, |a, b| Complex {
            re: a.re.plus(b.re),
            im: a.im.plus(b.im),
        }),
        Op::Prod => reduce_elements::<Complex<T>>(vectors, |a, b| Complex {
            re: a.re.product(b.re).minus(a.im.product(b.im)),
            im: a.re.product(b.im).plus(a.im.product(b.re)),
        }),
        _ => unreachable!("{} has no meaning on complex numbers", op.name()),
    }
}

/// C's `long double`.
#[cfg(not(target_arch = "x86_64"))]
type Long = Quad;

/// C's `long double`: ten bytes of data, six of padding.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Long([u8; 16]);

#[cfg(target_arch = "x86_64")]
macro_rules! x87 {
    ($left:expr, $right:expr, $instruction:literal) => {{
        let (left, mut right): (Long, Long) = ($left, $right);
        // SAFETY: both operands are local variables of sixteen bytes, of which ten are read and
        // written; the x87 stack is left as it was.
        unsafe {
            std::arch::asm!(
                "fld tbyte ptr [{left}]",
                "fld tbyte ptr [{right}]",
                $instruction,
                "fstp tbyte ptr [{right}]",
                left = in(reg) &raw const left,
                right = in(reg) &raw mut right,
                out("st(0)") _,
                out("st(1)") _,
                options(nostack),
            );
        }
        right
    }};
}

#[cfg(target_arch = "x86_64")]
impl Real for Long {
    fn plus(self, other: Self) -> Self {
        x87!(self, other, "faddp st(1), st")
    }
    fn minus(self, other: Self) -> Self {
        x87!(self, other, "fsubp st(1), st")
    }
    fn product(self, other: Self) -> Self {
        x87!(self, other, "fmulp st(1), st")
    }
    fn is_negative(self) -> bool {
        self.0[9] & 0x80 != 0
    }
}

/// An element of a pair type: the C struct of its members.
#[derive(Clone, Copy)]
#[repr(C)]
struct Located<V, I> {
    value: V,
    index: I,
}

/// Reduces pairs by MINLOC or MAXLOC.
fn reduce_pairs(op: Op, operand: Operand, vectors: Vectors) {
    match operand.number {
        Number::I8 => by_index::<i8>(op, operand, vectors),
        Number::U8 => by_index::<u8>(op, operand, vectors),
        Number::I16 => by_index::<i16>(op, operand, vectors),
        Number::U16 => by_index::<u16>(op, operand, vectors),
        Number::I32 => by_index::<i32>(op, operand, vectors),
        Number::U32 => by_index::<u32>(op, operand, vectors),
        Number::I64 => by_index::<i64>(op, operand, vectors),
        Number::U64 => by_index::<u64>(op, operand, vectors),
        Number::I128 => by_index::<i128>(op, operand, vectors),
        Number::F16 => by_index::<Half>(op, operand, vectors),
        Number::BFloat16 => by_index::<BFloat16>(op, operand, vectors),
        Number::F32 => by_index::<f32>(op, operand, vectors),
        Number::F64 => by_index::<f64>(op, operand, vectors),
        Number::Long => by_index::<Long>(op, operand, vectors),
        Number::F128 => by_index::<Quad>(op, operand, vectors),
        other => unreachable!("{other:?} is no value of a pair"),
    }
}

fn by_index<V: Ordered>(op: Op, operand: Operand, vectors: Vectors) {
    match operand.index {
        Some(Number::I8) => reduce_located::<V, i8>(op, vectors),
        Some(Number::U8) => reduce_located::<V, u8>(op, vectors),
        Some(Number::I16) => reduce_located::<V, i16>(op, vectors),
        Some(Number::U16) => reduce_located::<V, u16>(op, vectors),
        Some(Number::I32) => reduce_located::<V, i32>(op, vectors),
        Some(Number::U32) => reduce_located::<V, u32>(op, vectors),
        Some(Number::I64) => reduce_located::<V, i64>(op, vectors),
        Some(Number::U64) => reduce_located::<V, u64>(op, vectors),
        Some(Number::I128) => reduce_located::<V, i128>(op, vectors),
        Some(Number::F32) => reduce_located::<V, f32>(op, vectors),
        Some(Number::F64) => reduce_located::<V, f64>(op, vectors),
        other => unreachable!("{other:?} is no index of a pair"),
    }
}

/// Numbers that can be compared. A NaN is greater than every number.
trait Ordered: Copy {
    fn above(self, other: Self) -> bool;
}

macro_rules! ordered {
    ($($t:ty)*) => {$(
        impl Ordered for $t {
            #[inline(always)]
            fn above(self, other: Self) -> bool {
                self > other
            }
        }
    )*};
}

ordered!(i8 u8 i16 u16 i32 u32 i64 u64 i128);

impl Ordered for Quad {
    fn above(self, other: Self) -> bool {
        Self::above(self, other)
    }
}

#[cfg(target_arch = "x86_64")]
impl Ordered for Long {
    /// Widening is exact and keeps the order.
    fn above(self, other: Self) -> bool {
        let wide = |number: Self| crate::quad::from_extended(u128::from_le_bytes(number.0));
        Ordered::above(wide(self), wide(other))
    }
}

fn reduce_located<V: Ordered, I: Ordered>(op: Op, vectors: Vectors) {
    for index in 0..vectors.count {
        let left = vectors.invec.cast::<Located<V, I>>().wrapping_add(index);
        let right = vectors.inoutvec.cast::<Located<V, I>>().wrapping_add(index);
        // SAFETY: R1, element `index` of the one side.
        let a = unsafe { left.read_unaligned() };
        // SAFETY: R1, element `index` of the other.
        let b = unsafe { right.read_unaligned() };
        let (is_above, is_below) = (a.value.above(b.value), b.value.above(a.value));
        let (better, worse) =
            if op == Op::Maxloc { (is_above, is_below) } else { (is_below, is_above) };
        if better || !worse && b.index.above(a.index) {
            // SAFETY: R1, member by member, so that holes keep their bytes.
            unsafe { (&raw mut (*right).value).write_unaligned(a.value) };
            // SAFETY: R1, member by member, so that holes keep their bytes.
            unsafe { (&raw mut (*right).index).write_unaligned(a.index) };
        }
    }
}
