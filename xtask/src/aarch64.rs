//! `check-aarch64 [STEP...]`: builds the workspace for aarch64 on another processor and runs its
//! tests under QEMU's user mode.
//!
//! ```text
//!   unit       the unit tests
//!   programs   the C programs of tests/mpi on 2 and 4 ranks, over shared memory and over TCP
//!   abi        the checks of tests/abi: layouts, constants, and programs of both ABIs
//!   symbols    the exported symbols
//!   fortran    the Fortran programs
//!   launcher   options of mpiexec, and agents
//! ```
//!
//! Without a STEP all run. Each prints one line, the last line is the sum, and build/logs has what
//! the steps print. The exit code is 77 if a compiler, QEMU or a right is missing.
//!
//! User mode emulates the processor and passes system calls on to this kernel, which does not know
//! how to start a program for aarch64: `mpiexec` could not start ranks. So the steps run in a user
//! namespace in which `binfmt_misc` has QEMU as the interpreter of such programs. Linux 6.7 is the
//! first to have that; on older ones the whole system must have it (Debian's package
//! `qemu-user-binfmt`).
//!
//! Pages of 16 and 64 KiB were not seen to work: with them every program ends in MPI_Init under
//! QEMU 7.2, at an address behind the loader's data, most likely because the emulator leaves the
//! end of that page unmapped; newer ones have no such option.
//!
//! The emulator is no processor with weak memory ordering: it executes the loads and stores of a
//! thread on x86-64 nearly in their order. The orderings are what loom's models check.

use crate::commands;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// The processor, as Rust names it.
pub const TARGET: &str = "aarch64-unknown-linux-gnu";

/// Exit code of a check that cannot run here.
const SKIPPED: u8 = 77;

/// The cross compilers, the name under which scripts call each, and the package.
const COMPILERS: [(&str, &[&str], &str); 3] = [
    ("aarch64-linux-gnu-gcc", &["cc", "gcc"], "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"),
    ("aarch64-linux-gnu-g++", &["c++", "g++"], "g++-aarch64-linux-gnu"),
    ("aarch64-linux-gnu-gfortran", &["gfortran"], "gfortran-aarch64-linux-gnu"),
];

/// Names of the emulator.
const EMULATORS: [&str; 2] = ["qemu-aarch64-static", "qemu-aarch64"];

/// Folder of the C library for aarch64, in which the emulator looks first.
const SYSROOT: &str = "/usr/aarch64-linux-gnu";

/// Size limit of files in the emulation. It limits the segment, for each page of which the emulator
/// keeps some bytes, touched or not: a tebibyte would take gigabytes. This much has space for all
/// parts of a slot, and for the longest file of the tests.
const FILE_BYTES_MAX: u64 = 64 << 30;

/// A registration of `binfmt_misc`: a 64-bit ELF file for aarch64 (e_machine 183), executable or
/// position-independent. `F` opens the interpreter now, so that it is found in any namespace.
const MAGIC: &str = r"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00";
const MASK: &str =
    r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff";
const BINFMT: &str = "/proc/sys/fs/binfmt_misc";

/// The word with which this program calls itself in the namespace.
const INSIDE: &str = "--inside";

/// Unit tests that the emulator cannot run, with the reason.
const LEFT_OUT_TESTS: &[(&str, &str)] = &[
    ("kernel_copy::tests::unmapped_memory_is_an_error", NO_COPIES),
    ("kernel_copy::tests::bytes_arrive_at_every_offset_and_nowhere_else", NO_COPIES),
    ("doctor::loading::tests::a_real_program_misses_nothing", NO_LOADER),
    ("elf::tests::this_program_names_its_processor_and_libraries", NO_LOADER),
    (
        "file::tests::every_caching_moves_the_same_bytes",
        "the emulator does not have pwritev2, by which writes go through the cache",
    ),
    (
        "check::tests::the_own_processors_time_is_read",
        "the emulator shows programs a /proc/self/stat of its own",
    ),
    ("calls::tests::the_line_of_a_call_is_told", "this build has no debug information"),
    (
        "process_state::tests::the_text_of_the_kernel_is_understood",
        "the emulator shows programs a /proc/self/stat of its own",
    ),
    (
        "process_state::tests::children_that_sleep_compute_and_are_stopped_are_told_apart",
        "the kernel tells the numbers of system calls of this host's processor",
    ),
    (
        "sharing::an_access_is_carried_out_once",
        "it does not end in its time under emulation; why was not studied",
    ),
    (
        "rank::tests::a_directory_and_a_program_for_another_processor_are_not_started",
        "this host's shell is a program for another processor",
    ),
];

/// Files of tests that are not run.
const LEFT_OUT_FILES: &[(&str, &str)] = &[
    (
        "crates/mpiexec/tests",
        "they find processes by their command lines, which begin with the emulator, and by times",
    ),
    ("crates/netmod/tests/c_module.rs", "it compiles modules by this host's compiler"),
    (
        "crates/netmods/verbs/tests/conformance.rs, figures.rs and trouble.rs",
        "the mock of libibverbs copies by process_vm_readv, which the emulator does not have",
    ),
    (
        "crates/simulation/tests",
        "the emulator keeps some bytes for each page of a segment, touched or not: they take all \
         memory of a machine with 24 GiB",
    ),
];

/// The packages of these files, and the targets of each that are run.
const PACKAGES_IN_PART: &[(&str, &[&str])] = &[
    ("nemesis-mpiexec", &["--bins"]),
    ("nemesis-simulation", &["--lib", "--bins"]),
    ("nemesis-netmod-verbs", &["--lib", "--test=device", "--test=layout"]),
    ("nemesis-netmod", &["--lib"]),
];

/// The loader that programs for aarch64 name.
const NO_LOADER: &str = "the loader for aarch64 is not at its place on this host";

/// The emulator's reason to refuse `process_vm_readv` and `process_vm_writev`.
const NO_COPIES: &str = "the emulator does not have process_vm_readv and process_vm_writev";

/// C programs that the emulator cannot run, with the reason.
const LEFT_OUT_PROGRAMS: &[(&str, &str)] = &[
    ("pt2pt_protocols", NO_COPIES),
    ("errors_beyond_memory", "the memory of the emulator lies beyond the stack"),
    ("rma_freed_early", "it measures memory, and that of the emulator counts"),
    ("rma_full", "the segment of the emulation is so short that no control block is left"),
    ("rma_thread", "the emulator does not limit the addresses of its programs"),
    ("session_memory", "the emulator does not give a mapping the address of one that is gone"),
];

/// The folders of the check.
struct Place {
    root: PathBuf,
    /// Folder of the build, which is cargo's target folder.
    build: PathBuf,
    /// Folder of the libraries and programs for aarch64.
    built: PathBuf,
    /// Folder of the compilers under their usual names.
    programs: PathBuf,
    emulator: PathBuf,
}

/// What a step has found.
struct Outcome {
    /// Number of tests and programs that have passed.
    passed: u32,
    /// What failed; empty if nothing did.
    failed: Vec<String>,
}

type Step = (&'static str, fn(&Place) -> Outcome);

const STEPS: [Step; 6] = [
    ("unit", unit),
    ("programs", programs),
    ("abi", abi),
    ("symbols", symbols),
    ("fortran", fortran),
    ("launcher", launcher),
];

/// Runs the check, or the named steps of it.
pub fn check(root: &Path, words: &[&str]) -> ExitCode {
    let (inside, wanted) = match words {
        [INSIDE, wanted @ ..] => (true, wanted),
        wanted => (false, wanted),
    };
    if let Some(unknown) = wanted.iter().find(|word| STEPS.iter().all(|step| step.0 != **word)) {
        let names: Vec<&str> = STEPS.iter().map(|step| step.0).collect();
        eprintln!("check-aarch64: no step is called {unknown}; the steps are: {}", names.join(" "));
        return ExitCode::from(2);
    }
    let place = match Place::find(root) {
        Ok(place) => place,
        Err(missing) => return skip(&missing),
    };
    if inside {
        return match place.register() {
            Ok(()) => run_steps(&place, wanted),
            Err(why) => skip(&why),
        };
    }
    // Cargo may replace this program while it builds.
    let copied = commands::copy_of_this_program(&place.build);
    let built = copied.and_then(|_| place.build(wanted.is_empty() || wanted.contains(&"unit")));
    if let Err(why) = built {
        eprintln!("check-aarch64: {why}");
        return ExitCode::FAILURE;
    }
    if place.runs_programs() {
        return run_steps(&place, wanted);
    }
    in_namespace(&place, wanted)
}

fn skip(why: &str) -> ExitCode {
    println!("check-aarch64: skipped: {why}");
    ExitCode::from(SKIPPED)
}

/// Returns the path of a program in PATH.
fn found(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Runs this program again in a user namespace with mounts of its own.
fn in_namespace(place: &Place, wanted: &[&str]) -> ExitCode {
    let status = Command::new("unshare")
        .args(["--map-root-user", "--mount", "--"])
        .arg(place.own_program())
        .args(["check-aarch64", INSIDE])
        .args(wanted)
        .status();
    match status.map(|status| status.code()) {
        // What unshare(1) itself answers if it is refused.
        Ok(Some(1)) if !may_unshare() => skip("this system permits no user namespaces"),
        Ok(code) => ExitCode::from(code.map_or(1, |code| code as u8)),
        Err(error) => skip(&format!("unshare: {error} (apt-get install util-linux)")),
    }
}

fn may_unshare() -> bool {
    let tried = Command::new("unshare").args(["--map-root-user", "--mount", "true"]).status();
    tried.is_ok_and(|status| status.success())
}

impl Place {
    /// Finds what the check needs, or names what is missing.
    fn find(root: &Path) -> Result<Place, String> {
        let mut missing: Vec<&str> = COMPILERS
            .iter()
            .filter(|(compiler, ..)| found(compiler).is_none())
            .map(|(.., package)| *package)
            .collect();
        let emulator = EMULATORS.iter().find_map(|name| found(name));
        if emulator.is_none() {
            missing.push("qemu-user-static");
        }
        if !missing.is_empty() {
            return Err(format!("apt-get install --no-install-recommends {}", missing.join(" ")));
        }
        let library = Command::new("rustc")
            .args(["--print", "target-libdir", "--target", TARGET])
            .output()
            .map_err(|error| format!("rustc: {error}"))?;
        if !Path::new(String::from_utf8_lossy(&library.stdout).trim()).is_dir() {
            return Err(format!("rustup target add {TARGET}"));
        }
        let build = root.join("build/aarch64");
        Ok(Place {
            root: root.into(),
            built: build.join(TARGET).join("debug"),
            programs: build.join("programs"),
            build,
            emulator: emulator.expect("it is not missing"),
        })
    }

    /// Returns the path of the copy of this program that runs the steps.
    fn own_program(&self) -> PathBuf {
        self.build.join(commands::COPY_OF_THIS_PROGRAM)
    }

    /// Builds libraries, programs and perhaps tests, a little optimised, because emulation is slow.
    fn build(&self, tests: bool) -> Result<(), String> {
        eprintln!("check-aarch64: compiling for {TARGET}");
        self.name_compilers().map_err(|why| format!("{}: {why}", self.programs.display()))?;
        // The tests of jobs run on this processor.
        let mut jobs = commands::cargo();
        jobs.args(["build", "--quiet", "--workspace", "--bin", "nemesis-jobs"]);
        let built = jobs.current_dir(&self.root).env_remove("CARGO_TARGET_DIR").status();
        if !built.map_err(|error| format!("cargo: {error}"))?.success() {
            return Err("the tests of jobs do not compile for this processor".into());
        }
        let mut calls = vec![vec!["build", "--workspace"]];
        if tests {
            calls.push(vec!["test", "--no-run", "--workspace", "--lib", "--bins", "--tests"]);
        }
        for words in calls {
            let status = self.cargo(&words).status().map_err(|error| format!("cargo: {error}"))?;
            if !status.success() {
                return Err(format!("cargo {} ended with {status}", words.join(" ")));
            }
        }
        Ok(())
    }

    /// Returns a call of cargo for aarch64.
    fn cargo(&self, words: &[&str]) -> Command {
        let mut cargo = Command::new("cargo");
        cargo
            .args(words)
            .args(["--quiet", "--target", TARGET])
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.build)
            .env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", COMPILERS[0].0)
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "1")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_INCREMENTAL", "0")
            .env("QEMU_LD_PREFIX", SYSROOT);
        cargo
    }

    /// Makes the compilers available under the names by which scripts call them.
    fn name_compilers(&self) -> std::io::Result<()> {
        fs::create_dir_all(&self.programs)?;
        for (compiler, names, _) in COMPILERS {
            for name in names {
                let path = self.programs.join(name);
                fs::write(&path, format!("#!/bin/sh\nexec {compiler} \"$@\"\n"))?;
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
            }
        }
        Ok(())
    }

    /// Returns whether this kernel starts programs for aarch64.
    fn runs_programs(&self) -> bool {
        let mpiexec = Command::new(self.built.join("mpiexec"))
            .arg("--version")
            .env("QEMU_LD_PREFIX", SYSROOT)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        mpiexec.is_ok_and(|status| status.success())
    }

    /// Makes the emulator the interpreter of programs for aarch64 in this user namespace.
    fn register(&self) -> Result<(), String> {
        let mounted = Command::new("mount")
            .args(["-t", "binfmt_misc", "binfmt_misc", BINFMT])
            .stderr(Stdio::null())
            .status();
        if !mounted.is_ok_and(|status| status.success()) {
            return Err("this kernel has no binfmt_misc for user namespaces (Linux 6.7), and the \
                        system starts no programs for aarch64: apt-get install qemu-user-binfmt \
                        binfmt-support"
                .into());
        }
        let entry = format!(":aarch64:M::{MAGIC}:{MASK}:{}:F", self.emulator.display());
        fs::write(Path::new(BINFMT).join("register"), entry)
            .map_err(|error| format!("{BINFMT}/register: {error}"))?;
        if self.runs_programs() {
            Ok(())
        } else {
            Err(format!("{} does not start programs", self.emulator.display()))
        }
    }

    /// Returns a command in the emulation, in the repository's root, with a limit of the length of
    /// files.
    fn emulated(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new("prlimit");
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .arg(format!("--fsize={FILE_BYTES_MAX}"))
            .arg(program)
            .current_dir(&self.root)
            .env("PATH", format!("{}:{path}", self.programs.display()))
            .env("QEMU_LD_PREFIX", SYSROOT)
            .env("NEMESIS_BUILT", &self.built)
            // Scripts would build it with the compilers of `programs`.
            .env("NEMESIS_XTASK", self.own_program());
        command
    }

    /// Returns a call of the tests of jobs, which start programs in the emulation. scripts/jobs
    /// would build them with the compilers of `programs`.
    fn jobs(&self, suite: &str) -> Command {
        let mut command = self.emulated(self.root.join("target/debug/nemesis-jobs"));
        command.arg(suite);
        command
    }

    /// Runs a command, which appends what it prints to the log of a step, and returns that text
    /// with whether the command has succeeded.
    fn logged(&self, step: &str, command: &mut Command) -> (String, bool) {
        let program = command.get_program().to_owned();
        let mut run = || -> std::io::Result<(String, bool)> {
            let path = self.log(step);
            let log = fs::OpenOptions::new().create(true).append(true).open(&path)?;
            let before = log.metadata()?.len() as usize;
            command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
            let succeeded = command.status()?.success();
            Ok((String::from_utf8_lossy(&fs::read(path)?[before..]).into_owned(), succeeded))
        };
        run().unwrap_or_else(|error| (format!("{}: {error}", program.display()), false))
    }

    fn log(&self, step: &str) -> PathBuf {
        self.root.join(format!("build/logs/aarch64-{step}.log"))
    }
}

/// Runs the steps that are wanted, all by default, and prints the sum.
fn run_steps(place: &Place, wanted: &[&str]) -> ExitCode {
    // Failing to make it is told by the first log.
    let _ = fs::create_dir_all(place.root.join("build/logs"));
    let (mut passed, mut failed) = (0, 0);
    for (name, step) in STEPS.iter().filter(|(name, _)| wanted.is_empty() || wanted.contains(name))
    {
        let _ = fs::remove_file(place.log(name));
        eprintln!("check-aarch64: {name} (build/logs/aarch64-{name}.log)");
        let begun = Instant::now();
        let outcome = step(place);
        let word = if outcome.failed.is_empty() { "ok" } else { "FAILED" };
        let seconds = begun.elapsed().as_secs();
        println!("{name:<10} {word:<7} {seconds:>4} s, {} passed", outcome.passed);
        outcome.failed.iter().for_each(|line| println!("    {line}"));
        if !outcome.failed.is_empty() {
            println!("    (all of it: build/logs/aarch64-{name}.log)");
        }
        passed += outcome.passed;
        failed += outcome.failed.len();
    }
    let left_out: Vec<_> =
        LEFT_OUT_TESTS.iter().chain(LEFT_OUT_FILES).chain(LEFT_OUT_PROGRAMS).collect();
    left_out.iter().for_each(|(what, why)| println!("left out   {what}: {why}"));
    let left_out = left_out.len();
    println!("aarch64 under emulation: {passed} passed, {failed} failed, {left_out} left out");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn unit(place: &Place) -> Outcome {
    let mut calls = vec![vec!["--workspace", "--lib", "--bins", "--tests"]];
    for (package, targets) in PACKAGES_IN_PART {
        calls[0].extend(["--exclude", package]);
        calls.push([&["-p", package], *targets].concat());
    }
    let mut all = Outcome { passed: 0, failed: Vec::new() };
    for words in calls {
        let outcome = cargo_test(place, &words);
        all.passed += outcome.passed;
        all.failed.extend(outcome.failed);
    }
    all
}

/// Runs the tests of some packages by cargo.
fn cargo_test(place: &Place, packages: &[&str]) -> Outcome {
    let mut tests = place.emulated("cargo");
    for (name, value) in place.cargo(&[]).get_envs() {
        tests.env(name, value.expect("the environment is only extended"));
    }
    // The host's programs that cargo may have to build need the host's compiler.
    tests.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    tests.args(["test", "--no-fail-fast", "--target", TARGET]).args(packages);
    tests.args(["--", "--test-threads=2"]);
    for (name, _) in LEFT_OUT_TESTS {
        tests.args(["--skip", name]);
    }
    let (text, succeeded) = place.logged("unit", &mut tests);
    let is_bad = |line: &&str| {
        line.starts_with("test ") && line.ends_with("FAILED") || line.starts_with("error: test")
    };
    let mut failed: Vec<String> = text.lines().filter(is_bad).map(str::to_owned).collect();
    if !succeeded && failed.is_empty() {
        failed.push("cargo test failed".into());
    }
    let passed = text.lines().filter(|line| line.starts_with("test ") && line.ends_with(" ok"));
    Outcome { passed: passed.count() as u32, failed }
}

/// Counts the lines of a script that tells of each program "ok", "refused" or "FAILED".
fn judged((text, succeeded): (String, bool)) -> Outcome {
    let is_good = |line: &&str| line.ends_with(" ok") || line.ends_with(" refused");
    let is_bad = |line: &&str| {
        !line.starts_with(' ') && (line.contains("FAILED") || line.ends_with("does not compile"))
    };
    let mut failed: Vec<String> = text.lines().filter(is_bad).map(str::to_owned).collect();
    if !succeeded && failed.is_empty() {
        let last = text.lines().rev().find(|line| !line.is_empty());
        failed.push(last.unwrap_or("it failed without a word").to_owned());
    }
    Outcome { passed: text.lines().filter(is_good).count() as u32, failed }
}

/// Returns a call of the C programs in some modes, at some numbers of ranks.
fn test_c(place: &Place, modes: &[&str], sizes: &[&str]) -> Command {
    let mut command = place.jobs("mpi");
    command.args(["-d", "-t", "8"]);
    for (option, values) in [("-m", modes), ("-n", sizes)] {
        values.iter().for_each(|value| {
            command.args([option, value]);
        });
    }
    // Fewer rounds of what is repeated.
    command.env("TEST_DIVISOR", "16");
    command
}

/// The modes and numbers of ranks in which C programs are run: over shared memory and over TCP.
const MODES: [&str; 2] = ["default", "network"];
const SIZES: [&str; 2] = ["2", "4"];

/// Returns which of some words a C program is for, by a line of its head such as `sizes: 1 2`. If
/// none is, it runs with the words of that line.
fn words_for(text: &str, line: &str, wanted: [&'static str; 2]) -> Vec<&'static str> {
    let named = text
        .lines()
        .find_map(|text| text.trim_matches([' ', '*', '/']).strip_prefix(line)?.strip_prefix(':'));
    let has =
        |word: &&str| named.is_none_or(|words| words.split_whitespace().any(|one| one == *word));
    wanted.into_iter().filter(has).collect()
}

/// The programs that are for the same modes and numbers of ranks.
type ByForm = BTreeMap<[Vec<&'static str>; 2], Vec<String>>;

/// Returns the C programs that the emulator can run.
fn programs_by_form(place: &Place) -> std::io::Result<ByForm> {
    let mut by_form = ByForm::new();
    for entry in fs::read_dir(place.root.join("tests/mpi"))? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if path.extension().is_some_and(|extension| extension == "c")
            && LEFT_OUT_PROGRAMS.iter().all(|(program, _)| *program != name)
        {
            let text = fs::read_to_string(&path)?;
            let form = [words_for(&text, "modes", MODES), words_for(&text, "sizes", SIZES)];
            by_form.entry(form).or_default().push(name);
        }
    }
    Ok(by_form)
}

fn programs(place: &Place) -> Outcome {
    let mut all = Outcome { passed: 0, failed: Vec::new() };
    match programs_by_form(place) {
        Ok(by_form) => {
            for ([modes, sizes], mut names) in by_form {
                names.sort();
                let mut command = test_c(place, &modes, &sizes);
                let outcome = judged(place.logged("programs", command.args(names)));
                all.passed += outcome.passed;
                all.failed.extend(outcome.failed);
            }
        }
        Err(error) => all.failed.push(format!("tests/mpi: {error}")),
    }
    all
}

fn abi(place: &Place) -> Outcome {
    let (text, succeeded) = place.logged("abi", &mut place.jobs("abi"));
    let last = text.lines().rev().find(|line| !line.is_empty()).unwrap_or("no output");
    Outcome {
        passed: succeeded.into(),
        failed: if succeeded { Vec::new() } else { vec![last.to_owned()] },
    }
}

fn symbols(place: &Place) -> Outcome {
    let mut command = Command::new(place.own_program());
    command.arg("abi").env("CARGO_TARGET_DIR", place.build.join(TARGET));
    let (text, succeeded) = place.logged("symbols", &mut command);
    let failed = if succeeded { Vec::new() } else { text.lines().map(str::to_owned).collect() };
    Outcome { passed: succeeded.into(), failed }
}

fn fortran(place: &Place) -> Outcome {
    let mut command = place.emulated("scripts/test-fortran");
    judged(place.logged("fortran", command.args(["-c", "gfortran", "-n", "2", "-n", "4"])))
}

/// Runs what the launcher does besides the jobs of the other steps.
fn launcher(place: &Place) -> Outcome {
    let mpiexec = place.built.join("mpiexec");
    let rank = place.built.join("nemesis-test-rank").display().to_string();
    let mut outcome = Outcome { passed: 0, failed: Vec::new() };
    // Arguments, what is printed, and whether the job succeeds.
    for (words, expected, succeeds) in [
        (&["-verbose", "-n", "2", &rank, "meet"][..], "2 of 2 ranks", true),
        (&["-arch", "aarch64", "-n", "3", &rank, "meet"], "", true),
        (&["-arch", "x86_64", "-n", "1", &rank, "meet"], "aarch64", false),
        (&["-agent", "{cmd}", "-hosts", "a,b", "-n", "4", &rank, "meet"], "", true),
    ] {
        let (text, succeeded) = place.logged("launcher", place.emulated(&mpiexec).args(words));
        match text.contains(expected) && succeeded == succeeds {
            true => outcome.passed += 1,
            false => outcome.failed.push(format!("mpiexec {}: {text}", words.join(" "))),
        }
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_run_in_their_own_modes() {
        let text = "/* Does something.\n *\n * sizes: 1 2 7\n * modes: default copy */\nint x;";
        assert_eq!(words_for(text, "sizes", SIZES), ["2"]);
        assert_eq!(words_for(text, "modes", MODES), ["default"]);
        assert_eq!(words_for("/* sizes: 16 19 */", "sizes", SIZES), [""; 0]);
        assert_eq!(words_for("/* sizes: 16 19 */", "modes", MODES), MODES);
    }
}
