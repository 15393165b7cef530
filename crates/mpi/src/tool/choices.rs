//! Enumerations of the tool information interface (MPI 5.0 §15.3.5): names for the values of a
//! variable.

use super::index;
use crate::abi;
use crate::error::{Error, Outcome};

/// An enumeration. Each item is a name and a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices {
    pub name: &'static str,
    pub items: &'static [(&'static str, i32)],
}

pub const SWITCH: Choices = Choices { name: "nemesis_switch", items: &[("off", 0), ("on", 1)] };
pub const STAGE: Choices =
    Choices { name: "nemesis_stage", items: &[("before", 0), ("running", 1), ("finalized", 2)] };

const ALL: [Choices; 2] = [SWITCH, STAGE];

impl Choices {
    /// Returns the handle, which is valid until the program ends.
    pub fn handle(self) -> usize {
        ALL.iter()
            .position(|choices| *choices == self)
            .map_or(abi::MPI_T_ENUM_NULL, |index| index + 1)
    }

    /// Returns the enumeration of a handle.
    pub fn of(handle: usize) -> Outcome<Choices> {
        let found = handle.checked_sub(1).and_then(|index| ALL.get(index));
        found.copied().ok_or_else(|| {
            Error::new(abi::MPI_T_ERR_INVALID_HANDLE, "the handle is that of no enumeration")
        })
    }

    /// Returns the name and value of an item.
    pub fn item(self, item: i32) -> Outcome<(&'static str, i32)> {
        Ok(self.items[index(item, self.items.len())?])
    }
}
