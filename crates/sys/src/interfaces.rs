//! The addresses of this host's network interfaces. No resolver is asked.

#![allow(unsafe_code)]

use std::ffi::CStr;
use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6};

/// An address of an interface that is up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Name of the interface.
    pub name: String,
    /// An address of the interface.
    pub address: IpAddr,
    /// Number of leading bits of the address that all hosts of its network share.
    pub prefix: u8,
    /// The interface's number if the address is link-local, and does not tell the link; otherwise
    /// 0.
    pub scope: u32,
    /// Whether this is the loopback interface.
    pub loopback: bool,
}

impl Interface {
    /// Returns whether the address is link-local.
    pub fn is_link_local(&self) -> bool {
        is_link_local(&self.address)
    }

    /// Returns the address with a port, as a socket of this host takes it.
    pub fn socket_address(&self, port: u16) -> SocketAddr {
        socket_address(self.address, port, self.scope)
    }
}

impl fmt::Display for Interface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}/{}", self.name, self.address, self.prefix)
    }
}

/// Returns whether an address is link-local: it is valid on its link only, and another host must
/// tell which of its own interfaces leads to that link (RFC 4007).
pub fn is_link_local(address: &IpAddr) -> bool {
    matches!(address, IpAddr::V6(address) if address.is_unicast_link_local())
}

/// Returns an address with a port; for a link-local address, on the interface of number `scope`.
pub fn socket_address(address: IpAddr, port: u16, scope: u32) -> SocketAddr {
    match address {
        IpAddr::V6(six) if is_link_local(&address) => SocketAddrV6::new(six, port, 0, scope).into(),
        _ => SocketAddr::new(address, port),
    }
}

/// Returns all addresses of interfaces that are up, in the kernel's order.
pub fn list() -> io::Result<Vec<Interface>> {
    let all = list_all()?;
    Ok(all.into_iter().filter(|(_, is_up)| *is_up).map(|(interface, _)| interface).collect())
}

/// Returns the name of the interface that has an address, and whether its link is up.
pub fn with_address(address: IpAddr) -> Option<(String, bool)> {
    let all = list_all().ok()?;
    let found = all.into_iter().find(|(interface, _)| interface.address == address);
    found.map(|(interface, is_up)| (interface.name, is_up))
}

/// Returns all addresses, each with whether the link of its interface is up.
fn list_all() -> io::Result<Vec<(Interface, bool)>> {
    let mut first: *mut libc::ifaddrs = std::ptr::null_mut();
    // SAFETY: the C library writes the list's address to `first`.
    if unsafe { libc::getifaddrs(&mut first) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let mut found = Vec::new();
    let mut entry = first;
    while !entry.is_null() {
        // SAFETY: an element of the list that getifaddrs made, which is freed below.
        let this = unsafe { &*entry };
        // SAFETY: as above; its pointers are null, or valid as long as the list.
        found.extend(unsafe { read(this) });
        entry = this.ifa_next;
    }
    // SAFETY: the list that getifaddrs made, freed once; no reference into it is kept.
    unsafe { libc::freeifaddrs(first) };
    Ok(found)
}

/// # Safety
/// The pointers of `entry` are null or valid.
unsafe fn read(entry: &libc::ifaddrs) -> Option<(Interface, bool)> {
    let up = (libc::IFF_UP | libc::IFF_RUNNING) as u32;
    if entry.ifa_name.is_null() {
        return None;
    }
    // SAFETY: the caller's promise, for both pointers.
    let (own, mask) = unsafe { (ip(entry.ifa_addr)?, ip(entry.ifa_netmask)) };
    let prefix = match mask.map(|mask| mask.ip()) {
        Some(IpAddr::V4(mask)) => u32::from(mask).leading_ones() as u8,
        Some(IpAddr::V6(mask)) => u128::from(mask).leading_ones() as u8,
        None => 0,
    };
    let (address, scope) =
        (own.ip(), if let SocketAddr::V6(six) = own { six.scope_id() } else { 0 });
    // SAFETY: a C string (the caller's promise).
    let name = unsafe { CStr::from_ptr(entry.ifa_name) }.to_string_lossy().into_owned();
    let loopback = entry.ifa_flags & libc::IFF_LOOPBACK as u32 != 0;
    let interface = Interface { name, address, prefix, scope, loopback };
    Some((interface, entry.ifa_flags & up == up))
}

/// # Safety
/// `address` is null or points to a socket address of its family's length.
unsafe fn ip(address: *const libc::sockaddr) -> Option<SocketAddr> {
    if address.is_null() {
        return None;
    }
    // SAFETY: the caller's promise; every socket address begins with its family.
    match i32::from(unsafe { (*address).sa_family }) {
        libc::AF_INET => {
            // SAFETY: the family determines the structure.
            let inet = unsafe { &*address.cast::<libc::sockaddr_in>() };
            Some(SocketAddr::new(Ipv4Addr::from(u32::from_be(inet.sin_addr.s_addr)).into(), 0))
        }
        libc::AF_INET6 => {
            // SAFETY: as above.
            let inet = unsafe { &*address.cast::<libc::sockaddr_in6>() };
            Some(
                SocketAddrV6::new(Ipv6Addr::from(inet.sin6_addr.s6_addr), 0, 0, inet.sin6_scope_id)
                    .into(),
            )
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_found_if_it_is_up() {
        let all = list().unwrap();
        for interface in
            all.iter().filter(|interface| interface.address == IpAddr::V4(Ipv4Addr::LOCALHOST))
        {
            assert!(interface.loopback && interface.prefix == 8, "{interface:?}");
            assert_eq!(with_address(interface.address), Some((interface.name.clone(), true)));
        }
        assert!(all.iter().all(|interface| !interface.name.is_empty()));
        assert!(
            all.iter().all(|interface| interface.is_link_local() == (interface.scope != 0)),
            "{all:?}"
        );
    }
}
