//! Modelled times of the patterns by which members of a node exchange data, for `explain`.
//!
//! The times are those of copies, line transfers, system calls and context switches, in
//! nanoseconds, by the figures of the host model. They leave out the library's own instructions,
//! which decide below some kilobytes, and the caches of a particular program. A time is not a
//! number where a figure was not measured.

use crate::site::{Crowd, Site};
use nemesis::wire::CACHE_LINE_BYTES;
use nemesis_sys::host_model::HostModel;

/// How many bytes a member copies, takes from another one's caches, and has the kernel copy, in how
/// many system calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    copied: f32,
    transferred: f32,
    by_kernel: f32,
    kernel_calls: f32,
}

impl Work {
    /// Returns the work of a member that copies and takes bytes by itself.
    pub fn shared(copied: f32, transferred: f32) -> Work {
        Work { copied, transferred, ..Work::default() }
    }

    /// Returns the work of a member for which the kernel copies `bytes` bytes in `calls` calls.
    pub fn by_kernel(bytes: f32, calls: f32) -> Work {
        Work { by_kernel: bytes, kernel_calls: calls, ..Work::default() }
    }
}

/// Returns the time of a call in which every member does `work`. Members that share processors do
/// it one after the other, each after a context switch.
pub fn time_ns(site: Site, model: &HostModel, work: Work) -> f32 {
    let members = site.members as f32;
    let Work { copied, transferred, by_kernel, kernel_calls } = work;
    let of_one = copied / model.cached_copy_gb_per_s
        + transferred / CACHE_LINE_BYTES as f32 * line_ns(site, model)
        + by_kernel / model.kernel_copy_gb_per_s
        + kernel_calls * model.kernel_call_ns;
    match site.crowd() {
        Crowd::Shared => members * (of_one + model.context_switch_ns),
        Crowd::Pair | Crowd::Many => of_one,
    }
}

/// Returns the time of taking a line that another member has written. The lines of a staging buffer
/// or ring are written again later, by a processor from which they were taken.
fn line_ns(site: Site, model: &HostModel) -> f32 {
    match site.crowd() {
        // A member finds most lines in its own processor's caches.
        Crowd::Shared => CACHE_LINE_BYTES as f32 / model.cached_copy_gb_per_s,
        Crowd::Pair | Crowd::Many => model.line_read_ns + model.line_rewrite_read_ns,
    }
}
