//! The suites: each has a name, which is that of a stage of all checks.

mod abi;
mod calls;
mod counts;
mod doctor;
mod faults;
mod files;
mod flood;
mod gpu;
mod interfaces;
mod launchers;
mod layouts;
mod modules;
mod networks;
mod programs;
mod recovery;
mod remote;
mod robustness;
mod spawn;
mod strangers;
mod wrong;

use crate::suite::Sum;

/// A suite.
pub struct Named {
    pub name: &'static str,
    pub about: &'static str,
    /// Runs the cases whose names begin with one of the words, or all.
    pub run: fn(&[String]) -> Sum,
}

const fn suite(name: &'static str, run: fn(&[String]) -> Sum, about: &'static str) -> Named {
    Named { name, about, run }
}

/// All suites.
pub const ALL: &[Named] = &[
    suite("abi", abi::run, "layouts, constants and conversions of both ABIs, and tools"),
    suite("subsystem", interfaces::run_subsystem, "the C interface of the subsystem"),
    suite("rwapi", interfaces::run_rwapi, "the Remote-Write API"),
    suite("counts", counts::run, "instructions of calls, by callgrind; -p prints them"),
    suite("mpi", programs::run, "the C programs of tests/mpi, in several modes and sizes"),
    suite("hosts", layouts::run, "C programs of tests/mpi over simulated hosts"),
    suite("calls", calls::run, "system calls of a small message between hosts, by strace"),
    suite("doctor", doctor::run, "what nemesis doctor says of hosts that have something wrong"),
    suite("spawn", spawn::run, "ends spawned jobs, and jobs that spawn, in several ways"),
    suite("files", files::run, "calls on files that fail at one rank, drawn at random"),
    suite("remote", remote::run, "files on a simulated file system of a network"),
    suite("ofi", modules::run_ofi, "C programs over libfabric, without shared memory"),
    suite("verbs", modules::run_verbs, "C programs over InfiniBand, on a mock of libibverbs"),
    suite("gpu", gpu::run, "C programs on memory of devices, on a driver without hardware"),
    suite("wrong", wrong::run, "what mpiexec -check says of wrong and of right programs"),
    suite("robustness", robustness::run, "kills jobs, and runs them where resources are refused"),
    suite("recovery", recovery::run, "kills ranks of jobs that go on without them"),
    suite("launchers", launchers::run, "wire-up over simulated hosts, under every launcher"),
    suite("networks", networks::run, "interfaces and ports that are chosen, IPv6, encryption"),
    suite("flood", flood::run, "messages that nobody receives for a while"),
    suite("strangers", strangers::run, "connections of strangers to a running job"),
    suite("faults", faults::run, "ranks, agents, launchers and cables are taken away"),
];
