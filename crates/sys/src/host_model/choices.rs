//! The choices between algorithms that follow from a [`HostModel`].
//!
//! Each choice is one function with its reason. A choice whose figures were not measured is that of
//! a host where lines move fast. No choice asks for the vendor of the processor.

use super::HostModel;
use std::sync::OnceLock;

/// Bytes of a cache line, the unit of the model's costs.
const LINE_BYTES: f32 = 64.0;
/// Part of the cost of rewriting a line that claiming it must save, at least. Measured: three
/// quarters on Zen 4, with a cache in common and without; two fifths on Zen 3.
const CLAIM_SAVES: f32 = 0.3;
/// Packets are preferred to the kernel's copies at any length if they take at most this part of
/// their time. Two copies overlap less well where both processes send.
const PACKETS_TAKE: f32 = 0.75;
/// Bytes of a core's private cache, and of a shared cache, if the kernel does not tell them: those
/// of most processors of the last years.
const PRIVATE_CACHE_BYTES: usize = 1 << 20;
const SHARED_CACHE_BYTES: usize = 32 << 20;

/// What the processes of a node choose, by the host model on which they have agreed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choices {
    /// See [`HostModel::claims_lines`].
    pub claims_lines: bool,
    /// See [`HostModel::prefetches_awaited_lines`].
    pub prefetches_awaited_lines: bool,
    /// See [`HostModel::long_round_bytes`].
    pub long_round_bytes: Option<usize>,
    /// See [`HostModel::shortens_fastbox_packets`].
    pub shortens_fastbox_packets: bool,
    /// See [`HostModel::hands_off_early`].
    pub hands_off_early: bool,
    /// See [`HostModel::prefers_packets`].
    pub prefers_packets: bool,
    /// See [`HostModel::non_temporal_min_bytes`].
    pub non_temporal_min_bytes: usize,
    /// See [`HostModel::cooperates_early`].
    pub cooperates_early: bool,
}

impl HostModel {
    /// Returns all choices.
    pub fn choices(&self) -> Choices {
        Choices {
            claims_lines: self.claims_lines(),
            prefetches_awaited_lines: self.prefetches_awaited_lines(),
            long_round_bytes: self.long_round_bytes(),
            shortens_fastbox_packets: self.shortens_fastbox_packets(),
            hands_off_early: self.hands_off_early(),
            prefers_packets: self.prefers_packets(),
            non_temporal_min_bytes: self.non_temporal_min_bytes(),
            cooperates_early: self.cooperates_early(),
        }
    }

    /// Returns whether receivers claim the lines that they read. That pays if the sender rewrites a
    /// claimed line so much faster than one that was only read that the claim's own cost is saved
    /// as well.
    pub fn claims_lines(&self) -> bool {
        let claim_costs = (self.line_claim_ns - self.line_read_ns).max(0.0);
        self.line_rewrite_claimed_ns > 0.0
            && self.line_rewrite_claimed_ns + claim_costs
                <= (1.0 - CLAIM_SAVES) * self.line_rewrite_read_ns
    }

    /// Returns whether a receiver prefetches further lines of a fastbox while it waits for the
    /// first. It takes lines from a sender that is still writing them, which then writes lines that
    /// another processor has read. That costs too much where such writes are slow.
    pub fn prefetches_awaited_lines(&self) -> bool {
        !self.claims_lines()
    }

    /// Returns the bytes of a round of the copy ring, if a round is longer than two packets. A long
    /// round pays where receivers claim lines: these stay in the receiver's private cache, of which
    /// a round takes half.
    pub fn long_round_bytes(&self) -> Option<usize> {
        self.claims_lines().then(|| half_of(self.private_cache_bytes, PRIVATE_CACHE_BYTES))
    }

    /// Returns whether packets of more than some lines leave the fastbox for the copy ring. A
    /// fastbox reuses its lines soon, when claiming costs what it saves; the copy ring is longer.
    pub fn shortens_fastbox_packets(&self) -> bool {
        self.long_round_bytes().is_some()
    }

    /// Returns whether short packets already use a handoff buffer, in which no line is rewritten
    /// that the other processor has read last.
    pub fn hands_off_early(&self) -> bool {
        self.claims_lines()
    }

    /// Returns the time in which a long packet carries a line. Sender and receiver each copy it
    /// once, at the same time; one of them waits for the line's transfer.
    pub fn packet_line_ns(&self) -> f32 {
        let (rewrite, read) = match self.claims_lines() {
            true => (self.line_rewrite_claimed_ns, self.line_claim_ns),
            false => (self.line_rewrite_read_ns, self.line_read_ns),
        };
        LINE_BYTES / self.cached_copy_gb_per_s + rewrite.max(read)
    }

    /// Returns the time in which the kernel copies a line from one process to another; infinite, or
    /// not a number, if that was not measured. Both processes share the work, but the lines of the
    /// sender's buffer are read and not claimed, so that it writes its next message slowly.
    pub fn kernel_line_ns(&self) -> f32 {
        let copy_ns = LINE_BYTES / self.kernel_copy_gb_per_s;
        (copy_ns + self.line_read_ns + self.line_rewrite_read_ns) / 2.0
    }

    /// Returns whether packets through shared memory are preferred to copies by the kernel at any
    /// length: where lines are claimed, and a packet carries a line in less time.
    pub fn prefers_packets(&self) -> bool {
        let kernel_ns = self.kernel_line_ns();
        self.claims_lines()
            && (self.packet_line_ns() <= PACKETS_TAKE * kernel_ns || !kernel_ns.is_finite())
    }

    /// Returns the length from which on a message that comes in packets is stored past the caches.
    /// Otherwise it evicts from the shared cache what is written there before it is read. The
    /// buffers of both processes take two or four times the message's length of it.
    pub fn non_temporal_min_bytes(&self) -> usize {
        match self.prefers_packets() {
            false => usize::MAX,
            true => half_of(self.shared_cache_bytes, SHARED_CACHE_BYTES),
        }
    }

    /// Returns whether short writes of the Remote-Write API are cooperative already. The receiver
    /// then fetches its part, so that the writer does not rewrite lines that the receiver has read.
    pub fn cooperates_early(&self) -> bool {
        self.claims_lines()
    }

    /// Returns the choices in words: a name, the choice, and the figures or choices behind it.
    pub fn explain(&self) -> [(&'static str, String, String); 6] {
        let Choices { claims_lines, long_round_bytes, prefers_packets, .. } = self.choices();
        let yes = |choice: bool| if choice { "yes" } else { "no" }.to_owned();
        let are_known = self.line_read_ns > 0.0;
        let measured = |why: String| if are_known { why } else { "not measured".to_owned() };
        let rewriting = if claims_lines { "slow" } else { "not slow" };
        let rewriting = measured(format!("rewriting a line that was only read is {rewriting}"));
        let non_temporal = match self.non_temporal_min_bytes() {
            usize::MAX => "never".to_owned(),
            bytes => format!("from {}", in_words(bytes)),
        };
        [
            (
                "receivers claim the lines that they read",
                yes(claims_lines),
                measured(format!(
                    "rewriting a claimed line takes {:.1} ns, one that was only read {:.1} ns",
                    self.line_rewrite_claimed_ns, self.line_rewrite_read_ns
                )),
            ),
            ("receivers prefetch lines", yes(!claims_lines), rewriting.clone()),
            ("short packets leave the fastbox", yes(claims_lines), rewriting),
            (
                "a round of the copy ring",
                long_round_bytes.map_or("two packets".to_owned(), in_words),
                "if lines are claimed, half of a core's private cache".to_owned(),
            ),
            (
                "packets of any length instead of kernel copies",
                yes(prefers_packets),
                measured(format!(
                    "packets take {:.1} ns for a line, kernel copies {:.1} ns with the slower \
                     rewriting after them",
                    self.packet_line_ns(),
                    self.kernel_line_ns()
                )),
            ),
            (
                "messages in packets bypass the caches",
                non_temporal,
                "if packets of any length are used, half of the shared cache".to_owned(),
            ),
        ]
    }
}

/// Returns half of the bytes of a cache, or of `usual` if the cache is not known.
fn half_of(cache_bytes: f32, usual: usize) -> usize {
    if cache_bytes > 0.0 { cache_bytes as usize / 2 } else { usual / 2 }
}

/// Returns a number of bytes in the largest unit in which it is whole.
fn in_words(bytes: usize) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB"), (0, "bytes")];
    let fits = |(shift, _): &(u32, &str)| bytes.is_multiple_of(1 << shift);
    let (shift, unit) = units.into_iter().find(fits).unwrap_or(units[3]);
    format!("{} {unit}", bytes >> shift)
}

/// The model of this node, and what follows from it.
static AGREED: OnceLock<(Choices, HostModel)> = OnceLock::new();

fn agreed() -> &'static (Choices, HostModel) {
    AGREED.get_or_init(|| with_choices(HostModel::default()))
}

fn with_choices(model: HostModel) -> (Choices, HostModel) {
    (model.choices(), model)
}

/// Returns the choices of this node: by the model that its processes have [agreed](agree) on,
/// otherwise those without any figures.
#[inline]
pub fn choices() -> &'static Choices {
    &agreed().0
}

/// Returns the model of this node.
pub fn model() -> &'static HostModel {
    &agreed().1
}

/// Sets the model on which the processes of this node have agreed, before any code asks.
pub fn agree(model: HostModel) {
    // Code that has asked before keeps the earlier model. This happens in tests, which join several
    // jobs in one process.
    let _ = AGREED.set(with_choices(model));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A host where `read` and `claimed` nanoseconds rewrite a line that was read or claimed.
    fn host(read: f32, claimed: f32) -> HostModel {
        HostModel {
            line_read_ns: 1.0,
            line_claim_ns: 1.0,
            line_rewrite_read_ns: read,
            line_rewrite_claimed_ns: claimed,
            cached_copy_gb_per_s: 56.0,
            memory_copy_gb_per_s: 18.0,
            kernel_call_ns: 1200.0,
            kernel_copy_gb_per_s: 14.8,
            context_switch_ns: 2000.0,
            private_cache_bytes: 1048576.0,
            shared_cache_bytes: 33554432.0,
            shared_cache_processors: 16.0,
        }
    }

    /// What is chosen where lines that were read are slow to rewrite, or not.
    fn expected(slow: bool) -> Choices {
        Choices {
            claims_lines: slow,
            prefetches_awaited_lines: !slow,
            long_round_bytes: slow.then_some(512 << 10),
            shortens_fastbox_packets: slow,
            hands_off_early: slow,
            prefers_packets: slow,
            non_temporal_min_bytes: if slow { 16 << 20 } else { usize::MAX },
            cooperates_early: slow,
        }
    }

    #[test]
    fn measured_hosts_choose_as_their_lines_move() {
        // Zen 4 with a cache in common and without.
        for (read, claimed) in [(4.0, 0.96), (13.3, 2.7)] {
            assert_eq!(host(read, claimed).choices(), expected(true), "{read} {claimed}");
        }
        // Both processors on one core for some time; any difference; no measurement.
        for (read, claimed) in [(4.0, 3.9), (3.0, 4.0), (1.0, 0.8), (0.0, 0.0)] {
            assert_eq!(host(read, claimed).choices(), expected(false), "{read} {claimed}");
        }
        assert_eq!(HostModel::default().choices(), expected(false));
        assert!(
            host(4.0, 0.96)
                .explain()
                .iter()
                .all(|(_, choice, why)| !choice.is_empty() && !why.is_empty())
        );
    }

    #[test]
    fn a_claim_that_costs_what_it_saves_does_not_pay() {
        let dear = HostModel { line_claim_ns: 4.0, ..host(4.0, 1.0) };
        assert!(!dear.claims_lines());
        assert!(HostModel { line_claim_ns: 1.5, ..dear }.claims_lines());
    }

    #[test]
    fn caches_give_the_lengths() {
        let of = |private: f32, shared: f32| {
            let model = HostModel {
                private_cache_bytes: private,
                shared_cache_bytes: shared,
                ..host(4.0, 1.0)
            };
            (model.long_round_bytes().unwrap(), model.non_temporal_min_bytes())
        };
        assert_eq!(of(0.0, 0.0), (512 << 10, 16 << 20), "unknown");
        assert_eq!(of(524288.0, 268435456.0), (256 << 10, 128 << 20));
    }

    #[test]
    fn packets_are_chosen_where_the_kernel_refuses_to_copy() {
        let refused = HostModel { kernel_copy_gb_per_s: 0.0, ..host(4.0, 1.0) };
        assert!(refused.prefers_packets());
        let slow_copies = HostModel { cached_copy_gb_per_s: 8.0, ..host(4.0, 1.0) };
        assert!(!slow_copies.prefers_packets());
    }
}
