//! Simulated hosts: network, host-name and mount namespaces of this machine.
//!
//! Hosts node1 to nodeN, and "login", have each their own name, addresses and /etc/hosts, and no
//! route leads out. Each network is a bridge, 10.77.K.0/24, on one more host, "switch". Nodes have
//! their own /tmp and /dev/shm; below /tmp they share the checkout, the folder of the build, the
//! folders that the plan names, and that of the hosts. With processes of its own a node has a boot
//! identity of its own, too; "login" sees the processes of all.
//!
//! The first process of a host, its holder, ends when the pipe on its standard input is closed, and
//! takes all processes of the host with it: nothing is left, however the test ends.

mod holder;
mod lines;

pub use holder::hold;
pub use lines::{STAGE, cut_or_join, run_on_login, ssh, with_hosts};

use crate::{places, processes};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The addresses of hosts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Addresses {
    /// IPv4, and link-local ones of IPv6.
    Four,
    /// IPv6 alone: fd77:K::/64.
    Six,
    /// Link-local ones of IPv6 alone.
    Link,
}

/// The hosts that a case needs.
#[derive(Clone)]
pub struct Plan {
    nodes: u32,
    networks: u32,
    rate: Option<String>,
    addresses: Addresses,
    own_processes: bool,
    own_login_files: bool,
    shared: Vec<PathBuf>,
}

/// Describes this number of nodes, with one network.
pub fn nodes(nodes: u32) -> Plan {
    let program = own_program().parent().map(Path::to_path_buf).unwrap_or_default();
    Plan {
        nodes,
        networks: 1,
        rate: None,
        addresses: Addresses::Four,
        own_processes: false,
        own_login_files: false,
        shared: vec![places::root(), places::target(), program],
    }
}

impl Plan {
    /// Each node has eth0, eth1 … in this number of networks.
    #[must_use]
    pub fn networks(mut self, networks: u32) -> Plan {
        self.networks = networks;
        self
    }

    /// Limits what each interface sends, such as "400mbit".
    #[must_use]
    pub fn rate(mut self, rate: &str) -> Plan {
        self.rate = Some(rate.into());
        self
    }

    #[must_use]
    pub fn addresses(mut self, addresses: Addresses) -> Plan {
        self.addresses = addresses;
        self
    }

    /// Nodes see their own processes only, and have boot identities of their own.
    #[must_use]
    pub fn own_processes(mut self) -> Plan {
        self.own_processes = true;
        self
    }

    /// "login" has its own /tmp and /dev/shm, too.
    #[must_use]
    pub fn own_login_files(mut self) -> Plan {
        self.own_login_files = true;
        self
    }

    /// Nodes share a folder below /tmp.
    #[must_use]
    pub fn sharing(mut self, folder: PathBuf) -> Plan {
        self.shared.push(folder);
        self
    }
}

/// Hosts that run.
pub struct Hosts {
    /// Has what the hosts share, and the programs `ssh`, `cut-host` and `join-host`.
    pub folder: PathBuf,
    nodes: u32,
    networks: u32,
    own_processes: bool,
    holders: Vec<Child>,
}

/// A host, to start commands there.
#[derive(Clone)]
pub struct Host {
    pub name: String,
    pub holder: i32,
    folder: PathBuf,
    own_processes: bool,
}

impl Hosts {
    /// Starts hosts. The error is the reason why that is not possible here.
    pub fn start(plan: &Plan) -> Result<Hosts, String> {
        for tool in ["unshare", "nsenter", "ip"] {
            if places::find(tool).is_none() {
                return Err(format!("{tool} is not installed (util-linux, iproute2)"));
            }
        }
        if plan.addresses != Addresses::Four && !Path::new("/proc/net/if_inet6").exists() {
            return Err("this kernel has no IPv6".into());
        }
        if !places::may_unshare(&["--net", "--uts", "--mount"]) {
            return Err("this user may not make namespaces".into());
        }
        let folder = fresh_folder();
        let mut hosts = Hosts {
            folder,
            nodes: plan.nodes,
            networks: plan.networks,
            own_processes: plan.own_processes,
            holders: Vec::new(),
        };
        hosts.write_files(plan);
        let names = hosts.names();
        for name in &names {
            hosts.start_holder(name, plan.own_processes)?;
        }
        for name in &names {
            let file = hosts.folder.join(format!("{name}.pid"));
            if !crate::holds_within(10.0, || file.exists()) {
                let log = fs::read_to_string(hosts.folder.join(format!("{name}.log")));
                return Err(format!("host {name} did not start: {}", log.unwrap_or_default()));
            }
        }
        lines::connect(&hosts, plan)?;
        Ok(hosts)
    }

    fn names(&self) -> Vec<String> {
        let nodes = self.node_names();
        ["login".to_string()].into_iter().chain(nodes).chain(["switch".to_string()]).collect()
    }

    /// The names of the nodes: node1 and so on.
    pub fn node_names(&self) -> Vec<String> {
        (1..=self.nodes).map(|number| format!("node{number}")).collect()
    }

    fn write_files(&self, plan: &Plan) {
        let mut names = "127.0.0.1 localhost\n".to_string();
        let net = if plan.addresses == Addresses::Four { "10.77.1." } else { "fd77:1::" };
        if plan.addresses != Addresses::Link {
            names += &format!("{net}254 login\n");
            for number in 1..=plan.nodes {
                names += &format!("{net}{number} node{number}\n");
            }
        }
        let write = |name: &str, text: &str| {
            fs::write(self.folder.join(name), text).expect("a file of the hosts");
        };
        write("etc-hosts", &names);
        let shared = plan.shared.iter().chain([&self.folder]);
        let shared = shared.filter_map(|folder| folder.canonicalize().ok());
        let shared = shared.filter(|folder| folder.starts_with("/tmp"));
        write(
            "shared.list",
            &shared.map(|folder| format!("{}\n", folder.display())).collect::<String>(),
        );
        if plan.own_processes {
            write("own-processes", "");
        }
        if plan.own_login_files {
            write("own-login-files", "");
        }
        fs::create_dir(self.folder.join("shared")).expect("a folder of the hosts");
        lines::write_programs(self);
    }

    fn start_holder(&mut self, name: &str, own_processes: bool) -> Result<(), String> {
        let log = fs::File::create(self.folder.join(format!("{name}.log"))).expect("a log");
        let mut command = Command::new("unshare");
        command.args(["--net", "--uts", "--mount", "--propagation", "private"]);
        if own_processes && name.starts_with("node") {
            command.args(["--pid", "--fork", "--kill-child"]);
        }
        command.arg(own_program()).arg("hold").arg(&self.folder).arg(name);
        // Its job is not that of the case which has started it.
        command.env_remove(crate::processes::MARK).stdin(Stdio::piped());
        command.stdout(log.try_clone().expect("a second descriptor")).stderr(log);
        self.holders.push(command.spawn().map_err(|why| format!("unshare: {why}"))?);
        Ok(())
    }

    /// Returns a host by its name: "login", "node1" and so on.
    pub fn host(&self, name: &str) -> Host {
        let pid = fs::read_to_string(self.folder.join(format!("{name}.pid")));
        let pid = pid.unwrap_or_else(|why| panic!("there is no host {name}: {why}"));
        Host {
            name: name.into(),
            holder: pid.trim().parse().expect("a process"),
            folder: self.folder.clone(),
            own_processes: self.own_processes && name.starts_with("node"),
        }
    }

    /// The host from which jobs are started.
    pub fn login(&self) -> Host {
        self.host("login")
    }

    /// All nodes.
    pub fn all_nodes(&self) -> Vec<Host> {
        self.node_names().iter().map(|name| self.host(name)).collect()
    }

    /// Runs a command of the shell on a host, and returns what it prints.
    pub fn on(&self, name: &str, command: &str) -> String {
        self.host(name).output_of(command)
    }

    /// Disconnects a host from all its networks.
    pub fn cut(&self, name: &str) {
        (1..=self.networks).for_each(|network| self.cut_from(name, network));
    }

    /// Disconnects a host from one network; they are counted from 1.
    pub fn cut_from(&self, name: &str, network: u32) {
        self.host(name).set_link(network, "down");
    }
}

impl Host {
    /// Returns a command that continues on this host: with nsenter, to which words are added.
    pub fn command(&self) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["-t", &self.holder.to_string(), "--net", "--uts", "--mount"]);
        if self.own_processes {
            command.arg("--pid");
        }
        let path = std::env::var("PATH").unwrap_or_default();
        command.env("PATH", format!("{}:{path}", self.folder.join("bin").display()));
        command.env("HOSTS_SHARED", self.folder.join("shared")).arg("--");
        command
    }

    /// Runs a command of the shell, and returns what it prints.
    pub fn output_of(&self, command: &str) -> String {
        places::output_of(self.command().args(["sh", "-c", command]))
    }

    fn set_link(&self, network: u32, state: &str) {
        let interface = format!("eth{}", network - 1);
        let mut ip = self.command();
        let is_done = places::succeeds(ip.args(["ip", "link", "set", &interface, state]));
        assert!(is_done, "{interface} of {} is not set {state}", self.name);
    }

    /// The processes of this host but for its holder.
    pub fn processes(&self) -> Vec<i32> {
        let own = processes::network(self.holder);
        let mut found = processes::all();
        found.retain(|&pid| pid != self.holder && processes::network(pid) == own);
        found.retain(|&pid| processes::is_alive(pid) && !holder::is_part(pid));
        found
    }

    /// A path of this host as this machine sees it.
    pub fn path(&self, path: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/root{path}", self.holder))
    }
}

impl Drop for Hosts {
    fn drop(&mut self) {
        for holder in &mut self.holders {
            drop(holder.stdin.take());
        }
        for holder in &mut self.holders {
            let _ = holder.wait();
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// This program, which is the holder and the `ssh` of hosts, too. It may have been built anew since
/// it was started.
fn own_program() -> PathBuf {
    let path = std::env::current_exe().expect("this program has a path");
    path.to_string_lossy().trim_end_matches(" (deleted)").into()
}

fn fresh_folder() -> PathBuf {
    loop {
        let folder = PathBuf::from(format!("/tmp/hosts-{:08x}", fastrand::u32(..)));
        match fs::create_dir(&folder) {
            Ok(()) => return folder,
            Err(why) if why.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(why) => panic!("{}: {why}", folder.display()),
        }
    }
}
