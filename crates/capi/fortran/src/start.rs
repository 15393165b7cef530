//! What happens when the library is loaded.

use crate::{abi, facts, places};

/// The function that the dynamic linker calls when it has loaded the library, and `libmpi_abi.so.1`
/// before it.
extern "C" fn loaded() {
    places::find();
    facts::learn();
    abi::loaded();
}

// Unit tests have no C library.
#[used]
// SAFETY: the section is a list of functions without results, which may take no arguments.
#[cfg_attr(not(test), unsafe(link_section = ".init_array"))]
static LOADED: extern "C" fn() = loaded;
