//! The mistakes of every day are told with both sides, the reason, and what to try. Lines of the
//! text that may be those of another rank are not compared.

use crate::hosts;
use crate::places;
use crate::scene::Scene;
use crate::suite::Suite;
use std::path::{Path, PathBuf};

/// A run of `everyday`: the case, its word, its exit code, what it says.
const MISTAKES: &[(&str, &str, i32, &str)] = &[
    (
        "mismatch-short",
        "short",
        15,
        "from rank 0: 40 bytes are fewer than the 4096 that this process expects",
    ),
    (
        "mismatch-long",
        "long",
        15,
        "rank 0: the message has 4096 bytes, the receive buffer has room for 40",
    ),
    (
        "mismatch-barrier",
        "barrier",
        1,
        "ranks 0, 2 of 3: MPI_Barrier: collective number 1 on MPI_COMM_WORLD",
    ),
    (
        "mismatch-bcast",
        "bcast",
        16,
        "rank 0 has called 1 collective on MPI_COMM_WORLD, the last MPI_Bcast",
    ),
    (
        "exception",
        "exception",
        1,
        "rank 1 has called MPI_Finalize, and ranks 0, 2 wait for messages that",
    ),
    ("exit-after-finalize", "late", 3, "rank 1 ended with exit code 3 after MPI_Finalize"),
    ("lock-in-fence", "lock", 50, "MPI_Win_lock is called while an epoch of MPI_Win_fence is open"),
    ("ended-3", "exit3", 3, "rank 1 ended with exit code 3"),
    ("ended-0", "exit0", 1, "rank 1 ended without calling MPI_Finalize"),
    ("ended-abort", "abort", 134, "rank 1 was killed by SIGABRT"),
    ("ended-abort42", "abort42", 42, "rank 1 aborted the job with code 42"),
    // Errors of arguments name what to try.
    (
        "argument-handle",
        "handle",
        5,
        "try   initialise the variable, and compile all parts of the program with one mpicc",
    ),
    (
        "argument-null-handle",
        "null-handle",
        5,
        "try   compare the handle with the null handle first",
    ),
    ("argument-freed", "freed", 5, "try   free the handle after its last use"),
    ("argument-count", "count", 2, "try   print the count before the call"),
    ("argument-rank", "rank", 6, "try   compare the rank with MPI_Comm_size of this communicator"),
    ("argument-tag", "tag", 4, "try   use tags from 0 to MPI_TAG_UB"),
    (
        "argument-bad-root",
        "bad-root",
        8,
        "try   give all processes the same root, a rank of this communicator",
    ),
    (
        "argument-target",
        "target",
        48,
        "try   compare displacement, unit and length with the size of the target",
    ),
];

/// A mismatch of collectives: its word, its exit code, the call of rank 0 and that of another rank.
const MISMATCHES: &[(&str, i32, &str, &str)] = &[
    ("call", 16, "MPI_Bcast(root=0)", "MPI_Reduce(root=0, op=MPI_SUM, type=MPI_INT)"),
    ("call2", 16, "MPI_Barrier", "MPI_Allreduce(op=MPI_SUM, type=MPI_INT)"),
    ("root", 8, "MPI_Bcast(root=0)", "MPI_Bcast(root=1)"),
    (
        "root2",
        8,
        "MPI_Reduce(root=0, op=MPI_SUM, type=MPI_INT)",
        "MPI_Reduce(root=1, op=MPI_SUM, type=MPI_INT)",
    ),
    (
        "op",
        10,
        "MPI_Allreduce(op=MPI_SUM, type=MPI_INT)",
        "MPI_Allreduce(op=MPI_MAX, type=MPI_INT)",
    ),
    (
        "type",
        3,
        "MPI_Allreduce(op=MPI_SUM, type=MPI_DOUBLE)",
        "MPI_Allreduce(op=MPI_SUM, type=MPI_INT)",
    ),
];

/// A run of `fault`: its word, its exit code, what it says.
const FAULTS: &[(&str, i32, &[&str])] = &[
    ("null", 139, &["why   the null pointer, or a member", "what  in the program, outside MPI"]),
    ("chain", 139, &["why   the null pointer, or a member", "where: main (fault+0x*)"]),
    (
        "inside",
        139,
        &["nemesis: SIGSEGV at address 0x123", "what  in MPI_Send", "where: main (fault+0x*)"],
    ),
    (
        "operator",
        139,
        &["what  in a function that MPI_Reduce_local has called", "where: add_nowhere (fault+0x*)"],
    ),
    ("stack", 139, &["why   the stack is full: endless recursion", "where: deep* (fault+0x*)"]),
    ("divide", 136, &["why   an arithmetic error: an integer divided"]),
    ("epoch", 50, &["MPI_Win_free is called while an epoch of MPI_Win_fence is open"]),
];

pub fn add(suite: &mut Suite) {
    for &(name, word, code, says) in MISTAKES {
        suite.waits(name, move |scene| {
            scene.job(&format!("./mpiexec -n 3 ./everyday {word}")).run().code(code).says(says);
        });
    }
    suite.beside("place", place);
    suite.beside("consensus", consensus);
    for &(word, code, first, second) in MISMATCHES {
        suite.beside(format!("mismatch-{word}"), move |scene| {
            let ended = scene.job(&format!("./mpiexec -n 3 ./everyday {word}")).run();
            ended.code(code);
            let pairs = ["is", "was"].into_iter().flat_map(|one| [(one, "is"), (one, "was")]);
            let told = pairs.map(|(one, other)| {
                format!(
                    "rank 0 {one} in {first}, its 1st collective on MPI_COMM_WORLD; rank * {other} \
                     in {second}$"
                )
            });
            let told: Vec<String> = told.collect();
            ended.says_one_of(&told.iter().map(String::as_str).collect::<Vec<_>>());
        });
    }
    suite.beside("mismatch-length", |scene| {
        let ended = scene.job("./mpiexec -n 3 ./everyday length").run();
        ended
            .code(15)
            .says_one_of(&["takes part in a reduction with ", "take part in the reduction with "]);
    });
    suite.waits("mismatch-reduction", |scene| {
        scene.job("./mpiexec -n 3 ./everyday reduction").run().code(1).says(
            "ranks 0, 2 of 3: MPI_Allreduce(op=MPI_SUM, type=MPI_INT): collective number 1 on \
             MPI_COMM_WORLD",
        );
    });
    suite.beside("truncated", |scene| {
        let ended = scene.job("./mpiexec -n 3 ./everyday truncate").run();
        ended.code(15).says("why   the message has 80 bytes, the receive buffer has room for 40");
        ended.says("status=MPI_STATUS_IGNORE)");
    });
    suite.beside("char", |scene| {
        scene.job("./mpiexec -n 3 ./everyday char").run().is_quiet();
    });
    suite.beside("verbose", |scene| {
        let ended = scene.job("./mpiexec -v -n 2 ./everyday hello").run();
        ended.code(0).says("nemesis: within a host: shared memory");
    });
    suite.beside("verbose-refused", |scene| {
        let job = "./mpiexec -v -n 2 ./refuse process_vm_readv -- ./everyday hello";
        let ended = scene.job(job).run();
        ended.code(0).says("within a host: shared memory; long messages are copied twice");
    });
    // The code of an abort is that of the job; a code other than 0 whose low byte is 0 becomes 1.
    for (code, seen) in [(0, 0), (7, 7), (256, 1)] {
        suite.beside(format!("abort-{code}"), move |scene| {
            let ended = scene.job(&format!("./mpiexec -n 3 ./abort {code}")).run();
            ended.code(seen).says("rank 1 aborted the job with code");
        });
    }
    add_faults(suite);
    add_programs(suite);
    add_variables(suite);
    add_foreign_libraries(suite);
}

/// A control group with a limit of memory for a job, which is removed at the end.
struct LimitedGroup(PathBuf);

impl LimitedGroup {
    /// Makes a group in which processes may have `bytes` bytes. Skips the case if this process may
    /// not.
    fn new(bytes: u64) -> LimitedGroup {
        let hierarchies =
            [("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")];
        for (root, limit) in hierarchies {
            let group =
                LimitedGroup(Path::new(root).join(format!("nemesis-jobs-{}", std::process::id())));
            let is_made = std::fs::create_dir(&group.0).is_ok();
            if is_made && std::fs::write(group.0.join(limit), bytes.to_string()).is_ok() {
                return group;
            }
        }
        crate::skip("this process may make no control group with a limit of memory")
    }
}

impl Drop for LimitedGroup {
    fn drop(&mut self) {
        // Fails if it was not made, or as long as a process is in it.
        let _ = std::fs::remove_dir(&self.0);
    }
}

/// A rank that the kernel kills because the memory of its control group is used up.
fn out_of_memory(scene: &Scene) {
    let group = LimitedGroup::new(300 << 20);
    let (folder, mpiexec) = (group.0.display(), scene.name("mpiexec"));
    let script =
        format!("#!/bin/sh\necho $$ >{folder}/cgroup.procs || exit 77\nexec {mpiexec} \"$@\"\n");
    scene.write_program("limited", script);
    let ended = scene.job("./limited -n 2 ./fault memory").run();
    if ended.code == 77 {
        crate::skip("this process may join no control group");
    }
    ended.code(137).says("rank 1 was killed by the kernel, for want of memory");
    ended.says("why: the memory limit of 300.0 MiB of the control group /nemesis-jobs-*");
}

/// A mistake of the program is told with its place, its reason and what to try.
fn add_faults(suite: &mut Suite) {
    for &(word, code, says) in FAULTS {
        suite.beside(format!("fault-{word}"), move |scene| {
            let ended = scene.job(&format!("./mpiexec -n 2 ./fault {word}")).run();
            ended.code(code);
            says.iter().for_each(|&words| {
                ended.says(words);
            });
        });
    }
    suite.beside("fault-memory", out_of_memory);
    suite.beside("fault-pointer", |scene| {
        let ended = scene.job("./mpiexec -n 2 ./fault pointer").run();
        ended.code(139).says_one_of(&["why   a pointer that is overwritten", "does not own"]);
    });
    suite.beside("hydra-without-pmi", |scene| {
        let job = scene.job("./fault sleep").env("MPI_LOCALNRANKS", 2).env("MPI_LOCALRANKID", 1);
        let told = "a mpiexec of MPICH's kind (hydra) started it, but offers no PMI";
        job.run().code(16).says(told);
    });
}

/// Programs that cannot be started.
fn add_programs(suite: &mut Suite) {
    suite.beside("program-missing", |scene| {
        let ended = scene.job("./mpiexec -n 2 ./nowhere").run();
        ended.code(127).says("nowhere: the program does not exist; try: ");
    });
    suite.beside("program-is-a-directory", |scene| {
        let folder = scene.folder.display().to_string();
        let ended = scene.job(&format!("./mpiexec -n 2 {folder}")).run();
        ended.code(126).says(&format!("{folder} is a directory; try: "));
    });
    suite.beside("program-for-another-processor", |scene| {
        scene.write_program("other", for_an_ibm_z());
        let ended = scene.job("./mpiexec -n 2 ./other").run();
        ended.code(126).says("is a program for s390x, and this host is");
    });
    suite.beside("program-is-data", |scene| {
        // Where the kernel may know more kinds of programs, mpiexec lets it decide.
        let kinds = std::fs::read_dir("/proc/sys/fs/binfmt_misc").map(Iterator::count);
        if !kinds.is_ok_and(|kinds| kinds == 2) {
            crate::skip("the kernel may know more kinds of programs");
        }
        scene.write_program("data", [0; 64]);
        let ended = scene.job("./mpiexec -n 2 ./data").run();
        ended.code(126).says("data is not a program but data; try: ");
    });
    suite.waits("program-missing-there", |scene| {
        let hosts = scene.hosts(hosts::nodes(2));
        let job = "./mpiexec -hosts node2,node1 -n 1 true : -n 1 -host node2 ./nowhere";
        let ended = scene.job(job).on(hosts.login()).run();
        ended.code(127).says("nowhere: the program does not exist on node2 (rank 1)");
    });
    // A neighbour with a false hardware address is as silent as a firewall that drops packets.
    suite.waits("dropped-packets", |scene| {
        let hosts = scene.hosts(hosts::nodes(2));
        hosts.on(
            "node1",
            "ip neigh replace 10.77.1.2 lladdr 02:00:00:00:00:99 nud permanent dev eth0; \
             echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6",
        );
        let job = "./mpiexec -net 10.77.0.0/16 -hosts node1,node2 -n 2 ./pt2pt_sendrecv";
        let ended = scene.job(job).on(hosts.login()).run();
        ended.code(58).says("answers or refuses within 10 s: a firewall drops what is sent");
    });
}

/// Returns a copy of a program, whose processor is said to be an IBM Z.
pub fn for_an_ibm_z() -> Vec<u8> {
    let path = places::find("true").expect("a program");
    let mut program = std::fs::read(path).expect("a program");
    program[18..20].copy_from_slice(&[0x16, 0]);
    program
}

/// Variables of the environment that have no effect.
fn add_variables(suite: &mut Suite) {
    suite.beside("variable-misspelt", |scene| {
        let told = "nemesis: the environment variable NEMESIS_LANE is unknown and has no effect; \
                    did you mean NEMESIS_LANES?";
        let job = scene.job("./mpiexec -n 3 ./pt2pt_sendrecv").env("NEMESIS_LANE", 4);
        job.run().code(0).says_times(1, told);
    });
    suite.beside("variable-of-others", |scene| {
        let job = scene.job("./mpiexec -n 2 ./pt2pt_sendrecv").env("NEMESIS_HOME", "/opt/nemesis");
        job.env("NEMESIS_LANES", 4).run().code(0).does_not_say("NEMESIS_");
    });
    suite.beside("variable-verbose", |scene| {
        let job = scene.job("./mpiexec -n 2 ./pt2pt_sendrecv").env("NEMESIS_DEBUG", 1);
        let done = job.env("NEMESIS_VERBOSE", "on").run();
        done.code(0)
            .says_times(1, "variable NEMESIS_DEBUG is unknown and has no effect; nemesis(7)");
    });
}

/// Libraries of another implementation, which do not know our mpiexec.
fn add_foreign_libraries(suite: &mut Suite) {
    suite.waits("foreign-library", |scene| {
        let folder = foreign(scene);
        let ended = scene.job(&format!("./mpiexec -n 2 {folder}/uses-foreign sleep")).run();
        ended.code(0).says("has loaded *libmpi.so.40, a library of Open MPI");
    });
    suite.beside("foreign-library-short", |scene| {
        let folder = foreign(scene);
        let ended = scene.job(&format!("./mpiexec -n 2 {folder}/uses-foreign")).run();
        ended.code(0).says("needs libmpi.so.40, a library of Open MPI");
    });
    suite.beside("two-libraries", |scene| {
        let preloaded = format!("{}/libuses-foreign.so", foreign(scene));
        let ended = scene.job("./fault sleep").env("LD_PRELOAD", preloaded).run();
        ended.code(0).says("nemesis: two MPI libraries are in one process");
    });
}

/// Messages of one consensus that the one before finds are few, though the processes have one
/// processor: a probe looks before it leaves the processor.
fn consensus(scene: &Scene) {
    let ended = scene.job("./mpiexec -cpu-set 0 -n 4 ./consensus").run();
    ended.code(0);
    let count = ended.output.split(' ').next().and_then(|word| word.parse::<u32>().ok());
    if count.is_none_or(|count| count > 400) {
        ended.fail("more than one message in 40 is found a round too early");
    }
}

/// Compiles a library of another implementation, a program and a library that use it. Returns their
/// folder.
fn foreign(scene: &Scene) -> String {
    let folder = scene.fresh_folder("foreign");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).expect("a source");
    };
    write("foreign.c", "int MPI_Foreign(void) { return 0; }\n");
    write(
        "uses-foreign.c",
        "#include <unistd.h>\nint MPI_Foreign(void);\nint main(int n, char **w) {\n\
         (void)w; return n > 1 ? (int)sleep(2) : MPI_Foreign(); }\n",
    );
    write("uses.c", "int MPI_Foreign(void); int uses(void) { return MPI_Foreign(); }\n");
    let at = folder.display().to_string();
    let library = format!("{at}/libmpi.so.40 -Wl,-rpath,{at}");
    scene
        .cc(&format!("-shared -fPIC -Wl,-soname,libmpi.so.40 {at}/foreign.c -o {at}/libmpi.so.40"));
    scene.cc(&format!("{at}/uses-foreign.c {library} -o {at}/uses-foreign"));
    scene.cc(&format!("-shared -fPIC {at}/uses.c {library} -o {at}/libuses-foreign.so"));
    at
}

/// The message of an error says where the call stands: in a program with debug information, without
/// it, and in a library of the program.
fn place(scene: &Scene) {
    let root = places::root();
    let linked = format!(
        "-std=gnu11 -I{0}/include/standard {0}/tests/robustness/everyday.c -Wl,-rpath,{1} -lm",
        root.display(),
        scene.name("")
    );
    let lines = std::fs::read_to_string(root.join("tests/robustness/everyday.c"));
    let is_call = |line: &str| line.contains("MPI_Send(out, 1, MPI_INT, size");
    let line = lines.expect("the source").lines().position(is_call).expect("the wrong call") + 1;

    scene.cc(&format!("-g -O0 {linked} -o ./placed ./libmpi_abi.so.1"));
    let ended = scene.job("./mpiexec -n 2 ./placed rank").run();
    ended.code(6).says(&format!("where * (*everyday.c:{line})$"));

    scene.cc(&format!("-O0 {linked} -o ./unplaced ./libmpi_abi.so.1"));
    scene.job("./mpiexec -n 2 ./unplaced rank").run().code(6).says("where * (unplaced+0x*)$");

    scene.cc(&format!(
        "-g -O0 -shared -fPIC -Dmain=run {linked} -o ./libeveryday.so ./libmpi_abi.so.1"
    ));
    std::fs::write(
        scene.path("caller.c"),
        "int run(int, char **); int main(int n, char **words) { return run(n, words); }",
    )
    .expect("a source");
    // Of a signal the launcher tells the place; without one the rank does, without a line.
    let source = format!("{}/tests/robustness/fault.c", root.display());
    let lines = std::fs::read_to_string(&source).expect("the source");
    let is_call = |line: &str| line.contains("MPI_Send((char *)");
    let faulty = lines.lines().position(is_call).expect("the wrong call") + 1;
    scene.cc(&format!(
        "-g -O0 -I{}/include/standard {source} -o ./faulty ./libmpi_abi.so.1 -Wl,-rpath,{}",
        root.display(),
        scene.name("")
    ));
    let ended = scene.job("./mpiexec -n 2 ./faulty inside").run();
    ended.code(139).says(&format!("where: main (*fault.c:{faulty})$"));

    let folder = scene.name("");
    scene.cc(&format!(
        "./caller.c -o ./caller ./libeveryday.so ./libmpi_abi.so.1 -Wl,-rpath,{folder}"
    ));
    let ended = scene.job("./mpiexec -n 2 ./caller rank").run();
    ended.code(6).says(&format!("where * (*everyday.c:{line}), in libeveryday.so$"));
}
