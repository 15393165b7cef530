//! The variables of requests: which call has overwritten the handle of an earlier request.

use crate::{CallSite, STATE, locked, sites};
use std::cell::Cell;
use std::collections::HashMap;

/// The requests that variables of the program hold.
#[derive(Default)]
pub(crate) struct Variables {
    /// The handle that a variable got last, by its address.
    held: HashMap<usize, usize>,
    /// The variable that got a handle last, by the handle.
    variable_of: HashMap<usize, usize>,
    /// The call that has overwritten the variable of a request, by the request's handle.
    overwritten: HashMap<usize, CallSite>,
}

thread_local! {
    /// The last call of this thread that has stored a request in a variable of a library that
    /// converts handles, and the request. Requests that are complete at once share one handle, and
    /// another thread may store it at the same time.
    static CALL: Cell<Option<(usize, CallSite)>> = const { Cell::new(None) };
}

impl Variables {
    /// The present call, at `site`, stores `handle` at `address`.
    fn store(&mut self, address: usize, handle: usize, site: CallSite) {
        // A number that an earlier request had names the new one.
        self.overwritten.remove(&handle);
        if let Some(old) = self.variable_of.insert(handle, address)
            && old != address
            && self.held.get(&old) == Some(&handle)
        {
            // The variable held the earlier request, which is complete.
            self.held.remove(&old);
        }
        if let Some(before) = self.held.insert(address, handle)
            && before != handle
        {
            self.overwritten.entry(before).or_insert(site);
        }
    }
}

/// Notes that the present call stores the request `handle` in the variable at `address`. In a
/// variable of a library that converts handles, it only notes the call, for [`converted`]: those of
/// Fortran and of the MPICH ABI.
#[cold]
pub fn stored(address: usize, handle: usize) {
    let (Some(state), Some(site)) = (STATE.get(), sites::here()) else { return };
    let own_frame = (&raw const site).addr();
    if (own_frame..site.stack_pointer).contains(&address) {
        CALL.set(Some((handle, site)));
        locked(&state.sites).insert(handle, site);
    } else {
        locked(&state.variables).store(address, handle, site);
    }
}

/// Notes that a library which converts handles stores the request `handle`, which the present call
/// has made, in the program's variable at `address`. The function of MPI has returned to it.
#[cold]
pub fn converted(address: usize, handle: usize) {
    let Some(state) = STATE.get() else { return };
    if let Some(site) = own_call(handle).or_else(|| sites::of(handle)) {
        locked(&state.variables).store(address, handle, site);
    }
}

/// Returns the call of this thread that has stored `handle` last, once.
fn own_call(handle: usize) -> Option<CallSite> {
    CALL.take().filter(|(stored, _)| *stored == handle).map(|(_, site)| site)
}

/// Returns the call that has overwritten the variable of the request `handle`.
pub fn overwritten_by(handle: usize) -> Option<CallSite> {
    locked(&STATE.get()?.variables).overwritten.get(&handle).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_request_that_was_there_is_overwritten() {
        let at = |address| CallSite { function: "MPI_Isend", address, stack_pointer: 0, script: 0 };
        let mut variables = Variables::default();
        variables.store(0x10, 1, at(100));
        variables.store(0x18, 2, at(101));
        variables.store(0x10, 3, at(102));
        variables.store(0x10, 3, at(103));
        assert_eq!(variables.overwritten.get(&1).map(|site| site.address), Some(102));
        assert_eq!(variables.overwritten.len(), 1);
        // The number is given to another request.
        variables.store(0x20, 1, at(104));
        assert!(variables.overwritten.is_empty());
    }

    #[test]
    fn a_thread_names_its_own_call_of_a_handle_that_another_thread_has_stored_too() {
        let at = |address| CallSite { function: "MPI_Isend", address, stack_pointer: 0, script: 0 };
        CALL.set(Some((7, at(100))));
        std::thread::spawn(move || CALL.set(Some((7, at(200))))).join().unwrap();
        assert_eq!(own_call(7).map(|site| site.address), Some(100));
        assert_eq!(own_call(7).map(|site| site.address), None);
        CALL.set(Some((7, at(100))));
        assert_eq!(own_call(8).map(|site| site.address), None);
    }

    #[test]
    fn a_number_that_is_given_again_leaves_its_old_variable() {
        let at = |address| CallSite { function: "MPI_Irecv", address, stack_pointer: 0, script: 0 };
        let mut variables = Variables::default();
        variables.store(0x10, 1, at(100));
        // The request is complete, and its number names another one.
        variables.store(0x18, 1, at(101));
        variables.store(0x10, 2, at(102));
        assert!(variables.overwritten.is_empty(), "the request of 0x18 is still there");
        variables.store(0x18, 3, at(103));
        assert_eq!(variables.overwritten.get(&1).map(|site| site.address), Some(103));
    }
}
