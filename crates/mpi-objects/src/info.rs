//! Info objects (MPI 5.0 chapter 10): ordered sets of keys and values, both text, kept verbatim.

use crate::abi;
use crate::error::{Error, Outcome};
use crate::handle::{self, Handle};
use crate::handle_table::HandleTable;
use nemesis_sys::per_process;
use std::sync::Mutex;
use std::sync::PoisonError;

/// Pairs in the order in which their keys were first set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    pairs: Vec<(String, String)>,
}

per_process! {
    static INFOS: HandleTable<handle::Info, Info> = HandleTable::new(abi::MPI_ERR_INFO);

    /// `MPI_INFO_ENV`: the request that started this program (MPI 5.0 §11.5.3), created when MPI
    /// starts.
    static ENV: Mutex<Info> = Mutex::new(Info { pairs: Vec::new() });
}

impl Info {
    /// Sets a key. An older value is replaced at its position.
    pub fn set(&mut self, key: &str, value: &str) {
        match self.pairs.iter_mut().find(|(known, _)| known == key) {
            Some((_, old)) => value.clone_into(old),
            None => self.pairs.push((key.to_owned(), value.to_owned())),
        }
    }

    pub fn get(&self, key: &str) -> Option<&str> {
        self.pairs.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// Returns a value of "true" or "false", or `None` for any other.
    pub fn get_bool(&self, key: &str) -> Option<bool> {
        self.get(key)?.parse().ok()
    }

    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

/// Checks a key: the standard allows 1 to MPI_MAX_INFO_KEY - 1 bytes (MPI 5.0 §10).
pub fn check_key(key: &str) -> Outcome {
    match key.len() {
        0 => Err(Error::new(abi::MPI_ERR_INFO_KEY, "the key is empty")),
        length if length >= abi::MPI_MAX_INFO_KEY as usize => {
            let most = abi::MPI_MAX_INFO_KEY - 1;
            Err(Error::new(
                abi::MPI_ERR_INFO_KEY,
                format!("the key has {length} bytes, at most {most} are allowed"),
            ))
        }
        _ => Ok(()),
    }
}

pub fn create(info: Info) -> Outcome<handle::Info> {
    INFOS.insert(info)
}

/// Returns the handles of all info objects that the program has to free.
pub fn made() -> Vec<handle::Info> {
    INFOS.handles()
}

/// Returns a copy of the object that the handle names. MPI_INFO_NULL is an error here; see
/// [`hints`].
pub fn get(info: handle::Info) -> Outcome<Info> {
    read(info, Info::clone)
}

/// Returns the info argument of a call that takes hints. MPI_INFO_NULL means none.
pub fn hints(info: handle::Info) -> Outcome<Info> {
    if info.is_null() { Ok(Info::default()) } else { get(info) }
}

pub fn read<R>(info: handle::Info, look: impl FnOnce(&Info) -> R) -> Outcome<R> {
    if info == abi::MPI_INFO_ENV {
        return Ok(look(&ENV.lock().unwrap_or_else(PoisonError::into_inner)));
    }
    INFOS.read(info, look)
}

pub fn set(info: handle::Info, key: &str, value: &str) -> Outcome {
    changeable(info)?;
    check_key(key)?;
    if value.len() >= abi::MPI_MAX_INFO_VAL as usize {
        let why = format!(
            "the value has {} bytes, at most {} are allowed",
            value.len(),
            abi::MPI_MAX_INFO_VAL - 1
        );
        return Err(Error::new(abi::MPI_ERR_INFO_VALUE, why));
    }
    INFOS.change(info, |info| info.set(key, value))
}

pub fn delete(info: handle::Info, key: &str) -> Outcome {
    changeable(info)?;
    check_key(key)?;
    let found = INFOS.change(info, |info| {
        let before = info.len();
        info.pairs.retain(|(known, _)| known != key);
        info.len() < before
    })?;
    if found {
        Ok(())
    } else {
        Err(Error::new(abi::MPI_ERR_INFO_NOKEY, format!("the key {key:?} is not set")))
    }
}

/// Returns the nth key in the order of setting.
pub fn nth_key(info: handle::Info, n: i32) -> Outcome<String> {
    let (key, len) = read(info, |info| {
        let pair = usize::try_from(n).ok().and_then(|n| info.pairs.get(n));
        (pair.map(|(key, _)| key.clone()), info.len())
    })?;
    key.ok_or_else(|| Error::new(abi::MPI_ERR_ARG, format!("n is {n}, the info has {len} keys")))
}

pub fn free(info: handle::Info) -> Outcome {
    changeable(info)?;
    INFOS.remove(info).map(drop)
}

fn changeable(info: handle::Info) -> Outcome {
    if info == abi::MPI_INFO_ENV {
        return Err(Error::new(abi::MPI_ERR_INFO, "MPI_INFO_ENV belongs to the library"));
    }
    Ok(())
}

/// Returns what is known of the program itself, whether MPI has started or not.
pub fn environment(command: Option<&str>, arguments: &[String]) -> Info {
    let mut info = Info::default();
    if let Some(command) = command {
        info.set("command", command);
    }
    if !arguments.is_empty() {
        info.set("argv", &arguments.join(" "));
    }
    info.set("arch", std::env::consts::ARCH);
    info.set("host", &nemesis_sys::host::hostname());
    if let Some(directory) = std::env::current_dir().ok().as_ref().and_then(|path| path.to_str()) {
        info.set("wdir", directory);
    }
    info
}

/// Sets the requested number of processes and the granted thread level. Called when MPI starts.
pub fn set_environment(processes: u32, thread_level: i32) {
    let mut words = std::env::args();
    let command = words.next();
    let mut info = environment(command.as_deref(), &words.collect::<Vec<_>>());
    info.set("maxprocs", &processes.to_string());
    info.set("soft", &processes.to_string());
    info.set("thread_level", thread_level_name(thread_level));
    info.set(MEMORY_KINDS_KEY, memory_kinds());
    if let Ok(name) = std::env::var(crate::errhandler::INITIAL_VARIABLE) {
        info.set("mpi_initial_errhandler", &name);
    }
    *ENV.lock().unwrap_or_else(PoisonError::into_inner) = info;
}

/// Key by which programs request kinds of memory and learn which are available (MPI 5.0 §11.4.3).
pub const MEMORY_KINDS_KEY: &str = "mpi_memory_alloc_kinds";
/// The kinds of memory that all calls accept in every process.
const MEMORY_KINDS: &str = "mpi,system";
/// Those that all calls accept where buffers may be memory of devices.
const MEMORY_KINDS_WITH_DEVICES: &str = "mpi,system,cuda:host,cuda:device,cuda:managed";

/// Returns the kinds of memory that all calls accept.
pub fn memory_kinds() -> &'static str {
    if nemesis_gpu::is_on() { MEMORY_KINDS_WITH_DEVICES } else { MEMORY_KINDS }
}

/// Grants the kinds of memory that an info object requests, as far as they exist. A process in
/// which nobody asks for kinds of devices, and that sees none, needs no look for them.
pub fn grant_memory_kinds(info: &Info) {
    let asked = info.get(MEMORY_KINDS_KEY).unwrap_or_default();
    if asked.split(',').any(|kind| is_of_devices(kind.trim())) {
        nemesis_gpu::expect();
    }
}

/// Whether a kind is one of devices: `cuda`, or `cuda` with one of its restrictors.
fn is_of_devices(kind: &str) -> bool {
    let mut words = kind.split(':');
    words.next() == Some("cuda") && words.all(|word| ["host", "device", "managed"].contains(&word))
}

/// Returns whether a kind that a program names is one that all calls accept.
pub fn is_memory_kind(kind: &str) -> bool {
    MEMORY_KINDS.split(',').any(|known| known == kind)
        || is_of_devices(kind) && nemesis_gpu::is_on()
}

/// Returns the thread level that an info object requests, if any.
pub fn thread_level_of(info: &Info) -> Outcome<Option<i32>> {
    let Some(name) = info.get("thread_level") else { return Ok(None) };
    let levels = [
        abi::MPI_THREAD_SINGLE,
        abi::MPI_THREAD_FUNNELED,
        abi::MPI_THREAD_SERIALIZED,
        abi::MPI_THREAD_MULTIPLE,
    ];
    match levels.into_iter().find(|&level| thread_level_name(level) == name) {
        Some(level) => Ok(Some(level)),
        None => {
            let error = Error::new(
                abi::MPI_ERR_INFO_VALUE,
                format!("thread_level is {name:?}, which is no thread level"),
            );
            Err(error.advise(
                "MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED or \
                 MPI_THREAD_MULTIPLE",
            ))
        }
    }
}

/// Returns the name of a thread level in info objects.
pub fn thread_level_name(level: i32) -> &'static str {
    match level {
        abi::MPI_THREAD_SINGLE => "MPI_THREAD_SINGLE",
        abi::MPI_THREAD_FUNNELED => "MPI_THREAD_FUNNELED",
        abi::MPI_THREAD_SERIALIZED => "MPI_THREAD_SERIALIZED",
        _ => "MPI_THREAD_MULTIPLE",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_order_and_values_change_in_place() {
        let info = create(Info::default()).unwrap();
        for (key, value) in [("one", "1"), ("two", "2"), ("one", "uno"), ("three", "")] {
            set(info, key, value).unwrap();
        }
        let keys: Vec<String> = (0..3).map(|n| nth_key(info, n).unwrap()).collect();
        assert_eq!(keys, ["one", "two", "three"]);
        assert_eq!(get(info).unwrap().get("one"), Some("uno"));
        delete(info, "two").unwrap();
        assert_eq!(delete(info, "two").unwrap_err().class, abi::MPI_ERR_INFO_NOKEY);
        assert_eq!(nth_key(info, 1).unwrap(), "three");
        assert_eq!(nth_key(info, 2).unwrap_err().class, abi::MPI_ERR_ARG);
        free(info).unwrap();
        assert_eq!(get(info).unwrap_err().class, abi::MPI_ERR_INFO);
    }

    #[test]
    fn lengths_have_limits() {
        let info = create(Info::default()).unwrap();
        let key = "k".repeat(abi::MPI_MAX_INFO_KEY as usize - 1);
        let value = "v".repeat(abi::MPI_MAX_INFO_VAL as usize - 1);
        set(info, &key, &value).unwrap();
        assert_eq!(set(info, &(key.clone() + "k"), "").unwrap_err().class, abi::MPI_ERR_INFO_KEY);
        assert_eq!(set(info, &key, &(value + "v")).unwrap_err().class, abi::MPI_ERR_INFO_VALUE);
        assert_eq!(set(info, "", "").unwrap_err().class, abi::MPI_ERR_INFO_KEY);
    }

    #[test]
    fn the_environment_is_read_only() {
        set_environment(4, abi::MPI_THREAD_MULTIPLE);
        assert_eq!(get(abi::MPI_INFO_ENV).unwrap().get("maxprocs"), Some("4"));
        assert!(set(abi::MPI_INFO_ENV, "maxprocs", "5").is_err());
        assert!(free(abi::MPI_INFO_ENV).is_err());
        assert!(hints(abi::MPI_INFO_NULL).unwrap().is_empty());
    }
}
