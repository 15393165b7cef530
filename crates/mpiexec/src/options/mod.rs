//! The command line: hydra's options and the common ones of other launchers.
//!
//! ```text
//!   mpiexec [options] program [arguments] [ : [options] program [arguments] ] ...
//! ```
//!
//! One dash or two are the same, and `-option=value` is `-option value`. Options end at the first word that has no dash: the program's own
//! arguments are never looked at, except for a `:` of its own, which begins the next program. What options there are is a table (`table`).

mod table;

use crate::binding::{self, Binding, Object};
use crate::hosts::{self, Host};
use nemesis_sys::choice::{Choice, Ports};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::Path;
pub use table::help;
use table::{Meaning, rows, unknown};

/// Which of mpiexec's own variables a program gets.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Inherit {
    #[default]
    All,
    Only(Vec<String>),
}

/// One program of the job (MPI 5.0 §11.5: what stands between two colons).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Program {
    pub processes: u32,
    pub path: OsString,
    pub arguments: Vec<OsString>,
    pub directory: Option<OsString>,
    pub inherit: Inherit,
    pub variables: Vec<(OsString, OsString)>,
    /// Hosts of its own.
    #[serde(skip)]
    pub hosts: Option<Vec<Host>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum StdinFor {
    Rank(u32),
    All,
    Nobody,
}

/// What the command line asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    pub programs: Vec<Program>,
    /// The hosts for programs that have none of their own; none: this host.
    pub hosts: Vec<Host>,
    pub by_node: bool,
    pub binding: Binding,
    /// The command that starts an agent, if it was said.
    pub agent: Option<String>,
    /// Where the library is on other hosts, if it was said.
    pub prefix: Option<String>,
    /// Ports that may be listened on; 0 to 0: any.
    pub ports: (u16, u16),
    /// Interfaces that may be used, as a `Choice` reads it; empty: all.
    pub net: String,
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
    Run(Box<Plan>),
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
            inherit: Inherit::All,
            variables: Vec::new(),
        }
    }
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
        self.value(option, values)?
            .into_string()
            .map_err(|value| format!("-{option}: {} is not text", value.to_string_lossy()))
    }
}

/// Reads the command line, without the program's own name; `variable` is the environment.
pub fn read(
    arguments: &[OsString],
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Request, String> {
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
            return Err(if arguments.is_empty() {
                "which program? (mpiexec -help shows how to say it)".into()
            } else {
                format!("no program in part {} of the command", number + 1)
            });
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
        global.hosts = hosts::of_allocation(variable)?;
    }
    apply_global(&mut programs, &global);
    plan(programs, global).map(|plan| Request::Run(Box::new(plan)))
}

/// Gives every program what was said for all of them; its own word counts more.
fn apply_global(programs: &mut [Program], global: &Global) {
    for program in programs {
        program.variables.splice(0..0, global.variables.iter().cloned());
        if program.inherit == Inherit::All {
            program.inherit = global.inherit.clone();
        }
    }
}

fn plan(mut programs: Vec<Program>, global: Global) -> Result<Plan, String> {
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
    let Global { by_node, agent, prefix, ports, net, tag, verbose, universe, stdin, .. } = global;
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
    };
    match plan.stdin {
        StdinFor::Rank(rank) if rank >= plan.processes() => {
            Err(format!("-stdin {rank}: there are {} ranks, from 0", plan.processes()))
        }
        _ => Ok(plan),
    }
}

fn is_option(word: &OsString) -> bool {
    let bytes = word.as_encoded_bytes();
    bytes.len() > 1 && bytes[0] == b'-'
}

/// Reads one option with its values; gives a request if it is one that asks for nothing else.
fn option(
    word: &str,
    words: &mut Words<'_>,
    block: &mut Block,
    global: &mut Global,
) -> Result<Option<Request>, String> {
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
            add_hosts(name, &mut global.hosts, hosts::list(&words.text(name, values)?))?
        }
        Meaning::ProgramHosts => {
            add_hosts(name, &mut block.hosts, hosts::list(&words.text(name, values)?))?
        }
        Meaning::HostFile => {
            add_hosts(name, &mut global.hosts, hosts::file(Path::new(&words.value(name, values)?)))?
        }
        Meaning::PerHost => global.per_host = Some(positive(name, &words.text(name, values)?)?),
        Meaning::MapBy => map_by(&words.text(name, values)?, global)?,
        Meaning::BindTo => global.bind_to = Some(binding::object(&words.text(name, values)?)?),
        Meaning::Agent => global.agent = Some(words.text(name, values)?),
        Meaning::Prefix => global.prefix = Some(words.text(name, values)?),
        Meaning::Network => {
            global.net = words.text(name, values)?;
            Choice::parse(&global.net)
                .map_err(|why| format!("-{name}: {why}; interfaces and networks like {values}"))?;
            global.variables.push(("NEMESIS_NET".into(), global.net.clone().into()));
        }
        Meaning::PortRange => {
            let ports = ports(&words.text(name, values)?)?;
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
        Meaning::Verbose => global.verbose = true,
        Meaning::Help => return Ok(Some(Request::Help)),
        Meaning::Version => return Ok(Some(Request::Version)),
        Meaning::Accepted(count) => {
            (0..count).try_for_each(|_| words.value(name, values).map(drop))?
        }
    }
    match words.joined.take() {
        Some(value) => Err(format!("-{name} takes no value, and was given {value:?}")),
        None => Ok(None),
    }
}

/// One of the names that the standard has for error handlers here (MPI 5.0 §11.5).
fn initial_errhandler(name: String) -> Result<String, String> {
    match name.as_str() {
        "mpi_errors_are_fatal" | "mpi_errors_abort" | "mpi_errors_return" => Ok(name),
        _ => Err(format!(
            "-initial-errhandler {name}: mpi_errors_are_fatal, mpi_errors_abort or mpi_errors_return"
        )),
    }
}

fn add_hosts(
    option: &str,
    hosts: &mut Option<Vec<Host>>,
    more: Result<Vec<Host>, String>,
) -> Result<(), String> {
    hosts.get_or_insert_default().extend(more.map_err(|why| format!("-{option}: {why}"))?);
    Ok(())
}

/// `OBJECT[:MODIFIER...]` or `ppr:N:OBJECT`; what a modifier asks for (OVERSUBSCRIBE and the like) is allowed anyway.
fn map_by(text: &str, global: &mut Global) -> Result<(), String> {
    let mut words = text.split(':');
    match words.next().unwrap_or_default() {
        "ppr" => {
            global.per_host = Some(positive("map-by ppr", words.next().unwrap_or_default())?);
            match words.next() {
                Some("node") => Ok(()),
                other => Err(format!("-map-by {text}: ppr is per node here, not per {}", other.unwrap_or("nothing"))),
            }
        }
        "node" => {
            global.by_node = true;
            Ok(())
        }
        "slot" => Ok(()),
        "share" => Err("-map-by share: a share is what a process is bound to, as is the rule; try: -bind-to share".into()),
        object => {
            let object = binding::object(object);
            global.map_by = Some(object.map_err(|_| format!("-map-by {text}: slot, node, core, socket, numa, hwthread or ppr:N:node"))?);
            Ok(())
        }
    }
}

fn ports(text: &str) -> Result<Ports, String> {
    let ports = Ports::parse(text).ok().filter(|ports| ports.0.is_some());
    ports.ok_or_else(|| format!("-port-range: {text:?} is no range of ports, as 20000:20100 is"))
}

fn positive(option: &str, text: &str) -> Result<u32, String> {
    text.parse()
        .ok()
        .filter(|&number| number > 0)
        .ok_or_else(|| format!("-{option}: {text:?} is not a number of processes"))
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
        rank => rank
            .parse()
            .map(StdinFor::Rank)
            .map_err(|_| format!("-stdin: {rank:?} is neither a rank nor all nor none")),
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
    fn dashes_and_joined_values_do_not_matter() {
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
    fn several_programs_and_what_holds_for_all() {
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
    fn mistakes_are_named() {
        let mistake = |line: &str| read(&words(line), |_| None).unwrap_err();
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
        assert!(mistake("-hosts x:0 a").contains("-hosts: x:0"));
        assert!(mistake("-port-range 9:8 a").contains("20000:20100"));
        assert!(mistake("-net 10.1.0.0/33 a").contains("10.1.0.0/33"));
        assert!(mistake("-map-by moon a").contains("-map-by moon"));
        assert!(mistake("-bind-to share -map-by core a").contains("no -map-by"));
        assert!(
            mistake("-map-by share a").contains("-bind-to share")
                && mistake("-map-by share:2 a").contains("-bind-to share")
        );
    }

    #[test]
    fn every_option_stands_in_the_help() {
        let help = help();
        assert!(rows().flat_map(|row| row.names).all(|name| help.contains(&format!("-{name}"))));
        assert_eq!(read(&words("-n 2 -h"), |_| None), Ok(Request::Help));
        assert_eq!(read(&words("--version"), |_| None), Ok(Request::Version));
    }

    #[test]
    fn hosts_are_said_in_every_way() {
        let told = |hosts: &[Host]| {
            hosts
                .iter()
                .map(|host| format!("{}:{}", host.name, host.slots))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let two = plan("-hosts h1,h2:3 a");
        assert_eq!((told(&two.hosts), two.processes()), ("h1:1 h2:3".into(), 4));
        assert_eq!(told(&plan("-hosts h1,h2:3 -ppn 2 a").hosts), "h1:2 h2:2");
        assert_eq!(told(&plan("--map-by ppr:4:node -hosts h1 a").hosts), "h1:4");
        assert!(plan("--map-by node:OVERSUBSCRIBE -hosts h1,h2 a").by_node);
        let own = plan("-n 1 -host h1 a : -n 2 -H h2:2 b : c");
        assert_eq!(
            own.programs.iter().map(|program| program.processes).collect::<Vec<_>>(),
            [1, 2, 1]
        );
        assert_eq!(told(own.programs[1].hosts.as_ref().unwrap()), "h2:2");
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
        assert_eq!((told(&allocated.hosts), allocated.processes()), ("n1:2 n2:2".into(), 4));
        let Ok(Request::Run(said)) = read(&words("-hosts x a"), slurm) else { panic!() };
        assert_eq!(told(&said.hosts), "x:1");
    }

    #[test]
    fn who_says_nothing_gets_a_share() {
        let to = |line: &str| plan(line).binding.to.kind;
        assert_eq!(["-n 2 a", "-bind-to share a", "-map-by node a"].map(to), [Kind::Share; 3]);
        assert_eq!(["-bind-to none a", "-map-by socket a"].map(to), [Kind::None; 2]);
        assert_eq!(to("-bind-to core -map-by socket a"), Kind::Core);
    }

    #[test]
    fn networks_and_ports_go_to_the_library() {
        let plan = plan("-net eth0,^docker0 -port-range 20000-20100 a");
        assert_eq!((plan.ports, plan.net.as_str()), ((20000, 20100), "eth0,^docker0"));
        assert_eq!(
            plan.programs[0].variables,
            [
                ("NEMESIS_NET".into(), "eth0,^docker0".into()),
                ("NEMESIS_PORTS".into(), OsString::from("20000:20100"))
            ]
        );
        // What is handed on is what the library reads.
        let handed_on = plan.programs[0].variables[1].1.to_str().unwrap();
        assert_eq!(Ports::parse(handed_on).unwrap().0, Some(20000..=20100));
    }
}
