//! Claims on cores: a job that binds its ranks holds a claim on each core that it gives out. Other
//! jobs bind their ranks to other cores, or not at all.
//!
//! A claim is a socket with an abstract name that contains the core. The kernel gives a name to one
//! socket only and frees it when the launcher ends, however it ends, so nothing has to be cleaned
//! up. Names belong to the network namespace; jobs in other namespaces are not seen. Each launcher
//! of a job claims for itself, also if several run on one machine. A claim promises nothing: a
//! process that is bound by hand or by another launcher asks for none.
//!
//! Two launchers that claim at once would each get half of the cores that both want. Therefore one
//! launcher claims at a time (`LOCK_NAME`), and the other waits.

use std::fmt;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::{Duration, Instant};

/// The name that a launcher holds while it claims.
const LOCK_NAME: &str = "gate";
/// Time to wait for another launcher that claims: a thousand times what claiming takes.
const LOCK_TIMEOUT: Duration = Duration::from_millis(20);
/// Time between two attempts to get the lock.
const RETRY_INTERVAL: Duration = Duration::from_micros(50);

/// A core, by its socket and its number there.
pub type Core = (u32, u32);

/// The prefix of the names of claims.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a>(pub &'a str);

/// Holds claims on cores, which end when this is dropped.
#[derive(Debug, Default)]
pub struct Claims {
    _sockets: Vec<UnixDatagram>,
}

/// Why no core has been claimed.
#[derive(Debug)]
pub enum Refusal {
    /// Other jobs have left too few cores.
    Scarce,
    /// Another launcher held the lock for too long.
    Busy,
    /// The kernel refuses the name.
    Kernel(io::Error),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Scarce => f.write_str(
                "other jobs, or other agents of this one on this machine, have claimed so many \
                     cores that fewer are left than ranks",
            ),
            Refusal::Busy => {
                let milliseconds = LOCK_TIMEOUT.as_millis();
                write!(f, "another launcher claimed cores for longer than {milliseconds} ms")
            }
            Refusal::Kernel(error) => write!(f, "cores cannot be claimed: {error}"),
        }
    }
}

impl Names<'_> {
    /// Claims those of `cores` that no other job has. The claims are kept if `keep`, which sees the
    /// claimed cores, returns true.
    ///
    /// # Errors
    ///
    /// Returns why no core has been claimed.
    pub fn claim(
        self,
        cores: &[Core],
        keep: impl FnOnce(&[Core]) -> bool,
    ) -> Result<Claims, Refusal> {
        let _lock = self.lock()?;
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

    /// Takes the lock for claiming.
    fn lock(self) -> Result<UnixDatagram, Refusal> {
        let start = Instant::now();
        loop {
            match self.take(LOCK_NAME) {
                Ok(lock) => return Ok(lock),
                Err(error) if error.kind() != io::ErrorKind::AddrInUse => {
                    return Err(Refusal::Kernel(error));
                }
                Err(_) if start.elapsed() > LOCK_TIMEOUT => return Err(Refusal::Busy),
                Err(_) => std::thread::sleep(RETRY_INTERVAL),
            }
        }
    }

    /// Takes one name.
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
    fn a_core_is_claimed_once_until_it_is_released() {
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
    fn unwanted_claims_are_released() {
        let name = format!("nemesis-test-unwanted-{}", std::process::id());
        assert!(matches!(Names(&name).claim(&CORES, |_| false), Err(Refusal::Scarce)));
        assert_eq!(claimed(Names(&name)).1, CORES);
    }

    #[test]
    fn without_the_lock_nothing_is_claimed() {
        let name = format!("nemesis-test-lock-{}", std::process::id());
        let _lock = Names(&name).take(LOCK_NAME).unwrap();
        assert!(matches!(claimed(Names(&name)).0, Err(Refusal::Busy)));
        let long = "x".repeat(200);
        assert!(matches!(claimed(Names(&long)).0, Err(Refusal::Kernel(_))), "the name is too long");
    }
}
