//! Generated files: written if they differ, compared with `--check`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

pub struct File {
    /// Path from the repository's root.
    pub path: String,
    pub text: String,
}

/// First line of every generated file, after the comment sign.
pub const MARK: &str = "generated from api/ by cargo xtask generate; do not edit";

impl File {
    pub fn c(path: &str, text: &str) -> File {
        File { path: path.into(), text: format!("/* {MARK} */\n{text}") }
    }

    /// Returns a Rust file as rustfmt formats it.
    pub fn rust(path: &str, text: &str) -> File {
        File { path: path.into(), text: formatted(&format!("// {MARK}\n{text}")) }
    }
}

fn formatted(text: &str) -> String {
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout", "--config-path"])
        .arg(crate::root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("rustfmt is installed (rustup component add rustfmt)");
    rustfmt
        .stdin
        .take()
        .expect("stdin is piped")
        .write_all(text.as_bytes())
        .expect("rustfmt reads its input");
    let output = rustfmt.wait_with_output().expect("rustfmt ends");
    assert!(output.status.success(), "rustfmt refused generated code:\n{text}");
    String::from_utf8(output.stdout).expect("rustfmt writes text")
}

pub fn write(files: &[File], root: &Path) -> ExitCode {
    for file in files {
        let path = root.join(&file.path);
        if std::fs::read_to_string(&path).is_ok_and(|old| old == file.text) {
            continue;
        }
        std::fs::create_dir_all(path.parent().expect("a file lies in a folder"))
            .expect("the folder can be made");
        std::fs::write(&path, &file.text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        println!("wrote {}", file.path);
    }
    ExitCode::SUCCESS
}

pub fn check(files: &[File], root: &Path) -> ExitCode {
    let mut stale = 0;
    for file in files {
        let old = std::fs::read_to_string(root.join(&file.path)).unwrap_or_default();
        if old == file.text {
            continue;
        }
        stale += 1;
        let line = old.lines().zip(file.text.lines()).position(|(old, new)| old != new);
        let line = line.unwrap_or(old.lines().count().min(file.text.lines().count()));
        eprintln!("{}:{}: stale", file.path, line + 1);
        eprintln!("  committed: {}", old.lines().nth(line).unwrap_or("(end of file)"));
        eprintln!("  generated: {}", file.text.lines().nth(line).unwrap_or("(end of file)"));
    }
    if stale > 0 {
        eprintln!(
            "{stale} generated files do not follow from api/: run `cargo xtask generate` and \
             commit the result"
        );
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
