//! Error classes and codes, and what can be read about them (MPI 5.0 §9.4, §9.5).
//!
//! Three ranges, told apart by value:
//!
//! ```text
//!   0..=62, 1001..=1018   predefined classes; the texts are the catalogue below
//!   instance << 6 | class an error that happened: the newest 254 descriptions are kept in a ring; at most MPI_ERR_LASTCODE (16383)
//!   16384..               classes and codes that the program added, numbered in one sequence
//! ```
//!
//! Instance 15 is left out: its codes, 960..1023, would meet those of MPI_T. All of this works before the start of MPI and after its end,
//! from any thread.

use crate::abi;
use crate::error::{Error, Outcome};
use nemesis_sync::{AtomicU32, Ordering};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

const CLASS_BITS: u32 = 6;
const CLASS_MASK: i32 = (1 << CLASS_BITS) - 1;
/// Instances 1..=255 without [`TOOL_INSTANCE`].
const LAST_INSTANCE: i32 = abi::MPI_ERR_LASTCODE >> CLASS_BITS;
const TOOL_INSTANCE: i32 = abi::MPI_T_ERR_CANNOT_INIT >> CLASS_BITS;
/// First class or code that a program adds.
const FIRST_ADDED: i32 = abi::MPI_ERR_LASTCODE + 1;

struct Codes {
    /// The instance of the newest description.
    newest: i32,
    /// Instance → (class, description).
    remembered: BTreeMap<i32, (i32, String)>,
    added: BTreeMap<i32, Added>,
}

/// A class (its own class) or a code that the program made.
struct Added {
    class: i32,
    text: Option<String>,
}

static CODES: Mutex<Codes> =
    Mutex::new(Codes { newest: 0, remembered: BTreeMap::new(), added: BTreeMap::new() });

/// The value of the attribute MPI_LASTUSEDCODE. The program holds its address and reads it at any time; it changes under the lock.
static LAST_USED: AtomicU32 = AtomicU32::new(abi::MPI_ERR_LASTCODE as u32);

fn codes() -> MutexGuard<'static, Codes> {
    // Every change below is complete before anything can panic.
    CODES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps the description of an error and gives the code under which it is found; the description of 254 errors ago is forgotten.
pub fn remember(class: i32, description: String) -> i32 {
    if !(0..=CLASS_MASK).contains(&class) {
        return class;
    }
    let mut codes = codes();
    codes.newest = match codes.newest + 1 {
        TOOL_INSTANCE => TOOL_INSTANCE + 1,
        past if past > LAST_INSTANCE => 1,
        next => next,
    };
    let instance = codes.newest;
    codes.remembered.insert(instance, (class, description));
    instance << CLASS_BITS | class
}

/// `MPI_Error_class`; none for a number that is no code.
pub fn class_of(code: i32) -> Option<i32> {
    if code >= FIRST_ADDED {
        return codes().added.get(&code).map(|added| added.class);
    }
    let class = match code {
        abi::MPI_T_ERR_CANNOT_INIT..=abi::MPI_T_ERR_PVAR_NO_ATOMIC => code,
        abi::MPI_ERR_LASTCODE => return Some(code),
        0..=CLASS_MASK => code,
        // Success has no instances, and other errors have those that were given out.
        0.. if code & CLASS_MASK != abi::MPI_SUCCESS
            && codes().remembered.contains_key(&(code >> CLASS_BITS)) =>
        {
            code & CLASS_MASK
        }
        _ => return None,
    };
    is_predefined(class).then_some(class)
}

/// `MPI_Error_string`: the description of the very error while it is remembered, else the text of its class.
pub fn text_of(code: i32) -> Option<String> {
    let class = class_of(code)?;
    let codes = codes();
    if let Some(added) = codes.added.get(&code) {
        return Some(added.text.clone().unwrap_or_default());
    }
    match codes.remembered.get(&(code >> CLASS_BITS)) {
        Some((remembered, text)) if *remembered == class && code != class => Some(text.clone()),
        _ => Some(named_text(class)),
    }
}

/// `MPI_Add_error_class`
pub fn add_class() -> i32 {
    let mut codes = codes();
    let class = codes.next();
    codes.added.insert(class, Added { class, text: None });
    class
}

/// `MPI_Add_error_code`
pub fn add_code(class: i32) -> Outcome<i32> {
    let mut codes = codes();
    if !is_predefined(class) && codes.added.get(&class).is_none_or(|added| added.class != class) {
        return Err(Error::new(abi::MPI_ERR_ARG, format!("{class} is no error class")));
    }
    let code = codes.next();
    codes.added.insert(code, Added { class, text: None });
    Ok(code)
}

/// `MPI_Add_error_string`
pub fn add_text(code: i32, text: String) -> Outcome {
    match codes().added.get_mut(&code) {
        Some(added) => {
            added.text = Some(text);
            Ok(())
        }
        None => Err(not_added(code)),
    }
}

/// `MPI_Remove_error_class`: only a class of the program's own that has no codes left.
pub fn remove_class(class: i32) -> Outcome {
    let mut codes = codes();
    if codes.added.get(&class).is_none_or(|added| added.class != class) {
        return Err(not_added(class));
    }
    if let Some((code, _)) =
        codes.added.iter().find(|(code, added)| added.class == class && **code != class)
    {
        return Err(Error::new(
            abi::MPI_ERR_ARG,
            format!("code {code} still belongs to class {class}"),
        ));
    }
    codes.require_no_text(class)?;
    codes.added.remove(&class);
    Ok(())
}

/// `MPI_Remove_error_code`
pub fn remove_code(code: i32) -> Outcome {
    let mut codes = codes();
    match codes.added.get(&code) {
        Some(added) if added.class != code => {
            codes.require_no_text(code)?;
            codes.added.remove(&code);
            Ok(())
        }
        _ => Err(not_added(code)),
    }
}

/// `MPI_Remove_error_string`
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
    /// A string goes before the class or code that it was added to (MPI 5.0 §9.5).
    fn require_no_text(&self, code: i32) -> Outcome {
        match self.added.get(&code) {
            Some(Added { text: Some(_), .. }) => {
                Err(Error::new(abi::MPI_ERR_ARG, format!("{code} still has a string"))
                    .advise("call MPI_Remove_error_string first"))
            }
            _ => Ok(()),
        }
    }

    /// The next number for a class or code of the program.
    fn next(&mut self) -> i32 {
        // Relaxed: numbers are given out under the lock of the table.
        LAST_USED.fetch_add(1, Ordering::Relaxed) as i32 + 1
    }
}

/// Where the value of the attribute MPI_LASTUSEDCODE stands.
pub fn last_used() -> *const i32 {
    LAST_USED.as_ptr().cast()
}

fn not_added(code: i32) -> Box<Error> {
    Error::new(abi::MPI_ERR_ARG, format!("{code} is no class or code that this program added"))
}

fn is_predefined(class: i32) -> bool {
    abi::ERROR_CLASS_NAMES.iter().any(|(predefined, _)| *predefined == class)
}

fn named_text(class: i32) -> String {
    let name = abi::ERROR_CLASS_NAMES
        .iter()
        .find(|(predefined, _)| *predefined == class)
        .map_or("", |(_, name)| name);
    format!("{name}: {}", class_text(class))
}

/// What a class means, in words.
pub fn class_text(class: i32) -> &'static str {
    CLASS_TEXTS
        .iter()
        .find(|(known, _)| *known == class)
        .map_or("an error of a class that this program added", |(_, text)| text)
}

/// The catalogue: every predefined class once.
const CLASS_TEXTS: &[(i32, &str)] = &[
    (abi::MPI_SUCCESS, "no error"),
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
    (abi::MPI_ERR_UNKNOWN, "an error that nobody could classify"),
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
    (abi::MPI_ERR_PROC_ABORTED, "a process that is needed has gone"),
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
    (abi::MPI_ERR_LASTCODE, "the last predefined code"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_predefined_class_has_a_text_and_only_those() {
        let named: Vec<i32> = abi::ERROR_CLASS_NAMES.iter().map(|(class, _)| *class).collect();
        let told: Vec<i32> = CLASS_TEXTS.iter().map(|(class, _)| *class).collect();
        assert_eq!(named, told);
    }

    #[test]
    fn a_code_finds_its_own_description_until_the_ring_comes_round() {
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
    fn a_class_maps_to_itself_and_a_stranger_to_nothing() {
        assert_eq!(class_of(abi::MPI_ERR_ABI), Some(abi::MPI_ERR_ABI));
        assert_eq!(class_of(abi::MPI_T_ERR_INVALID_NAME), Some(abi::MPI_T_ERR_INVALID_NAME));
        assert_eq!(class_of(-1), None);
        assert_eq!(class_of(63), None);
        assert_eq!(class_of(i32::MAX), None);
    }

    #[test]
    fn added_classes_and_codes_can_be_named_and_removed() {
        let class = add_class();
        let code = add_code(class).unwrap();
        assert!(class > abi::MPI_ERR_LASTCODE && code > class);
        assert_eq!(class_of(code), Some(class));
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
        assert!(add_text(abi::MPI_ERR_COUNT, String::new()).is_err(), "predefined");
    }
}
