//! Random programs, and the defects put in by hand that they must find: of the network and the
//! scheduler, and mutations of the engine.

use nemesis_sys::mutation::Mutation;

use std::process::{Command, Output};

/// Seeds within which a defect must be found.
const SEEDS: u64 = 100;

fn simulate(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_simulate")).args(arguments).output().expect("it runs")
}

#[test]
fn random_programs_give_the_right_results() {
    let output = simulate(&["--seeds", "20"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn threads_with_communicators_of_their_own_do_not_disturb_each_other() {
    let output = simulate(&["--seeds", "20", "--seed", "2000", "--threads", "3"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn programs_end_when_a_cable_is_cut_or_a_process_dies() {
    let output = simulate(&["--seeds", "40", "--seed", "1000", "--loss", "true"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn programs_go_on_when_processes_die() {
    let output = simulate(&["--seeds", "100", "--seed", "1050", "--deaths", "3"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let deaf = first_failing(&["--deaths", "3", "--mutation", "loss-untold"]);
    assert!(deaf.is_some(), "nobody notices that losses are not told");
}

/// Runs seeds with options and returns the first one that fails, if one does.
fn first_failing(options: &[&str]) -> Option<u64> {
    let seeds = SEEDS.to_string();
    let output = simulate(&[&["--seeds", &seeds, "--reduce", "false"], options].concat());
    let said = String::from_utf8_lossy(&output.stdout);
    if output.status.success() {
        return None;
    }
    let found = said
        .lines()
        .last()
        .and_then(|line| line.strip_prefix("seed ")?.strip_suffix(" fails")?.parse().ok());
    Some(found.unwrap_or_else(|| panic!("{options:?}: {said}")))
}

#[test]
fn every_defect_is_found_within_a_hundred_seeds() {
    for (name, _) in nemesis_simulation::network::Defect::ALL {
        assert!(first_failing(&["--defect", name]).is_some(), "nobody notices {name}");
    }
}

#[test]
fn a_program_that_fails_is_reduced() {
    let output = simulate(&["--seeds", "20", "--defect", "overtaking"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success() && said.contains(" fails; again: "), "{said}");
    assert!(said.contains(" --keep=") && said.contains(" --defect=overtaking"), "{said}");
}

/// A failure is the mutation's: without it, the seed passes.
#[test]
fn every_mutation_is_found_within_a_hundred_seeds() {
    for (name, mutation) in Mutation::ALL {
        // What is not told of a loss is seen if there is one.
        let loss = if mutation == Mutation::LossUntold { "true" } else { "false" };
        let threads = if mutation == Mutation::RestUncalled { "3" } else { "1" };
        // Agreements take both ways, by messages and in shared memory, if one does not notice.
        let agrees = matches!(mutation, Mutation::MessagesUnheard | Mutation::SegmentUnheard);
        let deaths = if agrees { "3" } else { "0" };
        let same = ["--loss", loss, "--threads", threads, "--deaths", deaths];
        let found = first_failing(&[&same[..], &["--mutation", name]].concat());
        let seed = found.unwrap_or_else(|| panic!("nobody notices {name}")).to_string();
        let output = simulate(&[&same[..], &["--seeds", "1", "--seed", &seed]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
}
