//! Tests of the parser: what command lines ask for, and what it says of those that it refuses.

use super::help::help;
use super::table::{Meaning, Values, Verdict, rows};
use super::*;
use nemesis_sys::choice::Ports;

fn words(line: &str) -> Vec<OsString> {
    line.split(' ').filter(|word| !word.is_empty()).map(OsString::from).collect()
}

fn plan(line: &str) -> Plan {
    match read(&words(line), |_| None) {
        Ok(Request::Run(plan)) => *plan,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn options_end_at_the_program() {
    let plan = plan("-n 4 ./a.out -n 5 --help -x");
    assert_eq!(plan.processes(), 4);
    assert_eq!(plan.programs[0].arguments, words("-n 5 --help -x"));
}

#[test]
fn dashes_and_joined_values_are_equivalent() {
    for line in [
        "-np 3 a",
        "--np 3 a",
        "-n=3 a",
        "--n=3 a",
        "-n 3 --bind-to core --map-by=slot --oversubscribe -ppn 2 a",
    ] {
        assert_eq!(plan(line).processes(), 3, "{line}");
    }
}

#[test]
fn programs_have_own_and_common_options() {
    let plan = plan("-genv A 1 -n 2 -env B 2 -wdir /tmp a x : -x C=3 -env A 9 -l b");
    assert_eq!(plan.programs.len(), 2);
    assert_eq!((plan.programs[0].processes, plan.programs[1].processes), (2, 1));
    let variables = |number: usize| -> Vec<(String, String)> {
        let text = |text: &OsString| text.to_string_lossy().into_owned();
        plan.programs[number]
            .variables
            .iter()
            .map(|(name, value)| (text(name), text(value)))
            .collect()
    };
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(variables(0), [pair("A", "1"), pair("C", "3"), pair("B", "2")]);
    assert_eq!(variables(1), [pair("A", "1"), pair("C", "3"), pair("A", "9")]);
    assert_eq!(plan.programs[0].directory, Some("/tmp".into()));
    assert_eq!(plan.programs[1].directory, None);
    assert!(plan.output.prefix.is_some());
}

#[test]
fn a_profile_has_a_folder() {
    let folder = |line: &str| plan(line).profile.map(|plan| (plan.folder, plan.trace));
    assert_eq!(folder("a"), None);
    assert_eq!(folder("-profile a"), Some(("nemesis-profile".into(), false)));
    assert_eq!(folder("-profile=x -profile-trace a"), Some(("x".into(), true)));
    assert_eq!(folder("-profile-trace a"), Some(("nemesis-profile".into(), true)));
    let by_variable = |value: &str| {
        let variable = |name: &str| (name == PROFILE_VARIABLE).then(|| value.to_owned());
        match read(&words("a"), variable) {
            Ok(Request::Run(plan)) => plan.profile.map(|plan| plan.folder),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(by_variable("y"), Some("y".into()));
    assert_eq!(by_variable("on"), Some("nemesis-profile".into()));
    assert_eq!(by_variable("off"), None);
}

#[test]
fn errors_say_what_is_wrong_and_what_to_try() {
    let nothing = |_: &str| None;
    let soon = |name: &str| (name == "NEMESIS_NOTICE_SECONDS").then(|| "soon".into());
    let nodes = |name: &str| name.starts_with("SLURM_JOB").then(|| "n[".into());
    let told = |line: &str, variable: &dyn Fn(&str) -> Option<String>| match read(
        &words(line),
        variable,
    ) {
        Err(error) => error.to_string(),
        Ok(request) => panic!("{line}: {request:?}"),
    };
    for (line, what, advice) in [
        ("-oversubscibe a", "unknown option -oversubscibe", "-oversubscribe"),
        ("-qqqqqqq a", "unknown option -qqqqqqq", "mpiexec -help"),
        ("--foo a", "unknown option --foo", "mpiexec -help, which lists them"),
        ("-n", "-n needs N", "-n N; mpiexec -help"),
        ("-n : a", "-n needs N, and nothing follows it", "-n N; mpiexec -help"),
        ("-nn 2 a", "unknown option -nn", "-np, or mpiexec -help"),
        ("-n zero a", "-n: \"zero\" is not a number", "-n 4"),
        ("-n 0 a", "-n: \"0\" is not a number of at least 1", "-n 4"),
        ("-n 2", "the command names no program", "mpiexec -n 4 ./a.out"),
        ("a : -n 2", "part 2 of the command", "mpiexec -n 4 ./a.out"),
        ("", "the command names no program", "mpiexec -n 4 ./a.out"),
        ("-l=3 a", "-l takes no value", "-l alone"),
        ("-stdin 1 a", "-stdin 1: the job has no such rank", "from 0 to 0, all or none"),
        ("-stdin some a", "-stdin: \"some\" is not a rank", "all or none"),
        ("-hosts x:0 a", "-hosts: x:0: \"0\" is not", "-hosts h1,h2:4"),
        ("-hosts , a", "-hosts: \",\" names no host", "-hosts h1,h2:4"),
        ("-f /nowhere a", "-f: the host file /nowhere cannot be read", "-f FILE with a line"),
        ("-port-range 9:8 a", "-port-range: \"9:8\" is not a range", "such as 20000:20100"),
        ("-net 10.1.0.0/33 a", "-net: ", "such as eth0,10.1.0.0/16"),
        ("-on-deadlock wait a", "\"wait\" is not one of its words", "end or tell"),
        ("-map-by moon a", "-map-by moon: there is no such object", "slot, node"),
        ("-map-by ppr:2:moon a", "-map-by ppr:2:moon: there is no such object", "ppr:N:OBJECT"),
        ("-map-by share a", "not mapped by them", "-bind-to share"),
        ("-map-by share:2 a", "not mapped by them", "-bind-to share"),
        ("-bind-to moon a", "-bind-to moon: there is no such object", "core, core:N"),
        ("-bind-to core:x a", "-bind-to core:x: \"x\" is not", "core or core:2"),
        ("-bind-to share -map-by core a", "no -map-by applies", "-bind-to core"),
        ("-nooversubscribe -hosts h1,h2 -n 3 a", "3 processes, and the hosts have 2", "fewer"),
        ("-nolocal a", "-nolocal leaves no host", "-hosts"),
        ("-nolocal -hosts localhost a", "-nolocal leaves no host", "-hosts"),
        ("-map-by socket:PE=0 a", "-map-by ...:PE=: \"0\"", "4"),
        ("-map-by node:moon a", "\"moon\" means nothing", "OVERSUBSCRIBE"),
        ("-map-by dist a", "distances from devices", "-map-by numa"),
        ("-cpu-set 0-x a", "-cpu-set: \"0-x\" is not a list", "0,2-3"),
        ("-cpu-set 0-4000000000 a", "is not a list of processors", "0,2-3"),
        ("-output moon a", "\"moon\" is not one of its words", "dir=DIR"),
        ("-display moon a", "\"moon\" is not one of its words", "allocation"),
        ("-outfile-pattern out.%x a", "%x means nothing", "%r for the rank"),
        ("-launcher moon a", "no such way to start", "ssh, rsh"),
        ("-arch moon a", "-arch moon: this host", "-arch "),
        ("-gdb a", "-gdb is not done here", "mpiexec -n 1 gdb"),
        ("--dvm x a", "-dvm x is not done here", "mpiexec alone"),
        ("-print-all-exitcode a", "unknown option", "-print-all-exitcodes"),
        ("-help moon", "no such topic", "binding"),
        ("-check=xml a", "-check=xml: \"xml\" is not one of its words", "json:FILE"),
        ("-initial-errhandler no a", "no such error handler", "mpi_errors_are_fatal"),
    ] {
        let error = told(line, &nothing);
        let (first, second) = error.split_once("; try: ").expect(&error);
        assert!(first.contains(what) && second.contains(advice), "{line}: {error}");
    }
    assert!(told("a", &soon).ends_with("NEMESIS_NOTICE_SECONDS=60, or 0 for no notice"));
    assert!(told("a", &nodes).contains("is not a list of hosts; try: -hosts or -f"));
}

/// Every option that takes values is refused without them, by a message of one form.
#[test]
fn options_without_their_values_are_errors() {
    let optional = |meaning| {
        matches!(
            meaning,
            Meaning::Check | Meaning::Profile | Meaning::Help | Meaning::Unused(Values::Maybe)
        )
    };
    let needs = rows().filter(|row| !row.values.is_empty() && !optional(row.meaning));
    for name in needs.flat_map(|row| row.names) {
        let error = read(&words(&format!("-{name}")), |_| None).unwrap_err();
        let text = format!("-{name} needs ");
        assert!(error.what.starts_with(&text), "{error}");
        assert!(error.advice.contains("mpiexec -help"), "{error}");
    }
}

#[test]
fn every_option_stands_in_the_help() {
    let help = help();
    let own = rows().filter(|row| row.verdict() == Verdict::Done);
    for name in own.flat_map(|row| row.names) {
        assert!(help.contains(&format!("-{name}")), "{name}");
    }
    assert_eq!(read(&words("-n 2 -h"), |_| None), Ok(Request::Tell(help)));
    for (line, part) in [
        ("--version", "mpiexec (Nemesis)"),
        ("-info", "launchers: ssh"),
        ("-help bind-to", "-bind-to OBJECT"),
        ("--help=-ppn", "-ppn"),
        ("-help output", "-outfile-pattern"),
        ("-help gdb", "use instead"),
    ] {
        match read(&words(line), |_| None) {
            Ok(Request::Tell(text)) => assert!(text.contains(part), "{line}: {text}"),
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn counts_need_no_n() {
    let count = |line: &str| plan(line).processes();
    for line in ["-ppn 2 a", "-N 2 a", "-npernode 2 a", "--ppr 2:node a", "--map-by ppr:2:node a"] {
        assert_eq!(count(line), 2, "{line}");
    }
    assert_eq!(count("-ppn 2 -hosts h1,h2:7 a"), 4);
    assert_eq!(count("-ppn 2 -hosts h1,h1,h2 a"), 4, "a host counts once");
    assert_eq!(count("-N 2 -H h1,h2 a : -H h1 b"), 6);
    assert_eq!((count("--pernode a"), count("-pernode -hosts h1,h2 a")), (1, 2));
    assert_eq!(count("-ppn 2 -n 3 a"), 3);
    assert_eq!(count("-npersocket 2 a"), 2 * binding::objects_here(Kind::Socket));
    for line in ["-n2 a", "-np2 a", "-n=2 a", "-c 2 a", "-n 2 -- a", "-n 4 -soft 1:2 a"] {
        assert_eq!(count(line), 2, "{line}");
    }
    assert_eq!(plan("-n 2 -- -a").programs[0].path, "-a");
}

#[test]
fn places_are_read_in_every_notation() {
    let core = |line: &str| {
        let Binding { to, map, per_object, .. } = plan(line).binding;
        (to.kind, to.count, map.kind, per_object)
    };
    assert_eq!(core("-map-by socket:PE=2 a"), (Kind::Core, 2, Kind::Socket, 0));
    assert_eq!(core("-map-by slot:pe=2:overSubscribe a"), (Kind::Core, 2, Kind::None, 0));
    assert_eq!(core("-cpus-per-proc 3 -use-hwthread-cpus a").0, Kind::Thread);
    assert_eq!(core("-map-by ppr:2:socket a"), (Kind::Socket, 1, Kind::Socket, 2));
    assert_eq!(core("-map-by ppr:1:l3cache -bind-to core a"), (Kind::Core, 1, Kind::Cache3, 1));
    assert_eq!(core("-bind-to-core -bysocket a"), (Kind::Core, 1, Kind::Socket, 0));
    assert_eq!(core("-bind-to l2cache:if-supported a").0, Kind::Cache2);
    assert_eq!(core("-bind-to board a").0, Kind::None);
    assert_eq!(plan("-bind-to user:0+2,1-3 a").binding.sets, [vec![0, 2], vec![1, 2, 3]]);
    assert_eq!(plan("-cpu-set 1,3 a").binding.only, [1, 3]);
    assert_eq!(plan("-map-by slot:PE-LIST=1,3 a").binding.only, [1, 3]);
    let hosts = |line: &str| {
        let hosts = plan(line).hosts;
        hosts
            .iter()
            .map(|host| format!("{}:{}", host.name, host.slots))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(hosts("-map-by seq -hosts h1:2,h2,h1 a"), "h1:1 h2:1 h1:1");
    assert_eq!(hosts("-nolocal -hosts localhost,h2 a"), "h2:1");
    assert_eq!(hosts("-order-nodes down -hosts h1,h2:3 a"), "h2:3 h1:1");
    assert_eq!(hosts("-hosts-group h[1-2],x a"), "h1:1 h2:1 x:1");
    assert_eq!(plan("-rank-by node a").rank_by, Some(RankBy::Node));
    assert_eq!(plan("-rank-by core a").rank_by, Some(RankBy::Slot));
}

#[test]
fn parameters_of_open_mpi_count_or_are_noted() {
    let all = plan(
        "--mca btl self,vader -mca btl_tcp_if_include eth0 --mca prte_hwloc_default_binding_policy \
         core --gmca orte_tag_output 1 --mca oob_tcp_if_exclude lo,x --prtemca plm_ssh_agent rsh \
         --mca mpi_yield_when_idle 1 --mca hwloc_base_report_bindings 0 --tune x a",
    );
    assert_eq!(all.unused, ["-mca btl self,vader", "-tune x"]);
    assert_eq!(all.net, "^lo,^x");
    assert!(all.output.prefix.is_some() && !all.tells_bindings);
    assert_eq!(
        (all.binding.to.kind, all.agent.as_deref()),
        (Kind::Core, Some("rsh  {host} {cmd}"))
    );
    let note = all.note().unwrap();
    assert!(note.contains("-mca btl self,vader, -tune x") && note.contains("-q"), "{note}");
    assert_eq!(plan("-q --mca btl self a").note(), None);
    assert_eq!(plan("-oversubscribe -memory-alloc-kinds mpi:win_allocate,system a").note(), None);
    assert_eq!(plan("-memory-alloc-kinds system,cuda:device a").note(), None);
    assert!(plan("-memory-alloc-kinds rocm a").note().unwrap().contains("rocm"));
}

#[test]
fn ways_to_start_are_named() {
    let agent = |line: &str| plan(line).agent.unwrap_or_default();
    assert_eq!(agent("-launcher fork a"), "{cmd}");
    assert_eq!(agent("-bootstrap lsf a"), "blaunch {host} {cmd}");
    assert!(agent("-launcher-exec /x/ssh -launcher-exec-args -v a").starts_with("/x/ssh -x -v -o"));
    assert_eq!(agent("-bootstrap-exec qrsh a"), "qrsh  {host} {cmd}");
    assert_eq!(agent("-agent x -launcher ssh a"), "x");
}

#[test]
fn the_time_limit_comes_from_the_option_or_the_environment() {
    let limit = |line: &str, value: &str| {
        let variable = |name: &str| (name == "MPIEXEC_TIMEOUT").then(|| value.to_owned());
        match read(&words(line), variable) {
            Ok(Request::Run(plan)) => Ok(plan.time_limit.map(|limit| limit.as_millis())),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.to_string()),
        }
    };
    assert_eq!(limit("--timeout 2 a", "9"), Ok(Some(2000)));
    assert_eq!(limit("a", "0.5"), Ok(Some(500)));
    assert_eq!(limit("a", ""), Ok(None));
    assert!(limit("a", "soon").unwrap_err().contains("MPIEXEC_TIMEOUT: \"soon\""));
    assert!(limit("-timeout -1 a", "").unwrap_err().contains("-timeout: \"-1\""));
}

#[test]
fn the_universe_has_a_size_where_someone_tells_it() {
    let universe = |line: &str| plan(line).universe;
    assert_eq!(universe("-n 2 a"), None);
    assert_eq!(universe("-hosts h1,h2 -n 2 a"), None);
    assert_eq!(universe("-hosts h1:1,h2:3 -n 2 a"), Some(4));
    assert_eq!(universe("-hosts h1:2 -n 3 a"), Some(3));
    assert_eq!(universe("-usize 7 -hosts h1:2 a"), Some(7));
    assert_eq!(universe("-usize infinite -hosts h1:2 a"), None);
    assert_eq!(universe("-usize system -n 99 a"), Some(99));
}

#[test]
fn files_of_options_are_read() {
    let path = |name: &str| {
        std::env::temp_dir().join(format!("nemesis-test-{name}-{}", std::process::id()))
    };
    let file = |name: &str, text: &str| {
        std::fs::write(path(name), text).unwrap();
        path(name).display().to_string()
    };
    let lines = "# ours\n-n 2 -env A 'a b' ./a \"x y\"\n\n-n 1 \\\n ./b : ./c\n";
    let all = plan(&format!("-l -configfile {}", file("lines", lines)));
    let counts: Vec<u32> = all.programs.iter().map(|program| program.processes).collect();
    assert_eq!((counts, all.programs[0].arguments[0].to_str()), (vec![2, 1, 1], Some("x y")));
    assert_eq!(all.programs[0].variables, [("A".into(), "a b".into())]);
    assert!(all.output.prefix.is_some());
    let keys = plan(&format!("-file {} a", file("keys", "wdir = /tmp\nenv=B=1\nhost=h1:3\n")));
    assert_eq!(
        (keys.programs[0].directory.as_deref(), keys.processes()),
        (Some("/tmp".as_ref()), 3)
    );
    let ranks = "rank 1=h2 slot=1:0\nrank 0=h1 slot=0-1 # first\n";
    let placed = plan(&format!("-rankfile {} a", file("ranks", ranks)));
    let hosts: Vec<&str> = placed.hosts.iter().map(|host| host.name.as_str()).collect();
    assert_eq!((hosts, placed.binding.of_ranks.len()), (vec!["h1", "h2"], 2));
    let refused = |line: String| match read(&words(&line), |_| None) {
        Err(error) => error.to_string(),
        Ok(request) => panic!("{line}: {request:?}"),
    };
    for (option, text, what) in [
        ("-configfile", "-n 1 'a", "a quotation mark is not closed"),
        ("-configfile", "# nothing\n", "names no program"),
        ("-file", "moon=1\n", "no known key"),
        ("-rankfile", "rank 1=h1\n", "no line for rank 0"),
        ("-rankfile", "node h1\n", "line 1"),
    ] {
        let error = refused(format!("{option} {} a", file("wrong", text)));
        assert!(error.contains(what) && error.contains("; try: "), "{error}");
    }
    let own = file("own", &format!("-configfile {}\n", path("own").display()));
    assert!(refused(format!("-configfile {own}")).contains("names itself"));
    let few = refused(format!("-n 3 -rankfile {} a", file("few", ranks)));
    assert!(few.contains("3 processes, and the file has 2 ranks"), "{few}");
    for name in ["lines", "keys", "ranks", "wrong", "own", "few"] {
        std::fs::remove_file(path(name)).unwrap();
    }
}

#[test]
fn hosts_of_the_environment_come_after_those_of_options() {
    let path = std::env::temp_dir().join(format!("nemesis-test-hydra-{}", std::process::id()));
    std::fs::write(&path, "h5:2\n").unwrap();
    let hosts = |line: &str| {
        let variable = |name: &str| match name {
            "HYDRA_HOST_FILE" => Some(path.display().to_string()),
            "LSB_JOBID" => Some("1".into()),
            "LSB_MCPU_HOSTS" => Some("h9 4".into()),
            _ => None,
        };
        match read(&words(line), variable) {
            Ok(Request::Run(plan)) => plan.hosts.first().map(|host| host.name.clone()),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(hosts("a").as_deref(), Some("h5"));
    assert_eq!(hosts("-hosts h1 a").as_deref(), Some("h1"));
    std::fs::write(&path, "h7\n").unwrap();
    assert_eq!(hosts(&format!("-default-hostfile {} a", path.display())).as_deref(), Some("h7"));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn hosts_are_read_in_every_notation() {
    let shown = |hosts: &[Host]| {
        hosts
            .iter()
            .map(|host| format!("{}:{}", host.name, host.slots))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let two = plan("-hosts h1,h2:3 a");
    assert_eq!((shown(&two.hosts), two.processes()), ("h1:1 h2:3".into(), 4));
    assert_eq!(shown(&plan("-hosts h1,h2:3 -ppn 2 a").hosts), "h1:2 h2:2");
    assert_eq!(shown(&plan("--map-by ppr:4:node -hosts h1 a").hosts), "h1:4");
    assert!(plan("--map-by node:OVERSUBSCRIBE -hosts h1,h2 a").by_node);
    let own = plan("-n 1 -host h1 a : -n 2 -H h2:2 b : c");
    assert_eq!(own.programs.iter().map(|program| program.processes).collect::<Vec<_>>(), [1, 2, 1]);
    assert_eq!(shown(own.programs[1].hosts.as_ref().unwrap()), "h2:2");
    assert!(own.hosts.is_empty() && own.programs[2].hosts.is_none());
    let slurm = |name: &str| {
        Some(String::from(match name {
            "SLURM_JOB_ID" => "3",
            "SLURM_JOB_NODELIST" => "n[1-2]",
            "SLURM_TASKS_PER_NODE" => "2(x2)",
            _ => return None,
        }))
    };
    let Ok(Request::Run(allocated)) = read(&words("a"), slurm) else { panic!() };
    assert_eq!((shown(&allocated.hosts), allocated.processes()), ("n1:2 n2:2".into(), 4));
    let Ok(Request::Run(given)) = read(&words("-hosts x a"), slurm) else { panic!() };
    assert_eq!(shown(&given.hosts), "x:1");
}

#[test]
fn the_default_binding_is_a_share() {
    let to = |line: &str| plan(line).binding.to.kind;
    assert_eq!(["-n 2 a", "-bind-to share a", "-map-by node a"].map(to), [Kind::Share; 3]);
    assert_eq!(["-bind-to none a", "-map-by socket a"].map(to), [Kind::None; 2]);
    assert_eq!(to("-bind-to core -map-by socket a"), Kind::Core);
}

#[test]
fn networks_and_ports_are_passed_to_the_library() {
    let plan = plan("-net eth0,^docker0 -port-range 20000-20100 a");
    assert_eq!((plan.ports, plan.net.as_str()), ((20000, 20100), "eth0,^docker0"));
    assert_eq!(
        plan.programs[0].variables,
        [
            ("NEMESIS_NET".into(), "eth0,^docker0".into()),
            ("NEMESIS_PORTS".into(), OsString::from("20000:20100"))
        ]
    );
    // The library reads what is passed on.
    let passed_on = plan.programs[0].variables[1].1.to_str().unwrap();
    assert_eq!(Ports::parse(passed_on).unwrap().0, Some(20000..=20100));
}

#[test]
fn networks_and_ports_of_the_environment_hold_for_the_launcher() {
    let read_with = |line: &str, net: &str, ports: &str| {
        let variable = |name: &str| match name {
            "NEMESIS_NET" => Some(net.to_owned()),
            "NEMESIS_PORTS" => Some(ports.to_owned()),
            _ => None,
        };
        read(&words(line), variable).map(|request| match request {
            Request::Run(plan) => (plan.net, plan.ports, plan.programs[0].variables.len()),
            _ => panic!("{line} starts a job"),
        })
    };
    let own = read_with("a", "^eth0", "30000:30010");
    assert_eq!(own, Ok(("^eth0".to_owned(), (30000, 30010), 0)), "programs inherit them");
    let options = read_with("-net eth1 -port-range 4000 a", "^eth0", "30000:30010");
    assert_eq!(options, Ok(("eth1".to_owned(), (4000, 4000), 2)), "options come first");
    assert_eq!(read_with("a", "", ""), Ok((String::new(), (0, 0), 0)));
    let why = read_with("a", "10.1.0.0/33", "").unwrap_err();
    assert!(why.what.starts_with("NEMESIS_NET: \"10.1.0.0/33\""), "{why}");
    let why = read_with("a", "", "9:8").unwrap_err();
    assert!(why.what.starts_with("NEMESIS_PORTS: \"9:8\" is not a range"), "{why}");
}
