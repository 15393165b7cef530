//! The choice of one complete request of several.

use crate::handle;

/// Decides which of several complete requests is taken: the first of the list, as programs expect.
/// The exception is a list in which the position of the last choice was active again several times
/// in succession: then the requests behind it come first, so that a busy peer does not hide the
/// others.
#[derive(Default)]
pub struct Choices {
    pub(crate) last: usize,
    /// A request that was passed over at the last choice, and its index: a list that still contains
    /// it is the same list.
    pub(crate) passed: Option<(usize, handle::Request)>,
    /// Number of successive times that the position of the last choice was active again.
    pub(crate) refills: u32,
}

/// A program that serves any peer reaches this soon; one that waits for a few requests in list
/// order never does.
const REFILLS_TO_TURN: u32 = 8;

impl Choices {
    pub const fn new() -> Choices {
        Choices { last: 0, passed: None, refills: 0 }
    }

    /// Returns the index at which to begin in a list of this length.
    pub(crate) fn first(&self, len: usize) -> usize {
        if self.refills >= REFILLS_TO_TURN && self.last + 1 < len { self.last + 1 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_searched_from_its_beginning() {
        let mut choices = Choices::new();
        assert_eq!(choices.first(5), 0);
        (choices.last, choices.refills) = (2, REFILLS_TO_TURN - 1);
        assert_eq!(choices.first(5), 0, "a busy position is not known as such yet");
    }

    #[test]
    fn a_busy_position_gives_way_to_those_behind_it() {
        let choices = Choices { last: 2, passed: None, refills: REFILLS_TO_TURN };
        assert_eq!((choices.first(5), choices.first(4), choices.first(3)), (3, 3, 0));
    }
}
