//! The model checker's atomics, with one ordering broken on purpose (only under `--cfg loom`).
//!
//! A model that passes shows little as long as nobody has seen it fail. These types are loom's atomics; each operation asks where it stands in
//! the source, and when that is the place that [`with`] names, it runs with a weaker ordering. So a test can take an algorithm as it is, break
//! one of its orderings after the other, and see that its models notice: an ordering that can be broken unnoticed is either not needed or not
//! modelled.
//!
//! [`every_ordering_is_needed`] does that with a whole source file. Its list of orderings is the source itself: each line of code that names one stronger
//! than Relaxed. So an operation that is added later is tested without anybody thinking of it, and one that is stronger than its models need is
//! reported.
//!
//! Everything here is per thread: loom runs the threads of a model on the thread that called it, and tests run side by side.

use loom::sync::atomic as model;
pub use loom::sync::atomic::Ordering;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};

/// An operation, named by where it stands, and the ordering that it gets instead of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weakening {
    /// End of the file's path, as in `src/queue.rs`.
    pub file: &'static str,
    pub line: u32,
    pub ordering: Ordering,
}

thread_local! {
    static BROKEN: Cell<Option<Weakening>> = const { Cell::new(None) };
}

/// Runs `f` on this thread with one operation weakened.
pub fn with<R>(weakening: Weakening, f: impl FnOnce() -> R) -> R {
    /// Mends the operation when `f` returns or panics.
    struct Mend;
    impl Drop for Mend {
        fn drop(&mut self) {
            BROKEN.set(None);
        }
    }
    BROKEN.set(Some(weakening));
    let _mend = Mend;
    f()
}

#[track_caller]
fn effective(ordering: Ordering) -> Ordering {
    let here = Location::caller();
    match BROKEN.get() {
        Some(broken) if broken.line == here.line() && here.file().ends_with(broken.file) => {
            broken.ordering
        }
        _ => ordering,
    }
}

macro_rules! atomic {
    ($name:ident, $value:ty) => {
        #[derive(Debug, Default)]
        pub struct $name(model::$name);

        impl $name {
            #[track_caller]
            pub fn new(value: $value) -> Self {
                $name(model::$name::new(value))
            }

            #[track_caller]
            pub fn load(&self, ordering: Ordering) -> $value {
                self.0.load(effective(ordering))
            }

            #[track_caller]
            pub fn store(&self, value: $value, ordering: Ordering) {
                self.0.store(value, effective(ordering));
            }

            #[track_caller]
            pub fn swap(&self, value: $value, ordering: Ordering) -> $value {
                self.0.swap(value, effective(ordering))
            }

            #[track_caller]
            pub fn compare_exchange(
                &self,
                old: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                self.0.compare_exchange(old, new, effective(success), failure)
            }

            #[track_caller]
            pub fn compare_exchange_weak(
                &self,
                old: $value,
                new: $value,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$value, $value> {
                self.0.compare_exchange_weak(old, new, effective(success), failure)
            }
        }
    };
    ($name:ident, $value:ty, counts) => {
        atomic!($name, $value);

        impl $name {
            #[track_caller]
            pub fn fetch_add(&self, value: $value, ordering: Ordering) -> $value {
                self.0.fetch_add(value, effective(ordering))
            }

            #[track_caller]
            pub fn fetch_sub(&self, value: $value, ordering: Ordering) -> $value {
                self.0.fetch_sub(value, effective(ordering))
            }

            #[track_caller]
            pub fn fetch_xor(&self, value: $value, ordering: Ordering) -> $value {
                self.0.fetch_xor(value, effective(ordering))
            }
        }
    };
}

atomic!(AtomicBool, bool);
atomic!(AtomicU8, u8, counts);
atomic!(AtomicU32, u32, counts);
atomic!(AtomicU64, u64, counts);
atomic!(AtomicUsize, usize, counts);

/// A fence; weakened to `Relaxed` it is none at all.
#[track_caller]
pub fn fence(ordering: Ordering) {
    match effective(ordering) {
        Ordering::Relaxed => {}
        ordering => model::fence(ordering),
    }
}

/// In place of the barrier that costs its caller nothing (see `light_barrier` at the seam), the one that costs: loom has no processors to stop.
#[track_caller]
pub fn light_barrier() {
    fence(Ordering::SeqCst);
}

/// A model: explores all its interleavings, panics when one of them is wrong.
pub type Model = fn();

/// Runs every weakening of `source` (which is `file`) against the models, the likeliest to notice first.
pub fn every_ordering_is_needed(file: &'static str, source: &str, models: &[Model]) {
    let weakenings = weakenings(file, source);
    assert!(!weakenings.is_empty(), "{file} names orderings");
    let mut unnoticed = Vec::new();
    for weakening in weakenings {
        match models.iter().find_map(|&model| diagnostic(weakening, model)) {
            Some(diagnostic) => {
                println!("{file}:{} as {:?}: {diagnostic}", weakening.line, weakening.ordering)
            }
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
        } else if ["Ordering::Acquire", "Ordering::Release", "light_barrier();"]
            .iter()
            .any(|name| text.contains(name))
        {
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
fn diagnostic(weakening: Weakening, model: Model) -> Option<String> {
    let run = move || with(weakening, || catch_unwind(AssertUnwindSafe(model)).err());
    let panic = std::thread::spawn(run).join().unwrap_or_else(Some)?;
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()))
        .or(Some("a panic without words".into()))
}
