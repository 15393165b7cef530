//! The words of `-output` and `-display`.

use super::reader::Global;
use crate::labels::Pattern;
use crate::launch_error::LaunchError;

/// The words of `-output`, for messages.
const WORDS: &str = "tag, rank, timestamp, merge, dir=DIR or file=NAME, with :nocopy after a name";

/// Reads the words of `-output`.
///
/// # Errors
///
/// Returns a message about a word that means nothing.
pub fn words(text: &str, global: &mut Global) -> Result<(), LaunchError> {
    for word in text.split(',').filter(|word| !word.is_empty()) {
        let unknown =
            || LaunchError::new(format!("-output {text}: {word:?} is not one of its words"), WORDS);
        let (word, marks) = match word.split_once(':') {
            Some((word, marks)) => (word, marks),
            None => (word, ""),
        };
        let copies = match marks.to_ascii_lowercase().as_str() {
            "" | "copy" | "nojobid" => true,
            "nocopy" | "nojobid:nocopy" | "nocopy:nojobid" => false,
            _ => return Err(unknown()),
        };
        match word.split_once('=') {
            Some(("dir" | "directory", folder)) if !folder.is_empty() => {
                files(global, copies, &format!("{folder}/"), ["rank.%r/stdout", "rank.%r/stderr"])?;
            }
            Some(("file", name)) if !name.is_empty() => {
                files(global, copies, name, [".%r.out", ".%r.err"])?;
            }
            None => match word {
                "tag" | "rank" | "tag-detailed" | "tag-fullname" => {
                    global.output.prefix = Some(Pattern::read("output", "[%r] ")?);
                }
                "timestamp" => global.output.times = true,
                "merge" => global.merges = true,
                "copy" => global.output.copies = true,
                "nocopy" => global.output.copies = false,
                _ => return Err(unknown()),
            },
            Some(_) => return Err(unknown()),
        }
    }
    Ok(())
}

/// Sets the files of output.
fn files(
    global: &mut Global,
    copies: bool,
    before: &str,
    after: [&str; 2],
) -> Result<(), LaunchError> {
    for (file, after) in global.output.files.iter_mut().zip(after) {
        *file = Some(Pattern::after(before, &Pattern::read("output", after)?));
    }
    (global.output.makes_folders, global.output.copies) = (true, copies);
    Ok(())
}

/// Reads the words of `-display`.
///
/// # Errors
///
/// Returns a message about a word that means nothing.
pub fn display(text: &str, global: &mut Global) -> Result<(), LaunchError> {
    for word in text.split([',', ':']).filter(|word| !word.is_empty()) {
        match word.to_ascii_lowercase().as_str() {
            "map" | "map-devel" => global.display.map = true,
            "bind" | "bindings" => global.tells_bindings = true,
            "allocation" | "alloc" => global.display.allocation = true,
            "parseable" | "parsable" => {}
            "topo" | "topo-all" => global.unused.push("-display topo".into()),
            _ => {
                let what = format!("-display {text}: {word:?} is not one of its words");
                return Err(LaunchError::new(what, "map, bind or allocation"));
            }
        }
    }
    Ok(())
}
