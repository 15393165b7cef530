//! Plans: the ways in which a job can perform an operation, each with its cost in the model.

use crate::machine::{Machine, Time};
use crate::rivals::{self, Library, Rival};
use crate::simulator::{Cost, simulate};
use nemesis_mpi_coll::explain::{self, Placement};
use nemesis_mpi_coll::operations;
use nemesis_mpi_coll::recording::{self, Move, Recorder};
use nemesis_mpi_coll::rows::Scope;

/// A way to perform an operation, and what it costs.
#[derive(Clone, Debug)]
pub struct Plan {
    pub name: String,
    pub cost: Cost,
    /// Whether the library would choose it.
    pub chosen: bool,
}

/// An operation of one length.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// Index of the operation.
    pub operation: usize,
    /// Of the vector, or of a block.
    pub bytes: usize,
    /// Plans in which all ranks together make more moves are left out.
    pub moves_max: usize,
}

impl Call {
    pub fn name(&self) -> &'static str {
        operations::ALL[self.operation].name
    }

    /// The times before and after the leaders' messages.
    fn in_nodes(&self, machine: &Machine) -> (Time, Time) {
        let all = self.bytes * machine.ranks() as usize;
        let (own, result) = match self.name() {
            "allgather" => (self.bytes, all),
            "alltoall" => (all, all),
            _ => (self.bytes, self.bytes),
        };
        let (before, after) = (machine.up_to_leader(own), machine.down_from_leader(result));
        match self.name() {
            "bcast" | "scatter" => (0, after),
            "reduce" | "gather" => (before, 0),
            _ => (before, after),
        }
    }

    /// The length of a call of the leaders: their messages carry the blocks of their nodes.
    fn bytes_of_leaders(&self, machine: &Machine) -> usize {
        let members = machine.per_node as usize;
        match self.name() {
            "gather" | "scatter" | "allgather" => self.bytes * members,
            "alltoall" => self.bytes * members * members,
            _ => self.bytes,
        }
    }

    /// Simulates what `moves` gives for each rank. Returns `None` if it is too much.
    fn simulated(
        &self,
        machine: &Machine,
        moves: impl Fn(u32) -> Result<Vec<Move>, String>,
    ) -> Option<Cost> {
        let ranks = machine.ranks();
        if moves(ranks / 2).ok()?.len() * ranks as usize > self.moves_max {
            return None;
        }
        let all: Result<Vec<_>, String> = (0..ranks).map(moves).collect();
        match all.and_then(|all| simulate(machine, all)) {
            Ok(cost) => Some(cost),
            Err(why) => panic!("{} of {} bytes: {why}", self.name(), self.bytes),
        }
    }

    /// Returns the library's plans.
    pub fn plans(&self, machine: &Machine) -> Vec<Plan> {
        let placement = Placement {
            hosts: machine.nodes,
            members: machine.per_node,
            oversubscribed: false,
            direct: true,
            prefers_packets: false,
        };
        let bytes = self.bytes.max(1);
        let spans = explain::spans(self.operation, &placement);
        let span = spans.iter().rev().find(|span| span.min_bytes <= bytes);
        let in_nodes = span.is_some_and(|span| span.row.scope == Scope::Levels);
        let mut plans = Vec::new();

        let grid = machine.grid();
        let chosen = recording::chosen_by_messages(self.operation, grid, self.bytes);
        for row in recording::rows_by_messages(self.operation, grid, self.bytes) {
            let cost = Recorder::new(self.operation, row.name, grid, self.bytes).ok();
            let cost = cost.and_then(|it| self.simulated(machine, |rank| it.moves(rank)));
            plans.extend(cost.map(|cost| Plan {
                name: row.name.into(),
                cost,
                chosen: !in_nodes && row.name == chosen,
            }));
        }

        let case = placement.case();
        let rows = (operations::ALL[self.operation].rows)();
        let by_nodes = |bytes| rows.iter().any(|r| r.scope == Scope::Levels && r.can(&case, bytes));
        if machine.per_node > 1 && machine.nodes > 1 && by_nodes(self.bytes) {
            let (before, after) = self.in_nodes(machine);
            let leaders = machine.of_leaders();
            let (grid, bytes) = (leaders.grid(), self.bytes_of_leaders(machine));
            let chosen = recording::chosen_by_messages(self.operation, grid, bytes);
            for row in recording::rows_by_messages(self.operation, grid, bytes) {
                let cost = Recorder::new(self.operation, row.name, grid, bytes).ok();
                let cost = cost.and_then(|it| self.simulated(&leaders, |rank| it.moves(rank)));
                plans.extend(cost.map(|cost| Plan {
                    name: format!("nodes/{}", row.name),
                    cost: Cost { time: before + cost.time + after, ..cost },
                    chosen: in_nodes && row.name == chosen,
                }));
            }
        }
        plans
    }

    /// Returns the plans of the other libraries. Within nodes they send messages, too.
    pub fn rival_plans(&self, machine: &Machine) -> Vec<Plan> {
        let mut plans = Vec::new();
        for rival in rivals::of(self.name()) {
            let whole = |rank| Ok((rival.moves)(rank, machine.ranks(), self.bytes));
            if (rival.can)(machine.ranks(), self.bytes) {
                let cost = self.simulated(machine, whole);
                plans.extend(cost.map(|cost| plan(rival, "", cost)));
            }
            let has_nodes = matches!(self.name(), "barrier" | "bcast" | "reduce" | "allreduce");
            if has_nodes && machine.per_node > 1 && (rival.can)(machine.nodes, self.bytes) {
                let cost = self.simulated(machine, |rank| Ok(self.by_nodes(machine, rival, rank)));
                plans.extend(cost.map(|cost| plan(rival, "nodes/", cost)));
            }
        }
        plans
    }

    /// A binomial tree in each node, and an algorithm among the nodes' first ranks.
    fn by_nodes(&self, machine: &Machine, rival: &Rival, rank: u32) -> Vec<Move> {
        let members = machine.per_node;
        let (node, local) = (rank / members, rank % members);
        let in_node = |operation: &str, name: &str| {
            let tree = rivals::of(operation).find(|rival| rival.name == name);
            let moves = tree.map(|tree| (tree.moves)(local, members, self.bytes));
            named(moves.unwrap_or_default(), |other| node * members + other)
        };
        let mut moves = Vec::new();
        if self.name() != "bcast" {
            moves.extend(in_node("reduce", "binomial"));
        }
        if local == 0 {
            let between = (rival.moves)(node, machine.nodes, self.bytes);
            moves.extend(named(between, |other| other * members));
        }
        if self.name() != "reduce" {
            moves.extend(in_node("bcast", "binomial"));
        }
        moves
    }
}

fn plan(rival: &Rival, prefix: &str, cost: Cost) -> Plan {
    let library = match rival.library {
        Library::Mpich => " (MPICH)",
        Library::OpenMpi => " (Open MPI)",
        Library::Both => "",
    };
    Plan { name: format!("{prefix}{}{library}", rival.name), cost, chosen: false }
}

/// Names the other ranks of moves anew.
fn named(moves: Vec<Move>, name: impl Fn(u32) -> u32) -> Vec<Move> {
    let one = |one| match one {
        Move::Send { to, bytes } => Move::Send { to: name(to), bytes },
        Move::Receive { from } => Move::Receive { from: name(from) },
        other => other,
    };
    moves.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operation_has_one_chosen_plan() {
        for network in ["infiniband", "ethernet"] {
            for (nodes, per_node) in [(4, 8), (16, 1), (3, 5)] {
                let machine = Machine::new(nodes, per_node, network).unwrap();
                for operation in 0..operations::ALL.len() {
                    for bytes in [8, 4096, 1 << 17] {
                        let call = Call { operation, bytes, moves_max: usize::MAX };
                        let plans = call.plans(&machine);
                        let chosen = plans.iter().filter(|plan| plan.chosen).count();
                        assert_eq!(chosen, 1, "{} {bytes} {machine:?}", call.name());
                        assert!(plans.iter().all(|plan| plan.cost.time > 0));
                        assert!(!call.rival_plans(&machine).is_empty());
                    }
                }
            }
        }
    }

    #[test]
    fn leaders_take_load_from_the_cards() {
        let operation = operations::ALL.iter().position(|one| one.name == "allreduce").unwrap();
        let call = Call { operation, bytes: 8, moves_max: usize::MAX };
        let machine = Machine::new(16, 16, "infiniband").unwrap();
        let plans = call.plans(&machine);
        let of = |name| plans.iter().find(|plan| plan.name == name).unwrap().cost;
        let (flat, leaders) = (of("recursive_doubling"), of("nodes/recursive_doubling"));
        assert!(flat.card_messages >= 16 * 4 && leaders.card_messages == 4);
        assert!(leaders.time < flat.time);
    }
}
