//! The predefined objects of Open MPI's ABI, whose addresses are handles.

use nemesis_mpi::handle::Handle;
use std::cell::UnsafeCell;
use std::ffi::c_void;

/// A handle as programs have it.
pub type RawHandle = *mut c_void;

/// Predefined handles of the standard ABI are below this number.
pub const NUMBERS: usize = 1024;

/// A predefined object. Its address is the handle; all but its first word makes it as long as Open
/// MPI's, because the dynamic linker copies as many bytes as the program expects.
///
/// Objects lie in memory that can be written. Else the linker would place the copies of a program
/// in memory that cannot, and the program could not run with Open MPI's own library, which writes.
#[repr(C, align(16))]
pub struct Object<const WORDS: usize> {
    /// The number in Fortran.
    pub fortran: i32,
    unused: UnsafeCell<[u32; WORDS]>,
}

// SAFETY: nobody uses the words.
unsafe impl<const WORDS: usize> Sync for Object<WORDS> {}

impl<const WORDS: usize> Object<WORDS> {
    pub const fn new(fortran: i32) -> Object<WORDS> {
        Object { fortran, unused: UnsafeCell::new([0; WORDS]) }
    }
}

/// The addresses of the predefined objects by their numbers.
pub struct Addresses([*const Object<0>; NUMBERS]);

// SAFETY: addresses of objects that never change.
unsafe impl Sync for Addresses {}

impl Addresses {
    pub const fn new(objects: &[(usize, *const Object<0>)]) -> Addresses {
        let mut addresses = [std::ptr::null(); NUMBERS];
        let mut at = 0;
        while at < objects.len() {
            let (number, object) = objects[at];
            addresses[number] = object;
            at += 1;
        }
        Addresses(addresses)
    }

    /// The numbers and the addresses of the objects.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> {
        let objects = self.0.iter().map(|object| object.addr()).enumerate();
        objects.filter(|(_, address)| *address != 0)
    }

    /// The object with a number.
    pub fn object(&self, number: usize) -> Option<&Object<0>> {
        // SAFETY: the address of an object of this library, which lives as long as that, or null.
        unsafe { self.0.get(number)?.as_ref() }
    }

    /// The handle of a predefined object.
    #[inline]
    pub fn handle(&self, number: usize) -> RawHandle {
        match self.0.get(number) {
            Some(address) if !address.is_null() => address.cast_mut().cast(),
            _ => std::ptr::without_provenance_mut(number),
        }
    }
}

/// Kinds of handles whose predefined objects have numbers in Fortran.
pub trait Numbered: Handle {
    /// The numbers of the predefined handles by those in Fortran; 0 where there is none.
    const NUMBERS: &'static [u16];
}
