//! Values of an ABI that is not the standard's. The crate of such an ABI has generated tables of
//! named values, each a pair of the standard's number and its own ([`crate::foreign_values!`]), and
//! its own conversions of handles, ranks, tags and addresses.
//!
//! A number without a meaning in the ABI becomes one without a meaning in the standard's: an
//! invalid argument must not become a valid one.

use nemesis_mpi::{abi, error_codes};
use std::ffi::c_int;

/// Pairs of the standard's value and the ABI's.
pub type Table = [(c_int, c_int)];

/// Converts a named value. `MPI_UNDEFINED` is one number in all ABIs and may replace any of them.
pub fn value_to(table: &Table, value: c_int) -> c_int {
    if value == abi::MPI_UNDEFINED {
        return value;
    }
    table
        .iter()
        .find(|(_, foreign)| *foreign == value)
        .map_or(c_int::MIN, |(standard, _)| *standard)
}

/// Converts a tag of an ABI whose MPI_ANY_TAG is -1: exchanges -1 and the standard's -2. All other
/// negative numbers stay negative, and are no tags in any ABI. Receives with any tag are frequent:
/// it has no branch.
#[inline]
pub fn any_tag(tag: c_int) -> c_int {
    const { assert!(abi::MPI_ANY_TAG == -2) };
    tag ^ (tag as u32 >> 31) as c_int
}

/// Converts a named value of the library. One that the ABI does not have stays what it is, unless
/// that has another meaning there.
pub fn value_from(table: &Table, value: c_int) -> c_int {
    match table.iter().find(|(standard, _)| *standard == value) {
        Some((_, foreign)) => *foreign,
        None if table.iter().any(|(_, foreign)| *foreign == value) => abi::MPI_UNDEFINED,
        None => value,
    }
}

/// Converts bits one by one; `None` if one has no meaning.
fn bits(value: c_int, table: impl Iterator<Item = (c_int, c_int)>) -> Option<c_int> {
    let mut rest = value;
    let mut converted = 0;
    for (here, there) in table {
        if rest & here != 0 {
            rest &= !here;
            converted |= there;
        }
    }
    (rest == 0).then_some(converted)
}

pub fn bits_to(table: &Table, value: c_int) -> c_int {
    bits(value, table.iter().map(|(standard, foreign)| (*foreign, *standard))).unwrap_or(c_int::MIN)
}

pub fn bits_from(table: &Table, value: c_int) -> c_int {
    bits(value, table.iter().copied()).unwrap_or(value)
}

/// Error codes of the ABIs of MPICH and Open MPI, as this library gives them: `class | instance <<
/// 8`; those that the program adds have bit 30.
const INSTANCE_SHIFT: u32 = 8;
const CLASS_MASK: c_int = 0x7f;
const BETWEEN: c_int = 0x80;
/// The first code that the program adds.
pub const ADDED: c_int = 1 << 30;
/// The layout of codes of the standard ABI (`nemesis_mpi::error_codes`).
const STANDARD_INSTANCE_SHIFT: u32 = 6;
const STANDARD_CLASS_MASK: c_int = 0x3f;
const STANDARD_ADDED: c_int = abi::MPI_ERR_LASTCODE + 1;
const EXTENSIONS: c_int = error_codes::EXTENSIONS;

/// Converts an error code; `last` is the ABI's `MPI_ERR_LASTCODE`.
pub fn code_to(classes: &Table, last: c_int, code: c_int) -> c_int {
    match code {
        _ if code == last => return abi::MPI_ERR_LASTCODE,
        ADDED.. => return STANDARD_ADDED.saturating_add(code - ADDED),
        ..0 => return code,
        // Between the class and the instance no code has a bit.
        _ if code & BETWEEN != 0 => return c_int::MIN,
        _ => {}
    }
    let class = value_to(classes, code & CLASS_MASK);
    let offset = if class > EXTENSIONS { EXTENSIONS } else { 0 };
    match code >> INSTANCE_SHIFT {
        0 => class,
        instance @ 1..=255 if (0..=STANDARD_CLASS_MASK).contains(&(class - offset)) => {
            offset + (instance << STANDARD_INSTANCE_SHIFT | (class - offset))
        }
        _ => c_int::MIN,
    }
}

#[inline]
pub fn code_from(classes: &Table, code: c_int) -> c_int {
    if code == 0 { 0 } else { error_code(classes, code) }
}

#[cold]
fn error_code(classes: &Table, code: c_int) -> c_int {
    if let Some((_, foreign)) = classes.iter().find(|(standard, _)| *standard == code) {
        return *foreign;
    }
    let is_extension = (EXTENSIONS..=EXTENSIONS + abi::MPI_ERR_LASTCODE).contains(&code);
    let offset = if is_extension { EXTENSIONS } else { 0 };
    if code >= STANDARD_ADDED && !is_extension {
        return ADDED + (code - STANDARD_ADDED);
    }
    let within = code - offset;
    let class = value_from(classes, offset + (within & STANDARD_CLASS_MASK));
    class | (within >> STANDARD_INSTANCE_SHIFT) << INSTANCE_SHIFT
}

/// Converts an attribute key. The program's keys are equal in all ABIs; the standard's predefined
/// ones are none elsewhere.
pub fn keyval_to(keyvals: &Table, keyval: c_int) -> c_int {
    match keyvals.iter().find(|(_, foreign)| *foreign == keyval) {
        Some((standard, _)) => *standard,
        None if (0..=abi::MPI_WIN_MODEL).contains(&keyval) => c_int::MIN,
        None => keyval,
    }
}

/// Defines the conversions of named values inside a module `to` or `from`, by the generated module
/// `tables` that is in scope there. `last` is the ABI's `MPI_ERR_LASTCODE`, `io` and `host` are the
/// values of the attributes `MPI_IO` (`MPI_ANY_SOURCE`) and `MPI_HOST` (`MPI_PROC_NULL`).
#[macro_export]
macro_rules! foreign_values {
    (to, last $last:expr) => {
        pub fn class(class: c_int) -> c_int {
            code(class)
        }

        pub fn code(code: c_int) -> c_int {
            $crate::foreign::code_to($crate::foreign_values!(@table ERROR_CLASSES), $last, code)
        }

        pub fn keyval(keyval: c_int) -> c_int {
            $crate::foreign::keyval_to($crate::foreign_values!(@table KEYVALS), keyval)
        }

        pub fn mode(mode: c_int) -> c_int {
            $crate::foreign::bits_to($crate::foreign_values!(@table MODES), mode)
        }

        pub fn assertion(assertion: c_int) -> c_int {
            $crate::foreign::bits_to($crate::foreign_values!(@table ASSERTIONS), assertion)
        }

        pub fn distribution_argument(argument: c_int) -> c_int {
            let default = $crate::foreign::value_from(
                $crate::foreign_values!(@table DISTRIBUTIONS),
                abi::MPI_DISTRIBUTE_DFLT_DARG,
            );
            if argument == default { abi::MPI_DISTRIBUTE_DFLT_DARG } else { argument }
        }

        $crate::foreign_values! { @values value_to:
            callback_safety: CALLBACK_SAFETIES;
            distribution: DISTRIBUTIONS;
            lock_type: LOCK_TYPES;
            order: ORDERS;
            pvar_class: PVAR_CLASSES;
            thread_level: THREAD_LEVELS;
            typeclass: TYPECLASSES;
            whence: WHENCES;
        }
    };
    (from, io $io:expr, host $host:expr) => {
        pub fn class(class: c_int) -> c_int {
            code(class)
        }

        #[inline]
        pub fn code(code: c_int) -> c_int {
            $crate::foreign::code_from($crate::foreign_values!(@table ERROR_CLASSES), code)
        }

        /// Converts the error codes that a function has written.
        pub fn codes_at(codes: $crate::params::InOutSlice<'_, c_int>) {
            codes.get().into_iter().flatten().for_each(|place| *place = code(*place));
        }

        pub fn mode(mode: c_int) -> c_int {
            $crate::foreign::bits_from($crate::foreign_values!(@table MODES), mode)
        }

        /// Converts an attribute that was read. Some predefined ones have other values in this ABI,
        /// which lie in variables of this function. `flag` says whether there is a value.
        pub fn attribute_at(
            keyval: c_int,
            value: $crate::params::InOut<'_, *const c_int>,
            flag: $crate::params::In<'_, c_int>,
        ) {
            static IO: c_int = $io;
            static HOST: c_int = $host;
            static LAST_USED: ::nemesis_sync::AtomicU32 = ::nemesis_sync::AtomicU32::new(0);
            let is_set = flag.get().is_some_and(|flag| *flag != 0);
            let Some(value) = value.get().filter(|_| is_set) else { return };
            let standard = value.read();
            // SAFETY: called for predefined attributes that are addresses of ints of the library.
            let number = || unsafe { standard.read() };
            let here: *const c_int = match super::to::keyval(keyval) {
                abi::MPI_IO => &raw const IO,
                abi::MPI_HOST => &raw const HOST,
                abi::MPI_LASTUSEDCODE => {
                    // Relaxed: a number that programs read now and then; no other memory depends
                    // on it.
                    LAST_USED.store(code(number()) as u32, ::nemesis_sync::Ordering::Relaxed);
                    LAST_USED.as_ptr().cast()
                }
                abi::MPI_WIN_CREATE_FLAVOR | abi::MPI_WIN_MODEL => {
                    let kind = number();
                    $crate::foreign_values!(@table WINDOW_KINDS)
                        .iter()
                        .find(|(known, _)| *known == kind)
                        .map_or(standard, |(_, foreign)| ::std::ptr::from_ref(foreign))
                }
                _ => return,
            };
            value.write(here);
        }

        /// Converts the integers of a type's contents: orders and distributions have other values
        /// here.
        pub fn contents_at(
            named: $crate::impls::NamedIntegers,
            integers: $crate::params::InOutSlice<'_, c_int>,
        ) {
            let Some(integers) = integers.get() else { return };
            if let Some(place) = named.order.and_then(|order| integers.get_mut(order)) {
                *place = $crate::foreign::value_from(
                    $crate::foreign_values!(@table ORDERS),
                    *place,
                );
            }
            // Two ranges never overlap; arguments other than the default one stay.
            let default = abi::MPI_DISTRIBUTE_DFLT_DARG;
            for index in named.distributions.chain(named.arguments.clone()) {
                let value = integers[index];
                if named.arguments.contains(&index) && value != default {
                    continue;
                }
                integers[index] = $crate::foreign::value_from(
                    $crate::foreign_values!(@table DISTRIBUTIONS),
                    value,
                );
            }
        }

        $crate::foreign_values! { @values value_from:
            binding: BINDINGS;
            callback_safety: CALLBACK_SAFETIES;
            combiner: COMBINERS;
            comparison: COMPARISONS;
            keyval: KEYVALS;
            pvar_class: PVAR_CLASSES;
            scope: SCOPES;
            source_ordering: SOURCE_ORDERINGS;
            thread_level: THREAD_LEVELS;
            topology: TOPOLOGIES;
            verbosity: VERBOSITIES;
        }
    };
    (@values $how:ident: $($convert:ident: $table:ident;)*) => {$(
        pub fn $convert(value: c_int) -> c_int {
            $crate::foreign::$how($crate::foreign_values!(@table $table), value)
        }
    )*};
    (@table $table:ident) => {
        tables::$table
    };
}
