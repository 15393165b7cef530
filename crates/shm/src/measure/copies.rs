//! The cost of copies: inside the caches, beyond them, and by the kernel.

#![allow(unsafe_code)]

use super::ranked;
use crate::copy;
use nemesis_sys::cma;
use nemesis_sys::host_model::HostModel;
use nemesis_wire::CACHE_LINE_BYTES;
use std::time::Instant;

/// Bytes of one timed copy. Source and destination together fit a second-level cache.
const PART_BYTES: usize = 64 << 10;
/// Copies inside the caches, and calls of the kernel, that are timed.
const REPETITIONS: usize = 24;
/// Bytes that are copied beyond the caches, in parts.
const UNCACHED_BYTES: usize = 2 << 20;
/// Rank of the times that counts: a quarter of the copies were faster.
const RANK: f64 = 0.25;
/// Number of times without which there is no result.
const LEAST_TIMES: usize = 8;

/// Measures the copies of this processor and of the kernel.
pub fn measure(until: Instant, model: &mut HostModel) {
    let source = vec![1u8; UNCACHED_BYTES];
    let mut target = vec![2u8; UNCACHED_BYTES];
    let (from, to) = (&source[..PART_BYTES], &mut target[..PART_BYTES]);
    let cached = repeat(until, || copy::slice(to, from));
    model.cached_copy_gb_per_s = bandwidth(cached);
    let pid = std::process::id() as i32;
    let mut refused = false;
    let mut call = |bytes: usize| {
        repeat(until, || {
            refused |= cma::read_exact(pid, from.as_ptr().addr() as u64, &mut to[..bytes]).is_err();
        })
    };
    let (short, long) = (call(8), call(PART_BYTES));
    if let Some((short, long)) = short.zip(long).filter(|(short, long)| !refused && long > short) {
        model.kernel_call_ns = short;
        model.kernel_copy_gb_per_s = PART_BYTES as f32 / (long - short);
    }
    flush(&source);
    flush(&target);
    let parts = source.chunks(PART_BYTES).zip(target.chunks_mut(PART_BYTES));
    let times = parts.take_while(|_| Instant::now() < until);
    let times = times.map(|(from, to)| timed(|| copy::slice(to, from))).collect();
    model.memory_copy_gb_per_s = bandwidth(ranked(times, LEAST_TIMES, RANK));
}

/// Returns the gigabytes per second of copies of [`PART_BYTES`] in `ns` nanoseconds each.
fn bandwidth(ns: Option<f32>) -> f32 {
    ns.map_or(0.0, |ns| PART_BYTES as f32 / ns)
}

/// Returns the time of `run` in nanoseconds, of the rank that counts.
fn repeat(until: Instant, mut run: impl FnMut()) -> Option<f32> {
    let times = (0..REPETITIONS).take_while(|_| Instant::now() < until).map(|_| timed(&mut run));
    ranked(times.collect(), LEAST_TIMES, RANK)
}

fn timed(run: impl FnOnce()) -> f64 {
    let begun = Instant::now();
    run();
    begun.elapsed().as_nanos() as f64
}

/// Moves the lines of some memory out of all caches, where a program may do that.
fn flush(memory: &[u8]) {
    for line in memory.chunks(CACHE_LINE_BYTES) {
        flush_line(line.as_ptr());
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    // SAFETY: waits for the instructions before it.
    unsafe {
        std::arch::asm!("dsb ish", options(nostack, preserves_flags));
    }
}

/// Moves the line of an address of this process out of all caches.
fn flush_line(line: *const u8) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: the instruction changes no memory; the address is that of a reference.
    unsafe {
        std::arch::x86_64::_mm_clflush(line);
    }
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    // SAFETY: as above; Linux permits the instruction to programs.
    unsafe {
        std::arch::asm!("dc civac, {}", in(reg) line, options(nostack, preserves_flags));
    }
    #[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
    let _ = line;
}
