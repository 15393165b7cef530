//! `MPI_File_set_view`, and the positions of pointers (MPI 5.0 §14.3, §14.4.3, §14.4.4).

use crate::access::drain;
use crate::agree::{WORDS, agree, agree_on, check_same};
use crate::coll;
use crate::datarep;
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::file::Files;
use crate::info::Info;
use crate::manage::{accept_hints, choose_aggregators, size_of_file};
use crate::node_windows;
use crate::shared;
use crate::view::{View, check_etype};
use crate::{abi, handle};
use nemesis_datatype::{Buffer, Datatype};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The arguments of `MPI_File_set_view` that describe the view.
#[derive(Debug)]
pub struct Described<'a> {
    pub disp: i64,
    pub etype: handle::Datatype,
    pub filetype: handle::Datatype,
    pub datarep: Outcome<&'a str>,
}

/// Flags of the words that the ranks exchange.
const HAS_HINTS: u64 = 1;
const HAS_HOLES: u64 = 2;

/// Implements `MPI_File_set_view`. If it fails, all ranks keep their views.
pub fn set_view(
    mpi: &mut Mpi,
    fh: handle::File,
    described: Described<'_>,
    info: Outcome<Info>,
) -> Outcome {
    drain(mpi, fh)?;
    let comm = mpi.file(fh)?.comm;
    let made = make(mpi, fh, described).and_then(|view| Ok((view, info?)));
    let description = made.as_ref().map_or(Vec::new(), |(view, _)| view.describe());
    let words = match &made {
        Ok((view, info)) => {
            let (name, length) = (hash(view.datarep.name()), description.len() as u64);
            let has_hints = if info.is_empty() { 0 } else { HAS_HINTS };
            let has_holes = if view.has_holes() { HAS_HOLES } else { 0 };
            let flags = has_hints | has_holes;
            Ok([view.etype_bytes, name, length, flags])
        }
        Err(error) => Err(error.clone()),
    };
    let all = agree(mpi, comm, words).map_err(|error| error.on_file(fh))?;
    let (mut view, info) = made?;
    let name = || format!("datarep is {:?}", view.datarep.name());
    check_same(mpi, comm, &all, |words| words[1], name).map_err(|error| error.on_file(fh))?;
    let etypes_differ = compare_etypes(mpi, comm, &all, &view)?;
    if mpi.file(fh)?.is_sequential() {
        view.disp = current_displacement(mpi, fh)?;
    }
    if all[0][3] & HAS_HINTS != 0 {
        accept_hints(mpi, fh, &info)?;
    }
    let has_memory = mpi.file(fh)?.node_windows.is_some();
    if has_memory || all.iter().any(|words| words[3] & HAS_HOLES != 0) {
        share_memory(mpi, fh)?;
    }
    let described = all.iter().map(|words| words[2]).sum();
    let aggregators = choose_aggregators(mpi.file(fh)?, described);
    let view = Arc::new(view);
    let lengths: Vec<usize> = all.iter().map(|words| words[2] as usize).collect();
    // The displacement of a sequential file is known only now. It has the length that it had.
    let description = view.describe();
    let views = exchange(mpi, fh, &aggregators, &view, (&description, &lengths));
    let is_first = mpi.file(fh)?.rank == 0;
    let ready = match &views {
        Err(error) => Err(error.clone()),
        Ok(_) if is_first => shared::set(mpi, fh, 0),
        Ok(_) => Ok(()),
    };
    agree_on(mpi, comm, ready).map_err(|error| error.on_file(fh))?;
    let file = mpi.file_mut(fh)?;
    (file.view, file.views, file.pointer) = (view, views?, 0);
    (file.aggregators, file.etypes_differ) = (aggregators, etypes_differ);
    Ok(())
}

/// Returns whether the ranks' etypes have different lengths, which is a finding. It harms only
/// accesses with the shared pointer. Collective.
fn compare_etypes(
    mpi: &mut Mpi,
    comm: handle::Comm,
    all: &[[u64; WORDS]],
    view: &View,
) -> Outcome<bool> {
    if all.iter().all(|words| words[0] == all[0][0]) {
        return Ok(false);
    }
    let own = || format!("an etype of {} bytes in the file", view.etype_bytes);
    match check_same(mpi, comm, all, |words| words[0], own) {
        Err(error) if error.class == abi::MPI_ERR_NOT_SAME => {
            let kind = &nemesis_mpi_check::kinds::DIFFERENT;
            nemesis_mpi_check::suspect(kind, || error.why.into_owned());
            Ok(true)
        }
        other => other.map(|()| true),
    }
}

/// Returns the position of the shared pointer in bytes, where the new view of a sequential file
/// begins. Collective: no rank moves the pointer meanwhile.
fn current_displacement(mpi: &mut Mpi, fh: handle::File) -> Outcome<i64> {
    let comm = mpi.file(fh)?.comm;
    let position = if mpi.file(fh)?.rank == 0 {
        shared::fetch_add(mpi, fh, 0).and_then(|etypes| {
            let view = &mpi.file(fh)?.view;
            view.offset_of(view.position(etypes)?)
        })
    } else {
        Ok(0)
    };
    let all = agree(mpi, comm, position.map(|position| [position as u64, 0, 0, 0]))
        .map_err(|error| error.on_file(fh))?;
    Ok(all[0][0] as i64)
}

/// Makes the memory for exchanges of data, if the ranks share a node and have none that fits the
/// hints. No rank uses the memory that they have: the operations of all ranks have ended.
fn share_memory(mpi: &mut Mpi, fh: handle::File) -> Outcome {
    let file = mpi.file_mut(fh)?;
    let (comm, round_bytes) = (file.comm, file.hints.round_bytes());
    if !file.is_on_one_node() {
        return Ok(());
    }
    match file.node_windows.take() {
        Some(windows) if windows.fits(round_bytes) => file.node_windows = Some(windows),
        old => {
            old.into_iter().for_each(|windows| windows.free(mpi));
            let made =
                node_windows::create(mpi, comm, round_bytes).map_err(|error| error.on_file(fh))?;
            mpi.file_mut(fh)?.node_windows = made;
        }
    }
    Ok(())
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Makes the view of this rank.
fn make(mpi: &mut Mpi, fh: handle::File, described: Described<'_>) -> Outcome<View> {
    let Described { disp, etype, filetype, datarep } = described;
    let datarep = datarep::find(datarep?)?;
    let etype = mpi.types.committed(etype)?.clone();
    let filetype = mpi.types.committed(filetype)?.clone();
    if nemesis_mpi_check::is_on() {
        check_etype("the filetype has", (&filetype, filetype.size() as u64), &etype);
    }
    let layouts = (datarep.layout(mpi, &etype)?, datarep.layout(mpi, &filetype)?);
    let file = mpi.file(fh)?;
    let disp = match (disp, file.is_sequential()) {
        // The ranks learn the position of the pointer when all of them are here.
        (abi::MPI_DISPLACEMENT_CURRENT, true) => 0,
        (abi::MPI_DISPLACEMENT_CURRENT, false) => {
            return Err(Error::new(
                abi::MPI_ERR_ARG,
                "MPI_DISPLACEMENT_CURRENT is only for files opened with MPI_MODE_SEQUENTIAL",
            ));
        }
        (_, true) => {
            return Err(Error::new(
                abi::MPI_ERR_ARG,
                "the displacement of a file opened with MPI_MODE_SEQUENTIAL must be \
                 MPI_DISPLACEMENT_CURRENT",
            ));
        }
        (disp, false) => disp,
    };
    View::new(disp, (&etype, &filetype), layouts, datarep, file.may_write())
}

/// Sends this rank's view to the aggregators. Returns the views of all ranks, at an aggregator.
fn exchange(
    mpi: &mut Mpi,
    fh: handle::File,
    aggregators: &[u32],
    view: &Arc<View>,
    (description, lengths): (&[u8], &[usize]),
) -> Outcome<Arc<[Arc<View>]>> {
    let file = mpi.file(fh)?;
    let (comm, rank) = (file.comm, file.rank);
    let own = coll::scratch_bytes(description.len())?;
    own.unpack_at(0, description);
    let mut received: Vec<Option<Buffer>> = vec![None; lengths.len()];
    if aggregators.contains(&rank) {
        for (from, place) in
            received.iter_mut().enumerate().filter(|(from, _)| *from != rank as usize)
        {
            *place = Some(coll::scratch_bytes(lengths[from])?);
        }
    }
    coll::run(mpi, comm, |steps| {
        for &to in aggregators.iter().filter(|&&to| to != rank) {
            steps.send(to, &own);
        }
        for (from, place) in received.iter().enumerate() {
            if let Some(place) = place {
                steps.receive(from as u32, place);
            }
        }
        steps.wait();
        Ok(())
    })?;
    received
        .iter()
        .map(|place| match place {
            None => Ok(view.clone()),
            Some(place) if place.as_bytes() == Some(description) => Ok(view.clone()),
            Some(place) => {
                View::from_description(place.as_bytes().unwrap_or_default()).map(Arc::new)
            }
        })
        .collect()
}

/// Returns the view: displacement, etype, filetype, and the name of the data representation.
pub fn get_view(mpi: &Mpi, fh: handle::File) -> Outcome<(i64, Datatype, Datatype, String)> {
    let view = &mpi.file(fh)?.view;
    Ok((view.disp, view.etype.clone(), view.filetype.clone(), view.datarep.name().to_owned()))
}

/// Returns the offset of a pointer that moves from `current`, in etypes.
fn moved(mpi: &mut Mpi, fh: handle::File, current: i64, offset: i64, whence: i32) -> Outcome<i64> {
    let file = mpi.file(fh)?;
    if file.is_sequential() {
        return Err(Error::new(
            abi::MPI_ERR_UNSUPPORTED_OPERATION,
            "a file that is open with MPI_MODE_SEQUENTIAL cannot be positioned",
        ));
    }
    let from = match whence {
        abi::MPI_SEEK_SET => 0,
        abi::MPI_SEEK_CUR => current,
        abi::MPI_SEEK_END => {
            let view = file.view.clone();
            view.etypes_in(size_of_file(mpi, fh, "MPI_File_seek")?)
        }
        _ => {
            return Err(Error::new(
                abi::MPI_ERR_ARG,
                "whence must be MPI_SEEK_SET, MPI_SEEK_CUR or MPI_SEEK_END",
            ));
        }
    };
    let to = from.checked_add(offset).filter(|to| *to >= 0);
    to.ok_or_else(|| {
        Error::new(abi::MPI_ERR_ARG, format!("{offset} etypes from {from} is not in the file"))
    })
}

/// Implements `MPI_File_seek`.
pub fn seek(mpi: &mut Mpi, fh: handle::File, offset: i64, whence: i32) -> Outcome {
    let current = mpi.file(fh)?.pointer;
    let to = moved(mpi, fh, current, offset, whence)?;
    mpi.file_mut(fh)?.pointer = to;
    Ok(())
}

/// Implements `MPI_File_seek_shared`.
pub fn seek_shared(mpi: &mut Mpi, fh: handle::File, offset: i64, whence: i32) -> Outcome {
    drain(mpi, fh)?;
    let (comm, rank) = (mpi.file(fh)?.comm, mpi.file(fh)?.rank);
    let current = shared::fetch_add(mpi, fh, 0);
    let to = current.and_then(|current| moved(mpi, fh, current, offset, whence));
    let words = to.map(|to| [to as u64, offset as u64, whence as u64, 0]);
    let all = agree(mpi, comm, words).map_err(|error| error.on_file(fh))?;
    let own = || {
        let base = match whence {
            abi::MPI_SEEK_SET => "MPI_SEEK_SET",
            abi::MPI_SEEK_CUR => "MPI_SEEK_CUR",
            _ => "MPI_SEEK_END",
        };
        format!("offset is {offset} from {base}")
    };
    check_same(mpi, comm, &all, |words| [words[1], words[2]], own)
        .map_err(|error| error.on_file(fh))?;
    let set = if rank == 0 { shared::set(mpi, fh, all[0][0] as i64) } else { Ok(()) };
    agree_on(mpi, comm, set).map_err(|error| error.on_file(fh))
}

/// Implements `MPI_File_get_position`.
pub fn get_position(mpi: &mut Mpi, fh: handle::File) -> Outcome<i64> {
    let file = mpi.file(fh)?;
    match file.is_sequential() {
        true => moved(mpi, fh, 0, 0, abi::MPI_SEEK_SET),
        false => Ok(file.pointer),
    }
}

/// Implements `MPI_File_get_position_shared`.
pub fn get_position_shared(mpi: &mut Mpi, fh: handle::File) -> Outcome<i64> {
    moved(mpi, fh, 0, 0, abi::MPI_SEEK_SET)?;
    shared::fetch_add(mpi, fh, 0)
}

/// Implements `MPI_File_get_byte_offset`.
pub fn byte_offset(mpi: &mut Mpi, fh: handle::File, offset: i64) -> Outcome<i64> {
    moved(mpi, fh, 0, offset, abi::MPI_SEEK_SET)?;
    let view = &mpi.file(fh)?.view;
    let position = view.position(offset)?;
    view.check(position, 1)?;
    Ok(view.locate(position).offset as i64)
}

/// Implements `MPI_File_get_type_extent`.
pub fn type_extent(mpi: &mut Mpi, fh: handle::File, datatype: handle::Datatype) -> Outcome<i64> {
    let view = mpi.file(fh)?.view.clone();
    datarep::extent(mpi, &view.datarep, datatype)
}
