//! `libnemesis.so`: the subsystem for C (`include/nemesis.h`, which documents every function).
//!
//! | file | what |
//! |---|---|
//! | `process` | the connection of this process to its job, and which thread may use it |
//! | `remote_memory` | windows and registered memory of this process |
//! | `memory` | the functions for windows and registered memory |
//! | `failure` | failures, their numbers and texts |
//! | `types` | the structures and parameters of `nemesis.h` |
//! | here | the functions: they check arguments, and turn failures into numbers and words |
//!
//! The functions compare pointers with null only, and rely on the program otherwise. They check all
//! other arguments. A panic of the library, or one that a callback lets through, ends the process:
//! `extern "C"` lets none pass.

#![allow(unsafe_code)]

mod failure;
mod memory;
mod process;
mod remote_memory;
mod types;

use failure::{Failure, argument};
use nemesis_params::c_functions;
use process::Process;
use std::ffi::{c_char, c_int, c_void};
use subsystem::registered::Registered;
use subsystem::wire::{self, FIRST_CLIENT_KIND};
use subsystem::{PACKET_MAX_BYTES, Packet, RegionMut, Sink, Token};
use types::{Header, In, InSlice, PacketCallback, Take};

const OK: c_int = 0;
const AGAIN: c_int = 1;

/// Turns an outcome into a return value, and stores a failure for `nemesis_why`.
fn return_value(outcome: Result<c_int, Failure>) -> c_int {
    outcome.unwrap_or_else(|failure| {
        let code = failure.code();
        process::set_why(&failure);
        code
    })
}

c_functions! {
    fn nemesis_init() -> c_int {
        return_value(process::join().map(|()| OK))
    }

    fn nemesis_finalize() -> c_int {
        return_value(process::leave().map(|()| OK))
    }

    fn nemesis_rank() -> c_int {
        return_value(process::with(|process| Ok(process.endpoint.me() as c_int)))
    }

    fn nemesis_size() -> c_int {
        return_value(process::with(|process| Ok(process.endpoint.processes() as c_int)))
    }

    fn nemesis_send(to: u32, header: *const Header, payload: *const c_void, bytes: usize) -> c_int
    where header: In::new(header), payload: InSlice::new(payload.cast::<u8>(), bytes as i64) => {
        return_value(process::with(|process| send(process, to, header, payload, bytes)))
    }

    fn nemesis_poll(take: Option<Take>, context: *mut c_void) -> c_int
    where callback: PacketCallback::new(take, context) => {
        return_value(process::with(|process| poll(process, callback.require()?)))
    }

    fn nemesis_wait(take: Option<Take>, context: *mut c_void) -> c_int
    where callback: PacketCallback::new(take, context) => {
        return_value(process::with(|process| wait(process, callback.require()?)))
    }

    fn nemesis_pause() -> c_int {
        return_value(process::with(|process| process.pause().map(|()| OK)))
    }

    fn nemesis_why() -> *const c_char {
        process::why()
    }
}

/// Sends a packet, if there is space for it.
fn send(
    process: &mut Process,
    to: u32,
    header: In<'_, Header>,
    payload: InSlice<'_, u8>,
    bytes: usize,
) -> Result<c_int, Failure> {
    let header = header.require("header")?;
    if to >= process.endpoint.processes() {
        return Err(argument(format!(
            "there is no process {to}: there are {}, from 0",
            process.endpoint.processes()
        )));
    }
    if header.kind < FIRST_CLIENT_KIND {
        return Err(argument(format!(
            "kind {} belongs to the subsystem: kinds of programs begin at {FIRST_CLIENT_KIND}",
            header.kind
        )));
    }
    let most = process.endpoint.packet_max(to).min(PACKET_MAX_BYTES);
    if bytes > most {
        return Err(argument(format!(
            "{bytes} bytes are too long for one packet to process {to}: {most} at most"
        )));
    }
    let payload = payload
        .get()
        .ok_or_else(|| argument(format!("payload is NULL, but {bytes} bytes are to be sent")))?;
    Ok(if process.endpoint.try_send(to, header.packet(), payload) { OK } else { AGAIN })
}

/// Polls until the callback has taken a packet. Returns the number of packets it has taken.
fn wait(process: &mut Process, callback: PacketCallback) -> Result<c_int, Failure> {
    loop {
        match poll(process, callback)? {
            0 => process.pause()?,
            taken => return Ok(taken),
        }
    }
}

/// Polls once. Returns the number of packets that the callback has taken.
fn poll(process: &mut Process, callback: PacketCallback) -> Result<c_int, Failure> {
    let Process { endpoint, lost, remote, .. } = process;
    let mut sink = CallbackSink {
        callback,
        wants_more: true,
        taken: 0,
        registered: &mut remote.registered,
        lost,
    };
    let arrived = endpoint.poll(None, &mut sink);
    let taken = sink.taken;
    remote.progress(endpoint);
    if arrived > 0 {
        process.backoff.renew();
    } else if let Some(why) = process.lost.take() {
        return Err(Failure::Lost(why));
    }
    Ok(taken)
}

/// The program's callback as a sink of packets.
struct CallbackSink<'a> {
    callback: PacketCallback,
    wants_more: bool,
    lost: &'a mut Option<String>,
    /// Number of packets that the callback has taken.
    taken: c_int,
    registered: &'a mut Registered,
}

impl Sink for CallbackSink<'_> {
    fn packet(&mut self, packet: Packet<'_>) {
        if packet.header.kind < FIRST_CLIENT_KIND {
            self.registered.take(&packet);
            return;
        }
        self.taken += 1;
        self.wants_more = self.callback.take(&packet);
    }

    #[inline(always)]
    fn wants_more(&self) -> bool {
        self.wants_more
    }

    fn place(
        &mut self,
        origin: u32,
        header: &wire::Header,
        payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut> {
        match header.kind {
            FIRST_CLIENT_KIND.. => None,
            _ => self.registered.place(origin, header, payload, bytes),
        }
    }

    fn completed(&mut self, token: Token, outcome: Result<(), subsystem::Failure>) {
        self.registered.completed(token, outcome);
    }

    fn lost(&mut self, process: u32, failure: &subsystem::Failure) {
        self.registered.lose(process);
        *self.lost = Some(format!("process {process} cannot be reached any more: {}", failure.why));
    }
}
