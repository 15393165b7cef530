//! Hosts with IPv6 only, with link-local addresses only, with both families, and with a bridge of
//! containers.

use super::Scope;
use crate::hosts::{self, Addresses};
use crate::scene::Scene;
use crate::suite::Suite;

fn six(scene: &Scene) -> Scope<'_> {
    Scope::new(scene, hosts::nodes(2).networks(2).addresses(Addresses::Six))
}

fn links(scene: &Scene) -> Scope<'_> {
    Scope::new(scene, hosts::nodes(2).networks(2).addresses(Addresses::Link))
}

/// node1 has a link-local address only, node2 both families.
fn mixed(scene: &Scene) -> Scope<'_> {
    let scope = Scope::new(scene, hosts::nodes(3));
    if !std::path::Path::new("/proc/net/if_inet6").exists() {
        crate::skip("this kernel has no IPv6");
    }
    scope.hosts.on("node1", "ip address flush dev eth0 scope global");
    scope.hosts.on("node2", "ip address add fd77:1::2/64 dev eth0 nodad");
    scope
}

/// Each host, "login" included, has a bridge with a container on it, as Docker makes them.
fn bridged(scene: &Scene) -> Scope<'_> {
    let scope = Scope::new(scene, hosts::nodes(2));
    for host in scope.all_hosts() {
        let made = scope.hosts.on(
            &host,
            "ip link add docker0 type bridge && ip address add 172.17.0.1/16 dev docker0 && \
             ip link set docker0 up && ip link add veth0 type veth peer name veth1 && \
             ip link set veth0 master docker0 && ip link set veth0 up && ip link set veth1 up && \
             echo made",
        );
        assert!(made.ends_with("made\n"), "{host} has no bridge: {made}");
    }
    scope
}

pub fn add(suite: &mut Suite) {
    suite.beside("hosts-without-ipv4", |scene| {
        six(scene).communicates("", &[], |seen| seen.of_six(&["fd77", "fe80"]));
    });
    suite.beside("a-network-of-ipv6", |scene| {
        six(scene).communicates("-net fd77:2::/64", &[], |seen| seen.only("eth1", &[]));
    });
    suite.beside("an-interface-without-its-link-local-address", |scene| {
        six(scene).communicates("-net eth1,^fe80::/10", &[], |seen| seen.only("eth1", &[]));
    });
    suite.beside("a-range-of-ports-of-ipv6", |scene| {
        six(scene).communicates("-port-range 20000:20019", &[], |seen| seen.in_range());
    });
    suite.beside("link-local-addresses-only", |scene| {
        links(scene).communicates("", &[], |seen| seen.of_six(&["fe80"]));
    });
    suite.beside("one-of-two-links", |scene| {
        links(scene).communicates("-net eth0", &[], |seen| seen.only("eth0", &[]));
    });

    suite.beside("one-host-without-ipv4-among-others", |scene| {
        mixed(scene).communicates("", &[], |_| {});
    });
    suite.beside("two-hosts-without-a-family-in-common", |scene| {
        let scope = mixed(scene);
        scope.hosts.on("node3", "echo 1 >/proc/sys/net/ipv6/conf/eth0/disable_ipv6");
        let ended = scope.refused("", &[]);
        ended.says("none of its addresses can be called from here: fe80:");
    });

    for (name, options) in [
        ("every-host-has-the-same-docker0", ""),
        ("docker0-is-requested-first", "-net docker0,eth0"),
        ("docker0-is-excluded", "-net ^docker0"),
        ("equal-ports-too", "-port-range 20000:20019"),
    ] {
        suite.beside(name, move |scene| {
            bridged(scene).communicates(options, &[], |seen| seen.only("eth0", &[]));
        });
    }
    suite.beside("only-docker0-may-be-used", |scene| {
        let ended = bridged(scene).refused("-genv NEMESIS_NET docker0", &[]);
        ended.says("nobody is reached at 172.17.0.1:");
    });
}
