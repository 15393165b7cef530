//! The window object, and how the memory of each of its ranks is reached.

use super::control::Control;
use super::dynamic::{Attached, Listed};
use super::epoch::Epoch;
use super::remote::AmRequest;
use super::state::{RMA, Windows, no_window};
use super::target::{Spot, Target, no_memory, no_segment};
use crate::abi;
use crate::engine::Engine;
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::handle;
use crate::info::Info;
use nemesis::{Block, Memory};
use nemesis_datatype::{MemoryRegion, RemoteTarget, is_inside};

/// The predefined attributes of a window, as `MPI_Win_get_attr` returns them. The program receives
/// the addresses of the numbers, so the struct is boxed.
#[derive(Debug)]
pub struct Attributes {
    pub base: usize,
    pub size: isize,
    pub disp_unit: i32,
    pub flavor: i32,
    pub model: i32,
}

/// How this process reaches the memory of one rank of a window.
#[derive(Debug)]
pub(super) enum Reach {
    /// The memory is mapped here: this process's own memory, or mapped memory of the segment.
    Mapped(MemoryRegion),
    /// The memory begins `start` bytes into a block that the other process allocated in its
    /// segment. It is mapped on the first access.
    Unmapped { offset: u64, block_bytes: usize, start: usize },
    /// The other process's private memory, which the kernel copies.
    Distant { address: u64 },
    /// Memory that the other process attaches to a dynamic window, as its list tells.
    Dynamic(Listed),
    /// Only the other process reaches the memory; it carries out requests that carry this key.
    Remote { key: u64 },
}

/// What one rank exposes in a window.
#[derive(Debug)]
pub(super) struct Exposed {
    pub process: u32,
    pub size: usize,
    pub disp_unit: i64,
    /// Whether all processes of the node reach the memory by load and store, so that atomic
    /// instructions combine its words without a lock.
    pub shared: bool,
    pub reach: Reach,
}

/// A window, as this process sees it.
pub struct Window {
    /// The window's own communicator, for its collective calls and notices.
    pub comm: handle::Comm,
    pub group: Group,
    pub rank: u32,
    pub name: String,
    pub attributes: Box<Attributes>,
    pub(super) hints: Info,
    pub(super) context: u64,
    pub(super) exposed: Vec<Exposed>,
    pub(super) control: Control,
    pub(super) epoch: Epoch,
    /// Blocks of shared memory that this process allocated for the window.
    pub(super) blocks: Vec<Block>,
    /// The memory that this process has attached, if the window is dynamic.
    pub(super) attached: Option<Attached>,
    /// Whether AM requests occur in this window.
    pub(super) remote: Remote,
}

/// Whether accesses of a window are carried out by the target's process (AM requests).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Remote {
    /// This process sends AM requests to some ranks.
    pub some: bool,
    /// Some process of the window sends AM requests, so every process serves them.
    pub served: bool,
    /// Processes of one node send AM requests to each other, because the kernel refuses copies.
    pub beside: bool,
}

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

impl Window {
    /// Returns the number of ranks of the window.
    pub fn size(&self) -> u32 {
        self.exposed.len() as u32
    }

    /// Checks a rank of the window; returns `None` for `MPI_PROC_NULL`.
    #[inline]
    pub(super) fn check_rank(&self, rank: i32) -> Outcome<Option<u32>> {
        match u32::try_from(rank) {
            Ok(number) if number < self.size() => Ok(Some(number)),
            _ if rank == abi::MPI_PROC_NULL => Ok(None),
            _ => Err(Error::new(
                abi::MPI_ERR_RANK,
                format!("rank {rank} is not in the window of {} processes", self.size()),
            )),
        }
    }

    /// Returns how to send AM requests to `rank`, or `None` if this process accesses its memory
    /// itself.
    pub(super) fn am_request_to(&self, win: handle::Win, rank: u32) -> Option<AmRequest> {
        let exposed = self.exposed.get(rank as usize)?;
        let Reach::Remote { key } = exposed.reach else { return None };
        Some(AmRequest {
            process: exposed.process,
            context: self.context,
            key,
            rank: self.rank,
            win,
        })
    }

    /// Returns those processes among `ranks` that carry out this process's accesses.
    pub(super) fn remote_processes(&self, ranks: impl Iterator<Item = u32>) -> Vec<u32> {
        let asked = |rank: u32| {
            self.exposed
                .get(rank as usize)
                .filter(|exposed| matches!(exposed.reach, Reach::Remote { .. }))
        };
        ranks.filter_map(asked).map(|exposed| exposed.process).collect()
    }

    /// Returns whether the window is dynamic (MPI 5.0 §12.2.4).
    pub fn is_dynamic(&self) -> bool {
        self.attributes.flavor == abi::MPI_WIN_FLAVOR_DYNAMIC
    }
}

impl Exposed {
    /// Maps the memory if it is a block of the segment that is not mapped yet.
    #[inline]
    fn prepare(&mut self, memory: &Memory) -> Outcome {
        match &mut self.reach {
            Reach::Mapped(_) | Reach::Distant { .. } | Reach::Dynamic(_) | Reach::Remote { .. } => {
                Ok(())
            }
            &mut Reach::Unmapped { offset, block_bytes, start } => {
                let shared = memory
                    .map(self.process, offset, block_bytes)
                    .map_err(|refusal| no_memory(&refusal))?;
                let area = MemoryRegion::of_shared(&shared, start, self.size)
                    .ok_or_else(|| outside_block(self.process))?;
                self.reach = Reach::Mapped(area);
                Ok(())
            }
        }
    }

    /// Returns the memory that an access names. Fails if it is not inside the exposed memory.
    #[inline]
    fn spot(&mut self, memory: &Memory, target: &Target) -> Outcome<Spot<'_>> {
        if let Reach::Dynamic(listed) = &mut self.reach {
            if !listed.covers(memory, self.process, target.disp, target.count, &target.datatype)? {
                return Err(not_attached(target));
            }
            let distant = RemoteTarget::new(target.disp as u64, target.count, &target.datatype);
            return Ok(Spot::Far { process: self.process, distant });
        }
        if target.disp < 0 {
            return Err(negative_disp(target.disp));
        }
        let offset =
            target.disp.checked_mul(self.disp_unit).ok_or_else(|| self.out_of_range(target))?;
        match &self.reach {
            Reach::Mapped(area) => {
                let place = area
                    .resolve(offset, target.count, &target.datatype)
                    .ok_or_else(|| self.out_of_range(target))?;
                Ok(Spot::Near { place, shared: self.shared })
            }
            Reach::Distant { address } => {
                if !is_inside(self.size, offset, target.count, &target.datatype) {
                    return Err(self.out_of_range(target));
                }
                let distant = RemoteTarget::new(
                    address.wrapping_add(offset as u64),
                    target.count,
                    &target.datatype,
                );
                Ok(Spot::Far { process: self.process, distant })
            }
            // Unreachable memory is mapped before (`prepare`), and AM requests are sent before
            // (`am_request`).
            Reach::Unmapped { .. } | Reach::Dynamic(_) | Reach::Remote { .. } => {
                Err(outside_block(self.process))
            }
        }
    }

    #[cold]
    fn out_of_range(&self, target: &Target) -> Box<Error> {
        let Target { rank, disp, count, datatype } = target;
        let (low, high) = datatype.span(*count).unwrap_or((i64::MIN, i64::MAX));
        let why = format!(
            "the window of rank {rank} has {} bytes; the data of {count} elements lie at {low} to \
             {high} from displacement {disp} (times {}), which is not inside",
            self.size, self.disp_unit
        );
        Error::new(abi::MPI_ERR_RMA_RANGE, why)
    }
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
    let window = engine.window_mut(win)?;
    if !window.remote.some || target.count < 0 {
        return Ok(None);
    }
    let Some(rank) = window.check_rank(target.rank)? else { return Ok(None) };
    let Some(am_request) = window.am_request_to(win, rank) else { return Ok(None) };
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
    let Engine { core, memory, .. } = engine;
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
    let Engine { core, memory, .. } = engine;
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

#[cold]
fn negative_disp(disp: i64) -> Box<Error> {
    Error::new(abi::MPI_ERR_DISP, format!("the displacement is {disp}, it must not be negative"))
}

#[cold]
fn not_attached(target: &Target) -> Box<Error> {
    let Target { rank, disp, count, .. } = target;
    let why = format!(
        "{count} elements at address {disp:#x} do not all lie in memory that rank {rank} has \
         attached"
    );
    Error::new(abi::MPI_ERR_RMA_RANGE, why)
        .advise("attach the memory there, and send its address from MPI_Get_address")
}

#[cold]
fn outside_block(process: u32) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_INTERN,
        format!("process {process} described its window memory inconsistently"),
    )
}
