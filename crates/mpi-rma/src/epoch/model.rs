//! Epochs against a list of what is open, with the rules of MPI 5.0 §12.5 in words.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeSet;

const RANKS: u32 = 4;

/// What a process has begun and not ended.
#[derive(Default)]
struct Open {
    /// A fence has been called, and may open an epoch; whether an access has followed.
    fence: Option<bool>,
    start: Option<BTreeSet<u32>>,
    locks: BTreeSet<u32>,
    lock_all: bool,
    post: bool,
}

impl Open {
    /// Whether an access epoch is open. A fence opens one when an access follows.
    fn accesses(&self) -> bool {
        self.fence == Some(true) || self.start.is_some() || !self.locks.is_empty() || self.lock_all
    }

    /// Whether memory of a rank may be accessed.
    fn permits(&self, rank: u32) -> bool {
        match (&self.start, self.fence) {
            (Some(group), _) => group.contains(&rank),
            _ if self.lock_all => true,
            _ if !self.locks.is_empty() => self.locks.contains(&rank),
            (None, fence) => fence.is_some(),
        }
    }
}

#[derive(Clone, Debug)]
enum Call {
    Fence { another_follows: bool },
    Start(BTreeSet<u32>),
    Complete,
    Post(u32),
    Wait,
    Lock(u32),
    Unlock(u32),
    LockAll,
    UnlockAll,
    Flush(Option<u32>),
    Access(u32),
    Free,
}

fn call() -> impl Strategy<Value = Call> {
    let rank = 0..RANKS;
    let active = prop_oneof![
        any::<bool>().prop_map(|another_follows| Call::Fence { another_follows }),
        prop::collection::btree_set(rank.clone(), 0..3).prop_map(Call::Start),
        Just(Call::Complete),
        rank.clone().prop_map(Call::Post),
        Just(Call::Wait),
    ];
    let passive = prop_oneof![
        rank.clone().prop_map(Call::Lock),
        rank.clone().prop_map(Call::Unlock),
        Just(Call::LockAll),
        Just(Call::UnlockAll),
        prop::option::of(rank.clone()).prop_map(Call::Flush),
    ];
    prop_oneof![5 => active, 5 => passive, 4 => rank.prop_map(Call::Access), 1 => Just(Call::Free)]
}

/// Performs a call, if the library permits it. Returns whether it does.
fn perform(epoch: &mut Epoch, call: &Call) -> bool {
    let held = Held { exclusive: true, unchecked: false };
    match call {
        Call::Fence { another_follows } => {
            epoch.may_fence().map(|()| epoch.fenced(*another_follows)).is_ok()
        }
        Call::Start(group) => {
            let group = group.iter().copied().collect();
            epoch.may_start().map(|()| epoch.started(group)).is_ok()
        }
        Call::Complete => epoch.complete().is_ok(),
        Call::Post(rank) => epoch.may_post().map(|()| epoch.posted([*rank].into())).is_ok(),
        Call::Wait => {
            let is_open = epoch.exposed().is_ok();
            if is_open {
                epoch.end_exposure();
            }
            is_open
        }
        Call::Lock(rank) => epoch.may_lock(*rank).map(|()| epoch.locked(*rank, held)).is_ok(),
        Call::Unlock(rank) => epoch.unlock(*rank).is_ok_and(|lock| lock == held),
        Call::LockAll => epoch.may_lock_all().map(|()| epoch.locked_all(false)).is_ok(),
        Call::UnlockAll => epoch.unlock_all().is_ok(),
        Call::Flush(rank) => epoch.may_flush(*rank).is_ok(),
        Call::Access(rank) => epoch.access(*rank).is_ok(),
        Call::Free => epoch.may_free().is_ok(),
    }
}

/// Performs a call by the rules of the standard. Returns whether it is right.
fn expected(open: &mut Open, call: &Call) -> bool {
    match call {
        Call::Fence { another_follows } => {
            let others = open.start.is_some() || !open.locks.is_empty() || open.lock_all;
            let is_right = !others && !open.post;
            if is_right {
                open.fence = another_follows.then_some(false);
            }
            is_right
        }
        Call::Start(group) => {
            let is_right = !open.accesses();
            if is_right {
                (open.start, open.fence) = (Some(group.clone()), None);
            }
            is_right
        }
        Call::Complete => open.start.take().is_some(),
        Call::Post(_) => {
            let is_right = !open.post && open.fence != Some(true);
            if is_right {
                (open.post, open.fence) = (true, None);
            }
            is_right
        }
        Call::Wait => std::mem::take(&mut open.post),
        Call::Lock(rank) => {
            let others = open.fence == Some(true) || open.start.is_some() || open.lock_all;
            let is_right = !others && open.locks.insert(*rank);
            if is_right {
                open.fence = None;
            }
            is_right
        }
        Call::Unlock(rank) => open.locks.remove(rank),
        Call::LockAll => {
            let is_right = !open.accesses();
            if is_right {
                (open.lock_all, open.fence) = (true, None);
            }
            is_right
        }
        Call::UnlockAll => std::mem::take(&mut open.lock_all),
        Call::Flush(None) => open.lock_all || !open.locks.is_empty(),
        Call::Flush(Some(rank)) => open.lock_all || open.locks.contains(rank),
        Call::Access(rank) => {
            let is_right = open.permits(*rank);
            if is_right && open.fence.is_some() {
                open.fence = Some(true);
            }
            is_right
        }
        Call::Free => !open.accesses() && !open.post,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn calls_are_permitted_as_the_standard_says(calls in prop::collection::vec(call(), 0..40)) {
        let (mut epoch, mut open) = (Epoch::new(RANKS), Open::default());
        for (number, call) in calls.iter().enumerate() {
            let (found, expected) = (perform(&mut epoch, call), expected(&mut open, call));
            prop_assert_eq!(found, expected, "call {} of {:?}", number, &calls);
            let says = epoch.open().is_some();
            prop_assert_eq!(says, open.accesses() || open.post, "after {} of {:?}", number, &calls);
        }
    }

    #[test]
    fn what_a_quick_answer_permits_is_permitted(calls in prop::collection::vec(call(), 0..40)) {
        let mut epoch = Epoch::new(RANKS);
        for call in &calls {
            perform(&mut epoch, call);
            for rank in 0..RANKS {
                let quick = epoch.permits_flush(rank as i32);
                prop_assert!(!quick || epoch.may_flush(Some(rank)).is_ok(), "{:?}", &calls);
            }
            prop_assert!(!epoch.permits_flush(-1) && !epoch.permits_flush(RANKS as i32));
        }
    }

    #[test]
    fn a_refused_call_changes_nothing(calls in prop::collection::vec(call(), 1..30)) {
        let (mut epoch, mut without) = (Epoch::new(RANKS), Epoch::new(RANKS));
        for call in &calls {
            if perform(&mut epoch, call) {
                perform(&mut without, call);
            }
        }
        prop_assert_eq!(epoch.access, without.access);
        prop_assert_eq!(epoch.locks, without.locks);
        prop_assert_eq!(epoch.exposure, without.exposure);
    }
}
