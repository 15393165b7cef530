//! Encryption, and two jobs that connect by a port.

use super::Scope;
use crate::hosts;
use crate::job::Running;
use crate::places;
use crate::scene::Scene;
use crate::suite::Suite;
use rustix::process::Signal;
use std::path::Path;

/// What must be seen of two jobs that connect.
#[derive(Clone, Copy)]
enum Expected {
    /// They exchange words, which can be read on the way.
    Read,
    /// They exchange words, which cannot be read on the way.
    Secret,
    /// They refuse each other, and both say that the setting must be the same for all.
    Refused,
}

const SHARED_OFF: &str = "-env NEMESIS_SHM off";
const SHARED_OFF_ENCRYPTED: &str = "-env NEMESIS_SHM off -encrypt";

pub fn add(suite: &mut Suite) {
    suite.beside("encrypted", |scene| {
        Scope::new(scene, hosts::nodes(2)).communicates("-encrypt", &[], |_| {});
    });
    suite.beside("one-end-encrypts", |scene| {
        let scope = Scope::new(scene, hosts::nodes(2));
        let words = scene.fresh_folder("words").display().to_string();
        let ended = scene
            .job(&format!(
                "./mpiexec -hosts node1,node2 -ppn 1 -n 1 -env NEMESIS_ENCRYPT on ./collective \
                 {words} : -n 1 ./collective {words}"
            ))
            .on(scope.hosts.login())
            .limit(30)
            .run();
        ended.fails().says("encrypt");
        ended.says("NEMESIS_ENCRYPT (mpiexec -encrypt) must be the same for all");
    });
    let two = ["node1", "node2"];
    let one = ["localhost", "localhost"];
    for (name, expected, at, accepts, connects) in [
        ("two-jobs", Expected::Read, two, "", ""),
        ("two-jobs-encrypted", Expected::Secret, two, "-encrypt", "-encrypt"),
        ("two-jobs-on-one-host", Expected::Read, one, SHARED_OFF, SHARED_OFF),
        (
            "two-jobs-on-one-host-encrypted",
            Expected::Secret,
            one,
            SHARED_OFF_ENCRYPTED,
            SHARED_OFF_ENCRYPTED,
        ),
        ("only-the-one-that-accepts-encrypts", Expected::Refused, two, "-encrypt", ""),
        ("only-the-one-that-connects-encrypts", Expected::Refused, two, "", "-encrypt"),
        ("only-one-of-two-on-one-host-encrypts", Expected::Refused, one, "-encrypt", ""),
    ] {
        suite.beside(name, move |scene| connect(scene, expected, at, accepts, connects));
    }
    suite.beside("strangers-at-a-port-delay-no-guest", strangers);
}

/// Returns the command of a part of ports.py.
fn ports(part: &str) -> String {
    let program = places::root().join("tests/hosts/ports.py");
    format!("python3 {} {part}", program.display())
}

/// A job on the first host accepts one on the second, while the packets are captured.
fn connect(scene: &Scene, expected: Expected, at: [&str; 2], accepts: &str, connects: &str) {
    places::needs("python3");
    let hosts = scene.hosts(hosts::nodes(2));
    let words = scene.fresh_folder("words");
    let path = |name: &str| words.join(name);
    // The capture sees the packets of both jobs: those of one host, or all of the first node.
    let place = if at[0] == "localhost" { "login" } else { "node1" };
    let seen = path("seen");
    let mut capture =
        scene.job(&ports(&format!("capture {}", seen.display()))).on(hosts.host(place)).start();
    capture.wait_until("the capture is ready", 40, |_| path("seen.ready").exists());

    let port = path("port").display().to_string();
    let start = |at: &str, options: &str, role: &str| {
        let job = format!("./mpiexec -hosts {at} -n 2 {options} ./between {role} {port}");
        scene.job(&job).on(hosts.login()).limit(40).start()
    };
    let server = start(at[0], accepts, "serve");
    let client = start(at[1], connects, "connect").end();
    let server = server.end();

    let (words_seen, bytes_seen) = counts(capture, &seen);
    match expected {
        Expected::Read => {
            client.code(0);
            server.code(0);
            assert!(words_seen > 0, "no words are seen in {bytes_seen} bytes");
        }
        Expected::Secret => {
            client.code(0);
            server.code(0);
            assert_eq!(words_seen, 0, "words are read");
            assert!(bytes_seen > 1_000_000, "only {bytes_seen} bytes are seen");
        }
        Expected::Refused => {
            // Both notice it before there is a communicator.
            client.fails().says("must be the same for all").says("MPI_Comm_connect(");
            server.fails().says("must be the same for all").says("MPI_Comm_accept(");
        }
    }
}

/// Ends a capture. Returns the packets with words, and the bytes, that it has seen.
fn counts(capture: Running, seen: &Path) -> (u64, u64) {
    capture.signal(Signal::TERM);
    capture.end().code(0);
    let text = std::fs::read_to_string(seen).expect("what the capture has seen");
    let mut numbers = text.split_whitespace().map(|number| number.parse().expect("a number"));
    (numbers.next().expect("a count"), numbers.next().expect("a count"))
}

/// Seconds in which a guest must be served: fewer than a port gives a stranger, and there are a
/// hundred.
const GUEST_S: u64 = 10;

/// A job accepts while strangers occupy its port, and before it accepts.
fn strangers(scene: &Scene) {
    places::needs("python3");
    let hosts = scene.hosts(hosts::nodes(2));
    let words = scene.fresh_folder("words");
    let path = words.join("port");
    let go = words.join("go");
    let (port, gone) = (path.display(), go.display());
    let start = |command: &str| scene.job(command).on(hosts.login()).start();
    let mut server = start(&format!("./mpiexec -hosts node1 -n 1 ./between serve {port} {gone}"));
    server.wait_until("there is a port", 40, |_| path.exists());
    let name = std::fs::read_to_string(&path).expect("a port");
    let name = name.lines().next().unwrap_or_default();
    let mut others = start(&ports(&format!("strangers '{name}' {gone}")));
    others.wait_until("the strangers are there", 40, |_| go.exists());

    let guest = start(&format!("./mpiexec -hosts node2 -n 1 ./between connect {port}")).end();

    guest.code(0);
    assert!(guest.took.as_secs() < GUEST_S, "strangers delay the guest");
    server.end().code(0);
    others.end().code(0);
}
