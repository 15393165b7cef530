//! Remote memory access over a network, by the first rail's module if it supports it.

use super::{DeferringHost, Networks, Rail, Token};
use nemesis_netmod::optional::{Registration, Rma, Target};
use nemesis_netmod::{Failure, Fault, Region, RegionMut};

impl Networks {
    /// Registers memory with the primary network. Returns `None` if the network reaches no memory,
    /// or refuses this memory.
    pub fn register(&mut self, region: Region) -> Option<Registration> {
        let Rail { name, module, .. } = self.rails.first_mut()?;
        match module.rma()?.register(region) {
            Ok(registration) => Some(registration),
            Err(failure) => {
                self.state.note(name, &failure.why);
                None
            }
        }
    }

    /// Deregisters memory. If the module refuses, it may still read and write the memory.
    pub fn deregister(&mut self, registration: &Registration) -> Result<(), Failure> {
        self.rails
            .first_mut()
            .and_then(|rail| rail.module.rma())
            .map_or(Ok(()), |rma| rma.deregister(registration))
    }

    pub fn reaches_memory(&mut self) -> bool {
        self.rails.first_mut().is_some_and(|rail| rail.module.rma().is_some())
    }

    /// Begins to write `from` to the target. `Sink::completed` reports `token` when `from` may
    /// change.
    pub fn put(&mut self, from: Region, target: Target<'_>, token: Token) -> Result<(), Failure> {
        self.reach(token, |rma, host, own| rma.put(host, from, target, own))
    }

    /// Begins to read from the target. `Sink::completed` reports `token` when the bytes are in
    /// `to`.
    pub fn get(&mut self, to: RegionMut, target: Target<'_>, token: Token) -> Result<(), Failure> {
        self.reach(token, |rma, host, own| rma.get(host, to, target, own))
    }

    /// Begins a flush. `Sink::completed` reports `token` when everything begun towards `process`
    /// before the flush is done there.
    pub fn flush(&mut self, process: u32, token: Token) -> Result<(), Failure> {
        self.reach(token, |rma, host, own| rma.flush(host, process, own))
    }

    fn reach(
        &mut self,
        token: Token,
        begin: impl FnOnce(&mut dyn Rma, &mut DeferringHost<'_>, Token) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let none = || Failure::new(Fault::Invalid, "the network reaches no remote memory");
        let Rail { name, module, .. } = self.rails.first_mut().ok_or_else(none)?;
        let own = self.next_bulk;
        begin(
            module.rma().ok_or_else(none)?,
            &mut DeferringHost { name, state: &mut self.state },
            own,
        )?;
        self.next_bulk += 1;
        self.state.rma_operations.insert(own, token);
        Ok(())
    }
}
