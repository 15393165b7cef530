//! Ranks, agents, launchers and cables are taken away during collectives over simulated hosts.
//!
//! Each fault must lead to an MPI error or the end of the job within seconds, and leave nothing on
//! any host: no process, no open socket, no segment, no file. Under ours, mpiexec and its agents
//! end the job. Under srun, and under hydra (told not to end the job by itself), the library must
//! notice the fault. Under all others a process must notice that its daemon has gone. Over
//! libfabric (ofi) and over the mock of libibverbs (verbs) the launcher is ours; these are parts of
//! the suites ofi and verbs. In some cases one rank of a job is killed in long messages and the
//! others go on; `SURVIVORS=50` in the environment starts 50 such jobs.

mod others;
mod ours;
mod story;

use crate::scene::{Library, Scene};
use crate::suite::{Suite, Sum};

pub use others::{add_ofi, add_verbs};

pub fn run(wanted: &[String]) -> Sum {
    let scene = with_programs(Scene::new("faults"));
    let mut suite = Suite::default();
    ours::add(&mut suite);
    others::add(&mut suite);
    suite.run(&scene, wanted)
}

/// Adds the programs of faults to a scene.
pub fn with_programs(scene: Scene) -> Scene {
    let scene = scene.with_programs(&[
        "hosts/collective",
        "hosts/partner",
        "hosts/survivors",
        "robustness/leftout",
    ]);
    scene.install_library(Library::Subsystem);
    let source = crate::places::root().join("tests/hosts/reach.c");
    scene.compile(Library::Subsystem, &source, &scene.path("reach"));
    scene
}
