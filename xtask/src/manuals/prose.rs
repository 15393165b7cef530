//! Plain text with names of functions, constants and parameters, as mdoc.

use crate::api::{Api, Function};
use std::collections::BTreeSet;

/// The names of all functions that have a page.
pub struct Known {
    functions: BTreeSet<String>,
}

impl Known {
    pub fn new(api: &Api) -> Known {
        let functions = api.functions.iter().filter(|function| function.abi != "fortran");
        Known { functions: functions.map(|function| function.name.clone()).collect() }
    }

    /// The functions that a text names.
    pub fn functions_in<'a>(&'a self, text: &'a str) -> impl Iterator<Item = &'a str> {
        text.split(|c: char| !is_of_name(c)).filter(|word| self.functions.contains(*word))
    }

    /// The functions whose names differ from `name` by one word of a pair.
    pub fn partners(&self, name: &str, pairs: &[(&str, &str)]) -> Vec<&str> {
        let both = pairs.iter().flat_map(|(one, other)| [(*one, *other), (*other, *one)]);
        let names = both.map(|(from, to)| name.replacen(from, to, 1));
        names.filter_map(|name| self.functions.get(&name).map(String::as_str)).collect()
    }

    /// `text` as lines of mdoc, with a full stop at its end. Functions become references, constants
    /// and environment variables are marked, and so are parameters in backquotes.
    pub fn mdoc(&self, text: &str, function: &Function) -> String {
        let mut lines = Lines::default();
        let text = if text.ends_with(['.', '?']) { text.into() } else { format!("{text}.") };
        for word in text.split_whitespace() {
            let opening = if word.starts_with('(') { "(" } else { "" };
            let rest = &word[opening.len()..];
            let name = rest.trim_matches('`');
            let end = name.find(|c: char| !is_of_name(c)).unwrap_or(name.len());
            let (name, closing) = name.split_at(end);
            match self.marked(rest, name, function) {
                Some(marked) if !closing.contains('=') => {
                    lines.macro_line(opening, &marked, closing)
                }
                _ => lines.word(word),
            }
        }
        lines.finish()
    }

    /// The macro for a name, if it needs one.
    fn marked(&self, word: &str, name: &str, function: &Function) -> Option<String> {
        if name == function.name {
            return Some(format!("Fn {name}"));
        }
        if self.functions.contains(name) {
            return Some(format!("Xr {name} 3"));
        }
        if name == "nemesis" && word.starts_with("nemesis(7)") {
            return Some("Xr nemesis 7".into());
        }
        if word.starts_with('`') {
            return Some(format!("Fa {name}"));
        }
        if name.starts_with("NEMESIS_") {
            return Some(format!("Ev {name}"));
        }
        let is_constant = name.starts_with("MPI_") && name.len() > "MPI_".len();
        is_constant.then(|| format!("Dv {name}"))
    }
}

/// Lines of mdoc: one for each macro, and one for each sentence.
#[derive(Default)]
struct Lines {
    done: String,
    line: String,
}

impl Lines {
    fn word(&mut self, word: &str) {
        if !self.line.is_empty() {
            self.line.push(' ');
        } else if word.starts_with(['.', '\'']) {
            self.line += "\\&";
        }
        self.line += &word.replace('\\', "\\e");
        if word.ends_with('.') || self.line.len() > 80 {
            self.end_line();
        }
    }

    fn macro_line(&mut self, opening: &str, marked: &str, closing: &str) {
        self.end_line();
        let closing = closing.trim_start_matches('`').trim_start_matches("(7)");
        let (joined, points) = match closing.find(|c| ".,;:)".contains(c)) {
            Some(0) => ("", closing),
            Some(at) if !closing.starts_with('[') => closing.split_at(at),
            Some(at) => (&closing[..at], &closing[at..]),
            None => (closing, ""),
        };
        self.done += ".";
        if !opening.is_empty() {
            self.done += "Po ";
        }
        self.done += marked;
        if !joined.is_empty() {
            self.done += &format!(" Ns {joined}");
        }
        for point in points.chars().filter(|point| opening.is_empty() || *point != ')') {
            self.done.push(' ');
            self.done.push(point);
        }
        if !opening.is_empty() {
            self.done += " Pc";
        }
        self.done.push('\n');
    }

    fn end_line(&mut self) {
        if !self.line.is_empty() {
            self.done += &self.line;
            self.done.push('\n');
            self.line.clear();
        }
    }

    fn finish(mut self) -> String {
        self.end_line();
        self.done
    }
}

/// `text` with a capital letter at its beginning, unless it begins with a name.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_marked() {
        let api = Api::load(&crate::root());
        let known = Known::new(&api);
        let text = "Calls MPI_Wait, or gives MPI_ERR_ARG. See `count`[i] and nemesis(7)";
        assert_eq!(
            known.mdoc(text, api.function("MPI_Send")),
            "Calls\n.Xr MPI_Wait 3 ,\nor gives\n.Dv MPI_ERR_ARG .\nSee\n.Fa count Ns [i]\nand\n\
             .Xr nemesis 7 .\n"
        );
    }
}
