"""Looks at `nemesis top` on a terminal, as a user would: keys, a changed size, the job's end.

usage: screen.py NEMESIS MPIEXEC PROGRAM FILE: PROGRAM is tests/profile/known.c, FILE is made to end
it."""

import os
import re
import signal
import subprocess
import sys
import time

from terminal import Terminal

NEMESIS, MPIEXEC, PROGRAM, FILE = sys.argv[1:5]


def check(what, holds, terminal=None):
    if not holds:
        lines = terminal.lines() if terminal else []
        sys.exit("\n".join([f"screen: {what}", *lines]))


def start(*options):
    """Starts a job of two ranks, and returns it."""
    if os.path.exists(FILE):
        os.remove(FILE)
    words = ["timeout", "--foreground", "100", MPIEXEC, *options, "-n", "2", PROGRAM, FILE]
    return subprocess.Popen(words, stderr=subprocess.DEVNULL)


def launcher(job):
    """Returns the process number of a job's mpiexec."""
    children = f"/proc/{job.pid}/task/{job.pid}/children"
    until = time.monotonic() + 20
    while time.monotonic() < until:
        for pid in open(children).read().split():
            if open(f"/proc/{pid}/comm").read().strip() == "mpiexec":
                return pid
        time.sleep(0.1)
    sys.exit("screen: the job does not start")


def watch(pid, rows, columns):
    """Starts `nemesis top`, again while the job has no segment yet."""
    for _ in range(20):
        terminal = Terminal([NEMESIS, "top", pid], rows, columns)
        if terminal.wait(lambda lines: lines[0].startswith(f"job {pid}: ") or
                         "no mpiexec" in "".join(lines)) and terminal.alternate:
            return terminal
        terminal.end(5)
        time.sleep(0.5)
    sys.exit("screen: nemesis top does not start")


def is_drawn(lines, rows, columns):
    """Whether the boxes end in the last column, and the line of keys is the last one. A low terminal
    has the box of the ranks only."""
    boxes = [line for line in lines if line.startswith("┌")]
    return len(boxes) == (1 if rows < 13 else 2) and all(len(line) == columns and line.endswith("┐") for line in boxes) \
        and lines[rows - 1].startswith(" q leave")


def figures():
    """With counters: both views, and sizes of the terminal."""
    job = start(f"-profile={FILE}.out")
    pid = launcher(job)
    terminal = watch(pid, 24, 80)
    row = r"│ *1 .* 0 +MPI_Recv"
    check("rank 1 is not shown in MPI_Recv", terminal.wait(
        lambda lines: any(re.search(row, line) for line in lines)), terminal)
    check("the screen is not filled", is_drawn(terminal.lines(), 24, 80), terminal)
    check("the title is missing", re.match(rf"job {pid}: 2 ranks: ", terminal.lines()[0]), terminal)
    terminal.type(b"\x1b[B")
    check("Down does not choose rank 1", terminal.wait(
        lambda lines: any(" rank 1, process " in line for line in lines)), terminal)
    check("the detail of rank 1 is missing", terminal.wait(
        lambda lines: "MPI_Recv: a message from rank 0 of MPI_COMM_WORLD, tag 5" in lines[-4]
        + lines[-5]), terminal)
    terminal.type(b"\t")
    check("Tab does not show the matrix", terminal.wait(
        lambda lines: any(" bytes of messages, to ranks 0-1 " in line for line in lines)), terminal)
    check("rank 0's messages are missing", terminal.wait(lambda lines: any(
        re.search(r"from 0 +\S+ +2\d\.\d KiB", line) for line in lines)), terminal)
    for rows, columns in (12, 44), (40, 132), (24, 80):
        terminal.resize(rows, columns)
        check(f"{columns} columns and {rows} rows are not used", terminal.wait(
            lambda lines: is_drawn(lines, rows, columns)), terminal)
    terminal.type(b"q")
    check("q does not end it", terminal.end() == 0)
    check("the terminal is left changed", terminal.is_restored())
    return job, pid


def ends(job, pid):
    """A signal, a terminal that is closed, and the job's end."""
    terminal = watch(pid, 24, 80)
    os.kill(terminal.pid, signal.SIGTERM)
    check("SIGTERM does not end it", terminal.end() is not None)
    check("SIGTERM leaves the terminal changed", terminal.is_restored())
    terminal = watch(pid, 24, 80)
    os.close(terminal.slave)
    os.close(terminal.master)
    until = time.monotonic() + 10
    while (ended := os.waitpid(terminal.pid, os.WNOHANG)[0]) == 0 and time.monotonic() < until:
        time.sleep(0.05)
    check("it goes on without its terminal", ended)
    terminal = watch(pid, 24, 80)
    open(FILE, "w").close()
    check("the job has failed", job.wait(60) == 0)
    check("the job's end does not end it", terminal.end() == 0, terminal)
    told = f"job {pid} has ended: "
    check("the job's end is not told", any(line.startswith(told) for line in terminal.lines()),
          terminal)
    check("the terminal is left changed", terminal.is_restored())


def without_counters():
    """Without counters: what waiting ranks report."""
    job = start()
    pid = launcher(job)
    terminal = watch(pid, 24, 80)
    check("it does not say that counters are missing", terminal.wait(
        lambda lines: lines[1].startswith("no counters: the job runs without -profile")), terminal)
    check("rank 1's receive is missing", terminal.wait(
        lambda lines: any("MPI_Recv: a message from rank 0" in line for line in lines)), terminal)
    terminal.type(b"\x03")
    check("Ctrl-C does not end it", terminal.end() == 0)
    open(FILE, "w").close()
    check("the job has failed", job.wait(60) == 0)


try:
    ends(*figures())
    without_counters()
finally:
    # A job that is left after a failure ends.
    open(FILE, "w").close()
