//! The picture on a terminal: two views, of the ranks and of the messages between them.

use super::snapshot::{Doing, RankState, Snapshot};
use super::text::{WITHOUT_COUNTERS, title};
use nemesis_profile::units::{bytes, transport};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::Line;
use ratatui::widgets::{Block, Cell, Paragraph, Row, Table, TableState, Wrap};
use std::cmp::Reverse;

/// A column of the table of ranks.
#[derive(Clone, Copy)]
struct Column {
    name: &'static str,
    width: u16,
    /// Whether only a job with counters has it.
    is_counted: bool,
}

const fn column(name: &'static str, width: u16, is_counted: bool) -> Column {
    Column { name, width, is_counted }
}

/// The columns of figures.
const COLUMNS: [Column; 7] = [
    column("cpu %", 6, false),
    column("memory", 9, false),
    column("MPI %", 6, true),
    column("wait %", 6, true),
    column("messages", 9, true),
    column("bytes", 10, true),
    column("unexpected", 10, true),
];
/// The places of these columns, the most useful one first.
const BY_USE: [usize; 7] = [3, 2, 0, 5, 4, 1, 6];
/// Columns that the rest of the table of ranks needs: rank, peer, frame, and what the ranks do.
const FIXED_WIDTH: i32 = 5 + 1 + 5 + 1 + 2 + 12;

/// Columns of a cell of the matrix.
const CELL: u16 = 10;

/// What the screen shows.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum View {
    #[default]
    Ranks,
    Matrix,
}

/// The state of the screen.
#[derive(Clone, Default, Debug)]
pub struct Screen {
    pub view: View,
    /// The place of the chosen rank in the list.
    pub chosen: usize,
    /// The first column of the matrix.
    pub column: usize,
    pub order: Order,
}

/// The order of the ranks.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Order {
    #[default]
    Rank,
    /// Those that wait least in MPI, for which the others wait, first; without counters those that
    /// use most of a processor outside MPI.
    Slowest,
    /// Those that use most of a processor first.
    Processor,
    /// Those that use most memory first.
    Memory,
}

impl Order {
    /// Returns the order that the key chooses next, and its name.
    fn next(self) -> Order {
        match self {
            Order::Rank => Order::Slowest,
            Order::Slowest => Order::Processor,
            Order::Processor => Order::Memory,
            Order::Memory => Order::Rank,
        }
    }

    /// Returns the title of the table.
    fn title(self) -> &'static str {
        match self {
            Order::Rank => "ranks",
            Order::Slowest => "ranks, the slowest first",
            Order::Processor => "ranks, by processor",
            Order::Memory => "ranks, by memory",
        }
    }

    /// Returns the places of a snapshot's ranks in this order.
    fn of(self, snapshot: &Snapshot) -> Vec<usize> {
        let ranks = &snapshot.ranks;
        let mut places: Vec<usize> = (0..ranks.len()).collect();
        let processor = |rank: &RankState| Reverse(rank.processor.unwrap_or(0));
        match self {
            Order::Rank => {}
            Order::Slowest => places.sort_by_key(|&place| {
                let rank = &ranks[place];
                let waits = rank.shares(snapshot.at).map(|(_, waits)| (waits * 10.0) as u32);
                (waits, rank.doing != Doing::Outside, processor(rank))
            }),
            Order::Processor => places.sort_by_key(|&place| processor(&ranks[place])),
            Order::Memory => places
                .sort_by_key(|&place| Reverse(ranks[place].look.map_or(0, |look| look.memory()))),
        }
        places
    }
}

impl Screen {
    /// Changes to the next order of the ranks.
    pub fn sort(&mut self) {
        self.order = self.order.next();
    }

    /// Moves the choice by `rows`, and the matrix by `columns`, within the snapshot.
    pub fn go(&mut self, rows: isize, columns: isize, snapshot: &Snapshot) {
        let moved = |place: usize, by: isize, count: usize| {
            place.saturating_add_signed(by).min(count.saturating_sub(1))
        };
        self.chosen = moved(self.chosen, rows, snapshot.ranks.len());
        self.column = moved(self.column, columns, snapshot.size as usize);
    }

    /// Changes to the other view.
    pub fn switch(&mut self) {
        self.view = match self.view {
            View::Ranks => View::Matrix,
            View::Matrix => View::Ranks,
        };
    }

    /// Draws a snapshot, with the rates since the one `before`.
    pub fn draw(&self, frame: &mut Frame<'_>, snapshot: &Snapshot, before: Option<&Snapshot>) {
        let [head_lines, detail_lines] = heights(frame.area().height, snapshot.counts);
        let [head, body, detail, foot] = Layout::vertical([
            Constraint::Length(head_lines),
            Constraint::Fill(1),
            Constraint::Length(detail_lines),
            Constraint::Length(1),
        ])
        .areas(frame.area());
        frame.render_widget(Paragraph::new(self.head(snapshot, before)), head);
        match self.view {
            View::Ranks => self.draw_ranks(frame, body, snapshot),
            View::Matrix => self.draw_matrix(frame, body, snapshot),
        }
        if detail_lines > 0 {
            self.draw_detail(frame, detail, snapshot);
        }
        draw_keys(frame, foot, &KEYS);
    }

    /// Returns the title and the rates by transport.
    fn head(&self, snapshot: &Snapshot, before: Option<&Snapshot>) -> Vec<Line<'static>> {
        let mut lines =
            vec![Line::styled(title(snapshot), Style::new().add_modifier(Modifier::BOLD))];
        if !snapshot.counts {
            lines.extend(WITHOUT_COUNTERS.split(", so ").map(|part| Line::raw(part.to_owned())));
            return lines;
        }
        let rates = before.map(|before| snapshot.rates(before)).unwrap_or_default();
        let shown = rates.into_iter().map(|(name, (messages, sum))| {
            format!("{}: {messages:.0} messages/s, {}/s", transport(&name), bytes(sum as u64))
        });
        lines.push(Line::raw(shown.collect::<Vec<String>>().join("   ")));
        lines
    }

    /// Draws the ranks; without the columns of counters if there are none, and without those for
    /// which the terminal is too narrow.
    fn draw_ranks(&self, frame: &mut Frame<'_>, area: Rect, snapshot: &Snapshot) {
        let shown = fitting(area.width, snapshot.counts);
        let ranks = self.order.of(snapshot).into_iter().map(|place| &snapshot.ranks[place]);
        let rows = ranks.map(|rank| {
            let counted = match (&rank.figures, rank.shares(snapshot.at)) {
                (Some(figures), Some((mpi, waiting))) => {
                    let (messages, sent) = figures.sent();
                    let (share, wait) = (format!("{mpi:.1}"), format!("{waiting:.1}"));
                    [share, wait, messages.to_string(), bytes(sent), bytes(figures.unexpected)]
                }
                _ => ["-"; 5].map(str::to_owned),
            };
            let figures: Vec<String> =
                [rank.processor_text(), rank.memory_text()].into_iter().chain(counted).collect();
            let figures = shown.iter().map(|&place| figures[place].clone());
            let peer = rank.peer().map_or_else(|| "-".into(), |peer| peer.to_string());
            let numbers = [rank.rank.to_string()].into_iter().chain(figures).chain([peer]);
            Row::new(numbers.map(to_the_right).chain([Cell::from(rank.line())]))
        });
        let columns = || shown.iter().map(|&place| COLUMNS[place]);
        let header = ["rank"].into_iter().chain(columns().map(|it| it.name)).chain(["peer"]);
        let header = header.map(|name| to_the_right(name.into())).chain([Cell::from("doing")]);
        let widths = [5].into_iter().chain(columns().map(|it| it.width)).chain([5]);
        let widths = widths.map(Constraint::Length).chain([Constraint::Fill(1)]);
        let table = Table::new(rows, widths).header(bold(header));
        self.draw_table(frame, area, table, self.order.title());
    }

    fn draw_matrix(&self, frame: &mut Frame<'_>, area: Rect, snapshot: &Snapshot) {
        let columns = usize::from(area.width.saturating_sub(12) / (CELL + 1)).max(1);
        let shown = self.column..(self.column + columns).min(snapshot.size as usize);
        let most = snapshot.ranks.iter().filter_map(|rank| rank.figures.as_ref());
        let most =
            most.flat_map(|figures| &figures.peers).map(|peer| peer.bytes).max().unwrap_or(0);
        let rows = snapshot.ranks.iter().map(|rank| {
            let cell = |column: usize| {
                let peers = rank.figures.as_ref().map_or(&[][..], |figures| &figures.peers);
                match peers.iter().find(|peer| peer.peer as usize == column) {
                    Some(peer) => to_the_right(bytes(peer.bytes)).style(heat(peer.bytes, most)),
                    None => to_the_right(".".into()),
                }
            };
            let name = Cell::from(format!("from {}", rank.rank));
            Row::new(std::iter::once(name).chain(shown.clone().map(cell)))
        });
        let header = shown.clone().map(|rank| to_the_right(format!("to {rank}")));
        let header = std::iter::once(Cell::from("")).chain(header);
        let widths = std::iter::once(10).chain(shown.clone().map(|_| CELL)).map(Constraint::Length);
        let title = format!("bytes of messages, to ranks {}-{}", shown.start, shown.end.max(1) - 1);
        self.draw_table(frame, area, Table::new(rows, widths).header(bold(header)), &title);
    }

    fn draw_table(&self, frame: &mut Frame<'_>, area: Rect, table: Table<'_>, title: &str) {
        let table = table
            .block(Block::bordered().title(format!(" {title} ")))
            .row_highlight_style(Style::new().add_modifier(Modifier::REVERSED));
        let mut state = TableState::new().with_selected(self.chosen);
        frame.render_stateful_widget(table, area, &mut state);
    }

    /// Draws all that is known of what the chosen rank does.
    fn draw_detail(&self, frame: &mut Frame<'_>, area: Rect, snapshot: &Snapshot) {
        let places = self.order.of(snapshot);
        let Some(rank) = places.get(self.chosen).map(|&place| &snapshot.ranks[place]) else {
            return;
        };
        let first = [rank.line()];
        let lines: Vec<String> = first.into_iter().chain(rank.further_lines()).collect();
        let text = lines.join("\n");
        let title = format!(" rank {}, process {} ", rank.rank, rank.pid);
        let detail =
            Paragraph::new(text).wrap(Wrap { trim: false }).block(Block::bordered().title(title));
        frame.render_widget(detail, area);
    }
}

/// The keys and what they do, the most useful one first.
const KEYS: [&str; 5] =
    ["q leave", "Tab other view", "Up/Down rank", "s sort", "Left/Right columns of the matrix"];

/// Draws the keys that fit the line.
fn draw_keys(frame: &mut Frame<'_>, area: Rect, keys: &[&str]) {
    let mut line = String::new();
    for key in keys {
        let separator = if line.is_empty() { " " } else { "   " };
        if line.len() + separator.len() + key.len() > usize::from(area.width) {
            break;
        }
        line.push_str(separator);
        line.push_str(key);
    }
    frame.render_widget(Line::styled(line, Style::new().add_modifier(Modifier::DIM)), area);
}

/// Draws what is shown until a job starts.
pub fn draw_waiting(frame: &mut Frame<'_>, text: &str) {
    let [body, foot] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(1)]).areas(frame.area());
    let block = Block::bordered().title(" nemesis top ");
    frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }).block(block), body);
    draw_keys(frame, foot, &KEYS[..1]);
}

/// Lines of the table that must be visible: its frame, its header and two ranks.
const TABLE_LINES_MIN: u16 = 5;

/// Returns the lines of the head, and of what is known of the chosen rank: 0 in a low terminal.
fn heights(lines: u16, counts: bool) -> [u16; 2] {
    let (head, detail) = (2 + u16::from(!counts), 5);
    let low = lines < head + TABLE_LINES_MIN + detail + 1;
    let lowest = lines < head + TABLE_LINES_MIN + 1;
    [if lowest { 1 } else { head }, if low { 0 } else { detail }]
}

/// Returns a header.
fn bold<'a>(cells: impl IntoIterator<Item = Cell<'a>>) -> Row<'a> {
    Row::new(cells).style(Style::new().add_modifier(Modifier::BOLD))
}

/// Returns a cell of a column of numbers.
fn to_the_right(text: String) -> Cell<'static> {
    Cell::from(Line::from(text).right_aligned())
}

/// Returns the places of the columns of figures that fit a terminal of `width` columns, for a job
/// that `counts` or not.
fn fitting(width: u16, counts: bool) -> Vec<usize> {
    let mut left = i32::from(width) - FIXED_WIDTH;
    let mut fitting = Vec::new();
    for place in BY_USE {
        let wanted = i32::from(COLUMNS[place].width) + 1;
        if wanted <= left && (counts || !COLUMNS[place].is_counted) {
            left -= wanted;
            fitting.push(place);
        }
    }
    fitting.sort_unstable();
    fitting
}

/// Returns the colour of a cell of the matrix.
fn heat(bytes: u64, most: u64) -> Style {
    let share = ((bytes + 1) as f64).ln() / ((most + 1) as f64).ln().max(1.0);
    let colour = match share {
        ..0.5 => Color::Blue,
        0.5..0.8 => Color::Cyan,
        0.8..0.95 => Color::Yellow,
        _ => Color::Red,
    };
    Style::new().fg(colour)
}

#[cfg(test)]
mod tests {
    use super::super::snapshot::tests::example;
    use super::*;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    /// Returns the lines of the screen in 80 columns and 24 rows.
    fn lines(screen: &Screen, snapshot: &Snapshot, before: Option<&Snapshot>) -> Vec<String> {
        let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
        terminal.draw(|frame| screen.draw(frame, snapshot, before)).unwrap();
        let buffer = terminal.backend().buffer();
        let cells = buffer.content().chunks(80);
        cells.map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect()).collect()
    }

    #[test]
    fn the_view_of_ranks_fits_a_small_terminal() {
        let (before, mut now) = (example(), example());
        now.at += 1_000_000_000;
        now.ranks[1].figures.as_mut().unwrap().peers[0].bytes += 4096;
        let screen = Screen { chosen: 1, ..Screen::default() };
        let lines = lines(&screen, &now, Some(&before));
        assert!(lines[0].starts_with("job 77: 2 of 3 ranks on this host: mpiexec"), "{lines:#?}");
        assert!(lines[1].starts_with("shared memory: 0 messages/s, 4.0 KiB/s"), "{lines:#?}");
        let header = " rank  cpu %    memory  MPI % wait %  messages      bytes  peer doing";
        assert!(lines[3].contains(header), "{lines:#?}");
        assert!(lines[5].contains("    99         -   65.0"), "{lines:#?}");
        assert!(lines[5].contains("6.0 KiB     0 MPI_Recv: a m"), "{lines:#?}");
        assert!(lines[18].contains(" rank 1, process 101 "), "{lines:#?}");
        assert!(lines[20].contains("where exchange (halo.c:112)"), "{lines:#?}");
        assert!(lines[21].contains("has 1 message that no receive has asked for"), "{lines:#?}");
        assert!(lines[23].contains("q leave   Tab other view"), "{lines:#?}");
    }

    #[test]
    fn the_view_of_messages_shows_the_matrix() {
        let mut screen = Screen::default();
        screen.switch();
        let snapshot = example();
        let found = lines(&screen, &snapshot, None);
        assert!(found[2].contains(" bytes of messages, to ranks 0-2 "), "{found:#?}");
        assert!(found[5].contains("from 1        2.0 KiB          .          ."), "{found:#?}");
        screen.go(0, 5, &snapshot);
        assert!(lines(&screen, &snapshot, None)[2].contains("to ranks 2-2"));
    }

    #[test]
    fn a_small_terminal_shows_the_ranks() {
        let draw = |width, height, draw: &dyn Fn(&mut Frame<'_>)| -> Vec<String> {
            let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
            terminal.draw(draw).unwrap();
            let cells = terminal.backend().buffer().content().chunks(width.into());
            cells.map(|row| row.iter().map(ratatui::buffer::Cell::symbol).collect()).collect()
        };
        let snapshot = example();
        let found = draw(40, 10, &|frame| Screen::default().draw(frame, &snapshot, None));
        assert!(found[0].starts_with("job 77: 2 of 3 ranks"), "{found:#?}");
        assert!(found[4].contains(" 0 ") && found[5].contains("MPI_Recv"), "{found:#?}");
        assert_eq!(found[9].trim_end(), " q leave   Tab other view   Up/Down rank");
        let found = draw(40, 6, &|frame| Screen::default().draw(frame, &snapshot, None));
        assert!(found[3].contains(" 0 ") && found[5].contains("q leave"), "{found:#?}");
        let found = draw(30, 8, &|frame| draw_waiting(frame, "Waiting for an mpiexec of Nemesis."));
        assert!(found[1].contains("Waiting for an mpiexec of"), "{found:#?}");
        assert!(found[2].contains("Nemesis.") && found[7].starts_with(" q leave"), "{found:#?}");
    }

    #[test]
    fn a_narrow_terminal_has_fewer_columns_and_whole_numbers() {
        assert_eq!(fitting(100, true), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(fitting(80, true), [0, 1, 2, 3, 4, 5]);
        assert_eq!(fitting(60, true), [0, 2, 3, 5]);
        assert_eq!(fitting(40, true), [2, 3]);
        assert_eq!(fitting(80, false), [0, 1]);
        assert!(fitting(20, true).is_empty());
    }

    #[test]
    fn the_choice_stays_within_the_list() {
        let mut screen = Screen::default();
        let snapshot = example();
        screen.go(-1, -1, &snapshot);
        assert_eq!((screen.chosen, screen.column), (0, 0));
        screen.go(9, 1, &snapshot);
        assert_eq!((screen.chosen, screen.column), (1, 1));
    }

    #[test]
    fn a_job_without_counters_says_so() {
        let mut snapshot = example();
        snapshot.counts = false;
        snapshot.ranks.iter_mut().for_each(|rank| rank.figures = None);
        let lines = lines(&Screen::default(), &snapshot, None);
        assert!(lines[1].starts_with("no counters: the job runs without -profile"), "{lines:#?}");
        assert!(lines[4].contains(" rank  cpu %    memory  peer doing"), "{lines:#?}");
        assert!(lines[6].contains("     0 MPI_Recv: a message from rank 0"), "{lines:#?}");
    }
}
