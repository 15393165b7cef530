//! Partitioned communication (MPI 5.0 chapter 4): one message that several threads fill, and of
//! which each partition leaves when it is ready.
//!
//! ```text
//!   Psend_init   SETUP (context, partitions, bytes) ────>   matches Precv_init, in the order of
//!                                                           the calls
//!   Start                                                   Start posts a receive for every
//!                                                           partition of the sender
//!   Pready(j)    partition j, a message with tag j ─────>   Parrived(i): all partitions of the
//!                                                           sender that overlap i have arrived
//! ```
//!
//! The setup is a message of a traffic class of its own, so it matches no other receive. It names a
//! context that the sender has allocated for this pair alone. In this context a partition is an
//! ordinary message: it leaves when it is ready, eagerly or by rendezvous, independently of the
//! others. A partition that arrives before the receiver has started is an unexpected message. The
//! numbers of partitions may differ between the two ends; then a partition of the sender may begin
//! anywhere in the receiver's buffer. If it does not consist of whole elements, and the elements
//! have gaps, it is received into a staging buffer and unpacked from there.
//!
//! A start is one compound operation ([`Compound`]), whose parts are the partitions' sends or
//! receives.

use crate::abi;
use crate::context::{Class, Context};
use crate::engine::Mpi;
use crate::envelope::{Envelope, Mode, Wanted};
use crate::error::{Error, Outcome};
use crate::handle::{self, Handle};
use crate::matching::{ANY_RANK, ANY_TAG};
use crate::request::partitioned::{Arrivals, Receiving, SETUP_WORDS, Sending, setup_words};
use crate::request::{Activity, Completion, Compound, Holder, Request, Role, Template};
use crate::scratch::{put_words, scratch_bytes};
use nemesis_mpi_check::buffers::{self, Access};
use std::sync::Arc;

pub use crate::request::partitioned::Partitions;

/// `MPI_Psend_init`: sends the setup to the receiver, and does not wait.
pub fn send_init(
    mpi: &mut Mpi,
    comm: handle::Comm,
    partitions: Partitions,
    envelope: Option<Envelope>,
) -> Outcome<handle::Request> {
    let envelope = envelope.map(|envelope| set_up(mpi, &partitions, envelope)).transpose()?;
    mpi.pt2pt.new_request(Request::persistent(
        comm,
        Template::PartitionedSend(Sending { partitions: Arc::new(partitions), envelope }),
    ))
}

/// Sends the setup, and returns the envelope of partition 0.
fn set_up(mpi: &mut Mpi, partitions: &Partitions, mut envelope: Envelope) -> Outcome<Envelope> {
    let own = mpi.draw_context()?.class(Class::Partitioned);
    let words = scratch_bytes(8 * SETUP_WORDS)?;
    put_words(&words, &setup_words(own, partitions));
    envelope.header.context = Context(envelope.header.context).class(Class::Partitioned).0;
    if let Some(request) = mpi.pt2pt.start_send(&words, envelope, Mode::Standard)? {
        mpi.pt2pt.request_mut(request)?.holder = Holder::Nobody;
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
        return mpi
            .pt2pt
            .new_request(Request::persistent(comm, Template::Nothing(Completion::PROC_NULL)));
    };
    if wanted.pattern.rank == ANY_RANK {
        return Err(Error::new(
            abi::MPI_ERR_RANK,
            "a partitioned receive needs a source: MPI_ANY_SOURCE is not allowed",
        ));
    }
    if wanted.pattern.tag == ANY_TAG {
        return Err(Error::new(
            abi::MPI_ERR_TAG,
            "a partitioned receive needs a tag: MPI_ANY_TAG is not allowed",
        ));
    }
    wanted.pattern.context = wanted.pattern.context.class(Class::Partitioned);
    let words = scratch_bytes(8 * SETUP_WORDS)?;
    let setup = mpi.start_receive(&words, wanted)?.ok();
    mpi.pt2pt.new_request(Request::persistent(
        comm,
        Template::PartitionedReceive(Receiving {
            partitions: Arc::new(partitions),
            wanted,
            words,
            setup,
        }),
    ))
}

/// `MPI_Start` of a partitioned send: no partition is ready yet.
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
    mpi.pt2pt.new_request(operation)
}

/// `MPI_Start` of a partitioned receive: posts the receives of the partitions, now or when the
/// setup has arrived.
pub(crate) fn start_receive(
    mpi: &mut Mpi,
    comm: handle::Comm,
    mut template: Receiving,
) -> Outcome<handle::Request> {
    let setup = template.setup.take();
    let expected = template.wanted.from;
    let partitions = nemesis_mpi_check::is_on().then(|| template.partitions.clone());
    let arrivals = Arrivals { template, pieces: None };
    // One part represents the partitions that are not posted yet.
    let compound = Compound { remaining: 1, role: Role::Arrivals(arrivals) };
    let mut operation = Request::new(comm, Activity::Compound(Box::new(compound)));
    operation.expected = expected;
    let operation = mpi.pt2pt.new_request(operation)?;
    if let Some(partitions) = &partitions {
        let name = mpi.pt2pt.core.checked_name(operation);
        (0..partitions.number).for_each(|index| watch(name, partitions, index, Access::Write));
    }
    match setup {
        Some(mut setup) if mpi.pt2pt.is_complete(setup)? => {
            match mpi.pt2pt.collect(&mut setup)?.error {
                Some(error) => mpi.pt2pt.core.fail(operation, error),
                None => mpi.post_partitions(operation),
            }
        }
        Some(setup) => mpi.pt2pt.adopt_more(operation, setup)?,
        None => mpi.post_partitions(operation),
    }
    Ok(operation)
}

/// Watches the memory of a partition, for the development checks, which know the operation by
/// `name`.
#[cold]
fn watch(name: usize, partitions: &Partitions, index: usize, access: Access) {
    buffers::begin_partition(name, index, &partitions.part(index), access);
}

/// Returns the operation and the template of an active partitioned request. The operation is `None`
/// if it completed at once.
fn active(mpi: &Mpi, handle: handle::Request) -> Outcome<(Option<handle::Request>, &Template)> {
    let request = mpi.pt2pt.request(handle)?;
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
        "the request is not partitioned: it must come from MPI_Psend_init or MPI_Precv_init",
    )
}

#[cold]
fn no_partition(partition: i64, number: usize) -> Box<Error> {
    Error::new(
        abi::MPI_ERR_ARG,
        format!(
            "partition {partition} does not exist: the request has {number} (0 to {})",
            number - 1
        ),
    )
}

/// `MPI_Pready`, `MPI_Pready_range`, `MPI_Pready_list`: sends partitions. Has no effect if one of
/// them does not exist or is ready already.
pub fn ready(
    mpi: &mut Mpi,
    handle: handle::Request,
    which: impl Iterator<Item = i64> + Clone,
) -> Outcome {
    let (Some(operation), Template::PartitionedSend(sending)) = active(mpi, handle)? else {
        return Err(Error::new(
            abi::MPI_ERR_REQUEST,
            "the request does not send partitions: MPI_Psend_init did not create it",
        ));
    };
    let sending = sending.clone();
    mark(mpi, operation, sending.partitions.number, which.clone())?;
    for partition in which {
        if let Some((copies, from, to)) = sending.partitions.copied_part(partition as usize) {
            copies.fill_part(from, to)?;
        }
        let Some(mut envelope) = sending.envelope else {
            mpi.pt2pt.core.part_done(operation, Completion::EMPTY);
            continue;
        };
        let index = partition as usize;
        if nemesis_mpi_check::is_on() {
            let name = mpi.pt2pt.core.checked_name(operation);
            watch(name, &sending.partitions, index, Access::Read);
        }
        envelope.header.tag = partition as i32;
        match mpi.pt2pt.start_send(&sending.partitions.part(index), envelope, Mode::Standard) {
            Ok(Some(part)) => mpi.pt2pt.adopt(operation, part)?,
            Ok(None) => mpi.pt2pt.core.part_done(operation, Completion::EMPTY),
            // The call that completes the request tells.
            Err(error) => {
                let failed = Completion { error: Some(error), ..Completion::EMPTY };
                mpi.pt2pt.core.part_done(operation, failed);
            }
        }
    }
    Ok(())
}

/// Marks partitions as ready: all of them, or none if it fails.
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
    let request = mpi.pt2pt.request_mut(operation)?;
    let ready = match &mut request.activity {
        Activity::Compound(compound) => match &mut compound.role {
            Role::Partitions { ready } => Some(ready),
            _ => None,
        },
        _ => None,
    };
    // A completed operation had all its partitions ready.
    let mut done = vec![true; if ready.is_none() { number } else { 0 }];
    let ready = ready.unwrap_or(&mut done);
    for (place, partition) in which.clone().enumerate() {
        if std::mem::replace(&mut ready[partition as usize], true) {
            which.take(place).for_each(|partition| ready[partition as usize] = false);
            let why =
                format!("partition {partition} is already ready since the request was started");
            return Err(Error::new(abi::MPI_ERR_ARG, why)
                .advise("call MPI_Pready once for each partition after each start"));
        }
    }
    Ok(())
}

/// `MPI_Parrived`: returns whether a partition of a receive has arrived. Partitions of null and
/// inactive requests count as arrived.
pub fn arrived(mpi: &mut Mpi, handle: handle::Request, partition: i64) -> Outcome<bool> {
    if nemesis_mpi_check::is_on() {
        nemesis_mpi_check::accesses::learn();
    }
    if handle.is_null() {
        return Ok(true);
    }
    let Some(persistent) = &mpi.pt2pt.request(handle)?.persistent else {
        return Err(not_partitioned());
    };
    let (number, partitions) = match &persistent.template {
        Template::PartitionedReceive(receiving) => {
            let partitions = &receiving.partitions;
            (partitions.number, partitions.copies.is_some().then(|| partitions.clone()))
        }
        Template::Nothing(_) => return Ok(true),
        _ => {
            return Err(Error::new(
                abi::MPI_ERR_REQUEST,
                "the request does not receive partitions: MPI_Precv_init did not create it",
            ));
        }
    };
    let operation = persistent.operation.filter(|_| persistent.active);
    if !(0..number as i64).contains(&partition) {
        return Err(no_partition(partition, number));
    }
    let Some(operation) = operation else { return Ok(true) };
    if !has(mpi, operation, partition as usize)? {
        mpi.progress_of_test();
    }
    let has = has(mpi, operation, partition as usize)?;
    if has && nemesis_mpi_check::is_on() {
        buffers::end_partition(mpi.pt2pt.core.checked_name(operation), partition as usize);
    }
    if has
        && let Some(partitions) = partitions
        && let Some((copies, from, to)) = partitions.copied_part(partition as usize)
    {
        copies.return_part(from, to)?;
    }
    Ok(has)
}

fn has(mpi: &Mpi, operation: handle::Request, partition: usize) -> Outcome<bool> {
    Ok(match &mpi.pt2pt.request(operation)?.activity {
        Activity::Compound(compound) => {
            matches!(&compound.role, Role::Arrivals(arrivals) if arrivals.has(partition))
        }
        _ => true,
    })
}

/// Gives up the setup of an inactive receive that is freed. If the setup has not arrived yet, its
/// receive stays posted, so that it still matches the corresponding sender.
pub(crate) fn forget(mpi: &mut Mpi, setup: Option<handle::Request>) {
    if let Some(setup) = setup
        && let Ok(request) = mpi.pt2pt.request_mut(setup)
    {
        request.holder = Holder::Nobody;
        if request.is_done() {
            mpi.pt2pt.core.finish(setup);
        }
    }
}
