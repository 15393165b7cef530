//! Attributes (MPI 5.0 §7.7): keys, and the values that communicators, datatypes and windows have
//! for them.
//!
//! The values are stored here, by the handle of their object, in the order in which they were set.
//! The program's copy and delete functions run without any lock: they may call MPI, and get and set
//! attributes of the same object. A freed key is kept until the last value for it is deleted.

use crate::abi;
use crate::callback::{Binding, Callback, Object};
use crate::error::{Error, Outcome};
use nemesis_sys::per_process;
use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

pub use crate::attr_value::{Attribute, Form};
/// Kind of object that a key is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Comm,
    Datatype,
    Win,
}

#[derive(Clone, Copy)]
struct Key {
    kind: Kind,
    copy: Callback,
    delete: Callback,
    extra: usize,
    /// `MPI_…_free_keyval` was called: no new values are accepted.
    freed: bool,
    /// Number of values stored for the key.
    uses: u32,
}

#[derive(Clone)]
struct Value {
    keyval: i32,
    value: Attribute,
}

#[derive(Default)]
struct Attributes {
    keys: BTreeMap<i32, Key>,
    newest_key: i32,
    values: HashMap<Object, Vec<Value>>,
    /// The objects whose values are being deleted, because they are being freed.
    being_freed: Vec<Object>,
}

/// First key of the program: above all numbers that the standard reserves (MPI 5.0 §20.4).
const FIRST_KEY: i32 = 1 << 16;

per_process! {
    static ATTRIBUTES: LazyLock<Mutex<Attributes>> = LazyLock::new(|| {
        Mutex::new(Attributes { newest_key: FIRST_KEY - 1, ..Attributes::default() })
    });
}

fn attributes() -> MutexGuard<'static, Attributes> {
    // A panic cannot leave a change half made, so a poisoned lock is usable.
    ATTRIBUTES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a key (`MPI_Comm_create_keyval`, `MPI_Type_create_keyval`, `MPI_Win_create_keyval`).
pub fn create_key(kind: Kind, copy: Callback, delete: Callback, extra: usize) -> i32 {
    let mut attributes = attributes();
    attributes.newest_key += 1;
    let keyval = attributes.newest_key;
    attributes.keys.insert(keyval, Key { kind, copy, delete, extra, freed: false, uses: 0 });
    keyval
}

/// Changes the binding through which the copy and delete functions of a key are called, for
/// functions with the conventions of another language. Does nothing if no key has this number.
pub fn call_through(keyval: i32, binding: &'static dyn Binding) {
    if let Some(key) = attributes().keys.get_mut(&keyval) {
        key.copy = key.copy.through(binding);
        key.delete = key.delete.through(binding);
    }
}

/// Frees a key (`MPI_Comm_free_keyval` and its counterparts). A freed key stays valid while values
/// are stored for it (MPI 5.0 §7.7.2); until then, several parts of a program may free it.
pub fn free_key(kind: Kind, keyval: i32) -> Outcome {
    let mut attributes = attributes();
    attributes.key(kind, keyval)?;
    let key = attributes.keys.get_mut(&keyval).ok_or_else(|| unknown(keyval))?;
    key.freed = true;
    let unused = key.uses == 0;
    if unused {
        attributes.keys.remove(&keyval);
    }
    Ok(())
}

/// Returns the value of a program's key as C reads it (`MPI_Comm_get_attr` and its counterparts).
/// The object must exist.
pub fn get(object: Object, keyval: i32) -> Outcome<Option<usize>> {
    read(object, keyval, Attribute::as_pointer)
}

/// Returns the word that was set for a program's key, as Fortran reads it. The object must exist.
pub fn get_word(object: Object, keyval: i32) -> Outcome<Option<usize>> {
    read(object, keyval, Attribute::word)
}

fn read(object: Object, keyval: i32, see: fn(&Attribute) -> usize) -> Outcome<Option<usize>> {
    let attributes = attributes();
    attributes.key(kind_of(object)?, keyval)?;
    Ok(attributes.find(object, keyval).map(|value| see(&value.value)))
}

/// Sets a value (`MPI_Comm_set_attr` and its counterparts). The delete function is called with the
/// old value first, and may refuse.
pub fn set(object: Object, keyval: i32, value: Attribute) -> Outcome {
    attributes().usable_key(kind_of(object)?, keyval)?;
    let replaces = attributes().find(object, keyval).is_some();
    if replaces {
        remove(object, keyval)?;
    }
    let mut attributes = attributes();
    attributes.usable_key(kind_of(object)?, keyval)?.uses += 1;
    attributes.values.entry(object).or_default().push(Value { keyval, value });
    Ok(())
}

/// Deletes a value (`MPI_Comm_delete_attr` and its counterparts).
pub fn delete(object: Object, keyval: i32) -> Outcome {
    attributes().key(kind_of(object)?, keyval)?;
    remove(object, keyval)
}

/// Calls the delete function and removes the value. Does nothing if there is no value.
fn remove(object: Object, keyval: i32) -> Outcome {
    let (key, value) = {
        let attributes = attributes();
        let Some(value) = attributes.find(object, keyval) else { return Ok(()) };
        let Some(key) = attributes.keys.get(&keyval) else { return Ok(()) };
        (*key, value.value.clone())
    };
    key.delete
        .delete_attribute(object, keyval, &value, key.extra)
        .map_err(|code| refused("delete", keyval, code))?;
    attributes().forget(object, keyval);
    Ok(())
}

/// Deletes all values of an object that is being freed, in the reverse order of setting, until a
/// delete function refuses.
///
/// # Errors
///
/// Returns an error if a delete function refuses, or frees the object itself.
pub fn delete_all(object: Object) -> Outcome {
    let mut table = attributes();
    if table.being_freed.contains(&object) {
        return Err(Error::new(
            abi::MPI_ERR_OTHER,
            "the object is being freed, and a delete function of its attributes frees it again",
        )
        .advise("free the object outside of the functions of its attributes"));
    }
    if !table.values.contains_key(&object) {
        return Ok(());
    }
    table.being_freed.push(object);
    drop(table);
    let outcome = delete_each(object);
    attributes().being_freed.retain(|other| *other != object);
    outcome
}

fn delete_each(object: Object) -> Outcome {
    loop {
        let last = attributes()
            .values
            .get(&object)
            .and_then(|values| values.last().map(|value| value.keyval));
        match last {
            Some(keyval) => remove(object, keyval)?,
            None => return Ok(()),
        }
    }
}

/// Removes the values of an object that no longer exists, without calling delete functions.
pub fn forget_all(object: Object) {
    let mut attributes = attributes();
    let keys: Vec<i32> =
        attributes.values.get(&object).into_iter().flatten().map(|value| value.keyval).collect();
    for keyval in keys {
        attributes.forget(object, keyval);
    }
}

/// Copies the values of a duplicated object: each copy function decides about its value. If one
/// fails, the copy keeps no attributes, and the function's error is returned.
pub fn copy_all(old: Object, new: Object) -> Outcome {
    let values = attributes().values.get(&old).cloned().unwrap_or_default();
    for value in values {
        let Some(key) = attributes().keys.get(&value.keyval).copied() else { continue };
        match key.copy.copy_attribute(old, value.keyval, key.extra, &value.value) {
            Ok(None) => {}
            Ok(Some(copied)) => attributes().put(new, value.keyval, copied),
            Err(code) => {
                // The copy is given up. Its values are deleted, and the first error is reported.
                let _ = delete_all(new);
                return Err(refused("copy", value.keyval, code));
            }
        }
    }
    Ok(())
}

#[cold]
fn refused(what: &str, keyval: i32, code: i32) -> Box<Error> {
    Error::callback(code, format!("the {what} function of attribute key {keyval} returned {code}"))
}

fn kind_of(object: Object) -> Outcome<Kind> {
    match object {
        Object::Comm(_) => Ok(Kind::Comm),
        Object::Datatype(_) => Ok(Kind::Datatype),
        Object::Win(_) => Ok(Kind::Win),
        Object::File(_) | Object::Session(_) => {
            Err(Error::new(abi::MPI_ERR_ARG, "files and sessions have no attributes"))
        }
    }
}

impl Attributes {
    fn key(&self, kind: Kind, keyval: i32) -> Outcome<&Key> {
        let key = self.keys.get(&keyval).ok_or_else(|| unknown(keyval))?;
        if key.kind != kind {
            let why = format!("attribute key {keyval} is for a {:?}, not for a {kind:?}", key.kind);
            return Err(Error::new(abi::MPI_ERR_KEYVAL, why));
        }
        Ok(key)
    }

    /// Returns the key if new values may be set for it.
    fn usable_key(&mut self, kind: Kind, keyval: i32) -> Outcome<&mut Key> {
        self.key(kind, keyval)?;
        self.keys.get_mut(&keyval).filter(|key| !key.freed).ok_or_else(|| unknown(keyval))
    }

    fn find(&self, object: Object, keyval: i32) -> Option<&Value> {
        self.values.get(&object)?.iter().find(|value| value.keyval == keyval)
    }

    fn put(&mut self, object: Object, keyval: i32, value: Attribute) {
        if let Some(key) = self.keys.get_mut(&keyval) {
            key.uses += 1;
            self.values.entry(object).or_default().push(Value { keyval, value });
        }
    }

    fn forget(&mut self, object: Object, keyval: i32) {
        let Some(values) = self.values.get_mut(&object) else { return };
        let before = values.len();
        values.retain(|value| value.keyval != keyval);
        let removed = before - values.len();
        if values.is_empty() {
            self.values.remove(&object);
        }
        if let Some(key) = self.keys.get_mut(&keyval) {
            key.uses -= removed as u32;
            if key.freed && key.uses == 0 {
                self.keys.remove(&keyval);
            }
        }
    }
}

#[cold]
fn unknown(keyval: i32) -> Box<Error> {
    let why = match keyval {
        abi::MPI_KEYVAL_INVALID => "the attribute key is MPI_KEYVAL_INVALID".to_owned(),
        abi::MPI_TAG_UB..=abi::MPI_WIN_MODEL => {
            "predefined attributes cannot be changed, and each belongs to communicators or to \
             windows"
                .to_owned()
        }
        _ => format!("{keyval} is no attribute key, or was freed"),
    };
    Error::new(abi::MPI_ERR_KEYVAL, why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::callback::{Binding, Queried};
    use crate::handle::{Comm, Datatype};

    /// Records the arguments of each call; refuses values of 13.
    struct Recorder(Mutex<Vec<(&'static str, usize)>>);

    impl Binding for Recorder {
        fn copy_attribute(
            &self,
            _: usize,
            _: Object,
            _: i32,
            extra: usize,
            value: &Attribute,
        ) -> Result<Option<Attribute>, i32> {
            let value = value.word();
            self.0.lock().unwrap().push(("copy", value));
            if value == 13 {
                Err(77)
            } else {
                Ok((extra != 0).then(|| Attribute::pointer(value + 1)))
            }
        }
        fn delete_attribute(
            &self,
            _: usize,
            object: Object,
            _: i32,
            value: &Attribute,
            _: usize,
        ) -> Result<(), i32> {
            let value = value.word();
            self.0.lock().unwrap().push(("delete", value));
            match value {
                13 => Err(78),
                99 => delete_all(object).map_err(|_| 79),
                _ => Ok(()),
            }
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

    fn recorder() -> (&'static Recorder, Callback) {
        let recorder: &'static Recorder = Box::leak(Box::new(Recorder(Mutex::default())));
        (recorder, Callback::new(0x1000, false, recorder))
    }

    fn comm(number: usize) -> Object {
        Object::Comm(Comm(0x8400_1000 + number))
    }

    #[test]
    fn a_delete_function_cannot_free_the_object_again() {
        let (recorder, function) = recorder();
        let key = create_key(Kind::Comm, function, function, 1);
        set(comm(9), key, Attribute::pointer(99)).unwrap();
        assert_eq!(delete_all(comm(9)).unwrap_err().code, Some(79));
        assert_eq!(*recorder.0.lock().unwrap(), [("delete", 99)]);
        forget_all(comm(9));
        delete_all(comm(9)).unwrap();
    }

    #[test]
    fn values_are_deleted_in_the_reverse_order_of_setting() {
        let (recorder, function) = recorder();
        let keys: Vec<i32> =
            (0..3).map(|_| create_key(Kind::Comm, function, function, 1)).collect();
        for (value, key) in keys.iter().enumerate() {
            set(comm(1), *key, Attribute::pointer(value)).unwrap();
        }
        set(comm(1), keys[0], Attribute::pointer(10)).unwrap();
        delete_all(comm(1)).unwrap();
        assert_eq!(
            *recorder.0.lock().unwrap(),
            [("delete", 0), ("delete", 10), ("delete", 2), ("delete", 1)]
        );
        assert_eq!(get(comm(1), keys[0]).unwrap(), None);
    }

    #[test]
    fn copy_functions_decide_and_a_failing_one_undoes_the_copy() {
        let (recorder, function) = recorder();
        let kept = create_key(Kind::Comm, function, function, 1);
        let dropped = create_key(Kind::Comm, function, function, 0);
        set(comm(2), kept, Attribute::pointer(1)).unwrap();
        set(comm(2), dropped, Attribute::pointer(2)).unwrap();
        copy_all(comm(2), comm(3)).unwrap();
        assert_eq!((get(comm(3), kept).unwrap(), get(comm(3), dropped).unwrap()), (Some(2), None));
        let failing = create_key(Kind::Comm, function, function, 1);
        set(comm(2), failing, Attribute::pointer(13)).unwrap();
        let error = copy_all(comm(2), comm(4)).unwrap_err();
        assert_eq!(error.code, Some(77));
        assert_eq!(get(comm(4), kept).unwrap(), None);
        assert!(recorder.0.lock().unwrap().ends_with(&[("copy", 13), ("delete", 2)]));
    }

    #[test]
    fn a_refused_deletion_keeps_the_value() {
        let (_, function) = recorder();
        let key = create_key(Kind::Comm, function, function, 1);
        set(comm(5), key, Attribute::pointer(13)).unwrap();
        assert_eq!(set(comm(5), key, Attribute::pointer(14)).unwrap_err().code, Some(78));
        assert_eq!(delete_all(comm(5)).unwrap_err().code, Some(78));
        assert_eq!(get(comm(5), key).unwrap(), Some(13));
    }

    #[test]
    fn a_freed_key_lives_while_values_stand_under_it() {
        let (recorder, function) = recorder();
        let key = create_key(Kind::Comm, function, function, 1);
        set(comm(6), key, Attribute::pointer(5)).unwrap();
        free_key(Kind::Comm, key).unwrap();
        assert_eq!(get(comm(6), key).unwrap(), Some(5));
        assert!(set(comm(7), key, Attribute::pointer(5)).is_err(), "no new values");
        copy_all(comm(6), comm(7)).unwrap();
        delete_all(comm(6)).unwrap();
        delete_all(comm(7)).unwrap();
        assert_eq!(recorder.0.lock().unwrap().len(), 3);
        assert_eq!(get(comm(6), key).unwrap_err().class, abi::MPI_ERR_KEYVAL);
    }

    #[test]
    fn a_key_may_be_freed_again_while_a_value_stands_under_it() {
        let (_, function) = recorder();
        for (kind, object) in
            [(Kind::Comm, comm(9)), (Kind::Datatype, Object::Datatype(Datatype(0x8c00_0009)))]
        {
            let key = create_key(kind, function, function, 1);
            set(object, key, Attribute::pointer(1)).unwrap();
            free_key(kind, key).unwrap();
            free_key(kind, key).unwrap();
            delete(object, key).unwrap();
            assert_eq!(free_key(kind, key).unwrap_err().class, abi::MPI_ERR_KEYVAL);
        }
    }

    #[test]
    fn fortrans_words_are_read_behind_a_pointer_by_c() {
        let (_, function) = recorder();
        let key = create_key(Kind::Comm, function, function, 1);
        set(comm(10), key, Attribute::new(42, Form::Integer)).unwrap();
        assert_eq!(get_word(comm(10), key).unwrap(), Some(42));
        let pointer = get(comm(10), key).unwrap().unwrap();
        assert_ne!(pointer, 42);
        assert_eq!(get(comm(10), key).unwrap(), Some(pointer), "the word stays where it is");
    }

    #[test]
    fn a_key_is_for_one_kind_of_object() {
        let (_, function) = recorder();
        let key = create_key(Kind::Comm, function, function, 1);
        let error = set(Object::Datatype(abi::MPI_INT), key, Attribute::pointer(1)).unwrap_err();
        assert_eq!(error.class, abi::MPI_ERR_KEYVAL);
        assert_eq!(free_key(Kind::Win, key).unwrap_err().class, abi::MPI_ERR_KEYVAL);
        assert_eq!(
            set(comm(8), abi::MPI_TAG_UB, Attribute::pointer(1)).unwrap_err().class,
            abi::MPI_ERR_KEYVAL
        );
    }
}
