//! The first process of a host.

use crate::{places, processes};
use rustix::process::Signal;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Becomes the holder of a host: makes its files, writes its number, and waits until its standard
/// input is closed.
pub fn hold(folder: &Path, name: &str) -> ExitCode {
    if let Err(why) = prepare(folder, name) {
        eprintln!("{why}");
        return ExitCode::FAILURE;
    }
    std::thread::spawn(reap);
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    let own = processes::network(std::process::id() as i32);
    let myself = fs::read_link("/proc/self").ok();
    let myself = myself.and_then(|path| path.to_str()?.parse::<i32>().ok());
    for pid in processes::all() {
        if Some(pid) != myself && own.is_some() && processes::network(pid) == own {
            processes::signal(pid, Signal::KILL);
        }
    }
    ExitCode::SUCCESS
}

/// Whether a process belongs to a holder: its `sleep`, or the `unshare` that has started it.
pub fn is_part(pid: i32) -> bool {
    let command = processes::command(pid);
    command == "sleep infinity" || command.starts_with("unshare --net --uts")
}

/// Waits for orphans, which the first process of a namespace gets. A child that never ends lets the
/// wait block.
fn reap() {
    let _sleeper = Command::new("sleep").arg("infinity").spawn();
    while rustix::process::wait(rustix::process::WaitOptions::empty()).is_ok() {}
}

fn prepare(folder: &Path, name: &str) -> Result<(), String> {
    rustix::system::sethostname(name.as_bytes()).map_err(|why| format!("hostname: {why}"))?;
    let hosts = folder.join("etc-hosts");
    mount(&["--bind", &hosts.to_string_lossy(), "/etc/hosts"])?;
    let is_node = name.starts_with("node");
    if is_node || name == "login" && folder.join("own-login-files").exists() {
        own_files(folder, name)?;
    }
    run(Command::new("ip").args(["link", "set", "lo", "up"]))?;
    // The number that other hosts see: /proc is still that of the machine.
    let number = fs::read_link("/proc/self").map_err(|why| format!("/proc/self: {why}"))?;
    if is_node && folder.join("own-processes").exists() {
        mount(&["-t", "proc", "proc", "/proc"])?;
        let boot = folder.join(format!("{name}.boot"));
        let identity = fs::read("/proc/sys/kernel/random/uuid").map_err(|why| why.to_string())?;
        fs::write(&boot, identity).map_err(|why| why.to_string())?;
        mount(&["--bind", &boot.to_string_lossy(), "/proc/sys/kernel/random/boot_id"])?;
    }
    let new = folder.join(format!("{name}.new"));
    fs::write(&new, number.to_string_lossy().as_bytes()).map_err(|why| why.to_string())?;
    fs::rename(new, folder.join(format!("{name}.pid"))).map_err(|why| why.to_string())
}

/// Mounts /tmp and /dev/shm of a node, with the folders that nodes share.
fn own_files(folder: &Path, name: &str) -> Result<(), String> {
    let own = folder.join(format!("tmp.{name}"));
    run(Command::new("mkdir").args(["-m", "1777"]).arg(&own))?;
    let shared = fs::read_to_string(folder.join("shared.list")).map_err(|why| why.to_string())?;
    for shared in shared.lines() {
        let place = own.join(shared.trim_start_matches("/tmp/"));
        fs::create_dir_all(&place).map_err(|why| why.to_string())?;
        mount(&["--bind", shared, &place.to_string_lossy()])?;
    }
    mount(&["--rbind", &own.to_string_lossy(), "/tmp"])?;
    mount(&["-t", "tmpfs", "-o", "mode=1777", "none", "/dev/shm"])
}

fn mount(words: &[&str]) -> Result<(), String> {
    run(Command::new("mount").args(words))
}

fn run(command: &mut Command) -> Result<(), String> {
    if places::succeeds(command) { Ok(()) } else { Err(format!("{command:?} fails")) }
}
