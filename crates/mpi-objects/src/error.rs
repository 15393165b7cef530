//! Errors: class, cause and advice, in the words of the code that detected them.
//!
//! The first function that detects an error describes it. The C binding adds the call, its
//! arguments and the process. An [`Error`] is boxed, so `Outcome` is one machine word and the path
//! without errors tests it for null.
//!
//! The text of an error for the program has its advice, too ([`Error::description`]).
//!
//! A code given to the user is `instance << 6 | class` (at most MPI_ERR_LASTCODE, MPI 5.0 §9.4).
//! The newest 254 descriptions stay readable through `MPI_Error_string`.

use crate::abi;
use crate::advice;
pub use crate::error_class::ErrorClass;
use crate::handle::{Comm, Dead, File, Session, Win};
use std::borrow::Cow;
use std::fmt;

/// Result of an operation that may fail with an MPI error.
pub type Outcome<T = ()> = Result<T, Box<Error>>;

/// An MPI error: its class, its cause, and how the user may avoid it.
///
/// [`Display`](fmt::Display) prints class, cause and advice in one line; the C layer adds the call
/// with its arguments and the process.
///
/// # Examples
/// ```
/// use nemesis_mpi_objects::{abi, error::Error};
///
/// let error = Error::new(abi::MPI_ERR_COUNT, "count is -1, it must not be negative");
/// assert_eq!(error.class, abi::MPI_ERR_COUNT);
/// assert_eq!(error.to_string(), "MPI_ERR_COUNT: count is -1, it must not be negative");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Error {
    /// Error class (`abi::MPI_ERR_…`).
    pub class: ErrorClass,
    /// Why, in a sentence fragment without a full stop: "count is -1, it must not be negative".
    pub why: Cow<'static, str>,
    /// What to try, as an imperative or a command; empty if there is no useful advice.
    pub advice: Cow<'static, str>,
    /// A code that must reach the user unchanged: from a user's callback, or of a user-defined
    /// class.
    pub code: Option<i32>,
    /// The communicator of the error, if it is not among the call's arguments (a request's).
    pub raise_on: Option<Comm>,
    /// The window of an access that failed later than its call.
    pub window: Option<Win>,
    /// The file of an operation that failed later than its call.
    pub file: Option<File>,
    /// The session of the error, if no object of the call has an error handler.
    pub session: Option<Session>,
    /// The class that the error handler receives in place of `class`: that of the failed request,
    /// if the call itself returns MPI_ERR_IN_STATUS.
    pub cause: Option<ErrorClass>,
}

/// Longest text of `MPI_Error_string`, without its NUL.
const DESCRIPTION_BYTES_MAX: usize = abi::MPI_MAX_ERROR_STRING as usize - 1;
/// Stands for the end of a cause that is too long.
const CUT: &str = "...";

impl Error {
    /// Creates an error of `class` that `why` explains.
    #[cold]
    pub fn new(class: ErrorClass, why: impl Into<Cow<'static, str>>) -> Box<Error> {
        Box::new(Error {
            class,
            why: why.into(),
            advice: Cow::Borrowed(""),
            code: None,
            raise_on: None,
            window: None,
            file: None,
            session: None,
            cause: None,
        })
    }

    /// Creates the error of a user callback that returned `code`. The code reaches the caller
    /// unchanged.
    #[cold]
    pub fn callback(code: i32, why: impl Into<Cow<'static, str>>) -> Box<Error> {
        let mut error = Error::new(abi::MPI_ERR_OTHER, why)
            .advise("look at why this function of the program refuses; MPI_SUCCESS lets it go on");
        error.code = Some(code);
        error
    }

    /// Adds what the user may try.
    #[cold]
    pub fn advise(mut self: Box<Self>, advice: impl Into<Cow<'static, str>>) -> Box<Error> {
        self.advice = advice.into();
        self
    }

    /// Names the limit that may be why the system has refused a process, a thread or memory, if one
    /// is known: its value, and what to try.
    #[cold]
    pub fn with_limit(mut self: Box<Self>, refused: &std::io::Error) -> Box<Error> {
        if let Some(reached) = nemesis_sys::limits::behind(refused) {
            self.why = reached.added_to(&self.why).into();
            self.advice = reached.advice.into();
        }
        self
    }

    /// Sets the communicator on which the error is raised.
    #[cold]
    pub fn on(mut self: Box<Self>, comm: Comm) -> Box<Error> {
        self.raise_on = Some(comm);
        self
    }

    /// Sets the file on which the error is raised, instead of any communicator or window.
    #[cold]
    pub fn on_file(mut self: Box<Self>, file: File) -> Box<Error> {
        (self.raise_on, self.window, self.file) = (None, None, Some(file));
        self
    }

    /// Returns what the user may try: the advice of this error, or what helps against most errors
    /// of the class that the error handler receives.
    pub fn remedy(&self) -> &str {
        match &*self.advice {
            "" => advice::usual(self.cause.unwrap_or(self.class)),
            advice => advice,
        }
    }

    /// Returns the text for `MPI_Error_string`: `WHAT: why; try: advice`, where `what` is the call
    /// with its arguments, or empty. The text is shorter than `MPI_MAX_ERROR_STRING`. If the whole
    /// is too long, the arguments of the call are left out, then the end of advice that is longer
    /// than half of the text, then the end of the cause.
    #[cold]
    pub fn description(&self, what: &str) -> String {
        let text = |what: &str, why: &str, remedy: &str| {
            let what = if what.is_empty() { String::new() } else { format!("{what}: ") };
            format!("{what}{why}; try: {remedy}")
        };
        let (why, remedy) = (&*self.why, self.remedy());
        let name = what.find('(').map_or("", |at| &what[..at]);
        let short_remedy = &remedy[..remedy.floor_char_boundary(DESCRIPTION_BYTES_MAX / 2)];
        let mut excess = 0;
        for (what, remedy) in [(what, remedy), (name, remedy), (name, short_remedy)] {
            let text = text(what, why, remedy);
            match text.len().checked_sub(DESCRIPTION_BYTES_MAX) {
                None | Some(0) => return text,
                Some(bytes) => excess = bytes,
            }
        }
        let kept = why.floor_char_boundary(why.len().saturating_sub(excess + CUT.len()));
        text(name, &format!("{}{CUT}", &why[..kept]), short_remedy)
    }

    /// Creates an error of `class` (`abi::MPI_ERR_COMM`, …) for a handle that names no object.
    #[cold]
    pub fn dead(class: ErrorClass, dead: Dead) -> Box<Error> {
        Error::new(class, dead.why()).advise(dead.advice())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.class, self.why)?;
        if !self.advice.is_empty() {
            write!(f, "; {}", self.advice)?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

impl ErrorClass {
    /// Returns the name of a predefined class, such as `MPI_ERR_COUNT`.
    pub fn name(self) -> Option<&'static str> {
        let mut names = abi::ERROR_CLASS_NAMES.iter();
        names.find(|(class, _)| *class == self).map(|(_, name)| *name)
    }
}

impl fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "error class {}", self.value()),
        }
    }
}

impl fmt::Debug for ErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_printed_with_its_class_and_advice() {
        let error = Error::new(abi::MPI_ERR_TAG, "tag is -5").advise("use a tag from 0 on");
        assert_eq!(error.to_string(), "MPI_ERR_TAG: tag is -5; use a tag from 0 on");
        assert_eq!(ErrorClass(20000).to_string(), "error class 20000");
    }

    #[test]
    fn a_description_has_call_cause_and_advice() {
        let error = Error::new(abi::MPI_ERR_TAG, "tag is -5").advise("use a tag from 0 on");
        assert_eq!(
            error.description("f(tag=-5)"),
            "f(tag=-5): tag is -5; try: use a tag from 0 on"
        );
        assert_eq!(error.description(""), "tag is -5; try: use a tag from 0 on");
        let usual = Error::new(abi::MPI_ERR_ROOT, "root is 9").description("f()");
        assert!(usual.starts_with("f(): root is 9; try: give all processes the same root"));
    }

    #[test]
    fn a_long_description_keeps_cause_and_advice() {
        let arguments = format!("f({})", "a=1, ".repeat(100));
        let error = Error::new(abi::MPI_ERR_TAG, "tag is -5").advise("use a tag from 0 on");
        assert_eq!(error.description(&arguments), "f: tag is -5; try: use a tag from 0 on");
        let most = abi::MPI_MAX_ERROR_STRING as usize - 1;
        for bytes in most - 50..most + 50 {
            let error = Error::new(abi::MPI_ERR_TAG, "é".repeat(bytes / 2)).advise("this");
            let text = error.description(&arguments);
            assert!(text.len() <= most && text.len() + 8 > most.min(bytes), "{text}");
            assert!(text.starts_with("f: é") && text.ends_with("; try: this"), "{text}");
            let error = Error::new(abi::MPI_ERR_TAG, "this").advise("é".repeat(bytes));
            assert!(error.description("f()").len() <= most);
        }
        let error = Error::new(abi::MPI_ERR_TAG, "tag is -5").advise("a".repeat(most / 2 + 50));
        let text = error.description(&arguments);
        assert_eq!(text, format!("f: tag is -5; try: {}", error.advice));
    }
}
