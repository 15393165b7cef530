//! Which processors ranks get: by default a share of the cores, where it cannot harm, and what was asked for otherwise.
//!
//! Other jobs of this machine may hold claims, so each test asks what must be true whoever else runs; where the kernel lends a network namespace, in which
//! claims are our own, it asks for more.

mod launch;

use launch::{MPIEXEC, mpiexec, start};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

const TELL: &str = "echo $PMI_RANK $(grep Cpus_allowed_list /proc/self/status | cut -f 2)";

/// The processors that we may use, by the kernel's list.
fn ours() -> Vec<usize> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    numbers(status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim())
}

fn numbers(list: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        first.parse::<usize>().unwrap()..=last.parse().unwrap()
    };
    list.split(',').flat_map(range).collect()
}

/// By rank, the processors that it says it may use.
fn told(out: &str) -> Vec<Vec<usize>> {
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
    let job = mpiexec(&[options, &["sh", "-c", TELL]].concat());
    assert_eq!(job.code, 0, "{}", job.err);
    told(&job.out)
}

fn disjoint(shares: &[Vec<usize>]) -> bool {
    let mut all: Vec<usize> = shares.concat();
    let before = all.len();
    all.sort_unstable();
    all.dedup();
    all.len() == before
}

/// Whether each thread is a core of its own here, so that as many ranks as processors get one each.
fn threads_are_cores() -> bool {
    let alone = |number: &usize| {
        let path = format!("/sys/devices/system/cpu/cpu{number}/topology/thread_siblings_list");
        std::fs::read_to_string(path).is_ok_and(|list| numbers(list.trim()).len() == 1)
    };
    ours().iter().all(alone)
}

/// No quota leaves fewer processors than the mask has.
fn unlimited() -> bool {
    std::thread::available_parallelism().is_ok_and(|usable| usable.get() == ours().len())
}

/// mpiexec where nobody else has claims, if the kernel lets us.
fn apart() -> Option<Command> {
    let lent = Command::new("unshare")
        .args(["-rn", "true"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    lent.then(|| {
        let mut command = Command::new("unshare");
        command.args(["-rn", MPIEXEC]);
        command
    })
}

#[test]
fn each_rank_gets_a_share_or_all() {
    let all = ours();
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
fn alone_on_a_machine_a_job_gets_all_cores() {
    let Some(mut command) =
        apart().filter(|_| ours().len() >= 2 && threads_are_cores() && unlimited())
    else {
        return;
    };
    let out = command.args(["-n", "2", "sh", "-c", TELL]).output().unwrap();
    let shares = told(&String::from_utf8(out.stdout).unwrap());
    assert!(disjoint(&shares), "{shares:?}");
    assert_eq!(shares.concat(), ours());
}

#[test]
fn two_jobs_at_once_never_have_the_same_cores() {
    let wait = format!("{TELL}; read line");
    let (mut first, _) = start(&["-n", "2", "-stdin", "all", "sh", "-c", &wait], "first");
    let mut lines = BufReader::new(first.stdout.take().unwrap()).lines();
    let one: Vec<String> = lines.by_ref().take(2).map(Result::unwrap).collect();
    let one = told(&one.join("\n"));
    let other = affinities(&["-n", "2"]);
    let is_bound = |shares: &[Vec<usize>]| shares.iter().all(|share| share.len() < ours().len());
    assert!(
        !is_bound(&one) || !is_bound(&other) || disjoint(&[one.clone(), other.clone()].concat()),
        "{one:?} {other:?}"
    );
    drop(first.stdin.take());
    first.wait().unwrap();
}

#[test]
fn what_a_rank_starts_shares_what_it_has() {
    if ours().len() < 2 || !threads_are_cores() || !unlimited() {
        return;
    }
    // What this job does not get, another has got.
    let (mut outer, _) =
        start(&["-n", "2", "-stdin", "all", "sh", "-c", &format!("{TELL}; read line")], "outer");
    let mut lines = BufReader::new(outer.stdout.take().unwrap()).lines();
    lines.by_ref().take(2).for_each(|line| drop(line.unwrap()));
    let list = ours().iter().map(usize::to_string).collect::<Vec<String>>().join(",");
    let mut inner = Command::new(MPIEXEC);
    inner
        .args(["-n", "2", "sh", "-c", TELL])
        .env("NEMESIS_JOB", format!("{:x}", std::process::id()));
    let out = inner
        .env("NEMESIS_PROCESSORS", format!("{}:{list}:{list}", ours().len()))
        .output()
        .unwrap();
    let shares = told(&String::from_utf8(out.stdout).unwrap());
    assert!(disjoint(&shares), "{shares:?}");
    assert_eq!(shares.concat(), ours());
    drop(outer.stdin.take());
    outer.wait().unwrap();
}

#[test]
fn who_asks_for_cores_gets_them_whoever_has_them() {
    let all = ours();
    let cores = || affinities(&["-n", "2", "-bind-to", "hwthread"]);
    assert_eq!(cores(), cores());
    if all.len() >= 2 {
        assert_eq!(cores(), affinities(&["-n", "2", "--bind-to", "hwthread"]));
        assert!(disjoint(&cores()));
    }
}

#[test]
fn a_mask_of_fewer_processors_holds() {
    let all = ours();
    let narrow = format!("{}", all[0]);
    let words = ["-c", &narrow, MPIEXEC, "-v", "-n", "2", "sh", "-c", TELL];
    let Ok(out) = Command::new("taskset").args(words).output() else { return };
    assert_eq!(told(&String::from_utf8(out.stdout).unwrap()), vec![vec![all[0]]; 2]);
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("not bound: 2 ranks, 1 processors"), "{said}");
}

#[test]
fn ranks_are_told_how_many_processors_they_share() {
    let job = mpiexec(&["-n", "2", "-bind-to", "hwthread", "sh", "-c", "echo $NEMESIS_PROCESSORS"]);
    let usable = std::thread::available_parallelism().unwrap();
    assert_eq!(job.out, format!("{usable}\n").repeat(2));
}
