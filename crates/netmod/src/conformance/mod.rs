//! A test suite for all network modules, which checks the guarantees of `lib.rs`.
//!
//! A module's test calls [`run`] with a function that makes the drivers of a job of `n` processes,
//! all within the test's process. The suite acts as the hosts: it publishes the cards, lends cells
//! and sends packets, every byte of which follows from (sender, receiver, number). It checks every
//! byte, every number and every token that comes back.
//!
//! | file | tests |
//! |---|---|
//! | `delivery` | every size, bulk payloads, the caller's memory |
//! | `traffic` | many pairs at once, at random |
//! | `pressure` | receivers that refuse packets, or accept them slowly |
//! | `remote` | remote memory access, for modules that offer it |
//! | `ending` | finalize with packets under way, regular ends, loss, invalid packets |
//! | `world` | the job, its hosts and their polls |
//! | `host` | a host that records and checks |

mod delivery;
mod ending;
mod host;
mod pressure;
mod random;
mod remote;
mod traffic;
mod world;

use crate::Driver;
use world::World;

/// Makes the drivers of a job; the argument is the number of processes.
pub type Build<'a> = dyn Fn(usize) -> Vec<Box<dyn Driver>> + 'a;

/// Name and function of each test.
type Chapter = (&'static str, fn(&Build<'_>));

const CHAPTERS: [Chapter; 20] = [
    ("a packet arrives as it was sent", delivery::a_packet_arrives_as_it_was_sent),
    ("every size passes", delivery::every_size_passes),
    ("bulk payloads land in their place", delivery::bulk_payloads_land_in_their_place),
    ("unwanted bulk payloads are thrown away", delivery::unwanted_bulk_payloads_are_thrown_away),
    ("all pairs talk at once", traffic::all_pairs_talk_at_once),
    ("a fan-in keeps each pair's order", traffic::a_fan_in_keeps_order),
    ("a full module takes up again", pressure::a_full_module_takes_up_again),
    ("a receiver without cells loses nothing", pressure::a_receiver_without_cells_loses_nothing),
    ("puts and gets need nobody there", remote::puts_and_gets_need_nobody_there),
    ("a flush is behind everything", remote::a_flush_is_behind_everything),
    ("words are changed by one at a time", remote::words_are_changed_by_one_at_a_time),
    ("what is not registered is not touched", remote::what_is_not_registered_is_not_touched),
    ("operations on a dead process end", remote::operations_on_a_dead_process_end),
    ("finalize ends what was begun", remote::finalize_ends_what_was_begun),
    (
        "finalize brings pending packets on their way",
        ending::finalize_brings_pending_packets_on_their_way,
    ),
    ("a goodbye is no loss", ending::a_goodbye_is_no_loss),
    ("a dead process is reported once", ending::a_dead_process_is_reported_once),
    (
        "a sender dies in the middle of a bulk payload",
        ending::a_sender_dies_in_the_middle_of_a_bulk_payload,
    ),
    ("pending sends to a dead process fail", ending::pending_sends_to_a_dead_process_fail),
    ("what cannot be sent is refused", ending::what_cannot_be_sent_is_refused),
];

/// Runs all tests and prints their names. Panics in the first test that fails.
pub fn run(build: impl Fn(usize) -> Vec<Box<dyn Driver>>) {
    for (name, chapter) in CHAPTERS {
        println!("conformance: {name}");
        chapter(&build);
    }
}

/// Makes a world of `processes` members with plenty of cells.
fn world(build: &Build<'_>, processes: usize) -> World {
    World::new(build, processes, 32)
}
