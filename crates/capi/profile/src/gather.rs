//! The profile of a job whose launcher collects none: rank 0 gathers the figures of all ranks when
//! MPI ends, prints the table and writes the page. A rank that dies before takes them with it.

use crate::library::{Library, library};
use crate::slot::{Slot, make_own};
use nemesis_profile::figures::{Figures, SiteFigures};
use nemesis_profile::job::Profile;
use nemesis_profile::layout::{PROFILE_VARIABLE, folder_named};
use nemesis_profile::{files, table};
use nemesis_source_lines::{Site, SourceLines};
use nemesis_sys::calendar;
use std::ffi::{CStr, c_int, c_void};
use std::path::Path;
use std::ptr::null_mut;
use std::time::{SystemTime, UNIX_EPOCH};

/// A function of a communicator with one result.
type Ask = unsafe extern "C" fn(usize, *mut c_int) -> c_int;
/// `PMPI_Gather`.
type Gather = unsafe extern "C" fn(
    *const c_void,
    c_int,
    usize,
    *mut c_void,
    c_int,
    usize,
    c_int,
    usize,
) -> c_int;
/// `PMPI_Gatherv`.
type Gatherv = unsafe extern "C" fn(
    *const c_void,
    c_int,
    usize,
    *mut c_void,
    *const c_int,
    *const c_int,
    usize,
    c_int,
    usize,
) -> c_int;

/// Begins to count after `MPI_Init` or `MPI_Init_thread` with the arguments `words`, if the user
/// asks for a profile and the launcher collects none.
pub fn begin(words: &[usize]) {
    let Some(library) = library().filter(|_| folder().is_some()) else { return };
    let size = asked(library, c"PMPI_Comm_size");
    let rank = asked(library, c"PMPI_Comm_rank");
    if let (Some(size), Some(rank)) = (size, rank) {
        make_own(size as usize, rank as u32).admit_threads(words);
    }
}

/// Returns the folder of the profile, if the user asks for one.
pub fn folder() -> Option<String> {
    folder_named(&std::env::var(PROFILE_VARIABLE).ok()?)
}

/// Returns the answer of a function about `MPI_COMM_WORLD`.
fn asked(library: &Library, name: &CStr) -> Option<c_int> {
    let function = library.function(name)?;
    let mut answer = 0;
    // SAFETY: the function of this name has this signature; a handle is passed as a word.
    let code =
        unsafe { std::mem::transmute::<*mut c_void, Ask>(function)(library.world(), &mut answer) };
    (code == 0).then_some(answer)
}

/// Gathers the figures of all ranks at rank 0, which prints and writes the profile.
pub fn gather(slot: &Slot, library: &Library) {
    let host = nemesis_sys::host::hostname();
    let Some(mut own) = Figures::read(&slot.layout, &slot.copied(), &host) else { return };
    own.finalized = true;
    let mut text = serde_json::to_vec(&own).unwrap_or_default();
    // The texts of all ranks together fit the counts of MPI_Gatherv, so that rank 0 never leaves
    // the others in it. A rank without a text has no figures.
    if text.len() > c_int::MAX as usize / slot.layout.ranks {
        text.clear();
    }
    let Some(texts) = gathered(library, &text, slot.layout.ranks, own.rank == 0) else { return };
    if own.rank != 0 {
        return;
    }
    let ranks = texts.iter().filter_map(|text| serde_json::from_slice(text).ok()).collect();
    conclude(slot, ranks);
}

/// Prints and writes the profile of a job with these figures.
pub fn conclude(slot: &Slot, ranks: Vec<Figures>) {
    let words = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    let command = words.collect::<Vec<String>>().join(" ");
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut profile =
        Profile::new(slot.layout.ranks as u32, ranks, command, calendar::rfc3339(now));
    let mut lines = SourceLines::default();
    profile.name_places(|place| {
        let SiteFigures { file, offset, is_program, .. } = place.clone();
        lines.in_words(&Site { module: file, offset, is_program })
    });
    nemesis_sys::message::tell(format_args!("nemesis: {}", table(&profile)));
    match files::write(&profile, Path::new(&folder().unwrap_or_default()), false) {
        Ok((page, _)) => nemesis_sys::message::tell(format_args!(
            "nemesis: the profile is in {}",
            page.display()
        )),
        Err((path, error)) => nemesis_sys::message::tell(format_args!(
            "nemesis: the profile cannot be written: {}: {error}; try: {PROFILE_VARIABLE}=FOLDER",
            path.display()
        )),
    }
}

/// Returns the texts of all ranks at rank 0, and nothing elsewhere.
fn gathered(library: &Library, text: &[u8], ranks: usize, is_root: bool) -> Option<Vec<Vec<u8>>> {
    let (world, byte) = (library.world(), library.byte());
    let gather = library.function(c"PMPI_Gather")?;
    let gatherv = library.function(c"PMPI_Gatherv")?;
    // SAFETY: the functions of these names have these signatures; handles are passed as words.
    let (gather, gatherv) = unsafe {
        (
            std::mem::transmute::<*mut c_void, Gather>(gather),
            std::mem::transmute::<*mut c_void, Gatherv>(gatherv),
        )
    };
    let length = c_int::try_from(text.len()).ok()?;
    let mut lengths = vec![0; if is_root { ranks } else { 0 }];
    let own = std::ptr::from_ref(&length).cast();
    // SAFETY: the root's array has four bytes for each rank.
    let code = unsafe { gather(own, 4, byte, lengths.as_mut_ptr().cast(), 4, byte, 0, world) };
    let mut places = Vec::with_capacity(lengths.len());
    let mut end: c_int = 0;
    for length in &lengths {
        places.push(end);
        end = end.checked_add(*length)?;
    }
    let mut all = vec![0u8; end as usize];
    let into = if is_root { all.as_mut_ptr().cast() } else { null_mut() };
    // SAFETY: the root's memory has the bytes that the ranks have announced, in their order.
    let second = unsafe {
        gatherv(
            text.as_ptr().cast(),
            length,
            byte,
            into,
            lengths.as_ptr(),
            places.as_ptr(),
            byte,
            0,
            world,
        )
    };
    let cut = |(place, length): (&c_int, &c_int)| {
        all[*place as usize..(*place + *length) as usize].to_vec()
    };
    (code == 0 && second == 0).then(|| places.iter().zip(&lengths).map(cut).collect())
}
