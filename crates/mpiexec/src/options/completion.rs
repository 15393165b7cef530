//! The completion of command lines in bash, made from the table of options: `-help completion`.

use super::table::{Row, Verdict, rows};
use std::fmt::Write;

/// What comes before the options: `at` goes over the words up to the one that is completed, and
/// `program` is set where a program stands, whose arguments bash completes as it does elsewhere.
const HEAD: &str = r#"# Completion of mpiexec in bash: generated from its table of options.

# _nemesis_mpiexec_values OPTION: sets `count`, the number of words that follow an option, and
# `values`, those that it may have.
_nemesis_mpiexec_values() {
    count=1 values=
    case $1 in
"#;

/// What comes after the list of options that have values.
const MIDDLE: &str = r#"        *) count=0 ;;
    esac
}

_nemesis_mpiexec() {
    local word=${COMP_WORDS[COMP_CWORD]} at=1 program= count=0 values= names option
    while [ "$at" -lt "$COMP_CWORD" ]; do
        case ${COMP_WORDS[at]} in
            :) program= ;;
            -*)
                if [ -z "$program" ]; then
                    option=${COMP_WORDS[at]#-}
                    _nemesis_mpiexec_values "-${option#-}"
                    at=$((at + count))
                    [ "$at" -ge "$COMP_CWORD" ] || count=0 values=
                fi
                ;;
            *) program=yes ;;
        esac
        at=$((at + 1))
    done
    COMPREPLY=()
    if [ -n "$program" ]; then
        return
    elif [ "$count" -gt 0 ]; then
        [ -z "$values" ] || COMPREPLY=($(compgen -W "$values" -- "$word"))
        return
    fi
    case $word in
        -*) ;;
        */* | '') return ;;
        *) COMPREPLY=($(compgen -c -- "$word")) && return ;;
    esac
    names='"#;

/// What comes after the names of the options. Where the function finds nothing, bash completes the
/// names of files.
const TAIL: &str = r#"'
    case $word in
        --*) names=" $names" && names=${names// -/ --} ;;
    esac
    COMPREPLY=($(compgen -W "$names" -- "$word"))
}

complete -o bashdefault -o default -F _nemesis_mpiexec mpiexec mpirun
"#;

/// Columns of the list of names.
const COLUMNS: usize = 100;

/// Returns the text of `share/bash-completion/completions/mpiexec`.
pub fn script() -> String {
    let shown = || rows().filter(|row| row.verdict() != Verdict::Refused);
    let mut text = HEAD.to_owned();
    for row in shown().filter(|row| !row.values.is_empty()) {
        text += &case_of(row);
    }
    text += MIDDLE;
    let mut column = COLUMNS;
    for name in shown().flat_map(|row| row.names) {
        column += name.len() + 2;
        if column > COLUMNS {
            text += "\n        ";
            column = 8 + name.len() + 2;
        } else {
            text.push(' ');
        }
        let _ = write!(text, "-{name}");
    }
    text + TAIL
}

/// Returns the branch of an option that has values.
fn case_of(row: &Row) -> String {
    let names: Vec<String> = row.names.iter().map(|name| format!("-{name}")).collect();
    let is_word = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase());
    let words: Vec<&str> = row.values.split('|').filter(|text| is_word(text)).collect();
    let mut sets = Vec::new();
    if row.values.contains(' ') {
        sets.push(format!("count={}", row.values.split(' ').count()));
    }
    if row.values.contains('|') && !words.is_empty() {
        sets.push(format!("values='{}'", words.join(" ")));
    }
    let sets = if sets.is_empty() { ":".into() } else { sets.join(" ") };
    format!("        {}) {sets} ;;\n", names.join(" | "))
}
