//! C programs over other network modules: libfabric, and InfiniBand on a mock of libibverbs.

use super::faults;
use super::programs::{Program, Way, add};
use crate::places;
use crate::scene::{Library, Scene};
use crate::suite::{Suite, Sum};
use std::process::Command;

/// Adds programs of tests/mpi in a mode at a size. Returns their sources.
fn add_programs(
    suite: &mut Suite,
    scene: &Scene,
    mode: &str,
    size: u32,
    variables: &[(&str, &str)],
    names: &[&str],
) {
    for name in names {
        let program = Program::named(name);
        scene.compile_all(std::slice::from_ref(&program.source));
        let way = Way {
            launcher: vec![scene.name("mpiexec")],
            mode: mode.into(),
            only_code: false,
            times: 1,
            host: None,
            variables: variables
                .iter()
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .collect(),
        };
        add(suite, program, vec![size], way);
    }
}

/// Whether words name programs of tests/mpi, and not cases by what their names begin with.
fn are_programs(words: &[&str]) -> bool {
    let folder = places::root().join("tests/mpi");
    !words.is_empty() && words.iter().all(|word| folder.join(format!("{word}.c")).exists())
}

/// Runs programs over libfabric without shared memory; then a rank is killed and a cable is cut
/// between two hosts.
///
/// `OFI_PROVIDER` names another provider than tcp. psm3 is in the package impi-rt, with its own
/// libfabric, here below PREFIX:
///
/// ```text
/// OFI_PROVIDER=psm3 PSM3_HAL=sockets PSM3_DEVICES=self,nic FI_PROVIDER_PATH=PREFIX/lib \
///     NEMESIS_OFI_LIBRARY=PREFIX/lib/libfabric.so.1 scripts/jobs ofi
/// ```
pub fn run_ofi(words: &[String]) -> Sum {
    let libraries = places::output_of(Command::new("/sbin/ldconfig").arg("-p"));
    if std::env::var_os("NEMESIS_OFI_LIBRARY").is_none() && !libraries.contains("libfabric.so.1 ") {
        crate::say!(
            "skipped: there is no libfabric.so.1 on this host (Debian's package libfabric1)"
        );
        return Sum { skipped: 1, ..Sum::default() };
    }
    let scene = faults::with_programs(Scene::new("ofi"));
    let mut suite = Suite::default();
    let names: Vec<&str> = words.iter().map(String::as_str).collect();
    if are_programs(&names) {
        add_programs(&mut suite, &scene, "ofi", 2, &[], &names);
        return suite.run(&scene, &[]);
    }
    let programs = [
        "pt2pt_sizes",
        "pt2pt_order",
        "pt2pt_probe",
        "pt2pt_bulk",
        "pt2pt_many",
        "coll_data",
        "rma_access",
        "rma_epochs",
        "thread_lanes",
        "thread_tags",
    ];
    add_programs(&mut suite, &scene, "ofi", 2, &[], &programs);
    let of_sixteen = ["environment_descriptors", "environment_few_descriptors"];
    add_programs(&mut suite, &scene, "ofi", 16, &[], &of_sixteen);
    faults::add_ofi(&mut suite);
    suite.run(&scene, words)
}

/// Runs programs over a mock of libibverbs: those of MPI, registered memory of nemesis.h and the
/// Remote-Write API. The processes of a job run on this host without shared memory. Then a rank is
/// killed and a cable is cut between two hosts. With -d the build is that of target/debug, and
/// there are no hosts.
pub fn run_verbs(words: &[String]) -> Sum {
    let is_debug = words.first().is_some_and(|word| word == "-d");
    if is_debug {
        places::use_debug();
    }
    let words = if is_debug { &words[1..] } else { words };
    let names: Vec<&str> = words.iter().map(String::as_str).collect();
    let scene = faults::with_programs(Scene::new("verbs"));
    scene.install("libnemesis_verbs_mock.so", "libnemesis_verbs_mock.so");
    let library = format!("library={}", scene.name("libnemesis_verbs_mock.so"));
    let mut suite = Suite::default();
    let mut on = |device: &'static str, size: u32, programs: &[&str]| {
        let networks = format!("verbs:{device}");
        let variables = [
            ("NEMESIS_NET", "lo"),
            ("NEMESIS_NETWORKS", networks.as_str()),
            ("NEMESIS_VERBS", library.as_str()),
        ];
        add_programs(&mut suite, &scene, "network", size, &variables, programs);
    };
    if are_programs(&names) {
        on("mock0", 2, &names);
        return suite.run(&scene, &[]);
    }
    let usual = [
        "pt2pt_sizes",
        "pt2pt_order",
        "pt2pt_bulk",
        "rma_access",
        "rma_epochs",
        "rma_errors",
        "rma_stopped",
        "rma_types",
        "rma_windows",
        "thread_lanes",
        "thread_tags",
    ];
    on("mock0", 2, &usual);
    on("mock0", 4, &["rma_access"]);
    // Names of cases differ by the device.
    for (device, programs) in [
        // Its atomic operations exclude the instructions of processors.
        ("mock_atomic", &["rma_stopped"][..]),
        // Its requests wait, so that a change could overtake another.
        ("mock_late", &["rma_words"]),
        // An iWARP device, which librdmacm connects.
        ("mock_iwarp", &["pt2pt_order", "pt2pt_bulk", "coll_data", "rma_access"]),
        // Windows of 2 GiB on a device that registers 6 MiB: messages carry the accesses.
        ("mock_tight", &["rma_windows"]),
    ] {
        for program in programs {
            let library = library.clone();
            let chosen = Program::named(program);
            scene.compile_all(std::slice::from_ref(&chosen.source));
            suite.alone(format!("{program}-{device}"), move |scene| {
                let job = scene.job(&format!("./mpiexec -n 2 ./{}", chosen.name));
                over_mock(job, device, &library).env("TEST_DIVISOR", 4).run().is_quiet();
            });
        }
    }
    add_without_mpi(&mut suite, &scene, &library);
    add_unused(&mut suite, &scene, &library);
    add_forks(&mut suite, &scene, &library);
    if !is_debug {
        faults::add_verbs(&mut suite, &scene);
    }
    suite.run(&scene, words)
}

/// Lets a job use a device of the mock.
fn over_mock<'a>(job: crate::job::Job<'a>, device: &str, library: &str) -> crate::job::Job<'a> {
    let job = job.env("NEMESIS_NET", "lo").env("NEMESIS_SHM", "off");
    job.env("NEMESIS_NETWORKS", format!("verbs:{device}")).env("NEMESIS_VERBS", library)
}

/// Remote memory without MPI.
fn add_without_mpi(suite: &mut Suite, scene: &Scene, mock: &str) {
    let tests = places::root().join("tests");
    scene.install_library(Library::RemoteWrite);
    scene.compile(Library::Subsystem, &tests.join("subsystem/memory.c"), &scene.path("memory"));
    scene.compile(Library::RemoteWrite, &tests.join("rwapi/writes.c"), &scene.path("writes"));
    for (program, ranks) in [("memory", 2), ("memory", 3), ("writes", 2)] {
        let mock = mock.to_string();
        suite.alone(format!("{program}-of-{ranks}"), move |scene| {
            let job = scene.job(&format!("./mpiexec -n {ranks} ./{program}"));
            over_mock(job, "mock0", &mock).run().code(0);
        });
    }
}

/// A job that uses neither network has no library, thread or descriptor for them, and looks at none
/// of their files. One that uses verbs shows that this test would see them.
fn add_unused(suite: &mut Suite, scene: &Scene, mock: &str) {
    let source = places::root().join("tests/hosts/unused.c");
    scene.compile(Library::Mpi, &source, &scene.path("unused"));
    let mock = mock.to_string();
    suite.alone("unused-networks", move |scene| {
        let uses = |networks: &str| {
            let job = over_mock(scene.job("./mpiexec -n 2 ./unused"), "mock0", &mock);
            let ended = job.env("NEMESIS_NETWORKS", networks).run();
            let mut lines: Vec<String> = ended.output.lines().map(String::from).collect();
            lines.sort();
            lines.dedup();
            lines.join("\n")
        };
        let (none, tcp, verbs) = (uses(""), uses("tcp"), uses("verbs:mock0"));
        assert!(none.contains(" 0 libraries"), "{none}");
        assert_eq!(none, tcp);
        assert!(verbs.contains(" 1 libraries"), "{verbs}");
    });
    let mock = scene.name("libnemesis_verbs_mock.so");
    suite.alone("unused-networks-files", move |scene| {
        if !places::succeeds(Command::new("strace").args(["-o", "/dev/null", "true"])) {
            crate::skip("strace is missing or not permitted");
        }
        let traces = scene.fresh_folder("traces");
        let script = "exec strace -f -o \"$1/$PMI_RANK\" \"$0\"";
        let job = format!("./mpiexec -n 2 sh -c '{script}' ./unused {}", traces.display());
        over_mock(scene.job(&job), "mock0", &format!("library={mock}"))
            .env("NEMESIS_NETWORKS", "")
            .run();
        for rank in ["0", "1"] {
            let trace = std::fs::read_to_string(traces.join(rank)).expect("a trace");
            // What every process opens shows that calls are seen.
            assert!(trace.contains("libmpi_abi"), "rank {rank} has no calls");
            let foreign = ["infiniband", "libibverbs", "librdmacm", "libfabric"];
            let opens = |line: &&str| foreign.iter().any(|name| line.contains(name));
            let found: Vec<&str> = trace.lines().filter(opens).collect();
            assert!(found.is_empty(), "rank {rank} looks at {found:?}");
        }
    });
}

/// A program that forks gets the right bytes, and is warned where nothing protects them.
fn add_forks(suite: &mut Suite, scene: &Scene, mock: &str) {
    let source = places::root().join("tests/hosts/forks.c");
    scene.compile(Library::Mpi, &source, &scene.path("forks"));
    for device in ["mock0", "mock_iwarp"] {
        let mock = mock.to_string();
        suite.alone(format!("forks-{device}"), move |scene| {
            over_mock(scene.job("./mpiexec -n 2 ./forks"), device, &mock).run().is_quiet();
        });
    }
    let mock = mock.to_string();
    suite.alone("forks-without-protection", move |scene| {
        let job = over_mock(scene.job("./mpiexec -n 2 ./forks"), "mock0", &mock);
        let ended = job.env("VERBS_MOCK_FORK", "refused").run();
        ended.code(0).says_times(1, "cannot protect registered memory from a fork");
    });
}
