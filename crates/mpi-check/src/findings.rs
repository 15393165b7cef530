//! Findings, and how they leave the process.

use crate::{CallSite, STATE, locked, scripts};
use nemesis_sys::calls;
use nemesis_wireup::Finding;
use nemesis_wireup::finding::{BOUNDS, Call, Kind, LIMIT, Memory, ScriptPlace};
use std::collections::HashSet;

/// Findings of one kind at most; a program that repeats a fault has told enough.
const OF_KIND_MAX: usize = 50;

/// What has been told already: kind, call, text with the other call.
pub(crate) type Found = HashSet<(&'static str, String, String)>;

/// Tells a finding of the call `site`, which was made `count` times. A finding that has been told
/// is not told again.
#[cold]
pub fn found(kind: &Kind, site: Option<CallSite>, count: u64, text: String) {
    found_with(kind, site, count, text, None);
}

/// Tells a finding of the call `site`, made `count` times, that does not agree with the call
/// `other`. The text ends with the words that lead to the latter.
#[cold]
pub fn found_with(
    kind: &Kind,
    site: Option<CallSite>,
    count: u64,
    text: String,
    other: Option<Call>,
) {
    tell(kind, site.map_or_else(Call::default, call_of), count, text, other);
}

/// Tells a finding of the present call, if the checks are on. The call goes on.
#[cold]
pub fn suspect(kind: &Kind, text: impl FnOnce() -> String) {
    if crate::is_on() {
        found(kind, crate::sites::here(), 1, text());
    }
}

/// Tells which memory a call uses. The launcher knows whether it is a finding: whether the memory
/// goes past the variable in which it begins, at `start`.
#[cold]
pub(crate) fn tell_memory(site: CallSite, start: Call, memory: Memory) {
    let Some(state) = STATE.get() else { return };
    let Call { function: call, module, offset } = call_of(site);
    let finding = Finding {
        kind: BOUNDS.word.into(),
        rank: state.rank,
        count: 1,
        call,
        module,
        offset,
        other: Some(start),
        memory: Some(memory),
        ..Finding::default()
    };
    if let Some(reporter) = &state.reporter {
        reporter.tell(&finding);
    }
}

/// Tells a finding of an earlier call that does not agree with the call `other`.
#[cold]
pub(crate) fn found_by(kind: &Kind, call: Call, text: String, other: Call) {
    tell(kind, call, 1, text, Some(other));
}

fn tell(kind: &Kind, call: Call, count: u64, text: String, other: Option<Call>) {
    let Some(state) = STATE.get() else { return };
    let shown_call = |call: &Call| format!("{} {} {}", call.function, call.module, call.offset);
    let whole = format!("{text} {}", other.as_ref().map_or_else(String::new, shown_call));
    let noted = note(&mut locked(&state.found), kind.word, shown_call(&call), whole);
    let Some(is_over) = noted else { return };
    if is_over {
        if kind.word != LIMIT.word {
            let text = format!("more than {OF_KIND_MAX} findings of one rank: {}", kind.title);
            tell(&LIMIT, Call::default(), 1, text, None);
        }
        return;
    }
    let Call { function: call, module, offset } = call;
    let finding = Finding {
        kind: kind.word.into(),
        rank: state.rank,
        count,
        call,
        module,
        offset,
        text,
        other,
        memory: None,
    };
    if !state.reporter.as_ref().is_some_and(|reporter| reporter.tell(&finding)) {
        nemesis_sys::message::tell(format_args!("{}", shown(kind, &finding)));
    }
}

/// Notes a finding as told. Returns `None` if it must not be told: it has been told already, or it
/// is over the limit of its kind. The first one over the limit returns `true`.
fn note(told: &mut Found, kind: &'static str, call: String, whole: String) -> Option<bool> {
    let of_kind = told.iter().filter(|(word, ..)| *word == kind).count();
    let is_told = of_kind <= OF_KIND_MAX && told.insert((kind, call, whole));
    is_told.then_some(of_kind == OF_KIND_MAX)
}

/// Returns a call in the form in which other processes understand it.
pub fn call_of(site: CallSite) -> Call {
    let call_in_script = |place: &ScriptPlace<'_>| Call::in_script(site.function, place);
    if let Some(call) = scripts::with(site.script, call_in_script) {
        return call;
    }
    let (module, offset) = calls::module_of(site.address)
        .map_or_else(Default::default, |(file, offset)| {
            (file.to_string_lossy().into_owned(), offset as u64)
        });
    Call { function: site.function.into(), module, offset }
}

/// Returns a finding as one line, for processes whose launcher does not take findings.
fn shown(kind: &Kind, finding: &Finding) -> String {
    let Finding { rank, count, call, module, offset, text, other, .. } = finding;
    let at = |module: &str, offset: u64| match module {
        "" => String::new(),
        module => match ScriptPlace::of(module, offset) {
            Some(ScriptPlace { function, file, line }) => format!(" in {function} ({file}:{line})"),
            None => format!(" at {module}+{offset:#x}"),
        },
    };
    let call = if call.is_empty() { String::new() } else { format!(": {count} of {call}") };
    let place = at(module, *offset);
    let other = other.as_ref().map_or_else(String::new, |Call { function, module, offset }| {
        format!(" {function}{}", at(module, *offset))
    });
    let text = if text.is_empty() { String::new() } else { format!(": {text}") };
    format!("nemesis: check: {}{call}{place}{text}{other} (rank {rank})", kind.title)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_wireup::finding::REQUEST;

    #[test]
    fn findings_over_the_limit_are_not_kept() {
        let mut told = Found::new();
        let mut note = |kind, index: usize| {
            let noted = note(&mut told, kind, String::new(), index.to_string());
            (noted, told.len())
        };
        for index in 0..OF_KIND_MAX {
            assert_eq!(note("request", index), (Some(false), index + 1));
            assert_eq!(note("request", index), (None, index + 1), "told already");
        }
        assert_eq!(note("request", OF_KIND_MAX), (Some(true), OF_KIND_MAX + 1));
        for index in OF_KIND_MAX..3 * OF_KIND_MAX {
            assert_eq!(note("request", index), (None, OF_KIND_MAX + 1));
        }
        assert_eq!(note("message", 0), (Some(false), OF_KIND_MAX + 2));
    }

    #[test]
    fn a_finding_without_launcher_is_one_line() {
        let finding = Finding {
            rank: 2,
            count: 3,
            call: "MPI_Isend".into(),
            module: "/a.out".into(),
            offset: 16,
            text: "to rank 1".into(),
            ..Finding::default()
        };
        assert_eq!(
            shown(&REQUEST, &finding),
            "nemesis: check: requests never completed: 3 of MPI_Isend at /a.out+0x10: to rank 1 \
             (rank 2)"
        );
    }
}
