//! Pointers to one value.

use crate::{Call, Library};
use std::marker::PhantomData;
use std::ptr::NonNull;

/// An out parameter: null, or valid for one write.
#[repr(transparent)]
pub struct Out<'a, T, L> {
    address: *mut T,
    call: Call<&'a mut T, L>,
}

impl<T, L> Clone for Out<'_, T, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, L> Copy for Out<'_, T, L> {}

impl<'a, T, L: Library> Out<'a, T, L> {
    /// # Safety
    /// P1 and P3 hold: `address` is null or valid for a write of `T` while `'a` lasts.
    #[inline(always)]
    pub unsafe fn new(address: *mut T) -> Self {
        Out { address, call: PhantomData }
    }

    /// A null pointer, for a parameter that this form of the function lacks.
    #[inline(always)]
    pub fn null() -> Self {
        Out { address: std::ptr::null_mut(), call: PhantomData }
    }

    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.address.is_null()
    }

    /// The address, for arguments that a constant may replace.
    #[inline]
    pub fn addr(&self) -> usize {
        self.address.addr()
    }

    /// The place behind the pointer; `None` for a null pointer.
    #[inline(always)]
    pub fn get(self) -> Option<OutRef<'a, T>> {
        NonNull::new(self.address).map(|address| OutRef { address, call: PhantomData })
    }

    /// The place behind the pointer. A null pointer is an error.
    #[inline(always)]
    pub fn require(self, name: &'static str) -> Result<OutRef<'a, T>, L::Error> {
        self.get().ok_or_else(|| L::null(name))
    }

    /// Writes the value. A null pointer is an error.
    #[inline(always)]
    pub fn put(self, name: &'static str, value: T) -> Result<(), L::Error> {
        self.require(name)?.write(value);
        Ok(())
    }

    /// Writes the value unless the pointer is null.
    #[inline]
    pub fn put_unless_null(self, value: T) {
        if let Some(place) = self.get() {
            place.write(value);
        }
    }
}

impl<'a, T, L> From<&'a mut T> for Out<'a, T, L> {
    fn from(place: &'a mut T) -> Self {
        Out { address: place, call: PhantomData }
    }
}

/// An out parameter that is not null.
#[repr(transparent)]
pub struct OutRef<'a, T> {
    address: NonNull<T>,
    call: PhantomData<&'a mut T>,
}

impl<T> OutRef<'_, T> {
    #[inline(always)]
    pub fn write(self, value: T) {
        // SAFETY: not null, so P1 says that the address is valid for a write.
        unsafe { self.address.write(value) }
    }

    /// The address, which need not hold a value yet.
    #[inline(always)]
    pub fn as_ptr(&self) -> *mut T {
        self.address.as_ptr()
    }
}

/// A parameter that a function reads and writes: null, or the address of a value.
#[repr(transparent)]
pub struct InOut<'a, T, L> {
    address: *mut T,
    call: Call<&'a mut T, L>,
}

impl<'a, T: Copy, L: Library> InOut<'a, T, L> {
    /// # Safety
    /// P1 and P3 hold: `address` is null or points to a `T` that nobody else uses while `'a` lasts.
    #[inline(always)]
    pub unsafe fn new(address: *mut T) -> Self {
        InOut { address, call: PhantomData }
    }

    /// The address, for arguments that a constant may replace.
    #[inline]
    pub fn addr(&self) -> usize {
        self.address.addr()
    }

    /// The argument for a function that is called within this one.
    #[inline(always)]
    pub fn reborrow(&mut self) -> InOut<'_, T, L> {
        InOut { address: self.address, call: PhantomData }
    }

    /// The place behind the pointer; `None` for a null pointer.
    #[inline(always)]
    pub fn get(self) -> Option<InOutRef<'a, T>> {
        NonNull::new(self.address).map(|address| InOutRef { address, call: PhantomData })
    }

    /// The place behind the pointer. A null pointer is an error.
    #[inline(always)]
    pub fn require(self, name: &'static str) -> Result<InOutRef<'a, T>, L::Error> {
        self.get().ok_or_else(|| L::null(name))
    }
}

impl<'a, T, L> From<&'a mut T> for InOut<'a, T, L> {
    fn from(place: &'a mut T) -> Self {
        InOut { address: place, call: PhantomData }
    }
}

/// An [`InOut`] that is not null. No reference to the value lives while a callback of the program
/// runs, because the callback may know the variable.
#[repr(transparent)]
pub struct InOutRef<'a, T> {
    address: NonNull<T>,
    call: PhantomData<&'a mut T>,
}

impl<'a, T: Copy> InOutRef<'a, T> {
    #[inline(always)]
    pub fn read(&self) -> T {
        // SAFETY: not null, so P1 says that there is a value.
        unsafe { self.address.read() }
    }

    #[inline(always)]
    pub fn write(self, value: T) {
        self.into_out().write(value);
    }

    /// The place, to be written once.
    #[inline(always)]
    pub fn into_out(self) -> OutRef<'a, T> {
        OutRef { address: self.address, call: PhantomData }
    }

    /// The value as a variable, for as long as the call uses it alone (P3).
    #[inline(always)]
    pub fn into_mut(mut self) -> &'a mut T {
        // SAFETY: not null, so P1 says that there is a value.
        unsafe { self.address.as_mut() }
    }
}

/// A parameter that a function reads through a pointer: null, or the address of a value.
#[repr(transparent)]
pub struct In<'a, T, L> {
    address: *const T,
    call: Call<&'a T, L>,
}

impl<T, L> Clone for In<'_, T, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, L> Copy for In<'_, T, L> {}

impl<'a, T, L: Library> In<'a, T, L> {
    /// # Safety
    /// P1 and P3 hold: `address` is null or points to a `T` that nobody writes while `'a` lasts.
    #[inline(always)]
    pub unsafe fn new(address: *const T) -> Self {
        In { address, call: PhantomData }
    }

    /// The address, for arguments that a constant may replace.
    #[inline]
    pub fn addr(&self) -> usize {
        self.address.addr()
    }

    /// The value behind the pointer; `None` for a null pointer.
    #[inline(always)]
    pub fn get(self) -> Option<&'a T> {
        // SAFETY: null, or a value that P1 and P3 let this call read.
        unsafe { self.address.as_ref() }
    }

    /// The value behind the pointer. A null pointer is an error.
    #[inline(always)]
    pub fn require(self, name: &'static str) -> Result<&'a T, L::Error> {
        self.get().ok_or_else(|| L::null(name))
    }
}

impl<'a, T, L> From<&'a T> for In<'a, T, L> {
    fn from(value: &'a T) -> Self {
        In { address: value, call: PhantomData }
    }
}
