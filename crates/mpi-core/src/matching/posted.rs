//! Posted receives.
//!
//! A receive of a contiguous predefined type, the usual kind, is *inline*: it consists of the
//! address of its buffer, and needs no request object. Its position among the posted receives is
//! its request, named by a handle of a kind of its own, and keeps the result until it is collected.
//! All its state is one cache line, which `MPI_Irecv` writes and which the message and the wait
//! access once each:
//!
//! ```text
//!                  post_inline                receive_inline            collect
//!   inline         Nothing ───────────> Inline ───────────────> Done ──────────────> Nothing
//!                                          │ any other event: a rendezvous, an error,
//!                                          │ MPI_Cancel, a lost process
//!                                          └─────────> Became(request) ────────────> Nothing
//!
//!                  post                 take
//!   of a request   Nothing ─> Of(request) ────> Nothing
//! ```

use super::{Levels, Lists, NIL, Pattern, SHAPES};
use crate::handle::{self, OfLane, Place};
use nemesis::LongPacket;
use nemesis_datatype::Contiguous;
use nemesis_sys::mutation::{self, Mutation};

/// A receive into contiguous memory.
#[derive(Clone, Copy, Debug)]
pub struct InlineReceive {
    pub place: Contiguous,
    /// The handle of the communicator whose error handler is called.
    pub comm: u32,
    /// The process that sends the message if only one can, otherwise [`InlineReceive::FROM_ANY`].
    pub from: u32,
}

impl InlineReceive {
    /// Stands for the source of a receive whose message may come from several processes.
    pub const FROM_ANY: u32 = u32::MAX;

    /// Returns the process that sends the message, if only one can.
    #[inline(always)]
    pub fn source(&self) -> Option<u32> {
        Some(self.from).filter(|&from| from != Self::FROM_ANY)
    }
}

/// Use of a position among the posted receives.
#[derive(Clone, Copy, Debug)]
enum Use {
    Nothing,
    /// An inline receive is posted.
    InlineReceive(InlineReceive),
    /// An inline receive got a message of this many bytes; the pattern of the entry is the
    /// message's.
    Done {
        bytes: u32,
    },
    /// The receive of a request is posted.
    Of(Number),
    /// This was an inline receive; the request continues it.
    Became(Number),
}

/// A request's handle in 32 bits, which suffice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Number(u32);

impl Number {
    fn of(handle: handle::Request) -> Number {
        Number(handle.0 as u32)
    }

    fn handle(self) -> handle::Request {
        handle::Request(self.0 as usize)
    }
}

#[repr(align(64))]
struct Entry {
    /// The pattern of the receive, or of the message once an inline receive is done.
    pattern: Pattern,
    order: u64,
    next: u32,
    previous: u32,
    /// The number of its list.
    list: u32,
    /// The name of the receive while it is its own request.
    name: Place,
    used: Use,
}

// A post, a match and a wait each access one line of a receive, and 64 receives fit an eighth of a
// first-level cache.
const _: () = assert!(size_of::<Entry>() == 64 && align_of::<Entry>() == 64);

/// The position of a posted receive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot(u32);

impl Slot {
    /// The slot of a receive that was matched before it was posted.
    pub const NOWHERE: Slot = Slot(NIL);
}

/// A receive that a message has taken out of the queue.
#[derive(Clone, Copy, Debug)]
pub enum Taken {
    Of(handle::Request),
    /// Its position is kept until it is recorded what the receive became.
    InlineReceive(Slot, InlineReceive),
}

/// State of an inline receive, as its name leads to it.
#[derive(Clone, Copy, Debug)]
pub enum Course {
    Waiting(Slot, InlineReceive),
    Done(Slot, Received),
    Became(handle::Request),
}

/// A message that an inline receive got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Received {
    pub pattern: Pattern,
    pub bytes: u32,
}

/// The posted receives, and the inline receives that are not collected yet.
pub struct Posted {
    entries: Vec<Entry>,
    /// The first free position; free positions are linked by `next`.
    free: u32,
    lists: Lists,
    /// Number of posted receives of each shape with a wildcard, so that unused shapes cost nothing.
    shapes: [usize; SHAPES],
    /// Number of posted receives with a wildcard.
    open: usize,
    len: usize,
    /// The maximum of `len` since the last reset.
    peak: usize,
    order: u64,
}

impl Posted {
    pub const fn new() -> Self {
        Posted {
            entries: Vec::new(),
            free: NIL,
            lists: Lists::new(),
            shapes: [0; SHAPES],
            open: 0,
            len: 0,
            peak: 0,
            order: 0,
        }
    }

    /// Returns whether no receive is posted.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of posted receives.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the numbers of posted receives, for tools.
    pub fn levels(&self) -> Levels {
        Levels { now: self.len, peak: self.peak, total: self.order }
    }

    /// Resets the peak to the current number.
    pub fn begin_peak(&mut self) {
        self.peak = self.len;
    }

    /// Returns the position of the next receive, by which it can be withdrawn.
    #[inline]
    pub fn next_slot(&self) -> Slot {
        Slot(if self.free == NIL { self.entries.len() as u32 } else { self.free })
    }

    /// Posts the receive of a request.
    pub fn post(&mut self, pattern: Pattern, request: handle::Request) {
        let index = self.free_place();
        self.append(index, pattern, Use::Of(Number::of(request)));
    }

    /// Posts an inline receive and returns its handle, or `None` if all names are in use.
    #[inline(always)]
    pub fn post_inline(
        &mut self,
        pattern: Pattern,
        inline_receive: InlineReceive,
    ) -> Option<handle::Request> {
        let index = match self.free {
            NIL if self.entries.len() < handle::Request::NAMED_MAX => self.grow(),
            free if (free as usize) < handle::Request::NAMED_MAX => free,
            // Positions beyond this have no name that a program could be given in every lane.
            _ => return None,
        };
        self.append(index, pattern, Use::InlineReceive(inline_receive));
        Some(self.entries[index as usize].name.handle())
    }

    fn free_place(&mut self) -> u32 {
        if self.free == NIL { self.grow() } else { self.free }
    }

    /// Adds a position, which becomes the first free one.
    #[cold]
    fn grow(&mut self) -> u32 {
        let index = self.entries.len() as u32;
        let pattern = super::NO_PATTERN;
        let name = Place::first(index);
        self.entries.push(Entry {
            pattern,
            order: 0,
            next: NIL,
            previous: NIL,
            list: NIL,
            name,
            used: Use::Nothing,
        });
        self.free = index;
        index
    }

    /// Takes the first free position and appends it to its pattern's list.
    #[inline(always)]
    fn append(&mut self, index: u32, pattern: Pattern, used: Use) {
        self.order += 1;
        self.len += 1;
        self.peak = self.peak.max(self.len);
        let number = self.lists.number(&pattern);
        let list = &mut self.lists.lists[number as usize];
        let previous = std::mem::replace(&mut list.tail, index);
        if previous == NIL {
            list.head = index;
        } else {
            self.entries[previous as usize].next = index;
        }
        let entry = &mut self.entries[index as usize];
        self.free = entry.next;
        (entry.pattern, entry.order, entry.next, entry.previous, entry.list) =
            (pattern, self.order, NIL, previous, number);
        entry.used = used;
        let shape = pattern.shape();
        if shape != 0 {
            self.shapes[shape] += 1;
            self.open += 1;
        }
    }

    /// Takes out the receive that was posted first among those that match `message`.
    #[inline]
    pub fn take(&mut self, message: &Pattern) -> Option<Taken> {
        let index = self.first(message)?;
        self.unlink(index);
        match self.entries[index as usize].used {
            Use::InlineReceive(inline_receive) => {
                Some(Taken::InlineReceive(Slot(index), inline_receive))
            }
            Use::Of(request) => {
                self.give_back(index);
                Some(Taken::Of(request.handle()))
            }
            Use::Nothing | Use::Done { .. } | Use::Became(_) => None,
        }
    }

    /// Completes the first receive that matches `message` with its bytes, if that is an inline
    /// receive with space for all of them. Returns false, without any effect, otherwise.
    #[inline(always)]
    pub fn receive_inline(&mut self, message: &Pattern, payload: &[u8]) -> bool {
        self.receive_inline_by(message, payload.len(), |place| place.put_whole(payload))
    }

    /// Completes a receive as [`receive_inline`](Self::receive_inline) does, with a packet that is
    /// still being written.
    pub fn receive_inline_pipelined(&mut self, message: &Pattern, packet: &mut LongPacket) -> bool {
        self.receive_inline_by(message, packet.len(), |place| place.put_long_packet(packet))
    }

    /// Completes an inline receive; `put` moves the message's bytes into its buffer, if that is
    /// large enough.
    #[inline(always)]
    fn receive_inline_by(
        &mut self,
        message: &Pattern,
        bytes: usize,
        put: impl FnOnce(Contiguous) -> bool,
    ) -> bool {
        let Some(index) = self.first(message) else { return false };
        let entry = &mut self.entries[index as usize];
        let Use::InlineReceive(inline_receive) = entry.used else { return false };
        if !put(inline_receive.place) {
            return false;
        }
        entry.used = Use::Done { bytes: bytes as u32 };
        self.unlink(index);
        let entry = &mut self.entries[index as usize];
        (entry.pattern.rank, entry.pattern.tag) = (message.rank, message.tag);
        true
    }

    /// Starts a run of receives, for successive messages of equal patterns.
    #[inline(always)]
    pub fn run(&mut self) -> Run<'_> {
        Run { key: super::NO_PATTERN, list: NIL, head: NIL, taken: 0, posted: self }
    }

    /// Returns whether a posted receive matches `message`.
    pub fn would_take(&self, message: &Pattern) -> bool {
        self.first(message).is_some()
    }

    #[inline(always)]
    fn first(&self, message: &Pattern) -> Option<u32> {
        let exact = self.lists.head(message);
        if self.open == 0 { exact } else { self.first_of_all(message, exact) }
    }

    #[inline(never)]
    fn first_of_all(&self, message: &Pattern, exact: Option<u32>) -> Option<u32> {
        let mut best = exact;
        if best.is_some() && mutation::strikes(Mutation::WildcardPassedOver) {
            return best;
        }
        for shape in 1..SHAPES {
            if self.shapes[shape] == 0 {
                continue;
            }
            let Some(index) = self.lists.head(&message.widened(shape)) else { continue };
            let earlier =
                |best: u32| self.entries[index as usize].order < self.entries[best as usize].order;
            if best.is_none_or(earlier) {
                best = Some(index);
            }
        }
        best
    }

    /// Returns the pattern of the receive at `slot`.
    pub fn pattern(&self, slot: Slot) -> Option<Pattern> {
        let is_posted = |entry: &&Entry| matches!(entry.used, Use::InlineReceive(_) | Use::Of(_));
        self.entries.get(slot.0 as usize).filter(is_posted).map(|entry| entry.pattern)
    }

    /// Withdraws a request's posted receive (cancel). Returns false if it has been matched.
    pub fn withdraw(&mut self, slot: Slot, request: handle::Request) -> bool {
        let lies_there =
            |entry: &Entry| matches!(entry.used, Use::Of(number) if number.handle() == request);
        let withdrawn = self.entries.get(slot.0 as usize).is_some_and(lies_there);
        if withdrawn && !mutation::strikes(Mutation::CancelledStaysPosted) {
            self.unlink(slot.0);
            self.give_back(slot.0);
        }
        withdrawn
    }

    /// Removes a receive from its list: it is posted no longer.
    #[inline(always)]
    fn unlink(&mut self, index: u32) {
        self.len -= 1;
        let Entry { pattern, next, previous, list: number, .. } = self.entries[index as usize];
        let list = &mut self.lists.lists[number as usize];
        // The `previous` of the first entry is outdated.
        let is_first = list.head == index;
        if is_first {
            list.head = next;
        }
        if next == NIL {
            list.tail = if is_first { NIL } else { previous };
        }
        if !is_first {
            self.entries[previous as usize].next = next;
            if next != NIL {
                self.entries[next as usize].previous = previous;
            }
        }
        let shape = pattern.shape();
        if self.open > 0 && shape != 0 {
            self.shapes[shape] -= 1;
            self.open -= 1;
        }
    }

    #[inline(always)]
    fn give_back(&mut self, index: u32) {
        let entry = &mut self.entries[index as usize];
        (entry.used, entry.next) = (Use::Nothing, self.free);
        self.free = index;
    }

    #[inline(always)]
    fn named(&self, handle: handle::Request) -> Option<&Entry> {
        self.entries.get(Place::index(handle)).filter(|entry| entry.name.handle() == handle)
    }

    /// Returns whether an inline receive is done, or `None` if the handle names none.
    #[inline(always)]
    pub fn is_done(&self, handle: handle::Request) -> Option<bool> {
        match self.named(handle)?.used {
            Use::Done { .. } => Some(true),
            Use::InlineReceive(_) => Some(false),
            Use::Nothing | Use::Of(_) | Use::Became(_) => None,
        }
    }

    /// Returns what an inline receive got, if it is done. Its name is invalid from then on.
    #[inline(always)]
    pub fn collect(&mut self, handle: handle::Request) -> Option<Received> {
        let index = Place::index(handle);
        let entry = self.entries.get_mut(index).filter(|entry| entry.name.handle() == handle)?;
        let Use::Done { bytes } = entry.used else { return None };
        let received = Received { pattern: entry.pattern, bytes };
        (entry.name, entry.used, entry.next) = (entry.name.next(), Use::Nothing, self.free);
        self.free = index as u32;
        Some(received)
    }

    /// Returns the state of the inline receive with this name, or `None` if there is none.
    pub fn course(&self, handle: handle::Request) -> Option<Course> {
        let entry = self.named(handle)?;
        let slot = Slot(Place::index(handle) as u32);
        match entry.used {
            Use::InlineReceive(inline_receive) => Some(Course::Waiting(slot, inline_receive)),
            Use::Done { bytes } => {
                Some(Course::Done(slot, Received { pattern: entry.pattern, bytes }))
            }
            Use::Became(request) => Some(Course::Became(request.handle())),
            Use::Nothing | Use::Of(_) => None,
        }
    }

    /// Records that the inline receive at `slot`, which is posted no longer, continues as a
    /// request.
    pub fn become_request(&mut self, slot: Slot, request: handle::Request) {
        self.entries[slot.0 as usize].used = Use::Became(Number::of(request));
    }

    /// Records that the inline receive posted at `slot` continues as a request. Its position in the
    /// queue is unchanged; the request's entry is the [next slot](Self::next_slot).
    pub fn replace(&mut self, slot: Slot, request: handle::Request) {
        let index = self.free_place();
        let Entry { pattern, order, next, previous, list: number, .. } =
            self.entries[slot.0 as usize];
        let entry = &mut self.entries[index as usize];
        self.free = entry.next;
        (entry.pattern, entry.order, entry.next, entry.previous, entry.list) =
            (pattern, order, next, previous, number);
        entry.used = Use::Of(Number::of(request));
        let list = &mut self.lists.lists[number as usize];
        if next == NIL {
            list.tail = index;
        } else {
            self.entries[next as usize].previous = index;
        }
        if list.head == slot.0 {
            list.head = index;
        } else {
            self.entries[previous as usize].next = index;
        }
        self.become_request(slot, request);
    }

    /// Invalidates the name of an inline receive that became a request.
    pub fn forget(&mut self, handle: handle::Request) {
        if let Some(Course::Became(_)) = self.course(handle) {
            let index = Place::index(handle);
            self.entries[index].name = self.entries[index].name.next();
            self.give_back(index as u32);
        }
    }

    /// Returns the number of positions, used or not.
    pub fn places(&self) -> usize {
        self.entries.len()
    }

    /// Iterates over the names of the posted inline receives. Examines every position.
    pub fn waiting(&self) -> impl Iterator<Item = handle::Request> {
        self.entries
            .iter()
            .filter(|entry| matches!(entry.used, Use::InlineReceive(_)))
            .map(|entry| entry.name.handle())
    }

    /// Returns the number of inline receives, done or not. Examines every position; for tools.
    pub fn inline_receive(&self) -> usize {
        self.entries
            .iter()
            .filter(|entry| matches!(entry.used, Use::InlineReceive(_) | Use::Done { .. }))
            .count()
    }

    #[cfg(test)]
    pub(super) fn lists(&self) -> &Lists {
        &self.lists
    }
}

/// Inline receives of one pattern that get their messages in succession. Their list is updated
/// once, after the last of them.
pub struct Run<'a> {
    posted: &'a mut Posted,
    key: Pattern,
    list: u32,
    /// The first that has no message yet.
    head: u32,
    taken: usize,
}

impl Run<'_> {
    /// Completes a receive as [`Posted::receive_inline`] does.
    #[inline(always)]
    pub fn receive(&mut self, message: &Pattern, payload: &[u8]) -> bool {
        if *message != self.key && !self.turn_to(message) {
            return false;
        }
        // No entry follows the last one.
        let Some(entry) = self.posted.entries.get_mut(self.head as usize) else { return false };
        let Use::InlineReceive(inline_receive) = entry.used else { return false };
        if !inline_receive.place.put_whole(payload) {
            return false;
        }
        entry.used = Use::Done { bytes: payload.len() as u32 };
        self.head = entry.next;
        self.taken += 1;
        true
    }

    /// Continues with another list. Returns false if a wildcard leaves open which list is next.
    #[inline(never)]
    fn turn_to(&mut self, key: &Pattern) -> bool {
        self.write_back();
        if self.posted.open > 0 {
            return false;
        }
        let Some(head) = self.posted.lists.head(key) else { return false };
        (self.key, self.head, self.list) = (*key, head, self.posted.entries[head as usize].list);
        true
    }

    #[inline(always)]
    fn write_back(&mut self) {
        if let Some(list) = self.posted.lists.lists.get_mut(self.list as usize) {
            list.head = self.head;
            if self.head == NIL {
                list.tail = NIL;
            }
        }
        self.posted.len -= std::mem::take(&mut self.taken);
        (self.key, self.list, self.head) = (super::NO_PATTERN, NIL, NIL);
    }
}

impl Drop for Run<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.write_back();
    }
}
