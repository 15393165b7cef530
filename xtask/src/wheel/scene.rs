//! A place in which the wheel is tried: this machine, or another system in a folder.

use crate::commands::{Failure, at};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder for one environment of Python, which is removed at the end.
pub struct Scene {
    /// The root of the system whose programs are used: `/`, or that of another system.
    system: PathBuf,
    /// The folder, as programs of that system name it.
    folder: PathBuf,
}

impl Scene {
    /// Makes an empty folder in a system.
    pub fn new(system: &Path, name: &str) -> Result<Scene, Failure> {
        let folder = PathBuf::from(format!("/tmp/nemesis-wheel-{}-{name}", std::process::id()));
        let scene = Scene { system: system.to_owned(), folder };
        let outside = scene.outside("");
        fs::create_dir_all(&outside).map_err(at(&outside))?;
        Ok(scene)
    }

    /// Returns the path of a file of the scene, as programs of its system name it.
    pub fn inside(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Returns the path of a file of the scene, as this program names it.
    pub fn outside(&self, name: &str) -> PathBuf {
        let folder = self.folder.strip_prefix("/").unwrap_or(&self.folder);
        self.system.join(folder).join(name)
    }

    /// Writes a file of the scene.
    pub fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.outside(name);
        fs::write(&path, text).map_err(at(&path))
    }

    /// Copies a file into the scene and returns the path there.
    pub fn bring(&self, file: &Path) -> Result<PathBuf, Failure> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        fs::copy(file, self.outside(&name)).map_err(at(file))?;
        Ok(self.inside(&name))
    }

    /// Returns a command of the scene's system: `sh -c LINE` in the folder, with the programs of
    /// the environment first, a home of its own, and nothing that the caller has set for MPI.
    fn command(&self, line: &str) -> Command {
        let bare = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"].join(":");
        let home = self.inside("home");
        let settings = [
            format!("PATH={}:{bare}", self.inside("env/bin").display()),
            format!("HOME={}", home.display()),
        ];
        let kept = ["PIP_CERT", "PIP_INDEX_URL", "SSL_CERT_FILE", "HTTPS_PROXY", "HTTP_PROXY"];
        let kept = kept.iter().filter_map(|name| {
            let value = std::env::var(name).ok()?;
            // A file of this machine is not there in another system.
            let is_there =
                !value.starts_with('/') || self.system.join(value.trim_start_matches('/')).exists();
            is_there.then(|| format!("{name}={value}"))
        });
        let line = format!("cd {} && {line}", self.folder.display());
        let mut command = Command::new("env");
        if self.system != Path::new("/") {
            // A system in a folder sees its own processes, and its mounts end with them.
            command = Command::new("unshare");
            let proc = self.system.join("proc");
            command.args(["--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]);
            let mount = format!(
                "mount --rbind /dev {0}/dev && mount -t proc proc {1} && exec chroot {0} \"$@\"",
                self.system.display(),
                proc.display()
            );
            command.args(["sh", "-c", &mount, "sh", "env"]);
        }
        command.arg("-i").args(settings).args(kept).args(["sh", "-c", &line]);
        command
    }

    /// Runs a command line and returns its standard output and error.
    ///
    /// # Errors
    ///
    /// Returns the line, how it has ended, and what it has printed.
    pub fn run(&self, line: &str) -> Result<String, Failure> {
        let (succeeded, text) = self.answer(line)?;
        if succeeded { Ok(text) } else { Err(format!("`{line}` failed:\n{text}")) }
    }

    /// Runs a command line and returns whether it has succeeded, and its output.
    pub fn answer(&self, line: &str) -> Result<(bool, String), Failure> {
        let Output { status, stdout, stderr } =
            self.command(line).output().map_err(|why| format!("{line}: {why}"))?;
        let text = String::from_utf8_lossy(&stdout) + String::from_utf8_lossy(&stderr);
        Ok((status.success(), text.into_owned()))
    }

    /// Runs a command line, whose output must contain `wanted`.
    pub fn expect(&self, line: &str, wanted: &[&str]) -> Result<(), Failure> {
        let (_, text) = self.answer(line)?;
        match wanted.iter().find(|&&wanted| !text.contains(wanted)) {
            None => Ok(()),
            Some(lacking) => Err(format!("`{line}` does not print {lacking:?}:\n{text}")),
        }
    }

    /// Returns the files and folders below one of the scene's folders, but for what Python compiles
    /// for itself.
    pub fn listing(&self, name: &str) -> BTreeSet<PathBuf> {
        let mut all = BTreeSet::new();
        let mut open = vec![self.outside(name)];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.ends_with("__pycache__") {
                    continue;
                }
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    open.push(path.clone());
                }
                all.insert(path);
            }
        }
        all
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(self.outside(""));
    }
}
