//! Files of the program: opened by name, read and written at explicit offsets.
//!
//! A [`File`] has no position of its own, except for pipes and terminals, which have no offsets.
//! Reads and writes go on after an interruption and after a short transfer, until everything is
//! moved, the file ends, or the kernel refuses. [`Caching`] says how they use the kernel's cache.

use crate::descriptors;
use rustix::fd::{AsRawFd, IntoRawFd, OwnedFd};
use rustix::fs::{
    Advice, AtFlags, FallocateFlags, FileType, Mode, OFlags, SeekFrom, StatxFlags, XattrFlags,
};
use rustix::io::{ReadWriteFlags, retry_on_intr};
use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags};
use std::ffi::{CStr, CString};
use std::io::IoSlice;

pub use rustix::io::Errno;

/// Most bytes of one system call. Linux moves at most 2³¹ − 4096 bytes in one call.
const CALL_MAX_BYTES: usize = 1 << 30;

/// Distance of the bytes that [`File::preallocate`] writes if the file system cannot allocate:
/// the smallest block in use.
const BLOCK_BYTES: u64 = 4096;

/// Bytes that [`File::preallocate`] writes at a time if each write goes to a server.
const ZEROS_BYTES: usize = 1 << 20;

/// How transfers of a file use the kernel's cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caching {
    /// Through the cache: a write may stay there, a read may find there what the file held once.
    Cached,
    /// Bypassing the cache (`O_DIRECT`): when a write returns, the server has its bytes and no
    /// others; a read asks the server. For file systems that need no aligned offsets and memory.
    Direct,
    /// Through the cache, which holds nothing afterwards that a server does not have, and before
    /// a read nothing at all: for file systems that may refuse `O_DIRECT`.
    Through,
}

/// What a file is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reading only.
    Read,
    /// Writing only.
    Write,
    /// Reading and writing.
    ReadWrite,
}

/// How a file that does not exist is created.
#[derive(Clone, Copy, Debug)]
pub struct Creation {
    /// An existing file is an error.
    pub exclusive: bool,
    /// Permissions, which the process's umask reduces.
    pub permissions: u32,
}

/// The file system that holds a file, as `statfs(2)` tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileSystem {
    /// The type, a constant of `statfs(2)`; 0 if the kernel does not tell it.
    pub kind: u64,
    /// The length of a block in bytes; 0 if the kernel does not tell it.
    pub block_bytes: u64,
}

/// Result of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moved {
    /// Number of bytes moved.
    pub bytes: usize,
    /// Why the transfer ended early, unless the file ended.
    pub failed: Option<Errno>,
}

/// An open file.
#[derive(Debug)]
pub struct File {
    descriptor: OwnedFd,
    has_offsets: bool,
    inode: u64,
    device: u64,
    file_system: FileSystem,
    caching: Caching,
}

impl File {
    /// Opens a file.
    ///
    /// # Errors
    /// The kernel's; `EISDIR` for a folder, whatever it is opened for.
    pub fn open(path: &CStr, access: Access, creation: Option<Creation>) -> Result<File, Errno> {
        let mut flags = OFlags::CLOEXEC | OFlags::NOCTTY | flags_of(access);
        let mut mode = Mode::empty();
        if let Some(creation) = creation {
            flags |= OFlags::CREATE;
            if creation.exclusive {
                flags |= OFlags::EXCL;
            }
            mode = Mode::from_raw_mode(creation.permissions);
        }
        let open = || retry_on_intr(|| rustix::fs::open(path, flags, mode));
        File::of(descriptors::beyond(descriptors::retry(open)?))
    }

    /// Takes over what process `pid` has opened as its descriptor `number`. The two processes then
    /// share an open file description: the flags of one are those of the other. The caller compares
    /// the file with the one that it expects, because the number may be another file's by now.
    ///
    /// # Errors
    /// The kernel's: `EPERM` unless this process may access the other one's memory, `ESRCH` if that
    /// process has ended, `EBADF` if it has closed the file, `ENOSYS` before Linux 5.6.
    pub fn of_process(pid: i32, number: i32) -> Result<File, Errno> {
        let pid = Pid::from_raw(pid).ok_or(Errno::SRCH)?;
        let open = || rustix::process::pidfd_open(pid, PidfdFlags::empty());
        let process = descriptors::retry(open)?;
        let take = || rustix::process::pidfd_getfd(&process, number, PidfdGetfdFlags::empty());
        File::of(descriptors::beyond(descriptors::retry(take)?))
    }

    /// Makes a file of a descriptor that has just been opened.
    fn of(descriptor: OwnedFd) -> Result<File, Errno> {
        let status = rustix::fs::fstat(&descriptor)?;
        if FileType::from_raw_mode(status.st_mode) == FileType::Directory {
            return Err(Errno::ISDIR);
        }
        let has_offsets = rustix::fs::seek(&descriptor, SeekFrom::Current(0)).is_ok();
        let file_system = rustix::fs::fstatfs(&descriptor).map_or_else(
            |_| FileSystem::default(),
            |status| FileSystem {
                kind: kind_of(status.f_type as u64),
                block_bytes: status.f_bsize as u64,
            },
        );
        let (inode, device, caching) = (status.st_ino, status.st_dev, Caching::Cached);
        Ok(File { descriptor, has_offsets, inode, device, file_system, caching })
    }

    /// Returns the number of the descriptor, by which [`of_process`](File::of_process) takes it.
    pub fn number(&self) -> i32 {
        self.descriptor.as_raw_fd()
    }

    /// Returns the number of the mounted file system on this host.
    pub fn device(&self) -> u64 {
        self.device
    }

    /// Returns whether the file is open for `access` and nothing else.
    pub fn is_open_for(&self, access: Access) -> bool {
        rustix::fs::fcntl_getfl(&self.descriptor)
            .is_ok_and(|flags| flags & OFlags::ACCMODE == flags_of(access))
    }

    /// Returns the number that tells the file from others of its file system. File systems of a
    /// network have one number for a file on all hosts.
    pub fn inode(&self) -> u64 {
        self.inode
    }

    /// Returns how transfers use the kernel's cache.
    pub fn caching(&self) -> Caching {
        self.caching
    }

    /// Chooses how later transfers use the kernel's cache, which holds nothing old afterwards.
    /// Files without offsets have no cache, and a file whose system refuses `O_DIRECT` has
    /// [`Caching::Through`] in its place.
    pub fn set_caching(&mut self, caching: Caching) {
        if !self.has_offsets {
            return;
        }
        self.caching = match caching {
            Caching::Direct => {
                let flags = rustix::fs::fcntl_getfl(&self.descriptor);
                let set = flags.and_then(|flags| {
                    rustix::fs::fcntl_setfl(&self.descriptor, flags | OFlags::DIRECT)
                });
                if set.is_ok() { Caching::Direct } else { Caching::Through }
            }
            other => other,
        };
        self.forget();
    }

    /// Drops what the kernel's cache holds of the file, its length included.
    fn forget(&self) {
        // A failure of the file system shows in the transfer that follows.
        let _ = self.newest_size();
        let _ = rustix::fs::fadvise(&self.descriptor, 0, None, Advice::DontNeed);
    }

    /// Returns whether bytes of the file have offsets; those of pipes and terminals have none.
    pub fn has_offsets(&self) -> bool {
        self.has_offsets
    }

    /// Reads from `offset` on. Fewer bytes than asked for without a failure mean that the file
    /// ends. A file without offsets is read where it stands.
    pub fn read_at(&self, into: &mut [u8], offset: u64) -> Moved {
        if self.caching == Caching::Through {
            self.forget();
        }
        let mut bytes = 0;
        while bytes < into.len() {
            let end = into.len().min(bytes + CALL_MAX_BYTES);
            let piece = &mut into[bytes..end];
            let read = retry_on_intr(|| match self.has_offsets {
                true => rustix::io::pread(&self.descriptor, &mut *piece, offset + bytes as u64),
                false => rustix::io::read(&self.descriptor, &mut *piece),
            });
            match read {
                Ok(0) => break,
                Ok(read) => bytes += read,
                Err(errno) => return Moved { bytes, failed: Some(errno) },
            }
        }
        Moved { bytes, failed: None }
    }

    /// Writes from `offset` on. A file without offsets is written where it stands.
    pub fn write_at(&self, from: &[u8], offset: u64) -> Moved {
        let mut bytes = 0;
        while bytes < from.len() {
            let piece = &from[bytes..from.len().min(bytes + CALL_MAX_BYTES)];
            let at = offset + bytes as u64;
            let written = retry_on_intr(|| match (self.has_offsets, self.caching) {
                (false, _) => rustix::io::write(&self.descriptor, piece),
                (true, Caching::Through) => {
                    let pieces = [IoSlice::new(piece)];
                    rustix::io::pwritev2(&self.descriptor, &pieces, at, ReadWriteFlags::DSYNC)
                }
                (true, _) => rustix::io::pwrite(&self.descriptor, piece, at),
            });
            match written {
                // A device that takes nothing would be asked for ever.
                Ok(0) => return Moved { bytes, failed: Some(Errno::NOSPC) },
                Ok(written) => bytes += written,
                Err(errno) => return Moved { bytes, failed: Some(errno) },
            }
        }
        Moved { bytes, failed: None }
    }

    /// Returns the length of the file in bytes.
    ///
    /// # Errors
    /// The kernel's.
    pub fn size(&self) -> Result<u64, Errno> {
        match self.caching {
            Caching::Cached => Ok(rustix::fs::fstat(&self.descriptor)?.st_size as u64),
            Caching::Direct | Caching::Through => self.newest_size(),
        }
    }

    /// Returns the length of the file as its server has it.
    fn newest_size(&self) -> Result<u64, Errno> {
        let flags = AtFlags::EMPTY_PATH | AtFlags::STATX_FORCE_SYNC;
        Ok(rustix::fs::statx(&self.descriptor, c"", flags, StatxFlags::SIZE)?.stx_size)
    }

    /// Cuts or extends the file to `bytes`.
    ///
    /// # Errors
    /// The kernel's.
    pub fn set_size(&self, bytes: u64) -> Result<(), Errno> {
        retry_on_intr(|| rustix::fs::ftruncate(&self.descriptor, bytes))
    }

    /// Allocates storage for the first `bytes` bytes, and extends the file to that length if it is
    /// shorter. Data that exist stay as they are.
    ///
    /// # Errors
    /// The kernel's.
    pub fn preallocate(&self, bytes: u64) -> Result<(), Errno> {
        if bytes == 0 {
            return Ok(());
        }
        let all = || rustix::fs::fallocate(&self.descriptor, FallocateFlags::empty(), 0, bytes);
        match retry_on_intr(all) {
            Err(Errno::OPNOTSUPP) => self.write_blocks(bytes),
            other => other,
        }
    }

    /// Extends the file to `bytes` by a byte in each block beyond its end, or by zeros if each
    /// write is a message.
    fn write_blocks(&self, bytes: u64) -> Result<(), Errno> {
        let mut end = self.size()?;
        if self.caching != Caching::Cached {
            let zeros = vec![0; ZEROS_BYTES.min(bytes.saturating_sub(end) as usize)];
            while end < bytes {
                let piece = &zeros[..zeros.len().min((bytes - end) as usize)];
                if let Some(errno) = self.write_at(piece, end).failed {
                    return Err(errno);
                }
                end += piece.len() as u64;
            }
            return Ok(());
        }
        while end < bytes {
            end = (end / BLOCK_BYTES + 1).saturating_mul(BLOCK_BYTES).min(bytes);
            if let Some(errno) = self.write_at(&[0], end - 1).failed {
                return Err(errno);
            }
        }
        Ok(())
    }

    /// Writes everything that the kernel keeps of the file to its storage. Does nothing for files
    /// without storage.
    ///
    /// # Errors
    /// The kernel's, also for earlier writes.
    pub fn sync(&self) -> Result<(), Errno> {
        match retry_on_intr(|| rustix::fs::fsync(&self.descriptor)) {
            Err(Errno::INVAL | Errno::ROFS) => Ok(()),
            other => other,
        }
    }

    /// Closes the file.
    ///
    /// # Errors
    /// The kernel's, for earlier writes: file systems of a network report some only here.
    #[allow(unsafe_code)]
    pub fn close(self) -> Result<(), Errno> {
        // SAFETY: the descriptor was owned, and nothing else closes it.
        match unsafe { rustix::io::try_close(self.descriptor.into_raw_fd()) } {
            // Linux has closed it all the same.
            Err(Errno::INTR) => Ok(()),
            other => other,
        }
    }

    /// Returns the file system that holds the file.
    pub fn file_system(&self) -> FileSystem {
        self.file_system
    }

    /// Returns an extended attribute of at most `most` bytes.
    ///
    /// # Errors
    /// The kernel's: `ENODATA` if the file has no such attribute, `EOPNOTSUPP` if the file system
    /// knows none, `ERANGE` if it is longer.
    pub fn attribute(&self, name: &CStr, most: usize) -> Result<Vec<u8>, Errno> {
        let mut value = vec![0; most];
        let bytes = rustix::fs::fgetxattr(&self.descriptor, name, &mut value)?;
        value.truncate(bytes);
        Ok(value)
    }
}

fn flags_of(access: Access) -> OFlags {
    match access {
        Access::Read => OFlags::RDONLY,
        Access::Write => OFlags::WRONLY,
        Access::ReadWrite => OFlags::RDWR,
    }
}

/// Makes a file with an extended attribute, which it has before it is first opened: on Lustre, its
/// layout. If the file system does not accept the attribute, the file has none.
///
/// # Errors
/// The kernel's; `EEXIST` if the name exists.
pub fn create_with_attribute(
    path: &CStr,
    permissions: u32,
    (name, value): (&CStr, &[u8]),
) -> Result<(), Errno> {
    let mode = Mode::from_raw_mode(permissions);
    rustix::fs::mknodat(rustix::fs::CWD, path, FileType::RegularFile, mode, 0)?;
    let _ = rustix::fs::setxattr(path, name, value, XattrFlags::empty());
    Ok(())
}

/// Returns the type of the file system on which a file of this name is or would be, a constant of
/// `statfs(2)`.
///
/// # Errors
/// The kernel's.
pub fn file_system_of(path: &CStr) -> Result<u64, Errno> {
    Ok(kind_of(rustix::fs::statfs(folder_of(path))?.f_type as u64))
}

/// Returns the type of a file system, which has 32 bits. Some kernels extend it with its sign.
fn kind_of(told: u64) -> u64 {
    told & 0xffff_ffff
}

/// Returns whether a path is a pipe, whose opening waits for a process at its other end.
pub fn is_pipe(path: &CStr) -> bool {
    rustix::fs::stat(path)
        .is_ok_and(|status| FileType::from_raw_mode(status.st_mode) == FileType::Fifo)
}

/// Asks the server of a path's folder what has changed there, so that the next opening of the path
/// does not use names that the kernel remembers.
pub fn renew_names(path: &CStr) {
    let flags = AtFlags::STATX_FORCE_SYNC;
    let _ = rustix::fs::statx(rustix::fs::CWD, folder_of(path), flags, StatxFlags::BASIC_STATS);
}

/// Returns the folder of a path.
fn folder_of(path: &CStr) -> CString {
    let bytes = path.to_bytes();
    let folder = match bytes.iter().rposition(|&byte| byte == b'/') {
        Some(0) => b"/",
        Some(end) => &bytes[..end],
        None => &b"."[..],
    };
    CString::new(folder).unwrap_or_default()
}

/// Deletes the name of a file.
///
/// # Errors
/// The kernel's; `EISDIR` for a folder.
pub fn delete(path: &CStr) -> Result<(), Errno> {
    rustix::fs::unlink(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CString;

    fn path(name: &str) -> CString {
        let path = std::env::temp_dir().join(format!("nemesis-file-{}-{name}", std::process::id()));
        CString::new(path.into_os_string().into_encoded_bytes()).expect("a path has no NUL")
    }

    fn create(path: &CStr) -> File {
        let creation = Creation { exclusive: true, permissions: 0o600 };
        File::open(path, Access::ReadWrite, Some(creation)).expect("a folder for temporary files")
    }

    #[test]
    fn a_read_ends_at_the_end_of_the_file() {
        let path = path("short");
        let file = create(&path);
        assert_eq!(file.write_at(b"abc", 5), Moved { bytes: 3, failed: None });
        let mut into = [9; 8];
        assert_eq!(file.read_at(&mut into, 4), Moved { bytes: 4, failed: None });
        assert_eq!(into, [0, b'a', b'b', b'c', 9, 9, 9, 9]);
        assert_eq!(file.read_at(&mut into, 100), Moved { bytes: 0, failed: None });
        assert_eq!(file.close(), Ok(()));
        delete(&path).expect("it exists");
        assert_eq!(delete(&path), Err(Errno::NOENT));
    }

    #[test]
    fn preallocation_keeps_data() {
        let path = path("allocated");
        let file = create(&path);
        file.write_at(b"kept", 0);
        file.preallocate(3).expect("allocated");
        assert_eq!(file.size(), Ok(4));
        file.write_blocks(10_000).expect("written");
        assert_eq!(file.size(), Ok(10_000));
        let mut into = [0; 4];
        file.read_at(&mut into, 0);
        assert_eq!(&into, b"kept");
        delete(&path).expect("it exists");
    }

    #[test]
    fn every_caching_moves_the_same_bytes() {
        for caching in [Caching::Cached, Caching::Through] {
            let path = path("caching");
            let mut file = create(&path);
            file.set_caching(caching);
            assert_eq!(file.write_at(b"abcdef", 4094), Moved { bytes: 6, failed: None });
            assert_eq!(file.size(), Ok(4100));
            // Another descriptor changes and extends the file.
            let other = File::open(&path, Access::ReadWrite, None).expect("it exists");
            assert_eq!(other.inode(), file.inode());
            other.write_at(b"XY", 4099);
            let mut into = [0; 8];
            assert_eq!(file.read_at(&mut into, 4094), Moved { bytes: 7, failed: None });
            assert_eq!(&into[..7], b"abcdeXY");
            file.write_blocks(3 << 20).expect("written");
            assert_eq!(file.size(), Ok(3 << 20));
            assert_eq!(file.read_at(&mut into, 4094).bytes, 8);
            assert_eq!(&into, b"abcdeXY\0");
            delete(&path).expect("it exists");
        }
    }

    #[test]
    fn the_folder_of_a_path() {
        for (path, folder) in
            [(c"/a", c"/"), (c"a", c"."), (c"/a/b/c", c"/a/b"), (c"a/b", c"a"), (c"", c".")]
        {
            assert_eq!(folder_of(path).as_c_str(), folder);
        }
        assert!(file_system_of(c"/proc/none").is_ok_and(|kind| kind == 0x9fa0));
        let file = File::open(c"/proc/version", Access::Read, None).expect("every Linux has it");
        assert_eq!(file.file_system().kind, 0x9fa0);
        assert!(file.file_system().block_bytes > 0);
    }

    #[test]
    fn folders_and_missing_files_are_refused() {
        let folder = CString::new(std::env::temp_dir().into_os_string().into_encoded_bytes());
        let opened = File::open(&folder.expect("no NUL"), Access::Read, None);
        assert_eq!(opened.map(drop), Err(Errno::ISDIR));
        assert_eq!(File::open(&path("none"), Access::Read, None).map(drop), Err(Errno::NOENT));
    }

    #[test]
    fn a_pipe_is_known_by_its_path() {
        let path = path("pipe");
        let mode = Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, &path, FileType::Fifo, mode, 0).expect("mknod");
        let is_pipe = is_pipe(&path);
        delete(&path).expect("delete");
        assert!(is_pipe && !super::is_pipe(&path) && !super::is_pipe(c"/dev/null"));
    }

    #[test]
    fn a_descriptor_is_taken_with_what_it_stands_for() {
        let path = path("taken");
        let file = create(&path);
        let this = std::process::id() as i32;
        let taken = match File::of_process(this, file.number()) {
            // A container may forbid it.
            Err(Errno::PERM | Errno::NOSYS) => return delete(&path).expect("it exists"),
            other => other.expect("a process may access itself"),
        };
        assert_ne!(taken.number(), file.number());
        assert_eq!((taken.inode(), taken.device()), (file.inode(), file.device()));
        assert!(taken.is_open_for(Access::ReadWrite) && !taken.is_open_for(Access::Read));
        rustix::fs::seek(&file.descriptor, SeekFrom::Start(77)).expect("a file has offsets");
        assert_eq!(rustix::fs::seek(&taken.descriptor, SeekFrom::Current(0)), Ok(77));
        assert!(
            rustix::io::fcntl_getfd(&taken.descriptor)
                .is_ok_and(|flags| flags.contains(rustix::io::FdFlags::CLOEXEC))
        );
        drop(file);
        assert_eq!(taken.write_at(b"a", 0).failed, None);
        assert_eq!(File::of_process(this, i32::MAX).unwrap_err(), Errno::BADF);
        delete(&path).expect("it exists");
    }
}
