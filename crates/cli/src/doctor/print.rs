//! The report as text.

use super::commands::Found;
use super::finding::{Finding, Weight};
use super::host_report::HostReport;
use super::mpi_library::MpiLibrary;
use super::network::{Answer, Attempt};
use super::program::Program;
use super::python::Python;
use std::fmt::Write;

/// Width of the names of limits.
const NAME_WIDTH: usize = 19;
/// Width of their values.
const VALUE_WIDTH: usize = 40;

/// Returns the report of one host.
pub fn host(report: &HostReport) -> String {
    let mut text = format!("{} ({}, Nemesis {})\n", report.host, report.machine, report.version);
    commands(&mut text, &report.commands);
    libraries(&mut text, "in LD_LIBRARY_PATH", &report.library_path);
    report.program.iter().for_each(|it| program(&mut text, it));
    report.pythons.iter().for_each(|it| python(&mut text, it));
    text.push_str("  limits, and what each costs\n");
    for limit in &report.limits {
        let _ = writeln!(
            text,
            "    {:NAME_WIDTH$} {:VALUE_WIDTH$} {}",
            limit.name, limit.value, limit.cost
        );
    }
    if let Some(target) = report.target.as_ref().filter(|target| !target.addresses.is_empty()) {
        let all: Vec<String> =
            target.addresses.iter().map(|it| format!("{} {}", it.interface, it.address)).collect();
        let _ = writeln!(text, "  addresses for other hosts: {}", all.join(", "));
    }
    text
}

fn commands(text: &mut String, found: &[Found]) {
    if found.is_empty() {
        text.push_str("  no MPI command on PATH\n");
        return;
    }
    text.push_str("  on PATH\n");
    for command in found {
        let first = if command.is_first { "" } else { ", hidden by an earlier one" };
        let _ = writeln!(text, "    {}: {}{first}", command.path.display(), command.name);
    }
}

fn libraries(text: &mut String, title: &str, libraries: &[MpiLibrary]) {
    if !libraries.is_empty() {
        let _ = writeln!(text, "  {title}");
        libraries.iter().for_each(|library| line(text, format!("    {library}")));
    }
}

fn program(text: &mut String, program: &Program) {
    let Some(path) = &program.path else {
        let _ = writeln!(text, "  {}: not there", program.word);
        return;
    };
    let kind = match (&program.machine, &program.script_of) {
        (Some(machine), _) => format!("for {machine}"),
        (None, Some(interpreter)) => format!("a script of {interpreter}"),
        (None, None) => "neither a program nor a script".to_owned(),
    };
    let _ = writeln!(text, "  {}: {kind}", path.display());
    for (name, folders) in [("RUNPATH", &program.runpath), ("RPATH", &program.rpath)] {
        folders.iter().for_each(|folders| line(text, format!("    {name} {folders}")));
    }
    program.mpi.iter().for_each(|library| line(text, format!("    loads {library}")));
    program.missing.iter().for_each(|name| line(text, format!("    {name}: not found")));
    let is_plain = program.script_of.is_none() && program.python().is_none();
    if program.mpi.is_empty() && program.missing.is_empty() && is_plain {
        let why = program.unknown.as_ref().or(program.unusable.as_ref());
        let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
        let _ = writeln!(text, "    loads no MPI library{why}");
    }
}

fn python(text: &mut String, python: &Python) {
    let _ = writeln!(text, "  {} with mpi4py {}", python.path.display(), python.mpi4py);
    python.mpi.iter().for_each(|library| line(text, format!("    loads {library}")));
    python.refused.iter().for_each(|why| line(text, format!("    cannot be imported: {why}")));
}

/// Returns the connections between the hosts.
pub fn connections(attempts: &[Attempt]) -> String {
    let mut text = String::from("between hosts\n");
    for Attempt { from, to, address, interface, answer, .. } in attempts {
        let _ = writeln!(text, "  {from} to {to} at {address} ({interface}): {answer}");
    }
    text
}

/// Returns the conclusion.
pub fn conclusion(findings: &[Finding], hosts: usize, attempts: &[Attempt]) -> String {
    let problems = findings.iter().filter(|it| it.weight == Weight::Problem).count();
    let number =
        |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let on = if hosts == 1 { "this host".to_owned() } else { format!("these {hosts} hosts") };
    let mut text = match problems {
        0 => format!("conclusion: jobs can run on {on}"),
        _ => format!("conclusion: {} on {on}", number(problems, "problem")),
    };
    if findings.len() > problems {
        let _ = write!(text, ", {}", number(findings.len() - problems, "remark"));
    }
    let reached = attempts.iter().filter(|it| matches!(it.answer, Answer::Reached { .. }));
    if let Some(slowest) = reached.max_by(|one, other| latency(one).total_cmp(&latency(other))) {
        let _ = write!(
            text,
            "; the slowest connection is {} to {}: {}",
            slowest.from, slowest.to, slowest.answer
        );
    }
    text.push('\n');
    numbered(&mut text, findings);
    text
}

/// Adds the findings, with numbers.
pub fn numbered(text: &mut String, findings: &[Finding]) {
    for (place, finding) in findings.iter().enumerate() {
        let _ = writeln!(text, "  {}. {finding}", place + 1);
    }
}

fn line(text: &mut String, line: String) {
    text.push_str(&line);
    text.push('\n');
}

fn latency(attempt: &Attempt) -> f64 {
    match attempt.answer {
        Answer::Reached { latency_us, .. } => latency_us,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_conclusion_counts_problems_and_costs() {
        let reached = Answer::Reached { latency_us: 21.4, gigabits_per_s: 9.41 };
        let attempts = [Attempt {
            from: "n1".into(),
            to: "n2".into(),
            address: "10.0.0.2".parse().unwrap(),
            port: 1,
            interface: "eth0".into(),
            answer: reached,
        }];
        let good = conclusion(&[], 2, &attempts);
        let slowest = "the slowest connection is n1 to n2: reached, 21 µs, 9.4 Gbit/s";
        assert_eq!(good, format!("conclusion: jobs can run on these 2 hosts; {slowest}\n"));
        assert!(connections(&attempts).contains("n1 to n2 at 10.0.0.2 (eth0): reached"));
        let findings = [Finding::problem("a", "b", "c").on("n1"), Finding::cost("d", "e", "f")];
        let bad = conclusion(&findings, 1, &[]);
        assert!(bad.starts_with("conclusion: 1 problem on this host, 1 remark\n"));
        assert!(bad.contains("  1. n1: a\n     why: b\n     try: c\n  2. d\n"), "{bad}");
    }
}
