//! Start, end and sessions (MPI 5.0 §11).

use crate::vocabulary::*;
use nemesis_simulation::job::{Setup, run};

fn session() -> Session {
    let mut session = MPI_SESSION_NULL;
    mpi!(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &mut session));
    session
}

fn group_of(session: Session, set: &str) -> Group {
    let mut group = MPI_GROUP_NULL;
    mpi!(MPI_Group_from_session_pset(session, text(set).as_ptr(), &mut group));
    group
}

fn comm_of(group: Group, tag: &str) -> Comm {
    let (mut comm, tag) = (MPI_COMM_NULL, text(tag));
    let (info, handler) = (MPI_INFO_NULL, MPI_ERRORS_RETURN);
    mpi!(MPI_Comm_create_from_group(group, tag.as_ptr(), info, handler, &mut comm));
    comm
}

/// Runs a program that does not call `MPI_Init`.
fn without_world(ranks: u32, hosts: u32, program: fn(u32)) {
    let report = run(Setup::new(9, ranks, hosts), program);
    assert!(report.failure.is_none(), "{:?} in {:?}", report.failure, report.states);
}

#[test]
fn a_session_alone_gives_communicators_of_its_process_sets() {
    for (ranks, hosts) in [(1, 1), (3, 1), (3, 3), (5, 2)] {
        without_world(ranks, hosts, |rank| {
            let mut session = session();
            let world = group_of(session, "mpi://WORLD");
            let all = comm_of(world, "all");
            assert_eq!(all.rank(), rank as i32);
            assert_eq!(all.allreduce(&[1], MPI_SUM), [all.size()]);
            let alone = comm_of(group_of(session, "mpi://SELF"), "alone");
            assert_eq!((alone.size(), alone.rank()), (1, 0));
            alone.free();
            all.free();
            mpi!(MPI_Session_finalize(&mut session));
            assert_eq!(session, MPI_SESSION_NULL);
        });
    }
}

#[test]
fn a_process_may_open_session_after_session() {
    without_world(2, 2, |_| {
        for turn in 0..3 {
            let mut session = session();
            let all = comm_of(group_of(session, "mpi://WORLD"), "again");
            assert_eq!(all.allreduce(&[turn], MPI_SUM), [2 * turn]);
            all.free();
            mpi!(MPI_Session_finalize(&mut session));
        }
    });
}

#[test]
fn tags_keep_communicators_of_one_group_apart() {
    without_world(2, 1, |rank| {
        let mut session = session();
        let world = group_of(session, "mpi://WORLD");
        let (one, two) = (comm_of(world, "one"), comm_of(world, "two"));
        if rank == 0 {
            one.send(&[1], 1, 5);
            two.send(&[2], 1, 5);
        } else {
            assert_eq!((two.word(0, 5), one.word(0, 5)), (2, 1));
        }
        one.free();
        two.free();
        mpi!(MPI_Session_finalize(&mut session));
    });
}

#[test]
fn a_part_of_a_process_set_makes_a_communicator() {
    without_world(4, 2, |rank| {
        let mut session = session();
        if rank != 1 {
            let some = some_of(group_of(session, "mpi://WORLD"), &[3, 0, 2]);
            let part = comm_of(some, "some");
            assert_eq!(part.allgather(rank as i32), [3, 0, 2]);
            part.free();
        }
        mpi!(MPI_Session_finalize(&mut session));
    });
}

#[test]
fn sessions_live_beside_the_world() {
    on(3, |me| {
        let mut session = session();
        let all = comm_of(group_of(session, "mpi://WORLD"), "beside");
        assert_eq!(all.allgather(me.rank), WORLD.allgather(me.rank));
        all.free();
        mpi!(MPI_Session_finalize(&mut session));
        WORLD.barrier();
    });
}

#[test]
fn process_sets_have_names_and_sizes() {
    on(3, |_| {
        let (mut session, mut count, mut info) = (session(), 0, MPI_INFO_NULL);
        mpi!(MPI_Session_get_num_psets(session, MPI_INFO_NULL, &mut count));
        let names: Vec<String> = (0..count)
            .map(|number| {
                let mut room = 1024;
                let (none, length) = (MPI_INFO_NULL, &raw mut room);
                written(|place| {
                    mpi!(MPI_Session_get_nth_pset(session, none, number, length, place))
                })
            })
            .collect();
        assert!(names.contains(&"mpi://WORLD".to_owned()), "{names:?}");
        assert!(names.contains(&"mpi://SELF".to_owned()), "{names:?}");
        mpi!(MPI_Session_get_pset_info(session, text("mpi://WORLD").as_ptr(), &mut info));
        let (mut room, mut flag, key) = (100, 0, text("mpi_size"));
        let (length, found) = (&raw mut room, &raw mut flag);
        let size =
            written(|place| mpi!(MPI_Info_get_string(info, key.as_ptr(), length, place, found)));
        assert_eq!((flag, size.as_str()), (1, "3"));
        mpi!(MPI_Info_free(&mut info));
        mpi!(MPI_Session_finalize(&mut session));
    });
}

#[test]
fn an_unknown_process_set_has_no_group() {
    on(1, |_| {
        let mut session = session();
        assert_eq!(group_of(session, "mpi://NOBODY"), MPI_GROUP_NULL);
        mpi!(MPI_Session_finalize(&mut session));
        mpi_fails!(MPI_ERR_SESSION, MPI_Session_finalize(&mut { MPI_SESSION_NULL }));
    });
}

#[test]
fn the_state_of_the_library_is_told_before_and_after() {
    without_world(2, 1, |_| {
        let state = || {
            let (mut begun, mut ended) = (7, 7);
            mpi!(MPI_Initialized(&mut begun));
            mpi!(MPI_Finalized(&mut ended));
            (begun, ended)
        };
        assert_eq!(state(), (0, 0));
        mpi!(MPI_Init(null_mut(), null_mut()));
        assert_eq!(state(), (1, 0));
        mpi!(MPI_Finalize());
        assert_eq!(state(), (1, 1));
    });
}

#[test]
fn tools_begin_before_mpi_and_end_after_it() {
    without_world(1, 1, |_| {
        let (mut level, mut count, mut index) = (0, 0, -1);
        mpi!(MPI_T_init_thread(MPI_THREAD_SINGLE, &mut level));
        mpi!(MPI_T_cvar_get_num(&mut count));
        assert!(count > 0);
        let unknown = text("no such variable");
        // SAFETY: the arguments are variables.
        let code = unsafe { MPI_T_cvar_get_index(unknown.as_ptr(), &mut index) };
        assert_eq!(class_of(code), MPI_T_ERR_INVALID_NAME.value());
        mpi!(MPI_Init(null_mut(), null_mut()));
        mpi!(MPI_Finalize());
        mpi!(MPI_T_cvar_get_num(&mut count));
        mpi!(MPI_T_finalize());
        // SAFETY: as above.
        let code = unsafe { MPI_T_cvar_get_num(&mut count) };
        assert_eq!(class_of(code), MPI_T_ERR_NOT_INITIALIZED.value());
    });
}
