//! A library, an mpiexec or a job of another build: a copy in which the hash of the sources is
//! another one.

use super::meetings::serve;
use super::prints;
use crate::job::Ended;
use crate::places;
use crate::scene::{Scene, write_program};
use crate::suite::Suite;
use std::path::PathBuf;
use std::process::Command;

pub fn add(suite: &mut Suite) {
    // It spawns with the mpiexec beside it.
    suite.beside("a-library-of-another-build", |scene| {
        let other = Other::new(scene);
        let job = scene.job("./mpiexec -n 1 ./spawner leave");
        let ended = job.env("LD_LIBRARY_PATH", other.folder.display()).run();
        prints(ended.code(0), "spawned done");
        ended.says("the library of the ranks is of build * the job runs without state reports");
    });
    suite.beside("mpiexec-of-another-build", |scene| {
        let other = Other::new(scene);
        let job = scene.job("./spawner refused").env("NEMESIS_MPIEXEC", other.mpiexec());
        let ended = job.run();
        prints(&ended, "noticed");
        other.is_told(&ended);
    });
    suite.beside("another-program-as-mpiexec", |scene| {
        let ended = scene.job("./spawner refused").env("NEMESIS_MPIEXEC", "/bin/true").run();
        prints(&ended, "noticed");
        ended.says("/bin/true, which starts the processes, has ended");
    });
    suite.beside("a-client-of-another-build", |scene| {
        let other = Other::new(scene);
        let port = scene.fresh("port");
        let at = port.display();
        let server = scene.job(&format!("./mpiexec -n 2 ./encounter serve {at}"));
        let server = serve(&server, &port);
        let client = format!("{} -n 2 ./encounter client {at}", other.mpiexec());
        let client = scene.job(&client).env("LD_LIBRARY_PATH", other.folder.display()).run();
        // The next client is of the right build.
        let next = scene.job(&format!("./mpiexec -n 2 ./encounter client {at} stop")).run();
        next.says_times(2, "receive met").leaves_nothing();
        let server = server.end();
        server.code(0).leaves_nothing();
        for side in [&server, &client] {
            side.says_times(2, " MPI_ERR_PORT$");
        }
        other.is_told(&client);
    });
}

/// Another build.
struct Other {
    folder: PathBuf,
    own: String,
    other: String,
}

impl Other {
    fn new(scene: &Scene) -> Other {
        let version = places::output_of(Command::new(scene.path("mpiexec")).arg("--version"));
        let own = version.trim().rsplit('-').next().expect("a build").to_string();
        let next = |digit: char| char::from_digit((digit.to_digit(16)? + 1) % 16, 16);
        let other: String = own.chars().filter_map(next).collect();
        assert_eq!(other.len(), own.len(), "a hash: {version}");
        let folder = scene.fresh_folder("build");
        for name in ["libmpi_abi.so.1", "mpiexec"] {
            let mut bytes = std::fs::read(scene.path(name)).expect("a file of the build");
            let mut at = 0;
            while let Some(place) = bytes[at..].windows(own.len()).position(|b| b == own.as_bytes())
            {
                bytes[at + place..][..own.len()].copy_from_slice(other.as_bytes());
                at += place + own.len();
            }
            write_program(&folder.join(name), &bytes);
        }
        Other { folder, own, other }
    }

    fn mpiexec(&self) -> String {
        self.folder.join("mpiexec").display().to_string()
    }

    /// Fails unless the output names both builds, and what to try.
    #[track_caller]
    fn is_told(&self, ended: &Ended) {
        let (own, other) = (&self.own, &self.other);
        let told = [
            format!("different builds: *{other}*{own}"),
            format!("different builds: *{own}*{other}"),
        ];
        ended.says_one_of(&told.iter().map(String::as_str).collect::<Vec<_>>());
        ended.says("try*one installation for programs and mpiexec");
    }
}
