//! What the environment says about the job of this process.
//!
//! If the environment names a launcher with a supported protocol, it is used. If it names a
//! launcher of several processes without one, connecting fails, because otherwise each of the N
//! processes would become a job of its own.

use crate::WireupError;
use std::fmt;

/// The launcher that started this process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Launcher {
    /// No launcher: a job of one process.
    Singleton,
    /// `mpiexec` of this library.
    Nemesis,
    /// A Slurm step.
    Slurm,
    /// Another launcher with PMI-1: hydra, gforker, Intel's.
    Pmi1,
    /// Another launcher with PMI-2.
    Pmi2,
    /// Another launcher with PMIx: prterun, Open MPI's mpirun.
    Pmix,
}

impl fmt::Display for Launcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Launcher::Singleton => "none (a job of one process)",
            Launcher::Nemesis => "mpiexec of Nemesis",
            Launcher::Slurm => "Slurm",
            Launcher::Pmi1 => "a PMI-1 launcher",
            Launcher::Pmi2 => "a PMI-2 launcher",
            Launcher::Pmix => "a PMIx launcher",
        })
    }
}

/// How to reach the launcher.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LaunchEnv {
    Singleton,
    /// `PMI_FD`: a connected socket, inherited.
    Descriptor {
        number: i32,
        rank: u32,
        size: u32,
        dialect: Dialect,
    },
    /// `PMI_PORT`: an address to connect to; `PMI_ID` identifies this process.
    Port {
        address: String,
        id: String,
    },
    /// `PMIX_NAMESPACE` and `PMIX_RANK`: libpmix finds the launcher.
    Pmix,
}

/// Protocol of an inherited socket.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dialect {
    Pmi1,
    /// PMI-2, and the launcher's name of the job, with which the client begins.
    Pmi2 {
        job: String,
    },
}

/// Slurm's step ids from this one on are batch scripts, interactive shells and the like, not steps
/// of tasks.
const SLURM_SPECIAL_STEPS: u32 = 0xffff_fff0;

/// Selects the protocol if a launcher offers several.
const CHOICE: &str = "NEMESIS_PMI";

/// Reads the launch environment; `variable` returns an environment variable.
pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<LaunchEnv, WireupError> {
    let choice = variable(CHOICE).unwrap_or_default();
    if !matches!(choice.as_str(), "" | "1" | "2" | "pmix") {
        return Err(WireupError::new(
            "joining the job",
            format!("{CHOICE} is {choice:?}"),
            format!("{CHOICE}=1, 2 or pmix, or unsetting it"),
        ));
    }
    let by_pmix = variable("PMIX_RANK").is_some() && variable("PMIX_NAMESPACE").is_some();
    if by_pmix && choice == "pmix" {
        return Ok(LaunchEnv::Pmix);
    }
    if let Some(number) = variable("PMI_FD") {
        let number = parsed("PMI_FD", Some(number))?;
        let rank = parsed("PMI_RANK", variable("PMI_RANK"))?;
        let size = parsed("PMI_SIZE", variable("PMI_SIZE"))?;
        check_rank(rank, size)?;
        let dialect = dialect(&choice, &variable);
        return Ok(LaunchEnv::Descriptor { number, rank, size, dialect });
    }
    if let (Some(address), Some(id)) = (variable("PMI_PORT"), variable("PMI_ID")) {
        return Ok(LaunchEnv::Port { address, id });
    }
    if by_pmix {
        return Ok(LaunchEnv::Pmix);
    }
    match broken_promise(&variable) {
        Some(error) => Err(error),
        None => Ok(LaunchEnv::Singleton),
    }
}

/// Chooses PMI-2 if Slurm itself serves, else PMI-1, which all other launchers support, while some
/// support PMI-2 badly. A launcher within a Slurm job passes Slurm's variables on, but it also sets
/// MPI_LOCALNRANKS.
fn dialect(choice: &str, variable: impl Fn(&str) -> Option<String>) -> Dialect {
    let job = variable("PMI_JOBID");
    let is_slurms_own = job.is_some()
        && variable("SLURM_STEP_ID").is_some()
        && variable("MPI_LOCALNRANKS").is_none();
    if choice == "2" || choice.is_empty() && is_slurms_own {
        Dialect::Pmi2 { job: job.unwrap_or_else(|| "0".into()) }
    } else {
        Dialect::Pmi1
    }
}

/// Variables that show that a launcher has started several processes: their number, and this one's
/// index.
struct Witness {
    size: &'static str,
    rank: &'static str,
    launcher: &'static str,
    advice: &'static str,
}

const WITNESSES: [Witness; 8] = [
    Witness {
        size: "OMPI_COMM_WORLD_SIZE",
        rank: "OMPI_COMM_WORLD_RANK",
        launcher: "Open MPI's mpirun",
        advice: "the mpiexec of this library, or passing on the PMIX_NAMESPACE and PMIX_RANK of an \
                 mpirun of Open MPI 4 or 5; or, for a job of one process, \
                 `env -u OMPI_COMM_WORLD_SIZE`",
    },
    Witness {
        size: "PMI_SIZE",
        rank: "PMI_RANK",
        launcher: "a PMI launcher",
        advice: "passing on its PMI_FD; or, for a job of one process, `env -u PMI_SIZE`",
    },
    Witness {
        size: "MPI_LOCALNRANKS",
        rank: "MPI_LOCALRANKID",
        launcher: "a mpiexec of MPICH's kind (hydra)",
        advice: "passing on its PMI_FD, or PMI_PORT and PMI_ID; \
                 or, for a job of one process, `env -u MPI_LOCALNRANKS -u MPI_LOCALRANKID`",
    },
    Witness {
        size: "MV2_COMM_WORLD_SIZE",
        rank: "MV2_COMM_WORLD_RANK",
        launcher: "MVAPICH2's mpirun_rsh",
        advice: "the mpiexec of this library",
    },
    Witness {
        size: "FLUX_JOB_SIZE",
        rank: "FLUX_TASK_RANK",
        launcher: "Flux",
        advice: "`flux run -o pmi=simple`",
    },
    Witness {
        size: "JSM_NAMESPACE_SIZE",
        rank: "JSM_NAMESPACE_RANK",
        launcher: "jsrun",
        advice: "the mpiexec of this library, inside the allocation",
    },
    Witness {
        size: "PALS_SIZE",
        rank: "PALS_RANKID",
        launcher: "Cray's PALS",
        advice: "the mpiexec of this library, inside the allocation",
    },
    Witness {
        size: "ALPS_APP_SIZE",
        rank: "ALPS_APP_PE",
        launcher: "Cray's aprun",
        advice: "the mpiexec of this library, inside the allocation",
    },
];

/// Describes a launcher of several processes without a supported protocol.
fn broken_promise(variable: impl Fn(&str) -> Option<String>) -> Option<WireupError> {
    if let Some(tasks) = slurm_tasks(&variable) {
        let task = variable("SLURM_PROCID").unwrap_or_default();
        return Some(WireupError::new(
            format!("joining the job as task {task} of {tasks}"),
            "Slurm started this step without PMI (`srun --mpi=none`, its default), \
             so its tasks cannot find each other",
            "`srun --mpi=pmi2`",
        ));
    }
    // A program in a job of our launcher that has neither PMI_FD nor PMI_SIZE was started alone, on
    // purpose: a rank took those variables from it.
    let is_in_own_job = variable(crate::environment::JOB).is_some();
    let promises = |witness: &&Witness| {
        // Our launcher sets these, too.
        if matches!(witness.size, "MPI_LOCALNRANKS" | "OMPI_COMM_WORLD_SIZE") && is_in_own_job {
            return false;
        }
        variable(witness.size)
            .and_then(|size| size.parse::<u32>().ok())
            .is_some_and(|size| size > 1)
    };
    // PALS tells every process its rank, but not always their number.
    let ranked = |witness: &&Witness| {
        variable(witness.rank)
            .and_then(|rank| rank.parse::<u32>().ok())
            .is_some_and(|rank| rank > 0)
    };
    let witness = WITNESSES
        .iter()
        .find(|witness| promises(witness) || witness.rank == "PALS_RANKID" && ranked(witness))?;
    let told = |name: &str| variable(name).unwrap_or_else(|| "?".into());
    Some(WireupError::new(
        format!("joining the job as process {} of {}", told(witness.rank), told(witness.size)),
        format!(
            "{} started it, but offers no PMI protocol that this library supports: \
             neither PMI_FD nor PMI_PORT nor PMIX_NAMESPACE is set",
            witness.launcher
        ),
        witness.advice,
    ))
}

pub fn check_rank(rank: u32, size: u32) -> Result<(), WireupError> {
    if rank < size {
        return Ok(());
    }
    Err(WireupError::new(
        "joining the job",
        format!("the launcher says rank {rank} of {size}"),
        "starting it again with a launcher that counts from 0",
    ))
}

/// Returns the number of tasks of this process's Slurm step, if there are several.
fn slurm_tasks(variable: impl Fn(&str) -> Option<String>) -> Option<u32> {
    let step: u32 = variable("SLURM_STEP_ID")?.parse().ok()?;
    let tasks: u32 =
        variable("SLURM_STEP_NUM_TASKS").or_else(|| variable("SLURM_NTASKS"))?.parse().ok()?;
    (step < SLURM_SPECIAL_STEPS && tasks > 1).then_some(tasks)
}

fn parsed<T: std::str::FromStr>(name: &str, value: Option<String>) -> Result<T, WireupError> {
    let why = match &value {
        Some(value) => format!("{name} is {value:?}, a number was expected"),
        None => format!("PMI_FD is set but {name} is not"),
    };
    value.and_then(|value| value.parse().ok()).ok_or_else(|| {
        WireupError::new(
            "joining the job",
            why,
            "starting it by a launcher, or with PMI_FD unset for a job of one process",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(variables: &[(&str, &str)]) -> Result<LaunchEnv, WireupError> {
        read(|name| {
            variables
                .iter()
                .find(|variable| variable.0 == name)
                .map(|variable| variable.1.to_owned())
        })
    }

    #[test]
    fn nothing_is_a_job_of_one() {
        assert_eq!(given(&[]), Ok(LaunchEnv::Singleton));
        assert_eq!(
            given(&[("SLURM_STEP_ID", "0"), ("SLURM_NTASKS", "1")]),
            Ok(LaunchEnv::Singleton)
        );
        // An interactive step of an allocation of eight tasks: the shell is not a task.
        assert_eq!(
            given(&[("SLURM_STEP_ID", "4294967290"), ("SLURM_NTASKS", "8")]),
            Ok(LaunchEnv::Singleton)
        );
    }

    fn by(dialect: Dialect) -> Result<LaunchEnv, WireupError> {
        Ok(LaunchEnv::Descriptor { number: 5, rank: 1, size: 4, dialect })
    }

    const PMI: [(&str, &str); 3] = [("PMI_FD", "5"), ("PMI_RANK", "1"), ("PMI_SIZE", "4")];
    const PMIX: [(&str, &str); 2] = [("PMIX_RANK", "0"), ("PMIX_NAMESPACE", "x")];

    #[test]
    fn what_is_offered_is_taken_in_order() {
        assert_eq!(given(&[&PMI[..], &PMIX].concat()), by(Dialect::Pmi1));
        assert_eq!(given(&PMIX), Ok(LaunchEnv::Pmix));
        let port = [("PMI_PORT", "node:1"), ("PMI_ID", "0")];
        assert_eq!(
            given(&[&port[..], &PMIX].concat()),
            Ok(LaunchEnv::Port { address: "node:1".into(), id: "0".into() })
        );
        let slurm = [&PMI[..], &[("PMI_JOBID", "4.0"), ("SLURM_STEP_ID", "0")]].concat();
        assert_eq!(given(&slurm), by(Dialect::Pmi2 { job: "4.0".into() }));
        // Hydra within a Slurm step.
        assert_eq!(given(&[&slurm[..], &[("MPI_LOCALNRANKS", "4")]].concat()), by(Dialect::Pmi1));
    }

    #[test]
    fn the_dialect_can_be_chosen() {
        let choose =
            |choice: &'static str| given(&[&PMI[..], &PMIX, &[("NEMESIS_PMI", choice)]].concat());
        assert_eq!(choose("1"), by(Dialect::Pmi1));
        assert_eq!(choose("2"), by(Dialect::Pmi2 { job: "0".into() }));
        assert_eq!(choose("pmix"), Ok(LaunchEnv::Pmix));
        assert!(choose("3").unwrap_err().why.contains("NEMESIS_PMI"));
    }

    #[test]
    fn a_promise_without_an_answer_is_an_error_that_names_the_way_out() {
        let srun = given(&[("SLURM_STEP_ID", "3"), ("SLURM_NTASKS", "4"), ("SLURM_PROCID", "1")])
            .unwrap_err();
        assert!(srun.advice.contains("srun --mpi=pmi2"));
        for witness in &WITNESSES {
            let error = given(&[(witness.size, "2"), (witness.rank, "1")]).unwrap_err();
            assert!(
                error.why.contains(witness.launcher) && error.what.contains("1 of 2"),
                "{error}"
            );
            assert_eq!(
                given(&[(witness.size, "1"), (witness.rank, "0")]),
                Ok(LaunchEnv::Singleton)
            );
        }
        assert!(given(&[("PALS_RANKID", "3")]).is_err());
        let hydra = given(&[("MPI_LOCALNRANKS", "2"), ("MPI_LOCALRANKID", "1")]).unwrap_err();
        assert!(hydra.what.contains("process 1 of 2") && hydra.advice.contains("env -u MPI_LOCAL"));
        assert!(given(&[("MPI_LOCALNRANKS", "1"), ("MPI_LOCALRANKID", "0")]).is_ok());
        for ours in ["MPI_LOCALNRANKS", "OMPI_COMM_WORLD_SIZE"] {
            assert_eq!(given(&[(ours, "2"), ("NEMESIS_JOB", "1f")]), Ok(LaunchEnv::Singleton));
        }
    }

    #[test]
    fn nonsense_is_named() {
        assert!(given(&[("PMI_FD", "x")]).unwrap_err().why.contains("PMI_FD is \"x\""));
        assert!(
            given(&[("PMI_FD", "5"), ("PMI_RANK", "0")])
                .unwrap_err()
                .why
                .contains("PMI_SIZE is not")
        );
        assert!(
            given(&[("PMI_FD", "5"), ("PMI_RANK", "4"), ("PMI_SIZE", "4")])
                .unwrap_err()
                .why
                .contains("rank 4 of 4")
        );
    }
}
