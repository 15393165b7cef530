//! Limits of a device and of its queue of receives: who gets a queue pair, and what the user
//! learns. Choices of a port's address and partition.

use super::*;

/// Starts processes of which the first exchanges a packet with each other one.
fn star(processes: u32, options: &Options) -> Vec<Process> {
    let cards = Cards::default();
    let mut started = Vec::new();
    for me in 0..processes {
        let (process, card) = Process::start_of(me, processes, options, &cards);
        cards.borrow_mut().push(card);
        started.push(process);
    }
    for other in 1..processes {
        assert_eq!(started[other as usize].send(0, b"hello"), Ok(Sent::Done));
        assert_eq!(started[0].send(other, b"hello"), Ok(Sent::Done));
    }
    until(&mut started, "greetings", |started| {
        started[0].host.packets.len() == processes as usize - 1
            && started[1..].iter().all(|process| process.host.packets.len() == 1)
    });
    started
}

/// 384 receives are five full windows with the control messages. Windows shrink, so that ten
/// processes get one.
#[test]
fn windows_shrink_so_that_more_processes_get_a_queue_pair() {
    let mut processes = star(11, &Options { receives_max: 384, ..options("mock0") });
    for process in &processes {
        let notes = process.host.notes.join("\n");
        assert!(!notes.contains("by TCP"), "{notes}");
    }
    finalize(&mut processes);
}

#[test]
fn the_user_learns_once_that_processes_are_reached_by_tcp() {
    let shared = Options { receives_max: 120, ..options("mock0") };
    for (options, remedy) in [(options("mock_none"), "(max_qp)"), (shared, "window=8")] {
        let mut processes = star(12, &options);
        let Keeper { notes, warnings, .. } = &processes[0].host;
        let by_tcp = |lines: &[String]| lines.iter().filter(|it| it.contains("by TCP: ")).count();
        assert!(by_tcp(warnings) == 1 && by_tcp(notes) >= 4, "{notes:?}");
        assert!(warnings[0].contains(remedy) && warnings[0].contains("NEMESIS_VERBOSE"));
        finalize(&mut processes);
    }
}

#[test]
fn address_and_partition_are_those_that_the_user_names() {
    let set = |gid_index, partition| {
        let options = options("mock_roce");
        let tuning = Tuning { gid_index, partition, ..options.tuning };
        Options { tuning, ..options }
    };
    let describe = |options: Options| Verbs::new(options).describe().map_err(|it| it.why);
    let usual = describe(set(None, None)).unwrap();
    assert!(usual.contains("RoCE v2, GID 1 (127.77."), "{usual}");
    assert!(usual.ends_with("P_Key 0xffff, MTU 1024"), "{usual}");
    let options = set(Some(3), Some(2));
    let chosen = describe(options.clone()).unwrap();
    assert!(chosen.contains("GID 3 (127.78.") && chosen.contains("P_Key 0x8002"), "{chosen}");
    let mut processes = pair(&options);
    for process in &processes {
        let notes = process.host.notes.join("\n");
        assert!(notes.contains("GID 3 (127.78.") && !notes.contains("by TCP"), "{notes}");
    }
    finalize(&mut processes);

    // An entry of RoCE v1, and one that does not exist.
    for index in [2, 7] {
        let why = describe(set(Some(index), None)).unwrap_err();
        assert!(why.contains(&format!("of RoCE v2 with the index {index} of NEMESIS_VERBS")));
        assert!(why.contains("it has: 0 (fe80::") && why.contains(", 3 (127.78."), "{why}");
    }
    let why = describe(set(None, Some(5))).unwrap_err();
    assert!(why.contains("0x8005 of NEMESIS_VERBS=pkey; its P_Keys are: 0x7fff, 0xffff, 0x8002"));
}
