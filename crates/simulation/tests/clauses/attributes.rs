//! Attributes: what is copied and deleted, when, and in which order (MPI 5.0 §7.7).

use crate::vocabulary::*;
use std::ffi::{c_int, c_void};

/// What the functions of a key are told and note: they copy values plus one, and write down values
/// that are deleted.
#[derive(Default)]
struct Journal {
    copies: Vec<usize>,
    deletions: Vec<usize>,
    /// Whether copies are made.
    copy: bool,
    /// What a deletion or a copy returns.
    code: c_int,
}

extern "C" fn copy(
    _: Comm,
    _: c_int,
    extra: *mut c_void,
    value: *mut c_void,
    new: *mut c_void,
    flag: *mut c_int,
) -> c_int {
    // SAFETY: the keys of these tests have a `Journal` for their extra state.
    let journal = unsafe { &mut *extra.cast::<Journal>() };
    journal.copies.push(value.addr());
    // SAFETY: the library hands over variables of its own.
    unsafe { *new.cast::<usize>() = value.addr() + 1 };
    // SAFETY: as above.
    unsafe { *flag = c_int::from(journal.copy) };
    journal.code
}

extern "C" fn delete(_: Comm, _: c_int, value: *mut c_void, extra: *mut c_void) -> c_int {
    // SAFETY: as in `copy`.
    let journal = unsafe { &mut *extra.cast::<Journal>() };
    journal.deletions.push(value.addr());
    journal.code
}

fn key(journal: &mut Journal) -> c_int {
    let mut key = MPI_KEYVAL_INVALID;
    let extra = (&raw mut *journal).cast();
    mpi!(MPI_Comm_create_keyval(callback!(copy), callback!(delete), &mut key, extra));
    key
}

fn set(comm: Comm, key: c_int, value: usize) {
    mpi!(MPI_Comm_set_attr(comm, key, std::ptr::without_provenance_mut(value)));
}

fn get(comm: Comm, key: c_int) -> Option<usize> {
    let (mut value, mut flag) = (0_usize, 7);
    mpi!(MPI_Comm_get_attr(comm, key, (&raw mut value).cast(), &mut flag));
    (flag != 0).then_some(value)
}

#[test]
fn an_attribute_is_copied_with_the_communicator_if_its_function_says_so() {
    on(2, |_| {
        let (mut yes, mut no) = (Journal { copy: true, ..Journal::default() }, Journal::default());
        let (mut copied, mut kept) = (key(&mut yes), key(&mut no));
        set(WORLD, copied, 10);
        set(WORLD, kept, 20);
        let twin = WORLD.dup();
        assert_eq!((get(twin, copied), get(twin, kept)), (Some(11), None));
        assert_eq!((get(WORLD, copied), get(WORLD, kept)), (Some(10), Some(20)));
        assert_eq!((&yes.copies[..], &no.copies[..]), (&[10][..], &[20][..]));
        let part = WORLD.split(0, 0);
        assert_eq!((get(part, copied), yes.copies.len()), (None, 1), "a split copies nothing");
        twin.free();
        assert_eq!((yes.deletions.clone(), no.deletions.len()), (vec![11], 0));
        part.free();
        mpi!(MPI_Comm_delete_attr(WORLD, copied));
        mpi!(MPI_Comm_delete_attr(WORLD, kept));
        assert_eq!(yes.deletions, [11, 10]);
        mpi!(MPI_Comm_free_keyval(&mut copied));
        mpi!(MPI_Comm_free_keyval(&mut kept));
        assert_eq!(copied, MPI_KEYVAL_INVALID);
    });
}

#[test]
fn a_value_that_is_replaced_is_deleted() {
    on(1, |_| {
        let mut journal = Journal::default();
        let key = key(&mut journal);
        let comm = MPI_COMM_SELF.dup();
        set(comm, key, 1);
        set(comm, key, 2);
        assert_eq!((journal.deletions.clone(), get(comm, key)), (vec![1], Some(2)));
        comm.free();
        assert_eq!(journal.deletions, [1, 2]);
    });
}

#[test]
fn a_copy_that_fails_makes_no_communicator() {
    on(2, |_| {
        let mut journal = Journal { copy: true, code: MPI_ERR_OTHER.value(), ..Journal::default() };
        let key = key(&mut journal);
        let (mut twin, value) = (MPI_COMM_NULL, std::ptr::without_provenance_mut(5));
        mpi!(MPI_Comm_set_attr(WORLD, key, value));
        mpi_fails!(MPI_ERR_OTHER, MPI_Comm_dup(WORLD, &mut twin));
        assert_eq!(twin, MPI_COMM_NULL);
        journal.code = 0;
        mpi!(MPI_Comm_delete_attr(WORLD, key));
        WORLD.barrier();
    });
}

#[test]
fn a_deletion_that_fails_keeps_the_attribute() {
    on(1, |_| {
        let mut journal = Journal { code: MPI_ERR_OTHER.value(), ..Journal::default() };
        let (key, comm) = (key(&mut journal), MPI_COMM_SELF.dup());
        mpi!(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
        set(comm, key, 3);
        mpi_fails!(MPI_ERR_OTHER, MPI_Comm_delete_attr(comm, key));
        assert_eq!(get(comm, key), Some(3));
        mpi_fails!(MPI_ERR_OTHER, MPI_Comm_free(&mut { comm }));
        assert_eq!(comm.size(), 1, "the communicator is there");
        journal.code = 0;
        comm.free();
    });
}

#[test]
fn a_freed_key_serves_the_attributes_that_have_it() {
    on(1, |_| {
        let mut journal = Journal { copy: true, ..Journal::default() };
        let comm = MPI_COMM_SELF.dup();
        let mut key = key(&mut journal);
        set(comm, key, 1);
        let freed = key;
        mpi!(MPI_Comm_free_keyval(&mut key));
        assert_eq!(get(comm, freed), Some(1));
        let twin = comm.dup();
        comm.free();
        twin.free();
        assert_eq!((journal.copies, journal.deletions), (vec![1], vec![1, 2]));
    });
}

/// Writes down the extra state, which is a pair of a journal and a number.
extern "C" fn delete_numbered(
    _: Comm,
    _: c_int,
    value: *mut c_void,
    journal: *mut c_void,
) -> c_int {
    // SAFETY: as in `copy`.
    unsafe { (*journal.cast::<Journal>()).deletions.push(value.addr()) };
    MPI_SUCCESS
}

#[test]
fn attributes_of_self_are_deleted_first_of_all_in_reverse_order_when_mpi_ends() {
    let setup = nemesis_simulation::job::Setup::new(4, 2, 1);
    let report = nemesis_simulation::job::run(setup, |_| {
        mpi!(MPI_Init(null_mut(), null_mut()));
        let mut journal = Journal::default();
        for number in 1..5 {
            let (mut key, extra) = (MPI_KEYVAL_INVALID, (&raw mut journal).cast());
            let (none, delete) =
                (MPI_COMM_NULL_COPY_FN as *const c_void, callback!(delete_numbered));
            mpi!(MPI_Comm_create_keyval(none, delete, &mut key, extra));
            set(MPI_COMM_SELF, key, number);
        }
        mpi!(MPI_Finalize());
        assert_eq!(journal.deletions, [4, 3, 2, 1]);
    });
    assert!(report.failure.is_none(), "{:?}", report.failure);
}

#[test]
fn the_predefined_functions_copy_and_do_not() {
    on(1, |_| {
        let (comm, mut keys) = (MPI_COMM_SELF.dup(), [MPI_KEYVAL_INVALID; 2]);
        for (key, copy) in keys.iter_mut().zip([MPI_COMM_DUP_FN, MPI_COMM_NULL_COPY_FN]) {
            let (copy, delete) = (copy as *const c_void, MPI_COMM_NULL_DELETE_FN as *const c_void);
            mpi!(MPI_Comm_create_keyval(copy, delete, key, null_mut()));
            set(comm, *key, 8);
        }
        let twin = comm.dup();
        assert_eq!(keys.map(|key| get(twin, key)), [Some(8), None]);
        twin.free();
        comm.free();
    });
}

#[test]
fn keys_of_other_objects_and_of_nothing_are_errors() {
    on(1, |_| {
        let mut key = MPI_KEYVAL_INVALID;
        let (copy, delete) =
            (MPI_TYPE_NULL_COPY_FN as *const c_void, MPI_TYPE_NULL_DELETE_FN as *const c_void);
        mpi!(MPI_Type_create_keyval(copy, delete, &mut key, null_mut()));
        mpi_fails!(MPI_ERR_KEYVAL, MPI_Comm_set_attr(WORLD, key, null_mut()));
        mpi_fails!(MPI_ERR_KEYVAL, MPI_Comm_set_attr(WORLD, MPI_KEYVAL_INVALID, null_mut()));
        mpi_fails!(MPI_ERR_KEYVAL, MPI_Comm_set_attr(WORLD, MPI_TAG_UB, null_mut()));
        mpi_fails!(MPI_ERR_KEYVAL, MPI_Comm_free_keyval(&mut { MPI_TAG_UB }));
        mpi!(MPI_Type_free_keyval(&mut key));
    });
}

#[test]
fn the_tag_bound_is_at_least_the_least_that_the_standard_allows() {
    on(1, |_| {
        let (mut bound, mut flag) = (null_mut::<c_int>(), 0);
        mpi!(MPI_Comm_get_attr(WORLD, MPI_TAG_UB, (&raw mut bound).cast(), &mut flag));
        // SAFETY: the value of this attribute is a pointer to an integer.
        let bound = unsafe { *bound };
        assert!(flag == 1 && bound >= 32767);
        let (mut word, out) = ([0], [4]);
        let mut request = MPI_COMM_SELF.irecv(&mut word, 0, bound);
        MPI_COMM_SELF.send(&out, 0, bound);
        wait(&mut request);
        assert_eq!(word, out);
        if let Some(beyond) = bound.checked_add(1) {
            let nobody = MPI_COMM_SELF;
            mpi_fails!(MPI_ERR_TAG, MPI_Send(of(&out), 1, MPI_INT, 0, beyond, nobody));
        }
    });
}
