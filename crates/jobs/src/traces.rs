//! What jobs may leave: files of shared memory, temporary files, sockets.

use crate::hosts::Host;
use crate::processes;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Returns what is left of jobs on this machine or, without other jobs there, on a host.
pub fn of_nemesis(host: Option<&Host>) -> BTreeSet<String> {
    let path = |path: &str| host.map_or_else(|| path.into(), |host| host.path(path));
    let names = |folder: &str| {
        let entries = fs::read_dir(path(folder)).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.map(|name| format!("{folder}/{name}")).collect::<Vec<_>>()
    };
    let sockets = host
        .map_or_else(|| "/proc/net/unix".into(), |host| format!("/proc/{}/net/unix", host.holder));
    let sockets = fs::read_to_string(sockets).unwrap_or_default();
    let sockets = sockets.lines().filter_map(|line| line.split_whitespace().nth(7));
    let sockets = sockets.filter(|name| name.starts_with('@')).map(String::from);
    let all = names("/dev/shm").into_iter().chain(names("/tmp")).chain(sockets);
    let is_ours = |name: &String| {
        let name = name.to_lowercase();
        (name.contains("nemesis") || name.contains("mpi")) && !name.contains("/tmp/jobs-")
    };
    all.filter(is_ours).collect()
}

/// Returns everything that is left on a host: processes, files and sockets. Daemons of Slurm are no
/// part of a job.
pub fn of_host(host: &Host, with_processes: bool) -> Vec<String> {
    let mut found = Vec::new();
    let name = &host.name;
    if with_processes {
        for pid in host.processes() {
            let command = processes::command(pid);
            if !command.contains("slurm") && !command.is_empty() {
                found.push(format!("{name}: process {pid} {command}"));
            }
        }
    }
    for entry in entries(&host.path("/dev/shm")) {
        found.push(format!("{name}: /dev/shm/{entry}"));
    }
    let mounts = fs::read_to_string(format!("/proc/{}/mounts", host.holder)).unwrap_or_default();
    for entry in entries(&host.path("/tmp")) {
        let path = format!("/tmp/{entry}");
        let is_mount =
            mounts.contains(&format!(" {path}/")) || mounts.contains(&format!(" {path} "));
        let is_own = fs::metadata(host.path(&path)).is_ok_and(|file| file.uid() == own_user());
        if is_own && !is_mount && !entry.starts_with("prted.") {
            found.push(format!("{name}: {path}"));
        }
    }
    let sockets = host.output_of("ss -Htlnp; ss -Htnp state established; ss -Hxap");
    for socket in sockets.lines().filter(|line| !line.contains("slurm")) {
        if socket.contains("users:") && !socket.contains("\"ss\"") || socket.contains('@') {
            found.push(format!("{name}: socket {socket}"));
        }
    }
    found
}

fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

fn own_user() -> u32 {
    rustix::process::geteuid().as_raw()
}
