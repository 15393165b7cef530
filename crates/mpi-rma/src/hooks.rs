//! The hooks by which the engine makes progress for one-sided communication.

use super::am_requests::feed_accesses;
use super::network_access::completed;
use super::notice::Notice;
use super::packet_kind as kind;
use super::remote::Arrived;
use super::remote::target::Service;
use super::state::{RMA, Rma, Task, update_status};
use crate::engine::Engine;
use crate::engine::upper::Hooks;
use crate::handle;
use crate::peer_failure;
use crate::protocol::{self, Core, PacketHooks};
use crate::pt2pt::PointToPoint;
use nemesis::wire::Header;

/// The functions by which the engine makes progress for one-sided communication.
pub const HOOKS: Hooks = Hooks {
    packets: PacketHooks { packet, completed, lost },
    task: perform_task,
    perform,
    close,
    ..Hooks::NONE
};

/// Takes a packet; returns `None` if it is malformed.
fn packet(core: &mut Core, from: u32, header: &Header, payload: &[u8]) -> Option<()> {
    let rma = RMA.get_mut(&mut core.token);
    match header.kind {
        kind::AM_PUT | kind::AM_GET => rma.am_targets.take(from, header, payload),
        kind::WINDOW_POSTED => rma.notices.count(Notice::Posted, header),
        kind::WINDOW_COMPLETED => rma.notices.count(Notice::Completed, header),
        kind::ACCESS_ASK | kind::ACCESS_DATA => {
            let arrived = Arrived { origin: from, header: *header, payload: payload.into() };
            rma.tasks.push_back(Task::Serve(arrived));
            core.tasks.push_back(protocol::Task::Upper);
            Some(())
        }
        kind::ACCESS_RESULT | kind::ACCESS_DONE | kind::ACCESS_REFUSED => {
            match rma.origin.take_answer(&core.losses, from, header, payload)? {
                None => {}
                Some((request, None)) => core.finish(request),
                Some((request, Some(error))) => core.fail(request, error),
            }
            Some(())
        }
        _ => None,
    }
}

/// Carries out the first task that packets have queued.
fn perform_task(engine: &mut Engine) {
    let Engine { pt2pt: PointToPoint { core, .. }, memory, verbose, .. } = engine;
    let Rma { tasks, served, .. } = RMA.get_mut(&mut core.token);
    match (tasks.pop_front(), memory) {
        (Some(Task::Serve(arrived)), Some(memory)) => {
            Service { served, memory, verbose: *verbose }.take(&arrived);
        }
        (Some(Task::Release { process }), _) => served.lose(process),
        _ => {}
    }
    update_status(core);
}

/// Grants locks that are free, and sends replies and confirmations as long as there is space.
fn answer_accesses(engine: &mut Engine) {
    let Engine {
        pt2pt: PointToPoint { endpoint, packing, packet_max_bytes, core, .. },
        verbose,
        ..
    } = engine;
    let served = &mut RMA.get_mut(&mut core.token).served;
    if !served.is_busy() {
        return;
    }
    served.grant_locks();
    if let Some(endpoint) = endpoint {
        served.send_replies(endpoint, packing, *packet_max_bytes, *verbose);
    }
}

/// Sends queued requests and replies as far as there is space.
fn perform(engine: &mut Engine) {
    feed_accesses(engine);
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

/// Ends the accesses that wait for a lost process. The locks that it held are released later.
fn lost(core: &mut Core, process: u32, why: &str) {
    let rma = RMA.get_mut(&mut core.token);
    let mut requests = rma.origin.lose(process, why);
    let (accesses, contexts) = rma.network.lose(process);
    requests.extend(accesses);
    for context in contexts {
        rma.origin.add_error(context, peer_failure::error(process, why));
    }
    rma.tasks.push_back(Task::Release { process });
    core.tasks.push_back(protocol::Task::Upper);
    for request in requests {
        core.fail(request, peer_failure::error(process, why));
    }
    update_status(core);
}
