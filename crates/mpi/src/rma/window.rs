//! The window object, and how the memory of each of its ranks is reached.

use super::control::Control;
use super::dynamic::{Attached, Listed};
use super::epoch::Epoch;
use super::remote::AmRequest;
use crate::abi;
use crate::engine::Engine;
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::handle;
use crate::info::Info;
use nemesis::{Block, Memory, Refusal};
use nemesis_datatype::{Area, Datatype, Distant, Place, is_inside};

/// What `MPI_Win_get_attr` tells; the addresses of the numbers are given to the program.
#[derive(Debug)]
pub struct Attributes {
    pub base: usize,
    pub size: isize,
    pub disp_unit: i32,
    pub flavor: i32,
    pub model: i32,
}

/// How a rank's memory is reached.
#[derive(Debug)]
pub(super) enum Reach {
    /// Our own memory, or memory of the segment that is mapped.
    Near(Area),
    /// Memory of the segment, `start` bytes into a block that the other allocated; it is mapped when it is first needed.
    Unmapped { offset: u64, block_bytes: usize, start: usize },
    /// The other's own memory.
    Distant { address: u64 },
    /// What the other has attached.
    Dynamic(Listed),
    /// Only the other reaches it; it wants this key from whoever asks.
    Remote { key: u64 },
}

#[derive(Debug)]
pub(super) struct Exposed {
    pub process: u32,
    pub size: usize,
    pub disp_unit: i64,
    /// Whether all processes reach it by load and store, so that words are accumulated without a lock.
    pub shared: bool,
    pub reach: Reach,
}

pub struct Window {
    /// A communicator of the window's own, for its collective calls and notices.
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
    /// Shared memory that this process allocated for the window.
    pub(super) blocks: Vec<Block>,
    /// What this process has attached, to a dynamic window.
    pub(super) attached: Option<Attached>,
    /// Who accesses whom by asking.
    pub(super) remote: Remote,
}

/// What a window has to do with accesses that the target carries out.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Remote {
    /// There are such ranks.
    pub some: bool,
    /// Whoever is one, or has one, in this window serves the others.
    pub served: bool,
    /// Neighbours ask, too.
    pub beside: bool,
}

/// The place that a remote access names.
#[derive(Debug)]
pub struct Target {
    pub rank: i32,
    /// In units of the target; for a dynamic window, the address there.
    pub disp: i64,
    pub count: i64,
    pub datatype: Datatype,
}

/// The place, found and checked.
pub(super) enum Spot<'a> {
    /// `shared`: as in [`Exposed`].
    Near {
        place: Place<'a>,
        shared: bool,
    },
    Far {
        process: u32,
        distant: Distant,
    },
}

/// What an access needs.
pub(super) struct Opened<'a> {
    pub spot: Spot<'a>,
    pub rank: u32,
    /// Our own rank, and how many there are.
    pub own: u32,
    pub ranks: u32,
    pub control: &'a Control,
    pub memory: &'a Memory,
}

impl Window {
    pub fn size(&self) -> u32 {
        self.exposed.len() as u32
    }

    /// A rank of the window; `None` for `MPI_PROC_NULL`.
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

    /// How to ask a rank, if it has to be asked.
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

    /// Processes of these ranks that have to be asked.
    pub(super) fn remote_processes(&self, ranks: impl Iterator<Item = u32>) -> Vec<u32> {
        let asked = |rank: u32| {
            self.exposed
                .get(rank as usize)
                .filter(|exposed| matches!(exposed.reach, Reach::Remote { .. }))
        };
        ranks.filter_map(asked).map(|exposed| exposed.process).collect()
    }

    pub fn is_dynamic(&self) -> bool {
        self.attributes.flavor == abi::MPI_WIN_FLAVOR_DYNAMIC
    }
}

impl Exposed {
    /// Makes the memory reachable: maps it.
    #[inline]
    fn prepare(&mut self, memory: &Memory) -> Outcome {
        match &mut self.reach {
            Reach::Near(_) | Reach::Distant { .. } | Reach::Dynamic(_) | Reach::Remote { .. } => {
                Ok(())
            }
            &mut Reach::Unmapped { offset, block_bytes, start } => {
                let shared = memory
                    .map(self.process, offset, block_bytes)
                    .map_err(|refusal| no_memory(&refusal))?;
                let area = Area::of_shared(&shared, start, self.size)
                    .ok_or_else(|| outside_block(self.process))?;
                self.reach = Reach::Near(area);
                Ok(())
            }
        }
    }

    /// The place that an access names, inside what is exposed.
    #[inline]
    fn spot(&mut self, memory: &Memory, target: &Target) -> Outcome<Spot<'_>> {
        if let Reach::Dynamic(listed) = &mut self.reach {
            if !listed.covers(memory, self.process, target.disp, target.count, &target.datatype)? {
                return Err(not_attached(target));
            }
            let distant = Distant::new(target.disp as u64, target.count, &target.datatype);
            return Ok(Spot::Far { process: self.process, distant });
        }
        if target.disp < 0 {
            return Err(negative_disp(target.disp));
        }
        let offset =
            target.disp.checked_mul(self.disp_unit).ok_or_else(|| self.out_of_range(target))?;
        match &self.reach {
            Reach::Near(area) => {
                let place = area
                    .place(offset, target.count, &target.datatype)
                    .ok_or_else(|| self.out_of_range(target))?;
                Ok(Spot::Near { place, shared: self.shared })
            }
            Reach::Distant { address } => {
                if !is_inside(self.size, offset, target.count, &target.datatype) {
                    return Err(self.out_of_range(target));
                }
                let distant = Distant::new(
                    address.wrapping_add(offset as u64),
                    target.count,
                    &target.datatype,
                );
                Ok(Spot::Far { process: self.process, distant })
            }
            // Whoever asks has turned to the other already.
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
            "the window of rank {rank} has {} bytes; {count} elements whose data lie at {low} to {high} from displacement {disp} (times {}) are not inside",
            self.size, self.disp_unit
        );
        Error::new(abi::MPI_ERR_RMA_RANGE, why)
    }
}

/// Where an access goes that the target carries out, checked as far as we know what is there; `None` for one that we carry out ourselves, or that
/// [`open`] has something to say about.
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

/// Checks an access, epoch included, and finds its place; `None` for `MPI_PROC_NULL`.
#[inline]
pub(super) fn open<'a>(
    engine: &'a mut Engine,
    win: handle::Win,
    target: &Target,
) -> Outcome<Option<Opened<'a>>> {
    let Engine { windows, memory, .. } = engine;
    let window = windows.get_mut(win).map_err(|dead| Error::dead(abi::MPI_ERR_WIN, dead))?;
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
    pub fn bytes(&self) -> usize {
        match &self.spot {
            Spot::Near { place, .. } => place.bytes(),
            Spot::Far { distant, .. } => distant.bytes(),
        }
    }

    #[inline]
    pub fn check_bytes(&self, origin: usize) -> Outcome {
        check_bytes(origin, self.bytes())
    }
}

/// Both sides of an access have the same data.
#[inline]
pub(super) fn check_bytes(origin: usize, target: usize) -> Outcome {
    if origin == target { Ok(()) } else { Err(unequal(origin, target)) }
}

impl Target {
    /// Bytes of data.
    pub(super) fn bytes(&self) -> usize {
        usize::try_from(self.count.saturating_mul(self.datatype.size())).unwrap_or(usize::MAX)
    }
}

/// `MPI_Win_shared_query`: size, displacement unit and address of a rank's memory here; size 0 where it is not reached by load and store.
pub fn shared_query(
    engine: &mut Engine,
    win: handle::Win,
    rank: i32,
) -> Outcome<(usize, i64, usize)> {
    let Engine { windows, memory, .. } = engine;
    let window = windows.get_mut(win).map_err(|dead| Error::dead(abi::MPI_ERR_WIN, dead))?;
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
        Reach::Near(area) => (area.bytes(), exposed.disp_unit, area.address()),
        _ => (0, exposed.disp_unit, window.attributes.base),
    })
}

#[cold]
fn unequal(origin: usize, target: usize) -> Box<Error> {
    let why = format!(
        "the origin has {origin} bytes of data and the target {target}: count and datatype of both must describe the same data"
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
        "{count} elements at address {disp:#x} do not all lie in memory that rank {rank} has attached"
    );
    Error::new(abi::MPI_ERR_RMA_RANGE, why)
        .advise("attach the memory there, and send its address from MPI_Get_address")
}

#[cold]
fn outside_block(process: u32) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_INTERN,
        format!("what process {process} said of its memory makes no sense"),
    )
}

#[cold]
pub(super) fn no_memory(refusal: &Refusal) -> Box<Error> {
    Error::new(abi::MPI_ERR_NO_MEM, refusal.to_string())
        .advise("`nemesis info`, which tells what this host allows")
}

#[cold]
pub(super) fn no_segment() -> Box<Error> {
    Error::new(abi::MPI_ERR_INTERN, "this process has no segment")
}
