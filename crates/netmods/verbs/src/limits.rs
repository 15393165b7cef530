//! Limits of the system that stop registered memory.

use nemesis_sys::mapping;
use rustix::process::{Resource, getrlimit};

/// Least locked memory with which the module starts: queues, buffers and one bulk payload.
const LOCKED_MIN_BYTES: u64 = 8 << 20;
/// More than the limit by this is refused without the privilege.
const PAGE_BYTES: usize = 4096;

/// Fails if the process may lock too little memory. A privilege (`CAP_IPC_LOCK`) exempts it from
/// the limit; the superuser of a container usually lacks it.
pub fn check_locked_memory() -> Result<(), String> {
    match getrlimit(Resource::Memlock).current {
        Some(bytes)
            if bytes < LOCKED_MIN_BYTES && !mapping::may_lock(LOCKED_MIN_BYTES as usize) =>
        {
            Err(too_low(bytes))
        }
        _ => Ok(()),
    }
}

/// Says which limits a device may have met that refuses memory or a queue.
pub fn reached() -> String {
    match getrlimit(Resource::Memlock).current {
        Some(bytes) if !mapping::may_lock((bytes as usize).saturating_add(PAGE_BYTES)) => format!(
            "the limit of locked memory ({} KiB, ulimit -l) or a limit of the device is reached",
            bytes >> 10
        ),
        _ => "a limit of the device is reached, as no limit of locked memory holds here".to_owned(),
    }
}

fn too_low(bytes: u64) -> String {
    format!(
        "a process may lock {} KiB of memory, and this network needs at least {} KiB: raise the \
         limit (ulimit -l unlimited, memlock in /etc/security/limits.conf, or docker run --ulimit \
         memlock=-1)",
        bytes >> 10,
        LOCKED_MIN_BYTES >> 10
    )
}

#[cfg(test)]
mod tests {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    use rustix::thread::{CapabilitySet, capabilities, set_capabilities};

    /// A superuser without the privilege is the one of a container. The limit is that of the
    /// process, and no other unit test locks memory.
    #[test]
    fn the_superuser_has_no_limit_only_by_a_privilege() {
        let old = getrlimit(Resource::Memlock);
        let low = Rlimit { current: Some(64 << 10), ..old };
        setrlimit(Resource::Memlock, low).expect("a lower limit");
        let mut sets = capabilities(None).expect("every thread has sets");
        let privileged = sets.effective.contains(CapabilitySet::IPC_LOCK);
        let first = super::check_locked_memory();
        sets.effective.remove(CapabilitySet::IPC_LOCK);
        set_capabilities(None, sets).expect("less than before");
        let second = super::check_locked_memory();
        let reached = super::reached();
        setrlimit(Resource::Memlock, old).expect("the old limit");
        assert!(privileged || first.is_err(), "{first:?}");
        assert!(second.unwrap_err().contains("may lock 64 KiB"));
        assert!(reached.contains("(64 KiB, ulimit -l) or a limit of the device"), "{reached}");
    }

    #[test]
    fn the_message_names_the_limit_and_the_remedy() {
        let message = super::too_low(64 << 10);
        assert!(message.contains("64 KiB") && message.contains("ulimit -l"), "{message}");
    }
}
