//! The loop of a terminal: keys, and a new snapshot every second.

use super::job::Launcher;
use super::screen::Screen;
use super::snapshot::Snapshot;
use crate::diagnostic::Diagnostic;
use nemesis_sys::process::{self, SignalQueue};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
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
    /// The job has ended.
    Job,
    /// A signal asks for the end.
    Signal(i32),
}

/// Shows a job until the user leaves, the job ends, or SIGTERM asks for the end. Leaves the
/// terminal as it was. SIGHUP ends the process at once, because its terminal is gone: reading from
/// that would never return.
pub fn show(launcher: &Launcher) -> Result<(), Diagnostic> {
    let first = Snapshot::take(launcher)?;
    let signals =
        SignalQueue::for_signals(&[Signal::TERM]).map_err(|error| refused(&error.into()))?;
    process::end_without_terminal();
    let mut terminal = ratatui::try_init().map_err(|error| refused(&error))?;
    let outcome = watch(&mut terminal, &signals, launcher, first);
    // Its end shows the cursor.
    drop(terminal);
    ratatui::restore();
    match outcome? {
        End::Left => {}
        End::Job => println!("job {} has ended", launcher.pid),
        End::Signal(signal) => std::process::exit(128 + signal),
    }
    Ok(())
}

fn refused(error: &io::Error) -> Diagnostic {
    Diagnostic::new("drawing on the terminal", error, "nemesis top --once")
}

/// Draws and handles keys.
fn watch(
    terminal: &mut DefaultTerminal,
    signals: &SignalQueue,
    launcher: &Launcher,
    first: Snapshot,
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
                return Ok(End::Job);
            }
            match Snapshot::take(launcher) {
                Ok(next) => before = Some(std::mem::replace(&mut now, next)),
                Err(_) => return Ok(End::Job),
            }
            due = Instant::now() + INTERVAL;
            is_old = true;
        }
    }
}

/// Handles a key. Returns whether the user leaves.
fn handle(event: &Event, screen: &mut Screen, snapshot: &Snapshot) -> bool {
    let Event::Key(key) = event else { return false };
    if key.kind != KeyEventKind::Press {
        return false;
    }
    let with_control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('q') | KeyCode::Esc => return true,
        KeyCode::Char('c') if with_control => return true,
        KeyCode::Tab | KeyCode::BackTab => screen.switch(),
        KeyCode::Up => screen.go(-1, 0, snapshot),
        KeyCode::Down => screen.go(1, 0, snapshot),
        KeyCode::PageUp => screen.go(-10, 0, snapshot),
        KeyCode::PageDown => screen.go(10, 0, snapshot),
        KeyCode::Left => screen.go(0, -1, snapshot),
        KeyCode::Right => screen.go(0, 1, snapshot),
        _ => {}
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::screen::View;
    use super::super::snapshot::tests::example;
    use super::*;
    use ratatui::crossterm::event::KeyEvent;

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
        assert_eq!((screen.view, screen.chosen, screen.column), (View::Matrix, 1, 1));
    }
}
