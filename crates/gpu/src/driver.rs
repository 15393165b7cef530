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
}
