//! Datatypes as objects: commit, free, dup, names, sizes and bounds, envelope and contents (MPI 5.0
//! §5.1.7 to §5.1.13, §7.8).

use crate::params::cut;
use crate::params::{CountOut, In, InOut, Out, OutSlice, StringIn, StringOut};
use crate::types::Status;
use nemesis_datatype::Contents;
use nemesis_mpi::abi;
use nemesis_mpi::attr;
use nemesis_mpi::callback::Object;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Datatype, Handle};
use nemesis_mpi::lanes;
use nemesis_mpi::types::refused;
use nemesis_mpi::{enter, enter_any};
use std::ffi::c_int;

pub fn type_commit(datatype: InOut<'_, Datatype>) -> Outcome {
    let mut mpi = enter()?;
    let datatype = datatype.require("datatype")?;
    mpi.types.get(datatype.read())?.commit();
    mpi.look_for_devices();
    Ok(())
}

/// Frees a datatype. Its attributes are deleted first, because their delete functions may use the
/// type and may refuse.
pub fn type_free(datatype: InOut<'_, Datatype>) -> Outcome {
    let mut mpi = enter()?;
    let place = datatype.require("datatype")?;
    let handle = place.read();
    mpi.types.freeable(handle)?;
    mpi.unlocked(|| attr::delete_all(Object::Datatype(handle)))?;
    mpi.types.free(handle)?;
    lanes::each_other(|other| other.types.disown(handle));
    place.write(Datatype::NULL);
    Ok(())
}

/// Duplicates a datatype with its attributes. If a copy function fails, the duplicate is freed.
pub fn type_dup(oldtype: Datatype, newtype: Out<'_, Datatype>) -> Outcome {
    let mut mpi = enter()?;
    let newtype = newtype.require("newtype")?;
    let copy = nemesis_datatype::Datatype::dup(mpi.types.get(oldtype)?).map_err(refused)?;
    let made = mpi.types.add(copy)?;
    if let Err(refused) =
        mpi.unlocked(|| attr::copy_all(Object::Datatype(oldtype), Object::Datatype(made)))
    {
        mpi.types.free(made)?;
        return Err(refused);
    }
    newtype.write(made);
    Ok(())
}

/// The longest name in bytes: `MPI_MAX_OBJECT_NAME` of both ABIs without the NUL.
const NAME_BYTES: usize = abi::MPI_MAX_OBJECT_NAME as usize - 1;

pub fn type_set_name(datatype: Datatype, type_name: StringIn<'_>) -> Outcome {
    let mut mpi = enter()?;
    mpi.types.get(datatype)?;
    let name = type_name.require("type_name")?;
    mpi.types.set_name(datatype, cut(&name, NAME_BYTES))
}

pub fn type_get_name(
    datatype: Datatype,
    type_name: StringOut<'_>,
    resultlen: Out<'_, c_int>,
) -> Outcome {
    let mpi = enter()?;
    let name = if datatype.is_null() { "MPI_DATATYPE_NULL" } else { mpi.types.name(datatype)? };
    type_name.put_with_length(name, abi::MPI_MAX_OBJECT_NAME, resultlen)
}

pub fn type_size(datatype: Datatype, size: CountOut<'_>) -> Outcome {
    let bytes = enter_any()?.types.get(datatype)?.size();
    size.put("size", bytes)
}

pub fn type_get_extent(datatype: Datatype, lb: CountOut<'_>, extent: CountOut<'_>) -> Outcome {
    let mpi = enter_any()?;
    let datatype = mpi.types.get(datatype)?;
    lb.put("lb", datatype.lb()).and(extent.put("extent", datatype.extent()))
}

pub fn type_get_true_extent(
    datatype: Datatype,
    true_lb: CountOut<'_>,
    true_extent: CountOut<'_>,
) -> Outcome {
    let mpi = enter_any()?;
    let datatype = mpi.types.get(datatype)?;
    true_lb
        .put("true_lb", datatype.true_lb())
        .and(true_extent.put("true_extent", datatype.true_extent()))
}

/// One bound of a datatype, as the functions of MPI-1 ask for it.
fn bound(
    datatype: Datatype,
    place: Out<'_, isize>,
    name: &'static str,
    ask: fn(&nemesis_datatype::Datatype) -> i64,
) -> Outcome {
    let value = ask(enter_any()?.types.get(datatype)?);
    place.put(name, value as isize)
}

pub fn type_extent(datatype: Datatype, extent: Out<'_, isize>) -> Outcome {
    bound(datatype, extent, "extent", nemesis_datatype::Datatype::extent)
}

pub fn type_lb(datatype: Datatype, displacement: Out<'_, isize>) -> Outcome {
    bound(datatype, displacement, "displacement", nemesis_datatype::Datatype::lb)
}

pub fn type_ub(datatype: Datatype, displacement: Out<'_, isize>) -> Outcome {
    let upper = |datatype: &nemesis_datatype::Datatype| datatype.lb() + datatype.extent();
    bound(datatype, displacement, "displacement", upper)
}

pub fn get_elements(status: In<'_, Status>, datatype: Datatype, count: CountOut<'_>) -> Outcome {
    let mpi = enter_any()?;
    let datatype = mpi.types.get(datatype)?;
    let bytes = status.require("status")?.bytes();
    count.put("count", datatype.get_elements(bytes).unwrap_or(i64::from(abi::MPI_UNDEFINED)))
}

/// Checks that the int form can tell the contents: those of large-count constructors do not fit.
fn check_int_form(contents: &Contents, plain: bool) -> Outcome {
    if plain && !contents.large_counts.is_empty() {
        let why = "a large-count procedure made the datatype, and its arguments need large counts";
        return Err(Error::new(abi::MPI_ERR_TYPE, why)
            .advise("call MPI_Type_get_envelope_c and MPI_Type_get_contents_c"));
    }
    Ok(())
}

pub fn type_get_envelope(
    datatype: Datatype,
    num_integers: CountOut<'_>,
    num_addresses: CountOut<'_>,
    num_large_counts: CountOut<'_>,
    num_datatypes: CountOut<'_>,
    combiner: Out<'_, c_int>,
) -> Outcome {
    let mpi = enter_any()?;
    let datatype = mpi.types.get(datatype)?;
    let lengths = match datatype.contents() {
        None => [0; 4],
        Some(contents) => {
            check_int_form(contents, num_integers.is_int())?;
            [
                contents.integers.len(),
                contents.addresses.len(),
                contents.large_counts.len(),
                contents.datatypes.len(),
            ]
        }
    };
    let [integers, addresses, large_counts, datatypes] = lengths.map(|length| length as i64);
    num_integers.put("num_integers", integers)?;
    num_addresses.put("num_addresses", addresses)?;
    num_large_counts.put("num_large_counts", large_counts)?;
    num_datatypes.put("num_datatypes", datatypes)?;
    combiner.put("combiner", datatype.combiner() as c_int)
}

/// Writes the arguments of the constructor. The int form has no large counts: its binding passes -1
/// as `max_large_counts`.
pub fn type_get_contents(
    datatype: Datatype,
    max_integers: i64,
    max_addresses: i64,
    max_large_counts: i64,
    max_datatypes: i64,
    array_of_integers: OutSlice<'_, c_int>,
    array_of_addresses: OutSlice<'_, isize>,
    array_of_large_counts: OutSlice<'_, i64>,
    array_of_datatypes: OutSlice<'_, Datatype>,
) -> Outcome {
    let mut mpi = enter()?;
    let contents = mpi.types.get(datatype)?.contents().cloned();
    let contents = contents
        .ok_or_else(|| Error::new(abi::MPI_ERR_TYPE, "a predefined datatype has no contents"))?;
    check_int_form(&contents, max_large_counts < 0)?;
    check_length("max_integers", max_integers, contents.integers.len())?;
    check_length("max_addresses", max_addresses, contents.addresses.len())?;
    check_length("max_large_counts", max_large_counts.max(0), contents.large_counts.len())?;
    check_length("max_datatypes", max_datatypes, contents.datatypes.len())?;
    array_of_integers
        .fill("array_of_integers", contents.integers.iter().map(|&integer| integer as c_int))?;
    array_of_addresses
        .fill("array_of_addresses", contents.addresses.iter().map(|&address| address as isize))?;
    array_of_large_counts.fill("array_of_large_counts", contents.large_counts.iter().copied())?;
    let parts: Vec<Datatype> =
        contents.datatypes.iter().map(|part| mpi.types.handle_of(part)).collect::<Outcome<_>>()?;
    array_of_datatypes.fill("array_of_datatypes", parts)
}

/// Checks that an array is long enough for what is written into it.
fn check_length(name: &str, most: i64, needed: usize) -> Outcome {
    if most < needed as i64 {
        return Err(Error::new(
            abi::MPI_ERR_ARG,
            format!("{name} is {most}, and there are {needed}"),
        )
        .advise("ask MPI_Type_get_envelope"));
    }
    Ok(())
}
