//! Values of attributes, and how C and Fortran read them (MPI 5.0 §19.3.7).
//!
//! C sets a pointer. Fortran sets an integer: one of the size of an address, or a default INTEGER
//! (MPI-1). A value that the other language set is converted when it is read:
//!
//! | set as | C reads | Fortran reads |
//! |---|---|---|
//! | pointer | the pointer | the pointer as an integer |
//! | address, integer | the address of the stored word | the word |

use std::sync::Arc;

/// The form in which a program set an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A C pointer.
    Pointer,
    /// `INTEGER(KIND=MPI_ADDRESS_KIND)`
    Address,
    /// A default `INTEGER`, sign-extended to a word.
    Integer,
}

/// Value of an attribute. The stored word keeps its address as long as a clone of the value exists,
/// because C programs hold pointers to it.
#[derive(Clone, Debug)]
pub struct Attribute {
    word: Arc<usize>,
    form: Form,
}

impl Attribute {
    pub fn new(word: usize, form: Form) -> Attribute {
        Attribute { word: Arc::new(word), form }
    }

    /// Creates a value that C set.
    pub fn pointer(pointer: usize) -> Attribute {
        Attribute::new(pointer, Form::Pointer)
    }

    /// Returns the word as it was set.
    pub fn word(&self) -> usize {
        *self.word
    }

    pub fn form(&self) -> Form {
        self.form
    }

    /// Returns the value as C reads it.
    pub fn as_pointer(&self) -> usize {
        match self.form {
            Form::Pointer => *self.word,
            Form::Address | Form::Integer => Arc::as_ptr(&self.word) as usize,
        }
    }

    /// Returns an equal value with a stored word of its own.
    pub fn duplicate(&self) -> Attribute {
        Attribute::new(*self.word, self.form)
    }

    /// Returns the value that a C copy function made of this one. If the function returned the
    /// pointer that it was given, it copied the value itself: the new object must not point to the
    /// old object's word.
    pub fn copied_by_c(&self, copied: usize) -> Attribute {
        if copied == self.as_pointer() { self.duplicate() } else { Attribute::pointer(copied) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c_reads_what_c_set_and_finds_what_fortran_set_behind_a_pointer() {
        assert_eq!(Attribute::pointer(5).as_pointer(), 5);
        for form in [Form::Address, Form::Integer] {
            let set = Attribute::new(7, form);
            assert_eq!((set.word(), set.clone().as_pointer()), (7, set.as_pointer()));
            assert_ne!(set.as_pointer(), 7);
        }
    }

    #[test]
    fn a_copied_value_has_its_own_word() {
        let set = Attribute::new(7, Form::Integer);
        let copied = set.copied_by_c(set.as_pointer());
        assert_eq!((copied.word(), copied.form()), (7, Form::Integer));
        assert_ne!(copied.as_pointer(), set.as_pointer());
        assert_eq!(set.copied_by_c(9).as_pointer(), 9);
    }
}
