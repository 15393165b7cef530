//! The host's functions as C sees them.
//!
//! [`Edge::call`] makes a table of functions for one call of the module, and checks what happened
//! when the call returns. Each function finds its [`Edge`] through the table's `self`, checks its
//! arguments against the module's [`Books`] and only then calls the host. A panic of the host must
//! not unwind through C: the edge keeps it and resumes it after C has returned.

use super::table::{CCell, CHost, CPlace, DONE, code, failure};
use crate::{Cell, Failure, Fault, Host, Region, RegionMut, Token};
use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Resources of the host that a module holds.
pub struct Books {
    processes: u32,
    cells: HashMap<u64, Cell>,
    /// Sends and remote accesses that have not completed, with the memory they use.
    pub pending: HashMap<Token, Held>,
    /// The bulk payloads that are being received, by the cell of their packet.
    places: HashMap<u64, Place>,
    lost: HashSet<u32>,
}

/// The destination of a bulk payload.
struct Place {
    from: u32,
    /// `None` if the bulk payload is discarded.
    _region: Option<RegionMut>,
}

/// Memory that the module uses until a token completes.
pub enum Held {
    Nothing,
    Region { _region: Region },
    Place { _place: RegionMut },
}

impl Books {
    pub fn new(processes: u32) -> Books {
        Books {
            processes,
            cells: HashMap::new(),
            pending: HashMap::new(),
            places: HashMap::new(),
            lost: HashSet::new(),
        }
    }
}

/// One call of a module.
pub struct Edge<'a> {
    host: &'a mut dyn Host,
    books: &'a mut Books,
    /// The module's explanation of the error that it returns.
    why: Option<String>,
    /// The first rule that the module broke.
    broken: Option<String>,
    panic: Option<Box<dyn Any + Send>>,
}

impl Edge<'_> {
    /// Calls the module with a table of `host`'s functions. Returns its return code, unless that is
    /// an error or the module broke a rule.
    pub fn call(
        host: &mut dyn Host,
        books: &mut Books,
        module: impl FnOnce(*const CHost) -> c_int,
    ) -> Result<c_int, Failure> {
        let mut edge = Edge { host, books, why: None, broken: None, panic: None };
        let this: *mut Edge<'_> = &mut edge;
        let table = CHost {
            this: this.cast(),
            card,
            alloc,
            deliver,
            give_back,
            place,
            completed,
            lost,
            explain,
        };
        let code = module(&table);
        if let Some(panic) = edge.panic {
            resume_unwind(panic);
        }
        if let Some(rule) = edge.broken {
            return Err(Failure::new(
                Fault::Broken,
                format!("the network module broke a rule: {rule}"),
            ));
        }
        if code < 0 { Err(failure(code, edge.why)) } else { Ok(code) }
    }

    fn refuse(&mut self, rule: impl Into<String>) -> c_int {
        self.broken.get_or_insert(rule.into());
        code(Fault::Broken)
    }
}

/// Runs `f` with the edge at `this`, and keeps a panic until C has returned.
///
/// # Safety
/// `this` is the `self` of a table that `Edge::call` made, and that call has not returned.
unsafe fn with(this: *mut c_void, f: impl FnOnce(&mut Edge<'_>) -> c_int) -> c_int {
    // SAFETY: the caller guarantees a live edge. Host functions do not call the module, so that
    // this is its only reference.
    let edge = unsafe { &mut *this.cast::<Edge<'_>>() };
    match catch_unwind(AssertUnwindSafe(|| f(&mut *edge))) {
        Ok(code) => code,
        Err(panic) => {
            edge.panic.get_or_insert(panic);
            code(Fault::Broken)
        }
    }
}

/// Copies a C string.
///
/// # Safety
/// `text` is null or a C string.
unsafe fn words(text: *const c_char) -> Option<String> {
    // SAFETY: the caller guarantees that `text`, which is not null, is a C string.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

unsafe extern "C" fn card(
    this: *mut c_void,
    process: u32,
    buffer: *mut c_void,
    capacity: usize,
) -> c_int {
    let find = |edge: &mut Edge<'_>| {
        let Some(card) =
            (process < edge.books.processes).then(|| edge.host.card(process)).flatten()
        else {
            return code(Fault::Unreachable);
        };
        if card.len() > capacity || buffer.is_null() {
            return code(Fault::Invalid);
        }
        // SAFETY: the module passed a buffer of `capacity` bytes, and the card fits.
        unsafe { std::ptr::copy_nonoverlapping(card.as_ptr(), buffer.cast(), card.len()) };
        card.len() as c_int
    };
    // SAFETY: the module calls this function with the table's self.
    unsafe { with(this, find) }
}

unsafe extern "C" fn alloc(this: *mut c_void, payload: usize, out: *mut CCell) -> c_int {
    let take = |edge: &mut Edge<'_>| {
        let Some(mut cell) = edge.host.alloc(payload) else { return 0 };
        let lent = CCell {
            id: cell.id(),
            frame: cell.frame_mut().as_mut_ptr().cast(),
            payload_capacity: cell.payload_capacity(),
        };
        edge.books.cells.insert(lent.id, cell);
        // SAFETY: the module passed a pointer to a variable of its own.
        unsafe { out.write(lent) };
        1
    };
    // SAFETY: the module calls this function with the table's self.
    unsafe { with(this, take) }
}

unsafe extern "C" fn deliver(this: *mut c_void, from: u32, cell: *const CCell) -> c_int {
    // SAFETY: the module passed a pointer to a variable of its own. Only the cell's number is used,
    // and it is looked up.
    let id = unsafe { (*cell).id };
    let hand_over = |edge: &mut Edge<'_>| {
        let Some(cell) = edge.books.cells.remove(&id) else {
            return edge.refuse("it delivered a cell that it does not hold");
        };
        if cell.packet().is_none() || from >= edge.books.processes {
            edge.host.give_back(cell);
            return edge.refuse("it delivered a packet longer than its cell, or from no process");
        }
        if edge.books.places.remove(&id).is_some_and(|place| place.from != from) {
            edge.host.give_back(cell);
            return edge.refuse("it delivered a packet from another process than it had said");
        }
        edge.host.deliver(from, cell);
        DONE
    };
    // SAFETY: the module calls this function with the table's self.
    unsafe { with(this, hand_over) }
}

unsafe extern "C" fn give_back(this: *mut c_void, cell: *const CCell) -> c_int {
    // SAFETY: the module passed a pointer to a variable of its own. Only the cell's number is used,
    // and it is looked up.
    let id = unsafe { (*cell).id };
    let take_back = |edge: &mut Edge<'_>| match edge.books.cells.remove(&id) {
        Some(cell) => {
            edge.books.places.remove(&id);
            edge.host.give_back(cell);
            DONE
        }
        None => edge.refuse("it gave a cell back that it does not hold"),
    };
    // SAFETY: the module calls this function with the table's self.
    unsafe { with(this, take_back) }
}

unsafe extern "C" fn place(
    this: *mut c_void,
    from: u32,
    cell: *const CCell,
    bulk: usize,
    out: *mut CPlace,
) -> c_int {
    // SAFETY: the module passed a pointer to a variable of its own. Only the cell's number is used,
    // and it is looked up.
    let id = unsafe { (*cell).id };
    let find = |edge: &mut Edge<'_>| {
        if from >= edge.books.processes || edge.books.places.contains_key(&id) {
            return edge.refuse(
                "it asked for the destination of a bulk payload twice, or for that of no process",
            );
        }
        let Some((header, payload)) = edge.books.cells.get(&id).and_then(Cell::packet) else {
            return edge.refuse("it asked for the destination of a bulk payload without a packet");
        };
        let place = edge.host.place(from, &header, payload, bulk);
        if place.as_ref().is_some_and(|place| place.len() < bulk) {
            return code(Fault::Invalid);
        }
        let target = place.as_ref().map(|place| CPlace {
            address: place.address().as_ptr().cast(),
            registration: place.registration().unwrap_or(0),
            registered: place.registration().is_some().into(),
        });
        edge.books.places.insert(id, Place { from, _region: place });
        let Some(target) = target else { return 0 };
        // SAFETY: the module passed a pointer to a variable of its own.
        unsafe { out.write(target) };
        1
    };
    // SAFETY: the module calls this function with the table's self.
    unsafe { with(this, find) }
}

unsafe extern "C" fn completed(this: *mut c_void, token: u64, outcome: c_int) -> c_int {
    let tell = |edge: &mut Edge<'_>| {
        if edge.books.pending.remove(&token).is_none() {
            return edge.refuse(format!("it completed {token}, which is not pending"));
        }
        let why = edge.why.take();
        edge.host
            .completed(token, if outcome == DONE { Ok(()) } else { Err(failure(outcome, why)) });
        DONE
    };
    // SAFETY: the module calls this function with the table's self.
    unsafe { with(this, tell) }
}

unsafe extern "C" fn lost(
    this: *mut c_void,
    process: u32,
    fault: c_int,
    why: *const c_char,
) -> c_int {
    // SAFETY: the module passes null or a C string.
    let why = unsafe { words(why) };
    let tell = |edge: &mut Edge<'_>| {
        if process >= edge.books.processes || !edge.books.lost.insert(process) {
            return edge.refuse(format!(
                "it lost process {process}, which it had lost before or which does not exist"
            ));
        }
        edge.books.places.retain(|_, place| place.from != process);
        edge.host.lost(process, failure(fault, why).about(process));
        DONE
    };
    // SAFETY: the module calls this function with the table's self.
    unsafe { with(this, tell) }
}

unsafe extern "C" fn explain(this: *mut c_void, why: *const c_char) {
    // SAFETY: the module passes null or a C string.
    let why = unsafe { words(why) };
    let keep = |edge: &mut Edge<'_>| {
        edge.why = why;
        DONE
    };
    // SAFETY: the module calls this function with the table's self.
    unsafe { with(this, keep) };
}
