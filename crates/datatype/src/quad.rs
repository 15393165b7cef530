//! IEEE binary128 in software: `REAL*16` on x86-64, C's `long double` on aarch64.
//!
//! The format has one sign bit, 15 exponent bits (bias 16383) and 112 fraction bits. Sum,
//! difference and product are correctly rounded, to nearest with ties to even, like those of the
//! compilers' runtimes, because a reduction must return what a loop in the program would return.
//!
//! Internally a finite number is `significand · 2^(exponent - 115)`, with the leading one of the
//! significand at bit 115: 113 bits and three more (guard, round, sticky), which are all that
//! rounding needs of the bits beyond.

const FRACTION_BITS: u32 = 112;
const FRACTION: u128 = (1 << FRACTION_BITS) - 1;
const EXPONENT_MAX: i32 = 0x7fff;
const SIGN: u128 = 1 << 127;
const INFINITY: u128 = (EXPONENT_MAX as u128) << FRACTION_BITS;
const NAN: u128 = INFINITY | 1 << (FRACTION_BITS - 1);
/// Number of bits kept below the fraction until rounding.
const EXTRA_BITS: u32 = 3;
const LEADING_ONE: u128 = 1 << (FRACTION_BITS + EXTRA_BITS);

/// A binary128 number, by its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Quad(pub u128);

/// A number that is neither infinite nor NaN. With biased exponent 1 and without a leading one it
/// is subnormal.
#[derive(Clone, Copy)]
struct Finite {
    negative: bool,
    exponent: i32,
    significand: u128,
}

impl Quad {
    fn is_nan(self) -> bool {
        self.0 & !SIGN > INFINITY
    }

    fn is_infinite(self) -> bool {
        self.0 & !SIGN == INFINITY
    }

    pub fn is_negative(self) -> bool {
        self.0 & SIGN != 0
    }

    fn finite(self) -> Finite {
        let exponent = (self.0 >> FRACTION_BITS) as i32 & EXPONENT_MAX;
        let hidden = if exponent > 0 { LEADING_ONE } else { 0 };
        let significand = hidden | (self.0 & FRACTION) << EXTRA_BITS;
        Finite { negative: self.is_negative(), exponent: exponent.max(1), significand }
    }

    fn with_sign(magnitude: u128, negative: bool) -> Self {
        Self(if negative { magnitude | SIGN } else { magnitude })
    }

    pub fn plus(self, other: Self) -> Self {
        if self.is_nan() || other.is_nan() {
            return Self(NAN);
        }
        match (self.is_infinite(), other.is_infinite()) {
            (true, true) if self.is_negative() != other.is_negative() => return Self(NAN),
            (true, _) => return self,
            (_, true) => return other,
            _ => {}
        }
        let (mut large, mut small) = (self.finite(), other.finite());
        if (large.exponent, large.significand) < (small.exponent, small.significand) {
            (large, small) = (small, large);
        }
        let aligned =
            shift_right_sticky(small.significand, (large.exponent - small.exponent) as u32);
        if large.negative == small.negative {
            return Finite { significand: large.significand + aligned, ..large }.round();
        }
        let significand = large.significand - aligned;
        // An exact zero is positive when rounding to nearest.
        Finite { negative: large.negative && significand != 0, significand, ..large }.round()
    }

    pub fn minus(self, other: Self) -> Self {
        self.plus(Self(other.0 ^ SIGN))
    }

    pub fn product(self, other: Self) -> Self {
        let negative = self.is_negative() != other.is_negative();
        let zero = |number: Self| number.0 & !SIGN == 0;
        if self.is_nan()
            || other.is_nan()
            || self.is_infinite() && zero(other)
            || zero(self) && other.is_infinite()
        {
            return Self(NAN);
        }
        if self.is_infinite() || other.is_infinite() {
            return Self::with_sign(INFINITY, negative);
        }
        let (a, b) = (self.finite(), other.finite());
        let (high, low) = wide_product(a.significand >> EXTRA_BITS, b.significand >> EXTRA_BITS);
        // Two significands of 112 fraction bits have a product of 224. It keeps 115 of them; the
        // others only set the sticky bit.
        let dropped = 2 * FRACTION_BITS - (FRACTION_BITS + EXTRA_BITS);
        let kept = high << (128 - dropped) | low >> dropped;
        let sticky = u128::from(low & ((1 << dropped) - 1) != 0);
        Finite { negative, exponent: a.exponent + b.exponent - 16383, significand: kept | sticky }
            .round()
    }

    /// Returns whether the number is greater. A NaN is greater than every number.
    pub fn above(self, other: Self) -> bool {
        let key = |number: Self| {
            let magnitude = (number.0 & !SIGN) as i128;
            if number.is_negative() { -magnitude } else { magnitude }
        };
        !other.is_nan() && (self.is_nan() || key(self) > key(other))
    }
}

impl Finite {
    /// Rounds to the nearest binary128.
    fn round(self) -> Quad {
        let Self { negative, mut exponent, mut significand } = self;
        if significand == 0 {
            return Quad::with_sign(0, negative);
        }
        // Normalize the leading one; a number that is too small stays below it, with exponent 1.
        let top = 127 - significand.leading_zeros() as i32 - (FRACTION_BITS + EXTRA_BITS) as i32;
        if top > 0 {
            significand = shift_right_sticky(significand, top as u32);
            exponent += top;
        } else if exponent > 1 {
            let up = (-top).min(exponent - 1);
            significand <<= up;
            exponent -= up;
        }
        if exponent < 1 {
            significand = shift_right_sticky(significand, (1 - exponent) as u32);
            exponent = 1;
        }
        let (mut fraction, beyond) = (significand >> EXTRA_BITS, significand & 7);
        if beyond > 4 || beyond == 4 && fraction & 1 == 1 {
            fraction += 1;
        }
        // The leading one, if there is one, adds 1 to the exponent field, so neither subnormals nor
        // a carry need a case of their own.
        let magnitude = (((exponent - 1) as u128) << FRACTION_BITS).saturating_add(fraction);
        Quad::with_sign(
            if exponent >= EXPONENT_MAX { INFINITY } else { magnitude.min(INFINITY) },
            negative,
        )
    }
}

/// Shifts right; the last bit of the result is also set if a one was shifted out.
fn shift_right_sticky(value: u128, by: u32) -> u128 {
    if by >= 128 {
        return u128::from(value != 0);
    }
    value >> by | u128::from(value & ((1 << by) - 1) != 0)
}

/// Returns the 256-bit product as (high, low).
fn wide_product(a: u128, b: u128) -> (u128, u128) {
    const HALF: u128 = u64::MAX as u128;
    let (a_high, a_low, b_high, b_low) = (a >> 64, a & HALF, b >> 64, b & HALF);
    let low = a_low * b_low;
    let middle = a_high * b_low + (low >> 64);
    let (other, carry) = middle.overflowing_add(a_low * b_high);
    let high = a_high * b_high + (other >> 64) + (u128::from(carry) << 64);
    (high, other << 64 | low & HALF)
}

/// Converts from x87's 80 bits: 15 exponent bits and 64 significand bits with an explicit leading
/// one. Always exact.
#[cfg(target_arch = "x86_64")]
pub(crate) fn from_extended(bits: u128) -> Quad {
    let (significand, exponent) = (bits as u64, (bits >> 64) as i32 & EXPONENT_MAX);
    let negative = bits >> 79 & 1 == 1;
    if exponent == EXPONENT_MAX {
        let fraction = u128::from(significand << 1) << (FRACTION_BITS - 64);
        return Quad::with_sign(INFINITY | fraction, negative);
    }
    let significand = u128::from(significand) << (FRACTION_BITS + EXTRA_BITS - 63);
    Finite { negative, exponent: exponent.max(1), significand }.round()
}

/// Converts to x87's 80 bits, rounded to nearest.
#[cfg(target_arch = "x86_64")]
pub(crate) fn to_extended(quad: Quad) -> u128 {
    let sign = u128::from(quad.is_negative()) << 79;
    if quad.is_nan() || quad.is_infinite() {
        let fraction = (quad.0 & FRACTION) >> (FRACTION_BITS - 63);
        let quiet = u128::from(quad.is_nan()) << 62;
        return sign | (EXPONENT_MAX as u128) << 64 | 1 << 63 | fraction | quiet;
    }
    let Finite { mut exponent, significand, .. } = quad.finite();
    let dropped = FRACTION_BITS + EXTRA_BITS - 63;
    let (mut kept, beyond) = (significand >> dropped, significand & ((1 << dropped) - 1));
    let half = 1 << (dropped - 1);
    if beyond > half || beyond == half && kept & 1 == 1 {
        kept += 1;
    }
    if kept >> 64 == 1 {
        kept >>= 1;
        exponent += 1;
    }
    if exponent == EXPONENT_MAX {
        kept = 1 << 63;
    }
    // Without the explicit leading one the number is subnormal or zero, with exponent field 0.
    let field = if kept >> 63 == 1 { exponent as u128 } else { 0 };
    sign | field << 64 | kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Converts exactly: every double is a binary128 number.
    fn widen(value: f64) -> Quad {
        let bits = value.to_bits();
        let (exponent, fraction) =
            ((bits >> 52) as i32 & 0x7ff, u128::from(bits & ((1 << 52) - 1)));
        let negative = value.is_sign_negative();
        if exponent == 0x7ff {
            return Quad::with_sign(INFINITY | fraction << 60, negative);
        }
        let hidden = if exponent > 0 { 1 << 52 } else { 0 };
        let significand = (hidden | fraction) << (FRACTION_BITS + EXTRA_BITS - 52);
        Finite { negative, exponent: exponent.max(1) + 16383 - 1023, significand }.round()
    }

    /// Rounds an integer by counting bits, independently of the implementation.
    fn nearest(value: i128) -> Quad {
        let magnitude = value.unsigned_abs();
        let bits = 128 - magnitude.leading_zeros();
        if bits == 0 {
            return Quad(0);
        }
        let drop = bits.saturating_sub(113);
        let (mut kept, lost) = (magnitude >> drop, magnitude & ((1 << drop) - 1));
        if drop > 0 && (lost > 1 << (drop - 1) || lost == 1 << (drop - 1) && kept & 1 == 1) {
            kept += 1;
        }
        let shift = kept.leading_zeros() as i32 - 15;
        let fraction = if shift >= 0 { kept << shift } else { kept >> -shift };
        let exponent = 16383 + 112 - shift + drop as i32;
        Quad::with_sign((exponent as u128) << FRACTION_BITS | fraction & FRACTION, value < 0)
    }

    proptest! {
        #[test]
        fn sums_of_integers_round_as_counted(
            a in -(1_i128 << 125)..1 << 125,
            b in -(1_i128 << 125)..1 << 125,
            down in 0..120_u32,
        ) {
            let (a, b) = (a >> down, b);
            let (a, b) = (exact(a), exact(b));
            prop_assert_eq!(nearest(a).plus(nearest(b)), nearest(a + b));
            prop_assert_eq!(nearest(a).minus(nearest(b)), nearest(a - b));
        }

        #[test]
        fn products_of_integers_round_as_counted(
            a in -(1_i128 << 63)..1 << 63,
            b in -(1_i128 << 63)..1 << 63,
        ) {
            prop_assert_eq!(nearest(a).product(nearest(b)), nearest_product(a, b));
        }

        #[test]
        fn doubles_order_as_doubles(a in any::<f64>(), b in any::<f64>()) {
            prop_assert_eq!(widen(a).above(widen(b)), a > b || a.is_nan() && !b.is_nan());
        }

        #[cfg(target_arch = "x86_64")]
        #[test]
        fn extended_numbers_survive_the_conversion(
            fraction in any::<u64>(),
            exponent in 1..0x7fff_u128,
            negative in any::<bool>(),
        ) {
            let bits = u128::from(negative) << 79 | exponent << 64 | u128::from(fraction | 1 << 63);
            prop_assert_eq!(to_extended(from_extended(bits)), bits);
        }
    }

    /// Clears all but the leading 113 bits, so that the integer is a binary128 number exactly.
    fn exact(value: i128) -> i128 {
        let drop = (128 - value.unsigned_abs().leading_zeros()).saturating_sub(113);
        value >> drop << drop
    }

    /// Zero times a negative number is a negative zero, which no integer is.
    fn nearest_product(a: i128, b: i128) -> Quad {
        if a * b == 0 { Quad::with_sign(0, (a < 0) != (b < 0)) } else { nearest(a * b) }
    }

    #[test]
    fn the_edges() {
        let (largest, tiniest) = (Quad(INFINITY - 1), Quad(1));
        assert_eq!(largest.plus(largest), Quad(INFINITY));
        assert_eq!(largest.product(widen(2.0)), Quad(INFINITY));
        assert_eq!(tiniest.plus(tiniest), Quad(2));
        assert_eq!(tiniest.product(widen(0.5)), Quad(0), "a tie goes to the even zero");
        assert_eq!(tiniest.product(widen(0.75)), Quad(1));
        assert_eq!(
            Quad(1 << FRACTION_BITS).product(widen(0.5)),
            Quad(1 << (FRACTION_BITS - 1)),
            "half the smallest normal"
        );
        assert!(Quad(INFINITY).minus(Quad(INFINITY)).is_nan());
        assert_eq!(widen(1.0).minus(widen(1.0)), Quad(0));
        assert!(Quad(NAN).plus(widen(1.0)).is_nan());
        assert_eq!(widen(1.0).plus(tiniest), widen(1.0));
    }
}
