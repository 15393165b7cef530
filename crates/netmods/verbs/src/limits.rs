//! Limits of the system that stop registered memory.

use rustix::process::{Resource, getrlimit};

/// Least locked memory with which the module starts: queues, buffers and one bulk payload.
const LOCKED_MIN_BYTES: u64 = 8 << 20;

/// Fails if the process may lock too little memory. The superuser has no limit.
pub fn check_locked_memory() -> Result<(), String> {
    let limit = getrlimit(Resource::Memlock).current;
    match limit {
        Some(bytes) if bytes < LOCKED_MIN_BYTES && !rustix::process::geteuid().is_root() => {
            Err(too_low(bytes))
        }
        _ => Ok(()),
    }
}

fn too_low(bytes: u64) -> String {
    format!(
        "a process may lock {} KiB of memory, and this network needs at least {} KiB: raise the \
         limit (ulimit -l unlimited, or memlock in /etc/security/limits.conf)",
        bytes >> 10,
        LOCKED_MIN_BYTES >> 10
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_message_names_the_limit_and_the_remedy() {
        let message = super::too_low(64 << 10);
        assert!(message.contains("64 KiB") && message.contains("ulimit -l"), "{message}");
    }
}
