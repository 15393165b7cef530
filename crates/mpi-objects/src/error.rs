//! Errors: class, cause and advice, in the words of the code that detected them.
//!
//! The first function that detects an error describes it. The C binding adds the call, its
//! arguments and the process. An [`Error`] is boxed, so `Outcome` is one machine word and the path
//! without errors tests it for null.
//!
//! A code given to the user is `instance << 6 | class` (at most MPI_ERR_LASTCODE, MPI 5.0 §9.4).
//! The newest 254 descriptions stay readable through `MPI_Error_string`.

use crate::abi;
use crate::handle::Dead;
use std::borrow::Cow;

pub type Outcome<T = ()> = Result<T, Box<Error>>;

#[derive(Debug, Clone, PartialEq)]
pub struct Error {
    /// Error class (`abi::MPI_ERR_…`).
    pub class: i32,
    /// Why, in a sentence fragment without a full stop: "count is -1, it must not be negative".
    pub why: Cow<'static, str>,
    /// What to try, as an imperative or a command; empty when there is nothing sensible to say.
    pub advice: Cow<'static, str>,
    /// A code that must reach the user unchanged: from a user's callback, or of a user-defined
    /// class.
    pub code: Option<i32>,
    /// The communicator of the error, if it is not among the call's arguments (a request's).
    pub raise_on: Option<crate::handle::Comm>,
    /// The window of an access that failed later than its call.
    pub window: Option<crate::handle::Win>,
    /// The session of the error, if no object of the call has an error handler.
    pub session: Option<crate::handle::Session>,
    /// The class that the error handler receives in place of `class`: that of the failed request,
    /// if the call itself returns MPI_ERR_IN_STATUS.
    pub cause: Option<i32>,
}

impl Error {
    #[cold]
    pub fn new(class: i32, why: impl Into<Cow<'static, str>>) -> Box<Error> {
        Box::new(Error {
            class,
            why: why.into(),
            advice: Cow::Borrowed(""),
            code: None,
            raise_on: None,
            window: None,
            session: None,
            cause: None,
        })
    }

    /// Creates the error of a user callback that returned `code`. The code reaches the caller
    /// unchanged.
    #[cold]
    pub fn callback(code: i32, why: impl Into<Cow<'static, str>>) -> Box<Error> {
        let mut error = Error::new(abi::MPI_ERR_OTHER, why);
        error.code = Some(code);
        error
    }

    #[cold]
    pub fn advise(mut self: Box<Self>, advice: impl Into<Cow<'static, str>>) -> Box<Error> {
        self.advice = advice.into();
        self
    }

    #[cold]
    pub fn on(mut self: Box<Self>, comm: crate::handle::Comm) -> Box<Error> {
        self.raise_on = Some(comm);
        self
    }

    /// Creates an error of `class` (`abi::MPI_ERR_COMM`, …) for a handle that names no object.
    #[cold]
    pub fn dead(class: i32, dead: Dead) -> Box<Error> {
        Error::new(class, dead.why())
    }
}
