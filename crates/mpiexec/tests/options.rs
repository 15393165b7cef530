//! Every option of the table is tried with each of its names, and the book has the table.

mod launch;

use launch::{MPIEXEC, mpiexec};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A row of `mpiexec -help table`.
#[derive(Debug)]
struct Row {
    names: Vec<String>,
    verdict: String,
    what: String,
    example: String,
}

/// Returns the rows of the table.
fn rows() -> Vec<Row> {
    let table = mpiexec(&["-help", "table"]).out.replace("\n  ", " ");
    let row = |line: &str| {
        let (option, rest) = line.split_once(": **").expect(line);
        let (verdict, rest) = rest.split_once("**: ").expect(line);
        let (what, example) = rest.split_once("; for example `mpiexec ").unwrap_or((rest, ""));
        let names = option.split('`').filter(|name| name.starts_with('-')).map(str::to_owned);
        Row {
            names: names.collect(),
            verdict: verdict.to_owned(),
            what: what.to_owned(),
            example: example.trim_end_matches('`').to_owned(),
        }
    };
    table.lines().filter_map(|line| line.strip_prefix("- ")).map(row).collect()
}

/// Makes a folder with what the examples name.
fn folder() -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let folder = std::env::temp_dir().join(format!("nemesis-test-options-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, text) in [
        ("hello", "#!/bin/sh\necho hello\n"),
        ("hosts", "localhost:2\n"),
        ("lines", "-n 1 ./hello\n-n 1 ./hello\n"),
        ("keys", "wdir=.\n"),
        ("ranks", "rank 0=localhost slot=0\n"),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.join("hello"), mode).unwrap();
    folder
}

/// Returns a processor that this process may use.
fn processor() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
    list.trim().split([',', '-']).next().unwrap().to_owned()
}

/// Runs an example, in which `name` takes the place of the first name, by the shell.
fn run(example: &str, first: &str, name: &str, folder: &Path) -> (i32, String, String) {
    let mut words: Vec<String> = example.split(' ').map(str::to_owned).collect();
    let place = words.iter().position(|word| word == first);
    let place = place.unwrap_or_else(|| panic!("{first} is not in {example}"));
    words[place] = name.to_owned();
    let line = words
        .join(" ")
        .replace("{arch}", std::env::consts::ARCH)
        .replace("{cpu}", &processor())
        .replace("{other}", "elsewhere");
    let output = Command::new("sh")
        .args(["-c", &format!("exec {MPIEXEC} {line}")])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

#[test]
fn every_option_does_what_the_table_says() {
    let folder = folder();
    let rows = rows();
    assert!(rows.len() > 100, "{}", rows.len());
    for row in rows.iter().filter(|row| !row.example.is_empty()) {
        for name in &row.names {
            let (code, out, err) = run(&row.example, &row.names[0], name, &folder);
            let told = format!("{name} in {}: {code}\n{out}{err}", row.example);
            let note = "mpiexec: without effect here: ";
            match row.verdict.as_str() {
                "refused, use instead" => {
                    assert!(code == 2 && out.is_empty() && err.contains(&row.what), "{told}");
                }
                "done" => {
                    assert!(code == 0 && !err.contains(note), "{told}");
                    let says = row.example.contains("hello") || row.example.contains("lines");
                    let elsewhere =
                        row.example.contains("out.%r") || row.example.contains("-do-not-launch");
                    assert_eq!(out.contains("hello"), says && !elsewhere, "{told}");
                }
                "no effect" => {
                    assert!(code == 0 && out.contains("hello"), "{told}");
                    assert!(err.starts_with(note) && err.contains(name.as_str()), "{told}");
                    assert_eq!(err.lines().count(), 1, "{told}");
                }
                other => panic!("{other}"),
            }
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// With `NEMESIS_WRITE_TABLES=yes` the test writes the table into the book.
#[test]
fn the_book_has_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/options.md");
    let book = std::fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- table of options -->\n", "<!-- end of table -->");
    let (before, rest) = book.split_once(begin).expect("the book marks the table's begin");
    let (_, after) = rest.split_once(end).expect("the book marks the table's end");
    let table = mpiexec(&["-help", "table"]).out;
    let wanted = format!("{before}{begin}\n{table}{end}{after}");
    if std::env::var_os("NEMESIS_WRITE_TABLES").is_some() {
        std::fs::write(&path, &wanted).unwrap();
        return;
    }
    let command = "NEMESIS_WRITE_TABLES=yes cargo test -p nemesis-mpiexec --test options";
    assert!(book == wanted, "the table of options.md is old: {command}");
}

/// The manual page names every option that has an effect.
#[test]
fn the_manual_has_every_option() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/man/mpiexec.1");
    let manual = std::fs::read_to_string(path).unwrap();
    let has = |name: &str| {
        let name = &name[1..];
        let mut lines = manual.lines().filter(|line| line.starts_with(".It Fl"));
        lines.any(|line| {
            let words: Vec<&str> = line.split([' ', ',']).collect();
            words.windows(2).any(|pair| pair[0] == "Fl" && pair[1] == name)
        })
    };
    let rows = rows();
    let names = rows.iter().filter(|row| row.verdict == "done").flat_map(|row| &row.names);
    let lacking: Vec<&String> = names.filter(|name| !has(name)).collect();
    assert!(lacking.is_empty(), "{lacking:?}");
}

/// Returns the path of the completion of bash that is installed.
fn completion() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/completion/mpiexec")
}

/// With `NEMESIS_WRITE_TABLES=yes` the test writes the file.
#[test]
fn the_completion_of_bash_is_that_of_the_table() {
    let wanted = mpiexec(&["-help", "completion"]).out;
    if std::env::var_os("NEMESIS_WRITE_TABLES").is_some() {
        std::fs::write(completion(), &wanted).unwrap();
        return;
    }
    let command = "NEMESIS_WRITE_TABLES=yes cargo test -p nemesis-mpiexec --test options";
    let text = std::fs::read_to_string(completion()).unwrap();
    assert!(text == wanted, "packaging/completion/mpiexec is old: {command}");
}

/// Returns what bash offers for the last of the words, if it is there.
fn offered(words: &[&str]) -> Option<Vec<String>> {
    let script = format!(
        "source '{}' && shift && COMP_WORDS=(mpiexec \"$@\") COMP_CWORD=$# && \
         _nemesis_mpiexec && printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        completion().display()
    );
    let output = Command::new("bash").args(["-c", &script, "bash", "-"]).args(words).output();
    let text = String::from_utf8(output.ok()?.stdout).unwrap();
    Some(text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect())
}

#[test]
fn bash_completes_options_and_their_values() {
    if std::env::var_os("NEMESIS_WRITE_TABLES").is_some() {
        return;
    }
    let Some(all) = offered(&["-"]) else { return eprintln!("no bash: not tried") };
    assert!(all.len() > 100 && all.contains(&"-ppn".into()), "{all:?}");
    let is = |words: &[&str], wanted: &[&str]| assert_eq!(offered(words).unwrap(), wanted);
    is(&["-n", "2", "-outfile-p"], &["-outfile-pattern"]);
    is(&["--outfile-p"], &["--outfile-pattern"]);
    is(&["-on-deadlock", ""], &["end", "tell"]);
    is(&["--on-deadlock", "t"], &["tell"]);
    // The values of an option may be anything, and so may the arguments of a program.
    is(&["-n", ""], &[]);
    is(&["-env", "A", "-"], &[]);
    is(&["./a.out", "-"], &[]);
    is(&["./a.out", ":", "-outfile-p"], &["-outfile-pattern"]);
}
