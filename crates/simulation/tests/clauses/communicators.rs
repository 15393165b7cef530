//! Groups, communicators and what they are made of (MPI 5.0 §7.3, §7.4, §7.8).

use crate::vocabulary::*;

fn size_of(group: Group) -> i32 {
    let mut size = -77;
    mpi!(MPI_Group_size(group, &mut size));
    size
}

fn rank_in(group: Group) -> i32 {
    let mut rank = -77;
    mpi!(MPI_Group_rank(group, &mut rank));
    rank
}

#[test]
fn split_orders_by_key_and_then_by_the_old_rank() {
    on(6, |me| {
        let part = WORLD.split(me.rank % 2, [5, 0, 5, -3, 1, 0][me.rank as usize]);
        let expected = [vec![4, 0, 2], vec![3, 1, 5]];
        assert_eq!(part.allgather(me.rank), expected[me.rank as usize % 2]);
        part.free();
    });
}

#[test]
fn split_without_a_color_gives_no_communicator() {
    on(5, |me| {
        let color = if me.rank == 2 { MPI_UNDEFINED } else { 7 };
        let part = WORLD.split(color, -me.rank);
        if me.rank == 2 {
            assert_eq!(part, MPI_COMM_NULL);
        } else {
            assert_eq!(part.allgather(me.rank), [4, 3, 1, 0]);
            part.free();
        }
        assert_eq!(WORLD.split(MPI_UNDEFINED, 0), MPI_COMM_NULL);
        let mut none = MPI_COMM_NULL;
        mpi_fails!(MPI_ERR_ARG, MPI_Comm_split(WORLD, -9, 0, &mut none));
        WORLD.barrier();
    });
}

#[test]
fn communicators_compare_by_identity_members_and_order() {
    on(3, |me| {
        let (twin, same) = (WORLD.dup(), WORLD.split(0, 0));
        let (reversed, alone) = (WORLD.split(0, -me.rank), WORLD.split(me.rank, 0));
        assert_eq!(compared(WORLD, WORLD), MPI_IDENT);
        assert_eq!(compared(WORLD, twin), MPI_CONGRUENT);
        assert_eq!(compared(twin, same), MPI_CONGRUENT);
        assert_eq!(compared(WORLD, reversed), MPI_SIMILAR);
        assert_eq!(compared(alone, WORLD), MPI_UNEQUAL);
        assert_eq!(compared(alone, MPI_COMM_SELF), MPI_CONGRUENT);
        [twin, same, reversed, alone].into_iter().for_each(Talk::free);
    });
}

#[test]
fn groups_join_meet_and_differ_in_the_order_of_the_first() {
    on(5, |_| {
        let world = WORLD.group();
        let (one, two) = (some_of(world, &[4, 0, 2]), some_of(world, &[2, 3, 4]));
        let (mut both, mut meet, mut rest) = (MPI_GROUP_NULL, MPI_GROUP_NULL, MPI_GROUP_NULL);
        mpi!(MPI_Group_union(one, two, &mut both));
        mpi!(MPI_Group_intersection(one, two, &mut meet));
        mpi!(MPI_Group_difference(one, two, &mut rest));
        assert_eq!(translated(both, world), [4, 0, 2, 3]);
        assert_eq!(translated(meet, world), [4, 2]);
        assert_eq!(translated(rest, world), [0]);
        for mut group in [world, one, two, both, meet, rest] {
            mpi!(MPI_Group_free(&mut group));
        }
    });
}

#[test]
fn an_empty_difference_is_the_empty_group() {
    on(2, |_| {
        let (world, mut rest, mut result) = (WORLD.group(), MPI_GROUP_NULL, -77);
        mpi!(MPI_Group_difference(world, world, &mut rest));
        mpi!(MPI_Group_compare(rest, MPI_GROUP_EMPTY, &mut result));
        assert_eq!((result, size_of(rest), rank_in(rest)), (MPI_IDENT, 0, MPI_UNDEFINED));
    });
}

#[test]
fn translation_knows_outsiders_and_no_process() {
    on(4, |me| {
        let world = WORLD.group();
        let (one, two) = (some_of(world, &[3, 1]), some_of(world, &[1, 2]));
        assert_eq!(translated(one, two), [MPI_UNDEFINED, 0]);
        let mut found = [-77; 2];
        let ranks = [MPI_PROC_NULL, 1];
        mpi!(MPI_Group_translate_ranks(one, 2, ranks.as_ptr(), two, found.as_mut_ptr()));
        assert_eq!(found, [MPI_PROC_NULL, 0]);
        assert_eq!(rank_in(one), [MPI_UNDEFINED, 1, MPI_UNDEFINED, 0][me.rank as usize]);
    });
}

#[test]
fn ranges_go_up_and_down_with_a_stride() {
    on(6, |_| {
        let (world, mut some, mut rest) = (WORLD.group(), MPI_GROUP_NULL, MPI_GROUP_NULL);
        let ranges = [[5, 1, -2], [0, 4, 4]];
        mpi!(MPI_Group_range_incl(world, 2, ranges.as_ptr(), &mut some));
        mpi!(MPI_Group_range_excl(world, 2, ranges.as_ptr(), &mut rest));
        assert_eq!(translated(some, world), [5, 3, 1, 0, 4]);
        assert_eq!(translated(rest, world), [2]);
        let twice = [[0, 2, 1], [2, 3, 1]];
        mpi_fails!(MPI_ERR_RANK, MPI_Group_range_incl(world, 2, twice.as_ptr(), &mut some));
        let still = [[0, 2, 0]];
        mpi_fails!(MPI_ERR_ARG, MPI_Group_range_incl(world, 1, still.as_ptr(), &mut some));
        mpi_fails!(MPI_ERR_RANK, MPI_Group_incl(world, 2, [1, 1].as_ptr(), &mut some));
        mpi_fails!(MPI_ERR_RANK, MPI_Group_excl(world, 1, [6].as_ptr(), &mut some));
    });
}

#[test]
fn a_communicator_of_a_group_gives_the_others_none() {
    on(5, |me| {
        let (world, mut part) = (WORLD.group(), MPI_COMM_NULL);
        let some = some_of(world, &[4, 1, 2]);
        mpi!(MPI_Comm_create(WORLD, some, &mut part));
        if [0, 3].contains(&me.rank) {
            assert_eq!(part, MPI_COMM_NULL);
        } else {
            assert_eq!(part.allgather(me.rank), [4, 1, 2]);
            part.free();
        }
    });
}

#[test]
fn members_alone_make_a_communicator_of_their_group() {
    on(6, |me| {
        if [1, 3, 5].contains(&me.rank) {
            let (group, mut part) = (some_of(WORLD.group(), &[5, 3, 1]), MPI_COMM_NULL);
            mpi!(MPI_Comm_create_group(WORLD, group, 9, &mut part));
            assert_eq!(part.allgather(me.rank), [5, 3, 1]);
            part.free();
        } else if me.rank < 3 {
            let (group, mut part) = (some_of(WORLD.group(), &[0, 2]), MPI_COMM_NULL);
            mpi!(MPI_Comm_create_group(WORLD, group, 9, &mut part));
            assert_eq!(part.allreduce(&[me.rank], MPI_SUM), [2]);
            part.free();
        }
    });
}

#[test]
fn disjoint_groups_divide_a_communicator_at_once() {
    on(6, |me| {
        let (world, mut part) = (WORLD.group(), MPI_COMM_NULL);
        let half = if me.rank < 3 { [2, 1, 0] } else { [3, 5, 4] };
        mpi!(MPI_Comm_create(WORLD, some_of(world, &half), &mut part));
        assert_eq!(part.allgather(me.rank), half);
        part.free();
    });
}

#[test]
fn ranks_of_a_shared_node_find_each_other() {
    on_hosts(6, 2, |me| {
        let (mut node, info) = (MPI_COMM_NULL, MPI_INFO_NULL);
        mpi!(MPI_Comm_split_type(WORLD, MPI_COMM_TYPE_SHARED, -me.rank, info, &mut node));
        let expected = if me.rank < 3 { [2, 1, 0] } else { [5, 4, 3] };
        assert_eq!(node.allgather(me.rank), expected);
        node.free();
        mpi!(MPI_Comm_split_type(WORLD, MPI_UNDEFINED, 0, info, &mut node));
        assert_eq!(node, MPI_COMM_NULL);
    });
}

#[test]
fn a_duplicate_under_way_leaves_the_original_free_to_use() {
    on(4, |me| {
        let (mut twin, mut request) = (MPI_COMM_NULL, MPI_REQUEST_NULL);
        mpi!(MPI_Comm_idup(WORLD, &mut twin, &mut request));
        assert_eq!(WORLD.allgather(me.rank), [0, 1, 2, 3]);
        wait(&mut request);
        assert_eq!(twin.allreduce(&[1], MPI_SUM), [4]);
        assert_eq!(compared(WORLD, twin), MPI_CONGRUENT);
        twin.free();
    });
}

#[test]
fn a_freed_communicator_carries_its_messages_to_the_end() {
    on(2, |me| {
        let (twin, mut word) = (WORLD.dup(), [0]);
        let mut request = match me.rank {
            0 => twin.irecv(&mut word, 1, 5),
            _ => MPI_REQUEST_NULL,
        };
        if me.rank == 1 {
            request = twin.isend(&[6], 0, 5);
        }
        twin.free();
        wait(&mut request);
        assert_eq!(word[0], 6 * (1 - me.rank));
    });
}

#[test]
fn names_are_cut_from_nothing_and_not_inherited() {
    on(1, |_| {
        let name_of = |comm| written(|place| mpi!(MPI_Comm_get_name(comm, place, &mut { 0 })));
        assert_eq!(
            (name_of(WORLD), name_of(MPI_COMM_SELF)),
            ("MPI_COMM_WORLD".into(), "MPI_COMM_SELF".into())
        );
        mpi!(MPI_Comm_set_name(WORLD, text("all of us").as_ptr()));
        let twin = WORLD.dup();
        assert_eq!((name_of(WORLD), name_of(twin)), ("all of us".into(), String::new()));
        twin.free();
    });
}

#[test]
fn predefined_and_null_communicators_are_not_freed() {
    on(1, |_| {
        mpi_fails!(MPI_ERR_COMM, MPI_Comm_free(&mut { WORLD }));
        mpi_fails!(MPI_ERR_COMM, MPI_Comm_free(&mut { MPI_COMM_NULL }));
        let twin = MPI_COMM_SELF.dup();
        twin.free();
        mpi_fails!(MPI_ERR_COMM, MPI_Comm_size(twin, &mut { 0 }));
    });
}

#[test]
fn infos_keep_their_keys_in_order_and_copies_apart() {
    on(1, |_| {
        let (mut info, mut copy) = (MPI_INFO_NULL, MPI_INFO_NULL);
        let get = |info, key: &str| {
            let (mut flag, mut length, key) = (0, 100, text(key));
            let (found, room) = (&raw mut flag, &raw mut length);
            let value =
                written(|place| mpi!(MPI_Info_get_string(info, key.as_ptr(), room, place, found)));
            (flag != 0).then_some((value, length))
        };
        let set = |info, key: &str, value: &str| {
            let (key, value) = (text(key), text(value));
            mpi!(MPI_Info_set(info, key.as_ptr(), value.as_ptr()));
        };
        mpi!(MPI_Info_create(&mut info));
        set(info, "one", "1");
        set(info, "two", "2");
        mpi!(MPI_Info_dup(info, &mut copy));
        set(copy, "one", "changed");
        mpi!(MPI_Info_delete(copy, text("two").as_ptr()));
        assert_eq!(
            (get(info, "one"), get(info, "two")),
            (Some(("1".into(), 2)), Some(("2".into(), 2)))
        );
        assert_eq!((get(copy, "one"), get(copy, "two")), (Some(("changed".into(), 8)), None));
        mpi_fails!(MPI_ERR_INFO_NOKEY, MPI_Info_delete(copy, text("two").as_ptr()));
        let second = written(|place| mpi!(MPI_Info_get_nthkey(info, 1, place)));
        assert_eq!(second, "two");
        mpi!(MPI_Info_free(&mut info));
        assert_eq!(info, MPI_INFO_NULL);
        mpi!(MPI_Info_free(&mut copy));
    });
}

#[test]
fn assertions_of_a_communicator_are_not_inherited_by_dup() {
    on(2, |_| {
        let (mut info, key) = (MPI_INFO_NULL, text("mpi_assert_no_any_tag"));
        mpi!(MPI_Info_create(&mut info));
        mpi!(MPI_Info_set(info, key.as_ptr(), text("true").as_ptr()));
        let asserted = |comm| {
            let (mut used, mut flag, mut length) = (MPI_INFO_NULL, 0, 10);
            mpi!(MPI_Comm_get_info(comm, &mut used));
            let (room, found) = (&raw mut length, &raw mut flag);
            let value =
                written(|place| mpi!(MPI_Info_get_string(used, key.as_ptr(), room, place, found)));
            mpi!(MPI_Info_free(&mut used));
            flag != 0 && value == "true"
        };
        let (mut with, plain) = (MPI_COMM_NULL, WORLD.dup());
        mpi!(MPI_Comm_dup_with_info(WORLD, info, &mut with));
        let twin = with.dup();
        assert_eq!([with, plain, twin].map(asserted), [true, false, false]);
        [with, plain, twin].into_iter().for_each(Talk::free);
        mpi!(MPI_Info_free(&mut info));
    });
}
