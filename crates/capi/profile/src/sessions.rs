//! The profile of a program that opens sessions and does not call `MPI_Init`, under a launcher that
//! collects none. No communicator has all processes when they end, so each writes its figures to a
//! file when it exits. The process that completes the files merges them.
//!
//! ```text
//!   FOLDER/ranks-JOB/0.json  1.json ...   figures, under their final names once they are complete
//!   FOLDER/ranks-JOB/merged               made by the process that merges
//! ```

use crate::gather::{conclude, folder};
use crate::library::{Library, library};
use crate::slot::{Slot, make_own, slot};
use nemesis_profile::figures::Figures;
use nemesis_profile::layout::{STATE_FINAL, head};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::Duration;

/// The file that one process makes, and then merges.
const MERGED: &str = "merged";
/// How often rank 0 looks whether the other processes have ended, and how long it pauses between.
const LOOKS: usize = 20;
const PAUSE: Duration = Duration::from_millis(100);

/// `PMPI_Group_from_session_pset`.
type FromSet = unsafe extern "C" fn(usize, *const c_char, *mut usize) -> c_int;
/// A function of a group with one result.
type Ask = unsafe extern "C" fn(usize, *mut c_int) -> c_int;
/// `PMPI_Group_free`.
type Free = unsafe extern "C" fn(*mut usize) -> c_int;

/// Begins to count after `MPI_Session_init` with the arguments `words`, if the user asks for a
/// profile.
pub fn begin(words: &[usize]) {
    static ONCE: Once = Once::new();
    let Some(library) = library().filter(|_| folder().is_some()) else { return };
    ONCE.call_once(|| {
        // SAFETY: the call has stored the session's handle where its last argument points.
        let session = unsafe { library.abi.read_handle(words[2]) };
        let Some((size, rank)) = place_in_job(library, session) else { return };
        make_own(size as usize, rank as u32).admit_sessions();
        if !nemesis_sys::process::at_exit(end) {
            nemesis_sys::message::tell(format_args!(
                "nemesis: the profile of rank {rank} is lost: out of memory"
            ));
        }
    });
}

/// Returns the size of the job, and this process's rank in it.
fn place_in_job(library: &Library, session: usize) -> Option<(c_int, c_int)> {
    let function = |name: &CStr| library.function(name);
    let (from_set, size, rank, free) = (
        function(c"PMPI_Group_from_session_pset")?,
        function(c"PMPI_Group_size")?,
        function(c"PMPI_Group_rank")?,
        function(c"PMPI_Group_free")?,
    );
    // SAFETY: the functions of these names have these signatures; handles are passed as words.
    let (from_set, ask, free) = unsafe {
        (
            std::mem::transmute::<*mut c_void, FromSet>(from_set),
            [size, rank].map(|function| std::mem::transmute::<*mut c_void, Ask>(function)),
            std::mem::transmute::<*mut c_void, Free>(free),
        )
    };
    // A handle has this size or is shorter.
    let (mut group, mut answers) = (0, [0; 2]);
    // SAFETY: the session is open, the name a C string, and the places are local variables.
    unsafe {
        if from_set(session, c"mpi://WORLD".as_ptr(), &mut group) != 0 {
            return None;
        }
        let handle = library.abi.read_handle((&raw const group).expose_provenance());
        let codes = [0, 1].map(|at| ask[at](handle, &mut answers[at]));
        free(&mut group);
        (codes == [0, 0] && answers[1] >= 0).then_some((answers[0], answers[1]))
    }
}

/// Writes the figures of this process at its exit, unless `MPI_Finalize` has gathered them.
extern "C" fn end() {
    let (Some(slot), Some(library), Some(folder)) = (slot(), library(), folder()) else { return };
    if slot.get(head::STATE) == STATE_FINAL {
        return;
    }
    let Some(mut own) = Figures::read(&slot.layout, &slot.copied(), &nemesis_sys::host::hostname())
    else {
        return;
    };
    own.finalized = true;
    let ranks = PathBuf::from(&folder).join(format!("ranks-{:016x}", library.job()));
    if let Err(error) = put(&ranks, &own) {
        nemesis_sys::message::tell(format_args!(
            "nemesis: the profile of rank {} cannot be written: {}: {error}; try: \
             NEMESIS_PROFILE=FOLDER with a folder that all hosts share",
            own.rank,
            ranks.display()
        ));
        return;
    }
    let looks = if own.rank == 0 { LOOKS } else { 1 };
    for look in 0..looks {
        if look > 0 {
            std::thread::sleep(PAUSE);
        }
        if merge(slot, &ranks).is_none() {
            return;
        }
    }
    if own.rank == 0 {
        nemesis_sys::message::tell(format_args!(
            "nemesis: the last process that ends writes the profile; {} of {} have written their \
             figures to {}; try: a folder that all hosts share, if no profile follows",
            written(&ranks).unwrap_or(0),
            slot.layout.ranks,
            ranks.display()
        ));
    }
}

/// Writes the figures of this process.
fn put(ranks: &Path, own: &Figures) -> io::Result<()> {
    fs::create_dir_all(ranks)?;
    let (half, whole) = (format!("{}.part", own.rank), format!("{}.json", own.rank));
    fs::write(ranks.join(&half), serde_json::to_vec(own)?)?;
    fs::rename(ranks.join(half), ranks.join(whole))
}

/// Returns how many processes have written their figures; `None` if they have been merged.
fn written(ranks: &Path) -> Option<usize> {
    let entries = fs::read_dir(ranks).ok()?.filter_map(Result::ok);
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    Some(names.filter(|name| name.ends_with(".json")).count())
}

/// Merges the figures if all are there and no other process does it. Returns `None` if there is
/// nothing left to do.
fn merge(slot: &Slot, ranks: &Path) -> Option<()> {
    if written(ranks)? < slot.layout.ranks {
        return Some(());
    }
    File::create_new(ranks.join(MERGED)).ok()?;
    let read = |rank: usize| fs::read(ranks.join(format!("{rank}.json"))).ok();
    let figures = (0..slot.layout.ranks).filter_map(read);
    conclude(slot, figures.filter_map(|text| serde_json::from_slice(&text).ok()).collect());
    // Files that stay do no harm: the next job has another number.
    let _ = fs::remove_dir_all(ranks);
    None
}
