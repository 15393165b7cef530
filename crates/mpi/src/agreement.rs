//! Whether the processes of a job force equal algorithms of collective operations.
//!
//! Processes that choose differently would wait for each other. So each process that forces any
//! publishes a digest of its choices, and compares them with those of the next rank. If two
//! processes of the job differ, then so do two neighbours of which the first has choices. A job
//! without choices publishes and asks for nothing. Processes of one node do not exchange cards;
//! they compare when they make a collective segment.

use crate::abi;
use crate::coll::forced;
use crate::error::{Error, Outcome};
use nemesis::tunables::TUNING;
use nemesis_wireup::Wireup;

/// The name under which a process publishes the digest of its choices.
const CARD: &str = "choices";

/// Publishes what this process chooses, for [`compare`].
pub fn publish(wireup: &mut Wireup) {
    if forced::are_any() {
        wireup.publish(CARD, &forced::digest(None).to_le_bytes());
    }
}

/// Compares the choices of this process with those of the next rank, if it has any. If two
/// processes of the job differ, then so do two neighbours of which the first has choices.
pub fn compare(wireup: &Wireup) -> Outcome {
    if !forced::are_any() || wireup.local_size() == wireup.size() {
        return Ok(());
    }
    let next = (wireup.rank() + 1) % wireup.size();
    match wireup.directory().card_of(next, CARD) {
        Ok(Some(card)) if card == forced::digest(None).to_le_bytes() => Ok(()),
        Ok(_) => Err(Error::new(
            abi::MPI_ERR_OTHER,
            format!(
                "rank {} chooses other algorithms of collective operations than rank {next}, \
                 so the two would wait for each other",
                wireup.rank()
            ),
        )
        .advise(format!(
            "give all processes one value of {} and of the variables of operations, and all hosts \
             one file",
            TUNING.name
        ))),
        Err(error) => Err(Error::new(abi::MPI_ERR_OTHER, error.to_string())),
    }
}
