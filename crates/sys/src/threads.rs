//! The other threads of this process: whether one of them can act without the calling thread.

use std::fs;

/// Prefix of the names of threads that this library starts. The kernel shows 15 bytes of a name.
const OWN_PREFIX: &str = "nemesis-";

/// Returns whether every other thread of this process waits for another thread of this process,
/// without a time limit. Threads that this library started and up to `resting` others do not count.
/// Returns false if the kernel does not tell what threads wait for.
///
/// Such threads do not act while the calling thread stays in its call.
pub fn others_wait_for_this_process(resting: u32) -> bool {
    let Ok(entries) = fs::read_dir("/proc/self/task") else { return false };
    let threads: Vec<u64> =
        entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    let own = rustix::thread::gettid().as_raw_nonzero().get() as u64;
    let is_ours =
        |thread: u64| read(thread, "comm").is_some_and(|name| name.starts_with(OWN_PREFIX));
    let may_act = |&&thread: &&u64| thread != own && !is_ours(thread);
    !threads.is_empty() && active(&threads).iter().filter(may_act).count() <= resting as usize
}

/// Returns those of this process's `threads` that do not wait for one of them.
///
/// Threads are examined one after another, and of two that take turns each may be seen while it
/// waits. A thread that runs and then waits leaves its processor once more, so threads whose counts
/// have not changed all waited at one moment, after the first count of the last one.
fn active(threads: &[u64]) -> Vec<u64> {
    let before: Vec<Option<u64>> = threads.iter().map(|&thread| switches(thread)).collect();
    let waits: Vec<bool> = threads
        .iter()
        .map(|&thread| read(thread, "syscall").is_some_and(|call| waits_for_thread(&call, threads)))
        .collect();
    let states = threads.iter().zip(before).zip(waits);
    states
        .filter(|&((&thread, before), waits)| {
            !(waits && before.is_some() && switches(thread) == before)
        })
        .map(|((&thread, _), _)| thread)
        .collect()
}

/// Returns how often a thread has left its processor to wait.
fn switches(thread: u64) -> Option<u64> {
    let status = read(thread, "status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
    line?.trim().parse().ok()
}

/// Reads a file that the kernel has for a thread of this process.
fn read(thread: u64, what: &str) -> Option<String> {
    fs::read_to_string(format!("/proc/self/task/{thread}/{what}")).ok()
}

/// Returns whether a line of /proc/PID/task/TID/syscall is an unlimited wait that only a thread of
/// the process ends: on a private futex, or for the end of one of its `threads`.
fn waits_for_thread(call: &str, threads: &[u64]) -> bool {
    let mut words = call.split_ascii_whitespace();
    let number = words.next().and_then(|number| number.parse().ok());
    let arguments: Vec<u64> = words
        .map_while(|word| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok())
        .take(4)
        .collect();
    let (Some(libc::SYS_futex), [_, operation, value, 0]) = (number, arguments.as_slice()) else {
        return false;
    };
    let operation = *operation as i32 & !libc::FUTEX_CLOCK_REALTIME;
    let is_wait = [libc::FUTEX_WAIT, libc::FUTEX_WAIT_BITSET]
        .contains(&(operation & !libc::FUTEX_PRIVATE_FLAG));
    is_wait && (operation & libc::FUTEX_PRIVATE_FLAG != 0 || threads.contains(value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::thread;

    fn line(call: i64, operation: i32, value: u64, timeout: u64) -> String {
        format!(
            "{call} 0x7f0000001000 {operation:#x} {value:#x} {timeout:#x} 0x0 0xffffffff 0x7ffd0 \
             0x7f01\n"
        )
    }

    #[test]
    fn threads_that_take_turns_do_not_all_wait() {
        let number = || rustix::thread::gettid().as_raw_nonzero().get() as u64;
        let (tell, numbers) = mpsc::channel();
        let tell_too = tell.clone();
        let (there, ask) = mpsc::channel();
        let (back, answer) = mpsc::channel();
        let partner = thread::spawn(move || {
            tell_too.send(number()).unwrap();
            ask.iter().for_each(|turn: u32| back.send(turn).unwrap());
        });
        let (stop, is_over) = mpsc::channel();
        let first = thread::spawn(move || {
            tell.send(number()).unwrap();
            while is_over.try_recv() != Ok(true) {
                there.send(0).unwrap();
                answer.recv().unwrap();
            }
        });
        let threads: Vec<u64> = numbers.iter().take(2).collect();
        let all_wait = (0..2000).filter(|_| active(&threads).is_empty()).count();
        stop.send(true).unwrap();
        first.join().unwrap();
        partner.join().unwrap();
        assert_eq!(all_wait, 0);
    }

    #[test]
    fn only_unlimited_waits_within_the_process_count() {
        let waits = |text: &str| waits_for_thread(text, &[41, 42]);
        let condition =
            libc::FUTEX_WAIT_BITSET | libc::FUTEX_PRIVATE_FLAG | libc::FUTEX_CLOCK_REALTIME;
        assert!(waits(&line(libc::SYS_futex, condition, 2, 0)));
        assert!(!waits(&line(libc::SYS_futex, condition, 2, 0x7ffd_0000)), "it has a time limit");
        assert!(
            !waits(&line(libc::SYS_futex, libc::FUTEX_WAIT, 2, 0)),
            "another process may wake it"
        );
        assert!(waits(&line(libc::SYS_futex, libc::FUTEX_WAIT, 42, 0)), "pthread_join");
        assert!(!waits(&line(libc::SYS_futex, libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG, 1, 0)));
        assert!(!waits(&line(libc::SYS_read, condition, 2, 0)));
        assert!(!waits("running\n") && !waits(""));
    }
}
