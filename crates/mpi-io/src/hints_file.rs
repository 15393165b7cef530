//! The file of hints that the environment names, as ROMIO has it.
//!
//! `ROMIO_HINTS` is the path of a file whose lines are `KEY VALUE`, separated by spaces or tabs. A
//! line that begins with `#` is a comment. If the variable is not set, or the file cannot be read,
//! `/etc/romio-hints` is such a file. The hints of the program's info come first, and the first
//! line of a key counts. Rank 0 reads the file whenever a file is opened. What is wrong in it is
//! ignored, and told once.

use crate::hints;
use crate::info::Info;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The variable that names the file.
const VARIABLE: &str = "ROMIO_HINTS";
/// The file of a host whose administrator has written one.
const USUAL_FILE: &str = "/etc/romio-hints";
/// Longest file that is read.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// What has been told last, so that it is not told for each file that is opened.
static TOLD: Mutex<String> = Mutex::new(String::new());

/// Adds the hints of the file that the environment names to those of the program. Rank 0 calls
/// this, because its hints count.
pub fn complete(info: &mut Info) {
    let mut wrong = Vec::new();
    let mut read = |path: &Path| match text_of(path) {
        Ok(text) => {
            wrong.extend(
                add(&text, info).into_iter().map(|why| format!("{}: {why}", path.display())),
            );
            true
        }
        Err(why) => {
            wrong.push(format!("{}: {why}", path.display()));
            false
        }
    };
    let named = std::env::var_os(VARIABLE).filter(|path| !path.is_empty());
    let has_read = named.is_some_and(|path| read(Path::new(&path)));
    if !has_read && Path::new(USUAL_FILE).exists() {
        read(Path::new(USUAL_FILE));
    }
    if !wrong.is_empty() {
        tell(&wrong);
    }
}

/// Prints what is wrong, unless it was printed before.
#[cold]
fn tell(wrong: &[String]) {
    let text = format!(
        "nemesis: some hints for files are ignored\n  why   {}\n  \
         try   a readable file of lines KEY VALUE, with keys that the chapter \"Files\" of the \
         book lists\n",
        wrong.join("\n        ")
    );
    let mut told = TOLD.lock().unwrap_or_else(PoisonError::into_inner);
    if *told != text {
        eprint!("{text}");
        *told = text;
    }
}

/// Returns the text of a file of hints, or why it cannot be read.
fn text_of(path: &Path) -> Result<String, String> {
    let length = std::fs::metadata(path).map_err(|why| why.to_string())?;
    if !length.is_file() || length.len() > FILE_BYTES_MAX {
        return Err(format!("no regular file of at most {FILE_BYTES_MAX} bytes"));
    }
    std::fs::read_to_string(path).map_err(|why| match why.kind() {
        ErrorKind::InvalidData => "no text".to_owned(),
        _ => why.to_string(),
    })
}

/// Adds the hints of a text that the info does not have, and returns what is wrong.
fn add(text: &str, info: &mut Info) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut words = line.split([' ', '\t', '\r']).filter(|word| !word.is_empty());
        let Some(key) = words.next().filter(|key| !key.starts_with('#')) else { continue };
        let why = match (words.next(), words.next()) {
            (None, _) => format!("{key:?} has no value"),
            (Some(_), Some(further)) => format!("{further:?} follows the value of {key:?}"),
            (Some(value), None) => match hints::fault_of(key, value) {
                Some(fault) => fault,
                None => {
                    if info.get(key).is_none() {
                        info.set(key, value);
                    }
                    continue;
                }
            },
        };
        wrong.push(format!("line {number}: {why}"));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_of_the_program_and_first_lines_count() {
        let mut info = Info::default();
        info.set("cb_nodes", "3");
        let text = "# cb_nodes 1\n\n\tcb_buffer_size \t 65536\r\ncb_nodes 7\n  # x\n\
                    cb_buffer_size 4096\nromio_cb_read enable";
        assert_eq!(add(text, &mut info), Vec::<String>::new());
        assert_eq!(info.get("cb_nodes"), Some("3"));
        assert_eq!(info.get("cb_buffer_size"), Some("65536"));
        assert_eq!(info.get("romio_cb_read"), Some("enable"));
    }

    #[test]
    fn wrong_lines_are_named_and_the_others_count() {
        let mut info = Info::default();
        let text = "cb_nodes\ncb_node 2\ncb_nodes = 2\ncb_nodes -2\nromio_cb_write maybe\n\
                    striping_unit 4096\n";
        let wrong = add(text, &mut info);
        for (line, words) in [
            "line 1: \"cb_nodes\" has no value",
            "line 2: there is no hint \"cb_node\"",
            "line 3: \"2\" follows the value of \"cb_nodes\"",
            "line 4: \"cb_nodes\" cannot be \"-2\"",
            "line 5: \"romio_cb_write\" cannot be \"maybe\"",
        ]
        .iter()
        .enumerate()
        {
            assert!(wrong[line].starts_with(words), "{}", wrong[line]);
        }
        assert_eq!((wrong.len(), info.get("striping_unit")), (5, Some("4096")));
        assert_eq!(info.get("cb_nodes"), None);
    }
}
