//! How a file is divided among the servers of a parallel file system.
//!
//! Lustre tells it in the attribute `lustre.lov` of a file, and takes it from there if the file is
//! made with it. Its numbers have the byte order of the host:
//!
//! ```text
//!   layout      0 magic   4 pattern   8 object   24 unit   28 count   30 first
//!               32 objects of 24 bytes, with the index of the server at 20     (version 1)
//!               32 name of a pool     48 objects                               (version 3)
//!   composite   0 magic   14 number of components
//!               32 components of 48 bytes, with place and length of their layout at 24 and 28
//! ```

use nemesis_sys::file::{self, File};
use std::ffi::CStr;

const ATTRIBUTE: &CStr = c"lustre.lov";
/// Longest attribute that the kernel passes on.
const ATTRIBUTE_MAX_BYTES: usize = 64 << 10;

const VERSION_1: u32 = 0x0bd1_0bd0;
const VERSION_3: u32 = 0x0bd3_0bd0;
const COMPOSITE: u32 = 0x0bd6_0bd0;
/// The pattern of a file in stripes, and the bit of a component without any, which lies at the
/// server of names.
const STRIPES: u32 = 1;
const AT_NAMES: u32 = 0x100;

/// Length of a layout without its objects.
const LAYOUT_BYTES: usize = 32;
const POOL_BYTES: usize = 16;
const COMPONENT_BYTES: usize = 48;
/// Lustre's units are multiples of this.
const UNIT_STEP_BYTES: u64 = 64 << 10;
/// The value of "any server".
const ANY: u16 = 0xffff;

/// What tells how files are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    None,
    /// Lustre's attribute.
    Attribute,
    /// The length of the file system's blocks.
    Blocks,
}

/// How a file is divided: `unit_bytes` bytes on one server, the next ones on the next. 0 stands for
/// an unknown value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Striping {
    pub unit_bytes: u64,
    /// Number of servers.
    pub count: u64,
    /// The first server, from 1 on.
    pub first: u64,
}

/// Returns how a file is divided, if its file system tells.
pub(crate) fn of(file: &File, source: Source) -> Striping {
    match source {
        Source::None => Striping::default(),
        Source::Attribute => {
            let value = file.attribute(ATTRIBUTE, ATTRIBUTE_MAX_BYTES).unwrap_or_default();
            read(&value).unwrap_or_default()
        }
        Source::Blocks => {
            Striping { unit_bytes: file.file_system().block_bytes, ..Striping::default() }
        }
    }
}

/// Makes a file that is divided as asked. Returns whether it has been made: not if the file system
/// does not divide files by an attribute, the file exists, or the kernel refuses; then the file is
/// opened as any other.
pub(crate) fn create(path: &CStr, source: Source, permissions: u32, asked: Striping) -> bool {
    // The process must be able to open the file that it has made.
    if source != Source::Attribute || permissions & 0o600 != 0o600 {
        return false;
    }
    let value = write(asked);
    file::create_with_attribute(path, permissions, (ATTRIBUTE, &value)).is_ok()
}

/// Returns the layout that divides a new file: 0 leaves a value to the file system.
fn write(Striping { unit_bytes, count, first }: Striping) -> [u8; LAYOUT_BYTES] {
    let unit = unit_bytes.checked_next_multiple_of(UNIT_STEP_BYTES).unwrap_or(0);
    let unit = u32::try_from(unit).unwrap_or(0);
    let first = first.checked_sub(1).and_then(|first| u16::try_from(first).ok()).unwrap_or(ANY);
    let mut value = [0; LAYOUT_BYTES];
    value[..4].copy_from_slice(&VERSION_1.to_ne_bytes());
    value[4..8].copy_from_slice(&STRIPES.to_ne_bytes());
    value[24..28].copy_from_slice(&unit.to_ne_bytes());
    value[28..30].copy_from_slice(&u16::try_from(count).unwrap_or(ANY).to_ne_bytes());
    value[30..32].copy_from_slice(&first.to_ne_bytes());
    value
}

/// Reads the attribute. Of a composite layout, the last component in stripes counts: it holds the
/// largest part of a long file. Bytes that are no layout give `None`.
fn read(value: &[u8]) -> Option<Striping> {
    if word(value, 0)? != COMPOSITE {
        return read_layout(value);
    }
    let components = usize::from(half(value, 14)?);
    (0..components).rev().find_map(|component| {
        let at = 32 + component * COMPONENT_BYTES;
        let (start, bytes) = (word(value, at + 24)? as usize, word(value, at + 28)? as usize);
        read_layout(value.get(start..start.checked_add(bytes)?)?)
    })
}

fn read_layout(value: &[u8]) -> Option<Striping> {
    let objects = match word(value, 0)? {
        VERSION_1 => LAYOUT_BYTES,
        VERSION_3 => LAYOUT_BYTES + POOL_BYTES,
        _ => return None,
    };
    let (unit, count) = (u64::from(word(value, 24)?), half(value, 28)?);
    if unit == 0 || word(value, 4)? & AT_NAMES != 0 {
        return None;
    }
    // A component that is not used yet has no objects. All servers are a count of 65535.
    let first = word(value, objects + 20).map_or(0, |index| u64::from(index) + 1);
    let count = if count == ANY { 0 } else { u64::from(count) };
    Some(Striping { unit_bytes: unit, count, first })
}

fn word(value: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(*value.get(at..)?.first_chunk()?))
}

fn half(value: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_ne_bytes(*value.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CString;

    /// Returns a layout with the servers of its objects.
    fn layout(magic: u32, pattern: u32, unit: u32, servers: &[u32]) -> Vec<u8> {
        let mut value = Vec::new();
        value.extend(magic.to_ne_bytes());
        value.extend(pattern.to_ne_bytes());
        value.extend([7; 16]);
        value.extend(unit.to_ne_bytes());
        value.extend((servers.len() as u16).to_ne_bytes());
        value.extend(9_u16.to_ne_bytes());
        if magic == VERSION_3 {
            value.extend(*b"a pool of disks\0");
        }
        for server in servers {
            value.extend([5; 20]);
            value.extend(server.to_ne_bytes());
        }
        value
    }

    /// Returns a composite layout.
    fn composite(layouts: &[Vec<u8>]) -> Vec<u8> {
        let mut value = vec![0; 32 + layouts.len() * COMPONENT_BYTES];
        value[..4].copy_from_slice(&COMPOSITE.to_ne_bytes());
        value[14..16].copy_from_slice(&(layouts.len() as u16).to_ne_bytes());
        for (component, layout) in layouts.iter().enumerate() {
            let (at, start) = (32 + component * COMPONENT_BYTES, value.len() as u32);
            value[at + 24..at + 28].copy_from_slice(&start.to_ne_bytes());
            value[at + 28..at + 32].copy_from_slice(&(layout.len() as u32).to_ne_bytes());
            value.extend(layout);
        }
        value
    }

    #[test]
    fn layouts_are_read() {
        let striping = |unit_bytes, count, first| Some(Striping { unit_bytes, count, first });
        let simple = layout(VERSION_1, STRIPES, 1 << 20, &[3, 4, 0]);
        assert_eq!(read(&simple), striping(1 << 20, 3, 4));
        let pool = layout(VERSION_3, STRIPES, 4 << 20, &[0, 1]);
        assert_eq!(read(&pool), striping(4 << 20, 2, 1));
        let names = layout(VERSION_1, AT_NAMES, 1 << 16, &[]);
        let unused = layout(VERSION_1, STRIPES, 16 << 20, &[]);
        assert_eq!(read(&composite(&[names.clone(), simple, pool.clone()])), read(&pool));
        assert_eq!(read(&composite(&[pool, unused])), striping(16 << 20, 0, 0));
        assert_eq!(read(&composite(&[names])), None);
    }

    #[test]
    fn what_is_no_layout_tells_nothing() {
        let whole = composite(&[layout(VERSION_3, STRIPES, 1 << 20, &[1])]);
        for bytes in 0..whole.len() {
            assert_eq!(read(&whole[..bytes]), None, "{bytes}");
        }
        let mut outside = whole.clone();
        outside[32 + 24..32 + 28].fill(0xff);
        assert_eq!(read(&outside), None);
        assert_eq!(read(&layout(0x0bd9_0bd0, STRIPES, 1 << 20, &[1])), None);
    }

    #[test]
    fn a_first_server_alone_is_asked_for() {
        let path = std::env::temp_dir().join(format!("nemesis-striping-{}", std::process::id()));
        let name = CString::new(path.clone().into_os_string().into_encoded_bytes());
        let name = name.expect("a path has no NUL");
        let asked = Striping { first: 3, ..Striping::default() };
        assert!(!create(&name, Source::Blocks, 0o600, asked) && !path.exists());
        assert!(!create(&name, Source::Attribute, 0o400, asked) && !path.exists());
        // A file system without the attribute has the file nevertheless.
        assert!(create(&name, Source::Attribute, 0o600, asked) && path.exists());
        assert!(!create(&name, Source::Attribute, 0o600, asked));
        std::fs::remove_file(&path).expect("it exists");
        let written = write(asked);
        assert_eq!((half(&written, 28), half(&written, 30)), (Some(0), Some(2)));
    }

    proptest::proptest! {
        #[test]
        fn random_bytes_are_read_without_a_panic(
            mut value in proptest::collection::vec(proptest::prelude::any::<u8>(), 4..200),
            magic in proptest::sample::select(vec![VERSION_1, VERSION_3, COMPOSITE]),
        ) {
            value[..4].copy_from_slice(&magic.to_ne_bytes());
            let unit = read(&value).map(|striping| striping.unit_bytes);
            proptest::prop_assert_ne!(unit, Some(0));
        }
    }

    #[test]
    fn what_is_written_can_be_read() {
        let written = write(Striping { unit_bytes: 100_000, count: 4, first: 3 });
        let found = read(&written);
        assert_eq!(found, Some(Striping { unit_bytes: 128 << 10, count: 4, first: 0 }));
        assert_eq!(half(&written, 30), Some(2));
        let wide = write(Striping { unit_bytes: 1 << 20, count: 1 << 40, first: 0 });
        assert_eq!((half(&wide, 28), half(&wide, 30)), (Some(ANY), Some(ANY)));
    }
}
