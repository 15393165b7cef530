// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: attr.

use crate::prelude::*;

binding! {
    MPI_Attr_delete PMPI_Attr_delete(comm: RawHandle as comm, keyval: c_int as keyval)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_delete_attr(to::comm(comm), to::keyval(keyval))
    }
}

binding! {
    MPI_Attr_get PMPI_Attr_get(
        comm: RawHandle as comm, keyval: c_int as keyval, attribute_val: *mut c_void as address,
        flag: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_get_attr(to::comm(comm), to::keyval(keyval), Out::new(attribute_val.cast()), Out::new(flag))?;
        from::attribute_at(keyval, InOut::new(attribute_val.cast()), In::new(flag));
        Ok(())
    }
}

binding! {
    MPI_Attr_put PMPI_Attr_put(comm: RawHandle as comm, keyval: c_int as keyval, attribute_val: *mut c_void as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_set_attr(to::comm(comm), to::keyval(keyval), attribute_val)
    }
}

binding! {
    MPI_Comm_create_keyval PMPI_Comm_create_keyval(
        comm_copy_attr_fn: Function as address, comm_delete_attr_fn: Function as address,
        comm_keyval: *mut c_int as address, extra_state: *mut c_void as address,
    )
    on Raise::Default =>
    {
        let mut comm_keyval = Place::out(Out::new(comm_keyval), 0);
        impls::comm_create_keyval(
            callback(comm_copy_attr_fn), callback(comm_delete_attr_fn), Out::new(comm_keyval.pass()), extra_state,
        )?;
        comm_keyval.leave(from::keyval);
        Ok(())
    }
}

binding! {
    MPI_Comm_delete_attr PMPI_Comm_delete_attr(comm: RawHandle as comm, comm_keyval: c_int as keyval)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_delete_attr(to::comm(comm), to::keyval(comm_keyval))
    }
}

binding! {
    MPI_Comm_free_keyval PMPI_Comm_free_keyval(comm_keyval: *mut c_int as address)
    on Raise::Default =>
    {
        let mut comm_keyval = Place::read(InOut::new(comm_keyval), 0, to::keyval);
        let outcome = impls::comm_free_keyval(InOut::new(comm_keyval.pass()));
        comm_keyval.leave(from::keyval);
        outcome
    }
}

binding! {
    MPI_Comm_get_attr PMPI_Comm_get_attr(
        comm: RawHandle as comm, comm_keyval: c_int as keyval, attribute_val: *mut c_void as address,
        flag: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_get_attr(to::comm(comm), to::keyval(comm_keyval), Out::new(attribute_val.cast()), Out::new(flag))?;
        from::attribute_at(comm_keyval, InOut::new(attribute_val.cast()), In::new(flag));
        Ok(())
    }
}

binding! {
    MPI_Comm_set_attr PMPI_Comm_set_attr(
        comm: RawHandle as comm, comm_keyval: c_int as keyval, attribute_val: *mut c_void as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_set_attr(to::comm(comm), to::keyval(comm_keyval), attribute_val)
    }
}

binding! {
    MPI_Keyval_create PMPI_Keyval_create(
        copy_fn: Function as address, delete_fn: Function as address, keyval: *mut c_int as address,
        extra_state: *mut c_void as address,
    )
    on Raise::Default =>
    {
        let mut keyval = Place::out(Out::new(keyval), 0);
        impls::comm_create_keyval(callback(copy_fn), callback(delete_fn), Out::new(keyval.pass()), extra_state)?;
        keyval.leave(from::keyval);
        Ok(())
    }
}

binding! {
    MPI_Keyval_free PMPI_Keyval_free(keyval: *mut c_int as address)
    on Raise::Default =>
    {
        let mut keyval = Place::read(InOut::new(keyval), 0, to::keyval);
        let outcome = impls::comm_free_keyval(InOut::new(keyval.pass()));
        keyval.leave(from::keyval);
        outcome
    }
}

binding! {
    MPI_Type_create_keyval PMPI_Type_create_keyval(
        type_copy_attr_fn: Function as address, type_delete_attr_fn: Function as address,
        type_keyval: *mut c_int as address, extra_state: *mut c_void as address,
    )
    on Raise::Default =>
    {
        let mut type_keyval = Place::out(Out::new(type_keyval), 0);
        impls::type_create_keyval(
            callback(type_copy_attr_fn), callback(type_delete_attr_fn), Out::new(type_keyval.pass()), extra_state,
        )?;
        type_keyval.leave(from::keyval);
        Ok(())
    }
}

binding! {
    MPI_Type_delete_attr PMPI_Type_delete_attr(datatype: RawHandle as datatype, type_keyval: c_int as keyval)
    on Raise::Default =>
    {
        impls::type_delete_attr(to::datatype(datatype), to::keyval(type_keyval))
    }
}

binding! {
    MPI_Type_free_keyval PMPI_Type_free_keyval(type_keyval: *mut c_int as address)
    on Raise::Default =>
    {
        let mut type_keyval = Place::read(InOut::new(type_keyval), 0, to::keyval);
        let outcome = impls::type_free_keyval(InOut::new(type_keyval.pass()));
        type_keyval.leave(from::keyval);
        outcome
    }
}

binding! {
    MPI_Type_get_attr PMPI_Type_get_attr(
        datatype: RawHandle as datatype, type_keyval: c_int as keyval, attribute_val: *mut c_void as address,
        flag: *mut c_int as address,
    )
    on Raise::Default =>
    {
        impls::type_get_attr(
            to::datatype(datatype), to::keyval(type_keyval), Out::new(attribute_val.cast()), Out::new(flag),
        )?;
        from::attribute_at(type_keyval, InOut::new(attribute_val.cast()), In::new(flag));
        Ok(())
    }
}

binding! {
    MPI_Type_set_attr PMPI_Type_set_attr(
        datatype: RawHandle as datatype, type_keyval: c_int as keyval, attribute_val: *mut c_void as address,
    )
    on Raise::Default =>
    {
        impls::type_set_attr(to::datatype(datatype), to::keyval(type_keyval), attribute_val)
    }
}

binding! {
    MPI_Win_create_keyval PMPI_Win_create_keyval(
        win_copy_attr_fn: Function as address, win_delete_attr_fn: Function as address,
        win_keyval: *mut c_int as address, extra_state: *mut c_void as address,
    )
    on Raise::Default =>
    {
        let mut win_keyval = Place::out(Out::new(win_keyval), 0);
        impls::win_create_keyval(
            callback(win_copy_attr_fn), callback(win_delete_attr_fn), Out::new(win_keyval.pass()), extra_state,
        )?;
        win_keyval.leave(from::keyval);
        Ok(())
    }
}

binding! {
    MPI_Win_delete_attr PMPI_Win_delete_attr(win: RawHandle as win, win_keyval: c_int as keyval)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_delete_attr(to::win(win), to::keyval(win_keyval))
    }
}

binding! {
    MPI_Win_free_keyval PMPI_Win_free_keyval(win_keyval: *mut c_int as address)
    on Raise::Default =>
    {
        let mut win_keyval = Place::read(InOut::new(win_keyval), 0, to::keyval);
        let outcome = impls::win_free_keyval(InOut::new(win_keyval.pass()));
        win_keyval.leave(from::keyval);
        outcome
    }
}

binding! {
    MPI_Win_get_attr PMPI_Win_get_attr(
        win: RawHandle as win, win_keyval: c_int as keyval, attribute_val: *mut c_void as address,
        flag: *mut c_int as address,
    )
    on Raise::Win(to::win(win)) =>
    {
        impls::win_get_attr(to::win(win), to::keyval(win_keyval), Out::new(attribute_val.cast()), Out::new(flag))?;
        from::attribute_at(win_keyval, InOut::new(attribute_val.cast()), In::new(flag));
        Ok(())
    }
}

binding! {
    MPI_Win_set_attr PMPI_Win_set_attr(
        win: RawHandle as win, win_keyval: c_int as keyval, attribute_val: *mut c_void as address,
    )
    on Raise::Win(to::win(win)) =>
    {
        impls::win_set_attr(to::win(win), to::keyval(win_keyval), attribute_val)
    }
}
