//! A subtree as its parent sees it: the agent on its first host, and all hosts that this agent
//! starts in turn.
//!
//! ```text
//!   Starting ──connects, proves that it knows the key──▶ Joined ──Up::Gone──▶ Gone
//!       │ its starter fails, or a time-out                 │ the connection ends
//!       └───────────────────────────▶ a failure ◀──────────┘
//! ```

use super::link::Link;
use super::message::LateExit;
use super::starter::Starter;
use crate::placement::{Ranks, Share};
use std::time::{Duration, Instant};

/// Time for an agent to connect. Starting by ssh takes less than a second, on a large machine with
/// a busy name service longer.
pub const STARTING_TIMEOUT: Duration = Duration::from_secs(60);

/// How far a child agent has come.
#[derive(Debug)]
pub enum State {
    Starting(Instant),
    Joined(Link),
    Gone,
}

/// For how long nothing has come from an agent whose host answers. Its processes may be stopped.
#[derive(Debug, Default)]
pub struct Silence {
    time: Duration,
    has_asked: bool,
    has_told: bool,
}

/// What is due for an agent from which nothing comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Due {
    Nothing,
    /// It is to be asked whether it runs.
    Ping,
    /// The user is to be told, once.
    Notice,
}

/// Most time that counts as silence between two checks: this process itself may have been stopped.
const CHECK_TIME_MAX: Duration = Duration::from_secs(2);

impl Silence {
    /// Counts the time since the last check. The user is told after `limit`, and the agent is asked
    /// after a quarter of it.
    pub fn check(&mut self, since_last_check: Duration, limit: Duration) -> Due {
        self.time += since_last_check.min(CHECK_TIME_MAX);
        if !self.has_asked && self.time >= limit / 4 {
            self.has_asked = true;
            Due::Ping
        } else if self.has_asked && !self.has_told && self.time >= limit {
            self.has_told = true;
            Due::Notice
        } else {
            Due::Nothing
        }
    }

    /// Ends the silence.
    pub fn end(&mut self) {
        (self.time, self.has_asked) = (Duration::ZERO, false);
    }
}

/// A child agent and its subtree.
#[derive(Debug)]
pub struct ChildAgent {
    /// The hosts of the subtree; the agent is on the first.
    pub shares: Vec<Share>,
    pub starter: Option<Starter>,
    pub state: State,
    /// Set when all ranks of the subtree have ended: the first non-zero exit code after
    /// `MPI_Finalize`, if there is one.
    pub over: Option<Option<LateExit>>,
    pub silence: Silence,
    /// Bytes of standard output and standard error that have arrived and not been acknowledged.
    pub owed: [usize; 2],
}

impl ChildAgent {
    /// Makes a child agent for these hosts.
    pub fn new(shares: Vec<Share>) -> ChildAgent {
        ChildAgent {
            shares,
            starter: None,
            state: State::Starting(Instant::now()),
            over: None,
            silence: Silence::default(),
            owed: [0; 2],
        }
    }

    /// Returns the host on which the agent runs.
    pub fn host(&self) -> &str {
        &self.shares[0].host
    }

    /// Returns the connection, if the agent is connected.
    pub fn link(&mut self) -> Option<&mut Link> {
        match &mut self.state {
            State::Joined(link) => Some(link),
            _ => None,
        }
    }

    /// Returns whether the agent has ended or is lost.
    pub fn is_gone(&self) -> bool {
        matches!(self.state, State::Gone)
    }

    /// Returns whether the agent and its starter have ended.
    pub fn has_ended(&self) -> bool {
        self.is_gone() && self.starter.as_ref().is_none_or(|starter| starter.has_ended)
    }

    /// Returns whether the subtree has this rank.
    pub fn has_rank(&self, rank: u32) -> bool {
        let holds = |run: &Ranks| (run.first..run.first + run.ranks).contains(&rank);
        self.shares.iter().any(|share| share.runs.iter().any(holds))
    }

    /// Returns the ranks of the subtree as a list of ranges, at most eight of them.
    pub fn ranks(&self) -> String {
        let runs = self.shares.iter().flat_map(|share| &share.runs);
        let words: Vec<String> = runs
            .map(|run| match run.ranks {
                1 => format!("{}", run.first),
                ranks => format!("{}-{}", run.first, run.first + ranks - 1),
            })
            .take(8)
            .collect();
        words.join(",")
    }
}

/// Divides hosts among at most `fan_out` child agents, as evenly as possible.
pub fn divide(below: Vec<Share>, fan_out: usize) -> Vec<Vec<Share>> {
    let child_agents = below.len().min(fan_out);
    let mut shares = below.into_iter();
    let mut left = shares.len();
    (0..child_agents)
        .map(|number| {
            let here = left.div_ceil(child_agents - number);
            left -= here;
            shares.by_ref().take(here).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(hosts: usize) -> Vec<Share> {
        (0..hosts)
            .map(|host| Share {
                host: format!("h{host}"),
                runs: vec![Ranks { first: host as u32 * 2, ranks: 2 }],
            })
            .collect()
    }

    #[test]
    fn hosts_are_divided_evenly_among_child_agents() {
        let sizes =
            |hosts: usize| divide(shares(hosts), 4).iter().map(Vec::len).collect::<Vec<_>>();
        assert!(sizes(0).is_empty());
        assert_eq!(sizes(3), [1, 1, 1]);
        assert_eq!(sizes(10), [3, 3, 2, 2]);
        assert_eq!(divide(shares(10), 4).concat(), shares(10));
    }

    #[test]
    fn an_agent_that_says_nothing_is_asked_and_then_told_once() {
        let (second, limit) = (Duration::from_secs(1), Duration::from_secs(8));
        let mut silence = Silence::default();
        let mut due = |times| (0..times).map(|_| silence.check(second, limit)).collect::<Vec<_>>();
        assert_eq!(due(2), [Due::Nothing, Due::Ping]);
        assert_eq!(due(6).last(), Some(&Due::Notice));
        assert!(due(20).iter().all(|due| *due == Due::Nothing));
        silence.end();
        let all: Vec<Due> = (0..30).map(|_| silence.check(second, limit)).collect();
        assert!(all.contains(&Due::Ping) && !all.contains(&Due::Notice), "it is told once");
        // A launcher that was stopped itself for a day has not listened.
        assert_eq!(Silence::default().check(second * 86400, limit), Due::Ping);
    }

    #[test]
    fn a_child_agent_knows_its_ranks() {
        let child_agent = ChildAgent::new(shares(3));
        assert!(child_agent.has_rank(5) && !child_agent.has_rank(6));
        assert_eq!((child_agent.host(), child_agent.ranks().as_str()), ("h0", "0-1,2-3,4-5"));
    }
}
