//! Topologies against the words of the standard: tables of coordinates, and exchanges in which
//! every message names its edge.

use super::dist_graph::NamedEdge;
use super::neighbourhood::Edge;
use super::*;
use proptest::prelude::*;
use std::collections::{HashMap, VecDeque};

prop_compose! {
    fn grid()(
        sides in prop::collection::vec((1..=4_u32, any::<bool>()), 0..4),
    ) -> Cart {
        let dimension = |(length, periodic)| Dimension { length, periodic };
        Cart { dimensions: sides.into_iter().map(dimension).collect() }
    }
}

/// Returns the coordinates of all ranks: the last one varies fastest.
fn table(cart: &Cart) -> Vec<Vec<i32>> {
    cart.dimensions.iter().fold(vec![Vec::new()], |places, dimension| {
        let extended = |place: &Vec<i32>| {
            let place = place.clone();
            (0..dimension.length as i32).map(move |at| [place.clone(), vec![at]].concat())
        };
        places.iter().flat_map(extended).collect()
    })
}

/// Has every process send a word along each outgoing edge, in order, and receive from each incoming
/// one, as the collectives of neighbours do. Returns the word in each slot of each process: the
/// sender and the slot that it was sent from.
fn exchange(neighbours: &[Neighbourhood]) -> Vec<Vec<Option<(u32, u32)>>> {
    let mut under_way: HashMap<(u32, u32), VecDeque<(u32, u32)>> = HashMap::new();
    for (rank, own) in (0..).zip(neighbours) {
        for edge in &own.outgoing {
            under_way.entry((rank, edge.rank)).or_default().push_back((rank, edge.slot));
        }
    }
    let mut received: Vec<Vec<Option<(u32, u32)>>> =
        neighbours.iter().map(|own| vec![None; own.indegree as usize]).collect();
    for (rank, own) in (0..).zip(neighbours) {
        let slots = &mut received[rank as usize];
        for edge in &own.incoming {
            let message = under_way.get_mut(&(edge.rank, rank)).and_then(VecDeque::pop_front);
            slots[edge.slot as usize] = Some(message.expect("a message on every edge"));
        }
        for &(to, from) in &own.own {
            slots[from as usize] = Some((rank, to));
        }
    }
    assert!(under_way.values().all(VecDeque::is_empty), "a message that nobody receives");
    received
}

proptest! {
    #[test]
    fn ranks_stand_in_row_major_order(cart in grid()) {
        let table = table(&cart);
        prop_assert_eq!(cart.size() as usize, table.len());
        for (rank, place) in (0..).zip(&table) {
            prop_assert_eq!(&cart.coordinates(rank), place);
            prop_assert_eq!(cart.rank(place), Ok(rank));
        }
    }

    #[test]
    fn a_step_changes_one_coordinate(cart in grid(), steps in -9..=9_i32) {
        let table = table(&cart);
        for (rank, place) in (0..).zip(&table) {
            for (direction, dimension) in cart.dimensions.iter().enumerate() {
                let (mut there, length) = (place.clone(), dimension.length as i32);
                there[direction] += steps;
                if dimension.periodic {
                    // As the standard has it: the ends are neighbours.
                    while there[direction] < 0 {
                        there[direction] += length;
                    }
                    while there[direction] >= length {
                        there[direction] -= length;
                    }
                }
                let expected = table.iter().position(|other| *other == there);
                let expected = expected.map(|other| other as u32);
                prop_assert_eq!(cart.along(rank, direction, steps), expected);
                prop_assert_eq!(cart.before(rank, direction, -steps), expected);
            }
        }
    }

    #[test]
    fn a_part_has_the_ranks_whose_other_coordinates_are_equal(
        (cart, remains) in grid().prop_flat_map(|cart| {
            let dimensions = cart.dimensions.len();
            (Just(cart), prop::collection::vec(any::<bool>(), dimensions))
        }),
    ) {
        let table = table(&cart);
        let select = |place: &[i32], which: bool| -> Vec<i32> {
            let chosen = place.iter().zip(&remains).filter(|(_, remains)| **remains == which);
            chosen.map(|(at, _)| *at).collect()
        };
        let parts: Vec<(Cart, u32, u32)> =
            (0..cart.size()).map(|rank| cart.sub(rank, &remains)).collect();
        for (one, (part, colour, key)) in parts.iter().enumerate() {
            prop_assert_eq!(part.coordinates(*key), select(&table[one], true));
            for (other, (_, other_colour, _)) in parts.iter().enumerate() {
                let together = select(&table[one], false) == select(&table[other], false);
                prop_assert_eq!(colour == other_colour, together);
            }
        }
    }

    #[test]
    fn what_goes_one_way_along_a_grid_comes_from_the_other(cart in grid()) {
        let neighbours: Vec<Neighbourhood> =
            (0..cart.size()).map(|rank| cart.neighbourhood(rank)).collect();
        for (rank, slots) in (0..).zip(exchange(&neighbours)) {
            for (slot, word) in slots.into_iter().enumerate() {
                let (direction, is_before) = (slot / 2, slot % 2 == 0);
                let from = match is_before {
                    true => cart.before(rank, direction, 1),
                    false => cart.along(rank, direction, 1),
                };
                // The preceding neighbour sent it to its following one.
                let sent = from.map(|from| (from, (slot ^ 1) as u32));
                prop_assert_eq!(word, sent);
            }
        }
    }

    #[test]
    fn every_edge_of_a_distributed_graph_carries_its_own_word(
        ranks in 1..5_u32,
        named in prop::collection::vec((0..5_u32, 0..5_u32), 0..30),
    ) {
        let edges: Vec<NamedEdge> = named
            .into_iter()
            .zip(0..)
            .map(|((source, destination), weight)| NamedEdge {
                source: source % ranks,
                destination: destination % ranks,
                weight,
            })
            .collect();
        let graphs: Vec<DistGraph> =
            (0..ranks).map(|rank| DistGraph::from_named(rank, &edges, true)).collect();
        let neighbours: Vec<Neighbourhood> =
            (0..).zip(&graphs).map(|(rank, graph)| graph.neighbourhood(rank)).collect();
        for (rank, slots) in exchange(&neighbours).into_iter().enumerate() {
            prop_assert_eq!(slots.len(), graphs[rank].sources.ranks.len());
            for (slot, word) in slots.into_iter().enumerate() {
                let (from, sent) = word.expect("every slot of a graph has a partner");
                prop_assert_eq!(from, graphs[rank].sources.ranks[slot]);
                // The weight is the number of the edge, at both ends.
                let there = graphs[from as usize].destinations.weights[sent as usize];
                prop_assert_eq!(there, graphs[rank].sources.weights[slot]);
            }
        }
    }

    #[test]
    fn the_neighbours_of_a_graph_are_the_lists_that_made_it(
        lists in prop::collection::vec(prop::collection::vec(0..6_i32, 0..5), 1..6),
    ) {
        let nodes = lists.len();
        let lists: Vec<Vec<i32>> = lists
            .into_iter()
            .map(|list| list.into_iter().map(|other| other % nodes as i32).collect())
            .collect();
        let mut end = 0;
        let ends: Vec<i32> = lists
            .iter()
            .map(|list| {
                end += list.len() as i32;
                end
            })
            .collect();
        let graph = Graph::new(Graph::index(&ends).unwrap(), &lists.concat(), 6).unwrap();
        for (rank, list) in (0..).zip(&lists) {
            let found = graph.neighbours(rank).iter().map(|&other| other as i32);
            let found: Vec<i32> = found.collect();
            prop_assert_eq!(&found, list);
            let neighbours = graph.neighbourhood(rank);
            let others = list.iter().filter(|other| **other != rank as i32).count();
            prop_assert_eq!(neighbours.outgoing.len(), others);
            prop_assert_eq!(neighbours.own.len(), list.len() - others);
        }
    }
}

#[test]
fn a_grid_without_dimensions_has_one_process_and_no_neighbours() {
    let cart = Cart::new(&[], &[], 1).unwrap();
    assert_eq!((cart.size(), cart.coordinates(0), cart.rank(&[])), (1, vec![], Ok(0)));
    assert_eq!(cart.neighbourhood(0), Neighbourhood::default());
}

#[test]
fn a_topology_knows_its_neighbours() {
    let line = Cart::new(&[3], &[0], 3).unwrap();
    let topology = Topology::new(Shape::Cart(line), 0);
    assert_eq!(topology.neighbourhood.outgoing, [Edge { slot: 1, rank: 1 }]);
    assert_eq!((topology.neighbourhood.indegree, topology.neighbourhood.outdegree), (2, 2));
}
