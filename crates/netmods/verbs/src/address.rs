//! The port that a module uses, its address, and the route to another port.
//!
//! | link | address | in the route |
//! |---|---|---|
//! | InfiniBand | local identifier (LID) | a global header between subnets, or if a port asks |
//! | RoCE v2 | an IP address as a GID | always a global route header, with this port's own index |
//! | iWARP | IP addresses and ports | none: the kernel routes the connection |

use crate::layout::{
    AhAttr, FULL_MEMBER, GID_ROCE_V2, GidEntry, LINK_ETHERNET, LINK_INFINIBAND, PORT_ACTIVE,
    PORT_DOWN, PortAttr,
};
use crate::objects::Context;
use crate::options::Tuning;
use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

/// Version of the card.
const FORM: u8 = 2;
/// Bytes of an address in a card, without endpoints.
const ADDRESS_BYTES: usize = 32;
/// Most endpoints of an address.
pub const ENDPOINTS_MAX: usize = 3;
/// Bytes of an endpoint in a card.
const ENDPOINT_BYTES: usize = 18;
/// Kind of a link: iWARP. The library has no number for it.
pub const LINK_IWARP: u8 = 0x80;
/// Most addresses that a message lists.
const GIDS_SHOWN: usize = 8;
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
    /// Where an iWARP port listens.
    pub endpoints: Endpoints,
}

/// Addresses and ports of IP.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Endpoints([Option<SocketAddr>; ENDPOINTS_MAX]);

impl Endpoints {
    pub fn new(endpoints: &[SocketAddr]) -> Endpoints {
        Endpoints(std::array::from_fn(|index| endpoints.get(index).copied()))
    }

    pub fn iter(&self) -> impl Iterator<Item = SocketAddr> {
        self.0.into_iter().flatten()
    }
}

impl fmt::Debug for Endpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Address {
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![0; ADDRESS_BYTES];
        (bytes[0], bytes[1], bytes[2]) = (FORM, self.link_layer, u8::from(self.needs_grh));
        bytes[3] = self.mtu as u8;
        bytes[4..6].copy_from_slice(&self.lid.to_le_bytes());
        bytes[6..8].copy_from_slice(&self.pkey.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.gid);
        bytes[24] = self.endpoints.iter().count() as u8;
        for endpoint in self.endpoints.iter() {
            let address = match endpoint.ip() {
                IpAddr::V4(four) => four.to_ipv6_mapped(),
                IpAddr::V6(six) => six,
            };
            bytes.extend(address.octets());
            bytes.extend(endpoint.port().to_le_bytes());
        }
        bytes
    }

    /// Decodes the address at the beginning of a card; returns the rest, too.
    pub fn decode(card: &[u8]) -> Option<(Address, &[u8])> {
        let (bytes, mut rest) = card.split_first_chunk::<ADDRESS_BYTES>()?;
        let count = usize::from(bytes[24]);
        if count > ENDPOINTS_MAX {
            return None;
        }
        let mut endpoints = Vec::new();
        for _ in 0..count {
            let (endpoint, behind) = rest.split_first_chunk::<ENDPOINT_BYTES>()?;
            let (address, port) = endpoint.split_first_chunk::<16>()?;
            let address = Ipv6Addr::from(*address).to_canonical();
            endpoints.push(SocketAddr::new(address, u16::from_le_bytes(port.try_into().ok()?)));
            rest = behind;
        }
        let address = Address {
            link_layer: bytes[1],
            needs_grh: bytes[2] != 0,
            mtu: bytes[3].into(),
            lid: u16::from_le_bytes([bytes[4], bytes[5]]),
            pkey: u16::from_le_bytes([bytes[6], bytes[7]]),
            gid: bytes[8..24].try_into().ok()?,
            endpoints: Endpoints::new(&endpoints),
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
    /// Service level and traffic class of its routes.
    pub service: (u8, u8),
    /// Longest request.
    pub message_bytes: u32,
}

impl Port {
    /// Returns the active ports of a device that the module can use, and why it cannot use the
    /// others.
    pub fn all(context: &Context, tuning: &Tuning) -> (Vec<Port>, Vec<String>) {
        let name = &context.name;
        let (mut ports, mut reasons) = (Vec::new(), Vec::new());
        for number in 1..=context.attr().map_or(0, |attr| attr.phys_port_cnt) {
            match Port::of(context, number, tuning) {
                Ok(port) => ports.push(port),
                Err(reason) => reasons.push(format!("{name} port {number}: {reason}")),
            }
        }
        (ports, reasons)
    }

    fn of(context: &Context, number: u8, tuning: &Tuning) -> Result<Port, String> {
        let attr = context.port(number)?;
        if attr.state != PORT_ACTIVE {
            return Err(inactive(&attr).to_owned());
        }
        if context.is_iwarp {
            return Ok(Port::of_iwarp(number, &attr));
        }
        let gids = context.gids(number, usize::try_from(attr.gid_tbl_len).unwrap_or(0));
        let entry = match attr.link_layer {
            LINK_INFINIBAND if attr.lid == 0 => {
                return Err("it has no local identifier: is a subnet manager running?".to_owned());
            }
            LINK_ETHERNET | LINK_INFINIBAND if tuning.gid_index.is_some() => {
                let is_roce = attr.link_layer == LINK_ETHERNET;
                let index = tuning.gid_index.unwrap_or_default();
                let fits = |gid_type| !is_roce || gid_type == GID_ROCE_V2;
                let mut usable = gids.iter().filter(|entry| fits(entry.gid_type));
                let chosen = usable.clone().find(|entry| entry.gid_index == index.into());
                Some(chosen.ok_or_else(|| {
                    let kind = if is_roce { " of RoCE v2" } else { "" };
                    let others = usable.by_ref().take(GIDS_SHOWN).map(show_gid);
                    let others: Vec<String> = others.collect();
                    format!(
                        "it has no address (GID){kind} with the index {index} of \
                         NEMESIS_VERBS=gid-index; it has: {}",
                        if others.is_empty() { "none".to_owned() } else { others.join(", ") }
                    )
                })?)
            }
            LINK_ETHERNET => Some(roce_entry(&gids).ok_or(
                "it has no address (GID) of RoCE v2: give its network interface an IP address",
            )?),
            LINK_INFINIBAND => gids.first(),
            other => return Err(format!("its link layer {other} is unknown")),
        };
        let (pkey_index, pkey) = member(context, number, attr.pkey_tbl_len, tuning.partition)?;
        Ok(Port {
            number,
            address: Address {
                link_layer: attr.link_layer,
                needs_grh: attr.flags & GRH_REQUIRED != 0,
                lid: attr.lid,
                gid: entry.map_or([0; 16], |entry| entry.gid),
                pkey,
                mtu: attr.active_mtu.clamp(1, 5),
                endpoints: Endpoints::default(),
            },
            gid_index: entry.map_or(0, |entry| entry.gid_index as u8),
            pkey_index,
            service: (tuning.service_level, tuning.traffic_class),
            message_bytes: attr.max_msg_sz,
        })
    }

    /// Returns a port of an iWARP device, which has neither GIDs nor partitions. It does not listen
    /// yet.
    fn of_iwarp(number: u8, attr: &PortAttr) -> Port {
        let address = Address {
            link_layer: LINK_IWARP,
            needs_grh: false,
            lid: 0,
            gid: [0; 16],
            pkey: 0,
            mtu: attr.active_mtu.clamp(1, 5),
            endpoints: Endpoints::default(),
        };
        let message_bytes = attr.max_msg_sz;
        Port { number, address, gid_index: 0, pkey_index: 0, service: (0, 0), message_bytes }
    }

    /// Describes the port and its address, for the user.
    pub fn describe(&self, device: &str) -> String {
        let Address { link_layer, lid, gid, pkey, mtu, endpoints, .. } = &self.address;
        let mut words = format!("{device} port {}, {}", self.number, kind(*link_layer));
        match *link_layer {
            LINK_IWARP => {
                let places: Vec<String> = endpoints.iter().map(|place| place.to_string()).collect();
                if !places.is_empty() {
                    words += &format!(" at {}", places.join(" and "));
                }
                return words;
            }
            LINK_ETHERNET => {
                let (gid, gid_index) = (*gid, self.gid_index.into());
                let entry = GidEntry { gid, gid_index, ..GidEntry::default() };
                words += &format!(", GID {}", show_gid(&entry));
            }
            _ => words += &format!(", LID {lid}"),
        }
        words + &format!(", P_Key {pkey:#06x}, MTU {}", 128_u32 << mtu)
    }

    /// Returns the name of the port's kind.
    pub fn kind(&self) -> &'static str {
        kind(self.address.link_layer)
    }

    /// Returns why the port cannot be connected to another one of its kind or of another kind.
    pub fn check_kind(&self, to: &Address) -> Result<(), String> {
        if self.address.link_layer == to.link_layer {
            return Ok(());
        }
        let (own, theirs) = (self.kind(), kind(to.link_layer));
        Err(format!("this port is of kind {own} and the other one of kind {theirs}"))
    }

    /// Returns the route to another port, and the MTU that both have.
    pub fn route(&self, to: &Address) -> Result<(AhAttr, u32), String> {
        let own = &self.address;
        self.check_kind(to)?;
        let is_member = (own.pkey | to.pkey) & FULL_MEMBER != 0;
        if own.pkey & !FULL_MEMBER != to.pkey & !FULL_MEMBER || !is_member {
            return Err(format!(
                "the ports belong to different partitions (P_Keys {:#06x} and {:#06x}): name one \
                 that both have by NEMESIS_VERBS=pkey=0x…, or ask the administrator of the subnet",
                own.pkey, to.pkey
            ));
        }
        let is_global = own.link_layer == LINK_ETHERNET
            || own.needs_grh
            || to.needs_grh
            || own.subnet() != to.subnet();
        let (sl, traffic_class) = self.service;
        let mut path = AhAttr { dlid: to.lid, port_num: self.number, sl, ..AhAttr::default() };
        if is_global {
            path.traffic_class = traffic_class;
            (path.is_global, path.dgid) = (1, to.gid);
            (path.sgid_index, path.hop_limit) = (self.gid_index, HOP_LIMIT);
        }
        Ok((path, own.mtu.min(to.mtu)))
    }
}

/// Says why a port is not active, and what to check.
fn inactive(attr: &PortAttr) -> &'static str {
    match (attr.link_layer, attr.state) {
        (LINK_ETHERNET, _) => {
            "its link is down: check the cable, and that its network interface is up"
        }
        (_, PORT_DOWN) => "its link is down: check the cable",
        _ => "its link is up, but no subnet manager has made it active: is one running?",
    }
}

fn kind(link_layer: u8) -> &'static str {
    match link_layer {
        LINK_ETHERNET => "RoCE v2",
        LINK_IWARP => "iWARP",
        _ => "InfiniBand",
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

/// Formats an address with its index: an IPv4 address as such.
fn show_gid(entry: &GidEntry) -> String {
    format!("{} ({})", entry.gid_index, Ipv6Addr::from(entry.gid).to_canonical())
}

/// Returns the index and the key of the `wanted` partition. By default it is the first one of which
/// the port is a full member, or else the first one.
fn member(
    context: &Context,
    port: u8,
    entries: u16,
    wanted: Option<u16>,
) -> Result<(u16, u16), String> {
    let keys: Vec<(u16, u16)> = (0..entries)
        .filter_map(|index| Some((index, context.pkey(port, index.into())?)))
        .filter(|(_, pkey)| pkey & !FULL_MEMBER != 0)
        .collect();
    let fits =
        |&&(_, pkey): &&(u16, u16)| wanted.is_none_or(|wanted| pkey & !FULL_MEMBER == wanted);
    let full = keys.iter().filter(fits).find(|(_, pkey)| pkey & FULL_MEMBER != 0);
    full.or(keys.iter().find(fits)).copied().ok_or_else(|| match (&keys[..], wanted) {
        (keys @ [_, ..], Some(wanted)) => format!(
            "it does not belong to the partition {:#06x} of NEMESIS_VERBS=pkey; its P_Keys are: {}",
            wanted | FULL_MEMBER,
            keys.iter().map(|(_, pkey)| format!("{pkey:#06x}")).collect::<Vec<_>>().join(", ")
        ),
        _ => "it belongs to no partition: its table of P_Keys is empty".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port(address: Address) -> Port {
        let message_bytes = 1 << 20;
        Port { number: 1, address, gid_index: 3, pkey_index: 0, service: (4, 106), message_bytes }
    }

    fn infiniband(lid: u16) -> Address {
        let gid = [0xfe, 0x80, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, lid as u8];
        let endpoints = Endpoints::default();
        Address { link_layer: 1, needs_grh: false, lid, gid, pkey: 0xffff, mtu: 5, endpoints }
    }

    #[test]
    fn an_address_survives_its_card() {
        let address = infiniband(77);
        let mut card = address.encode();
        card.extend(b"rest");
        assert_eq!(Address::decode(&card), Some((address, &b"rest"[..])));
        assert_eq!(Address::decode(&card[..ADDRESS_BYTES - 1]), None);
        card[0] = 9;
        assert_eq!(Address::decode(&card), None);
    }

    #[test]
    fn endpoints_survive_their_card() {
        let listed = ["192.0.2.1:7000", "[fd00::1]:65535"].map(|text| text.parse().unwrap());
        let address =
            Address { link_layer: LINK_IWARP, endpoints: Endpoints::new(&listed), ..infiniband(0) };
        let mut card = address.encode();
        assert_eq!(Address::decode(&card[..card.len() - 1]), None);
        card.extend(b"rest");
        let (decoded, rest) = Address::decode(&card).unwrap();
        assert_eq!((decoded, rest), (address, &b"rest"[..]));
        assert_eq!(decoded.endpoints.iter().collect::<Vec<_>>(), listed);
        card[24] = 4;
        assert_eq!(Address::decode(&card), None);
    }

    #[test]
    fn a_route_follows_the_link_and_the_subnet() {
        let here = port(infiniband(1));
        let (path, mtu) = here.route(&Address { mtu: 3, ..infiniband(2) }).unwrap();
        assert_eq!((path.dlid, path.is_global, mtu), (2, 0, 3));
        assert_eq!((path.sl, path.traffic_class), (4, 0), "the class stands in a global header");
        let mut far = infiniband(2);
        far.gid[7] = 9;
        let (path, _) = here.route(&far).unwrap();
        assert_eq!((path.is_global, path.sgid_index, path.dgid), (1, 3, far.gid));
        assert_eq!((path.sl, path.traffic_class), (4, 106));
        let roce = Address { link_layer: LINK_ETHERNET, ..infiniband(0) };
        assert_eq!(port(roce).route(&roce).unwrap().0.is_global, 1);
        assert!(here.route(&roce).unwrap_err().contains("of kind RoCE v2"));
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
