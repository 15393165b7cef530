//! A Slurm cluster of simulated hosts.
//!
//! "login" has the controller. This machine's own Slurm and munge are not used.

use crate::hosts::{Hosts, Plan};
use crate::places;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

/// A cluster that runs. Its daemons end with its hosts.
pub struct Slurm {
    pub hosts: Hosts,
    place: PathBuf,
}

impl Slurm {
    /// Starts a cluster. The error is the reason why that is not possible here.
    pub fn start(nodes: u32, plan: &Plan) -> Result<Slurm, String> {
        for tool in ["slurmctld", "slurmd", "srun", "munged"] {
            if places::find(tool).is_none() {
                return Err(format!("{tool} is not installed (packages slurm-wlm and munge)"));
            }
        }
        let hosts = Hosts::start(plan)?;
        let place = hosts.folder.join("shared/slurm");
        let slurm = Slurm { hosts, place };
        slurm.start_daemons(nodes).map_err(|why| format!("the cluster: {why}"))?;
        let are_idle = || slurm.on_login("sinfo -h -t idle -o %D").trim() == nodes.to_string();
        if crate::holds_within(20.0, are_idle) {
            return Ok(slurm);
        }
        let logs = slurm.on_login(&format!("tail -n 3 {}/*.log", slurm.place.display()));
        Err(format!("the cluster did not come up: {}", logs.replace('\n', " ")))
    }

    /// The file that tells commands where the controller is: `SLURM_CONF`.
    pub fn conf(&self) -> String {
        self.place.join("slurm.conf").display().to_string()
    }

    /// Runs a command of the shell on "login".
    pub fn on_login(&self, command: &str) -> String {
        self.hosts.on("login", &format!("export SLURM_CONF={}; {command}", self.conf()))
    }

    fn start_daemons(&self, nodes: u32) -> std::io::Result<()> {
        let place = self.place.display();
        for folder in ["", "state", "munge"] {
            fs::create_dir_all(self.place.join(folder))?;
        }
        let key: Vec<u8> = (0..128).map(|_| fastrand::u8(..)).collect();
        fs::write(self.place.join("munge/key"), key)?;
        places::succeeds(Command::new("chmod").arg("600").arg(self.place.join("munge/key")));
        fs::write(self.place.join("slurm.conf"), self.configuration(nodes))?;
        fs::write(self.place.join("cgroup.conf"), "CgroupPlugin=cgroup/v1\n")?;
        let munge = self.place.join("munge").display().to_string();
        self.start_daemon(
            "login",
            &format!(
                "munged --foreground --force --key-file={munge}/key --socket={munge}/socket \
                 --pid-file={munge}/pid --log-file={munge}/log --seed-file={munge}/seed"
            ),
        )?;
        self.start_daemon("login", &format!("slurmctld -D -f {place}/slurm.conf"))?;
        for host in self.hosts.node_names() {
            self.start_daemon(&host, &format!("slurmd -D -N {host} -f {place}/slurm.conf"))?;
        }
        Ok(())
    }

    /// Starts a daemon, which ends with its host.
    fn start_daemon(&self, host: &str, command: &str) -> std::io::Result<()> {
        let name = command.split(' ').next().unwrap_or_default();
        let log = fs::File::create(self.place.join(format!("{name}.{host}.log")))?;
        let mut daemon = self.hosts.host(host).command();
        let line = format!("PATH=$PATH:/usr/sbin:/sbin; exec {command}");
        daemon.args(["sh", "-c", &line]).stdin(Stdio::null());
        daemon.env("SLURM_CONF", self.conf()).env_remove(crate::processes::MARK);
        daemon.stdout(log.try_clone()?).stderr(log).spawn()?;
        Ok(())
    }

    fn configuration(&self, nodes: u32) -> String {
        let place = self.place.display();
        let mut text = format!(
            "ClusterName=simulated\nSlurmctldHost=login\nSlurmUser=root\nSlurmdUser=root\n\
             AuthType=auth/munge\nAuthInfo=socket={place}/munge/socket\nCredType=cred/munge\n\
             MpiDefault=none\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n\
             JobAcctGatherType=jobacct_gather/none\n\
             AccountingStorageType=accounting_storage/none\nSwitchType=switch/none\n\
             SelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\nReturnToService=2\n\
             SlurmdParameters=config_overrides\nStateSaveLocation={place}/state\n\
             SlurmdSpoolDir={place}/spool.%n\nTmpFS=/tmp\n\
             SlurmctldPidFile={place}/slurmctld.pid\nSlurmdPidFile={place}/slurmd.%n.pid\n\
             SlurmctldLogFile={place}/slurmctld.log\nSlurmdLogFile={place}/slurmd.%n.log\n\
             KillWait=2\nMailProg=/bin/true\n"
        );
        for host in 1..=nodes {
            text += &format!("NodeName=node{host} CPUs=8 State=UNKNOWN\n");
        }
        text + "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP \
                OverSubscribe=YES\n"
    }
}

/// Runs a command beside a cluster: `with-slurm N [-s FOLDER]... COMMAND...`.
pub fn with_slurm(words: &[String]) -> ExitCode {
    let Some(nodes) = words.first().and_then(|word| word.parse().ok()) else {
        eprintln!("usage: with-slurm N [-s FOLDER]... COMMAND...");
        return ExitCode::from(2);
    };
    let mut plan = crate::hosts::nodes(nodes).own_processes();
    let mut command = &words[1..];
    while let [option, folder, rest @ ..] = command {
        if option != "-s" {
            break;
        }
        plan = plan.sharing(folder.into());
        command = rest;
    }
    match Slurm::start(nodes, &plan) {
        Ok(slurm) => {
            let variable = format!("SLURM_CONF={}", slurm.conf());
            let words = ["env".to_string(), variable].into_iter().chain(command.iter().cloned());
            crate::hosts::run_on_login(&slurm.hosts, &words.collect::<Vec<_>>())
        }
        Err(why) => {
            eprintln!("with-slurm: {why}");
            ExitCode::from(77)
        }
    }
}
