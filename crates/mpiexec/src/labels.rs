//! Patterns for what stands before a line of output and for names of files of output.
//!
//! ```text
//!   %r  rank    %h  host    %p  number of the host    %g  number of the program    %n  ranks
//! ```

use crate::launch_error::LaunchError;
use nemesis_sys::calendar;
use std::rc::Rc;
use std::time::{SystemTime, UNIX_EPOCH};

/// What a pattern can name.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Text(String),
    Rank,
    Host,
    Node,
    Program,
    Size,
}

/// A text with places for facts of a rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern(Vec<Part>);

/// What is known of a rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankFacts {
    pub rank: u32,
    pub host: String,
    /// The number of the host, in the order in which ranks use hosts.
    pub node: usize,
    pub program: u32,
    /// The number of ranks of the job.
    pub size: u32,
}

impl Pattern {
    /// Reads a pattern, the value of `option`.
    ///
    /// # Errors
    ///
    /// Returns a message about a letter after `%` that means nothing.
    pub fn read(option: &str, text: &str) -> Result<Pattern, LaunchError> {
        let mut parts = Vec::new();
        let mut letters = text.chars();
        let mut plain = String::new();
        while let Some(letter) = letters.next() {
            let part = match (letter, if letter == '%' { letters.next() } else { None }) {
                ('%', Some('r')) => Part::Rank,
                ('%', Some('h')) => Part::Host,
                ('%', Some('p')) => Part::Node,
                ('%', Some('g')) => Part::Program,
                ('%', Some('n')) => Part::Size,
                ('%', Some('%')) => {
                    plain.push('%');
                    continue;
                }
                ('%', other) => {
                    let other = other.map_or(String::new(), String::from);
                    return Err(LaunchError::new(
                        format!("-{option} {text}: %{other} means nothing"),
                        "%r for the rank, %h for its host, %p for the host's number, %g for the \
                         program's number, %n for the number of ranks, %% for %",
                    ));
                }
                _ => {
                    plain.push(letter);
                    continue;
                }
            };
            if !plain.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut plain)));
            }
            parts.push(part);
        }
        if !plain.is_empty() {
            parts.push(Part::Text(plain));
        }
        Ok(Pattern(parts))
    }

    /// Returns a pattern of a text that may contain anything, and the pattern `rest` after it.
    pub fn after(text: &str, rest: &Pattern) -> Pattern {
        let mut parts = vec![Part::Text(text.to_owned())];
        parts.extend(rest.0.iter().cloned());
        Pattern(parts)
    }

    /// Returns the text for a rank of a job with `size` ranks.
    pub fn fill(&self, facts: &RankFacts) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Rank => facts.rank.to_string(),
            Part::Host => facts.host.clone(),
            Part::Node => facts.node.to_string(),
            Part::Program => facts.program.to_string(),
            Part::Size => facts.size.to_string(),
        };
        self.0.iter().map(part).collect()
    }
}

/// The places of all ranks of a job.
#[derive(Debug)]
pub struct RankTable {
    hosts: Vec<String>,
    /// By rank: the number of its host, and that of its program.
    of_rank: Vec<(u32, u32)>,
}

impl RankTable {
    /// Makes the table of a job of `size` ranks, from the ranks of each host.
    pub fn new<'a>(
        size: u32,
        shares: impl IntoIterator<Item = (&'a str, Vec<u32>)>,
        program_of: impl Fn(u32) -> u32,
    ) -> RankTable {
        let mut hosts = Vec::new();
        let mut of_rank = vec![(0, 0); size as usize];
        for (host, ranks) in shares {
            for rank in ranks {
                of_rank[rank as usize] = (hosts.len() as u32, program_of(rank));
            }
            hosts.push(host.to_owned());
        }
        RankTable { hosts, of_rank }
    }
}

/// What stands before each line of output.
#[derive(Clone, Debug)]
pub struct Label {
    table: Rc<RankTable>,
    prefix: Option<Pattern>,
    /// Whether the time comes first.
    times: bool,
}

impl Label {
    /// Makes a label of a prefix and, with `times`, the time.
    pub fn new(table: Rc<RankTable>, prefix: Option<Pattern>, times: bool) -> Label {
        Label { table, prefix, times }
    }

    /// Returns whether anything stands before a line.
    pub fn is_shown(&self) -> bool {
        self.prefix.is_some() || self.times
    }

    /// Returns the number of ranks.
    pub fn ranks(&self) -> u32 {
        self.table.of_rank.len() as u32
    }

    /// Returns what is known of a rank.
    pub fn facts(&self, rank: u32) -> RankFacts {
        let (node, program) = self.table.of_rank[rank as usize];
        let host = self.table.hosts[node as usize].clone();
        RankFacts { rank, host, node: node as usize, program, size: self.ranks() }
    }

    /// Returns the text before a line of `rank` that is printed now.
    pub fn text(&self, rank: u32) -> String {
        let time = if self.times { now() + " " } else { String::new() };
        let prefix = self.prefix.as_ref().map(|prefix| prefix.fill(&self.facts(rank)));
        time + &prefix.unwrap_or_default()
    }
}

/// Returns the present time as RFC 3339 writes it, in UTC and milliseconds.
pub fn now() -> String {
    calendar::rfc3339(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_filled() {
        let facts = RankFacts { rank: 3, host: "node7".into(), node: 1, program: 2, size: 8 };
        let fill = |text| Pattern::read("x", text).unwrap().fill(&facts);
        assert_eq!(fill("out.%r"), "out.3");
        assert_eq!(fill("%h-%p-%g-%n%%r"), "node7-1-2-8%r");
        assert_eq!(fill(""), "");
        let after = Pattern::after("50%r/", &Pattern::read("x", "rank.%r").unwrap());
        assert_eq!(after.fill(&facts), "50%r/rank.3");
        for wrong in ["%", "a%x"] {
            let error = Pattern::read("prepend-pattern", wrong).unwrap_err();
            assert!(error.what.contains("means nothing"), "{error}");
        }
    }
}
