//! Progress, and the waits of blocking calls.

use super::Mpi;
use super::lanes::{self, Others, Watch};
use crate::abi;
use crate::handle::{self, Handle};
use crate::process;
use crate::protocol::Layers;
use crate::state_report::{self, OtherLanes, Situation};
use crate::waiters::Waiters;
use nemesis::wire::LINE_PAYLOAD_BYTES;
use nemesis::{Asleep, Backoff, BackoffStep, Endpoint, SLEEP, THREADED_SLEEP};
use nemesis_sys::{per_process, virtual_process};
use nemesis_wireup::Wireup;
use std::sync::Mutex;
use std::time::{Duration, Instant};

per_process! {
    static WAITERS: Waiters = Waiters::new();
}
/// Shortest sleep of a wait for a word in shared memory: about the cost of a wake-up.
const WORD_SLEEP_MIN: Duration = Duration::from_micros(20);
/// Longest such sleep: it keeps the load of a waiting process near one per cent of a processor.
const WORD_SLEEP_MAX: Duration = Duration::from_millis(1);
/// Tests between two yields on an oversubscribed node. A yield that finds no other process takes
/// 0.2 to 0.6 µs, as long as 10 to 50 tests.
const TESTS_PER_YIELD: u64 = 32;
/// Yields between two checks of whether the launcher has died. On a busy host a yield takes as long
/// as the other processes run, some milliseconds each.
const YIELDS_PER_CHECK: u32 = 64;
/// Polls of a wait, and tests, between two looks after the lanes that nobody attends.
const POLLS_PER_LOOK: u64 = 256;
const TESTS_PER_LOOK: u64 = 64;

impl Mpi {
    /// Opens or closes the fast path of [`enter_open`](super::enter_open).
    pub fn set_open(&mut self, open: bool) {
        self.guard.set_open(open);
    }

    /// Leaves pending tasks to the next call, and closes the fast paths, which would not run them.
    pub fn defer_tasks(&mut self) {
        if self.pt2pt.core.tasks.is_empty() {
            return;
        }
        if self.waiting.others_sleep() {
            // Threads that sleep may wait for these tasks, and nothing else would wake them.
            self.perform_pending();
        }
        self.update_deferred();
    }

    /// Makes progress if an earlier call deferred work.
    #[inline]
    pub fn run_deferred(&mut self) {
        if self.waiting.has_deferred {
            self.progress();
        }
    }

    /// Runs the tasks that arrived packets created, and updates whether work is deferred.
    #[inline(always)]
    pub fn run_tasks(&mut self) {
        self.perform_pending();
        if self.waiting.has_deferred || self.pt2pt.core.partial_copies > 0 {
            self.update_deferred();
        }
    }

    /// Records whether work is deferred, and opens the fast paths only if none is.
    #[cold]
    fn update_deferred(&mut self) {
        let was_left = self.waiting.has_deferred;
        self.waiting.has_deferred =
            !self.pt2pt.core.tasks.is_empty() || self.pt2pt.core.partial_copies > 0;
        if !self.pt2pt.core.readings.is_empty() || was_left && !self.waiting.has_deferred {
            // Other threads may sleep until the deferred work is done, or has been done.
            self.wake_others();
        }
        if self.waiting.has_deferred { self.set_open(false) } else { self.open() }
    }

    /// Opens the fast paths if they behave like the general path, that is, if every message that
    /// fits a line is eager, nothing is checked, and all buffers are memory of the host.
    #[cold]
    pub fn open(&mut self) {
        self.set_open(self.is_plain() && !nemesis_gpu::is_on());
    }

    /// Whether every message that fits a line is eager, and nothing is checked.
    fn is_plain(&self) -> bool {
        self.pt2pt.eager_max_bytes >= LINE_PAYLOAD_BYTES && !nemesis_mpi_check::is_on()
    }

    /// Whether the fast paths would be open if no buffer could be memory of a device: a buffer that
    /// is known to be memory of the host may take them.
    pub fn is_open_to_host(&self) -> bool {
        self.is_plain() && !self.waiting.has_deferred
    }

    /// Looks for a driver of devices, from a call that is rare. Buffers may be memory of devices
    /// from the moment on when it has been found.
    #[cold]
    pub fn look_for_devices(&mut self) {
        nemesis_gpu::look_rarely();
        if nemesis_gpu::is_on() {
            self.set_open(false);
            lanes::each_other(|other| other.set_open(false));
        }
    }

    /// Sets whether other threads may enter at any time. No other thread may be about to enter.
    pub fn share(&mut self, shared: bool) {
        self.guard.set_shared(shared);
        self.update_thread_mode();
    }

    /// Tells the endpoint whether one thread may sleep while another polls.
    pub fn update_thread_mode(&mut self) {
        let shared = self.guard.is_shared();
        if let Some(endpoint) = &mut self.pt2pt.endpoint {
            endpoint.share(shared);
        }
    }

    /// Runs `f` with the engine unlocked, so that `f` may enter MPI. User functions are called this
    /// way.
    pub fn unlocked<R>(&mut self, f: impl FnOnce() -> R) -> R {
        self.guard.unlocked(f)
    }

    /// Continues a waiting call after a poll that took `arrived` packets: runs pending tasks and,
    /// if nothing happened, backs off. The caller then looks whether it has what it waits for, and
    /// makes way for other threads if it has not ([`relax`](Self::relax)).
    #[inline]
    pub fn after_poll(&mut self, arrived: u32, backoff: &mut Backoff) {
        self.after_poll_unless(|| false, arrived, backoff);
    }

    /// Makes way for other threads of this process that wait to enter.
    #[inline]
    pub fn relax(&mut self) {
        self.guard.relax();
    }

    /// Continues a waiting call, as [`after_poll`](Self::after_poll) does, whose condition is a
    /// word that another process writes before it rings the doorbell. The call does not sleep if
    /// `found` sees the word.
    #[inline]
    pub fn after_poll_unless(
        &mut self,
        found: impl FnOnce() -> bool,
        arrived: u32,
        backoff: &mut Backoff,
    ) {
        let (finished, fed) = (self.pt2pt.core.finished, self.pt2pt.core.fed);
        self.waiting.polls += 1;
        self.attend();
        self.run_tasks();
        if arrived > 0
            || self.pt2pt.core.finished != finished
            || self.pt2pt.core.fed != fed
            || !self.pt2pt.core.readings.is_empty()
        {
            // A packet arrived or was sent, a message is being read, or an operation finished: this
            // call or another thread may wait for it.
            backoff.renew();
            self.wake_others();
        } else {
            self.idle(found, backoff);
        }
        if self.pt2pt.core.events.any() {
            (self.hooks.deliver_events)(self);
        }
    }

    /// Wakes sleeping threads of this process, because what arrived may be theirs.
    #[inline]
    pub fn wake_others(&self) {
        if self.waiting.others_sleep() {
            self.wake_all();
        }
    }

    #[cold]
    fn wake_all(&self) {
        if self.waiting.resting > 0 {
            WAITERS.call();
        }
        if self.waiting.sleeper
            && let Some(endpoint) = &self.pt2pt.endpoint
        {
            endpoint.wake_sleeper();
        }
    }

    /// Ends a wait. If this thread slept at the doorbell, a thread that rests takes its place.
    #[inline]
    pub fn leave_wait(&mut self) {
        self.pt2pt.core.awaited = None;
        if self.waiting.resting > 0 && !self.waiting.sleeper {
            WAITERS.call();
        }
    }

    /// Reads messages that are to be read at once and that nobody has received. Returns whether
    /// there may have been any.
    #[inline]
    pub(super) fn read_unexpected(&mut self) -> bool {
        let are_any = !self.pt2pt.core.unread.is_empty();
        if are_any {
            self.pt2pt.read_unexpected();
        }
        are_any
    }

    /// Backs off after a poll without result: runs a user function that a collective waits for, or
    /// spins, yields or sleeps.
    #[inline]
    fn idle(&mut self, found: impl FnOnce() -> bool, backoff: &mut Backoff) {
        if self.read_unexpected() {
            return backoff.renew();
        }
        if self.look_for_deaths() {
            return backoff.renew();
        }
        if self.pt2pt.core.upper.collectives > 0 && (self.hooks.collectives.run_callback)(self) {
            return backoff.renew();
        }
        let step = self.pt2pt.endpoint.as_ref().map(|endpoint| endpoint.advise(backoff));
        let attends = lanes::are_open()
            && match step {
                Some(BackoffStep::Poll) => self.waiting.polls.is_multiple_of(POLLS_PER_LOOK),
                step => step.is_some(),
            };
        let mut others = Others::Attended;
        if attends {
            let sleeps = step == Some(BackoffStep::Sleep);
            others = self.attend_others(sleeps.then(|| backoff.sleeping_since()));
        }
        match step {
            None | Some(BackoffStep::Poll) => {}
            Some(BackoffStep::Yield) => self.yield_waiting(),
            Some(BackoffStep::Sleep) => self.sleep(found, backoff, others),
        }
    }

    /// Ends what waits for processes that have died, if the launcher has told of deaths that this
    /// process has not handled. Returns whether it has.
    #[inline]
    pub fn look_for_deaths(&mut self) -> bool {
        let are_told = self.pt2pt.endpoint.as_ref().is_some_and(Endpoint::has_deaths);
        if are_told {
            self.handle_deaths();
        }
        are_told
    }

    #[cold]
    fn handle_deaths(&mut self) {
        let engine = &mut **self;
        if let Some(endpoint) = &mut engine.pt2pt.endpoint {
            endpoint.handle_deaths(&mut engine.pt2pt.core);
        }
        self.perform_pending();
        self.wake_others();
    }

    /// Yields the processor. Checks the launcher now and then, because a wait whose messages always
    /// come within its yields never sleeps.
    #[cold]
    fn yield_waiting(&mut self) {
        self.waiting.yielding += 1;
        self.aside(nemesis::yield_now);
        self.waiting.yielding -= 1;
        self.waiting.yields = self.waiting.yields.wrapping_add(1);
        if self.waiting.yields.is_multiple_of(YIELDS_PER_CHECK)
            && self.wireup.as_ref().is_some_and(Wireup::launcher_is_gone)
        {
            exit_without_launcher();
        }
    }

    /// Runs `f`, with the engine unlocked if other threads may enter.
    pub fn aside(&mut self, f: impl FnOnce()) {
        if self.guard.is_shared() { self.guard.unlocked(f) } else { f() }
    }

    /// Returns whether a sleep in this lane has to be short: local processes release window locks
    /// and leave collective segments without ringing the doorbell.
    pub(super) fn naps(&mut self) -> bool {
        self.pt2pt.core.upper.await_word.any()
            || self.pt2pt.core.upper.collectives > 0 && (self.hooks.collectives.wait_for_slot)(self)
    }

    /// Returns whether a collective operation or an agreement can go on.
    pub(super) fn have_collectives_news(&mut self) -> bool {
        self.pt2pt.core.upper.collectives > 0 && (self.hooks.collectives.have_news)(self)
            || self.pt2pt.core.upper.busy.contains(Layers::AGREEMENTS) && self.have_segment_news()
    }

    /// Sleeps until the doorbell rings or a time limit ends.
    #[cold]
    fn sleep(&mut self, found: impl FnOnce() -> bool, backoff: &mut Backoff, others: Others) {
        let since = backoff.sleeping_since();
        self.waiting.asleep_since = Some(since);
        let upper = &self.pt2pt.core.upper;
        if upper.collectives > 0 || upper.blocking_on != handle::Comm::NULL {
            (self.hooks.collectives.sleeps)(self, virtual_process::since(since));
        }
        let found = |mpi: &mut Mpi| found() || mpi.have_collectives_news();
        let limit = if others == Others::Active || self.naps() {
            WORD_SLEEP_MAX
        } else if self.guard.is_shared() {
            THREADED_SLEEP
        } else {
            SLEEP
        };
        if self.waiting.sleeper {
            let ticket = WAITERS.ticket();
            if found(self) {
                return;
            }
            let limit = if others == Others::Attended { limit } else { WORD_SLEEP_MAX };
            self.waiting.resting += 1;
            self.attend_asleep(|| WAITERS.rest(ticket, limit));
            self.waiting.resting -= 1;
            return;
        }
        let Some(asleep) = self.prepare_sleep() else {
            // Something has arrived, and the next poll takes it. In a damaged segment none does.
            if virtual_process::since(since) >= SLEEP {
                self.check_launcher(since);
            }
            return;
        };
        // Another thread that receives meanwhile stores what it waits for.
        let awaited = self.pt2pt.core.awaited;
        if !found(self) {
            match others {
                Others::Silent(lanes) => self.attend_asleep(|| {
                    if let Some(watch) = Watch::over(lanes) {
                        watch.sleep(Some(&asleep), limit);
                    }
                }),
                _ => self.attend_asleep(|| asleep.sleep(limit)),
            }
        }
        self.end_sleep(asleep);
        self.pt2pt.core.awaited = awaited;
        self.check_launcher(since);
    }

    /// Prepares a sleep at the doorbell, at which nobody sleeps. `None` if something has arrived.
    pub(super) fn prepare_sleep(&mut self) -> Option<Asleep> {
        let asleep = self.pt2pt.endpoint.as_mut()?.prepare_sleep()?;
        self.waiting.sleeper = true;
        Some(asleep)
    }

    /// Ends a sleep at the doorbell.
    pub(super) fn end_sleep(&mut self, asleep: Asleep) {
        drop(asleep);
        self.waiting.sleeper = false;
        if self.waiting.resting > 0 {
            // The doorbell may have rung for a word that another thread waits for.
            WAITERS.call();
        }
    }

    /// Answers a launcher that asks for a state report, and ends the process if its launcher has
    /// died. For waits that sleep, `since` when nothing has happened.
    pub fn check_launcher(&mut self, since: Instant) {
        if self.pt2pt.endpoint.as_ref().is_some_and(Endpoint::is_asked) {
            self.answer_launcher(since, false);
        }
        if self.wireup.as_ref().is_some_and(Wireup::launcher_is_gone) {
            exit_without_launcher();
        }
    }

    /// Answers a launcher that asks for a state report, unless a thread in another lane does so.
    fn answer_launcher(&mut self, since: Instant, tests: bool) {
        static ANSWERING: Mutex<()> = Mutex::new(());
        let Ok(_one) = ANSWERING.try_lock() else { return };
        let (own, mut others, mut asleep) = (self.lane, OtherLanes::default(), None);
        if lanes::are_open() {
            self.aside(|| others = lanes::reports_of_others(own));
            asleep = Some(lanes::threads_asleep());
        }
        let asleep = asleep.unwrap_or(self.waiting.resting);
        let situation = Situation {
            finalizes: self.life.finalizes,
            // Lanes have threads, whatever level the program has asked for.
            alone: self.life.thread_level != abi::MPI_THREAD_MULTIPLE,
            asleep,
            outside: self.waiting.outside > 0,
            within_job: self.waiting.within_job && asleep == 0,
            tests,
        };
        let engine = &mut **self;
        state_report::answer(&engine.comms, &mut engine.pt2pt, situation, since, &others);
    }

    /// Returns since when nothing has come, gone or finished in this lane, in which the calling
    /// thread is in passing. It is known to the interval of these calls.
    pub(super) fn quiet_since(&mut self) -> Instant {
        let traffic = self.pt2pt.endpoint.as_mut().map(Endpoint::traffic);
        let packets = traffic.map_or(0, |all| all.packets_sent.wrapping_add(all.packets_received));
        let so_far = packets.wrapping_add(self.pt2pt.core.finished);
        let since = match self.waiting.quiet {
            Some((then, since)) if then == so_far => since,
            _ => virtual_process::now(),
        };
        self.waiting.quiet = Some((so_far, since));
        since
    }

    /// Answers a launcher that asks a process that tests. The time since when nothing has happened
    /// is known to the interval of the questions.
    #[cold]
    fn answer_while_testing(&mut self) {
        let finished = self.pt2pt.core.finished;
        let since = match self.waiting.unchanged {
            Some((then, since)) if then == finished => since,
            _ => virtual_process::now(),
        };
        self.waiting.unchanged = Some((finished, since));
        self.answer_launcher(since, true);
    }

    /// Makes progress until `done` returns true.
    pub fn wait_until(&mut self, expected: Option<u32>, done: impl FnMut(&mut Mpi) -> bool) {
        self.wait_until_found(expected, || false, done);
    }

    /// Makes progress until `done` returns true, which may read words that other processes write
    /// before they ring the doorbell. The call does not sleep if `found` sees such a word.
    pub fn wait_until_found(
        &mut self,
        expected: Option<u32>,
        found: impl Fn() -> bool,
        mut done: impl FnMut(&mut Mpi) -> bool,
    ) {
        let mut backoff = Backoff::default();
        let mut has_polled = false;
        while !done(self) {
            if has_polled {
                self.relax();
            }
            let arrived = self.pt2pt.poll(expected);
            self.after_poll_unless(&found, arrived, &mut backoff);
            has_polled = true;
        }
        self.leave_wait();
    }

    /// Makes progress until everything has been sent that peers need: the DONE of their rendezvous,
    /// tasks of messages that are still to be fetched, packets that found no space.
    pub fn drain(&mut self) {
        self.wait_until(None, |mpi| {
            mpi.pt2pt.outgoing_packets == 0
                && mpi.pt2pt.core.streams.is_empty()
                && mpi.pt2pt.core.tasks.is_empty()
        });
    }

    /// Makes progress until `done`, which reads words that other processes write, returns true.
    /// Writers do not ring the doorbell, so a long wait consists of short sleeps.
    pub fn wait_for_word(&mut self, mut done: impl FnMut(&mut Mpi) -> bool) {
        let (mut backoff, mut nap) = (Backoff::default(), WORD_SLEEP_MIN);
        while !done(self) {
            self.look_for_deaths();
            self.progress();
            if !self.pt2pt.core.readings.is_empty() {
                (backoff, nap) = (Backoff::default(), WORD_SLEEP_MIN);
            }
            let step = self.pt2pt.endpoint.as_ref().map(|endpoint| endpoint.advise(&mut backoff));
            if lanes::are_open() && step.is_some_and(|step| step != BackoffStep::Poll) {
                self.attend_others(None);
            }
            match step {
                None | Some(BackoffStep::Poll) => {}
                Some(BackoffStep::Yield) => self.yield_waiting(),
                Some(BackoffStep::Sleep) => {
                    self.aside(|| virtual_process::nap(nap));
                    nap = (nap * 2).min(WORD_SLEEP_MAX);
                    self.check_launcher(backoff.sleeping_since());
                }
            }
            self.relax();
        }
    }

    /// Makes progress until `rest` returns true, which waits for another thread of this process, at
    /// most for the given time. Leaves the processor to that thread, which may have no other.
    pub fn wait_for_thread(&mut self, mut rest: impl FnMut(Duration) -> bool) {
        let (since, mut nap) = (virtual_process::now(), WORD_SLEEP_MIN);
        loop {
            let mut is_done = false;
            self.aside(|| is_done = rest(nap));
            if is_done {
                return;
            }
            self.progress();
            if lanes::are_open() {
                self.attend_others(None);
            }
            nap = (nap * 2).min(WORD_SLEEP_MAX);
            self.check_launcher(since);
            self.relax();
        }
    }

    /// Makes progress for a call that tests and has not found what it tests for, and answers a
    /// launcher that asks for a state report.
    pub fn progress_of_test(&mut self) {
        self.make_way();
        self.progress_of_probe();
    }

    /// Makes progress as [`progress_of_test`](Self::progress_of_test) does, for a probe, which
    /// [makes way](Self::make_way) when it has found nothing.
    pub fn progress_of_probe(&mut self) {
        if self.pt2pt.endpoint.as_ref().is_some_and(Endpoint::is_asked) {
            self.answer_while_testing();
        }
        self.look_for_deaths();
        let finished = self.pt2pt.core.finished;
        self.progress();
        if self.pt2pt.core.finished == finished {
            self.guard.end_turn();
        }
    }

    /// Leaves the processor to others now and then, for a call that tests: before it looks, because
    /// what it tests for may come meanwhile. A probe does so after it has looked. Programs find out
    /// who sends to them by turns of `MPI_Iprobe` and of `MPI_Test` on an `MPI_Ibarrier` that all
    /// enter when their messages are received. If the barrier ends while a process has no
    /// processor, it must learn that first, and not find a message that was sent after the barrier.
    pub fn make_way(&mut self) {
        self.waiting.tests += 1;
        if self.waiting.tests.is_multiple_of(TESTS_PER_YIELD) {
            self.yield_while_testing();
        }
        if lanes::are_open()
            && self.waiting.tests.is_multiple_of(TESTS_PER_LOOK)
            && self.attend_others(None) == Others::Active
        {
            // Threads that test in other lanes may have no processor of their own.
            self.aside(nemesis::yield_now);
        }
    }

    /// Yields the processor on an oversubscribed node, or to a thread of this process that waits in
    /// this lane and has yielded its own. A program that tests in a loop would use its processor
    /// until the scheduler stops it, while the process or the thread that it waits for has none.
    #[cold]
    fn yield_while_testing(&mut self) {
        if self.waiting.yielding > 0
            || self.pt2pt.endpoint.as_ref().is_some_and(Endpoint::shares_processors)
        {
            self.aside(nemesis::yield_processor);
        }
    }

    /// Makes one round of progress.
    pub fn progress(&mut self) {
        self.attend();
        self.poll_once();
    }

    /// Makes one round of progress for a thread that is in this lane in passing.
    pub(super) fn poll_once(&mut self) {
        let finished = self.pt2pt.core.finished;
        self.waiting.polls += 1;
        let arrived = self.pt2pt.poll(None);
        self.run_tasks();
        if arrived > 0 || self.pt2pt.core.finished != finished {
            self.wake_others();
        } else {
            self.read_unexpected();
        }
        if self.pt2pt.core.upper.collectives > 0 {
            (self.hooks.collectives.run_callback)(self);
        }
        if self.pt2pt.core.events.any() {
            (self.hooks.deliver_events)(self);
        }
    }
}

/// Ends the process after its launcher has died, since no other process would end it.
#[cold]
fn exit_without_launcher() -> ! {
    nemesis_sys::message::tell(format_args!(
        "nemesis: {}: the launcher is gone, so the job ends",
        process::who()
    ));
    virtual_process::exit(1)
}
