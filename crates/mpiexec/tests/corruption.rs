//! Jobs into whose shared segment a stray writer writes random bytes.
//!
//! A job may end as if nothing had happened, with wrong data, or with an error that says what, who,
//! why and what to try. It must not panic, die of a signal without words, or leave processes, and
//! it must not hang, unless the program tests in a loop. A job is drawn from its number:
//! the program, the ranks, the places and what is written there. Its times are drawn, too, but
//! meet the program somewhere else each time.
//!
//! The tests need the libraries of `cargo build --release`, and a C compiler. Variables:
//!
//! * `CORRUPTION_JOBS`: the number of jobs, 32 unless it is set
//! * `CORRUPTION_FIRST`: the number of the first job, 1 unless it is set
//! * `CORRUPTION_KEEP`: a folder into which what each job prints is written

mod launch;

use launch::marked;
use nemesis_shm::layout::{Layout, at};
use rustix::fs::SeekFrom;
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// The programs of `tests/mpi` that are run, and milliseconds in which each usually ends.
const PROGRAMS: [(&str, u64); 20] = [
    ("pt2pt_sizes", 400),
    ("pt2pt_random", 350),
    ("pt2pt_order", 300),
    ("pt2pt_sendrecv", 180),
    ("pt2pt_cooperative", 500),
    ("pt2pt_many", 280),
    ("pt2pt_bulk", 370),
    ("pt2pt_persistent", 90),
    ("pt2pt_partitioned", 160),
    ("coll_data", 4000),
    ("coll_nonblocking", 380),
    ("coll_segments", 2700),
    ("coll_algorithms", 1000),
    ("rma_access", 1100),
    ("rma_am", 480),
    ("rma_atomic", 1300),
    ("rma_epochs", 1200),
    ("comm_growth", 490),
    ("io_collective", 180),
    ("io_random", 1500),
];

/// Time within which a job must have ended, on a machine where several run at once.
const LIMIT: Duration = Duration::from_secs(20);
/// Time in which mpiexec says what the ranks do.
const REPORT_TIME: Duration = Duration::from_secs(3);
/// Jobs that run at the same time. Most of the time of a job that stands still is a wait.
const AT_ONCE: usize = 4;
/// Bytes of a slot's head.
const HEAD_BYTES: u64 = at::HEAD_BYTES as u64;
/// Bytes of the words of a slot's head that every message uses: queues, doorbell, copies.
const WORDS_BYTES: u64 = 512;
const LINE_BYTES: u64 = 64;

/// Random numbers: a counter whose values are mixed (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Returns a number of `range`, which is not empty.
    fn within(&mut self, range: Range<u64>) -> u64 {
        range.start + self.next() % (range.end - range.start)
    }

    /// Returns one of `all`.
    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.within(0..all.len() as u64) as usize]
    }
}

/// Where a burst writes.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// The header of the segment.
    Header,
    /// The heads of slots: queues, doorbells, status lines.
    Heads,
    /// The words of heads that every message uses.
    Words,
    /// Beginnings of lines in memory in use: packet headers, progress words, flags.
    Lines,
    /// Memory in use of the slots.
    Slots,
    /// Memory in use of the heaps: windows, segments of collectives.
    Heaps,
}

/// What a burst writes.
#[derive(Clone, Copy, Debug)]
enum Value {
    Bytes,
    Zeros,
    Ones,
    /// The word that is there, and a small number more or less.
    Near,
    Flip,
}

/// A burst of writes, some time after the ranks have joined.
#[derive(Debug)]
struct Burst {
    after_ms: u64,
    writes: u64,
    place: Place,
    value: Value,
}

/// What happens in one job.
#[derive(Debug)]
struct Plan {
    number: u64,
    program: &'static str,
    ranks: usize,
    bursts: Vec<Burst>,
}

impl Plan {
    fn draw(number: u64) -> Plan {
        let mut random = Random(number);
        let (program, milliseconds) = random.one_of(&PROGRAMS);
        let ranks = random.one_of(&[2, 4]);
        let places = [Place::Words, Place::Words, Place::Lines, Place::Lines, Place::Heaps];
        let places = [&places[..], &[Place::Header, Place::Heads, Place::Slots]].concat();
        let values = [Value::Bytes, Value::Zeros, Value::Ones, Value::Near, Value::Flip];
        let bursts = (0..random.within(1..4)).map(|_| Burst {
            after_ms: random.within(0..milliseconds),
            writes: random.one_of(&[4, 16, 64, 256, 1024]),
            place: random.one_of(&places),
            value: random.one_of(&values),
        });
        let mut bursts: Vec<Burst> = bursts.collect();
        bursts.sort_by_key(|burst| burst.after_ms);
        Plan { number, program, ranks, bursts }
    }
}

/// The segment of a running job.
struct Segment {
    file: File,
    layout: Layout,
    ranks: usize,
}

impl Segment {
    /// Opens the segment of the job of `mpiexec`, when all ranks have joined. Returns `None` if the
    /// job ends before.
    fn open(mpiexec: &mut Child, ranks: usize) -> Option<Segment> {
        let folder = format!("/proc/{}/fd", mpiexec.id());
        while mpiexec.try_wait().expect("mpiexec is a child").is_none() {
            thread::sleep(Duration::from_millis(1));
            let Some(file) = Segment::file_in(&folder) else { continue };
            let bytes = file.metadata().expect("an open file").len() as usize;
            // mpiexec may have made the file and not yet given it its length.
            let Some(layout) = Layout::new(bytes, ranks) else { continue };
            let segment = Segment { file, layout, ranks };
            while mpiexec.try_wait().expect("mpiexec is a child").is_none() {
                if (0..ranks).all(|slot| segment.has_joined(slot)) {
                    return Some(segment);
                }
                thread::sleep(Duration::from_millis(1));
            }
        }
        None
    }

    fn file_in(folder: &str) -> Option<File> {
        let entries = std::fs::read_dir(folder).ok()?.flatten();
        let mut paths = entries.map(|entry| entry.path());
        let path = paths.find(|path| {
            let target = std::fs::read_link(path).unwrap_or_default();
            target.to_string_lossy().starts_with("/memfd:nemesis")
        })?;
        File::options().read(true).write(true).open(path).ok()
    }

    fn has_joined(&self, slot: usize) -> bool {
        let mut pid = [0; 4];
        let place = (self.layout.head(slot) + at::IDENTITY) as u64;
        self.file.read_exact_at(&mut pid, place).is_ok() && pid != [0; 4]
    }

    /// Returns the parts of `range` that have memory.
    fn used(&self, range: Range<u64>) -> Vec<Range<u64>> {
        let mut parts = Vec::new();
        let mut begin = range.start;
        while let Ok(start) = rustix::fs::seek(&self.file, SeekFrom::Data(begin))
            && start < range.end
            && let Ok(end) = rustix::fs::seek(&self.file, SeekFrom::Hole(start))
        {
            parts.push(start..end.min(range.end));
            begin = end;
        }
        parts
    }

    /// Returns the places among which a burst chooses.
    fn parts(&self, place: Place) -> Vec<Range<u64>> {
        let slots = self.layout.head(0) as u64..self.layout.mapped_bytes(self.ranks) as u64;
        let heads = (0..self.ranks).map(|slot| self.layout.head(slot) as u64);
        match place {
            Place::Header => vec![0..2048],
            Place::Heads => heads.map(|start| start..start + HEAD_BYTES).collect(),
            Place::Words => heads.map(|start| start..start + WORDS_BYTES).collect(),
            Place::Lines => self.used(0..self.layout.bytes as u64),
            Place::Slots => self.used(slots),
            Place::Heaps => self.used(slots.end..self.layout.bytes as u64),
        }
    }

    fn write(&self, burst: &Burst, random: &mut Random) {
        let parts = self.parts(burst.place);
        // A part of few bytes is as interesting as one of many.
        for _ in 0..if parts.is_empty() { 0 } else { burst.writes } {
            let part = &parts[random.within(0..parts.len() as u64) as usize];
            let place = random.within(part.clone());
            let place = match burst.place {
                Place::Lines => place / LINE_BYTES * LINE_BYTES + random.one_of(&[0, 4, 6, 8, 16]),
                _ => place,
            };
            self.write_at(place, burst.value, random);
        }
    }

    fn write_at(&self, place: u64, value: Value, random: &mut Random) {
        let mut bytes = [0; LINE_BYTES as usize];
        let length = random.one_of(&[1, 2, 4, 8, 8, 64]);
        let place = place / length.min(8) * length.min(8);
        let bytes = &mut bytes[..length as usize];
        // What lies beyond the end is neither read nor written.
        let _ = self.file.read_exact_at(bytes, place);
        match value {
            Value::Bytes => bytes.fill_with(|| random.next() as u8),
            Value::Zeros => bytes.fill(0),
            Value::Ones => bytes.fill(0xff),
            Value::Near => bytes[0] = bytes[0].wrapping_add(random.within(240..273) as u8),
            Value::Flip => bytes[random.within(0..length) as usize] ^= 1 << random.within(0..8),
        }
        let _ = self.file.write_all_at(bytes, place);
    }
}

/// Where the programs are compiled and run, and the libraries.
struct Bench {
    folder: PathBuf,
    mpiexec: PathBuf,
}

impl Bench {
    /// Compiles the programs.
    fn set_up() -> Bench {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let target = Path::new(launch::MPIEXEC).parent().and_then(Path::parent);
        let built = target.expect("mpiexec lies in a profile's folder").join("release");
        let (library, mpiexec) = (built.join("libmpi_abi.so"), built.join("mpiexec"));
        for needed in [&library, &mpiexec] {
            assert!(needed.exists(), "{} is not there: cargo build --release", needed.display());
        }
        let name = format!("corruption-{}", std::process::id());
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let link = folder.join("libmpi_abi.so.1");
        std::os::unix::fs::symlink(&library, &link).expect("a link can be made");
        let programs = Mutex::new(PROGRAMS.iter());
        let compile_some = || {
            let next = || programs.lock().unwrap().next();
            while let Some((program, _)) = next() {
                let status = Command::new(std::env::var_os("CC").unwrap_or("cc".into()))
                    .args(["-std=gnu11", "-O2", "-I"])
                    .arg(root.join("include/standard"))
                    .arg(root.join(format!("tests/mpi/{program}.c")))
                    .arg("-o")
                    .arg(folder.join(program))
                    .arg(&link)
                    .arg(format!("-Wl,-rpath,{}", folder.display()))
                    .args(["-lm", "-pthread"])
                    .status();
                assert!(status.expect("a C compiler runs").success(), "{program} compiles");
            }
        };
        thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(compile_some))));
        Bench { folder, mpiexec }
    }

    /// Runs a job, and returns what is wrong about its end.
    fn run(&self, plan: &Plan) -> Result<Outcome, String> {
        let mark = format!("corruption-{}-{}", std::process::id(), plan.number);
        let error_file = self.folder.join(format!("{}.err", plan.number));
        let mut mpiexec = Command::new(&self.mpiexec)
            .args(["-n", &plan.ranks.to_string()])
            .arg(self.folder.join(plan.program))
            .env(launch::MARK, &mark)
            .env("TMPDIR", &self.folder)
            .env_remove("RUST_BACKTRACE")
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&error_file).expect("a file can be made"))
            .spawn()
            .expect("mpiexec runs");
        if let Some(segment) = Segment::open(&mut mpiexec, plan.ranks) {
            let (since, mut random) = (Instant::now(), Random(!plan.number));
            for burst in &plan.bursts {
                let due = since + Duration::from_millis(burst.after_ms);
                thread::sleep(due.saturating_duration_since(Instant::now()));
                segment.write(burst, &mut random);
            }
        }
        let deadline = Instant::now() + LIMIT;
        let code = loop {
            match mpiexec.try_wait().expect("mpiexec is a child") {
                Some(status) => break status.code(),
                None if Instant::now() > deadline => break None,
                None => thread::sleep(Duration::from_millis(10)),
            }
        };
        if code.is_none() {
            launch::signal(mpiexec.id(), rustix::process::Signal::USR1);
            thread::sleep(REPORT_TIME);
        }
        let left = end_all(&mut mpiexec, &mark, code.is_none());
        let printed = std::fs::read(&error_file).expect("the file was made");
        let text = String::from_utf8_lossy(&printed).into_owned();
        if let Some(kept) = std::env::var_os("CORRUPTION_KEEP") {
            let told = format!("{plan:?}\ncode {code:?}\n{text}");
            let _ = std::fs::write(Path::new(&kept).join(plan.number.to_string()), told);
        }
        let _ = std::fs::remove_file(error_file);
        judge(code, &left, &text).map_err(|wrong| format!("{wrong}: {plan:?}\n{text}"))
    }
}

/// Ends what is left of a job. Returns the state of each process that should have ended.
fn end_all(mpiexec: &mut Child, mark: &str, hangs: bool) -> Vec<String> {
    let deadline = Instant::now() + Duration::from_secs(5);
    while !hangs && !marked(mark).is_empty() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(10));
    }
    let left = marked(mark);
    let told = left.iter().map(|pid| {
        let file = |name| std::fs::read_to_string(format!("/proc/{pid}/{name}"));
        format!("{pid} {:?} in {:?}", file("comm"), file("wchan"))
    });
    let told = told.collect();
    for pid in left {
        let pid = rustix::process::Pid::from_raw(pid).expect("a process");
        // It may have ended meanwhile.
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
    }
    mpiexec.wait().expect("mpiexec is a child");
    told
}

/// How a job has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    Right,
    /// An error of the program: it has found wrong data.
    Wrong,
    /// An error that names the damage.
    Damaged,
    /// Another error of the project's form.
    Error,
    /// The launcher has ended a job that stood still.
    Standstill,
    /// A rank tests in a loop of the program for what does not come. Nobody can know that it does
    /// nothing else, so the job goes on.
    Tests,
}

/// Judges the end of a job by its exit code, what it has left and what it has printed.
fn judge(code: Option<i32>, left: &[String], text: &str) -> Result<Outcome, String> {
    let has = |part: &str| text.contains(part);
    let Some(code) = code else {
        let tests = has("tests again and again") || has("has tested within");
        let hangs = Err(format!("no end within {LIMIT:?}, left {left:?}"));
        return if tests { Ok(Outcome::Tests) } else { hangs };
    };
    if !left.is_empty() {
        return Err(format!("it has left processes: {left:?}"));
    }
    if let Some(word) =
        ["panicked at", "stack backtrace", "memory allocation of"].iter().find(|it| has(it))
    {
        return Err(format!("it prints \"{word}\""));
    }
    if code == 0 {
        return Ok(Outcome::Right);
    }
    if !has("try") {
        return Err("it fails and does not say what to try".into());
    }
    // mpiexec tells every signal. The process must have told more.
    if has("was killed by SIG") && !has("nemesis: ") {
        return Err("a process dies of a signal without a word".into());
    }
    Ok(match () {
        () if has("is damaged") || has("a packet is invalid") => Outcome::Damaged,
        () if has("that can never come") || has("cannot go on") => Outcome::Standstill,
        () if has("tests/mpi/") => Outcome::Wrong,
        () => Outcome::Error,
    })
}

/// Reads a number from the environment.
fn number(name: &str, otherwise: u64) -> u64 {
    let Some(value) = std::env::var_os(name) else { return otherwise };
    let value = value.into_string().ok().and_then(|text| text.parse().ok());
    value.unwrap_or_else(|| panic!("{name} is a number"))
}

#[test]
fn a_damaged_segment_ends_the_job_with_an_error() {
    let bench = Bench::set_up();
    let first = number("CORRUPTION_FIRST", 1);
    let end = first + number("CORRUPTION_JOBS", 32);
    let (numbers, results) = (Mutex::new(first..end), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                let next = || numbers.lock().unwrap().next();
                while let Some(number) = next() {
                    let result = bench.run(&Plan::draw(number));
                    if let Err(wrong) = &result {
                        eprintln!("job {number}: {wrong}\n");
                    }
                    results.lock().unwrap().push(result);
                }
            });
        }
    });
    let _ = std::fs::remove_dir_all(&bench.folder);
    let results = results.into_inner().unwrap();
    let count = |outcome| results.iter().filter(|result| **result == Ok(outcome)).count();
    let ends = [Outcome::Right, Outcome::Wrong, Outcome::Damaged, Outcome::Error];
    for outcome in ends.into_iter().chain([Outcome::Standstill, Outcome::Tests]) {
        println!("{outcome:?}: {}", count(outcome));
    }
    let failed = results.iter().filter(|result| result.is_err()).count();
    assert_eq!(failed, 0, "of {} jobs", results.len());
    assert!(count(Outcome::Right) < results.len(), "no write has had an effect");
}
