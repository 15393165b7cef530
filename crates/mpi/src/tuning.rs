//! The file that `NEMESIS_TUNING` names: choices of algorithms, for sites and users that keep them.
//!
//! ```text
//! # Long vectors cross the network once.
//! allreduce  halving:65536-, recursive_doubling
//! bcast      binomial_tree:0-4095
//! ```
//!
//! A line has the name of a collective operation and rules as its variable in the environment has
//! them. Several lines of one operation add up. `#` begins a comment. A variable of the environment
//! takes the place of the lines of its operation.
//!
//! Every process reads the file when MPI starts. All processes must choose alike, but hosts may
//! have different files of one name. So each process that has choices compares them with those of
//! the next rank (processes of several hosts do it by their cards), and members of a node compare
//! them when they make a collective segment (`nemesis_mpi_coll::setup`).

use crate::abi;
use crate::coll::forced;
use crate::coll::operations::{ALL, parse};
use crate::error::{Error, Outcome};
use nemesis::tunables::TUNING;
use nemesis_wireup::Wireup;
use std::sync::OnceLock;

/// The rules of the file, by operation, in the form of the variables of the environment.
#[derive(Debug, Default)]
struct Tuning {
    algorithms: [String; forced::OPERATIONS],
}

/// Returns the rules that the file has for an operation. Empty if there is no file, or if it has an
/// error, which [`check`] returns.
pub fn algorithms(index: usize) -> &'static str {
    tuning().as_ref().map_or("", |tuning| &tuning.algorithms[index])
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
            let text = std::fs::read_to_string(&file)
                .map_err(|error| format!("{}={file}: {error}", TUNING.name))?;
            parse_file(&text).map_err(|(line, why)| format!("{file}, line {line}: {why}"))
        }
        _ => Ok(Tuning::default()),
    })
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
    let Some(index) = ALL.iter().position(|operation| operation.name == word) else {
        let names = ALL.map(|operation| operation.name).join(", ");
        return Err(format!("a line begins with one of {names}, not with {word:?}"));
    };
    if parse(index, rules)?.is_empty() {
        return Err(format!(
            "{word} needs rules, such as NAME:4096- for lengths from 4096 bytes on"
        ));
    }
    let all = &mut tuning.algorithms[index];
    if !all.is_empty() {
        all.push(',');
    }
    all.push_str(rules);
    Ok(())
}

/// The name under which a process publishes the digest of its choices.
const CARD: &str = "choices";

/// Publishes what this process chooses, for [`compare`].
pub fn publish(wireup: &mut Wireup) {
    if forced::are_any() {
        wireup.publish(CARD, &forced::digest(None).to_le_bytes());
    }
}

/// Compares the choices of this process with those of the next rank, if it has any. If two
/// processes of the job differ, then so do two neighbours of which the first has choices.
pub fn compare(wireup: &Wireup) -> Outcome {
    if !forced::are_any() || wireup.local_size() == wireup.size() {
        return Ok(());
    }
    let next = (wireup.rank() + 1) % wireup.size();
    match wireup.directory().card_of(next, CARD) {
        Ok(Some(card)) if card == forced::digest(None).to_le_bytes() => Ok(()),
        Ok(_) => Err(Error::new(
            abi::MPI_ERR_OTHER,
            format!(
                "rank {} chooses other algorithms of collective operations than rank {next}, \
                 so the two would wait for each other",
                wireup.rank()
            ),
        )
        .advise(format!(
            "give all processes one value of {} and of the variables of operations, and all hosts \
             one file",
            TUNING.name
        ))),
        Err(error) => Err(Error::new(abi::MPI_ERR_OTHER, error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_an_operation_add_up() {
        let tuning = parse_file(
            "# all\n\n  bcast binomial_tree:8-  # l\nreduce\thalving\nbcast staged , staged:1-2\n",
        )
        .unwrap();
        assert_eq!(tuning.algorithms[1], "binomial_tree:8-,staged , staged:1-2");
        assert_eq!(tuning.algorithms[2], "halving");
        assert!(tuning.algorithms[3].is_empty());
    }

    #[test]
    fn an_error_names_the_line_and_what_is_allowed() {
        for (text, line, words) in [
            ("bcast staged\nbroadcast staged", 2, "barrier, bcast, reduce"),
            ("\n\nallreduce rings", 3, "recursive_doubling"),
            ("bcast", 1, "needs rules"),
            ("bcast staged:9-1", 1, "range of lengths"),
        ] {
            let (number, why) = parse_file(text).unwrap_err();
            assert!(number == line && why.contains(words), "{number} {why}");
        }
    }
}
