//! Compiles and loads modules written in C: one that passes the conformance suite, one that breaks
//! every rule that it can.

#![allow(unsafe_code)]

use nemesis_netmod::c::{CDriver, LoadError};
use nemesis_netmod::{
    Cell, Driver, Failure, Fault, Host, Packet, RegionMut, Setup, Started, Token, conformance,
};
use nemesis_wire::{HEADER_BYTES, Header};
use std::path::Path;
use std::process::Command;
use std::ptr::NonNull;

/// Compiles `source` into a shared library and returns its path. Warnings are errors.
fn compile(source: &str, name: &str, flags: &[&str]) -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = format!("{}/libnemesis_netmod_{name}.so", env!("CARGO_TARGET_TMPDIR"));
    let status = Command::new("cc")
        .args([
            "-std=c11",
            "-O2",
            "-g",
            "-Wall",
            "-Wextra",
            "-Wpedantic",
            "-Werror",
            "-shared",
            "-fPIC",
            "-o",
            &library,
        ])
        .args(flags)
        .arg("-I")
        .arg(here.join("../../include"))
        .arg(here.join("tests/c_module").join(source))
        .status()
        .expect("a C compiler is installed");
    assert!(status.success(), "{source} compiles");
    library
}

fn load(library: &str) -> Result<CDriver, LoadError> {
    // SAFETY: the test's own C files.
    unsafe { CDriver::load(library) }
}

#[test]
fn a_module_in_c_passes_the_suite() {
    let library = compile("mailbox.c", "mailbox", &[]);
    conformance::run(|processes| {
        let driver = || Box::new(load(&library).expect("the module loads")) as Box<dyn Driver>;
        (0..processes).map(|_| driver()).collect()
    });
}

#[test]
fn a_library_is_checked_when_it_is_loaded() {
    let library = compile("rude.c", "newer", &["-DABI=99"]);
    assert!(matches!(load(&library), Err(LoadError::Version { theirs: 99 })));
    let library = compile("rude.c", "incomplete", &["-DWITHOUT_SEND"]);
    assert!(matches!(load(&library), Err(LoadError::Incomplete("send"))));
    let library = compile("rude.c", "half", &["-DHALF_AN_RMA_TABLE"]);
    assert!(matches!(load(&library), Err(LoadError::Incomplete("complete RMA table"))));
    assert!(matches!(load("/nowhere/libnemesis_netmod_none.so"), Err(LoadError::Open(_))));
    assert!(matches!(load("no-such-module"), Err(LoadError::Open(_))));
    let library = compile("nothing.c", "nothing", &[]);
    let refused = CDriver::of_user(&library).err().expect("it has no table");
    assert!(refused.to_string().contains("no function nemesis_netmod_table"), "{refused}");
}

/// A host with one cell that ignores bulk payloads and losses.
#[derive(Default)]
struct OneCell {
    memory: [u64; 8],
    panics: bool,
}

impl Host for OneCell {
    fn card(&mut self, _process: u32) -> Option<Vec<u8>> {
        None
    }

    fn alloc(&mut self, _payload: usize) -> Option<Cell> {
        assert!(!self.panics, "the host's own mistake");
        let memory = NonNull::from(&mut self.memory).cast();
        // SAFETY: 64 aligned bytes; each test lends one cell at a time.
        Some(unsafe { Cell::new(1, memory, 64 - HEADER_BYTES) })
    }

    fn deliver(&mut self, from: u32, _cell: Cell) {
        panic!("a packet from {from} that breaks the rules is not delivered");
    }

    fn give_back(&mut self, _cell: Cell) {}

    fn place(
        &mut self,
        _from: u32,
        _header: &Header,
        _payload: &[u8],
        _bytes: usize,
    ) -> Option<RegionMut> {
        None
    }

    fn completed(&mut self, token: Token, _outcome: Result<(), Failure>) {
        panic!("send {token} was not pending");
    }

    fn lost(&mut self, _process: u32, _failure: Failure) {}
}

fn rude_module(name: &str, host: &mut OneCell) -> Started {
    let library = compile("rude.c", name, &[]);
    let setup = Setup { me: 0, processes: 2, job_key: [0; 32], lane: 0, cells: None };
    load(&library).expect("the module loads").init(setup, host).expect("the module starts")
}

#[test]
fn every_broken_rule_is_noticed() {
    let mut host = OneCell::default();
    let Started { mut module, .. } = rude_module("rude", &mut host);
    let header = Header::default();
    for rule in 0..=9 {
        let packet = Packet::new(&header, &[]);
        let failure =
            module.send(&mut host, rule, packet, 7).expect_err("a broken rule is an error");
        assert_eq!(failure.fault, Fault::Broken, "rule {rule}: {failure}");
    }
    let packet = Packet::new(&header, &[]);
    let failure = module.send(&mut host, 10, packet, 7).expect_err("the module says so");
    assert_eq!(
        failure,
        Failure { fault: Fault::Lost, process: Some(10), why: "the cable is cut".into() }
    );
}

#[test]
#[should_panic(expected = "the host's own mistake")]
fn a_panic_of_the_host_passes_around_c() {
    let mut host = OneCell::default();
    let Started { mut module, .. } = rude_module("rude_too", &mut host);
    host.panics = true;
    let header = Header::default();
    let _ = module.send(&mut host, 0, Packet::new(&header, &[]), 7);
}

/// Returns the text of the block of the book's chapter that is written to `file`.
fn block_of_the_book(file: &str) -> String {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let chapter = here.join("../../docs/book/src/network-module.md");
    let chapter = std::fs::read_to_string(chapter).expect("the chapter is there");
    let (_, rest) = chapter.split_once(&format!("```c,file={file}\n")).expect("the block is there");
    rest.split_once("```\n").expect("the block ends").0.to_owned()
}

#[test]
fn the_module_of_the_book_passes_the_suite() {
    let source = format!("{}/letters.c", env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(&source, block_of_the_book("letters.c")).expect("the folder is writable");
    let library = compile(&source, "letters", &["-std=gnu11"]);
    conformance::run(|processes| {
        let driver = || Box::new(load(&library).expect("the module loads")) as Box<dyn Driver>;
        (0..processes).map(|_| driver()).collect()
    });
}
