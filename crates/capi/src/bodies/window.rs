//! Windows: their creation, their memory, their end (MPI 5.0 §12.2).

use super::{place, put};
use crate::types::CountOut;
use nemesis_datatype::MemoryRegion;
use nemesis_mpi::abi;
use nemesis_mpi::attr;
use nemesis_mpi::callback::Object;
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Handle, Info, Win};
use nemesis_mpi::info;
use nemesis_mpi::rma::{self, Shape};
use std::ffi::{c_int, c_void};

/// Memory that the program offers to a window.
///
/// # Safety
/// The memory is valid as MPI asks, until the window is freed or the memory detached.
unsafe fn offered(base: *const c_void, size: isize) -> Outcome<MemoryRegion> {
    let bytes = usize::try_from(size).map_err(|_| {
        Error::new(abi::MPI_ERR_SIZE, format!("size is {size}, it must not be negative"))
    })?;
    if base.is_null() && bytes > 0 {
        return Err(Error::new(
            abi::MPI_ERR_BASE,
            format!("base is a null pointer, and size is {size}"),
        ));
    }
    if (base as usize).checked_add(bytes).is_none() {
        return Err(Error::new(
            abi::MPI_ERR_SIZE,
            format!("{size} bytes at {base:p} go beyond the end of all addresses"),
        ));
    }
    // SAFETY: the caller's promise is A1.
    Ok(unsafe { MemoryRegion::of_program(base, bytes) })
}

pub unsafe fn win_create(
    base: *mut c_void,
    size: isize,
    disp_unit: i64,
    info: Info,
    comm: Comm,
    win: *mut Win,
) -> Outcome {
    let mut mpi = enter()?;
    mpi.intracomm(comm)?;
    let shape = Shape::new(size, disp_unit)?;
    // SAFETY: the caller's promise.
    let area = unsafe { offered(base, size) }?;
    let hints = info::hints(info)?;
    let win = place(win, "win")?;
    let made = rma::create(&mut mpi, comm, shape, area, &hints)?;
    // SAFETY: not null, so the caller's place.
    unsafe { win.write(made) };
    Ok(())
}

/// Writes the handle and the address of a window whose memory we allocated.
unsafe fn hand_out(win: *mut Win, baseptr: *mut c_void, (made, base): (Win, usize)) {
    // SAFETY: the caller's place.
    unsafe { win.write(made) };
    // SAFETY: the caller's place for a pointer.
    unsafe { baseptr.cast::<*mut c_void>().write(base as *mut c_void) };
}

pub unsafe fn win_allocate(
    size: isize,
    disp_unit: i64,
    info: Info,
    comm: Comm,
    baseptr: *mut c_void,
    win: *mut Win,
) -> Outcome {
    let mut mpi = enter()?;
    mpi.intracomm(comm)?;
    let shape = Shape::new(size, disp_unit)?;
    let hints = info::hints(info)?;
    let (baseptr, win) = (place(baseptr, "baseptr")?, place(win, "win")?);
    let made = rma::allocate(&mut mpi, comm, shape, &hints)?;
    // SAFETY: not null, so the caller's places.
    unsafe { hand_out(win, baseptr, made) };
    Ok(())
}

pub unsafe fn win_allocate_shared(
    size: isize,
    disp_unit: i64,
    info: Info,
    comm: Comm,
    baseptr: *mut c_void,
    win: *mut Win,
) -> Outcome {
    let mut mpi = enter()?;
    mpi.intracomm(comm)?;
    let shape = Shape::new(size, disp_unit)?;
    let hints = info::hints(info)?;
    let (baseptr, win) = (place(baseptr, "baseptr")?, place(win, "win")?);
    let made = rma::allocate_shared(&mut mpi, comm, shape, &hints)?;
    // SAFETY: not null, so the caller's places.
    unsafe { hand_out(win, baseptr, made) };
    Ok(())
}

pub unsafe fn win_create_dynamic(info: Info, comm: Comm, win: *mut Win) -> Outcome {
    let mut mpi = enter()?;
    mpi.intracomm(comm)?;
    let hints = info::hints(info)?;
    let win = place(win, "win")?;
    let made = rma::create_dynamic(&mut mpi, comm, &hints)?;
    // SAFETY: not null, so the caller's place.
    unsafe { win.write(made) };
    Ok(())
}

pub unsafe fn win_attach(win: Win, base: *mut c_void, size: isize) -> Outcome {
    let mut mpi = enter()?;
    mpi.window(win)?;
    // SAFETY: the caller's promise.
    let area = unsafe { offered(base, size) }?;
    rma::attach(&mut mpi, win, area)
}

pub unsafe fn win_detach(win: Win, base: *const c_void) -> Outcome {
    let mut mpi = enter()?;
    rma::detach(&mut mpi, win, base as usize)
}

pub unsafe fn win_shared_query(
    win: Win,
    rank: c_int,
    size: *mut isize,
    disp_unit: CountOut,
    baseptr: *mut c_void,
) -> Outcome {
    let mut mpi = enter()?;
    let (bytes, unit, base) = rma::shared_query(&mut mpi, win, rank)?;
    if disp_unit.is_null() {
        return Err(super::null("disp_unit"));
    }
    // SAFETY: the caller's place.
    unsafe { put(size, "size", bytes as isize) }?;
    // SAFETY: the caller's place.
    unsafe { disp_unit.write(unit) };
    // SAFETY: the caller's place for a pointer.
    unsafe { put(baseptr.cast::<*mut c_void>(), "baseptr", base as *mut c_void) }
}

pub unsafe fn win_free(win: *mut Win) -> Outcome {
    let win = place(win, "win")?;
    // SAFETY: not null, so the caller's handle.
    let handle = unsafe { win.read() };
    let mut mpi = enter()?;
    rma::free(&mut mpi, handle, |mpi| mpi.unlocked(|| attr::delete_all(Object::Win(handle))))?;
    // SAFETY: as above.
    unsafe { win.write(Win::NULL) };
    Ok(())
}
