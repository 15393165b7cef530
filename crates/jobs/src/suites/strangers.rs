//! A job that runs over simulated hosts is attacked: all ports are scanned, and open ones get
//! garbage, a recorded handshake, half a greeting, and ten thousand silent connections. The job
//! must continue, and its verbose log must name and count the connections.

use crate::hosts;
use crate::places;
use crate::scene::Scene;
use crate::suite::{Suite, Sum};

pub fn run(wanted: &[String]) -> Sum {
    let scene = Scene::new("strangers").with_programs(&["hosts/collective"]);
    let mut suite = Suite::default();
    suite.alone("strangers", |scene| {
        places::needs("python3");
        let hosts = scene.hosts(hosts::nodes(2));
        let program = places::root().join("tests/hosts/strangers.py");
        let job = format!(
            "python3 {} {} ./mpiexec ./collective",
            program.display(),
            scene.folder.display()
        );
        let ended = scene.job(&job).on(hosts.login()).limit(240).run();
        ended.code(0).leaves_nothing();
        crate::say!("{}", crate::indented(&ended.output).trim_end());
    });
    suite.run(&scene, wanted)
}
