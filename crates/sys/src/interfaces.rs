//! The addresses of this host, as numbers: what its interfaces have, without asking any resolver.

#![allow(unsafe_code)]

use std::ffi::CStr;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// An address of an interface that is up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    pub name: String,
    pub address: IpAddr,
    /// Leading bits of the address that all hosts of its network share.
    pub prefix: u8,
    pub loopback: bool,
}

/// All addresses of interfaces that are up, in the kernel's order.
pub fn list() -> io::Result<Vec<Interface>> {
    let mut first: *mut libc::ifaddrs = std::ptr::null_mut();
    // SAFETY: the kernel's list is written to our variable.
    if unsafe { libc::getifaddrs(&mut first) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let mut found = Vec::new();
    let mut entry = first;
    while !entry.is_null() {
        // SAFETY: an element of the list that getifaddrs made and that is freed below.
        let this = unsafe { &*entry };
        // SAFETY: as above: its pointers are null or valid as long as the list.
        found.extend(unsafe { read(this) });
        entry = this.ifa_next;
    }
    // SAFETY: the list that getifaddrs made, freed once; nothing of it is kept.
    unsafe { libc::freeifaddrs(first) };
    Ok(found)
}

/// # Safety
/// The pointers of `entry` are null or valid.
unsafe fn read(entry: &libc::ifaddrs) -> Option<Interface> {
    let up = (libc::IFF_UP | libc::IFF_RUNNING) as u32;
    if entry.ifa_flags & up != up || entry.ifa_name.is_null() {
        return None;
    }
    // SAFETY: the caller's promise, for both.
    let (address, mask) = unsafe { (ip(entry.ifa_addr)?, ip(entry.ifa_netmask)) };
    let prefix = match mask {
        Some(IpAddr::V4(mask)) => u32::from(mask).leading_ones() as u8,
        Some(IpAddr::V6(mask)) => u128::from(mask).leading_ones() as u8,
        None => 0,
    };
    // SAFETY: a C string (the caller's promise).
    let name = unsafe { CStr::from_ptr(entry.ifa_name) }.to_string_lossy().into_owned();
    Some(Interface { name, address, prefix, loopback: entry.ifa_flags & libc::IFF_LOOPBACK as u32 != 0 })
}

/// # Safety
/// `address` is null or points to a socket address of its family's length.
unsafe fn ip(address: *const libc::sockaddr) -> Option<IpAddr> {
    if address.is_null() {
        return None;
    }
    // SAFETY: the caller's promise; every socket address begins with its family.
    match i32::from(unsafe { (*address).sa_family }) {
        libc::AF_INET => {
            // SAFETY: the family says which structure it is.
            let inet = unsafe { &*address.cast::<libc::sockaddr_in>() };
            Some(IpAddr::V4(Ipv4Addr::from(u32::from_be(inet.sin_addr.s_addr))))
        }
        libc::AF_INET6 => {
            // SAFETY: as above.
            let inet = unsafe { &*address.cast::<libc::sockaddr_in6>() };
            Some(IpAddr::V6(Ipv6Addr::from(inet.sin6_addr.s6_addr)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_found_where_it_is_up() {
        let all = list().unwrap();
        for interface in all.iter().filter(|interface| interface.address == IpAddr::V4(Ipv4Addr::LOCALHOST)) {
            assert!(interface.loopback && interface.prefix == 8, "{interface:?}");
        }
        assert!(all.iter().all(|interface| !interface.name.is_empty()));
    }
}
