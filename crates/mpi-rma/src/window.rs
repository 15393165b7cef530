//! The window object, and how the memory of each of its ranks is reached.

use super::control::Control;
use super::dynamic::{Attached, Listed};
use super::elements::Sharing;
use super::epoch::Epoch;
use super::network::NetworkMemory;
use super::notice::{Awaited, Beside, Notice};
use super::remote::AmRequest;
use super::target::{Spot, Target, no_memory};
use crate::abi;
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::handle;
use crate::info::Info;
use nemesis::{Block, Memory, Registrations};
use nemesis_datatype::{MemoryRegion, RemoteTarget, is_inside};
use std::sync::Arc;

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
    /// The other process carries out requests that carry this key. If the network reaches the
    /// memory, it carries out the accesses that it can.
    Remote { key: u64, network: Option<Box<NetworkMemory>> },
}

/// What one rank exposes in a window.
#[derive(Debug)]
pub(super) struct Exposed {
    pub process: u32,
    pub size: usize,
    pub disp_unit: i64,
    pub sharing: Sharing,
    pub reach: Reach,
}

/// A window, as this process sees it.
pub struct Window {
    /// The window's own communicator, for its collective calls and notices.
    pub comm: handle::Comm,
    pub(super) owns_comm: bool,
    pub group: Group,
    pub rank: u32,
    pub name: String,
    pub attributes: Box<Attributes>,
    pub(super) hints: Info,
    pub(super) context: u64,
    pub(super) exposed: Vec<Exposed>,
    /// Whether this process's memory may be mapped by no other one, so that it carries out short
    /// accesses itself if it polls.
    pub(super) is_private: bool,
    pub(super) control: Control,
    /// The ranks on this node, and what they have told this one.
    pub(super) beside: Beside,
    pub(super) epoch: Epoch,
    /// The groups of the last `MPI_Win_post` and `MPI_Win_start`.
    pub(super) last_posted: LastGroup,
    pub(super) last_started: LastGroup,
    /// Blocks of shared memory that this process allocated for the window.
    pub(super) blocks: Vec<Block>,
    /// The memory that this process has attached, if the window is dynamic.
    pub(super) attached: Option<Attached>,
    /// Whether AM requests occur in this window.
    pub(super) remote: Remote,
    /// Registrations of the window's memory in this process.
    pub(super) registrations: Registrations,
}

/// The processes of a group, and their ranks in the window: a program uses few groups.
#[derive(Debug, Default)]
pub(super) struct LastGroup {
    processes: Arc<[u32]>,
    ranks: Arc<[u32]>,
}

/// Whether accesses of a window are carried out by the target's process (AM requests).
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Remote {
    /// This process sends AM requests to some ranks, or one of them has died: accesses and
    /// flushes take the general path.
    pub some: bool,
    /// Some process of the window sends AM requests, so every process serves them.
    pub served: bool,
    /// Processes of one node send AM requests to each other, because the kernel refuses copies.
    pub beside: bool,
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

    /// Returns the ranks in the window of a group's members, to which this process will send
    /// notices of this kind.
    pub(super) fn ranks_of(&mut self, group: &Group, notice: Notice) -> Outcome<Arc<[u32]>> {
        let last = match notice {
            Notice::Posted => &mut self.last_posted,
            Notice::Completed => &mut self.last_started,
        };
        let processes = group.list();
        if Arc::ptr_eq(&last.processes, &processes) {
            return Ok(last.ranks.clone());
        }
        let ranks = group.ranks_in(&self.group).map_err(|process| {
            Error::new(
                abi::MPI_ERR_GROUP,
                format!("process {process} of the group does not belong to the window"),
            )
        })?;
        *last = LastGroup { processes, ranks: ranks.into() };
        Ok(last.ranks.clone())
    }

    /// Returns a notice of a rank of this node among `ranks` that has not come.
    pub(super) fn awaited(&self, notice: Notice, ranks: &[u32]) -> Option<Awaited> {
        ranks.iter().find_map(|&rank| {
            self.beside.awaited(notice, rank).filter(|awaited| !awaited.has_come(&self.control))
        })
    }

    /// Returns how to send AM requests to `rank`, or `None` if this process accesses its memory
    /// itself.
    pub(super) fn am_request_to(&self, win: handle::Win, rank: u32) -> Option<AmRequest> {
        let exposed = self.exposed.get(rank as usize)?;
        let Reach::Remote { key, .. } = exposed.reach else { return None };
        Some(self.am_request(win, exposed.process, key))
    }

    fn am_request(&self, win: handle::Win, process: u32, key: u64) -> AmRequest {
        AmRequest { process, context: self.context, key, rank: self.rank, win }
    }

    /// Returns how to send an access to `rank` if it names memory of a device that the rank has
    /// attached, and this process accesses its other memory itself.
    pub(super) fn am_request_for(
        &mut self,
        win: handle::Win,
        rank: u32,
        memory: &Memory,
        target: &Target,
    ) -> Outcome<Option<AmRequest>> {
        let exposed = &mut self.exposed[rank as usize];
        let (process, Reach::Dynamic(listed)) = (exposed.process, &mut exposed.reach) else {
            return Ok(None);
        };
        if !listed.is_owners(memory, process, target)? {
            return Ok(None);
        }
        listed.is_asked = true;
        let key = listed.key;
        self.remote.some = true;
        Ok(Some(self.am_request(win, process, key)))
    }

    /// Returns those processes among `ranks` that carry out this process's accesses.
    pub(super) fn remote_processes(&self, ranks: impl Iterator<Item = u32>) -> Vec<u32> {
        let asked = |rank: u32| {
            self.exposed.get(rank as usize).filter(|exposed| match &exposed.reach {
                Reach::Remote { .. } => true,
                Reach::Dynamic(listed) => listed.is_asked,
                _ => false,
            })
        };
        ranks.filter_map(asked).map(|exposed| exposed.process).collect()
    }

    /// Returns whether the window is dynamic (MPI 5.0 §12.2.4).
    pub fn is_dynamic(&self) -> bool {
        self.attributes.flavor == abi::MPI_WIN_FLAVOR_DYNAMIC
    }
}

impl Exposed {
    /// Returns the offset in bytes of a displacement.
    #[inline(always)]
    pub fn offset(&self, disp: i64) -> Option<usize> {
        usize::try_from(disp).ok()?.checked_mul(self.disp_unit as usize)
    }

    /// Maps the memory if it is a block of the segment that is not mapped yet.
    #[inline]
    pub(super) fn prepare(&mut self, memory: &Memory) -> Outcome {
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
    pub(super) fn spot(&mut self, memory: &Memory, target: &Target) -> Outcome<Spot<'_>> {
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
                Ok(Spot::Near { place, sharing: self.sharing })
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
            // (`resolve::am_request`).
            Reach::Unmapped { .. } | Reach::Dynamic(_) | Reach::Remote { .. } => {
                Err(outside_block(self.process))
            }
        }
    }

    #[cold]
    pub(super) fn out_of_range(&self, target: &Target) -> Box<Error> {
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

#[cold]
pub(super) fn negative_disp(disp: i64) -> Box<Error> {
    Error::new(abi::MPI_ERR_DISP, format!("the displacement is {disp}, it must not be negative"))
}

#[cold]
pub(super) fn not_attached(target: &Target) -> Box<Error> {
    let Target { rank, disp, count, .. } = target;
    let why = format!(
        "{count} elements at address {disp:#x} do not all lie in memory that rank {rank} has \
         attached"
    );
    Error::new(abi::MPI_ERR_RMA_RANGE, why).advise(
        "attach the memory there, and send its address from MPI_Get_address; reach memory of a \
         device and of the host by accesses of their own",
    )
}

#[cold]
fn outside_block(process: u32) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_INTERN,
        format!("process {process} described its window memory inconsistently"),
    )
}
