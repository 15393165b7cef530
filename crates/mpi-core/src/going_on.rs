//! How a checked program that relies on buffering goes on (`mpiexec -check=buffered`).
//!
//! With the checks a standard send waits for its receive, and a collective operation until all have
//! called it, so a program that relies on the contrary stands still. When the launcher is certain
//! of that, it gives orders with its next question (`nemesis_shm::status`): first to keep the
//! messages that would have been eager, and if that does not help, to leave collective operations.
//! Each process tells which of its calls has waited for that, and obeys from then on.

use crate::handle::OfLane;
use crate::protocol::Content;
use crate::pt2pt::PointToPoint;
use crate::request::Activity;
use nemesis::status::{KEEP_MESSAGES, LEAVE_COLLECTIVES};
use nemesis_mpi_check::{CallSite, buffers, found, kinds};

/// Obeys the launcher's last question in a lane. `site`: the call that waits there, if it is known;
/// `for_requests`: whether it waits for requests. Returns whether there was an order.
#[cold]
pub(crate) fn obey(pt2pt: &mut PointToPoint, site: Option<CallSite>, for_requests: bool) -> bool {
    let Some(endpoint) = &pt2pt.endpoint else { return false };
    let status = endpoint.status();
    let (keeps, leaves) = (status.orders(KEEP_MESSAGES), status.orders(LEAVE_COLLECTIVES));
    let before = pt2pt.core.goes_on;
    if keeps && !pt2pt.core.goes_on.sending {
        if for_requests {
            tell_held(pt2pt, site);
        }
        pt2pt.core.goes_on.sending = true;
        read_held(pt2pt);
    }
    if leaves && !pt2pt.core.goes_on.after_collectives {
        if pt2pt.core.upper.awaits_all {
            let text = "it returns before all processes have called it, and the program relies on \
                        that";
            found(&kinds::BUFFERED, site, 1, text.into());
        }
        pt2pt.core.goes_on.after_collectives = true;
    }
    pt2pt.core.goes_on != before
}

/// Tells which messages that would have been eager wait for their receives.
fn tell_held(pt2pt: &PointToPoint, call: Option<CallSite>) {
    for (name, bytes, site) in buffers::held() {
        let (lane, handle) = crate::handle::Request(name).inside();
        let request = pt2pt.core.requests.get(handle).ok().filter(|_| lane == pt2pt.core.lane);
        if let Some(Activity::Announced { tag, .. }) = request.map(|request| &request.activity) {
            let tag = tag.map_or_else(String::new, |tag| format!(" with tag {tag}"));
            let text = format!(
                "{bytes} bytes{tag}, which the receiver asks for only when the call has returned"
            );
            found(&kinds::BUFFERED, site.or(call), 1, text);
        }
    }
}

/// Makes the messages that are here eager ones: they are read when the call goes on waiting.
fn read_held(pt2pt: &mut PointToPoint) {
    let core = &mut pt2pt.core;
    let waits = |content: &Content| match content {
        Content::Announced(it) => it.held && !it.at_once,
        _ => false,
    };
    while let Some(message) = core.unexpected.find_where(|message| waits(&message.content)) {
        if let Content::Announced(announcement) = &mut message.content {
            announcement.at_once = true;
            core.unread.push((message.origin, announcement.sender));
        }
    }
}
