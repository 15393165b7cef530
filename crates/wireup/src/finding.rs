//! Findings of the development checks (`mpiexec -check`): how a process tells them to `mpiexec`.

use std::fmt::Write;

/// Separates the fields of a finding on its line. No field contains it.
const SEPARATOR: char = '\t';

/// Stands for the path of the other call's module if both calls come from one module.
const OF_THE_MODULE: &str = "=";

/// Bytes of the text fields `kind`, `call`, `module`, `text` and of the other call's function at
/// most, so that a finding fits a command of PMI-1.
const FIELD_BYTES_MAX: [usize; 5] = [24, 48, 480, 290, 60];

/// Bytes of a finding as text at most. The path of the other call's module is left out if it does
/// not fit.
const LINE_BYTES_MAX: usize = 1000;

/// A call of an MPI function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Call {
    /// The function; the rank that has called it may follow.
    pub function: String,
    /// The path of the program or library that called the function; empty if unknown.
    pub module: String,
    /// The distance of the call from the start of the module in memory.
    pub offset: u64,
}

/// Begins the module of a call that a script makes; the script's function and its path follow.
const SCRIPT: &str = "script:";

impl Call {
    /// Returns the call of a function of MPI from a line of a script.
    pub fn in_script(function: &str, script: &ScriptPlace<'_>) -> Call {
        let module = format!("{SCRIPT}{}@{}", script.function, script.file);
        Call { function: function.into(), module, offset: u64::from(script.line) }
    }
}

/// A place in a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScriptPlace<'a> {
    /// The function of the script.
    pub function: &'a str,
    /// The path of the script.
    pub file: &'a str,
    /// The line of the script.
    pub line: u32,
}

impl<'a> ScriptPlace<'a> {
    /// Reads the place in a script from the module and the offset of a [`Call`]. `None` if they
    /// are a place in memory.
    pub fn of(module: &'a str, offset: u64) -> Option<ScriptPlace<'a>> {
        let (function, file) = module.strip_prefix(SCRIPT)?.split_once('@')?;
        Some(ScriptPlace { function, file, line: u32::try_from(offset).ok()? })
    }
}

/// Memory that a call uses, of which the files of the program tell what it belongs to. Where it
/// begins is the place of the other call of a [`Finding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// How many bytes the call uses.
    pub bytes: u64,
    /// Where they lie.
    pub at: MemoryAt,
}

/// Where memory lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryAt {
    /// In the memory of a program or library, at the other call's place.
    Module,
    /// On the stack, in the frame of the function that has come to the other call's place.
    Frame {
        /// The distance of the first byte from the frame's end.
        below_end: u64,
        /// The bytes from the stack pointer to the frame's end.
        size: u64,
    },
}

impl Memory {
    fn encode(self) -> String {
        let bytes = self.bytes;
        match self.at {
            MemoryAt::Module => format!("{bytes:x}"),
            MemoryAt::Frame { below_end, size } => format!("{bytes:x}/{below_end:x}/{size:x}"),
        }
    }

    /// Reads what [`encode`](Self::encode) wrote.
    fn decode(field: &str) -> Option<Memory> {
        let numbers = field.split('/').map(|word| u64::from_str_radix(word, 16).ok());
        let (bytes, at) = match numbers.collect::<Option<Vec<u64>>>()?[..] {
            [bytes] => (bytes, MemoryAt::Module),
            [bytes, below_end, size] => (bytes, MemoryAt::Frame { below_end, size }),
            _ => return None,
        };
        Some(Memory { bytes, at })
    }
}

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
    /// What was found, in words. The other call follows them.
    pub text: String,
    /// The second of two calls that do not agree.
    pub other: Option<Call>,
    /// Set if there is a finding only if this memory is larger than the variable in which it
    /// begins.
    pub memory: Option<Memory>,
}

impl Finding {
    /// Returns the finding as text without line breaks, for a field of a PMI command.
    pub fn encode(&self) -> String {
        let Finding { kind, rank, count, call, module, offset, text, other, memory } = self;
        let none = Call::default();
        let other = other.as_ref().unwrap_or(&none);
        let memory = memory.map_or_else(String::new, Memory::encode);
        let mut line = format!(
            "{rank}{SEPARATOR}{count}{SEPARATOR}{offset:x}{SEPARATOR}{:x}{SEPARATOR}{memory}",
            other.offset
        );
        let fields = [kind, call, module, text, &other.function];
        for (field, bytes_max) in fields.into_iter().zip(FIELD_BYTES_MAX) {
            line.push(SEPARATOR);
            let shown = &field[..field.floor_char_boundary(bytes_max)];
            // Writing to a String does not fail.
            let _ = write!(line, "{}", shown.replace([SEPARATOR, '\n', '\r', '\0'], " "));
        }
        line.push(SEPARATOR);
        if other.module == *module {
            line.push_str(OF_THE_MODULE);
        } else if line.len() + other.module.len() <= LINE_BYTES_MAX {
            line.push_str(&other.module.replace([SEPARATOR, '\n', '\r', '\0'], " "));
        }
        line
    }

    /// Reads what [`encode`](Self::encode) wrote; `None` if it did not.
    pub fn decode(line: &str) -> Option<Finding> {
        let mut fields = line.split(SEPARATOR);
        let mut next = || fields.next();
        let rank = next()?.parse().ok()?;
        let count = next()?.parse().ok()?;
        let [offset, other_offset] =
            [next()?, next()?].map(|hexadecimal| u64::from_str_radix(hexadecimal, 16).ok());
        let memory = match next()? {
            "" => None,
            field => Some(Memory::decode(field)?),
        };
        let [kind, call, module, text, function, other_module] =
            [next()?, next()?, next()?, next()?, next()?, next()?].map(str::to_owned);
        let other_module =
            if other_module == OF_THE_MODULE { module.clone() } else { other_module };
        let other = (!function.is_empty()).then_some(Call {
            function,
            module: other_module,
            offset: other_offset?,
        });
        let offset = offset?;
        let finding = Finding { kind, rank, count, call, module, offset, text, other, memory };
        next().is_none().then_some(finding)
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
    /// A buffer has changed while an operation that uses it was incomplete (MPI 5.0 §3.7.2, §6.12,
    /// §12.3).
    WRITTEN: "written", "buffers changed while an operation used them",
        try "completing the operation (MPI_Wait, or the end of the epoch) before the buffer is \
             written";
    /// A buffer or window is larger than the variable or allocation in which it begins.
    BOUNDS: "bounds", "buffers and windows larger than their memory",
        try "a count that fits the variable or the allocation";
    /// A request of the program exists at the end.
    REQUEST: "request", "requests never completed",
        try "MPI_Wait or MPI_Test for each request";
    /// The variable of a request was given to another call before the request was complete.
    OVERWRITTEN: "overwritten", "requests overwritten before they were complete",
        try "a variable for each request, or MPI_Wait before the variable is used again";
    /// An epoch of a window is open, or none is, where a call does not permit it (MPI 5.0 §12.5).
    EPOCH: "epoch", "epochs of windows that are left open, missing or mixed",
        try "ending each epoch by the call that belongs to its beginning, and accesses in epochs";
    /// Two accesses to a window conflict (MPI 5.0 §12.7).
    CONFLICT: "conflict", "accesses to window memory that conflict",
        try "a synchronization between both, memory of its own for each, or MPI_Accumulate with \
             one operation for both";
    /// A function of the program that MPI calls makes a call that it must not make (MPI 5.0 §6.9.5,
    /// §14.5.3).
    CALLBACK: "callback", "calls of MPI in functions of the program that must not make them",
        try "making the call before or after the operation that runs the function";
    /// A buffer that receives names bytes twice (MPI 5.0 §3.2.4, §6.5).
    TWICE: "twice", "buffers that receive into the same bytes twice",
        try "a datatype, or displacements, of which no two entries share bytes";
    /// Two processes do not name an edge between them alike (MPI 5.0 §8.5.4).
    GRAPH: "graph", "graphs with edges that are not named at both ends",
        try "naming each edge among the destinations of its source and the sources of its end";
    /// The basic types of a filetype, or of data that are read or written, differ from those of the
    /// etype (MPI 5.0 §14.3, §14.6.6).
    ETYPE: "etype", "types of files that differ from the etype of their view",
        try "a filetype made of the etype, and data of the etype; MPI_BYTE fits any type";
    /// Memory is freed while a window exposes it (MPI 5.0 §12.2.5).
    EXPOSED: "exposed", "memory freed while a window exposes it",
        try "MPI_Win_free, or MPI_Win_detach, before MPI_Free_mem";
    /// A process names other values than another one where all must name the same, and the library
    /// goes on as other libraries do.
    DIFFERENT: "different", "arguments that are not the same at all processes",
        try "passing the same arguments at all processes";
    /// A call that the standard does not permit, and that has the effect which it has with other
    /// libraries.
    TOLERATED: "tolerated", "calls that the standard does not permit, and that work here",
        try "correcting the call: with another library, or other sizes, it may fail";
    /// A program goes on only where the library stores what it sends, or does not wait in
    /// collective operations (MPI 5.0 §3.5, §6.14).
    BUFFERED: "buffered", "calls that rely on buffers of the library",
        try "another order of sends and receives, MPI_Sendrecv, or non-blocking calls";
    /// The checks left something out because a limit was reached.
    LIMIT: "limit", "not checked, because a limit is reached",
        try "fewer steps or processes, or smaller data";
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
    /// Memory of `MPI_Alloc_mem` is allocated at the end.
    MEMORY: "memory", "memory of MPI_Alloc_mem never freed", try "MPI_Free_mem";
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
            other: None,
            memory: None,
        };
        let read = Finding::decode(&finding.encode()).unwrap();
        assert_eq!(read, Finding { text: "to rank 1 with tag 5".into(), ..finding.clone() });
        let other = |module: &str| {
            Some(Call { function: "MPI_Wait".into(), module: module.into(), offset: 0x10 })
        };
        for module in ["/home/user name/a.out", "/lib/b.so", ""] {
            let both = Finding { text: "by".into(), other: other(module), ..read.clone() };
            assert_eq!(Finding::decode(&both.encode()).unwrap(), both);
        }
        let script = ScriptPlace { function: "<module>", file: "/home/a@b/x.py", line: 12 };
        let call = Call::in_script("MPI_Wait", &script);
        assert_eq!(ScriptPlace::of(&call.module, call.offset), Some(script));
        assert_eq!(ScriptPlace::of("/lib/b.so", 12), None);
        let frame = MemoryAt::Frame { below_end: 400, size: 0x1000 };
        for at in [MemoryAt::Module, frame] {
            let memory = Some(Memory { bytes: 40, at });
            let with = Finding { memory, other: other("/lib/b.so"), ..read.clone() };
            assert_eq!(Finding::decode(&with.encode()).unwrap(), with);
        }
        let long = Finding {
            text: "ä".repeat(1000),
            module: "m".repeat(480),
            other: other(&"n".repeat(480)),
            ..Finding::default()
        };
        assert!(long.encode().len() <= LINE_BYTES_MAX);
        let read = Finding::decode(&long.encode()).unwrap();
        assert!(read.text.len() <= FIELD_BYTES_MAX[3] && read.other == other(""));
        let strange = [
            "x\t1\t0\t0\t\t\t\t\t\t\t",
            "1\t1\t0\t0\t\t4\t5\t6\t7\t8\t9\t",
            "1\t1\t0\t0\t1/2\t4\t5\t6\t7\t8\t9",
        ];
        for damaged in ["", "1\t2"].into_iter().chain(strange) {
            assert_eq!(Finding::decode(damaged), None, "{damaged:?}");
        }
    }
}
