//! Error handlers, classes and codes (MPI 5.0 §9.3 to §9.5).

use crate::vocabulary::*;
use nemesis_simulation::job::{Failure, Setup, run};
use std::cell::RefCell;
use std::ffi::c_int;

thread_local! {
    /// What handlers were called with: a name, the object, the class of the error.
    static CALLS: RefCell<Vec<(&'static str, usize, c_int)>> = const { RefCell::new(Vec::new()) };
}

fn calls() -> Vec<(&'static str, usize, c_int)> {
    CALLS.take()
}

/// A handler takes more arguments than these two, which it does not look at.
extern "C" fn first(comm: *mut Comm, code: *mut c_int) {
    // SAFETY: the library hands over variables of its own.
    let (comm, code) = unsafe { ((*comm).0, *code) };
    CALLS.with_borrow_mut(|calls| calls.push(("first", comm, class_of(code))));
}

extern "C" fn second(comm: *mut Comm, code: *mut c_int) {
    // SAFETY: as in `first`.
    let (comm, code) = unsafe { ((*comm).0, *code) };
    CALLS.with_borrow_mut(|calls| calls.push(("second", comm, class_of(code))));
}

extern "C" fn of_window(win: *mut Win, code: *mut c_int) {
    // SAFETY: as in `first`.
    let (win, code) = unsafe { ((*win).0, *code) };
    CALLS.with_borrow_mut(|calls| calls.push(("window", win, class_of(code))));
}

fn handler(function: extern "C" fn(*mut Comm, *mut c_int)) -> Errhandler {
    let mut handler = MPI_ERRHANDLER_NULL;
    mpi!(MPI_Comm_create_errhandler(callback!(function), &mut handler));
    handler
}

fn fail_on(comm: Comm) {
    let word = [1];
    mpi_fails!(MPI_ERR_RANK, MPI_Send(of(&word), 1, MPI_INT, 99, 0, comm));
}

#[test]
fn the_handler_of_the_communicator_is_called_with_it_and_the_code() {
    on(1, |_| {
        let (twin, mut handler) = (WORLD.dup(), handler(first));
        mpi!(MPI_Comm_set_errhandler(twin, handler));
        mpi!(MPI_Errhandler_free(&mut handler));
        assert_eq!(handler, MPI_ERRHANDLER_NULL);
        fail_on(twin);
        assert_eq!(calls(), [("first", twin.0, MPI_ERR_RANK.value())]);
        fail_on(WORLD);
        assert_eq!(calls(), []);
        twin.free();
    });
}

#[test]
fn a_new_communicator_inherits_the_handler_of_its_parent_and_keeps_it() {
    on(1, |_| {
        let parent = WORLD.dup();
        mpi!(MPI_Comm_set_errhandler(parent, handler(first)));
        let (twin, part) = (parent.dup(), parent.split(0, 0));
        mpi!(MPI_Comm_set_errhandler(parent, handler(second)));
        [parent, twin, part].into_iter().for_each(fail_on);
        let names: Vec<_> = calls().into_iter().map(|(name, ..)| name).collect();
        assert_eq!(names, ["second", "first", "first"]);
        [parent, twin, part].into_iter().for_each(Talk::free);
    });
}

#[test]
fn a_handler_is_got_set_and_called_by_hand() {
    on(1, |_| {
        let (twin, own, mut found) = (WORLD.dup(), handler(first), MPI_ERRHANDLER_NULL);
        mpi!(MPI_Comm_get_errhandler(twin, &mut found));
        assert_eq!(found, MPI_ERRORS_RETURN);
        mpi!(MPI_Comm_set_errhandler(twin, own));
        mpi!(MPI_Comm_get_errhandler(twin, &mut found));
        assert_eq!(found, own);
        let code = MPI_ERR_OTHER.value();
        mpi!(MPI_Comm_call_errhandler(twin, code));
        assert_eq!(calls(), [("first", twin.0, code)]);
        twin.free();
    });
}

#[test]
fn errors_of_requests_reach_the_handler_of_their_communicator() {
    on(2, |me| {
        let twin = WORLD.dup();
        if me.rank == 0 {
            mpi!(MPI_Comm_set_errhandler(twin, handler(first)));
            let mut word = [0];
            let mut request = twin.irecv(&mut word, 1, 1);
            mpi_fails!(MPI_ERR_TRUNCATE, MPI_Wait(&mut request, null_mut()));
            assert_eq!(calls(), [("first", twin.0, MPI_ERR_TRUNCATE.value())]);
        } else {
            twin.send(&[1, 2], 0, 1);
        }
        twin.free();
    });
}

#[test]
fn errors_without_an_object_reach_the_handler_of_self() {
    on(1, |_| {
        mpi!(MPI_Comm_set_errhandler(MPI_COMM_SELF, handler(second)));
        mpi_fails!(MPI_ERR_DIMS, MPI_Dims_create(7, 1, [3].as_mut_ptr()));
        let (names, selves): (Vec<_>, Vec<_>) =
            calls().into_iter().map(|(name, comm, _)| (name, comm)).unzip();
        assert_eq!((names, selves), (vec!["second"], vec![MPI_COMM_SELF.0]));
        mpi!(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    });
}

#[test]
fn a_window_has_a_handler_of_its_own() {
    on(1, |_| {
        let (mut win, mut words, mut handler) = (MPI_WIN_NULL, [0; 2], MPI_ERRHANDLER_NULL);
        let place = into(&mut words);
        mpi!(MPI_Win_create(place, 8, 4, MPI_INFO_NULL, WORLD, &mut win));
        mpi!(MPI_Win_create_errhandler(callback!(of_window), &mut handler));
        mpi!(MPI_Win_set_errhandler(win, handler));
        mpi_fails!(MPI_ERR_RMA_SYNC, MPI_Win_unlock(0, win));
        assert_eq!(calls(), [("window", win.0, MPI_ERR_RMA_SYNC.value())]);
        mpi_fails!(MPI_ERR_ERRHANDLER, MPI_Comm_set_errhandler(WORLD, handler));
        assert_eq!(calls(), [], "the handler is none of a communicator");
        mpi!(MPI_Win_free(&mut win));
    });
}

#[test]
fn errors_are_fatal_unless_the_program_says_otherwise() {
    let report = run(Setup::new(6, 2, 1), |rank| {
        mpi!(MPI_Init(null_mut(), null_mut()));
        if rank == 1 {
            let word = [1];
            // SAFETY: the call ends the job.
            unsafe { MPI_Send(of(&word), 1, MPI_INT, 99, 0, WORLD) };
            unreachable!("the job has ended");
        }
        mpi!(MPI_Finalize());
    });
    assert!(matches!(report.failure, Some(Failure::Abort(1, ..))), "{:?}", report.failure);
}

#[test]
fn classes_codes_and_texts_are_added_and_removed() {
    on(1, |_| {
        let (mut class, mut code) = (0, 0);
        mpi!(MPI_Add_error_class(&mut class));
        mpi!(MPI_Add_error_code(class, &mut code));
        assert!(class > MPI_ERR_LASTCODE && code > class);
        assert_eq!((class_of(class), class_of(code)), (class, class));
        assert_eq!(error_text(code), "");
        mpi!(MPI_Add_error_string(code, text("the tank is empty").as_ptr()));
        assert_eq!(error_text(code), "the tank is empty");
        mpi_fails!(MPI_ERR_ARG, MPI_Add_error_string(MPI_ERR_RANK.value(), text("x").as_ptr()));
        let (mut used, mut flag) = (null_mut::<c_int>(), 0);
        let value = (&raw mut used).cast();
        mpi!(MPI_Comm_get_attr(WORLD, MPI_LASTUSEDCODE, value, &mut flag));
        // SAFETY: the value of this attribute is a pointer to an integer.
        assert_eq!(unsafe { *used }, code);
        mpi!(MPI_Remove_error_string(code));
        mpi!(MPI_Remove_error_code(code));
        mpi!(MPI_Remove_error_class(class));
    });
}

#[test]
fn predefined_handlers_outlive_their_handles() {
    on(1, |_| {
        let twin = WORLD.dup();
        for handler in [MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN] {
            let (mut found, mut freed) = (MPI_ERRHANDLER_NULL, handler);
            mpi!(MPI_Errhandler_free(&mut freed));
            assert_eq!(freed, MPI_ERRHANDLER_NULL);
            mpi!(MPI_Comm_set_errhandler(twin, handler));
            mpi!(MPI_Comm_get_errhandler(twin, &mut found));
            assert_eq!(found, handler);
        }
        mpi_fails!(MPI_ERR_ERRHANDLER, MPI_Errhandler_free(&mut { MPI_ERRHANDLER_NULL }));
        twin.free();
    });
}

#[test]
fn every_class_has_a_text_and_is_its_own_code() {
    on(1, |_| {
        for class in [MPI_ERR_BUFFER, MPI_ERR_TRUNCATE, MPI_ERR_RMA_SYNC, MPI_ERR_SESSION] {
            assert_eq!(class_of(class.value()), class.value());
            assert!(!error_text(class.value()).is_empty());
        }
        assert_eq!(class_of(MPI_SUCCESS), MPI_SUCCESS);
    });
}
