//! Error classes and codes, and their texts (MPI 5.0 §9.4, §9.5).
//!
//! There are three ranges:
//!
//! ```text
//!   0..=62, 1001..=1018    predefined classes, with the texts of the table below
//!   instance << 6 | class  an error that has occurred: a ring keeps the newest 254 descriptions;
//!                          at most MPI_ERR_LASTCODE (16383)
//!   16384..                classes and codes that the program added, numbered in one sequence
//!   65536..=81919          extensions: 65536 plus a class of 1..=63, or plus instance << 6 | class
//! ```
//!
//! The standard ABI reserves what it does not use up to 16384. The sequence of added ones leaves
//! out the range of the extensions.
//!
//! Instance 15 is not used: its codes, 960..1023, would overlap those of MPI_T. All functions work
//! before MPI is initialized and after it is finalized, from any thread.

use crate::abi;
use crate::error::{Error, ErrorClass, Outcome};
use nemesis_sync::{AtomicU32, Ordering};
use nemesis_sys::per_process;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::{Mutex, MutexGuard, PoisonError};

const CLASS_BITS: u32 = 6;
const CLASS_MASK: i32 = (1 << CLASS_BITS) - 1;
/// The last instance; the instances are 1..=255 without [`TOOL_INSTANCE`].
const LAST_INSTANCE: i32 = abi::MPI_ERR_LASTCODE >> CLASS_BITS;
/// Codes of the tool interface, which are classes.
const TOOL_CODES: RangeInclusive<i32> =
    abi::MPI_T_ERR_CANNOT_INIT.value()..=abi::MPI_T_ERR_PVAR_NO_ATOMIC.value();
const TOOL_INSTANCE: i32 = abi::MPI_T_ERR_CANNOT_INIT.value() >> CLASS_BITS;
/// First class or code that a program adds.
const FIRST_ADDED: i32 = abi::MPI_ERR_LASTCODE + 1;

/// Codes of the extensions' classes: this plus a code of the layout of predefined classes.
pub const EXTENSIONS: i32 = 1 << 16;
const EXTENSION_CODES: RangeInclusive<i32> = EXTENSIONS..=EXTENSIONS + abi::MPI_ERR_LASTCODE;

/// Returns a code without the offset of the extensions, and the offset.
const fn without_offset(code: i32) -> (i32, i32) {
    let is_extension = code >= EXTENSIONS && code <= EXTENSIONS + abi::MPI_ERR_LASTCODE;
    if is_extension { (code - EXTENSIONS, EXTENSIONS) } else { (code, 0) }
}

struct Codes {
    /// The instance of the newest description.
    newest: i32,
    /// Class and description of recent errors, by instance.
    recent: BTreeMap<i32, (ErrorClass, String)>,
    added: BTreeMap<i32, Added>,
}

/// A class or a code that the program has added; a class is its own class.
struct Added {
    class: ErrorClass,
    text: Option<String>,
}

per_process! {
    static CODES: Mutex<Codes> =
        Mutex::new(Codes { newest: 0, recent: BTreeMap::new(), added: BTreeMap::new() });

    /// Value of the attribute MPI_LASTUSEDCODE. The program holds its address and reads it at any
    /// time; it changes under the lock of [`CODES`].
    static LAST_USED: AtomicU32 = AtomicU32::new(abi::MPI_ERR_LASTCODE as u32);
}

fn codes() -> MutexGuard<'static, Codes> {
    // Every change below is complete before anything can panic.
    CODES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps the description of an error and returns the code by which the program finds it. The
/// description of the error 254 errors ago is dropped.
pub fn remember(class: ErrorClass, description: String) -> i32 {
    let (value, offset) = without_offset(class.value());
    if !(0..=CLASS_MASK).contains(&value) {
        return class.value();
    }
    let mut codes = codes();
    codes.newest = match codes.newest + 1 {
        TOOL_INSTANCE => TOOL_INSTANCE + 1,
        past if past > LAST_INSTANCE => 1,
        next => next,
    };
    let instance = codes.newest;
    codes.recent.insert(instance, (class, description));
    offset + (instance << CLASS_BITS | value)
}

/// `MPI_Error_class`: returns the class of a code; `None` for a number that is no code.
pub fn class_of(code: i32) -> Option<ErrorClass> {
    if EXTENSION_CODES.contains(&code) {
        return extension_of(code);
    }
    if code >= FIRST_ADDED {
        return codes().added.get(&code).map(|added| added.class);
    }
    let class = match code {
        0..=CLASS_MASK | abi::MPI_ERR_LASTCODE => code,
        _ if TOOL_CODES.contains(&code) => code,
        // Success has no instances, and other classes have those that were returned before.
        0.. if code & CLASS_MASK != abi::MPI_SUCCESS
            && codes().recent.contains_key(&(code >> CLASS_BITS)) =>
        {
            code & CLASS_MASK
        }
        _ => return None,
    };
    Some(ErrorClass(class)).filter(|class| class.name().is_some())
}

/// Returns the class of a code in the range of the extensions.
fn extension_of(code: i32) -> Option<ErrorClass> {
    let (within, offset) = without_offset(code);
    let class = ErrorClass(offset + (within & CLASS_MASK));
    let instance = within >> CLASS_BITS;
    let is_known = instance == 0 || codes().recent.contains_key(&instance);
    Some(class).filter(|class| is_known && class.name().is_some())
}

/// `MPI_Error_string`: returns the description of the error while it is kept, otherwise the text of
/// its class.
pub fn text_of(code: i32) -> Option<String> {
    let class = class_of(code)?;
    let codes = codes();
    if let Some(added) = codes.added.get(&code) {
        return Some(added.text.clone().unwrap_or_default());
    }
    match codes.recent.get(&(without_offset(code).0 >> CLASS_BITS)) {
        Some((recent, text)) if *recent == class && code != class.value() => Some(text.clone()),
        _ => Some(named_text(class)),
    }
}

/// `MPI_Add_error_class`: returns a new class.
pub fn add_class() -> i32 {
    let mut codes = codes();
    let class = codes.next();
    codes.added.insert(class, Added { class: ErrorClass(class), text: None });
    class
}

/// `MPI_Add_error_code`: returns a new code of a class.
pub fn add_code(class: i32) -> Outcome<i32> {
    let mut codes = codes();
    let class = ErrorClass(class);
    if class.name().is_none() && !codes.has_added_class(class) {
        let why = format!("{} is no error class", class.value());
        return Err(Error::new(abi::MPI_ERR_ARG, why));
    }
    let code = codes.next();
    codes.added.insert(code, Added { class, text: None });
    Ok(code)
}

/// `MPI_Add_error_string`: sets the text of a class or code that the program has added.
pub fn add_text(code: i32, text: String) -> Outcome {
    match codes().added.get_mut(&code) {
        Some(added) => {
            added.text = Some(text);
            Ok(())
        }
        None => Err(not_added(code)),
    }
}

/// `MPI_Remove_error_class`: removes a class that the program has added, if it has no codes.
pub fn remove_class(class: i32) -> Outcome {
    let mut codes = codes();
    if !codes.has_added_class(ErrorClass(class)) {
        return Err(not_added(class));
    }
    let belongs = |(code, added): &(&i32, &Added)| added.class.value() == class && **code != class;
    if let Some((code, _)) = codes.added.iter().find(belongs) {
        let why = format!("code {code} still belongs to class {class}");
        return Err(Error::new(abi::MPI_ERR_ARG, why));
    }
    codes.require_no_text(class)?;
    codes.added.remove(&class);
    Ok(())
}

/// `MPI_Remove_error_code`: removes a code that the program has added.
pub fn remove_code(code: i32) -> Outcome {
    let mut codes = codes();
    match codes.added.get(&code) {
        Some(added) if added.class.value() != code => {
            codes.require_no_text(code)?;
            codes.added.remove(&code);
            Ok(())
        }
        _ => Err(not_added(code)),
    }
}

/// `MPI_Remove_error_string`: removes the text of a class or code that the program has added.
pub fn remove_text(code: i32) -> Outcome {
    match codes().added.get_mut(&code) {
        Some(added) if added.text.is_some() => {
            added.text = None;
            Ok(())
        }
        Some(_) => Err(Error::new(abi::MPI_ERR_ARG, format!("no string was added to {code}"))),
        None => Err(not_added(code)),
    }
}

impl Codes {
    /// Checks that a class or code has no text: MPI 5.0 §9.5 requires the program to remove it
    /// first.
    fn require_no_text(&self, code: i32) -> Outcome {
        match self.added.get(&code) {
            Some(Added { text: Some(_), .. }) => {
                Err(Error::new(abi::MPI_ERR_ARG, format!("{code} still has a string"))
                    .advise("call MPI_Remove_error_string first"))
            }
            _ => Ok(()),
        }
    }

    /// Returns true if the program has added the class.
    fn has_added_class(&self, class: ErrorClass) -> bool {
        self.added.get(&class.value()).is_some_and(|added| added.class == class)
    }

    /// Returns the next number for a class or code of the program.
    fn next(&mut self) -> i32 {
        // Relaxed: the numbers are drawn under the lock of the table.
        let next = LAST_USED.fetch_add(1, Ordering::Relaxed) as i32 + 1;
        if !EXTENSION_CODES.contains(&next) {
            return next;
        }
        // Relaxed: as above.
        LAST_USED.store(*EXTENSION_CODES.end() as u32 + 1, Ordering::Relaxed);
        *EXTENSION_CODES.end() + 1
    }
}

/// Returns the address of the value of the attribute MPI_LASTUSEDCODE.
pub fn last_used() -> *const i32 {
    LAST_USED.as_ptr().cast()
}

fn not_added(code: i32) -> Box<Error> {
    Error::new(abi::MPI_ERR_ARG, format!("{code} is no class or code that this program added"))
}

fn named_text(class: ErrorClass) -> String {
    format!("{}: {}", class.name().unwrap_or_default(), class_text(class))
}

/// Returns the meaning of a class, in words.
pub fn class_text(class: ErrorClass) -> &'static str {
    CLASS_TEXTS
        .iter()
        .find(|(known, _)| *known == class)
        .map_or("an error of a class that this program added", |(_, text)| text)
}

/// The texts of all predefined classes, in the order of [`abi::ERROR_CLASS_NAMES`].
const CLASS_TEXTS: &[(ErrorClass, &str)] = &[
    (ErrorClass(abi::MPI_SUCCESS), "no error"),
    (abi::MPI_ERR_BUFFER, "the buffer cannot be used"),
    (abi::MPI_ERR_COUNT, "the count cannot be used"),
    (abi::MPI_ERR_TYPE, "the datatype cannot be used"),
    (abi::MPI_ERR_TAG, "the tag cannot be used"),
    (abi::MPI_ERR_COMM, "the communicator cannot be used"),
    (abi::MPI_ERR_RANK, "the rank cannot be used"),
    (abi::MPI_ERR_REQUEST, "the request cannot be used"),
    (abi::MPI_ERR_ROOT, "the root cannot be used"),
    (abi::MPI_ERR_GROUP, "the group cannot be used"),
    (abi::MPI_ERR_OP, "the reduction operation cannot be used"),
    (abi::MPI_ERR_TOPOLOGY, "the topology cannot be used"),
    (abi::MPI_ERR_DIMS, "the dimensions cannot be used"),
    (abi::MPI_ERR_ARG, "an argument cannot be used"),
    (abi::MPI_ERR_UNKNOWN, "an unclassified error"),
    (abi::MPI_ERR_TRUNCATE, "the message is longer than the receive buffer"),
    (abi::MPI_ERR_OTHER, "the operation failed"),
    (abi::MPI_ERR_INTERN, "a fault inside the MPI library"),
    (abi::MPI_ERR_PENDING, "the request has neither failed nor completed"),
    (abi::MPI_ERR_IN_STATUS, "the error codes are in the statuses"),
    (abi::MPI_ERR_ACCESS, "permission denied"),
    (abi::MPI_ERR_AMODE, "the access mode cannot be used"),
    (abi::MPI_ERR_ASSERT, "the assertion cannot be used"),
    (abi::MPI_ERR_BAD_FILE, "the file name cannot be used"),
    (abi::MPI_ERR_BASE, "the base address cannot be used"),
    (abi::MPI_ERR_CONVERSION, "a data conversion function failed"),
    (abi::MPI_ERR_DISP, "the displacement cannot be used"),
    (abi::MPI_ERR_DUP_DATAREP, "the data representation is defined already"),
    (abi::MPI_ERR_FILE_EXISTS, "the file exists"),
    (abi::MPI_ERR_FILE_IN_USE, "the file is in use"),
    (abi::MPI_ERR_FILE, "the file handle cannot be used"),
    (abi::MPI_ERR_INFO_KEY, "the info key cannot be used"),
    (abi::MPI_ERR_INFO_NOKEY, "the info key is not set"),
    (abi::MPI_ERR_INFO_VALUE, "the info value cannot be used"),
    (abi::MPI_ERR_INFO, "the info object cannot be used"),
    (abi::MPI_ERR_IO, "input or output failed"),
    (abi::MPI_ERR_KEYVAL, "the attribute key cannot be used"),
    (abi::MPI_ERR_LOCKTYPE, "the lock type cannot be used"),
    (abi::MPI_ERR_NAME, "the service name is not published"),
    (abi::MPI_ERR_NO_MEM, "there is not enough memory"),
    (abi::MPI_ERR_NOT_SAME, "an argument of a collective call differs between processes"),
    (abi::MPI_ERR_NO_SPACE, "there is not enough space"),
    (abi::MPI_ERR_NO_SUCH_FILE, "the file does not exist"),
    (abi::MPI_ERR_PORT, "the port cannot be used"),
    (abi::MPI_ERR_QUOTA, "the quota is exceeded"),
    (abi::MPI_ERR_READ_ONLY, "the file or file system is read-only"),
    (abi::MPI_ERR_RMA_ATTACH, "the memory cannot be attached"),
    (abi::MPI_ERR_RMA_CONFLICT, "accesses to a window conflict"),
    (abi::MPI_ERR_RMA_RANGE, "the target memory is not part of the window"),
    (abi::MPI_ERR_RMA_SHARED, "the memory cannot be shared"),
    (abi::MPI_ERR_RMA_SYNC, "the synchronisation of a window is out of order"),
    (abi::MPI_ERR_SERVICE, "the service name cannot be published or taken back"),
    (abi::MPI_ERR_SIZE, "the size cannot be used"),
    (abi::MPI_ERR_SPAWN, "processes could not be started"),
    (abi::MPI_ERR_UNSUPPORTED_DATAREP, "the data representation is not supported"),
    (abi::MPI_ERR_UNSUPPORTED_OPERATION, "the operation is not supported"),
    (abi::MPI_ERR_WIN, "the window cannot be used"),
    (abi::MPI_ERR_RMA_FLAVOR, "the window is of the wrong flavor"),
    (abi::MPI_ERR_PROC_ABORTED, "a process of the operation has ended or cannot be reached"),
    (abi::MPI_ERR_VALUE_TOO_LARGE, "a value does not fit its parameter"),
    (abi::MPI_ERR_SESSION, "the session cannot be used"),
    (abi::MPI_ERR_ERRHANDLER, "the error handler cannot be used"),
    (abi::MPI_ERR_ABI, "the ABI's Fortran facts are set already"),
    (abi::MPI_T_ERR_CANNOT_INIT, "the tool interface cannot start"),
    (abi::MPI_T_ERR_NOT_ACCESSIBLE, "the tool interface cannot be reached"),
    (abi::MPI_T_ERR_NOT_INITIALIZED, "the tool interface is not started"),
    (abi::MPI_T_ERR_NOT_SUPPORTED, "the tool interface lacks this"),
    (abi::MPI_T_ERR_MEMORY, "the tool interface has no memory"),
    (abi::MPI_T_ERR_INVALID, "an argument of the tool interface cannot be used"),
    (abi::MPI_T_ERR_INVALID_INDEX, "the index names no variable"),
    (abi::MPI_T_ERR_INVALID_ITEM, "the index names no item"),
    (abi::MPI_T_ERR_INVALID_SESSION, "the tool session cannot be used"),
    (abi::MPI_T_ERR_INVALID_HANDLE, "the tool handle cannot be used"),
    (abi::MPI_T_ERR_INVALID_NAME, "the name is not known"),
    (abi::MPI_T_ERR_OUT_OF_HANDLES, "there are no tool handles left"),
    (abi::MPI_T_ERR_OUT_OF_SESSIONS, "there are no tool sessions left"),
    (abi::MPI_T_ERR_CVAR_SET_NOT_NOW, "the variable cannot be set now"),
    (abi::MPI_T_ERR_CVAR_SET_NEVER, "the variable can never be set"),
    (abi::MPI_T_ERR_PVAR_NO_WRITE, "the variable cannot be written"),
    (abi::MPI_T_ERR_PVAR_NO_STARTSTOP, "the variable cannot be started and stopped"),
    (abi::MPI_T_ERR_PVAR_NO_ATOMIC, "the variable cannot be read and reset at once"),
    (ErrorClass(abi::MPI_ERR_LASTCODE), "the last predefined code"),
    (abi::MPIX_ERR_PROC_FAILED, "a process of the operation has failed"),
    (abi::MPIX_ERR_PROC_FAILED_PENDING, "a process has failed that could be the sender"),
    (abi::MPIX_ERR_REVOKED, "the communicator is revoked"),
];

#[cfg(test)]
mod tests {
    use super::*;

    const TOOL_NAME: ErrorClass = abi::MPI_T_ERR_INVALID_NAME;

    #[test]
    fn codes_of_extensions_keep_class_and_text() {
        let class = abi::MPIX_ERR_REVOKED;
        let code = remember(class, "revoked by rank 3".into());
        assert!(code > EXTENSIONS + CLASS_MASK && EXTENSION_CODES.contains(&code));
        assert_eq!(class_of(code), Some(class));
        assert_eq!(text_of(code).unwrap(), "revoked by rank 3");
        assert_eq!(class_of(class.value()), Some(class));
        assert!(text_of(class.value()).unwrap().starts_with("MPIX_ERR_REVOKED: "));
        assert_eq!(class_of(EXTENSIONS), None);
        assert_eq!(class_of(EXTENSIONS + 63), None);
    }

    #[test]
    fn every_predefined_class_has_a_text_and_only_those() {
        let named: Vec<ErrorClass> =
            abi::ERROR_CLASS_NAMES.iter().map(|(class, _)| *class).collect();
        let described: Vec<ErrorClass> = CLASS_TEXTS.iter().map(|(class, _)| *class).collect();
        assert_eq!(named, described);
    }

    #[test]
    fn a_code_finds_its_description_until_the_ring_wraps() {
        let first = remember(abi::MPI_ERR_COUNT, "the first".into());
        assert_eq!(class_of(first), Some(abi::MPI_ERR_COUNT));
        assert_eq!(text_of(first).as_deref(), Some("the first"));
        for _ in 0..600 {
            let code = remember(abi::MPI_ERR_TAG, "another".into());
            assert!(
                code <= abi::MPI_ERR_LASTCODE && !(960..1024).contains(&code) && code > CLASS_MASK
            );
        }
        assert_eq!(text_of(first).as_deref(), Some("MPI_ERR_COUNT: the count cannot be used"));
    }

    #[test]
    fn a_class_maps_to_itself_and_other_numbers_to_nothing() {
        assert_eq!(class_of(abi::MPI_ERR_ABI.value()), Some(abi::MPI_ERR_ABI));
        assert_eq!(class_of(TOOL_NAME.value()), Some(TOOL_NAME));
        assert_eq!(class_of(-1), None);
        assert_eq!(class_of(63), None);
        assert_eq!(class_of(i32::MAX), None);
    }

    #[test]
    fn added_classes_and_codes_can_be_named_and_removed() {
        let class = add_class();
        let code = add_code(class).unwrap();
        assert!(class > abi::MPI_ERR_LASTCODE && code > class);
        assert_eq!(class_of(code), Some(ErrorClass(class)));
        assert_eq!(text_of(code).as_deref(), Some(""));
        add_text(code, "mine".into()).unwrap();
        assert_eq!(text_of(code).as_deref(), Some("mine"));
        assert!(remove_class(class).is_err(), "a code is left");
        assert!(remove_code(code).is_err(), "its string is left");
        remove_text(code).unwrap();
        assert!(remove_text(code).is_err(), "no string is left");
        remove_code(code).unwrap();
        remove_class(class).unwrap();
        assert_eq!(class_of(code), None);
        assert!(add_text(abi::MPI_ERR_COUNT.value(), String::new()).is_err(), "predefined");
    }
}
