//! The processes that ranks of communicators and windows name. Each thread remembers the members of
//! those that it has used.

use crate::library::Library;
use nemesis_sync::{AtomicU64, Ordering};
use std::cell::RefCell;

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Comm = 0,
    Window = 1,
}

/// Counts the objects that were freed. Their handles may be used again.
static FREED: AtomicU64 = AtomicU64::new(0);

/// Objects that a thread remembers at most. The one that was used last is the first.
const REMEMBERED_MAX: usize = 64;

/// The members that a thread remembers.
#[derive(Default)]
struct Known {
    /// The number of objects that had been freed when the first was remembered.
    freed: u64,
    members: Vec<(Kind, usize, Box<[u32]>)>,
    /// The datatype that was used last, and the bytes of its elements.
    datatype: Option<(usize, u64)>,
}

impl Known {
    /// Forgets everything if an object has been freed since.
    fn renew(&mut self) {
        // Relaxed: see `forget`.
        let freed = FREED.load(Ordering::Relaxed);
        if self.freed != freed {
            *self = Known { freed, ..Known::default() };
        }
    }

    /// Returns the members of an object.
    fn members(&mut self, library: &Library, kind: Kind, handle: usize) -> &[u32] {
        let is_it = |known: &(Kind, usize, Box<[u32]>)| known.0 == kind && known.1 == handle;
        match self.members.iter().position(is_it) {
            Some(0) => {}
            Some(place) => self.members[..=place].rotate_right(1),
            None => {
                let member = |rank| library.query(kind as i32, handle, rank);
                let members: Box<[u32]> =
                    (0..).map_while(member).map(|process| process as u32).collect();
                if members.is_empty() {
                    // A handle that names nothing now may name something later.
                    return &[];
                }
                self.members.truncate(REMEMBERED_MAX - 1);
                self.members.insert(0, (kind, handle, members));
            }
        }
        &self.members[0].2
    }
}

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::default();
}

/// Forgets what is known of all objects, because one has been freed.
pub fn forget() {
    // Relaxed: a thread that uses the new object of the handle has learnt of it from the thread
    // that made it, after the free.
    FREED.fetch_add(1, Ordering::Relaxed);
}

/// Calls `look` with the members of an object.
fn with_members<R>(
    library: &Library,
    kind: Kind,
    handle: usize,
    look: impl FnOnce(&[u32]) -> R,
) -> R {
    KNOWN.with_borrow_mut(|known| {
        known.renew();
        look(known.members(library, kind, library.abi.handle(handle)))
    })
}

/// Returns the process of a rank.
pub fn process(library: &Library, kind: Kind, handle: usize, rank: usize) -> Option<u32> {
    with_members(library, kind, handle, |members| members.get(rank).copied())
}

/// Returns the number of members: of the remote group, if it is an intercommunicator.
pub fn members(library: &Library, kind: Kind, handle: usize) -> usize {
    with_members(library, kind, handle, <[u32]>::len)
}

/// Returns the bytes of an element of a datatype.
pub fn type_bytes(library: &Library, datatype: usize) -> u64 {
    KNOWN.with_borrow_mut(|known| {
        known.renew();
        match known.datatype {
            Some((last, bytes)) if last == datatype => bytes,
            _ => {
                let bytes = library.type_bytes(datatype);
                known.datatype = Some((datatype, bytes));
                bytes
            }
        }
    })
}
