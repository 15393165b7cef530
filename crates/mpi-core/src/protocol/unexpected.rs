//! Unexpected messages: how much of them is kept, and when their senders are asked to announce
//! more.

use super::{Content, Core, Message, Task};
use crate::event::Event;
use crate::matching::Pattern;

/// Unexpected bytes of one process.
#[derive(Clone, Default)]
pub(super) struct Kept {
    bytes: usize,
    throttled: bool,
}

impl Core {
    /// Keeps a message until a receive matches it. Throttles its sender if it keeps too many bytes.
    pub fn keep(&mut self, origin: u32, pattern: Pattern, content: Content) {
        let message = Message { origin, content };
        if self.kept.len() <= origin as usize {
            self.kept.resize(origin as usize + 1, Kept::default());
        }
        let kept = &mut self.kept[origin as usize];
        kept.bytes += message.cost();
        if kept.bytes > self.unexpected_max_bytes && !kept.throttled {
            kept.throttled = true;
            self.counted.throttled += 1;
            self.tasks.push_back(Task::Throttle { to: origin, hold_back: true });
        }
        if self.events.wanted(Event::Unexpected) {
            self.events.record(
                Event::Unexpected,
                [message.bytes(), u64::from(pattern.rank), pattern.tag as u64, u64::from(origin)],
            );
        }
        self.unexpected.keep(pattern, message);
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
