//! Receives that wait for a message.
//!
//! A receive of a dense predefined type, as most are, is *plain*: where its bytes go, and nothing else. It needs no request beside it; its place among the
//! posted receives is its request, named by a handle of a kind of its own, and keeps what it received until somebody asks. Everything about it is one
//! cache line, written by `MPI_Irecv` and looked at once by the message and once by the wait:
//!
//! ```text
//!                    post_plain                    receive_plain              collect
//!   plain            Nothing ────────────> Plain ─────────────────> Done ───────────────> Nothing
//!                                             │ anything else: a rendezvous, an error,
//!                                             │ MPI_Cancel, a lost process
//!                                             └──────────> Became(request) ──────────────> Nothing
//!
//!                       post                  take
//!   of a request     Nothing ──> Of(request) ─────> Nothing
//! ```

use super::{Levels, Lists, NIL, Pattern, SHAPES};
use crate::handle::{self, Place};
use nemesis::LongPacket;
use nemesis_datatype::Contiguous;

/// A receive into one run of bytes.
#[derive(Clone, Copy, Debug)]
pub struct InlineReceive {
    pub place: Contiguous,
    /// The communicator's handle, whose error handler hears of errors.
    pub comm: u32,
    /// The process that the message comes from, if only one can; else [`InlineReceive::FROM_ANY`].
    pub from: u32,
}

impl InlineReceive {
    pub const FROM_ANY: u32 = u32::MAX;

    /// The process that the message comes from, if only one can.
    #[inline(always)]
    pub fn source(&self) -> Option<u32> {
        Some(self.from).filter(|&from| from != Self::FROM_ANY)
    }
}

/// What a place among the posted receives is used for.
#[derive(Clone, Copy, Debug)]
enum Use {
    Nothing,
    /// A plain receive is posted.
    InlineReceive(InlineReceive),
    /// A plain receive got a message of so many bytes; the entry's pattern is the message's.
    Done {
        bytes: u32,
    },
    /// A request's receive is posted.
    Of(Number),
    /// This was a plain receive; the request goes on with it.
    Became(Number),
}

/// A request's handle, in the 32 bits that it has.
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
    /// Of the receive; as soon as a plain one is done, of the message.
    pattern: Pattern,
    order: u64,
    next: u32,
    previous: u32,
    /// The number of the list that it lies in.
    list: u32,
    /// What the receive is called while it is its own request.
    name: Place,
    used: Use,
}

// A post, a match and a wait each touch one line of a receive, and 64 of them fit an eighth of a first-level cache.
const _: () = assert!(size_of::<Entry>() == 64 && align_of::<Entry>() == 64);

/// Where a posted receive lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot(u32);

impl Slot {
    /// Of a receive that was matched before it was posted.
    pub const NOWHERE: Slot = Slot(NIL);
}

/// A receive that a message has taken out.
#[derive(Clone, Copy, Debug)]
pub enum Taken {
    Of(handle::Request),
    /// Its place is kept, and waits to be told what has become of it.
    InlineReceive(Slot, InlineReceive),
}

/// What a name of a plain receive leads to.
#[derive(Clone, Copy, Debug)]
pub enum Course {
    Waiting(Slot, InlineReceive),
    Done(Slot, Received),
    Became(handle::Request),
}

/// A message that a plain receive got.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Received {
    pub pattern: Pattern,
    pub bytes: u32,
}

/// Receives that wait for a message, and plain ones that nobody has asked for yet.
pub struct Posted {
    entries: Vec<Entry>,
    /// The first of the places that are not used; they are linked by `next`.
    free: u32,
    lists: Lists,
    /// How many are posted of each shape with a wildcard, so that shapes nobody uses cost nothing.
    shapes: [usize; SHAPES],
    /// How many are posted with a wildcard.
    open: usize,
    len: usize,
    /// The greatest `len` since somebody asked for it to begin anew.
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

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn levels(&self) -> Levels {
        Levels { now: self.len, peak: self.peak, total: self.order }
    }

    /// The peak is what there is now.
    pub fn begin_peak(&mut self) {
        self.peak = self.len;
    }

    /// Where the next receive will lie, by which it can be withdrawn.
    #[inline]
    pub fn next_slot(&self) -> Slot {
        Slot(if self.free == NIL { self.entries.len() as u32 } else { self.free })
    }

    /// Posts the receive of a request.
    pub fn post(&mut self, pattern: Pattern, request: handle::Request) {
        let index = self.free_place();
        self.append(index, pattern, Use::Of(Number::of(request)));
    }

    /// Posts a plain receive; its handle, or `None` when all names are taken.
    #[inline(always)]
    pub fn post_inline(
        &mut self,
        pattern: Pattern,
        inline_receive: InlineReceive,
    ) -> Option<handle::Request> {
        let index = match self.free {
            NIL if self.entries.len() <= Place::INDEX_MAX => self.grow(),
            free if free as usize <= Place::INDEX_MAX => free,
            // Places beyond have no name that a program could be given.
            _ => return None,
        };
        self.append(index, pattern, Use::InlineReceive(inline_receive));
        Some(self.entries[index as usize].name.handle())
    }

    fn free_place(&mut self) -> u32 {
        if self.free == NIL { self.grow() } else { self.free }
    }

    /// One more place, which is the first free one.
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

    /// Takes the first free place and puts it at the end of its pattern's list.
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

    /// The receive posted first among those that `message` fits, taken out.
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

    /// Completes the first receive that `message` fits with its bytes, if that is a plain one and has room for all. False leaves everything as it is.
    #[inline(always)]
    pub fn receive_inline(&mut self, message: &Pattern, payload: &[u8]) -> bool {
        self.receive_inline_by(message, payload.len(), |place| place.put_whole(payload))
    }

    /// The same with a packet that is being written.
    pub fn receive_inline_pipelined(&mut self, message: &Pattern, packet: &mut LongPacket) -> bool {
        self.receive_inline_by(message, packet.len(), |place| place.put_long_packet(packet))
    }

    /// `put` moves the message's bytes to the place of the receive, if that has room.
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

    /// For messages that come one after the other and are alike.
    #[inline(always)]
    pub fn run(&mut self) -> Run<'_> {
        Run { key: super::NO_PATTERN, list: NIL, head: NIL, taken: 0, posted: self }
    }

    /// Whether a posted receive wants `message`.
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

    /// What the receive at `slot` asks for.
    pub fn pattern(&self, slot: Slot) -> Option<Pattern> {
        let is_posted = |entry: &&Entry| matches!(entry.used, Use::InlineReceive(_) | Use::Of(_));
        self.entries.get(slot.0 as usize).filter(is_posted).map(|entry| entry.pattern)
    }

    /// Takes a request's posted receive back (cancelled); false when it has been matched.
    pub fn withdraw(&mut self, slot: Slot, request: handle::Request) -> bool {
        let lies_there =
            |entry: &Entry| matches!(entry.used, Use::Of(number) if number.handle() == request);
        let withdrawn = self.entries.get(slot.0 as usize).is_some_and(lies_there);
        if withdrawn {
            self.unlink(slot.0);
            self.give_back(slot.0);
        }
        withdrawn
    }

    /// Takes a receive out of its list: no longer posted.
    #[inline(always)]
    fn unlink(&mut self, index: u32) {
        self.len -= 1;
        let Entry { pattern, next, previous, list: number, .. } = self.entries[index as usize];
        let list = &mut self.lists.lists[number as usize];
        // The first one's `previous` is of earlier times.
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

    /// Whether a plain receive is done; `None` if the handle names none.
    #[inline(always)]
    pub fn is_done(&self, handle: handle::Request) -> Option<bool> {
        match self.named(handle)?.used {
            Use::Done { .. } => Some(true),
            Use::InlineReceive(_) => Some(false),
            Use::Nothing | Use::Of(_) | Use::Became(_) => None,
        }
    }

    /// What a plain receive got, if it is done; its name is dead from now on.
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

    /// How far the plain receive of that name is; `None` if the name is none, or dead.
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

    /// The plain receive at `slot`, which is posted no longer, goes on as a request's.
    pub fn become_request(&mut self, slot: Slot, request: handle::Request) {
        self.entries[slot.0 as usize].used = Use::Became(Number::of(request));
    }

    /// The plain receive posted at `slot` stays where it is among the others, as the request's, which lies at the [next slot](Self::next_slot).
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

    /// The name of a plain receive that became a request's is dead from now on.
    pub fn forget(&mut self, handle: handle::Request) {
        if let Some(Course::Became(_)) = self.course(handle) {
            let index = Place::index(handle);
            self.entries[index].name = self.entries[index].name.next();
            self.give_back(index as u32);
        }
    }

    /// How many places there are, used or not.
    pub fn places(&self) -> usize {
        self.entries.len()
    }

    /// The names of the plain receives that are posted. Looks at every place.
    pub fn waiting(&self) -> impl Iterator<Item = handle::Request> {
        self.entries
            .iter()
            .filter(|entry| matches!(entry.used, Use::InlineReceive(_)))
            .map(|entry| entry.name.handle())
    }

    /// How many plain receives there are, done or not. Looks at every place: for tools.
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

/// Plain receives of one pattern that get their messages one after the other. Their list is put in order once, behind the last of them.
pub struct Run<'a> {
    posted: &'a mut Posted,
    key: Pattern,
    list: u32,
    /// The first that has no message yet.
    head: u32,
    taken: usize,
}

impl Run<'_> {
    /// As [`Posted::receive_inline`].
    #[inline(always)]
    pub fn receive(&mut self, message: &Pattern, payload: &[u8]) -> bool {
        if *message != self.key && !self.turn_to(message) {
            return false;
        }
        // There is no entry behind the last.
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

    /// Goes on with another list; false where a wildcard leaves it open which list's turn it is.
    #[inline(never)]
    fn turn_to(&mut self, key: &Pattern) -> bool {
        self.settle();
        if self.posted.open > 0 {
            return false;
        }
        let Some(head) = self.posted.lists.head(key) else { return false };
        (self.key, self.head, self.list) = (*key, head, self.posted.entries[head as usize].list);
        true
    }

    #[inline(always)]
    fn settle(&mut self) {
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
        self.settle();
    }
}
