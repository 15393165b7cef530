//! The options of other launchers that have no effect, and those that are refused.

use super::{Group, Meaning, Row, Values, row};

const fn unused(
    names: &'static [&'static str],
    values: &'static str,
    text: &'static str,
    example: &'static str,
) -> Row {
    let count = if values.is_empty() { Values::None } else { Values::One };
    row(names, values, Meaning::Unused(count), text, example)
}

const fn refused(
    names: &'static [&'static str],
    values: &'static str,
    text: &'static str,
    example: &'static str,
) -> Row {
    let count = if values.is_empty() { Values::None } else { Values::One };
    row(names, values, Meaning::Refused(count), text, example)
}

/// The groups, each with its title in the help.
pub const GROUPS: &[Group] = &[
    Group {
        topic: "moving",
        title: "Options of other launchers without effect here, with a note",
        rows: &[
            row(
                &["tune"],
                "[FILE]",
                Meaning::Unused(Values::Maybe),
                "the library chooses by itself; `nemesis info` lists what can be set",
                "-tune -n 2 ./hello",
            ),
            unused(&["am"], "FILE", "files of Open MPI's parameters are not read", "-am x ./hello"),
            unused(
                &["topolib"],
                "NAME",
                "the kernel's own files tell the machine",
                "-topolib hwloc ./hello",
            ),
            unused(
                &["membind"],
                "POLICY",
                "the kernel places memory where it is used first; numactl chooses otherwise",
                "-membind local ./hello",
            ),
            unused(&["binding"], "WORDS", "use -bind-to and -map-by", "-binding x=y ./hello"),
            unused(&["use-app-topology"], "FILE", "use -rankfile", "-use-app-topology x ./hello"),
            unused(
                &["nameserver"],
                "HOST",
                "mpiexec serves names; jobs share them by the info key of MPI_Publish_name",
                "-nameserver localhost ./hello",
            ),
            unused(
                &["disable-hostname-propagation", "enable-hostname-propagation"],
                "",
                "hosts keep their own names",
                "-disable-hostname-propagation ./hello",
            ),
            unused(
                &["localhost"],
                "NAME",
                "the host's names and addresses are recognized",
                "-localhost localhost ./hello",
            ),
            unused(
                &["enable-x", "disable-x"],
                "",
                "use -agent \"ssh -X {host} {cmd}\"",
                "-enable-x ./hello",
            ),
            unused(
                &["pmi-port"],
                "",
                "ranks inherit their PMI connection; there is no port",
                "-pmi-port ./hello",
            ),
            unused(&["noconf"], "", "there is no configuration file", "-noconf ./hello"),
            unused(&["tmpdir"], "DIR", "no file is made", "-tmpdir /tmp ./hello"),
            unused(
                &["silent-abort"],
                "",
                "an abort is one message; 2>/dev/null hides it",
                "-silent-abort ./hello",
            ),
            unused(
                &["rdma", "RDMA", "ibv", "dapl", "DAPL", "tmi", "TMI", "psm", "psm2", "mxm", "ofi"],
                "",
                "NEMESIS_NETWORKS chooses networks",
                "-rdma ./hello",
            ),
            unused(
                &["display-topo"],
                "",
                "`nemesis info` and lstopo show the machine",
                "-display-topo ./hello",
            ),
            unused(
                &["noprefix", "set-cwd-to-session-dir"],
                "",
                "there is no configured prefix and no session folder",
                "-noprefix ./hello",
            ),
            unused(
                &["max-restarts"],
                "N",
                "no process is started again",
                "-max-restarts 1 ./hello",
            ),
            unused(
                &["preload-binary"],
                "",
                "programs are not copied: every host needs them",
                "-preload-binary ./hello",
            ),
            unused(
                &["preload-files"],
                "FILES",
                "files are not copied: every host needs them",
                "-preload-files x ./hello",
            ),
            unused(
                &["launch-agent"],
                "COMMAND",
                "use -prefix for the place of the library on other hosts",
                "-launch-agent x ./hello",
            ),
            unused(&["report-uri"], "PLACE", "mpiexec has no URI", "-report-uri - ./hello"),
            unused(
                &["debug-daemons", "debug-daemons-file", "leave-session-attached", "debug-devel"],
                "",
                "agents report through mpiexec; -v shows how they are started",
                "-debug-daemons ./hello",
            ),
            unused(
                &["forward-signals"],
                "SIGNALS",
                "HUP, INT, QUIT, TERM, USR1, USR2, TSTP and CONT are passed on, no others",
                "-forward-signals SIGUSR1 ./hello",
            ),
            unused(
                &["personality"],
                "NAME",
                "the options of all launchers are read",
                "-personality ompi ./hello",
            ),
            unused(&["show-progress"], "", "starts are fast; use -v", "-show-progress ./hello"),
            unused(
                &["do-not-resolve", "do-resolve"],
                "",
                "no resolver is asked",
                "-do-not-resolve ./hello",
            ),
            unused(
                &["stream-buffering"],
                "N",
                "use stdbuf before the program",
                "-stream-buffering 1 ./hello",
            ),
            unused(
                &["index-argv-by-rank"],
                "",
                "ps and top show the rank's environment; `nemesis top` the ranks",
                "-index-argv-by-rank ./hello",
            ),
        ],
    },
    Group {
        topic: "refused",
        title: "Options of other launchers that are refused",
        rows: &[
            refused(
                &["gdb", "gdba"],
                "",
                "mpiexec -n 1 gdb ./a.out : -n 3 ./a.out, or gdb -p PID on the rank's host",
                "-gdb -n 2 ./hello",
            ),
            refused(
                &["tv", "tva", "debug", "debugger"],
                "",
                "the debugger before the program: mpiexec -n 1 gdb ./a.out : -n 3 ./a.out",
                "-tv -n 2 ./hello",
            ),
            refused(
                &["gtool", "gtoolfile"],
                "TOOL",
                "the tool before the program: mpiexec -n 1 valgrind ./a.out : -n 3 ./a.out",
                "-gtool \"valgrind:0\" -n 2 ./hello",
            ),
            refused(
                &["xterm"],
                "RANKS",
                "a window for one rank: mpiexec -n 1 xterm -e ./a.out : -n 3 ./a.out",
                "-xterm 0 -n 2 ./hello",
            ),
            refused(
                &["ilp64"],
                "",
                "compiling with mpifort -fdefault-integer-8",
                "-ilp64 -n 2 ./hello",
            ),
            refused(
                &["dvm", "dvm-uri"],
                "PLACE",
                "mpiexec alone: it needs no daemons beforehand",
                "-dvm x -n 2 ./hello",
            ),
            refused(
                &["ckpoint-interval", "ckpoint-prefix", "ckpointlib", "ckpoint-num"],
                "VALUE",
                "a program that writes its own checkpoints",
                "-ckpoint-interval 9 -n 2 ./hello",
            ),
        ],
    },
];
