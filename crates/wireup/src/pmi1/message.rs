//! The grammar of PMI-1 lines, for both ends.
//!
//! ```text
//!   line  = field *(1*SPACE field) LF          field = name '=' value
//! ```
//!
//! One field is `cmd` (`mcmd` begins a command of several lines). A value ends at a space. A
//! backslash before a space makes it part of the value, and remains in the value: the client that
//! wrote it removes it. A word without `=` is ignored. Lines of the other end are not trusted:
//! their length is limited, and every line is either fields or [`Malformed`].

use std::fmt::{self, Write};

/// Maximum bytes of a line. Clients of this library write at most `COMMAND_BYTES_MAX`; hydra keeps
/// values of 4000 bytes, as observed.
pub const LINE_BYTES_MAX: usize = 64 * 1024;

/// Why a line is not a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// The line has more than [`LINE_BYTES_MAX`] bytes.
    TooLong,
    /// The line is not UTF-8, or contains NUL.
    NotText,
    /// The line has no field `cmd` or `mcmd`.
    NoCommand,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Malformed::TooLong => write!(f, "a line of more than {LINE_BYTES_MAX} bytes"),
            Malformed::NotText => f.write_str("a line that is not text"),
            Malformed::NoCommand => f.write_str("a line without a command"),
        }
    }
}

/// A parsed line, which borrows the line.
///
/// # Examples
/// ```
/// use nemesis_wireup::pmi1::{Compose, LineBuffer, Message};
///
/// let mut lines = LineBuffer::default();
/// lines.push(Compose::command("get").field("key", "card-1").line().as_bytes());
/// let line = lines.next_line().unwrap().expect("the line is complete");
/// let message = Message::parse(&line).unwrap();
/// assert_eq!((message.command(), message.get("key")), ("get", Some("card-1")));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Message<'a> {
    line: &'a str,
    command: &'a str,
}

impl<'a> Message<'a> {
    /// Parses a line without its end.
    ///
    /// # Errors
    /// [`Malformed`] says why the line is not a command.
    pub fn parse(line: &'a [u8]) -> Result<Message<'a>, Malformed> {
        if line.len() > LINE_BYTES_MAX {
            return Err(Malformed::TooLong);
        }
        let line = std::str::from_utf8(line).map_err(|_| Malformed::NotText)?;
        if line.contains('\0') {
            return Err(Malformed::NotText);
        }
        let command = fields(line)
            .find(|(name, _)| matches!(*name, "cmd" | "mcmd"))
            .ok_or(Malformed::NoCommand)?
            .1;
        Ok(Message { line, command })
    }

    /// Returns the name of the command.
    pub fn command(&self) -> &'a str {
        self.command
    }

    /// Returns the value of a field.
    pub fn get(&self, name: &str) -> Option<&'a str> {
        fields(self.line).find(|field| field.0 == name).map(|field| field.1)
    }

    /// Returns the value of a field if it is a number.
    pub fn number(&self, name: &str) -> Option<i64> {
        self.get(name)?.parse().ok()
    }

    /// Returns the value of `name` and everything after it on the line: some clients send a text
    /// with spaces last.
    pub fn tail(&self, name: &str) -> Option<&'a str> {
        let value = self.get(name)?;
        let start = value.as_ptr() as usize - self.line.as_ptr() as usize;
        self.line.get(start..)
    }

    /// Returns whether an answer is positive. Servers differ: `rc` decides if it is present, else
    /// `info`, else the answer is positive.
    pub fn succeeded(&self) -> bool {
        match (self.get("rc"), self.get("info")) {
            (Some(rc), _) => rc == "0",
            (None, Some(info)) => info == "ok",
            (None, None) => true,
        }
    }
}

fn fields(line: &str) -> impl Iterator<Item = (&str, &str)> {
    words(line).filter_map(|word| word.split_once('='))
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(is_separator);
        let mut escaped = false;
        let end = rest.find(|c| {
            let ends = is_separator(c) && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        });
        let word;
        (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
        (!word.is_empty()).then_some(word)
    })
}

fn is_separator(c: char) -> bool {
    matches!(c, ' ' | '\n' | '\r')
}

/// Returns whether every server's key-value store preserves `text`.
pub fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'=' | b'\\' | b';'))
}

/// A line that is being composed.
#[derive(Debug)]
pub struct Compose(String);

impl Compose {
    /// Begins a line with command `name`.
    pub fn command(name: &str) -> Compose {
        Compose(format!("cmd={name}"))
    }

    /// Adds a field. Replaces white space and NUL, which would break the line, by underscores.
    pub fn field(mut self, name: &str, value: impl fmt::Display) -> Compose {
        self.0.push(' ');
        self.0.push_str(name);
        self.0.push('=');
        let start = self.0.len();
        // Writing to a String fails only if the value's own Display does: then the field holds what
        // it wrote.
        let _ = write!(self.0, "{value}");
        if self.0[start..].contains([' ', '\n', '\r', '\0']) {
            let replaced = self.0[start..].replace([' ', '\n', '\r', '\0'], "_");
            self.0.truncate(start);
            self.0.push_str(&replaced);
        }
        self
    }

    /// Adds a field without changing its value: from another line, including escapes, or a free
    /// text at the end of the line.
    pub fn raw_field(mut self, name: &str, value: &str) -> Compose {
        self.0.push(' ');
        self.0.push_str(name);
        self.0.push('=');
        self.0.push_str(value);
        self
    }

    /// Returns the line with its end.
    pub fn line(mut self) -> String {
        self.0.push('\n');
        self.0
    }
}

/// Assembles received bytes into lines.
#[derive(Debug, Default)]
pub struct LineBuffer {
    bytes: Vec<u8>,
}

impl LineBuffer {
    /// Adds received bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns the next complete line, without its end. Fails after more than [`LINE_BYTES_MAX`]
    /// bytes without an end.
    pub fn next_line(&mut self) -> Result<Option<Vec<u8>>, Malformed> {
        match self.bytes.iter().position(|&byte| byte == b'\n') {
            Some(end) => {
                let mut line: Vec<u8> = self.bytes.drain(..=end).collect();
                line.pop();
                Ok(Some(line))
            }
            None if self.bytes.len() > LINE_BYTES_MAX => Err(Malformed::TooLong),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fields_are_found_by_name_in_any_order() {
        let message = Message::parse(b"rc=0  value=a=b;c,d cmd=get_result noise info=x").unwrap();
        assert_eq!(message.command(), "get_result");
        assert_eq!(message.get("value"), Some("a=b;c,d"));
        assert_eq!(message.number("rc"), Some(0));
        assert_eq!(message.get("noise"), None);
    }

    #[test]
    fn an_escaped_space_belongs_to_the_value() {
        let message = Message::parse(br"cmd=put key=k value=two\ words\\ next=1").unwrap();
        assert_eq!(message.get("value"), Some(r"two\ words\\"));
        assert_eq!(message.get("next"), Some("1"));
    }

    #[test]
    fn a_text_at_the_end_keeps_its_spaces() {
        let message = Message::parse(b"cmd=abort exitcode=7 message=it went wrong").unwrap();
        assert_eq!(message.tail("message"), Some("it went wrong"));
    }

    #[test]
    fn every_dialect_of_yes_and_no() {
        let yes = |line: &str| Message::parse(line.as_bytes()).unwrap().succeeded();
        assert!(yes("cmd=x rc=0"));
        assert!(yes("cmd=x"));
        assert!(yes("cmd=x info=ok"));
        assert!(!yes("cmd=x info=fail"));
        assert!(!yes("cmd=x rc=1 info=ok"));
        assert!(!yes("cmd=x rc=-1 value=unknown"));
    }

    #[test]
    fn what_is_no_command_is_malformed() {
        assert_eq!(Message::parse(b"").unwrap_err(), Malformed::NoCommand);
        assert_eq!(Message::parse(b"hello world").unwrap_err(), Malformed::NoCommand);
        assert_eq!(Message::parse(b"cmd=\xff").unwrap_err(), Malformed::NotText);
        assert_eq!(Message::parse(b"cmd=a\0b").unwrap_err(), Malformed::NotText);
        assert_eq!(
            Message::parse(&vec![b'x'; LINE_BYTES_MAX + 1]).unwrap_err(),
            Malformed::TooLong
        );
    }

    #[test]
    fn a_line_is_composed_without_breaks() {
        let line = Compose::command("abort")
            .field("exitcode", 7)
            .field("message", "two words\nmore")
            .line();
        assert_eq!(line, "cmd=abort exitcode=7 message=two_words_more\n");
    }

    #[test]
    fn lines_are_assembled_from_pieces_and_bounded() {
        let mut buffer = LineBuffer::default();
        buffer.push(b"one\ntw");
        assert_eq!(buffer.next_line(), Ok(Some(b"one".to_vec())));
        assert_eq!(buffer.next_line(), Ok(None));
        buffer.push(b"o\n\n");
        assert_eq!(buffer.next_line(), Ok(Some(b"two".to_vec())));
        assert_eq!(buffer.next_line(), Ok(Some(Vec::new())));
        buffer.push(&vec![b'x'; LINE_BYTES_MAX + 1]);
        assert_eq!(buffer.next_line(), Err(Malformed::TooLong));
    }

    proptest! {
        #[test]
        fn nonsense_never_panics(line in proptest::collection::vec(any::<u8>(), 0..300)) {
            if let Ok(message) = Message::parse(&line) {
                let _ = (message.succeeded(), message.tail("cmd"));
                let _ = (message.number("rc"), message.get("value"));
            }
        }

        #[test]
        fn nonsense_of_the_right_alphabet_never_panics(line in r"[cmdr= \\a\n]{0,60}") {
            if let Ok(message) = Message::parse(line.as_bytes()) {
                prop_assert!(message.tail("cmd").or(message.tail("mcmd")).is_some());
            }
        }

        #[test]
        fn tokens_come_back_whole(value in r"[!-~&&[^=\\;]]{1,100}") {
            prop_assert!(is_token(&value));
            let line = Compose::command("put").field("value", &value).field("after", 1).line();
            let message = Message::parse(line.as_bytes()).unwrap();
            prop_assert_eq!(message.get("value"), Some(value.as_str()));
        }
    }
}
