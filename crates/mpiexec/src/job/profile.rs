//! The profile of the job (`-profile`): collecting the figures of all ranks, and the table and the
//! files that are made of them when the job has ended.
//!
//! ```text
//!   rank ──counts──▶ memory of its host ──▶ agent ──Up::Profile──▶ root ──▶ table, page, trace
//! ```
//!
//! The memory (`counters`) outlives the ranks, so the counts of a rank that dies are not lost. A
//! host that is lost takes those of its ranks with it, and the table says so.

use super::context::Job;
use crate::labels;
use crate::launch_error::LaunchError;
use crate::launch_spec::Common;
use crate::tree::message::Up;
use nemesis_profile::figures::{Figures, SiteFigures};
use nemesis_profile::job::Profile;
use nemesis_profile::{files, table};
use nemesis_source_lines::{Site, SourceLines};
use std::path::Path;

/// Tries the folder of the profile before the job runs, which may take long.
///
/// # Errors
///
/// Nothing can be written there.
pub(super) fn try_folder(folder: &Path) -> Result<(), LaunchError> {
    files::try_folder(folder).map_err(|(path, why)| {
        let what = format!("-profile: the profile cannot be written to {}: {why}", path.display());
        LaunchError::new(what, "-profile=FOLDER with a folder that can be written to")
    })
}

impl Job {
    /// Returns the figures of this host's ranks.
    fn own_figures(&self) -> Vec<Figures> {
        self.counters.as_ref().map_or_else(Vec::new, |counters| counters.figures(&self.host))
    }

    /// Sends the figures of an agent's ranks to its parent.
    pub(super) fn send_figures(&mut self) {
        let figures = self.own_figures();
        let Some(link) = &mut self.parent_link else { return };
        for figures in figures {
            link.send(&Up::Profile(Box::new(figures)));
        }
    }

    /// Keeps the figures of a rank of another host, or sends them on.
    pub(super) fn keep_figures(&mut self, figures: Figures) {
        match &mut self.parent_link {
            Some(link) => link.send(&Up::Profile(Box::new(figures))),
            None => self.figures.push(figures),
        }
    }

    /// Prints the table and writes the files of the profile, when the job has ended.
    pub(super) fn report_profile(&mut self) {
        if self.parent_link.is_some() {
            return;
        }
        let Some(folder) = self.profile_folder.take() else { return };
        let mut figures = std::mem::take(&mut self.figures);
        figures.extend(self.own_figures());
        let common = &self.facts.common;
        let mut profile = Profile::new(common.size, figures, command(common), labels::now());
        let mut lines = SourceLines::default();
        profile.name_places(|place| {
            let SiteFigures { file, offset, is_program, .. } = place.clone();
            lines.in_words(&Site { module: file, offset, is_program })
        });
        let mut text = format!("mpiexec: {}", table(&profile));
        if profile.ranks.is_empty() {
            text.push_str(
                "\nmpiexec: no rank has called an MPI library of Nemesis under its own name; \
                 try: nemesis doctor ./PROGRAM, which says what the program loads",
            );
            return self.say(&text);
        }
        match files::write(&profile, &folder, common.profile == Some(true)) {
            Ok((page, trace)) => {
                text.push_str(&format!("\nmpiexec: the page is {}", page.display()));
                if let Some(trace) = trace {
                    let dropped = match profile.dropped() {
                        0 => String::new(),
                        1 => "; 1 call did not fit".to_owned(),
                        dropped => format!("; {dropped} calls did not fit"),
                    };
                    text.push_str(&format!(
                        "\nmpiexec: the trace is {}, for https://ui.perfetto.dev{dropped}",
                        trace.display()
                    ));
                }
            }
            Err((path, why)) => text.push_str(&format!(
                "\nmpiexec: the profile cannot be written to {}: {why}; try: -profile=FOLDER",
                path.display()
            )),
        }
        self.say(&text);
    }
}

/// Returns the command line of the job's programs.
fn command(common: &Common) -> String {
    let programs = common.programs.iter().map(|program| {
        let words = std::iter::once(&program.path).chain(&program.arguments);
        words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    });
    programs.collect::<Vec<_>>().join(" : ")
}
