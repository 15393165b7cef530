//! Machines that refuse resources: system calls, files, memory, descriptors, privileges.

use crate::places::{self, needs_root};
use crate::scene::Scene;
use crate::suite::Suite;
use std::os::unix::fs::MetadataExt;

const ORDER: &str = "./mpiexec -n 4 ./pt2pt_order";
const EXCHANGE: &str = "./mpiexec -n 3 ./pt2pt_sendrecv";
const NOBODY: &str = "setpriv --reuid=65534 --regid=65534 --clear-groups";

/// Bytes of a dump that a job may write.
const DUMP_MAX_BYTES: u64 = 64 << 20;

/// Adds cases in which the command must succeed and print nothing.
fn add_quiet(suite: &mut Suite, cases: &[(&str, &str)]) {
    for &(name, command) in cases {
        let command = command.to_string();
        suite.beside(name, move |scene| {
            scene.job(&command).run().is_quiet();
        });
    }
}

pub fn add(suite: &mut Suite) {
    for call in [
        "process_vm_readv",
        "process_vm_readv=ENOSYS",
        "membarrier",
        "membarrier=ENOSYS",
        "memfd_create",
        "memfd_create=ENOSYS",
        "pidfd_open",
    ] {
        let command = format!("./refuse {call} -- {ORDER}");
        add_quiet(suite, &[(&format!("refused-{call}"), &command)]);
    }
    add_quiet(
        suite,
        &[
            (
                "refused-everything",
                &format!(
                    "./refuse process_vm_readv process_vm_writev membarrier memfd_create \
                     pidfd_open -- {EXCHANGE}"
                ),
            ),
            ("few-addresses", &format!("bash -c 'ulimit -v 33554432 && exec \"$@\"' - {ORDER}")),
            ("few-descriptors", &format!("bash -c 'ulimit -n 64 && exec \"$@\"' - {ORDER}")),
            ("small-stack", &format!("bash -c 'ulimit -s 256 && exec \"$@\"' - {EXCHANGE}")),
            ("alone", "./pt2pt_order"),
        ],
    );
    add_namespaces(suite);
    add_limits(suite);
    add_tools(suite);
    add_launchers(suite);
    // Their times matter.
    for (name, command) in [
        ("idle-receive", "./mpiexec -n 2 ./idle 0"),
        ("idle-receive-oversubscribed", "./mpiexec -n 5 ./idle 0"),
        ("idle-receive-with-threads", "./mpiexec -n 2 ./idle 1"),
        ("sixteen-ranks", "./mpiexec -n 16 ./oversubscribed 500 100"),
        ("sixty-four-ranks", "./mpiexec -n 64 ./oversubscribed 100 20"),
    ] {
        suite.alone(name, move |scene| {
            scene.job(command).run().is_quiet();
        });
    }
}

/// Jobs in namespaces, which need root.
fn add_namespaces(suite: &mut Suite) {
    let small = "unshare -m sh -c 'mount -t tmpfs -o size=64m none /dev/shm && exec \"$@\"' -";
    let read_only = "unshare -m sh -c 'mount -t tmpfs -o ro none /dev/shm && exec \"$@\"' -";
    let nameless = "unshare -u sh -c 'hostname no-such-host.invalid && exec \"$@\"' -";
    let without_proc = "unshare -m sh -c 'umount -l /proc && exec \"$@\"' -";
    // mpiexec finds itself by PATH, which begins with the present folder.
    let by_path = "unshare -m sh -c 'PATH=.:$PATH && umount -l /proc && exec \"$@\"' - mpiexec \
                   -n 3 ./pt2pt_sendrecv";
    for (name, command) in [
        ("small-dev-shm", format!("{small} {ORDER}")),
        ("small-dev-shm-without-memfd", format!("{small} ./refuse memfd_create -- {ORDER}")),
        ("read-only-dev-shm", format!("{read_only} {ORDER}")),
        ("unresolvable-host", format!("{nameless} {ORDER}")),
        ("without-proc", format!("{without_proc} {EXCHANGE}")),
        ("without-proc-by-path", by_path.to_string()),
        ("no-network", format!("unshare -n {ORDER}")),
        ("another-user", format!("{NOBODY} {ORDER}")),
        (
            "another-user-without-privileges",
            format!("{NOBODY} --no-new-privs --inh-caps=-all --bounding-set=-all {EXCHANGE}"),
        ),
    ] {
        suite.beside(name, move |scene| {
            needs_root();
            if command.starts_with("setpriv") {
                places::needs("setpriv");
            }
            scene.job(&command).run().is_quiet();
        });
    }
}

/// The segment is as large as `ulimit -f` permits; if that is too small, the message names the
/// limit.
fn add_limits(suite: &mut Suite) {
    for blocks in [30_000, 200_000, 1_000_000_000] {
        let limit = format!("bash -c 'ulimit -f {blocks} && exec \"$@\"' -");
        add_quiet(
            suite,
            &[
                (&format!("file-size-{blocks}"), &format!("{limit} {EXCHANGE}")),
                (&format!("file-size-{blocks}-alone"), &format!("{limit} ./pt2pt_order")),
            ],
        );
    }
    suite.beside("file-size-1000", |scene| {
        let job = format!("bash -c 'ulimit -f 1000 && exec \"$@\"' - {EXCHANGE}");
        scene.job(&job).run().code(1).says("ulimit -f");
    });
    suite.beside("few-descriptors-for-mpiexec", |scene| {
        let job = format!("bash -c 'ulimit -n 8 && exec \"$@\"' - {EXCHANGE}");
        scene.job(&job).run().code(1).says("ulimit -n");
    });
}

/// Compiles a program that only calls MPI_Init and MPI_Finalize.
fn empty_program(scene: &Scene, name: &str, options: &str) -> bool {
    let source = scene.path(&format!("{name}.c"));
    std::fs::write(
        &source,
        "#include <mpi.h>\nint main(void) { MPI_Init(0, 0); MPI_Finalize(); return 0; }\n",
    )
    .expect("a source");
    let include = places::root().join("include/standard");
    let folder = scene.folder.display();
    let words = scene.words(&format!(
        "-I{} {} ./libmpi_abi.so.1 -Wl,-rpath,{folder} {options} -o ./{name}",
        include.display(),
        source.display()
    ));
    places::succeeds(crate::scene::compiler().args(words))
}

/// Tools that look at all memory of a process: there are no leaks, a leak check ends, and a core
/// dump is short, because they see the slots of the node and not a sparse segment.
fn add_tools(suite: &mut Suite) {
    suite.beside("leaks", |scene| {
        if !empty_program(scene, "empty-asan", "-g -fsanitize=address") {
            crate::skip("the compiler has no -fsanitize=address");
        }
        scene.job("./empty-asan").run().is_quiet();
        scene.job("./mpiexec -n 2 ./empty-asan").run().is_quiet();
        scene.job("./mpiexec -n 3 ./empty-asan").env("NEMESIS_SHM", "off").run().is_quiet();
    });
    suite.beside("valgrind", |scene| {
        places::needs("valgrind");
        assert!(empty_program(scene, "empty", ""), "empty.c does not compile");
        let check = "valgrind -q --leak-check=full --show-leak-kinds=definite ./empty";
        scene.job(&format!("./mpiexec -n 2 {check}")).run().is_quiet();
    });
    suite.beside("core-dump", |scene| {
        let pattern = std::fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap_or_default();
        if pattern.trim() != "core" {
            crate::skip("/proc/sys/kernel/core_pattern sends dumps elsewhere");
        }
        let folder = scene.fresh_folder("dumps");
        let job = "bash -c 'ulimit -c unlimited && exec \"$@\"' - ./mpiexec -n 2 ./crash";
        scene.job(job).in_folder(&folder).run();
        let dumps = std::fs::read_dir(&folder).expect("a folder").flatten();
        let dumps = dumps.filter(|dump| dump.file_name().to_string_lossy().starts_with("core"));
        let bytes = dumps.filter_map(|dump| Some(dump.metadata().ok()?.size())).max();
        assert!(bytes.expect("a dump") <= DUMP_MAX_BYTES, "the dump has {bytes:?} bytes");
        let _ = std::fs::remove_dir_all(&folder);
    });
}

fn add_launchers(suite: &mut Suite) {
    for (name, program) in [
        ("under-hydra", "./pt2pt_order"),
        ("under-hydra-without-memfd", "./refuse memfd_create -- ./pt2pt_order"),
    ] {
        suite.beside(name, move |scene| {
            let Some(hydra) = places::hydra() else {
                crate::skip("there is no mpiexec.hydra, and HYDRA names none");
            };
            scene.job(&format!("{} -n 4 {program}", hydra.display())).run().is_quiet();
        });
    }
}
