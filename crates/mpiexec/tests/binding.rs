//! The processors that ranks get: by default a share of the cores where that does no harm, else
//! what the options ask for.
//!
//! Other jobs on this machine may hold claims, so each test asserts only what holds whatever other
//! jobs run. Where the kernel grants a network namespace, in which no other job has claims, the
//! tests assert more.

mod launch;

use launch::{MPIEXEC, mpiexec, start};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// Prints the rank and the processors that it may use.
const PRINT: &str = "echo $PMI_RANK $(grep Cpus_allowed_list /proc/self/status | cut -f 2)";

/// Returns the processors that this process may use.
fn allowed() -> Vec<usize> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    numbers(status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim())
}

/// Parses a list of ranges.
fn numbers(list: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        first.parse::<usize>().unwrap()..=last.parse().unwrap()
    };
    list.split(',').flat_map(range).collect()
}

/// Returns, by rank, the processors that the ranks have printed.
fn printed(out: &str) -> Vec<Vec<usize>> {
    let mut lines: Vec<(usize, Vec<usize>)> = out
        .lines()
        .map(|line| {
            line.split_once(' ').map(|(rank, list)| (rank.parse().unwrap(), numbers(list))).unwrap()
        })
        .collect();
    lines.sort();
    lines.into_iter().map(|line| line.1).collect()
}

fn affinities(options: &[&str]) -> Vec<Vec<usize>> {
    let job = mpiexec(&[options, &["sh", "-c", PRINT]].concat());
    assert_eq!(job.code, 0, "{}", job.err);
    printed(&job.out)
}

fn disjoint(shares: &[Vec<usize>]) -> bool {
    let mut all: Vec<usize> = shares.concat();
    let before = all.len();
    all.sort_unstable();
    all.dedup();
    all.len() == before
}

/// Returns whether each hardware thread is a core, so that as many ranks as processors get one
/// each.
fn threads_are_cores() -> bool {
    let alone = |number: &usize| {
        let path = format!("/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list");
        std::fs::read_to_string(path).is_ok_and(|list| numbers(list.trim()).len() == 1)
    };
    allowed().iter().all(alone)
}

/// Returns whether no quota allows fewer processors than the mask.
fn unlimited() -> bool {
    std::thread::available_parallelism().is_ok_and(|usable| usable.get() == allowed().len())
}

/// Returns a command that runs mpiexec in a network namespace without other claims, if the kernel
/// allows that.
fn isolated_mpiexec() -> Option<Command> {
    let is_allowed = Command::new("unshare")
        .args(["-rn", "true"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    is_allowed.then(|| {
        let mut command = Command::new("unshare");
        command.args(["-rn", MPIEXEC]);
        command
    })
}

#[test]
fn each_rank_gets_a_share_or_all() {
    let all = allowed();
    for ranks in 2..=all.len() {
        let shares = affinities(&["-n", &ranks.to_string()]);
        assert!(disjoint(&shares) || shares.iter().all(|share| *share == all), "{shares:?}");
    }
    assert_eq!(affinities(&["-n", "1"]), vec![all.clone()]);
    assert_eq!(affinities(&["-n", &(all.len() + 1).to_string()]), vec![all.clone(); all.len() + 1]);
    assert_eq!(affinities(&["-n", "2", "-bind-to", "none"]), vec![all.clone(); 2]);
    assert_eq!(affinities(&["-n", "2", "-map-by", "core"]), vec![all; 2]);
}

#[test]
fn a_job_without_others_gets_all_cores() {
    let Some(mut command) =
        isolated_mpiexec().filter(|_| allowed().len() >= 2 && threads_are_cores() && unlimited())
    else {
        return;
    };
    let out = command.args(["-n", "2", "sh", "-c", PRINT]).output().unwrap();
    let shares = printed(&String::from_utf8(out.stdout).unwrap());
    assert!(disjoint(&shares), "{shares:?}");
    assert_eq!(shares.concat(), allowed());
}

#[test]
fn two_jobs_at_once_never_have_the_same_cores() {
    let wait = format!("{PRINT}; read line");
    let (mut first, _) = start(&["-n", "2", "-stdin", "all", "sh", "-c", &wait], "first");
    let mut lines = BufReader::new(first.stdout.take().unwrap()).lines();
    let one: Vec<String> = lines.by_ref().take(2).map(Result::unwrap).collect();
    let one = printed(&one.join("\n"));
    let other = affinities(&["-n", "2"]);
    let is_bound = |shares: &[Vec<usize>]| shares.iter().all(|share| share.len() < allowed().len());
    assert!(
        !is_bound(&one) || !is_bound(&other) || disjoint(&[one.clone(), other.clone()].concat()),
        "{one:?} {other:?}"
    );
    drop(first.stdin.take());
    first.wait().unwrap();
}

#[test]
fn a_job_started_by_a_rank_shares_the_ranks_cores() {
    if allowed().len() < 2 || !threads_are_cores() || !unlimited() {
        return;
    }
    // Another job has the cores that this job does not get.
    let (mut outer, _) =
        start(&["-n", "2", "-stdin", "all", "sh", "-c", &format!("{PRINT}; read line")], "outer");
    let mut lines = BufReader::new(outer.stdout.take().unwrap()).lines();
    lines.by_ref().take(2).for_each(|line| drop(line.unwrap()));
    let list = allowed().iter().map(usize::to_string).collect::<Vec<String>>().join(",");
    let mut inner = Command::new(MPIEXEC);
    inner
        .args(["-n", "2", "sh", "-c", PRINT])
        .env("NEMESIS_JOB", format!("{:x}", std::process::id()));
    let out = inner
        .env("NEMESIS_PROCESSORS", format!("{}:{list}:{list}", allowed().len()))
        .output()
        .unwrap();
    let shares = printed(&String::from_utf8(out.stdout).unwrap());
    assert!(disjoint(&shares), "{shares:?}");
    assert_eq!(shares.concat(), allowed());
    drop(outer.stdin.take());
    outer.wait().unwrap();
}

#[test]
fn requested_cores_are_bound_even_if_another_job_has_them() {
    let all = allowed();
    let cores = || affinities(&["-n", "2", "-bind-to", "hwthread"]);
    assert_eq!(cores(), cores());
    if all.len() >= 2 {
        assert_eq!(cores(), affinities(&["-n", "2", "--bind-to", "hwthread"]));
        assert!(disjoint(&cores()));
    }
}

#[test]
fn a_narrower_mask_is_kept() {
    let all = allowed();
    let narrow = format!("{}", all[0]);
    let words = ["-c", &narrow, MPIEXEC, "-v", "-n", "2", "sh", "-c", PRINT];
    let Ok(out) = Command::new("taskset").args(words).output() else { return };
    assert_eq!(printed(&String::from_utf8(out.stdout).unwrap()), vec![vec![all[0]]; 2]);
    let message = String::from_utf8(out.stderr).unwrap();
    assert!(message.contains("not bound: 2 ranks, 1 processors"), "{message}");
}

#[test]
fn ranks_are_told_how_many_processors_they_share() {
    let job = mpiexec(&["-n", "2", "-bind-to", "hwthread", "sh", "-c", "echo $NEMESIS_PROCESSORS"]);
    let usable = std::thread::available_parallelism().unwrap();
    assert_eq!(job.out, format!("{usable}\n").repeat(2));
}
