//! Random programs, some of them, and faults put in by hand that they must find.

use nemesis_simulation::job::Setup;
use nemesis_simulation::program::Program;

#[test]
fn random_programs_give_the_right_results() {
    for seed in 1..21 {
        let (ranks, hosts) = (1 + seed as u32 % 7, 1 + seed as u32 % 3);
        let report = Program::random(seed, 12).run(Setup::new(seed, ranks, hosts));
        assert!(report.failure.is_none(), "seed {seed}: {report:#?}");
    }
}
