//! Breaks every ordering of a source file, one at a time, and expects that a model notices.
//!
//! The list of orderings is the source itself: each line of code that names one stronger than Relaxed. So an operation that is added later is
//! tested without anybody thinking of it, and one that is stronger than its models need is reported.

use nemesis_sync::Ordering;
use nemesis_sync::weaken::{self, Weakening};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A model: explores all its interleavings, panics when one of them is wrong.
pub type Model = fn();

/// Runs every weakening of `source` (which is `file`) against the models, the likeliest to notice first.
pub fn every_ordering_is_needed(file: &'static str, source: &str, models: &[Model]) {
    let weakenings = weakenings(file, source);
    assert!(!weakenings.is_empty(), "{file} names orderings");
    let mut unnoticed = Vec::new();
    for weakening in weakenings {
        match models.iter().find_map(|&model| complaint(weakening, model)) {
            Some(complaint) => println!("{file}:{} as {:?}: {complaint}", weakening.line, weakening.ordering),
            None => unnoticed.push(weakening),
        }
    }
    assert!(unnoticed.is_empty(), "no model notices these weaker orderings: {unnoticed:#?}");
}

/// The weaker forms of all orderings that the code (not the comments, not the tests) of `source` names.
fn weakenings(file: &'static str, source: &str) -> Vec<Weakening> {
    let code = source.lines().zip(1..).take_while(|(text, _)| !text.starts_with("#[cfg(all(test"));
    let code = code.filter(|(text, _)| !text.trim_start().starts_with("//"));
    let mut found = Vec::new();
    for (text, line) in code {
        let weaker: &[Ordering] = if text.contains("Ordering::AcqRel") {
            &[Ordering::Acquire, Ordering::Release]
        } else if ["Ordering::Acquire", "Ordering::Release", "light_barrier();"].iter().any(|name| text.contains(name)) {
            &[Ordering::Relaxed]
        } else {
            &[]
        };
        found.extend(weaker.iter().map(|&ordering| Weakening { file, line, ordering }));
    }
    found
}

/// What the model says against a weakening. It runs on a thread of its own, because a failed model may leave loom's state of its thread in
/// disorder.
fn complaint(weakening: Weakening, model: Model) -> Option<String> {
    let run = move || weaken::with(weakening, || catch_unwind(AssertUnwindSafe(model)).err());
    let panic = std::thread::spawn(run).join().unwrap_or_else(Some)?;
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string())).or(Some("a panic without words".into()))
}
