//! Settings of the module.

use crate::layout::FULL_MEMBER;
use nemesis_netmod_tcp as tcp;
use std::path::PathBuf;
use std::time::Duration;

/// Settings that a user may change (`NEMESIS_VERBS`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// The library, instead of the system's.
    pub library: Option<PathBuf>,
    /// Packets that a process may send to this one without a credit, 8 to 255.
    pub window: u32,
    /// Whether `send` looks for completions and credits when few are left ("eager poking").
    pub eager_poking: bool,
    /// Whether processes that send often get a ring ("RDMA fast path").
    pub fast_path: bool,
    /// Whether a message on a ring omits a header that repeats the last one.
    pub header_caching: bool,
    /// Whether the device accesses remote memory for windows.
    pub remote_memory: bool,
    /// Index of the port's address (GID), instead of the best one.
    pub gid_index: Option<u8>,
    /// Partition (P_Key) without the bit of full members, instead of the first one of which the
    /// port is a full member.
    pub partition: Option<u16>,
    /// Service level of InfiniBand, 0 to 15.
    pub service_level: u8,
    /// Traffic class of RoCE and of routes between subnets.
    pub traffic_class: u8,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning {
            library: None,
            window: 64,
            eager_poking: true,
            fast_path: true,
            header_caching: true,
            remote_memory: true,
            gid_index: None,
            partition: None,
            service_level: 0,
            traffic_class: 0,
        }
    }
}

/// Parses a number of at most `most`.
fn number(text: &str, most: u8) -> Option<u8> {
    text.parse().ok().filter(|&number| number <= most)
}

impl Tuning {
    /// The form of the text that [`parse`](Tuning::parse) reads.
    pub const FORM: &'static str = "settings like window=32,fast-path=off";

    /// Parses settings separated by commas.
    ///
    /// # Examples
    /// ```
    /// use nemesis_netmod_verbs::Tuning;
    ///
    /// let tuning = Tuning::parse("fast-path=off,window=32").unwrap();
    /// assert!(!tuning.fast_path && tuning.eager_poking && tuning.window == 32);
    /// assert!(Tuning::parse("fast-path=maybe").unwrap_err().contains("on or off"));
    /// ```
    pub fn parse(text: &str) -> Result<Tuning, String> {
        let mut tuning = Tuning::default();
        for setting in text.split(',').map(str::trim).filter(|setting| !setting.is_empty()) {
            let (name, value) = setting.split_once('=').unwrap_or((setting, ""));
            let switch = || match value {
                "on" => Ok(true),
                "off" => Ok(false),
                _ => Err(format!("{name} is on or off")),
            };
            match name {
                "library" => tuning.library = Some(value.into()),
                "window" => {
                    let window = value.parse().ok().filter(|window| (8..=255).contains(window));
                    tuning.window = window.ok_or("window is a number from 8 to 255")?;
                }
                "eager-poking" => tuning.eager_poking = switch()?,
                "fast-path" => tuning.fast_path = switch()?,
                "header-caching" => tuning.header_caching = switch()?,
                "remote-memory" => tuning.remote_memory = switch()?,
                "gid-index" => {
                    tuning.gid_index = Some(number(value, 255).ok_or("gid-index is 0 to 255")?);
                }
                "pkey" => {
                    let hexadecimal = value.strip_prefix("0x");
                    let pkey = hexadecimal.and_then(|digits| u16::from_str_radix(digits, 16).ok());
                    let partition = pkey.map(|pkey| pkey & !FULL_MEMBER).filter(|&pkey| pkey != 0);
                    tuning.partition = Some(partition.ok_or("pkey is a number like 0x8001")?);
                }
                "service-level" => {
                    tuning.service_level = number(value, 15).ok_or("service-level is 0 to 15")?;
                }
                "traffic-class" => {
                    tuning.traffic_class = number(value, 255).ok_or("traffic-class is 0 to 255")?;
                }
                _ => {
                    return Err(format!(
                        "there is no setting {name:?}; the settings are library, window, \
                         eager-poking, fast-path, header-caching, remote-memory, gid-index, pkey, \
                         service-level, traffic-class"
                    ));
                }
            }
        }
        Ok(tuning)
    }
}

/// Settings of a driver.
#[derive(Clone, Debug)]
pub struct Options {
    /// What a user may change.
    pub tuning: Tuning,
    /// Names of devices; empty are all of the host.
    pub devices: Vec<String>,
    /// Number of the port among the active ports of the devices. Each is a network of its own, over
    /// which bulk payloads are distributed.
    pub rail: usize,
    /// The TCP network beneath: it proves the job key, notices lost processes, and carries packets
    /// to processes without a queue pair.
    pub tcp: tcp::Options,
    /// Bytes of a message: a packet's payload is shorter by the overhead.
    pub message_bytes: usize,
    /// Most receives for all processes together.
    pub receives_max: u32,
    /// Most requests of one queue pair.
    pub requests: u32,
    /// Most buffers of messages that are being sent.
    pub send_buffers: u32,
    /// Length from which a bulk payload is read from the sender's memory, which is registered for
    /// it. A shorter one is copied.
    pub read_min_bytes: usize,
    /// Time for which the link of the port may be down before all connections fail. A request
    /// without an answer fails its queue pair after 4.3 s.
    pub link_down_max: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            tuning: Tuning::default(),
            devices: Vec::new(),
            rail: 0,
            tcp: tcp::Options::default(),
            message_bytes: 8192,
            receives_max: 8192,
            requests: 128,
            send_buffers: 1024,
            read_min_bytes: 128 << 10,
            link_down_max: Duration::from_secs(5),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_by_name() {
        let text = "library=/lib/x.so, window=8,eager-poking=off,header-caching=off,\
                    remote-memory=off,fast-path=on";
        let tuning = Tuning::parse(text).unwrap();
        assert_eq!(tuning.library, Some("/lib/x.so".into()));
        assert!(tuning.window == 8 && tuning.fast_path);
        assert!(!tuning.eager_poking && !tuning.header_caching && !tuning.remote_memory);
        assert_eq!(Tuning::parse(""), Ok(Tuning::default()));
        let text = "gid-index=3,pkey=0x8001,service-level=15,traffic-class=106";
        let tuning = Tuning::parse(text).unwrap();
        assert_eq!((tuning.gid_index, tuning.partition), (Some(3), Some(1)));
        assert_eq!((tuning.service_level, tuning.traffic_class), (15, 106));
    }

    #[test]
    fn wrong_settings_are_explained() {
        for (text, words) in [
            ("window=7", "8 to 255"),
            ("window", "8 to 255"),
            ("eager-poking=yes", "on or off"),
            ("rings=on", "no setting"),
            ("gid-index=256", "0 to 255"),
            ("gid-index", "0 to 255"),
            ("pkey=0x8000", "like 0x8001"),
            ("pkey=8001", "like 0x8001"),
            ("service-level=16", "0 to 15"),
            ("traffic-class=-1", "0 to 255"),
        ] {
            assert!(Tuning::parse(text).unwrap_err().contains(words), "{text}");
        }
    }
}
