//! Accesses that the network itself carries out: puts and gets of contiguous data, and changes of
//! single integers of 8 bytes.
//!
//! The target has registered its memory with the network of the pair. Its process takes no part, so
//! the access completes while the target computes or is stopped. A network without progress of its
//! own (`Rma::needs_target`) needs polls of the target, which its progress thread makes while it
//! computes.
//!
//! ```text
//!   origin                                              target
//!   MPI_Put    ── write ─────────────────────────────>  memory, by the network's device
//!   MPI_Get    <── read ──────────────────────────────
//!   MPI_Win_flush and the like: a flush of the module, then all accesses are complete there
//! ```
//!
//! A rank tells the key of its memory when the window is created (`create`). What the network does
//! not carry out becomes an AM request: most accumulates, data with holes, attached memory of
//! dynamic windows, and accesses that the module refuses, for example because the pair has no
//! connection for memory. An accumulate must exclude all others at its location. The network
//! therefore changes only elements that the processes of the target's node combine by atomic
//! instructions in every case (`Sharing::Network`), and only if its atomic operations exclude
//! these.
//!
//! A call that waits for the AM requests of a process waits for these accesses, too
//! (`am_requests::await_requests`): it flushes if a put has begun since the last flush. A failure
//! of an access without a handle is an error of the window's next synchronization.

use super::elements::Sharing;
use super::network::{Kind, Operation};
use super::remote::AmRequest;
use super::state::{RMA, Rma, Windows, rma};
use super::target::Target;
use super::window::Reach;
use crate::abi;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::handle;
use crate::peer_failure;
use crate::protocol::Core;
use crate::pt2pt::PointToPoint;
use crate::request::{Activity, Request};
use nemesis::{Bounce, Change, Failure, Fault, NetworkKey, RemoteMemory, Token};
use nemesis_datatype::{Buffer, RemoteTarget};

/// An access, and this process's memory of it.
#[derive(Clone, Copy, Debug)]
pub enum NetworkAccess<'a> {
    Put(&'a Buffer),
    Get(&'a Buffer),
    /// An atomic change of a word, and the buffer of the word before, if it is wanted.
    Change(Change, Option<&'a Buffer>),
}

impl<'a> NetworkAccess<'a> {
    fn local(self) -> Option<&'a Buffer> {
        match self {
            NetworkAccess::Put(local) | NetworkAccess::Get(local) => Some(local),
            NetworkAccess::Change(_, result) => result,
        }
    }

    fn kind(self) -> Kind {
        match self {
            NetworkAccess::Put(_) => Kind::Put,
            NetworkAccess::Get(_) => Kind::Get,
            NetworkAccess::Change(..) => Kind::Change,
        }
    }
}

/// Returns the memory that an access names, if it is one range of bytes that the network reaches:
/// the key, and the address in the target's process.
fn remote_memory(
    engine: &Engine,
    am_request: &AmRequest,
    target: &Target,
    access: NetworkAccess<'_>,
) -> Option<(NetworkKey, u64)> {
    let window = engine.window(am_request.win).ok()?;
    let exposed = window.exposed.get(target.rank as usize)?;
    let Reach::Remote { network: Some(memory), .. } = &exposed.reach else { return None };
    let is_change = matches!(access, NetworkAccess::Change(..));
    if is_change && exposed.sharing != Sharing::Network {
        return None;
    }
    let start = memory.address.wrapping_add(target.disp.wrapping_mul(exposed.disp_unit) as u64);
    let range = RemoteTarget::new(start, target.count, &target.datatype).contiguous()?;
    let is_aligned = range.address.is_multiple_of(size_of::<u64>());
    (is_aligned || !is_change).then_some((memory.key, range.address as u64))
}

/// Begins an access by the network, after the checks of
/// [`resolve::am_request`](super::resolve::am_request). The access's buffer has as many bytes of
/// data as the target. Returns the handle of its request if one is `wanted`; returns `None`, and
/// has begun nothing, if the target's process has to carry the access out.
pub fn begin(
    mpi: &mut Mpi,
    am_request: &AmRequest,
    target: &Target,
    access: NetworkAccess<'_>,
    wanted: bool,
) -> Outcome<Option<Option<handle::Request>>> {
    let process = am_request.process;
    let Some((key, address)) = remote_memory(mpi, am_request, target, access) else {
        return Ok(None);
    };
    mpi.pt2pt.core.losses.check(process)?;
    if !rma(mpi).network.has_space(process) {
        mpi.wait_until(Some(process), |mpi| rma(mpi).network.has_space(process));
        mpi.pt2pt.core.losses.check(process)?;
    }
    let there = RemoteMemory { process, address, key: &key };
    let Some(token) = post(mpi, am_request, &there, access) else { return Ok(None) };
    let request = match wanted {
        true => {
            let mut request = Request::new(abi::MPI_COMM_SELF, Activity::Access);
            request.expected = Some(process);
            Some(mpi.pt2pt.new_request(request)?)
        }
        false => None,
    };
    if let Some(request) = request {
        rma(mpi).network.set_request(token, request);
    }
    Ok(Some(request))
}

/// Hands an access to the network and returns its token; returns `None` if the network does not
/// carry it out.
fn post(
    engine: &mut Engine,
    am_request: &AmRequest,
    there: &RemoteMemory<'_>,
    access: NetworkAccess<'_>,
) -> Option<Token> {
    let Engine { pt2pt: PointToPoint { endpoint: Some(endpoint), core, .. }, .. } = engine else {
        return None;
    };
    let process = there.process;
    let Rma { network, .. } = RMA.get_mut(&mut core.token);
    let token = network.next();
    let begun = match access {
        NetworkAccess::Change(change, result) => {
            if !endpoint.changes_words(process, there.key) {
                return None;
            }
            let old = match result {
                Some(result) => result.region_mut(0, size_of::<u64>())?,
                None => Bounce::new(size_of::<u64>()).1,
            };
            endpoint.change(change, old, *there, token)
        }
        NetworkAccess::Put(local) | NetworkAccess::Get(local)
            if local.bytes() == 0 || !endpoint.reaches_memory(process, there.key) =>
        {
            return None;
        }
        NetworkAccess::Put(local) => endpoint.put(local.region(0, local.bytes())?, *there, token),
        NetworkAccess::Get(local) => {
            endpoint.get(local.region_mut(0, local.bytes())?, *there, token)
        }
    };
    begun.ok()?;
    let AmRequest { context, win, .. } = *am_request;
    let operation = Operation::new(process, context, win, access.local().cloned());
    network.add(operation, access.kind());
    Some(token)
}

/// Begins a flush of the accesses to a process, if a put has begun since the last one.
pub fn begin_flush(engine: &mut Engine, context: u64, win: handle::Win, process: u32) {
    let Engine { pt2pt: PointToPoint { endpoint: Some(endpoint), core, .. }, .. } = engine else {
        return;
    };
    let Rma { network, origin, .. } = RMA.get_mut(&mut core.token);
    if !network.take_need_of_flush(process) {
        return;
    }
    match endpoint.flush(process, network.next()) {
        Ok(()) => network.add(Operation::new(process, context, win, None), Kind::Flush),
        Err(failure) => origin.add_error(context, error(process, &failure)),
    }
}

/// Waits until the operations on a process that have begun by now are complete.
pub fn await_all(mpi: &mut Mpi, process: u32) {
    let limit = rma(mpi).network.limit(process);
    if !rma(mpi).network.are_complete(process, limit) {
        mpi.wait_until(Some(process), |mpi| rma(mpi).network.are_complete(process, limit));
    }
}

/// Waits until the atomic changes at a process that have begun by now are complete.
pub fn await_changes(mpi: &mut Mpi, process: u32) {
    if !rma(mpi).network.are_changes_complete(process) {
        mpi.wait_until(Some(process), |mpi| rma(mpi).network.are_changes_complete(process));
    }
}

/// Takes the end of an operation.
pub fn completed(core: &mut Core, token: Token, outcome: Result<(), Failure>) {
    let Rma { network, origin, .. } = RMA.get_mut(&mut core.token);
    let Some(operation) = network.take(token) else { return };
    let error = outcome.err().map(|failure| error(operation.process, &failure));
    match (operation.request, error) {
        (Some(request), None) => core.finish(request),
        (Some(request), Some(mut error)) => {
            error.window = Some(operation.win);
            core.fail(request, error);
        }
        (None, Some(error)) => origin.add_error(operation.context, error),
        (None, None) => {}
    }
}

/// Makes the error of an access that the network has not completed.
#[cold]
fn error(process: u32, failure: &Failure) -> Box<Error> {
    match failure.fault {
        Fault::Lost | Fault::Unreachable => peer_failure::error(process, &failure.why),
        _ => {
            let why = format!("the network cannot access memory of process {process}: {failure}");
            Error::new(abi::MPI_ERR_OTHER, why)
                .advise("free memory of a window only after MPI_Win_free, or use other networks")
        }
    }
}
