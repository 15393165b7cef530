//! Which provider a process uses, on which of its addresses.

use crate::layout;
use crate::library::{Library, Offer, Offers, Properties, Request, words};
use nemesis_sys::choice::Choice;
use nemesis_sys::interfaces;
use std::net::IpAddr;
use std::sync::Arc;

/// The providers that are chosen if the user names none, the best first. First the networks that
/// have their own hardware, then those over sockets. Without `verbs;ofi_rxm`: the module `verbs`
/// drives its devices, too, and libfabric 1.17 can crash there when a peer is lost.
const PREFERRED: [&str; 7] = ["cxi", "efa", "opx", "tcp", "net", "tcp;ofi_rxm", "net;ofi_rxm"];

/// Providers that are never used, and why.
const REFUSED: [(&str, &str); 3] = [
    (
        "shm",
        "it can crash when an endpoint is closed, and leaves files in /dev/shm; processes of one \
         node use shared memory without libfabric",
    ),
    (
        "sm2",
        "long messages over it arrive with wrong bytes, and it leaves a file in /dev/shm; \
         processes of one node use shared memory without libfabric",
    ),
    ("sockets", "it runs threads of its own and was removed from later versions"),
];

/// Providers whose remote memory access is not used: `udp` never ends an access that the target
/// refuses, and those of `psm3` have not been tried.
const WITHOUT_MEMORY: [&str; 2] = ["udp", "psm3"];

/// Providers that report a message as sent before it has left the process, also if the end of its
/// delivery is asked for (`FI_DELIVERY_COMPLETE`).
const REPORTS_EARLY: [&str; 1] = ["psm3"];

/// Providers whose calls in the target's process carry out the accesses of peers. They may continue
/// with one that has begun after the end of the registration.
const IN_SOFTWARE: [&str; 2] = ["tcp", "net"];

/// Providers that crash when the address of a lost process is removed.
const KEEPS_ADDRESSES: [&str; 1] = ["psm3"];

fn is_among(properties: &Properties, names: &[&str]) -> bool {
    properties.provider.split(';').next().is_some_and(|core| names.contains(&core))
}

/// Returns whether the provider carries out accesses of peers by calls in the target's process.
pub fn accesses_in_software(properties: &Properties) -> bool {
    is_among(properties, &IN_SOFTWARE)
}

/// Returns whether the provider reports a message as sent before it has left the process.
pub fn reports_early(properties: &Properties) -> bool {
    is_among(properties, &REPORTS_EARLY)
}

/// Returns whether the provider opens a socket for each peer.
pub fn uses_sockets(properties: &Properties) -> bool {
    is_among(properties, &["tcp", "net", "sockets"])
}

/// Returns whether addresses stay known to the provider for as long as the endpoint.
pub fn keeps_addresses(properties: &Properties) -> bool {
    is_among(properties, &KEEPS_ADDRESSES)
}

/// Returns whether the provider takes any number of receives, whatever it promises. A layer above
/// it has a limit of its own.
pub fn takes_all_receives(properties: &Properties) -> bool {
    IN_SOFTWARE.contains(&properties.provider.as_str())
}

/// A chosen offer.
pub struct Chosen {
    pub offers: Offers,
    pub number: usize,
    pub properties: Properties,
}

impl Chosen {
    /// Returns the offer.
    pub fn offer(&self) -> Offer<'_> {
        self.offers.iter().nth(self.number).expect("the offer was chosen from this list")
    }
}

/// Returns the rank of a provider; `None` if it is not used. A provider that the user names is
/// taken as it is named, or below a layer that makes it reliable.
fn rank(provider: &str, wanted: Option<&str>) -> Option<usize> {
    match wanted {
        None => PREFERRED.iter().position(|&name| name == provider),
        Some(wanted) if wanted == provider => Some(0),
        Some(wanted) => {
            let (core, layer) = provider.split_once(';')?;
            (core == wanted && layer.starts_with("ofi_rx")).then_some(1)
        }
    }
}

/// Returns the place of an offer's address among those that the process uses; `None` if it is not
/// among them. Providers without socket addresses come first.
fn place(properties: &Properties, addresses: &[IpAddr]) -> Option<usize> {
    match properties.source {
        Some(source) => addresses.iter().position(|&address| address == source),
        None if matches!(properties.address_format, layout::SOCKADDR_IN | layout::SOCKADDR_IN6) => {
            Some(addresses.len())
        }
        None => Some(0),
    }
}

/// Returns the number of the best offer; `None` if there is none.
pub fn best(offers: &[Properties], wanted: Option<&str>, addresses: &[IpAddr]) -> Option<usize> {
    let keys = offers.iter().enumerate().filter_map(|(number, offer)| {
        let fits = offer.prefix_bytes == 0 && offer.mode & !followed_modes() == 0;
        let rank = rank(&offer.provider, wanted).filter(|_| fits)?;
        let place = place(offer, addresses)?;
        // All processes of a job have to use one family of addresses.
        let family = offer.source.is_some_and(|source| source.is_ipv6());
        Some(((rank, !offer.ordered, family, place), number))
    });
    keys.min().map(|(_, number)| number)
}

/// Returns the modes of operation that this module follows.
fn followed_modes() -> u64 {
    layout::CONTEXT | layout::CONTEXT2 | layout::RX_CQ_DATA
}

/// Returns why a provider that the user names is not used; `None` if it may be used.
fn refusal(wanted: &str) -> Option<String> {
    let core = wanted.split(';').next();
    let (name, why) = REFUSED.iter().find(|(name, _)| core == Some(*name))?;
    Some(format!("the provider {name} of libfabric is not used: {why}"))
}

/// Chooses a provider and an address. The error says what the library has.
pub fn choose(
    library: &Arc<Library>,
    wanted: Option<&str>,
    choice: &Choice,
) -> Result<Chosen, String> {
    if let Some(why) = wanted.and_then(refusal) {
        return Err(why);
    }
    let all = interfaces::list().map_err(|error| format!("the addresses of this host: {error}"))?;
    let addresses: Vec<IpAddr> =
        choice.of(all.clone()).iter().map(|interface| interface.address).collect();
    let mut has_others = false;
    // Some versions do not know the full name of a layered provider.
    let all_and_named = [wanted, None];
    let providers = if wanted.is_some() { &all_and_named[..] } else { &all_and_named[1..] };
    let requests = [true, false].into_iter().flat_map(|ordered| {
        providers.iter().map(move |&provider| Request { provider, ordered, memory: false })
    });
    for request in requests {
        let Ok(offers) = library.offers(&request) else { continue };
        let properties: Vec<Properties> = offers.iter().map(|offer| offer.properties()).collect();
        if let Some(number) = best(&properties, wanted, &addresses) {
            let properties = properties[number].clone();
            return Ok(Chosen { offers, number, properties });
        }
        let hosts: Vec<IpAddr> = all.iter().map(|interface| interface.address).collect();
        if best(&properties, wanted, &hosts).is_some() {
            has_others = true;
        }
    }
    if has_others {
        return Err(match addresses.is_empty() {
            true => choice.why_none(&all),
            false => format!(
                "libfabric offers none of the addresses that this process uses ({})",
                addresses.iter().map(IpAddr::to_string).collect::<Vec<_>>().join(", ")
            ),
        });
    }
    Err(why_none(library, wanted))
}

/// Returns the offer of a chosen provider and address for an endpoint that reaches the memory of
/// peers; `None` if there is none.
pub fn for_memory(library: &Arc<Library>, chosen: &Chosen) -> Option<Chosen> {
    let wanted = &chosen.properties;
    if is_among(wanted, &WITHOUT_MEMORY) {
        return None;
    }
    let request = Request { provider: None, ordered: false, memory: true };
    offer_like(wanted, library.offers(&request).ok()?)
}

/// Returns the offer that reaches memory by a provider and an address; `None` if there is none.
fn offer_like(wanted: &Properties, offers: Offers) -> Option<Chosen> {
    let is_it = |offer: &Properties| {
        offer.reaches_memory()
            && (&offer.provider, &offer.domain) == (&wanted.provider, &wanted.domain)
            && offer.source == wanted.source
            && offer.mode & !followed_modes() == 0
    };
    let properties: Vec<Properties> = offers.iter().map(|offer| offer.properties()).collect();
    let number = properties.iter().position(is_it)?;
    let properties = properties[number].clone();
    let chosen = Chosen { offers, number, properties };
    chosen.offer().clear_operation_flags();
    Some(chosen)
}

/// Says which variables of libfabric may keep providers from being found.
fn restriction(found: &[String], chosen: Option<String>, folder: Option<String>) -> String {
    match (chosen, folder) {
        (Some(chosen), _) => {
            format!(" (FI_PROVIDER={chosen} in the environment restricts libfabric)")
        }
        (None, None) if found.is_empty() => {
            " (FI_PROVIDER_PATH names the folder of providers that are files of their own, such as \
             libtcp-fi.so)"
                .to_owned()
        }
        (None, _) => String::new(),
    }
}

/// Explains that there is no suitable provider, and which there are.
fn why_none(library: &Arc<Library>, wanted: Option<&str>) -> String {
    let request = Request { provider: None, ordered: false, memory: false };
    let mut found: Vec<String> = library
        .offers(&request)
        .map(|offers| offers.iter().map(|offer| offer.properties().provider).collect())
        .unwrap_or_default();
    found.retain(|name| refusal(name).is_none());
    found.dedup();
    found.sort();
    found.dedup();
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let restriction = restriction(&found, variable("FI_PROVIDER"), variable("FI_PROVIDER_PATH"));
    let found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
    let version = words(library.version());
    match wanted {
        Some(wanted) => format!(
            "libfabric {version} has no provider \"{wanted}\" for reliable messages on this host; \
             it has: {found}{restriction}"
        ),
        None => format!(
            "libfabric {version} has none of the providers that are chosen by themselves ({}) on \
             this host; name one by NEMESIS_NETWORKS=ofi:PROVIDER. It has: {found}{restriction}",
            PREFERRED.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(provider: &str, source: &str) -> Properties {
        let source: Option<IpAddr> = source.parse().ok();
        let address_format = match source {
            Some(IpAddr::V4(_)) => layout::SOCKADDR_IN,
            Some(IpAddr::V6(_)) => layout::SOCKADDR_IN6,
            None => 0,
        };
        let provider = provider.to_owned();
        Properties { provider, source, address_format, ordered: true, ..Properties::default() }
    }

    #[test]
    fn networks_of_hardware_come_first_and_then_the_users_addresses() {
        let offers = [
            offer("tcp;ofi_rxm", "10.0.0.1"),
            offer("tcp", "fd00::1"),
            offer("tcp", "10.0.0.1"),
            offer("tcp", "192.0.2.7"),
            offer("udp;ofi_rxd", ""),
            offer("sockets", "10.0.0.1"),
        ];
        let addresses = |list: &[&str]| -> Vec<IpAddr> {
            list.iter().map(|address| address.parse().unwrap()).collect()
        };
        let both = addresses(&["192.0.2.7", "10.0.0.1", "fd00::1"]);
        assert_eq!(best(&offers, None, &both), Some(3));
        assert_eq!(best(&offers, None, &addresses(&["fd00::1"])), Some(1));
        assert_eq!(best(&offers, None, &addresses(&["203.0.113.1"])), None);
        assert_eq!(best(&offers, Some("udp;ofi_rxd"), &both), Some(4));
        assert_eq!(best(&offers[..1], Some("tcp"), &both), Some(0), "below its layer");
        assert_eq!(best(&offers, Some("tcp;ofi_rxm"), &both), Some(0));
        assert_eq!(best(&offers[5..], None, &both), None);
        let mut more = offers.to_vec();
        more.push(offer("cxi", ""));
        assert_eq!(best(&more, None, &both), Some(6));
    }

    #[test]
    fn providers_over_sockets_take_all_receives_unless_a_layer_limits_them() {
        let takes_all = |provider| takes_all_receives(&offer(provider, ""));
        assert!(takes_all("tcp") && takes_all("net"));
        assert!(!takes_all("tcp;ofi_rxm") && !takes_all("cxi"));
    }

    #[test]
    fn variables_that_hide_providers_are_named() {
        let text = |text: &str| Some(text.to_owned());
        let tcp = ["tcp".to_owned()];
        assert_eq!(restriction(&tcp, None, None), "");
        assert_eq!(restriction(&[], None, text("/lib/prov")), "");
        assert!(restriction(&[], None, None).contains("FI_PROVIDER_PATH"));
        assert!(restriction(&tcp, text("verbs"), None).contains("FI_PROVIDER=verbs"));
    }

    #[test]
    fn providers_that_fail_are_refused_with_a_reason() {
        for name in ["shm", "sm2", "sm2;ofi_rxm", "sockets"] {
            let why = refusal(name).expect("it is refused");
            assert!(why.contains("is not used: "), "{why}");
        }
        assert!(PREFERRED.iter().all(|name| refusal(name).is_none()));
    }

    #[test]
    fn demands_that_the_module_cannot_meet_exclude_a_provider() {
        let mut prefixed = offer("tcp", "10.0.0.1");
        prefixed.prefix_bytes = 16;
        let mut odd = offer("tcp", "10.0.0.1");
        odd.mode = 1 << 58;
        let addresses = ["10.0.0.1".parse().unwrap()];
        assert_eq!(best(&[prefixed, odd], None, &addresses), None);
    }
}
