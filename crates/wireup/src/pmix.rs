//! PMIx, the protocol of prterun, Open MPI's mpirun and Slurm's pmix plug-in, implemented by the
//! launcher's own library.
//!
//! Each barrier collects the data: otherwise Slurm's plug-in loses what was put in a second round.
//! prterun nevertheless fetches a value from the host of the rank that put it, which has two
//! consequences. Each job ends with a barrier before the ranks finalize, because a rank that has
//! left cannot be asked any more. And all cards are fetched before the job begins (see
//! [`Client::keep`]): if a rank is killed, because some rank called MPI_Abort, while it waits for
//! an answer from another host, its daemon waits forever for a lock of its own, and prterun for the
//! daemon (seen in PMIx 5.0.11).

use crate::WireupError;
use nemesis_sys::pmix;
use std::collections::HashMap;
use std::ffi::CString;

#[derive(Debug)]
pub struct Client {
    client: pmix::Client,
    pub rank: u32,
    pub size: u32,
    /// Cards that have been fetched.
    kept: HashMap<String, Vec<u8>>,
}

const LIBRARY: &str = "libpmix.so.2";

/// Returns the paths to try for the library: below the launcher's PMIX_PREFIX, then the launcher's
/// own copy, then the loader's search path.
fn names(variable: impl Fn(&str) -> Option<String>, of_launcher: Option<String>) -> Vec<String> {
    let prefixed = variable("PMIX_PREFIX")
        .into_iter()
        .flat_map(|prefix| ["lib", "lib64"].map(|folder| format!("{prefix}/{folder}/{LIBRARY}")));
    let there = prefixed.chain(of_launcher).filter(|path| std::path::Path::new(path).exists());
    there.chain([LIBRARY.to_owned()]).collect()
}

impl Client {
    pub fn join(variable: impl Fn(&str) -> Option<String>) -> Result<Client, WireupError> {
        let of_launcher = nemesis_sys::process::library_of_ancestor(LIBRARY);
        let paths = names(variable, of_launcher);
        let client = pmix::join(&paths).map_err(|why| {
            let advice =
                "installing libpmix2, or LD_LIBRARY_PATH with the folder of the launcher's \
                 libpmix.so.2, or under Slurm `srun --mpi=pmi2`";
            WireupError::new("joining the job by PMIx", why, advice)
        })?;
        let size = client
            .job_number(c"pmix.job.size")
            .map_err(|refused| broken("size of the job", &refused))?;
        let size = u32::try_from(size).map_err(|_| {
            WireupError::new(
                "joining the job by PMIx",
                format!("{size} processes"),
                "a smaller job",
            )
        })?;
        Ok(Client { rank: client.rank(), client, size, kept: HashMap::new() })
    }

    pub fn put(&self, key: &str, card: &[u8]) -> Result<(), WireupError> {
        self.client.put(&name(key)?, card).map_err(|refused| broken("put", &refused))
    }

    /// Returns the card under `key`. If the key ends with the number of a rank, that rank has put
    /// it, else rank 0.
    pub fn get(&self, key: &str) -> Result<Vec<u8>, WireupError> {
        if let Some(card) = self.kept.get(key) {
            return Ok(card.clone());
        }
        self.client
            .get(owner(key, self.size), &name(key)?)
            .map_err(|refused| broken("get", &refused))
    }

    /// Fetches the cards under `keys` now, so that no request is under way later. Collective:
    /// returns when no process requests any more.
    pub fn keep(&mut self, keys: impl Iterator<Item = String>) -> Result<(), WireupError> {
        for key in keys {
            let card = self.get(&key)?;
            self.kept.insert(key, card);
        }
        self.fence()
    }

    pub fn fence(&self) -> Result<(), WireupError> {
        self.client.fence().map_err(|refused| broken("fence", &refused))
    }

    pub fn appnum(&self) -> i64 {
        self.client
            .own_number(c"pmix.appnum")
            .ok()
            .and_then(|number| i64::try_from(number).ok())
            .unwrap_or(-1)
    }

    pub fn universe_size(&self) -> i64 {
        self.client
            .job_number(c"pmix.univ.size")
            .ok()
            .and_then(|number| i64::try_from(number).ok())
            .unwrap_or(-1)
    }

    /// Asks the launcher to end the job, unless it does that anyway when this process ends.
    ///
    /// PRRTE's daemon loses count of a rank that calls PMIx_Abort and is killed for it before its
    /// end was noticed. Then daemon and launcher wait for it forever (seen in PRRTE of Open MPI
    /// 5.0.11, more often on busy hosts). A rank that the daemon itself has started, and that ends
    /// with a code other than 0, ends the job, too.
    pub fn abort(&self, code: i32, message: &str) {
        if !is_of_prrte(&nemesis_sys::process::name_of_parent()) {
            self.client.abort(code, message);
        }
    }

    pub fn finalize(&self) -> Result<(), WireupError> {
        self.fence()?;
        self.client.finalize().map_err(|refused| broken("finalize", &refused))
    }
}

fn is_of_prrte(program: &str) -> bool {
    matches!(program, "prted" | "prterun" | "prte")
}

/// Returns the rank that has put `key`. PMIx finds a value by its owner, and keys that belong to a
/// rank end with its number.
fn owner(key: &str, size: u32) -> u32 {
    let number = key.rsplit_once('-').and_then(|(_, number)| number.parse().ok());
    number.filter(|&rank| rank < size).unwrap_or(0)
}

fn name(key: &str) -> Result<CString, WireupError> {
    CString::new(key).map_err(|_| {
        WireupError::new(
            format!("publishing {key:?}"),
            "that is no key",
            "a key of plain characters",
        )
    })
}

fn broken(what: &str, refused: &pmix::Refused) -> WireupError {
    WireupError::new(
        format!("asking the launcher by PMIx ({what})"),
        refused,
        "look at the launcher's own messages; start with the mpiexec that came with this library",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_tells_whose_it_is() {
        assert_eq!(
            ["nemesis-net-3", "greeting-7", "version", "a-b"].map(|key| owner(key, 8)),
            [3, 7, 0, 0]
        );
        assert_eq!(owner("nemesis-net-8", 8), 0);
    }

    #[test]
    fn the_launchers_own_library_comes_first() {
        let folder = std::env::temp_dir().join(format!("nemesis-test-pmix-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("lib")).unwrap();
        std::fs::write(folder.join("lib/libpmix.so.2"), "").unwrap();
        let beside = folder.join("beside.so").display().to_string();
        std::fs::write(&beside, "").unwrap();
        let found = names(
            |name| (name == "PMIX_PREFIX").then(|| folder.display().to_string()),
            Some(beside.clone()),
        );
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(found[0].ends_with("/lib/libpmix.so.2"));
        assert_eq!(found[1..], [beside.clone(), LIBRARY.to_owned()]);
        assert_eq!(names(|_| None, Some(beside)), [LIBRARY], "what is gone is not tried");
    }
}
