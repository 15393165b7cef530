//! Dynamic processes: spawned jobs, ports, published names, and join (MPI 5.0 §11.7 to §11.10).

use crate::params::{InSlice, Out, OutSlice, StringIn, StringListsIn, StringOut, StringsIn};
use nemesis_mpi::abi;
use nemesis_mpi::dynamic::spawn::{self, Program};
use nemesis_mpi::dynamic::{names, ports};
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Handle, Info};
use nemesis_mpi::info;
use nemesis_sys::process;
use std::borrow::Cow;
use std::cell::Cell;
use std::ffi::c_int;

/// Bytes of a buffer for the name of a port: the smaller `MPI_MAX_PORT_NAME` of the two ABIs.
const PORT_NAME_BYTES: usize = 256;

pub fn open_port(info: Info, port_name: StringOut<'_>) -> Outcome {
    enter()?;
    let name = ports::open(&info::hints(info)?)?;
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

/// Reads the arguments of an accept or a connect that count at the root only.
fn at_root(port_name: StringIn<'_>, info: Info) -> Outcome<ports::AtRoot> {
    Ok((port_name.require("port_name")?.into_owned(), info::hints(info)?))
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
    let at_root = is_root.then(|| at_root(port_name, info));
    newcomm.write(ports::accept(&mut mpi, comm, root, at_root)?);
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
    let at_root = is_root.then(|| at_root(port_name, info));
    newcomm.write(ports::connect(&mut mpi, comm, root, at_root)?);
    Ok(())
}

pub fn comm_join(fd: c_int, intercomm: Out<'_, Comm>) -> Outcome {
    let mut mpi = enter()?;
    let intercomm = intercomm.require("intercomm")?;
    let socket = process::duplicate(fd).map_err(|refused| {
        Error::new(abi::MPI_ERR_ARG, format!("fd {fd} is no descriptor of a socket: {refused}"))
            .advise("pass a connected stream socket that is open")
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

thread_local! {
    /// Number of error codes that the last spawn of this thread has written.
    static CODES: Cell<i64> = const { Cell::new(0) };
}

/// Returns the number of error codes that the last spawn of this thread has written, for a binding
/// that converts them.
pub fn codes_of_last_spawn() -> i64 {
    CODES.get()
}

/// Returns `count` at the root, and 0 elsewhere: the length of an array that counts at the root
/// only.
pub fn count_at_root(comm: Comm, root: c_int, count: c_int) -> i64 {
    let is_root = enter().is_ok_and(|mpi| root_in(&mpi, comm, root).is_ok_and(|(_, is)| is));
    if is_root { count.into() } else { 0 }
}

/// One program of a spawn.
fn program(
    command: StringIn<'_>,
    arguments: StringsIn<'_>,
    maxprocs: c_int,
    info: Info,
) -> Outcome<Program> {
    let processes = u32::try_from(maxprocs).ok().filter(|&count| count > 0).ok_or_else(|| {
        Error::new(abi::MPI_ERR_ARG, format!("maxprocs is {maxprocs}, it must be at least 1"))
    })?;
    let words = arguments.until_null().into_iter();
    let command = command.require("command")?.into_owned();
    if command.is_empty() {
        return Err(Error::new(abi::MPI_ERR_ARG, "command is an empty text")
            .advise("pass the name or the path of a program"));
    }
    Ok(Program {
        command,
        arguments: words
            .map(|word| word.require("argv").map(Cow::into_owned))
            .collect::<Outcome<_>>()?,
        processes,
        hints: info::hints(info)?,
    })
}

pub fn comm_spawn(
    command: StringIn<'_>,
    argv: StringsIn<'_>,
    maxprocs: c_int,
    info: Info,
    root: c_int,
    comm: Comm,
    intercomm: Out<'_, Comm>,
    array_of_errcodes: OutSlice<'_, c_int>,
) -> Outcome {
    let programs = || Ok(vec![program(command, argv, maxprocs, info)?]);
    spawn_all(programs, root, comm, intercomm, array_of_errcodes)
}

pub fn comm_spawn_multiple(
    count: c_int,
    array_of_commands: StringsIn<'_>,
    array_of_argv: StringListsIn<'_>,
    array_of_maxprocs: InSlice<'_, c_int>,
    array_of_info: InSlice<'_, Info>,
    root: c_int,
    comm: Comm,
    intercomm: Out<'_, Comm>,
    array_of_errcodes: OutSlice<'_, c_int>,
) -> Outcome {
    let programs = || {
        let counts = array_of_maxprocs.require("array_of_maxprocs")?;
        let infos = array_of_info.require("array_of_info")?;
        if counts.is_empty() {
            return Err(Error::new(abi::MPI_ERR_ARG, format!("count is {count}, not at least 1")));
        }
        // MPI_ARGVS_NULL: no program has arguments.
        let lists = array_of_argv.get().map(Some).chain(std::iter::repeat_with(|| None));
        let all = array_of_commands.get().zip(lists).zip(counts.iter().zip(infos));
        all.map(|((command, list), (&maxprocs, &info))| {
            let none = StringsIn::none();
            program(command, list.unwrap_or(none), maxprocs, info)
        })
        .collect()
    };
    spawn_all(programs, root, comm, intercomm, array_of_errcodes)
}

/// Spawns the programs, which the root alone reads from its arguments.
fn spawn_all(
    programs: impl FnOnce() -> Outcome<Vec<Program>>,
    root: c_int,
    comm: Comm,
    intercomm: Out<'_, Comm>,
    codes: OutSlice<'_, c_int>,
) -> Outcome {
    CODES.set(0);
    let mut mpi = enter()?;
    let (root, is_root) = root_in(&mpi, comm, root)?;
    let intercomm = intercomm.require("intercomm")?;
    let outcome = spawn::spawn(&mut mpi, comm, root, is_root.then(programs));
    let spawn::Spawned { asked, made } = outcome;
    let failed = abi::MPI_ERR_SPAWN.value();
    let mut each = Vec::new();
    for (index, &processes) in asked.iter().enumerate() {
        let started = made.as_ref().map_or(0, |(_, started)| started[index]);
        each.extend((0..processes).map(|process| if process < started { 0 } else { failed }));
    }
    CODES.set(each.len() as i64);
    codes.fill_unless_null(each);
    intercomm.write(made?.0);
    Ok(())
}
