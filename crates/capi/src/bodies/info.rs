//! Infos (MPI 5.0 chapter 10).

use super::text::{text, write};
use super::{null, place, put};
use nemesis_mpi::abi;
use nemesis_mpi::comm::resources;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Handle, Info};
use nemesis_mpi::info;
use std::ffi::{c_char, c_int};

/// Hands out a new info.
pub(super) unsafe fn hand_out(place_: *mut Info, name: &'static str, made: info::Info) -> Outcome {
    let place = place(place_, name)?;
    let made = info::create(made)?;
    // SAFETY: not null, so the caller's place.
    unsafe { place.write(made) };
    Ok(())
}

pub unsafe fn info_create(info: *mut Info) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { hand_out(info, "info", info::Info::default()) }
}

pub unsafe fn info_create_env(argc: c_int, argv: *mut *mut c_char, info: *mut Info) -> Outcome {
    let mut words = Vec::new();
    for index in 0..usize::try_from(argc).unwrap_or(0) {
        if argv.is_null() {
            break;
        }
        // SAFETY: the array has `argc` strings.
        let word = unsafe { argv.add(index).read() };
        // SAFETY: one of the caller's strings.
        words.push(unsafe { text(word, "argv") }?.into_owned());
    }
    let (command, arguments) = match words.split_first() {
        Some((command, arguments)) => (Some(command.as_str()), arguments),
        None => (None, &[][..]),
    };
    // SAFETY: the caller's place.
    unsafe { hand_out(info, "info", info::environment(command, arguments)) }
}

/// Keys are named as hwloc names them; a value tells whether the process is restricted to a single resource of the kind (MPI 5.0 §9.1.2).
pub unsafe fn get_hw_resource_info(hw_info: *mut Info) -> Outcome {
    let mut facts = info::Info::default();
    for (name, confined) in resources::hardware_facts() {
        facts.set(name, if confined { "true" } else { "false" });
    }
    // SAFETY: the caller's place.
    unsafe { hand_out(hw_info, "hw_info", facts) }
}

pub unsafe fn info_dup(info: Info, newinfo: *mut Info) -> Outcome {
    // SAFETY: the caller's place.
    unsafe { hand_out(newinfo, "newinfo", info::get(info)?) }
}

pub unsafe fn info_free(info: *mut Info) -> Outcome {
    let info = place(info, "info")?;
    // SAFETY: not null, so the caller's handle.
    info::free(unsafe { info.read() })?;
    // SAFETY: as above.
    unsafe { info.write(Info::NULL) };
    Ok(())
}

pub unsafe fn info_set(info: Info, key: *const c_char, value: *const c_char) -> Outcome {
    // SAFETY: the caller's strings.
    let (key, value) = unsafe { (text(key, "key")?, text(value, "value")?) };
    info::set(info, &key, &value)
}

pub unsafe fn info_delete(info: Info, key: *const c_char) -> Outcome {
    // SAFETY: the caller's string.
    info::delete(info, &unsafe { text(key, "key") }?)
}

/// The value under a key.
unsafe fn value_of(info: Info, key: *const c_char) -> Outcome<Option<String>> {
    // SAFETY: the caller's string.
    let key = unsafe { text(key, "key") }?;
    info::check_key(&key)?;
    info::read(info, |info| info.get(&key).map(str::to_owned))
}

/// The room and the place for the value; a length of 0 asks for the length only.
pub unsafe fn info_get_string(
    info: Info,
    key: *const c_char,
    buflen: *mut c_int,
    value: *mut c_char,
    flag: *mut c_int,
) -> Outcome {
    let buflen = place(buflen, "buflen")?;
    // SAFETY: the caller's string.
    let found = unsafe { value_of(info, key) }?;
    if let Some(found) = &found {
        // SAFETY: not null, so the caller's length.
        let room = usize::try_from(unsafe { buflen.read() })
            .map_err(|_| Error::new(abi::MPI_ERR_ARG, "buflen is negative"))?;
        if room > 0 && value.is_null() {
            return Err(null("value"));
        }
        // SAFETY: the caller's buffer has that room.
        unsafe { write(value, room, found) };
        // SAFETY: not null, so the caller's place.
        unsafe { buflen.write(found.len() as c_int + 1) };
    }
    // SAFETY: the caller's place.
    unsafe { put(flag, "flag", c_int::from(found.is_some())) }
}

/// Deprecated: the buffer has one byte more than `valuelen` says.
pub unsafe fn info_get(
    info: Info,
    key: *const c_char,
    valuelen: c_int,
    value: *mut c_char,
    flag: *mut c_int,
) -> Outcome {
    let room = usize::try_from(valuelen)
        .map_err(|_| Error::new(abi::MPI_ERR_ARG, "valuelen is negative"))?;
    // SAFETY: the caller's string.
    let found = unsafe { value_of(info, key) }?;
    if let Some(found) = &found {
        let value = place(value, "value")?;
        // SAFETY: the caller's buffer has that room.
        unsafe { write(value, room + 1, found) };
    }
    // SAFETY: the caller's place.
    unsafe { put(flag, "flag", c_int::from(found.is_some())) }
}

pub unsafe fn info_get_valuelen(
    info: Info,
    key: *const c_char,
    valuelen: *mut c_int,
    flag: *mut c_int,
) -> Outcome {
    // SAFETY: the caller's string.
    let found = unsafe { value_of(info, key) }?;
    if let Some(found) = &found {
        // SAFETY: the caller's place.
        unsafe { put(valuelen, "valuelen", found.len() as c_int) }?;
    }
    // SAFETY: the caller's place.
    unsafe { put(flag, "flag", c_int::from(found.is_some())) }
}

pub unsafe fn info_get_nkeys(info: Info, nkeys: *mut c_int) -> Outcome {
    let keys = info::read(info, info::Info::len)?;
    // SAFETY: the caller's place.
    unsafe { put(nkeys, "nkeys", keys as c_int) }
}

pub unsafe fn info_get_nthkey(info: Info, n: c_int, key: *mut c_char) -> Outcome {
    let found = info::nth_key(info, n)?;
    let key = place(key, "key")?;
    // SAFETY: the caller's buffer has MPI_MAX_INFO_KEY bytes, and a key is shorter.
    unsafe { write(key, found.len() + 1, &found) };
    Ok(())
}
