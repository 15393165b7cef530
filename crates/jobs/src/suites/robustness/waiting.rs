//! Ranks wait for what can never come, or for a long time: mpiexec ends the job or lets it go on,
//! and says who waits for what.

use super::source;
use crate::hosts;
use crate::job::{Ended, Job, Running};
use crate::scene::Scene;
use crate::suite::Suite;
use crate::{places, processes};
use rustix::process::Signal;
use std::process::Command;

/// Seconds in which ranks must be up, and in which they must be in the state that is waited for:
/// fewer than those after which a job speaks of a wait without NEMESIS_NOTICE_SECONDS.
const LIMIT_S: u64 = 50;

/// Jobs that are tried for a report that the load of the machine can prevent.
const TRIES: usize = 5;

/// Starts a job of `ranks` ranks on this machine, and waits until mpiexec has started them.
fn up(job: &Job, ranks: usize) -> Running {
    let mut job = job.clone().limit(3 * LIMIT_S).start();
    // The programs of the ranks lie beside mpiexec.
    let mpiexec = job.program();
    let folder = mpiexec.trim_end_matches("mpiexec").to_string();
    let started = |job: &Running| {
        let ranks = job.running(&folder).into_iter();
        ranks.filter(|&pid| !processes::command(pid).starts_with(&mpiexec)).count()
    };
    job.wait_until("the ranks are up", LIMIT_S, |job| started(job) == ranks);
    job
}

/// A state report that the user asks for must have the pattern.
fn reports(job: &Job, ranks: usize, pattern: &str) -> Ended {
    let mut job = up(job, ranks);
    job.ask(job.pid(), pattern, LIMIT_S);
    job.signal(Signal::TERM);
    let ended = job.end();
    ended.code(143);
    ended
}

/// The state report of a job that is ended must have the pattern, in one of some tries: a rank that
/// waits has 0.3 s to answer before a signal is passed on, and may wake later on a loaded machine.
fn reports_at_the_end(job: &Job, ranks: usize, pattern: &str) {
    let mut last = None;
    for _ in 0..TRIES {
        let job = up(job, ranks);
        let mpiexec = job.pid();
        let (is_told, ended) = job.ends_with_report(mpiexec, pattern, LIMIT_S);
        if is_told {
            return;
        }
        last = Some(ended);
    }
    let what = format!("no report at the end says in {TRIES} tries: {pattern}");
    last.expect("a try").fail(&what);
}

/// Asks a job for state reports until one has a number of seconds after the words that is greater
/// than this one.
fn ask_for_seconds(job: &mut Running, words: &str, seconds: f64) {
    job.wait_until(&format!("{words}more than {seconds} s"), LIMIT_S, |job| {
        job.signal(Signal::USR1);
        crate::pause(0.5);
        let output = job.output();
        let after = output.rsplit_once(words).map_or("", |parts| parts.1);
        let told: Option<f64> = after.split(' ').next().and_then(|number| number.parse().ok());
        told.is_some_and(|told| told > seconds)
    });
}

/// A job must say without being asked what has the patterns, and go on until it is ended.
fn notes(job: &Job, ranks: usize, patterns: &[&str]) {
    let mut job = up(job, ranks);
    for pattern in patterns {
        job.wait_until(&format!("it says: {pattern}"), LIMIT_S, |job| job.has_said(pattern));
    }
    job.signal(Signal::TERM);
    job.end().code(143);
}

pub fn add(suite: &mut Suite) {
    add_left_out(suite);
    add_deadlocks(suite);
    add_reports(suite);
    add_interrupts(suite);
    add_calls_of_the_kernel(suite);
}

/// All ranks wait for a rank that is in MPI_Finalize, or a message can still arrive.
fn add_left_out(suite: &mut Suite) {
    for way in ["on", "off"] {
        suite.waits(format!("left-out-barrier-{way}"), move |scene| {
            let job = scene.job("./mpiexec -n 3 ./leftout barrier").env("NEMESIS_SHM", way);
            job.run().code(1).says("rank 1 has called MPI_Finalize, and ranks 0, 2 wait");
        });
        suite.waits(format!("left-out-allreduce-{way}"), move |scene| {
            let job = scene.job("./mpiexec -n 3 ./leftout allreduce 6").env("NEMESIS_SHM", way);
            job.run().code(1).says("ranks 0, 2 of 3: MPI_Allreduce");
        });
        // The root of a broadcast need not wait for rank 1, and MPI_Finalize finds what is left
        // out.
        suite.waits(format!("left-out-broadcast-{way}"), move |scene| {
            let job = scene.job("./mpiexec -n 2 ./leftout bcast").env("NEMESIS_SHM", way);
            job.run()
                .code(16)
                .says("some have left out a collective operation: rank 0 has called 1 collective");
        });
        suite.waits(format!("left-out-send-{way}"), move |scene| {
            let job = scene.job("./mpiexec -n 3 ./leftout receive").env("NEMESIS_SHM", way);
            job.run().code(1).says("ranks 0, 2 of 3: MPI_Recv: a message from rank 1");
        });
        suite.waits(format!("patient-neighbour-{way}"), move |scene| {
            scene
                .job("./mpiexec -n 3 ./patient neighbour")
                .env("NEMESIS_SHM", way)
                .run()
                .is_quiet();
        });
        suite.waits(format!("patient-thread-{way}"), move |scene| {
            scene.job("./mpiexec -n 2 ./patient thread").env("NEMESIS_SHM", way).run().is_quiet();
        });
    }
}

/// A program in Python that calls the library by ctypes, which releases the interpreter's lock as
/// mpi4py does. The handles are those of the standard ABI.
const PYTHON: &str = "\
import ctypes, sys
if not hasattr(ctypes.pythonapi, '_Py_DumpTraceback'):
    sys.exit(77)
mpi = ctypes.CDLL(sys.argv[1])
byte, world = ctypes.c_void_p(0x247), ctypes.c_void_p(0x101)
mpi.MPI_Init(None, None)
rank = ctypes.c_int()
mpi.MPI_Comm_rank(world, ctypes.byref(rank))
def exchange(place):
    mpi.MPI_Recv(place, 1, byte, 1 - rank.value, 7, world, None)
exchange(ctypes.create_string_buffer(8))
";

/// Ranks in Python that wait for each other are named by their lines.
fn deadlock_in_python(scene: &Scene) {
    crate::places::needs("python3");
    scene.write("waits.py", PYTHON);
    let (program, library) = (scene.name("waits.py"), scene.name("libmpi_abi.so.1"));
    let job = format!("./mpiexec -n 2 python3 {program} {library}");
    let ended = scene.job(&job).run();
    if ended.code == 77 {
        crate::skip("this Python does not export its frames");
    }
    ended.code(1).says_times(2, "in Python: exchange (*waits.py:10)");
}

/// A signal that ends a rank in Python names its line.
fn signal_in_python(scene: &Scene) {
    crate::places::needs("python3");
    let wrong = PYTHON.replace("exchange(ctypes.create_string_buffer(8))", "")
        + "def send(place):
    mpi.MPI_Send(place, 8, byte, 1 - rank.value, 7, world)
send(ctypes.c_void_p(0x123))
";
    scene.write("fails.py", &wrong);
    let (program, library) = (scene.name("fails.py"), scene.name("libmpi_abi.so.1"));
    let ended = scene.job(&format!("./mpiexec -n 2 python3 {program} {library}")).run();
    if ended.code == 77 {
        crate::skip("this Python does not export its frames");
    }
    ended.code(139).says("SIGSEGV at address 0x").says("where send (*fails.py:13), in Python");
}

/// Ranks that wait for each other end their job, whatever the others do, unless the user wants it
/// to go on. A rank that somebody else may continue does not.
fn add_deadlocks(suite: &mut Suite) {
    suite.waits("deadlock-cycle", |scene| {
        let ended = scene.job("./mpiexec -n 3 ./deadlock cycle").run();
        ended.code(1).says("ranks 0-2 wait for messages that can never come");
        ended.says("in a cycle: 0, 1, 2, 0");
    });
    // Communicators are named by their name, or by the call that has made them; the profiler is no
    // place of a call.
    suite.waits("deadlock-parts", |scene| {
        const PROFILER: &str = "libnemesis_profiler.so";
        scene.install(PROFILER, PROFILER);
        let profile = scene.fresh("profile");
        let job = format!("./mpiexec -profile={} -n 3 ./deadlock parts", profile.display());
        let ended = scene.job(&job).run();
        ended.code(1);
        for words in [
            "a message from rank 1 of halo, tag 7",
            "a message from rank 2 of the communicator of MPI_Comm_split (3 processes), tag 7",
        ] {
            ended.says(words);
        }
        ended.says_times(3, "where receive_on_parts (deadlock+0x*)");
    });
    // Threads of a rank that wait in several lanes, within a node and between two.
    let in_lanes = |ended: &Ended| {
        ended.code(1).says("ranks 0-2 wait for messages that can never come");
        for (name, tag) in [("first", 7), ("second", 8)] {
            ended.says(&format!("a message from rank 1 of {name}, tag {tag}, room for 4 bytes"));
        }
        ended.says("another thread waits for a message from rank 1 of ");
    };
    suite.waits("deadlock-lanes", move |scene| {
        in_lanes(&scene.job("./mpiexec -n 3 ./deadlock lanes").run());
    });
    suite.waits("deadlock-lanes-hosts", move |scene| {
        let hosts = scene.hosts(hosts::nodes(2));
        let job = "./mpiexec -hosts node1,node2 -n 3 ./deadlock lanes";
        in_lanes(&scene.job(job).on(hosts.login()).run());
    });
    suite.waits("deadlock-python", deadlock_in_python);
    suite.waits("signal-python", signal_in_python);
    suite.waits("deadlock-part", |scene| {
        let ended = scene.job("./mpiexec -n 3 ./deadlock part").run();
        ended.code(1).says("mpiexec: ranks 0, 1 wait for messages that can never come");
    });
    suite.waits("deadlock-calls", |scene| {
        let ended = scene.job("./mpiexec -n 3 ./deadlock calls").run();
        ended.code(1).says("rank 0 of 3: MPI_Barrier");
    });
    suite.waits("deadlock-tag", |scene| {
        let ended = scene.job("./mpiexec -n 3 ./deadlock tag").run();
        ended.code(1).says(
            "has 1 message that no receive has asked for: from rank 0 of MPI_COMM_WORLD, tag 80, \
             4 bytes",
        );
        ended.says("rank 1 waits for rank 0, which is in MPI_Finalize");
    });
    suite.waits("deadlock-ssend", |scene| {
        scene.job("./mpiexec -n 3 ./everyday ssend").run().code(1).says(
            "MPI_Ssend: a send of 20 bytes to rank 1 of MPI_COMM_WORLD, tag 7, which has not \
             received",
        );
    });
    suite.waits("deadlock-advice", |scene| {
        let ended = scene.job("./mpiexec -n 3 ./everyday cross").run();
        ended.code(1).says("try: another order of sends and receives");
    });
    for word in ["any", "open"] {
        suite.waits(format!("no-deadlock-{word}"), move |scene| {
            scene.job(&format!("./mpiexec -n 3 ./deadlock {word}")).run().is_quiet();
        });
    }
    // What somebody outside the job may do is waited for.
    for word in ["accept", "join"] {
        suite.waits(format!("no-deadlock-{word}"), move |scene| {
            let job = scene.job(&format!("./mpiexec -n 3 ./deadlock {word}"));
            let mut job = up(&job, 3);
            // A deadlock is noticed before.
            ask_for_seconds(&mut job, &format!("MPI_Comm_{word}; nothing received for "), 10.0);
            job.signal(Signal::TERM);
            job.end().code(143);
        });
    }
    suite.waits("deadlock-only-told", |scene| {
        let job = scene.job("./mpiexec -on-deadlock tell -n 3 ./deadlock cycle");
        notes(&job, 3, &["the job is left as it is, and this message is not repeated"]);
    });
}

fn add_reports(suite: &mut Suite) {
    // A job that stands still prints a state report when it is asked for one, and continues.
    suite.waits("state-report", |scene| {
        let job = scene.job("./mpiexec -on-deadlock tell -n 3 ./circle");
        let ended = reports(&job, 3, "in a cycle: 0, 1, 2, 0");
        ended.says("rank 1 on *MPI_Recv: a message from rank 2 of *, tag 7, room for 4 bytes;");
    });
    // It tells what ranks do that cannot be asked, and where.
    suite.waits("report-of-states", |scene| {
        let mut job = up(&scene.job("./mpiexec -n 3 ./deadlock states"), 3);
        for pattern in [
            "rank 2 on *is stopped by a signal; `kill -CONT *` lets it go on",
            "rank 1 on *is not inside MPI: it computes (* % of a processor)",
            "where compute (deadlock+0x*)",
            "where receive (deadlock+0x*)",
            "rank 0 waits for rank 1, which is not inside MPI: it computes (",
        ] {
            job.ask(job.pid(), pattern, LIMIT_S);
        }
        job.signal(Signal::TERM);
        job.end().code(143);
    });
    suite.waits("report-before-the-end", |scene| {
        let job = scene.job("./mpiexec -n 3 ./deadlock outside");
        let words = "rank 0 waits for rank 1, which is not inside MPI: it sleeps";
        reports_at_the_end(&job, 3, words);
    });
    suite.waits("notice-of-a-wait", |scene| {
        let job = scene.job("./mpiexec -n 3 ./deadlock outside").env("NEMESIS_NOTICE_SECONDS", 3);
        let words = "has received nothing for * s, and the others compute or test: perhaps they \
                     have left out";
        notes(&job, 3, &[words]);
    });
    suite.waits("report-of-a-test", |scene| {
        let job = scene.job("./mpiexec -n 3 ./deadlock polls");
        reports(&job, 3, "rank 1 of MPI_COMM_WORLD, tag 7, room for 4 bytes; tests");
    });
    suite.waits("notice-of-tests", |scene| {
        let job = scene.job("./mpiexec -n 3 ./deadlock all_poll").env("NEMESIS_NOTICE_SECONDS", 3);
        let words = [
            "ranks have tested again and again for * s, and nothing has finished: perhaps",
            "these ranks wait for each other in a cycle: 0, 1, 2, 0",
        ];
        notes(&job, 3, &words);
    });
    // A rank that sleeps between its tests does not compute.
    suite.waits("report-of-seldom-tests", |scene| {
        let job = scene.job("./mpiexec -n 3 ./deadlock seldom");
        reports(&job, 3, "has tested within the last * s, nothing finished for");
    });
    suite.waits("notice-of-seldom-tests", |scene| {
        let job = scene.job("./mpiexec -n 3 ./deadlock seldom").env("NEMESIS_NOTICE_SECONDS", 3);
        notes(&job, 3, &["ranks have tested again and again"]);
    });
    suite.waits("report-of-a-request", |scene| {
        let job = scene.job("./mpiexec -n 3 ./everyday iallreduce");
        let words = "collective operation on MPI_COMM_WORLD, which has begun \
                     MPI_Iallreduce(op=MPI_SUM, type=MPI_INT) last";
        reports_at_the_end(&job, 3, words);
    });
}

/// Ctrl-C at a terminal.
fn add_interrupts(suite: &mut Suite) {
    let press = |kind: &'static str| {
        move |scene: &Scene| {
            let program = source("interrupt.py");
            let job = scene.job(&format!("python3 {program} {kind} ./mpiexec ./deadlock"));
            job.run().is_quiet();
        }
    };
    suite.waits("ctrl-c-once", press("once"));
    suite.waits("ctrl-c-twice", press("twice"));
    // The second comes a quarter of a second after the first.
    suite.alone("ctrl-c-early", press("early"));
    suite.waits("ctrl-c-hosts", |scene| {
        let hosts = scene.hosts(hosts::nodes(2));
        let program = source("interrupt.py");
        let job = format!("python3 {program} once ./mpiexec ./deadlock node1,node2");
        scene.job(&job).on(hosts.login()).run().is_quiet();
    });
}

/// A rank inside a call of the kernel does not compute: the report names its call and its file.
fn add_calls_of_the_kernel(suite: &mut Suite) {
    suite.waits("report-of-an-open", move |scene| {
        let words = "rank 0 on *: MPI_File_open of \"*pipe*\"; the kernel has not returned for ";
        reports(&of_two(scene, "open"), 2, words);
    });
    suite.waits("time-of-an-open", move |scene| {
        let mut job = up(&of_two(scene, "open"), 2);
        ask_for_seconds(&mut job, "the kernel has not returned for ", 2.0);
        job.signal(Signal::TERM);
        job.end().code(143);
    });
    suite.waits("report-of-a-write", move |scene| {
        let words = "rank 1 waits for rank 0, which is in MPI_File_write_shared of \"*pipe*\"; \
                     the kernel";
        reports_at_the_end(&of_two(scene, "write"), 2, words);
    });
    suite.waits("report-of-a-thread", move |scene| {
        let words = "another thread is in MPI_File_write_shared of \"*pipe*\"; the kernel has not";
        reports(&of_two(scene, "thread"), 2, words);
    });
    suite.waits("notice-of-a-file", move |scene| {
        let job = of_two(scene, "write").env("NEMESIS_NOTICE_SECONDS", 3);
        notes(&job, 2, &["perhaps a file system does not answer"]);
    });
}

/// Describes two ranks that use a pipe that nobody reads.
fn of_two<'a>(scene: &'a Scene, word: &str) -> Job<'a> {
    let pipe = fresh_pipe(scene);
    scene.job(&format!("./mpiexec -n 2 ./blocked {word} {pipe}"))
}

/// Makes a pipe that nobody reads.
fn fresh_pipe(scene: &Scene) -> String {
    let pipe = scene.fresh("pipe");
    assert!(places::succeeds(Command::new("mkfifo").arg(&pipe)), "there is no pipe");
    pipe.display().to_string()
}
