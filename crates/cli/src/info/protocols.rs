//! `nemesis info --protocols`: which protocol carries which length of messages, and why.

use super::siblings;
use nemesis::protocols::{PeerKind, resolve};
use nemesis_sys::host_model::HostModel;

/// Prints the table of each kind of peer.
pub fn print(model: &HostModel) {
    let refusal = siblings::probe().err();
    if let Some(why) = &refusal {
        println!("The kernel does not copy between processes here: {why}.");
    }
    for (title, peer) in peers(refusal.is_none()) {
        println!("{title}");
        for line in table(&peer, model) {
            println!("  {line}");
        }
    }
    println!("because");
    for (what, choice, why) in model.explain() {
        println!("  {what}: {choice}; {why}");
    }
}

fn peers(kernel_copies: bool) -> [(&'static str, PeerKind); 4] {
    let local = PeerKind {
        remote: false,
        fastbox: true,
        oversubscribed: false,
        kernel_copies,
        bulk: false,
    };
    [
        ("on one node, a processor for each process", local),
        ("on one node, processors shared", PeerKind { oversubscribed: true, ..local }),
        (
            "on one node, first packets of a pair, or more pairs than fastboxes",
            PeerKind { fastbox: false, ..local },
        ),
        ("on another node", PeerKind { remote: true, bulk: true, ..local }),
    ]
}

/// Returns a line for each protocol: its lengths, its name, how it works and what it costs.
fn table(peer: &PeerKind, model: &HostModel) -> Vec<String> {
    let lines = resolve(peer, model).into_iter().map(|(max_bytes, protocol)| {
        let lengths = match max_bytes {
            usize::MAX => "longer".to_owned(),
            bytes if bytes >= 1 << 20 => format!("to {} MiB", bytes >> 20),
            bytes if bytes.is_multiple_of(1024) => format!("to {} KiB", bytes >> 10),
            bytes => format!("to {bytes} B"),
        };
        let at = max_bytes.min(4 << 20);
        let cost = protocol
            .cost_ns(model, at)
            .map_or_else(String::new, |ns| format!("; {at} bytes: {:.2} us", ns / 1e3));
        format!("{lengths:<11} {:<14} {}{cost}", protocol.name, protocol.how)
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_peer_has_a_table() {
        for (title, peer) in peers(true) {
            let table = table(&peer, &HostModel::default());
            assert!(!title.is_empty() && table.last().unwrap().starts_with("longer"), "{table:?}");
        }
    }
}
