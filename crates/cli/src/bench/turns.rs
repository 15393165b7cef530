//! Turns: the programs of all libraries are under way at the same time, and one after the other measures a batch, while the others sleep.
//!
//! ```text
//!   figure    round 1                  round 2             …  all libraries go on to their next figure
//!             ours │ MPICH │ Open MPI … ours │ MPICH │ …
//! ```
//!
//! So what the machine does, to itself or for others, meets all of them within a few hundredths of a second. A round counts if the two processes of each job
//! were as far from each other as usual (`distance`), before and after each batch. It is repeated for a while if not; then it is enough that all libraries
//! were equally far, and at last any round counts. `bench/turns.h` is the programs' side.

use super::distance::{Round, Strays};
use super::figures::Line;
use super::library::{Library, Running};
use super::plan::Batches;
use crate::diagnostic::Diagnostic;
use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;

/// The bits of a turn's byte.
const COUNTS: u8 = 1;
const NEXT: u8 = 2;
/// Bytes of a report: seconds of one repetition, of all of the batch, the distance before and after.
const REPORT_BYTES: usize = 4 * 8;
/// Batches of each library that may take as long as so many batches should, together.
const TIMEOUT: f64 = 4.0;
/// What rounds that are repeated since they were not at the usual distance may take, in batches of each job, and as much those that were uneven: for a
/// program, and for each of its figures besides, so that one third of the time may be unusual.
const WAITING_BATCHES: f64 = 60.0;
const WAITING_BATCHES_OF_A_FIGURE: f64 = 3.0;

/// What jobs need that take turns.
pub struct Stage {
    /// A folder for a socket.
    pub folder: PathBuf,
    /// The usual distance in seconds, and the file of words by which jobs of two processes find theirs.
    pub usual: Option<(f64, PathBuf)>,
}

/// A program on so many ranks.
#[derive(Clone, Copy)]
pub struct Program<'a> {
    pub name: &'static str,
    pub ranks: u32,
    pub batches: Batches,
    pub arguments: &'a [String],
}

/// One library's part.
struct Job<'a> {
    library: &'a Library,
    program: Program<'a>,
    running: Running,
    /// To each rank.
    ranks: Vec<UnixStream>,
    report: Report,
    /// What becomes of the last batch: the byte of the next turn.
    word: u8,
    counted: u32,
    spent: f64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// It stands before the first batch of a figure, or between two.
    Measuring,
    /// It has all batches of the figure.
    Satisfied,
    /// It has all figures, or has failed.
    Over,
}

/// What rank 0 says of its batch.
#[derive(Clone, Copy, Default)]
struct Report {
    spent: f64,
    before: f64,
    after: f64,
}

/// What is left of the time for repeated rounds.
struct Patience {
    unusual: f64,
    uneven: f64,
}

impl Stage {
    /// Lets all jobs measure all their figures; the lines that each prints, and how many strayed.
    pub fn perform(
        &self,
        jobs: &[(&Library, Program<'_>)],
    ) -> (Vec<Result<Vec<Line>, Diagnostic>>, Strays) {
        let mut strays = Strays::default();
        let mut started: Vec<Result<Job<'_>, Diagnostic>> =
            jobs.iter().map(|&(library, program)| self.start(library, program)).collect();
        let batch: f64 =
            jobs.iter().map(|(_, program)| 1e-3 * f64::from(program.batches.milliseconds)).sum();
        let mut patience =
            Patience { unusual: WAITING_BATCHES * batch, uneven: WAITING_BATCHES * batch };
        loop {
            let mut playing: Vec<&mut Job<'_>> =
                started.iter_mut().flatten().filter(|job| job.state != State::Over).collect();
            if playing.is_empty() {
                break;
            }
            patience.grow(WAITING_BATCHES_OF_A_FIGURE * batch);
            self.figure(&mut playing, &mut patience, &mut strays);
        }
        (started.into_iter().map(|job| job.and_then(Job::end)).collect(), strays)
    }

    /// Starts a job and waits until it stands before its first figure.
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
            // What it says itself is better than what is seen from here.
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

    /// All batches of one figure, and the step to the next.
    fn figure(&self, jobs: &mut [&mut Job<'_>], patience: &mut Patience, strays: &mut Strays) {
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
            let counts = patience.accepts(round, seconds);
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

impl Patience {
    fn grow(&mut self, seconds: f64) {
        self.unusual += seconds;
        self.uneven += seconds;
    }

    /// Whether a round counts that took so long.
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
    /// Lets it do what comes next, until it sleeps again or has ended.
    fn take_turn(&mut self) {
        let word = [std::mem::take(&mut self.word)];
        // Who has gone does not answer either, which is noticed below. The first rank, which begins, hears last.
        for rank in self.ranks.iter_mut().rev() {
            let _ = rank.write_all(&word);
        }
        self.hear();
    }

    /// Waits for a report; where none comes, it is over, and its end tells why.
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

    /// The round of its last batch counts, or not.
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

    /// What it has printed.
    fn end(self) -> Result<Vec<Line>, Diagnostic> {
        let Job { library, program: Program { name, ranks, .. }, running, .. } = self;
        let (output, _) = running.end().map_err(|why| library.failed_on(name, ranks, &why))?;
        library.figures(name, &output)
    }
}

/// Waits until all ranks have come; their streams in order.
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
