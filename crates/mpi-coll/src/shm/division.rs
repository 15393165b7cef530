//! How the members of a node are divided into groups, and the leaders of groups into groups again.
//!
//! ```text
//!   level 1               0 ──────────── 16 ─────────── 32            one group of leaders
//!   level 0    0 1 2 … 15      16 17 … 31      32 33 … 39             groups of members
//! ```
//!
//! A group has at most [`GROUP_MAX_MEMBERS`] members, which share a collective segment, unless they
//! share processors and one segment serves all members of the node. The first member of a group is
//! its leader, and a member of a group of the next level. The last level has one group.
//!
//! A member's *position* is its index in the order of the tree: the members of every subtree have
//! consecutive positions, and the leader of a subtree has the first of them. Data of several
//! members lie in this order while they pass through the levels.

use crate::site::DEDICATED_MEMBERS_MAX;
use std::ops::Range;

/// Members of a group.
pub const GROUP_MAX_MEMBERS: u32 = DEDICATED_MEMBERS_MAX;

/// The groups of the members of a node, level by level, from the members to the last leaders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// By level: the groups, in the order of their leaders. A group is the list of its members, in
    /// ascending order.
    levels: Vec<Vec<Vec<u32>>>,
    /// The member at each position.
    order: Vec<u32>,
    /// The position of each member.
    positions: Vec<u32>,
}

/// A group to which a member belongs, and what its members stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The members of the group, by their indices in the node.
    pub members: Vec<u32>,
    /// The index of the member in the group.
    pub me: u32,
    /// The positions of the subtree of each member of the group.
    pub spans: Vec<Range<u32>>,
}

impl Group {
    /// Returns the index of the group's member whose subtree has a position.
    pub fn seat_of(&self, position: u32) -> Option<u32> {
        self.spans.iter().position(|span| span.contains(&position)).map(|seat| seat as u32)
    }
}

impl Division {
    /// Divides `members` members into groups of consecutive ones, with as few levels as possible.
    /// The result depends on the number of members only.
    ///
    /// Each group is a subtree of recursive doubling among all members (`messages::halving`), so
    /// that reductions by that order in each group give the bits of messages. With n members, of
    /// which 2^k is the greatest power of two, the first 2 (n - 2^k) members form pairs there; a
    /// group has sixteen members if there are none, otherwise eight places, each of a pair or of a
    /// single member.
    pub fn by_index(members: u32) -> Division {
        let mut levels = Vec::new();
        let mut leaders: Vec<u32> = (0..members).collect();
        loop {
            let count = leaders.len();
            let places = 1_usize << count.ilog2();
            let pairs = count - places;
            let each = match (count as u32 <= GROUP_MAX_MEMBERS, pairs) {
                (true, _) => places,
                (false, 0) => GROUP_MAX_MEMBERS as usize,
                (false, _) => GROUP_MAX_MEMBERS as usize / 2,
            };
            let begin = |place: usize| place + place.min(pairs);
            let groups: Vec<Vec<u32>> = (0..places)
                .step_by(each)
                .map(|place| leaders[begin(place)..begin(place + each)].to_vec())
                .collect();
            leaders = groups.iter().map(|group| group[0]).collect();
            levels.push(groups);
            if leaders.len() <= 1 {
                return Division::of(levels, members);
            }
        }
    }

    /// Makes one group of all members, which share one segment.
    pub fn whole(members: u32) -> Division {
        Division::of(vec![vec![(0..members).collect()]], members)
    }

    /// Numbers the positions of levels of groups.
    fn of(levels: Vec<Vec<Vec<u32>>>, members: u32) -> Division {
        let mut below: Vec<Vec<u32>> = (0..members).map(|member| vec![member]).collect();
        for groups in &levels {
            for group in groups {
                let whole =
                    group.iter().flat_map(|&member| std::mem::take(&mut below[member as usize]));
                let whole = whole.collect();
                below[group[0] as usize] = whole;
            }
        }
        let order = below.first_mut().map(std::mem::take).unwrap_or_default();
        let mut positions = vec![0; members as usize];
        (0..).zip(&order).for_each(|(position, &member)| positions[member as usize] = position);
        Division { levels, order, positions }
    }

    /// Returns the groups to which a member belongs, from the first level on: it leads all but the
    /// last of them.
    pub fn groups_of(&self, member: u32) -> Vec<Group> {
        let mut groups = Vec::new();
        let mut sizes = vec![1_u32; self.order.len()];
        for level in &self.levels {
            let Some(group) = level.iter().find(|group| group.contains(&member)) else { break };
            let span = |&member: &u32| {
                let first = self.positions[member as usize];
                first..first + sizes[member as usize]
            };
            groups.push(Group {
                members: group.clone(),
                me: group.iter().position(|&of_group| of_group == member).unwrap_or(0) as u32,
                spans: group.iter().map(span).collect(),
            });
            if group[0] != member {
                break;
            }
            for group in level {
                sizes[group[0] as usize] = group.iter().map(|&member| sizes[member as usize]).sum();
            }
        }
        groups
    }

    /// Returns the number of levels.
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Returns the number of members.
    pub fn members(&self) -> u32 {
        self.order.len() as u32
    }

    /// Returns the member at a position.
    pub fn member_at(&self, position: u32) -> u32 {
        self.order[position as usize]
    }

    /// Returns the position of a member.
    pub fn position_of(&self, member: u32) -> u32 {
        self.positions[member as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks what every division has to be.
    fn is_sound(division: &Division, members: u32) {
        assert_eq!(division.members(), members);
        let mut seen = division.order.clone();
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..members));
        assert_eq!(division.levels.last().unwrap().len(), 1);
        assert_eq!(division.member_at(0), 0);
        for member in 0..members {
            let position = division.position_of(member);
            assert_eq!(division.member_at(position), member);
            let groups = division.groups_of(member);
            let (last, led) = groups.split_last().unwrap();
            assert!(led.iter().all(|group| group.me == 0) && (last.me > 0 || member == 0));
            let mut below = position..position + 1;
            for group in &groups {
                assert!(group.members.len() as u32 <= GROUP_MAX_MEMBERS);
                assert!(group.members.is_sorted());
                assert_eq!(group.members[group.me as usize], member);
                assert_eq!(group.spans[group.me as usize], below);
                assert_eq!(group.seat_of(position), Some(group.me));
                assert!(group.spans.windows(2).all(|two| two[0].end == two[1].start));
                below = group.spans[0].start..group.spans.last().unwrap().end;
            }
            assert!(member > 0 || below == (0..members));
        }
    }

    #[test]
    fn every_number_of_members_is_divided() {
        for members in 1..=300 {
            is_sound(&Division::by_index(members), members);
        }
        is_sound(&Division::by_index(5000), 5000);
    }

    #[test]
    fn a_whole_node_is_one_group() {
        for members in [1, 17, 256] {
            let division = Division::whole(members);
            assert_eq!((division.depth(), division.members()), (1, members));
            for member in 0..members {
                let group = division.groups_of(member).pop().unwrap();
                assert_eq!((group.me, division.position_of(member)), (member, member));
                assert_eq!(group.spans[member as usize], member..member + 1);
            }
        }
    }

    #[test]
    fn groups_by_index_are_consecutive_and_few() {
        let levels = |members| Division::by_index(members).levels.len();
        assert_eq!([1, 16, 17, 256, 257].map(levels), [1, 1, 2, 2, 3]);
        let division = Division::by_index(40);
        assert_eq!(division.levels[0][0], (0..16).collect::<Vec<u32>>());
        assert_eq!(division.levels[0][3], (32..40).collect::<Vec<u32>>());
        assert_eq!(division.levels[1], [[0, 16, 24, 32]]);
        assert_eq!(division.groups_of(16)[1].spans, [0..16, 16..24, 24..32, 32..40]);
    }

    /// Combines values in the order of recursive doubling.
    fn doubled(mut values: Vec<String>) -> String {
        let sum = |two: &[String]| format!("({}+{})", two[0], two[1]);
        let pairs = values.len() - (1 << values.len().ilog2());
        let folded: Vec<String> = values.drain(..2 * pairs).collect();
        values.splice(0..0, folded.chunks(2).map(sum));
        while values.len() > 1 {
            values = values.chunks(2).map(sum).collect();
        }
        values.remove(0)
    }

    #[test]
    fn groups_are_subtrees_of_recursive_doubling() {
        for members in (1..=600).chain([4096, 5000]) {
            let all: Vec<String> = (0..members).map(|member| member.to_string()).collect();
            let mut values = all.clone();
            for groups in &Division::by_index(members).levels {
                for group in groups {
                    let of_group = group.iter().map(|&member| values[member as usize].clone());
                    values[group[0] as usize] = doubled(of_group.collect());
                }
            }
            assert_eq!(values[0], doubled(all), "{members} members");
        }
    }
}
