//! One agreement, as a machine without input and output: what a member sends when it begins, when a
//! message arrives, and when a member dies.
//!
//! The members are numbered alike at all of them. The *coordinator* is the first member that is not
//! known to be dead, and its number is the *ballot*. It combines the contributions of all living
//! members, decides, and tells the decision.
//!
//! ```text
//!   nobody known to be dead           a death is known
//!
//!        0                            every undecided member ── CONTRIBUTE ──▶ coordinator
//!       ╱│╲    CONTRIBUTE up,         coordinator ── ASK ──▶ members it has not heard
//!      1 2 4   DECIDE down            who has decided answers any of both with DECIDE
//!        │ │╲  a binomial tree        coordinator ── DECIDE ──▶ all living members
//!        3 5 6
//! ```
//!
//! A member keeps its decision after it has returned, and answers with it.
//!
//! **All living members decide alike.** Assumed: a death is never told of a living process, every
//! living member is told of every death, and after a member is told of a death nothing of the dead
//! one arrives.
//!
//! A member contributes to ballot *b* only after it knows that all members below *b* are dead, and
//! from then on it takes no decision of a lower ballot. The coordinator of *b* decides when every
//! member that it does not know to be dead has contributed to *b*, or as soon as one answers with
//! a decision. Say that *b* decides a value of its own. Then each living member has contributed to
//! *b* and had not decided before; it takes no decision of a lower ballot later. So no living
//! member ever has a value of a lower ballot, and one that has a value of *b* gives it to the
//! coordinators after *b*, who wait for it. If *b* decides because of an answer, the one who
//! answers has the value of a lower ballot, and by the same argument all living members that have
//! decided have that value. Contributions to a lower ballot count for nothing later, those in the
//! tree count for ballot 0 only.
//!
//! **An agreement ends.** Every member that enters contributes to its ballot. Deaths move the
//! ballot to a living coordinator in the end, which hears of all living members, since each of them
//! is told of the deaths, too.

/// A set of members.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Set(Vec<u64>);

impl Set {
    /// Returns the empty set, among `members` members.
    pub fn none(members: usize) -> Set {
        Set(vec![0; members.div_ceil(64)])
    }

    /// Returns the set of all of `members` members.
    pub fn all(members: usize) -> Set {
        let mut set = Set::none(members);
        (0..members).for_each(|member| set.add(member));
        set
    }

    /// Returns the set of those of `members` for which `is_in` is true.
    pub fn of(members: &[u32], is_in: impl Fn(u32) -> bool) -> Set {
        let mut set = Set::none(members.len());
        for (member, _) in members.iter().enumerate().filter(|(_, process)| is_in(**process)) {
            set.add(member);
        }
        set
    }

    /// Returns a set from its words, which another process has sent.
    pub fn from_words(words: &[u64]) -> Set {
        Set(words.to_vec())
    }

    pub fn words(&self) -> &[u64] {
        &self.0
    }

    pub fn has(&self, member: usize) -> bool {
        self.0.get(member / 64).is_some_and(|word| word >> (member % 64) & 1 != 0)
    }

    pub fn add(&mut self, member: usize) {
        if let Some(word) = self.0.get_mut(member / 64) {
            *word |= 1 << (member % 64);
        }
    }

    fn unite(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    fn intersect(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= other);
    }

    /// Returns whether every member of this set is one of `other`.
    pub fn is_within(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).all(|(word, other)| word & !other == 0)
    }
}

/// What members contribute, and what they decide.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Value {
    /// Combined by a bitwise and.
    pub flag: u64,
    /// Members known to be dead, by any member.
    pub failed: Set,
    /// Members whose death every member has acknowledged.
    pub acked: Set,
    /// A number that the coordinator draws; 0 before the decision.
    pub drawn: u64,
}

impl Value {
    /// Combines the contributions of other members with this one.
    pub(crate) fn combine(&mut self, other: &Value) {
        self.flag &= other.flag;
        self.failed.unite(&other.failed);
        self.acked.intersect(&other.acked);
    }
}

/// What a message says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Message {
    /// The contributions of the members `of`. `up`: by the tree.
    Contribute { ballot: usize, up: bool, of: Set, value: Value },
    /// The coordinator of a ballot asks for a contribution, or a decision.
    Ask { ballot: usize },
    /// The decision, for those who have contributed to no later ballot. `down`: by the tree.
    Decide { ballot: usize, down: bool, value: Value },
}

/// One member's part in an agreement.
#[derive(Debug)]
pub struct Agreement {
    me: usize,
    members: usize,
    own: Value,
    dead: Set,
    ballot: usize,
    /// Whether contributions go up the tree: no member is known to be dead.
    in_tree: bool,
    /// Whether the contribution has gone up the tree.
    has_gone_up: bool,
    /// The members heard: those below this one in the tree, or, at the coordinator, in its ballot.
    heard: Set,
    combined: Value,
    /// Contributions to this member's ballot that came before it knew that it is the coordinator.
    early: Vec<(usize, Value)>,
    /// Members that have contributed directly to this coordinator, and not by the tree: they know
    /// of a death, of which this one may not know.
    direct: Vec<usize>,
    /// Coordinators of later ballots that have asked, and these ballots.
    asked: Vec<(usize, usize)>,
    decision: Option<Value>,
}

/// Messages, with the members that they go to.
pub type Out = Vec<(usize, Message)>;

impl Agreement {
    /// Begins an agreement of member `me` among `members`, of which `dead` are known to be dead.
    /// `draw` draws a number if this member is to decide.
    pub fn begin(
        me: usize,
        members: usize,
        dead: Set,
        mut own: Value,
        out: &mut Out,
        draw: &mut dyn FnMut() -> u64,
    ) -> Agreement {
        own.failed.unite(&dead);
        let mut heard = Set::none(members);
        heard.add(me);
        let in_tree = dead == Set::none(members);
        let mut agreement = Agreement {
            me,
            members,
            combined: own.clone(),
            own,
            dead,
            ballot: 0,
            in_tree,
            has_gone_up: false,
            heard,
            early: Vec::new(),
            direct: Vec::new(),
            asked: Vec::new(),
            decision: None,
        };
        if in_tree {
            agreement.go_up(out);
        } else {
            agreement.enter_ballot(out);
        }
        agreement.try_to_decide(out, draw);
        agreement
    }

    pub fn decision(&self) -> Option<&Value> {
        self.decision.as_ref()
    }

    /// Handles a message of member `from`.
    pub fn take(
        &mut self,
        from: usize,
        message: Message,
        out: &mut Out,
        draw: &mut dyn FnMut() -> u64,
    ) {
        match message {
            Message::Ask { ballot } | Message::Contribute { ballot, .. }
                if self.decision.is_some() =>
            {
                if let Some(value) = self.decision.clone() {
                    out.push((from, Message::Decide { ballot, down: false, value }));
                }
            }
            // This member's contribution is on its way, or follows when it knows who is dead,
            // unless a decision comes before.
            Message::Ask { ballot } => {
                if ballot > self.ballot {
                    self.asked.push((from, ballot));
                }
            }
            Message::Contribute { ballot, up, of, value } => {
                if up && self.in_tree || ballot == self.me && self.ballot == self.me {
                    if !up {
                        self.direct.push(from);
                    }
                    self.heard.unite(&of);
                    self.combined.combine(&value);
                    self.go_up(out);
                    self.try_to_decide(out, draw);
                } else if !up && ballot == self.me {
                    self.early.push((from, value));
                }
            }
            Message::Decide { ballot, down, value } => {
                if self.decision.is_none() && ballot >= self.ballot {
                    if down {
                        self.send_down(ballot, &value, out);
                    } else if self.ballot == self.me {
                        // An answer to the coordinator: others wait for its decision.
                        self.send_all(&value, out);
                    }
                    self.answer_early(&value, out);
                    self.decision = Some(value);
                }
            }
        }
    }

    /// Handles the death of a member.
    pub fn lose(&mut self, member: usize, out: &mut Out, draw: &mut dyn FnMut() -> u64) {
        if self.dead.has(member) || member >= self.members {
            return;
        }
        self.dead.add(member);
        if self.decision.is_some() {
            return;
        }
        self.own.failed.add(member);
        self.combined.failed.add(member);
        let was_in_tree = std::mem::replace(&mut self.in_tree, false);
        if was_in_tree || member == self.ballot {
            self.enter_ballot(out);
        }
        self.try_to_decide(out, draw);
    }

    /// Contributes to the ballot of the first living member.
    fn enter_ballot(&mut self, out: &mut Out) {
        let first = (0..self.members).find(|&member| !self.dead.has(member));
        let ballot = first.unwrap_or(self.me);
        let is_new = ballot != self.ballot;
        self.ballot = ballot;
        if ballot != self.me {
            let mut of = Set::none(self.members);
            of.add(self.me);
            let value = self.own.clone();
            out.push((ballot, Message::Contribute { ballot, up: false, of, value }));
            return;
        }
        if is_new {
            self.heard = Set::none(self.members);
            self.heard.add(self.me);
            self.combined = self.own.clone();
        }
        for (from, value) in std::mem::take(&mut self.early) {
            self.heard.add(from);
            self.combined.combine(&value);
        }
        for member in 0..self.members {
            if !self.dead.has(member) && !self.heard.has(member) {
                out.push((member, Message::Ask { ballot }));
            }
        }
    }

    /// Returns the members that stand below this one in the tree.
    fn children(&self) -> impl Iterator<Item = usize> + use<> {
        let (me, members) = (self.me, self.members);
        let limit = if me == 0 { members.next_power_of_two() } else { me & me.wrapping_neg() };
        let distances = (0..usize::BITS).map(|bit| 1_usize << bit);
        distances
            .take_while(move |distance| *distance < limit)
            .map(move |distance| me + distance)
            .filter(move |child| *child < members)
    }

    /// Sends the contributions of this member and those below it up the tree, if all are there.
    fn go_up(&mut self, out: &mut Out) {
        if !self.in_tree || self.has_gone_up || self.me == 0 {
            return;
        }
        let below = self.me & self.me.wrapping_neg();
        let end = (self.me + below).min(self.members);
        if (self.me..end).all(|member| self.heard.has(member)) {
            self.has_gone_up = true;
            let (of, value) = (self.heard.clone(), self.combined.clone());
            out.push((self.me - below, Message::Contribute { ballot: 0, up: true, of, value }));
        }
    }

    fn send_down(&self, ballot: usize, value: &Value, out: &mut Out) {
        for child in self.children().filter(|&child| !self.dead.has(child)) {
            out.push((child, Message::Decide { ballot, down: true, value: value.clone() }));
        }
    }

    /// Tells all living members the decision of this coordinator.
    fn send_all(&self, value: &Value, out: &mut Out) {
        let ballot = self.ballot;
        for member in (0..self.members).filter(|&member| member != self.me) {
            if !self.dead.has(member) {
                out.push((member, Message::Decide { ballot, down: false, value: value.clone() }));
            }
        }
    }

    /// Answers those who have taken this member for the coordinator before it did, and those who
    /// have asked it before it had a decision.
    fn answer_early(&mut self, value: &Value, out: &mut Out) {
        let early =
            std::mem::take(&mut self.early).into_iter().map(|(member, _)| (member, self.me));
        for (member, ballot) in early.chain(std::mem::take(&mut self.asked)) {
            out.push((member, Message::Decide { ballot, down: false, value: value.clone() }));
        }
    }

    /// Decides, if this member is the coordinator and has heard all living members.
    fn try_to_decide(&mut self, out: &mut Out, draw: &mut dyn FnMut() -> u64) {
        let is_coordinator = self.ballot == self.me && (!self.in_tree || self.me == 0);
        let has_heard = |member: usize| self.heard.has(member) || self.dead.has(member);
        if self.decision.is_some() || !is_coordinator || !(0..self.members).all(has_heard) {
            return;
        }
        let mut value = self.combined.clone();
        value.drawn = draw();
        let ballot = self.ballot;
        if self.in_tree {
            self.send_down(ballot, &value, out);
            for &member in &self.direct {
                out.push((member, Message::Decide { ballot, down: false, value: value.clone() }));
            }
        } else {
            self.send_all(&value, out);
        }
        self.decision = Some(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    /// A generator of random numbers (SplitMix64).
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut bits = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((bits ^ bits >> 31) % end as u64) as usize
        }
    }

    #[derive(Clone, Debug)]
    enum Event {
        Message(Message),
        Death,
    }

    /// Members, the channels between them, and who has died. A channel ends with the death of its
    /// sender, so a member is told of it after everything else.
    struct Job {
        members: Vec<Option<Agreement>>,
        entered: Vec<bool>,
        channels: Vec<Vec<VecDeque<Event>>>,
        flags: Vec<u64>,
        /// Messages that are left to be sent before the next member dies in the midst.
        until_death: usize,
        deaths_left: usize,
        decided: Vec<Option<Value>>,
        messages: usize,
    }

    impl Job {
        fn new(size: usize, deaths: usize, random: &mut Random) -> Job {
            Job {
                members: (0..size).map(|_| None).collect(),
                entered: vec![false; size],
                channels: vec![vec![VecDeque::new(); size]; size],
                flags: (0..size).map(|_| !0 ^ 1 << random.below(8)).collect(),
                until_death: random.below(3 * size + 2),
                deaths_left: deaths,
                decided: vec![None; size],
                messages: 0,
            }
        }

        fn is_dead(&self, member: usize) -> bool {
            self.channels[member]
                .iter()
                .any(|channel| channel.iter().any(|event| matches!(event, Event::Death)))
                || self.entered[member] && self.members[member].is_none()
        }

        /// Sends messages one by one. The sender may die before any of them.
        fn send(&mut self, from: usize, out: Out, random: &mut Random) {
            for (to, message) in out {
                if self.deaths_left > 0 && self.until_death == 0 {
                    self.deaths_left -= 1;
                    self.until_death = random.below(2 * self.members.len());
                    return self.kill(from, random);
                }
                self.until_death = self.until_death.saturating_sub(1);
                self.messages += 1;
                self.channels[from][to].push_back(Event::Message(message));
            }
            // Returns from the call: a member that dies now has decided.
            if let Some(agreement) = &self.members[from] {
                self.decided[from] = agreement.decision().cloned();
            }
        }

        /// What is on its way from a member that dies arrives up to some message.
        fn kill(&mut self, member: usize, random: &mut Random) {
            self.members[member] = None;
            self.entered[member] = true;
            for to in 0..self.members.len() {
                let left = random.below(self.channels[member][to].len() + 2);
                self.channels[member][to].truncate(left);
                self.channels[member][to].push_back(Event::Death);
                self.channels[to][member].clear();
            }
        }
    }

    fn value(size: usize, flag: u64) -> Value {
        Value { flag, failed: Set::none(size), acked: Set::all(size), drawn: 0 }
    }

    /// Runs an agreement in a random order of events, and returns the messages sent.
    fn run(size: usize, deaths: usize, seed: u64) -> usize {
        let mut random = Random(seed);
        let mut job = Job::new(size, deaths, &mut random);
        let mut known: Vec<Set> = vec![Set::none(size); size];
        let mut kept: Vec<Vec<(usize, Message)>> = vec![Vec::new(); size];
        let mut drawn = 0;
        loop {
            let mut choices = Vec::new();
            for to in 0..size {
                if !job.entered[to] {
                    choices.push((to, usize::MAX));
                }
                let alive = !job.entered[to] || job.members[to].is_some();
                let nonempty = |from: &usize| !job.channels[*from][to].is_empty();
                if alive {
                    choices.extend((0..size).filter(nonempty).map(|from| (to, from)));
                }
            }
            if choices.is_empty() {
                break;
            }
            if job.deaths_left > 0 && random.below(6 * size) == 0 {
                // Between two events of its own.
                let victim = random.below(size);
                if !job.is_dead(victim) {
                    job.deaths_left -= 1;
                    job.kill(victim, &mut random);
                    continue;
                }
            }
            let (to, from) = choices[random.below(choices.len())];
            let mut out = Vec::new();
            let mut draw = || {
                drawn += 1;
                drawn
            };
            if from == usize::MAX {
                job.entered[to] = true;
                let own = value(size, job.flags[to]);
                let dead = known[to].clone();
                let mut begun = Agreement::begin(to, size, dead, own, &mut out, &mut draw);
                for (from, message) in std::mem::take(&mut kept[to]) {
                    begun.take(from, message, &mut out, &mut draw);
                }
                job.members[to] = Some(begun);
            } else {
                let Some(event) = job.channels[from][to].pop_front() else { continue };
                match (event, &mut job.members[to]) {
                    (Event::Message(message), Some(agreement)) => {
                        agreement.take(from, message, &mut out, &mut draw);
                    }
                    (Event::Message(message), None) => kept[to].push((from, message)),
                    (Event::Death, member) => {
                        known[to].add(from);
                        if let Some(agreement) = member {
                            agreement.lose(from, &mut out, &mut draw);
                        }
                    }
                }
            }
            job.send(to, out, &mut random);
        }
        let living: Vec<usize> = (0..size).filter(|&member| !job.is_dead(member)).collect();
        let decisions: Vec<&Value> = living
            .iter()
            .map(|&member| {
                let agreement = job.members[member].as_ref().expect("it lives");
                agreement.decision().unwrap_or_else(|| {
                    panic!("seed {seed}: member {member} of {size} has not decided")
                })
            })
            .collect();
        for pair in decisions.windows(2) {
            assert_eq!(pair[0], pair[1], "seed {seed}, {size} members");
        }
        // Every living member's flag is in the value.
        let all = living.iter().fold(!0, |flags, &member| flags & job.flags[member]);
        for decision in decisions {
            assert_eq!(decision.flag & !all, 0, "seed {seed}, {size} members");
            assert!(living.iter().all(|&member| !decision.failed.has(member)), "seed {seed}");
        }
        job.messages
    }

    #[test]
    fn living_members_decide_alike_whoever_dies_and_when() {
        let seeds = if cfg!(miri) { 20 } else { 20_000 };
        for seed in 0..seeds {
            let size = 1 + (seed % 9) as usize;
            let deaths = (seed / 9 % (size as u64 + 1)) as usize;
            run(size, deaths.min(size.saturating_sub(1)), seed);
        }
    }

    #[test]
    fn without_a_death_a_member_sends_two_messages_in_the_mean() {
        for size in 1..40 {
            assert_eq!(run(size, 0, size as u64), 2 * (size - 1));
        }
    }

    #[test]
    fn sets_are_what_their_words_say() {
        let mut set = Set::none(130);
        set.add(0);
        set.add(129);
        set.add(500);
        assert!(set.has(0) && set.has(129) && !set.has(128) && !set.has(500));
        assert_eq!(Set::from_words(set.words()), set);
        assert!(set.is_within(&Set::all(130)) && !Set::all(130).is_within(&set));
    }
}
