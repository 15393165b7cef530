//! A C module's five functions as a [`Module`].

use super::edge::{Books, Edge, Held};
use super::rma::RmaFunctions;
use super::table::{CInterest, CLOSE, CPacket, DONE, FLUSH, FULL, Functions, PAUSE, PENDING};
use crate::optional::Rma;
use crate::{
    Costs, Failure, Fault, Finalized, Host, Interest, Limits, Module, Packet, Region, Rest, Sent,
    Token,
};
use libloading::Library;
use std::ffi::{CStr, c_int, c_void};
use std::sync::Arc;
use std::time::Duration;

/// Maximum number of descriptors that a C module may name. The host polls a module that names more.
const INTERESTS: usize = 64;
/// Bytes for the reason why a module does not connect.
const WHY_BYTES: usize = 256;

pub struct CModule {
    functions: Functions,
    pub(super) rma: Option<RmaFunctions>,
    pub(super) module: *mut c_void,
    limits: Limits,
    costs: Costs,
    pub(super) books: Books,
    /// Keeps the registered memory of the cells mapped until the module is closed.
    _cells: Option<Region>,
    /// Keeps the code of `finalize` mapped; dropped last.
    _library: Arc<Library>,
}

// SAFETY: a module expects calls from one thread at a time, but not always from the same one
// (contract of nemesis_netmod.h).
unsafe impl Send for CModule {}

impl CModule {
    #[expect(clippy::too_many_arguments, reason = "one caller, which has them all")]
    pub fn new(
        functions: Functions,
        rma: Option<RmaFunctions>,
        library: Arc<Library>,
        module: *mut c_void,
        limits: Limits,
        costs: Costs,
        books: Books,
        cells: Option<Region>,
    ) -> CModule {
        CModule { functions, rma, module, limits, costs, books, _cells: cells, _library: library }
    }

    pub(super) fn unexpected(&self, function: &str, code: c_int) -> Failure {
        Failure::new(
            Fault::Broken,
            format!("{function} of the network module returned {code}, which means nothing there"),
        )
    }
}

impl Module for CModule {
    fn limits(&self) -> Limits {
        self.limits
    }

    fn costs(&self) -> Costs {
        self.costs
    }

    fn connects(&mut self, process: u32, card: &[u8]) -> Result<(), String> {
        let Some(connects) = self.functions.connects else { return Ok(()) };
        let mut why = [0u8; WHY_BYTES];
        // SAFETY: `module` is the one that init returned. Card and buffer outlive the call and have
        // the lengths that it is told; the buffer's last byte remains zero.
        let answer = unsafe {
            connects(
                self.module,
                process,
                card.as_ptr().cast(),
                card.len(),
                why.as_mut_ptr().cast(),
                WHY_BYTES - 1,
            )
        };
        if answer == 1 {
            return Ok(());
        }
        let why = CStr::from_bytes_until_nul(&why).map(|why| why.to_string_lossy().into_owned());
        Err(why.ok().filter(|why| !why.is_empty()).unwrap_or_else(|| "it gave no reason".into()))
    }

    fn send(
        &mut self,
        host: &mut dyn Host,
        to: u32,
        packet: Packet<'_>,
        token: Token,
    ) -> Result<Sent, Failure> {
        let header = packet.header.encode();
        let bulk = packet.bulk.filter(|bulk| !bulk.is_empty());
        if packet.payload.len() != usize::from(packet.header.size)
            || packet.payload.len() > self.limits.payload
            || bulk.as_ref().is_some_and(|bulk| bulk.len() as u64 > self.limits.bulk)
        {
            return Err(Failure::new(
                Fault::Invalid,
                "the packet is longer than the network module can carry",
            )
            .about(to));
        }
        let (address, bytes) = bulk.as_ref().map_or((std::ptr::null(), 0), |bulk| {
            (bulk.address().as_ptr().cast_const(), bulk.len())
        });
        let registration = bulk.as_ref().and_then(Region::registration);
        let told = CPacket {
            header: header.as_ptr().cast(),
            payload: packet.payload.as_ptr().cast(),
            payload_bytes: packet.payload.len(),
            bulk: address.cast(),
            bulk_bytes: bytes,
            registration: registration.unwrap_or(0),
            registered: registration.is_some().into(),
            ordered: packet.ordered.into(),
        };
        let (send, module) = (self.functions.send, self.module);
        // SAFETY: the packet outlives the call, and the books keep its bulk payload until
        // `completed` removes it.
        let code = Edge::call(host, &mut self.books, |host| unsafe {
            send(module, host, to, &told, token)
        });
        match code.map_err(|failure| failure.about(to))? {
            DONE => Ok(Sent::Done),
            PENDING => {
                self.books.pending.insert(
                    token,
                    bulk.map_or(Held::Nothing, |region| Held::Region { _region: region }),
                );
                Ok(Sent::Pending)
            }
            FULL => Ok(Sent::Full),
            code => Err(self.unexpected("send", code)),
        }
    }

    fn poll_send(&mut self, host: &mut dyn Host) -> Result<u32, Failure> {
        let (poll_send, module) = (self.functions.poll_send, self.module);
        // SAFETY: `module` is the one that init returned, and the host lives during the call.
        let moved = Edge::call(host, &mut self.books, |host| unsafe { poll_send(module, host) })?;
        Ok(moved.unsigned_abs())
    }

    fn poll_recv(&mut self, host: &mut dyn Host) -> Result<u32, Failure> {
        let (poll_recv, module) = (self.functions.poll_recv, self.module);
        // SAFETY: `module` is the one that init returned, and the host lives during the call.
        let moved = Edge::call(host, &mut self.books, |host| unsafe { poll_recv(module, host) })?;
        Ok(moved.unsigned_abs())
    }

    fn finalize(&mut self, host: &mut dyn Host) -> Result<Finalized, Failure> {
        let (finalize, module) = (self.functions.finalize, self.module);
        // SAFETY: `module` is the one that init returned, and the host lives during the call.
        match Edge::call(host, &mut self.books, |host| unsafe { finalize(module, host, FLUSH) })? {
            DONE if self.books.pending.is_empty() => Ok(Finalized::Done),
            DONE => Err(Failure::new(
                Fault::Broken,
                "the network module says it is finished and has not completed all that was begun",
            )),
            PENDING => Ok(Finalized::Busy),
            code => Err(self.unexpected("finalize", code)),
        }
    }

    fn pause(&mut self, host: &mut dyn Host) -> Result<Finalized, Failure> {
        let (finalize, module) = (self.functions.finalize, self.module);
        // SAFETY: `module` is the one that init returned, and the host lives during the call.
        match Edge::call(host, &mut self.books, |host| unsafe { finalize(module, host, PAUSE) })? {
            DONE => Ok(Finalized::Done),
            PENDING => Ok(Finalized::Busy),
            code => Err(self.unexpected("finalize", code)),
        }
    }

    fn rest(&mut self, interests: &mut Vec<Interest>) -> Rest {
        let Some(rest) = self.functions.rest else { return Rest::Poll };
        let mut found = [CInterest { descriptor: -1, readable: 0, writable: 0 }; INTERESTS];
        let (mut count, mut milliseconds) = (0, 0);
        // SAFETY: the array has INTERESTS elements, and the other pointers are to local variables.
        let answer = unsafe {
            rest(self.module, found.as_mut_ptr(), INTERESTS, &mut count, &mut milliseconds)
        };
        if answer != 1 || count > INTERESTS {
            return Rest::Poll;
        }
        interests.extend(found[..count].iter().map(|interest| Interest {
            descriptor: interest.descriptor,
            readable: interest.readable != 0,
            writable: interest.writable != 0,
        }));
        Rest::Sleep(u64::try_from(milliseconds).map_or(Duration::MAX, Duration::from_millis))
    }

    fn rma(&mut self) -> Option<&mut dyn Rma> {
        if self.rma.is_some() { Some(self) } else { None }
    }
}

impl Drop for CModule {
    fn drop(&mut self) {
        // SAFETY: the last call of this module. The header file allows it without a host.
        unsafe { (self.functions.finalize)(self.module, std::ptr::null(), CLOSE) };
    }
}
