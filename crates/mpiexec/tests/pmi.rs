//! The library's wire-up under this launcher.

mod launch;

use launch::{RANK, mpiexec};
use nemesis_wireup::build;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

#[test]
fn ranks_share_one_segment() {
    for ranks in [1, 2, 7] {
        let job = mpiexec(&["-n", &ranks.to_string(), "-usize", "9", RANK, "meet"]);
        assert_eq!((job.code, job.err.as_str()), (0, ""));
        assert_eq!(job.out.lines().count(), ranks);
        let all = |line: &str| {
            line.ends_with(&format!(
                "of {ranks}, program Some(0), universe Some(9), launcher mpiexec of Nemesis"
            ))
        };
        assert!(job.out.lines().all(all), "{}", job.out);
    }
}

#[test]
fn ranks_of_several_programs_share_a_segment_and_know_their_program() {
    let job = mpiexec(&["-n", "2", RANK, "meet", ":", RANK, "meet"]);
    assert_eq!((job.code, job.err.as_str()), (0, ""));
    // Nobody tells slots.
    assert!(job.out.contains("rank 2 of 3, program Some(1), universe None"), "{}", job.out);
    let job = mpiexec(&["-hosts", "localhost:4", "-n", "2", RANK, "meet"]);
    assert!(job.out.contains("rank 1 of 2, program Some(0), universe Some(4)"), "{}", job.out);
}

#[test]
fn ranks_may_be_started_by_a_wrapper() {
    let job = mpiexec(&["-n", "3", "sh", "-c", &format!("{RANK} meet; exit $?")]);
    assert_eq!((job.code, job.err.as_str()), (0, ""));
}

#[test]
fn without_an_inherited_segment_the_first_rank_hands_one_over() {
    let job = mpiexec(&["-n", "5", "env", "-u", "NEMESIS_SEGMENT_FD", RANK, "meet"]);
    assert_eq!((job.code, job.err.as_str()), (0, ""));
    assert_eq!(job.out.lines().count(), 5);
}

/// Makes a copy of the rank's program with a library of another build in `folder`.
fn rank_of_another_build(folder: &Path) -> String {
    let (own, mut copy) = (build::own(), std::fs::read(RANK).unwrap());
    let other = format!("9{}", &own[1..]);
    let places: Vec<usize> = (0..copy.len() - own.len())
        .filter(|&place| copy[place..].starts_with(own.as_bytes()))
        .collect();
    for place in places {
        copy[place..place + own.len()].copy_from_slice(other.as_bytes());
    }
    let path = folder.join("rank-of-another-build");
    std::fs::write(&path, copy).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.into_os_string().into_string().unwrap()
}

#[test]
fn programs_of_another_build_find_each_other_and_are_not_mixed_with_own_ones() {
    let folder = std::env::temp_dir().join(format!("nemesis-builds-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let other = rank_of_another_build(&folder);
    let job = mpiexec(&["-n", "3", "-usize", "9", &other, "meet"]);
    let mixed = mpiexec(&["-n", "2", &other, "meet", ":", RANK, "meet"]);
    std::fs::remove_dir_all(&folder).unwrap();
    // The job runs, and mpiexec says what it lacks.
    assert!(job.code == 0 && job.err.contains("runs without state reports"), "{}", job.err);
    let expected = "rank 2 of 3, program Some(0), universe Some(9), launcher a PMI-1 launcher";
    assert!(job.out.contains(expected), "{}", job.out);
    let (first, second) = (format!("build 9{}", &build::own()[1..]), build::own());
    let names = [first.as_str(), second, "they cannot communicate"];
    assert!(mixed.code != 0 && names.iter().all(|name| mixed.err.contains(name)), "{}", mixed.err);
}

#[test]
fn two_libraries_of_a_process_have_a_segment_and_cards_each() {
    let job = mpiexec(&["-n", "3", RANK, "twice"]);
    assert_eq!((job.code, job.err.as_str()), (0, ""));
    let count = |launcher: &str| job.out.lines().filter(|line| line.ends_with(launcher)).count();
    assert_eq!((count("mpiexec of Nemesis"), count("a PMI-1 launcher")), (3, 3), "{}", job.out);
}

#[test]
fn a_segment_is_mapped_if_addresses_are_scarce() {
    let job = mpiexec(&["-n", "2", "sh", "-c", &format!("exec {RANK} meet")]);
    assert_eq!(job.code, 0);
    let script = format!("ulimit -v 4000000; exec {} -n 2 {RANK} meet", launch::MPIEXEC);
    let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_program_with_a_closed_pmi_socket_is_told_why_it_is_not_in_the_job() {
    // The shell closes the PMI socket before it starts the program, as many wrappers do.
    let job = mpiexec(&["bash", "-c", &format!("eval \"exec $PMI_FD>&-\"; {RANK} meet")]);
    assert_eq!(job.code, 1);
    assert!(job.err.contains("PMI_FD") && job.err.contains("not open"), "{}", job.err);
}
