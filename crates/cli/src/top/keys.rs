//! The loop of a terminal: keys, and a new snapshot every second.

use super::job::{self, Launcher};
use super::screen::{Screen, draw_waiting};
use super::snapshot::{Known, Snapshot};
use crate::diagnostic::Diagnostic;
use nemesis_sys::process::{self, SignalQueue};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use rustix::process::Signal;
use std::io;
use std::time::{Duration, Instant};

/// Time between two snapshots.
const INTERVAL: Duration = Duration::from_secs(1);

/// Time between two looks for a signal.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(200);

/// Why the loop has ended.
enum End {
    /// The user leaves.
    Left,
    /// The job of this launcher has ended.
    Job(Launcher),
    /// A signal asks for the end.
    Signal(i32),
}

/// Shows a job, or the next one that starts, until the user leaves, the job ends, or SIGTERM asks
/// for the end. Leaves the terminal as it was. SIGHUP ends the process at once, because its
/// terminal is gone: reading from that would never return.
pub fn show(launcher: Option<Launcher>) -> Result<(), Diagnostic> {
    let mut known = Known::default();
    let first = match launcher {
        Some(launcher) => Some((Snapshot::take(&launcher, &mut known)?, launcher)),
        None => None,
    };
    let signals =
        SignalQueue::for_signals(&[Signal::TERM]).map_err(|error| refused(&error.into()))?;
    process::end_without_terminal();
    let mut terminal = ratatui::try_init().map_err(|error| refused(&error))?;
    let first = match first {
        Some(first) => Ok(Ok(first)),
        None => await_job(&mut terminal, &signals, &mut known),
    };
    let outcome = first.and_then(|first| match first {
        Ok((first, launcher)) => watch(&mut terminal, &signals, launcher, first, &mut known),
        Err(end) => Ok(end),
    });
    // Its end shows the cursor.
    drop(terminal);
    ratatui::restore();
    match outcome? {
        End::Left => {}
        End::Job(Launcher { pid, command }) => println!("job {pid} has ended: {command}"),
        End::Signal(signal) => std::process::exit(128 + signal),
    }
    Ok(())
}

fn refused(error: &io::Error) -> Diagnostic {
    Diagnostic::new("drawing on the terminal", error, "nemesis top --once")
}

/// Waits until a job starts, and returns it with its first snapshot; or why the wait has ended.
fn await_job(
    terminal: &mut DefaultTerminal,
    signals: &SignalQueue,
    known: &mut Known,
) -> Result<Result<(Snapshot, Launcher), End>, Diagnostic> {
    let mut described = Instant::now();
    let mut text = job::wanted();
    let mut seen: Option<(u32, Instant)> = None;
    loop {
        if let Some(signal) = signals.next() {
            return Ok(Err(End::Signal(signal)));
        }
        // A job that has just started has no ranks yet, and one of other hosts never has any here.
        let found = job::newest().and_then(|job| Some((Snapshot::take(&job, known).ok()?, job)));
        if let Some((snapshot, launcher)) = found {
            let since = match seen {
                Some((pid, since)) if pid == launcher.pid => since,
                _ => Instant::now(),
            };
            if !snapshot.ranks.is_empty() || since.elapsed() >= INTERVAL {
                return Ok(Ok((snapshot, launcher)));
            }
            seen = Some((launcher.pid, since));
        }
        if described.elapsed() >= INTERVAL {
            (described, text) = (Instant::now(), job::wanted());
        }
        terminal.draw(|frame| draw_waiting(frame, &text)).map_err(|error| refused(&error))?;
        if event::poll(SIGNAL_INTERVAL).map_err(|error| refused(&error))? {
            let event = event::read().map_err(|error| refused(&error))?;
            if key_of(&event).is_some_and(leaves) {
                return Ok(Err(End::Left));
            }
        }
    }
}

/// Draws and handles keys.
fn watch(
    terminal: &mut DefaultTerminal,
    signals: &SignalQueue,
    launcher: Launcher,
    first: Snapshot,
    known: &mut Known,
) -> Result<End, Diagnostic> {
    let mut screen = Screen::default();
    let (mut before, mut now) = (None, first);
    let mut due = Instant::now() + INTERVAL;
    let mut is_old = true;
    loop {
        if let Some(signal) = signals.next() {
            return Ok(End::Signal(signal));
        }
        if std::mem::take(&mut is_old) {
            terminal
                .draw(|frame| screen.draw(frame, &now, before.as_ref()))
                .map_err(|error| refused(&error))?;
        }
        let left = due.saturating_duration_since(Instant::now()).min(SIGNAL_INTERVAL);
        if event::poll(left).map_err(|error| refused(&error))? {
            let event = event::read().map_err(|error| refused(&error))?;
            if handle(&event, &mut screen, &now) {
                return Ok(End::Left);
            }
            is_old = true;
        }
        if Instant::now() >= due {
            if !launcher.runs() {
                return Ok(End::Job(launcher));
            }
            match Snapshot::take(&launcher, known) {
                Ok(next) => before = Some(std::mem::replace(&mut now, next)),
                Err(_) => return Ok(End::Job(launcher)),
            }
            due = Instant::now() + INTERVAL;
            is_old = true;
        }
    }
}

/// Returns the key that an event presses.
fn key_of(event: &Event) -> Option<&KeyEvent> {
    match event {
        Event::Key(key) if key.kind == KeyEventKind::Press => Some(key),
        _ => None,
    }
}

/// Returns whether the user leaves by a key.
fn leaves(key: &KeyEvent) -> bool {
    let with_control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('q') | KeyCode::Esc => true,
        KeyCode::Char('c') => with_control,
        _ => false,
    }
}

/// Handles a key. Returns whether the user leaves.
fn handle(event: &Event, screen: &mut Screen, snapshot: &Snapshot) -> bool {
    let Some(key) = key_of(event) else { return false };
    match key.code {
        KeyCode::Tab | KeyCode::BackTab => screen.switch(),
        KeyCode::Up => screen.go(-1, 0, snapshot),
        KeyCode::Down => screen.go(1, 0, snapshot),
        KeyCode::PageUp => screen.go(-10, 0, snapshot),
        KeyCode::PageDown => screen.go(10, 0, snapshot),
        KeyCode::Left => screen.go(0, -1, snapshot),
        KeyCode::Right => screen.go(0, 1, snapshot),
        KeyCode::Char('s') => screen.sort(),
        _ => {}
    }
    leaves(key)
}

#[cfg(test)]
mod tests {
    use super::super::screen::{Order, View};
    use super::super::snapshot::tests::example;
    use super::*;

    #[test]
    fn keys_move_switch_and_leave() {
        let snapshot = example();
        let mut screen = Screen::default();
        let mut press = |code, modifiers| {
            handle(&Event::Key(KeyEvent::new(code, modifiers)), &mut screen, &snapshot)
        };
        let none = KeyModifiers::NONE;
        assert!(!press(KeyCode::Down, none) && !press(KeyCode::Right, none));
        assert!(!press(KeyCode::Tab, none) && !press(KeyCode::Char('c'), none));
        assert!(
            press(KeyCode::Char('c'), KeyModifiers::CONTROL) && press(KeyCode::Char('q'), none)
        );
        assert!(!press(KeyCode::Char('s'), none));
        assert_eq!((screen.view, screen.chosen, screen.column), (View::Matrix, 1, 1));
        assert_eq!(screen.order, Order::Slowest);
    }
}
