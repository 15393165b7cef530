//! Memory of graphics processors: whether an address belongs to it, and copies to and from it.
//!
//! The library is linked to no driver and loads none. A process that has not loaded a driver has no
//! device memory, so the first question is whether one is loaded, and it must cost nothing where no
//! device is:
//!
//! ```text
//!   Never ──────────────▶ nothing is asked: the host has no device, or NEMESIS_GPU=off
//!     │ a rare call looks, and a driver is loaded
//!     ▼
//!   Watching ──look()───▶ the host has a device: each buffer looks whether a driver has been
//!     │                   loaded since, by the number of objects that the loader has ever loaded
//!     ▼
//!   Found ──place()─────▶ the driver is asked whose memory each buffer is
//! ```
//!
//! | module | subject |
//! |---|---|
//! | this one | the state, and the questions |
//! | `driver` | what a driver of any vendor can do |
//! | `vendors` | the table of vendors |
//! | `cuda` | NVIDIA's driver, by functions of `libcuda.so.1` that are looked up at run time |
//! | `original` | the memory of a device for which a copy stands |
//! | `ipc` | memory that other processes have exported |
//! | `loader` | which objects the loader has loaded |

mod cuda;
mod driver;
mod ipc;
mod loader;
mod original;
mod vendors;

pub use driver::{Device, Direction, Export, Failure, Kind, Piece, Place};
pub use original::Original;

use driver::Driver;
use ipc::Mappings;
use nemesis_sync::{AtomicU8, AtomicUsize, Ordering};
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use vendors::VENDORS;

/// Name of the variable by which the user tells a [`Mode`].
pub const VARIABLE: &str = "NEMESIS_GPU";

/// What the user has said about device memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Buffers may be device memory if the host has a device.
    #[default]
    Auto,
    /// Buffers may be device memory.
    On,
    /// No buffer is device memory.
    Off,
}

impl Mode {
    /// Reads the value of the variable.
    ///
    /// # Errors
    /// If the text is none of `on`, `off` and the empty text.
    pub fn parse(text: &str) -> Result<Mode, String> {
        match text {
            "" => Ok(Mode::Auto),
            "on" => Ok(Mode::On),
            "off" => Ok(Mode::Off),
            _ => Err(format!("{text:?} is neither")),
        }
    }
}

const NEVER: u8 = 0;
const REFUSED: u8 = 1;
const WATCHING: u8 = 2;
const FOUND: u8 = 3;

/// What is asked of a buffer. It only grows.
static STATE: AtomicU8 = AtomicU8::new(NEVER);
/// The driver that was found.
static DRIVER: OnceLock<Box<dyn Driver>> = OnceLock::new();
/// The shortest data that go from device to device, in bytes.
static DIRECT_MIN_BYTES: AtomicUsize = AtomicUsize::new(usize::MAX);
/// Memory of other processes that is mapped.
static MAPPINGS: Mutex<Mappings> = Mutex::new(Mappings::new());

/// Begins with what the user has said: finds a driver that is loaded already, and watches for one
/// if the host has a device. Data of at least `direct_min_bytes` bytes go from device to device.
pub fn begin(mode: Mode, direct_min_bytes: usize) {
    // Relaxed: a hint; a thread that sees the old value copies through the host.
    DIRECT_MIN_BYTES.store(direct_min_bytes, Ordering::Relaxed);
    if mode == Mode::Off {
        return set(REFUSED);
    }
    if mode == Mode::On || devices_of_host().next().is_some() {
        expect();
    }
    look_rarely();
}

/// Watches from now on, unless the user has said that there is no device memory: the program has
/// asked for kinds of device memory.
pub fn expect() {
    if state() == NEVER {
        set(WATCHING);
    }
}

fn set(state: u8) {
    // Relaxed: a thread that sees the new state reads the driver from its cell, which has its own
    // ordering; a thread that does not sees it at its next call.
    STATE.store(state, Ordering::Relaxed);
}

#[inline(always)]
fn state() -> u8 {
    // Relaxed: as in `set`.
    STATE.load(Ordering::Relaxed)
}

/// Returns whether a buffer may be device memory, so that the fast paths must not touch it.
#[inline(always)]
pub fn is_on() -> bool {
    state() >= WATCHING
}

/// Returns whether a driver is loaded. Looks for one, if the loader has loaded an object since the
/// last look.
#[inline]
pub fn look() -> bool {
    match state() {
        FOUND => true,
        WATCHING => loader::has_changed() && find(),
        _ => false,
    }
}

/// Looks for a driver from a call that is rare and takes long, also on a host without a device.
pub fn look_rarely() {
    if state() < FOUND && state() != REFUSED && loader::has_changed() {
        find();
    }
}

#[cold]
fn find() -> bool {
    let Some(driver) = VENDORS.iter().find_map(|vendor| (vendor.open)(vendor.library)) else {
        return false;
    };
    DRIVER.get_or_init(|| driver);
    set(FOUND);
    true
}

fn driver() -> Option<&'static dyn Driver> {
    DRIVER.get().map(|driver| &**driver)
}

/// Returns whose memory an address is. Before [`look`] has found a driver, it is the host's.
pub fn place(address: usize) -> Place {
    driver().map_or(Place::Host, |driver| driver.place(address))
}

/// Copies pieces between the host's memory and a device's. Returns when all of them are there.
///
/// # Errors
/// If the driver refuses.
///
/// # Safety
/// Each piece names `rows` rows of `bytes` bytes on either side. Those of the host are readable, or
/// writable if the copy goes to the host, and nothing else uses them during the call.
#[allow(unsafe_code)]
pub unsafe fn copy(
    device: &Device,
    direction: Direction,
    pieces: &mut dyn Iterator<Item = Piece>,
) -> Result<(), Failure> {
    match driver() {
        // SAFETY: the caller's promise.
        Some(driver) => unsafe { driver.copy(device, direction, pieces) },
        None => Err(Failure("no driver is loaded".into())),
    }
}

/// Returns whether data of `bytes` bytes go from device to device, or in parts through the host.
pub fn is_long(bytes: usize) -> bool {
    // Relaxed: as in `begin`.
    bytes >= DIRECT_MIN_BYTES.load(Ordering::Relaxed)
}

/// Returns how other processes of the host reach `bytes` bytes of a device. Returns `None` if they
/// cannot.
pub fn export(device: &Device, address: usize, bytes: usize) -> Option<Export> {
    /// A number drawn at random: the number of a process that has ended may come again.
    static PROCESS: OnceLock<u64> = OnceLock::new();
    if !device.contains(address, bytes) {
        return None;
    }
    let process = *PROCESS.get_or_init(|| RandomState::new().hash_one(std::process::id()));
    driver()?.export(device, address, bytes, process)
}

/// Copies the first `bytes` bytes of exported data of another process to memory of a device.
///
/// # Errors
/// If the driver refuses, or the data end before.
///
/// # Safety
/// `bytes` bytes at `to` are memory of `device` that nothing else uses during the call.
#[allow(unsafe_code)]
unsafe fn import(export: &Export, device: &Device, to: usize, bytes: usize) -> Result<(), Failure> {
    let driver = driver().ok_or_else(|| Failure("no driver is loaded".into()))?;
    // SAFETY: the caller's promise.
    unsafe { mappings().read(driver, export, device, to, bytes) }
}

fn mappings() -> MutexGuard<'static, Mappings> {
    MAPPINGS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives back all memory of other processes, which they may free afterwards, and unpins memory.
pub fn end() {
    if let Some(driver) = driver() {
        mappings().close_all(driver);
        driver.unpin_all();
    }
}

/// The vendors whose device files this host has, with the first file of each.
pub fn devices_of_host() -> impl Iterator<Item = (&'static str, &'static str)> {
    VENDORS.iter().filter_map(|vendor| {
        let exists = |file: &&&str| std::fs::exists(file).unwrap_or(false);
        vendor.device_files.iter().find(exists).map(|file| (vendor.name, *file))
    })
}

/// Loads the drivers of this host, and describes them and their devices in lines; none if there is
/// no driver. For tools.
pub fn describe_host() -> Vec<String> {
    VENDORS.iter().filter_map(|vendor| (vendor.describe)(vendor.library).ok()).flatten().collect()
}

/// Returns whether device memory may be passed to calls that take buffers. Before [`begin`], the
/// variable tells.
pub fn is_supported() -> bool {
    let is_off = |text: String| Mode::parse(&text) == Ok(Mode::Off);
    state() != REFUSED && !std::env::var(VARIABLE).is_ok_and(is_off)
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} memory of {} device {}", self.kind, self.vendor, self.ordinal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_without_a_driver_has_only_memory_of_the_host() {
        assert!(!is_on() && !look());
        look_rarely();
        let local = 7_u64;
        assert_eq!(place((&raw const local).addr()), Place::Host);
        expect();
        assert!(is_on() && !look(), "a driver is expected, and none is loaded");
        begin(Mode::Off, 0);
        expect();
        look_rarely();
        assert!(!is_on() && !is_supported());
    }

    #[test]
    fn modes_are_read() {
        assert_eq!(Mode::parse(""), Ok(Mode::Auto));
        assert_eq!((Mode::parse("on"), Mode::parse("off")), (Ok(Mode::On), Ok(Mode::Off)));
        assert!(Mode::parse("yes").is_err());
    }
}
