//! Finds a module by name, opens its library and checks its table.

use super::edge::Edge;
use super::module::CModule;
use super::rma::RmaFunctions;
use super::table::{ABI, CARD_MAX, CSetup, CStart, CTable, ENCRYPTS, Functions};
use crate::{Costs, Driver, Failure, Fault, Host, Limits, Setup, Started};
use libloading::Library;
use std::ffi::CStr;
use std::fmt;
use std::sync::Arc;

/// A network module in a shared library.
pub struct CDriver {
    name: String,
    file: String,
    encrypts: bool,
    functions: Functions,
    rma: Option<RmaFunctions>,
    /// Keeps the code of the functions mapped.
    library: Arc<Library>,
}

/// Why a library cannot be used as a network module.
#[derive(Debug)]
pub enum LoadError {
    /// The dynamic linker cannot open it.
    Open(libloading::Error),
    /// It is a library without the function that returns a module's table.
    NoModule,
    /// It was compiled for another version of the interface.
    Version {
        /// The version for which it was compiled.
        theirs: u32,
    },
    /// The table, its name or one of the five functions is missing.
    Incomplete(&'static str),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Open(error) => write!(f, "the network module cannot be opened: {error}"),
            LoadError::NoModule => f.write_str(
                "the library is no network module: it has no function nemesis_netmod_table \
                 (nemesis_netmod.h)",
            ),
            LoadError::Version { theirs } => {
                write!(
                    f,
                    "the network module was compiled for version {theirs} of nemesis_netmod.h, \
                     this is version {ABI}: compile it again"
                )
            }
            LoadError::Incomplete(what) => write!(f, "the network module has no {what}"),
        }
    }
}

impl std::error::Error for LoadError {}

impl CDriver {
    /// Opens the module that the user has named (`NEMESIS_NETWORKS`), as [`load`](CDriver::load)
    /// does.
    ///
    /// # Errors
    ///
    /// The file is missing, or is not a module of this version of the interface.
    pub fn of_user(name: &str) -> Result<CDriver, LoadError> {
        // SAFETY: the user who runs this process has named the file for this purpose, and could
        // have its code run here by LD_PRELOAD as well. That the code obeys the rules of the header
        // is what the user answers for; its version and its table are checked.
        unsafe { CDriver::load(name) }
    }

    /// Opens `libnemesis_netmod_NAME.so` in the dynamic linker's search path, or the file `name` if
    /// it contains a slash.
    ///
    /// # Safety
    /// The library's code runs in this process. It must be a network module and obey the rules of
    /// `nemesis_netmod.h`.
    pub unsafe fn load(name: &str) -> Result<CDriver, LoadError> {
        let file = if name.contains('/') {
            name.to_string()
        } else {
            format!("libnemesis_netmod_{name}.so")
        };
        // SAFETY: the caller answers for the library's constructors.
        let library = unsafe { Library::new(&file) }.map_err(LoadError::Open)?;
        // SAFETY: nemesis_netmod.h declares the symbol with this type.
        let entry = unsafe {
            library.get::<unsafe extern "C" fn() -> *const CTable>(b"nemesis_netmod_table\0")
        }
        .map_err(|_| LoadError::NoModule)?;
        // SAFETY: the caller answers for the library's functions.
        let table = unsafe { entry() };
        if table.is_null() {
            return Err(LoadError::Incomplete("table"));
        }
        // SAFETY: the pointer is not null, and every version of the table begins with `abi`.
        let abi = unsafe { (&raw const (*table).abi).read() };
        if abi != ABI {
            return Err(LoadError::Version { theirs: abi });
        }
        // SAFETY: the table has this version's type and lives as long as its library.
        let table = unsafe { &*table };
        if (table.bytes as usize) < size_of::<CTable>() {
            return Err(LoadError::Incomplete("complete table"));
        }
        if table.name.is_null() {
            return Err(LoadError::Incomplete("name"));
        }
        // SAFETY: a C string that lives as long as the library.
        let name = unsafe { CStr::from_ptr(table.name) }.to_string_lossy().into_owned();
        let functions = Functions {
            init: table.init.ok_or(LoadError::Incomplete("init"))?,
            finalize: table.finalize.ok_or(LoadError::Incomplete("finalize"))?,
            send: table.send.ok_or(LoadError::Incomplete("send"))?,
            poll_send: table.poll_send.ok_or(LoadError::Incomplete("poll_send"))?,
            poll_recv: table.poll_recv.ok_or(LoadError::Incomplete("poll_recv"))?,
            rest: table.rest,
            connects: table.connects,
        };
        // SAFETY: null, or a table of this version's type that lives as long as its library.
        let rma = unsafe { table.rma.as_ref() };
        let rma = rma
            .map(|table| RmaFunctions::of(table).ok_or(LoadError::Incomplete("complete RMA table")))
            .transpose()?;
        let encrypts = table.flags & ENCRYPTS != 0;
        Ok(CDriver { name, file, encrypts, functions, rma, library: Arc::new(library) })
    }
}

impl Driver for CDriver {
    fn name(&self) -> &str {
        &self.name
    }

    fn encrypts(&self) -> bool {
        self.encrypts
    }

    fn describe(&self) -> Result<String, Failure> {
        Ok(self.file.clone())
    }

    fn init(&self, setup: Setup, host: &mut dyn Host) -> Result<Started, Failure> {
        let (cells, cells_bytes) = setup
            .cells
            .as_ref()
            .map_or((std::ptr::null_mut(), 0), |cells| (cells.address().as_ptr(), cells.len()));
        let told = CSetup {
            me: setup.me,
            processes: setup.processes,
            job_key: setup.job_key,
            cells: cells.cast(),
            cells_bytes,
        };
        let mut start = CStart {
            module: std::ptr::null_mut(),
            payload_max: 0,
            bulk_max: 0,
            latency_ns: 0,
            overhead_ns: 0,
            bytes_per_second: 0,
            card_bytes: 0,
            card: [0; CARD_MAX],
        };
        let mut books = super::edge::Books::new(setup.processes);
        // SAFETY: all three structures are as the header has them and live during the call.
        let code = Edge::call(host, &mut books, |host| unsafe {
            (self.functions.init)(&told, host, &mut start)
        })?;
        if code != 0 {
            return Err(Failure::new(
                Fault::Broken,
                format!("init of network module {} returned {code}", self.name),
            ));
        }
        let limits = Limits { payload: start.payload_max, bulk: start.bulk_max };
        let module = CModule::new(
            self.functions,
            self.rma,
            Arc::clone(&self.library),
            start.module,
            limits,
            Costs {
                latency_ns: start.latency_ns,
                overhead_ns: start.overhead_ns,
                bytes_per_second: start.bytes_per_second,
            },
            books,
            setup.cells,
        );
        if limits.payload > usize::from(u16::MAX) || start.card_bytes > CARD_MAX {
            return Err(Failure::new(
                Fault::Broken,
                format!("network module {} claims impossible sizes", self.name),
            ));
        }
        Ok(Started { module: Box::new(module), card: start.card[..start.card_bytes].to_vec() })
    }
}
