//! The command that starts an agent on another host.
//!
//! The command is a template: `{host}` stands for the host's name, `{cmd}` for the agent's command
//! line. Its output is kept, and shown if the agent does not connect. Only the bootstrap record
//! travels through the command. Once the agent has connected, the command may end or stay.

use crate::agent_commands::{SRUN, SSH};
use crate::launch_error::LaunchError;
use nemesis_sys::process;
use rustix::fd::OwnedFd;
use rustix::process::Pid;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Bytes that are kept of a starter's output.
const OUTPUT_BYTES_MAX: usize = 4096;

/// The option that makes `mpiexec` a node agent.
pub const AGENT_OPTION: &str = "--node-agent";

/// Returns the template to use: `given` by the user, else srun within a Slurm job that has it, else
/// ssh.
///
/// # Errors
///
/// Returns a message if a quotation mark is not closed.
pub fn template(
    given: Option<&str>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Vec<String>, LaunchError> {
    let on_path = |name: &str| {
        variable("PATH").is_some_and(|path| {
            path.split(':').any(|folder| Path::new(folder).join(name).is_file())
        })
    };
    let chosen = match given {
        Some(text) => text,
        None if variable("SLURM_JOB_ID").is_some() && on_path("srun") => SRUN,
        None => SSH,
    };
    let mut words = split(chosen).ok_or_else(|| {
        LaunchError::new(
            format!("-agent {chosen}: a quotation mark is not closed"),
            "a second one of its kind, or none",
        )
    })?;
    if !words.iter().any(|word| word.contains("{cmd}")) {
        words.push("{cmd}".into());
    }
    Ok(words)
}

/// Splits a command into words at white space. Single or double quotation marks keep spaces.
fn split(text: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(mark) if c == mark => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// Returns the command line for one host; `agent` is the path of the agent's program.
fn fill(template: &[String], host: &str, agent: &str) -> Vec<String> {
    let goes_through_a_shell = template.first().is_some_and(|word| {
        matches!(Path::new(word).file_name().and_then(|name| name.to_str()), Some("ssh" | "rsh"))
    });
    let agent = if goes_through_a_shell { quoted(agent) } else { agent.to_owned() };
    let mut words = Vec::new();
    for word in template {
        if word == "{cmd}" {
            words.extend([agent.clone(), AGENT_OPTION.to_owned()]);
        } else {
            words.push(
                word.replace("{host}", host).replace("{cmd}", &format!("{agent} {AGENT_OPTION}")),
            );
        }
    }
    words
}

/// Quotes a path for a shell, if it needs quoting.
fn quoted(path: &str) -> String {
    let is_plain = path.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+,:@%".contains(c));
    if is_plain { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

/// A starter that runs or has ended.
#[derive(Debug)]
pub struct Starter {
    pub pid: Pid,
    /// The pipe of its output; `None` after the end of the output.
    pub pipe: Option<OwnedFd>,
    /// The first bytes of its output.
    pub output: String,
    /// The command, for messages.
    pub command: String,
    pub has_ended: bool,
}

impl Starter {
    /// Starts the command for `host` and writes the bootstrap record to its standard input.
    ///
    /// # Errors
    ///
    /// Returns a message if the command cannot be started.
    pub fn start(
        template: &[String],
        host: &str,
        agent: &str,
        bootstrap: &str,
    ) -> Result<Starter, LaunchError> {
        let words = fill(template, host, agent);
        let (program, arguments) = words.split_first().ok_or_else(|| {
            LaunchError::new("-agent: the command is empty", "-agent \"ssh {host} {cmd}\"")
        })?;
        let shown = words.join(" ");
        let failed = |why: io::Error| match why.kind() {
            io::ErrorKind::NotFound => LaunchError::new(
                format!("{program}, which starts processes there, is not on this host"),
                "installing it, or another command that does (-agent)",
            ),
            io::ErrorKind::PermissionDenied => LaunchError::new(
                format!("`{shown}` cannot be started: {why}"),
                format!("chmod +x {program}, or another command (-agent)"),
            ),
            _ => LaunchError::of_system(format_args!("`{shown}` cannot be started"), &why),
        };
        let (pipe, theirs) = io::pipe().map_err(failed)?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(theirs.try_clone().map_err(failed)?)
            .stderr(theirs)
            .process_group(0);
        process::tie_to_parent(&mut command);
        process::unblock_signals(&mut command);
        let mut child = command.spawn().map_err(failed)?;
        drop(command);
        if let Some(mut input) = child.stdin.take() {
            // A starter that does not read has ended, and its output says why. The pipe has room
            // for a bootstrap record.
            let _ = input.write_all(bootstrap.as_bytes());
        }
        rustix::io::ioctl_fionbio(&pipe, true).map_err(|why| failed(why.into()))?;
        let pid = Pid::from_raw(child.id() as i32)
            .ok_or_else(|| failed(io::ErrorKind::InvalidData.into()))?;
        Ok(Starter {
            pid,
            pipe: Some(pipe.into()),
            output: String::new(),
            command: shown,
            has_ended: false,
        })
    }

    /// Reads the output that has arrived.
    pub fn read_output(&mut self) {
        let mut room = [0; 1024];
        while let Some(pipe) = &self.pipe {
            match rustix::io::read(pipe, &mut room) {
                Ok(0) => self.pipe = None,
                Ok(received) => {
                    let text = String::from_utf8_lossy(&room[..received]);
                    let space = OUTPUT_BYTES_MAX.saturating_sub(self.output.len());
                    self.output.push_str(&text[..text.floor_char_boundary(space)]);
                }
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => return,
                Err(_) => self.pipe = None,
            }
        }
    }

    /// Returns the output on one line.
    pub fn shown_output(&self) -> String {
        self.output.split_whitespace().collect::<Vec<_>>().join(" ").replace(char::is_control, " ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(given: &str, agent: &str) -> Vec<String> {
        fill(&template(Some(given), |_| None).unwrap(), "h1", agent)
    }

    #[test]
    fn templates_are_filled() {
        assert_eq!(
            filled("ip netns exec {host} {cmd}", "/opt/m"),
            ["ip", "netns", "exec", "h1", "/opt/m", "--node-agent"]
        );
        assert_eq!(filled("rsh {host}", "/opt/m"), ["rsh", "h1", "/opt/m", "--node-agent"]);
        assert_eq!(
            filled("sh -c 'exec {cmd}'", "/opt/m"),
            ["sh", "-c", "exec /opt/m --node-agent"]
        );
        assert_eq!(
            filled("/usr/bin/ssh {host} {cmd}", "/my dir/m").last().unwrap(),
            "--node-agent"
        );
        assert_eq!(filled("/usr/bin/ssh {host} {cmd}", "/my dir/m")[2], "'/my dir/m'");
        assert!(template(Some("sh -c 'x"), |_| None).is_err());
    }

    #[test]
    fn a_slurm_job_starts_by_srun() {
        let bin = std::env::temp_dir().join(format!("nemesis-test-bin-{}", std::process::id()));
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::write(bin.join("srun"), "").unwrap();
        let inside = |name: &str| match name {
            "SLURM_JOB_ID" => Some("1".to_owned()),
            "PATH" => Some(format!("/nowhere:{}", bin.display())),
            _ => None,
        };
        assert_eq!(template(None, inside).unwrap()[0], "srun");
        std::fs::remove_dir_all(&bin).unwrap();
        assert_eq!(template(None, inside).unwrap()[0], "ssh");
    }

    #[test]
    fn the_output_of_a_starter_that_fails_is_kept() {
        let words = template(Some("sh -c 'cat; echo no way >&2; exit 3'"), |_| None).unwrap();
        let mut starter = Starter::start(&words, "h1", "/opt/m", "hello\n").unwrap();
        while starter.pipe.is_some() {
            starter.read_output();
            std::thread::yield_now();
        }
        assert_eq!(starter.shown_output(), "hello no way");
        let missing = template(Some("no-such-starter {host}"), |_| None).unwrap();
        let error = Starter::start(&missing, "h1", "/opt/m", "").err().unwrap();
        assert!(error.what.starts_with("no-such-starter, which starts processes"), "{error}");
    }
}
