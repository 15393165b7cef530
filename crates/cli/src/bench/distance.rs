//! What two measuring processes are told of the usual distance between two processors, and how often they could not keep to it.
//!
//! The hand-over of a cache line (`handover`) is the distance; between their batches the programs measure it again, in a file of two words that is lent to
//! them, and repeat what was measured at another one. `bench/distance.h` is the other side.

use super::figures::{Line, Measure};
use crate::complaint::Complaint;
use serde::Serialize;
use std::ffi::OsString;
use std::fs::File;
use std::path::Path;

/// The words' file: a page for each.
const FILE_BYTES: u64 = 2 * 4096;

/// Makes the words' file in `folder`; the environment of a program that looks at the distance, which usually is `usual` seconds.
pub fn environment(folder: &Path, usual: f64) -> Result<[(OsString, OsString); 2], Complaint> {
    let path = folder.join("words");
    let made = File::create(&path).and_then(|file| file.set_len(FILE_BYTES));
    made.map_err(|error| Complaint::new(format!("making {}", path.display()), error, "TMPDIR=/var/tmp"))?;
    Ok([("NEMESIS_BENCH_DISTANCE".into(), format!("{:.2}", 1e9 * usual).into()), ("NEMESIS_BENCH_WORDS".into(), path.into())])
}

/// Samples of programs that looked, and those among them that were taken at another distance than usual.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Strays {
    pub samples: u32,
    pub strayed: u32,
}

impl Strays {
    /// Takes a program's word on its strays out of what it has printed.
    pub fn note(&mut self, lines: &mut Vec<Line>) {
        let Some(word) = lines.pop_if(|last| last.measure == Measure::Strays) else { return };
        self.samples += lines.len() as u32;
        self.strayed += word.value as u32;
    }

    /// What the table and the page say of them.
    pub fn warning(&self) -> Option<String> {
        let Strays { samples, strayed } = self;
        (*strayed > 0).then(|| {
            format!(
                "{strayed} of {samples} samples between two processes were taken while their processors were closer or farther than usual"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_on_strays_is_no_figure() {
        let line = |measure, value| Line { measure, bytes: 8, value };
        let mut strays = Strays::default();
        let mut lines = vec![line(Measure::Latency, 1e-7), line(Measure::Strays, 0.0)];
        strays.note(&mut lines);
        assert!(lines.len() == 1 && strays.warning().is_none());
        let mut lines = vec![line(Measure::Latency, 1e-7), line(Measure::Latency, 2e-7), line(Measure::Strays, 2.0)];
        strays.note(&mut lines);
        assert!(lines.len() == 2 && strays.warning().is_some_and(|text| text.starts_with("2 of 3 ")));
        // Programs of one process, or of many, do not look.
        strays.note(&mut vec![line(Measure::Init, 1.0)]);
        assert_eq!((strays.samples, strays.strayed), (3, 2));
    }
}
