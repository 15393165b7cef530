// generated from api/ by cargo xtask generate; do not edit
//! The bindings of MPICH's ABI: io.

use crate::prelude::*;

binding! {
    MPI_File_close PMPI_File_close(fh: *mut FilePointer as address)
    on Raise::File(to::file(at(In::new(fh)))) =>
    {
        let mut fh = Place::read(InOut::new(fh), File::NULL, to::file);
        let outcome = impls::file_close(InOut::new(fh.pass()));
        fh.leave(from::file);
        outcome
    }
}

binding! {
    MPI_File_delete PMPI_File_delete(filename: *const c_char as string, info: c_int as info)
    on Raise::File(File::NULL) =>
    {
        impls::file_delete(StringIn::new(filename), to::info(info))
    }
}

binding! {
    MPI_File_get_amode PMPI_File_get_amode(fh: FilePointer as file, amode: *mut c_int as address)
    on Raise::File(to::file(fh)) =>
    {
        let mut amode = Place::out(Out::new(amode), 0);
        impls::file_get_amode(to::file(fh), Out::new(amode.pass()))?;
        amode.leave(from::mode);
        Ok(())
    }
}

binding! {
    MPI_File_get_atomicity PMPI_File_get_atomicity(fh: FilePointer as file, flag: *mut c_int as address)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_get_atomicity(to::file(fh), Out::new(flag))
    }
}

binding! {
    MPI_File_get_byte_offset PMPI_File_get_byte_offset(
        fh: FilePointer as file, offset: i64 as int, disp: *mut i64 as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_get_byte_offset(to::file(fh), offset, Out::new(disp))
    }
}

binding! {
    MPI_File_get_group PMPI_File_get_group(fh: FilePointer as file, group: *mut c_int as address)
    on Raise::File(to::file(fh)) =>
    {
        let mut group = Place::out(Out::new(group), Group::NULL);
        impls::file_get_group(to::file(fh), Out::new(group.pass()))?;
        group.leave(from::group);
        Ok(())
    }
}

binding! {
    MPI_File_get_info PMPI_File_get_info(fh: FilePointer as file, info_used: *mut c_int as address)
    on Raise::File(to::file(fh)) =>
    {
        let mut info_used = Place::out(Out::new(info_used), Info::NULL);
        impls::file_get_info(to::file(fh), Out::new(info_used.pass()))?;
        info_used.leave(from::info);
        Ok(())
    }
}

binding! {
    MPI_File_get_position PMPI_File_get_position(fh: FilePointer as file, offset: *mut i64 as address)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_get_position(to::file(fh), Out::new(offset))
    }
}

binding! {
    MPI_File_get_position_shared PMPI_File_get_position_shared(fh: FilePointer as file, offset: *mut i64 as address)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_get_position_shared(to::file(fh), Out::new(offset))
    }
}

binding! {
    MPI_File_get_size PMPI_File_get_size(fh: FilePointer as file, size: *mut i64 as address)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_get_size(to::file(fh), Out::new(size))
    }
}

binding! {
    MPI_File_get_type_extent PMPI_File_get_type_extent(
        fh: FilePointer as file, datatype: c_int as datatype, extent: *mut isize as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_get_type_extent(
            to::file(fh), to::datatype(datatype), CountOut::Long(Out::new(extent.cast::<i64>())),
        )
    }
}

binding! {
    MPI_File_get_type_extent_c PMPI_File_get_type_extent_c(
        fh: FilePointer as file, datatype: c_int as datatype, extent: *mut i64 as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_get_type_extent(to::file(fh), to::datatype(datatype), CountOut::Long(Out::new(extent)))
    }
}

binding! {
    MPI_File_get_view PMPI_File_get_view(
        fh: FilePointer as file, disp: *mut i64 as address, etype: *mut c_int as address,
        filetype: *mut c_int as address, datarep: *mut c_char as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut etype = Place::out(Out::new(etype), Datatype::NULL);
        let mut filetype = Place::out(Out::new(filetype), Datatype::NULL);
        impls::file_get_view(
            to::file(fh), Out::new(disp), Out::new(etype.pass()), Out::new(filetype.pass()),
            StringOut::from(OutSlice::new(datarep, 128)),
        )?;
        etype.leave(from::datatype);
        filetype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_File_iread PMPI_File_iread(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_all PMPI_File_iread_all(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread_all(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_all_c PMPI_File_iread_all_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread_all(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_at PMPI_File_iread_at(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread_at(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_at_all PMPI_File_iread_at_all(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread_at_all(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_at_all_c PMPI_File_iread_at_all_c(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread_at_all(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_at_c PMPI_File_iread_at_c(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread_at(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_c PMPI_File_iread_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_shared PMPI_File_iread_shared(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread_shared(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_shared_c PMPI_File_iread_shared_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread_shared(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite PMPI_File_iwrite(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_all PMPI_File_iwrite_all(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite_all(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_all_c PMPI_File_iwrite_all_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite_all(
            to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_at PMPI_File_iwrite_at(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite_at(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_at_all PMPI_File_iwrite_at_all(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite_at_all(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_at_all_c PMPI_File_iwrite_at_all_c(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite_at_all(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_at_c PMPI_File_iwrite_at_c(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite_at(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_c PMPI_File_iwrite_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite(
            to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_shared PMPI_File_iwrite_shared(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite_shared(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_shared_c PMPI_File_iwrite_shared_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite_shared(
            to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_open PMPI_File_open(
        comm: c_int as comm, filename: *const c_char as string, amode: c_int as int, info: c_int as info,
        fh: *mut FilePointer as address,
    )
    on Raise::File(File::NULL) =>
    {
        let mut fh = Place::out(Out::new(fh), File::NULL);
        let outcome = impls::file_open(to::comm(comm), StringIn::new(filename), to::mode(amode), to::info(info), Out::new(fh.pass()));
        fh.leave(from::file);
        outcome
    }
}

binding! {
    MPI_File_preallocate PMPI_File_preallocate(fh: FilePointer as file, size: i64 as int)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_preallocate(to::file(fh), size)
    }
}

binding! {
    MPI_File_read PMPI_File_read(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_read(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_all PMPI_File_read_all(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_read_all(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_all_begin PMPI_File_read_all_begin(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_read_all_begin(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_read_all_begin_c PMPI_File_read_all_begin_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_read_all_begin(to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype))
    }
}

binding! {
    MPI_File_read_all_c PMPI_File_read_all_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_read_all(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_all_end PMPI_File_read_all_end(
        fh: FilePointer as file, buf: *mut c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_read_all_end(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_at PMPI_File_read_at(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_read_at(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_at_all PMPI_File_read_at_all(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_read_at_all(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_at_all_begin PMPI_File_read_at_all_begin(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_read_at_all_begin(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_read_at_all_begin_c PMPI_File_read_at_all_begin_c(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_read_at_all_begin(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_read_at_all_c PMPI_File_read_at_all_c(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_read_at_all(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_at_all_end PMPI_File_read_at_all_end(
        fh: FilePointer as file, buf: *mut c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_read_at_all_end(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_at_c PMPI_File_read_at_c(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_read_at(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_c PMPI_File_read_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_read(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_ordered PMPI_File_read_ordered(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_read_ordered(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_ordered_begin PMPI_File_read_ordered_begin(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_read_ordered_begin(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_read_ordered_begin_c PMPI_File_read_ordered_begin_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_read_ordered_begin(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_read_ordered_c PMPI_File_read_ordered_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_read_ordered(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_ordered_end PMPI_File_read_ordered_end(
        fh: FilePointer as file, buf: *mut c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_read_ordered_end(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_shared PMPI_File_read_shared(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_read_shared(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_shared_c PMPI_File_read_shared_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_read_shared(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_seek PMPI_File_seek(fh: FilePointer as file, offset: i64 as int, whence: c_int as int)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_seek(to::file(fh), offset, to::whence(whence))
    }
}

binding! {
    MPI_File_seek_shared PMPI_File_seek_shared(fh: FilePointer as file, offset: i64 as int, whence: c_int as int)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_seek_shared(to::file(fh), offset, to::whence(whence))
    }
}

binding! {
    MPI_File_set_atomicity PMPI_File_set_atomicity(fh: FilePointer as file, flag: c_int as int)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_set_atomicity(to::file(fh), flag)
    }
}

binding! {
    MPI_File_set_info PMPI_File_set_info(fh: FilePointer as file, info: c_int as info)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_set_info(to::file(fh), to::info(info))
    }
}

binding! {
    MPI_File_set_size PMPI_File_set_size(fh: FilePointer as file, size: i64 as int)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_set_size(to::file(fh), size)
    }
}

binding! {
    MPI_File_set_view PMPI_File_set_view(
        fh: FilePointer as file, disp: i64 as int, etype: c_int as datatype, filetype: c_int as datatype,
        datarep: *const c_char as string, info: c_int as info,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_set_view(
            to::file(fh), to::displacement(disp), to::datatype(etype), to::datatype(filetype), StringIn::new(datarep),
            to::info(info),
        )
    }
}

binding! {
    MPI_File_sync PMPI_File_sync(fh: FilePointer as file)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_sync(to::file(fh))
    }
}

binding! {
    MPI_File_write PMPI_File_write(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_write(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_all PMPI_File_write_all(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_write_all(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_all_begin PMPI_File_write_all_begin(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_write_all_begin(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_write_all_begin_c PMPI_File_write_all_begin_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_write_all_begin(to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype))
    }
}

binding! {
    MPI_File_write_all_c PMPI_File_write_all_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_write_all(
            to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_all_end PMPI_File_write_all_end(
        fh: FilePointer as file, buf: *const c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_write_all_end(
            to::file(fh), UserBuffer::new(to::buffer(buf)), StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_at PMPI_File_write_at(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_write_at(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_at_all PMPI_File_write_at_all(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_write_at_all(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_at_all_begin PMPI_File_write_at_all_begin(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_write_at_all_begin(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_write_at_all_begin_c PMPI_File_write_at_all_begin_c(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_write_at_all_begin(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_write_at_all_c PMPI_File_write_at_all_c(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_write_at_all(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_at_all_end PMPI_File_write_at_all_end(
        fh: FilePointer as file, buf: *const c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_write_at_all_end(
            to::file(fh), UserBuffer::new(to::buffer(buf)), StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_at_c PMPI_File_write_at_c(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_write_at(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_c PMPI_File_write_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_write(
            to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_ordered PMPI_File_write_ordered(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_write_ordered(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_ordered_begin PMPI_File_write_ordered_begin(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_write_ordered_begin(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_write_ordered_begin_c PMPI_File_write_ordered_begin_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_write_ordered_begin(to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype))
    }
}

binding! {
    MPI_File_write_ordered_c PMPI_File_write_ordered_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_write_ordered(
            to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_ordered_end PMPI_File_write_ordered_end(
        fh: FilePointer as file, buf: *const c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_write_ordered_end(
            to::file(fh), UserBuffer::new(to::buffer(buf)), StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_shared PMPI_File_write_shared(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_write_shared(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_shared_c PMPI_File_write_shared_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = Statuses::out(OutSlice::new(status, 1));
        let outcome = impls::file_write_shared(
            to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_Register_datarep PMPI_Register_datarep(
        datarep: *const c_char as string, read_conversion_fn: Function as address,
        write_conversion_fn: Function as address, dtype_file_extent_fn: Function as address,
        extra_state: *mut c_void as address,
    )
    on Raise::Default =>
    {
        impls::register_datarep(
            StringIn::new(datarep), callback(read_conversion_fn), callback(write_conversion_fn),
            callback(dtype_file_extent_fn), extra_state,
        )
    }
}

binding! {
    MPI_Register_datarep_c PMPI_Register_datarep_c(
        datarep: *const c_char as string, read_conversion_fn: Function as address,
        write_conversion_fn: Function as address, dtype_file_extent_fn: Function as address,
        extra_state: *mut c_void as address,
    )
    on Raise::Default =>
    {
        impls::register_datarep(
            StringIn::new(datarep), long_callback(read_conversion_fn), long_callback(write_conversion_fn),
            callback(dtype_file_extent_fn), extra_state,
        )
    }
}
