//! Agreement segments: members agree again and again, and die before, within and after their
//! contributions. Those that live must decide alike, and nobody may read memory that is freed.

use super::harness::{Clock, Random, Worker, stress};
use nemesis_shm::agreement_segment::{AgreementSegment, bytes_for};
use nemesis_shm::coll_segment::SharedWords;
use nemesis_sync::{AtomicBool, AtomicU64, Ordering};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex};

const MEMBERS: u32 = 4;
/// Words of a contribution: more than a line has.
const WORDS: usize = 9;
/// Agreements of one segment.
const AGREEMENTS: u64 = 24;

/// The segment of one communicator.
struct Job {
    number: u64,
    memory: Vec<AtomicU64>,
    /// Members that have died, as the launcher tells of them.
    deaths: [AtomicBool; MEMBERS as usize],
    /// For each agreement, the members that have contributed by the first decision, as bits, and
    /// one more.
    decided: [AtomicU64; AGREEMENTS as usize],
    /// Whether there is no further test.
    is_last: bool,
}

impl Job {
    fn new(number: u64, is_last: bool) -> Job {
        let words = bytes_for(MEMBERS, WORDS) / 8;
        Job {
            number,
            memory: (0..words).map(|_| AtomicU64::new(0)).collect(),
            deaths: Default::default(),
            decided: std::array::from_fn(|_| AtomicU64::new(0)),
            is_last,
        }
    }

    /// The words that a member contributes to an agreement.
    fn words(&self, member: u32, agreement: u64) -> impl Iterator<Item = u64> + use<> {
        let first = (self.number * AGREEMENTS + agreement) * u64::from(MEMBERS) + u64::from(member);
        (0..WORDS as u64).map(move |word| first * WORDS as u64 + word)
    }

    fn is_dead(&self, member: u32) -> bool {
        // Acquire: pairs with the Release of the one that dies, which stands for its parent.
        self.deaths[member as usize].load(Ordering::Acquire)
    }
}

#[derive(Clone)]
struct View(Arc<Job>);

impl SharedWords for View {
    fn word(&self, offset: usize) -> &AtomicU64 {
        &self.0.memory[offset / 8]
    }
}

/// How many agreements have been decided, and in how many of them a member lacked.
#[derive(Default)]
struct Counts {
    all: AtomicU64,
    with_deaths: AtomicU64,
}

/// Decides an agreement, and returns who has contributed, as bits.
fn decide(clock: &Clock, job: &Job, segment: &AgreementSegment<View>, agreement: u64) -> u64 {
    let heard = Cell::new(0);
    clock.wait_for("a contribution", || {
        while heard.get() < MEMBERS
            && segment.has_spoken(heard.get(), agreement, || job.is_dead(heard.get()))
        {
            heard.set(heard.get() + 1);
        }
        heard.get() == MEMBERS
    });
    let mut contributed = 0;
    for member in 0..MEMBERS {
        if let Some(words) = segment.words(member, agreement) {
            assert!(words.eq(job.words(member, agreement)), "a torn, old or reused contribution");
            contributed |= 1 << member;
        }
    }
    contributed
}

/// Takes part in all agreements of a job, or dies on the way.
fn take_part(clock: &Clock, job: &Arc<Job>, me: u32, random: &mut Random, counts: &Counts) {
    let segment = AgreementSegment::new(View(job.clone()), MEMBERS, me, WORDS);
    // One lives.
    let may_die = job.number % u64::from(MEMBERS) != u64::from(me) && random.once_in(2);
    let last = if may_die { 1 + random.below(AGREEMENTS) } else { AGREEMENTS + 1 };
    // So many of its last words are written, and the number if all are.
    let last_words = random.below(WORDS as u64 + 1) as usize;
    let mut lived = (1 << MEMBERS) - 1;
    for agreement in 1..=AGREEMENTS {
        if agreement == last {
            let written = Cell::new(0);
            let words = job.words(me, agreement).inspect(|_| {
                if written.replace(written.get() + 1) == last_words {
                    resume_unwind(Box::new("it dies"));
                }
            });
            let dies = AssertUnwindSafe(|| segment.contribute(agreement, words));
            assert_eq!(catch_unwind(dies).is_ok(), last_words == WORDS, "it dies where it is to");
            // Release: pairs with the Acquire in `is_dead`.
            job.deaths[me as usize].store(true, Ordering::Release);
            return;
        }
        segment.contribute(agreement, job.words(me, agreement));
        let contributed = decide(clock, job, &segment, agreement);
        assert!(contributed & (1 << me) != 0, "a member has not seen itself");
        assert_eq!(contributed & !lived, 0, "a dead member has contributed");
        lived = contributed;
        // Relaxed: the number alone is compared.
        let first = job.decided[agreement as usize - 1].compare_exchange(
            0,
            contributed | 1 << MEMBERS,
            Ordering::Relaxed,
            Ordering::Relaxed,
        );
        let first = first.err().unwrap_or(contributed | 1 << MEMBERS);
        assert_eq!(first, contributed | 1 << MEMBERS, "two members decide differently");
        // Relaxed: statistics.
        counts.all.fetch_add(1, Ordering::Relaxed);
        if contributed != (1 << MEMBERS) - 1 {
            counts.with_deaths.fetch_add(1, Ordering::Relaxed);
        }
    }
    segment.leave();
    if job.number % u64::from(MEMBERS) == u64::from(me) {
        let has_left = || segment.have_all_left(|member| job.is_dead(member));
        clock.wait_for("the others leave", has_left);
        // The memory is freed, and somebody else uses it. Relaxed: nobody reads it any more.
        job.memory.iter().for_each(|word| word.store(u64::MAX, Ordering::Relaxed));
    }
}

#[test]
fn the_living_decide_alike() {
    let jobs: Mutex<Vec<Arc<Job>>> = Mutex::default();
    let counts = Counts::default();
    let member = |me: u32| {
        let (jobs, counts) = (&jobs, &counts);
        Worker::new(move |clock| {
            let mut random = Random::new(u64::from(me) + 11);
            for number in 0.. {
                let job = {
                    let mut jobs = jobs.lock().unwrap();
                    if jobs.len() == number {
                        jobs.push(Arc::new(Job::new(number as u64, !clock.goes_on())));
                    }
                    jobs[number].clone()
                };
                take_part(clock, &job, me, &mut random, counts);
                if job.is_last {
                    break;
                }
            }
        })
    };
    stress((0..MEMBERS).map(member).collect());
    let [all, with_deaths] =
        [counts.all, counts.with_deaths].map(|count| count.load(Ordering::Relaxed));
    println!("{all} decisions, {with_deaths} of them after a death");
    assert!(with_deaths > 0 && with_deaths < all, "{all} decisions, {with_deaths} after a death");
}
