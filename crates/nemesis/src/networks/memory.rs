//! Registered memory and remote access to it, by the modules that support it.

use super::hosts::RegisteredRange;
use super::{DeferringHost, NONE, Networks, Token};
use nemesis_netmod::optional::{Registration, Rma, Target};
use nemesis_netmod::{Failure, Fault, Region, RegionMut};

/// The registrations of memory with the modules of a process: one for each rail that reaches
/// memory and accepts it.
#[derive(Debug, Default)]
pub struct Registrations(Vec<(usize, Registration)>);

impl Networks {
    /// Registers memory with every module that reaches memory. Regions within it that the module
    /// gets from now on name the registration, so that it need not register them again. `memory`
    /// returns the region, for each module anew.
    pub fn register(&mut self, memory: impl Fn() -> Option<Region>) -> Registrations {
        let mut all = Registrations::default();
        for (index, rail) in self.rails.iter_mut().enumerate() {
            let Some(rma) = rail.module.rma() else { continue };
            let Some(region) = memory().filter(|region| !region.is_empty()) else { continue };
            let (address, bytes) = (region.address().as_ptr().addr(), region.len());
            match rma.register(region) {
                Ok(registration) => {
                    let id = registration.id;
                    self.state.registered.push(RegisteredRange { rail: index, id, address, bytes });
                    all.0.push((index, registration));
                }
                Err(failure) => self.state.note(&rail.name, &failure.why),
            }
        }
        all
    }

    /// Deregisters memory. If a module refuses, it may still read and write the memory; `memory`
    /// then holds what is left, and the call may be repeated.
    pub fn deregister(&mut self, memory: &mut Registrations) -> Result<(), Failure> {
        while let Some((rail, registration)) = memory.0.last() {
            if let Some(rma) = self.rails[*rail].module.rma() {
                rma.deregister(registration)?;
            }
            let is_it =
                |range: &RegisteredRange| range.rail == *rail && range.id == registration.id;
            self.state.registered.retain(|range| !is_it(range));
            memory.0.pop();
        }
        Ok(())
    }

    /// Registers a piece of the program's memory until [`deregister_piece`](Self::deregister_piece)
    /// names its address.
    pub fn register_piece(&mut self, memory: impl Fn() -> Option<Region>) {
        let Some(region) = memory() else { return };
        let registrations = self.register(memory);
        if !registrations.0.is_empty() {
            self.pieces.insert(region.address().as_ptr().addr(), registrations);
        }
    }

    /// Deregisters the piece at an address, if one is registered.
    pub fn deregister_piece(&mut self, address: usize) {
        let Some(mut piece) = self.pieces.remove(&address) else { return };
        if let Err(failure) = self.deregister(&mut piece) {
            self.state.note("registered memory", &failure.why);
        }
    }

    /// Returns the name of the first network that reaches the memory, and its key.
    pub fn key_of<'a>(&'a self, memory: &'a Registrations) -> Option<(&'a str, &'a [u8])> {
        let (rail, registration) = memory.0.first()?;
        Some((&self.rails[*rail].name, &registration.key))
    }

    /// Returns whether the network that leads to a process has this name and reaches memory.
    pub fn reaches_memory(&mut self, process: u32, network: &str) -> bool {
        self.choose_network(process).is_ok_and(|rail| {
            let rail = &mut self.rails[rail];
            rail.name == network && rail.module.rma().is_some()
        })
    }

    /// Begins to write `from` to the target. `Sink::completed` reports `token` when `from` may
    /// change.
    pub fn put(&mut self, from: Region, target: Target<'_>, token: Token) -> Result<(), Failure> {
        let rail = self.state.chosen[target.process as usize].into();
        let from = self.with_registration(rail, from);
        self.reach(target.process, token, |rma, host, own| rma.put(host, from, target, own))
    }

    /// Begins to read from the target. `Sink::completed` reports `token` when the bytes are in
    /// `to`.
    pub fn get(&mut self, to: RegionMut, target: Target<'_>, token: Token) -> Result<(), Failure> {
        let rail = self.state.chosen[target.process as usize].into();
        let id = self.state.registration_of(rail, to.address().as_ptr().addr(), to.len());
        let to = to.registered(id);
        self.reach(target.process, token, |rma, host, own| rma.get(host, to, target, own))
    }

    /// Begins a flush. `Sink::completed` reports `token` when everything begun towards `process`
    /// before the flush is done there.
    pub fn flush(&mut self, process: u32, token: Token) -> Result<(), Failure> {
        self.reach(process, token, |rma, host, own| rma.flush(host, process, own))
    }

    fn reach(
        &mut self,
        process: u32,
        token: Token,
        begin: impl FnOnce(&mut dyn Rma, &mut DeferringHost<'_>, Token) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let none = || Failure::new(Fault::Invalid, "the network reaches no remote memory");
        let chosen = self.state.chosen[process as usize];
        if chosen == NONE {
            return Err(none());
        }
        let own = self.next_bulk;
        let (module, mut host) = self.rail(chosen.into());
        begin(module.rma().ok_or_else(none)?, &mut host, own)?;
        self.next_bulk += 1;
        self.state.rma_operations.insert(own, token);
        Ok(())
    }
}
