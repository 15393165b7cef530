// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: info.

use crate::prelude::*;

binding! {
    MPI_Info_create PMPI_Info_create(info: *mut RawHandle as out_info)
    on Raise::Default =>
    {
        let mut info = Place::out(Out::new(info), Info::NULL);
        impls::info_create(Out::new(info.pass()))?;
        info.leave(from::info);
        Ok(())
    }
}

binding! {
    MPI_Info_create_env PMPI_Info_create_env(
        argc: c_int as int, argv: *mut *mut c_char as address, info: *mut RawHandle as out_info,
    )
    on Raise::Default =>
    {
        let mut info = Place::out(Out::new(info), Info::NULL);
        impls::info_create_env(argc, StringsIn::new(argv, argc as i64), Out::new(info.pass()))?;
        info.leave(from::info);
        Ok(())
    }
}

binding! {
    MPI_Info_delete PMPI_Info_delete(info: RawHandle as info, key: *const c_char as string)
    on Raise::Default =>
    {
        impls::info_delete(to::info(info), StringIn::new(key))
    }
}

binding! {
    MPI_Info_dup PMPI_Info_dup(info: RawHandle as info, newinfo: *mut RawHandle as out_info)
    on Raise::Default =>
    {
        let mut newinfo = Place::out(Out::new(newinfo), Info::NULL);
        impls::info_dup(to::info(info), Out::new(newinfo.pass()))?;
        newinfo.leave(from::info);
        Ok(())
    }
}

binding! {
    MPI_Info_free PMPI_Info_free(info: *mut RawHandle as address)
    on Raise::Default =>
    {
        let mut info = Place::read(InOut::new(info), Info::NULL, to::info);
        let outcome = impls::info_free(InOut::new(info.pass()));
        info.leave(from::info);
        outcome
    }
}

binding! {
    MPI_Info_get PMPI_Info_get(
        info: RawHandle as info, key: *const c_char as string, valuelen: c_int as int, value: *mut c_char as address,
        flag: *mut c_int as address,
    )
    on Raise::Default =>
    {
        impls::info_get(
            to::info(info), StringIn::new(key), valuelen, StringOut::from(OutSlice::new(value, valuelen as i64 + 1)),
            Out::new(flag),
        )
    }
}

binding! {
    MPI_Info_get_nkeys PMPI_Info_get_nkeys(info: RawHandle as info, nkeys: *mut c_int as address)
    on Raise::Default =>
    {
        impls::info_get_nkeys(to::info(info), Out::new(nkeys))
    }
}

binding! {
    MPI_Info_get_nthkey PMPI_Info_get_nthkey(info: RawHandle as info, n: c_int as int, key: *mut c_char as address)
    on Raise::Default =>
    {
        impls::info_get_nthkey(to::info(info), n, StringOut::from(OutSlice::new(key, 36)))
    }
}

binding! {
    MPI_Info_get_string PMPI_Info_get_string(
        info: RawHandle as info, key: *const c_char as string, buflen: *mut c_int as address,
        value: *mut c_char as address, flag: *mut c_int as address,
    )
    on Raise::Default =>
    {
        impls::info_get_string(
            to::info(info), StringIn::new(key), InOut::new(buflen),
            StringOut::from(OutSlice::new(value, number_at(In::new(buflen)))), Out::new(flag),
        )
    }
}

binding! {
    MPI_Info_get_valuelen PMPI_Info_get_valuelen(
        info: RawHandle as info, key: *const c_char as string, valuelen: *mut c_int as address,
        flag: *mut c_int as address,
    )
    on Raise::Default =>
    {
        impls::info_get_valuelen(to::info(info), StringIn::new(key), Out::new(valuelen), Out::new(flag))
    }
}

binding! {
    MPI_Info_set PMPI_Info_set(info: RawHandle as info, key: *const c_char as string, value: *const c_char as string)
    on Raise::Default =>
    {
        impls::info_set(to::info(info), StringIn::new(key), StringIn::new(value))
    }
}
