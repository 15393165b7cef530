//! Single values: [`to`] the standard ABI's, and [`from`] it; and which are the [`same`] in both.
//! Named values are converted by [`nemesis_capi::foreign`].

// Which of these the bindings use depends on the functions that are implemented.
#![allow(dead_code)]

use crate::handle::{number_of, number_of_own};
use crate::object::RawHandle;
use crate::objects::ADDRESSES;
use crate::tables;
use nemesis_capi::foreign::{any_tag, value_to};
use nemesis_capi::foreign_values;
use nemesis_capi::impls::SPLIT_BY_LEVEL;
use nemesis_capi::params::{InOut, ValueIn};
use nemesis_mpi::abi;
use nemesis_mpi::handle::{
    Comm, Datatype, Errhandler, File, Group, Handle, Info, Message, Op, Request, Session, Win,
};
use std::ffi::{c_int, c_void};
use std::ptr::without_provenance_mut;

/// `MPI_ERR_LASTCODE`
const LASTCODE: c_int = 92;

/// `MPI_DISPLACEMENT_CURRENT`
const DISPLACEMENT_CURRENT: i64 = -54_278_278;

/// `MPI_BUFFER_AUTOMATIC`
const BUFFER_AUTOMATIC: usize = 4;

/// `MPI_UNWEIGHTED` and `MPI_WEIGHTS_EMPTY`
const UNWEIGHTED: usize = 2;
const WEIGHTS_EMPTY: usize = 3;

/// Whether values of the first half of a call are equal in the two ABIs.
pub mod same {
    use super::*;

    /// A rank, or MPI_ANY_SOURCE.
    #[inline(always)]
    pub fn rank(rank: c_int) -> bool {
        rank >= abi::MPI_ANY_SOURCE
    }

    #[inline(always)]
    pub fn tag(tag: c_int) -> bool {
        tag >= 0
    }

    #[inline(always)]
    pub fn buffer(_buffer: *const c_void) -> bool {
        true
    }
}

pub mod to {
    use super::*;

    macro_rules! handles {
        ($($convert:ident: $handle:ident by $number_of:ident;)*) => {$(
            #[inline(always)]
            pub fn $convert(handle: RawHandle) -> $handle {
                $handle($number_of(handle))
            }
        )*};
    }

    handles! {
        comm: Comm by number_of;
        datatype: Datatype by number_of;
        errhandler: Errhandler by number_of;
        file: File by number_of_own;
        group: Group by number_of_own;
        info: Info by number_of_own;
        message: Message by number_of_own;
        op: Op by number_of;
        request: Request by number_of_own;
        session: Session by number_of_own;
        win: Win by number_of_own;
    }

    /// ANY_SOURCE, PROC_NULL and ROOT are -1, -2, -4 here and -1, -3, -4 there.
    #[inline]
    pub fn rank(rank: c_int) -> c_int {
        match rank {
            abi::MPI_ANY_SOURCE.. => rank,
            -2 => abi::MPI_PROC_NULL,
            // PROC_NULL of the standard is no rank here.
            -3 => -7,
            _ => rank,
        }
    }

    #[inline]
    pub fn tag(tag: c_int) -> c_int {
        any_tag(tag)
    }

    /// A buffer of messages: MPI_BOTTOM and MPI_IN_PLACE are equal in both.
    #[inline(always)]
    pub fn buffer(buffer: *const c_void) -> *const c_void {
        buffer
    }

    #[inline(always)]
    pub fn buffer_mut(buffer: *mut c_void) -> *mut c_void {
        buffer
    }

    /// A buffer that is attached, or MPI_BUFFER_AUTOMATIC.
    pub fn attached(buffer: *mut c_void) -> *mut c_void {
        if buffer.addr() == BUFFER_AUTOMATIC {
            without_provenance_mut(abi::MPI_BUFFER_AUTOMATIC)
        } else {
            buffer
        }
    }

    pub fn weights(weights: *const c_int) -> *const c_int {
        match weights.addr() {
            UNWEIGHTED => abi::MPI_UNWEIGHTED as *const c_int,
            WEIGHTS_EMPTY => abi::MPI_WEIGHTS_EMPTY as *const c_int,
            _ => weights,
        }
    }

    /// `MPI_T_PVAR_ALL_HANDLES` is -1 here.
    pub fn pvar_handle(handle: *mut c_void) -> *mut c_void {
        match handle.addr() {
            usize::MAX => without_provenance_mut(abi::MPI_T_PVAR_ALL_HANDLES),
            _ => handle,
        }
    }

    /// The object that a tool's handle is bound to: a communicator, where it is.
    pub fn bound_object(object: ValueIn<'_>, is_comm: bool) -> Option<Comm> {
        let handle = || Some(comm(without_provenance_mut(usize::from_ne_bytes(object.get()?))));
        if is_comm { handle() } else { None }
    }

    /// MPI_DISPLACEMENT_CURRENT
    pub fn displacement(displacement: i64) -> i64 {
        if displacement == DISPLACEMENT_CURRENT {
            abi::MPI_DISPLACEMENT_CURRENT
        } else {
            displacement
        }
    }

    /// The standard's values, and `OMPI_COMM_TYPE_HWTHREAD` to `OMPI_COMM_TYPE_CLUSTER`.
    pub fn split_type(value: c_int) -> c_int {
        match value {
            1..=11 => SPLIT_BY_LEVEL + value,
            _ => value_to(tables::SPLIT_TYPES, value),
        }
    }

    foreign_values! { to, last LASTCODE }
}

pub mod from {
    use super::*;

    macro_rules! handles {
        ($($convert:ident: $handle:ident;)*) => {$(
            #[inline]
            pub fn $convert(handle: $handle) -> RawHandle {
                let bits = handle.bits();
                if bits >> 30 == 0b10 { bits as RawHandle } else { ADDRESSES.handle(bits) }
            }
        )*};
    }

    handles! {
        comm: Comm;
        datatype: Datatype;
        errhandler: Errhandler;
        file: File;
        group: Group;
        info: Info;
        message: Message;
        op: Op;
        request: Request;
        session: Session;
        win: Win;
    }

    #[inline]
    pub fn rank(rank: c_int) -> c_int {
        if rank == abi::MPI_PROC_NULL { -2 } else { rank }
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
            buffer.write(without_provenance_mut(BUFFER_AUTOMATIC));
        }
    }

    foreign_values! { from, io -1, host -2 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::Numbered;
    use crate::objects;

    #[test]
    fn every_predefined_handle_comes_back() {
        let kinds = [Comm::NUMBERS, Datatype::NUMBERS, Op::NUMBERS, Errhandler::NUMBERS];
        for &number in kinds.into_iter().flatten().filter(|&&number| number != 0) {
            let handle = from::datatype(Datatype(number.into()));
            assert!(handle.addr() > 4096, "{number} has no object");
            assert_eq!(number_of(handle), usize::from(number));
        }
        assert_eq!(
            to::comm((&raw const objects::ompi_mpi_comm_world).cast_mut().cast()),
            abi::MPI_COMM_WORLD
        );
        assert_eq!(from::datatype(abi::MPI_INT), (&raw const objects::ompi_mpi_int) as RawHandle);
    }

    #[test]
    fn handles_of_the_program_and_unknown_types_come_back() {
        for bits in [0x8400_0001, 0xbfff_ffff, abi::MPI_INTEGER16.0] {
            assert_eq!(to::datatype(from::datatype(Datatype(bits))), Datatype(bits));
        }
    }

    #[test]
    fn what_is_no_handle_is_none() {
        let word = [0_u64; 4];
        for stranger in [
            0,
            1024,
            4095,
            4097,
            (&raw const word).addr(),
            (&raw const word).addr() + 1,
            usize::MAX,
            1 << 33,
        ] {
            assert_eq!(to::comm(stranger as RawHandle), Comm(0), "{stranger:#x}");
        }
    }

    #[test]
    fn ranks_and_tags_of_the_standard_are_none_here() {
        assert_eq!(
            [-1, -2, -4].map(to::rank),
            [abi::MPI_ANY_SOURCE, abi::MPI_PROC_NULL, abi::MPI_ROOT]
        );
        assert!(![abi::MPI_ANY_SOURCE, abi::MPI_PROC_NULL, abi::MPI_ROOT].contains(&to::rank(-3)));
        assert_eq!((to::tag(-1), to::rank(-77)), (abi::MPI_ANY_TAG, -77));
        for tag in [-2, -3, -4, c_int::MIN] {
            assert!(to::tag(tag) < 0 && to::tag(tag) != abi::MPI_ANY_TAG);
        }
        assert_eq!((to::tag(0), to::tag(c_int::MAX)), (0, c_int::MAX));
    }

    #[test]
    fn values_that_a_first_half_takes_are_equal() {
        for value in -5..5 {
            assert!(!same::rank(value) || to::rank(value) == value, "{value}");
            assert!(!same::tag(value) || to::tag(value) == value, "{value}");
        }
        assert!(same::rank(abi::MPI_ANY_SOURCE) && same::rank(3) && same::tag(0));
    }

    #[test]
    fn bits_of_modes_and_assertions_are_two_tables() {
        assert_eq!(to::mode(1 | 8), abi::MPI_MODE_CREATE | abi::MPI_MODE_RDWR);
        assert_eq!(to::assertion(1 | 16), abi::MPI_MODE_NOCHECK | abi::MPI_MODE_NOSUCCEED);
        assert_eq!(to::mode(1 << 20), c_int::MIN);
    }

    #[test]
    fn error_codes_keep_class_and_instance() {
        for (standard, openmpi) in tables::ERROR_CLASSES {
            assert_eq!((from::code(*standard), to::code(*openmpi)), (*openmpi, *standard));
        }
        let code = 200 << 6 | abi::MPI_ERR_TRUNCATE.value();
        assert_eq!(from::code(code), 200 << 8 | 15);
        assert_eq!(to::code(from::code(code)), code);
        let code = abi::MPIX_ERR_PROC_FAILED.value() + (7 << 6);
        assert_eq!(from::code(code), 7 << 8 | 75);
        assert_eq!(to::code(from::code(code)), code);
    }

    #[test]
    fn split_types_of_both_are_known() {
        assert_eq!(to::split_type(7), SPLIT_BY_LEVEL + 7);
        assert_eq!(to::split_type(0), abi::MPI_COMM_TYPE_SHARED);
        assert_eq!(to::split_type(13), abi::MPI_COMM_TYPE_HW_GUIDED);
    }
}
