//! The options that have an effect.

use super::{Group, Meaning, row};

/// The groups, each with its title in the help.
pub const GROUPS: &[Group] = &[
    Group {
        topic: "start",
        title: "What to start",
        rows: &[
            row(
                &["n", "np", "c"],
                "N",
                Meaning::Processes,
                "start N processes of the program (default 1; with hosts, one for each slot)",
                "-n 2 ./hello",
            ),
            row(
                &["soft"],
                "SET",
                Meaning::Soft,
                "start the largest number of SET (1:8:2,16) that -n allows",
                "-n 4 -soft 1:3 ./hello",
            ),
            row(&["wdir", "wd"], "DIR", Meaning::Directory, "start them in DIR", "-wdir . ./hello"),
            row(
                &["path"],
                "DIRS",
                Meaning::Search,
                "look for the program in these folders first",
                "-path /nowhere:. hello",
            ),
            row(
                &["arch"],
                "NAME",
                Meaning::Architecture,
                "refuse to start on a host that is not of this kind, such as x86_64",
                "-arch {arch} ./hello",
            ),
            row(
                &["file"],
                "FILE",
                Meaning::Keys,
                "read lines KEY=VALUE for this program: host, hostfile, map_by, bind_to, wdir, \
                 path, soft, arch, env",
                "-file keys ./hello",
            ),
            row(
                &["configfile", "app"],
                "FILE",
                Meaning::Words,
                "read options and a program from each line of FILE (#: comments)",
                "-configfile lines",
            ),
            row(
                &["usize"],
                "N|system|infinite",
                Meaning::Universe,
                "the value of MPI_UNIVERSE_SIZE; system: all slots (default: the slots that hosts \
                 are given, else none)",
                "-usize 10 ./hello",
            ),
        ],
    },
    Group {
        topic: "where",
        title: "Where (default: the hosts of the batch job, else this host)",
        rows: &[
            row(
                &["hosts"],
                "H1,H2:SLOTS,...",
                Meaning::Hosts,
                "use these hosts; a host gets as many processes in its turn as it has slots",
                "-hosts localhost -n 2 ./hello",
            ),
            row(
                &["host", "H"],
                "H1,H2:SLOTS,...",
                Meaning::ProgramHosts,
                "use these hosts for this program only",
                "-host localhost:2 ./hello",
            ),
            row(
                &["hosts-group"],
                "h[1-4],x",
                Meaning::HostRanges,
                "use these hosts, given as ranges",
                "-hosts-group localhost ./hello",
            ),
            row(
                &["f", "hostfile", "machinefile", "machine"],
                "FILE",
                Meaning::HostFile,
                "read hosts from a file with lines `H1`, `H2:SLOTS` or `H3 slots=SLOTS`",
                "-f hosts ./hello",
            ),
            row(
                &["default-hostfile"],
                "FILE",
                Meaning::DefaultHostFile,
                "read hosts from FILE if no other option names any (also HYDRA_HOST_FILE)",
                "-default-hostfile hosts ./hello",
            ),
            row(
                &["ppn", "perhost", "npernode", "N", "grr"],
                "N",
                Meaning::PerHost,
                "start N processes on each host in turn, whatever its slots; without -n, N on \
                 each host",
                "-ppn 2 ./hello",
            ),
            row(
                &["pernode"],
                "",
                Meaning::PerHostWord(1),
                "one process on each host",
                "-pernode ./hello",
            ),
            row(
                &["npersocket"],
                "N",
                Meaning::PerSocket,
                "N processes on each socket, bound to it",
                "-npersocket 1 ./hello",
            ),
            row(
                &["ppr"],
                "N:OBJECT",
                Meaning::PerResource,
                "N processes on each node, socket, numa, l3cache or core",
                "-ppr 2:node ./hello",
            ),
            row(
                &["rr", "bynode"],
                "",
                Meaning::MapByWord("node"),
                "one process on each host in turn",
                "-rr -n 2 ./hello",
            ),
            row(
                &["byslot"],
                "",
                Meaning::MapByWord("slot"),
                "fill each host before the next (default)",
                "-byslot -n 2 ./hello",
            ),
            row(
                &["rank-by"],
                "slot|node",
                Meaning::RankBy,
                "number the ranks of a host one after the other, or one on each host in turn",
                "-rank-by node -n 2 ./hello",
            ),
            row(
                &["rankfile", "rf", "rank-file"],
                "FILE",
                Meaning::RankFile,
                "read the place of each rank from lines `rank 0=HOST slot=CORES`",
                "-rankfile ranks ./hello",
            ),
            row(
                &["nolocal", "skip-launch-node"],
                "",
                Meaning::NotHere,
                "start nothing on the host of mpiexec",
                "-nolocal -hosts {other} -agent {cmd} ./hello",
            ),
            row(
                &["order-nodes"],
                "UP|DOWN",
                Meaning::OrderHosts,
                "use hosts with few, or with many, slots first",
                "-order-nodes DOWN ./hello",
            ),
            row(
                &["rmk"],
                "NAME",
                Meaning::ResourceManager,
                "user: ignore the hosts of the batch job; others are recognized anyway",
                "-rmk user ./hello",
            ),
            row(
                &["nooversubscribe"],
                "",
                Meaning::NoOversubscribe,
                "refuse more processes than slots (without hosts: than cores)",
                "-nooversubscribe -n 1 ./hello",
            ),
            row(
                &["oversubscribe", "allow-run-as-root"],
                "",
                Meaning::Always,
                "always allowed",
                "-oversubscribe -n 2 ./hello",
            ),
            row(
                &["agent"],
                "COMMAND",
                Meaning::Agent,
                "the command that starts processes on another host, such as \
                 \"kubectl exec -i {host} -- {cmd}\" (default: srun in a Slurm job, else ssh)",
                "-agent \"ssh {host} {cmd}\" ./hello",
            ),
            row(
                &["launcher", "bootstrap"],
                "NAME",
                Meaning::Launcher,
                "start on other hosts by ssh, rsh, slurm, lsf (blaunch), sge (qrsh), or fork: all \
                 on this host",
                "-launcher ssh ./hello",
            ),
            row(
                &["launcher-exec", "bootstrap-exec"],
                "PROGRAM",
                Meaning::AgentProgram,
                "the program of -launcher, called as PROGRAM HOST COMMAND",
                "-launcher-exec /usr/bin/ssh ./hello",
            ),
            row(
                &["launcher-exec-args", "bootstrap-exec-args"],
                "WORDS",
                Meaning::AgentArguments,
                "arguments for that program before HOST",
                "-launcher-exec-args \"-q\" ./hello",
            ),
            row(
                &["prefix"],
                "DIR",
                Meaning::Prefix,
                "the library's directory on the other hosts (default: as on this host)",
                "-prefix /opt ./hello",
            ),
        ],
    },
    Group {
        topic: "binding",
        title: "On which processors",
        rows: &[
            row(
                &["bind-to"],
                "OBJECT",
                Meaning::BindTo,
                "core[:N], l1cache, l2cache, l3cache, numa, socket, hwthread; rr: one processor \
                 after the other; user:0+1,2: these processors; none; share: an equal part of the \
                 free cores, if there is a core for each process (default)",
                "-bind-to core -n 2 ./hello",
            ),
            row(
                &["map-by"],
                "OBJECT",
                Meaning::MapBy,
                "slot: fill each host (default); node: one per host in turn; seq: one for each \
                 line of hosts; core, l3cache, numa, socket, hwthread; ppr:N:OBJECT; with :PE=N, \
                 :OVERSUBSCRIBE, :NOOVERSUBSCRIBE, :NOLOCAL",
                "-map-by socket:PE=1 -n 2 ./hello",
            ),
            row(
                &["bind-to-core"],
                "",
                Meaning::BindToWord("core"),
                "bind each process to a core",
                "-bind-to-core -n 2 ./hello",
            ),
            row(
                &["bind-to-socket"],
                "",
                Meaning::BindToWord("socket"),
                "bind each process to a socket",
                "-bind-to-socket -n 2 ./hello",
            ),
            row(
                &["bind-to-none"],
                "",
                Meaning::BindToWord("none"),
                "bind no process",
                "-bind-to-none -n 2 ./hello",
            ),
            row(
                &["bycore"],
                "",
                Meaning::MapByWord("core"),
                "one process on each core in turn",
                "-bycore -n 2 ./hello",
            ),
            row(
                &["bysocket"],
                "",
                Meaning::MapByWord("socket"),
                "one process on each socket in turn",
                "-bysocket -n 2 ./hello",
            ),
            row(
                &["cpus-per-proc", "cpus-per-rank"],
                "N",
                Meaning::ProcessorsPerRank,
                "bind each process to N cores",
                "-cpus-per-proc 1 -n 2 ./hello",
            ),
            row(
                &["cpu-set", "cpu-list"],
                "0,2-3",
                Meaning::ProcessorSet,
                "use these processors of each host only",
                "-cpu-set {cpu} -n 2 ./hello",
            ),
            row(
                &["use-hwthread-cpus"],
                "",
                Meaning::HardwareThreads,
                "hardware threads count as cores for PE=N, -cpus-per-proc and -nooversubscribe",
                "-use-hwthread-cpus -n 2 ./hello",
            ),
            row(
                &["report-bindings"],
                "",
                Meaning::TellBindings,
                "print the processors of each rank on standard error",
                "-report-bindings -n 2 ./hello",
            ),
            row(
                &["display"],
                "WORDS",
                Meaning::Display,
                "map: which rank is on which host; bind: its processors; allocation: hosts and \
                 slots",
                "-display map,bind -n 2 ./hello",
            ),
            row(
                &["display-map", "print-rank-map", "display-devel-map"],
                "",
                Meaning::DisplayWord("map"),
                "print which rank is on which host",
                "-display-map -n 2 ./hello",
            ),
            row(
                &["display-allocation", "display-devel-allocation"],
                "",
                Meaning::DisplayWord("allocation"),
                "print the hosts and their slots",
                "-display-allocation -n 2 ./hello",
            ),
            row(
                &["do-not-launch", "donotlaunch"],
                "",
                Meaning::OnlyShow,
                "start nothing: with -display, show what would be",
                "-do-not-launch -n 2 ./hello",
            ),
        ],
    },
    Group {
        topic: "environment",
        title: "Environment",
        rows: &[
            row(
                &["env"],
                "NAME VALUE",
                Meaning::Set,
                "set a variable for this program",
                "-env A 1 -n 2 ./hello",
            ),
            row(
                &["genv"],
                "NAME VALUE",
                Meaning::SetEverywhere,
                "set a variable for all programs",
                "-genv A 1 -n 2 ./hello",
            ),
            row(
                &["x"],
                "NAME[=VALUE]",
                Meaning::Export,
                "set a variable for all programs, or pass on its present value",
                "-x A=1 -n 2 ./hello",
            ),
            row(
                &["envlist"],
                "A,B,...",
                Meaning::Only,
                "pass on only these variables to this program",
                "-envlist PATH -n 2 ./hello",
            ),
            row(
                &["genvlist"],
                "A,B,...",
                Meaning::OnlyEverywhere,
                "pass on only these variables to all programs",
                "-genvlist PATH,HOME -n 2 ./hello",
            ),
            row(
                &["envnone"],
                "",
                Meaning::Nothing,
                "pass on no variables to this program",
                "-envnone -n 2 ./hello",
            ),
            row(
                &["genvnone"],
                "",
                Meaning::NothingEverywhere,
                "pass on no variables",
                "-genvnone -n 2 ./hello",
            ),
            row(
                &["genvall", "envall", "genvuser"],
                "",
                Meaning::Everything,
                "pass on all variables (the default)",
                "-genvall -n 2 ./hello",
            ),
            row(
                &["net", "iface"],
                "eth0,10.1.0.0/16,^docker0",
                Meaning::Network,
                "use these interfaces and networks only, first choice first, not those behind ^ \
                 (sets NEMESIS_NET, which counts without the option)",
                "-net lo -n 2 ./hello",
            ),
            row(
                &["port-range"],
                "LOW:HIGH",
                Meaning::PortRange,
                "listen on these TCP ports only, for firewalls; a job takes one of each host, \
                 which its processes share, and one more for each port that they open, as by \
                 MPI_Comm_spawn (sets NEMESIS_PORTS, which counts without the option)",
                "-port-range 20000:20100 -n 2 ./hello",
            ),
            row(
                &["encrypt"],
                "",
                Meaning::Encrypt,
                "encrypt the messages between hosts (sets NEMESIS_ENCRYPT); what mpiexec itself \
                 sends to the hosts is always encrypted",
                "-encrypt -n 2 ./hello",
            ),
            row(
                &["initial-errhandler"],
                "NAME",
                Meaning::InitialErrhandler,
                "the initial error handler: mpi_errors_are_fatal (default), mpi_errors_abort or \
                 mpi_errors_return (sets NEMESIS_INITIAL_ERRHANDLER)",
                "-initial-errhandler mpi_errors_abort -n 2 ./hello",
            ),
            row(
                &["memory-alloc-kinds"],
                "KINDS",
                Meaning::MemoryKinds,
                "the kinds of memory that the program uses: system, mpi and cuda are there",
                "-memory-alloc-kinds system,mpi -n 2 ./hello",
            ),
            row(
                &["mca", "gmca", "omca", "prtemca", "pmixmca", "gpmixmca"],
                "NAME VALUE",
                Meaning::Parameter,
                "a parameter of Open MPI; those of interfaces, hosts, mapping, binding and output \
                 count, and a note names others",
                "-mca btl_tcp_if_include lo -n 2 ./hello",
            ),
        ],
    },
    Group {
        topic: "profile",
        title: "Profile and checks",
        rows: &[
            row(
                &["profile"],
                "[=FOLDER]",
                Meaning::Profile,
                "count the calls of MPI, print a table at the end, and write a page and figures \
                 to FOLDER (default: nemesis-profile; also NEMESIS_PROFILE)",
                "",
            ),
            row(
                &["profile-trace", "trace"],
                "",
                Meaning::ProfileTrace,
                "also write the calls in the order of time, for Perfetto or chrome://tracing",
                "",
            ),
            row(
                &["check", "check_mpi"],
                "[=json[:FILE],exit,buffered]",
                Meaning::Check,
                "for development: check types of messages, buffers, requests and objects, and \
                 report at the end; json: as lines of JSON; exit: findings make the exit code 1; \
                 buffered: programs that rely on buffering go on (sets NEMESIS_CHECK)",
                "-check -n 2 ./hello",
            ),
        ],
    },
    Group {
        topic: "output",
        title: "Input and output",
        rows: &[
            row(
                &["l", "prepend-rank", "tag-output"],
                "",
                Meaning::Tag,
                "begin each line of output with its rank",
                "-l -n 2 ./hello",
            ),
            row(
                &["prepend-pattern"],
                "PATTERN",
                Meaning::PrependPattern,
                "begin each line with PATTERN: %r rank, %h host, %p its number, %g program, \
                 %n ranks, %% %",
                "-prepend-pattern \"[%r] \" -n 2 ./hello",
            ),
            row(
                &["timestamp-output"],
                "",
                Meaning::Timestamp,
                "begin each line with the time, in UTC",
                "-timestamp-output -n 2 ./hello",
            ),
            row(
                &["outfile-pattern", "outfile"],
                "PATTERN",
                Meaning::FilePattern(0),
                "write standard output of each rank to the file of this name, with %r as above",
                "-outfile-pattern out.%r -n 2 ./hello",
            ),
            row(
                &["errfile-pattern", "errfile"],
                "PATTERN",
                Meaning::FilePattern(1),
                "write standard error of each rank to the file of this name",
                "-errfile-pattern err.%r -n 2 ./hello",
            ),
            row(
                &["output-filename"],
                "DIR",
                Meaning::OutputFolder,
                "write output to DIR/rank.R/stdout and stderr, and print it, too (not with \
                 DIR:nocopy)",
                "-output-filename folder -n 2 ./hello",
            ),
            row(
                &["output"],
                "WORDS",
                Meaning::Output,
                "tag or rank, timestamp, merge; dir=DIR: DIR/rank.R/stdout and stderr; file=NAME: \
                 NAME.R.out and NAME.R.err",
                "-output tag,timestamp -n 2 ./hello",
            ),
            row(
                &["merge-stderr-to-stdout"],
                "",
                Meaning::Merge,
                "standard error of the ranks goes to their standard output",
                "-merge-stderr-to-stdout -n 2 ./hello",
            ),
            row(
                &["stdin", "s"],
                "RANK|all|none",
                Meaning::Stdin,
                "the rank that gets standard input (default 0)",
                "-stdin all -n 2 ./hello",
            ),
            row(
                &["ordered-output"],
                "",
                Meaning::Always,
                "lines of ranks are never mixed",
                "-ordered-output -n 2 ./hello",
            ),
            row(
                &["q", "quiet"],
                "",
                Meaning::Quiet,
                "no note about options without effect",
                "-q -n 2 ./hello",
            ),
            row(
                &["v", "verbose"],
                "",
                Meaning::Verbose,
                "print on standard error what is started and how, and what the processes talk \
                 through",
                "-v -n 2 ./hello",
            ),
        ],
    },
    Group {
        topic: "end",
        title: "The end of the job",
        rows: &[
            row(
                &["timeout"],
                "SECONDS",
                Meaning::TimeLimit,
                "end the job after this time, say what each rank does, and exit with 124 (also \
                 MPIEXEC_TIMEOUT)",
                "-timeout 60 -n 2 ./hello",
            ),
            row(
                &["report-state-on-timeout", "get-stack-traces"],
                "",
                Meaning::Always,
                "the state of the ranks is always told; for stacks: gdb -p PID",
                "-report-state-on-timeout -timeout 60 -n 2 ./hello",
            ),
            row(
                &["on-deadlock"],
                "end|tell",
                Meaning::OnDeadlock,
                "end a job that can never go on (default), or only say so \
                 (also NEMESIS_ON_DEADLOCK)",
                "-on-deadlock tell -n 2 ./hello",
            ),
            row(
                &["ft", "disable-auto-cleanup"],
                "",
                Meaning::Tolerate,
                "when a rank fails, the others are told and go on: what waits for it ends with \
                 MPIX_ERR_PROC_FAILED",
                "-ft -n 2 ./hello",
            ),
            row(
                &["with-ft"],
                "ulfm|none",
                Meaning::TolerateBy,
                "ulfm (also mpi, true): as -ft; none (also no, false): a rank that fails ends the \
                 job (default)",
                "-with-ft ulfm -n 2 ./hello",
            ),
            row(
                &["continuous", "enable-recovery"],
                "",
                Meaning::GoOn,
                "the other ranks go on when one has failed, and are not told",
                "-continuous -n 2 ./hello",
            ),
            row(
                &["enable-auto-cleanup", "disable-recovery"],
                "",
                Meaning::Always,
                "a rank that fails ends the job (default)",
                "-enable-auto-cleanup -n 2 ./hello",
            ),
            row(
                &["print-all-exitcodes"],
                "",
                Meaning::TellCodes,
                "print the exit code of each rank",
                "-print-all-exitcodes -n 2 ./hello",
            ),
            row(
                &["report-pid"],
                "PLACE",
                Meaning::TellPid,
                "print the process id of mpiexec on standard output (-), standard error (+) or to \
                 a file",
                "-report-pid - -n 2 ./hello",
            ),
        ],
    },
    Group {
        topic: "help",
        title: "About mpiexec",
        rows: &[
            row(
                &["h", "help"],
                "[TOPIC]",
                Meaning::Help,
                "print this text; of one option or topic (start, where, binding, environment, \
                 output, end, moving), or table: all options as a table, completion: for bash",
                "-h",
            ),
            row(&["V", "version"], "", Meaning::Version, "print the version", "-V"),
            row(&["info"], "", Meaning::Info, "print the version and what this build has", "-info"),
        ],
    },
];
