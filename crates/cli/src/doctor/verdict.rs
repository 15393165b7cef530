//! What follows from the reports of all hosts together.

use super::finding::{Finding, merged};
use super::host_report::HostReport;
use super::network::{Answer, Attempt};
use nemesis_wireup::hosts::Host;
use std::time::Duration;

/// Bandwidth below which a connection is told to be slow, in Gbit/s: that of Fast Ethernet is 0.1.
const SLOW_GBIT_PER_S: f64 = 0.3;

/// A host whose probe has not answered, and why.
pub struct Silent {
    pub host: String,
    pub why: String,
}

/// Returns all findings, the problems first.
pub fn findings(
    reports: &[HostReport],
    silent: &[Silent],
    attempts: &[Attempt],
    hosts: &[Host],
) -> Vec<Finding> {
    let own = reports.iter().flat_map(|report| report.findings.clone());
    // Without a host that is silent, the reports are those of the hosts.
    let few = if silent.is_empty() { descriptors(reports, hosts) } else { Vec::new() };
    let silent = silent.iter().map(unreachable);
    merged(own.chain(silent).chain(versions(reports)).chain(few).chain(network(attempts)))
}

/// Descriptors that a rank uses besides those of connections.
const DESCRIPTORS_OF_A_RANK: u64 = 32;

/// Returns findings for hosts whose ranks may have fewer descriptors than they need to connect with
/// all ranks of other hosts, in a job that fills the processors, or the slots, of all hosts. The
/// reports are those of `hosts`, in their order.
fn descriptors(reports: &[HostReport], hosts: &[Host]) -> Vec<Finding> {
    let ranks = |(report, host): (&HostReport, &Host)| report.processors.max(host.slots as usize);
    let each: Vec<u64> = reports.iter().zip(hosts).map(|pair| ranks(pair) as u64).collect();
    let all: u64 = each.iter().sum();
    let of_host = |(report, own): (&HostReport, &u64)| {
        let short = too_few(report.descriptors, all - own, all)?;
        Some(short.on(&report.host))
    };
    reports.iter().zip(&each).filter_map(of_host).collect()
}

/// Returns the finding for ranks that connect with `remote` of the `all` ranks of a job and may
/// have `limit` descriptors each, if these are too few.
fn too_few(limit: u64, remote: u64, all: u64) -> Option<Finding> {
    let what = format!("a process may have only {limit} files open (`ulimit -Hn`)");
    let why = format!(
        "in a job of {all} ranks, one for each processor or slot, each rank here connects with up \
         to {remote} ranks of other hosts, and needs a file descriptor for each"
    );
    (limit < remote + DESCRIPTORS_OF_A_RANK)
        .then(|| Finding::problem(what, why, nemesis_sys::descriptors::ADVICE))
}

/// Returns the finding for a host that `mpiexec` does not reach.
fn unreachable(silent: &Silent) -> Finding {
    let said = silent.why.replace('\n', " ");
    let (why, advice) = match said.split_once("try: ") {
        Some((why, advice)) => (why.trim_end_matches([';', ' ']), advice),
        None => (said.as_str(), "`ssh HOST true`, and -agent for another command than ssh"),
    };
    let why = why.trim_start_matches("mpiexec: ");
    Finding::problem("no process starts on this host", why, advice).on(&silent.host)
}

/// Returns a finding if the hosts have different builds or processors.
fn versions(reports: &[HostReport]) -> Vec<Finding> {
    let differ = |of: fn(&HostReport) -> &str| {
        let mut each: Vec<String> =
            reports.iter().map(|report| format!("{} on {}", of(report), report.host)).collect();
        let first = reports.first().map(of);
        let is_one = reports.iter().all(|report| Some(of(report)) == first);
        each.truncate(4);
        (!is_one).then(|| each.join(", "))
    };
    let mut findings = Vec::new();
    if let Some(all) = differ(|report| &report.version) {
        findings.push(Finding::problem(
            "the hosts have different builds of Nemesis",
            all,
            "the same installation on all hosts, or -prefix DIR",
        ));
    }
    if let Some(all) = differ(|report| &report.machine) {
        findings.push(Finding::problem(
            "the hosts have different processors",
            all,
            "a job on hosts of one kind",
        ));
    }
    findings
}

/// Returns what is wrong with the connections between hosts.
fn network(attempts: &[Attempt]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (place, attempt) in attempts.iter().enumerate() {
        let Attempt { from, to, address, interface, port, answer } = attempt;
        let is_same = |other: &Attempt| other.from == *from && other.to == *to;
        if let Answer::Reached { gigabits_per_s, .. } = answer
            && *gigabits_per_s < SLOW_GBIT_PER_S
        {
            findings.push(Finding::cost(
                format!("{from} to {to} over {interface} carries {gigabits_per_s:.2} Gbit/s"),
                "another interface may be faster",
                "-net with the interface of the fast network",
            ));
        }
        let is_last = !attempts[place + 1..].iter().any(is_same);
        let reaches = attempts
            .iter()
            .any(|other| is_same(other) && matches!(other.answer, Answer::Reached { .. }));
        // Ranks try all addresses, too; the addresses before one that answers delay the job.
        if !reaches && is_last {
            findings.push(unreached(attempt));
        } else if reaches && matches!(answer, Answer::Dropped) {
            findings.push(Finding::cost(
                format!("{from} reaches {to}, but not at {address} ({interface})"),
                "nothing answers there, and ranks wait before they try the next address",
                format!("-net ^{interface}, or opening TCP port {port} and the others there"),
            ));
        }
    }
    findings
}

/// Returns the finding for a host that another one does not reach at all.
fn unreached(attempt: &Attempt) -> Finding {
    let Attempt { from, to, address, interface, port, answer } = attempt;
    let ports = "-port-range 50000:50100 and opening these ports";
    let (why, advice) = match answer {
        Answer::Dropped => (
            format!(
                "{address} ({interface}) does not answer: a firewall drops the packets to TCP port \
                 {port}, or to all of them"
            ),
            format!("{ports} between the hosts, or -net with another interface"),
        ),
        Answer::Refused => (
            format!("{address} ({interface}) refuses TCP port {port}: a firewall rejects it"),
            format!("{ports} between the hosts"),
        ),
        Answer::Unroutable { why } => (
            format!("{from} has no route to {address} ({interface}): {why}"),
            "`ip route get` on that host, or -net with an interface that both hosts have".into(),
        ),
        Answer::Strange { why } => (
            format!("something else answers at {address} port {port}: {why}"),
            "-net with another interface: two hosts may have one address".into(),
        ),
        Answer::Reached { .. } => unreachable!("the caller has found no address that answers"),
    };
    Finding::problem(format!("{from} does not reach {to}"), why, advice)
}

/// Time that a host has to examine itself.
pub const EXAMINING: Duration = Duration::from_secs(90);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::Weight;

    fn attempt(interface: &str, answer: Answer) -> Attempt {
        Attempt {
            from: "n1".into(),
            to: "n2".into(),
            address: "10.0.0.2".parse().unwrap(),
            port: 4711,
            interface: interface.into(),
            answer,
        }
    }

    fn reached(gigabits_per_s: f64) -> Answer {
        Answer::Reached { latency_us: 20.0, gigabits_per_s }
    }

    #[test]
    fn a_firewall_and_a_missing_route_are_told_apart() {
        let what = |answer| network(&[attempt("eth0", answer)]).remove(0);
        let dropped = what(Answer::Dropped);
        assert_eq!(dropped.what, "n1 does not reach n2");
        assert!(dropped.why.contains("a firewall drops") && dropped.advice.contains("-port-range"));
        assert!(what(Answer::Refused).why.contains("refuses TCP port 4711"));
        let route = what(Answer::Unroutable { why: "Network is unreachable".into() });
        assert!(route.why.contains("no route to 10.0.0.2"));
        assert!(what(reached(0.09)).what.contains("carries 0.09 Gbit/s"));
        assert_eq!(network(&[attempt("eth0", reached(9.0))]), []);
    }

    #[test]
    fn too_few_descriptors_for_the_job_are_a_problem() {
        let few = too_few(1024, 1000, 1128).unwrap();
        assert_eq!(few.weight, Weight::Problem);
        assert!(few.what.contains("1024 files") && few.why.contains("1000 ranks of other hosts"));
        assert!(few.advice.contains("`ulimit -n`"), "{few:?}");
        assert!(too_few(1024, 900, 1028).is_none());
    }

    #[test]
    fn an_address_that_is_passed_over_costs_time_only() {
        let two = network(&[attempt("docker0", Answer::Dropped), attempt("eth0", reached(9.0))]);
        assert_eq!((two.len(), two[0].weight), (1, Weight::Cost));
        assert!(two[0].advice.starts_with("-net ^docker0"), "{two:?}");
        let none = network(&[attempt("a", Answer::Dropped), attempt("b", Answer::Dropped)]);
        assert_eq!((none.len(), none[0].weight), (1, Weight::Problem));
    }

    #[test]
    fn mpiexecs_words_become_a_finding() {
        let why = "mpiexec: ssh: no such host; try: spelling it".to_owned();
        let finding = unreachable(&Silent { host: "n9".into(), why });
        assert_eq!(
            (finding.why.as_str(), finding.advice.as_str()),
            ("ssh: no such host", "spelling it")
        );
    }
}
