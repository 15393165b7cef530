//! What this process offers of its windows, and what lies inside.

use super::super::packet::{Ask, Verb};
use crate::abi;
use crate::control::Control;
use crate::error::{Error, ErrorClass, Outcome};
use nemesis_datatype::{Datatype, LocalTarget, MemoryRegion};
use std::collections::BTreeMap;

/// What this process offers of a window.
#[derive(Debug)]
pub struct Part {
    pub key: u64,
    pub rank: u32,
    /// Processes by their rank in the window.
    pub processes: Vec<u32>,
    pub disp_unit: i64,
    /// Displacements are addresses, and `areas` what is attached, with regions side by side as one.
    pub dynamic: bool,
    pub areas: Vec<MemoryRegion>,
    /// As in `Exposed`.
    pub shared: bool,
    pub control: Control,
}

impl Part {
    /// The place that a request names, inside what is offered.
    pub(super) fn place(&self, ask: &Ask, datatype: &Datatype) -> Outcome<LocalTarget<'_>> {
        let place = if self.dynamic {
            MemoryRegion::resolve_among(&self.areas, ask.disp, ask.count, datatype)
        } else {
            let offset = ask.disp.checked_mul(self.disp_unit);
            offset
                .zip(self.areas.first())
                .and_then(|(offset, area)| area.resolve(offset, ask.count, datatype))
        };
        place.ok_or_else(|| {
            let (count, disp, bytes) = (ask.count, ask.disp, self.areas.first().map_or(0, MemoryRegion::bytes));
            match self.dynamic {
                true => refusal(
                    abi::MPI_ERR_RMA_RANGE,
                    format!("{count} elements at address {disp:#x} do not all lie in memory that rank {} has attached", self.rank),
                ),
                false => refusal(
                    abi::MPI_ERR_RMA_RANGE,
                    format!(
                        "{count} elements from displacement {disp} (times {}) are not inside the {bytes} bytes of rank {}",
                        self.disp_unit, self.rank
                    ),
                ),
            }
        })
    }

    /// Elements may lie on each other, so they may have more data than memory. Nobody may write to such (MPI 5.0 §12.3), and of what is written or brought
    /// back as a whole there is no more than what is offered.
    pub(super) fn check_data(&self, ask: &Ask, place: &LocalTarget<'_>) -> Outcome {
        let room = self.areas.iter().map(MemoryRegion::bytes).sum();
        match place.bytes() {
            0 => Err(refusal(abi::MPI_ERR_TYPE, "an access without data is not asked for")),
            bytes if ask.verb != Verb::Get && bytes > room => Err(refusal(
                abi::MPI_ERR_TYPE,
                format!(
                    "elements that are written to overlap: {bytes} bytes of data lie in {room} bytes"
                ),
            )),
            _ => Ok(()),
        }
    }
}

/// Finds the window of a request.
pub(super) fn find<'a>(
    parts: &'a BTreeMap<u64, Part>,
    origin: u32,
    ask: &Ask,
) -> Outcome<&'a Part> {
    let part = parts.get(&ask.context).filter(|part| part.key == ask.key);
    let part = part.ok_or_else(|| {
        refusal(
            abi::MPI_ERR_WIN,
            "no window of this process has this name and key: it was freed, or never was",
        )
    })?;
    if part.processes.get(ask.rank as usize) != Some(&origin) {
        return Err(refusal(
            abi::MPI_ERR_RANK,
            format!("process {origin} is not rank {} of the window", ask.rank),
        ));
    }
    Ok(part)
}

pub(super) fn refusal(class: ErrorClass, why: impl Into<String>) -> Box<Error> {
    Error::new(class, why.into())
}
