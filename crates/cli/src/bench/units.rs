//! Numbers for readers: three digits and a unit.

/// Formats seconds: 0.000000123 is `123 ns`.
pub fn seconds(value: f64) -> String {
    scaled(value, &[(1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")])
}

/// Formats a rate: 25300000 is `25.3 M/s`.
pub fn rate(value: f64) -> String {
    scaled(value, &[(1e9, "G/s"), (1e6, "M/s"), (1e3, "k/s"), (1.0, "/s")])
}

/// Formats the bandwidth of `bytes` bytes in `seconds` seconds: `7.21 GB/s`.
pub fn bandwidth(bytes: u64, seconds: f64) -> String {
    scaled(bytes as f64 / seconds, &[(1e9, "GB/s"), (1e6, "MB/s"), (1e3, "kB/s")])
}

/// Formats a length: 65536 is `64 KiB`.
pub fn bytes(value: u64) -> String {
    match value {
        0..1024 => format!("{value} B"),
        1024..0x10_0000 => format!("{} KiB", value >> 10),
        _ => format!("{} MiB", value >> 20),
    }
}

/// Formats a size: 3286000 bytes are `3.29 MB`.
pub fn size(bytes: f64) -> String {
    scaled(bytes, &[(1e9, "GB"), (1e6, "MB"), (1e3, "kB")])
}

/// Formats a ratio: 12.34 is `12.3×`.
pub fn ratio(value: f64) -> String {
    format!("{}×", three_digits(value))
}

/// Formats a number in the largest unit in which it is at least 1, otherwise in the smallest.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    let (scale, unit) =
        *units.iter().find(|(scale, _)| value >= *scale).unwrap_or(&units[units.len() - 1]);
    format!("{} {unit}", three_digits(value / scale))
}

fn three_digits(value: f64) -> String {
    match value {
        99.95.. => format!("{value:.0}"),
        9.995.. => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_and_a_unit() {
        assert_eq!(seconds(1.05e-7), "105 ns");
        assert_eq!(seconds(1.3e-6), "1.30 µs");
        assert_eq!(seconds(5e-11), "0.05 ns");
        assert_eq!(rate(2.53e7), "25.3 M/s");
        assert_eq!(bandwidth(4 << 20, 1.6e-4), "26.2 GB/s");
        assert_eq!(
            [0, 1023, 1024, 65536, 1 << 20].map(bytes),
            ["0 B", "1023 B", "1 KiB", "64 KiB", "1 MiB"]
        );
        assert_eq!([size(3_286_000.0), size(950.0)], ["3.29 MB", "0.95 kB"]);
        assert_eq!(ratio(99.96), "100×");
    }
}
