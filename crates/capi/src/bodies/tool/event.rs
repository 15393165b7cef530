//! Events and their sources (MPI 5.0 §15.3.8).

use super::{heed, name as name_of, null, put, put_handle, tell, tell_info, tell_text};
use nemesis_mpi::abi;
use nemesis_mpi::callback::Callback;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Datatype, Info};
use nemesis_mpi::tool;
use nemesis_mpi::tool::event::{self, ELEMENTS};
use std::ffi::{c_char, c_int, c_void};

pub unsafe fn t_source_get_num(num_sources: *mut c_int) -> Outcome {
    tool::check()?;
    // SAFETY: the caller's place.
    unsafe { put(num_sources, "num_sources", event::SOURCE + 1) }
}

fn check_source(source_index: c_int) -> Outcome {
    if source_index == event::SOURCE {
        return Ok(());
    }
    Err(Error::new(abi::MPI_T_ERR_INVALID_INDEX, format!("there is no source {source_index}")))
}

pub unsafe fn t_source_get_info(
    source_index: c_int,
    name: *mut c_char,
    name_len: *mut c_int,
    desc: *mut c_char,
    desc_len: *mut c_int,
    ordering: *mut c_int,
    ticks_per_second: *mut i64,
    max_ticks: *mut i64,
    info: *mut Info,
) -> Outcome {
    tool::check()?;
    check_source(source_index)?;
    // SAFETY: the caller's places.
    unsafe {
        tell_text(name, name_len, event::SOURCE_NAME);
        tell_text(desc, desc_len, event::SOURCE_WHAT);
        tell(ordering, abi::MPI_T_SOURCE_ORDERED);
        tell(ticks_per_second, event::TICKS_PER_SECOND);
        tell(max_ticks, i64::MAX);
        tell_info(info)
    }
}

pub unsafe fn t_source_get_timestamp(source_index: c_int, timestamp: *mut i64) -> Outcome {
    tool::check()?;
    check_source(source_index)?;
    // SAFETY: the caller's place.
    unsafe { put(timestamp, "timestamp", event::now()) }
}

pub unsafe fn t_event_get_num(num_events: *mut c_int) -> Outcome {
    tool::check()?;
    // SAFETY: the caller's place.
    unsafe { put(num_events, "num_events", event::EVENTS as c_int) }
}

/// `num_elements` says how long the two arrays are, and is told how many elements there are.
pub unsafe fn t_event_get_info(
    event_index: c_int,
    name: *mut c_char,
    name_len: *mut c_int,
    verbosity: *mut c_int,
    array_of_datatypes: *mut Datatype,
    array_of_displacements: *mut isize,
    num_elements: *mut c_int,
    enumtype: *mut *mut c_void,
    info: *mut Info,
    desc: *mut c_char,
    desc_len: *mut c_int,
    bind: *mut c_int,
) -> Outcome {
    tool::check()?;
    let kind = event::kind(event_index)?;
    // SAFETY: null or the caller's number.
    let room = usize::try_from(unsafe { num_elements.as_ref() }.copied().unwrap_or(0)).unwrap_or(0);
    for (index, element) in ELEMENTS.iter().enumerate().take(room) {
        // SAFETY: arrays that are there have `room` elements.
        unsafe {
            if !array_of_datatypes.is_null() {
                array_of_datatypes.add(index).write(if element.is_int {
                    abi::MPI_INT
                } else {
                    abi::MPI_UNSIGNED_LONG_LONG
                });
            }
            if !array_of_displacements.is_null() {
                array_of_displacements.add(index).write(element.place as isize);
            }
        }
    }
    // SAFETY: the caller's places.
    unsafe {
        tell_text(name, name_len, kind.name);
        tell(verbosity, kind.verbosity);
        tell(num_elements, ELEMENTS.len() as c_int);
        tell(enumtype, std::ptr::null_mut());
        tell_text(desc, desc_len, kind.what);
        tell(bind, abi::MPI_T_BIND_NO_OBJECT);
        tell_info(info)
    }
}

pub unsafe fn t_event_get_index(name: *const c_char, event_index: *mut c_int) -> Outcome {
    tool::check()?;
    // SAFETY: the caller's string and place.
    unsafe { put(event_index, "event_index", event::index_of(&name_of(name)?)?) }
}

pub unsafe fn t_event_handle_alloc(
    event_index: c_int,
    _obj_handle: *mut c_void,
    info: Info,
    event_registration: *mut *mut c_void,
) -> Outcome {
    tool::check()?;
    heed(info)?;
    if event_registration.is_null() {
        return Err(null("event_registration"));
    }
    // SAFETY: the caller's place.
    unsafe { put_handle(event_registration, "event_registration", event::register(event_index)?) }
}

pub unsafe fn t_event_handle_free(
    event_registration: *mut c_void,
    user_data: *mut c_void,
    free_cb_function: Callback,
) -> Outcome {
    event::unregister(event_registration.addr(), user_data.expose_provenance(), free_cb_function)
}

pub unsafe fn t_event_handle_set_info(event_registration: *mut c_void, info: Info) -> Outcome {
    event::exists(event_registration.addr())?;
    heed(info)
}

pub unsafe fn t_event_handle_get_info(
    event_registration: *mut c_void,
    info_used: *mut Info,
) -> Outcome {
    event::exists(event_registration.addr())?;
    // SAFETY: the caller's place.
    unsafe { tell_info(info_used) }
}

pub unsafe fn t_event_register_callback(
    event_registration: *mut c_void,
    cb_safety: c_int,
    info: Info,
    user_data: *mut c_void,
    event_cb_function: Callback,
) -> Outcome {
    heed(info)?;
    event::register_callback(
        event_registration.addr(),
        cb_safety,
        user_data.expose_provenance(),
        event_cb_function,
    )
}

pub unsafe fn t_event_callback_set_info(
    event_registration: *mut c_void,
    cb_safety: c_int,
    info: Info,
) -> Outcome {
    event::has_callback(event_registration.addr(), cb_safety)?;
    heed(info)
}

pub unsafe fn t_event_callback_get_info(
    event_registration: *mut c_void,
    cb_safety: c_int,
    info_used: *mut Info,
) -> Outcome {
    event::has_callback(event_registration.addr(), cb_safety)?;
    // SAFETY: the caller's place.
    unsafe { tell_info(info_used) }
}

pub unsafe fn t_event_set_dropped_handler(
    event_registration: *mut c_void,
    dropped_cb_function: Callback,
) -> Outcome {
    event::set_dropped_handler(event_registration.addr(), dropped_cb_function)
}

/// Writes an element at a place.
unsafe fn put_element(place: *mut u8, element: usize, word: u64) {
    // SAFETY: the caller's place is for the element's datatype; in a copy it may lie anywhere.
    unsafe {
        if ELEMENTS[element].is_int {
            place.cast::<c_int>().write_unaligned(word as c_int)
        } else {
            place.cast::<u64>().write_unaligned(word)
        }
    }
}

pub unsafe fn t_event_read(
    event_instance: *mut c_void,
    element_index: c_int,
    buffer: *mut c_void,
) -> Outcome {
    let record = event::instance(event_instance.addr())?;
    let none = || {
        Error::new(
            abi::MPI_T_ERR_INVALID_INDEX,
            format!("the event has no element {element_index}"),
        )
    };
    let element = usize::try_from(element_index)
        .ok()
        .filter(|&element| element < ELEMENTS.len())
        .ok_or_else(none)?;
    if buffer.is_null() {
        return Err(null("buffer"));
    }
    // SAFETY: not null, so the caller's buffer.
    unsafe { put_element(buffer.cast(), element, record.words[element]) };
    Ok(())
}

pub unsafe fn t_event_copy(event_instance: *mut c_void, buffer: *mut c_void) -> Outcome {
    let record = event::instance(event_instance.addr())?;
    if buffer.is_null() {
        return Err(null("buffer"));
    }
    for (index, element) in ELEMENTS.iter().enumerate() {
        // SAFETY: not null, so the caller's buffer, which has room for all elements at their displacements.
        unsafe { put_element(buffer.cast::<u8>().add(element.place), index, record.words[index]) };
    }
    Ok(())
}

pub unsafe fn t_event_get_timestamp(
    event_instance: *mut c_void,
    event_timestamp: *mut i64,
) -> Outcome {
    let record = event::instance(event_instance.addr())?;
    // SAFETY: the caller's place.
    unsafe { put(event_timestamp, "event_timestamp", record.time) }
}

pub unsafe fn t_event_get_source(event_instance: *mut c_void, source_index: *mut c_int) -> Outcome {
    event::instance(event_instance.addr())?;
    // SAFETY: the caller's place.
    unsafe { put(source_index, "source_index", event::SOURCE) }
}
