//! Datatype handles (MPI 5.0 chapter 5): the user's types, and what a handle in an argument means.

use crate::abi;
use crate::engine::Engine;
use crate::error::{Error, Outcome};
use crate::handle::{self, Handle, Table};
use nemesis_datatype::{Datatype, TypeError, TypeErrorKind};

/// The user's datatypes.
pub struct Types {
    table: Table<handle::Datatype, Named>,
}

impl Types {
    pub const fn new() -> Types {
        Types { table: Table::new() }
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

    /// The type of data in a message: committed and supported.
    #[inline]
    pub fn committed(&self, handle: handle::Datatype) -> Outcome<&Datatype> {
        let datatype = self.datatype(handle)?;
        if !datatype.is_committed() {
            return Err(Error::new(abi::MPI_ERR_TYPE, "the datatype is not committed").advise("call MPI_Type_commit after making it"));
        }
        if !datatype.is_supported() {
            return Err(Error::new(abi::MPI_ERR_TYPE, "the optional datatype is not supported on this platform").advise("ask MPI_Type_size, which says MPI_UNDEFINED"));
        }
        Ok(datatype)
    }

    pub fn add_datatype(&mut self, datatype: Datatype) -> Outcome<handle::Datatype> {
        let named = Named { datatype, name: String::new() };
        self.types.table.insert(named).ok_or_else(|| Error::new(abi::MPI_ERR_NO_MEM, "more than a million datatypes exist"))
    }

    /// `MPI_Type_free`: the handle ends; operations that use the type keep it.
    pub fn free_datatype(&mut self, handle: handle::Datatype) -> Outcome<Datatype> {
        if handle.is_predefined() && !handle.is_null() {
            return Err(Error::new(abi::MPI_ERR_TYPE, "predefined datatypes cannot be freed"));
        }
        let named = self.types.table.remove(handle).map_err(|dead| Error::dead(abi::MPI_ERR_TYPE, dead))?;
        Ok(named.datatype)
    }

    /// The name that `MPI_Type_set_name` gave, or the predefined one.
    pub fn datatype_name(&self, handle: handle::Datatype) -> Outcome<&str> {
        if let Ok(named) = self.types.table.get(handle)
            && !named.name.is_empty()
        {
            return Ok(&named.name);
        }
        Ok(self.datatype(handle)?.predefined_name().unwrap_or(""))
    }

    pub fn set_datatype_name(&mut self, handle: handle::Datatype, name: &str) -> Outcome {
        let named = self.types.table.get_mut(handle).map_err(|dead| Error::dead(abi::MPI_ERR_TYPE, dead))?;
        name.clone_into(&mut named.name);
        Ok(())
    }
}

/// A type constructor's complaint as an MPI error.
#[cold]
pub fn refused(error: TypeError) -> Box<Error> {
    let class = match error.kind {
        TypeErrorKind::Type => abi::MPI_ERR_TYPE,
        TypeErrorKind::Count => abi::MPI_ERR_COUNT,
        _ => abi::MPI_ERR_ARG,
    };
    Error::new(class, error.why.to_string())
}
