"""Presses Ctrl-C at the terminal of a job that waits, as a user would.

usage: interrupt.py KIND MPIEXEC PROGRAM [HOSTS]: PROGRAM is tests/robustness/deadlock.c. HOSTS, such
as node1,node2, have its ranks. Prints what is wrong, and exits with 1 if something is.

    once    Ctrl-C ends the job, and a report of what each rank does comes first
    twice   ranks ignore Ctrl-C: the user is told of a second one, which ends the job at once
    early   the second Ctrl-C comes before the report
"""

import os
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "profile"))
from terminal import Terminal  # noqa: E402

KIND, MPIEXEC, PROGRAM = sys.argv[1:4]
HOSTS = ["-hosts", sys.argv[4]] if len(sys.argv) > 4 else []
REPORT = [
    "mpiexec: state report of 3 ranks",
    "MPI_Recv: a message from rank 1 of MPI_COMM_WORLD, tag 7, room for 4 bytes",
    "rank 0 waits for rank 1, which is not inside MPI: it",
]
AGAIN = "mpiexec: ranks still run after Ctrl-C; press Ctrl-C again to kill them"
# Jobs that are tried for a report that the load of the machine can prevent.
TRIES = 5
# A name of the ranks by which they are found.
MARK = f"interrupt-{os.getpid()}"


def ranks():
    """Returns the processes of the job's ranks."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as words:
                named = words.read().split(b"\0")[0].decode(errors="replace") == MARK
            with open(f"/proc/{pid}/status") as status:
                is_zombie = any(line.startswith("State:\tZ") for line in status)
        except OSError:
            continue
        if named and not is_zombie:
            found.append(pid)
    return found


def check(what, holds):
    if not holds:
        shown = terminal.lines()
        os.kill(terminal.pid, signal.SIGTERM)
        terminal.end(10)
        sys.exit("\n".join([what, *filter(None, shown)]))


def fail(what):
    """Ends the case, whose job has ended."""
    sys.exit("\n".join([what, *filter(None, terminal.lines())]))


def has(*texts):
    """Returns whether the screen has the texts, which lines of the screen may cut."""
    whole = "".join(line.ljust(terminal.columns) for line in terminal.lines())
    return all(text in whole for text in texts)


def ends(within):
    """Checks that the job ends by Ctrl-C within some seconds, with nothing left."""
    before = time.monotonic()
    code = terminal.end(30)
    if code != 130:
        fail(f"exit code {code}")
    took = time.monotonic() - before
    if took > within:
        sys.exit(f"it has ended after {took:.1f} s")
    if left := ranks():
        sys.exit(f"these processes are left: {left}")


def has_report():
    """Runs a job. Returns whether a report came before its end."""
    global terminal
    terminal = Terminal(words, 40, 200)
    check("the job does not start", terminal.wait(lambda lines: len(ranks()) == 3, 60))
    until = time.monotonic() + 60
    while not has(*REPORT):
        check("no report that is asked for", time.monotonic() < until)
        os.kill(terminal.pid, signal.SIGUSR1)
        terminal.read(1)
    # All reports that were asked for are there then. A wait of less than two seconds is not worth
    # one.
    terminal.read(3)
    terminal.clear()
    terminal.type(b"\x03")
    if KIND == "early":
        # Two of one moment count as one.
        terminal.read(0.25)
        terminal.type(b"\x03")
    elif KIND == "twice":
        check("a second Ctrl-C is not named", terminal.wait(lambda lines: has(AGAIN), 60))
        check("the job has ended", len(ranks()) == 3)
        terminal.type(b"\x03")
    ends(10)
    if "".join(terminal.lines()).count("state report") > 1:
        fail("several reports")
    if KIND == "once" and has(AGAIN):
        fail("a second Ctrl-C is named")
    return has(*REPORT)


# A shell starts what runs in the background with this signal ignored.
signal.signal(signal.SIGINT, signal.SIG_DFL)
ignores = "trap '' INT; " if KIND != "once" else ""
script = f"{ignores}exec -a {MARK} {PROGRAM} outside"
words = [MPIEXEC, *HOSTS, "-n", "3", "bash", "-c", script]
# A rank that waits has 0.3 s to answer, and may wake later on a loaded machine.
if not any(has_report() or KIND == "early" for _ in range(TRIES)):
    fail(f"no report in {TRIES} tries")
