//! Buffers in memory of devices: copies in the host's memory take their place (staging).
//!
//! No other part of the library touches memory of a device. Every call makes its buffers by
//! [`UserBuffer::buffer`](crate::params::UserBuffer::buffer), which asks here what stands for the
//! memory ([`stand_in`]):
//!
//! ```text
//!  MPI_Recv(device memory) ─▶ buffer ─▶ stand_in: no call stages yet ─▶ an error, without effect
//!      │
//!      ▼ the binding, where errors go
//!  again ─▶ the call, from its beginning ─▶ buffer ─▶ stand_in: a copy, filled from the device
//!      │                                   hand_out: a request that returns copies when complete
//!      ▼
//!   what no request has taken is returned to the device
//! ```
//!
//! So a call without device memory pays for this only where it makes a buffer: one load.
//!
//! A copy has the layout of the buffer: the datatype describes it, too. Most calls do not say what
//! they do with a buffer ([`Use::Any`]). What they write is found by comparing the copy with what
//! it held before, so a buffer that is only sent is never written, and neither are the gaps of a
//! datatype. The data of a buffer belong to its operation alone while it lasts (MPI 5.0 §3.7.2), so
//! nothing else writes them meanwhile.
//!
//! A receive writes the first bytes of the packed stream, as many as its completion says. So its
//! copy is not filled, and nothing is compared. A long message of one range is described to the
//! engine ([`Original`]), which lets the receiver's device read the sender's memory and leaves both
//! copies untouched.

#![allow(unsafe_code)]

use nemesis_datatype::{Buffer, MemoryRegion};
use nemesis_gpu::{Device, Direction, Original, Piece, Place};
use nemesis_mpi::attempts::Use;
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::Request;
use nemesis_mpi::request::Copies;
use nemesis_mpi::rma::{DeviceMemory, Offered, Run as Span};
use nemesis_mpi::{abi, compound, types};
use nemesis_sync::{AtomicUsize, Ordering};
use std::cell::{Cell, RefCell};
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};
use std::sync::{Arc, Mutex, PoisonError};

thread_local! {
    /// The stand-ins of the call that this thread makes again; `None` in any other call.
    static CALL: RefCell<Option<Vec<Arc<Staged>>>> = const { RefCell::new(None) };
    /// Whether the present call has failed because of memory of a device, and can be made again.
    static WANTED: Cell<bool> = const { Cell::new(false) };
}

/// Returns the buffer that the call uses: `buffer` itself if it is memory of the host, else a copy
/// of it. In the first attempt of a call, memory of a device is an error, after which the binding
/// makes the call again.
///
/// # Errors
/// If the memory is a device's, and the call is not made again, or the memory cannot be copied.
#[cold]
pub fn stand_in(buffer: Buffer, used: Use) -> Outcome<Buffer> {
    if !nemesis_gpu::look() || buffer.bytes() == 0 {
        return Ok(buffer);
    }
    let Some(device) = device_of(&buffer) else { return Ok(buffer) };
    if CALL.with_borrow(Option::is_none) {
        WANTED.set(true);
        return Err(unexpected(&device));
    }
    let staged = Arc::new(Staged::new(buffer, device, used)?);
    let copy = staged.copy.clone();
    CALL.with_borrow_mut(|call| call.get_or_insert_default().push(staged));
    Ok(copy)
}

/// Whether an error of a call means that the call is to be made again.
#[inline]
pub fn is_retry(error: &Error) -> bool {
    error.class == abi::MPI_ERR_BUFFER && WANTED.get() && CALL.with_borrow(Option::is_none)
}

/// Makes a call again with stand-ins for its buffers in memory of devices.
///
/// # Errors
/// If the call fails, or its results cannot be returned to the device.
#[cold]
#[inline(never)]
pub fn again(call: impl FnOnce() -> Outcome) -> Outcome {
    WANTED.set(false);
    CALL.set(Some(Vec::new()));
    let outcome = call();
    let left = CALL.take().unwrap_or_default();
    // A failed call may have received a part of its data.
    let returned = left.iter().try_for_each(|staged| staged.return_results());
    outcome.and(returned)
}

/// Makes a call, and again with stand-ins if its buffers are found to be memory of devices.
///
/// # Errors
/// If the call fails, or its results cannot be returned to the device.
pub fn repeated(call: impl Fn() -> Outcome) -> Outcome {
    match call() {
        Err(error) if is_retry(&error) => again(call),
        outcome => outcome,
    }
}

/// Notes how many bytes the present call has received.
#[cold]
pub fn received(bytes: usize) {
    CALL.with_borrow(|call| {
        for staged in call.iter().flatten() {
            // Relaxed: this thread reads the value at the end of the call.
            staged.received.store(bytes, Ordering::Relaxed);
        }
    });
}

/// Takes the stand-ins of the present call, which the operation returns itself.
pub fn take() -> Option<Arc<dyn Copies>> {
    if !nemesis_gpu::is_on() {
        return None;
    }
    let taken = CALL.with_borrow_mut(|call| call.as_mut().map(std::mem::take))?;
    if taken.is_empty() { None } else { Some(Arc::new(All(taken))) }
}

/// Whether the present call uses stand-ins.
pub fn is_under_way() -> bool {
    nemesis_gpu::is_on()
        && CALL.with_borrow(|call| call.as_ref().is_some_and(|staged| !staged.is_empty()))
}

/// Returns the request of an operation that the present call has started: one that returns the
/// stand-ins when it is complete, if there are any.
///
/// # Errors
/// If there is no memory for the request, or a result cannot be returned.
#[inline]
pub fn hand_out(mpi: &mut Mpi, request: Request) -> Outcome<Request> {
    match take() {
        None => Ok(request),
        Some(copies) => compound::with_copies(mpi, request, copies),
    }
}

/// Returns memory of a device that the program gives to a window, with a shadow; `None` if it is
/// memory of the host. The call is rare, so a driver is looked for.
///
/// # Errors
/// If the memory ends before the window does, or there is no memory for the shadow.
pub fn of_window(mpi: &mut Mpi, address: usize, bytes: usize) -> Outcome<Option<Offered>> {
    mpi.look_for_devices();
    if !nemesis_gpu::look() {
        return Ok(None);
    }
    let Place::Device(device) = nemesis_gpu::place(address) else { return Ok(None) };
    if !device.contains(address, bytes) && nemesis_gpu::place(address + bytes - 1) == Place::Host {
        let why = format!(
            "{address:#x} is {device}, and the {bytes} bytes of the window go beyond its end"
        );
        return Err(Error::new(abi::MPI_ERR_SIZE, why)
            .advise("give the length of the allocation, in bytes"));
    }
    Ok(Some(Offered::Device(Arc::new(WindowMemory::new(address, bytes)?))))
}

/// Memory of a device that is a window's, and its shadow.
#[derive(Debug)]
struct WindowMemory {
    address: usize,
    shadow: MemoryRegion,
}

impl WindowMemory {
    fn new(address: usize, bytes: usize) -> Outcome<WindowMemory> {
        let shadow = MemoryRegion::sparse(bytes).map_err(types::refused)?;
        Ok(WindowMemory { address, shadow })
    }

    /// Moves runs between the memory and its shadow. The driver is asked each time whose memory it
    /// is: it may have been freed, and a copy would then take its address for one of the host.
    fn move_runs(&self, direction: Direction, runs: &mut dyn Iterator<Item = Span>) -> Outcome {
        let (mut pieces, mut device) = (Vec::new(), None::<Device>);
        for (mut offset, bytes) in runs {
            let end = offset + bytes;
            while offset < end {
                let (user, copy) = (self.address + offset, self.shadow.address() + offset);
                if device.as_ref().is_none_or(|device| !device.contains(user, 1)) {
                    let Place::Device(found) = nemesis_gpu::place(user) else {
                        return Err(self.gone(user));
                    };
                    if let Some(device) = device.replace(found) {
                        self.move_pieces(&device, direction, std::mem::take(&mut pieces))?;
                    }
                }
                // Adjacent allocations may be one range of a window, and are two of the driver.
                let (start, length) = device.as_ref().map_or((0, 0), |device| device.range);
                let left = (start + length).saturating_sub(user);
                let bytes = if left == 0 { end - offset } else { left.min(end - offset) };
                add(&mut pieces, Run { user, copy, bytes, packed: 0 });
                offset += bytes;
            }
        }
        device.map_or(Ok(()), |device| self.move_pieces(&device, direction, pieces))
    }

    fn move_pieces(&self, device: &Device, direction: Direction, pieces: Vec<Piece>) -> Outcome {
        // SAFETY: the pieces lie within the window, and so within its shadow, which only accesses
        // to the window use: one at a time, by the thread that is in the engine.
        unsafe { nemesis_gpu::copy(device, direction, &mut pieces.into_iter()) }.map_err(
            |failure| refused(direction, "memory of a window", self.address, device, &failure),
        )
    }

    #[cold]
    fn gone(&self, address: usize) -> Box<Error> {
        let why =
            format!("{address:#x} in a window of memory of a device is no such memory any more");
        Error::new(abi::MPI_ERR_BUFFER, why)
            .advise("free the memory after the window, or after MPI_Win_detach")
    }
}

impl DeviceMemory for WindowMemory {
    fn address(&self) -> usize {
        self.address
    }

    fn shadow(&self) -> &MemoryRegion {
        &self.shadow
    }

    fn spanning(&self, address: usize, bytes: usize) -> Outcome<Arc<dyn DeviceMemory>> {
        Ok(Arc::new(WindowMemory::new(address, bytes)?))
    }

    fn fetch(&self, runs: &mut dyn Iterator<Item = Span>) -> Outcome {
        self.move_runs(Direction::ToHost, runs)
    }

    fn store(&self, runs: &mut dyn Iterator<Item = Span>) -> Outcome {
        self.move_runs(Direction::ToDevice, runs)
    }
}

/// The error of a copy that a driver refuses.
fn refused(
    direction: Direction,
    what: &str,
    address: usize,
    device: &Device,
    failure: &nemesis_gpu::Failure,
) -> Box<Error> {
    let done = match direction {
        Direction::ToHost => "read",
        Direction::ToDevice => "written",
    };
    let why =
        format!("{what} at {address:#x}, {device}, cannot be {done}: the driver says {failure}");
    Error::new(abi::MPI_ERR_BUFFER, why).advise(
        "look whether the memory was freed, or is shorter than count and datatype say, or \
         whether a kernel has failed before (cuda-memcheck, compute-sanitizer)",
    )
}

/// The error of the first attempt, which the program sees if the call is none that is made again.
fn unexpected(device: &Device) -> Box<Error> {
    Error::new(abi::MPI_ERR_BUFFER, format!("the buffer is {device}, which this call cannot use"))
        .advise("copy the data to memory of the host, and pass that")
}

/// Returns the device to whose memory a buffer belongs. Of a buffer with an address, whose elements
/// are usually parts of one allocation, the first and the last run of bytes are looked at; of one
/// with absolute addresses (`MPI_BOTTOM`), all.
fn device_of(buffer: &Buffer) -> Option<Device> {
    let at = |address: usize| match nemesis_gpu::place(address) {
        Place::Host => None,
        Place::Device(device) => Some(device),
    };
    if let Some(run) = buffer.contiguous() {
        return at(run.address);
    }
    if buffer.address() == 0 {
        return buffer.runs(0).find_map(|run| at(run.address));
    }
    let first = buffer.runs(0).next()?;
    at(first.address).or_else(|| {
        let last = buffer.runs(buffer.bytes() - 1).next()?;
        at(last.address)
    })
}

/// Describes the memory of one range for the engine, if its data may go from device to device.
fn original_of(user: &Buffer, device: &Device, used: Use) -> Option<Original> {
    let run = user.contiguous().filter(|run| device.contains(run.address, run.len))?;
    match used {
        // The checks look at the data.
        Use::SentLater if nemesis_gpu::is_long(run.len) && !nemesis_mpi_check::is_on() => {
            let export = nemesis_gpu::export(device, run.address, run.len);
            // SAFETY: B1 and B2 of the buffer.
            Some(unsafe { Original::to_send(device.clone(), (run.address, run.len), export) })
        }
        Use::Received if !nemesis_mpi_check::is_on() => {
            // SAFETY: as above.
            Some(unsafe { Original::to_receive(device.clone(), (run.address, run.len)) })
        }
        _ => None,
    }
}

/// A buffer in memory of a device, and the copy that stands for it.
#[derive(Debug)]
struct Staged {
    /// The program's buffer.
    user: Buffer,
    /// The device of its first byte that is not the host's.
    device: Device,
    /// The copy, with the same datatype.
    copy: Buffer,
    used: Use,
    /// The packed data that the copy and the program's buffer had in common last; empty unless they
    /// are compared.
    before: Mutex<Vec<u8>>,
    /// The bytes that a receive has got.
    received: AtomicUsize,
}

impl Staged {
    /// Makes a copy of a buffer on the host, and fills it unless its data are not read, or later.
    fn new(user: Buffer, device: Device, used: Use) -> Outcome<Staged> {
        let original = original_of(&user, &device, used).map(Arc::new);
        let is_filled_later = used == Use::SentLater && original.is_some();
        let copy = Buffer::of_device(user.count() as i64, user.datatype(), original);
        let compared = if used == Use::Any { user.bytes() } else { 0 };
        let (before, received) = (Mutex::new(vec![0; compared]), AtomicUsize::new(0));
        let copy = copy.map_err(types::refused)?;
        let staged = Staged { user, device, copy, used, before, received };
        if !is_filled_later {
            staged.fill()?;
        }
        Ok(staged)
    }

    /// Copies bytes `from..to` of the packed stream from the program's buffer.
    fn fetch(&self, from: usize, to: usize) -> Outcome {
        self.move_runs(Direction::ToHost, self.runs(from, to))?;
        if self.used == Use::Any {
            let mut before = self.before.lock().unwrap_or_else(PoisonError::into_inner);
            self.copy.pack_at(from, &mut before[from..to]);
        }
        Ok(())
    }

    /// Copies what has changed of bytes `from..to` of the packed stream to the program's buffer.
    fn send_back(&self, from: usize, to: usize) -> Outcome {
        let mut before = self.before.lock().unwrap_or_else(PoisonError::into_inner);
        let mut now = vec![0; to - from];
        self.copy.pack_at(from, &mut now);
        let Some((first, last)) = changed(&now, &before[from..to]) else { return Ok(()) };
        let runs: Vec<Run> = self
            .runs(from + first, from + last + 1)
            .filter(|run| {
                let at = run.packed..run.packed + run.bytes;
                now[at.start - from..at.end - from] != before[at]
            })
            .collect();
        self.move_runs(Direction::ToDevice, runs.into_iter())?;
        before[from..to].copy_from_slice(&now);
        Ok(())
    }

    /// Iterates over bytes `from..to` of the packed stream, with the addresses in both buffers.
    fn runs(&self, from: usize, to: usize) -> impl Iterator<Item = Run> {
        let both = self.user.runs(from).zip(self.copy.runs(from));
        let mut packed = from;
        both.map_while(move |(user, copy)| {
            let bytes = user.len.min(copy.len).min(to.saturating_sub(packed));
            let run = Run { user: user.address, copy: copy.address, bytes, packed };
            packed += bytes;
            (bytes > 0).then_some(run)
        })
    }

    /// Moves runs between the two buffers. Runs outside the device's allocation are looked up one
    /// by one: a datatype may combine several allocations, and memory of the host.
    fn move_runs(&self, direction: Direction, runs: impl Iterator<Item = Run>) -> Outcome {
        let mut pieces = Vec::new();
        let mut elsewhere: Vec<(Device, Piece)> = Vec::new();
        for run in runs {
            if self.device.contains(run.user, run.bytes) {
                add(&mut pieces, run);
                continue;
            }
            match nemesis_gpu::place(run.user) {
                Place::Device(device) if device.context == self.device.context => {
                    add(&mut pieces, run);
                }
                Place::Device(device) => {
                    elsewhere.push((device, Piece::run(run.user, run.copy, run.bytes)));
                }
                Place::Host => move_in_host(direction, &run),
            }
        }
        // SAFETY: the host's side lies in the copy, which belongs to the operation alone; the other
        // side is memory of the program, which is valid and used by nothing else (B1 and B2 of
        // `Buffer`).
        unsafe { nemesis_gpu::copy(&self.device, direction, &mut pieces.into_iter()) }
            .map_err(|failure| self.refused(direction, &failure))?;
        for (device, piece) in elsewhere {
            // SAFETY: as above.
            unsafe { nemesis_gpu::copy(&device, direction, &mut std::iter::once(piece)) }
                .map_err(|failure| self.refused(direction, &failure))?;
        }
        Ok(())
    }

    fn refused(&self, direction: Direction, failure: &nemesis_gpu::Failure) -> Box<Error> {
        let what = format!("{} bytes", self.user.bytes());
        refused(direction, &what, self.user.address(), &self.device, failure)
    }
}

impl Copies for Staged {
    fn fill(&self) -> Outcome {
        if self.used == Use::Received {
            // Relaxed: as in `received`.
            self.received.store(0, Ordering::Relaxed);
            self.copy.original().into_iter().for_each(|original| original.renew());
            return Ok(());
        }
        self.fetch(0, self.user.bytes())
    }

    fn return_results(&self) -> Outcome {
        match self.used {
            Use::Any => self.send_back(0, self.user.bytes()),
            Use::Sent | Use::SentLater => Ok(()),
            // Relaxed: as in `received`.
            Use::Received => self.return_received(self.received.load(Ordering::Relaxed)),
        }
    }

    fn return_received(&self, bytes: usize) -> Outcome {
        let original = self.copy.original();
        if let Some(failure) = original.and_then(|original| original.take_failure()) {
            return Err(self.refused(Direction::ToDevice, &failure));
        }
        let has_arrived = original.is_some_and(|original| original.has_arrived());
        match self.used {
            Use::Received if has_arrived || bytes == 0 => Ok(()),
            Use::Received => {
                let end = bytes.min(self.user.bytes());
                self.move_runs(Direction::ToDevice, self.runs(0, end))
            }
            _ => self.return_results(),
        }
    }

    fn fill_part(&self, from: usize, to: usize) -> Outcome {
        self.fetch(from, to)
    }

    fn return_part(&self, from: usize, to: usize) -> Outcome {
        self.send_back(from, to)
    }
}

/// The stand-ins of one operation.
#[derive(Debug)]
struct All(Vec<Arc<Staged>>);

impl Copies for All {
    fn fill(&self) -> Outcome {
        self.0.iter().try_for_each(|staged| staged.fill())
    }

    fn return_results(&self) -> Outcome {
        self.0.iter().try_for_each(|staged| staged.return_results())
    }

    fn return_received(&self, bytes: usize) -> Outcome {
        self.0.iter().try_for_each(|staged| staged.return_received(bytes))
    }

    fn fill_part(&self, from: usize, to: usize) -> Outcome {
        self.0.iter().try_for_each(|staged| staged.fill_part(from, to))
    }

    fn return_part(&self, from: usize, to: usize) -> Outcome {
        self.0.iter().try_for_each(|staged| staged.return_part(from, to))
    }
}

/// Bytes without a gap in both buffers.
#[derive(Clone, Copy, Debug)]
struct Run {
    user: usize,
    copy: usize,
    bytes: usize,
    /// Where they are in the packed stream.
    packed: usize,
}

/// Returns the first and the last place at which two slices of one length differ.
fn changed(now: &[u8], before: &[u8]) -> Option<(usize, usize)> {
    if now == before {
        return None;
    }
    let differs = |(at, (now, before)): (usize, (&u8, &u8))| (now != before).then_some(at);
    let first = now.iter().zip(before).enumerate().find_map(differs)?;
    let last = now.iter().zip(before).enumerate().rev().find_map(differs)?;
    Some((first, last))
}

/// Adds a run to a list of pieces: to its last piece if the two are one run, or rows at one pitch.
fn add(pieces: &mut Vec<Piece>, run: Run) {
    if let Some(last) = pieces.last_mut() {
        let device = run.user.wrapping_sub(last.device);
        let host = run.copy.wrapping_sub(last.host);
        if last.rows == 1 && (device, host) == (last.bytes, last.bytes) {
            last.bytes += run.bytes;
            (last.pitch, last.host_pitch) = (last.bytes, last.bytes);
            return;
        }
        let is_row = run.bytes == last.bytes && device >= last.bytes && host >= last.bytes;
        // Of a run below the last one, the difference wraps to more than half of all addresses.
        if is_row && last.rows == 1 && device.max(host) <= isize::MAX as usize {
            (last.pitch, last.host_pitch, last.rows) = (device, host, 2);
            return;
        }
        if is_row && (device, host) == (last.rows * last.pitch, last.rows * last.host_pitch) {
            last.rows += 1;
            return;
        }
    }
    pieces.push(Piece::run(run.user, run.copy, run.bytes));
}

/// Copies a run of memory of the host.
fn move_in_host(direction: Direction, run: &Run) {
    let (from, to) = match direction {
        Direction::ToHost => (run.user, run.copy),
        Direction::ToDevice => (run.copy, run.user),
    };
    // SAFETY: B1 and B2 of both buffers; the copy is memory of its own, so they do not overlap.
    unsafe {
        with_exposed_provenance_mut::<u8>(to)
            .copy_from_nonoverlapping(with_exposed_provenance(from), run.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(runs: &[(usize, usize, usize)]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for &(user, copy, bytes) in runs {
            add(&mut pieces, Run { user, copy, bytes, packed: 0 });
        }
        pieces
    }

    #[test]
    fn runs_at_one_pitch_are_rows_of_one_piece() {
        let column = pieces(&[(1000, 0, 8), (1100, 100, 8), (1200, 200, 8)]);
        let rows = Piece { device: 1000, host: 0, bytes: 8, rows: 3, pitch: 100, host_pitch: 100 };
        assert_eq!(column, [rows]);
        let adjacent = pieces(&[(1000, 0, 8), (1008, 8, 24)]);
        assert_eq!(adjacent, [Piece::run(1000, 0, 32)]);
    }

    #[test]
    fn runs_that_are_no_rows_are_pieces_of_their_own() {
        assert_eq!(pieces(&[(1000, 0, 8), (1100, 100, 4)]).len(), 2, "another length");
        assert_eq!(pieces(&[(1000, 100, 8), (900, 0, 8)]).len(), 2, "backwards");
        let bent = pieces(&[(1000, 0, 8), (1100, 100, 8), (1250, 250, 8)]);
        assert_eq!((bent.len(), bent[0].rows), (2, 2));
        assert_eq!(pieces(&[(1000, 0, 8), (1004, 4, 8)]).len(), 2, "overlapping");
    }

    #[test]
    fn what_has_changed_is_found() {
        assert_eq!(changed(b"abcdef", b"abcdef"), None);
        assert_eq!(changed(b"aXcdYf", b"abcdef"), Some((1, 4)));
        assert_eq!(changed(b"", b""), None);
    }
}
