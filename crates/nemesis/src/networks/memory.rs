//! Memory of others over a network: the table of the first rail's module, where it has one.

use super::{Absent, Networks, Rail, Token};
use nemesis_netmod::optional::{Registration, Rma, Target};
use nemesis_netmod::{Failure, Fault, Region, RegionMut};

impl Networks {
    /// Makes memory of ours reachable for others; `None` where the primary network reaches none, or not this.
    pub fn register(&mut self, region: Region) -> Option<Registration> {
        let Rail { name, module, .. } = self.rails.first_mut()?;
        match module.rma()?.register(region) {
            Ok(registration) => Some(registration),
            Err(failure) => {
                self.books.note(name, &failure.why);
                None
            }
        }
    }

    /// Ends that. When it is refused, the network may read and write the memory still.
    pub fn deregister(&mut self, registration: &Registration) -> Result<(), Failure> {
        self.rails
            .first_mut()
            .and_then(|rail| rail.module.rma())
            .map_or(Ok(()), |rma| rma.deregister(registration))
    }

    pub fn reaches_memory(&mut self) -> bool {
        self.rails.first_mut().is_some_and(|rail| rail.module.rma().is_some())
    }

    /// Begins to write `from` to the target; `Sink::completed` tells of `token` when `from` may change.
    pub fn put(&mut self, from: Region, target: Target<'_>, token: Token) -> Result<(), Failure> {
        self.reach(token, |rma, host, own| rma.put(host, from, target, own))
    }

    /// Begins to read from the target; `Sink::completed` tells of `token` when the bytes are in `to`.
    pub fn get(&mut self, to: RegionMut, target: Target<'_>, token: Token) -> Result<(), Failure> {
        self.reach(token, |rma, host, own| rma.get(host, to, target, own))
    }

    /// `Sink::completed` tells of `token` when all that was begun towards `process` before is done there.
    pub fn flush(&mut self, process: u32, token: Token) -> Result<(), Failure> {
        self.reach(token, |rma, host, own| rma.flush(host, process, own))
    }

    fn reach(
        &mut self,
        token: Token,
        begin: impl FnOnce(&mut dyn Rma, &mut Absent<'_>, Token) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let none = || Failure::new(Fault::Invalid, "the network reaches no remote memory");
        let Rail { name, module, .. } = self.rails.first_mut().ok_or_else(none)?;
        let own = self.next_bulk;
        begin(module.rma().ok_or_else(none)?, &mut Absent { name, books: &mut self.books }, own)?;
        self.next_bulk += 1;
        self.books.reaching.insert(own, token);
        Ok(())
    }
}
