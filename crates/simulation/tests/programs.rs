//! Random programs, and the defects put in by hand that they must find.

use std::process::{Command, Output};

fn simulate(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_simulate")).args(arguments).output().expect("it runs")
}

#[test]
fn random_programs_give_the_right_results() {
    let output = simulate(&["--seeds", "20"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn programs_end_when_a_cable_is_cut_or_a_process_dies() {
    let output = simulate(&["--seeds", "40", "--seed", "1000", "--loss", "true"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn every_defect_is_found_within_a_hundred_seeds() {
    for (name, _) in nemesis_simulation::network::Defect::ALL {
        let output = simulate(&["--seeds", "100", "--defect", name]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(!output.status.success(), "nobody notices {name}: {said}");
        assert!(said.contains(" fails; again: "), "{name}: {said}");
    }
}
