//! Getting the bytes of an announced message: the receiver's side of the rendezvous.

use crate::engine::Engine;
use crate::handle::{self, Handle};
use crate::protocol::{Announcement, BODY, Core, Task, kind};
use crate::request::Activity;
use nemesis::wire::{Header, word, words};
use nemesis::{Help, joint};

/// A copy that the sender may help with, as the receiver remembers it until it knows of all bytes.
#[derive(Debug, Clone, Copy)]
pub struct Joint {
    generation: u32,
    /// The sender's request.
    sender: u64,
}

/// What a receiver tells the sender whose help it wants.
#[derive(Debug, Clone, Copy)]
pub struct Plea {
    /// The receiver's process.
    owner: u32,
    /// The sender's request and the receiver's.
    sender: handle::Request,
    receiver: u64,
    copy: joint::Copy,
    /// Where the bytes shall lie in the receiver's memory.
    address: u64,
}

impl Plea {
    pub fn read(owner: u32, payload: &[u8]) -> Option<Plea> {
        let at = |index| word(payload, index);
        let copy = joint::Copy { generation: u32::try_from(at(2)?).ok()?, bytes: at(3)? };
        Some(Plea { owner, sender: handle::Request(at(0)? as usize), receiver: at(1)?, copy, address: at(4)? })
    }
}

/// In place of a number of bytes: the kernel refused.
const REFUSED: u64 = u64::MAX;

impl Engine {
    /// Gets an announced message: reads the sender's memory if that is possible, else asks for the bytes.
    pub(crate) fn fetch(&mut self, handle: handle::Request, origin: u32, announcement: Announcement) {
        let Some(read) = self.read_announced(handle, origin, &announcement) else { return };
        let (kind, words) = if read {
            self.core.counted.read += 1;
            self.core.finish(handle);
            (kind::DONE, [announcement.sender, 0, 0])
        } else {
            self.core.clear_to_send(handle, announcement.sender)
        };
        let flags = if kind == kind::CTS && self.takes_body(handle, origin) { BODY } else { 0 };
        self.send_control(origin, Header { kind, flags, ..Header::default() }, words);
    }

    /// Whether the bytes from process `origin` can come as the body of one packet, straight to their place.
    fn takes_body(&self, handle: handle::Request, origin: u32) -> bool {
        let far = self.endpoint.as_ref().is_some_and(|endpoint| endpoint.is_far(origin));
        let Ok(request) = self.core.requests.get(handle) else { return false };
        matches!(&request.activity, Activity::Filling { buffer, .. } if far && buffer.contiguous().is_some())
    }

    /// Whether all bytes have been read; `None` while the sender's part is missing, or when there is nothing to do.
    fn read_announced(&mut self, handle: handle::Request, origin: u32, announcement: &Announcement) -> Option<bool> {
        let crossing = self.core.has_announced_to(origin);
        let request = self.core.requests.get_mut(handle).ok()?;
        let Activity::Filling { buffer, received, wanted, joint } = &mut request.activity else { return None };
        if *wanted == 0 {
            return Some(true);
        }
        let Some(into) = buffer.as_bytes_mut().filter(|_| announcement.address != 0) else { return Some(false) };
        let into = &mut into[..*wanted];
        let endpoint = self.endpoint.as_mut().expect("a message arrived through it");
        // Where two long messages cross, each process has one to read: nobody is free to help.
        let Some(copy) = endpoint.begin_joint(origin, into.len()).filter(|_| !crossing) else {
            return Some(endpoint.read_memory(origin, announcement.address, into));
        };
        let plea = words([announcement.sender, handle.bits() as u64, u64::from(copy.generation), copy.bytes, into.as_ptr() as u64]);
        // A sender that cannot be told now is not told: the copy goes on without it.
        endpoint.try_send(origin, Header { kind: kind::JOIN, ..Header::default() }, plea.as_bytes());
        match endpoint.read_jointly(&copy, origin, announcement.address, into) {
            Some(bytes) if bytes == *wanted => Some(true),
            Some(bytes) => {
                *received = bytes;
                *joint = Some(Joint { generation: copy.generation, sender: announcement.sender });
                self.core.halves += 1;
                None
            }
            None => Some(false),
        }
    }

    /// Helps the receiver of a message of ours, and tells it what has been done.
    pub(crate) fn help(&mut self, plea: Plea) {
        let Ok(request) = self.core.requests.get_mut(plea.sender) else { return };
        let Activity::Announced { buffer, to } = &request.activity else { return };
        let (Some(bytes), Some(endpoint)) = (buffer.as_bytes(), &mut self.endpoint) else { return };
        if *to != plea.owner {
            return;
        }
        let copied = match endpoint.help(plea.owner, &plea.copy, plea.address, bytes) {
            // Late: the receiver has done it all.
            Help::Copied(0) => return,
            Help::Copied(bytes) => bytes,
            Help::Refused => REFUSED,
        };
        let words = [plea.receiver, u64::from(plea.copy.generation), copied];
        self.send_control(plea.owner, Header { kind: kind::HELPED, ..Header::default() }, words);
    }
}

impl Core {
    /// Whether process `to` has, as far as we know, a message of ours to read. One that is not the last announced is overlooked.
    fn has_announced_to(&self, process: u32) -> bool {
        let request = self.last_announced.and_then(|last| self.requests.get(last).ok());
        request.is_some_and(|request| matches!(request.activity, Activity::Announced { to, .. } if to == process))
    }

    /// Asks the sender `sender` for all bytes of the receive `handle`.
    fn clear_to_send(&mut self, handle: handle::Request, sender: u64) -> (u8, [u64; 3]) {
        self.counted.streamed += 1;
        let mut missing = 0;
        if let Ok(request) = self.requests.get_mut(handle)
            && let Activity::Filling { received, wanted, joint, .. } = &mut request.activity
        {
            (*received, *joint) = (0, None);
            missing = *wanted as u64;
        }
        (kind::CTS, [sender, handle.bits() as u64, missing])
    }

    /// The sender has done its part of a copy.
    pub(crate) fn helped(&mut self, origin: u32, payload: &[u8]) -> Option<()> {
        let (receiver, generation, copied) = (word(payload, 0)?, word(payload, 1)?, word(payload, 2)?);
        let handle = handle::Request(receiver as usize);
        // Meanwhile the receiver may have turned to another way, and even be done.
        let Ok(request) = self.requests.get_mut(handle) else { return Some(()) };
        let Activity::Filling { received, wanted, joint: Some(joint), .. } = &mut request.activity else { return Some(()) };
        if u64::from(joint.generation) != generation {
            return Some(());
        }
        let sender = joint.sender;
        self.halves = self.halves.saturating_sub(1);
        let (kind, words) = if copied == (*wanted - *received) as u64 {
            self.counted.read += 1;
            self.finish(handle);
            (kind::DONE, [sender, 0, 0])
        } else {
            self.clear_to_send(handle, sender)
        };
        self.tasks.push_back(Task::Reply { to: origin, kind, words });
        Some(())
    }
}
