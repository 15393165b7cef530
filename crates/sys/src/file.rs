//! Files of the program: opened by name, read and written at explicit offsets.
//!
//! A [`File`] has no position of its own, except for pipes and terminals, which have no offsets.
//! Reads and writes go on after an interruption and after a short transfer, until everything is
//! moved, the file ends, or the kernel refuses.

use rustix::fd::{IntoRawFd, OwnedFd};
use rustix::fs::{FallocateFlags, FileType, Mode, OFlags, SeekFrom};
use rustix::io::retry_on_intr;
use std::ffi::CStr;

pub use rustix::io::Errno;

/// Most bytes of one system call. Linux moves at most 2³¹ − 4096 bytes in one call.
const CALL_MAX_BYTES: usize = 1 << 30;

/// Distance of the bytes that [`File::preallocate`] writes if the file system cannot allocate:
/// the smallest block in use.
const BLOCK_BYTES: u64 = 4096;

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
}

impl File {
    /// Opens a file.
    ///
    /// # Errors
    /// The kernel's; `EISDIR` for a folder, whatever it is opened for.
    pub fn open(path: &CStr, access: Access, creation: Option<Creation>) -> Result<File, Errno> {
        let mut flags = OFlags::CLOEXEC
            | match access {
                Access::Read => OFlags::RDONLY,
                Access::Write => OFlags::WRONLY,
                Access::ReadWrite => OFlags::RDWR,
            };
        let mut mode = Mode::empty();
        if let Some(creation) = creation {
            flags |= OFlags::CREATE;
            if creation.exclusive {
                flags |= OFlags::EXCL;
            }
            mode = Mode::from_raw_mode(creation.permissions);
        }
        let descriptor = retry_on_intr(|| rustix::fs::open(path, flags, mode))?;
        let status = rustix::fs::fstat(&descriptor)?;
        if FileType::from_raw_mode(status.st_mode) == FileType::Directory {
            return Err(Errno::ISDIR);
        }
        let has_offsets = rustix::fs::seek(&descriptor, SeekFrom::Current(0)).is_ok();
        Ok(File { descriptor, has_offsets })
    }

    /// Returns whether bytes of the file have offsets; those of pipes and terminals have none.
    pub fn has_offsets(&self) -> bool {
        self.has_offsets
    }

    /// Reads from `offset` on. Fewer bytes than asked for without a failure mean that the file
    /// ends. A file without offsets is read where it stands.
    pub fn read_at(&self, into: &mut [u8], offset: u64) -> Moved {
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
            let written = retry_on_intr(|| match self.has_offsets {
                true => rustix::io::pwrite(&self.descriptor, piece, offset + bytes as u64),
                false => rustix::io::write(&self.descriptor, piece),
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
        Ok(rustix::fs::fstat(&self.descriptor)?.st_size as u64)
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

    /// Extends the file to `bytes` by a byte in each block beyond its end.
    fn write_blocks(&self, bytes: u64) -> Result<(), Errno> {
        let mut end = self.size()?;
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

    /// Returns the name of the file system that holds the file, as `statfs` tells it.
    pub fn file_system(&self) -> &'static str {
        match rustix::fs::fstatfs(&self.descriptor).map(|status| status.f_type as u64) {
            Ok(0xef53) => "ext",
            Ok(0x5846_5342) => "xfs",
            Ok(0x9123_683e) => "btrfs",
            Ok(0x0102_1994) => "tmpfs",
            Ok(0x794c_7630) => "overlay",
            Ok(0x6969) => "nfs",
            Ok(0x0bd0_0bd0) => "lustre",
            Ok(0x4750_4653) => "gpfs",
            Ok(0x6573_5546) => "fuse",
            _ => "unknown",
        }
    }
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
    fn folders_and_missing_files_are_refused() {
        let folder = CString::new(std::env::temp_dir().into_os_string().into_encoded_bytes());
        let opened = File::open(&folder.expect("no NUL"), Access::Read, None);
        assert_eq!(opened.map(drop), Err(Errno::ISDIR));
        assert_eq!(File::open(&path("none"), Access::Read, None).map(drop), Err(Errno::NOENT));
    }
}
