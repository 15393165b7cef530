//! Unix sockets between the processes of a node: abstract names, the peer's user, descriptors in
//! messages.
//!
//! An abstract name exists in the network namespace, needs no directory, and vanishes with its
//! socket. Every user can see it (`/proc/net/unix`), so both ends ask the kernel for the other
//! end's user ([`peer_user`]) before they send anything.

use crate::descriptors;
use rustix::fd::{AsFd, OwnedFd};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags,
};
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};

/// Listens on an abstract name.
pub fn listen_abstract(name: &[u8]) -> io::Result<UnixListener> {
    UnixListener::bind_addr(&SocketAddr::from_abstract_name(name)?)
}

/// Connects to an abstract name.
pub fn connect_abstract(name: &[u8]) -> io::Result<UnixStream> {
    UnixStream::connect_addr(&SocketAddr::from_abstract_name(name)?)
}

/// Returns the effective user of the process at the other end, as the kernel knew it when that end
/// connected or began to listen.
pub fn peer_user(stream: &UnixStream) -> io::Result<u32> {
    Ok(rustix::net::sockopt::socket_peercred(stream)?.uid.as_raw())
}

/// Returns the effective user of this process, to be compared with [`peer_user`].
pub fn own_user() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Sends `bytes` with a copy of `descriptor` attached to the first of them. They must fit the
/// socket's buffer, since a part cannot be sent again.
pub fn send_with_descriptor(
    stream: &UnixStream,
    bytes: &[u8],
    descriptor: impl AsFd,
) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let descriptors = [descriptor.as_fd()];
    let attached = control.push(SendAncillaryMessage::ScmRights(&descriptors));
    debug_assert!(attached, "the space was made for one descriptor");
    let sent = retry(|| {
        rustix::net::sendmsg(stream, &[IoSlice::new(bytes)], &mut control, SendFlags::NOSIGNAL)
    })?;
    if sent == bytes.len() { Ok(()) } else { Err(io::ErrorKind::WriteZero.into()) }
}

/// Receives at most `bytes.len()` bytes and the descriptor that came with them, which is
/// close-on-exec. Returns `(0, None)` if the other end has closed. If no descriptor is free, the
/// bytes come without theirs.
pub fn receive_with_descriptor(
    stream: &UnixStream,
    bytes: &mut [u8],
) -> io::Result<(usize, Option<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    // The descriptor is lost if the limit does not admit it.
    let received = descriptors::raised(|| {
        retry(|| {
            rustix::net::recvmsg(
                stream,
                &mut [IoSliceMut::new(bytes)],
                &mut control,
                RecvFlags::CMSG_CLOEXEC,
            )
        })
    })?;
    let descriptor = control.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    });
    Ok((received.bytes, descriptor))
}

fn retry<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(rustix::io::Errno::INTR) => {}
            result => return Ok(result?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};

    #[test]
    fn a_descriptor_travels_over_an_abstract_socket() {
        let name = format!("nemesis-test-{}", std::process::id());
        let listener = listen_abstract(name.as_bytes()).unwrap();
        let client = connect_abstract(name.as_bytes()).unwrap();
        let (server, _) = listener.accept().unwrap();
        assert_eq!(peer_user(&server).unwrap(), own_user());
        assert_eq!(peer_user(&client).unwrap(), own_user());

        let (mut reader, writer) = io::pipe().unwrap();
        send_with_descriptor(&server, b"here", &writer).unwrap();
        drop(writer);
        let mut bytes = [0; 16];
        let (received, descriptor) = receive_with_descriptor(&client, &mut bytes).unwrap();
        assert_eq!(&bytes[..received], b"here");
        std::fs::File::from(descriptor.unwrap()).write_all(b"through").unwrap();
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "through");
    }

    #[test]
    fn bytes_without_a_descriptor_and_the_end_are_distinguished() {
        let (mut here, there) = UnixStream::pair().unwrap();
        here.write_all(b"x").unwrap();
        let mut bytes = [0; 4];
        assert!(matches!(receive_with_descriptor(&there, &mut bytes), Ok((1, None))));
        drop(here);
        assert!(matches!(receive_with_descriptor(&there, &mut bytes), Ok((0, None))));
    }
}
