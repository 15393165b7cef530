//! The model checker's atomics, of which a test can weaken one ordering (only with `--cfg loom`).
//!
//! A model that passes shows little until it has been seen to fail. These types are loom's atomics;
//! each operation looks up its own source line, and if [`with`] names that line, the operation runs
//! with a weaker ordering. A test can thus take an algorithm as it is, weaken its orderings one by
//! one, and check that its models fail. An ordering that can be weakened undetected is either not
//! needed or not modelled.
//!
//! [`every_ordering_is_needed`] does that for a whole source file. It takes the list of orderings
//! from the source: each line of code that names an ordering stronger than Relaxed. An operation
//! that is added later is therefore tested automatically, and an operation stronger than its models
//! need is reported.
//!
//! An algorithm can also fail for other reasons than an ordering. Its code then asks
//! [`is_mutated`] where a mistake could be made, and [`every_mutation_is_noticed`] makes the
//! mistake and checks that a model fails.
//!
//! All state of this module is per thread: loom runs the threads of a model on the thread that
//! called it, and tests run concurrently.

use loom::sync::atomic as model;
pub use loom::sync::atomic::Ordering;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};

/// One operation, named by its source line, and the ordering that it gets instead of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weakening {
    /// End of the file's path, for example `src/queue.rs`.
    pub file: &'static str,
    pub line: u32,
    pub ordering: Ordering,
}

/// A change of an algorithm that should make its models fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// One operation has a weaker ordering.
    Weakening(Weakening),
    /// The algorithm makes the mistake of this name.
    Mutation(&'static str),
}

thread_local! {
    static CHANGE: Cell<Option<Change>> = const { Cell::new(None) };
}

/// Runs `f` on this thread with the algorithm changed.
pub fn with<R>(change: Change, f: impl FnOnce() -> R) -> R {
    /// Restores the algorithm when `f` returns or panics.
    struct Restore;
    impl Drop for Restore {
        fn drop(&mut self) {
            CHANGE.set(None);
        }
    }
    CHANGE.set(Some(change));
    let _restore = Restore;
    f()
}

/// Whether the algorithm is to make the mistake of this name.
pub fn is_mutated(name: &str) -> bool {
    matches!(CHANGE.get(), Some(Change::Mutation(mutation)) if mutation == name)
}

#[track_caller]
fn effective(ordering: Ordering) -> Ordering {
    let caller = Location::caller();
    match CHANGE.get() {
        Some(Change::Weakening(weakened))
            if weakened.line == caller.line() && caller.file().ends_with(weakened.file) =>
        {
            weakened.ordering
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

/// A pointer that threads share.
#[derive(Debug)]
pub struct AtomicPtr<T>(model::AtomicPtr<T>);

impl<T> AtomicPtr<T> {
    #[track_caller]
    pub fn new(value: *mut T) -> Self {
        AtomicPtr(model::AtomicPtr::new(value))
    }

    #[track_caller]
    pub fn load(&self, ordering: Ordering) -> *mut T {
        self.0.load(effective(ordering))
    }

    #[track_caller]
    pub fn store(&self, value: *mut T, ordering: Ordering) {
        self.0.store(value, effective(ordering));
    }
}

/// A fence; with `Relaxed` it does nothing.
#[track_caller]
pub fn fence(ordering: Ordering) {
    match effective(ordering) {
        Ordering::Relaxed => {}
        ordering => model::fence(ordering),
    }
}

/// Stands for the crate's `light_barrier`: loom has no processors to interrupt, so both sides of
/// the asymmetric barrier are SeqCst fences.
#[track_caller]
pub fn light_barrier() {
    fence(Ordering::SeqCst);
}

/// A model: explores all its interleavings and panics when one of them is wrong.
pub type Model = fn();

/// Runs the models with every weakening of `source`, the text of `file`, and panics unless each
/// weakening makes one of them fail. Name the model that fails most often first.
pub fn every_ordering_is_needed(file: &'static str, source: &str, models: &[Model]) {
    silence_expected_panics();
    let weakenings = weakenings(file, source);
    assert!(!weakenings.is_empty(), "{file} names orderings");
    let mut undetected = Vec::new();
    for weakening in weakenings {
        let change = Change::Weakening(weakening);
        match models.iter().find_map(|&model| diagnostic(change, model)) {
            Some(diagnostic) => {
                println!("{file}:{} as {:?}: {diagnostic}", weakening.line, weakening.ordering)
            }
            None => undetected.push(weakening),
        }
    }
    assert!(undetected.is_empty(), "no model notices these weaker orderings: {undetected:#?}");
}

/// Runs the models with each of the named mistakes, and panics unless each makes one of them fail.
pub fn every_mutation_is_noticed(mutations: &[&'static str], models: &[Model]) {
    silence_expected_panics();
    for &mutation in mutations {
        let noticed =
            models.iter().find_map(|&model| diagnostic(Change::Mutation(mutation), model));
        println!(
            "{mutation}: {}",
            noticed.unwrap_or_else(|| panic!("no model notices: {mutation}"))
        );
    }
}

/// Keeps the panics of weakened models off the terminal. They are expected, and the default hook's
/// backtrace overflows the stacks of loom's coroutines while it holds the lock of the test's
/// output, so that the next line printed would wait for ever.
fn silence_expected_panics() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let default = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if CHANGE.get().is_none() {
                default(panic);
            }
        }));
    });
}

/// Returns the weaker forms of all orderings that the code of `source` names, without comments and
/// tests.
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

/// Returns what `model` reports about a change, or `None` if it passes. The model runs on a
/// thread of its own, because a failed model may leave loom's state of its thread inconsistent.
fn diagnostic(change: Change, model: Model) -> Option<String> {
    let run = move || with(change, || catch_unwind(AssertUnwindSafe(model)).err());
    let panic = std::thread::spawn(run).join().unwrap_or_else(Some)?;
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()))
        .or(Some("a panic without a message".into()))
}
