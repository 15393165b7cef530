//! Ranks wait for what can never come, or for a long time: mpiexec ends the job or lets it go on,
//! and says who waits for what.

use super::source;
use crate::hosts;
use crate::job::{Ended, Job};
use crate::places;
use crate::scene::Scene;
use crate::suite::Suite;
use rustix::process::Signal;
use std::process::Command;

/// Starts a job and sends it a signal after some seconds. A job that is asked for a state report is
/// ended a second later.
fn told(job: &Job, seconds: u64, signal: Signal) -> Ended {
    let job = job.start();
    crate::pause(seconds as f64);
    job.signal(signal);
    if signal == Signal::USR1 {
        crate::pause(1.0);
        job.signal(Signal::TERM);
    }
    job.end()
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

/// Ranks that wait for each other end their job, whatever the others do, unless the user wants it
/// to go on. A rank that somebody else may continue does not.
fn add_deadlocks(suite: &mut Suite) {
    suite.waits("deadlock-cycle", |scene| {
        let ended = scene.job("./mpiexec -n 3 ./deadlock cycle").run();
        ended.code(1).says("ranks 0-2 wait for messages that can never come");
        ended.says("in a cycle: 0, 1, 2, 0");
    });
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
            let ended = told(&job, 15, Signal::TERM);
            ended.code(143).says(&format!("MPI_Comm_{word}; nothing received for 1"));
        });
    }
    suite.waits("deadlock-only-told", |scene| {
        let job = scene.job("./mpiexec -on-deadlock tell -n 3 ./deadlock cycle");
        let ended = told(&job, 15, Signal::TERM);
        ended.code(143).says("the job is left as it is, and this message is not repeated");
    });
}

fn add_reports(suite: &mut Suite) {
    // A job that stands still prints a state report when it is asked for one, and continues.
    suite.waits("state-report", |scene| {
        let mut job = scene.job("./mpiexec -on-deadlock tell -n 3 ./circle").start();
        let circle = scene.name("circle");
        job.wait_until("the ranks are up", 10, |job| job.running(&circle).len() == 3);
        job.wait_until("a cycle is named", 30, |job| {
            job.signal(Signal::USR1);
            crate::pause(0.5);
            job.has_said("in a cycle: 0, 1, 2, 0")
        });
        job.signal(Signal::TERM);
        let ended = job.end();
        ended.code(143);
        ended.says("rank 1 on *MPI_Recv: a message from rank 2 of *, tag 7, room for 4 bytes;");
    });
    suite.waits("report-before-the-end", |scene| {
        let ended = told(&scene.job("./mpiexec -n 3 ./deadlock outside"), 15, Signal::TERM);
        ended.code(143).says("rank 0 waits for rank 1, which is not inside MPI: it computes");
    });
    suite.waits("notice-of-a-wait", |scene| {
        let job = scene.job("./mpiexec -n 3 ./deadlock outside").env("NEMESIS_NOTICE_SECONDS", 3);
        told(&job, 15, Signal::TERM).code(143).says(
            "has received nothing for 3 s, and the others compute or test: perhaps they have left \
             out",
        );
    });
    suite.waits("report-of-a-test", |scene| {
        let ended = told(&scene.job("./mpiexec -n 3 ./deadlock polls"), 15, Signal::USR1);
        ended.code(143).says("rank 1 of MPI_COMM_WORLD, tag 7, room for 4 bytes; tests");
    });
    suite.waits("notice-of-tests", |scene| {
        let job = scene.job("./mpiexec -n 3 ./deadlock all_poll").env("NEMESIS_NOTICE_SECONDS", 3);
        let ended = told(&job, 7, Signal::TERM);
        ended
            .code(143)
            .says("ranks have tested again and again for 3 s, and nothing has finished: perhaps");
        ended.says("these ranks wait for each other in a cycle: 0, 1, 2, 0");
    });
    // A rank that sleeps between its tests does not compute.
    suite.waits("report-of-seldom-tests", |scene| {
        let ended = told(&scene.job("./mpiexec -n 3 ./deadlock seldom"), 9, Signal::USR1);
        ended.code(143).says("has tested within the last * s, nothing finished for");
    });
    suite.waits("notice-of-seldom-tests", |scene| {
        let job = scene.job("./mpiexec -n 3 ./deadlock seldom").env("NEMESIS_NOTICE_SECONDS", 3);
        told(&job, 12, Signal::TERM).code(143).says("ranks have tested again and again");
    });
    suite.waits("report-of-a-request", |scene| {
        let ended = told(&scene.job("./mpiexec -n 3 ./everyday iallreduce"), 15, Signal::TERM);
        ended.code(143).says(
            "collective operation on MPI_COMM_WORLD, which has begun MPI_Iallreduce(op=MPI_SUM, \
             type=MPI_INT) last",
        );
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
    let cases = [
        (
            "report-of-an-open",
            "open",
            4,
            Signal::USR1,
            "rank 0 on *: MPI_File_open of \"*pipe*\"; the kernel has not returned for ",
        ),
        (
            "report-of-a-write",
            "write",
            4,
            Signal::TERM,
            "rank 1 waits for rank 0, which is in MPI_File_write_shared of \"*pipe*\"; the kernel",
        ),
        (
            "report-of-a-thread",
            "thread",
            4,
            Signal::USR1,
            "another thread is in MPI_File_write_shared of \"*pipe*\"; the kernel has not",
        ),
    ];
    for (name, word, seconds, signal, words) in cases {
        suite.waits(name, move |scene| {
            let pipe = fresh_pipe(scene);
            let job = scene.job(&format!("./mpiexec -n 2 ./blocked {word} {pipe}"));
            told(&job, seconds, signal).code(143).says(words);
        });
    }
    suite.waits("notice-of-a-file", |scene| {
        let pipe = fresh_pipe(scene);
        let job = scene.job(&format!("./mpiexec -n 2 ./blocked write {pipe}"));
        let ended = told(&job.env("NEMESIS_NOTICE_SECONDS", 3), 9, Signal::TERM);
        ended.code(143).says("perhaps a file system does not answer");
    });
}

/// Makes a pipe that nobody reads.
fn fresh_pipe(scene: &Scene) -> String {
    let pipe = scene.fresh("pipe");
    assert!(places::succeeds(Command::new("mkfifo").arg(&pipe)), "there is no pipe");
    pipe.display().to_string()
}
