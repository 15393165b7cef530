//! Control variables (MPI 5.0 §15.3.6): the tunables and the algorithms of the collectives, under
//! the names of their environment variables, and the thresholds of the collectives.
//!
//! Before MPI starts, a tool can set every numeric tunable, and its value overrides the
//! environment. After the start, a tool can set only the tunables that the engine reads for every
//! message; the others are agreed upon between processes by then. Each process may have values of
//! its own. Tunables that hold text can only be read. The algorithms of collectives can be set
//! before MPI starts, and the protocols of messages that are forced at any time.

use super::choices::{Choices, SWITCH};
use super::{bad_handle, bad_name, engine, enter, index};
use crate::abi;
use crate::coll::forced::OPERATIONS;
use crate::coll::operations;
use crate::coll::thresholds::THRESHOLDS;
use crate::coll::tuning;
use crate::engine::Stage;
use crate::error::{Error, Outcome};
use nemesis::protocols::parse_forced;
use nemesis::tunables::{
    EAGER_MAX_BYTES, Kind, PROTOCOL, Row, TABLE, UNEXPECTED_MAX_BYTES, WORDS, Words, value,
};
use nemesis_sys::per_process;
use std::sync::{Mutex, PoisonError};

/// The description of a control variable.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    pub name: &'static str,
    pub why: &'static str,
    pub shape: Shape,
    pub scope: i32,
    pub verbosity: i32,
}

/// The kind of a variable's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Items of an enumeration: an `MPI_INT`.
    Choice(Choices),
    /// A number of bytes or processes: an `MPI_UNSIGNED_LONG_LONG`.
    Number,
    /// Text, with a NUL at its end: an array of `MPI_CHAR`.
    Text,
}

/// A value as a tool reads or writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Int(i32),
    Unsigned(u64),
    Text(String),
}

/// A handle of an open variable.
pub struct Handle {
    variable: usize,
    /// The text of the variable when it was opened. Its length must not change afterwards.
    words: Option<String>,
}

per_process! {
    /// The values that tools have set; after the start of MPI, the values in force.
    static CHOSEN: Mutex<[Option<usize>; TABLE.len()]> = Mutex::new([None; TABLE.len()]);

    /// The algorithms of collectives, and last the protocols, that tools have set; after the start
    /// of MPI, those in force.
    static ALGORITHMS: Mutex<[Option<String>; OPERATIONS + 1]> =
        Mutex::new([const { None }; OPERATIONS + 1]);
}

/// Index of the protocols among what tools force.
const PROTOCOLS: usize = OPERATIONS;

/// Bytes of the algorithms of an operation as a tool reads and writes them, with a NUL.
pub const ALGORITHMS_BYTES: usize = 256;

/// Returns the algorithms of an operation that a tool has set, or else those of the environment, or
/// else those of the file of choices.
pub fn chosen_algorithms(index: usize) -> String {
    let chosen = ALGORITHMS.lock().unwrap_or_else(PoisonError::into_inner);
    chosen[index].clone().unwrap_or_else(|| tuning::from_environment(index))
}

fn choose_algorithms(index: usize, text: String) {
    ALGORITHMS.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(text);
}

fn chosen_values() -> [Option<usize>; TABLE.len()] {
    *CHOSEN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn choose(index: usize, number: usize) {
    CHOSEN.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(number);
}

/// Sets a number of a process that has not started MPI, as a tool does.
pub fn provide(row: Row, number: usize) {
    let index = TABLE.iter().position(|other| other.name == row.name);
    choose(index.expect("a row of the table"), number);
}

/// Returns the value of a tunable that a tool has set, or else that of the environment.
pub fn chosen(name: &str) -> Option<String> {
    if name == PROTOCOL.name {
        return Some(chosen_algorithms(PROTOCOLS));
    }
    let Some(index) = TABLE.iter().position(|row| row.name == name) else {
        return std::env::var(name).ok();
    };
    match (chosen_values()[index], TABLE[index].kind) {
        (Some(number), Kind::Switch { .. }) => {
            Some(if number == 0 { "off" } else { "on" }.to_owned())
        }
        (Some(number), Kind::Bytes { .. } | Kind::Count { .. }) => Some(number.to_string()),
        (None, _) => std::env::var(name).ok(),
    }
}

/// Fixes the values of all tunables when MPI starts: later changes of the environment have no
/// effect.
pub fn fix_values() {
    for (index, row) in TABLE.iter().enumerate() {
        choose(index, holds(*row));
    }
    for index in 0..=PROTOCOLS {
        choose_algorithms(index, chosen_algorithms(index));
    }
}

/// Returns the value in force of a tunable. An invalid value in the environment stops the start of
/// MPI; until then the default is returned.
fn holds(row: Row) -> usize {
    value(row, chosen).or_else(|_| value(row, |_| None)).unwrap_or_default()
}

/// Returns the number of control variables.
pub fn count() -> usize {
    TABLE.len() + THRESHOLDS.len() + WORDS.len() + OPERATIONS
}

/// Returns the operation with algorithms, or [`PROTOCOLS`], that has index `number` among the
/// variables.
fn operation(number: usize) -> Option<usize> {
    if text_tunable(number).is_some_and(|words| words.name == PROTOCOL.name) {
        return Some(PROTOCOLS);
    }
    let index = number.checked_sub(TABLE.len() + THRESHOLDS.len() + WORDS.len())?;
    (index < OPERATIONS).then_some(index)
}

/// Returns the text tunable with index `number`, if there is one.
fn text_tunable(number: usize) -> Option<Words> {
    WORDS.get(number.checked_sub(TABLE.len() + THRESHOLDS.len())?).copied()
}

/// Returns the description of the variable with an index.
pub fn variable(number: i32) -> Outcome<Variable> {
    let number = index(number, count())?;
    if let Some(words) = text_tunable(number) {
        let scope = match operation(number) {
            Some(_) => abi::MPI_T_SCOPE_ALL_EQ,
            None => abi::MPI_T_SCOPE_READONLY,
        };
        let verbosity = abi::MPI_T_VERBOSITY_TUNER_DETAIL;
        return Ok(Variable {
            name: words.name,
            why: words.why,
            shape: Shape::Text,
            scope,
            verbosity,
        });
    }
    if let Some(index) = operation(number) {
        let operation = &operations::ALL[index];
        return Ok(Variable {
            name: operation.variable,
            why: operation.why,
            shape: Shape::Text,
            scope: abi::MPI_T_SCOPE_ALL_EQ,
            verbosity: abi::MPI_T_VERBOSITY_TUNER_DETAIL,
        });
    }
    let Some(row) = TABLE.get(number) else {
        let (name, _, why) = THRESHOLDS[number - TABLE.len()];
        let (scope, verbosity) = (abi::MPI_T_SCOPE_CONSTANT, abi::MPI_T_VERBOSITY_MPIDEV_DETAIL);
        return Ok(Variable { name, why, shape: Shape::Number, scope, verbosity });
    };
    let shape =
        if matches!(row.kind, Kind::Switch { .. }) { Shape::Choice(SWITCH) } else { Shape::Number };
    let verbosity = abi::MPI_T_VERBOSITY_TUNER_DETAIL;
    Ok(Variable { name: row.name, why: row.why, shape, scope: abi::MPI_T_SCOPE_LOCAL, verbosity })
}

/// Returns the index of the variable with a name.
pub fn index_of(name: &str) -> Outcome<i32> {
    let names = TABLE
        .iter()
        .map(|row| row.name)
        .chain(THRESHOLDS.iter().map(|(name, ..)| *name))
        .chain(WORDS.iter().map(|row| row.name))
        .chain(operations::ALL.iter().map(|operation| operation.variable));
    names
        .zip(0..)
        .find(|(known, _)| *known == name)
        .map(|(_, index)| index)
        .ok_or_else(|| bad_name(name))
}

/// Opens a variable. Returns its handle, and the number of elements of a value.
pub fn open(number: i32) -> Outcome<(usize, usize)> {
    let mut state = enter()?;
    let variable = index(number, count())?;
    let words = text_tunable(variable)
        .filter(|_| operation(variable).is_none())
        .map(|words| std::env::var(words.name).unwrap_or_default());
    let elements = match operation(variable) {
        Some(_) => ALGORITHMS_BYTES,
        None => words.as_ref().map_or(1, |words| words.len() + 1),
    };
    let handle = state.draw();
    state.cvars.insert(handle, Handle { variable, words });
    Ok((handle, elements))
}

/// Closes a handle.
pub fn close(handle: usize) -> Outcome {
    enter()?.cvars.remove(&handle).map(drop).ok_or_else(bad_handle)
}

fn opened(handle: usize) -> Outcome<usize> {
    enter()?.cvars.get(&handle).map(|open| open.variable).ok_or_else(bad_handle)
}

/// Returns the kind of values of a handle's variable.
pub fn shape(handle: usize) -> Outcome<Shape> {
    Ok(variable(opened(handle)? as i32)?.shape)
}

/// Reads the value of a handle's variable.
pub fn read(handle: usize) -> Outcome<Value> {
    let number = opened(handle)?;
    if let Some(words) = enter()?.cvars.get(&handle).and_then(|open| open.words.clone()) {
        return Ok(Value::Text(words));
    }
    if let Some(index) = operation(number) {
        let mut text = chosen_algorithms(index);
        text.truncate(text.floor_char_boundary(ALGORITHMS_BYTES - 1));
        return Ok(Value::Text(text));
    }
    Ok(match TABLE.get(number) {
        None => Value::Unsigned(THRESHOLDS[number - TABLE.len()].1 as u64),
        Some(row) if matches!(row.kind, Kind::Switch { .. }) => Value::Int(holds(*row) as i32),
        Some(row) => Value::Unsigned(holds(*row) as u64),
    })
}

/// Sets the algorithms of an operation before MPI starts, or the protocols.
fn write_algorithms(index: usize, text: &str) -> Outcome {
    let rows = match index {
        PROTOCOLS => parse_forced(text),
        _ => operations::check(index, text),
    }
    .map_err(|why| Error::new(abi::MPI_T_ERR_INVALID, why))?;
    let mut engine = engine()?;
    match engine.life.stage {
        Stage::Before => {}
        Stage::Running if index == PROTOCOLS => engine.pt2pt.force_protocols(&rows),
        _ => {
            return Err(Error::new(
                abi::MPI_T_ERR_CVAR_SET_NOT_NOW,
                "the variable can only be set before MPI starts",
            ));
        }
    }
    choose_algorithms(index, text.to_owned());
    Ok(())
}

/// Sets a handle's variable. Fails if the value is out of range, or cannot be set any more.
pub fn write(handle: usize, value: Value) -> Outcome {
    let number = opened(handle)?;
    if let (Some(index), Value::Text(text)) = (operation(number), &value) {
        return write_algorithms(index, text);
    }
    let Some(row) = TABLE.get(number) else {
        return Err(Error::new(abi::MPI_T_ERR_CVAR_SET_NEVER, "the variable can only be read"));
    };
    let fits = match (row.kind, &value) {
        (Kind::Switch { .. }, &Value::Int(number @ 0..=1)) => Some(number as usize),
        (Kind::Bytes { min, max, .. }, &Value::Unsigned(bytes)) => {
            usize::try_from(bytes).ok().filter(|bytes| (min..=max).contains(bytes))
        }
        (Kind::Count { max, .. }, &Value::Unsigned(count)) => {
            usize::try_from(count).ok().filter(|count| (1..=max).contains(count))
        }
        _ => None,
    };
    let new = fits.ok_or_else(|| {
        Error::new(abi::MPI_T_ERR_INVALID, format!("{} cannot be {value:?}", row.name))
    })?;
    let mut engine = engine()?;
    match engine.life.stage {
        Stage::Before => {}
        Stage::Running if row.name == EAGER_MAX_BYTES.name => {
            engine.pt2pt.limit_eager(new);
            engine.open();
        }
        Stage::Running if row.name == UNEXPECTED_MAX_BYTES.name => {
            engine.pt2pt.core.unexpected_max_bytes = new
        }
        _ => {
            return Err(Error::new(
                abi::MPI_T_ERR_CVAR_SET_NOT_NOW,
                "the variable can only be set before MPI starts",
            ));
        }
    }
    choose(number, new);
    Ok(())
}
