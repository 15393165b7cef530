//! What processes that take too long are doing.

use crate::processes;
use rustix::process::Signal;
use std::process::Command;

/// Programs whose stacks tell nothing.
const PLAIN: [&str; 4] = ["/bin/", "/usr/bin/", "/usr/sbin/", "/cargo"];

/// Describes the processes that carry a variable of the environment: their states and, if gdb is
/// installed, the stacks of their threads. Then kills them.
pub fn of(variable: &str) -> String {
    let own = std::process::id() as i32;
    let found: Vec<i32> =
        processes::carrying(variable).into_iter().filter(|&pid| pid != own).collect();
    let mut text = String::new();
    for &pid in &found {
        let state = processes::state(pid).unwrap_or('?');
        let command: String = processes::command(pid).chars().take(120).collect();
        text += &format!("{pid} {state}: {command}\n");
    }
    if crate::places::find("gdb").is_some() {
        for &pid in &found {
            let program = std::fs::read_link(format!("/proc/{pid}/exe")).unwrap_or_default();
            let program = program.to_string_lossy().into_owned();
            if !PLAIN.iter().any(|plain| program.contains(plain)) {
                text += &format!("{pid}:\n{}", of_threads(pid));
            }
        }
    }
    found.iter().for_each(|&pid| processes::signal(pid, Signal::KILL));
    text
}

fn of_threads(pid: i32) -> String {
    let mut gdb = Command::new("timeout");
    gdb.args(["20", "gdb", "-p", &pid.to_string(), "-batch", "-nx"]);
    gdb.args(["-ex", "thread apply all backtrace 16"]);
    let said = crate::places::output_of(&mut gdb);
    let lines = said.lines().filter(|line| line.starts_with('#') || line.starts_with("Thread"));
    lines.map(|line| line.chars().take(150).collect::<String>() + "\n").collect()
}
