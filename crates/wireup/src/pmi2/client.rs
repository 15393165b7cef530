//! The client side of PMI-2.

use super::message::{Message, compose};
use crate::WireupError;
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags};

#[derive(Debug)]
pub struct Client {
    socket: OwnedFd,
    received: Vec<u8>,
    job: String,
    pub rank: u32,
    pub size: u32,
    appnum: i64,
}

impl Client {
    /// Sends `init` and `fullinit` as `rank` of the launcher's job `job`.
    pub fn init(socket: OwnedFd, rank: u32, job: &str) -> Result<Client, WireupError> {
        let mut client =
            Client { socket, received: Vec::new(), job: job.to_owned(), rank, size: 0, appnum: -1 };
        client.send("init", "cmd=init pmi_version=2 pmi_subversion=0\n")?;
        let line = client.line()?;
        if !line.contains("pmi_version=2") || line.contains("rc=1") {
            return Err(broken("init", &format!("the launcher refuses: {}", line.trim_end())));
        }
        // Slurm refuses a fullinit without one of these fields.
        let place = [("pmijobid", job), ("pmirank", &rank.to_string()), ("threaded", "FALSE")];
        let answer = client.ask("fullinit", &place)?;
        let number = |name: &str| answer.number(name).and_then(|number| u32::try_from(number).ok());
        match (number("rank"), number("size")) {
            (Some(rank), Some(size)) => (client.rank, client.size) = (rank, size),
            _ => return Err(broken("fullinit", "the answer does not tell rank and size")),
        }
        client.appnum = answer.number("appnum").unwrap_or(-1);
        if let Some(job) = client.ask("job-getid", &[])?.get("jobid") {
            client.job = job.to_owned();
        }
        Ok(client)
    }

    pub fn put(&mut self, key: &str, value: &str) -> Result<(), WireupError> {
        self.ask("kvs-put", &[("key", key), ("value", value)]).map(drop)
    }

    pub fn get(&mut self, key: &str) -> Result<String, WireupError> {
        let job = self.job.clone();
        let answer = self.ask("kvs-get", &[("jobid", &job), ("srcid", "-1"), ("key", key)])?;
        answer
            .get("value")
            .map(str::to_owned)
            .ok_or_else(|| broken("kvs-get", "the answer has no value"))
    }

    /// Waits until all ranks have called it. What they put before is visible afterwards.
    pub fn fence(&mut self) -> Result<(), WireupError> {
        self.ask("kvs-fence", &[]).map(drop)
    }

    pub fn appnum(&self) -> i64 {
        self.appnum
    }

    pub fn universe_size(&mut self) -> Result<i64, WireupError> {
        // Slurm answers a request for an unknown key with addresses; it knows this key.
        Ok(self
            .ask("info-getjobattr", &[("key", "universeSize")])
            .ok()
            .and_then(|answer| answer.number("value"))
            .unwrap_or(-1))
    }

    /// Asks the launcher to end the job; there is no answer.
    pub fn abort(&mut self, code: i32, message: &str) -> Result<(), WireupError> {
        let text = message.replace([';', '\0'], ",");
        let text = &text[..text.floor_char_boundary(900)];
        let message = compose(
            "abort",
            &[("isworld", "TRUE"), ("exitcode", &code.to_string()), ("msg", text)],
        );
        self.send("abort", &message.unwrap_or_default())
    }

    pub fn finalize(&mut self) -> Result<(), WireupError> {
        self.ask("finalize", &[]).map(drop)
    }

    /// Returns true once the launcher has closed the socket. One system call that does not wait.
    pub fn has_closed(&self) -> bool {
        let mut interest = [PollFd::new(&self.socket, PollFlags::RDHUP)];
        rustix::event::poll(&mut interest, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
    }

    pub fn socket(&self) -> &OwnedFd {
        &self.socket
    }

    fn ask(&mut self, command: &str, fields: &[(&str, &str)]) -> Result<Message, WireupError> {
        let message = compose(command, fields)
            .ok_or_else(|| broken(command, "a value that does not fit a message"))?;
        self.send(command, &message)?;
        loop {
            match Message::take(&self.received)
                .map_err(|why| broken(command, &format!("the answer is {why}")))?
            {
                Some((answer, taken)) => {
                    self.received.drain(..taken);
                    return if answer.succeeded() {
                        Ok(answer)
                    } else {
                        Err(broken(command, &format!("the launcher refuses: {answer:?}")))
                    };
                }
                None => self.receive(command)?,
            }
        }
    }

    /// Reads the answer to the first line, which is a line itself. The server sends nothing after
    /// it before the next command.
    fn line(&mut self) -> Result<String, WireupError> {
        loop {
            if let Some(end) = self.received.iter().position(|&byte| byte == b'\n') {
                let line: Vec<u8> = self.received.drain(..=end).collect();
                return Ok(String::from_utf8_lossy(&line).into_owned());
            }
            self.receive("init")?;
        }
    }

    fn send(&self, command: &str, message: &str) -> Result<(), WireupError> {
        let mut rest = message.as_bytes();
        while !rest.is_empty() {
            match rustix::net::send(&self.socket, rest, SendFlags::NOSIGNAL) {
                Ok(sent) => rest = &rest[sent..],
                Err(Errno::INTR) => {}
                Err(refused) => {
                    return Err(broken(command, &format!("the launcher is gone ({refused})")));
                }
            }
        }
        Ok(())
    }

    fn receive(&mut self, command: &str) -> Result<(), WireupError> {
        let mut bytes = [0; 4096];
        loop {
            match rustix::net::recv(&self.socket, &mut bytes, RecvFlags::empty()) {
                Ok((0, _)) => return Err(broken(command, "the launcher closed the connection")),
                Ok((received, _)) => {
                    self.received.extend_from_slice(&bytes[..received]);
                    return Ok(());
                }
                Err(Errno::INTR) => {}
                Err(refused) => {
                    return Err(broken(command, &format!("the launcher is gone ({refused})")));
                }
            }
        }
    }
}

fn broken(command: &str, why: &str) -> WireupError {
    WireupError::new(
        format!("asking the launcher by PMI-2 ({command})"),
        why,
        "look at the launcher's own messages; start with the mpiexec that came with this library",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::os::unix::net::UnixStream;

    /// Runs `client` with a server that answers each message with the next of `answers`. Returns
    /// the messages that the server received.
    fn dialogue(answers: &[&str], client: impl FnOnce(OwnedFd)) -> Vec<String> {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        std::thread::scope(|scope| {
            let server = scope.spawn(move || {
                let mut asked = Vec::new();
                let mut room = [0; 4096];
                for (number, answer) in answers.iter().enumerate() {
                    let received = theirs.read(&mut room).unwrap();
                    asked.push(String::from_utf8_lossy(&room[..received]).into_owned());
                    let text = if number == 0 {
                        format!("{answer}\n")
                    } else {
                        format!("{:<6}{answer}", answer.len())
                    };
                    // Two pieces, which the client must assemble.
                    let (one, two) = text.split_at(text.len() / 2);
                    theirs.write_all(one.as_bytes()).unwrap();
                    theirs.write_all(two.as_bytes()).unwrap();
                }
                asked
            });
            client(ours.into());
            server.join().unwrap()
        })
    }

    const HELLO: [&str; 3] = [
        "cmd=response_to_init rc=0 pmi_version=2 pmi_subversion=0",
        "cmd=fullinit-response;rc=0;rank=1;size=4;appnum=-1;",
        "cmd=job-getid-response;rc=0;jobid=4.0;",
    ];

    #[test]
    fn a_dialogue_as_slurm_has_it() {
        let rest = [
            "cmd=kvs-put-response;rc=0;",
            "cmd=kvs-fence-response;rc=0;",
            "cmd=kvs-get-response;rc=0;found=TRUE;value=v;",
        ];
        let absent = "cmd=kvs-get-response;rc=0;found=FALSE;";
        let asked = dialogue(&[&HELLO[..], &rest, &[absent]].concat(), |socket| {
            let mut client = Client::init(socket, 1, "4.0").unwrap();
            assert_eq!((client.rank, client.size, client.appnum()), (1, 4, -1));
            client.put("card", "v").unwrap();
            client.fence().unwrap();
            assert_eq!(client.get("card").unwrap(), "v");
            assert!(client.get("other").is_err());
        });
        assert_eq!(asked[0], "cmd=init pmi_version=2 pmi_subversion=0\n");
        assert!(asked[1].ends_with("cmd=fullinit;pmijobid=4.0;pmirank=1;threaded=FALSE;"));
        assert!(asked[5].ends_with("cmd=kvs-get;jobid=4.0;srcid=-1;key=card;"));
    }

    #[test]
    fn a_server_that_refuses_or_leaves_is_an_error() {
        dialogue(&["cmd=response_to_init rc=1 pmi_version=1"], |socket| {
            assert!(Client::init(socket, 0, "0").unwrap_err().why.contains("refuses"));
        });
        dialogue(&HELLO[..2], |socket| {
            assert!(Client::init(socket, 0, "0").unwrap_err().why.contains("the launcher"))
        });
    }
}
