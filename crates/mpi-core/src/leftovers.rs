//! What the program has left at the end: requests that it has not completed, and messages that it
//! has not received. For the development checks.

use crate::engine::Engine;
use crate::handle;
use crate::request::{Activity, Holder, Request, Template};
use crate::state_report::Awaited;
use nemesis_mpi_check::buffers;
use std::collections::HashSet;

/// Returns the requests of a lane whose handles belong to the program, by the program's names, with
/// what each waits for.
pub fn requests(engine: &mut Engine) -> Vec<(handle::Request, String)> {
    engine.pt2pt.core.continue_all_as_requests();
    let (comms, pt2pt) = (&engine.comms, &engine.pt2pt);
    let awaited = Awaited { comms, core: &pt2pt.core };
    let name = |handle| pt2pt.core.checked_name(handle);
    // The operation of a persistent request, and the setup of a partitioned receive.
    let parts = |request: &Request| {
        let persistent = request.persistent.as_ref();
        let setup = persistent.and_then(|persistent| match &persistent.template {
            Template::PartitionedReceive(receiving) => receiving.setup(),
            _ => None,
        });
        [persistent.and_then(|persistent| persistent.operation), setup]
    };
    let of_persistent: HashSet<usize> =
        pt2pt.core.requests.iter().flat_map(parts).flatten().map(|handle| handle.0).collect();
    pt2pt
        .core
        .requests
        .named()
        .filter(|(handle, request)| {
            *handle != pt2pt.done_request
                && !of_persistent.contains(&handle.0)
                && matches!(request.holder, Holder::Handle)
                && (!is_message(request) || buffers::is_watched(name(*handle)))
        })
        .map(|(handle, request)| (handle::Request(name(handle)), described(&awaited, request)))
        .collect()
}

/// Returns whether a request is a send or a receive under way. Those of collective operations are
/// not watched.
fn is_message(request: &Request) -> bool {
    matches!(
        request.activity,
        Activity::Deferred
            | Activity::Announced { .. }
            | Activity::Streaming { .. }
            | Activity::Posted { .. }
            | Activity::Filling { .. }
            | Activity::Arriving { .. }
    )
}

fn described(awaited: &Awaited<'_>, request: &Request) -> String {
    match &request.persistent {
        Some(persistent) => {
            let what = match persistent.template {
                Template::Send { .. } => "a persistent send",
                Template::Receive { .. } => "a persistent receive",
                Template::PartitionedSend(_) => "a partitioned send",
                Template::PartitionedReceive(_) => "a partitioned receive",
                Template::Collective(_) => "a persistent collective operation",
                Template::Nothing(_) => "a persistent operation with MPI_PROC_NULL",
            };
            let operation =
                persistent.operation.and_then(|handle| awaited.core.requests.get(handle).ok());
            let missing = operation.and_then(|operation| awaited.part(operation));
            match (persistent.active, missing) {
                (false, _) => format!("{what}, not freed by MPI_Request_free"),
                (true, None) => format!("{what}, active"),
                (true, Some(missing)) => format!("{what}, active: {missing}"),
            }
        }
        None => {
            awaited.part(request).unwrap_or_else(|| "done, but no call has taken the result".into())
        }
    }
}

/// Returns the messages of a lane that no receive has taken, in words, those of collective
/// operations included: the processes have called different ones, or have declared graphs that do
/// not fit. A message of a communicator that this process has yet to make can still be received.
pub fn messages(engine: &Engine) -> Vec<String> {
    let (comms, core) = (&engine.comms, &engine.pt2pt.core);
    let awaited = Awaited { comms, core };
    let unexpected = core.unexpected.all().filter_map(|(pattern, message)| {
        if pattern.context.knows_wildcards() {
            comms.knows(pattern.context).then(|| awaited.message(&pattern, message))
        } else {
            awaited
                .partitioned_send(&pattern)
                .or_else(|| awaited.message_of_collective(&pattern, message))
        }
    });
    let matched = engine.pt2pt.messages.iter().map(|matched| {
        let text = awaited.message(&matched.pattern, &matched.message);
        format!("{text}, found by a probe")
    });
    unexpected.chain(matched).collect()
}
