// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: tool.

use crate::prelude::*;

binding! {
    MPI_T_category_changed PMPI_T_category_changed(update_number: *mut c_int as address)
    on Raise::Tool =>
    {
        impls::t_category_changed(Out::new(update_number))
    }
}

binding! {
    MPI_T_category_get_categories PMPI_T_category_get_categories(
        cat_index: c_int as int, len: c_int as int, indices: *mut c_int as address,
    )
    on Raise::Tool =>
    {
        impls::t_category_get_categories(cat_index, len, OutSlice::new(indices, len as i64))
    }
}

binding! {
    MPI_T_category_get_cvars PMPI_T_category_get_cvars(
        cat_index: c_int as int, len: c_int as int, indices: *mut c_int as address,
    )
    on Raise::Tool =>
    {
        impls::t_category_get_cvars(cat_index, len, OutSlice::new(indices, len as i64))
    }
}

binding! {
    MPI_T_category_get_events PMPI_T_category_get_events(
        cat_index: c_int as int, len: c_int as int, indices: *mut c_int as address,
    )
    on Raise::Tool =>
    {
        impls::t_category_get_events(cat_index, len, OutSlice::new(indices, len as i64))
    }
}

binding! {
    MPI_T_category_get_index PMPI_T_category_get_index(name: *const c_char as string, cat_index: *mut c_int as address)
    on Raise::Tool =>
    {
        impls::t_category_get_index(StringIn::new(name), Out::new(cat_index))
    }
}

binding! {
    MPI_T_category_get_info PMPI_T_category_get_info(
        cat_index: c_int as int, name: *mut c_char as address, name_len: *mut c_int as address,
        desc: *mut c_char as address, desc_len: *mut c_int as address, num_cvars: *mut c_int as address,
        num_pvars: *mut c_int as address, num_categories: *mut c_int as address,
    )
    on Raise::Tool =>
    {
        impls::t_category_get_info(
            cat_index, StringOut::from(OutSlice::new(name, number_at(In::new(name_len)))), InOut::new(name_len),
            StringOut::from(OutSlice::new(desc, number_at(In::new(desc_len)))), InOut::new(desc_len),
            Out::new(num_cvars), Out::new(num_pvars), Out::new(num_categories),
        )
    }
}

binding! {
    MPI_T_category_get_num PMPI_T_category_get_num(num_cat: *mut c_int as address)
    on Raise::Tool =>
    {
        impls::t_category_get_num(Out::new(num_cat))
    }
}

binding! {
    MPI_T_category_get_num_events PMPI_T_category_get_num_events(
        cat_index: c_int as int, num_events: *mut c_int as address,
    )
    on Raise::Tool =>
    {
        impls::t_category_get_num_events(cat_index, Out::new(num_events))
    }
}

binding! {
    MPI_T_category_get_pvars PMPI_T_category_get_pvars(
        cat_index: c_int as int, len: c_int as int, indices: *mut c_int as address,
    )
    on Raise::Tool =>
    {
        impls::t_category_get_pvars(cat_index, len, OutSlice::new(indices, len as i64))
    }
}

binding! {
    MPI_T_cvar_get_index PMPI_T_cvar_get_index(name: *const c_char as string, cvar_index: *mut c_int as address)
    on Raise::Tool =>
    {
        impls::t_cvar_get_index(StringIn::new(name), Out::new(cvar_index))
    }
}

binding! {
    MPI_T_cvar_get_info PMPI_T_cvar_get_info(
        cvar_index: c_int as int, name: *mut c_char as address, name_len: *mut c_int as address,
        verbosity: *mut c_int as address, datatype: *mut RawHandle as out_datatype,
        enumtype: *mut *mut c_void as address, desc: *mut c_char as address, desc_len: *mut c_int as address,
        bind: *mut c_int as address, scope: *mut c_int as address,
    )
    on Raise::Tool =>
    {
        let mut verbosity = Place::out(Out::new(verbosity), 0);
        let mut datatype = Place::out(Out::new(datatype), Datatype::NULL);
        let mut bind = Place::out(Out::new(bind), 0);
        let mut scope = Place::out(Out::new(scope), 0);
        impls::t_cvar_get_info(
            cvar_index, StringOut::from(OutSlice::new(name, number_at(In::new(name_len)))), InOut::new(name_len),
            Out::new(verbosity.pass()), Out::new(datatype.pass()), Out::new(enumtype),
            StringOut::from(OutSlice::new(desc, number_at(In::new(desc_len)))), InOut::new(desc_len),
            Out::new(bind.pass()), Out::new(scope.pass()),
        )?;
        verbosity.leave(from::verbosity);
        datatype.leave(from::datatype);
        bind.leave(from::binding);
        scope.leave(from::scope);
        Ok(())
    }
}

binding! {
    MPI_T_cvar_get_num PMPI_T_cvar_get_num(num_cvar: *mut c_int as address)
    on Raise::Tool =>
    {
        impls::t_cvar_get_num(Out::new(num_cvar))
    }
}

binding! {
    MPI_T_cvar_handle_alloc PMPI_T_cvar_handle_alloc(
        cvar_index: c_int as int, obj_handle: *mut c_void as address, handle: *mut *mut c_void as address,
        count: *mut c_int as address,
    )
    on Raise::Tool =>
    {
        impls::t_cvar_handle_alloc(cvar_index, ValueIn::new(obj_handle), Out::new(handle), Out::new(count))
    }
}

binding! {
    MPI_T_cvar_handle_free PMPI_T_cvar_handle_free(handle: *mut *mut c_void as address)
    on Raise::Tool =>
    {
        impls::t_cvar_handle_free(InOut::new(handle))
    }
}

binding! {
    MPI_T_cvar_read PMPI_T_cvar_read(handle: *mut c_void as address, buf: *mut c_void as buffer)
    on Raise::Tool =>
    {
        impls::t_cvar_read(handle, ValueOut::new(to::buffer_mut(buf)))
    }
}

binding! {
    MPI_T_cvar_write PMPI_T_cvar_write(handle: *mut c_void as address, buf: *const c_void as buffer)
    on Raise::Tool =>
    {
        impls::t_cvar_write(handle, ValueIn::new(to::buffer(buf)))
    }
}

binding! {
    MPI_T_enum_get_info PMPI_T_enum_get_info(
        enumtype: *mut c_void as address, num: *mut c_int as address, name: *mut c_char as address,
        name_len: *mut c_int as address,
    )
    on Raise::Tool =>
    {
        impls::t_enum_get_info(
            enumtype, Out::new(num), StringOut::from(OutSlice::new(name, number_at(In::new(name_len)))),
            InOut::new(name_len),
        )
    }
}

binding! {
    MPI_T_enum_get_item PMPI_T_enum_get_item(
        enumtype: *mut c_void as address, index: c_int as int, value: *mut c_int as address,
        name: *mut c_char as address, name_len: *mut c_int as address,
    )
    on Raise::Tool =>
    {
        impls::t_enum_get_item(
            enumtype, index, Out::new(value), StringOut::from(OutSlice::new(name, number_at(In::new(name_len)))),
            InOut::new(name_len),
        )
    }
}

binding! {
    MPI_T_event_callback_get_info PMPI_T_event_callback_get_info(
        event_registration: *mut c_void as address, cb_safety: c_int as int, info_used: *mut RawHandle as out_info,
    )
    on Raise::Tool =>
    {
        let mut info_used = Place::out(Out::new(info_used), Info::NULL);
        impls::t_event_callback_get_info(event_registration, to::callback_safety(cb_safety), Out::new(info_used.pass()))?;
        info_used.leave(from::info);
        Ok(())
    }
}

binding! {
    MPI_T_event_callback_set_info PMPI_T_event_callback_set_info(
        event_registration: *mut c_void as address, cb_safety: c_int as int, info: RawHandle as info,
    )
    on Raise::Tool =>
    {
        impls::t_event_callback_set_info(event_registration, to::callback_safety(cb_safety), to::info(info))
    }
}

binding! {
    MPI_T_event_copy PMPI_T_event_copy(event_instance: *mut c_void as address, buffer: *mut c_void as address)
    on Raise::Tool =>
    {
        impls::t_event_copy(event_instance, ValueOut::new(buffer))
    }
}

binding! {
    MPI_T_event_get_index PMPI_T_event_get_index(name: *const c_char as string, event_index: *mut c_int as address)
    on Raise::Tool =>
    {
        impls::t_event_get_index(StringIn::new(name), Out::new(event_index))
    }
}

binding! {
    MPI_T_event_get_info PMPI_T_event_get_info(
        event_index: c_int as int, name: *mut c_char as address, name_len: *mut c_int as address,
        verbosity: *mut c_int as address, array_of_datatypes: *mut RawHandle as address,
        array_of_displacements: *mut isize as address, num_elements: *mut c_int as address,
        enumtype: *mut *mut c_void as address, info: *mut RawHandle as out_info, desc: *mut c_char as address,
        desc_len: *mut c_int as address, bind: *mut c_int as address,
    )
    on Raise::Tool =>
    {
        let mut verbosity = Place::out(Out::new(verbosity), 0);
        let mut array_of_datatypes = Array::<_, _>::out(OutSlice::new(array_of_datatypes, number_at(In::new(num_elements))), Datatype::NULL);
        let mut info = Place::out(Out::new(info), Info::NULL);
        let mut bind = Place::out(Out::new(bind), 0);
        impls::t_event_get_info(
            event_index, StringOut::from(OutSlice::new(name, number_at(In::new(name_len)))), InOut::new(name_len),
            Out::new(verbosity.pass()),
            OutSlice::new(array_of_datatypes.pass_mut(), number_at(In::new(num_elements))),
            OutSlice::new(array_of_displacements, number_at(In::new(num_elements))), InOut::new(num_elements),
            Out::new(enumtype), Out::new(info.pass()),
            StringOut::from(OutSlice::new(desc, number_at(In::new(desc_len)))), InOut::new(desc_len),
            Out::new(bind.pass()),
        )?;
        verbosity.leave(from::verbosity);
        array_of_datatypes.leave(from::datatype);
        info.leave(from::info);
        bind.leave(from::binding);
        Ok(())
    }
}

binding! {
    MPI_T_event_get_num PMPI_T_event_get_num(num_events: *mut c_int as address)
    on Raise::Tool =>
    {
        impls::t_event_get_num(Out::new(num_events))
    }
}

binding! {
    MPI_T_event_get_source PMPI_T_event_get_source(
        event_instance: *mut c_void as address, source_index: *mut c_int as address,
    )
    on Raise::Tool =>
    {
        impls::t_event_get_source(event_instance, Out::new(source_index))
    }
}

binding! {
    MPI_T_event_get_timestamp PMPI_T_event_get_timestamp(
        event_instance: *mut c_void as address, event_timestamp: *mut i64 as address,
    )
    on Raise::Tool =>
    {
        impls::t_event_get_timestamp(event_instance, Out::new(event_timestamp))
    }
}

binding! {
    MPI_T_event_handle_alloc PMPI_T_event_handle_alloc(
        event_index: c_int as int, obj_handle: *mut c_void as address, info: RawHandle as info,
        event_registration: *mut *mut c_void as address,
    )
    on Raise::Tool =>
    {
        impls::t_event_handle_alloc(event_index, ValueIn::new(obj_handle), to::info(info), Out::new(event_registration))
    }
}

binding! {
    MPI_T_event_handle_free PMPI_T_event_handle_free(
        event_registration: *mut c_void as address, user_data: *mut c_void as address,
        free_cb_function: Function as address,
    )
    on Raise::Tool =>
    {
        impls::t_event_handle_free(event_registration, user_data, callback(free_cb_function))
    }
}

binding! {
    MPI_T_event_handle_get_info PMPI_T_event_handle_get_info(
        event_registration: *mut c_void as address, info_used: *mut RawHandle as out_info,
    )
    on Raise::Tool =>
    {
        let mut info_used = Place::out(Out::new(info_used), Info::NULL);
        impls::t_event_handle_get_info(event_registration, Out::new(info_used.pass()))?;
        info_used.leave(from::info);
        Ok(())
    }
}

binding! {
    MPI_T_event_handle_set_info PMPI_T_event_handle_set_info(
        event_registration: *mut c_void as address, info: RawHandle as info,
    )
    on Raise::Tool =>
    {
        impls::t_event_handle_set_info(event_registration, to::info(info))
    }
}

binding! {
    MPI_T_event_read PMPI_T_event_read(
        event_instance: *mut c_void as address, element_index: c_int as int, buffer: *mut c_void as address,
    )
    on Raise::Tool =>
    {
        impls::t_event_read(event_instance, element_index, ValueOut::new(buffer))
    }
}

binding! {
    MPI_T_event_register_callback PMPI_T_event_register_callback(
        event_registration: *mut c_void as address, cb_safety: c_int as int, info: RawHandle as info,
        user_data: *mut c_void as address, event_cb_function: Function as address,
    )
    on Raise::Tool =>
    {
        impls::t_event_register_callback(
            event_registration, to::callback_safety(cb_safety), to::info(info), user_data,
            callback(event_cb_function),
        )
    }
}

binding! {
    MPI_T_event_set_dropped_handler PMPI_T_event_set_dropped_handler(
        event_registration: *mut c_void as address, dropped_cb_function: Function as address,
    )
    on Raise::Tool =>
    {
        impls::t_event_set_dropped_handler(event_registration, callback(dropped_cb_function))
    }
}

binding! {
    MPI_T_finalize PMPI_T_finalize()
    on Raise::Tool =>
    {
        impls::t_finalize()
    }
}

binding! {
    MPI_T_init_thread PMPI_T_init_thread(required: c_int as int, provided: *mut c_int as address)
    on Raise::Tool =>
    {
        let mut provided = Place::out(Out::new(provided), 0);
        impls::t_init_thread(to::thread_level(required), Out::new(provided.pass()))?;
        provided.leave(from::thread_level);
        Ok(())
    }
}

binding! {
    MPI_T_pvar_get_index PMPI_T_pvar_get_index(
        name: *const c_char as string, var_class: c_int as int, pvar_index: *mut c_int as address,
    )
    on Raise::Tool =>
    {
        impls::t_pvar_get_index(StringIn::new(name), to::pvar_class(var_class), Out::new(pvar_index))
    }
}

binding! {
    MPI_T_pvar_get_info PMPI_T_pvar_get_info(
        pvar_index: c_int as int, name: *mut c_char as address, name_len: *mut c_int as address,
        verbosity: *mut c_int as address, var_class: *mut c_int as address, datatype: *mut RawHandle as out_datatype,
        enumtype: *mut *mut c_void as address, desc: *mut c_char as address, desc_len: *mut c_int as address,
        bind: *mut c_int as address, readonly: *mut c_int as address, continuous: *mut c_int as address,
        atomic: *mut c_int as address,
    )
    on Raise::Tool =>
    {
        let mut verbosity = Place::out(Out::new(verbosity), 0);
        let mut var_class = Place::out(Out::new(var_class), 0);
        let mut datatype = Place::out(Out::new(datatype), Datatype::NULL);
        let mut bind = Place::out(Out::new(bind), 0);
        impls::t_pvar_get_info(
            pvar_index, StringOut::from(OutSlice::new(name, number_at(In::new(name_len)))), InOut::new(name_len),
            Out::new(verbosity.pass()), Out::new(var_class.pass()), Out::new(datatype.pass()), Out::new(enumtype),
            StringOut::from(OutSlice::new(desc, number_at(In::new(desc_len)))), InOut::new(desc_len),
            Out::new(bind.pass()), Out::new(readonly), Out::new(continuous), Out::new(atomic),
        )?;
        verbosity.leave(from::verbosity);
        var_class.leave(from::pvar_class);
        datatype.leave(from::datatype);
        bind.leave(from::binding);
        Ok(())
    }
}

binding! {
    MPI_T_pvar_get_num PMPI_T_pvar_get_num(num_pvar: *mut c_int as address)
    on Raise::Tool =>
    {
        impls::t_pvar_get_num(Out::new(num_pvar))
    }
}

binding! {
    MPI_T_pvar_handle_alloc PMPI_T_pvar_handle_alloc(
        pe_session: *mut c_void as address, pvar_index: c_int as int, obj_handle: *mut c_void as address,
        handle: *mut *mut c_void as address, count: *mut c_int as address,
    )
    on Raise::Tool =>
    {
        let mut object = to::bound_object(ValueIn::new(obj_handle), impls::pvar_is_bound(pvar_index));
        impls::t_pvar_handle_alloc(
            pe_session, pvar_index, ValueIn::new(address_of(&mut object)), Out::new(handle), Out::new(count),
        )
    }
}

binding! {
    MPI_T_pvar_handle_free PMPI_T_pvar_handle_free(
        pe_session: *mut c_void as address, handle: *mut *mut c_void as address,
    )
    on Raise::Tool =>
    {
        impls::t_pvar_handle_free(pe_session, InOut::new(handle))
    }
}

binding! {
    MPI_T_pvar_read PMPI_T_pvar_read(
        pe_session: *mut c_void as address, handle: *mut c_void as address, buf: *mut c_void as buffer,
    )
    on Raise::Tool =>
    {
        impls::t_pvar_read(pe_session, to::pvar_handle(handle), ValueOut::new(to::buffer_mut(buf)))
    }
}

binding! {
    MPI_T_pvar_readreset PMPI_T_pvar_readreset(
        pe_session: *mut c_void as address, handle: *mut c_void as address, buf: *mut c_void as buffer,
    )
    on Raise::Tool =>
    {
        impls::t_pvar_readreset(pe_session, to::pvar_handle(handle), ValueOut::new(to::buffer_mut(buf)))
    }
}

binding! {
    MPI_T_pvar_reset PMPI_T_pvar_reset(pe_session: *mut c_void as address, handle: *mut c_void as address)
    on Raise::Tool =>
    {
        impls::t_pvar_reset(pe_session, to::pvar_handle(handle))
    }
}

binding! {
    MPI_T_pvar_session_create PMPI_T_pvar_session_create(pe_session: *mut *mut c_void as address)
    on Raise::Tool =>
    {
        impls::t_pvar_session_create(Out::new(pe_session))
    }
}

binding! {
    MPI_T_pvar_session_free PMPI_T_pvar_session_free(pe_session: *mut *mut c_void as address)
    on Raise::Tool =>
    {
        impls::t_pvar_session_free(InOut::new(pe_session))
    }
}

binding! {
    MPI_T_pvar_start PMPI_T_pvar_start(pe_session: *mut c_void as address, handle: *mut c_void as address)
    on Raise::Tool =>
    {
        impls::t_pvar_start(pe_session, to::pvar_handle(handle))
    }
}

binding! {
    MPI_T_pvar_stop PMPI_T_pvar_stop(pe_session: *mut c_void as address, handle: *mut c_void as address)
    on Raise::Tool =>
    {
        impls::t_pvar_stop(pe_session, to::pvar_handle(handle))
    }
}

binding! {
    MPI_T_pvar_write PMPI_T_pvar_write(
        pe_session: *mut c_void as address, handle: *mut c_void as address, buf: *const c_void as buffer,
    )
    on Raise::Tool =>
    {
        impls::t_pvar_write(pe_session, to::pvar_handle(handle), ValueIn::new(to::buffer(buf)))
    }
}

binding! {
    MPI_T_source_get_info PMPI_T_source_get_info(
        source_index: c_int as int, name: *mut c_char as address, name_len: *mut c_int as address,
        desc: *mut c_char as address, desc_len: *mut c_int as address, ordering: *mut c_int as address,
        ticks_per_second: *mut i64 as address, max_ticks: *mut i64 as address, info: *mut RawHandle as out_info,
    )
    on Raise::Tool =>
    {
        let mut ordering = Place::out(Out::new(ordering), 0);
        let mut info = Place::out(Out::new(info), Info::NULL);
        impls::t_source_get_info(
            source_index, StringOut::from(OutSlice::new(name, number_at(In::new(name_len)))), InOut::new(name_len),
            StringOut::from(OutSlice::new(desc, number_at(In::new(desc_len)))), InOut::new(desc_len),
            Out::new(ordering.pass()), Out::new(ticks_per_second), Out::new(max_ticks), Out::new(info.pass()),
        )?;
        ordering.leave(from::source_ordering);
        info.leave(from::info);
        Ok(())
    }
}

binding! {
    MPI_T_source_get_num PMPI_T_source_get_num(num_sources: *mut c_int as address)
    on Raise::Tool =>
    {
        impls::t_source_get_num(Out::new(num_sources))
    }
}

binding! {
    MPI_T_source_get_timestamp PMPI_T_source_get_timestamp(source_index: c_int as int, timestamp: *mut i64 as address)
    on Raise::Tool =>
    {
        impls::t_source_get_timestamp(source_index, Out::new(timestamp))
    }
}
