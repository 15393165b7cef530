//! The packets of puts of many short runs, which a local target carries out if it polls
//! (`am_origin`).
//!
//! ```text
//!   AM_SCATTER   number | groups | address, bytes, stride, count of each group … | data
//! ```
//!
//! A *group* is a row of `count` runs of equal length at equal distances: a vector type is one
//! group. The data are the bytes of all runs, in their order.

use nemesis::am_slot::ACCESS_MAX_BYTES;
use nemesis::wire::{word, words};
use nemesis_datatype::RemoteTarget;

/// Bytes before the groups: the number of the access, and how many groups follow.
pub const FRONT_BYTES: usize = 2 * 8;
/// Bytes of a group.
const GROUP_BYTES: usize = 4 * 8;
/// Longest packet.
const PACKET_MAX_BYTES: usize = FRONT_BYTES + ACCESS_MAX_BYTES;

/// Runs of equal length at equal distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Group {
    address: u64,
    bytes: u64,
    stride: i64,
    count: u64,
}

impl Group {
    /// Adds a run, if it continues the group.
    fn add(&mut self, address: u64, bytes: u64) -> bool {
        let distance = address.wrapping_sub(self.address) as i64;
        let continues = bytes == self.bytes
            && match self.count {
                1 => true,
                count => self.stride.checked_mul(count as i64) == Some(distance),
            };
        if continues {
            if self.count == 1 {
                self.stride = distance;
            }
            self.count += 1;
        }
        continues
    }

    /// Returns the first address of the group's memory, and its length from there on.
    fn span(&self) -> Option<(u64, usize)> {
        let reach = self.stride.checked_mul(i64::try_from(self.count.checked_sub(1)?).ok()?)?;
        let first = if reach < 0 { self.address.checked_add_signed(reach)? } else { self.address };
        let length = reach.unsigned_abs().checked_add(self.bytes)?;
        Some((first, usize::try_from(length).ok()?))
    }
}

/// A packet that is being built.
#[derive(Debug, Default)]
pub struct Scatter {
    groups: Vec<Group>,
    /// Bytes of data.
    pub bytes: usize,
    /// Runs.
    pub runs: usize,
}

impl Scatter {
    /// Makes a packet with as much as fits of what is at `target` from byte `from` on.
    pub fn of(target: &RemoteTarget, from: usize) -> Scatter {
        let left = target.bytes() - from;
        let mut most = left.min(ACCESS_MAX_BYTES - GROUP_BYTES);
        loop {
            let mut scatter = Scatter { groups: Vec::new(), bytes: most, runs: 0 };
            target.visit(from, from + most, |address, bytes| {
                scatter.add(address as u64, bytes as u64);
            });
            if scatter.packet_bytes() <= PACKET_MAX_BYTES {
                return scatter;
            }
            most /= 2;
        }
    }

    fn add(&mut self, address: u64, bytes: u64) {
        self.runs += 1;
        if !self.groups.last_mut().is_some_and(|last| last.add(address, bytes)) {
            self.groups.push(Group { address, bytes, stride: 0, count: 1 });
        }
    }

    fn packet_bytes(&self) -> usize {
        FRONT_BYTES + self.groups.len() * GROUP_BYTES + self.bytes
    }

    /// Writes the packet of access `number`; `pack` copies the data.
    pub fn write(&self, number: u64, packet: &mut Vec<u8>, pack: impl FnOnce(&mut [u8])) {
        packet.clear();
        packet.extend_from_slice(words([number, self.groups.len() as u64]).as_bytes());
        for &Group { address, bytes, stride, count } in &self.groups {
            packet.extend_from_slice(words([address, bytes, stride as u64, count]).as_bytes());
        }
        packet.resize(self.packet_bytes(), 0);
        pack(&mut packet[FRONT_BYTES + self.groups.len() * GROUP_BYTES..]);
    }
}

/// A packet that has arrived.
#[derive(Debug)]
pub struct Arrived<'a> {
    pub number: u64,
    groups: &'a [u8],
    data: &'a [u8],
}

impl<'a> Arrived<'a> {
    /// Reads a packet; returns `None` if it is malformed.
    pub fn read(payload: &'a [u8]) -> Option<Arrived<'a>> {
        let (number, groups) = (word(payload, 0)?, usize::try_from(word(payload, 1)?).ok()?);
        let rest = payload.get(FRONT_BYTES..)?;
        let (groups, data) = rest.split_at_checked(groups.checked_mul(GROUP_BYTES)?)?;
        let arrived = Arrived { number, groups, data };
        let mut bytes = 0usize;
        for group in arrived.groups() {
            let of_group = group.bytes.checked_mul(group.count).filter(|&bytes| bytes > 0)?;
            bytes = bytes.checked_add(usize::try_from(of_group).ok()?)?;
        }
        (bytes == data.len()).then_some(arrived)
    }

    fn groups(&self) -> impl Iterator<Item = Group> {
        self.groups.chunks_exact(GROUP_BYTES).map(|group| {
            let at = |index| word(group, index).unwrap_or_default();
            Group { address: at(0), bytes: at(1), stride: at(2) as i64, count: at(3) }
        })
    }

    /// Returns whether the memory of each group lies where `has` says.
    pub fn lies_in(&self, has: impl Fn(u64, usize) -> bool) -> bool {
        self.groups().all(|group| group.span().is_some_and(|(first, bytes)| has(first, bytes)))
    }

    /// Calls `put` with address and bytes of each run.
    pub fn runs(&self, mut put: impl FnMut(u64, &[u8])) {
        let mut data = self.data;
        for Group { mut address, bytes, stride, count } in self.groups() {
            for _ in 0..count {
                let (run, rest) = data.split_at(bytes as usize);
                put(address, run);
                (address, data) = (address.wrapping_add_signed(stride), rest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi;
    use nemesis_datatype::Datatype;
    use proptest::prelude::*;

    const BASE: u64 = 1 << 40;

    proptest! {
        /// Packet by packet, all data goes to its places, whatever the type.
        #[test]
        fn packets_bring_each_byte_to_its_place(
            blocks in prop::collection::vec((1..300_i64, 0..9000_i64), 1..20),
            is_regular in any::<bool>(),
            count in 1..40_i64,
        ) {
            let (lengths, places): (Vec<i64>, Vec<i64>) = blocks.into_iter().unzip();
            let byte = Datatype::predefined(abi::MPI_BYTE.0).unwrap();
            let datatype = match is_regular {
                true => Datatype::hvector(300, lengths[0], lengths[0] - places[0], byte),
                false => Datatype::hindexed(&lengths, &places, byte),
            };
            let target = RemoteTarget::new(BASE, count, &datatype.unwrap());
            let mut expected = Vec::new();
            let mut value = 0u8;
            target.visit(0, target.bytes(), |address, bytes| {
                for at in address..address + bytes {
                    value = value.wrapping_mul(5).wrapping_add(at as u8) | 1;
                    expected.push((at as u64, value));
                }
            });
            let (mut from, mut found, mut packet) = (0, Vec::new(), Vec::new());
            while from < target.bytes() {
                let scatter = Scatter::of(&target, from);
                scatter.write(7, &mut packet, |data| {
                    for (byte, (_, value)) in data.iter_mut().zip(&expected[from..]) {
                        *byte = *value;
                    }
                });
                prop_assert!(packet.len() <= PACKET_MAX_BYTES && scatter.bytes > 0);
                let arrived = Arrived::read(&packet).unwrap();
                prop_assert_eq!(arrived.number, 7);
                arrived.runs(|address, run| {
                    found.extend(run.iter().zip(address..).map(|(value, at)| (at, *value)));
                });
                from += scatter.bytes;
            }
            prop_assert!(found == expected);
        }
    }

    #[test]
    fn malformed_packets_are_refused() {
        let packet = |groups: &[[u64; 4]], data: usize| {
            let mut packet = words([1, groups.len() as u64]).as_bytes().to_vec();
            groups.iter().for_each(|group| packet.extend_from_slice(words(*group).as_bytes()));
            packet.resize(packet.len() + data, 0);
            packet
        };
        let good = packet(&[[64, 4, 8, 10], [0, 8, 0, 1]], 48);
        let arrived = Arrived::read(&good).unwrap();
        assert!(arrived.lies_in(|first, bytes| first + bytes as u64 <= 64 + 76));
        assert!(!arrived.lies_in(|first, bytes| first + bytes as u64 <= 64 + 75));
        for (groups, data) in [
            (&[[64, 4, 8, 10]][..], 39),
            (&[[64, 4, 8, 10]], 41),
            (&[[64, 0, 8, 10]], 0),
            (&[[64, 4, 8, 0]], 0),
            (&[[64, u64::MAX, 8, 2]], 40),
        ] {
            assert!(Arrived::read(&packet(groups, data)).is_none(), "{groups:?}");
        }
        assert!(Arrived::read(&packet(&[], 0)[..12]).is_none());
        assert!(Arrived::read(&words([1, u64::MAX]).as_bytes()[..16]).is_none());
        // Addresses beyond the ends of memory.
        let back = (-8i64) as u64;
        for group in [[8, 4, back, 3], [u64::MAX - 8, 4, 8, 3], [64, 4, i64::MAX as u64, 3]] {
            let beyond = packet(&[group], 12);
            assert!(
                !Arrived::read(&beyond)
                    .unwrap()
                    .lies_in(|first, bytes| { first.checked_add(bytes as u64).is_some() })
            );
        }
    }
}
