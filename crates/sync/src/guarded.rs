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
//! A value can be made several times. The one in the owner's static lock is the *first*, and its
//! state lies in the `Guarded` itself, at a constant address. Every other token owns the states of
//! its value: each is made when it is first asked for, and dropped with the token.
//!
//! **Why this is sound.** `Owner::TOKEN` is a constant, so all references to the state in one
//! `Guarded` are made from references to the token at one address. A token has a size, so Rust's
//! borrow rules permit either one exclusive reference to that address at a time, or shared ones. A
//! reference to the state lives no longer than the reference to the token from which it was made.
//! The states of other tokens are parts of these tokens, and borrowed from them.
//!
//! The check compares two addresses. Where the compiler knows that the value is the static's, it
//! removes the check.

#![allow(unsafe_code)]

use std::any::Any;
use std::cell::{OnceCell, UnsafeCell};
use std::marker::PhantomData;

/// The part of a lock's value that proves to the upper layers that its holder has entered the lock.
/// It may be sent to another thread, as the lock does with its value, but shared references to it
/// stay in one thread, because a `OnceCell` is not `Sync`.
pub struct Token {
    /// The states of a value that is not the owner's first, in a list.
    states: OnceCell<Box<Entry>>,
}

/// A state of an upper layer, and the next one.
struct Entry {
    /// The address of the [`Guarded`] to which it belongs.
    of: usize,
    state: Box<dyn Any + Send>,
    next: OnceCell<Box<Entry>>,
}

impl Token {
    /// Makes a token. Its value has the state in the [`Guarded`] itself if the token lies at the
    /// address of the [`Owner`], and states of its own anywhere else.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Token {
        Token { states: OnceCell::new() }
    }

    /// Returns this token's own state for the `Guarded` at the address `of`.
    #[cold]
    #[inline(never)]
    fn own<T: State>(&self, of: usize) -> &T {
        let mut place = &self.states;
        loop {
            let entry = place.get_or_init(|| Entry::new::<T>(of));
            if entry.of == of {
                return entry.state.downcast_ref().expect(SAME_TYPE);
            }
            place = &entry.next;
        }
    }

    /// Returns this token's own state for the `Guarded` at the address `of`, to change it.
    #[cold]
    #[inline(never)]
    fn own_mut<T: State>(&mut self, of: usize) -> &mut T {
        // Makes the state if it is missing.
        let _ = self.own::<T>(of);
        let mut place = &mut self.states;
        loop {
            let entry = place.get_mut().expect("the state has been made");
            if entry.of == of {
                return entry.state.downcast_mut().expect(SAME_TYPE);
            }
            place = &mut entry.next;
        }
    }
}

/// Why a state has the type that is asked for.
const SAME_TYPE: &str = "one `Guarded` asks for one type";

impl Entry {
    fn new<T: State>(of: usize) -> Box<Entry> {
        Box::new(Entry { of, state: Box::new(T::INITIAL), next: OnceCell::new() })
    }
}

/// State of an upper layer.
pub trait State: Send + 'static {
    /// The state of a value that has just been made.
    const INITIAL: Self;
}

impl<T: Send + 'static> State for Option<T> {
    const INITIAL: Option<T> = None;
}

impl<T: Send + 'static> State for Vec<T> {
    const INITIAL: Vec<T> = Vec::new();
}

/// The lock that guards a [`Guarded`].
pub trait Owner {
    /// The address of the token in the first value's lock, which is a static.
    const TOKEN: *const Token;
}

/// State that is accessed by whoever holds a token: of the first value, the token of `O`.
pub struct Guarded<T, O> {
    value: UnsafeCell<T>,
    owner: PhantomData<fn() -> O>,
}

// SAFETY: a `Guarded` gives access only in exchange for a reference to the one token at `O::TOKEN`.
// `Token` is not `Sync`, so all shared references to it are in one thread, and an exclusive one is
// alone. The value therefore moves between threads but is never shared, for which `Send` suffices.
unsafe impl<T: Send, O> Sync for Guarded<T, O> {}

impl<T: State, O: Owner> Guarded<T, O> {
    /// Makes the state of the first value.
    #[allow(clippy::new_without_default)]
    pub const fn new() -> Self {
        Guarded { value: UnsafeCell::new(T::INITIAL), owner: PhantomData }
    }

    /// Returns the state of the value that has `token`.
    #[inline(always)]
    pub fn get<'a>(&'a self, token: &'a Token) -> &'a T {
        if !std::ptr::eq(token, O::TOKEN) {
            return token.own(self.address());
        }
        // SAFETY: `token` is the token at `O::TOKEN` and stays borrowed for `'a`, so no exclusive
        // reference to the value exists: `get_mut` would have borrowed that token exclusively.
        unsafe { &*self.value.get() }
    }

    /// Returns the state of the value that has `token`, to change it.
    #[inline(always)]
    pub fn get_mut<'a>(&'a self, token: &'a mut Token) -> &'a mut T {
        if !std::ptr::eq(token, O::TOKEN) {
            return token.own_mut(self.address());
        }
        // SAFETY: `token` is the token at `O::TOKEN` and stays exclusively borrowed for `'a`, so no
        // other reference to the value exists: each would borrow that token.
        unsafe { &mut *self.value.get() }
    }

    /// Returns what tells this `Guarded` from all others: they are static variables.
    fn address(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }
}

/// Two exclusive references to the value cannot exist at once, because both borrow the token:
///
/// ```compile_fail,E0499
/// use nemesis_sync::guarded::{Guarded, Owner, Token};
/// fn twice<O: Owner>(state: &Guarded<Vec<u32>, O>, token: &mut Token) {
///     let (first, second) = (state.get_mut(token), state.get_mut(token));
///     std::mem::swap(first, second);
/// }
/// ```
///
/// Nor can a shared one and an exclusive one:
///
/// ```compile_fail,E0502
/// use nemesis_sync::guarded::{Guarded, Owner, Token};
/// fn both<O: Owner>(state: &Guarded<Vec<u32>, O>, token: &mut Token) -> usize {
///     let first = state.get(token);
///     state.get_mut(token).push(1);
///     first.len()
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
    static STATE: Guarded<Vec<u32>, Inside> = Guarded::new();
    static LOCK_OF_ONE: BiasedLock<Value> =
        BiasedLock::new(Value { number: 1, token: Token::new() });
    static OWN: Guarded<Vec<u32>, Alone> = Guarded::new();
    static OTHER: Guarded<Option<u32>, Alone> = Guarded::new();

    struct Inside;

    impl Owner for Inside {
        const TOKEN: *const Token =
            LOCK.as_ptr().cast_const().wrapping_byte_add(offset_of!(Value, token)).cast();
    }

    struct Alone;

    impl Owner for Alone {
        const TOKEN: *const Token =
            LOCK_OF_ONE.as_ptr().cast_const().wrapping_byte_add(offset_of!(Value, token)).cast();
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
    fn every_other_value_has_states_of_its_own() {
        let mut first = LOCK_OF_ONE.share(|| {});
        let [mut one, mut two] = [Token::new(), Token::new()];
        for token in [&mut one, &mut two] {
            assert!(OWN.get(token).is_empty() && OTHER.get(token).is_none());
            OWN.get_mut(token).push(3);
            *OTHER.get_mut(token) = Some(4);
        }
        OWN.get_mut(&mut two).push(5);
        assert_eq!((&OWN.get(&one)[..], &OWN.get(&two)[..]), (&[3][..], &[3, 5][..]));
        assert_eq!((OTHER.get(&one), OTHER.get(&two)), (&Some(4), &Some(4)));
        assert!(OWN.get_mut(&mut first.token).is_empty());
    }
}
