//! The table of options. The parser takes the names from it, `-help` the texts, the book its table,
//! an unknown option the nearest name, and the tests an example of each option.

mod foreign;
mod own;

/// What an option does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    Processes,
    Soft,
    Hosts,
    HostRanges,
    ProgramHosts,
    HostFile,
    DefaultHostFile,
    PerHost,
    /// As many ranks on each host as the number says.
    PerHostWord(u32),
    PerSocket,
    PerResource,
    NotHere,
    OrderHosts,
    ResourceManager,
    NoOversubscribe,
    Agent,
    AgentProgram,
    AgentArguments,
    Launcher,
    Prefix,
    Directory,
    Search,
    Architecture,
    /// A file with the words of further options and programs.
    Words,
    /// A file with lines KEY=VALUE for a program.
    Keys,
    Set,
    SetEverywhere,
    Export,
    Only,
    OnlyEverywhere,
    Nothing,
    NothingEverywhere,
    Everything,
    MemoryKinds,
    Parameter,
    Tag,
    PrependPattern,
    Timestamp,
    FilePattern(usize),
    OutputFolder,
    Output,
    Merge,
    Stdin,
    Universe,
    BindTo,
    /// Binds to the object of this name.
    BindToWord(&'static str),
    MapBy,
    /// Maps by the object of this name.
    MapByWord(&'static str),
    RankBy,
    RankFile,
    ProcessorSet,
    ProcessorsPerRank,
    HardwareThreads,
    TellBindings,
    Display,
    /// Displays what the word says.
    DisplayWord(&'static str),
    OnlyShow,
    Network,
    PortRange,
    Encrypt,
    InitialErrhandler,
    OnDeadlock,
    TimeLimit,
    GoOn,
    Tolerate,
    TolerateBy,
    TellCodes,
    TellPid,
    Profile,
    ProfileTrace,
    Check,
    Quiet,
    Verbose,
    Help,
    Info,
    Version,
    /// Accepted, because what it asks for is always so.
    Always,
    /// Accepted with these values, without effect, with a note.
    Unused(Values),
    /// Refused; the text of the row is what to use instead.
    Refused(Values),
}

/// The values that follow an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Values {
    None,
    One,
    /// One, unless the next word is an option.
    Maybe,
}

/// What becomes of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Done,
    Accepted,
    Refused,
}

/// One option.
pub struct Row {
    pub names: &'static [&'static str],
    pub values: &'static str,
    pub meaning: Meaning,
    /// What it does; of a refused option, what to use instead.
    pub text: &'static str,
    /// A command line with the first of the names.
    pub example: &'static str,
}

impl Row {
    /// Returns what becomes of the option.
    pub fn verdict(&self) -> Verdict {
        match self.meaning {
            Meaning::Unused(_) => Verdict::Accepted,
            Meaning::Refused(_) => Verdict::Refused,
            _ => Verdict::Done,
        }
    }
}

const fn row(
    names: &'static [&'static str],
    values: &'static str,
    meaning: Meaning,
    text: &'static str,
    example: &'static str,
) -> Row {
    Row { names, values, meaning, text, example }
}

/// A group of options.
pub struct Group {
    /// The word by which `-help` shows it.
    pub topic: &'static str,
    pub title: &'static str,
    pub rows: &'static [Row],
}

/// The groups of options in the order of the help.
pub fn groups() -> impl Iterator<Item = &'static Group> {
    own::GROUPS.iter().chain(foreign::GROUPS)
}

/// Returns all options.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    groups().flat_map(|group| group.rows)
}
