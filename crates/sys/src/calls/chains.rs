//! Call sites that a thread has looked up before, known again by the return addresses on its stack.
//!
//! Unwinding a stack takes some hundred nanoseconds for each frame. A program calls MPI from the
//! same places again and again, and then the stack below the program has the same return addresses
//! at the same places. So a thread keeps, for each stack pointer, the *chains* that it has unwound:
//! the places of the return addresses from the inquiring function to the program, and what they
//! held.
//!
//! That a chain is the present one follows frame by frame: the inquiring function has the same
//! stack pointer, so its return address lies at the same place; if it is the same, the frame of its
//! caller lies at the same place, too, and so on up to the program. Each word that is read belongs
//! to a frame that is known to exist by then.
//!
//! On other processors than x86-64 return addresses lie at no fixed place of a frame, and each call
//! is unwound.

use super::{CallSite, Stack, site_in};
use std::cell::RefCell;
use std::collections::HashMap;
use std::hint::black_box;
use std::ptr::with_exposed_provenance;

/// Bytes of a return address, which lies below the stack pointer of the frame it returns to.
const ADDRESS_BYTES: usize = size_of::<usize>();
/// Chains that a thread keeps for one stack pointer, and stack pointers for which it keeps any.
const CHAINS_MAX: usize = 8;
const POINTERS_MAX: usize = 1024;

/// The return addresses between an inquiry and the program, innermost first.
struct Chain {
    /// The places on the stack, and what is there.
    links: Box<[(usize, usize)]>,
    site: CallSite,
}

impl Chain {
    /// Returns whether this thread's stack, on which the inquiring function is the innermost one,
    /// has the chain.
    fn is_on_stack(&self) -> bool {
        self.links.iter().all(|&(place, address)| {
            // SAFETY: the place is that of the return address of a function that is being executed,
            // as the head of this file shows: the links before this one are on the stack.
            unsafe { with_exposed_provenance::<usize>(place).read_volatile() == address }
        })
    }
}

thread_local! {
    static KNOWN: RefCell<HashMap<usize, Vec<Chain>>> = RefCell::default();
}

/// Does what [`call_site`](super::call_site) does. All calls must name the same functions and
/// wrappers.
#[inline(never)]
pub(super) fn call_site(
    known: impl Fn(&'static str) -> Option<&'static str>,
    wrappers: &[&str],
) -> Option<CallSite> {
    let local = 0_u8;
    // The frame of this function has one layout, so this address stands for its stack pointer.
    let here = (&raw const *black_box(&local)).expose_provenance();
    let kept = KNOWN.try_with(|all| {
        let all = all.borrow();
        let chain = all.get(&here)?.iter().find(|chain| chain.is_on_stack())?;
        Some(chain.site)
    });
    // A thread that ends keeps nothing.
    let Ok(kept) = kept else {
        return site_in(&Stack::of_this_thread(), known, wrappers).map(first);
    };
    if kept.is_some() {
        return kept;
    }
    let stack = Stack::of_this_thread();
    let (site, depth) = site_in(&stack, known, wrappers)?;
    let places = stack.stack_pointers[..=depth].iter().map(|pointer| pointer - ADDRESS_BYTES);
    let addresses = stack.frames[..=depth].iter().map(|frame| frame.expose_provenance());
    // The frames of the functions that unwind are gone at the next inquiry.
    let chain = Chain { links: places.zip(addresses).filter(|(at, _)| *at > here).collect(), site };
    // In a function without a usual frame the address lies elsewhere.
    if !chain.links.is_empty() && chain.is_on_stack() {
        KNOWN.with_borrow_mut(|all| {
            if all.len() < POINTERS_MAX || all.contains_key(&here) {
                let chains = all.entry(here).or_default();
                chains.truncate(CHAINS_MAX - 1);
                chains.insert(0, chain);
            }
        });
    }
    Some(site)
}

fn first((site, _): (CallSite, usize)) -> CallSite {
    site
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::c_void;

    thread_local! {
        static SITES: RefCell<Vec<CallSite>> = const { RefCell::new(Vec::new()) };
    }

    extern "C" fn compare(_: *const c_void, _: *const c_void) -> i32 {
        let known =
            |name: &'static str| (name.starts_with("qsort") || name == "bsearch").then_some(name);
        let site = call_site(known, &["libnone"]).expect("the C library has called this");
        let unwound = super::super::call_site(known, &["libnone"]).expect("as above");
        assert_eq!(site, unwound);
        SITES.with_borrow_mut(|sites| sites.push(site));
        0
    }

    #[inline(never)]
    fn sort(numbers: &mut [i32; 2]) {
        // SAFETY: two elements of four bytes, and a comparison that reads neither.
        unsafe { libc::qsort(numbers.as_mut_ptr().cast(), 2, 4, Some(compare)) };
    }

    #[inline(never)]
    fn search(numbers: &[i32; 2]) {
        let all = numbers.as_ptr().cast();
        // SAFETY: as above.
        unsafe { libc::bsearch(all, all, 2, 4, Some(compare)) };
    }

    /// Sorts at several depths of the stack.
    #[inline(never)]
    fn deeper(levels: u32, numbers: &mut [i32; 2]) {
        sort(numbers);
        if levels > 0 {
            deeper(levels - 1, numbers);
        }
        black_box(levels);
    }

    #[test]
    fn a_chain_is_found_again_and_others_are_not_taken_for_it() {
        let mut numbers = [2, 1];
        for _ in 0..black_box(50) {
            sort(&mut numbers);
            search(&numbers);
        }
        deeper(3, &mut numbers);
        let sites = SITES.take();
        assert!(sites.len() > 100, "{}", sites.len());
        assert!(sites.iter().any(|site| site.function == "bsearch"));
        let chains = KNOWN.with_borrow(|all| all.values().map(Vec::len).sum::<usize>());
        assert!((2..30).contains(&chains), "{chains}");
    }
}
