//! The drivers of the networks of this build.

use crate::network_names::{MODULE, NetworkName, OFI};
use crate::networks::RAILS_MAX;
use crate::tunables::Tunables;
use nemesis_netmod::c::CDriver;
use nemesis_netmod::{Driver, Failure, Fault, Host, Setup, Started};
use nemesis_netmod_ofi::Ofi;
use nemesis_netmod_tcp::{Acceptor, Options, Tcp};
use nemesis_netmod_verbs::{self as infiniband, Verbs};
use nemesis_sys::per_process;
use nemesis_wireup::Wireup;
use std::sync::{Arc, Mutex, PoisonError};

per_process! {
    static PROVIDED: Mutex<Option<Box<dyn Driver + Send>>> = Mutex::new(None);
}

/// Sets the only network of this process's job, in place of those that the user names. For
/// simulations, whose processes are virtual (`nemesis_sys::virtual_process`).
pub fn provide(driver: Box<dyn Driver + Send>) {
    *PROVIDED.lock().unwrap_or_else(PoisonError::into_inner) = Some(driver);
}

/// Returns the network that [`provide`] has set, and its name.
pub(super) fn take_provided() -> Option<(String, Vec<Box<dyn Driver>>)> {
    let driver = PROVIDED.lock().unwrap_or_else(PoisonError::into_inner).take()?;
    let name = driver.name().to_owned();
    Some((name, vec![driver as Box<dyn Driver>]))
}

/// What the drivers of a process need.
pub(super) struct Settings {
    pub(super) tunables: Tunables,
    /// The port of the node, if its launcher listens for all processes.
    acceptor: Option<Arc<Acceptor>>,
    /// Whether each process of the node has a processor.
    dedicated: bool,
    /// Number of processes of the job.
    pub(super) processes: u32,
}

impl Settings {
    /// Returns the settings of a process without a job, for tools.
    pub(super) fn without_job(tunables: &Tunables) -> Settings {
        Settings { tunables: tunables.clone(), acceptor: None, dedicated: true, processes: 1 }
    }

    pub(super) fn new(wireup: &Wireup, tunables: &Tunables) -> Settings {
        let acceptor = wireup.acceptor().and_then(|(line, port)| Acceptor::new(line, port).ok());
        let outnumber = || wireup.local_size() as usize > wireup.processors();
        let dedicated = !tunables.oversubscribed.unwrap_or_else(outnumber);
        Settings {
            tunables: tunables.clone(),
            acceptor: acceptor.map(Arc::new),
            dedicated,
            processes: wireup.size(),
        }
    }

    /// Returns the networks that the user names, each with the drivers of its rails.
    pub(super) fn of_user(&self) -> impl Iterator<Item = (String, Vec<Box<dyn Driver>>)> {
        self.tunables.networks.iter().map(|name| (name.to_string(), self.drivers(name)))
    }

    /// Makes the drivers of a network's rails.
    pub(super) fn drivers(&self, name: &NetworkName) -> Vec<Box<dyn Driver>> {
        match name.kind {
            "tcp" => tcp(self, name),
            "verbs" => verbs(self, name),
            OFI => vec![Box::new(ofi(self, name))],
            MODULE => vec![module(name.argument.as_deref().unwrap_or_default())],
            other => unreachable!("network_names names {other}"),
        }
    }

    /// Whether a process may start each of the user's networks several times, for its lanes:
    /// because the program has `asked` for one, or without that. A module of the user may have
    /// state of which there is one, a provider of libfabric few contexts of its device, and a range
    /// of ports no port for each lane of each process, if the launcher listens for none.
    pub(super) fn serve_lanes(&self, asked: bool) -> bool {
        let mut kinds = self.tunables.networks.iter().map(|name| name.kind);
        let has_ports = self.tunables.ports.0.is_none() || self.acceptor.is_some();
        kinds.all(|kind| kind != MODULE && (asked || kind != OFI)) && (asked || has_ports)
    }

    /// Makes the driver of the network that connects processes of several jobs.
    pub(super) fn driver_for_other_jobs(&self) -> Box<dyn Driver> {
        Box::new(Tcp::new(self.tcp_options()))
    }

    /// Returns the options of connections by TCP.
    fn tcp_options(&self) -> Options {
        Options {
            choice: self.tunables.net.clone(),
            ports: self.tunables.ports.clone(),
            acceptor: self.acceptor.clone(),
            encrypt: self.tunables.encrypt,
            ..Options::default()
        }
    }
}

/// Makes the drivers of TCP: one for each network of the host. The argument limits packets.
fn tcp(settings: &Settings, name: &NetworkName) -> Vec<Box<dyn Driver>> {
    let options = settings.tcp_options();
    let payload = name.argument.as_ref().and_then(|text| text.parse().ok());
    let payload = payload.unwrap_or(options.payload);
    let rails = Tcp::rails(&options.choice).min(RAILS_MAX);
    (0..rails)
        .map(|rail| -> Box<dyn Driver> {
            Box::new(Tcp::new(Options { rail, payload, ..options.clone() }))
        })
        .collect()
}

/// Makes the drivers of InfiniBand: one for each active port of the devices that the argument
/// names, or of all. Without a port there is one driver, which says why it does not start.
fn verbs(settings: &Settings, name: &NetworkName) -> Vec<Box<dyn Driver>> {
    let names = name.argument.iter().flat_map(|names| names.split('+'));
    let options = infiniband::Options {
        tuning: settings.tunables.verbs.clone(),
        devices: names.map(str::to_owned).collect(),
        tcp: settings.tcp_options(),
        ..infiniband::Options::default()
    };
    (0..Verbs::rails(&options).clamp(1, RAILS_MAX))
        .map(|rail| -> Box<dyn Driver> {
            Box::new(Verbs::new(infiniband::Options { rail, ..options.clone() }))
        })
        .collect()
}

/// Makes the driver of libfabric. The argument names a provider.
fn ofi(settings: &Settings, name: &NetworkName) -> Ofi {
    let library = &settings.tunables.ofi_library;
    Ofi::new(nemesis_netmod_ofi::Options {
        provider: name.argument.clone(),
        library: (!library.is_empty()).then(|| library.clone()),
        choice: settings.tunables.net.clone(),
        dedicated: settings.dedicated,
        lifeline: settings.tcp_options(),
    })
}

/// Makes the driver of a network module in a file of the user. If the file is none, the driver says
/// why it does not start.
fn module(name: &str) -> Box<dyn Driver> {
    let why = match CDriver::of_user(name) {
        Ok(driver) if NetworkName::kinds().any(|kind| kind == driver.name()) => format!(
            "the network module {name} calls itself {}, as a network of the library; try: another \
             name in its table",
            driver.name()
        ),
        Ok(driver) => return Box::new(driver),
        Err(why) => why.to_string(),
    };
    Box::new(NoModule(why))
}

/// A network module that cannot be used, and why.
struct NoModule(String);

impl NoModule {
    fn failure(&self) -> Failure {
        Failure::new(Fault::Unavailable, &self.0)
    }
}

impl Driver for NoModule {
    fn name(&self) -> &str {
        MODULE
    }

    fn describe(&self) -> Result<String, Failure> {
        Err(self.failure())
    }

    fn init(&self, _setup: Setup, _host: &mut dyn Host) -> Result<Started, Failure> {
        Err(self.failure())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_module_says_why() {
        let why = |name: &str| module(name).describe().unwrap_err().why;
        let missing = why("/nowhere/libnemesis_netmod_none.so");
        assert!(missing.starts_with("the network module cannot be opened"), "{missing}");
        assert!(missing.contains("/nowhere/libnemesis_netmod_none.so"), "{missing}");
        assert!(missing.contains("No such file"), "{missing}");
        let other = why("/proc/self/exe");
        assert!(other.contains("cannot be opened") || other.contains("no module"), "{other}");
    }

    #[test]
    fn every_name_has_drivers() {
        let tunables = Tunables::default();
        for kind in NetworkName::kinds() {
            let name = NetworkName { kind, argument: None };
            assert!(!Settings::without_job(&tunables).drivers(&name).is_empty(), "{name}");
        }
    }
}
