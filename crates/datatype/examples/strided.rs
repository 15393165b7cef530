//! Compares packing a strided vector with a plain copy of as many bytes.
//!
//! `cargo run --release -p nemesis-datatype --example strided` prints, for payloads of 8 KiB to 4
//! MiB of doubles at stride 2 (and a few other layouts), the speed of pack and unpack divided by
//! that of a memcpy of the payload in this run. A vector at stride 2 touches twice as many cache
//! lines as its payload fills, so beyond the caches memory allows a ratio of 0.67 (two lines read
//! and one written, against one and one).

use std::hint::black_box;
use std::time::{Duration, Instant};

use nemesis_datatype::{Buffer, Datatype};

const DOUBLE: usize = 0x214;
const FLOAT: usize = 0x210;

fn main() {
    let named = |handle| Datatype::predefined(handle).expect("in the table");
    let vector = |block: i64, stride: i64, old| {
        move |elements: i64| Datatype::vector(elements / block, block, stride, old).expect("valid")
    };
    shape("doubles at stride 2", 8, vector(1, 2, named(DOUBLE)));
    shape("doubles at stride 64 (a column)", 8, vector(1, 64, named(DOUBLE)));
    shape("floats at stride 2", 4, vector(1, 2, named(FLOAT)));
    shape("3 doubles of 4", 8, vector(3, 4, named(DOUBLE)));
    shape("100 doubles of 128", 8, vector(100, 128, named(DOUBLE)));
    let record =
        Datatype::structure(&[1, 1], &[0, 8], &[named(FLOAT).clone(), named(DOUBLE).clone()])
            .expect("valid");
    shape("struct of float and double", 12, move |elements| {
        Datatype::contiguous(elements, &record).expect("valid")
    });
}

/// Prints one line for each payload.
fn shape(name: &str, element_bytes: i64, of_elements: impl Fn(i64) -> Datatype) {
    println!("{name}\n{:>12} {:>12} {:>8} {:>8}", "payload", "memcpy", "pack", "unpack");
    for payload in (13..=22).map(|power| 1_i64 << power) {
        let datatype = of_elements(payload / element_bytes);
        datatype.commit();
        let buffer = Buffer::scratch(1, &datatype).expect("memory");
        let mut packed = vec![1; buffer.bytes()];
        let source = vec![2_u8; packed.len()];
        let plain = time(|| black_box(&mut packed).copy_from_slice(black_box(&source)));
        let pack = time(|| {
            assert_eq!(black_box(&buffer).pack_at(0, black_box(&mut packed)), source.len())
        });
        let unpack =
            time(|| assert_eq!(black_box(&buffer).unpack_at(0, black_box(&packed)), packed.len()));
        let speed = packed.len() as f64 / plain.as_secs_f64() / 1e9;
        let ratio = |time: Duration| plain.as_secs_f64() / time.as_secs_f64();
        println!(
            "{:>8} KiB {speed:>7.1} GB/s {:>8.2} {:>8.2}",
            payload >> 10,
            ratio(pack),
            ratio(unpack)
        );
    }
}

/// Returns the best of many runs, because other programs use the machine, too.
fn time(mut call: impl FnMut()) -> Duration {
    let mut best = Duration::MAX;
    let until = Instant::now() + Duration::from_millis(60);
    while Instant::now() < until {
        let start = Instant::now();
        for _ in 0..8 {
            call();
        }
        best = best.min(start.elapsed() / 8);
    }
    best
}
