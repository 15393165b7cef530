//! Jobs whose ranks have a file system of a network each, through a cache of its own.
//!
//! Each rank is a node of its own, and sees a folder through tests/files/remote: old data and old
//! attributes stay in the node's cache, writes are stored late, locks and allocation are refused,
//! some writes are taken in part and some openings refused at first. `nodes` and the random tester
//! must find the data that MPI promises. Ranks that share one view must pass descriptors, and the
//! state report must tell of a server that does not answer.

use crate::job::Job;
use crate::places;
use crate::scene::Scene;
use crate::suite::{Suite, Sum};
use std::fs;
use std::path::{Path, PathBuf};

pub fn run(wanted: &[String]) -> Sum {
    let scene = Scene::new("remote").with_programs(&[
        "files/nodes",
        "files/passed",
        "robustness/blocked",
        "mpi/io_random",
    ]);
    let mut suite = Suite::default();
    for step in ["neighbours", "alone", "own-writes", "atomic", "sizes", "names", "striping"] {
        suite.beside(format!("nodes-{step}"), move |scene| {
            let server = Server::new(scene);
            let file = server.place.join("nodes");
            server.on_nodes(2, &format!("./nodes {} {step}", file.display()));
        });
    }
    suite.beside("nodes-own-writes-of-three", |scene| {
        let server = Server::new(scene);
        let file = server.place.join("nodes");
        server.on_nodes(3, &format!("./nodes {} own-writes", file.display()));
    });
    suite.beside("random-of-two", |scene| Server::new(scene).on_nodes(2, "./io_random 0 2"));
    suite.beside("random-of-three", |scene| Server::new(scene).on_nodes(3, "./io_random 102 1"));
    suite.beside("passed", |scene| {
        let server = Server::new(scene);
        let file = server.place.join("passed");
        server.on_one("./mpiexec -n 4 ./passed", &[&name(&file), "yes"]).run().is_quiet();
    });
    // Where the kernel may not copy between processes, each opens the file.
    suite.beside("not-passed", |scene| {
        let server = Server::new(scene);
        let file = server.place.join("passed");
        let job = server.on_one("./mpiexec -n 4 ./passed", &[&name(&file), "no"]);
        job.env("NEMESIS_CMA", "off").run().is_quiet();
    });
    suite.beside("local", |scene| {
        let server = Server::new(scene);
        let file = scene.fresh("passed-here");
        server.on_one("./mpiexec -n 4 ./passed", &[&name(&file), "no"]).run().is_quiet();
    });
    suite.beside("unanswered", |scene| {
        let server = Server::new(scene);
        fs::write(server.folder.join("unanswered"), "1\n").expect("a file");
        let file = server.place.join("unanswered");
        let mut job = server.on_one("./mpiexec -n 2 ./blocked read", &[&name(&file)]).start();
        let ranks = scene.name("blocked");
        job.wait_until("the ranks are up", 40, |job| job.running(&ranks).len() == 2);
        let mpiexec = job.running(&scene.name("mpiexec"));
        let mpiexec = *mpiexec.first().expect("mpiexec runs");
        let words = "MPI_File_read_at of \"*/unanswered\"; the kernel has not returned for ";
        let (is_told, ended) = job.ends_with_report(mpiexec, words, 40);
        if !is_told {
            ended.fail(&format!("the report at the end does not say: {words}"));
        }
    });
    suite.run(&scene, wanted)
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

/// A folder that a server has, and the place where nodes see it.
struct Server<'a> {
    scene: &'a Scene,
    folder: PathBuf,
    place: PathBuf,
    /// The program by which a node sees the folder: the command follows.
    client: PathBuf,
    isolated: &'static str,
}

impl<'a> Server<'a> {
    fn new(scene: &'a Scene) -> Server<'a> {
        let isolated = if places::is_root() { "" } else { "unshare -rm" };
        if !Path::new("/usr/bin/python3").exists() {
            crate::skip("/usr/bin/python3 is missing");
        }
        if !places::is_root() && !places::may_unshare(&["-rm"]) {
            crate::skip("this user may not make user namespaces (unshare -rm)");
        }
        let folder = scene.fresh_folder("folder");
        let place = scene.fresh_folder("place");
        let remote = places::root().join("tests/files/remote");
        let client = scene.fresh("client");
        // The ranks of our mpiexec know their number from PMI.
        let script = format!(
            "#!/bin/sh\nexec {} {} {} \"${{PMI_RANK:-0}}\" \"$@\"\n",
            remote.display(),
            folder.display(),
            place.display()
        );
        let file = client.file_name().expect("a name").to_string_lossy().into_owned();
        scene.write_program(&file, script);
        let server = Server { scene, folder, place, client, isolated };
        let tried = server.job(&format!("{} true", server.client.display())).run();
        if tried.code == 77 {
            crate::skip(tried.output.trim());
        }
        server
    }

    fn job(&self, command: &str) -> Job<'a> {
        self.scene.job(&format!("{} {command}", self.isolated))
    }

    /// Runs a job whose ranks are nodes: it must print nothing, and leave no file.
    #[track_caller]
    fn on_nodes(&self, ranks: u32, program: &str) {
        let client = self.client.display();
        let job = self.job(&format!("./mpiexec -n {ranks} {client} {program}"));
        let job = job.env("NEMESIS_SHM", "off").env("TMPDIR", self.place.display());
        job.run().is_quiet();
        let left = fs::read_dir(&self.folder).expect("a folder").flatten();
        let left: Vec<_> = left.map(|entry| entry.file_name()).collect();
        assert!(left.is_empty(), "files are left: {left:?}");
    }

    /// Describes a job whose ranks share one view.
    fn on_one(&self, command: &str, words: &[&str]) -> Job<'a> {
        let client = self.client.display();
        self.job(&format!("{client} {command}")).words(words)
    }
}
