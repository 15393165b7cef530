//! Virtual processes: several processes of a job in one process of the system, for simulations.
//!
//! What belongs to a process as a whole is a static, declared by
//! [`per_process!`](crate::per_process). A simulation makes one [`VirtualProcess`] for each rank
//! and names the one that runs ([`VirtualProcess::enter`]); every such static then has another
//! value in each of them. Outside a simulation there is one value, at a constant address, and
//! asking costs a load and a test.
//!
//! A virtual process does not wait by itself. Where a process would yield its processor or sleep,
//! it calls its [`Host`], which lets others run and tells the time of the simulation.
//!
//! ```
//! use nemesis_sys::per_process;
//! use nemesis_sys::virtual_process::{Host, VirtualProcess};
//! use std::sync::Mutex;
//! use std::time::Duration;
//!
//! per_process! {
//!     static RANK: Mutex<u32> = Mutex::new(0);
//! }
//!
//! struct Idle;
//!
//! impl Host for Idle {
//!     fn yield_now(&self) {}
//!     fn wait(&self, _: &dyn Fn() -> bool, _: Duration) {}
//!     fn nap(&self, _: Duration) {}
//!     fn now(&self) -> Duration {
//!         Duration::ZERO
//!     }
//!     fn exit(&self, code: i32) -> ! {
//!         panic!("{code}")
//!     }
//! }
//!
//! let other = VirtualProcess::new(Box::new(Idle));
//! other.enter(|| *RANK.lock().unwrap() = 1);
//! assert_eq!((*RANK.lock().unwrap(), other.enter(|| *RANK.lock().unwrap())), (0, 1));
//! ```

use crate::mutations::Mutation;
use std::any::Any;
use std::cell::Cell;
use std::ops::Deref;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Whether this process has ever made a virtual one.
static ANY: OnceLock<()> = OnceLock::new();

thread_local! {
    static CURRENT: Cell<Option<&'static VirtualProcess>> = const { Cell::new(None) };
}

/// What a virtual process asks of the simulation that runs it.
pub trait Host: Send + Sync {
    /// Lets other processes run.
    fn yield_now(&self);

    /// Sleeps until `is_over` returns true or something arrives by a network, at most for `limit`.
    fn wait(&self, is_over: &dyn Fn() -> bool, limit: Duration);

    /// Sleeps until `is_over` returns true, at most for `limit`: for what another thread of the
    /// process does.
    fn rest(&self, is_over: &dyn Fn() -> bool, limit: Duration) {
        self.wait(is_over, limit);
    }

    /// Lets other threads of the process run, or does not: they may have processors of their own,
    /// so that anything happens before a thread enters the library.
    fn preempt(&self) {}

    /// Sleeps for a time.
    fn nap(&self, time: Duration);

    /// Returns the time of the simulation.
    fn now(&self) -> Duration;

    /// Ends the process with an exit code.
    fn exit(&self, code: i32) -> !;

    /// Returns whether a place that has this mutation shall do the wrong thing now. Asked in builds
    /// with debug assertions alone.
    fn strikes(&self, mutation: Mutation) -> bool {
        let _ = mutation;
        false
    }
}

/// A process of a simulation.
pub struct VirtualProcess {
    host: Box<dyn Host>,
    /// The values of statics, by the address of the static.
    values: Mutex<Vec<(usize, Value)>>,
}

type Value = &'static (dyn Any + Send + Sync);

impl std::fmt::Debug for VirtualProcess {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VirtualProcess").finish_non_exhaustive()
    }
}

impl VirtualProcess {
    /// Makes a process. It stays in memory, because values of statics are borrowed for `'static`.
    pub fn new(host: Box<dyn Host>) -> &'static VirtualProcess {
        ANY.get_or_init(|| ());
        Box::leak(Box::new(VirtualProcess { host, values: Mutex::new(Vec::new()) }))
    }

    /// Runs `f` as this process.
    pub fn enter<R>(&'static self, f: impl FnOnce() -> R) -> R {
        struct Former(Option<&'static VirtualProcess>);
        impl Drop for Former {
            fn drop(&mut self) {
                CURRENT.set(self.0);
            }
        }
        let _former = Former(CURRENT.replace(Some(self)));
        f()
    }

    /// Returns this process's value of a static, which `make` makes first.
    fn value<T: Send + Sync + 'static>(&self, of: usize, make: fn() -> T) -> &'static T {
        let find = |values: &[(usize, Value)]| {
            values.iter().find(|(address, _)| *address == of).map(|(_, value)| *value)
        };
        let lock = || self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let found = find(&lock());
        let value = found.unwrap_or_else(|| {
            // Unlocked, because `make` may ask for other values.
            let made: Value = Box::leak(Box::new(make()));
            let mut values = lock();
            find(&values).unwrap_or_else(|| {
                values.push((of, made));
                made
            })
        });
        value.downcast_ref().expect("one static has one type")
    }
}

/// Returns the virtual process that runs on this thread; `None` outside a simulation.
#[inline]
pub fn current() -> Option<&'static VirtualProcess> {
    ANY.get().and_then(|()| CURRENT.get())
}

/// Lets other processes of a simulation run. Returns false outside of one.
#[inline]
pub fn yield_now() -> bool {
    current().map(|process| process.host.yield_now()).is_some()
}

/// Sleeps in a simulation, as [`Host::wait`] does. Returns false outside of one.
#[inline]
pub fn wait(is_over: impl Fn() -> bool, limit: Duration) -> bool {
    current().map(|process| process.host.wait(&is_over, limit)).is_some()
}

/// Sleeps in a simulation, as [`Host::rest`] does. Returns false outside of one.
#[inline]
pub fn rest(is_over: impl Fn() -> bool, limit: Duration) -> bool {
    current().map(|process| process.host.rest(&is_over, limit)).is_some()
}

/// Lets other threads run before this one enters the library, as [`Host::preempt`] does.
#[inline]
pub fn preempt() {
    if let Some(process) = current() {
        process.host.preempt();
    }
}

/// Returns whether the simulation wants a mutation to strike now; false outside of one.
#[inline(never)]
pub(crate) fn mutation_strikes(mutation: Mutation) -> bool {
    current().is_some_and(|process| process.host.strikes(mutation))
}

/// Sleeps for a time: of the simulation, if there is one.
pub fn nap(time: Duration) {
    match current() {
        Some(process) => process.host.nap(time),
        None => std::thread::sleep(time),
    }
}

/// Ends the process: of the simulation, if there is one.
pub fn exit(code: i32) -> ! {
    match current() {
        Some(process) => process.host.exit(code),
        None => std::process::exit(code),
    }
}

/// Returns the time: of the simulation, if there is one.
#[inline]
pub fn now() -> Instant {
    match current() {
        Some(process) => start() + process.host.now(),
        None => Instant::now(),
    }
}

/// Returns the time since a moment of [`now`].
#[inline]
pub fn since(then: Instant) -> Duration {
    now().saturating_duration_since(then)
}

/// The moment from which times of simulations count.
#[cold]
fn start() -> Instant {
    static START: OnceLock<Instant> = OnceLock::new();
    *START.get_or_init(Instant::now)
}

/// A static that has one value in each process. Made by [`per_process!`](crate::per_process).
#[derive(Debug)]
pub struct PerProcess<T> {
    own: T,
    make: fn() -> T,
}

impl<T: Send + Sync + 'static> PerProcess<T> {
    /// Makes the static of a value. `make` makes the same value again.
    pub const fn new(own: T, make: fn() -> T) -> PerProcess<T> {
        PerProcess { own, make }
    }

    /// Returns the value outside of simulations, at a constant address.
    #[inline(always)]
    pub const fn own(&'static self) -> &'static T {
        &self.own
    }

    /// Returns the value of the virtual process that runs; `None` outside a simulation.
    pub fn of_current(&'static self) -> Option<&'static T> {
        let of = std::ptr::from_ref(self).addr();
        current().map(|process| process.value(of, self.make))
    }
}

impl<T: Send + Sync + 'static> Deref for PerProcess<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match current() {
            None => &self.own,
            Some(process) => process.value(std::ptr::from_ref(self).addr(), self.make),
        }
    }
}

/// Declares static variables that have one value in each virtual process
/// ([`virtual_process`](crate::virtual_process)).
#[macro_export]
macro_rules! per_process {
    ($($(#[$attribute:meta])* $visibility:vis static $name:ident: $type:ty = $value:expr;)+) => {
        $(
            $(#[$attribute])*
            $visibility static $name: $crate::virtual_process::PerProcess<$type> =
                $crate::virtual_process::PerProcess::new($value, || $value);
        )+
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Clock(Duration);

    impl Host for Clock {
        fn yield_now(&self) {}
        fn wait(&self, _: &dyn Fn() -> bool, _: Duration) {}
        fn nap(&self, _: Duration) {}
        fn now(&self) -> Duration {
            self.0
        }
        fn exit(&self, code: i32) -> ! {
            panic!("exit code {code}")
        }
    }

    per_process! {
        static NAMES: Mutex<Vec<String>> = Mutex::new(Vec::new());
    }

    #[test]
    fn every_process_has_its_value_and_its_time() {
        let make = |seconds| VirtualProcess::new(Box::new(Clock(Duration::from_secs(seconds))));
        let (one, two) = (make(1), make(5));
        one.enter(|| {
            NAMES.lock().unwrap().push("one".into());
            two.enter(|| NAMES.lock().unwrap().push("two".into()));
            assert_eq!(*NAMES.lock().unwrap(), ["one"]);
        });
        assert_eq!(two.enter(|| NAMES.lock().unwrap().clone()), ["two"]);
        assert!(NAMES.lock().unwrap().is_empty());
        assert_eq!(two.enter(now) - one.enter(now), Duration::from_secs(4));
        assert!(one.enter(yield_now) && !yield_now());
    }

    #[test]
    #[should_panic(expected = "exit code 3")]
    fn an_exit_ends_the_virtual_process() {
        VirtualProcess::new(Box::new(Clock(Duration::ZERO))).enter(|| exit(3));
    }
}
