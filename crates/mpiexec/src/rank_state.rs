//! What a rank is doing, as launchers report it to each other and to the user.

use nemesis_source_lines::Site;
use nemesis_sys::process_state::State;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What one rank is doing: a line of the state report.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    pub rank: u32,
    pub host: String,
    pub pid: i32,
    /// Whether the rank's first process has ended and no other process holds its PMI socket.
    pub is_over: bool,
    /// Packets sent to other nodes; 0 unless the rank waits or has ended.
    pub sent: u64,
    /// Packets received from other nodes; 0 unless the rank waits or has ended.
    pub received: u64,
    pub doing: Doing,
    /// Where its program has called MPI, or where it computes.
    pub site: Option<Site>,
    /// The function and source line of `site`, which the launcher adds that prints.
    pub place: Option<String>,
}

/// What a rank is doing, or how it has ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Doing {
    /// Waits inside MPI. The first line of `text` names the call, further lines say what else is
    /// open, and `milliseconds` is the time since the rank last received anything.
    Waits {
        text: String,
        /// The process that it waits for, if it waits for one, or that of its first request.
        peer: Option<u32>,
        /// Nothing but a packet of `peer` can end the call.
        only_peer: bool,
        milliseconds: u64,
        /// The rank waits inside `MPI_Finalize`.
        finalizes: bool,
        /// No operation of the rank is under way, and none of its threads can act.
        idle: bool,
    },
    /// Tests, and has finished nothing for `milliseconds`.
    Tests {
        text: String,
        /// The process that every open request waits for, if it is a single one.
        peer: Option<u32>,
        milliseconds: u64,
        /// Milliseconds since a test, if the rank has not answered in time.
        ago: Option<u64>,
    },
    /// Is in a call of the kernel for a call of MPI on a file, and has been for `milliseconds`.
    InKernel {
        /// The call of MPI and the file.
        text: String,
        milliseconds: u64,
    },
    /// Has joined the job, and does not answer: it is not inside MPI, or it is stopped.
    Silent(Silence),
    /// Has joined the job through another MPI library, which cannot be asked.
    Foreign,
    NotJoined,
    Finalized,
    Exited(i32),
    Killed(i32),
}

/// What a rank does that does not answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Silence {
    /// It is not inside MPI, and does this, if the kernel has told it.
    Outside(Option<String>),
    /// A signal or a debugger holds it, inside MPI or outside.
    Held(String),
    /// It has had no processor for an answer.
    Starved(String),
}

impl Silence {
    /// Returns what the state of process `pid` says.
    pub fn of(state: State, pid: u32) -> Silence {
        match state {
            State::Stopped => Silence::Held(format!("{state}; `kill -CONT {pid}` lets it go on")),
            State::Traced => Silence::Held(state.to_string()),
            State::Ready => Silence::Starved(state.to_string()),
            _ => Silence::Outside(Some(state.to_string())),
        }
    }
}

impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Silence::Outside(what) => {
                let what = what.as_deref().unwrap_or("computes");
                write!(f, "is not inside MPI: it {what}")
            }
            Silence::Held(what) | Silence::Starved(what) => f.write_str(what),
        }
    }
}

impl Entry {
    /// Returns what the rank does, in words, with the place behind the first line.
    pub fn in_words(&self) -> String {
        self.with_place(self.doing.to_string())
    }

    /// Returns a text about the rank with the place behind its first line.
    pub fn with_place(&self, text: String) -> String {
        let Some(place) = &self.place else { return text };
        match text.split_once('\n') {
            Some((first, rest)) => format!("{first}\nwhere {place}\n{rest}"),
            None => format!("{text}\nwhere {place}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_that_does_not_answer_is_described_by_what_the_kernel_says() {
        let words = |state| Silence::of(state, 7).to_string();
        let computes = State::Computes { percent: 50 };
        let outside = "is not inside MPI: it computes";
        assert_eq!(words(computes), format!("{outside} (50 % of a processor)"));
        assert_eq!(Silence::Outside(None).to_string(), outside);
        assert_eq!(words(State::Stopped), "is stopped by a signal; `kill -CONT 7` lets it go on");
    }

    #[test]
    fn the_place_follows_the_call() {
        let mut entry = crate::job::test_entries::entry(0, Doing::Finalized);
        assert_eq!(entry.with_place("a\nb".into()), "a\nb");
        entry.place = Some("f (a.c:1)".into());
        assert_eq!(entry.with_place("a\nb".into()), "a\nwhere f (a.c:1)\nb");
        assert_eq!(entry.in_words(), "has called MPI_Finalize\nwhere f (a.c:1)");
    }
}
