// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: attr.

use crate::prelude::*;

binding! {
    MPI_Attr_delete PMPI_Attr_delete(comm: Comm as comm, keyval: c_int as keyval)
    on Raise::Comm(comm) =>
    {
        impls::comm_delete_attr(comm, keyval)
    }
}

binding! {
    MPI_Attr_get PMPI_Attr_get(
        comm: Comm as comm, keyval: c_int as keyval, attribute_val: *mut c_void as address,
        flag: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_get_attr(comm, keyval, Out::new(attribute_val.cast()), Out::new(flag))
    }
}

binding! {
    MPI_Attr_put PMPI_Attr_put(comm: Comm as comm, keyval: c_int as keyval, attribute_val: *mut c_void as address)
    on Raise::Comm(comm) =>
    {
        impls::comm_set_attr(comm, keyval, attribute_val)
    }
}

binding! {
    MPI_Comm_create_keyval PMPI_Comm_create_keyval(
        comm_copy_attr_fn: Function as address, comm_delete_attr_fn: Function as address,
        comm_keyval: *mut c_int as address, extra_state: *mut c_void as address,
    )
    on Raise::Default =>
    {
        impls::comm_create_keyval(
            callback(comm_copy_attr_fn), callback(comm_delete_attr_fn), Out::new(comm_keyval), extra_state,
        )
    }
}

binding! {
    MPI_Comm_delete_attr PMPI_Comm_delete_attr(comm: Comm as comm, comm_keyval: c_int as keyval)
    on Raise::Comm(comm) =>
    {
        impls::comm_delete_attr(comm, comm_keyval)
    }
}

binding! {
    MPI_Comm_free_keyval PMPI_Comm_free_keyval(comm_keyval: *mut c_int as address)
    on Raise::Default =>
    {
        impls::comm_free_keyval(InOut::new(comm_keyval))
    }
}

binding! {
    MPI_Comm_get_attr PMPI_Comm_get_attr(
        comm: Comm as comm, comm_keyval: c_int as keyval, attribute_val: *mut c_void as address,
        flag: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_get_attr(comm, comm_keyval, Out::new(attribute_val.cast()), Out::new(flag))
    }
}

binding! {
    MPI_Comm_set_attr PMPI_Comm_set_attr(
        comm: Comm as comm, comm_keyval: c_int as keyval, attribute_val: *mut c_void as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_set_attr(comm, comm_keyval, attribute_val)
    }
}

binding! {
    MPI_Keyval_create PMPI_Keyval_create(
        copy_fn: Function as address, delete_fn: Function as address, keyval: *mut c_int as address,
        extra_state: *mut c_void as address,
    )
    on Raise::Default =>
    {
        impls::comm_create_keyval(callback(copy_fn), callback(delete_fn), Out::new(keyval), extra_state)
    }
}

binding! {
    MPI_Keyval_free PMPI_Keyval_free(keyval: *mut c_int as address)
    on Raise::Default =>
    {
        impls::comm_free_keyval(InOut::new(keyval))
    }
}

binding! {
    MPI_Type_create_keyval PMPI_Type_create_keyval(
        type_copy_attr_fn: Function as address, type_delete_attr_fn: Function as address,
        type_keyval: *mut c_int as address, extra_state: *mut c_void as address,
    )
    on Raise::Default =>
    {
        impls::type_create_keyval(
            callback(type_copy_attr_fn), callback(type_delete_attr_fn), Out::new(type_keyval), extra_state,
        )
    }
}

binding! {
    MPI_Type_delete_attr PMPI_Type_delete_attr(datatype: Datatype as datatype, type_keyval: c_int as keyval)
    on Raise::Default =>
    {
        impls::type_delete_attr(datatype, type_keyval)
    }
}

binding! {
    MPI_Type_free_keyval PMPI_Type_free_keyval(type_keyval: *mut c_int as address)
    on Raise::Default =>
    {
        impls::type_free_keyval(InOut::new(type_keyval))
    }
}

binding! {
    MPI_Type_get_attr PMPI_Type_get_attr(
        datatype: Datatype as datatype, type_keyval: c_int as keyval, attribute_val: *mut c_void as address,
        flag: *mut c_int as address,
    )
    on Raise::Default =>
    {
        impls::type_get_attr(datatype, type_keyval, Out::new(attribute_val.cast()), Out::new(flag))
    }
}

binding! {
    MPI_Type_set_attr PMPI_Type_set_attr(
        datatype: Datatype as datatype, type_keyval: c_int as keyval, attribute_val: *mut c_void as address,
    )
    on Raise::Default =>
    {
        impls::type_set_attr(datatype, type_keyval, attribute_val)
    }
}

binding! {
    MPI_Win_create_keyval PMPI_Win_create_keyval(
        win_copy_attr_fn: Function as address, win_delete_attr_fn: Function as address,
        win_keyval: *mut c_int as address, extra_state: *mut c_void as address,
    )
    on Raise::Default =>
    {
        impls::win_create_keyval(
            callback(win_copy_attr_fn), callback(win_delete_attr_fn), Out::new(win_keyval), extra_state,
        )
    }
}

binding! {
    MPI_Win_delete_attr PMPI_Win_delete_attr(win: Win as win, win_keyval: c_int as keyval)
    on Raise::Win(win) =>
    {
        impls::win_delete_attr(win, win_keyval)
    }
}

binding! {
    MPI_Win_free_keyval PMPI_Win_free_keyval(win_keyval: *mut c_int as address)
    on Raise::Default =>
    {
        impls::win_free_keyval(InOut::new(win_keyval))
    }
}

binding! {
    MPI_Win_get_attr PMPI_Win_get_attr(
        win: Win as win, win_keyval: c_int as keyval, attribute_val: *mut c_void as address,
        flag: *mut c_int as address,
    )
    on Raise::Win(win) =>
    {
        impls::win_get_attr(win, win_keyval, Out::new(attribute_val.cast()), Out::new(flag))
    }
}

binding! {
    MPI_Win_set_attr PMPI_Win_set_attr(
        win: Win as win, win_keyval: c_int as keyval, attribute_val: *mut c_void as address,
    )
    on Raise::Win(win) =>
    {
        impls::win_set_attr(win, win_keyval, attribute_val)
    }
}
