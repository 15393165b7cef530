//! The port that a module uses, its address, and the route to another port.
//!
//! | link | address | in the route |
//! |---|---|---|
//! | InfiniBand | local identifier (LID) | a global header between subnets, or if a port asks |
//! | RoCE v2 | an IP address as a GID | always a global route header, with this port's own index |
//!
//! iWARP connects by another library (librdmacm) and is not supported.

use crate::layout::{AhAttr, GID_ROCE_V2, GidEntry, LINK_ETHERNET, LINK_INFINIBAND, PORT_ACTIVE};
use crate::objects::Context;

/// Version of the card.
const FORM: u8 = 1;
/// Bytes of an address in a card.
pub const ADDRESS_BYTES: usize = 32;
/// Bit of a partition key: its owner is a full member.
const FULL_MEMBER: u16 = 0x8000;
/// Most routers on the way of a packet.
const HOP_LIMIT: u8 = 64;
/// Port flag: every route needs a global route header.
const GRH_REQUIRED: u8 = 1;

/// Address of a port, for the other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    pub link_layer: u8,
    pub needs_grh: bool,
    pub lid: u16,
    pub gid: [u8; 16],
    pub pkey: u16,
    /// MTU as a code.
    pub mtu: u32,
}

impl Address {
    pub fn encode(&self) -> [u8; ADDRESS_BYTES] {
        let mut bytes = [0; ADDRESS_BYTES];
        (bytes[0], bytes[1], bytes[2]) = (FORM, self.link_layer, u8::from(self.needs_grh));
        bytes[3] = self.mtu as u8;
        bytes[4..6].copy_from_slice(&self.lid.to_le_bytes());
        bytes[6..8].copy_from_slice(&self.pkey.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.gid);
        bytes
    }

    /// Decodes the address at the beginning of a card; returns the rest, too.
    pub fn decode(card: &[u8]) -> Option<(Address, &[u8])> {
        let (bytes, rest) = card.split_first_chunk::<ADDRESS_BYTES>()?;
        let address = Address {
            link_layer: bytes[1],
            needs_grh: bytes[2] != 0,
            mtu: bytes[3].into(),
            lid: u16::from_le_bytes([bytes[4], bytes[5]]),
            pkey: u16::from_le_bytes([bytes[6], bytes[7]]),
            gid: bytes[8..24].try_into().ok()?,
        };
        (bytes[0] == FORM && (1..=5).contains(&address.mtu)).then_some((address, rest))
    }

    /// Returns the network of an InfiniBand address.
    fn subnet(&self) -> &[u8] {
        &self.gid[..8]
    }
}

/// The port of this process.
pub struct Port {
    pub number: u8,
    pub address: Address,
    pub gid_index: u8,
    pub pkey_index: u16,
    /// Longest request.
    pub message_bytes: u32,
}

impl Port {
    /// Returns the active ports of a device that the module can use, and why it cannot use another
    /// one.
    pub fn all(context: &Context) -> (Vec<Port>, Option<String>) {
        let name = &context.name;
        if context.is_iwarp {
            let why =
                format!("{name} is an iWARP device, which this module does not support: use TCP");
            return (Vec::new(), Some(why));
        }
        let mut ports = Vec::new();
        let mut why = None;
        for number in 1..=context.attr().map_or(0, |attr| attr.phys_port_cnt) {
            match Port::of(context, number) {
                Ok(port) => ports.push(port),
                Err(reason) => why = Some(format!("{name} port {number}: {reason}")),
            }
        }
        (ports, why)
    }

    fn of(context: &Context, number: u8) -> Result<Port, String> {
        let attr = context.port(number)?;
        if attr.state != PORT_ACTIVE {
            return Err("it is not active: check the cable and the subnet manager".to_owned());
        }
        let gids = context.gids(number, usize::try_from(attr.gid_tbl_len).unwrap_or(0));
        let entry = match attr.link_layer {
            LINK_ETHERNET => Some(roce_entry(&gids).ok_or(
                "it has no address (GID) of RoCE v2: give its network interface an IP address",
            )?),
            LINK_INFINIBAND if attr.lid == 0 => {
                return Err("it has no local identifier: is a subnet manager running?".to_owned());
            }
            LINK_INFINIBAND => gids.first(),
            other => return Err(format!("its link layer {other} is unknown")),
        };
        let (pkey_index, pkey) = full_member(context, number, attr.pkey_tbl_len)?;
        Ok(Port {
            number,
            address: Address {
                link_layer: attr.link_layer,
                needs_grh: attr.flags & GRH_REQUIRED != 0,
                lid: attr.lid,
                gid: entry.map_or([0; 16], |entry| entry.gid),
                pkey,
                mtu: attr.active_mtu.clamp(1, 5),
            },
            gid_index: entry.map_or(0, |entry| entry.gid_index as u8),
            pkey_index,
            message_bytes: attr.max_msg_sz,
        })
    }

    /// Returns the route to another port, and the MTU that both have.
    pub fn route(&self, to: &Address) -> Result<(AhAttr, u32), String> {
        let own = &self.address;
        if own.link_layer != to.link_layer {
            return Err("one port is InfiniBand and the other is Ethernet".to_owned());
        }
        let is_member = (own.pkey | to.pkey) & FULL_MEMBER != 0;
        if own.pkey & !FULL_MEMBER != to.pkey & !FULL_MEMBER || !is_member {
            return Err(format!(
                "the ports belong to different partitions (P_Keys {:#06x} and {:#06x}): ask the \
                 administrator of the subnet",
                own.pkey, to.pkey
            ));
        }
        let is_global = own.link_layer == LINK_ETHERNET
            || own.needs_grh
            || to.needs_grh
            || own.subnet() != to.subnet();
        let mut path = AhAttr { dlid: to.lid, port_num: self.number, ..AhAttr::default() };
        if is_global {
            (path.is_global, path.dgid) = (1, to.gid);
            (path.sgid_index, path.hop_limit) = (self.gid_index, HOP_LIMIT);
        }
        Ok((path, own.mtu.min(to.mtu)))
    }
}

/// Returns the best RoCE v2 entry: an IPv4 address, then a global IPv6 address, then a link-local
/// one. A route has room for an index below 256.
fn roce_entry(gids: &[GidEntry]) -> Option<&GidEntry> {
    let rank = |entry: &&GidEntry| match entry.gid {
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ..] => 0,
        [0xfe, 0x80, ..] => 2,
        _ => 1,
    };
    gids.iter()
        .filter(|entry| entry.gid_type == GID_ROCE_V2 && entry.gid_index < 256)
        .min_by_key(rank)
}

/// Returns the first partition of which the port is a full member, or else the first one.
fn full_member(context: &Context, port: u8, entries: u16) -> Result<(u16, u16), String> {
    let keys: Vec<(u16, u16)> = (0..entries)
        .filter_map(|index| Some((index, context.pkey(port, index.into())?)))
        .filter(|(_, pkey)| pkey & !FULL_MEMBER != 0)
        .collect();
    let full = keys.iter().find(|(_, pkey)| pkey & FULL_MEMBER != 0);
    full.or(keys.first())
        .copied()
        .ok_or_else(|| "it belongs to no partition: its table of P_Keys is empty".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port(address: Address) -> Port {
        Port { number: 1, address, gid_index: 3, pkey_index: 0, message_bytes: 1 << 20 }
    }

    fn infiniband(lid: u16) -> Address {
        let gid = [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, lid as u8];
        Address { link_layer: 1, needs_grh: false, lid, gid, pkey: 0xffff, mtu: 5 }
    }

    #[test]
    fn an_address_survives_its_card() {
        let address = infiniband(77);
        let mut card = address.encode().to_vec();
        card.extend(b"rest");
        assert_eq!(Address::decode(&card), Some((address, &b"rest"[..])));
        assert_eq!(Address::decode(&card[..ADDRESS_BYTES - 1]), None);
        card[0] = 9;
        assert_eq!(Address::decode(&card), None);
    }

    #[test]
    fn a_route_follows_the_link_and_the_subnet() {
        let here = port(infiniband(1));
        let (path, mtu) = here.route(&Address { mtu: 3, ..infiniband(2) }).unwrap();
        assert_eq!((path.dlid, path.is_global, mtu), (2, 0, 3));
        let mut far = infiniband(2);
        far.gid[7] = 9;
        let (path, _) = here.route(&far).unwrap();
        assert_eq!((path.is_global, path.sgid_index, path.dgid), (1, 3, far.gid));
        let roce = Address { link_layer: LINK_ETHERNET, ..infiniband(0) };
        assert_eq!(port(roce).route(&roce).unwrap().0.is_global, 1);
        assert!(here.route(&roce).unwrap_err().contains("Ethernet"));
    }

    #[test]
    fn partitions_must_match() {
        let here = port(infiniband(1));
        let other = Address { pkey: 0x8001, ..infiniband(2) };
        assert!(here.route(&other).unwrap_err().contains("partitions"));
        assert!(here.route(&Address { pkey: 0x7fff, ..infiniband(2) }).is_ok());
        let limited = Address { pkey: 0x7fff, ..infiniband(1) };
        assert!(port(limited).route(&Address { pkey: 0x7fff, ..infiniband(2) }).is_err());
    }

    #[test]
    fn an_ipv4_address_is_preferred() {
        let entry = |first: &[u8], gid_type, gid_index| {
            let mut gid = [0; 16];
            gid[..first.len()].copy_from_slice(first);
            GidEntry { gid, gid_type, gid_index, ..GidEntry::default() }
        };
        let ipv4 = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 1];
        let gids = [
            entry(&[0xfe, 0x80], 2, 0),
            entry(&ipv4, 1, 1),
            entry(&[0xfd], 2, 2),
            entry(&ipv4, 2, 3),
            entry(&ipv4, 2, 256),
        ];
        assert_eq!(roce_entry(&gids).map(|entry| entry.gid_index), Some(3));
        assert_eq!(roce_entry(&gids[..3]).map(|entry| entry.gid_index), Some(2));
        assert!(roce_entry(&gids[1..2]).is_none() && roce_entry(&gids[4..]).is_none());
    }
}
