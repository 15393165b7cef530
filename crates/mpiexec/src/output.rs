//! The output of the ranks on its way to the output of `mpiexec`, in whole lines.
//!
//! ```text
//!   rank's pipe ─▶ Lines ─▶ Sink ─▶ stdout or stderr
//!                             └─ of an agent: records ─▶ the parent's Sink
//!
//!   Lines   keeps the unfinished line
//!   Sink    keeps what the reader is too slow to take; passes output to files, if there are any
//! ```
//!
//! The order of a rank's lines never changes, and no line of another rank comes between the pieces
//! of a line. What cannot wait for its newline goes out *open*: the last line of a rank, a line
//! beyond [`HELD_BYTES_MAX`], and a question, after which the rank is silent, unless the line of
//! another rank is open. If another rank writes next, the sink ends
//! the open line first. The output of a single rank therefore passes through byte by byte, and
//! several ranks never share a line.
//!
//! A sink never blocks the launcher: it polls a pipe first, and writes pieces of at most `PIPE_BUF`
//! bytes, for which a writable pipe has room. While a sink holds more than [`FULL_BYTES`], the
//! ranks' pipes are not read, and ranks wait as on any slow pipe. An agent's sink also counts what
//! its parent has not passed on yet.

use crate::labels::Label;
use crate::output_files::{OutputFiles, Refused, append_lines};
use crate::repeats::Repeats;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::BorrowedFd;
use rustix::io::Errno;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// A longer unfinished line goes out in pieces.
const HELD_BYTES_MAX: usize = 1 << 20;
/// Above this size a sink is full and the ranks are not read. Below a quarter of it they are read
/// again.
const FULL_BYTES: usize = 1 << 20;
/// Lines of one rank are sent to the parent together up to this size.
const RECORD_BYTES: usize = 32 * 1024;
/// Bytes that a pipe which polls as writable takes without blocking (pipe(7)).
const PIPE_BUF: usize = 4096;

/// The unfinished line of one rank's stream.
#[derive(Debug)]
pub struct Lines {
    rank: u32,
    held: Vec<u8>,
    /// When the rank wrote last.
    fed: Option<Instant>,
}

impl Lines {
    pub fn new(rank: u32) -> Lines {
        Lines { rank, held: Vec::new(), fed: None }
    }

    /// Takes what the rank wrote and passes whole lines to the sink.
    pub fn feed(&mut self, bytes: &[u8], sink: &mut Sink) {
        self.fed = Some(Instant::now());
        match bytes.iter().rposition(|&byte| byte == b'\n') {
            Some(last) => {
                let (whole, rest) = bytes.split_at(last + 1);
                let held = std::mem::take(&mut self.held);
                sink.append(self.rank, &held);
                sink.append(self.rank, whole);
                self.held.extend_from_slice(rest);
            }
            None => self.held.extend_from_slice(bytes),
        }
        if self.held.len() > HELD_BYTES_MAX {
            self.release(sink);
        }
    }

    /// Returns when the unfinished line may go out as a question: when the rank has been silent for
    /// `silence`, and unless the line of another rank is open. `None` if no line is kept.
    pub fn question_at(&self, silence: Duration, sink: &Sink) -> Option<Instant> {
        let may = sink.records.is_some() || sink.may_open(self.rank);
        self.fed.filter(|_| may && !self.held.is_empty()).map(|fed| fed + silence)
    }

    /// Passes on the unfinished line.
    pub fn release(&mut self, sink: &mut Sink) {
        let held = std::mem::take(&mut self.held);
        sink.append(self.rank, &held);
    }
}

/// An output stream of the launcher, and what has not been written yet.
#[derive(Debug, Default)]
pub struct Sink {
    /// What stands before each line.
    label: Option<Label>,
    /// The files to which the output of the ranks goes.
    files: Option<OutputFiles>,
    /// Whether output that goes to files goes to the stream, too.
    copies: bool,
    /// The records for the parent, if this launcher is an agent.
    records: Option<Records>,
    pending: Vec<u8>,
    /// Bytes of `pending` that have been written.
    written_bytes: usize,
    /// The rank whose unfinished line was appended last.
    open: Option<u32>,
    /// Unfinished lines of ranks of other hosts that came while the line of another rank was open.
    put_off: Vec<(u32, Vec<u8>)>,
    /// The messages of the library that have been shown, if repetitions are left out.
    repeats: Option<Repeats>,
}

/// Output on its way to the parent launcher.
#[derive(Debug, Default)]
struct Records {
    waiting: VecDeque<(u32, Vec<u8>)>,
    waiting_bytes: usize,
    /// Bytes that have been sent and that the parent has not passed on.
    in_flight: usize,
}

/// The result of [`Sink::flush`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flushed {
    All,
    /// The reader is slow; flush again when the descriptor is writable.
    Blocked,
    /// No process reads the stream; pending output has been dropped.
    Closed,
    /// The stream takes nothing more, as on a full disk; pending output has been dropped.
    Failed(Errno),
}

impl Sink {
    /// Makes a sink for a stream of this process. With `files` output goes to these and, with
    /// `copies`, to the stream.
    pub fn of_stream(label: Option<Label>, files: Option<OutputFiles>, copies: bool) -> Sink {
        Sink { label, files, copies, ..Sink::default() }
    }

    /// Returns the file that has refused output, once.
    pub fn take_refused_file(&mut self) -> Option<Refused> {
        self.files.as_mut()?.take_refused()
    }

    /// Returns whether the sink writes to a stream of this process.
    pub fn is_of_stream(&self) -> bool {
        self.records.is_none()
    }

    /// Makes an agent's sink. Its parent tags lines and ends open ones.
    pub fn of_agent() -> Sink {
        Sink { records: Some(Records::default()), ..Sink::default() }
    }

    /// Appends output of `rank`, whose last line may be unfinished.
    pub fn append(&mut self, rank: u32, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        if let Some(records) = &mut self.records {
            return records.append(rank, bytes);
        }
        if let Some(files) = &mut self.files {
            files.append(rank, bytes);
            if !self.copies {
                return;
            }
        }
        // The rest of an unfinished line is no message.
        let left = match &mut self.repeats {
            Some(repeats) if self.open != Some(rank) => repeats.without(rank, bytes),
            _ => Cow::Borrowed(bytes),
        };
        if !left.is_empty() {
            append_lines(&mut self.pending, &mut self.open, self.label.as_ref(), rank, &left);
        }
    }

    /// Leaves out messages of the library that another rank has printed before, and tells which
    /// ranks have. Lines with labels and files of each rank stay whole.
    pub fn leave_out_repeats(&mut self) {
        let is_plain = self.label.is_none() && self.files.is_none() && self.records.is_none();
        self.repeats = is_plain.then(Repeats::default);
    }

    /// Returns when [`tell_repeats`](Self::tell_repeats) has something to tell.
    pub fn repeats_due(&self) -> Option<Instant> {
        self.repeats.as_ref()?.due()
    }

    /// Appends lines about the messages that have been left out.
    pub fn tell_repeats(&mut self) {
        let lines = self.repeats.as_mut().map_or_else(Vec::new, Repeats::tell);
        lines.iter().for_each(|line| self.say(line));
    }

    /// Appends output of a rank of another host. An agent passes an unfinished line on as a
    /// question, and does not know whether the line of a rank elsewhere is open: as long as it is,
    /// the question is put off.
    pub fn append_of_agent(&mut self, rank: u32, bytes: &[u8]) {
        if self.records.is_some() {
            return self.append(rank, bytes);
        }
        let place = self.put_off.iter().position(|(waiting, _)| *waiting == rank);
        let mut whole = place.map_or_else(Vec::new, |place| self.put_off.remove(place).1);
        whole.extend_from_slice(bytes);
        let end = whole.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let rest = whole.split_off(if whole.len() > HELD_BYTES_MAX { whole.len() } else { end });
        self.append(rank, &whole);
        if !rest.is_empty() {
            self.put_off.push((rank, rest));
        }
        while let Some(place) = self.put_off.iter().position(|(rank, _)| self.may_open(*rank)) {
            let (rank, question) = self.put_off.remove(place);
            self.append(rank, &question);
        }
    }

    /// Appends what has been put off, when nothing follows that could end the open line.
    pub fn append_put_off(&mut self) {
        for (rank, question) in std::mem::take(&mut self.put_off) {
            self.append(rank, &question);
        }
    }

    /// Returns whether an unfinished line of a rank may stand in the output now.
    fn may_open(&self, rank: u32) -> bool {
        self.open.is_none_or(|open| open == rank)
    }

    /// Appends a line of the launcher itself.
    pub fn say(&mut self, message: &str) {
        if self.open.take().is_some() {
            self.pending.push(b'\n');
        }
        self.pending.extend_from_slice(message.as_bytes());
        self.pending.push(b'\n');
    }

    /// Returns the next record for the parent, unless too much is under way to it.
    pub fn next_record(&mut self) -> Option<(u32, Vec<u8>)> {
        let records = self.records.as_mut().filter(|records| records.in_flight < FULL_BYTES)?;
        let record = records.waiting.pop_front()?;
        records.waiting_bytes -= record.1.len();
        records.in_flight += record.1.len();
        Some(record)
    }

    /// The parent has passed on this number of bytes.
    pub fn taken(&mut self, bytes: usize) {
        if let Some(records) = &mut self.records {
            records.in_flight = records.in_flight.saturating_sub(bytes);
        }
    }

    /// Returns whether everything has been written or sent.
    pub fn is_empty(&self) -> bool {
        self.written_bytes == self.pending.len()
            && self.records.as_ref().is_none_or(|records| records.waiting.is_empty())
    }

    /// Returns whether reading the ranks has to stop.
    pub fn is_full(&self) -> bool {
        self.held() > FULL_BYTES
    }

    /// Returns whether reading the ranks may resume.
    pub fn has_room_again(&self) -> bool {
        self.held() < FULL_BYTES / 4
    }

    /// Returns the bytes that the sink keeps or that the parent has not passed on.
    fn held(&self) -> usize {
        self.pending.len() - self.written_bytes
            + self.records.as_ref().map_or(0, |records| records.waiting_bytes + records.in_flight)
    }

    /// Writes to `stream` what it takes now. With `direct` (a regular file) it is not polled first.
    pub fn flush(&mut self, stream: BorrowedFd<'_>, direct: bool) -> Flushed {
        while self.written_bytes < self.pending.len() {
            let rest = &self.pending[self.written_bytes..];
            let piece = if direct { rest } else { piece_of(rest) };
            if !direct && !is_writable(stream) {
                return self.compact();
            }
            match rustix::io::write(stream, piece) {
                Ok(written) => self.written_bytes += written,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return self.compact(),
                Err(refused) => {
                    self.discard();
                    return match refused {
                        Errno::PIPE | Errno::CONNRESET => Flushed::Closed,
                        // A terminal that has hung up.
                        Errno::IO if !direct => Flushed::Closed,
                        _ => Flushed::Failed(refused),
                    };
                }
            }
        }
        self.pending.clear();
        self.written_bytes = 0;
        Flushed::All
    }

    /// Drops what has not been written.
    pub fn discard(&mut self) {
        self.pending.clear();
        self.put_off.clear();
        self.written_bytes = 0;
        if let Some(records) = &mut self.records {
            *records = Records::default();
        }
    }

    /// Drops written bytes from `pending` before the sink waits for its reader.
    fn compact(&mut self) -> Flushed {
        // Moving the rest costs as much as the rest is long, so it is moved only when the written
        // part is longer.
        if self.written_bytes > self.pending.len() / 2 {
            self.pending.drain(..self.written_bytes);
            self.written_bytes = 0;
        }
        Flushed::Blocked
    }
}

impl Records {
    fn append(&mut self, rank: u32, bytes: &[u8]) {
        self.waiting_bytes += bytes.len();
        match self.waiting.back_mut().filter(|last| last.0 == rank && last.1.len() < RECORD_BYTES) {
            Some(last) => last.1.extend_from_slice(bytes),
            None => self.waiting.push_back((rank, bytes.to_vec())),
        }
    }
}

/// Returns what one write to a pipe carries: whole lines if they fit, because standard error may
/// share the pipe with standard output.
fn piece_of(rest: &[u8]) -> &[u8] {
    let most = &rest[..rest.len().min(PIPE_BUF)];
    match most.iter().rposition(|&byte| byte == b'\n') {
        Some(end) => &most[..=end],
        None => most,
    }
}

/// Returns whether a pipe has room.
fn is_writable(stream: BorrowedFd<'_>) -> bool {
    let mut interest = [PollFd::from_borrowed_fd(stream, PollFlags::OUT)];
    rustix::event::poll(&mut interest, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::labels::{Pattern, RankTable};
    use std::io::Read;
    use std::os::fd::AsFd;
    use std::rc::Rc;

    fn text(sink: &Sink) -> &str {
        std::str::from_utf8(&sink.pending).unwrap()
    }

    #[test]
    fn a_repeated_message_leaves_nothing_but_a_line() {
        let message = |rank| format!("nemesis: no\n  who   rank {rank}\n").into_bytes();
        let mut sink = Sink::of_stream(None, None, false);
        sink.leave_out_repeats();
        (0..3).for_each(|rank| sink.append(rank, &message(rank)));
        sink.tell_repeats();
        let told = "nemesis: no\n  who   rank 0\nmpiexec: 2 other ranks (1, 2) have printed the \
                    same message, left out here: no\n";
        assert_eq!(String::from_utf8_lossy(&sink.pending), told);
    }

    #[test]
    fn a_line_is_kept_until_its_end() {
        let table = RankTable::new(4, [("a", (0..4).collect())], |_| 0);
        let prefix = Pattern::read("x", "[%r] ").unwrap();
        let label = Label::new(Rc::new(table), Some(prefix), false);
        let mut sink = Sink::of_stream(Some(label), None, false);
        let mut lines = Lines::new(3);
        lines.feed(b"one\ntw", &mut sink);
        assert_eq!(text(&sink), "[3] one\n");
        lines.feed(b"o", &mut sink);
        assert_eq!(text(&sink), "[3] one\n");
        lines.feed(b"!\nthree\nfo", &mut sink);
        assert_eq!(text(&sink), "[3] one\n[3] two!\n[3] three\n");
        lines.release(&mut sink);
        assert_eq!(text(&sink), "[3] one\n[3] two!\n[3] three\n[3] fo");
    }

    #[test]
    fn an_open_line_is_continued_or_ended() {
        let mut sink = Sink::default();
        let (mut a, mut b) = (Lines::new(0), Lines::new(1));
        a.feed(b"name? ", &mut sink);
        a.release(&mut sink);
        a.feed(b"thanks\n", &mut sink);
        assert_eq!(text(&sink), "name? thanks\n");
        a.feed(b"and", &mut sink);
        a.release(&mut sink);
        b.feed(b"me\n", &mut sink);
        assert_eq!(text(&sink), "name? thanks\nand\nme\n");
        a.feed(b"x", &mut sink);
        a.release(&mut sink);
        sink.say("mpiexec: done");
        assert!(text(&sink).ends_with("x\nmpiexec: done\n"));
    }

    #[test]
    fn a_question_waits_for_the_open_line_of_another_rank() {
        let mut sink = Sink::default();
        let (mut a, mut b) = (Lines::new(0), Lines::new(1));
        a.feed(b"a? ", &mut sink);
        b.feed(b"b? ", &mut sink);
        let asks = |lines: &Lines, sink: &Sink| lines.question_at(Duration::ZERO, sink).is_some();
        assert!(asks(&a, &sink) && asks(&b, &sink));
        a.release(&mut sink);
        assert!(!asks(&a, &sink) && !asks(&b, &sink));
        a.feed(b"yes\n", &mut sink);
        assert!(!asks(&a, &sink) && asks(&b, &sink));
    }

    #[test]
    fn a_question_of_another_host_waits_until_no_line_is_open() {
        let mut sink = Sink::default();
        let mut here = Lines::new(0);
        here.feed(b"here? ", &mut sink);
        here.release(&mut sink);
        sink.append_of_agent(5, b"there? ");
        sink.append_of_agent(6, b"a line\nand? ");
        assert_eq!(text(&sink), "here? \na line\nthere? ", "a whole line ends the open one");
        sink.append_of_agent(5, b"yes\n");
        assert_eq!(text(&sink), "here? \na line\nthere? yes\nand? ");
        sink.append_of_agent(5, b"last");
        sink.append_of_agent(5, b" words");
        assert!(text(&sink).ends_with("yes\nand? "));
        sink.append_put_off();
        assert!(text(&sink).ends_with("and? \nlast words"));
        sink.append_of_agent(7, &[b'x'; HELD_BYTES_MAX + 1]);
        assert!(text(&sink).ends_with('x'), "memory is bounded");
    }

    #[test]
    fn memory_is_bounded_without_newlines() {
        let mut sink = Sink::default();
        let mut lines = Lines::new(0);
        for _ in 0..HELD_BYTES_MAX / 1000 + 2 {
            lines.feed(&[b'x'; 1000], &mut sink);
        }
        assert!(sink.is_full());
        assert!(lines.held.len() <= HELD_BYTES_MAX);
    }

    #[test]
    fn a_slow_pipe_blocks_the_sink_only_and_everything_arrives() {
        let (mut reader, writer) = std::io::pipe().unwrap();
        let mut sink = Sink::default();
        let mut lines = Lines::new(0);
        let sent: Vec<u8> =
            (0..40_000).flat_map(|number| format!("{number}\n").into_bytes()).collect();
        lines.feed(&sent, &mut sink);
        assert_eq!(sink.flush(writer.as_fd(), false), Flushed::Blocked);
        let received = std::thread::spawn(move || {
            let mut received = Vec::new();
            reader.read_to_end(&mut received).unwrap();
            received
        });
        while sink.flush(writer.as_fd(), false) == Flushed::Blocked {
            std::thread::yield_now();
        }
        drop(writer);
        assert!(received.join().unwrap() == sent);
    }

    #[test]
    fn a_closed_pipe_is_reported() {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut sink = Sink::default();
        sink.say("no process reads this");
        assert_eq!(sink.flush(writer.as_fd(), false), Flushed::Closed);
        assert!(sink.is_empty());
    }

    #[test]
    fn an_agent_sends_output_as_far_as_its_parent_takes_it() {
        let mut sink = Sink::of_agent();
        let mut lines = Lines::new(7);
        while !sink.is_full() {
            lines.feed(&[b"x".repeat(9999).as_slice(), b"\n"].concat(), &mut sink);
        }
        let mut sent = 0;
        while let Some((rank, bytes)) = sink.next_record() {
            assert_eq!((rank, bytes.last()), (7, Some(&b'\n')));
            sent += bytes.len();
        }
        assert!(sent > FULL_BYTES && sink.is_full() && sink.is_empty());
        sink.taken(sent);
        assert!(sink.has_room_again());
    }
}
