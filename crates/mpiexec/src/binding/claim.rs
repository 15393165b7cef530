//! Whose a core is: a job that binds its ranks holds a claim on each core that it gives out, and others bind theirs elsewhere, or not at all.
//!
//! A claim is a socket with an abstract name that says which core. The kernel gives a name to one socket only, and takes it back with the launcher,
//! however that ends: nothing is left behind, and nobody has to tidy up. Names are those of the network namespace; what runs in another one is not seen.
//! Each part of a job that has a launcher process claims for itself, also where several have a host in common.
//! Nor is anything a promise: who binds by hand, or by another launcher, asks nobody.
//!
//! Two launchers that begin together would each get half of the cores that both want. So one at a time claims (`GATE`), and the other waits that moment.

use std::fmt;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::{Duration, Instant};

/// The name for the time of claiming, beside those of cores.
const LOCK_NAME: &str = "gate";
/// How long somebody else may claim before we do without: a thousand times what it takes.
const LOCK_TIMEOUT: Duration = Duration::from_millis(20);
const RETRY_INTERVAL: Duration = Duration::from_micros(50);

/// A core, by its socket and its number there.
pub type Core = (u32, u32);

/// The names that claims have.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a>(pub &'a str);

/// What holds the cores that were claimed; they are free when this is dropped.
#[derive(Debug, Default)]
pub struct Claims {
    _sockets: Vec<UnixDatagram>,
}

/// Why nothing is held.
#[derive(Debug)]
pub enum Refusal {
    /// What others have left is not enough.
    Scarce,
    /// Somebody claims all the time.
    Busy,
    /// The kernel gives no names.
    Kernel(io::Error),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Scarce => {
                f.write_str("other jobs, or other agents of this one on this machine, have so many cores that fewer are left than ranks")
            }
            Refusal::Busy => write!(f, "another launcher was choosing cores for longer than {} ms", LOCK_TIMEOUT.as_millis()),
            Refusal::Kernel(error) => write!(f, "cores cannot be claimed: {error}"),
        }
    }
}

impl Names<'_> {
    /// Claims those of `cores` that nobody else has; `keep` looks at them and says whether we want them.
    pub fn claim(
        self,
        cores: &[Core],
        keep: impl FnOnce(&[Core]) -> bool,
    ) -> Result<Claims, Refusal> {
        let _gate = self.lock()?;
        let mut ours = Vec::new();
        let mut held = Vec::new();
        for &(socket, core) in cores {
            if let Ok(claim) = self.take(&format!("{socket}-{core}")) {
                held.push(claim);
                ours.push((socket, core));
            }
        }
        if keep(&ours) { Ok(Claims { _sockets: held }) } else { Err(Refusal::Scarce) }
    }

    fn lock(self) -> Result<UnixDatagram, Refusal> {
        let start = Instant::now();
        loop {
            match self.take(LOCK_NAME) {
                Ok(gate) => return Ok(gate),
                Err(error) if error.kind() != io::ErrorKind::AddrInUse => {
                    return Err(Refusal::Kernel(error));
                }
                Err(_) if start.elapsed() > LOCK_TIMEOUT => return Err(Refusal::Busy),
                Err(_) => std::thread::sleep(RETRY_INTERVAL),
            }
        }
    }

    fn take(self, name: &str) -> io::Result<UnixDatagram> {
        UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(format!("{}-{name}", self.0))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORES: [Core; 3] = [(0, 0), (0, 1), (1, 0)];

    fn claimed(names: Names<'_>) -> (Result<Claims, Refusal>, Vec<Core>) {
        let mut seen = Vec::new();
        let claims = names.claim(&CORES, |ours| {
            seen = ours.to_vec();
            !ours.is_empty()
        });
        (claims, seen)
    }

    #[test]
    fn a_core_is_claimed_once_until_it_is_let_go() {
        let name = format!("nemesis-test-claim-{}", std::process::id());
        let names = Names(&name);
        let some = names.claim(&CORES[1..2], |ours| ours == [(0, 1)]).unwrap();
        let (others, seen) = claimed(names);
        assert_eq!(seen, [(0, 0), (1, 0)]);
        assert!(claimed(names).0.is_err(), "all are taken");
        drop(some);
        assert_eq!(claimed(names).1, [(0, 1)]);
        drop(others);
        assert_eq!(claimed(names).1, CORES);
    }

    #[test]
    fn what_is_not_wanted_is_not_held() {
        let name = format!("nemesis-test-unwanted-{}", std::process::id());
        assert!(matches!(Names(&name).claim(&CORES, |_| false), Err(Refusal::Scarce)));
        assert_eq!(claimed(Names(&name)).1, CORES);
    }

    #[test]
    fn without_the_gate_nothing_is_claimed() {
        let name = format!("nemesis-test-gate-{}", std::process::id());
        let _gate = Names(&name).take(LOCK_NAME).unwrap();
        assert!(matches!(claimed(Names(&name)).0, Err(Refusal::Busy)));
        let long = "x".repeat(200);
        assert!(matches!(claimed(Names(&long)).0, Err(Refusal::Kernel(_))), "no name is so long");
    }
}
