//! Events and their sources (MPI 5.0 §15.3.8).

use super::{check_info, name as name_of, null, put, put_empty_info, put_handle};
use crate::params::{InOut, Out, OutSlice, StringIn, StringOut, ValueIn, ValueOut};
use nemesis_mpi::abi;
use nemesis_mpi::callback::Callback;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Datatype, Info};
use nemesis_mpi::tool;
use nemesis_mpi::tool::event::{self, ELEMENTS};
use std::ffi::{c_int, c_void};

pub fn t_source_get_num(num_sources: Out<'_, c_int>) -> Outcome {
    tool::check()?;
    put(num_sources, "num_sources", event::SOURCE + 1)
}

fn check_source(source_index: c_int) -> Outcome {
    if source_index == event::SOURCE {
        return Ok(());
    }
    Err(Error::new(abi::MPI_T_ERR_INVALID_INDEX, format!("there is no source {source_index}")))
}

pub fn t_source_get_info(
    source_index: c_int,
    name: StringOut<'_>,
    name_len: InOut<'_, c_int>,
    desc: StringOut<'_>,
    desc_len: InOut<'_, c_int>,
    ordering: Out<'_, c_int>,
    ticks_per_second: Out<'_, i64>,
    max_ticks: Out<'_, i64>,
    info: Out<'_, Info>,
) -> Outcome {
    tool::check()?;
    check_source(source_index)?;
    name.put_for_tool(name_len, event::SOURCE_NAME);
    desc.put_for_tool(desc_len, event::SOURCE_WHAT);
    ordering.put_unless_null(abi::MPI_T_SOURCE_ORDERED);
    ticks_per_second.put_unless_null(event::TICKS_PER_SECOND);
    max_ticks.put_unless_null(i64::MAX);
    put_empty_info(info)
}

pub fn t_source_get_timestamp(source_index: c_int, timestamp: Out<'_, i64>) -> Outcome {
    tool::check()?;
    check_source(source_index)?;
    put(timestamp, "timestamp", event::now())
}

pub fn t_event_get_num(num_events: Out<'_, c_int>) -> Outcome {
    tool::check()?;
    put(num_events, "num_events", event::EVENTS as c_int)
}

/// Describes an event. `num_elements` is the length of the two arrays, and becomes the number of
/// elements of the event.
pub fn t_event_get_info(
    event_index: c_int,
    name: StringOut<'_>,
    name_len: InOut<'_, c_int>,
    verbosity: Out<'_, c_int>,
    array_of_datatypes: OutSlice<'_, Datatype>,
    array_of_displacements: OutSlice<'_, isize>,
    num_elements: InOut<'_, c_int>,
    enumtype: Out<'_, *mut c_void>,
    info: Out<'_, Info>,
    desc: StringOut<'_>,
    desc_len: InOut<'_, c_int>,
    bind: Out<'_, c_int>,
) -> Outcome {
    tool::check()?;
    let kind = event::kind(event_index)?;
    let num_elements = num_elements.get();
    let most =
        num_elements.as_ref().map_or(0, |number| usize::try_from(number.read()).unwrap_or(0));
    let elements = ELEMENTS.iter().take(most);
    array_of_datatypes.fill_unless_null(
        elements
            .clone()
            .map(|element| if element.is_int { abi::MPI_INT } else { abi::MPI_UNSIGNED_LONG_LONG }),
    );
    array_of_displacements.fill_unless_null(elements.map(|element| element.place as isize));
    if let Some(number) = num_elements {
        number.write(ELEMENTS.len() as c_int);
    }
    name.put_for_tool(name_len, kind.name);
    verbosity.put_unless_null(kind.verbosity);
    enumtype.put_unless_null(std::ptr::null_mut());
    desc.put_for_tool(desc_len, kind.what);
    bind.put_unless_null(abi::MPI_T_BIND_NO_OBJECT);
    put_empty_info(info)
}

pub fn t_event_get_index(name: StringIn<'_>, event_index: Out<'_, c_int>) -> Outcome {
    tool::check()?;
    put(event_index, "event_index", event::index_of(&name_of(name)?)?)
}

pub fn t_event_handle_alloc(
    event_index: c_int,
    _obj_handle: ValueIn<'_>,
    info: Info,
    event_registration: Out<'_, *mut c_void>,
) -> Outcome {
    tool::check()?;
    check_info(info)?;
    if event_registration.is_null() {
        return Err(null("event_registration"));
    }
    put_handle(event_registration, "event_registration", event::register(event_index)?)
}

pub fn t_event_handle_free(
    event_registration: *mut c_void,
    user_data: *mut c_void,
    free_cb_function: Callback,
) -> Outcome {
    event::unregister(event_registration.addr(), user_data.expose_provenance(), free_cb_function)
}

pub fn t_event_handle_set_info(event_registration: *mut c_void, info: Info) -> Outcome {
    event::exists(event_registration.addr())?;
    check_info(info)
}

pub fn t_event_handle_get_info(
    event_registration: *mut c_void,
    info_used: Out<'_, Info>,
) -> Outcome {
    event::exists(event_registration.addr())?;
    put_empty_info(info_used)
}

pub fn t_event_register_callback(
    event_registration: *mut c_void,
    cb_safety: c_int,
    info: Info,
    user_data: *mut c_void,
    event_cb_function: Callback,
) -> Outcome {
    check_info(info)?;
    event::register_callback(
        event_registration.addr(),
        cb_safety,
        user_data.expose_provenance(),
        event_cb_function,
    )
}

pub fn t_event_callback_set_info(
    event_registration: *mut c_void,
    cb_safety: c_int,
    info: Info,
) -> Outcome {
    event::has_callback(event_registration.addr(), cb_safety)?;
    check_info(info)
}

pub fn t_event_callback_get_info(
    event_registration: *mut c_void,
    cb_safety: c_int,
    info_used: Out<'_, Info>,
) -> Outcome {
    event::has_callback(event_registration.addr(), cb_safety)?;
    put_empty_info(info_used)
}

pub fn t_event_set_dropped_handler(
    event_registration: *mut c_void,
    dropped_cb_function: Callback,
) -> Outcome {
    event::set_dropped_handler(event_registration.addr(), dropped_cb_function)
}

/// Writes an element of an event `offset` bytes behind the address.
fn put_element(buffer: ValueOut<'_>, offset: usize, element: usize, word: u64) {
    if ELEMENTS[element].is_int {
        buffer.put_at(offset, &(word as c_int).to_ne_bytes())
    } else {
        buffer.put_at(offset, &word.to_ne_bytes())
    }
}

pub fn t_event_read(
    event_instance: *mut c_void,
    element_index: c_int,
    buffer: ValueOut<'_>,
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
    put_element(buffer, 0, element, record.words[element]);
    Ok(())
}

pub fn t_event_copy(event_instance: *mut c_void, buffer: ValueOut<'_>) -> Outcome {
    let record = event::instance(event_instance.addr())?;
    if buffer.is_null() {
        return Err(null("buffer"));
    }
    for (index, element) in ELEMENTS.iter().enumerate() {
        put_element(buffer, element.place, index, record.words[index]);
    }
    Ok(())
}

pub fn t_event_get_timestamp(
    event_instance: *mut c_void,
    event_timestamp: Out<'_, i64>,
) -> Outcome {
    let record = event::instance(event_instance.addr())?;
    put(event_timestamp, "event_timestamp", record.time)
}

pub fn t_event_get_source(event_instance: *mut c_void, source_index: Out<'_, c_int>) -> Outcome {
    event::instance(event_instance.addr())?;
    put(source_index, "source_index", event::SOURCE)
}
