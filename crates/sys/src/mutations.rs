//! The list of the mutations ([`mutation`](crate::mutation)).

/// A deliberate defect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// A sender does not wake a receiver that sleeps.
    LostWakeUp,
    /// A receiver that has returned space does not wake its sender, which sleeps for want of it.
    SpaceUntold,
    /// A packet in a cell is delivered before the earlier ones in the pair's fastbox.
    CellOvertakes,
    /// A message takes the posted receive that fits exactly, though one with a wildcard was posted
    /// before.
    WildcardPassedOver,
    /// A receive takes the last of the unexpected messages of its pattern.
    UnexpectedReversed,
    /// A receive takes an unexpected message of another communicator.
    WrongCommunicator,
    /// A cancelled receive stays posted.
    CancelledStaysPosted,
    /// A rendezvous message counts as received when the first part of it has come.
    EarlyCompletion,
    /// The receiver of a rendezvous message asks for it twice.
    AskedTwice,
    /// A part of an operation that is complete is not counted off.
    ForgottenDecrement,
    /// An operation that waits for a lost process goes on waiting.
    LossUntold,
    /// The barrier of messages leaves out its last round.
    ShortBarrier,
    /// An operator that does not commute gets its operands the wrong way round.
    OperandsSwapped,
    /// `MPI_Win_wait` does not wait for the ends of the origins' epochs.
    EpochNotAwaited,
    /// The end of an epoch does not wait for the accesses that targets carry out.
    AccessNotAwaited,
    /// A window's exclusive lock is given to two processes.
    LockShared,
    /// Threads that rest are not called when another one of their process has received something.
    RestUncalled,
    /// An agreement by messages gives a process its own flag.
    MessagesUnheard,
    /// An agreement in shared memory gives a process its own flag.
    SegmentUnheard,
}

impl Mutation {
    /// All mutations, with their names.
    pub const ALL: [(&'static str, Mutation); 19] = [
        ("lost-wake-up", Mutation::LostWakeUp),
        ("space-untold", Mutation::SpaceUntold),
        ("cell-overtakes", Mutation::CellOvertakes),
        ("wildcard-passed-over", Mutation::WildcardPassedOver),
        ("unexpected-reversed", Mutation::UnexpectedReversed),
        ("wrong-communicator", Mutation::WrongCommunicator),
        ("cancelled-stays-posted", Mutation::CancelledStaysPosted),
        ("early-completion", Mutation::EarlyCompletion),
        ("asked-twice", Mutation::AskedTwice),
        ("forgotten-decrement", Mutation::ForgottenDecrement),
        ("loss-untold", Mutation::LossUntold),
        ("short-barrier", Mutation::ShortBarrier),
        ("operands-swapped", Mutation::OperandsSwapped),
        ("epoch-not-awaited", Mutation::EpochNotAwaited),
        ("access-not-awaited", Mutation::AccessNotAwaited),
        ("lock-shared", Mutation::LockShared),
        ("rest-uncalled", Mutation::RestUncalled),
        ("messages-unheard", Mutation::MessagesUnheard),
        ("segment-unheard", Mutation::SegmentUnheard),
    ];
}
