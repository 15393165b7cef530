//! What an executable file or a shared library says about itself: the head and the dynamic section
//! of an ELF file. Nothing is loaded, so a file for another processor can be read, too.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// First bytes of a file that [`machine_of`] needs.
pub const HEAD_BYTES: usize = 20;

/// Bytes at most of the tables and strings that are read.
const TABLE_BYTES_MAX: u64 = 16 << 20;

/// What an ELF file says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Elf {
    /// The processor that the file is for, as `machine_name` names it.
    pub machine: String,
    /// Number of bits of an address: 32 or 64.
    pub bits: u32,
    /// The program that loads this one, if it needs one.
    pub interpreter: Option<String>,
    /// The names of the libraries that it needs.
    pub needed: Vec<String>,
    /// The name under which programs load this library.
    pub soname: Option<String>,
    /// Folders that are searched for libraries after `LD_LIBRARY_PATH` (DT_RUNPATH).
    pub runpath: Option<String>,
    /// Folders that are searched before it (DT_RPATH).
    pub rpath: Option<String>,
}

/// Program header types, and tags of the dynamic section.
const PT_LOAD: u64 = 1;
const PT_DYNAMIC: u64 = 2;
const PT_INTERP: u64 = 3;
const DT_NEEDED: u64 = 1;
const DT_STRTAB: u64 = 5;
const DT_STRSZ: u64 = 10;
const DT_SONAME: u64 = 14;
const DT_RPATH: u64 = 15;
const DT_RUNPATH: u64 = 29;

/// Returns the usual name of a processor, as `uname -m` prints it, from the ELF number.
pub fn machine_name(number: u64, little_endian: bool) -> String {
    let name = match (number, little_endian) {
        (3, _) => "i386",
        (8, _) => "mips",
        (20, _) => "ppc",
        (21, true) => "ppc64le",
        (21, false) => "ppc64",
        (22, _) => "s390x",
        (40, _) => "arm",
        (62, _) => "x86_64",
        (183, _) => "aarch64",
        (243, _) => "riscv64",
        (258, _) => "loongarch64",
        _ => return format!("processor number {number} of ELF"),
    };
    name.to_owned()
}

/// A segment of the file: type, offset, address in memory and bytes in the file.
struct Segment {
    kind: u64,
    offset: u64,
    address: u64,
    bytes: u64,
}

/// An open ELF file, and the notation of its numbers.
struct Reader {
    file: File,
    wide: bool,
    little: bool,
}

impl Reader {
    /// Reads `bytes` bytes at `offset`.
    fn piece(&self, offset: u64, bytes: u64) -> io::Result<Vec<u8>> {
        if bytes > TABLE_BYTES_MAX {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "a table is too long"));
        }
        let mut piece = vec![0; bytes as usize];
        self.file.read_exact_at(&mut piece, offset)?;
        Ok(piece)
    }

    /// Returns the number of `bytes` bytes at `at`; 0 beyond the end.
    fn number(&self, from: &[u8], at: usize, bytes: usize) -> u64 {
        let digits = from.get(at..at + bytes).unwrap_or_default();
        let append = |number: u64, digit: &u8| number << 8 | u64::from(*digit);
        match self.little {
            true => digits.iter().rev().fold(0, append),
            false => digits.iter().fold(0, append),
        }
    }

    /// Returns an address-sized number: the one at `narrow` or `wide`.
    fn word(&self, from: &[u8], narrow: usize, wide: usize) -> u64 {
        if self.wide { self.number(from, wide, 8) } else { self.number(from, narrow, 4) }
    }

    /// Reads the table of segments, given the first 64 bytes of the file.
    fn segments(&self, head: &[u8]) -> io::Result<Vec<Segment>> {
        let (entry_at, count_at) = if self.wide { (54, 56) } else { (42, 44) };
        let (each, count) = (self.number(head, entry_at, 2), self.number(head, count_at, 2));
        let table = self.piece(self.word(head, 28, 32), each * count)?;
        let segment = |entry: &[u8]| Segment {
            kind: self.number(entry, 0, 4),
            offset: self.word(entry, 4, 8),
            address: self.word(entry, 8, 16),
            bytes: self.word(entry, 16, 32),
        };
        Ok(table.chunks_exact((each as usize).max(1)).map(segment).collect())
    }

    /// Reads the names in the dynamic section.
    fn dynamic(&self, segments: &[Segment], elf: &mut Elf) -> io::Result<()> {
        let Some(section) = segments.iter().find(|segment| segment.kind == PT_DYNAMIC) else {
            return Ok(());
        };
        let table = self.piece(section.offset, section.bytes)?;
        let size = if self.wide { 16 } else { 8 };
        let entries: Vec<(u64, u64)> = table
            .chunks_exact(size)
            .map(|entry| (self.word(entry, 0, 0), self.word(entry, 4, 8)))
            .take_while(|entry| entry.0 != 0)
            .collect();
        let value = |tag| entries.iter().find(|entry| entry.0 == tag).map(|entry| entry.1);
        let (Some(address), Some(bytes)) = (value(DT_STRTAB), value(DT_STRSZ)) else {
            return Ok(());
        };
        let holds = |segment: &&Segment| {
            segment.kind == PT_LOAD
                && address >= segment.address
                && address - segment.address < segment.bytes
        };
        let Some(segment) = segments.iter().find(holds) else { return Ok(()) };
        let offset = segment.offset.saturating_add(address - segment.address);
        let strings = self.piece(offset, bytes)?;
        let text = |at: u64| {
            let rest = strings.get(at as usize..).unwrap_or_default();
            let end = rest.iter().position(|&byte| byte == 0).unwrap_or(rest.len());
            String::from_utf8_lossy(&rest[..end]).into_owned()
        };
        let needed = entries.iter().filter(|entry| entry.0 == DT_NEEDED);
        elf.needed = needed.map(|entry| text(entry.1)).collect();
        elf.soname = value(DT_SONAME).map(text);
        elf.runpath = value(DT_RUNPATH).map(text);
        elf.rpath = value(DT_RPATH).map(text);
        Ok(())
    }
}

/// Reads the head and the dynamic section of a file. Returns `None` if it is no ELF file.
pub fn read(path: &Path) -> io::Result<Option<Elf>> {
    let file = File::open(path)?;
    let mut head = [0; 64];
    let got = file.read_at(&mut head, 0)?;
    if got < 52 || head[..4] != *b"\x7fELF" {
        return Ok(None);
    }
    let reader = Reader { file, wide: head[4] == 2, little: head[5] != 2 };
    let mut elf = Elf {
        machine: machine_name(reader.number(&head, 18, 2), reader.little),
        bits: if reader.wide { 64 } else { 32 },
        ..Elf::default()
    };
    let segments = reader.segments(&head)?;
    if let Some(found) = segments.iter().find(|segment| segment.kind == PT_INTERP) {
        let name = reader.piece(found.offset, found.bytes)?;
        let name = name.strip_suffix(&[0]).unwrap_or(&name);
        elf.interpreter = Some(String::from_utf8_lossy(name).into_owned());
    }
    reader.dynamic(&segments, &mut elf)?;
    Ok(Some(elf))
}

/// Returns the processor and the bits that the file's first bytes name; `None` if it is no ELF
/// file. Needs less of the file than [`read`], and accepts files that are damaged behind the head.
pub fn machine_of(head: &[u8]) -> Option<(String, u32)> {
    let little = *head.get(5)? != 2;
    let number = [*head.get(18)?, *head.get(19)?];
    let number = if little { u16::from_le_bytes(number) } else { u16::from_be_bytes(number) };
    let bits = if head[4] == 2 { 64 } else { 32 };
    head.starts_with(b"\x7fELF").then(|| (machine_name(u64::from(number), little), bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_program_names_its_processor_and_libraries() {
        let elf = read(&std::env::current_exe().unwrap()).unwrap().unwrap();
        assert_eq!((elf.machine.as_str(), elf.bits), (std::env::consts::ARCH, usize::BITS));
        assert!(elf.needed.iter().any(|name| name.starts_with("libc.")), "{elf:?}");
        assert!(elf.interpreter.is_some_and(|path| Path::new(&path).exists()));
    }

    #[test]
    fn a_text_and_a_damaged_file_are_no_panic() {
        let path = std::env::temp_dir().join(format!("nemesis-test-elf-{}", std::process::id()));
        std::fs::write(&path, "#!/bin/sh\n").unwrap();
        assert_eq!(read(&path).unwrap(), None);
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let mut head = own[..4096].to_vec();
        // The table of segments is said to have 65535 entries.
        head[56..58].copy_from_slice(&[0xff, 0xff]);
        std::fs::write(&path, &head).unwrap();
        assert!(read(&path).is_err());
        head[18..20].copy_from_slice(&183_u16.to_le_bytes());
        assert_eq!(machine_of(&head), Some(("aarch64".into(), 64)));
        assert_eq!(machine_of(b"#!/bin/sh\nexec python3 x"), None);
        std::fs::remove_file(&path).unwrap();
    }
}
