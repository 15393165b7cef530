//! Infos (MPI 5.0 chapter 10).

use crate::params::{InOut, Out, StringIn, StringOut, StringsIn, ValueIn};
use nemesis_mpi::abi;
use nemesis_mpi::comm::resources;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Handle, Info};
use nemesis_mpi::info;
use std::borrow::Cow;
use std::ffi::c_int;

/// Gives a new info a handle and writes it.
pub(super) fn put_info(place: Out<'_, Info>, name: &'static str, made: info::Info) -> Outcome {
    let place = place.require(name)?;
    let made = info::create(made)?;
    place.write(made);
    Ok(())
}

pub fn info_create(info: Out<'_, Info>) -> Outcome {
    put_info(info, "info", info::Info::default())
}

pub fn info_create_env(_argc: c_int, argv: StringsIn<'_>, info: Out<'_, Info>) -> Outcome {
    let words = argv
        .get()
        .map(|word| word.require("argv").map(Cow::into_owned))
        .collect::<Outcome<Vec<_>>>()?;
    let (command, arguments) = match words.split_first() {
        Some((command, arguments)) => (Some(command.as_str()), arguments),
        None => (None, &[][..]),
    };
    put_info(info, "info", info::environment(command, arguments))
}

/// Tells which hardware resources the process is restricted to (MPI 5.0 §9.1.2). Keys have hwloc's
/// names; a value says whether the process is restricted to a single resource of this type.
pub fn get_hw_resource_info(hw_info: Out<'_, Info>) -> Outcome {
    let mut facts = info::Info::default();
    for (name, confined) in resources::hardware_facts() {
        facts.set(name, if confined { "true" } else { "false" });
    }
    put_info(hw_info, "hw_info", facts)
}

pub fn info_dup(info: Info, newinfo: Out<'_, Info>) -> Outcome {
    put_info(newinfo, "newinfo", info::get(info)?)
}

pub fn info_free(info: InOut<'_, Info>) -> Outcome {
    let info = info.require("info")?;
    info::free(info.read())?;
    info.write(Info::NULL);
    Ok(())
}

pub fn info_set(info: Info, key: StringIn<'_>, value: StringIn<'_>) -> Outcome {
    let (key, value) = (key.require("key")?, value.require("value")?);
    info::set(info, &key, &value)
}

/// Sets a key to bytes as text, two hexadecimal digits in capitals for each byte, as MPICH does.
pub fn info_set_hex(
    info: Info,
    key: StringIn<'_>,
    value: ValueIn<'_>,
    value_size: c_int,
) -> Outcome {
    let key = key.require("key")?;
    let size = usize::try_from(value_size).map_err(|_| {
        let why = format!("value_size is {value_size}, it must not be negative");
        Error::new(abi::MPI_ERR_ARG, why)
    })?;
    let bytes = match size {
        0 => &[][..],
        _ => value.bytes(size).ok_or_else(|| {
            Error::new(
                abi::MPI_ERR_ARG,
                format!("value is a null pointer, and value_size is {size}"),
            )
        })?,
    };
    let digits: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    info::set(info, &key, &digits)
}

pub fn info_delete(info: Info, key: StringIn<'_>) -> Outcome {
    info::delete(info, &key.require("key")?)
}

/// The value of a key.
fn value_of(info: Info, key: StringIn<'_>) -> Outcome<Option<String>> {
    let key = key.require("key")?;
    info::check_key(&key)?;
    info::read(info, |info| info.get(&key).map(str::to_owned))
}

/// Writes the value of a key, cut to `*buflen` bytes, and into `buflen` what all of it needs. A
/// length of 0 asks for the length only.
pub fn info_get_string(
    info: Info,
    key: StringIn<'_>,
    buflen: InOut<'_, c_int>,
    value: StringOut<'_>,
    flag: Out<'_, c_int>,
) -> Outcome {
    let buflen = buflen.require("buflen")?;
    let found = value_of(info, key)?;
    if let Some(found) = &found {
        let capacity = usize::try_from(buflen.read())
            .map_err(|_| Error::new(abi::MPI_ERR_ARG, "buflen is negative"))?;
        value.put("value", found, capacity)?;
        buflen.write(found.len() as c_int + 1);
    }
    flag.put("flag", c_int::from(found.is_some()))
}

/// The deprecated form of [`info_get_string`]: the string has one byte more than `valuelen` says.
pub fn info_get(
    info: Info,
    key: StringIn<'_>,
    valuelen: c_int,
    value: StringOut<'_>,
    flag: Out<'_, c_int>,
) -> Outcome {
    let length = usize::try_from(valuelen)
        .map_err(|_| Error::new(abi::MPI_ERR_ARG, "valuelen is negative"))?;
    let found = value_of(info, key)?;
    if let Some(found) = &found {
        value.put("value", found, length + 1)?;
    }
    flag.put("flag", c_int::from(found.is_some()))
}

pub fn info_get_valuelen(
    info: Info,
    key: StringIn<'_>,
    valuelen: Out<'_, c_int>,
    flag: Out<'_, c_int>,
) -> Outcome {
    let found = value_of(info, key)?;
    if let Some(found) = &found {
        valuelen.put("valuelen", found.len() as c_int)?;
    }
    flag.put("flag", c_int::from(found.is_some()))
}

pub fn info_get_nkeys(info: Info, nkeys: Out<'_, c_int>) -> Outcome {
    let keys = info::read(info, info::Info::len)?;
    nkeys.put("nkeys", keys as c_int)
}

pub fn info_get_nthkey(info: Info, n: c_int, key: StringOut<'_>) -> Outcome {
    let found = info::nth_key(info, n)?;
    // The string has MPI_MAX_INFO_KEY bytes, and a key is shorter.
    key.put("key", &found, found.len() + 1).map(drop)
}
