//! The memory in which the ranks of this host count (`-profile`).

use crate::launch_error::LaunchError;
use crate::launch_spec::Common;
use nemesis_profile::figures::Figures;
use nemesis_profile::layout::{EVENT_WORDS, Layout, MEMORY_NAME, STATE_RUNNING, head};
use nemesis_sys::clock::monotonic_ns;
use nemesis_sys::memfd::file_bytes_max;
use rustix::fd::OwnedFd;
use rustix::fs::MemfdFlags;
use rustix::io::Errno;
use std::ffi::CString;
use std::path::Path;

/// The library that counts, and its folder in an installation.
const LIBRARY: &str = "libnemesis_profiler.so";
const INSTALLED: &str = "../lib/nemesis";

/// Calls of a rank that a trace holds. Later ones are counted, and not recorded.
const EVENTS: usize = 1 << 16;

/// The memory in which the ranks of this host count.
pub struct Counters {
    pub memory: OwnedFd,
    /// The library that the ranks load first.
    pub library: String,
    layout: Layout,
}

impl Counters {
    /// Makes the memory for `local` ranks, if the user asks for a profile.
    ///
    /// # Errors
    ///
    /// Returns why there can be no profile, in words for the user.
    pub fn make(common: &Common, local: u32) -> Result<Option<Counters>, LaunchError> {
        let Some(trace) = common.profile else { return Ok(None) };
        let (ranks, slots) = (common.size as usize, local as usize);
        let layout = Layout { ranks, slots, events: if trace { EVENTS } else { 0 } };
        let library = library()?;
        let refused = |why: Errno| {
            LaunchError::of_system("-profile: no memory for the counters", &why.into())
        };
        if file_bytes_max() < layout.bytes() {
            let permitted = file_bytes_max();
            return Err(LaunchError::new(
                format!(
                    "-profile: `ulimit -f` permits {permitted} bytes, and the counters need {}",
                    layout.bytes()
                ),
                "ulimit -f unlimited",
            ));
        }
        let name = CString::new(MEMORY_NAME).unwrap_or_default();
        let memory = rustix::fs::memfd_create(name, MemfdFlags::CLOEXEC).map_err(refused)?;
        rustix::fs::ftruncate(&memory, layout.bytes()).map_err(refused)?;
        let words: Vec<u8> = layout.words().iter().flat_map(|word| word.to_ne_bytes()).collect();
        rustix::io::pwrite(&memory, &words, 0).map_err(refused)?;
        nemesis_sys::process::pass_on(&memory).map_err(refused)?;
        Ok(Some(Counters { memory, library, layout }))
    }

    /// Notes that the process of a slot has ended, unless it has finalized MPI: its last call is
    /// over.
    pub fn note_end(&self, slot: usize) {
        let state = self.words(slot, head::STATE, 1);
        if slot < self.layout.slots && state == [STATE_RUNNING] {
            let place = (self.layout.slot(slot) + head::ENDED) as u64 * 8;
            // If it fails, the profile lacks that call.
            let _ = rustix::io::pwrite(&self.memory, &monotonic_ns().to_ne_bytes(), place);
        }
    }

    /// Returns `words` words of a slot from word `place` on.
    fn words(&self, slot: usize, place: usize, words: usize) -> Vec<u64> {
        let mut bytes = vec![0; words * 8];
        let from = (self.layout.slot(slot) + place) as u64 * 8;
        let read = rustix::io::pread(&self.memory, &mut bytes, from).unwrap_or(0);
        bytes[..read].as_chunks().0.iter().copied().map(u64::from_ne_bytes).collect()
    }

    /// Returns the figures of the ranks of this host that have called MPI.
    pub fn figures(&self, host: &str) -> Vec<Figures> {
        let of = |slot| {
            let mut words = self.words(slot, 0, self.layout.counted_words());
            let events = words.get(head::EVENTS).map_or(0, |&events| events as usize);
            let recorded = events.min(self.layout.events) * EVENT_WORDS;
            words.extend(self.words(slot, self.layout.event(0), recorded));
            Figures::read(&self.layout, &words, host)
        };
        (0..self.layout.slots).filter_map(of).collect()
    }
}

/// Returns the path of the library that counts: that of the installation, or of the build.
fn library() -> Result<String, LaunchError> {
    let own = std::env::current_exe().map_err(|why| LaunchError::of_system("-profile", &why))?;
    let folder = own.parent().unwrap_or(Path::new("/"));
    let places = [folder.join(INSTALLED).join(LIBRARY), folder.join(LIBRARY)];
    let found = places.iter().find_map(|place| place.canonicalize().ok()).ok_or_else(|| {
        let place = folder.join(INSTALLED);
        LaunchError::new(
            format!("-profile: {LIBRARY}, which counts the calls, is not in {}", place.display()),
            "`make install` again",
        )
    })?;
    match found.to_str() {
        // The dynamic linker separates the names of LD_PRELOAD by these characters.
        Some(path) if !path.contains([' ', ':', '\t', '\n']) => Ok(path.to_owned()),
        _ => Err(LaunchError::new(
            format!(
                "-profile: the path {} has a space or a colon, with which no library can be \
                 loaded first",
                found.display()
            ),
            "`make install` with another PREFIX",
        )),
    }
}
