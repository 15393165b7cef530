//! The memory that this process offers to AM requests, and checks of requests against it.

use super::super::packet::{Ask, Verb};
use crate::abi;
use crate::control::Control;
use crate::device::{AttachedDevices, DeviceMemory};
use crate::elements::Sharing;
use crate::error::{Error, ErrorClass, Outcome};
use nemesis::memory::NodeOrder;
use nemesis_datatype::{Datatype, LocalTarget, MemoryRegion};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The memory of a window that this process offers to AM requests.
#[derive(Debug)]
pub struct Part {
    pub key: u64,
    pub rank: u32,
    /// Processes by their rank in the window.
    pub processes: Vec<u32>,
    pub disp_unit: i64,
    /// Whether the window is dynamic: displacements are addresses, and `areas` is the attached
    /// memory, in which adjacent regions count as one.
    pub dynamic: bool,
    pub areas: Vec<MemoryRegion>,
    /// The device's memory whose shadow the only area is.
    pub device: Option<Arc<dyn DeviceMemory>>,
    /// What is attached beside the areas of a dynamic window.
    pub devices: AttachedDevices,
    pub sharing: Sharing,
    pub control: Control,
    /// Orders the memory accesses of the node's processes.
    pub order: NodeOrder,
}

/// The memory that a request names.
#[derive(Debug)]
pub struct Place<'a> {
    pub at: LocalTarget<'a>,
    /// The device's memory in whose shadow it lies.
    pub device: Option<&'a dyn DeviceMemory>,
}

impl Place<'_> {
    /// Makes the shadow of bytes `packed` like memory of a device, if the place is one.
    pub(super) fn fetch(&self, packed: Range<usize>) -> Outcome {
        let Some(device) = self.device else { return Ok(()) };
        device.fetch(&mut self.at.runs(device.shadow(), packed))
    }

    /// Makes memory of a device like the shadow of bytes `packed`, if the place is one.
    pub(super) fn store(&self, packed: Range<usize>) -> Outcome {
        let Some(device) = self.device else { return Ok(()) };
        device.store(&mut self.at.runs(device.shadow(), packed))
    }
}

impl Part {
    /// Returns the memory that a request names. Fails unless all of it is offered.
    pub(super) fn place(&self, ask: &Ask, datatype: &Datatype) -> Outcome<Place<'_>> {
        let place = if self.dynamic {
            let (address, count) = (ask.disp, ask.count);
            MemoryRegion::resolve_among(&self.areas, address, count, datatype)
                .map(|at| (at, None))
                .or_else(|| {
                    let (at, device) = self.devices.resolve(address, count, datatype)?;
                    Some((at, Some(device)))
                })
        } else {
            let offset = ask.disp.checked_mul(self.disp_unit);
            offset
                .zip(self.areas.first())
                .and_then(|(offset, area)| area.resolve(offset, ask.count, datatype))
                .map(|at| (at, self.device.as_deref()))
        };
        let place = place.map(|(at, device)| Place { at, device });
        place.ok_or_else(|| {
            let (count, disp, rank) = (ask.count, ask.disp, self.rank);
            let why = if self.dynamic {
                format!(
                    "{count} elements at address {disp:#x} do not all lie in memory that rank \
                     {rank} has attached"
                )
            } else {
                let bytes = self.areas.first().map_or(0, MemoryRegion::bytes);
                format!(
                    "{count} elements from displacement {disp} (times {}) are not inside the \
                     {bytes} bytes of rank {rank}",
                    self.disp_unit
                )
            };
            refusal(abi::MPI_ERR_RMA_RANGE, why)
        })
    }

    /// Checks the amount of a request's data.
    ///
    /// Elements of a datatype may overlap, so they may have more data than memory. A request must
    /// not write to overlapping elements (MPI 5.0 §12.3). A request that writes, or whose result is
    /// stored before it is sent, has no more data than the offered memory.
    pub(super) fn check_data(&self, ask: &Ask, place: &LocalTarget<'_>) -> Outcome {
        let in_host: usize = self.areas.iter().map(MemoryRegion::bytes).sum();
        let offered = in_host + self.devices.bytes();
        match place.bytes() {
            0 => Err(refusal(abi::MPI_ERR_TYPE, "the request has no data")),
            bytes if ask.verb != Verb::Get && bytes > offered => Err(refusal(
                abi::MPI_ERR_TYPE,
                format!(
                    "the elements to write overlap: {bytes} bytes of data lie in {offered} bytes"
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
            "no window of this process has this context and key: it was freed, or never existed",
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
