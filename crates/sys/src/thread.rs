//! Which thread this is.

#![allow(unsafe_code)]

/// A number of the calling thread, not zero, that no other thread has as long as this one lives.
#[inline(always)]
pub fn this_thread() -> usize {
    #[cfg(all(target_arch = "x86_64", target_os = "linux", not(miri)))]
    {
        let own: usize;
        // SAFETY: on Linux the first word of a thread's control block, to which `fs` leads, is the block's own address (System V ABI, ELF TLS variant II).
        unsafe { std::arch::asm!("mov {}, fs:0", out(reg) own, options(nostack, preserves_flags, readonly, pure)) };
        own
    }
    #[cfg(not(all(target_arch = "x86_64", target_os = "linux", not(miri))))]
    {
        thread_local!(static MARK: u8 = const { 0 });
        MARK.with(|mark| std::ptr::from_ref(mark).addr())
    }
}

#[cfg(test)]
mod tests {
    use super::this_thread;

    #[test]
    fn threads_have_different_numbers() {
        let own = this_thread();
        let other = std::thread::spawn(this_thread).join().unwrap();
        assert!(own == this_thread() && own != 0 && other != own);
    }
}
