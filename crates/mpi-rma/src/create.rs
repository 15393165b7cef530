//! Creates the four flavours of windows (MPI 5.0 §12.2), and frees windows.
//!
//! Creation is one exchange of words over the window's own communicator. Each rank describes how
//! its memory is reached:
//!
//! ```text
//!   size | displacement unit | reach | offset in the segment, or address | bytes of the block
//!        | start in the block | control block | address for a trial copy by the kernel | AM key
//!        | address | key of the network
//! ```
//!
//! A second exchange tells whether every rank has what it needs, and whether some rank sends AM
//! requests. A rank serves the window before that exchange, because a rank that has finished it may
//! send requests at once. A rank whose preparations failed takes part in both exchanges, so that
//! all ranks fail together and each says why.
//!
//! The processes of a node share one control block, which the lowest rank among them allocates.

mod card;

use self::card::{MemoryCard, kind};
use super::am_target::AmTarget;
use super::check;
use super::control::Control;
use super::device::{AttachedDevices, DeviceMemory, Offered};
use super::dynamic::{Attached, Listed};
use super::epoch::Epoch;
use super::hints;
use super::network::NetworkMemory;
use super::notice::Beside;
use super::progress_thread;
use super::remote;
use super::state::{RMA, Windows, no_window, rma};
use super::sync::complete_all_accesses;
use super::target::{no_memory, no_segment};
use super::window::{Attributes, Exposed, LastGroup, Reach, Remote, Window};
use crate::abi;
use crate::callback::Object;
use crate::coll;
use crate::coll::signature::Creator;
use crate::context::Class;
use crate::engine::lanes::Choice;
use crate::engine::{Engine, Mpi};
use crate::errhandler;
use crate::error::{Error, Outcome};
use crate::handle;
use crate::info::Info;
use crate::pt2pt::PointToPoint;
use crate::recovery;
use nemesis::{Block, Found, Memory, NetworkKey, PAGE_BYTES, Registrations, Shared};
use nemesis_datatype::MemoryRegion;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;

/// Size in bytes and displacement unit of this process's memory, checked.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    size: usize,
    disp_unit: i64,
}

impl Shape {
    /// Checks a size in bytes and a displacement unit.
    pub fn new(size: isize, disp_unit: i64) -> Outcome<Shape> {
        let size = usize::try_from(size).map_err(|_| {
            Error::new(abi::MPI_ERR_SIZE, format!("size is {size}, it must not be negative"))
        })?;
        if disp_unit <= 0 {
            return Err(Error::new(
                abi::MPI_ERR_DISP,
                format!("the displacement unit is {disp_unit}, it must be positive"),
            ));
        }
        Ok(Shape { size, disp_unit })
    }

    const NONE: Shape = Shape { size: 0, disp_unit: 1 };
}

/// The memory that this process contributes to a window.
struct Part {
    flavor: i32,
    shape: Shape,
    kind: u64,
    base: usize,
    /// The memory, unless the window is dynamic.
    area: Option<MemoryRegion>,
    /// The device's memory whose shadow `area` is.
    device: Option<Arc<dyn DeviceMemory>>,
    /// Where the program's memory lies in the segment, if it came from `MPI_Alloc_mem`.
    found: Option<Found>,
    /// The one block of all ranks of a shared window, mapped as a whole, so that consecutive ranks'
    /// memory is contiguous here as well.
    whole: Option<Arc<Shared>>,
}

impl Part {
    /// Whether no other process can map the memory.
    fn is_private(&self) -> bool {
        matches!(self.kind, kind::PRIVATE | kind::DYNAMIC)
    }
}

/// A window under construction, with everything that has to be released if creation fails.
struct Draft {
    comm: handle::Comm,
    /// The window frees the communicator.
    owns_comm: bool,
    rank: u32,
    processes: Vec<u32>,
    /// The block that this process has allocated for its memory.
    block: Option<Block>,
    control_block: Option<Block>,
    /// The list of attached memory, if the window is dynamic.
    attached: Option<Attached>,
    /// The progress thread has been asked to serve the window.
    progress_thread_begun: bool,
    /// The key that AM requests to this process carry.
    key: u64,
    /// Registrations of this process's memory, and the memory, which they must not outlive.
    registrations: Registrations,
    area: Option<MemoryRegion>,
}

/// The memory of all ranks of a window, as this process reaches it.
struct Reached {
    control: Control,
    beside: Beside,
    exposed: Vec<Exposed>,
    remote: Remote,
    /// Whether the development checks are on in all ranks.
    checked: bool,
}

impl Draft {
    /// Duplicates the program's communicator, for the window's use.
    fn begin(mpi: &mut Mpi, comm: handle::Comm, creator: Creator) -> Outcome<Draft> {
        mpi.intracomm(comm)?;
        let comm = coll::creation::duplicate(mpi, comm, creator, Choice::First)?;
        Ok(Draft { owns_comm: true, ..Draft::on(mpi, comm)? })
    }

    /// Begins a window that uses a communicator of the library.
    fn on(mpi: &mut Mpi, comm: handle::Comm) -> Outcome<Draft> {
        let own = mpi.comm(comm)?;
        let (rank, processes) = (own.rank, own.group.processes().to_vec());
        let key = RandomState::new().build_hasher().finish();
        Ok(Draft {
            comm,
            owns_comm: false,
            rank,
            processes,
            block: None,
            control_block: None,
            attached: None,
            progress_thread_begun: false,
            key,
            registrations: Registrations::default(),
            area: None,
        })
    }

    /// Returns whether all ranks run on this node.
    fn is_local(&self, engine: &Engine) -> bool {
        engine
            .memory
            .as_ref()
            .is_some_and(|memory| self.processes.iter().all(|&process| memory.is_local(process)))
    }

    /// Returns the ranks on this node, in ascending order.
    fn ranks_beside(&self, memory: &Memory) -> Vec<u32> {
        let beside = |&(process, _): &(&u32, u32)| memory.is_local(*process);
        self.processes.iter().zip(0..).filter(beside).map(|(_, rank)| rank).collect()
    }

    /// Returns the lowest rank of this node.
    fn leader(&self, memory: &Memory) -> usize {
        self.processes
            .iter()
            .position(|&process| memory.is_local(process))
            .unwrap_or(self.rank as usize)
    }

    /// Allocates the control block if this process is the lowest rank of its node.
    fn allocate_control(&mut self, engine: &mut Engine) -> Outcome {
        let memory = engine.memory.as_ref().ok_or_else(no_segment)?;
        if self.leader(memory) == self.rank as usize {
            let beside = self.ranks_beside(memory).len();
            let bytes = Control::bytes(self.processes.len(), beside);
            self.control_block = Some(allocate_block(engine, bytes, 1)?);
        }
        Ok(())
    }

    /// Registers the window's memory in this process with the networks that reach memory, if the
    /// window has members on other nodes. Returns the key for them.
    fn register(&mut self, mpi: &mut Mpi, part: &Part) -> NetworkKey {
        let is_local = self.is_local(mpi);
        // A network does not reach memory of a device by its shadow.
        let area = part.area.as_ref().filter(|_| part.device.is_none());
        let (Some(area), Some(endpoint), false) = (area, &mut mpi.pt2pt.endpoint, is_local) else {
            return NetworkKey::NONE;
        };
        self.area = Some(area.clone());
        self.registrations = endpoint.register_memory(|| area.to_register());
        endpoint.network_key(&self.registrations)
    }

    /// Starts the progress thread's service for this window, unless it is started.
    fn begin_progress_thread(&mut self, mpi: &mut Mpi) -> Outcome {
        if !self.progress_thread_begun {
            progress_thread::begin(mpi)?;
            self.progress_thread_begun = true;
        }
        Ok(())
    }

    /// Releases everything that the draft holds. The caller reports the error.
    fn abandon(mut self, mpi: &mut Mpi) {
        deregister(mpi, &mut self.registrations);
        if let Ok(context) = context_of(mpi, self.comm) {
            let rma = rma(mpi);
            rma.served.close(context);
            rma.am_targets.close(context);
        }
        if self.progress_thread_begun {
            progress_thread::end(mpi, false);
        }
        if let Some(memory) = &mut mpi.memory {
            self.control_block.into_iter().chain(self.block).for_each(|block| memory.free(block));
            self.attached.into_iter().for_each(|attached| attached.close(memory));
        }
        if self.owns_comm {
            // `begin` has made the communicator, so freeing it cannot fail.
            let _ = mpi.free_comm(self.comm);
        }
    }
}

/// Returns the number by which processes name the window of this communicator.
fn context_of(engine: &Engine, comm: handle::Comm) -> Outcome<u64> {
    Ok(engine.comm(comm)?.context.class(Class::Internal).0)
}

fn allocate_block(engine: &mut Engine, bytes: usize, alignment: usize) -> Outcome<Block> {
    let memory = engine.memory.as_mut().ok_or_else(no_segment)?;
    memory.allocate(bytes, alignment).map_err(|refusal| no_memory(&refusal))
}

fn alignment(info: &Info) -> usize {
    info.get("mpi_minimum_memory_alignment").and_then(|value| value.parse().ok()).unwrap_or(1)
}

/// Makes a window on a communicator of the program by `make`.
fn at_all(
    mpi: &mut Mpi,
    comm: handle::Comm,
    make: impl FnOnce(&mut Mpi) -> Outcome<handle::Win>,
) -> Outcome<handle::Win> {
    recovery::at_all(mpi, comm, "window", make, release)
}

/// Implements `MPI_Win_create`; `offered` is the memory that the program exposes.
pub fn create(
    mpi: &mut Mpi,
    comm: handle::Comm,
    shape: Shape,
    offered: Offered,
    info: &Info,
) -> Outcome<handle::Win> {
    at_all(mpi, comm, |mpi| {
        let draft = Draft::begin(mpi, comm, Creator::WinCreate)?;
        let (base, area, device) = match offered {
            Offered::Host(area) => (area.address(), area, None),
            Offered::Device(memory) => (memory.address(), memory.shadow().clone(), Some(memory)),
        };
        let found = mpi.memory.as_ref().and_then(|memory| memory.find_piece(base, shape.size));
        if nemesis_mpi_check::is_on() && device.is_none() && found.is_none() {
            nemesis_mpi_check::bounds::window(base, shape.size);
        }
        let kind = match found {
            _ if shape.size == 0 => kind::NOTHING,
            _ if device.is_some() => kind::DEVICE,
            Some(_) => kind::BLOCK,
            None => kind::PRIVATE,
        };
        let part = Part {
            flavor: abi::MPI_WIN_FLAVOR_CREATE,
            shape,
            kind,
            base,
            area: Some(area),
            device,
            found,
            whole: None,
        };
        finish(mpi, draft, Ok(part), info)
    })
}

/// Implements `MPI_Win_create_dynamic`.
pub fn create_dynamic(mpi: &mut Mpi, comm: handle::Comm, info: &Info) -> Outcome<handle::Win> {
    at_all(mpi, comm, |mpi| {
        let mut draft = Draft::begin(mpi, comm, Creator::WinCreateDynamic)?;
        let attached = mpi.memory.as_mut().ok_or_else(no_segment).and_then(Attached::new);
        let (flavor, shape, kind) = (abi::MPI_WIN_FLAVOR_DYNAMIC, Shape::NONE, kind::DYNAMIC);
        let part = attached.map(|attached| {
            draft.attached = Some(attached);
            Part {
                flavor,
                shape,
                kind,
                base: 0,
                area: None,
                device: None,
                found: None,
                whole: None,
            }
        });
        finish(mpi, draft, part, info)
    })
}

/// Implements `MPI_Win_allocate`: returns the window and the address of its memory.
pub fn allocate(
    mpi: &mut Mpi,
    comm: handle::Comm,
    shape: Shape,
    info: &Info,
) -> Outcome<(handle::Win, usize)> {
    let win = at_all(mpi, comm, |mpi| {
        let mut draft = Draft::begin(mpi, comm, Creator::WinAllocate)?;
        let part = own_memory(mpi, &mut draft, shape, info);
        finish(mpi, draft, part, info)
    })?;
    Ok((win, mpi.window(win)?.attributes.base))
}

/// Makes a window of the library: `bytes` bytes at rank 0, all zero, and none at the others. `comm`
/// belongs to the library, too: it has no other window, and is freed after this one
/// ([`release`]).
pub fn allocate_at_rank_zero(
    mpi: &mut Mpi,
    comm: handle::Comm,
    bytes: usize,
) -> Outcome<handle::Win> {
    let mut draft = Draft::on(mpi, comm)?;
    let part = match draft.rank {
        0 => own_memory(mpi, &mut draft, Shape { size: bytes, disp_unit: 1 }, &Info::default()),
        _ => Ok(Part {
            flavor: abi::MPI_WIN_FLAVOR_ALLOCATE,
            shape: Shape::NONE,
            kind: kind::NOTHING,
            base: 0,
            area: None,
            device: None,
            found: None,
            whole: None,
        }),
    };
    finish(mpi, draft, part, &Info::default())
}

/// Allocates this rank's memory in a block of the segment. If the shared heap is full, allocates
/// private memory, which other processes reach through the kernel or by AM requests.
fn own_memory(engine: &mut Engine, draft: &mut Draft, shape: Shape, info: &Info) -> Outcome<Part> {
    let flavor = abi::MPI_WIN_FLAVOR_ALLOCATE;
    own_block(engine, draft, shape, flavor, info).or_else(|refused| {
        let area = MemoryRegion::owned(shape.size, alignment(info).max(PAGE_BYTES))
            .map_err(|_| refused)?;
        let kind = if shape.size == 0 { kind::NOTHING } else { kind::PRIVATE };
        Ok(Part {
            flavor,
            shape,
            kind,
            base: area.address(),
            area: Some(area),
            device: None,
            found: None,
            whole: None,
        })
    })
}

/// Allocates this rank's memory in a block of the segment.
fn own_block(
    engine: &mut Engine,
    draft: &mut Draft,
    shape: Shape,
    flavor: i32,
    info: &Info,
) -> Outcome<Part> {
    let (kind, bytes) =
        if shape.size == 0 { (kind::NOTHING, 1) } else { (kind::BLOCK, shape.size) };
    // A window without bytes still needs an address.
    let block = allocate_block(engine, bytes, alignment(info))?;
    let base = block.shared.address();
    let area = MemoryRegion::of_shared(&block.shared, 0, shape.size);
    draft.block = Some(block);
    Ok(Part { flavor, shape, kind, base, area, device: None, found: None, whole: None })
}

/// Implements `MPI_Win_allocate_shared`: returns the window and the address of this rank's memory.
pub fn allocate_shared(
    mpi: &mut Mpi,
    comm: handle::Comm,
    shape: Shape,
    info: &Info,
) -> Outcome<(handle::Win, usize)> {
    let win = at_all(mpi, comm, |mpi| {
        let mut draft = Draft::begin(mpi, comm, Creator::WinAllocateShared)?;
        if !draft.is_local(mpi) {
            draft.abandon(mpi);
            return Err(Error::new(
            abi::MPI_ERR_RMA_SHARED,
            "some processes of the communicator run on other hosts, so they share no memory with \
             this process",
        )
        .advise("split the communicator by MPI_Comm_split_type with MPI_COMM_TYPE_SHARED"));
        }
        let flavor = abi::MPI_WIN_FLAVOR_SHARED;
        let apart = info.get_bool("alloc_shared_noncontig") == Some(true);
        let shapes = coll::allgather_words(mpi, draft.comm, [shape.size as u64, apart.into()])?;
        if let Some(text) = hints::layouts_differ(&shapes) {
            nemesis_mpi_check::suspect(&nemesis_mpi_check::kinds::DIFFERENT, || text);
        }
        // A contiguous layout is right for ranks that permit another one, too.
        let part = if shapes.iter().all(|[_, apart]| *apart != 0) {
            own_block(mpi, &mut draft, shape, flavor, info)
        } else {
            allocate_contiguous(mpi, &mut draft, (shape, &shapes), info)
        };
        finish(mpi, draft, part, info)
    })?;
    Ok((win, mpi.window(win)?.attributes.base))
}

/// Places the memory of all ranks in one block, in the order of ranks. Rank 0 allocates the block;
/// each rank computes its start from the sizes.
fn allocate_contiguous(
    mpi: &mut Mpi,
    draft: &mut Draft,
    (shape, sizes): (Shape, &[[u64; 2]]),
    info: &Info,
) -> Outcome<Part> {
    let total = sizes
        .iter()
        .try_fold(0u64, |sum, [size, _]| sum.checked_add(*size))
        .and_then(|total| usize::try_from(total).ok());
    let allocated = match total {
        _ if draft.rank != 0 => Ok(()),
        None => Err(Error::new(
            abi::MPI_ERR_NO_MEM,
            "the sizes of all ranks together exceed the address space",
        )),
        Some(total) => {
            allocate_block(mpi, total, alignment(info)).map(|block| draft.block = Some(block))
        }
    };
    // Every rank learns of rank 0's block, or that rank 0 could not allocate it.
    let told = draft.block.as_ref().map_or([0, 0], |block| [block.offset, block.bytes as u64]);
    let told = coll::allgather_words(mpi, draft.comm, told)?;
    let [offset, bytes] = told[0];
    allocated?;
    if bytes == 0 {
        return Err(Error::new(
            abi::MPI_ERR_NO_MEM,
            "rank 0 of the window could not allocate the memory of all ranks",
        ));
    }
    let start = sizes[..draft.rank as usize].iter().map(|[size, _]| *size as usize).sum();
    let shared = match &draft.block {
        Some(block) => block.shared.clone(),
        None => {
            let memory = mpi.memory.as_ref().ok_or_else(no_segment)?;
            memory
                .map(draft.processes[0], offset, bytes as usize)
                .map_err(|refusal| no_memory(&refusal))?
        }
    };
    let area = MemoryRegion::of_shared(&shared, start, shape.size).ok_or_else(|| {
        Error::new(
            abi::MPI_ERR_INTERN,
            "the block that rank 0 of the window allocated is too small",
        )
    })?;
    let kind = if shape.size == 0 { kind::NOTHING } else { kind::BLOCK };
    Ok(Part {
        flavor: abi::MPI_WIN_FLAVOR_SHARED,
        shape,
        kind,
        base: area.address(),
        area: Some(area),
        device: None,
        found: None,
        whole: Some(shared),
    })
}

/// Carries out the exchanges that all flavours need, and makes the window.
fn finish(
    mpi: &mut Mpi,
    mut draft: Draft,
    part: Outcome<Part>,
    info: &Info,
) -> Outcome<handle::Win> {
    match agree(mpi, &mut draft, part, info) {
        Ok((part, reached)) => enter(mpi, draft, &part, reached, info),
        Err(error) => {
            draft.abandon(mpi);
            Err(error)
        }
    }
}

/// Learns how the memory of all ranks is reached, and whether every rank has what it needs. A rank
/// that failed takes part in both exchanges, too.
fn agree(
    mpi: &mut Mpi,
    draft: &mut Draft,
    part: Outcome<Part>,
    info: &Info,
) -> Outcome<(Part, Reached)> {
    let part = part.and_then(|part| draft.allocate_control(mpi).map(|()| part));
    let probe = Box::new(std::cell::Cell::new(0u64));
    probe.set(probe.as_ptr() as u64);
    let network = part.as_ref().map_or(NetworkKey::NONE, |part| draft.register(mpi, part));
    let card = card_of_memory(draft, &part, probe.as_ptr() as u64, network);
    let cards = coll::allgather_words(mpi, draft.comm, card.words())?;
    let cards: Vec<MemoryCard> = cards.into_iter().map(MemoryCard::read).collect();
    let own = part.and_then(|part| {
        let reached = assemble(mpi, draft, &part, &cards)?;
        if reached.remote.some {
            draft.begin_progress_thread(mpi)?;
        }
        let context = context_of(mpi, draft.comm)?;
        offer(mpi, draft, &part, &card, &reached.control)?;
        if part.is_private() {
            open_am_target(mpi, context, draft, &part);
        }
        Ok((part, reached))
    });
    let checks = u64::from(nemesis_mpi_check::is_on());
    let outcome = match &own {
        Ok((_, Reached { remote, .. })) => {
            [0, u64::from(remote.some), u64::from(remote.beside), checks, hints::promises(info)]
        }
        Err(_) => [1, 0, 0, 0, 0],
    };
    let outcomes = coll::allgather_words(mpi, draft.comm, outcome);
    drop(probe);
    let (outcomes, (part, mut reached)) = (outcomes?, own?);
    if let Some(rank) = outcomes.iter().position(|[failed, ..]| *failed != 0) {
        return Err(peer_failed(rank));
    }
    reached.remote.served = outcomes.iter().any(|[_, remote, ..]| *remote != 0);
    let promised = cards
        .iter()
        .zip(&outcomes)
        .map(|(card, [.., promises])| [card.size, card.disp_unit, *promises]);
    if let Some(text) = hints::broken_promise(promised) {
        nemesis_mpi_check::suspect(&nemesis_mpi_check::kinds::DIFFERENT, || text);
    }
    reached.remote.beside = outcomes.iter().any(|[_, _, beside, ..]| *beside != 0);
    reached.checked = outcomes.iter().all(|[.., checks, _]| *checks != 0);
    if reached.remote.served {
        // Ranks that send requests inter-node are known before; only refused copies on this node
        // are learnt in the second exchange.
        draft.begin_progress_thread(mpi)?;
    }
    Ok((part, reached))
}

#[cold]
fn peer_failed(rank: usize) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_OTHER,
        format!("rank {rank} could not create its part of the window; its own error tells why"),
    )
}

/// Lets AM requests of other processes access the memory.
fn offer(
    engine: &mut Engine,
    draft: &Draft,
    part: &Part,
    card: &MemoryCard,
    control: &Control,
) -> Outcome {
    let order = engine.memory.as_ref().ok_or_else(no_segment)?.order();
    let offered = remote::Part {
        key: draft.key,
        rank: draft.rank,
        processes: draft.processes.clone(),
        disp_unit: part.shape.disp_unit,
        dynamic: part.kind == kind::DYNAMIC,
        areas: part.area.iter().cloned().collect(),
        device: part.device.clone(),
        devices: AttachedDevices::default(),
        sharing: card.sharing(),
        control: control.clone(),
        order,
    };
    let (context, verbose) = (context_of(engine, draft.comm)?, engine.verbose);
    let served = &mut rma(engine).served;
    served.set_verbose(verbose);
    served.open(context, offered);
    Ok(())
}

/// Registers the memory that intra-node AM requests may access while this process is inside an MPI
/// call.
fn open_am_target(engine: &mut Engine, context: u64, draft: &Draft, part: &Part) {
    let Engine { pt2pt: PointToPoint { endpoint: Some(endpoint), core, .. }, .. } = engine else {
        return;
    };
    let am_target = AmTarget {
        context,
        processes: draft.processes.clone(),
        areas: part.area.iter().cloned().collect(),
    };
    RMA.get_mut(&mut core.token).am_targets.open(
        (endpoint.me(), endpoint.processes()),
        (0..endpoint.processes())
            .filter_map(|process| Some((process, endpoint.am_slot_of(process)?))),
        am_target,
    );
}

fn card_of_memory(
    draft: &Draft,
    part: &Outcome<Part>,
    probe: u64,
    network: NetworkKey,
) -> MemoryCard {
    let control = draft.control_block.as_ref().map_or(0, |block| block.offset);
    match part {
        Ok(part) => {
            let (place, block_bytes, start) = match (&draft.attached, &draft.block, part.found) {
                (Some(attached), ..) => (attached.offset(), 0, 0),
                (None, Some(block), _) => (block.offset, block.bytes as u64, 0),
                (None, None, Some(found)) => {
                    (found.offset, found.block_bytes as u64, found.start as u64)
                }
                (None, None, None) => (part.base as u64, 0, 0),
            };
            let (size, disp_unit) = (part.shape.size as u64, part.shape.disp_unit as u64);
            MemoryCard {
                size,
                disp_unit,
                kind: part.kind,
                place,
                block_bytes,
                start,
                control,
                probe,
                key: draft.key,
                address: part.base as u64,
                network,
            }
        }
        Err(_) => MemoryCard {
            size: 0,
            disp_unit: 1,
            kind: kind::FAILED,
            place: 0,
            block_bytes: 0,
            start: 0,
            control,
            probe,
            key: 0,
            address: 0,
            network,
        },
    }
}

/// Determines how this process reaches the memory of each rank.
fn assemble(mpi: &mut Mpi, draft: &Draft, part: &Part, cards: &[MemoryCard]) -> Outcome<Reached> {
    if let Some(rank) = cards.iter().position(|card| card.kind == kind::FAILED) {
        return Err(peer_failed(rank));
    }
    let memory = mpi.memory.as_ref().ok_or_else(no_segment)?;
    let beside = Beside::new(draft.ranks_beside(memory), draft.rank);
    let control = match &draft.control_block {
        Some(block) => block.shared.clone(),
        None => {
            let leader = draft.leader(memory);
            let block = memory.map(
                draft.processes[leader],
                cards[leader].control,
                Control::bytes(draft.processes.len(), beside.count()),
            );
            block.map_err(|refusal| no_memory(&refusal))?
        }
    };
    let mut remote = Remote::default();
    let mut exposed = Vec::with_capacity(cards.len());
    let mut start = 0;
    for (rank, (card, &process)) in cards.iter().zip(&draft.processes).enumerate() {
        let inconsistent = || {
            Error::new(
                abi::MPI_ERR_INTERN,
                format!(
                    "the description that rank {rank} sent of its part of the window is invalid"
                ),
            )
        };
        let size = usize::try_from(card.size).map_err(|_| inconsistent())?;
        let disp_unit = i64::try_from(card.disp_unit).map_err(|_| inconsistent())?;
        let own = rank == draft.rank as usize;
        let local = memory.is_local(process);
        let refused = local
            && !own
            && matches!(card.kind, kind::PRIVATE | kind::DYNAMIC)
            && !kernel_copies(memory, process, card.probe);
        let on_device = card.kind == kind::DEVICE;
        remote.some |= !local || refused || on_device;
        remote.beside |= refused || local && on_device;
        let reach = match (&part.area, &part.whole, card.kind) {
            (Some(area), _, _) if own && !on_device => Reach::Mapped(area.clone()),
            _ if !local || refused || on_device => {
                let reaches = !local && !card.network.is_none();
                let memory = || NetworkMemory { address: card.address, key: card.network };
                Reach::Remote { key: card.key, network: reaches.then(|| Box::new(memory())) }
            }
            (_, Some(whole), _) => {
                Reach::Mapped(MemoryRegion::of_shared(whole, start, size).ok_or_else(inconsistent)?)
            }
            (_, _, kind::DYNAMIC) => Reach::Dynamic(Listed::new(card.place, card.key)),
            (_, _, kind::PRIVATE) => Reach::Distant { address: card.place },
            (_, _, kind::BLOCK) => Reach::Unmapped {
                offset: card.place,
                block_bytes: card.block_bytes as usize,
                start: card.start as usize,
            },
            // No memory is exposed; every access that is not empty is out of range.
            _ => Reach::Distant { address: 0 },
        };
        start = start.wrapping_add(size);
        exposed.push(Exposed { process, size, disp_unit, sharing: card.sharing(), reach });
    }
    let control = Control::new(control, draft.processes.len(), beside.count());
    Ok(Reached { control, beside, exposed, remote, checked: false })
}

/// Returns whether the kernel copies from that process's memory. `probe` is the address of a word
/// there that holds its own address. The word is compared because, in different PID namespaces, the
/// process's number may name another process here.
fn kernel_copies(memory: &Memory, process: u32, probe: u64) -> bool {
    let mut word = [0; 8];
    memory.read(process, std::iter::once((probe, 8)), &mut word).is_ok()
        && u64::from_ne_bytes(word) == probe
}

/// Makes the window object and its handle from a finished draft.
fn enter(
    mpi: &mut Mpi,
    draft: Draft,
    part: &Part,
    Reached { control, beside, exposed, remote, checked }: Reached,
    info: &Info,
) -> Outcome<handle::Win> {
    if !rma(mpi).windows.has_room() {
        draft.abandon(mpi);
        return Err(Error::new(abi::MPI_ERR_NO_MEM, "more than a million windows exist"));
    }
    let context = context_of(mpi, draft.comm)?;
    match remote.served {
        true => progress_thread::serve_local(mpi, remote.beside),
        // Memory of devices may be attached later.
        false if part.kind == kind::DYNAMIC => {}
        false => rma(mpi).served.close(context),
    }
    let attributes = Box::new(Attributes {
        base: part.base,
        size: part.shape.size as isize,
        disp_unit: i32::try_from(part.shape.disp_unit).unwrap_or(i32::MAX),
        flavor: part.flavor,
        model: abi::MPI_WIN_UNIFIED,
    });
    let mut kept = Info::default();
    hints::accept(&mut kept, info);
    let window = Window {
        comm: draft.comm,
        owns_comm: draft.owns_comm,
        group: mpi.comm(draft.comm)?.group.clone(),
        rank: draft.rank,
        name: String::new(),
        attributes,
        hints: kept,
        context,
        epoch: Epoch::new(exposed.len() as u32),
        exposed,
        is_private: part.is_private(),
        control,
        beside,
        last_posted: LastGroup::default(),
        last_started: LastGroup::default(),
        blocks: draft.control_block.into_iter().chain(draft.block).collect(),
        attached: draft.attached,
        remote,
        registrations: draft.registrations,
    };
    let win = rma(mpi)
        .windows
        .insert(window)
        .ok_or_else(|| Error::new(abi::MPI_ERR_INTERN, "the table of windows has no free entry"))?;
    if nemesis_mpi_check::is_on() {
        nemesis_mpi_check::sites::note(win.0);
    }
    if checked {
        nemesis_mpi_check::accesses::open(win.0, mpi.window(win)?.group.processes());
    }
    errhandler::attach(Object::Win(win), abi::MPI_ERRORS_ARE_FATAL)?;
    Ok(win)
}

/// Ends the registrations of a window's memory, before the memory is freed.
fn deregister(mpi: &mut Mpi, registrations: &mut Registrations) {
    if let Some(endpoint) = &mut mpi.pt2pt.endpoint
        && let Err(failure) = endpoint.deregister_memory(registrations)
        && mpi.verbose
    {
        nemesis_sys::message::tell(format_args!(
            "nemesis: memory of a window stays registered: {failure}"
        ));
    }
}

/// Frees a window. Checks that no epoch is open before it deletes the window's attributes, because
/// their callbacks cannot be undone. In jobs that go on when a process dies, a window is freed
/// whatever is open: with a dead member epochs cannot be ended as usual, and who has not heard of
/// its death must come to the meeting, too.
pub fn free(
    mpi: &mut Mpi,
    win: handle::Win,
    delete_attributes: impl FnOnce(&mut Mpi) -> Outcome,
) -> Outcome {
    let comm = mpi.window(win)?.comm;
    let agrees = recovery::agrees(mpi, comm);
    if !agrees {
        mpi.window(win)?.epoch.may_free()?;
    }
    delete_attributes(mpi)?;
    let flushed = complete_all_accesses(mpi, win);
    // Every rank has finished its accesses when all ranks have arrived. Where processes may die,
    // all must wait in the same way, whether they know of a death or not.
    match agrees {
        true => recovery::meet(mpi, comm)?,
        false => coll::run(mpi, comm, coll::barrier)?,
    }
    if nemesis_mpi_check::is_on() {
        let exchanged = check::exchange(mpi, win, false);
        if !agrees {
            exchanged?;
        }
        nemesis_mpi_check::accesses::close(win.0);
    }
    release(mpi, win)?;
    flushed
}

/// Waits until the accesses of this rank have ended at their targets.
pub fn await_accesses(mpi: &mut Mpi, win: handle::Win) -> Outcome {
    complete_all_accesses(mpi, win)
}

/// Releases this rank's part of a window that no rank accesses any more: all have awaited their
/// accesses ([`await_accesses`]), and have met since.
pub fn release(mpi: &mut Mpi, win: handle::Win) -> Outcome {
    let window = rma(mpi).windows.remove(win).map_err(no_window)?;
    let Window { exposed, control, blocks, attached, mut registrations, .. } = window;
    let serves_devices = attached.as_ref().is_some_and(Attached::has_devices);
    deregister(mpi, &mut registrations);
    drop((exposed, control));
    if let Some(memory) = &mut mpi.memory {
        blocks.into_iter().for_each(|block| memory.free(block));
        attached.into_iter().for_each(|attached| attached.close(memory));
    }
    let rma = rma(mpi);
    rma.served.close(window.context);
    rma.origin.forget(window.context);
    if window.remote.served {
        progress_thread::end(mpi, window.remote.beside);
    }
    if serves_devices {
        progress_thread::end(mpi, true);
    }
    let rma = self::rma(mpi);
    rma.am_targets.close(window.context);
    rma.notices.forget(window.context);
    errhandler::detach(Object::Win(win));
    if window.owns_comm {
        mpi.free_comm(window.comm)?;
    }
    Ok(())
}
