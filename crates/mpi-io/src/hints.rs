//! Info keys of files (MPI 5.0 §14.2.8), and those of ROMIO that programs set.
//!
//! A key is kept if its value is valid, and ignored otherwise. All ranks use the hints of rank 0.

use crate::coll;
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::handle;
use crate::info::Info;
use crate::layout::byte;
use crate::striping::Striping;

/// Values that a key may have.
enum Values {
    /// A number from [`least`] on.
    Number,
    /// One of these words.
    Words(&'static [&'static str]),
    Any,
}

/// Whether the ranks exchange data in collective calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Buffering {
    Automatic,
    Always,
    Never,
}

const SWITCH: Values = Values::Words(&["automatic", "enable", "disable", "true", "false"]);
const TRUTH: Values = Values::Words(&["true", "false"]);

/// Key, default, and valid values. A key without a default is told only if the program sets it.
const KEYS: [(&str, Option<&str>, Values); 23] = [
    ("cb_buffer_size", Some("2097152"), Values::Number),
    ("cb_nodes", None, Values::Number),
    ("romio_cb_read", Some("automatic"), SWITCH),
    ("romio_cb_write", Some("automatic"), SWITCH),
    ("romio_ds_read", Some("automatic"), SWITCH),
    ("romio_ds_write", Some("disable"), SWITCH),
    ("romio_no_indep_rw", Some("false"), TRUTH),
    ("ind_rd_buffer_size", Some("4194304"), Values::Number),
    ("ind_wr_buffer_size", Some("524288"), Values::Number),
    ("striping_unit", Some("0"), Values::Number),
    ("striping_factor", Some("0"), Values::Number),
    ("cb_config_list", Some("*:1"), Values::Any),
    ("access_style", None, Values::Any),
    ("collective_buffering", None, TRUTH),
    ("cb_block_size", None, Values::Number),
    ("chunked", None, Values::Any),
    ("chunked_item", None, Values::Any),
    ("chunked_size", None, Values::Any),
    ("file_perm", None, Values::Any),
    ("io_node_list", None, Values::Any),
    ("nb_proc", None, Values::Number),
    ("num_io_nodes", None, Values::Number),
    ("start_iodevice", Some("0"), Values::Number),
];

/// Hints of a file in use.
#[derive(Clone, Debug, Default)]
pub struct Hints(Info);

impl Hints {
    /// Keeps the known keys whose values are valid.
    pub fn accept(&mut self, given: &Info) {
        for (key, _, values) in &KEYS {
            if let Some(value) = given.get(key).filter(|value| is_valid(key, values, value)) {
                self.0.set(key, value);
            }
        }
    }

    fn get(&self, key: &str) -> Option<&str> {
        let default = || KEYS.iter().find(|(known, ..)| *known == key)?.1;
        self.0.get(key).or_else(default)
    }

    /// Returns the value of a key that is a number.
    pub fn number(&self, key: &str) -> Option<u64> {
        self.get(key)?.parse().ok()
    }

    /// Returns how the program wants a new file divided.
    pub fn asked_striping(&self) -> Striping {
        let asked = |key| self.0.get(key).and_then(|value| value.parse::<u64>().ok());
        Striping {
            unit_bytes: asked("striping_unit").unwrap_or(0),
            count: asked("striping_factor").unwrap_or(0),
            first: asked("start_iodevice").map_or(0, |device| device + 1),
        }
    }

    /// Sets the keys that say how the file is divided, as far as its file system tells.
    pub fn set_striping(&mut self, striping: Striping) {
        let Striping { unit_bytes, count, first } = striping;
        let device = first.saturating_sub(1);
        for (key, value, known) in [
            ("striping_unit", unit_bytes, unit_bytes),
            ("striping_factor", count, count),
            ("start_iodevice", device, first),
        ] {
            if known > 0 {
                self.0.set(key, &value.to_string());
            }
        }
    }

    /// Returns the bytes that an aggregator moves in a round.
    pub fn round_bytes(&self) -> u64 {
        self.number("cb_buffer_size").unwrap_or(1)
    }

    /// Returns whether collective calls exchange data: `romio_cb_read` or `romio_cb_write`, or
    /// `collective_buffering` if the program sets it alone.
    pub fn buffering(&self, key: &str) -> Buffering {
        let set = self.0.get(key).or_else(|| self.0.get("collective_buffering"));
        match set {
            Some("enable" | "true") => Buffering::Always,
            Some("disable" | "false") => Buffering::Never,
            _ => Buffering::Automatic,
        }
    }

    /// Returns the longest window of a read that takes in holes between the data: 0 if
    /// `romio_ds_read` forbids it.
    pub fn window_bytes(&self) -> u64 {
        match self.get("romio_ds_read") {
            Some("disable" | "false") => 0,
            _ => self.number("ind_rd_buffer_size").unwrap_or(0),
        }
    }

    /// Returns the permissions of a new file, which `file_perm` gives in octal digits.
    pub fn permissions(&self) -> u32 {
        let given = self.0.get("file_perm").and_then(|text| u32::from_str_radix(text, 8).ok());
        given.map_or(0o666, |permissions| permissions & 0o777)
    }

    /// Returns the hints that the program has set: a line for each key, and one for its value.
    fn lines(&self) -> String {
        let set = KEYS.iter().filter_map(|(key, ..)| Some((key, self.0.get(key)?)));
        set.map(|(key, value)| format!("{key}\n{value}\n")).collect()
    }

    /// Returns all hints in use, with the values that apply.
    pub fn effective(&self, extra: &[(&str, String)]) -> Info {
        let mut info = Info::default();
        for (key, ..) in &KEYS {
            if let Some(value) = self.get(key) {
                info.set(key, value);
            }
        }
        for (key, value) in extra {
            info.set(key, value);
        }
        info
    }
}

fn is_valid(key: &str, values: &Values, value: &str) -> bool {
    match values {
        // Names and values travel as lines.
        Values::Any => !value.contains(['\n', '\r']),
        Values::Words(words) => words.contains(&value),
        Values::Number => value.parse::<i64>().is_ok_and(|number| number >= least(key)),
    }
}

/// Returns the least value of a key that is a number.
fn least(key: &str) -> i64 {
    i64::from(!matches!(key, "striping_unit" | "striping_factor" | "start_iodevice"))
}

/// Returns why a value of a key counts for nothing; `None` if it counts.
pub fn fault_of(key: &str, value: &str) -> Option<String> {
    let Some((_, _, values)) = KEYS.iter().find(|(known, ..)| *known == key) else {
        return Some(format!("there is no hint {key:?}"));
    };
    let expected = match values {
        _ if is_valid(key, values, value) => return None,
        Values::Number => format!("a number from {} on", least(key)),
        Values::Words(words) => format!("one of {}", words.join(", ")),
        Values::Any => "one line".to_owned(),
    };
    Some(format!("{key:?} cannot be {value:?}; it is {expected}"))
}

/// Returns rank 0's hints at every rank. Collective.
pub fn of_rank_zero(mpi: &mut Mpi, comm: handle::Comm, own: &Info) -> Outcome<Info> {
    let text = told(own);
    let mut length = [text.len() as u64];
    coll::bcast_words(mpi, comm, &mut length, 0)?;
    tell(mpi, comm, &text, length[0] as usize)
}

/// Returns what rank 0 tells the others of its hints.
pub fn told(own: &Info) -> Vec<u8> {
    let mut hints = Hints::default();
    hints.accept(own);
    hints.lines().into_bytes()
}

/// Returns rank 0's hints at every rank, which all know to have `bytes` bytes. Collective unless
/// there are none.
pub fn tell(mpi: &mut Mpi, comm: handle::Comm, text: &[u8], bytes: usize) -> Outcome<Info> {
    let mut info = Info::default();
    if bytes == 0 {
        return Ok(info);
    }
    let buffer = coll::scratch_bytes(bytes)?;
    debug_assert!(buffer.datatype().is_same(byte()));
    buffer.unpack_at(0, text);
    coll::run(mpi, comm, |steps| coll::bcast::bcast(steps, &buffer, 0))?;
    read_lines(&String::from_utf8_lossy(buffer.as_bytes().unwrap_or_default()), &mut info);
    Ok(info)
}

/// Sets the keys and values that stand on lines in turn.
fn read_lines(text: &str, info: &mut Info) {
    let mut lines = text.lines();
    while let (Some(key), Some(value)) = (lines.next(), lines.next()) {
        info.set(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_keys_and_invalid_values_are_ignored() {
        let (mut hints, mut given) = (Hints::default(), Info::default());
        for (key, value) in [
            ("cb_buffer_size", "-4"),
            ("romio_cb_write", "enable"),
            ("romio_cb_read", "perhaps"),
            ("striping_unit", "0"),
            ("colour", "red"),
        ] {
            given.set(key, value);
        }
        hints.accept(&given);
        assert_eq!(hints.number("cb_buffer_size"), Some(2 << 20));
        assert_eq!(hints.buffering("romio_cb_write"), Buffering::Always);
        assert_eq!(hints.buffering("romio_cb_read"), Buffering::Automatic);
        let told = hints.effective(&[("cb_nodes", "2".into())]);
        assert_eq!((told.get("cb_nodes"), told.get("colour")), (Some("2"), None));
        assert_eq!(told.get("romio_cb_write"), Some("enable"));
    }

    #[test]
    fn a_value_of_two_lines_shifts_no_other() {
        let (mut hints, mut given, mut received) =
            (Hints::default(), Info::default(), Info::default());
        for (key, value) in [("access_style", "a\nb"), ("chunked", ""), ("nb_proc", "4")] {
            given.set(key, value);
        }
        hints.accept(&given);
        read_lines(&hints.lines(), &mut received);
        assert_eq!((received.get("access_style"), received.get("nb_proc")), (None, Some("4")));
        assert_eq!(received.get("chunked"), Some(""));
    }

    #[test]
    fn the_file_system_knows_how_a_file_is_divided() {
        let (mut hints, mut given) = (Hints::default(), Info::default());
        for key in ["striping_unit", "striping_factor", "start_iodevice"] {
            given.set(key, "7");
        }
        hints.accept(&given);
        assert_eq!(hints.asked_striping(), Striping { unit_bytes: 7, count: 7, first: 8 });
        assert_eq!(Hints::default().asked_striping(), Striping::default());
        hints.set_striping(Striping { unit_bytes: 65_536, count: 0, first: 1 });
        let told = hints.effective(&[]);
        assert_eq!(told.get("striping_unit"), Some("65536"));
        assert_eq!(told.get("striping_factor"), Some("7"));
        assert_eq!(told.get("start_iodevice"), Some("0"));
    }

    #[test]
    fn permissions_are_octal() {
        let (mut hints, mut given) = (Hints::default(), Info::default());
        assert_eq!(hints.permissions(), 0o666);
        given.set("file_perm", "0640");
        hints.accept(&given);
        assert_eq!(hints.permissions(), 0o640);
    }
}
