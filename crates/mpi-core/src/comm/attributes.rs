//! The predefined attributes of communicators (MPI 5.0 §9.1.2, §11.10.1).

use crate::abi;
use crate::error::{Error, Outcome};
use crate::error_codes;
use nemesis_wireup::{Wireup, WireupError};
use std::sync::OnceLock;

/// Returns a predefined attribute of communicators: `None` if `keyval` is not one,
/// `Some(None)` if the attribute has no value. The value is the address of an `int` that belongs to
/// the library.
pub fn predefined(wireup: &mut Option<Wireup>, keyval: i32) -> Outcome<Option<Option<usize>>> {
    static TAG_UB: i32 = i32::MAX;
    /// Every process can read and write files.
    static IO: i32 = abi::MPI_ANY_SOURCE;
    static HOST: i32 = abi::MPI_PROC_NULL;
    static WTIME_IS_GLOBAL: i32 = 0;
    static UNIVERSE_SIZE: OnceLock<Option<i32>> = OnceLock::new();
    static APPNUM: OnceLock<Option<i32>> = OnceLock::new();
    let address = |value: &'static i32| Some(std::ptr::from_ref(value) as usize);
    Ok(Some(match keyval {
        abi::MPI_TAG_UB => address(&TAG_UB),
        abi::MPI_IO => address(&IO),
        abi::MPI_HOST => address(&HOST),
        abi::MPI_WTIME_IS_GLOBAL => address(&WTIME_IS_GLOBAL),
        abi::MPI_LASTUSEDCODE => Some(error_codes::last_used() as usize),
        abi::MPI_UNIVERSE_SIZE => from_launcher(&UNIVERSE_SIZE, wireup, Wireup::universe_size)?,
        abi::MPI_APPNUM => from_launcher(&APPNUM, wireup, Wireup::appnum)?,
        _ => return Ok(None),
    }))
}

/// Returns the address of a value that the launcher knows. The launcher is asked once.
fn from_launcher(
    value: &'static OnceLock<Option<i32>>,
    wireup: &mut Option<Wireup>,
    ask: impl FnOnce(&mut Wireup) -> Result<Option<u32>, WireupError>,
) -> Outcome<Option<usize>> {
    if value.get().is_none() {
        let answer = match wireup {
            Some(wireup) => ask(wireup).map_err(|error| {
                Error::new(abi::MPI_ERR_OTHER, format!("{}: {}", error.what, error.why))
                    .advise(error.advice)
            })?,
            None => None,
        };
        // If another thread has set it meanwhile, it has the same answer.
        let _ = value.set(answer.and_then(|number| i32::try_from(number).ok()));
    }
    Ok(value.get().and_then(Option::as_ref).map(|value| std::ptr::from_ref(value) as usize))
}
