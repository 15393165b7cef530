//! Findings of the development checks (`mpiexec -check`): how a process tells them to `mpiexec`.

use std::fmt::Write;

/// Separates the fields of a finding on its line. No field contains it.
const SEPARATOR: char = '\t';

/// Bytes of the text fields `kind`, `call`, `module` and `text` at most, so that a finding fits a
/// command of PMI-1.
const FIELD_BYTES_MAX: [usize; 4] = [24, 48, 480, 320];

/// What a check has found in one process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// The word for this kind of finding, such as `request`.
    pub kind: String,
    /// The rank in the job.
    pub rank: u32,
    /// How many times it was found.
    pub count: u64,
    /// The MPI function that made the object or began the operation; empty if unknown.
    pub call: String,
    /// The path of the program or library that called the function; empty if unknown.
    pub module: String,
    /// The distance of the call from the start of the module in memory.
    pub offset: u64,
    /// What was found, in words.
    pub text: String,
}

impl Finding {
    /// Returns the finding as text without line breaks, for a field of a PMI command.
    pub fn encode(&self) -> String {
        let Finding { kind, rank, count, call, module, offset, text } = self;
        let mut line = format!("{rank}{SEPARATOR}{count}{SEPARATOR}{offset:x}");
        for (field, bytes_max) in [kind, call, module, text].into_iter().zip(FIELD_BYTES_MAX) {
            line.push(SEPARATOR);
            let shown = &field[..field.floor_char_boundary(bytes_max)];
            // Writing to a String does not fail.
            let _ = write!(line, "{}", shown.replace([SEPARATOR, '\n', '\r', '\0'], " "));
        }
        line
    }

    /// Reads what [`encode`](Self::encode) wrote; `None` if it did not.
    pub fn decode(line: &str) -> Option<Finding> {
        let mut fields = line.split(SEPARATOR);
        let mut next = || fields.next();
        let rank = next()?.parse().ok()?;
        let count = next()?.parse().ok()?;
        let offset = u64::from_str_radix(next()?, 16).ok()?;
        let [kind, call, module, text] = [next()?, next()?, next()?, next()?].map(str::to_owned);
        next().is_none().then_some(Finding { kind, rank, count, call, module, offset, text })
    }
}

/// What a kind of finding is called, and what the user may do about it.
#[derive(Debug)]
pub struct Kind {
    /// The word for it in a [`Finding`] and in JSON.
    pub word: &'static str,
    /// What has happened, as the title of a list of findings.
    pub title: &'static str,
    /// What the user may try.
    pub advice: &'static str,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident: $word:literal, $title:literal, try $advice:literal;)*) => {
        $($(#[$doc])* pub const $name: Kind =
            Kind { word: $word, title: $title, advice: $advice };)*

        /// All kinds of findings, in the order of the report.
        pub const KINDS: &[Kind] = &[$($name),*];
    };
}

kinds! {
    /// Sender and receiver name different basic types (MPI 5.0 §3.3.1).
    SIGNATURE: "signature", "messages received as another type than they were sent",
        try "naming one basic type in both calls; MPI_BYTE matches only MPI_BYTE";
    /// A buffer of an incomplete operation is used again (MPI 5.0 §3.7.2).
    OVERLAP: "overlap", "buffers used by a second operation before the first is complete",
        try "completing the first operation before, or a buffer for each operation";
    /// The buffer of a send has changed while the send was incomplete (MPI 5.0 §3.7.2).
    WRITTEN: "written", "buffers changed while a send read them",
        try "completing the send (MPI_Wait) before the buffer is written";
    /// A request of the program exists at the end.
    REQUEST: "request", "requests never completed",
        try "MPI_Wait or MPI_Test for each request; a variable of an incomplete request must not \
             be overwritten";
    /// A message has no receive at the end.
    MESSAGE: "message", "messages never received",
        try "comparing tag, source and communicator with those of the receives";
    /// A communicator of the program exists at the end.
    COMMUNICATOR: "communicator", "communicators never freed", try "MPI_Comm_free";
    /// A window exists at the end.
    WINDOW: "window", "windows never freed", try "MPI_Win_free";
    /// A file is open at the end.
    FILE: "file", "files never closed", try "MPI_File_close";
    /// A datatype of the program exists at the end.
    DATATYPE: "datatype", "datatypes never freed", try "MPI_Type_free";
    /// A group of the program exists at the end.
    GROUP: "group", "groups never freed", try "MPI_Group_free";
    /// An operation of the program exists at the end.
    OPERATION: "operation", "reduction operations never freed", try "MPI_Op_free";
    /// An info object exists at the end.
    INFO: "info", "info objects never freed", try "MPI_Info_free";
    /// An error handler of the program exists at the end.
    ERRHANDLER: "errhandler", "error handlers never freed", try "MPI_Errhandler_free";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_come_back() {
        let finding = Finding {
            kind: "request".into(),
            rank: 3,
            count: 2,
            call: "MPI_Isend".into(),
            module: "/home/user name/a.out".into(),
            offset: 0x12ab,
            text: "to rank 1\nwith\ttag 5".into(),
        };
        let read = Finding::decode(&finding.encode()).unwrap();
        assert_eq!(read, Finding { text: "to rank 1 with tag 5".into(), ..finding });
        let long = Finding { text: "ä".repeat(1000), ..Finding::default() };
        assert!(Finding::decode(&long.encode()).is_some_and(|read| read.text.len() <= 320));
        for damaged in ["", "1\t2", "x\t1\t0\t\t\t\t", "1\t1\t0\t4\t5\t6\t7\t8"] {
            assert_eq!(Finding::decode(damaged), None, "{damaged:?}");
        }
    }
}
