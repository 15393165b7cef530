//! The model checker's atomics, with one ordering broken on purpose (only under `--cfg loom`).
//!
//! A model that passes shows little as long as nobody has seen it fail. These types are loom's atomics; each operation asks where it stands in
//! the source, and when that is the place that [`with`] names, it runs with a weaker ordering. So a test can take an algorithm as it is, break
//! one of its orderings after the other, and see that its models notice: an ordering that can be broken unnoticed is either not needed or not
//! modelled.
//!
//! Everything here is per thread: loom runs the threads of a model on the thread that called it, and tests run side by side.

use loom::sync::atomic as model;
pub use loom::sync::atomic::Ordering;
use std::cell::Cell;
use std::panic::Location;

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
        Some(broken) if broken.line == here.line() && here.file().ends_with(broken.file) => broken.ordering,
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
            pub fn compare_exchange(&self, old: $value, new: $value, success: Ordering, failure: Ordering) -> Result<$value, $value> {
                self.0.compare_exchange(old, new, effective(success), failure)
            }

            #[track_caller]
            pub fn compare_exchange_weak(&self, old: $value, new: $value, success: Ordering, failure: Ordering) -> Result<$value, $value> {
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
