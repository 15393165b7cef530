//! Lists of hosts in the notations of hydra, Open MPI and batch systems.
//!
//! ```text
//!   -hosts h1,h2:3,[fe80::1]:2    a host and its slots, default 1; a repeated host is used again
//!   -f FILE                       h1            h2:3            h3 slots=4 max_slots=8 # a comment
//!   SLURM_JOB_NODELIST            n[01-03,7],login     with SLURM_TASKS_PER_NODE  2(x3),1
//!   PBS_NODEFILE                  a line for each slot
//!   LSB_DJOB_HOSTFILE             a line for each slot; without it LSB_MCPU_HOSTS: h1 4 h2 4
//!   PE_HOSTFILE                   h1 4 queue processors (Grid Engine)
//! ```
//!
//! Slots say how many ranks a host gets before the next host gets some. They refuse no rank: when
//! all slots are taken, the first host gets ranks again.

pub use crate::host_identity::{identity, is_here};
use std::path::Path;

/// A host, and the number of ranks that it gets in its turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Host {
    /// The name, as the user wrote it.
    pub name: String,
    /// The number of ranks in its turn; at least 1.
    pub slots: u32,
    /// Whether the user or the batch system has told the number.
    pub told: bool,
}

/// Hosts of a list at most; more are a mistake in the list.
const HOSTS_MAX: usize = 1 << 20;

/// Reads a comma-separated list of hosts.
pub fn list(text: &str) -> Result<Vec<Host>, String> {
    let hosts: Vec<Host> =
        text.split(',').filter(|word| !word.is_empty()).map(host).collect::<Result<_, _>>()?;
    if hosts.is_empty() { Err(format!("{text:?} names no host")) } else { Ok(hosts) }
}

/// Reads a file of hosts.
pub fn file(path: &Path) -> Result<Vec<Host>, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|why| format!("the host file {} cannot be read: {why}", path.display()))?;
    let lines = text
        .lines()
        .enumerate()
        .map(|(number, line)| (number + 1, line.split('#').next().unwrap_or_default().trim()));
    let hosts: Vec<Host> = lines
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| {
            file_line(line).map_err(|why| format!("{}, line {number}: {why}", path.display()))
        })
        .collect::<Result<_, _>>()?;
    if hosts.is_empty() {
        Err(format!("the host file {} names no host", path.display()))
    } else {
        Ok(hosts)
    }
}

/// Reads one line of a host file.
fn file_line(line: &str) -> Result<Host, String> {
    let mut words = line.split_whitespace();
    let mut host = host(words.next().unwrap_or_default())?;
    for word in words {
        match word.split_once('=') {
            Some(("slots", slots)) => (host.slots, host.told) = (count(slots)?, true),
            // The greatest number of slots is ignored, because no rank is refused.
            Some(("max_slots" | "max-slots", slots)) => drop(count(slots)?),
            _ => {
                return Err(format!(
                    "{word:?} is not understood; a line is HOST, HOST:SLOTS or HOST slots=SLOTS"
                ));
            }
        }
    }
    Ok(host)
}

/// Reads `name`, `name:slots` or `[v6 address]:slots`. A bare IPv6 address has more than one colon.
fn host(word: &str) -> Result<Host, String> {
    let (name, slots) = match (
        word.strip_prefix('[').and_then(|word| word.split_once(']')),
        word.split_once(':'),
    ) {
        (Some((name, rest)), _) => (name, rest.strip_prefix(':')),
        (None, Some((name, slots))) if !slots.contains(':') => (name, Some(slots)),
        _ => (word, None),
    };
    let told = slots.is_some();
    let slots = slots.map_or(Ok(1), count).map_err(|why| format!("{word}: {why}"))?;
    let is_name = !name.is_empty()
        && !name.starts_with('-')
        && name.chars().all(|c| c.is_alphanumeric() || "._-:%@".contains(c));
    if is_name {
        Ok(Host { name: name.to_owned(), slots, told })
    } else {
        Err(format!("{word:?} is not the name of a host"))
    }
}

/// Reads a positive number of slots.
fn count(text: &str) -> Result<u32, String> {
    text.parse()
        .ok()
        .filter(|&slots| slots > 0)
        .ok_or_else(|| format!("{text:?} is not a number of slots"))
}

/// Returns the hosts of the batch job that the environment describes, if it describes one.
pub fn of_allocation(
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<Vec<Host>>, String> {
    let is_of = |job: &str, name: &str| variable(name).filter(|_| variable(job).is_some());
    if let Some(nodes) = is_of("SLURM_JOB_ID", "SLURM_JOB_NODELIST") {
        let names = slurm_names(&nodes)
            .ok_or_else(|| format!("SLURM_JOB_NODELIST={nodes} is not a list of hosts"))?;
        let slots =
            variable("SLURM_TASKS_PER_NODE").or_else(|| variable("SLURM_JOB_CPUS_PER_NODE"));
        let slots = slots.as_deref().and_then(slurm_counts).unwrap_or_default();
        let hosts = names.into_iter().enumerate();
        let slots_of = |place: usize| slots.get(place).copied().unwrap_or(1);
        let host = |(place, name)| Host { name, slots: slots_of(place), told: true };
        return Ok(Some(hosts.map(host).collect()));
    }
    let lines = match (variable("PBS_NODEFILE"), is_of("LSB_JOBID", "LSB_DJOB_HOSTFILE")) {
        (Some(path), _) | (None, Some(path)) => file(Path::new(&path))?,
        _ => match (is_of("LSB_JOBID", "LSB_MCPU_HOSTS"), variable("PE_HOSTFILE")) {
            (Some(pairs), _) => lsf_pairs(&pairs)
                .ok_or_else(|| format!("LSB_MCPU_HOSTS={pairs} is not a list of hosts"))?,
            (None, Some(path)) => grid_engine_file(Path::new(&path))?,
            _ => return Ok(None),
        },
    };
    let mut hosts: Vec<Host> = Vec::new();
    for line in lines {
        match hosts.iter_mut().find(|host| host.name == line.name) {
            Some(host) => host.slots += line.slots,
            None => hosts.push(Host { told: true, ..line }),
        }
    }
    Ok(Some(hosts))
}

/// Reads LSF's list `h1 4 h2 4`.
fn lsf_pairs(text: &str) -> Option<Vec<Host>> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let pair = |pair: &[&str]| {
        let [name, slots] = pair else { return None };
        Some(Host { slots: count(slots).ok()?, told: true, ..host(name).ok()? })
    };
    let hosts: Vec<Host> = words.chunks(2).map(pair).collect::<Option<_>>()?;
    (!hosts.is_empty()).then_some(hosts)
}

/// Reads Grid Engine's file with lines `h1 4 queue processors`.
fn grid_engine_file(path: &Path) -> Result<Vec<Host>, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|why| format!("PE_HOSTFILE={} cannot be read: {why}", path.display()))?;
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let host = host(words.next().unwrap_or_default())?;
        let slots = count(words.next().unwrap_or_default())
            .map_err(|why| format!("PE_HOSTFILE={}: {line:?}: {why}", path.display()))?;
        Ok(Host { slots, told: true, ..host })
    };
    text.lines().filter(|text| !text.trim().is_empty()).map(line).collect()
}

/// Reads a list such as `n[01-03,7],login`, one slot on each host.
pub fn ranges(text: &str) -> Result<Vec<Host>, String> {
    let names = slurm_names(text).ok_or_else(|| format!("{text:?} is not a list of hosts"))?;
    Ok(names.into_iter().map(|name| Host { name, slots: 1, told: false }).collect())
}

/// Expands a list such as `n[01-03,7],login`. A name may have several brackets.
fn slurm_names(text: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut depth = 0;
    let mut start = 0;
    for (place, c) in text.char_indices().chain([(text.len(), ',')]) {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth == 0 => {
                expand(&text[start..place], "", &mut names)?;
                start = place + 1;
            }
            _ => {}
        }
    }
    (depth == 0 && !names.is_empty()).then_some(names)
}

/// Expands the brackets of one name.
fn expand(pattern: &str, before: &str, names: &mut Vec<String>) -> Option<()> {
    let Some((plain, rest)) = pattern.split_once('[') else {
        let name = format!("{before}{pattern}");
        names.push(host(&name).ok().filter(|_| names.len() < HOSTS_MAX)?.name);
        return Some(());
    };
    let (ranges, after) = rest.split_once(']')?;
    for range in ranges.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let width = first.len();
        let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
        if last.checked_sub(first)? >= HOSTS_MAX as u64 {
            return None;
        }
        for number in first..=last {
            expand(after, &format!("{before}{plain}{number:0width$}"), names)?;
        }
    }
    Some(())
}

/// Expands a list of counts such as `2(x3),1`.
fn slurm_counts(text: &str) -> Option<Vec<u32>> {
    let mut counts = Vec::new();
    for word in text.split(',') {
        let (count, times) = match word.split_once("(x") {
            Some((count, times)) => (count, times.strip_suffix(')')?.parse().ok()?),
            None => (word, 1),
        };
        let count: u32 = count.parse().ok().filter(|&count| count > 0)?;
        counts.extend(std::iter::repeat_n(count, usize::min(times, HOSTS_MAX)));
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pairs_of(hosts: Vec<Host>) -> Vec<(String, u32)> {
        hosts.into_iter().map(|host| (host.name, host.slots)).collect()
    }

    fn pairs(expected: &[(&str, u32)]) -> Vec<(String, u32)> {
        expected.iter().map(|(name, slots)| ((*name).to_owned(), *slots)).collect()
    }

    #[test]
    fn lists_have_slots() {
        assert_eq!(
            pairs_of(list("h1,h2:3,h1").unwrap()),
            pairs(&[("h1", 1), ("h2", 3), ("h1", 1)])
        );
        assert_eq!(
            pairs_of(list("10.0.0.1:2,[fe80::1]:4,fe80::2").unwrap()),
            pairs(&[("10.0.0.1", 2), ("fe80::1", 4), ("fe80::2", 1)])
        );
        for wrong in ["", ",", "h1:0", "h1:x", "-oProxyCommand=x", "a b", "h;rm"] {
            assert!(list(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn both_notations_of_host_files_are_read() {
        let path = std::env::temp_dir().join(format!("nemesis-test-hosts-{}", std::process::id()));
        std::fs::write(&path, "# ours\nh1\n\nh2:3   # three\nh3 slots=4 max_slots=8\n").unwrap();
        assert_eq!(pairs_of(file(&path).unwrap()), pairs(&[("h1", 1), ("h2", 3), ("h3", 4)]));
        std::fs::write(&path, "h1\nh2 slots=many\n").unwrap();
        let why = file(&path).unwrap_err();
        assert!(why.contains("line 2") && why.contains("many"), "{why}");
        std::fs::write(&path, "# nothing\n").unwrap();
        assert!(file(&path).unwrap_err().contains("names no host"));
        std::fs::remove_file(&path).unwrap();
        assert!(file(&path).unwrap_err().contains("cannot be read"));
    }

    #[test]
    fn hosts_of_slurm_and_pbs_are_read() {
        let slurm = |nodes: &str, tasks: &str| {
            let variables = [
                ("SLURM_JOB_ID", "7"),
                ("SLURM_JOB_NODELIST", nodes),
                ("SLURM_TASKS_PER_NODE", tasks),
            ];
            of_allocation(|name| {
                variables
                    .iter()
                    .find(|variable| variable.0 == name)
                    .map(|variable| variable.1.to_owned())
            })
        };
        let hosts = slurm("n[08-10,2],login", "2(x3),1").unwrap().unwrap();
        assert_eq!(
            pairs_of(hosts),
            pairs(&[("n08", 2), ("n09", 2), ("n10", 2), ("n2", 1), ("login", 1)])
        );
        let hosts = slurm("r[1-2]n[1-2]-ib", "4(x4)").unwrap().unwrap();
        assert_eq!(
            pairs_of(hosts),
            pairs(&[("r1n1-ib", 4), ("r1n2-ib", 4), ("r2n1-ib", 4), ("r2n2-ib", 4)])
        );
        assert!(
            slurm("n[1-", "1").is_err()
                && slurm("n[2-1]", "1").is_err()
                && slurm("n[1-9999999999]", "1").is_err()
        );
        assert_eq!(of_allocation(|_| None), Ok(None));
        let path = std::env::temp_dir().join(format!("nemesis-test-pbs-{}", std::process::id()));
        std::fs::write(&path, "a\na\nb\n").unwrap();
        let hosts =
            of_allocation(|name| (name == "PBS_NODEFILE").then(|| path.display().to_string()))
                .unwrap()
                .unwrap();
        assert_eq!(pairs_of(hosts), pairs(&[("a", 2), ("b", 1)]));
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn hosts_of_lsf_and_grid_engine_are_read() {
        let path = std::env::temp_dir().join(format!("nemesis-test-batch-{}", std::process::id()));
        let read = |text: &str, names: &[(&str, &str)]| {
            std::fs::write(&path, text).unwrap();
            let told = |name: &str| {
                let of = |text: &str| text.replace("FILE", path.to_str().unwrap());
                names.iter().find(|variable| variable.0 == name).map(|variable| of(variable.1))
            };
            of_allocation(told).map(|hosts| pairs_of(hosts.unwrap_or_default()))
        };
        let job = ("LSB_JOBID", "7");
        let by_file = [job, ("LSB_DJOB_HOSTFILE", "FILE"), ("LSB_MCPU_HOSTS", "x 1")];
        assert_eq!(read("a\na\nb\n", &by_file).unwrap(), pairs(&[("a", 2), ("b", 1)]));
        let by_pairs = [job, ("LSB_MCPU_HOSTS", "a 4 b 2")];
        assert_eq!(read("", &by_pairs).unwrap(), pairs(&[("a", 4), ("b", 2)]));
        assert!(read("", &[job, ("LSB_MCPU_HOSTS", "a 4 b")]).is_err());
        assert_eq!(read("", &by_pairs[1..]).unwrap(), []);
        let by_engine = [("PE_HOSTFILE", "FILE")];
        let text = "a 4 all.q@a <NULL>\nb 2 all.q@b 0:1\n";
        assert_eq!(read(text, &by_engine).unwrap(), pairs(&[("a", 4), ("b", 2)]));
        assert!(read("a many\n", &by_engine).unwrap_err().contains("PE_HOSTFILE"));
        std::fs::remove_file(&path).unwrap();
        assert_eq!(pairs_of(ranges("n[1-2],x").unwrap()), pairs(&[("n1", 1), ("n2", 1), ("x", 1)]));
    }

    proptest! {
        #[test]
        fn random_text_never_panics(text in r"[n0-9\[\],\-(x)é:]{0,30}") {
            let _ = (slurm_names(&text), slurm_counts(&text), list(&text), file_line(&text));
        }
    }
}
