//! The completion of `nemesis` in bash, made from the declarations of its options: the file
//! `packaging/completion/nemesis`, which is installed.

#![cfg(test)]

use crate::Command;
use clap::CommandFactory;
use std::path::Path;

/// What comes before the list of commands and options.
const HEAD: &str = r#"# Completion of nemesis in bash: generated from its declared options.

_nemesis() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=
    local command=${COMP_WORDS[1]}
    [ "$COMP_CWORD" -gt 1 ] || command=
    case "$command $before" in
"#;

/// Where the function finds nothing, bash completes the names of files.
const TAIL: &str = r#"    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}

complete -o bashdefault -o default -F _nemesis nemesis
"#;

/// Returns the text of the file.
fn script() -> String {
    let root = Command::command();
    let commands: Vec<&clap::Command> =
        root.get_subcommands().filter(|command| !command.is_hide_set()).collect();
    let names: Vec<&str> = commands.iter().map(|command| command.get_name()).collect();
    let mut text = HEAD.to_owned();
    for command in &commands {
        text += &values(command);
    }
    for command in &commands {
        let options: Vec<String> = command
            .get_arguments()
            .filter_map(|option| Some(format!("--{}", option.get_long()?)))
            .collect();
        let indent = "\n            ";
        let condition = "[[ $word != -* ]]";
        text += &format!(
            "        \"{} \"*){indent}{condition} || words='{indent}{}{indent}--help'{indent};;\n",
            command.get_name(),
            options.join(indent)
        );
    }
    text += &format!(
        "        *)\n            [ \"$COMP_CWORD\" -gt 1 ] || words='{} help --version --help'\n\
         \x20           ;;\n",
        names.join(" ")
    );
    text + TAIL
}

/// Returns the branches of options that have values: those to choose from, or else files.
fn values(command: &clap::Command) -> String {
    let mut text = String::new();
    let options = command.get_arguments().filter(|option| option.get_action().takes_values());
    for option in options {
        let Some(long) = option.get_long() else { continue };
        let choice: Vec<String> =
            option.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
        let short =
            option.get_short().map(|letter| format!(" | \"{} -{letter}\"", command.get_name()));
        text += &format!(
            "        \"{} --{long}\"{}) words='{}' ;;\n",
            command.get_name(),
            short.unwrap_or_default(),
            choice.join(" ")
        );
    }
    text
}

/// With `NEMESIS_WRITE_TABLES=yes` the test writes the file.
#[test]
fn the_completion_of_bash_is_that_of_the_options() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/completion/nemesis");
    if std::env::var_os("NEMESIS_WRITE_TABLES").is_some() {
        return std::fs::write(&path, script()).unwrap();
    }
    let command = "NEMESIS_WRITE_TABLES=yes cargo test -p nemesis-cli completion";
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text == script(), "packaging/completion/nemesis is old: {command}");
}

#[test]
fn bash_completes_commands_and_options() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/completion/nemesis");
    if std::env::var_os("NEMESIS_WRITE_TABLES").is_some() {
        return;
    }
    let script = format!(
        "source '{}' && shift && COMP_WORDS=(nemesis \"$@\") COMP_CWORD=$# && _nemesis && \
         echo ${{COMPREPLY[@]}}",
        path.display()
    );
    let offered = |words: &[&str]| {
        let output = std::process::Command::new("bash")
            .args(["-c", &script, "bash", "-"])
            .args(words)
            .output();
        output.ok().map(|it| String::from_utf8(it.stdout).unwrap().trim().to_owned())
    };
    let Some(first) = offered(&["do"]) else { return eprintln!("no bash: not tried") };
    assert_eq!(first, "doctor");
    assert_eq!(offered(&["doctor"]).unwrap(), "doctor");
    assert_eq!(offered(&["doctor", "--host"]).unwrap(), "--hosts --hostfile");
    assert_eq!(offered(&["doctor", "--agent", "-"]).unwrap(), "");
    assert_eq!(offered(&["doctor", "x"]).unwrap(), "");
}
