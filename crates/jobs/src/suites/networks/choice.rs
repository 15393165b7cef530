//! Interfaces and ports that the user chooses among three networks.

use super::{Scope, Seen};
use crate::hosts;
use crate::scene::Scene;
use crate::suite::Suite;

fn three(scene: &Scene) -> Scope<'_> {
    Scope::new(scene, hosts::nodes(3).networks(3))
}

/// What is checked while the ranks communicate.
type Check = fn(&Seen);

/// Variables of the environment of mpiexec.
type Variables = &'static [(&'static str, &'static str)];

const NET_IN_OWN_FORM: &str = "-net 10.77.0.0/16,eth2,^eth0,^10.77.3.0/24";

/// A job that communicates: name, options, variables, and what must be seen.
const CHOICES: &[(&str, &str, Variables, Check)] = &[
    ("an-interface-by-name", "-net eth1", &[], |seen| seen.only("eth1", &[])),
    ("a-network", "-net 10.77.2.0/24", &[], |seen| seen.only("eth1", &[])),
    ("a-network-a-name-and-exclusions", NET_IN_OWN_FORM, &[], |seen| seen.only("eth1", &[])),
    ("all-but-one", "-net ^eth0", &[], |seen| seen.only("eth1", &["eth2"])),
    (
        "the-librarys-variable-alone",
        "-net eth1,^10.77.1.0/24 -genv NEMESIS_VERBOSE on",
        &[],
        |seen| seen.only("eth1", &[]),
    ),
    ("an-interface-of-the-environment", "", &[("NEMESIS_NET", "eth1")], |seen| {
        seen.only("eth1", &[]);
    }),
    ("a-port-of-the-environment", "", &[("NEMESIS_PORTS", "20000:20000")], |seen| seen.one_port()),
    ("a-range-of-ports", "-port-range 20000:20019", &[], |seen| seen.in_range()),
    ("a-range-in-hydras-form", "-port-range 20000-20003 -net eth0", &[], |seen| seen.in_range()),
    // One port for all processes and networks of a node.
    ("one-port", "-port-range 20000:20000", &[], |seen| seen.one_port()),
    ("one-port-encrypted", "-port-range 20000 -encrypt", &[], |seen| seen.one_port()),
];

/// A job that is refused: name, options, variables, and what is told.
const REFUSALS: &[(&str, &str, Variables, &[&str])] = &[
    (
        "a-missing-interface",
        "-net eth7",
        &[],
        &[
            "no interface of node",
            "fits \"eth7\"",
            "eth0 10.77.1.",
            "eth2 10.77.3.",
            "mpiexec -net",
        ],
    ),
    (
        "a-network-that-no-host-has",
        "-net 10.9.0.0/16",
        &[],
        &["fits \"10.9.0.0/16\"", "eth1 10.77.2."],
    ),
    // Without the launcher's help each process needs a port.
    (
        "too-few-ports",
        "-net eth0 -genv NEMESIS_PORTS 20000:20000",
        &[],
        &["all ports of 20000:20000 are taken on node", "try   a wider mpiexec -port-range"],
    ),
    (
        "an-invalid-network",
        "-net 10.1.0.0/33",
        &[],
        &["-net: \"10.1.0.0/33\" does not end with a prefix length"],
    ),
    ("an-invalid-range-of-ports", "-port-range 9:8", &[], &["-port-range: \"9:8\" is not a range"]),
    (
        "an-invalid-network-of-the-ranks",
        "-genv NEMESIS_NET 10.1.0.0/33",
        &[],
        &["NEMESIS_NET is \"10.1.0.0/33\""],
    ),
    (
        "an-invalid-network-of-mpiexec",
        "",
        &[("NEMESIS_NET", "10.1.0.0/33")],
        &["NEMESIS_NET: \"10.1.0.0/33\" does not end with a prefix length"],
    ),
];

pub fn add(suite: &mut Suite) {
    for &(name, options, variables, check) in CHOICES {
        suite.beside(name, move |scene| {
            three(scene).communicates(options, variables, check);
        });
    }
    for &(name, options, variables, told) in REFUSALS {
        suite.beside(name, move |scene| {
            let ended = three(scene).refused(options, variables);
            told.iter().for_each(|words| {
                ended.says(words);
            });
        });
    }
    for (name, host) in [("a-port-taken-on-a-node", "node2"), ("a-port-taken-by-mpiexec", "login")]
    {
        suite.waits(name, move |scene| {
            let scope = three(scene);
            // An mpiexec whose agents never connect keeps listening.
            let other =
                "./mpiexec -port-range 20000:20000 -agent 'sh -c \"sleep 100\"' -hosts node1 true";
            let mut other = scene.job(other).on(scope.hosts.host(host)).start();
            other.wait_until("it listens", 40, |_| {
                scope.hosts.on(host, "ss -Htln").contains(":20000")
            });
            let ended = scope.refused("-port-range 20000:20000", &[]);
            ended.says("cannot listen").says("try: a wider -port-range");
            ended.says(&format!("20000:20000 are taken on {host}"));
        });
    }
}
