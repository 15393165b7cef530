//! The findings of the development checks (`-check`): collected from all ranks, merged, and told at
//! the end of the job.

use crate::launch_error::LaunchError;
use nemesis_source_lines::{Place, SourceLines, variables};
use nemesis_wireup::Finding;
use nemesis_wireup::finding::{Call, KINDS, Kind, LIMIT, Memory, MemoryAt, ScriptPlace};
use nemesis_wireup::ranks::named;
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Findings of one call that are told in words; of the others the number.
const TEXTS_MAX: usize = 4;

/// What `-check` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether the findings are written as JSON, and the file for them; standard error if empty.
    pub json: Option<PathBuf>,
    /// Whether findings make the exit code of `mpiexec` 1, if it would be 0.
    pub fails: bool,
    /// Whether a job whose ranks rely on buffering goes on, instead of being ended.
    pub buffered: bool,
}

impl Options {
    /// Reads the words of `-check=WORDS`.
    ///
    /// # Errors
    ///
    /// Returns a message about a word that is none.
    pub fn parse(words: &str) -> Result<Options, LaunchError> {
        let mut options = Options::default();
        for word in words.split(',').filter(|word| !word.is_empty()) {
            match word.split_once(':') {
                None if word == "json" => options.json = Some(PathBuf::new()),
                None if word == "exit" => options.fails = true,
                None if word == "buffered" => options.buffered = true,
                Some(("json", file)) if !file.is_empty() => options.json = Some(file.into()),
                _ => {
                    return Err(LaunchError::new(
                        format!("-check={words}: {word:?} is not one of its words"),
                        "-check, or -check= with json, json:FILE, exit and buffered, separated by \
                         commas",
                    ));
                }
            }
        }
        Ok(options)
    }
}

/// The findings of a job.
#[derive(Default)]
pub struct Findings {
    all: Vec<Finding>,
    /// Memory that calls use, of which the files of the program tell whether it is too much.
    asked: HashMap<Asked, (Finding, u64)>,
}

/// The rank and the place of a call, and where its memory begins.
type Asked = (u32, String, u64, Option<Call>, MemoryAt);

/// Findings that differ in nothing but the rank.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    kind: usize,
    place: Place,
    module: String,
    call: String,
    text: String,
    count: u64,
    /// Function, place and module of the other call.
    other: Option<(String, Place, String)>,
}

impl Findings {
    /// Adds a finding in the words of a rank. Lines that are none are left out.
    pub fn add(&mut self, line: &str) {
        let Some(finding) = Finding::decode(line) else { return };
        match finding.memory {
            // Of one call and place the most bytes decide.
            Some(Memory { bytes, at }) => {
                let Finding { rank, module, offset, other, .. } = &finding;
                let asked = (*rank, module.clone(), *offset, other.clone(), at);
                let (_, most) = self.asked.entry(asked).or_insert((finding, bytes));
                *most = bytes.max(*most);
            }
            None => self.all.push(finding),
        }
    }

    /// Asks the files of the program which variables the memory of calls belongs to. Memory that
    /// goes past its variable is a finding.
    pub fn judge_memory(&mut self) {
        let mut of_modules: BTreeMap<String, Vec<(Finding, variables::Memory, u64)>> =
            BTreeMap::new();
        for ((.., start, at), (finding, bytes)) in std::mem::take(&mut self.asked) {
            let Some(Call { module, offset, .. }) = start else { continue };
            let place = match at {
                MemoryAt::Module => variables::Memory::Module(offset),
                MemoryAt::Frame { below_end, size } => {
                    variables::Memory::Frame { instruction: offset, below_end, size }
                }
            };
            of_modules.entry(module).or_default().push((finding, place, bytes));
        }
        for (module, asked) in of_modules {
            // Ranks that run one program ask the same.
            let mut places: Vec<variables::Memory> = Vec::new();
            let mut numbers = HashMap::new();
            for (_, place, _) in &asked {
                numbers.entry(*place).or_insert_with(|| {
                    places.push(*place);
                    places.len() - 1
                });
            }
            let variables = variables::variables_of(&module, &places);
            for (finding, place, bytes) in asked {
                let Some(variable) = &variables[numbers[&place]] else { continue };
                if bytes > variable.room() {
                    let text = format!("{bytes} bytes from {}", variable.in_words());
                    self.all.push(Finding { text, memory: None, other: None, ..finding });
                }
            }
        }
    }

    /// Returns whether there is a finding that tells of a fault.
    pub fn has_faults(&self) -> bool {
        self.all.iter().any(|finding| finding.kind != LIMIT.word)
    }

    /// Returns the ranks of each finding, in the order of the report.
    fn merged(&self) -> BTreeMap<Key, Vec<u32>> {
        let mut lines = SourceLines::default();
        let mut merged: BTreeMap<Key, Vec<u32>> = BTreeMap::new();
        for finding in &self.all {
            let Some(kind) = KINDS.iter().position(|kind| kind.word == finding.kind) else {
                continue;
            };
            let Finding { module, call, text, count, offset, other, .. } = finding.clone();
            let place = place_of(&mut lines, &module, offset);
            let other = other.map(|Call { function, module, offset }| {
                (function, place_of(&mut lines, &module, offset), module)
            });
            let key = Key { kind, place, module, call, text, count, other };
            merged.entry(key).or_default().push(finding.rank);
        }
        for ranks in merged.values_mut() {
            ranks.sort_unstable();
            ranks.dedup();
        }
        merged
    }

    /// Returns the report for people.
    pub fn report(&self) -> String {
        let mut text = String::new();
        let merged = self.merged();
        for (number, Kind { title, advice, .. }) in KINDS.iter().enumerate() {
            let of_kind: Vec<_> = merged.iter().filter(|(key, _)| key.kind == number).collect();
            if of_kind.is_empty() {
                continue;
            }
            let separator = if text.is_empty() { "" } else { "\n" };
            // Writing to a String does not fail.
            let _ = write!(text, "{separator}mpiexec: check: {title}");
            let mut of_call: Option<(&Place, &str, usize)> = None;
            for (key, ranks) in of_kind {
                let shown = match &of_call {
                    Some((place, call, shown)) if **place == key.place && *call == key.call => {
                        shown + 1
                    }
                    _ => 1,
                };
                of_call = Some((&key.place, &key.call, shown));
                match shown {
                    shown if shown <= TEXTS_MAX => {
                        let _ = write!(text, "\n  {}: {}", named(ranks), in_words(key));
                    }
                    shown if shown == TEXTS_MAX + 1 => text.push_str("\n  and others of this call"),
                    _ => {}
                }
            }
            let _ = write!(text, "\n  try: {advice}");
        }
        text
    }

    /// Returns the findings as lines of JSON.
    fn json(&self) -> String {
        let mut text = String::new();
        for (key, ranks) in self.merged() {
            let Key { kind, place, module, call, text: what, count, other } = key;
            let Kind { word, title, advice } = &KINDS[kind];
            let Place { function, file, line } = place;
            let mut line = json!({
                "kind": word, "title": title, "ranks": ranks, "count": count, "call": call,
                "function": function, "file": file, "line": (line > 0).then_some(line),
                "module": module, "text": what, "try": advice,
            });
            if let Some((call, Place { function, file, line: number }, module)) = other {
                line["other"] = json!({
                    "call": call, "function": function, "file": file,
                    "line": (number > 0).then_some(number), "module": module,
                });
            }
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// Returns what `options` asks to print on standard error; writes a file if they name one.
    pub fn tell(&self, options: &Options) -> String {
        match &options.json {
            None => self.report(),
            Some(file) if file.as_os_str().is_empty() => self.json().trim_end().to_owned(),
            Some(file) => match write(file, &self.json()) {
                Ok(()) => String::new(),
                Err(why) => {
                    let file = file.display();
                    let text = format!(
                        "mpiexec: -check: {file} cannot be written: {why}; \
                         try: -check=json:FILE with another path\n{}",
                        self.report()
                    );
                    text.trim_end().to_owned()
                }
            },
        }
    }
}

/// Returns where a call stands: in a script, or in memory.
fn place_of(lines: &mut SourceLines, module: &str, offset: u64) -> Place {
    match ScriptPlace::of(module, offset) {
        Some(ScriptPlace { function, file, line }) => {
            Place { function: Some(function.into()), file: Some(file.into()), line }
        }
        None => lines.place(module, offset),
    }
}

fn write(file: &Path, text: &str) -> std::io::Result<()> {
    std::fs::File::create(file)?.write_all(text.as_bytes())
}

/// Returns a finding of some ranks in words.
fn in_words(key: &Key) -> String {
    let Key { place, module, call, text, count, other, .. } = key;
    let mut text = text.clone();
    if let Some((function, place, module)) = other {
        // Writing to a String does not fail.
        let _ = write!(text, " {function}{}", at(place, module));
    }
    let times = if *count == 1 { String::new() } else { format!("{count} of ") };
    if call.is_empty() {
        return match count {
            1 => text,
            several => format!("{several} times {text}"),
        };
    }
    let separator = if text.is_empty() { "" } else { ": " };
    format!("{times}{call}{}{separator}{text}", at(place, module))
}

/// Returns where a call stands, as a part of a sentence.
fn at(place: &Place, module: &str) -> String {
    match place {
        Place { function: Some(function), file: Some(file), line } => {
            format!(" in {function} ({file}:{line})")
        }
        Place { function: Some(function), .. } => format!(" in {function} of {module}"),
        _ if module.is_empty() => String::new(),
        _ => format!(" in {module}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(kind: &str, rank: u32, call: &str, text: &str) -> String {
        Finding {
            kind: kind.into(),
            rank,
            count: 2,
            call: call.into(),
            module: "/nowhere/a.out".into(),
            offset: 16,
            text: text.into(),
            other: None,
            memory: None,
        }
        .encode()
    }

    fn findings(lines: &[String]) -> Findings {
        let mut findings = Findings::default();
        lines.iter().for_each(|line| findings.add(line));
        findings
    }

    #[test]
    fn ranks_with_one_finding_share_a_line() {
        let lines: Vec<String> = (0..4)
            .map(|rank| finding("datatype", rank, "MPI_Type_vector", "of 40 bytes"))
            .chain([finding("message", 1, "", "from rank 0"), "nonsense".into()])
            .collect();
        let report = findings(&lines).report();
        assert_eq!(
            report,
            "mpiexec: check: messages never received\n  rank 1: 2 times from rank 0\n  try: \
             comparing tag, source and communicator with those of the receives\nmpiexec: check: \
             datatypes never freed\n  ranks 0-3: 2 of MPI_Type_vector in /nowhere/a.out: of 40 \
             bytes\n  try: MPI_Type_free"
        );
    }

    #[test]
    fn the_other_call_follows_the_text() {
        let line = Finding {
            text: "to rank 1, overwritten by".into(),
            other: Some(Call { function: "MPI_Irecv".into(), module: "/b".into(), offset: 1 }),
            ..Finding::decode(&finding("overwritten", 0, "MPI_Isend", "")).unwrap()
        };
        let findings = findings(&[line.encode()]);
        let report = findings.report();
        assert!(report.contains("a.out: to rank 1, overwritten by MPI_Irecv in /b\n"), "{report}");
        let json: serde_json::Value = serde_json::from_str(&findings.json()).unwrap();
        assert_eq!(json["other"]["call"], json!("MPI_Irecv"));
    }

    #[test]
    fn many_texts_of_a_call_are_cut() {
        let line = |rank| finding("request", rank, "MPI_Isend", &format!("to rank {rank}"));
        let report = findings(&(0..9).map(line).collect::<Vec<_>>()).report();
        assert_eq!(report.matches("MPI_Isend").count(), TEXTS_MAX, "{report}");
        assert_eq!(report.matches("and others of this call").count(), 1);
    }

    #[test]
    fn json_has_a_line_for_each() {
        let lines = [finding("info", 0, "MPI_Info_create", ""), finding("group", 2, "X", "")];
        let json = findings(&lines).json();
        let read: Vec<serde_json::Value> =
            json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(
            (read.len(), &read[0]["kind"], &read[1]["ranks"]),
            (2, &json!("group"), &json!([0]))
        );
        assert_eq!(read[0]["count"], json!(2));
    }

    #[test]
    fn the_book_has_all_kinds() {
        let book = include_str!("../../../docs/book/src/checking.md");
        let rows: Vec<&str> = book.lines().filter(|line| line.starts_with('|')).collect();
        for Kind { word, .. } in KINDS {
            let named = format!("`{word}`");
            assert!(rows.iter().any(|row| row.contains(&named)), "{word} is not in the book");
        }
    }

    #[test]
    fn a_limit_is_no_fault() {
        let limit = finding("limit", 0, "MPI_Win_fence", "not all accesses");
        assert!(!findings(std::slice::from_ref(&limit)).has_faults());
        assert!(findings(&[limit, finding("info", 0, "MPI_Info_create", "")]).has_faults());
    }

    #[test]
    fn a_file_without_findings_is_empty() {
        let file = std::env::temp_dir().join(format!("nemesis-check-{}", std::process::id()));
        std::fs::write(&file, "of an earlier job").unwrap();
        let options = Options { json: Some(file.clone()), fails: true, buffered: false };
        assert_eq!(Findings::default().tell(&options), "");
        assert_eq!(std::fs::read(&file).unwrap(), b"");
        std::fs::remove_file(&file).unwrap();
        assert_eq!(Findings::default().tell(&Options::default()), "");
    }

    #[test]
    fn words_are_checked() {
        assert_eq!(Options::parse(""), Ok(Options::default()));
        let both = Options { json: Some("a/b".into()), fails: true, buffered: true };
        assert_eq!(Options::parse("exit,json:a/b,buffered"), Ok(both));
        assert_eq!(Options::parse("json").unwrap().json, Some(PathBuf::new()));
        assert!(Options::parse("xml").unwrap_err().advice.contains("json:FILE"));
        assert!(Options::parse("json:").is_err());
    }
}
