//! Datatypes as objects: commit, free, dup, names, sizes and bounds, what they are made of (MPI 5.0 §5.1.7 to §5.1.13, §7.8).

use super::text::{cut, put_string, text};
use super::{null, place, put};
use crate::types::{CountOut, Status};
use nemesis_datatype::Contents;
use nemesis_mpi::abi;
use nemesis_mpi::attr;
use nemesis_mpi::callback::Object;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Datatype, Handle};
use nemesis_mpi::types::refused;
use nemesis_mpi::{enter, enter_any};
use std::ffi::{c_char, c_int};

pub unsafe fn type_commit(datatype: *mut Datatype) -> Outcome {
    let mpi = enter()?;
    let datatype = place(datatype, "datatype")?;
    // SAFETY: not null, so the caller's handle.
    mpi.types.get(unsafe { datatype.read() })?.commit();
    Ok(())
}

/// The attributes go first: their delete functions still see the type, and may refuse.
pub unsafe fn type_free(datatype: *mut Datatype) -> Outcome {
    let mut mpi = enter()?;
    let place = place(datatype, "datatype")?;
    // SAFETY: not null, so the caller's handle.
    let handle = unsafe { place.read() };
    mpi.types.freeable(handle)?;
    mpi.unlocked(|| attr::delete_all(Object::Datatype(handle)))?;
    mpi.types.free(handle)?;
    // SAFETY: as above.
    unsafe { place.write(Datatype::NULL) };
    Ok(())
}

/// A duplicate with the attributes that the copy functions grant; if one fails, nothing is left of the duplicate.
pub unsafe fn type_dup(oldtype: Datatype, newtype: *mut Datatype) -> Outcome {
    let mut mpi = enter()?;
    let newtype = place(newtype, "newtype")?;
    let copy = nemesis_datatype::Datatype::dup(mpi.types.get(oldtype)?).map_err(refused)?;
    let made = mpi.types.add(copy)?;
    if let Err(refused) =
        mpi.unlocked(|| attr::copy_all(Object::Datatype(oldtype), Object::Datatype(made)))
    {
        mpi.types.free(made)?;
        return Err(refused);
    }
    // SAFETY: not null, so the caller's place.
    unsafe { newtype.write(made) };
    Ok(())
}

/// Names are cut to what both ABIs have room for.
const NAME_BYTES: usize = abi::MPI_MAX_OBJECT_NAME as usize - 1;

pub unsafe fn type_set_name(datatype: Datatype, type_name: *const c_char) -> Outcome {
    let mut mpi = enter()?;
    mpi.types.get(datatype)?;
    // SAFETY: the caller's string.
    let name = unsafe { text(type_name, "type_name") }?;
    mpi.types.set_name(datatype, cut(&name, NAME_BYTES))
}

pub unsafe fn type_get_name(
    datatype: Datatype,
    type_name: *mut c_char,
    resultlen: *mut c_int,
) -> Outcome {
    let mpi = enter()?;
    let name = if datatype.is_null() { "MPI_DATATYPE_NULL" } else { mpi.types.name(datatype)? };
    // SAFETY: the caller's buffer has MPI_MAX_OBJECT_NAME bytes.
    unsafe { put_string(type_name, resultlen, name, abi::MPI_MAX_OBJECT_NAME) }
}

/// Writes a number; what the plain form has no room for is MPI_UNDEFINED.
unsafe fn tell(place: CountOut, name: &'static str, value: i64) -> Outcome {
    if place.is_null() {
        return Err(null(name));
    }
    // SAFETY: not null, so the caller's place.
    unsafe { place.write(value) };
    Ok(())
}

pub unsafe fn type_size(datatype: Datatype, size: CountOut) -> Outcome {
    let bytes = enter_any()?.types.get(datatype)?.size();
    // SAFETY: the caller's place.
    unsafe { tell(size, "size", bytes) }
}

pub unsafe fn type_get_extent(datatype: Datatype, lb: CountOut, extent: CountOut) -> Outcome {
    let mpi = enter_any()?;
    let datatype = mpi.types.get(datatype)?;
    // SAFETY: the caller's places.
    unsafe { tell(lb, "lb", datatype.lb()).and(tell(extent, "extent", datatype.extent())) }
}

pub unsafe fn type_get_true_extent(
    datatype: Datatype,
    true_lb: CountOut,
    true_extent: CountOut,
) -> Outcome {
    let mpi = enter_any()?;
    let datatype = mpi.types.get(datatype)?;
    // SAFETY: the caller's places.
    unsafe {
        tell(true_lb, "true_lb", datatype.true_lb()).and(tell(
            true_extent,
            "true_extent",
            datatype.true_extent(),
        ))
    }
}

/// The bounds, as MPI-1 asked for them one by one.
unsafe fn bound(
    datatype: Datatype,
    place: *mut isize,
    name: &'static str,
    ask: fn(&nemesis_datatype::Datatype) -> i64,
) -> Outcome {
    let value = ask(enter_any()?.types.get(datatype)?);
    // SAFETY: the caller's place.
    unsafe { put(place, name, value as isize) }
}

pub unsafe fn type_extent(datatype: Datatype, extent: *mut isize) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { bound(datatype, extent, "extent", nemesis_datatype::Datatype::extent) }
}

pub unsafe fn type_lb(datatype: Datatype, displacement: *mut isize) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { bound(datatype, displacement, "displacement", nemesis_datatype::Datatype::lb) }
}

pub unsafe fn type_ub(datatype: Datatype, displacement: *mut isize) -> Outcome {
    let upper = |datatype: &nemesis_datatype::Datatype| datatype.lb() + datatype.extent();
    // SAFETY: the caller's place.
    unsafe { bound(datatype, displacement, "displacement", upper) }
}

pub unsafe fn get_elements(status: *const Status, datatype: Datatype, count: CountOut) -> Outcome {
    let mpi = enter_any()?;
    let datatype = mpi.types.get(datatype)?;
    // SAFETY: the caller's status.
    let bytes = unsafe { status.as_ref() }.ok_or_else(|| null("status"))?.bytes();
    // SAFETY: the caller's place.
    unsafe {
        tell(count, "count", datatype.get_elements(bytes).unwrap_or(i64::from(abi::MPI_UNDEFINED)))
    }
}

/// The plain calls cannot tell what a large-count constructor was given.
fn tellable(contents: &Contents, plain: bool) -> Outcome {
    if plain && !contents.large_counts.is_empty() {
        let why = "a large-count procedure made the datatype, and its arguments need large counts";
        return Err(Error::new(abi::MPI_ERR_TYPE, why)
            .advise("call MPI_Type_get_envelope_c and MPI_Type_get_contents_c"));
    }
    Ok(())
}

pub unsafe fn type_get_envelope(
    datatype: Datatype,
    num_integers: CountOut,
    num_addresses: CountOut,
    num_large_counts: CountOut,
    num_datatypes: CountOut,
    combiner: *mut c_int,
) -> Outcome {
    let mpi = enter_any()?;
    let datatype = mpi.types.get(datatype)?;
    let lengths = match datatype.contents() {
        None => [0; 4],
        Some(contents) => {
            tellable(contents, num_integers.is_int())?;
            [
                contents.integers.len(),
                contents.addresses.len(),
                contents.large_counts.len(),
                contents.datatypes.len(),
            ]
        }
    };
    let [integers, addresses, large_counts, datatypes] = lengths.map(|length| length as i64);
    // SAFETY: the caller's places.
    unsafe {
        tell(num_integers, "num_integers", integers)?;
        tell(num_addresses, "num_addresses", addresses)?;
        tell(num_large_counts, "num_large_counts", large_counts)?;
        tell(num_datatypes, "num_datatypes", datatypes)?;
        put(combiner, "combiner", datatype.combiner() as c_int)
    }
}

/// Writes the elements of an array that has room for `most`.
unsafe fn fill<T: Copy>(
    array: *mut T,
    name: &'static str,
    most: i64,
    values: impl ExactSizeIterator<Item = T>,
) -> Outcome {
    if array.is_null() && values.len() > 0 {
        return Err(null(name));
    }
    debug_assert!(values.len() as i64 <= most);
    for (index, value) in values.enumerate() {
        // SAFETY: not null, so the caller's array, and it has room for `most`.
        unsafe { array.add(index).write(value) };
    }
    Ok(())
}

/// The plain form has no large counts, and its front passes -1 for the room for them.
pub unsafe fn type_get_contents(
    datatype: Datatype,
    max_integers: i64,
    max_addresses: i64,
    max_large_counts: i64,
    max_datatypes: i64,
    array_of_integers: *mut c_int,
    array_of_addresses: *mut isize,
    array_of_large_counts: *mut i64,
    array_of_datatypes: *mut Datatype,
) -> Outcome {
    let mut mpi = enter()?;
    let contents = mpi.types.get(datatype)?.contents().cloned();
    let contents = contents
        .ok_or_else(|| Error::new(abi::MPI_ERR_TYPE, "a predefined datatype has no contents"))?;
    tellable(&contents, max_large_counts < 0)?;
    room("max_integers", max_integers, contents.integers.len())?;
    room("max_addresses", max_addresses, contents.addresses.len())?;
    room("max_large_counts", max_large_counts.max(0), contents.large_counts.len())?;
    room("max_datatypes", max_datatypes, contents.datatypes.len())?;
    // SAFETY: the caller's arrays, which have room.
    unsafe {
        fill(
            array_of_integers,
            "array_of_integers",
            max_integers,
            contents.integers.iter().map(|&integer| integer as c_int),
        )?;
        fill(
            array_of_addresses,
            "array_of_addresses",
            max_addresses,
            contents.addresses.iter().map(|&address| address as isize),
        )?;
        fill(
            array_of_large_counts,
            "array_of_large_counts",
            max_large_counts,
            contents.large_counts.iter().copied(),
        )?;
    }
    let parts: Vec<Datatype> =
        contents.datatypes.iter().map(|part| mpi.types.handle_of(part)).collect::<Outcome<_>>()?;
    // SAFETY: as above.
    unsafe { fill(array_of_datatypes, "array_of_datatypes", max_datatypes, parts.into_iter()) }
}

fn room(name: &str, most: i64, needed: usize) -> Outcome {
    if most < needed as i64 {
        return Err(Error::new(
            abi::MPI_ERR_ARG,
            format!("{name} is {most}, and there are {needed}"),
        )
        .advise("ask MPI_Type_get_envelope"));
    }
    Ok(())
}
