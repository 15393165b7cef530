//! How far two measuring processes were from each other: the usual distance, rounds that were taken at it, and what is said of others.
//!
//! The hand-over of a cache line (`handover`) is the distance. Processes measure it before and after each of their batches, in a file of two words that is
//! lent to them (`bench/distance.h`). A round is a batch of each library.

use crate::diagnostic::Diagnostic;
use serde::Serialize;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The words' file: a page for each.
const FILE_BYTES: u64 = 2 * 4096;
/// How much longer, or shorter, is another distance.
const ANOTHER: f64 = 1.5;

/// Makes the words' file in `folder`.
pub fn words(folder: &Path) -> Result<PathBuf, Diagnostic> {
    let path = folder.join("words");
    let made = File::create(&path).and_then(|file| file.set_len(FILE_BYTES));
    made.map_err(|error| {
        Diagnostic::new(format!("making {}", path.display()), error, "TMPDIR=/var/tmp")
    })?;
    Ok(path)
}

/// How a round was taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Round {
    /// Some libraries were closer than others.
    Uneven,
    /// All were closer than usual, or farther.
    Even,
    /// All at the usual distance, or nobody looked.
    Usual,
}

impl Round {
    /// Of all distances that were found in it; 0 where nobody looked.
    pub fn at(usual: f64, distances: impl Iterator<Item = f64>) -> Round {
        let found = distances.filter(|&distance| distance > 0.0);
        let (least, most) = found.fold((f64::INFINITY, 0_f64), |(least, most), distance| {
            (least.min(distance), most.max(distance))
        });
        if most == 0.0 || least > usual / ANOTHER && most < usual * ANOTHER {
            Round::Usual
        } else if most < least * ANOTHER {
            Round::Even
        } else {
            Round::Uneven
        }
    }
}

/// Samples of programs that looked, and those among them that were taken at another distance than usual, or not by all libraries at the same.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Strays {
    pub samples: u32,
    pub strayed: u32,
    pub uneven: u32,
}

impl Strays {
    /// Counts `samples` of which the worst round was this.
    pub fn note(&mut self, samples: u32, worst: Round) {
        self.samples += samples;
        self.strayed += if worst < Round::Usual { samples } else { 0 };
        self.uneven += if worst == Round::Uneven { samples } else { 0 };
    }

    pub fn add(&mut self, more: Strays) {
        self.samples += more.samples;
        self.strayed += more.strayed;
        self.uneven += more.uneven;
    }

    /// What the table and the page say of them.
    pub fn warning(&self) -> Option<String> {
        let Strays { samples, strayed, uneven } = self;
        let alike = if *uneven > 0 {
            format!(", {uneven} of them not all libraries alike")
        } else {
            String::new()
        };
        (*strayed > 0).then(|| {
            format!(
                "{strayed} of {samples} samples between two processes were taken while their processors were closer or farther than \
                 usual{alike}"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_usual_or_even_or_neither() {
        let at = |distances: &[f64]| Round::at(50.0, distances.iter().copied());
        assert_eq!([at(&[]), at(&[0.0, 0.0]), at(&[40.0, 70.0, 0.0])], [Round::Usual; 3]);
        assert_eq!([at(&[150.0, 200.0]), at(&[25.0, 26.0]), at(&[70.0, 80.0])], [Round::Even; 3]);
        assert_eq!(
            [at(&[50.0, 80.0]), at(&[150.0, 50.0]), at(&[50.0, f64::INFINITY])],
            [Round::Uneven; 3]
        );
    }

    #[test]
    fn strays_are_told() {
        let mut strays = Strays::default();
        strays.note(4, Round::Usual);
        assert!(strays.warning().is_none());
        strays.note(4, Round::Even);
        assert!(
            strays
                .warning()
                .is_some_and(|text| text.starts_with("4 of 8 ") && text.ends_with("usual"))
        );
        strays.note(2, Round::Uneven);
        assert!(strays.warning().is_some_and(|text| text.starts_with("6 of 10 ")
            && text.ends_with("usual, 2 of them not all libraries alike")));
    }
}
