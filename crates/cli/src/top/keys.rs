//! The loop of a terminal: keys, and a new snapshot every second.

use super::job::Launcher;
use super::screen::Screen;
use super::snapshot::Snapshot;
use crate::diagnostic::Diagnostic;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use std::io;
use std::time::{Duration, Instant};

/// Time between two snapshots.
const INTERVAL: Duration = Duration::from_secs(1);

/// Shows a job until the user leaves or the job ends.
pub fn show(launcher: &Launcher) -> Result<(), Diagnostic> {
    let first = Snapshot::take(launcher)?;
    let mut terminal = ratatui::try_init().map_err(|error| refused(&error))?;
    let outcome = watch(&mut terminal, launcher, first);
    ratatui::restore();
    if outcome? {
        println!("job {} has ended", launcher.pid);
    }
    Ok(())
}

fn refused(error: &io::Error) -> Diagnostic {
    Diagnostic::new("drawing on the terminal", error, "nemesis top --once")
}

/// Draws and handles keys. Returns whether the job has ended.
fn watch(
    terminal: &mut DefaultTerminal,
    launcher: &Launcher,
    first: Snapshot,
) -> Result<bool, Diagnostic> {
    let mut screen = Screen::default();
    let (mut before, mut now) = (None, first);
    let mut due = Instant::now() + INTERVAL;
    loop {
        terminal
            .draw(|frame| screen.draw(frame, &now, before.as_ref()))
            .map_err(|error| refused(&error))?;
        let left = due.saturating_duration_since(Instant::now());
        if event::poll(left).map_err(|error| refused(&error))? {
            let event = event::read().map_err(|error| refused(&error))?;
            if handle(&event, &mut screen, &now) {
                return Ok(false);
            }
        } else {
            if !launcher.runs() {
                return Ok(true);
            }
            match Snapshot::take(launcher) {
                Ok(next) => before = Some(std::mem::replace(&mut now, next)),
                Err(_) => return Ok(true),
            }
            due = Instant::now() + INTERVAL;
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
