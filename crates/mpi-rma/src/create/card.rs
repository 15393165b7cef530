//! The description of its memory that a rank of a window sends to all others.

use crate::elements::Sharing;
use nemesis::NetworkKey;

/// How a rank's memory is reached: the third word of its description.
pub mod kind {
    /// The rank exposes no memory.
    pub const NOTHING: u64 = 0;
    /// The memory lies in a block of the rank's shared heap.
    pub const BLOCK: u64 = 1;
    /// The rank's private memory, at an address.
    pub const PRIVATE: u64 = 2;
    /// The memory that the rank attaches to a dynamic window.
    pub const DYNAMIC: u64 = 3;
    /// The rank's preparations failed.
    pub const FAILED: u64 = 4;
    /// Memory of a device, which the rank itself accesses for all.
    pub const DEVICE: u64 = 5;
}

/// Words of a [`MemoryCard`] without the networks' keys, and with it.
const OWN_WORDS: usize = 10;
pub const WORDS: usize = OWN_WORDS + NetworkKey::WORDS;

/// The description of its memory that a rank sends to all others.
#[derive(Clone, Copy, Debug)]
pub struct MemoryCard {
    pub size: u64,
    pub disp_unit: u64,
    pub kind: u64,
    pub place: u64,
    pub block_bytes: u64,
    pub start: u64,
    /// Offset of the node's control block, from the lowest rank of the node.
    pub control: u64,
    /// Address of a word that holds its own address, for a trial copy by the kernel.
    pub probe: u64,
    pub key: u64,
    /// Address of the memory in the rank's process.
    pub address: u64,
    /// By which networks reach the memory.
    pub network: NetworkKey,
}

impl MemoryCard {
    /// Returns the words in which the description travels.
    pub fn words(self) -> [u64; WORDS] {
        let own: [u64; OWN_WORDS] = [
            self.size,
            self.disp_unit,
            self.kind,
            self.place,
            self.block_bytes,
            self.start,
            self.control,
            self.probe,
            self.key,
            self.address,
        ];
        let mut words = [0; WORDS];
        words[..OWN_WORDS].copy_from_slice(&own);
        words[OWN_WORDS..].copy_from_slice(&self.network.words());
        words
    }

    /// Returns who changes the memory.
    pub fn sharing(&self) -> Sharing {
        match self.kind {
            kind::BLOCK if self.network.has_atomics() => Sharing::Network,
            kind::BLOCK => Sharing::Mapped,
            _ => Sharing::Kernel,
        }
    }

    /// Returns the description in these words.
    pub fn read(words: [u64; WORDS]) -> MemoryCard {
        let [
            size,
            disp_unit,
            kind,
            place,
            block_bytes,
            start,
            control,
            probe,
            key,
            address,
            network @ ..,
        ] = words;
        MemoryCard {
            size,
            disp_unit,
            kind,
            place,
            block_bytes,
            start,
            control,
            probe,
            key,
            address,
            network: NetworkKey::from_words(network),
        }
    }
}
