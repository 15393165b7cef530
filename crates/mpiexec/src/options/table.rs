//! The options as a table: it gives the parser its names, the help its text, and an unknown option its nearest relative.

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
    Verbose,
    Help,
    Version,
    /// Accepted, with so many values, because scripts use it: nothing has to be done for it.
    Accepted(usize),
}

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

/// What belongs together in the help, under its title.
const GROUPS: &[(&str, &[Row])] = &[
    (
        "What to start",
        &[
            row(
                &["n", "np"],
                "N",
                Meaning::Processes,
                "start N processes of the program (default 1, with hosts: all slots)",
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
                "on these hosts; a host takes as many processes in turn as it has slots",
            ),
            row(
                &["host", "H"],
                "H1,H2:SLOTS,...",
                Meaning::ProgramHosts,
                "the same, for this program only",
            ),
            row(
                &["f", "hostfile", "machinefile"],
                "FILE",
                Meaning::HostFile,
                "hosts from a file: lines `H1`, `H2:SLOTS` or `H3 slots=SLOTS`",
            ),
            row(
                &["ppn", "perhost", "npernode", "N"],
                "N",
                Meaning::PerHost,
                "N processes per host in turn, whatever its slots",
            ),
            row(
                &["map-by", "rank-by"],
                "OBJECT",
                Meaning::MapBy,
                "slot: fill each host (default); node: one per host in turn; core, socket, numa; ppr:N:node",
            ),
            row(
                &["bind-to"],
                "OBJECT",
                Meaning::BindTo,
                "core[:N], socket, numa, hwthread; none; share: its part of the free cores, if there is one for each (default)",
            ),
            row(
                &["agent"],
                "COMMAND",
                Meaning::Agent,
                "how to start on another host, e.g. \"kubectl exec -i {host} -- {cmd}\" (default: srun in a Slurm job, else ssh)",
            ),
            row(
                &["prefix"],
                "DIR",
                Meaning::Prefix,
                "the other hosts have this library in DIR (default: where it is here)",
            ),
            row(
                &["oversubscribe", "use-hwthread-cpus", "allow-run-as-root"],
                "",
                Meaning::Accepted(0),
                "accepted: always allowed",
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
                "set a variable for all programs, or pass it on as it is",
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
                "use these interfaces and networks only, first choice first, and none behind ^ (sets NEMESIS_NET)",
            ),
            row(
                &["port-range"],
                "LOW:HIGH",
                Meaning::PortRange,
                "listen on these TCP ports only, for firewalls; one will do: all processes of a host share it (sets NEMESIS_PORTS)",
            ),
            row(
                &["encrypt"],
                "",
                Meaning::Encrypt,
                "encrypt what goes over the network between processes (sets NEMESIS_ENCRYPT)",
            ),
            row(
                &["initial-errhandler"],
                "NAME",
                Meaning::InitialErrhandler,
                "mpi_errors_are_fatal (default), _abort or _return (sets NEMESIS_INITIAL_ERRHANDLER)",
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
                "who gets standard input (default 0)",
            ),
            row(
                &["v", "verbose"],
                "",
                Meaning::Verbose,
                "say on standard error what is started how",
            ),
            row(&["h", "help"], "", Meaning::Help, "print this text"),
            row(&["V", "version"], "", Meaning::Version, "print the version"),
        ],
    ),
];

const AFTERWORD: &str = "
One dash or two are the same, and -option=value is -option value. Examples:

  mpiexec -n 4 ./a.out                                this host
  mpiexec -hosts h1,h2:3 -n 4 ./a.out                 rank 0 on h1, ranks 1 to 3 on h2
  mpiexec -f hosts -ppn 2 ./a.out                     two on each host of a file
  mpiexec -n 1 ./server : -n 3 ./client               two programs, one job
  mpiexec --agent \"ip netns exec {host} {cmd}\" ...    not by ssh

SIGUSR1, or Ctrl-\\, makes it say what every rank is doing; ranks that handle SIGUSR1 get it, too. Ctrl-\\ twice within two seconds ends the job.
The exit code is that of the first rank that failed, 128 + N if signal N killed it.
";

pub fn rows() -> impl Iterator<Item = &'static Row> {
    GROUPS.iter().flat_map(|group| group.1)
}

pub fn unknown(word: &str, name: &str) -> String {
    let names = rows().flat_map(|row| row.names);
    let nearest =
        names.map(|known| (distance(name, known), known)).min_by_key(|(distance, _)| *distance);
    match nearest {
        Some((distance, known)) if distance <= 1 + name.len() / 3 => {
            format!("unknown option {word}; did you mean -{known}?")
        }
        _ => format!("unknown option {word}; mpiexec -help lists them"),
    }
}

/// Levenshtein's distance: insertions, deletions and changes of a letter that make `a` into `b`.
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

pub fn help() -> String {
    let mut text = String::from(
        "mpiexec [options] program [arguments] [ : [options] program [arguments] ] ...\n",
    );
    for (title, rows) in GROUPS {
        // Writing to a String does not fail.
        let _ = write!(text, "\n{title}:\n");
        for row in *rows {
            let names: Vec<String> = row.names.iter().map(|name| format!("-{name}")).collect();
            let _ = writeln!(
                text,
                "  {:<34} {}",
                format!("{} {}", names.join(", "), row.values),
                row.text
            );
        }
    }
    text + AFTERWORD
}
