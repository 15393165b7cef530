//! Remote memory access through a C module's table.
//!
//! The books hold the memory of an operation until the module completes its token. The module may
//! complete each token once, and only tokens of operations that it has started.

use super::edge::{Edge, Held};
use super::module::CModule;
use super::table::{CCompare, CFetch, CGet, CHost, CPut, CRma, DONE, failure};
use crate::optional::{Change, Registration, Rma, Target};
use crate::{Failure, Fault, Host, Region, RegionMut, Token};
use std::ffi::{c_int, c_void};

/// Maximum length in bytes of a key that a C module may give out.
const KEY_MAX: usize = 256;
/// Bytes of a word that atomics change.
const WORD_BYTES: usize = 8;

type Where = (u32, u64, *const c_void, usize);

/// An RMA table, in which only the atomics may be missing.
#[derive(Clone, Copy)]
pub struct RmaFunctions {
    register: unsafe extern "C" fn(
        *mut c_void,
        *mut c_void,
        usize,
        *mut u64,
        *mut c_void,
        usize,
        *mut usize,
    ) -> c_int,
    deregister: unsafe extern "C" fn(*mut c_void, u64) -> c_int,
    put: CPut,
    get: CGet,
    /// Addition and comparison; `None` if the module has no atomics.
    atomics: Option<(CFetch, CCompare)>,
    flush: unsafe extern "C" fn(*mut c_void, *const CHost, u32, u64) -> c_int,
}

impl RmaFunctions {
    /// Returns the functions of a table; `None` if one is missing.
    pub fn of(table: &CRma) -> Option<RmaFunctions> {
        Some(RmaFunctions {
            register: table.register_memory?,
            deregister: table.deregister?,
            put: table.put?,
            get: table.get?,
            atomics: table.fetch_add.zip(table.compare_swap),
            flush: table.flush?,
        })
    }
}

impl CModule {
    fn functions_of_rma(&self) -> Result<RmaFunctions, Failure> {
        self.rma.ok_or_else(|| {
            Failure::new(Fault::Invalid, "the network module reaches no remote memory")
        })
    }

    /// Starts an operation on `process`; the books keep `held` until it completes.
    fn reach(
        &mut self,
        host: &mut dyn Host,
        process: u32,
        token: Token,
        held: Held,
        begin: impl FnOnce(*mut c_void, *const CHost) -> c_int,
    ) -> Result<(), Failure> {
        let module = self.module;
        match Edge::call(host, &mut self.books, |host| begin(module, host))
            .map_err(|failure| failure.about(process))?
        {
            DONE => {
                self.books.pending.insert(token, held);
                Ok(())
            }
            code => Err(self.unexpected("a function of the RMA table", code)),
        }
    }
}

fn place(target: Target<'_>) -> Where {
    (target.process, target.address, target.key.as_ptr().cast(), target.key.len())
}

impl Rma for CModule {
    fn has_atomics(&self) -> bool {
        self.rma.is_some_and(|functions| functions.atomics.is_some())
    }

    fn register(&mut self, region: Region) -> Result<Registration, Failure> {
        let functions = self.functions_of_rma()?;
        let (mut id, mut key, mut bytes) = (0, [0u8; KEY_MAX], 0);
        // SAFETY: `module` is the one that init returned. The module may access the region until it
        // is deregistered; the other pointers are to local variables that outlive the call.
        let code = unsafe {
            (functions.register)(
                self.module,
                region.address().as_ptr().cast(),
                region.len(),
                &mut id,
                key.as_mut_ptr().cast(),
                KEY_MAX,
                &mut bytes,
            )
        };
        match (code, key.get(..bytes)) {
            (DONE, Some(key)) => Ok(Registration { id, key: key.to_vec() }),
            (DONE, None) => Err(Failure::new(
                Fault::Broken,
                format!("the network module gives out a key of {bytes} bytes, beyond {KEY_MAX}"),
            )),
            (code, _) => Err(failure(code, None)),
        }
    }

    fn deregister(&mut self, registration: &Registration) -> Result<(), Failure> {
        let functions = self.functions_of_rma()?;
        // SAFETY: `module` is the one that init returned.
        match unsafe { (functions.deregister)(self.module, registration.id) } {
            DONE => Ok(()),
            code => Err(failure(code, None)),
        }
    }

    fn put(
        &mut self,
        host: &mut dyn Host,
        from: Region,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        let functions = self.functions_of_rma()?;
        let (address, length) = (from.address().as_ptr(), from.len());
        let (process, there, key, key_bytes) = place(target);
        self.reach(host, process, token, Held::Region { _region: from }, |module, host| {
            // SAFETY: the key outlives the call, and the books keep the region until `completed`
            // removes it.
            unsafe {
                (functions.put)(
                    module,
                    host,
                    address.cast(),
                    length,
                    process,
                    there,
                    key,
                    key_bytes,
                    token,
                )
            }
        })
    }

    fn get(
        &mut self,
        host: &mut dyn Host,
        to: RegionMut,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        let functions = self.functions_of_rma()?;
        let (address, length) = (to.address().as_ptr(), to.len());
        let (process, there, key, key_bytes) = place(target);
        self.reach(host, process, token, Held::Place { _place: to }, |module, host| {
            // SAFETY: the key outlives the call, and the books keep the region until `completed`
            // removes it.
            unsafe {
                (functions.get)(
                    module,
                    host,
                    address.cast(),
                    length,
                    process,
                    there,
                    key,
                    key_bytes,
                    token,
                )
            }
        })
    }

    fn atomic(
        &mut self,
        host: &mut dyn Host,
        change: Change,
        old: RegionMut,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        let (fetch_add, compare_swap) = self.functions_of_rma()?.atomics.ok_or_else(|| {
            Failure::new(Fault::Unavailable, "the network module has no atomic operations")
        })?;
        let word = old.address().cast::<u64>();
        if old.len() < WORD_BYTES || !word.is_aligned() {
            return Err(Failure::new(
                Fault::Invalid,
                "the old value of a word has no place of eight aligned bytes",
            )
            .about(target.process));
        }
        let (process, there, key, key_bytes) = place(target);
        let at = word.as_ptr();
        self.reach(host, process, token, Held::Place { _place: old }, |module, host| {
            // SAFETY: the key outlives the call, and the books keep the region, an aligned word,
            // until `completed` removes it.
            unsafe {
                match change {
                    Change::Add(value) => {
                        fetch_add(module, host, value, at, process, there, key, key_bytes, token)
                    }
                    Change::CompareSwap { expected, new } => compare_swap(
                        module, host, expected, new, at, process, there, key, key_bytes, token,
                    ),
                }
            }
        })
    }

    fn flush(&mut self, host: &mut dyn Host, process: u32, token: Token) -> Result<(), Failure> {
        let functions = self.functions_of_rma()?;
        // SAFETY: `module` is the one that init returned, and the host lives during the call.
        self.reach(host, process, token, Held::Nothing, |module, host| unsafe {
            (functions.flush)(module, host, process, token)
        })
    }
}
