//! Exchanges by which all ranks learn of an error at one of them.
//!
//! A code of an error is valid in one process only. So the ranks exchange classes, and then the
//! text of the lowest rank that failed, from which every rank makes its own error.

use crate::coll::{self, Blocks};
use crate::engine::Mpi;
use crate::error::{Error, ErrorClass, Outcome};
use crate::{abi, handle};
use nemesis_datatype::Buffer;
use nemesis_sys::host::hostname;

/// Words that a rank tells the others beside its error.
pub const WORDS: usize = 4;
/// Longest text of an error, in bytes.
pub const TEXT_BYTES: usize = 512;

/// Returns the class of an outcome as a word: 0 for success.
pub fn class_word<T>(outcome: &Outcome<T>) -> u64 {
    outcome.as_ref().err().map_or(0, |error| error.class.value() as u64)
}

/// Returns the text of this rank's error as it travels, with advice on a second line. If the text
/// is too long, the end of the cause is cut. Advice longer than half of the text is cut, too.
pub fn text_of(rank: u32, error: &Error) -> [u8; TEXT_BYTES] {
    let head = format!("rank {rank} on {}: ", hostname());
    let advice = &error.advice[..error.advice.floor_char_boundary(TEXT_BYTES / 2)];
    let free_bytes = TEXT_BYTES.saturating_sub(head.len() + "\n".len() + advice.len());
    let why = &error.why[..error.why.floor_char_boundary(free_bytes)];
    let text = format!("{head}{why}\n{advice}");
    let end = text.floor_char_boundary(TEXT_BYTES);
    let mut bytes = [0; TEXT_BYTES];
    bytes[..end].copy_from_slice(&text.as_bytes()[..end]);
    bytes
}

/// Makes the error that another rank has described.
#[cold]
pub fn error_of(class: u64, text: &[u8]) -> Box<Error> {
    let text = String::from_utf8_lossy(text);
    let text = text.trim_end_matches('\0');
    let (why, advice) = text.split_once('\n').unwrap_or((text, ""));
    Error::new(ErrorClass(class as i32), why.to_owned()).advise(advice.to_owned())
}

/// Returns the words of all ranks, or the error of the lowest rank that failed. Collective.
pub fn agree(
    mpi: &mut Mpi,
    comm: handle::Comm,
    own: Outcome<[u64; WORDS]>,
) -> Outcome<Vec<[u64; WORDS]>> {
    let rank = mpi.comm(comm)?.rank;
    let class = class_word(&own);
    let words = own.as_ref().copied().unwrap_or([0; WORDS]);
    let all = gather(mpi, comm, [class, words[0], words[1], words[2], words[3]])?;
    let Some(failed) = all.iter().position(|words| words[0] != 0) else {
        return Ok(all.iter().map(|words| [words[1], words[2], words[3], words[4]]).collect());
    };
    if all.len() == 1 {
        return own.map(|words| vec![words]);
    }
    let text = tell(mpi, comm, rank, failed as u32, own.as_ref().err().map(|error| &**error))?;
    Err(error_of(all[failed][0], &text))
}

/// Returns the words of every rank.
fn gather<const N: usize>(
    mpi: &mut Mpi,
    comm: handle::Comm,
    own: [u64; N],
) -> Outcome<Vec<[u64; N]>> {
    let object = mpi.comm(comm)?;
    let (rank, size, each) = (object.rank as usize, object.size() as usize, N * 8);
    if size == 1 {
        return Ok(vec![own]);
    }
    let all = coll::scratch_bytes(size * each)?;
    coll::put_words(&all.part(rank * each, each), &own);
    let blocks = Blocks::Even { all: all.clone(), each };
    coll::run(mpi, comm, |steps| coll::allgather::allgather(steps, None, &blocks))?;
    Ok((0..size).map(|rank| coll::get_words(&all, rank * each)).collect())
}

/// Sends the text of one rank's error to all.
fn tell(
    mpi: &mut Mpi,
    comm: handle::Comm,
    rank: u32,
    failed: u32,
    error: Option<&Error>,
) -> Outcome<Vec<u8>> {
    let buffer: Buffer = coll::scratch_bytes(TEXT_BYTES)?;
    if let (true, Some(error)) = (rank == failed, error) {
        buffer.unpack_at(0, &text_of(rank, error));
    }
    coll::run(mpi, comm, |steps| coll::bcast::bcast(steps, &buffer, failed))?;
    Ok(buffer.as_bytes().unwrap_or_default().to_vec())
}

/// Returns the outcome that all ranks agree on. Collective.
pub fn agree_on(mpi: &mut Mpi, comm: handle::Comm, own: Outcome) -> Outcome {
    agree(mpi, comm, own.map(|()| [0; WORDS])).map(drop)
}

/// Returns an error that names two ranks with their values if the ranks give different values of an
/// argument: the first one that differs from rank 0, and rank 0. Collective. `value` picks what is
/// compared from a rank's words, and `own` describes this rank's value.
pub fn check_same<T: PartialEq>(
    mpi: &mut Mpi,
    comm: handle::Comm,
    all: &[[u64; WORDS]],
    value: impl Fn(&[u64; WORDS]) -> T,
    own: impl FnOnce() -> String,
) -> Outcome {
    let is_other = |rank: &usize| value(&all[*rank]) != value(&all[0]);
    let others: Vec<usize> = (0..all.len()).filter(is_other).collect();
    let Some(&first) = others.first() else { return Ok(()) };
    let rank = mpi.comm(comm)?.rank;
    let own = Error::new(abi::MPI_ERR_NOT_SAME, own());
    let first_text = tell(mpi, comm, rank, first as u32, Some(&own))?;
    let zero_text = tell(mpi, comm, rank, 0, Some(&own))?;
    let of = |text: &[u8]| error_of(0, text).why.into_owned();
    Err(differing(first, &of(&first_text), &of(&zero_text), (others.len(), all.len())))
}

/// Makes the error of ranks that give different values: the texts of rank `first` and of rank 0,
/// the number of ranks that differ from rank 0, and the number of all ranks.
#[cold]
fn differing(first: usize, one: &str, zero: &str, (others, all): (usize, usize)) -> Box<Error> {
    let rest = match all - others {
        _ if all == 2 => String::new(),
        _ if others == 1 => "; all others give what rank 0 gives".into(),
        1 => "; no other rank gives what rank 0 gives".into(),
        _ => format!("; {others} of {all} ranks do not give what rank 0 gives"),
    };
    Error::new(
        abi::MPI_ERR_NOT_SAME,
        format!("the ranks differ in an argument that must be the same: {one}; {zero}{rest}"),
    )
    .advise(format!("let rank {first} and rank 0 pass the same value"))
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn texts_of_any_length_and_letters_are_cut_and_not_broken(
            why in "[a-zä€\u{1F600}]{0,400}", advice in "[a-zä€\u{1F600}]{0,400}",
        ) {
            let error = Error::new(abi::MPI_ERR_IO, why.clone()).advise(advice.clone());
            let copy = error_of(class_word::<()>(&Err(error.clone())), &text_of(3, &error));
            proptest::prop_assert_eq!(copy.class, abi::MPI_ERR_IO);
            let cause = copy.why.split_once(": ").map_or("", |(_, cause)| cause);
            proptest::prop_assert!(why.starts_with(cause) && advice.starts_with(&*copy.advice));
            let is_short = why.len() < TEXT_BYTES / 4 && advice.len() < TEXT_BYTES / 4;
            proptest::prop_assert!(!is_short || (cause == why && *copy.advice == *advice));
        }
    }

    #[test]
    fn an_error_survives_the_way_to_another_rank() {
        let error = Error::new(abi::MPI_ERR_NO_SPACE, "writing failed").advise("free space");
        let told = error_of(abi::MPI_ERR_NO_SPACE.value() as u64, &text_of(3, &error));
        assert_eq!((told.class, &*told.advice), (abi::MPI_ERR_NO_SPACE, "free space"));
        assert!(told.why.starts_with("rank 3 on ") && told.why.ends_with(": writing failed"));
        let long = Error::new(abi::MPI_ERR_IO, "é".repeat(TEXT_BYTES));
        assert!(error_of(1, &text_of(0, &long)).why.len() <= TEXT_BYTES);
    }

    #[test]
    fn advice_survives_a_long_cause() {
        for bytes in TEXT_BYTES - 100..TEXT_BYTES + 2 {
            let error = Error::new(abi::MPI_ERR_IO, "é".repeat(bytes / 2)).advise("free space");
            let told = error_of(1, &text_of(0, &error));
            assert_eq!(told.advice, "free space");
            assert!(told.why.starts_with("rank 0 on ") && told.why.ends_with('é'), "{}", told.why);
            let error = Error::new(abi::MPI_ERR_IO, "why").advise("é".repeat(bytes));
            let told = error_of(1, &text_of(0, &error));
            assert!(told.why.ends_with(": why") && told.advice.len() == TEXT_BYTES / 2);
        }
    }

    #[test]
    fn ranks_that_differ_are_named() {
        let why = |others, all| {
            differing(2, "rank 2 on b: size 3", "rank 0 on a: size 4", (others, all)).why
        };
        assert!(why(1, 2).ends_with("the same: rank 2 on b: size 3; rank 0 on a: size 4"));
        assert!(why(1, 5).ends_with("; all others give what rank 0 gives"));
        assert!(why(4, 5).ends_with("; no other rank gives what rank 0 gives"));
        assert!(why(2, 5).ends_with("; 2 of 5 ranks do not give what rank 0 gives"));
    }
}
