//! What `-help` prints, the table of options in the book, and the message about an unknown option.

use super::completion;
use super::table::{Group, Row, Verdict, groups, rows};
use crate::launch_error::LaunchError;
use nemesis_sys::spelling;
use std::fmt::Write;

/// The end of the help.
const AFTERWORD: &str = "
One dash or two are equivalent, and -option=value is -option value. Examples:

  mpiexec -n 4 ./a.out                                this host
  mpiexec -hosts h1,h2:3 -n 4 ./a.out                 rank 0 on h1, three on h2
  mpiexec -f hosts -ppn 2 ./a.out                     two on each host of a file
  mpiexec -n 1 ./server : -n 3 ./client               two programs, one job
  mpiexec --agent \"ip netns exec {host} {cmd}\" ...    not by ssh

SIGUSR1 or Ctrl-\\ prints what every rank is doing; ranks that handle SIGUSR1
get it, too.
Ctrl-\\ twice within two seconds ends the job. The exit code is that of the first
rank that failed, or 128 + N if signal N killed it; 124 after a time limit.
`mpiexec -help moving` lists what is accepted of other launchers without effect,
and `mpiexec -help refused` what to use instead of the rest.
";

/// The topics whose groups the whole help leaves out.
const FOREIGN: [&str; 2] = ["moving", "refused"];

/// Returns the message about an unknown option, with the nearest known name.
pub fn unknown(word: &str, name: &str) -> LaunchError {
    let known =
        rows().filter(|row| row.verdict() != Verdict::Refused).flat_map(|row| row.names).copied();
    let advice = match spelling::nearest(name, known) {
        Some((distance, known)) if distance <= 1 + name.len() / 3 => {
            format!("-{known}, or mpiexec -help for all options")
        }
        _ => "mpiexec -help, which lists them".to_owned(),
    };
    LaunchError::new(format!("unknown option {word}"), advice)
}

/// Columns of the help.
const HELP_COLUMNS: usize = 80;
/// Column at which the texts of the options begin.
const TEXT_COLUMN: usize = 30;

/// Returns the text of `-help`, in lines of at most [`HELP_COLUMNS`].
pub fn help() -> String {
    let mut text = String::from(
        "mpiexec [options] program [arguments] [ : [options] program [arguments] ] ...\n",
    );
    for group in groups().filter(|group| !FOREIGN.contains(&group.topic)) {
        text += &shown(group.title, group.rows.iter());
    }
    text + AFTERWORD
}

/// Returns the text of `-help TOPIC`: the group of that name, or the option.
///
/// # Errors
///
/// Returns a message if there is neither.
pub fn on_topic(topic: &str) -> Result<String, LaunchError> {
    match topic {
        "table" => return Ok(table()),
        "completion" => return Ok(completion::script()),
        _ => {}
    }
    let name = topic.trim_start_matches('-');
    if let Some(group) = groups().find(|group| group.topic == name) {
        return Ok(shown(group.title, group.rows.iter()).trim_start().to_owned());
    }
    let row = rows().find(|row| row.names.contains(&name)).ok_or_else(|| {
        let topics: Vec<&str> = groups().map(|group| group.topic).collect();
        let what = format!("-help {topic}: there is no such topic or option");
        LaunchError::new(
            what,
            format!("an option, table, completion, or one of {}", topics.join(", ")),
        )
    })?;
    let title = match row.verdict() {
        Verdict::Done => "Option",
        Verdict::Accepted => "Option without effect here",
        Verdict::Refused => "Refused option; use instead",
    };
    let example = match row.example {
        "" => String::new(),
        example => format!("\nExample: mpiexec {example}\n"),
    };
    Ok(shown(title, std::iter::once(row)).trim_start().to_owned() + &example)
}

/// Returns a title and its options.
fn shown<'a>(title: &str, rows: impl Iterator<Item = &'a Row>) -> String {
    // Writing to a String does not fail.
    let mut text = format!("\n{title}:\n");
    for row in rows {
        let names: Vec<String> = row.names.iter().map(|name| format!("-{name}")).collect();
        let mut lines = wrapped(&names.join(", "), HELP_COLUMNS - 2);
        let last = lines.pop().unwrap_or_default();
        lines.iter().for_each(|line| text += &format!("  {line}\n"));
        let mut front = format!("  {last} {}", row.values);
        if front.len() > TEXT_COLUMN - 2 {
            let _ = writeln!(text, "{}", front.trim_end());
            front.clear();
        }
        for line in wrapped(row.text, HELP_COLUMNS - TEXT_COLUMN) {
            let _ = writeln!(text, "{front:<TEXT_COLUMN$}{line}");
            front.clear();
        }
    }
    text
}

/// Columns of the book.
const BOOK_COLUMNS: usize = 100;

/// Returns the table of all options in Markdown, as the book has it.
fn table() -> String {
    let tables: Vec<String> = groups().map(table_of).collect();
    tables.join("\n")
}

/// Returns the options of a group as a list in Markdown.
fn table_of(group: &Group) -> String {
    let mut text = format!("### {}\n\n", group.title);
    for row in group.rows {
        let names: Vec<String> = row.names.iter().map(|name| format!("`-{name}`")).collect();
        let values = match row.values {
            "" => String::new(),
            values => format!(" `{values}`"),
        };
        let verdict = match row.verdict() {
            Verdict::Done => "done",
            Verdict::Accepted => "no effect",
            Verdict::Refused => "refused, use instead",
        };
        let example = match row.example {
            "" => String::new(),
            example => format!("; for example `mpiexec {example}`"),
        };
        let item = format!("{}{values}: **{verdict}**: {}{example}", names.join(", "), row.text);
        for (number, line) in wrapped(&item, BOOK_COLUMNS - 2).iter().enumerate() {
            let _ = writeln!(text, "{} {line}", if number == 0 { "-" } else { " " });
        }
    }
    text
}

/// Returns `text` in lines of at most `columns` characters, broken at spaces.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.len() - 1;
        if lines[line].is_empty() {
            lines[line].push_str(word);
        } else if lines[line].len() + 1 + word.len() <= columns {
            lines[line] += " ";
            lines[line] += word;
        } else {
            lines.push(word.into());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_fits_a_terminal() {
        let topics = groups().map(|group| on_topic(group.topic).unwrap());
        for text in topics.chain([help()]) {
            let long: Vec<&str> =
                text.lines().filter(|line| line.chars().count() > HELP_COLUMNS).collect();
            assert!(long.is_empty(), "{long:#?}");
        }
    }

    #[test]
    fn every_option_has_a_topic_and_a_place_in_the_table() {
        let table = table();
        for name in rows().flat_map(|row| row.names) {
            assert!(on_topic(name).unwrap().contains(&format!("-{name}")));
            assert!(table.contains(&format!("`-{name}`")));
        }
        let why = on_topic("moon").unwrap_err();
        assert!(why.what.contains("moon") && why.advice.contains("binding"), "{why}");
    }

    #[test]
    fn no_name_stands_twice() {
        let mut names: Vec<&str> = rows().flat_map(|row| row.names).copied().collect();
        names.sort_unstable();
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }

    #[test]
    fn text_is_broken_at_spaces() {
        assert_eq!(wrapped("one two three four", 9), ["one two", "three", "four"]);
        assert_eq!(wrapped("a-long-word b", 5), ["a-long-word", "b"]);
        assert_eq!(wrapped("", 5), [""]);
    }
}
