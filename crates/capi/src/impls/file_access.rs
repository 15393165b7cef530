//! Reading and writing files (MPI 5.0 §14.4).
//!
//! All functions pass a [`Given`] to `nemesis_mpi::io`. An invalid buffer is part of it, because a
//! collective call must tell the other ranks of the error.

use super::arguments::{hand_out, report};
use super::file::{of_file, with_file};
use crate::params::{Out, StatusOut, UserBuffer};
use crate::staging;
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::{Datatype, File, Request};
use nemesis_mpi::io::{self, Direction, Given, Pointer};
use nemesis_mpi::request::Completion;

/// A choice buffer with count and datatype.
type Data = (UserBuffer, i64, Datatype);

/// The function of MPI, what it does, and where.
type How = (&'static str, Direction, Pointer);

/// What a call is given. Memory of a device in the first attempt of a call is an error of this
/// process alone, which makes the call again.
fn given(mpi: &Mpi, (call, direction, pointer): How, data: Data) -> Outcome<Given> {
    match data.0.message(mpi, data.1, data.2) {
        Err(error) if staging::is_retry(&error) => Err(error),
        buffer => Ok(Given { call, direction, pointer, buffer }),
    }
}

/// Performs a blocking call and writes its status.
fn blocking(
    fh: File,
    access: fn(&mut Mpi, File, Given) -> Outcome<u64>,
    how: How,
    data: Data,
    status: StatusOut<'_>,
) -> Outcome {
    let bytes = with_file(fh, |mpi| {
        let given = given(mpi, how, data)?;
        access(mpi, fh, given)
    })?;
    report(status, &Completion { bytes, ..Completion::EMPTY });
    Ok(())
}

/// Starts a non-blocking call and writes its request.
fn nonblocking(
    fh: File,
    start: fn(&mut Mpi, File, Given) -> Outcome<Request>,
    how: How,
    data: Data,
    request: Out<'_, Request>,
) -> Outcome {
    let place = of_file(fh, request.require("request"))?;
    with_file(fh, |mpi| {
        let given = given(mpi, how, data)?;
        let started = start(mpi, fh, given)?;
        hand_out(mpi, place, started)
    })
}

/// Begins a split collective call.
fn begin(fh: File, how: How, data: Data) -> Outcome {
    with_file(fh, |mpi| {
        let given = given(mpi, how, data)?;
        io::begin_split(mpi, fh, given, data.0.address(), staging::take())
    })
}

/// Ends the split collective call that the function `name` has begun, and writes its status.
fn end(fh: File, buf: UserBuffer, status: StatusOut<'_>, name: &'static str) -> Outcome {
    let bytes = with_file(fh, |mpi| io::end_split(mpi, fh, (name, buf.address())))?;
    report(status, &Completion { bytes, ..Completion::EMPTY });
    Ok(())
}

/// Makes the functions of a direction: with an explicit offset, or at a pointer.
macro_rules! accesses {
    ($($kind:ident $name:ident($direction:ident $($pointer:ident)?) = $call:literal $($by:path)?;)*)
    => {
        $(accesses!(@$kind $name($direction $($pointer)?) = $call $($by)?);)*
    };
    (@blocking $name:ident($direction:ident) = $call:literal $by:path) => {
        pub fn $name(
            fh: File,
            offset: i64,
            buf: UserBuffer,
            count: i64,
            datatype: Datatype,
            status: StatusOut<'_>,
        ) -> Outcome {
            let how = ($call, Direction::$direction, Pointer::At(offset));
            blocking(fh, $by, how, (buf, count, datatype), status)
        }
    };
    (@blocking $name:ident($direction:ident $pointer:ident) = $call:literal $by:path) => {
        pub fn $name(
            fh: File,
            buf: UserBuffer,
            count: i64,
            datatype: Datatype,
            status: StatusOut<'_>,
        ) -> Outcome {
            let how = ($call, Direction::$direction, Pointer::$pointer);
            blocking(fh, $by, how, (buf, count, datatype), status)
        }
    };
    (@nonblocking $name:ident($direction:ident) = $call:literal $by:path) => {
        pub fn $name(
            fh: File,
            offset: i64,
            buf: UserBuffer,
            count: i64,
            datatype: Datatype,
            request: Out<'_, Request>,
        ) -> Outcome {
            let how = ($call, Direction::$direction, Pointer::At(offset));
            nonblocking(fh, $by, how, (buf, count, datatype), request)
        }
    };
    (@nonblocking $name:ident($direction:ident $pointer:ident) = $call:literal $by:path) => {
        pub fn $name(
            fh: File,
            buf: UserBuffer,
            count: i64,
            datatype: Datatype,
            request: Out<'_, Request>,
        ) -> Outcome {
            let how = ($call, Direction::$direction, Pointer::$pointer);
            nonblocking(fh, $by, how, (buf, count, datatype), request)
        }
    };
    (@begin $name:ident($direction:ident) = $call:literal) => {
        pub fn $name(
            fh: File,
            offset: i64,
            buf: UserBuffer,
            count: i64,
            datatype: Datatype,
        ) -> Outcome {
            let how = ($call, Direction::$direction, Pointer::At(offset));
            begin(fh, how, (buf, count, datatype))
        }
    };
    (@begin $name:ident($direction:ident $pointer:ident) = $call:literal) => {
        pub fn $name(fh: File, buf: UserBuffer, count: i64, datatype: Datatype) -> Outcome {
            let how = ($call, Direction::$direction, Pointer::$pointer);
            begin(fh, how, (buf, count, datatype))
        }
    };
    (@end $name:ident($direction:ident) = $call:literal) => {
        pub fn $name(fh: File, buf: UserBuffer, status: StatusOut<'_>) -> Outcome {
            end(fh, buf, status, $call)
        }
    };
}

accesses! {
    blocking file_read_at(Read) = "MPI_File_read_at" io::independent;
    blocking file_write_at(Write) = "MPI_File_write_at" io::independent;
    blocking file_read(Read Individual) = "MPI_File_read" io::independent;
    blocking file_write(Write Individual) = "MPI_File_write" io::independent;
    blocking file_read_shared(Read Shared) = "MPI_File_read_shared" io::independent;
    blocking file_write_shared(Write Shared) = "MPI_File_write_shared" io::independent;
    blocking file_read_at_all(Read) = "MPI_File_read_at_all" io::collective;
    blocking file_write_at_all(Write) = "MPI_File_write_at_all" io::collective;
    blocking file_read_all(Read Individual) = "MPI_File_read_all" io::collective;
    blocking file_write_all(Write Individual) = "MPI_File_write_all" io::collective;
    blocking file_read_ordered(Read Shared) = "MPI_File_read_ordered" io::collective;
    blocking file_write_ordered(Write Shared) = "MPI_File_write_ordered" io::collective;
    nonblocking file_iread_at(Read) = "MPI_File_iread_at" io::start_independent;
    nonblocking file_iwrite_at(Write) = "MPI_File_iwrite_at" io::start_independent;
    nonblocking file_iread(Read Individual) = "MPI_File_iread" io::start_independent;
    nonblocking file_iwrite(Write Individual) = "MPI_File_iwrite" io::start_independent;
    nonblocking file_iread_shared(Read Shared) = "MPI_File_iread_shared" io::start_independent;
    nonblocking file_iwrite_shared(Write Shared) = "MPI_File_iwrite_shared" io::start_independent;
    nonblocking file_iread_at_all(Read) = "MPI_File_iread_at_all" io::start_collective;
    nonblocking file_iwrite_at_all(Write) = "MPI_File_iwrite_at_all" io::start_collective;
    nonblocking file_iread_all(Read Individual) = "MPI_File_iread_all" io::start_collective;
    nonblocking file_iwrite_all(Write Individual) = "MPI_File_iwrite_all" io::start_collective;
    begin file_read_at_all_begin(Read) = "MPI_File_read_at_all_begin";
    begin file_write_at_all_begin(Write) = "MPI_File_write_at_all_begin";
    begin file_read_all_begin(Read Individual) = "MPI_File_read_all_begin";
    begin file_write_all_begin(Write Individual) = "MPI_File_write_all_begin";
    begin file_read_ordered_begin(Read Shared) = "MPI_File_read_ordered_begin";
    begin file_write_ordered_begin(Write Shared) = "MPI_File_write_ordered_begin";
    end file_read_at_all_end(Read) = "MPI_File_read_at_all_begin";
    end file_write_at_all_end(Write) = "MPI_File_write_at_all_begin";
    end file_read_all_end(Read) = "MPI_File_read_all_begin";
    end file_write_all_end(Write) = "MPI_File_write_all_begin";
    end file_read_ordered_end(Read) = "MPI_File_read_ordered_begin";
    end file_write_ordered_end(Write) = "MPI_File_write_ordered_begin";
}
