//! How long the decision of an agreement by messages is kept after its communicator is freed.
//!
//! A member may ask for it when the coordinator has died in the midst of telling it.
//!
//! *Who has a decision.* Say that this process has that of an agreement by messages. Then every
//! living member has begun it, because a decision takes the contributions of all living members
//! (`agreement`), and has it among its `running` agreements until it has the decision. So a living
//! member that does not find the agreement there has the decision, whatever it has freed or
//! forgotten since, and needs no memory to say so. When some communicators have been freed, their
//! members are asked in one message to each. Once all of them have answered so, or have died, the
//! decision is forgotten. Nobody asks for it later: between two processes there is one order, so
//! what a member has asked before it answered has been answered here. Processes of other jobs are
//! not asked, because they may have disconnected; decisions with them are kept.

use crate::agreements::{
    Agreements, Arrived, ENDED, Freed, Name, QUESTION, decode_names, encode_names,
};
use crate::comm::Comm;
use crate::context::Class;
use crate::engine::Engine;
use crate::peer_failure;
use crate::protocol::Core;
use std::collections::BTreeMap;

/// Communicators that are freed before the others are asked whether they have the decisions.
const UNASKED_MAX: usize = 8;
/// Communicators that one question asks for. A packet has room for that.
const ASKED_MAX: usize = 64;

/// Communicators freed last whose revocation is not kept when it arrives late.
const FREED_MAX: usize = 64;

impl Engine {
    /// Forgets what agreements and revocations have kept of a communicator that is being freed, or
    /// begins to find out whether anybody asks for it.
    pub(crate) fn forget_comm(&mut self, comm: &Comm) {
        if comm.context.is_of_nobody() {
            return;
        }
        let context = comm.context.class(Class::PointToPoint).0;
        let Agreements { decided, freed, running, .. } = &mut self.pt2pt.core.agreements;
        if peer_failure::is_tolerant() {
            // Others repeat a revocation.
            if freed.len() == FREED_MAX {
                freed.pop_front();
            }
            freed.push_back(context);
        }
        if !decided.is_empty() || !running.is_empty() {
            self.forget_decision(comm);
        }
    }

    /// Forgets the last decision on a communicator that is being freed, or notes that it is kept.
    #[cold]
    fn forget_decision(&mut self, comm: &Comm) {
        let (context, members) = (comm.context.class(Class::PointToPoint).0, comm.in_order());
        let (key, own) = ((context, self.members_number(&members)), self.pt2pt.own_process());
        let spans_jobs = self.spans_jobs(&members);
        let Core { agreements, losses, .. } = &mut self.pt2pt.core;
        let Agreements { decided, running, kept, unasked, .. } = agreements;
        let last = decided.get(&key).map(|(number, _)| *number);
        let runs = running.iter().any(|one| one.name.key() == key);
        let in_segment = comm.membership.as_ref().is_some_and(|own| own.all_have_joined());
        if !runs && in_segment && last.is_some_and(|last| last != comm.agreements) {
            // All living members have the last decision of messages: they have agreed in the
            // segment since.
            decided.remove(&key);
        } else if (last.is_some() || runs) && !spans_jobs {
            let lacks_it = |process: &u32| *process != own && !losses.contains(*process);
            let awaited = members.iter().copied().filter(lacks_it).collect();
            kept.push_back(Freed { key, number: 0, awaited });
            *unasked += 1;
            if *unasked >= UNASKED_MAX {
                *unasked = 0;
                self.forget_decisions();
                self.ask_who_has_decisions();
            }
        }
    }

    /// Asks other processes whether they have the decisions on freed communicators.
    #[cold]
    fn ask_who_has_decisions(&mut self) {
        let Agreements { decided, running, kept, .. } = &mut self.pt2pt.core.agreements;
        let mut questions: BTreeMap<u32, Vec<Name>> = BTreeMap::new();
        for freed in kept.iter_mut().take(ASKED_MAX) {
            let runs = running.iter().any(|one| one.name.key() == freed.key);
            let (false, Some((number, _))) = (runs, decided.get(&freed.key)) else { continue };
            freed.number = *number;
            let (context, members) = freed.key;
            for &process in &freed.awaited {
                let name = Name { context, members, number: *number };
                questions.entry(process).or_default().push(name);
            }
        }
        for (process, names) in questions {
            let (header, payload) = encode_names(QUESTION, &names);
            self.pt2pt.send_bytes(process, header, payload);
        }
    }

    /// Answers which agreements have their decision here, of those that another process asks for.
    /// This one has begun all of them.
    #[cold]
    pub(crate) fn answer_who_has_decisions(&mut self, arrived: &Arrived) {
        let running = &self.pt2pt.core.agreements.running;
        let has_ended = |name: &Name| !running.iter().any(|one| one.name == *name);
        let ended: Vec<Name> = decode_names(&arrived.payload).filter(has_ended).collect();
        if !ended.is_empty() {
            let (header, payload) = encode_names(ENDED, &ended);
            self.pt2pt.send_bytes(arrived.from, header, payload);
        }
    }

    /// Notes that another process has the decisions of agreements.
    #[cold]
    pub(crate) fn note_who_has_decisions(&mut self, arrived: &Arrived) {
        let kept = &mut self.pt2pt.core.agreements.kept;
        for name in decode_names(&arrived.payload) {
            let is_it = |freed: &&mut Freed| freed.key == name.key() && freed.number == name.number;
            if let Some(freed) = kept.iter_mut().find(is_it) {
                freed.awaited.retain(|&process| process != arrived.from);
            }
        }
        self.forget_decisions();
    }

    /// Forgets the decisions on freed communicators that all living members have.
    pub(crate) fn forget_decisions(&mut self) {
        let Agreements { decided, running, kept, .. } = &mut self.pt2pt.core.agreements;
        kept.retain(|freed| {
            let runs = running.iter().any(|one| one.name.key() == freed.key);
            let is_kept = runs || !freed.awaited.is_empty();
            if !is_kept {
                decided.remove(&freed.key);
            }
            is_kept
        });
    }
}
