//! Distances: how far from each other two measuring processes were, which rounds had the usual
//! distance, and what is reported of the others.
//!
//! The distance is the hand-over of a cache line (`handover`). Processes measure it before and
//! after each of their batches, in a file of two words that they get (`bench/distance.h`). A round
//! is a batch of each library.

use crate::diagnostic::Diagnostic;
use serde::Serialize;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Length of the file with the words: a page for each.
const FILE_BYTES: u64 = 2 * 4096;
/// Ratio of two hand-overs from which on their distances differ.
const ANOTHER: f64 = 1.5;

/// Makes the file with the words in `folder`.
pub fn words(folder: &Path) -> Result<PathBuf, Diagnostic> {
    let path = folder.join("words");
    let made = File::create(&path).and_then(|file| file.set_len(FILE_BYTES));
    made.map_err(|error| {
        Diagnostic::new(format!("making {}", path.display()), error, "TMPDIR=/var/tmp")
    })?;
    Ok(path)
}

/// Distances of a round.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Round {
    /// Some libraries had a shorter distance than others.
    Uneven,
    /// All libraries had a shorter, or a longer, distance than usual.
    Even,
    /// All libraries had the usual distance, or none was measured.
    Usual,
}

impl Round {
    /// Range of the distances in the round; 0 if none was measured.
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

/// Number of samples whose distance was measured, and of those with an unusual distance, or with
/// different distances of the libraries.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Strays {
    pub samples: u32,
    pub strayed: u32,
    pub uneven: u32,
}

impl Strays {
    /// Counts `samples`, with the distances of their worst round.
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

    /// Returns the warning of the table and the page.
    pub fn warning(&self) -> Option<String> {
        let Strays { samples, strayed, uneven } = self;
        let alike = if *uneven > 0 {
            format!(", {uneven} of them with different distances of the libraries")
        } else {
            String::new()
        };
        (*strayed > 0).then(|| {
            format!(
                "{strayed} of {samples} samples between two processes were taken while their \
                 processors were closer to each other, or farther, than usual{alike}"
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
    fn unusual_samples_are_reported() {
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
            && text.ends_with("usual, 2 of them with different distances of the libraries")));
    }
}
