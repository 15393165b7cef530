//! What the driver of a vendor can do.

use std::fmt;

/// Whose memory an address is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Memory that processors load and store: also pinned memory, which a driver knows.
    Host,
    /// Memory that only a device reaches, or that moves between the host and devices.
    Device(Device),
}

/// Memory of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Whose device it is.
    pub vendor: &'static str,
    /// The kind of memory.
    pub kind: Kind,
    /// Number of the device among those that this process sees.
    pub ordinal: i32,
    /// The vendor's context in which the memory was allocated; 0 if it has none.
    pub context: usize,
    /// First address of the allocation, and its length in bytes.
    pub range: (usize, usize),
}

impl Device {
    /// Returns whether a range of bytes lies in the allocation.
    pub fn contains(&self, address: usize, bytes: usize) -> bool {
        let (start, length) = self.range;
        address >= start && address - start <= length && bytes <= length - (address - start)
    }
}

/// Kinds of memory that are not the host's alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only the device reaches it.
    Device,
    /// The driver moves its pages between the host and devices.
    Managed,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Device => "device",
            Kind::Managed => "managed",
        })
    }
}

/// Where a copy goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    ToHost,
    ToDevice,
}

/// Equal rows of bytes on a device and on the host: one row, or a column of a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Address of the first row on the device.
    pub device: usize,
    /// Address of the first row on the host.
    pub host: usize,
    /// Bytes of a row.
    pub bytes: usize,
    /// Number of rows.
    pub rows: usize,
    /// Bytes from one row to the next on either side; not less than `bytes` if there are several.
    pub pitch: usize,
    pub host_pitch: usize,
}

impl Piece {
    /// One run of bytes.
    pub fn run(device: usize, host: usize, bytes: usize) -> Piece {
        Piece { device, host, bytes, rows: 1, pitch: bytes, host_pitch: bytes }
    }
}

/// What another process of the host needs to read memory of a device by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    /// The allocation.
    pub allocation: Allocation,
    /// Its length in bytes.
    pub bytes: u64,
    /// Where the data begin in it.
    pub offset: u64,
    /// The device, by a name that is the same in every process.
    pub device: [u8; 16],
    /// The driver's name of the allocation for other processes.
    pub handle: Handle,
}

/// A driver's name of an allocation for other processes.
pub type Handle = [u8; 64];

/// An allocation of memory of a device among those of all processes, also of those that have ended,
/// and of those that had its addresses before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// The process, by a number drawn at random.
    pub process: u64,
    /// The first address in that process.
    pub base: u64,
    /// The driver's number of the allocation, which no other one of the process has or had.
    pub number: u64,
}

impl Export {
    /// Length of the bytes that stand for an export in a message.
    pub const BYTES: usize = 5 * 8 + 16 + 64;

    /// Returns the bytes that stand for the export in a message.
    pub fn to_bytes(&self) -> [u8; Export::BYTES] {
        let Allocation { process, base, number } = self.allocation;
        let mut bytes = [0; Export::BYTES];
        for (place, word) in
            bytes.chunks_exact_mut(8).zip([process, base, number, self.bytes, self.offset])
        {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes[40..56].copy_from_slice(&self.device);
        bytes[56..].copy_from_slice(&self.handle);
        bytes
    }

    /// Reads an export from a message. Returns `None` if the length is another one.
    pub fn read(bytes: &[u8]) -> Option<Export> {
        let (words, names) = bytes.split_at_checked(40)?;
        let (device, handle) = names.split_at_checked(16)?;
        let word = |index: usize| {
            let bytes = words.get(8 * index..)?.first_chunk()?;
            Some(u64::from_le_bytes(*bytes))
        };
        Some(Export {
            allocation: Allocation { process: word(0)?, base: word(1)?, number: word(2)? },
            bytes: word(3)?,
            offset: word(4)?,
            device: device.try_into().ok()?,
            handle: handle.try_into().ok()?,
        })
    }
}

/// Why a driver refused a copy, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure(pub String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A loaded driver.
#[allow(unsafe_code)]
pub trait Driver: Send + Sync {
    /// Returns whose memory an address is. An address that the driver does not know is the host's.
    fn place(&self, address: usize) -> Place;

    /// Copies pieces and returns when all of them are there. Uses no stream of the program, and
    /// leaves the thread's context as it was.
    ///
    /// # Safety
    /// As for [`copy`](crate::copy).
    unsafe fn copy(
        &self,
        device: &Device,
        direction: Direction,
        pieces: &mut dyn Iterator<Item = Piece>,
    ) -> Result<(), Failure>;

    /// Pins memory of the host that stays allocated until [`unpin_all`](Driver::unpin_all): copies
    /// between it and devices are faster. What the driver refuses is not pinned.
    fn pin(&self, device: &Device, address: usize, bytes: usize) {
        let _ = (device, address, bytes);
    }

    /// Ends all pins.
    fn unpin_all(&self) {}

    /// Returns the driver's name for other processes of the allocation in which `bytes` bytes at
    /// `address` lie. Returns `None` if other processes cannot have it. `process` is the number of
    /// this process.
    fn export(
        &self,
        device: &Device,
        address: usize,
        bytes: usize,
        process: u64,
    ) -> Option<Export> {
        let _ = (device, address, bytes, process);
        None
    }

    /// Maps an allocation of another process, and returns the address at which `device` reaches it.
    ///
    /// # Errors
    /// If the driver refuses.
    fn open(&self, device: &Device, handle: &Handle) -> Result<usize, Failure> {
        let _ = handle;
        Err(Failure(format!("{device} reaches no memory of other processes")))
    }

    /// Ends what [`open`](Driver::open) has begun.
    fn close(&self, device: &Device, address: usize) {
        let _ = (device, address);
    }

    /// Copies `bytes` bytes at `from` to `to`, which lies in memory of `device`, and returns when
    /// they are there.
    ///
    /// # Safety
    /// The device reaches both ranges. Nothing else uses the bytes at `to` during the call.
    ///
    /// # Errors
    /// If the driver refuses.
    unsafe fn copy_within(
        &self,
        device: &Device,
        to: usize,
        from: usize,
        bytes: usize,
    ) -> Result<(), Failure> {
        let _ = (to, from, bytes);
        Err(Failure(format!("{device} reaches no memory of other processes")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_inside_only_as_a_whole() {
        let device = Device {
            vendor: "CUDA",
            kind: Kind::Device,
            ordinal: 0,
            context: 0,
            range: (4096, 100),
        };
        assert!(device.contains(4096, 100) && device.contains(4195, 1) && device.contains(4196, 0));
        assert!(!device.contains(4095, 1) && !device.contains(4097, 100));
        assert!(!device.contains(4197, 0) && !device.contains(4096, usize::MAX));
        assert_eq!(device.to_string(), "device memory of CUDA device 0");
    }

    #[test]
    fn an_export_is_read_as_it_was_written() {
        let export = Export {
            allocation: Allocation { process: 1 << 63, base: 2, number: 3 },
            bytes: 4,
            offset: 5,
            device: *b"a device's name.",
            handle: std::array::from_fn(|at| at as u8),
        };
        let mut bytes = export.to_bytes().to_vec();
        assert_eq!(Export::read(&bytes), Some(export));
        bytes.push(0);
        assert_eq!(Export::read(&bytes), None, "too long");
        assert!((0..Export::BYTES).all(|length| Export::read(&bytes[..length]).is_none()));
    }
}
