//! Opening, closing and deleting files (MPI 5.0 §14.2.1 to §14.2.3).
//!
//! Rank 0 creates the file; then every rank opens it, or takes the descriptor of another rank of
//! its host (`passing`). All ranks know how each step ended at every rank before the next one
//! begins, so either all have the file or none has. A rank whose node remembers another file by
//! this name, or none, asks the server and opens it again.

use crate::agree::{WORDS, agree, agree_on, check_same};
use crate::callback::Object;
use crate::coll;
use crate::engine::lanes::Choice;
use crate::engine::{Engine, Mpi};
use crate::errhandler;
use crate::errno::refused;
use crate::error::{Error, Outcome};
use crate::file::{Files, OpenFile, Shared, io, no_file};
use crate::file_system::{self, adapt};
use crate::group::Group;
use crate::hints::{self, Hints};
use crate::hints_file;
use crate::info::Info;
use crate::kernel;
use crate::node_windows::NodeWindows;
use crate::passing;
use crate::shared;
use crate::striping::{self, Source, Striping};
use crate::view::View;
use crate::{abi, access, handle, peer_failure, recovery};
use nemesis_sys::file::{self, Access, Caching, Creation, Errno, File};
use std::collections::VecDeque;
use std::ffi::{CStr, CString};
use std::sync::Arc;

const ACCESS_MODES: i32 = abi::MPI_MODE_RDONLY | abi::MPI_MODE_WRONLY | abi::MPI_MODE_RDWR;
const ALL_MODES: i32 = ACCESS_MODES
    | abi::MPI_MODE_CREATE
    | abi::MPI_MODE_EXCL
    | abi::MPI_MODE_DELETE_ON_CLOSE
    | abi::MPI_MODE_UNIQUE_OPEN
    | abi::MPI_MODE_SEQUENTIAL
    | abi::MPI_MODE_APPEND;

/// Returns what a mode opens the file for, or why the mode is invalid.
fn access_of(amode: i32) -> Outcome<Access> {
    let invalid = |why| Err(Error::new(abi::MPI_ERR_AMODE, why));
    if amode & !ALL_MODES != 0 {
        return invalid("amode has bits that are no MPI_MODE_ constant");
    }
    let created = amode & (abi::MPI_MODE_CREATE | abi::MPI_MODE_EXCL) != 0;
    match amode & ACCESS_MODES {
        abi::MPI_MODE_RDONLY if created => {
            invalid("MPI_MODE_RDONLY excludes MPI_MODE_CREATE and MPI_MODE_EXCL")
        }
        abi::MPI_MODE_RDWR if amode & abi::MPI_MODE_SEQUENTIAL != 0 => {
            invalid("MPI_MODE_RDWR excludes MPI_MODE_SEQUENTIAL")
        }
        abi::MPI_MODE_RDONLY => Ok(Access::Read),
        abi::MPI_MODE_WRONLY => Ok(Access::Write),
        abi::MPI_MODE_RDWR => Ok(Access::ReadWrite),
        _ => invalid(
            "amode must have exactly one of MPI_MODE_RDONLY, MPI_MODE_WRONLY and MPI_MODE_RDWR",
        ),
    }
}

/// Returns the names of the bits of a valid mode.
fn shown(amode: i32) -> String {
    let names = [
        (abi::MPI_MODE_RDONLY, "MPI_MODE_RDONLY"),
        (abi::MPI_MODE_WRONLY, "MPI_MODE_WRONLY"),
        (abi::MPI_MODE_RDWR, "MPI_MODE_RDWR"),
        (abi::MPI_MODE_CREATE, "MPI_MODE_CREATE"),
        (abi::MPI_MODE_EXCL, "MPI_MODE_EXCL"),
        (abi::MPI_MODE_DELETE_ON_CLOSE, "MPI_MODE_DELETE_ON_CLOSE"),
        (abi::MPI_MODE_UNIQUE_OPEN, "MPI_MODE_UNIQUE_OPEN"),
        (abi::MPI_MODE_SEQUENTIAL, "MPI_MODE_SEQUENTIAL"),
        (abi::MPI_MODE_APPEND, "MPI_MODE_APPEND"),
    ];
    let set = names.iter().filter(|(bit, _)| amode & bit != 0).map(|(_, name)| *name);
    set.collect::<Vec<_>>().join(" | ")
}

/// What a rank opens, once its arguments are valid.
struct Wanted {
    path: CString,
    amode: i32,
    access: Access,
}

/// Opens a file. Collective: `path` is an error if this rank's arguments are invalid, which then
/// all ranks return.
pub fn open(
    mpi: &mut Mpi,
    comm: handle::Comm,
    path: Outcome<&CStr>,
    amode: i32,
    info: Outcome<Info>,
) -> Outcome<handle::File> {
    mpi.intracomm(comm)?;
    let creator = coll::signature::Creator::FileOpen;
    let open = |mpi: &mut Mpi| {
        let own = coll::creation::duplicate(mpi, comm, creator, Choice::First)?;
        let wanted = path.and_then(|path| {
            Ok(Wanted { path: path.to_owned(), amode, access: access_of(amode)? })
        });
        let opened = open_on(mpi, own, wanted, info);
        if opened.is_err() {
            // `own` exists, so freeing it cannot fail.
            let _ = mpi.free_comm(own);
        }
        opened
    };
    recovery::at_all(mpi, comm, "file", open, release)
        .map_err(|error| error.on_file(abi::MPI_FILE_NULL))
}

/// Releases a file that another process could not open, after the end of all accesses to it.
fn release(mpi: &mut Mpi, fh: handle::File) -> Outcome {
    let (file, closed) = end_use(mpi, fh)?;
    free(mpi, file)?;
    closed
}

/// Removes a file, and closes it in this process.
fn end_use(mpi: &mut Mpi, fh: handle::File) -> Outcome<(Ended, Outcome)> {
    let file = io(mpi).files.remove(fh).map_err(no_file)?;
    errhandler::detach(Object::File(fh));
    let OpenFile { comm, rank, amode, path, system, shared, node_windows, .. } = file;
    // No transfer is left, so nothing else holds the file.
    let mut closed = Ok(());
    let name = path.to_string_lossy();
    let entered = kernel::enter_by_name(mpi, "MPI_File_close", &name);
    mpi.aside(|| closed = Arc::into_inner(system).map_or(Ok(()), File::close));
    kernel::leave(mpi, entered);
    let closed = closed.map_err(|errno| refused("closing", &name, errno));
    Ok((Ended { comm, rank, amode, path, shared, node_windows }, closed))
}

/// What is left of a file that is closed.
struct Ended {
    comm: handle::Comm,
    rank: u32,
    amode: i32,
    path: CString,
    shared: Shared,
    node_windows: Option<NodeWindows>,
}

/// Frees what the ranks have shared, which none of them uses any more.
fn free(mpi: &mut Mpi, file: Ended) -> Outcome {
    file.node_windows.into_iter().for_each(|windows| windows.free(mpi));
    shared::free(mpi, file.shared)?;
    mpi.free_comm(file.comm).map(drop)
}

/// Opens a file whose communicator is `comm`.
fn open_on(
    mpi: &mut Mpi,
    comm: handle::Comm,
    wanted: Outcome<Wanted>,
    info: Outcome<Info>,
) -> Outcome<handle::File> {
    let object = mpi.comm(comm)?;
    let (rank, group) = (object.rank, object.group.clone());
    let leader = leader(mpi, group.processes(), rank);
    let has_room = if io(mpi).files.has_room() { Ok(()) } else { Err(full()) };
    let checked = has_room.and(wanted).and_then(|wanted| Ok((wanted, info?)));
    let mut told = Vec::new();
    let words = match &checked {
        Ok((wanted, info)) => {
            if rank == 0 {
                let mut info = info.clone();
                mpi.aside(|| hints_file::complete(&mut info));
                told = hints::told(&info);
            }
            let knows_others = u64::from(file_system::knows_others(mpi));
            let place = u64::from(passing::number_of_name(&wanted.path)) << 32 | u64::from(leader);
            Ok([wanted.amode as u64, place, knows_others, told.len() as u64])
        }
        Err(error) => Err(error.clone()),
    };
    let all = agree(mpi, comm, words)?;
    let (wanted, _) = checked?;
    check_same(mpi, comm, &all, |words| words[0], || format!("amode is {}", shown(wanted.amode)))?;
    let leaders: Vec<u32> = all.iter().map(|words| words[1] as u32).collect();
    let mut hints = Hints::default();
    hints.accept(&hints::tell(mpi, comm, &told, all[0][3] as usize)?);
    let is_unique = wanted.amode & abi::MPI_MODE_UNIQUE_OPEN != 0;
    let is_shared = may_be_open_elsewhere(&all, is_unique);
    // A rank that names the file in its own way opens it itself, so that a wrong name is noticed.
    let opener_of = |(rank, words): (usize, &[u64; WORDS])| match all[words[1] as u32 as usize][1] {
        place if place == words[1] => words[1] as u32,
        _ => rank as u32,
    };
    let openers: Vec<u32> = all.iter().enumerate().map(opener_of).collect();
    let (opened, striping) = open_all(mpi, comm, (rank, &group), &wanted, (&hints, &openers[..]))?;
    hints.set_striping(striping);
    let opened = opened.and_then(|file| start_of(mpi, &wanted, file, is_shared));
    let words = match &opened {
        Ok((file, start)) => Ok([*start, u64::from(file.caching() == Caching::Cached), 0, 0]),
        Err(error) => Err(error.clone()),
    };
    let agreed = agree(mpi, comm, words)?;
    let (system, _) = opened?;
    let (start, all_cached) = (agreed[0][0] as i64, agreed.iter().all(|words| words[1] != 0));
    let shared = shared::create(mpi, comm)?;
    let view = Arc::new(View::bytes());
    let file = OpenFile {
        comm,
        rank,
        amode: wanted.amode,
        path: wanted.path,
        system: Arc::new(system),
        views: vec![view.clone(); leaders.len()].into(),
        view,
        pointer: start,
        shared,
        aggregators: aggregators(&leaders, hints.number("cb_nodes"), 1).into(),
        leaders,
        all_cached,
        node_windows: None,
        window_bytes: hints.window_bytes(),
        hints,
        is_atomic: false,
        etypes_differ: false,
        split: None,
        queue: VecDeque::new(),
        transfers: 0,
        group,
    };
    enter(mpi, comm, file, start)
}

fn name(wanted: &Wanted) -> String {
    wanted.path.to_string_lossy().into_owned()
}

/// Prepares the file that this rank has opened. Returns it, and where its pointers begin.
fn start_of(
    mpi: &mut Mpi,
    wanted: &Wanted,
    mut file: File,
    is_shared: bool,
) -> Outcome<(File, u64)> {
    let mut size = Ok(0);
    in_kernel(mpi, wanted, || {
        adapt(&mut file, wanted.access != Access::Read, is_shared);
        if wanted.amode & abi::MPI_MODE_APPEND != 0 {
            size = file.size();
        }
    });
    let size = size.map_err(|errno| refused("asking for the size of", &name(wanted), errno))?;
    Ok((file, size))
}

/// Runs `act`, in which the kernel may wait for the file's server, with the engine unlocked if
/// other threads may enter.
fn in_kernel(mpi: &mut Mpi, wanted: &Wanted, act: impl FnOnce()) {
    let entered = kernel::enter_by_name(mpi, "MPI_File_open", &wanted.path.to_string_lossy());
    mpi.aside(act);
    kernel::leave(mpi, entered);
}

/// Opens the file at rank 0, which creates it, then at the others, each of which opens it or takes
/// it from the rank of its host that `openers` names. Returns how that ended at this rank, which
/// the others do not know, and how the file is divided among servers.
fn open_all(
    mpi: &mut Mpi,
    comm: handle::Comm,
    (rank, group): (u32, &Group),
    wanted: &Wanted,
    (hints, openers): (&Hints, &[u32]),
) -> Outcome<(Outcome<File>, Striping)> {
    let mut opened = None;
    let mut words = Ok([0; WORDS]);
    if rank == 0 {
        let mut result = Err(Errno::INTR);
        // Opening a pipe waits for its other end, also if the mode then refuses it.
        let waits = wanted.amode & abi::MPI_MODE_SEQUENTIAL == 0;
        in_kernel(mpi, wanted, || {
            result = match waits && file::is_pipe(&wanted.path) {
                true => Err(Errno::SPIPE),
                false => create(wanted, hints).map(|file| (describe(&file), file)),
            };
        });
        match result.map_err(|errno| failed(wanted, errno)) {
            Ok((described, file)) => {
                words = check_offsets(wanted, &file).map(|()| described);
                opened = Some(Ok(file));
            }
            Err(error) => words = Err(error),
        }
    }
    let [inode, unit_bytes, stripes, offered] = agree(mpi, comm, words)?[0];
    let by_name = |mpi: &mut Mpi| open_by_name(mpi, wanted, inode);
    let opener = openers.get(rank as usize).copied().unwrap_or(rank);
    let take = |mpi: &mut Mpi, offered| {
        let taken = passing::take(mpi, (group, opener), offered, (inode, wanted.access));
        taken.map_or_else(|| by_name(mpi), Ok)
    };
    if opened.is_none() && (offered == 0 || opener == rank) {
        opened = Some(by_name(mpi));
    } else if opened.is_none() && opener == 0 {
        opened = Some(take(mpi, offered));
    }
    // Other hosts have opened the file meanwhile.
    let is_awaited = |(rank, opener): (usize, &u32)| *opener != 0 && *opener as usize != rank;
    if offered != 0 && openers.iter().enumerate().any(is_awaited) {
        let words = match &opened {
            Some(Ok(file)) => Ok([passing::offer(file), 0, 0, 0]),
            Some(Err(error)) => Err(error.clone()),
            None => Ok([0; WORDS]),
        };
        let offers = agree(mpi, comm, words)?;
        opened = opened.or_else(|| Some(take(mpi, offers[opener as usize][0])));
    }
    let opened = opened.unwrap_or_else(|| Err(Error::new(abi::MPI_ERR_INTERN, "no file is open")));
    let (count, first) = (stripes & u64::from(u32::MAX), stripes >> 32);
    Ok((opened, Striping { unit_bytes, count, first }))
}

/// Opens the file that rank 0 has opened, whose number is `inode`.
fn open_by_name(mpi: &mut Mpi, wanted: &Wanted, inode: u64) -> Outcome<File> {
    let mut result = Err(Errno::INTR);
    in_kernel(mpi, wanted, || result = open_existing(wanted, inode));
    let file = result.map_err(|errno| failed(wanted, errno))?;
    check_offsets(wanted, &file).map(|()| file)
}

/// Returns whether processes of several nodes may have a file open, as all ranks see it, since each
/// of them decides by this how it uses the cache. The ranks run on several nodes, or one of them
/// knows a process of another node, and the program does not promise that it leaves the file alone.
fn may_be_open_elsewhere(all: &[[u64; WORDS]], is_unique: bool) -> bool {
    let leader = all[0][1] as u32;
    all.iter().any(|words| words[1] as u32 != leader || !is_unique && words[2] != 0)
}

/// Opens the file at rank 0, and creates it if the mode says so.
fn create(wanted: &Wanted, hints: &Hints) -> Result<File, Errno> {
    let path = &wanted.path;
    let exclusive = wanted.amode & abi::MPI_MODE_EXCL != 0;
    let permissions = hints.permissions();
    if wanted.amode & abi::MPI_MODE_CREATE == 0 {
        return File::open(path, wanted.access, None);
    }
    let asked = hints.asked_striping();
    if asked != Striping::default() {
        let source = file::file_system_of(path)
            .map_or(Source::None, |kind| file_system::of_kind(kind).striping);
        if striping::create(path, source, permissions, asked) {
            return File::open(path, wanted.access, None);
        }
    }
    File::open(path, wanted.access, Some(Creation { exclusive, permissions }))
}

/// Returns what the other ranks must know of a file that rank 0 has opened: its number, how it is
/// divided among servers, and the word by which those of rank 0's host take it.
fn describe(file: &File) -> [u64; WORDS] {
    let Striping { unit_bytes, count, first } = striping::of(file, file_system::of(file).striping);
    // Lustre's numbers have 16 bits.
    let stripes = count & u64::from(u32::MAX) | first << 32;
    [file.inode(), unit_bytes, stripes, passing::offer(file)]
}

/// Opens the file that rank 0 has opened, whose number is `inode`. A node may remember for a while
/// that the name did not exist, or was another file's. The numbers may differ all the same, if the
/// hosts have the file system in different ways.
fn open_existing(wanted: &Wanted, inode: u64) -> Result<File, Errno> {
    let open = || File::open(&wanted.path, wanted.access, None);
    let opened = open();
    let is_old = match &opened {
        Ok(file) => file.inode() != inode && file_system::of(file).shared != Caching::Cached,
        Err(errno) => matches!(*errno, Errno::NOENT | Errno::STALE),
    };
    if !is_old {
        return opened;
    }
    drop(opened);
    file::renew_names(&wanted.path);
    open()
}

/// Returns the error of an opening that the kernel refused.
fn failed(wanted: &Wanted, errno: Errno) -> Box<Error> {
    let error = refused("opening", &name(wanted), errno);
    match errno {
        Errno::INVAL => Error { class: abi::MPI_ERR_BAD_FILE, ..*error }.into(),
        Errno::SPIPE => no_offsets(wanted),
        _ => error,
    }
}

/// Checks that a file has offsets if the mode needs them.
fn check_offsets(wanted: &Wanted, file: &File) -> Outcome {
    if file.has_offsets() || wanted.amode & abi::MPI_MODE_SEQUENTIAL != 0 {
        return Ok(());
    }
    Err(no_offsets(wanted))
}

#[cold]
fn no_offsets(wanted: &Wanted) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_UNSUPPORTED_OPERATION,
        format!("{:?} is a pipe or a terminal, which has no offsets", name(wanted)),
    )
    .advise("open it with MPI_MODE_SEQUENTIAL")
}

/// Returns the lowest rank of this node.
fn leader(engine: &Engine, processes: &[u32], rank: u32) -> u32 {
    let local =
        |process: &u32| engine.memory.as_ref().is_some_and(|memory| memory.is_local(*process));
    processes.iter().position(local).map_or(rank, |leader| leader as u32)
}

/// Returns the ranks that access the file for all in collective calls: at most `each` of each node,
/// or as many as `cb_nodes` says, from all nodes in turn.
pub(crate) fn aggregators(leaders: &[u32], wanted: Option<u64>, each: usize) -> Vec<u32> {
    let mut nodes: Vec<u32> = leaders.to_vec();
    nodes.sort_unstable();
    nodes.dedup();
    let most = |node: u32| leaders.iter().filter(|leader| **leader == node).count().min(each);
    let count = wanted.map_or_else(
        || nodes.iter().map(|&node| most(node)).sum(),
        |wanted| wanted.min(leaders.len() as u64) as usize,
    );
    let members = |node: u32| {
        let on_node = leaders.iter().enumerate().filter(move |(_, leader)| **leader == node);
        on_node.map(|(rank, _)| rank as u32)
    };
    let mut members: Vec<_> = nodes.iter().map(|&node| members(node)).collect();
    let mut chosen = Vec::with_capacity(count);
    while chosen.len() < count {
        let free = count - chosen.len();
        chosen.extend(members.iter_mut().filter_map(Iterator::next).take(free));
    }
    chosen
}

#[cold]
fn full() -> Box<Error> {
    Error::new(abi::MPI_ERR_NO_MEM, "more than a million files are open")
}

/// Gives the file a handle, and sets the shared pointer.
fn enter(mpi: &mut Mpi, comm: handle::Comm, file: OpenFile, start: i64) -> Outcome<handle::File> {
    let rank = file.rank;
    let fh = io(mpi).files.insert(file).ok_or_else(full)?;
    if nemesis_mpi_check::is_on() {
        nemesis_mpi_check::sites::note(fh.0);
    }
    errhandler::inherit(Object::File(abi::MPI_FILE_NULL), Object::File(fh))?;
    if start > 0 {
        if rank == 0 || mpi.file(fh)?.size() == 1 {
            shared::set(mpi, fh, start)?;
        }
        coll::run(mpi, comm, coll::barrier)?;
    }
    Ok(fh)
}

/// Closes a file, after all its operations and transfers. Collective. The file is closed even if
/// a write fails only then, or its deletion fails; it stays open at all ranks if a rank has not
/// ended a split operation. In a job that goes on when a process dies, the living close it.
pub fn close(mpi: &mut Mpi, fh: handle::File) -> Outcome {
    access::drain(mpi, fh)?;
    let finished = shared::finish(mpi, fh);
    let file = mpi.file(fh)?;
    let (comm, ended) = (file.comm, access::check_split_ended(file));
    all_ended(mpi, comm, ended).map_err(|error| error.on_file(fh))?;
    mpi.wait_until(None, |mpi| mpi.file(fh).is_ok_and(|file| file.transfers == 0));
    let (file, closed) = end_use(mpi, fh)?;
    // No process has the file open when its name goes.
    let closed = agree_among_living(mpi, comm, closed);
    let mut deleted = Ok(());
    if file.amode & abi::MPI_MODE_DELETE_ON_CLOSE != 0 {
        if file.rank == 0 {
            deleted = delete_for(mpi, &file.path, "MPI_File_close");
        }
        deleted = agree_among_living(mpi, comm, deleted);
    }
    if recovery::agrees(mpi, comm) {
        // Agreements that a death ended have not kept the living from what they share.
        recovery::meet(mpi, comm)?;
    }
    free(mpi, file)?;
    closed.and(deleted).and(unless_failed(finished, Ok(())))
}

/// Fails at all living ranks if a split operation of one of them has not ended.
fn all_ended(mpi: &mut Mpi, comm: handle::Comm, own: Outcome) -> Outcome {
    if !recovery::agrees(mpi, comm) {
        return agree_on(mpi, comm, own);
    }
    if recovery::living_say(mpi, comm, own.is_ok())? {
        return Ok(());
    }
    own.and_then(|()| {
        let why = "another process has begun a split collective operation on the file, and has \
                   not ended it";
        Err(Error::new(abi::MPI_ERR_IO, why).advise("look at the error of that process"))
    })
}

/// Agrees on an outcome. In a job that goes on when a process dies, the living close the file
/// without it: each keeps its own outcome then.
fn agree_among_living(mpi: &mut Mpi, comm: handle::Comm, own: Outcome) -> Outcome {
    unless_failed(agree_on(mpi, comm, own.clone()), own)
}

/// Returns `instead` of an outcome that tells of a process that has failed, in such a job.
fn unless_failed(outcome: Outcome, instead: Outcome) -> Outcome {
    match outcome {
        Err(error) if peer_failure::is_tolerant() && peer_failure::is_one(error.class) => instead,
        outcome => outcome,
    }
}

fn delete_name(path: &CStr) -> Outcome {
    file::delete(path).map_err(|errno| refused("deleting", &path.to_string_lossy(), errno))
}

/// Deletes a file by its name, for the function `call`.
fn delete_for(mpi: &mut Mpi, path: &CStr, call: &'static str) -> Outcome {
    let mut deleted = Ok(());
    let entered = kernel::enter_by_name(mpi, call, &path.to_string_lossy());
    mpi.aside(|| deleted = delete_name(path));
    kernel::leave(mpi, entered);
    deleted
}

/// Deletes a file by its name.
pub fn delete(mpi: &mut Mpi, path: &CStr) -> Outcome {
    delete_for(mpi, path, "MPI_File_delete")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_access_mode_is_needed() {
        let class = |amode| access_of(amode).map_err(|error| error.class);
        assert_eq!(class(abi::MPI_MODE_RDWR | abi::MPI_MODE_CREATE), Ok(Access::ReadWrite));
        for amode in [
            0,
            abi::MPI_MODE_CREATE,
            abi::MPI_MODE_RDONLY | abi::MPI_MODE_WRONLY,
            abi::MPI_MODE_RDONLY | abi::MPI_MODE_EXCL,
            abi::MPI_MODE_RDWR | abi::MPI_MODE_SEQUENTIAL,
            abi::MPI_MODE_RDONLY | 1 << 20,
        ] {
            assert_eq!(class(amode), Err(abi::MPI_ERR_AMODE), "{amode}");
        }
    }

    #[test]
    fn one_rank_that_knows_others_decides_for_all() {
        let words = |leader, knows_others| [0, leader, knows_others, 0];
        let alone = [words(0, 0), words(0, 0)];
        assert!(!may_be_open_elsewhere(&alone, false));
        let met = [words(0, 0), words(0, 1)];
        assert!(may_be_open_elsewhere(&met, false) && !may_be_open_elsewhere(&met, true));
        let apart = [words(0, 0), words(1, 0)];
        assert!(may_be_open_elsewhere(&apart, true));
    }

    #[test]
    fn aggregators_come_from_all_nodes() {
        let leaders = [0, 0, 2, 0, 2, 5];
        assert_eq!(aggregators(&leaders, None, 1), [0, 2, 5]);
        assert_eq!(aggregators(&leaders, Some(2), 1), [0, 2]);
        assert_eq!(aggregators(&leaders, Some(5), 1), [0, 2, 5, 1, 4]);
        assert_eq!(aggregators(&leaders, Some(100), 1).len(), 6);
        assert_eq!(aggregators(&[0; 5], None, 8), [0, 1, 2, 3, 4]);
        assert_eq!(aggregators(&[0; 5], None, 2), [0, 1]);
    }
}
