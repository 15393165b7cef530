//! Ports, published names, and jobs that become connected (MPI 5.0 §11.8, §11.10).

use crate::params::{Out, StringIn, StringOut};
use nemesis_mpi::abi;
use nemesis_mpi::dynamic::{names, ports};
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Handle, Info};
use nemesis_mpi::info;
use nemesis_sys::process;
use std::ffi::c_int;

/// Bytes of a buffer for the name of a port: the smaller `MPI_MAX_PORT_NAME` of the two ABIs.
const PORT_NAME_BYTES: usize = 256;

pub fn open_port(info: Info, port_name: StringOut<'_>) -> Outcome {
    enter()?;
    info::hints(info)?;
    let name = ports::open()?;
    port_name.put("port_name", &name, PORT_NAME_BYTES)?;
    Ok(())
}

pub fn close_port(port_name: StringIn<'_>) -> Outcome {
    enter()?;
    ports::close(&port_name.require("port_name")?)
}

/// Checks the root of a collective call over an intracommunicator, and returns it and whether this
/// process is the root.
pub(super) fn root_in(mpi: &Mpi, comm: Comm, root: c_int) -> Outcome<(u32, bool)> {
    let object = mpi.intracomm(comm)?;
    let size = object.size();
    let checked = u32::try_from(root).ok().filter(|&root| root < size).ok_or_else(|| {
        let why = format!("root {root} is not a rank of the communicator, which has {size}");
        Error::new(abi::MPI_ERR_ROOT, why)
    })?;
    Ok((checked, checked == object.rank))
}

pub fn comm_accept(
    port_name: StringIn<'_>,
    info: Info,
    root: c_int,
    comm: Comm,
    newcomm: Out<'_, Comm>,
) -> Outcome {
    let mut mpi = enter()?;
    let (root, is_root) = root_in(&mpi, comm, root)?;
    let newcomm = newcomm.require("newcomm")?;
    // The name and the info count at the root only.
    let name = if is_root {
        info::hints(info)?;
        Some(port_name.require("port_name")?)
    } else {
        None
    };
    newcomm.write(ports::accept(&mut mpi, comm, root, name.as_deref())?);
    Ok(())
}

pub fn comm_connect(
    port_name: StringIn<'_>,
    info: Info,
    root: c_int,
    comm: Comm,
    newcomm: Out<'_, Comm>,
) -> Outcome {
    let mut mpi = enter()?;
    let (root, is_root) = root_in(&mpi, comm, root)?;
    let newcomm = newcomm.require("newcomm")?;
    let (name, hints) = if is_root {
        (Some(port_name.require("port_name")?), info::hints(info)?)
    } else {
        (None, info::Info::default())
    };
    newcomm.write(ports::connect(&mut mpi, comm, root, name.as_deref(), &hints)?);
    Ok(())
}

pub fn comm_join(fd: c_int, intercomm: Out<'_, Comm>) -> Outcome {
    let mut mpi = enter()?;
    let intercomm = intercomm.require("intercomm")?;
    let socket = process::duplicate(fd).map_err(|refused| {
        Error::new(abi::MPI_ERR_ARG, format!("fd {fd} is no descriptor of a socket: {refused}"))
    })?;
    intercomm.write(ports::join(&mut mpi, socket)?.unwrap_or(Comm::NULL));
    Ok(())
}

pub fn publish_name(service_name: StringIn<'_>, info: Info, port_name: StringIn<'_>) -> Outcome {
    let mut mpi = enter()?;
    let (name, port) = (service_name.require("service_name")?, port_name.require("port_name")?);
    names::publish(&mut mpi, &name, &info::hints(info)?, &port)
}

pub fn lookup_name(service_name: StringIn<'_>, info: Info, port_name: StringOut<'_>) -> Outcome {
    let mut mpi = enter()?;
    info::hints(info)?;
    let port = names::look_up(&mut mpi, &service_name.require("service_name")?)?;
    port_name.put("port_name", &port, PORT_NAME_BYTES)?;
    Ok(())
}

pub fn unpublish_name(service_name: StringIn<'_>, info: Info, port_name: StringIn<'_>) -> Outcome {
    let mut mpi = enter()?;
    info::hints(info)?;
    port_name.require("port_name")?;
    names::unpublish(&mut mpi, &service_name.require("service_name")?)
}
