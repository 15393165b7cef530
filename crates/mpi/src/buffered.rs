//! Buffered mode (MPI 5.0 §3.6).
//!
//! A buffered send copies the message and returns; the copy travels like any other send. The program's buffer is a promise of room: we
//! account for it as §3.6.1 models it (packed size and an overhead a message) and keep the copies in memory of our own, so a message
//! never fails for lack of contiguous room where the model would have let it pass.

use crate::abi;
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::handle;
use crate::send::{Envelope, Mode};
use nemesis_datatype::{Buffer, Datatype};

/// Room that the program has attached, and what uses it.
pub struct Buffers {
    attached: Option<Attached>,
}

impl Buffers {
    pub const fn new() -> Buffers {
        Buffers { attached: None }
    }
}

struct Attached {
    address: usize,
    bytes: i64,
    automatic: bool,
    used: i64,
    pending: Vec<(handle::Request, i64)>,
    /// When so many are pending, those that are out are looked for: twice as many as were left the last time.
    sweep_at: usize,
}

/// What a message costs beside its bytes. Programs reckon with the MPI_BSEND_OVERHEAD of their mpi.h, which is 512 in the standard's ABI
/// and 96 in MPICH's: the smaller one lets a message pass for both.
const OVERHEAD_BYTES: i64 = 96;
const _: () = assert!(OVERHEAD_BYTES <= abi::MPI_BSEND_OVERHEAD as i64);

/// Pending messages before the first look for those that are out.
const SWEEP_AT_LEAST: usize = 64;

/// `MPI_Buffer_attach`
pub fn attach(mpi: &mut Mpi, address: usize, bytes: i64) -> Outcome {
    if mpi.buffered.attached.is_some() {
        return Err(Error::new(abi::MPI_ERR_BUFFER, "a buffer is attached already").advise("call MPI_Buffer_detach first"));
    }
    let automatic = address == abi::MPI_BUFFER_AUTOMATIC;
    mpi.buffered.attached = Some(Attached { address, bytes, automatic, used: 0, pending: Vec::new(), sweep_at: SWEEP_AT_LEAST });
    Ok(())
}

/// `MPI_Buffer_detach`: waits until all buffered messages are out; gives back address and size.
pub fn detach(mpi: &mut Mpi) -> Outcome<(usize, i64)> {
    flush(mpi)?;
    match mpi.buffered.attached.take() {
        Some(attached) => Ok((attached.address, attached.bytes)),
        None => Ok((0, 0)),
    }
}

/// `MPI_Buffer_flush`: waits until all buffered messages are out.
pub fn flush(mpi: &mut Mpi) -> Outcome {
    mpi.wait_until(None, |mpi| {
        reclaim(mpi);
        mpi.buffered.attached.as_ref().is_none_or(|attached| attached.pending.is_empty())
    });
    Ok(())
}

/// Gives back the room of messages that are out.
fn reclaim(mpi: &mut Mpi) {
    let Some(mut attached) = mpi.buffered.attached.take() else { return };
    attached.pending.retain_mut(|(request, bytes)| {
        let out = mpi.is_complete(*request).unwrap_or(true);
        if out {
            attached.used -= *bytes;
            let _ = mpi.collect(request);
        }
        !out
    });
    attached.sweep_at = (2 * attached.pending.len()).max(SWEEP_AT_LEAST);
    mpi.buffered.attached = Some(attached);
}

/// `MPI_Bsend`: returns when the message has been copied.
pub fn send(mpi: &mut Mpi, buffer: &Buffer, envelope: Envelope) -> Outcome {
    let bytes = buffer.bytes();
    let needed = bytes as i64 + OVERHEAD_BYTES;
    if mpi.buffered.attached.as_ref().is_some_and(|attached| attached.pending.len() >= attached.sweep_at) {
        reclaim(mpi);
    }
    if !has_room(mpi, needed) {
        mpi.progress();
        reclaim(mpi);
        if !has_room(mpi, needed) {
            return Err(no_room(mpi, needed));
        }
    }
    let byte = Datatype::predefined(abi::MPI_BYTE.0).expect("MPI_BYTE is predefined");
    let mut copy = Buffer::scratch(bytes as i64, byte).map_err(|error| Error::new(abi::MPI_ERR_NO_MEM, error.why.to_string()))?;
    if let Some(room) = copy.as_bytes_mut() {
        buffer.pack_at(0, room);
    }
    if let Some(request) = mpi.start_send(&copy, envelope, Mode::Standard)?
        && let Some(attached) = &mut mpi.buffered.attached
    {
        attached.used += needed;
        attached.pending.push((request, needed));
    }
    Ok(())
}

fn has_room(mpi: &Mpi, needed: i64) -> bool {
    mpi.buffered.attached.as_ref().is_some_and(|attached| attached.automatic || attached.bytes - attached.used >= needed)
}

#[cold]
fn no_room(mpi: &Mpi, needed: i64) -> Box<Error> {
    match &mpi.buffered.attached {
        None => Error::new(abi::MPI_ERR_BUFFER, "no buffer is attached").advise("call MPI_Buffer_attach before buffered sends"),
        Some(attached) => Error::new(
            abi::MPI_ERR_BUFFER,
            format!(
                "the message needs {needed} bytes of the attached buffer, of which {} of {} are free",
                attached.bytes - attached.used,
                attached.bytes
            ),
        )
        .advise("attach a larger buffer, or MPI_BUFFER_AUTOMATIC"),
    }
}
