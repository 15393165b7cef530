//! Files: opening and closing, sizes, views, pointers, hints (MPI 5.0 §14.2, §14.3, §14.6).

use super::environment::{call_errhandler, get_errhandler};
use super::info::put_info;
use crate::errors::Raise;
use crate::params::{CountOut, InOut, Out, StringIn, StringOut, null};
use nemesis_mpi::abi;
use nemesis_mpi::callback::{Callback, Object};
use nemesis_mpi::engine::{Engine, Mpi, enter_and_progress};
use nemesis_mpi::enter;
use nemesis_mpi::errhandler;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::group;
use nemesis_mpi::handle::{Comm, Datatype, Errhandler, File, Group, Handle, Info};
use nemesis_mpi::info;
use nemesis_mpi::io::{self, Described, Files};
use std::ffi::{CStr, c_int, c_void};

/// Makes an outcome's error one of the file, or of `MPI_FILE_NULL` if the handle names no file
/// (MPI 5.0 §14.7).
pub(super) fn of_file<T>(fh: File, outcome: Outcome<T>) -> Outcome<T> {
    outcome.map_err(|error| {
        let is_dead = error.class == abi::MPI_ERR_FILE;
        error.on_file(if is_dead { File::NULL } else { fh })
    })
}

/// Enters MPI and calls `act`, whose errors belong to the file.
pub(super) fn with_file<T>(fh: File, act: impl FnOnce(&mut Mpi) -> Outcome<T>) -> Outcome<T> {
    of_file(fh, enter_and_progress().and_then(|mut mpi| act(&mut mpi)))
}

/// The name of a file.
fn path_of<'a>(filename: StringIn<'a>) -> Outcome<&'a CStr> {
    filename.as_c().ok_or_else(|| null("filename"))
}

pub fn file_open(
    comm: Comm,
    filename: StringIn<'_>,
    amode: c_int,
    info: Info,
    fh: Out<'_, File>,
) -> Outcome {
    let place = of_file(File::NULL, fh.require("fh"))?;
    let opened = with_file(File::NULL, |mpi| {
        io::open(mpi, comm, path_of(filename), amode, info::hints(info))
    });
    place.write(*opened.as_ref().unwrap_or(&File::NULL));
    opened.map(drop)
}

pub fn file_close(fh: InOut<'_, File>) -> Outcome {
    let fh = of_file(File::NULL, fh.require("fh"))?;
    let handle = fh.read();
    let closed = with_file(handle, |mpi| io::close(mpi, handle));
    let is_gone = enter().is_ok_and(|mpi| mpi.file(handle).is_err());
    if !is_gone {
        return closed;
    }
    fh.write(File::NULL);
    // The file's handler is gone, too.
    closed.map_err(|error| error.on_file(File::NULL))
}

pub fn file_delete(filename: StringIn<'_>, info: Info) -> Outcome {
    with_file(File::NULL, |mpi| {
        info::hints(info)?;
        io::delete(mpi, path_of(filename)?)
    })
}

pub fn file_set_size(fh: File, size: i64) -> Outcome {
    with_file(fh, |mpi| io::set_size(mpi, fh, size))
}

pub fn file_preallocate(fh: File, size: i64) -> Outcome {
    with_file(fh, |mpi| io::preallocate(mpi, fh, size))
}

/// Writes a number that a function computes.
fn put_number(
    fh: File,
    name: &'static str,
    place: Out<'_, i64>,
    number: impl FnOnce(&mut Mpi) -> Outcome<i64>,
) -> Outcome {
    with_file(fh, |mpi| {
        let place = place.require(name)?;
        place.write(number(mpi)?);
        Ok(())
    })
}

pub fn file_get_size(fh: File, size: Out<'_, i64>) -> Outcome {
    put_number(fh, "size", size, |mpi| io::get_size(mpi, fh))
}

pub fn file_get_group(fh: File, group: Out<'_, Group>) -> Outcome {
    with_file(fh, |mpi| {
        let members = mpi.file(fh)?.group.clone();
        let place = group.require("group")?;
        place.write(group::insert(members)?);
        Ok(())
    })
}

pub fn file_get_amode(fh: File, amode: Out<'_, c_int>) -> Outcome {
    with_file(fh, |mpi| amode.put("amode", mpi.file(fh)?.amode))
}

pub fn file_set_info(fh: File, info: Info) -> Outcome {
    with_file(fh, |mpi| io::set_info(mpi, fh, info::hints(info)))
}

pub fn file_get_info(fh: File, info_used: Out<'_, Info>) -> Outcome {
    with_file(fh, |mpi| put_info(info_used, "info_used", io::get_info(mpi, fh)?))
}

pub fn file_set_view(
    fh: File,
    disp: i64,
    etype: Datatype,
    filetype: Datatype,
    datarep: StringIn<'_>,
    info: Info,
) -> Outcome {
    with_file(fh, |mpi| {
        let name = datarep.require("datarep");
        let datarep = name.as_deref().map_err(Clone::clone);
        let described = Described { disp, etype, filetype, datarep };
        io::set_view(mpi, fh, described, info::hints(info))
    })
}

pub fn file_get_view(
    fh: File,
    disp: Out<'_, i64>,
    etype: Out<'_, Datatype>,
    filetype: Out<'_, Datatype>,
    datarep: StringOut<'_>,
) -> Outcome {
    with_file(fh, |mpi| {
        let (offset, elementary, tile, name) = io::get_view(mpi, fh)?;
        let (etype, filetype) = (etype.require("etype")?, filetype.require("filetype")?);
        disp.put("disp", offset)?;
        datarep.put("datarep", &name, abi::MPI_MAX_DATAREP_STRING as usize)?;
        etype.write(mpi.types.handle_of(&elementary)?);
        filetype.write(mpi.types.handle_of(&tile)?);
        Ok(())
    })
}

pub fn file_seek(fh: File, offset: i64, whence: c_int) -> Outcome {
    with_file(fh, |mpi| io::seek(mpi, fh, offset, whence))
}

pub fn file_seek_shared(fh: File, offset: i64, whence: c_int) -> Outcome {
    with_file(fh, |mpi| io::seek_shared(mpi, fh, offset, whence))
}

pub fn file_get_position(fh: File, offset: Out<'_, i64>) -> Outcome {
    put_number(fh, "offset", offset, |mpi| io::get_position(mpi, fh))
}

pub fn file_get_position_shared(fh: File, offset: Out<'_, i64>) -> Outcome {
    put_number(fh, "offset", offset, |mpi| io::get_position_shared(mpi, fh))
}

pub fn file_get_byte_offset(fh: File, offset: i64, disp: Out<'_, i64>) -> Outcome {
    put_number(fh, "disp", disp, |mpi| io::byte_offset(mpi, fh, offset))
}

pub fn file_get_type_extent(fh: File, datatype: Datatype, extent: CountOut<'_>) -> Outcome {
    with_file(fh, |mpi| extent.put("extent", io::type_extent(mpi, fh, datatype)?))
}

pub fn file_set_atomicity(fh: File, flag: c_int) -> Outcome {
    with_file(fh, |mpi| io::set_atomicity(mpi, fh, flag != 0))
}

pub fn file_get_atomicity(fh: File, flag: Out<'_, c_int>) -> Outcome {
    with_file(fh, |mpi| flag.put("flag", c_int::from(io::get_atomicity(mpi, fh)?)))
}

pub fn file_sync(fh: File) -> Outcome {
    with_file(fh, |mpi| io::sync(mpi, fh))
}

pub fn register_datarep(
    datarep: StringIn<'_>,
    read_conversion_fn: Callback,
    write_conversion_fn: Callback,
    dtype_file_extent_fn: Callback,
    extra_state: *mut c_void,
) -> Outcome {
    let functions = (read_conversion_fn, write_conversion_fn, dtype_file_extent_fn);
    let extra = extra_state as usize;
    of_file(
        File::NULL,
        datarep.require("datarep").and_then(|name| io::register(&name, functions, extra)),
    )
}

/// Checks a file handle. `MPI_FILE_NULL` has the error handler of new files.
fn known_file(engine: &Engine, file: File) -> Outcome {
    if file.is_null() { Ok(()) } else { engine.file(file).map(drop) }
}

/// Calls `act` with the file as an object that has an error handler. Works at any time for
/// `MPI_FILE_NULL`.
fn with_handler(file: File, act: impl FnOnce(Object) -> Outcome) -> Outcome {
    let known = nemesis_mpi::enter_any().and_then(|mpi| known_file(&mpi, file));
    of_file(file, known.and_then(|()| act(Object::File(file))))
}

pub fn file_set_errhandler(file: File, errhandler: Errhandler) -> Outcome {
    with_handler(file, |object| errhandler::attach(object, errhandler))
}

pub fn file_get_errhandler(file: File, errhandler: Out<'_, Errhandler>) -> Outcome {
    with_handler(file, |object| get_errhandler(object, errhandler))
}

pub fn file_call_errhandler(fh: File, errorcode: c_int) -> Outcome {
    with_handler(fh, |_| call_errhandler(Raise::File(fh), errorcode))
}
