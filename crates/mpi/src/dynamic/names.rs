//! Published names of ports (MPI 5.0 §11.8.4).
//!
//! A name is kept in one of two scopes, which the info key `nemesis_scope` selects at
//! `MPI_Publish_name`:
//!
//! - `job`, the default: the launcher keeps it, for the processes that it has started. A launcher
//!   without names, and a process without launcher, use the other scope.
//! - `user`: a file in a folder of the user, for all jobs of the user on this host. The process
//!   that published it holds a lock on it, which the kernel releases when that process ends, also
//!   if it is in another namespace (containers that share the folder). A process that is killed
//!   leaves its files; the next publication, and a lookup that meets one, remove them.
//!
//! A lookup searches both, the launcher first.

use crate::abi;
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::info::Info;
use crate::life::unwired;
use nemesis_wireup::hex;

use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Longest name in the scope of the user, as a part of a file's name in hexadecimal.
const USER_NAME_BYTES_MAX: usize = 100;
/// Longest name in the scope of the job, as a part of a command to the launcher.
const JOB_NAME_BYTES_MAX: usize = 150;

/// Attempts to write a name while other processes remove the folder with their last names, or
/// signals arrive.
const ATTEMPTS: u32 = 20;

/// Names that this process has published in the scope of the user, and their locked files.
static PUBLISHED: Mutex<Vec<(String, File)>> = Mutex::new(Vec::new());

fn published() -> MutexGuard<'static, Vec<(String, File)>> {
    // Every change is one call of `push` or `swap_remove`.
    PUBLISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a text in hexadecimal, a token in every launcher's protocol.
fn in_hexadecimal(text: &str) -> String {
    hex::encode(text.as_bytes())
}

/// Returns the text with these bytes in hexadecimal.
fn from_hexadecimal(digits: &str) -> Option<String> {
    String::from_utf8(hex::decode(digits)?).ok()
}

fn check_name(name: &str, most: usize) -> Outcome {
    if name.is_empty() || name.len() > most {
        let why = format!("the service name has {} bytes, 1 to {most} are allowed", name.len());
        return Err(Error::new(abi::MPI_ERR_SERVICE, why).advise("choose another name"));
    }
    Ok(())
}

fn is_published_twice(name: &str) -> Box<Error> {
    Error::new(abi::MPI_ERR_SERVICE, format!("the service name {name:?} is published already"))
        .advise("call MPI_Unpublish_name first, or choose another name")
}

/// `MPI_Publish_name`.
pub fn publish(mpi: &mut Mpi, service: &str, hints: &Info, port: &str) -> Outcome {
    let name = service;
    check_name(name, JOB_NAME_BYTES_MAX)?;
    if hints.get("nemesis_scope") != Some("user")
        && let Some(wireup) = &mut mpi.wireup
        && wireup.has_names()
    {
        let (name, port) = (in_hexadecimal(name), in_hexadecimal(port));
        let kept = wireup.publish_name(&name, &port).map_err(unwired)?;
        return if kept { Ok(()) } else { Err(is_published_twice(service)) };
    }
    check_name(name, USER_NAME_BYTES_MAX)?;
    let Some(locked) = store(name, port).map_err(no_folder)? else {
        return Err(is_published_twice(name));
    };
    published().push((name.to_owned(), locked));
    Ok(())
}

/// `MPI_Lookup_name`: returns the name of the port.
pub fn look_up(mpi: &mut Mpi, name: &str) -> Outcome<String> {
    if let Some(wireup) = &mut mpi.wireup
        && wireup.has_names()
        // A longer name does not fit into a command, and was never published.
        && check_name(name, JOB_NAME_BYTES_MAX).is_ok()
        && let Some(port) = wireup.look_up_name(&in_hexadecimal(name)).map_err(unwired)?
    {
        return from_hexadecimal(&port).ok_or_else(|| {
            let why = format!("another library has published the service name {name:?}");
            Error::new(abi::MPI_ERR_NAME, why)
        });
    }
    let found = find(name);
    let unreadable = match &found {
        Err(why) if why.kind() != ErrorKind::NotFound => Some(why.to_string()),
        Ok(_) | Err(_) => None,
    };
    found.ok().flatten().ok_or_else(|| not_found(mpi, name, unreadable))
}

/// Returns the error of a name that is not published where this process looks. `unreadable` says
/// why the folder of the user's names cannot be read, if it cannot.
fn not_found(mpi: &Mpi, name: &str, unreadable: Option<String>) -> Box<Error> {
    let folder = unreadable.unwrap_or_else(|| {
        folder().map_or_else(|why| why.to_string(), |folder| folder.display().to_string())
    });
    let launcher = mpi.wireup.as_ref().filter(|wireup| wireup.has_names());
    let launcher = launcher.map(|wireup| {
        format!(
            "the launcher of this job, {}, has none from its processes, and ",
            wireup.launcher()
        )
    });
    let why = format!(
        "no running process has published the service name {name:?} where this one looks: {}there \
         is none in the user's folder on this host ({folder})",
        launcher.unwrap_or_default()
    );
    Error::new(abi::MPI_ERR_NAME, why).advise(
        "publish it before, and for other jobs, spawned ones too, with the info key nemesis_scope \
         set to user; between hosts or users, pass the port's name by a file",
    )
}

/// `MPI_Unpublish_name`.
pub fn unpublish(mpi: &mut Mpi, name: &str) -> Outcome {
    let own = {
        let mut published = published();
        let at = published.iter().position(|(other, _)| other == name);
        at.map(|at| published.swap_remove(at))
    };
    // The file stays locked until it is removed, so no other process removes it.
    if let Some(_locked) = own {
        let folder = own_folder().map_err(no_folder)?;
        return remove(&folder, name).map_err(no_folder);
    }
    if let Some(wireup) = &mut mpi.wireup
        && wireup.has_names()
        && check_name(name, JOB_NAME_BYTES_MAX).is_ok()
        && wireup.unpublish_name(&in_hexadecimal(name)).map_err(unwired)?
    {
        return Ok(());
    }
    let why = format!("this process has not published the service name {name:?}");
    Err(Error::new(abi::MPI_ERR_SERVICE, why)
        .advise("call MPI_Unpublish_name once, in the process that called MPI_Publish_name"))
}

/// Removes the names that this process has not unpublished, when it finalizes.
pub fn withdraw_all() {
    let names = std::mem::take(&mut *published());
    if !names.is_empty()
        && let Ok(folder) = folder().and_then(check_folder)
    {
        for (name, _locked) in names {
            // A name that is gone already needs no removal.
            let _ = remove(&folder, &name);
        }
    }
}

fn no_folder(refused: io::Error) -> Box<Error> {
    let why = format!("the user's folder of published names cannot be used: {refused}");
    Error::new(abi::MPI_ERR_SERVICE, why)
        .advise("set XDG_RUNTIME_DIR to a folder that only you can write")
}

/// Removes a name, and the folder if it is the last one.
fn remove(folder: &Path, name: &str) -> io::Result<()> {
    let removed = fs::remove_file(folder.join(in_hexadecimal(name)));
    // The kernel keeps a folder that is not empty.
    let _ = fs::remove_dir(folder);
    removed
}

/// Returns the path of the folder of the user's names, which need not exist.
fn folder() -> io::Result<PathBuf> {
    let user = fs::metadata("/proc/self")?.uid();
    Ok(match std::env::var_os("XDG_RUNTIME_DIR") {
        Some(folder) if Path::new(&folder).is_dir() => Path::new(&folder).join("nemesis-names"),
        _ => std::env::temp_dir().join(format!("nemesis-names-{user}")),
    })
}

/// Returns the folder of the user's names, which only the user can write. Creates it if necessary.
fn own_folder() -> io::Result<PathBuf> {
    let base = folder()?;
    match DirBuilder::new().mode(0o700).create(&base) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    check_folder(base)
}

/// Returns the folder if only the user can write it.
fn check_folder(folder: PathBuf) -> io::Result<PathBuf> {
    let (user, found) = (fs::metadata("/proc/self")?.uid(), fs::symlink_metadata(&folder)?);
    if !found.is_dir() || found.uid() != user || found.mode() & 0o077 != 0 {
        let why = format!("{} is not a folder that only you can use", folder.display());
        return Err(io::Error::new(ErrorKind::PermissionDenied, why));
    }
    Ok(folder)
}

/// Returns the port in a file of a name, or `None` if the process that wrote the file has ended.
fn read(file: &Path) -> io::Result<Option<String>> {
    let mut file = File::open(file)?;
    match file.try_lock_shared() {
        Ok(()) => Ok(None),
        Err(TryLockError::WouldBlock) => {
            let mut port = String::new();
            file.read_to_string(&mut port)?;
            Ok(Some(port))
        }
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Returns the port of a name in the scope of the user. If it is that of a process that has ended,
/// removes the files of all such processes.
fn find(name: &str) -> io::Result<Option<String>> {
    let folder = check_folder(folder()?)?;
    let port = read(&folder.join(in_hexadecimal(name)))?;
    if port.is_none() {
        let _lock = sweep(&folder)?;
        // The kernel keeps a folder that is not empty.
        let _ = fs::remove_dir(&folder);
    }
    Ok(port)
}

/// Removes the names and drafts of processes that have ended. Returns the lock of the folder: while
/// it is held, no other process sweeps the folder or publishes in it.
fn sweep(folder: &Path) -> io::Result<File> {
    let lock = File::open(folder)?;
    lock.lock()?;
    if lock.metadata()?.ino() != fs::metadata(folder)?.ino() {
        // The folder was removed and made again.
        return Err(ErrorKind::NotFound.into());
    }
    for file in fs::read_dir(folder)?.flatten().map(|entry| entry.path()) {
        if read(&file).is_ok_and(|port| port.is_none()) {
            fs::remove_file(file)?;
        }
    }
    Ok(lock)
}

/// Publishes a name in the scope of the user, and returns its locked file. Returns `None` if a
/// running process has published it.
fn store(name: &str, port: &str) -> io::Result<Option<File>> {
    let attempt = || {
        let folder = own_folder()?;
        let _lock = sweep(&folder)?;
        write(&folder, name, port)
    };
    let mut stored = attempt();
    for _ in 0..ATTEMPTS {
        // Another process has removed the folder with its last name or is writing its own name, or
        // a signal has interrupted the wait for the folder's lock.
        let passes = [ErrorKind::NotFound, ErrorKind::Interrupted];
        if !stored.as_ref().is_err_and(|error| passes.contains(&error.kind())) {
            break;
        }
        stored = attempt();
    }
    stored
}

/// Writes a name, and returns its locked file. Returns `None` if it is published already. A lookup
/// sees all of the file, locked, or none of it. The caller holds the lock of the folder, which may
/// be that of a folder that was removed and made again: a draft of another process is not touched,
/// because the file may be its name already.
fn write(folder: &Path, name: &str, port: &str) -> io::Result<Option<File>> {
    let draft = folder.join("draft");
    let mut file = File::create_new(&draft).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => ErrorKind::Interrupted.into(),
        _ => error,
    })?;
    file.lock()?;
    file.write_all(port.as_bytes())?;
    let linked = fs::hard_link(&draft, folder.join(in_hexadecimal(name)));
    fs::remove_file(&draft)?;
    match linked {
        Ok(()) => Ok(Some(file)),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_lives_as_long_as_its_process() {
        let folder =
            std::env::temp_dir().join(format!("nemesis-names-test-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join(in_hexadecimal("ocean"));
        let port = || read(&file).ok().flatten();
        assert_eq!(port(), None);
        let locked = write(&folder, "ocean", "port").unwrap().expect("nobody has this name");
        assert!(write(&folder, "ocean", "other").unwrap().is_none());
        // What a killed process leaves: a draft, and a name without a lock.
        fs::write(folder.join("draft"), "cut").unwrap();
        let refused = write(&folder, "sea", "port").unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Interrupted, "a draft is in the way");
        assert_eq!(fs::read(folder.join("draft")).unwrap(), b"cut");
        fs::write(folder.join(in_hexadecimal("lake")), "port").unwrap();
        drop(sweep(&folder).unwrap());
        assert_eq!(port().as_deref(), Some("port"));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "files of ended processes stay");
        drop(locked);
        assert_eq!(port(), None);
        drop(sweep(&folder).unwrap());
        assert!(!file.exists(), "the name of an ended process stays");
        fs::remove_dir(folder).unwrap();
    }
}
