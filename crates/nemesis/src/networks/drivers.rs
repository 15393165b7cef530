//! The network modules of this build.

use crate::networks::RAILS_MAX;
use crate::tunables::Tunables;
use nemesis_netmod::Driver;
use nemesis_netmod_tcp::{Acceptor, Options, Tcp};
use nemesis_wireup::Wireup;
use std::sync::Arc;

/// Returns the drivers of the networks that a process may use, in order of preference and at least
/// one. The first becomes the first rail. A new network module adds its drivers here.
pub fn drivers(wireup: &Wireup, tunables: &Tunables) -> Vec<Box<dyn Driver>> {
    let acceptor =
        wireup.acceptor().and_then(|(line, port)| Acceptor::new(line, port).ok()).map(Arc::new);
    let tcp = |rail| -> Box<dyn Driver> {
        Box::new(Tcp::new(Options {
            choice: tunables.net.clone(),
            ports: tunables.ports.clone(),
            acceptor: acceptor.clone(),
            encrypt: tunables.encrypt,
            rail,
            ..Options::default()
        }))
    };
    (0..Tcp::rails(&tunables.net).min(RAILS_MAX)).map(tcp).collect()
}
