//! Memory of graphics processors: C programs of tests/gpu on a driver without hardware, the memory
//! of which ends a process that touches it (tests/gpu/libcuda.c).

use crate::hosts;
use crate::job::Job;
use crate::places;
use crate::scene::{Library, Scene, compiler};
use crate::suite::{Suite, Sum};
use std::fs;
use std::path::Path;

/// Where messages go.
const WAYS: [(&str, &[(&str, &str)]); 4] = [
    ("shm", &[]),
    ("copy", &[("NEMESIS_CMA", "off")]),
    ("tcp", &[("NEMESIS_SHM", "off")]),
    ("ofi", &[("NEMESIS_SHM", "off"), ("NEMESIS_NETWORKS", "ofi:tcp")]),
];

const PROGRAMS: [&str; 6] = ["pt2pt", "coll", "others", "windows", "attached", "uses"];

pub fn run(words: &[String]) -> Sum {
    let scene = Scene::new("gpu");
    build_driver(&scene);
    let folder = places::root().join("tests/gpu");
    let sources = PROGRAMS
        .iter()
        .chain(&["first", "direct", "dynamic", "memory", "kinds"])
        .map(|name| folder.join(format!("{name}.c")));
    scene.compile_all(&sources.collect::<Vec<_>>());
    let mut suite = Suite::default();
    for program in PROGRAMS {
        for size in [1, 2, 4] {
            for (way, variables) in WAYS {
                // What other processes' memory is reached by matters between processes only.
                if size == 1 && way != "shm" {
                    continue;
                }
                suite.beside(format!("{program}-{size}-{way}"), move |scene| {
                    if way == "ofi" && !has_libfabric() {
                        crate::skip("there is no libfabric.so.1 (Debian's package libfabric1)");
                    }
                    let file = scene.fresh("file");
                    let job = job(scene, &format!("./mpiexec -n {size} ./{program}"));
                    let job = job.words([file.display().to_string()]).limit(180);
                    with(job, variables).run().is_quiet();
                });
            }
        }
    }
    add_hosts(&mut suite);
    add_mpich(&mut suite, &scene);
    add_openmpi(&mut suite, &scene);
    add_first(&mut suite);
    add_devices(&mut suite);
    add_direct(&mut suite);
    add_jobs_and_memory(&mut suite);
    add_kinds(&mut suite, &scene);
    suite.run(&scene, words)
}

fn has_libfabric() -> bool {
    let mut ldconfig = std::process::Command::new("/sbin/ldconfig");
    places::output_of(ldconfig.arg("-p")).contains("libfabric.so.1 ")
}

/// Compiles the driver into a folder of its own, in which programs find it by LD_LIBRARY_PATH.
pub(super) fn build_driver(scene: &Scene) {
    let folder = scene.path("driver");
    fs::create_dir_all(&folder).expect("a folder");
    let mut cc = compiler();
    cc.args(["-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]);
    cc.args(["-fvisibility=hidden", "-Wl,-soname,libcuda.so.1", "-pthread"]);
    cc.arg(places::root().join("tests/gpu/libcuda.c"));
    cc.arg("-o").arg(folder.join("libcuda.so.1"));
    if !cc.status().is_ok_and(|status| status.success()) {
        eprintln!("tests/gpu/libcuda.c does not compile");
        std::process::exit(1);
    }
}

/// Describes a job whose processes find the driver.
fn job<'a>(scene: &'a Scene, command: &str) -> Job<'a> {
    scene.job(command).env("LD_LIBRARY_PATH", scene.name("driver"))
}

fn with<'a>(mut job: Job<'a>, variables: &[(&str, &str)]) -> Job<'a> {
    for (name, value) in variables {
        job = job.env(name, value);
    }
    job
}

/// The programs on two hosts of two processes each.
fn add_hosts(suite: &mut Suite) {
    for program in PROGRAMS {
        suite.beside(format!("{program}-hosts"), move |scene| {
            let hosts = scene.hosts(hosts::nodes(2));
            let file = scene.fresh("file");
            let command = format!("./mpiexec -hosts node1,node2 -ppn 2 -n 4 ./{program}");
            let job = job(scene, &command).words([file.display().to_string()]);
            job.on(hosts.login()).limit(180).run().is_quiet();
        });
    }
}

/// The programs on MPICH's ABI, whose bindings are generated apart.
fn add_mpich(suite: &mut Suite, scene: &Scene) {
    scene.install_library(Library::Mpich);
    for program in PROGRAMS {
        let source = places::root().join(format!("tests/gpu/{program}.c"));
        scene.compile(Library::Mpich, &source, &scene.path(&format!("{program}.mpich")));
        suite.beside(format!("{program}-2-mpich"), move |scene| {
            let file = scene.fresh("file");
            let job = job(scene, &format!("./mpiexec -n 2 ./{program}.mpich"));
            job.words([file.display().to_string()]).limit(180).run().is_quiet();
        });
    }
}

/// The programs on Open MPI's ABI, with the header of an Open MPI.
fn add_openmpi(suite: &mut Suite, scene: &Scene) {
    scene.install("libmpi_openmpi.so", "libmpi.so.40");
    for program in PROGRAMS {
        suite.beside(format!("{program}-2-openmpi"), move |scene| {
            let headers = places::rivals().join("openmpi/include");
            if !headers.join("mpi.h").exists() {
                crate::skip("Open MPI is not installed (`nemesis bench --rivals`)");
            }
            let (root, folder) = (places::root(), scene.folder.display());
            scene.cc(&format!(
                "-std=gnu11 -O1 -g -w -I{} {}/tests/gpu/{program}.c -o ./{program}.openmpi \
                 {folder}/libmpi.so.40 -ldl -pthread -Wl,-rpath,{folder}",
                headers.display(),
                root.display()
            ));
            let file = scene.fresh("file");
            let job = job(scene, &format!("./mpiexec -n 2 ./{program}.openmpi"));
            job.words([file.display().to_string()]).limit(180).run().is_quiet();
        });
    }
}

/// The first message is short and on a device: the driver was loaded before MPI started, or the
/// user says that buffers may be memory of devices, as the library finds by itself on a host that
/// has one.
fn add_first(suite: &mut Suite) {
    for (name, argument, mode) in [("before", "before", ""), ("behind", "behind", "on")] {
        suite.beside(format!("first-{name}"), move |scene| {
            let job = job(scene, &format!("./mpiexec -n 3 ./first {argument}"));
            job.env("NEMESIS_GPU", mode).run().is_quiet();
        });
    }
    suite.beside("first-off", |scene| {
        let job = job(scene, "./mpiexec -n 2 ./first before");
        job.env("NEMESIS_GPU", "off").run().fails();
    });
}

/// Several devices, of which each process sees others; and copies that take their time.
fn add_devices(suite: &mut Suite) {
    suite.beside("devices", |scene| {
        let script = "CUDA_VISIBLE_DEVICES=$((PMI_RANK % 2)) exec \"$0\" \"$@\"";
        let job = job(scene, &format!("./mpiexec -n 2 sh -c '{script}' ./coll"));
        job.env("FAKE_CUDA_DEVICES", 2).env("FAKE_CUDA_PEER", 0).limit(180).run().is_quiet();
    });
    suite.beside("late", |scene| {
        let job = job(scene, "./mpiexec -n 2 ./pt2pt").env("FAKE_CUDA_DELAY_US", 2_000_000);
        job.limit(180).run().is_quiet();
    });
}

/// What the case is called, whether the devices reach each other, and the variables.
type Direct = (&'static str, bool, &'static [(&'static str, &'static str)]);

/// Messages from device to device.
const DIRECT: [Direct; 8] = [
    ("shm", true, &[]),
    ("copy", true, &[("NEMESIS_CMA", "off")]),
    // A handle of freed memory opens, too, and shows what it held.
    ("stale", true, &[("FAKE_CUDA_STALE", "1")]),
    ("late", true, &[("FAKE_CUDA_DELAY_US", "2000000")]),
    ("held", true, &[("NEMESIS_EAGER_MAX_BYTES", "0")]),
    ("tcp", false, &[("NEMESIS_SHM", "off")]),
    ("off", false, &[("NEMESIS_GPU_DIRECT_MIN_BYTES", "1000000000")]),
    ("checked", false, &[("NEMESIS_CHECK", "on")]),
];

fn add_direct(suite: &mut Suite) {
    for size in [2, 4] {
        for (way, is_direct, variables) in DIRECT {
            suite.beside(format!("direct-{size}-{way}"), move |scene| {
                let word = if is_direct { "direct" } else { "staged" };
                let job = job(scene, &format!("./mpiexec -n {size} ./direct {word}"));
                with(job, variables).limit(180).run().is_quiet();
            });
        }
    }
    // Two devices that both processes see, in different orders, and that reach each other or not;
    // and processes of which each sees one.
    for (name, order, peer, word) in [
        ("devices", "$((PMI_RANK % 2)),$((1 - PMI_RANK % 2))", 1, "direct"),
        ("peers", "$((PMI_RANK % 2)),$((1 - PMI_RANK % 2))", 0, "staged"),
        ("apart", "$((PMI_RANK % 2))", 1, "staged"),
    ] {
        suite.beside(format!("direct-2-{name}"), move |scene| {
            let script = format!("CUDA_VISIBLE_DEVICES={order} exec \"$0\" \"$@\"");
            let job = job(scene, &format!("./mpiexec -n 2 sh -c '{script}' ./direct {word}"));
            let job = job.env("FAKE_CUDA_DEVICES", 2).env("FAKE_CUDA_PEER", peer);
            job.limit(180).run().is_quiet();
        });
    }
}

/// Spawned and connected jobs; and the host's memory that long messages take.
fn add_jobs_and_memory(suite: &mut Suite) {
    for (way, variables) in WAYS {
        suite.beside(format!("dynamic-{way}"), move |scene| {
            if way == "ofi" && !has_libfabric() {
                crate::skip("there is no libfabric.so.1 (Debian's package libfabric1)");
            }
            let word = if ["shm", "copy"].contains(&way) { "direct" } else { "any" };
            let job = with(job(scene, &format!("./mpiexec -n 2 ./dynamic {word}")), variables);
            job.limit(180).run().is_quiet();
        });
        suite.alone(format!("memory-{way}"), move |scene| {
            if way == "ofi" && !has_libfabric() {
                crate::skip("there is no libfabric.so.1 (Debian's package libfabric1)");
            }
            let job = with(job(scene, "./mpiexec -n 2 ./memory"), variables);
            job.limit(180).run().is_quiet();
        });
    }
}

/// What programs learn of kinds of memory: if mpiexec or a session asks for those of devices, if
/// the user says that there are devices or none, and on a host without one.
fn add_kinds(suite: &mut Suite, scene: &Scene) {
    let source = places::root().join("tests/gpu/kinds.c");
    scene.compile(Library::Mpich, &source, &scene.path("kinds.mpich"));
    for (name, options, mode, word, session) in [
        ("asked", "-memory-alloc-kinds mpi,system,cuda:device", "", "cuda", ""),
        ("on", "", "on", "cuda", ""),
        ("off", "", "off", "none", ""),
        ("usual", "", "", "none", "session"),
    ] {
        for program in ["kinds", "kinds.mpich"] {
            suite.beside(format!("{program}-{name}"), move |scene| {
                if mode.is_empty() && Path::new("/dev/nvidiactl").exists() {
                    crate::skip("this host has a device");
                }
                let file = scene.fresh("file").display().to_string();
                let command =
                    format!("./mpiexec {options} -n 2 ./{program} {word} {file} {session}");
                scene.job(&command).env("NEMESIS_GPU", mode).run().is_quiet();
            });
        }
    }
}
