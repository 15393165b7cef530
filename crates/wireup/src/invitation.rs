//! What the environment says about the job that this process belongs to.
//!
//! A launcher that speaks a dialect of ours invites; one that promised a job of several processes in a dialect that we do not speak is an error:
//! silence would make N jobs of one process each.

use crate::WireupError;
use std::fmt;

/// Who started this process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Launcher {
    /// Nobody but the user: a job of one process.
    Singleton,
    /// `mpiexec` of this library.
    Nemesis,
    /// A Slurm step.
    Slurm,
    /// Another launcher that speaks PMI-1: hydra, gforker, Intel's.
    Pmi1,
}

impl fmt::Display for Launcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Launcher::Singleton => "none (a job of one process)",
            Launcher::Nemesis => "mpiexec of Nemesis",
            Launcher::Slurm => "Slurm",
            Launcher::Pmi1 => "a PMI-1 launcher",
        })
    }
}

/// The way to the launcher.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Invitation {
    Singleton,
    /// `PMI_FD`: a connected socket, inherited.
    Descriptor {
        number: i32,
        rank: u32,
        size: u32,
    },
    /// `PMI_PORT`: an address to connect to, where `PMI_ID` tells who we are.
    Port {
        address: String,
        id: String,
    },
}

/// Step ids of Slurm from here on are no steps of tasks but batch scripts, interactive shells and the like.
const SLURM_SPECIAL_STEPS: u32 = 0xffff_fff0;

/// Reads the invitation; `variable` is the environment.
pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Invitation, WireupError> {
    if let Some(number) = variable("PMI_FD") {
        let number = parsed("PMI_FD", Some(number))?;
        let rank = parsed("PMI_RANK", variable("PMI_RANK"))?;
        let size = parsed("PMI_SIZE", variable("PMI_SIZE"))?;
        check_rank(rank, size)?;
        return Ok(Invitation::Descriptor { number, rank, size });
    }
    if let (Some(address), Some(id)) = (variable("PMI_PORT"), variable("PMI_ID")) {
        return Ok(Invitation::Port { address, id });
    }
    if let (Some(rank), Some(_)) = (variable("PMIX_RANK"), variable("PMIX_NAMESPACE")) {
        return Err(WireupError::new(
            format!("joining the job as rank {rank}"),
            "the launcher speaks PMIx (PMIX_NAMESPACE is set), which is not spoken here yet",
            "the mpiexec that came with this library, mpiexec.hydra, or under Slurm `srun --mpi=pmi2`",
        ));
    }
    if let Some(tasks) = slurm_tasks(&variable) {
        let task = variable("SLURM_PROCID").unwrap_or_default();
        return Err(WireupError::new(
            format!("joining the job as task {task} of {tasks}"),
            "Slurm started this step without PMI, so its tasks cannot find each other",
            "`srun --mpi=pmi2`",
        ));
    }
    Ok(Invitation::Singleton)
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

/// The number of tasks of the Slurm step that this process is one of, when there are several.
fn slurm_tasks(variable: impl Fn(&str) -> Option<String>) -> Option<u32> {
    let step: u32 = variable("SLURM_STEP_ID")?.parse().ok()?;
    let tasks: u32 = variable("SLURM_STEP_NUM_TASKS").or_else(|| variable("SLURM_NTASKS"))?.parse().ok()?;
    (step < SLURM_SPECIAL_STEPS && tasks > 1).then_some(tasks)
}

fn parsed<T: std::str::FromStr>(name: &str, value: Option<String>) -> Result<T, WireupError> {
    let why = match &value {
        Some(value) => format!("{name} is {value:?}, a number was expected"),
        None => format!("PMI_FD is set but {name} is not"),
    };
    value
        .and_then(|value| value.parse().ok())
        .ok_or_else(|| WireupError::new("joining the job", why, "starting it by a launcher, or with PMI_FD unset for a job of one process"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(variables: &[(&str, &str)]) -> Result<Invitation, WireupError> {
        read(|name| variables.iter().find(|variable| variable.0 == name).map(|variable| variable.1.to_owned()))
    }

    #[test]
    fn nothing_is_a_job_of_one() {
        assert_eq!(given(&[]), Ok(Invitation::Singleton));
        assert_eq!(given(&[("SLURM_STEP_ID", "0"), ("SLURM_NTASKS", "1")]), Ok(Invitation::Singleton));
        // An interactive step of an allocation of eight tasks: the shell is no task.
        assert_eq!(given(&[("SLURM_STEP_ID", "4294967290"), ("SLURM_NTASKS", "8")]), Ok(Invitation::Singleton));
    }

    #[test]
    fn pmi_wins_over_what_is_around_it() {
        let variables = [("PMI_FD", "5"), ("PMI_RANK", "1"), ("PMI_SIZE", "4"), ("PMIX_RANK", "0"), ("PMIX_NAMESPACE", "x")];
        assert_eq!(given(&variables), Ok(Invitation::Descriptor { number: 5, rank: 1, size: 4 }));
        let port = [("PMI_PORT", "node:1"), ("PMI_ID", "0")];
        assert_eq!(given(&port), Ok(Invitation::Port { address: "node:1".into(), id: "0".into() }));
    }

    #[test]
    fn a_promise_without_an_answer_is_an_error_that_names_the_way_out() {
        let pmix = given(&[("PMIX_RANK", "0"), ("PMIX_NAMESPACE", "x")]).unwrap_err();
        assert!(pmix.why.contains("PMIx") && pmix.advice.contains("mpiexec"));
        let srun = given(&[("SLURM_STEP_ID", "3"), ("SLURM_NTASKS", "4"), ("SLURM_PROCID", "1")]).unwrap_err();
        assert!(srun.advice.contains("srun --mpi=pmi2"));
    }

    #[test]
    fn nonsense_is_named() {
        assert!(given(&[("PMI_FD", "x")]).unwrap_err().why.contains("PMI_FD is \"x\""));
        assert!(given(&[("PMI_FD", "5"), ("PMI_RANK", "0")]).unwrap_err().why.contains("PMI_SIZE is not"));
        assert!(given(&[("PMI_FD", "5"), ("PMI_RANK", "4"), ("PMI_SIZE", "4")]).unwrap_err().why.contains("rank 4 of 4"));
    }
}
