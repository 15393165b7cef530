//! The table of options. The parser takes the names from it, `-help` the texts, and an unknown
//! option the nearest name.

use crate::launch_error::LaunchError;
use std::fmt::Write;

/// What an option does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    Processes,
    Hosts,
    ProgramHosts,
    HostFile,
    PerHost,
    Agent,
    Prefix,
    Directory,
    Set,
    SetEverywhere,
    Export,
    Only,
    OnlyEverywhere,
    Nothing,
    NothingEverywhere,
    Everything,
    Tag,
    Stdin,
    Universe,
    BindTo,
    MapBy,
    Network,
    PortRange,
    Encrypt,
    InitialErrhandler,
    OnDeadlock,
    Profile,
    ProfileTrace,
    Check,
    Verbose,
    Help,
    Version,
    /// Accepted with this number of values, because scripts use it, and ignored.
    Accepted(usize),
}

/// One option.
pub struct Row {
    pub names: &'static [&'static str],
    pub values: &'static str,
    pub meaning: Meaning,
    text: &'static str,
}

const fn row(
    names: &'static [&'static str],
    values: &'static str,
    meaning: Meaning,
    text: &'static str,
) -> Row {
    Row { names, values, meaning, text }
}

/// The groups of options, each with its title in the help.
const GROUPS: &[(&str, &[Row])] = &[
    (
        "What to start",
        &[
            row(
                &["n", "np"],
                "N",
                Meaning::Processes,
                "start N processes of the program (default 1; with hosts, one for each slot)",
            ),
            row(&["wdir", "wd"], "DIR", Meaning::Directory, "start them in DIR"),
            row(&["usize"], "N", Meaning::Universe, "the value of MPI_UNIVERSE_SIZE"),
        ],
    ),
    (
        "Where (default: the hosts of the Slurm or PBS allocation, else this host)",
        &[
            row(
                &["hosts"],
                "H1,H2:SLOTS,...",
                Meaning::Hosts,
                "use these hosts; a host gets as many processes in its turn as it has slots",
            ),
            row(
                &["host", "H"],
                "H1,H2:SLOTS,...",
                Meaning::ProgramHosts,
                "use these hosts for this program only",
            ),
            row(
                &["f", "hostfile", "machinefile"],
                "FILE",
                Meaning::HostFile,
                "read hosts from a file with lines `H1`, `H2:SLOTS` or `H3 slots=SLOTS`",
            ),
            row(
                &["ppn", "perhost", "npernode", "N"],
                "N",
                Meaning::PerHost,
                "start N processes on each host in turn, whatever its slots",
            ),
            row(
                &["map-by", "rank-by"],
                "OBJECT",
                Meaning::MapBy,
                "slot: fill each host (default); node: one per host in turn; core, socket, numa; \
                 ppr:N:node",
            ),
            row(
                &["bind-to"],
                "OBJECT",
                Meaning::BindTo,
                "core[:N], socket, numa, hwthread; none; share: an equal part of the free cores, \
                 if there is a core for each process (default)",
            ),
            row(
                &["agent"],
                "COMMAND",
                Meaning::Agent,
                "the command that starts processes on another host, such as \
                 \"kubectl exec -i {host} -- {cmd}\" (default: srun in a Slurm job, else ssh)",
            ),
            row(
                &["prefix"],
                "DIR",
                Meaning::Prefix,
                "the library's directory on the other hosts (default: as on this host)",
            ),
            row(
                &["oversubscribe", "use-hwthread-cpus", "allow-run-as-root"],
                "",
                Meaning::Accepted(0),
                "accepted and ignored: always allowed",
            ),
        ],
    ),
    (
        "Environment",
        &[
            row(&["env"], "NAME VALUE", Meaning::Set, "set a variable for this program"),
            row(&["genv"], "NAME VALUE", Meaning::SetEverywhere, "set a variable for all programs"),
            row(
                &["x"],
                "NAME[=VALUE]",
                Meaning::Export,
                "set a variable for all programs, or pass on its present value",
            ),
            row(
                &["envlist"],
                "A,B,...",
                Meaning::Only,
                "pass on only these variables to this program",
            ),
            row(
                &["genvlist"],
                "A,B,...",
                Meaning::OnlyEverywhere,
                "pass on only these variables to all programs",
            ),
            row(&["envnone"], "", Meaning::Nothing, "pass on no variables to this program"),
            row(&["genvnone"], "", Meaning::NothingEverywhere, "pass on no variables"),
            row(
                &["genvall", "envall"],
                "",
                Meaning::Everything,
                "pass on all variables (the default)",
            ),
            row(
                &["net"],
                "eth0,10.1.0.0/16,^docker0",
                Meaning::Network,
                "use these interfaces and networks only, first choice first, not those behind ^ \
                 (sets NEMESIS_NET, which counts without the option)",
            ),
            row(
                &["port-range"],
                "LOW:HIGH",
                Meaning::PortRange,
                "listen on these TCP ports only, for firewalls; a job takes one of each host, \
                 which its processes share, and one more for each port that they open, as by \
                 MPI_Comm_spawn (sets NEMESIS_PORTS, which counts without the option)",
            ),
            row(
                &["encrypt"],
                "",
                Meaning::Encrypt,
                "encrypt the messages between hosts (sets NEMESIS_ENCRYPT); what mpiexec itself \
                 sends to the hosts is always encrypted",
            ),
            row(
                &["initial-errhandler"],
                "NAME",
                Meaning::InitialErrhandler,
                "the initial error handler: mpi_errors_are_fatal (default), mpi_errors_abort or \
                 mpi_errors_return (sets NEMESIS_INITIAL_ERRHANDLER)",
            ),
        ],
    ),
    (
        "Profile",
        &[
            row(
                &["profile"],
                "[=FOLDER]",
                Meaning::Profile,
                "count the calls of MPI, print a table at the end, and write a page and figures \
                 to FOLDER (default: nemesis-profile; also NEMESIS_PROFILE)",
            ),
            row(
                &["profile-trace"],
                "",
                Meaning::ProfileTrace,
                "also write the calls in the order of time, for Perfetto or chrome://tracing",
            ),
        ],
    ),
    (
        "Input and output",
        &[
            row(
                &["l", "prepend-rank", "tag-output"],
                "",
                Meaning::Tag,
                "begin each line of output with its rank",
            ),
            row(
                &["stdin", "s"],
                "RANK|all|none",
                Meaning::Stdin,
                "the rank that gets standard input (default 0)",
            ),
            row(
                &["on-deadlock"],
                "end|tell",
                Meaning::OnDeadlock,
                "end a job that can never go on (default), or only say so \
                 (also NEMESIS_ON_DEADLOCK)",
            ),
            row(
                &["check"],
                "[=json[:FILE],exit]",
                Meaning::Check,
                "for development: check types of messages, buffers, requests and objects, and \
                 report at the end; json: as lines of JSON; exit: findings make the exit code 1 \
                 (sets NEMESIS_CHECK)",
            ),
            row(
                &["v", "verbose"],
                "",
                Meaning::Verbose,
                "print on standard error what is started and how, and what the processes talk \
                 through",
            ),
            row(&["h", "help"], "", Meaning::Help, "print this text"),
            row(&["V", "version"], "", Meaning::Version, "print the version"),
        ],
    ),
];

/// The end of the help.
const AFTERWORD: &str = "
One dash or two are equivalent, and -option=value is -option value. Examples:

  mpiexec -n 4 ./a.out                                this host
  mpiexec -hosts h1,h2:3 -n 4 ./a.out                 rank 0 on h1, three on h2
  mpiexec -f hosts -ppn 2 ./a.out                     two on each host of a file
  mpiexec -n 1 ./server : -n 3 ./client               two programs, one job
  mpiexec --agent \"ip netns exec {host} {cmd}\" ...    not by ssh

SIGUSR1 or Ctrl-\\ prints what every rank is doing; ranks that handle SIGUSR1
get it, too.
Ctrl-\\ twice within two seconds ends the job. The exit code is that of the first
rank that failed, or 128 + N if signal N killed it.
";

/// Returns all options.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    GROUPS.iter().flat_map(|group| group.1)
}

/// Returns the message about an unknown option, with the nearest known name.
pub fn unknown(word: &str, name: &str) -> LaunchError {
    // A name of few letters is near to anything short.
    let nearest = rows()
        .flat_map(|row| row.names)
        .map(|known| (distance(name, known), known))
        .filter(|(distance, known)| *distance < known.len())
        .min_by_key(|(distance, _)| *distance);
    let advice = match nearest {
        Some((distance, known)) if distance <= 1 + name.len() / 3 => {
            format!("-{known}, or mpiexec -help for all options")
        }
        _ => "mpiexec -help, which lists them".to_owned(),
    };
    LaunchError::new(format!("unknown option {word}"), advice)
}

/// Returns Levenshtein's distance: the number of insertions, deletions and changes of a letter that
/// make `a` into `b`.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let change = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = change.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// Columns of the help.
const HELP_COLUMNS: usize = 80;
/// Column at which the texts of the options begin.
const TEXT_COLUMN: usize = 30;

/// Returns the text of `-help`, in lines of at most [`HELP_COLUMNS`].
pub fn help() -> String {
    let mut text = String::from(
        "mpiexec [options] program [arguments] [ : [options] program [arguments] ] ...\n",
    );
    for (title, rows) in GROUPS {
        // Writing to a String does not fail.
        let _ = write!(text, "\n{title}:\n");
        for row in *rows {
            let names: Vec<String> = row.names.iter().map(|name| format!("-{name}")).collect();
            let mut front = format!("  {} {}", names.join(", "), row.values);
            if front.len() > TEXT_COLUMN - 2 {
                let _ = writeln!(text, "{}", front.trim_end());
                front.clear();
            }
            for line in wrapped(row.text, HELP_COLUMNS - TEXT_COLUMN) {
                let _ = writeln!(text, "{front:<TEXT_COLUMN$}{line}");
                front.clear();
            }
        }
    }
    text + AFTERWORD
}

/// Returns `text` in lines of at most `columns` characters, broken at spaces.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.len() - 1;
        if lines[line].is_empty() {
            lines[line].push_str(word);
        } else if lines[line].len() + 1 + word.len() <= columns {
            lines[line] += " ";
            lines[line] += word;
        } else {
            lines.push(word.into());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_fits_a_terminal() {
        let help = help();
        let long: Vec<&str> =
            help.lines().filter(|line| line.chars().count() > HELP_COLUMNS).collect();
        assert!(long.is_empty(), "{long:#?}");
        for row in rows() {
            assert!(help.contains(&format!("-{}", row.names[0])));
        }
    }

    #[test]
    fn text_is_broken_at_spaces() {
        assert_eq!(wrapped("one two three four", 9), ["one two", "three", "four"]);
        assert_eq!(wrapped("a-long-word b", 5), ["a-long-word", "b"]);
        assert_eq!(wrapped("", 5), [""]);
    }
}
