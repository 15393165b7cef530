//! The lines of programs in Python that call MPI.
//!
//! All calls of such a program come from the same places of its MPI package. The interpreter tells
//! the line, which takes some fifty system calls. So the first calls have lines, and then as many
//! as take a tenth of the time.

use crate::{STATE, locked};
use nemesis_sys::python;
use nemesis_wireup::finding::ScriptPlace;
use std::collections::HashMap;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Calls whose lines are asked for in any case.
const ALWAYS: u32 = 1000;
/// The part of the time that further questions take at most.
const SHARE: u32 = 10;

/// The lines that are known, and what the questions have taken.
pub(crate) struct Scripts {
    numbers: HashMap<Line, u32>,
    lines: Vec<Line>,
    asked: u32,
    took: Duration,
    begun: Instant,
}

/// A function, a file and a line.
type Line = (String, String, u32);

impl Default for Scripts {
    fn default() -> Scripts {
        let (numbers, lines) = Default::default();
        Scripts { numbers, lines, asked: 0, took: Duration::ZERO, begun: Instant::now() }
    }
}

impl Scripts {
    /// Returns whether a question at this time takes too much of it.
    fn is_too_much(&self, now: Instant) -> bool {
        self.asked >= ALWAYS && self.took * SHARE > now - self.begun
    }

    /// Returns the number of a line, which counts from 1.
    fn number_of(&mut self, line: Line) -> u32 {
        let next = self.lines.len() as u32 + 1;
        let lines = &mut self.lines;
        *self.numbers.entry(line).or_insert_with_key(|line| {
            lines.push(line.clone());
            next
        })
    }
}

/// Returns the number of the line of a program in Python that this thread is in; 0 if it is in
/// none, or if it takes too much time to know.
pub(crate) fn here() -> u32 {
    let Some(state) = STATE.get() else { return 0 };
    let begun = Instant::now();
    static IS_INTERPRETER: OnceLock<bool> = OnceLock::new();
    if !IS_INTERPRETER.get_or_init(python::is_interpreter)
        || locked(&state.scripts).is_too_much(begun)
    {
        return 0;
    }
    let mut text = [0; python::TEXT_MAX];
    let place = python::place(&mut text);
    let mut scripts = locked(&state.scripts);
    scripts.asked += 1;
    scripts.took += begun.elapsed();
    place.map_or(0, |python::Place { function, file, line }| {
        scripts.number_of((function.to_owned(), file.to_owned(), line))
    })
}

/// Gives `take` the line with a number of [`here`].
pub(crate) fn with<R>(number: u32, take: impl FnOnce(&ScriptPlace<'_>) -> R) -> Option<R> {
    let scripts = locked(&STATE.get()?.scripts);
    let (function, file, line) = scripts.lines.get((number as usize).checked_sub(1)?)?;
    Some(take(&ScriptPlace { function, file, line: *line }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_numbers() {
        let mut scripts = Scripts::default();
        let line = |number| ("solve".to_owned(), "/x.py".to_owned(), number);
        assert_eq!([4, 7, 4].map(|number| scripts.number_of(line(number))), [1, 2, 1]);
        assert_eq!(scripts.lines, [line(4), line(7)]);
    }

    #[test]
    fn questions_take_a_part_of_the_time() {
        let mut scripts = Scripts::default();
        let after = |ms| scripts_at(&scripts, ms);
        assert!(!after(1));
        (scripts.asked, scripts.took) = (ALWAYS, Duration::from_millis(100));
        assert!(scripts_at(&scripts, 900) && !scripts_at(&scripts, 1100));
    }

    fn scripts_at(scripts: &Scripts, ms: u64) -> bool {
        scripts.is_too_much(scripts.begun + Duration::from_millis(ms))
    }
}
