//! Instructions of the most frequent MPI calls, by callgrind, compared with tests/counts/limits, in
//! the standard ABI and those of MPICH and Open MPI.
//! With the word `-p` the counts are printed only.

use crate::places;
use crate::scene::Scene;
use crate::suite::{Suite, Sum};
use crate::suites::gpu;

/// Calls of a kind that are counted.
const CALLS: u32 = 30;
/// Tries of a count: what else disturbs it adds to it, so a count within the limit is final.
const TRIES: usize = 3;

/// The ABIs but the standard one: the word in the limits, the folder of the header, the library of
/// the build, its name when loaded.
const ABIS: [(&str, &str, &str, &str); 2] = [
    ("mpich", "include/mpich", "libmpi.so", "libmpi.so.12"),
    ("openmpi", "tests/abi/openmpi", "libmpi_openmpi.so", "libmpi.so.40"),
];

pub fn run(words: &[String]) -> Sum {
    let prints_only = words.first().is_some_and(|word| word == "-p");
    let scene = Scene::new("counts").with_programs(&["counts/calls"]);
    gpu::build_driver(&scene);
    let (root, folder) = (places::root(), scene.folder.display().to_string());
    for (abi, headers, built, name) in ABIS {
        scene.install(built, name);
        scene.cc(&format!(
            "-std=gnu11 -O2 -Wall -Wextra -I{0}/{headers} {0}/tests/counts/calls.c \
             -o ./calls-{abi} {folder}/{name} -Wl,-rpath,{folder}",
            root.display()
        ));
    }
    let limits = places::root().join("tests/counts/limits");
    let limits = std::fs::read_to_string(limits).expect("the limits");
    let mut suite = Suite::default();
    for line in limits.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        let [function, mode, rank, limit, abi @ ..] = words.as_slice() else {
            panic!("tests/counts/limits: {line}");
        };
        let program = abi.first().map_or("calls".into(), |abi| format!("calls-{abi}"));
        let limit: u64 = if prints_only { u64::MAX } else { limit.parse().expect("a limit") };
        let (function, mode, rank) = (function.clone(), mode.clone(), rank.clone());
        let abi = abi.first().map_or(String::new(), |abi| format!(" {abi}"));
        suite.beside(format!("{function} {mode} {rank}{abi}"), move |scene| {
            places::needs("valgrind");
            let mut least = u64::MAX;
            for _ in 0..TRIES {
                least = least.min(count(scene, &program, &function, &mode, &rank));
                if least <= limit && !prints_only {
                    break;
                }
            }
            crate::say!("    {function}, {mode}, rank {rank}{abi}: {least} instructions");
            assert!(least > 0, "nothing is counted");
            assert!(least <= limit, "{least} instructions, more than {limit}");
        });
    }
    suite.run(&scene, if prints_only { &words[1..] } else { words })
}

/// Returns the instructions that a rank executes in a call of a function, the mean of some calls.
///
/// The program writes out what it has counted after each call. The answers of the driver of devices
/// are not counted: collecting stops there. A call that finds no message polls
/// until it has come, which takes thousands of instructions: calls that take several times the
/// median are left out.
fn count(scene: &Scene, program: &str, function: &str, mode: &str, rank: &str) -> u64 {
    let folder = scene.fresh_folder("counts");
    let script = "exec valgrind --quiet --tool=callgrind --toggle-collect=\"$1\" \
                  --toggle-collect=\"P$1\" --toggle-collect=cuPointerGetAttributes \
                  --callgrind-out-file=\"$2.$PMI_RANK\" \"$3\" \
                  \"$4\" \"$5\"";
    let job = format!(
        "./mpiexec -n 2 sh -c '{script}' - {function} {}/out ./{program} {mode} {CALLS}",
        folder.display()
    );
    let job = scene.job(&job).env("LD_LIBRARY_PATH", scene.name("driver"));
    job.limit(120).run().code(0);
    let begin = format!("out.{rank}.");
    let entries = std::fs::read_dir(&folder).expect("a folder").flatten();
    let files = entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(&begin));
    let totals = files.filter_map(|file| {
        let text = std::fs::read_to_string(file.path()).ok()?;
        text.lines().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok())
    });
    mean_of_usual(totals.collect())
}

/// Returns the mean of the counts that are at most three times the median.
fn mean_of_usual(mut counts: Vec<u64>) -> u64 {
    counts.sort_unstable();
    let Some(median) = counts.get(counts.len().saturating_sub(1) / 2).copied() else { return 0 };
    counts.retain(|&count| count <= 3 * median);
    counts.iter().sum::<u64>() / counts.len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_wait_are_left_out() {
        assert_eq!(mean_of_usual(vec![60, 64, 9000, 62]), 62);
        assert_eq!(mean_of_usual(Vec::new()), 0);
    }
}
