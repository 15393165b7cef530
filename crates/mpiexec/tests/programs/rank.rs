//! A rank for the launcher's tests: joins the job as the library does, then behaves as its first
//! argument says.
//!
//! ```text
//!   meet               share the segment, exchange cards, finalize
//!   twice              meet, with two libraries of one process
//!   exit CODE          finalize, then end with CODE
//!   leave RANK CODE    RANK ends with CODE without finalize; the others wait in a barrier
//!   abort RANK CODE    RANK aborts the job; the others wait in a barrier
//!   nonsense           send the launcher a line that is not a command
//! ```

use nemesis_wireup::{Wireup, WireupError};
use std::process::exit;

fn main() -> Result<(), WireupError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize| -> i32 { arguments[place].parse().expect("a number") };
    let mut wireup = Wireup::connect()?;
    let is_rank = |wireup: &Wireup, rank: i32| wireup.rank() as i32 == rank;
    match arguments[0].as_str() {
        "meet" => meet(&mut wireup)?,
        "twice" => {
            let mut second = Wireup::connect()?;
            meet(&mut wireup)?;
            meet(&mut second)?;
            second.finalize()?;
        }
        "exit" => {
            wireup.finalize()?;
            exit(number(1));
        }
        "leave" if is_rank(&wireup, number(1)) => exit(number(2)),
        "abort" if is_rank(&wireup, number(1)) => {
            wireup.abort(number(2), "the reactor is hot");
            exit(number(2));
        }
        "leave" | "abort" => wireup.barrier()?,
        "nonsense" => {
            let socket = nemesis_sys::process::inherit(
                std::env::var("PMI_FD").expect("PMI_FD").parse().expect("a number"),
            )
            .expect("a socket");
            rustix::io::write(socket, b"\xff\xfe\n").expect("a launcher");
            wireup.barrier()?;
        }
        other => panic!("no such behaviour: {other}"),
    }
    wireup.finalize()
}

/// Writes a byte of this rank into its node's segment and publishes a card. Then checks the bytes
/// of all ranks of the node, and all cards.
fn meet(wireup: &mut Wireup) -> Result<(), WireupError> {
    let segment = wireup.segment()?;
    let (rank, size) = (wireup.rank(), wireup.size());
    rustix::io::pwrite(&segment.descriptor, &[rank as u8 + 1], u64::from(rank))
        .expect("the segment is writable");
    wireup.publish("post", format!("box {rank}").as_bytes());
    wireup.exchange()?;
    let directory = wireup.directory();
    wireup.put(&format!("card-{rank}"), &vec![rank as u8; 2000])?;
    wireup.barrier()?;
    for other in 0..size {
        let mut byte = [0];
        rustix::io::pread(&segment.descriptor, &mut byte, u64::from(other))
            .expect("the segment is readable");
        let is_here = wireup.node_of(other) == wireup.node_of(rank);
        assert_eq!(byte, [if is_here { other as u8 + 1 } else { 0 }]);
        assert_eq!(wireup.get(&format!("card-{other}"))?, vec![other as u8; 2000]);
        assert_eq!(directory.card_of(other, "post")?, Some(format!("box {other}").into_bytes()));
    }
    assert_eq!(wireup.local_ranks()[wireup.local_rank() as usize], rank);
    assert_eq!(segment.is_first, wireup.local_rank() == 0);
    assert!(!wireup.launcher_is_gone());
    println!(
        "rank {rank} of {size}, program {:?}, universe {:?}, launcher {}",
        wireup.appnum()?,
        wireup.universe_size()?,
        wireup.launcher()
    );
    Ok(())
}
