//! Prints what this host's processors, caches and kernel cost, and what follows from that.

use super::line;
use nemesis_sys::host_model::HostModel;
use nemesis_wireup::machine;

/// Prints a host model.
pub fn print(model: &HostModel) {
    line("caches", caches(model));
    line("cache lines", lines(model));
    line("copies", copies(model));
    line("context switch", figure(model.context_switch_ns, |ns| format!("{:.1} µs", ns / 1e3)));
    if let Some(file) = machine::file().filter(|file| file.exists()) {
        line("measured", format!("once for each boot, kept in {}", file.display()));
    }
    println!("choices");
    for (what, choice, why) in model.explain() {
        println!("  {what}: {choice}; {why}");
    }
}

/// Returns a figure in words.
fn figure(figure: f32, words: impl Fn(f32) -> String) -> String {
    if figure > 0.0 { words(figure) } else { "not measured".to_owned() }
}

fn caches(model: &HostModel) -> String {
    let bytes = |bytes: f32| match bytes as u64 >> 10 {
        0 => "none that the kernel tells".to_owned(),
        kib if kib < 1024 => format!("{kib} KiB"),
        kib => format!("{} MiB", kib >> 10),
    };
    let sharers = match model.shared_cache_processors as u32 {
        0 => String::new(),
        sharers => format!(" by {sharers} processors"),
    };
    format!(
        "private to a core: {}; shared{sharers}: {}",
        bytes(model.private_cache_bytes),
        bytes(model.shared_cache_bytes)
    )
}

fn lines(model: &HostModel) -> String {
    if model.line_read_ns == 0.0 {
        return "not measured: that needs two cores, free for some milliseconds".to_owned();
    }
    format!(
        "reading one of another processor {:.1} ns, claiming it {:.1} ns; rewriting one that was \
         read {:.1} ns, one that was claimed {:.1} ns",
        model.line_read_ns,
        model.line_claim_ns,
        model.line_rewrite_read_ns,
        model.line_rewrite_claimed_ns
    )
}

fn copies(model: &HostModel) -> String {
    let bandwidth = |gb_per_s| figure(gb_per_s, |gb_per_s| format!("{gb_per_s:.0} GB/s"));
    let kernel = match model.kernel_call_ns > 0.0 {
        true => format!(
            "{} and {:.0} ns a call",
            bandwidth(model.kernel_copy_gb_per_s),
            model.kernel_call_ns
        ),
        false => "refused, or not measured".to_owned(),
    };
    format!(
        "inside the caches {}, beyond them {}, by the kernel {kernel}",
        bandwidth(model.cached_copy_gb_per_s),
        bandwidth(model.memory_copy_gb_per_s)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_units_and_missing_ones_are_named() {
        let model = HostModel {
            line_read_ns: 0.95,
            line_rewrite_read_ns: 4.0,
            cached_copy_gb_per_s: 56.2,
            kernel_call_ns: 1212.0,
            kernel_copy_gb_per_s: 14.8,
            private_cache_bytes: 524288.0,
            shared_cache_bytes: 33554432.0,
            shared_cache_processors: 8.0,
            ..HostModel::default()
        };
        let caches = "private to a core: 512 KiB; shared by 8 processors: 32 MiB";
        assert_eq!(super::caches(&model), caches);
        let copies = "inside the caches 56 GB/s, beyond them not measured, \
                      by the kernel 15 GB/s and 1212 ns a call";
        assert_eq!(super::copies(&model), copies);
        assert!(lines(&model).contains("rewriting one that was read 4.0 ns"));
        assert!(lines(&HostModel::default()).starts_with("not measured"));
    }
}
