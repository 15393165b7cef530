//! The library's wire-up under this launcher.

mod launch;

use launch::{RANK, mpiexec};

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
    // The universe has a slot for each core, and for each rank.
    let universe = nemesis_sys::host::usable_cores().max(3);
    let expected = format!("rank 2 of 3, program Some(1), universe Some({universe})");
    assert!(job.out.contains(&expected), "{}", job.out);
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
