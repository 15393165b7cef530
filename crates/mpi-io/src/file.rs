//! The file object, the state of all files in this process, and the hook by which the engine makes
//! progress for them.

use crate::abi;
use crate::engine::upper::UpperState;
use crate::engine::{Engine, Mpi};
use crate::errno;
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::handle::{self, Table};
use crate::hints::Hints;
use crate::in_segment::Windows;
use crate::kernel;
use crate::node_windows::NodeWindows;
use crate::operation::{Operation, finish};
use crate::protocol::Layers;
use crate::request::Copies;
use crate::transfer::{Moved, Transfer};
use crate::view::View;
use crate::worker::Worker;
use nemesis_sys::file::File;
use std::collections::{HashMap, VecDeque};
use std::ffi::CString;
use std::sync::Arc;

/// A non-blocking call carries out a transfer of at most this length itself: copying it to or from
/// the kernel's cache takes less time than giving it to another thread.
const SHORT_TRANSFER_BYTES: usize = 64 << 10;

/// A split collective operation that has begun (MPI 5.0 §14.4.5).
#[derive(Debug)]
pub(crate) struct Split {
    /// The name of the function that has begun it.
    pub name: &'static str,
    pub request: handle::Request,
    /// Address of the program's buffer.
    pub address: usize,
    /// What remains to convert at the end.
    pub conversion: Option<Conversion>,
    /// The copies that take the place of the program's buffer.
    pub copies: Option<Arc<dyn Copies>>,
}

/// Data that have been read and must be converted by a function of the program.
#[derive(Debug)]
pub(crate) struct Conversion {
    pub view: Arc<View>,
    pub file: nemesis_datatype::Buffer,
    pub buffer: nemesis_datatype::Buffer,
}

/// Where the shared pointer is.
#[derive(Debug)]
pub(crate) enum Shared {
    /// In this process, in etypes.
    Own(i64),
    /// At rank 0 of a window. `busy`: a thread of this process accesses it.
    Window { win: handle::Win, busy: bool },
}

/// A file that this process has opened together with others.
pub struct OpenFile {
    /// The file's own communicator.
    pub(crate) comm: handle::Comm,
    pub group: Group,
    pub(crate) rank: u32,
    pub amode: i32,
    pub(crate) path: CString,
    pub(crate) system: Arc<File>,
    pub(crate) view: Arc<View>,
    /// The views of all ranks, at aggregators.
    pub(crate) views: Arc<[Arc<View>]>,
    /// The individual pointer, in etypes.
    pub(crate) pointer: i64,
    pub(crate) shared: Shared,
    pub(crate) hints: Hints,
    /// Longest window of a read that takes in holes, as the hints say.
    pub(crate) window_bytes: u64,
    /// The ranks that read and write for all in collective calls.
    pub(crate) aggregators: Arc<[u32]>,
    /// For each rank, the lowest rank of its node.
    pub(crate) leaders: Vec<u32>,
    /// Whether all ranks read and write the file through the kernel's cache.
    pub(crate) all_cached: bool,
    /// Memory for exchanges, if all ranks run on one node and a view has had holes.
    pub(crate) node_windows: Option<NodeWindows>,
    pub(crate) is_atomic: bool,
    /// Whether the etypes of the ranks' views have different lengths, so that the ranks count the
    /// shared pointer differently.
    pub(crate) etypes_differ: bool,
    pub(crate) split: Option<Split>,
    /// Collective operations that have begun, in the order of their calls.
    pub(crate) queue: VecDeque<Operation>,
    /// Number of transfers in the worker.
    pub(crate) transfers: usize,
}

impl OpenFile {
    /// Returns the name for messages.
    pub(crate) fn name(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    pub(crate) fn size(&self) -> u32 {
        self.group.size()
    }

    /// Returns whether more than one rank have opened the file, all on one node.
    pub(crate) fn is_on_one_node(&self) -> bool {
        self.size() > 1 && self.leaders.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// Returns the memory that the ranks share for exchanges of data.
    pub(crate) fn windows(&self) -> Option<Windows> {
        let node_windows = self.node_windows.as_ref()?;
        Some(Windows {
            regions: node_windows.regions.clone(),
            aggregators: self.aggregators.clone(),
            rank: self.rank,
        })
    }

    /// Returns whether the file may be written.
    pub(crate) fn may_write(&self) -> bool {
        self.amode & abi::MPI_MODE_RDONLY == 0
    }

    pub(crate) fn is_sequential(&self) -> bool {
        self.amode & abi::MPI_MODE_SEQUENTIAL != 0
    }
}

/// The state of files.
pub(crate) struct Io {
    pub files: Table<handle::File, OpenFile>,
    /// Files whose queue is not empty.
    active: Vec<handle::File>,
    /// The files of the transfers in the worker, and their action in messages.
    transfers: HashMap<usize, (handle::File, &'static str)>,
    pub worker: Worker,
    /// Operations are being advanced, so that a nested call does nothing.
    advancing: bool,
}

static IO: UpperState<Option<Io>> = UpperState::new();

/// Returns the state, to change it.
pub(crate) fn io(engine: &mut Engine) -> &mut Io {
    IO.get_mut(&mut engine.pt2pt.core.token).get_or_insert_with(|| Io {
        files: Table::new(),
        active: Vec::new(),
        transfers: HashMap::new(),
        worker: Worker::new(),
        advancing: false,
    })
}

/// A file that is open.
#[derive(Debug)]
pub struct Left {
    pub handle: handle::File,
    pub name: String,
    /// The communicator and the window that it has for itself.
    pub comm: handle::Comm,
    pub win: Option<handle::Win>,
}

/// Returns the files that are open.
pub fn open_files(engine: &mut Engine) -> Vec<Left> {
    let left = |(handle, file): (handle::File, &OpenFile)| {
        let win = match file.shared {
            Shared::Window { win, .. } => Some(win),
            Shared::Own(_) => None,
        };
        Left { handle, name: file.name(), comm: file.comm, win }
    };
    io(engine).files.named().map(left).collect()
}

/// Access to the file objects of an engine.
pub trait Files {
    /// Returns the file that a handle names.
    fn file(&self, fh: handle::File) -> Outcome<&OpenFile>;
    /// Returns the file that a handle names, to change it.
    fn file_mut(&mut self, fh: handle::File) -> Outcome<&mut OpenFile>;
}

/// Makes the error of a handle that names no file.
pub(crate) fn no_file(dead: handle::Dead) -> Box<Error> {
    Error::dead(abi::MPI_ERR_FILE, dead)
}

impl Files for Engine {
    fn file(&self, fh: handle::File) -> Outcome<&OpenFile> {
        match IO.get(&self.pt2pt.core.token) {
            Some(io) => io.files.get(fh).map_err(no_file),
            None => Table::<_, OpenFile>::new().get(fh).map(|_| unreachable!()).map_err(no_file),
        }
    }

    fn file_mut(&mut self, fh: handle::File) -> Outcome<&mut OpenFile> {
        io(self).files.get_mut(fh).map_err(no_file)
    }
}

/// Appends an operation to the file's queue.
pub(crate) fn enqueue(engine: &mut Engine, fh: handle::File, operation: Operation) -> Outcome {
    engine.file_mut(fh)?.queue.push_back(operation);
    let io = io(engine);
    if !io.active.contains(&fh) {
        io.active.push(fh);
    }
    perform(engine);
    Ok(())
}

/// Starts a transfer whose completion the request tells: in the worker, or here if it is short or
/// there is no worker.
pub(crate) fn begin_transfer(
    mpi: &mut Mpi,
    fh: handle::File,
    request: handle::Request,
    (call, action): (&'static str, &'static str),
    transfer: Transfer,
) -> Outcome {
    let begun = match transfer.buffer.bytes() {
        0..=SHORT_TRANSFER_BYTES => Err(transfer),
        _ => io(mpi).worker.begin(request, transfer),
    };
    match begun {
        Ok(()) => {
            io(mpi).transfers.insert(request.0, (fh, action));
            mpi.file_mut(fh)?.transfers += 1;
            update_status(mpi);
        }
        Err(transfer) => {
            let moved = carry_out(mpi, fh, call, transfer);
            complete(mpi, fh, request, action, moved);
        }
    }
    Ok(())
}

/// Carries out a transfer in the call, with the engine unlocked if other threads may enter.
pub(crate) fn carry_out(
    mpi: &mut Mpi,
    fh: handle::File,
    call: &'static str,
    transfer: Transfer,
) -> Moved {
    let mut moved = Moved::NOTHING;
    let name = |engine: &Engine| engine.file(fh).map(OpenFile::name).unwrap_or_default();
    let entered = kernel::enter(mpi, call, &transfer.file, name);
    mpi.aside(|| moved = transfer.perform());
    kernel::leave(mpi, entered);
    moved
}

/// Completes the request of a transfer.
fn complete(
    engine: &mut Engine,
    fh: handle::File,
    request: handle::Request,
    action: &str,
    moved: Moved,
) {
    let name = engine.file(fh).map_or_else(|_| String::new(), OpenFile::name);
    let error = moved.failed.map(|errno| errno::refused(action, &name, errno).on_file(fh));
    finish(engine, request, moved.bytes, error);
}

/// Takes the results of the worker, and advances the first operation of each file.
pub fn perform(engine: &mut Engine) {
    let state = io(engine);
    if std::mem::replace(&mut state.advancing, true) {
        return;
    }
    while let Some((request, moved)) = io(engine).worker.take() {
        let Some((fh, action)) = io(engine).transfers.remove(&request.0) else { continue };
        if let Ok(file) = engine.file_mut(fh) {
            file.transfers -= 1;
        }
        complete(engine, fh, request, action, moved);
    }
    let mut active = std::mem::take(&mut io(engine).active);
    active.retain(|&fh| advance(engine, fh));
    let state = io(engine);
    state.active.extend(active);
    state.advancing = false;
    update_status(engine);
}

/// Advances the operations of a file; returns whether some are left.
fn advance(engine: &mut Engine, fh: handle::File) -> bool {
    loop {
        let Ok(file) = engine.file_mut(fh) else { return false };
        let Some(mut operation) = file.queue.pop_front() else { return false };
        if !operation.advance(engine) {
            if let Ok(file) = engine.file_mut(fh) {
                file.queue.push_front(operation);
            }
            return true;
        }
        operation.finish(engine, fh);
    }
}

/// Tells the engine whether work remains.
fn update_status(engine: &mut Engine) {
    let state = io(engine);
    let (is_busy, awaits) =
        (!state.active.is_empty() || state.worker.pending > 0, state.worker.pending > 0);
    engine.pt2pt.core.upper.busy.set(Layers::IO, is_busy);
    engine.pt2pt.core.upper.await_word.set(Layers::IO, awaits);
}
