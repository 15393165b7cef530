use super::*;
use crate::context::Class;
use crate::handle;
use nemesis_datatype::Contiguous;

fn pattern(rank: u32, tag: i32) -> Pattern {
    Pattern { context: Context::world(Class::PointToPoint), rank, tag }
}

/// Returns a request.
fn request(number: u32) -> handle::Request {
    handle::Request(1000 + number as usize)
}

/// Returns the number of the request whose receive is taken.
fn take(posted: &mut Posted, message: &Pattern) -> Option<u32> {
    match posted.take(message)? {
        Taken::Of(request) => Some(request.0 as u32 - 1000),
        Taken::InlineReceive(..) => None,
    }
}

/// Returns an inline receive of this many bytes.
fn inline_receive(bytes: usize) -> InlineReceive {
    InlineReceive { place: Contiguous::of_static(vec![0; bytes].leak()).unwrap(), comm: 0, from: 1 }
}

#[test]
fn the_receive_posted_first_wins_whatever_its_shape() {
    let mut posted = Posted::new();
    posted.post(pattern(ANY_RANK, 5), request(1));
    posted.post(pattern(1, 5), request(2));
    posted.post(pattern(1, ANY_TAG), request(3));
    posted.post(pattern(ANY_RANK, ANY_TAG), request(4));
    assert_eq!(take(&mut posted, &pattern(2, 6)), Some(4));
    assert_eq!(take(&mut posted, &pattern(1, 5)), Some(1));
    assert_eq!(take(&mut posted, &pattern(1, 5)), Some(2));
    assert_eq!(take(&mut posted, &pattern(1, 5)), Some(3));
    assert_eq!(take(&mut posted, &pattern(1, 5)), None);
    assert!(posted.is_empty());
}

#[test]
fn a_withdrawn_receive_is_out_of_the_way() {
    let mut posted = Posted::new();
    let mut slots = Vec::new();
    for receive in 0..5 {
        slots.push(posted.next_slot());
        posted.post(pattern(1, 1), request(receive));
    }
    assert!(posted.withdraw(slots[2], request(2)));
    assert!(!posted.withdraw(slots[2], request(2)));
    assert!(!posted.withdraw(Slot::NOWHERE, request(2)));
    let rest: Vec<u32> = std::iter::from_fn(|| take(&mut posted, &pattern(1, 1))).collect();
    assert_eq!(rest, [0, 1, 3, 4]);
}

#[test]
fn the_earliest_message_is_found_by_every_pattern_that_fits() {
    let mut unexpected = Unexpected::new();
    for (rank, tag, name) in [(1, 7, 'a'), (2, 7, 'b'), (1, 8, 'c'), (1, 7, 'd')] {
        unexpected.keep(pattern(rank, tag), name);
    }
    assert_eq!(unexpected.find(&pattern(ANY_RANK, 8)).map(|(_, &name)| name), Some('c'));
    assert_eq!(unexpected.take(&pattern(ANY_RANK, 7)).map(|(_, name)| name), Some('a'));
    assert_eq!(unexpected.take(&pattern(1, ANY_TAG)).map(|(_, name)| name), Some('c'));
    assert_eq!(unexpected.take(&pattern(1, 7)).map(|(_, name)| name), Some('d'));
    assert_eq!(unexpected.take(&pattern(1, 7)), None);
    assert_eq!(unexpected.take(&pattern(ANY_RANK, ANY_TAG)).map(|(_, name)| name), Some('b'));
    assert!(unexpected.is_empty());
}

#[test]
fn patterns_that_never_come_again_are_forgotten() {
    let mut posted = Posted::new();
    posted.post(pattern(ANY_RANK, ANY_TAG), request(7));
    for tag in 0..100 * IDLE_BINS as i32 {
        let slot = posted.next_slot();
        posted.post(pattern(1, tag), request(tag as u32));
        assert!(posted.withdraw(slot, request(tag as u32)));
    }
    assert!(
        posted.lists().bins.len() <= 2 * IDLE_BINS
            && posted.lists().lists.len() <= 2 * IDLE_BINS + 1
    );
    assert_eq!(take(&mut posted, &pattern(1, 1)), Some(7));
}

/// A search that walked a list would take billions of steps here, and the test would time out.
#[test]
fn the_number_of_entries_does_not_matter() {
    const MANY: u32 = 100_000;
    let mut posted = Posted::new();
    let slots: Vec<Slot> = (0..MANY)
        .map(|receive| {
            let slot = posted.next_slot();
            posted.post(pattern(if receive % 3 == 0 { ANY_RANK } else { 1 }, 5), request(receive));
            slot
        })
        .collect();
    for receive in (0..MANY).rev().filter(|receive| receive % 2 == 0) {
        assert!(
            posted.withdraw(slots[receive as usize], request(receive)),
            "the last posted is found as fast as the first"
        );
    }
    let rest: Vec<u32> = std::iter::from_fn(|| take(&mut posted, &pattern(1, 5))).collect();
    assert!(rest.iter().copied().eq((0..MANY).filter(|receive| receive % 2 == 1)));

    let mut unexpected = Unexpected::new();
    (0..MANY).for_each(|tag| unexpected.keep(pattern(1, tag as i32), tag));
    for tag in (1..MANY).rev().step_by(2) {
        assert_eq!(
            unexpected.take(&pattern(ANY_RANK, tag as i32)).map(|(_, message)| message),
            Some(tag)
        );
    }
    for tag in (0..MANY).step_by(2) {
        assert_eq!(unexpected.take(&pattern(1, ANY_TAG)).map(|(_, message)| message), Some(tag));
    }
    assert!(unexpected.is_empty());
}

#[test]
fn other_contexts_never_match() {
    let mut unexpected = Unexpected::new();
    let collective = Pattern { context: Context::world(Class::Collective), rank: 1, tag: 3 };
    unexpected.keep(collective, ());
    assert!(unexpected.find(&pattern(ANY_RANK, ANY_TAG)).is_none());
    assert!(unexpected.take(&collective).is_some());
}

#[test]
fn a_plain_receive_keeps_its_message_until_somebody_asks() {
    let (mut posted, inline_receive) = (Posted::new(), inline_receive(4));
    let handle = posted.post_inline(pattern(ANY_RANK, ANY_TAG), inline_receive).unwrap();
    assert_eq!((posted.is_done(handle), posted.collect(handle)), (Some(false), None));
    assert!(!posted.receive_inline(&pattern(3, 8), &[1; 5]), "too long: the general way says so");
    assert!(posted.receive_inline(&pattern(3, 9), &[1, 2, 3]) && posted.is_empty());
    assert!(!posted.receive_inline(&pattern(3, 9), &[4]));
    assert_eq!(posted.is_done(handle), Some(true));
    assert_eq!(posted.collect(handle), Some(Received { pattern: pattern(3, 9), bytes: 3 }));
    assert_eq!((posted.is_done(handle), posted.collect(handle)), (None, None), "the name is dead");
    let again = posted.post_inline(pattern(1, 1), inline_receive).unwrap();
    assert_ne!(again, handle, "the place is used again under another name");
    assert_eq!((posted.is_done(handle), posted.is_done(again)), (None, Some(false)));
    assert_eq!(inline_receive.place.as_bytes(), [1, 2, 3, 0]);
}

#[test]
fn a_plain_receive_that_becomes_a_request_stays_in_its_turn() {
    for which in 0..3 {
        let mut posted = Posted::new();
        let handles: Vec<_> =
            (0..3).map(|_| posted.post_inline(pattern(1, 1), inline_receive(1)).unwrap()).collect();
        let Some(Course::Waiting(slot, _)) = posted.course(handles[which]) else {
            panic!("nothing has come")
        };
        let lies_at = posted.next_slot();
        posted.replace(slot, request(5));
        let course = posted.course(handles[which]);
        assert!(matches!(course, Some(Course::Became(became)) if became == request(5)));
        for turn in 0..3 {
            assert_eq!(posted.receive_inline(&pattern(1, 1), &[turn as u8 + 1]), turn != which);
            if turn == which {
                assert_eq!(posted.pattern(lies_at), Some(pattern(1, 1)));
                assert_eq!(take(&mut posted, &pattern(1, 1)), Some(5));
            }
        }
        posted.forget(handles[which]);
        assert!(posted.course(handles[which]).is_none() && posted.is_empty());
        let done = (0..3)
            .filter(|&index| index != which && posted.collect(handles[index]).is_some())
            .count();
        assert_eq!((done, posted.inline_receive()), (2, 0));
    }
}

#[test]
fn plain_receives_and_those_of_requests_take_turns() {
    let mut posted = Posted::new();
    posted.post(pattern(ANY_RANK, 1), request(1));
    let handle = posted.post_inline(pattern(1, 1), inline_receive(1)).unwrap();
    assert!(!posted.receive_inline(&pattern(1, 1), &[1]), "the other one comes first");
    assert_eq!(take(&mut posted, &pattern(1, 1)), Some(1));
    assert!(posted.receive_inline(&pattern(1, 1), &[1]) && posted.collect(handle).is_some());
}

#[test]
fn a_run_serves_each_list_in_turn() {
    let mut posted = Posted::new();
    let mut post = |tag| posted.post_inline(pattern(1, tag), inline_receive(2)).unwrap();
    let handles = [post(1), post(2), post(1), post(1)];
    let mut run = posted.run();
    let turns = [(1, true), (1, true), (2, true), (2, false), (1, true), (1, false)];
    for (tag, wanted) in turns {
        assert_eq!(run.receive(&pattern(1, tag), &[tag as u8]), wanted);
    }
    drop(run);
    assert!(posted.is_empty() && handles.iter().all(|&handle| posted.collect(handle).is_some()));
    posted.post(pattern(1, 1), request(1));
    posted.post_inline(pattern(1, 1), inline_receive(2)).unwrap();
    assert!(!posted.run().receive(&pattern(1, 1), &[1]), "a request's comes first");
    assert_eq!(take(&mut posted, &pattern(1, 1)), Some(1));
    posted.post(pattern(ANY_RANK, 1), request(2));
    assert!(!posted.run().receive(&pattern(1, 1), &[1]), "with wildcards the general way decides");
    assert!(posted.receive_inline(&pattern(1, 1), &[1]));
    assert_eq!((posted.len(), take(&mut posted, &pattern(1, 1))), (1, Some(2)));
}
