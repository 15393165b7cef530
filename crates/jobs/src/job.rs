//! A job: its command, where it runs, and how it must end.

use crate::folder::Folder;
use crate::hosts::Host;
use crate::processes::MARK;
use crate::{launcher, processes, stacks, text};
use rustix::process::Signal;
use std::fs::File;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// Seconds in which a job must end, unless it says otherwise.
const LIMIT: u64 = 60;

/// What begins a state report.
const REPORT: &str = "mpiexec: state report";

/// Seconds after which a wait is told before the end of a job, and some more.
const OLD_S: f64 = 3.0;

/// The shell script that changes the folder and becomes the command.
const IN_FOLDER: &str = "cd \"$0\" && exec \"$@\"";

/// A job that does not run yet.
#[derive(Clone)]
pub struct Job<'a> {
    own: &'a Folder,
    words: Vec<String>,
    environment: Vec<(String, Option<String>)>,
    folder: PathBuf,
    host: Option<Host>,
    limit: Duration,
    may_exceed: bool,
}

impl<'a> Job<'a> {
    /// Describes a job by the words of its command. It runs in a folder, which gets its output.
    pub fn new(own: &'a Folder, words: Vec<String>) -> Job<'a> {
        Job {
            own,
            words,
            environment: Vec::new(),
            folder: own.path.clone(),
            host: None,
            limit: Duration::from_secs(LIMIT),
            may_exceed: false,
        }
    }

    /// Adds words to the command as they are.
    #[must_use]
    pub fn words<W: AsRef<str>>(mut self, words: impl IntoIterator<Item = W>) -> Self {
        self.words.extend(words.into_iter().map(|word| word.as_ref().to_string()));
        self
    }

    /// Sets a variable of the environment.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl ToString) -> Self {
        self.environment.push((name.into(), Some(value.to_string())));
        self
    }

    /// Removes a variable of the environment.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.environment.push((name.into(), None));
        self
    }

    /// Runs the job in a folder; without it, in that of the scene.
    #[must_use]
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = folder.into();
        self
    }

    /// Starts the command on a simulated host.
    #[must_use]
    pub fn on(mut self, host: Host) -> Self {
        self.host = Some(host);
        self
    }

    /// Sets the seconds in which the job must end.
    #[must_use]
    pub fn limit(mut self, seconds: u64) -> Self {
        self.limit = Duration::from_secs(seconds);
        self
    }

    /// A job that takes longer than its limit has the exit code 124 instead of failing the case.
    #[must_use]
    pub fn may_exceed(mut self) -> Self {
        self.may_exceed = true;
        self
    }

    /// Starts the job; its output goes to a file.
    #[track_caller]
    pub fn start(&self) -> Running {
        let output = self.own.fresh("output");
        let mark = output.display().to_string();
        let file = File::create(&output).expect("a file for the output");
        let mut command = match &self.host {
            None => {
                let mut command = Command::new(&self.words[0]);
                command.args(&self.words[1..]).current_dir(&self.folder);
                command
            }
            Some(host) => {
                let mut command = host.command();
                command.args(["sh", "-c", IN_FOLDER]).arg(&self.folder).args(&self.words);
                command
            }
        };
        command.env(MARK, &mark).stdin(Stdio::null());
        command.stdout(file.try_clone().expect("a second descriptor")).stderr(file);
        for (name, value) in &self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let child = command.spawn().unwrap_or_else(|why| panic!("{}: {why}", self.words[0]));
        Running {
            child,
            mark,
            output,
            program: self.words[0].clone(),
            title: self.title(),
            begun: Instant::now(),
            limit: self.limit,
            may_exceed: self.may_exceed,
        }
    }

    /// Runs the job to its end.
    #[track_caller]
    pub fn run(&self) -> Ended {
        self.start().end()
    }

    fn title(&self) -> String {
        let variables = self.environment.iter().map(|(name, value)| match value {
            Some(value) => format!("{name}={value} "),
            None => format!("{name}= "),
        });
        variables.collect::<String>() + &self.words.join(" ")
    }
}

/// A job that runs. Its processes are killed when it is dropped.
pub struct Running {
    child: Child,
    mark: String,
    output: PathBuf,
    program: String,
    title: String,
    begun: Instant,
    limit: Duration,
    may_exceed: bool,
}

impl Running {
    /// The process of the command, as a rule mpiexec.
    pub fn pid(&self) -> i32 {
        self.child.id() as i32
    }

    /// The path of the command's program.
    pub fn program(&self) -> String {
        self.program.clone()
    }

    /// What the job has printed.
    pub fn output(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(&self.output).unwrap_or_default()).into_owned()
    }

    /// Whether the job has printed a line with this pattern.
    pub fn has_said(&self, pattern: &str) -> bool {
        text::says(&self.output(), pattern)
    }

    /// The processes of the job, on all hosts.
    pub fn processes(&self) -> Vec<i32> {
        processes::carrying(&format!("{MARK}={}", self.mark))
    }

    /// The processes of the job whose commands begin with `command`, in the order of their start.
    pub fn running(&self, command: &str) -> Vec<i32> {
        let mut found = self.processes();
        found.retain(|&pid| processes::command(pid).starts_with(command));
        found.sort_unstable();
        found
    }

    /// Whether the command has ended.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_some()
    }

    /// Waits until `holds`, for at most `seconds`. Fails if the job has ended before.
    #[track_caller]
    pub fn wait_until(&mut self, what: &str, seconds: u64, mut holds: impl FnMut(&Self) -> bool) {
        let until = Instant::now() + Duration::from_secs(seconds);
        while !holds(self) {
            let has_ended = self.has_ended() && !holds(self);
            if has_ended || Instant::now() >= until {
                let when = if has_ended { "when the job ended" } else { "in time" };
                panic!("not {when}: {what}\n{}\n{}", self.title, self.output());
            }
            crate::pause(0.02);
        }
    }

    /// Asks mpiexec, whose ranks are up, for state reports until one has a line with the
    /// pattern.
    #[track_caller]
    pub fn ask(&mut self, mpiexec: i32, pattern: &str, seconds: u64) {
        self.wait_until(&format!("a report says: {pattern}"), seconds, |job| {
            processes::signal(mpiexec, Signal::USR1);
            crate::pause(0.5);
            job.has_said(pattern)
        });
    }

    /// Ends mpiexec by SIGTERM once its ranks are in the state of the pattern. Returns whether the
    /// state report that comes before the end has the pattern, too.
    #[track_caller]
    pub fn ends_with_report(mut self, mpiexec: i32, pattern: &str, seconds: u64) -> (bool, Ended) {
        self.ask(mpiexec, pattern, seconds);
        // All reports that were asked for are there then, and the wait is old enough to be told.
        crate::pause(OLD_S);
        let asked = self.output().matches(REPORT).count();
        processes::signal(mpiexec, Signal::TERM);
        let ended = self.end();
        ended.code(128 + Signal::TERM.as_raw());
        let last = ended.output.rfind(REPORT).map_or("", |begin| &ended.output[begin..]);
        let is_new = ended.output.matches(REPORT).count() > asked;
        (is_new && text::says(last, pattern), ended)
    }

    /// Sends a signal to the process of the command.
    pub fn signal(&self, signal: Signal) {
        processes::signal(self.pid(), signal);
    }

    /// Fails unless all processes of the job end within `seconds`.
    #[track_caller]
    pub fn leaves_nothing(&self, seconds: f64) {
        if !crate::holds_within(seconds, || self.processes().is_empty()) {
            let left = self
                .processes()
                .into_iter()
                .map(|pid| format!("{pid} {}\n", processes::command(pid)));
            let left: String = left.collect();
            panic!("after {seconds} s these are left:\n{left}{}\n{}", self.title, self.output());
        }
    }

    /// Waits until the command ends. A command that exceeds its limit fails the case, and its
    /// stacks are shown.
    #[track_caller]
    pub fn end(mut self) -> Ended {
        let deadline = self.begun + self.limit;
        let mut pause = Duration::from_millis(1);
        let status = loop {
            if let Some(status) = self.child.try_wait().expect("a child") {
                break Some(status);
            }
            if Instant::now() >= deadline {
                break None;
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        };
        if status.is_none() {
            let stacks = stacks::of(&format!("{MARK}={}", self.mark));
            let limit = self.limit.as_secs();
            if !self.may_exceed {
                panic!("no end within {limit} s\n{}\n{}\n{stacks}", self.title, self.output());
            }
            let _ = std::fs::write(&self.output, self.output() + &stacks);
        }
        Ended {
            code: status.map_or(124, code_of),
            output: self.output(),
            took: self.begun.elapsed(),
            title: self.title.clone(),
            mark: self.mark.clone(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.has_ended() {
            for pid in self.processes() {
                processes::signal(pid, Signal::KILL);
            }
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Returns an exit code as a shell does: 128 and the signal of a killed process.
fn code_of(status: ExitStatus) -> i32 {
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or_default())
}

/// How a job has ended.
pub struct Ended {
    pub code: i32,
    pub output: String,
    pub took: Duration,
    title: String,
    mark: String,
}

impl Ended {
    /// Fails unless the exit code is this one.
    #[track_caller]
    pub fn code(&self, code: i32) -> &Self {
        if self.code != code {
            self.fail(&format!("exit code {}, {code} is expected", self.code));
        }
        self
    }

    /// Fails if the exit code is 0.
    #[track_caller]
    pub fn fails(&self) -> &Self {
        if self.code == 0 {
            self.fail("exit code 0, another is expected");
        }
        self
    }

    /// Fails unless a line of the output has the pattern, in which `*` stands for any characters.
    #[track_caller]
    pub fn says(&self, pattern: &str) -> &Self {
        if !text::says(&self.output, pattern) {
            self.fail(&format!("it does not say: {pattern}"));
        }
        self
    }

    /// Fails unless a line of the output has one of the patterns.
    #[track_caller]
    pub fn says_one_of(&self, patterns: &[&str]) -> &Self {
        if !patterns.iter().any(|pattern| text::says(&self.output, pattern)) {
            self.fail(&format!("it says none of: {patterns:?}"));
        }
        self
    }

    /// Fails unless this number of lines has the pattern.
    #[track_caller]
    pub fn says_times(&self, times: usize, pattern: &str) -> &Self {
        let seen = text::count(&self.output, pattern);
        if seen != times {
            self.fail(&format!("it says {seen} times, not {times}: {pattern}"));
        }
        self
    }

    /// Fails if a line of the output has the pattern.
    #[track_caller]
    pub fn does_not_say(&self, pattern: &str) -> &Self {
        if text::says(&self.output, pattern) {
            self.fail(&format!("it says: {pattern}"));
        }
        self
    }

    /// Fails if there is output, apart from that of a launcher that is no fault of the job.
    #[track_caller]
    pub fn says_nothing(&self) -> &Self {
        if !self.output.lines().all(launcher::is_warning) {
            self.fail("no output is expected");
        }
        self
    }

    /// Fails unless the job succeeded and printed nothing.
    #[track_caller]
    pub fn is_quiet(&self) -> &Self {
        self.code(0).says_nothing()
    }

    /// Fails unless all processes of the job end within ten seconds.
    #[track_caller]
    pub fn leaves_nothing(&self) -> &Self {
        let mark = format!("{MARK}={}", self.mark);
        if !crate::holds_within(10.0, || processes::carrying(&mark).is_empty()) {
            let left = processes::carrying(&mark);
            let left = left.into_iter().map(|pid| format!("{pid} {}\n", processes::command(pid)));
            self.fail(&format!("these processes are left:\n{}", left.collect::<String>()));
        }
        self
    }

    /// Fails with `what`, and shows the job.
    #[track_caller]
    pub fn fail(&self, what: &str) -> ! {
        let seconds = self.took.as_secs_f64();
        panic!(
            "{what}\n{}\nended after {seconds:.1} s with {}:\n{}",
            self.title, self.code, self.output
        );
    }
}
