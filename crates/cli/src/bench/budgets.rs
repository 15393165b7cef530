//! Budgets: the performance that the library has to reach. Each row has this library's figure, the
//! rivals' figures, the limit, and whether it is met.
//!
//! A limit is a number, or follows from the best rival of the run. If a budget covers many cells
//! (lengths, operations), a library's value compares it with the best of all others in each cell.
//! The value of this installation is computed in the same way, with the rivals as the others.

use super::figures::{Figures, Measure};
use super::plan::{COLLECTIVE_RANKS, MEMORY_RANKS, OVERSUBSCRIBED_RANKS, START_RANKS};
use super::table::{COLLECTIVE_SIZES, COLLECTIVES, USUAL, USUAL_SIZES};
use super::{Results, units};
use serde::Serialize;

/// A budget, and how this run meets it.
#[derive(Serialize)]
pub struct Row {
    pub group: &'static str,
    pub what: String,
    pub limit: String,
    /// Values of the libraries; this installation's first.
    pub values: Vec<String>,
    /// How many times better than the limit this installation is; below 1 it falls short. `None` if
    /// a figure is missing.
    pub ratio: Option<f64>,
    /// Whether other programs have slowed the figure down, so that the ratio says nothing.
    pub is_doubtful: bool,
}

impl Row {
    /// Returns whether the budget is met; `None` if that is not known.
    pub fn is_met(&self) -> Option<bool> {
        self.ratio.filter(|_| !self.is_doubtful).map(|ratio| ratio >= 1.0)
    }
}

/// Whether more is better, and how values of a row are printed.
#[derive(Clone, Copy)]
struct Kind {
    more_is_better: bool,
    text: fn(f64) -> String,
    /// Whether the value depends on what else the host does.
    is_time: bool,
}

/// A value that is better the smaller it is.
const fn less(text: fn(f64) -> String) -> Kind {
    Kind { more_is_better: false, text, is_time: true }
}

/// A value that is better the greater it is.
const fn more(text: fn(f64) -> String) -> Kind {
    Kind { more_is_better: true, text, is_time: true }
}

const TIME: Kind = less(units::seconds);
const COUNT: Kind = Kind { is_time: false, ..less(|value| format!("{value:.0}")) };
const FACTOR: Kind = less(units::ratio);
const SIZE: Kind = Kind { is_time: false, ..less(units::size) };
const RATE: Kind = more(units::rate);
const BANDWIDTH: Kind = more(|value| units::bandwidth(1, 1.0 / value));
const TIMES: Kind = more(units::ratio);
const SHARE: Kind = less(|value| format!("{:.1} %", 100.0 * value));

/// Returns the budgets that this run has measured.
pub fn measured(results: &Results) -> impl Iterator<Item = Row> {
    rows(results).into_iter().filter(|row| row.ratio.is_some())
}

/// Returns all budgets.
pub fn rows(results: &Results) -> Vec<Row> {
    let budgets = Budgets { results };
    let groups = [
        budgets.messages(),
        budgets.lengths(),
        budgets.collectives(),
        budgets.usual(),
        budgets.jobs_of_many_ranks(),
        budgets.threads(),
        budgets.starts(),
    ];
    let is_loaded = results.others.are_noticeable();
    let rows = groups.into_iter().flatten();
    rows.map(|row| Row { is_doubtful: row.is_doubtful && is_loaded, ..row }).collect()
}

struct Budgets<'a> {
    results: &'a Results,
}

/// Returns a figure of a library.
type Value<'a> = &'a dyn Fn(&Figures) -> Option<f64>;

impl Budgets<'_> {
    fn messages(&self) -> Vec<Row> {
        const GROUP: &str = "Messages between two processes";
        let one_way = |f: &Figures| f.get(Measure::Latency, 2, 8);
        let instructions =
            |f: &Figures| Some(f.get(Measure::Send, 2, 0)? + f.get(Measure::Receive, 2, 0)?);
        let anyone =
            |f: &Figures| Some(f.get(Measure::Wildcard, 2, 8)? / f.get(Measure::Named, 2, 8)?);
        let mut rows = Vec::new();
        if let Some(raw) = self.results.handover {
            rows.push(self.fixed(
                GROUP,
                "8 bytes one way: at most 1.6 hand-overs of a cache line",
                TIME,
                1.6 * raw,
                &one_way,
            ));
        }
        rows.push(self.fixed(
            GROUP,
            "instructions of MPI_Send and MPI_Recv together",
            COUNT,
            150.0,
            &instructions,
        ));
        rows.push(self.fixed(GROUP, "8-byte messages per second, one pair", RATE, 25e6, &|f| {
            f.get(Measure::Rate, 2, 8)
        }));
        rows.push(self.fixed(
            GROUP,
            "receive from MPI_ANY_SOURCE, compared with one that names the sender",
            FACTOR,
            1.2,
            &anyone,
        ));
        rows.push(self.fixed(
            GROUP,
            "largest growth from a length to its double, up to 8 KiB",
            FACTOR,
            1.5,
            &longest_step,
        ));
        rows
    }

    fn lengths(&self) -> Vec<Row> {
        const GROUP: &str = "Long messages";
        let lengths: Vec<u64> = (12..=26).map(|exponent| 1 << exponent).collect();
        let four = |f: &Figures| Some((4 << 20) as f64 / f.get(Measure::Latency, 2, 4 << 20)?);
        let worst = |what: &str, measure| {
            let found = self.each(|index| {
                let cells = lengths.iter().filter_map(|&bytes| {
                    Some((self.times_as_fast(index, measure, 2, bytes)?, bytes))
                });
                cells.min_by(|a, b| a.0.total_cmp(&b.0))
            });
            let values = found.iter().map(|found| found.map(|(times, _)| times)).collect();
            let mut row =
                row(GROUP, what.to_owned(), TIMES, self.has_rivals().then_some(1.0), values);
            for (text, found) in row.values.iter_mut().zip(found) {
                *text += &found
                    .map_or(String::new(), |(_, bytes)| format!(" at {}", units::bytes(bytes)));
            }
            row
        };
        let mut rows = vec![self.fixed(GROUP, "4 MiB one way", BANDWIDTH, 25e9, &four)];
        rows.push(worst(
            "one way, 4 KiB to 64 MiB: compared with the best of the others, at the worst length",
            Measure::Latency,
        ));
        rows.push(worst(
            "both ways, 4 KiB to 64 MiB: compared with the best of the others, at the worst length",
            Measure::Both,
        ));
        rows
    }

    fn collectives(&self) -> Vec<Row> {
        const GROUP: &str = "Collectives on 2, 4 and 8 ranks, 8 B to 1 MiB";
        let of = |index: usize| -> Vec<f64> {
            let mut ratios: Vec<f64> = cells()
                .filter_map(|(measure, ranks, bytes)| {
                    self.times_as_fast(index, measure, ranks, bytes)
                })
                .collect();
            ratios.sort_by(f64::total_cmp);
            ratios
        };
        let ratios = self.each(of);
        let median =
            |ratios: &Vec<f64>| (!ratios.is_empty()).then(|| 1.0 / ratios[ratios.len() / 2]);
        let behind = |ratios: &Vec<f64>| {
            let slower = ratios.iter().filter(|&&times| times < 1.0).count();
            (!ratios.is_empty()).then(|| slower as f64 / ratios.len() as f64)
        };
        let limit = |limit: f64| self.has_rivals().then_some(limit);
        let many = format!(
            "share of the {} cells in which another library is \
                            faster",
            ratios[0].len()
        );
        vec![
            row(
                GROUP,
                "time compared with the best of the others, median".into(),
                FACTOR,
                limit(0.7),
                ratios.iter().map(median).collect(),
            ),
            row(GROUP, many, SHARE, limit(0.05), ratios.iter().map(behind).collect()),
        ]
    }

    fn usual(&self) -> Vec<Row> {
        const GROUP: &str = "As common micro-benchmarks measure, 2 ranks";
        let found = self.each(|index| {
            let cells = USUAL.iter().flat_map(|&(name, measure)| {
                USUAL_SIZES.iter().filter_map(move |&bytes| {
                    Some((self.times_as_fast(index, measure, 2, bytes)?, name, bytes))
                })
            });
            cells.min_by(|a, b| a.0.total_cmp(&b.0))
        });
        let mut row = row(
            GROUP,
            "compared with the best of the others, at the worst cell".into(),
            TIMES,
            self.has_rivals().then_some(1.0),
            found.iter().map(|found| found.map(|(times, ..)| times)).collect(),
        );
        for (text, found) in row.values.iter_mut().zip(found) {
            *text += &found.map_or(String::new(), |(_, name, bytes)| {
                format!(" at {name} {}", units::bytes(bytes))
            });
        }
        vec![row]
    }

    fn jobs_of_many_ranks(&self) -> Vec<Row> {
        let row = |ranks: u32, name: &str, measure| {
            let (group, words, times) = match ranks as usize > self.results.machine.usable_cores {
                true => ("More ranks than processors", "5 times as fast as the best rival", 5.0),
                false => ("Many ranks, each with a processor", "as fast as the best rival", 1.0),
            };
            let kernel =
                self.results.switches.iter().find(|switches| switches.ranks == ranks).map_or(
                    String::new(),
                    |switches| {
                        format!(
                            " (the kernel needs {1} for {0} switches of a processor)",
                            switches.each,
                            units::seconds(switches.round())
                        )
                    },
                );
            self.against_best(
                group,
                format!("{name} of {ranks} ranks: {words}{kernel}"),
                TIME,
                times,
                &|f| f.get(measure, ranks, 0),
            )
        };
        OVERSUBSCRIBED_RANKS
            .iter()
            .flat_map(|&ranks| {
                [
                    row(ranks, "barrier", Measure::Barrier),
                    row(ranks, "allreduce of 8 bytes", Measure::Allreduce),
                ]
            })
            .collect()
    }

    fn threads(&self) -> Vec<Row> {
        const GROUP: &str = "Threads";
        let slower = |f: &Figures| {
            Some(f.get(Measure::MultipleLatency, 2, 8)? / f.get(Measure::SingleLatency, 2, 8)?)
        };
        let rarer = |f: &Figures| {
            Some(f.get(Measure::SingleRate, 2, 8)? / f.get(Measure::MultipleRate, 2, 8)?)
        };
        let more = |f: &Figures| {
            Some(f.get(Measure::ThreadsRate, 2, 8)? / f.get(Measure::MultipleRate, 2, 8)?)
        };
        vec![
            self.fixed(
                GROUP,
                "one thread under MPI_THREAD_MULTIPLE: 8 bytes one way, compared with SINGLE",
                FACTOR,
                1.1,
                &slower,
            ),
            self.fixed(
                GROUP,
                "one thread under MPI_THREAD_MULTIPLE: time per message of many, compared with \
                 SINGLE",
                FACTOR,
                1.1,
                &rarer,
            ),
            self.fixed(
                GROUP,
                "four pairs of threads: 8-byte messages per second, compared with one pair",
                TIMES,
                1.5,
                &more,
            ),
            self.against_best(
                GROUP,
                "four pairs of threads: 8 bytes one way".into(),
                TIME,
                1.0,
                &|f| f.get(Measure::ThreadsLatency, 2, 8),
            ),
            self.against_best(
                GROUP,
                "four pairs of threads: 8-byte messages per second, together".into(),
                RATE,
                1.0,
                &|f| f.get(Measure::ThreadsRate, 2, 8),
            ),
        ]
    }

    fn starts(&self) -> Vec<Row> {
        const GROUP: &str = "Start and size";
        let mut rows =
            vec![self.fixed(GROUP, "MPI_Init and MPI_Finalize, alone", TIME, 5e-3, &|f| {
                f.get(Measure::Init, 1, 0)
            })];
        rows.extend(START_RANKS.map(|ranks| {
            self.against_best(
                GROUP,
                format!("mpiexec -n {ranks}, from the command to its end"),
                TIME,
                1.0,
                &|f| f.get(Measure::Start, ranks, 0),
            )
        }));
        for (name, measure) in [
            ("resident memory", Measure::Resident),
            ("proportional share of memory", Measure::Proportional),
            ("page tables", Measure::PageTables),
        ] {
            rows.push(self.against_best(
                GROUP,
                format!("{name} of a rank, {MEMORY_RANKS} ranks"),
                SIZE,
                1.0,
                &|f| f.get(measure, MEMORY_RANKS, 0),
            ));
        }
        rows.push(self.fixed(GROUP, "the library's file", SIZE, 4e6, &|f| {
            f.get(Measure::Library, MEMORY_RANKS, 0)
        }));
        rows
    }

    /// Returns a row whose limit is a number.
    fn fixed(
        &self,
        group: &'static str,
        what: &str,
        kind: Kind,
        limit: f64,
        value: Value<'_>,
    ) -> Row {
        row(
            group,
            what.to_owned(),
            kind,
            Some(limit),
            self.each(|index| value(&self.results.libraries[index].1)),
        )
    }

    /// Returns a row whose limit is a multiple of the best rival's value.
    fn against_best(
        &self,
        group: &'static str,
        what: String,
        kind: Kind,
        factor: f64,
        value: Value<'_>,
    ) -> Row {
        let values = self.each(|index| value(&self.results.libraries[index].1));
        let best = best(kind.more_is_better, values[1..].iter().flatten().copied());
        let limit =
            best.map(|best| if kind.more_is_better { best * factor } else { best / factor });
        row(group, what, kind, limit, values)
    }

    fn each<T>(&self, value: impl Fn(usize) -> T) -> Vec<T> {
        (0..self.results.libraries.len()).map(value).collect()
    }

    fn has_rivals(&self) -> bool {
        self.results.libraries.len() > 1
    }

    /// Returns how many times as fast as the best of all others a library is; `None` if it, or all
    /// others, were not measured.
    fn times_as_fast(&self, index: usize, measure: Measure, ranks: u32, bytes: u64) -> Option<f64> {
        let of = |index: usize| self.results.libraries[index].1.get(measure, ranks, bytes);
        let others = (0..self.results.libraries.len()).filter(|&other| other != index);
        Some(best(false, others.filter_map(of))? / of(index)?)
    }
}

fn row(
    group: &'static str,
    what: String,
    kind: Kind,
    limit: Option<f64>,
    values: Vec<Option<f64>>,
) -> Row {
    let Kind { more_is_better, text, is_time } = kind;
    let ratio = values[0]
        .zip(limit)
        .map(|(ours, limit)| if more_is_better { ours / limit } else { limit / ours });
    let values = values.into_iter().map(|value| value.map_or("–".into(), text)).collect();
    let limit = limit.map_or("–".into(), |limit| {
        format!("{} {}", if more_is_better { "≥" } else { "≤" }, text(limit))
    });
    Row { group, what, limit, values, ratio, is_doubtful: is_time }
}

fn best(more_is_better: bool, values: impl Iterator<Item = f64>) -> Option<f64> {
    values.reduce(if more_is_better { f64::max } else { f64::min })
}

/// Returns all operations at all lengths and numbers of ranks.
fn cells() -> impl Iterator<Item = (Measure, u32, u64)> {
    COLLECTIVE_RANKS.into_iter().flat_map(|ranks| {
        let lengths = COLLECTIVES
            .into_iter()
            .flat_map(move |(_, measure)| COLLECTIVE_SIZES.map(|bytes| (measure, ranks, bytes)));
        std::iter::once((Measure::Barrier, ranks, 0)).chain(lengths)
    })
}

/// Returns the largest growth of a message's time when its length doubles, up to 8 KiB.
fn longest_step(figures: &Figures) -> Option<f64> {
    let short: Vec<f64> = figures
        .by_bytes(Measure::Latency)
        .into_iter()
        .filter(|&(bytes, _)| bytes <= 8 << 10)
        .map(|(_, seconds)| seconds)
        .collect();
    short.windows(2).map(|pair| pair[1] / pair[0]).reduce(f64::max)
}

#[cfg(test)]
mod tests {
    use super::super::figures::Line;
    use super::super::{distance::Strays, others::Others, record::Machine, switching::Switches};
    use super::*;

    fn results(libraries: &[&[(Measure, u32, u64, f64)]]) -> Results {
        let of = |samples: &&[(Measure, u32, u64, f64)]| {
            let mut figures = Figures::default();
            samples.iter().for_each(|&(measure, ranks, bytes, value)| {
                figures.add(ranks, Line { measure, bytes, value })
            });
            ("a library".to_owned(), figures)
        };
        Results {
            machine: Machine::this_one(),
            others: Others::default(),
            strays: Strays::default(),
            quick: true,
            libraries: libraries.iter().map(of).collect(),
            handover: Some(1e-7),
            copy: 1e10,
            queue: None,
            switches: vec![Switches { ranks: 16, each: 8, seconds: 1e-6 }],
        }
    }

    fn found<'a>(rows: &'a [Row], words: &str) -> &'a Row {
        rows.iter().find(|row| row.what.contains(words)).unwrap()
    }

    #[test]
    fn limits_are_numbers_or_the_best_rivals() {
        let ours = [
            (Measure::Latency, 2, 8, 2e-7),
            (Measure::Barrier, 16, 0, 1e-5),
            (Measure::ThreadsRate, 2, 8, 3e6),
            (Measure::MultipleRate, 2, 8, 4e6),
        ];
        let [slow, fast] = [1.0, 0.25].map(|factor| {
            [(Measure::Barrier, 16, 0, 1e-4 * factor), (Measure::ThreadsRate, 2, 8, 1e6 / factor)]
        });
        let rows = rows(&results(&[&ours, &slow, &fast]));
        let one_way = found(&rows, "8 bytes one way: at most");
        assert_eq!((one_way.limit.as_str(), one_way.is_met()), ("≤ 160 ns", Some(false)));
        assert_eq!(one_way.values, ["200 ns", "–", "–"]);
        let barrier = found(&rows, "barrier of 16");
        assert_eq!((barrier.limit.as_str(), barrier.ratio), ("≤ 5.00 µs", Some(0.5)));
        assert!(
            barrier
                .what
                .ends_with("best rival (the kernel needs 8.00 µs for 8 switches of a processor)"),
            "{}",
            barrier.what
        );
        let threads = found(&rows, "messages per second, together");
        assert_eq!((threads.limit.as_str(), threads.ratio), ("≥ 4.00 M/s", Some(0.75)));
        let beside_one = found(&rows, "compared with one pair");
        assert_eq!(
            (beside_one.limit.as_str(), &beside_one.values[..], beside_one.ratio),
            ("≥ 1.50×", &["0.75×".to_owned(), "–".into(), "–".into()][..], Some(0.5))
        );
        assert_eq!(found(&rows, "instructions").is_met(), None);
    }

    #[test]
    fn times_of_a_loaded_host_have_no_verdict() {
        let ours = [
            (Measure::Latency, 2, 8, 2e-7),
            (Measure::Send, 2, 0, 67.0),
            (Measure::Receive, 2, 0, 78.0),
        ];
        let mut results = results(&[&ours]);
        assert!(measured(&results).all(|row| row.is_met().is_some()));
        assert!(rows(&results).len() > measured(&results).count(), "some were not measured");
        results.others.average = 1.5;
        let rows: Vec<Row> = measured(&results).collect();
        assert_eq!(found(&rows, "8 bytes one way").is_met(), None);
        assert_eq!(found(&rows, "instructions").is_met(), Some(true), "load does not change it");
    }

    #[test]
    fn cells_are_compared_with_the_best_of_the_others() {
        let of = |factor: f64| {
            [
                (Measure::Bcast, 2, 8, 1e-6 * factor),
                (Measure::Scan, 4, 64, 1e-6),
                (Measure::Latency, 2, 1 << 20, 1e-4 * factor),
            ]
        };
        let rows = rows(&results(&[&of(0.5), &of(1.0), &of(2.0)]));
        let median = found(&rows, "median");
        assert_eq!(
            (&median.values[..], median.is_met()),
            (&["0.50×".to_owned(), "1.00×".into(), "1.00×".into()][..], Some(true))
        );
        assert_eq!(found(&rows, "share of the 2 cells").values, ["0.0 %", "50.0 %", "50.0 %"]);
        let worst = found(&rows, "one way, 4 KiB");
        assert_eq!(worst.values, ["2.00× at 1 MiB", "0.50× at 1 MiB", "0.25× at 1 MiB"]);
        assert_eq!(worst.limit, "≥ 1.00×");
    }

    #[test]
    fn without_rivals_only_numbers_are_limits() {
        let rows =
            rows(&results(&[&[(Measure::Barrier, 16, 0, 1e-5), (Measure::Init, 1, 0, 1e-3)]]));
        assert_eq!(found(&rows, "barrier of 16").is_met(), None);
        assert_eq!(found(&rows, "alone").is_met(), Some(true));
    }
}
