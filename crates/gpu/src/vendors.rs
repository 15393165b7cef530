//! The table of vendors.

use crate::cuda;
use crate::driver::Driver;

/// A vendor of devices.
pub struct Vendor {
    pub name: &'static str,
    /// File name of the driver's library. A program that uses devices has loaded it.
    pub library: &'static str,
    /// Files of which a host with a device has one.
    pub device_files: &'static [&'static str],
    /// Opens the driver if this process has loaded it.
    pub open: fn(&str) -> Option<Box<dyn Driver>>,
    /// Loads the driver, and describes it and the devices that it lists. For tools: a process that
    /// has loaded a driver and forks gives the child one that does not work.
    pub describe: fn(&str) -> Result<Vec<String>, String>,
}

/// The vendors that are known. The driver functions of others (HIP, Level Zero) have the same
/// shapes: each is a row here and an implementation of [`Driver`].
pub const VENDORS: &[Vendor] = &[Vendor {
    name: "CUDA",
    library: "libcuda.so.1",
    // The driver's own device; that of Windows' subsystem for Linux; those of Tegra processors.
    device_files: &["/dev/nvidiactl", "/dev/dxg", "/dev/nvhost-gpu", "/dev/nvgpu"],
    open: cuda::open,
    describe: cuda::describe,
}];
