//! The hooks by which the engine makes progress for one-sided communication.

use super::am_requests::feed_accesses;
use super::network_access::completed;
use super::notice::Notice;
use super::packet_kind as kind;
use super::remote::origin::FIRST_BULK_TOKEN;
use super::remote::target::FIRST_RESULT_TOKEN;
use super::state::{RMA, Rma, finish, update_status};
use crate::engine::Engine;
use crate::engine::upper::Hooks;
use crate::handle;
use crate::peer_failure;
use crate::protocol::{Core, PacketHooks};
use crate::pt2pt::PointToPoint;
use nemesis::wire::Header;
use nemesis::{Failure, RegionMut, Token, am};

/// The functions by which the engine makes progress for one-sided communication.
pub const HOOKS: Hooks = Hooks {
    packets: PacketHooks { packet, place, completed: ended, lost },
    perform,
    close,
    ..Hooks::NONE
};

/// Takes a packet; returns `None` if it is malformed.
fn packet(core: &mut Core, from: u32, header: &Header, payload: &[u8]) -> Option<()> {
    let rma = RMA.get_mut(&mut core.token);
    match header.kind {
        kind::AM_PUT | kind::AM_GET | kind::AM_SCATTER => {
            rma.am_targets.take(from, header, payload)
        }
        kind::WINDOW_POSTED => rma.notices.count(Notice::Posted, header),
        kind::WINDOW_COMPLETED => rma.notices.count(Notice::Completed, header),
        _ if am::is_answer(header) => {
            let ended = rma.origin.take_answer(&core.losses, from, header, payload)?;
            finish(core, ended);
            Some(())
        }
        _ => {
            rma.served.take(from, header, payload)?;
            update_status(core);
            Some(())
        }
    }
}

/// Returns the memory for the bulk payload of a packet.
fn place(
    core: &mut Core,
    from: u32,
    header: &Header,
    payload: &[u8],
    bytes: usize,
) -> Option<RegionMut> {
    let Rma { origin, served, .. } = RMA.get_mut(&mut core.token);
    match am::is_answer(header) {
        true => origin.place(from, header, payload, bytes),
        false => served.place(from, header, payload, bytes),
    }
}

/// Takes the end of an access by the network, or of a bulk payload.
fn ended(core: &mut Core, token: Token, outcome: Result<(), Failure>) {
    match token {
        FIRST_BULK_TOKEN.. => {
            let ended = RMA.get_mut(&mut core.token).origin.completed(token, outcome);
            finish(core, ended);
        }
        FIRST_RESULT_TOKEN.. => RMA.get_mut(&mut core.token).served.completed(token),
        _ => completed(core, token, outcome),
    }
}

/// Grants locks that are free, and sends replies and confirmations as long as there is space.
fn answer_accesses(engine: &mut Engine) {
    let limits = engine.pt2pt.am_limits();
    let Engine { pt2pt: PointToPoint { endpoint, packing, core, .. }, .. } = engine;
    let served = &mut RMA.get_mut(&mut core.token).served;
    if !served.is_busy() {
        return;
    }
    served.grant_locks();
    if let Some(endpoint) = endpoint {
        served.send_replies(endpoint, packing, limits);
    }
}

/// Sends queued requests and replies as far as there is space.
fn perform(engine: &mut Engine) {
    feed_accesses(engine, None);
    answer_accesses(engine);
    update_status(&mut engine.pt2pt.core);
}

/// Makes flushes of the window with this communicator look for processes that have died.
fn close(engine: &mut Engine, comm: handle::Comm) {
    let windows = &mut RMA.get_mut(&mut engine.pt2pt.core.token).windows;
    if let Some(window) = windows.iter_mut().find(|window| window.comm == comm) {
        window.remote.some = true;
    }
}

/// Ends the accesses that wait for a lost process, and releases the locks that it held.
fn lost(core: &mut Core, process: u32, why: &str) {
    let rma = RMA.get_mut(&mut core.token);
    let mut requests = rma.origin.lose(process, why);
    let (accesses, contexts) = rma.network.lose(process);
    requests.extend(accesses);
    for context in contexts {
        rma.origin.add_error(context, peer_failure::error(process, why));
    }
    rma.served.lose(process);
    for request in requests {
        core.fail(request, peer_failure::error(process, why));
    }
    update_status(core);
}
