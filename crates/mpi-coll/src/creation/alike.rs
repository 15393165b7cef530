//! Arguments that all processes of a communicator must pass alike.
//!
//! Each process adds a number, which it computes from its arguments, to the exchange that its call
//! makes in any case. If two numbers differ, all processes know it from that exchange. Then rank 0
//! and the first rank of each other number broadcast their arguments, up to the first difference
//! that is an error, which every process names. A difference that does no harm outside of the
//! process is no error, but a finding of the development checks.

use crate::abi;
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::handle;
use crate::words::bcast_words;
use std::collections::HashSet;

/// Arguments of a call, in the order in which an error looks for a difference.
#[derive(Default)]
pub struct Arguments(Vec<Argument>);

struct Argument {
    name: &'static str,
    values: Vec<i64>,
    is_list: bool,
    /// Whether a difference is a finding, and no error.
    is_local: bool,
}

/// A difference between two processes.
struct Difference {
    why: String,
    /// Whether only arguments differ that each process uses for itself.
    is_local: bool,
}

impl Arguments {
    /// Adds an argument that is a number.
    pub fn and(mut self, name: &'static str, value: i64) -> Arguments {
        self.0.push(Argument { name, values: vec![value], is_list: false, is_local: false });
        self
    }

    /// Makes the argument that was added last one that each process uses for itself.
    pub fn local(mut self) -> Arguments {
        if let Some(last) = self.0.last_mut() {
            last.is_local = true;
        }
        self
    }

    /// Adds an argument that is an array.
    pub fn and_list(
        mut self,
        name: &'static str,
        values: impl IntoIterator<Item = i64>,
    ) -> Arguments {
        let values = values.into_iter().collect();
        self.0.push(Argument { name, values, is_list: true, is_local: false });
        self
    }

    /// Returns the number of the arguments.
    pub(super) fn number(&self) -> u32 {
        number_of(&self.words())
    }

    fn words(&self) -> Vec<u64> {
        let words = |argument: &Argument| {
            let values = argument.values.iter().map(|&value| value as u64);
            [argument.values.len() as u64].into_iter().chain(values).collect::<Vec<u64>>()
        };
        self.0.iter().flat_map(words).collect()
    }

    /// Returns the differences between the words of rank 0 and those of rank `other`: the first one
    /// in words, and whether all of them are local.
    fn difference(&self, mut zero: &[u64], mut theirs: &[u64], other: usize) -> Difference {
        let mut first_why = None;
        let mut is_local = true;
        for Argument { name, is_list, is_local: may_differ, .. } in &self.0 {
            let (first, second) = (take(&mut zero), take(&mut theirs));
            let why = if first.len() != second.len() {
                let (first, second) = (first.len(), second.len());
                format!("{name} has {first} entries at rank 0, and {second} at rank {other}")
            } else {
                let mut pairs = first.iter().zip(second).enumerate();
                let found = pairs.find(|(_, (first, second))| first != second);
                let Some((index, (&first, &second))) = found else { continue };
                let place = if *is_list { format!("[{index}]") } else { String::new() };
                let (first, second) = (first as i64, second as i64);
                format!("{name}{place} is {first} at rank 0, and {second} at rank {other}")
            };
            is_local &= may_differ;
            first_why.get_or_insert(why);
        }
        // Numbers that differ without a difference come from words of another length.
        let is_local = is_local && first_why.is_some();
        let why =
            first_why.unwrap_or_else(|| format!("the arguments of ranks 0 and {other} differ"));
        Difference { why, is_local }
    }
}

/// Returns the values of the next argument.
fn take<'a>(words: &mut &'a [u64]) -> &'a [u64] {
    let Some((&length, rest)) = words.split_first() else { return &[] };
    let (values, rest) = rest.split_at(rest.len().min(length as usize));
    *words = rest;
    values
}

/// Returns a number of 32 bits for words.
pub(super) fn number_of(words: &[u64]) -> u32 {
    let number = words.iter().fold(1_u64, |number, &word| {
        (number.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    (number >> 32) as u32
}

/// Returns an error if the processes pass different arguments, whose numbers are in `numbers` by
/// rank. If they differ only in arguments that each process uses for itself, that is a finding.
/// Collective.
pub(super) fn compare(
    mpi: &mut Mpi,
    comm: handle::Comm,
    numbers: impl Iterator<Item = u32>,
    own: &Arguments,
) -> Outcome {
    // The first rank of each number. Every one is looked at, since the first difference may be a
    // local one.
    let mut seen = HashSet::new();
    let known: Vec<usize> = numbers
        .enumerate()
        .filter_map(|(rank, number)| seen.insert(number).then_some(rank))
        .collect();
    if known.len() < 2 {
        return Ok(());
    }
    let zero = tell(mpi, comm, own.words(), 0)?;
    for &other in &known[1..] {
        let theirs = tell(mpi, comm, own.words(), other as u32)?;
        let Difference { why, is_local } = own.difference(&zero, &theirs, other);
        let text = format!("the ranks differ in an argument that must be the same: {why}");
        if !is_local {
            return Err(refused(text));
        }
        nemesis_mpi_check::suspect(&nemesis_mpi_check::kinds::DIFFERENT, || why);
    }
    Ok(())
}

#[cold]
pub(super) fn refused(why: String) -> Box<Error> {
    Error::new(abi::MPI_ERR_NOT_SAME, why).advise("pass the same arguments at all ranks")
}

/// Sends the words of process `root` to all, which may have other numbers of words.
pub(super) fn tell(
    mpi: &mut Mpi,
    comm: handle::Comm,
    mut words: Vec<u64>,
    root: u32,
) -> Outcome<Vec<u64>> {
    let mut length = [words.len() as u64];
    bcast_words(mpi, comm, &mut length, root)?;
    words.resize(length[0] as usize, 0);
    bcast_words(mpi, comm, &mut words, root)?;
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(dims: &[i64], periods: &[i64], reorder: i64) -> Arguments {
        let named = Arguments::default().and("ndims", dims.len() as i64);
        let lists = named.and_list("dims", dims.iter().copied());
        lists.and_list("periods", periods.iter().copied()).and("reorder", reorder)
    }

    #[test]
    fn the_first_difference_is_named() {
        let own = grid(&[2, 1], &[0, 0], 0);
        let why = |other: Arguments| {
            assert_ne!(own.number(), other.number());
            own.difference(&own.words(), &other.words(), 3).why
        };
        assert_eq!(why(grid(&[1, 2], &[0, 0], 0)), "dims[0] is 2 at rank 0, and 1 at rank 3");
        assert_eq!(why(grid(&[2, 1], &[0, 1], 0)), "periods[1] is 0 at rank 0, and 1 at rank 3");
        assert_eq!(why(grid(&[2, 1], &[0, 0], 1)), "reorder is 0 at rank 0, and 1 at rank 3");
        assert_eq!(why(grid(&[2], &[0], 0)), "ndims is 2 at rank 0, and 1 at rank 3");
        assert_eq!(own.number(), grid(&[2, 1], &[0, 0], 0).number());
        let list = |values: &[i64]| Arguments::default().and_list("edges", values.iter().copied());
        assert_eq!(
            list(&[1]).difference(&list(&[1]).words(), &list(&[1, -2]).words(), 1).why,
            "edges has 1 entries at rank 0, and 2 at rank 1"
        );
    }

    #[test]
    fn a_difference_is_local_if_every_one_is() {
        let made = |size, length| {
            let size = Arguments::default().and("size", size);
            size.and_list("dims", [length]).local().and("reorder", length).local()
        };
        let is_local = |other: Arguments| {
            let own = made(4, 2);
            own.difference(&own.words(), &other.words(), 1).is_local
        };
        assert!(is_local(made(4, 1)));
        assert!(!is_local(made(2, 1)) && !is_local(made(2, 2)));
    }

    #[test]
    fn words_of_another_length_are_survived() {
        let own = grid(&[2, 1], &[0, 0], 0);
        let none = own.difference(&[], &[], 1);
        assert_eq!(none.why, "the arguments of ranks 0 and 1 differ");
        assert!(!none.is_local);
        assert!(own.difference(&[9, 9], &[1], 1).why.starts_with("ndims has 1 entries"));
    }
}
