//! What arriving packets do to the receives and sends of a process, without an endpoint: which
//! operation is complete, with which status, and what is left for the engine to send.

use super::*;
use crate::abi;
use crate::communicators::Communicators;
use crate::context::Context;
use crate::envelope::Wanted;
use crate::handle::Handle;
use crate::matching::{ANY_RANK, ANY_TAG, InlineReceive};
use crate::packet::{AT_ONCE, data_header};
use crate::peer_failure;
use crate::pt2pt::PointToPoint;
use crate::request::{Activity, Completion, Compound, Holder, Request, Role, Template};
use crate::scratch::scratch_bytes;
use nemesis::Fault;
use nemesis_datatype::{Buffer, Contiguous};

const CONTEXT: Context = Context(8);
/// The process from which packets come, unless a test says otherwise.
const PEER: u32 = 3;

/// A process whose packets come from the test.
struct Process {
    pt2pt: PointToPoint,
    comms: Communicators,
}

impl Process {
    fn new() -> Process {
        let mut pt2pt = PointToPoint::new();
        pt2pt.core.unexpected_max_bytes = usize::MAX;
        Process { pt2pt, comms: Communicators::new() }
    }

    /// Starts a receive. Returns its request, or its status if it is complete.
    fn start(
        &mut self,
        buffer: &Buffer,
        rank: u32,
        tag: i32,
    ) -> Result<handle::Request, Completion> {
        let pattern = Pattern { context: CONTEXT, rank, tag };
        let from = Some(rank).filter(|&rank| rank != ANY_RANK);
        // No communicator: what a loss means is checked by those of `communicators`.
        let wanted = Wanted { comm: handle::Comm::NULL, pattern, from };
        self.pt2pt.start_receive(&self.comms, buffer, wanted).expect("a receive is started")
    }

    /// Posts a receive of at most `room` bytes.
    fn post(&mut self, room: usize, rank: u32, tag: i32) -> (handle::Request, Buffer) {
        let buffer = scratch_bytes(room).expect("memory");
        (self.start(&buffer, rank, tag).expect("no message is there"), buffer)
    }

    /// Adds a request of a send or of a part.
    fn add(&mut self, activity: Activity) -> handle::Request {
        self.pt2pt.new_request(Request::new(handle::Comm::NULL, activity)).expect("a handle")
    }

    /// Adds an announced send of some bytes to [`PEER`].
    fn announce(&mut self, bytes: usize) -> handle::Request {
        let buffer = scratch_bytes(bytes).expect("memory");
        self.add(Activity::Announced { buffer, to: PEER, tag: None })
    }

    /// Takes in a packet of [`PEER`].
    fn takes(&mut self, header: Header, payload: &[u8]) {
        self.pt2pt.core.packet(Packet { origin: PEER, header, payload });
    }

    fn takes_eager(&mut self, tag: i32, payload: &[u8]) {
        self.takes(message_header(kind::EAGER, tag), payload);
    }

    /// Takes in the announcement of a message of `bytes` bytes, whose send is request `sender`.
    fn takes_announcement(&mut self, tag: i32, bytes: u64, sender: u64) {
        self.takes(message_header(kind::RTS, tag), &words(&[bytes, sender, 0]));
    }

    fn takes_control(&mut self, kind: u8, flags: u8, content: &[u64]) {
        self.takes(Header { kind, flags, ..Header::default() }, &words(content));
    }

    fn is_complete(&self, request: handle::Request) -> bool {
        self.pt2pt.is_complete(request).expect("a request")
    }

    /// Takes the status of a complete request, whose handle becomes null.
    fn collect(&mut self, mut request: handle::Request) -> Completion {
        assert!(self.is_complete(request));
        let completion = self.pt2pt.collect(&mut request).expect("a request");
        assert!(request.is_null());
        completion
    }

    /// Takes the tasks of the engine, in words.
    fn tasks(&mut self) -> Vec<String> {
        self.pt2pt.core.tasks.drain(..).map(|task| in_words(&task)).collect()
    }
}

fn in_words(task: &Task) -> String {
    match task {
        Task::Reply { to, kind, words } => format!("reply {kind} to {to}: {words:?}"),
        Task::Fetch { origin, announcement, .. } => {
            format!("fetch {} bytes of {origin}", announcement.bytes)
        }
        Task::Throttle { to, hold_back } => format!("throttle {to}: {hold_back}"),
        other => format!("{other:?}"),
    }
}

fn message_header(kind: u8, tag: i32) -> Header {
    Header { kind, context: CONTEXT.0, rank: PEER, tag, ..Header::default() }
}

fn words(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn bytes_of(buffer: &Buffer) -> &[u8] {
    buffer.as_bytes().expect("contiguous bytes")
}

/// Source, tag, bytes, and the class of the error, if there is one.
fn status(completion: &Completion) -> (i32, i32, u64, Option<i32>) {
    let class = completion.error.as_ref().map(|error| error.class.value());
    (completion.source, completion.tag, completion.bytes, class)
}

#[test]
fn messages_of_one_source_are_received_in_the_order_of_the_receives() {
    let mut process = Process::new();
    let (first, one) = process.post(4, ANY_RANK, ANY_TAG);
    let (second, two) = process.post(4, PEER, 7);
    process.takes_eager(7, b"ab");
    assert!(process.is_complete(first) && !process.is_complete(second));
    process.takes_eager(7, b"cdef");
    assert_eq!(status(&process.collect(first)), (3, 7, 2, None));
    assert_eq!(status(&process.collect(second)), (3, 7, 4, None));
    assert_eq!((bytes_of(&one), bytes_of(&two)), (&b"ab\0\0"[..], &b"cdef"[..]));
}

#[test]
fn a_message_that_is_too_long_fills_the_buffer_and_fails_the_receive() {
    let mut process = Process::new();
    let (request, buffer) = process.post(3, PEER, 1);
    process.takes_eager(1, b"abcdef");
    let truncated = Some(abi::MPI_ERR_TRUNCATE.value());
    assert_eq!(status(&process.collect(request)), (3, 1, 3, truncated));
    assert_eq!(bytes_of(&buffer), b"abc");
    process.takes_eager(2, b"abcd");
    let kept = process.start(&buffer, PEER, 2).expect_err("the message is there");
    assert_eq!(status(&kept), (3, 2, 3, truncated));
}

#[test]
fn an_early_message_waits_for_its_receive() {
    let mut process = Process::new();
    process.takes_eager(5, b"early");
    let (other, _) = process.post(5, PEER, 6);
    let buffer = scratch_bytes(8).unwrap();
    let received = process.start(&buffer, ANY_RANK, 5).expect_err("the message is there");
    assert_eq!(status(&received), (3, 5, 5, None));
    assert_eq!(&bytes_of(&buffer)[..5], b"early");
    assert!(!process.is_complete(other) && process.pt2pt.core.bytes_kept() == 0);
}

#[test]
fn an_announced_message_is_complete_with_its_last_byte_whatever_the_order() {
    let mut process = Process::new();
    let (request, buffer) = process.post(9, PEER, 1);
    process.takes_announcement(1, 6, 70);
    assert_eq!(process.tasks(), ["fetch 6 bytes of 3"]);
    let (kind, asked) = process.pt2pt.core.clear_to_send(request, 70);
    assert_eq!((kind, asked), (kind::CTS, [70, request.bits() as u64, 6]));
    for (offset, part) in [(4, &b"ef"[..]), (0, b"ab"), (2, b"cd")] {
        assert!(!process.is_complete(request), "before the part at {offset}");
        process.takes(data_header(request.bits() as u64, offset), part);
    }
    assert_eq!(status(&process.collect(request)), (3, 1, 6, None));
    assert_eq!(bytes_of(&buffer), b"abcdef\0\0\0");
}

#[test]
fn no_more_of_an_announced_message_is_asked_for_than_the_receive_has_room_for() {
    let mut process = Process::new();
    let (request, _) = process.post(4, PEER, 1);
    process.takes_announcement(1, 1 << 40, 70);
    let (_, asked) = process.pt2pt.core.clear_to_send(request, 70);
    assert_eq!(asked[2], 4);
    process.takes(data_header(request.bits() as u64, 0), b"abcd");
    let truncated = Some(abi::MPI_ERR_TRUNCATE.value());
    assert_eq!(status(&process.collect(request)), (3, 1, 4, truncated));
}

#[test]
#[should_panic(expected = "a packet is invalid")]
fn bytes_beyond_an_announced_message_are_refused() {
    let mut process = Process::new();
    let (request, _) = process.post(4, PEER, 1);
    process.takes_announcement(1, 4, 70);
    process.takes(data_header(request.bits() as u64, 3), b"de");
}

#[test]
#[should_panic(expected = "a packet is invalid")]
fn bytes_for_a_receive_that_waits_for_no_bytes_are_refused() {
    let mut process = Process::new();
    let (request, _) = process.post(4, PEER, 1);
    process.takes(data_header(request.bits() as u64, 0), b"ab");
}

#[test]
fn a_sender_that_has_no_data_fails_the_receive() {
    let mut process = Process::new();
    let (posted, _) = process.post(4, PEER, 1);
    process.takes_announcement(1, 4, Announcement::NO_SENDER);
    let aborted = Some(abi::MPI_ERR_PROC_ABORTED.value());
    assert_eq!(status(&process.collect(posted)).3, aborted);
    process.takes_announcement(2, 4, Announcement::NO_SENDER);
    let (late, _) = process.post(4, PEER, 2);
    assert_eq!(status(&process.collect(late)).3, aborted);
    assert!(process.tasks().is_empty(), "nobody is asked for bytes");
}

#[test]
fn a_send_is_complete_when_its_receiver_has_the_bytes() {
    let mut process = Process::new();
    let (one, two) = (process.announce(8), process.announce(8));
    process.takes_control(kind::DONE, 0, &[two.bits() as u64, 0, 0]);
    assert!(process.is_complete(two) && !process.is_complete(one));
    assert_eq!(status(&process.collect(two)), status(&Completion::EMPTY));
}

#[test]
fn a_receiver_gets_as_many_bytes_as_it_asks_for_and_no_more_than_there_are() {
    for (asked, expected) in [(3, 3), (8, 8), (u64::MAX, 8)] {
        let mut process = Process::new();
        let send = process.announce(8);
        process.takes_control(kind::CTS, BULK, &[send.bits() as u64, 12, asked]);
        let request = process.pt2pt.request(send).unwrap();
        let Activity::Streaming { wanted, sent: 0, receiver: 12, in_bulk: true, .. } =
            request.activity
        else {
            panic!("{request:?}")
        };
        assert_eq!(wanted, expected);
        assert_eq!(process.pt2pt.core.streams, [send]);
    }
}

#[test]
#[should_panic(expected = "a packet is invalid")]
fn the_bytes_of_a_send_are_asked_for_once() {
    let mut process = Process::new();
    let send = process.announce(8);
    process.takes_control(kind::CTS, 0, &[send.bits() as u64, 12, 8]);
    process.takes_control(kind::CTS, 0, &[send.bits() as u64, 12, 8]);
}

#[test]
fn the_last_bulk_payload_that_leaves_completes_the_send() {
    let mut process = Process::new();
    let send = process.announce(8);
    process.takes_control(kind::CTS, BULK, &[send.bits() as u64, 12, 8]);
    let core = &mut process.pt2pt.core;
    if let Activity::Streaming { sent, bulk_pending, .. } =
        &mut core.requests.get_mut(send).unwrap().activity
    {
        (*sent, *bulk_pending) = (8, 2);
    }
    core.completed(send.bits() as Token, Ok(()));
    assert!(!core.requests.get(send).unwrap().is_done());
    core.completed(send.bits() as Token, Ok(()));
    assert!(core.requests.get(send).unwrap().is_done());
}

#[test]
fn an_announcement_is_withdrawn_unless_a_receive_has_taken_it() {
    let mut process = Process::new();
    process.takes_announcement(1, 6, 70);
    process.takes_announcement(1, 6, 71);
    process.takes_control(kind::CANCEL, 0, &[71, 0, 0]);
    let (request, _) = process.post(6, PEER, 1);
    process.takes_control(kind::CANCEL, 0, &[70, 0, 0]);
    let answer =
        |sender: u64, done: u64| format!("reply {} to 3: [{sender}, {done}, 0]", kind::CANCELLED);
    assert_eq!(process.tasks(), [answer(71, 1), "fetch 6 bytes of 3".into(), answer(70, 0)]);
    assert!(!process.is_complete(request), "the message is still received");
}

#[test]
fn a_send_is_cancelled_or_received_but_not_both() {
    let mut process = Process::new();
    let (gone, taken) = (process.announce(8), process.announce(8));
    process.takes_control(kind::CANCELLED, 0, &[gone.bits() as u64, 1, 0]);
    process.takes_control(kind::CANCELLED, 0, &[taken.bits() as u64, 0, 0]);
    assert!(process.collect(gone).cancelled && !process.is_complete(taken));
    process.takes_control(kind::DONE, 0, &[taken.bits() as u64, 0, 0]);
    assert!(!process.collect(taken).cancelled);
}

#[test]
fn a_send_on_a_revoked_communicator_keeps_its_memory_until_nobody_reads_it() {
    let mut process = Process::new();
    let sends = [(); 4].map(|()| process.announce(8));
    let [forgotten, asked, read, not_revoked] = sends;
    for send in [forgotten, asked, read] {
        let request = process.pt2pt.core.requests.get_mut(send).unwrap();
        assert!(request.activity.lets_others_use_memory());
        request.completion.error = Some(peer_failure::revoked());
    }
    process.takes_control(kind::CANCELLED, 0, &[read.bits() as u64, 0, 0]);
    assert!(!process.is_complete(read), "the receiver reads it");
    process.takes_control(kind::DONE, 0, &[read.bits() as u64, 0, 0]);
    process.takes_control(kind::CANCELLED, 0, &[forgotten.bits() as u64, 1, 0]);
    process.takes_control(kind::CTS, 0, &[asked.bits() as u64, 12, 8]);
    // The receive has ended because the communicator is revoked, of which this process has not
    // heard.
    process.takes_control(kind::CANCELLED, 0, &[not_revoked.bits() as u64, 1, 1]);
    for send in sends {
        let completion = process.collect(send);
        assert!(!completion.cancelled);
        let class = completion.error.map(|error| error.class);
        assert_eq!(class, Some(abi::MPIX_ERR_REVOKED));
    }
    assert!(process.pt2pt.core.streams.is_empty(), "nothing is sent");
}

#[test]
fn a_sender_of_many_early_messages_is_held_back_until_half_of_them_are_received() {
    let mut process = Process::new();
    process.pt2pt.core.unexpected_max_bytes = 4 * 1128;
    for number in 0..6 {
        process.takes_eager(number, &[7; 1000]);
    }
    assert_eq!(process.tasks(), ["throttle 3: true"], "once, at the fifth message");
    let buffer = scratch_bytes(1000).unwrap();
    for number in 0..3 {
        process.start(&buffer, PEER, number).expect_err("the message is there");
        assert!(process.tasks().is_empty(), "more than half of the limit is kept");
    }
    process.start(&buffer, PEER, 3).expect_err("the message is there");
    assert_eq!(process.tasks(), ["throttle 3: false"]);
}

#[test]
fn a_loss_ends_what_the_process_could_have_ended() {
    let mut process = Process::new();
    let (lost, _) = process.post(4, PEER, 1);
    let (any, _) = process.post(4, ANY_RANK, 1);
    let (other, _) = process.post(4, PEER + 1, 1);
    let (arriving, _) = process.post(4, PEER, 2);
    process.takes_announcement(2, 4, 70);
    let send = process.announce(8);
    let failure = Failure::new(Fault::Lost, "the test cuts the cable").about(PEER);
    process.pt2pt.core.lost(PEER, &failure);
    for request in [lost, any, arriving, send] {
        let error = process.collect(request).error.expect("an error");
        assert_eq!(error.class, abi::MPI_ERR_PROC_ABORTED);
        assert!(error.why.contains("process 3") && error.why.contains("the cable"), "{error:?}");
    }
    assert!(!process.is_complete(other));
    process.pt2pt.core.packet(Packet {
        origin: PEER + 1,
        header: Header { rank: PEER + 1, ..message_header(kind::EAGER, 1) },
        payload: b"well",
    });
    assert_eq!(status(&process.collect(other)), (4, 1, 4, None));
}

#[test]
fn bulk_payloads_go_straight_into_a_buffer_that_has_room_for_them() {
    let mut process = Process::new();
    let (request, buffer) = process.post(4, PEER, 1);
    let header = message_header(kind::EAGER_BULK, 1);
    let mut place = process.pt2pt.core.place(PEER, &header, &[], 4).expect("a place");
    place.write(0, b"abcd");
    assert_eq!(bytes_of(&buffer), b"abcd");
    assert!(!process.is_complete(request), "the end has not been told");
    process.takes(header, &[]);
    assert_eq!(status(&process.collect(request)), (3, 1, 4, None));
}

#[test]
fn bulk_payloads_that_are_too_long_fail_the_receive() {
    let mut process = Process::new();
    let (request, buffer) = process.post(4, PEER, 1);
    let header = message_header(kind::EAGER_BULK, 1);
    process.pt2pt.core.place(PEER, &header, &[], 6).expect("a place").write(0, b"abcdef");
    process.takes(header, &[]);
    let truncated = Some(abi::MPI_ERR_TRUNCATE.value());
    assert_eq!(status(&process.collect(request)), (3, 1, 4, truncated));
    assert_eq!(bytes_of(&buffer), b"abcd");
}

#[test]
fn an_early_bulk_payload_is_received_before_and_after_its_end() {
    for is_received_first in [true, false] {
        let mut process = Process::new();
        let header = message_header(kind::EAGER_BULK, 1);
        let mut place = process.pt2pt.core.place(PEER, &header, &[], 4).expect("a place");
        let buffer = scratch_bytes(4).unwrap();
        let started = is_received_first.then(|| process.start(&buffer, PEER, 1));
        place.write(0, b"abcd");
        drop(place);
        process.takes(header, &[]);
        let completion = match started {
            Some(request) => process.collect(request.expect("the bytes are not here")),
            None => process.start(&buffer, PEER, 1).expect_err("all bytes are here"),
        };
        assert_eq!((status(&completion), bytes_of(&buffer)), ((3, 1, 4, None), &b"abcd"[..]));
    }
}

#[test]
fn an_exchange_is_complete_with_both_parts_and_has_the_status_of_the_receive() {
    for receive_is_first in [true, false] {
        let mut process = Process::new();
        let compound = Compound { remaining: 2, role: Role::Exchange };
        let whole = process.add(Activity::Compound(Box::new(compound)));
        let send = process.announce(8);
        let (receive, _) = process.post(4, PEER, 1);
        for part in [send, receive] {
            process.pt2pt.adopt(whole, part).unwrap();
        }
        for is_receive in [receive_is_first, !receive_is_first] {
            assert!(!process.is_complete(whole));
            match is_receive {
                true => process.takes_eager(1, b"abc"),
                false => process.takes_control(kind::DONE, 0, &[send.bits() as u64, 0, 0]),
            }
        }
        assert_eq!(status(&process.collect(whole)), (3, 1, 3, None));
        assert_eq!(process.pt2pt.core.requests.iter().count(), 0, "the parts are gone");
    }
}

#[test]
fn a_freed_request_vanishes_when_its_operation_ends() {
    let mut process = Process::new();
    let (request, buffer) = process.post(4, PEER, 1);
    process.pt2pt.request_mut(request).unwrap().holder = Holder::Nobody;
    assert!(process.pt2pt.request(request).is_ok());
    process.takes_eager(1, b"abcd");
    let error = process.pt2pt.request(request).unwrap_err();
    assert_eq!((error.class, bytes_of(&buffer)), (abi::MPI_ERR_REQUEST, &b"abcd"[..]));
}

#[test]
fn a_persistent_request_is_complete_and_empty_while_it_is_inactive() {
    let mut process = Process::new();
    let template = Template::Nothing(Completion::PROC_NULL);
    let request = Request::persistent(handle::Comm::NULL, template);
    let mut handle = process.pt2pt.new_request(request).unwrap();
    for _ in 0..2 {
        assert!(process.is_complete(handle) && !process.pt2pt.is_active(handle).unwrap());
        let inactive = process.pt2pt.collect(&mut handle).unwrap();
        assert_eq!(status(&inactive), status(&Completion::EMPTY));
        let (operation, _) = process.post(4, PEER, 1);
        let persistent = process.pt2pt.request_mut(handle).unwrap().persistent.as_mut().unwrap();
        (persistent.operation, persistent.active) = (Some(operation), true);
        assert!(!process.is_complete(handle) && process.pt2pt.is_active(handle).unwrap());
        process.takes_eager(1, b"ab");
        assert_eq!(status(&process.pt2pt.peek(handle).unwrap()), (3, 1, 2, None));
        assert_eq!(status(&process.pt2pt.collect(&mut handle).unwrap()), (3, 1, 2, None));
        assert!(!handle.is_null(), "the handle lives on");
    }
}

#[test]
fn an_inline_receive_keeps_its_name_when_it_becomes_a_request() {
    let mut process = Process::new();
    let place = Contiguous::of_static(vec![0; 4].leak()).expect("a short receive");
    let pattern = Pattern { context: CONTEXT, rank: PEER, tag: 1 };
    let receive = InlineReceive { place, comm: handle::Comm::NULL.0 as u32, from: PEER };
    let core = &mut process.pt2pt.core;
    let names = [(); 3].map(|()| core.posted.post_inline(pattern, receive).expect("a name"));
    // The second one becomes a request while it waits, and keeps its turn.
    let request = core.request_of(names[1]);
    assert!(request != names[1] && core.request_of(names[1]) == request);
    process.takes_eager(1, b"a");
    process.takes_announcement(1, 2, 70);
    assert_eq!(
        [0, 1, 2].map(|index: usize| process.is_complete(names[index])),
        [true, false, false]
    );
    process.takes(data_header(request.bits() as u64, 0), b"bc");
    assert_eq!(status(&process.collect(names[1])), (3, 1, 2, None));
    assert_eq!(status(&process.collect(names[0])), (3, 1, 1, None));
    process.takes_eager(1, b"defgh");
    let truncated = Some(abi::MPI_ERR_TRUNCATE.value());
    assert_eq!(status(&process.collect(names[2])), (3, 1, 4, truncated));
    assert_eq!(process.pt2pt.request(names[2]).unwrap_err().class, abi::MPI_ERR_REQUEST);
}

#[test]
fn a_given_up_receive_takes_no_message() {
    let mut process = Process::new();
    let (request, buffer) = process.post(4, PEER, 1);
    process.pt2pt.give_up(request);
    process.takes_eager(1, b"abcd");
    assert!(process.pt2pt.request(request).is_err() && bytes_of(&buffer) == [0; 4]);
    assert_eq!(process.pt2pt.core.unexpected.levels().now, 1, "the message waits for another");
}

#[test]
fn only_messages_to_be_read_at_once_are_read_without_a_receive() {
    let mut process = Process::new();
    let at_once = Header { flags: AT_ONCE, ..message_header(kind::RTS, 5) };
    process.takes(at_once, &words(&[3, 70, 0x1000]));
    process.takes_announcement(6, 3, 71);
    assert_eq!(process.pt2pt.core.unread, [(PEER, 70)]);
    let core = &mut process.pt2pt.core;
    let before = core.bytes_kept();
    let read = |_: &Announcement| Some(Box::from(*b"abc"));
    assert!(!core.read_unexpected(PEER, 71, read) && !core.read_unexpected(PEER + 1, 70, read));
    assert!(!core.read_unexpected(PEER, 70, |_| None));
    assert!(core.read_unexpected(PEER, 70, read) && !core.read_unexpected(PEER, 70, read));
    assert_eq!(core.bytes_kept(), before + 3);
    let buffer = scratch_bytes(3).expect("memory");
    let completion = process.start(&buffer, PEER, 5).expect_err("the message is there");
    assert_eq!((completion.bytes, bytes_of(&buffer)), (3, &b"abc"[..]));
}
