//! Descriptors that the processes of a host pass to each other.
//!
//! On a file system of a network, opening a file is a message to its server, and a job that opens a
//! file at each of its processes at once floods the server with them. So one process of a host
//! opens the file, and the others take its descriptor (`pidfd_getfd(2)`). The kernel permits that
//! to processes that may access each other's memory. Where it does not, each process opens the
//! file. A process that has ended passes nothing, and nobody waits for it here.
//!
//! The processes then share an open file description. That disturbs nobody: transfers name their
//! offsets, and all processes of a host set the same flags.

use crate::engine::Engine;
use crate::file_system;
use crate::group::Group;
use nemesis_sys::file::{Access, File};
use std::ffi::CStr;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Returns a number by which the processes of a host tell whether they name a file alike.
pub(crate) fn number_of_name(path: &CStr) -> u32 {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    if !path.to_bytes().starts_with(b"/") {
        std::env::current_dir().ok().hash(&mut hasher);
    }
    hasher.finish() as u32
}

/// Returns the word by which others take a file that this process has opened: its device and the
/// number of the descriptor from 1 on; 0 if they should open it themselves.
pub(crate) fn offer(file: &File) -> u64 {
    let is_worthwhile = file_system::of(file).asks_server && file.has_offsets();
    match u32::try_from(file.number()) {
        Ok(number) if is_worthwhile => {
            u64::from(short(file.device())) << 32 | u64::from(number + 1)
        }
        _ => 0,
    }
}

/// Takes a file that `rank` of the file's group has opened and offered. Returns `None` if that
/// cannot be done, or if the descriptor is not of the expected file.
pub(crate) fn take(
    engine: &Engine,
    (group, rank): (&Group, u32),
    offered: u64,
    (inode, access): (u64, Access),
) -> Option<File> {
    let number = i32::try_from((offered as u32).checked_sub(1)?).ok()?;
    let process = *group.processes().get(rank as usize)?;
    let pid = engine.memory.as_ref()?.pid(process).ok()?;
    let file = File::of_process(pid, number).ok()?;
    let is_it = file.inode() == inode
        && u64::from(short(file.device())) == offered >> 32
        && file.is_open_for(access);
    is_it.then_some(file)
}

/// Returns a device's number in 32 bits.
fn short(device: u64) -> u32 {
    (device ^ device >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_a_number_of_its_own() {
        let number = number_of_name(c"/a/file");
        assert_eq!(number_of_name(c"/a/file"), number);
        assert!([c"/a/files", c"a/file", c""].map(number_of_name).iter().all(|&it| it != number));
    }

    #[test]
    fn a_file_of_this_host_is_not_offered() {
        let program = std::env::current_exe().expect("a path");
        let path = std::ffi::CString::new(program.into_os_string().into_encoded_bytes());
        let file = File::open(&path.expect("a path has no NUL"), Access::Read, None);
        let file = file.expect("this program exists");
        let offered = offer(&file);
        match file_system::of(&file).asks_server {
            false => assert_eq!(offered, 0),
            true => assert_eq!(offered as u32, file.number() as u32 + 1),
        }
    }
}
