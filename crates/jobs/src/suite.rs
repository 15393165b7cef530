//! A list of cases, how they run side by side, and what is printed of them.

use crate::scene::Scene;
use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Instant;

/// Cases that wait most of their time, and run at the same time.
const WAITING: usize = 32;
/// Lines of each failed case that are printed again after the last case.
const AGAIN: usize = 12;

/// How much a case needs the processors.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// Its times matter, or it looks at what all processes have left: no other case runs.
    Alone,
    /// It uses processors: as many cases run as there are processors.
    Beside,
    /// It waits most of its time: many cases run at once.
    Waits,
}

type Body = Box<dyn Fn(&Scene) + Send + Sync>;

struct Case {
    name: String,
    pace: Pace,
    body: Body,
}

/// Why a case cannot run; what [`crate::skip`] panics with.
pub struct Skipped(pub String);

/// A list of cases.
#[derive(Default)]
pub struct Suite {
    cases: Vec<Case>,
}

/// What came of the cases.
#[derive(Default)]
pub struct Sum {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
}

impl Sum {
    /// The exit code: 0 if all is well, 1 if a case has failed, 77 if none could run.
    pub fn code(&self) -> u8 {
        match self {
            Sum { failed: 1.., .. } => 1,
            Sum { passed: 0, skipped: 1.., .. } => 77,
            _ => 0,
        }
    }
}

thread_local! {
    /// Where the last panic of this thread was.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

impl Suite {
    /// Adds a case that runs alone.
    pub fn alone(
        &mut self,
        name: impl Into<String>,
        body: impl Fn(&Scene) + Send + Sync + 'static,
    ) {
        self.add(name.into(), Pace::Alone, Box::new(body));
    }

    /// Adds a case that runs beside others, as many as there are processors.
    pub fn beside(
        &mut self,
        name: impl Into<String>,
        body: impl Fn(&Scene) + Send + Sync + 'static,
    ) {
        self.add(name.into(), Pace::Beside, Box::new(body));
    }

    /// Adds a case that waits most of its time, and runs beside many others.
    pub fn waits(
        &mut self,
        name: impl Into<String>,
        body: impl Fn(&Scene) + Send + Sync + 'static,
    ) {
        self.add(name.into(), Pace::Waits, Box::new(body));
    }

    fn add(&mut self, name: String, pace: Pace, body: Body) {
        assert!(self.cases.iter().all(|case| case.name != name), "two cases are called {name}");
        self.cases.push(Case { name, pace, body });
    }

    /// Runs all cases, or those whose names begin with one of `wanted`, and prints a line for each.
    /// A word with which no name begins has failed.
    pub fn run(self, scene: &Scene, wanted: &[String]) -> Sum {
        let begins =
            |word: &&String| self.cases.iter().any(|case| case.name.starts_with(word.as_str()));
        if let Some(unknown) = wanted.iter().find(|word| !begins(word)) {
            let names: Vec<&str> = self.cases.iter().map(|case| case.name.as_str()).collect();
            crate::say!("no case begins with {unknown}; there are:\n    {}", names.join("\n    "));
            return Sum { failed: 1, ..Sum::default() };
        }
        std::panic::set_hook(Box::new(|panic| {
            let place = panic.location().map(ToString::to_string).unwrap_or_default();
            PLACE.with_borrow_mut(|last| *last = place);
        }));
        let is_wanted = |case: &Case| {
            wanted.is_empty() || wanted.iter().any(|begin| case.name.starts_with(begin.as_str()))
        };
        let sum = Mutex::new(Sum::default());
        let failures = Mutex::new(Vec::new());
        let of_pace = |pace| {
            let cases = self.cases.iter().filter(|case| case.pace == pace && is_wanted(case));
            Mutex::new(cases.collect::<VecDeque<_>>())
        };
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let (waits, beside) = (of_pace(Pace::Waits), of_pace(Pace::Beside));
        std::thread::scope(|scope| {
            for (queue, workers) in [(&waits, WAITING), (&beside, processors)] {
                for _ in 0..workers {
                    scope.spawn(|| work(queue, scene, &sum, &failures));
                }
            }
        });
        work(&of_pace(Pace::Alone), scene, &sum, &failures);
        let _ = std::panic::take_hook();
        // A log may be known by its end only.
        for failure in failures.into_inner().expect("no case holds it") {
            crate::say!("{failure}");
        }
        sum.into_inner().expect("no case holds it")
    }
}

/// Runs cases until none is left. What is to be said again of those that fail goes to `failures`.
fn work(
    queue: &Mutex<VecDeque<&Case>>,
    scene: &Scene,
    sum: &Mutex<Sum>,
    failures: &Mutex<Vec<String>>,
) {
    let next = || queue.lock().expect("no case holds it").pop_front();
    while let Some(case) = next() {
        let begun = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| (case.body)(scene)));
        let seconds = begun.elapsed().as_secs_f64();
        let mut sum = sum.lock().expect("no case holds it");
        let line = |outcome: &str| crate::say!("{:<48} {seconds:7.2} s  {outcome}", case.name);
        match outcome {
            Ok(()) => {
                sum.passed += 1;
                line("ok");
            }
            Err(why) if why.is::<Skipped>() => {
                sum.skipped += 1;
                let why = why.downcast::<Skipped>().expect("it is one");
                crate::say!("{:<48} skipped: {}", case.name, why.0);
            }
            Err(why) => {
                sum.failed += 1;
                line("FAILED");
                let words = crate::indented(&words(&*why));
                let place = PLACE.with_borrow(String::clone);
                crate::say!("{}\n    (at {place})", words.trim_end());
                let first = words.lines().take(AGAIN).collect::<Vec<_>>().join("\n");
                let failure = format!("{} has failed (at {place}):\n{first}", case.name);
                failures.lock().expect("no case holds it").push(failure);
            }
        }
    }
}

/// Returns the words of a panic.
fn words(why: &(dyn Any + Send)) -> String {
    let text = why.downcast_ref::<String>().cloned();
    text.or_else(|| why.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()
}
