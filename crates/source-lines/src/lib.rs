//! Addresses in processes, programs and libraries as functions and source lines.
//!
//! A process tells the address of a call as a number. Which file is mapped there, the kernel says
//! while the process lives ([`Site::in_process`]); function and line come from that file, at any
//! time and on any host that has it ([`SourceLines`]); and so does the variable to which memory
//! belongs ([`variables`]).

pub mod variables;

use addr2line::Loader;
use object::{Object, ObjectKind, ObjectSegment, ReadCache};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::Path;

/// A place in the memory of a process, by the file that is mapped there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Site {
    /// The path of the program or library.
    pub module: String,
    /// Distance from the start of the module's memory.
    pub offset: u64,
    /// Whether the module is the program itself.
    pub is_program: bool,
}

impl Site {
    /// Returns which file has been mapped at `address` of a process of this host. `None` if none
    /// is, if the process has ended or belongs to another user.
    pub fn in_process(process: u32, address: u64) -> Option<Site> {
        let maps = std::fs::read_to_string(format!("/proc/{process}/maps")).ok()?;
        let (module, offset) = mapped_at(&maps, address)?;
        let program = std::fs::read_link(format!("/proc/{process}/exe"));
        let is_program = program.is_ok_and(|program| program == Path::new(module));
        let module = module.strip_suffix(" (deleted)").unwrap_or(module).to_owned();
        Some(Site { module, offset, is_program })
    }
}

/// Returns the file that contains an address by the text of `/proc/PID/maps`, and the distance from
/// where the file's memory begins.
fn mapped_at(maps: &str, address: u64) -> Option<(&str, u64)> {
    // The last mapping of the beginning of a file: a library may be loaded twice.
    let mut begin: Option<(&str, u64)> = None;
    for line in maps.lines() {
        // Columns: addresses, rights, offset, device, inode, path. The path may contain spaces.
        let mut columns = line.splitn(5, ' ');
        let (start, end) = columns.next()?.split_once('-')?;
        let number = |word: &str| u64::from_str_radix(word, 16).ok();
        let (start, end, offset) = (number(start)?, number(end)?, number(columns.nth(1)?)?);
        let path = line.find('/').map(|at| &line[at..]);
        match path {
            Some(path) if offset == 0 && begin.is_none_or(|(known, _)| known != path) => {
                begin = Some((path, start));
            }
            _ => {}
        }
        if (start..end).contains(&address) {
            let (path, start) = begin.filter(|(known, _)| Some(*known) == path)?;
            return Some((path, address - start));
        }
    }
    None
}

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

impl Place {
    /// Returns the place in words: `exchange (halo.c:112), in libfft.so`; without debug information
    /// `exchange (libfft.so+0x1a2c)`. Source files in `folder` are named without it.
    pub fn in_words(&self, site: &Site, folder: &Path) -> String {
        let module = Path::new(&site.module);
        let module = module.file_name().unwrap_or(module.as_os_str()).to_string_lossy();
        match self {
            Place { function: Some(function), file: Some(file), line } => {
                let file = Path::new(file).strip_prefix(folder).unwrap_or(Path::new(file));
                let within = if site.is_program { String::new() } else { format!(", in {module}") };
                format!("{function} ({}:{line}){within}", file.display())
            }
            Place { function: Some(function), .. } => {
                format!("{function} ({module}+{:#x})", site.offset)
            }
            _ => format!("{module}+{:#x}", site.offset),
        }
    }
}

/// The files of programs and libraries that have been read, and the places that have been told.
#[derive(Default)]
pub struct SourceLines {
    modules: HashMap<String, Option<Module>>,
    told: HashMap<Site, String>,
}

struct Module {
    loader: Loader,
    /// What the addresses of the file exceed the distances from the start of its memory by.
    base: u64,
}

impl SourceLines {
    /// Returns the place of a site in words, as [`Place::in_words`] does. Files in the present
    /// folder are named without it.
    pub fn in_words(&mut self, site: &Site) -> String {
        if let Some(told) = self.told.get(site) {
            return told.clone();
        }
        let here = std::env::current_dir().unwrap_or_default();
        let told = self.place(&site.module, site.offset).in_words(site, &here);
        self.told.insert(site.clone(), told.clone());
        told
    }

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
    // Only the headers are read here; a program with debug information may have gigabytes.
    let bytes = ReadCache::new(std::fs::File::open(module).ok()?);
    let file = object::File::parse(&bytes).ok()?;
    let base = base_of(&file);
    Some(Module { loader: Loader::new(Path::new(module)).ok()?, base })
}

/// Returns what the addresses of a file exceed the distances from the start of its memory by.
fn base_of<'a>(file: &impl Object<'a>) -> u64 {
    let first = file.segments().map(|segment| segment.address()).min().unwrap_or(0);
    // The memory of a program that is linked to fixed addresses starts at the first of them.
    if file.kind() == ObjectKind::Executable { first } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_in_the_file_that_is_mapped_there() {
        let maps = "\
55d0a000-55d0b000 r--p 00000000 fe:00 12                         /home/u/a program
55d0b000-55d0c000 r-xp 00001000 fe:00 12                         /home/u/a program
55d0c000-55d0d000 rw-p 00000000 00:00 0                          [heap]
7f000000-7f001000 r--p 00000000 fe:00 13                         /lib/libfft.so
7f001000-7f002000 r-xp 00001000 fe:00 13                         /lib/libfft.so
7f002000-7f003000 rw-p 00000000 00:00 0
7f100000-7f101000 r-xp 00002000 fe:00 14                         /lib/other.so
";
        assert_eq!(mapped_at(maps, 0x55d0_b010), Some(("/home/u/a program", 0x1010)));
        assert_eq!(mapped_at(maps, 0x7f00_1fff), Some(("/lib/libfft.so", 0x1fff)));
        assert_eq!(mapped_at(maps, 0x7f00_2000), None, "memory without a file");
        assert_eq!(mapped_at(maps, 0x7f10_0000), None, "its beginning is not mapped");
        assert_eq!(mapped_at(maps, 0x1000), None);
    }

    #[test]
    fn the_kernel_and_the_loader_agree() {
        let address = read as *const () as usize;
        let (file, offset) =
            nemesis_sys::calls::module_of(address).expect("this test is in a file");
        let site = Site::in_process(std::process::id(), address as u64).expect("it runs");
        assert_eq!((Path::new(&site.module), site.offset), (&*file, offset as u64));
        assert!(site.is_program);
        assert_eq!(Site::in_process(u32::MAX, address as u64), None);
    }

    #[test]
    fn words_name_what_is_known() {
        let mut site = Site { module: "/lib/libfft.so".into(), offset: 0x1a, is_program: false };
        let folder = Path::new("/home/u");
        let mut place = Place::default();
        assert_eq!(place.in_words(&site, folder), "libfft.so+0x1a");
        place.function = Some("exchange".into());
        assert_eq!(place.in_words(&site, folder), "exchange (libfft.so+0x1a)");
        (place.file, place.line) = (Some("/home/u/halo.c".into()), 112);
        assert_eq!(place.in_words(&site, folder), "exchange (halo.c:112), in libfft.so");
        site.is_program = true;
        assert_eq!(place.in_words(&site, Path::new("/x")), "exchange (/home/u/halo.c:112)");
    }

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
            assert!(file.ends_with("lib.rs") && place.line > 0, "{file}:{}", place.line);
        }
    }
}
