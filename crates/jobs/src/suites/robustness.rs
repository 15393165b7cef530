//! Jobs that are killed, that wait for ever, that make the mistakes of every day, and that run
//! where the machine refuses resources.

mod killed;
mod mistakes;
mod resources;
mod waiting;

pub use mistakes::for_an_ibm_z;

use crate::places;
use crate::scene::Scene;
use crate::suite::{Suite, Sum};

pub fn run(wanted: &[String]) -> Sum {
    let scene = Scene::new("robustness").with_programs(&[
        "robustness/abort",
        "robustness/blocked",
        "robustness/circle",
        "robustness/consensus",
        "robustness/crash",
        "robustness/deadlock",
        "robustness/everyday",
        "robustness/fault",
        "robustness/idle",
        "robustness/leftout",
        "robustness/oversubscribed",
        "robustness/patient",
        "robustness/refuse",
        "robustness/traffic",
        "mpi/pt2pt_order",
        "mpi/pt2pt_sendrecv",
    ]);
    let mut suite = Suite::default();
    waiting::add(&mut suite);
    mistakes::add(&mut suite);
    resources::add(&mut suite);
    killed::add(&mut suite);
    suite.run(&scene, wanted)
}

/// Returns the path of a file of tests/robustness.
fn source(name: &str) -> String {
    places::root().join("tests/robustness").join(name).display().to_string()
}
