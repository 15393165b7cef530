//! The state that the devices of other processes access: queues and registrations, in a memory file
//! that other processes open through /proc.

use nemesis_netmod_verbs::layout::Wc;
use nemesis_sync::AtomicU64;
use std::ffi::{CString, c_void};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::fs::MetadataExt;

pub const QUEUE_PAIRS: usize = 2048;
pub const COMPLETION_QUEUES: usize = 512;
pub const SHARED_QUEUES: usize = 256;
pub const REGISTRATIONS: usize = 1 << 14;
/// Entries of a completion queue and of a shared receive queue.
pub const ENTRIES: usize = 8192;

/// A mapping of this length begins at any word's page, whatever the page size.
const PAGE_BYTES: u64 = 1 << 16;

/// Returns the name of a process's memory file. Others that it has opened have other names.
fn file_name(pid: i32) -> String {
    format!("nemesis-verbs-mock-{pid}")
}

/// A queue pair.
#[repr(C)]
pub struct QpSlot {
    pub number: u32,
    pub state: u32,
    pub access: u32,
    pub their_number: u32,
    pub their_lid: u32,
    pub own_psn: u32,
    pub their_psn: u32,
    pub receive_queue: u32,
    pub shared_queue: u32,
    /// 1 if the queue pair may not send before a message has arrived (the accepting side of iWARP).
    pub listens: u32,
}

/// A completion and what it frees.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Entry {
    pub wc: Wc,
    /// Number of the queue pair whose requests it completes; 0 for a receive.
    pub queue_pair: u32,
    pub requests: u32,
}

/// A completion queue.
#[repr(C)]
pub struct CqSlot {
    pub is_used: u32,
    pub is_armed: u32,
    pub capacity: u32,
    /// Number of the channel; 0 is none.
    pub channel: u32,
    /// Address of the owner's structure.
    pub owner: u64,
    pub head: u32,
    pub tail: u32,
    pub entries: [Entry; ENTRIES],
}

/// A receive.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Receive {
    pub wr_id: u64,
    pub address: u64,
    pub bytes: u32,
    pub key: u32,
}

/// A shared receive queue.
#[repr(C)]
pub struct SrqSlot {
    pub is_used: u32,
    pub capacity: u32,
    pub head: u32,
    pub tail: u32,
    pub receives: [Receive; ENTRIES],
}

/// A registration.
#[repr(C)]
pub struct MrSlot {
    /// 0 if the slot is free; written last.
    pub key: u32,
    pub access: u32,
    pub address: u64,
    pub bytes: u64,
}

/// The state of a process.
#[repr(C)]
pub struct Shared {
    pub queue_pairs: [QpSlot; QUEUE_PAIRS],
    pub completion_queues: [CqSlot; COMPLETION_QUEUES],
    pub shared_queues: [SrqSlot; SHARED_QUEUES],
    pub registrations: [MrSlot; REGISTRATIONS],
}

/// The state of this process or of another one, mapped.
pub struct Node {
    pub pid: i32,
    file: RawFd,
    base: *mut Shared,
    /// Ends when the process ends; -1 for this process.
    life: RawFd,
}

// SAFETY: the mapping is valid on every thread; `lock` and the caller's mutex order accesses.
unsafe impl Send for Node {}

impl Node {
    /// Makes the state of this process.
    pub fn new() -> Option<Node> {
        let pid = std::process::id() as i32;
        let name = CString::new(file_name(pid)).ok()?;
        // SAFETY: the name ends with a zero.
        let file = unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) };
        // SAFETY: the file was just made.
        if file < 0 || unsafe { libc::ftruncate(file, size_of::<Shared>() as i64) } != 0 {
            return None;
        }
        // SAFETY: it concerns this process only. Without it a kernel may refuse the accesses of
        // other processes of the job.
        unsafe { libc::prctl(libc::PR_SET_PTRACER, libc::PR_SET_PTRACER_ANY, 0, 0, 0) };
        Node::map(pid, file, -1)
    }

    /// Opens the state of the process that listens at the name of `lid`.
    pub fn of(lid: u16) -> Option<Node> {
        let life = crate::net::connect(&crate::net::place(lid))?;
        let pid = crate::net::peer(life)?;
        let entries = std::fs::read_dir(format!("/proc/{pid}/fd")).ok()?;
        let wanted = format!("/memfd:{} (deleted)", file_name(pid));
        let path = entries.flatten().map(|entry| entry.path()).find(|path| {
            std::fs::read_link(path).is_ok_and(|target| target.to_string_lossy() == wanted)
        })?;
        let path = CString::new(path.to_str()?).ok()?;
        // SAFETY: the path ends with a zero.
        let file = unsafe { libc::open(path.as_ptr(), libc::O_RDWR | libc::O_CLOEXEC) };
        (file >= 0).then(|| Node::map(pid, file, life)).flatten()
    }

    fn map(pid: i32, file: RawFd, life: RawFd) -> Option<Node> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping overlaps nothing.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                size_of::<Shared>(),
                protection,
                libc::MAP_SHARED | libc::MAP_NORESERVE,
                file,
                0,
            )
        };
        (base != libc::MAP_FAILED).then(|| Node { pid, file, base: base.cast(), life })
    }

    /// Returns the state. The caller holds the lock, or reads words that change as a whole.
    pub fn shared(&self) -> *mut Shared {
        self.base
    }

    /// Calls `f` while no other process changes the queues. The system releases the lock of a
    /// process that ends.
    pub fn locked<T>(&self, f: impl FnOnce(&mut Shared) -> T) -> T {
        // SAFETY: the descriptor is open.
        while unsafe { libc::flock(self.file, libc::LOCK_EX) } != 0 {}
        // SAFETY: the mapping is valid, and the lock and the caller's mutex make this the only
        // reference.
        let result = f(unsafe { &mut *self.base });
        // SAFETY: the descriptor is open.
        unsafe { libc::flock(self.file, libc::LOCK_UN) };
        result
    }

    /// Returns whether the process has ended.
    pub fn is_dead(&self) -> bool {
        if self.life < 0 {
            return false;
        }
        let mut byte = 0u8;
        let flags = libc::MSG_PEEK | libc::MSG_DONTWAIT;
        // SAFETY: the socket is open, and one byte is writable.
        let read = unsafe { libc::recv(self.life, (&raw mut byte).cast(), 1, flags) };
        read == 0
            || read < 0 && std::io::Error::last_os_error().raw_os_error() != Some(libc::EAGAIN)
    }

    /// Calls `f` with an aligned word of the node's memory. Returns `None` unless the word lies in
    /// this process or in a file that this process can map.
    pub fn with_word<T>(&self, address: u64, f: impl FnOnce(&AtomicU64) -> T) -> Option<T> {
        if self.life < 0 {
            let word = std::ptr::with_exposed_provenance_mut(address as usize);
            // SAFETY: the caller has checked the word against this process's registrations.
            return Some(f(unsafe { AtomicU64::from_ptr(word) }));
        }
        let (offset, file) = self.file_at(address)?;
        let place = offset % PAGE_BYTES;
        // SAFETY: a new mapping overlaps nothing.
        let page = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                PAGE_BYTES as usize,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                file.as_raw_fd(),
                (offset - place) as i64,
            )
        };
        if page == libc::MAP_FAILED {
            return None;
        }
        // SAFETY: the aligned word lies in the page that was just mapped.
        let result = f(unsafe { AtomicU64::from_ptr(page.byte_add(place as usize).cast()) });
        // SAFETY: nothing uses the mapping any more.
        unsafe { libc::munmap(page, PAGE_BYTES as usize) };
        Some(result)
    }

    /// Returns the file of which the node has mapped an address as shared memory, and the place in
    /// it.
    fn file_at(&self, address: u64) -> Option<(u64, std::fs::File)> {
        let maps = std::fs::read_to_string(format!("/proc/{}/maps", self.pid)).ok()?;
        // Range, permissions, offset, device, number of the file.
        let (offset, number) = maps.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            let (start, end) = words.next()?.split_once('-')?;
            let hexadecimal = |text: &str| u64::from_str_radix(text, 16).ok();
            let (start, end) = (hexadecimal(start)?, hexadecimal(end)?);
            let is_shared = words.next()?.ends_with('s');
            let offset = hexadecimal(words.next()?)? + address.wrapping_sub(start);
            let number: u64 = words.nth(1)?.parse().ok()?;
            ((start..end).contains(&address) && is_shared).then_some((offset, number))
        })?;
        let files = std::fs::read_dir(format!("/proc/{}/fd", self.pid)).ok()?;
        let path = files.flatten().map(|entry| entry.path()).find(|path| {
            std::fs::read_link(path).is_ok_and(|name| name.to_string_lossy().starts_with("/memfd:"))
                && std::fs::metadata(path).is_ok_and(|file| file.ino() == number)
        })?;
        Some((offset, std::fs::File::options().read(true).write(true).open(path).ok()?))
    }

    /// Copies between this process's memory and that of the node. Returns whether all bytes were
    /// copied.
    pub fn copy(&self, own: u64, theirs: u64, bytes: usize, to_them: bool) -> bool {
        let mut done = 0;
        while done < bytes {
            let local = iovec(own + done as u64, bytes - done);
            let remote = iovec(theirs + done as u64, bytes - done);
            // SAFETY: the kernel checks both ranges; the caller has checked them against the
            // registrations, whose owners allow the access.
            let moved = unsafe {
                if to_them {
                    libc::process_vm_writev(self.pid, &raw const local, 1, &raw const remote, 1, 0)
                } else {
                    libc::process_vm_readv(self.pid, &raw const local, 1, &raw const remote, 1, 0)
                }
            };
            if moved <= 0 {
                return false;
            }
            done += moved as usize;
        }
        true
    }
}

fn iovec(address: u64, bytes: usize) -> libc::iovec {
    let iov_base: *mut c_void = std::ptr::with_exposed_provenance_mut(address as usize);
    libc::iovec { iov_base, iov_len: bytes }
}

impl Drop for Node {
    fn drop(&mut self) {
        // SAFETY: the mapping and the descriptors belong to the node.
        unsafe {
            libc::munmap(self.base.cast(), size_of::<Shared>());
            libc::close(self.file);
            if self.life >= 0 {
                libc::close(self.life);
            }
        }
    }
}
