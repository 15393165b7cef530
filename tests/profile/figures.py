"""Compares a profile of tests/profile/known.c with what the program does.

usage: figures.py json FILE RANKS TRANSPORT | top FILE RANKS TRANSPORT | trace FILE RANKS
       figures.py count FILE CALL NUMBER | places FILE
"""

import json
import re
import sys


def messages(ranks, transport):
    """Returns (messages, bytes) by sender and receiver."""
    sums = {}

    def add(sender, receiver, count, size):
        old = sums.get((sender, receiver), (0, 0))
        sums[sender, receiver] = (old[0] + count, old[1] + count * size)

    for rank in range(ranks):
        right, left = (rank + 1) % ranks, (rank - 1) % ranks
        add(rank, right, 10, 8)
        add(rank, right, 2, 100)
        add(rank, right, 1, 16)
        add(rank, left, 3, 8000)
        if rank != ranks - 1:
            add(rank, ranks - 1, 1, 7)
    return {pair: (*sums[pair], transport) for pair in sums}


def calls(ranks):
    """Returns calls and bytes of all ranks together."""
    return {
        "MPI_Init": (ranks, 0),
        "MPI_Finalize": (ranks, 0),
        "MPI_Send": (10 * ranks + ranks - 1, 80 * ranks + 7 * (ranks - 1)),
        "MPI_Recv": (12 * ranks + ranks - 1, 0),
        "MPI_Isend": (3 * ranks, 24000 * ranks),
        "MPI_Irecv": (3 * ranks, 0),
        "MPI_Waitall": (ranks, 0),
        "MPI_Send_init": (ranks, 0),
        "MPI_Start": (2 * ranks, 200 * ranks),
        "MPI_Wait": (2 * ranks, 0),
        "MPI_Request_free": (ranks, 0),
        "MPI_Win_fence": (2 * ranks, 0),
        "MPI_Put": (ranks, 16 * ranks),
        "MPI_Allreduce": (5 * ranks, 160 * ranks),
        "MPI_Comm_split": (ranks, 0),
    }


def same(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: found {found}, expected {expected}")


def main():
    kind, path = sys.argv[1:3]
    if kind == "count":
        profile = json.load(open(path))
        name, number = sys.argv[3], int(sys.argv[4])
        found = [call["calls"] for call in profile["calls"] if call["call"] == name]
        return same(name, found, [number])
    if kind == "places":
        # Each call has a place, and the places of a call have all its calls.
        profile = json.load(open(path))
        for call in profile["calls"]:
            sites = [site for site in profile["sites"] if site["call"] == call["call"]]
            sums = [sum(site[what] for site in sites) for what in ("calls", "ns", "bytes")]
            same(call["call"], sums, [call[what] for what in ("calls", "ns", "bytes")])
        return same("hosts", len(profile["hosts"]), 1)
    ranks = int(sys.argv[3])
    text = open(path).read()
    if kind == "trace":
        events = json.loads(text)["traceEvents"]
        same("kinds of events", {e["ph"] for e in events}, {"M", "X"})
        # Perfetto takes number 0 for the kernel's idle process.
        same("process or thread 0", [e for e in events if not (e["pid"] and e["tid"])], [])
        tracks = {}
        for e in events:
            if e["ph"] == "X":
                tracks.setdefault((e["pid"], e["tid"]), []).append(e)
        for name, track in tracks.items():
            # As Perfetto reads them: whole nanoseconds, the fraction cut.
            times = [(int(e["ts"] * 1000), int(e["dur"] * 1000)) for e in track]
            over = [a for a, b in zip(times, times[1:]) if sum(a) > b[0]]
            same(f"track {name}: calls that overlap", over, [])
        for rank in range(ranks):
            tids = [e["tid"] for e in events if e["name"] == "thread_name"
                    and re.match(rf"rank {rank}\b", e["args"]["name"])]
            names = [e["name"] for e in events if e["ph"] == "X" and e["tid"] in tids]
            same(f"rank {rank}: events of MPI_Allreduce", names.count("MPI_Allreduce"), 5)
            same(f"rank {rank}: first and last", (names[0], names[-1]), ("MPI_Init", "MPI_Finalize"))
        return
    expected = messages(ranks, sys.argv[4])
    if kind == "json":
        profile = json.loads(text)
        found = {call["call"]: (call["calls"], call["bytes"]) for call in profile["calls"]}
        for name, figures in calls(ranks).items():
            same(name, found.get(name), figures)
        for rank in profile["ranks"]:
            mpi, waiting, whole = rank["mpi_ns"], rank["waiting_ns"], rank["ns"]
            if not 0 < waiting <= mpi <= whole:
                sys.exit(f"rank {rank['rank']}: times are {waiting}, {mpi}, {whole}")
            same("finalized", rank["finalized"], True)
        found = {
            (rank["rank"], to["rank"]): (to["messages"], to["bytes"], to["transport"])
            for rank in profile["ranks"]
            for to in rank["messages_to"]
        }
    else:
        words = {"shm": "shared memory", "tcp": "network tcp"}
        pattern = r"from rank (\d+) to rank (\d+): (\d+) messages?, (\d+) bytes, by (.*)"
        found = {
            (int(a), int(b)): (int(count), int(size), name)
            for a, b, count, size, name in re.findall(pattern, text)
        }
        expected = {pair: (*expected[pair][:2], words[expected[pair][2]]) for pair in expected}
        waiting = re.findall(r"^ +(\d+) .* 0  MPI_Recv", text, re.MULTILINE)
        same("ranks in MPI_Recv", waiting, [str(rank) for rank in range(1, ranks)])
    same("messages", found, expected)


main()
