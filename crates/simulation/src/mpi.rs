//! The calls of MPI that programs of a simulation make: the functions of the standard ABI, linked
//! into this program.

#![allow(unsafe_code, non_snake_case, missing_docs)]
#![allow(clippy::too_many_arguments)]

use mpi_abi_linked as _;
pub use nemesis_mpi::abi::*;
pub use nemesis_mpi::handle::{
    Comm, Datatype, Errhandler, Group, Info, Message, Op, Request, Session, Win,
};
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
type Text = *const c_char;
type TextOut = *mut c_char;
type Function = *const c_void;
type Out<T> = *mut T;

functions! {
    MPI_Init(Out<Int>, Mut);
    MPI_Init_thread(Out<Int>, Mut, Int, Out<Int>);
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
    MPI_Allgatherv(Buf, Int, Type, Mut, Ints, Ints, Type, Comm);
    MPI_Alltoall(Buf, Int, Type, Mut, Int, Type, Comm);
    MPI_Ialltoall(Buf, Int, Type, Mut, Int, Type, Comm, Out<Request>);
    MPI_Reduce(Buf, Mut, Int, Type, Op, Int, Comm);
    MPI_Ireduce(Buf, Mut, Int, Type, Op, Int, Comm, Out<Request>);
    MPI_Allreduce(Buf, Mut, Int, Type, Op, Comm);
    MPI_Iallreduce(Buf, Mut, Int, Type, Op, Comm, Out<Request>);
    MPI_Allreduce_init(Buf, Mut, Int, Type, Op, Comm, Info, Out<Request>);
    MPI_Reduce_scatter_block(Buf, Mut, Int, Type, Op, Comm);
    MPI_Reduce_scatter(Buf, Mut, Ints, Type, Op, Comm);
    MPI_Ireduce_scatter_block(Buf, Mut, Int, Type, Op, Comm, Out<Request>);
    MPI_Op_create(Buf, Int, Out<Op>);
    MPI_Op_free(Out<Op>);
    MPI_Gatherv(Buf, Int, Type, Mut, Ints, Ints, Type, Int, Comm);
    MPI_Igatherv(Buf, Int, Type, Mut, Ints, Ints, Type, Int, Comm, Out<Request>);
    MPI_Scatterv(Buf, Ints, Ints, Type, Mut, Int, Type, Int, Comm);
    MPI_Iscatterv(Buf, Ints, Ints, Type, Mut, Int, Type, Int, Comm, Out<Request>);
    MPI_Iallgatherv(Buf, Int, Type, Mut, Ints, Ints, Type, Comm, Out<Request>);
    MPI_Alltoallv(Buf, Ints, Ints, Type, Mut, Ints, Ints, Type, Comm);
    MPI_Ialltoallv(Buf, Ints, Ints, Type, Mut, Ints, Ints, Type, Comm, Out<Request>);
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

// What the tests of the standard's clauses call besides, by its chapters.
functions! {
    // chapter 3
    MPI_Bsend(Buf, Int, Type, Int, Int, Comm);
    MPI_Ibsend(Buf, Int, Type, Int, Int, Comm, Out<Request>);
    MPI_Buffer_attach(Mut, Int);
    MPI_Buffer_detach(Mut, Out<Int>);
    MPI_Comm_attach_buffer(Comm, Mut, Int);
    MPI_Comm_detach_buffer(Comm, Mut, Out<Int>);
    MPI_Ssend_init(Buf, Int, Type, Int, Int, Comm, Out<Request>);
    MPI_Rsend_init(Buf, Int, Type, Int, Int, Comm, Out<Request>);
    MPI_Startall(Int, Out<Request>);
    MPI_Testall(Int, Out<Request>, Out<Int>, Out<Status>);
    MPI_Testsome(Int, Out<Request>, Out<Int>, Out<Int>, Out<Status>);
    MPI_Waitsome(Int, Out<Request>, Out<Int>, Out<Int>, Out<Status>);
    MPI_Request_get_status(Request, Out<Int>, Out<Status>);
    MPI_Improbe(Int, Int, Comm, Out<Int>, Out<Message>, Out<Status>);
    MPI_Imrecv(Mut, Int, Type, Out<Message>, Out<Request>);
    MPI_Sendrecv_replace(Mut, Int, Type, Int, Int, Int, Int, Comm, Out<Status>);
    MPI_Isendrecv(Buf, Int, Type, Int, Int, Mut, Int, Type, Int, Int, Comm, Out<Request>);
    MPI_Get_elements(*const Status, Type, Out<Int>);
    MPI_Status_set_elements(Out<Status>, Type, Int);
    MPI_Status_set_cancelled(Out<Status>, Int);

    // chapter 4
    MPI_Pready_range(Int, Int, Request);
    MPI_Pready_list(Int, Ints, Request);

    // chapter 5
    MPI_Type_contiguous(Int, Type, Out<Type>);
    MPI_Type_create_resized(Type, isize, isize, Out<Type>);
    MPI_Type_create_keyval(Function, Function, Out<Int>, Mut);
    MPI_Type_free_keyval(Out<Int>);
    MPI_Get_address(Buf, Out<isize>);

    // chapter 6
    MPI_Alltoallw(Buf, Ints, Ints, *const Type, Mut, Ints, Ints, *const Type, Comm);
    MPI_Reduce_local(Buf, Mut, Int, Type, Op);
    MPI_Op_commutative(Op, Out<Int>);
    MPI_Alltoall_init(Buf, Int, Type, Mut, Int, Type, Comm, Info, Out<Request>);

    // chapter 7
    MPI_Comm_compare(Comm, Comm, Out<Int>);
    MPI_Comm_create(Comm, Group, Out<Comm>);
    MPI_Comm_create_group(Comm, Group, Int, Out<Comm>);
    MPI_Comm_create_keyval(Function, Function, Out<Int>, Mut);
    MPI_Comm_free_keyval(Out<Int>);
    MPI_Comm_set_attr(Comm, Int, Mut);
    MPI_Comm_get_attr(Comm, Int, Mut, Out<Int>);
    MPI_Comm_delete_attr(Comm, Int);
    MPI_Comm_split_type(Comm, Int, Int, Info, Out<Comm>);
    MPI_Comm_set_name(Comm, Text);
    MPI_Comm_get_name(Comm, TextOut, Out<Int>);
    MPI_Comm_get_info(Comm, Out<Info>);
    MPI_Comm_test_inter(Comm, Out<Int>);
    MPI_Comm_remote_size(Comm, Out<Int>);
    MPI_Comm_remote_group(Comm, Out<Group>);
    MPI_Intercomm_create(Comm, Int, Comm, Int, Int, Out<Comm>);
    MPI_Intercomm_merge(Comm, Int, Out<Comm>);
    MPI_Group_size(Group, Out<Int>);
    MPI_Group_rank(Group, Out<Int>);
    MPI_Group_incl(Group, Int, Ints, Out<Group>);
    MPI_Group_excl(Group, Int, Ints, Out<Group>);
    MPI_Group_range_incl(Group, Int, *const [c_int; 3], Out<Group>);
    MPI_Group_range_excl(Group, Int, *const [c_int; 3], Out<Group>);
    MPI_Group_union(Group, Group, Out<Group>);
    MPI_Group_intersection(Group, Group, Out<Group>);
    MPI_Group_difference(Group, Group, Out<Group>);
    MPI_Group_compare(Group, Group, Out<Int>);
    MPI_Group_translate_ranks(Group, Int, Ints, Group, Out<Int>);
    MPI_Win_get_attr(Win, Int, Mut, Out<Int>);

    // chapter 8
    MPI_Cart_create(Comm, Int, Ints, Ints, Int, Out<Comm>);
    MPI_Cart_coords(Comm, Int, Int, Out<Int>);
    MPI_Cart_rank(Comm, Ints, Out<Int>);
    MPI_Cart_shift(Comm, Int, Int, Out<Int>, Out<Int>);
    MPI_Cart_sub(Comm, Ints, Out<Comm>);
    MPI_Cart_get(Comm, Int, Out<Int>, Out<Int>, Out<Int>);
    MPI_Cartdim_get(Comm, Out<Int>);
    MPI_Dims_create(Int, Int, Out<Int>);
    MPI_Topo_test(Comm, Out<Int>);
    MPI_Graph_create(Comm, Int, Ints, Ints, Int, Out<Comm>);
    MPI_Graph_neighbors(Comm, Int, Int, Out<Int>);
    MPI_Graph_neighbors_count(Comm, Int, Out<Int>);
    MPI_Dist_graph_create(Comm, Int, Ints, Ints, Ints, Ints, Info, Int, Out<Comm>);
    MPI_Dist_graph_create_adjacent(Comm, Int, Ints, Ints, Int, Ints, Ints, Info, Int, Out<Comm>);
    MPI_Dist_graph_neighbors(Comm, Int, Out<Int>, Out<Int>, Int, Out<Int>, Out<Int>);
    MPI_Dist_graph_neighbors_count(Comm, Out<Int>, Out<Int>, Out<Int>);
    MPI_Neighbor_allgather(Buf, Int, Type, Mut, Int, Type, Comm);
    MPI_Neighbor_alltoall(Buf, Int, Type, Mut, Int, Type, Comm);
    MPI_Neighbor_alltoallv(Buf, Ints, Ints, Type, Mut, Ints, Ints, Type, Comm);

    // chapter 9
    MPI_Comm_create_errhandler(Function, Out<Errhandler>);
    MPI_Comm_get_errhandler(Comm, Out<Errhandler>);
    MPI_Comm_call_errhandler(Comm, Int);
    MPI_Win_create_errhandler(Function, Out<Errhandler>);
    MPI_Errhandler_free(Out<Errhandler>);
    MPI_Add_error_class(Out<Int>);
    MPI_Add_error_code(Int, Out<Int>);
    MPI_Add_error_string(Int, Text);
    MPI_Remove_error_class(Int);
    MPI_Remove_error_code(Int);
    MPI_Remove_error_string(Int);

    // chapter 10
    MPI_Info_get_string(Info, Text, Out<Int>, TextOut, Out<Int>);
    MPI_Info_delete(Info, Text);
    MPI_Info_dup(Info, Out<Info>);
    MPI_Info_get_nthkey(Info, Int, TextOut);

    // chapter 11
    MPI_Initialized(Out<Int>);
    MPI_Finalized(Out<Int>);
    MPI_Session_init(Info, Errhandler, Out<Session>);
    MPI_Session_finalize(Out<Session>);
    MPI_Session_get_num_psets(Session, Info, Out<Int>);
    MPI_Session_get_nth_pset(Session, Info, Int, Out<Int>, TextOut);
    MPI_Session_get_pset_info(Session, Text, Out<Info>);
    MPI_Group_from_session_pset(Session, Text, Out<Group>);
    MPI_Comm_create_from_group(Group, Text, Info, Errhandler, Out<Comm>);

    // chapter 12
    MPI_Win_allocate_shared(isize, Int, Info, Comm, Mut, Out<Win>);
    MPI_Win_shared_query(Win, Int, Out<isize>, Out<Int>, Mut);
    MPI_Win_create_dynamic(Info, Comm, Out<Win>);
    MPI_Win_attach(Win, Mut, isize);
    MPI_Win_detach(Win, Buf);
    MPI_Win_get_group(Win, Out<Group>);
    MPI_Win_flush_all(Win);
    MPI_Win_flush_local(Int, Win);
    MPI_Win_test(Win, Out<Int>);
    MPI_Get_accumulate(Buf, Int, Type, Mut, Int, Type, Int, isize, Int, Type, Op, Win);
    MPI_Compare_and_swap(Buf, Buf, Mut, Type, Int, isize, Win);
    MPI_Rput(Buf, Int, Type, Int, isize, Int, Type, Win, Out<Request>);
    MPI_Rget(Mut, Int, Type, Int, isize, Int, Type, Win, Out<Request>);
    MPI_Raccumulate(Buf, Int, Type, Int, isize, Int, Type, Op, Win, Out<Request>);
    MPI_Rget_accumulate(
        Buf, Int, Type, Mut, Int, Type, Int, isize, Int, Type, Op, Win, Out<Request>,
    );

    // chapter 13
    MPI_Grequest_start(Function, Function, Function, Mut, Out<Request>);
    MPI_Grequest_complete(Request);

    // going on after failures
    MPIX_Comm_revoke(Comm);
    MPIX_Comm_agree(Comm, Out<Int>);
    MPIX_Comm_iagree(Comm, Out<Int>, Out<Request>);
    MPIX_Comm_shrink(Comm, Out<Comm>);
    MPIX_Comm_ishrink(Comm, Out<Comm>, Out<Request>);

    // chapter 15
    MPI_T_init_thread(Int, Out<Int>);
    MPI_T_finalize();
    MPI_T_cvar_get_num(Out<Int>);
    MPI_T_cvar_get_index(Text, Out<Int>);
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

/// Calls a function of MPI that must fail with an error of a class, and notes the call. A loss is
/// an error of its own.
#[macro_export]
macro_rules! mpi_fails {
    ($class:expr, $name:ident($($argument:expr),* $(,)?)) => {{
        $crate::job::note(|| stringify!($name).to_owned());
        // SAFETY: as in `mpi!`.
        #[allow(unsafe_code, clippy::macro_metavars_in_unsafe)]
        let code = unsafe { $crate::mpi::$name($($argument),*) };
        let (found, expected) = ($crate::mpi::class_of(code), $class.value());
        if found == $crate::mpi::MPI_ERR_PROC_ABORTED.value() {
            $crate::mpi::fail(stringify!($name), code);
        }
        assert_eq!(found, expected, "{}: {}", stringify!($name), $crate::mpi::error_text(code));
    }};
}
