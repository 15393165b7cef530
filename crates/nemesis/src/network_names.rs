//! The names of networks, by which users choose them (`NEMESIS_NETWORKS`).

use nemesis_netmod::PACKET_MIN_BYTES;
use std::fmt;

/// A kind of network that users choose by name.
struct Kind {
    name: &'static str,
    /// Whether the library brings its module, so that the name suffices.
    is_built_in: bool,
    /// Checks what a user writes behind the name and a colon; an error says what may stand there.
    check: fn(&str) -> Result<(), String>,
}

/// The kind of networks whose module is a file of the user (`nemesis_netmod.h`). The file may be
/// named without the kind, by a path with a slash.
pub const MODULE: &str = "module";
/// The kind of libfabric.
pub const OFI: &str = "ofi";

/// All kinds of networks. A new network module adds its row here, and its drivers in
/// `networks::drivers`.
static KINDS: [Kind; 4] = [
    Kind { name: "tcp", is_built_in: true, check: check_tcp },
    Kind { name: "verbs", is_built_in: true, check: check_devices },
    Kind { name: OFI, is_built_in: true, check: check_provider },
    Kind { name: MODULE, is_built_in: false, check: check_module },
];

/// A network that the user names: a kind, and what the user writes behind a colon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkName {
    /// Name of the kind.
    pub kind: &'static str,
    /// Text behind the colon.
    pub argument: Option<String>,
}

impl fmt::Display for NetworkName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (MODULE, Some(path)) = (self.kind, &self.argument)
            && path.contains('/')
        {
            return f.write_str(path);
        }
        f.write_str(self.kind)?;
        self.argument.as_ref().map_or(Ok(()), |argument| write!(f, ":{argument}"))
    }
}

impl NetworkName {
    /// Returns the names of the networks whose modules the library brings.
    pub fn kinds() -> impl Iterator<Item = &'static str> {
        KINDS.iter().filter(|kind| kind.is_built_in).map(|kind| kind.name)
    }

    /// Parses the value of `NEMESIS_NETWORKS`: names separated by commas, in order of preference.
    /// An empty text is the default.
    pub fn parse_list(text: &str) -> Result<Vec<NetworkName>, String> {
        let text = if text.is_empty() { "tcp" } else { text };
        let mut names: Vec<NetworkName> = Vec::new();
        for word in text.split(',').map(str::trim) {
            let (name, argument) = match word.split_once(':') {
                Some((name, argument)) if !name.contains('/') => (name, Some(argument)),
                _ if word.contains('/') => (MODULE, Some(word)),
                _ => (word, None),
            };
            let kind = KINDS.iter().find(|kind| kind.name == name).ok_or_else(|| {
                let known = NetworkName::kinds().collect::<Vec<_>>().join(", ");
                let known = format!("{known}, or the path of a network module, with a slash");
                match name {
                    "" => format!("a name is missing; the names are {known}"),
                    _ => format!("there is no network {name:?}; the names are {known}"),
                }
            })?;
            if argument.is_some() || !kind.is_built_in {
                let argument = argument.unwrap_or_default();
                (kind.check)(argument).map_err(|why| format!("{word:?}: {why}"))?;
            }
            let name = NetworkName { kind: kind.name, argument: argument.map(str::to_owned) };
            let is_one = |other: &&NetworkName| match kind.is_built_in {
                true => other.kind == name.kind,
                false => **other == name,
            };
            if let Some(twice) = names.iter().find(is_one) {
                return Err(format!("{twice} is named twice"));
            }
            names.push(name);
        }
        Ok(names)
    }
}

fn check_tcp(argument: &str) -> Result<(), String> {
    let most = usize::from(u16::MAX);
    let bytes = argument.parse().ok().filter(|bytes| (PACKET_MIN_BYTES..=most).contains(bytes));
    bytes.map(drop).ok_or_else(|| {
        format!("tcp: takes the length of a packet in bytes, from {PACKET_MIN_BYTES} to {most}")
    })
}

/// Checks the devices of InfiniBand.
fn check_devices(argument: &str) -> Result<(), String> {
    if argument.split('+').any(str::is_empty) {
        return Err("verbs: takes names of devices joined by +, as in verbs:mlx5_0+mlx5_1".into());
    }
    Ok(())
}

/// Checks the name of a provider of libfabric.
fn check_provider(argument: &str) -> Result<(), String> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ';');
    match !argument.is_empty() && argument.chars().all(is_name) {
        true => Ok(()),
        false => Err("ofi: takes the name of a provider of libfabric, as in ofi:tcp".to_owned()),
    }
}

/// Checks the name of a network module, which is the file `libnemesis_netmod_NAME.so`, or its path.
fn check_module(argument: &str) -> Result<(), String> {
    match argument.is_empty() {
        false => Ok(()),
        true => Err("module: takes the path of a network module, or NAME of \
                     libnemesis_netmod_NAME.so in the linker's search path"
            .to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Result<Vec<String>, String> {
        Ok(NetworkName::parse_list(text)?.iter().map(NetworkName::to_string).collect())
    }

    #[test]
    fn a_list_names_networks_in_order() {
        assert_eq!(names("").unwrap(), ["tcp"]);
        assert_eq!(names("verbs, tcp:4096").unwrap(), ["verbs", "tcp:4096"]);
        assert_eq!(names("ofi:tcp;ofi_rxm,tcp").unwrap(), ["ofi:tcp;ofi_rxm", "tcp"]);
        assert_eq!(names("verbs:mlx5_0+mlx5_1,tcp").unwrap(), ["verbs:mlx5_0+mlx5_1", "tcp"]);
        let modules = "./a.so,/opt/b:c.so,module:nowhere,tcp";
        assert_eq!(
            names(modules).unwrap(),
            ["./a.so", "/opt/b:c.so", "module:nowhere", "tcp"],
            "several modules are several networks"
        );
        assert_eq!(names("module:/opt/b.so").unwrap(), ["/opt/b.so"]);
    }

    #[test]
    fn a_wrong_list_is_explained() {
        let names_are =
            "the names are tcp, verbs, ofi, or the path of a network module, with a slash";
        let unknown = format!("there is no network \"verbs tcp\"; {names_are}");
        let missing = format!("a name is missing; {names_are}");
        let no_module = "module: takes the path of a network module, or NAME of \
                         libnemesis_netmod_NAME.so in the linker's search path";
        let devices = "verbs: takes names of devices joined by +, as in verbs:mlx5_0+mlx5_1";
        for (text, why) in [
            ("verbs tcp", unknown.as_str()),
            ("tcp,", &missing),
            ("tcp:4096,tcp", "tcp:4096 is named twice"),
            ("./a.so,./a.so", "./a.so is named twice"),
            ("module", &format!("\"module\": {no_module}")),
            (
                "tcp:100",
                "\"tcp:100\": tcp: takes the length of a packet in bytes, from 4096 to 65535",
            ),
            ("verbs:a++b", &format!("\"verbs:a++b\": {devices}")),
            ("ofi:", "\"ofi:\": ofi: takes the name of a provider of libfabric, as in ofi:tcp"),
        ] {
            assert_eq!(names(text).unwrap_err(), why);
        }
    }
}
