//! Unexpected messages: how much of them is kept, and when their senders are asked to announce
//! more.

use super::{Content, Core, Message, Task};
use crate::event::Event;
use crate::matching::Pattern;
use crate::packet::Announcement;

/// Unexpected bytes of one process.
pub(super) struct Kept {
    bytes: usize,
    throttled: bool,
}

impl Kept {
    pub const NOTHING: Kept = Kept { bytes: 0, throttled: false };
}

impl Core {
    /// Keeps a message until a receive matches it. Throttles its sender if it keeps too many bytes.
    pub fn keep(&mut self, origin: u32, pattern: Pattern, content: Content) {
        let message = Message::new(origin, content);
        self.kept.grow(origin as usize + 1);
        self.count_kept(origin, message.cost());
        if self.events.wanted(Event::Unexpected) {
            self.events.record(
                Event::Unexpected,
                [message.bytes(), u64::from(pattern.rank), pattern.tag as u64, u64::from(origin)],
            );
        }
        self.unexpected.keep(pattern, message);
    }

    /// Counts bytes of unexpected messages of a process, and throttles it if they are too many.
    fn count_kept(&mut self, origin: u32, bytes: usize) {
        let kept = &mut self.kept[origin as usize];
        kept.bytes += bytes;
        if kept.bytes > self.unexpected_max_bytes && !kept.throttled {
            kept.throttled = true;
            self.counted.throttled += 1;
            self.tasks.push_back(Task::Throttle { to: origin, hold_back: true });
        }
    }

    /// Makes an unexpected message that is announced by the send `sender` of process `origin` an
    /// eager one, if there is space for it: `read` returns its bytes. Returns whether there is such
    /// a message and it was read.
    pub(crate) fn read_unexpected(
        &mut self,
        origin: u32,
        sender: u64,
        read: impl FnOnce(&Announcement) -> Option<Box<[u8]>>,
    ) -> bool {
        // The message may have been received, and its number be that of another send.
        let announcement = |message: &Message| message.to_be_read(origin, sender);
        let Some(message) = self.unexpected.find_where(|message| announcement(message).is_some())
        else {
            return false;
        };
        // Beyond the limit a message waits for its receive, as those of a process that is asked to
        // hold back do.
        let kept = self.kept[origin as usize].bytes as u64;
        if kept + message.bytes() > self.unexpected_max_bytes as u64 {
            return false;
        }
        let Some(bytes) = announcement(message).and_then(|announcement| read(&announcement)) else {
            return false;
        };
        let before = message.cost();
        message.is_read(bytes);
        let more = message.cost() - before;
        self.count_kept(origin, more);
        true
    }

    /// Returns the bytes that unexpected messages take, the cost of keeping them included.
    pub fn bytes_kept(&self) -> usize {
        self.kept.iter().map(|kept| kept.bytes).sum()
    }

    /// Removes and returns the earliest unexpected message that `wanted` matches.
    #[inline(always)]
    pub fn take_unexpected(&mut self, wanted: &Pattern) -> Option<(Pattern, Message)> {
        if self.unexpected.is_empty() {
            return None;
        }
        let (pattern, message) = self.unexpected.take(wanted)?;
        self.no_longer_kept(&message);
        Some((pattern, self.eager_if_whole(message)))
    }

    pub(crate) fn no_longer_kept(&mut self, message: &Message) {
        let kept = &mut self.kept[message.origin as usize];
        kept.bytes -= message.cost();
        if kept.throttled && kept.bytes <= self.unexpected_max_bytes / 2 {
            kept.throttled = false;
            self.tasks.push_back(Task::Throttle { to: message.origin, hold_back: false });
        }
    }
}
