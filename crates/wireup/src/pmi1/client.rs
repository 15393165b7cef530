//! The client side of PMI-1.
//!
//! One command is one `send` of at most `COMMAND_BYTES_MAX` bytes, because Slurm's server does not
//! assemble commands. Then the client waits for the answer without a time-out: a barrier lasts
//! until the slowest rank arrives, and a launcher that dies closes the socket.

use super::{
    BUILD_FIELD, COMMAND_BYTES_MAX, Compose, EARLIER_FIELD, FINDING, KEY_FIELD, LAUNCHER_FIELD,
    LIBRARY_FIELD, LineBuffer, MAPPING_FIELD, Message, NOTICE, REASON_FIELD, SPAWNED_FIELD,
    START_JOB, VERSION,
};
use crate::finding::Finding;
use crate::{WireupError, build, environment};
use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags};
use std::net::TcpStream;
use std::os::fd::AsFd;

/// Bytes of the text of a notice at most, so that it fits a command.
const NOTICE_BYTES_MAX: usize = 900;

/// A connection to a PMI-1 server.
#[derive(Debug)]
pub struct Client {
    socket: OwnedFd,
    lines: LineBuffer,
    /// The job's key-value space; requested at first use.
    space: Option<String>,
    /// What all keys begin with.
    prefix: String,
    /// Its address tells the client from those of other libraries of the process.
    place: Box<u8>,
}

/// The server's answer to `init`.
#[derive(Clone, Debug, Default)]
pub struct Welcome {
    /// Whether the server is `mpiexec` of Nemesis; the other fields are valid only then.
    pub ours: bool,
    /// The [build] of `mpiexec`; `None` if it is so old that it does not tell.
    pub build: Option<String>,
    /// The job key, in hexadecimal.
    pub key: Option<String>,
    /// The node of every rank, in the form of [`mapping`](crate::mapping).
    pub mapping: Option<String>,
    /// Whether another job has spawned this one.
    pub spawned: bool,
    /// Number of other libraries of this process that have joined the job.
    pub earlier: u32,
}

impl Client {
    /// Makes a client of a connected socket.
    pub fn over(socket: OwnedFd) -> Client {
        let (lines, prefix) = (LineBuffer::default(), String::new());
        Client { socket, lines, space: None, prefix, place: Box::new(0) }
    }

    /// Adds this library's build, and what tells it from others of the process, under `mpiexec` of
    /// Nemesis. Other launchers need not know the fields.
    fn introduce(&self, command: Compose) -> Compose {
        match std::env::var_os(environment::JOB) {
            Some(_) => command
                .field(BUILD_FIELD, build::own())
                .field(LIBRARY_FIELD, format_args!("{:p}", self.place)),
            None => command,
        }
    }

    /// Makes all keys begin with `prefix`, so that two libraries of a process may use the same.
    pub fn set_prefix(&mut self, prefix: String) {
        self.prefix = prefix;
    }

    /// Connects to `address` (host:port) as process `id`. Returns the client, and the rank and size
    /// that the server sends (four lines in answer to one command).
    pub fn connect(address: &str, id: &str) -> Result<(Client, u32, u32), WireupError> {
        let unreachable = |why: std::io::Error| {
            WireupError::new(
                format!("connecting to the launcher at PMI_PORT={address}"),
                why,
                "check that the launcher is alive and its host is reachable",
            )
        };
        let stream = TcpStream::connect(address).map_err(unreachable)?;
        stream.set_nodelay(true).map_err(unreachable)?;
        let mut client = Client::over(stream.into());
        let mut told = (None, None);
        client.ask(Compose::command("initack").field("pmiid", id), |message| {
            told = (message.number("rank"), message.number("size"));
        })?;
        for _ in 0..3 {
            client.answer("initack", |message| {
                told = (message.number("rank").or(told.0), message.number("size").or(told.1));
            })?;
        }
        let number = |told: Option<i64>| told.and_then(|number| u32::try_from(number).ok());
        match (number(told.0), number(told.1)) {
            (Some(rank), Some(size)) => Ok((client, rank, size)),
            _ => Err(client.broken("initack", "the answer does not tell rank and size")),
        }
    }

    /// Sends `init`.
    ///
    /// # Errors
    /// If the launcher is lost, or another rank has joined the job with a library that cannot
    /// communicate with this one.
    pub fn init(&mut self) -> Result<Welcome, WireupError> {
        let (version, subversion) = VERSION;
        let command = Compose::command("init")
            .field("pmi_version", version)
            .field("pmi_subversion", subversion);
        let command = self.introduce(command);
        self.send(&command.line())?;
        let line = self.receive("init")?;
        if let Ok(refusal) = Message::parse(&line)
            && !refusal.succeeded()
            && let Some(why) = refusal.tail(REASON_FIELD)
        {
            return Err(WireupError::new("joining the job", why, build::ADVICE));
        }
        self.read_answer("init", &line, |message| Welcome {
            ours: message.get(LAUNCHER_FIELD.0) == Some(LAUNCHER_FIELD.1),
            build: message.get(BUILD_FIELD).map(str::to_owned),
            key: message.get(KEY_FIELD).map(str::to_owned),
            mapping: message.get(MAPPING_FIELD).map(str::to_owned),
            spawned: message.get(SPAWNED_FIELD).is_some(),
            earlier: message
                .number(EARLIER_FIELD)
                .and_then(|earlier| u32::try_from(earlier).ok())
                .unwrap_or(0),
        })
    }

    /// Puts `value` under `key`. Both are tokens (see `is_token`) that fit into one command.
    pub fn put(&mut self, key: &str, value: &str) -> Result<(), WireupError> {
        let space = self.space()?;
        self.ask(
            Compose::command("put")
                .raw_field("kvsname", &space)
                .field("key", format_args!("{}{key}", self.prefix))
                .field("value", value),
            |_| (),
        )
    }

    /// Returns the value under `key`.
    pub fn get(&mut self, key: &str) -> Result<String, WireupError> {
        let space = self.space()?;
        let value = self.ask(
            Compose::command("get")
                .raw_field("kvsname", &space)
                .field("key", format_args!("{}{key}", self.prefix)),
            |message| message.get("value").map(str::to_owned),
        )?;
        value.ok_or_else(|| self.broken("get", "the answer has no value"))
    }

    /// Waits until all ranks have called this. Values that they put before are visible afterwards.
    pub fn barrier(&mut self) -> Result<(), WireupError> {
        self.ask(Compose::command("barrier_in"), |_| ())
    }

    /// Returns the number of the program in a job of several programs; -1 if the launcher has none.
    pub fn appnum(&mut self) -> Result<i64, WireupError> {
        self.ask(Compose::command("get_appnum"), |message| message.number("appnum"))
            .map(|number| number.unwrap_or(-1))
    }

    /// Returns the number of processes that the job may have; -1 if the launcher does not say.
    pub fn universe_size(&mut self) -> Result<i64, WireupError> {
        self.ask(Compose::command("get_universe_size"), |message| message.number("size"))
            .map(|number| number.unwrap_or(-1))
    }

    /// Sends a command about a published name, such as `publish_name`. Returns the port, which is
    /// empty unless the command looks it up, or `None` if the launcher refuses.
    pub fn name(
        &mut self,
        command: &str,
        service: &str,
        port: Option<&str>,
    ) -> Result<Option<String>, WireupError> {
        let mut line = Compose::command(command).field("service", service);
        if let Some(port) = port {
            line = line.field("port", port);
        }
        let line = line.line();
        if line.len() > COMMAND_BYTES_MAX {
            return Err(self.broken(command, "the name and the port are too long"));
        }
        self.send(&line)?;
        let line = self.receive(command)?;
        let message = Message::parse(&line)
            .map_err(|malformed| self.broken(command, &format!("the answer is {malformed}")))?;
        Ok(message.succeeded().then(|| message.get("port").unwrap_or_default().to_owned()))
    }

    /// Asks `mpiexec` of Nemesis to start the launcher of a spawned job, which connects to `port`.
    pub fn start_job(&mut self, port: &str) -> Result<(), WireupError> {
        let command = Compose::command(START_JOB).field("port", port);
        self.ask(command.field(BUILD_FIELD, build::own()), |_| ())
    }

    /// Tells `mpiexec` of Nemesis a finding of the development checks.
    pub fn tell(&mut self, finding: &Finding) -> Result<(), WireupError> {
        self.ask(Compose::command(FINDING).raw_field("finding", &finding.encode()), |_| ())
    }

    /// Asks the launcher to end the job; there is no answer.
    pub fn abort(&mut self, code: i32, message: &str) -> Result<(), WireupError> {
        let mut line =
            with_text(Compose::command("abort").field("exitcode", code), "message", message).line();
        if line.len() > COMMAND_BYTES_MAX {
            line.truncate(line.floor_char_boundary(COMMAND_BYTES_MAX - 1));
            line.push('\n');
        }
        self.send(&line)
    }

    /// Asks `mpiexec` of Nemesis to say something to the user, once for each subject in a job.
    pub fn notice(&mut self, subject: &str, text: &str) -> Result<(), WireupError> {
        let shown = &text[..text.floor_char_boundary(NOTICE_BYTES_MAX)];
        self.ask(
            with_text(Compose::command(NOTICE).field("subject", subject), "text", shown),
            |_| (),
        )
    }

    /// Tells the launcher that this process ends in order.
    pub fn finalize(&mut self) -> Result<(), WireupError> {
        self.ask(self.introduce(Compose::command("finalize")), |_| ())
    }

    /// Returns true once the launcher has closed the socket. One system call that does not wait.
    pub fn has_closed(&self) -> bool {
        let mut interest = [PollFd::new(&self.socket, PollFlags::RDHUP)];
        rustix::event::poll(&mut interest, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
    }

    /// Returns the socket, so that the caller can wait for its end together with other events.
    pub fn socket(&self) -> &OwnedFd {
        &self.socket
    }

    /// Returns the name of the job's key-value space.
    fn space(&mut self) -> Result<String, WireupError> {
        if self.space.is_none() {
            self.space = self.ask(Compose::command("get_my_kvsname"), |message| {
                message.get("kvsname").map(str::to_owned)
            })?;
        }
        self.space.clone().ok_or_else(|| self.broken("get_my_kvsname", "the answer has no kvsname"))
    }

    /// Sends a command and applies `read` to a positive answer.
    fn ask<T>(
        &mut self,
        command: Compose,
        read: impl FnOnce(Message<'_>) -> T,
    ) -> Result<T, WireupError> {
        let line = command.line();
        let name = line["cmd=".len()..].split([' ', '\n']).next().unwrap_or_default().to_owned();
        if line.len() > COMMAND_BYTES_MAX {
            return Err(self.broken(
                &name,
                &format!(
                    "the command would have {} bytes, {COMMAND_BYTES_MAX} are the limit",
                    line.len()
                ),
            ));
        }
        self.send(&line)?;
        self.answer(&name, read)
    }

    /// Receives the answer to command `name` and applies `read` to a positive one.
    fn answer<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(Message<'_>) -> T,
    ) -> Result<T, WireupError> {
        let line = self.receive(name)?;
        self.read_answer(name, &line, read)
    }

    /// Applies `read` to the answer to command `name` if it is positive.
    fn read_answer<T>(
        &self,
        name: &str,
        line: &[u8],
        read: impl FnOnce(Message<'_>) -> T,
    ) -> Result<T, WireupError> {
        let message = Message::parse(line)
            .map_err(|malformed| self.broken(name, &format!("the answer is {malformed}")))?;
        if !message.succeeded() {
            return Err(self.broken(
                name,
                &format!("the launcher refuses: {}", String::from_utf8_lossy(line)),
            ));
        }
        Ok(read(message))
    }

    fn send(&self, line: &str) -> Result<(), WireupError> {
        let mut rest = line.as_bytes();
        while !rest.is_empty() {
            // NOSIGNAL: in a C program SIGPIPE would kill the process without a message.
            match rustix::net::send(self.socket.as_fd(), rest, SendFlags::NOSIGNAL) {
                Ok(sent) => rest = &rest[sent..],
                Err(Errno::INTR) => {}
                Err(refused) => {
                    return Err(self.broken("send", &format!("the launcher is gone ({refused})")));
                }
            }
        }
        Ok(())
    }

    /// Receives one line.
    fn receive(&mut self, name: &str) -> Result<Vec<u8>, WireupError> {
        loop {
            match self.lines.next_line() {
                Ok(Some(line)) => return Ok(line),
                Ok(None) => {}
                Err(malformed) => {
                    return Err(self.broken(name, &format!("the answer is {malformed}")));
                }
            }
            let mut bytes = [0; 4096];
            match rustix::net::recv(self.socket.as_fd(), &mut bytes, RecvFlags::empty()) {
                Ok((0, _)) => return Err(self.broken(name, "the launcher closed the connection")),
                Ok((received, _)) => self.lines.push(&bytes[..received]),
                Err(Errno::INTR) => {}
                Err(refused) => {
                    return Err(self.broken(name, &format!("the launcher is gone ({refused})")));
                }
            }
        }
    }

    /// Returns the error of a command that failed.
    fn broken(&self, command: &str, why: &str) -> WireupError {
        WireupError::new(
            format!("asking the launcher by PMI-1 ({command})"),
            why,
            "look at the launcher's own messages; start with the mpiexec that came with this \
             library",
        )
    }
}

/// Adds a field that is the rest of the line and may contain spaces. Only a newline would end it
/// early.
fn with_text(command: Compose, name: &str, text: &str) -> Compose {
    command.raw_field(name, &text.replace(['\n', '\r', '\0'], " "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader, Write};
    use std::os::unix::net::UnixStream;

    /// Runs `talk` with a client whose server answers each command with the next line of `answers`.
    /// Returns the commands that the server received.
    fn dialogue(answers: &'static [&'static str], talk: impl FnOnce(&mut Client)) -> Vec<String> {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let server = std::thread::spawn(move || {
            let mut seen = Vec::new();
            let mut reader = BufReader::new(&theirs);
            for answer in answers {
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                seen.push(line.trim_end().to_owned());
                (&theirs).write_all(answer.as_bytes()).unwrap();
            }
            seen
        });
        let mut client = Client::over(ours.into());
        talk(&mut client);
        server.join().unwrap()
    }

    #[test]
    fn a_card_is_put_and_read() {
        let seen = dialogue(
            &[
                "cmd=response_to_init pmi_version=1 pmi_subversion=2 rc=0\n",
                "kvsname=k_1 cmd=my_kvsname\n",
                "cmd=put_result rc=0 msg=ok\n",
                "cmd=barrier_out tag=0\n",
                "cmd=get_result value=v rc=0\n",
            ],
            |client| {
                assert!(!client.init().unwrap().ours);
                client.put("card", "v").unwrap();
                client.barrier().unwrap();
                assert_eq!(client.get("card").unwrap(), "v");
            },
        );
        assert_eq!(seen[0], "cmd=init pmi_version=1 pmi_subversion=1");
        assert_eq!(seen[2], "cmd=put kvsname=k_1 key=card value=v");
    }

    #[test]
    fn a_server_behind_a_port_tells_rank_and_size_in_either_dialect() {
        for first in ["cmd=initack rc=0 rank=1 size=2 appnum=0 debug=0\n", "cmd=initack\n"] {
            let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
            let address = listener.local_addr().unwrap().to_string();
            let server = std::thread::spawn(move || {
                let mut reader = BufReader::new(listener.accept().unwrap().0);
                let mut line = String::new();
                reader.read_line(&mut line).unwrap();
                assert_eq!(line, "cmd=initack pmiid=7\n");
                reader
                    .get_mut()
                    .write_all(
                        [first, "cmd=set size=2\ncmd=set rank=1\ncmd=set debug=0\n"]
                            .concat()
                            .as_bytes(),
                    )
                    .unwrap();
            });
            let (_, rank, size) = Client::connect(&address, "7").unwrap();
            assert_eq!((rank, size), (1, 2));
            server.join().unwrap();
        }
    }

    #[test]
    fn a_missing_key_and_a_closed_socket_are_errors() {
        dialogue(
            &[
                "cmd=my_kvsname kvsname=k\n",
                "cmd=get_result rc=-1 msg=key_x_not_found value=unknown\n",
            ],
            |client| {
                assert!(client.get("x").unwrap_err().why.contains("key_x_not_found"));
            },
        );
        dialogue(&[], |client| {
            while !client.has_closed() {
                std::thread::yield_now();
            }
            assert!(client.barrier().is_err());
        });
    }

    #[test]
    fn a_command_that_is_too_long_for_a_server_is_not_sent() {
        dialogue(&["cmd=my_kvsname kvsname=k\n"], |client| {
            assert!(client.put("card", &"x".repeat(1020)).unwrap_err().why.contains("limit"));
        });
    }

    #[test]
    fn a_long_abort_text_is_cut() {
        let seen = dialogue(&[""], |client| client.abort(7, &"é".repeat(2000)).unwrap());
        assert!(seen[0].starts_with("cmd=abort exitcode=7 message=é"));
        assert!(seen[0].len() < COMMAND_BYTES_MAX);
    }
}
