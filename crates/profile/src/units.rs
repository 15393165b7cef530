//! Bytes, times and shares in words.

/// Returns bytes in words, with binary prefixes.
pub fn bytes(bytes: u64) -> String {
    const PREFIXES: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let mut value = bytes as f64;
    let mut place = 0;
    while value >= 1024.0 && place + 1 < PREFIXES.len() {
        value /= 1024.0;
        place += 1;
    }
    let prefix = PREFIXES[place];
    if place == 0 { format!("{bytes} B") } else { format!("{value:.1} {prefix}") }
}

/// Returns nanoseconds in words.
pub fn time(ns: u64) -> String {
    let value = ns as f64;
    match ns {
        0..1_000 => format!("{ns} ns"),
        1_000..1_000_000 => format!("{:.1} µs", value / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} ms", value / 1e6),
        _ => format!("{:.2} s", value / 1e9),
    }
}

/// Returns a part of a whole in percent; 0 of nothing.
pub fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 }
}

/// Returns a number with its unit in the singular or plural.
pub fn counted(number: u64, one: &str, several: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { several })
}

/// Returns the words for the name of a transport.
pub fn transport(name: &str) -> String {
    match name {
        "shm" => "shared memory".into(),
        "self" => "the process itself".into(),
        "unknown" => "an unknown transport".into(),
        network => format!("network {network}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_units() {
        assert_eq!([bytes(0), bytes(1023), bytes(1536)], ["0 B", "1023 B", "1.5 KiB"]);
        assert_eq!(bytes(u64::MAX), "16384.0 PiB");
        assert_eq!([time(999), time(1500), time(2_500_000)], ["999 ns", "1.5 µs", "2.5 ms"]);
        assert_eq!(time(61_000_000_000), "61.00 s");
        assert_eq!((percent(1, 4), percent(1, 0)), (25.0, 0.0));
    }
}
