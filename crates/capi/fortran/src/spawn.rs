//! Commands and arguments of new processes: arrays of CHARACTER in Fortran (MPI 5.0 §11.8.2).

use crate::c;
use crate::kind::{COMM, INFO};
use crate::places::{Ignored, errcodes, is};
use crate::text::{Text, inner_text, trimmed};
use crate::types::{Fint, Handle, Handles, finish, give, handle};
use std::ffi::{c_char, c_int};
use std::ptr::null_mut;

/// Whether this process is the root, which alone reads the commands and their arguments.
unsafe fn is_root(root: c_int, comm: Handle) -> bool {
    let mut rank = 0;
    // SAFETY: the place is a local variable.
    unsafe { c::PMPI_Comm_rank(comm, &mut rank) == 0 && rank == root }
}

/// The arguments of a command, and the pointers to them that end with a null pointer.
struct Arguments {
    _texts: Vec<Text>,
    pointers: Vec<*mut c_char>,
}

impl Arguments {
    /// Reads strings of `length` characters until an empty one; the next begins `step` strings
    /// further on.
    unsafe fn new(first: *const c_char, length: usize, step: usize) -> Arguments {
        let mut texts = Vec::new();
        // SAFETY: the caller's array ends with an empty string.
        unsafe {
            let mut at = first;
            while !trimmed(at, length).is_empty() {
                texts.push(inner_text(at, length));
                at = at.add(step * length);
            }
        }
        let mut pointers: Vec<*mut c_char> = texts.iter().map(Text::place).collect();
        pointers.push(null_mut());
        Arguments { _texts: texts, pointers }
    }
}

pub unsafe extern "C" fn comm_spawn(
    command: *mut c_char,
    argv: *mut c_char,
    maxprocs: *const Fint,
    info: *const Fint,
    root: *const Fint,
    comm: *const Fint,
    intercomm: *mut Fint,
    array_of_errcodes: *mut Fint,
    ierror: *mut Fint,
    command_length: usize,
    argv_length: usize,
) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        let comm = handle::<COMM>(comm);
        let (mut program, mut arguments) = (None, None);
        if is_root(*root, comm) {
            program = Some(inner_text(command, command_length));
            if !is(argv, Ignored::Argv) {
                arguments = Some(Arguments::new(argv, argv_length, 1));
            }
        }
        let mut made = handle::<COMM>(intercomm);
        let code = c::PMPI_Comm_spawn(
            program.as_ref().map_or(null_mut(), Text::place),
            arguments.as_mut().map_or(null_mut(), |arguments| arguments.pointers.as_mut_ptr()),
            *maxprocs,
            handle::<INFO>(info),
            *root,
            comm,
            &mut made,
            errcodes(array_of_errcodes),
        );
        give(intercomm, made);
        finish(ierror, code);
    }
}

pub unsafe extern "C" fn comm_spawn_multiple(
    count: *const Fint,
    array_of_commands: *mut c_char,
    array_of_argv: *mut c_char,
    array_of_maxprocs: *mut Fint,
    array_of_info: *mut Fint,
    root: *const Fint,
    comm: *const Fint,
    intercomm: *mut Fint,
    array_of_errcodes: *mut Fint,
    ierror: *mut Fint,
    command_length: usize,
    argv_length: usize,
) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        let comm = handle::<COMM>(comm);
        let commands = if is_root(*root, comm) { (*count).max(0) as usize } else { 0 };
        let texts: Vec<Text> = (0..commands)
            .map(|index| inner_text(array_of_commands.add(index * command_length), command_length))
            .collect();
        let mut programs: Vec<*mut c_char> = texts.iter().map(Text::place).collect();
        let mut arguments = Vec::new();
        if !is(array_of_argv, Ignored::Argv) {
            // Argument `j` of command `i` is element (i, j).
            arguments.extend((0..commands).map(|index| {
                Arguments::new(array_of_argv.add(index * argv_length), argv_length, commands)
            }));
        }
        let mut lists: Vec<*mut *mut c_char> =
            arguments.iter_mut().map(|of_one| of_one.pointers.as_mut_ptr()).collect();
        let mut infos = Handles::new::<INFO>(array_of_info, commands as i64);
        let mut made = handle::<COMM>(intercomm);
        let code = c::PMPI_Comm_spawn_multiple(
            *count,
            programs.as_mut_ptr(),
            if lists.is_empty() { null_mut() } else { lists.as_mut_ptr() },
            array_of_maxprocs,
            infos.place(),
            *root,
            comm,
            &mut made,
            errcodes(array_of_errcodes),
        );
        give(intercomm, made);
        finish(ierror, code);
    }
}
