//! Partitioned communication (MPI 5.0 chapter 4): one message that many hands fill, and that leaves piece by piece.
//!
//! ```text
//!   Psend_init   SETUP (the pair's own context, partitions, bytes) ──────>   meets Precv_init, in the order of the calls
//!   Start                                                                    Start posts a receive for every partition of the sender's
//!   Pready(j)    partition j, an ordinary message with tag j ──────>         Parrived(i): all sender's partitions that overlap i are here
//! ```
//!
//! The setup is a message of its own class of traffic, so that it meets no other receive. It names a context that the sender has drawn for
//! this pair alone, in which a partition travels as any message does: at once when it is ready, eagerly or by rendezvous, whatever the others
//! do. A partition that comes before the receiver has started is an unexpected message like others. The number of partitions may
//! differ between the two ends; then a partition of the sender's begins anywhere in the receiver's buffer. Where that is not the beginning of an
//! element and the elements have holes, it is received aside and unpacked from there.
//!
//! A start is one compound operation ([`Compound`]), whose parts are the partitions' sends or receives.

use crate::abi;
use crate::coll::{get_words, put_words, scratch_bytes};
use crate::compound::{Compound, Role};
use crate::context::{Class, Context};
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::handle::{self, Handle};
use crate::matching::{ANY_RANK, ANY_TAG, Pattern};
use crate::persistent;
use crate::receive::Wanted;
use crate::request::{Activity, Completion, Holder, Request, Template};
use crate::send::{Envelope, Mode};
use nemesis_datatype::Buffer;
use std::ops::Range;
use std::sync::Arc;

/// All partitions of one end.
#[derive(Debug)]
pub struct Partitions {
    pub buffer: Buffer,
    pub number: usize,
    /// Elements of each.
    pub each: usize,
}

/// A sender's template.
#[derive(Clone, Debug)]
pub struct Sending {
    partitions: Arc<Partitions>,
    /// Of partition 0; `None` for `MPI_PROC_NULL`.
    envelope: Option<Envelope>,
}

/// A receiver's template.
#[derive(Clone, Debug)]
pub struct Receiving {
    partitions: Arc<Partitions>,
    /// The setup's envelope.
    wanted: Wanted,
    /// The setup: the pair's context, the sender's partitions, bytes in all.
    words: Buffer,
    /// The receive of the setup, until it is known to be complete.
    setup: Option<handle::Request>,
}

const SETUP_WORDS: usize = 3;

impl Receiving {
    /// The receive of the setup, if nothing has been started yet.
    pub(crate) fn setup(&self) -> Option<handle::Request> {
        self.setup
    }

    /// The first start has taken the setup over.
    pub(crate) fn has_started(&mut self) {
        self.setup = None;
    }
}

/// What a start of a receive waits for.
#[derive(Debug)]
pub struct Arrivals {
    template: Receiving,
    /// Known when the setup is here.
    pieces: Option<Pieces>,
}

/// The sender's partitions, as they come in.
#[derive(Debug)]
struct Pieces {
    number: usize,
    /// Bytes of each.
    bytes: usize,
    /// For each of our partitions, how many of the sender's are not here.
    missing: Vec<u32>,
    /// Where those are received that have no place of their own in the buffer.
    aside: Vec<Option<Buffer>>,
}

/// Those of `theirs` partitions of a message that share bytes with number `index` of `ours`.
fn overlapping(index: usize, ours: usize, theirs: usize) -> Range<usize> {
    let first = index * theirs / ours;
    let end = ((index + 1) * theirs).div_ceil(ours);
    first..end
}

/// Bytes `from .. from + length` of a message's packed stream as a buffer of its own, if they are whole elements or elements have no holes.
fn window(buffer: &Buffer, from: usize, length: usize) -> Option<Buffer> {
    if length == 0 {
        return Some(Buffer::empty());
    }
    if let Some(flat) = buffer.flattened() {
        return Some(flat.part(from, length));
    }
    let element = buffer.bytes() / buffer.count().max(1);
    (from.is_multiple_of(element) && length.is_multiple_of(element))
        .then(|| buffer.part(from / element, length / element))
}

impl Arrivals {
    /// Takes note of a part that is done; true when it was the setup.
    pub fn note(&mut self, part: &Completion) -> bool {
        let Some(pieces) = &mut self.pieces else { return true };
        let index = part.tag as usize;
        if let Some(aside) = pieces.aside.get_mut(index).and_then(Option::take)
            && let Some(bytes) = aside.as_bytes()
        {
            self.template.partitions.buffer.unpack_at(index * pieces.bytes, bytes);
        }
        for ours in overlapping(index, pieces.number, pieces.missing.len()) {
            pieces.missing[ours] -= 1;
        }
        false
    }

    fn has(&self, partition: usize) -> bool {
        self.pieces.as_ref().is_some_and(|pieces| pieces.missing[partition] == 0)
    }
}

/// `MPI_Psend_init`: tells the receiver of the pair, and waits for nothing.
pub fn send_init(
    mpi: &mut Mpi,
    comm: handle::Comm,
    partitions: Partitions,
    envelope: Option<Envelope>,
) -> Outcome<handle::Request> {
    let envelope = envelope.map(|envelope| set_up(mpi, &partitions, envelope)).transpose()?;
    persistent::init(
        mpi,
        comm,
        Template::PartitionedSend(Sending { partitions: Arc::new(partitions), envelope }),
    )
}

/// Sends the setup; the envelope of partition 0.
fn set_up(mpi: &mut Mpi, partitions: &Partitions, mut envelope: Envelope) -> Outcome<Envelope> {
    let own = mpi.draw_context()?.class(Class::Partitioned);
    let words = scratch_bytes(8 * SETUP_WORDS)?;
    put_words(&words, &[own.0, partitions.number as u64, partitions.buffer.bytes() as u64]);
    envelope.header.context = Context(envelope.header.context).class(Class::Partitioned).0;
    if let Some(request) = mpi.start_send(&words, envelope, Mode::Standard)? {
        mpi.request_mut(request)?.holder = Holder::Nobody;
    }
    envelope.header.context = own.0;
    envelope.header.tag = 0;
    Ok(envelope)
}

/// `MPI_Precv_init`
pub fn receive_init(
    mpi: &mut Mpi,
    comm: handle::Comm,
    partitions: Partitions,
    wanted: Option<Wanted>,
) -> Outcome<handle::Request> {
    let Some(mut wanted) = wanted else {
        return persistent::init(mpi, comm, Template::Nothing(Completion::PROC_NULL));
    };
    if wanted.pattern.rank == ANY_RANK {
        return Err(Error::new(
            abi::MPI_ERR_RANK,
            "partitioned communication names its source: MPI_ANY_SOURCE is none",
        ));
    }
    if wanted.pattern.tag == ANY_TAG {
        return Err(Error::new(
            abi::MPI_ERR_TAG,
            "partitioned communication names its tag: MPI_ANY_TAG is none",
        ));
    }
    wanted.pattern.context = wanted.pattern.context.class(Class::Partitioned);
    let words = scratch_bytes(8 * SETUP_WORDS)?;
    let setup = mpi.start_receive(&words, wanted)?.ok();
    persistent::init(
        mpi,
        comm,
        Template::PartitionedReceive(Receiving {
            partitions: Arc::new(partitions),
            wanted,
            words,
            setup,
        }),
    )
}

/// `MPI_Start` of a sender: every partition is yet to be made ready.
pub(crate) fn start_send(
    mpi: &mut Mpi,
    comm: handle::Comm,
    sending: &Sending,
) -> Outcome<handle::Request> {
    let number = sending.partitions.number;
    let compound =
        Compound { remaining: number, role: Role::Partitions { ready: vec![false; number] } };
    let mut operation = Request::new(comm, Activity::Compound(Box::new(compound)));
    operation.expected = sending.envelope.map(|envelope| envelope.to);
    mpi.new_request(operation)
}

/// `MPI_Start` of a receiver: posts the partitions, or waits for the setup to say which there are.
pub(crate) fn start_receive(
    mpi: &mut Mpi,
    comm: handle::Comm,
    mut template: Receiving,
) -> Outcome<handle::Request> {
    let setup = template.setup.take();
    let expected = template.wanted.from;
    let arrivals = Arrivals { template, pieces: None };
    // One part stands for the partitions that are not posted yet.
    let compound = Compound { remaining: 1, role: Role::Arrivals(arrivals) };
    let mut operation = Request::new(comm, Activity::Compound(Box::new(compound)));
    operation.expected = expected;
    let operation = mpi.new_request(operation)?;
    match setup {
        Some(mut setup) if mpi.is_complete(setup)? => {
            mpi.collect(&mut setup)?;
            post(mpi, operation);
        }
        Some(setup) => mpi.adopt_more(operation, setup)?,
        None => post(mpi, operation),
    }
    Ok(operation)
}

/// Posts a receive for each of the sender's partitions, now that the setup is here.
pub(crate) fn post(engine: &mut Engine, operation: handle::Request) {
    match post_all(engine, operation) {
        Ok(()) => engine.core.part_done(operation, Completion::EMPTY),
        Err(error) => {
            if let Ok(request) = engine.request_mut(operation) {
                request.completion.error.get_or_insert(error);
            }
            engine.core.finish(operation);
        }
    }
}

fn post_all(engine: &mut Engine, operation: handle::Request) -> Outcome {
    let request = engine.request_mut(operation)?;
    let Activity::Compound(compound) = &mut request.activity else { return Ok(()) };
    let Role::Arrivals(arrivals) = &mut compound.role else { return Ok(()) };
    let Receiving { partitions, wanted, words, .. } = arrivals.template.clone();
    let [context, number, bytes]: [u64; SETUP_WORDS] = get_words(&words, 0);
    let (number, room) = ((number as usize).max(1), partitions.buffer.bytes());
    let each = bytes as usize / number;
    let agrees = bytes == room as u64;
    request.completion = Completion {
        source: wanted.pattern.rank as i32,
        tag: wanted.pattern.tag,
        bytes: bytes.min(room as u64),
        cancelled: false,
        error: (!agrees).then(|| disagreement(bytes, room)),
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
        match engine.start_receive(place, Wanted { pattern, ..wanted })? {
            Ok(part) => engine.adopt(operation, part)?,
            Err(completion) => engine.core.part_done(operation, completion),
        }
    }
    Ok(())
}

#[cold]
fn disagreement(sent: u64, room: usize) -> Box<Error> {
    Error::new(abi::MPI_ERR_TRUNCATE, format!("the sender's partitions have {sent} bytes in all, the receiver's {room}"))
        .advise("let partitions times count times the datatype's size agree at both ends; the numbers of partitions may differ")
}

/// The operation of an active partitioned request and its template; the operation is `None` if it completed at once.
fn active(mpi: &Mpi, handle: handle::Request) -> Outcome<(Option<handle::Request>, &Template)> {
    let request = mpi.request(handle)?;
    let Some(persistent) = &request.persistent else { return Err(not_partitioned()) };
    if !persistent.active {
        return Err(Error::new(abi::MPI_ERR_REQUEST, "the partitioned request is not active")
            .advise("call MPI_Start before MPI_Pready"));
    }
    Ok((persistent.operation, &persistent.template))
}

#[cold]
fn not_partitioned() -> Box<Error> {
    Error::new(
        abi::MPI_ERR_REQUEST,
        "the request is no partitioned one: it must come from MPI_Psend_init or MPI_Precv_init",
    )
}

#[cold]
fn no_partition(partition: i64, number: usize) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_ARG,
        format!("partition {partition} is none of the request's {number} (0 to {})", number - 1),
    )
}

/// `MPI_Pready`, `MPI_Pready_range`, `MPI_Pready_list`: the partitions leave. Nothing happens if one of them is not there or ready already.
pub fn ready(
    mpi: &mut Mpi,
    handle: handle::Request,
    which: impl Iterator<Item = i64> + Clone,
) -> Outcome {
    let (Some(operation), Template::PartitionedSend(sending)) = active(mpi, handle)? else {
        return Err(Error::new(
            abi::MPI_ERR_REQUEST,
            "the request does not send partitions: MPI_Psend_init has not made it",
        ));
    };
    let sending = sending.clone();
    mark(mpi, operation, sending.partitions.number, which.clone())?;
    for partition in which {
        let Some(mut envelope) = sending.envelope else {
            mpi.core.part_done(operation, Completion::EMPTY);
            continue;
        };
        let each = sending.partitions.each;
        envelope.header.tag = partition as i32;
        match mpi.start_send(
            &sending.partitions.buffer.part(partition as usize * each, each),
            envelope,
            Mode::Standard,
        )? {
            Some(part) => mpi.adopt(operation, part)?,
            None => mpi.core.part_done(operation, Completion::EMPTY),
        }
    }
    Ok(())
}

/// Marks partitions as ready, all or none of them.
fn mark(
    mpi: &mut Mpi,
    operation: handle::Request,
    number: usize,
    which: impl Iterator<Item = i64> + Clone,
) -> Outcome {
    if let Some(partition) = which.clone().find(|partition| !(0..number as i64).contains(partition))
    {
        return Err(no_partition(partition, number));
    }
    let request = mpi.request_mut(operation)?;
    let ready = match &mut request.activity {
        Activity::Compound(compound) => match &mut compound.role {
            Role::Partitions { ready } => Some(ready),
            _ => None,
        },
        _ => None,
    };
    // An operation that is done had all its partitions ready.
    let mut done = vec![true; if ready.is_none() { number } else { 0 }];
    let ready = ready.unwrap_or(&mut done);
    for (place, partition) in which.clone().enumerate() {
        if std::mem::replace(&mut ready[partition as usize], true) {
            which.take(place).for_each(|partition| ready[partition as usize] = false);
            let why =
                format!("partition {partition} has been made ready since the request was started");
            return Err(Error::new(abi::MPI_ERR_ARG, why)
                .advise("call MPI_Pready once for each partition and start"));
        }
    }
    Ok(())
}

/// `MPI_Parrived`: whether a partition of the receiver's is in its place. So are those of null and inactive requests.
pub fn arrived(mpi: &mut Mpi, handle: handle::Request, partition: i64) -> Outcome<bool> {
    if handle.is_null() {
        return Ok(true);
    }
    let Some(persistent) = &mpi.request(handle)?.persistent else { return Err(not_partitioned()) };
    let number = match &persistent.template {
        Template::PartitionedReceive(receiving) => receiving.partitions.number,
        Template::Nothing(_) => return Ok(true),
        _ => {
            return Err(Error::new(
                abi::MPI_ERR_REQUEST,
                "the request does not receive partitions: MPI_Precv_init has not made it",
            ));
        }
    };
    let operation = persistent.operation.filter(|_| persistent.active);
    if !(0..number as i64).contains(&partition) {
        return Err(no_partition(partition, number));
    }
    let Some(operation) = operation else { return Ok(true) };
    if !has(mpi, operation, partition as usize)? {
        mpi.progress();
    }
    has(mpi, operation, partition as usize)
}

fn has(mpi: &Mpi, operation: handle::Request, partition: usize) -> Outcome<bool> {
    Ok(match &mpi.request(operation)?.activity {
        Activity::Compound(compound) => {
            matches!(&compound.role, Role::Arrivals(arrivals) if arrivals.has(partition))
        }
        _ => true,
    })
}

/// An inactive receiver is freed: its setup, if it has not come, still takes the sender's that it stands for.
pub(crate) fn forget(mpi: &mut Mpi, setup: Option<handle::Request>) {
    if let Some(setup) = setup
        && let Ok(request) = mpi.request_mut(setup)
    {
        request.holder = Holder::Nobody;
        if request.is_done() {
            mpi.core.finish(setup);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_overlap_where_they_share_bytes() {
        assert_eq!(overlapping(0, 1, 5), 0..5);
        assert_eq!(overlapping(3, 5, 1), 0..1);
        assert_eq!(overlapping(0, 2, 3), 0..2);
        assert_eq!(overlapping(1, 2, 3), 1..3);
        assert_eq!(overlapping(1, 3, 2), 0..2);
        for (ours, theirs) in [(1, 1), (4, 6), (7, 3), (12, 12), (5, 100)] {
            for index in 0..ours {
                let shares = |other: &usize| {
                    other * ours < (index + 1) * theirs && (other + 1) * ours > index * theirs
                };
                let expected: Vec<usize> = (0..theirs).filter(shares).collect();
                assert_eq!(overlapping(index, ours, theirs).collect::<Vec<_>>(), expected);
            }
        }
    }

    #[test]
    fn both_ends_count_the_same_overlaps() {
        for (ours, theirs) in [(4, 6), (7, 3), (9, 9)] {
            let seen_here: usize =
                (0..ours).map(|index| overlapping(index, ours, theirs).len()).sum();
            let seen_there: usize =
                (0..theirs).map(|index| overlapping(index, theirs, ours).len()).sum();
            assert_eq!(seen_here, seen_there);
        }
    }
}
