//! Facts about the ABI, and the facts that a Fortran binding registers about its compiler (MPI 5.0
//! §20.3).
//!
//! The first registration stays; later ones are refused.

use crate::params::null;
use crate::params::{Out, ValueIn, ValueOut};
use nemesis_mpi::abi;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Handle, Info};
use nemesis_mpi::info;
use std::ffi::c_int;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The sizes of LOGICAL types (MPI_LOGICAL1 to MPI_LOGICAL16).
const LOGICAL_SIZES: [usize; 5] = [1, 2, 4, 8, 16];

/// Bit patterns of .TRUE. and .FALSE. of one size.
type Booleans = ([u8; 16], [u8; 16]);

struct Fortran {
    info: Option<info::Info>,
    booleans: [Option<Booleans>; LOGICAL_SIZES.len()],
}

static FORTRAN: Mutex<Fortran> =
    Mutex::new(Fortran { info: None, booleans: [None; LOGICAL_SIZES.len()] });

fn fortran() -> MutexGuard<'static, Fortran> {
    // No panic can come between the parts of a change.
    FORTRAN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn set_already(what: &str) -> Box<Error> {
    Error::new(abi::MPI_ERR_ABI, format!("{what} are set already, and the first call counts"))
}

pub fn abi_get_info(info: Out<'_, Info>) -> Outcome {
    let info = info.require("info")?;
    let mut facts = info::Info::default();
    for (key, bytes) in [
        ("mpi_aint_size", size_of::<isize>()),
        ("mpi_count_size", size_of::<i64>()),
        ("mpi_offset_size", size_of::<i64>()),
    ] {
        facts.set(key, &bytes.to_string());
    }
    let made = info::create(facts)?;
    info.write(made);
    Ok(())
}

pub fn abi_set_fortran_info(info: Info) -> Outcome {
    let facts = info::get(info)?;
    let mut fortran = fortran();
    if fortran.info.is_some() {
        return Err(set_already("the facts about Fortran"));
    }
    fortran.info = Some(facts);
    Ok(())
}

pub fn abi_get_fortran_info(info: Out<'_, Info>) -> Outcome {
    let info = info.require("info")?;
    let facts = fortran().info.clone();
    let made = facts.map_or(Ok(Info::NULL), info::create)?;
    info.write(made);
    Ok(())
}

/// The index of a size in [`LOGICAL_SIZES`].
fn slot(logical_size: c_int) -> Outcome<usize> {
    LOGICAL_SIZES.iter().position(|&size| size as c_int == logical_size).ok_or_else(|| {
        Error::new(
            abi::MPI_ERR_ARG,
            format!("logical_size is {logical_size}, LOGICAL types have 1, 2, 4, 8 or 16 bytes"),
        )
    })
}

pub fn abi_set_fortran_booleans(
    logical_size: c_int,
    logical_true: ValueIn<'_>,
    logical_false: ValueIn<'_>,
) -> Outcome {
    let slot = slot(logical_size)?;
    if logical_true.is_null() || logical_false.is_null() {
        return Err(null("a logical value"));
    }
    let mut patterns: Booleans = Default::default();
    for (pattern, value) in [(&mut patterns.0, logical_true), (&mut patterns.1, logical_false)] {
        value.require_bytes("a logical value", &mut pattern[..LOGICAL_SIZES[slot]])?;
    }
    let mut fortran = fortran();
    if fortran.booleans[slot].is_some() {
        return Err(set_already("the logical values of this size"));
    }
    fortran.booleans[slot] = Some(patterns);
    Ok(())
}

pub fn abi_get_fortran_booleans(
    logical_size: c_int,
    logical_true: ValueOut<'_>,
    logical_false: ValueOut<'_>,
    is_set: Out<'_, c_int>,
) -> Outcome {
    let slot = slot(logical_size)?;
    let patterns = fortran().booleans[slot];
    if let Some(patterns) = patterns {
        for (pattern, value) in [(&patterns.0, logical_true), (&patterns.1, logical_false)] {
            value.put_bytes("a logical value", &pattern[..LOGICAL_SIZES[slot]])?;
        }
    }
    is_set.put("is_set", c_int::from(patterns.is_some()))
}
