"""Drives a program in a pseudo-terminal and keeps the screen that a user would see.

Understands the control sequences that `nemesis top` writes: positions, erasing, the alternate
screen and the cursor; colours are skipped."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

SEQUENCE = re.compile(rb"\x1b(?:\[([?>=!]?)([\d;:]*)([A-Za-z])|[()].|[A-Za-z0-9=>])")


class Terminal:
    """A terminal of rows and columns in which a program runs."""

    def __init__(self, words, rows, columns):
        self.master, slave = pty.openpty()
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.alternate, self.cursor, self.cells, self.left = False, True, {}, b""
        self.row = self.column = 0
        self.saved = 0, 0
        self.resize(rows, columns)
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.master)
            os.environ["TERM"] = "xterm-256color"
            self.login(slave)
            # Ignored, as under nohup: the program must restore the default by itself.
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            os.execvp(words[0], words)

    @staticmethod
    def login(slave):
        """Makes the terminal that of this process."""
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for number in range(3):
            os.dup2(slave, number)

    def resize(self, rows, columns):
        """Changes the size; the kernel sends SIGWINCH to the program."""
        self.rows, self.columns = rows, columns
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys):
        os.write(self.master, keys)

    def lines(self):
        """Returns the lines of the screen."""
        cell = self.cells.get
        return ["".join(cell((row, column), " ") for column in range(self.columns)).rstrip()
                for row in range(self.rows)]

    def clear(self):
        """Forgets what is on the screen."""
        self.cells = {}

    def read(self, seconds):
        """Shows what the program writes in this time."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if select.select([self.master], [], [], left)[0]:
                try:
                    self.show(os.read(self.master, 65536))
                except OSError:
                    return

    def wait(self, condition, seconds=20):
        """Reads until the condition on the lines holds. Returns whether it does."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if condition(self.lines()):
                return True
            self.read(0.1)
        return condition(self.lines())

    def end(self, seconds=10):
        """Waits for the program's end. Returns its exit code, or None if it goes on."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.read(0.1)
                return os.waitstatus_to_exitcode(status)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        return None

    def is_restored(self):
        """Whether the terminal is as it was before the program."""
        return (termios.tcgetattr(self.slave) == self.before and not self.alternate and self.cursor)

    def show(self, text):
        text = self.left + text
        self.left = b""
        place = 0
        while place < len(text):
            if text[place] == 0x1B:
                found = SEQUENCE.match(text, place)
                if not found:
                    # The rest of the sequence has not arrived.
                    self.left = text[place:]
                    return
                self.control(*found.groups())
                place = found.end()
                continue
            end = next((at for at in range(place + 1, len(text)) if text[at] < 32), len(text))
            self.write(text[place:end])
            place = end

    def write(self, text):
        for letter in text.decode(errors="replace"):
            if letter == "\r":
                self.column = 0
            elif letter == "\n" and self.row + 1 < self.rows:
                self.row += 1
            elif letter == "\n":
                self.cells = {(row - 1, column): it for (row, column), it in self.cells.items()}
            else:
                self.cells[self.row, self.column] = letter
                self.column += 1

    def control(self, kind, numbers, letter):
        numbers = [int(number) for number in re.findall(rb"\d+", numbers or b"")]
        first = numbers[0] if numbers else 0
        if kind == b"?" and letter in (b"h", b"l"):
            if 1049 in numbers:
                self.alternate, self.cells = letter == b"h", {}
                if self.alternate:
                    self.saved = self.row, self.column
                else:
                    self.row, self.column = self.saved
            if 25 in numbers:
                self.cursor = letter == b"h"
        elif letter in (b"H", b"f"):
            self.row = max(first, 1) - 1
            self.column = (numbers[1] if len(numbers) > 1 else 1) - 1
        elif letter == b"J" and first == 2:
            self.cells = {}
        elif letter == b"J":
            self.erase(lambda row, column: (row, column) >= (self.row, self.column))
        elif letter == b"K":
            self.erase(lambda row, column: row == self.row and column >= self.column)

    def erase(self, is_erased):
        self.cells = {place: it for place, it in self.cells.items() if not is_erased(*place)}
