//! The command line: hydra's options, and the common ones of other launchers.
//!
//! ```text
//!   mpiexec [options] program [arguments] [ : [options] program [arguments] ] ...
//! ```
//!
//! One dash or two are equivalent, and `-option=value` is `-option value`. Options end at the first
//! word without a dash. The arguments of the program are not interpreted, but for a `:`, which
//! begins the next program. The table of options is in `table`.

mod table;

use crate::binding::{self, Binding, Object};
use crate::check;
use crate::launch_error::LaunchError;
use nemesis_profile::layout::{FOLDER, PROFILE_VARIABLE, folder_named};
use nemesis_sys::choice::{Choice, Ports};
use nemesis_wireup::environment;
use nemesis_wireup::hosts::{self, Host};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;
pub use table::help;
use table::{Meaning, rows, unknown};

/// Time of fruitless waits and tests after which the user is told, unless the user sets another.
pub const NOTICE_AFTER: Duration = Duration::from_secs(60);

/// Which variables of the environment of `mpiexec` a program gets.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Inherit {
    #[default]
    All,
    Only(Vec<String>),
}

/// One program of the job: what stands between two colons (MPI 5.0 §11.5).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Program {
    pub processes: u32,
    pub path: OsString,
    pub arguments: Vec<OsString>,
    pub directory: Option<OsString>,
    pub inherit: Inherit,
    pub variables: Vec<(OsString, OsString)>,
    /// The hosts of this program, if the user has given any.
    #[serde(skip)]
    pub hosts: Option<Vec<Host>>,
}

/// The ranks that get standard input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StdinFor {
    Rank(u32),
    All,
    Nobody,
}

/// The profile that the user asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProfilePlan {
    /// The folder for its files.
    pub folder: PathBuf,
    /// Whether it has a trace.
    pub trace: bool,
}

/// The job that a command line describes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    pub programs: Vec<Program>,
    /// The hosts for programs without hosts of their own; empty for this host.
    pub hosts: Vec<Host>,
    /// Whether each host gets one rank in its turn.
    pub by_node: bool,
    pub binding: Binding,
    /// The command that starts an agent, if the user has given one.
    pub agent: Option<String>,
    /// The directory of the library on other hosts, if the user has given one.
    pub prefix: Option<String>,
    /// The TCP ports that may be listened on; 0 to 0 for any.
    pub ports: (u16, u16),
    /// The interfaces that may be used, as `Choice` reads them; empty for all.
    pub net: String,
    /// Whether each line of output begins with its rank.
    pub tag: bool,
    pub verbose: bool,
    pub universe: Option<u32>,
    pub stdin: StdinFor,
    /// Whether a job that can never continue is only told, and not ended.
    pub tells_deadlocks: bool,
    /// Time of fruitless waits and tests after which the user is told.
    pub notice_after: Duration,
    /// The profile to make, if the user asks for one.
    pub profile: Option<ProfilePlan>,
    /// What is done with the findings of the development checks.
    pub check: check::Options,
}

impl Plan {
    /// Returns the number of ranks.
    pub fn processes(&self) -> u32 {
        self.programs.iter().map(|program| program.processes).sum()
    }
}

/// What a command line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Request {
    Run(Box<Plan>),
    Help,
    Version,
}

/// The options of one program.
#[derive(Default)]
struct Block {
    processes: Option<u32>,
    directory: Option<OsString>,
    inherit: Option<Inherit>,
    variables: Vec<(OsString, OsString)>,
    hosts: Option<Vec<Host>>,
}

/// The options that hold for all programs, wherever they stand.
struct Global {
    hosts: Option<Vec<Host>>,
    per_host: Option<u32>,
    by_node: bool,
    bind_to: Option<Object>,
    map_by: Option<Object>,
    agent: Option<String>,
    prefix: Option<String>,
    ports: (u16, u16),
    net: String,
    tag: bool,
    verbose: bool,
    universe: Option<u32>,
    stdin: StdinFor,
    /// The word of `-on-deadlock`.
    on_deadlock: Option<String>,
    /// The value of `NEMESIS_NOTICE_SECONDS`.
    notice_seconds: Option<String>,
    /// The folder of `-profile`.
    profile: Option<String>,
    trace: bool,
    check: check::Options,
    inherit: Inherit,
    variables: Vec<(OsString, OsString)>,
}

impl Default for Global {
    fn default() -> Global {
        Global {
            hosts: None,
            per_host: None,
            by_node: false,
            bind_to: None,
            map_by: None,
            agent: None,
            prefix: None,
            ports: (0, 0),
            net: String::new(),
            tag: false,
            verbose: false,
            universe: None,
            stdin: StdinFor::Rank(0),
            on_deadlock: None,
            notice_seconds: None,
            profile: None,
            trace: false,
            check: check::Options::default(),
            inherit: Inherit::All,
            variables: Vec::new(),
        }
    }
}

/// The words of one program that have not been read yet.
struct Words<'a> {
    words: std::iter::Peekable<std::slice::Iter<'a, OsString>>,
    /// The value of `-option=value`, until it is used.
    joined: Option<String>,
}

impl Words<'_> {
    /// Returns the next value of an option.
    fn value(&mut self, option: &str, values: &str) -> Result<OsString, LaunchError> {
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
    fn text(&mut self, option: &str, values: &str) -> Result<String, LaunchError> {
        self.value(option, values)?.into_string().map_err(|value| {
            LaunchError::new(
                format!("-{option}: {} is not UTF-8", value.to_string_lossy()),
                "ASCII characters, or a terminal whose locale is UTF-8",
            )
        })
    }
}

/// Reads a command line, without the name of `mpiexec` itself; `variable` reads the environment.
///
/// # Errors
///
/// Returns a message that names the error.
pub fn read(
    arguments: &[OsString],
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Request, LaunchError> {
    let mut global = Global::default();
    let mut programs = Vec::new();
    for (number, words) in arguments.split(|word| word == ":").enumerate() {
        let mut words = Words { words: words.iter().peekable(), joined: None };
        let mut block = Block::default();
        while let Some(word) = words.words.next_if(|word| is_option(word)) {
            if let Some(request) =
                option(&word.to_string_lossy(), &mut words, &mut block, &mut global)?
            {
                return Ok(request);
            }
        }
        let Some(path) = words.words.next() else {
            let what = match arguments.split(|word| word == ":").count() {
                1 => "the command names no program".to_owned(),
                _ => {
                    format!("part {} of the command, between colons, names no program", number + 1)
                }
            };
            let syntax = "mpiexec -n 4 ./a.out; mpiexec -help tells more";
            return Err(LaunchError::new(what, syntax));
        };
        programs.push(Program {
            processes: block.processes.unwrap_or(0),
            path: path.clone(),
            arguments: words.words.cloned().collect(),
            directory: block.directory,
            inherit: block.inherit.unwrap_or_default(),
            variables: block.variables,
            hosts: block.hosts,
        });
    }
    let needs_hosts = programs.iter().any(|program| program.hosts.is_none());
    if global.hosts.is_none() && needs_hosts {
        global.hosts = hosts::of_allocation(&variable).map_err(|why| {
            let advice = "-hosts or -f, which count instead of the variables of the batch system";
            LaunchError::new(why, advice)
        })?;
    }
    choose_network(&mut global, &variable)?;
    global.on_deadlock = global.on_deadlock.or_else(|| variable("NEMESIS_ON_DEADLOCK"));
    global.notice_seconds = variable("NEMESIS_NOTICE_SECONDS");
    let asked = || variable(PROFILE_VARIABLE).and_then(|value| folder_named(&value));
    global.profile =
        global.profile.or_else(asked).or_else(|| global.trace.then(|| FOLDER.to_owned()));
    apply_global(&mut programs, &global);
    plan(programs, global).map(|plan| Request::Run(Box::new(plan)))
}

/// Takes the interfaces and ports of the launcher's own connections from the environment, unless
/// `-net` or `-port-range` names them. Programs inherit the variables.
fn choose_network(
    global: &mut Global,
    variable: &impl Fn(&str) -> Option<String>,
) -> Result<(), LaunchError> {
    let set = |name| variable(name).filter(|text| !text.is_empty());
    if global.net.is_empty()
        && let Some(text) = set("NEMESIS_NET")
    {
        global.net = net("NEMESIS_NET", text)?;
    }
    if global.ports == (0, 0)
        && let Some(text) = set("NEMESIS_PORTS")
    {
        global.ports = ports("NEMESIS_PORTS", &text)?.0.map_or((0, 0), RangeInclusive::into_inner);
    }
    Ok(())
}

/// Checks a choice of interfaces and networks.
fn net(option: &str, text: String) -> Result<String, LaunchError> {
    Choice::parse(&text).map_err(|why| {
        let advice = "names of interfaces, and networks, such as eth0,10.1.0.0/16,^docker0";
        LaunchError::new(format!("{option}: {why}"), advice)
    })?;
    Ok(text)
}

/// Applies the options for all programs; a program's own options have priority.
fn apply_global(programs: &mut [Program], global: &Global) {
    for program in programs {
        program.variables.splice(0..0, global.variables.iter().cloned());
        if program.inherit == Inherit::All {
            program.inherit = global.inherit.clone();
        }
    }
}

/// Makes the plan from the options that have been read.
fn plan(mut programs: Vec<Program>, global: Global) -> Result<Plan, LaunchError> {
    let per_host = |mut hosts: Vec<Host>| {
        hosts.iter_mut().for_each(|host| host.slots = global.per_host.unwrap_or(host.slots));
        hosts
    };
    let hosts = per_host(global.hosts.unwrap_or_default());
    let is_only = programs.len() == 1;
    for program in &mut programs {
        program.hosts = program.hosts.take().map(per_host);
        if program.processes == 0 {
            let slots: u32 =
                program.hosts.as_ref().unwrap_or(&hosts).iter().map(|host| host.slots).sum();
            program.processes = if is_only && slots > 0 { slots } else { 1 };
        }
    }
    let binding = binding::chosen(global.bind_to, global.map_by)?;
    let tells_deadlocks = match global.on_deadlock.as_deref() {
        None | Some("end" | "") => false,
        Some("tell") => true,
        Some(other) => {
            return Err(LaunchError::new(
                format!("-on-deadlock or NEMESIS_ON_DEADLOCK: {other:?} is not one of its words"),
                "end or tell",
            ));
        }
    };
    let notice_after = notice_after(global.notice_seconds.as_deref())?;
    let profile =
        global.profile.map(|folder| ProfilePlan { folder: folder.into(), trace: global.trace });
    let Global { by_node, agent, prefix, ports, net, tag, verbose, universe, stdin, check, .. } =
        global;
    let plan = Plan {
        programs,
        hosts,
        by_node,
        binding,
        agent,
        prefix,
        ports,
        net,
        tag,
        verbose,
        universe,
        stdin,
        tells_deadlocks,
        notice_after,
        profile,
        check,
    };
    match plan.stdin {
        StdinFor::Rank(rank) if rank >= plan.processes() => Err(LaunchError::new(
            format!("-stdin {rank}: the job has no such rank"),
            format!("a rank from 0 to {}, all or none", plan.processes() - 1),
        )),
        _ => Ok(plan),
    }
}

/// Reads the value of `NEMESIS_NOTICE_SECONDS`; 0 is for ever.
fn notice_after(seconds: Option<&str>) -> Result<Duration, LaunchError> {
    match seconds.unwrap_or_default() {
        "" => Ok(NOTICE_AFTER),
        "0" => Ok(Duration::MAX),
        text => text.parse().map(Duration::from_secs).map_err(|_| {
            LaunchError::new(
                format!("NEMESIS_NOTICE_SECONDS={text} is no whole number of seconds"),
                "one as in NEMESIS_NOTICE_SECONDS=60, or 0 for no notice",
            )
        }),
    }
}

/// Returns whether a word begins with a dash and is longer than it.
fn is_option(word: &OsString) -> bool {
    let bytes = word.as_encoded_bytes();
    bytes.len() > 1 && bytes[0] == b'-'
}

/// Reads one option and its values. Returns a request if the option asks for help or the version.
fn option(
    word: &str,
    words: &mut Words<'_>,
    block: &mut Block,
    global: &mut Global,
) -> Result<Option<Request>, LaunchError> {
    let bare = word.strip_prefix("--").or_else(|| word.strip_prefix('-')).unwrap_or(word);
    let (name, joined) = match bare.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (bare, None),
    };
    let row = rows().find(|row| row.names.contains(&name)).ok_or_else(|| unknown(word, name))?;
    words.joined = joined;
    let values = row.values;
    match row.meaning {
        Meaning::Processes => block.processes = Some(positive(name, &words.text(name, values)?)?),
        Meaning::Hosts => {
            add_hosts(name, HOST_LIST, &mut global.hosts, hosts::list(&words.text(name, values)?))?
        }
        Meaning::ProgramHosts => {
            add_hosts(name, HOST_LIST, &mut block.hosts, hosts::list(&words.text(name, values)?))?
        }
        Meaning::HostFile => add_hosts(
            name,
            HOST_FILE,
            &mut global.hosts,
            hosts::file(Path::new(&words.value(name, values)?)),
        )?,
        Meaning::PerHost => global.per_host = Some(positive(name, &words.text(name, values)?)?),
        Meaning::MapBy => map_by(&words.text(name, values)?, global)?,
        Meaning::BindTo => global.bind_to = Some(binding::object(&words.text(name, values)?)?),
        Meaning::Agent => global.agent = Some(words.text(name, values)?),
        Meaning::Prefix => global.prefix = Some(words.text(name, values)?),
        Meaning::Network => {
            global.net = net("-net", words.text(name, values)?)?;
            global.variables.push(("NEMESIS_NET".into(), global.net.clone().into()));
        }
        Meaning::PortRange => {
            let ports = ports("-port-range", &words.text(name, values)?)?;
            global.variables.push(("NEMESIS_PORTS".into(), ports.to_string().into()));
            global.ports = ports.0.map_or((0, 0), RangeInclusive::into_inner);
        }
        Meaning::Encrypt => global.variables.push(("NEMESIS_ENCRYPT".into(), "on".into())),
        Meaning::InitialErrhandler => {
            let handler = initial_errhandler(words.text(name, values)?)?;
            global.variables.push(("NEMESIS_INITIAL_ERRHANDLER".into(), handler.into()));
        }
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
        Meaning::OnDeadlock => global.on_deadlock = Some(words.text(name, values)?),
        Meaning::Profile => {
            global.profile = Some(words.joined.take().unwrap_or_else(|| FOLDER.to_owned()))
        }
        Meaning::ProfileTrace => global.trace = true,
        Meaning::Check => {
            global.check = check::Options::parse(&words.joined.take().unwrap_or_default())?;
            global.variables.push((environment::CHECK.into(), "on".into()));
        }
        Meaning::Verbose => global.verbose = true,
        Meaning::Help => return Ok(Some(Request::Help)),
        Meaning::Version => return Ok(Some(Request::Version)),
        Meaning::Accepted(count) => {
            (0..count).try_for_each(|_| words.value(name, values).map(drop))?
        }
    }
    match words.joined.take() {
        Some(value) => Err(LaunchError::new(
            format!("-{name} takes no value, and was given {value:?}"),
            format!("-{name} alone"),
        )),
        None => Ok(None),
    }
}

/// Checks the name of an error handler (MPI 5.0 §11.5).
fn initial_errhandler(name: String) -> Result<String, LaunchError> {
    match name.as_str() {
        "mpi_errors_are_fatal" | "mpi_errors_abort" | "mpi_errors_return" => Ok(name),
        _ => Err(LaunchError::new(
            format!("-initial-errhandler {name}: there is no such error handler"),
            "mpi_errors_are_fatal, mpi_errors_abort or mpi_errors_return",
        )),
    }
}

/// Values of options that list hosts, and of those that name a file of them.
const HOST_LIST: &str = "h1,h2:4 for one slot on h1 and 4 on h2";
const HOST_FILE: &str = "FILE with a line for each host: h1, h2:4 or h3 slots=4";

/// Appends hosts to a list. `example`: a value of the option.
fn add_hosts(
    option: &str,
    example: &str,
    hosts: &mut Option<Vec<Host>>,
    more: Result<Vec<Host>, String>,
) -> Result<(), LaunchError> {
    let more = more.map_err(|why| {
        LaunchError::new(format!("-{option}: {why}"), format!("-{option} {example}"))
    })?;
    hosts.get_or_insert_default().extend(more);
    Ok(())
}

/// Reads `OBJECT[:MODIFIER...]` or `ppr:N:OBJECT`. Modifiers such as OVERSUBSCRIBE are ignored,
/// because what they ask for is always allowed.
fn map_by(text: &str, global: &mut Global) -> Result<(), LaunchError> {
    let mut words = text.split(':');
    match words.next().unwrap_or_default() {
        "ppr" => {
            global.per_host = Some(positive("map-by ppr", words.next().unwrap_or_default())?);
            match words.next() {
                Some("node") => Ok(()),
                other => Err(LaunchError::new(
                    format!(
                        "-map-by {text}: ppr is per node here, not per {}",
                        other.unwrap_or("nothing")
                    ),
                    "ppr:N:node",
                )),
            }
        }
        "node" => {
            global.by_node = true;
            Ok(())
        }
        "slot" => Ok(()),
        "share" => Err(LaunchError::new(
            "-map-by share: processes are bound to shares, not mapped by them",
            "-bind-to share (the default)",
        )),
        object => {
            let object = binding::object(object);
            global.map_by = Some(object.map_err(|_| {
                LaunchError::new(
                    format!("-map-by {text}: there is no such object"),
                    "slot, node, core, socket, numa, hwthread or ppr:N:node",
                )
            })?);
            Ok(())
        }
    }
}

/// Reads a range of ports.
fn ports(option: &str, text: &str) -> Result<Ports, LaunchError> {
    let ports = Ports::parse(text).ok().filter(|ports| ports.0.is_some());
    ports.ok_or_else(|| {
        let what = format!("{option}: {text:?} is not a range of TCP ports");
        LaunchError::new(what, "the lowest and the highest, such as 20000:20100")
    })
}

/// Reads a positive number.
fn positive(option: &str, text: &str) -> Result<u32, LaunchError> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| {
        let what = format!("-{option}: {text:?} is not a number of at least 1");
        LaunchError::new(what, format!("-{option} 4"))
    })
}

/// Reads `NAME VALUE`, or `NAME=VALUE` in one word.
fn assignment(option: &str, words: &mut Words<'_>) -> Result<(OsString, OsString), LaunchError> {
    let name = words.text(option, "NAME VALUE")?;
    match name.split_once('=') {
        Some((name, value)) => Ok((name.into(), value.into())),
        None => Ok((name.into(), words.value(option, "NAME VALUE")?)),
    }
}

/// Returns a variable and its value: that of `NAME=VALUE`, or the current one of `NAME`.
fn exported(text: &str) -> Option<(OsString, OsString)> {
    match text.split_once('=') {
        Some((name, value)) => Some((name.into(), value.into())),
        None => Some((text.into(), std::env::var_os(text)?)),
    }
}

/// Splits a list at commas.
fn list(text: &str) -> Vec<String> {
    text.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Reads the value of `-stdin`.
fn stdin_for(text: &str) -> Result<StdinFor, LaunchError> {
    match text {
        "all" => Ok(StdinFor::All),
        "none" => Ok(StdinFor::Nobody),
        rank => rank.parse().map(StdinFor::Rank).map_err(|_| {
            let what = format!("-stdin: {rank:?} is not a rank");
            LaunchError::new(what, "the number of a rank, all or none")
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binding::Kind;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').filter(|word| !word.is_empty()).map(OsString::from).collect()
    }

    fn plan(line: &str) -> Plan {
        match read(&words(line), |_| None) {
            Ok(Request::Run(plan)) => *plan,
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
    fn dashes_and_joined_values_are_equivalent() {
        for line in [
            "-np 3 a",
            "--np 3 a",
            "-n=3 a",
            "--n=3 a",
            "-n 3 --bind-to core --map-by=slot --oversubscribe -ppn 2 a",
        ] {
            assert_eq!(plan(line).processes(), 3, "{line}");
        }
    }

    #[test]
    fn programs_have_own_and_common_options() {
        let plan = plan("-genv A 1 -n 2 -env B 2 -wdir /tmp a x : -x C=3 -env A 9 -l b");
        assert_eq!(plan.programs.len(), 2);
        assert_eq!((plan.programs[0].processes, plan.programs[1].processes), (2, 1));
        let variables = |number: usize| -> Vec<(String, String)> {
            let text = |text: &OsString| text.to_string_lossy().into_owned();
            plan.programs[number]
                .variables
                .iter()
                .map(|(name, value)| (text(name), text(value)))
                .collect()
        };
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(variables(0), [pair("A", "1"), pair("C", "3"), pair("B", "2")]);
        assert_eq!(variables(1), [pair("A", "1"), pair("C", "3"), pair("A", "9")]);
        assert_eq!(plan.programs[0].directory, Some("/tmp".into()));
        assert_eq!(plan.programs[1].directory, None);
        assert!(plan.tag);
    }

    #[test]
    fn a_profile_has_a_folder() {
        let folder = |line: &str| plan(line).profile.map(|plan| (plan.folder, plan.trace));
        assert_eq!(folder("a"), None);
        assert_eq!(folder("-profile a"), Some(("nemesis-profile".into(), false)));
        assert_eq!(folder("-profile=x -profile-trace a"), Some(("x".into(), true)));
        assert_eq!(folder("-profile-trace a"), Some(("nemesis-profile".into(), true)));
        let by_variable = |value: &str| {
            let variable = |name: &str| (name == PROFILE_VARIABLE).then(|| value.to_owned());
            match read(&words("a"), variable) {
                Ok(Request::Run(plan)) => plan.profile.map(|plan| plan.folder),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(by_variable("y"), Some("y".into()));
        assert_eq!(by_variable("on"), Some("nemesis-profile".into()));
        assert_eq!(by_variable("off"), None);
    }

    #[test]
    fn errors_say_what_is_wrong_and_what_to_try() {
        let nothing = |_: &str| None;
        let soon = |name: &str| (name == "NEMESIS_NOTICE_SECONDS").then(|| "soon".into());
        let nodes = |name: &str| name.starts_with("SLURM_JOB").then(|| "n[".into());
        let told = |line: &str, variable: &dyn Fn(&str) -> Option<String>| match read(
            &words(line),
            variable,
        ) {
            Err(error) => error.to_string(),
            Ok(request) => panic!("{line}: {request:?}"),
        };
        for (line, what, advice) in [
            ("-oversubscibe a", "unknown option -oversubscibe", "-oversubscribe"),
            ("-qqqqqqq a", "unknown option -qqqqqqq", "mpiexec -help"),
            ("--foo a", "unknown option --foo", "mpiexec -help, which lists them"),
            ("-n", "-n needs N", "-n N; mpiexec -help"),
            ("-n : a", "-n needs N, and nothing follows it", "-n N; mpiexec -help"),
            ("-nn 2 a", "unknown option -nn", "-np, or mpiexec -help"),
            ("-n zero a", "-n: \"zero\" is not a number", "-n 4"),
            ("-n 0 a", "-n: \"0\" is not a number of at least 1", "-n 4"),
            ("-n 2", "the command names no program", "mpiexec -n 4 ./a.out"),
            ("a : -n 2", "part 2 of the command", "mpiexec -n 4 ./a.out"),
            ("", "the command names no program", "mpiexec -n 4 ./a.out"),
            ("-l=3 a", "-l takes no value", "-l alone"),
            ("-stdin 1 a", "-stdin 1: the job has no such rank", "from 0 to 0, all or none"),
            ("-stdin some a", "-stdin: \"some\" is not a rank", "all or none"),
            ("-hosts x:0 a", "-hosts: x:0: \"0\" is not", "-hosts h1,h2:4"),
            ("-hosts , a", "-hosts: \",\" names no host", "-hosts h1,h2:4"),
            ("-f /nowhere a", "-f: the host file /nowhere cannot be read", "-f FILE with a line"),
            ("-port-range 9:8 a", "-port-range: \"9:8\" is not a range", "such as 20000:20100"),
            ("-net 10.1.0.0/33 a", "-net: ", "such as eth0,10.1.0.0/16"),
            ("-on-deadlock wait a", "\"wait\" is not one of its words", "end or tell"),
            ("-map-by moon a", "-map-by moon: there is no such object", "slot, node"),
            ("-map-by ppr:2:core a", "ppr is per node here, not per core", "ppr:N:node"),
            ("-map-by share a", "not mapped by them", "-bind-to share"),
            ("-map-by share:2 a", "not mapped by them", "-bind-to share"),
            ("-bind-to moon a", "-bind-to moon: there is no such object", "core, core:N"),
            ("-bind-to core:x a", "-bind-to core:x: \"x\" is not", "core or core:2"),
            ("-bind-to share -map-by core a", "no -map-by applies", "-bind-to core"),
            ("-check=xml a", "-check=xml: \"xml\" is not one of its words", "json:FILE"),
            ("-initial-errhandler no a", "no such error handler", "mpi_errors_are_fatal"),
        ] {
            let error = told(line, &nothing);
            let (first, second) = error.split_once("; try: ").expect(&error);
            assert!(first.contains(what) && second.contains(advice), "{line}: {error}");
        }
        assert!(told("a", &soon).ends_with("NEMESIS_NOTICE_SECONDS=60, or 0 for no notice"));
        assert!(told("a", &nodes).contains("is not a list of hosts; try: -hosts or -f"));
    }

    /// Every option that takes values is refused without them, by a message of one form.
    #[test]
    fn options_without_their_values_are_errors() {
        let needs = rows().filter(|row| {
            !row.values.is_empty() && !matches!(row.meaning, Meaning::Check | Meaning::Profile)
        });
        for name in needs.flat_map(|row| row.names) {
            let error = read(&words(&format!("-{name}")), |_| None).unwrap_err();
            let text = format!("-{name} needs ");
            assert!(error.what.starts_with(&text), "{error}");
            assert!(error.advice.contains("mpiexec -help"), "{error}");
        }
    }

    #[test]
    fn every_option_stands_in_the_help() {
        let help = help();
        assert!(rows().flat_map(|row| row.names).all(|name| help.contains(&format!("-{name}"))));
        assert_eq!(read(&words("-n 2 -h"), |_| None), Ok(Request::Help));
        assert_eq!(read(&words("--version"), |_| None), Ok(Request::Version));
    }

    #[test]
    fn hosts_are_read_in_every_notation() {
        let shown = |hosts: &[Host]| {
            hosts
                .iter()
                .map(|host| format!("{}:{}", host.name, host.slots))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let two = plan("-hosts h1,h2:3 a");
        assert_eq!((shown(&two.hosts), two.processes()), ("h1:1 h2:3".into(), 4));
        assert_eq!(shown(&plan("-hosts h1,h2:3 -ppn 2 a").hosts), "h1:2 h2:2");
        assert_eq!(shown(&plan("--map-by ppr:4:node -hosts h1 a").hosts), "h1:4");
        assert!(plan("--map-by node:OVERSUBSCRIBE -hosts h1,h2 a").by_node);
        let own = plan("-n 1 -host h1 a : -n 2 -H h2:2 b : c");
        assert_eq!(
            own.programs.iter().map(|program| program.processes).collect::<Vec<_>>(),
            [1, 2, 1]
        );
        assert_eq!(shown(own.programs[1].hosts.as_ref().unwrap()), "h2:2");
        assert!(own.hosts.is_empty() && own.programs[2].hosts.is_none());
        let slurm = |name: &str| {
            Some(String::from(match name {
                "SLURM_JOB_ID" => "3",
                "SLURM_JOB_NODELIST" => "n[1-2]",
                "SLURM_TASKS_PER_NODE" => "2(x2)",
                _ => return None,
            }))
        };
        let Ok(Request::Run(allocated)) = read(&words("a"), slurm) else { panic!() };
        assert_eq!((shown(&allocated.hosts), allocated.processes()), ("n1:2 n2:2".into(), 4));
        let Ok(Request::Run(given)) = read(&words("-hosts x a"), slurm) else { panic!() };
        assert_eq!(shown(&given.hosts), "x:1");
    }

    #[test]
    fn the_default_binding_is_a_share() {
        let to = |line: &str| plan(line).binding.to.kind;
        assert_eq!(["-n 2 a", "-bind-to share a", "-map-by node a"].map(to), [Kind::Share; 3]);
        assert_eq!(["-bind-to none a", "-map-by socket a"].map(to), [Kind::None; 2]);
        assert_eq!(to("-bind-to core -map-by socket a"), Kind::Core);
    }

    #[test]
    fn networks_and_ports_are_passed_to_the_library() {
        let plan = plan("-net eth0,^docker0 -port-range 20000-20100 a");
        assert_eq!((plan.ports, plan.net.as_str()), ((20000, 20100), "eth0,^docker0"));
        assert_eq!(
            plan.programs[0].variables,
            [
                ("NEMESIS_NET".into(), "eth0,^docker0".into()),
                ("NEMESIS_PORTS".into(), OsString::from("20000:20100"))
            ]
        );
        // The library reads what is passed on.
        let passed_on = plan.programs[0].variables[1].1.to_str().unwrap();
        assert_eq!(Ports::parse(passed_on).unwrap().0, Some(20000..=20100));
    }

    #[test]
    fn networks_and_ports_of_the_environment_hold_for_the_launcher() {
        let read_with = |line: &str, net: &str, ports: &str| {
            let variable = |name: &str| match name {
                "NEMESIS_NET" => Some(net.to_owned()),
                "NEMESIS_PORTS" => Some(ports.to_owned()),
                _ => None,
            };
            read(&words(line), variable).map(|request| match request {
                Request::Run(plan) => (plan.net, plan.ports, plan.programs[0].variables.len()),
                _ => panic!("{line} starts a job"),
            })
        };
        let own = read_with("a", "^eth0", "30000:30010");
        assert_eq!(own, Ok(("^eth0".to_owned(), (30000, 30010), 0)), "programs inherit them");
        let options = read_with("-net eth1 -port-range 4000 a", "^eth0", "30000:30010");
        assert_eq!(options, Ok(("eth1".to_owned(), (4000, 4000), 2)), "options come first");
        assert_eq!(read_with("a", "", ""), Ok((String::new(), (0, 0), 0)));
        let why = read_with("a", "10.1.0.0/33", "").unwrap_err();
        assert!(why.what.starts_with("NEMESIS_NET: \"10.1.0.0/33\""), "{why}");
        let why = read_with("a", "", "9:8").unwrap_err();
        assert!(why.what.starts_with("NEMESIS_PORTS: \"9:8\" is not a range"), "{why}");
    }
}
