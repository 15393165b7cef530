//! What is known of a call that is counted.

/// The kind of communication of a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Family {
    /// Messages from one process to another.
    Messages,
    /// Collective communication, non-blocking and neighbourhood collectives included.
    Collective,
    /// One-sided communication.
    OneSided,
    /// Files.
    Files,
    /// Start and end, communicators, datatypes and others.
    Other,
}

impl Family {
    /// Every family, in the order in which they are shown.
    pub const ALL: [Family; 5] =
        [Family::Messages, Family::Collective, Family::OneSided, Family::Files, Family::Other];

    /// Returns the name of the family.
    pub fn name(self) -> &'static str {
        match self {
            Family::Messages => "messages",
            Family::Collective => "collectives",
            Family::OneSided => "one-sided",
            Family::Files => "files",
            Family::Other => "other",
        }
    }
}

/// A call that is counted.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The name of the function, without the `_c` of the large-count form.
    pub name: &'static str,
    /// The kind of communication.
    pub family: Family,
    /// Whether the call returns when other processes have done their part.
    pub waits: bool,
}
