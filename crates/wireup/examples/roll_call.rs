//! Prints for every rank what wire-up has found, under any launcher.

use nemesis_wireup::Wireup;

fn main() -> Result<(), nemesis_wireup::WireupError> {
    let mut wireup = Wireup::connect()?;
    let segment = wireup.segment()?;
    let rank = wireup.rank();
    wireup.put(&format!("greeting-{rank}"), format!("hello from {rank}").repeat(80).as_bytes())?;
    wireup.barrier()?;
    let right = (rank + 1) % wireup.size();
    let greeting = wireup.get(&format!("greeting-{right}"))?;
    println!(
        "rank {rank} of {}, local {} of {}, node {}, launcher {}, segment {} of {} GiB{}, \
         appnum {:?}, universe {:?}, {} bytes from the right",
        wireup.size(),
        wireup.local_rank(),
        wireup.local_size(),
        wireup.node_of(rank),
        wireup.launcher(),
        segment.backing,
        segment.bytes >> 30,
        if segment.is_first { " (first)" } else { "" },
        wireup.appnum()?,
        wireup.universe_size()?,
        greeting.len(),
    );
    wireup.finalize()
}
