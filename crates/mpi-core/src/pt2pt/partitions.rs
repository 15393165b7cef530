//! Posting the receives of a partitioned message.

use super::PointToPoint;
use crate::abi;
use crate::communicators::Communicators;
use crate::context::Context;
use crate::envelope::Wanted;
use crate::error::{Error, Outcome};
use crate::handle;
use crate::matching::Pattern;
use crate::protocol::compare_signatures;
use crate::request::partitioned::{
    Pieces, Receiving, SETUP_WORDS, number_and_signature, overlapping, window,
};
use crate::request::{Activity, Completion, Role};
use crate::scratch::{get_words, scratch_bytes};
use nemesis_datatype::Buffer;

impl PointToPoint {
    /// Posts a receive for each partition of the sender, after the setup has arrived.
    pub(crate) fn post_partitions(&mut self, comms: &Communicators, operation: handle::Request) {
        match self.post_all(comms, operation) {
            Ok(()) => self.core.part_done(operation, Completion::EMPTY),
            Err(error) => {
                if let Ok(request) = self.request_mut(operation) {
                    request.completion.error.get_or_insert(error);
                }
                self.core.finish(operation);
            }
        }
    }

    fn post_all(&mut self, comms: &Communicators, operation: handle::Request) -> Outcome {
        let name = self.core.checked_name(operation);
        let request = self.request_mut(operation)?;
        let Activity::Compound(compound) = &mut request.activity else { return Ok(()) };
        let Role::Arrivals(arrivals) = &mut compound.role else { return Ok(()) };
        let Receiving { partitions, wanted, words, .. } = arrivals.template.clone();
        let [context, number, bytes]: [u64; SETUP_WORDS] = get_words(&words, 0);
        let (number, signature) = number_and_signature(number);
        let (number, capacity) = (number.max(1), partitions.buffer.bytes());
        if nemesis_mpi_check::is_on() {
            compare_signatures(
                Some(name),
                wanted.pattern.tag,
                bytes,
                signature,
                &partitions.buffer,
            );
        }
        let each = bytes as usize / number;
        let agrees = bytes == capacity as u64;
        request.completion = Completion {
            source: wanted.pattern.rank as i32,
            tag: wanted.pattern.tag,
            bytes: bytes.min(capacity as u64),
            cancelled: false,
            error: (!agrees).then(|| disagreement(bytes, capacity)),
        };
        let places: Vec<Option<Buffer>> = (0..number)
            .map(|index| {
                if agrees {
                    window(&partitions.buffer, index * each, each)
                } else {
                    Some(Buffer::empty())
                }
            })
            .collect();
        let aside = places
            .iter()
            .map(|place| if place.is_none() { scratch_bytes(each).map(Some) } else { Ok(None) });
        let aside: Vec<Option<Buffer>> = aside.collect::<Outcome<_>>()?;
        let missing = (0..partitions.number)
            .map(|ours| overlapping(ours, partitions.number, number).len() as u32)
            .collect();
        compound.remaining += number;
        arrivals.pieces = Some(Pieces { number, bytes: each, missing, aside: aside.clone() });
        for (index, place) in places.iter().enumerate() {
            let Some(place) = place.as_ref().or(aside[index].as_ref()) else { continue };
            let pattern =
                Pattern { context: Context(context), rank: wanted.pattern.rank, tag: index as i32 };
            match self.start_receive(comms, place, Wanted { pattern, ..wanted })? {
                Ok(part) => self.adopt(operation, part)?,
                Err(completion) => self.core.part_done(operation, completion),
            }
        }
        Ok(())
    }
}

#[cold]
fn disagreement(sent: u64, capacity: usize) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_TRUNCATE,
        format!("the sender's partitions have {sent} bytes in total, the receiver's {capacity}"),
    )
    .advise(
        "make partitions times count times the datatype's size equal at both ends; only the \
         numbers of partitions may differ",
    )
}
