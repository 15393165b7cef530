//! The file that `NEMESIS_TUNING` names: choices of algorithms, for sites and users that keep them.
//!
//! ```text
//! # Long vectors cross the network once.
//! allreduce  halving:65536-, recursive_doubling
//! bcast      binomial_tree:0-4095
//! protocol   stream:0-8191
//! ```
//!
//! A line has the name of a collective operation, or `protocol` for point-to-point messages, and
//! rules as its variable in the environment has them (`NEMESIS_PROTOCOL`). Several lines of one
//! operation add up. `#` begins a comment. A variable of the environment takes the place of the
//! lines of its operation.
//!
//! Every process reads the file when MPI starts. All processes must choose alike, but hosts may
//! have different files of one name. So processes of several hosts compare their choices when MPI
//! starts (`nemesis_mpi::agreement`), and members of a node when they make a collective segment
//! (`setup`).

use crate::abi;
use crate::error::{Error, Outcome};
use crate::forced::OPERATIONS;
use crate::operations::{ALL, parse};
use nemesis::protocols::parse_forced;
use nemesis::tunables::{PROTOCOL, TUNING};
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::os::unix::fs::FileTypeExt;
use std::sync::OnceLock;

/// The word of lines for the protocols of point-to-point messages.
const PROTOCOL_WORD: &str = "protocol";
/// Longest file. A longer one is another file by mistake.
const FILE_MAX_BYTES: u64 = 1 << 20;

/// The rules of the file, in the form of the variables of the environment: by operation, and last
/// those for protocols.
#[derive(Debug, Default)]
struct Tuning {
    rules: [String; OPERATIONS + 1],
}

/// Returns the rules that the file has for an operation, or after the last one for protocols. Empty
/// if there is no file, or if it has an error, which [`check`] returns.
fn rules(index: usize) -> &'static str {
    tuning().as_ref().map_or("", |tuning| &tuning.rules[index])
}

/// Returns an error if the file cannot be read or has a line without sense.
pub fn check() -> Outcome {
    let error = |why: &String| {
        Error::new(abi::MPI_ERR_ARG, why.clone())
            .advise(format!("unset {}, or mend the file; nemesis(7) describes it", TUNING.name))
    };
    tuning().as_ref().map(drop).map_err(error)
}

/// Returns the file's rules. The first call reads the file.
fn tuning() -> &'static Result<Tuning, String> {
    static TEXT: OnceLock<Result<Tuning, String>> = OnceLock::new();
    TEXT.get_or_init(|| match std::env::var(TUNING.name) {
        Ok(file) if !file.is_empty() => {
            let text = read(&file).map_err(|error| format!("{}={file}: {error}", TUNING.name))?;
            parse_file(&text).map_err(|(line, why)| format!("{file}, line {line}: {why}"))
        }
        _ => Ok(Tuning::default()),
    })
}

/// Reads a file of choices.
///
/// # Errors
///
/// The file cannot be read, is a pipe (whose writer the open would wait for), or is longer than
/// [`FILE_MAX_BYTES`].
fn read(file: &str) -> io::Result<String> {
    let invalid = |why: String| io::Error::new(ErrorKind::InvalidInput, why);
    if fs::metadata(file)?.file_type().is_fifo() {
        return Err(invalid("it is a pipe, and every process has to read it".to_owned()));
    }
    let mut text = Vec::new();
    fs::File::open(file)?.take(FILE_MAX_BYTES + 1).read_to_end(&mut text)?;
    if text.len() as u64 > FILE_MAX_BYTES {
        return Err(invalid(format!("it has more than {FILE_MAX_BYTES} bytes")));
    }
    String::from_utf8(text).map_err(|_| invalid("it is no text in UTF-8".to_owned()))
}

/// Parses the text of a file. The error is a line's number, and what is wrong with it.
fn parse_file(text: &str) -> Result<Tuning, (usize, String)> {
    let mut tuning = Tuning::default();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        let (word, rules) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if !word.is_empty() {
            add(&mut tuning, word, rules.trim()).map_err(|why| (number, why))?;
        }
    }
    Ok(tuning)
}

/// Adds a line.
fn add(tuning: &mut Tuning, word: &str, rules: &str) -> Result<(), String> {
    let operation = ALL.iter().position(|operation| operation.name == word);
    let (index, count) = match operation {
        Some(index) => (index, parse(index, rules)?.len()),
        None if word == PROTOCOL_WORD => (OPERATIONS, parse_forced(rules)?.len()),
        None => {
            let names = ALL.map(|operation| operation.name).join(", ");
            return Err(format!(
                "a line begins with one of {names}, {PROTOCOL_WORD}, not with {word:?}"
            ));
        }
    };
    if count == 0 {
        return Err(format!(
            "{word} needs rules, such as NAME:4096- for lengths from 4096 bytes on"
        ));
    }
    let all = &mut tuning.rules[index];
    if !all.is_empty() {
        all.push(',');
    }
    all.push_str(rules);
    Ok(())
}

/// Returns the rules of an operation's variable in the environment, or else those of the file;
/// after the last operation those for protocols.
pub fn from_environment(index: usize) -> String {
    let variable = ALL.get(index).map_or(PROTOCOL.name, |operation| operation.variable);
    std::env::var(variable).unwrap_or_else(|_| rules(index).to_owned())
}

/// Returns the rules of protocols in the environment, or else those of the file.
pub fn protocols_from_environment() -> String {
    from_environment(OPERATIONS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd;

    #[test]
    fn lines_of_an_operation_add_up() {
        let tuning = parse_file(
            "# all\n\n  bcast binomial_tree:8-  # l\nreduce\thalving\nbcast staged , staged:1-2\n",
        )
        .unwrap();
        assert_eq!(tuning.rules[1], "binomial_tree:8-,staged , staged:1-2");
        assert_eq!(tuning.rules[2], "halving");
        assert!(tuning.rules[3].is_empty());
    }

    #[test]
    fn no_file_keeps_a_process_waiting() {
        assert_eq!(read("/dev/null").unwrap(), "");
        assert!(read("/dev/zero").unwrap_err().to_string().contains("more than 1048576 bytes"));
        assert!(read("/tmp").is_err());
        let (pipe, _writer) = io::pipe().unwrap();
        let refused = read(&format!("/proc/self/fd/{}", pipe.as_raw_fd())).unwrap_err();
        assert!(refused.to_string().contains("a pipe"), "{refused}");
    }

    #[test]
    fn an_error_names_the_line_and_what_is_allowed() {
        for (text, line, words) in [
            ("bcast staged\nbroadcast staged", 2, "barrier, bcast, reduce"),
            ("\n\nallreduce rings", 3, "recursive_doubling"),
            ("bcast", 1, "needs rules"),
            ("protocol nothing", 1, "protocol"),
            ("bcast staged:9-1", 1, "range of lengths"),
        ] {
            let (number, why) = parse_file(text).unwrap_err();
            assert!(number == line && why.contains(words), "{number} {why}");
        }
    }
}
