//! Registrations of memory that belongs to the host: bulk payloads and windows.

#![allow(unsafe_code)]

use crate::objects::{Domain, Registration};
use nemesis_netmod::{Region, RegionMut};
use std::sync::Arc;

/// Memory of a pending send that its receiver may read.
pub enum Readable {
    /// Registered for the send.
    Own(Exposed),
    /// Part of a registered window, which stays registered until the send has ended.
    OfWindow { region: Region, _window: Arc<Exposed> },
}

impl Readable {
    /// Ends a registration that was made for the send, and returns the region.
    pub fn into_region(self) -> Region {
        match self {
            Readable::Own(exposed) => exposed.into_region(),
            Readable::OfWindow { region, .. } => region,
        }
    }
}

/// Memory that other processes access, registered until it is dropped.
pub struct Exposed {
    /// Dropped before the region.
    pub registration: Registration,
    region: Region,
}

// SAFETY: a shared reference gives out the keys and the bounds of the registration, which do not
// change, and no access to the region.
unsafe impl Sync for Exposed {}

impl Exposed {
    /// Registers a region with the rights `access`.
    pub fn new(
        domain: &Arc<Domain>,
        region: Region,
        access: u32,
    ) -> Result<Exposed, (Region, String)> {
        // SAFETY: a region stays mapped and unchanged until its send has completed, or, if it is
        // registered for remote access, until the module is dropped, and no reference to that
        // memory exists. `Exposed` drops the registration before the region.
        let registration =
            unsafe { Registration::new(domain, region.address(), region.len(), access) };
        match registration {
            Ok(registration) => Ok(Exposed { registration, region }),
            Err(why) => Err((region, why)),
        }
    }

    /// Ends the registration and returns the region.
    fn into_region(self) -> Region {
        drop(self.registration);
        self.region
    }
}

/// Registers the source of a put, for the time of the transfer. The caller drops the registration
/// before the region.
pub fn source(domain: &Arc<Domain>, region: &Region) -> Result<Registration, String> {
    // SAFETY: a region stays mapped and unchanged until its operation has completed, and the caller
    // drops the registration before that. The device only reads it.
    unsafe { Registration::new(domain, region.address(), region.len(), 0) }
}

/// Registers the destination of a bulk payload or of a get, for the time of the transfer. The
/// caller drops the registration before the region.
pub fn destination(domain: &Arc<Domain>, region: &RegionMut) -> Result<Registration, String> {
    // SAFETY: the module alone uses the region until it drops it, and the caller drops the
    // registration before that.
    unsafe { Registration::new(domain, region.address(), region.len(), domain.sink_rights()) }
}
