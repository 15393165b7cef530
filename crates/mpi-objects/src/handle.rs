//! Handles: the names of MPI objects in the program, and how the engine finds the objects.
//!
//! A handle is a value of the standard ABI. 1..4095 name predefined objects (MPI 5.0 §20), larger
//! values name objects that the program created:
//!
//! ```text
//!   31 30 | 29..26 | 25 .. INDEX_BITS | INDEX_BITS-1 .. 0
//!    1  0 |  kind  |    generation    |      index
//! ```
//!
//! The number fits 32 bits, so that `MPI_Comm_toint` and MPICH's ABI use it unchanged. The
//! generation reveals freed handles: the slot has a later generation, the lookup fails, and the
//! error says "freed" instead of using another object.
//!
//! A process may have several engines, its *lanes*, each of which names its own requests and
//! messages. The program gets the names of the first lane as they are. Those of the others have
//! kinds of their own, and the upper bits of the index are the lane ([`OfLane`]).

/// Kind of object that a handle names: the four bits below the mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Kind {
    /// A [`Message`] of a lane other than the first.
    MessageOfLane = 0,
    Comm = 1,
    Group = 2,
    Datatype = 3,
    File = 4,
    Errhandler = 5,
    Op = 6,
    Info = 7,
    Win = 8,
    Session = 9,
    /// A [`Receive`](Kind::Receive) of a lane other than the first. Even for the same reason.
    ReceiveOfLane = 10,
    Request = 11,
    Message = 12,
    /// A [`Request`] of a lane other than the first.
    RequestOfLane = 13,
    /// A request that is a position among the posted receives: see [`Place`]. The number is even,
    /// so that a generation that overflows into it is cut by one bit.
    Receive = 14,
}

/// Highest value of a predefined handle (MPI 5.0 §20 reserves 1..4095).
pub const PREDEFINED_MAX: usize = 4095;

const MARK: u32 = 0b10 << 30;
const KIND_SHIFT: u32 = 26;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident: $kind:ident, null $null:expr, index bits $bits:expr;)*) => {$(
        $(#[$doc])*
        #[repr(transparent)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct $name(pub usize);

        impl Handle for $name {
            const KIND: Kind = Kind::$kind;
            const NULL: Self = $name($null);
            const INDEX_BITS: u32 = $bits;
            #[inline(always)]
            fn from_bits(bits: usize) -> Self {
                $name(bits)
            }
            #[inline(always)]
            fn bits(self) -> usize {
                self.0
            }
        }
    )*};
}

/// Properties of all handle types.
pub trait Handle: Copy + Eq + std::fmt::Debug {
    const KIND: Kind;
    const NULL: Self;
    /// Number of the 26 low bits that are the index; the rest are the generation.
    const INDEX_BITS: u32;
    fn from_bits(bits: usize) -> Self;
    fn bits(self) -> usize;

    #[inline(always)]
    fn is_null(self) -> bool {
        self == Self::NULL
    }

    fn is_predefined(self) -> bool {
        (1..=PREDEFINED_MAX).contains(&self.bits())
    }
}

handles! {
    /// `MPI_Comm`
    Comm: Comm, null 256, index bits 20;
    /// `MPI_Group`
    Group: Group, null 264, index bits 20;
    /// `MPI_Win`
    Win: Win, null 272, index bits 20;
    /// `MPI_File`
    File: File, null 280, index bits 20;
    /// `MPI_Session`
    Session: Session, null 288, index bits 20;
    /// `MPI_Message`
    Message: Message, null 296, index bits 20;
    /// `MPI_Info`
    Info: Info, null 304, index bits 20;
    /// `MPI_Errhandler`
    Errhandler: Errhandler, null 320, index bits 20;
    /// `MPI_Request`
    Request: Request, null 384, index bits 22;
    /// `MPI_Datatype`
    Datatype: Datatype, null 512, index bits 20;
    /// `MPI_Op`
    Op: Op, null 32, index bits 20;
}

/// Most lanes of a process.
pub const LANES_MAX: usize = 1 << LANE_BITS;
const LANE_BITS: u32 = 3;

/// Handles of objects of which each lane has a table of its own.
pub trait OfLane: Handle {
    /// The kinds of names in a lane, and the kinds of the same names for the program.
    const KINDS: &[(Kind, Kind)];

    /// Objects of a lane other than the first that the program can name.
    const NAMED_MAX: usize = 1 << (Self::INDEX_BITS - LANE_BITS);

    /// Returns the program's name of an object that has this name in a lane, or `None` if the lane
    /// has too many.
    #[inline]
    fn outside(self, lane: usize) -> Option<Self> {
        let bits = self.bits();
        if lane == 0 {
            return Some(self);
        }
        let Some((inside, outside)) = Self::KINDS.iter().find(|kinds| has_kind(bits, kinds.0))
        else {
            // Predefined, or no name at all.
            return Some(self);
        };
        let index = bits & ((1 << Self::INDEX_BITS) - 1);
        let other = bits ^ (*inside as usize ^ *outside as usize) << KIND_SHIFT;
        let marked = other | lane << (Self::INDEX_BITS - LANE_BITS);
        (index < Self::NAMED_MAX).then(|| Self::from_bits(marked))
    }

    /// Returns the lane of an object that has this name in the program, and its name there.
    #[inline]
    fn inside(self) -> (usize, Self) {
        let bits = self.bits();
        let Some((inside, outside)) = Self::KINDS.iter().find(|kinds| has_kind(bits, kinds.1))
        else {
            return (0, self);
        };
        let lane = bits >> (Self::INDEX_BITS - LANE_BITS) & (LANES_MAX - 1);
        let other = bits ^ (*inside as usize ^ *outside as usize) << KIND_SHIFT;
        (lane, Self::from_bits(other & !((LANES_MAX - 1) << (Self::INDEX_BITS - LANE_BITS))))
    }
}

/// Returns whether a value has the form of a name of an object of `H` in a lane other than the
/// first.
pub fn is_of_lane<H: Handle>(bits: usize) -> bool {
    let kinds: &[Kind] = match H::KIND {
        Kind::Request => &[Kind::ReceiveOfLane, Kind::RequestOfLane],
        Kind::Message => &[Kind::MessageOfLane],
        _ => &[],
    };
    kinds.iter().any(|&kind| has_kind(bits, kind))
}

#[inline(always)]
fn has_kind(bits: usize, kind: Kind) -> bool {
    bits >> KIND_SHIFT == ((MARK >> KIND_SHIFT) | kind as u32) as usize
}

impl OfLane for Request {
    const KINDS: &[(Kind, Kind)] =
        &[(Kind::Receive, Kind::ReceiveOfLane), (Kind::Request, Kind::RequestOfLane)];
}

impl OfLane for Message {
    const KINDS: &[(Kind, Kind)] = &[(Kind::Message, Kind::MessageOfLane)];
}

/// Name of an inline receive: the handle of an `MPI_Request` that names a position in `matching`
/// rather than in a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place(u32);

impl Place {
    pub const INDEX_MAX: usize = (1 << Request::INDEX_BITS) - 1;

    /// Returns the name of position `index` when it is used for the first time.
    pub const fn first(index: u32) -> Place {
        Place(MARK | (Kind::Receive as u32) << KIND_SHIFT | index)
    }

    /// Returns the name of this position for its next use.
    #[inline(always)]
    pub const fn next(self) -> Place {
        Place(self.0.wrapping_add(1 << Request::INDEX_BITS) & !(1 << KIND_SHIFT))
    }

    #[inline(always)]
    pub const fn handle(self) -> Request {
        Request(self.0 as usize)
    }

    /// Returns whether a handle is such a name, of a present or a past receive.
    pub const fn is_one(handle: Request) -> bool {
        handle.0 >> KIND_SHIFT
            == (MARK | (Kind::Receive as u32) << KIND_SHIFT) as usize >> KIND_SHIFT
    }

    /// Returns the position that a handle names if it is such a name. The caller then compares the
    /// whole name.
    #[inline(always)]
    pub const fn index(handle: Request) -> usize {
        handle.0 & Self::INDEX_MAX
    }
}

/// Reason why a handle names no object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dead {
    /// The null handle, where an object is required.
    Null,
    /// Its object has been freed.
    Freed,
    /// It never was a handle of this kind (a handle of another kind, an uninitialised variable).
    Foreign,
}

impl Dead {
    pub fn why(self) -> &'static str {
        match self {
            Dead::Null => "the handle is the null handle",
            Dead::Freed => "the handle was freed earlier",
            Dead::Foreign => {
                "the value is no handle of this kind: perhaps an uninitialised variable, or a \
                 value of another mpi.h"
            }
        }
    }

    /// Returns what the user may try.
    pub fn advice(self) -> &'static str {
        match self {
            Dead::Null => {
                "compare the handle with the null handle first: processes outside a new object \
                 and freed handles have it"
            }
            Dead::Freed => "free the handle after its last use, and forget copies of it",
            Dead::Foreign => {
                "initialise the variable, and compile all parts of the program with one mpicc; \
                 `nemesis doctor PROGRAM` names the MPI libraries that it loads"
            }
        }
    }
}

/// The program's objects of one kind: slots with generations.
pub struct Table<H: Handle, T> {
    slots: Vec<Slot<T>>,
    free: Vec<u32>,
    handles: std::marker::PhantomData<fn() -> H>,
}

struct Slot<T> {
    generation: u32,
    object: Option<T>,
}

impl<H: Handle, T> Default for Table<H, T> {
    fn default() -> Self {
        Table::new()
    }
}

impl<H: Handle, T> Table<H, T> {
    pub const fn new() -> Self {
        Table { slots: Vec::new(), free: Vec::new(), handles: std::marker::PhantomData }
    }

    const INDEX_MASK: u32 = (1 << H::INDEX_BITS) - 1;
    const GENERATION_MASK: u32 = (1 << (KIND_SHIFT - H::INDEX_BITS)) - 1;

    /// Inserts an object and returns its handle, or `None` if all indices are in use.
    #[inline]
    pub fn insert(&mut self, object: T) -> Option<H> {
        let index = match self.free.pop() {
            Some(index) => index,
            None => self.grow()?,
        };
        let slot = &mut self.slots[index as usize];
        slot.object = Some(object);
        Some(Self::name(index, slot.generation))
    }

    /// Returns the handle of an object that [`fill`](Self::fill) stores later, or `None` if all
    /// indices are in use. The handle names no object until then.
    pub fn reserve(&mut self) -> Option<H> {
        let index = match self.free.pop() {
            Some(index) => index,
            None => self.grow()?,
        };
        Some(Self::name(index, self.slots[index as usize].generation))
    }

    /// Stores the object of a reserved handle.
    pub fn fill(&mut self, handle: H, object: T) {
        if let Some(slot) = self.reserved(handle) {
            slot.object = Some(object);
        }
    }

    /// Returns a reserved handle, which names no object from then on.
    pub fn give_up(&mut self, handle: H) {
        if let Some(slot) = self.reserved(handle) {
            slot.generation = slot.generation.wrapping_add(1);
            self.free.push(handle.bits() as u32 & Self::INDEX_MASK);
        }
    }

    fn reserved(&mut self, handle: H) -> Option<&mut Slot<T>> {
        let slot = self.slots.get_mut(Self::slot_number(handle)?)?;
        (Self::is_current(slot, handle) && slot.object.is_none()).then_some(slot)
    }

    /// Returns whether [`insert`](Self::insert) finds a slot.
    pub fn has_room(&self) -> bool {
        !self.free.is_empty() || self.slots.len() <= Self::INDEX_MASK as usize
    }

    #[cold]
    fn grow(&mut self) -> Option<u32> {
        let index = u32::try_from(self.slots.len()).ok().filter(|&i| i <= Self::INDEX_MASK)?;
        self.slots.push(Slot { generation: 0, object: None });
        Some(index)
    }

    /// Returns the slot that a handle names if it is a handle of this kind.
    #[inline(always)]
    fn slot_number(handle: H) -> Option<usize> {
        let bits = handle.bits();
        let expected = MARK | (H::KIND as u32) << KIND_SHIFT;
        (bits >> KIND_SHIFT == (expected >> KIND_SHIFT) as usize)
            .then_some((bits as u32 & Self::INDEX_MASK) as usize)
    }

    /// Returns whether a slot has the generation of the handle.
    #[inline(always)]
    fn is_current(slot: &Slot<T>, handle: H) -> bool {
        ((slot.generation << H::INDEX_BITS) ^ handle.bits() as u32)
            & (Self::GENERATION_MASK << H::INDEX_BITS)
            == 0
    }

    #[inline]
    fn index(&self, handle: H) -> Result<usize, Dead> {
        match self.get(handle) {
            Ok(_) => Ok((handle.bits() as u32 & Self::INDEX_MASK) as usize),
            Err(dead) => Err(dead),
        }
    }

    /// Returns the reason why a handle names no object.
    #[cold]
    fn dead(&self, handle: H) -> Dead {
        match Self::slot_number(handle) {
            None if handle.is_null() => Dead::Null,
            Some(number) if number < self.slots.len() => Dead::Freed,
            _ => Dead::Foreign,
        }
    }

    #[inline(always)]
    pub fn get(&self, handle: H) -> Result<&T, Dead> {
        self.find(handle).ok_or_else(|| self.dead(handle))
    }

    /// Returns the object that a handle names, or `None`.
    #[inline(always)]
    pub fn find(&self, handle: H) -> Option<&T> {
        let slot = self.slots.get(Self::slot_number(handle)?)?;
        if Self::is_current(slot, handle) { slot.object.as_ref() } else { None }
    }

    #[inline(always)]
    pub fn get_mut(&mut self, handle: H) -> Result<&mut T, Dead> {
        let index = self.index(handle)?;
        self.slots[index].object.as_mut().ok_or(Dead::Freed)
    }

    /// Removes an object. The handle is invalid from then on.
    pub fn remove(&mut self, handle: H) -> Result<T, Dead> {
        let index = self.index(handle)?;
        let slot = &mut self.slots[index];
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(index as u32);
        slot.object.take().ok_or(Dead::Freed)
    }

    /// Drops an object in its slot.
    #[inline]
    pub fn discard(&mut self, handle: H) -> Result<(), Dead> {
        let index = self.index(handle)?;
        let slot = &mut self.slots[index];
        slot.generation = slot.generation.wrapping_add(1);
        slot.object = None;
        self.free.push(index as u32);
        Ok(())
    }

    /// Stores an object under a handle of another table of this kind, to which alone this one is
    /// then a complement: neither [`insert`](Self::insert) nor [`remove`](Self::remove) may be
    /// called.
    pub fn adopt(&mut self, handle: H, object: T) {
        let Some(number) = Self::slot_number(handle) else { return };
        while self.slots.len() <= number {
            self.slots.push(Slot { generation: 0, object: None });
        }
        let generation = handle.bits() as u32 >> H::INDEX_BITS & Self::GENERATION_MASK;
        self.slots[number] = Slot { generation, object: Some(object) };
    }

    /// Removes an object that [`adopt`](Self::adopt) has stored.
    pub fn disown(&mut self, handle: H) -> Option<T> {
        let slot = self.slots.get_mut(Self::slot_number(handle)?)?;
        if Self::is_current(slot, handle) { slot.object.take() } else { None }
    }

    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over all objects and their handles.
    pub fn named(&self) -> impl Iterator<Item = (H, &T)> {
        let living = |(slot, index): (&'_ Slot<T>, u32)| {
            slot.object.is_some().then(|| Self::name(index, slot.generation))
        };
        self.slots
            .iter()
            .zip(0..)
            .filter_map(living)
            .filter_map(|handle| Some((handle, self.get(handle).ok()?)))
    }

    #[inline(always)]
    fn name(index: u32, generation: u32) -> H {
        let generation = generation & Self::GENERATION_MASK;
        H::from_bits(
            (MARK | (H::KIND as u32) << KIND_SHIFT | generation << H::INDEX_BITS | index) as usize,
        )
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.slots.iter().filter_map(|slot| slot.object.as_ref())
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.slots.iter_mut().filter_map(|slot| slot.object.as_mut())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_freed_handle_is_recognised() {
        let mut table = Table::<Comm, &str>::default();
        let first = table.insert("first").unwrap();
        assert_eq!(table.get(first), Ok(&"first"));
        assert_eq!(table.remove(first), Ok("first"));
        assert_eq!(table.get(first), Err(Dead::Freed));
        let second = table.insert("second").unwrap();
        assert_ne!(first, second, "the slot is reused under another name");
        assert_eq!(table.get(first), Err(Dead::Freed));
        assert_eq!(table.get(second), Ok(&"second"));
    }

    #[test]
    fn a_reserved_handle_names_what_comes_later() {
        let mut table = Table::<Comm, &str>::default();
        let [first, second] = [table.reserve().unwrap(), table.reserve().unwrap()];
        assert_eq!(table.get(first), Err(Dead::Freed));
        assert_ne!(table.insert("third").unwrap(), first, "the slot is taken");
        assert_eq!((table.len(), table.named().count()), (3, 1));
        table.fill(first, "first");
        assert_eq!(table.get(first), Ok(&"first"));
        table.give_up(first);
        assert_eq!(table.get(first), Ok(&"first"), "it is not reserved any more");
        table.give_up(second);
        table.fill(second, "second");
        assert_eq!(table.get(second), Err(Dead::Freed));
        assert_eq!(table.len(), 2);
    }

    #[test]
    fn a_lane_names_its_objects_for_the_program() {
        let mut requests = Table::<Request, u32>::default();
        let mut messages = Table::<Message, u32>::default();
        for lane in 0..LANES_MAX {
            for number in 0..50 {
                // Later generations, too.
                let freed = requests.insert(number).unwrap();
                requests.remove(freed).unwrap();
                let own = requests.insert(number).unwrap();
                let place = Place((0..number).fold(Place::first(number), |it, _| it.next()).0);
                for name in [own, place.handle()] {
                    let outside = name.outside(lane).unwrap();
                    assert_eq!(outside == name, lane == 0);
                    assert_eq!(outside.inside(), (lane, name));
                    assert_eq!(is_of_lane::<Request>(outside.0), lane != 0);
                    assert!(!is_of_lane::<Message>(outside.0) && !is_of_lane::<Comm>(outside.0));
                }
                let message = messages.insert(number).unwrap();
                assert_eq!(message.outside(lane).unwrap().inside(), (lane, message));
            }
            for special in [Request::NULL, Request(0), Request(77), Request(usize::MAX)] {
                assert_eq!(special.outside(lane), Some(special));
                assert_eq!(special.inside(), (0, special));
            }
        }
        let last = Place::first(Request::NAMED_MAX as u32 - 1).handle();
        assert_eq!(last.outside(7).unwrap().inside(), (7, last));
        assert_eq!(Place::first(Request::NAMED_MAX as u32).handle().outside(7), None);
    }

    #[test]
    fn a_table_adopts_objects_of_another() {
        let mut own = Table::<Comm, u32>::default();
        let mut other = Table::<Comm, u32>::default();
        let handles: Vec<Comm> = (0..5).map(|n| own.insert(n).unwrap()).collect();
        own.remove(handles[3]).unwrap();
        let again = own.insert(6).unwrap();
        other.adopt(again, 6);
        assert_eq!((other.get(again), other.get(handles[3])), (Ok(&6), Err(Dead::Freed)));
        assert_eq!(other.find(handles[1]), None);
        assert_eq!([handles[3], again].map(|handle| other.disown(handle)), [None, Some(6)]);
        assert_eq!(other.find(again), None);
    }

    #[test]
    fn null_and_foreign_values_are_told_apart() {
        let mut table = Table::<Comm, ()>::default();
        let mut groups = Table::<Group, ()>::default();
        table.insert(()).unwrap();
        let group = groups.insert(()).unwrap();
        assert_eq!(table.get(Comm::NULL), Err(Dead::Null));
        assert_eq!(table.get(Comm(0)), Err(Dead::Foreign));
        assert_eq!(table.get(Comm(group.bits())), Err(Dead::Foreign));
        assert_eq!(table.get(Comm(0xdead_beef_0000)), Err(Dead::Foreign));
    }

    #[test]
    fn a_place_has_another_name_each_time() {
        let mut name = Place::first(77);
        for _ in 0..40 {
            assert_eq!(Place::index(name.handle()), 77);
            assert_eq!(name.handle().bits() >> KIND_SHIFT, 0b10 << 4 | Kind::Receive as usize);
            assert!(Place::is_one(name.handle()) && !Place::is_one(Request(77)));
            assert_ne!(name.next(), name);
            name = name.next();
        }
    }

    #[test]
    fn a_handle_fits_a_c_int_and_stays_clear_of_the_predefined() {
        let mut table = Table::<Request, u32>::default();
        for i in 0..1000 {
            let handle = table.insert(i).unwrap();
            assert!(handle.bits() > PREDEFINED_MAX && handle.bits() <= u32::MAX as usize);
            assert_eq!(handle.bits() >> 30, 0b10);
        }
    }
}
