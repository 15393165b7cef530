//! The options of a command line, one after the other.

use super::help;
use super::mapping;
use super::output;
use super::parameters::{self, Equal};
use super::plan::{Display, Inherit, OutputPlan, RankBy, Request, StdinFor};
use super::table::{Meaning, Row, Values, rows};
use super::values::*;
use crate::agent_commands;
use crate::binding::{self, Kind, Object, SlotSet};
use crate::check;
use crate::labels::Pattern;
use crate::launch_error::LaunchError;
use nemesis_profile::layout::FOLDER;
use nemesis_wireup::environment;
use nemesis_wireup::hosts::{self, Host};
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The options of one program.
#[derive(Default)]
pub struct Block {
    pub processes: Option<u32>,
    pub soft: Option<String>,
    pub directory: Option<OsString>,
    pub search: Option<OsString>,
    pub inherit: Option<Inherit>,
    pub variables: Vec<(OsString, OsString)>,
    pub hosts: Option<Vec<Host>>,
}

/// The options that hold for all programs, wherever they stand.
pub struct Global {
    pub hosts: Option<Vec<Host>>,
    pub default_hosts: Option<Vec<Host>>,
    pub ignores_allocation: bool,
    pub not_here: bool,
    /// Whether hosts with few slots come first, or last, if the user has chosen.
    pub few_slots_first: Option<bool>,
    pub per_host: Option<u32>,
    pub by_node: bool,
    /// Whether each entry of the list of hosts gets one rank.
    pub in_sequence: bool,
    pub rank_by: Option<RankBy>,
    /// The host and the processors of each rank.
    pub ranks: Option<Vec<(Host, SlotSet)>>,
    pub no_oversubscribe: bool,
    pub bind_to: Option<Object>,
    pub sets: Vec<Vec<usize>>,
    pub only: Vec<usize>,
    pub map_by: Option<Object>,
    /// Ranks of each object of `map_by`; 0 for one in turn.
    pub per_object: u32,
    pub processors_per_rank: Option<u32>,
    pub hardware_threads: bool,
    pub tells_bindings: bool,
    pub display: Display,
    pub only_shows: bool,
    pub agent: Option<String>,
    pub launcher: Option<&'static str>,
    pub agent_program: Option<String>,
    pub agent_arguments: String,
    pub prefix: Option<String>,
    pub ports: (u16, u16),
    pub net: String,
    pub output: OutputPlan,
    pub merges: bool,
    pub verbose: bool,
    pub quiet: bool,
    pub universe: Option<Universe>,
    pub stdin: StdinFor,
    /// The word of `-on-deadlock`.
    pub on_deadlock: Option<String>,
    /// The value of `NEMESIS_NOTICE_SECONDS`.
    pub notice_seconds: Option<String>,
    pub time_limit: Option<Duration>,
    pub goes_on: bool,
    pub is_tolerant: bool,
    pub tells_codes: bool,
    pub pid_to: Option<String>,
    pub unused: Vec<String>,
    /// The folder of `-profile`.
    pub profile: Option<String>,
    pub trace: bool,
    pub check: check::Options,
    pub inherit: Inherit,
    pub variables: Vec<(OsString, OsString)>,
}

/// The value of `-usize`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Universe {
    Number(u32),
    /// All slots.
    System,
    /// No limit: the attribute has no value.
    Infinite,
}

impl Default for Global {
    fn default() -> Global {
        Global {
            hosts: None,
            default_hosts: None,
            ignores_allocation: false,
            not_here: false,
            few_slots_first: None,
            per_host: None,
            by_node: false,
            in_sequence: false,
            rank_by: None,
            ranks: None,
            no_oversubscribe: false,
            bind_to: None,
            sets: Vec::new(),
            only: Vec::new(),
            map_by: None,
            per_object: 0,
            processors_per_rank: None,
            hardware_threads: false,
            tells_bindings: false,
            display: Display::default(),
            only_shows: false,
            agent: None,
            launcher: None,
            agent_program: None,
            agent_arguments: String::new(),
            prefix: None,
            ports: (0, 0),
            net: String::new(),
            output: OutputPlan::default(),
            merges: false,
            verbose: false,
            quiet: false,
            universe: None,
            stdin: StdinFor::Rank(0),
            on_deadlock: None,
            notice_seconds: None,
            time_limit: None,
            goes_on: false,
            is_tolerant: false,
            tells_codes: false,
            pid_to: None,
            unused: Vec::new(),
            profile: None,
            trace: false,
            check: check::Options::default(),
            inherit: Inherit::All,
            variables: Vec::new(),
        }
    }
}

/// The words of one program that have not been read yet.
pub struct Words<'a> {
    pub words: std::iter::Peekable<std::slice::Iter<'a, OsString>>,
    /// The value of `-option=value`, until it is used.
    pub joined: Option<String>,
}

impl Words<'_> {
    /// Returns the next value of an option.
    pub fn value(&mut self, option: &str, values: &str) -> Result<OsString, LaunchError> {
        if let Some(value) = self.joined.take() {
            return Ok(value.into());
        }
        self.words.next().cloned().ok_or_else(|| {
            LaunchError::new(
                format!("-{option} needs {values}, and nothing follows it"),
                format!("-{option} {values}; mpiexec -help tells what it does"),
            )
        })
    }

    /// Returns the next value of an option, which must be UTF-8.
    pub fn text(&mut self, option: &str, values: &str) -> Result<String, LaunchError> {
        self.value(option, values)?.into_string().map_err(|value| {
            LaunchError::new(
                format!("-{option}: {} is not UTF-8", value.to_string_lossy()),
                "ASCII characters, or a terminal whose locale is UTF-8",
            )
        })
    }
}

/// Returns whether a word begins with a dash and is longer than it.
pub fn is_option(word: &OsString) -> bool {
    let bytes = word.as_encoded_bytes();
    bytes.len() > 1 && bytes[0] == b'-'
}

/// What follows from an option besides its setting.
pub enum Step {
    Next,
    Answer(Request),
    /// The programs of this file follow.
    Programs(PathBuf),
}

/// An option that is being read, and where its setting goes.
pub struct Reader<'r, 'a> {
    name: &'r str,
    row: &'static Row,
    words: &'r mut Words<'a>,
    block: &'r mut Block,
    global: &'r mut Global,
}

/// Returns the name and the joined value of an option: `n` and `2` of `-n=2` and `-n2`.
fn parts(word: &str) -> (&str, Option<String>) {
    let bare = word.strip_prefix("--").or_else(|| word.strip_prefix('-')).unwrap_or(word);
    if let Some((name, value)) = bare.split_once('=') {
        return (name, Some(value.to_owned()));
    }
    let number = bare.trim_start_matches(|c: char| !c.is_ascii_digit());
    let name = &bare[..bare.len() - number.len()];
    match matches!(name, "n" | "np") && number.chars().all(|c| c.is_ascii_digit()) {
        true if !number.is_empty() => (name, Some(number.to_owned())),
        _ => (bare, None),
    }
}

/// Reads one option and its values.
///
/// # Errors
///
/// Returns a message that names the error.
pub fn option(
    word: &str,
    words: &mut Words<'_>,
    block: &mut Block,
    global: &mut Global,
) -> Result<Step, LaunchError> {
    let (name, joined) = parts(word);
    let row =
        rows().find(|row| row.names.contains(&name)).ok_or_else(|| help::unknown(word, name))?;
    words.joined = joined;
    let step = Reader { name, row, words, block, global }.read()?;
    match words.joined.take() {
        Some(value) => Err(LaunchError::new(
            format!("-{name} takes no value, and was given {value:?}"),
            format!("-{name} alone"),
        )),
        None => Ok(step),
    }
}

/// Values of options that list hosts, and of those that name a file of them.
const HOST_LIST: &str = "h1,h2:4 for one slot on h1 and 4 on h2";
const HOST_FILE: &str = "FILE with a line for each host: h1, h2:4 or h3 slots=4";

/// Returns hosts that an option names; `example`: a value of the option.
fn told(
    option: &str,
    example: &str,
    hosts: Result<Vec<Host>, String>,
) -> Result<Vec<Host>, LaunchError> {
    hosts.map_err(|why| {
        LaunchError::new(format!("-{option}: {why}"), format!("-{option} {example}"))
    })
}

impl Reader<'_, '_> {
    fn text(&mut self) -> Result<String, LaunchError> {
        self.words.text(self.name, self.row.values)
    }

    fn value(&mut self) -> Result<OsString, LaunchError> {
        self.words.value(self.name, self.row.values)
    }

    fn number(&mut self) -> Result<u32, LaunchError> {
        positive(self.name, &self.text()?)
    }

    /// Reads options about the launch itself, and hands others on.
    fn read(mut self) -> Result<Step, LaunchError> {
        match self.row.meaning {
            Meaning::Help => {
                let topic = match self.words.joined.take() {
                    Some(topic) => Some(topic.into()),
                    None => self.words.words.next().cloned(),
                };
                let text = match topic {
                    Some(topic) => help::on_topic(&topic.to_string_lossy())?,
                    None => help::help(),
                };
                return Ok(Step::Answer(Request::Tell(text)));
            }
            Meaning::Info => {
                let text = format!(
                    "{}launchers: {}\n`nemesis info` tells networks, the machine and variables\n",
                    version(),
                    agent_commands::NAMES
                );
                return Ok(Step::Answer(Request::Tell(text)));
            }
            Meaning::Version => return Ok(Step::Answer(Request::Tell(version()))),
            Meaning::Words => return Ok(Step::Programs(self.value()?.into())),
            Meaning::Keys => self.keys()?,
            Meaning::Parameter => self.parameter()?,
            Meaning::Unused(values) => {
                let shown = self.with_values(values)?;
                self.global.unused.push(shown);
            }
            Meaning::Refused(values) => {
                let shown = self.with_values(values)?;
                return Err(LaunchError::new(format!("{shown} is not done here"), self.row.text));
            }
            _ => self.program_option()?,
        }
        Ok(Step::Next)
    }

    /// Takes the values of an option and returns both as one text.
    fn with_values(&mut self, values: Values) -> Result<String, LaunchError> {
        let follows = self.words.joined.is_some()
            || self.words.words.peek().is_some_and(|word| !is_option(word));
        let value = match values {
            Values::None => return Ok(format!("-{}", self.name)),
            Values::Maybe if !follows => return Ok(format!("-{}", self.name)),
            Values::One | Values::Maybe => self.value()?,
        };
        Ok(format!("-{} {}", self.name, value.to_string_lossy()))
    }

    /// Reads the options of one program, and hands others on.
    fn program_option(&mut self) -> Result<(), LaunchError> {
        match self.row.meaning {
            Meaning::Processes => self.block.processes = Some(self.number()?),
            Meaning::Soft => self.block.soft = Some(self.text()?),
            Meaning::ProgramHosts => {
                let more = told(self.name, HOST_LIST, hosts::list(&self.text()?))?;
                self.block.hosts.get_or_insert_default().extend(more);
            }
            Meaning::Directory => self.block.directory = Some(self.value()?),
            Meaning::Search => self.block.search = Some(self.value()?),
            Meaning::Architecture => {
                let (wanted, own) = (self.text()?, std::env::consts::ARCH);
                if wanted != own {
                    let what = format!("-arch {wanted}: this host and its programs are {own}");
                    return Err(LaunchError::new(what, format!("-arch {own}, or without -arch")));
                }
            }
            Meaning::Set => self.block.variables.push(assignment(self.name, self.words)?),
            Meaning::Only => self.block.inherit = Some(Inherit::Only(list(&self.text()?))),
            Meaning::Nothing => self.block.inherit = Some(Inherit::Only(Vec::new())),
            _ => return self.host_option(),
        }
        Ok(())
    }

    /// Reads the options about hosts, and hands others on.
    fn host_option(&mut self) -> Result<(), LaunchError> {
        let file = |path: OsString| hosts::file(Path::new(&path));
        match self.row.meaning {
            Meaning::Hosts => {
                let more = told(self.name, HOST_LIST, hosts::list(&self.text()?))?;
                self.global.hosts.get_or_insert_default().extend(more);
            }
            Meaning::HostRanges => {
                let more = told(self.name, "h[1-4],x", hosts::ranges(&self.text()?))?;
                self.global.hosts.get_or_insert_default().extend(more);
            }
            Meaning::HostFile => {
                let more = told(self.name, HOST_FILE, file(self.value()?))?;
                self.global.hosts.get_or_insert_default().extend(more);
            }
            Meaning::DefaultHostFile => {
                self.global.default_hosts = Some(told(self.name, HOST_FILE, file(self.value()?))?);
            }
            Meaning::PerHost => self.global.per_host = Some(self.number()?),
            Meaning::PerHostWord(count) => self.global.per_host = Some(count),
            Meaning::NotHere => self.global.not_here = true,
            Meaning::OrderHosts => {
                let word = self.text()?;
                self.global.few_slots_first = Some(match word.to_ascii_lowercase().as_str() {
                    "up" => true,
                    "down" => false,
                    _ => {
                        let what = format!("-{} {word}: there is no such order", self.name);
                        return Err(LaunchError::new(what, "UP or DOWN"));
                    }
                });
            }
            Meaning::ResourceManager => {
                self.global.ignores_allocation = matches!(self.text()?.as_str(), "user" | "none");
            }
            Meaning::NoOversubscribe => self.global.no_oversubscribe = true,
            Meaning::Agent => self.global.agent = Some(self.text()?),
            Meaning::Launcher => {
                let word = self.text()?;
                self.global.launcher = Some(agent_commands::named(&word).ok_or_else(|| {
                    let what = format!("-{} {word}: there is no such way to start", self.name);
                    let names = agent_commands::NAMES;
                    LaunchError::new(what, format!("{names}, or -agent COMMAND"))
                })?);
            }
            Meaning::AgentProgram => self.global.agent_program = Some(self.text()?),
            Meaning::AgentArguments => self.global.agent_arguments = self.text()?,
            Meaning::Prefix => self.global.prefix = Some(self.text()?),
            _ => return self.binding_option(),
        }
        Ok(())
    }

    /// Reads the options about processors, and hands others on.
    fn binding_option(&mut self) -> Result<(), LaunchError> {
        match self.row.meaning {
            Meaning::MapBy => mapping::map_by(&self.text()?, self.global)?,
            Meaning::MapByWord(word) => mapping::map_by(word, self.global)?,
            Meaning::RankBy => mapping::rank_by(&self.text()?, self.global)?,
            Meaning::PerResource => {
                let text = self.text()?;
                mapping::map_by(&format!("ppr:{text}"), self.global)?;
            }
            Meaning::PerSocket => {
                let text = self.text()?;
                mapping::map_by(&format!("ppr:{text}:socket"), self.global)?;
            }
            Meaning::RankFile => {
                self.global.ranks = Some(mapping::rank_file(Path::new(&self.value()?))?);
            }
            Meaning::BindTo => mapping::bind_to(&self.text()?, self.global)?,
            Meaning::BindToWord(word) => self.global.bind_to = Some(binding::object(word)?),
            Meaning::ProcessorSet => {
                self.global.only = mapping::processor_set(self.name, &self.text()?)?;
            }
            Meaning::ProcessorsPerRank => self.global.processors_per_rank = Some(self.number()?),
            Meaning::HardwareThreads => self.global.hardware_threads = true,
            Meaning::TellBindings => self.global.tells_bindings = true,
            Meaning::Display => output::display(&self.text()?, self.global)?,
            Meaning::DisplayWord(word) => output::display(word, self.global)?,
            Meaning::OnlyShow => self.global.only_shows = true,
            _ => return self.environment_option(),
        }
        Ok(())
    }

    /// Reads the options about the environment of all programs, and hands others on.
    fn environment_option(&mut self) -> Result<(), LaunchError> {
        let global = &mut *self.global;
        let mut set = |name: &str, value: &str| global.variables.push((name.into(), value.into()));
        match self.row.meaning {
            Meaning::Network => {
                let choice = net("-net", self.text()?)?;
                self.global.variables.push(("NEMESIS_NET".into(), choice.clone().into()));
                self.global.net = choice;
            }
            Meaning::PortRange => {
                let ports = ports("-port-range", &self.text()?)?;
                self.global.variables.push(("NEMESIS_PORTS".into(), ports.to_string().into()));
                self.global.ports = ports.0.map_or((0, 0), RangeInclusive::into_inner);
            }
            Meaning::Encrypt => set("NEMESIS_ENCRYPT", "on"),
            Meaning::InitialErrhandler => {
                let handler = initial_errhandler(self.text()?)?;
                self.global.variables.push(("NEMESIS_INITIAL_ERRHANDLER".into(), handler.into()));
            }
            Meaning::SetEverywhere => {
                let variable = assignment(self.name, self.words)?;
                self.global.variables.push(variable);
            }
            Meaning::Export => {
                let variable = exported(&self.text()?);
                self.global.variables.extend(variable);
            }
            Meaning::OnlyEverywhere => self.global.inherit = Inherit::Only(list(&self.text()?)),
            Meaning::NothingEverywhere => self.global.inherit = Inherit::Only(Vec::new()),
            Meaning::Check => {
                let words = self.words.joined.take().unwrap_or_default();
                self.global.check = check::Options::parse(&words)?;
                self.global.variables.push((environment::CHECK.into(), "on".into()));
            }
            Meaning::MemoryKinds => {
                let kinds = self.text()?;
                let first = |kind: &str| kind.split(':').next().unwrap_or_default().to_owned();
                let is_there = |kind: &str| ["system", "mpi", "cuda"].contains(&&*first(kind));
                if list(&kinds).iter().any(|kind| first(kind) == "cuda") {
                    self.global.variables.push(("NEMESIS_GPU".into(), "on".into()));
                }
                if !list(&kinds).iter().all(|kind| is_there(kind)) {
                    self.global.unused.push(format!("-{} {kinds}", self.name));
                }
            }
            _ => return self.output_option(),
        }
        Ok(())
    }

    /// Reads the options about output and the end of the job.
    fn output_option(&mut self) -> Result<(), LaunchError> {
        match self.row.meaning {
            Meaning::Tag => output::words("tag", self.global)?,
            Meaning::PrependPattern => {
                self.global.output.prefix = Some(Pattern::read(self.name, &self.text()?)?);
            }
            Meaning::Timestamp => self.global.output.times = true,
            Meaning::FilePattern(stream) => {
                let pattern = Pattern::read(self.name, &self.text()?)?;
                self.global.output.files[stream] = Some(pattern);
            }
            Meaning::OutputFolder => {
                let folder = self.text()?;
                output::words(&format!("dir={folder}"), self.global)?;
            }
            Meaning::Output => output::words(&self.text()?, self.global)?,
            Meaning::Merge => self.global.merges = true,
            Meaning::Stdin => self.global.stdin = stdin_for(&self.text()?)?,
            Meaning::Quiet => self.global.quiet = true,
            Meaning::Verbose => self.global.verbose = true,
            Meaning::Universe => {
                let word = self.text()?;
                self.global.universe = Some(match word.to_ascii_lowercase().as_str() {
                    "system" => Universe::System,
                    "infinite" => Universe::Infinite,
                    _ => Universe::Number(positive(self.name, &word)?),
                });
            }
            Meaning::OnDeadlock => self.global.on_deadlock = Some(self.text()?),
            Meaning::TimeLimit => {
                self.global.time_limit = Some(seconds("-timeout", &self.text()?)?);
            }
            Meaning::GoOn => self.global.goes_on = true,
            Meaning::Tolerate => self.global.is_tolerant = true,
            Meaning::TolerateBy => {
                let kind = self.text()?;
                self.global.is_tolerant = tolerates(self.name, &kind)?;
            }
            Meaning::TellCodes => self.global.tells_codes = true,
            Meaning::TellPid => self.global.pid_to = Some(self.text()?),
            Meaning::Profile => {
                let folder = self.words.joined.take().unwrap_or_else(|| FOLDER.to_owned());
                self.global.profile = Some(folder);
            }
            Meaning::ProfileTrace => self.global.trace = true,
            // Everything else stands in the functions before, or is always so.
            _ => {}
        }
        Ok(())
    }

    /// Applies the option of this name with a value.
    fn apply(&mut self, option_name: &str, value: Option<&str>) -> Result<(), LaunchError> {
        let word = match value {
            Some(value) => format!("-{option_name}={value}"),
            None => format!("-{option_name}"),
        };
        let mut words = Words { words: [].iter().peekable(), joined: None };
        option(&word, &mut words, self.block, self.global).map(drop)
    }

    /// Reads a parameter of Open MPI.
    fn parameter(&mut self) -> Result<(), LaunchError> {
        let (name, value) = assignment(self.name, self.words)?;
        let (name, value) = (name.to_string_lossy(), value.to_string_lossy());
        match parameters::equal(&name) {
            Some(Equal::Option(option)) => self.apply(option, Some(&value)),
            Some(Equal::Switch(option)) if parameters::is_true(&value) => self.apply(option, None),
            Some(Equal::Switch(_) | Equal::Always) => Ok(()),
            Some(Equal::NotInterfaces) => {
                let not: Vec<String> = list(&value).iter().map(|name| format!("^{name}")).collect();
                self.apply("net", Some(&not.join(",")))
            }
            Some(Equal::Reach) => {
                self.global.agent = Some(agent_commands::of_program(&value, ""));
                Ok(())
            }
            Some(Equal::Variables) => {
                let variables: Vec<_> = value.split(';').filter_map(exported).collect();
                self.global.variables.extend(variables);
                Ok(())
            }
            None => {
                self.global.unused.push(format!("-{} {name} {value}", self.name));
                Ok(())
            }
        }
    }

    /// Reads a file with lines `KEY=VALUE`, whose keys are those of `MPI_Comm_spawn`.
    fn keys(&mut self) -> Result<(), LaunchError> {
        const KEYS: [(&str, &str); 9] = [
            ("host", "host"),
            ("hostfile", "hostfile"),
            ("map_by", "map-by"),
            ("bind_to", "bind-to"),
            ("wdir", "wdir"),
            ("path", "path"),
            ("soft", "soft"),
            ("arch", "arch"),
            ("env", "env"),
        ];
        let path = self.value()?;
        let shown = path.to_string_lossy();
        let text = std::fs::read_to_string(&path).map_err(|why| {
            let what = format!("-file {shown}: the file cannot be read: {why}");
            LaunchError::new(what, "a file with lines such as wdir=/tmp")
        })?;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            if line.starts_with('#') {
                continue;
            }
            let (key, value) = line.split_once('=').unwrap_or((line, ""));
            let known = KEYS.iter().find(|known| known.0 == key.trim());
            let option = known.ok_or_else(|| {
                let what = format!("-file {shown}: {line:?} has no known key");
                LaunchError::new(what, KEYS.map(|known| known.0).join(", "))
            })?;
            self.apply(option.1, Some(value.trim()))?;
        }
        Ok(())
    }
}

/// Returns the version as `-version` prints it.
fn version() -> String {
    format!("mpiexec (Nemesis) {}\n", nemesis_wireup::build::own())
}

impl Global {
    /// Returns the kind of processor that counts as one.
    pub fn unit(&self) -> Kind {
        if self.hardware_threads { Kind::Thread } else { Kind::Core }
    }
}

/// Reads the value of `-with-ft`.
fn tolerates(option: &str, kind: &str) -> Result<bool, LaunchError> {
    match kind.to_ascii_lowercase().as_str() {
        "ulfm" | "mpi" | "true" | "yes" | "1" | "on" => Ok(true),
        "none" | "no" | "false" | "0" | "off" => Ok(false),
        _ => {
            let what = format!("-{option}: {kind:?} is no kind of fault tolerance");
            Err(LaunchError::new(what, "-with-ft ulfm, or -ft"))
        }
    }
}
