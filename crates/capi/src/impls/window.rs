//! Windows: their creation, their memory, their end (MPI 5.0 §12.2).

use super::memory;
use crate::params::{CountOut, InOut, Out, OutRef, UserBuffer};
use crate::staging;
use nemesis_mpi::abi;
use nemesis_mpi::attr;
use nemesis_mpi::callback::Object;
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Handle, Info, Win};
use nemesis_mpi::info;
use nemesis_mpi::rma::{self, Offered, Shape, Windows};
use std::ffi::{c_int, c_void};

/// Checks memory that the program gives to a window, and returns its length.
fn bytes_at(base: UserBuffer, size: isize) -> Outcome<usize> {
    let bytes = usize::try_from(size).map_err(|_| {
        Error::new(abi::MPI_ERR_SIZE, format!("size is {size}, it must not be negative"))
    })?;
    if base.is_null() && bytes > 0 {
        return Err(Error::new(
            abi::MPI_ERR_BASE,
            format!("base is a null pointer, and size is {size}"),
        ));
    }
    if base.address().checked_add(bytes).is_none() {
        return Err(Error::new(
            abi::MPI_ERR_SIZE,
            format!("{size} bytes at {:p} go beyond the end of all addresses", base.as_ptr()),
        ));
    }
    Ok(bytes)
}

/// Memory that the program gives to a window.
fn offered(mpi: &mut Mpi, base: UserBuffer, size: isize) -> Outcome<Offered> {
    let bytes = bytes_at(base, size)?;
    let on_device = if bytes > 0 { staging::of_window(mpi, base.address(), bytes)? } else { None };
    Ok(on_device.unwrap_or_else(|| Offered::Host(base.area(bytes))))
}

pub fn win_create(
    base: UserBuffer,
    size: isize,
    disp_unit: i64,
    info: Info,
    comm: Comm,
    win: Out<'_, Win>,
) -> Outcome {
    let mut mpi = enter()?;
    mpi.intracomm(comm)?;
    let shape = Shape::new(size, disp_unit)?;
    let offered = offered(&mut mpi, base, size)?;
    let hints = info::hints(info)?;
    let win = win.require("win")?;
    let made = rma::create(&mut mpi, comm, shape, offered, &hints)?;
    win.write(made);
    Ok(())
}

/// Writes the handle and the address of a window whose memory we allocated.
fn put_allocated(
    win: OutRef<'_, Win>,
    baseptr: OutRef<'_, *mut c_void>,
    (made, base): (Win, usize),
) {
    win.write(made);
    baseptr.write(base as *mut c_void);
}

pub fn win_allocate(
    size: isize,
    disp_unit: i64,
    info: Info,
    comm: Comm,
    baseptr: Out<'_, *mut c_void>,
    win: Out<'_, Win>,
) -> Outcome {
    let mut mpi = enter()?;
    mpi.intracomm(comm)?;
    let shape = Shape::new(size, disp_unit)?;
    let hints = info::hints(info)?;
    let (baseptr, win) = (baseptr.require("baseptr")?, win.require("win")?);
    let made = rma::allocate(&mut mpi, comm, shape, &hints)?;
    put_allocated(win, baseptr, made);
    Ok(())
}

pub fn win_allocate_shared(
    size: isize,
    disp_unit: i64,
    info: Info,
    comm: Comm,
    baseptr: Out<'_, *mut c_void>,
    win: Out<'_, Win>,
) -> Outcome {
    let mut mpi = enter()?;
    mpi.intracomm(comm)?;
    let shape = Shape::new(size, disp_unit)?;
    let hints = info::hints(info)?;
    let (baseptr, win) = (baseptr.require("baseptr")?, win.require("win")?);
    let made = rma::allocate_shared(&mut mpi, comm, shape, &hints)?;
    put_allocated(win, baseptr, made);
    Ok(())
}

pub fn win_create_dynamic(info: Info, comm: Comm, win: Out<'_, Win>) -> Outcome {
    let mut mpi = enter()?;
    mpi.intracomm(comm)?;
    let hints = info::hints(info)?;
    let win = win.require("win")?;
    let made = rma::create_dynamic(&mut mpi, comm, &hints)?;
    win.write(made);
    Ok(())
}

pub fn win_attach(win: Win, base: UserBuffer, size: isize) -> Outcome {
    let mut mpi = enter()?;
    mpi.window(win)?;
    let offered = offered(&mut mpi, base, size)?;
    rma::attach(&mut mpi, win, offered)
}

pub fn win_detach(win: Win, base: UserBuffer) -> Outcome {
    let mut mpi = enter()?;
    rma::detach(&mut mpi, win, base.address())?;
    memory::free_put_off(&mut mpi);
    Ok(())
}

pub fn win_shared_query(
    win: Win,
    rank: c_int,
    size: Out<'_, isize>,
    disp_unit: CountOut<'_>,
    baseptr: Out<'_, *mut c_void>,
) -> Outcome {
    let mut mpi = enter()?;
    let (bytes, unit, base) = rma::shared_query(&mut mpi, win, rank)?;
    if disp_unit.is_null() {
        return Err(crate::params::null("disp_unit"));
    }
    size.put("size", bytes as isize)?;
    disp_unit.put("disp_unit", unit)?;
    baseptr.put("baseptr", base as *mut c_void)
}

pub fn win_free(win: InOut<'_, Win>) -> Outcome {
    let win = win.require("win")?;
    let handle = win.read();
    let mut mpi = enter()?;
    rma::free(&mut mpi, handle, |mpi| mpi.unlocked(|| attr::delete_all(Object::Win(handle))))?;
    memory::free_put_off(&mut mpi);
    win.write(Win::NULL);
    Ok(())
}
