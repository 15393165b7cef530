//! What the processes of a job talk through, in words (`mpiexec -v`, `NEMESIS_VERBOSE`).

use crate::endpoint::Endpoint;
use crate::tunables::Tunables;
use nemesis_shm::deaths::Deaths;
use nemesis_shm::segment::Slot;
use nemesis_sync::Ordering;
use nemesis_sys::{cma, share, virtual_process};
use nemesis_wireup::Wireup;
use rustix::io::Errno;
use std::collections::BTreeSet;
use std::time::Duration;

/// Longest time to wait for another process of the node to begin.
const START_WAIT: Duration = Duration::from_secs(1);
/// An address that no process maps. The kernel checks the permission before the address.
const NOWHERE: u64 = 8;

impl Endpoint {
    /// Uses the launcher's segment for state reports only (`NEMESIS_SHM=off`).
    #[cold]
    pub(super) fn report_to_launcher(&mut self, wireup: &mut Wireup) {
        let (processes, own) = (wireup.local_size() as usize, wireup.local_rank() as usize);
        let Some(segment) = wireup.launchers_segment() else { return };
        self.look_for_deaths(Deaths::of_file(&segment.descriptor));
        if let Some(head) = Slot::head(&segment.descriptor, segment.bytes as usize, processes, own)
        {
            // Relaxed: the launcher reads the word through the file, and it orders nothing.
            head.pid().store(std::process::id(), Ordering::Relaxed);
            self.report = head;
        }
    }

    /// Prints what this process and the others talk through, a line for each kind.
    #[cold]
    pub(super) fn report_transports(&mut self, wireup: &Wireup, tunables: &Tunables) {
        let nodes: BTreeSet<u32> = (0..wireup.size()).map(|rank| wireup.node_of(rank)).collect();
        let say = |what: &str| nemesis_sys::message::tell(format_args!("nemesis: {what}"));
        if wireup.local_size() > 1 && tunables.shm {
            say(&format!("within a host: shared memory; {}", self.kernel_copies(tunables)));
        }
        let Some(networks) = &mut self.networks else { return };
        let remote = (0..wireup.size()).filter(|&rank| self.peers[rank as usize].slot.is_none());
        let between = match nodes.len() {
            1 => "between processes (NEMESIS_SHM=off)".to_owned(),
            hosts => format!("between {hosts} hosts"),
        };
        for line in networks.report(remote, tunables) {
            say(&format!("{between}: {line}"));
        }
    }

    /// Returns the name of what carries packets to a process of the job: `self`, `shm` for shared
    /// memory, or the name of the network. Returns `None` if no network leads there, and for
    /// processes of other jobs that this process has not met.
    #[cold]
    pub fn transport(&mut self, process: u32) -> Option<String> {
        let peer = self.peers.get(process as usize)?;
        if process == self.me() {
            return Some("self".into());
        }
        if peer.slot.is_some() {
            return Some("shm".into());
        }
        self.networks.as_mut()?.name_of_network(process)
    }

    /// Says whether the kernel copies between processes of the node.
    fn kernel_copies(&self, tunables: &Tunables) -> String {
        const TWICE: &str = "long messages are copied twice";
        if !tunables.cma {
            return format!("{TWICE} (NEMESIS_CMA=off)");
        }
        let start = virtual_process::now();
        let pid = loop {
            let others = self.peers.met().filter_map(|(_, peer)| peer.slot);
            // Relaxed: the number orders nothing.
            let pids = others.map(|slot| slot.pid().load(Ordering::Relaxed));
            match pids.into_iter().find(|&pid| pid != 0 && pid != std::process::id()) {
                Some(pid) => break pid,
                None if virtual_process::since(start) > START_WAIT => {
                    return "no other process of the host has begun".to_owned();
                }
                None => share::yield_now(),
            }
        };
        match cma::read_exact(pid.cast_signed(), NOWHERE, &mut [0; 8]) {
            Ok(()) | Err(Errno::FAULT) => "the kernel copies long messages".to_owned(),
            Err(errno) => {
                let scope = "/proc/sys/kernel/yama/ptrace_scope, seccomp or a container's rules";
                format!("{TWICE}, because the kernel refuses to copy: {errno} ({scope})")
            }
        }
    }
}
