//! The two macros of which the generated bindings consist.
//!
//! `binding!` makes one MPI function under its two names. The implementation is inlined into both,
//! so that neither public name depends on the other and a tool may replace either. Without an
//! error, a binding costs the implementation's call and a test for null. Only the cold branch
//! captures, by value, what an error message needs.
//!
//! ```text
//! binding! {
//!     MPI_Send PMPI_Send(buf: *const c_void as buffer, count: c_int as int, …)
//!     on Raise::Comm(comm) =>                     the object whose error handler is called
//!     { impls::send(UserBuffer::new(buf), …) }   an Outcome
//! }
//! ```
//!
//! With `first { … } in_lane { … } rest { … }` instead of one block, the first block is the fast
//! path: it returns `Fast::Done` if it has completed the call. Otherwise the second block is the
//! fast path while there are several lanes, and the third one continues or begins the call. These
//! two are functions with equal arguments, so that no block saves registers for the next.
//! The binding stays on the stack meanwhile, where the state report looks for its name.
//!
//! The word after `as` is the function of `show` that prints the argument. `code` turns the
//! standard's error code into one of the ABI. `show`, `code` and the types are resolved where the
//! macro is used.

#![allow(unsafe_code)]

/// Whether the function of `show` with this name prints a choice buffer.
pub const fn is_buffer(show: &str) -> bool {
    matches!(show.as_bytes(), b"buffer")
}

/// Whether a function makes itself again where it finds memory of devices, behind its fast path.
/// Two copies of a fast path that is as long as theirs would not be inlined.
pub const fn repeats_itself(function: &str) -> bool {
    matches!(function.as_bytes(), b"MPI_Fetch_and_op" | b"MPI_Compare_and_swap")
}

pub use nemesis_mpi::lanes::may_be_open as may_lanes_be_open;

/// Keeps the call before it from becoming a tail call.
#[inline(always)]
pub fn stay() {
    nemesis_sync::light_barrier();
}

#[macro_export]
macro_rules! binding {
    // A function without a profiling name.
    (
        only $mpi:ident($($arg:ident: $type:ty as $show:ident),* $(,)?)
        on $raise:expr => $body:block
    ) => {
        const _: () = {
            $crate::binding!(@whole $mpi($($arg: $type as $show),*) on $raise => $body);
            $crate::binding!(@export $mpi = whole($($arg: $type),*));
        };
    };
    (
        $mpi:ident $pmpi:ident($($arg:ident: $type:ty as $show:ident),* $(,)?)
        on $raise:expr => first $first:block in_lane $in_lane:block rest $body:block
    ) => {
        const _: () = {
            $crate::binding!(@whole $mpi($($arg: $type as $show),*) on $raise => $body);

            #[inline(never)]
            unsafe extern "C" fn rest($($arg: $type),*) -> c_int {
                // SAFETY: the caller's promises to the MPI function.
                unsafe { whole($($arg),*) }
            }

            #[inline(never)]
            unsafe extern "C" fn in_lane($($arg: $type),*) -> c_int {
                // SAFETY: as above.
                unsafe {
                    if let $crate::Fast::Done(()) = $in_lane {
                        return 0;
                    }
                    rest($($arg),*)
                }
            }

            #[inline(always)]
            unsafe fn parts($($arg: $type),*) -> c_int {
                // SAFETY: as above.
                unsafe {
                    if let $crate::Fast::Done(()) = $first {
                        return 0;
                    }
                    let code = if $crate::binding::may_lanes_be_open() {
                        in_lane($($arg),*)
                    } else {
                        rest($($arg),*)
                    };
                    $crate::binding::stay();
                    code
                }
            }

            $crate::binding!(@export $mpi = parts($($arg: $type),*));
            $crate::binding!(@export $pmpi = parts($($arg: $type),*));
        };
    };
    (
        $mpi:ident $pmpi:ident($($arg:ident: $type:ty as $show:ident),* $(,)?)
        on $raise:expr => $body:block
    ) => {
        const _: () = {
            $crate::binding!(@whole $mpi($($arg: $type as $show),*) on $raise => $body);
            $crate::binding!(@export $mpi = whole($($arg: $type),*));
            $crate::binding!(@export $pmpi = whole($($arg: $type),*));
        };
    };
    (@whole $mpi:ident($($arg:ident: $type:ty as $show:ident),*) on $raise:expr => $body:block) => {
        #[inline(always)]
        #[allow(unused_variables)]
        unsafe fn converted($($arg: $type),*) -> $crate::Outcome {
            // SAFETY: the caller's promises to the MPI function are those of the parameters' types.
            #[allow(unused_unsafe)]
            unsafe { $body }
        }

        /// The call from its beginning, after buffers were found to be memory of devices.
        #[cold]
        #[inline(never)]
        unsafe fn again($($arg: $type),*) -> $crate::Outcome {
            // SAFETY: as above.
            unsafe { converted($($arg),*) }
        }

        #[inline(always)]
        unsafe fn whole($($arg: $type),*) -> c_int {
            const HAS_BUFFERS: bool = !$crate::binding::repeats_itself(stringify!($mpi))
                && (false $(|| $crate::binding::is_buffer(stringify!($show)))*);
            // SAFETY: as above.
            match unsafe { converted($($arg),*) } {
                Ok(()) => 0,
                Err(mut error) => {
                    if HAS_BUFFERS && $crate::staging::is_retry(&error) {
                        // SAFETY: as above. Nothing has happened yet, so the promises still hold.
                        match $crate::staging::again(move || unsafe { again($($arg),*) }) {
                            Ok(()) => return 0,
                            Err(refused) => error = refused,
                        }
                    }
                    // SAFETY: as above; handles are read through the function's own arguments.
                    #[allow(unused_unsafe)]
                    let raise = unsafe { $raise };
                    #[allow(unused_variables, unused_unsafe)]
                    let describe = move |call: &mut $crate::errors::Call| {
                        // SAFETY: strings are the caller's C strings; other kinds read no memory.
                        $(unsafe { show::$show(call, stringify!($arg), $arg) };)*
                    };
                    code($crate::errors::fail(error, raise, stringify!($mpi), &describe))
                }
            }
        }
    };
    (@export $name:ident = $call:ident($($arg:ident: $type:ty),*)) => {
        /// # Safety
        /// The arguments are what the MPI standard asks of this function's caller.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($arg: $type),*) -> c_int {
            // SAFETY: the caller's promise.
            unsafe { $call($($arg),*) }
        }
    };
}

/// A function that returns a value and cannot fail.
#[macro_export]
macro_rules! direct {
    ($mpi:ident $pmpi:ident($($arg:ident: $type:ty),*) -> $ret:ty $body:block) => {
        $crate::c_functions! {
            fn $mpi($($arg: $type),*) -> $ret $body
            fn $pmpi($($arg: $type),*) -> $ret $body
        }
    };
}
