//! The command line: hydra's options and the common ones of other launchers, as a table.
//!
//! ```text
//!   mpiexec [options] program [arguments] [ : [options] program [arguments] ] ...
//! ```
//!
//! One dash or two are the same, and `-option=value` is `-option value`. Options end at the first word that has no dash: the program's own
//! arguments are never looked at, except for a `:` of its own, which begins the next program. The table gives the parser its names, the help its
//! text, and an unknown option its nearest relative.

use std::ffi::OsString;
use std::fmt::Write;

/// What an option does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    Processes,
    Directory,
    Set,
    SetEverywhere,
    Export,
    Only,
    OnlyEverywhere,
    Nothing,
    NothingEverywhere,
    Everything,
    Tag,
    Stdin,
    Universe,
    Verbose,
    Help,
    Version,
    /// Accepted, with so many values, because scripts use it: nothing has to be done for it on one machine.
    Accepted(usize),
    /// Known, and not possible yet.
    OtherHosts,
}

struct Row {
    names: &'static [&'static str],
    values: &'static str,
    meaning: Meaning,
    text: &'static str,
}

const fn row(names: &'static [&'static str], values: &'static str, meaning: Meaning, text: &'static str) -> Row {
    Row { names, values, meaning, text }
}

const TABLE: &[Row] = &[
    row(&["n", "np"], "N", Meaning::Processes, "start N processes of the program (default 1)"),
    row(&["wdir", "wd"], "DIR", Meaning::Directory, "start them in DIR"),
    row(&["env"], "NAME VALUE", Meaning::Set, "set a variable for this program"),
    row(&["genv"], "NAME VALUE", Meaning::SetEverywhere, "set a variable for all programs"),
    row(&["x"], "NAME[=VALUE]", Meaning::Export, "set a variable for all programs, or pass it on as it is"),
    row(&["envlist"], "A,B,...", Meaning::Only, "pass on only these variables to this program"),
    row(&["genvlist"], "A,B,...", Meaning::OnlyEverywhere, "pass on only these variables to all programs"),
    row(&["envnone"], "", Meaning::Nothing, "pass on no variables to this program"),
    row(&["genvnone"], "", Meaning::NothingEverywhere, "pass on no variables"),
    row(&["genvall", "envall"], "", Meaning::Everything, "pass on all variables (the default)"),
    row(&["l", "prepend-rank", "tag-output"], "", Meaning::Tag, "begin each line of output with its rank"),
    row(&["stdin", "s"], "RANK|all|none", Meaning::Stdin, "who gets standard input (default 0)"),
    row(&["usize"], "N", Meaning::Universe, "the value of MPI_UNIVERSE_SIZE"),
    row(&["v", "verbose"], "", Meaning::Verbose, "say on standard error what is started how"),
    row(&["h", "help"], "", Meaning::Help, "print this text"),
    row(&["V", "version"], "", Meaning::Version, "print the version"),
    row(&["ppn", "perhost", "N"], "N", Meaning::Accepted(1), "processes per host: there is one host, all run on it"),
    row(&["bind-to"], "OBJECT", Meaning::Accepted(1), "accepted: processes are not bound to cores"),
    row(&["map-by", "rank-by"], "OBJECT", Meaning::Accepted(1), "accepted: ranks are numbered in order"),
    row(&["oversubscribe", "allow-run-as-root"], "", Meaning::Accepted(0), "accepted: both are always allowed"),
    row(&["host", "hosts", "f", "hostfile", "machinefile"], "...", Meaning::OtherHosts, "not yet: all processes run on this host"),
];

/// Which of mpiexec's own variables a program gets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Inherit {
    #[default]
    All,
    Only(Vec<String>),
}

/// One program of the job (MPI 5.0 §11.5: what stands between two colons).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    pub processes: u32,
    pub path: OsString,
    pub arguments: Vec<OsString>,
    pub directory: Option<OsString>,
    pub inherit: Inherit,
    pub variables: Vec<(OsString, OsString)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StdinFor {
    Rank(u32),
    All,
    Nobody,
}

/// What the command line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    pub programs: Vec<Program>,
    pub tag: bool,
    pub verbose: bool,
    pub universe: Option<u32>,
    pub stdin: StdinFor,
}

impl Plan {
    pub fn processes(&self) -> u32 {
        self.programs.iter().map(|program| program.processes).sum()
    }
}

/// What the command line turned out to be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    Run(Plan),
    Help,
    Version,
}

/// The options of one program while they are read.
#[derive(Default)]
struct Block {
    processes: Option<u32>,
    directory: Option<OsString>,
    inherit: Option<Inherit>,
    variables: Vec<(OsString, OsString)>,
}

/// The options that hold for all programs, wherever they stand.
struct Global {
    tag: bool,
    verbose: bool,
    universe: Option<u32>,
    stdin: StdinFor,
    inherit: Inherit,
    variables: Vec<(OsString, OsString)>,
}

struct Words<'a> {
    words: std::iter::Peekable<std::slice::Iter<'a, OsString>>,
    /// The value of `-option=value`, waiting to be taken.
    joined: Option<String>,
}

impl Words<'_> {
    fn value(&mut self, option: &str, values: &str) -> Result<OsString, String> {
        if let Some(value) = self.joined.take() {
            return Ok(value.into());
        }
        self.words.next().cloned().ok_or_else(|| format!("-{option} needs {values}"))
    }

    fn text(&mut self, option: &str, values: &str) -> Result<String, String> {
        self.value(option, values)?.into_string().map_err(|value| format!("-{option}: {} is not text", value.to_string_lossy()))
    }
}

/// Reads the command line, without the program's own name.
pub fn read(arguments: &[OsString]) -> Result<Request, String> {
    let mut global =
        Global { tag: false, verbose: false, universe: None, stdin: StdinFor::Rank(0), inherit: Inherit::All, variables: Vec::new() };
    let mut programs = Vec::new();
    for (number, words) in arguments.split(|word| word == ":").enumerate() {
        let mut words = Words { words: words.iter().peekable(), joined: None };
        let mut block = Block::default();
        while let Some(word) = words.words.next_if(|word| is_option(word)) {
            if let Some(request) = option(&word.to_string_lossy(), &mut words, &mut block, &mut global)? {
                return Ok(request);
            }
        }
        let Some(path) = words.words.next() else {
            return Err(if arguments.is_empty() {
                "which program?".into()
            } else {
                format!("no program in part {} of the command", number + 1)
            });
        };
        programs.push(Program {
            processes: block.processes.unwrap_or(1),
            path: path.clone(),
            arguments: words.words.cloned().collect(),
            directory: block.directory,
            inherit: block.inherit.unwrap_or_default(),
            variables: block.variables,
        });
    }
    spread(&mut programs, &global);
    let plan = Plan { programs, tag: global.tag, verbose: global.verbose, universe: global.universe, stdin: global.stdin };
    match plan.stdin {
        StdinFor::Rank(rank) if rank >= plan.processes() => Err(format!("-stdin {rank}: there are {} ranks, from 0", plan.processes())),
        _ => Ok(Request::Run(plan)),
    }
}

/// Gives every program what was said for all of them; its own word counts more.
fn spread(programs: &mut [Program], global: &Global) {
    for program in programs {
        program.variables.splice(0..0, global.variables.iter().cloned());
        if program.inherit == Inherit::All {
            program.inherit = global.inherit.clone();
        }
    }
}

fn is_option(word: &OsString) -> bool {
    let bytes = word.as_encoded_bytes();
    bytes.len() > 1 && bytes[0] == b'-'
}

/// Reads one option with its values; gives a request if it is one that asks for nothing else.
fn option(word: &str, words: &mut Words<'_>, block: &mut Block, global: &mut Global) -> Result<Option<Request>, String> {
    let bare = word.strip_prefix("--").or_else(|| word.strip_prefix('-')).unwrap_or(word);
    let (name, joined) = match bare.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (bare, None),
    };
    let row = TABLE.iter().find(|row| row.names.contains(&name)).ok_or_else(|| unknown(word, name))?;
    words.joined = joined;
    let values = row.values;
    match row.meaning {
        Meaning::Processes => block.processes = Some(positive(name, &words.text(name, values)?)?),
        Meaning::Directory => block.directory = Some(words.value(name, values)?),
        Meaning::Set => block.variables.push(assignment(name, words)?),
        Meaning::SetEverywhere => global.variables.push(assignment(name, words)?),
        Meaning::Export => global.variables.extend(exported(&words.text(name, values)?)),
        Meaning::Only => block.inherit = Some(Inherit::Only(list(&words.text(name, values)?))),
        Meaning::OnlyEverywhere => global.inherit = Inherit::Only(list(&words.text(name, values)?)),
        Meaning::Nothing => block.inherit = Some(Inherit::Only(Vec::new())),
        Meaning::NothingEverywhere => global.inherit = Inherit::Only(Vec::new()),
        Meaning::Everything => {}
        Meaning::Tag => global.tag = true,
        Meaning::Stdin => global.stdin = stdin_for(&words.text(name, values)?)?,
        Meaning::Universe => global.universe = Some(positive(name, &words.text(name, values)?)?),
        Meaning::Verbose => global.verbose = true,
        Meaning::Help => return Ok(Some(Request::Help)),
        Meaning::Version => return Ok(Some(Request::Version)),
        Meaning::Accepted(count) => (0..count).try_for_each(|_| words.value(name, values).map(drop))?,
        Meaning::OtherHosts => return Err(format!("-{name}: other hosts are not possible yet, all processes run on this one")),
    }
    match words.joined.take() {
        Some(value) => Err(format!("-{name} takes no value, and was given {value:?}")),
        None => Ok(None),
    }
}

fn positive(option: &str, text: &str) -> Result<u32, String> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| format!("-{option}: {text:?} is not a number of processes"))
}

/// `NAME VALUE`, or `NAME=VALUE` in one word.
fn assignment(option: &str, words: &mut Words<'_>) -> Result<(OsString, OsString), String> {
    let name = words.text(option, "NAME VALUE")?;
    match name.split_once('=') {
        Some((name, value)) => Ok((name.into(), value.into())),
        None => Ok((name.into(), words.value(option, "NAME VALUE")?)),
    }
}

fn exported(text: &str) -> Option<(OsString, OsString)> {
    match text.split_once('=') {
        Some((name, value)) => Some((name.into(), value.into())),
        None => Some((text.into(), std::env::var_os(text)?)),
    }
}

fn list(text: &str) -> Vec<String> {
    text.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

fn stdin_for(text: &str) -> Result<StdinFor, String> {
    match text {
        "all" => Ok(StdinFor::All),
        "none" => Ok(StdinFor::Nobody),
        rank => rank.parse().map(StdinFor::Rank).map_err(|_| format!("-stdin: {rank:?} is neither a rank nor all nor none")),
    }
}

fn unknown(word: &str, name: &str) -> String {
    let names = TABLE.iter().flat_map(|row| row.names);
    let nearest = names.map(|known| (distance(name, known), known)).min_by_key(|(distance, _)| *distance);
    match nearest {
        Some((distance, known)) if distance <= 1 + name.len() / 3 => format!("unknown option {word}; did you mean -{known}?"),
        _ => format!("unknown option {word}; mpiexec -help lists them"),
    }
}

/// Levenshtein's distance: insertions, deletions and changes of a letter that make `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

pub fn help() -> String {
    let mut text = String::from("mpiexec [options] program [arguments] [ : [options] program [arguments] ] ...\n\n");
    for row in TABLE {
        let names: Vec<String> = row.names.iter().map(|name| format!("-{name}")).collect();
        // Writing to a String does not fail.
        let _ = writeln!(text, "  {:<40} {}", format!("{} {}", names.join(", "), row.values), row.text);
    }
    text.push_str("\nOne dash or two are the same. The exit code is that of the first rank that failed, 128 + N if signal N killed it.\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').filter(|word| !word.is_empty()).map(OsString::from).collect()
    }

    fn plan(line: &str) -> Plan {
        match read(&words(line)) {
            Ok(Request::Run(plan)) => plan,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn options_end_at_the_program() {
        let plan = plan("-n 4 ./a.out -n 5 --help -x");
        assert_eq!(plan.processes(), 4);
        assert_eq!(plan.programs[0].arguments, words("-n 5 --help -x"));
    }

    #[test]
    fn dashes_and_joined_values_do_not_matter() {
        for line in ["-np 3 a", "--np 3 a", "-n=3 a", "--n=3 a", "-n 3 --bind-to core --map-by=slot --oversubscribe -ppn 2 a"] {
            assert_eq!(plan(line).processes(), 3, "{line}");
        }
    }

    #[test]
    fn several_programs_and_what_holds_for_all() {
        let plan = plan("-genv A 1 -n 2 -env B 2 -wdir /tmp a x : -x C=3 -env A 9 -l b");
        assert_eq!(plan.programs.len(), 2);
        assert_eq!((plan.programs[0].processes, plan.programs[1].processes), (2, 1));
        let variables = |number: usize| -> Vec<(String, String)> {
            let text = |text: &OsString| text.to_string_lossy().into_owned();
            plan.programs[number].variables.iter().map(|(name, value)| (text(name), text(value))).collect()
        };
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(variables(0), [pair("A", "1"), pair("C", "3"), pair("B", "2")]);
        assert_eq!(variables(1), [pair("A", "1"), pair("C", "3"), pair("A", "9")]);
        assert_eq!(plan.programs[0].directory, Some("/tmp".into()));
        assert_eq!(plan.programs[1].directory, None);
        assert!(plan.tag);
    }

    #[test]
    fn mistakes_are_named() {
        let mistake = |line: &str| read(&words(line)).unwrap_err();
        assert!(mistake("-oversubscibe a").contains("did you mean -oversubscribe?"));
        assert!(mistake("-qqqqqqq a").contains("-help"));
        assert!(mistake("-n").contains("-n needs N"));
        assert!(mistake("-n zero a").contains("\"zero\""));
        assert!(mistake("-n 0 a").contains("\"0\""));
        assert!(mistake("-n 2").contains("no program in part 1"));
        assert!(mistake("a : -n 2").contains("part 2"));
        assert!(mistake("").contains("which program?"));
        assert!(mistake("-l=3 a").contains("takes no value"));
        assert!(mistake("-stdin 1 a").contains("1 ranks"));
        assert!(mistake("-hosts x,y a").contains("other hosts"));
    }

    #[test]
    fn every_option_stands_in_the_help() {
        let help = help();
        assert!(TABLE.iter().flat_map(|row| row.names).all(|name| help.contains(&format!("-{name}"))));
        assert_eq!(read(&words("-n 2 -h")), Ok(Request::Help));
        assert_eq!(read(&words("--version")), Ok(Request::Version));
    }
}
