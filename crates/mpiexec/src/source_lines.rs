//! Addresses in programs and libraries as functions and source lines.

use addr2line::Loader;
use object::{Object, ObjectKind, ObjectSegment};
use std::collections::HashMap;
use std::path::Path;

/// A place in a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The function, if the file names it.
    pub function: Option<String>,
    /// The source file, if the program has debug information.
    pub file: Option<String>,
    /// The line, or 0.
    pub line: u32,
}

/// The files of programs and libraries that have been read.
#[derive(Default)]
pub struct SourceLines {
    modules: HashMap<String, Option<Module>>,
}

struct Module {
    loader: Loader,
    /// What the addresses of the file exceed the distances from the start of its memory by.
    base: u64,
}

impl SourceLines {
    /// Returns the place at `offset` bytes from the start of the memory of `module`, as far as the
    /// file of this host tells it.
    pub fn place(&mut self, module: &str, offset: u64) -> Place {
        let known = self.modules.entry(module.to_owned());
        let Some(Module { loader, base }) = known.or_insert_with(|| read(module)) else {
            return Place::default();
        };
        let address = offset + *base;
        let mut place = Place::default();
        if let Ok(mut frames) = loader.find_frames(address)
            && let Ok(Some(frame)) = frames.next()
        {
            place.function =
                frame.function.and_then(|name| name.demangle().ok().map(|name| name.into_owned()));
            let location = frame.location;
            place.line = location.as_ref().and_then(|location| location.line).unwrap_or(0);
            place.file = location.and_then(|location| location.file.map(str::to_owned));
        }
        if place.function.is_none() {
            place.function = loader.find_symbol(address).map(str::to_owned);
        }
        place
    }
}

fn read(module: &str) -> Option<Module> {
    let bytes = std::fs::read(module).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    let first = file.segments().map(|segment| segment.address()).min().unwrap_or(0);
    // The memory of a program that is linked to fixed addresses starts at the first of them.
    let base = if file.kind() == ObjectKind::Executable { first } else { 0 };
    Some(Module { loader: Loader::new(Path::new(module)).ok()?, base })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_program_has_functions_and_lines() {
        let site = nemesis_sys::calls::module_of(read as *const () as usize + 1);
        let (file, offset) = site.expect("this test is in a file");
        let mut lines = SourceLines::default();
        let place = lines.place(&file.to_string_lossy(), offset as u64);
        let function = place.function.expect("the symbol table has it");
        assert!(function.contains("read"), "{function}");
        assert_eq!(lines.place("/nowhere", 1), Place::default());
        if let Some(file) = place.file {
            assert!(file.ends_with("source_lines.rs") && place.line > 0, "{file}:{}", place.line);
        }
    }
}
