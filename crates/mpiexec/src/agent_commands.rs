//! The commands that start a program on another host: templates in which `{host}` stands for the
//! host and `{cmd}` for the program.

/// The template for ssh. In batch mode ssh asks for no password, because no user would see the
/// question.
pub const SSH: &str = "ssh -x -o BatchMode=yes -o ConnectTimeout=20 {host} {cmd}";
/// The template for srun: a step of one task that shares its node with other steps.
pub const SRUN: &str = "srun --nodelist={host} --nodes=1 --ntasks=1 --overlap --mpi=none \
                        --cpu-bind=none --quiet {cmd}";

/// The names of ways to start, as MPICH and Intel MPI call them.
pub const NAMES: &str = "ssh, rsh, slurm, lsf, sge or fork";

/// Returns the template for a way to start.
pub fn named(name: &str) -> Option<&'static str> {
    Some(match name {
        "ssh" => SSH,
        "rsh" => "rsh {host} {cmd}",
        "slurm" | "srun" => SRUN,
        "lsf" | "blaunch" => "blaunch {host} {cmd}",
        "sge" | "qrsh" => "qrsh -inherit -V {host} {cmd}",
        "fork" => "{cmd}",
        _ => return None,
    })
}

/// Returns the template for a program that is called as `PROGRAM ARGUMENTS HOST COMMAND`. A program
/// named ssh gets the arguments of [`SSH`].
pub fn of_program(program: &str, arguments: &str) -> String {
    match program.rsplit('/').next() {
        Some("ssh") => SSH.replacen("ssh -x", &format!("{program} -x {arguments}"), 1),
        _ => format!("{program} {arguments} {{host}} {{cmd}}"),
    }
}
