//! Remote memory: the guarantees of a module with an RMA table. The suite does not poll the target
//! meanwhile, unless the module says that it needs the target.

#![allow(unsafe_code)]

use super::job::{Job, Member};
use super::{Build, job};
use crate::optional::{Change, Registration, Target};
use crate::{Failure, Fault, Region, RegionMut, Token};
use nemesis_sync::{AtomicBool, AtomicU64, Ordering};
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;

/// Memory that remote processes change, so that no Rust references to it exist. It is made before
/// the job, and therefore outlives the modules.
struct Memory {
    base: NonNull<u8>,
    bytes: usize,
}

impl Memory {
    fn new(bytes: usize) -> Memory {
        // SAFETY: the layout is not empty.
        let base =
            NonNull::new(unsafe { alloc_zeroed(Memory::layout(bytes)) }).expect("there is memory");
        Memory { base, bytes }
    }

    fn layout(bytes: usize) -> Layout {
        Layout::from_size_align(bytes.max(8), 64).expect("a small size")
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.bytes];
        // SAFETY: `base` points to `bytes` bytes that live as long as `self`.
        unsafe {
            std::ptr::copy_nonoverlapping(self.base.as_ptr(), bytes.as_mut_ptr(), bytes.len())
        };
        bytes
    }

    fn fill(&self, from: &[u8]) {
        assert_eq!(from.len(), self.bytes);
        // SAFETY: `base` points to `bytes` bytes that live as long as `self`, and `from` has this
        // length.
        unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), self.base.as_ptr(), from.len()) };
    }

    fn word(&self) -> u64 {
        u64::from_ne_bytes(self.bytes()[..8].try_into().expect("eight bytes"))
    }

    /// Returns the first word, for atomic instructions.
    fn counter(&self) -> &AtomicU64 {
        // SAFETY: the memory is aligned and lives as long as `self`; while processors change the
        // word, networks do so atomically.
        unsafe { AtomicU64::from_ptr(self.base.as_ptr().cast()) }
    }

    fn region(&self) -> Region {
        // SAFETY: the memory is dropped after the job, and therefore outlives the modules.
        unsafe { Region::new(self.base, self.bytes) }
    }

    fn place(&self) -> RegionMut {
        // SAFETY: the memory outlives the modules, and one operation at a time writes there.
        unsafe { RegionMut::new(self.base, self.bytes) }
    }

    fn address(&self) -> u64 {
        self.base.as_ptr().expose_provenance() as u64
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: `new` allocated the memory with this layout.
        unsafe { dealloc(self.base.as_ptr(), Memory::layout(self.bytes)) };
    }
}

/// Target of an operation.
#[derive(Clone, Copy)]
struct There<'a> {
    process: usize,
    address: u64,
    key: &'a [u8],
}

impl There<'_> {
    fn at(self, offset: usize) -> Self {
        There { address: self.address + offset as u64, ..self }
    }

    fn target(&self) -> Target<'_> {
        Target { process: self.process as u32, address: self.address, key: self.key }
    }
}

/// Makes a job whose members are connected; `None` if its modules have no RMA table.
fn rma_job(build: &Build<'_>, processes: usize) -> Option<Job> {
    let mut job = job(build, processes);
    job.member(0).module.rma()?;
    for (from, to) in (0..processes)
        .flat_map(|from| (0..processes).map(move |to| (from, to)))
        .filter(|(from, to)| from != to)
    {
        job.send(from, to, 8, 0);
    }
    job.await_all();
    Some(job)
}

impl Job {
    fn register(&mut self, process: usize, memory: &Memory) -> Registration {
        let rma = self.member(process).module.rma().expect("all modules of a network are alike");
        rma.register(memory.region()).expect("memory is registered")
    }

    /// Starts an operation and returns its token, which is pending.
    fn begin(
        &mut self,
        from: usize,
        data: &[u8],
        start: impl FnOnce(&mut Member, Region, Token) -> Result<(), Failure>,
    ) -> Result<Token, Failure> {
        let token = self.token();
        let member = self.member(from);
        // SAFETY: an empty region names no bytes.
        let region = member
            .host
            .keep(token, data.to_vec())
            .unwrap_or_else(|| unsafe { Region::new(NonNull::dangling(), 0) });
        let begun = start(member, region, token);
        if begun.is_err() {
            assert!(
                member.host.sending.remove(&token).is_some(),
                "what was not begun does not complete"
            );
        }
        begun.map(|()| token)
    }

    fn put(&mut self, from: usize, there: There<'_>, data: &[u8]) -> Result<Token, Failure> {
        self.begin(from, data, |Member { module, host }, region, token| {
            module.rma().expect("it has RMA").put(host, region, there.target(), token)
        })
    }

    fn get(&mut self, from: usize, there: There<'_>, into: &Memory) -> Result<Token, Failure> {
        self.begin(from, &[], |Member { module, host }, _, token| {
            module.rma().expect("it has RMA").get(host, into.place(), there.target(), token)
        })
    }

    fn atomic(
        &mut self,
        from: usize,
        there: There<'_>,
        change: Change,
        old: &Memory,
    ) -> Result<Token, Failure> {
        self.begin(from, &[], |Member { module, host }, _, token| {
            module.rma().expect("it has RMA").atomic(
                host,
                change,
                old.place(),
                there.target(),
                token,
            )
        })
    }

    fn flush(&mut self, from: usize, to: usize) -> Result<Token, Failure> {
        self.begin(from, &[], |Member { module, host }, _, token| {
            module.rma().expect("it has RMA").flush(host, to as u32, token)
        })
    }

    /// Returns the processes that poll while these have operations under way.
    fn pollers(&mut self, origins: &[usize]) -> Vec<usize> {
        let all = self.member(0).module.rma().is_some_and(|rma| rma.needs_target());
        if !all {
            return origins.to_vec();
        }
        let members = self.members.iter().enumerate();
        members.filter(|(_, member)| member.is_some()).map(|(process, _)| process).collect()
    }

    /// Waits until an operation has ended, without polling the target if the module permits that.
    fn await_end(&mut self, from: usize, token: Token) -> Result<(), Failure> {
        let pollers = self.pollers(&[from]);
        self.until_by(&pollers, "the operation ends", |job| {
            !job.host(from).sending.contains_key(&token)
        });
        self.host(from).failed.remove(&token).map_or(Ok(()), Err)
    }

    fn await_flush(&mut self, from: usize, to: usize) -> Result<(), Failure> {
        let token = self.flush(from, to)?;
        self.await_end(from, token)
    }
}

/// Puts and gets of all sizes, one after the other. Checks the memory after each flush.
pub fn puts_and_gets_need_no_poll_of_the_target(build: &Build<'_>) {
    const BYTES: usize = 400_000;
    let memory = Memory::new(BYTES);
    let Some(mut job) = rma_job(build, 3) else { return };
    let mut model = job.random.bytes(BYTES);
    memory.fill(&model);
    let registration = job.register(1, &memory);
    let there = There { process: 1, address: memory.address(), key: &registration.key };
    for bytes in [1, 7, 64, 4096, 65_537, 300_001, BYTES] {
        for from in [0, 2] {
            let (data, offset) = (job.random.bytes(bytes), job.random.below(BYTES - bytes + 1));
            let token = job.put(from, there.at(offset), &data).expect("a put begins");
            job.await_end(from, token).expect("a put ends");
            job.await_flush(from, 1).expect("a flush ends");
            model[offset..offset + bytes].copy_from_slice(&data);
            assert!(
                memory.bytes() == model,
                "{bytes} bytes are put at {offset}, and nothing else is"
            );
            let (into, offset) = (Memory::new(bytes), job.random.below(BYTES - bytes + 1));
            let token = job.get(from, there.at(offset), &into).expect("a get begins");
            job.await_end(from, token).expect("a get ends");
            assert!(
                into.bytes() == model[offset..offset + bytes],
                "{bytes} bytes are got from {offset}"
            );
        }
    }
    job.member(1)
        .module
        .rma()
        .expect("it has RMA")
        .deregister(&registration)
        .expect("memory is deregistered");
    job.end();
}

/// Two processes have many puts under way at once, to each other and to a third. After the flushes
/// all bytes have arrived.
pub fn a_flush_completes_after_earlier_operations(build: &Build<'_>) {
    const PIECE: usize = 3000;
    const PIECES: usize = 40;
    let memories: Vec<Memory> = (0..3).map(|_| Memory::new(2 * PIECE * PIECES)).collect();
    let Some(mut job) = rma_job(build, 3) else { return };
    let registrations: Vec<Registration> =
        (0..3).map(|process| job.register(process, &memories[process])).collect();
    let mut models = vec![vec![0; 2 * PIECE * PIECES]; 3];
    for piece in 0..PIECES {
        for (from, to) in [(0, 1), (0, 2), (2, 0), (2, 1)] {
            let data = job.random.bytes(PIECE);
            let offset = (2 * piece + usize::from(from == 2)) * PIECE;
            let there =
                There { process: to, address: memories[to].address(), key: &registrations[to].key };
            job.put(from, there.at(offset), &data).expect("a put begins");
            models[to][offset..offset + PIECE].copy_from_slice(&data);
        }
    }
    let flushes = [(0, 1), (0, 2), (2, 0), (2, 1)]
        .map(|(from, to)| (from, job.flush(from, to).expect("a flush begins")));
    let pollers = job.pollers(&[0, 2]);
    job.until_by(&pollers, "the flushes end", |job| {
        flushes.iter().all(|(from, token)| !job.host(*from).sending.contains_key(token))
    });
    for (process, (memory, model)) in memories.iter().zip(&models).enumerate() {
        assert!(
            memory.bytes() == *model,
            "all bytes have arrived at process {process} after the flushes"
        );
    }
    assert!(
        [0, 2]
            .iter()
            .all(|&from| job.host(from).sending.is_empty() && job.host(from).failed.is_empty()),
        "nothing is pending after a flush"
    );
    job.end();
}

/// Two processes and this one's processor add to one word, and no addition is lost; each old value
/// is returned once. Then tests the atomics one by one.
pub fn words_are_changed_atomically(build: &Build<'_>) {
    const EACH: usize = 150;
    /// What the processor adds; the processes add 1.
    const LARGE: u64 = 1 << 32;
    let word = Memory::new(8);
    let olds: Vec<Memory> = (0..2 * EACH).map(|_| Memory::new(8)).collect();
    let Some(mut job) = rma_job(build, 3) else { return };
    if job.member(0).module.rma().is_none_or(|rma| !rma.has_atomics()) {
        return job.end();
    }
    let registration = job.register(1, &word);
    let there = There { process: 1, address: word.address(), key: &registration.key };
    let is_done = AtomicBool::new(false);
    let counter = word.counter();
    let added = std::thread::scope(|scope| {
        let processor = scope.spawn(|| {
            let mut added = 0;
            // Relaxed, here and below: the scope's end orders what the assertions read.
            while !is_done.load(Ordering::Relaxed) {
                counter.fetch_add(LARGE, Ordering::Relaxed);
                added += LARGE;
            }
            added
        });
        for (number, old) in olds.iter().enumerate() {
            job.atomic(number % 2 * 2, there, Change::Add(1), old).expect("an atomic begins");
        }
        let pollers = job.pollers(&[0, 2]);
        job.until_by(&pollers, "the words are changed", |job| {
            [0, 2].iter().all(|&from| job.host(from).sending.is_empty())
        });
        is_done.store(true, Ordering::Relaxed);
        processor.join().expect("the thread ends")
    });
    assert_eq!(word.word(), added + 2 * EACH as u64, "no addition is lost");
    let mut seen: Vec<u64> = olds.iter().map(|old| old.word() % LARGE).collect();
    seen.sort_unstable();
    assert!(seen.into_iter().eq(0..2 * EACH as u64), "each value before is given out once");
    word.fill(&5_u64.to_ne_bytes());
    let (same, other) =
        (Change::CompareSwap { expected: 5, new: 6 }, Change::CompareSwap { expected: 4, new: 7 });
    for (change, before, after) in [(other, 5, 5), (same, 5, 6), (Change::Add(u64::MAX), 6, 5)] {
        let token = job.atomic(0, there, change, &olds[0]).expect("an atomic begins");
        job.await_end(0, token).expect("an atomic ends");
        assert_eq!((olds[0].word(), word.word()), (before, after), "{change:?}");
    }
    job.end();
}

/// Operations outside the region, with a wrong key, and after the end of the registration: each is
/// refused at once, or fails itself, or makes the next flush fail.
pub fn memory_that_is_not_registered_is_not_accessed(build: &Build<'_>) {
    const BYTES: usize = 256;
    let (memory, into) = (Memory::new(3 * BYTES), Memory::new(16));
    let Some(mut job) = rma_job(build, 2) else { return };
    let before = job.random.bytes(3 * BYTES);
    memory.fill(&before);
    // SAFETY: the region is the second third of the memory.
    let middle = unsafe { Region::new(memory.base.add(BYTES), BYTES) };
    let registration = job
        .member(1)
        .module
        .rma()
        .expect("it has RMA")
        .register(middle)
        .expect("memory is registered");
    let key = registration.key.clone();
    let wrong_key: Vec<u8> = key.iter().map(|byte| !byte).collect();
    let there = There { process: 1, address: memory.address(), key: &key };
    let wrong = There { key: &wrong_key, ..there };
    let refused = |job: &mut Job, there: There<'_>| {
        let end = |job: &mut Job, begun: Result<Token, Failure>| {
            begun.and_then(|token| job.await_end(0, token))
        };
        let put = job.put(0, there, &[0xee; 16]);
        let put = end(job, put);
        let flushed = job.await_flush(0, 1);
        assert!(
            put.is_err() || flushed.is_err(),
            "a put to memory that is not registered is reported"
        );
        let got = job.get(0, there, &into);
        assert!(
            end(job, got).is_err() && into.bytes() == [0; 16],
            "a get from memory that is not registered fails"
        );
        let changed = job.atomic(0, there, Change::Add(1), &into);
        assert!(end(job, changed).is_err() && into.bytes() == [0; 16], "an atomic is refused");
        assert!(memory.bytes() == before, "nothing is changed");
    };
    for offset in [0, BYTES - 4, 2 * BYTES - 4, 2 * BYTES] {
        refused(&mut job, there.at(offset));
    }
    refused(&mut job, There { address: u64::MAX - 7, ..there });
    refused(&mut job, wrong.at(BYTES));
    let token = job.get(0, there.at(BYTES), &into).expect("a get begins");
    job.await_end(0, token).expect("what is registered is reached still");
    assert!(into.bytes() == before[BYTES..BYTES + 16], "registered memory is read");
    into.fill(&[0; 16]);
    job.member(1)
        .module
        .rma()
        .expect("it has RMA")
        .deregister(&registration)
        .expect("memory is deregistered");
    refused(&mut job, there.at(BYTES));
    job.send(0, 1, 8, 0);
    job.end();
}

/// Operations on a process that dies end, and no later ones start.
pub fn operations_on_a_dead_process_end(build: &Build<'_>) {
    let memory = Memory::new(4096);
    let into: Vec<Memory> = (0..20).map(|_| Memory::new(4096)).collect();
    let Some(mut job) = rma_job(build, 3) else { return };
    let registration = job.register(1, &memory);
    let there = There { process: 1, address: memory.address(), key: &registration.key };
    for into in &into {
        job.put(0, there, &[1; 4096]).expect("a put begins");
        job.get(0, there, into).expect("a get begins");
    }
    let flush = job.flush(0, 1).expect("a flush begins");
    job.kill(1);
    let after = memory.bytes();
    job.until("every operation ends", |job| job.host(0).sending.is_empty());
    assert!(
        job.host(0).failed.values().all(|failure| failure.fault == Fault::Lost),
        "they failed because of the loss"
    );
    assert!(job.host(0).failed.contains_key(&flush), "the flush cannot know what has arrived");
    job.until("the loss is noticed", |job| job.host(0).lost.contains_key(&1));
    let failure = job.put(0, there, &[1; 8]).expect_err("a dead process cannot be reached");
    assert!(failure.fault == Fault::Lost && failure.process == Some(1), "{failure:?}");
    assert!(memory.bytes() == after, "its memory is not accessed any more");
    job.send(0, 2, 8, 0);
    job.end();
}

pub fn finalize_completes_pending_operations(build: &Build<'_>) {
    let memory = Memory::new(64_000);
    let Some(mut job) = rma_job(build, 2) else { return };
    let registration = job.register(1, &memory);
    let there = There { process: 1, address: memory.address(), key: &registration.key };
    let data = job.random.bytes(64_000);
    for (number, piece) in data.chunks(1000).enumerate() {
        job.put(0, there.at(1000 * number), piece).expect("a put begins");
    }
    job.finalize(0);
    job.until("what was put before finalize arrives", |_| memory.bytes() == data);
    job.end();
}
