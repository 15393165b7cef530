//! Which variable memory belongs to: static ones by the symbols of a program or library, those on
//! the stack by its debug information.

use gimli::{AttributeValue, DwTag, EndianSlice, Operation, RunTimeEndian, UnitOffset};
use object::{Object, ObjectSection, ObjectSymbol, ReadCache, ReadRef, SymbolKind};
use std::path::Path;

type Reader<'a> = EndianSlice<'a, RunTimeEndian>;
type Unit<'u, 'a> = gimli::UnitRef<'u, Reader<'a>>;
type Entry<'e, 'a> = gimli::DebuggingInformationEntry<'e, 'e, Reader<'a>>;

/// Levels of nested scopes and types that are followed.
const DEPTH_MAX: u32 = 64;

/// Where memory begins whose variable is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// At a distance from the start of the module's memory.
    Module(u64),
    /// On the stack.
    Frame {
        /// The distance of an instruction of the frame's function from the start of the module's
        /// memory.
        instruction: u64,
        /// The distance of the memory from the frame's end (the canonical frame address).
        below_end: u64,
        /// The bytes from the stack pointer to the frame's end.
        size: u64,
    },
}

/// A variable in whose memory an address lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name in the source.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// The distance of the address from its first byte.
    pub from_start: u64,
}

impl Variable {
    /// Returns the bytes from the address to the variable's end.
    pub fn room(&self) -> u64 {
        self.bytes - self.from_start
    }

    /// Returns the variable in words, as the place where memory begins.
    pub fn in_words(&self) -> String {
        let Variable { name, bytes, from_start } = self;
        match from_start {
            0 => format!("`{name}`, which has {bytes} bytes"),
            from => format!("byte {from} of `{name}`, which has {bytes} bytes"),
        }
    }
}

/// Returns the variables of a module in which the places lie, as far as the file of this host
/// tells them.
pub fn variables_of(module: &str, places: &[Memory]) -> Vec<Option<Variable>> {
    read(Path::new(module), places).unwrap_or_else(|| vec![None; places.len()])
}

fn read(module: &Path, places: &[Memory]) -> Option<Vec<Option<Variable>>> {
    // Reads the headers, and of the sections those that are asked for.
    let bytes = ReadCache::new(std::fs::File::open(module).ok()?);
    let file = object::File::parse(&bytes).ok()?;
    let base = crate::base_of(&file);
    let is_local = |place: &Memory| matches!(place, Memory::Frame { .. });
    let debug = if places.iter().any(is_local) { Debug::of(&file) } else { None };
    let variable = |place: &Memory| match *place {
        Memory::Module(offset) => symbol_at(&file, offset + base),
        Memory::Frame { instruction, below_end, size } => {
            debug.as_ref()?.local(instruction + base, -i64::try_from(below_end).ok()?, size)
        }
    };
    Some(places.iter().map(variable).collect())
}

/// Returns the static variable that contains an address of a file; of several, which have one
/// address, the longest.
fn symbol_at<'a>(file: &object::File<'a, impl ReadRef<'a>>, address: u64) -> Option<Variable> {
    let symbols = file.symbols().chain(file.dynamic_symbols());
    let containing = symbols.filter(|symbol| {
        let from_start = address.checked_sub(symbol.address());
        symbol.kind() == SymbolKind::Data && from_start.is_some_and(|from| from < symbol.size())
    });
    let symbol = containing.max_by_key(|symbol| symbol.address() + symbol.size())?;
    let name = addr2line::demangle_auto(symbol.name().ok()?.into(), None);
    Some(Variable {
        // The compiler numbers static variables of functions.
        name: name.split('.').next().unwrap_or(&name).to_owned(),
        bytes: symbol.size(),
        from_start: address - symbol.address(),
    })
}

/// The debug information of a file.
struct Debug<'a> {
    context: addr2line::Context<Reader<'a>>,
}

/// What is asked of a frame, and the function of which it is.
#[derive(Clone, Copy)]
struct Frame {
    instruction: u64,
    /// The address from the frame's end.
    address: i64,
    size: u64,
    /// What the places of variables count from, as a distance from the frame's end. `None` outside
    /// the function.
    base: Option<i64>,
}

impl<'a> Debug<'a> {
    fn of(file: &object::File<'a, impl ReadRef<'a>>) -> Option<Debug<'a>> {
        let endian = match object::Object::endianness(file) {
            object::Endianness::Little => RunTimeEndian::Little,
            object::Endianness::Big => RunTimeEndian::Big,
        };
        let section = |id: gimli::SectionId| {
            let section = file.section_by_name(id.name());
            let data = section.and_then(|section| section.data().ok()).unwrap_or_default();
            Ok::<_, gimli::Error>(EndianSlice::new(data, endian))
        };
        let dwarf = gimli::Dwarf::load(section).ok()?;
        Some(Debug { context: addr2line::Context::from_dwarf(dwarf).ok()? })
    }

    /// Returns the variable in scope at an instruction in which an address lies, which counts from
    /// the end of the frame.
    fn local(&self, instruction: u64, address: i64, size: u64) -> Option<Variable> {
        let unit = self.context.find_dwarf_and_unit(instruction).skip_all_loads()?;
        let mut tree = unit.entries_tree(None).ok()?;
        let mut found = None;
        let frame = Frame { instruction, address, size, base: None };
        search(unit, tree.root().ok()?, frame, DEPTH_MAX, &mut found);
        found
    }
}

/// Searches a scope, and those in it that contain the instruction, for the variable.
fn search<'a>(
    unit: Unit<'_, 'a>,
    scope: gimli::EntriesTreeNode<'_, '_, '_, Reader<'a>>,
    frame: Frame,
    depth: u32,
    found: &mut Option<Variable>,
) {
    let mut children = scope.children();
    while let Ok(Some(child)) = children.next() {
        let entry = child.entry();
        let mut within = frame;
        match entry.tag() {
            gimli::DW_TAG_subprogram => {
                let is_inside = contains(unit, entry, frame.instruction) == Some(true);
                within.base = if is_inside { frame_base(unit, entry, frame.size) } else { None };
            }
            gimli::DW_TAG_lexical_block | gimli::DW_TAG_inlined_subroutine => {
                if frame.base.is_none() || contains(unit, entry, frame.instruction) == Some(false) {
                    continue;
                }
            }
            gimli::DW_TAG_variable | gimli::DW_TAG_formal_parameter => {
                let variable = frame.base.and_then(|base| local(unit, entry, frame, base));
                let room = |variable: &Option<Variable>| variable.as_ref().map(Variable::room);
                if room(&variable) > room(found) {
                    *found = variable;
                }
                continue;
            }
            gimli::DW_TAG_namespace
            | gimli::DW_TAG_module
            | gimli::DW_TAG_class_type
            | gimli::DW_TAG_structure_type => within.base = None,
            _ => continue,
        }
        if depth > 0 {
            search(unit, child, within, depth - 1, found);
        }
    }
}

/// Returns whether an entry's instructions include one; `None` if it has none.
fn contains<'a>(unit: Unit<'_, 'a>, entry: &Entry<'_, 'a>, instruction: u64) -> Option<bool> {
    let mut ranges = unit.die_ranges(entry).ok()?;
    let mut is_empty = true;
    while let Ok(Some(range)) = ranges.next() {
        if (range.begin..range.end).contains(&instruction) {
            return Some(true);
        }
        is_empty = false;
    }
    (!is_empty).then_some(false)
}

/// Returns what the places of a function's variables count from, as a distance from the end of its
/// frame, which has `size` bytes.
fn frame_base<'a>(unit: Unit<'_, 'a>, function: &Entry<'_, 'a>, size: u64) -> Option<i64> {
    // The registers of x86-64 and aarch64 in debug information. The frame pointer of x86-64 is
    // stored below the return address.
    const RBP: gimli::Register = gimli::Register(6);
    const RSP: gimli::Register = gimli::Register(7);
    const SP: gimli::Register = gimli::Register(31);
    let base = expression(function.attr_value(gimli::DW_AT_frame_base).ok()??)?;
    let mut operations = base.operations(unit.encoding());
    let offset = match operations.next().ok()?? {
        Operation::CallFrameCFA => 0,
        Operation::Register { register: RBP } if cfg!(target_arch = "x86_64") => -16,
        Operation::Register { register: RSP } if cfg!(target_arch = "x86_64") => -(size as i64),
        Operation::Register { register: SP } if cfg!(target_arch = "aarch64") => -(size as i64),
        _ => return None,
    };
    operations.next().ok()?.is_none().then_some(offset)
}

fn expression<'a>(value: AttributeValue<Reader<'a>>) -> Option<gimli::Expression<Reader<'a>>> {
    match value {
        AttributeValue::Exprloc(expression) => Some(expression),
        _ => None,
    }
}

/// Returns the variable of an entry, if the address of the frame lies in it.
fn local<'a>(
    unit: Unit<'_, 'a>,
    entry: &Entry<'_, 'a>,
    frame: Frame,
    base: i64,
) -> Option<Variable> {
    let place = expression(entry.attr_value(gimli::DW_AT_location).ok()??)?;
    let mut operations = place.operations(unit.encoding());
    let Operation::FrameOffset { offset } = operations.next().ok()?? else { return None };
    if operations.next().ok()?.is_some() {
        return None;
    }
    let from_start = u64::try_from(frame.address.checked_sub(base.checked_add(offset)?)?).ok()?;
    let origin = attribute_of(unit, entry, gimli::DW_AT_type)?;
    let AttributeValue::UnitRef(of_type) = origin else { return None };
    let bytes = bytes_of(unit, of_type, DEPTH_MAX)?;
    let name = attribute_of(unit, entry, gimli::DW_AT_name)?;
    let name = unit.attr_string(name).ok()?.to_string_lossy().into_owned();
    (from_start < bytes).then_some(Variable { name, bytes, from_start })
}

/// Returns an attribute of an entry, or of the one whose copy in another function it is.
fn attribute_of<'a>(
    unit: Unit<'_, 'a>,
    entry: &Entry<'_, 'a>,
    name: gimli::DwAt,
) -> Option<AttributeValue<Reader<'a>>> {
    if let Some(value) = entry.attr_value(name).ok()? {
        return Some(value);
    }
    match entry.attr_value(gimli::DW_AT_abstract_origin).ok()?? {
        AttributeValue::UnitRef(origin) => unit.entry(origin).ok()?.attr_value(name).ok()?,
        _ => None,
    }
}

/// Returns the length of a type.
fn bytes_of(unit: Unit<'_, '_>, at: UnitOffset, depth: u32) -> Option<u64> {
    const SAME_LENGTH: [DwTag; 5] = [
        gimli::DW_TAG_typedef,
        gimli::DW_TAG_const_type,
        gimli::DW_TAG_volatile_type,
        gimli::DW_TAG_atomic_type,
        gimli::DW_TAG_restrict_type,
    ];
    let entry = unit.entry(at).ok()?;
    if let Some(bytes) = entry.attr_value(gimli::DW_AT_byte_size).ok()? {
        return bytes.udata_value();
    }
    let inner = match entry.attr_value(gimli::DW_AT_type).ok()?? {
        AttributeValue::UnitRef(inner) if depth > 0 => bytes_of(unit, inner, depth - 1)?,
        _ => return None,
    };
    match entry.tag() {
        gimli::DW_TAG_array_type => inner.checked_mul(elements_of(unit, at)?),
        tag if SAME_LENGTH.contains(&tag) => Some(inner),
        _ => None,
    }
}

/// Returns the number of elements of an array type whose bounds are constants.
fn elements_of(unit: Unit<'_, '_>, at: UnitOffset) -> Option<u64> {
    let mut tree = unit.entries_tree(Some(at)).ok()?;
    let mut bounds = tree.root().ok()?.children();
    let mut elements = 1_u64;
    let mut is_empty = true;
    while let Some(child) = bounds.next().ok()? {
        let bound = child.entry();
        if bound.tag() != gimli::DW_TAG_subrange_type {
            continue;
        }
        let number = |name| -> Option<Option<i64>> {
            // A bound that is no constant is an expression, or another variable.
            let value = bound.attr_value(name).ok()?;
            value.map_or(Some(None), |value| Some(Some(value.sdata_value()?)))
        };
        let count = match (number(gimli::DW_AT_count)?, number(gimli::DW_AT_upper_bound)?) {
            (Some(count), _) => count,
            (None, Some(upper)) => {
                let lower = number(gimli::DW_AT_lower_bound)?.unwrap_or_else(|| first_index(unit));
                upper.checked_sub(lower)?.checked_add(1)?
            }
            (None, None) => return None,
        };
        elements = elements.checked_mul(u64::try_from(count).ok()?)?;
        is_empty = false;
    }
    (!is_empty).then_some(elements)
}

/// Returns the index of an array's first element in the language of a unit.
fn first_index(unit: Unit<'_, '_>) -> i64 {
    let mut entries = unit.entries();
    let _ = entries.next_dfs();
    let language =
        entries.current().and_then(|root| root.attr_value(gimli::DW_AT_language).ok()?);
    let is_fortran = matches!(
        language,
        Some(AttributeValue::Language(
            gimli::DW_LANG_Fortran77
                | gimli::DW_LANG_Fortran90
                | gimli::DW_LANG_Fortran95
                | gimli::DW_LANG_Fortran03
                | gimli::DW_LANG_Fortran08
                | gimli::DW_LANG_Fortran18
        ))
    );
    i64::from(is_fortran)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_sys::calls;

    static NUMBERS: [u64; 10] = [7; 10];

    fn own(places: &[Memory]) -> Vec<Option<Variable>> {
        let program = std::env::current_exe().unwrap();
        variables_of(&program.to_string_lossy(), places)
    }

    #[test]
    fn a_static_variable_is_known_by_its_symbol() {
        let address = std::hint::black_box(&NUMBERS[3]) as *const u64 as usize;
        let (_, offset) = calls::module_of(address).expect("it is in this program");
        let [Some(found), None] = &own(&[Memory::Module(offset as u64), Memory::Module(1)])[..]
        else {
            panic!("one of two places is a variable's")
        };
        assert!(found.name.contains("NUMBERS"), "{found:?}");
        assert_eq!((found.bytes, found.from_start, found.room()), (80, 24, 56));
        assert!(found.in_words().starts_with("byte 24 of `"), "{}", found.in_words());
    }

    #[test]
    fn without_debug_information_local_variables_are_unknown() {
        let local = std::hint::black_box([1_u32; 9]);
        let address = std::hint::black_box(&local[2]) as *const u32 as usize;
        let frame = calls::frame_with(address).expect("it is on the stack");
        let (_, instruction) = calls::module_of(frame.instruction).expect("it is a function's");
        let place = Memory::Frame {
            instruction: instruction as u64,
            below_end: (frame.end - address) as u64,
            size: (frame.end - frame.stack_pointer) as u64,
        };
        assert_eq!(own(&[place]), [None], "this program has line tables only");
    }

    #[test]
    fn a_file_that_is_missing_has_no_variables() {
        assert_eq!(variables_of("/nowhere", &[Memory::Module(1)]), [None]);
    }
}
