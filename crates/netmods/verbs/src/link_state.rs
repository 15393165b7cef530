//! The link of this process's port.
//!
//! A queue pair fails when a request of it gets no answer. A process that only waits has no request
//! under way, so its queue pairs never fail if its own link is down. Therefore the module reads the
//! device's events and looks at the port after each. A link that is down for longer than queue
//! pairs survive (`TIMEOUT` in `objects`) fails all of them. Two processes that connect while the
//! link of either is down use TCP.

use crate::control::Purpose;
use crate::layout::{PORT_ACTIVE, status};
use crate::member::Member;
use nemesis_sys::host;
use std::net::Ipv6Addr;
use std::time::{Duration, Instant};

/// Polls between two reads of the device's events, each a system call.
pub const POLLS_PER_LINK: u32 = 4096;

impl Member {
    /// Reads the device's events, and fails all connections if the link has been down for too long.
    pub fn check_link(&mut self) {
        let mut has_changed = false;
        while self.device.domain.context.read_event() {
            has_changed = true;
        }
        if has_changed {
            let is_down = !self.is_link_up();
            self.down_since = is_down.then(|| self.down_since.unwrap_or_else(Instant::now));
        }
        if self.time_left().is_some_and(|left| left.is_zero()) {
            self.down_since = None;
            if let Some(why) = self.explain_own_link() {
                self.fail_all(&why);
            }
        }
    }

    /// Returns the time for which the link may still be down; `None` if it is up.
    pub fn time_left(&self) -> Option<Duration> {
        Some(self.options.link_down_max.saturating_sub(self.down_since?.elapsed()))
    }

    fn is_link_up(&self) -> bool {
        let port = &self.device.port;
        self.device.domain.context.port(port.number).is_ok_and(|attr| attr.state >= PORT_ACTIVE)
    }

    /// Fails with the reason if the link of this process's port is down. Asks the device, because
    /// its events are read seldom.
    pub fn check_own_link(&self) -> Result<(), String> {
        if self.is_link_up() {
            return Ok(());
        }
        let (device, port) = (&self.device.domain.context.name, self.device.port.number);
        Err(format!("the link of {device} port {port} on {} is down", host::hostname()))
    }

    /// Explains why connections over this process's port fail; `None` if its link is up.
    fn explain_own_link(&self) -> Option<String> {
        let why = self.check_own_link().err()?;
        let (device, host) = (&self.device.domain.context.name, host::hostname());
        Some(format!(
            "{why}; try: `ibv_devinfo -d {device}` on {host}, its cable and `ip link`, or \
             NEMESIS_NETWORKS=tcp for another network"
        ))
    }

    /// Explains the failure of a request to `peer`; `words` are those of the library.
    pub fn explain(&self, peer: u32, code: u32, purpose: Purpose, words: &str) -> String {
        if !matches!(code, status::RETRY_EXC | status::LOC_QP_OP) {
            return crate::work::explain(code, purpose, words);
        }
        if let Some(why) = self.explain_own_link() {
            return why;
        }
        let (device, port) = (&self.device.domain.context.name, self.device.port.number);
        let there = match self.peers[peer as usize].address {
            Some(address) => format!("its port {}", shown(address.lid, &address.gid)),
            None => "its port".to_owned(),
        };
        format!(
            "{device} port {port} gets no answer from {there} ({words}): the process has ended, or \
             a link between the hosts is down; try: `ibv_devinfo` and `ip link` on both hosts, and \
             for RoCE, whether both reach each other's address over {device}"
        )
    }
}

/// Returns the address of a port as administrators know it: an IP address of RoCE, or the local
/// identifier of InfiniBand.
fn shown(lid: u16, gid: &[u8; 16]) -> String {
    if lid != 0 {
        return format!("LID {lid}");
    }
    let address = Ipv6Addr::from(*gid);
    address.to_ipv4_mapped().map_or_else(|| address.to_string(), |four| four.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_named_by_the_address_of_their_link() {
        let mut gid = [0; 16];
        gid[10..].copy_from_slice(&[0xff, 0xff, 192, 0, 2, 1]);
        assert_eq!(shown(0, &gid), "192.0.2.1");
        assert_eq!(shown(7, &gid), "LID 7");
        gid = [0; 16];
        (gid[0], gid[1], gid[15]) = (0xfe, 0x80, 9);
        assert_eq!(shown(0, &gid), "fe80::9");
    }
}
