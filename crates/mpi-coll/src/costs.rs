//! Modelled times of the patterns by which members of a node exchange data, for `explain`.
//!
//! The times are those of copies, line transfers, system calls and context switches, in
//! nanoseconds, by the figures of the host model. They leave out the library's own instructions,
//! which decide below some kilobytes, and the caches of a particular program. A time is not a
//! number where a figure was not measured.

use crate::rows::{Case, Members};
use crate::site::{Crowd, Site};
use nemesis::wire::CACHE_LINE_BYTES;
use nemesis_sys::host_model::HostModel;

/// How many bytes a member copies, takes from another one's caches, and has the kernel copy, in how
/// many system calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    pub copied: f32,
    pub transferred: f32,
    pub by_kernel: f32,
    pub kernel_calls: f32,
}

/// Returns the time of a call in which every member does `work`. Members that share processors do
/// it one after the other, each after a context switch.
pub fn time_ns(case: &Case, model: &HostModel, work: impl FnOnce(f32) -> Work) -> f32 {
    let (Members::Node(site) | Members::Recorded(site)) = case.members else { return f32::NAN };
    let members = site.members as f32;
    let Work { copied, transferred, by_kernel, kernel_calls } = work(members);
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
