//! Options about the places of ranks: hosts in their order, objects of the machine, and files of
//! ranks.

use super::plan::RankBy;
use super::reader::Global;
use super::values::positive;
use crate::binding::{self, Kind, Object, SlotSet};
use crate::launch_error::LaunchError;
use nemesis_sys::hardware;
use nemesis_wireup::hosts::{self, Host};
use std::path::Path;

/// What `-map-by` can name, for messages.
const OBJECTS: &str = "slot, node, seq, core, l3cache, numa, socket, hwthread or ppr:N:OBJECT";

/// Processors of a host at most.
const PROCESSORS_MAX: usize = 1 << 16;

/// Reads `OBJECT[:MODIFIER...]` or `ppr:N:OBJECT[:MODIFIER...]`.
///
/// # Errors
///
/// Returns a message about what means nothing.
pub fn map_by(text: &str, global: &mut Global) -> Result<(), LaunchError> {
    let lower = text.to_ascii_lowercase();
    let mut words = lower.split(':');
    match words.next().unwrap_or_default() {
        "ppr" => {
            let count = positive("map-by ppr", words.next().unwrap_or_default())?;
            let object = words.next().unwrap_or_default();
            if object == "node" {
                global.per_host = Some(count);
            } else {
                let object = named_object(text, object)?;
                global.per_host = Some(count.saturating_mul(binding::objects_here(object.kind)));
                (global.map_by, global.per_object) = (Some(object), count);
            }
        }
        "node" => global.by_node = true,
        "slot" | "" => {}
        "seq" => global.in_sequence = true,
        "rankfile" => {
            // The name keeps its letters.
            let path = text.split(':').find_map(|word| {
                let (key, path) = word.split_once('=')?;
                key.eq_ignore_ascii_case("file").then_some(path)
            });
            let path = path.ok_or_else(|| {
                LaunchError::new(format!("-map-by {text} names no file"), "-rankfile FILE")
            })?;
            global.ranks = Some(rank_file(Path::new(path))?);
            return Ok(());
        }
        "dist" => {
            return Err(LaunchError::new(
                format!("-map-by {text}: distances from devices are not known here"),
                "-map-by numa -bind-to numa",
            ));
        }
        "share" => {
            return Err(LaunchError::new(
                "-map-by share: processes are bound to shares, not mapped by them",
                "-bind-to share (the default)",
            ));
        }
        object => global.map_by = Some(named_object(text, object)?),
    }
    words.filter(|word| !word.is_empty()).try_for_each(|word| modifier(text, word, global))
}

/// Returns one object of this name.
fn named_object(text: &str, name: &str) -> Result<Object, LaunchError> {
    binding::object(name)
        .map_err(|_| LaunchError::new(format!("-map-by {text}: there is no such object"), OBJECTS))
}

/// Reads what follows an object of `-map-by`.
fn modifier(text: &str, word: &str, global: &mut Global) -> Result<(), LaunchError> {
    match word.split_once('=') {
        Some(("pe", count)) => {
            global.processors_per_rank = Some(positive("map-by ...:PE=", count)?);
        }
        Some(("pe-list", list)) => global.only = processor_set("map-by", list)?,
        None => match word {
            // More processes than slots are always allowed.
            "oversubscribe" | "span" | "inherit" | "noinherit" | "corecpus" | "ordered" => {}
            "nooversubscribe" => global.no_oversubscribe = true,
            "nolocal" => global.not_here = true,
            "hwtcpus" => global.hardware_threads = true,
            "display" => global.display.map = true,
            "donotlaunch" => global.only_shows = true,
            _ => return Err(unknown_modifier(text, word)),
        },
        Some(_) => return Err(unknown_modifier(text, word)),
    }
    Ok(())
}

fn unknown_modifier(text: &str, word: &str) -> LaunchError {
    LaunchError::new(
        format!("-map-by {text}: {word:?} means nothing after an object"),
        "PE=N, OVERSUBSCRIBE, NOOVERSUBSCRIBE, NOLOCAL or HWTCPUS",
    )
}

/// Reads the value of `-rank-by`. Objects within a host keep the order in which `-map-by` gives
/// them out.
///
/// # Errors
///
/// Returns a message about an object that is not one.
pub fn rank_by(text: &str, global: &mut Global) -> Result<(), LaunchError> {
    match text.to_ascii_lowercase().split(':').next().unwrap_or_default() {
        "node" => global.rank_by = Some(RankBy::Node),
        "slot" | "fill" => global.rank_by = Some(RankBy::Slot),
        "span" => {}
        object => {
            named_object(text, object)?;
            global.rank_by = Some(RankBy::Slot);
        }
    }
    Ok(())
}

/// Reads the value of `-bind-to`.
///
/// # Errors
///
/// Returns a message about an object that is not one.
pub fn bind_to(text: &str, global: &mut Global) -> Result<(), LaunchError> {
    let (first, rest) = text.split_once(':').unwrap_or((text, ""));
    match first {
        "user" => {
            let sets = rest.split(',').map(|word| -> Result<Vec<usize>, LaunchError> {
                let parts = word.split('+').map(|part| processor_set("bind-to user", part));
                Ok(parts.collect::<Result<Vec<_>, _>>()?.concat())
            });
            global.sets = sets.collect::<Result<_, _>>()?;
            global.bind_to = Some(Object::one(Kind::Listed));
        }
        "cpu-list" => global.bind_to = Some(Object::one(Kind::Listed)),
        _ => global.bind_to = Some(binding::object(text)?),
    }
    Ok(())
}

/// Reads processors such as `0,2-3`.
///
/// # Errors
///
/// Returns a message if the text is no list of numbers.
pub fn processor_set(option: &str, text: &str) -> Result<Vec<usize>, LaunchError> {
    let is_number = |word: &str| word.parse::<usize>().is_ok_and(|word| word < PROCESSORS_MAX);
    let numbers = if text.split([',', '-']).all(is_number) { hardware::parse(text) } else { None };
    numbers.map(|numbers| numbers.into_iter().map(|number| number as usize).collect()).ok_or_else(
        || {
            let what = format!("-{option}: {text:?} is not a list of processors");
            LaunchError::new(what, "numbers and ranges, such as 0,2-3; lscpu -e lists them")
        },
    )
}

/// Reads a file with lines `rank 0=HOST slot=CORES`.
///
/// # Errors
///
/// Returns a message about the line that means nothing, or about a rank that has no line.
pub fn rank_file(path: &Path) -> Result<Vec<(Host, SlotSet)>, LaunchError> {
    let shown = path.display();
    let advice = "lines such as `rank 0=host1 slot=0-1`, and `slot=1:0-3` for cores of socket 1";
    let text = std::fs::read_to_string(path).map_err(|why| {
        LaunchError::new(format!("-rankfile: {shown} cannot be read: {why}"), advice)
    })?;
    let mut ranks: Vec<(u32, (Host, SlotSet))> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let read = rank_line(line).ok_or_else(|| {
            let what = format!("-rankfile: {shown}, line {}: {line:?} is no rank", number + 1);
            LaunchError::new(what, advice)
        })?;
        ranks.push(read);
    }
    ranks.sort_by_key(|rank| rank.0);
    for (expected, (rank, _)) in ranks.iter().enumerate() {
        if expected != *rank as usize {
            let what = format!("-rankfile: {shown} has no line for rank {expected}, or two");
            return Err(LaunchError::new(what, "one line for each rank from 0"));
        }
    }
    if ranks.is_empty() {
        return Err(LaunchError::new(format!("-rankfile: {shown} names no rank"), advice));
    }
    Ok(ranks.into_iter().map(|rank| rank.1).collect())
}

/// Reads one line of a file of ranks.
fn rank_line(line: &str) -> Option<(u32, (Host, SlotSet))> {
    let rest = line.strip_prefix("rank")?.trim_start();
    let (rank, rest) = rest.split_once('=')?;
    let mut words = rest.split_whitespace();
    let host = hosts::list(words.next()?).ok()?.into_iter().next()?;
    let slots = match words.next() {
        Some(word) => SlotSet::read(word.strip_prefix("slot=").or(word.strip_prefix("slots="))?)?,
        None => SlotSet::default(),
    };
    Some((rank.trim().parse().ok()?, (Host { slots: 1, ..host }, slots)))
}
