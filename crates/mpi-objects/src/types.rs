//! Datatype handles (MPI 5.0 chapter 5): the derived datatypes of the program, and the datatype
//! that a handle in an argument names.

use crate::abi;
use crate::error::{Error, Outcome};
use crate::handle::{self, Handle, Table};
use nemesis_datatype::{Datatype, TypeError, TypeErrorKind};
use std::collections::BTreeMap;

/// The datatypes that have handles of their own, beside those that the standard's table names.
pub struct Types {
    table: Table<handle::Datatype, Named>,
    /// Predefined datatypes that are created on request (F90 kinds, pairs). A further request for
    /// one of them returns its first handle.
    on_request: Vec<handle::Datatype>,
    /// Names that the program gave to datatypes of the standard's table.
    renamed: BTreeMap<usize, String>,
}

struct Named {
    datatype: Datatype,
    name: String,
}

impl Types {
    /// Creates an empty table.
    pub const fn new() -> Types {
        Types { table: Table::new(), on_request: Vec::new(), renamed: BTreeMap::new() }
    }

    /// Returns the datatype that a handle names, committed or not.
    #[inline]
    pub fn get(&self, handle: handle::Datatype) -> Outcome<&Datatype> {
        if let Some(datatype) = Datatype::predefined(handle.0) {
            return Ok(datatype);
        }
        match self.table.get(handle) {
            Ok(named) => Ok(&named.datatype),
            Err(dead) => Err(Error::dead(abi::MPI_ERR_TYPE, dead)),
        }
    }

    /// Returns the datatype that a handle names, which must be committed: the datatype of a
    /// message's data.
    #[inline]
    pub fn committed(&self, handle: handle::Datatype) -> Outcome<&Datatype> {
        let datatype = self.get(handle)?;
        if !datatype.is_committed() {
            return Err(Error::new(abi::MPI_ERR_TYPE, "the datatype is not committed")
                .advise("call MPI_Type_commit after making it"));
        }
        Ok(datatype)
    }

    /// Adds a datatype and returns its new handle.
    pub fn add(&mut self, datatype: Datatype) -> Outcome<handle::Datatype> {
        let named = Named { datatype, name: String::new() };
        let handle = self.table.insert(named).ok_or_else(|| {
            Error::new(abi::MPI_ERR_NO_MEM, "more than a million datatypes exist")
        })?;
        if nemesis_mpi_check::is_on() {
            nemesis_mpi_check::sites::note(handle.bits());
        }
        Ok(handle)
    }

    /// Stores a datatype of another table under its handle there.
    pub fn adopt(&mut self, handle: handle::Datatype, datatype: Datatype) {
        self.table.adopt(handle, Named { datatype, name: String::new() });
    }

    /// Removes a datatype that [`adopt`](Self::adopt) has stored.
    pub fn disown(&mut self, handle: handle::Datatype) {
        self.table.disown(handle);
    }

    /// Iterates over the datatypes that the program has to free, with their handles.
    pub fn made(&self) -> impl Iterator<Item = (handle::Datatype, &Datatype)> {
        self.table
            .named()
            .filter(|(handle, _)| !self.on_request.contains(handle))
            .map(|(handle, named)| (handle, &named.datatype))
    }

    /// Returns a handle for any datatype. A predefined datatype has one already; any other gets a
    /// new one, which the program frees.
    pub fn handle_of(&mut self, datatype: &Datatype) -> Outcome<handle::Datatype> {
        if let Some(predefined) = datatype.predefined_handle() {
            return Ok(handle::Datatype(predefined));
        }
        if !datatype.is_predefined() {
            return self.add(datatype.clone());
        }
        let known =
            self.on_request.iter().copied().find(|&known| {
                self.table.get(known).is_ok_and(|named| named.datatype == *datatype)
            });
        if let Some(known) = known {
            return Ok(known);
        }
        let created = self.add(datatype.clone())?;
        self.on_request.push(created);
        Ok(created)
    }

    /// Returns the datatype that a handle names, which must not be predefined.
    pub fn freeable(&self, handle: handle::Datatype) -> Outcome<&Datatype> {
        let datatype = self.get(handle)?;
        if datatype.is_predefined() {
            return Err(Error::new(abi::MPI_ERR_TYPE, "predefined datatypes cannot be freed"));
        }
        Ok(datatype)
    }

    /// Frees a handle (`MPI_Type_free`) and returns its datatype. Pending operations that use the
    /// datatype keep it.
    pub fn free(&mut self, handle: handle::Datatype) -> Outcome<Datatype> {
        self.freeable(handle)?;
        let named =
            self.table.remove(handle).map_err(|dead| Error::dead(abi::MPI_ERR_TYPE, dead))?;
        Ok(named.datatype)
    }

    /// Returns the name that `MPI_Type_set_name` gave, or else the predefined name.
    pub fn name(&self, handle: handle::Datatype) -> Outcome<&str> {
        let datatype = self.get(handle)?;
        if let Some(name) = self.renamed.get(&handle.0) {
            return Ok(name);
        }
        Ok(match self.table.get(handle) {
            Ok(named) => &named.name,
            Err(_) => datatype.predefined_name().unwrap_or(""),
        })
    }

    /// Names a datatype (`MPI_Type_set_name`).
    pub fn set_name(&mut self, handle: handle::Datatype, name: &str) -> Outcome {
        self.get(handle)?;
        match self.table.get_mut(handle) {
            Ok(named) => name.clone_into(&mut named.name),
            Err(_) => drop(self.renamed.insert(handle.0, name.to_owned())),
        }
        Ok(())
    }
}

/// Converts the error of a type constructor into an MPI error.
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
