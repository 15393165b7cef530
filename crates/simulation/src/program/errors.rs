//! Errors after which the program goes on, and receives that are cancelled.

use super::Member;
use crate::mpi;
use crate::mpi::*;
use crate::mpi_fails;
use std::ptr::null_mut;

/// Makes errors of several kinds on a communicator.
pub fn make(member: &Member, random: &mut fastrand::Rng) {
    let comm = member.comm;
    mpi!(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    let (from, to) = (random.usize(..member.size), random.usize(..member.size));
    let (sent, room) = (random.usize(2..30_000), random.usize(..2));
    let mut into = vec![0; sent];
    let (mut request, mut status) = (MPI_REQUEST_NULL, Status::default());
    let place = into.as_mut_ptr().cast();
    if member.rank == to {
        mpi!(MPI_Irecv(place, room as i32, MPI_INT, from as i32, 31, comm, &mut request));
    }
    if member.rank == from {
        let out = vec![5; sent];
        let out = out.as_ptr().cast();
        mpi!(MPI_Send(out, sent as i32, MPI_INT, to as i32, 31, comm));
    }
    if member.rank == to {
        mpi_fails!(MPI_ERR_TRUNCATE, MPI_Wait(&mut request, &mut status));
        assert!(into[room..].iter().all(|word| *word == 0), "nothing is written behind the buffer");
    }
    mpi_fails!(MPI_ERR_RANK, MPI_Send(place, 1, MPI_INT, member.size as i32, 0, comm));
    mpi_fails!(MPI_ERR_TAG, MPI_Recv(place, 1, MPI_INT, 0, -7, comm, &mut status));
    let own = member.rank as i32;
    for (source, tag) in [(MPI_ANY_SOURCE, 32), (own, 33)] {
        let (mut never, mut flag) = (MPI_REQUEST_NULL, 0);
        mpi!(MPI_Irecv(place, 1, MPI_INT, source, tag, comm, &mut never));
        mpi!(MPI_Cancel(&mut never));
        mpi!(MPI_Wait(&mut never, &mut status));
        mpi!(MPI_Test_cancelled(&status, &mut flag));
        assert_eq!(flag, 1, "a receive without a message is cancelled");
    }
    // The cancelled receive takes no message.
    let (word, into) = ((&raw const own).cast(), place);
    mpi!(MPI_Sendrecv(word, 1, MPI_INT, own, 33, into, 1, MPI_INT, own, 33, comm, null_mut()));
    mpi!(MPI_Recv(place, 1, MPI_INT, MPI_PROC_NULL, 1, comm, null_mut()));
}
