//! Which arguments of a call describe its data. The generated table of functions says so for each
//! function (`xtask/src/profile.rs`).

use crate::library::Library;
use crate::peers::{self, Kind};

/// What a call does with data, by the places of its arguments.
#[derive(Clone, Copy, Debug)]
pub enum Data {
    Nothing,
    /// Sends a message.
    Send {
        count: Option<usize>,
        datatype: usize,
        peer: usize,
        object: usize,
        wide: bool,
    },
    /// Receives a message into a buffer of this size.
    Receive {
        count: Option<usize>,
        datatype: usize,
        peer: usize,
        object: usize,
        wide: bool,
    },
    /// Accesses a window.
    Access {
        count: Option<usize>,
        datatype: usize,
        peer: usize,
        object: usize,
        wide: bool,
    },
    /// Makes a persistent send.
    Init {
        count: Option<usize>,
        datatype: usize,
        peer: usize,
        object: usize,
        wide: bool,
        request: usize,
        partitions: Option<usize>,
    },
    /// Contributes to a collective operation. A contribution from the place of the result
    /// (`buffer`) is not counted.
    Collective {
        count: usize,
        datatype: usize,
        buffer: Option<usize>,
        object: usize,
        wide: bool,
        factor: Factor,
    },
    /// Starts a request.
    Start,
    /// Starts an array of requests.
    Startall,
    /// Waits for a request.
    Wait,
    /// Waits for requests of an array.
    Waits,
    /// Frees a request.
    Free,
    /// Frees a communicator or window.
    Forget,
    /// `MPI_Init`.
    Begin,
    /// `MPI_Session_init`.
    Session,
    /// `MPI_Finalize`.
    End,
}

/// Requests of an array for which a call waits that are looked at.
const AWAITED_MAX: u64 = 16;

/// How many elements a contribution to a collective operation has.
#[derive(Clone, Copy, Debug)]
pub enum Factor {
    /// The count.
    One,
    /// The count for each member.
    Members,
    /// The sum of an array of counts.
    Sum,
    /// The sum of an array of counts, each with its datatype.
    SumOfTypes,
}

/// A count that was passed as a word.
#[inline]
fn count_of(word: usize, wide: bool) -> u64 {
    let count = if wide { word as i64 } else { i64::from(word as i32) };
    count.max(0) as u64
}

/// The arguments of a call that has succeeded, and the library that has carried it out.
pub struct Passed<'a> {
    pub library: &'a Library,
    pub words: &'a [usize],
}

impl Passed<'_> {
    /// Returns the bytes of `count` elements; of one element if the call has no count.
    pub fn bytes(&self, count: Option<usize>, datatype: usize, wide: bool) -> u64 {
        let count = count.map_or(1, |place| count_of(self.words[place], wide));
        // A call without data may have any datatype.
        if count == 0 { 0 } else { count * peers::type_bytes(self.library, self.words[datatype]) }
    }

    /// Returns the process that an argument names as a rank of a communicator or window.
    pub fn peer(&self, kind: Kind, object: usize, peer: usize) -> Option<u32> {
        let rank = usize::try_from(self.words[peer] as i32).ok()?;
        peers::process(self.library, kind, self.words[object], rank)
    }

    /// Returns the processes that the incomplete requests of a call wait for, each once. Of an
    /// array only the first requests are looked at.
    pub fn awaited(&self, data: Data) -> Vec<u32> {
        let (array, count) = match data {
            Data::Wait => (0, 1),
            Data::Waits => (1, count_of(self.words[0], false).min(AWAITED_MAX)),
            _ => return Vec::new(),
        };
        let mut processes = Vec::new();
        if self.words[array] != 0 {
            for at in 0..count {
                let process = self.library.awaited(self.handle(array, at));
                processes.extend(process.filter(|process| !processes.contains(process)));
            }
        }
        processes
    }

    /// Returns the bytes that the process contributes to a collective operation.
    pub fn contributed(&self, data: Data) -> u64 {
        let Data::Collective { count, datatype, buffer, object, wide, factor } = data else {
            return 0;
        };
        if buffer.is_some_and(|buffer| self.words[buffer] == self.library.abi.in_place) {
            return 0;
        }
        let members = || peers::members(self.library, Kind::Comm, self.words[object]) as u64;
        match factor {
            Factor::One => self.bytes(Some(count), datatype, wide),
            Factor::Members => members() * self.bytes(Some(count), datatype, wide),
            Factor::Sum => {
                let elements: u64 = (0..members()).map(|at| self.element(count, at, wide)).sum();
                elements
                    * if elements > 0 { self.library.type_bytes(self.words[datatype]) } else { 0 }
            }
            Factor::SumOfTypes => (0..members())
                .map(|at| match self.element(count, at, wide) {
                    0 => 0,
                    elements => elements * self.library.type_bytes(self.handle(datatype, at)),
                })
                .sum(),
        }
    }

    /// Reads an element of an array of counts.
    fn element(&self, array: usize, at: u64, wide: bool) -> u64 {
        let array = self.words[array];
        // SAFETY: the call has succeeded, so its array has an element for each member.
        unsafe {
            if wide {
                std::ptr::with_exposed_provenance::<i64>(array).add(at as usize).read().max(0)
                    as u64
            } else {
                std::ptr::with_exposed_provenance::<i32>(array).add(at as usize).read().max(0)
                    as u64
            }
        }
    }

    /// Reads an element of an array of handles.
    pub fn handle(&self, array: usize, at: u64) -> usize {
        let abi = self.library.abi;
        // SAFETY: as for `element`.
        unsafe { abi.read_handle(self.words[array] + at as usize * abi.handle_bytes) }
    }
}
