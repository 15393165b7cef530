//! What the program has left unfinished at the end, for the development checks (`mpiexec -check`).

use crate::comm::Comm;
use crate::engine::Mpi;
use crate::group::Owner;
use crate::handle::{self, Handle};
use crate::{errhandler, group, info, io, op, rma};
use nemesis_mpi_check::kinds::{self, Kind};
use nemesis_mpi_check::{CallSite, call_of, found, found_with, memory, sites, variables};
use nemesis_mpi_core::leftovers;
use std::collections::BTreeMap;

/// Tells what the program has left at `MPI_Finalize`: requests, messages, and objects that it has
/// not freed. The other processes have sent all their messages. While a session is open, the
/// program may still complete and free all of these, so only communicators of the world model are
/// told.
pub fn tell(mpi: &mut Mpi) {
    if mpi.sessions.named().next().is_some() {
        return tell_communicators(mpi, Owner::World);
    }
    tell_communication(mpi);
    tell_communicators(mpi, Owner::World);
    tell_objects(mpi);
}

/// Tells what the program has left at the end of a session: the communicators made of it, and if it
/// is the last use of MPI, all requests, messages, windows and files. The program may still free
/// other objects, or use them in another session.
pub fn tell_session(mpi: &mut Mpi, session: handle::Session) {
    if mpi.life.users == 1 {
        tell_communication(mpi);
    }
    tell_communicators(mpi, Owner::Session(session));
}

/// Tells requests, messages, windows and files.
fn tell_communication(mpi: &mut Mpi) {
    mpi.progress();
    let (mut messages, mut requests) = (leftovers::messages(mpi), leftovers::requests(mpi));
    mpi.in_each_lane(|other| {
        other.progress();
        messages.extend(leftovers::messages(other));
        requests.extend(leftovers::requests(other));
    });
    tell_each(&kinds::MESSAGE, messages.into_iter().map(|text| (None, text)));
    let (overwritten, lost): (Vec<_>, Vec<_>) = requests
        .into_iter()
        .partition(|(handle, _)| variables::overwritten_by(handle.bits()).is_some());
    tell_made(&kinds::REQUEST, lost);
    overwritten.into_iter().for_each(|(handle, text)| tell_overwritten(handle, text));
    tell_made(&kinds::EPOCH, rma::open_epochs(mpi));
    let files = io::open_files(mpi);
    let of_program = rma::open_windows(mpi)
        .into_iter()
        .map(|(handle, _)| handle)
        .filter(|handle| files.iter().all(|file| file.win != Some(*handle)));
    tell_made(&kinds::WINDOW, nameless(of_program));
    tell_made(&kinds::FILE, files.into_iter().map(|file| (file.handle, file.name)));
}

/// Tells the objects that the program has not freed, apart from communicators, windows and files,
/// and its memory of `MPI_Alloc_mem`.
pub fn tell_objects(mpi: &Mpi) {
    let types: Vec<_> = mpi
        .types
        .made()
        .map(|(handle, datatype)| (handle, format!("of {} bytes", datatype.size())))
        .collect();
    tell_made(&kinds::DATATYPE, types);
    tell_made(&kinds::GROUP, nameless(group::made()));
    tell_made(&kinds::OPERATION, nameless(op::made()));
    tell_made(&kinds::INFO, nameless(info::made()));
    tell_made(&kinds::ERRHANDLER, nameless(errhandler::made()));
    let memory = memory::left().into_iter().map(|(bytes, site)| (site, format!("{bytes} bytes")));
    tell_each(&kinds::MEMORY, memory);
}

/// Tells the communicators of the world model or of a session, apart from those of windows and
/// files.
fn tell_communicators(mpi: &mut Mpi, owner: Owner) {
    let windows = rma::open_windows(mpi).into_iter().map(|(_, comm)| comm);
    let internal: Vec<handle::Comm> =
        windows.chain(io::open_files(mpi).iter().map(|file| file.comm)).collect();
    let comms: Vec<_> = mpi
        .comms
        .made()
        .filter(|(handle, comm)| !internal.contains(handle) && comm.group.owner() == owner)
        .map(|(handle, comm)| (handle, described(comm)))
        .collect();
    tell_made(&kinds::COMMUNICATOR, comms);
}

fn nameless<H>(handles: impl IntoIterator<Item = H>) -> impl Iterator<Item = (H, String)> {
    handles.into_iter().map(|handle| (handle, String::new()))
}

fn described(comm: &Comm) -> String {
    let name = if comm.name.is_empty() { String::new() } else { format!("{:?} ", comm.name) };
    format!("{name}of {} processes", comm.size())
}

/// Tells a request whose variable another call has overwritten.
fn tell_overwritten(handle: handle::Request, text: String) {
    let other = variables::overwritten_by(handle.bits()).map(call_of);
    found_with(
        &kinds::OVERWRITTEN,
        sites::of(handle.bits()),
        1,
        format!("{text}; its variable was given to"),
        other,
    );
}

/// Tells objects by the calls that made them. What the library has made for itself outside a call
/// of the program has no such call.
fn tell_made<H: Handle>(kind: &Kind, objects: impl IntoIterator<Item = (H, String)>) {
    let with_sites = objects
        .into_iter()
        .filter_map(|(handle, text)| Some((Some(sites::of(handle.bits())?), text)));
    tell_each(kind, with_sites);
}

/// Tells findings, equal ones once with their number.
fn tell_each(kind: &Kind, all: impl Iterator<Item = (Option<CallSite>, String)>) {
    let mut counts: BTreeMap<(usize, String), (Option<CallSite>, u64)> = BTreeMap::new();
    for (site, text) in all {
        let key = (site.map_or(0, |site| site.address), text);
        counts.entry(key).or_insert((site, 0)).1 += 1;
    }
    for ((_, text), (site, count)) in counts {
        found(kind, site, count, text);
    }
}
