//! A standard output that refuses what `nemesis` prints.

use std::process::{Command, Stdio};

const NEMESIS: &str = env!("CARGO_BIN_EXE_nemesis");

#[test]
fn a_full_disk_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
    let asked = Command::new(NEMESIS).arg("info").stdout(full).output().expect("nemesis runs");
    let said = String::from_utf8_lossy(&asked.stderr);
    assert_eq!(asked.status.code(), Some(1), "{said}");
    assert!(said.contains("No space left on device") && said.contains("; try: "), "{said}");
}

#[test]
fn a_reader_that_ends_is_no_error() {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = Command::new(NEMESIS);
    let asked = command.arg("info").stdin(Stdio::null()).stdout(writer).output();
    let asked = asked.expect("nemesis runs");
    assert_eq!(
        (asked.status.code(), String::from_utf8_lossy(&asked.stderr).as_ref()),
        (Some(141), "")
    );
}
