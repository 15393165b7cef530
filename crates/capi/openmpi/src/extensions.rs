//! Functions that Open MPI has beside those of the standard.

use crate::prelude::*;
use nemesis_capi::c_functions;
use nemesis_mpi::{abi, engine, info};
use nemesis_sys::hardware::{self, Position};

binding! {
    MPI_Session_set_info PMPI_Session_set_info(
        session: RawHandle as session, info: RawHandle as info,
    )
    on Raise::Session(to::session(session)) =>
    {
        // No hint of a session can be changed, and others are ignored.
        engine::enter()?.session(to::session(session))?;
        info::read(to::info(info), |_| ())
    }
}

/// Bytes of each text of `OMPI_Affinity_str`, with its NUL.
const AFFINITY_STRING_MAX: usize = 1024;

/// The format of names: `OMPI_AFFINITY_RSRC_STRING_FMT`.
const NAMES: c_int = 0;
/// The format of a picture: `OMPI_AFFINITY_LAYOUT_FMT`.
const PICTURE: c_int = 1;

const NOT_BY_US: &str = "Open MPI did not bind this process";
const NOT_BOUND: &str = "Not bound (or bound to all available processors)";

c_functions! {
    /// Describes to which processors the launcher has bound the process, to which the calling
    /// thread is bound now, and which there are.
    ///
    fn OMPI_Affinity_str(
        fmt_type: c_int,
        ompi_bound: *mut c_char,
        current_binding: *mut c_char,
        exists: *mut c_char,
    ) -> c_int
    where
        ompi_bound: OutSlice::new(ompi_bound, AFFINITY_STRING_MAX as i64),
        current_binding: OutSlice::new(current_binding, AFFINITY_STRING_MAX as i64),
        exists: OutSlice::new(exists, AFFINITY_STRING_MAX as i64) =>
    {
        if fmt_type != NAMES && fmt_type != PICTURE {
            return from::code(abi::MPI_ERR_ARG.value());
        }
        let all = hardware::positions();
        let [by_launcher, now] = hardware::bound();
        let texts = [
            binding_text(fmt_type, &all, &by_launcher, NOT_BY_US),
            binding_text(fmt_type, &all, &now, NOT_BOUND),
            if fmt_type == NAMES { names_of_all(&all) } else { picture(&all, &[]) },
        ];
        for (place, text) in [ompi_bound, current_binding, exists].into_iter().zip(texts) {
            if StringOut::from(place).put("a text", &text, AFFINITY_STRING_MAX).is_err() {
                return from::code(abi::MPI_ERR_ARG.value());
            }
        }
        abi::MPI_SUCCESS
    }
}

/// Describes a binding; `unbound` if it leaves out no processor.
fn binding_text(format: c_int, all: &[Position], bound: &[u32], unbound: &str) -> String {
    if all.iter().all(|position| bound.contains(&position.processor)) {
        unbound.to_owned()
    } else if format == NAMES {
        names(all, bound)
    } else {
        picture(all, bound)
    }
}

/// The processors of a host by packages, and in these by cores.
fn by_package(all: &[Position]) -> impl Iterator<Item = Vec<&[Position]>> {
    all.chunk_by(|one, other| one.package == other.package)
        .map(|package| package.chunk_by(|one, other| one.core == other.core).collect())
}

/// Names sockets, cores and hardware threads: `socket 0[core 1[hwt 0-1]]`.
fn names(all: &[Position], bound: &[u32]) -> String {
    let (mut named, mut first_core) = (Vec::new(), 0);
    for (socket, cores) in by_package(all).enumerate() {
        for (core, threads) in (first_core..).zip(&cores) {
            let of_core: Vec<usize> = (0..threads.len())
                .filter(|&thread| bound.contains(&threads[thread].processor))
                .collect();
            let threads = match of_core[..] {
                [] => continue,
                [one] => one.to_string(),
                [first, .., last] if last - first + 1 == of_core.len() => format!("{first}-{last}"),
                _ => of_core.iter().map(usize::to_string).collect::<Vec<_>>().join(","),
            };
            named.push(format!("socket {socket}[core {core}[hwt {threads}]]"));
        }
        first_core += cores.len();
    }
    named.join(", ")
}

/// Names what there is: `socket 0 has 2 cores, each with 2 hwts`.
fn names_of_all(all: &[Position]) -> String {
    let several = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    let sockets = by_package(all).enumerate().map(|(socket, cores)| {
        let threads = cores.iter().map(|threads| threads.len()).max().unwrap_or(0);
        let (cores, threads) = (several(cores.len(), "core"), several(threads, "hwt"));
        format!("socket {socket} has {cores}, each with {threads}")
    });
    sockets.collect::<Vec<_>>().join("; ")
}

/// Draws sockets as brackets, cores between strokes, and a `B` for each hardware thread that is
/// bound: `[BB/..][../..]`.
fn picture(all: &[Position], bound: &[u32]) -> String {
    let mark = |position: &Position| if bound.contains(&position.processor) { 'B' } else { '.' };
    let drawn = by_package(all).map(|cores| {
        let cores = cores.iter().map(|threads| threads.iter().map(mark).collect::<String>());
        format!("[{}]", cores.collect::<Vec<_>>().join("/"))
    });
    drawn.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two sockets of two cores of two hardware threads.
    fn machine() -> Vec<Position> {
        let position = |number: u32| Position {
            processor: number,
            package: number / 4 * 4,
            core: number / 2 * 2,
        };
        (0..8).map(position).collect()
    }

    #[test]
    fn a_binding_is_named_and_drawn() {
        let all = machine();
        assert_eq!(
            binding_text(NAMES, &all, &[2, 3, 5], NOT_BOUND),
            "socket 0[core 1[hwt 0-1]], socket 1[core 2[hwt 1]]"
        );
        assert_eq!(binding_text(PICTURE, &all, &[2, 3, 5], NOT_BOUND), "[../BB][.B/..]");
        let every: Vec<u32> = (0..8).collect();
        assert_eq!(binding_text(PICTURE, &all, &every, NOT_BY_US), NOT_BY_US);
        let there = "socket 0 has 2 cores, each with 2 hwts";
        assert_eq!(names_of_all(&all), format!("{there}; {}", there.replace('0', "1")));
        assert_eq!(picture(&all, &[]), "[../..][../..]");
    }
}
