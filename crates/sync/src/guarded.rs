//! State outside a lock that the lock guards: a token inside the lock gives access to it.
//!
//! A lower layer owns a [`BiasedLock`](crate::biased_lock::BiasedLock) and the value in it. An
//! upper layer has state of its own that the lock should guard, too, but the value's type cannot
//! name that state. So the value contains a [`Token`], and the upper layer's state is a static
//! [`Guarded`]. The holder of the lock has exclusive access to the value, to its token, and thus to
//! the state:
//!
//! ```text
//!   lower layer   static LOCK: BiasedLock<Value>     Value { token: Token, .. }
//!                 struct Inside, whose Owner::TOKEN is the address of LOCK's token
//!   upper layer   static STATE: Guarded<State, Inside>
//!                 STATE.get_mut(&mut value.token)    borrows the token, not the rest of the value
//! ```
//!
//! **Why this is sound.** `Owner::TOKEN` is a constant, so all references to the state of one
//! `Guarded` are made from references to the token at one address. A token has a size, so Rust's
//! borrow rules permit either one exclusive reference to that address at a time, or shared ones. A
//! reference to the state lives no longer than the reference to the token from which it was made.
//! Tokens at other addresses, such as those of values that tests make, give no access.
//!
//! The check compares two addresses. Where the compiler knows that the value is the static's, it
//! removes the check.

#![allow(unsafe_code)]

use std::cell::{Cell, UnsafeCell};
use std::marker::PhantomData;

/// A byte whose address proves that its holder has entered a lock. It may be sent to another
/// thread, as the lock does with its value, but shared references to it stay in one thread.
pub struct Token {
    // A cell, so that neither a static nor a constant shares a token between threads.
    _byte: Cell<u8>,
}

impl Token {
    /// Makes a token. It gives access only if it lies at the address of an [`Owner`].
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Token {
        Token { _byte: Cell::new(0) }
    }
}

/// The lock that guards a [`Guarded`].
pub trait Owner {
    /// The address of the token in the lock's value. The lock is a static.
    const TOKEN: *const Token;
}

/// A value that is accessed by whoever holds the token of `O`.
pub struct Guarded<T, O> {
    value: UnsafeCell<T>,
    owner: PhantomData<fn() -> O>,
}

// SAFETY: a `Guarded` gives access only in exchange for a reference to the one token at `O::TOKEN`.
// `Token` is not `Sync`, so all shared references to it are in one thread, and an exclusive one is
// alone. The value therefore moves between threads but is never shared, for which `Send` suffices.
unsafe impl<T: Send, O> Sync for Guarded<T, O> {}

impl<T, O: Owner> Guarded<T, O> {
    /// Wraps a value.
    pub const fn new(value: T) -> Self {
        Guarded { value: UnsafeCell::new(value), owner: PhantomData }
    }

    /// Returns the value. Panics if `token` is not the owner's.
    #[inline(always)]
    pub fn get<'a>(&'a self, token: &'a Token) -> &'a T {
        check::<O>(token);
        // SAFETY: `token` is the token at `O::TOKEN` and stays borrowed for `'a`, so no exclusive
        // reference to the value exists: `get_mut` would have borrowed that token exclusively.
        unsafe { &*self.value.get() }
    }

    /// Returns the value, to change it. Panics if `token` is not the owner's.
    #[inline(always)]
    pub fn get_mut<'a>(&'a self, token: &'a mut Token) -> &'a mut T {
        check::<O>(token);
        // SAFETY: `token` is the token at `O::TOKEN` and stays exclusively borrowed for `'a`, so no
        // other reference to the value exists: each would borrow that token.
        unsafe { &mut *self.value.get() }
    }
}

/// Panics if `token` does not lie at the owner's address.
#[inline(always)]
fn check<O: Owner>(token: &Token) {
    if !std::ptr::eq(token, O::TOKEN) {
        foreign_token();
    }
}

#[cold]
#[inline(never)]
fn foreign_token() -> ! {
    panic!("the token is not the one of the lock that guards the state")
}

/// Two exclusive references to the value cannot exist at once, because both borrow the token:
///
/// ```compile_fail,E0499
/// use nemesis_sync::guarded::{Guarded, Owner, Token};
/// fn twice<O: Owner>(state: &Guarded<u32, O>, token: &mut Token) {
///     let (first, second) = (state.get_mut(token), state.get_mut(token));
///     std::mem::swap(first, second);
/// }
/// ```
///
/// Nor can a shared one and an exclusive one:
///
/// ```compile_fail,E0502
/// use nemesis_sync::guarded::{Guarded, Owner, Token};
/// fn both<O: Owner>(state: &Guarded<u32, O>, token: &mut Token) -> u32 {
///     let first = state.get(token);
///     *state.get_mut(token) = 1;
///     *first
/// }
/// ```
///
/// Another thread cannot use a shared reference to the token:
///
/// ```compile_fail,E0277
/// use nemesis_sync::guarded::Token;
/// fn share(token: &Token) {
///     std::thread::scope(|scope| drop(scope.spawn(move || token)));
/// }
/// ```
#[cfg(doctest)]
struct MisuseDoesNotCompile;

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::biased_lock::BiasedLock;
    use std::mem::offset_of;

    struct Value {
        number: u32,
        token: Token,
    }

    static LOCK: BiasedLock<Value> = BiasedLock::new(Value { number: 1, token: Token::new() });
    static STATE: Guarded<Vec<u32>, Inside> = Guarded::new(Vec::new());

    struct Inside;

    impl Owner for Inside {
        const TOKEN: *const Token =
            LOCK.as_ptr().cast_const().wrapping_byte_add(offset_of!(Value, token)).cast();
    }

    #[test]
    fn the_holder_of_the_lock_uses_value_and_state_together() {
        let mut guard = LOCK.share(|| {});
        let Value { number, token } = &mut *guard;
        let state = STATE.get_mut(token);
        state.push(*number);
        *number += state.len() as u32;
        assert!(*number == 2 && STATE.get(token)[..] == [1]);
    }

    #[test]
    #[should_panic(expected = "not the one of the lock")]
    fn a_token_elsewhere_gives_no_access() {
        STATE.get(&Token::new());
    }
}
