//! The stages of all tests, in their order.

use crate::aarch64::TARGET;
use crate::api::Api;
use crate::{commands, generated_is_right, symbols, tidy};
use std::path::Path;
use std::process::Command;

/// How a stage runs.
pub enum Pace {
    /// It runs before the next one begins.
    Alone,
    /// It waits much of its time, and runs at the same time as the stages that follow.
    Beside,
    /// By name only.
    ByName,
    /// No stage: the stages that run beside others end here.
    Together,
}

/// A stage.
pub struct Stage {
    pub name: &'static str,
    pub pace: Pace,
    pub limit_s: u64,
    /// Runs the stage, whose output is its log. Returns its exit code.
    pub run: fn(&Path) -> u8,
}

impl Stage {
    /// Whether the stage runs if none is named.
    pub fn is_usual(&self) -> bool {
        !matches!(self.pace, Pace::ByName)
    }
}

/// Returns the stage of a name.
pub fn named(name: &str) -> Option<&'static Stage> {
    STAGES.iter().find(|stage| stage.name == name && !name.is_empty())
}

/// The stages of -q.
pub const QUICK: &[&str] = &["fmt", "generate", "tidy", "spelling", "clippy", "unit", "quick"];

/// Seconds that a stage may take, and those that tests everything of a kind.
const LIMIT_S: u64 = 600;
const LONG_LIMIT_S: u64 = 1500;

const fn alone(name: &'static str, run: fn(&Path) -> u8) -> Stage {
    Stage { name, pace: Pace::Alone, limit_s: LIMIT_S, run }
}

const fn long(name: &'static str, run: fn(&Path) -> u8) -> Stage {
    Stage { name, pace: Pace::Alone, limit_s: LONG_LIMIT_S, run }
}

const fn beside(name: &'static str, limit_s: u64, run: fn(&Path) -> u8) -> Stage {
    Stage { name, pace: Pace::Beside, limit_s, run }
}

const TOGETHER: Stage =
    Stage { name: "", pace: Pace::Together, limit_s: 0, run: |_| unreachable!("it is no stage") };

/// All stages.
pub const STAGES: &[Stage] = &[
    alone("fmt", format),
    alone("generate", generated_is_right),
    alone("tidy", |root| u8::from(tidy::check(root) != std::process::ExitCode::SUCCESS)),
    alone("spelling", spelling),
    // A build for release and one for tests do not wait for each other. Each alone leaves
    // processors idle while it links, or while tests wait.
    beside("unit", LONG_LIMIT_S, |_| ends(cargo().args(["test", "--workspace"]))),
    beside("build", LONG_LIMIT_S, |_| {
        ends(Command::new("nice").args(["-n", "5", "scripts/build"]))
    }),
    long("clippy", |_| lints(&["--workspace", "--all-targets"])),
    long("aarch64", aarch64),
    long("rustdoc", rustdoc),
    long("miri", miri),
    long("loom", loom),
    TOGETHER,
    Stage { name: "quick", pace: Pace::ByName, limit_s: LIMIT_S, run: quick },
    alone("symbols", |root| {
        u8::from(symbols::check(&Api::load(root)) != std::process::ExitCode::SUCCESS)
    }),
    alone("abi", |_| jobs(&["abi"])),
    alone("subsystem", |_| jobs(&["subsystem"])),
    alone("rwapi", |_| jobs(&["rwapi"])),
    alone("install", |_| script("tests/packaging/check", &[])),
    alone("counts", |_| jobs(&["counts"])),
    alone("calls", |_| jobs(&["calls"])),
    beside("mpi", LONG_LIMIT_S, |_| jobs(&["mpi"])),
    alone("doctor", |_| jobs(&["doctor"])),
    alone("profile", |_| script("tests/profile/check", &[])),
    alone("spawn", |_| jobs(&["spawn"])),
    alone("files", |_| jobs(&["files"])),
    alone("ofi", |_| jobs(&["ofi"])),
    alone("gpu", |_| jobs(&["gpu"])),
    alone("wrong", |_| jobs(&["wrong"])),
    TOGETHER,
    beside("robustness", LIMIT_S, |_| jobs(&["robustness"])),
    beside("recovery", LIMIT_S, |_| jobs(&["recovery"])),
    alone("corruption", |_| {
        ends(cargo().args(["test", "--workspace", "--test", "corruption", "--", "--nocapture"]))
    }),
    alone("fortran", |_| script("scripts/test-fortran", &[])),
    TOGETHER,
    beside("launchers", LIMIT_S, |_| jobs(&["launchers"])),
    alone("hosts", |_| jobs(&["hosts", "quick"])),
    TOGETHER,
    beside("networks", LIMIT_S, |_| jobs(&["networks"])),
    alone("flood", |_| jobs(&["flood"])),
    alone("remote", |_| jobs(&["remote"])),
    alone("strangers", |_| jobs(&["strangers"])),
    TOGETHER,
    beside("faults", LIMIT_S, |_| jobs(&["faults"])),
    alone("outside", |_| script("scripts/test-outside", &["-q"])),
    alone("docs", |_| script("scripts/test-docs", &[])),
    TOGETHER,
    beside("verbs", LIMIT_S, |_| jobs(&["verbs"])),
    alone("mpi4py", |_| script("scripts/test-mpi4py", &["-q"])),
    TOGETHER,
];

fn cargo() -> Command {
    commands::cargo()
}

/// Runs a command, and returns its exit code.
fn ends(command: &mut Command) -> u8 {
    match command.status() {
        Ok(status) => status.code().map_or(1, |code| code as u8),
        Err(why) => {
            println!("{command:?}: {why}");
            1
        }
    }
}

fn script(name: &str, words: &[&str]) -> u8 {
    ends(Command::new(name).args(words))
}

/// Runs tests of whole jobs.
fn jobs(words: &[&str]) -> u8 {
    script("scripts/jobs", words)
}

/// Whether cargo has a command; otherwise says how it is installed.
fn has(command: &[&str], remedy: &str) -> bool {
    let works = cargo().args(command).arg("--version").output();
    let is_there = works.is_ok_and(|output| output.status.success());
    if !is_there {
        println!("cargo has no {}: {remedy}", command.join(" "));
    }
    is_there
}

fn format(_: &Path) -> u8 {
    if !has(&["fmt"], "rustup component add rustfmt") {
        return 77;
    }
    ends(cargo().args(["fmt", "--check", "--", "--color", "never"]))
}

fn spelling(_: &Path) -> u8 {
    if nemesis_jobs::places::find("codespell").is_none() {
        println!("codespell is not installed: apt-get install codespell");
        return 77;
    }
    let kept = "git ls-files | grep -vE '^(bench/records/|Cargo\\.lock$|docs/.*\\.svg$)'";
    ends(Command::new("sh").args(["-c", &format!("{kept} | xargs codespell")]))
}

/// The lints of the versions of Rust with which this state was tried, from rust-version up to
/// lints-of in Cargo.toml. A newer clippy knows more lints: what it says is shown and fails
/// nothing, so that a new Rust does not break a checkout. Takes cargo's words for what is looked
/// at.
fn lints(words: &[&str]) -> u8 {
    if !has(&["clippy"], "rustup component add clippy") {
        return 77;
    }
    let manifest = std::fs::read_to_string("Cargo.toml").unwrap_or_default();
    let known = manifest.lines().find_map(|line| line.strip_prefix("lints-of = \"1."));
    let known: u32 = known.map_or(0, number);
    let version = cargo().args(["clippy", "--version"]).output().expect("clippy is there");
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let minor = version.split('.').nth(1).map_or(0, number);
    let mut deny = "-Dwarnings";
    if minor > known {
        println!("clippy 1.{minor} is newer than 1.{known}, of which this state knows the lints");
        deny = "-Wwarnings";
    }
    ends(cargo().arg("clippy").args(words).args(["--", deny]))
}

/// Returns the number with which a text begins.
fn number(text: &str) -> u32 {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

/// The libraries for aarch64. Nothing is linked, so this needs no compiler for it; `make
/// check-aarch64` runs the tests.
fn aarch64(_: &Path) -> u8 {
    let mut rustc = Command::new("rustc");
    let folder = rustc.args(["--print", "target-libdir", "--target", TARGET]).output();
    let folder = folder.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string());
    if !folder.is_ok_and(|folder| Path::new(&folder).is_dir()) {
        println!("Rust's library for aarch64 is not installed: rustup target add {TARGET}");
        return 77;
    }
    ends(cargo().args(["check", "--workspace", "--lib", "--target", TARGET]))
}

/// The documentation of the crates, with what they keep private.
fn rustdoc(_: &Path) -> u8 {
    let mut doc = cargo();
    doc.args(["doc", "--workspace", "--no-deps", "--document-private-items"]);
    ends(doc.env("RUSTDOCFLAGS", "-D warnings"))
}

/// Undefined behaviour in the crates that Miri can run: those without system calls.
fn miri(root: &Path) -> u8 {
    // Another toolchain is chosen by rustup's cargo.
    let miri = |words: &[&str]| {
        let mut miri = Command::new("cargo");
        miri.args(["+nightly", "miri"]).args(words);
        miri.env("CARGO_TARGET_DIR", root.join("build/miri"));
        miri.env("MIRIFLAGS", "-Zmiri-disable-isolation").env("PROPTEST_CASES", "8");
        miri.env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "yes");
        miri
    };
    if !miri(&["--version"]).output().is_ok_and(|output| output.status.success()) {
        println!("Miri is not installed: rustup component add miri rust-src --toolchain nightly");
        return 77;
    }
    // An interpreter executes one thread at a time, so the crates' tests run side by side.
    std::thread::scope(|scope| {
        let sync = scope.spawn(|| ends(&mut miri(&["test", "--lib", "-p", "nemesis-sync"])));
        let wire = ends(&mut miri(&["test", "--lib", "-p", "nemesis-wire"]));
        sync.join().expect("it ends").max(wire)
    })
}

/// The models have their own build of everything below them, without the optimisations that cost
/// minutes. A backtrace would overflow the stacks on which loom runs a model's threads.
fn loom(root: &Path) -> u8 {
    let mut loom = cargo();
    loom.args(["test", "--release", "-p", "nemesis-shm", "-p", "nemesis-sync", "--test", "loom_*"]);
    loom.env("RUST_BACKTRACE", "0").env("RUSTFLAGS", "--cfg loom");
    loom.env("CARGO_TARGET_DIR", root.join("build/loom"));
    loom.env("CARGO_PROFILE_RELEASE_LTO", "off");
    ends(loom.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"))
}

/// Each C program in the default mode on two processes, with the libraries of a build without
/// optimisation. Such a build is there after the unit tests, but for the C libraries themselves,
/// and checks its arithmetic.
fn quick(_: &Path) -> u8 {
    let built = ends(cargo().args(["build", "--workspace", "--lib", "--bin", "mpiexec"]));
    if built != 0 { built } else { jobs(&["mpi", "-d", "-m", "default", "-n", "2"]) }
}
