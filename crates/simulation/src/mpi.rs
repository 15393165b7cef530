//! The calls of MPI that programs of a simulation make: the functions of the standard ABI, linked
//! into this program.

#![allow(unsafe_code, non_snake_case, missing_docs)]
#![allow(clippy::too_many_arguments)]

use mpi_abi_linked as _;
pub use nemesis_mpi::abi::*;
pub use nemesis_mpi::handle::{Comm, Datatype, Errhandler, Group, Info, Message, Op, Request, Win};
use std::ffi::{c_char, c_int, c_void};

/// `MPI_Status` of the standard ABI.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Status {
    pub source: c_int,
    pub tag: c_int,
    pub error: c_int,
    internal: [c_int; 5],
}

macro_rules! functions {
    ($($name:ident($($type:ty),* $(,)?);)*) => {
        unsafe extern "C" {
            $(pub fn $name($(_: $type),*) -> c_int;)*
        }
    };
}

type Buf = *const c_void;
type Mut = *mut c_void;
type Int = c_int;
type Type = Datatype;
type Ints = *const c_int;
type Out<T> = *mut T;

functions! {
    MPI_Init(Out<Int>, Mut);
    MPI_Finalize();
    MPI_Comm_set_errhandler(Comm, Errhandler);
    MPI_Error_class(Int, Out<Int>);
    MPI_Error_string(Int, *mut c_char, Out<Int>);
    MPI_Comm_rank(Comm, Out<Int>);
    MPI_Comm_size(Comm, Out<Int>);
    MPI_Comm_dup(Comm, Out<Comm>);
    MPI_Comm_idup(Comm, Out<Comm>, Out<Request>);
    MPI_Comm_dup_with_info(Comm, Info, Out<Comm>);
    MPI_Info_create(Out<Info>);
    MPI_Info_set(Info, *const c_char, *const c_char);
    MPI_Info_free(Out<Info>);
    MPI_Comm_split(Comm, Int, Int, Out<Comm>);
    MPI_Comm_free(Out<Comm>);
    MPI_Send(Buf, Int, Type, Int, Int, Comm);
    MPI_Ssend(Buf, Int, Type, Int, Int, Comm);
    MPI_Recv(Mut, Int, Type, Int, Int, Comm, Out<Status>);
    MPI_Isend(Buf, Int, Type, Int, Int, Comm, Out<Request>);
    MPI_Issend(Buf, Int, Type, Int, Int, Comm, Out<Request>);
    MPI_Irecv(Mut, Int, Type, Int, Int, Comm, Out<Request>);
    MPI_Send_init(Buf, Int, Type, Int, Int, Comm, Out<Request>);
    MPI_Recv_init(Mut, Int, Type, Int, Int, Comm, Out<Request>);
    MPI_Start(Out<Request>);
    MPI_Request_free(Out<Request>);
    MPI_Cancel(Out<Request>);
    MPI_Test_cancelled(*const Status, Out<Int>);
    MPI_Wait(Out<Request>, Out<Status>);
    MPI_Test(Out<Request>, Out<Int>, Out<Status>);
    MPI_Waitall(Int, Out<Request>, Out<Status>);
    MPI_Waitany(Int, Out<Request>, Out<Int>, Out<Status>);
    MPI_Testany(Int, Out<Request>, Out<Int>, Out<Int>, Out<Status>);
    MPI_Probe(Int, Int, Comm, Out<Status>);
    MPI_Iprobe(Int, Int, Comm, Out<Int>, Out<Status>);
    MPI_Mprobe(Int, Int, Comm, Out<Message>, Out<Status>);
    MPI_Mrecv(Mut, Int, Type, Out<Message>, Out<Status>);
    MPI_Get_count(*const Status, Type, Out<Int>);
    MPI_Sendrecv(Buf, Int, Type, Int, Int, Mut, Int, Type, Int, Int, Comm, Out<Status>);
    MPI_Psend_init(Buf, Int, i64, Type, Int, Int, Comm, Info, Out<Request>);
    MPI_Precv_init(Mut, Int, i64, Type, Int, Int, Comm, Info, Out<Request>);
    MPI_Pready(Int, Request);
    MPI_Parrived(Request, Int, Out<Int>);
    MPI_Type_vector(Int, Int, Int, Type, Out<Type>);
    MPI_Type_create_indexed_block(Int, Int, Ints, Type, Out<Type>);
    MPI_Type_commit(Out<Type>);
    MPI_Type_free(Out<Type>);
    MPI_Barrier(Comm);
    MPI_Ibarrier(Comm, Out<Request>);
    MPI_Bcast(Mut, Int, Type, Int, Comm);
    MPI_Ibcast(Mut, Int, Type, Int, Comm, Out<Request>);
    MPI_Bcast_init(Mut, Int, Type, Int, Comm, Info, Out<Request>);
    MPI_Gather(Buf, Int, Type, Mut, Int, Type, Int, Comm);
    MPI_Igather(Buf, Int, Type, Mut, Int, Type, Int, Comm, Out<Request>);
    MPI_Scatter(Buf, Int, Type, Mut, Int, Type, Int, Comm);
    MPI_Iscatter(Buf, Int, Type, Mut, Int, Type, Int, Comm, Out<Request>);
    MPI_Allgather(Buf, Int, Type, Mut, Int, Type, Comm);
    MPI_Iallgather(Buf, Int, Type, Mut, Int, Type, Comm, Out<Request>);
    MPI_Alltoall(Buf, Int, Type, Mut, Int, Type, Comm);
    MPI_Ialltoall(Buf, Int, Type, Mut, Int, Type, Comm, Out<Request>);
    MPI_Reduce(Buf, Mut, Int, Type, Op, Int, Comm);
    MPI_Ireduce(Buf, Mut, Int, Type, Op, Int, Comm, Out<Request>);
    MPI_Allreduce(Buf, Mut, Int, Type, Op, Comm);
    MPI_Iallreduce(Buf, Mut, Int, Type, Op, Comm, Out<Request>);
    MPI_Allreduce_init(Buf, Mut, Int, Type, Op, Comm, Info, Out<Request>);
    MPI_Reduce_scatter_block(Buf, Mut, Int, Type, Op, Comm);
    MPI_Ireduce_scatter_block(Buf, Mut, Int, Type, Op, Comm, Out<Request>);
    MPI_Op_create(Buf, Int, Out<Op>);
    MPI_Op_free(Out<Op>);
    MPI_Gatherv(Buf, Int, Type, Mut, Ints, Ints, Type, Int, Comm);
    MPI_Igatherv(Buf, Int, Type, Mut, Ints, Ints, Type, Int, Comm, Out<Request>);
    MPI_Scatterv(Buf, Ints, Ints, Type, Mut, Int, Type, Int, Comm);
    MPI_Iscatterv(Buf, Ints, Ints, Type, Mut, Int, Type, Int, Comm, Out<Request>);
    MPI_Allgatherv(Buf, Int, Type, Mut, Ints, Ints, Type, Comm);
    MPI_Iallgatherv(Buf, Int, Type, Mut, Ints, Ints, Type, Comm, Out<Request>);
    MPI_Alltoallv(Buf, Ints, Ints, Type, Mut, Ints, Ints, Type, Comm);
    MPI_Ialltoallv(Buf, Ints, Ints, Type, Mut, Ints, Ints, Type, Comm, Out<Request>);
    MPI_Reduce_scatter(Buf, Mut, Ints, Type, Op, Comm);
    MPI_Ireduce_scatter(Buf, Mut, Ints, Type, Op, Comm, Out<Request>);
    MPI_Scan(Buf, Mut, Int, Type, Op, Comm);
    MPI_Iscan(Buf, Mut, Int, Type, Op, Comm, Out<Request>);
    MPI_Exscan(Buf, Mut, Int, Type, Op, Comm);
    MPI_Iexscan(Buf, Mut, Int, Type, Op, Comm, Out<Request>);
    MPI_Win_create(Mut, isize, Int, Info, Comm, Out<Win>);
    MPI_Win_allocate(isize, Int, Info, Comm, Mut, Out<Win>);
    MPI_Win_set_errhandler(Win, Errhandler);
    MPI_Win_free(Out<Win>);
    MPI_Win_fence(Int, Win);
    MPI_Win_lock(Int, Int, Int, Win);
    MPI_Win_unlock(Int, Win);
    MPI_Win_lock_all(Int, Win);
    MPI_Win_unlock_all(Win);
    MPI_Win_flush(Int, Win);
    MPI_Win_post(Group, Int, Win);
    MPI_Win_start(Group, Int, Win);
    MPI_Win_complete(Win);
    MPI_Win_wait(Win);
    MPI_Put(Buf, Int, Type, Int, isize, Int, Type, Win);
    MPI_Get(Mut, Int, Type, Int, isize, Int, Type, Win);
    MPI_Accumulate(Buf, Int, Type, Int, isize, Int, Type, Op, Win);
    MPI_Fetch_and_op(Buf, Mut, Type, Int, isize, Op, Win);
    MPI_Comm_group(Comm, Out<Group>);
    MPI_Group_free(Out<Group>);
}

/// Returns the text of an error code.
pub fn error_text(code: c_int) -> String {
    let mut text = [0_u8; MPI_MAX_ERROR_STRING as usize];
    let mut length = 0;
    // SAFETY: the buffer has the length that the standard asks for.
    unsafe { MPI_Error_string(code, text.as_mut_ptr().cast(), &mut length) };
    String::from_utf8_lossy(&text[..length as usize]).into_owned()
}

/// Returns the class of an error code.
pub fn class_of(code: c_int) -> c_int {
    let mut class = 0;
    // SAFETY: the argument is a variable.
    unsafe { MPI_Error_class(code, &mut class) };
    class
}

/// Panics with the error of a call that has failed.
#[cold]
pub fn fail(name: &str, code: c_int) -> ! {
    let text = format!("{name}: {}", error_text(code));
    std::panic::panic_any(crate::job::CallFailed { class: class_of(code), text })
}

/// Calls a function of MPI, notes the call for the report of the run, and panics if it fails.
#[macro_export]
macro_rules! mpi {
    ($name:ident($($argument:expr),* $(,)?)) => {{
        $crate::job::note(|| stringify!($name).to_owned());
        // SAFETY: the program hands over memory that lives until the operation is complete.
        #[allow(unsafe_code, clippy::macro_metavars_in_unsafe)]
        let code = unsafe { $crate::mpi::$name($($argument),*) };
        if code != 0 {
            $crate::mpi::fail(stringify!($name), code);
        }
    }};
}
