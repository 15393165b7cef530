//! What file systems need, by the type that `statfs(2)` tells.
//!
//! | nodes | file system | what is done for a file that several nodes may write |
//! |---|---|---|
//! | agree on their caches | local, Lustre, GPFS, Ceph, … | nothing |
//! | agree when a file is closed and opened | NFS | transfers bypass the node's cache |
//! | may never agree | FUSE, 9P, SMB, AFS | writes are stored, and reads forget the node's cache |
//!
//! A file that one node alone can have open, or that is open for reading, uses the cache.

use crate::engine::Mpi;
use crate::striping::Source;
use nemesis_sys::file::{Caching, File};

/// A type of file systems.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileSystem {
    /// The type as `statfs(2)` tells it.
    kind: u64,
    /// The name in `romio_filesystem_type`.
    pub name: &'static str,
    /// How transfers of a file use the cache if several nodes may write it.
    pub shared: Caching,
    /// What tells how files are divided among servers.
    pub striping: Source,
    /// Whether opening a file asks a server, or may do so.
    pub asks_server: bool,
}

/// Returns a row for a file system of servers whose nodes agree on their caches.
const fn coherent(kind: u64, name: &'static str) -> FileSystem {
    let (shared, striping) = (Caching::Cached, Source::None);
    FileSystem { kind, name, shared, striping, asks_server: true }
}

/// Returns a row for a file system of one node.
const fn local(kind: u64, name: &'static str) -> FileSystem {
    FileSystem { asks_server: false, ..coherent(kind, name) }
}

/// Returns a row for a file system whose nodes have caches of their own.
const fn cached(kind: u64, name: &'static str, shared: Caching) -> FileSystem {
    FileSystem { shared, ..coherent(kind, name) }
}

const UNKNOWN: FileSystem = coherent(0, "unknown");
const LUSTRE: FileSystem = coherent(0x0bd0_0bd0, "lustre");
const GPFS: FileSystem = coherent(0x4750_4653, "gpfs");
const FUSE: FileSystem = cached(0x6573_5546, "fuse", Caching::Through);

const TABLE: [FileSystem; 16] = [
    local(0xef53, "ext"),
    local(0x5846_5342, "xfs"),
    local(0x9123_683e, "btrfs"),
    local(0x0102_1994, "tmpfs"),
    local(0x794c_7630, "overlay"),
    coherent(0x00c3_6400, "ceph"),
    coherent(0x1983_0326, "beegfs"),
    FileSystem { striping: Source::Attribute, ..LUSTRE },
    FileSystem { striping: Source::Blocks, ..GPFS },
    cached(0x6969, "nfs", Caching::Direct),
    // A file system in a process may pass on what Lustre tells.
    FileSystem { striping: Source::Attribute, ..FUSE },
    cached(0x0102_1997, "9p", Caching::Through),
    cached(0xff53_4d42, "smb", Caching::Through),
    cached(0xfe53_4d42, "smb", Caching::Through),
    cached(0x517b, "smb", Caching::Through),
    cached(0x5346_414f, "afs", Caching::Through),
];

/// Returns the row of a type.
pub(crate) fn of_kind(kind: u64) -> &'static FileSystem {
    TABLE.iter().find(|row| row.kind == kind).unwrap_or(&UNKNOWN)
}

/// Returns the file system that holds a file.
pub(crate) fn of(file: &File) -> &'static FileSystem {
    of_kind(file.file_system().kind)
}

/// Chooses how the transfers of a file that has just been opened use the cache. `is_shared`:
/// processes of several nodes may have it open.
pub(crate) fn adapt(file: &mut File, may_write: bool, is_shared: bool) {
    match (of(file).shared, may_write && is_shared) {
        (Caching::Cached, _) => {}
        (caching, true) => file.set_caching(caching),
        // Opening a file of NFS drops what is old.
        (Caching::Direct, false) => {}
        (Caching::Through, false) => file.set_caching(Caching::Cached),
    }
}

/// Returns whether this process knows a process of another node, which may have a file open. The
/// ranks of a file may differ in this: one of them alone may have connected to another job.
pub(crate) fn knows_others(mpi: &Mpi) -> bool {
    let (memory, endpoint) = (mpi.memory.as_ref(), mpi.pt2pt.endpoint.as_ref());
    let processes = endpoint.map_or(1, |endpoint| endpoint.processes());
    let is_local =
        |process| memory.is_some_and(|memory| memory.is_local(process)) || processes == 1;
    (0..processes).any(|process| !is_local(process))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transfers_bypass_the_caches_of_a_network() {
        assert_eq!(of_kind(0x6969).shared, Caching::Direct);
        assert_eq!((of_kind(0xef53).name, of_kind(0xef53).shared), ("ext", Caching::Cached));
        assert_eq!((of_kind(1).name, of_kind(1).shared), ("unknown", Caching::Cached));
        assert_eq!(of_kind(0x0bd0_0bd0).striping, Source::Attribute);
        let asks =
            [0xef53, 0x0102_1994, 0x6969, 0x0bd0_0bd0, 1].map(|kind| of_kind(kind).asks_server);
        assert_eq!(asks, [false, false, true, true, true]);
        for (at, row) in TABLE.iter().enumerate() {
            assert!(TABLE[..at].iter().all(|other| other.kind != row.kind), "{row:?}");
        }
    }
}
