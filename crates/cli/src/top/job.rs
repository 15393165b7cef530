//! Finding jobs by their launchers, and the processes and memory of one, in `/proc`.

use crate::diagnostic::Diagnostic;
use nemesis_profile::layout::{Layout, MEMORY_NAME, memory};
use nemesis_shm::segment;
use nemesis_wireup::build::{self, OtherBuild};
use std::fmt::Write;
use std::fs::{self, File};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The name of a launcher's process.
const LAUNCHER: &str = "mpiexec";
/// The name of the segment's memory.
const SEGMENT_NAME: &str = "nemesis";

/// A launcher with ranks on this host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launcher {
    pub pid: u32,
    /// Its command line.
    pub command: String,
}

/// A rank of the job on this host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RankProcess {
    pub rank: u32,
    /// The number among the ranks of this host.
    pub local: usize,
    pub pid: u32,
    /// The ranks of the job, and those of this host.
    pub size: u32,
    pub local_size: usize,
}

/// Characters of a command that a list of jobs shows.
const COMMAND_CHARACTERS_MAX: usize = 64;

/// Finds the launcher of job `wanted`, or the only job. Its processes must be of this build,
/// because others may lay their memory out differently.
pub fn find(wanted: Option<u32>) -> Result<Launcher, Diagnostic> {
    let launcher = chosen(launchers(), wanted)?;
    match launcher.other_build() {
        Some(other) => Err(Diagnostic::new(
            "reading what the job does",
            other.to_string(),
            "the nemesis command that is installed beside that mpiexec",
        )),
        None => Ok(launcher),
    }
}

/// Returns whether a job of this user has its launcher on this host.
pub fn exists() -> bool {
    !launchers().is_empty()
}

/// Returns the newest job of this user and this build on this host, if there is one.
pub fn newest() -> Option<Launcher> {
    let started = |job: &Launcher| fs::metadata(format!("/proc/{}", job.pid)).ok()?.modified().ok();
    let mut jobs = launchers();
    jobs.retain(|job| job.other_build().is_none());
    jobs.into_iter().max_by_key(|job| (started(job), job.pid))
}

/// Describes what [`newest`] looks for, and whose jobs it does not show.
pub fn wanted() -> String {
    let me = rustix::process::getuid().as_raw();
    describe(&user_name(me), &nemesis_sys::host::hostname(), &users_of_others(me))
}

fn describe(user: &str, host: &str, others: &[String]) -> String {
    let mut text = format!("Waiting for an mpiexec of Nemesis that {user} starts on {host}.");
    if !others.is_empty() {
        let others = others.join(", ");
        // Writing to a String does not fail.
        let _ = write!(text, " Not shown: jobs of other users, who run an mpiexec: {others}.");
    }
    text.push_str(" Of a job on several hosts each host shows its own ranks.");
    text
}

/// Returns the names of the other users who run a launcher on this host.
fn users_of_others(me: u32) -> Vec<String> {
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let mut users: Vec<u32> = processes
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let _: u32 = entry.file_name().to_str()?.parse().ok()?;
            let user = entry.metadata().ok()?.uid();
            let name = fs::read_to_string(entry.path().join("comm")).ok()?;
            (user != me && name.trim_end() == LAUNCHER).then_some(user)
        })
        .collect();
    users.sort_unstable();
    users.dedup();
    users.into_iter().map(user_name).collect()
}

/// Returns the name of a user of this host, or a number.
fn user_name(user: u32) -> String {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = |line: &str| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(user)).then(|| name.to_owned())
    };
    users.lines().find_map(name).unwrap_or_else(|| format!("user {user}"))
}

/// Chooses one of `jobs`: that of process `wanted`, or the only one.
fn chosen(jobs: Vec<Launcher>, wanted: Option<u32>) -> Result<Launcher, Diagnostic> {
    const NONE: &str = "no mpiexec of Nemesis runs on this host for this user";
    let place = match wanted {
        Some(pid) => jobs.iter().position(|job| job.pid == pid),
        None => (jobs.len() == 1).then_some(0),
    };
    if let Some(place) = place {
        return Ok(jobs[place].clone());
    }
    let why = match (wanted, jobs.len()) {
        (None, 0) => NONE.to_owned(),
        (None, jobs) => format!("{jobs} jobs have ranks or their mpiexec on this host"),
        (Some(pid), 0) => {
            format!("process {pid} is no mpiexec of Nemesis of this user, and {NONE}")
        }
        (Some(pid), _) => format!("process {pid} is no mpiexec of Nemesis of this user"),
    };
    let advice = match jobs.len() {
        0 => "the host of the job's mpiexec, or the user who started it",
        _ => "one of these numbers",
    };
    let list = jobs.iter().map(|job| format!("{}  {}", job.pid, begin(&job.command)));
    Err(Diagnostic::new("finding the job", why, advice).with_lines(list))
}

/// Returns the beginning of a command, which fits a line.
fn begin(command: &str) -> String {
    match command.char_indices().nth(COMMAND_CHARACTERS_MAX) {
        Some((end, _)) => format!("{}...", &command[..end]),
        None => command.to_owned(),
    }
}

/// Returns the launchers of this user.
fn launchers() -> Vec<Launcher> {
    let me = rustix::process::getuid().as_raw();
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let mut found: Vec<Launcher> = processes
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
            let is_own = entry.metadata().ok()?.uid() == me;
            let name = fs::read_to_string(entry.path().join("comm")).ok()?;
            let has_segment = is_own && name.trim_end() == LAUNCHER;
            (has_segment && memory_of(pid, SEGMENT_NAME).is_some())
                .then(|| Launcher { pid, command: words(&entry.path().join("cmdline")).join(" ") })
        })
        .collect();
    found.sort_by_key(|job| job.pid);
    found
}

/// Returns the words of a file in which each ends with a null.
fn words(path: &Path) -> Vec<String> {
    let bytes = fs::read(path).unwrap_or_default();
    let words = bytes.split(|&byte| byte == 0).filter(|word| !word.is_empty());
    words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// Returns the path of the descriptor of process `pid` for the newest memfd of this name. The
/// launcher of another host may have inherited those of the launcher that started it, which are
/// older. Kernels before 5.19 do not tell the age, so there the highest descriptor counts.
fn memory_of(pid: u32, name: &str) -> Option<PathBuf> {
    let wanted = PathBuf::from(format!("/memfd:{name} (deleted)"));
    fs::read_dir(format!("/proc/{pid}/fd"))
        .ok()?
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .filter(|path| fs::read_link(path).is_ok_and(|target| target == wanted))
        .max_by_key(|path| {
            let number = path.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok());
            (fs::metadata(path).and_then(|file| file.created()).ok(), number)
        })
}

impl Launcher {
    /// Returns whether the launcher still runs.
    pub fn runs(&self) -> bool {
        memory_of(self.pid, SEGMENT_NAME).is_some()
    }

    /// Returns the ranks of this host that run, by rank.
    pub fn ranks(&self) -> Vec<RankProcess> {
        let path = format!("/proc/{0}/task/{0}/children", self.pid);
        let children = fs::read_to_string(path).unwrap_or_default();
        let pids = children.split_whitespace().filter_map(|pid| pid.parse().ok());
        let mut ranks: Vec<RankProcess> = pids.filter_map(rank_process).collect();
        ranks.sort_by_key(|rank| rank.rank);
        ranks
    }

    /// Describes the launcher if it is of another build than this command.
    fn other_build(&self) -> Option<OtherBuild> {
        // A launcher without segment has ended, which is told later.
        let text = self.segment()?.read::<{ build::BYTES_MAX }>(segment::BUILD as u64);
        let text = text.iter().take_while(|byte| byte.is_ascii_graphic());
        let text: String = text.map(|&byte| char::from(byte)).collect();
        let who = format!("the mpiexec of the job, process {},", self.pid);
        OtherBuild::unless_own(&who, Some(text.as_str()).filter(|text| !text.is_empty()))
    }

    /// Opens the segment of this host.
    pub fn segment(&self) -> Option<Memory> {
        Memory::open(&memory_of(self.pid, SEGMENT_NAME)?)
    }

    /// Opens the memory of the counters, if the job has any.
    pub fn counters(&self) -> Option<(Memory, Layout)> {
        let memory = Memory::open(&memory_of(self.pid, MEMORY_NAME)?)?;
        let layout = Layout::read(&memory.words(0, memory::WORDS))?;
        Some((memory, layout))
    }
}

/// Reads from its environment which rank a process is.
fn rank_process(pid: u32) -> Option<RankProcess> {
    let words = words(Path::new(&format!("/proc/{pid}/environ")));
    let number = |name: &str| {
        words
            .iter()
            .find_map(|word| word.strip_prefix(name)?.strip_prefix('=')?.parse::<u32>().ok())
    };
    Some(RankProcess {
        rank: number("PMI_RANK")?,
        local: number("MPI_LOCALRANKID")? as usize,
        pid,
        size: number("PMI_SIZE")?,
        local_size: number("MPI_LOCALNRANKS")? as usize,
    })
}

/// Memory of a job, which other processes write.
pub struct Memory {
    file: File,
    pub bytes: usize,
}

impl Memory {
    fn open(path: &Path) -> Option<Memory> {
        let file = File::open(path).ok()?;
        let bytes = file.metadata().ok()?.len() as usize;
        Some(Memory { file, bytes })
    }

    /// Reads bytes, zero where the memory ends.
    pub fn read<const N: usize>(&self, from: u64) -> [u8; N] {
        let mut bytes = [0; N];
        // A part that cannot be read stays zero, as unused memory is.
        let _ = self.file.read_exact_at(&mut bytes, from);
        bytes
    }

    /// Reads words, from word `from` on.
    pub fn words(&self, from: usize, words: usize) -> Vec<u64> {
        let mut bytes = vec![0; words * 8];
        let _ = self.file.read_exact_at(&mut bytes, from as u64 * 8);
        bytes.as_chunks().0.iter().copied().map(u64::from_ne_bytes).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{MemfdFlags, memfd_create};
    use rustix::io::dup;
    use std::os::fd::AsRawFd;
    use std::time::Duration;

    #[test]
    fn a_job_is_chosen_among_several() {
        let job = |pid, command: &str| Launcher { pid, command: command.into() };
        let jobs = || vec![job(7, "mpiexec -n 2 ./a"), job(9, "mpiexec ./b")];
        assert_eq!(chosen(jobs(), Some(9)).unwrap().pid, 9);
        assert_eq!(chosen(jobs()[..1].to_vec(), None).unwrap().pid, 7);
        let said = |jobs, wanted| chosen(jobs, wanted).unwrap_err().to_string();
        assert_eq!(
            said(jobs(), None),
            "finding the job: 2 jobs have ranks or their mpiexec on this host; try: one of these \
             numbers\n  7  mpiexec -n 2 ./a\n  9  mpiexec ./b"
        );
        assert!(
            said(jobs(), Some(1))
                .ends_with("of these numbers\n  7  mpiexec -n 2 ./a\n  9  mpiexec ./b")
        );
        let long = vec![job(7, &format!("mpiexec {}", "ä".repeat(90))), job(9, "mpiexec ./b")];
        assert!(said(long, None).contains("ää...\n  9  mpiexec ./b"));
        assert!(said(vec![], None).starts_with("finding the job: no mpiexec of Nemesis runs"));
        assert!(
            said(vec![], Some(1)).contains("process 1 is no mpiexec of Nemesis of this user, a")
        );
    }

    #[test]
    fn a_user_is_told_what_is_looked_for() {
        assert_eq!(
            describe("ann", "node1", &[]),
            "Waiting for an mpiexec of Nemesis that ann starts on node1. Of a job on several hosts \
             each host shows its own ranks."
        );
        let others = describe("ann", "node1", &["ben".into(), "user 7".into()]);
        assert!(
            others.contains(" Not shown: jobs of other users, who run an mpiexec: ben, user 7.")
        );
        assert_eq!(
            (user_name(0), user_name(4_000_000_000)),
            ("root".into(), "user 4000000000".into())
        );
    }

    #[test]
    fn the_newest_memory_is_found_behind_a_higher_descriptor() {
        let name = "nemesis-newest";
        let make = || memfd_create(name, MemfdFlags::CLOEXEC).unwrap();
        let first = make();
        // The times of files may be those of the last tick.
        std::thread::sleep(Duration::from_millis(30));
        let newest = make();
        let inherited = dup(&first).unwrap();
        if fs::metadata(descriptor(&newest)).unwrap().created().is_ok() {
            assert!(inherited.as_raw_fd() > newest.as_raw_fd());
            assert_eq!(memory_of(std::process::id(), name), Some(descriptor(&newest)));
        }
        assert_eq!(memory_of(std::process::id(), "nemesis-none"), None);
    }

    fn descriptor(file: &impl AsRawFd) -> PathBuf {
        format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()).into()
    }
}
