//! Single values: [`to`] the standard ABI's, and [`from`] it; and which are the [`same`] in both.
//!
//! Named values are converted by [`nemesis_capi::foreign`]. Handles of the program's objects are
//! one 32-bit number in both ABIs, except datatypes. MPICH's pair types (`0x8c00000x`) have the
//! values of our first datatypes, so datatypes of the program have a kind in MPICH's ABI that
//! neither side uses.

// Which of these the bindings use depends on the functions that are implemented.
#![allow(dead_code)]

use crate::tables;
use nemesis_capi::foreign::{ADDED, any_tag, value_to};
use nemesis_capi::foreign_values;
use nemesis_capi::params::{InOut, ValueIn};
use nemesis_mpi::abi;
use nemesis_mpi::handle::{self, Datatype, Handle, Kind, Op};
use std::ffi::{c_int, c_void};

/// Kind 3 (datatype) ↔ 15 in bits 29..26 of a handle.
const MOVED: u32 = 0b1100 << 26;

/// Bits 31-30 of a handle that the program got from us.
const USER_MARK: u32 = 0b10 << 30;

/// Bits 29..26: the kind.
const KIND_MASK: u32 = 0b1111 << 26;
const MOVED_DATATYPES: u32 = USER_MARK | KIND_MASK;
const DATATYPES: u32 = MOVED_DATATYPES ^ MOVED;

/// Requests that are receives, and are named like that.
const RECEIVES: u32 = USER_MARK | (Kind::Receive as u32) << 26;

/// `MPI_ERR_LASTCODE`
const LASTCODE: c_int = ADDED - 1;
// The lists that these search have four elements at most. Datatypes and operations have arrays.
fn predefined_to(table: &[(usize, u32)], handle: u32) -> Option<usize> {
    table.iter().find(|(_, mpich)| *mpich == handle).map(|(standard, _)| *standard)
}

fn predefined_from(table: &[(usize, u32)], handle: usize) -> Option<u32> {
    table.iter().find(|(standard, _)| *standard == handle).map(|(_, mpich)| *mpich)
}

fn handle_to<H: Handle>(table: &[(usize, u32)], handle: c_int) -> H {
    let bits = handle as u32;
    if bits & 0b11 << 30 == USER_MARK && bits & KIND_MASK == (H::KIND as u32) << 26 {
        return H::from_bits(bits as usize);
    }
    // Zero is no handle in the standard ABI.
    let of_lane = || if handle::is_of_lane::<H>(bits as usize) { bits as usize } else { 0 };
    H::from_bits(predefined_to(table, bits).unwrap_or_else(of_lane))
}

fn handle_from<H: Handle>(table: &[(usize, u32)], handle: H) -> c_int {
    let bits = handle.bits();
    if bits as u32 & USER_MARK != 0 {
        return bits as c_int;
    }
    predefined_from(table, bits).unwrap_or(0) as c_int
}

/// MPICH's basic datatypes by the low byte of their handle, which is their index in this ABI; 0 for
/// an index without a type.
static BASIC: [u16; 256] = by_low_byte(tables::DATATYPE, BASIC_MARK);

/// The pair types, in the same way.
static PAIRS: [u16; 8] = by_low_byte(tables::DATATYPE, PAIR_MARK);

/// The operations, in the same way.
static OPS: [u16; 16] = by_low_byte(tables::OP, OP_MARK);

/// The other way: MPICH's datatypes by the standard's number, from MPI_DATATYPE_NULL on.
static DATATYPES_FROM: [u32; 256] = by_number(tables::DATATYPE, Datatype::NULL.0);

/// MPICH's operations by the standard's number, from MPI_OP_NULL on.
static OPS_FROM: [u32; 32] = by_number(tables::OP, Op::NULL.0);

/// The handles with this upper half, by what is below the size of a type.
const fn by_low_byte<const N: usize>(handles: &[(usize, u32)], mark: u32) -> [u16; N] {
    let mut table = [0; N];
    let mut at = 0;
    while at < handles.len() {
        let (standard, mpich) = handles[at];
        if mpich >> 16 == mark {
            let index = (mpich & 0xff) as usize;
            assert!(table[index] == 0, "two handles share an index");
            table[index] = standard as u16;
        }
        at += 1;
    }
    table
}

const fn by_number<const N: usize>(handles: &[(usize, u32)], first: usize) -> [u32; N] {
    let mut table = [0; N];
    let mut at = 0;
    while at < handles.len() {
        let (standard, mpich) = handles[at];
        table[standard - first] = mpich;
        at += 1;
    }
    table
}

/// The upper half of a basic datatype's handle (builtin, datatype). The byte below it is the size.
const BASIC_MARK: u32 = 0x4c00;
/// The upper half of the handle of a pair type, and of an operation.
const PAIR_MARK: u32 = 0x8c00;
const OP_MARK: u32 = 0x5800;

/// MPI_COMM_WORLD, the most frequent communicator.
const WORLD: u32 = 0x4400_0000;

/// MPI_DISPLACEMENT_CURRENT of MPICH's ABI.
const DISPLACEMENT_CURRENT: i64 = -54_278_278;

/// `MPI_FILE_NULL` is a null pointer here; other files are our number.
pub type FilePointer = *mut c_void;

/// Whether values of the first half of a call are equal in the two ABIs.
pub mod same {
    use super::*;

    #[inline(always)]
    pub fn rank(rank: c_int) -> bool {
        rank >= 0
    }

    #[inline(always)]
    pub fn tag(tag: c_int) -> bool {
        tag >= 0
    }

    /// The constants of MPICH's ABI are negative, and no program has memory at such addresses.
    #[inline(always)]
    pub fn buffer(buffer: *const c_void) -> bool {
        buffer as isize >= 0
    }
}

pub mod to {
    use super::*;
    use nemesis_mpi::handle::{
        Comm, Datatype, Errhandler, File, Group, Info, Message, Op, Request, Session, Win,
    };

    macro_rules! handles {
        ($($convert:ident: $handle:ident, $table:ident;)*) => {$(
            pub fn $convert(handle: c_int) -> $handle {
                handle_to(tables::$table, handle)
            }
        )*};
    }

    handles! {
        errhandler: Errhandler, ERRHANDLER;
        group: Group, GROUP;
        info: Info, INFO;
        message: Message, MESSAGE;
        session: Session, SESSION;
        win: Win, WIN;
    }

    #[inline(always)]
    pub fn comm(handle: c_int) -> Comm {
        if handle as u32 == WORLD {
            return abi::MPI_COMM_WORLD;
        }
        handle_to(tables::COMM, handle)
    }

    #[inline(always)]
    pub fn request(handle: c_int) -> Request {
        let bits = handle as u32;
        if bits & (0b11 << 30 | KIND_MASK) == RECEIVES {
            return Request(bits as usize);
        }
        handle_to(tables::REQUEST, handle)
    }

    #[inline(always)]
    pub fn datatype(handle: c_int) -> Datatype {
        let number = handle as u32;
        if number >> 16 == BASIC_MARK {
            return Datatype(usize::from(BASIC[(number & 0xff) as usize]));
        }
        if number & (0b11 << 30 | KIND_MASK) == MOVED_DATATYPES {
            return Datatype((number ^ MOVED) as usize);
        }
        if number == DATATYPES_FROM[0] {
            return Datatype::NULL;
        }
        let pair = PAIRS.get((number & 0xffff) as usize).filter(|_| number >> 16 == PAIR_MARK);
        Datatype(pair.map_or(0, |&pair| usize::from(pair)))
    }

    #[inline]
    pub fn op(handle: c_int) -> Op {
        let number = handle as u32;
        match OPS.get((number & 0xffff) as usize) {
            Some(&op) if number >> 16 == OP_MARK => Op(usize::from(op)),
            _ => handle_to(&tables::OP[..1], handle),
        }
    }

    pub fn file(handle: FilePointer) -> File {
        if handle.is_null() { File::NULL } else { File(handle as usize) }
    }

    /// ANY_SOURCE, PROC_NULL and ROOT are -2, -1, -3 here and -1, -3, -4 there.
    #[inline]
    pub fn rank(rank: c_int) -> c_int {
        match rank {
            0.. => rank,
            -2 => abi::MPI_ANY_SOURCE,
            _ => no_source(rank),
        }
    }

    /// A function of its own, so that it costs others no instructions.
    #[inline(never)]
    fn no_source(rank: c_int) -> c_int {
        match rank {
            -1 => abi::MPI_PROC_NULL,
            -3 => abi::MPI_ROOT,
            abi::MPI_UNDEFINED => rank,
            stranger => stranger.saturating_sub(4),
        }
    }

    #[inline]
    pub fn tag(tag: c_int) -> c_int {
        any_tag(tag)
    }

    /// A buffer of messages: MPI_IN_PLACE is -1 here.
    #[inline]
    pub fn buffer(buffer: *const c_void) -> *const c_void {
        if buffer as isize == -1 { abi::MPI_IN_PLACE as *const c_void } else { buffer }
    }

    #[inline]
    pub fn buffer_mut(buffer: *mut c_void) -> *mut c_void {
        self::buffer(buffer).cast_mut()
    }

    /// A buffer that is attached: MPI_BUFFER_AUTOMATIC is -2 here.
    pub fn attached(buffer: *mut c_void) -> *mut c_void {
        if buffer as isize == -2 { abi::MPI_BUFFER_AUTOMATIC as *mut c_void } else { buffer }
    }

    /// The object that a tool's handle is bound to: a communicator, where it is.
    pub fn bound_object(object: ValueIn<'_>, is_comm: bool) -> Option<Comm> {
        if is_comm { object.get().map(|bits| comm(c_int::from_ne_bytes(bits))) } else { None }
    }

    /// MPI_DISPLACEMENT_CURRENT
    pub fn displacement(displacement: i64) -> i64 {
        if displacement == DISPLACEMENT_CURRENT {
            abi::MPI_DISPLACEMENT_CURRENT
        } else {
            displacement
        }
    }

    pub fn split_type(value: c_int) -> c_int {
        value_to(tables::SPLIT_TYPES, value)
    }

    foreign_values! { to, last LASTCODE }
}

pub mod from {
    use super::*;
    use nemesis_mpi::handle::{
        Comm, Datatype, Errhandler, File, Group, Info, Message, Op, Request, Session, Win,
    };

    macro_rules! handles {
        ($($convert:ident: $handle:ident, $table:ident;)*) => {$(
            pub fn $convert(handle: $handle) -> c_int {
                handle_from(tables::$table, handle)
            }
        )*};
    }

    handles! {
        comm: Comm, COMM;
        errhandler: Errhandler, ERRHANDLER;
        group: Group, GROUP;
        info: Info, INFO;
        message: Message, MESSAGE;
        request: Request, REQUEST;
        session: Session, SESSION;
        win: Win, WIN;
    }

    pub fn datatype(handle: Datatype) -> c_int {
        if handle.0 as u32 & (0b11 << 30 | KIND_MASK) == DATATYPES {
            return (handle.0 as u32 ^ MOVED) as c_int;
        }
        DATATYPES_FROM
            .get(handle.0.wrapping_sub(Datatype::NULL.0))
            .map_or(0, |&mpich| mpich as c_int)
    }

    pub fn op(handle: Op) -> c_int {
        if handle.0 as u32 & USER_MARK != 0 {
            return handle.0 as c_int;
        }
        OPS_FROM.get(handle.0.wrapping_sub(Op::NULL.0)).map_or(0, |&mpich| mpich as c_int)
    }

    pub fn file(handle: File) -> FilePointer {
        if handle == File::NULL { std::ptr::null_mut() } else { handle.0 as FilePointer }
    }

    #[inline]
    pub fn rank(rank: c_int) -> c_int {
        match rank {
            abi::MPI_PROC_NULL => -1,
            abi::MPI_ANY_SOURCE => -2,
            abi::MPI_ROOT => -3,
            other => other,
        }
    }

    #[inline]
    pub fn tag(tag: c_int) -> c_int {
        if tag == abi::MPI_ANY_TAG { -1 } else { tag }
    }

    /// Converts the address of a detached buffer: the automatic one has another value in this ABI.
    pub fn buffer_at(place: InOut<'_, *mut c_void>) {
        if let Some(buffer) = place.get()
            && buffer.read() as usize == abi::MPI_BUFFER_AUTOMATIC
        {
            buffer.write(-2_isize as *mut c_void);
        }
    }

    foreign_values! { from, io -2, host -1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_mpi::handle::{Comm, Datatype};

    #[test]
    fn every_predefined_datatype_comes_back() {
        for (standard, mpich) in tables::DATATYPE {
            assert_eq!(to::datatype(*mpich as c_int), Datatype(*standard));
            assert_eq!(from::datatype(Datatype(*standard)), *mpich as c_int);
        }
    }

    #[test]
    fn every_predefined_communicator_comes_back() {
        assert!(tables::COMM.contains(&(abi::MPI_COMM_WORLD.0, WORLD)));
        for (standard, mpich) in tables::COMM {
            assert_eq!(to::comm(*mpich as c_int), Comm(*standard));
            assert_eq!(from::comm(Comm(*standard)), *mpich as c_int);
        }
    }

    #[test]
    fn every_predefined_operation_comes_back() {
        for (standard, mpich) in tables::OP {
            assert_eq!(to::op(*mpich as c_int), Op(*standard));
            assert_eq!(from::op(Op(*standard)), *mpich as c_int);
        }
        for stranger in [0, 32, 0x5800_000f, 0x5800_0010, 0x5800_0103, 0x4c00_0000, -1] {
            assert_eq!(to::op(stranger), Op(0));
        }
    }

    #[test]
    fn undefined_stays_undefined_among_named_values() {
        assert_eq!(to::split_type(abi::MPI_UNDEFINED), abi::MPI_UNDEFINED);
        assert_eq!(to::split_type(77), c_int::MIN);
    }

    #[test]
    fn handles_of_the_program_come_back_and_equal_no_predefined_one() {
        for index in [0, 1, 5, 1 << 20, (1 << 26) - 1] {
            let datatype = Datatype((DATATYPES | index) as usize);
            let mpich = from::datatype(datatype);
            assert!(tables::DATATYPE.iter().all(|(_, predefined)| *predefined as c_int != mpich));
            assert_eq!(to::datatype(mpich), datatype);
            let comm = Comm((USER_MARK | 1 << 26 | index) as usize);
            assert_eq!(to::comm(from::comm(comm)), comm);
        }
    }

    #[test]
    fn invalid_values_stay_invalid() {
        for stranger in [0, 257, 521, -1, c_int::MAX] {
            assert_eq!(to::comm(stranger), Comm(0));
            assert_eq!(to::datatype(stranger), Datatype(0));
        }
        for rank in [-4, -5, -7] {
            assert!(
                ![abi::MPI_ANY_SOURCE, abi::MPI_PROC_NULL, abi::MPI_ROOT].contains(&to::rank(rank))
            );
        }
        for tag in [-2, -3, -4, c_int::MIN] {
            assert!(to::tag(tag) < 0 && to::tag(tag) != abi::MPI_ANY_TAG);
        }
    }

    #[test]
    fn values_that_a_first_half_takes_are_equal() {
        for value in -5..5 {
            assert!(!same::rank(value) || to::rank(value) == value, "{value}");
            assert!(!same::tag(value) || to::tag(value) == value, "{value}");
            let buffer = value as isize as *const c_void;
            assert!(!same::buffer(buffer) || to::buffer(buffer) == buffer, "{value}");
        }
        assert!(same::rank(3) && same::tag(0));
    }

    #[test]
    fn error_codes_keep_class_and_instance() {
        for (standard, mpich) in tables::ERROR_CLASSES {
            assert_eq!((from::code(*standard), to::code(*mpich)), (*mpich, *standard));
        }
        let code = 200 << 6 | abi::MPI_ERR_REQUEST.value();
        assert_eq!(from::code(code), 200 << 8 | 19);
        assert_eq!(to::code(from::code(code)), code);
        let added = abi::MPI_ERR_LASTCODE + 4;
        assert_eq!(to::code(from::code(added)), added);
        for stranger in [64, 128, 192, 256, 1 << 15, 1 << 16] {
            assert_ne!(to::code(stranger), abi::MPI_SUCCESS, "{stranger}");
        }
        let code = abi::MPIX_ERR_PROC_FAILED.value() + (7 << 6);
        assert_eq!(from::code(code), 7 << 8 | 101);
        assert_eq!(to::code(from::code(code)), code);
    }

    #[test]
    fn mode_bits_are_converted_one_by_one() {
        assert_eq!(to::mode(1 | 8), abi::MPI_MODE_CREATE | abi::MPI_MODE_RDWR);
        assert_eq!(from::mode(abi::MPI_MODE_CREATE | abi::MPI_MODE_RDWR), 1 | 8);
    }
}
