//! The build of the library. What a process tells its launcher, the other processes of its job and
//! those of connected jobs has no versions of its own, so only processes of one build understand
//! each other. Each such conversation begins with a comparison of the builds.
//!
//! | conversation | where the builds are compared |
//! |---|---|
//! | a process and `mpiexec` | `init` and its answer (`session`, `mpiexec/pmi.rs`) |
//! | a process that spawns and its `mpiexec` | the request (`mpiexec/pmi.rs`) |
//! | processes of a job under other launchers | their cards (`card`) |
//! | jobs at a port, a spawn and the new job's `mpiexec` | the handshake (`port`) |
//! | `mpiexec` and its agents | the bootstrap record (`mpiexec/tree`) |
//!
//! A process of another build than `mpiexec` uses PMI-1 alone, which has versions, and finds the
//! others as under a foreign launcher. All other differences are errors.

use std::fmt;
use std::path::PathBuf;

/// Longest text of a build.
pub const BYTES_MAX: usize = 40;

const OWN: &str = env!("WIREUP_BUILD");
const _: () = assert!(OWN.len() <= BYTES_MAX);

/// What a user can try if two builds meet.
pub const ADVICE: &str = "one installation for programs and mpiexec, on all hosts: compare the \
                          folders of mpiexec and of the library (`ldd PROGRAM`, LD_LIBRARY_PATH)";

/// Returns the build of this library or program: its version, and a hash of the processor's kind
/// and of the sources that define what processes tell each other. A token of PMI-1.
pub fn own() -> &'static str {
    // Kept as one text in the file, in which tests replace it to make another build.
    std::hint::black_box(OWN)
}

/// A process or program of another build.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OtherBuild {
    /// Which process or program it is.
    pub who: String,
    /// Its build; `None` if what it has sent does not name one.
    pub build: Option<String>,
}

impl OtherBuild {
    /// Returns a description of the process or program unless it is of this build.
    pub fn unless_own(who: &str, build: Option<&str>) -> Option<OtherBuild> {
        (build != Some(own()))
            .then(|| OtherBuild { who: who.to_owned(), build: build.map(str::to_owned) })
    }
}

impl fmt::Display for OtherBuild {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let theirs = match &self.build {
            Some(build) => format!("of build {build}"),
            None => "of an unknown build (it does not tell)".to_owned(),
        };
        let file = file().map_or("this process".to_owned(), |file| file.display().to_string());
        let who = &self.who;
        write!(f, "different builds: {who} is {theirs}, and {file} of build {}", own())
    }
}

impl std::error::Error for OtherBuild {}

/// Returns the file that contains this code: the library, or a program such as `mpiexec`.
pub fn file() -> Option<PathBuf> {
    let here = file as fn() -> Option<PathBuf> as usize as u64;
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let line = maps.lines().find(|line| {
        let range = line.split(' ').next().and_then(|range| range.split_once('-'));
        let hexadecimal = |text: &str| u64::from_str_radix(text, 16).unwrap_or(0);
        range.is_some_and(|(start, end)| hexadecimal(start) <= here && here < hexadecimal(end))
    })?;
    Some(PathBuf::from(line.get(line.find('/')?..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_is_a_version_and_a_hash() {
        let (version, hash) = own().rsplit_once('-').unwrap();
        assert_eq!(version, env!("CARGO_PKG_VERSION"));
        assert!(hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok());
        assert!(crate::pmi1::is_token(own()));
    }

    #[test]
    fn another_build_is_described_with_both_and_the_file() {
        assert_eq!(OtherBuild::unless_own("mpiexec", Some(own())), None);
        let other = OtherBuild::unless_own("mpiexec", Some("0.1.0-0")).unwrap().to_string();
        let file = file().unwrap();
        for part in ["mpiexec is of build 0.1.0-0", own(), file.to_str().unwrap()] {
            assert!(other.contains(part), "{other}");
        }
        let unknown = OtherBuild::unless_own("mpiexec", None).unwrap().to_string();
        assert!(unknown.contains("mpiexec is of an unknown build"), "{unknown}");
    }

    #[test]
    fn the_code_is_mapped_from_a_file() {
        assert!(file().is_some_and(|file| file.is_absolute()));
    }
}
