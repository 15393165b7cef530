//! Resolves accesses: checks an access and its epoch, and finds the memory that it names or the
//! process that carries it out.

use super::control::Control;
use super::remote::AmRequest;
use super::state::{RMA, no_window};
use super::target::{Spot, Target, no_segment};
use super::window::{Reach, Window, negative_disp, not_attached};
use crate::abi;
use crate::engine::Engine;
use crate::error::{Error, Outcome};
use crate::handle;
use crate::pt2pt::PointToPoint;
use nemesis::Memory;
use nemesis_datatype::is_inside;

/// Everything that an access needs after its checks.
pub(super) struct Opened<'a> {
    pub spot: Spot<'a>,
    pub rank: u32,
    /// Rank of this process in the window, and the window's number of ranks.
    pub own: u32,
    pub ranks: u32,
    pub control: &'a Control,
    pub memory: &'a Memory,
}

/// Returns where to send an access that the target's process carries out, after the checks that the
/// origin can make. Returns `None` if this process carries it out itself, or if [`open`] will
/// report an error.
#[inline]
pub(super) fn am_request(
    engine: &mut Engine,
    win: handle::Win,
    target: &Target,
) -> Outcome<Option<AmRequest>> {
    let Engine { pt2pt: PointToPoint { core, .. }, memory, .. } = engine;
    let window = RMA.get_mut(&mut core.token).windows.get_mut(win).map_err(no_window)?;
    if !window.remote.some && window.attached.is_none() || target.count < 0 {
        return Ok(None);
    }
    let Some(rank) = window.check_rank(target.rank)? else { return Ok(None) };
    let mut am_request = window.am_request_to(win, rank);
    if am_request.is_none() && window.attached.is_some() {
        let memory = memory.as_ref().ok_or_else(no_segment)?;
        am_request = window.am_request_for(win, rank, memory, target)?;
    }
    let Some(am_request) = am_request else { return Ok(None) };
    window.epoch.access(rank)?;
    if !window.is_dynamic() {
        let exposed = &window.exposed[rank as usize];
        if target.disp < 0 {
            return Err(negative_disp(target.disp));
        }
        let offset = target
            .disp
            .checked_mul(exposed.disp_unit)
            .ok_or_else(|| exposed.out_of_range(target))?;
        if !is_inside(exposed.size, offset, target.count, &target.datatype) {
            return Err(exposed.out_of_range(target));
        }
    }
    Ok(Some(am_request))
}

/// Checks an access, including its epoch, and finds the memory that it names; returns `None` for
/// `MPI_PROC_NULL`.
#[inline]
pub(super) fn open<'a>(
    engine: &'a mut Engine,
    win: handle::Win,
    target: &Target,
) -> Outcome<Option<Opened<'a>>> {
    let Engine { pt2pt: PointToPoint { core, .. }, memory, .. } = engine;
    let window = RMA.get_mut(&mut core.token).windows.get_mut(win).map_err(no_window)?;
    if target.count < 0 {
        return Err(Error::new(
            abi::MPI_ERR_COUNT,
            format!("the target's count is {}, it must not be negative", target.count),
        ));
    }
    let Some(rank) = window.check_rank(target.rank)? else { return Ok(None) };
    window.epoch.access(rank)?;
    let memory = memory.as_ref().ok_or_else(no_segment)?;
    let (own, ranks) = (window.rank, window.size());
    let Window { control, exposed, attached, .. } = window;
    let exposed = &mut exposed[rank as usize];
    if let Some(attached) = attached.as_ref().filter(|_| rank == own) {
        let spot = attached.spot(target).ok_or_else(|| not_attached(target))?;
        return Ok(Some(Opened { spot, rank, own, ranks, control, memory }));
    }
    exposed.prepare(memory)?;
    Ok(Some(Opened { spot: exposed.spot(memory, target)?, rank, own, ranks, control, memory }))
}

impl Opened<'_> {
    /// Returns the bytes of data of the access.
    pub fn bytes(&self) -> usize {
        match &self.spot {
            Spot::Near { place, .. } => place.bytes(),
            Spot::Far { distant, .. } => distant.bytes(),
        }
    }

    /// Fails if the origin's bytes of data differ from the target's.
    #[inline]
    pub fn check_bytes(&self, origin: usize) -> Outcome {
        check_bytes(origin, self.bytes())
    }
}

/// Fails unless both sides of an access have equally many bytes of data (MPI 5.0 §12.3).
#[inline]
pub(super) fn check_bytes(origin: usize, target: usize) -> Outcome {
    if origin == target { Ok(()) } else { Err(unequal(origin, target)) }
}

/// Implements `MPI_Win_shared_query`: returns size, displacement unit and local address of a rank's
/// memory. The size is 0 if this process does not reach the memory by load and store.
pub fn shared_query(
    engine: &mut Engine,
    win: handle::Win,
    rank: i32,
) -> Outcome<(usize, i64, usize)> {
    let Engine { pt2pt: PointToPoint { core, .. }, memory, .. } = engine;
    let window = RMA.get_mut(&mut core.token).windows.get_mut(win).map_err(no_window)?;
    if window.is_dynamic() {
        return Err(Error::new(
            abi::MPI_ERR_RMA_FLAVOR,
            "the window is dynamic: what is attached to it is not shared",
        )
        .advise("use MPI_Win_allocate_shared"));
    }
    let rank = match window.check_rank(rank)? {
        Some(rank) => rank,
        None => window.exposed.iter().position(|exposed| exposed.size > 0).unwrap_or(0) as u32,
    };
    let memory = memory.as_ref().ok_or_else(no_segment)?;
    let exposed = &mut window.exposed[rank as usize];
    exposed.prepare(memory)?;
    Ok(match &exposed.reach {
        Reach::Mapped(area) => (area.bytes(), exposed.disp_unit, area.address()),
        _ => (0, exposed.disp_unit, window.attributes.base),
    })
}

#[cold]
fn unequal(origin: usize, target: usize) -> Box<Error> {
    let why = format!(
        "the origin has {origin} bytes of data and the target {target}: count and datatype of \
         both must describe the same data"
    );
    Error::new(abi::MPI_ERR_TYPE, why)
}
