//! Turns: the programs of all libraries run at the same time, and one after the other measures a
//! batch while the others sleep.
//!
//! ```text
//!   figure    round 1                  round 2             …  all libraries go on to the next
//! figure
//!             ours │ MPICH │ Open MPI … ours │ MPICH │ …
//! ```
//!
//! Other activity of the machine therefore affects all libraries within a few hundredths of a
//! second. A round counts if the two processes of each job were at the usual distance (`distance`)
//! before and after each batch. Otherwise it is repeated for a while. After that, a round counts if
//! all libraries had equal distances, and finally any round counts. `bench/turns.h` is the
//! programs' side.

use super::distance::{Round, Strays};
use super::figures::Line;
use super::library::{Library, Running};
use super::plan::Batches;
use crate::diagnostic::Diagnostic;
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;

/// Bits of the byte that begins a turn.
const COUNTS: u8 = 1;
const NEXT: u8 = 2;
/// Bytes of a report: seconds of one repetition, of the whole batch, the distance before and after.
const REPORT_BYTES: usize = 4 * 8;
/// Longest time of the batches of a library, in lengths of a batch.
const TIMEOUT: f64 = 4.0;
/// Time for rounds that are repeated because they were not at the usual distance, in batches of
/// each job, and as much for uneven rounds: once for a program, and once for each of its figures,
/// so that one third of the time may be unusual.
const WAITING_BATCHES: f64 = 60.0;
const WAITING_BATCHES_OF_A_FIGURE: f64 = 3.0;

/// What jobs need to take turns.
pub struct Stage {
    /// Folder for a socket.
    pub folder: PathBuf,
    /// The usual distance in seconds, and the file of words by which jobs of two processes measure
    /// theirs.
    pub usual: Option<(f64, PathBuf)>,
}

/// A program on a number of ranks.
#[derive(Clone, Copy)]
pub struct Program<'a> {
    pub name: &'static str,
    pub ranks: u32,
    pub batches: Batches,
    pub arguments: &'a [String],
}

/// The job of one library.
struct Job<'a> {
    library: &'a Library,
    program: Program<'a>,
    running: Running,
    /// Connections to the ranks.
    ranks: Vec<UnixStream>,
    report: Report,
    /// What happens to the last batch: the byte of the next turn.
    word: u8,
    counted: u32,
    spent: f64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The job waits before the first batch of a figure, or between two.
    Measuring,
    /// The job has all batches of the figure.
    Satisfied,
    /// The job has all figures, or has failed.
    Over,
}

/// The report of rank 0 about its batch.
#[derive(Clone, Copy, Default)]
struct Report {
    spent: f64,
    before: f64,
    after: f64,
}

/// Time that is left for repeated rounds.
struct WaitBudget {
    unusual: f64,
    uneven: f64,
}

impl Stage {
    /// Lets all jobs measure all their figures. Returns the lines that each has printed, and the
    /// number of unusual samples.
    pub fn perform(
        &self,
        jobs: &[(&Library, Program<'_>)],
    ) -> (Vec<Result<Vec<Line>, Diagnostic>>, Strays) {
        let mut strays = Strays::default();
        let mut started: Vec<Result<Job<'_>, Diagnostic>> =
            jobs.iter().map(|&(library, program)| self.start(library, program)).collect();
        let batch: f64 =
            jobs.iter().map(|(_, program)| 1e-3 * f64::from(program.batches.milliseconds)).sum();
        let mut budget =
            WaitBudget { unusual: WAITING_BATCHES * batch, uneven: WAITING_BATCHES * batch };
        loop {
            let mut playing: Vec<&mut Job<'_>> =
                started.iter_mut().flatten().filter(|job| job.state != State::Over).collect();
            if playing.is_empty() {
                break;
            }
            budget.grow(WAITING_BATCHES_OF_A_FIGURE * batch);
            self.figure(&mut playing, &mut budget, &mut strays);
        }
        (started.into_iter().map(|job| job.and_then(Job::end)).collect(), strays)
    }

    /// Starts a job, and waits until it is before its first figure.
    fn start<'a>(&self, library: &'a Library, program: Program<'a>) -> Result<Job<'a>, Diagnostic> {
        let path = self.folder.join("turns");
        let Program { name, ranks, arguments, .. } = program;
        let failed = |why: &str| library.failed_on(name, ranks, why);
        let _ = std::fs::remove_file(&path);
        let listener = UnixListener::bind(&path).map_err(|error| {
            Diagnostic::new(format!("listening at {}", path.display()), error, "TMPDIR=/tmp")
        })?;
        let mut command = library.command(&[], ranks, name, arguments);
        command.env("NEMESIS_BENCH_TURNS", &path);
        if let Some((_, words)) = &self.usual {
            command.env("NEMESIS_BENCH_WORDS", words);
        }
        let running = Running::start(command).map_err(|why| failed(&why))?;
        let ranks = match meet(&listener, &running, ranks) {
            Ok(ranks) => ranks,
            // Its own message is better than what this process sees.
            Err(why) => return Err(failed(&running.end().map_or_else(|said| said, |_| why))),
        };
        let mut job = Job {
            library,
            program,
            running,
            ranks,
            report: Report::default(),
            word: 0,
            counted: 0,
            spent: 0.0,
            state: State::Measuring,
        };
        job.hear();
        Ok(job)
    }

    /// Measures all batches of one figure, and goes to the next.
    fn figure(&self, jobs: &mut [&mut Job<'_>], budget: &mut WaitBudget, strays: &mut Strays) {
        let mut worst = Round::Usual;
        let mut looked = false;
        while jobs.iter().any(|job| job.state == State::Measuring) {
            let mut seconds = 0.0;
            let mut distances = Vec::new();
            for job in jobs.iter_mut().filter(|job| job.state == State::Measuring) {
                job.take_turn();
                seconds += job.report.spent;
                distances.extend([job.report.before, job.report.after]);
            }
            looked |= distances.iter().any(|&distance| distance > 0.0);
            let round = self
                .usual
                .as_ref()
                .map_or(Round::Usual, |&(usual, _)| Round::at(usual, distances.into_iter()));
            let counts = budget.accepts(round, seconds);
            if counts {
                worst = worst.min(round);
            }
            jobs.iter_mut()
                .filter(|job| job.state == State::Measuring)
                .for_each(|job| job.count(counts));
        }
        if looked {
            strays.note(
                jobs.iter().filter(|job| job.state == State::Satisfied).count() as u32,
                worst,
            );
        }
        for job in jobs.iter_mut().filter(|job| job.state == State::Satisfied) {
            job.word |= NEXT;
            job.state = State::Measuring;
            job.take_turn();
            (job.word, job.counted, job.spent) = (0, 0, 0.0);
        }
    }
}

impl WaitBudget {
    fn grow(&mut self, seconds: f64) {
        self.unusual += seconds;
        self.uneven += seconds;
    }

    /// Returns whether a round that took this long counts.
    fn accepts(&mut self, round: Round, seconds: f64) -> bool {
        let left = match round {
            Round::Usual => return true,
            Round::Even => &mut self.unusual,
            Round::Uneven if self.unusual > 0.0 => &mut self.unusual,
            Round::Uneven => &mut self.uneven,
        };
        let repeats = *left > 0.0;
        *left -= if repeats { seconds } else { 0.0 };
        !repeats
    }
}

impl Job<'_> {
    /// Lets the job take the next step, until it sleeps again or has ended.
    fn take_turn(&mut self) {
        let word = [std::mem::take(&mut self.word)];
        // A rank that has ended does not answer, which is noticed below. Rank 0 begins the step, so
        // it gets its byte last.
        for rank in self.ranks.iter_mut().rev() {
            let _ = rank.write_all(&word);
        }
        self.hear();
    }

    /// Waits for a report. If none comes the job is over, and its end tells why.
    fn hear(&mut self) {
        let mut bytes = [0; REPORT_BYTES];
        let heard = self.running.wait_for(&self.ranks[0]).is_ok()
            && self.ranks[0].read_exact(&mut bytes).is_ok();
        let value = |index: usize| {
            f64::from_ne_bytes(bytes[8 * index..][..8].try_into().expect("eight bytes"))
        };
        if heard {
            self.report = Report { spent: value(1), before: value(2), after: value(3) };
        } else {
            (self.report, self.state) = (Report::default(), State::Over);
        }
    }

    /// Notes whether the round of the last batch counts.
    fn count(&mut self, counts: bool) {
        self.word = if counts { COUNTS } else { 0 };
        self.counted += u32::from(counts);
        self.spent += self.report.spent;
        let Batches { number, milliseconds } = self.program.batches;
        if self.counted == number
            || self.counted > 0 && self.spent > TIMEOUT * 1e-3 * f64::from(number * milliseconds)
        {
            self.state = State::Satisfied;
        }
    }

    /// Returns what the job has printed.
    fn end(self) -> Result<Vec<Line>, Diagnostic> {
        let Job { library, program: Program { name, ranks, .. }, running, .. } = self;
        let (output, _) = running.end().map_err(|why| library.failed_on(name, ranks, &why))?;
        library.figures(name, &output)
    }
}

/// Waits until all ranks have connected. Returns their streams in order.
fn meet(listener: &UnixListener, running: &Running, ranks: u32) -> Result<Vec<UnixStream>, String> {
    let said = |error: std::io::Error| error.to_string();
    let mut streams: Vec<Option<UnixStream>> = (0..ranks).map(|_| None).collect();
    while streams.iter().any(Option::is_none) {
        running.wait_for(listener)?;
        let (mut stream, _) = listener.accept().map_err(said)?;
        running.wait_for(&stream)?;
        let mut rank = [0; 4];
        stream.read_exact(&mut rank).map_err(said)?;
        let rank = u32::from_ne_bytes(rank);
        let place = streams.get_mut(rank as usize).filter(|place| place.is_none());
        *place.ok_or_else(|| format!("rank {rank} of {ranks} came, or came twice"))? = Some(stream);
    }
    Ok(streams.into_iter().flatten().collect())
}
