//! The command line: hydra's options, and those of other launchers.
//!
//! ```text
//!   mpiexec [options] program [arguments] [ : [options] program [arguments] ] ...
//! ```
//!
//! One dash or two are equivalent, and `-option=value` is `-option value`. Options end at `--`, or
//! at the first word without a dash. The arguments of the program are not interpreted, but for a
//! `:`, which begins the next program. `table` names the options, `reader` reads them.

mod completion;
mod help;
mod mapping;
mod output;
mod parameters;
mod plan;
mod reader;
mod table;
#[cfg(test)]
mod tests;
mod values;

use crate::agent_commands;
use crate::binding::{self, Binding, Kind, Object};
use crate::launch_error::LaunchError;
use nemesis_profile::layout::{FOLDER, PROFILE_VARIABLE, folder_named};
use nemesis_wireup::hosts::{self, Host};
pub use plan::{Inherit, Plan, ProfilePlan, Program, RankBy, Request, StdinFor};
use reader::{Block, Global, Step, Universe, Words};
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

/// Time of fruitless waits and tests after which the user is told, unless the user sets another.
pub const NOTICE_AFTER: Duration = Duration::from_secs(60);

/// Files of options within files of options at most.
const FILES_MAX: u32 = 8;

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
    if let Some(request) = parts(arguments, &mut global, &mut programs, 0)? {
        return Ok(request);
    }
    choose_hosts(&programs, &mut global, &variable)?;
    choose_network(&mut global, &variable)?;
    global.on_deadlock = global.on_deadlock.or_else(|| variable("NEMESIS_ON_DEADLOCK"));
    global.notice_seconds = variable("NEMESIS_NOTICE_SECONDS");
    if global.time_limit.is_none()
        && let Some(text) = variable("MPIEXEC_TIMEOUT").filter(|text| !text.is_empty())
    {
        global.time_limit = Some(values::seconds("MPIEXEC_TIMEOUT", &text)?);
    }
    let asked = || variable(PROFILE_VARIABLE).and_then(|value| folder_named(&value));
    global.profile =
        global.profile.or_else(asked).or_else(|| global.trace.then(|| FOLDER.to_owned()));
    plan(programs, global).map(|plan| Request::Run(Box::new(plan)))
}

/// A program and its number of processes, if the user has given one.
type Counted = (Program, Option<u32>);

/// Reads the programs between colons. Returns a request if an option asks for a text.
fn parts(
    arguments: &[OsString],
    global: &mut Global,
    programs: &mut Vec<Counted>,
    depth: u32,
) -> Result<Option<Request>, LaunchError> {
    let count = arguments.split(|word| word == ":").count();
    for (number, words) in arguments.split(|word| word == ":").enumerate() {
        let mut words = Words { words: words.iter().peekable(), joined: None };
        let mut block = Block::default();
        let mut is_file = false;
        while let Some(word) = words.words.next_if(|word| reader::is_option(word)) {
            if word == "--" {
                break;
            }
            match reader::option(&word.to_string_lossy(), &mut words, &mut block, global)? {
                Step::Next => {}
                Step::Answer(request) => return Ok(Some(request)),
                Step::Programs(path) => {
                    is_file = true;
                    if let Some(request) = file(&path, global, programs, depth + 1)? {
                        return Ok(Some(request));
                    }
                }
            }
        }
        match words.words.next() {
            Some(path) => {
                let arguments = words.words.cloned().collect();
                programs.push(program(block, path.clone(), arguments)?);
            }
            None if is_file => {}
            None => {
                let what = match count {
                    1 => "the command names no program".to_owned(),
                    _ => format!(
                        "part {} of the command, between colons, names no program",
                        number + 1
                    ),
                };
                let syntax = "mpiexec -n 4 ./a.out; mpiexec -help tells more";
                return Err(LaunchError::new(what, syntax));
            }
        }
    }
    Ok(None)
}

/// Makes a program of its options.
fn program(block: Block, path: OsString, arguments: Vec<OsString>) -> Result<Counted, LaunchError> {
    let processes = match &block.soft {
        Some(set) => Some(values::soft(set, block.processes.unwrap_or(u32::MAX >> 1))?),
        None => block.processes,
    };
    let program = Program {
        processes: 0,
        path,
        arguments,
        directory: block.directory,
        search: block.search,
        inherit: block.inherit.unwrap_or_default(),
        variables: block.variables,
        hosts: block.hosts,
    };
    Ok((program, processes))
}

/// Reads the programs of a file: a line for each, as between colons. A backslash at the end
/// continues a line, and quotation marks keep spaces, as in a shell.
fn file(
    path: &Path,
    global: &mut Global,
    programs: &mut Vec<Counted>,
    depth: u32,
) -> Result<Option<Request>, LaunchError> {
    let shown = path.display();
    let advice = "a file with lines such as `-n 2 ./a.out`";
    if depth > FILES_MAX {
        return Err(LaunchError::new(format!("-configfile {shown} names itself"), advice));
    }
    let text = std::fs::read_to_string(path).map_err(|why| {
        LaunchError::new(format!("-configfile {shown} cannot be read: {why}"), advice)
    })?;
    let before = programs.len();
    for line in text.replace("\\\n", " ").lines() {
        let words = shlex::split(line).ok_or_else(|| {
            let what = format!("-configfile {shown}: {line:?}: a quotation mark is not closed");
            LaunchError::new(what, "a second one of its kind, or none")
        })?;
        let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
        if !words.is_empty()
            && let Some(request) = parts(&words, global, programs, depth)?
        {
            return Ok(Some(request));
        }
    }
    if programs.len() == before {
        return Err(LaunchError::new(format!("-configfile {shown} names no program"), advice));
    }
    Ok(None)
}

/// Completes the list of hosts: from the file of ranks, a file by default, or the batch job.
fn choose_hosts(
    programs: &[Counted],
    global: &mut Global,
    variable: &impl Fn(&str) -> Option<String>,
) -> Result<(), LaunchError> {
    let told = |why: String| {
        let advice = "-hosts or -f, which count instead of the variables of the batch system";
        LaunchError::new(why, advice)
    };
    let needs_hosts = programs.iter().any(|(program, _)| program.hosts.is_none());
    if let Some(ranks) = &global.ranks {
        global.hosts = Some(ranks.iter().map(|rank| rank.0.clone()).collect());
        global.in_sequence = true;
    }
    if global.hosts.is_none() && needs_hosts {
        global.hosts = global.default_hosts.take();
    }
    if global.hosts.is_none()
        && needs_hosts
        && let Some(path) = variable("HYDRA_HOST_FILE").filter(|path| !path.is_empty())
    {
        let hosts = hosts::file(Path::new(&path));
        global.hosts = Some(hosts.map_err(|why| told(format!("HYDRA_HOST_FILE: {why}")))?);
    }
    if global.hosts.is_none() && needs_hosts && !global.ignores_allocation {
        global.hosts = hosts::of_allocation(variable).map_err(told)?;
    }
    Ok(())
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
        global.net = values::net("NEMESIS_NET", text)?;
    }
    if global.ports == (0, 0)
        && let Some(text) = set("NEMESIS_PORTS")
    {
        let ports = values::ports("NEMESIS_PORTS", &text)?;
        global.ports = ports.0.map_or((0, 0), RangeInclusive::into_inner);
    }
    Ok(())
}

/// Applies the options for all programs; a program's own options have priority.
fn apply_global(program: &mut Program, global: &Global) {
    program.variables.splice(0..0, global.variables.iter().cloned());
    if program.inherit == Inherit::All {
        program.inherit = global.inherit.clone();
    }
}

/// Applies the options about hosts to a list of them.
fn arranged(mut hosts: Vec<Host>, global: &Global) -> Vec<Host> {
    if global.not_here {
        hosts.retain(|host| !hosts::is_here(&host.name));
    }
    if global.in_sequence {
        hosts.iter_mut().for_each(|host| host.slots = 1);
    } else if let Some(count) = global.per_host {
        let mut seen = std::collections::HashSet::new();
        hosts.retain(|host| seen.insert(hosts::identity(&host.name)));
        hosts.iter_mut().for_each(|host| host.slots = count);
    }
    match global.few_slots_first {
        Some(true) => hosts.sort_by_key(|host| host.slots),
        Some(false) => hosts.sort_by_key(|host| std::cmp::Reverse(host.slots)),
        None => {}
    }
    hosts
}

/// Returns the slots of hosts; without hosts, the processors of this one.
fn slots_of(hosts: &[Host], global: &Global) -> u32 {
    match hosts {
        [] if global.hardware_threads => binding::objects_here(Kind::Thread),
        [] => nemesis_sys::host::usable_cores() as u32,
        _ => hosts.iter().fold(0, |sum, host| host.slots.saturating_add(sum)),
    }
}

/// Returns the number of processes of a program whose user has given none. `is_only`: the job has
/// no other program.
fn default_count(hosts: &[Host], is_only: bool, global: &Global) -> u32 {
    let slots: u32 = hosts.iter().fold(0, |sum, host| host.slots.saturating_add(sum));
    match global.per_host {
        Some(count) if hosts.is_empty() => count,
        Some(_) => slots,
        None if is_only && slots > 0 => slots,
        None => 1,
    }
}

/// Sets the hosts and the number of processes of each program. Returns the hosts of the others.
fn place_programs(
    programs: Vec<Counted>,
    global: &mut Global,
) -> Result<(Vec<Program>, Vec<Host>), LaunchError> {
    let named = global.hosts.take();
    let has_hosts = named.is_some();
    let slots_told = named.iter().flatten().any(|host| host.told);
    let system = slots_of(named.as_deref().unwrap_or_default(), global);
    let hosts = arranged(named.unwrap_or_default(), global);
    let is_only = programs.len() == 1;
    let mut placed = Vec::new();
    for (mut program, count) in programs {
        let own_slots = program.hosts.as_deref().map(|own| slots_of(own, global));
        program.hosts = program.hosts.take().map(|own| arranged(own, global));
        let is_empty = program.hosts.as_ref().map_or(has_hosts && hosts.is_empty(), Vec::is_empty);
        if is_empty || global.not_here && !has_hosts && program.hosts.is_none() {
            let what = "-nolocal leaves no host for the program";
            return Err(LaunchError::new(what, "-hosts with hosts other than this one"));
        }
        let list = program.hosts.as_ref().unwrap_or(&hosts);
        program.processes = count.unwrap_or_else(|| default_count(list, is_only, global));
        if global.no_oversubscribe && program.processes > own_slots.unwrap_or(system) {
            let (asked, slots) = (program.processes, own_slots.unwrap_or(system));
            let what =
                format!("-nooversubscribe: {asked} processes, and the hosts have {slots} slots");
            return Err(LaunchError::new(what, "fewer processes, or without the option"));
        }
        apply_global(&mut program, global);
        placed.push(program);
    }
    let count = placed.iter().fold(0_u32, |sum, program| sum.saturating_add(program.processes));
    if let Some(ranks) = global.ranks.as_ref().filter(|ranks| ranks.len() < count as usize) {
        let what = format!("-rankfile: {count} processes, and the file has {} ranks", ranks.len());
        return Err(LaunchError::new(what, "a line for each rank, or a smaller -n"));
    }
    global.universe = match global.universe {
        Some(Universe::System) => Some(Universe::Number(system.max(count))),
        Some(other) => Some(other),
        None => slots_told.then_some(Universe::Number(system.max(count))),
    };
    Ok((placed, hosts))
}

/// Returns the binding that the options ask for.
fn binding_of(global: &mut Global) -> Result<Binding, LaunchError> {
    let of_ranks: Vec<_> = global.ranks.take().into_iter().flatten().map(|rank| rank.1).collect();
    let per_rank = global.processors_per_rank;
    let to = match (global.bind_to, per_rank) {
        _ if !of_ranks.is_empty() => Some(Object::one(Kind::Listed)),
        (Some(to), Some(count)) if to.kind <= Kind::Core && to.kind > Kind::Share => {
            Some(Object { count, ..to })
        }
        (Some(to), _) => Some(to),
        (None, Some(count)) => Some(Object { kind: global.unit(), count }),
        // So many ranks of each object are bound to it.
        (None, None) if global.per_object > 0 => global.map_by,
        (None, None) => None,
    };
    let mut binding = binding::chosen(to, global.map_by)?;
    binding.per_object = global.per_object;
    binding.sets = std::mem::take(&mut global.sets);
    binding.only = std::mem::take(&mut global.only);
    binding.of_ranks = of_ranks;
    Ok(binding)
}

/// Returns the command that starts an agent, if the options choose one.
fn agent_of(global: &Global) -> Option<String> {
    let by_program =
        |program: &String| agent_commands::of_program(program, &global.agent_arguments);
    let chosen = global.agent.clone().or_else(|| global.agent_program.as_ref().map(by_program));
    chosen.or_else(|| global.launcher.map(str::to_owned))
}

/// Returns whether a job that can never continue is only told.
fn tells_deadlocks(word: Option<&str>) -> Result<bool, LaunchError> {
    match word {
        None | Some("end" | "") => Ok(false),
        Some("tell") => Ok(true),
        Some(other) => Err(LaunchError::new(
            format!("-on-deadlock or NEMESIS_ON_DEADLOCK: {other:?} is not one of its words"),
            "end or tell",
        )),
    }
}

/// Makes the plan from the options that have been read.
fn plan(programs: Vec<Counted>, mut global: Global) -> Result<Plan, LaunchError> {
    let (programs, hosts) = place_programs(programs, &mut global)?;
    let binding = binding_of(&mut global)?;
    let trace = global.trace;
    let plan = Plan {
        programs,
        inherit: global.inherit.clone(),
        variables: global.variables.clone(),
        hosts,
        by_node: global.by_node,
        rank_by: global.rank_by,
        binding,
        agent: agent_of(&global),
        prefix: global.prefix,
        ports: global.ports,
        net: global.net,
        output: global.output,
        merges: global.merges,
        verbose: global.verbose,
        universe: match global.universe {
            Some(Universe::Number(number)) => Some(number),
            _ => None,
        },
        stdin: global.stdin,
        tells_deadlocks: tells_deadlocks(global.on_deadlock.as_deref())?,
        notice_after: notice_after(global.notice_seconds.as_deref())?,
        time_limit: global.time_limit,
        goes_on: global.goes_on,
        is_tolerant: global.is_tolerant,
        tells_codes: global.tells_codes,
        tells_bindings: global.tells_bindings,
        display: global.display,
        only_shows: global.only_shows,
        pid_to: global.pid_to,
        unused: if global.quiet { Vec::new() } else { global.unused },
        profile: global.profile.map(|folder| ProfilePlan { folder: folder.into(), trace }),
        check: global.check,
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
