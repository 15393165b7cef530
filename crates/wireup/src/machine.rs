//! The measured host model, kept for later jobs in `$XDG_CACHE_HOME/nemesis/machine-VERSION-HOST`,
//! or below `~/.cache`.
//!
//! ```text
//!   nemesis 0.1.0
//!   processor AuthenticAMD a10f11
//!   boot 1f0a3c5e-…
//!   line_read_ns 0.95
//!   line_claim_ns 0.96
//!   …
//! ```
//!
//! A job measures again if the file is of another version of the library, another processor under
//! this host name (a migrated virtual machine), or another boot. If the measurement fails then,
//! because other work needs the processors, the figures of an earlier boot count. The file is
//! written again with what counts, and jobs of the next [`RETRY_INTERVAL`] use it as it is: a
//! measurement delays a job's start, and on a busy host it lasts longest. A process that cannot
//! read or write the file works without it, so nothing here is an error.
//!
//! The file may lie in a folder that others can write to. It is read only if it is a regular file
//! of few bytes whose figures a real host can have, and written under a name that must not exist
//! before it gets its own.

use nemesis_sys::host_model::{FIGURE_NAMES, FIGURES, HostModel};
use nemesis_sys::{hardware, host, processor};
use rustix::fs::{Mode, OFlags};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Shortest time between two measurements, if the first of them failed.
const RETRY_INTERVAL: Duration = Duration::from_secs(10);
/// Longest file that is read.
const FILE_MAX_BYTES: u64 = 4096;

/// Returns the path of the file, if the environment names a folder for it.
pub fn file() -> Option<PathBuf> {
    let absolute =
        |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let caches = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    // The host name may contain any characters.
    let host = host::hostname().replace(
        |letter: char| !letter.is_ascii_alphanumeric() && letter != '-' && letter != '.',
        "_",
    );
    let version = env!("CARGO_PKG_VERSION");
    Some(caches.join("nemesis").join(format!("machine-{version}-{host}")))
}

/// Returns the model of this host: the stored one, otherwise what `measure` returns.
pub fn known(measure: impl FnOnce() -> HostModel) -> HostModel {
    let stored = stored();
    if let Some(model) = stored.as_ref().and_then(current) {
        return model;
    }
    let model = measure();
    if is_complete(&model) {
        store(&this_boot(), &model);
        return model;
    }
    let earlier = stored.and_then(|Stored { text, .. }| parse(&text, Age::AnyBoot));
    let counts = earlier.unwrap_or(model);
    // Not as figures of this boot, so that a job after the interval measures again.
    store(NO_BOOT, &counts);
    counts
}

/// Returns the stored model, if no measurement is due.
fn current(stored: &Stored) -> Option<HostModel> {
    let age = if stored.is_fresh { Age::AnyBoot } else { Age::ThisBoot };
    parse(&stored.text, age)
}

/// Returns whether a measurement has succeeded: it has the costs of lines, which a host of one
/// processor does not have.
fn is_complete(model: &HostModel) -> bool {
    model.line_read_ns > 0.0 || hardware::has_one_processor()
}

/// Returns the stored model of this host, if there is one; of an earlier boot if it must be.
pub fn remembered() -> Option<HostModel> {
    parse(&stored()?.text, Age::AnyBoot)
}

/// What the file contains.
struct Stored {
    text: String,
    /// Whether it was written within the last [`RETRY_INTERVAL`].
    is_fresh: bool,
}

/// What stands for the boot in the file after a measurement that failed.
const NO_BOOT: &str = "none";

/// Which measurements count.
#[derive(Clone, Copy, PartialEq)]
enum Age {
    ThisBoot,
    AnyBoot,
}

fn parse(text: &str, age: Age) -> Option<HostModel> {
    let (heading, figures) = text.split_once("\nboot ")?;
    let (boot, figures) = figures.split_once('\n')?;
    let is_usable = heading == this_processor() && (age == Age::AnyBoot || boot == this_boot());
    is_usable.then(|| read(figures))?
}

/// The first lines of the file, which name this version and this processor.
fn this_processor() -> String {
    format!("nemesis {}\nprocessor {}", env!("CARGO_PKG_VERSION"), processor::model())
}

fn this_boot() -> String {
    host::boot_id().unwrap_or_else(|| "unknown".to_owned())
}

/// Returns the contents of the file, if it can be one that this library wrote.
fn stored() -> Option<Stored> {
    read_file(&file()?)
}

fn read_file(path: &Path) -> Option<Stored> {
    // Without waiting for the writer of a pipe.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = std::fs::File::from(rustix::fs::open(path, flags, Mode::empty()).ok()?);
    let metadata = file.metadata().ok()?;
    if !metadata.is_file() || metadata.len() > FILE_MAX_BYTES {
        return None;
    }
    // With space for all of it, and for noticing its end, it is read at once.
    let mut text = String::with_capacity(FILE_MAX_BYTES as usize);
    file.take(FILE_MAX_BYTES).read_to_string(&mut text).ok()?;
    // A file of the future has been written before the clock was set.
    let age = metadata.modified().ok().and_then(|written| written.elapsed().ok());
    Some(Stored { text, is_fresh: age.is_some_and(|age| age < RETRY_INTERVAL) })
}

fn store(boot: &str, model: &HostModel) {
    if let Some(file) = file() {
        let text = format!("{}\nboot {boot}\n{}", this_processor(), write(model));
        let _ = replace(&file, &text);
    }
}

/// Replaces the file atomically: a reader finds all of it, or nothing.
fn replace(file: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut draft = file.as_os_str().to_owned();
    draft.push(format!(".{}", std::process::id()));
    // A draft that a process of this number left behind.
    let _ = std::fs::remove_file(&draft);
    std::fs::File::create_new(&draft)
        .and_then(|mut draft| draft.write_all(text.as_bytes()))
        .and_then(|()| std::fs::rename(&draft, file))
        .inspect_err(|_| _ = std::fs::remove_file(&draft))
}

fn write(model: &HostModel) -> String {
    let figures = FIGURE_NAMES.iter().zip(model.to_array());
    figures.map(|(name, figure)| format!("{name} {figure}\n")).collect()
}

/// Reads exactly the lines that [`write()`] writes.
fn read(text: &str) -> Option<HostModel> {
    let mut lines = text.lines();
    let mut figures = [0.0; FIGURES];
    for (name, figure) in FIGURE_NAMES.iter().zip(&mut figures) {
        *figure = lines.next()?.strip_prefix(name)?.strip_prefix(' ')?.parse().ok()?;
    }
    lines.next().is_none().then(|| HostModel::from_array(figures))?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> HostModel {
        HostModel { line_read_ns: 0.95, line_rewrite_read_ns: 4.0, ..HostModel::default() }
    }

    #[test]
    fn what_was_written_is_read() {
        assert_eq!(read(&write(&model())), Some(model()));
        assert_eq!(read(&write(&HostModel::default())), Some(HostModel::default()));
    }

    #[test]
    fn a_broken_file_is_no_model() {
        let text = write(&model());
        for cut in 0..text.len() - 1 {
            let figures = read(&text[..cut]);
            assert!(figures.is_none(), "{cut} bytes: {figures:?}");
        }
        for (from, to) in [
            ("0.95", "nan"),
            ("0.95", "-1"),
            ("0.95", "1e30"),
            ("0.95", ""),
            ("0.95", "0.95 1"),
            ("line_read_ns", "line_read_us"),
            ("\n", "\n\n"),
        ] {
            assert_eq!(read(&text.replacen(from, to, 1)), None, "{from} as {to}");
        }
        assert_eq!(read(&(text + "more 1\n")), None);
    }

    #[test]
    fn the_heading_says_whose_model_it_is() {
        let text =
            |heading: &str, boot: &str| format!("{heading}\nboot {boot}\n{}", write(&model()));
        let own = this_processor();
        let (here, earlier) = (text(&own, &this_boot()), text(&own, "earlier"));
        assert_eq!(parse(&here, Age::ThisBoot), Some(model()));
        assert_eq!(parse(&earlier, Age::ThisBoot), None);
        assert_eq!(parse(&earlier, Age::AnyBoot), Some(model()));
        let other = text("nemesis 0.0.0\nprocessor x 1", &this_boot());
        assert_eq!([parse(&other, Age::AnyBoot), parse("", Age::AnyBoot)], [None; 2]);
        assert_eq!(parse(&here.replacen("\nboot ", "\n", 1), Age::AnyBoot), None);
    }

    #[test]
    fn a_failed_measurement_counts_for_a_while() {
        let text = |boot: &str| format!("{}\nboot {boot}\n{}", this_processor(), write(&model()));
        let found = |boot: &str, is_fresh| current(&Stored { text: text(boot), is_fresh });
        assert_eq!([found(NO_BOOT, true), found(NO_BOOT, false)], [Some(model()), None]);
        let here = this_boot();
        assert_eq!([found(&here, true), found(&here, false)], [Some(model()); 2]);

        let file = std::env::temp_dir().join(format!("nemesis-fresh-{}", std::process::id()));
        std::fs::write(&file, text(NO_BOOT)).unwrap();
        let read =
            || read_file(&file).map(|stored| (stored.text == text(NO_BOOT), stored.is_fresh));
        assert_eq!(read(), Some((true, true)));
        let now = std::time::SystemTime::now();
        for written in [now - RETRY_INTERVAL, now + Duration::from_secs(3600)] {
            let opened = std::fs::File::options().write(true).open(&file).unwrap();
            opened.set_modified(written).unwrap();
            assert_eq!(read(), Some((true, false)));
        }
        std::fs::remove_file(file).unwrap();
    }

    #[test]
    fn a_file_is_there_as_a_whole() {
        let folder = std::env::temp_dir().join(format!("nemesis-machine-{}", std::process::id()));
        let file = folder.join("below").join("machine-here.org");
        for text in ["one", "other"] {
            replace(&file, text).unwrap();
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        }
        // Another user's link under the draft's name is not followed.
        let victim = folder.join("victim");
        std::fs::write(&victim, "intact").unwrap();
        let draft = format!("{}.{}", file.display(), std::process::id());
        std::os::unix::fs::symlink(&victim, draft).unwrap();
        replace(&file, "third").unwrap();
        assert_eq!(std::fs::read_to_string(&victim).unwrap(), "intact");
        let files = std::fs::read_dir(file.parent().unwrap()).unwrap().count();
        assert_eq!(files, 1, "no draft is left");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
