//! Floating-point numbers of 16 bits in software: IEEE binary16 (`REAL*2`, C's `_Float16`) and
//! bfloat16, the upper half of a binary32.
//!
//! Each operation widens both operands to binary32, computes there and rounds once, to nearest with
//! ties to even. A sum, difference or product of two values of 11 (8) significant bits fits into
//! the 24 bits of binary32 as far as the second rounding needs it.

/// IEEE binary16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Half(u16);

/// bfloat16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct BFloat16(u16);

const SIGN: u16 = 0x8000;
const FRACTION_BITS: u32 = 10;
const INFINITY: u16 = 0x7c00;

/// Bits of a binary32 fraction that binary16 does not have.
const DROPPED: u32 = f32::MANTISSA_DIGITS - 1 - FRACTION_BITS;

/// Smallest normal number of binary16, 2^-14, and unit in the last place of its subnormals, 2^-24.
const SMALLEST_NORMAL: f32 = 6.103_515_6e-5;
const SUBNORMAL_UNIT: f32 = 5.960_464_5e-8;

/// Difference of the exponent biases: 127 for binary32, 15 for binary16.
const REBIAS: u32 = 127 - 15;

impl Half {
    pub fn to_f32(self) -> f32 {
        let sign = u32::from(self.0 & SIGN) << 16;
        let magnitude = self.0 & !SIGN;
        let bits = if magnitude >= INFINITY {
            // Infinity, or a NaN, which keeps its fraction.
            u32::from(magnitude) << DROPPED | 0xff << 23
        } else if magnitude >> FRACTION_BITS == 0 {
            (f32::from(magnitude) * SUBNORMAL_UNIT).to_bits()
        } else {
            (u32::from(magnitude) << DROPPED) + (REBIAS << 23)
        };
        f32::from_bits(sign | bits)
    }

    pub fn from_f32(value: f32) -> Self {
        let sign = (value.to_bits() >> 16) as u16 & SIGN;
        let magnitude = value.abs();
        let bits = if magnitude.is_nan() {
            INFINITY | 0x200 | (magnitude.to_bits() >> DROPPED) as u16 & 0x3ff
        } else if magnitude < SMALLEST_NORMAL {
            // The last bit of a binary32 between 1/2 and 1 is the unit of a subnormal: the addition
            // rounds and leaves the result in the lowest bits.
            (magnitude + 0.5).to_bits() as u16 & 0x7ff
        } else {
            // A carry out of the fraction increments the exponent, as it must; a number that is too
            // large becomes infinity.
            let rounded = round_off(magnitude.to_bits(), DROPPED);
            rounded.saturating_sub(REBIAS << FRACTION_BITS).min(u32::from(INFINITY)) as u16
        };
        Self(sign | bits)
    }
}

impl BFloat16 {
    pub fn to_f32(self) -> f32 {
        f32::from_bits(u32::from(self.0) << 16)
    }

    pub fn from_f32(value: f32) -> Self {
        if value.is_nan() {
            return Self((value.to_bits() >> 16) as u16 | 0x40);
        }
        Self(round_off(value.to_bits(), 16) as u16)
    }
}

/// Shifts the lowest bits out and rounds to nearest, ties to even.
const fn round_off(bits: u32, dropped: u32) -> u32 {
    let kept = bits >> dropped;
    // `bits` is at most infinity, so nothing overflows.
    (bits + (1 << (dropped - 1)) - 1 + (kept & 1)) >> dropped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_survives_being_widened() {
        for bits in 0..=u16::MAX {
            let half = Half(bits);
            let quiet = if half.to_f32().is_nan() { 0x200 } else { 0 };
            assert_eq!(Half::from_f32(half.to_f32()), Half(bits | quiet), "{bits:#x}");
            let brain = BFloat16(bits);
            let quiet = if brain.to_f32().is_nan() { 0x40 } else { 0 };
            assert_eq!(BFloat16::from_f32(brain.to_f32()), BFloat16(bits | quiet), "{bits:#x}");
        }
    }

    #[test]
    fn known_values() {
        for (bits, value) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0001, 2.0_f32.powi(-24)),
            (0x0400, 2.0_f32.powi(-14)),
            (0x7c00, f32::INFINITY),
        ] {
            assert_eq!(Half(bits).to_f32(), value);
        }
        assert_eq!(BFloat16(0x3f80).to_f32(), 1.0);
    }

    /// Values below the middle of two neighbours round down, above it up, and in the middle to
    /// even.
    #[test]
    fn rounding_is_to_the_nearest_and_to_even() {
        for bits in 0..INFINITY {
            let (low, high) = (
                Half(bits).to_f32(),
                if bits + 1 == INFINITY { 65536.0 } else { Half(bits + 1).to_f32() },
            );
            let middle = low + (high - low) / 2.0;
            let even = bits + (bits & 1);
            assert_eq!(Half::from_f32(middle), Half(even), "{bits:#x}");
            assert_eq!(Half::from_f32(middle.next_down()), Half(bits), "{bits:#x}");
            assert_eq!(Half::from_f32(middle.next_up()), Half(bits + 1), "{bits:#x}");
            assert_eq!(Half::from_f32(-middle), Half(SIGN | even), "{bits:#x}");
        }
        for bits in 0..0x7f80 {
            let low = u32::from(bits) << 16;
            assert_eq!(
                BFloat16::from_f32(f32::from_bits(low | 0x8000)),
                BFloat16(bits + (bits & 1)),
                "{bits:#x}"
            );
            assert_eq!(
                BFloat16::from_f32(f32::from_bits(low | 0x7fff)),
                BFloat16(bits),
                "{bits:#x}"
            );
            assert_eq!(
                BFloat16::from_f32(f32::from_bits(low | 0x8001)),
                BFloat16(bits + 1),
                "{bits:#x}"
            );
        }
    }
}
