// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: info.

use crate::prelude::*;

binding! {
    MPI_Info_create PMPI_Info_create(info: *mut Info as out_info)
    on Raise::Default =>
    {
        impls::info_create(Out::new(info))
    }
}

binding! {
    MPI_Info_create_env PMPI_Info_create_env(
        argc: c_int as int, argv: *mut *mut c_char as address, info: *mut Info as out_info,
    )
    on Raise::Default =>
    {
        impls::info_create_env(argc, StringsIn::new(argv, argc as i64), Out::new(info))
    }
}

binding! {
    MPI_Info_delete PMPI_Info_delete(info: Info as info, key: *const c_char as string)
    on Raise::Default =>
    {
        impls::info_delete(info, StringIn::new(key))
    }
}

binding! {
    MPI_Info_dup PMPI_Info_dup(info: Info as info, newinfo: *mut Info as out_info)
    on Raise::Default =>
    {
        impls::info_dup(info, Out::new(newinfo))
    }
}

binding! {
    MPI_Info_free PMPI_Info_free(info: *mut Info as address)
    on Raise::Default =>
    {
        impls::info_free(InOut::new(info))
    }
}

binding! {
    MPI_Info_get PMPI_Info_get(
        info: Info as info, key: *const c_char as string, valuelen: c_int as int, value: *mut c_char as address,
        flag: *mut c_int as address,
    )
    on Raise::Default =>
    {
        impls::info_get(
            info, StringIn::new(key), valuelen, StringOut::from(OutSlice::new(value, valuelen as i64 + 1)),
            Out::new(flag),
        )
    }
}

binding! {
    MPI_Info_get_nkeys PMPI_Info_get_nkeys(info: Info as info, nkeys: *mut c_int as address)
    on Raise::Default =>
    {
        impls::info_get_nkeys(info, Out::new(nkeys))
    }
}

binding! {
    MPI_Info_get_nthkey PMPI_Info_get_nthkey(info: Info as info, n: c_int as int, key: *mut c_char as address)
    on Raise::Default =>
    {
        impls::info_get_nthkey(info, n, StringOut::from(OutSlice::new(key, 256)))
    }
}

binding! {
    MPI_Info_get_string PMPI_Info_get_string(
        info: Info as info, key: *const c_char as string, buflen: *mut c_int as address,
        value: *mut c_char as address, flag: *mut c_int as address,
    )
    on Raise::Default =>
    {
        impls::info_get_string(
            info, StringIn::new(key), InOut::new(buflen),
            StringOut::from(OutSlice::new(value, number_at(In::new(buflen)))), Out::new(flag),
        )
    }
}

binding! {
    MPI_Info_get_valuelen PMPI_Info_get_valuelen(
        info: Info as info, key: *const c_char as string, valuelen: *mut c_int as address,
        flag: *mut c_int as address,
    )
    on Raise::Default =>
    {
        impls::info_get_valuelen(info, StringIn::new(key), Out::new(valuelen), Out::new(flag))
    }
}

binding! {
    MPI_Info_set PMPI_Info_set(info: Info as info, key: *const c_char as string, value: *const c_char as string)
    on Raise::Default =>
    {
        impls::info_set(info, StringIn::new(key), StringIn::new(value))
    }
}
