//! An encrypted connection between the host of a port and a guest.

use super::HASH_BYTES;
use nemesis_cipher::socket::Moved;
use nemesis_cipher::{CHANGED, CHANGED_WORDS, Cipher};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::{AsFd, BorrowedFd};
use std::io::{self, ErrorKind, IoSlice};
use std::net::TcpStream;

/// Longest record.
const RECORD_BYTES_MAX: usize = 1 << 30;
/// Bytes by which the memory for a record grows while it arrives.
const PIECE_BYTES: usize = 64 << 10;

/// A connection between the host of a port and a guest, who have proved themselves to each other.
/// It is encrypted: whoever changes it ends it.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    cipher: Box<Cipher>,
    /// Secret of this connection, which both ends have derived.
    pub key: [u8; HASH_BYTES],
}

impl Connection {
    pub(super) fn new(stream: TcpStream, key: [u8; HASH_BYTES], cipher: Box<Cipher>) -> Connection {
        Connection { stream, cipher, key }
    }

    /// Makes the calls wait, which they do at first, or not.
    ///
    /// # Errors
    ///
    /// The kernel refuses it.
    pub fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    /// Sends a record.
    ///
    /// # Errors
    ///
    /// The connection is broken.
    pub fn send(&mut self, record: &[u8]) -> io::Result<()> {
        self.send_bytes(&framed(record))
    }

    /// Sends bytes that are no record.
    ///
    /// # Errors
    ///
    /// The connection is broken, or it does not wait and the socket is full.
    pub fn send_bytes(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.cipher.write(&self.stream, &[IoSlice::new(bytes)]) {
                Moved::Bytes(written) => bytes = &bytes[written..],
                Moved::Nothing => return Err(ErrorKind::WouldBlock.into()),
                Moved::End => return Err(ErrorKind::UnexpectedEof.into()),
                Moved::Failed(why) => return Err(why.into()),
            }
        }
        Ok(())
    }

    /// Returns whether bytes have arrived, or the end of the connection.
    pub fn has_arrived(&self) -> bool {
        let mut interest = [PollFd::new(&self.stream, PollFlags::IN)];
        self.cipher.holds_more()
            || rustix::event::poll(&mut interest, Some(&Timespec::default()))
                .is_ok_and(|ready| ready > 0)
    }

    /// Reads into `bytes` what has arrived, and returns its length; 0 is the end. A connection that
    /// does not wait fails with [`ErrorKind::WouldBlock`] if nothing has arrived.
    ///
    /// # Errors
    ///
    /// The connection is broken, has been changed on the way, or was cut within a record.
    pub fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            return match self.cipher.read(&self.stream, bytes, &mut []) {
                Moved::Bytes(read) => Ok(read),
                Moved::End if self.cipher.holds_rest() => Err(ErrorKind::UnexpectedEof.into()),
                Moved::End => Ok(0),
                // A record has arrived in part, or a signal has come.
                Moved::Nothing if self.awaits()? => continue,
                Moved::Nothing => Err(ErrorKind::WouldBlock.into()),
                Moved::Failed(CHANGED) => {
                    Err(io::Error::new(ErrorKind::InvalidData, CHANGED_WORDS))
                }
                Moved::Failed(why) => Err(why.into()),
            };
        }
    }

    /// Returns whether reads wait.
    fn awaits(&self) -> io::Result<bool> {
        Ok(!rustix::fs::fcntl_getfl(&self.stream)?.contains(rustix::fs::OFlags::NONBLOCK))
    }

    /// Receives a record.
    ///
    /// # Errors
    ///
    /// The connection is broken or has ended, or its bytes have been changed on the way.
    pub fn receive(&mut self) -> io::Result<Vec<u8>> {
        let mut length = [0; 4];
        self.fill(&mut length)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > RECORD_BYTES_MAX {
            return Err(ErrorKind::InvalidData.into());
        }
        let mut record = Vec::new();
        while record.len() < length {
            let begun = record.len();
            record.resize(length.min(begun + PIECE_BYTES), 0);
            self.fill(&mut record[begun..])?;
        }
        Ok(record)
    }

    fn fill(&mut self, mut bytes: &mut [u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.read(bytes)? {
                0 => return Err(ErrorKind::UnexpectedEof.into()),
                read => bytes = &mut bytes[read..],
            }
        }
        Ok(())
    }
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

/// Returns a record before it is encrypted: its length, and its bytes.
fn framed(record: &[u8]) -> Vec<u8> {
    [&(record.len() as u32).to_le_bytes(), record].concat()
}

#[cfg(test)]
mod tests {
    use super::super::{ConnectLimits, Name, OPENING_BYTES, PROOF_BYTES, Port, Purpose, connect};
    use super::*;
    use nemesis_sys::choice::{Choice, Ports};
    use std::io::{Read, Write};
    use std::net::{Ipv4Addr, Shutdown, TcpListener};
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    const NEEDLE: &[u8] = b"the environment of a spawned program";
    const LIMITS: ConnectLimits =
        ConnectLimits { reach: Duration::from_secs(20), accept: Some(Duration::from_secs(20)) };

    /// Copies bytes; `change` gets each piece with the number of its first byte.
    fn pass(mut from: TcpStream, mut to: TcpStream, mut change: impl FnMut(usize, &mut Vec<u8>)) {
        let (mut room, mut number) = ([0; 4096], 0);
        while let Ok(read @ 1..) = from.read(&mut room) {
            let mut bytes = room[..read].to_vec();
            change(number, &mut bytes);
            number += read;
            if to.write_all(&bytes).is_err() {
                break;
            }
        }
        let _ = (to.shutdown(Shutdown::Both), from.shutdown(Shutdown::Both));
    }

    /// Sends a record from a guest to its host past an intruder who changes the guest's bytes.
    /// Returns what arrives, and what the intruder has seen.
    fn send_past(
        mut change: impl FnMut(usize, &mut Vec<u8>) + Send + 'static,
    ) -> (Option<io::Result<Vec<u8>>>, Vec<u8>) {
        let port = Port::open(&Choice::parse("lo").unwrap(), &Ports::default(), None).unwrap();
        let mut name = Name::decode(port.name()).unwrap();
        let intruder = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let goal = std::mem::replace(&mut name.port, intruder.local_addr().unwrap().port());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let record = Arc::clone(&seen);
        std::thread::spawn(move || {
            let (from, _) = intruder.accept().unwrap();
            let to = TcpStream::connect((Ipv4Addr::LOCALHOST, goal)).unwrap();
            let back = (to.try_clone().unwrap(), from.try_clone().unwrap());
            std::thread::spawn(move || pass(back.0, back.1, |_, _| {}));
            pass(from, to, |number, bytes| {
                record.lock().unwrap().extend_from_slice(bytes);
                change(number, bytes);
            });
        });
        let guest = std::thread::spawn(move || {
            let mut connection = connect(&name.encode(), Purpose::Launch, LIMITS).ok()?;
            connection.send(NEEDLE).ok()
        });
        let accepted = port.accept(Duration::from_millis(5), || guest.is_finished());
        let received = accepted.unwrap().map(|(_, mut host)| host.receive());
        let _ = guest.join();
        let seen = seen.lock().unwrap().clone();
        (received, seen)
    }

    #[test]
    fn records_cannot_be_read_on_the_way() {
        let (received, seen) = send_past(|_, _| {});
        assert_eq!(received.unwrap().unwrap(), NEEDLE);
        assert!(seen.len() > OPENING_BYTES + PROOF_BYTES + NEEDLE.len());
        assert!(!seen.windows(NEEDLE.len()).any(|window| window == NEEDLE));
    }

    #[test]
    fn a_changed_byte_of_a_record_is_an_error_that_says_so() {
        // The length, the text and the tag of the first record.
        for place in [0, 5, 40, 57].map(|place| OPENING_BYTES + PROOF_BYTES + place) {
            let (received, _) = send_past(move |number, bytes| {
                if let Some(byte) = place.checked_sub(number).and_then(|at| bytes.get_mut(at)) {
                    *byte ^= 1;
                }
            });
            let error = received.unwrap().unwrap_err();
            // A changed length can make the host wait for more, until the guest ends.
            let is_cut = error.kind() == ErrorKind::UnexpectedEof && place < OPENING_BYTES + 81;
            assert!(is_cut || error.to_string() == CHANGED_WORDS, "byte {place}: {error}");
        }
    }

    #[test]
    fn a_changed_key_makes_no_connection() {
        let place = OPENING_BYTES + PROOF_BYTES - 1;
        let (received, _) = send_past(move |number, bytes| {
            if let Some(byte) = place.checked_sub(number).and_then(|at| bytes.get_mut(at)) {
                *byte ^= 1;
            }
        });
        assert!(received.is_none());
    }

    #[test]
    fn a_record_that_is_cut_is_an_error() {
        let end = OPENING_BYTES + PROOF_BYTES + 30;
        let (received, _) = send_past(move |number, bytes| {
            bytes.truncate(end.saturating_sub(number));
        });
        assert_eq!(received.unwrap().unwrap_err().kind(), ErrorKind::UnexpectedEof);
    }
}
