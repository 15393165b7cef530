//! Error handlers (MPI 5.0 §9.3): the objects, and the handler of each communicator, window, file
//! and session.
//!
//! An `MPI_Errhandler` exists as long as it is referenced: by the program (from its creation and
//! from every `get_errhandler` until the program frees that reference) and by every object that it
//! is attached to. All of this works before MPI starts and from any thread. The process therefore
//! has one table, rather than a field in each object. Creating an object attaches a handler to it,
//! freeing the object detaches it:
//!
//! | object | handler at its creation |
//! |---|---|
//! | MPI_COMM_WORLD, MPI_COMM_SELF | MPI_ERRORS_ARE_FATAL unless the launcher sets another |
//! | communicator | its parent's ([`inherit`]) |
//! | window | MPI_ERRORS_ARE_FATAL |
//! | file | that of MPI_FILE_NULL: MPI_ERRORS_RETURN unless the program changed it |

use crate::abi;
use crate::callback::{Callback, Object};
use crate::error::{Error, Outcome};
use crate::handle::{Comm, Errhandler, File, Handle, Table};
use nemesis_sys::per_process;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};

/// Kind of object that a handler can be attached to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Comm,
    Win,
    File,
    Session,
}

/// Effect of an error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Ends all connected processes.
    Fatal,
    /// Ends the processes of the object. No launcher ends a part of a job, and a process that exits
    /// without finalization ends its job in any case. Therefore this ends the job, too, and the
    /// launcher's message names the action.
    Abort,
    /// Returns the code to the caller.
    Return,
    /// Calls the program's function, then returns the code to the caller.
    User(Callback),
}

struct Handler {
    kind: Kind,
    callback: Callback,
    references: u32,
}

#[derive(Default)]
struct Handlers {
    table: Table<Errhandler, Handler>,
    attached: HashMap<Object, Errhandler>,
}

per_process! {
    static HANDLERS: LazyLock<Mutex<Handlers>> = LazyLock::new(Mutex::default);
    static INITIAL: OnceLock<Errhandler> = OnceLock::new();
}

fn handlers() -> MutexGuard<'static, Handlers> {
    // A panic cannot leave a change half made, so a poisoned lock is usable.
    HANDLERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Environment variable by which a launcher sets the initial error handler
/// (`mpi_initial_errhandler`, MPI 5.0 §11.5).
pub const INITIAL_VARIABLE: &str = "NEMESIS_INITIAL_ERRHANDLER";

/// Returns the initial handler: of MPI_COMM_WORLD, of MPI_COMM_SELF and of errors without an
/// object, until the program attaches others. An unknown name means the default.
fn initial() -> Errhandler {
    *INITIAL.get_or_init(|| {
        std::env::var(INITIAL_VARIABLE)
            .ok()
            .and_then(|name| by_name(&name))
            .unwrap_or(abi::MPI_ERRORS_ARE_FATAL)
    })
}

fn by_name(name: &str) -> Option<Errhandler> {
    match name {
        "mpi_errors_are_fatal" => Some(abi::MPI_ERRORS_ARE_FATAL),
        "mpi_errors_abort" => Some(abi::MPI_ERRORS_ABORT),
        "mpi_errors_return" => Some(abi::MPI_ERRORS_RETURN),
        _ => None,
    }
}

/// Returns the handler of errors that belong to no communicator, window, file or session, and the
/// communicator that it is called with.
///
/// MPI 5.0 §9.3 names the handler of MPI_COMM_SELF, MPI 3.1 §8.3 that of MPI_COMM_WORLD. To serve
/// programs of both kinds, this is MPI_COMM_WORLD's handler until the program sets one on
/// MPI_COMM_SELF. Without the world model neither has one, and the initial handler is used.
pub fn without_object() -> (Errhandler, Comm) {
    let handlers = handlers();
    [abi::MPI_COMM_SELF, abi::MPI_COMM_WORLD]
        .into_iter()
        .find_map(|comm| handlers.attached.get(&Object::Comm(comm)).map(|&handler| (handler, comm)))
        .unwrap_or((initial(), abi::MPI_COMM_SELF))
}

/// Detaches the handlers of MPI_COMM_WORLD and MPI_COMM_SELF when the world model ends. The initial
/// handler is used from then on (MPI 5.0 §9.3).
pub fn forget_world() {
    [abi::MPI_COMM_WORLD, abi::MPI_COMM_SELF]
        .into_iter()
        .for_each(|comm| detach(Object::Comm(comm)));
}

/// Creates a handler (`MPI_Comm_create_errhandler` and its counterparts).
pub fn create(kind: Kind, callback: Callback) -> Outcome<Errhandler> {
    if callback.is_null() {
        return Err(Error::new(abi::MPI_ERR_ARG, "the error handler function is a null pointer"));
    }
    let handler = Handler { kind, callback, references: 1 };
    let made = handlers()
        .table
        .insert(handler)
        .ok_or_else(|| Error::new(abi::MPI_ERR_NO_MEM, "there are too many error handlers"))?;
    if nemesis_mpi_check::is_on() {
        nemesis_mpi_check::sites::note(made.bits());
    }
    Ok(made)
}

/// Returns the handlers of the program to which it still has a reference.
pub fn made() -> Vec<Errhandler> {
    let handlers = handlers();
    let uses = |handler| handlers.attached.values().filter(|used| **used == handler).count();
    let all = handlers.table.named();
    all.filter(|(handle, handler)| handler.references as usize > uses(*handle))
        .map(|(handle, _)| handle)
        .collect()
}

/// Ends the program's reference (`MPI_Errhandler_free`). Predefined handlers remain.
pub fn free(handler: Errhandler) -> Outcome {
    if is_predefined(handler) {
        return Ok(());
    }
    handlers().drop_reference(handler)
}

/// Attaches a handler (`MPI_Comm_set_errhandler` and its counterparts). The object must exist.
pub fn attach(object: Object, handler: Errhandler) -> Outcome {
    let mut handlers = handlers();
    handlers.check(object, handler)?;
    handlers.add_reference(handler);
    handlers.replace(object, handler)
}

/// Attaches the parent's handler to a new communicator.
pub fn inherit(parent: Object, child: Object) -> Outcome {
    attach(child, of(parent).unwrap_or_else(initial))
}

/// Detaches the handler of an object that is being freed.
pub fn detach(object: Object) {
    let mut handlers = handlers();
    if let Some(handler) = handlers.attached.remove(&object) {
        // A predefined handler counts no references; any other exists while it is attached.
        let _ = handlers.drop_reference(handler);
    }
}

/// Returns the handler of an object with a new reference for the program (`MPI_Comm_get_errhandler`
/// and its counterparts).
pub fn get(object: Object) -> Errhandler {
    let handler = of(object).unwrap_or_else(initial);
    handlers().add_reference(handler);
    handler
}

/// Returns the handler of an object, or `None` if the object does not exist.
pub fn of(object: Object) -> Option<Errhandler> {
    let attached = handlers().attached.get(&object).copied();
    attached.or(match object {
        Object::Comm(abi::MPI_COMM_WORLD | abi::MPI_COMM_SELF) => Some(initial()),
        Object::File(File::NULL) => Some(abi::MPI_ERRORS_RETURN),
        _ => None,
    })
}

/// Returns the effect of a handler.
pub fn action(handler: Errhandler) -> Action {
    match handler {
        abi::MPI_ERRORS_ARE_FATAL => Action::Fatal,
        abi::MPI_ERRORS_ABORT => Action::Abort,
        abi::MPI_ERRORS_RETURN => Action::Return,
        user => handlers()
            .table
            .get(user)
            .map_or(Action::Fatal, |handler| Action::User(handler.callback)),
    }
}

fn is_predefined(handler: Errhandler) -> bool {
    handler.is_predefined() && !handler.is_null()
}

impl Handlers {
    fn check(&self, object: Object, handler: Errhandler) -> Outcome {
        if is_predefined(handler) {
            return Ok(());
        }
        let found =
            self.table.get(handler).map_err(|dead| Error::dead(abi::MPI_ERR_ERRHANDLER, dead))?;
        let wanted = match object {
            Object::Comm(_) => Kind::Comm,
            Object::Win(_) => Kind::Win,
            Object::File(_) => Kind::File,
            Object::Session(_) => Kind::Session,
            Object::Datatype(_) => {
                return Err(Error::new(
                    abi::MPI_ERR_ERRHANDLER,
                    "datatypes have no error handlers",
                ));
            }
        };
        if found.kind != wanted {
            let why =
                format!("the error handler was made for a {:?}, not for a {wanted:?}", found.kind);
            return Err(Error::new(abi::MPI_ERR_ERRHANDLER, why));
        }
        Ok(())
    }

    fn replace(&mut self, object: Object, handler: Errhandler) -> Outcome {
        match self.attached.insert(object, handler) {
            Some(old) if !is_predefined(old) => self.drop_reference(old),
            _ => Ok(()),
        }
    }

    fn add_reference(&mut self, handler: Errhandler) {
        if let Ok(handler) = self.table.get_mut(handler) {
            handler.references += 1;
        }
    }

    fn drop_reference(&mut self, handler: Errhandler) -> Outcome {
        let found = self
            .table
            .get_mut(handler)
            .map_err(|dead| Error::dead(abi::MPI_ERR_ERRHANDLER, dead))?;
        found.references -= 1;
        if found.references == 0 {
            let _ = self.table.remove(handler);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attr::Attribute;
    use crate::callback::{Binding, Queried};
    use crate::handle::Datatype;

    struct Silent;

    impl Binding for Silent {
        fn copy_attribute(
            &self,
            _: usize,
            _: Object,
            _: i32,
            _: usize,
            value: &Attribute,
        ) -> Result<Option<Attribute>, i32> {
            Ok(Some(value.clone()))
        }
        fn delete_attribute(
            &self,
            _: usize,
            _: Object,
            _: i32,
            _: &Attribute,
            _: usize,
        ) -> Result<(), i32> {
            Ok(())
        }
        fn handle_error(&self, _: usize, _: Object, _: i32) {}
        fn reduce(&self, _: usize, _: bool, _: *const u8, _: *mut u8, _: i64, _: Datatype) {}
        fn query_request(&self, _: usize, _: usize) -> Result<Queried, i32> {
            Ok(Queried::EMPTY)
        }
        fn free_request(&self, _: usize, _: usize) -> Result<(), i32> {
            Ok(())
        }
        fn cancel_request(&self, _: usize, _: usize, _: bool) -> Result<(), i32> {
            Ok(())
        }
    }

    fn function(address: usize) -> Callback {
        Callback::new(address, false, &Silent)
    }

    #[test]
    fn a_handler_lives_while_it_is_attached() {
        let object = Object::Comm(Comm(0x8400_0001));
        let handler = create(Kind::Comm, function(0x1000)).unwrap();
        attach(object, handler).unwrap();
        free(handler).unwrap();
        assert_eq!(
            action(handler),
            Action::User(function(0x1000)),
            "the communicator still has it"
        );
        assert_eq!(get(object), handler);
        free(handler).unwrap();
        detach(object);
        assert_eq!(of(object), None);
        assert!(free(handler).is_err(), "nobody refers to it any more");
    }

    #[test]
    fn the_worlds_handler_serves_until_self_has_one() {
        let (world, own) = (Object::Comm(abi::MPI_COMM_WORLD), Object::Comm(abi::MPI_COMM_SELF));
        assert_eq!(without_object(), (abi::MPI_ERRORS_ARE_FATAL, abi::MPI_COMM_SELF));
        attach(world, abi::MPI_ERRORS_RETURN).unwrap();
        assert_eq!(without_object(), (abi::MPI_ERRORS_RETURN, abi::MPI_COMM_WORLD));
        assert_eq!(of(own), Some(abi::MPI_ERRORS_ARE_FATAL), "errors of MPI_COMM_SELF are its own");
        attach(own, abi::MPI_ERRORS_ABORT).unwrap();
        assert_eq!(without_object(), (abi::MPI_ERRORS_ABORT, abi::MPI_COMM_SELF));
        forget_world();
        assert_eq!(without_object(), (abi::MPI_ERRORS_ARE_FATAL, abi::MPI_COMM_SELF));
        assert_eq!(of(world), Some(abi::MPI_ERRORS_ARE_FATAL));
    }

    #[test]
    fn launchers_name_the_first_handler() {
        assert_eq!(by_name("mpi_errors_return"), Some(abi::MPI_ERRORS_RETURN));
        assert_eq!(by_name("mpi_errors_abort"), Some(abi::MPI_ERRORS_ABORT));
        assert_eq!(by_name("MPI_ERRORS_RETURN"), None);
        assert_eq!(initial(), abi::MPI_ERRORS_ARE_FATAL);
    }

    #[test]
    fn a_child_has_its_parents_handler() {
        let (parent, child) = (Object::Comm(Comm(0x8400_0010)), Object::Comm(Comm(0x8400_0011)));
        attach(parent, abi::MPI_ERRORS_RETURN).unwrap();
        inherit(parent, child).unwrap();
        assert_eq!(of(child), Some(abi::MPI_ERRORS_RETURN));
        attach(parent, abi::MPI_ERRORS_ABORT).unwrap();
        assert_eq!(
            of(child),
            Some(abi::MPI_ERRORS_RETURN),
            "what comes later is the parent's alone"
        );
    }

    #[test]
    fn a_handler_fits_the_kind_it_was_made_for() {
        let handler = create(Kind::Win, function(0x2000)).unwrap();
        let error = attach(Object::Comm(Comm(0x8400_0020)), handler).unwrap_err();
        assert_eq!(error.class, abi::MPI_ERR_ERRHANDLER);
        assert!(attach(Object::Comm(Comm(0x8400_0020)), Errhandler::NULL).is_err());
        assert_eq!(of(Object::File(File::NULL)), Some(abi::MPI_ERRORS_RETURN));
    }
}
