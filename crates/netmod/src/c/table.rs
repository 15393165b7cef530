//! The structures of `nemesis_netmod.h`. The assertions below pin their sizes,
//! and the test `c_module` compares them with those of the C compiler.

use crate::{Failure, Fault};
use std::ffi::{c_char, c_int, c_void};

pub const ABI: u32 = 4;
pub const CARD_MAX: usize = 512;

pub const DONE: c_int = 0;
pub const PENDING: c_int = 1;
pub const FULL: c_int = 2;

/// Purposes of a call of finalize: `FLUSH`, `CLOSE` and `PAUSE`.
pub const FLUSH: c_int = 0;
pub const CLOSE: c_int = 1;
pub const PAUSE: c_int = 2;

/// The faults and their numbers in C.
const FAULTS: [(c_int, Fault); 7] = [
    (-1, Fault::Unreachable),
    (-2, Fault::Lost),
    (-3, Fault::Malformed),
    (-4, Fault::Resources),
    (-5, Fault::Invalid),
    (-6, Fault::Broken),
    (-7, Fault::Unavailable),
];

pub fn code(fault: Fault) -> c_int {
    FAULTS.iter().find(|(_, known)| *known == fault).map_or(-6, |(code, _)| *code)
}

/// Returns the failure for a negative return code.
pub fn failure(code: c_int, why: Option<String>) -> Failure {
    match FAULTS.iter().find(|(known, _)| *known == code) {
        Some((_, fault)) => Failure::new(
            *fault,
            why.unwrap_or_else(|| format!("the network module gave no reason ({code})")),
        ),
        None => Failure::new(
            Fault::Broken,
            format!("the network module returned {code}, which means nothing"),
        ),
    }
}

#[repr(C)]
pub struct CCell {
    pub id: u64,
    pub frame: *mut c_void,
    pub payload_capacity: usize,
}

/// `nemesis_place`.
#[repr(C)]
pub struct CPlace {
    pub address: *mut c_void,
    pub registration: u64,
    pub registered: c_int,
}

#[repr(C)]
pub struct CHost {
    pub this: *mut c_void,
    pub card: unsafe extern "C" fn(*mut c_void, u32, *mut c_void, usize) -> c_int,
    pub alloc: unsafe extern "C" fn(*mut c_void, usize, *mut CCell) -> c_int,
    pub deliver: unsafe extern "C" fn(*mut c_void, u32, *const CCell) -> c_int,
    pub give_back: unsafe extern "C" fn(*mut c_void, *const CCell) -> c_int,
    pub place: unsafe extern "C" fn(*mut c_void, u32, *const CCell, usize, *mut CPlace) -> c_int,
    pub completed: unsafe extern "C" fn(*mut c_void, u64, c_int) -> c_int,
    pub lost: unsafe extern "C" fn(*mut c_void, u32, c_int, *const c_char) -> c_int,
    pub explain: unsafe extern "C" fn(*mut c_void, *const c_char),
}

#[repr(C)]
pub struct CSetup {
    pub me: u32,
    pub processes: u32,
    pub job_key: [u8; 32],
    pub cells: *mut c_void,
    pub cells_bytes: usize,
}

#[repr(C)]
pub struct CStart {
    pub module: *mut c_void,
    pub payload_max: usize,
    pub bulk_max: u64,
    pub latency_ns: u32,
    pub overhead_ns: u32,
    pub bytes_per_second: u64,
    pub card_bytes: usize,
    pub card: [u8; CARD_MAX],
}

#[repr(C)]
pub struct CPacket {
    pub header: *const c_void,
    pub payload: *const c_void,
    pub payload_bytes: usize,
    pub bulk: *const c_void,
    pub bulk_bytes: usize,
    pub registration: u64,
    pub registered: u8,
    pub ordered: u8,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct CInterest {
    pub descriptor: c_int,
    pub readable: u8,
    pub writable: u8,
}

/// `nemesis_netmod`. The functions are `Option`s because C may leave them null.
#[repr(C)]
pub struct CTable {
    pub abi: u32,
    pub bytes: u32,
    pub name: *const c_char,
    pub flags: u64,
    pub init: Option<unsafe extern "C" fn(*const CSetup, *const CHost, *mut CStart) -> c_int>,
    pub finalize: Option<unsafe extern "C" fn(*mut c_void, *const CHost, c_int) -> c_int>,
    pub send:
        Option<unsafe extern "C" fn(*mut c_void, *const CHost, u32, *const CPacket, u64) -> c_int>,
    pub poll_send: Option<unsafe extern "C" fn(*mut c_void, *const CHost) -> c_int>,
    pub poll_recv: Option<unsafe extern "C" fn(*mut c_void, *const CHost) -> c_int>,
    pub rest: Option<
        unsafe extern "C" fn(*mut c_void, *mut CInterest, usize, *mut usize, *mut i64) -> c_int,
    >,
    pub connects: Option<CConnects>,
    pub rma: *const CRma,
    pub collectives: *const c_void,
}

/// Compares a card; process, card and its length, then where to write why not.
pub type CConnects =
    unsafe extern "C" fn(*mut c_void, u32, *const c_void, usize, *mut c_char, usize) -> c_int;

/// `nemesis_netmod_rma`.
#[repr(C)]
pub struct CRma {
    pub register_memory: Option<
        unsafe extern "C" fn(
            *mut c_void,
            *mut c_void,
            usize,
            *mut u64,
            *mut c_void,
            usize,
            *mut usize,
        ) -> c_int,
    >,
    pub deregister: Option<unsafe extern "C" fn(*mut c_void, u64) -> c_int>,
    pub put: Option<CPut>,
    pub get: Option<CGet>,
    pub fetch_add: Option<CFetch>,
    pub compare_swap: Option<CCompare>,
    pub flush: Option<unsafe extern "C" fn(*mut c_void, *const CHost, u32, u64) -> c_int>,
}

/// Functions of [`CRma`]. Process, address, key and the key's length name the target.
pub type CPut = unsafe extern "C" fn(
    *mut c_void,
    *const CHost,
    *const c_void,
    usize,
    u32,
    u64,
    *const c_void,
    usize,
    u64,
) -> c_int;
pub type CGet = unsafe extern "C" fn(
    *mut c_void,
    *const CHost,
    *mut c_void,
    usize,
    u32,
    u64,
    *const c_void,
    usize,
    u64,
) -> c_int;
pub type CFetch = unsafe extern "C" fn(
    *mut c_void,
    *const CHost,
    u64,
    *mut u64,
    u32,
    u64,
    *const c_void,
    usize,
    u64,
) -> c_int;
pub type CCompare = unsafe extern "C" fn(
    *mut c_void,
    *const CHost,
    u64,
    u64,
    *mut u64,
    u32,
    u64,
    *const c_void,
    usize,
    u64,
) -> c_int;

/// The functions of a checked table: the five, `rest` and `connects`.
#[derive(Clone, Copy)]
pub struct Functions {
    pub init: unsafe extern "C" fn(*const CSetup, *const CHost, *mut CStart) -> c_int,
    pub finalize: unsafe extern "C" fn(*mut c_void, *const CHost, c_int) -> c_int,
    pub send: unsafe extern "C" fn(*mut c_void, *const CHost, u32, *const CPacket, u64) -> c_int,
    pub poll_send: unsafe extern "C" fn(*mut c_void, *const CHost) -> c_int,
    pub poll_recv: unsafe extern "C" fn(*mut c_void, *const CHost) -> c_int,
    pub rest: Option<
        unsafe extern "C" fn(*mut c_void, *mut CInterest, usize, *mut usize, *mut i64) -> c_int,
    >,
    pub connects: Option<CConnects>,
}

/// Flag of a module that encrypts.
pub const ENCRYPTS: u64 = 1;

const _: () =
    assert!(size_of::<CCell>() == 24 && size_of::<CHost>() == 72 && size_of::<CSetup>() == 56);
const _: () = assert!(
    size_of::<CStart>() == 560
        && size_of::<CPacket>() == 56
        && size_of::<CInterest>() == 8
        && size_of::<CTable>() == 96
        && size_of::<CRma>() == 56
);
