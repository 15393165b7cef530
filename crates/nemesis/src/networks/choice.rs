//! The networks of a process: which ones start, and which one leads to each process.
//!
//! The user names networks in order of preference (`NEMESIS_NETWORKS`). A process starts those that
//! its host has. For another process it then chooses the first for which both have a card, and
//! whose module can connect the two. Both ends choose by one rule, so they usually come to one
//! network; a process that has not chosen yet takes the network over which a packet arrives.

use super::drivers::{self, Settings};
use super::hosts::DeferringHost;
use super::lanes::Lanes;
use super::{NONE, Networks, Rail};
use crate::limits::REMOTE_PACKET_MAX_BYTES;
use crate::network_names::NetworkName;
use crate::tunables::Tunables;
use nemesis_netmod::{Driver, Failure, Fault, PACKET_MIN_BYTES, Setup, Started};
use nemesis_wireup::ranks::named as named_ranks;
use nemesis_wireup::{Wireup, WireupError};

/// Why a named network is not used, and how it failed.
type Missing = (String, Failure);

/// Networks that have been started.
#[derive(Default)]
pub(super) struct Begun {
    /// The cards of the rails, by their names.
    pub cards: Vec<(String, Vec<u8>)>,
    pub missing: Vec<Missing>,
}

impl Networks {
    /// Starts the networks that the user names and publishes their cards. Collective.
    pub fn open(wireup: &mut Wireup, tunables: &Tunables) -> Result<Networks, WireupError> {
        let directory = wireup.directory();
        let cards = Box::new(move |process, network: &str| directory.card_of(process, network));
        let mut networks = Networks::new(wireup.rank(), wireup.size(), cards, tunables.verbose);
        networks.state.warns = wireup.local_rank() == 0;
        networks.state.reporter = wireup.reporter();
        let settings = Settings::new(wireup, tunables);
        let job_key = *wireup.job_key().bytes();
        let Begun { cards, missing } = match drivers::take_provided() {
            Some(provided) => networks.begin([provided].into_iter(), tunables.encrypt, job_key),
            None => {
                let begun = networks.begin(settings.of_user(), tunables.encrypt, job_key);
                networks.lanes = Some(Lanes::of_first(settings, job_key));
                begun
            }
        };
        if networks.candidates.is_empty() {
            return Err(none_starts(&missing, tunables));
        }
        cards.iter().for_each(|(network, card)| wireup.publish(network, card));
        if wireup.local_rank() == 0 {
            networks.warn_of_missing(&missing);
        }
        networks.missing = missing.into_iter().map(|(name, failure)| (name, failure.why)).collect();
        wireup.exchange()?;
        Ok(networks)
    }

    /// Starts networks by the drivers of their rails.
    pub(super) fn begin(
        &mut self,
        networks: impl Iterator<Item = (String, Vec<Box<dyn Driver>>)>,
        encrypts: bool,
        job_key: [u8; 32],
    ) -> Begun {
        let mut begun = Begun::default();
        for (name, drivers) in networks {
            match self.start_network(&drivers, encrypts, job_key) {
                Ok(cards) => begun.cards.extend(cards),
                Err(failure) => begun.missing.push((name, failure)),
            }
        }
        begun
    }

    /// Starts the rails of a network and returns their cards. Fails if the first one does not
    /// start.
    fn start_network(
        &mut self,
        drivers: &[Box<dyn Driver>],
        encrypts: bool,
        job_key: [u8; 32],
    ) -> Result<Vec<(String, Vec<u8>)>, Failure> {
        let first = self.rails.len();
        drivers.first().map_or(Ok(()), |driver| self.refuse_twin(&**driver))?;
        let mut cards = Vec::new();
        for (rail, driver) in drivers.iter().enumerate() {
            if encrypts && !driver.encrypts() {
                let why = "it does not encrypt, and NEMESIS_ENCRYPT (mpiexec -encrypt) is on";
                return Err(Failure::new(Fault::Unavailable, why));
            }
            match self.start_rail(&**driver, job_key, first) {
                Ok(card) => cards.push((driver.name().to_owned(), card)),
                Err(failure) if rail == 0 => return Err(failure),
                Err(failure) => self.state.note(driver.name(), &failure.why),
            }
        }
        self.add_candidate(first);
        Ok(cards)
    }

    /// Refuses a network whose name another one has: the processes of the job find each other's
    /// cards by it.
    fn refuse_twin(&self, driver: &dyn Driver) -> Result<(), Failure> {
        let name = driver.name();
        if self.candidates.iter().all(|&rail| self.rails[rail].name != name) {
            return Ok(());
        }
        let why = format!(
            "it calls itself {name}, as another network of the list does; try: another name in \
             its table, or one of the two"
        );
        Err(Failure::new(Fault::Unavailable, why))
    }

    /// Tells the user which named networks this host lacks, though the job goes on.
    fn warn_of_missing(&self, missing: &[Missing]) {
        let used: Vec<&str> =
            self.candidates.iter().map(|&rail| self.rails[rail].name.as_str()).collect();
        for (name, failure) in missing {
            nemesis_sys::message::tell(format_args!(
                "nemesis: network {}; the job goes on with {} (NEMESIS_NETWORKS)",
                cannot_be_used(name, &failure.to_string()),
                used.join(", ")
            ));
        }
    }

    /// Starts the network that connects this process with processes of other jobs, unless it runs.
    ///
    /// # Errors
    ///
    /// The network cannot be used.
    pub fn open_for_other_jobs(
        &mut self,
        wireup: &Wireup,
        tunables: &Tunables,
    ) -> Result<(), WireupError> {
        if self.foreign.is_some() {
            return Ok(());
        }
        let driver = match &self.lanes {
            // The node's port has one reader.
            Some(lanes) => lanes.settings().driver_for_other_jobs(),
            None => Settings::new(wireup, tunables).driver_for_other_jobs(),
        };
        let rail = self.rails.len();
        let started = self.start_rail(&*driver, *wireup.job_key().bytes(), rail);
        started.map(drop).map_err(|failure| {
            let advice = advice(&failure, tunables);
            WireupError::new("reaching other jobs by the network", &failure.why, advice)
        })
    }

    /// Starts a network module as a network of its own, among which the process chooses. Returns
    /// its card, which the other processes must know before the first packet.
    #[cfg(test)]
    pub fn start(&mut self, driver: &dyn Driver, job_key: [u8; 32]) -> Result<Vec<u8>, Failure> {
        let rail = self.rails.len();
        self.refuse_twin(driver)?;
        let card = self.start_rail(driver, job_key, rail)?;
        self.add_candidate(rail);
        Ok(card)
    }

    /// Adds a network, by its first rail, to those among which the process chooses. A network
    /// without an alternative is chosen at once.
    fn add_candidate(&mut self, first: usize) {
        self.candidates.push(first);
        let is_only = self.candidates.len() == 1;
        let processes = self.state.chosen.len() as u32;
        self.state.users = vec![0; self.rails.len()];
        self.state.chosen.fill(NONE);
        if is_only {
            (0..processes).for_each(|process| self.state.choose(process, first));
        }
    }

    /// Starts a network module as the next rail, of the network with the given first rail.
    fn start_rail(
        &mut self,
        driver: &dyn Driver,
        job_key: [u8; 32],
        first: usize,
    ) -> Result<Vec<u8>, Failure> {
        let rail = self.rails.len();
        let setup = Setup {
            me: self.state.me,
            processes: self.connected.len() as u32,
            job_key,
            lane: self.lane(),
            cells: None,
        };
        let name = driver.name().to_owned();
        let mut host = DeferringHost { rail, name: &name, state: &mut self.state };
        let Started { module, card } = driver.init(setup, &mut host)?;
        let limits = module.limits();
        if rail == first && limits.payload < PACKET_MIN_BYTES {
            let why = format!(
                "{name} carries packets of {} bytes, and a network has to carry {PACKET_MIN_BYTES}",
                limits.payload
            );
            return Err(Failure::new(Fault::Resources, why));
        }
        let packet_max = limits.payload.min(REMOTE_PACKET_MAX_BYTES) & !7;
        if rail == first {
            self.least_packet_max = self.least_packet_max.min(packet_max);
        } else {
            self.rails[first].has_siblings = true;
        }
        if self.foreign.is_none() && driver.connects_jobs() {
            self.foreign = Some((rail, card.clone()));
        }
        self.state.users.push(0);
        self.rails.push(Rail {
            name,
            module,
            limits,
            packet_max,
            first,
            has_siblings: rail != first,
        });
        Ok(card)
    }

    /// Chooses the networks for some processes, and says for each network what it uses here and for
    /// which processes it is chosen, which ones lack it, and why others are not used.
    pub fn report(
        &mut self,
        processes: impl Iterator<Item = u32>,
        tunables: &Tunables,
    ) -> Vec<String> {
        let processes: Vec<u32> = processes.collect();
        let mut reached = vec![Vec::new(); self.rails.len()];
        let mut lines = Vec::new();
        for &process in &processes {
            match self.choose_network(process) {
                Ok(rail) => reached[rail].push(process),
                Err(failure) => lines.push(failure.to_string()),
            }
        }
        let me = self.state.me;
        for (order, rail) in self.candidates.clone().into_iter().enumerate() {
            let name = self.rails[rail].name.clone();
            let named = tunables
                .networks
                .iter()
                .find(|network| network.kind == name || network.to_string() == *name);
            let place = named.and_then(|name| describe(name, tunables).ok()).unwrap_or_default();
            let place = if place.is_empty() { place } else { format!(" ({place})") };
            let rails = self.rails.iter().filter(|other| other.first == rail).count();
            let rails = if rails > 1 { format!(", {rails} rails") } else { String::new() };
            let to = match &reached[rail][..] {
                [] => "no rank".to_owned(),
                ranks => named_ranks(ranks),
            };
            let lacking = self.lacking(&name, &processes);
            let lacking = match &lacking[..] {
                [] => String::new(),
                ranks => format!("; {} cannot use it", named_ranks(ranks)),
            };
            lines.push(format!("rank {me} reaches {to} by {name}{place}{rails}{lacking}"));
            // Those of networks that the user prefers less, too.
            let asked = self.candidates[order..].iter().flat_map(|&rail| &reached[rail]);
            let asked: Vec<u32> = asked.copied().collect();
            lines.extend(self.unconnected(rail, asked));
        }
        for kind in NetworkName::kinds() {
            if tunables.networks.iter().any(|name| name.kind == kind) {
                continue;
            }
            lines.push(match describe(&NetworkName { kind, argument: None }, tunables) {
                Ok(_) => format!("{kind} is not used: NEMESIS_NETWORKS does not name it"),
                Err(why) => cannot_be_used(kind, &why),
            });
        }
        for (name, why) in self.missing.clone() {
            let kind = name.split(':').next().unwrap_or_default();
            let lacking = self.lacking(kind, &processes);
            let others: Vec<u32> =
                processes.iter().copied().filter(|process| !lacking.contains(process)).collect();
            let others = match &others[..] {
                [] | [_] => String::new(),
                ranks => format!("; {} have it", named_ranks(ranks)),
            };
            lines.push(cannot_be_used(&name, &why) + &others);
        }
        lines
    }

    /// Returns those of `processes` that have no card of a network.
    fn lacking(&mut self, network: &str, processes: &[u32]) -> Vec<u32> {
        let lacks = |process: &u32| self.state.card(network, *process).is_none();
        processes.iter().copied().filter(lacks).collect()
    }

    /// Says which processes with a card the module of a network cannot connect, and why.
    fn unconnected(&mut self, rail: usize, processes: Vec<u32>) -> Vec<String> {
        let mut reasons: Vec<(String, Vec<u32>)> = Vec::new();
        for process in processes {
            let Rail { name, module, .. } = &mut self.rails[rail];
            let Some(card) = self.state.card(name, process) else { continue };
            let Err(why) = module.connects(process, &card) else { continue };
            match reasons.iter_mut().find(|(other, _)| *other == why) {
                Some((_, ranks)) => ranks.push(process),
                None => reasons.push((why, vec![process])),
            }
        }
        let name = &self.rails[rail].name;
        let line = |(why, ranks): (String, Vec<u32>)| {
            format!("{name} does not connect this host with {}: {why}", named_ranks(&ranks))
        };
        reasons.into_iter().map(line).collect()
    }

    /// Returns the name of the network that leads to a process.
    pub fn name_of_network(&mut self, process: u32) -> Option<String> {
        let rail = self.choose_network(process).ok()?;
        Some(self.rails[rail].name.clone())
    }

    /// Returns the first rail of the network for a process, and chooses it if none is chosen yet:
    /// the first network for which both processes have a card and whose module can connect them.
    /// Fails with the reasons if there is none.
    pub(super) fn choose_network(&mut self, to: u32) -> Result<usize, Failure> {
        let chosen = self.state.chosen[to as usize];
        if chosen != NONE {
            return Ok(chosen.into());
        }
        let mut reasons = Vec::new();
        for &rail in &self.candidates {
            let Rail { name, module, .. } = &mut self.rails[rail];
            let connects = match self.state.card(name, to) {
                Some(card) => module.connects(to, &card),
                None => Err("its host does not use this network".to_owned()),
            };
            match connects {
                Ok(()) => {
                    self.state.choose(to, rail);
                    return Ok(rail);
                }
                Err(why) => reasons.push(format!("{name}: {why}")),
            }
        }
        let why = format!(
            "no network connects this process with it ({}); try: a network that both hosts have, \
             such as tcp, as the last name of NEMESIS_NETWORKS",
            reasons.join("; ")
        );
        Err(Failure::new(Fault::Unreachable, why).about(to))
    }
}

/// Says why this host cannot use a network.
fn cannot_be_used(name: &str, why: &str) -> String {
    format!("{name} cannot be used on {}: {why}", nemesis_sys::host::hostname())
}

/// Returns the error of a process for which no network starts.
pub(super) fn none_starts(missing: &[Missing], tunables: &Tunables) -> WireupError {
    if let [(_, failure)] = missing
        && failure.fault != Fault::Unavailable
    {
        return WireupError::new("joining the network", &failure.why, advice(failure, tunables));
    }
    let reasons: Vec<String> =
        missing.iter().map(|(name, failure)| format!("{name}: {failure}")).collect();
    let host = nemesis_sys::host::hostname();
    let why = format!("{host} can use no network of NEMESIS_NETWORKS ({})", reasons.join("; "));
    let advice = "tcp as the last name of NEMESIS_NETWORKS, and `nemesis info`";
    WireupError::new("joining the network", why, advice)
}

/// Returns what to try if a network cannot be used.
fn advice(failure: &Failure, tunables: &Tunables) -> &'static str {
    match failure.fault {
        Fault::Unreachable => {
            "mpiexec -net (NEMESIS_NET) with interfaces or networks of this host, as in \
             eth0,10.1.0.0/16,^docker0"
        }
        _ if tunables.ports.0.is_some() => {
            "a wider mpiexec -port-range: a job takes one port of each host; if it runs on one \
             host and spawns or connects with other jobs, or has NEMESIS_PORTS without that \
             option, one for each process and each network, for each of its lanes \
             (NEMESIS_LANES); and one more for each port that is open (MPI_Open_port, \
             MPI_Comm_spawn)"
        }
        _ => {
            "`ulimit -n` and `ip address` on this host: a process needs file descriptors and an \
             address"
        }
    }
}

/// Describes what a network would use on this host, or why it cannot be used here.
pub fn describe(name: &NetworkName, tunables: &Tunables) -> Result<String, String> {
    let drivers = Settings::without_job(tunables).drivers(name);
    let Some(driver) = drivers.first() else { return Err("it has no driver".to_owned()) };
    if tunables.encrypt && !driver.encrypts() {
        return Err("it does not encrypt, and NEMESIS_ENCRYPT is on".to_owned());
    }
    driver.describe().map_err(|failure| failure.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_DEVICE: &str = "this host has no InfiniBand or RoCE device named mlx5_9";

    fn named(networks: &str) -> Tunables {
        let variable = |name: &str| (name == "NEMESIS_NETWORKS").then(|| networks.to_owned());
        Tunables::read(variable).expect("a valid list")
    }

    #[test]
    fn a_report_names_the_host_that_cannot_use_a_network() {
        let mut networks = Networks::new(0, 2, Box::new(|_, _| Ok(None)), false);
        networks.missing = vec![("verbs:mlx5_9".to_owned(), NO_DEVICE.to_owned())];
        let lines = networks.report(std::iter::empty(), &named("verbs:mlx5_9,ofi"));
        let host = nemesis_sys::host::hostname();
        assert_eq!(
            lines,
            [
                "tcp is not used: NEMESIS_NETWORKS does not name it".to_owned(),
                format!("verbs:mlx5_9 cannot be used on {host}: {NO_DEVICE}")
            ]
        );
    }

    #[test]
    fn a_process_without_a_network_says_why_for_each() {
        let unavailable = |why: &str| Failure::new(Fault::Unavailable, why);
        let missing = [
            ("verbs:mlx5_9".to_owned(), unavailable(NO_DEVICE)),
            ("ofi:tcp".to_owned(), unavailable("libfabric cannot be opened")),
        ];
        let error = none_starts(&missing, &named("verbs:mlx5_9,ofi:tcp")).to_string();
        let expected = format!(
            "{} can use no network of NEMESIS_NETWORKS (verbs:mlx5_9: {NO_DEVICE}; ofi:tcp: \
             libfabric cannot be opened)",
            nemesis_sys::host::hostname()
        );
        assert!(error.contains(&expected), "{error}");
    }

    #[test]
    fn a_process_that_no_network_reaches_is_named_with_the_reasons() {
        let mut networks = Networks::new(0, 2, Box::new(|_, _| Ok(None)), false);
        let networks_of_tests =
            nemesis_netmod_loopback::Network::new(nemesis_netmod_loopback::Trouble::none());
        let driver = nemesis_netmod_loopback::Loopback(networks_of_tests);
        networks.start(&driver, [0; 32]).expect("it starts");
        networks.state.chosen.fill(NONE);
        let failure = networks.choose_network(1).unwrap_err();
        assert_eq!(
            failure.why,
            "no network connects this process with it (loopback: its host does not use this \
             network); try: a network that both hosts have, such as tcp, as the last name of \
             NEMESIS_NETWORKS"
        );
    }
}
