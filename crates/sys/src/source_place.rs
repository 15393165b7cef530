//! The source line from which this thread has called a library.
//!
//! The standard library has a reader of debug information for its own reports of panics. It tells
//! what it has read only as a text, in which each frame of the stack has its address. From that
//! text comes the frame of a [`CallSite`]. If a later standard library writes it in another way,
//! the place is told as module and offset, as in a program without symbols.

use crate::calls::{CallSite, module_of};
use std::backtrace::Backtrace;
use std::path::Path;

/// A function, and its source file with the line, as far as the module has them.
type Named<'a> = (&'a str, Option<(&'a str, &'a str)>);

/// Returns where a call of this thread stands, in words: `exchange (halo.c:112), in libfft.so`, or
/// without debug information `exchange (libfft.so+0x1a2c)`. Reads the files of the program and its
/// libraries, so it belongs to the end of a process.
pub fn of(site: &CallSite) -> Option<String> {
    let (module, offset) = module_of(site.address)?;
    let stack = format!("{:#}", Backtrace::force_capture());
    let is_program = std::env::current_exe().is_ok_and(|program| program == module);
    let name = module.file_name().unwrap_or(module.as_os_str()).to_string_lossy();
    let here = std::env::current_dir().unwrap_or_default();
    Some(match frame(&stack, site.address + 1) {
        Some((function, Some((file, line)))) => {
            let file = Path::new(file).strip_prefix(here).unwrap_or(Path::new(file)).display();
            let within = if is_program { String::new() } else { format!(", in {name}") };
            format!("{function} ({file}:{line}){within}")
        }
        Some((function, None)) => format!("{function} ({name}+{offset:#x})"),
        None => format!("{name}+{offset:#x}"),
    })
}

/// Returns what the text of a stack says of the frame with a return address. Of functions that the
/// compiler has put into one another it is the innermost.
fn frame(stack: &str, address: usize) -> Option<Named<'_>> {
    let mut lines = stack.lines();
    let function = lines.find_map(|line| {
        let (_, frame) = line.split_once(": ")?;
        let (at, function) = frame.trim_start().strip_prefix("0x")?.split_once(" - ")?;
        (usize::from_str_radix(at, 16) == Ok(address)).then_some(function)
    })?;
    let place = lines.next().and_then(|line| line.trim_start().strip_prefix("at "));
    let place = place.and_then(|place| {
        // A file, a line, and mostly a column.
        let (before, last) = place.rsplit_once(':')?;
        let is_number = |word: &str| word.parse::<u32>().is_ok();
        match before.rsplit_once(':') {
            Some((file, line)) if is_number(line) => Some((file, line)),
            _ => is_number(last).then_some((before, last)),
        }
    });
    (function != "<unknown>").then_some((function, place))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STACK: &str = "   0:     0x7fdc857341db - <unknown>
   1:     0x7fdc8571af2c - MPI_Send
   2:     0x55746092a142 - inner
                               at /home/u/halo.c:2:64
   3:     0x55746092a142 - exchange
                               at /home/u/halo.c:3
   4:     0x55746092a14f - main
   5:                0x0 - <unknown>
";

    #[test]
    fn a_frame_is_found_by_its_address() {
        let inner = Some(("inner", Some(("/home/u/halo.c", "2"))));
        assert_eq!(frame(STACK, 0x5574_6092_a142), inner);
        assert_eq!(frame(STACK, 0x5574_6092_a14f), Some(("main", None)));
        assert_eq!(frame(STACK, 0x7fdc_8573_41db), None);
        assert_eq!(frame(STACK, 1), None);
        let without_column = STACK.replace(":2:64", ":2");
        assert_eq!(frame(&without_column, 0x5574_6092_a142), inner);
    }
}
