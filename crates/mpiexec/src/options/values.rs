//! The values of options, read from their texts.

use super::plan::StdinFor;
use super::reader::Words;
use crate::launch_error::LaunchError;
use nemesis_sys::choice::{Choice, Ports};
use std::ffi::OsString;
use std::time::Duration;

/// Checks a choice of interfaces and networks.
pub fn net(option: &str, text: String) -> Result<String, LaunchError> {
    Choice::parse(&text).map_err(|why| {
        let advice = "names of interfaces, and networks, such as eth0,10.1.0.0/16,^docker0";
        LaunchError::new(format!("{option}: {why}"), advice)
    })?;
    Ok(text)
}

/// Checks the name of an error handler (MPI 5.0 §11.5).
pub fn initial_errhandler(name: String) -> Result<String, LaunchError> {
    match name.as_str() {
        "mpi_errors_are_fatal" | "mpi_errors_abort" | "mpi_errors_return" => Ok(name),
        _ => Err(LaunchError::new(
            format!("-initial-errhandler {name}: there is no such error handler"),
            "mpi_errors_are_fatal, mpi_errors_abort or mpi_errors_return",
        )),
    }
}

/// Reads a range of ports.
pub fn ports(option: &str, text: &str) -> Result<Ports, LaunchError> {
    let ports = Ports::parse(text).ok().filter(|ports| ports.0.is_some());
    ports.ok_or_else(|| {
        let what = format!("{option}: {text:?} is not a range of TCP ports");
        LaunchError::new(what, "the lowest and the highest, such as 20000:20100")
    })
}

/// Reads a positive number.
pub fn positive(option: &str, text: &str) -> Result<u32, LaunchError> {
    text.parse().ok().filter(|&number| number > 0).ok_or_else(|| {
        let what = format!("-{option}: {text:?} is not a number of at least 1");
        LaunchError::new(what, format!("-{option} 4"))
    })
}

/// Reads a positive number of seconds, the value of an option or a variable.
pub fn seconds(option: &str, text: &str) -> Result<Duration, LaunchError> {
    let number = text.parse::<f64>().ok().filter(|&number| number > 0.0);
    let duration = number.and_then(|number| Duration::try_from_secs_f64(number).ok());
    duration.ok_or_else(|| {
        let what = format!("{option}: {text:?} is not a number of seconds above 0");
        LaunchError::new(what, "60 for a minute, 0.5 for half a second")
    })
}

/// Reads `NAME VALUE`, or `NAME=VALUE` in one word.
pub fn assignment(
    option: &str,
    words: &mut Words<'_>,
) -> Result<(OsString, OsString), LaunchError> {
    let name = words.text(option, "NAME VALUE")?;
    match name.split_once('=') {
        Some((name, value)) => Ok((name.into(), value.into())),
        None => Ok((name.into(), words.value(option, "NAME VALUE")?)),
    }
}

/// Returns a variable and its value: that of `NAME=VALUE`, or the current one of `NAME`.
pub fn exported(text: &str) -> Option<(OsString, OsString)> {
    match text.split_once('=') {
        Some((name, value)) => Some((name.into(), value.into())),
        None => Some((text.into(), std::env::var_os(text)?)),
    }
}

/// Splits a list at commas.
pub fn list(text: &str) -> Vec<String> {
    text.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// Reads the value of `-stdin`.
pub fn stdin_for(text: &str) -> Result<StdinFor, LaunchError> {
    match text {
        "all" => Ok(StdinFor::All),
        "none" => Ok(StdinFor::Nobody),
        rank => rank.parse().map(StdinFor::Rank).map_err(|_| {
            let what = format!("-stdin: {rank:?} is not a rank");
            LaunchError::new(what, "the number of a rank, all or none")
        }),
    }
}

/// Returns the largest count that `most` allows of a set of counts such as `2:8:2,16` (MPI 5.0
/// §11.7.4, `soft`). Every entry is one count, `FIRST:LAST` or `FIRST:LAST:STRIDE`.
///
/// # Errors
///
/// Returns a message if the set is not one, or allows no count from 1 to `most`.
pub fn soft(text: &str, most: u32) -> Result<u32, LaunchError> {
    let counts = |entry: &str| -> Option<Option<i64>> {
        let numbers: Vec<i64> = entry
            .split(':')
            .map(|word| word.trim().parse::<i32>().ok().map(i64::from))
            .collect::<Option<_>>()?;
        let (first, last, stride) = match numbers[..] {
            [count] => (count, count, 1),
            [first, last] => (first, last, 1),
            [first, last, stride] if stride != 0 => (first, last, stride),
            _ => return None,
        };
        // In ascending order; the last count is on the stride from the first one.
        let steps = (last - first) / stride;
        let (low, high) = match (steps < 0, stride > 0) {
            (true, _) => return Some(None),
            (_, true) => (first, first + steps * stride),
            (_, false) => (first + steps * stride, first),
        };
        let limit = i64::from(most);
        let stride = stride.abs();
        let largest =
            if high <= limit { high } else { high - (high - limit + stride - 1) / stride * stride };
        Some(Some(largest).filter(|&count| count >= low.max(1)))
    };
    let largest: Option<Vec<Option<i64>>> = text.split(',').map(counts).collect();
    let largest = largest.and_then(|all| all.into_iter().flatten().max());
    largest.and_then(|count| u32::try_from(count).ok()).ok_or_else(|| {
        LaunchError::new(
            format!("-soft {text}: allows no number of processes from 1 to {most}"),
            "numbers separated by commas, each N, FIRST:LAST or FIRST:LAST:STRIDE",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_allowed_number_is_chosen() {
        for (text, most, chosen) in [
            ("1:3", 4, 3),
            ("2:8:2,16", 7, 6),
            ("2:8:2,16", 16, 16),
            ("8:2:-2", 5, 4),
            ("4", 4, 4),
            ("3:1,2", 9, 2),
        ] {
            assert_eq!(soft(text, most), Ok(chosen), "{text} up to {most}");
        }
        for (text, most) in
            [("5:8", 4), ("", 4), ("1:x", 4), ("1:2:0", 4), ("0", 4), ("1:2:3:4", 9)]
        {
            assert!(soft(text, most).is_err(), "{text}");
        }
    }
}
