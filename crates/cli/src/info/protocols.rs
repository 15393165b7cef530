//! `nemesis info --protocols`: which protocol carries which length of messages, and why.

use super::siblings;
use nemesis::forced::Forced;
use nemesis::protocols::{
    Call, PROTOCOLS, PeerKind, READ_MIN_BYTES, parse_forced, resolve, resolve_forced,
};
use nemesis::tunables::PROTOCOL;
use nemesis_sys::host_model::HostModel;

/// Prints the table of each kind of peer, with the protocols that `given`, the value of
/// `NEMESIS_PROTOCOL`, forces.
///
/// # Errors
///
/// A sentence that says what is wrong with `given`.
pub fn print(model: &HostModel, given: &str) -> Result<(), String> {
    let forced = parse_forced(given).map_err(|why| format!("{}={given}: {why}", PROTOCOL.name))?;
    let refusal = siblings::probe().err();
    if let Some(why) = &refusal {
        println!("The kernel does not copy between processes here: {why}.");
    }
    if !forced.is_empty() {
        println!("{}={given} forces the rows that are marked.", PROTOCOL.name);
    }
    for (title, peer) in peers(refusal.is_none()) {
        println!("{title}");
        for line in table(&peer, model, &forced) {
            println!("  {line}");
        }
    }
    println!("not chosen: {}", others(model, &forced, refusal.is_none()).join(", "));
    println!("because");
    for (what, choice, why) in model.explain() {
        println!("  {what}: {choice}; {why}");
    }
    Ok(())
}

fn peers(kernel_copies: bool) -> [(&'static str, PeerKind); 4] {
    let local = PeerKind { kernel_copies, ..PeerKind::LOCAL };
    let remote = PeerKind {
        remote: true,
        bulk: true,
        packet_max_bytes: nemesis::REMOTE_PACKET_MAX_BYTES,
        ..local
    };
    [
        ("on one node, a processor for each process", local),
        ("on one node, processors shared", PeerKind { oversubscribed: true, ..local }),
        (
            "on one node, first packets of a pair, or more pairs than fastboxes",
            PeerKind { fastbox: false, ..local },
        ),
        ("on another node", remote),
    ]
}

/// Returns a line for each protocol: its lengths, its name, how it works and what it costs; and a
/// line for calls that send shorter messages at once.
fn table(peer: &PeerKind, model: &HostModel, forced: &[Forced]) -> Vec<String> {
    let usual = resolve(peer, model, Call::Sending);
    let spans = resolve_forced(peer, model, Call::Sending, forced);
    let mut lines: Vec<String> = Vec::new();
    for (max_bytes, protocol) in spans {
        let lengths = match max_bytes {
            usize::MAX => "longer".to_owned(),
            bytes => format!("to {}", in_words(bytes)),
        };
        let at = max_bytes.min(4 << 20);
        let cost = protocol
            .cost_ns(peer, model, at)
            .map_or_else(String::new, |ns| format!("; {at} bytes: {:.2} µs", ns / 1e3));
        let chosen = usual.iter().find(|(usual, _)| max_bytes <= *usual).map(|(_, row)| *row);
        let is_usual = chosen.is_some_and(|row| std::ptr::eq(row, protocol));
        let mark = if is_usual { "" } else { "forced: " };
        lines.push(format!("{lengths:<11} {:<14} {mark}{}{cost}", protocol.name, protocol.how));
    }
    let eager = |call| {
        let packets = resolve(peer, model, call).into_iter().filter(|(_, row)| row.is_packet);
        packets.map(|(max_bytes, _)| max_bytes).max().unwrap_or_default()
    };
    let [sending, in_buffer, crossing] = Call::ALL.map(eager);
    if sending != crossing {
        lines.push(format!(
            "without asking the receiver: to {}; where the process receives as well, to {} in a \
             handoff buffer and else to {}; from {} on, read at once while reads are fast",
            in_words(sending),
            in_words(in_buffer),
            in_words(crossing),
            in_words(READ_MIN_BYTES)
        ));
    }
    lines
}

/// Returns the protocols that carry no length to any kind of peer.
fn others(model: &HostModel, forced: &[Forced], kernel_copies: bool) -> Vec<&'static str> {
    let tables = peers(kernel_copies)
        .map(|(_, peer)| resolve_forced(&peer, model, Call::Sending, forced))
        .concat();
    let unused = |name: &&str| tables.iter().all(|(_, protocol)| protocol.name != *name);
    PROTOCOLS.iter().map(|protocol| protocol.name).filter(unused).collect()
}

fn in_words(bytes: usize) -> String {
    match bytes {
        bytes if bytes >= 1 << 20 => format!("{} MiB", bytes >> 20),
        bytes if bytes.is_multiple_of(1024) => format!("{} KiB", bytes >> 10),
        bytes => format!("{bytes} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_peer_has_a_table() {
        for (title, peer) in peers(true) {
            let table = table(&peer, &HostModel::default(), &[]);
            assert!(!title.is_empty() && table.iter().any(|line| line.starts_with("longer")));
            assert!(!table.iter().any(|line| line.contains("forced")), "{table:?}");
        }
        assert_eq!(others(&HostModel::default(), &[], true), ["eager_read", "stream"]);
    }

    #[test]
    fn forced_rows_are_marked() {
        let (_, peer) = peers(true)[0];
        let forced = parse_forced("stream:100-200").unwrap();
        let table = table(&peer, &HostModel::default(), &forced);
        let marked: Vec<_> = table.iter().filter(|line| line.contains("forced: ")).collect();
        assert!(marked.len() == 1 && marked[0].starts_with("to 200 B    stream"), "{table:?}");
        assert!(table[0].starts_with("to 99 B     fastbox"), "{table:?}");
        assert!(print(&HostModel::default(), "pigeon").is_err());
    }
}
