//! Functions of the program that MPI calls, and the calls of MPI that they must not make.
//!
//! | function | must not | MPI 5.0 |
//! |---|---|---|
//! | of an operation (`MPI_Op_create`) | communicate | §6.9.5 |
//! | that converts (`MPI_Register_datarep`) | call collectives, free its datatype | §14.5.3 |
//!
//! The standard forbids nothing to the functions of attributes and of generalized requests, and to
//! error handlers. This library runs callbacks of tools where everything is permitted (§15.3.8).

use crate::kinds::CALLBACK;
use crate::{CallSite, call_of, found, found_with, is_on, sites};
use std::cell::Cell;

/// A kind of functions of the program, and what such a function must not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// Reduces: must not communicate.
    Reduction,
    /// Converts data of a file: must not call collective routines.
    Conversion,
}

impl Function {
    /// Returns the function in words.
    fn words(self) -> &'static str {
        match self {
            Function::Reduction => "the function of an operation",
            Function::Conversion => "a conversion function",
        }
    }
}

/// A function of the program that a thread runs.
#[derive(Clone, Copy)]
struct Running {
    function: Function,
    /// The call of MPI that runs it.
    by: Option<CallSite>,
    /// The call that named it.
    named: Option<CallSite>,
}

thread_local! {
    /// The innermost function of the program that this thread runs for MPI.
    static RUNNING: Cell<Option<Running>> = const { Cell::new(None) };
}

/// Runs a function of the program. `named` returns the call of MPI that named the function.
#[inline]
pub fn run<R>(
    function: Function,
    named: impl FnOnce() -> Option<CallSite>,
    run: impl FnOnce() -> R,
) -> R {
    if !is_on() {
        return run();
    }
    let outer = RUNNING.replace(Some(Running { function, by: sites::here(), named: named() }));
    let outcome = run();
    RUNNING.set(outer);
    outcome
}

/// Notes that the present call of MPI communicates.
#[cold]
pub fn communicates() {
    refuse(|function| function == Function::Reduction);
}

/// Notes that the present call of MPI is a collective operation.
#[cold]
pub fn is_collective() {
    refuse(|_| true);
}

/// Tells the present call if the function that makes it is one of those that must not make it.
fn refuse(must_not: impl FnOnce(Function) -> bool) {
    let Some(Running { function, by, named }) = RUNNING.get() else { return };
    if !must_not(function) {
        return;
    }
    let by = by.map_or_else(String::new, |by| format!(", which {} runs", by.function));
    tell(format!("made by {}{by}", function.words()), named);
}

/// Tells that a conversion function has freed the datatype that it was given. `named`: the call
/// that named the function.
#[cold]
pub fn has_freed_datatype(named: Option<CallSite>) {
    tell("runs a conversion function that frees the datatype it is given".into(), named);
}

/// Tells a finding of the present call of MPI.
fn tell(text: String, named: Option<CallSite>) {
    match named {
        None => found(&CALLBACK, sites::here(), 1, text),
        Some(named) => {
            let text = format!("{text}; it was given to");
            found_with(&CALLBACK, sites::here(), 1, text, Some(call_of(named)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_is_known_while_it_runs() {
        crate::turn_on(0, 1, None);
        let running = || RUNNING.get().map(|running| running.function);
        run(
            Function::Conversion,
            || None,
            || {
                assert_eq!(running(), Some(Function::Conversion));
                run(
                    Function::Reduction,
                    || None,
                    || {
                        assert_eq!(running(), Some(Function::Reduction));
                    },
                );
                assert_eq!(running(), Some(Function::Conversion));
                let elsewhere = std::thread::spawn(|| RUNNING.get().is_none()).join();
                assert!(elsewhere.unwrap(), "other threads do not run it");
            },
        );
        assert_eq!(running(), None);
    }
}
