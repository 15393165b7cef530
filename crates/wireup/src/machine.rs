//! Measurements of this machine, kept for later jobs in `$XDG_CACHE_HOME/nemesis/machine-HOST`, or
//! below `~/.cache`.
//!
//! ```text
//!   nemesis 0.1.0
//!   processor AuthenticAMD a10f11
//!   read 7.9
//!   taken 1.6
//! ```
//!
//! Another version of the library measures again, and so does another processor under this host
//! name, as of a migrated virtual machine. A process that cannot read or write the file works
//! without it, so nothing here is an error.

use nemesis_sys::host;
use nemesis_sys::processor::{self, LineTransfer};
use std::path::{Path, PathBuf};

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
    Some(caches.join("nemesis").join(format!("machine-{host}")))
}

/// Returns the measurement of this machine; calls `measure` if there is none.
pub fn known(measure: impl FnOnce() -> Option<LineTransfer>) -> Option<LineTransfer> {
    remembered().or_else(|| {
        let line_transfer = measure()?;
        remember(line_transfer);
        Some(line_transfer)
    })
}

/// Returns the measurement that this version has stored.
pub fn remembered() -> Option<LineTransfer> {
    read(&std::fs::read_to_string(file()?).ok()?, &heading())
}

/// Stores a measurement.
fn remember(line_transfer: LineTransfer) {
    if let Some(file) = file() {
        let _ = write(
            &file,
            &format!(
                "{}read {:.2}\ntaken {:.2}\n",
                heading(),
                line_transfer.read,
                line_transfer.claimed
            ),
        );
    }
}

/// Replaces the file atomically: a reader finds all of it, or nothing.
fn write(file: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut draft = file.as_os_str().to_owned();
    draft.push(format!(".{}", std::process::id()));
    std::fs::write(&draft, text)
        .and_then(|()| std::fs::rename(&draft, file))
        .inspect_err(|_| _ = std::fs::remove_file(&draft))
}

fn heading() -> String {
    format!("nemesis {}\nprocessor {}\n", env!("CARGO_PKG_VERSION"), processor::model())
}

fn read(text: &str, heading: &str) -> Option<LineTransfer> {
    let mut lines = text.strip_prefix(heading)?.lines();
    let mut number = |name: &str| -> Option<f64> {
        lines.next()?.strip_prefix(name)?.strip_prefix(' ')?.parse().ok()
    };
    Some(LineTransfer { read: number("read")?, claimed: number("taken")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_measured_is_read_back_by_the_same_version_on_the_same_processor() {
        let heading = "nemesis 1\nprocessor x 1\n";
        let text = format!("{heading}read 7.90\ntaken 1.55\n");
        assert_eq!(read(&text, heading), Some(LineTransfer { read: 7.9, claimed: 1.55 }));
        for other in [
            "nemesis 2\nprocessor x 1\n",
            "nemesis 1\nprocessor x 2\n",
            "nemesis 1\nprocessor x 1\nand",
        ] {
            assert_eq!(read(&text, other), None);
        }
        for broken in ["", "read", "read x\ntaken 1", "read 1\ntake 2", "taken 1\nread 2"] {
            assert_eq!(read(&format!("{heading}{broken}"), heading), None, "{broken}");
        }
    }

    #[test]
    fn a_file_is_there_as_a_whole() {
        let folder = std::env::temp_dir().join(format!("nemesis-machine-{}", std::process::id()));
        let file = folder.join("below").join("machine-here.org");
        for text in ["one", "other"] {
            write(&file, text).unwrap();
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        }
        assert_eq!(
            std::fs::read_dir(file.parent().unwrap()).unwrap().count(),
            1,
            "no draft is left"
        );
        std::fs::remove_dir_all(folder).unwrap();
    }
}
