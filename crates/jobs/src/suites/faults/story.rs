//! A job on simulated hosts that communicates until a fault.

use crate::hosts::{Host, Hosts};
use crate::job::{Job, Running};
use crate::scene::Scene;
use crate::{processes, text, traces};
use rustix::process::Signal;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Seconds in which a fault must be noticed: eight in which the kernel finds a cut cable, and more
/// for a loaded machine.
const LIMIT_S: u64 = 20;
/// Seconds in which the ranks must communicate.
const UP_S: u64 = 60;
/// Seconds after which nothing may be left.
const LEFT_S: f64 = 10.0;

/// Hosts on which a job communicates.
pub struct Story<'a> {
    pub scene: &'a Scene,
    pub hosts: &'a Hosts,
    /// Where each rank writes its number when it communicates.
    pub ranks: PathBuf,
    /// Whether the hosts have processes of their own, so that all that are left count.
    pub own_processes: bool,
    pub job: Option<Running>,
    /// A file in which the ranks write what they say; otherwise they print it.
    pub says_in: Option<PathBuf>,
    /// Variables of the job's environment.
    pub variables: Vec<(String, String)>,
}

impl<'a> Story<'a> {
    pub fn new(scene: &'a Scene, hosts: &'a Hosts) -> Story<'a> {
        let ranks = scene.fresh_folder("ranks");
        Story {
            scene,
            hosts,
            ranks,
            own_processes: true,
            job: None,
            says_in: None,
            variables: Vec::new(),
        }
    }

    /// Starts a job on "login" and waits until all its processes communicate; `@` is the folder of
    /// the ranks' numbers.
    pub fn starts(&mut self, processes: usize, command: &str) {
        self.starts_job(processes, |story| story.scene.job(&story.with_folder(command)));
    }

    /// Puts the folder of the ranks' numbers in the place of `@`.
    pub fn with_folder(&self, command: &str) -> String {
        let folder = self.ranks.display().to_string();
        let words = command.split(' ').map(|word| if word == "@" { &folder } else { word });
        words.collect::<Vec<_>>().join(" ")
    }

    pub fn starts_job(&mut self, processes: usize, job: impl Fn(&Self) -> Job<'a>) {
        let mut job = job(self).on(self.hosts.login()).limit(120);
        for (name, value) in &self.variables {
            job = job.env(name, value);
        }
        let mut job = job.start();
        job.wait_until("all ranks communicate", UP_S, |_| self.written() >= processes);
        crate::pause(0.5);
        self.job = Some(job);
    }

    fn written(&self) -> usize {
        let names = fs::read_dir(&self.ranks).into_iter().flatten().flatten();
        names.filter(|entry| entry.file_name().to_string_lossy().parse::<u32>().is_ok()).count()
    }

    pub fn job(&self) -> &Running {
        self.job.as_ref().expect("a job runs")
    }

    /// The process of a rank on its host, as this machine numbers it.
    pub fn rank(&self, rank: u32, host: &str) -> i32 {
        let own = fs::read_to_string(self.ranks.join(rank.to_string())).expect("a rank's number");
        let is_it = |pid: &i32| {
            let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
            let numbers = status.lines().find(|line| line.starts_with("NSpid:"));
            numbers.and_then(|line| line.split_whitespace().last()) == Some(own.trim())
        };
        let found = self.hosts.host(host).processes().into_iter().find(is_it);
        found.unwrap_or_else(|| panic!("rank {rank} is not on {host}"))
    }

    /// Kills a rank on a host.
    pub fn kill_rank(&self, rank: u32, host: &str) {
        processes::signal(self.rank(rank, host), Signal::KILL);
    }

    /// Kills the agent of mpiexec on a host.
    pub fn kill_agent(&self, host: &str) {
        processes::signal(self.agent(&self.hosts.host(host)), Signal::KILL);
    }

    fn agent(&self, host: &Host) -> i32 {
        let command = format!("{} --node-agent", self.scene.name("mpiexec"));
        let is_agent = |pid: &i32| processes::command(*pid).starts_with(&command);
        let found = host.processes().into_iter().filter(is_agent).min();
        found.unwrap_or_else(|| panic!("{} has no agent", host.name))
    }

    /// Kills the daemon that has started a rank; the rank must end by itself within `seconds`.
    pub fn kill_daemon_of(&self, rank: u32, host: &str, seconds: f64) {
        let rank = self.rank(rank, host);
        let daemon = processes::parent(rank).expect("somebody has started the rank");
        processes::signal(daemon, Signal::KILL);
        let ends = crate::holds_within(seconds, || !processes::is_alive(rank));
        assert!(ends, "the rank outlives its daemon\n{}", self.said());
    }

    /// What the job has said so far.
    fn said(&self) -> String {
        let file = self.says_in.as_ref().and_then(|path| fs::read_to_string(path).ok());
        file.unwrap_or_default() + &self.job().output()
    }

    /// Waits until the job has said all these words and, if it must, has ended.
    #[track_caller]
    fn notices(&mut self, words: &[&str], must_end: bool) {
        let deadline = Instant::now() + Duration::from_secs(LIMIT_S);
        loop {
            let has_ended = !must_end || self.job.as_mut().expect("a job").has_ended();
            let said = self.said();
            let missing = words.iter().find(|words| !text::says(&said, words));
            if has_ended && missing.is_none() {
                return;
            }
            if Instant::now() > deadline {
                let what = missing.copied().unwrap_or("the end");
                panic!("not within {LIMIT_S} s: {what}\n{said}");
            }
            crate::pause(0.05);
        }
    }

    /// The job must say these words and end, and leave nothing on any host.
    #[track_caller]
    pub fn ends_saying(&mut self, words: &[&str]) {
        self.notices(words, true);
        self.leaves_nothing();
    }

    /// The job must say these words. Its launcher may go on, and is killed.
    #[track_caller]
    pub fn goes_on_saying(&mut self, words: &[&str]) {
        self.notices(words, false);
        for pid in self.job().processes() {
            processes::signal(pid, Signal::KILL);
        }
        self.leaves_nothing();
    }

    #[track_caller]
    fn leaves_nothing(&self) {
        let found = || {
            let processes = self.job().processes().into_iter();
            let processes =
                processes.map(|pid| format!("process {pid} {}", processes::command(pid)));
            let files = traces::of_nemesis(Some(&self.hosts.login())).into_iter();
            let files = files.map(|file| format!("login: {file}"));
            let nodes = self.hosts.all_nodes();
            let nodes = nodes.iter().flat_map(|node| traces::of_host(node, self.own_processes));
            processes.chain(files).chain(nodes).collect::<Vec<_>>()
        };
        if !crate::holds_within(LEFT_S, || found().is_empty()) {
            panic!("left: {}\n{}", found().join("\n"), self.said());
        }
    }
}
