//! Datatype handles (MPI 5.0 chapter 5): the user's types, and what a handle in an argument means.

use crate::abi;
use crate::engine::Engine;
use crate::error::{Error, Outcome};
use crate::handle::{self, Table};
use nemesis_datatype::{Datatype, TypeError, TypeErrorKind};
use std::collections::BTreeMap;

/// The user's datatypes.
#[derive(Default)]
pub struct Types {
    table: Table<handle::Datatype, Named>,
    /// Predefined types that are made when they are asked for (F90 kinds, pairs): the same question gets the same handle.
    furnished: Vec<handle::Datatype>,
    /// Names that the program gave to types of the standard's table.
    renamed: BTreeMap<usize, String>,
}

impl Types {
    pub const fn new() -> Types {
        Types { table: Table::new(), furnished: Vec::new(), renamed: BTreeMap::new() }
    }
}

struct Named {
    datatype: Datatype,
    name: String,
}

impl Engine {
    /// The type that a handle names, committed or not.
    #[inline]
    pub fn datatype(&self, handle: handle::Datatype) -> Outcome<&Datatype> {
        if let Some(datatype) = Datatype::predefined(handle.0) {
            return Ok(datatype);
        }
        match self.types.table.get(handle) {
            Ok(named) => Ok(&named.datatype),
            Err(dead) => Err(Error::dead(abi::MPI_ERR_TYPE, dead)),
        }
    }

    /// The type of data in a message: committed.
    #[inline]
    pub fn committed(&self, handle: handle::Datatype) -> Outcome<&Datatype> {
        let datatype = self.datatype(handle)?;
        if !datatype.is_committed() {
            return Err(Error::new(abi::MPI_ERR_TYPE, "the datatype is not committed")
                .advise("call MPI_Type_commit after making it"));
        }
        Ok(datatype)
    }

    pub fn add_datatype(&mut self, datatype: Datatype) -> Outcome<handle::Datatype> {
        let named = Named { datatype, name: String::new() };
        self.types
            .table
            .insert(named)
            .ok_or_else(|| Error::new(abi::MPI_ERR_NO_MEM, "more than a million datatypes exist"))
    }

    /// A handle for any type: predefined ones have theirs, others get a new one that the user frees.
    pub fn name_datatype(&mut self, datatype: &Datatype) -> Outcome<handle::Datatype> {
        if let Some(predefined) = datatype.predefined_handle() {
            return Ok(handle::Datatype(predefined));
        }
        if !datatype.is_predefined() {
            return self.add_datatype(datatype.clone());
        }
        let known = self.types.furnished.iter().copied().find(|&known| {
            self.types.table.get(known).is_ok_and(|named| named.datatype == *datatype)
        });
        if let Some(known) = known {
            return Ok(known);
        }
        let made = self.add_datatype(datatype.clone())?;
        self.types.furnished.push(made);
        Ok(made)
    }

    /// The type that a handle names, if it may be freed.
    pub fn freeable_datatype(&self, handle: handle::Datatype) -> Outcome<&Datatype> {
        let datatype = self.datatype(handle)?;
        if datatype.is_predefined() {
            return Err(Error::new(abi::MPI_ERR_TYPE, "predefined datatypes cannot be freed"));
        }
        Ok(datatype)
    }

    /// `MPI_Type_free`: the handle ends; operations that use the type keep it.
    pub fn free_datatype(&mut self, handle: handle::Datatype) -> Outcome<Datatype> {
        self.freeable_datatype(handle)?;
        let named =
            self.types.table.remove(handle).map_err(|dead| Error::dead(abi::MPI_ERR_TYPE, dead))?;
        Ok(named.datatype)
    }

    /// The name that `MPI_Type_set_name` gave, or the predefined one.
    pub fn datatype_name(&self, handle: handle::Datatype) -> Outcome<&str> {
        let datatype = self.datatype(handle)?;
        if let Some(name) = self.types.renamed.get(&handle.0) {
            return Ok(name);
        }
        Ok(match self.types.table.get(handle) {
            Ok(named) => &named.name,
            Err(_) => datatype.predefined_name().unwrap_or(""),
        })
    }

    pub fn set_datatype_name(&mut self, handle: handle::Datatype, name: &str) -> Outcome {
        self.datatype(handle)?;
        match self.types.table.get_mut(handle) {
            Ok(named) => name.clone_into(&mut named.name),
            Err(_) => drop(self.types.renamed.insert(handle.0, name.to_owned())),
        }
        Ok(())
    }
}

/// A type constructor's complaint as an MPI error.
#[cold]
pub fn refused(error: TypeError) -> Box<Error> {
    let class = match error.kind {
        TypeErrorKind::Type => abi::MPI_ERR_TYPE,
        TypeErrorKind::Count => abi::MPI_ERR_COUNT,
        TypeErrorKind::Arg | TypeErrorKind::Overflow => abi::MPI_ERR_ARG,
        TypeErrorKind::NoMemory => abi::MPI_ERR_NO_MEM,
        TypeErrorKind::Truncate => abi::MPI_ERR_TRUNCATE,
        TypeErrorKind::Conversion => abi::MPI_ERR_CONVERSION,
    };
    Error::new(class, error.why)
}
