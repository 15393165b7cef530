//! Findings: what a user should know, why, and what to try.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How much a finding matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    /// A job does not start, does not end, or computes something else.
    Problem,
    /// A job works, and is slower or smaller than it could be, or waits for what may still come.
    Cost,
}

/// Something that a user should know.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Finding {
    pub weight: Weight,
    /// The hosts on which it was found; empty for what concerns all hosts together.
    pub hosts: Vec<String>,
    pub what: String,
    pub why: String,
    /// What to try.
    pub advice: String,
}

impl Finding {
    pub fn problem(
        what: impl Into<String>,
        why: impl Into<String>,
        advice: impl Into<String>,
    ) -> Finding {
        Finding {
            weight: Weight::Problem,
            hosts: Vec::new(),
            what: what.into(),
            why: why.into(),
            advice: advice.into(),
        }
    }

    pub fn cost(
        what: impl Into<String>,
        why: impl Into<String>,
        advice: impl Into<String>,
    ) -> Finding {
        Finding { weight: Weight::Cost, ..Finding::problem(what, why, advice) }
    }

    /// Adds the host on which the finding was made.
    pub fn on(mut self, host: &str) -> Finding {
        self.hosts.push(host.to_owned());
        self
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.hosts.is_empty() {
            write!(f, "{}: ", self.hosts.join(", "))?;
        }
        write!(f, "{}\n     why: {}\n     try: {}", self.what, self.why, self.advice)
    }
}

/// Joins findings that differ only in their hosts, and sorts the problems before the costs.
pub fn merged(findings: impl IntoIterator<Item = Finding>) -> Vec<Finding> {
    let mut all: Vec<Finding> = Vec::new();
    for mut finding in findings {
        let is_same = |known: &&mut Finding| {
            (known.weight, &known.what, &known.why, &known.advice)
                == (finding.weight, &finding.what, &finding.why, &finding.advice)
        };
        match all.iter_mut().find(is_same) {
            Some(known) => known.hosts.append(&mut finding.hosts),
            None => all.push(finding),
        }
    }
    all.sort_by_key(|finding| finding.weight);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_findings_of_several_hosts_are_one() {
        let slow = || Finding::cost("slow", "small", "more");
        let all = merged([slow().on("a"), Finding::problem("x", "y", "z").on("b"), slow().on("c")]);
        assert_eq!(all.len(), 2);
        assert_eq!((all[0].weight, &*all[1].hosts.join(",")), (Weight::Problem, "a,c"));
        assert_eq!(all[1].to_string(), "a, c: slow\n     why: small\n     try: more");
    }
}
