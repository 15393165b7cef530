//! The paths of a Rust file that begin with `crate`, `self` or `super`.
//!
//! This is a scanner, not a parser: it knows comments, literals, braces, `mod`, `use` and
//! `#[cfg(test)]`, which is what the paths of a formatted file need.

/// What the check for cycles needs to know of a file.
#[derive(Default)]
pub struct File {
    /// Names below the root of the crate that paths begin with, and the lines of the paths.
    pub names: Vec<(String, usize)>,
    /// Names that `use` declarations bring into this module, with the first part of their path.
    pub exports: Vec<(String, String)>,
    /// The paths of modules that are compiled for tests only.
    pub test_modules: Vec<Vec<String>>,
}

/// A word or a mark of the source, and its line.
type Token<'a> = (&'a str, usize);

/// Reads the paths of `text`, which is the module `module` (empty for the root).
pub fn parse(text: &str, module: &[&str]) -> File {
    let blank = without_comments_and_literals(text);
    let tokens = tokens(&blank);
    let mut file = File::default();
    let mut module: Vec<String> = module.iter().map(|part| part.to_string()).collect();
    // For each open brace, whether it belongs to an inline module.
    let mut braces: Vec<bool> = Vec::new();
    let mut at = 0;
    while let Some(&(word, _)) = tokens.get(at) {
        match word {
            "#" if is_test_attribute(&tokens[at..]) => {
                let end = end_of_item(&tokens, at);
                let declared =
                    tokens[at..end].windows(3).find(|t| t[0].0 == "mod" && t[2].0 == ";");
                if let Some(declared) = declared {
                    file.test_modules.push([&module[..], &[declared[1].0.into()]].concat());
                }
                at = end;
                continue;
            }
            "mod" if tokens.get(at + 2).is_some_and(|next| next.0 == "{") => {
                module.push(tokens[at + 1].0.into());
                braces.push(true);
                at += 3;
                continue;
            }
            "use" => exports(&tokens[at + 1..], &mut file.exports),
            "{" => braces.push(false),
            "}" if braces.pop() == Some(true) => {
                module.pop();
            }
            "crate" | "super" | "self" if is_first_part(&tokens, at) => {
                first_names(&tokens[at..], &module, &mut file.names);
            }
            _ => {}
        }
        at += 1;
    }
    file
}

/// Whether the word at `at` begins a path of several parts.
fn is_first_part(tokens: &[Token], at: usize) -> bool {
    let is_colons = |at: usize| tokens.get(at).is_some_and(|token| token.0 == "::");
    is_colons(at + 1) && (at == 0 || !is_colons(at - 1))
}

/// Adds the names below the crate's root with which the path at the first token goes on.
fn first_names(tokens: &[Token], module: &[String], names: &mut Vec<(String, usize)>) {
    let mut base = if tokens[0].0 == "crate" { 0 } else { module.len() };
    let mut at = 0;
    while let Some((word @ ("crate" | "super" | "self"), _)) = tokens.get(at) {
        base = if *word == "super" { base.saturating_sub(1) } else { base };
        at += 2;
    }
    if base == 0 {
        names.extend(elements(&tokens[at..]).map(|element| (element[0].0.into(), element[0].1)));
    }
}

/// The elements of `{a, b::c}`, or the one path that the tokens begin with.
fn elements<'a, 'b>(tokens: &'b [Token<'a>]) -> impl Iterator<Item = &'b [Token<'a>]> {
    let group = tokens.first().is_some_and(|token| token.0 == "{");
    let tokens = if group { &tokens[1..end_of_group(tokens) - 1] } else { tokens };
    let mut depth = 0;
    let parts = tokens.split(move |(word, _)| {
        depth += i32::from(*word == "{") - i32::from(*word == "}");
        depth == 0 && *word == ","
    });
    parts.take(if group { usize::MAX } else { 1 }).filter(|part| !part.is_empty())
}

/// Adds the names that a `use` declaration brings in, each with the first part of its path.
fn exports(tokens: &[Token], exports: &mut Vec<(String, String)>) {
    let Some(&(mut first, _)) = tokens.first() else { return };
    let end = tokens.iter().position(|token| token.0 == ";").unwrap_or(tokens.len());
    let skipped = if matches!(first, "crate" | "self") { 2 } else { 0 };
    first = tokens.get(skipped).map_or(first, |token| token.0);
    for pair in tokens[..end].windows(2) {
        let is_last = matches!(pair[1].0, "," | "}") || pair[1].0 == "as";
        if is_last && pair[0].0 != "}" {
            exports.push((pair[0].0.into(), first.into()));
        }
        if pair[0].0 == "as" {
            exports.push((pair[1].0.into(), first.into()));
        }
    }
    if let Some(last) = end.checked_sub(1).map(|last| tokens[last].0).filter(|last| *last != "}") {
        exports.push((last.into(), first.into()));
    }
}

/// Whether an attribute compiles what follows for tests only.
fn is_test_attribute(tokens: &[Token]) -> bool {
    let words = ["#", "[", "cfg", "(", "test", ")", "]"];
    let all = ["#", "[", "cfg", "(", "all", "(", "test"];
    let begins = |words: &[&str]| {
        words.len() <= tokens.len()
            && words.iter().zip(tokens).all(|(word, token)| *word == token.0)
    };
    begins(&words) || begins(&all)
}

/// One past the last token of the item that begins at `at`: its semicolon, or its last brace.
fn end_of_item(tokens: &[Token], at: usize) -> usize {
    let mut end = at;
    while let Some(&(word, _)) = tokens.get(end) {
        match word {
            ";" => return end + 1,
            "{" => {
                end += end_of_group(&tokens[end..]);
                // The braces of `use a::{b, c};` do not end the item.
                match tokens.get(end) {
                    Some((";", _)) => return end + 1,
                    _ => return end,
                }
            }
            _ => end += 1,
        }
    }
    end
}

/// One past the brace that closes the one with which the tokens begin.
fn end_of_group(tokens: &[Token]) -> usize {
    let mut depth = 0;
    for (at, (word, _)) in tokens.iter().enumerate() {
        depth += i32::from(*word == "{") - i32::from(*word == "}");
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// Words, `::`, and every other character on its own.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            let len = match first {
                _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
                _ if rest.starts_with("::") => 2,
                _ => first.len_utf8(),
            };
            tokens.push((&rest[..len], index + 1));
            rest = rest[len..].trim_start();
        }
    }
    tokens
}

/// The text with comments, strings and characters blanked out; lines stay where they are.
fn without_comments_and_literals(text: &str) -> String {
    let mut blank = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let literal = literal_len(rest, &blank);
        if literal == 0 {
            blank.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            blank.extend(rest[..literal].chars().map(|c| if c == '\n' { c } else { ' ' }));
            rest = &rest[literal..];
        }
    }
    blank
}

/// The length of the comment or literal at the beginning of `text`; 0 if there is none.
fn literal_len(text: &str, before: &str) -> usize {
    let until = |end: &str, from: usize| {
        text[from..].find(end).map_or(text.len(), |at| from + at + end.len())
    };
    let in_word = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    if text.starts_with("//") {
        return text.find('\n').unwrap_or(text.len());
    }
    if text.starts_with("/*") {
        return until("*/", 2);
    }
    if text.starts_with('"') {
        return quoted_len(text);
    }
    if text.starts_with('r') && !in_word {
        let hashes = text[1..].bytes().take_while(|&byte| byte == b'#').count();
        if text[1 + hashes..].starts_with('"') {
            return until(&format!("\"{}", "#".repeat(hashes)), 2 + hashes);
        }
    }
    if text.starts_with('\'') {
        return character_len(text);
    }
    0
}

/// The length of a string with escapes.
fn quoted_len(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character literal; 0 for a lifetime.
fn character_len(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    match characters.next() {
        Some((_, '\\')) => text[3..].find('\'').map_or(0, |at| 3 + at + 1),
        Some(_) => characters.next().filter(|next| next.1 == '\'').map_or(0, |next| next.0 + 1),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str, module: &[&str]) -> Vec<String> {
        parse(text, module).names.into_iter().map(|(name, _)| name).collect()
    }

    #[test]
    fn groups_and_nested_modules_are_followed() {
        assert_eq!(names("use crate::{a::{b, c}, d};", &["x"]), ["a", "d"]);
        assert_eq!(names("mod inner { use super::super::a; use super::b; }", &["x"]), ["a"]);
        assert_eq!(names("pub(crate) fn f(x: &crate::a::B) {}", &["x"]), ["a"]);
        assert!(names("pub(in crate::a) use self::b;", &["x"]).iter().all(|name| name == "a"));
    }

    #[test]
    fn literals_are_no_paths_and_lifetimes_no_literals() {
        let text = "fn f<'a>(x: &'a str) { g('\\'', '\"', r#\"crate::z\"#); crate::a::h(x) }";
        assert_eq!(names(text, &["x"]), ["a"]);
        assert_eq!(parse("\n\"\n\\\"\"\ncrate::a::b();", &["x"]).names, [("a".into(), 4)]);
    }

    #[test]
    fn test_modules_in_files_of_their_own_are_told() {
        let file = parse("#[cfg(test)]\nmod tests;\nuse crate::a;", &["x"]);
        assert_eq!(file.test_modules, [["x", "tests"]]);
        assert_eq!(file.names, [("a".into(), 3)]);
    }
}
