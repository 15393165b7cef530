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
//! | `order` | bulk payloads that have no place in the order |
//! | `traffic` | many pairs at once, at random |
//! | `pressure` | receivers that refuse packets, or accept them slowly |
//! | `remote` | remote memory access, for modules that offer it |
//! | `ending` | finalize with packets under way, regular ends, loss, invalid packets |
//! | `job` | the job, its hosts and their polls |
//! | `host` | a host that records and checks |

mod delivery;
mod ending;
mod host;
mod job;
mod order;
mod pressure;
mod random;
mod remote;
mod traffic;

use crate::Driver;
use job::Job;

/// Makes the drivers of a job; the argument is the number of processes.
pub type Build<'a> = dyn Fn(usize) -> Vec<Box<dyn Driver>> + 'a;

/// Name and function of a test.
type Test = (&'static str, fn(&Build<'_>));

const TESTS: [Test; 23] = [
    ("a packet arrives as it was sent", delivery::a_packet_arrives_as_it_was_sent),
    ("every size passes", delivery::every_size_passes),
    (
        "bulk payloads arrive at their destination",
        delivery::bulk_payloads_arrive_at_their_destination,
    ),
    ("refused bulk payloads are discarded", delivery::refused_bulk_payloads_are_discarded),
    ("unordered bulk payloads arrive once", order::unordered_bulk_payloads_arrive_once),
    ("unordered bulk payloads hold up no packet", order::unordered_bulk_payloads_hold_up_no_packet),
    (
        "a sender dies with unordered bulk payloads under way",
        order::a_sender_dies_with_unordered_bulk_payloads_under_way,
    ),
    ("all pairs send at once", traffic::all_pairs_send_at_once),
    ("a fan-in keeps each pair's order", traffic::a_fan_in_keeps_order),
    ("a full module accepts packets again", pressure::a_full_module_accepts_packets_again),
    ("a receiver without cells loses nothing", pressure::a_receiver_without_cells_loses_nothing),
    ("puts and gets need no poll of the target", remote::puts_and_gets_need_no_poll_of_the_target),
    (
        "a flush completes after earlier operations",
        remote::a_flush_completes_after_earlier_operations,
    ),
    ("words are changed atomically", remote::words_are_changed_atomically),
    (
        "memory that is not registered is not accessed",
        remote::memory_that_is_not_registered_is_not_accessed,
    ),
    ("operations on a dead process end", remote::operations_on_a_dead_process_end),
    ("finalize completes pending operations", remote::finalize_completes_pending_operations),
    ("finalize sends pending packets", ending::finalize_sends_pending_packets),
    ("a goodbye is no loss", ending::a_goodbye_is_no_loss),
    ("a dead process is reported once", ending::a_dead_process_is_reported_once),
    (
        "a sender dies in the middle of a bulk payload",
        ending::a_sender_dies_in_the_middle_of_a_bulk_payload,
    ),
    ("pending sends to a dead process fail", ending::pending_sends_to_a_dead_process_fail),
    ("invalid sends are refused", ending::invalid_sends_are_refused),
];

/// Runs all tests and prints their names. `build` makes the drivers of a job of the given number of
/// processes.
///
/// # Panics
/// In the first test that fails.
///
/// # Examples
/// The test of the loopback network:
/// ```
/// use nemesis_netmod::{Driver, conformance};
/// use nemesis_netmod_loopback::{Loopback, Network, Trouble};
///
/// conformance::run(|processes| {
///     let network = Network::new(Trouble::none());
///     let driver = || Box::new(Loopback(network.clone())) as Box<dyn Driver>;
///     (0..processes).map(|_| driver()).collect()
/// });
/// ```
pub fn run(build: impl Fn(usize) -> Vec<Box<dyn Driver>>) {
    for (name, test) in TESTS {
        println!("conformance: {name}");
        test(&build);
    }
}

/// Makes a job of `processes` members with plenty of cells.
fn job(build: &Build<'_>, processes: usize) -> Job {
    Job::new(build, processes, 32)
}
