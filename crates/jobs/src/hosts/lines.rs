//! The networks of simulated hosts, and the commands that reach hosts.

use super::{Addresses, Hosts, Plan, own_program};
use crate::processes::MARK;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Connects all hosts with each network.
pub fn connect(hosts: &Hosts, plan: &Plan) -> Result<(), String> {
    let switch = hosts.host("switch").holder;
    for network in 1..=plan.networks {
        let bridge = format!(
            "ip link add br{network} type bridge stp_state 0 forward_delay 0 && \
             ip link set br{network} up"
        );
        in_network(switch, &bridge).map_err(|_| "this kernel has no bridges")?;
        let mut pairs = String::new();
        let mut ports = String::new();
        for (number, name) in hosts.names().iter().filter(|name| *name != "switch").enumerate() {
            let port = format!("p{network}-{number}");
            pairs += &format!(
                "link add {port} netns {switch} type veth peer name eth{} netns {}\n",
                network - 1,
                hosts.host(name).holder
            );
            ports += &format!("ip link set {port} master br{network} up || exit\n");
        }
        let file = hosts.folder.join("pairs");
        fs::write(&file, pairs).map_err(|why| why.to_string())?;
        // In the network of one of the hosts, so that names do not meet those of the machine.
        in_network(switch, &format!("ip -batch {}", file.display()))
            .map_err(|_| "this kernel has no veth")?;
        in_network(switch, &ports).map_err(|why| format!("ports of the switch: {why}"))?;
        for name in hosts.names().iter().filter(|name| *name != "switch") {
            in_network(hosts.host(name).holder, &interface(name, network, plan))?;
        }
    }
    Ok(())
}

/// Returns the commands that give an interface its address and rate.
fn interface(name: &str, network: u32, plan: &Plan) -> String {
    let last = name.strip_prefix("node").unwrap_or("254");
    let interface = format!("eth{}", network - 1);
    // A link-local address is usable at once, because no other host can have it.
    let mut script = format!(
        "dad=/proc/sys/net/ipv6/conf/{interface}/accept_dad; [ ! -e $dad ] || echo 0 >$dad\n"
    );
    match plan.addresses {
        Addresses::Four => {
            script +=
                &format!("ip address add 10.77.{network}.{last}/24 dev {interface} || exit\n");
        }
        Addresses::Six => {
            script += &format!(
                "ip address add fd77:{network}::{last}/64 dev {interface} nodad || exit\n"
            );
        }
        Addresses::Link => {}
    }
    script += &format!("ip link set {interface} up || exit\n");
    if let Some(rate) = &plan.rate {
        script += &format!(
            "PATH=$PATH:/usr/sbin:/sbin tc qdisc add dev {interface} root tbf rate {rate} \
             burst 128kb latency 100ms\n"
        );
    }
    script
}

/// Runs a script of the shell in the network of a process.
fn in_network(process: i32, script: &str) -> Result<(), String> {
    let mut command = Command::new("nsenter");
    command.args(["-t", &process.to_string(), "--net", "--", "sh", "-c", script]);
    let output = command.output().map_err(|why| format!("nsenter: {why}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Writes the programs `ssh`, `cut-host` and `join-host`.
pub fn write_programs(hosts: &Hosts) {
    let folder = hosts.folder.join("bin");
    fs::create_dir(&folder).expect("a folder of the hosts");
    let program = own_program();
    for name in ["ssh", "cut-host", "join-host"] {
        let text = format!(
            "#!/bin/sh\nexec '{}' {name} '{}' \"$@\"\n",
            program.display(),
            hosts.folder.display()
        );
        let path = folder.join(name);
        fs::write(&path, text).expect("a program of the hosts");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("its rights");
    }
    fs::write(hosts.folder.join("networks"), hosts.networks.to_string()).expect("a file");
}

/// Runs a command on a host, as the real ssh would: `ssh [OPTION...] HOST COMMAND...`.
pub fn ssh(folder: &Path, words: &[String]) -> ExitCode {
    let mut words = words.iter();
    let host = loop {
        match words.next() {
            Some(word) if word.len() == 2 && word.starts_with('-') => {
                if "bcDEeFIiJLlmOopQRSWw".contains(&word[1..]) {
                    words.next();
                }
            }
            Some(word) if word.starts_with('-') => {}
            Some(word) => break word,
            None => return ExitCode::from(255),
        }
    };
    let name = host.rsplit('@').next().unwrap_or(host);
    let Ok(holder) = fs::read_to_string(folder.join(format!("{name}.pid"))) else {
        eprintln!("ssh: there is no host {name}");
        return ExitCode::from(255);
    };
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let mut command = Command::new("nsenter");
    command.args(["-t", holder.trim(), "--net", "--uts", "--mount"]).current_dir("/");
    if folder.join("own-processes").exists() && name.starts_with("node") {
        command.arg("--pid");
    }
    command.args(["--", "env", "-i", "SHELL=/bin/bash"]);
    for name in ["HOME", "PATH", MARK, STAGE] {
        command.arg(format!("{name}={}", variable(name)));
    }
    command.arg(format!("USER={}", std::env::var("USER").unwrap_or_else(|_| "root".into())));
    let line = words.map(String::as_str).collect::<Vec<_>>().join(" ");
    let why = command.args(["/bin/bash", "-c", &line]).exec();
    eprintln!("ssh: nsenter: {why}");
    ExitCode::from(255)
}

/// The variable that marks the processes of a stage of all checks.
pub const STAGE: &str = "JOBS_STAGE";

/// Sets the links of a host down or up: `cut-host HOST [NETWORK]`.
pub fn cut_or_join(folder: &Path, state: &str, words: &[String]) -> ExitCode {
    let networks = fs::read_to_string(folder.join("networks")).unwrap_or_default();
    let networks: u32 = networks.parse().unwrap_or(1);
    let [name, only @ ..] = words else { return ExitCode::from(2) };
    let Ok(holder) = fs::read_to_string(folder.join(format!("{name}.pid"))) else {
        eprintln!("there is no host {name}");
        return ExitCode::FAILURE;
    };
    let holder: i32 = holder.trim().parse().unwrap_or_default();
    let one = only.first().and_then(|word| word.parse::<u32>().ok());
    for network in one.map_or(1..=networks, |one| one..=one) {
        if let Err(why) = in_network(holder, &format!("ip link set eth{} {state}", network - 1)) {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

const USAGE: &str = "with-hosts N [-k NETWORKS] [-r RATE] [-a 4|6|link] [-p] [-s FOLDER]... -- \
                     COMMAND...";

/// Runs a command among simulated hosts.
pub fn with_hosts(words: &[String]) -> ExitCode {
    let Some((plan, command)) = parse(words) else {
        eprintln!("usage: {USAGE}");
        return ExitCode::from(2);
    };
    let hosts = match Hosts::start(&plan) {
        Ok(hosts) => hosts,
        Err(why) => {
            eprintln!("with-hosts: skipped: {why}");
            return ExitCode::from(77);
        }
    };
    run_on_login(&hosts, command)
}

/// Runs a command on "login" in the present folder, and returns its exit code.
pub fn run_on_login(hosts: &Hosts, words: &[String]) -> ExitCode {
    let folder = std::env::current_dir().unwrap_or_default();
    let mut command = hosts.login().command();
    command.args(["sh", "-c", "cd \"$0\" && exec \"$@\""]).arg(folder).args(words);
    match command.status() {
        Ok(status) => ExitCode::from(status.code().unwrap_or(1) as u8),
        Err(why) => {
            eprintln!("nsenter: {why}");
            ExitCode::FAILURE
        }
    }
}

fn parse(words: &[String]) -> Option<(Plan, &[String])> {
    let mut plan = super::nodes(words.first()?.parse().ok()?);
    let mut at = 1;
    while words.get(at)? != "--" {
        let value = words.get(at + 1)?;
        plan = match words[at].as_str() {
            "-p" => {
                at += 1;
                plan = plan.own_processes();
                continue;
            }
            "-k" => plan.networks(value.parse().ok()?),
            "-r" => plan.rate(value),
            "-s" => plan.sharing(value.into()),
            "-a" => plan.addresses(match value.as_str() {
                "4" => Addresses::Four,
                "6" => Addresses::Six,
                "link" => Addresses::Link,
                _ => return None,
            }),
            _ => return None,
        };
        at += 2;
    }
    let command = &words[at + 1..];
    (!command.is_empty()).then_some((plan, command))
}
