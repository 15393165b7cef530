//! The queues against lists that are searched from the front, as MPI 5.0 §3.5 describes matching.

use super::*;
use crate::context::Class;
use crate::handle;
use proptest::prelude::*;

fn context(number: u8) -> Context {
    match number {
        0 => Context::world(Class::PointToPoint),
        _ => Context::own(3).class(Class::PointToPoint),
    }
}

prop_compose! {
    /// A message of a few ranks and tags in one of two contexts.
    fn message()(number in 0..2_u8, rank in 0..3_u32, tag in 0..3) -> Pattern {
        Pattern { context: context(number), rank, tag }
    }
}

prop_compose! {
    /// What a receive wants; each of source and tag may be open.
    fn wanted()(message in message(), any_rank: bool, any_tag: bool) -> Pattern {
        Pattern {
            context: message.context,
            rank: if any_rank { ANY_RANK } else { message.rank },
            tag: if any_tag { ANY_TAG } else { message.tag },
        }
    }
}

/// Whether a message may be received by `wanted`, in words of the standard.
fn is_for(message: &Pattern, wanted: &Pattern) -> bool {
    let same_source = wanted.rank == ANY_RANK || wanted.rank == message.rank;
    let same_tag = wanted.tag == ANY_TAG || wanted.tag == message.tag;
    message.context == wanted.context && same_source && same_tag
}

#[derive(Clone, Debug)]
enum Event {
    Post(Pattern),
    Arrive(Pattern),
    /// Cancels one of the posted receives.
    Withdraw(prop::sample::Index),
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        4 => wanted().prop_map(Event::Post),
        4 => message().prop_map(Event::Arrive),
        1 => any::<prop::sample::Index>().prop_map(Event::Withdraw),
    ]
}

proptest! {
    #[test]
    fn posted_receives_are_taken_as_from_a_list(events in prop::collection::vec(event(), 0..200)) {
        let mut posted = Posted::new();
        let mut list: Vec<(Pattern, Slot, handle::Request)> = Vec::new();
        for (number, event) in events.into_iter().enumerate() {
            match event {
                Event::Post(pattern) => {
                    let (slot, request) = (posted.next_slot(), handle::Request(1000 + number));
                    posted.post(pattern, request);
                    list.push((pattern, slot, request));
                }
                Event::Arrive(message) => {
                    let place = list.iter().position(|(wanted, ..)| is_for(&message, wanted));
                    prop_assert_eq!(posted.would_take(&message), place.is_some());
                    let expected = place.map(|place| list.remove(place).2);
                    let found = match posted.take(&message) {
                        Some(Taken::Of(request)) => Some(request),
                        None => None,
                        Some(_) => panic!("no inline receive is posted"),
                    };
                    prop_assert_eq!(found, expected);
                }
                Event::Withdraw(which) if !list.is_empty() => {
                    let (_, slot, request) = list.remove(which.index(list.len()));
                    prop_assert!(posted.withdraw(slot, request));
                    prop_assert!(!posted.withdraw(slot, request));
                }
                Event::Withdraw(_) => {}
            }
            prop_assert_eq!(posted.len(), list.len());
        }
    }

    #[test]
    fn unexpected_messages_are_taken_as_from_a_list(
        events in prop::collection::vec(event(), 0..200),
    ) {
        let mut unexpected = Unexpected::new();
        let mut list: Vec<(Pattern, usize)> = Vec::new();
        for (number, event) in events.into_iter().enumerate() {
            match event {
                Event::Arrive(message) => {
                    unexpected.keep(message, number);
                    list.push((message, number));
                }
                Event::Post(wanted) => {
                    let place = list.iter().position(|(message, _)| is_for(message, &wanted));
                    let found = unexpected.find(&wanted).map(|(pattern, name)| (pattern, *name));
                    prop_assert_eq!(found, place.map(|place| list[place]));
                    prop_assert_eq!(
                        unexpected.take(&wanted),
                        place.map(|place| list.remove(place))
                    );
                }
                Event::Withdraw(which) if !list.is_empty() => {
                    let named = list.remove(which.index(list.len()));
                    prop_assert_eq!(unexpected.take_where(|name| *name == named.1), Some(named));
                }
                Event::Withdraw(_) => {}
            }
            let counted = (unexpected.len(), unexpected.is_empty());
            prop_assert_eq!(counted, (list.len(), list.is_empty()));
            for number in 0..2 {
                let of_context = |(message, _): &&(Pattern, usize)| {
                    message.context == context(number)
                };
                let expected = list.iter().filter(of_context).count();
                prop_assert_eq!(unexpected.count_in(context(number)), expected);
            }
        }
    }

    #[test]
    fn the_peak_is_the_largest_number_since_it_was_reset(
        events in prop::collection::vec(event(), 0..60),
        reset in 0..60_usize,
    ) {
        let mut unexpected = Unexpected::new();
        let (mut peak, mut total) = (0, 0);
        for (number, event) in events.into_iter().enumerate() {
            if number == reset {
                unexpected.begin_peak();
                peak = unexpected.len();
            }
            match event {
                Event::Arrive(message) => {
                    unexpected.keep(message, ());
                    total += 1;
                }
                Event::Post(wanted) => drop(unexpected.take(&wanted)),
                Event::Withdraw(_) => {}
            }
            peak = peak.max(unexpected.len());
            let levels = unexpected.levels();
            prop_assert_eq!((levels.now, levels.peak), (unexpected.len(), peak));
            prop_assert_eq!(levels.total as usize, total);
        }
    }
}
