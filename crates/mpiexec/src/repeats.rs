//! Messages of the library that several ranks print alike: the first one is shown, and which other
//! ranks have printed it.
//!
//! A message of the library is a line that begins with `nemesis: ` and lines that begin with two
//! blanks, one of which names the process. It is written by one call of the kernel, so it arrives
//! in one piece; what does not is passed on as it is. Two messages are alike if they differ in the
//! process and in addresses only.

use nemesis_wireup::ranks::named;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::time::{Duration, Instant};

/// How a message of the library begins.
const BEGINNING: &[u8] = b"nemesis: ";
/// How its further lines begin.
const INDENT: &[u8] = b"  ";
/// How the line begins that names the process.
const WHO: &str = "  who ";
/// Time without a further repetition after which the repetitions are told.
const QUIET: Duration = Duration::from_millis(500);
/// Messages that are known at most, so that a program that prints ever new ones fills no memory.
const KNOWN_MAX: usize = 1000;

/// The messages that have been shown.
#[derive(Debug, Default)]
pub struct Repeats {
    shown: HashMap<String, Shown>,
    /// When the repetitions are told.
    due: Option<Instant>,
}

#[derive(Debug)]
struct Shown {
    first: u32,
    /// The first line, without its beginning.
    title: String,
    /// The ranks whose messages have been left out and not been told.
    others: BTreeSet<u32>,
}

impl Repeats {
    /// Returns what `rank` has written, whole lines, without the messages that another rank has
    /// printed before.
    pub fn without<'a>(&mut self, rank: u32, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        let repeated: Vec<Range<usize>> =
            messages(bytes).filter(|place| self.is_repeated(rank, &bytes[place.clone()])).collect();
        if repeated.is_empty() {
            return Cow::Borrowed(bytes);
        }
        self.due = Some(Instant::now() + QUIET);
        let (mut left, mut at) = (Vec::new(), 0);
        for place in repeated {
            left.extend_from_slice(&bytes[at..place.start]);
            at = place.end;
        }
        left.extend_from_slice(&bytes[at..]);
        Cow::Owned(left)
    }

    /// Returns whether a rank repeats the message of another one. Each message of one rank is
    /// shown.
    fn is_repeated(&mut self, rank: u32, message: &[u8]) -> bool {
        let text = String::from_utf8_lossy(message);
        let essence = essence(&text);
        let Some(shown) = self.shown.get_mut(&essence) else {
            if self.shown.len() < KNOWN_MAX {
                let title = text.lines().next().unwrap_or_default();
                let title = title.strip_prefix("nemesis: ").unwrap_or(title).to_owned();
                let shown = Shown { first: rank, title, others: BTreeSet::new() };
                self.shown.insert(essence, shown);
            }
            return false;
        };
        shown.first != rank && shown.others.insert(rank)
    }

    /// Returns when the repetitions are to be told, if there are any.
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Returns a line about each message that has been repeated since the last time.
    pub fn tell(&mut self) -> Vec<String> {
        self.due = None;
        let repeated = self.shown.values_mut().filter(|shown| !shown.others.is_empty());
        let mut lines: Vec<String> = repeated
            .map(|shown| {
                let ranks: Vec<u32> = std::mem::take(&mut shown.others).into_iter().collect();
                let title = &shown.title;
                let others = match ranks.as_slice() {
                    [_] => format!("{} has", named(&ranks)),
                    _ => {
                        let list = named(&ranks);
                        let list = list.strip_prefix("ranks ").unwrap_or(&list);
                        format!("{} other ranks ({list}) have", ranks.len())
                    }
                };
                format!("mpiexec: {others} printed the same message, left out here: {title}")
            })
            .collect();
        lines.sort_unstable();
        lines
    }
}

/// Returns the places of the messages of the library in whole lines.
fn messages(bytes: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let start = at;
            at = end_of_line(bytes, start);
            if !bytes[start..].starts_with(BEGINNING) {
                continue;
            }
            while bytes[at..].starts_with(INDENT) {
                at = end_of_line(bytes, at);
            }
            let message = &bytes[start..at];
            let names_process = message.windows(WHO.len()).any(|part| part == WHO.as_bytes());
            if names_process && message.ends_with(b"\n") {
                return Some(start..at);
            }
        }
        None
    })
}

/// Returns where the line after the one at `start` begins.
fn end_of_line(bytes: &[u8], start: usize) -> usize {
    let length = bytes[start..].iter().position(|&byte| byte == b'\n');
    length.map_or(bytes.len(), |length| start + length + 1)
}

/// Returns what two messages have in common that are alike: all but the process and addresses.
fn essence(message: &str) -> String {
    let mut essence = String::with_capacity(message.len());
    for line in message.lines().filter(|line| !line.starts_with(WHO)) {
        let mut parts = line.split("0x");
        essence.extend(parts.next());
        for part in parts {
            essence.push_str("0x");
            essence.push_str(part.trim_start_matches(|c: char| c.is_ascii_hexdigit()));
        }
        essence.push('\n');
    }
    essence
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(rank: u32, buffer: u32, count: u32) -> String {
        format!(
            "nemesis: MPI_ERR_BUFFER: no\n  what  MPI_Send(buf={buffer:#x}, count={count})\n  \
             who   rank {rank} on h, pid 1{rank}\n  why   it is null\n"
        )
    }

    #[test]
    fn a_message_is_shown_once_with_the_other_ranks() {
        let mut repeats = Repeats::default();
        let first = message(2, 0x7f00, 1);
        assert_eq!(repeats.without(2, first.as_bytes()), first.as_bytes());
        for rank in [0, 1, 3] {
            let text = format!("before\n{}after\n", message(rank, 0xabc + rank, 1));
            assert_eq!(&*repeats.without(rank, text.as_bytes()), b"before\nafter\n");
        }
        assert!(repeats.due().is_some());
        assert_eq!(
            repeats.tell(),
            ["mpiexec: 3 other ranks (0, 1, 3) have printed the same message, left out here: \
              MPI_ERR_BUFFER: no"]
        );
        assert!(repeats.tell().is_empty() && repeats.due().is_none());
        let later = message(7, 1, 1);
        assert!(repeats.without(7, later.as_bytes()).is_empty());
        assert!(repeats.tell()[0].starts_with("mpiexec: rank 7 has printed"));
    }

    #[test]
    fn what_differs_or_is_no_message_of_the_library_stays() {
        let mut repeats = Repeats::default();
        let first = message(0, 1, 1);
        repeats.without(0, first.as_bytes());
        let other_count = message(1, 1, 2);
        let again = message(0, 1, 1);
        let cut = &message(1, 1, 1)[..40];
        for (rank, text) in [
            (1, other_count.as_str()),
            (0, again.as_str()),
            (1, cut),
            (1, "nemesis: a line of the program\n  more\n"),
            (2, "nemesis: a line of the program\n  more\n"),
            (1, ""),
        ] {
            assert_eq!(repeats.without(rank, text.as_bytes()), text.as_bytes(), "{text}");
        }
        assert!(repeats.tell().is_empty());
    }
}
